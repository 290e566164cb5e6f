//! The terminal: entered and left in one place, written to by a thread of its own, restored always.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc as channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossterm::cursor::Show;
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::force_color_output;
use crossterm::terminal::{
    BeginSynchronizedUpdate, DisableLineWrap, EnableLineWrap, EndSynchronizedUpdate,
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{Command, queue};
use ratatui::Terminal;
use ratatui::layout::Rect;
use tokio::sync::mpsc;

use crate::cli::output::say;
use crate::state::State;
use crate::text::Clean;
use crate::theme::Themes;
use crate::view::{self, Hits};
use paint::Paint;

pub(crate) mod paint;

/// How long a terminal that takes nothing is waited for when leaving.
const PATIENCE: Duration = Duration::from_millis(500);

/// What the terminal sends.
#[derive(Debug)]
pub(crate) enum Input {
    /// Bytes of keys.
    Bytes(Vec<u8>),
    /// Another size.
    Resize,
    /// It is gone.
    Lost,
}

/// Something the console is drawn on; the real terminal, or a fake one in tests.
pub(crate) trait Surface {
    /// Draws a frame and says where things stand; none if the last one is still on its way out.
    fn draw(&mut self, state: &State) -> io::Result<Option<Hits>>;
    /// Columns and rows.
    fn size(&self) -> (u16, u16);
    /// Gives the terminal back, stops the program, and takes it again.
    fn suspend(&mut self) -> io::Result<()>;
    /// Takes the mouse, or leaves it to the terminal.
    fn mouse(&mut self, ours: bool);
    /// Sends a sequence of our own making with the next frame.
    fn send(&mut self, sequence: &[u8]);
    /// Draws the whole screen with the next frame, whatever stands there now.
    fn redraw(&mut self) -> io::Result<()>;
    /// Takes the next set of colours and names it.
    fn next_theme(&mut self) -> &'static str;
}

/// Clicks and the wheel as SGR reports; movement is not asked for.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// Frames are built in memory and leave in one write each.
#[derive(Clone, Default)]
struct FrameBytes(Rc<RefCell<Vec<u8>>>);

impl Write for FrameBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What must be put right again, by whoever comes first: the end, or a panic.
#[derive(Clone, Default)]
struct Guard {
    entered: Arc<AtomicBool>,
    /// A frame is on its way.
    busy: Arc<AtomicBool>,
    /// Words of a panic in another thread, told after leaving.
    words: Arc<Mutex<Vec<String>>>,
}

impl Guard {
    fn enter(&self) -> io::Result<()> {
        enable_raw_mode()?;
        self.entered.store(true, Ordering::SeqCst);
        Ok(())
    }

    /// True for the first who leaves.
    fn leave(&self) -> bool {
        let entered = self.entered.swap(false, Ordering::SeqCst);
        if entered {
            // A terminal that is gone needs no restoring.
            let _ = disable_raw_mode();
        }
        entered
    }

    /// Waits for the frame on its way: nothing may stand behind the last sequence. Gives up on a
    /// terminal that takes nothing.
    fn wait(&self) {
        let begun = Instant::now();
        while self.busy.load(Ordering::SeqCst) && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn told(&self) -> Vec<String> {
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *words)
    }
}

fn ansi(command: impl Command) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = command.write_ansi(&mut text);
    text
}

fn entering(mouse: bool) -> String {
    let mouse = if mouse { MOUSE_ON } else { "" };
    ansi(EnterAlternateScreen) + &ansi(DisableLineWrap) + &ansi(EnableBracketedPaste) + mouse
}

fn leaving() -> String {
    ansi(EndSynchronizedUpdate)
        + MOUSE_OFF
        + &ansi(DisableBracketedPaste)
        + &ansi(EnableLineWrap)
        + &ansi(Show)
        + &ansi(LeaveAlternateScreen)
}

/// A panic in the thread of the console restores the terminal before it speaks; one elsewhere must not
/// write across the screen and is told afterwards.
fn hook(guard: Guard) {
    let before = std::panic::take_hook();
    let screen = std::thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == screen {
            if guard.leave() {
                guard.wait();
                let _ = io::stdout().write_all(leaving().as_bytes());
                let _ = io::stdout().flush();
            }
            before(info);
        } else if guard.entered.load(Ordering::SeqCst) {
            let mut words = guard.words.lock().unwrap_or_else(PoisonError::into_inner);
            words.push(info.to_string());
        } else {
            before(info);
        }
    }));
}

/// A thread that writes frames, so that a terminal that takes nothing stops nobody.
struct Writer {
    frames: channel::SyncSender<Vec<u8>>,
    guard: Guard,
    done: channel::Receiver<()>,
}

impl Writer {
    fn start(inputs: mpsc::Sender<Input>, guard: Guard) -> io::Result<Writer> {
        let mut out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let (frames, queue) = channel::sync_channel::<Vec<u8>>(1);
        let (ended, done) = channel::channel();
        let writing = Arc::clone(&guard.busy);
        std::thread::spawn(move || {
            while let Ok(frame) = queue.recv() {
                let written = out.write_all(&frame);
                writing.store(false, Ordering::SeqCst);
                if written.is_err() {
                    // Full or closed, the loop is ending anyway.
                    let _ = inputs.try_send(Input::Lost);
                    break;
                }
            }
            let _ = ended.send(());
        });
        Ok(Writer {
            frames,
            guard,
            done,
        })
    }

