//! Policy text to policy: where it stands, what is wrong with it, what to do.

use std::path::{Path, PathBuf};

use super::Policy;

/// A policy that cannot be used. Names file, line and remedy.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// No built-in policy or file of that name.
    #[error("there is no policy \"{name}\"; use one of {known}, or the path of a policy file")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Names that exist.
        known: String,
    },
    /// The file could not be read.
    #[error("{}: cannot be read ({source}); check the path and its permissions", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The text is not a policy.
    #[error("{file}:{line}: {problem}; {remedy}")]
    Invalid {
        /// File name or `builtin:NAME`.
        file: String,
        /// 1-based line.
        line: usize,
        /// What is wrong.
        problem: String,
        /// What to do.
        remedy: String,
    },
}

/// Names of the policies built in.
pub fn builtin_names() -> &'static [&'static str] {
    &["intentroute", "itisyou", "sitemapped"]
}

/// A built-in policy by name.
pub fn builtin(name: &str) -> Result<Policy, PolicyError> {
    let _ = name;
    unimplemented!()
}

/// A policy by built-in name or by path of a TOML file.
pub fn load(name_or_path: &Path) -> Result<Policy, PolicyError> {
    let _ = name_or_path;
    unimplemented!()
}

impl Policy {
    /// Parses and checks policy text; `file` names it in errors.
    pub fn parse(text: &str, file: &str) -> Result<Policy, PolicyError> {
        let _ = (text, file);
        unimplemented!()
    }

    /// The policy as TOML, as it is recorded with each run.
    pub fn to_toml(&self) -> String {
        unimplemented!()
    }
}
