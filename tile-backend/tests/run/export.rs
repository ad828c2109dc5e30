//! Exports simulated launches as files for a program that runs them elsewhere (`tests/cases` of the facade):
//! `TILE_RUN_EXPORT=FOLDER` compiles for `sm_90a`. Instead of every comparison, the code, its arguments and
//! the module are written, so that the interpreter there computes the same expected result as here. With
//! `TILE_RUN_EXPORT_PTX=1` the code is a fatbin, which the facade's simulator also accepts.
//!
//! `TILE_RUN_SAMPLE=SEED` exports one test of each kind (`sample.rs`), with one launch of each kernel
//! that the test compiles.
//!
//! A file is a line of JSON, followed by bytes to which the line refers by offset and length. An input is the
//! rule that generates it, if the tests of this folder have such a rule, and bytes otherwise. Buffers that
//! are 0 everywhere before the launch and are not read by it are poisoned, to reveal elements that are not
//! stored.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::{Value, json};
use tile_backend::manifest::{MapAxis, MapNumber, TensorMap};
use tile_backend::session::Artifact;
use tile_backend::target::Arch;
use tile_core::bytecode::{self, Version};
use tile_core::interp::RunOptions;
use tile_core::testing::{Argument, Outcome, Random, Runnable, execute_with};
use tile_core::types::Scalar;

use super::input::{Input, Values, fingerprint};
use super::machine::parameters;

/// The initial contents of output memory.
const POISON: u8 = 0xcd;

/// The folder for the files.
static FOLDER: LazyLock<Option<PathBuf>> =
    LazyLock::new(|| std::env::var_os("TILE_RUN_EXPORT").map(PathBuf::from));

/// The seed of a sample; `None` if everything is exported.
static SAMPLE: LazyLock<Option<u64>> = LazyLock::new(|| from_environment("TILE_RUN_SAMPLE"));

/// Number of bytes above which a case of a sample is exported only if no smaller case exists.
const LARGE: usize = 64 << 10;

/// The rules by which tests of this folder generate numbers.
const RULES: [Values; 12] = [
    Values::Fill(0),
    Values::Fill(0xff),
    Values::Fill(0xa5),
    Values::Fill(POISON),
    Values::Iota,
    Values::Sizes,
    Values::Bits,
    Values::Unit,
    whole(-4, 9, 1.0),
    whole(-2, 5, 1.0),
    whole(-1, 3, 1.0),
    whole(0, 9, 1.0),
];

/// Rules of rarer tests.
const RARE: [Values; 3] = [
    whole(1, 1, 1.0),
    whole(-4, 9, 0.25),
    whole(-(1 << 19), 1 << 20, 1.0 / (1 << 18) as f64),
];

/// Initial states of the random generator.
const STATES: [u64; 4] = [1, 5, 7, 11];

const fn whole(first: i64, count: u32, scale: f64) -> Values {
    Values::Whole {
        first,
        count,
        scale,
    }
}

thread_local! {
    static NAMES: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    static LABEL: RefCell<String> = const { RefCell::new(String::new()) };
    /// For each kernel of the running test, the best launch so far.
    static TAKEN: RefCell<BTreeMap<u64, Taken>> = const { RefCell::new(BTreeMap::new()) };
}

/// A case that may be written.
struct Taken {
    /// The rank of the case, of which the lowest is written.
    rank: (bool, u64),
    contents: Vec<u8>,
}

/// Returns the number that an environment variable sets.
pub(crate) fn from_environment(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("`{name}` is a number, not `{value}`")),
    )
}

/// Returns the group of tests to which a name belongs; the group of a file is its folder.
pub(crate) fn family(name: &str) -> String {
    let name = name.split_once("::").map_or(name, |(name, _)| name);
    let is_file = Path::new(name)
        .extension()
        .is_some_and(|extension| extension == "mlir");
    match name.split_once('/') {
        Some((folder, _)) if is_file => format!("files/{folder}"),
        Some((family, _)) => family.to_owned(),
        None => "files".to_owned(),
    }
}

