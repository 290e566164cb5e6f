//! What could come next, for Tab.

use super::lex::ends_word;
use super::value::units;
use super::{Field, Kind, Schema};
use crate::text::near;

/// One way to go on: replace some characters before the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Completion {
    /// First character replaced, counted from 0; the last is the one before the cursor.
    pub(crate) from: usize,
    /// What to put there.
    pub(crate) insert: String,
    /// What it means.
    pub(crate) help: &'static str,
}

/// Ways to go on at a cursor (characters before it), best first. None inside quotes.
pub(crate) fn complete(text: &str, cursor: usize, schema: &'static Schema) -> Vec<Completion> {
    let before: Vec<char> = text.chars().take(cursor).collect();
    let Some(start) = word_start(&before) else {
        return Vec::new();
    };
    let word: String = before[start..].iter().collect();
    let Some(sign) = word.find([':', '=', '<', '>', '!']) else {
        return fields(&word, start, schema);
    };
    let name = &word[..sign];
    let value = word[sign..].trim_start_matches([':', '=', '<', '>', '!']);
    let Some(field) = schema.field(name) else {
        return Vec::new();
    };
    let from = before.len() - value.chars().count();
    match field.kind {
        Kind::Word(known) => words(value, from, known, field),
        Kind::Number(_) | Kind::Duration | Kind::Past | Kind::Future if !value.is_empty() => {
            with_units(value, from, field)
        }
        _ if value.is_empty() => of_example(from, field),
        _ => Vec::new(),
    }
}

/// Where the word under the cursor starts; none within quotes.
fn word_start(before: &[char]) -> Option<usize> {
    let mut start = 0;
    let mut quoted = false;
    let mut escaped = false;
    for (at, char) in before.iter().enumerate() {
        if quoted {
            quoted = escaped || *char != '"';
            escaped = !escaped && *char == '\\';
            start = at + 1;
        } else if *char == '"' {
            quoted = true;
        } else if ends_word(*char) || (*char == '!' && start == at) {
            start = at + 1;
        }
    }
    (!quoted).then_some(start)
}

fn fields(word: &str, from: usize, schema: &'static Schema) -> Vec<Completion> {
    let lower = word.to_lowercase();
    let mut found: Vec<&Field> = schema
        .fields
        .iter()
        .filter(|field| field.name.starts_with(&lower))
        .collect();
    if found.is_empty() {
        let near = near::nearest(word, schema.fields.iter().map(|field| field.name));
        found.extend(near.and_then(|name| schema.field(name)));
    }
    found
        .into_iter()
        .map(|field| Completion {
            from,
            insert: format!("{}{}", field.name, field.usual()),
            help: field.help,
        })
        .collect()
}

fn words(
    value: &str,
    from: usize,
    known: &'static [&'static str],
    field: &'static Field,
) -> Vec<Completion> {
    let (given, last) = value.rsplit_once(',').unwrap_or(("", value));
    let from = from + value.chars().count() - last.chars().count();
    let lower = last.to_lowercase();
    let given: Vec<&str> = given.split(',').collect();
    let mut found: Vec<&str> = known
        .iter()
        .copied()
        .filter(|word| word.starts_with(&lower) && !given.contains(word))
        .collect();
    if found.is_empty() {
        found.extend(near::nearest(last, known.iter().copied()));
    }
    found
        .into_iter()
        .map(|word| Completion {
            from,
            insert: word.to_owned(),
            help: field.help,
        })
        .collect()
}

fn with_units(value: &str, from: usize, field: &'static Field) -> Vec<Completion> {
    let digits = value.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let begun = value[digits.len()..].to_lowercase();
    let number = !digits.is_empty()
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
    units(field.kind)
        .iter()
        .filter(|(unit, _)| number && !unit.is_empty() && unit.starts_with(&begun))
        .map(|(unit, _)| Completion {
            from,
            insert: format!("{digits}{unit}"),
            help: field.help,
        })
        .collect()
}

/// The value of the field's example.
fn of_example(from: usize, field: &'static Field) -> Vec<Completion> {
    let value = field.example[field.name.len()..].trim_start_matches([':', '=', '<', '>', '!']);
    vec![Completion {
        from,
        insert: value.to_owned(),
        help: field.help,
    }]
}
