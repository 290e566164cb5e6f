//! What a frame costs the terminal: counted, so that it never gets dearer unseen.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use crate::input::Code;
use crate::term::paint::Paint;
use crate::test_kit::{press, press_key, resting, row, running, told};
use crate::theme::{Source, Stage, Theme, UNICODE};

#[derive(Clone, Default)]
struct Bytes(Rc<RefCell<usize>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        *self.0.borrow_mut() += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_scrolling_frame_at_80x24_costs_few_bytes() {
    let mut news = running();
    news.rows = (1..=200)
        .map(|id| {
            let name = format!(
                "h{:08x}.example.com",
                (id * 2_654_435_761_i64) & 0xffff_ffff
            );
            let lamps = ["@==ox!.......", "=@o@x=o?....."][usize::try_from(id % 2).unwrap()];
            let until = format!("2026-11-30T09:{:02}:07Z", id % 60);
            row(id, &name, lamps, 2, resting(&until, "minimum gap"))
        })
        .collect();
    let mut state = told((80, 24), news);
    let theme = Theme::fitted(&Source::load("dark").unwrap(), Stage::Rgb, &UNICODE);
    let bytes = Bytes::default();
    let viewport = Viewport::Fixed(Rect::new(0, 0, 80, 24));
    let backend = Paint::new(bytes.clone());
    let mut terminal = Terminal::with_options(backend, TerminalOptions { viewport }).unwrap();
    press_key(&mut state, Code::Home);
    for n in 0..60 {
        *bytes.0.borrow_mut() = 0;
        terminal
            .draw(|frame| {
                super::draw(frame, &state, &theme);
            })
            .unwrap();
        let cost = bytes.0.take();
        if n > 0 {
            assert!((1..=2_500).contains(&cost), "frame {n}: {cost} bytes");
        }
        press(&mut state, "j");
    }
}
