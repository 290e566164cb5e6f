//! What a run found different from what was known before it, between any two runs.

use std::collections::BTreeMap;

use lamplighter::fetch::Outcome;
use lamplighter::store::{
    ChangeCounts, ChangeFacts, ChangeIndex, ChangeKind, ChangeLine, ChangeSpan, Observation,
    Reader, RunId, RunStart, SpanState, Store,
};
use lamplighter::validate::Mark;

use crate::support::changes::as_of_schema_3;

use super::fixture::{Work, at, body, digest, run_start, sha, validators};

const HOST: &str = "docs.alder.test";
const PATH: &str = "/llms.txt";
const WEEK: i64 = 7 * 86_400_000;

/// The same store in the next run.
async fn next_run(work: &mut Work) -> RunId {
    let label = format!("2027-W{:02}", work.run.id.0);
    let start = RunStart {
        label,
        at: at(work.run.id.0 * WEEK),
        window_ends: at((work.run.id.0 + 1) * WEEK),
        ..run_start()
    };
    work.clock.set(work.run.id.0 * WEEK);
    work.run = work.writer.begin_run(start).await.unwrap();
    let policy = "name = \"intentroute\"".to_owned();
    let begin = work
        .writer
        .begin_process(work.run.id, at(work.clock.get()), policy);
    work.process = begin.await.unwrap();
    work.run.id
}

fn run(to: RunId) -> ChangeSpan {
    ChangeSpan { since: None, to }
}

fn all(reader: &Reader, span: ChangeSpan) -> Vec<ChangeLine> {
    let everything = &mut |_: &ChangeFacts<'_>| true;
    reader
        .changes_after(span, None, usize::MAX, everything)
        .unwrap()
}

/// Kind, whether it was gone, versions before and now, sizes before and now.
type Told = (
    ChangeKind,
    bool,
    Option<u32>,
    Option<u32>,
    Option<u64>,
    Option<u64>,
);

fn told(line: &ChangeLine) -> Told {
    (
        line.kind,
        line.was_gone,
        line.before,
        line.now,
        line.bytes_before,
        line.bytes_now,
    )
}

