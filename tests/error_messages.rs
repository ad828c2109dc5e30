//! Tests that every error states the problem and its remedy, in a uniform style.

use expect_test::{Expect, expect};
use tile_kernel::foreign::BorrowError;
use tile_kernel::{Device, Error, Overlap, SimulatedFault};

fn check(error: &Error, expected: &Expect) {
    let message = error.to_string();
    let (first, last) = (
        message.chars().next().unwrap_or(' '),
        message.chars().last().unwrap_or(' '),
    );
    assert!(!first.is_uppercase() && last != '.', "{message}");
    expected.assert_eq(&message);
}

#[test]
fn instances_that_are_not_listed() {
    check(
        &Error::NotCompiled {
            kernel: "scale",
            instance: "T = f64, N = 64".to_owned(),
            listed: vec!["(T = f32, N = 64)", "(T = f16, N = 64)", "30 more"],
        },
        &expect![
            "kernel `scale` was not compiled for `T = f64, N = 64`, only for `(T = f32, N = 64)`, `(T = f16, N = 64)`, 30 more: add it to `#[tile_kernel]` on `scale`, or ask for another"
        ],
    );
}

#[test]
fn blocks_that_stores_do_not_tell_apart() {
    check(
        &Error::BlocksNotApart {
            kernel: "scale",
            axis: 0,
            blocks: 70_000,
            limit: 65_536,
        },
        &expect![
            "kernel `scale` was launched with 70000 blocks along axis 0 of the grid, and its stores tell 65536 apart: launch it with the grid of its attribute, or compute the indices of its stores in `i64`"
        ],
    );
}

#[test]
fn indices_that_arguments_make_wrap() {
    let wraps = |reach| Error::IndexWraps {
        kernel: "scale",
        param: "y",
        line: 12,
        bits: 32,
        reach,
    };
    check(
        &wraps(Some(3_221_225_471)),
        &expect![
            "two blocks of kernel `scale` might store to one place of `y` in line 12: with these arguments and this grid, a number that the index is computed from reaches 3221225471, beyond 32 bits: compute it in `i64`, or launch fewer blocks"
        ],
    );
    check(
        &wraps(None),
        &expect![
            "two blocks of kernel `scale` might store to one place of `y` in line 12: with these arguments and this grid, a number that the index is computed from may go beyond 32 bits: compute it in `i64`, or launch fewer blocks"
        ],
    );
    let divides = |least| Error::IndexDivisor {
        kernel: "scale",
        param: "y",
        line: 12,
        least,
    };
    check(
        &divides(Some(0)),
        &expect![
            "two blocks of kernel `scale` might store to one place of `y` in line 12: with these arguments and this grid, a number that the index is computed from is divided by 0: pass arguments for which it is 1 or more, or launch fewer blocks"
        ],
    );
    check(
        &divides(None),
        &expect![
            "two blocks of kernel `scale` might store to one place of `y` in line 12: with these arguments and this grid, a number that the index is computed from is divided by what may be 0: pass arguments for which it is 1 or more, or launch fewer blocks"
        ],
    );
}

