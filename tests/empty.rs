//! Tests of tensors without elements, on the CPU device and on the simulated GPU.

use tile_kernel::prelude::*;
use tile_kernel::{Error, Result, f16};

fn devices() -> [Device; 2] {
    [Device::cpu(), Device::sim()]
}

/// Returns every shape of two axes of 0 or 3, or 16, elements, of which one is 0.
fn shapes() -> impl Iterator<Item = [usize; 2]> {
    [[0, 0], [0, 3], [3, 0], [0, 16], [16, 0]].into_iter()
}

fn check<T: Element + PartialEq + std::fmt::Debug, const R: usize>(
    tensor: &Tensor<T, R>,
    shape: [usize; R],
) -> Result<()> {
    assert_eq!(tensor.shape(), shape);
    assert!(tensor.is_empty() && tensor.is_contiguous());
    assert_eq!((tensor.len(), tensor.to_vec()?), (0, Vec::new()));
    assert!(!format!("{tensor:?}").is_empty());
    Ok(())
}

/// Calls every function that makes a tensor or a view.
fn every_function<T: Element + PartialEq + std::fmt::Debug>(
    device: &Device,
    value: T,
) -> Result<()> {
    for shape in shapes() {
        let [rows, columns] = shape;
        check(&Tensor::<T, 2>::zeros(device, shape)?, shape)?;
        check(&Tensor::full(device, shape, value)?, shape)?;
        check(
            &Tensor::<T, 2>::from_strided(device, &[], shape, [7, 0])?,
            shape,
        )?;
        let mut tensor = Tensor::<T, 2>::from_slice(device, &[], shape)?;
        check(&tensor, shape)?;
        tensor.fill(value)?;
        tensor.copy_from_slice(&[])?;
        assert!(tensor.copy_from_slice(&[value]).is_err());
        check(&tensor.copy()?, shape)?;
        check(&tensor.contiguous()?, shape)?;
        for other in devices() {
            let moved = tensor.to_device(&other)?;
            check(&moved, shape)?;
            assert_eq!(moved.device(), other);
        }
        assert_eq!((tensor.device(), tensor.offset()), (*device, 0));
        assert_eq!(tensor.as_device_ptr().device(), *device);
        assert_eq!(tensor.as_device_mut_ptr().device(), *device);

        check(&tensor.t(), [columns, rows])?;
        check(&tensor.transpose(0, 1)?, [columns, rows])?;
        check(&tensor.permute([1, 0])?, [columns, rows])?;
        check(&tensor.flatten()?, [0])?;
        check(&tensor.reshape([5, 0, 9])?, [5, 0, 9])?;
        assert!(tensor.reshape([1, 1]).is_err());
        check(&tensor.as_strided([4, 0], [3, 100], 0)?, [4, 0])?;
        assert!(tensor.as_strided([1], [1], 0).is_err());
        check(&tensor.unsqueeze(0)?, [1, rows, columns])?;
        check(&tensor.unsqueeze(2)?, [rows, columns, 1])?;
        check(&tensor.unsqueeze(1)?.squeeze(1)?, shape)?;
        check(
            &tensor.unsqueeze(0)?.broadcast_to([6, rows, columns])?,
            [6, rows, columns],
        )?;
        for axis in [0, 1] {
            let extent = shape[axis];
            check(&tensor.narrow(axis, ..)?, shape)?;
            check(
                &tensor
                    .narrow(axis, extent..)?
                    .narrow(1 - axis, ..)?
                    .flatten()?,
                [0],
            )?;
            let mut sliced = shape;
            sliced[axis] = extent.div_ceil(2);
            check(&tensor.slice(axis, .., 2)?, sliced)?;
            let (before, after) = tensor.split_at(axis, extent)?;
            check(&before, shape)?;
            assert!(after.is_empty());
            assert_eq!(tensor.chunks(axis, 2)?.count(), extent.div_ceil(2));
            assert_eq!(tensor.axis_iter(axis)?.count(), extent);
            for index in 0..extent {
                check(&tensor.select(axis, index)?, [shape[1 - axis]])?;
            }
            assert!(tensor.select(axis, extent).is_err());
            let (mut before, mut after) = tensor.split_at_mut(axis, extent)?;
            before.fill(value)?;
            after.fill(value)?;
            for mut part in tensor.chunks_mut(axis, 2)? {
                part.fill(value)?;
            }
            for mut part in tensor.axis_iter_mut(axis)? {
                part.fill(value)?;
            }
        }
    }
    // The empty parts of a tensor with elements.
    let tensor = Tensor::full(device, [3, 4], value)?;
    for start in 0..=3 {
        let rows = tensor.narrow(0, start..start)?;
        check(&rows, [0, 4])?;
        for column in 0..=4 {
            check(&rows.narrow(1, column..column)?, [0, 0])?;
            check(&rows.slice(1, column.., 2)?, [0, (4 - column).div_ceil(2)])?;
        }
    }
    check(&tensor.as_strided([0], [1], 12)?, [0])?;
    check(&tensor.narrow(0, 3..)?.copy()?, [0, 4])
}

