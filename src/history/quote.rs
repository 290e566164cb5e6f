//! File names in patches.

use std::fmt::Write as _;

/// The file a location stands for in a patch: below its host, as the page `index.html` where the
/// location is a directory. Steps that git or a file system would refuse or follow are percent-encoded.
pub fn patch_path(host: &str, location: &str) -> String {
    let mut path = host.to_owned();
    let location = location.strip_prefix('/').unwrap_or(location);
    for step in location.split('/') {
        path.push('/');
        path.push_str(&safe_step(step));
    }
    if location.is_empty() || location.ends_with('/') {
        path.push_str("index.html");
    }
    // An empty step in the middle is refused, and so is its place taken by nothing.
    path.replace("//", "/%2F")
}

/// `.`, `..` and whatever git takes for its own directory never stand as they are.
fn safe_step(step: &str) -> String {
    let lower = step.to_ascii_lowercase();
    let dots = !step.is_empty() && step.chars().all(|char| char == '.');
    if dots || lower.starts_with(".git") || lower.starts_with("git~") {
        let first = step.chars().next().unwrap_or('.');
        return format!("%{:02X}{}", u32::from(first), &step[first.len_utf8()..]);
    }
    // `patch` cuts blanks off the end of a name.
    match step.strip_suffix(' ') {
        Some(step) => format!("{step}%20"),
        None => step.to_owned(),
    }
    .replace('\0', "%00")
}

/// A name as git writes it: in quotes with octal escapes where it has other bytes than printable ASCII,
/// a quote or a backslash.
pub(super) fn quoted(prefix: &str, path: &str) -> String {
    let plain = |byte: u8| matches!(byte, 0x20..=0x7e) && byte != b'"' && byte != b'\\';
    if path.bytes().all(plain) {
        return format!("{prefix}{path}");
    }
    let mut out = format!("\"{prefix}");
    for byte in path.bytes() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            byte if plain(byte) => out.push(char::from(byte)),
            // Writing to a String cannot fail.
            byte => drop(write!(out, "\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}

/// A name on a `---` or `+++` line: a tab ends it where it holds a blank, or tools would read the rest as
/// a time.
pub(super) fn headed(prefix: &str, path: &str) -> String {
    let mut name = quoted(prefix, path);
    if path.contains(' ') && !name.ends_with('"') {
        name.push('\t');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_becomes_a_file_that_git_takes() {
        let cases = [
            ("/llms.txt", "a.test/llms.txt"),
            ("/", "a.test/index.html"),
            ("/docs/", "a.test/docs/index.html"),
            ("/a/../b", "a.test/a/%2E./b"),
            ("/.git/config", "a.test/%2Egit/config"),
            ("/.GIT", "a.test/%2EGIT"),
            ("/a  ", "a.test/a %20"),
            ("/a//b", "a.test/a/%2Fb"),
            ("/a///", "a.test/a/%2F/index.html"),
            ("/.well-known/x?y=1&z", "a.test/.well-known/x?y=1&z"),
        ];
        for (location, path) in cases {
            assert_eq!(patch_path("a.test", location), path, "{location}");
            assert!(!patch_path("a.test", location).contains("//"), "{location}");
        }
    }

    #[test]
    fn names_are_quoted_as_git_does() {
        assert_eq!(quoted("a/", "x/y z"), "a/x/y z");
        assert_eq!(headed("a/", "x/y z"), "a/x/y z\t");
        assert_eq!(quoted("b/", "ü\"\\\n\u{1}"), r#""b/\303\274\"\\\n\001""#);
        assert_eq!(headed("b/", "ü "), "\"b/\\303\\274 \"");
    }
}
