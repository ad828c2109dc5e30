//! One test for the files in `tests/passes/`, each of which shows what a pass does.
//!
//! A file starts with `; pass: NAME` and, if the pass depends on it, `; target: sm_90a with maps`. Cases
//! follow: prose in comments, a kernel as [`from_text`] reads it, and then either `; becomes:` and the kernel
//! as [`to_text`] prints it, or `; is unchanged`. Every file has a case of both kinds. All kernels verify.
//!
//! `TILE_BLESS=1` rewrites the expectations.

use super::{PIPELINE, Pass, Run, barriers};
use crate::gpu::{Kernel, from_text, to_text, verify};
use crate::options::{HostMaps, Persistence};
use crate::schedule::search;
use crate::schedule::{Epilogue, Explanation, LoweringSchedule, Schedule, Target};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// Passes without a file: the first two change no kernel, and the kernels of the others have several hundred
/// lines. `tests/run/{warp_specialization,warpgroups,clusters}.rs` show what these do.
const SHOWN_ELSEWHERE: [&str; 4] = ["lower", "schedule", "warp-specialization", "multicast"];

/// Runs a pass. Where it applies a schedule, it is asked for what it does, even if the search would not choose
/// it for a kernel this small; a kernel that the pass refuses is left unchanged.
fn run(pass: &Pass, kernel: &mut Kernel, target: Target) {
    match pass.run {
        Run::Lowering | Run::Choose => {}
        Run::Rewrite(rewrite) => rewrite(kernel),
        Run::Apply { applies, apply } => {
            let lowered = Schedule::unchanged(kernel, LoweringSchedule::default());
            let explanation = &mut Explanation::default();
            let mut schedule = search::choose(kernel, lowered, target, explanation);
            match pass.name {
                "persistence" => schedule.is_persistent = true,
                "epilogue-subtiling" => schedule.epilogue = Epilogue::Halves,
                _ => {}
            }
            let mut applied = kernel.clone();
            if applies(&schedule) && apply(&mut applied, &schedule).is_ok() {
                *kernel = applied;
            }
        }
    }
}

const BECOMES: &str = "; becomes:\n";
const UNCHANGED: &str = "; is unchanged\n";

/// A kernel of a file, with the text before it, and `true` if the file says that the pass changes it.
struct Case {
    prose: String,
    input: String,
    is_changed: bool,
}

/// Splits a file into its head and its cases, without the expected kernels.
fn cases(content: &str) -> (String, Vec<Case>) {
    let mut parts = Vec::new();
    let mut part = String::new();
    for line in content.split_inclusive('\n') {
        part.push_str(line);
        if line == "}\n" || line == UNCHANGED || line == BECOMES {
            parts.push(std::mem::take(&mut part));
        }
    }
    let mut cases: Vec<Case> = Vec::new();
    let mut head = String::new();
    let mut is_output = false;
    for part in parts {
        if part == BECOMES || part == UNCHANGED {
            let last = cases.last_mut().expect("a kernel precedes");
            last.is_changed = part == BECOMES;
            is_output = last.is_changed;
        } else if is_output {
            is_output = false;
        } else {
            let start = part.find("kernel @").expect("a case has a kernel");
            let (mut prose, input) = (part[..start].to_owned(), part[start..].to_owned());
            if cases.is_empty() {
                let end = prose.find("\n\n").map_or(prose.len(), |end| end + 1);
                head = prose[..end].to_owned();
                prose = prose[end..].to_owned();
            }
            cases.push(Case {
                prose,
                input,
                is_changed: false,
            });
        }
    }
    (head, cases)
}

/// Returns the value of a line of the head.
fn setting<'h>(head: &'h str, key: &str) -> Option<&'h str> {
    let mut lines = head.lines();
    lines.find_map(|line| {
        line.strip_prefix("; ")?
            .strip_prefix(key)?
            .strip_prefix(": ")
    })
}

fn target(head: &str) -> Target {
    let text = setting(head, "target").unwrap_or("sm_80");
    let (arch, maps) = match text.strip_suffix(" with maps") {
        Some(arch) => (arch, HostMaps::Encoded),
        None => (text, HostMaps::None),
    };
    Target {
        arch: arch.parse().expect("an architecture"),
        maps,
        persistence: Persistence::Off,
    }
}

/// Returns the file as it should be.
fn expected(content: &str) -> Result<String, String> {
    let (head, cases) = cases(content);
    let name = setting(&head, "pass").ok_or("the first line is not `; pass: NAME`")?;
    let target = target(&head);
    let pass = PIPELINE.iter().find(|pass| pass.name == name);
    let pass = pass.ok_or_else(|| format!("no pass `{name}`"))?;
    let kinds: BTreeSet<bool> = cases.iter().map(|case| case.is_changed).collect();
    if kinds.len() != 2 {
        return Err("a file needs a case with a change, and one without".to_owned());
    }
    let mut text = head.clone();
    for Case {
        prose,
        input,
        is_changed,
    } in cases
    {
        let mut kernel = from_text(&input).map_err(|error| format!("{error} of\n{input}"))?;
        let before = to_text(&kernel);
        run(pass, &mut kernel, target);
        let after = to_text(&kernel);
        // Without barriers, the verifier would refuse a kernel with allocated memory.
        if name == "allocate-shared" {
            barriers(&mut kernel);
        }
        let errors = verify(&kernel);
        if !errors.is_empty() {
            return Err(format!("{errors:?}\n{after}"));
        }
        if is_changed != (before != after) {
            let (is, expected) = (before != after, is_changed);
            return Err(format!("changed: {is}, not {expected}, of\n{input}"));
        }
        let result = if is_changed {
            format!("{BECOMES}{after}")
        } else {
            UNCHANGED.to_owned()
        };
        let _ = write!(text, "{prose}{input}{result}");
    }
    Ok(text)
}

#[test]
fn every_file_shows_what_its_pass_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes");
    let mut shown = BTreeSet::new();
    let mut failures = Vec::new();
    for entry in std::fs::read_dir(root).expect("a folder of the repository") {
        let path = entry.expect("a readable file").path();
        let content = std::fs::read_to_string(&path).expect("a readable file");
        let failure = match expected(&content) {
            Ok(text) if text == content => None,
            Ok(text) if std::env::var_os("TILE_BLESS").is_some() => {
                std::fs::write(&path, text).expect("a writable file");
                None
            }
            Ok(text) => {
                let mut lines = text.lines().zip(content.lines());
                let first = lines.find(|(actual, expected)| actual != expected);
                Some(format!(
                    "TILE_BLESS=1 accepts it; first difference: {first:#?}"
                ))
            }
            Err(failure) => Some(failure),
        };
        failures.extend(failure.map(|failure| format!("{}: {failure}", path.display())));
        shown.extend(setting(&content, "pass").map(ToOwned::to_owned));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let names = PIPELINE.iter().map(|pass| pass.name.to_owned());
    let passes: BTreeSet<String> = names.collect();
    shown.extend(SHOWN_ELSEWHERE.map(ToOwned::to_owned));
    assert_eq!(shown, passes);
}
