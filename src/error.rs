//! The errors of the host API, with the remedy for each.

use crate::Device;
use crate::foreign::BorrowError;
use crate::overlap::BUDGET;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of making, copying or using a tensor, or of launching a kernel.
///
/// Every message states the problem and its remedy. Callers may match on the variants; later
/// versions may add more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no CUDA driver on this machine.
    #[error(
        "no CUDA driver found: install NVIDIA's driver, or use `Device::cpu()` or `Device::best()`"
    )]
    NoDriver,

    /// The CUDA driver is older than this crate requires.
    #[error(
        "the CUDA driver supports CUDA {}, and CUDA {} is needed: update NVIDIA's driver to r525 or newer, or use \
         `Device::cpu()`",
        version(*.found), version(*.needed)
    )]
    DriverTooOld {
        /// The result of `cuDriverGetVersion`: 1000 times the major plus ten times the minor
        /// version.
        found: i32,
        /// The minimum version, in the same form.
        needed: i32,
    },

    /// There is no GPU with this ordinal.
    #[error(
        "no CUDA device {ordinal} (the driver shows {count}, counted from 0): {}", other_device(*.count)
    )]
    NoSuchDevice {
        /// The requested ordinal.
        ordinal: usize,
        /// The number of GPUs that the driver shows.
        count: usize,
    },

    /// The program contains no code for this GPU.
    #[error(
        "kernel `{kernel}` has no code for {device} ({arch}), only {}: {}add `arch(\"{arch}\")` to `#[tile_kernel]` on \
         `{kernel}`, or build with `TILE_ARCH={arch}`",
        list_archs(.embedded), if_incomplete(.embedded)
    )]
    NoDeviceCode {
        /// The kernel.
        kernel: &'static str,
        /// The device's name.
        device: String,
        /// The device's architecture, such as `sm_90`.
        arch: String,
        /// The architectures that the program contains code for.
        embedded: Vec<&'static str>,
    },

    /// A generic call asks for an instance that the attribute does not list.
    #[error(
        "kernel `{kernel}` was not compiled for `{instance}`, only for {}: add it to `#[tile_kernel]` on `{kernel}`, or \
         ask for another",
        list_instances(.listed)
    )]
    NotCompiled {
        /// The kernel.
        kernel: &'static str,
        /// The requested types and values, such as `T = f32, N = 64`.
        instance: String,
        /// The compiled instances, such as `(T = f32, N = 128)`; a long list is cut and ends with
        /// the number of the others.
        listed: Vec<&'static str>,
    },

    /// The driver is too old to compile the embedded PTX.
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
        /// The device of that tensor.
        expected: Device,
        /// The first parameter on another device.
        param: &'static str,
        /// The device of that parameter.
        found: Device,
    },

    /// The stream of a launch belongs to a device other than that of its tensors.
    #[error(
        "kernel `{kernel}` runs on {expected}, but its stream is one of {found}: make the stream with \
         `Stream::new(&device)` of that device"
    )]
    StreamMismatch {
        /// The kernel.
        kernel: &'static str,
        /// The device of the tensors.
        expected: Device,
        /// The device of the stream.
        found: Device,
    },

    /// An argument does not satisfy an `assume(..)` of the kernel.
    #[error(
        "kernel `{kernel}` assumes `{fact}`, but {}: pass what it assumes, or remove this `assume` from `{kernel}`",
        list_values(.values)
    )]
    BrokenFact {
        /// The kernel.
        kernel: &'static str,
        /// The condition as written.
        fact: &'static str,
        /// The inputs of the condition, such as `x.dim(0)`, and their values.
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

    /// An axis of the grid has more blocks than can be launched.
    #[error(
        "the grid of kernel `{kernel}` is too large: axis {axis} has {blocks} blocks, and {limit} is the most; use \
         larger tiles, or put the longest axis first"
    )]
    GridTooLarge {
        /// The kernel.
        kernel: &'static str,
        /// The index of the axis.
        axis: usize,
        /// The number of blocks along this axis.
        blocks: u64,
        /// The maximum number of blocks along this axis on the device.
        limit: u64,
    },

    /// The grid has more blocks along an axis than can store to disjoint places.
    #[error(
        "kernel `{kernel}` was launched with {blocks} blocks along axis {axis} of the grid, and its stores tell {limit} apart: \
         launch it with the grid of its attribute, or compute the indices of its stores in `i64`"
    )]
    BlocksNotApart {
        /// The kernel.
        kernel: &'static str,
        /// The index of the axis.
        axis: usize,
        /// The number of blocks along this axis.
        blocks: u32,
        /// The maximum number of blocks along this axis whose stores are disjoint.
        limit: u32,
    },

    /// An index that distinguishes blocks would wrap around.
    #[error(
        "two blocks of kernel `{kernel}` might store to one place of `{param}` in line {line}: with these arguments and this \
         grid, a number that the index is computed from {} {bits} bits: compute it in `i64`, or launch fewer blocks",
        reaches(.reach)
    )]
    IndexWraps {
        /// The kernel.
        kernel: &'static str,
        /// The destination of the store.
        param: &'static str,
        /// The line of the store.
        line: u32,
        /// The width of the index in the kernel.
        bits: u32,
        /// A value that the index can have in a block and that does not fit; `None` if the values
        /// are unknown.
        reach: Option<i128>,
    },

    /// An index that distinguishes blocks would be divided by zero or by a negative number.
    #[error(
        "two blocks of kernel `{kernel}` might store to one place of `{param}` in line {line}: with these arguments and this \
         grid, a number that the index is computed from is divided by {}: pass arguments for which it is 1 or more, or launch \
         fewer blocks",
        divisor(.least)
    )]
    IndexDivisor {
        /// The kernel.
        kernel: &'static str,
        /// The destination of the store.
        param: &'static str,
        /// The line of the store.
        line: u32,
        /// The divisor, or the smallest value it can have in a block; `None` if it is unknown.
        least: Option<i128>,
    },

    /// Several blocks along an axis would store to the same place.
    #[error(
        "kernel `{kernel}` was launched with {blocks} blocks along axis {axis} of the grid, and all of them would store to one \
         place: launch it with one block there, or use `block_id({axis})` in the indices of its stores"
    )]
    SharedPlace {
        /// The kernel.
        kernel: &'static str,
        /// The index of the axis.
        axis: usize,
        /// The number of blocks along this axis.
        blocks: u32,
    },

    /// A grid is computed from a tile shape with a zero extent.
    #[error(
        "the grid of kernel `{kernel}` comes from a tile of 0 elements along axis {axis}: give `tiles` a shape \
         without zeros"
    )]
    ZeroTile {
        /// The kernel.
        kernel: &'static str,
        /// The index of the axis.
        axis: usize,
    },

    /// A grid is computed from a tensor with more than three axes.
    #[error(
        "the grid of kernel `{kernel}` comes from {axes} axes of tiles, and a grid has 3: reshape the tensor, or give \
         the grid as `[x, y, z]`"
    )]
    GridRank {
        /// The kernel.
        kernel: &'static str,
        /// The number of axes of tiles.
        axes: usize,
    },

    /// A `&mut` tensor of a launch has an element in common with another tensor of the launch.
    #[error(
        "`{exclusive}` of kernel `{kernel}` is `&mut` and shares memory with `{other}`: they are views of one tensor \
         {}: {}",
        common(*.overlap), apart(*.overlap, *.other_is_written)
    )]
    Aliasing {
        /// The kernel.
        kernel: &'static str,
        /// The `&mut` parameter.
        exclusive: &'static str,
        /// The parameter that it overlaps.
        other: &'static str,
        /// `true` if the other parameter is `&mut`, too.
        other_is_written: bool,
        /// The knowledge about their elements.
        overlap: Overlap,
    },

    /// A `&mut` tensor of a launch is a view with several indices for one element.
    #[error(
        "`{param}` of kernel `{kernel}` is `&mut`, but several indices of this view (shape {shape:?}, strides {strides:?}) are \
         one element: pass a copy of it, `{param}.copy()?`"
    )]
    ReadOnlyArgument {
        /// The kernel.
        kernel: &'static str,
        /// The `&mut` parameter.
        param: &'static str,
        /// The shape of the view.
        shape: Vec<usize>,
        /// The strides of the view, in elements.
        strides: Vec<usize>,
    },

    /// A launch of only one block names a block that its grid does not have.
    #[error(
        "kernel `{kernel}` has no block {block:?} in its grid of {grid:?} blocks: give `only_block` three indices, each \
         below the number of blocks along its axis"
    )]
    NoSuchBlock {
        /// The kernel.
        kernel: &'static str,
        /// The block.
        block: [u32; 3],
        /// The number of blocks along each axis.
        grid: [u32; 3],
    },

    /// A device cannot run one block of a kernel alone.
    #[error(
        "{device} does not run one block of kernel `{kernel}` alone: {reason}; copy the tensors to the CPU device with \
         `to_device(&Device::cpu())`, and call `only_block` there"
    )]
    NotAlone {
        /// The kernel.
        kernel: &'static str,
        /// The device.
        device: Device,
        /// The reason.
        reason: &'static str,
    },

    /// A kernel was to start before the previous one has ended, but is not compiled for that.
    #[error(
        "kernel `{kernel}` cannot start before the previous one has ended: write `programmatic_launch` in \
         `#[tile_kernel]` on the kernel, or launch it without `programmatic(true)`"
    )]
    NotProgrammatic {
        /// The kernel.
        kernel: &'static str,
    },

    /// The number of elements does not match the shape.
    #[error(
        "{len} elements do not fill shape {shape:?}, which has {expected}: pass a slice of {expected} elements"
    )]
    LengthMismatch {
        /// The number of elements given.
        len: usize,
        /// The requested shape.
        shape: Vec<usize>,
        /// The number of elements of that shape.
        expected: usize,
    },

    /// The shape has more bytes than an address can express.
    #[error("shape {shape:?} is larger than the address space: use a smaller shape")]
    ShapeTooLarge {
        /// The shape.
        shape: Vec<usize>,
    },

    /// A reshape would change the number of elements.
    #[error(
        "cannot reshape {from:?} ({from_len} elements) to {to:?} ({to_len} elements): the number of elements must stay"
    )]
    ReshapeLength {
        /// The shape of the tensor.
        from: Vec<usize>,
        /// The number of its elements.
        from_len: usize,
        /// The requested shape.
        to: Vec<usize>,
        /// The number of elements of that shape.
        to_len: usize,
    },

    /// No strides describe a reshaped view.
    #[error(
        "a view of shape {shape:?} and strides {strides:?} cannot have the shape {to:?} without a copy: call `contiguous()` \
         before `reshape`, or reshape before `t`, `permute` or `narrow`"
    )]
    NotContiguous {
        /// The shape of the view.
        shape: Vec<usize>,
        /// The strides of the view, in elements.
        strides: Vec<usize>,
        /// The requested shape.
        to: Vec<usize>,
    },

    /// A view would reach elements that its memory does not have.
    #[error(
        "a view of shape {shape:?} and strides {strides:?} from element {offset} on reaches {}, and there are {len} elements: \
         use a smaller shape or smaller strides",
        last_element(*.last)
    )]
    StridesOutOfBounds {
        /// The shape.
        shape: Vec<usize>,
        /// The strides, in elements.
        strides: Vec<usize>,
        /// The position of the first element.
        offset: usize,
        /// The position of the last element; `None` if it is beyond the address space.
        last: Option<usize>,
        /// The number of elements of the memory.
        len: usize,
    },

    /// A view with several indices for one element was written.
    #[error(
        "several indices of a view of shape {shape:?} and strides {strides:?} are one element, so it can only be read: write \
         to a copy of it, from `copy()`"
    )]
    ReadOnlyView {
        /// The shape of the view.
        shape: Vec<usize>,
        /// The strides of the view, in elements.
        strides: Vec<usize>,
    },

    /// A tensor does not have this axis.
    #[error(
        "there is no axis {axis} in shape {shape:?}: axes are counted from 0, and the last one is {}",
        .shape.len() - 1
    )]
    NoSuchAxis {
        /// The axis.
        axis: usize,
        /// The shape.
        shape: Vec<usize>,
    },

    /// A step between the elements of a slice is not positive.
    #[error(
        "the step along axis {axis} is {step}, and strides of tensors are not negative: use a step of 1 or more, and reverse \
         the order in the kernel, by the index"
    )]
    StepNotPositive {
        /// The axis.
        axis: usize,
        /// The step.
        step: isize,
    },

    /// A tensor was to be divided into chunks without elements.
    #[error("chunks of 0 indices along axis {axis} do not end: use chunks of at least 1")]
    EmptyChunks {
        /// The axis.
        axis: usize,
    },

    /// An axis that does not have one element was squeezed.
    #[error(
        "axis {axis} of shape {shape:?} has {} elements, and only an axis of one element can be left out: choose one of \
         them with `select({axis}, i)`",
        .shape[*.axis]
    )]
    NotOneElement {
        /// The axis.
        axis: usize,
        /// The shape.
        shape: Vec<usize>,
    },

    /// A shape cannot be broadcast to another.
    #[error(
        "shape {from:?} cannot be broadcast to {to:?}: axes correspond from the last one on, and each must be the same or \
         1; `unsqueeze` inserts axes of 1"
    )]
    NotBroadcastable {
        /// The shape of the tensor.
        from: Vec<usize>,
        /// The requested shape.
        to: Vec<usize>,
    },

    /// The axes given to `permute` are not a permutation.
    #[error("{axes:?} is no permutation of the axes: name every axis from 0 to {} once", .axes.len() - 1)]
    NotAPermutation {
        /// The axes given.
        axes: Vec<usize>,
    },

    /// A range of an axis is out of bounds.
    #[error(
        "elements {start}..{end} of axis {axis} do not exist in shape {shape:?}: give a range within the axis"
    )]
    OutOfRange {
        /// The index of the axis.
        axis: usize,
        /// The start of the range.
        start: usize,
        /// The exclusive end of the range.
        end: usize,
        /// The tensor's shape.
        shape: Vec<usize>,
    },

    /// There is not enough memory.
    #[error(
        "out of memory on {device}: {bytes} bytes were asked for; drop tensors that are not needed, or split the work"
    )]
    OutOfMemory {
        /// The device.
        device: Device,
        /// The number of bytes requested.
        bytes: usize,
    },

    /// The driver returned an error.
    #[error("`{call}` failed with {name} ({description}): {}", advice(.name))]
    Driver {
        /// The driver function.
        call: &'static str,
        /// CUDA's name of the error.
        name: String,
        /// CUDA's description of the error.
        description: String,
    },

    /// A kernel failed while it ran on the CPU device.
    #[error(
        "kernel `{kernel}` ({file}:{line}) failed in block {block:?} at `{op}`: {reason}; {}",
        alone(*.block, .reason, false)
    )]
    Fault {
        /// The kernel.
        kernel: &'static str,
        /// The file of the kernel.
        file: &'static str,
        /// The line in that file.
        line: u32,
        /// The block, as an index into the grid.
        block: [u32; 3],
        /// The operation.
        op: String,
        /// A description of the failure.
        reason: String,
    },

    /// A kernel failed, or violated a rule, on the simulated GPU.
    #[error("{0}")]
    Simulated(Box<SimulatedFault>),

    /// A kernel with inline PTX that has no body for the CPU device was launched there.
    #[error(
        "kernel `{kernel}` does not run on the CPU device: `ptx!` at {file}:{line} has no body for it: write \
         `cpu = |..| ..` after its operands, a closure that takes the inputs and computes the same, or use \
         `Device::sim()` or a GPU"
    )]
    NotOnCpu {
        /// The kernel.
        kernel: &'static str,
        /// The file of the kernel.
        file: &'static str,
        /// The line of the inline PTX.
        line: u32,
    },

    /// Inline PTX of a kernel contains an instruction that the simulator does not support.
    #[error(
        "kernel `{kernel}` ({file}:{line}) does not run in the simulator, which does not take line {ptx_line} of its \
         PTX, `{instruction}`: {reason}; launch it on a GPU, or on `Device::cpu()`, where `cpu = |..| ..` of `ptx!` \
         stands for its text; `TILE_DUMP=ptx` prints the PTX while the crate is built"
    )]
    NotOnSim {
        /// The kernel.
        kernel: &'static str,
        /// The file of the kernel.
        file: &'static str,
        /// The line in that file.
        line: u32,
        /// The line of the PTX, counted from 1.
        ptx_line: u32,
        /// The text of that line.
        instruction: String,
        /// The reason why the simulator rejects that line.
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

    /// An environment variable has an invalid value.
    #[error("`{name}` is `{value}`: {cure}")]
    Variable {
        /// The variable.
        name: &'static str,
        /// The invalid value.
        value: String,
        /// Advice on a valid value.
        cure: &'static str,
    },

    /// The embedded code is not in the format of this version of the crate.
    #[error(
        "the embedded code of kernel `{kernel}` cannot be used ({reason}): rebuild the crate with one version of \
         `tile-kernel`, and report a bug if that does not help"
    )]
    Artifact {
        /// The kernel.
        kernel: &'static str,
        /// The problem with the code.
        reason: String,
    },

    /// A stream of another library belongs to a context other than the device's primary one.
    #[error(
        "{what} belongs to another CUDA context: make it while the primary context of the device is current, as \
         `cust::quick_init` does"
    )]
    ForeignContext {
        /// What belongs to it, as the message names it.
        what: &'static str,
    },

    /// Work that a graph cannot contain was submitted while one was captured.
    #[error(
        "{what} cannot be part of a graph, and this thread captures one: do it before or after `Graph::capture`"
    )]
    Capturing {
        /// The work.
        what: &'static str,
    },

    /// An event was used before it was recorded.
    #[error("the event was not recorded: call `event.record(&stream)` before what waits for it")]
    EventNotRecorded,

    /// A stream, an event or a graph belongs to another device.
    #[error(
        "{what} belongs to {expected}, and it was used with one of {found}: make both with the same `Device`"
    )]
    OtherDevice {
        /// The stream, the event, the tensor or the graph, as the message names it.
        what: &'static str,
        /// Its device.
        expected: Device,
        /// The device of the other.
        found: Device,
    },

    /// A copy or a graph needs the memory of a host buffer whose guard is alive.
    #[error(
        "a guard of the host buffer is alive, and the copy or graph needs its memory: drop what `read()` or `write()` \
         returned before it"
    )]
    HostBufferInUse,

    /// A device cannot access the memory of another directly.
    #[error(
        "{device} has no access to the memory of {peer}: copy the tensor with `to_device(&device)`, and ask \
         `can_access_peer` before `enable_peer_access`"
    )]
    NoPeerAccess {
        /// The device.
        device: Device,
        /// The device whose memory it would access.
        peer: Device,
    },

    /// Memory of other code cannot be borrowed, or not be used in this way.
    #[error(transparent)]
    Borrow(#[from] BorrowError),
}

