//! What the environment says about a terminal: how many colours, and whether it shows more than ASCII.

use super::colour::Stage;

/// Terminals that show every colour and do not always say so.
const ANY_COLOUR: [&str; 7] = [
    "alacritty",
    "contour",
    "foot",
    "ghostty",
    "kitty",
    "wezterm",
    "-direct",
];

/// Terminals without colours.
const NO_COLOUR: [&str; 7] = ["dumb", "vt100", "vt102", "vt220", "vt320", "-mono", "-m"];

/// How many colours the terminal shows, by NO_COLOR, COLORTERM and TERM. `read` gives a variable.
pub(crate) fn stage(read: impl Fn(&str) -> Option<String>) -> Stage {
    let value = |name: &str| read(name).unwrap_or_default().to_ascii_lowercase();
    let (term, colours) = (value("TERM"), value("COLORTERM"));
    let without = NO_COLOUR.iter().any(|name| match name.strip_prefix('-') {
        Some(_) => term.ends_with(name),
        None => term == *name,
    });
    if !value("NO_COLOR").is_empty() || without {
        return Stage::None;
    }
    // GNU screen hands COLORTERM on but does not understand what it promises.
    let screen = term.starts_with("screen") && value("TMUX").is_empty() && !value("STY").is_empty();
    let promised = matches!(colours.as_str(), "truecolor" | "24bit");
    if !screen && (promised || ANY_COLOUR.iter().any(|name| term.contains(name))) {
        return Stage::Rgb;
    }
    if term.contains("256color") || promised {
        return Stage::TwoFiftySix;
    }
    Stage::Sixteen
}

/// Whether the locale's letters are UTF-8.
pub(super) fn utf8(read: impl Fn(&str) -> Option<String>) -> bool {
    let named = ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .find_map(|name| read(name).filter(|value| !value.is_empty()));
    named.is_some_and(|value| {
        let value = value.to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}
