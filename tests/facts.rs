//! Tests of the assumptions of launches, on the CPU device and the simulated GPU: facts that
//! kernels state, the variant that a launch takes, and the benefit of facts.

#![allow(
    clippy::cast_precision_loss,
    clippy::float_cmp,
    clippy::many_single_char_names,
    reason = "the numbers are small; tensors have their letters; guards keep their bits"
)]

use tile_kernel::prelude::*;
use tile_kernel::{Error, Result, sim};

#[tile_kernel(grid = y.tiles([16, 64]))]
fn twice(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([i, j], x.load([i, j], [16, 64]) * 2.0);
}

#[tile_kernel(grid = y.tiles([16, 64]))]
fn twice_whole(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    assume(x.dim(0) % 16 == 0 && x.dim(1) % 64 == 0);
    assume(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1));
    let (i, j) = (block_id(0), block_id(1));
    y.store([i, j], x.load([i, j], [16, 64]) * 2.0);
}

#[tile_kernel(grid = y.tiles([16, 64]))]
fn twice_columns(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    assume(x.stride(0) == 1);
    let (i, j) = (block_id(0), block_id(1));
    y.store([i, j], x.load([i, j], [16, 64]) * 2.0);
}

#[tile_kernel(grid = 4)]
unsafe fn twice_behind(p: *mut f32, n: i32) {
    let place = block_id(0) * 1024 + iota::<i32>(1024);
    let p = p.offset(place);
    p.store_masked(p.load_masked(place < n, 0.0) * 2.0, place < n);
}

#[tile_kernel(grid = 4)]
unsafe fn twice_behind_aligned(p: *mut f32, n: i32) {
    assume(n % 16 == 0 && n <= 4096);
    assume(p.addr() % 16 == 0);
    let place = block_id(0) * 1024 + iota::<i32>(1024);
    let p = p.offset(place);
    p.store_masked(p.load_masked(place < n, 0.0) * 2.0, place < n);
}

/// States facts about every kind of input, on which the result does not depend.
#[tile_kernel(grid = 1, instances((N = 8), (N = 32)))]
fn ones<const N: usize>(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 1>, n: i32, u: u64, flag: bool) {
    assume(y.dim(0) as usize % N == 0);
    assume(n * n < 100 && n >= -7 || flag);
    assume(u < 1 << 60 || u % 2 == 0);
    assume(x.as_ptr().addr() & 63 == 0);
    assume(x.stride(0) >= x.dim(1) as i64);
    y.store([0], full([N], 1.0));
}

#[tile_kernel]
fn fill(y: &mut Tensor<f32, 1>, n: i32) {
    assume(n % 4 == 0 && n > 0);
    for i in parallel(0..n) {
        y.store([i], full([16], 1.0));
    }
}

fn numbers(len: usize) -> Vec<f32> {
    (0..len)
        .map(|index| ((index * 37) % 129) as f32 / 64.0)
        .collect()
}

fn matrix(device: &Device, shape: [usize; 2]) -> Result<Tensor<f32, 2>> {
    Tensor::from_slice(device, &numbers(shape[0] * shape[1]), shape)
}

/// Returns a tensor that every variant accepts.
fn result(device: &Device, shape: [usize; 2]) -> Result<Tensor<f32, 2>> {
    let columns = shape[1].next_multiple_of(4);
    Tensor::zeros(device, [shape[0], columns])?.narrow(1, 0..shape[1])
}

/// Returns the variant of the last launch in the simulator.
fn variant() -> String {
    let report = sim::last_report().expect("a kernel ran");
    let (_, variant) = report.entry.rsplit_once("__").expect("of a variant");
    variant.to_owned()
}

/// Returns the numbers of warp instructions and load requests of the last launch in the simulator.
fn costs() -> (u64, u64) {
    let report = sim::last_report().expect("a kernel ran");
    let counters = report.counters().expect("it ended well");
    let instructions = counters.warp_instructions.iter().sum();
    (instructions, counters.global.loads.requests)
}

fn assert_twice(x: &Tensor<f32, 2>, y: &Tensor<f32, 2>) -> Result<()> {
    let expected: Vec<f32> = x.to_vec()?.iter().map(|x| x * 2.0).collect();
    assert_eq!(y.to_vec()?, expected);
    Ok(())
}

