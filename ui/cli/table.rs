//! Aligned tables of cleaned text.

use crate::text::Clean;

/// A table; the last column is never padded.
pub(crate) struct Table {
    head: &'static [&'static str],
    rows: Vec<Vec<Clean>>,
}

impl Table {
    /// An empty table. A head that begins with `>` is of a column aligned to the right.
    pub(crate) fn new(head: &'static [&'static str]) -> Table {
        Table {
            head,
            rows: Vec::new(),
        }
    }

    /// Adds a row; cells are cleaned here.
    pub(crate) fn row<Cell: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().map(Clean::new).collect());
    }

    /// No row.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines, head first.
    pub(crate) fn lines(&self) -> Vec<String> {
        let titles: Vec<Clean> = self
            .head
            .iter()
            .map(|title| Clean::new(title.trim_start_matches('>')))
            .collect();
        let widths: Vec<usize> = (0..titles.len())
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                let widest = cells.map(Clean::width).max().unwrap_or(0);
                widest.max(titles[column].width())
            })
            .collect();
        std::iter::once(&titles)
            .chain(&self.rows)
            .map(|row| self.line(row, &widths))
            .collect()
    }

    /// The lines, head first, with the last column wrapped between words so that none is wider than
    /// `width`, as far as the other columns leave it room.
    pub(crate) fn wrapped(&self, width: usize) -> Vec<String> {
        const LEAST: usize = 20;
        let last = self.head.len().saturating_sub(1);
        let whole = self.lines();
        let widest = |column: usize| {
            let title = Clean::new(self.head[column].trim_start_matches('>')).width();
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(Clean::width).max().unwrap_or(0).max(title)
        };
        let indent: usize = (0..last).map(|column| widest(column) + 2).sum();
        let room = width.saturating_sub(indent).max(LEAST);
        let mut lines = Vec::new();
        for (line, row) in whole
            .iter()
            .zip(std::iter::once(None).chain(self.rows.iter().map(Some)))
        {
            let text = row.and_then(|row| row.get(last)).map_or("", Clean::as_str);
            let Some(before) = line
                .strip_suffix(text.trim_end())
                .filter(|_| !text.is_empty())
            else {
                lines.push(line.clone());
                continue;
            };
            let mut parts = wrap(text, room).into_iter();
            lines.push(format!("{before}{}", parts.next().unwrap_or_default()));
            lines.extend(parts.map(|part| format!("{}{part}", " ".repeat(indent))));
        }
        lines
    }

    fn line(&self, row: &[Clean], widths: &[usize]) -> String {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let last = column + 1 == row.len();
            let room = widths.get(column).copied().unwrap_or(0);
            let pad = " ".repeat(room.saturating_sub(cell.width()));
            if self
                .head
                .get(column)
                .is_some_and(|head| head.starts_with('>'))
            {
                line.push_str(&pad);
                line.push_str(cell.as_str());
            } else {
                line.push_str(cell.as_str());
                line.push_str(if last { "" } else { &pad });
            }
            line.push_str(if last { "" } else { "  " });
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// Text cut between words into lines of at most `room` columns; a longer word has a line of its own.
fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if Clean::new(&*line).width() + 1 + Clean::new(word).width() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_is_wrapped() {
        let mut table = Table::new(&["id", ">n", "words"]);
        table.row([
            "PC2",
            "12",
            "shortest gap, from the end of one answer to the next",
        ]);
        table.row(["", "", "smallest 2 s"]);
        assert_eq!(
            table.wrapped(34),
            [
                "id    n  words",
                "PC2  12  shortest gap, from the",
                "         end of one answer to the",
                "         next",
                "         smallest 2 s",
            ]
        );
    }

    #[test]
    fn aligns_by_columns_and_cleans() {
        let mut table = Table::new(&["host", ">bytes", "why"]);
        table.row(["中文.test", "9", "ok"]);
        table.row(["a\x1b[2J", "1,024", "red\u{202e}irect"]);
        assert_eq!(
            table.lines(),
            [
                "host       bytes  why",
                "中文.test      9  ok",
                "a^[[2J     1,024  red<U+202E>irect",
            ]
        );
    }
}
