//! Colours as themes name them, and the nearest ones a terminal has.

use ratatui::style::Color;

/// How many colours a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// None: attributes only.
    None,
    /// The terminal's own sixteen.
    Sixteen,
    /// The sixteen, a cube of 216 and 24 greys.
    TwoFiftySix,
    /// Any.
    Rgb,
}

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rgb(pub(super) u8, pub(super) u8, pub(super) u8);

/// A colour as a theme gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// The terminal's own foreground or background.
    Default,
    /// One of the terminal's own sixteen.
    Named(u8),
    /// Exactly this one.
    Exact(Rgb),
}

/// Names of the sixteen, by number.
pub(super) const NAMES: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

/// The sixteen as most terminals draw them; each user may have others.
const USUAL: [Rgb; 16] = [
    Rgb(0, 0, 0),
    Rgb(205, 0, 0),
    Rgb(0, 205, 0),
    Rgb(205, 205, 0),
    Rgb(0, 0, 238),
    Rgb(205, 0, 205),
    Rgb(0, 205, 205),
    Rgb(229, 229, 229),
    Rgb(127, 127, 127),
    Rgb(255, 0, 0),
    Rgb(0, 255, 0),
    Rgb(255, 255, 0),
    Rgb(92, 92, 255),
    Rgb(255, 0, 255),
    Rgb(0, 255, 255),
    Rgb(255, 255, 255),
];

impl Ink {
    /// `default`, one of [`NAMES`], or `#rrggbb`.
    pub(super) fn parse(text: &str) -> Option<Ink> {
        if text == "default" {
            return Some(Ink::Default);
        }
        if let Some(number) = NAMES.iter().position(|name| *name == text) {
            return u8::try_from(number).ok().map(Ink::Named);
        }
        let digits = text.strip_prefix('#')?;
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let number = u32::from_str_radix(digits, 16).ok()?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some(Ink::Exact(Rgb(red, green, blue)))
    }
}

impl Rgb {
    /// Relative luminance (WCAG 2.2), 0 to 1.
    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// Contrast ratio (WCAG 2.2), 1 to 21.
    pub(super) fn contrast(self, other: Rgb) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// How unlike two colours look: squares of the parts, weighted by how well eyes tell them.
    fn unlike(self, other: Rgb) -> u32 {
        let square = |one: u8, two: u8| u32::from(one.abs_diff(two)).pow(2);
        let red = u32::midpoint(u32::from(self.0), u32::from(other.0));
        ((512 + red) * square(self.0, other.0)) / 256
            + 4 * square(self.1, other.1)
            + ((767 - red) * square(self.2, other.2)) / 256
    }

    /// Place on the wheel of colours in degrees; none for greys, and what is nearly one.
    fn hue(self) -> Option<i32> {
        let [red, green, blue] = [self.0, self.1, self.2].map(i32::from);
        let most = red.max(green).max(blue);
        let spread = most - red.min(green).min(blue);
        if spread < 40 {
            return None;
        }
        let (from, step) = match most {
            _ if most == red => (0, green - blue),
            _ if most == green => (120, blue - red),
            _ => (240, red - green),
        };
        Some((from + 60 * step / spread).rem_euclid(360))
    }

    /// How far apart two colours are in kind: a pale red is a red before it is a grey.
    fn other_kind(self, other: Rgb) -> i32 {
        match (self.hue(), other.hue()) {
            (None, None) => 0,
            (Some(one), Some(two)) => {
                let apart = (one - two).abs();
                apart.min(360 - apart)
            }
            _ => 360,
        }
    }
}

/// The colour of a number of the 256.
pub(super) fn of_number(number: u8) -> Rgb {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match number {
        0..16 => USUAL[usize::from(number)],
        16..232 => {
            let at = usize::from(number) - 16;
            Rgb(STEPS[at / 36], STEPS[at / 6 % 6], STEPS[at % 6])
        }
        232.. => {
            let grey = 8 + 10 * (number - 232);
            Rgb(grey, grey, grey)
        }
    }
}

/// The nearest colour a stage has; nothing where it has none.
///
/// `on` is the background it must be read on, with the contrast that must be kept:
/// a colour that keeps it is taken, even if another is nearer.
pub(super) fn at_stage(ink: Ink, stage: Stage, on: Option<(Rgb, f64)>) -> Option<Color> {
    match (ink, stage) {
        (_, Stage::None) | (Ink::Default, _) => None,
        (Ink::Named(number), _) => Some(named(number)),
        (Ink::Exact(Rgb(red, green, blue)), Stage::Rgb) => Some(Color::Rgb(red, green, blue)),
        // The first sixteen are whatever the user made of them: not for exact colours.
        (Ink::Exact(rgb), Stage::TwoFiftySix) => Some(Color::Indexed(nearest(rgb, 16..=255, on))),
        (Ink::Exact(rgb), Stage::Sixteen) => Some(named(nearest(rgb, 0..=15, on))),
    }
}

/// What a colour at a stage is drawn as.
pub(super) fn drawn(ink: Ink, stage: Stage, on: Option<(Rgb, f64)>) -> Option<Rgb> {
    match (ink, stage) {
        (_, Stage::None) | (Ink::Default, _) => None,
        (Ink::Named(number), _) => Some(of_number(number)),
        (Ink::Exact(rgb), Stage::Rgb) => Some(rgb),
        (Ink::Exact(rgb), Stage::TwoFiftySix) => Some(of_number(nearest(rgb, 16..=255, on))),
        (Ink::Exact(rgb), Stage::Sixteen) => Some(of_number(nearest(rgb, 0..=15, on))),
    }
}

fn nearest(rgb: Rgb, among: std::ops::RangeInclusive<u8>, on: Option<(Rgb, f64)>) -> u8 {
    // Among sixteen the kind of colour carries the meaning; among many the nearest has it anyway.
    let few = *among.end() < 16;
    let near = |number: &u8| {
        let other = of_number(*number);
        let kind = if few { rgb.other_kind(other) } else { 0 };
        (kind, rgb.unlike(other))
    };
    let legible =
        |number: &u8| on.is_none_or(|(ground, least)| of_number(*number).contrast(ground) >= least);
    let best = among.clone().filter(legible).min_by_key(near);
    best.or_else(|| among.min_by_key(near)).unwrap_or_default()
}

/// The terminal's own colour of a number.
fn named(number: u8) -> Color {
    const COLOURS: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    COLOURS[usize::from(number & 15)]
}
