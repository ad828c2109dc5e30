//! Borrows of memory that end with a function.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

#[cfg(doc)]
use super::BorrowError;
use super::{
    AnyBits, Between, Borrowed, BorrowedMut, DeviceParts, Loan, Stream, between, host, layout,
};
use crate::driver::Access;
use crate::layout::Layout;
use crate::{Device, Element, Result};

/// Calls a function that can borrow host memory, and ends all these borrows after it.
///
/// As in [`std::thread::scope`], the function gets the scope, and borrows what lives longer than the
/// call. A borrow cannot leave the function; views of it can, and no longer work.
///
/// ```
/// use tile_kernel::{Device, foreign};
/// let matrix = [1, 2, 3, 4, 5, 6];
/// let column = foreign::scope(|scope| {
///     let matrix = scope.slice(&Device::cpu(), &matrix, [2, 3])?;
///     matrix.narrow(1, 0..1)
/// })?;
/// let error = column.to_vec().expect_err("the borrow has ended");
/// assert!(error.to_string().contains("the borrow has ended: use views before the end of the scope"));
/// # Ok::<(), tile_kernel::Error>(())
/// ```
pub fn scope<'env, F, O>(function: F) -> O
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> O,
{
    let scope = Scope {
        loans: RefCell::default(),
        held: RefCell::default(),
        own: PhantomData,
        env: PhantomData,
    };
    // The borrows end here, also if the function panics.
    function(&scope)
}

/// Borrows memory until the end of a [`scope`].
pub struct Scope<'scope, 'env: 'scope> {
    /// Dropped before `held`.
    loans: RefCell<Vec<Loan>>,
    held: RefCell<Vec<Box<dyn Held + 'env>>>,
    own: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// Any value.
trait Held {}

impl<T> Held for T {}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let borrows = self.loans.borrow().len();
        f.debug_struct("Scope")
            .field("borrows", &borrows)
            .finish_non_exhaustive()
    }
}

