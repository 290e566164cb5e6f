//! What the operator chose last time: orders, columns, colours, the mouse. Kept in a file of the
//! operator's own, written whole; a file that cannot be read is told and left as it is.

use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::state::State;
use crate::state::hosts::{Column, SORTS};
use crate::state::live::Sort;

/// The choices, in the words of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    /// Name of the colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) theme: Option<String>,
    /// The mouse is left to the terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mouse: Option<bool>,
    pub(crate) live: Live,
    pub(crate) hosts: Hosts,
}

/// Of the Live pane.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Live {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sort: Option<String>,
    pub(crate) turned: bool,
}

/// Of the Hosts pane.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Hosts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sort: Option<String>,
    pub(crate) turned: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) columns: Option<Vec<String>>,
}

impl Settings {
    /// Reads a file; none is there before the first choice.
    pub(crate) fn read(file: &Path) -> Result<Settings, String> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Settings::default());
            }
            Err(error) => return Err(format!("{}: cannot be read ({error})", file.display())),
        };
        toml::from_str(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = text.get(..at).unwrap_or("").matches('\n').count() + 1;
            format!(
                "{}, line {line}: {}; mend it or remove it",
                file.display(),
                error.message()
            )
        })
    }

    /// Writes the file whole.
    pub(crate) fn write(&self, file: &Path) -> Result<(), String> {
        let failed = |error: std::io::Error| {
            format!(
                "{}: what you chose cannot be kept ({error})",
                file.display()
            )
        };
        let text = toml::to_string(self).map_err(|error| error.to_string())?;
        let directory = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(directory).map_err(failed)?;
        let new = file.with_extension("new");
        let mut out = std::fs::File::create(&new).map_err(failed)?;
        out.write_all(text.as_bytes()).map_err(failed)?;
        std::fs::rename(&new, file).map_err(failed)
    }

    /// What is chosen now; the theme as it was told.
    pub(crate) fn of(state: &State) -> Settings {
        let word = SORTS.iter().find(|(sort, _)| *sort == state.hosts.sort);
        let columns = state.hosts.columns.iter();
        Settings {
            theme: state.theme.clone(),
            mouse: Some(state.mouse),
            live: Live {
                sort: Some(state.live.sort.word().to_owned()),
                turned: state.live.turned,
            },
            hosts: Hosts {
                sort: word.map(|(_, word)| (*word).to_owned()),
                turned: state.hosts.descending,
                columns: Some(columns.map(|column| column.word().to_owned()).collect()),
            },
        }
    }

    /// Puts the choices in force; a word that means nothing here is passed over.
    pub(crate) fn apply(&self, state: &mut State) {
        state.theme.clone_from(&self.theme);
        state.mouse = self.mouse.unwrap_or(true);
        let live = Sort::ALL
            .into_iter()
            .find(|sort| Some(sort.word()) == self.live.sort.as_deref());
        state.live.sort = live.unwrap_or_default();
        state.live.turned = self.live.turned;
        let hosts = SORTS
            .iter()
            .find(|(_, word)| Some(*word) == self.hosts.sort.as_deref());
        if let Some((sort, _)) = hosts {
            state.hosts.sort = *sort;
            state.hosts.descending = self.hosts.turned;
        }
        if let Some(columns) = &self.hosts.columns {
            let shown = |column: &Column| columns.iter().any(|word| word == column.word());
            state.hosts.columns = Column::ALL.into_iter().filter(shown).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_kit::{press, press_key, running, told};

    #[test]
    fn what_was_chosen_is_there_again() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("new/settings.toml");
        assert_eq!(Settings::read(&file), Ok(Settings::default()));
        let mut state = told((80, 24), running());
        press(&mut state, "sj");
        press_key(&mut state, crate::input::Code::Enter);
        press(&mut state, "S");
        state.hosts.columns = vec![Column::State, Column::Size];
        state.hosts.sort = engine::store::HostSort::Size;
        state.theme = Some("light".to_owned());
        let chosen = Settings::of(&state);
        chosen.write(&file).unwrap();
        let read = Settings::read(&file).unwrap();
        assert_eq!(read, chosen);
        let mut again = State::default();
        read.apply(&mut again);
        assert_eq!(Settings::of(&again), chosen);
        assert_eq!((again.live.sort, again.live.turned), (Sort::Host, true));
    }

    #[test]
    fn a_broken_file_is_told_with_its_line() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("settings.toml");
        std::fs::write(&file, "theme = \"dark\"\nmouse = 7\n").unwrap();
        let said = Settings::read(&file).unwrap_err();
        assert!(said.contains("settings.toml, line 2: "), "{said}");
    }

    #[test]
    fn words_of_another_version_are_passed_over() {
        let text = "later = 1\n[live]\nsort = \"moon\"\n[hosts]\ncolumns = [\"state\", \"tide\"]\n";
        let read: Settings = toml::from_str(text).unwrap();
        let mut state = State::default();
        read.apply(&mut state);
        assert_eq!(state.live.sort, Sort::Next);
        assert_eq!(state.hosts.columns, [Column::State]);
    }

    use crate::engine;
}
