//! `man`: one page for every command, in the manual's own format.

use std::io;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::Cli;
use super::output::{Out, written};
use crate::exit::{Exit, Failure};

pub(crate) fn man() -> Result<Exit, Failure> {
    let command = Cli::command();
    let mut page = Vec::new();
    render(&command, &mut page).map_err(written)?;
    let mut out = Out::new(false);
    out.bytes(&page)?;
    out.finish()?;
    Ok(Exit::Done)
}

/// The page of the program, with a part for each command and each command below it.
fn render(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone());
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    for below in shown(command) {
        part(below, command.get_name(), page)?;
    }
    man.render_version_section(page)
}

fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
}

/// `lamplighter hosts import`: what it does and takes.
fn part(command: &Command, above: &str, page: &mut Vec<u8>) -> io::Result<()> {
    let name = format!("{above} {}", command.get_name());
    if command.has_subcommands() {
        for below in shown(command) {
            part(below, &name, page)?;
        }
        return Ok(());
    }
    let named = command.clone().bin_name(&name).display_name(&name);
    let man = Man::new(named);
    let mut text = Vec::new();
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    man.render_extra_section(&mut text)?;
    page.extend_from_slice(format!(".SH {}\n", name.to_uppercase()).as_bytes());
    // Its sections are parts of this one.
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(b".SH ") {
            Some(title) => {
                page.extend_from_slice(b".SS ");
                page.extend_from_slice(title);
            }
            None => page.extend_from_slice(line),
        }
    }
    Ok(())
}
