//! Tests of memory accesses through the facade on the CPU device, compared with plain Rust.

use tile_kernel::prelude::*;
use tile_kernel::{DevicePtr, Error, Result};

/// Computes `y[i] = x[place[i]]`, or 0 if the index is out of bounds.
#[tile_kernel(grid = y.tiles([64]), arch("cpu"))]
fn pick(x: &Tensor<f32, 1>, place: &Tensor<i32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], x.gather([place.load([i], [64])]));
}

#[test]
fn elements_are_gathered_by_index() -> Result<()> {
    let device = Device::cpu();
    let x: Vec<f32> = (0_u8..200).map(f32::from).collect();
    let place: Vec<i32> = (0..130).map(|i| (i * 37) % 250 - 20).collect();
    let expected: Vec<f32> = place
        .iter()
        .map(|&index| {
            usize::try_from(index)
                .ok()
                .and_then(|index| x.get(index))
                .copied()
                .unwrap_or(0.0)
        })
        .collect();
    let x = Tensor::from_slice(&device, &x, [200])?;
    let place = Tensor::from_slice(&device, &place, [130])?;
    let mut y = Tensor::zeros(&device, [130])?;
    pick(&x, &place, &mut y).launch()?;
    assert_eq!(y.to_vec()?, expected);
    Ok(())
}

/// Counts the occurrences of each number below 16.
#[tile_kernel(grid = x.tiles([32]), arch("cpu"))]
fn histogram(x: &Tensor<u8, 1>, counts: &mut Tensor<u32, 1>) {
    let i = block_id(0);
    let exists = i * 32 + iota::<i32>(32) < x.dim(0);
    let bin = x.load([i], [32]).cast::<i32>();
    counts.atomic_add([select(exists, bin, -1)], 1);
}

#[test]
fn a_histogram_counts_with_atomics() -> Result<()> {
    let device = Device::cpu();
    let x: Vec<u8> = (0..1000_u32).map(|i| (i * i % 23) as u8).collect();
    let mut expected = [0; 16];
    for &bin in x.iter().filter(|&&bin| bin < 16) {
        expected[usize::from(bin)] += 1;
    }
    let x = Tensor::from_slice(&device, &x, [1000])?;
    let mut counts = Tensor::zeros(&device, [16])?;
    histogram(&x, &mut counts).launch()?;
    assert_eq!(counts.to_vec()?, expected);
    Ok(())
}

/// Computes `y = x * factor` through raw pointers.
///
/// # Safety
/// `x` and `y` must point to at least `n` elements, and nothing else may use those of `y`.
#[tile_kernel(grid = n.unsigned_abs().div_ceil(16) as usize, arch("cpu"))]
unsafe fn scale(x: *const f32, y: *mut f32, factor: f32, n: i32) {
    let i = block_id(0) * 16 + iota::<i32>(16);
    unsafe {
        let t = x.offset(i).load_masked(i < n, 0.0);
        y.offset(i).store_masked(t * factor, i < n);
    }
}

#[test]
fn an_unsafe_kernel_takes_device_pointers() -> Result<()> {
    let device = Device::cpu();
    let x = Tensor::from_slice(&device, &[1.0, 2.0, 3.0, 4.0, 5.0], [5])?;
    let mut y = Tensor::full(&device, [5], 9.0)?;
    let target = y.as_device_mut_ptr();
    // SAFETY: `x` and `y` are in host memory, have 5 elements, and do not overlap.
    unsafe { scale(x.as_device_ptr(), target.clone(), 2.0, 4) }.launch()?;
    assert_eq!(y.to_vec()?, [2.0, 4.0, 6.0, 8.0, 9.0]);
    let source: DevicePtr<f32> = target.clone().into();
    assert_eq!(source.device(), device);
    // SAFETY: the kernel accesses one element too many, which the CPU device detects.
    let error = unsafe { scale(source, target, 1.0, 6) }.launch();
    assert!(matches!(error, Err(Error::Fault { .. })), "{error:?}");
    Ok(())
}

#[tile_kernel(arch("cpu"))]
fn first_row(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let i = block_id(0);
    y.store([0, i], x.load([0, i], [1, 4]));
}