fn counted(reader: &Reader, span: ChangeSpan) -> ChangeIndex {
    reader
        .change_index(span, &mut |_: &ChangeFacts<'_>| true)
        .unwrap()
}

async fn sees(work: &Work, observation: Observation) {
    let outcome = match &observation {
        Observation::Body { .. } | Observation::Digest { .. } => Outcome::Present,
        Observation::NotModified(_) => Outcome::NotModified,
        Observation::State(SpanState::Absent) => Outcome::Absent,
        _ => Outcome::ServerError,
    };
    work.ask(HOST, PATH, outcome, observation).await;
}

/// One run for each observation; what each run tells.
async fn weeks(observations: Vec<Observation>) -> Vec<Option<Told>> {
    let (_directory, mut work) = Work::fresh(&[HOST]).await;
    let mut found = Vec::new();
    for (number, observation) in observations.into_iter().enumerate() {
        if number > 0 {
            next_run(&mut work).await;
        }
        sees(&work, observation).await;
        let lines = all(&work.reader, run(work.run.id));
        let counts = counted(&work.reader, run(work.run.id)).counts;
        assert_eq!(
            counts,
            work.reader.change_counts(work.run.id).unwrap(),
            "run {number}"
        );
        assert_eq!(counts.all(), lines.len() as u64, "run {number}");
        assert!(lines.len() < 2);
        found.push(lines.first().map(told));
    }
    found
}

#[tokio::test]
async fn each_thing_that_happens_has_its_word_and_failures_have_none() {
    use ChangeKind::{Back, Changed, Gone, New, UnchangedByContent};
    use SpanState::{Absent, Blocked, Challenge, Denied, Error, Limited, SoftAbsent};
    let state = Observation::State;
    let soft = |text: &[u8]| digest(text, None, SoftAbsent);
    let not_modified = || Observation::NotModified(validators(None, None));
    let (one, three) = (Some(3), Some(5));
    let story = [
        (state(Absent), None),
        (soft(b"<html>"), None),
        (
            body(b"one", Some("a")),
            Some((New, false, None, Some(1), None, one)),
        ),
        (not_modified(), None),
        (
            body(b"one", None),
            Some((UnchangedByContent, false, Some(1), Some(1), one, one)),
        ),
        (state(Error), None),
        (state(Blocked), None),
        (state(Challenge), None),
        (state(Limited), None),
        (state(Denied), None),
        (
            body(b"one", None),
            Some((UnchangedByContent, false, Some(1), Some(1), one, one)),
        ),
        (
            body(b"two", None),
            Some((Changed, false, Some(1), Some(2), one, one)),
        ),
        (
            body(b"one", None),
            Some((Back, false, Some(2), Some(3), one, one)),
        ),
        (state(Absent), Some((Gone, false, Some(3), None, one, None))),
        (state(Absent), None),
        (state(Error), None),
        (soft(b"<html>"), None),
        (
            body(b"one", None),
            Some((Back, true, Some(3), Some(3), None, one)),
        ),
        (
            soft(b"<html>"),
            Some((Gone, false, Some(3), None, one, None)),
        ),
        (
            body(b"three", None),
            Some((Back, true, Some(3), Some(4), None, three)),
        ),
    ];
    let (observations, expected): (Vec<_>, Vec<_>) = story.into_iter().unzip();
    assert_eq!(weeks(observations).await, expected);
}

#[tokio::test]
async fn another_content_type_or_coding_alone_changes_nothing() {
    let mut other = body(b"one", None);
    if let Observation::Body {
        media_type,
        coding,
        marks,
        ..
    } = &mut other
    {
        *media_type = Some("text/html".to_owned());
        *coding = "gzip".to_owned();
        *marks = vec![Mark::ContentType];
    }
    let found = weeks(vec![body(b"one", None), other]).await;
    let kinds: Vec<_> = found.iter().map(|told| told.map(|told| told.0)).collect();
    let expected = [ChangeKind::New, ChangeKind::UnchangedByContent];
    assert_eq!(kinds, expected.map(Some));
}

#[tokio::test]
async fn a_digest_alone_tells_changes_too() {
    let present = |text: &[u8]| digest(text, None, SpanState::Present);
    let found = weeks(vec![
        present(b"1"),
        present(b"1"),
        present(b"22"),
        Observation::State(SpanState::Absent),
        present(b"22"),
    ])
    .await;
    use ChangeKind::{Back, Changed, Gone, New, UnchangedByContent};
    let (one, two) = (Some(1), Some(2));
    let expected = [
        (New, false, None, None, None, one),
        (UnchangedByContent, false, None, None, one, one),
        (Changed, false, None, None, one, two),
        (Gone, false, None, None, two, None),
        (Back, true, None, None, None, two),
    ];
    assert_eq!(found, expected.map(Some));
}

#[tokio::test]
async fn one_body_at_locations_of_different_kinds_is_never_a_file() {
    let (_directory, mut work) = Work::fresh(&[HOST]).await;
    let host = work.id(HOST).0;
    let shell = |text: &[u8]| {
        let mut shell = digest(text, None, SpanState::SoftAbsent);
        if let Observation::Digest { marks, .. } = &mut shell {
            marks.push(Mark::CatchAll);
        }
        shell
    };
    work.ask(HOST, PATH, Outcome::Present, body(b"# A guide", None))
        .await;
    let second = "/.well-known/agent-card.json";
    for text in [&b"shell one"[..], b"shell two"] {
        next_run(&mut work).await;
        work.ask(HOST, PATH, Outcome::Present, body(text, None))
            .await;
        let robots = "/robots.txt";
        work.ask(HOST, robots, Outcome::Present, body(text, None))
            .await;
        work.ask(HOST, second, Outcome::SoftAbsent, shell(text))
            .await;
        let versions = work.reader.versions(host, Some(PATH)).unwrap();
        assert_eq!(versions.len(), 1, "the shell is no version");
        assert_eq!(versions[0].sha256, sha(b"# A guide"));
        let span = work.reader.spans(host, PATH).unwrap().pop().unwrap();
        assert_eq!(span.state, SpanState::SoftAbsent);
        assert_eq!(span.digest, Some((sha(text), 9)));
    }
    let first = run(RunId(work.run.id.0 - 1));
    let kinds = |lines: Vec<ChangeLine>| -> Vec<_> {
        let told = |line: &ChangeLine| (line.location.clone(), line.kind);
        lines.iter().map(told).collect()
    };
    let found = kinds(all(&work.reader, first));
    let gone = (PATH.to_owned(), ChangeKind::Gone);
    let robots = |kind| ("/robots.txt".to_owned(), kind);
    assert_eq!(found, [gone, robots(ChangeKind::New)]);
    let found = kinds(all(&work.reader, run(work.run.id)));
    assert_eq!(found, [robots(ChangeKind::Changed)]);
    let totals = work.reader.totals(work.run.id).unwrap();
    assert_eq!(totals.versions_new, 1, "that of robots.txt");
    let report = work.store.check().unwrap();
    assert_eq!((report.bad_references.len(), report.blobs), (0, 3));
}

/// What a location is known to hold: nothing ever, nothing any more, or these bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Held {
    Never,
    Gone,
    Bytes(u8),
}

