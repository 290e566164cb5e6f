//! What the view of a diff is made from: two versions read and compared, first by lines, then more
//! finely. Each step is told as soon as it is there.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use engine::history::{
    Beside, Change, Encoding, Facts, Form, Known, Layout, Marks, Pieces, Script, Side, Stop, align,
    citation, compare, words,
};
use engine::store::{HostId, Reader, Store, StoreError, Version};
use icu_normalizer::ComposingNormalizerBorrowed;

use super::page::{self, Read};
use crate::engine;
use crate::patch::Body;
use crate::text::Clean;

/// How long the first answer may take to be made.
const FIRST: Duration = Duration::from_millis(200);
/// Larger bodies are told by size and digest alone.
pub(crate) const LARGEST: usize = 8_000_000;
/// Lines of one change that are looked through for others that look alike.
const MOST_ALIKE: usize = 2_000;

/// Which version of which location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Which {
    pub(crate) location: String,
    /// None for the newest; of an old side at the same location, for the one before the new side.
    pub(crate) number: Option<u32>,
}

/// How the bodies are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Look {
    /// By lines.
    #[default]
    Text,
    /// JSON and XML by members.
    Laid,
    /// In rows of 16 bytes.
    Bytes,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) host: HostId,
    pub(crate) old: Which,
    pub(crate) new: Which,
    pub(crate) look: Look,
    /// Bytes as they are, whatever their encoding.
    pub(crate) raw: bool,
}

/// One version, and what there is to say of it as a whole.
#[derive(Debug)]
pub(crate) struct Half {
    pub(crate) body: Body,
    pub(crate) known: Known,
    pub(crate) facts: Facts,
    /// None where the policy promises no form of it.
    pub(crate) cite: Option<String>,
}

/// Two versions; nothing stands before the first one of a location.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) old: Option<Half>,
    pub(crate) new: Half,
    /// Every version of the host, to choose from: by location, the newest first.
    pub(crate) versions: Vec<Version>,
}

impl Pair {
    /// The same bytes.
    pub(crate) fn is_equal(&self) -> bool {
        let old = self.old.as_ref();
        old.is_some_and(|old| old.body.bytes == self.new.body.bytes)
    }
}

/// One body in pieces, as it is compared and shown.
#[derive(Debug)]
pub(crate) struct Text {
    /// None if the raw bytes are shown.
    decoded: Option<Vec<u8>>,
    pub(crate) pieces: Pieces,
    /// How deep each piece stands, where a document is laid out.
    pub(crate) depths: Vec<u32>,
    /// The lines, where the pieces are parts of them.
    pub(crate) lines: Option<Pieces>,
}

/// Two bodies compared.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) pair: Arc<Pair>,
    pub(crate) old: Text,
    pub(crate) new: Text,
    pub(crate) script: Script,
    /// Which pieces of a change stand beside each other, where that was looked for.
    pub(crate) beside: HashMap<usize, Vec<Beside>>,
    /// How they are looked at: not always as asked.
    pub(crate) look: Look,
    /// What a document was laid out as.
    pub(crate) form: Option<Form>,
    /// What stands above the rows.
    pub(crate) notes: Vec<Clean>,
}

/// Which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Old,
    New,
}

impl Compared {
    /// The bytes of one side that are shown.
    pub(crate) fn bytes(&self, side: Where) -> &[u8] {
        let (text, half) = match side {
            Where::Old => (&self.old, self.pair.old.as_ref()),
            Where::New => (&self.new, Some(&self.pair.new)),
        };
        match &text.decoded {
            Some(decoded) => decoded,
            None => half.map_or(&[], |half| &half.body.bytes),
        }
    }

    /// The pieces of one side.
    pub(crate) fn text(&self, side: Where) -> &Text {
        match side {
            Where::Old => &self.old,
            Where::New => &self.new,
        }
    }

    fn side(&self, side: Where) -> Side<'_> {
        Side {
            body: self.bytes(side),
            pieces: &self.text(side).pieces,
            trimmed: self.look == Look::Laid,
        }
    }
}

/// What is found later.
#[derive(Debug, Default)]
pub(crate) struct Fine {
    /// Of each change, in its bytes on both sides; none where words say nothing.
    pub(crate) marks: Vec<Option<Marks>>,
    /// Pieces that would look like another on the other side of their change, and the first byte in which
    /// they differ.
    pub(crate) old_alike: HashMap<usize, usize>,
    pub(crate) new_alike: HashMap<usize, usize>,
    /// Not everything was looked at in time.
    pub(crate) approximate: bool,
}

