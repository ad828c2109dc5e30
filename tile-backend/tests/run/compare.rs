//! Compares a run in the simulator with a run in the interpreter.

use std::collections::BTreeSet;
use std::ops::Range;

use tile_backend::session::Artifact;
use tile_core::interp::{Action, RunOptions, decode_float};
use tile_core::testing::{Outcome, Runnable, execute_with};
use tile_core::types::Scalar;

use super::SEEDS;
use super::close::{bits, is_close};
use super::export::{self, Comparison};
use super::machine::{blocks_together, parameters, parsed, simulate_in};

/// The result of the interpreter: its outcome, its output, and how to compare it.
pub(crate) struct Expected {
    outcome: Outcome,
    printed: String,
    /// Number of blocks of the grid.
    blocks: u32,
    /// Element types of the buffers, in order.
    elements: Vec<Scalar>,
    tolerance: f64,
    /// For each buffer, the tolerance of its elements in units of the last place.
    ulps: Vec<u32>,
    /// Ranges of buffers with a larger tolerance.
    inexact: Vec<(usize, Range<usize>, u32)>,
}

impl Expected {
    pub(crate) fn new(runnable: &Runnable, tolerance: f64) -> Self {
        let buffers = parameters(&runnable.module).into_iter();
        let elements = buffers.filter_map(|(scalar, is_buffer)| is_buffer.then_some(scalar));
        let outcome = execute_with(runnable, RunOptions::default());
        Self {
            printed: printed(&outcome),
            blocks: runnable.grid.iter().product(),
            outcome,
            elements: elements.collect(),
            tolerance,
            ulps: Vec::new(),
            inexact: Vec::new(),
        }
    }

    /// Sets the tolerance of each buffer in units of the last place.
    pub(crate) fn within(self, ulps: Vec<u32>) -> Self {
        Self { ulps, ..self }
    }

    /// Sets ranges of buffers with tolerances in units of the last place.
    pub(crate) fn with_inexact(self, inexact: Vec<(usize, Range<usize>, u32)>) -> Self {
        Self { inexact, ..self }
    }

    /// Returns the tolerance of an element in units of the last place.
    fn allowed(&self, number: usize, index: usize) -> u32 {
        let whole = self.ulps.get(number).copied().unwrap_or(0);
        let is_it = |&&(buffer, ref elements, _): &&(usize, Range<usize>, u32)| {
            buffer == number && elements.contains(&index)
        };
        self.inexact
            .iter()
            .find(is_it)
            .map_or(whole, |&(_, _, ulps)| ulps)
    }

    /// Runs compiled code under every seed. Returns the bank conflicts of a launch.
    pub(crate) fn check(&self, artifact: &Artifact, runnable: &Runnable) -> Result<u64, String> {
        self.check_under(artifact, runnable, SEEDS)
    }

    /// Does the same as [`Self::check`], under `seeds` seeds.
    pub(crate) fn check_under(
        &self,
        artifact: &Artifact,
        runnable: &Runnable,
        seeds: u64,
    ) -> Result<u64, String> {
        if export::is_on() {
            let comparison = Comparison {
                outcome: &self.outcome,
                printed: &self.printed,
                elements: &self.elements,
                tolerance: self.tolerance,
                ulps: &self.ulps,
                inexact: &self.inexact,
            };
            export::write(&comparison, artifact, runnable)?;
            return Ok(0);
        }
        let mut conflicts = 0;
        let module = parsed(artifact);
        // Code for clusters also runs without clusters, except for code with a cluster split.
        let together = blocks_together(artifact, runnable);
        let least = artifact.manifest.launches[0].blocks_per_tile;
        let clusters: BTreeSet<u32> = [least, together].into();
        let runs = (0..seeds).flat_map(|seed| clusters.iter().map(move |&blocks| (seed, blocks)));
        for (seed, blocks) in runs {
            let actual = simulate_in(blocks, artifact, &module, runnable, seed);
            conflicts = conflicts.max(actual.conflicts);
            let wrong = |what: String| match together {
                1 => format!("seed {seed}: {what}"),
                _ => format!("seed {seed}, clusters of {blocks}: {what}"),
            };
            match (&self.outcome.fault, &actual.fault) {
                (None, None) => {}
                (Some(expected), Some(actual)) => {
                    let (expected, actual) = (expected.to_string(), actual.to_string());
                    let told = self.is_told(&actual);
                    if !told {
                        let message = format!(
                            "the interpreter stops with `{expected}`, the simulator with `{actual}`"
                        );
                        return Err(wrong(message));
                    }
                    // Buffers are not compared: their contents at the time of the fault depend on the order
                    // of blocks.
                    continue;
                }
                (expected, actual) => {
                    let name = |fault: Option<String>| fault.unwrap_or_else(|| "no fault".into());
                    let (expected, actual) = (
                        name(expected.as_ref().map(ToString::to_string)),
                        name(actual.as_ref().map(ToString::to_string)),
                    );
                    return Err(wrong(format!(
                        "the interpreter: {expected}; the simulator: {actual}"
                    )));
                }
            }
            if !self.is_printed(&actual.printed) {
                let message = format!("printed\n{}instead of\n{}", actual.printed, self.printed);
                return Err(wrong(message));
            }
            for (number, (scalar, expected)) in
                self.elements.iter().zip(&self.outcome.buffers).enumerate()
            {
                self.buffer(number, *scalar, expected, &actual.buffers[number])
                    .map_err(|what| wrong(format!("buffer {number} of {scalar}: {what}")))?;
            }
        }
        Ok(conflicts)
    }