/// One location as the test tells its story: what was known at the end of each run, the versions, and
/// in which runs bytes came at all.
struct Story {
    known: Vec<Held>,
    versions: Vec<(u8, usize)>,
    sent: Vec<usize>,
}

impl Story {
    fn see(&mut self, run: usize, seen: Option<u8>) {
        let before = self.known[run];
        self.known[run] = match (before, seen) {
            (_, Some(bytes)) => Held::Bytes(bytes),
            (Held::Never, None) => Held::Never,
            (_, None) => Held::Gone,
        };
        if let Some(bytes) = seen {
            self.sent.push(run);
            if self
                .versions
                .last()
                .is_none_or(|(newest, _)| *newest != bytes)
            {
                self.versions.push((bytes, run));
            }
        }
    }

    /// What a comparison of two runs must say.
    fn between(&self, since: usize, to: usize) -> Option<(ChangeKind, bool)> {
        let older = |bytes: u8| {
            let before = self.versions.iter().filter(|(_, run)| *run <= since);
            before.into_iter().any(|(held, _)| *held == bytes)
        };
        match (self.known[since], self.known[to]) {
            (Held::Never, Held::Bytes(_)) => Some((ChangeKind::New, false)),
            (Held::Gone, Held::Bytes(_)) => Some((ChangeKind::Back, true)),
            (Held::Bytes(_), Held::Gone) => Some((ChangeKind::Gone, false)),
            (Held::Bytes(a), Held::Bytes(b)) if a == b => {
                let sent = self.sent.iter().any(|run| (since + 1..=to).contains(run));
                sent.then_some((ChangeKind::UnchangedByContent, false))
            }
            (Held::Bytes(_), Held::Bytes(b)) if older(b) => Some((ChangeKind::Back, false)),
            (Held::Bytes(_), Held::Bytes(_)) => Some((ChangeKind::Changed, false)),
            _ => None,
        }
    }
}

const RUNS: usize = 6;

