//! What changed between two versions of a file, on their raw bytes.
//!
//! A body is cut into [`Pieces`] (lines, parts of giant lines, members of a JSON document, words,
//! bytes); [`compare`] finds a [`Script`] that turns the pieces of one body into those of the other;
//! [`patch`] writes it down as `git apply` and `patch` read it, and [`apply`] takes it in.
//!
//! Nothing here reads a file or draws. Work that may last takes a [`Stop`]: a time after which the
//! result becomes approximate, and a flag that ends it.

mod align;
mod apply;
mod breaks;
mod cite;
mod encoding;
mod facts;
mod hunks;
mod patch;
mod pieces;
mod quote;
mod reflow;
mod script;
mod search;
mod slide;
mod stop;
mod words;

pub use align::{Beside, align};
pub use apply::{Misfit, apply};
pub use breaks::LONG_LINE;
pub use cite::citation;
pub use encoding::{By, Encoding, Known};
pub use facts::{Facts, hex_row};
pub use hunks::{Hunk, hunks};
pub use patch::{Named, Origin, Patch, is_binary};
pub use pieces::Pieces;
pub use quote::patch_path;
pub use reflow::{Form, Layout, NotLaidOut};
pub use script::{Change, Script, Side, compare};
pub use stop::{Cancelled, Stop};
pub use words::{Marks, words};