/// An answer; each one takes the place of the one before.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) pair: Arc<Pair>,
    /// None while it is made, and for good if a body is too large.
    pub(crate) compared: Option<Arc<Compared>>,
    /// None while it is made.
    pub(crate) fine: Option<Arc<Fine>>,
}

impl Told {
    /// One of the bodies is too large to be compared on the screen.
    pub(crate) fn too_large(&self) -> bool {
        let size = |half: &Half| half.body.bytes.len();
        size(&self.pair.new).max(self.pair.old.as_ref().map_or(0, size)) > LARGEST
    }
}

/// Reads, compares, and tells each step. Nothing is told once `stop` has ended the work.
pub(super) fn answer(
    store: &Store,
    reader: &Reader,
    asked: &Asked,
    stop: &Stop,
    tell: &mut dyn FnMut(Read<Told>),
) {
    let pair = match read(store, reader, asked) {
        Ok(pair) => Arc::new(pair),
        Err(problem) => return tell(Err(problem)),
    };
    steps(pair, asked, stop, &mut |told| tell(Ok(told)));
}

/// Compares two versions and tells each step.
pub(crate) fn steps(pair: Arc<Pair>, asked: &Asked, stop: &Stop, tell: &mut dyn FnMut(Told)) {
    let mut told = Told {
        pair: Arc::clone(&pair),
        compared: None,
        fine: None,
    };
    if told.too_large() {
        return tell(told);
    }
    let Some(first) = compared(&pair, asked, &stop.within(FIRST)) else {
        return;
    };
    let coarse = first.script.approximate;
    told.compared = Some(Arc::new(first));
    tell(told.clone());
    let finer = stop.within(Stop::LONGEST);
    if coarse {
        let Some(again) = compared(&pair, asked, &finer) else {
            return;
        };
        told.compared = Some(Arc::new(again));
        tell(told.clone());
    }
    let Some(compared) = &told.compared else {
        return;
    };
    let Some(fine) = fine(compared, &finer) else {
        return;
    };
    told.fine = Some(Arc::new(fine));
    tell(told);
}

fn read(store: &Store, reader: &Reader, asked: &Asked) -> Read<Pair> {
    let problem = |error: StoreError| Clean::new(error.to_string());
    let mut versions = reader.versions(asked.host, None).map_err(problem)?;
    versions.sort_by(|a, b| a.location.cmp(&b.location).then(b.number.cmp(&a.number)));
    let (old, new) = chosen(&versions, asked)?;
    let policy = page::in_force(store, reader, None)
        .ok()
        .map(|(policy, _)| policy);
    let half = |version: &Version| {
        let bytes = reader.body(asked.host, &version.location, Some(version.number));
        let bytes = bytes.map_err(problem)?;
        let (host, seen) = (version.host.as_str(), version.first_seen);
        let cite = policy
            .as_ref()
            .and_then(|policy| citation(policy, host, seen, &version.sha256));
        Ok(Half {
            known: Known::of(&bytes, version.media_type.as_deref()),
            facts: Facts::of(&bytes),
            cite,
            body: Body {
                version: version.clone(),
                bytes,
            },
        })
    };
    Ok(Pair {
        old: old.map(half).transpose()?,
        new: half(new)?,
        versions,
    })
}

/// The versions that are meant. `all` is sorted, the newest of a location first.
fn chosen<'a>(all: &'a [Version], asked: &Asked) -> Read<(Option<&'a Version>, &'a Version)> {
    let of = |which: &Which| {
        let mut here = all.iter().filter(|one| one.location == which.location);
        let found = match which.number {
            None => here.next(),
            Some(number) => here.find(|one| one.number == number),
        };
        found.ok_or_else(|| {
            let number = which
                .number
                .map_or(String::new(), |number| format!(" {number}"));
            Clean::new(format!(
                "there is no version{number} of {} any more",
                which.location
            ))
        })
    };
    let new = of(&asked.new)?;
    if asked.old.number.is_some() || asked.old.location != asked.new.location {
        return Ok((Some(of(&asked.old)?), new));
    }
    let mut here = all.iter().filter(|one| one.location == new.location);
    Ok((here.find(|one| one.number < new.number), new))
}