    fn is_busy(&self) -> bool {
        self.guard.busy.load(Ordering::SeqCst)
    }

    fn send(&self, frame: Vec<u8>) {
        self.guard.busy.store(true, Ordering::SeqCst);
        // The queue holds one and the writer is idle: this waits for nothing.
        let _ = self.frames.try_send(frame);
    }

    /// Writes what is left and ends; gives up on a terminal that takes nothing.
    fn finish(self, last: String) {
        let Writer {
            frames,
            guard,
            done,
        } = self;
        guard.wait();
        let _ = frames.try_send(last.into_bytes());
        drop(frames);
        let _ = done.recv_timeout(PATIENCE);
    }
}

/// The real terminal.
pub(crate) struct Term {
    terminal: Terminal<Paint<FrameBytes>>,
    bytes: FrameBytes,
    writer: Option<Writer>,
    inputs: mpsc::Sender<Input>,
    guard: Guard,
    themes: Themes,
    mouse: bool,
}

impl Term {
    /// Takes the terminal; keys and its end come through `inputs`.
    pub(crate) fn enter(themes: Themes, inputs: mpsc::Sender<Input>) -> io::Result<Term> {
        // Under NO_COLOR this version of crossterm would reset bold and reverse as well; our theme
        // leaves the colours out itself.
        force_color_output(true);
        let bytes = FrameBytes::default();
        let terminal = Terminal::new(Paint::new(bytes.clone()))?;
        let mut term = Term {
            terminal,
            bytes,
            writer: None,
            inputs: inputs.clone(),
            guard: Guard::default(),
            themes,
            mouse: true,
        };
        hook(term.guard.clone());
        term.take()?;
        read(inputs)?;
        Ok(term)
    }

    fn take(&mut self) -> io::Result<()> {
        self.guard.enter()?;
        let writer = Writer::start(self.inputs.clone(), self.guard.clone())?;
        writer.send(entering(self.mouse).into_bytes());
        self.writer = Some(writer);
        Ok(())
    }

    fn give_back(&mut self) {
        let first = self.guard.leave();
        if let Some(writer) = self.writer.take() {
            writer.finish(if first { leaving() } else { String::new() });
        }
    }
}

impl Surface for Term {
    fn draw(&mut self, state: &State) -> io::Result<Option<Hits>> {
        let Some(writer) = &self.writer else {
            return Ok(None);
        };
        if writer.is_busy() {
            return Ok(None);
        }
        queue!(self.bytes, BeginSynchronizedUpdate)?;
        let theme = self.themes.worn();
        let mut hits = Hits::default();
        self.terminal
            .draw(|frame| hits = view::draw(frame, state, theme))?;
        queue!(self.bytes, EndSynchronizedUpdate)?;
        writer.send(std::mem::take(&mut *self.bytes.0.borrow_mut()));
        Ok(Some(hits))
    }

    fn size(&self) -> (u16, u16) {
        crossterm::terminal::size().unwrap_or((80, 24))
    }

    fn suspend(&mut self) -> io::Result<()> {
        self.give_back();
        // The whole group, as the terminal itself would: whoever started us stops too.
        let _ = std::process::Command::new("sh")
            .args(["-c", "kill -s TSTP 0"])
            .status();
        self.take()?;
        self.redraw()
    }

    fn mouse(&mut self, ours: bool) {
        self.mouse = ours;
        let sequence = if ours { MOUSE_ON } else { MOUSE_OFF };
        self.send(sequence.as_bytes());
    }

    fn send(&mut self, sequence: &[u8]) {
        self.bytes.0.borrow_mut().extend_from_slice(sequence);
    }

    fn redraw(&mut self) -> io::Result<()> {
        // `Terminal::clear` would do so too, but asks the terminal where its cursor is, and the answer
        // would go to the thread that reads keys.
        let (width, height) = Surface::size(self);
        self.terminal.resize(Rect::new(0, 0, width, height))
    }

    fn next_theme(&mut self) -> &'static str {
        self.themes.next()
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        self.give_back();
        for words in self.guard.told() {
            say(&Clean::new(words));
        }
    }
}

/// A thread that reads the terminal. The end of input, or an error, is the end of the terminal: it
/// is told once and the thread ends, so that nothing spins.
fn read(inputs: mpsc::Sender<Input>) -> io::Result<()> {
    let mut terminal = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    std::thread::spawn(move || {
        let mut buffer = [0; 1024];
        loop {
            let input = match terminal.read(&mut buffer) {
                Ok(0) => Input::Lost,
                Ok(count) => Input::Bytes(buffer[..count].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => Input::Lost,
            };
            let lost = matches!(input, Input::Lost);
            if inputs.blocking_send(input).is_err() || lost {
                return;
            }
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests;