#[test]
fn every_function_takes_tensors_without_elements() -> Result<()> {
    let gpu = Device::cuda(0).ok();
    for device in devices().into_iter().chain(gpu) {
        every_function(&device, 1.5_f32)?;
        every_function(&device, 7_u8)?;
        every_function(&device, true)?;
        every_function(&device, f16::ONE)?;
        every_function(&device, -1_i64)?;
    }
    Ok(())
}

/// Adds two matrices, of which `x` may be smaller.
#[tile_kernel(grid = y.tiles([4, 16]), arch("sm_80"))]
fn add(x: &Tensor<f32, 2>, z: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    y.store([i, j], x.load([i, j], [4, 16]) + z.load([i, j], [4, 16]));
}

#[test]
fn no_tiles_are_no_blocks_and_what_is_not_there_reads_as_zero() -> Result<()> {
    let gpu = Device::cuda(0).ok();
    for device in devices().into_iter().chain(gpu) {
        for shape in shapes() {
            let none = Tensor::<f32, 2>::zeros(&device, shape)?;
            let mut out = none.copy()?;
            add(&none, &none, &mut out).launch()?;
            check(&out, shape)?;
            // The other way round, every block runs.
            for shape in [[5, 16], [5, 7]] {
                let one = Tensor::full(&device, shape, 1.0)?;
                let mut y = Tensor::full(&device, shape, 9.0)?;
                add(&none, &one, &mut y).launch()?;
                assert_eq!(y.to_vec()?, vec![1.0; one.len()], "{device} {shape:?}");
                add(&none, &none, &mut y).launch()?;
                assert_eq!(y.to_vec()?, vec![0.0; one.len()], "{device} {shape:?}");
                // Blocks that have nothing to store.
                add(&one, &one, &mut out).grid([2, 1]).launch()?;
                check(&out, none.shape())?;
            }
        }
    }
    Ok(())
}

/// Multiplies matrices, by TMA where their shapes allow it.
#[tile_kernel(grid = c.tiles([64, 64]), arch("sm_90a"))]
fn matmul(a: &Tensor<f16, 2>, b: &Tensor<f16, 2>, c: &mut Tensor<f32, 2>) {
    let (m, n) = (block_id(0), block_id(1));
    let a = a.partition([64, 64]);
    let b = b.partition([64, 64]);
    let mut acc = zeros::<f32>([64, 64]);
    for k in 0..a.num_tiles(1) {
        acc = mma(a.load([m, k]), b.load([k, n]), acc);
    }
    c.store([m, n], acc);
}

#[test]
fn a_matmul_over_nothing_stores_zeros() -> Result<()> {
    for device in devices() {
        for [m, n, k] in [[64, 64, 0], [70, 8, 0], [0, 64, 64], [64, 0, 64], [0, 0, 0]] {
            let a = Tensor::full(&device, [m, k], f16::ONE)?;
            let b = Tensor::full(&device, [k, n], f16::ONE)?;
            let mut c = Tensor::full(&device, [m, n], 9.0)?;
            matmul(&a, &b, &mut c).launch()?;
            assert_eq!(c.to_vec()?, vec![0.0; m * n], "{device} {m} {n} {k}");
        }
    }
    Ok(())
}

