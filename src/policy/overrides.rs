//! `--set KEY=VALUE`: one value of a policy changed for a loopback run.

use super::Policy;

/// One override, such as `pace.min_gap=20ms`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Dotted key as in the policy file.
    pub key: String,
    /// Value as written.
    pub value: String,
}

/// An override that cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverrideError {
    /// Not of the form KEY=VALUE.
    #[error("\"{0}\" is not KEY=VALUE; write for example pace.min_gap=20ms")]
    Shape(String),
    /// No such key.
    #[error("there is no policy value \"{key}\"; `lamplighter policy show` lists them")]
    Unknown {
        /// The key.
        key: String,
    },
    /// The value does not fit.
    #[error("{key}={value}: {problem}")]
    Value {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What is wrong and what to write.
        problem: String,
    },
}

impl std::str::FromStr for Override {
    type Err = OverrideError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let _ = text;
        unimplemented!()
    }
}

impl Policy {
    /// The policy with one value changed and checked again.
    pub fn with(&self, change: &Override) -> Result<Policy, OverrideError> {
        let _ = change;
        unimplemented!()
    }
}
