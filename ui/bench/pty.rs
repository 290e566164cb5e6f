//! The real program in a pseudo-terminal, with the time at which each frame was whole.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// What ends a frame.
const END: &[u8] = b"\x1b[?2026l";
/// What is waited for longer than this does not come.
const PATIENCE: Duration = Duration::from_secs(30);

/// A frame: when its last byte was read.
pub(crate) struct Frame {
    pub(crate) at: Instant,
    pub(crate) text: String,
}

/// The program and the screen it draws.
pub(crate) struct Console {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    pieces: Receiver<(Instant, Vec<u8>)>,
    screen: vt100::Parser,
    /// Bytes that are no whole frame yet.
    rest: Vec<u8>,
    /// When the last piece was read.
    came: Instant,
    /// All bytes so far.
    pub(crate) bytes: usize,
    pub(crate) begun: Instant,
    _home: tempfile::TempDir,
}

fn size((cols, rows): (u16, u16)) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

impl Console {
    pub(crate) fn start(arguments: &[&str], dimensions: (u16, u16)) -> Console {
        let home = tempfile::tempdir().unwrap();
        let pair = native_pty_system().openpty(size(dimensions)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_lamplighter"));
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        command.env("LC_ALL", "C.UTF-8");
        command.env_remove("NO_COLOR");
        command.env("XDG_CONFIG_HOME", home.path());
        let begun = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, pieces) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 64 * 1024];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender
                    .send((Instant::now(), buffer[..count].to_vec()))
                    .is_err()
                {
                    return;
                }
            }
        });
        Console {
            child,
            keys: pair.master.take_writer().unwrap(),
            master: pair.master,
            pieces,
            screen: screen(dimensions),
            rest: Vec::new(),
            came: begun,
            bytes: 0,
            begun,
            _home: home,
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    pub(crate) fn press(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).unwrap();
        self.keys.flush().unwrap();
    }

    /// Another size, for both ends.
    pub(crate) fn resize(&mut self, dimensions: (u16, u16)) {
        self.master.resize(size(dimensions)).unwrap();
        let (columns, rows) = dimensions;
        self.screen
            .screen_mut()
            .set_size(rows.try_into().unwrap(), columns.try_into().unwrap());
    }

    /// What the screen shows.
    pub(crate) fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// The next whole frame, if one comes in this time.
    pub(crate) fn frame_within(&mut self, time: Duration) -> Option<Frame> {
        let until = Instant::now() + time;
        loop {
            if let Some(at) = find(&self.rest, END) {
                let rest = self.rest.split_off(at + END.len());
                let frame = std::mem::replace(&mut self.rest, rest);
                self.screen.process(&frame);
                return Some(Frame {
                    at: self.came,
                    text: self.text(),
                });
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.pieces.recv_timeout(left) {
                Ok((came, piece)) => {
                    self.came = came;
                    self.bytes += piece.len();
                    self.rest.extend_from_slice(&piece);
                }
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the program has ended:\n{}", self.text())
                }
            }
        }
    }

    /// Frames until one shows what is looked for; the last one is it.
    pub(crate) fn until(&mut self, what: &str, shows: impl Fn(&str) -> bool) -> Vec<Frame> {
        let mut frames = Vec::new();
        let end = Instant::now() + PATIENCE;
        loop {
            let frame = self.frame_within(end.saturating_duration_since(Instant::now()));
            let frame =
                frame.unwrap_or_else(|| panic!("waited in vain for {what}:\n{}", self.text()));
            let over = shows(&frame.text);
            frames.push(frame);
            if over {
                return frames;
            }
        }
    }

    /// Everything that comes until it is quiet for so long.
    pub(crate) fn settle(&mut self, quiet: Duration) -> Vec<Frame> {
        std::iter::from_fn(|| self.frame_within(quiet)).collect()
    }

    /// Everything that comes in this time.
    pub(crate) fn during(&mut self, time: Duration) -> Vec<Frame> {
        let until = Instant::now() + time;
        std::iter::from_fn(|| self.frame_within(until.saturating_duration_since(Instant::now())))
            .collect()
    }

    /// Seconds of processor time, and wake-ups of all its threads, so far.
    pub(crate) fn spent(&self) -> (f64, f64) {
        let process = format!("/proc/{}", self.id());
        let told = std::fs::read_to_string(format!("{process}/stat")).unwrap();
        let fields: Vec<&str> = told
            .rsplit(')')
            .next()
            .unwrap()
            .split_whitespace()
            .collect();
        let ticks: f64 = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
        let threads = std::fs::read_dir(format!("{process}/task")).unwrap();
        let wakes =
            threads.filter_map(|thread| status(&thread.ok()?.path(), "voluntary_ctxt_switches:"));
        (ticks / 100.0, wakes.sum())
    }

    /// Resident memory, MB.
    pub(crate) fn memory(&self) -> f64 {
        memory(self.id())
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        // Ours, by its id.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Resident memory of a process, MB.
pub(crate) fn memory(process: u32) -> f64 {
    let kilobytes = status(Path::new(&format!("/proc/{process}")), "VmRSS:");
    kilobytes.unwrap() * 1_024.0 / 1e6
}

fn status(process: &Path, name: &str) -> Option<f64> {
    let told = std::fs::read_to_string(process.join("status")).ok()?;
    let line = told.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

pub(crate) fn screen((columns, rows): (u16, u16)) -> vt100::Parser {
    vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0)
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|here| here == wanted)
}