impl<'scope, 'env> Scope<'scope, 'env> {
    /// Borrows a slice as a tensor in row-major order, on the CPU device or the simulated GPU.
    ///
    /// # Errors
    /// [`LengthMismatch`](crate::Error::LengthMismatch) if the slice and the shape have different numbers of
    /// elements, [`BorrowError::HostMemory`] for a GPU.
    pub fn slice<T: Element, const R: usize>(
        &'scope self,
        device: &Device,
        slice: &'env [T],
        shape: [usize; R],
    ) -> Result<Borrowed<'scope, T, R>> {
        let layout = Layout::contiguous(shape, size_of::<T>())?;
        crate::tensor::check_length(&layout, slice.len())?;
        self.shared(device, slice, layout)
    }

    /// Borrows the elements of a slice that these strides reach, in elements: index `[i, j]` is element
    /// `i * strides[0] + j * strides[1]` of the slice.
    ///
    /// # Errors
    /// [`StridesOutOfBounds`](crate::Error::StridesOutOfBounds) if the slice ends before the last element,
    /// [`BorrowError::HostMemory`] for a GPU.
    pub fn strided<T: Element, const R: usize>(
        &'scope self,
        device: &Device,
        slice: &'env [T],
        shape: [usize; R],
        strides: [usize; R],
    ) -> Result<Borrowed<'scope, T, R>> {
        let layout = layout::<T, R>(shape, strides, slice.len())?;
        self.shared(device, slice, layout)
    }

    /// Borrows a slice that kernels may write; otherwise as [`slice`](Self::slice).
    ///
    /// # Errors
    /// As [`slice`](Self::slice).
    pub fn slice_mut<T: AnyBits, const R: usize>(
        &'scope self,
        device: &Device,
        slice: &'env mut [T],
        shape: [usize; R],
    ) -> Result<BorrowedMut<'scope, T, R>> {
        let layout = Layout::contiguous(shape, size_of::<T>())?;
        crate::tensor::check_length(&layout, slice.len())?;
        self.exclusive(device, slice, layout)
    }

    /// Borrows elements of a slice that kernels may write; otherwise as [`strided`](Self::strided).
    ///
    /// # Errors
    /// As [`strided`](Self::strided).
    pub fn strided_mut<T: AnyBits, const R: usize>(
        &'scope self,
        device: &Device,
        slice: &'env mut [T],
        shape: [usize; R],
        strides: [usize; R],
    ) -> Result<BorrowedMut<'scope, T, R>> {
        let layout = layout::<T, R>(shape, strides, slice.len())?;
        self.exclusive(device, slice, layout)
    }

    /// Borrows host memory: of `len` elements from `pointer` on, those that `shape` and `strides` reach.
    ///
    /// # Safety
    /// The memory is allocated and initialized until the end of the scope, and nothing writes the elements of
    /// the tensor until then; on the simulated GPU, not those between them either.
    ///
    /// # Errors
    /// A [`BorrowError`] if the address is null or not aligned, or for a GPU;
    /// [`StridesOutOfBounds`](crate::Error::StridesOutOfBounds) if the memory ends before the last element.
    pub unsafe fn ptr<T: Element, const R: usize>(
        &'scope self,
        device: &Device,
        (pointer, len): (*const T, usize),
        (shape, strides): ([usize; R], [usize; R]),
    ) -> Result<Borrowed<'scope, T, R>> {
        let layout = layout::<T, R>(shape, strides, len)?;
        let (pointer, between) = (pointer.cast_mut(), between(&layout));
        // SAFETY: the caller's promise; nothing is written through a shared access.
        let memory = unsafe { host(*device, pointer, len, Access::Shared, between) }?;
        let borrowed = Borrowed::new(memory, layout);
        self.lend(&borrowed.loan);
        Ok(borrowed)
    }

    /// Borrows host memory that kernels may write; otherwise as [`ptr`](Self::ptr).
    ///
    /// # Safety
    /// As for [`ptr`](Self::ptr), and nothing else reads the elements either.
    ///
    /// # Errors
    /// As [`ptr`](Self::ptr).
    pub unsafe fn ptr_mut<T: AnyBits, const R: usize>(
        &'scope self,
        device: &Device,
        (pointer, len): (*mut T, usize),
        (shape, strides): ([usize; R], [usize; R]),
    ) -> Result<BorrowedMut<'scope, T, R>> {
        let layout = layout::<T, R>(shape, strides, len)?;
        let between = between(&layout);
        // SAFETY: the caller's promise.
        let memory = unsafe { host(*device, pointer, len, Access::Exclusive, between) }?;
        let borrowed = BorrowedMut::new(memory, layout);
        self.lend(&borrowed.loan);
        Ok(borrowed)
    }

    /// Borrows device memory until the end of the scope, even if the value is leaked; otherwise as
    /// [`Borrowed::from_device_ptr`].
    ///
    /// # Safety
    /// As for [`Borrowed::from_device_ptr`], but for leaking the value.
    ///
    /// # Errors
    /// As [`Borrowed::from_device_ptr`].
    pub unsafe fn device_ptr<T: Element, const R: usize>(
        &'scope self,
        stream: &Stream<'scope>,
        parts: DeviceParts<R>,
    ) -> Result<Borrowed<'scope, T, R>> {
        // SAFETY: the caller's promise.
        let borrowed = unsafe { Borrowed::from_device_ptr(stream, parts) }?;
        self.lend(&borrowed.loan);
        Ok(borrowed)
    }

    /// Borrows device memory that kernels may write; otherwise as [`device_ptr`](Self::device_ptr).
    ///
    /// # Safety
    /// As for [`BorrowedMut::from_device_ptr`], but for leaking the value.
    ///
    /// # Errors
    /// As [`Borrowed::from_device_ptr`].
    pub unsafe fn device_ptr_mut<T: Element, const R: usize>(
        &'scope self,
        stream: &Stream<'scope>,
        parts: DeviceParts<R>,
    ) -> Result<BorrowedMut<'scope, T, R>> {
        // SAFETY: the caller's promise.
        let borrowed = unsafe { BorrowedMut::from_device_ptr(stream, parts) }?;
        self.lend(&borrowed.loan);
        Ok(borrowed)
    }

    /// Drops a value after all borrows of the scope have ended.
    pub fn hold(&'scope self, value: impl Sized + 'env) {
        self.held.borrow_mut().push(Box::new(value));
    }

    fn shared<T: Element, const R: usize>(
        &'scope self,
        device: &Device,
        slice: &'env [T],
        layout: Layout<R>,
    ) -> Result<Borrowed<'scope, T, R>> {
        let (pointer, len) = (slice.as_ptr().cast_mut(), slice.len());
        // SAFETY: the whole slice is borrowed for `'env`, which is longer than the scope; nothing is written through a
        // shared access.
        let memory = unsafe { host(*device, pointer, len, Access::Shared, Between::Usable) }?;
        let borrowed = Borrowed::new(memory, layout);
        self.lend(&borrowed.loan);
        Ok(borrowed)
    }

    fn exclusive<T: AnyBits, const R: usize>(
        &'scope self,
        device: &Device,
        slice: &'env mut [T],
        layout: Layout<R>,
    ) -> Result<BorrowedMut<'scope, T, R>> {
        let (pointer, len) = (slice.as_mut_ptr(), slice.len());
        // SAFETY: as in `shared`; the slice is borrowed exclusively, and all bytes are values of `T`.
        let memory = unsafe { host(*device, pointer, len, Access::Exclusive, Between::Usable) }?;
        let borrowed = BorrowedMut::new(memory, layout);
        self.lend(&borrowed.loan);
        Ok(borrowed)
    }

    /// Ends a borrow with the scope, even if its value is leaked.
    fn lend(&self, loan: &Loan) {
        self.loans.borrow_mut().push(Loan(Arc::clone(&loan.0)));
    }
}
