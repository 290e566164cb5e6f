//! What a page says, as lines of a label and a text.

use crate::text::{Clean, fit};
use crate::theme::Role;

/// Columns of the label and the blanks round it.
pub(crate) const LABEL: usize = 14;

/// Bytes of one text that are shown; what the network sent may be of any size.
const MOST: usize = 2_000;

/// A text cleaned; of a longer one its beginning and how much more there is. A giant one costs no more
/// than what is shown of it.
pub(crate) fn short(raw: &[u8], most: usize) -> Clean {
    match raw.get(..most) {
        Some(shown) if raw.len() > most => {
            let more = fit::counted((raw.len() - most) as u64, "more byte");
            let more = format!(" <{more}>");
            Clean::new([shown, more.as_bytes()].concat())
        }
        _ => Clean::new(raw),
    }
}

/// One thing said.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    /// What about; empty where a text goes on.
    pub(crate) label: &'static str,
    pub(crate) text: Clean,
    pub(crate) role: Role,
}

impl Fact {
    /// Something plain.
    pub(crate) fn new(label: &'static str, text: impl AsRef<[u8]>) -> Fact {
        Fact {
            label,
            text: short(text.as_ref(), MOST),
            role: Role::Plain,
        }
    }

    /// The same with a meaning.
    pub(crate) fn role(self, role: Role) -> Fact {
        Fact { role, ..self }
    }
}

/// Facts in lines of this width.
pub(crate) fn wrapped(facts: Vec<Fact>, width: usize) -> Vec<Fact> {
    let room = width.saturating_sub(LABEL + 1).max(1);
    let mut lines = Vec::new();
    for fact in facts {
        for (at, text) in fact.text.wrap(room).into_iter().enumerate() {
            lines.push(Fact {
                label: if at == 0 { fact.label } else { "" },
                text,
                role: fact.role,
            });
        }
    }
    lines
}

/// The same, in no more lines than this; the last one ends in `says` if that is not all.
pub(crate) fn wrapped_to(facts: Vec<Fact>, width: usize, most: usize, says: &Clean) -> Vec<Fact> {
    let mut lines = wrapped(facts, width);
    let more = lines.len() > most;
    lines.truncate(most);
    if more && let Some(last) = lines.last_mut() {
        let room = width.saturating_sub(LABEL + 1 + says.width());
        let text = last.text.fit(room, " ");
        last.text = Clean::new(format!("{text}{says}"));
    }
    lines
}
