//! Renders diagnostics like rustc.
//!
//! The input is diagnostics and the text of the files that they name; the output is plain text. A
//! diagnostic has a line and a column; the word that starts there is underlined. Without the text
//! of the file, only the location is printed.

use super::{Diagnostic, Label, Severity};
use crate::ir::Loc;
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle,
};
use std::ops::Range;

/// Renders diagnostics, one after the other. `source` returns the text of a file by its name.
pub fn render<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    source: &dyn Fn(&str) -> Option<String>,
) -> String {
    let rendered: Vec<String> = diagnostics
        .into_iter()
        .map(|diagnostic| render_one(diagnostic, source))
        .collect();
    rendered.join("\n\n")
}

fn render_one(diagnostic: &Diagnostic, source: &dyn Fn(&str) -> Option<String>) -> String {
    let Diagnostic {
        code,
        severity,
        message,
        primary,
        labels,
        notes,
        help,
    } = diagnostic;
    let level = match severity {
        Severity::Remark => Level::INFO.with_name("remark"),
        Severity::Warning => Level::WARNING,
        Severity::Error => Level::ERROR,
    };
    let mut group = level
        .primary_title(message)
        .id(code.as_str())
        .elements(std::iter::empty::<annotate_snippets::Padding>());
    for (file, labels) in by_file(primary, labels) {
        group = match source(file) {
            Some(text) => group.element(snippet(file, text, &labels)),
            None => names(group, file, &labels),
        };
    }
    group = group.elements(notes.iter().map(|note| Level::NOTE.message(note)));
    group = group.elements(help.iter().map(|help| Level::HELP.message(help)));
    Renderer::plain()
        .decor_style(DecorStyle::Ascii)
        .render(&[group])
}

type Places<'d> = Vec<(AnnotationKind, &'d Label)>;

/// Returns the labels per file, starting with the file of the primary label.
fn by_file<'d>(primary: &'d Label, labels: &'d [Label]) -> Vec<(&'static str, Places<'d>)> {
    let mut files: Vec<(&'static str, Places<'d>)> = Vec::new();
    let others = labels.iter().map(|label| (AnnotationKind::Context, label));
    for place in std::iter::once((AnnotationKind::Primary, primary)).chain(others) {
        let Some(file) = place.1.loc.file_name() else {
            continue;
        };
        match files.iter_mut().find(|(other, _)| *other == file) {
            Some((_, places)) => places.push(place),
            None => files.push((file, vec![place])),
        }
    }
    files
}

fn snippet<'d>(
    file: &'static str,
    text: String,
    places: &Places<'d>,
) -> Snippet<'d, Annotation<'d>> {
    let annotations: Vec<Annotation<'d>> = places
        .iter()
        .map(|(kind, label)| {
            let annotation = kind.span(span(&text, label.loc));
            match label.text.as_str() {
                "" => annotation,
                text => annotation.label(text),
            }
        })
        .collect();
    Snippet::source(text).path(file).annotations(annotations)
}

/// Adds the locations without source text.
fn names<'d>(group: Group<'d>, file: &'static str, places: &Places<'d>) -> Group<'d> {
    group.elements(places.iter().map(|(_, label)| {
        Origin::path(file)
            .line(label.loc.line() as usize)
            .char_column(label.loc.column() as usize)
    }))
}

/// Returns the byte range of the word that starts at `loc`, or of one character if no word does.
fn span(text: &str, loc: Loc) -> Range<usize> {
    let before = (loc.line() as usize).saturating_sub(1);
    let line_start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let line = text[line_start..].lines().next().unwrap_or("");
    let column = (loc.column() as usize).saturating_sub(1);
    let offset: usize = line.chars().take(column).map(char::len_utf8).sum();
    let rest = &line[offset..];
    let sigil = usize::from(rest.starts_with(['%', '@', '!']));
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let word = rest[sigil..]
        .find(|c| !is_word(c))
        .unwrap_or(rest.len() - sigil);
    let one = rest.chars().next().map_or(0, char::len_utf8);
    let start = line_start + offset;
    start..start + one.max(if word > 0 { sigil + word } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::diag::{Code, Diagnostic};
    use crate::ir::Loc;

    #[test]
    fn a_diagnostic_is_drawn_as_rustc_does() {
        let diagnostic = Diagnostic::error(
            Code::VerifyOperands,
            Loc::file("a.mlir", 2, 6),
            "types differ",
        )
        .label(Loc::file("a.mlir", 1, 1), "this is `i32`")
        .note("the rule")
        .help("do this");
        let source = "%a = iota\n%b = addi %a, %c\n";
        let drawn = render([&diagnostic], &|_| Some(source.to_owned()));
        let expected = "\
error[T0301]: types differ
 --> a.mlir:2:6
  |
1 | %a = iota
  | -- this is `i32`
2 | %b = addi %a, %c
  |      ^^^^
  |
  = note: the rule
  = help: do this";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn places_beyond_the_text_and_unknown_files_are_drawn_too() {
        let diagnostic =
            Diagnostic::error(Code::IrSyntax, Loc::file("b.mlir", 9, 9), "gone").here("here");
        let drawn = render([&diagnostic], &|_| Some("é\n".to_owned()));
        assert!(drawn.contains("gone"), "{drawn}");
        let drawn = render([&diagnostic], &|_| None);
        assert!(drawn.contains("b.mlir:9:9"), "{drawn}");
        let nowhere = Diagnostic::error(Code::IrSyntax, Loc::UNKNOWN, "nowhere");
        assert_eq!(render([&nowhere], &|_| None), "error[T0103]: nowhere");
    }
}
