//! Which results each function is made to return, and what is expected then.

use tile_kernel::Error;
use tile_kernel::foreign::BorrowError;

use crate::driver::Outcome;

const fn outcome(result: u32, name: &'static str, cure: &'static str) -> Outcome {
    Outcome { result, name, cure }
}

const INVALID_VALUE: Outcome = outcome(1, "CUDA_ERROR_INVALID_VALUE", "report it");
const OUT_OF_MEMORY: Outcome = outcome(2, "CUDA_ERROR_OUT_OF_MEMORY", "drop tensors");
const UNAVAILABLE: Outcome = outcome(46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "end that program");
const INVALID_IMAGE: Outcome = outcome(200, "CUDA_ERROR_INVALID_IMAGE", "report it");
const INVALID_CONTEXT: Outcome = outcome(201, "CUDA_ERROR_INVALID_CONTEXT", "retain it");
const NO_BINARY: Outcome = outcome(209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "add `arch(");
const ECC: Outcome = outcome(
    214,
    "CUDA_ERROR_ECC_UNCORRECTABLE",
    "start the program again",
);
const INVALID_PTX: Outcome = outcome(218, "CUDA_ERROR_INVALID_PTX", "update NVIDIA's driver");
const NO_JIT: Outcome = outcome(
    221,
    "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
    "install the whole driver",
);
const NEWER_PTX: Outcome = outcome(
    222,
    "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
    "update NVIDIA's driver",
);
const INVALID_HANDLE: Outcome = outcome(400, "CUDA_ERROR_INVALID_HANDLE", "retain it");
const ILLEGAL_ADDRESS: Outcome =
    outcome(700, "CUDA_ERROR_ILLEGAL_ADDRESS", "start the program again");
const TOO_MANY: Outcome = outcome(
    701,
    "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
    "use smaller tiles",
);
const DESTROYED: Outcome = outcome(709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "retain it");
const NOT_SUPPORTED: Outcome = outcome(801, "CUDA_ERROR_NOT_SUPPORTED", "update NVIDIA's driver");
const NOT_READY: Outcome = outcome(802, "CUDA_ERROR_SYSTEM_NOT_READY", "try again");
const MISMATCH: Outcome = outcome(
    803,
    "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
    "restart the machine",
);
const NO_CLUSTER: Outcome = outcome(
    912,
    "CUDA_ERROR_INVALID_CLUSTER_SIZE",
    "write `cluster = 1`",
);

/// The results that break a context.
pub(crate) const BREAKING: [Outcome; 2] = [ILLEGAL_ADDRESS, ECC];

/// Returns the results that a function is made to return: those of every function, and those that its documentation
/// lists.
pub(crate) fn results(function: &str) -> Vec<Outcome> {
    let more: &[Outcome] = match function {
        "cuInit" => &[UNAVAILABLE, NOT_READY, MISMATCH, ECC],
        "cuDevicePrimaryCtxRetain" => &[UNAVAILABLE, NOT_READY, ECC, INVALID_CONTEXT],
        "cuModuleLoadData" => &[NO_BINARY, INVALID_PTX, NEWER_PTX, NO_JIT, INVALID_IMAGE],
        "cuLaunchKernel" | "cuLaunchKernelEx" => &[
            TOO_MANY,
            NO_CLUSTER,
            INVALID_CONTEXT,
            INVALID_HANDLE,
            DESTROYED,
        ],
        "cuOccupancyMaxActiveClusters" => &[NO_CLUSTER, NOT_SUPPORTED],
        "cuMemAllocAsync" | "cuMemHostAlloc" | "cuGraphInstantiateWithFlags" => {
            &[NOT_SUPPORTED, INVALID_CONTEXT]
        }
        "cuCtxPushCurrent_v2" | "cuStreamSynchronize" | "cuCtxSynchronize" => {
            &[UNAVAILABLE, INVALID_CONTEXT, DESTROYED]
        }
        "cuEventRecord" | "cuStreamWaitEvent" | "cuMemcpyPeerAsync" | "cuGraphLaunch" => {
            &[UNAVAILABLE, INVALID_CONTEXT, INVALID_HANDLE]
        }
        _ => &[UNAVAILABLE],
    };
    [&[INVALID_VALUE, OUT_OF_MEMORY], more].concat()
}

/// Returns `true` if a call does something in a context, which an earlier error may have broken.
pub(crate) fn is_of_a_context(function: &str) -> bool {
    let others = [
        "cuInit",
        "cuDriverGetVersion",
        "cuCtxGetCurrent",
        "cuCtxSetCurrent",
        "cuCtxPushCurrent",
        "cuCtxPopCurrent",
        "cuTensorMapEncodeTiled",
        "cuGetErrorName",
        "cuGetErrorString",
        "cuModuleGetLoadingMode",
    ];
    !function.starts_with("cuDevice") && !others.contains(&base(function))
}

/// Returns the name without the number of its version.
pub(crate) fn base(function: &str) -> &str {
    match function.rsplit_once("_v") {
        Some((base, version)) if version.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => function,
    }
}

