//! Differential tests with random programs, which must return the same bits whether rustc compiles
//! them or they run as kernels.
//!
//! `TILE_DIFFERENTIAL=5000 cargo test --release -p tile-frontend --lib random_programs` runs that
//! many programs with the random seed `TILE_DIFFERENTIAL_SEED`. A program that differs is printed
//! after [`shrink`] has reduced it.
//!
//! Some of the programs are also compiled to PTX and run in the simulator; `TILE_DIFFERENTIAL_GPU`
//! is their number.

mod device;
mod generate;
mod kernel;
mod rustc;
mod shrink;

use generate::choices::Choices;
use generate::ty::Scalar;
use generate::{CONSTRUCTS, Sample, sample};
use rustc::Outcome;
use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;

/// The number of programs in one file.
const BATCH: usize = 250;
/// The number of runs of each program.
const ROWS: usize = 20;
/// The number of runs of each program in the simulator.
const DEVICE_ROWS: usize = 6;

/// Returns the arguments of a program, row by row.
fn inputs(sample: &Sample, seed: u64) -> Vec<Vec<u64>> {
    let mut choices = Choices::random(seed);
    (0..ROWS)
        .map(|_| {
            sample
                .params
                .iter()
                .map(|(_, scalar)| scalar.input(&mut choices))
                .collect()
        })
        .collect()
}

/// Returns `true` if two outcomes are equal except for the payload of a NaN, which Rust does not
/// specify.
fn same(sample: &Sample, lhs: Outcome, rhs: Outcome) -> bool {
    let is_nan = |bits: u64| match sample.result {
        Scalar::F32 => f32::from_bits((bits & 0xffff_ffff).try_into().expect("32 bits")).is_nan(),
        Scalar::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    };
    lhs[1] == rhs[1] && (lhs[0] == rhs[0] || is_nan(lhs[0]) && is_nan(rhs[0]))
}

/// Returns the difference between a program and its kernel, or `None` if they agree.
fn difference(sample: &Sample, inputs: &[Vec<u64>], expected: &[Outcome]) -> Option<String> {
    let kernel = match kernel::kernel(sample) {
        Ok(kernel) => kernel,
        Err(text) => return Some(format!("the front end refuses it:\n{text}")),
    };
    for (row, &expected) in inputs.iter().zip(expected) {
        for (way, actual) in ["as built", "as compiled"]
            .into_iter()
            .zip(kernel.run(sample, row))
        {
            if !actual
                .as_ref()
                .is_ok_and(|&actual| same(sample, actual, expected))
            {
                let names: Vec<String> = sample
                    .params
                    .iter()
                    .zip(row)
                    .map(|((name, scalar), bits)| format!("{name} = {bits:#x} ({})", scalar.name()))
                    .collect();
                return Some(format!(
                    "with {}: rustc gives {expected:x?}, the kernel {way} {actual:x?}",
                    names.join(", ")
                ));
            }
        }
    }
    None
}

/// Returns the difference between a program and its kernel on a GPU, or `None` if they agree.
fn device_difference(sample: &Sample, inputs: &[Vec<u64>], expected: &[Outcome]) -> Option<String> {
    let device = kernel::kernel(sample).and_then(|kernel| kernel.device());
    let device = match device {
        Ok(device) => device,
        Err(text) => return Some(format!("there is no PTX:\n{text}")),
    };
    let rows = inputs.iter().zip(expected).take(DEVICE_ROWS);
    rows.into_iter().find_map(|(row, &expected)| {
        let actual = device.run(sample, row);
        let is_same = actual
            .as_ref()
            .is_ok_and(|&actual| same(sample, actual, expected));
        (!is_same)
            .then(|| format!("with {row:#x?}: rustc gives {expected:x?}, the PTX {actual:x?}"))
    })
}

