//! `--set KEY=VALUE`: one value of a policy changed for a loopback run.

use toml::{Table, Value};

use super::Policy;

/// One override, such as `pace.min_gap=20ms`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// Dotted key as in the policy file; a number is a place in a list (`plan.locations.0.keep`).
    pub key: String,
    /// Value as written: bare text where the policy holds text, TOML otherwise.
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
        let shape = || OverrideError::Shape(text.to_owned());
        let (key, value) = text.split_once('=').ok_or_else(shape)?;
        let (key, value) = (key.trim(), value.trim());
        if key.is_empty() || value.is_empty() || key.split('.').any(str::is_empty) {
            return Err(shape());
        }
        Ok(Override {
            key: key.to_owned(),
            value: value.to_owned(),
        })
    }
}

impl Policy {
    /// The policy with one value changed and checked again.
    ///
    /// The new value takes the type of the old one. A value that is absent may be set as well
    /// (`pace.delay_max=60s`); one that no policy has is refused.
    pub fn with(&self, change: &Override) -> Result<Policy, OverrideError> {
        let misfit = |problem: String| OverrideError::Value {
            key: change.key.clone(),
            value: change.value.clone(),
            problem,
        };
        let unknown = || OverrideError::Unknown {
            key: change.key.clone(),
        };
        let now = Table::try_from(self).map_err(|error| misfit(error.to_string()))?;
        let (path, last) = match change.key.rsplit_once('.') {
            Some((path, last)) => (path, last),
            None => ("", change.key.as_str()),
        };
        let old = parent(&mut Value::Table(now.clone()), path)
            .and_then(|parent| slot(parent, last).cloned());
        let mut problem = None;
        for value in readings(&change.value, old.as_ref()) {
            let mistyped = old
                .as_ref()
                .filter(|old| !old.is_str() && !old.same_type(&value));
            let mut root = Value::Table(now.clone());
            put(&mut root, path, last, value).ok_or_else(unknown)?;
            match root.try_into::<Policy>() {
                Ok(policy) => {
                    return match policy.check() {
                        Ok(()) => Ok(policy),
                        Err(fault) => Err(misfit(fault.to_string())),
                    };
                }
                Err(error) if error.message().starts_with("unknown field") => {
                    return Err(unknown());
                }
                // The first reading is the likely one: its complaint is the one to show.
                Err(error) => {
                    problem.get_or_insert_with(|| match mistyped {
                        Some(old) => format!("it must be {}", kind(old)),
                        None => one_line(error.message()),
                    });
                }
            }
        }
        Err(misfit(problem.unwrap_or_default()))
    }
}

fn one_line(message: &str) -> String {
    message.replace('\n', " ").trim().to_owned()
}

/// The table or list that holds the value.
fn parent<'a>(root: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    path.split('.')
        .filter(|part| !part.is_empty())
        .try_fold(root, slot)
}

/// One member of a table or list.
fn slot<'a>(holder: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    match holder {
        Value::Table(table) => table.get_mut(name),
        Value::Array(items) => items.get_mut(name.parse::<usize>().ok()?),
        _ => None,
    }
}

/// Puts the value in its place; `None` where there is no such place.
fn put(root: &mut Value, path: &str, last: &str, value: Value) -> Option<()> {
    match parent(root, path)? {
        Value::Table(table) => {
            table.insert(last.to_owned(), value);
        }
        list => *slot(list, last)? = value,
    }
    Some(())
}

/// What the text may mean, most likely first, by the type of the old value. Never empty.
///
/// A second reading serves `schedule.period`, which may be text or a number.
fn readings(text: &str, old: Option<&Value>) -> Vec<Value> {
    let bare = Value::String(text.to_owned());
    match (old, as_toml(text)) {
        (_, None) => vec![bare],
        (_, Some(quoted @ Value::String(_))) => vec![quoted],
        (Some(Value::String(_)), Some(value)) => vec![bare, value],
        (Some(Value::Float(_)), Some(Value::Integer(number))) => vec![Value::Float(number as f64)],
        (_, Some(value)) => vec![value, bare],
    }
}

fn as_toml(text: &str) -> Option<Value> {
    let table: Table = toml::from_str(&format!("value = {text}")).ok()?;
    // A line end in the text would smuggle in a second value.
    if table.len() != 1 {
        return None;
    }
    table.into_iter().next().map(|(_, value)| value)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::String(_) | Value::Datetime(_) => "text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Array(_) => "a list, such as [\"127.0.0.1/32\"]",
        Value::Table(_) => "a table, such as { from = 200, to = 299, means = \"rules\" }",
    }
}
