//! How a version is cited.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::policy::Policy;

/// What of a citation changes from version to version, as the policy's public page names it.
const BLANKS: &str = "host, observed date, SHA-256, ";

/// The line by which a version is cited (PB2), in the words of the policy's page: host, date (UTC) on
/// which it was first seen, digest, and the rest as the page has it. None where the page names no form.
pub fn citation(
    policy: &Policy,
    host: &str,
    observed: Timestamp,
    sha256: &[u8; 32],
) -> Option<String> {
    let form = policy.page.get("licence")?;
    let (_, rest) = form.split_once(BLANKS)?;
    let mut line = format!("{host}, {}, ", observed.strftime("%Y-%m-%d"));
    for byte in sha256 {
        // Writing to a String cannot fail.
        let _ = write!(line, "{byte:02x}");
    }
    line.push_str(", ");
    line.push_str(rest.trim_end_matches('.'));
    Some(line)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::policy::load;

    #[test]
    fn a_version_is_cited_as_the_page_says() {
        let policy = load(Path::new("intentroute")).unwrap();
        let observed = "2026-11-30T23:59:59.9Z".parse().unwrap();
        assert_eq!(
            citation(&policy, "docs.alder.test", observed, &[0xab; 32]).unwrap(),
            format!(
                "docs.alder.test, 2026-11-30, {}, IntentRoute (intentroute.net), CC BY 4.0",
                "ab".repeat(32)
            )
        );
    }

    #[test]
    fn a_policy_without_the_promise_has_no_citation() {
        let policy = load(Path::new("itisyou")).unwrap();
        assert_eq!(
            citation(&policy, "a.test", Timestamp::UNIX_EPOCH, &[0; 32]),
            None
        );
    }
}
