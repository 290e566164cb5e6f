//! Where in a policy text a value stands, for errors.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// 1-based line of a byte offset.
pub(super) fn line_at(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

/// 1-based line of the value at a dotted key such as `plan.locations.2.path`; where the key is not
/// written, of the nearest table above it that is.
pub(super) fn line_of(text: &str, key: &str) -> usize {
    let Ok(root) = DeTable::parse(text) else {
        return 1;
    };
    let mut offset = 0;
    let mut parts = key.split('.');
    let Some(mut value) = parts
        .next()
        .and_then(|part| member(root.get_ref(), part, &mut offset))
    else {
        return 1;
    };
    for part in parts {
        let next = match value.get_ref() {
            DeValue::Table(table) => member(table, part, &mut offset),
            DeValue::Array(items) => {
                let item = part.parse().ok().and_then(|index: usize| items.get(index));
                offset = item.map_or(offset, |item| item.span().start);
                item
            }
            _ => None,
        };
        let Some(next) = next else { break };
        value = next;
    }
    line_at(text, offset)
}

/// A member of a table; `offset` moves to its key.
fn member<'a, 'i>(
    table: &'a DeTable<'i>,
    name: &str,
    offset: &mut usize,
) -> Option<&'a Spanned<DeValue<'i>>> {
    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == name)?;
    *offset = key.span().start;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_keys() {
        let text = "a = 1\n\n[t]\nx = 2\nlist = [\n  { y = 1 },\n  { y = 2 },\n]\n[[t.many]]\np = 1\n[[t.many]]\np = 2\n";
        for (key, line) in [
            ("a", 1),
            ("t", 3),
            ("t.x", 4),
            ("t.list.1.y", 7),
            ("t.list.1.absent", 7),
            ("t.many.0.p", 10),
            ("t.many.1.p", 12),
            ("t.absent", 3),
            ("absent", 1),
        ] {
            assert_eq!(line_of(text, key), line, "{key}");
        }
    }
}
