//! Arrays of [`ndarray`] as arguments of kernels on the CPU device, without copies.
//!
//! ```
//! use ndarray::{Array2, s};
//! use tile_kernel::{foreign, prelude::*};
//! use tile_kernel_ndarray::BorrowArrays;
//!
//! #[tile_kernel(grid = y.tiles([16, 16]), arch("cpu"))]
//! fn double(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
//!     let (i, j) = (block_id(0), block_id(1));
//!     y.store([i, j], x.load([i, j], [16, 16]) * 2.0);
//! }
//!
//! # fn main() -> tile_kernel::Result<()> {
//! let x = Array2::from_shape_fn((40, 30), |(i, j)| (i + j) as f32);
//! let mut y = Array2::zeros((30, 80));
//! foreign::scope(|scope| {
//!     let x = scope.array(x.t())?; // any strides
//!     let mut y = scope.array_mut(y.slice_mut(s![.., ..;2]))?;
//!     double(&x, &mut y).launch()
//! })?;
//! assert_eq!((y[[7, 2]], y[[7, 3]]), (2.0 * (7 + 1) as f32, 0.0));
//! # Ok(())
//! # }
//! ```

use ndarray::{Array, ArrayRef, ArrayView, ArrayViewMut, Dim, Dimension, Ix};
use tile_kernel::foreign::{self, AnyBits, BorrowError, Borrowed, BorrowedMut, Permission, Scope};
use tile_kernel::{Device, Element, Result, Tensor};

/// Borrows arrays and views of `ndarray` until the end of a [`scope`](foreign::scope).
pub trait BorrowArrays<'scope, 'env> {
    /// Borrows the elements of a view as a tensor on the CPU device, with its strides.
    ///
    /// # Errors
    /// [`BorrowError::NegativeStride`] for a view with a reversed axis.
    fn array<T: Element, const R: usize>(
        &'scope self,
        view: ArrayView<'env, T, Dim<[Ix; R]>>,
    ) -> Result<Borrowed<'scope, T, R>>
    where
        Dim<[Ix; R]>: Dimension;

    /// Borrows the elements of a view that kernels may write; otherwise as [`array`](Self::array).
    ///
    /// # Errors
    /// As [`array`](Self::array).
    fn array_mut<T: AnyBits, const R: usize>(
        &'scope self,
        view: ArrayViewMut<'env, T, Dim<[Ix; R]>>,
    ) -> Result<BorrowedMut<'scope, T, R>>
    where
        Dim<[Ix; R]>: Dimension;
}

impl<'scope, 'env> BorrowArrays<'scope, 'env> for Scope<'scope, 'env> {
    fn array<T: Element, const R: usize>(
        &'scope self,
        view: ArrayView<'env, T, Dim<[Ix; R]>>,
    ) -> Result<Borrowed<'scope, T, R>>
    where
        Dim<[Ix; R]>: Dimension,
    {
        let (shape, strides, span) = layout(&view)?;
        let memory = (view.as_ptr(), span);
        // SAFETY: the elements are borrowed for `'env`, which is longer than the scope; the CPU device does not
        // touch what is between them.
        unsafe { self.ptr(&Device::cpu(), memory, (shape, strides)) }
    }

    fn array_mut<T: AnyBits, const R: usize>(
        &'scope self,
        mut view: ArrayViewMut<'env, T, Dim<[Ix; R]>>,
    ) -> Result<BorrowedMut<'scope, T, R>>
    where
        Dim<[Ix; R]>: Dimension,
    {
        let (shape, strides, span) = layout(&view)?;
        let memory = (view.as_mut_ptr(), span);
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { self.ptr_mut(&Device::cpu(), memory, (shape, strides)) }
    }
}

/// Makes a tensor on the CPU device of an array, without a copy. The array is dropped after the last view of the
/// tensor.
///
/// ```
/// use ndarray::array;
/// let tensor = tile_kernel_ndarray::into_tensor(array![[1, 2], [3, 4]].reversed_axes())?;
/// assert_eq!(tensor.to_vec()?, [1, 3, 2, 4]);
/// # Ok::<(), tile_kernel::Error>(())
/// ```
///
/// # Errors
/// As [`BorrowArrays::array`].
pub fn into_tensor<T: Element, const R: usize>(
    mut array: Array<T, Dim<[Ix; R]>>,
) -> Result<Tensor<T, R>>
where
    Dim<[Ix; R]>: Dimension,
{
    let (shape, strides, span) = layout(&array)?;
    let memory = (array.as_mut_ptr(), span);
    let permission = Permission::Write;
    // SAFETY: the array is kept, and its elements stay where they are.
    unsafe { foreign::keep_ptr(&Device::cpu(), memory, (shape, strides), permission, array) }
}

/// Copies the elements of a tensor, on any device, to an array in row-major order.
///
/// # Errors
/// The errors of [`Tensor::to_vec`].
pub fn to_array<T: Element, const R: usize>(tensor: &Tensor<T, R>) -> Result<Array<T, Dim<[Ix; R]>>>
where
    Dim<[Ix; R]>: Dimension,
{
    let mut shape = Dim::<[Ix; R]>::zeros(R);
    shape.slice_mut().copy_from_slice(&tensor.shape());
    let array = Array::from_shape_vec(shape, tensor.to_vec()?);
    Ok(array.expect("the tensor has as many elements as its shape"))
}

/// Returns shape, strides, and the number of elements from the first to the last in memory.
fn layout<T, const R: usize>(
    array: &ArrayRef<T, Dim<[Ix; R]>>,
) -> Result<([usize; R], [usize; R], usize)>
where
    Dim<[Ix; R]>: Dimension,
{
    let (mut shape, mut strides) = ([0; R], [0; R]);
    shape.copy_from_slice(array.shape());
    for (axis, &stride) in array.strides().iter().enumerate() {
        strides[axis] = match usize::try_from(stride) {
            Ok(stride) => stride,
            // The stride of an axis with one element is not used.
            Err(_) if shape[axis] <= 1 => 1,
            Err(_) => return Err(BorrowError::NegativeStride { axis, stride }.into()),
        };
    }
    if shape.contains(&0) {
        return Ok((shape, strides, 0));
    }
    let last: usize = shape
        .iter()
        .zip(strides)
        .map(|(extent, stride)| (extent - 1) * stride)
        .sum();
    Ok((shape, strides, last + 1))
}
