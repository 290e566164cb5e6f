//! The listener and its life.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket};
use tokio::task::{JoinHandle, JoinSet};

use super::ScriptError;
use super::connection;
use super::content::Sites;
use super::generated::Generated;
use super::ledger::{Ledger, Manners, Seen};
use super::respond::Web;
use super::weblog::WebLog;

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 4096;

/// Where the sites come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// The sites built into the program (`assets/demo`).
    BuiltIn,
    /// A folder that holds `sites/HOST/VERSION/PATH…`, or `sites/HOST.toml` for a one-file site.
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
    #[error("{what}: {}", crate::remedy::told(source))]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: std::io::Error,
    },
}

/// A running mini web; it ends when dropped.
pub struct MiniWeb {
    address: SocketAddr,
    web: Arc<Web>,
    ledger: Arc<Ledger>,
    accepting: JoinHandle<()>,
}

impl MiniWeb {
    /// Starts on a free loopback port. `generated` adds that many generated hosts; `web_log` gets a JSON line a request.
    pub async fn start(
        source: Source,
        generated: usize,
        web_log: Option<PathBuf>,
    ) -> Result<MiniWeb, MiniWebError> {
        let (sites, log) = tokio::task::spawn_blocking(move || load(source, web_log))
            .await
            .map_err(|error| failed("the sites could not be read", error.into()))??;
        let web = Arc::new(Web::new(sites, Generated::new(generated)));
        let ledger = Arc::new(Ledger::new(log));
        let (listener, address) =
            listen().map_err(|error| failed("no loopback port could be opened", error))?;
        let accepting = tokio::spawn(accept(listener, Arc::clone(&web), Arc::clone(&ledger)));
        Ok(MiniWeb {
            address,
            web,
            ledger,
            accepting,
        })
    }

    /// The address to dial.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Names of the hosts to visit, scripted and generated, in order. A host that its script calls
    /// unlisted is served all the same and left out here: redirects lead to it.
    pub fn hosts(&self) -> Vec<String> {
        let listed = self.web.sites.listed().map(str::to_owned);
        listed.chain(self.web.generated.names()).collect()
    }

    /// Chooses version N (from 1) of every site; the last one a site has if fewer. The counts behind
    /// `from_request` begin anew.
    pub fn choose_version(&self, version: usize) {
        self.web.choose_version(version);
    }

    /// Flushes the web log.
    pub fn flush(&self) {
        self.ledger.flush();
    }

    /// The requests that have ended, in the order they ended; the last 10,000 at most.
    pub fn seen(&self) -> Vec<Seen> {
        self.ledger.seen()
    }

    /// How each host asked was treated, by name.
    pub fn manners(&self) -> Vec<Manners> {
        self.ledger.manners()
    }

    /// Requests begun since the start.
    pub fn requests(&self) -> u64 {
        self.ledger.requests()
    }

    /// Most connections open at the same time.
    pub fn most_connections(&self) -> u64 {
        self.ledger.most_open()
    }
}

impl Drop for MiniWeb {
    fn drop(&mut self) {
        self.accepting.abort();
        self.ledger.flush();
    }
}

fn load(source: Source, web_log: Option<PathBuf>) -> Result<(Sites, Option<WebLog>), MiniWebError> {
    let sites = match source {
        Source::BuiltIn => Sites::builtin()?,
        Source::Folder(folder) => Sites::folder(&folder)?,
    };
    let log = match web_log {
        None => None,
        Some(path) => Some(WebLog::create(&path).map_err(|error| {
            let what = format!(
                "the web log {} could not be created; choose a file in a folder that exists",
                path.display()
            );
            failed(&what, error)
        })?),
    };
    Ok((sites, log))
}

fn failed(what: &str, source: std::io::Error) -> MiniWebError {
    MiniWebError::Io {
        what: what.to_owned(),
        source,
    }
}

fn listen() -> std::io::Result<(TcpListener, SocketAddr)> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
    let listener = socket.listen(BACKLOG)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Accepts until aborted; the connections end with it.
async fn accept(listener: TcpListener, web: Arc<Web>, ledger: Arc<Ledger>) {
    let mut connections = JoinSet::new();
    let mut number = 0;
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                number += 1;
                let (web, ledger) = (Arc::clone(&web), Arc::clone(&ledger));
                connections.spawn(connection::serve(web, ledger, stream, number));
            }
            // Out of descriptors: some connection will end.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
        while connections.try_join_next().is_some() {}
    }
}