#[test]
fn a_launch_takes_fast_where_all_that_it_assumes_holds_and_is_right_either_way() -> Result<()> {
    type Make = fn(&Device) -> Result<Tensor<f32, 2>>;
    let cases: [(&str, Make, &str); 7] = [
        ("whole tiles", |d| matrix(d, [32, 128]), "fast"),
        ("tiles that are cut", |d| matrix(d, [33, 100]), "fast"),
        (
            "aligned columns of a wider one",
            |d| matrix(d, [32, 132])?.narrow(1, 4..132),
            "fast",
        ),
        ("one row of any length", |d| matrix(d, [1, 127]), "fast"),
        ("rows of no 16 bytes", |d| matrix(d, [32, 126]), "general"),
        (
            "a first element within 16 bytes",
            |d| matrix(d, [32, 132])?.narrow(1, 1..129),
            "general",
        ),
        ("columns", |d| Ok(matrix(d, [128, 32])?.t()), "general"),
    ];
    for (name, make, expected) in cases {
        for device in [Device::cpu(), Device::sim()] {
            let x = make(&device)?;
            let mut y = result(&device, x.shape())?;
            twice(&x, &mut y).launch()?;
            assert_twice(&x, &y)?;
        }
        assert_eq!(variant(), expected, "{name}");
    }
    // One tensor that is not aligned suffices for the `general` variant.
    let device = Device::sim();
    let x = matrix(&device, [32, 128])?;
    let mut y = Tensor::zeros(&device, [32, 129])?.narrow(1, 1..129)?;
    twice(&x, &mut y).launch()?;
    assert_twice(&x, &y)?;
    assert_eq!(variant(), "general");
    Ok(())
}

#[test]
fn tiles_that_are_stated_to_be_whole_take_fewer_instructions() -> Result<()> {
    let device = Device::sim();
    let x = matrix(&device, [32, 128])?;
    let mut y = result(&device, x.shape())?;
    twice(&x, &mut y).launch()?;
    let (tested, _) = costs();
    let mut y = result(&device, x.shape())?;
    twice_whole(&x, &mut y).launch()?;
    let (whole, _) = costs();
    assert_twice(&x, &y)?;
    assert!(whole < tested, "{whole} and {tested}");
    // The result is right in the `general` variant too.
    let x = matrix(&device, [32, 129])?.narrow(1, 1..129)?;
    let mut y = result(&device, x.shape())?;
    twice_whole(&x, &mut y).launch()?;
    assert_eq!(variant(), "general");
    assert_twice(&x, &y)
}

/// Doubles `x` in tiles that are twice as wide as those that the grid counts along the second axis.
#[tile_kernel(grid = [y.shape()[0].div_ceil(16), y.shape()[1].div_ceil(32)])]
fn twice_of_a_finer_grid(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([i, j], x.load([i, j], [16, 64]) * 2.0);
}

#[test]
fn the_grid_of_the_attribute_saves_the_tests_of_indices_and_another_has_them() -> Result<()> {
    let device = Device::sim();
    let x = matrix(&device, [32, 128])?;
    let mut y = result(&device, x.shape())?;
    twice_whole(&x, &mut y).launch()?;
    assert_eq!(variant(), "fast");
    let (own_costs, _) = costs();
    twice_whole(&x, &mut y).grid([2, 1]).launch()?;
    assert_eq!(variant(), "fast", "fewer blocks have tiles all the same");

    // Guards around the result show that blocks after the end store nothing.
    for device in [Device::sim(), Device::cpu()] {
        let x = matrix(&device, [32, 128])?;
        let around = Tensor::full(&device, [96, 128], -1.0_f32)?;
        let mut y = around.narrow(0, 32..64)?;
        twice_whole(&x, &mut y).grid([4, 3]).launch()?;
        assert_twice(&x, &y)?;
        let guards = around.to_vec()?;
        let (before, behind) = (&guards[..32 * 128], &guards[64 * 128..]);
        assert!(before.iter().chain(behind).all(|&guard| guard == -1.0));
        twice_of_a_finer_grid(&x, &mut y).launch()?;
        assert_twice(&x, &y)?;
        let guards = around.to_vec()?;
        let (before, behind) = (&guards[..32 * 128], &guards[64 * 128..]);
        assert!(before.iter().chain(behind).all(|&guard| guard == -1.0));
    }
    let device = Device::sim();
    let x = matrix(&device, [32, 128])?;
    let mut y = result(&device, x.shape())?;
    twice_whole(&x, &mut y).grid([2, 3]).launch()?;
    assert_eq!(variant(), "general");
    assert_twice(&x, &y)?;
    // A grid that counts narrower tiles implies no bounds for these tiles, so the code tests indices.
    twice_of_a_finer_grid(&x, &mut y).launch()?;
    assert_eq!(variant(), "fast");
    let (finer, _) = costs();
    assert!(own_costs < finer, "{own_costs} and {finer}");
    assert_twice(&x, &y)
}

