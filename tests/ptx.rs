//! Tests of `ptx!`, inline PTX with typed operands. The result on the simulated GPU must equal that
//! of the body on the CPU device. Without a body, the CPU device refuses the launch.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::many_single_char_names,
    reason = "the numbers are small, and operands have the letters of the PTX ISA"
)]

use tile_kernel::prelude::*;
use tile_kernel::{Error, Result};

const N: usize = 1000;

/// Selects bytes of two words (`prmt`), and combines the bits of three words by a table (`lop3`).
#[tile_kernel(grid = y.tiles([256]))]
fn words(
    a: &Tensor<u32, 1>,
    b: &Tensor<u32, 1>,
    n: u32,
    y: &mut Tensor<u32, 1>,
    z: &mut Tensor<u32, 1>,
) {
    let i = block_id(0);
    let (s, t) = (a.load([i], [256]), b.load([i], [256]));
    let swapped = unsafe {
        ptx!(
            "prmt.b32 {d}, {a}, {b}, {c};",
            d = out(u32),
            a = in(s),
            b = in(t),
            c = in(0x5410_u32),
            options(pure),
            cpu = |a, b, _| (a & 0xffff) | (b << 16),
        )
    };
    let majority = unsafe {
        ptx!(
            "lop3.b32 {}, {}, {}, {}, 0xe8;",
            out(u32), in(s), in(t), in(n),
            options(pure),
            cpu = |a, b, c| (a & b) | (a & c) | (b & c),
        )
    };
    y.store([i], swapped);
    z.store([i], majority);
}

/// Contains PTX with two outputs, with a predicate, and for 64, 32 and 16 bits, on tiles of rank 2.
#[tile_kernel(grid = q.tiles([16, 16]))]
fn several(
    x: &Tensor<u64, 2>,
    h: &Tensor<f16, 2>,
    f: &Tensor<f32, 2>,
    q: &mut Tensor<u32, 2>,
    r: &mut Tensor<u32, 2>,
    g: &mut Tensor<f16, 2>,
    e: &mut Tensor<f32, 2>,
) {
    let (i, j) = (block_id(0), block_id(1));
    let (low, high) = unsafe {
        ptx!(
            "mov.b64 {{{low}, {high}}}, {x};",
            low = out(u32),
            high = out(u32),
            x = in(x.load([i, j], [16, 16])),
            options(pure),
            cpu = |x| (x.cast::<u32>(), (x >> 32).cast::<u32>()),
        )
    };
    let negated = unsafe {
        ptx!("neg.f16 {d}, {s};", d = out(f16), s = in(h.load([i, j], [16, 16])), cpu = |s| -s)
    };
    let limited = unsafe {
        ptx!(
            "{{ .reg .pred p;",
            "setp.gt.f32 p, {s}, 0f3F000000;",
            "selp.f32 {d}, 0f3F000000, {s}, p; }}",
            d = out(f32),
            s = in(f.load([i, j], [16, 16])),
            cpu = |s| select(s > 0.5, 0.5, s),
        )
    };
    q.store([i, j], low);
    r.store([i, j], high);
    g.store([i, j], negated);
    e.store([i, j], limited);
}

/// Contains PTX with scalar operands.
#[tile_kernel(grid = (1, 1, 1))]
fn numbers(n: u32, y: &mut Tensor<u32, 1>) {
    let last = unsafe {
        ptx!("bfind.u32 {d}, {a};", d = out(u32), a = in(n), cpu = |a| 31 - a.leading_zeros())
    };
    y.store([0], full([1], last));
}

/// Contains PTX that has no body for the CPU device.
#[tile_kernel(grid = y.tiles([64]))]
fn on_gpus_alone(y: &mut Tensor<u32, 1>) {
    let i = block_id(0);
    let ones = unsafe { ptx!("popc.b32 {d}, {a};", d = out(u32), a = in(iota::<u32>(64))) };
    y.store([i], ones);
}

/// Contains an instruction that ptxas assembles but the simulator does not support.
#[tile_kernel(grid = y.tiles([64]))]
fn unknown_to_the_simulator(texture: u64, y: &mut Tensor<u32, 1>) {
    let i = block_id(0);
    let order = unsafe {
        ptx!(
            "txq.channel_order.b32 {d}, [{t}];",
            d = out(u32), t = in(texture),
            cpu = |_| 7,
        )
    };
    y.store([i], full([64], order));
}

/// Checks that both devices return the same bytes.
fn both(run: impl Fn(&Device) -> Result<Vec<Vec<u8>>>) -> Result<()> {
    let [cpu, sim] = [Device::cpu(), Device::sim()].map(|device| run(&device));
    assert_eq!(cpu?, sim?);
    Ok(())
}

fn bytes<T: Copy>(values: &[T], to: impl Fn(T) -> Vec<u8>) -> Vec<u8> {
    values.iter().flat_map(|&value| to(value)).collect()
}