#[test]
fn devices_and_drivers() {
    check(
        &Error::NoDriver,
        &expect![
            "no CUDA driver found: install NVIDIA's driver, or use `Device::cpu()` or `Device::best()`"
        ],
    );
    check(
        &Error::DriverTooOld {
            found: 11_080,
            needed: 12_000,
        },
        &expect![
            "the CUDA driver supports CUDA 11.8, and CUDA 12.0 is needed: update NVIDIA's driver to r525 or newer, or use `Device::cpu()`"
        ],
    );
    check(
        &Error::NoSuchDevice {
            ordinal: 3,
            count: 0,
        },
        &expect![
            "no CUDA device 3 (the driver shows 0, counted from 0): use `Device::cpu()`, or make a GPU visible in `CUDA_VISIBLE_DEVICES`"
        ],
    );
    check(
        &Error::NoSuchDevice {
            ordinal: 3,
            count: 1,
        },
        &expect![
            "no CUDA device 3 (the driver shows 1, counted from 0): use a lower number, or `Device::best()`"
        ],
    );
    check(
        &Error::NoSuchDevice {
            ordinal: 3,
            count: 2,
        },
        &expect![
            "no CUDA device 3 (the driver shows 2, counted from 0): use a lower number, or `Device::best()`"
        ],
    );
    check(
        &Error::OutOfMemory {
            device: Device::cpu(),
            bytes: 1 << 40,
        },
        &expect![
            "out of memory on cpu: 1099511627776 bytes were asked for; drop tensors that are not needed, or split the work"
        ],
    );
    check(
        &Error::Driver {
            call: "cuStreamSynchronize",
            name: "CUDA_ERROR_ILLEGAL_ADDRESS".to_owned(),
            description: "an illegal memory access was encountered".to_owned(),
        },
        &expect![
            "`cuStreamSynchronize` failed with CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered): a kernel launched earlier failed; run it on `Device::cpu()` for the block and the operation"
        ],
    );
    check(
        &Error::Driver {
            call: "cuLaunchKernel",
            name: "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES".to_owned(),
            description: "too many resources requested for launch".to_owned(),
        },
        &expect![
            "`cuLaunchKernel` failed with CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (too many resources requested for launch): the kernel needs more registers or shared memory than the GPU has; use smaller tiles"
        ],
    );
    check(
        &Error::Driver {
            call: "cuLaunchKernelEx",
            name: "CUDA_ERROR_INVALID_CLUSTER_SIZE".to_owned(),
            description: "invalid cluster size".to_owned(),
        },
        &expect![
            "`cuLaunchKernelEx` failed with CUDA_ERROR_INVALID_CLUSTER_SIZE (invalid cluster size): the GPU does not start clusters of so many blocks; write `cluster = 1` in `#[tile_kernel]` on the kernel"
        ],
    );
    check(
        &Error::Driver {
            call: "cuInit",
            name: "CUDA_ERROR_UNKNOWN".to_owned(),
            description: "unknown error".to_owned(),
        },
        &expect![
            "`cuInit` failed with CUDA_ERROR_UNKNOWN (unknown error): look the name up in the CUDA driver API reference, or use `Device::cpu()`"
        ],
    );
}

#[test]
fn embedded_code() {
    check(
        &Error::NoDeviceCode {
            kernel: "matmul",
            device: "NVIDIA GeForce RTX 2080".to_owned(),
            arch: "sm_75".to_owned(),
            embedded: vec!["sm_80", "sm_90a"],
        },
        &expect![[
            r#"kernel `matmul` has no code for NVIDIA GeForce RTX 2080 (sm_75), only sm_80, sm_90a: add `arch("sm_75")` to `#[tile_kernel]` on `matmul`, or build with `TILE_ARCH=sm_75`"#
        ]],
    );
    check(
        &Error::NoDeviceCode {
            kernel: "matmul",
            device: "NVIDIA H200".to_owned(),
            arch: "sm_90".to_owned(),
            embedded: vec![],
        },
        &expect![[
            r#"kernel `matmul` has no code for NVIDIA H200 (sm_90), only code for the CPU device: if the build warned that a part is missing, install it; else add `arch("sm_90")` to `#[tile_kernel]` on `matmul`, or build with `TILE_ARCH=sm_90`"#
        ]],
    );
    check(
        &Error::PtxTooNew {
            kernel: "matmul",
            arch: "sm_100".to_owned(),
        },
        &expect![[
            r#"kernel `matmul` has no cubin for sm_100, and the driver is too old for its PTX: update NVIDIA's driver, or add `arch("sm_100")` to `#[tile_kernel]` on `matmul`"#
        ]],
    );
    check(
        &Error::Artifact {
            kernel: "matmul",
            reason: "version 13.9 is not known".to_owned(),
        },
        &expect![
            "the embedded code of kernel `matmul` cannot be used (version 13.9 is not known): rebuild the crate with one version of `tile-kernel`, and report a bug if that does not help"
        ],
    );
}

