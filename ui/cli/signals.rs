//! Ctrl-C once drains, twice quits at once; SIGTERM drains; a lost terminal drains and leaves.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// How much of an end was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ending {
    /// None.
    #[default]
    None,
    /// Finish what is under way, then end.
    Drain,
    /// The same, and leave the screen now: nobody sees it.
    DrainUnseen,
    /// End at once.
    Now,
}

/// The wish to end, shared by all who may utter or obey it. It only ever grows.
#[derive(Clone, Debug)]
pub(crate) struct Stop(watch::Sender<Ending>);

impl Stop {
    /// Nobody wants an end yet.
    pub(crate) fn new() -> Stop {
        Stop(watch::Sender::new(Ending::None))
    }

    /// Finish what is under way, then end.
    pub(crate) fn drain(&self) {
        self.raise(Ending::Drain);
    }

    /// Drain; the terminal is gone.
    pub(crate) fn unseen(&self) {
        self.raise(Ending::DrainUnseen);
    }

    /// End at once.
    pub(crate) fn now(&self) {
        self.raise(Ending::Now);
    }

    /// Ctrl-C: the first drains, the next quits.
    pub(crate) fn interrupt(&self) {
        if self.wished() == Ending::None {
            self.drain();
        } else {
            self.now();
        }
    }

    /// What is wished.
    pub(crate) fn wished(&self) -> Ending {
        *self.0.borrow()
    }

    /// Resolves when at least this much is wished.
    pub(crate) async fn reached(&self, least: Ending) {
        let mut watched = self.0.subscribe();
        // The sender lives in self, so this cannot fail while we wait.
        let _ = watched.wait_for(|ending| *ending >= least).await;
    }

    fn raise(&self, ending: Ending) {
        self.0.send_if_modified(|now| {
            let grows = ending > *now;
            if grows {
                *now = ending;
            }
            grows
        });
    }
}

/// Listens to signals until the process ends.
pub(crate) async fn listen(stop: Stop) {
    let (Ok(mut int), Ok(mut term), Ok(mut hup)) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
        signal(SignalKind::hangup()),
    ) else {
        return std::future::pending().await;
    };
    loop {
        tokio::select! {
            Some(()) = int.recv() => stop.interrupt(),
            Some(()) = term.recv() => stop.drain(),
            Some(()) = hup.recv() => stop.unseen(),
            else => return std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_interrupt_drains_and_the_second_quits() {
        let stop = Stop::new();
        stop.interrupt();
        assert_eq!(stop.wished(), Ending::Drain);
        stop.interrupt();
        assert_eq!(stop.wished(), Ending::Now);
        stop.drain();
        assert_eq!(stop.wished(), Ending::Now, "a wish never shrinks");
    }

    #[tokio::test]
    async fn waiting_sees_a_wish_made_before() {
        let stop = Stop::new();
        stop.unseen();
        stop.reached(Ending::Drain).await;
    }
}
