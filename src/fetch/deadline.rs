//! How long one request may take: silence, speed, and the whole of it.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::Outcome;
use super::body::Stop;
use crate::policy::{Transfer, format_duration};

/// The clocks of one request.
pub(crate) struct Deadlines {
    started: Instant,
    silence: Duration,
    whole: Duration,
    min_speed: u64,
}

impl Deadlines {
    /// Starts them.
    pub(crate) fn start(transfer: &Transfer) -> Deadlines {
        Deadlines {
            started: Instant::now(),
            silence: transfer.read_timeout,
            whole: transfer.deadline,
            min_speed: transfer.min_speed,
        }
    }

    /// Waits for a head. Silence counts from here, and anew from when a name has resolved and
    /// dialling `began`; connecting has its own time as well.
    pub(crate) async fn first_byte<T>(
        &self,
        head: impl Future<Output = T>,
        began: &Notify,
    ) -> Result<T, Stop> {
        let mut head = pin!(head);
        loop {
            tokio::select! {
                biased;
                result = self.next_byte(&mut head) => return result,
                () = began.notified() => {}
            }
        }
    }

    /// Waits for the next bytes.
    pub(crate) async fn next_byte<T>(&self, bytes: impl Future<Output = T>) -> Result<T, Stop> {
        let end = self.started + self.whole;
        let silent = Instant::now() + self.silence;
        tokio::select! {
            biased;
            result = bytes => Ok(result),
            () = sleep_until(end.min(silent)) => Err(match end <= silent {
                true => timeout(format!("not ended within {}", format_duration(self.whole))),
                false => timeout(format!("silent for {}", format_duration(self.silence))),
            }),
        }
    }

    /// Refuses a body that drips: judged once it has had time to come.
    pub(crate) fn fast_enough(&self, since: Instant, bytes: u64) -> Result<(), Stop> {
        let taken = since.elapsed();
        let least = taken.as_secs_f64() * self.min_speed as f64;
        if taken <= self.silence || bytes as f64 >= least {
            return Ok(());
        }
        let detail = format!(
            "{bytes} bytes in {} are fewer than {} a second",
            format_duration(Duration::from_millis(
                u64::try_from(taken.as_millis()).unwrap_or(u64::MAX)
            )),
            self.min_speed
        );
        Err(Stop::new(Outcome::TooSlow, detail))
    }
}

fn timeout(detail: String) -> Stop {
    Stop::new(Outcome::Timeout, detail)
}