/// Returns `true` if files are written instead of comparisons.
pub(crate) fn is_on() -> bool {
    FOLDER.is_some()
}

/// Returns `true` if code for an architecture is compared or written.
pub(crate) fn takes(arch: Arch) -> bool {
    !is_on() || arch == Arch::SM_90A
}

/// Returns the target of a test that uses one architecture.
pub(crate) fn arch(here: Arch) -> Arch {
    if is_on() { Arch::SM_90A } else { here }
}

/// Records that a test can be exported.
pub(crate) fn add(name: &str) {
    let arch = name.split_once("::").map(|(_, arch)| arch);
    if arch.is_none_or(|arch| arch == Arch::SM_90A.to_string()) {
        NAMES.with_borrow_mut(|names| names.insert(name.to_owned()));
    }
}

/// Returns the names of exportable tests that were created.
pub(crate) fn names() -> BTreeSet<String> {
    NAMES.with_borrow(Clone::clone)
}

/// Returns the seed of a sample, if a sample is written.
pub(crate) fn sampled() -> Option<u64> {
    is_on().then_some(*SAMPLE).flatten()
}

/// Returns the cases that a test runs: all of them, or one that the seed of a sample chooses.
pub(crate) fn sample<T>(cases: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut cases: Vec<T> = cases.into_iter().collect();
    let Some(seed) = sampled() else {
        return cases;
    };
    if cases.is_empty() {
        return cases;
    }
    let label = LABEL.with_borrow(|label| label.clone().into_bytes());
    let chosen = Random::new(rank(seed, &label)).below(cases.len());
    vec![cases.swap_remove(chosen)]
}

/// Returns the rank of bytes in a pseudo-random order.
pub(crate) fn rank(seed: u64, bytes: &[u8]) -> u64 {
    Random::new(seed ^ fingerprint(&[bytes.to_vec()])).bits()
}

/// Runs a test whose files have its name.
pub(crate) fn labelled(
    label: &str,
    run: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    LABEL.set(label.to_owned());
    TAKEN.set(BTreeMap::new());
    let ran = run();
    for taken in TAKEN.take().values() {
        put(&taken.contents)?;
    }
    ran
}

/// Writes a file.
fn put(contents: &[u8]) -> Result<(), String> {
    let Some(folder) = &*FOLDER else {
        return Ok(());
    };
    let label = LABEL
        .with_borrow(|label| label.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_"));
    let name = format!("{label}.{:016x}.case", fingerprint(&[contents.to_vec()]));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(folder.join(name), contents))
        .map_err(|error| error.to_string())
}

/// The inputs of a comparison.
pub(crate) struct Comparison<'a> {
    pub(crate) outcome: &'a Outcome,
    pub(crate) printed: &'a str,
    pub(crate) elements: &'a [Scalar],
    pub(crate) tolerance: f64,
    pub(crate) ulps: &'a [u32],
    pub(crate) inexact: &'a [(usize, Range<usize>, u32)],
}

/// Writes a case, if it is for the exported architecture. In a sample, keeps the case until the test ends
/// instead.
pub(crate) fn write(
    comparison: &Comparison<'_>,
    artifact: &Artifact,
    runnable: &Runnable,
) -> Result<(), String> {
    if artifact.manifest.launches[0].arch != Arch::SM_90A {
        return Ok(());
    }
    let (line, bytes) = case(comparison, artifact, runnable)?;
    let mut contents = format!("{line}\n").into_bytes();
    let is_large = bytes.len() > LARGE;
    contents.extend(bytes);
    let Some(seed) = sampled() else {
        return put(&contents);
    };
    let (_, ptx) = &artifact.ptx[0];
    let kernel = fingerprint(&[ptx.clone().into_bytes()]);
    let rank = (is_large, rank(seed, &contents));
    TAKEN.with_borrow_mut(|taken| {
        if taken.get(&kernel).is_none_or(|taken| rank < taken.rank) {
            taken.insert(kernel, Taken { rank, contents });
        }
    });
    Ok(())
}

