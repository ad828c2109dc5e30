//! Tensors as [DLPack](https://dmlc.github.io/dlpack/latest/) tensors, and DLPack tensors as tensors, without copies:
//! what PyTorch, JAX, NumPy, CuPy and others exchange.
//!
//! ```
//! use tile_kernel::{Device, Tensor};
//! use tile_kernel_dlpack::{Versioned, export, import};
//!
//! # fn main() -> tile_kernel::Result<()> {
//! let rows = Tensor::from_slice(&Device::cpu(), &[1, 2, 3, 4, 5, 6], [2, 3])?;
//! let managed: Versioned = export(rows.t())?; // a view of any strides
//! // SAFETY: it was just exported, and nothing else uses it.
//! let back = unsafe { import::<i32, 2, _>(managed) }?;
//! assert_eq!(back.to_vec()?, [1, 4, 2, 5, 3, 6]);
//! # Ok(())
//! # }
//! ```
//!
//! `examples/shared.rs` is a shared library whose tensors Python takes, and `examples/shared.py` the other side.
//! The types of the C structures, and what makes Python's capsules of them, are those of
//! [`dlpark`](https://docs.rs/dlpark).

use dlpark::ffi::{DLDataType, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned};
use dlpark::metadata::Dynamic;
use dlpark::{DlpackFlags, Managed, ManagedTensorBase};
use tile_kernel::foreign::{self, BorrowError, DeviceParts, Permission, Stream};
use tile_kernel::{Device, Element, Error, Result, Tensor, bf16, f8e4m3, f8e5m2, f8e8m0, f16};

/// A `DLManagedTensorVersioned`, of DLPack 1.0 and newer, that its owner deletes.
pub type Versioned = Managed<DLManagedTensorVersioned>;

/// A `DLManagedTensor`, of DLPack before 1.0, that its owner deletes. It does not say whether it may be written.
pub type Legacy = Managed<DLManagedTensor>;

/// An element type that DLPack has.
pub trait DlpackElement: Element {
    /// The type in DLPack.
    const TYPE: DLDataType;
}

macro_rules! elements {
    ($($ty:ty => $name:ident;)+) => { $(
        impl DlpackElement for $ty {
            const TYPE: DLDataType = DLDataType::$name;
        }
    )+ };
}

elements! {
    bool => BOOL;
    i8 => I8;
    i16 => I16;
    i32 => I32;
    i64 => I64;
    u8 => U8;
    u16 => U16;
    u32 => U32;
    u64 => U64;
    f16 => F16;
    bf16 => BF16;
    f32 => F32;
    f64 => F64;
    f8e4m3 => F8E4M3FN;
    f8e5m2 => F8E5M2;
    f8e8m0 => F8E8M0FNU;
}

/// Makes a DLPack tensor of a tensor on the CPU device, which it keeps until it is deleted. Whoever gets it may read
/// and write the elements while no launch uses them.
///
/// # Errors
/// [`BorrowError::HostMemory`] for a tensor on a GPU: [`export_on`] takes it.
pub fn export<T: DlpackElement, const R: usize, M: ManagedTensorBase>(
    tensor: Tensor<T, R>,
) -> Result<Managed<M>> {
    let device = tensor.device();
    if device.is_cuda() {
        return Err(BorrowError::HostMemory { device }.into());
    }
    Ok(managed(tensor, DLDevice::CPU))
}

/// Makes a DLPack tensor of a tensor on a GPU, for work on this stream: the stream waits for the launches so far that
/// use the tensor. The host does not wait.
///
/// # Errors
/// [`StreamMismatch`](Error::StreamMismatch) if the stream is one of another device, or an error of the driver.
pub fn export_on<T: DlpackElement, const R: usize, M: ManagedTensorBase>(
    stream: &Stream<'_>,
    tensor: Tensor<T, R>,
) -> Result<Managed<M>> {
    let (expected, found) = (tensor.device(), stream.device());
    if expected != found {
        let kernel = "export_on";
        return Err(Error::StreamMismatch {
            kernel,
            expected,
            found,
        });
    }
    stream.wait_for(&tensor)?;
    let ordinal = expected
        .ordinal()
        .and_then(|ordinal| i32::try_from(ordinal).ok());
    Ok(managed(
        tensor,
        DLDevice::cuda(ordinal.expect("a stream is one of a GPU")),
    ))
}

fn managed<T: DlpackElement, const R: usize, M: ManagedTensorBase>(
    tensor: Tensor<T, R>,
    device: DLDevice,
) -> Managed<M> {
    let address = foreign::address(&tensor);
    let shape = tensor.shape().map(|extent| extent as i64);
    let strides = tensor.strides().map(|stride| stride as i64);
    let prepared = Dynamic::new(&shape[..], &strides[..]).prepare_as::<M>();
    let prepared = prepared.expect("a tensor has 1 to 8 axes, whose extents are below 2^63");
    let mut initialized = prepared.initialize(Box::new(tensor));
    let pointer = if shape.contains(&0) {
        0
    } else {
        address as usize
    };
    initialized.set_data(std::ptr::without_provenance_mut(pointer));
    initialized.set_dtype(T::TYPE);
    initialized.set_device(device);
    // SAFETY: the tensor that is kept has this address, shape and strides.
    unsafe { initialized.finish() }
}