#[test]
fn columns_are_read_in_vectors_where_the_kernel_states_them() -> Result<()> {
    for device in [Device::cpu(), Device::sim()] {
        let x = matrix(&device, [128, 32])?.t();
        let mut y = result(&device, x.shape())?;
        twice_columns(&x, &mut y).launch()?;
        assert_twice(&x, &y)?;
    }
    assert_eq!(variant(), "fast");
    let (_, vectors) = costs();
    let device = Device::sim();
    let x = matrix(&device, [128, 32])?.t();
    let mut y = result(&device, x.shape())?;
    twice(&x, &mut y).launch()?;
    assert_eq!(variant(), "general");
    let (_, elements) = costs();
    assert_eq!(elements, 4 * vectors);
    // The length of these columns in bytes is not a multiple of 16.
    let x = matrix(&device, [128, 30])?.t();
    let mut y = result(&device, x.shape())?;
    twice_columns(&x, &mut y).launch()?;
    assert_twice(&x, &y)?;
    assert_eq!(variant(), "general");
    Ok(())
}

#[test]
fn pointers_that_are_stated_to_be_aligned_are_read_in_vectors() -> Result<()> {
    let run = |aligned: bool| {
        for device in [Device::cpu(), Device::sim()] {
            let mut x = Tensor::from_slice(&device, &numbers(4096), [4096])?;
            let before = x.to_vec()?;
            let p = x.as_device_mut_ptr();
            // SAFETY: `x` has 4096 elements, and nothing else uses them.
            unsafe {
                if aligned {
                    twice_behind_aligned(p, 4000).launch()?;
                } else {
                    twice_behind(p, 4000).launch()?;
                }
            }
            let factor = |index| if index < 4000 { 2.0 } else { 1.0 };
            let expected: Vec<f32> = (0..)
                .zip(before)
                .map(|(index, x)| x * factor(index))
                .collect();
            assert_eq!(x.to_vec()?, expected);
        }
        Ok::<u64, Error>(costs().1)
    };
    // A request of a warp loads 4 elements per lane if the pointer is aligned, and otherwise 1.
    assert_eq!(run(true)?, 4000_u64.div_ceil(128));
    assert_eq!(run(false)?, 4000_u64.div_ceil(32));
    Ok(())
}

#[test]
fn a_fact_that_does_not_hold_is_refused_before_anything_runs() -> Result<()> {
    for device in [Device::cpu(), Device::sim()] {
        let x = matrix(&device, [32, 100])?;
        let mut y = result(&device, x.shape())?;
        let error = twice_whole(&x, &mut y).launch().expect_err("100 columns");
        assert_eq!(
            error,
            Error::BrokenFact {
                kernel: "twice_whole",
                fact: "x.dim(0) % 16 == 0 && x.dim(1) % 64 == 0",
                values: vec![("x.dim(0)".to_owned(), 32), ("x.dim(1)".to_owned(), 100)],
            }
        );
        assert_eq!(
            error.to_string(),
            "kernel `twice_whole` assumes `x.dim(0) % 16 == 0 && x.dim(1) % 64 == 0`, but `x.dim(0)` is 32 and \
             `x.dim(1)` is 100: pass what it assumes, or remove this `assume` from `twice_whole`"
        );
        assert!(y.to_vec()?.iter().all(|&y| y == 0.0));

        let mut z = Tensor::from_slice(&device, &numbers(4096), [4096])?.narrow(0, 1..4096)?;
        let before = z.to_vec()?;
        let p = z.as_device_mut_ptr();
        // SAFETY: `z` has 4095 elements, and nothing else uses them.
        let error = unsafe { twice_behind_aligned(p.clone(), 4000) }.launch();
        let error = error.expect_err("it is not aligned").to_string();
        assert!(
            error.contains("`p.addr() % 16 == 0`, but `p.addr()` is 0x"),
            "{error}"
        );
        // SAFETY: as above.
        let error = unsafe { twice_behind_aligned(p, 5000) }.launch();
        let error = error.expect_err("too many").to_string();
        assert!(error.contains("but `n` is 5000: "), "{error}");
        assert_eq!(z.to_vec()?, before);
    }
    Ok(())
}

