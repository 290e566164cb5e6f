//! One connection, request after request.

use std::sync::Arc;

use tokio::net::TcpStream;

use super::answer::Answer;
use super::fault::{self, After};
use super::ledger::Ledger;
use super::request::{self, Read, Request};
use super::respond::Web;
use super::wire::Wire;

/// Serves a connection until either side ends it. `number` counts accepted connections from 1.
pub(super) async fn serve(web: Arc<Web>, ledger: Arc<Ledger>, stream: TcpStream, number: u64) {
    let _open = ledger.connected();
    let mut wire = Wire::new(stream);
    loop {
        let after = match request::read(&mut wire).await {
            Ok(Read::Request(request)) => {
                exchange(&web, &ledger, &mut wire, &request, number).await
            }
            Ok(Read::Malformed) => malformed(&ledger, &mut wire, number).await,
            Ok(Read::End) | Err(_) => return,
        };
        match after {
            Ok(After::Keep) => {}
            Ok(After::Close) => return wire.close().await,
            Ok(After::Reset) => return wire.reset(),
            Err(_) => return,
        }
    }
}

/// One request and its answer. The record is written when it ends, also when the client is gone.
async fn exchange(
    web: &Web,
    ledger: &Arc<Ledger>,
    wire: &mut Wire,
    request: &Request,
    connection: u64,
) -> std::io::Result<After> {
    let mut record = ledger.begin(request, connection, wire.sent());
    let answer = web.answer(request, record.number()).await;
    record.fault(answer.word);
    if !answer.delay.is_zero() {
        wire.wait(answer.delay).await?;
    }
    if let Some(after) = fault::before_head(wire, answer.fault.as_ref()).await? {
        return Ok(after);
    }
    record.status(answer.status);
    // A body that nobody reads would be taken for the next request.
    let close = !request.keep_alive || request.has_body;
    fault::send(wire, &answer, request.is_head(), close).await
}

async fn malformed(
    ledger: &Arc<Ledger>,
    wire: &mut Wire,
    connection: u64,
) -> std::io::Result<After> {
    let mut record = ledger.begin(&Request::default(), connection, wire.sent());
    record.status(400);
    let answer = Answer::text(400, "This is no HTTP/1.1 request.\n");
    fault::send(wire, &answer, false, true).await
}