#[test]
fn random_programs_mean_the_same_on_a_gpu() {
    let wanted =
        usize::try_from(setting("TILE_DIFFERENTIAL_GPU", 40)).expect("a number of programs");
    let seed = setting("TILE_DIFFERENTIAL_SEED", 1);
    let mut failures = Vec::new();
    for start in (0..wanted).step_by(BATCH) {
        let samples: Vec<Sample> = (start..wanted.min(start + BATCH))
            .map(|index| sample(Choices::random(seed << 32 | index as u64)))
            .collect();
        let rows: Vec<Vec<Vec<u64>>> = samples.iter().map(|sample| inputs(sample, seed)).collect();
        let expected = rustc::compile(&samples, &format!("device{start}")).run(&samples, &rows);
        for ((sample, rows), expected) in samples.iter().zip(&rows).zip(&expected) {
            if let Some(why) = device_difference(sample, rows, expected) {
                failures.push(format!("{why}\nfn k{}", sample.text));
            }
        }
    }
    let shown: Vec<&String> = failures.iter().take(4).collect();
    let count = failures.len();
    assert!(
        failures.is_empty(),
        "{count} of {wanted} programs differ: {shown:#?}"
    );
}

/// Returns the differences in a list of programs, by index.
fn differences(samples: &[Sample], name: &str, seed: u64) -> Vec<(usize, String)> {
    let rows: Vec<Vec<Vec<u64>>> = samples.iter().map(|sample| inputs(sample, seed)).collect();
    let compilation = rustc::compile(samples, name);
    let expected = compilation.run(samples, &rows);
    samples
        .iter()
        .zip(rows.iter().zip(&expected))
        .enumerate()
        .filter_map(|(index, (sample, (rows, expected)))| {
            Some((index, difference(sample, rows, expected)?))
        })
        .collect()
}

fn setting(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("`{name}` is a number"))
    })
}

#[test]
fn random_programs_mean_what_rustc_says() {
    let wanted = usize::try_from(setting("TILE_DIFFERENTIAL", 300)).expect("a number of programs");
    let seed = setting("TILE_DIFFERENTIAL_SEED", 1);
    let mut uses: BTreeMap<&str, [usize; 2]> =
        CONSTRUCTS.iter().map(|&name| (name, [0; 2])).collect();
    let mut lines = 0;
    let mut failures = Vec::new();
    let mut count = 0;
    while count < wanted {
        let batch: Vec<Sample> = (count..wanted.min(count + BATCH))
            .map(|index| sample(Choices::random(seed << 32 | index as u64)))
            .collect();
        for sample in &batch {
            lines += sample.text.lines().count();
            for (name, &times) in &sample.uses {
                let [programs, total] = uses.get_mut(name).expect("`cover` looked");
                *programs += 1;
                *total += times;
            }
        }
        for (index, text) in differences(&batch, &format!("batch{count}"), seed) {
            failures.push((batch[index].choices.clone(), text));
        }
        count += batch.len();
        // These are enough failures to look at; each is likely to have a different cause.
        if failures.len() >= 20 {
            break;
        }
    }
    let mut report = format!("{count} programs of {lines} lines, {ROWS} inputs each\n");
    for (name, [programs, total]) in &uses {
        let _ = writeln!(report, "{programs:6} programs {total:7} times  {name}");
    }
    show(&report);
    assert!(failures.is_empty(), "{}", described(&failures, seed));
    let missing: Vec<&str> = uses
        .iter()
        .filter(|(_, [programs, _])| *programs == 0)
        .map(|(name, _)| *name)
        .collect();
    assert!(missing.is_empty(), "no program has: {}", missing.join(", "));
}

#[expect(
    clippy::print_stdout,
    reason = "the coverage is what a reader of the test wants to see"
)]
fn show(report: &str) {
    println!("{report}");
}

/// Describes the first failure of each kind in full.
fn described(failures: &[(Vec<u32>, String)], seed: u64) -> String {
    let mut text = format!("{} programs differ\n", failures.len());
    let mut kinds: Vec<String> = Vec::new();
    for (choices, why) in failures {
        let kind = shrink::kind(why);
        if kinds.contains(&kind) || kinds.len() == 4 {
            continue;
        }
        let (sample, why) = shrink::shrink(choices.clone(), why.clone(), seed);
        let _ = writeln!(text, "---- {why}\nfn k{}", sample.text);
        kinds.push(kind);
    }
    text
}
