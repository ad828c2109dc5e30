//! What runs in the simulator here, as files for a program that runs it elsewhere (`tests/cases` of the
//! facade): `TILE_RUN_EXPORT=FOLDER` compiles for `sm_90a` and writes, in place of every comparison, the
//! code, its arguments and what the interpreter makes of them. With `TILE_RUN_EXPORT_PTX=1` the code is a
//! fatbin, which the simulator of the facade takes too.
//!
//! A file is a line of JSON, then bytes that it speaks of by where they begin and how many there are. What is
//! 0 everywhere before the launch and not read by it is poisoned, so that elements nobody stores show.

use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::LazyLock;

use serde_json::{Value, json};
use tile_backend::gpu::{MapAxis, MapNumber, TensorMap};
use tile_backend::stages::Artifact;
use tile_backend::target::Arch;
use tile_core::interp::RunOptions;
use tile_core::testing::{Argument, Outcome, Runnable, execute_with};
use tile_core::types::Scalar;

/// What memory holds that is to be written.
const POISON: u8 = 0xcd;

/// Where files go.
static FOLDER: LazyLock<Option<PathBuf>> =
    LazyLock::new(|| std::env::var_os("TILE_RUN_EXPORT").map(PathBuf::from));

thread_local! {
    static LABEL: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Whether files are written in place of comparisons.
pub(crate) fn is_on() -> bool {
    FOLDER.is_some()
}

/// Runs a test whose files have its name.
pub(crate) fn labelled<T>(label: &str, run: impl FnOnce() -> T) -> T {
    LABEL.set(label.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_"));
    run()
}

/// What a comparison knows.
pub(crate) struct Comparison<'a> {
    pub(crate) outcome: &'a Outcome,
    pub(crate) printed: &'a str,
    pub(crate) elements: &'a [Scalar],
    pub(crate) tolerance: f64,
    pub(crate) ulps: &'a [u32],
    pub(crate) inexact: &'a [(usize, Range<usize>, u32)],
}

/// Writes a case, if it is for the architecture that is exported.
pub(crate) fn write(
    comparison: &Comparison<'_>,
    artifact: &Artifact,
    runnable: &Runnable,
) -> Result<(), String> {
    let Some(folder) = &*FOLDER else {
        return Ok(());
    };
    if artifact.launches[0].arch != Arch::SM_90A {
        return Ok(());
    }
    let (line, bytes) = case(comparison, artifact, runnable);
    let mut hasher = DefaultHasher::new();
    (&line.to_string(), &bytes).hash(&mut hasher);
    let label = LABEL.with_borrow(Clone::clone);
    let name = format!("{label}.{:016x}.case", hasher.finish());
    let mut contents = format!("{line}\n").into_bytes();
    contents.extend(bytes);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(folder.join(name), contents))
        .map_err(|error| error.to_string())
}

/// The head of a case and its bytes.
fn case(comparison: &Comparison<'_>, artifact: &Artifact, runnable: &Runnable) -> (Value, Vec<u8>) {
    let Comparison {
        outcome,
        printed,
        elements,
        tolerance,
        ulps,
        inexact,
    } = comparison;
    let launch = &artifact.launches[0];
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
    let args: Vec<Value> = args
        .iter()
        .map(|arg| match arg {
            Argument::Buffer(bytes) => json!({ "buffer": blob.add(bytes) }),
            Argument::Number(bits) => json!({ "number": bits }),
        })
        .collect();
    let expected: Vec<Value> = buffers
        .iter()
        .enumerate()
        .map(|(number, bytes)| {
            json!({
                "bytes": blob.add(bytes),
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
    let line = json!({
        "entry": launch.entry,
        "arch": launch.arch.to_string(),
        "threads": launch.threads,
        "shared_bytes": launch.shared_bytes,
        "cluster": launch.cluster,
        "resident_blocks": launch.resident_blocks,
        "parts": launch.parts,
        "maps": maps,
        "grid": runnable.grid,
        "code": code,
        "args": args,
        "expected": expected,
        "tolerance": tolerance,
        "inexact": inexact,
        "fault": outcome.fault.as_ref().map(|fault| &fault.message),
        "prints": !printed.is_empty(),
    });
    (line, blob.bytes)
}

/// The same with memory of zeros that is not read filled with something else, and what comes of it.
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
    let found = execute_with(&other, RunOptions::default());
    let bytes = |outcome: &Outcome| outcome.buffers.concat();
    let same = bytes(outcome)
        .iter()
        .zip(bytes(&found))
        .all(|(&plain, found)| plain == found || (plain, found) == (0, POISON));
    (found.fault.is_none() && same).then_some((other, found))
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

/// Bytes behind the head.
#[derive(Default)]
struct Blob {
    bytes: Vec<u8>,
}

impl Blob {
    /// Where they begin and how many they are.
    fn add(&mut self, bytes: &[u8]) -> [usize; 2] {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        [start, bytes.len()]
    }
}
