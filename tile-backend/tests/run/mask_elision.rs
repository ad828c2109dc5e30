//! Tests mask elision: selections by comparisons of affine tiles that may wrap, in loops.
//!
//! `masks/N`: a kernel adds up the results of selections, iteration by iteration. Bases are numbers near the
//! ends of their types, near each other or arbitrary, and wrap. The branch that elides a mask must be present
//! in most kernels.

use std::fmt::Write as _;

use libtest_mimic::Trial;
use tile_backend::internals::{gpu, lower_for};
use tile_backend::target::Arch;
use tile_core::Diagnostics;
use tile_core::canonicalize::canonicalize;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::compare::Expected;
use super::machine::{compile, verified};
use super::support::{self, local_trial};
use super::trial;

/// Number of kernels of a plain run.
const KERNELS: u64 = 48;

/// Trip count of a kernel's loop.
const TRIPS: u64 = 24;

const ROWS: u64 = 32;
const COLUMNS: u64 = 64;

/// Draws a number near an end of a type, a random number, or a small number.
fn base(random: &mut Random<'_>, scalar: Scalar) -> u64 {
    let mask = u64::MAX >> (64 - scalar.bits());
    let near = random.below(160) as u64;
    let number = match random.below(5) {
        0 => near.wrapping_sub(80),
        1 => (1_u64 << (scalar.bits() - 1)).wrapping_sub(near),
        2 => (1 << (scalar.bits() - 1)) + near,
        3 => random.bits(),
        _ => near,
    };
    number & mask
}