#[test]
fn text_on_tiles_is_its_body() -> Result<()> {
    let word =
        |index: usize, salt: u32| (index as u32).wrapping_mul(2_654_435_761).rotate_left(salt);
    let a: Vec<u32> = (0..N).map(|index| word(index, 3)).collect();
    let b: Vec<u32> = (0..N).map(|index| word(index, 17)).collect();
    both(|device| {
        let x = Tensor::from_slice(device, &a, [N])?;
        let w = Tensor::from_slice(device, &b, [N])?;
        let mut y = Tensor::zeros(device, [N])?;
        let mut z = Tensor::zeros(device, [N])?;
        words(&x, &w, 0x0ff0_1234, &mut y, &mut z).launch()?;
        let (y, z) = (y.to_vec()?, z.to_vec()?);
        for index in 0..N {
            assert_eq!(y[index], (a[index] & 0xffff) | (b[index] << 16));
        }
        Ok(vec![
            bytes(&y, |it| it.to_le_bytes().to_vec()),
            bytes(&z, |it| it.to_le_bytes().to_vec()),
        ])
    })
}

#[test]
fn text_has_several_outputs_of_every_width() -> Result<()> {
    let shape = [32, 48];
    let long: Vec<u64> = (0..32 * 48)
        .map(|index| (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    let float: Vec<f32> = (0..32 * 48)
        .map(|index| (index % 129) as f32 / 64.0 - 1.0)
        .collect();
    let half: Vec<f16> = float.iter().map(|&it| f16::from_f32(it)).collect();
    both(|device| {
        let x = Tensor::from_slice(device, &long, shape)?;
        let h = Tensor::from_slice(device, &half, shape)?;
        let f = Tensor::from_slice(device, &float, shape)?;
        let mut q = Tensor::zeros(device, shape)?;
        let mut r = Tensor::zeros(device, shape)?;
        let mut g = Tensor::zeros(device, shape)?;
        let mut e = Tensor::zeros(device, shape)?;
        several(&x, &h, &f, &mut q, &mut r, &mut g, &mut e).launch()?;
        let (q, r) = (q.to_vec()?, r.to_vec()?);
        for index in 0..long.len() {
            assert_eq!(u64::from(q[index]) | u64::from(r[index]) << 32, long[index]);
        }
        Ok(vec![
            bytes(&g.to_vec()?, |it: f16| it.to_le_bytes().to_vec()),
            bytes(&e.to_vec()?, |it: f32| it.to_le_bytes().to_vec()),
        ])
    })
}

#[test]
fn text_works_on_numbers() -> Result<()> {
    both(|device| {
        let mut y = Tensor::zeros(device, [1])?;
        numbers(0x1234, &mut y).launch()?;
        assert_eq!(y.to_vec()?, [12]);
        Ok(vec![bytes(&y.to_vec()?, |it: u32| {
            it.to_le_bytes().to_vec()
        })])
    })
}

#[test]
fn text_without_a_body_is_refused_on_the_cpu_device() -> Result<()> {
    let mut y = Tensor::zeros(&Device::sim(), [64])?;
    on_gpus_alone(&mut y).launch()?;
    let expected: Vec<u32> = (0..64_u32).map(u32::count_ones).collect();
    assert_eq!(y.to_vec()?, expected);
    let mut y = Tensor::zeros(&Device::cpu(), [64])?;
    let error = on_gpus_alone(&mut y)
        .launch()
        .expect_err("there is no body");
    assert!(
        matches!(
            error,
            Error::NotOnCpu {
                kernel: "on_gpus_alone",
                ..
            }
        ),
        "{error}"
    );
    let message = error.to_string();
    assert!(
        message.contains("tests/ptx.rs:") && message.contains("`cpu = |..| ..`"),
        "{message}"
    );
    Ok(())
}

#[test]
fn the_simulator_names_the_instruction_that_it_does_not_know() -> Result<()> {
    let mut y = Tensor::zeros(&Device::cpu(), [64])?;
    unknown_to_the_simulator(0, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [7; 64]);
    let mut y = Tensor::zeros(&Device::sim(), [64])?;
    let error = unknown_to_the_simulator(0, &mut y)
        .launch()
        .expect_err("`txq` has properties that the simulator does not know");
    let Error::NotOnSim {
        kernel: "unknown_to_the_simulator",
        ptx_line,
        instruction,
        reason,
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert!(
        instruction.starts_with("txq.channel_order.b32 %r"),
        "{error}"
    );
    assert!(
        reason.contains("texture instructions are not supported"),
        "{error}"
    );
    let message = error.to_string();
    assert!(
        *ptx_line > 0 && message.contains(&format!("line {ptx_line} of its PTX, `txq.")),
        "{message}"
    );
    assert!(
        message.contains("tests/ptx.rs:") && message.contains("`Device::cpu()`"),
        "{message}"
    );
    Ok(())
}
