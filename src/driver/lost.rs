//! Contexts that an error of earlier work broke.
//!
//! The driver then returns the same error for every call, and does not say which work failed. A context keeps the
//! kernels that were launched last, for the text of the error.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::sys;

use super::Context;
use crate::image::KernelImage;
use crate::{Device, Error, device};

/// The number of kernels that are kept.
const KEPT: usize = 4;

/// What a context knows for the case that it breaks.
#[derive(Default)]
pub(super) struct History {
    /// The number of launches.
    launches: AtomicUsize,
    /// The kernels of the last launches.
    kernels: [AtomicPtr<KernelImage>; KEPT],
    /// The call that first said that the context is broken.
    first_call: OnceLock<&'static str>,
}

impl History {
    /// Notes that a kernel is launched.
    pub(super) fn note(&self, kernel: &'static KernelImage) {
        let number = self.launches.fetch_add(1, Ordering::Relaxed);
        let kernel = ptr::from_ref(kernel).cast_mut();
        self.kernels[number % KEPT].store(kernel, Ordering::Relaxed);
    }

    /// Returns the names of the kernels that were launched last, each once, the last first.
    fn kernels(&self) -> Vec<&'static str> {
        let launches = self.launches.load(Ordering::Relaxed);
        let mut names = Vec::new();
        for back in 1..=KEPT.min(launches) {
            let kernel = self.kernels[(launches - back) % KEPT].load(Ordering::Relaxed);
            // SAFETY: null, or from a reference that is never invalid.
            if let Some(kernel) = unsafe { kernel.as_ref() }
                && !names.contains(&kernel.name)
            {
                names.push(kernel.name);
            }
        }
        names
    }
}

static OPENED: Mutex<Vec<&'static Context>> = Mutex::new(Vec::new());

/// Makes a context known to [`error`].
pub(super) fn register(context: &'static Context) {
    let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    opened.push(context);
}

/// Returns `true` for an error after which a context does nothing but return it.
fn breaks_contexts(result: sys::CUresult) -> bool {
    use sys::CUresult as R;
    matches!(
        result,
        R::CUDA_ERROR_ECC_UNCORRECTABLE
            | R::CUDA_ERROR_NVLINK_UNCORRECTABLE
            | R::CUDA_ERROR_CONTAINED
            | R::CUDA_ERROR_ILLEGAL_ADDRESS
            | R::CUDA_ERROR_LAUNCH_TIMEOUT
            | R::CUDA_ERROR_ASSERT
            | R::CUDA_ERROR_HARDWARE_STACK_ERROR
            | R::CUDA_ERROR_ILLEGAL_INSTRUCTION
            | R::CUDA_ERROR_MISALIGNED_ADDRESS
            | R::CUDA_ERROR_INVALID_ADDRESS_SPACE
            | R::CUDA_ERROR_INVALID_PC
            | R::CUDA_ERROR_LAUNCH_FAILED
            | R::CUDA_ERROR_TENSOR_MEMORY_LEAK
    )
}

/// Returns the error for a result that means that a context is broken; `None` for other results.
pub(super) fn error(
    call: &'static str,
    result: sys::CUresult,
    context: sys::CUcontext,
    name: &str,
    description: &str,
) -> Option<Error> {
    if !breaks_contexts(result) {
        return None;
    }
    let opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let context: &'static Context = opened.iter().find(|known| known.raw == context)?;
    Some(Error::ContextLost {
        device: Device(device::Kind::Cuda(context)),
        call,
        name: name.to_owned(),
        description: description.to_owned(),
        first_call: context.history.first_call.get_or_init(|| call),
        kernels: context.history.kernels().into(),
    })
}
