//! The view of a diff, over the page or pane it was opened from: what was read, and how it is looked at.

pub(crate) mod find;
pub(crate) mod pick;
pub(crate) mod rows;

use std::sync::Arc;

use engine::hosts::Host;
use engine::store::HostId;

use crate::engine;
use crate::jobs::diff::{Asked, Compared, Fine, Look, Told, Which};
use crate::state::page::{Part, Place};
use crate::text::Clean;
use rows::{Row, Rows};

/// From this width on the sides stand beside each other unless the operator has it otherwise.
pub(crate) const BESIDE: u16 = 140;
/// Numbers of equal lines around each change that can be chosen; the last one is all of them.
const CONTEXTS: [usize; 8] = [0, 1, 3, 8, 20, 50, 200, usize::MAX];
/// The usual one.
const USUAL: usize = 2;

/// What is to be compared: who opens the view says this and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiffRequest {
    /// The host.
    pub(crate) host: HostId,
    /// Its name.
    pub(crate) name: Host,
    /// The location of the new side.
    pub(crate) location: String,
    /// Version of the old side; none for the one before the new side.
    pub(crate) from: Option<u32>,
    /// Version of the new side; none for the newest.
    pub(crate) to: Option<u32>,
}

/// The view.
#[derive(Debug)]
pub(crate) struct Diff {
    pub(crate) name: Clean,
    pub(crate) wanted: Asked,
    /// Number of the newest question.
    pub(crate) asked: u64,
    pub(crate) told: Part<Told>,
    /// Sides beside each other: as the operator has it, or by the width.
    pub(crate) beside: Option<bool>,
    /// Long lines go on in the next row instead of being cut.
    pub(crate) wrap: bool,
    /// Columns that are left out at the left, while lines are cut.
    pub(crate) left: usize,
    context: usize,
    /// What is looked for.
    pub(crate) search: String,
    pub(crate) place: Place,
    rows: Rows,
    /// How `rows` are laid out.
    laid: bool,
}

impl Diff {
    /// Not read yet.
    pub(crate) fn new(request: DiffRequest) -> Diff {
        let which = |number| Which {
            location: request.location.clone(),
            number,
        };
        Diff {
            name: Clean::new(request.name.as_str()),
            wanted: Asked {
                host: request.host,
                old: which(request.from),
                new: which(request.to),
                look: Look::default(),
                raw: false,
            },
            asked: 0,
            told: Part::Not,
            beside: None,
            wrap: true,
            left: 0,
            context: USUAL,
            search: String::new(),
            place: Place::default(),
            rows: Rows::default(),
            laid: false,
        }
    }

    /// What was compared.
    pub(crate) fn compared(&self) -> Option<&Arc<Compared>> {
        self.told.ready()?.compared.as_ref()
    }

    /// What was found later.
    pub(crate) fn fine(&self) -> Option<&Fine> {
        self.told.ready()?.fine.as_deref()
    }

    /// The rows, as they are laid out.
    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The row under the cursor.
    pub(crate) fn row(&self) -> Option<Row> {
        self.rows.get(self.place.at)
    }

    /// Whether the sides stand beside each other on a screen of this width.
    pub(crate) fn is_beside(&self, size: (u16, u16)) -> bool {
        let lone = self
            .told
            .ready()
            .is_some_and(|told| told.pair.old.is_none());
        !lone && self.beside.unwrap_or(size.0 >= BESIDE)
    }

    /// Equal lines around each change.
    pub(crate) fn context(&self) -> usize {
        CONTEXTS.get(self.context).copied().unwrap_or(3)
    }

    /// More or fewer of them. Whether that could be.
    pub(crate) fn widen(&mut self, by: isize) -> bool {
        let to = self
            .context
            .saturating_add_signed(by)
            .min(CONTEXTS.len() - 1);
        std::mem::replace(&mut self.context, to) != to
    }

    /// It was asked for; what stood there stays until the answer is here.
    pub(crate) fn ask(&mut self, number: u64) {
        self.asked = number;
        self.told.ask();
    }

    /// Takes an answer. The cursor goes to the first change of another comparison, and stays where it is
    /// in the same one.
    pub(crate) fn take(&mut self, told: Told, size: (u16, u16)) {
        let whole = |told: &Told| {
            let number = |half: &crate::jobs::diff::Half| half.body.version.sha256;
            let compared = told.compared.as_ref();
            (
                told.pair.old.as_ref().map(number),
                number(&told.pair.new),
                compared.map(|compared| compared.look),
            )
        };
        let same = self
            .told
            .ready()
            .is_some_and(|before| whole(before) == whole(&told));
        let at = self.row().and_then(|row| row.new);
        self.told = Part::Ready(told);
        self.lay(size);
        self.place.at = match at.filter(|_| same) {
            Some(piece) => self.rows.near(piece),
            None => {
                self.left = 0;
                let first = self.rows.hunks.first();
                first.map_or(0, |hunk| hunk.changed)
            }
        };
        if !same {
            self.place.top = 0;
        }
    }

    /// Lays the rows out anew; the cursor stays on its piece.
    pub(crate) fn relay(&mut self, size: (u16, u16)) {
        let row = self.row();
        self.lay(size);
        if let Some(piece) = row.and_then(|row| row.new.or(row.old)) {
            self.place.at = self.rows.near(piece);
        }
    }

    /// Lays them out anew if the width asks for it.
    pub(crate) fn fit(&mut self, size: (u16, u16)) {
        if self.is_beside(size) != self.laid {
            self.relay(size);
        }
    }

    fn lay(&mut self, size: (u16, u16)) {
        self.laid = self.is_beside(size);
        self.rows = match self.compared() {
            None => Rows::default(),
            Some(compared) => {
                let pieces = (compared.old.pieces.len(), compared.new.pieces.len());
                let beside = self.laid.then_some(&compared.beside);
                Rows::new(&compared.script, pieces, self.context(), beside)
            }
        };
    }

    /// Lines that stand above the rows.
    pub(crate) fn head(&self) -> usize {
        // Where it stands, the two sides, what there is to know.
        3 + self.notes().len()
    }

    /// What there is to know before the rows are read: two lines of it at most.
    pub(crate) fn notes(&self) -> Vec<Clean> {
        let Some(compared) = self.compared() else {
            return Vec::new();
        };
        let mut notes = Vec::new();
        let late = self
            .fine()
            .map_or(compared.script.approximate, |fine| fine.approximate);
        if late {
            notes.push(Clean::new(
                "approximate: true to the byte, but more is shown as changed than need be",
            ));
        }
        notes.extend_from_slice(&compared.notes);
        notes.truncate(2);
        notes
    }

    /// Rows there is room for.
    pub(crate) fn room(&self, size: (u16, u16)) -> usize {
        // Header, names of the panes, footer.
        usize::from(size.1.saturating_sub(3))
            .saturating_sub(self.head())
            .max(1)
    }
}
