//! The real binary in a terminal of our own: keys in, screen out.

use std::fmt::Debug;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::{MouseProtocolMode, Screen};

/// The binary.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_lamplighter");

/// How long something is waited for at most: `PTY_PATIENCE` seconds, for machines slower than CI's.
pub(crate) fn patience() -> Duration {
    let told = std::env::var("PTY_PATIENCE").ok();
    let seconds = told.and_then(|text| text.parse().ok()).unwrap_or(60);
    Duration::from_secs(seconds)
}

/// How often it is looked.
const LOOK: Duration = Duration::from_millis(20);

/// A home for settings, so that nobody's own ones count.
#[derive(Clone)]
pub(crate) struct Home(Arc<tempfile::TempDir>);

impl Home {
    /// One without settings.
    pub(crate) fn new() -> Home {
        Home(Arc::new(tempfile::tempdir().unwrap()))
    }

    /// A file of settings.
    pub(crate) fn setting(&self, name: &str) -> PathBuf {
        self.0.path().join("lamplighter").join(name)
    }

    /// Writes one.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let file = self.setting(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
}

/// What the program asked of the terminal beside text.
#[derive(Default)]
pub(crate) struct Heard {
    /// Window titles and icon names.
    pub(crate) titles: Vec<Vec<u8>>,
    /// Texts for the clipboard, in base64.
    pub(crate) copied: Vec<Vec<u8>>,
    /// Bells, wishes for another size, wishes to see the clipboard, sequences of no known kind.
    pub(crate) strange: Vec<String>,
}

impl vt100::Callbacks for Heard {
    fn audible_bell(&mut self, _: &mut Screen) {
        self.strange.push("a bell".to_owned());
    }

    fn visual_bell(&mut self, _: &mut Screen) {
        self.strange.push("a bell to see".to_owned());
    }

    fn resize(&mut self, _: &mut Screen, size: (u16, u16)) {
        self.strange.push(format!("the size {size:?}"));
    }

    fn set_window_icon_name(&mut self, _: &mut Screen, name: &[u8]) {
        self.titles.push(name.to_vec());
    }

    fn set_window_title(&mut self, _: &mut Screen, title: &[u8]) {
        self.titles.push(title.to_vec());
    }

    fn copy_to_clipboard(&mut self, _: &mut Screen, _: &[u8], data: &[u8]) {
        self.copied.push(data.to_vec());
    }

    fn paste_from_clipboard(&mut self, _: &mut Screen, _: &[u8]) {
        self.strange.push("the clipboard".to_owned());
    }

    fn unhandled_control(&mut self, _: &mut Screen, byte: u8) {
        self.strange.push(format!("control {byte:#04x}"));
    }

    fn unhandled_osc(&mut self, _: &mut Screen, words: &[&[u8]]) {
        let ours = words.first() == Some(&&b"8"[..]);
        if !ours {
            self.strange.push(format!("OSC {words:?}"));
        }
    }
}

/// What of a terminal is set until someone sets it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Modes {
    pub(crate) alternate: bool,
    pub(crate) cursor_hidden: bool,
    pub(crate) paste: bool,
    pub(crate) mouse: bool,
    pub(crate) application: bool,
    /// Lines are wrapped by the terminal.
    pub(crate) wraps: bool,
}

impl Modes {
    /// Those a shell expects.
    pub(crate) const SHELL: Modes = Modes {
        alternate: false,
        cursor_hidden: false,
        paste: false,
        mouse: false,
        application: false,
        wraps: true,
    };
    /// Those of the console.
    pub(crate) const CONSOLE: Modes = Modes {
        alternate: true,
        cursor_hidden: true,
        paste: true,
        mouse: true,
        application: false,
        wraps: false,
    };
}

/// The screen, and every byte that was drawn on it.
struct Drawn {
    parser: vt100::Parser<Heard>,
    bytes: Vec<u8>,
}

/// A program in a pty, and the screen it draws.
pub(crate) struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    drawn: Arc<Mutex<Drawn>>,
    reader: Arc<Reader>,
    /// How the terminal was set when the program began.
    before: String,
}

