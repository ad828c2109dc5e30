//! Tables of text with aligned columns.

use std::fmt::Write as _;

use crate::failure::visible;

/// Returns the rows as lines, each column as wide as its longest cell.
pub(super) fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let shown = |cell: &String| visible(cell).into_owned();
    let rows: Vec<[String; N]> = rows.iter().map(|row| row.each_ref().map(shown)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; N] = std::array::from_fn(|column| width(column).unwrap_or(0));
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            // Writing to a `String` does not fail.
            let _ = write!(line, "{cell:width$}  ");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}
