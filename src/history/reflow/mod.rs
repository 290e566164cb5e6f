//! A document laid out anew, one member a row: its own bytes in their own order, only cut elsewhere.

mod json;
mod xml;

use super::Pieces;

/// What a document is laid out as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// JSON.
    Json,
    /// XML.
    Xml,
}

/// Why a document cannot be laid out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotLaidOut {
    /// It does not begin as JSON or XML does.
    #[error("it is neither JSON nor XML")]
    Neither,
    /// Something is not as it should be at this byte, counted from 0.
    #[error("it is no whole {} document: {what} at byte {at}", match form { Form::Json => "JSON", Form::Xml => "XML" })]
    Broken {
        /// What it looked like.
        form: Form,
        /// What is wrong.
        what: &'static str,
        /// Where.
        at: usize,
    },
}

/// Rows of a document, each with the number of elements or containers around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Every row with the blanks behind it.
    pub pieces: Pieces,
    /// How deep each row stands.
    pub depths: Vec<u32>,
}

impl Layout {
    /// Lays out what looks like JSON or XML. Compare its rows with [`super::Side::trimmed`]: blanks
    /// between members do not count.
    pub fn new(body: &[u8]) -> Result<(Form, Layout), NotLaidOut> {
        let form = form(body).ok_or(NotLaidOut::Neither)?;
        let layout = match form {
            Form::Json => json::lay_out(body),
            Form::Xml => xml::lay_out(body),
        };
        let broken = |(what, at)| NotLaidOut::Broken { form, what, at };
        Ok((form, layout.map_err(broken)?))
    }

    /// The row that is being made ends here; the next one stands at `depth`.
    fn row(&mut self, end: usize, depth: u32) {
        let before = self.pieces.len();
        self.pieces.end(end);
        if self.pieces.len() > before {
            self.depths.push(depth);
        }
    }
}

/// What is wrong, and where.
type Fault = (&'static str, usize);

/// What a document begins as.
fn form(body: &[u8]) -> Option<Form> {
    let text = body
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(body)
        .trim_ascii_start();
    match text {
        [b'{' | b'[', ..] => Some(Form::Json),
        [b'<', rest @ ..] => {
            let start = rest[..rest.len().min(9)].to_ascii_lowercase();
            let is_html = start.starts_with(b"!doctype ") && {
                let kind = rest[9..].trim_ascii_start();
                kind.len() >= 4 && kind[..4].eq_ignore_ascii_case(b"html")
            };
            (!is_html && !start.starts_with(b"html")).then_some(Form::Xml)
        }
        _ => None,
    }
}

/// The first byte from `at` that is no blank.
fn past_blanks(body: &[u8], at: usize) -> usize {
    let rest = &body[at..];
    at + rest.len() - rest.trim_ascii_start().len()
}
