//! Steps that many tests share: a module from its text, the contents of buffers, the options of a host, and
//! launches for several numbers of trips.

use std::ops::RangeInclusive;

use libtest_mimic::{Failed, Trial};
use tile_backend::internals::gpu::{BlockId, Kernel, OpKind};
use tile_backend::session::{Artifact, HostMaps, KernelOptions, ScheduleOptions};
use tile_core::ir::Module;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;
use tile_core::{Diagnostics, text};

use super::compare::Expected;
use super::input::{Input, Values};

/// All element types that memory holds; the last one has less than a byte.
pub(crate) const SCALARS: [Scalar; 14] = [
    Scalar::I1,
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
    Scalar::F16,
    Scalar::BF16,
    Scalar::F32,
    Scalar::TF32,
    Scalar::F64,
    Scalar::F8E4M3FN,
    Scalar::F8E5M2,
    Scalar::F8E8M0FNU,
    Scalar::F4E2M1FN,
];

/// Returns a test that cannot be exported; `trial` returns one that can.
pub(crate) fn local_trial(
    name: impl Into<String>,
    run: impl FnOnce() -> Result<(), String> + Send + 'static,
) -> Trial {
    Trial::test(name, move || run().map_err(Failed::from))
}

/// Parses the text of a module, which errors contain. `name` is the name of the file in diagnostics.
pub(crate) fn module(source: &str, name: &str) -> Result<Module, String> {
    let mut diagnostics = Diagnostics::new();
    text::parse(source, name, &mut diagnostics)
        .map_err(|_| format!("{:#?}\n{source}", diagnostics.take()))
}

/// Returns a buffer of `count` random integers of `range`, as elements of any type.
pub(crate) fn integers(
    random: &mut Random<'_>,
    scalar: Scalar,
    count: u64,
    range: RangeInclusive<i64>,
) -> Argument {
    multiples(random, scalar, count, range, 1.0)
}

/// Does the same as [`integers`], with floats that are `scale` times an integer.
pub(crate) fn multiples(
    random: &mut Random<'_>,
    scalar: Scalar,
    count: u64,
    range: RangeInclusive<i64>,
    scale: f64,
) -> Argument {
    let input = Input {
        scalar,
        count: usize::try_from(count).expect("a size of memory"),
        values: Values::Whole {
            first: *range.start(),
            count: u32::try_from(range.end() - range.start() + 1).expect("few"),
            scale,
        },
        // The elements are drawn from `random` instead.
        state: 0,
    };
    Argument::Buffer(input.drawn(random))
}

/// Returns a buffer of `bytes` bytes that no store writes, so that a missing store is noticed.
pub(crate) fn unset(bytes: u64) -> Argument {
    Argument::Buffer(vec![
        0xff;
        usize::try_from(bytes).expect("a size of memory")
    ])
}

/// Returns the options of a host that has this schedule, and passes these tensor maps.
pub(crate) fn options(schedule: ScheduleOptions, maps: HostMaps) -> KernelOptions {
    KernelOptions {
        schedule,
        maps,
        ..KernelOptions::default()
    }
}

/// Sets the number of trips, which is the last argument of a launch.
pub(crate) fn set_trips(runnable: &mut Runnable, trips: u64) {
    let last = runnable.args.last_mut();
    *last.expect("a launch has arguments") = Argument::Number(trips);
}

/// Runs compiled code for each number of trips; see [`set_trips`]. `seeds` returns how many seeds a number of
/// trips runs under. Returns the bank conflicts of a launch.
pub(crate) fn check_trips(
    artifact: &Artifact,
    runnable: &mut Runnable,
    tolerance: f64,
    trips: impl IntoIterator<Item = u64>,
    seeds: impl Fn(u64) -> u64,
) -> Result<u64, String> {
    let mut conflicts = 0;
    for trips in trips {
        set_trips(runnable, trips);
        let expected = Expected::new(runnable, tolerance);
        let ran = expected.check_under(artifact, runnable, seeds(trips));
        conflicts = conflicts.max(ran.map_err(|fault| format!("{trips} trips: {fault}"))?);
    }
    Ok(conflicts)
}

/// Returns the consumers' block of a persistent kernel that iterates over the work tiles.
pub(crate) fn work_tile_loop(kernel: &Kernel) -> Result<BlockId, String> {
    let mut ops = kernel.block(kernel.body()).ops.iter();
    ops.find(|&&id| matches!(kernel.op(id).kind, OpKind::For { .. }))
        .and_then(|&id| kernel.op(id).blocks.first().copied())
        .ok_or_else(|| "no loop iterates over the work tiles".to_owned())
}
