//! Collective operations of NVIDIA's NCCL on tensors of several GPUs.
//!
//! ```no_run
//! use tile_kernel::{Device, Tensor};
//! use tile_kernel_cudarc::nccl::{Group, Operation};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let devices = [Device::cuda(0)?, Device::cuda(1)?];
//! let group = Group::new(&devices)?;
//! let mut gradients = [
//!     Tensor::full(&devices[0], [1000], 1.0f32)?,
//!     Tensor::full(&devices[1], [1000], 2.0f32)?,
//! ];
//! group.all_reduce(&mut gradients, Operation::Sum)?;
//! assert_eq!(gradients[0].to_vec()?, [3.0; 1000]);
//! # Ok(())
//! # }
//! ```
//!
//! An operation is work on streams of the group. It follows the launches so far that use its tensors, and later
//! launches follow it; the host waits for nothing. One thread drives all devices of a group.
//!
//! The library is looked for at run time, unless a crate of the program lets `cudarc` link it.

use std::ffi::{CStr, c_int};
use std::fmt;
use std::panic::catch_unwind;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{CudaContext, CudaStream, DriverError};
use cudarc::nccl::result::{self, NcclError, NcclStatus};
use cudarc::nccl::sys::{
    ncclComm_t, ncclDataType_t, ncclGetErrorString, ncclRedOp_t, ncclResult_t,
};
use tile_kernel::foreign::{self, Stream};
use tile_kernel::{Device, Element, Tensor, bf16, f16};

/// A type of elements that NCCL computes with.
pub trait Number: Element {
    #[doc(hidden)]
    const TYPE: ncclDataType_t;
}

macro_rules! numbers {
    ($($ty:ty => $name:ident),+ $(,)?) => {
        $(impl Number for $ty { const TYPE: ncclDataType_t = ncclDataType_t::$name; })+
    };
}
numbers! {
    i8 => ncclInt8, u8 => ncclUint8, i32 => ncclInt32, u32 => ncclUint32, i64 => ncclInt64, u64 => ncclUint64,
    f16 => ncclFloat16, bf16 => ncclBfloat16, f32 => ncclFloat32, f64 => ncclFloat64,
}

/// How numbers of all devices become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The sum.
    Sum,
    /// The product.
    Product,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The sum divided by the number of devices.
    Mean,
}

impl Operation {
    fn raw(self) -> ncclRedOp_t {
        match self {
            Operation::Sum => ncclRedOp_t::ncclSum,
            Operation::Product => ncclRedOp_t::ncclProd,
            Operation::Min => ncclRedOp_t::ncclMin,
            Operation::Max => ncclRedOp_t::ncclMax,
            Operation::Mean => ncclRedOp_t::ncclAvg,
        }
    }
}

