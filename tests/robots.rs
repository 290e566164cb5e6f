//! robots.txt from outside: the handed cases, the known faults, real files, hostile files.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests end the test"
)]

mod evidence;
mod faults;
mod gaps;
mod handed;
mod memory;
mod oracle;
mod policies;
mod real;
mod signals;
mod strange;

use lamplighter::robots::RobotsFile;

const LIMIT: usize = 512_000;

fn read(text: impl AsRef<[u8]>) -> RobotsFile {
    RobotsFile::read(text.as_ref(), "IntentRouteBot", LIMIT)
}