#[test]
fn launches() {
    let kernel = "matmul";
    check(
        &Error::DeviceMismatch {
            kernel,
            first_param: "a",
            expected: Device::cpu(),
            param: "c",
            found: Device::cpu(),
        },
        &expect![
            "`c` of kernel `matmul` is on cpu, but `a` is on cpu: move it with `to_device(&device)`"
        ],
    );
    check(
        &Error::StreamMismatch {
            kernel,
            expected: Device::cpu(),
            found: Device::cpu(),
        },
        &expect![
            "kernel `matmul` runs on cpu, but its stream is one of cpu: make the stream with `Stream::new(&device)` of that device"
        ],
    );
    check(
        &Error::BrokenFact {
            kernel,
            fact: "a.dim(1) == b.dim(0) && p.addr() % 16 == 0",
            values: vec![
                ("a.dim(1)".to_owned(), 64),
                ("b.dim(0)".to_owned(), 32),
                ("p.addr()".to_owned(), 0x7f08),
            ],
        },
        &expect![
            "kernel `matmul` assumes `a.dim(1) == b.dim(0) && p.addr() % 16 == 0`, but `a.dim(1)` is 64, `b.dim(0)` is 32 and `p.addr()` is 0x7f08: pass what it assumes, or remove this `assume` from `matmul`"
        ],
    );
    check(
        &Error::NoGrid { kernel },
        &expect![
            "kernel `matmul` was launched without a grid: call `.grid([x, y, z])` before `.launch()`, or write `grid = ...` in `#[tile_kernel]` on `matmul`"
        ],
    );
    check(
        &Error::GridTooLarge {
            kernel,
            axis: 1,
            blocks: 70_000,
            limit: 65_535,
        },
        &expect![
            "the grid of kernel `matmul` is too large: axis 1 has 70000 blocks, and 65535 is the most; use larger tiles, or put the longest axis first"
        ],
    );
    check(
        &Error::ZeroTile { kernel, axis: 0 },
        &expect![
            "the grid of kernel `matmul` comes from a tile of 0 elements along axis 0: give `tiles` a shape without zeros"
        ],
    );
    check(
        &Error::GridRank { kernel, axes: 4 },
        &expect![
            "the grid of kernel `matmul` comes from 4 axes of tiles, and a grid has 3: reshape the tensor, or give the grid as `[x, y, z]`"
        ],
    );
    let aliasing = |other_is_written, overlap| Error::Aliasing {
        kernel,
        exclusive: "c",
        other: "a",
        other_is_written,
        overlap,
    };
    check(
        &aliasing(false, Overlap::Proven),
        &expect![
            "`c` of kernel `matmul` is `&mut` and shares memory with `a`: they are views of one tensor with elements in common: pass a copy of the one that is read, from `copy()`"
        ],
    );
    check(
        &aliasing(true, Overlap::Proven),
        &expect![
            "`c` of kernel `matmul` is `&mut` and shares memory with `a`: they are views of one tensor with elements in common: divide the tensor with `split_at_mut`, `chunks_mut` or `axis_iter_mut`, or write to a new tensor and copy it"
        ],
    );
    check(
        &aliasing(false, Overlap::Undecided),
        &expect![
            "`c` of kernel `matmul` is `&mut` and shares memory with `a`: they are views of one tensor whose strides do not show within 50000 steps that they have no element in common: pass a copy of the one that is read, from `copy()`, or views with the same strides"
        ],
    );
    check(
        &aliasing(true, Overlap::Undecided),
        &expect![
            "`c` of kernel `matmul` is `&mut` and shares memory with `a`: they are views of one tensor whose strides do not show within 50000 steps that they have no element in common: pass views with the same strides, as `split_at_mut` makes them, or write to a new tensor and copy it"
        ],
    );
    check(
        &Error::ReadOnlyArgument {
            kernel,
            param: "c",
            shape: vec![4, 8],
            strides: vec![0, 1],
        },
        &expect![
            "`c` of kernel `matmul` is `&mut`, but several indices of this view (shape [4, 8], strides [0, 1]) are one element: pass a copy of it, `c.copy()?`"
        ],
    );
    check(
        &Error::NoSuchBlock {
            kernel,
            block: [4, 0, 0],
            grid: [4, 2, 1],
        },
        &expect![
            "kernel `matmul` has no block [4, 0, 0] in its grid of [4, 2, 1] blocks: give `only_block` three indices, each below the number of blocks along its axis"
        ],
    );
    check(
        &Error::NotAlone {
            kernel,
            device: Device::sim(),
            reason: "a GPU numbers the blocks of a launch from 0",
        },
        &expect![
            "sim does not run one block of kernel `matmul` alone: a GPU numbers the blocks of a launch from 0; copy the tensors to the CPU device with `to_device(&Device::cpu())`, and call `only_block` there"
        ],
    );
    check(
        &Error::NotProgrammatic { kernel },
        &expect![
            "kernel `matmul` cannot start before the previous one has ended: write `programmatic_launch` in `#[tile_kernel]` on the kernel, or launch it without `programmatic(true)`"
        ],
    );
    check(
        &Error::Fault {
            kernel,
            file: "src/kernels.rs",
            line: 12,
            block: [3, 0, 0],
            op: "load_ptr_tko".to_owned(),
            reason: "address out of bounds".to_owned(),
        },
        &expect![
            "kernel `matmul` (src/kernels.rs:12) failed in block [3, 0, 0] at `load_ptr_tko`: address out of bounds; `.only_block([3, 0, 0])` before `.launch()` runs that block alone"
        ],
    );
    check(
        &Error::Fault {
            kernel,
            file: "src/kernels.rs",
            line: 12,
            block: [3, 0, 0],
            op: "store_ptr_tko".to_owned(),
            reason: "race with store_ptr_tko of block (0, 0, 0): writes bytes 0..4 of `c`"
                .to_owned(),
        },
        &expect![
            "kernel `matmul` (src/kernels.rs:12) failed in block [3, 0, 0] at `store_ptr_tko`: race with store_ptr_tko of block (0, 0, 0): writes bytes 0..4 of `c`; it takes both blocks, so launch the whole grid to repeat it"
        ],
    );
    check(
        &Error::Cancelled { kernel },
        &expect![
            "kernel `matmul` was cancelled: what its blocks stored stays; launch it again without the `Cancel` to run it to its end"
        ],
    );
    check(
        &Error::Variable {
            name: "TILE_CHECK",
            value: "yes".to_owned(),
            cure: "set it to `1` for checks, or to `0` for none",
        },
        &expect!["`TILE_CHECK` is `yes`: set it to `1` for checks, or to `0` for none"],
    );
}

