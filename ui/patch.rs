//! The patch between two stored versions, for the command line and the console.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use engine::history::{Named, Origin, Patch, Pieces, Side, Stop, compare, is_binary, patch_path};
use engine::remedy;
use engine::store::Version;

use crate::engine;
use crate::msg::Save;

/// A version and its bytes.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) version: Version,
    pub(crate) bytes: Vec<u8>,
}

impl Body {
    fn path(&self) -> String {
        patch_path(self.version.host.as_str(), &self.version.location)
    }

    fn origin(&self) -> Origin<'_> {
        Origin {
            host: self.version.host.as_str(),
            location: &self.version.location,
            number: self.version.number,
            first_seen: self.version.first_seen,
            bytes: self.version.bytes,
            sha256: &self.version.sha256,
        }
    }
}

/// Writes the patch; without an old version it makes the new one of an empty file. Whether it is
/// approximate.
pub(crate) fn write(
    old: Option<&Body>,
    new: &Body,
    context: usize,
    stop: &Stop,
    out: &mut impl Write,
) -> io::Result<bool> {
    let new_path = new.path();
    let old_path = old.map_or_else(|| new_path.clone(), Body::path);
    let old_bytes = old.map_or(&[][..], |old| &old.bytes);
    let patch = Patch {
        old: Named {
            path: &old_path,
            body: old_bytes,
        },
        new: Named {
            path: &new_path,
            body: &new.bytes,
        },
        context,
    };
    if let Some(old) = old {
        old.origin().write("old", out)?;
    }
    new.origin().write("new", out)?;
    if is_binary(old_bytes) || is_binary(&new.bytes) {
        patch.write_binary(out)?;
        return Ok(false);
    }
    let lines = (Pieces::lines(old_bytes), Pieces::lines(&new.bytes));
    let old_side = Side::new(old_bytes, &lines.0);
    let new_side = Side::new(&new.bytes, &lines.1);
    let script = compare(old_side, new_side, stop).map_err(io::Error::other)?;
    patch.write((&lines.0, &lines.1), &script, out)?;
    Ok(script.approximate)
}

/// Saves a patch to a new file; one that is there is never written over. What to say.
pub(crate) fn save(save: &Save) -> Result<String, String> {
    let path = Path::new(&save.path);
    let failed = |error: &io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!(
            "{} is there already and was left as it is; write another name",
            save.path
        ),
        _ => format!("{}: {}", save.path, remedy::told(error)),
    };
    let file = File::options()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(|error| failed(&error))?;
    let mut out = BufWriter::new(file);
    let old = save.pair.old.as_ref().map(|old| &old.body);
    let stop = Stop::after(Stop::LONGEST);
    let written = write(old, &save.pair.new.body, 3, &stop, &mut out);
    if let Err(error) = written.and_then(|_| out.flush()) {
        // Half a patch is none.
        let _ = std::fs::remove_file(path);
        return Err(failed(&error));
    }
    Ok(format!("saved the patch to {}", save.path))
}