    /// Returns `true` if the result of another module, for the same arguments, is indistinguishable from this
    /// one.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let message = |outcome: &Outcome| outcome.fault.as_ref().map(|fault| fault.message.clone());
        if message(&self.outcome) != message(&other.outcome) || !self.is_printed(&other.printed) {
            return false;
        }
        let buffers = self.outcome.buffers.iter().zip(&other.outcome.buffers);
        let mut numbered = self.elements.iter().zip(buffers).enumerate();
        numbered.all(|(number, (&scalar, (expected, actual)))| {
            self.buffer(number, scalar, expected, actual).is_ok()
        })
    }

    /// Returns `true` if the simulator printed the same text. Lines of different blocks may be in any order.
    /// A line that takes several calls of `vprintf` may be interleaved with lines of other blocks; then only
    /// the characters can be compared.
    fn is_printed(&self, actual: &str) -> bool {
        let is_alone = self.blocks == 1;
        sorted(actual.lines()) == sorted(self.printed.lines())
            || !is_alone && sorted(actual.bytes()) == sorted(self.printed.bytes())
    }

    /// Returns `true` if `fault`, which the simulator reports, is the failed assertion that ended the launch,
    /// with its message and the index of the element. A GPU says "assertion `MESSAGE at [INDEX]` failed"
    /// where the interpreter says "assertion `MESSAGE` failed at [INDEX]"; an assertion on a single number
    /// has no index.
    fn is_told(&self, fault: &str) -> bool {
        let Some(expected) = &self.outcome.fault else {
            return false;
        };
        let told = || {
            let (_, text) = expected.message.split_once("assertion `")?;
            let (message, index) = text.rsplit_once("` failed at ")?;
            let index = match index.split_once(']')?.0 {
                "[" => String::new(),
                index => format!(" at {index}]"),
            };
            Some(format!("assertion `{message}{index}` failed"))
        };
        told().is_some_and(|told| fault.contains(&told))
    }

    fn buffer(
        &self,
        number: usize,
        scalar: Scalar,
        expected: &[u8],
        actual: &[u8],
    ) -> Result<(), String> {
        let mut wrong = 0;
        let mut first = None;
        let count = expected.len() / scalar.bytes();
        for index in 0..count {
            let range: Range<usize> = index * scalar.bytes()..(index + 1) * scalar.bytes();
            let (expected, actual) = (&expected[range.clone()], &actual[range]);
            if expected != actual
                && !self.close((number, index), scalar, bits(expected), bits(actual))
            {
                wrong += 1;
                first.get_or_insert_with(|| {
                    let (expected, actual) = (bits(expected), bits(actual));
                    format!(
                        "element {index} is {} instead of {}",
                        shown(scalar, actual),
                        shown(scalar, expected)
                    )
                });
            }
        }
        first.map_or(Ok(()), |first| {
            Err(format!("{wrong} of {count} elements differ: {first}"))
        })
    }

    fn close(
        &self,
        (number, index): (usize, usize),
        scalar: Scalar,
        expected: u64,
        actual: u64,
    ) -> bool {
        let ulps = self.allowed(number, index);
        is_close(scalar, [expected, actual], u64::from(ulps), self.tolerance)
    }
}

fn shown(scalar: Scalar, bits: u64) -> String {
    if scalar.is_float() {
        format!("{} ({bits:#x})", decode_float(scalar, bits))
    } else {
        format!("{bits:#x}")
    }
}

/// Returns the printed text, in the order of the blocks of the grid.
fn printed(outcome: &Outcome) -> String {
    let texts = outcome
        .effects
        .iter()
        .filter_map(|effect| match &effect.action {
            Action::Print { text } => Some(String::from_utf8_lossy(text)),
            _ => None,
        });
    texts.collect()
}

fn sorted<T: Ord>(parts: impl Iterator<Item = T>) -> Vec<T> {
    let mut parts: Vec<T> = parts.collect();
    parts.sort_unstable();
    parts
}
