//! Reads and verifies modules.
//!
//! The input is a path, or `-` for standard input. The result is verified modules, and the text
//! that their locations point into. Errors in readable bytecode are located in its text form.
//! Errors in unreadable bytecode are located at the byte offset, which is the column in line 0.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use tile_backend::session::Times;
use tile_core::diag::{Code, Diagnostic, Label, Severity};
use tile_core::verify::{Verified, verify, verify_with};
use tile_core::{Diagnostics, Loc, Module, Reported, bytecode, text};

use crate::failure::{Failure, Report, Source, display_name, is_stream};
use crate::options::{Accept, Print};

/// The separator of the chunks of a split file, on a line of its own.
pub(crate) const SEPARATOR: &str = "// -----";

/// The contents of a file.
#[derive(Debug)]
enum Content {
    /// Text of Tile IR.
    Text(String),
    /// Bytecode.
    Bytecode(Vec<u8>),
}

/// The verified modules of a file, and their source.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) source: Source,
    /// The pieces of the file: one, unless `--split-input-file` was given.
    pub(crate) pieces: Vec<Piece>,
    /// Diagnostics that are not errors.
    warnings: Report,
}

/// A part of a file that is processed on its own.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The number of lines of the file before this piece.
    lines_before: u32,
    pub(crate) modules: Vec<Verified>,
}

impl Piece {
    /// Translates locations in the piece to locations in the file.
    pub(crate) fn place(&self, diagnostics: &mut [Diagnostic]) {
        move_down(diagnostics, self.lines_before);
    }

    /// Translates a location in the piece to a location in the file.
    pub(crate) fn place_of(&self, loc: Loc) -> Loc {
        moved_down(loc, self.lines_before)
    }
}

impl Input {
    /// Reads the modules in the file at `path`; errors in bytecode are shown in the form that
    /// `print` selects.
    pub(crate) fn read(path: &Path, accept: &Accept, print: Print) -> Result<Self, Failure> {
        Self::read_timed(path, accept, print, &mut Times::new())
    }

    /// Reads modules like [`Input::read`], and measures the times of the stages.
    pub(crate) fn read_timed(
        path: &Path,
        accept: &Accept,
        print: Print,
        times: &mut Times,
    ) -> Result<Self, Failure> {
        let name = display_name(path, "<stdin>");
        match times.measure("parse", || read(path, &name))? {
            Content::Text(text) => parse(name, text, accept, times),
            Content::Bytecode(bytes) => decode(name, &bytes, accept, print, times),
        }
    }

    /// Prints the warnings.
    pub(crate) fn warn(&self) {
        warn(&self.warnings);
    }

    /// Returns the only module, for a command that takes one.
    pub(crate) fn single(self) -> Result<(Source, Verified), Failure> {
        let Self {
            source,
            pieces,
            warnings: _,
        } = self;
        let mut modules = pieces.into_iter().flat_map(|piece| piece.modules);
        let Some(module) = modules.next() else {
            let fault = Diagnostic::error(
                Code::IrSyntax,
                Loc::file(&source.name, 1, 1),
                "expected a module, found none",
            );
            return Err(faults(source, vec![fault]));
        };
        let Some(second) = modules.next() else {
            return Ok((source, module));
        };
        let count = 2 + modules.count();
        let fault = Diagnostic::error(
            Code::IrSyntax,
            second.loc,
            format!("expected one module, found {count}"),
        )
        .here("this is the second")
        .label(module.loc, "this is the first")
        .help("give each module a file of its own; `check` and `opt` take several");
        Err(faults(source, vec![fault]))
    }
}

/// Prints the warnings and remarks of a success.
pub(crate) fn warn(report: &Report) {
    say(&report.to_string());
}

/// Writes to standard error.
pub(crate) fn say(text: &str) {
    // If standard error is closed, the output is lost.
    let _written = io::stderr().write_all(text.as_bytes());
}

/// Returns the failure for errors in a file.
pub(crate) fn faults(source: Source, diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::Faults(Report {
        source,
        diagnostics,
    })
}

/// Reads the file at `path`.
fn read(path: &Path, name: &str) -> Result<Content, Failure> {
    let mut bytes = Vec::new();
    let outcome = if is_stream(path) {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        fs::read(path).map(|read| bytes = read)
    };
    outcome.map_err(|error| Failure::host(name, "read it", &error))?;
    // `0x7f` is the first byte of the magic number; no text starts with it.
    if bytes.first() == Some(&0x7f) {
        return Ok(Content::Bytecode(bytes));
    }
    String::from_utf8(bytes)
        .map(Content::Text)
        .map_err(|error| not_utf8(name, error.as_bytes(), error.utf8_error().valid_up_to()))
}

