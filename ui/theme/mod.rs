//! Looks by meaning: roles to styles, and two sets of symbols. No fact is told by colour alone.
//!
//! A theme is data ([`Source`]); a [`Theme`] is one fitted to the colours of a terminal ([`Stage`]).

mod colour;
mod role;
mod source;
mod symbols;
mod terminal;

use engine::crawl::Lamp;
use ratatui::style::{Color, Modifier, Style};

pub(crate) use colour::Stage;
use colour::{Ink, Rgb};
pub(crate) use role::Role;
pub(crate) use source::{Source, ThemeError};
pub(crate) use symbols::{ASCII, Symbols, UNICODE};

use crate::engine;

/// The theme of a terminal that shows more than sixteen colours.
const USUAL: &str = "dark";
/// The theme of a terminal that shows sixteen: its own.
const OWN: &str = "terminal";

/// The looks of one terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    /// Symbols.
    pub(crate) symbols: &'static Symbols,
    ground: Style,
    styles: [Style; Role::ALL.len()],
}

impl Theme {
    /// A theme fitted to a terminal.
    pub(crate) fn fitted(source: &Source, stage: Stage, symbols: &'static Symbols) -> Theme {
        let fit = Fit { source, stage };
        Theme {
            symbols,
            ground: fit.ground(),
            styles: Role::ALL.map(|role| fit.style(role)),
        }
    }

    /// The style of a role.
    pub(crate) fn style(&self, role: Role) -> Style {
        self.styles[role as usize]
    }

    /// What lies under everything: set it on the whole area before anything is drawn, and on any
    /// area that is cleared, or a theme's colours stand on a background they were not chosen for.
    pub(crate) fn ground(&self) -> Style {
        self.ground
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

/// The themes to be had on this terminal, and the one it wears.
#[derive(Clone, Debug)]
pub(crate) struct Themes {
    stage: Stage,
    symbols: &'static Symbols,
    name: String,
    theme: Theme,
}

impl Themes {
    /// What flags and environment ask for; `chosen` is the name of a theme or a file.
    pub(crate) fn of_process(ascii: bool, chosen: Option<&str>) -> Result<Themes, ThemeError> {
        let stage = terminal::stage(environment);
        let usual = if stage > Stage::Sixteen { USUAL } else { OWN };
        let name = chosen.unwrap_or(usual);
        let symbols = symbols_of_process(ascii);
        Ok(Themes {
            stage,
            symbols,
            name: name.to_owned(),
            theme: Theme::fitted(&Source::load(name)?, stage, symbols),
        })
    }

    /// The one worn.
    pub(crate) fn worn(&self) -> &Theme {
        &self.theme
    }

    /// Wears the next of those we ship, and names it.
    pub(crate) fn next(&mut self) -> &'static str {
        let at = source::names().position(|name| name == self.name);
        let next = at.and_then(|at| source::names().nth(at + 1));
        let name = next.or_else(|| source::names().next()).unwrap_or(OWN);
        // What we ship parses: a test says so.
        let source = Source::load(name).unwrap_or(Source::BARE);
        name.clone_into(&mut self.name);
        self.theme = Theme::fitted(&source, self.stage, self.symbols);
        name
    }
}

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn symbols_of_process(ascii: bool) -> &'static Symbols {
    if ascii || !terminal::utf8(environment) {
        &ASCII
    } else {
        &UNICODE
    }
}

/// A theme on its way to a terminal.
struct Fit<'a> {
    source: &'a Source,
    stage: Stage,
}

impl Fit<'_> {
    fn style(&self, role: Role) -> Style {
        let look = self.source.look(role);
        let mut style = Style::new().add_modifier(role.attributes() | look.add);
        style.fg = self.foreground(role);
        style.bg = colour::at_stage(look.bg, self.stage, None);
        // Plain text is the ground's own.
        if role == Role::Plain {
            style.fg = None;
        }
        if role.faint() && style.fg.is_none() {
            style = style.add_modifier(Modifier::DIM);
        }
        style
    }

    fn ground(&self) -> Style {
        Style {
            fg: self.foreground(Role::Plain),
            bg: colour::at_stage(self.source.background, self.stage, None),
            ..Style::new()
        }
    }

    fn foreground(&self, role: Role) -> Option<Color> {
        colour::at_stage(self.source.look(role).fg, self.stage, self.readable(role))
    }

    /// What a role is read on, and the contrast that must not be lost on the way there.
    fn readable(&self, role: Role) -> Option<(Rgb, f64)> {
        let look = self.source.look(role);
        let under = if look.bg == Ink::Default {
            self.source.background
        } else {
            look.bg
        };
        let (Ink::Exact(ink), Ink::Exact(exact)) = (look.fg, under) else {
            return None;
        };
        // The usual bright blue on black has 4.4; what the user's has nobody knows.
        let most = if self.stage == Stage::Sixteen {
            4.4
        } else {
            7.0
        };
        let ground = colour::drawn(under, self.stage, None)?;
        Some((ground, ink.contrast(exact).min(most)))
    }
}

#[cfg(test)]
mod tests;
