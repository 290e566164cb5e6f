//! Events of a run as JSON Lines. The engine never waits for whoever reads them.

use std::io::Write;
use std::thread::JoinHandle;

use engine::crawl::Event;
use engine::remedy;
use tokio::sync::mpsc;

use super::output::say;
use crate::engine;
use crate::exit::Failure;
use crate::text::Clean;

/// Events that may wait to be written; more are dropped and counted by the engine.
const WAITING: usize = 65_536;

/// A thread that writes one run's events.
pub(crate) struct Events {
    writer: JoinHandle<()>,
}

impl Events {
    /// Starts the thread; the sender goes to the engine.
    pub(crate) fn start() -> (mpsc::Sender<Event>, Events) {
        let (sender, receiver) = mpsc::channel(WAITING);
        let writer = std::thread::spawn(move || write_all(receiver));
        (sender, Events { writer })
    }

    /// Waits until everything is written, and ends with the last event.
    pub(crate) async fn finish(self, last: &Event) -> Result<(), Failure> {
        let writer = self.writer;
        // The thread ends when the engine has dropped its sender.
        let _ = tokio::task::spawn_blocking(move || writer.join()).await;
        match write(last) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::Failed(
                format!("the output could not be written: {}", remedy::told(&error)),
            )),
            _ => Ok(()),
        }
    }
}

/// Writes until the engine is done or nobody reads: then the run goes on unheard.
fn write_all(mut events: mpsc::Receiver<Event>) {
    while let Some(event) = events.blocking_recv() {
        // The last one is written by `finish`, after everything else.
        if matches!(event, Event::RunFinished { .. }) {
            continue;
        }
        if let Err(error) = write(&event) {
            if error.kind() != std::io::ErrorKind::BrokenPipe {
                say(&Clean::new(format!(
                    "events cannot be written any more ({}); the run goes on without them",
                    remedy::told(&error)
                )));
            }
            return;
        }
    }
}

fn write(event: &Event) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    let mut out = std::io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}
