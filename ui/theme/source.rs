//! Themes as data: the ones we ship, and a user's file that changes parts of one.

use std::io::Read as _;
use std::ops::Range;
use std::path::Path;

use ratatui::style::Modifier;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Role;
use super::colour::{Ink, NAMES};
use crate::text::near;

/// The themes we ship; the first is the usual one.
const SHIPPED: [(&str, &str); 6] = [
    ("dark", include_str!("../../assets/themes/dark.toml")),
    ("light", include_str!("../../assets/themes/light.toml")),
    (
        "colour-blind",
        include_str!("../../assets/themes/colour-blind.toml"),
    ),
    (
        "high-contrast",
        include_str!("../../assets/themes/high-contrast.toml"),
    ),
    ("mono", include_str!("../../assets/themes/mono.toml")),
    (
        "terminal",
        include_str!("../../assets/themes/terminal.toml"),
    ),
];

/// Largest theme file read.
const MOST_BYTES: u64 = 64 * 1024;

const ATTRIBUTES: [(&str, Modifier); 5] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
];

/// Names of the themes we ship.
pub(crate) fn names() -> impl Iterator<Item = &'static str> + Clone {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// Why a theme cannot be used, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ThemeError {
    /// No theme has this name.
    #[error("no theme is called {name}: {instead}, or give the path of a .toml file")]
    Unknown {
        /// As given; untrusted.
        name: String,
        /// What to do.
        instead: String,
    },
    /// The file cannot be read.
    #[error("the theme {file} cannot be read ({why}): check the path, or use a theme by name")]
    Unread {
        /// As given.
        file: String,
        /// The system's words.
        why: String,
    },
    /// Something in the file is wrong.
    #[error("{file}, line {line}: {what}")]
    Wrong {
        /// As given.
        file: String,
        /// From 1.
        line: usize,
        /// What is wrong and what to write; quotes the file.
        what: String,
    },
}

/// Colours and attributes by role, before they are fitted to a terminal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Source {
    pub(super) background: Ink,
    pub(super) looks: [Look; Role::ALL.len()],
}

/// How a role looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) fg: Ink,
    pub(super) bg: Ink,
    /// Attributes beside the role's own.
    pub(super) add: Modifier,
}

impl Source {
    /// No colours.
    pub(super) const BARE: Source = Source {
        background: Ink::Default,
        looks: [Look {
            fg: Ink::Default,
            bg: Ink::Default,
            add: Modifier::empty(),
        }; Role::ALL.len()],
    };

    /// A theme we ship by its name, or a file by its path.
    pub(crate) fn load(name: &str) -> Result<Source, ThemeError> {
        if let Some((_, text)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
            return Source::over(Source::BARE, text, name);
        }
        if name.contains(std::path::is_separator) || name.ends_with(".toml") {
            return Source::parse(&read(Path::new(name))?, name);
        }
        Err(ThemeError::Unknown {
            name: name.to_owned(),
            instead: near::instead_of(name, names()),
        })
    }

    /// Reads a user's file: what it leaves out stays as it is in the theme it names as `base`, or else
    /// in the usual one. `file` is named in errors.
    pub(crate) fn parse(text: &str, file: &str) -> Result<Source, ThemeError> {
        let (usual, shipped) = SHIPPED[0];
        Source::over(Source::over(Source::BARE, shipped, usual)?, text, file)
    }

    fn over(start: Source, text: &str, file: &str) -> Result<Source, ThemeError> {
        let reader = Reader { text, file };
        let root = DeTable::parse(text).map_err(|error| {
            let at = error.span().unwrap_or(0..0);
            let what = error.message().trim_end_matches('.').to_owned();
            reader.wrong(at, format!("this is not TOML ({what}); mend the line"))
        })?;
        reader.theme(start, root.get_ref())
    }

    /// The look of a role.
    pub(super) fn look(&self, role: Role) -> Look {
        self.looks[role as usize]
    }
}

fn read(path: &Path) -> Result<String, ThemeError> {
    let unread = |why: String| ThemeError::Unread {
        file: path.display().to_string(),
        why,
    };
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|error| unread(error.to_string()))?;
    file.take(MOST_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(|error| unread(error.to_string()))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(unread("it is larger than 64 KiB".to_owned()));
    }
    Ok(text)
}

