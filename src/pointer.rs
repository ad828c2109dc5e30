//! Raw pointers as arguments of `unsafe` kernels.
//!
//! A pointer keeps the memory that it points into alive. It borrows nothing, so the caller of the
//! kernel must prevent conflicting uses of that memory.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::args::TensorArg;
use crate::driver::Access;
use crate::{Device, Element, Tensor};

macro_rules! pointer {
    ($(#[$doc:meta])* $Name:ident, $access:expr) => {
        $(#[$doc])*
        pub struct $Name<T: Element> {
            pub(crate) target: TensorArg,
            element: PhantomData<T>,
        }

        impl<T: Element> $Name<T> {
            fn new<const R: usize>(tensor: &Tensor<T, R>) -> Self {
                let storage = Arc::clone(&tensor.storage);
                Self {
                    target: TensorArg::new(storage, $access, T::SCALAR, &tensor.layout),
                    element: PhantomData,
                }
            }

            /// Returns the device of the memory that the pointer points into.
            pub fn device(&self) -> Device {
                self.target.storage.device()
            }
        }

        impl<T: Element> Clone for $Name<T> {
            fn clone(&self) -> Self {
                Self {
                    target: self.target.clone(),
                    element: PhantomData,
                }
            }
        }

        impl<T: Element> fmt::Debug for $Name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({:#x} on {})", stringify!($Name), self.target.address(), self.device())
            }
        }
    };
}

pointer! {
    /// An argument for a parameter `*const T`: the address of a tensor's first element.
    ///
    /// A kernel on the CPU device can access the elements from the first to the last of the tensor;
    /// any other access fails with [`Error::Fault`](crate::Error::Fault). On a GPU, nothing is
    /// checked.
    DevicePtr, Access::Shared
}

pointer! {
    /// An argument for a parameter `*mut T`: the address of a tensor's first element.
    ///
    /// The bounds are those of [`DevicePtr`]. No two blocks may use one element concurrently if one
    /// of them writes it, and no tensor of the launch may share memory with the tensor of the
    /// pointer.
    DevicePtrMut, Access::Exclusive
}

impl<T: Element, const R: usize> Tensor<T, R> {
    /// Returns the address of the first element, for a kernel that takes `*const T`.
    pub fn as_device_ptr(&self) -> DevicePtr<T> {
        DevicePtr::new(self)
    }

    /// Returns the address of the first element, for a kernel that takes `*mut T`.
    pub fn as_device_mut_ptr(&mut self) -> DevicePtrMut<T> {
        DevicePtrMut::new(self)
    }
}

impl<T: Element> From<DevicePtrMut<T>> for DevicePtr<T> {
    fn from(pointer: DevicePtrMut<T>) -> DevicePtr<T> {
        let mut target = pointer.target;
        target.access = Access::Shared;
        DevicePtr {
            target,
            element: PhantomData,
        }
    }
}
