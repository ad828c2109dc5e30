//! Diagnostics as values.
//!
//! In: faults found by any stage. Out: a list that a front end turns into
//! compile errors or a terminal rendering. Stages report into a
//! [`Diagnostics`] sink and go on; [`Reported`] is the proof that something
//! was reported.

mod code;
mod render;
mod sink;

pub use code::Code;
pub use render::render;
pub use sink::{Diagnostics, Reported};

use crate::ir::Loc;

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Performance advice: spills, missed tensor cores, bank conflicts.
    Remark,
    /// Suspicious, but compiled.
    Warning,
    /// The build fails.
    Error,
}

/// A place in the source and what is true there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub loc: Loc,
    /// What is true here; may be empty on the primary label.
    pub text: String,
}

/// One fault: what is wrong, where, which rule it breaks and the cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The catalogued kind of fault.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: lower case, no final period, code in backticks.
    pub message: String,
    /// The token at fault.
    pub primary: Label,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// The rules behind it.
    pub notes: Vec<String>,
    /// One instruction that cures it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error of kind `code` at `loc`.
    pub fn error(code: Code, loc: Loc, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, loc, message)
    }

    /// A warning of kind `code` at `loc`.
    pub fn warning(code: Code, loc: Loc, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, loc, message)
    }

    /// A performance remark of kind `code` at `loc`.
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

    /// Says what is true at the primary location.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn label(mut self, loc: Loc, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            loc,
            text: text.into(),
        });
        self
    }

    /// States a rule.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Gives the cure, as an instruction.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
