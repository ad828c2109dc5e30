//! The cases of the bundle: lets the tests of the back end write them, orders and counts them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{process, workspace};

/// The prefix of features that are kinds of tests; all others are instructions.
const TEST: &str = "test ";

/// Cases with more bytes than this are left out of a sample, if others test the same.
const LARGE: u64 = 256 << 10;

/// A case file.
#[derive(Clone, Debug)]
struct Case {
    name: String,
    bytes: u64,
    features: BTreeSet<String>,
}

/// Lets the tests of the back end write all cases, or a sample of them, into a folder. Returns a
/// page about them.
pub(super) fn write(folder: &Path, seed: Option<u64>) -> Result<String> {
    let room = tempfile::tempdir().context("could not make a temporary folder")?;
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "--workspace", "--test", "run"]);
    cargo.args(["--", "--quiet"]);
    cargo.env("TILE_RUN_EXPORT", room.path());
    match seed {
        Some(seed) => cargo.env("TILE_RUN_SAMPLE", seed.to_string()),
        None => cargo.env_remove("TILE_RUN_SAMPLE"),
    };
    println!("gpu-bundle: {}", process::line(&cargo));
    let output = cargo.output()?;
    let mut contents = String::new();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout);
        let faults: Vec<&str> = said.lines().rev().take(40).collect();
        // The other cases are still worth running.
        println!("gpu-bundle: some cases do not compile:");
        for line in faults.iter().rev() {
            println!("gpu-bundle:   {line}");
        }
        let last = said.lines().rev().find(|line| line.contains("failed;"));
        let last = last.unwrap_or("the tests fail");
        let _ = writeln!(contents, "Some cases do not compile: {last}\n");
    }
    let mut cases = read(room.path())?;
    if cases.is_empty() {
        bail!("the tests of `tile-backend` wrote no case");
    }
    let total = cases.len();
    if seed.is_some() {
        cases = without_large(cases);
    }
    let (first, rest) = order(&cases);
    for (part, cases) in [("first", &first), ("rest", &rest)] {
        let part = folder.join(part);
        fs::create_dir_all(&part)?;
        for (number, case) in cases.iter().enumerate() {
            let name = format!("{number:04}_{}", case.name);
            fs::copy(room.path().join(&case.name), part.join(name))?;
        }
    }
    if cases.len() < total {
        let _ = writeln!(
            contents,
            "{} large ones are left out.\n",
            total - cases.len()
        );
    }
    contents.push_str(&page(&first, &rest));
    Ok(contents)
}

/// Reads the headers of all files of a folder, ordered by name.
fn read(folder: &Path) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let mut line = String::new();
        BufReader::new(fs::File::open(entry.path())?).read_line(&mut line)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let head: Value = serde_json::from_str(&line).with_context(|| format!("in {name}"))?;
        let features = head["features"].as_array().into_iter().flatten();
        let features = features.filter_map(|feature| feature.as_str().map(str::to_owned));
        cases.push(Case {
            name,
            bytes: entry.metadata()?.len(),
            features: features.collect(),
        });
    }
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(cases)
}

/// Removes large cases, except the smallest of each test.
fn without_large(cases: Vec<Case>) -> Vec<Case> {
    let test = |case: &Case| case.name.split('.').next().unwrap_or_default().to_owned();
    let mut least: BTreeMap<String, u64> = BTreeMap::new();
    for case in &cases {
        let bytes = least.entry(test(case)).or_insert(case.bytes);
        *bytes = case.bytes.min(*bytes);
    }
    let is_kept = |case: &Case| case.bytes <= LARGE || least[&test(case)] == case.bytes;
    cases.into_iter().filter(is_kept).collect()
}

