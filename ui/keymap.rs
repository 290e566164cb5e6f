//! Which key means which action: the registry's keys, changed where the operator's file says so.
//!
//! The file is a partial override: a section for a context, a line for an action, and the keys it
//! shall have there (`[live]`, then `hold = ["H"]`). An empty list takes its keys away.

use std::collections::BTreeMap;
use std::path::Path;

use crate::action::{self, Action, Context, Spec};
use crate::input::Key;
use crate::text::Clean;

/// Contexts that are in force together, the nearest first: within one of these lists no key may mean
/// two things.
pub(crate) const STACKS: [&[Context]; 10] = [
    &[
        Context::Live,
        Context::List,
        Context::Pane,
        Context::Everywhere,
    ],
    &[
        Context::Hosts,
        Context::List,
        Context::Pane,
        Context::Everywhere,
    ],
    &[
        Context::Host,
        Context::List,
        Context::Pane,
        Context::Everywhere,
    ],
    &[Context::Help, Context::List, Context::Everywhere],
    &[Context::Choice, Context::Everywhere],
    &[Context::Line, Context::Everywhere],
    &[Context::Palette, Context::Everywhere],
    &[
        Context::Diff,
        Context::List,
        Context::Pane,
        Context::Everywhere,
    ],
    &[
        Context::Changes,
        Context::List,
        Context::Pane,
        Context::Everywhere,
    ],
    &[
        Context::Runs,
        Context::List,
        Context::Pane,
        Context::Everywhere,
    ],
];

/// Keys to actions, by context.
#[derive(Clone, Debug)]
pub(crate) struct Keymap {
    keys: BTreeMap<(Context, &'static str), Vec<Key>>,
}

/// Why a keymap file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeymapError {
    /// It is there and cannot be read.
    #[error("{file}: cannot be read ({problem}); mend it or remove it")]
    Unreadable { file: String, problem: String },
    /// A line says what cannot be.
    #[error("{file}, line {line}: {problem}")]
    Wrong {
        file: String,
        line: usize,
        problem: String,
    },
}

impl Default for Keymap {
    fn default() -> Keymap {
        let mut keys = BTreeMap::new();
        for context in Context::ALL {
            for spec in action::of(context) {
                let own = spec.keys.iter().filter_map(|name| name.parse().ok());
                keys.insert((context, spec.id), own.collect());
            }
        }
        Keymap { keys }
    }
}

impl Keymap {
    /// The registry's keys with the changes of a file, if there is one.
    pub(crate) fn of_file(file: &Path) -> Result<Keymap, KeymapError> {
        match std::fs::read_to_string(file) {
            Ok(text) => Keymap::default().changed(&text, &file.display().to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Keymap::default()),
            Err(error) => Err(KeymapError::Unreadable {
                file: file.display().to_string(),
                problem: error.to_string(),
            }),
        }
    }

    /// These keys, changed as the text of a file says.
    pub(crate) fn changed(mut self, text: &str, file: &str) -> Result<Keymap, KeymapError> {
        let wrong = |at: usize, problem: String| KeymapError::Wrong {
            file: file.to_owned(),
            line: line_of(text, at),
            problem,
        };
        let sections: BTreeMap<toml::Spanned<String>, BTreeMap<toml::Spanned<String>, Keys>> =
            toml::from_str(text).map_err(|error| {
                let at = error.span().map_or(0, |span| span.start);
                wrong(at, error.message().to_owned())
            })?;
        let mut changed = Vec::new();
        for (section, lines) in &sections {
            let context = Context::ALL
                .into_iter()
                .find(|context| context.id() == section.get_ref())
                .ok_or_else(|| {
                    let known = Context::ALL.map(Context::id).join(", ");
                    let problem =
                        format!("there is no [{}]; use one of {known}", section.get_ref());
                    wrong(section.span().start, problem)
                })?;
            for (id, keys) in lines {
                let at = id.span().start;
                let spec = action::of(context)
                    .find(|spec| spec.id == id.get_ref())
                    .ok_or_else(|| {
                        let known: Vec<&str> = action::of(context).map(|spec| spec.id).collect();
                        let problem = format!(
                            "[{}] has no action \"{}\"; it has {}",
                            context.id(),
                            id.get_ref(),
                            known.join(", ")
                        );
                        wrong(at, problem)
                    })?;
                let mut own = Vec::new();
                for name in keys.names() {
                    let key = name
                        .parse::<Key>()
                        .map_err(|error| wrong(at, format!("\"{name}\" {error}")))?;
                    own.push(key);
                }
                self.keys.insert((context, spec.id), own);
                changed.push((at, context, spec));
            }
        }
        for (at, context, spec) in changed {
            if let Some((key, other)) = self.conflict(context, spec) {
                let problem = format!(
                    "{key} would mean both \"{}\" and \"{other}\"; give one of them another key",
                    spec.id
                );
                return Err(wrong(at, problem));
            }
        }
        // Without these there is no way out.
        for (context, id) in [(Context::Pane, "quit"), (Context::Everywhere, "interrupt")] {
            if self.keys.get(&(context, id)).is_none_or(Vec::is_empty) {
                let problem = format!("\"{id}\" needs a key: it is the way out");
                return Err(wrong(text.find(id).unwrap_or(0), problem));
            }
        }
        Ok(self)
    }

