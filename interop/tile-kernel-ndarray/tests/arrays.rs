//! Kernels on arrays and views of `ndarray`.

use ndarray::{Array1, Array2, Array3, ArrayView2, Axis, array, s};
use tile_kernel::foreign::{self, BorrowError};
use tile_kernel::{Error, Result, prelude::*};
use tile_kernel_ndarray::{BorrowArrays, into_tensor, to_array};

/// Adds the rows of `x`.
#[tile_kernel(grid = y.tiles([8]), arch("cpu"))]
fn row_sums(x: &Tensor<f64, 2>, y: &mut Tensor<f64, 1>) {
    let i = block_id(0);
    let mut sum = zeros::<f64>([8]);
    for j in 0..x.partition([8, 16]).num_tiles(1) {
        sum += x.load([i, j], [8, 16]).sum(1);
    }
    y.store([i], sum);
}

#[tile_kernel(grid = y.tiles([4, 4, 4]), arch("cpu"))]
fn copy(x: &Tensor<i32, 3>, y: &mut Tensor<i32, 3>) {
    let (i, j, k) = (block_id(0), block_id(1), block_id(2));
    y.store([i, j, k], x.load([i, j, k], [4, 4, 4]));
}

fn numbers(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| (i * 100 + j) as f64)
}

fn check_row_sums(x: ArrayView2<'_, f64>) -> Result<()> {
    let mut y = Array1::from_elem(x.nrows(), f64::NAN);
    foreign::scope(|scope| {
        let x = scope.array(x)?;
        let mut y = scope.array_mut(y.view_mut())?;
        row_sums(&x, &mut y).launch()
    })?;
    assert_eq!(y, x.sum_axis(Axis(1)), "{x}");
    Ok(())
}

#[test]
fn views_with_any_strides_are_read() -> Result<()> {
    let x = numbers(37, 50);
    check_row_sums(x.view())?;
    check_row_sums(x.t())?;
    check_row_sums(x.slice(s![3..20, ..;3]))?;
    check_row_sums(x.slice(s![..;5, 7..8]))?;
    check_row_sums(x.row(4).broadcast((11, 50)).expect("a row repeats"))?;
    check_row_sums(numbers(1, 1).slice(s![..;-1, ..]))
}

#[test]
fn what_is_between_the_elements_of_a_view_stays_free() -> Result<()> {
    let x = Array3::from_shape_fn((5, 6, 7), |(i, j, k)| (i * 42 + j * 7 + k) as i32);
    let mut y = Array3::zeros((5, 6, 14));
    let (mut left, mut right) = y.view_mut().split_at(Axis(2), 7);
    std::thread::scope(|threads| {
        let other = threads.spawn(|| right.fill(-1));
        let outcome = foreign::scope(|scope| {
            let mut left = scope.array_mut(left.view_mut())?;
            assert_eq!(left.to_vec()?, [0; 210]);
            copy(&*scope.array(x.view())?, &mut left).launch()
        });
        other.join().expect("it does not panic");
        outcome
    })?;
    assert_eq!(y.slice(s![.., .., ..7]), x);
    assert!(y.slice(s![.., .., 7..]).iter().all(|&y| y == -1));
    Ok(())
}

#[test]
fn a_reversed_axis_is_refused() {
    let x = numbers(3, 4);
    let error = foreign::scope(|scope| scope.array(x.slice(s![.., ..;-1])).map(drop));
    let expected = BorrowError::NegativeStride {
        axis: 1,
        stride: -1,
    };
    assert_eq!(error, Err(Error::Borrow(expected)));
}

#[test]
fn arrays_become_tensors_and_tensors_arrays() -> Result<()> {
    let x = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (i * 12 + j * 4 + k) as i32);
    let first = x.as_ptr() as u64;
    let tensor = into_tensor(x.clone().permuted_axes([2, 0, 1]))?;
    assert_eq!((tensor.shape(), tensor.strides()), ([4, 2, 3], [1, 12, 4]));
    assert_eq!(to_array(&tensor.permute([1, 2, 0])?)?, x);
    let tensor = into_tensor(x)?;
    assert_eq!(foreign::address(&tensor), first);
    let empty = into_tensor(Array2::<f32>::zeros((0, 3)))?;
    assert_eq!(to_array(&empty)?, Array2::<f32>::zeros((0, 3)));
    assert_eq!(
        to_array(&into_tensor(array![true, false])?)?,
        array![true, false]
    );
    Ok(())
}
