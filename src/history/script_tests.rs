use std::time::{Duration, Instant};

use super::*;

fn lines_of(texts: impl Iterator<Item = String>) -> Vec<u8> {
    texts.collect::<String>().into_bytes()
}

fn script(old: &[u8], new: &[u8], stop: &Stop) -> Result<Script, Cancelled> {
    let (old_lines, new_lines) = (Pieces::lines(old), Pieces::lines(new));
    let got = compare(Side::new(old, &old_lines), Side::new(new, &new_lines), stop)?;
    assert_eq!(rebuilt(&got, (old, &old_lines), (new, &new_lines)), new);
    Ok(got)
}

/// The new body, from the old one and the changes.
fn rebuilt(script: &Script, old: (&[u8], &Pieces), new: (&[u8], &Pieces)) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    for change in &script.changes {
        out.extend_from_slice(&old.0[old.1.span(at..change.old.start)]);
        out.extend_from_slice(&new.0[new.1.span(change.new.clone())]);
        at = change.old.end;
    }
    out.extend_from_slice(&old.0[old.1.span(at..old.1.len())]);
    out
}

/// Numbers from a seed.
fn dice(mut seed: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    }
}

fn of_few_values(seed: u64, lines: usize, values: u64) -> Vec<u8> {
    let mut dice = dice(seed);
    lines_of((0..lines).map(|_| format!("{}\n", dice(values))))
}

#[test]
fn changes_are_as_small_as_they_can_be() {
    let old = b"a\nb\nc\nd\ne\n";
    let new = b"a\nB\nc\ne\nf\n";
    let got = script(old, new, &Stop::never()).unwrap();
    let ranges: Vec<_> = got
        .changes
        .iter()
        .map(|change| (&change.old, &change.new))
        .collect();
    assert_eq!(
        ranges,
        [(&(1..2), &(1..2)), (&(3..4), &(3..3)), (&(5..5), &(4..5))]
    );
    assert!(!got.approximate);
}

#[test]
fn a_block_stands_where_a_person_would_put_it() {
    let old = b"[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": 1\n  }\n]\n";
    let new = b"[\n  {\n    \"a\": 1\n  },\n  {\n    \"x\": 1\n  },\n  {\n    \"b\": 1\n  }\n]\n";
    let got = script(old, new, &Stop::never()).unwrap();
    assert_eq!(
        got.changes,
        [Change {
            old: 4..4,
            new: 4..7
        }]
    );
}

#[test]
fn a_late_search_is_approximate_and_still_true() {
    let (old, new) = (of_few_values(1, 60_000, 50), of_few_values(2, 60_000, 50));
    let begun = Instant::now();
    let got = script(&old, &new, &Stop::after(Duration::from_millis(20))).unwrap();
    assert!(got.approximate);
    assert!(
        begun.elapsed() < Duration::from_secs(3),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn work_that_nobody_waits_for_ends_at_once() {
    let (old, new) = (of_few_values(1, 200_000, 50), of_few_values(2, 200_000, 50));
    let stop = Stop::never();
    let ending = stop.clone();
    let ended = std::thread::spawn(move || {
        // Long enough for the search to be under way; whether it is makes no difference to the outcome.
        std::thread::sleep(Duration::from_millis(100));
        ending.end();
        Instant::now()
    });
    assert_eq!(script(&old, &new, &stop), Err(Cancelled));
    let late = ended.join().unwrap().elapsed();
    assert!(late < Duration::from_millis(500), "{late:?}");
    assert_eq!(script(b"a", b"b", &stop), Err(Cancelled), "and stays ended");
}

#[test]
fn hostile_pairs_end_in_time_and_on_a_small_stack() {
    let many = |line: &str, times: usize| line.repeat(times).into_bytes();
    let pairs: Vec<(Vec<u8>, Vec<u8>)> = vec![
        (many("\n", 3_000_000), many("\n", 2_999_999)),
        (many("a\n", 400_000), many("b\na\n", 200_000)),
        (many("a\nb\n", 300_000), many("b\na\n", 300_001)),
        (of_few_values(3, 300_000, 2), of_few_values(4, 300_000, 2)),
        (
            of_few_values(5, 300_000, 100_000),
            of_few_values(6, 300_000, 100_000),
        ),
        (vec![b'x'; 10_000_000], vec![b'y'; 10_000_000]),
        (many("{\"a\":1},", 600_000), many("{\"a\":2},", 600_000)),
    ];
    for (at, (old, new)) in pairs.iter().enumerate() {
        let begun = Instant::now();
        script(old, new, &Stop::after(Duration::from_millis(500))).unwrap();
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(5), "pair {at}: {took:?}");
    }
}
