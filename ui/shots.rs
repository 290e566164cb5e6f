//! Pictures of the console: scenes that never change, drawn through the bytes a terminal gets, and
//! compared with what stands in `screenshots/`.

mod diff;
mod hosts;
mod run;

use crossterm::style::force_color_output;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use crate::shot::{self, Shot};
use crate::state::State;
use crate::test_kit::{changes, page, press, runs};
use crate::theme::{Source, Stage, Theme, UNICODE};
use crate::view;

const USUAL: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (80, 24);
const WIDE: (u16, u16) = (160, 40);

/// Name of the picture, size, theme, and what is shown.
type Scene = (&'static str, (u16, u16), &'static str, fn(State) -> State);

const SCENES: &[Scene] = &[
    ("live", USUAL, "dark", run::running),
    ("trouble", USUAL, "dark", run::trouble),
    ("hosts", USUAL, "dark", hosts::filtered),
    ("robots", USUAL, "dark", |state| {
        page::section(state.size, 1)
    }),
    ("diff", USUAL, "dark", diff::lines),
    ("diff-small", SMALL, "dark", diff::lines),
    ("diff-beside", WIDE, "dark", diff::lines),
    ("diff-reflowed", USUAL, "dark", diff::reflowed),
    ("diff-hidden", SMALL, "dark", diff::hidden),
    ("changes", USUAL, "dark", |state| {
        changes::shown(state.size, 18)
    }),
    ("changes-small", SMALL, "dark", |state| {
        changes::shown(state.size, 18)
    }),
    ("runs", USUAL, "dark", |state| {
        runs::opened(state.size, &runs::summaries())
    }),
    ("runs-small", SMALL, "dark", |state| {
        runs::opened(state.size, &runs::summaries())
    }),
    ("help", USUAL, "dark", |state| {
        pressed(run::running(state), "?")
    }),
    ("commands", USUAL, "light", |state| {
        pressed(run::running(state), ":ho")
    }),
    ("mono", USUAL, "mono", run::running),
    ("small", SMALL, "colour-blind", run::running),
];

/// Pictures made elsewhere: `tests/shots.rs`.
const OTHERS: &[&str] = &["session"];

#[test]
fn shots_of_scenes_look_as_stored() {
    for (name, size, theme, scene) in SCENES {
        let state = State {
            size: *size,
            ..State::default()
        };
        let theme = Theme::fitted(&Source::load(theme).unwrap(), stage(theme), &UNICODE);
        shot::stands(name, &drawn(&scene(state), &theme));
    }
}

#[test]
fn every_stored_picture_is_made_by_a_test() {
    let made = SCENES.iter().map(|(name, ..)| *name);
    let made: Vec<&str> = made.chain(OTHERS.iter().copied()).collect();
    for entry in std::fs::read_dir(shot::folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(made.contains(&name), "{}: no test makes it", path.display());
        assert!(path.with_extension("svg").exists() && path.with_extension("png").exists());
    }
}

fn stage(theme: &str) -> Stage {
    if theme == "mono" {
        Stage::None
    } else {
        Stage::Rgb
    }
}

fn pressed(mut state: State, keys: &str) -> State {
    press(&mut state, keys);
    state
}

/// The scene as a terminal shows it.
fn drawn(state: &State, theme: &Theme) -> Shot {
    force_color_output(true);
    let (width, height) = state.size;
    let mut bytes = Vec::new();
    let whole = TerminalOptions {
        viewport: Viewport::Fixed(Rect::new(0, 0, width, height)),
    };
    let mut terminal = Terminal::with_options(CrosstermBackend::new(&mut bytes), whole).unwrap();
    terminal
        .draw(|frame| {
            view::draw(frame, state, theme);
        })
        .unwrap();
    drop(terminal);
    let mut screen = vt100::Parser::new(height.try_into().unwrap(), width.try_into().unwrap(), 0);
    screen.process(&bytes);
    Shot::of(screen.screen())
}