#[test]
fn faults_of_the_simulated_gpu() {
    let fault = |place: Option<&str>, is_persistent| {
        Error::Simulated(Box::new(SimulatedFault {
            kernel: "matmul",
            file: "src/kernels.rs",
            line: 12,
            ptx_line: 40,
            instruction: "ld.global.f32 %f1, [%rd1];".to_owned(),
            place: place.map(str::to_owned),
            block: [3, 0, 0],
            is_persistent,
            warp: 1,
            lane: Some(2),
            reason: "byte 160 of `a`, which has 160".to_owned(),
        }))
    };
    check(
        &fault(Some("src/kernels.rs:14:9"), false),
        &expect![
            "kernel `matmul` (src/kernels.rs:12) failed in the simulator at line 40 of its PTX, `ld.global.f32 %f1, [%rd1];` (src/kernels.rs:14:9), in block [3, 0, 0], warp 1, lane 2: byte 160 of `a`, which has 160; `.only_block([3, 0, 0])` before `.launch()` runs that block alone; `TILE_DUMP=ptx` prints the PTX while the crate is built"
        ],
    );
    check(
        &fault(None, true),
        &expect![
            "kernel `matmul` (src/kernels.rs:12) failed in the simulator at line 40 of its PTX, `ld.global.f32 %f1, [%rd1];`, in block [3, 0, 0], warp 1, lane 2: byte 160 of `a`, which has 160; a block of this persistent kernel processes several work tiles, so launch it on `Device::cpu()` for the one that fails; `TILE_DUMP=ptx` prints the PTX while the crate is built, and `TILE_LINEINFO=1` records the lines of the source in it"
        ],
    );
}

