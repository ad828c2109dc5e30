//! The file `executed.txt`: the instructions of each form that the tests of `tests/suite` execute.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The coverage of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Executed {
    /// The number of instructions of the form that tests execute.
    pub(crate) instructions: usize,
    /// The files of `tests/suite` that contain these tests.
    pub(crate) tests: BTreeSet<String>,
}

pub(crate) fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms/executed.txt")
}

const HEAD: &str = "# Forms that tests of `tests/suite` run, how many instructions of each, and where.\n\
                    # `UPDATE_EXPECT=1 cargo test -p tile-sim --test suite executed` writes it.\n";

/// Formats one line per executed form.
pub(crate) fn print(forms: &BTreeMap<String, Executed>) -> String {
    let mut text = HEAD.to_owned();
    for (
        pattern,
        Executed {
            instructions,
            tests,
        },
    ) in forms
    {
        let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
        let _ = writeln!(text, "{pattern} => {instructions}: {}", tests.join(", "));
    }
    text
}

pub(crate) fn read() -> BTreeMap<String, Executed> {
    let text = std::fs::read_to_string(path()).expect("the list of what runs");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (pattern, rest) = line.split_once(" => ").expect("`pattern => count: tests`");
            let (count, tests) = rest.split_once(": ").expect("`count: tests`");
            let executed = Executed {
                instructions: count.parse().expect("a count"),
                tests: tests.split(", ").map(str::to_owned).collect(),
            };
            (pattern.to_owned(), executed)
        })
        .collect()
}
