//! The parser: from PTX text to a [`crate::Module`] of decoded instructions.
//!
//! - [`lexer`] produces tokens and [`parser`] statements; neither knows any instruction.
//! - [`names`] resolves registers, constants, special registers and labels to indices.
//! - [`decoder`] reads the modifiers and operands of one instruction for `isa::<family>::decode`; a
//!   modifier or operand that no family consumes is an error.
//! - The parser does not panic on any text, and its memory use is bounded by the length of the
//!   text.

pub(crate) mod build;
pub(crate) mod decoder;
mod lexer;
pub(crate) mod names;
mod parser;
mod specials;
pub(crate) mod syntax;
pub(crate) mod target;

use std::fmt;

pub use crate::isa::MNEMONICS;

/// The maximum number of errors that are printed.
const MAX_SHOWN: usize = 20;

/// An error in a PTX text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The description of the error.
    pub message: String,
    /// Further errors of the text, in the order of lines.
    pub others: Vec<ParseError>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)?;
        for other in self.others.iter().take(MAX_SHOWN - 1) {
            write!(f, "\n{other}")?;
        }
        match self.others.len().saturating_sub(MAX_SHOWN - 1) {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl ParseError {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Self {
        Self {
            line,
            message: message.into(),
            others: Vec::new(),
        }
    }

    /// Joins several errors into one.
    pub(crate) fn join(errors: Vec<Self>) -> Option<Self> {
        let mut errors = errors.into_iter();
        let mut first = errors.next()?;
        first.others.extend(errors);
        Some(first)
    }
}
