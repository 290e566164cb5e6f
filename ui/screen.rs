//! What the operator brings to the console: keys, colours and choices, from flags, environment and files.

use std::path::PathBuf;

use crate::cli;
use crate::exit::Failure;
use crate::keymap::Keymap;
use crate::settings::Settings;
use crate::text::Clean;
use crate::theme::Themes;

/// The looks of the screen.
pub(crate) struct Screen {
    pub(crate) themes: Themes,
    pub(crate) keymap: Keymap,
    pub(crate) settings: Settings,
    /// Where the settings are kept, unless they could not be read.
    pub(crate) kept_in: Option<PathBuf>,
    /// What there is to tell about the operator's files.
    pub(crate) told: Option<Clean>,
}

impl Screen {
    /// As flags, environment and the operator's files ask for.
    pub(crate) fn of_process(ascii: bool, theme: Option<&str>) -> Result<Screen, Failure> {
        let keymap = match cli::settings_file("keymap.toml") {
            Some(file) => {
                Keymap::of_file(&file).map_err(|error| Failure::Usage(error.to_string()))?
            }
            None => Keymap::default(),
        };
        let mut kept_in = cli::settings_file("settings.toml");
        let mut told = None;
        let settings = match kept_in.as_deref().map(Settings::read) {
            None => Settings::default(),
            Some(Ok(settings)) => settings,
            Some(Err(problem)) => {
                told = Some(Clean::new(problem));
                kept_in = None;
                Settings::default()
            }
        };
        let chosen = theme.or(settings.theme.as_deref());
        let themes = Themes::of_process(ascii, chosen);
        Ok(Screen {
            themes: themes.map_err(|error| Failure::Usage(error.to_string()))?,
            keymap,
            settings,
            kept_in,
            told,
        })
    }
}

/// What the operator chose, and the file it is kept in.
pub(crate) struct Kept {
    pub(crate) file: PathBuf,
    pub(crate) chosen: Settings,
}
