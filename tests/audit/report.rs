//! What findings say.

use lamplighter::audit::{AuditKind, ledger};
use lamplighter::fetch::Outcome;

use super::log::{Log, breached, finding};

#[test]
fn a_good_log_keeps_every_promise_and_says_so() {
    let findings = Log::good().audit();
    assert_eq!(breached(&findings), Vec::<&str>::new());
    for (id, checked, worst) in [
        (
            "ID1",
            4,
            "every request as IntentRouteBot/0.1 (+https://intentroute.net/crawler)",
        ),
        ("ID3", 4, "every request from 192.0.2.7"),
        ("AS1", 4, "4 requests, all as promised"),
        (
            "AS2",
            1,
            "most requests in a visit 4 of 4 (docs.alder.test 2026-11-30 06:00:06.300Z)",
        ),
        ("AS5", 0, "nothing to check"),
        (
            "RB3",
            4,
            "4 answers and the requests that refer to them, all as promised",
        ),
        (
            "RB9",
            3,
            "oldest robots.txt in use 6.200 s of 1 d 00 h (docs.alder.test 2026-11-30 06:00:06.300Z)",
        ),
        (
            "PC2",
            3,
            "smallest gap 2,000 ms of 2,000 ms (docs.alder.test 2026-11-30 06:00:02.100Z)",
        ),
        ("PC3", 0, "nothing to check"),
        ("OO4", 0, "nothing to check"),
    ] {
        let finding = finding(&findings, id);
        assert_eq!(
            (finding.checked, finding.worst.as_str()),
            (checked, worst),
            "{id}"
        );
    }
    assert!(
        finding(&findings, "AS9")
            .worst
            .contains("2026-11-30 06:00:00.000Z, as promised")
    );
}

#[test]
fn findings_are_the_log_promises_of_the_policy_in_ledger_order() {
    let findings = Log::good().audit();
    let found: Vec<&str> = findings
        .iter()
        .map(|finding| finding.promise.as_str())
        .collect();
    let promises = ledger().expect("the ledger");
    let expected: Vec<&str> = promises
        .iter()
        .filter(|promise| promise.has(AuditKind::Log) && promise.kept_by("intentroute"))
        .map(|promise| promise.id.as_str())
        .collect();
    assert_eq!(found, expected);
    assert!(!found.contains(&"AS6") && found.contains(&"PC1"));
}

#[test]
fn a_loopback_run_has_no_published_source() {
    let mut log = Log::good();
    log.facts.run.start.loopback = true;
    log.facts.run.start.source_ip = None;
    let findings = log.audit();
    let source = finding(&findings, "ID3");
    assert_eq!((source.checked, source.breaches), (0, 0));
    assert_eq!(source.worst, "loopback run: not applicable");
}

#[test]
fn interrupted_and_withdrawn_requests_are_counted() {
    let mut log = Log::good();
    log.interrupt(3);
    let mut withdrawn = log.rows[3].clone();
    withdrawn.outcome = Some(Outcome::Withdrawn);
    log.rows.push(withdrawn);
    let findings = log.audit();
    assert_eq!(breached(&findings), Vec::<&str>::new());
    let worst = &finding(&findings, "AS3").worst;
    assert!(
        worst.contains("1 without an outcome (interrupted)"),
        "{worst}"
    );
    assert!(worst.contains("1 withdrawn before sending"), "{worst}");
}

#[test]
fn an_empty_run_has_nothing_to_check() {
    let mut log = Log::good();
    log.rows.clear();
    log.visits.clear();
    let findings = log.audit();
    assert_eq!(breached(&findings), Vec::<&str>::new());
    for id in ["AS1", "AS8", "RB1", "PC1", "PC2", "TR3", "OO1"] {
        assert_eq!(finding(&findings, id).worst, "nothing to check", "{id}");
    }
}

#[test]
fn a_breach_names_the_request_the_host_and_the_time() {
    let mut log = Log::good();
    log.shift(2, -1);
    let key = log.rows[2].key;
    let findings = log.audit();
    let gap = finding(&findings, "PC2");
    assert_eq!(gap.first[0].request, Some(key));
    assert_eq!(
        gap.first[0].what,
        "a gap of 2,000 ms was promised, 1,999 ms were kept (docs.alder.test/agents.json 2026-11-30 06:00:04.199Z)"
    );
    assert!(
        gap.worst.starts_with("smallest gap 1,999 ms of 2,000 ms"),
        "{}",
        gap.worst
    );
}