#[test]
fn tensors() {
    check(
        &Error::LengthMismatch {
            len: 5,
            shape: vec![2, 3],
            expected: 6,
        },
        &expect!["5 elements do not fill shape [2, 3], which has 6: pass a slice of 6 elements"],
    );
    check(
        &Error::ShapeTooLarge {
            shape: vec![usize::MAX, 2],
        },
        &expect![
            "shape [18446744073709551615, 2] is larger than the address space: use a smaller shape"
        ],
    );
    check(
        &Error::ReshapeLength {
            from: vec![2, 3],
            from_len: 6,
            to: vec![4],
            to_len: 4,
        },
        &expect![
            "cannot reshape [2, 3] (6 elements) to [4] (4 elements): the number of elements must stay"
        ],
    );
    check(
        &Error::NotContiguous {
            shape: vec![3, 2],
            strides: vec![1, 3],
            to: vec![6],
        },
        &expect![
            "a view of shape [3, 2] and strides [1, 3] cannot have the shape [6] without a copy: call `contiguous()` before `reshape`, or reshape before `t`, `permute` or `narrow`"
        ],
    );
    let out_of_bounds = |last| Error::StridesOutOfBounds {
        shape: vec![3, 2],
        strides: vec![5, 1],
        offset: 2,
        last,
        len: 12,
    };
    check(
        &out_of_bounds(Some(13)),
        &expect![
            "a view of shape [3, 2] and strides [5, 1] from element 2 on reaches element 13, and there are 12 elements: use a smaller shape or smaller strides"
        ],
    );
    check(
        &out_of_bounds(None),
        &expect![
            "a view of shape [3, 2] and strides [5, 1] from element 2 on reaches beyond the address space, and there are 12 elements: use a smaller shape or smaller strides"
        ],
    );
    check(
        &Error::ReadOnlyView {
            shape: vec![3, 2],
            strides: vec![0, 1],
        },
        &expect![
            "several indices of a view of shape [3, 2] and strides [0, 1] are one element, so it can only be read: write to a copy of it, from `copy()`"
        ],
    );
    check(
        &Error::NoSuchAxis {
            axis: 2,
            shape: vec![3, 2],
        },
        &expect![
            "there is no axis 2 in shape [3, 2]: axes are counted from 0, and the last one is 1"
        ],
    );
    check(
        &Error::StepNotPositive { axis: 0, step: -1 },
        &expect![
            "the step along axis 0 is -1, and strides of tensors are not negative: use a step of 1 or more, and reverse the order in the kernel, by the index"
        ],
    );
    check(
        &Error::EmptyChunks { axis: 0 },
        &expect!["chunks of 0 indices along axis 0 do not end: use chunks of at least 1"],
    );
    check(
        &Error::NotOneElement {
            axis: 1,
            shape: vec![3, 2],
        },
        &expect![
            "axis 1 of shape [3, 2] has 2 elements, and only an axis of one element can be left out: choose one of them with `select(1, i)`"
        ],
    );
    check(
        &Error::NotBroadcastable {
            from: vec![3, 2],
            to: vec![3, 4],
        },
        &expect![
            "shape [3, 2] cannot be broadcast to [3, 4]: axes correspond from the last one on, and each must be the same or 1; `unsqueeze` inserts axes of 1"
        ],
    );
    check(
        &Error::NotAPermutation { axes: vec![0, 0] },
        &expect!["[0, 0] is no permutation of the axes: name every axis from 0 to 1 once"],
    );
    check(
        &Error::OutOfRange {
            axis: 1,
            start: 2,
            end: 9,
            shape: vec![4, 4],
        },
        &expect![
            "elements 2..9 of axis 1 do not exist in shape [4, 4]: give a range within the axis"
        ],
    );
    check(
        &Error::ForeignContext { what: "the stream" },
        &expect![
            "the stream belongs to another CUDA context: make it while the primary context of the device is current, as `cust::quick_init` does"
        ],
    );
}

#[test]
fn the_host_side() {
    check(
        &Error::Capturing {
            what: "reading a tensor",
        },
        &expect![
            "reading a tensor cannot be part of a graph, and this thread captures one: do it before or after `Graph::capture`"
        ],
    );
    check(
        &Error::EventNotRecorded,
        &expect![
            "the event was not recorded: call `event.record(&stream)` before what waits for it"
        ],
    );
    check(
        &Error::OtherDevice {
            what: "the event",
            expected: Device::cpu(),
            found: Device::sim(),
        },
        &expect![
            "the event belongs to cpu, and it was used with one of sim: make both with the same `Device`"
        ],
    );
    check(
        &Error::HostBufferInUse,
        &expect![
            "a guard of the host buffer is alive, and the copy or graph needs its memory: drop what `read()` or `write()` returned before it"
        ],
    );
    check(
        &Error::NoPeerAccess {
            device: Device::cpu(),
            peer: Device::sim(),
        },
        &expect![
            "cpu has no access to the memory of sim: copy the tensor with `to_device(&device)`, and ask `can_access_peer` before `enable_peer_access`"
        ],
    );
}

