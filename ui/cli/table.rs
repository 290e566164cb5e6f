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

#[cfg(test)]
mod tests {
    use super::*;

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
