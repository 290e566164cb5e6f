//! One-file sites: script and the files of every version in one text, as the built-in sites are written.
//!
//! ```toml
//! [[file]]
//! path = "/llms.txt"
//! versions = [1, 2]        # absent: in every version
//! text = '''
//! # Alder
//! '''
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;

use super::content::Site;
use super::file::File;
use super::{ScriptError, check};

/// One file in one or more versions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InlineFile {
    pub(super) path: String,
    versions: Option<Vec<usize>>,
    text: String,
    #[serde(default)]
    encoding: Encoding,
    #[serde(default)]
    line_ends: LineEnds,
}

/// How the text becomes bytes.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Encoding {
    #[default]
    Utf8,
    /// UTF-8 behind a byte order mark.
    Utf8Bom,
    /// UTF-16, little-endian, behind a byte order mark.
    Utf16le,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LineEnds {
    #[default]
    Lf,
    Crlf,
    Cr,
}

impl InlineFile {
    fn bytes(&self) -> Vec<u8> {
        let text = match self.line_ends {
            LineEnds::Lf => self.text.clone(),
            LineEnds::Crlf => self.text.replace('\n', "\r\n"),
            LineEnds::Cr => self.text.replace('\n', "\r"),
        };
        match self.encoding {
            Encoding::Utf8 => text.into_bytes(),
            Encoding::Utf8Bom => [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            Encoding::Utf16le => std::iter::once(0xFEFF)
                .chain(text.encode_utf16())
                .flat_map(u16::to_le_bytes)
                .collect(),
        }
    }
}

/// Reads a one-file site; `file` names it in errors.
pub(super) fn site(text: &str, file: &str) -> Result<Site, ScriptError> {
    let script = check::parse(text, file)?;
    let mentioned = script.files.iter().map(|inline| inline.versions.as_ref());
    let newest = mentioned
        .chain(script.rules.iter().map(|rule| rule.versions.as_ref()))
        .flatten()
        .flatten()
        .copied()
        .max()
        .unwrap_or(1);
    let mut versions: Vec<HashMap<String, Arc<File>>> = vec![HashMap::new(); newest];
    for inline in &script.files {
        if let Err(problem) = place(inline, &mut versions) {
            let problem = format!("file {}: {problem}", inline.path);
            return Err(ScriptError {
                file: file.to_owned(),
                problem,
            });
        }
    }
    Ok(Site::new(versions, script))
}

fn place(inline: &InlineFile, versions: &mut [HashMap<String, Arc<File>>]) -> Result<(), String> {
    if !inline.path.starts_with('/') {
        return Err("write a path that starts with /".into());
    }
    let all: Vec<usize> = (1..=versions.len()).collect();
    let stored = Arc::new(File::in_memory(inline.bytes()));
    for number in inline.versions.as_ref().unwrap_or(&all) {
        let version = number
            .checked_sub(1)
            .and_then(|index| versions.get_mut(index))
            .ok_or("versions count from 1; write versions = [1, 2]")?;
        let before = version.insert(inline.path.clone(), Arc::clone(&stored));
        if before.is_some() {
            return Err(format!(
                "version {number} is written twice; keep one of the two, or name its versions"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_written_once() {
        let twice = "[[file]]\npath = \"/a\"\ntext = \"x\"\n[[file]]\npath = \"/a\"\nversions = [1]\ntext = \"y\"";
        let error = site(twice, "a.test.toml").err().unwrap();
        assert!(error.problem.contains("written twice"), "{error}");
        let zero = "[[file]]\npath = \"/a\"\nversions = [0]\ntext = \"x\"";
        assert!(
            site(zero, "a.test.toml")
                .err()
                .unwrap()
                .problem
                .contains("count from 1")
        );
        let bare = "[[file]]\npath = \"a\"\ntext = \"x\"";
        assert!(
            site(bare, "a.test.toml")
                .err()
                .unwrap()
                .problem
                .contains("starts with /")
        );
    }

    #[test]
    fn encodings_become_bytes() {
        let file = |encoding, line_ends| InlineFile {
            path: "/a".into(),
            versions: None,
            text: "é\n".into(),
            encoding,
            line_ends,
        };
        assert_eq!(
            file(Encoding::Utf8, LineEnds::Crlf).bytes(),
            b"\xC3\xA9\r\n"
        );
        assert_eq!(
            file(Encoding::Utf8Bom, LineEnds::Cr).bytes(),
            b"\xEF\xBB\xBF\xC3\xA9\r"
        );
        assert_eq!(
            file(Encoding::Utf16le, LineEnds::Lf).bytes(),
            b"\xFF\xFE\xE9\0\n\0"
        );
    }
}
