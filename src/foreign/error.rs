//! The errors of borrowing memory.

use crate::Device;

/// A borrow of memory that is not possible, or a use of it that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BorrowError {
    /// A tensor is used after the borrow of its memory.
    #[error(
        "{} in memory that was borrowed, and the borrow has ended: use views before the end of the scope or of \
         the `Borrowed`, or copy them with `copy()`", is_param(.param.as_ref())
    )]
    Ended {
        /// The kernel and its parameter, if a kernel was launched.
        param: Option<(&'static str, &'static str)>,
    },

    /// A tensor is written, and its memory was borrowed to be read.
    #[error(
        "{} in memory that was borrowed to be read: borrow it with `slice_mut` or as a `BorrowedMut`, or write to a \
         copy made with `copy()`", is_param(.param.as_ref())
    )]
    ReadOnly {
        /// The kernel and its parameter, if a kernel was launched.
        param: Option<(&'static str, &'static str)>,
    },

    /// A view would reach elements between those that were borrowed.
    #[error(
        "only the elements of the tensor were borrowed, and none between them: use `narrow`, `slice` and other views of \
         its own elements in place of `as_strided`"
    )]
    Between,

    /// A stride is negative.
    #[error(
        "axis {axis} has stride {stride}, and tensors have no negative ones: do not reverse the axis, or copy the view"
    )]
    NegativeStride {
        /// The index of the axis.
        axis: usize,
        /// The stride, in elements.
        stride: isize,
    },

    /// The memory has another number of axes than the tensor.
    #[error(
        "a tensor of {expected} axes was asked for, and there are {found}: reshape it, or ask for `Tensor<_, {found}>`"
    )]
    Rank {
        /// The number of axes of the tensor.
        expected: usize,
        /// The number of axes that there are.
        found: usize,
    },

    /// The memory has elements of another type than the tensor.
    #[error(
        "a tensor of {expected} was asked for, and the elements are {found}: convert them, or ask for that type"
    )]
    ElementType {
        /// The element type of the tensor.
        expected: &'static str,
        /// The element type that there is.
        found: String,
    },

    /// The description of the memory is not valid, or not that of memory that can be borrowed.
    #[error(
        "the description of the memory cannot be used ({reason}): describe memory of the device that is asked for"
    )]
    Description {
        /// The reason why it is refused.
        reason: String,
    },

    /// The address is null.
    #[error(
        "the address of {len} elements is null: pass the address that the owner of the memory has for it"
    )]
    Null {
        /// The number of elements of the memory.
        len: usize,
    },

    /// The address is no multiple of the size of an element.
    #[error(
        "address {address:#x} is not aligned for elements of {element_bytes} bytes: pass the address of an element, or \
         copy the memory with `Tensor::from_slice`"
    )]
    Misaligned {
        /// The address.
        address: u64,
        /// The size of an element in bytes.
        element_bytes: usize,
    },

    /// The device cannot use the memory of the program.
    #[error(
        "{device} does not use the program's own memory: borrow it for `Device::cpu()`, or copy it with \
         `Tensor::from_slice`"
    )]
    HostMemory {
        /// The device.
        device: Device,
    },

    /// The device has no streams of other libraries.
    #[error(
        "{device} has no streams of other libraries: name a GPU, `Device::cuda(ordinal)`; `foreign::scope` borrows \
         memory for the CPU"
    )]
    NoGpu {
        /// The device.
        device: Device,
    },

    /// The driver does not know the address.
    #[error(
        "address {address:#x} is no memory of {device}: pass the address of device memory, which is still allocated; \
         `foreign::scope` borrows host memory"
    )]
    UnknownAddress {
        /// The address.
        address: u64,
        /// The device of the stream.
        device: Device,
    },

    /// The address is in memory of another GPU than the stream.
    #[error(
        "address {address:#x} is memory of device {ordinal}, and its stream is one of {device}: pass a stream of \
         `Device::cuda({ordinal})`"
    )]
    OtherDevice {
        /// The address.
        address: u64,
        /// The device of the stream.
        device: Device,
        /// The ordinal of the GPU that has the memory.
        ordinal: i32,
    },
}

impl BorrowError {
    /// Names the parameter of a launch.
    pub(crate) fn of_param(self, kernel: &'static str, name: &'static str) -> BorrowError {
        let param = Some((kernel, name));
        match self {
            BorrowError::Ended { param: _ } => BorrowError::Ended { param },
            BorrowError::ReadOnly { param: _ } => BorrowError::ReadOnly { param },
            other => other,
        }
    }
}

fn is_param(param: Option<&(&'static str, &'static str)>) -> String {
    match param {
        Some((kernel, param)) => format!("`{param}` of kernel `{kernel}` is"),
        None => "the tensor is".to_owned(),
    }
}
