//! The nearest known word to one that is not known.

/// Longest word compared; a longer one is near to nothing.
const LONGEST: usize = 40;
/// What a letter too many or missing costs, and two swapped.
const EXTRA: usize = 2;
/// What another letter costs: people leave letters out more often.
const OTHER: usize = 3;
/// Words named when none is near.
const NAMED: usize = 8;

/// The known word that a person most likely meant: one or two slips away, or the only one it begins.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word
        .chars()
        .take(LONGEST + 1)
        .flat_map(char::to_lowercase)
        .collect();
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let most = OTHER * (word.len() / 3).clamp(1, 2);
    known
        .into_iter()
        .filter_map(|candidate| {
            let letters: Vec<char> = candidate.chars().collect();
            let begun = word.len() >= 2 && letters.starts_with(&word);
            let far = if begun {
                EXTRA
            } else {
                distance(&word, &letters)
            };
            (far <= most).then_some((far, candidate))
        })
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

/// `write state`, or `use one of host, site, state` where nothing is near.
pub(crate) fn instead_of<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    if let Some(near) = nearest(word, known.clone()) {
        return format!("write {near}");
    }
    let all: Vec<&str> = known.into_iter().collect();
    let named = all[..all.len().min(NAMED)].join(", ");
    let more = if all.len() > NAMED { " …" } else { "" };
    format!("use one of {named}{more}")
}

/// Cost of the slips between two words: a letter too many, missing, other, or two swapped.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).map(|at| at * EXTRA).collect();
    for (i, letter) in left.iter().enumerate() {
        let mut row = vec![(i + 1) * EXTRA];
        for (j, other) in right.iter().enumerate() {
            let same = last[j] + OTHER * usize::from(letter != other);
            let mut best = same.min(last[j + 1] + EXTRA).min(row[j] + EXTRA);
            if i > 0 && j > 0 && left[i - 1] == *other && right[j - 1] == *letter {
                best = best.min(before[j - 1] + EXTRA);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let known = ["state", "status", "site", "size", "source"];
        let cases = [
            ("stat", Some("state")),
            ("sate", Some("state")),
            ("sttaus", Some("status")),
            ("STATUS", Some("status")),
            ("sou", Some("source")),
            ("siez", Some("size")),
            ("zebra", None),
            ("", None),
        ];
        for (word, near) in cases {
            assert_eq!(nearest(word, known), near, "{word}");
        }
        assert_eq!(nearest(&"x".repeat(100_000), known), None);
        assert_eq!(
            instead_of("zebra", known),
            "use one of state, status, site, size, source"
        );
    }
}
