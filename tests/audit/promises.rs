//! The ledger as data against the one people read.

use lamplighter::audit::{AuditKind, Promise, ledger};

/// The ledger as people read it, which is not part of this repository.
#[test]
fn the_ledger_is_the_one_people_read() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/PROMISES.md");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: {} is absent on this machine", path.display());
        return;
    };
    let mut section = String::new();
    let mut read = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            section = name.to_owned();
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if line.starts_with('|')
            && cells.len() == 6
            && cells[0] != "id"
            && !cells[0].starts_with('-')
        {
            let cells = cells.into_iter().map(str::to_owned).collect::<Vec<_>>();
            read.push((section.clone(), cells));
        }
    }
    let ours = ledger().expect("the ledger");
    assert_eq!(ours.len(), read.len());
    for (promise, (section, cells)) in ours.iter().zip(&read) {
        let policies = ["intentroute", "itisyou", "sitemapped"].map(|name| &promise.policies[name]);
        assert_eq!((&promise.id, &promise.section), (&cells[0], section));
        assert_eq!(promise.words, cells[1], "{}", promise.id);
        assert_eq!(
            policies,
            [&cells[2], &cells[3], &cells[4]],
            "{}",
            promise.id
        );
        assert_eq!(written(promise), cells[5], "{}", promise.id);
    }
}

fn written(promise: &Promise) -> String {
    let proofs = promise.audit.iter().map(|proof| {
        let word = match proof.kind {
            AuditKind::Log => "log",
            AuditKind::Build => "build",
            AuditKind::Desk => "desk",
            AuditKind::Page => "page",
        };
        match &proof.part {
            Some(part) => format!("{word} ({part})"),
            None => word.to_owned(),
        }
    });
    proofs.collect::<Vec<_>>().join(", ")
}
