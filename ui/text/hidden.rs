//! Characters that mislead, and clusters that do not keep to themselves.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Whether a cluster keeps to itself between two letters: it joins neither, and is nothing to obey.
pub(super) fn stands_alone(cluster: &str) -> bool {
    if cluster.chars().any(char::is_control) {
        return false;
    }
    let between = format!("a{cluster}a");
    between.graphemes(true).count() == 3 && between.width() == cluster.width() + 2
}

/// Characters that show nothing, change the direction, mean nothing yet, or are drawn otherwise
/// than they are measured.
pub(super) fn hidden(char: char) -> bool {
    match char {
        ' '..='~' => false,
        // Fillers, variation selectors and joiners: invisible, though not of the format category.
        '\u{034F}'
        | '\u{115F}'..='\u{1160}'
        | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{2D7F}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FF9E}'..='\u{FFA0}'
        | '\u{FFFC}'
        | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => !printable(char),
    }
}

/// By the standard library's table: neither control, format, surrogate, private-use, unassigned
/// nor a separator. It escapes these in debug output; after a first letter it leaves marks alone.
fn printable(char: char) -> bool {
    let mut buffer = [0; 5];
    buffer[0] = b'a';
    let length = 1 + char.encode_utf8(&mut buffer[1..]).len();
    let text = std::str::from_utf8(&buffer[..length]).unwrap_or("a");
    !text.escape_debug().skip(1).any(|shown| shown == '\\')
}