/// Makes a tensor of a DLPack tensor on the CPU, which it deletes after its last view. One that is flagged as
/// read-only is not written.
///
/// # Safety
/// - The DLPack tensor describes its memory correctly, and its deleter may be called on any thread.
/// - While the tensor exists, nothing else writes the memory, nor reads it during a launch that writes it.
///
/// # Errors
/// A [`BorrowError`] if it has other elements, another number of axes, negative strides, or is not on the CPU.
pub unsafe fn import<T: DlpackElement, const R: usize, M: ManagedTensorBase + 'static>(
    managed: Managed<M>,
) -> Result<Tensor<T, R>> {
    let parts = parts::<T, R, M>(&managed)?;
    if parts.device.device_type != DLDeviceType::CPU {
        return Err(other_device(parts.device, "a CPU"));
    }
    let pointer = std::ptr::with_exposed_provenance_mut::<T>(parts.address as usize);
    let (memory, layout) = ((pointer, parts.len), (parts.shape, parts.strides));
    // SAFETY: the caller's promise; the memory is freed when `managed` is dropped.
    unsafe { foreign::keep_ptr(&Device::cpu(), memory, layout, parts.permission, managed) }
}

/// Makes a tensor of a DLPack tensor on a GPU, whose owner uses it on this stream: launches follow the work that the
/// stream has, and what the deleter submits to it follows the launches. The host does not wait.
///
/// # Safety
/// - As for [`import`], and the stream exists until the last view of the tensor is dropped.
/// - The deleter frees the memory after the work on the stream.
///
/// # Errors
/// As [`import`], for the device of the stream.
pub unsafe fn import_on<T: DlpackElement, const R: usize, M: ManagedTensorBase + 'static>(
    stream: &Stream<'_>,
    managed: Managed<M>,
) -> Result<Tensor<T, R>> {
    let parts = parts::<T, R, M>(&managed)?;
    let ordinal = usize::try_from(parts.device.device_id).ok();
    if parts.device.device_type != DLDeviceType::CUDA || ordinal != stream.device().ordinal() {
        return Err(other_device(parts.device, "the device of the stream"));
    }
    let memory = DeviceParts {
        address: parts.address,
        len: parts.len,
        shape: parts.shape,
        strides: parts.strides,
    };
    // SAFETY: the caller's promise; the memory is freed when `managed` is dropped.
    unsafe { foreign::keep_device_ptr(stream, memory, parts.permission, managed) }
}

struct Parts<const R: usize> {
    device: DLDevice,
    address: u64,
    len: usize,
    shape: [usize; R],
    strides: [usize; R],
    permission: Permission,
}

fn parts<T: DlpackElement, const R: usize, M: ManagedTensorBase>(
    managed: &Managed<M>,
) -> Result<Parts<R>> {
    let invalid = |error: &dyn std::fmt::Display| BorrowError::Description {
        reason: error.to_string(),
    };
    let tensor = managed.validate().map_err(|error| invalid(&error))?;
    if tensor.dtype() != T::TYPE {
        return Err(BorrowError::ElementType {
            expected: std::any::type_name::<T>(),
            found: format!("{:?}", tensor.dtype()),
        }
        .into());
    }
    let found = tensor.ndim();
    let strides = tensor
        .strides_or_compact()
        .map_err(|error| invalid(&error))?;
    let (Ok(shape), Ok(strides)) = (
        <[i64; R]>::try_from(tensor.shape()),
        <[i64; R]>::try_from(&*strides),
    ) else {
        return Err(BorrowError::Rank { expected: R, found }.into());
    };
    // The extents were validated.
    let shape = shape.map(|extent| usize::try_from(extent).unwrap_or(usize::MAX));
    let is_empty = shape.contains(&0);
    let mut steps = [1; R];
    let mut last = 0usize;
    for (axis, (&extent, &stride)) in shape.iter().zip(&strides).enumerate() {
        if is_empty || extent == 1 {
            // Its stride is not used.
            continue;
        }
        let Ok(step) = usize::try_from(stride) else {
            let stride = isize::try_from(stride).unwrap_or(isize::MIN);
            return Err(BorrowError::NegativeStride { axis, stride }.into());
        };
        steps[axis] = step;
        last = last.saturating_add((extent - 1).saturating_mul(step));
    }
    let is_read_only = managed.flags().contains(DlpackFlags::READ_ONLY);
    Ok(Parts {
        device: tensor.device(),
        address: (tensor.data_ptr().expose_provenance() as u64).wrapping_add(tensor.byte_offset()),
        len: if is_empty { 0 } else { last.saturating_add(1) },
        shape,
        strides: steps,
        permission: if is_read_only {
            Permission::Read
        } else {
            Permission::Write
        },
    })
}

fn other_device(found: DLDevice, expected: &str) -> Error {
    BorrowError::Description {
        reason: format!(
            "it is on device {} of type {}, and not on {expected}",
            found.device_id, found.device_type.0
        ),
    }
    .into()
}
