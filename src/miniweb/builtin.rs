//! The built-in sites, one file each in `assets/demo/sites`.

/// Host and text of each, in order of name. A test holds this against the folder.
pub(super) const SITES: &[(&str, &str)] = &[];
