//! Patches: what a diff says is what turned one version into the other, by three readers of patches.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests stop at the first fault"
)]

mod corpus;
mod names;
mod random;
mod tools;

use lamplighter::history::{Named, Patch, Pieces, Side, Stop, compare};

/// The patch between two bodies.
fn patch(path: &str, old: &[u8], new: &[u8], context: usize) -> Vec<u8> {
    patch_of(path, path, old, new, context)
}

fn patch_of(old_path: &str, new_path: &str, old: &[u8], new: &[u8], context: usize) -> Vec<u8> {
    let (old_lines, new_lines) = (Pieces::lines(old), Pieces::lines(new));
    let script = compare(
        Side::new(old, &old_lines),
        Side::new(new, &new_lines),
        &Stop::never(),
    )
    .unwrap();
    assert!(!script.approximate);
    let patch = Patch {
        old: Named {
            path: old_path,
            body: old,
        },
        new: Named {
            path: new_path,
            body: new,
        },
        context,
    };
    let mut out = Vec::new();
    patch
        .write((&old_lines, &new_lines), &script, &mut out)
        .unwrap();
    out
}
