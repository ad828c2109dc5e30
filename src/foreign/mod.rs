//! Memory and streams of other libraries, as tensors, without a copy and without waiting.
//!
//! Host memory is borrowed inside of a [`scope`]:
//!
//! ```
//! use tile_kernel::{foreign, prelude::*};
//!
//! #[tile_kernel(grid = y.tiles([64]), arch("cpu"))]
//! fn double(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
//!     let i = block_id(0);
//!     y.store([i], x.load([i], [64]) * 2.0);
//! }
//!
//! # fn main() -> tile_kernel::Result<()> {
//! let x = vec![1.5; 100];
//! let mut y = vec![0.0; 100];
//! foreign::scope(|scope| {
//!     let x = scope.slice(&Device::cpu(), &x, [100])?;
//!     let mut y = scope.slice_mut(&Device::cpu(), &mut y, [100])?;
//!     double(&x, &mut y).launch()
//! })?;
//! assert_eq!(y, [3.0; 100]);
//! # Ok(())
//! # }
//! ```
//!
//! Device memory is borrowed from a raw address and the [`Stream`] on which its owner uses it
//! ([`Borrowed::from_device_ptr`]). The stream orders everything: launches follow the work that the
//! owner has submitted to it before the borrow, and what the owner submits after the borrow follows the
//! launches. The host waits for nothing.
//!
//! [`Borrowed`] and [`BorrowedMut`] are a `&Tensor` and a `&mut Tensor` wherever one is expected. Their
//! views are tensors too; after the end of the borrow, every use of a view is refused with
//! [`BorrowError::Ended`]. [`keep`] and [`keep_device_ptr`] make a tensor that owns its memory
//! instead.

mod error;
mod scope;
mod stream;

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;

use crate::driver::{Access, DeviceMemory};
use crate::layout::Layout;
use crate::overlap::Sharing;
use crate::storage::{HostMemory, Storage};
use crate::{Device, Element, Result, Tensor, bf16, device, f8e4m3, f8e5m2, f8e8m0, f16};

pub use error::BorrowError;
pub use scope::{Scope, scope};
pub use stream::Stream;

/// An element type for which every bit pattern is a value: all but `bool`.
///
/// A kernel may store any byte, so a `&mut [bool]` cannot be borrowed.
#[diagnostic::on_unimplemented(
    message = "a `&mut [{Self}]` cannot be borrowed",
    note = "a kernel may store bytes that are no `bool`: borrow a slice of `u8`, or use `Tensor::from_slice`"
)]
pub trait AnyBits: Element {}

macro_rules! any_bits {
    ($($ty:ty)+) => { $(impl AnyBits for $ty {})+ };
}
any_bits!(i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f8e4m3 f8e5m2 f8e8m0 f32 f64);

/// Memory that is borrowed to be read, as a tensor.
pub struct Borrowed<'a, T: Element, const R: usize> {
    tensor: Tensor<T, R>,
    loan: Loan,
    memory: PhantomData<&'a [T]>,
}

/// Memory that is borrowed to be read and written, as a tensor.
pub struct BorrowedMut<'a, T: Element, const R: usize> {
    tensor: Tensor<T, R>,
    loan: Loan,
    memory: PhantomData<&'a mut [T]>,
}

/// Ends the borrow of memory when it is dropped.
struct Loan(Arc<Storage>);

impl Drop for Loan {
    fn drop(&mut self) {
        // A failure means that the context is broken, which the next call reports.
        let _ = self.0.end_borrow();
    }
}

/// Device memory, as its owner describes it: the address of the first element, the number of elements that
/// may be used from there on, and the shape and strides in elements of the tensor in it.
#[derive(Clone, Copy, Debug)]
pub struct DeviceParts<const R: usize> {
    /// The address of the first element, aligned for the element type.
    pub address: u64,
    /// The number of elements of the memory from the address on.
    pub len: usize,
    /// The extents of the axes.
    pub shape: [usize; R],
    /// The distance of neighbours along each axis, in elements.
    pub strides: [usize; R],
}

