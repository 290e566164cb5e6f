use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

use super::*;
use crate::test_kit::running;
use crate::view::Hits;

/// An engine that follows a script.
#[derive(Clone, Default)]
struct Fake(Arc<Inner>);

#[derive(Default)]
struct Inner {
    news: Mutex<Update>,
    changed: Notify,
    commands: Mutex<Vec<String>>,
}

impl Fake {
    fn tell(&self, news: Update) {
        *self.0.news.lock().unwrap() = news;
        self.0.changed.notify_one();
    }

    fn commands(&self) -> Vec<String> {
        self.0.commands.lock().unwrap().clone()
    }
}

impl Live for Fake {
    fn take_update(&self) -> Update {
        self.0.news.lock().unwrap().clone()
    }

    fn glance(&self) -> Update {
        self.take_update()
    }

    async fn changed(&self) {
        self.0.changed.notified().await;
    }

    async fn command(&self, command: Command) -> Result<(), String> {
        let mut commands = self.0.commands.lock().unwrap();
        commands.push(format!("{command:?}"));
        Ok(())
    }
}

/// A screen that counts its frames.
#[derive(Clone, Default)]
struct Counted {
    frames: Arc<AtomicUsize>,
    suspended: Arc<AtomicUsize>,
}

impl Surface for Counted {
    fn draw(&mut self, _: &State) -> std::io::Result<Option<Hits>> {
        self.frames.fetch_add(1, Ordering::SeqCst);
        Ok(Some(Hits::default()))
    }

    fn size(&self) -> (u16, u16) {
        (80, 24)
    }

    fn suspend(&mut self) -> std::io::Result<()> {
        self.suspended.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    fn mouse(&mut self, _: bool) {}

    fn send(&mut self, _: &[u8]) {}

    fn redraw(&mut self) -> std::io::Result<()> {
        Ok(())
    }

    fn next_theme(&mut self) -> &'static str {
        "mono"
    }
}

struct Rig {
    fake: Fake,
    screen: Counted,
    stop: Stop,
    notes: mpsc::Sender<Note<Fake>>,
    inputs: mpsc::Sender<Input>,
    running: tokio::task::JoinHandle<Console<Fake, Counted>>,
}

impl Rig {
    async fn start() -> Rig {
        let (fake, screen, stop) = (Fake::default(), Counted::default(), Stop::new());
        let (notes, heard) = mpsc::channel(8);
        let (inputs, typed) = mpsc::channel(600);
        let reach: Reach = Arc::new(|_| Ok(3));
        let mut console = Console::new(screen.clone(), stop.clone(), reach);
        let running = tokio::spawn(async move {
            console.run(heard, typed).await;
            console
        });
        fake.tell(crate::test_kit::running());
        let stage = Stage {
            live: fake.clone(),
            overrides: Vec::new(),
        };
        assert!(notes.send(Note::Started(stage)).await.is_ok());
        Rig {
            fake,
            screen,
            stop,
            notes,
            inputs,
            running,
        }
    }

    async fn press(&self, bytes: &[u8]) {
        self.inputs
            .send(Input::Bytes(bytes.to_vec()))
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    fn frames(&self) -> usize {
        self.screen.frames.load(Ordering::SeqCst)
    }

    async fn ended(self) -> State {
        let ended = tokio::time::timeout(Duration::from_secs(5), self.running).await;
        ended.expect("the console ended").unwrap().state
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_terminal_drains_and_ends() {
    let rig = Rig::start().await;
    rig.inputs.send(Input::Lost).await.unwrap();
    let stop = rig.stop.clone();
    rig.ended().await;
    assert_eq!(stop.wished(), Ending::DrainUnseen);
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_news_is_drawn_thirty_times_a_second_at_most() {
    let rig = Rig::start().await;
    let before = rig.frames();
    for done in 0..2_000 {
        rig.fake.tell(Update { done, ..running() });
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let frames = rig.frames() - before;
    assert!((20..=62).contains(&frames), "{frames} frames in 2 s");
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_keys_costs_few_frames() {
    let rig = Rig::start().await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let before = rig.frames();
    for _ in 0..500 {
        rig.inputs.send(Input::Bytes(b"j".to_vec())).await.unwrap();
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let frames = rig.frames() - before;
    assert!((1..=8).contains(&frames), "{frames} frames");
}

#[tokio::test(start_paused = true)]
async fn a_key_is_answered_at_once_however_new_the_frame() {
    let rig = Rig::start().await;
    for passed in [0, 3, 9, 16, 30] {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let before = rig.frames();
        rig.fake.tell(running());
        while rig.frames() == before {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_millis(passed)).await;
        let before = rig.frames();
        rig.inputs.send(Input::Bytes(b"j".to_vec())).await.unwrap();
        tokio::time::sleep(Duration::from_millis(2)).await;
        assert!(rig.frames() > before, "{passed} ms after a frame");
    }
}

#[tokio::test(start_paused = true)]
async fn a_quiet_run_wakes_seldom() {
    let rig = Rig::start().await;
    rig.fake.tell(Update {
        in_flight: 0,
        ..running()
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = rig.frames();
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert!(rig.frames() - before <= 11);
}

#[tokio::test(start_paused = true)]
async fn keys_become_commands_and_quitting_waits_for_the_end() {
    let rig = Rig::start().await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    rig.press(b"p").await;
    assert_eq!(rig.fake.commands(), ["Pause"]);
    rig.press(b"q").await;
    rig.press(b"j\r").await;
    assert_eq!(rig.stop.wished(), Ending::Drain);
    assert!(!rig.running.is_finished(), "the drain is shown to its end");
    assert!(rig.notes.send(Note::AllDone).await.is_ok());
    rig.ended().await;
}

#[tokio::test(start_paused = true)]
async fn a_lone_escape_closes_and_ctrl_z_suspends() {
    let rig = Rig::start().await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    rig.press(b"?").await;
    rig.press(b"\x1b").await;
    rig.press(b"\x1a").await;
    assert_eq!(rig.screen.suspended.load(Ordering::SeqCst), 1);
    rig.inputs.send(Input::Lost).await.unwrap();
    assert!(rig.ended().await.overlay.is_none());
}

#[tokio::test(start_paused = true)]
async fn two_interrupts_quit_at_once() {
    let rig = Rig::start().await;
    rig.press(b"\x03").await;
    assert_eq!(rig.stop.wished(), Ending::Drain);
    rig.press(b"\x03").await;
    assert_eq!(rig.stop.wished(), Ending::Now);
    rig.ended().await;
}