#[test]
fn every_kind_of_input_is_checked() -> Result<()> {
    for device in [Device::cpu(), Device::sim()] {
        let x = matrix(&device, [4, 16])?;
        let run = |x: &Tensor<f32, 2>, len: usize, n: i32, u: u64, flag: bool| {
            let mut y = Tensor::zeros(&device, [len])?;
            ones::<8>(x, &mut y, n, u, flag).launch()?;
            y.to_vec().map(|y| y.iter().sum::<f32>())
        };
        let broken = |outcome: Result<f32>| match outcome {
            Err(Error::BrokenFact { fact, .. }) => fact,
            other => panic!("{other:?}"),
        };
        let eight = |sum: f32| sum.to_bits() == 8.0_f32.to_bits();
        assert!(eight(run(&x, 24, -7, 5, false)?));
        assert!(eight(run(&x, 24, 1000, 5, true)?));
        assert_eq!(
            broken(run(&x, 20, 1, 5, false)),
            "y.dim(0) as usize % N == 0"
        );
        assert_eq!(
            broken(run(&x, 24, -8, 5, false)),
            "n * n < 100 && n >= -7 || flag"
        );
        // `u64::MAX` is compared as an unsigned number.
        assert_eq!(
            broken(run(&x, 24, 1, u64::MAX, false)),
            "u < 1 << 60 || u % 2 == 0"
        );
        let part = x.narrow(1, 4..8)?;
        assert_eq!(
            broken(run(&part, 24, 1, 5, false)),
            "x.as_ptr().addr() & 63 == 0"
        );
        assert_eq!(
            broken(run(&x.t(), 24, 1, 5, false)),
            "x.stride(0) >= x.dim(1) as i64"
        );
        // Another instance has another fact, with `N = 32`.
        let mut y = Tensor::zeros(&device, [24])?;
        let outcome = ones::<32>(&x, &mut y, 1, 5, false).launch();
        assert_eq!(broken(outcome.map(|()| 0.0)), "y.dim(0) as usize % N == 0");
    }
    Ok(())
}

/// Stores the strides of `x` as the kernel reads them.
#[tile_kernel(grid = 1)]
fn strides(x: &Tensor<f32, 2>, y: &mut Tensor<i64, 1>) {
    y.store([0], cat(full([1], x.stride(0)), full([1], x.stride(1)), 0));
}

#[tile_kernel(grid = 1)]
fn alike(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    assume(x.stride(0) == y.stride(0));
    y.store([0, 0], x.load([0, 0], [4, 64]) + y.load([0, 0], [4, 64]));
}

#[test]
fn strides_of_axes_with_one_element_are_those_that_were_given() -> Result<()> {
    for device in [Device::cpu(), Device::sim()] {
        for (shape, columns) in [([4, 8], 1), ([5, 7], 1), ([1, 9], 7), ([1, 8], 8)] {
            let x = matrix(&device, shape)?.narrow(1, 0..columns)?;
            let mut y = Tensor::zeros(&device, [2])?;
            strides(&x, &mut y).launch()?;
            let stride = i64::try_from(shape[1]).expect("small");
            assert_eq!(y.to_vec()?, [stride, 1], "{shape:?}");
        }
        // The stride of `x`, which has only one row, still equals that of `y`.
        let x = matrix(&device, [1, 64])?;
        let mut y = matrix(&device, [4, 64])?;
        let mut expected = y.to_vec()?;
        for (sum, x) in expected.iter_mut().zip(x.to_vec()?) {
            *sum += x;
        }
        alike(&x, &mut y).launch()?;
        assert_eq!(y.to_vec()?, expected);
    }
    assert_eq!(variant(), "fast");
    Ok(())
}

#[test]
fn a_parallel_loop_up_to_what_a_fact_is_about_has_a_block_per_iteration() -> Result<()> {
    let mut y = Tensor::zeros(&Device::sim(), [128])?;
    fill(&mut y, 8).launch()?;
    assert_eq!(y.to_vec()?, [1.0; 128]);
    assert_eq!(sim::last_report().expect("it ran").grid, [8, 1, 1]);
    Ok(())
}
