//! What can go wrong on the host side, and what to do about it.

use crate::Device;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a tensor could not be made, copied or used, or a kernel not launched.
///
/// Every message says what is wrong and what to do. The variants are there to
/// be matched on; more may come.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no CUDA driver on this machine.
    #[error(
        "no CUDA driver found: install NVIDIA's driver, or use `Device::cpu()` or `Device::best()`"
    )]
    NoDriver,

    /// The CUDA driver is older than what this crate needs.
    #[error(
        "the CUDA driver supports CUDA {}, and CUDA {} is needed: update NVIDIA's driver to r525 or newer, or use \
         `Device::cpu()`",
        version(*.found), version(*.needed)
    )]
    DriverTooOld {
        /// What `cuDriverGetVersion` says: 1000 times the major plus ten times the minor version.
        found: i32,
        /// The least version, in the same form.
        needed: i32,
    },

    /// There is no GPU with this number.
    #[error(
        "no CUDA device {ordinal} (the driver shows {count}, counted from 0): {}", other_device(*.count)
    )]
    NoSuchDevice {
        /// The number asked for.
        ordinal: usize,
        /// How many GPUs the driver shows.
        count: usize,
    },

    /// The program holds no code that runs on this GPU.
    #[error(
        "kernel `{kernel}` has no code for {device} ({arch}), only {}: add `arch(\"{arch}\")` to `#[tile_kernel]` on \
         `{kernel}`, or build with `TILE_ARCH={arch}`",
        list_archs(.embedded)
    )]
    NoDeviceCode {
        /// The kernel.
        kernel: &'static str,
        /// The device's name.
        device: String,
        /// The device's architecture, such as `sm_90`.
        arch: String,
        /// The architectures that the program holds code for.
        embedded: Vec<&'static str>,
    },

    /// A dispatch asks for an instance that the attribute does not list.
    #[error(
        "kernel `{kernel}` was not compiled for `{instance}`, only for {}: add it to `#[tile_kernel]` on `{kernel}`, or \
         ask for another",
        list_instances(.listed)
    )]
    NotCompiled {
        /// The kernel.
        kernel: &'static str,
        /// The types and values that were asked for, such as `T = f32, N = 64`.
        instance: String,
        /// The instances that there are, such as `(T = f32, N = 128)`; behind some number of them, how
        /// many more.
        listed: Vec<&'static str>,
    },

    /// The driver cannot compile the embedded PTX because it is too old for it.
    #[error(
        "kernel `{kernel}` has no cubin for {arch}, and the driver is too old for its PTX: update NVIDIA's driver, or \
         add `arch(\"{arch}\")` to `#[tile_kernel]` on `{kernel}`"
    )]
    PtxTooNew {
        /// The kernel.
        kernel: &'static str,
        /// The device's architecture, such as `sm_90`.
        arch: String,
    },

    /// The tensors of a launch are on different devices.
    #[error(
        "`{param}` of kernel `{kernel}` is on {found}, but `{first_param}` is on {expected}: move it with \
         `to_device(&device)`"
    )]
    DeviceMismatch {
        /// The kernel.
        kernel: &'static str,
        /// The first tensor parameter.
        first_param: &'static str,
        /// Where that one is.
        expected: Device,
        /// The parameter that is elsewhere.
        param: &'static str,
        /// Where it is.
        found: Device,
    },

    /// The stream of a launch belongs to another device than its tensors.
    #[error(
        "kernel `{kernel}` runs on {expected}, but its stream is one of {found}: make the stream with \
         `Stream::new(&device)` of that device"
    )]
    StreamMismatch {
        /// The kernel.
        kernel: &'static str,
        /// Where the tensors are.
        expected: Device,
        /// The device of the stream.
        found: Device,
    },

    /// A tensor of a launch has no elements.
    #[error(
        "`{param}` of kernel `{kernel}` has no elements (shape {shape:?}): skip the launch where a tensor is empty"
    )]
    EmptyTensor {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        param: &'static str,
        /// Its shape.
        shape: Vec<usize>,
    },

    /// An argument is not what the kernel states with `assume(..)`.
    #[error(
        "kernel `{kernel}` assumes `{fact}`, but {}: pass what it assumes, or remove this `assume` from `{kernel}`",
        list_values(.values)
    )]
    BrokenFact {
        /// The kernel.
        kernel: &'static str,
        /// The condition as written.
        fact: &'static str,
        /// What it is about, as in `x.dim(0)`, and what that is.
        values: Vec<(String, i128)>,
    },

    /// A launch has no grid.
    #[error(
        "kernel `{kernel}` was launched without a grid: call `.grid([x, y, z])` before `.launch()`, or write \
         `grid = ...` in `#[tile_kernel]` on `{kernel}`"
    )]
    NoGrid {
        /// The kernel.
        kernel: &'static str,
    },

    /// An axis of the grid has no blocks.
    #[error(
        "the grid of kernel `{kernel}` is empty: axis {axis} has 0 blocks; give every axis at least 1"
    )]
    EmptyGrid {
        /// The kernel.
        kernel: &'static str,
        /// The axis.
        axis: usize,
    },

    /// An axis of the grid has more blocks than can be launched.
    #[error(
        "the grid of kernel `{kernel}` is too large: axis {axis} has {blocks} blocks, and {limit} is the most; use \
         larger tiles, or put the longest axis first"
    )]
    GridTooLarge {
        /// The kernel.
        kernel: &'static str,
        /// The axis.
        axis: usize,
        /// Its blocks.
        blocks: u64,
        /// The most blocks that this axis may have on the device.
        limit: u64,
    },

    /// Blocks beyond those of the attribute would store to places of others.
    #[error(
        "kernel `{kernel}` was launched with {blocks} blocks along axis {axis} of the grid, and its stores tell {limit} apart: \
         launch it with the grid of its attribute, or compute the indices of its stores in `i64`"
    )]
    BlocksNotApart {
        /// The kernel.
        kernel: &'static str,
        /// The axis.
        axis: usize,
        /// Its blocks.
        blocks: u32,
        /// The most blocks along this axis that store to different places.
        limit: u32,
    },

    /// A number that tells blocks apart would wrap around.
    #[error(
        "two blocks of kernel `{kernel}` might store to one place of `{param}` in line {line}: with these arguments and this \
         grid, a number that the index is computed from {} {bits} bits: compute it in `i64`, or launch fewer blocks",
        reaches(.reach)
    )]
    IndexWraps {
        /// The kernel.
        kernel: &'static str,
        /// The tensor that is stored to.
        param: &'static str,
        /// The line of the store.
        line: u32,
        /// The bits that the number has in the kernel.
        bits: u32,
        /// The values that it may have in a block, if they are known.
        reach: Option<i128>,
    },

    /// A number that tells blocks apart would be divided by zero, or by less.
    #[error(
        "two blocks of kernel `{kernel}` might store to one place of `{param}` in line {line}: with these arguments and this \
         grid, a number that the index is computed from is divided by {}: pass arguments for which it is 1 or more, or launch \
         fewer blocks",
        divisor(.least)
    )]
    IndexDivisor {
        /// The kernel.
        kernel: &'static str,
        /// The tensor that is stored to.
        param: &'static str,
        /// The line of the store.
        line: u32,
        /// The divisor, or the least that it may be in a block; `None` if nothing is known of it.
        least: Option<i128>,
    },

    /// Several blocks along an axis would store to one place.
    #[error(
        "kernel `{kernel}` was launched with {blocks} blocks along axis {axis} of the grid, and all of them would store to one \
         place: launch it with one block there, or use `block_id({axis})` in the indices of its stores"
    )]
    SharedPlace {
        /// The kernel.
        kernel: &'static str,
        /// The axis.
        axis: usize,
        /// Its blocks.
        blocks: u32,
    },

    /// A grid was asked of a tile shape that has a zero in it.
    #[error(
        "the grid of kernel `{kernel}` comes from a tile of 0 elements along axis {axis}: give `tiles` a shape \
         without zeros"
    )]
    ZeroTile {
        /// The kernel.
        kernel: &'static str,
        /// The axis.
        axis: usize,
    },

    /// A grid was asked of a tensor with more than three axes.
    #[error(
        "the grid of kernel `{kernel}` comes from {axes} axes of tiles, and a grid has 3: reshape the tensor, or give \
         the grid as `[x, y, z]`"
    )]
    GridRank {
        /// The kernel.
        kernel: &'static str,
        /// How many axes of tiles there are.
        axes: usize,
    },

    /// A `&mut` tensor of a launch shares memory with another one.
    #[error(
        "`{exclusive}` of kernel `{kernel}` is `&mut` and shares memory with `{other}`: they are views of one tensor, \
         so copy one of them first"
    )]
    Aliasing {
        /// The kernel.
        kernel: &'static str,
        /// The `&mut` parameter.
        exclusive: &'static str,
        /// The parameter that it overlaps.
        other: &'static str,
    },

    /// The number of elements does not fit the shape.
    #[error(
        "{len} elements do not fill shape {shape:?}, which has {expected}: pass a slice of {expected} elements"
    )]
    LengthMismatch {
        /// The elements given.
        len: usize,
        /// The shape asked for.
        shape: Vec<usize>,
        /// How many elements that shape has.
        expected: usize,
    },

    /// The shape has more bytes than an address can hold.
    #[error("shape {shape:?} is larger than the address space: use a smaller shape")]
    ShapeTooLarge {
        /// The shape.
        shape: Vec<usize>,
    },

    /// A reshape to another number of elements.
    #[error(
        "cannot reshape {from:?} ({from_len} elements) to {to:?} ({to_len} elements): the number of elements must stay"
    )]
    ReshapeLength {
        /// The shape.
        from: Vec<usize>,
        /// Its elements.
        from_len: usize,
        /// The shape asked for.
        to: Vec<usize>,
        /// The elements of that.
        to_len: usize,
    },

    /// A reshape of a view whose elements are not in row-major order.
    #[error(
        "cannot reshape a view with strides {strides:?}: reshape before `t`, `permute` or `narrow`, or copy the view \
         with `copy()`"
    )]
    NotContiguous {
        /// The strides of the view, in elements.
        strides: Vec<usize>,
    },

    /// The axes given to `permute` are not each axis once.
    #[error("{axes:?} is no permutation of the axes: name every axis from 0 to {} once", .axes.len() - 1)]
    NotAPermutation {
        /// The axes given.
        axes: Vec<usize>,
    },

    /// A part of an axis that does not exist.
    #[error(
        "elements {start}..{end} of axis {axis} do not exist in shape {shape:?}: give a range within the axis"
    )]
    OutOfRange {
        /// The axis.
        axis: usize,
        /// The first element asked for.
        start: usize,
        /// One past the last.
        end: usize,
        /// The tensor's shape.
        shape: Vec<usize>,
    },

    /// There is not enough memory.
    #[error(
        "out of memory on {device}: {bytes} bytes were asked for; drop tensors that are not needed, or split the work"
    )]
    OutOfMemory {
        /// Where.
        device: Device,
        /// How much was asked for.
        bytes: usize,
    },

    /// The driver refused a call.
    #[error("`{call}` failed with {name} ({description}): {}", advice(.name))]
    Driver {
        /// The function of the driver.
        call: &'static str,
        /// CUDA's name of the error.
        name: String,
        /// CUDA's description of it.
        description: String,
    },

    /// A kernel failed while it ran on the CPU device.
    #[error(
        "kernel `{kernel}` ({file}:{line}) failed in block {block:?} at `{op}`: {reason}; run that block alone with \
         the same tensors to see why"
    )]
    Fault {
        /// The kernel.
        kernel: &'static str,
        /// Where it is written.
        file: &'static str,
        /// The line there.
        line: u32,
        /// The block, as an index into the grid.
        block: [u32; 3],
        /// The operation.
        op: String,
        /// What happened.
        reason: String,
    },

    /// A kernel failed, or did what it must not, while it ran on the simulated GPU.
    #[error("{0}")]
    Simulated(Box<SimulatedFault>),

    /// A kernel with text in PTX that has no body for the CPU device was launched there.
    #[error(
        "kernel `{kernel}` does not run on the CPU device: `ptx!` at {file}:{line} has no body for it: write \
         `cpu = |..| ..` behind its operands, a closure that takes the inputs and computes the same, or use \
         `Device::sim()` or a GPU"
    )]
    NotOnCpu {
        /// The kernel.
        kernel: &'static str,
        /// The file that the kernel is in.
        file: &'static str,
        /// The line of the text.
        line: u32,
    },

    /// A kernel has an instruction that the simulated GPU does not know, in text of `ptx!`.
    #[error(
        "kernel `{kernel}` ({file}:{line}) does not run in the simulator, which does not take line {ptx_line} of its \
         PTX, `{instruction}`: {reason}; launch it on a GPU, or on `Device::cpu()`, where `cpu = |..| ..` of `ptx!` \
         stands for its text; `TILE_DUMP=ptx` prints the PTX while the crate is built"
    )]
    NotOnSim {
        /// The kernel.
        kernel: &'static str,
        /// Where it is written.
        file: &'static str,
        /// The line there.
        line: u32,
        /// The line of the PTX, from 1.
        ptx_line: u32,
        /// The text of that line.
        instruction: String,
        /// The reason why the simulator refuses it.
        reason: String,
    },

    /// A kernel without GPU code was launched on the simulated GPU.
    #[error(
        "kernel `{kernel}` has no PTX to simulate: take `arch(\"cpu\")` out of `#[tile_kernel]` on `{kernel}`, or \
         use `Device::cpu()`"
    )]
    NoPtx {
        /// The kernel.
        kernel: &'static str,
    },

    /// A launch on the CPU device was stopped by its [`Cancel`](crate::Cancel).
    #[error(
        "kernel `{kernel}` was cancelled: what its blocks stored stays; launch it again without the `Cancel` to run it \
         to its end"
    )]
    Cancelled {
        /// The kernel.
        kernel: &'static str,
    },

    /// A variable of the environment has a value that means nothing.
    #[error("`{name}` is `{value}`: {cure}")]
    Variable {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// What to set it to.
        cure: &'static str,
    },

    /// The embedded code is not what this version of the crate makes.
    #[error(
        "the embedded code of kernel `{kernel}` cannot be used ({reason}): rebuild the crate with one version of \
         `tile-kernel`, and report a bug if that does not help"
    )]
    Artifact {
        /// The kernel.
        kernel: &'static str,
        /// What is wrong with it.
        reason: String,
    },

    /// A buffer or stream of another library belongs to a context that is not the device's primary one.
    #[error(
        "{what} belongs to another CUDA context: make it while the primary context of the device is current, as \
         `cust::quick_init` does"
    )]
    ForeignContext {
        /// What it is.
        what: &'static str,
    },

    /// A tensor whose memory cannot be given back to the library it came from.
    #[error(
        "the tensor's buffer cannot be given back ({reason}): release the tensor that `adopt` made, after dropping its views"
    )]
    NotReleasable {
        /// Why not.
        reason: &'static str,
    },
}

