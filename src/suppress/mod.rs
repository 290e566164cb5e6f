//! Names never to be asked: `suppressed.list`, a plain text file beside the store (OO4).
//!
//! One entry a line and nothing else: `example.com` with all names below it, `=host.example.com`
//! that host alone, `https://host/path` one page. Written whole, fsync, rename, under a lock.
//! A list that cannot be read means that nothing may be asked; this room never guesses.

mod entry;
mod file;
mod list;

pub use entry::{Entry, EntryError};
pub use file::{SuppressError, SuppressFile};
pub use list::List;
