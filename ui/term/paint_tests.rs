use std::cell::RefCell;
use std::rc::Rc;

use proptest::prelude::*;
use ratatui::style::Style;

use super::*;

const SIZE: Rect = Rect::new(0, 0, 24, 12);

/// What was sent to the terminal.
#[derive(Clone, Default)]
struct Sent(Rc<RefCell<Vec<u8>>>);

impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Draws one picture after another, as ratatui does; the bytes of each.
fn painted(pictures: &[Buffer]) -> Vec<Vec<u8>> {
    let sent = Sent::default();
    let mut paint = Paint::new(sent.clone());
    let mut before = Buffer::empty(SIZE);
    let mut all = Vec::new();
    for picture in pictures {
        paint.draw(before.diff_iter(picture)).unwrap();
        before.clone_from(picture);
        all.push(sent.0.take());
    }
    all
}

/// The terminal after these bytes, cell by cell: letter, colours and attributes.
fn seen(bytes: &[u8]) -> Vec<String> {
    let (rows, columns) = (SIZE.height, SIZE.width);
    let mut terminal = vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0);
    terminal.process(bytes);
    let places = (0..rows).flat_map(|y| (0..columns).map(move |x| (y, x)));
    let cells = places.map(|(y, x)| {
        let cell = terminal.screen().cell(y, x).unwrap();
        let letter = match cell.has_contents() {
            true => cell.contents(),
            false => " ",
        };
        let attributes = [
            cell.bold(),
            cell.dim(),
            cell.italic(),
            cell.underline(),
            cell.inverse(),
        ];
        let colours = (cell.fgcolor(), cell.bgcolor());
        format!("{y},{x} {letter} {colours:?} {attributes:?}")
    });
    cells.collect()
}

/// Drawn on a clear screen by ratatui itself.
fn plainly(picture: &Buffer) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut backend = CrosstermBackend::new(&mut bytes);
    let blank = Buffer::empty(SIZE);
    backend.draw(blank.diff_iter(picture)).unwrap();
    bytes
}

fn list(top: usize, lit: usize) -> Buffer {
    let mut picture = Buffer::empty(SIZE);
    picture.set_string(0, 0, "a heading", Style::new().bold());
    for at in 0..10_u16 {
        let n = top + usize::from(at);
        let style = match usize::from(at) == lit {
            true => Style::new()
                .fg(Color::Rgb(1, 2, 3))
                .bg(Color::Rgb(200, 9, 7)),
            false => Style::new().fg(Color::Indexed(100)),
        };
        let text = format!("{:>5} {}", n * n * 7_919 % 10_007, "●=×◐".repeat(3));
        picture.set_string(0, at + 1, text, style);
    }
    picture
}

#[test]
fn a_list_that_goes_up_by_one_costs_its_new_rows() {
    let whole = painted(&[list(0, 9)]).remove(0).len();
    for pictures in [[list(0, 9), list(1, 9)], [list(8, 0), list(5, 0)]] {
        let bytes = painted(&pictures);
        assert!(
            bytes[1].len() * 2 < whole,
            "{} of {whole} bytes",
            bytes[1].len()
        );
        assert_eq!(seen(&bytes.concat()), seen(&plainly(&pictures[1])));
    }
}

#[test]
fn nothing_new_costs_nothing() {
    assert!(painted(&[list(0, 3), list(0, 3)])[1].is_empty());
}

#[test]
fn a_cleared_screen_is_drawn_whole() {
    let sent = Sent::default();
    let mut paint = Paint::new(sent.clone());
    let (blank, picture) = (Buffer::empty(SIZE), list(0, 3));
    paint.draw(blank.diff_iter(&picture)).unwrap();
    paint.clear().unwrap();
    paint.draw(blank.diff_iter(&picture)).unwrap();
    assert_eq!(seen(&sent.0.take()), seen(&plainly(&picture)));
}

#[test]
fn a_screen_of_more_cells_than_sixteen_bits_count_is_painted() {
    let sent = Sent::default();
    let mut paint = Paint::new(sent.clone());
    let mut picture = Buffer::empty(Rect::new(0, 0, 500, 200));
    picture.set_string(495, 199, "right", Style::new());
    let cells = |picture: &Buffer| {
        let places = (0..200).flat_map(|y| (0..500).map(move |x| (x, y)));
        let cells = places.map(|(x, y)| (x, y, picture[(x, y)].clone()));
        cells.collect::<Vec<_>>()
    };
    let drawn = cells(&picture);
    paint
        .draw(drawn.iter().map(|(x, y, cell)| (*x, *y, cell)))
        .unwrap();
    let mut screen = vt100::Parser::new(200.try_into().unwrap(), 500.try_into().unwrap(), 0);
    screen.process(&sent.0.take());
    assert!(screen.screen().contents().ends_with("right"));
}

fn colour() -> impl Strategy<Value = Color> {
    prop_oneof![
        Just(Color::Reset),
        Just(Color::Red),
        Just(Color::DarkGray),
        Just(Color::White),
        any::<u8>().prop_map(Color::Indexed),
        any::<[u8; 3]>().prop_map(|[r, g, b]| Color::Rgb(r, g, b)),
    ]
}

fn line() -> impl Strategy<Value = (String, Style)> {
    let modifier = prop_oneof![
        Just(Modifier::empty()),
        Just(Modifier::BOLD),
        Just(Modifier::DIM),
        Just(Modifier::REVERSED | Modifier::BOLD),
        Just(Modifier::UNDERLINED | Modifier::ITALIC),
    ];
    ("[ab●漢é ]{0,20}", colour(), colour(), modifier).prop_map(|(text, fg, bg, modifier)| {
        (text, Style::new().fg(fg).bg(bg).add_modifier(modifier))
    })
}

/// Windows on one list of lines, some lines of each on their own.
fn pictures() -> impl Strategy<Value = Vec<Buffer>> {
    let lines = prop::collection::vec(line(), 40);
    let own = prop::collection::vec((0..SIZE.height, 0..SIZE.width, line()), 0..4);
    let windows = prop::collection::vec((0..28_usize, own), 1..6);
    (lines, windows).prop_map(|(lines, windows)| {
        let drawn = windows.into_iter().map(|(top, own)| {
            let mut picture = Buffer::empty(SIZE);
            for (y, (text, style)) in (0..SIZE.height).zip(&lines[top..]) {
                picture.set_stringn(0, y, text, usize::from(SIZE.width), *style);
            }
            for (y, x, (text, style)) in own {
                // Half a wide character cannot be drawn over.
                picture.set_style(Rect::new(0, y, SIZE.width, 1), Style::reset());
                picture.set_string(0, y, " ".repeat(usize::from(SIZE.width)), Style::new());
                picture.set_stringn(x, y, text, usize::from(SIZE.width - x), style);
            }
            picture
        });
        drawn.collect()
    })
}

proptest! {
    #[test]
    fn the_terminal_shows_what_was_drawn(pictures in pictures()) {
        let bytes = painted(&pictures);
        for count in 1..=pictures.len() {
            let sent = bytes[..count].concat();
            let (painted, plain) = (seen(&sent), seen(&plainly(&pictures[count - 1])));
            let pairs = painted.iter().zip(&plain);
            let wrong: Vec<_> = pairs.filter(|(painted, plain)| painted != plain).collect();
            prop_assert!(wrong.is_empty(), "after {} pictures: {:?}", count, wrong);
        }
    }
}
