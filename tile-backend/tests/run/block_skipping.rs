//! Tests block skipping in loops whose body is in an `if` on a multiple of the induction variable, which may
//! wrap.
//!
//! `block_skipping/N`: a kernel hashes the iterations that take place, in order. Bounds are arbitrary, and
//! small integers wrap several times.

use libtest_mimic::Trial;
use tile_backend::internals::gpu;
use tile_backend::target::Arch;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::compare::Expected;
use super::export;
use super::machine::compile;
use super::mutation::lowered;
use super::support;
use super::trial;

/// Number of kernels of a plain run.
const KERNELS: u64 = 64;

/// Number of launches of each kernel.
const LAUNCHES: u64 = 12;

/// Returns a kernel, with arguments for a launch.
fn runnable(seed: u64, launch: u64) -> Result<Runnable, String> {
    let mut random = Random::new(seed + 1);
    let scalar = [Scalar::I8, Scalar::I8, Scalar::I16, Scalar::I32][random.below(4)];
    let shift = [0, 1, 2, 4, 5, 6][random.below(6)];
    let factor = 1 << shift;
    let product = [
        format!("muli %j, %factor : tile<{scalar}>"),
        format!("muli %factor, %j : tile<{scalar}>"),
        format!("shli %j, %shift : tile<{scalar}>"),
    ];
    let product = &product[random.below(3)];
    let condition = [
        "less_than %product, %bound",
        "less_than_or_equal %product, %bound",
        "greater_than %bound, %product",
        "greater_than_or_equal %bound, %product",
    ][random.below(4)];
    let view = "partition_view<tile=(64), tensor_view<64xi32, strides=[1]>>";
    let source = format!(
        "cuda_tile.module @kernels {{
  entry @f(%out: tile<ptr<i32>>, %end: tile<{scalar}>, %bound: tile<{scalar}>) {{
    %v = make_tensor_view %out, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %p = make_partition_view %v : {view}
    %zero = constant <i32: 0> : tile<i32>
    %lower = constant <{scalar}: 0> : tile<{scalar}>
    %step = constant <{scalar}: 1> : tile<{scalar}>
    %factor = constant <{scalar}: {factor}> : tile<{scalar}>
    %shift = constant <{scalar}: {shift}> : tile<{scalar}>
    %three = constant <i32: 3> : tile<64xi32>
    %first = iota : tile<64xi32>
    %sum, %last = for %j in (%lower to %end, step %step) : tile<{scalar}> iter_values(%acc = %first, %at = %step) -> (tile<64xi32>, tile<{scalar}>) {{
      %product = {product}
      %holds = cmpi {condition}, signed : tile<{scalar}> -> tile<i1>
      %next, %here = if %holds -> (tile<64xi32>, tile<{scalar}>) {{
        %more = muli %acc, %three : tile<64xi32>
        %j1 = reshape %j : tile<{scalar}> -> tile<1x{scalar}>
        %js = broadcast %j1 : tile<1x{scalar}> -> tile<64x{scalar}>
        %wide = {}
        %added = addi %more, %wide : tile<64xi32>
        yield %added, %j : tile<64xi32>, tile<{scalar}>
      }} else {{
        yield %acc, %at : tile<64xi32>, tile<{scalar}>
      }}
      continue %next, %here : tile<64xi32>, tile<{scalar}>
    }}
    %l1 = reshape %last : tile<{scalar}> -> tile<1x{scalar}>
    %ls = broadcast %l1 : tile<1x{scalar}> -> tile<64x{scalar}>
    %lw = {}
    %result = xori %sum, %lw : tile<64xi32>
    %t = store_view_tko weak %result, %p[%zero] : tile<64xi32>, {view}, tile<i32> -> token
    return
  }}
}}
",
        widened("%js", scalar),
        widened("%ls", scalar),
    );
    let module = support::module(&source, "skips")?;
    let mut random = Random::new(1000 * seed + launch + 1);
    let bits = scalar.bits();
    // Small integers can count no more iterations; for other types, a few hundred suffice.
    let most = if bits == 8 { 128 } else { 300 };
    let end = random.below(most) as u64;
    let near = (random.below(8) as u64).wrapping_sub(4);
    let bound = match random.below(4) {
        0 => random.bits(),
        1 => ((1_u64 << (bits - 1)) - 1).wrapping_add(near),
        _ => end.wrapping_mul(factor).wrapping_add(near) >> random.below(3),
    };
    let bound = bound & (u64::MAX >> (64 - bits));
    let args = vec![
        Argument::Buffer(vec![0; 256]),
        Argument::Number(end),
        Argument::Number(bound),
    ];
    Ok(Runnable {
        module,
        grid: [1; 3],
        args,
    })
}

fn widened(value: &str, scalar: Scalar) -> String {
    if scalar == Scalar::I32 {
        format!("reshape {value} : tile<64xi32> -> tile<64xi32>")
    } else {
        format!("exti {value} signed : tile<64x{scalar}> -> tile<64xi32>")
    }
}

fn run(seed: u64) -> Result<(), String> {
    let kernel = lowered(&runnable(seed, 0)?.module, Arch::SM_80, Some(4))?;
    let text = gpu::to_text(&kernel);
    if text.contains(" = if ") {
        return Err(format!("there is an `if` in\n{text}"));
    }
    let artifact = compile(
        &runnable(seed, 0)?.module,
        export::arch(Arch::SM_80),
        Some(4),
    )?;
    for launch in 0..LAUNCHES {
        let runnable = runnable(seed, launch)?;
        Expected::new(&runnable, 0.0)
            .check_under(&artifact, &runnable, 1)
            .map_err(|what| format!("launch {launch}: {what}"))?;
    }
    Ok(())
}

pub(crate) fn trials() -> Vec<Trial> {
    let seed_trial = |seed| trial(format!("block_skipping/{seed}"), move || run(seed));
    (0..KERNELS).map(seed_trial).collect()
}
