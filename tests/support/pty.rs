//! The real binary in a terminal of our own: keys in, screen out.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long a text is waited for, unless told otherwise.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A program in a pty, and the screen it draws.
pub(crate) struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    screen: Arc<Mutex<vt100::Parser>>,
    /// Tells the reader, which holds the terminal too, to let go of it.
    gone: Arc<AtomicBool>,
    /// A home for settings, so that nobody's own ones count.
    home: tempfile::TempDir,
}

impl Session {
    /// Starts the binary with these arguments on a screen of this size.
    pub(crate) fn start(arguments: &[&str], columns: u16, rows: u16) -> Session {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_lamplighter"));
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        command.env_remove("NO_COLOR");
        let home = tempfile::tempdir().unwrap();
        command.env("XDG_CONFIG_HOME", home.path());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let screen = Arc::new(Mutex::new(parser(columns, rows)));
        let drawn = Arc::clone(&screen);
        let gone = Arc::new(AtomicBool::new(false));
        let let_go = Arc::clone(&gone);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count) = reader.read(&mut buffer) {
                if count == 0 || let_go.load(Ordering::SeqCst) {
                    return;
                }
                drawn.lock().unwrap().process(&buffer[..count]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Session {
            child,
            master: Some(pair.master),
            keys: Some(keys),
            screen,
            gone,
            home,
        }
    }

    /// What the screen shows.
    pub(crate) fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// A file of its settings.
    pub(crate) fn setting(&self, name: &str) -> std::path::PathBuf {
        self.home.path().join("lamplighter").join(name)
    }

    /// Whether the alternate screen is on.
    pub(crate) fn alternate(&self) -> bool {
        self.screen.lock().unwrap().screen().alternate_screen()
    }

    /// Whether the cursor is hidden.
    pub(crate) fn cursor_hidden(&self) -> bool {
        self.screen.lock().unwrap().screen().hide_cursor()
    }

    /// Waits until the screen shows `wanted`.
    pub(crate) fn wait_for(&self, wanted: &str) {
        self.wait(&format!("\"{wanted}\""), |session| {
            session.text().contains(wanted)
        });
    }

    /// Waits until something holds.
    pub(crate) fn wait(&self, what: &str, holds: impl Fn(&Session) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(
                begun.elapsed() < PATIENCE,
                "waited in vain for {what}; the screen shows:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        let writer = self.keys.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    /// Another size.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.master.as_ref().unwrap().resize(size).unwrap();
        *self.screen.lock().unwrap() = parser(columns, rows);
    }

    /// Takes the terminal away, as a lost connection does: at the next frame, which the clock brings.
    pub(crate) fn hang_up(&mut self) {
        self.gone.store(true, Ordering::SeqCst);
        self.keys = None;
        self.master = None;
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        let sent = std::process::Command::new("kill")
            .args(["-s", name, &id])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// Waits for the end and gives the exit code.
    pub(crate) fn ended(&mut self) -> u32 {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "it does not end; the screen shows:\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Ours, by its id; ended already if all went well.
        let _ = self.child.kill();
    }
}

fn parser(columns: u16, rows: u16) -> vt100::Parser {
    vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0)
}
