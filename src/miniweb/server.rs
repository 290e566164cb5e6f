//! The listener and its life.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::ScriptError;

/// Where the sites come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// The sites built into the program (`assets/demo`).
    BuiltIn,
    /// A folder that holds `sites/HOST/VERSION/PATH…`.
    Folder(PathBuf),
}

/// A mini web that cannot start.
#[derive(Debug, thiserror::Error)]
pub enum MiniWebError {
    /// No such folder, or no sites in it.
    #[error("{}: there is no folder sites/HOST/VERSION here; give a folder laid out so", .0.display())]
    NoSites(PathBuf),
    /// A script is wrong.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// Input or output.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: std::io::Error,
    },
}

/// A running mini web; it ends when dropped.
pub struct MiniWeb {}

impl MiniWeb {
    /// Starts on a free loopback port. `generated` adds that many generated hosts; `web_log` gets a JSON line a request.
    pub async fn start(
        source: Source,
        generated: usize,
        web_log: Option<PathBuf>,
    ) -> Result<MiniWeb, MiniWebError> {
        let _ = (source, generated, web_log);
        unimplemented!()
    }

    /// The address to dial.
    pub fn address(&self) -> SocketAddr {
        unimplemented!()
    }

    /// Names of all hosts, scripted and generated, in order.
    pub fn hosts(&self) -> Vec<String> {
        unimplemented!()
    }

    /// Chooses version N (from 1) of every site; the last one a site has if fewer.
    pub fn choose_version(&self, version: usize) {
        let _ = version;
        unimplemented!()
    }

    /// Flushes the web log.
    pub fn flush(&self) {
        unimplemented!()
    }
}