/// An error of a kernel on the simulated GPU, with its location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "kernel `{kernel}` ({file}:{line}) failed in the simulator at line {ptx_line} of its PTX, `{instruction}`{}, in \
     block {block:?}, warp {warp}{}: {reason}; {}; `TILE_DUMP=ptx` prints the PTX while the crate is built{}",
    source_place(.place.as_deref()), lane_of(*.lane), alone(*.block, .reason, *.is_persistent), line_variable(.place.as_deref())
)]
pub struct SimulatedFault {
    /// The kernel.
    pub kernel: &'static str,
    /// The file of the kernel.
    pub file: &'static str,
    /// The line in that file.
    pub line: u32,
    /// The line of the PTX; 0 if the error has no instruction.
    pub ptx_line: u32,
    /// The text of that line.
    pub instruction: String,
    /// The location in the source, if the PTX records it.
    pub place: Option<String>,
    /// The block, as an index into the grid.
    pub block: [u32; 3],
    /// `true` if the block processes several work tiles of the grid: `block` is then its number among
    /// the blocks that run at the same time.
    pub is_persistent: bool,
    /// The warp of the block.
    pub warp: u32,
    /// The lane of the warp, if the error concerns a single lane.
    pub lane: Option<u32>,
    /// A description of the error.
    pub reason: String,
}

