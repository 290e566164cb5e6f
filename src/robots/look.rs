//! Does this look like a robots.txt at all (RB10)?

/// How much is looked at.
const LOOK: usize = 4096;

/// How a page begins, after white space and comments of its own kind.
const PAGE_MARKS: [&str; 6] = [
    "<!doctype html",
    "<html",
    "<head>",
    "<body",
    "<title>",
    "<script",
];

/// Whether the text is an HTML or XML page, or binary data.
pub(super) fn is_not_robots(text: &[u8]) -> bool {
    let head = &text[..text.len().min(LOOK)];
    is_page(head) || is_binary(head)
}

fn is_page(head: &[u8]) -> bool {
    if head.trim_ascii_start().starts_with(b"<") {
        return true;
    }
    head.split(|b| matches!(b, b'\r' | b'\n'))
        .map(<[u8]>::trim_ascii_start)
        .any(|line| {
            PAGE_MARKS.iter().any(|mark| {
                line.get(..mark.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(mark.as_bytes()))
            })
        })
}

/// Known beginnings, or more than one control octet in twenty.
fn is_binary(head: &[u8]) -> bool {
    const KNOWN: [&[u8]; 7] = [
        b"\x1F\x8B",
        b"\x89PNG",
        b"GIF8",
        b"\xFF\xD8\xFF",
        b"%PDF-",
        b"PK\x03\x04",
        b"\x28\xB5\x2F\xFD",
    ];
    let controls = head
        .iter()
        .filter(|b| b.is_ascii_control() && !b.is_ascii_whitespace())
        .count();
    KNOWN.iter().any(|start| head.starts_with(start)) || controls * 20 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_binaries_are_told_from_rules() {
        let rows: &[(&[u8], bool)] = &[
            (b"", false),
            (b"User-agent: *\nDisallow: /a\n", false),
            (b"# see <html> pages\nDisallow: /<html\n", false),
            (
                b"User-agent: *\nDisallow: /nul\0junk\nDisallow: /b\n",
                false,
            ),
            (b"\n  <!DOCTYPE html><p>", true),
            (b"<?xml version='1.0'?>", true),
            (b"Not found\n<HTML>", true),
            (b"\x1F\x8B\x08", true),
            (&[0; 100], true),
        ];
        for (text, expected) in rows {
            assert_eq!(is_not_robots(text), *expected, "{}", text.escape_ascii());
        }
    }
}
