//! Small parts that panes are drawn with.

pub(crate) mod strip;