fn source_place(place: Option<&str>) -> String {
    place.map_or_else(String::new, |place| format!(" ({place})"))
}

/// Says how to repeat the fault of a block.
fn alone(block: [u32; 3], reason: &str, is_persistent: bool) -> String {
    if is_persistent {
        return "a block of this persistent kernel processes several work tiles, so launch it on `Device::cpu()` for the \
                one that fails"
            .to_owned();
    }
    // What two blocks do is named with the other block.
    if reason.contains(" of block ") {
        return "it takes both blocks, so launch the whole grid to repeat it".to_owned();
    }
    format!("`.only_block({block:?})` before `.launch()` runs that block alone")
}

/// Says how to get the line of the source, if the PTX does not record it.
fn line_variable(place: Option<&str>) -> &'static str {
    match place {
        Some(_) => "",
        None => ", and `TILE_LINEINFO=1` records the lines of the source in it",
    }
}

fn lane_of(lane: Option<u32>) -> String {
    lane.map_or_else(String::new, |lane| format!(", lane {lane}"))
}

/// The knowledge about the elements that two views have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overlap {
    /// They have an element in common.
    Proven,
    /// Their strides are such that this takes too long to decide.
    Undecided,
}

fn common(overlap: Overlap) -> String {
    match overlap {
        Overlap::Proven => "with elements in common".to_owned(),
        Overlap::Undecided => {
            format!(
                "whose strides do not show within {BUDGET} steps that they have no element in common"
            )
        }
    }
}