#[test]
fn errors_of_the_driver_say_the_cure() {
    let rows = [
        (
            "CUDA_ERROR_OUT_OF_MEMORY",
            "out of memory",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_OUT_OF_MEMORY (out of memory): the memory of the GPU or of the host does not suffice; drop tensors, streams and graphs that are not needed, or end other programs that use the GPU"
            ],
        ),
        (
            "CUDA_ERROR_INVALID_VALUE",
            "invalid argument",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_INVALID_VALUE (invalid argument): the driver does not take what this crate passed, which is a bug; report it with the version of the driver, and use `Device::cpu()` meanwhile"
            ],
        ),
        (
            "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER",
            "API call requires a newer CUDA driver",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER (API call requires a newer CUDA driver): the driver does not have this function; update NVIDIA's driver to r525 or newer, or use `Device::cpu()`"
            ],
        ),
        (
            "CUDA_ERROR_DEVICE_UNAVAILABLE",
            "CUDA-capable device(s) is/are busy or unavailable",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_DEVICE_UNAVAILABLE (CUDA-capable device(s) is/are busy or unavailable): another program has the GPU for itself, or the GPU is prohibited; end that program, or allow several with `nvidia-smi -c DEFAULT`"
            ],
        ),
        (
            "CUDA_ERROR_ECC_UNCORRECTABLE",
            "uncorrectable ECC error encountered",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_ECC_UNCORRECTABLE (uncorrectable ECC error encountered): the GPU has an error of its hardware; start the program again, and if the error comes back, reset the GPU with `nvidia-smi --gpu-reset`"
            ],
        ),
        (
            "CUDA_ERROR_SYSTEM_NOT_READY",
            "system not yet initialized",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_SYSTEM_NOT_READY (system not yet initialized): a service of the driver does not run yet; start it (`nvidia-fabricmanager` where GPUs have an NVSwitch), and try again"
            ],
        ),
        (
            "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
            "system has unsupported display driver / cuda driver combination",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (system has unsupported display driver / cuda driver combination): the driver and its kernel module do not match; restart the machine"
            ],
        ),
        (
            "CUDA_ERROR_MPS_CONNECTION_FAILED",
            "mps connection failed",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_MPS_CONNECTION_FAILED (mps connection failed): the MPS server does not answer; restart it with `nvidia-cuda-mps-control`, and then the program"
            ],
        ),
        (
            "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED",
            "mps max clients reached",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_MPS_MAX_CLIENTS_REACHED (mps max clients reached): the MPS server has too many clients; end other programs that use the GPU"
            ],
        ),
        (
            "CUDA_ERROR_INVALID_CONTEXT",
            "invalid device context",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_INVALID_CONTEXT (invalid device context): other code of the program reset the device or released its primary context; retain it there as long as this crate uses the device"
            ],
        ),
        (
            "CUDA_ERROR_NOT_SUPPORTED",
            "operation not supported",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_NOT_SUPPORTED (operation not supported): the GPU or its driver does not support this; update NVIDIA's driver, or use `Device::cpu()`"
            ],
        ),
        (
            "CUDA_ERROR_DEINITIALIZED",
            "driver shutting down",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_DEINITIALIZED (driver shutting down): the program is ending; drop tensors and streams before `main` returns"
            ],
        ),
        (
            "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
            "PTX JIT compiler library not found",
            expect![
                "`cuStreamCreate` failed with CUDA_ERROR_JIT_COMPILER_NOT_FOUND (PTX JIT compiler library not found): the driver cannot compile PTX here; install the whole driver, unset `CUDA_DISABLE_PTX_JIT`, or add the architecture of the GPU to `#[tile_kernel]` with `arch(..)`"
            ],
        ),
    ];
    for (name, description, expected) in rows {
        let error = Error::Driver {
            call: "cuStreamCreate",
            name: name.to_owned(),
            description: description.to_owned(),
        };
        check(&error, &expected);
    }
}

/// Clippy's `result_large_err` would warn in functions of users.
#[test]
fn errors_are_small() {
    assert!(size_of::<Error>() < 128, "{} bytes", size_of::<Error>());
}

