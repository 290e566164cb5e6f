//! The screen of a terminal as a picture. Every cell is placed by itself, so that no column drifts
//! whatever font draws it, and the same screen gives the same bytes.
#![allow(
    dead_code,
    reason = "each of the two programs that use it needs its own part"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Size of a cell and of its letters, in pixels; the font's letters are as wide as the cell.
const CELL: (u32, u32) = (9, 18);
const LETTERS: u32 = 15;
/// From the top of a cell to the line the letters stand on.
const BASELINE: u32 = 14;
/// Round the screen.
const MARGIN: u32 = 12;
/// Pixels of the PNG for one of the SVG.
const SCALE: f32 = 1.5;

/// The only fonts a picture is made with: those of the system may be others.
const FONTS: [&[u8]; 2] = [
    include_bytes!("../../assets/font/DejaVuSansMono.ttf"),
    include_bytes!("../../assets/font/DejaVuSansMono-Bold.ttf"),
];

/// Asks for the stored pictures to be written anew.
const WRITE: &str = "SHOTS";

type Rgb = (u8, u8, u8);

/// What a terminal without orders of ours draws with.
const INK: Rgb = (0xd7, 0xdc, 0xe2);
const GROUND: Rgb = (0x14, 0x17, 0x1c);

/// The sixteen as most terminals draw them.
const SIXTEEN: [Rgb; 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

#[derive(Clone, Copy, PartialEq)]
struct Look {
    ink: Rgb,
    ground: Rgb,
    bold: bool,
    italic: bool,
    underline: bool,
}

#[derive(Clone)]
struct Cell {
    text: String,
    look: Look,
}

/// A screen, cell by cell.
pub(crate) struct Shot {
    columns: usize,
    cells: Vec<Cell>,
}

impl Shot {
    /// What stands on a screen now.
    pub(crate) fn of(screen: &vt100::Screen) -> Shot {
        let (rows, columns) = screen.size();
        let places = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |at| (row, at)));
        let cells = places.filter_map(|(row, at)| screen.cell(row, at));
        Shot {
            columns: usize::from(columns.get()),
            cells: cells.map(Cell::of).collect(),
        }
    }

    /// Times of day become midnight and dates the first of all days: the clock is no part of a picture.
    pub(crate) fn without_clock(mut self) -> Shot {
        for row in self.cells.chunks_mut(self.columns) {
            let mut text: Vec<char> = row.iter().map(Cell::char).collect();
            put(&mut text, "00:00:00", "00:00:00");
            put(&mut text, "Day 0000-00-00", "Mon 2000-01-03");
            put(&mut text, "0000-00-00", "2000-01-03");
            for (cell, char) in row.iter_mut().zip(text) {
                if char != cell.char() {
                    cell.text = char.to_string();
                }
            }
        }
        self
    }

    /// The picture as text.
    pub(crate) fn svg(&self) -> String {
        let ground = self.commonest_ground();
        let width = self.columns as u32 * CELL.0 + 2 * MARGIN;
        let height = (self.cells.len() / self.columns) as u32 * CELL.1 + 2 * MARGIN;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"'DejaVu Sans Mono', monospace\" \
             font-size=\"{LETTERS}\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
            hex(ground)
        );
        for (row, cells) in self.cells.chunks(self.columns).enumerate() {
            let top = MARGIN + row as u32 * CELL.1;
            grounds(&mut svg, cells, top, ground);
            words(&mut svg, cells, top);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn commonest_ground(&self) -> Rgb {
        let mut counts: BTreeMap<Rgb, usize> = BTreeMap::new();
        for cell in &self.cells {
            *counts.entry(cell.look.ground).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        most.map_or(GROUND, |(ground, _)| ground)
    }
}

impl Cell {
    fn of(cell: &vt100::Cell) -> Cell {
        let mut ink = rgb(cell.fgcolor(), INK);
        let mut ground = rgb(cell.bgcolor(), GROUND);
        if cell.inverse() {
            std::mem::swap(&mut ink, &mut ground);
        }
        if cell.dim() {
            ink = between(ink, ground);
        }
        Cell {
            text: cell.contents().to_owned(),
            look: Look {
                ink,
                ground,
                bold: cell.bold(),
                italic: cell.italic(),
                underline: cell.underline(),
            },
        }
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn char(&self) -> char {
        self.text.chars().next().unwrap_or(' ')
    }
}

/// Puts `instead` wherever the text has a capital for each capital of `like`, a letter for each letter, a digit for each 0.
fn put(text: &mut [char], like: &str, instead: &str) {
    let like: Vec<char> = like.chars().collect();
    for at in 0..(text.len() + 1).saturating_sub(like.len()) {
        let here = &mut text[at..at + like.len()];
        let alike = here.iter().zip(&like).all(|(char, like)| match like {
            '0' => char.is_ascii_digit(),
            'A'..='Z' => char.is_ascii_uppercase(),
            'a'..='z' => char.is_ascii_lowercase(),
            other => char == other,
        });
        if alike {
            for (char, instead) in here.iter_mut().zip(instead.chars()) {
                *char = instead;
            }
        }
    }
}

/// Rectangles under neighbours that stand on the same colour.
fn grounds(svg: &mut String, cells: &[Cell], top: u32, ground: Rgb) {
    let mut at = 0;
    for run in cells.chunk_by(|a, b| a.look.ground == b.look.ground) {
        let (x, width) = (MARGIN + at * CELL.0, run.len() as u32 * CELL.0);
        if run[0].look.ground != ground {
            let fill = hex(run[0].look.ground);
            let height = CELL.1;
            writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
            )
            .unwrap();
        }
        at += run.len() as u32;
    }
}

/// Words of one look, each letter at its own place.
fn words(svg: &mut String, cells: &[Cell], top: u32) {
    let mut at = 0;
    let together = |a: &Cell, b: &Cell| {
        a.look == b.look && a.is_blank() == b.is_blank() && single(a) && single(b)
    };
    for run in cells.chunk_by(together) {
        let look = run[0].look;
        let x = |at: u32| MARGIN + at * CELL.0;
        if look.underline {
            let (y, width, fill) = (top + BASELINE + 1, run.len() as u32 * CELL.0, hex(look.ink));
            writeln!(
                svg,
                "<rect x=\"{}\" y=\"{y}\" width=\"{width}\" height=\"1\" fill=\"{fill}\"/>",
                x(at)
            )
            .unwrap();
        }
        if !run[0].is_blank() {
            // Of a cell that holds several characters only the first one has a place.
            let places: Vec<String> = (at..at + run.len() as u32)
                .map(|at| x(at).to_string())
                .collect();
            let text: String = run.iter().map(|cell| cell.text.as_str()).collect();
            let bold = if look.bold {
                " font-weight=\"bold\""
            } else {
                ""
            };
            let italic = if look.italic {
                " font-style=\"italic\""
            } else {
                ""
            };
            writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" fill=\"{}\"{bold}{italic}>{}</text>",
                places.join(" "),
                top + BASELINE,
                hex(look.ink),
                escaped(&text)
            )
            .unwrap();
        }
        at += run.len() as u32;
    }
}

