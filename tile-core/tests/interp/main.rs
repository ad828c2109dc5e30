//! Runs kernels in the interpreter and compares them with plain loops.

#![allow(
    clippy::many_single_char_names,
    clippy::float_cmp,
    clippy::cast_precision_loss,
    clippy::cloned_ref_to_slice_refs,
    clippy::type_complexity,
    clippy::needless_range_loop,
    clippy::precedence,
    clippy::semicolon_if_nothing_returned,
    reason = "models are plain loops that compare bit for bit"
)]

mod atomics;
#[path = "../common/mod.rs"]
mod common;
mod control_flow;
mod faults;
mod faulty;
mod kernels;
mod loops;
mod memory;
mod order;
mod pointers;
mod print;
mod reduction;
mod trace;
mod undefined;
mod vectors;
mod views;

use common::{LOC, block_ids, partition, store, tensor_params};
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::interp::{Arg, Program, RunOptions};
use tile_core::ops::ControlFlowOp;
use tile_core::types::Scalar;

/// A tensor of a test: its data, and its extents and strides in elements.
struct Tensor<T> {
    data: Vec<T>,
    shape: Vec<usize>,
    strides: Vec<usize>,
}

impl<T: Copy> Tensor<T> {
    fn new(shape: &[usize], data: Vec<T>) -> Self {
        assert_eq!(shape.iter().product::<usize>(), data.len());
        let mut strides = vec![1; shape.len()];
        for axis in (1..shape.len()).rev() {
            strides[axis - 1] = strides[axis] * shape[axis];
        }
        Self {
            data,
            shape: shape.to_vec(),
            strides,
        }
    }

    fn args(&mut self) -> Vec<Arg> {
        let mut args = vec![Arg::Pointer {
            ptr: self.data.as_mut_ptr().cast(),
            bytes: size_of_val(self.data.as_slice()),
        }];
        let numbers = self.shape.iter().chain(&self.strides);
        args.extend(numbers.map(|&number| Arg::Scalar {
            bits: number as u64,
        }));
        args
    }
}

fn run(program: &Program, entry: &str, grid: [u32; 3], args: &[Arg]) -> Result<(), String> {
    // SAFETY: the buffers of the tests live until the end of the call, and no two blocks of the
    // kernels store to the same address.
    unsafe { program.run(entry, grid, args) }.map_err(|fault| fault.to_string())
}

/// Returns numbers between -1 and 1.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        })
        .collect()
}

fn blocks(extent: usize, tile: usize) -> u32 {
    u32::try_from(extent.div_ceil(tile)).expect("small")
}

/// Makes an entry each of whose blocks computes one element of `out`, a tensor of i32.
fn one_per_block(
    f: impl FnOnce(&mut Builder<'_>, tile_core::ir::ValueId) -> tile_core::ir::ValueId,
) -> Program {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    let (_, args) = b.entry("k", &tensor_params(Scalar::I32, 1), LOC);
    let [i, _, _] = block_ids(&mut b);
    let out = partition(&mut b, Scalar::I32, &args, &[1], None);
    let value = f(&mut b, i);
    let value = b.reshape(value, &[1], LOC);
    store(&mut b, value, out, &[i], LOC);
    b.terminate(ControlFlowOp::Return, &[], LOC);
    Program::new(&module)
}

fn run_per_block(program: &Program, count: usize) -> Result<Vec<i32>, String> {
    let mut out = Tensor::new(&[count], vec![-1_i32; count]);
    let args = out.args();
    run(
        program,
        "k",
        [u32::try_from(count).expect("small"), 1, 1],
        &args,
    )?;
    Ok(out.data)
}

/// Parses and verifies a module.
fn parsed(source: &str) -> Program {
    let mut diagnostics = tile_core::Diagnostics::new();
    let module = tile_core::text::parse(source, "k", &mut diagnostics);
    let module = module.and_then(|module| tile_core::verify::verify(module, &mut diagnostics));
    let faults = diagnostics.take();
    let module = module.unwrap_or_else(|_| panic!("{faults:?}"));
    Program::new(&module)
}

/// Runs `k` on one buffer.
fn run_on<T>(
    program: &Program,
    grid: u32,
    data: &mut [T],
    options: RunOptions<'_>,
) -> Result<(), String> {
    let arg = Arg::Pointer {
        ptr: data.as_mut_ptr().cast(),
        bytes: size_of_val(data),
    };
    // SAFETY: the buffer lives until the end of the call.
    let done = unsafe { program.run_with("k", [grid, 1, 1], &[arg], options) };
    done.map_err(|fault| fault.to_string())
}
