//! Looks by meaning: roles to styles, and two sets of symbols. No fact is told by colour alone.

use engine::crawl::Lamp;
use ratatui::style::{Color, Modifier, Style};

use crate::engine;

/// What a piece of text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Ordinary text.
    Plain,
    /// Of less weight.
    Dim,
    /// Headings.
    Title,
    /// Well.
    Good,
    /// Waiting on purpose.
    Wait,
    /// Told to wait, or held: look here.
    Told,
    /// Broken.
    Bad,
    /// The row under the cursor.
    Selected,
    /// A key to press.
    Key,
    /// An escape for a character that must not be shown.
    Escape,
    /// A loopback run: never mistaken for a real one.
    Label,
}

/// The looks of one terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    /// Colours; attributes are used either way.
    pub(crate) colour: bool,
    /// Symbols.
    pub(crate) symbols: &'static Symbols,
}

/// Everything on screen that is neither a letter nor a number.
#[derive(Debug)]
pub(crate) struct Symbols {
    pub(crate) not_yet: &'static str,
    pub(crate) asking: &'static str,
    pub(crate) present: &'static str,
    pub(crate) unchanged: &'static str,
    pub(crate) absent: &'static str,
    pub(crate) denied: &'static str,
    pub(crate) error: &'static str,
    pub(crate) pointer: &'static str,
    pub(crate) rule: &'static str,
    pub(crate) cut: &'static str,
    pub(crate) caret: &'static str,
    pub(crate) full: &'static str,
    pub(crate) empty: &'static str,
    pub(crate) running: &'static str,
    pub(crate) still: &'static str,
    pub(crate) ended: &'static str,
    pub(crate) sparks: &'static [&'static str],
}

/// The usual set.
pub(crate) static UNICODE: Symbols = Symbols {
    not_yet: "·",
    asking: "◐",
    present: "●",
    unchanged: "=",
    absent: "○",
    denied: "×",
    error: "!",
    pointer: "▸",
    rule: "─",
    cut: "…",
    caret: "▏",
    full: "█",
    empty: "░",
    running: "●",
    still: "‖",
    ended: "■",
    sparks: &[" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
};

/// For terminals and locales without more.
pub(crate) static ASCII: Symbols = Symbols {
    not_yet: ".",
    asking: "?",
    present: "@",
    unchanged: "=",
    absent: "o",
    denied: "x",
    error: "!",
    pointer: ">",
    rule: "-",
    cut: "~",
    caret: "_",
    full: "#",
    empty: ".",
    running: "*",
    still: "|",
    ended: "#",
    sparks: &[" ", ".", ".", ":", ":", "-", "=", "+", "#"],
};

impl Theme {
    /// What the process's environment and flags ask for.
    pub(crate) fn of_process(ascii: bool) -> Theme {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Theme {
            colour: !no_color,
            symbols: if ascii || !utf8_locale() {
                &ASCII
            } else {
                &UNICODE
            },
        }
    }

    /// The style of a role.
    pub(crate) fn style(&self, role: Role) -> Style {
        let style = Style::new();
        let attributes = match role {
            Role::Plain | Role::Wait | Role::Good => style,
            Role::Dim => style.add_modifier(Modifier::DIM),
            Role::Title | Role::Told | Role::Key => style.add_modifier(Modifier::BOLD),
            Role::Bad => style.add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED)),
            Role::Selected | Role::Label => style.add_modifier(Modifier::REVERSED),
            Role::Escape => style.add_modifier(Modifier::ITALIC),
        };
        if !self.colour {
            return attributes;
        }
        match role {
            Role::Plain | Role::Title | Role::Selected | Role::Dim => attributes,
            Role::Good => attributes.fg(Color::Blue),
            Role::Wait => attributes.fg(Color::Cyan),
            Role::Told | Role::Label => attributes.fg(Color::Yellow),
            Role::Bad => attributes.fg(Color::Red),
            Role::Key => attributes.fg(Color::Cyan),
            Role::Escape => attributes.fg(Color::Magenta),
        }
    }

    /// Symbol and meaning of a lamp.
    pub(crate) fn lamp(&self, lamp: Lamp) -> (&'static str, Role) {
        let symbols = self.symbols;
        match lamp {
            Lamp::NotYet => (symbols.not_yet, Role::Dim),
            Lamp::Asking => (symbols.asking, Role::Title),
            Lamp::Present => (symbols.present, Role::Good),
            Lamp::Unchanged => (symbols.unchanged, Role::Plain),
            Lamp::Absent => (symbols.absent, Role::Plain),
            Lamp::Denied => (symbols.denied, Role::Told),
            Lamp::Error => (symbols.error, Role::Bad),
        }
    }
}

fn utf8_locale() -> bool {
    let named = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    named.is_some_and(|value| {
        let value = value.to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}
