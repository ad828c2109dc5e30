//! Tests that every help is right: the failing program compiles once its help has been applied.
//!
//! The programs are the failing programs of `ui-tests/fail`, of the pages in `messages` and of the pages in
//! `docs/errors`. For each error, the code between backquotes in its help replaces the code at the error,
//! which must remove the error and add none. A help must be listed, with the reason, in
//! `help_tests/not_applied.txt` if and only if it cannot be applied automatically.
//!
//! `TILE_BLESS=1` rewrites the list; a new line has no reason, and the test fails until somebody
//! writes one.

mod apply;
mod meant;

use crate::expand::{ExpandError, stages};
use crate::messages;
use crate::programs::{StopAtGpuIr, groups, source};
use crate::report::SpanTable;
use proc_macro2::Span;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::Path;
use tile_core::Diagnostics;
use tile_core::diag::Severity;

/// An error of a program.
#[derive(Clone, Debug)]
struct CompileError {
    message: String,
    help: String,
    /// The byte ranges of the error and of its labels.
    places: Vec<Range<usize>>,
}

/// The name and source text of a program.
struct Program {
    name: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn programs() -> Vec<Program> {
    let mut list = Vec::new();
    for folder in ["ui-tests/fail", "docs/errors"] {
        let entries = fs::read_dir(root().join(folder)).expect("the folder exists");
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            let name = path.file_name().expect("a file has a name");
            let name = name.to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("a readable file");
            let ours = name.starts_with('T');
            if ours && path.extension().is_some_and(|it| it == "rs") {
                list.push(Program { name, text });
            } else if ours
                && let Some((_, rest)) = text.split_once("\n## Failing example\n\n```rust\n")
                && let Some((example, _)) = rest.split_once("\n```")
            {
                list.push(Program {
                    name,
                    text: format!("{example}\n"),
                });
            }
        }
    }
    for page in messages::pages() {
        for section in page.sections {
            list.push(Program {
                name: format!("{} {}", page.code, section.title),
                text: section.program,
            });
        }
    }
    list.sort_by(|a, b| a.name.cmp(&b.name));
    list
}

fn from_syn_error(error: syn::Error) -> Vec<CompileError> {
    error
        .into_iter()
        .map(|error| {
            let text = error.to_string();
            let (message, help) = match text.split_once("\n= help: ") {
                Some((message, help)) => (message.to_owned(), help.to_owned()),
                None => (text, String::new()),
            };
            CompileError {
                message,
                help,
                places: vec![error.span().byte_range()],
            }
        })
        .collect()
}

/// Returns the errors that the macro reports for a program.
fn errors(text: &str) -> Vec<CompileError> {
    let file = match syn::parse_file(text) {
        Ok(file) => file,
        Err(error) => return from_syn_error(error),
    };
    let mut found_errors = Vec::new();
    for items in groups(file) {
        let source = match source(items) {
            Ok(source) => source,
            Err(error) => {
                found_errors.extend(from_syn_error(error));
                continue;
            }
        };
        let mut spans = SpanTable::default();
        let mut diagnostics = Diagnostics::new();
        match stages(
            source,
            &mut StopAtGpuIr::default(),
            &mut spans,
            &mut diagnostics,
        ) {
            Err(ExpandError::Syntax(error)) => found_errors.extend(from_syn_error(error)),
            Ok(_) | Err(ExpandError::Reported | ExpandError::Elsewhere) => {}
        }
        for diagnostic in diagnostics.take() {
            if diagnostic.severity != Severity::Error {
                continue;
            }
            let place = |loc| {
                let extent = spans.get(loc);
                let bytes = |span: Span| span.byte_range();
                bytes(extent.first).start..bytes(extent.last).end
            };
            let mut places = vec![place(diagnostic.primary.loc)];
            places.extend(diagnostic.labels.iter().map(|label| place(label.loc)));
            found_errors.push(CompileError {
                message: diagnostic.message,
                help: diagnostic.help.unwrap_or_default(),
                places,
            });
        }
    }
    found_errors
}

/// Returns `true` if a program has only errors of `before` other than `cured`, and fewer of them.
fn is_fixed(text: &str, before: &[CompileError], cured: &CompileError) -> bool {
    let after = errors(text);
    let known: Vec<&str> = before
        .iter()
        .filter(|error| error.message != cured.message)
        .map(|error| error.message.as_str())
        .collect();
    after.len() < before.len()
        && after
            .iter()
            .all(|error| known.contains(&error.message.as_str()))
}

/// Returns the first program, among those that the help of `error` may mean, that fixes it.
fn cure_of(text: &str, before: &[CompileError], error: &CompileError) -> Option<String> {
    let programs = apply::applied(text, error);
    programs
        .into_iter()
        .find(|program| is_fixed(program, before, error))
}

/// Parses the list: maps each `program: help` to the reason why it cannot be applied automatically.
fn listed(text: &str) -> BTreeMap<String, String> {
    let mut list = BTreeMap::new();
    let mut reason = String::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("# ") {
            heading.clone_into(&mut reason);
        } else if !line.is_empty() {
            list.insert(line.to_owned(), reason.clone());
        }
    }
    list
}

#[test]
fn every_help_makes_a_program_that_compiles() {
    const UNKNOWN: &str = "no reason is written yet";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/help_tests/not_applied.txt");
    let known = listed(&fs::read_to_string(&path).unwrap_or_default());
    let mut open: BTreeMap<String, String> = BTreeMap::new();
    let mut applied_count = 0;
    for Program { name, text } in programs() {
        let before = errors(&text);
        for error in &before {
            if cure_of(&text, &before, error).is_some() {
                applied_count += 1;
                continue;
            }
            let help = error.help.replace('\n', " ");
            let line = format!("{name}: {help}");
            let reason = known.get(&line).map_or(UNKNOWN, String::as_str);
            open.insert(line, reason.to_owned());
        }
        proc_macro2::extra::invalidate_current_thread_spans();
    }
    if std::env::var_os("TILE_BLESS").is_some() {
        let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (line, reason) in &open {
            by_reason.entry(reason).or_default().push(line);
        }
        let mut text = String::new();
        for (reason, lines) in by_reason {
            let _ = writeln!(text, "# {reason}\n{}\n", lines.join("\n"));
        }
        fs::write(&path, text).expect("the list can be written");
    }
    let mut wrong = String::new();
    for (line, reason) in &open {
        if reason == UNKNOWN {
            let _ = writeln!(wrong, "cannot be applied: {line}");
        }
    }
    for line in known.keys().filter(|line| !open.contains_key(*line)) {
        let _ = writeln!(wrong, "is listed, and is applied or gone: {line}");
    }
    assert!(wrong.is_empty(), "{applied_count} were applied\n{wrong}");
    assert!(applied_count > 100, "only {applied_count} were applied");
}
