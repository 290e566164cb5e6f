//! One stored body: read once, hashed once, coded at most once a coding.

use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tokio::sync::OnceCell;

use super::coding::{self, Coding};

/// A body as it is stored: in memory, or in a file that is read at the first request.
pub(super) struct File {
    source: Stored,
    content: OnceCell<Arc<Content>>,
    /// Index of the version since which the bytes are the same; found at the first request.
    pub(super) since: OnceCell<usize>,
}

enum Stored {
    Memory(Arc<[u8]>),
    Disk(PathBuf),
}

impl File {
    pub(super) fn in_memory(bytes: Vec<u8>) -> File {
        File::new(Stored::Memory(bytes.into()))
    }

    pub(super) fn on_disk(path: PathBuf) -> File {
        File::new(Stored::Disk(path))
    }

    fn new(source: Stored) -> File {
        File {
            source,
            content: OnceCell::new(),
            since: OnceCell::new(),
        }
    }

    /// The bytes and what is derived from them. A failed read is tried again at the next request.
    pub(super) async fn content(&self) -> std::io::Result<Arc<Content>> {
        let content = self.content.get_or_try_init(|| async {
            let bytes = match &self.source {
                Stored::Memory(bytes) => Arc::clone(bytes),
                Stored::Disk(path) => tokio::fs::read(path).await?.into(),
            };
            Ok::<_, std::io::Error>(Arc::new(Content::new(bytes)))
        });
        content.await.map(Arc::clone)
    }
}

/// Bytes with their digest and coded forms.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) bytes: Arc<[u8]>,
    /// Start of the SHA-256 in hex: enough for an entity tag.
    pub(super) digest: String,
    gzip: OnceCell<Option<Arc<[u8]>>>,
    brotli: OnceCell<Option<Arc<[u8]>>>,
}

impl Content {
    pub(super) fn new(bytes: Arc<[u8]>) -> Content {
        let digest = short_digest(&bytes);
        Content {
            bytes,
            digest,
            gzip: OnceCell::new(),
            brotli: OnceCell::new(),
        }
    }

    /// The coded form, or `None` where coding would not make it smaller.
    pub(super) async fn coded(&self, coding: Coding) -> Option<Arc<[u8]>> {
        if self.bytes.len() < coding::SMALLEST {
            return None;
        }
        let cell = match coding {
            Coding::Gzip => &self.gzip,
            Coding::Brotli => &self.brotli,
        };
        let coded = cell.get_or_init(|| async {
            let bytes = Arc::clone(&self.bytes);
            let coded = tokio::task::spawn_blocking(move || coding.encode(&bytes)).await;
            coded
                .ok()
                .filter(|coded| coded.len() < self.bytes.len())
                .map(Arc::from)
        });
        coded.await.clone()
    }
}

fn short_digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest[..10]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
