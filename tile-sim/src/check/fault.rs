//! Faults and where they happened.

use std::fmt;
use std::sync::Arc;

use crate::module::SourceLocation;

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// An access to bytes that belong to nothing.
    #[error(
        "access of {bytes} bytes at {address:#x} is outside of every allocation in {space} memory{around}"
    )]
    OutOfBounds {
        /// The state space.
        space: &'static str,
        /// The first byte.
        address: u64,
        /// How many.
        bytes: u64,
        /// What is near, in words.
        around: String,
    },
    /// An access whose address is not a multiple of its size.
    #[error(
        "access of {bytes} bytes at {address:#x} in {space} memory is misaligned: its address must be a multiple of {bytes}"
    )]
    Misaligned {
        /// The state space.
        space: &'static str,
        /// The first byte.
        address: u64,
        /// How many.
        bytes: u64,
    },
    /// A store to memory that is only read.
    #[error("store to {space} memory, which kernels only read")]
    ReadOnly {
        /// The state space.
        space: &'static str,
    },
    /// A register is read that was never written.
    #[error("register `{register}` is read before it is written")]
    UninitializedRegister {
        /// Its name.
        register: String,
    },
    /// Shared memory is read that was never written.
    #[error(
        "shared memory at {address:#x} is read before it is written: a barrier behind the write is missing, or an index is wrong"
    )]
    UninitializedShared {
        /// The first such byte.
        address: u64,
    },
    /// Two threads touch the same byte, one writes, and nothing orders them.
    #[error(
        "{access} of {space} memory at {address:#x} races with the {other_access} by {other} on line {other_line}{hint}"
    )]
    Race {
        /// The state space.
        space: &'static str,
        /// The byte.
        address: u64,
        /// What is done now: `read` or `write`.
        access: &'static str,
        /// What was done before.
        other_access: &'static str,
        /// By whom.
        other: Thread,
        /// On which line.
        other_line: u32,
        /// What would order them, if that can be said.
        hint: &'static str,
    },
    /// Memory is touched that an asynchronous copy is still writing.
    #[error(
        "{space} memory at {address:#x} is touched before the copy of line {copy_line} is waited for; if one thread waits for others, they must meet it at a barrier"
    )]
    PendingCopy {
        /// The state space.
        space: &'static str,
        /// The byte.
        address: u64,
        /// Where the copy was started.
        copy_line: u32,
    },
    /// Shared memory is written that an asynchronous operation is still reading.
    #[error(
        "shared memory at {address:#x} is written while the asynchronous operation of line {read_line} still reads it: wait for that first"
    )]
    PendingRead {
        /// The byte.
        address: u64,
        /// Where the operation was started.
        read_line: u32,
    },
    /// What was written through the generic proxy is read through the asynchronous one.
    #[error(
        "{space} memory at {address:#x}, written on line {write_line}, is read by an asynchronous operation without a `fence.proxy.async` of that memory between: fence behind the write, before the barrier"
    )]
    NoProxyFence {
        /// The state space.
        space: &'static str,
        /// The byte.
        address: u64,
        /// Where it was written.
        write_line: u32,
    },
    /// A register is used that an asynchronous product still reads or writes.
    #[error(
        "register `{register}` is used while the `wgmma` of line {product_line} is under way: wait with `wgmma.wait_group` first"
    )]
    ProductUnderWay {
        /// Its name.
        register: String,
        /// Where the product was started.
        product_line: u32,
    },
    /// A register of an asynchronous product was written and no `wgmma.fence` came since.
    #[error(
        "register `{register}` was written since the last `wgmma.fence`: put one before the first product"
    )]
    NoProductFence {
        /// Its name.
        register: String,
    },
    /// Something asynchronous that nobody waited for.
    #[error("{0}")]
    NotAwaited(String),
    /// A bulk or tensor copy whose operands do not fit.
    #[error("copy: {0}")]
    Copy(String),
    /// A cluster is used against its rules.
    #[error("cluster: {0}")]
    Cluster(String),
    /// Registers that no warp gives back, or `setmaxnreg` against its rules.
    #[error("registers: {0}")]
    Registers(String),
    /// `alloca` or `stackrestore` with operands that do not fit.
    #[error("stack: {0}")]
    Stack(String),
    /// A `multimem` instruction on what is no multicast address, or the reverse.
    #[error("multimem: {0}")]
    Multimem(String),
    /// A texture or a surface that is not there, or not as the instruction says.
    #[error("image: {0}")]
    Texture(String),
    /// `clusterlaunchcontrol` against its rules.
    #[error("clusterlaunchcontrol: {0}")]
    LaunchControl(String),
    /// An `mbarrier` is used against its rules.
    #[error("mbarrier at {address:#x}: {message}")]
    Mbarrier {
        /// In shared memory.
        address: u64,
        /// What is wrong.
        message: String,
    },
    /// No thread of a cluster can go on.
    #[error("no thread can go on: {0}")]
    Stuck(String),
    /// Lanes that an instruction needs together cannot all come to it.
    #[error(
        "lanes {arrived:#010x} of the warp are here and need lanes {missing:#010x}, which have ended or wait elsewhere"
    )]
    Divergence {
        /// Lanes that are there.
        arrived: u32,
        /// Lanes that are needed and are elsewhere.
        missing: u32,
    },
    /// A lane runs an exchange whose mask leaves it out.
    #[error("the member mask {members:#010x} leaves out the lane that runs the instruction")]
    NotAMember {
        /// The mask.
        members: u32,
    },
    /// A shuffle reads from a lane that does not take part.
    #[error("the shuffle reads lane {from}, which does not run it: what it gives is undefined")]
    ShuffleFromInactiveLane {
        /// The lane it reads.
        from: u32,
    },
    /// Threads wait at barriers that others never come to.
    #[error(
        "barrier {barrier} has {arrived} of {expected} threads, and no thread can go on{others}"
    )]
    Deadlock {
        /// The barrier's number.
        barrier: u32,
        /// Threads that wait or arrived.
        arrived: u32,
        /// Threads it needs.
        expected: u32,
        /// Where the other warps of the block are, in words.
        others: String,
    },
    /// A barrier is used with operands that do not fit.
    #[error("barrier misused: {0}")]
    BarrierMisuse(String),
    /// A matrix instruction is used with operands that have no meaning.
    #[error("matrix instruction misused: {0}")]
    MatrixMisuse(String),
    /// Tensor memory is read that was never written.
    #[error(
        "tensor memory at lane {lane}, column {column} is read before it is written: nothing has written there since it was allocated"
    )]
    UninitializedTensor {
        /// The lane of the first such cell.
        lane: u32,
        /// Its column.
        column: u32,
    },
    /// Tensor memory is accessed while an asynchronous operation uses it.
    #[error(
        "{access} of tensor memory at lane {lane}, column {column}, which the operation of line {other_line} still uses: {cure}"
    )]
    TensorUnderWay {
        /// What is done: `read`, `write` or `deallocation`.
        access: &'static str,
        /// The lane of the cell.
        lane: u32,
        /// Its column.
        column: u32,
        /// Where the operation was started.
        other_line: u32,
        /// How to wait for it.
        cure: &'static str,
    },
    /// Tensor memory is used against its rules.
    #[error("tensor memory: {0}")]
    TensorMemory(String),
    /// `assert` of a condition that does not hold.
    #[error("{file}:{line}: {function}: assertion `{message}` failed")]
    Assertion {
        /// The condition, or what is said of it.
        message: String,
        /// The source file.
        file: String,
        /// Its line.
        line: u32,
        /// The function.
        function: String,
    },
    /// `trap`
    #[error("trap")]
    Trap,
    /// An indexed branch beyond its list.
    #[error("the index of the branch is {index}, and its list has {targets} targets")]
    BranchIndex {
        /// The index.
        index: u32,
        /// How many there are.
        targets: u32,
    },
    /// More instructions than the options allow.
    #[error(
        "still running after {0} warp instructions: it waits for what never comes, or needs a higher limit"
    )]
    InstructionLimit(u64),
    /// The launch does not fit the kernel.
    #[error("launch: {0}")]
    Launch(String),
}

/// A thread, or as much of it as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Which block.
    pub block: [u32; 3],
    /// Which warp of the block; none for the engine that copies.
    pub warp: Option<u32>,
    /// Which lane of the warp, if it is one.
    pub lane: Option<u32>,
    /// Whether it is of the block where the fault is.
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

/// A fault, and the instruction and thread that it was found at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// Line of the PTX; 0 if it was before the first instruction.
    pub line: u32,
    /// What that line was made of, if there is debug information.
    pub source: Option<Arc<SourceLocation>>,
    /// The instruction's name.
    pub instruction: String,
    /// The name of the entry.
    pub kernel: String,
    /// Which block.
    pub block: [u32; 3],
    /// Which warp of the block.
    pub warp: u32,
    /// Which lane of the warp, if it is one.
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

/// A fault before it is known where in the program it is.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) kind: Box<FaultKind>,
    /// Of 32.
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
