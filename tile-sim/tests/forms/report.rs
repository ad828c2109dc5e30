//! Writes the results: `open.txt` and `docs/ptx-coverage.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::assembler::Setting;
use crate::executed::{self, Executed};
use crate::pattern::{Family, Form};

/// The settings in which a form is accepted, by assembler and simulator.
#[derive(Default)]
pub(crate) struct Status {
    pub(crate) assembled: BTreeSet<Setting>,
    pub(crate) taken: BTreeSet<Setting>,
}

/// The differences that are the assembler's fault: `text in the difference | reason`.
pub(crate) struct Quirks(Vec<(String, String)>);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms")
}

impl Quirks {
    pub(crate) fn read() -> Self {
        let text = std::fs::read_to_string(folder().join("quirks.txt")).expect("the quirks");
        let lines = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty());
        Self(
            lines
                .map(|line| {
                    let (part, reason) = line.split_once(" => ").expect("`part => reason`");
                    (part.to_owned(), reason.to_owned())
                })
                .collect(),
        )
    }

    /// Returns the index of the quirk that explains a difference. `*` stands for any text.
    fn reason(&self, difference: &str) -> Option<usize> {
        self.0
            .iter()
            .position(|(part, _)| matches(part, difference))
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    let mut rest = text;
    for (number, part) in pattern.split('*').enumerate() {
        match rest.find(part) {
            Some(0) => rest = &rest[part.len()..],
            Some(offset) if number > 0 => rest = &rest[offset + part.len()..],
            _ => return false,
        }
    }
    true
}

/// Returns the differences that no quirk explains, one line per instruction and reason. Every quirk
/// must be needed.
pub(crate) fn settled(differences: &BTreeSet<String>, quirks: &Quirks) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut left: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for difference in differences {
        if let Some(number) = quirks.reason(difference) {
            used.insert(number);
            continue;
        }
        let (what, setting) = difference.rsplit_once(" | ").expect("a setting at the end");
        left.entry(what.to_owned()).or_default().push(setting);
    }
    for (number, (part, _)) in quirks.0.iter().enumerate() {
        assert!(
            used.contains(&number),
            "the quirk `{part}` explains nothing"
        );
    }
    left.iter()
        .map(|(what, settings)| format!("{what} | {}", settings.join(", ")))
        .collect()
}

pub(crate) fn compare(
    families: &[Family],
    statuses: &[Vec<Status>],
    differences: &BTreeSet<String>,
    quirks: &Quirks,
) {
    let mut open = String::from(
        "# What ptxas and tile-sim disagree about and no quirk of the assembler explains.\n",
    );
    for difference in differences {
        open.push_str(difference);
        open.push('\n');
    }
    expect_test::expect_file![folder().join("open.txt")].assert_eq(&open);
    let executed = executed::read();
    let forms = families.iter().flat_map(|family| &family.forms);
    let known = forms
        .zip(statuses.iter().flatten())
        .filter(|(_, status)| !status.taken.is_empty());
    let silent: Vec<&str> = known
        .filter(|(form, _)| !executed.contains_key(&form.pattern))
        .map(|(form, _)| form.pattern.as_str())
        .collect();
    assert!(
        silent.is_empty(),
        "no test of `tests/suite` runs these; write one that compares the results, then \
         `UPDATE_EXPECT=1 cargo test -p tile-sim --test suite executed`:\n{}",
        silent.join("\n")
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ptx-coverage.md");
    let page = page(families, statuses, differences.len(), quirks);
    expect_test::expect_file![path].assert_eq(&page);
}

fn page(families: &[Family], statuses: &[Vec<Status>], open: usize, quirks: &Quirks) -> String {
    let executed = executed::read();
    let rows = || families.iter().zip(statuses);
    let forms: usize = statuses.iter().map(Vec::len).sum();
    let there = statuses.iter().flatten();
    let there = there.filter(|status| !status.taken.is_empty()).count();
    let mut page = format!(
        "# PTX that `tile-sim` knows\n\n\
         Generated from `tile-sim/tests/forms` by `UPDATE_EXPECT=1 cargo test -p tile-sim --test forms`.\n\n\
         A form stands for one or more instructions: `<a|b>` are alternatives, a type among the operands is a\n\
         register of it. *ptxas* and *tile-sim* are the first targets in the list below for which one takes\n\
         an instruction of the form. *values* says how many of its instructions tests run whose results are compared\n\
         with an oracle, and in which files of `tile-sim/tests/suite`: measured, by running them.\n\n\
         Known: {there} of {forms} forms. Verdicts on which `ptxas` and `tile-sim` differ: {open}\n\
         (`tile-sim/tests/forms/open.txt`), besides the quirks of the assembler below.\n\n"
    );
    page.push_str("| family | forms | known | with values | instructions | with values |\n|---|---|---|---|---|---|\n");
    for (family, statuses) in rows() {
        let known = statuses.iter().filter(|status| !status.taken.is_empty());
        let forms = family.forms.iter();
        let tested = forms.filter_map(|form| executed.get(&form.pattern));
        let instructions: usize = tested.clone().map(|record| record.instructions).sum();
        let total: usize = family
            .forms
            .iter()
            .map(|form| form.instructions.len())
            .sum();
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {total} | {instructions} |",
            family.title,
            statuses.len(),
            known.count(),
            tested.count()
        );
    }
    for (family, statuses) in rows() {
        let _ = write!(
            page,
            "\n## {}\n\n| form | ptxas | tile-sim | values |\n|---|---|---|---|\n",
            family.title
        );
        for (form, status) in family.forms.iter().zip(statuses) {
            let first = |settings: &BTreeSet<Setting>, none: &str| {
                let first = settings.iter().min_by_key(|setting| rank(setting));
                first.map_or(none.to_owned(), |setting| {
                    format!("{} {}", setting.target, setting.version)
                })
            };
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | {} |",
                form.pattern.replace('|', "\\|"),
                first(&status.assembled, "no"),
                first(&status.taken, "not yet"),
                values(form, executed.get(&form.pattern))
            );
        }
    }
    page.push_str("\n## Quirks of the assembler\n\n| where | why it is no fault |\n|---|---|\n");
    for (part, reason) in &quirks.0 {
        let _ = writeln!(page, "| `{}` | {reason} |", part.replace('|', "\\|"));
    }
    page
}

/// Describes how many instructions of a form are executed, and in which tests.
fn values(form: &Form, executed: Option<&Executed>) -> String {
    executed.map_or(
        String::new(),
        |Executed {
             instructions,
             tests,
         }| {
            let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
            let total = form.instructions.len();
            format!("{instructions} of {total}: {}", tests.join(", "))
        },
    )
}

/// Returns the sort key of a target.
fn rank(setting: &Setting) -> (u32, String) {
    let digits: String = setting
        .target
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    (digits.parse().unwrap_or(0), setting.version.to_owned())
}