/// Returns a kernel, with the initial values and steps of its bases.
fn runnable(seed: u64) -> Result<Runnable, String> {
    let mut random = Random::new(seed + 1);
    let mut pick = |count: usize| random.below(count);
    let scalar = [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64]
        [usize::try_from(seed % 4).expect("small")];
    let predicates = [
        "less_than",
        "less_than_or_equal",
        "greater_than",
        "greater_than_or_equal",
    ];
    let mut body = String::new();
    let tile = |of: &str| format!("tile<{ROWS}x{COLUMNS}x{of}>");
    let mut sides = Vec::new();
    for side in 0..4 {
        // The tile is `base + factor * coordinate`, in the type or in a type of half its width.
        let is_narrow = scalar != Scalar::I8 && pick(4) == 0;
        let narrow = if !is_narrow {
            scalar
        } else if scalar == Scalar::I64 {
            Scalar::I32
        } else {
            Scalar::I8
        };
        let factor = [0, 1, 1, 3, -1, -2][pick(6)];
        let axis = pick(2);
        let (size, shape) = [
            (ROWS, format!("{ROWS}x1")),
            (COLUMNS, format!("1x{COLUMNS}")),
        ][axis]
            .clone();
        let op = ["addi", "subi"][pick(2)];
        let base = format!("%b{side}");
        let narrowed = if is_narrow {
            let _ = writeln!(
                body,
                "      %n{side} = trunci {base} : tile<{scalar}> -> tile<{narrow}>"
            );
            format!("%n{side}")
        } else {
            base
        };
        let _ = write!(
            body,
            "      %i{side} = iota : tile<{size}x{narrow}>
      %f{side} = constant <{narrow}: {factor}> : tile<{size}x{narrow}>
      %m{side} = muli %i{side}, %f{side} : tile<{size}x{narrow}>
      %r{side} = reshape %m{side} : tile<{size}x{narrow}> -> tile<{shape}x{narrow}>
      %c{side} = broadcast %r{side} : tile<{shape}x{narrow}> -> {of_own}
      %o{side} = reshape {narrowed} : tile<{narrow}> -> tile<1x1x{narrow}>
      %p{side} = broadcast %o{side} : tile<1x1x{narrow}> -> {of_own}
      %s{side} = {op} %p{side}, %c{side} : {of_own}
",
            of_own = tile(&narrow.to_string()),
        );
        let sum = if is_narrow {
            let sign = ["signed", "unsigned"][pick(2)];
            let _ = writeln!(
                body,
                "      %e{side} = exti %s{side} {sign} : {} -> {}",
                tile(&narrow.to_string()),
                tile(&scalar.to_string())
            );
            format!("%e{side}")
        } else {
            format!("%s{side}")
        };
        sides.push(sum);
    }
    let of = tile(&scalar.to_string());
    let truth = tile("i1");
    for (index, pair) in sides.chunks(2).enumerate() {
        let predicate = predicates[pick(4)];
        let sign = ["signed", "unsigned"][pick(2)];
        let _ = writeln!(
            body,
            "      %t{index} = cmpi {predicate} {}, {}, {sign} : {of} -> {truth}",
            pair[0], pair[1]
        );
    }
    let mask = match pick(4) {
        0 => format!("andi %t0, %t1 : {truth}"),
        1 => format!("ori %t0, %t1 : {truth}"),
        2 => format!("xori %t0, %all : {truth}"),
        _ => format!("reshape %t0 : {truth} -> {truth}"),
    };
    let arms = ["%data, %hidden", "%hidden, %data", "%data, %other"][pick(3)];
    let numbers = tile("i32");
    let mut steps = String::new();
    let mut next = String::new();
    for side in 0..4 {
        let _ = writeln!(
            steps,
            "      %n_b{side} = addi %b{side}, %d{side} : tile<{scalar}>"
        );
        let _ = write!(next, ", %n_b{side}");
    }
    let carried: String = (0..4).fold(String::new(), |text, side| {
        text + &format!(", %b{side} = %a{side}")
    });
    let types = format!("{numbers}{}", format!(", tile<{scalar}>").repeat(4));
    let results: String = (0..4).fold(String::new(), |text, side| text + &format!(", %z{side}"));
    let params: String = (0..4).fold(String::new(), |text, side| {
        text + &format!(", %a{side}: tile<{scalar}>, %d{side}: tile<{scalar}>")
    });
    let view = format!(
        "partition_view<tile=({ROWS}x{COLUMNS}), tensor_view<{ROWS}x{COLUMNS}xi32, strides=[{COLUMNS},1]>>"
    );
    let source = format!(
        "cuda_tile.module @kernels {{
  entry @f(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>{params}) {{
    %v0 = make_tensor_view %in, shape = [{ROWS}, {COLUMNS}], strides = [{COLUMNS}, 1] : tensor_view<{ROWS}x{COLUMNS}xi32, strides=[{COLUMNS},1]>
    %v1 = make_tensor_view %out, shape = [{ROWS}, {COLUMNS}], strides = [{COLUMNS}, 1] : tensor_view<{ROWS}x{COLUMNS}xi32, strides=[{COLUMNS},1]>
    %p = make_partition_view %v0 : {view}
    %q = make_partition_view %v1 : {view}
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %trips = constant <i32: {TRIPS}> : tile<i32>
    %data, %t = load_view_tko weak %p[%zero, %zero] : {view}, tile<i32> -> {numbers}, token
    %other = addi %data, %data : {numbers}
    %hidden = constant <i32: -7> : {numbers}
    %five = constant <i32: 5> : {numbers}
    %all = constant <i1: true> : {truth}
    %none = constant <i32: 0> : {numbers}
    %sum{results} = for %j in (%zero to %trips, step %one) : tile<i32> iter_values(%acc = %none{carried}) -> ({types}) {{
{body}      %mask = {mask}
      %kept = select %mask, {arms} : {truth}, {numbers}
      %more = muli %acc, %five : {numbers}
      %next = addi %more, %kept : {numbers}
{steps}      continue %next{next} : {types}
    }}
    %u = store_view_tko weak %sum, %q[%zero, %zero] : {numbers}, {view}, tile<i32> -> token
    return
  }}
}}
"
    );
    let module = support::module(&source, "masks")?;
    let count = u32::try_from(ROWS * COLUMNS).expect("few");
    let mut args = vec![
        Argument::Buffer((0..count).flat_map(u32::to_le_bytes).collect()),
        Argument::Buffer(vec![0; 4 * count as usize]),
    ];
    for _ in 0..4 {
        args.push(Argument::Number(base(&mut random, scalar)));
        let step = [0, 1, 5, 31][random.below(4)];
        args.push(Argument::Number(step));
    }
    Ok(Runnable {
        module,
        grid: [1; 3],
        args,
    })
}

fn run(seed: u64, arch: Arch) -> Result<(), String> {
    let runnable = runnable(seed)?;
    let artifact = compile(&runnable.module, arch, Some(4))?;
    Expected::new(&runnable, 0.0).check(&artifact, &runnable)?;
    Ok(())
}

/// Checks that most kernels have a branch around their selection.
fn most_are_left_out() -> Result<(), String> {
    let mut branches = 0;
    for seed in 0..KERNELS {
        let mut diagnostics = Diagnostics::new();
        let canonical = canonicalize(verified(&runnable(seed)?.module)?);
        let kernels = lower_for(canonical.module(), Arch::SM_80, Some(4), &mut diagnostics);
        drop(diagnostics.take());
        let kernels = kernels.map_err(|_| "it is not compiled".to_owned())?;
        let text = gpu::to_text(&kernels[0]);
        branches += u64::from(text.contains(" = if "));
    }
    // Some kernels need no branch: factors of 0 leave little to compare, and some narrow factors never fit.
    if branches * 4 < KERNELS * 3 {
        return Err(format!("{branches} of {KERNELS} kernels have a branch"));
    }
    Ok(())
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for seed in 0..KERNELS {
        for arch in [Arch::SM_80, Arch::SM_90A] {
            trials.push(trial(format!("masks/{seed}::{arch}"), move || {
                run(seed, arch)
            }));
        }
    }
    trials.push(local_trial("masks/most_are_left_out", most_are_left_out));
    trials
}
