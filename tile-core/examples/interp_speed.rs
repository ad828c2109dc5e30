//! Measures the speed of the interpreter: `cargo run --release --example interp_speed`.

#![allow(clippy::print_stdout, reason = "the output of the program")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;
use tile_core::interp::{Arg, Program, RunOptions};
use tile_core::types::Scalar;

fn tensor(data: &mut [u8], dims: &[u64]) -> Vec<Arg> {
    let mut args = vec![Arg::Pointer {
        ptr: data.as_mut_ptr(),
        bytes: data.len(),
    }];
    let strides: Vec<u64> = (1..=dims.len())
        .map(|axis| dims[axis..].iter().product())
        .collect();
    let numbers = dims.iter().chain(&strides);
    args.extend(numbers.map(|&bits| Arg::Scalar { bits }));
    args
}

fn time(mut f: impl FnMut()) -> f64 {
    f();
    let (start, mut runs) = (Instant::now(), 0_u32);
    while start.elapsed().as_secs_f64() < 0.5 {
        f();
        runs += 1;
    }
    start.elapsed().as_secs_f64() / f64::from(runs)
}

fn main() {
    let options = RunOptions {
        threads: Some(1),
        ..RunOptions::default()
    };
    for (scalar, tile) in [
        (Scalar::BF16, [64, 64, 64]),
        (Scalar::BF16, [128, 128, 64]),
        (Scalar::F32, [64, 64, 64]),
        (Scalar::F64, [64, 64, 64]),
    ] {
        let program = Program::new(&common::matmul(scalar, tile));
        let n = 512_u64;
        let out = if scalar == Scalar::F64 { 8 } else { 4 };
        let mut a = vec![0; 512 * 512 * scalar.bytes()];
        let mut b = a.clone();
        let mut c = vec![0; 512 * 512 * out];
        let args = [
            tensor(&mut a, &[n, n]),
            tensor(&mut b, &[n, n]),
            tensor(&mut c, &[n, n]),
        ]
        .concat();
        let blocks = |tile: i32| 512 / tile.unsigned_abs();
        let grid = [blocks(tile[0]), blocks(tile[1]), 1];
        // SAFETY: the buffers outlive the call; blocks are disjoint.
        let run = || unsafe { program.run_with("matmul", grid, &args, options) }.expect("it runs");
        let seconds = time(run);
        let rate = 2.0 * 512_f64.powi(3) / seconds / 1e9;
        println!("matmul 512^3 {scalar} tiles {tile:?}, 1 core: {rate:.1} GFLOP/s");
    }
    for (size, blocks) in [(128_u64, 1), (1 << 20, 1 << 10)] {
        let tile = i32::try_from(size / blocks).expect("small");
        let program = Program::new(&common::vector_add(Scalar::F32, tile));
        let bytes = usize::try_from(size).expect("small") * 4;
        let (mut x, mut y, mut z) = (vec![0; bytes], vec![0; bytes], vec![0; bytes]);
        let args = [
            tensor(&mut x, &[size]),
            tensor(&mut y, &[size]),
            tensor(&mut z, &[size]),
        ]
        .concat();
        let grid = [u32::try_from(blocks).expect("small"), 1, 1];
        // SAFETY: the buffers outlive the call; blocks are disjoint.
        let run = || unsafe { program.run("vector_add", grid, &args) }.expect("it runs");
        let seconds = time(run);
        println!(
            "vector_add of {size} in {blocks} blocks: {:.2} us",
            seconds * 1e6
        );
    }
    let program = Program::new(&common::softmax(1024));
    let bytes = 1024 * 1024 * 4;
    let (mut x, mut y) = (vec![0; bytes], vec![0; bytes]);
    let args = [tensor(&mut x, &[1024, 1024]), tensor(&mut y, &[1024, 1024])].concat();
    // SAFETY: the buffers outlive the call; blocks are disjoint.
    let run =
        || unsafe { program.run_with("softmax", [1024, 1, 1], &args, options) }.expect("it runs");
    let seconds = time(run);
    println!("softmax 1024x1024, 1 core: {:.2} ms", seconds * 1e3);
}