/// What the thread that reads is told, and tells.
#[derive(Default)]
struct Reader {
    /// Let go of the terminal.
    gone: AtomicBool,
    /// Read nothing more for now.
    deaf: AtomicBool,
    /// Pieces read so far.
    pieces: AtomicU64,
}

impl Session {
    /// Starts the binary with these arguments on a screen of this size.
    pub(crate) fn start(arguments: &[&str], columns: u16, rows: u16) -> Session {
        Session::at_home(&Home::new(), arguments, columns, rows)
    }

    /// The same with settings.
    pub(crate) fn at_home(home: &Home, arguments: &[&str], columns: u16, rows: u16) -> Session {
        let mut command = CommandBuilder::new(BINARY);
        command.args(arguments);
        Session::of(command, home, columns, rows)
    }

    /// Starts any program, such as a shell above the binary.
    pub(crate) fn of(mut command: CommandBuilder, home: &Home, columns: u16, rows: u16) -> Session {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        for name in ["NO_COLOR", "COLORTERM", "TMUX", "STY"] {
            command.env_remove(name);
        }
        command.env("XDG_CONFIG_HOME", home.0.path());
        // What is saved without a folder of its own is gone with the home.
        command.cwd(home.0.path());
        let before = settings(pair.master.as_ref());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut terminal = pair.master.try_clone_reader().unwrap();
        let drawn = Arc::new(Mutex::new(Drawn {
            parser: vt100::Parser::new_with_callbacks(
                rows.try_into().unwrap(),
                columns.try_into().unwrap(),
                0,
                Heard::default(),
            ),
            bytes: Vec::new(),
        }));
        let (screen, reader) = (Arc::clone(&drawn), Arc::new(Reader::default()));
        let told = Arc::clone(&reader);
        // The home is kept as long as someone may write into it.
        let home = home.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 16 * 1024];
            while let Ok(count) = terminal.read(&mut buffer) {
                if count == 0 || told.gone.load(Ordering::SeqCst) {
                    break;
                }
                let mut screen = screen.lock().unwrap();
                screen.parser.process(&buffer[..count]);
                screen.bytes.extend_from_slice(&buffer[..count]);
                drop(screen);
                told.pieces.fetch_add(1, Ordering::SeqCst);
                while told.deaf.load(Ordering::SeqCst) {
                    std::thread::sleep(LOOK);
                }
            }
            drop(home);
        });
        let keys = pair.master.take_writer().unwrap();
        Session {
            child,
            master: Some(pair.master),
            keys: Some(keys),
            drawn,
            reader,
            before,
        }
    }

    /// What the screen shows.
    pub(crate) fn text(&self) -> String {
        self.drawn.lock().unwrap().parser.screen().contents()
    }

    /// Every byte that came so far.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.drawn.lock().unwrap().bytes.clone()
    }

    /// What was asked of the terminal beside text.
    pub(crate) fn heard<T>(&self, look: impl Fn(&Heard) -> T) -> T {
        look(self.drawn.lock().unwrap().parser.callbacks())
    }

    /// The modes the terminal is in.
    pub(crate) fn modes(&self) -> Modes {
        let drawn = self.drawn.lock().unwrap();
        let screen = drawn.parser.screen();
        Modes {
            alternate: screen.alternate_screen(),
            cursor_hidden: screen.hide_cursor(),
            paste: screen.bracketed_paste(),
            mouse: screen.mouse_protocol_mode() != MouseProtocolMode::None,
            application: screen.application_cursor() || screen.application_keypad(),
            wraps: last(&drawn.bytes, b"\x1b[?7l") <= last(&drawn.bytes, b"\x1b[?7h"),
        }
    }

    /// The screen itself.
    pub(crate) fn screen(&self) -> vt100::Screen {
        self.drawn.lock().unwrap().parser.screen().clone()
    }

    /// Whether the alternate screen is on.
    pub(crate) fn alternate(&self) -> bool {
        self.modes().alternate
    }

    /// Whether the cursor is hidden.
    pub(crate) fn cursor_hidden(&self) -> bool {
        self.modes().cursor_hidden
    }

    /// Waits until the terminal is as it was before: its modes, and how the system treats its lines.
    pub(crate) fn given_back(&self) {
        self.wait("the terminal as it was", |session| {
            session.modes() == Modes::SHELL
                && settings(session.master.as_deref().unwrap()) == session.before
        });
    }

    /// Waits until the screen shows `wanted`.
    pub(crate) fn wait_for(&self, wanted: &str) {
        self.wait(&format!("\"{wanted}\""), |session| {
            session.text().contains(wanted)
        });
    }

    /// Waits until the screen does not show `passing`.
    pub(crate) fn wait_without(&self, passing: &str) {
        self.wait(&format!("the end of \"{passing}\""), |session| {
            !session.text().contains(passing)
        });
    }

    /// Waits until something holds.
    pub(crate) fn wait(&self, what: &str, holds: impl Fn(&Session) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(
                begun.elapsed() < patience(),
                "waited in vain for {what}; {:?}, the screen shows:\n{}",
                self.modes(),
                self.text()
            );
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until more has been drawn.
    pub(crate) fn wait_for_more(&self, than: u64) {
        self.wait("another frame", |session| session.pieces() > than);
    }

    /// Pieces drawn so far.
    pub(crate) fn pieces(&self) -> u64 {
        self.reader.pieces.load(Ordering::SeqCst)
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.send(keys.as_bytes());
    }

    /// Sends bytes as the terminal would.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let writer = self.keys.as_mut().unwrap();
        writer.write_all(bytes).unwrap();
        writer.flush().unwrap();
    }

    /// Another size.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        // The screen first: what is drawn for the new size shall find it.
        let mut drawn = self.drawn.lock().unwrap();
        drawn
            .parser
            .set_size(rows.try_into().unwrap(), columns.try_into().unwrap());
        let master = self.master.as_ref().unwrap();
        master.resize(size(columns, rows)).unwrap();
    }

    /// Reads nothing more, as a stopped terminal does: what is drawn stays in the pipe.
    pub(crate) fn stop_reading(&self) {
        self.reader.deaf.store(true, Ordering::SeqCst);
    }

    /// Reads again.
    pub(crate) fn read_again(&self) {
        self.reader.deaf.store(false, Ordering::SeqCst);
    }

    /// Takes the terminal away, as a lost connection does: at the next frame, which the clock brings.
    pub(crate) fn hang_up(&mut self) {
        self.reader.gone.store(true, Ordering::SeqCst);
        self.keys = None;
        self.master = None;
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.id().to_string();
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
                begun.elapsed() < patience(),
                "it does not end; the screen shows:\n{}",
                self.text()
            );
            std::thread::sleep(LOOK);
        }
    }

    /// Seconds of processor time that it has used, and whether it has ended and waits to be told of.
    #[cfg(target_os = "linux")]
    pub(crate) fn used(&self) -> (f64, bool) {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap();
        let (_, fields) = stat.rsplit_once(") ").unwrap();
        let fields: Vec<&str> = fields.split(' ').collect();
        // Fields 14 and 15 of proc(5): user and system time, in hundredths of a second.
        let ticks = |at: usize| fields[at].parse::<f64>().unwrap();
        ((ticks(11) + ticks(12)) / 100.0, fields[0] == "Z")
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.read_again();
        // Ours, by its id; ended already if all went well.
        let _ = self.child.kill();
    }
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

/// How the system treats the lines of a terminal: cooked or raw, with an echo or without.
fn settings(master: &(impl MasterPty + ?Sized)) -> String {
    let told: Option<Box<dyn Debug>> = master
        .get_termios()
        .map(|settings| Box::new(settings) as Box<dyn Debug>);
    format!("{told:?}")
}

fn last(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut windows = bytes.windows(wanted.len());
    windows.rposition(|window| window == wanted)
}
