//! The web log: one JSON line a request, written by a thread of its own.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use super::ledger::Seen;

/// Lines that may wait; beyond that a request waits for the disk, as nothing may be lost.
const WAITING: usize = 8192;
/// A quiet log reaches the file after this.
const QUIET: Duration = Duration::from_millis(200);

enum Message {
    Line(Arc<Seen>),
    Flush(SyncSender<()>),
}

/// Handle of the writing thread, which ends with it after the last line is in the file.
pub(super) struct WebLog {
    sender: SyncSender<Message>,
}

impl WebLog {
    /// Creates the file, or empties it.
    pub(super) fn create(path: &Path) -> io::Result<WebLog> {
        let file = BufWriter::with_capacity(64 * 1024, File::create(path)?);
        let (sender, receiver) = sync_channel(WAITING);
        std::thread::Builder::new()
            .name("web-log".to_owned())
            .spawn(move || run(&receiver, file))?;
        Ok(WebLog { sender })
    }

    pub(super) fn write(&self, seen: Arc<Seen>) {
        // The thread lives as long as this handle; there is nobody else to tell.
        let _ = self.sender.send(Message::Line(seen));
    }

    /// Returns when every line written so far is in the file, or after two seconds.
    pub(super) fn flush(&self) {
        let (done, wait) = sync_channel(1);
        if self.sender.send(Message::Flush(done)).is_ok() {
            let _ = wait.recv_timeout(Duration::from_secs(2));
        }
    }
}

fn run(receiver: &Receiver<Message>, mut file: BufWriter<File>) {
    let mut clean = true;
    loop {
        let message = if clean {
            receiver.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            receiver.recv_timeout(QUIET)
        };
        match message {
            // A full disk loses lines, never requests.
            Ok(Message::Line(seen)) => {
                clean = false;
                let _ = line(&mut file, &seen);
            }
            Ok(Message::Flush(done)) => {
                clean = file.flush().is_ok();
                let _ = done.try_send(());
            }
            Err(RecvTimeoutError::Timeout) => {
                let _ = file.flush();
                clean = true;
            }
            Err(RecvTimeoutError::Disconnected) => {
                let _ = file.flush();
                return;
            }
        }
    }
}

fn line(file: &mut BufWriter<File>, seen: &Seen) -> io::Result<()> {
    serde_json::to_writer(&mut *file, seen)?;
    file.write_all(b"\n")
}
