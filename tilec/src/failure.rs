//! Failures of commands, and how they are printed.
//!
//! A failure consists of diagnostics and the text that they point into, or of an error of the host.
//! Each diagnostic is printed as a line `FILE:LINE:COL: SEVERITY: MESSAGE`. The rendered source
//! follows, for the first hundred diagnostics.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use tile_core::Diagnostic;
use tile_core::diag::{Severity, render};

/// The number of diagnostics that are rendered. Rendering reads the whole text, so this limit keeps
/// the time proportional to the size of a file with many errors.
const MAX_DRAWN: usize = 100;

/// A file: its name in messages, and the text that locations point into.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The name as given, or `<stdin>`.
    pub(crate) name: String,
    /// `None` if there is no text, as for bytecode that cannot be read.
    pub(crate) text: Option<String>,
}

/// Diagnostics on one file.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) source: Source,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A failure of a command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Errors in the module, or of a tool that processed it.
    Faults(Report),
    /// A file cannot be read or written.
    Host {
        /// The name of the file in messages.
        file: String,
        /// The operation that failed, and the reason.
        message: String,
    },
    /// What is wrong at places of files that are no modules.
    Places(Vec<Place>),
    /// The arguments do not say what to do.
    Usage(String),
    /// These parts are missing, without which no GPU code can be generated.
    Incomplete(String),
}

/// A place in a file, and what is wrong there.
#[derive(Debug)]
pub(crate) struct Place {
    /// The name of the file in messages.
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
}

impl Place {
    /// Returns the line of a message of this severity, with its line break.
    pub(crate) fn line_of(&self, severity: &str) -> String {
        let Self {
            file,
            line,
            column,
            message,
        } = self;
        format!("{file}:{line}:{column}: {severity}: {}\n", visible(message))
    }
}

impl Failure {
    /// Converts `error`, which occurred while doing `what` with `file`, to a failure.
    pub(crate) fn host(file: impl Into<String>, what: &str, error: &std::io::Error) -> Self {
        Self::Host {
            file: file.into(),
            message: format!("cannot {what}: {error}"),
        }
    }
}

/// Returns the name of a file in messages.
pub(crate) fn display_name(path: &Path, stream: &str) -> String {
    if is_stream(path) {
        stream.to_owned()
    } else {
        path.display().to_string()
    }
}

/// Returns `true` if `path` is standard input or output.
pub(crate) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Faults(report) => report.fmt(f),
            Self::Incomplete(parts) => {
                writeln!(f, "error: no GPU code can be generated without {parts}")
            }
            Self::Places(places) => {
                let mut lines = places.iter().map(|place| place.line_of("error"));
                lines.try_for_each(|line| f.write_str(&line))
            }
            Self::Usage(message) => writeln!(f, "error: {message}"),
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
            // One line, even if a tool printed more: the rendering has the whole message.
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

/// Replaces control characters of `message`, which may come from a file, by their numbers.
pub(crate) fn visible(message: &str) -> Cow<'_, str> {
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
