//! The table of keys that the README shows, made from the registry.

use std::fmt::Write as _;

use super::{Context, Danger, of};

/// One section a context, one line an action.
fn table() -> String {
    let mut text = String::new();
    for context in Context::ALL {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "**{}** (`[{}]` in the keymap file)\n\n| key | action | does |\n|---|---|---|\n",
            context.title(),
            context.id()
        );
        for spec in of(context) {
            let keys: Vec<String> = spec.keys.iter().map(|key| format!("`{key}`")).collect();
            let asks = match spec.danger {
                Danger::Confirm => " (asks first)",
                Danger::None => "",
            };
            let keys = keys.join(" ");
            let _ = writeln!(text, "| {keys} | {} | {}{asks} |", spec.id, spec.help);
        }
        text.push('\n');
    }
    text
}

/// To write the README anew, run this test with `WRITE_README=1`.
#[test]
fn the_readme_shows_the_keys_of_the_registry() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(file).unwrap();
    let (begin, end) = (
        "<!-- keys: made from the registry -->\n",
        "<!-- keys end -->",
    );
    let (before, rest) = readme.split_once(begin).unwrap();
    let (shown, after) = rest.split_once(end).unwrap();
    let made = format!("\n{}", table());
    if std::env::var_os("WRITE_README").is_some() {
        let text = format!("{before}{begin}{made}{end}{after}");
        std::fs::write(file, text).unwrap();
        return;
    }
    assert_eq!(
        shown, made,
        "WRITE_README=1 cargo test readme writes it anew"
    );
}
