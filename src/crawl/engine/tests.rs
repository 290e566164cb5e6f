//! A control loop whose look at the store hangs: doubt, and a stop that does not wait for it.

use super::*;
use crate::hosts::Host;
use crate::policy;

/// A round with its control loop serving.
struct Serving {
    round: Arc<Round>,
    handle: Handle,
    watcher: JoinHandle<()>,
    _lock: EngineLock,
    _place: tempfile::TempDir,
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.watcher.abort();
    }
}

impl Serving {
    async fn begin() -> Serving {
        let place = tempfile::tempdir().unwrap();
        let policy = policy::builtin("intentroute").unwrap();
        let store = Store::open(place.path(), &policy.name).unwrap();
        let lock = store.lock_engine().unwrap();
        let suppress = SuppressFile::in_directory(store.directory());
        let nobody = "127.0.0.1:9".parse().unwrap();
        let settings = Settings {
            loopback: true,
            in_flight: 1,
            store: store.clone(),
            suppress: suppress.clone(),
            web: Web::loopback(&policy, nobody, None).unwrap(),
            policy,
            clock: Clock::system(),
            failpoints: Failpoints::default(),
            events: None,
        };
        let (round, _) = open_round(settings, &store).await.unwrap();
        let watch = Watch::begin(Arc::clone(&round), store, suppress);
        let watch = watch.await.unwrap();
        let (orders, inbox) = mpsc::channel(16);
        let handle = Handle {
            orders,
            board: round.board.clone(),
            clock: round.clock.clone(),
            gate: round.gate.clone(),
        };
        Serving {
            round,
            handle,
            watcher: tokio::spawn(watch.serve(inbox)),
            _lock: lock,
            _place: place,
        }
    }
}

fn may_leave(round: &Round) -> bool {
    let host = Host::parse("docs.alder.test", NameRules::Loopback).unwrap();
    round.gate.leave(&host, "/llms.txt").is_ok()
}

async fn until(round: &Round, doubt: bool) {
    let wait = async {
        while round.gate.doubt().is_some() != doubt {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), wait)
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_that_hangs_lets_nothing_leave_until_it_ends() {
    let serving = Serving::begin().await;
    let round = &serving.round;
    assert!(may_leave(round));
    // Whoever looks at the control table waits for a connection to the store.
    let all = round.readers.hold_all().await;
    until(round, true).await;
    assert!(!may_leave(round));
    assert!(round.gate.doubt().unwrap().contains("does not answer"));
    drop(all);
    until(round, false).await;
    assert!(may_leave(round));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_is_reached_at_once_while_a_look_hangs() {
    let serving = Serving::begin().await;
    let round = &serving.round;
    let _all = round.readers.hold_all().await;
    // Two looks' time: one of them hangs, and not yet for long enough to be in doubt.
    tokio::time::sleep(Duration::from_millis(250)).await;
    assert!(may_leave(round));
    let stop = serving.handle.command(Command::Stop);
    let reached = tokio::time::timeout(Duration::from_millis(300), stop).await;
    assert!(matches!(reached, Ok(Ok(()))), "{reached:?}");
    assert!(round.gate.doubt().is_none());
    assert!(!may_leave(round));
}

#[tokio::test(flavor = "multi_thread")]
async fn looks_that_hang_do_not_pile_up() {
    let serving = Serving::begin().await;
    let round = &serving.round;
    let gates: Vec<_> = (0..20).map(|_| std::sync::mpsc::channel::<()>()).collect();
    let (open, shut): (Vec<_>, Vec<_>) = gates.into_iter().unzip();
    let begun = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    for gate in shut {
        let begun = Arc::clone(&begun);
        let look = round.read(move |_| {
            begun.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            // Until its sender is gone.
            let _ = gate.recv();
            Ok(())
        });
        // Nobody waits for ever.
        let given_up = tokio::time::timeout(Duration::from_millis(20), look).await;
        assert!(given_up.is_err());
    }
    let hanging = begun.load(std::sync::atomic::Ordering::SeqCst);
    assert!((1..=4).contains(&hanging), "{hanging} threads hang");
    drop(open);
    assert!(round.read(|reader| reader.control()).await.is_ok());
}
