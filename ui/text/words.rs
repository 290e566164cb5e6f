//! Words of the log as people read them. JSON and filters keep the words of the contract.

/// What came of a request: `present`, `unchanged`, `soft 404`…
pub(crate) fn outcome(word: &str) -> String {
    match word {
        "not_modified" => "unchanged".to_owned(),
        "unexpected_304" => "304 unasked".to_owned(),
        "soft_absent" => "soft 404".to_owned(),
        "dns" => "no address".to_owned(),
        "tls" => "TLS failed".to_owned(),
        "connect" => "no connection".to_owned(),
        "coding" => "bad coding".to_owned(),
        word => plain(word),
    }
}

/// A word of the contract without the signs of a program.
pub(crate) fn plain(word: &str) -> String {
    let text = word.replace('_', " ");
    match text.split_once(':') {
        Some((head, tail)) if !tail.starts_with(' ') => format!("{head}: {tail}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fetch::Outcome;

    #[test]
    fn words_of_the_contract_are_plain() {
        assert_eq!(plain("closed:too_large"), "closed: too large");
        assert_eq!(plain("failed: not read"), "failed: not read");
        assert_eq!(plain("site_limited"), "site limited");
    }

    #[test]
    fn no_outcome_is_told_in_code() {
        for known in Outcome::ALL {
            let word = outcome(known.word());
            assert!(!word.contains('_') && word.len() <= 15, "{word}");
        }
    }
}