/// What a kernel did wrong on the simulated GPU, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "kernel `{kernel}` ({file}:{line}) failed in the simulator at line {ptx_line} of its PTX, `{instruction}`{}, in \
     block {block:?}, warp {warp}{}: {reason}; `TILE_DUMP=ptx` prints the PTX while the crate is built",
    source_place(.place.as_deref()), lane_of(*.lane)
)]
pub struct SimulatedFault {
    /// The kernel.
    pub kernel: &'static str,
    /// Where it is written.
    pub file: &'static str,
    /// The line there.
    pub line: u32,
    /// The line of the PTX; 0 if no instruction is to blame.
    pub ptx_line: u32,
    /// What stands there.
    pub instruction: String,
    /// The place in the source, where the PTX has it.
    pub place: Option<String>,
    /// The block, as an index into the grid.
    pub block: [u32; 3],
    /// The warp of the block.
    pub warp: u32,
    /// The lane of the warp, if it is one.
    pub lane: Option<u32>,
    /// What happened.
    pub reason: String,
}

fn source_place(place: Option<&str>) -> String {
    place.map_or_else(String::new, |place| format!(" ({place})"))
}

fn lane_of(lane: Option<u32>) -> String {
    lane.map_or_else(String::new, |lane| format!(", lane {lane}"))
}

