//! XML: a row an element, with its text where it holds nothing else. Nothing is parsed but where markup
//! ends; names are not compared, and no entity is looked up.

use super::{Fault, Layout};

pub(super) fn lay_out(body: &[u8]) -> Result<Layout, Fault> {
    let mut rows = Rows {
        body,
        layout: Layout::default(),
        depth: 0,
        row_depth: 0,
        opened: false,
    };
    let mut at = 0;
    while at < body.len() {
        let next = body[at..].iter().position(|byte| *byte == b'<');
        let text_end = next.map_or(body.len(), |next| at + next);
        rows.text(at, text_end);
        if text_end == body.len() {
            break;
        }
        let (kind, end) = markup(body, text_end)?;
        rows.markup(kind, text_end)?;
        at = end;
    }
    if rows.depth > 0 {
        return Err(("an element that is not closed", body.len()));
    }
    let depth = rows.row_depth;
    rows.layout.row(body.len(), depth);
    Ok(rows.layout)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Open,
    Close,
    /// An element without content, a comment, an instruction.
    Whole,
    /// Characters that are not markup.
    Data,
}

struct Rows<'a> {
    body: &'a [u8],
    layout: Layout,
    depth: u32,
    /// Depth of the row that is being made.
    row_depth: u32,
    /// The row that is being made began with an element whose content begins here.
    opened: bool,
}

impl Rows<'_> {
    fn begin(&mut self, at: usize) {
        self.layout.row(at, self.row_depth);
        self.row_depth = self.depth;
    }

    /// Text stays with the element it is all of; elsewhere it is a row. Blanks stay where they are.
    fn text(&mut self, from: usize, to: usize) {
        if !self.opened && !self.body[from..to].trim_ascii().is_empty() {
            self.begin(from);
        }
    }

    fn markup(&mut self, kind: Kind, at: usize) -> Result<(), Fault> {
        match kind {
            Kind::Open => {
                self.begin(at);
                self.depth += 1;
            }
            Kind::Close => {
                self.depth = self
                    .depth
                    .checked_sub(1)
                    .ok_or(("an end without a beginning", at))?;
                if !self.opened {
                    self.begin(at);
                }
            }
            Kind::Whole => self.begin(at),
            Kind::Data if self.opened => return Ok(()),
            Kind::Data => self.begin(at),
        }
        self.opened = kind == Kind::Open;
        Ok(())
    }
}

/// What begins with the `<` at `at`, and where it ends.
fn markup(body: &[u8], at: usize) -> Result<(Kind, usize), Fault> {
    let rest = &body[at..];
    for (start, end, kind) in [
        (&b"<!--"[..], &b"-->"[..], Kind::Whole),
        (b"<![CDATA[", b"]]>", Kind::Data),
        (b"<?", b"?>", Kind::Whole),
    ] {
        if rest.starts_with(start) {
            let found = find(&rest[start.len()..], end).ok_or(("markup without end", at))?;
            return Ok((kind, at + start.len() + found + end.len()));
        }
    }
    let end = tag_end(rest).ok_or(("markup without end", at))?;
    let kind = match &rest[..end] {
        [b'<', b'/', ..] => Kind::Close,
        [b'<', b'!', ..] | [.., b'/', b'>'] => Kind::Whole,
        _ => Kind::Open,
    };
    Ok((kind, at + end))
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

/// Behind the `>` that ends a tag or a declaration: not one in quotes, and not one between brackets.
fn tag_end(tag: &[u8]) -> Option<usize> {
    let (mut quote, mut brackets) = (None, 0_usize);
    for (at, byte) in tag.iter().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'[') => brackets += 1,
            (None, b']') => brackets = brackets.saturating_sub(1),
            (None, b'>') if brackets == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::history::{Form, Layout, NotLaidOut};

    fn rows(body: &str) -> Vec<String> {
        let (form, layout) = Layout::new(body.as_bytes()).unwrap();
        assert_eq!(form, Form::Xml);
        assert_eq!(layout.depths.len(), layout.pieces.len());
        let rows = layout.depths.iter().enumerate();
        rows.map(|(row, depth)| format!("{depth} {}", body[layout.pieces.range(row)].trim()))
            .collect()
    }

    #[test]
    fn an_element_a_row() {
        assert_eq!(
            rows(
                "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY a \"b\">]><r a='>'><!-- <x> --><t>one</t>\
                <u/><v>a<w>b</w>c</v><d><![CDATA[<no>]]></d></r>\n"
            ),
            [
                "0 <?xml version='1.0'?>",
                "0 <!DOCTYPE r [<!ENTITY a \"b\">]>",
                "0 <r a='>'>",
                "1 <!-- <x> -->",
                "1 <t>one</t>",
                "1 <u/>",
                "1 <v>a",
                "2 <w>b</w>",
                "2 c",
                "1 </v>",
                "1 <d><![CDATA[<no>]]></d>",
                "0 </r>",
            ]
        );
    }

    #[test]
    fn what_is_no_document_says_where() {
        for (body, wanted) in [
            ("<a><b></b>", 10),
            ("<a></a></b>", 7),
            ("<a", 0),
            ("<a><!-- ", 3),
            ("<a b=\"></a>", 0),
        ] {
            match Layout::new(body.as_bytes()) {
                Err(NotLaidOut::Broken { at, .. }) => assert_eq!(at, wanted, "{body}"),
                other => panic!("{body}: {other:?}"),
            }
        }
        for html in ["<!DOCTYPE html><html>", "<HTML>", "<!doctype  HTML>"] {
            assert_eq!(
                Layout::new(html.as_bytes()),
                Err(NotLaidOut::Neither),
                "{html}"
            );
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = format!("{}{}", "<a>".repeat(500_000), "</a>".repeat(500_000));
        let (_, layout) = Layout::new(deep.as_bytes()).unwrap();
        assert_eq!(layout.depths.iter().max(), Some(&499_999));
    }
}