/// Returns the kind of an object that stays after a failure.
pub(crate) fn leaves(function: &str) -> Option<&'static str> {
    match function {
        // The module of the general variant, which needs no tensor maps.
        "cuTensorMapEncodeTiled" => Some("module"),
        function => destroys(function),
    }
}

/// Returns the kind of the objects that a function destroys. One whose destruction failed stays: the driver does not
/// say whether its handle is valid still, and to use one that is not may end the program.
fn destroys(function: &str) -> Option<&'static str> {
    Some(match function {
        "cuEventDestroy_v2" => "event",
        "cuStreamDestroy_v2" => "stream",
        "cuGraphDestroy" => "graph",
        "cuGraphExecDestroy" => "exec",
        _ => return None,
    })
}

/// Returns the reason why a scenario may succeed although a function returned a result.
pub(crate) fn harmless(function: &str, result: &str) -> Option<&'static str> {
    Some(match function {
        function if destroys(function).is_some() => "a value is dropped, and one object stays",
        "cuCtxPopCurrent_v2" => "the second attempt does it",
        "cuCtxGetCurrent" | "cuCtxSetCurrent" => "the context is pushed for the launch",
        "cuMemAllocAsync" if result == OUT_OF_MEMORY.name => {
            "memory of dropped tensors is given back, and the allocation is tried again"
        }
        "cuEventQuery" => "work on a stream of other code is taken as running still",
        "cuMemFreeAsync" | "cuMemFree_v2" | "cuMemFreeHost" => {
            "a value is dropped; the memory is freed by another call"
        }
        "cuCtxPushCurrent_v2" => "a value is dropped; the second attempt does it",
        "cuEventCreate" | "cuEventRecord" | "cuStreamWaitEvent" => {
            "behind work that runs, the end of the stream takes the place of the event; before memory is freed, the \
             host waits"
        }
        "cuEventSynchronize" | "cuStreamSynchronize" => {
            "a buffer is dropped; the host waits for the device instead"
        }
        "cuStreamIsCapturing" => "the stream is taken for one that nobody captures",
        "cuLaunchKernel" | "cuLaunchKernelEx" | "cuGraphLaunch" | "cuMemcpyPeerAsync"
            if [INVALID_CONTEXT.name, INVALID_HANDLE.name].contains(&result) =>
        {
            "another context may be current, so the context is pushed, and the call repeated"
        }
        "cuTensorMapEncodeTiled" if result == INVALID_VALUE.name => {
            "the general variant needs no tensor maps"
        }
        "cuOccupancyMaxActiveClusters"
            if [NO_CLUSTER.name, NOT_SUPPORTED.name].contains(&result) =>
        {
            "the kernel is launched without clusters"
        }
        _ => return None,
    })
}

/// Returns `true` if the text of an error names the call and says what to do.
pub(crate) fn is_right(error: &Error, function: &str, outcome: Outcome) -> bool {
    let text = error.to_string();
    if let Error::Borrow(BorrowError::UnknownAddress { .. }) = error {
        // This is how the driver says it.
        return (function, outcome.name) == ("cuPointerGetAttribute", INVALID_VALUE.name)
            && text.contains("pass the address of device memory");
    }
    let names_call = text.contains(&format!("`{}`", base(function)));
    let is_own = matches!(
        error,
        // The call is one for memory of so many bytes.
        Error::OutOfMemory { .. }
            // The call is that which loads the module.
            | Error::NoDeviceCode { .. }
            | Error::PtxTooNew { .. }
    );
    (names_call && text.contains(outcome.name) || is_own) && text.contains(outcome.cure)
}

/// Returns `true` if the text of an error says that the context of a device is lost.
pub(crate) fn says_lost(error: &Error) -> bool {
    matches!(error, Error::ContextLost { .. })
        && error.to_string().contains("its context is lost")
        && error.to_string().contains("start the program again")
}

/// Returns why a function is one that no driver lacks.
pub(crate) fn needed_by_the_driver(function: &str) -> Option<&'static str> {
    match function {
        "cuGetErrorName" | "cuGetErrorString" => Some("they give the text of an error"),
        "cuCtxPopCurrent_v2" => Some("it is as old as `cuCtxPushCurrent_v2`"),
        _ => None,
    }
}

/// Returns `true` if a scenario without a function said what it has to: that the driver lacks it, or that it needs none.
pub(crate) fn is_right_without(function: &str, said: &str) -> bool {
    let is_harmless = destroys(function).is_some()
        || matches!(
            function,
            "cuCtxGetCurrent"
                | "cuCtxSetCurrent"
                | "cuMemFreeAsync"
                | "cuMemFreeHost"
                | "cuTensorMapEncodeTiled"
        );
    if said == "ok" {
        return is_harmless || harmless(function, "").is_some();
    }
    said.contains(&format!("`{}`", base(function)))
        && said.contains("CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER")
        && said.contains("update NVIDIA's driver")
}