/// Six runs over some hosts, several answers a run in any order; run 0 stands for "before".
async fn stories(seed: u64) -> (tempfile::TempDir, Work, BTreeMap<(String, String), Story>) {
    let names: Vec<String> = (0..40)
        .map(|n| format!("h{n:02}.{}.test", ["alder", "bramble", "cedar"][n % 3]))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (directory, mut work) = Work::fresh(&names).await;
    let mut dice = seed;
    let mut throw = |sides: u64| {
        // Knuth's MMIX generator.
        dice = dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) % sides
    };
    let mut stories = BTreeMap::new();
    for name in &names {
        for path in ["/robots.txt", PATH, "/agents.md"] {
            let story = Story {
                known: vec![Held::Never; RUNS + 1],
                versions: Vec::new(),
                sent: Vec::new(),
            };
            stories.insert(((*name).to_owned(), path.to_owned()), story);
        }
    }
    for run in 1..=RUNS {
        if run > 1 {
            next_run(&mut work).await;
        }
        for ((name, path), story) in &mut stories {
            story.known[run] = story.known[run - 1];
            for _ in 0..throw(3) {
                let seen = match throw(6) {
                    0 => None,
                    1 => {
                        let error = Observation::State(SpanState::Error);
                        work.ask(name, path, Outcome::ServerError, error).await;
                        continue;
                    }
                    _ => Some(throw(3) as u8),
                };
                let (outcome, observation) = match seen {
                    None => (Outcome::Absent, Observation::State(SpanState::Absent)),
                    Some(byte) => {
                        let bytes = vec![byte; 1 + usize::from(byte) * 100];
                        (Outcome::Present, body(&bytes, None))
                    }
                };
                work.ask(name, path, outcome, observation).await;
                story.see(run, seen);
            }
        }
    }
    (directory, work, stories)
}

#[tokio::test]
async fn any_two_runs_are_compared_by_what_was_known_at_their_ends() {
    let (directory, work, stories) = stories(0x1a3b).await;
    let mut seen = ChangeCounts::default();
    for since in 0..RUNS {
        for to in since + 1..=RUNS {
            let spans = match to - since {
                1 => vec![run(RunId(to as i64)), between(since, to)],
                _ => vec![between(since, to)],
            };
            for span in spans {
                let expected: BTreeMap<_, _> = stories
                    .iter()
                    .filter_map(|(place, story)| Some((place.clone(), story.between(since, to)?)))
                    .collect();
                let lines = all(&work.reader, span);
                let place = |line: &ChangeLine| (line.host.to_string(), line.location.clone());
                let found: BTreeMap<_, _> = lines
                    .iter()
                    .map(|line| (place(line), (line.kind, line.was_gone)))
                    .collect();
                assert_eq!(found, expected, "{span:?}");
                assert_eq!(found.len(), lines.len(), "each place once");
                assert!(lines.is_sorted_by_key(|line| line.key), "grouped by site");
                let counts = counted(&work.reader, span).counts;
                for kind in ChangeKind::ALL {
                    let listed = lines.iter().filter(|line| line.kind == kind).count();
                    assert_eq!(counts.of(kind), listed as u64, "{span:?} {kind:?}");
                    *seen.of_mut(kind) += listed as u64;
                }
                if span.since.is_none() {
                    assert_eq!(counts, work.reader.change_counts(span.to).unwrap());
                }
                for line in &lines {
                    bytes_are_those_told(&work, line);
                }
            }
        }
    }
    for kind in ChangeKind::ALL {
        assert!(seen.of(kind) > 50, "{kind:?}: {seen:?}");
    }
    drop(directory);
}

fn between(since: usize, to: usize) -> ChangeSpan {
    ChangeSpan {
        since: Some(RunId(since as i64)),
        to: RunId(to as i64),
    }
}

fn bytes_are_those_told(work: &Work, line: &ChangeLine) {
    let read = |number: Option<u32>| {
        number.map(|number| {
            work.reader
                .body(line.key.host, &line.location, Some(number))
                .unwrap()
        })
    };
    let (before, now) = (read(line.before), read(line.now));
    let size = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| bytes.len() as u64);
    assert_eq!(line.bytes_now, size(&now), "{line:?}");
    if line.bytes_before.is_some() {
        assert_eq!(line.bytes_before, size(&before), "{line:?}");
    }
    if let Some(older) = line.same_as {
        assert_eq!(read(Some(older)), now, "{line:?}");
    }
}

