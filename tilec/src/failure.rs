//! Why a command failed, and how it is said.
//!
//! In: diagnostics and the text that they point into, or a failure of the host. Out: a
//! line `FILE:LINE:COL: SEVERITY: MESSAGE` for each, followed by the rendered source
//! (for the first hundred).

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use tile_core::Diagnostic;
use tile_core::diag::{Severity, render};

/// Drawing a fault reads the whole text, so in a file full of faults only the first
/// are drawn: the time stays proportional to the size of the file.
const MAX_DRAWN: usize = 100;

/// A file by its name in messages, with the text that locations point into.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// As it was given, or `<stdin>`.
    pub(crate) name: String,
    /// `None` where there is no text, as in bytecode that cannot be read.
    pub(crate) text: Option<String>,
}

/// Diagnostics on one file.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) source: Source,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The module is at fault, or a tool that was run on it.
    Faults(Report),
    /// A file cannot be read or written.
    Host {
        /// Its name in messages.
        file: String,
        /// What cannot be done, and why.
        message: String,
    },
}

impl Failure {
    /// `error` when doing `what` with the file at `path`.
    pub(crate) fn host(file: impl Into<String>, what: &str, error: &std::io::Error) -> Self {
        Self::Host {
            file: file.into(),
            message: format!("cannot {what}: {error}"),
        }
    }
}

/// How a file is called in messages.
pub(crate) fn display_name(path: &Path, stream: &str) -> String {
    if is_stream(path) {
        stream.to_owned()
    } else {
        path.display().to_string()
    }
}

/// Whether `path` stands for standard input or output.
pub(crate) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Faults(report) => report.fmt(f),
            Self::Host { file, message } => writeln!(f, "{file}:0:0: error: {message}"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Source { name, text } = &self.source;
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Remark => "note",
            };
            let loc = diagnostic.primary.loc;
            let file = loc.file_name().unwrap_or(name);
            let (line, column) = (loc.line(), loc.column());
            // One line, also where a tool said more: the rendering has all of it.
            let message = diagnostic.message.lines().next().unwrap_or_default();
            let message = visible(message);
            writeln!(f, "{file}:{line}:{column}: {severity}: {message}")?;
            if index >= MAX_DRAWN {
                continue;
            }
            let text_of = |file: &str| text.clone().filter(|_| file == name);
            writeln!(f, "{}\n", render([diagnostic], &text_of))?;
        }
        Ok(())
    }
}

/// `message` with its control characters, which may come from a file, as numbers.
fn visible(message: &str) -> Cow<'_, str> {
    if !message.contains(char::is_control) {
        return Cow::Borrowed(message);
    }
    let mut visible = String::new();
    for letter in message.chars() {
        if letter.is_control() {
            visible.extend(letter.escape_unicode());
        } else {
            visible.push(letter);
        }
    }
    Cow::Owned(visible)
}