#[test]
fn a_grid_whose_blocks_would_store_to_one_place_is_refused() -> Result<()> {
    let device = Device::cpu();
    let x = Tensor::full(&device, [2, 8], 1.0)?;
    let mut y = Tensor::zeros(&device, [2, 8])?;
    let error = first_row(&x, &mut y).grid([2, 2]).launch();
    let expected = Error::SharedPlace {
        kernel: "first_row",
        axis: 1,
        blocks: 2,
    };
    assert_eq!(error, Err(expected));
    first_row(&x, &mut y).grid([2, 1]).launch()?;
    assert_eq!(
        y.to_vec()?[..9],
        [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]
    );
    Ok(())
}

/// Stores to disjoint places in the four blocks of the attribute, but not in more blocks.
#[tile_kernel(grid = 4, arch("cpu"))]
fn four_places(y: &mut Tensor<i32, 1>) {
    y.store([block_id(0) & 3], full([4], block_id(0)));
}

#[test]
fn more_blocks_than_the_attribute_tells_apart_are_refused() -> Result<()> {
    let device = Device::cpu();
    let mut y = Tensor::zeros(&device, [16])?;
    let error = four_places(&mut y).grid([5]).launch();
    let expected = Error::BlocksNotApart {
        kernel: "four_places",
        axis: 0,
        blocks: 5,
        limit: 4,
    };
    assert_eq!(error, Err(expected));
    four_places(&mut y).grid([3]).launch()?;
    assert_eq!(y.to_vec()?[8..], [2, 2, 2, 2, 0, 0, 0, 0]);
    four_places(&mut y).launch()?;
    assert_eq!(y.to_vec()?[8..], [2, 2, 2, 2, 3, 3, 3, 3]);
    Ok(())
}

/// Computes the sum and the maximum of all elements, and stores each element doubled.
#[tile_kernel(arch("cpu"))]
fn summarize(x: &Tensor<i32, 1>, y: &mut Tensor<i32, 1>, totals: &mut Tensor<i32, 1>, n: i32) {
    let (sum, most) = parallel(0..n)
        .map(|i| {
            let t = x.load([i], [8]);
            y.store([i], t * 2);
            (t.sum(0), t.reduce_max(0))
        })
        .reduce((0, 0), |(a, b), (c, d)| (a + c, b.max(d)));
    totals.store([0], full([1], sum));
    totals.store([1], full([1], most));
}

#[test]
fn a_parallel_loop_becomes_the_grid() -> Result<()> {
    let device = Device::cpu();
    let host: Vec<i32> = (0..100).map(|i| i * 31 % 71).collect();
    let x = Tensor::from_slice(&device, &host, [100])?;
    let totals = [host.iter().sum(), host.iter().copied().max().unwrap_or(0)];
    let doubled: Vec<i32> = host.iter().map(|x| x * 2).collect();
    let check = |grid: Option<usize>| -> Result<()> {
        let mut y = Tensor::zeros(&device, [100])?;
        let mut actual = Tensor::zeros(&device, [2])?;
        let launch = summarize(&x, &mut y, &mut actual, 13);
        match grid {
            Some(grid) => launch.grid(grid).launch()?,
            None => launch.launch()?,
        }
        assert_eq!(actual.to_vec()?, totals, "{grid:?}");
        assert_eq!(y.to_vec()?, doubled, "{grid:?}");
        Ok(())
    };
    check(None)?;
    check(Some(1))?;
    check(Some(4))?;
    check(Some(40))
}

/// Sums a matrix, tile by tile.
#[tile_kernel(arch("cpu"))]
fn total(x: &Tensor<f64, 2>, out: &mut Tensor<f64, 1>) {
    let x = x.partition([4, 8]);
    let sum = parallel((0..x.num_tiles(0), 0..x.num_tiles(1)))
        .map(|(i, j)| x.load([i, j]).sum(1).sum(0))
        .reduce(0.0, |a, b| a + b);
    out.store([0], full([1], sum));
}

#[test]
fn the_number_of_iterations_may_be_known_in_the_kernel_only() -> Result<()> {
    let device = Device::cpu();
    let x = Tensor::full(&device, [13, 21], 0.5)?;
    let mut out = Tensor::zeros(&device, [1])?;
    total(&x, &mut out).launch()?;
    assert_eq!(out.to_vec()?, [0.5 * 13.0 * 21.0]);
    Ok(())
}
