//! PTX text to decoded instructions.
//!
//! In: text. Out: a [`crate::Module`], whose instructions name slots instead of registers.
//!
//! - [`lexer`] makes tokens, [`parser`] statements; neither knows an instruction.
//! - [`names`] gives registers, constants, special registers and labels their numbers.
//! - [`decoder`] reads one instruction's modifiers and operands for `isa::<family>::decode`;
//!   a modifier or operand that no family reads is an error.
//! - No text makes any of them panic, and memory use is bounded by the length of the text.

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

/// How many errors are printed at once.
const MOST_SHOWN: usize = 20;

/// Why a text is not a program that can be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
    /// More of what is wrong, if reading could go on.
    pub others: Vec<ParseError>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)?;
        for other in self.others.iter().take(MOST_SHOWN - 1) {
            write!(f, "\n{other}")?;
        }
        match self.others.len().saturating_sub(MOST_SHOWN - 1) {
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

    /// All of them as one.
    pub(crate) fn join(errors: Vec<Self>) -> Option<Self> {
        let mut errors = errors.into_iter();
        let mut first = errors.next()?;
        first.others.extend(errors);
        Some(first)
    }
}