macro_rules! borrowed {
    ($Name:ident, $access:expr, $others:literal) => {
        impl<'a, T: Element, const R: usize> $Name<'a, T, R> {
            /// Borrows device memory, without a copy and without waiting for the device.
            ///
            /// Launches on any stream follow the work that was submitted to `stream` before. When the value
            /// is dropped, `stream` is made to wait for them.
            ///
            /// # Safety
            /// - `parts` describes allocated memory of elements of type `T`, which stays allocated for `'a` and
            ///   until the work is done that is submitted to `stream` in `'a`.
            #[doc = $others]
            /// - Whoever uses the memory before or after, on any other stream or on the host, orders that use
            ///   before or after the work on `stream`.
            /// - The value is dropped before `'a` ends, and not leaked.
            ///
            /// # Errors
            /// A [`BorrowError`] if the address is null, is not aligned, or is not on the stream's device;
            /// [`StridesOutOfBounds`](crate::Error::StridesOutOfBounds) if the memory ends before the last element.
            pub unsafe fn from_device_ptr(
                stream: &Stream<'a>,
                parts: DeviceParts<R>,
            ) -> Result<Self> {
                let DeviceParts {
                    address,
                    len,
                    shape,
                    strides,
                } = parts;
                let layout = layout::<T, R>(shape, strides, len)?;
                check_address::<T>(address, len)?;
                // SAFETY: the caller's promise.
                let memory = unsafe {
                    DeviceMemory::borrowed(&stream.queue, address, len * size_of::<T>(), $access)
                }?;
                Ok(Self::new(Storage::Device(memory), layout))
            }

            fn new(storage: Storage, layout: Layout<R>) -> Self {
                let storage = Arc::new(storage);
                Self {
                    tensor: Tensor::from_storage(Arc::clone(&storage), layout),
                    loan: Loan(storage),
                    memory: PhantomData,
                }
            }

            /// Ends the borrow, as dropping it does.
            ///
            /// # Errors
            /// An error of the driver, if the stream of the memory could not be made to wait.
            pub fn end(self) -> Result<()> {
                self.loan.0.end_borrow()
            }
        }

        impl<T: Element, const R: usize> Deref for $Name<'_, T, R> {
            type Target = Tensor<T, R>;

            fn deref(&self) -> &Tensor<T, R> {
                &self.tensor
            }
        }

        impl<T: Element, const R: usize> fmt::Debug for $Name<'_, T, R> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($Name))
                    .field(&self.tensor)
                    .finish()
            }
        }
    };
}

borrowed!(
    Borrowed,
    Access::Shared,
    "- Nothing writes the memory in `'a`, except for work that `stream` already has."
);
borrowed!(
    BorrowedMut,
    Access::Exclusive,
    "- Nothing else uses the memory in `'a`, except for work that `stream` already has."
);

impl<T: Element, const R: usize> DerefMut for BorrowedMut<'_, T, R> {
    fn deref_mut(&mut self) -> &mut Tensor<T, R> {
        &mut self.tensor
    }
}

/// Makes a tensor of a vector, without a copy. The vector is dropped after the last view of the tensor.
///
/// ```
/// use tile_kernel::{Device, foreign};
/// let tensor = foreign::keep(&Device::cpu(), vec![1, 2, 3, 4], [2, 2])?;
/// assert_eq!(tensor.t().to_vec()?, [1, 3, 2, 4]);
/// # Ok::<(), tile_kernel::Error>(())
/// ```
///
/// # Errors
/// As [`Scope::slice`].
pub fn keep<T: AnyBits, const R: usize>(
    device: &Device,
    mut elements: Vec<T>,
    shape: [usize; R],
) -> Result<Tensor<T, R>> {
    let layout = Layout::contiguous(shape, size_of::<T>())?;
    crate::tensor::check_length(&layout, elements.len())?;
    check_host(*device)?;
    let bytes = size_of_val(&elements[..]);
    let pointer = NonNull::from(&mut elements[..]).cast();
    let owner = Box::new(elements);
    // SAFETY: the elements stay where they are until the vector is dropped, and nothing else can reach them.
    let memory = unsafe { HostMemory::kept(*device, pointer, bytes, Access::Exclusive, owner) };
    Ok(Tensor::new(Storage::Host(memory), layout))
}

/// The permission of kernels for the memory of a tensor that [`keep_ptr`] or [`keep_device_ptr`] makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Kernels may read.
    Read,
    /// Kernels may read and write.
    Write,
}

impl Permission {
    fn access(self) -> Access {
        match self {
            Permission::Read => Access::Shared,
            Permission::Write => Access::Exclusive,
        }
    }
}

/// Makes a tensor of host memory, without a copy: `len` elements from `pointer` on, of which the tensor has
/// those that `shape` and `strides` reach. `owner` is dropped after the last view of the tensor.
///
/// # Safety
/// Until `owner` is dropped, the memory is allocated and initialized, nothing else writes it, and with
/// [`Permission::Write`], nothing else uses it.
///
/// # Errors
/// A [`BorrowError`] if the address is null or not aligned, or for a GPU;
/// [`StridesOutOfBounds`](crate::Error::StridesOutOfBounds) if the memory ends before the last element.
pub unsafe fn keep_ptr<T: Element, const R: usize>(
    device: &Device,
    (pointer, len): (*mut T, usize),
    (shape, strides): ([usize; R], [usize; R]),
    permission: Permission,
    owner: impl Any + Send + Sync,
) -> Result<Tensor<T, R>> {
    let layout = layout::<T, R>(shape, strides, len)?;
    let pointer = check_pointer(*device, pointer, len)?;
    let (bytes, owner) = (len * size_of::<T>(), Box::new(owner));
    // SAFETY: the caller's promise.
    let memory = unsafe { HostMemory::kept(*device, pointer, bytes, permission.access(), owner) };
    let memory = memory.with(between(&layout));
    Ok(Tensor::new(Storage::Host(memory), layout))
}