fn single(cell: &Cell) -> bool {
    cell.text.chars().count() <= 1
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn hex((red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Two thirds of the ink.
fn between(ink: Rgb, ground: Rgb) -> Rgb {
    let mix = |ink: u8, ground: u8| ((u16::from(ink) * 2 + u16::from(ground)) / 3) as u8;
    (
        mix(ink.0, ground.0),
        mix(ink.1, ground.1),
        mix(ink.2, ground.2),
    )
}

fn rgb(color: vt100::Color, usual: Rgb) -> Rgb {
    match color {
        vt100::Color::Default => usual,
        vt100::Color::Rgb(red, green, blue) => (red, green, blue),
        vt100::Color::Idx(index @ 0..16) => SIXTEEN[usize::from(index)],
        vt100::Color::Idx(index @ 16..232) => {
            let level = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
            let index = index - 16;
            (level(index / 36), level(index / 6 % 6), level(index % 6))
        }
        vt100::Color::Idx(index) => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
    }
}

/// The picture as pixels.
pub(crate) fn pixels(svg: &str) -> Pixmap {
    let mut fonts = fontdb::Database::new();
    for font in FONTS {
        fonts.load_font_data(font.to_vec());
    }
    let options = Options {
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).unwrap();
    let size = tree.size().to_int_size().scale_by(SCALE).unwrap();
    let mut pixels = Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(
        &tree,
        Transform::from_scale(SCALE, SCALE),
        &mut pixels.as_mut(),
    );
    pixels
}

/// Where the pictures stand.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots")
}

/// Compares a picture with the stored one, and sees that it can be drawn; with `SHOTS=write` in the
/// environment both its files are written instead.
pub(crate) fn stands(name: &str, shot: &Shot) {
    let svg = shot.svg();
    let drawn = pixels(&svg);
    let first = drawn.pixels().first().copied();
    assert!(
        drawn.pixels().iter().any(|pixel| Some(*pixel) != first),
        "{name}: nothing is drawn"
    );
    let file = folder().join(format!("{name}.svg"));
    if std::env::var(WRITE).is_ok_and(|word| word == "write") {
        std::fs::write(&file, &svg).unwrap();
        std::fs::write(file.with_extension("png"), drawn.encode_png().unwrap()).unwrap();
    }
    let stored = std::fs::read_to_string(&file).unwrap_or_default();
    let line = svg
        .lines()
        .zip(stored.lines())
        .find(|(new, old)| new != old);
    assert!(
        svg == stored,
        "{}: the console looks otherwise now, first at {line:?}; \
         SHOTS=write cargo test -- shots writes the pictures anew: look at them",
        file.display()
    );
}
