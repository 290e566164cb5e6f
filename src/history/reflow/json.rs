//! JSON: a row a member, values as they are written. Nothing is parsed but strings and brackets, without
//! recursion: depth is bounded by the size of the document alone.

use super::{Fault, Layout, past_blanks};

pub(super) fn lay_out(body: &[u8]) -> Result<Layout, Fault> {
    let mut layout = Layout::default();
    let mut open: Vec<u8> = Vec::new();
    // Where the row that is being made begins, and how deep.
    let (mut from, mut depth) = (0, 0);
    let mut at = 0;
    while let Some(byte) = body.get(at).copied() {
        match byte {
            b'"' => at = past_string(body, at)?,
            b'{' | b'[' => {
                let close = if byte == b'{' { b'}' } else { b']' };
                let inside = past_blanks(body, at + 1);
                if body.get(inside) == Some(&close) {
                    at = inside + 1;
                } else {
                    layout.row(inside, depth);
                    open.push(close);
                    (from, depth, at) = (inside, depth + 1, inside);
                }
            }
            b'}' | b']' => {
                if open.pop() != Some(byte) {
                    return Err(("a bracket that closes none", at));
                }
                if !body[from..at].trim_ascii().is_empty() {
                    layout.row(at, depth);
                }
                (from, depth) = (at, depth - 1);
                at += 1;
            }
            b',' => {
                at = past_blanks(body, at + 1);
                layout.row(at, depth);
                from = at;
            }
            _ => at += 1,
        }
    }
    if !open.is_empty() {
        return Err(("a bracket that is not closed", body.len()));
    }
    layout.row(body.len(), depth);
    Ok(layout)
}

/// Behind the string that begins at `at`.
fn past_string(body: &[u8], at: usize) -> Result<usize, Fault> {
    let mut next = at + 1;
    while let Some(byte) = body.get(next) {
        match byte {
            b'"' => return Ok(next + 1),
            b'\\' => next += 2,
            _ => next += 1,
        }
    }
    Err(("a string without end", at))
}

#[cfg(test)]
mod tests {
    use crate::history::{Form, Layout, NotLaidOut};

    fn rows(body: &str) -> Vec<String> {
        let (form, layout) = Layout::new(body.as_bytes()).unwrap();
        assert_eq!(form, Form::Json);
        assert_eq!(layout.depths.len(), layout.pieces.len());
        assert_eq!(
            layout.pieces.span(0..usize::MAX - 1),
            0..body.len(),
            "nothing is left out"
        );
        let rows = layout.depths.iter().enumerate();
        rows.map(|(row, depth)| format!("{depth} {}", body[layout.pieces.range(row)].trim()))
            .collect()
    }

    #[test]
    fn a_member_a_row_in_the_order_of_the_file() {
        assert_eq!(
            rows(r#"{"b":1,"a":{"x":[1, {"y":"],\"{"}, [] ],"e":{ }}, "n":1.50e+3}"#),
            [
                "0 {",
                r#"1 "b":1,"#,
                r#"1 "a":{"#,
                r#"2 "x":["#,
                "3 1,",
                "3 {",
                r#"4 "y":"],\"{""#,
                "3 },",
                "3 []",
                "2 ],",
                r#"2 "e":{ }"#,
                "1 },",
                r#"1 "n":1.50e+3"#,
                "0 }",
            ]
        );
        assert_eq!(rows("[]\n"), ["0 []"]);
        assert_eq!(
            rows("\u{feff}{\"a\":1}\r\n"),
            ["0 \u{feff}{", "1 \"a\":1", "0 }"]
        );
    }

    #[test]
    fn what_is_no_document_says_where() {
        let broken = |body: &str| match Layout::new(body.as_bytes()) {
            Err(NotLaidOut::Broken { at, .. }) => at,
            other => panic!("{body}: {other:?}"),
        };
        assert_eq!(broken(r#"{"a":"b"#), 5);
        assert_eq!(broken("{\"a\":1]"), 6);
        assert_eq!(broken("[1,2"), 4);
        assert_eq!(broken("[\"\\"), 1);
        assert_eq!(Layout::new(b"plain"), Err(NotLaidOut::Neither));
        assert_eq!(Layout::new(b""), Err(NotLaidOut::Neither));
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = format!("{}{}", "[".repeat(2_000_000), "]".repeat(2_000_000));
        let (_, layout) = Layout::new(deep.as_bytes()).unwrap();
        assert_eq!(layout.depths.iter().max(), Some(&1_999_999));
        assert!(Layout::new("[".repeat(3_000_000).as_bytes()).is_err());
    }
}
