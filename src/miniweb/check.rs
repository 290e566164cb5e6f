//! A script's text to a script, checked when it is loaded so that no run meets a typing error.

use super::script::{Fault, Rule, Script, ScriptError, ScriptedCoding};

/// Longest scripted wait, ms: nothing here outlives a test.
const LONGEST_MS: u64 = 600_000;
/// Largest generated body, bytes.
const LARGEST: u64 = 1 << 30;

/// Parses and checks; `file` names it in errors.
pub(super) fn parse(text: &str, file: &str) -> Result<Script, ScriptError> {
    let script: Script = toml::from_str(text).map_err(|error| ScriptError {
        file: file.to_owned(),
        problem: error.to_string().trim_end().to_owned(),
    })?;
    for (index, rule) in script.rules.iter().enumerate() {
        check(rule).map_err(|problem| ScriptError {
            file: file.to_owned(),
            problem: format!("rule {} ({}): {problem}", index + 1, rule.path),
        })?;
    }
    Ok(script)
}

fn check(rule: &Rule) -> Result<(), String> {
    check_path(&rule.path)?;
    if rule
        .versions
        .as_ref()
        .is_some_and(|list| list.is_empty() || list.contains(&0))
    {
        return Err("versions count from 1; write versions = [1, 2], or leave it out".into());
    }
    let (from, to) = (
        rule.from_request.unwrap_or(1),
        rule.to_request.unwrap_or(u64::MAX),
    );
    if from == 0 || to < from {
        return Err(
            "requests count from 1; write from_request = 3 and a to_request no smaller".into(),
        );
    }
    if rule
        .status
        .is_some_and(|status| !(200..=999).contains(&status))
    {
        return Err("write a final status from 200 to 999".into());
    }
    let bodies = [
        rule.body.is_some(),
        rule.large.is_some(),
        rule.challenge,
        rule.redirect.is_some(),
    ];
    if bodies.iter().filter(|set| **set).count() > 1 {
        return Err("write only one of body, large, challenge and redirect".into());
    }
    check_sizes(rule)?;
    check_headers(rule)?;
    rule.fault.as_ref().map_or(Ok(()), check_fault)
}

fn check_path(path: &str) -> Result<(), String> {
    let stem = path.strip_suffix('*').unwrap_or(path);
    if stem.contains('*') || !(path == "*" || stem.starts_with('/')) {
        return Err(
            "write a path such as \"/llms.txt\", \"/docs/*\", or \"*\" for everything".into(),
        );
    }
    Ok(())
}

fn check_sizes(rule: &Rule) -> Result<(), String> {
    if rule.delay_ms > LONGEST_MS {
        return Err(format!("write a delay_ms of at most {LONGEST_MS}"));
    }
    if let Some(large) = &rule.large
        && (large.line.is_empty() || large.bytes == 0 || large.bytes > LARGEST)
    {
        return Err(format!(
            "large needs bytes from 1 to {LARGEST} and a line that is not empty"
        ));
    }
    let bomb = matches!(
        rule.coding,
        ScriptedCoding::GzipBomb | ScriptedCoding::BrotliBomb
    );
    if bomb != rule.opens_to.is_some() {
        return Err(
            "a bomb and opens_to belong together: coding = \"gzip_bomb\", opens_to = 20000000"
                .into(),
        );
    }
    if rule
        .opens_to
        .is_some_and(|size| size == 0 || size > LARGEST)
    {
        return Err(format!("write an opens_to from 1 to {LARGEST}"));
    }
    if rule.large.is_some() && rule.coding != ScriptedCoding::Negotiated {
        return Err("large is sent as it is; leave coding out, or use a bomb".into());
    }
    Ok(())
}

fn check_headers(rule: &Rule) -> Result<(), String> {
    let values = rule.headers.iter().map(|(_, value)| value);
    let others = [&rule.retry_after, &rule.redirect, &rule.etag]
        .into_iter()
        .flatten();
    if values
        .chain(others)
        .any(|value| value.contains(['\r', '\n']))
    {
        return Err(
            "a header value holds one line; for a broken head use fault.kind = \"header_line\""
                .into(),
        );
    }
    for (name, _) in &rule.headers {
        let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(token) {
            return Err(format!(
                "{name:?} is no header name; for a broken head use fault.kind = \"header_line\""
            ));
        }
    }
    Ok(())
}

fn check_fault(fault: &Fault) -> Result<(), String> {
    match fault {
        Fault::Silence { for_ms } if *for_ms > LONGEST_MS => {
            Err(format!("write a for_ms of at most {LONGEST_MS}"))
        }
        Fault::Drip { every_ms, for_ms } if *every_ms == 0 || *for_ms > LONGEST_MS => Err(format!(
            "write an every_ms of at least 1 and a for_ms of at most {LONGEST_MS}"
        )),
        Fault::HeaderLine { line } | Fault::StatusLine { line } if line.contains(['\r', '\n']) => {
            Err("write one line, without line ends".into())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_scripts_say_what_to_write() {
        for (text, says) in [
            ("[[rule]]\npath = \"llms.txt\"", "write a path such as"),
            ("[[rule]]\npath = \"/a*b*\"", "write a path such as"),
            ("[[rule]]\npath = \"/a\"\nversions = [0]", "count from 1"),
            (
                "[[rule]]\npath = \"/a\"\nfrom_request = 4\nto_request = 2",
                "from_request = 3",
            ),
            ("[[rule]]\npath = \"/a\"\nstatus = 100", "final status"),
            (
                "[[rule]]\npath = \"/a\"\nbody = \"x\"\nchallenge = true",
                "only one of",
            ),
            (
                "[[rule]]\npath = \"/a\"\ncoding = \"gzip_bomb\"",
                "opens_to",
            ),
            (
                "[[rule]]\npath = \"/a\"\nlarge = { bytes = 0, line = \"x\" }",
                "large needs",
            ),
            (
                "[[rule]]\npath = \"/a\"\nheaders = [[\"A B\", \"c\"]]",
                "no header name",
            ),
            (
                "[[rule]]\npath = \"/a\"\nretry_after = \"1\\n2\"",
                "holds one line",
            ),
            (
                "[[rule]]\npath = \"/a\"\nfault = { kind = \"silence\", for_ms = 9999999 }",
                "at most",
            ),
            (
                "[[rule]]\npath = \"/a\"\nfault = { kind = \"sulk\" }",
                "silence",
            ),
            (
                "[[rule]]\npath = \"/a\"\ncolour = \"red\"",
                "unknown field `colour`",
            ),
            ("[[rule]]\nstatus = 200", "missing field `path`"),
        ] {
            let error = parse(text, "_site.toml").unwrap_err();
            assert!(error.to_string().contains(says), "{text}\n{error}");
            assert!(error.to_string().starts_with("_site.toml: "), "{error}");
        }
    }
}
