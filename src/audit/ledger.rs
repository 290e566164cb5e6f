//! The ledger as data: `assets/promises.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// How a promise can be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditKind {
    /// From the request log.
    Log,
    /// By construction, shown by a test.
    Build,
    /// A ledger with due dates.
    Desk,
    /// A statement about the operator.
    Page,
}

/// One way in which a promise, or a part of it, is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How.
    pub kind: AuditKind,
    /// What of the promise, where the ledger says so: `times`.
    pub part: Option<String>,
}

/// One promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// `PC2`.
    pub id: String,
    /// Section: `Pace`.
    pub section: String,
    /// In our words.
    pub words: String,
    /// What each policy says: policy name to its cell. "ours" and "–" as in the ledger.
    pub policies: BTreeMap<String, String>,
    /// How it is proved; a promise may need two kinds.
    pub audit: Vec<Proof>,
}

impl Promise {
    /// Whether it, or a part of it, is proved in this way.
    pub fn has(&self, kind: AuditKind) -> bool {
        self.audit.iter().any(|proof| proof.kind == kind)
    }

    /// Whether `policy` keeps it: promised on its page or "ours". A "–" is no promise. A policy the
    /// ledger does not know is held to all of them.
    pub fn kept_by(&self, policy: &str) -> bool {
        self.policies
            .get(policy)
            .is_none_or(|cell| !cell.starts_with('–'))
    }
}

/// The ledger is built in; this can only be a fault of the build.
#[derive(Debug, thiserror::Error)]
#[error("assets/promises.toml: {0}")]
pub struct LedgerError(pub String);

/// The file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    promise: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    section: String,
    words: String,
    audit: Vec<String>,
    policies: BTreeMap<String, String>,
}

/// The whole ledger in order.
pub fn ledger() -> Result<Vec<Promise>, LedgerError> {
    read(include_str!("../../assets/promises.toml"))
}

fn read(text: &str) -> Result<Vec<Promise>, LedgerError> {
    let written: Written =
        toml::from_str(text).map_err(|error| LedgerError(error.message().to_owned()))?;
    written.promise.into_iter().map(promise).collect()
}

fn promise(row: Row) -> Result<Promise, LedgerError> {
    let audit = row
        .audit
        .iter()
        .map(|text| proof(text).ok_or_else(|| LedgerError(format!("{}: audit \"{text}\"", row.id))))
        .collect::<Result<Vec<_>, _>>()?;
    if audit.is_empty() {
        return Err(LedgerError(format!("{}: no audit", row.id)));
    }
    Ok(Promise {
        id: row.id,
        section: row.section,
        words: row.words,
        policies: row.policies,
        audit,
    })
}

/// `log`, or `log (times)`.
fn proof(text: &str) -> Option<Proof> {
    let (word, part) = match text.split_once(" (") {
        Some((word, rest)) => (word, Some(rest.strip_suffix(')')?.to_owned())),
        None => (text, None),
    };
    let kind = match word {
        "log" => AuditKind::Log,
        "build" => AuditKind::Build,
        "desk" => AuditKind::Desk,
        "page" => AuditKind::Page,
        _ => return None,
    };
    Some(Proof { kind, part })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_every_row_is_whole() {
        let ledger = ledger().expect("the built-in ledger reads");
        let mut ids: Vec<&str> = ledger.iter().map(|promise| promise.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), ledger.len());
        for promise in &ledger {
            assert!(!promise.words.is_empty() && !promise.section.is_empty());
            let names: Vec<&str> = promise.policies.keys().map(String::as_str).collect();
            assert_eq!(names, ["intentroute", "itisyou", "sitemapped"]);
        }
    }

    #[test]
    fn a_promise_may_be_proved_in_two_ways() {
        let ledger = ledger().expect("the built-in ledger reads");
        let one_at_a_time = ledger.iter().find(|promise| promise.id == "PC1");
        let audit = &one_at_a_time.expect("PC1 stands in the ledger").audit;
        assert_eq!(
            audit
                .iter()
                .map(|proof| (proof.kind, proof.part.as_deref()))
                .collect::<Vec<_>>(),
            [
                (AuditKind::Log, Some("times")),
                (AuditKind::Build, Some("connections"))
            ]
        );
    }

    #[test]
    fn a_dash_is_no_promise_and_ours_is_kept() {
        let ledger = ledger().expect("the built-in ledger reads");
        let kept = |id: &str, policy: &str| {
            ledger
                .iter()
                .find(|promise| promise.id == id)
                .map(|promise| promise.kept_by(policy))
        };
        assert_eq!(kept("AS6", "intentroute"), Some(false));
        assert_eq!(kept("AS6", "sitemapped"), Some(true));
        assert_eq!(kept("AS3", "itisyou"), Some(true));
        assert_eq!(kept("AS6", "somebody-else"), Some(true));
    }

    #[test]
    fn faults_are_named() {
        let row = |audit: &str| {
            format!(
                "[[promise]]\nid = \"X1\"\nsection = \"S\"\nwords = \"w\"\naudit = {audit}\npolicies.a = \"yes\"\n"
            )
        };
        assert!(read(&row("[\"log\"]")).is_ok());
        for audit in ["[]", "[\"guess\"]", "[\"log (times\"]"] {
            let error = read(&row(audit)).expect_err(audit);
            assert!(error.to_string().contains("X1"), "{error}");
        }
    }
}
