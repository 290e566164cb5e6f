//! The hosts in flight as lines of text: each when something about it changed, at a rhythm that can
//! be read.

use std::collections::HashMap;

use engine::crawl::{HostState, Lamp};
use engine::store::HostId;

use crate::engine;
use crate::state::live::{Live, Row};
use crate::text::{Clean, fit};
use crate::theme::ASCII;

/// Hosts told at once.
const MOST: usize = 20;

/// What was told of each host last.
#[derive(Default)]
pub(super) struct Told(HashMap<HostId, String>);

impl Told {
    /// What is new to say, the next ones to be asked first.
    pub(super) fn lines(&mut self, live: &Live) -> Vec<Clean> {
        self.0.retain(|id, _| live.rows.contains_key(id));
        let mut lines = Vec::new();
        let mut more = 0;
        for id in &live.order {
            let Some(row) = live.rows.get(id) else {
                continue;
            };
            let line = line(row, live);
            if self.0.get(id) == Some(&line) {
                continue;
            }
            if lines.len() == MOST {
                more += 1;
                continue;
            }
            lines.push(Clean::new(&line));
            self.0.insert(*id, line);
        }
        if more > 0 {
            let more = fit::counted(more, "host");
            lines.push(Clean::new(format!("in flight: {more} more changed")));
        }
        lines
    }
}

fn line(row: &Row, live: &Live) -> String {
    let lamps: String = row.visit.lamps.iter().map(|lamp| sign(*lamp)).collect();
    let next = match &row.visit.state {
        HostState::Asking { .. } | HostState::Ready => "now".to_owned(),
        HostState::Resting { until, .. } => fit::span(fit::until(live.now, *until)),
        HostState::Paused { .. } => "once resumed".to_owned(),
        HostState::Waiting | HostState::Held | HostState::Suppressed | HostState::Done { .. } => {
            "-".to_owned()
        }
    };
    format!(
        "in flight: {}, lamps {lamps}, gap {}, next {next}, why: {}",
        row.host(),
        fit::gap(row.visit.gap),
        row.sentence()
    )
}

/// `@ = o x ! ? .`, as on a screen without other signs.
fn sign(lamp: Lamp) -> &'static str {
    match lamp {
        Lamp::Present => ASCII.present,
        Lamp::Unchanged => ASCII.unchanged,
        Lamp::Absent => ASCII.absent,
        Lamp::Denied => ASCII.denied,
        Lamp::Error => ASCII.error,
        Lamp::Asking => ASCII.asking,
        Lamp::NotYet => ASCII.not_yet,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_kit::{asking, row, running};

    #[test]
    fn each_host_in_flight_is_told_once_a_change() {
        let mut live = Live::default();
        live.apply(running());
        let mut told = Told::default();
        let lines = told.lines(&live);
        assert_eq!(lines.len(), 5);
        let says = "in flight: docs.alder.test, lamps @@=ooo@o....., gap 2 s, next 1.2 s, why: \
                    resting until 08:14:08Z: minimum gap, no Crawl-delay declared";
        assert!(lines.iter().any(|line| line.as_str() == says), "{lines:#?}");
        assert!(told.lines(&live).is_empty(), "nothing changed");
        let mut news = running();
        news.rows = vec![row(1, "docs.alder.test", "@@=ooo@o?....", 2, asking("/a"))];
        live.apply(news);
        let lines = told.lines(&live);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].as_str().ends_with("next now, why: asking /a"));
    }

    #[test]
    fn many_hosts_are_told_in_turns() {
        let mut news = running();
        news.rows = (1..=50)
            .map(|id| row(id, &format!("h{id}.test"), "@o...", 2, asking("/a")))
            .collect();
        let mut live = Live::default();
        live.apply(news);
        let mut told = Told::default();
        let lines = told.lines(&live);
        assert_eq!(lines.len(), MOST + 1);
        assert_eq!(lines[MOST].as_str(), "in flight: 30 hosts more changed");
        assert_eq!(told.lines(&live).len(), MOST + 1);
        assert_eq!(told.lines(&live).len(), 10);
    }
}
