//! The errors of the host API, with the remedy for each.

mod aliasing;
mod driver;
mod fault;
mod text;

use crate::Device;
use crate::foreign::BorrowError;
use aliasing::{apart, common};
use driver::{advice, lost};
use fault::{alone, why_not_native};
use text::{
    divisor, if_incomplete, last_element, list_archs, list_instances, list_values, other_device,
    reaches, version,
};

pub use aliasing::Overlap;
pub use fault::SimulatedFault;

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

    /// Earlier work on a GPU failed, and the driver does nothing more for this program there.
    #[error("`{call}` failed with {name} ({description}): {}", lost(.device, .call, .name, .first_call, .kernels))]
    ContextLost {
        /// The device.
        device: Device,
        /// The driver function.
        call: &'static str,
        /// CUDA's name of the error.
        name: String,
        /// CUDA's description of the error.
        description: String,
        /// The driver function that first returned such an error.
        first_call: &'static str,
        /// The kernels that were launched last on the device, the last one first: at most four.
        kernels: Box<[&'static str]>,
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

    /// Native code of a kernel failed on the CPU device, and the interpreter does not find the cause.
    #[error(
        "kernel `{kernel}` ({file}:{line}) failed in block {block:?}: an assertion, an index or a division failed in its \
         native code, and not again when the interpreter ran the block, since memory had changed; set `TILE_CPU=interpreted` \
         for the operation"
    )]
    NativeFault {
        /// The kernel.
        kernel: &'static str,
        /// The file of the kernel.
        file: &'static str,
        /// The line in that file.
        line: u32,
        /// The block, as an index into the grid.
        block: [u32; 3],
    },

    /// `TILE_CPU=native` asks for native code of a kernel that has none.
    #[error(
        "kernel `{kernel}` has no native code for this processor: {}; unset `TILE_CPU` to interpret it",
        why_not_native(.file, *.line, .reason)
    )]
    NotNative {
        /// The kernel.
        kernel: &'static str,
        /// The file of the kernel.
        file: &'static str,
        /// The line of the cause; 0 if it has none.
        line: u32,
        /// The reason.
        reason: &'static str,
    },

    /// `TILE_CPU` asks for native code of a level, and the kernel has code of higher ones only.
    #[error(
        "kernel `{kernel}` has no native code for the level `{level}`, which `TILE_CPU` asks for, or a lower one: the lowest that it \
         was built for is `{lowest}`; build it with `TILE_LEVELS=all`, or unset `TILE_CPU`"
    )]
    NoNativeLevel {
        /// The kernel.
        kernel: &'static str,
        /// The level that the variable names.
        level: &'static str,
        /// The lowest level for which there is code.
        lowest: &'static str,
    },

    /// A kernel whose attribute says `cpu = "none"` was launched on the CPU device.
    #[error(
        "kernel `{kernel}` has no code for the CPU device: remove `cpu = \"none\"` from `#[tile_kernel]` on `{kernel}`, or \
         use a GPU"
    )]
    NoCpuCode {
        /// The kernel.
        kernel: &'static str,
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

    /// An option of a measurement makes no sense.
    #[error("`{option}` of the measurement is {value}: {cure}")]
    BenchOption {
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
        /// The remedy.
        cure: &'static str,
    },

    /// A measurement found nothing that took time.
    #[error(
        "nothing that was measured took any time on {device}: submit the work to the stream that the closure gets, with \
         `.on(stream)`"
    )]
    NothingMeasured {
        /// The device.
        device: Device,
    },

    /// A text is not the JSON of a measurement, or of a table.
    #[error("this is not what `to_json` of the same type wrote: {reason}")]
    BenchJson {
        /// The problem.
        reason: String,
    },

    /// A plot cannot be drawn, or not be written.
    #[error("the plot cannot be made: {reason}")]
    Plot {
        /// The problem and its remedy.
        reason: String,
    },

    /// No candidate of a kernel runs with the arguments of a launch.
    #[error(
        "no candidate of kernel `{kernel}` runs with these arguments: {}; list others in `instances(..)`",
        .reasons.join("; ")
    )]
    NothingTuned {
        /// The kernel.
        kernel: &'static str,
        /// Each candidate with the reason, as `` `BM = 64`: .. ``.
        reasons: Vec<String>,
    },

    /// A candidate of a kernel failed on a GPU while the tuner ran it, after which the driver does nothing more for this program
    /// there. The tuner has noted it, and does not run it again.
    #[error(
        "candidate `{candidate}` of kernel `{kernel}` failed, and the GPU is lost to this program: {reason}; start it again{}, and the tuner leaves the candidate out",
        if *.in_file { "" } else { " with a file of records, by `Tuner::file` or `TILE_TUNING`" }
    )]
    CandidateBreaks {
        /// The kernel.
        kernel: &'static str,
        /// The candidate, as `BM = 64`.
        candidate: &'static str,
        /// The error of the driver.
        reason: String,
        /// The tuner has written it to a file of records.
        in_file: bool,
    },

    /// Records of the tuner cannot be read or written.
    #[error("{place}: {reason}: use a file of records that the tuner or `tilec tune` writes")]
    TuningRecords {
        /// The file, or the line of a text.
        place: String,
        /// The reason.
        reason: String,
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
