//! One integration binary; one file a theme.

mod support;

mod audit;
mod cli;
mod console;
mod crash;
mod crawl;
mod fetch;
mod miniweb;
mod names;
mod robots;
mod store;
mod suppress;