#[test]
fn lost_devices() {
    let lost = |call, name: &str, kernels: &[&'static str]| Error::ContextLost {
        device: Device::cpu(),
        call,
        name: name.to_owned(),
        description: "..".to_owned(),
        first_call: "cuStreamSynchronize",
        kernels: kernels.into(),
    };
    check(
        &lost(
            "cuStreamSynchronize",
            "CUDA_ERROR_ILLEGAL_ADDRESS",
            &["axpy"],
        ),
        &expect![
            "`cuStreamSynchronize` failed with CUDA_ERROR_ILLEGAL_ADDRESS (..): earlier work on cpu failed, and its context is lost; run kernel `axpy`, which was launched last, on `Device::cpu()` for the block and the operation, and start the program again to use the GPU"
        ],
    );
    check(
        &lost(
            "cuMemAllocAsync",
            "CUDA_ERROR_ILLEGAL_ADDRESS",
            &["axpy", "total"],
        ),
        &expect![
            "`cuMemAllocAsync` failed with CUDA_ERROR_ILLEGAL_ADDRESS (..): earlier work on cpu failed, as `cuStreamSynchronize` said first, and its context is lost; run the kernels that were launched last, `axpy`, `total`, on `Device::cpu()` for the block and the operation, and start the program again to use the GPU"
        ],
    );
    check(
        &lost("cuMemAllocAsync", "CUDA_ERROR_LAUNCH_TIMEOUT", &[]),
        &expect![
            "`cuMemAllocAsync` failed with CUDA_ERROR_LAUNCH_TIMEOUT (..): earlier work on cpu failed, as `cuStreamSynchronize` said first, and its context is lost; run its kernels on `Device::cpu()` for the block and the operation; if they are right, they ran too long, so split the work, and start the program again to use the GPU"
        ],
    );
    check(
        &lost("cuMemAllocAsync", "CUDA_ERROR_ECC_UNCORRECTABLE", &["axpy"]),
        &expect![
            "`cuMemAllocAsync` failed with CUDA_ERROR_ECC_UNCORRECTABLE (..): earlier work on cpu failed, as `cuStreamSynchronize` said first, and its context is lost; the GPU has an error of its hardware; start the program again, and if the error comes back, reset the GPU with `nvidia-smi --gpu-reset`"
        ],
    );
}

#[test]
fn borrowed_memory() {
    let device = Device::cpu();
    let param = Some(("scale", "x"));
    let rows = [
        (
            BorrowError::Ended { param: None },
            expect![
                "the tensor is in memory that was borrowed, and the borrow has ended: use views before the end of the scope or of the `Borrowed`, or copy them with `copy()`"
            ],
        ),
        (
            BorrowError::Ended { param },
            expect![
                "`x` of kernel `scale` is in memory that was borrowed, and the borrow has ended: use views before the end of the scope or of the `Borrowed`, or copy them with `copy()`"
            ],
        ),
        (
            BorrowError::ReadOnly { param: None },
            expect![
                "the tensor is in memory that was borrowed to be read: borrow it with `slice_mut` or as a `BorrowedMut`, or write to a copy made with `copy()`"
            ],
        ),
        (
            BorrowError::ReadOnly { param },
            expect![
                "`x` of kernel `scale` is in memory that was borrowed to be read: borrow it with `slice_mut` or as a `BorrowedMut`, or write to a copy made with `copy()`"
            ],
        ),
        (
            BorrowError::Between,
            expect![
                "only the elements of the tensor were borrowed, and none between them: use `narrow`, `slice` and other views of its own elements in place of `as_strided`"
            ],
        ),
        (
            BorrowError::NegativeStride {
                axis: 1,
                stride: -3,
            },
            expect![
                "axis 1 has stride -3, and tensors have no negative ones: do not reverse the axis, or copy the view"
            ],
        ),
        (
            BorrowError::Rank {
                expected: 2,
                found: 3,
            },
            expect![
                "a tensor of 2 axes was asked for, and there are 3: reshape it, or ask for `Tensor<_, 3>`"
            ],
        ),
        (
            BorrowError::ElementType {
                expected: "f32",
                found: "f64".to_owned(),
            },
            expect![
                "a tensor of f32 was asked for, and the elements are f64: convert them, or ask for that type"
            ],
        ),
        (
            BorrowError::Description {
                reason: "the number of axes is negative".to_owned(),
            },
            expect![
                "the description of the memory cannot be used (the number of axes is negative): describe memory of the device that is asked for"
            ],
        ),
        (
            BorrowError::Null { len: 7 },
            expect![
                "the address of 7 elements is null: pass the address that the owner of the memory has for it"
            ],
        ),
        (
            BorrowError::Misaligned {
                address: 0x1002,
                element_bytes: 4,
            },
            expect![
                "address 0x1002 is not aligned for elements of 4 bytes: pass the address of an element, or copy the memory with `Tensor::from_slice`"
            ],
        ),
        (
            BorrowError::HostMemory { device },
            expect![
                "cpu does not use the program's own memory: borrow it for `Device::cpu()`, or copy it with `Tensor::from_slice`"
            ],
        ),
        (
            BorrowError::NoGpu { device },
            expect![
                "cpu has no streams of other libraries: name a GPU, `Device::cuda(ordinal)`; `foreign::scope` borrows memory for the CPU"
            ],
        ),
        (
            BorrowError::UnknownAddress {
                address: 0x1000,
                device,
            },
            expect![
                "address 0x1000 is no memory of cpu: pass the address of device memory, which is still allocated; `foreign::scope` borrows host memory"
            ],
        ),
        (
            BorrowError::OtherDevice {
                address: 0x1000,
                device,
                ordinal: 2,
            },
            expect![
                "address 0x1000 is memory of device 2, and its stream is one of cpu: pass a stream of `Device::cuda(2)`"
            ],
        ),
    ];
    for (error, expected) in rows {
        check(&Error::from(error), &expected);
    }
}

