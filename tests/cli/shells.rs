//! Completions and the man page: from the same definition as the commands, so none is forgotten.

use std::io::Write;
use std::process::{Command, Stdio};

use super::{lamplighter, out, said};

/// Every command with the commands below it, as the help texts list them.
fn commands() -> Vec<Vec<String>> {
    let below = |words: &[String]| -> Vec<String> {
        let mut line: Vec<&str> = words.iter().map(String::as_str).collect();
        line.push("--help");
        let help = out(&lamplighter(&line));
        let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let lines = lines.take_while(|line| !line.is_empty());
        let names = lines.filter(|line| !line.starts_with("   "));
        let names = names.filter_map(|line| line.split_whitespace().next());
        names
            .filter(|name| *name != "help")
            .map(str::to_owned)
            .collect()
    };
    let mut all = Vec::new();
    for first in below(&[]) {
        let first = vec![first];
        for second in below(&first) {
            all.push([first.clone(), vec![second]].concat());
        }
        all.push(first);
    }
    assert!(all.len() > 25, "{all:?}");
    all
}

fn feed(mut command: Command, text: &str) -> Option<String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    Some(String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn every_command_is_completed_in_every_shell() {
    let commands = commands();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = lamplighter(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let script = out(&output);
        for words in &commands {
            for word in words {
                assert!(script.contains(word.as_str()), "{shell}: {words:?}");
            }
        }
    }
    let mut bash = Command::new("bash");
    bash.arg("-n");
    let script = out(&lamplighter(&["completions", "bash"]));
    if let Some(complaints) = feed(bash, &script) {
        assert_eq!(complaints, "");
    }
    assert_eq!(lamplighter(&["completions", "dos"]).status.code(), Some(2));
}

#[test]
fn every_command_is_in_the_man_page() {
    let output = lamplighter(&["man"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let page = out(&output);
    assert!(page.contains(".TH lamplighter 1"), "{page}");
    for words in commands() {
        let heading = format!(".SH LAMPLIGHTER {}", words.join(" ").to_uppercase());
        assert!(page.contains(&heading), "{heading}");
    }
    assert!(!page.contains("failpoint"));
    let mut groff = Command::new("groff");
    groff.args(["-man", "-Tutf8", "-ww"]);
    if let Some(complaints) = feed(groff, &page) {
        let serious = complaints.lines().filter(|line| line.contains("error"));
        assert_eq!(serious.count(), 0, "{complaints}");
    }
}
