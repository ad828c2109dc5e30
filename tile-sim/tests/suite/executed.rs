//! Measures which forms of `tests/forms` the tests execute.
//!
//! [`super::support::launch`] passes the executed instructions of a kernel to [`record`]; its
//! callers compare the results with an oracle. The test in this file runs all others in a separate
//! process, which writes the record, and compares the record with `tests/forms/executed.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use tile_sim::{Counters, Module};

#[expect(dead_code, reason = "the forms read it")]
#[path = "../forms/executed.rs"]
mod list;
#[expect(dead_code, reason = "the forms are assembled elsewhere")]
#[path = "../forms/pattern.rs"]
mod pattern;

use list::Executed;
use pattern::Instruction;

/// The environment variable with the path of the record.
const RECORD: &str = "TILE_SIM_RECORD_EXECUTED";

/// Tests that compare no results.
const WITHOUT_RESULTS: [&str; 4] = ["executed::", "hostile::", "robust::", "speed::"];

struct Record {
    file: File,
    /// The lines that were written already.
    lines: BTreeSet<String>,
}

/// Records the executed instructions of a kernel, if the process was started for that.
pub(crate) fn record(module: &Module, entry: &str, counters: &Counters) {
    let instructions = module.instructions(entry).expect("it ran");
    for (_, instruction) in (0..)
        .zip(instructions)
        .filter(|&(index, _)| counters.reached.has(index))
    {
        record_line(&format!("{} {}", instruction.opcode, instruction.operands));
    }
}

/// Records one instruction, if the process was started for that.
pub(crate) fn record_line(text: &str) {
    static RECORDS: OnceLock<Option<Mutex<Record>>> = OnceLock::new();
    let records = RECORDS.get_or_init(|| {
        let path = PathBuf::from(std::env::var_os(RECORD)?);
        let file = File::create(path).expect("a file for what runs");
        let lines = BTreeSet::new();
        Some(Mutex::new(Record { file, lines }))
    });
    let Some(records) = records else { return };
    let thread = std::thread::current();
    let test = thread.name().expect("tests run in threads of their names");
    let test = test.split("::").next().unwrap_or(test);
    let line = format!("{test}\t{}\n", text.trim_end());
    let mut record = records.lock().expect("nobody panics while it writes");
    let Record { file, lines } = &mut *record;
    if !lines.contains(&line) {
        file.write_all(line.as_bytes()).expect("it is written");
        lines.insert(line);
    }
}

/// Returns the kind of an operand: `r` for a register or a name, `i` for a number.
fn kind(operand: &str) -> String {
    if let Some(rest) = operand.strip_prefix('[') {
        let behind = rest.trim_end_matches(']').split_once(", ");
        return match behind {
            Some((_, coordinates)) => format!("[{}]", kind(coordinates)),
            None => "[]".into(),
        };
    }
    if let Some(rest) = operand.strip_prefix('{') {
        let (inside, tail) = rest.split_once('}').expect("`{` has its `}`");
        let elements: Vec<String> = inside.split(',').map(|name| kind(name.trim())).collect();
        return format!("{{{}}}{}", elements.concat(), tail.len().min(1));
    }
    if let Some(rest) = operand.strip_prefix('!') {
        return format!("!{}", kind(rest));
    }
    if operand.contains('|') {
        return "pair".into();
    }
    match operand.as_bytes() {
        b"_" => "_".into(),
        [b'-' | b'0'..=b'9', ..] => "i".into(),
        _ => "r".into(),
    }
}

/// Returns `true` if the operand matches that of the form; a constant matches a register.
fn is(operand: &str, form: &str) -> bool {
    operand.len() == form.len()
        && operand
            .bytes()
            .zip(form.bytes())
            .all(|(byte, form)| byte == form || byte == b'i' && form == b'r')
}

fn kinds(instruction: &Instruction) -> Vec<String> {
    let operands = instruction.operands.iter();
    operands.map(|operand| kind(operand)).collect()
}

/// Groups the records by form.
fn by_form(records: &str) -> BTreeMap<String, Executed> {
    let forms: Vec<_> = pattern::families()
        .into_iter()
        .flat_map(|family| family.forms)
        .collect();
    // By opcode: the form, the position in it, and the kinds of the operands.
    let mut known: BTreeMap<String, Vec<(usize, usize, Vec<String>)>> = BTreeMap::new();
    for (number, form) in forms.iter().enumerate() {
        for (place, instruction) in form.instructions.iter().enumerate() {
            let text = instruction.text();
            let with_registers = Instruction::read(text.trim_end_matches(';'));
            let entry = known.entry(instruction.name()).or_default();
            entry.push((number, place, kinds(&with_registers)));
        }
    }
    let mut places: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); forms.len()];
    let mut totals: BTreeMap<String, Executed> = BTreeMap::new();
    for line in records.lines() {
        let (test, text) = line.split_once('\t').expect("a test and an instruction");
        let instruction = Instruction::read(text);
        let kinds = kinds(&instruction);
        for (number, place, form) in known.get(&instruction.name()).into_iter().flatten() {
            let same = form.len() == kinds.len()
                && kinds.iter().zip(form).all(|(kind, form)| is(kind, form));
            if same {
                places[*number].insert(*place);
                let executed = totals.entry(forms[*number].pattern.clone()).or_default();
                executed.instructions = places[*number].len();
                executed.tests.insert(test.to_owned());
            }
        }
    }
    totals
}

#[test]
fn the_list_of_what_runs_is_what_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("executed");
    let mut tests = Command::new(std::env::current_exe().expect("this has a path"));
    // With a single thread, tests would not run on threads that have their names.
    tests.args(["--test-threads=2", "--quiet"]);
    for name in WITHOUT_RESULTS {
        tests.args(["--skip", name]);
    }
    let output = tests.env(RECORD, &path).output().expect("it runs");
    assert!(
        output.status.success(),
        "what fails is not counted as run: first mend\n{}",
        String::from_utf8_lossy(&output.stdout)
    );
    let records = std::fs::read_to_string(&path).expect("the tests wrote it");
    let printed = list::print(&by_form(&records));
    expect_test::expect_file![list::path()].assert_eq(&printed);
}

#[test]
fn instructions_are_those_of_their_forms() {
    let records = "a\tadd.u16 %x, %y, 5\nb\tadd.s64 %x, %y, %z\na\tadd.u16 %x, %y\n\
                   c\tbar.red.popc.u32 %r1, 0, %r2, !%p1\nc\tnanosleep.u32 20\n\
                   d\tcp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r1}], [%r2+4]\n";
    let counts = by_form(records);
    let counts: Vec<(&str, usize, usize)> = counts
        .iter()
        .map(|(form, executed)| (form.as_str(), executed.instructions, executed.tests.len()))
        .collect();
    assert_eq!(
        counts,
        [
            ("add.<T:u16|u32|u64|s16|s32|s64|u16x2|s16x2> T, T, T", 2, 2),
            ("bar.red.popc.u32 b32, b32, b32, !p", 1, 1),
            (
                "cp.async.bulk.tensor.1d.global.shared::cta<|.tile>.bulk_group [t, {b32}], [s]",
                1,
                1
            ),
            ("nanosleep.u32 20", 1, 1),
            ("nanosleep.u32 b32", 1, 1),
        ]
    );
}