#[test]
fn kernels_without_native_code_or_without_code_for_the_cpu() {
    let (file, line) = ("src/k.rs", 12);
    check(
        &Error::NotNative {
            kernel: "scale",
            file,
            line,
            reason: "`print_tko`: there is no native code for it",
        },
        &expect![
            "kernel `scale` has no native code for this processor: `print_tko`: there is no native code for it (src/k.rs:12); unset `TILE_CPU` to interpret it"
        ],
    );
    check(
        &Error::NoNativeLevel {
            kernel: "scale",
            level: "baseline",
            lowest: "avx2",
        },
        &expect![
            "kernel `scale` has no native code for the level `baseline`, which `TILE_CPU` asks for, or a lower one: the lowest that it was built for is `avx2`; build it with `TILE_LEVELS=all`, or unset `TILE_CPU`"
        ],
    );
    check(
        &Error::NoCpuCode { kernel: "scale" },
        &expect![
            r#"kernel `scale` has no code for the CPU device: remove `cpu = "none"` from `#[tile_kernel]` on `scale`, or use a GPU"#
        ],
    );
    check(
        &Error::NativeFault {
            kernel: "scale",
            file,
            line,
            block: [7, 0, 0],
        },
        &expect![
            "kernel `scale` (src/k.rs:12) failed in block [7, 0, 0]: an assertion, an index or a division failed in its native code, and not again when the interpreter ran the block, since memory had changed; set `TILE_CPU=interpreted` for the operation"
        ],
    );
}

#[test]
fn measurements() {
    check(
        &Error::BenchOption {
            option: "min_samples",
            value: "0".to_owned(),
            cure: "choose a number from 1 to 1,000,000",
        },
        &expect!["`min_samples` of the measurement is 0: choose a number from 1 to 1,000,000"],
    );
    check(
        &Error::NothingMeasured {
            device: Device::cpu(),
        },
        &expect![
            "nothing that was measured took any time on cpu: submit the work to the stream that the closure gets, with `.on(stream)`"
        ],
    );
    check(
        &Error::BenchJson {
            reason: "unknown source `moon`".to_owned(),
        },
        &expect!["this is not what `to_json` of the same type wrote: unknown source `moon`"],
    );
    check(
        &Error::Plot {
            reason: "it has no points: add a series".to_owned(),
        },
        &expect!["the plot cannot be made: it has no points: add a series"],
    );
}

#[test]
fn tuning() {
    check(
        &Error::NothingTuned {
            kernel: "product",
            reasons: vec![
                "`BM = 64`: out of memory".to_owned(),
                "`BM = 128`: too long".to_owned(),
            ],
        },
        &expect![
            "no candidate of kernel `product` runs with these arguments: `BM = 64`: out of memory; `BM = 128`: too long; list others in `instances(..)`"
        ],
    );
    check(
        &Error::CandidateBreaks {
            kernel: "matmul",
            candidate: "BM = 128, BN = 256",
            reason: "`cuStreamSynchronize` failed with CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)".to_owned(),
            in_file: true,
        },
        &expect!["candidate `BM = 128, BN = 256` of kernel `matmul` failed, and the GPU is lost to this program: `cuStreamSynchronize` failed with CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered); start it again, and the tuner leaves the candidate out"],
    );
    check(
        &Error::CandidateBreaks {
            kernel: "matmul",
            candidate: "BM = 128, BN = 256",
            reason: "`cuStreamSynchronize` failed with CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)".to_owned(),
            in_file: false,
        },
        &expect!["candidate `BM = 128, BN = 256` of kernel `matmul` failed, and the GPU is lost to this program: `cuStreamSynchronize` failed with CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered); start it again with a file of records, by `Tuner::file` or `TILE_TUNING`, and the tuner leaves the candidate out"],
    );
    check(
        &Error::TuningRecords {
            place: "line 2".to_owned(),
            reason: "expected `:`".to_owned(),
        },
        &expect![
            "line 2: expected `:`: use a file of records that the tuner or `tilec tune` writes"
        ],
    );
}
