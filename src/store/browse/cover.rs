//! What forbids hosts, whoever forbade it: holds of this store, and the list the caller gives.

use rusqlite::Connection;

use super::super::{HostView, StoreError, control};
use crate::suppress::List;

/// Holds and suppressed names of one call.
pub(super) struct Cover<'a> {
    pub(super) holds: List,
    pub(super) suppressed: &'a List,
}

impl<'a> Cover<'a> {
    pub(super) fn read(conn: &Connection, view: HostView<'a>) -> Result<Cover<'a>, StoreError> {
        let scopes = control::holds(conn)?.into_iter().map(|hold| hold.scope);
        Ok(Cover {
            holds: List::new(scopes),
            suppressed: view.suppressed,
        })
    }
}
