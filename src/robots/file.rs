//! One robots.txt as read for one token.

use super::{Signals, Verdict};

/// A declared Crawl-delay that could be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    /// Seconds, finite and not negative.
    pub seconds: f64,
    /// 1-based line.
    pub line: u32,
}

/// A robots.txt read for one token. Cheap to drop; never stored in parsed form.
pub struct RobotsFile {}

impl RobotsFile {
    /// Reads `bytes` for `token`. At most `max_bytes` are read, a line cut there is dropped.
    pub fn read(bytes: &[u8], token: &str, max_bytes: usize) -> RobotsFile {
        let _ = (bytes, token, max_bytes);
        unimplemented!()
    }

    /// May `path` (path and query, as it would be asked) be fetched, and which line says so.
    pub fn verdict(&self, path: &str) -> Verdict {
        let _ = path;
        unimplemented!()
    }

    /// The longest delay declared for us, if any (PC3).
    pub fn delay(&self) -> Option<Delay> {
        unimplemented!()
    }

    /// Values of Sitemap lines in file order.
    pub fn sitemaps(&self) -> &[String] {
        unimplemented!()
    }

    /// Content signals in force for us at `path` (CS1 to CS3).
    pub fn signals(&self, path: &str) -> Signals {
        let _ = path;
        unimplemented!()
    }

    /// Whether the bytes look like no robots.txt at all: an HTML page or binary (RB10).
    pub fn is_not_robots(&self) -> bool {
        unimplemented!()
    }

    /// What an operator should know of this file: merged groups, comma lists, orphan rules, misspelt keys…
    pub fn notes(&self) -> &[String] {
        unimplemented!()
    }
}
