//! Tests the chosen number of warps.

use crate::options::{KernelOptions, ScheduleOptions};
use crate::stages::lower_for;
use crate::target::Arch;
use std::fmt::Write as _;
use tile_core::canonicalize::canonicalize;
use tile_core::verify::verify;
use tile_core::{Diagnostics, text};

/// Returns the chosen warps of a kernel with this body.
fn warps(body: &str, kernel_options: KernelOptions) -> u32 {
    let source = format!(
        "cuda_tile.module @m {{ entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {{ {body} return }} }}"
    );
    let mut diagnostics = Diagnostics::new();
    let kernels = text::parse(&source, "m.mlir", &mut diagnostics)
        .and_then(|module| verify(module, &mut diagnostics))
        .and_then(|module| {
            let module = canonicalize(module);
            lower_for(
                module.module(),
                Arch::SM_80,
                kernel_options,
                &mut diagnostics,
            )
        });
    let kernels = kernels.unwrap_or_else(|_| panic!("{source}\n{:#?}", diagnostics.take()));
    kernels[0].launch.num_warps
}

/// Returns a body that loads `loads` tiles of `elements` elements, then adds them up and stores the sum.
fn sum_of(loads: usize, elements: usize) -> String {
    let ty = format!("tile<{elements}xf32>");
    let view = format!("partition_view<tile=({elements}), tensor_view<?xf32, strides=[1]>>");
    let mut body = format!(
        "%a = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
         %v = make_partition_view %a : {view}
         %s0 = constant <f32: 1.0> : {ty}\n"
    );
    for i in 0..loads {
        let _ = writeln!(
            body,
            "%i{i} = constant <i32: {i}> : tile<i32>
             %x{i}, %t{i} = load_view_tko weak %v[%i{i}] : {view}, tile<i32> -> {ty}, token"
        );
    }
    // The tiles are added up in the order of their loads, so that all of them are live simultaneously.
    for i in 0..loads {
        let next = i + 1;
        let _ = writeln!(
            body,
            "%s{next} = addf %s{i}, %x{i} rounding<nearest_even> : {ty}"
        );
    }
    let _ = writeln!(
        body,
        "%u = store_view_tko weak %s{loads}, %v[%n] : {ty}, {view}, tile<i32> -> token"
    );
    body
}

#[test]
fn scalars_are_the_work_of_one_warp() {
    let body = "%a = muli %n, %n : tile<i32> %q = offset %p, %a : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
                %x = constant <f32: 1.0> : tile<f32>
                %t = store_ptr_tko weak %q, %x : tile<ptr<f32>>, tile<f32> -> token";
    assert_eq!(warps(body, KernelOptions::default()), 1);
}

#[test]
fn small_tiles_have_the_warps_that_they_have_vectors_for() {
    for (elements, expected) in [(32, 1), (128, 1), (256, 2), (512, 4), (1024, 4), (4096, 4)] {
        let actual = warps(&sum_of(1, elements), KernelOptions::default());
        assert_eq!(actual, expected, "{elements}");
    }
}

#[test]
fn tiles_that_are_alive_together_have_more_warps() {
    // Each tile takes 32 registers per thread in four warps; three of them leave half of the registers free.
    assert_eq!(warps(&sum_of(3, 4096), KernelOptions::default()), 4);
    assert_eq!(warps(&sum_of(5, 4096), KernelOptions::default()), 8);
    assert_eq!(warps(&sum_of(12, 4096), KernelOptions::default()), 16);
}

#[test]
fn blocks_beside_one_another_leave_fewer_registers() {
    let kernel_options = |occupancy| KernelOptions {
        schedule: ScheduleOptions {
            occupancy: Some(occupancy),
            ..ScheduleOptions::default()
        },
        ..KernelOptions::default()
    };
    // With 8 warps a thread has 128 registers of its own, or 64 if four blocks share them.
    assert_eq!(warps(&sum_of(5, 4096), kernel_options(1)), 8);
    assert_eq!(warps(&sum_of(5, 4096), kernel_options(4)), 4);
}

#[test]
fn who_asks_is_given_what_is_asked_for() {
    for asked in [1, 2, 32] {
        assert_eq!(warps(&sum_of(1, 1024), Some(asked).into()), asked);
    }
}
