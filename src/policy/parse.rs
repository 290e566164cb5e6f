//! Policy text to policy: where it stands, what is wrong with it, what to do.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::{Policy, check, locate};

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
    #[error("{}: {}", path.display(), crate::remedy::told(source))]
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
    let text = match name {
        "intentroute" => include_str!("../../assets/policies/intentroute.toml"),
        "itisyou" => include_str!("../../assets/policies/itisyou.toml"),
        "sitemapped" => include_str!("../../assets/policies/sitemapped.toml"),
        _ => return Err(unknown(name)),
    };
    Policy::parse(text, &format!("builtin:{name}"))
}

fn unknown(name: &str) -> PolicyError {
    PolicyError::Unknown {
        name: name.to_owned(),
        known: builtin_names().join(", "),
    }
}

/// A policy by built-in name or by path of a TOML file. A built-in name wins over a file of that
/// name, which `./NAME` reaches.
pub fn load(name_or_path: &Path) -> Result<Policy, PolicyError> {
    let name = name_or_path.display().to_string();
    if builtin_names().contains(&name.as_str()) {
        return builtin(&name);
    }
    match std::fs::read_to_string(name_or_path) {
        Ok(text) => Policy::parse(&text, &name),
        Err(error) if error.kind() == ErrorKind::NotFound && is_bare(name_or_path) => {
            Err(unknown(&name))
        }
        Err(source) => Err(PolicyError::Read {
            path: name_or_path.to_owned(),
            source,
        }),
    }
}

/// A single word without extension: meant as the name of a policy, not as a path.
fn is_bare(path: &Path) -> bool {
    path.components().count() == 1 && path.extension().is_none()
}

impl Policy {
    /// Parses and checks policy text; `file` names it in errors.
    pub fn parse(text: &str, file: &str) -> Result<Policy, PolicyError> {
        let invalid = |line, problem, remedy| PolicyError::Invalid {
            file: file.to_owned(),
            line,
            problem,
            remedy,
        };
        // Syntax first: the same text then gives the lines of every other fault.
        DeTable::parse(text).map_err(|error| {
            let problem = format!("this is not TOML: {}", one_line(error.message()));
            invalid(line(text, &error), problem, "correct the line".to_owned())
        })?;
        let policy: Policy = toml::from_str(text).map_err(|error| {
            let (problem, remedy) = explain(error.message());
            invalid(line(text, &error), problem, remedy)
        })?;
        match policy.check() {
            Ok(()) => Ok(policy),
            Err(fault) => Err(invalid(
                locate::line_of(text, &fault.key),
                format!("{}: {}", shown_key(&fault.key), fault.problem),
                fault.remedy,
            )),
        }
    }

    /// The policy as TOML, as it is recorded with each run. Read back, it gives the same policy.
    pub fn to_toml(&self) -> String {
        // Fails only for numbers that `check` refuses; a record that says so beats none.
        toml::to_string(self)
            .unwrap_or_else(|error| format!("# the policy cannot be written as TOML: {error}\n"))
    }
}

fn line(text: &str, error: &toml::de::Error) -> usize {
    error
        .span()
        .map_or(1, |span| locate::line_at(text, span.start))
}

/// A key for people: without places in lists, which the line shows.
fn shown_key(key: &str) -> String {
    key.split('.')
        .filter(|part| part.parse::<usize>().is_err())
        .collect::<Vec<_>>()
        .join(".")
}

/// A deserializer's complaint as problem and remedy.
fn explain(message: &str) -> (String, String) {
    let message = one_line(message);
    let expected = message
        .split_once("expected ")
        .map(|(_, expected)| expected.trim_start_matches("one of ").to_owned());
    let quoted = message.split('`').nth(1).unwrap_or_default();
    if message.starts_with("unknown field") {
        let remedy = expected.map_or_else(
            || "remove it".to_owned(),
            |known| format!("remove it, or use one of {known}"),
        );
        (format!("there is no value \"{quoted}\" here"), remedy)
    } else if message.starts_with("missing field") {
        (
            format!("the value \"{quoted}\" is missing"),
            format!("add {quoted} to this table"),
        )
    } else if message.starts_with("unknown variant") {
        (
            format!("\"{quoted}\" is not a value for this key"),
            format!("write one of {}", expected.unwrap_or_default()),
        )
    } else if message.starts_with("invalid") {
        let remedy = format!("write {}", expected.unwrap_or_else(|| "another".to_owned()));
        let problem = message.split(", expected").next().unwrap_or(&message);
        (problem.to_owned(), remedy)
    } else {
        check::halves(&message)
    }
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
