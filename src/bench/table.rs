//! A table of measurements, as aligned text and as Markdown.

use std::fmt::{self, Write as _};

use super::Measurement;
use super::measurement::{Digits, Percent, Seconds};

/// A table of measurements: the time of each with its noise, and the rates of what it moves and computes.
///
/// [`Display`](fmt::Display) prints aligned text.
///
/// ```
/// # use std::time::Duration;
/// # use tile_kernel::{Device, bench::{Bench, Table}};
/// # let bench = Bench::new().warm_up(Duration::ZERO).duration(Duration::from_millis(1));
/// # let time = bench.run(&Device::cpu(), |_| Ok(std::thread::yield_now()))?;
/// let mut table = Table::new();
/// table.add("add of 4096", time).bytes(12.0 * 4096.0).operations(4096.0);
/// println!("{table}");
/// assert!(table.to_string().contains("GB/s"));
/// assert!(table.to_markdown().starts_with("| "));
/// # Ok::<(), tile_kernel::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub(super) rows: Vec<Row>,
}

/// A row of a [`Table`].
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub(super) label: String,
    pub(super) measurement: Measurement,
    pub(super) bytes: Option<f64>,
    pub(super) operations: Option<f64>,
}

impl Row {
    /// Sets the bytes that a run moves, for the column GB/s.
    pub fn bytes(&mut self, bytes: f64) -> &mut Row {
        self.bytes = Some(bytes);
        self
    }

    /// Sets the operations that a run computes, for the column TFLOP/s. A multiplication and an addition are two.
    pub fn operations(&mut self, operations: f64) -> &mut Row {
        self.operations = Some(operations);
        self
    }

    /// Returns the label.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the measurement.
    pub fn measurement(&self) -> &Measurement {
        &self.measurement
    }
}

/// The side to which the text of a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// A column with its cells.
struct Column {
    title: &'static str,
    align: Align,
    cells: Vec<String>,
}

impl Table {
    /// Returns a table without rows.
    pub fn new() -> Table {
        Table::default()
    }

    /// Adds a row.
    pub fn add(&mut self, label: impl Into<String>, measurement: Measurement) -> &mut Row {
        self.rows.push(Row {
            label: label.into(),
            measurement,
            bytes: None,
            operations: None,
        });
        self.rows.last_mut().expect("a row was added")
    }

    /// Returns the rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the table in Markdown.
    pub fn to_markdown(&self) -> String {
        let columns = self.columns();
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(columns.iter().map(|c| c.title.to_owned()).collect());
        let rules = columns.iter().map(|column| match column.align {
            Align::Left => "---|",
            Align::Right => "---:|",
        });
        text.push('|');
        text.extend(rules);
        text.push('\n');
        for row in 0..self.rows.len() {
            let cells = columns
                .iter()
                .map(|column| column.cells[row].replace('|', "\\|"));
            text.push_str(&line(cells.collect()));
        }
        text
    }

    fn columns(&self) -> Vec<Column> {
        let column = |title, align, cell: &dyn Fn(&Row) -> Option<String>| Column {
            title,
            align,
            cells: self
                .rows
                .iter()
                .map(|row| cell(row).unwrap_or_default())
                .collect(),
        };
        let rate = |row: &Row, amount: Option<f64>, unit: f64| {
            amount.map(|amount| Digits(row.measurement.rate(amount) / unit).to_string())
        };
        let mut columns = vec![
            column("", Align::Left, &|row| Some(row.label.clone())),
            column("median", Align::Right, &|row| {
                Some(Seconds(row.measurement.median()).to_string())
            }),
            column("noise", Align::Right, &|row| {
                row.measurement
                    .noise()
                    .map(|noise| Percent(noise).to_string())
            }),
            column("fastest", Align::Right, &|row| {
                Some(Seconds(row.measurement.min()).to_string())
            }),
        ];
        if self.rows.iter().any(|row| row.bytes.is_some()) {
            let cell = |row: &Row| rate(row, row.bytes, 1e9);
            columns.push(column("GB/s", Align::Right, &cell));
        }
        if self.rows.iter().any(|row| row.operations.is_some()) {
            let cell = |row: &Row| rate(row, row.operations, 1e12);
            columns.push(column("TFLOP/s", Align::Right, &cell));
        }
        if self.rows.iter().any(|row| !row.measurement.is_steady()) {
            let warnings = |row: &Row| {
                let all = row.measurement.warnings();
                Some(
                    all.iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join("; "),
                )
            };
            columns.push(column("warnings", Align::Left, &warnings));
        }
        columns
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.columns();
        let write = |f: &mut fmt::Formatter<'_>, cell: &dyn Fn(&Column) -> String| {
            let mut line = String::new();
            for column in &columns {
                let lengths = column.cells.iter().map(|cell| cell.chars().count());
                let width = lengths
                    .chain([column.title.chars().count()])
                    .max()
                    .unwrap_or(0);
                let cell = cell(column);
                // A string takes everything.
                let _written = match column.align {
                    Align::Left => write!(line, "{cell:<width$}  "),
                    Align::Right => write!(line, "{cell:>width$}  "),
                };
            }
            writeln!(f, "{}", line.trim_end())
        };
        write(f, &|column| column.title.to_owned())?;
        for row in 0..self.rows.len() {
            write(f, &|column| column.cells[row].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::measurement::tests::of;
    use expect_test::expect;

    fn example() -> Table {
        let mut table = Table::new();
        let times = |time: f64| of(&[time; 16]);
        table.add("add", times(1.5e-5)).bytes(3e7).operations(1e7);
        table.add("a | b", of(&[2.5e-3])).bytes(1e6);
        table.add("none", times(1.0));
        table
    }

    #[test]
    fn text_is_aligned() {
        expect![[r"
                     median   noise   fastest   GB/s  TFLOP/s
            add    15.00 us   3.3 %  15.00 us   2000    0.667
            a | b  2.500 ms          2.500 ms  0.400
            none    1.000 s  0.00 %   1.000 s
        "]]
        .assert_eq(&example().to_string());
    }

    #[test]
    fn markdown_has_a_rule_and_no_stray_bars() {
        expect![[r"
            |  | median | noise | fastest | GB/s | TFLOP/s |
            |---|---:|---:|---:|---:|---:|
            | add | 15.00 us | 3.3 % | 15.00 us | 2000 | 0.667 |
            | a \| b | 2.500 ms |  | 2.500 ms | 0.400 |  |
            | none | 1.000 s | 0.00 % | 1.000 s |  |  |
        "]]
        .assert_eq(&example().to_markdown());
    }

    #[test]
    fn warnings_have_a_column() {
        let mut table = Table::new();
        let noisy: Vec<f64> = (0..40).map(|i| f64::from(1 + i % 4)).collect();
        table.add("noisy", of(&noisy));
        assert!(table.to_string().contains("measure for longer"));
        assert!(!example().to_string().contains("warnings"));
    }
}
