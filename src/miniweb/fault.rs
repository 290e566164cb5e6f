//! Putting an answer on the wire, well or badly.

use std::io;
use std::time::{Duration, Instant};

use super::answer::{Announced, Answer, Body};
use super::script::{Fault, Framing};
use super::wire::Wire;

/// What becomes of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Keep,
    Close,
    Reset,
}

/// Bodies up to this size leave in one write with their head.
const ONE_WRITE: usize = 16 * 1024;
const CHUNK: usize = 8 * 1024;
/// Time for bytes to arrive before a reset throws away what is still under way.
const BEFORE_RESET: Duration = Duration::from_millis(30);

/// Faults that come before the first byte; `None` where the answer is to be sent.
pub(super) async fn before_head(wire: &Wire, fault: Option<&Fault>) -> io::Result<Option<After>> {
    match fault {
        Some(Fault::Silence { for_ms }) => {
            wire.wait(Duration::from_millis(*for_ms)).await?;
            Ok(Some(After::Close))
        }
        Some(Fault::HangUp) => Ok(Some(After::Close)),
        Some(Fault::Reset { send: 0 }) => Ok(Some(After::Reset)),
        _ => Ok(None),
    }
}

/// Sends an answer; `head_only` for HEAD, `close` where the client wants the connection ended.
pub(super) async fn send(
    wire: &mut Wire,
    answer: &Answer,
    head_only: bool,
    close: bool,
) -> io::Result<After> {
    let Some(fault) = &answer.fault else {
        return plain(wire, answer, head_only, close, (None, None)).await;
    };
    match fault {
        Fault::HeaderLine { line } => {
            plain(wire, answer, head_only, close, (None, Some(line))).await
        }
        Fault::StatusLine { line } => {
            plain(wire, answer, head_only, close, (Some(line), None)).await
        }
        _ if head_only => plain(wire, answer, true, close, (None, None)).await,
        Fault::Reset { send } => reset(wire, answer, *send).await,
        Fault::Truncate { send } => truncate(wire, answer, *send).await,
        Fault::BadChunk => {
            half_chunked(wire, answer).await?;
            wire.write(b"twelve or so\r\nmore of the same\r\n").await?;
            Ok(After::Close)
        }
        Fault::CutChunks => {
            half_chunked(wire, answer).await?;
            Ok(After::Close)
        }
        Fault::Drip { every_ms, for_ms } => drip(wire, answer, *every_ms, *for_ms).await,
        Fault::Surplus { text } => {
            let mut all = answer.head(&Announced::Length(answer.body.len()), false, None, None);
            all.extend(start_of(&answer.body, usize::MAX));
            all.extend(text.as_bytes());
            wire.write(&all).await?;
            Ok(After::Close)
        }
        Fault::Silence { .. } | Fault::HangUp => Ok(After::Close),
    }
}

/// An answer as it should be, save for a line of its head.
async fn plain(
    wire: &mut Wire,
    answer: &Answer,
    head_only: bool,
    close: bool,
    (first, extra): (Option<&str>, Option<&str>),
) -> io::Result<After> {
    let close = close || answer.close || (answer.framing == Framing::Close && !answer.bodiless());
    let announced = match answer.framing {
        _ if answer.bodiless() => Announced::Nothing,
        Framing::Length => Announced::Length(answer.body.len()),
        Framing::Chunked => Announced::Chunks,
        Framing::Close => Announced::Nothing,
    };
    let mut head = answer.head(&announced, close, first, extra);
    let bodiless = head_only || answer.bodiless();
    match (&answer.body, &announced) {
        _ if bodiless => wire.write(&head).await?,
        (body, Announced::Chunks) => {
            wire.write(&head).await?;
            chunks(wire, body).await?;
            wire.write(b"0\r\n\r\n").await?;
        }
        (Body::Bytes(bytes), _) if bytes.len() <= ONE_WRITE => {
            head.extend_from_slice(bytes);
            wire.write(&head).await?;
        }
        (body, _) => {
            wire.write(&head).await?;
            whole(wire, body).await?;
        }
    }
    Ok(if close { After::Close } else { After::Keep })
}

async fn whole(wire: &mut Wire, body: &Body) -> io::Result<()> {
    match body {
        Body::Bytes(bytes) => wire.write(bytes).await,
        Body::Repeat { line, bytes } => {
            let piece = line.repeat((64 * 1024 / line.len()).max(1));
            let mut left = *bytes;
            while left > 0 {
                let now = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                wire.write(&piece[..now]).await?;
                left -= now as u64;
            }
            Ok(())
        }
    }
}

async fn chunks(wire: &mut Wire, body: &Body) -> io::Result<()> {
    for part in start_of(body, usize::MAX).chunks(CHUNK) {
        let mut chunk = format!("{:x}\r\n", part.len()).into_bytes();
        chunk.extend_from_slice(part);
        chunk.extend_from_slice(b"\r\n");
        wire.write(&chunk).await?;
    }
    Ok(())
}

/// The first bytes of a body.
fn start_of(body: &Body, most: usize) -> Vec<u8> {
    let length = usize::try_from(body.len()).unwrap_or(usize::MAX).min(most);
    match body {
        Body::Bytes(bytes) => bytes[..length].to_vec(),
        Body::Repeat { line, .. } => line.iter().copied().cycle().take(length).collect(),
    }
}

fn half(body: &Body) -> usize {
    usize::try_from(body.len() / 2).unwrap_or(usize::MAX)
}

async fn reset(wire: &mut Wire, answer: &Answer, send: usize) -> io::Result<After> {
    let mut all = answer.head(&Announced::Length(answer.body.len()), false, None, None);
    all.extend(start_of(&answer.body, send));
    all.truncate(send);
    wire.write(&all).await?;
    wire.wait(BEFORE_RESET).await?;
    Ok(After::Reset)
}

async fn truncate(wire: &mut Wire, answer: &Answer, send: Option<usize>) -> io::Result<After> {
    let body = start_of(&answer.body, send.unwrap_or_else(|| half(&answer.body)));
    let announced = answer.body.len().max(body.len() as u64 + 1);
    let mut all = answer.head(&Announced::Length(announced), false, None, None);
    all.extend(body);
    wire.write(&all).await?;
    Ok(After::Close)
}

async fn half_chunked(wire: &mut Wire, answer: &Answer) -> io::Result<()> {
    let head = answer.head(&Announced::Chunks, false, None, None);
    wire.write(&head).await?;
    let half = start_of(&answer.body, half(&answer.body));
    chunks(wire, &Body::Bytes(half.into())).await
}

async fn drip(wire: &mut Wire, answer: &Answer, every_ms: u64, for_ms: u64) -> io::Result<After> {
    let head = answer.head(&Announced::Chunks, false, None, None);
    wire.write(&head).await?;
    let (begun, longest) = (Instant::now(), Duration::from_millis(for_ms));
    while begun.elapsed() < longest {
        wire.write(b"1\r\n.\r\n").await?;
        wire.wait(Duration::from_millis(every_ms)).await?;
    }
    Ok(After::Close)
}
