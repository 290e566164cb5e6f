//! One mini web, one store, and processes of the real binary on it, one life after another.

use std::cell::Cell;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lamplighter::miniweb::{MiniWeb, Seen, Source};
use tokio::runtime::Runtime;

/// No run of these tests may take longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Host of our own requests.
const OWN: &str = "crash.lab.test";

/// One process, from just before it was started to just after it was found ended, UTC ms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Life {
    pub(super) from: u64,
    pub(super) to: u64,
}

/// A mini web on a thread of its own, a store, and a list of hosts.
pub(super) struct Lab {
    pub(super) web: MiniWeb,
    pub(super) lives: Vec<Life>,
    /// Requests of our own.
    own: Cell<u64>,
    store: PathBuf,
    place: tempfile::TempDir,
    _runtime: Runtime,
}

impl Lab {
    /// Serves these sites (name below `sites/` and script), and `generated` hosts more.
    pub(super) fn new(sites: &[(String, String)], generated: usize, list: &str) -> Lab {
        let place = place();
        let folder = place.path().join("sites");
        std::fs::create_dir(&folder).unwrap();
        for (name, script) in sites {
            std::fs::write(folder.join(format!("{name}.toml")), script).unwrap();
        }
        std::fs::write(place.path().join("hosts.txt"), list).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let source = Source::Folder(place.path().to_owned());
        let web = runtime
            .block_on(MiniWeb::start(source, generated, None))
            .unwrap_or_else(|error| panic!("{error}"));
        Lab {
            web,
            lives: Vec::new(),
            own: Cell::new(0),
            store: place.path().join("store"),
            place,
            _runtime: runtime,
        }
    }

    /// Keeps the store elsewhere.
    pub(super) fn with_store(mut self, store: PathBuf) -> Lab {
        self.store = store;
        self
    }

    pub(super) fn store(&self) -> &Path {
        &self.store
    }

    /// The arguments of a run on this web.
    pub(super) fn run_arguments(&self, more: &[&str]) -> Vec<String> {
        let hosts = self.place.path().join("hosts.txt");
        let (address, hosts) = (self.web.address().to_string(), hosts.display().to_string());
        let store = self.store.display().to_string();
        let fixed = [
            "run",
            "--headless",
            "--json",
            "--policy",
            "intentroute",
            "--loopback",
            &address,
            "--hosts",
            &hosts,
            "--store",
            &store,
        ];
        fixed
            .iter()
            .chain(more)
            .map(|text| (*text).to_owned())
            .collect()
    }

    /// Starts a run.
    pub(super) fn start(&self, more: &[&str]) -> Process {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
        command.args(self.run_arguments(more));
        self.spawn(command)
    }

    /// Starts any command as a process of this lab, its output in files.
    pub(super) fn spawn(&self, mut command: Command) -> Process {
        self.settle();
        let number = self.lives.len();
        let (out, err) = (
            self.place.path().join(format!("out{number}")),
            self.place.path().join(format!("err{number}")),
        );
        let from = utc_ms();
        let child = command
            .stdin(Stdio::null())
            .stdout(File::create(&out).unwrap())
            .stderr(File::create(&err).unwrap())
            .spawn()
            .unwrap();
        Process {
            child,
            from,
            out,
            err,
        }
    }

    /// Runs to the end, which must be a good one.
    pub(super) fn run_to_end(&mut self, more: &[&str]) {
        let process = self.start(more);
        let ended = process.ended();
        self.lives.push(ended.life);
        assert_eq!(ended.status.code(), Some(0), "{}", ended.err);
        assert!(ended.out.contains("\"complete\":true"), "{}", ended.out);
    }

    /// Requests the server has begun to answer, our own left out.
    pub(super) fn requests(&self) -> u64 {
        self.web.requests() - self.own.get()
    }

    /// Lets the server read what a dead process sent last, so that it is not taken for a request of
    /// the next: questions of our own come after it.
    pub(super) fn settle(&self) {
        for _ in 0..3 {
            let mut stream = TcpStream::connect(self.web.address()).unwrap();
            let head = format!("GET / HTTP/1.1\r\nHost: {OWN}\r\nConnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            stream.read_to_end(&mut Vec::new()).unwrap();
            self.own.set(self.own.get() + 1);
        }
        self.seen();
    }

    /// Waits until the server has begun to answer `count` requests; false if `process` ended before.
    pub(super) fn asked(&self, process: &mut Process, count: u64) -> bool {
        let begun = Instant::now();
        while self.requests() < count {
            if process.child.try_wait().unwrap().is_some() {
                return false;
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "only {} requests",
                self.requests()
            );
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Another command on this store.
    pub(super) fn command(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_lamplighter"))
            .args(["--store", self.store.to_str().unwrap()])
            .args(arguments)
            .env("NO_COLOR", "1")
            .output()
            .unwrap()
    }

    /// The same, which must succeed; gives stdout.
    pub(super) fn must(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What the server saw, in the order the requests began; every request has ended.
    pub(super) fn seen(&self) -> Vec<Seen> {
        let begun = Instant::now();
        loop {
            let mut seen = self.web.seen();
            if seen.len() as u64 == self.web.requests() {
                seen.retain(|seen| seen.host != OWN);
                seen.sort_by_key(|seen| seen.at_ms);
                return seen;
            }
            assert!(begun.elapsed() < PATIENCE, "a request that never ends");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A running process. Killed by its own id when dropped.
pub(super) struct Process {
    child: Child,
    from: u64,
    out: PathBuf,
    err: PathBuf,
}

/// A process that has ended.
pub(super) struct Ended {
    pub(super) life: Life,
    pub(super) status: ExitStatus,
    pub(super) out: String,
    pub(super) err: String,
}

impl Process {
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// SIGKILL, now.
    pub(super) fn kill(mut self) -> Ended {
        self.child.kill().unwrap();
        self.ended()
    }

    /// Waits for the end, however it comes.
    pub(super) fn ended(mut self) -> Ended {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "a run that does not end");
            std::thread::sleep(Duration::from_millis(1));
        };
        let read = |path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        Ended {
            life: Life {
                from: self.from,
                to: utc_ms(),
            },
            status,
            out: read(&self.out),
            err: read(&self.err),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Ours, by its id; ended already if all went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// UTC now, ms.
pub(super) fn utc_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    since.as_millis().try_into().unwrap()
}

/// A directory in memory where there is one: what a killed process has written stays either way, and
/// a disk that others keep busy makes no run late.
fn place() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Runs scenarios side by side, a few at a time; each names itself when it fails.
pub(super) fn side_by_side<T: Sync>(scenarios: &[T], run: impl Fn(usize, &T) + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(scenario) = scenarios.get(index) else {
                        return;
                    };
                    run(index, scenario);
                }
            });
        }
    });
}