/// Splits the cases into a few that cover all features, chosen greedily by the number of new
/// features, and the rest.
fn order(cases: &[Case]) -> (Vec<Case>, Vec<Case>) {
    let mut missing: BTreeSet<&String> = cases.iter().flat_map(|case| &case.features).collect();
    let mut rest: Vec<&Case> = cases.iter().collect();
    let mut first = Vec::new();
    while !missing.is_empty() {
        let gain = |case: &Case| {
            let new = case.features.iter().filter(|&one| missing.contains(one));
            new.count()
        };
        let most = rest.iter().map(|case| gain(case)).max().unwrap_or(0);
        let Some(place) = rest.iter().position(|case| gain(case) == most) else {
            break;
        };
        let case = rest.remove(place);
        missing.retain(|&feature| !case.features.contains(feature));
        first.push(case.clone());
    }
    (first, rest.into_iter().cloned().collect())
}

/// Formats the number of cases of each kind, and the instructions that they contain.
fn page(first: &[Case], rest: &[Case]) -> String {
    let mut page = format!(
        "{} cases, {} of which have every feature between them.\n\n| tests | cases | kB |\n|---|---|---|\n",
        first.len() + rest.len(),
        first.len()
    );
    let mut kinds: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
    let mut instructions: BTreeMap<&str, usize> = BTreeMap::new();
    for case in first.iter().chain(rest) {
        for feature in &case.features {
            match feature.strip_prefix(TEST) {
                Some(kind) => {
                    let (count, bytes) = kinds.entry(kind).or_default();
                    *count += 1;
                    *bytes += case.bytes;
                }
                None => *instructions.entry(feature).or_default() += 1,
            }
        }
    }
    for (kind, (count, bytes)) in kinds {
        let _ = writeln!(page, "| {kind} | {count} | {} |", bytes / 1000);
    }
    let _ = writeln!(
        page,
        "\n{} instructions, and how many cases have them:\n",
        instructions.len()
    );
    let listed = instructions
        .iter()
        .map(|(name, count)| format!("`{name}` {count}"));
    let _ = writeln!(page, "{}", listed.collect::<Vec<_>>().join(", "));
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, bytes: u64, features: &[&str]) -> Case {
        Case {
            name: name.into(),
            bytes,
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
        }
    }

    fn names(cases: &[Case]) -> Vec<&str> {
        cases.iter().map(|case| case.name.as_str()).collect()
    }

    #[test]
    fn the_first_have_every_feature_and_nothing_is_lost() {
        let cases = [
            case("a.1", 10, &["test files", "add"]),
            case("b.1", 10, &["test files", "add", "mma"]),
            case("c.1", 10, &["test sweep", "add"]),
            case("d.1", 10, &["test files", "mma", "red"]),
            case("e.1", 10, &["add"]),
        ];
        let (first, rest) = order(&cases);
        assert_eq!(names(&first), ["b.1", "c.1", "d.1"]);
        assert_eq!(names(&rest), ["a.1", "e.1"]);
        let page = page(&first, &rest);
        for part in [
            "5 cases, 3 of which",
            "| files | 3 | 0 |",
            "`mma` 2",
            "`add` 4",
        ] {
            assert!(page.contains(part), "{page}");
        }
    }

    #[test]
    fn large_ones_are_left_out_unless_a_test_has_no_other() {
        let cases = vec![
            case("a.1", LARGE + 1, &[]),
            case("a.2", 10, &[]),
            case("b.1", LARGE + 2, &[]),
            case("b.2", LARGE + 3, &[]),
        ];
        assert_eq!(names(&without_large(cases)), ["a.2", "b.1"]);
    }

    #[test]
    fn heads_are_read_in_the_order_of_names() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file =
            |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("writes");
        file("b.case", "{\"features\":[\"add\",\"test x\"]}\n\u{0}\u{1}");
        file("a.case", "{\"features\":[]}\n");
        let cases = read(folder.path()).expect("reads");
        assert_eq!(names(&cases), ["a.case", "b.case"]);
        assert_eq!(cases[1].features.len(), 2);
        file("c.case", "no head");
        assert!(read(folder.path()).is_err());
    }
}