/// Encodes a case as its head and its bytes.
fn case(
    comparison: &Comparison<'_>,
    artifact: &Artifact,
    runnable: &Runnable,
) -> Result<(Value, Vec<u8>), String> {
    let Comparison {
        outcome,
        printed,
        elements,
        tolerance,
        ulps,
        inexact,
    } = comparison;
    let launch = &artifact.manifest.launches[0];
    let poisoned = poisoned(runnable, outcome);
    let (args, buffers) = match &poisoned {
        Some((runnable, outcome)) => (&runnable.args, &outcome.buffers),
        None => (&runnable.args, &outcome.buffers),
    };
    let mut blob = Blob::default();
    let code = match artifact.cubins.as_slice() {
        [(_, cubin)] if std::env::var_os("TILE_RUN_EXPORT_PTX").is_none() => blob.add(cubin),
        _ => blob.add(&artifact.fatbin),
    };
    let module = bytecode::write(&runnable.module, Version::V13_4);
    let module = blob.add(&module.map_err(|error| error.to_string())?);
    let mut states = STATES.to_vec();
    let args: Vec<Value> = args
        .iter()
        .zip(parameters(&runnable.module))
        .map(|(arg, (scalar, _))| match arg {
            Argument::Buffer(bytes) => match input(scalar, bytes, &mut states) {
                Some(input) => json!({ "input": input }),
                None => json!({ "buffer": blob.add(bytes) }),
            },
            Argument::Number(bits) => json!({ "number": bits }),
        })
        .collect();
    let expected: Vec<Value> = (0..buffers.len())
        .map(|number| {
            json!({
                "element": elements[number].name(),
                "ulps": ulps.get(number).copied().unwrap_or(0),
            })
        })
        .collect();
    let inexact: Vec<Value> = inexact
        .iter()
        .map(|(buffer, range, ulps)| json!([buffer, range.start, range.end, ulps]))
        .collect();
    let maps: Vec<Value> = launch.maps.iter().map(map).collect();
    let (_, ptx) = &artifact.ptx[0];
    let line = json!({
        "entry": launch.entry,
        "arch": launch.arch.to_string(),
        "threads": launch.threads,
        "shared_bytes": launch.shared_bytes,
        "cluster": launch.cluster,
        "persistent_blocks_per_sm": launch.persistent_blocks_per_sm,
        "parts": launch.blocks_per_tile,
        "maps": maps,
        "grid": runnable.grid,
        "code": code,
        "module": module,
        "args": args,
        "expected": expected,
        "fingerprint": fingerprint(buffers),
        "tolerance": tolerance,
        "inexact": inexact,
        "fault": outcome.fault.as_ref().map(|fault| &fault.message),
        "prints": !printed.is_empty(),
        "features": features(ptx),
    });
    Ok((line, blob.bytes))
}

/// Returns the rule that generated a buffer, if the tests of this folder have such a rule. Later buffers
/// continue the random state of the rule.
fn input(scalar: Scalar, bytes: &[u8], states: &mut Vec<u64>) -> Option<Value> {
    let rules = [&RULES[..], &RARE[..]].concat();
    let actual = Input::recognize(scalar, bytes, &rules, states)?;
    states.insert(0, actual.behind());
    let Input {
        scalar,
        count,
        values,
        state,
    } = actual;
    let (name, more) = match values {
        Values::Fill(byte) => ("fill", json!([byte])),
        Values::Iota => ("iota", json!([])),
        Values::Bits => ("bits", json!([])),
        Values::Sizes => ("sizes", json!([])),
        Values::Unit => ("unit", json!([])),
        Values::Whole {
            first,
            count,
            scale,
        } => ("whole", json!([first, count, scale])),
    };
    Some(json!({
        "element": scalar.name(),
        "count": count,
        "values": name,
        "numbers": more,
        "state": state,
    }))
}

