//! The console and the command line of Lamplighter.

use lamplighter as engine;

mod text;

fn main() {}
