//! Faults, and the places where they occurred.

use std::fmt;
use std::sync::Arc;

use crate::module::SourceLocation;

/// The kind of a fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// An access that no allocation contains entirely.
    #[error(
        "access of {bytes} bytes at {address:#x} is outside of every allocation in {space} memory{around}"
    )]
    OutOfBounds {
        /// The state space.
        space: &'static str,
        /// The address of the first byte.
        address: u64,
        /// The size of the access in bytes.
        bytes: u64,
        /// The nearest allocation, in words; empty if none is near.
        around: String,
    },
    /// A misaligned access: the address is not a multiple of the access size.
    #[error(
        "access of {bytes} bytes at {address:#x} in {space} memory is misaligned: its address must be a multiple of {bytes}"
    )]
    Misaligned {
        /// The state space.
        space: &'static str,
        /// The address of the first byte.
        address: u64,
        /// The size of the access in bytes.
        bytes: u64,
    },
    /// A store to read-only memory.
    #[error("store to {space} memory, which is read-only in kernels")]
    ReadOnly {
        /// The state space.
        space: &'static str,
    },
    /// A read of a register that was never written.
    #[error("register `{register}` is read before it is written")]
    UninitializedRegister {
        /// The name of the register.
        register: String,
    },
    /// A read of shared memory that was never written.
    #[error(
        "shared memory at {address:#x} is read before it is written: a barrier after the write is missing, or an index is wrong"
    )]
    UninitializedShared {
        /// The address of the first such byte.
        address: u64,
    },
    /// A data race: two threads access the same byte, at least one writes, and nothing orders the
    /// accesses.
    #[error(
        "{access} of {space} memory at {address:#x} races with the {other_access} by {other} on line {other_line}{hint}"
    )]
    Race {
        /// The state space.
        space: &'static str,
        /// The address of the byte.
        address: u64,
        /// The current access: `read` or `write`.
        access: &'static str,
        /// The earlier access: `read` or `write`.
        other_access: &'static str,
        /// The thread that made the earlier access.
        other: Thread,
        /// The PTX line of the earlier access.
        other_line: u32,
        /// A synchronization that would order the accesses, if one is known; else empty.
        hint: &'static str,
    },
    /// An access to memory that an asynchronous copy in flight still writes.
    #[error(
        "{space} memory at {address:#x} is accessed before the copy of line {copy_line} is waited for; if one thread waits for others, a barrier must follow the wait"
    )]
    PendingCopy {
        /// The state space.
        space: &'static str,
        /// The address of the byte.
        address: u64,
        /// The PTX line of the copy.
        copy_line: u32,
    },
    /// A write to shared memory that an asynchronous operation in flight still reads.
    #[error(
        "shared memory at {address:#x} is written while the asynchronous operation of line {read_line} still reads it: wait for the operation first"
    )]
    PendingRead {
        /// The address of the byte.
        address: u64,
        /// The PTX line of the operation.
        read_line: u32,
    },
    /// An asynchronous-proxy read of a generic-proxy write without a proxy fence between them.
    #[error(
        "{space} memory at {address:#x}, written on line {write_line}, is read by an asynchronous operation without a `fence.proxy.async` of that memory in between: put the fence after the write and before the barrier"
    )]
    NoProxyFence {
        /// The state space.
        space: &'static str,
        /// The address of the byte.
        address: u64,
        /// The PTX line of the write.
        write_line: u32,
    },
    /// A use of a register that a `wgmma` in flight still reads or writes.
    #[error(
        "register `{register}` is used while the `wgmma` of line {product_line} is in flight: wait with `wgmma.wait_group` first"
    )]
    ProductUnderWay {
        /// The name of the register.
        register: String,
        /// The PTX line of the `wgmma`.
        product_line: u32,
    },
    /// A `wgmma` on a register that was written after the last `wgmma.fence`.
    #[error(
        "register `{register}` was written since the last `wgmma.fence`: put one before the first `wgmma.mma_async`"
    )]
    NoProductFence {
        /// The name of the register.
        register: String,
    },
    /// An asynchronous operation that the kernel never waits for.
    #[error("{0}")]
    NotAwaited(String),
    /// A bulk or tensor copy with invalid operands.
    #[error("copy: {0}")]
    Copy(String),
    /// An invalid use of a cluster or of distributed shared memory.
    #[error("cluster: {0}")]
    Cluster(String),
    /// An invalid `setmaxnreg`, or one that waits for registers that no warp releases.
    #[error("registers: {0}")]
    Registers(String),
    /// An `alloca` or `stackrestore` with invalid operands.
    #[error("stack: {0}")]
    Stack(String),
    /// A `multimem` instruction on an address that is not a multicast address, or another
    /// instruction on one that is.
    #[error("multimem: {0}")]
    Multimem(String),
    /// An invalid use of `clusterlaunchcontrol`.
    #[error("clusterlaunchcontrol: {0}")]
    LaunchControl(String),
    /// An invalid use of an `mbarrier`.
    #[error("mbarrier at {address:#x}: {message}")]
    Mbarrier {
        /// The address of the mbarrier in shared memory.
        address: u64,
        /// The rule that was violated.
        message: String,
    },
    /// A deadlock of all threads of a cluster.
    #[error("no thread can make progress: {0}")]
    Stuck(String),
    /// A convergent instruction that some of its lanes cannot reach.
    #[error(
        "lanes {arrived:#010x} of the warp arrived and need lanes {missing:#010x}, which have exited or wait elsewhere"
    )]
    Divergence {
        /// The mask of lanes at the instruction.
        arrived: u32,
        /// The mask of required lanes that have exited or wait elsewhere.
        missing: u32,
    },
    /// A lane that executes a `.sync` instruction whose member mask does not contain it.
    #[error(
        "the member mask {members:#010x} does not contain the lane that executes the instruction"
    )]
    NotAMember {
        /// The member mask.
        members: u32,
    },
    /// A shuffle that reads from an inactive lane.
    #[error("the shuffle reads lane {from}, which does not execute it: the result is undefined")]
    ShuffleFromInactiveLane {
        /// The source lane.
        from: u32,
    },
    /// A barrier at which threads wait for others that never arrive.
    #[error(
        "barrier {barrier} has {arrived} of {expected} threads, and no thread can make progress{others}"
    )]
    Deadlock {
        /// The number of the barrier.
        barrier: u32,
        /// The number of threads that arrived.
        arrived: u32,
        /// The number of threads that the barrier expects.
        expected: u32,
        /// The positions of the block's other warps, in words.
        others: String,
    },
    /// A barrier with invalid operands.
    #[error("invalid use of a barrier: {0}")]
    BarrierMisuse(String),
    /// A matrix instruction with invalid operands.
    #[error("invalid use of a matrix instruction: {0}")]
    MatrixMisuse(String),
    /// A read of tensor memory that was never written.
    #[error(
        "tensor memory at lane {lane}, column {column} is read before it is written: nothing was written there since the allocation"
    )]
    UninitializedTensor {
        /// The lane of the first such cell.
        lane: u32,
        /// The column of the first such cell.
        column: u32,
    },
    /// An access to tensor memory that an asynchronous operation in flight still uses.
    #[error(
        "{access} of tensor memory at lane {lane}, column {column}, which the operation of line {other_line} still uses: {cure}"
    )]
    TensorUnderWay {
        /// The current access: `read`, `write` or `deallocation`.
        access: &'static str,
        /// The lane of the cell.
        lane: u32,
        /// The column of the cell.
        column: u32,
        /// The PTX line of the operation.
        other_line: u32,
        /// The instruction that waits for the operation.
        cure: &'static str,
    },
    /// An invalid use of tensor memory.
    #[error("tensor memory: {0}")]
    TensorMemory(String),
    /// A failed device-side `assert`.
    #[error("{file}:{line}: {function}: assertion `{message}` failed")]
    Assertion {
        /// The text of the condition.
        message: String,
        /// The source file.
        file: String,
        /// The line in the source file, from 1.
        line: u32,
        /// The function that contains the assertion.
        function: String,
    },
    /// A `trap` instruction.
    #[error("trap")]
    Trap,
    /// A `brx.idx` whose index is out of range.
    #[error("the branch index is {index}, but the list has {targets} targets")]
    BranchIndex {
        /// The index.
        index: u32,
        /// The number of branch targets.
        targets: u32,
    },
    /// A launch that executed more warp instructions than [`Options`](crate::Options) allow.
    #[error(
        "still running after {0} warp instructions: the kernel does not terminate, or needs a higher limit"
    )]
    InstructionLimit(u64),
    /// A launch configuration that does not fit the kernel.
    #[error("launch: {0}")]
    Launch(String),
}

