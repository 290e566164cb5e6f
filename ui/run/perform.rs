//! What the reducer wants done, done: nothing here waits, whatever takes time answers by a message.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::{Console, Live};
use crate::desk;
use crate::msg::{Effect, Msg, Wanted};
use crate::patch;
use crate::settings::Settings;
use crate::term::Surface;
use crate::text::Clean;

impl<L: Live, S: Surface> Console<L, S> {
    /// Writes down what the operator chose, if that has changed.
    pub(super) fn keep(&mut self) {
        let Some(kept) = &mut self.kept else { return };
        let chosen = Settings::of(&self.state);
        if chosen == kept.chosen {
            return;
        }
        // A small file; told once if it cannot be written.
        if let Err(problem) = chosen.write(&kept.file) {
            self.kept = None;
            self.state.tell(Clean::new(problem), true);
            return;
        }
        kept.chosen = chosen;
    }

    pub(super) fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Command(what, wanted) => {
                let jobs = self.jobs.clone();
                let Some(live) = self.live.clone() else {
                    return self.at_the_desk(what, wanted, jobs);
                };
                tokio::spawn(async move {
                    let reached = live.command(wanted.into()).await;
                    let reached = reached.map(|()| Clean::new("reached"));
                    let reached = reached.map_err(Clean::new);
                    // A console that has been left needs no answer.
                    let _ = jobs.send(Msg::Commanded(what, reached)).await;
                });
            }
            Effect::Reach(id, entry) => {
                let (reach, jobs) = (Arc::clone(&self.reach), self.jobs.clone());
                tokio::task::spawn_blocking(move || {
                    let covered = reach(&entry).map_err(Clean::new);
                    let _ = jobs.blocking_send(Msg::Reach(id, entry, covered));
                });
            }
            Effect::Ask(question) => {
                if let Some(jobs) = &mut self.reading {
                    jobs.ask(question);
                }
            }
            Effect::Start => self.start.notify_one(),
            Effect::Drain => self.stop.drain(),
            Effect::Interrupt => self.stop.interrupt(),
            Effect::Suspend => match self.surface.suspend() {
                Ok(()) => {
                    let (columns, rows) = self.surface.size();
                    self.take(Msg::Size(columns, rows));
                    self.take(Msg::Resumed);
                }
                Err(_) => self.lost(),
            },
            Effect::Leave => self.over = true,
            Effect::Copy(text) => {
                let sequence = self.osc.copy([&text]);
                let said = match sequence {
                    Ok(sequence) => {
                        self.surface.send(&sequence);
                        format!("copied {}", text.as_str())
                    }
                    Err(error) => error.to_string(),
                };
                self.take(Msg::Told(Clean::new(said)));
            }
            Effect::CopyLines(lines, what) => {
                let said = match self.osc.copy(&lines) {
                    Ok(sequence) => {
                        self.surface.send(&sequence);
                        format!("copied {what}")
                    }
                    Err(error) => error.to_string(),
                };
                self.take(Msg::Told(Clean::new(said)));
            }
            Effect::Save(save) => {
                let jobs = self.jobs.clone();
                tokio::task::spawn_blocking(move || {
                    let said = match patch::save(&save) {
                        Ok(said) => Msg::Told(Clean::new(said)),
                        Err(problem) => {
                            Msg::Commanded(Clean::new("save"), Err(Clean::new(problem)))
                        }
                    };
                    let _ = jobs.blocking_send(said);
                });
            }
            Effect::NextTheme => {
                let name = self.surface.next_theme();
                self.take(Msg::Themed(name));
            }
            Effect::Mouse(ours) => self.surface.mouse(ours),
            Effect::Redraw => {
                if self.surface.redraw().is_err() {
                    self.lost();
                }
            }
        }
    }

    /// With no run of our own under way, the desk of the store is where things are asked for.
    fn at_the_desk(&self, what: Clean, wanted: Wanted, jobs: mpsc::Sender<Msg>) {
        let Some(store) = self.store.clone() else {
            return;
        };
        tokio::task::spawn_blocking(move || {
            let done = desk::act(&store, wanted);
            let said = done
                .map(Clean::new)
                .map_err(|failure| Clean::new(failure.sentence()));
            let _ = jobs.blocking_send(Msg::Commanded(what, said));
        });
    }
}
