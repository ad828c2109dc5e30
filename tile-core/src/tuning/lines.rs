//! The lines of a file of records.
//!
//! In: the bytes of a file, as people, git and other versions of this crate left it. Out: for each
//! line that is not blank, its record, or what is wrong with it.

use std::fmt;

use super::record::{LineError, Record};

/// A line that is no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The number of the line, from 1.
    pub line: usize,
    /// The column of the fault, in characters, from 1.
    pub column: usize,
    /// The problem and its remedy.
    pub reason: String,
    /// The kind of the fault.
    pub fault: LineFault,
    /// The bytes of the line.
    pub text: Vec<u8>,
}

/// The reason why a line is no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineFault {
    /// It is not the JSON of a record.
    Malformed,
    /// It is of a newer version of the format.
    NewerFormat,
    /// It is a marker that git leaves around the two sides of a conflict.
    ConflictMarker,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.reason)
    }
}

/// One line that is not blank.
#[derive(Clone, Debug)]
pub struct Line {
    /// The number of the line, from 1.
    pub number: usize,
    /// The record, or what is wrong.
    pub content: Result<Record, BadLine>,
}

/// Reads the lines of a file.
pub fn lines(bytes: &[u8]) -> Vec<Line> {
    // Some editors write a byte order mark.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let numbered = bytes.split(|&byte| byte == b'\n').zip(1..);
    let filled = numbered.filter(|(line, _)| !line.trim_ascii().is_empty());
    let read = |(line, number)| Line {
        number,
        content: read(line, number),
    };
    filled.map(read).collect()
}

fn read(line: &[u8], number: usize) -> Result<Record, BadLine> {
    let bad = |column, reason: String, fault| BadLine {
        line: number,
        column,
        reason,
        fault,
        text: line.to_vec(),
    };
    if is_conflict_marker(line) {
        let reason = "a conflict marker of git; the records of both sides are used, and `tilec tune \
                      merge FILE` writes them without it";
        return Err(bad(1, reason.to_owned(), LineFault::ConflictMarker));
    }
    let text = match str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => {
            let before = str::from_utf8(&line[..error.valid_up_to()]).unwrap_or_default();
            let column = before.chars().count() + 1;
            let reason = "expected UTF-8 text".to_owned();
            return Err(bad(column, reason, LineFault::Malformed));
        }
    };
    Record::from_line(text).map_err(|error| match error {
        LineError::Malformed(fault) => bad(fault.column, fault.message, LineFault::Malformed),
        LineError::Newer(fault) => bad(fault.column, fault.message, LineFault::NewerFormat),
    })
}

/// Returns `true` for `<<<<<<< ours`, `||||||| base`, `=======` and `>>>>>>> theirs`.
fn is_conflict_marker(line: &[u8]) -> bool {
    let markers: [&[u8]; 4] = [b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>"];
    markers.iter().any(|marker| {
        let rest = line.strip_prefix(*marker);
        rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
    })
}
