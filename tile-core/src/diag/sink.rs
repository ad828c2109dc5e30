//! The sink into which every stage reports.

use super::{Diagnostic, Severity};

/// Proof that at least one error was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported(());

/// Collects diagnostics. In debug builds, dropping a sink with unread errors panics, so that no
/// error is lost silently.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// Makes an empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports an error and returns the proof of it.
    pub fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        debug_assert_eq!(diagnostic.severity, Severity::Error);
        self.list.push(diagnostic);
        self.errors += 1;
        Reported(())
    }

    /// Reports a diagnostic of any severity.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        self.list.push(diagnostic);
    }

    /// Returns `true` if an error was reported.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns the number of reported errors.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Ends a stage. Fails if there were errors, since later stages assume that there were none.
    pub fn checkpoint(&self) -> Result<(), Reported> {
        if self.has_errors() {
            Err(Reported(()))
        } else {
            Ok(())
        }
    }

    /// Returns everything reported so far, in the order of reporting.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Removes and returns all diagnostics.
    pub fn take(&mut self) -> Vec<Diagnostic> {
        self.errors = 0;
        std::mem::take(&mut self.list)
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        debug_assert!(
            self.errors == 0 || std::thread::panicking(),
            "diagnostics dropped unread: {:#?}",
            self.list
        );
    }
}