/// Says what to pass in place of two views with common elements.
fn apart(overlap: Overlap, other_is_written: bool) -> &'static str {
    match (overlap, other_is_written) {
        (Overlap::Proven, false) => "pass a copy of the one that is read, from `copy()`",
        (Overlap::Proven, true) => {
            "divide the tensor with `split_at_mut`, `chunks_mut` or `axis_iter_mut`, or write to a new tensor and copy it"
        }
        (Overlap::Undecided, false) => {
            "pass a copy of the one that is read, from `copy()`, or views with the same strides"
        }
        (Overlap::Undecided, true) => {
            "pass views with the same strides, as `split_at_mut` makes them, or write to a new tensor and copy it"
        }
    }
}

fn last_element(last: Option<usize>) -> String {
    match last {
        Some(last) => format!("element {last}"),
        None => "beyond the address space".to_owned(),
    }
}

/// Formats `12040` as `12.4`.
fn version(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

fn other_device(count: usize) -> &'static str {
    match count {
        0 => "use `Device::cpu()`, or make a GPU visible in `CUDA_VISIBLE_DEVICES`",
        _ => "use a lower number, or `Device::best()`",
    }
}

#[expect(clippy::ref_option, reason = "`thiserror` passes fields by reference")]
fn reaches(reach: &Option<i128>) -> String {
    match reach {
        Some(value) => format!("reaches {value}, beyond"),
        None => "may go beyond".to_owned(),
    }
}

#[expect(clippy::ref_option, reason = "`thiserror` passes fields by reference")]
fn divisor(least: &Option<i128>) -> String {
    match least {
        Some(least) => least.to_string(),
        None => "what may be 0".to_owned(),
    }
}

/// Formats values like "`n` is 12, `m` is 3 and `x.dim(0)` is 100".
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

/// Names the other reason why a program has no GPU code at all.
fn if_incomplete(archs: &[&str]) -> &'static str {
    if archs.is_empty() {
        "if the build warned that a part is missing, install it; else "
    } else {
        ""
    }
}

fn list_instances(listed: &[&str]) -> String {
    let listed = listed.iter().map(|text| match text.strip_prefix('(') {
        Some(_) => format!("`{text}`"),
        None => (*text).to_owned(),
    });
    listed.collect::<Vec<_>>().join(", ")
}

/// Returns advice for a driver error that has no variant of its own; `name` is CUDA's name of the
/// error.
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
