//! Bodies by SHA-256.