/// A thread, or a group of threads if no single one is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The block's index in the grid: x, y, z.
    pub block: [u32; 3],
    /// The warp's index in the block; `None` for the unit that executes asynchronous copies.
    pub warp: Option<u32>,
    /// The lane's index in the warp; `None` for the whole warp.
    pub lane: Option<u32>,
    /// Is `true` if the thread belongs to the block in which the fault occurred.
    pub same_block: bool,
}

impl fmt::Display for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.warp, self.lane) {
            (Some(warp), Some(lane)) => write!(f, "warp {warp}, lane {lane}")?,
            (Some(warp), None) => write!(f, "warp {warp}")?,
            (None, _) => write!(f, "an asynchronous copy")?,
        }
        if !self.same_block {
            let [x, y, z] = self.block;
            write!(f, " of block {x},{y},{z}")?;
        }
        Ok(())
    }
}

/// The first error of a launch, with the instruction and the thread that caused it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of the fault.
    pub kind: FaultKind,
    /// The line of the PTX text, from 1; 0 if no instruction had started.
    pub line: u32,
    /// The source location of that line, if the PTX has debug information (`.loc`).
    pub source: Option<Arc<SourceLocation>>,
    /// The instruction, as PTX text.
    pub instruction: String,
    /// The name of the kernel.
    pub kernel: String,
    /// The block's index in the grid: x, y, z.
    pub block: [u32; 3],
    /// The warp's index in the block.
    pub warp: u32,
    /// The lane's index in the warp; `None` if the whole warp is at fault.
    pub lane: Option<u32>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            line,
            source,
            instruction,
            kernel,
            block: [x, y, z],
            warp,
            lane,
        } = self;
        if *line == 0 {
            return write!(f, "{kind}");
        }
        write!(
            f,
            "line {line}: `{instruction}`: {kind} (kernel `{kernel}`, block {x},{y},{z}, warp {warp}"
        )?;
        match lane {
            Some(lane) => write!(f, ", lane {lane}, thread {})", warp * 32 + lane)?,
            None => write!(f, ")")?,
        }
        match source {
            Some(source) => write!(f, " at {source}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

impl Fault {
    pub(crate) fn launch(message: impl Into<String>) -> Self {
        Self {
            kind: FaultKind::Launch(message.into()),
            line: 0,
            source: None,
            instruction: String::new(),
            kernel: String::new(),
            block: [0; 3],
            warp: 0,
            lane: None,
        }
    }
}

/// A fault whose place in the program is not known yet.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) kind: Box<FaultKind>,
    /// The lane, below 32.
    pub(crate) lane: Option<u8>,
}

impl Trouble {
    pub(crate) fn at(lane: usize, kind: FaultKind) -> Self {
        Self {
            kind: Box::new(kind),
            lane: u8::try_from(lane).ok(),
        }
    }

    pub(crate) fn of_warp(kind: FaultKind) -> Self {
        Self {
            kind: Box::new(kind),
            lane: None,
        }
    }
}
