//! The names of all hosts in memory, to find the few that contain a text.

use memchr::memmem;
use rusqlite::{Connection, params};

use super::super::pack::damaged;
use super::super::{HostId, StoreError};

/// Names read in one statement.
const CHUNK: i64 = 50_000;
/// More hosts than this are no few.
const FEW: usize = 20_000;
/// Stands between two names: in none of them.
const BETWEEN: char = '\n';

/// The names of all hosts as they were when read: their letters and 17 bytes a host.
#[derive(Debug, Default)]
pub struct HostNames {
    text: String,
    /// Where each name starts, and whose it is.
    starts: Vec<(u32, HostId)>,
    /// Names of the lists they came from, in small letters.
    lists: Vec<String>,
}

impl HostNames {
    pub(super) fn read(
        conn: &Connection,
        go_on: &dyn Fn() -> Result<(), StoreError>,
    ) -> Result<HostNames, StoreError> {
        let mut names = HostNames::default();
        let mut lists = conn.prepare_cached("SELECT DISTINCT name FROM sources")?;
        for list in lists.query_map([], |row| row.get::<_, String>(0))? {
            names.lists.push(list?.to_lowercase());
        }
        let mut after = -1;
        loop {
            go_on()?;
            let before = after;
            let mut statement = conn
                .prepare_cached("SELECT id, name FROM hosts WHERE id > ?1 ORDER BY id LIMIT ?2")?;
            let mut rows = statement.query(params![after, CHUNK])?;
            while let Some(row) = rows.next()? {
                after = row.get(0)?;
                let name = row.get_ref(1)?;
                let name = name.as_str().map_err(|_| damaged("a host's name"))?;
                names.push(HostId(after), name)?;
            }
            if after == before {
                return Ok(names);
            }
        }
    }

    fn push(&mut self, id: HostId, name: &str) -> Result<(), StoreError> {
        let start = u32::try_from(self.text.len());
        let start = start.map_err(|_| damaged("more names of hosts than there can be"))?;
        self.starts.push((start, id));
        self.text.push_str(name);
        self.text.push(BETWEEN);
        Ok(())
    }

    /// How many hosts.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The hosts whose names contain a text in small letters, by id; none if they are more than a few,
    /// or if the name of a list contains it too, so that any host may be meant.
    pub fn with(&self, part: &str) -> Option<Vec<HostId>> {
        if part.is_empty() || self.lists.iter().any(|list| list.contains(part)) {
            return None;
        }
        let finder = memmem::Finder::new(part);
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = finder.find(self.text.as_bytes().get(from..)?) {
            let at = from + at;
            let next = self
                .starts
                .partition_point(|(start, _)| *start as usize <= at);
            found.push(self.starts.get(next.checked_sub(1)?)?.1);
            if found.len() > FEW {
                return None;
            }
            // Once is enough for each name.
            from = match self.starts.get(next) {
                Some((start, _)) => *start as usize,
                None => break,
            };
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_name_that_contains_it_is_found(
            names in prop::collection::vec("[ab]{1,3}(\\.[ab]{1,3}){0,2}", 0..20),
            part in "[ab.]{1,4}",
        ) {
            let mut all = HostNames::default();
            for (id, name) in (1..).zip(&names) {
                all.push(HostId(id * 3), name).unwrap();
            }
            let expected = (1..).zip(&names).filter(|(_, name)| name.contains(&part));
            let expected: Vec<HostId> = expected.map(|(id, _)| HostId(id * 3)).collect();
            prop_assert_eq!(all.with(&part), Some(expected));
        }
    }

    #[test]
    fn what_is_not_rare_is_left_to_others() {
        let mut names = HostNames::default();
        for id in 0..=20_000 {
            names.push(HostId(id), &format!("h{id}.test")).unwrap();
        }
        names.lists.push("list majestic".to_owned());
        assert_eq!(names.with("test"), None);
        assert_eq!(names.with("jest"), None, "a list's name contains it");
        assert_eq!(names.with("h20000."), Some(vec![HostId(20_000)]));
    }
}
