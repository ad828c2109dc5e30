//! Executes modules and compares their effects.

use super::{Argument, Runnable};
use crate::interp::{Arg, Effect, Fault, Output, Program, RunOptions, Trace};
use std::sync::Mutex;

/// More iterations than any module of this generator has.
const STEP_LIMIT: u64 = 100_000;

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The bytes of every buffer, in order of the arguments.
    pub buffers: Vec<Vec<u8>>,
    /// The observable effects of the run.
    pub effects: Vec<Effect>,
    /// The fault that stopped the run, if it did not complete.
    pub fault: Option<Fault>,
}

/// Runs a module in the interpreter, one block after another.
///
/// # Panics
/// If the module does not verify.
pub fn execute(runnable: &Runnable) -> Outcome {
    execute_with(runnable, RunOptions::default())
}

/// Like [`execute`], with the checks, the order and the reports of `options`, whose other fields
/// are ignored.
///
/// # Panics
/// If the module does not verify.
pub fn execute_with(runnable: &Runnable, options: RunOptions<'_>) -> Outcome {
    let Runnable { module, grid, args } = runnable;
    // The buffers consist of whole words, so that every element is aligned.
    let mut memory: Vec<Vec<u64>> = args.iter().filter_map(words).collect();
    let mut buffers = memory.iter_mut();
    let bound: Vec<Arg> = args
        .iter()
        .map(|arg| match arg {
            Argument::Buffer(bytes) => Arg::Pointer {
                ptr: buffers.next().expect("one per buffer").as_mut_ptr().cast(),
                bytes: bytes.len(),
            },
            &Argument::Number(bits) => Arg::Scalar { bits },
        })
        .collect();
    let trace = Trace::new();
    // Printed text is in the trace.
    let nowhere = Mutex::new(std::io::sink());
    let options = RunOptions {
        output: Some(Output::new(&nowhere)),
        threads: Some(1),
        step_limit: Some(STEP_LIMIT),
        trace: Some(&trace),
        ..options
    };
    let entry = module.entries().next().map(|id| module.op(id).sym_name());
    let name = entry.as_deref().unwrap_or_default();
    // SAFETY: the buffers live until the end of the call, are not shared, and do not overlap.
    let done = unsafe { Program::new(module).run_with(name, *grid, &bound, options) };
    let lengths = args.iter().filter_map(|arg| match arg {
        Argument::Buffer(bytes) => Some(bytes.len()),
        Argument::Number(_) => None,
    });
    let bytes = memory.iter().zip(lengths).map(|(words, len)| {
        let bytes = words.iter().flat_map(|word| word.to_ne_bytes());
        bytes.take(len).collect()
    });
    Outcome {
        buffers: bytes.collect(),
        effects: trace.take(),
        fault: done.err(),
    }
}

fn words(arg: &Argument) -> Option<Vec<u64>> {
    let Argument::Buffer(bytes) = arg else {
        return None;
    };
    let word = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_ne_bytes(word)
    };
    Some(bytes.chunks(8).map(word).collect())
}

/// Checks that two runs are equivalent: they have the same effects in the same order, the same
/// bytes in memory, and the same fault or none. Two NaNs are equal if their bits are equal.
///
/// # Errors
/// Returns a description of the first difference.
pub fn check_same(before: &Outcome, after: &Outcome) -> Result<(), String> {
    let Outcome {
        buffers,
        effects,
        fault,
    } = before;
    // A rewrite changes the positions of operations.
    let told = |fault: &Option<Fault>| {
        fault
            .as_ref()
            .map(|fault| (fault.block, fault.message.clone()))
    };
    if told(fault) != told(&after.fault) {
        let name = |fault: &Option<Fault>| {
            fault
                .as_ref()
                .map_or_else(|| "no fault".to_owned(), ToString::to_string)
        };
        return Err(format!(
            "before: {}; after: {}",
            name(fault),
            name(&after.fault)
        ));
    }
    for (index, (before, after)) in effects.iter().zip(&after.effects).enumerate() {
        if before != after {
            return Err(format!(
                "effect {index}: before {before:?}, after {after:?}"
            ));
        }
    }
    if effects.len() != after.effects.len() {
        let common = effects.len().min(after.effects.len());
        let first = effects.get(common).or(after.effects.get(common));
        return Err(format!(
            "{} effects before, {} after; the first that only one has is {first:?}",
            effects.len(),
            after.effects.len()
        ));
    }
    for (buffer, (before, after)) in buffers.iter().zip(&after.buffers).enumerate() {
        if let Some(byte) = (0..before.len()).find(|&byte| before.get(byte) != after.get(byte)) {
            return Err(format!(
                "byte {byte} of buffer {buffer}: before {:#04x}, after {:?}",
                before[byte],
                after.get(byte)
            ));
        }
    }
    Ok(())
}
