//! Tests that `ptxas` and `tile-sim` accept the same forms of every instruction.
//!
//! `data/*.forms` has the forms, one family per file ([`pattern`] defines the notation). Each form
//! stands for instructions, which both assemblers of `cargo xtask setup` and `tile-sim` try for
//! several targets, together with instructions that differ from them in one respect
//! ([`neighbors`]). A form that `tile-sim` accepts for no target counts as not implemented. Any
//! other difference is listed in `quirks.txt`, if the assembler is at fault, or in `open.txt`.
//! `UPDATE_EXPECT=1` writes `open.txt` and `docs/ptx-coverage.md`.
#![expect(clippy::print_stderr, reason = "a test that cannot run says why")]

mod assembler;
#[expect(dead_code, reason = "`tests/suite` writes it")]
mod executed;
mod neighbors;
mod pattern;
mod report;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use assembler::{Ptxas, Refused, Setting};
use pattern::{Form, Instruction, families};
use report::Status;

const fn setting(version: &'static str, target: &'static str) -> Setting {
    Setting { version, target }
}

/// The settings of the older assembler, and of the later one.
const SETTINGS: [&[Setting]; 2] = [
    &[setting("7.0", "sm_80"), setting("8.8", "sm_90a")],
    &[
        setting("7.0", "sm_75"),
        setting("7.4", "sm_80"),
        setting("8.0", "sm_90"),
        setting("9.0", "sm_90a"),
        setting("9.0", "sm_100a"),
        setting("9.0", "sm_103f"),
        setting("9.0", "sm_120a"),
    ],
];

/// The disagreements between an assembler and `tile-sim`, one line each.
type Differences = BTreeSet<String>;

/// The verdicts on all instructions in one setting.
struct Verdicts {
    setting: Setting,
    ptxas: Refused,
    tile_sim: Refused,
}

impl Verdicts {
    fn difference(&self, index: usize, text: &str) -> Option<String> {
        let Setting { version, target } = self.setting;
        let (takes, refuses, why) = match (self.ptxas.get(&index), self.tile_sim.get(&index)) {
            (None, Some(why)) => ("ptxas", "tile-sim", why),
            (Some(why), None) => ("tile-sim", "ptxas", why),
            _ => return None,
        };
        // The message begins with the name of the instruction.
        let why = why.split_once("`: ").map_or(why.as_str(), |(_, why)| why);
        Some(format!(
            "{text} | {takes} takes it, {refuses} not: {why} | {target} {version}"
        ))
    }
}

#[test]
fn ptxas_and_tile_sim_take_the_same_instructions() {
    let assemblers = assembler::installed();
    if assemblers.len() < SETTINGS.len() {
        eprintln!("skipped: `cargo xtask setup` installs the assemblers that this compares with");
        return;
    }
    let families = families();
    let right: BTreeSet<&Instruction> = families
        .iter()
        .flat_map(|family| &family.forms)
        .flat_map(|form| &form.instructions)
        .collect();
    let mut numbers: BTreeMap<Instruction, usize> = BTreeMap::new();
    let mut texts = Vec::new();
    let mut number = |instruction: &Instruction| {
        *numbers.entry(instruction.clone()).or_insert_with(|| {
            texts.push(instruction.text());
            texts.len() - 1
        })
    };
    for instruction in &right {
        number(instruction);
    }
    let mut beside: BTreeMap<Instruction, Vec<&Form>> = BTreeMap::new();
    for form in families.iter().flat_map(|family| &family.forms) {
        let instructions = &form.instructions;
        // The first, the middle and the last instruction cover all single neighbors of a form, but
        // not combinations.
        for index in BTreeSet::from([0, instructions.len() / 2, instructions.len() - 1]) {
            for neighbor in neighbors::generate(&instructions[index]) {
                number(&neighbor);
                beside.entry(neighbor).or_default().push(form);
            }
        }
    }
    let settings: Vec<(&Path, Setting)> = assemblers
        .iter()
        .zip(SETTINGS)
        .flat_map(|(path, settings)| {
            settings
                .iter()
                .map(move |&setting| (path.as_path(), setting))
        })
        .collect();
    let texts = &texts;
    let verdicts: Vec<Verdicts> = std::thread::scope(|scope| {
        let judge = |(path, setting)| {
            scope.spawn(move || Verdicts {
                setting,
                ptxas: Ptxas::new(path).verdicts(setting, texts),
                tile_sim: assembler::by_tile_sim(setting, texts),
            })
        };
        let threads: Vec<_> = settings.into_iter().map(judge).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Verdicts>| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    });
    let statuses: Vec<Vec<Status>> = families
        .iter()
        .map(|family| {
            let forms = family.forms.iter();
            forms
                .map(|form| status(form, &numbers, &verdicts))
                .collect()
        })
        .collect();
    let known: BTreeSet<&str> = families
        .iter()
        .zip(&statuses)
        .flat_map(|(family, statuses)| family.forms.iter().zip(statuses))
        .filter(|(_, status)| !status.taken.is_empty())
        .map(|(form, _)| form.pattern.as_str())
        .collect();
    // Forms that are not implemented cannot be wrong.
    let missing: BTreeSet<&Instruction> = families
        .iter()
        .flat_map(|family| &family.forms)
        .filter(|form| !known.contains(form.pattern.as_str()))
        .flat_map(|form| &form.instructions)
        .collect();
    let skipped = |instruction: &Instruction| {
        let forms = beside.get(instruction);
        let unknown = |form: &&Form| !known.contains(form.pattern.as_str());
        missing.contains(instruction)
            || !right.contains(instruction) && forms.is_some_and(|forms| forms.iter().all(unknown))
    };
    let mut differences = Differences::new();
    let mut compared = 0;
    for (instruction, &index) in &numbers {
        if skipped(instruction) {
            continue;
        }
        for verdicts in &verdicts {
            compared += 1;
            differences.extend(verdicts.difference(index, &texts[index]));
        }
    }
    eprintln!("{compared} verdicts on {} instructions", texts.len());
    let quirks = report::Quirks::read();
    let differences = report::settled(&differences, &quirks);
    report::compare(&families, &statuses, &differences, &quirks);
}

fn status(
    form: &Form,
    numbers: &BTreeMap<Instruction, usize>,
    all_verdicts: &[Verdicts],
) -> Status {
    let mut status = Status::default();
    for verdicts in all_verdicts {
        let target = verdicts.setting;
        let indices = form
            .instructions
            .iter()
            .map(|instruction| numbers[instruction]);
        for index in indices {
            if !verdicts.ptxas.contains_key(&index) {
                status.assembled.insert(target);
            }
            if !verdicts.tile_sim.contains_key(&index) {
                status.taken.insert(target);
            }
        }
    }
    status
}

#[test]
fn patterns_stand_for_their_instructions() {
    let form = Form::read("mul.<lo|hi>.<T:u16|s32> T, T, {T^2}, [t, {b32^2}], !p");
    let texts: Vec<String> = form.instructions.iter().map(Instruction::text).collect();
    assert_eq!(
        texts,
        [
            "mul.lo.u16 %h1, %h2, {%h3, %h4}, [%d62, {%r1, %r2}], !%p1;",
            "mul.lo.s32 %r1, %r2, {%r3, %r4}, [%d62, {%r5, %r6}], !%p1;",
            "mul.hi.u16 %h1, %h2, {%h3, %h4}, [%d62, {%r1, %r2}], !%p1;",
            "mul.hi.s32 %r1, %r2, {%r3, %r4}, [%d62, {%r5, %r6}], !%p1;",
        ]
    );
}
