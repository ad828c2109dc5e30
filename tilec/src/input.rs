//! Reads modules.
//!
//! In: a path, or `-`. Out: a verified module and the text that its locations point
//! into. Bytecode has no locations; its faults are placed in its text form.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use tile_core::diag::{Code, Diagnostic, Label};
use tile_core::verify::{Verified, verify};
use tile_core::{Diagnostics, Loc, Module, bytecode, text};

use crate::failure::{Failure, Report, Source, display_name, is_stream};

/// What a file holds.
#[derive(Debug)]
pub(crate) enum Content {
    /// Text of Tile IR.
    Text(String),
    /// Bytecode.
    Bytecode(Vec<u8>),
}

/// A verified module and where it comes from.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) source: Source,
    pub(crate) module: Verified,
}

impl Input {
    /// The module in the file at `path`.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let name = display_name(path, "<stdin>");
        Self::of(name, read(path)?)
    }

    /// The module in `content`.
    pub(crate) fn of(name: String, content: Content) -> Result<Self, Failure> {
        match content {
            Content::Text(text) => match parse(&text, &name, 0) {
                Ok(module) => Ok(Self {
                    source: Source {
                        name,
                        text: Some(text),
                    },
                    module,
                }),
                Err(diagnostics) => Err(faults(name, Some(text), diagnostics)),
            },
            Content::Bytecode(bytes) => decode(name, &bytes),
        }
    }

    /// The same module with places for later stages to point at: those in its text
    /// form, if it comes from bytecode.
    pub(crate) fn located(self) -> Self {
        if self.source.text.is_some() {
            return self;
        }
        let printed = text::print(&self.module);
        // Text of a verified module reads as that module.
        match parse(&printed, &self.source.name, 0) {
            Ok(module) => Self {
                source: Source {
                    text: Some(printed),
                    ..self.source
                },
                module,
            },
            Err(_) => self,
        }
    }
}

/// What the file at `path` holds.
pub(crate) fn read(path: &Path) -> Result<Content, Failure> {
    let name = display_name(path, "<stdin>");
    let mut bytes = Vec::new();
    let outcome = if is_stream(path) {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        fs::read(path).map(|read| bytes = read)
    };
    outcome.map_err(|error| Failure::host(name.as_str(), "read it", &error))?;
    // The first byte of the magic; no text starts with it.
    if bytes.first() == Some(&0x7f) {
        return Ok(Content::Bytecode(bytes));
    }
    String::from_utf8(bytes)
        .map(Content::Text)
        .map_err(|error| not_utf8(name, error.as_bytes(), error.utf8_error().valid_up_to()))
}

fn not_utf8(name: String, bytes: &[u8], valid: usize) -> Failure {
    let before = String::from_utf8_lossy(&bytes[..valid]);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let loc = Loc::file(&name, number(line), number(column));
    let diagnostic = Diagnostic::error(Code::IrSyntax, loc, "expected UTF-8 text or bytecode")
        .here(format!("this is the byte {:#04x}", bytes[valid]));
    let text = String::from_utf8_lossy(bytes).into_owned();
    faults(name, Some(text), vec![diagnostic])
}

/// The module in `source`, which stands after `lines_before` lines of the file.
pub(crate) fn parse(
    source: &str,
    name: &str,
    lines_before: u32,
) -> Result<Verified, Vec<Diagnostic>> {
    let mut diagnostics = Diagnostics::new();
    text::parse(source, name, &mut diagnostics)
        .and_then(|module| verify(module, &mut diagnostics))
        .map_err(|_| {
            let mut found = diagnostics.take();
            for diagnostic in &mut found {
                move_down(diagnostic, lines_before);
            }
            found
        })
}

fn move_down(diagnostic: &mut Diagnostic, lines: u32) {
    let places = std::iter::once(&mut diagnostic.primary).chain(&mut diagnostic.labels);
    for Label { loc, text: _ } in places {
        if let Some(file) = loc.file_name() {
            *loc = Loc::file(file, loc.line().saturating_add(lines), loc.column());
        }
    }
}

fn decode(name: String, bytes: &[u8]) -> Result<Input, Failure> {
    let module = bytecode::read(bytes).map_err(|error| {
        let fault = Diagnostic::error(Code::Bytecode, Loc::UNKNOWN, error.to_string());
        faults(name.clone(), None, vec![fault])
    })?;
    let mut diagnostics = Diagnostics::new();
    match verify(module.clone(), &mut diagnostics) {
        Ok(module) => Ok(Input {
            source: Source { name, text: None },
            module,
        }),
        Err(_) => Err(faults_of_bytecode(name, &module, diagnostics.take())),
    }
}

/// The faults of an unsound module, in its text form if that shows them too.
fn faults_of_bytecode(name: String, module: &Module, unplaced: Vec<Diagnostic>) -> Failure {
    let printed = text::print(module);
    let mut diagnostics = Diagnostics::new();
    if let Ok(module) = text::parse(&printed, &name, &mut diagnostics) {
        let _verified = verify(module, &mut diagnostics);
    }
    let placed = diagnostics.take();
    let messages = |list: &[Diagnostic]| -> Vec<String> {
        list.iter().map(|fault| fault.message.clone()).collect()
    };
    if messages(&placed) != messages(&unplaced) {
        return faults(name, None, unplaced);
    }
    let note = format!("`{name}` is bytecode; lines are those of its text form");
    let noted = placed.into_iter().map(|fault| fault.note(note.as_str()));
    faults(name, Some(printed), noted.collect())
}

/// Faults found in a file.
pub(crate) fn faults(name: String, text: Option<String>, diagnostics: Vec<Diagnostic>) -> Failure {
    Failure::Faults(Report {
        source: Source { name, text },
        diagnostics,
    })
}
