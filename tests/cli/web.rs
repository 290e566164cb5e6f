//! A loopback web for the real binary.

use std::path::Path;

use lamplighter::miniweb::{MiniWeb, Source};
use tokio::runtime::Runtime;

/// Serves as long as it lives.
pub(super) struct Web {
    web: MiniWeb,
    _runtime: Runtime,
    _place: tempfile::TempDir,
}

impl Web {
    /// Sites as (host, script of a one-file site).
    pub(super) fn start(sites: &[(&str, &str)]) -> Web {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("sites");
        std::fs::create_dir(&folder).unwrap();
        for (host, script) in sites {
            std::fs::write(folder.join(format!("{host}.toml")), script).unwrap();
        }
        let runtime = Runtime::new().unwrap();
        let source = Source::Folder(place.path().to_path_buf());
        let web = runtime
            .block_on(MiniWeb::start(source, 0, None))
            .unwrap_or_else(|error| panic!("{error}"));
        Web {
            web,
            _runtime: runtime,
            _place: place,
        }
    }

    /// For `--loopback`.
    pub(super) fn address(&self) -> String {
        self.web.address().to_string()
    }

    /// Hosts and paths in the order in which they were asked.
    pub(super) fn asked(&self) -> Vec<(String, String)> {
        let seen = self.web.seen().into_iter();
        seen.map(|seen| (seen.host, seen.path)).collect()
    }

    /// A list file of its hosts.
    pub(super) fn list(&self, directory: &Path) -> String {
        super::list_file(directory, &self.web.hosts().join("\n"))
    }
}
