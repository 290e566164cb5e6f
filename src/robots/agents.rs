//! Whom a User-agent line names (RFC 9309 2.2.1, ID2).

use super::text::{is_space, trim};

/// Whether a line, or a group, names us or is for all.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Who {
    pub(super) named: bool,
    pub(super) star: bool,
}

impl Who {
    /// Both together.
    pub(super) fn and(self, other: Who) -> Who {
        Who {
            named: self.named || other.named,
            star: self.star || other.star,
        }
    }

    /// It concerns us at all.
    pub(super) fn any(self) -> bool {
        self.named || self.star
    }
}

/// The leading product token of a name; what stands behind it (a version, a comment) is no part
/// of it, but `IntentRouteBot-Images` is another bot.
pub(super) fn token(name: &[u8]) -> &[u8] {
    let end = name
        .iter()
        .position(|b| !(b.is_ascii_alphabetic() || matches!(b, b'_' | b'-')));
    &name[..end.unwrap_or(name.len())]
}

/// Whom a value names by RFC 9309: one token, whole, without regard to case; `*` alone or before
/// white space.
pub(super) fn one(value: &[u8], ours: &[u8]) -> Who {
    let star = match value {
        [b'*'] => true,
        [b'*', next, ..] => is_space(*next),
        _ => false,
    };
    Who {
        star,
        named: !ours.is_empty() && token(value).eq_ignore_ascii_case(ours),
    }
}

/// Whom a value names if commas part several names.
pub(super) fn list(value: &[u8], ours: &[u8]) -> Who {
    value
        .split(|b| *b == b',')
        .map(|name| one(trim(name), ours))
        .fold(Who::default(), Who::and)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let ours = b"IntentRouteBot";
        let rows = [
            ("intentroutebot", true, false),
            ("IntentRouteBot/0.1", true, false),
            ("IntentRouteBot*", true, false),
            ("IntentRouteBot2", true, false),
            ("IntentRouteBot-Images", false, false),
            ("IntentRoute", false, false),
            ("MyIntentRouteBot", false, false),
            ("Mozilla/5.0 (compatible; IntentRouteBot/0.1)", false, false),
            ("*", false, true),
            ("* all", false, true),
            ("*x", false, false),
            ("", false, false),
        ];
        for (value, named, star) in rows {
            let expected = Who { named, star };
            assert_eq!(one(value.as_bytes(), ours), expected, "{value:?}");
            assert_eq!(list(value.as_bytes(), ours), expected, "{value:?}");
        }
        assert!(list(b"a, IntentRouteBot", ours).named);
        assert!(!one(b"a, IntentRouteBot", ours).named);
        assert!(!one(b"", b"").named, "an empty token names nobody");
    }
}
