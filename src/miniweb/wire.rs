//! One accepted connection: bytes in, bytes out, counted.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A client that takes no byte for this long has lost its answer.
const WRITE_PATIENCE: Duration = Duration::from_secs(60);
/// How long a closing connection waits for the client's own end.
const CLOSE_PATIENCE: Duration = Duration::from_millis(500);

pub(super) struct Wire {
    stream: TcpStream,
    /// Bytes read and not yet consumed.
    pub(super) unread: Vec<u8>,
    sent: Arc<AtomicU64>,
}

impl Wire {
    pub(super) fn new(stream: TcpStream) -> Wire {
        // Each answer is one or two writes; waiting to join them only adds delay.
        let _ = stream.set_nodelay(true);
        Wire {
            stream,
            unread: Vec::new(),
            sent: Arc::default(),
        }
    }

    /// Bytes sent since the connection began; readable while a write is under way.
    pub(super) fn sent(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.sent)
    }

    /// Reads more into `unread`; 0 at the end of the stream or when `patience` ran out.
    pub(super) async fn fill(&mut self, patience: Duration) -> io::Result<usize> {
        self.unread.reserve(2048);
        match timeout(patience, self.stream.read_buf(&mut self.unread)).await {
            Ok(read) => read,
            Err(_) => Ok(0),
        }
    }

    pub(super) async fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let written = timeout(WRITE_PATIENCE, self.stream.write(bytes))
                .await
                .map_err(|_| io::ErrorKind::TimedOut)??;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            self.sent.fetch_add(written as u64, Ordering::Relaxed);
            bytes = &bytes[written..];
        }
        Ok(())
    }

    /// Waits; an error when the client goes away meanwhile.
    pub(super) async fn wait(&self, duration: Duration) -> io::Result<()> {
        tokio::select! {
            () = tokio::time::sleep(duration) => Ok(()),
            error = self.gone() => Err(error),
        }
    }

    async fn gone(&self) -> io::Error {
        match self.stream.peek(&mut [0]).await {
            Ok(0) => io::ErrorKind::ConnectionAborted.into(),
            // The next request is here already: its end cannot be seen before it is read.
            Ok(_) => std::future::pending().await,
            Err(error) => error,
        }
    }

    /// Closes so that what was sent arrives: a close with unread input would turn into a reset.
    pub(super) async fn close(mut self) {
        if self.stream.shutdown().await.is_err() {
            return;
        }
        let drained = async {
            let mut scrap = [0; 1024];
            while matches!(self.stream.read(&mut scrap).await, Ok(read) if read > 0) {}
        };
        let _ = timeout(CLOSE_PATIENCE, drained).await;
    }

    /// Ends the connection with a TCP reset.
    pub(super) fn reset(self) {
        let _ = self.stream.set_zero_linger();
    }
}
