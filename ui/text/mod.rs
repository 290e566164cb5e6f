//! Text on its way to a screen: made harmless ([`Clean`]) and put into columns and units.

pub(crate) mod clean;
pub(crate) mod fit;
pub(crate) mod near;

pub(crate) use clean::Clean;
