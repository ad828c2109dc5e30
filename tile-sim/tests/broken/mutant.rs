//! The edits of a kernel, and the findings that the edited kernel must have.
//!
//! Each mutant has a line `name: description of the error`, followed by indented lines:
//!
//! - edits: `delete A` removes the marked instruction; `replace A: text` replaces it by `text`;
//!   `before A: text` and `behind A: text` add to its line; `swap A B` exchanges two instructions.
//!   Line numbers do not change.
//! - findings: `kind at A | B`, with a name of [`Finding::kind`]; `wrong-result` has no line. Each
//!   seed that finds anything must find one of them.

use crate::run::Finding;

pub(crate) struct Mutant {
    pub(crate) name: String,
    pub(crate) what: String,
    pub(crate) text: String,
    expected: Vec<Expected>,
}

struct Expected {
    kind: String,
    lines: Vec<u32>,
}

impl Mutant {
    pub(crate) fn expects(&self, finding: &Finding) -> bool {
        self.expected.iter().any(|expected| {
            let there = expected.lines.is_empty() || expected.lines.contains(&finding.line());
            expected.kind == finding.kind() && there
        })
    }
}

/// Returns the index of the line with a marker.
fn marked(kernel: &str, lines: &[String], marker: &str) -> usize {
    let marker = marker.trim();
    let has = |line: &String| {
        line.split("//@")
            .nth(1)
            .is_some_and(|names| names.split_whitespace().any(|name| name == marker))
    };
    let mut matches = (0..lines.len()).filter(|&index| has(&lines[index]));
    match (matches.next(), matches.next()) {
        (Some(index), None) => index,
        (None, _) => panic!("{kernel}: there is no line `//@{marker}`"),
        (Some(_), Some(_)) => panic!("{kernel}: two lines are `//@{marker}`"),
    }
}

/// Returns the instruction of a line, without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default().trim()
}

fn edit(kernel: &str, original: &[String], lines: &mut [String], edit: &str) -> bool {
    let line_of = |marker| marked(kernel, original, marker);
    let (verb, rest) = edit.split_once(' ').unwrap_or((edit, ""));
    let (marker, text) = rest.split_once(':').unwrap_or((rest, ""));
    let text = text.trim();
    match verb {
        "delete" => lines[line_of(rest)].clear(),
        "replace" => text.clone_into(&mut lines[line_of(marker)]),
        "before" => {
            let index = line_of(marker);
            lines[index] = format!("{text} {}", code(&lines[index]));
        }
        "behind" => {
            let index = line_of(marker);
            lines[index] = format!("{} {text}", code(&lines[index]));
        }
        "swap" => {
            let (one, other) = rest.split_once(' ').expect("two markers");
            lines.swap(line_of(one), line_of(other));
        }
        _ => return false,
    }
    true
}

/// Parses a list of mutants and applies them to the text of their kernel.
pub(crate) fn parse(kernel: &str, ptx: &str, list: &str) -> Vec<Mutant> {
    let original: Vec<String> = ptx.lines().map(str::to_owned).collect();
    let mut mutants: Vec<(Mutant, Vec<String>)> = Vec::new();
    for line in list.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if !line.starts_with(' ') {
            let (name, what) = line.split_once(':').expect("`name: what was broken`");
            let mutant = Mutant {
                name: format!("{kernel}/{name}"),
                what: what.trim().to_owned(),
                text: String::new(),
                expected: Vec::new(),
            };
            mutants.push((mutant, original.clone()));
            continue;
        }
        let (mutant, lines) = mutants.last_mut().expect("a mutant begins with its name");
        let line = line.trim();
        if edit(kernel, &original, lines, line) {
            continue;
        }
        let (kind, markers) = line.split_once(" at ").unwrap_or((line, ""));
        let markers = markers.split('|').map(str::trim);
        mutant.expected.push(Expected {
            kind: kind.to_owned(),
            lines: markers
                .filter(|marker| !marker.is_empty())
                .map(|marker| marked(kernel, &original, marker) as u32 + 1)
                .collect(),
        });
    }
    mutants
        .into_iter()
        .map(|(mut mutant, lines)| {
            mutant.text = lines.join("\n");
            assert!(mutant.text != ptx, "{} is not broken", mutant.name);
            assert!(
                !mutant.expected.is_empty(),
                "{} expects nothing",
                mutant.name
            );
            mutant
        })
        .collect()
}