/// Sums all elements.
#[tile_kernel(arch("sm_80"))]
fn total(x: &Tensor<f32, 1>, out: &mut Tensor<f32, 1>, tiles: i32) {
    let sum = parallel(0..tiles)
        .map(|i| x.load([i], [32]).sum(0))
        .reduce(0.0, |a, b| a + b);
    out.store([0], full([1], sum));
}

/// Sums the values of each row of a sparse matrix in compressed rows.
#[tile_kernel(grid = starts.shape()[0] - 1, arch("sm_80"))]
fn row_sums(starts: &Tensor<i32, 1>, values: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let row = block_id(0);
    let (start, end) = (starts.at([row]), starts.at([row + 1]));
    let mut sum = 0.0;
    for i in start..end {
        sum += values.at([i]);
    }
    y.store([row], full([1], sum));
}

#[test]
fn sums_of_nothing_are_stored() -> Result<()> {
    for device in devices() {
        let none = Tensor::<f32, 1>::zeros(&device, [0])?;
        let mut out = Tensor::full(&device, [1], 9.0)?;
        total(&none, &mut out, 0).launch()?;
        assert_eq!(out.to_vec()?, [0.0], "{device}");
        out.fill(9.0)?;
        total(&none, &mut out, 3).launch()?;
        assert_eq!(out.to_vec()?, [0.0], "{device}");
        total(&none, &mut Tensor::zeros(&device, [0])?, 0).launch()?;
        // A matrix without entries, and one without rows.
        let starts = Tensor::zeros(&device, [6])?;
        let mut y = Tensor::full(&device, [5], 9.0)?;
        row_sums(&starts, &none, &mut y).launch()?;
        assert_eq!(y.to_vec()?, [0.0; 5], "{device}");
        let mut y = Tensor::zeros(&device, [0])?;
        row_sums(&Tensor::zeros(&device, [1])?, &none, &mut y).launch()?;
        check(&y, [0])?;
    }
    Ok(())
}

/// Doubles `n` numbers.
///
/// # Safety
/// `x` points to `n` elements that nothing else uses.
#[tile_kernel(grid = n.unsigned_abs().div_ceil(16) as usize, arch("sm_80"))]
unsafe fn double(x: *mut f32, n: i32) {
    let i = block_id(0) * 16 + iota::<i32>(16);
    unsafe {
        let t = x.offset(i).load_masked(i < n, 0.0);
        x.offset(i).store_masked(t * 2.0, i < n);
    }
}

#[test]
fn pointers_to_nothing_are_arguments() -> Result<()> {
    for device in devices() {
        let mut none = Tensor::<f32, 1>::zeros(&device, [0])?;
        // SAFETY: no elements are used.
        unsafe { double(none.as_device_mut_ptr(), 0) }.launch()?;
        // SAFETY: as above.
        unsafe { double(none.as_device_mut_ptr(), 0) }
            .grid(3)
            .launch()?;
        // SAFETY: the device refuses the access.
        let error = unsafe { double(none.as_device_mut_ptr(), 1) }.launch();
        let text = error.expect_err("there is no element").to_string();
        assert!(
            text.contains("`x`") && text.contains("extents [0]"),
            "{text}"
        );
    }
    Ok(())
}

#[test]
fn an_empty_view_is_no_alias() -> Result<()> {
    for device in devices() {
        let mut y = Tensor::full(&device, [8, 16], 1.0)?;
        let none = y.narrow(0, 4..4)?;
        let z = Tensor::full(&device, [8, 16], 2.0)?;
        add(&none, &z, &mut y).launch()?;
        assert_eq!(y.to_vec()?, [2.0; 128]);
        let error = add(&y.narrow(0, 4..5)?, &z, &mut y).launch();
        assert!(matches!(error, Err(Error::Aliasing { .. })), "{error:?}");
    }
    Ok(())
}
