//! The last look at a permit: between a connection that was just made and the first byte on it.
//!
//! Connecting can take seconds; a pause or a suppression in that time must still hold (rule 2).

use std::sync::{Arc, Mutex, PoisonError};

use tower::layer::layer_fn;
use tower::util::AndThen;

use super::{Permit, Revocation};

/// The permit of the request under way, shared with the connector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leave(Arc<Mutex<Revocation>>);

/// The request was stopped before it was sent.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("stopped before it was sent")]
pub(crate) struct Revoked;

impl Leave {
    /// From now on this permit decides.
    pub(crate) fn take(&self, permit: &Permit) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = permit.revocation().clone();
    }

    /// Whether it was taken back.
    pub(crate) fn is_revoked(&self) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_revoked()
    }

    /// A client whose new connections carry nothing once the permit is taken back.
    pub(crate) fn guard(&self, builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
        let leave = self.clone();
        builder.connector_layer(layer_fn(move |connector| {
            let leave = leave.clone();
            AndThen::new(connector, move |connection| {
                let revoked = leave.is_revoked();
                async move {
                    if revoked {
                        return Err(Box::<dyn std::error::Error + Send + Sync>::from(Revoked));
                    }
                    Ok(connection)
                }
            })
        }))
    }
}