/// `12040` as `12.4`.
fn version(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

fn other_device(count: usize) -> &'static str {
    match count {
        0 => "use `Device::cpu()`, or make a GPU visible in `CUDA_VISIBLE_DEVICES`",
        _ => "use a lower number, or `Device::best()`",
    }
}

fn reaches(reach: &Option<i128>) -> String {
    match reach {
        Some(value) => format!("reaches {value}, beyond"),
        None => "may go beyond".to_owned(),
    }
}

fn divisor(least: &Option<i128>) -> String {
    match least {
        Some(least) => least.to_string(),
        None => "what may be 0".to_owned(),
    }
}

/// `n` is 12, `m` is 3 and `x.dim(0)` is 100.
fn list_values(values: &[(String, i128)]) -> String {
    let values = values.iter().map(|(name, value)| {
        if name.ends_with(".addr()") {
            format!("`{name}` is {value:#x}")
        } else {
            format!("`{name}` is {value}")
        }
    });
    let values: Vec<String> = values.collect();
    match values.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => values.concat(),
    }
}

fn list_archs(archs: &[&str]) -> String {
    if archs.is_empty() {
        return "code for the CPU device".to_owned();
    }
    archs.join(", ")
}

fn list_instances(listed: &[&str]) -> String {
    let listed = listed.iter().map(|text| match text.strip_prefix('(') {
        Some(_) => format!("`{text}`"),
        None => (*text).to_owned(),
    });
    listed.collect::<Vec<_>>().join(", ")
}

/// What to do about an error that only the driver has a name for.
fn advice(name: &str) -> &'static str {
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
        "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH" | "CUDA_ERROR_SYSTEM_NOT_READY" => {
            "the driver and its kernel module do not match; restart the machine"
        }
        "CUDA_ERROR_STUB_LIBRARY" => {
            "a stub of the driver's library was loaded; take its folder out of `LD_LIBRARY_PATH`"
        }
        _ => "look the name up in the CUDA driver API reference, or use `Device::cpu()`",
    }
}