/// None if nobody waits for it any more.
fn compared(pair: &Arc<Pair>, asked: &Asked, stop: &Stop) -> Option<Compared> {
    let mut notes = encodings(pair, asked.raw);
    let binary = |half: &Half| {
        let raw = asked.raw && engine::history::is_binary(&half.body.bytes);
        raw || half.known.encoding == Encoding::Binary
    };
    let look = if binary(&pair.new) || pair.old.as_ref().is_some_and(binary) {
        Look::Bytes
    } else {
        asked.look
    };
    let text = |half: Option<&Half>| {
        let raw = half.map_or(&[][..], |half| &half.body.bytes);
        let decoded = half
            .filter(|_| !asked.raw && look != Look::Bytes)
            .map(|half| half.known.decode(raw));
        match decoded {
            Some(Cow::Owned(decoded)) => Some(decoded),
            _ => None,
        }
    };
    let (old, new) = (text(pair.old.as_ref()), text(Some(&pair.new)));
    let mut made = Compared {
        pair: Arc::clone(pair),
        old: Text::undivided(old),
        new: Text::undivided(new),
        script: Script::default(),
        beside: HashMap::new(),
        look,
        form: None,
        notes: Vec::new(),
    };
    if look == Look::Laid {
        lay_out(&mut made, &mut notes);
    }
    for side in [Where::Old, Where::New] {
        stop.check().ok()?;
        let bytes = made.bytes(side);
        let pieces = match made.look {
            Look::Laid => continue,
            Look::Bytes => (Pieces::rows(bytes, 16), None),
            Look::Text => {
                let lines = Pieces::lines(bytes);
                match lines.has_long() {
                    true => (Pieces::broken(bytes), Some(lines)),
                    false => (lines, None),
                }
            }
        };
        let text = match side {
            Where::Old => &mut made.old,
            Where::New => &mut made.new,
        };
        (text.pieces, text.lines) = pieces;
    }
    if made.old.lines.is_some() || made.new.lines.is_some() {
        notes.push(Clean::new("lines over 2,000 bytes are shown in parts"));
    }
    made.script = compare(made.side(Where::Old), made.side(Where::New), stop).ok()?;
    made.notes = notes;
    made.beside = aligned(&made, stop)?;
    Some(made)
}

impl Text {
    fn undivided(decoded: Option<Vec<u8>>) -> Text {
        Text {
            decoded,
            pieces: Pieces::default(),
            depths: Vec::new(),
            lines: None,
        }
    }
}

/// What stands beside what, as far as there is time for it. None if nobody waits for it any more.
fn aligned(made: &Compared, stop: &Stop) -> Option<HashMap<usize, Vec<Beside>>> {
    let mut all = HashMap::new();
    let (old, new) = (made.side(Where::Old), made.side(Where::New));
    for (at, change) in made.script.changes.iter().enumerate() {
        stop.check().ok()?;
        if stop.is_late() {
            break;
        }
        let both = !change.old.is_empty() && !change.new.is_empty();
        if let Some(pairs) = both.then(|| align(change, &old, &new)).flatten() {
            all.insert(at, pairs);
        }
    }
    Some(all)
}

/// Lays both sides out, or says why not and goes back to lines.
fn lay_out(made: &mut Compared, notes: &mut Vec<Clean>) {
    let both = match (&made.pair.old, Layout::new(made.bytes(Where::New))) {
        (None, Ok(new)) => Ok((None, new)),
        (Some(_), Ok(new)) => Layout::new(made.bytes(Where::Old)).map(|old| (Some(old), new)),
        (_, Err(problem)) => Err(problem),
    };
    match both {
        Ok((old, (form, new))) if old.as_ref().is_none_or(|(old, _)| *old == form) => {
            let name = match form {
                Form::Json => "JSON",
                Form::Xml => "XML",
            };
            notes.push(Clean::new(format!(
                "reflowed {name}: a member a row, as written; blanks between members are not compared"
            )));
            made.form = Some(form);
            (made.new.pieces, made.new.depths) = (new.pieces, new.depths);
            if let Some((_, old)) = old {
                (made.old.pieces, made.old.depths) = (old.pieces, old.depths);
            }
        }
        other => {
            let why = other.map_or_else(
                |problem| problem.to_string(),
                |_| "one is JSON, the other XML".to_owned(),
            );
            notes.push(Clean::new(format!("not reflowed: {why}")));
            made.look = Look::Text;
        }
    }
}

