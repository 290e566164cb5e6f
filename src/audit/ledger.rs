//! The ledger as data: `assets/promises.toml`.

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

/// One promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// `PC2`.
    pub id: String,
    /// Section: `Pace`.
    pub section: String,
    /// In our words.
    pub words: String,
    /// What each policy says: policy name to its cell.
    pub policies: std::collections::BTreeMap<String, String>,
    /// Policies that keep it without promising it ("ours") or leave it open ("-") are found in the cell text.
    pub audit: AuditKind,
}

/// The ledger is built in; this can only be a fault of the build.
#[derive(Debug, thiserror::Error)]
#[error("assets/promises.toml: {0}")]
pub struct LedgerError(pub String);

/// The whole ledger in order.
pub fn ledger() -> Result<Vec<Promise>, LedgerError> {
    unimplemented!()
}
