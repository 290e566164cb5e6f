//! Schema and migrations.
