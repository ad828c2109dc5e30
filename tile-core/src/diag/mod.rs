//! Diagnostics as values.
//!
//! All stages report the errors that they find into a [`Diagnostics`] sink and continue; a front
//! end turns the list into compile errors or a terminal rendering. [`Reported`] proves that an
//! error was reported.

mod code;
#[cfg(feature = "render")]
mod render;
mod sink;

pub use code::Code;
#[cfg(feature = "render")]
pub use render::render;
pub use sink::{Diagnostics, Reported};

use crate::ir::Loc;

/// The severity of a [`Diagnostic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Performance advice: spills, missed tensor cores, bank conflicts.
    Remark,
    /// Suspicious, but compiled.
    Warning,
    /// The build fails.
    Error,
}

/// A source location and a statement about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The location.
    pub loc: Loc,
    /// The statement; may be empty on the primary label.
    pub text: String,
}

/// One problem: its description, its location, the violated rule and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The catalogued kind.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The description: lower case, no final period, code in backticks.
    pub message: String,
    /// The token at fault.
    pub primary: Label,
    /// Other relevant locations.
    pub labels: Vec<Label>,
    /// The rules that apply.
    pub notes: Vec<String>,
    /// One instruction that fixes the problem.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Makes an error of kind `code` at `loc`.
    pub fn error(code: Code, loc: Loc, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, loc, message)
    }

    /// Makes a warning of kind `code` at `loc`.
    pub fn warning(code: Code, loc: Loc, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, loc, message)
    }

    /// Makes a performance remark of kind `code` at `loc`.
    pub fn remark(code: Code, loc: Loc, message: impl Into<String>) -> Self {
        Self::new(Severity::Remark, code, loc, message)
    }

    fn new(severity: Severity, code: Code, loc: Loc, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            primary: Label {
                loc,
                text: String::new(),
            },
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Sets the statement about the primary location.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another location.
    #[must_use]
    pub fn label(mut self, loc: Loc, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            loc,
            text: text.into(),
        });
        self
    }

    /// Adds a note, which states a rule that applies.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Sets the remedy, as an instruction.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
