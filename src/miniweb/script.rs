//! `_site.toml`: what a site does wrong, path by path.

/// A script that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct ScriptError {
    /// The file.
    pub file: String,
    /// What is wrong and what to write.
    pub problem: String,
}
