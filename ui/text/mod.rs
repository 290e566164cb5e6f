//! Text on its way to a screen: made harmless ([`Clean`]) and put into columns and units.

pub(crate) mod clean;
pub(crate) mod fit;
mod hidden;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "the pages of hosts will use it")
)]
pub(crate) mod name;
pub(crate) mod near;

pub(crate) use clean::Clean;
