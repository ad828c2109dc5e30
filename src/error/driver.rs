//! The cures for errors of the driver.

use crate::Device;

/// Returns advice for a driver error that has no variant of its own; `name` is CUDA's name of the
/// error.
pub(super) fn advice(name: &str) -> &'static str {
    match name {
        "CUDA_ERROR_ILLEGAL_ADDRESS"
        | "CUDA_ERROR_MISALIGNED_ADDRESS"
        | "CUDA_ERROR_ILLEGAL_INSTRUCTION"
        | "CUDA_ERROR_LAUNCH_FAILED"
        | "CUDA_ERROR_ASSERT" => {
            "a kernel launched earlier failed; run it on `Device::cpu()` for the block and the operation"
        }
        "CUDA_ERROR_LAUNCH_TIMEOUT" => {
            "a kernel ran longer than the display driver allows; split the work"
        }
        "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES" => {
            "the kernel needs more registers or shared memory than the GPU has; use smaller tiles"
        }
        "CUDA_ERROR_INVALID_CLUSTER_SIZE" => {
            "the GPU does not start clusters of so many blocks; write `cluster = 1` in `#[tile_kernel]` on the kernel"
        }
        "CUDA_ERROR_OUT_OF_MEMORY" => {
            "the memory of the GPU or of the host does not suffice; drop tensors, streams and graphs that are not needed, \
             or end other programs that use the GPU"
        }
        "CUDA_ERROR_INVALID_VALUE" | "CUDA_ERROR_INVALID_IMAGE" | "CUDA_ERROR_INVALID_SOURCE" => {
            "the driver does not take what this crate passed, which is a bug; report it with the version of the driver, and \
             use `Device::cpu()` meanwhile"
        }
        "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER" => {
            "the driver does not have this function; update NVIDIA's driver to r525 or newer, or use `Device::cpu()`"
        }
        "CUDA_ERROR_DEVICE_UNAVAILABLE" => {
            "another program has the GPU for itself, or the GPU is prohibited; end that program, or allow several with \
             `nvidia-smi -c DEFAULT`"
        }
        "CUDA_ERROR_ECC_UNCORRECTABLE"
        | "CUDA_ERROR_NVLINK_UNCORRECTABLE"
        | "CUDA_ERROR_CONTAINED" => HARDWARE,
        "CUDA_ERROR_SYSTEM_NOT_READY" => {
            "a service of the driver does not run yet; start it (`nvidia-fabricmanager` where GPUs have an NVSwitch), and \
             try again"
        }
        "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH" => {
            "the driver and its kernel module do not match; restart the machine"
        }
        "CUDA_ERROR_MPS_CONNECTION_FAILED"
        | "CUDA_ERROR_MPS_RPC_FAILURE"
        | "CUDA_ERROR_MPS_SERVER_NOT_READY"
        | "CUDA_ERROR_MPS_CLIENT_TERMINATED" => {
            "the MPS server does not answer; restart it with `nvidia-cuda-mps-control`, and then the program"
        }
        "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED" | "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED" => {
            "the MPS server has too many clients; end other programs that use the GPU"
        }
        "CUDA_ERROR_INVALID_CONTEXT"
        | "CUDA_ERROR_INVALID_HANDLE"
        | "CUDA_ERROR_CONTEXT_IS_DESTROYED" => {
            "other code of the program reset the device or released its primary context; retain it there as long as this \
             crate uses the device"
        }
        "CUDA_ERROR_NOT_SUPPORTED" => {
            "the GPU or its driver does not support this; update NVIDIA's driver, or use `Device::cpu()`"
        }
        "CUDA_ERROR_DEINITIALIZED" => {
            "the program is ending; drop tensors and streams before `main` returns"
        }
        "CUDA_ERROR_JIT_COMPILER_NOT_FOUND" | "CUDA_ERROR_JIT_COMPILATION_DISABLED" => {
            "the driver cannot compile PTX here; install the whole driver, unset `CUDA_DISABLE_PTX_JIT`, or add the \
             architecture of the GPU to `#[tile_kernel]` with `arch(..)`"
        }
        "CUDA_ERROR_STUB_LIBRARY" => {
            "a stub of the driver's library was loaded; take its folder out of `LD_LIBRARY_PATH`"
        }
        _ => "look the name up in the CUDA driver API reference, or use `Device::cpu()`",
    }
}

const HARDWARE: &str = "the GPU has an error of its hardware; start the program again, and if the error comes back, reset the GPU with \
                        `nvidia-smi --gpu-reset`";

/// Says what became of a device after an error of its earlier work, and what to do.
pub(super) fn lost(
    device: &Device,
    call: &str,
    name: &str,
    first_call: &str,
    kernels: &[&'static str],
) -> String {
    let first = if first_call == call {
        String::new()
    } else {
        format!(", as `{first_call}` said first")
    };
    let ended = format!("earlier work on {device} failed{first}, and its context is lost");
    if matches!(
        name,
        "CUDA_ERROR_ECC_UNCORRECTABLE" | "CUDA_ERROR_NVLINK_UNCORRECTABLE" | "CUDA_ERROR_CONTAINED"
    ) {
        return format!("{ended}; {HARDWARE}");
    }
    let kernels: Vec<String> = kernels.iter().map(|name| format!("`{name}`")).collect();
    let repeat = match kernels.as_slice() {
        [] => "run its kernels on `Device::cpu()` for the block and the operation".to_owned(),
        [kernel] => {
            format!(
                "run kernel {kernel}, which was launched last, on `Device::cpu()` for the block and the operation"
            )
        }
        kernels => format!(
            "run the kernels that were launched last, {}, on `Device::cpu()` for the block and the operation",
            kernels.join(", ")
        ),
    };
    let timeout = match name {
        "CUDA_ERROR_LAUNCH_TIMEOUT" => "; if they are right, they ran too long, so split the work",
        _ => "",
    };
    format!("{ended}; {repeat}{timeout}, and start the program again to use the GPU")
}
