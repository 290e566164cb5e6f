//! The only raw sequences of the console: OSC 52 (copy) and OSC 8 (links). The window title is not used.
//!
//! Everything here is a pure function to bytes. Whatever goes in, nothing comes out but the framing
//! of these two and printable ASCII.

use std::fmt::Write as _;
use std::num::NonZeroU16;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ratatui::buffer::{Buffer, CellDiffOption, CellWidth};
use ratatui::layout::Rect;
use url::Url;

use crate::text::Clean;

/// Largest text copied: its base64 and the framing make 100,000 bytes, where many terminals stop.
const MOST_COPIED: usize = 74_994;
/// Longest address linked; some terminals ignore longer ones.
const MOST_LINKED: usize = 2_048;
/// Bytes that GNU screen passes on in one piece.
const SCREEN_PIECE: usize = 76;
/// Ends a link.
const CLOSE: &str = "\x1b]8;;\x1b\\";

/// What the terminal understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Osc {
    within: Within,
    links: bool,
}

/// What stands between us and the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Nothing,
    Tmux,
    Screen,
}

/// Why nothing was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CopyError {
    /// More than a terminal takes.
    #[error(
        "{size} bytes are more than the {MOST_COPIED} that terminals take: copy a smaller part, or write it to a file with lamplighter show"
    )]
    TooLarge {
        /// Bytes asked for.
        size: usize,
    },
}

impl Osc {
    /// By TERM, TMUX and STY. `read` gives a variable.
    pub(crate) fn of(read: impl Fn(&str) -> Option<String>) -> Osc {
        let set = |name: &str| read(name).is_some_and(|value| !value.is_empty());
        let within = if set("TMUX") {
            Within::Tmux
        } else if set("STY") {
            Within::Screen
        } else {
            Within::Nothing
        };
        let term = read("TERM").unwrap_or_default();
        // GNU screen and the Linux console show an address they do not understand as text.
        let deaf = matches!(term.as_str(), "" | "dumb" | "linux") || within == Within::Screen;
        Osc {
            within,
            links: !deaf,
        }
    }

    /// The bytes that copy these lines; no line break behind the last, so that pasting runs nothing.
    pub(crate) fn copy<'a>(
        self,
        lines: impl IntoIterator<Item = &'a Clean>,
    ) -> Result<Vec<u8>, CopyError> {
        let mut text = String::new();
        for (at, line) in lines.into_iter().enumerate() {
            if at > 0 {
                text.push('\n');
            }
            text.push_str(line.as_str());
        }
        if text.len() > MOST_COPIED {
            return Err(CopyError::TooLarge { size: text.len() });
        }
        Ok(self.wrapped(&STANDARD.encode(text)).into_bytes())
    }

    fn wrapped(self, payload: &str) -> String {
        match self.within {
            Within::Nothing => format!("\x1b]52;c;{payload}\x07"),
            Within::Tmux => format!("\x1bPtmux;\x1b\x1b]52;c;{payload}\x07\x1b\\"),
            Within::Screen => {
                let mut out = String::from("\x1bP\x1b]52;c;");
                for (at, char) in payload.chars().enumerate() {
                    if at > 0 && at % SCREEN_PIECE == 0 {
                        out.push_str("\x1b\\\x1bP");
                    }
                    out.push(char);
                }
                out + "\x07\x1b\\"
            }
        }
    }

    /// A link to an address; none where the terminal or the address does not allow one: only http
    /// and https, no user name, not too long.
    pub(crate) fn link(self, url: &Url) -> Option<Link> {
        let ours = matches!(url.scheme(), "http" | "https");
        let anonymous = url.username().is_empty() && url.password().is_none();
        if !self.links || !ours || !anonymous {
            return None;
        }
        let mut address = String::new();
        for byte in url.as_str().split('#').next()?.bytes() {
            if byte.is_ascii_graphic() {
                address.push(char::from(byte));
            } else {
                // Writing to a String cannot fail.
                let _ = write!(address, "%{byte:02X}");
            }
        }
        (address.len() <= MOST_LINKED).then(|| Link::to(&address))
    }
}

/// A link, ready to be laid over drawn text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    open: String,
}

impl Link {
    fn to(address: &str) -> Link {
        // Cells with the same id are one link to the terminal, wherever they stand.
        let id = address
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Link {
            open: format!("\x1b]8;id={id:016x};{address}\x1b\\"),
        }
    }

    /// Makes the cells of an area, drawn before, a link.
    ///
    /// Each cell opens and closes it by itself and says its own width. A whole link in one cell would
    /// cost less, but what is drawn over a part of it later would stay hidden behind the rest.
    /// Whoever draws over a link clears the cells first (ratatui's `Clear`): only that makes them
    /// measured again.
    pub(crate) fn lay(&self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        for y in area.top()..area.bottom() {
            let mut x = area.left();
            while x < area.right() {
                let cell = &mut buffer[(x, y)];
                let width = cell.cell_width().max(1);
                let drawn = cell.diff_option == CellDiffOption::None;
                let harmless = !cell.symbol().contains(char::is_control);
                if drawn && harmless {
                    let symbol = format!("{}{}{CLOSE}", self.open, cell.symbol());
                    cell.set_symbol(&symbol);
                    if let Some(width) = NonZeroU16::new(width) {
                        cell.set_diff_option(CellDiffOption::ForcedWidth(width));
                    }
                }
                x = x.saturating_add(width);
            }
        }
    }
}

#[cfg(test)]
mod tests;
