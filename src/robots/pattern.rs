//! The linear matcher of canonical patterns: no regular expression, no backtracking.

/// Which octets occur: a coarse set, to pass over a rule without looking at its pattern.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Octets(u32);

impl Octets {
    /// The octets of a canonical path.
    pub(super) fn of(text: &[u8]) -> Octets {
        Octets(text.iter().fold(0, |set, b| {
            // Letters and digits fall on different bits as far as 32 bits allow.
            set | 1u32.rotate_left(u32::from(*b ^ (*b >> 4)))
        }))
    }

    /// The octets that a path must hold to be matched by a canonical pattern.
    pub(super) fn needed(pattern: &[u8]) -> Octets {
        pattern
            .strip_suffix(b"$")
            .unwrap_or(pattern)
            .split(|b| *b == b'*')
            .fold(Octets::default(), |set, piece| {
                Octets(set.0 | Octets::of(piece).0)
            })
    }

    /// Whether all of them occur in the other.
    pub(super) fn within(self, other: Octets) -> bool {
        self.0 & !other.0 == 0
    }
}

/// Whether a canonical pattern matches a canonical path: pieces between stars leftmost in order,
/// the first at the start, the last at the end if the pattern ends in `$`.
pub(super) fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix(b"$") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let head = pattern.iter().zip(path).take_while(|(a, b)| a == b).count();
    match pattern.get(head) {
        None => !anchored || head == path.len(),
        // A canonical path holds no star, so this one is the pattern's first.
        Some(b'*') => matches_from_star(&pattern[head..], &path[head..], anchored),
        Some(_) => false,
    }
}

/// The same for a pattern that begins with a star.
fn matches_from_star(mut pattern: &[u8], mut path: &[u8], anchored: bool) -> bool {
    loop {
        // However many stars stand in a row, they say the same.
        pattern = &pattern[stars(pattern)..];
        if pattern.is_empty() {
            return true;
        }
        let Some(end) = pattern.iter().position(|b| *b == b'*') else {
            return match anchored {
                true => path.ends_with(pattern),
                false => find(path, pattern).is_some(),
            };
        };
        let Some(at) = find(path, &pattern[..end]) else {
            return false;
        };
        path = &path[at + end..];
        pattern = &pattern[end..];
    }
}

/// How many stars stand at the start; counted in strides, since a rule may be 500 KiB of them.
pub(super) fn stars(pattern: &[u8]) -> usize {
    const STRIDE: [u8; 32] = [b'*'; 32];
    let (strides, _) = pattern.as_chunks::<32>();
    let whole = strides
        .iter()
        .take_while(|stride| **stride == STRIDE)
        .count()
        * STRIDE.len();
    let rest = pattern[whole..].iter().take_while(|b| **b == b'*').count();
    whole + rest
}

/// Where a piece of at least one octet first stands in a text.
fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    let (first, last) = (piece.first()?, piece.last()?);
    let starts = text.len().checked_sub(piece.len())? + 1;
    let ends = &text[piece.len() - 1..];
    text[..starts]
        .iter()
        .zip(ends)
        .enumerate()
        // Both ends first: they tell most places apart.
        .filter(|(_, (a, b))| *a == first && *b == last)
        .map(|(at, _)| at)
        .find(|at| piece.len() <= 2 || text[*at..].starts_with(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_rfc_9309_says() {
        let rows = [
            ("/", "/x", true),
            ("/x", "/X", false),
            ("/x", "/", false),
            ("/x$", "/x", true),
            ("/x$", "/xy", false),
            ("/$", "/", true),
            ("*", "/", true),
            ("/*.php$", "/a.php", true),
            ("/*.php$", "/a.php5", false),
            ("/*.php$", "/a.php.php", true),
            ("/*ab*ab$", "/abab", true),
            ("/*ab*ab$", "/xab", false),
            ("/*aba", "/ab-aba", true),
            ("/*aba", "/ab-ab", false),
            ("/x**y", "/x-y", true),
            ("/x***", "/x", true),
            ("/x*$", "/xyz", true),
            ("x", "/x", false),
            ("$", "/", false),
            ("*$", "/", true),
            ("**", "/", true),
        ];
        for (pattern, path, expected) in rows {
            assert_eq!(
                matches(pattern.as_bytes(), path.as_bytes()),
                expected,
                "{pattern} {path}"
            );
        }
    }
}
