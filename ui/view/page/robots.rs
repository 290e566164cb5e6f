//! robots.txt as evidence: the verdict in words, and the text with the lines that had a say lit.

use ratatui::style::Style;

use super::Draw;
use crate::state::page::Part;
use crate::state::page::facts::wrapped;
use crate::state::page::robots::Mark;
use crate::theme::Role;

impl Draw<'_, '_, '_> {
    pub(super) fn robots(&mut self) {
        let page = self.page;
        let Some(fetches) = self.part(&page.fetches, "robots.txt") else {
            return;
        };
        if fetches.is_empty() {
            return self.none("robots.txt of this host was never asked for");
        }
        let head = page.robots_head(self.state.size);
        for fact in &head {
            self.fact(fact);
        }
        let evidence = match &page.robots.evidence {
            Part::Ready(evidence) => evidence,
            other => {
                self.part(other, "what it says");
                return;
            }
        };
        let rule = self.strip().times(
            self.theme.symbols.rule,
            usize::from(self.area.width),
            Role::Dim,
        );
        self.put(rule);
        let Some(file) = &evidence.said.file else {
            return self.none("no text was kept of this fetch");
        };
        if file.text.len() == 0 {
            self.none("the file is empty");
        }
        let below = wrapped(
            page.robots_below(self.state.size),
            usize::from(self.area.width),
        );
        let digits = file.text.len().to_string().len().max(3);
        for at in page.place().top.. {
            if self.area.height == 0 {
                return;
            }
            if at < file.text.len() {
                self.text_line(at, digits);
            } else if let Some(fact) = below.get(at - file.text.len()) {
                self.fact(fact);
            } else {
                return;
            }
        }
    }

    fn text_line(&mut self, at: usize, digits: usize) {
        let Some((text, mark)) = self.page.robots.line(at) else {
            return;
        };
        // A word stands beside each line that had a say: light alone says nothing.
        let (word, role, over) = match mark {
            Some(Mark::Decides) => ("decides".to_owned(), Role::Match, Role::Match),
            Some(Mark::Loses(rank)) => (nth(rank + 1), Role::Told, Role::Plain),
            Some(Mark::Agent) => ("for us".to_owned(), Role::Good, Role::Title),
            None => (String::new(), Role::Dim, Role::Plain),
        };
        let number = (at + 1).to_string();
        let pad = digits.saturating_sub(number.len());
        let strip = self
            .strip()
            .gap(1 + 7_usize.saturating_sub(word.len()))
            .value(word, role)
            .gap(1 + pad)
            .value(number, Role::Dim)
            .gap(2)
            .clean(&text, over);
        let line = self.line();
        strip.draw(line, self.frame.buffer_mut(), Style::new());
    }
}

/// `2nd`, `3rd`, `11th`.
fn nth(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}