/// An error of a group.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is no library of NCCL, or it lacks functions.
    Missing,
    /// NCCL returned an error.
    Nccl {
        /// The function.
        call: &'static str,
        /// What NCCL says.
        text: String,
    },
    /// Tensors that do not fit the operation.
    Tensors {
        /// The index of the first tensor that does not fit; the number of tensors if there are too few or too many.
        index: usize,
        /// What it has to be.
        expected: String,
    },
    /// An error of `tile_kernel`.
    Kernel(tile_kernel::Error),
    /// An error of `cudarc`.
    Driver(DriverError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing => f.write_str(
                "no NCCL found: install it (the package `libnccl-dev`, or `nvidia-nccl-cu12` of PyPI), and put a folder \
                 with a link `libnccl.so` to its `libnccl.so.2` in `LD_LIBRARY_PATH`",
            ),
            Error::Nccl { call, text } => write!(
                f,
                "`{call}` of NCCL failed: {text}; set `NCCL_DEBUG=INFO` and it says why"
            ),
            Error::Tensors { index, expected } => write!(f, "tensor {index} does not fit: {expected}"),
            Error::Kernel(error) => error.fmt(f),
            Error::Driver(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<tile_kernel::Error> for Error {
    fn from(error: tile_kernel::Error) -> Error {
        Error::Kernel(error)
    }
}

impl From<DriverError> for Error {
    fn from(error: DriverError) -> Error {
        Error::Driver(error)
    }
}

/// Returns the version of NCCL, such as 22803 for 2.28.3.
///
/// # Errors
/// [`Error::Missing`] without the library. `cudarc` then reports the names that it looked for by a panic, which is
/// caught here, but printed.
pub fn version() -> Result<u32, Error> {
    let version = catch_unwind(result::get_nccl_version).map_err(|_| Error::Missing)?;
    let version = version.map_err(|error| failure("ncclGetVersion", &error))?;
    Ok(u32::try_from(version).unwrap_or(0))
}

fn failure(call: &'static str, error: &NcclError) -> Error {
    let NcclError(code) = error;
    // SAFETY: returns a constant text for every code.
    let text = unsafe { ncclGetErrorString(*code) };
    let text = if text.is_null() {
        format!("{code:?}")
    } else {
        // SAFETY: the text ends with a zero byte and is never freed.
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    };
    Error::Nccl { call, text }
}

/// Converts the result of a function. Work in progress is an error, as communicators of this module wait.
fn check(call: &'static str, result: Result<NcclStatus, NcclError>) -> Result<(), Error> {
    match result {
        Ok(NcclStatus::Success) => Ok(()),
        Ok(NcclStatus::InProgress | NcclStatus::NumResults) => {
            Err(failure(call, &NcclError(ncclResult_t::ncclInProgress)))
        }
        Err(error) => Err(failure(call, &error)),
    }
}

/// GPUs that work together, each with a communicator and a stream.
pub struct Group {
    /// Operations of a group are started one after the other.
    members: Mutex<Vec<Member>>,
}

struct Member {
    communicator: ncclComm_t,
    device: Device,
    stream: Arc<CudaStream>,
}

// SAFETY: a communicator may be used from any thread, but only from one at a time, which the lock of the group ensures.
unsafe impl Send for Member {}

impl Drop for Member {
    fn drop(&mut self) {
        // SAFETY: the communicator was created by `Group::new`, and nothing else has it. A failure means that the device is
        // lost.
        let _ = unsafe { result::comm_destroy(self.communicator) };
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let devices: Vec<Device> = self.lock().iter().map(|member| member.device).collect();
        f.debug_tuple("Group").field(&devices).finish()
    }
}

impl Group {
    /// Makes a group of GPUs, in this order.
    ///
    /// # Errors
    /// [`Error::Missing`] without the library, or an error of NCCL or of the driver.
    pub fn new(devices: &[Device]) -> Result<Group, Error> {
        version()?;
        let ordinals = devices.iter().map(|device| {
            device.ordinal().ok_or_else(|| Error::Tensors {
                index: 0,
                expected: format!("{device} is no GPU"),
            })
        });
        let ordinals: Vec<usize> = ordinals.collect::<Result<_, _>>()?;
        let streams = ordinals
            .iter()
            .map(|&ordinal| CudaContext::new(ordinal)?.new_stream());
        let streams: Vec<Arc<CudaStream>> = streams.collect::<Result<_, _>>()?;
        let list = ordinals.iter().map(|&ordinal| c_int::try_from(ordinal));
        let list: Vec<c_int> = list.collect::<Result<_, _>>().expect("few GPUs");
        let count = c_int::try_from(list.len()).expect("few GPUs");
        let mut communicators = vec![ptr::null_mut(); list.len()];
        // SAFETY: writes as many communicators as there are devices in the list.
        check("ncclCommInitAll", unsafe {
            result::comm_init_all(communicators.as_mut_ptr(), count, list.as_ptr())
        })?;
        let members = communicators.into_iter().zip(devices).zip(streams);
        let members = members.map(|((communicator, &device), stream)| Member {
            communicator,
            device,
            stream,
        });
        Ok(Group {
            members: Mutex::new(members.collect()),
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Member>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the tensors, one of each device in the order of the group, by what the operation makes of all.
    ///
    /// # Errors
    /// [`Error::Tensors`] if they are not one of each device, contiguous, and of one length; or an error of NCCL or of the
    /// driver.
    pub fn all_reduce<T: Number, const R: usize>(
        &self,
        tensors: &mut [Tensor<T, R>],
        operation: Operation,
    ) -> Result<(), Error> {
        self.in_place("ncclAllReduce", tensors, |member, address, len| {
            // SAFETY: the addresses are of so many elements, which the stream may write.
            unsafe {
                result::all_reduce(
                    address.cast_const(),
                    address,
                    len,
                    T::TYPE,
                    operation.raw(),
                    member.communicator,
                    member.stream.cu_stream().cast(),
                )
            }
        })
    }

    /// Replaces the tensors, one of each device in the order of the group, by that of the device with the index `root`.
    ///
    /// # Errors
    /// As [`all_reduce`](Self::all_reduce).
    pub fn broadcast<T: Number, const R: usize>(
        &self,
        tensors: &mut [Tensor<T, R>],
        root: usize,
    ) -> Result<(), Error> {
        if root >= tensors.len() {
            return Err(Error::Tensors {
                index: root,
                expected: "there is no tensor with the index of the root".to_owned(),
            });
        }
        let root = c_int::try_from(root).expect("few GPUs");
        self.in_place("ncclBroadcast", tensors, |member, address, len| {
            // SAFETY: as above.
            unsafe {
                result::broadcast(
                    address.cast_const(),
                    address,
                    len,
                    T::TYPE,
                    root,
                    member.communicator,
                    member.stream.cu_stream().cast(),
                )
            }
        })
    }

    /// Starts an operation on a tensor of each device, which may be read and written.
    fn in_place<T: Number, const R: usize>(
        &self,
        call: &'static str,
        tensors: &mut [Tensor<T, R>],
        start: impl Fn(&Member, *mut std::ffi::c_void, usize) -> Result<NcclStatus, NcclError>,
    ) -> Result<(), Error> {
        let members = self.lock();
        check_tensors(&members, tensors)?;
        let streams = members.iter().map(|member| {
            // SAFETY: the stream exists as long as the member.
            unsafe { Stream::from_raw(&member.device, member.stream.cu_stream().cast()) }
        });
        let streams: Vec<Stream<'_>> = streams.collect::<Result<_, _>>()?;
        for (stream, tensor) in streams.iter().zip(&*tensors) {
            stream.wait_for(tensor)?;
        }
        check("ncclGroupStart", result::group_start())?;
        let started = members
            .iter()
            .zip(&*tensors)
            .try_for_each(|(member, tensor)| {
                let address = ptr::with_exposed_provenance_mut(
                    usize::try_from(foreign::address(tensor))
                        .expect("addresses are as long as pointers"),
                );
                check(call, start(member, address, tensor.len()))
            });
        // What was started has to be ended in any case.
        let ended = check("ncclGroupEnd", result::group_end());
        for (stream, tensor) in streams.iter().zip(&*tensors) {
            stream.precede(tensor)?;
        }
        started.and(ended)
    }
}

/// Refuses tensors that are not one of each device in order, contiguous, and of one length.
fn check_tensors<T: Number, const R: usize>(
    members: &[Member],
    tensors: &[Tensor<T, R>],
) -> Result<(), Error> {
    let refuse = |index, expected: String| Err(Error::Tensors { index, expected });
    if tensors.len() != members.len() {
        let expected = format!("pass {} tensors, one of each device", members.len());
        return refuse(tensors.len(), expected);
    }
    for (index, (tensor, member)) in tensors.iter().zip(members).enumerate() {
        if tensor.device() != member.device {
            let expected = format!(
                "it is on {}, and device {index} is {}",
                tensor.device(),
                member.device
            );
            return refuse(index, expected);
        }
        if tensor.len() != tensors[0].len() {
            let expected = format!(
                "it has {} elements, and tensor 0 has {}",
                tensor.len(),
                tensors[0].len()
            );
            return refuse(index, expected);
        }
        if !tensor.is_contiguous() {
            return refuse(index, "call `contiguous()` on it before".to_owned());
        }
    }
    Ok(())
}