/// Returns the features of a case: the kind of its test, and the instructions of its code, without types and
/// shapes.
fn features(ptx: &str) -> BTreeSet<String> {
    let label = LABEL.with_borrow(Clone::clone);
    let mut actual: BTreeSet<String> = ptx.lines().filter_map(instruction).collect();
    actual.insert(format!("test {}", family(&label)));
    actual
}

/// Returns the instruction of a line, without types, shapes and numbers.
pub(crate) fn instruction(line: &str) -> Option<String> {
    let line = line.trim_start();
    let line = match line.strip_prefix('@') {
        Some(guarded) => guarded.split_once(char::is_whitespace)?.1.trim_start(),
        None => line,
    };
    let line = line.strip_prefix("{ ").unwrap_or(line);
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || "._:".contains(letter);
    let end = line.find(|letter| !is_word(letter))?;
    let (mnemonic, rest) = line.split_at(end);
    let is_one = rest.starts_with([' ', '\t', ';']) && mnemonic.starts_with(char::is_alphabetic);
    if !is_one || mnemonic.ends_with(':') || !line.contains(';') {
        return None;
    }
    let is_name = |part: &&str| {
        part.chars()
            .all(|letter| letter.is_alphabetic() || letter == '_')
    };
    // The mnemonic may contain digits, as `ex2` does; the parts after it may not.
    let (name, rest) = mnemonic.split_once('.').unwrap_or((mnemonic, ""));
    let parts = rest.split('.').take(3).take_while(is_name);
    let parts = parts.filter(|part| !part.is_empty());
    let whole = std::iter::once(name).chain(parts);
    Some(whole.collect::<Vec<_>>().join("."))
}

/// Poisons zeroed buffers that are not read. Returns the changed launch with its outcome.
fn poisoned(runnable: &Runnable, outcome: &Outcome) -> Option<(Runnable, Outcome)> {
    let is_zero = |arg: &Argument| match arg {
        Argument::Buffer(bytes) => bytes.iter().all(|&byte| byte == 0),
        Argument::Number(_) => false,
    };
    if outcome.fault.is_some() || !runnable.args.iter().any(is_zero) {
        return None;
    }
    let args = runnable.args.iter().map(|arg| match arg {
        Argument::Buffer(bytes) if is_zero(arg) => Argument::Buffer(vec![POISON; bytes.len()]),
        arg => arg.clone(),
    });
    let other = Runnable {
        module: runnable.module.clone(),
        grid: runnable.grid,
        args: args.collect(),
    };
    let actual = execute_with(&other, RunOptions::default());
    let bytes = |outcome: &Outcome| outcome.buffers.concat();
    let same = bytes(outcome)
        .iter()
        .zip(bytes(&actual))
        .all(|(&plain, actual)| plain == actual || (plain, actual) == (0, POISON));
    (actual.fault.is_none() && same).then_some((other, actual))
}

fn map(map: &TensorMap) -> Value {
    let TensorMap {
        base,
        element_bytes,
        swizzle,
        axes,
    } = map;
    let number = |number: MapNumber| match number {
        MapNumber::Param(position) => json!({ "parameter": position }),
        MapNumber::Constant(number) => json!({ "constant": number }),
    };
    let axis = |axis: &MapAxis| {
        let MapAxis {
            extent,
            stride,
            length,
        } = axis;
        json!([number(*extent), number(*stride), length])
    };
    json!({
        "base": base,
        "element_bytes": element_bytes,
        "swizzle": swizzle.number(),
        "axes": axes.iter().map(axis).collect::<Vec<Value>>(),
    })
}

/// The bytes after the head.
#[derive(Default)]
struct Blob {
    bytes: Vec<u8>,
}

impl Blob {
    /// Appends bytes; returns their offset and length.
    fn add(&mut self, bytes: &[u8]) -> [usize; 2] {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        [start, bytes.len()]
    }
}