/// Makes a tensor of device memory, without a copy and without waiting. `owner` is dropped after the last view
/// of the tensor; what dropping it submits to `stream` follows all uses of the tensor.
///
/// # Safety
/// - Until `owner` is dropped, `parts` describes allocated memory of elements of type `T`, `stream` exists, and
///   nothing else writes the memory, except for work that `stream` already has. With [`Permission::Write`],
///   nothing else uses it.
/// - Dropping `owner` frees the memory after the work on `stream`.
///
/// # Errors
/// As [`Borrowed::from_device_ptr`].
pub unsafe fn keep_device_ptr<T: Element, const R: usize>(
    stream: &Stream<'_>,
    parts: DeviceParts<R>,
    permission: Permission,
    owner: impl Any + Send + Sync,
) -> Result<Tensor<T, R>> {
    let DeviceParts {
        address,
        len,
        shape,
        strides,
    } = parts;
    let layout = layout::<T, R>(shape, strides, len)?;
    check_address::<T>(address, len)?;
    let (bytes, owner) = (len * size_of::<T>(), Box::new(owner));
    let access = permission.access();
    // SAFETY: the caller's promise.
    let memory = unsafe { DeviceMemory::kept(&stream.queue, address, bytes, access, owner) }?;
    Ok(Tensor::new(Storage::Device(memory), layout))
}

/// Returns the address of a tensor's first element, for code that reads or writes it.
///
/// On a GPU, [`Stream::wait_for`] and [`Stream::precede`] order that code and launches. On other devices, no
/// launch may run meanwhile that uses the tensor in another way.
pub fn address<T: Element, const R: usize>(tensor: &Tensor<T, R>) -> u64 {
    tensor.storage.address() + (tensor.layout.offset * size_of::<T>()) as u64
}

/// Returns the layout of these extents and strides in memory of `len` elements.
fn layout<T: Element, const R: usize>(
    shape: [usize; R],
    strides: [usize; R],
    len: usize,
) -> Result<Layout<R>> {
    Layout::strided(shape, strides, 0, len, size_of::<T>())
}

/// Returns whether there are elements between those of a tensor, which are then not borrowed with them.
fn between<const R: usize>(layout: &Layout<R>) -> Between {
    if layout.span() == layout.len() && layout.overlap() == Sharing::Apart {
        Between::Usable
    } else {
        Between::Unusable
    }
}

fn check_address<T: Element>(address: u64, len: usize) -> Result<(), BorrowError> {
    if len == 0 {
        return Ok(());
    }
    if address == 0 {
        return Err(BorrowError::Null { len });
    }
    if !address.is_multiple_of(size_of::<T>() as u64) {
        return Err(BorrowError::Misaligned {
            address,
            element_bytes: size_of::<T>(),
        });
    }
    Ok(())
}

/// The permission to use the elements between those of a tensor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Between {
    Usable,
    /// They are not borrowed.
    Unusable,
}

/// Returns the memory of `len` elements of the program from `pointer` on, after checking the address.
///
/// # Safety
/// As for [`HostMemory::borrowed`].
unsafe fn host<T: Element>(
    device: Device,
    pointer: *mut T,
    len: usize,
    access: Access,
    between: Between,
) -> Result<Storage> {
    let pointer = check_pointer(device, pointer, len)?;
    // SAFETY: the caller's promise.
    let memory = unsafe { HostMemory::borrowed(device, pointer, len * size_of::<T>(), access) };
    Ok(Storage::Host(memory.with(between)))
}

fn check_pointer<T: Element>(
    device: Device,
    pointer: *mut T,
    len: usize,
) -> Result<NonNull<u8>, BorrowError> {
    check_host(device)?;
    check_address::<T>(pointer.addr() as u64, len)?;
    Ok(NonNull::new(pointer).unwrap_or(NonNull::dangling()).cast())
}

/// Refuses a device that cannot use host memory.
fn check_host(device: Device) -> Result<(), BorrowError> {
    match device.0 {
        device::Kind::Cpu => Ok(()),
        #[cfg(feature = "sim")]
        device::Kind::Sim => Ok(()),
        device::Kind::Cuda(_) => Err(BorrowError::HostMemory { device }),
    }
}
