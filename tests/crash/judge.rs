//! The judge of a server's log: it knows the promises and the lives of the processes, nothing else.

use std::collections::BTreeMap;

use lamplighter::miniweb::Seen;

use super::lab::Life;
use super::town::{self, MIN_GAP};

/// What whole milliseconds hide.
const ROUNDING: u64 = 1;
/// How long after its last byte a busy server may note the end of an answer, ms.
const LATE: u64 = 100;

const ROBOTS: &str = "/robots.txt";

/// Every breach, in words. `seen` in the order the requests began.
pub(super) fn breaches(seen: &[Seen], lives: &[Life]) -> Vec<String> {
    let mut found = Vec::new();
    asked_once(seen, lives, &mut found);
    let mut sites: BTreeMap<&str, Vec<&Seen>> = BTreeMap::new();
    for request in seen {
        sites
            .entry(town::site(&request.host))
            .or_default()
            .push(request);
    }
    for requests in sites.values() {
        for pair in requests.windows(2) {
            gap_kept(pair[0], pair[1], lives, &mut found);
        }
    }
    found
}

/// Number of the life in which a request came.
fn life_of(request: &Seen, lives: &[Life]) -> Option<usize> {
    lives.iter().rposition(|life| life.from <= request.at_ms)
}

/// Asked at most once; robots.txt once in each life.
fn asked_once(seen: &[Seen], lives: &[Life], found: &mut Vec<String>) {
    let mut times: BTreeMap<_, usize> = BTreeMap::new();
    for request in seen {
        let life = life_of(request, lives);
        if life.is_none() {
            found.push(format!("{}{} before any run", request.host, request.path));
        }
        let life = life.filter(|_| request.path == ROBOTS);
        *times
            .entry((&request.host, &request.path, life))
            .or_default() += 1;
    }
    for ((host, path, _), times) in times {
        if times > 1 {
            found.push(format!("{host}{path} was asked {times} times"));
        }
    }
}

/// PC1, PC2, PC3 between two requests of a site. The end of an answer is taken from what the server
/// did before it let its first byte go (noted the request, waited as scripted), so that a busy server
/// makes no breach; an answer that a kill cut off ends with it.
fn gap_kept(before: &Seen, after: &Seen, lives: &[Life], found: &mut Vec<String>) {
    let (Some(first), Some(second)) = (life_of(before, lives), life_of(after, lives)) else {
        return;
    };
    let end = (before.at_ms + town::delay(&before.host)).min(lives[first].to);
    let mut promised = MIN_GAP;
    // The delay of a host is known once its robots.txt is read.
    if before.path != ROBOTS || (after.host == before.host && after.path != ROBOTS) {
        promised = promised.max(town::gap(&before.host));
    }
    if after.path != ROBOTS {
        promised = promised.max(town::gap(&after.host));
    }
    let pair = format!(
        "{}{} then {}{}",
        before.host, before.path, after.host, after.path
    );
    if after.at_ms + ROUNDING < end + promised {
        let gap = after.at_ms.saturating_sub(end);
        found.push(format!("{pair}: {gap} ms apart, {promised} ms promised"));
    }
    if first == second && after.at_ms + LATE < before.end_ms {
        found.push(format!("{pair}: two at a time"));
    }
    let restart = lives[second].from;
    if first != second && after.at_ms < restart + promised {
        let gap = after.at_ms.saturating_sub(restart);
        found.push(format!(
            "{pair}: {gap} ms after the restart, {promised} ms promised"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(at_ms: u64, end_ms: u64, host: &str, path: &str) -> Seen {
        Seen {
            at_ms,
            end_ms,
            connection: 1,
            host: host.to_owned(),
            method: "GET".to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            status: Some(200),
            fault: None,
            bytes: 1,
        }
    }

    /// Changes a log so that it breaks a promise.
    type Doctor = fn(&mut Vec<Seen>);

    /// Two lives: 1000 to 2000 and 2500 to 4000.
    const LIVES: [Life; 2] = [
        Life {
            from: 1000,
            to: 2000,
        },
        Life {
            from: 2500,
            to: 4000,
        },
    ];

    fn clean() -> Vec<Seen> {
        vec![
            seen(1100, 1110, "slow.birch.test", "/robots.txt"),
            seen(1300, 1310, "slow.birch.test", "/llms.txt"),
            seen(1500, 1505, "fir.test", "/robots.txt"),
            // Cut off by the kill at 2000.
            seen(1990, 2400, "fir.test", "/llms.txt"),
            seen(2530, 2540, "fir.test", "/agents.md"),
            seen(2660, 2670, "slow.birch.test", "/robots.txt"),
            seen(2830, 2840, "slow.birch.test", "/agents.md"),
        ]
    }

    #[test]
    fn a_clean_log_has_no_breach() {
        assert_eq!(breaches(&clean(), &LIVES), Vec::<String>::new());
    }

    #[test]
    fn a_doctored_log_is_found_out() {
        let table: [(&str, Doctor); 8] = [
            ("/llms.txt was asked 2 times", |log| {
                log[4].path = "/llms.txt".into()
            }),
            ("/robots.txt was asked 2 times", |log| {
                log[6].path = "/robots.txt".into();
            }),
            ("two at a time", |log| log[0].end_ms = 1450),
            ("130 ms apart, 150 ms promised", |log| log[1].at_ms = 1230),
            ("10 ms apart, 20 ms promised", |log| {
                log[3].at_ms = 1540;
            }),
            ("15 ms after the restart", |log| log[4].at_ms = 2515),
            ("100 ms after the restart, 150 ms promised", |log| {
                log[5].at_ms = 2600
            }),
            ("before any run", |log| {
                log[0].at_ms = 900;
                log[0].end_ms = 910;
            }),
        ];
        for (word, doctor) in table {
            let mut log = clean();
            doctor(&mut log);
            log.sort_by_key(|seen| seen.at_ms);
            let found = breaches(&log, &LIVES);
            assert!(
                found.iter().any(|breach| breach.contains(word)),
                "{word}: {found:?}"
            );
        }
    }
}