    /// A key of this action that means another one as well, in a stack that holds both.
    fn conflict(&self, context: Context, spec: &Spec) -> Option<(Key, &'static str)> {
        let own = self.keys.get(&(context, spec.id))?;
        let stacks = STACKS.iter().filter(|stack| stack.contains(&context));
        for other_context in stacks.flat_map(|stack| stack.iter()) {
            for other in action::of(*other_context) {
                let same = *other_context == context && other.id == spec.id;
                if same || other.action == spec.action {
                    continue;
                }
                let keys = self.keys.get(&(*other_context, other.id));
                let shared = keys.and_then(|keys| keys.iter().find(|key| own.contains(key)));
                if let Some(key) = shared {
                    return Some((*key, other.id));
                }
            }
        }
        None
    }

    /// The action a key means in a stack of contexts.
    pub(crate) fn find(&self, stack: &[Context], key: Key) -> Option<Action> {
        stack.iter().find_map(|context| {
            let mut specs = action::of(*context);
            specs
                .find(|spec| {
                    let keys = self.keys.get(&(*context, spec.id));
                    keys.is_some_and(|keys| keys.contains(&key))
                })
                .map(|spec| spec.action)
        })
    }

    /// The keys of an action in a context.
    pub(crate) fn keys(&self, context: Context, spec: &Spec) -> &[Key] {
        self.keys
            .get(&(context, spec.id))
            .map_or(&[], Vec::as_slice)
    }

    /// The first key of an action in a stack, as shown; empty if it has none.
    pub(crate) fn hint(&self, stack: &[Context], action: Action) -> Clean {
        let key = stack.iter().find_map(|context| {
            let spec = action::of(*context).find(|spec| spec.action == action)?;
            self.keys(*context, spec).first()
        });
        key.map_or_else(Clean::default, |key| Clean::new(key.to_string()))
    }
}

/// One key, or a list of them.
#[derive(Debug, serde::Deserialize)]
#[serde(untagged)]
enum Keys {
    One(String),
    Many(Vec<String>),
}

impl Keys {
    fn names(&self) -> &[String] {
        match self {
            Keys::One(name) => std::slice::from_ref(name),
            Keys::Many(names) => names,
        }
    }
}

fn line_of(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    before.matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Code;

    fn refused(text: &str) -> String {
        Keymap::default()
            .changed(text, "keymap.toml")
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn the_keys_of_the_registry_are_keys_and_agree() {
        let keymap = Keymap::default();
        for context in Context::ALL {
            for spec in action::of(context) {
                let keys = keymap.keys(context, spec);
                assert_eq!(keys.len(), spec.keys.len(), "{}", spec.id);
                assert_eq!(keymap.conflict(context, spec), None, "{}", spec.id);
            }
        }
    }

    #[test]
    fn every_context_is_in_a_stack() {
        for context in Context::ALL {
            assert!(STACKS.iter().any(|stack| stack.contains(&context)));
        }
    }

    #[test]
    fn a_file_changes_what_it_names_and_nothing_else() {
        let text = "[live]\nhold = [\"H\", \"Ctrl-B\"]\n[list]\ndown = \"z\"\n";
        let keymap = Keymap::default().changed(text, "keymap.toml").unwrap();
        let stack = STACKS[0];
        let find = |name: &str| keymap.find(stack, name.parse().unwrap());
        assert_eq!(find("H"), Some(Action::Hold));
        assert_eq!(find("Ctrl-B"), Some(Action::Hold));
        assert_eq!(find("h"), None);
        assert_eq!(find("z"), Some(Action::Down));
        assert_eq!(find("j"), None);
        assert_eq!(find("k"), Some(Action::Up));
        let hosts = keymap.find(STACKS[1], Key::from(Code::Char('h')));
        assert_eq!(hosts, Some(Action::Hold), "another context keeps its own");
        assert_eq!(keymap.hint(stack, Action::Hold).as_str(), "H");
    }

    #[test]
    fn what_cannot_be_is_told_with_its_line() {
        let table = [
            (
                "[live]\nhold = \"p\"\n",
                "keymap.toml, line 2: p would mean both \"hold\" and \"pause\"",
            ),
            (
                "\n[nowhere]\nx = \"p\"\n",
                "keymap.toml, line 2: there is no [nowhere]; use one of live",
            ),
            (
                "[live]\nfly = \"f\"\n",
                "keymap.toml, line 2: [live] has no action \"fly\"; it has open",
            ),
            (
                "[live]\nhold = \"Hyper-x\"\n",
                "keymap.toml, line 2: \"Hyper-x\" is no key",
            ),
            ("[live]\nhold = 7\n", "keymap.toml, line 2: "),
            ("[live\n", "keymap.toml, line 1: "),
            (
                "[pane]\nquit = []\n",
                "keymap.toml, line 2: \"quit\" needs a key",
            ),
        ];
        for (text, expected) in table {
            let said = refused(text);
            assert!(said.starts_with(expected), "{text:?} said {said}");
        }
    }

    #[test]
    fn two_lines_may_swap_keys() {
        let text = "[pane]\npause = \"h\"\n[live]\nhold = \"p\"\n[hosts]\nhold = \"p\"\n[host]\nhold = \"p\"\n";
        let keymap = Keymap::default().changed(text, "keymap.toml").unwrap();
        let find = |name: &str| keymap.find(STACKS[0], name.parse().unwrap());
        assert_eq!(find("h"), Some(Action::Pause));
        assert_eq!(find("p"), Some(Action::Hold));
    }
}