/// What there is to know of the encodings before two texts are compared.
fn encodings(pair: &Pair, raw: bool) -> Vec<Clean> {
    let mut notes = Vec::new();
    let plain = |half: &Half| matches!(half.known.encoding, Encoding::Utf8 | Encoding::Binary);
    let old = pair.old.as_ref();
    if plain(&pair.new) && old.is_none_or(plain) {
        return notes;
    }
    let name = |half: &Half| half.known.to_string();
    let names = match old {
        Some(old) if old.known != pair.new.known => {
            format!("{}, then {}", name(old), name(&pair.new))
        }
        _ => name(&pair.new),
    };
    let how = if raw { "raw bytes" } else { "shown decoded" };
    notes.push(Clean::new(format!("{names}: {how}")));
    notes
}

/// Words and lines that look alike. None if nobody waits for it any more.
fn fine(compared: &Compared, stop: &Stop) -> Option<Fine> {
    let (old, new) = (compared.bytes(Where::Old), compared.bytes(Where::New));
    let mut fine = Fine {
        approximate: compared.script.approximate,
        ..Fine::default()
    };
    for (at, change) in compared.script.changes.iter().enumerate() {
        stop.check().ok()?;
        if change.old.is_empty() || change.new.is_empty() || compared.look == Look::Bytes {
            fine.marks.push(None);
            continue;
        }
        if stop.is_late() {
            fine.approximate = true;
            break;
        }
        let old = &old[compared.old.pieces.span(change.old.clone())];
        let new = &new[compared.new.pieces.span(change.new.clone())];
        let marks = match compared.beside.get(&at) {
            Some(pairs) => Some(marked(compared, change, pairs, stop)?),
            None => words(old, new, stop).ok()?,
        };
        let whole = marks.filter(|marks| !marks.approximate);
        fine.approximate |= whole.is_none() && stop.is_late();
        fine.marks.push(whole);
        alike(compared, change, &mut fine);
    }
    Some(fine)
}

/// What differs in pieces that stand beside each other, in bytes of their change. None if nobody waits for
/// it any more.
fn marked(compared: &Compared, change: &Change, pairs: &[Beside], stop: &Stop) -> Option<Marks> {
    let mut all = Marks::default();
    let (old, new) = (&compared.old.pieces, &compared.new.pieces);
    let old_base = old.span(change.old.clone()).start;
    let new_base = new.span(change.new.clone()).start;
    for pair in pairs {
        let (Some(a), Some(b)) = *pair else {
            continue;
        };
        let (a, b) = (old.range(a), new.range(b));
        let texts = (
            &compared.bytes(Where::Old)[a.clone()],
            &compared.bytes(Where::New)[b.clone()],
        );
        let Some(marks) = words(texts.0, texts.1, stop).ok()? else {
            continue;
        };
        all.approximate |= marks.approximate;
        let moved = |range: &Range<usize>, by: usize| range.start + by..range.end + by;
        all.old
            .extend(marks.old.iter().map(|mark| moved(mark, a.start - old_base)));
        all.new
            .extend(marks.new.iter().map(|mark| moved(mark, b.start - new_base)));
    }
    Some(all)
}

/// What people see of a text: characters that are drawn alike are the same.
fn look(bytes: &[u8]) -> String {
    let shown = Clean::new(bytes);
    let drawn = ComposingNormalizerBorrowed::new_nfkc().normalize(shown.as_str());
    drawn.into_owned()
}

/// Pieces of a change that differ and would look the same.
fn alike(compared: &Compared, change: &Change, fine: &mut Fine) {
    if change.old.len() + change.new.len() > MOST_ALIKE {
        return;
    }
    let bytes = |side: Where, piece: usize| {
        let bytes = compared.bytes(side);
        let bytes = &bytes[compared.text(side).pieces.range(piece)];
        bytes.strip_suffix(b"\n").unwrap_or(bytes)
    };
    let mut known: HashMap<String, usize> = HashMap::new();
    for piece in change.old.clone() {
        known.entry(look(bytes(Where::Old, piece))).or_insert(piece);
    }
    for piece in change.new.clone() {
        let new = bytes(Where::New, piece);
        let Some(other) = known.get(&look(new)) else {
            continue;
        };
        let old = bytes(Where::Old, *other);
        let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        if same < old.len().max(new.len()) {
            fine.new_alike.insert(piece, same);
            fine.old_alike.insert(*other, same);
        }
    }
}