struct Reader<'a> {
    text: &'a str,
    file: &'a str,
}

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;

impl Reader<'_> {
    fn wrong(&self, at: Range<usize>, what: String) -> ThemeError {
        let before = &self.text.as_bytes()[..at.start.min(self.text.len())];
        ThemeError::Wrong {
            file: self.file.to_owned(),
            line: 1 + before.iter().filter(|byte| **byte == b'\n').count(),
            what,
        }
    }

    fn theme(&self, start: Source, root: &DeTable<'_>) -> Result<Source, ThemeError> {
        let mut source = match root.get("base") {
            Some(base) => self.base(base)?,
            None => start,
        };
        for (key, value) in root {
            match key.get_ref().as_ref() {
                "base" => {}
                "background" => source.background = self.ink(value)?,
                "roles" => self.roles(value, &mut source)?,
                _ => return Err(self.unknown("key", key, ["base", "background", "roles"])),
            }
        }
        Ok(source)
    }

    fn base(&self, value: &Spanned<DeValue<'_>>) -> Result<Source, ThemeError> {
        let name = value.get_ref().as_str().unwrap_or_default();
        match SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
            // What we ship has no base: this ends.
            Some((name, text)) => Source::over(Source::BARE, text, name),
            None => {
                let instead = near::instead_of(name, names());
                Err(self.wrong(value.span(), format!("no theme has this name; {instead}")))
            }
        }
    }

    fn unknown<'k>(
        &self,
        what: &str,
        key: &Key<'_>,
        known: impl IntoIterator<Item = &'k str> + Clone,
    ) -> ThemeError {
        let name = key.get_ref();
        let instead = near::instead_of(name, known);
        self.wrong(key.span(), format!("no {what} is called {name}; {instead}"))
    }

    fn roles(&self, value: &Spanned<DeValue<'_>>, source: &mut Source) -> Result<(), ThemeError> {
        let DeValue::Table(roles) = value.get_ref() else {
            let what = "roles is a table; write [roles] and a line for each role".to_owned();
            return Err(self.wrong(value.span(), what));
        };
        for (key, value) in roles {
            let role = Role::ALL
                .into_iter()
                .find(|role| role.word() == key.get_ref().as_ref());
            let Some(role) = role else {
                return Err(self.unknown("role", key, Role::ALL.map(Role::word)));
            };
            self.look(value, &mut source.looks[role as usize])?;
        }
        Ok(())
    }

    fn look(&self, value: &Spanned<DeValue<'_>>, look: &mut Look) -> Result<(), ThemeError> {
        let DeValue::Table(parts) = value.get_ref() else {
            look.fg = self.ink(value)?;
            return Ok(());
        };
        for (key, value) in parts {
            match key.get_ref().as_ref() {
                "fg" => look.fg = self.ink(value)?,
                "bg" => look.bg = self.ink(value)?,
                "add" => look.add = self.attributes(value)?,
                _ => return Err(self.unknown("part of a role", key, ["fg", "bg", "add"])),
            }
        }
        Ok(())
    }

    fn ink(&self, value: &Spanned<DeValue<'_>>) -> Result<Ink, ThemeError> {
        let text = value.get_ref().as_str();
        text.and_then(Ink::parse).ok_or_else(|| {
            let names = NAMES.into_iter().chain(["default"]);
            let near = text.and_then(|text| near::nearest(text, names));
            let example = near.unwrap_or("#7cc4ff");
            let what = format!(
                "this is no colour; write \"{example}\": six hexadecimal digits after #, a name such as blue or bright-blue, or default"
            );
            self.wrong(value.span(), what)
        })
    }

    fn attributes(&self, value: &Spanned<DeValue<'_>>) -> Result<Modifier, ThemeError> {
        let wrong = |at| {
            let names = ATTRIBUTES.map(|(name, _)| name).join(", ");
            self.wrong(
                at,
                format!("add is a list of attributes; write some of {names}"),
            )
        };
        let DeValue::Array(items) = value.get_ref() else {
            return Err(wrong(value.span()));
        };
        let mut all = Modifier::empty();
        for item in items {
            let name = item.get_ref().as_str();
            let known = ATTRIBUTES.iter().find(|(known, _)| name == Some(*known));
            let (_, modifier) = known.ok_or_else(|| wrong(item.span()))?;
            all |= *modifier;
        }
        Ok(all)
    }
}