fn not_utf8(name: &str, bytes: &[u8], valid: usize) -> Failure {
    let before = String::from_utf8_lossy(&bytes[..valid]);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    let loc = Loc::file(name, small(line), small(column));
    let diagnostic = Diagnostic::error(Code::IrSyntax, loc, "expected UTF-8 text or bytecode")
        .here(format!("this is the byte {:#04x}", bytes[valid]));
    let source = Source {
        name: name.to_owned(),
        text: Some(String::from_utf8_lossy(bytes).into_owned()),
    };
    faults(source, vec![diagnostic])
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Parses and verifies all modules of a text.
fn parse(name: String, text: String, accept: &Accept, times: &mut Times) -> Result<Input, Failure> {
    let chunks = if accept.split_input_file {
        split(&text)
    } else {
        vec![(0, text.as_str())]
    };
    let mut pieces = Vec::new();
    let mut sources = Vec::new();
    let mut failed = false;
    for (lines_before, chunk) in chunks {
        let mut diagnostics = Diagnostics::new();
        let options = accept.parse_options();
        let parsed = times.measure("parse", || {
            text::parse_file(chunk, &name, options, &mut diagnostics)
        });
        let modules = times.measure("verify", || {
            parsed.and_then(|modules| verify_all(modules, accept, &mut diagnostics))
        });
        let mut said = diagnostics.take();
        move_down(&mut said, lines_before);
        sources.append(&mut said);
        match modules {
            Ok(modules) => pieces.push(Piece {
                lines_before,
                modules,
            }),
            Err(Reported { .. }) => failed = true,
        }
    }
    let source = Source {
        name,
        text: Some(text),
    };
    if failed {
        return Err(faults(source, sources));
    }
    Ok(Input {
        source: source.clone(),
        pieces,
        warnings: Report {
            source,
            diagnostics: sources,
        },
    })
}

/// Verifies all modules, and reports the errors of all of them.
fn verify_all(
    modules: Vec<Module>,
    accept: &Accept,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Verified>, Reported> {
    let options = accept.verify_options();
    let outcomes: Vec<_> = modules
        .into_iter()
        .map(|module| verify_with(module, options, diagnostics))
        .collect();
    outcomes.into_iter().collect()
}

/// Splits a text at the separators, and returns each chunk with the number of lines before it.
fn split(text: &str) -> Vec<(u32, &str)> {
    let mut chunks = Vec::new();
    let (mut start, mut first_line) = (0, 0);
    let mut offset = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let end = offset + line.len();
        if line.trim_end() == SEPARATOR {
            chunks.push((first_line, &text[start..offset]));
            (start, first_line) = (end, number);
        }
        offset = end;
    }
    chunks.push((first_line, &text[start..]));
    chunks
}

fn move_down(diagnostics: &mut [Diagnostic], lines: u32) {
    for diagnostic in diagnostics {
        let places = std::iter::once(&mut diagnostic.primary).chain(&mut diagnostic.labels);
        for Label { loc, text: _ } in places {
            *loc = moved_down(*loc, lines);
        }
    }
}

fn moved_down(loc: Loc, lines: u32) -> Loc {
    match loc.file_name() {
        Some(file) => Loc::file(file, loc.line().saturating_add(lines), loc.column()),
        None => loc,
    }
}

/// Reads and verifies a module of bytecode.
fn decode(
    name: String,
    bytes: &[u8],
    accept: &Accept,
    print: Print,
    times: &mut Times,
) -> Result<Input, Failure> {
    let source = Source { name, text: None };
    let module = match times.measure("parse", || bytecode::read(bytes)) {
        Ok(module) => module,
        Err(error) => {
            let loc = match error.offset {
                Some(offset) => Loc::file(&source.name, 0, small(offset)),
                None => Loc::UNKNOWN,
            };
            let fault = Diagnostic::error(Code::Bytecode, loc, error.to_string());
            return Err(faults(source, vec![fault]));
        }
    };
    let mut diagnostics = Diagnostics::new();
    let options = accept.verify_options();
    let verified = times.measure("verify", || {
        verify_with(module.clone(), options, &mut diagnostics)
    });
    let said = diagnostics.take();
    let said = in_text_form(&source, &module, said, accept, print);
    match verified {
        Ok(module) => Ok(Input {
            source,
            pieces: vec![Piece {
                lines_before: 0,
                modules: vec![module],
            }],
            warnings: said,
        }),
        Err(Reported { .. }) => Err(Failure::Faults(said)),
    }
}

/// Locates diagnostics on a module of bytecode in its text form, if verifying the text form reports
/// the same diagnostics.
fn in_text_form(
    source: &Source,
    module: &Module,
    unplaced: Vec<Diagnostic>,
    accept: &Accept,
    print: Print,
) -> Report {
    let name = &source.name;
    let mut report = Report {
        source: source.clone(),
        diagnostics: unplaced,
    };
    if report.diagnostics.is_empty() {
        return report;
    }
    let printed = text::print_with(module, print.options());
    let mut diagnostics = Diagnostics::new();
    let options = accept.parse_options();
    if let Ok(modules) = text::parse_file(&printed, name, options, &mut diagnostics) {
        let _verified = verify_all(modules, accept, &mut diagnostics);
    }
    let placed = diagnostics.take();
    let messages = |list: &[Diagnostic]| -> Vec<(Severity, String)> {
        let message = |said: &Diagnostic| (said.severity, said.message.clone());
        list.iter().map(message).collect()
    };
    if messages(&placed) == messages(&report.diagnostics) {
        let note = format!("`{name}` is bytecode; lines are those of its text form");
        let noted = placed.into_iter().map(|said| said.note(note.as_str()));
        report.source.text = Some(printed);
        report.diagnostics = noted.collect();
    }
    report
}

/// Returns the module with locations that later stages can report. For a module from bytecode,
/// these locations point into its text form.
pub(crate) fn located(source: Source, module: Verified) -> (Source, Verified) {
    if source.text.is_some() {
        return (source, module);
    }
    let printed = text::print(&module);
    let mut diagnostics = Diagnostics::new();
    // The text of a verified module parses as an equal module.
    let read = text::parse(&printed, &source.name, &mut diagnostics)
        .and_then(|module| verify(module, &mut diagnostics));
    diagnostics.take();
    match read {
        Ok(module) => (
            Source {
                text: Some(printed),
                ..source
            },
            module,
        ),
        Err(Reported { .. }) => (source, module),
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn only_a_line_of_its_own_separates() {
        let text = "a\n// -----\nb // -----\n// ------\n// ----- \r\nc";
        assert_eq!(
            split(text),
            [(0, "a\n"), (2, "b // -----\n// ------\n"), (5, "c")]
        );
        assert_eq!(split(""), [(0, "")]);
    }
}