#[tokio::test]
async fn a_window_is_a_piece_of_the_list_whatever_is_kept() {
    let (_directory, work, _) = stories(0x77).await;
    let span = between(0, RUNS);
    let host = |facts: &ChangeFacts<'_>| facts.host.contains("cedar");
    let large = |facts: &ChangeFacts<'_>| facts.grown().abs() >= 100;
    let path = |facts: &ChangeFacts<'_>| facts.location == PATH;
    let nothing = |_: &ChangeFacts<'_>| false;
    let everything = |_: &ChangeFacts<'_>| true;
    let filters: [&dyn Fn(&ChangeFacts<'_>) -> bool; 5] =
        [&host, &large, &path, &nothing, &everything];
    for filter in filters {
        let keep = &mut |facts: &ChangeFacts<'_>| filter(facts);
        let whole = work
            .reader
            .changes_after(span, None, usize::MAX, keep)
            .unwrap();
        let index = work.reader.change_index(span, keep).unwrap();
        assert_eq!(index.counts.all(), whole.len() as u64);
        let keys = |lines: &[ChangeLine]| lines.iter().map(|line| line.key).collect::<Vec<_>>();
        for first in [0, 1, 7, 39, 80, 500] {
            let window = work.reader.change_window(span, &index, first, 10, keep);
            let expected: Vec<_> = whole.iter().skip(first).take(10).cloned().collect();
            assert_eq!(keys(&window.unwrap()), keys(&expected), "from {first}");
        }
        let mut paged = Vec::new();
        let mut after = None;
        loop {
            let page = work.reader.changes_after(span, after, 7, keep).unwrap();
            let Some(last) = page.last() else { break };
            after = Some(last.key);
            paged.extend(keys(&page));
        }
        assert_eq!(paged, keys(&whole));
    }
}

#[tokio::test]
async fn an_older_store_is_told_the_same_changes_less_what_left_no_trace() {
    let (directory, work, _) = stories(0xbeef).await;
    let spans: Vec<ChangeSpan> = (1..=RUNS).map(|to| run(RunId(to as i64))).collect();
    let listed = |reader: &Reader| -> Vec<_> {
        let lines = spans.iter().flat_map(|span| all(reader, *span));
        let lines = lines.filter(|line| line.kind != ChangeKind::UnchangedByContent);
        lines.map(|line| (line.key, told(&line), line.at)).collect()
    };
    let before = listed(&work.reader);
    assert!(before.len() > 200);
    drop(work);
    as_of_schema_3(&directory.path().join("lamplighter.db"));
    let store = Store::existing(directory.path()).unwrap();
    let reader = store.reader().unwrap();
    let after = listed(&reader);
    for (one, other) in before.iter().zip(&after) {
        assert_eq!(one, other);
    }
    assert_eq!(after.len(), before.len());
    for span in spans {
        assert!(reader.is_sparse(span.to).unwrap());
        assert_eq!(
            counted(&reader, span).counts,
            reader.change_counts(span.to).unwrap()
        );
    }
}

#[tokio::test]
async fn a_list_left_open_does_not_let_the_log_grow() {
    // Known fault 16.
    let (_directory, work) = Work::fresh(&[HOST]).await;
    let (store, run_id) = (work.store.clone(), work.run.id);
    let over = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let ended = std::sync::Arc::clone(&over);
    let looking = std::thread::spawn(move || {
        let reader = store.reader().unwrap();
        let mut looks = 0;
        while !ended.load(std::sync::atomic::Ordering::SeqCst) {
            let index = counted(&reader, run(run_id));
            let keep = &mut |_: &ChangeFacts<'_>| true;
            reader
                .change_window(run(run_id), &index, 0, 50, keep)
                .unwrap();
            looks += 1;
        }
        looks
    });
    // One more stands open and asks nothing.
    let idle = work.store.reader().unwrap();
    all(&idle, run(run_id));
    let mut worst = 0;
    for n in 0_u32..400 {
        let noise: Vec<u8> = (0..4_000_u32)
            .flat_map(|m| sha(&(n * 10_000 + m).to_le_bytes()))
            .collect();
        sees(&work, body(&noise, None)).await;
        worst = worst.max(work.store.wal_bytes());
    }
    over.store(true, std::sync::atomic::Ordering::SeqCst);
    let looks = looking.join().unwrap();
    assert!(looks > 50, "{looks} looks");
    assert!(worst > 0 && worst < 64 << 20, "{worst} bytes of log");
    assert_eq!(all(&idle, run(run_id)).len(), 1, "the idle one sees it all");
}
