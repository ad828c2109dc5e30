//! The performance counters of a launch, which depend only on the program, its inputs and the seed.

mod groups;
mod reached;
mod traffic;

pub use groups::Group;
pub use reached::Reached;

pub use traffic::{BankTraffic, SectorTraffic};
use traffic::{Reach, Words};

/// A family of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Integer arithmetic.
    Integer,
    /// Bitwise logic and shifts.
    Logic,
    /// Floating-point arithmetic.
    Float,
    /// `cvt`
    Conversion,
    /// Comparison and selection.
    Comparison,
    /// Moves and address conversions.
    Move,
    /// Loads, stores, atomics and copies.
    Memory,
    /// Branches, calls and exits.
    Control,
    /// Shuffles, votes and other warp-level exchanges.
    Warp,
    /// Barriers.
    Barrier,
    /// Matrix multiply-accumulate, and the moves of its operands.
    Matrix,
}

/// The number of families.
const FAMILIES: usize = 11;

impl Family {
    /// All families, in the order of the counters.
    pub const ALL: [Self; FAMILIES] = [
        Self::Integer,
        Self::Logic,
        Self::Float,
        Self::Conversion,
        Self::Comparison,
        Self::Move,
        Self::Memory,
        Self::Control,
        Self::Warp,
        Self::Barrier,
        Self::Matrix,
    ];

    /// Returns the name in tables and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Logic => "logic",
            Self::Float => "float",
            Self::Conversion => "conversion",
            Self::Comparison => "comparison",
            Self::Move => "move",
            Self::Memory => "memory",
            Self::Control => "control",
            Self::Warp => "warp",
            Self::Barrier => "barrier",
            Self::Matrix => "matrix",
        }
    }
}

/// Requests to global memory, by instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalTraffic {
    /// `ld`
    pub loads: SectorTraffic,
    /// `st`
    pub stores: SectorTraffic,
    /// `atom`, `red`
    pub atomics: SectorTraffic,
    /// Reads by `cp.async`. Bulk and tensor copies are in [`Counters::copies`].
    pub copies: SectorTraffic,
}

/// Requests to local memory, by instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalTraffic {
    /// `ld`
    pub loads: SectorTraffic,
    /// `st`
    pub stores: SectorTraffic,
}

/// Requests to shared memory, by instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedTraffic {
    /// `ld`
    pub loads: BankTraffic,
    /// `st`
    pub stores: BankTraffic,
    /// `ldmatrix`, `stmatrix`
    pub matrix: BankTraffic,
    /// `atom`, `red`
    pub atomics: BankTraffic,
    /// Writes by `cp.async`. Bulk and tensor copies are in [`Counters::copies`].
    pub copies: BankTraffic,
}

/// The number of atomic operations, counted once per lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Atomics {
    /// On global memory.
    pub global: u64,
    /// On shared memory.
    pub shared: u64,
}

/// The number of barrier instructions, counted once per warp instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Barriers {
    /// `bar`, `barrier.cta`: `sync`, `red` and `arrive`.
    pub block: u64,
    /// `bar.warp.sync`
    pub warp: u64,
    /// `barrier.cluster.wait`
    pub cluster: u64,
    /// `mbarrier.test_wait` and `mbarrier.try_wait`, counted at each execution.
    pub mbarrier: u64,
}

/// Matrix multiply-accumulate operations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matmuls {
    /// The number of `mma` instructions, once per warp.
    pub mma: u64,
    /// The number of `wgmma.mma_async` instructions, once per warpgroup.
    pub wgmma: u64,
    /// The number of `tcgen05.mma` instructions, once per issuing thread.
    pub tcgen05: u64,
    /// The sum of `m * n * k` over all these instructions. Sparse ones count as dense.
    pub multiply_adds: u64,
}

/// Asynchronous copies of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// The number of copies, once per lane that starts one.
    pub operations: u64,
    /// The number of bytes written, including zero fill.
    pub bytes: u64,
    /// The number of bytes that bulk and tensor copies to shared memory read from global memory. A
    /// multicast copy counts once, not once per destination block.
    pub read_bytes: u64,
}

/// Asynchronous copies, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AsyncCopies {
    /// `cp.async`
    pub cp_async: Copies,
    /// `cp.async.bulk`, `cp.reduce.async.bulk`, `st.async`, `red.async`
    pub bulk: Copies,
    /// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`; a multicast copy counts once per
    /// destination block.
    pub tensor: Copies,
    /// `tcgen05.cp`, in bytes of shared memory.
    pub tensor_memory: Copies,
}

/// The performance counters of a launch.
///
/// [`Display`](std::fmt::Display) prints the nonzero ones as a table; [`Counters::groups`] returns all
/// of them by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Warp instructions issued, by family in the order of [`Family::ALL`].
    pub warp_instructions: [u64; FAMILIES],
    /// Thread instructions executed (one per active lane), by family in the order of
    /// [`Family::ALL`].
    pub thread_instructions: [u64; FAMILIES],
    /// The number of branches at which a warp diverged.
    pub divergent_branches: u64,
    /// Requests to global memory.
    pub global: GlobalTraffic,
    /// Requests to local memory.
    pub local: LocalTraffic,
    /// Requests to shared memory.
    pub shared: SharedTraffic,
    /// Atomic operations.
    pub atomics: Atomics,
    /// Barrier instructions.
    pub barriers: Barriers,
    /// Matrix multiply-accumulate operations.
    pub matmuls: Matmuls,
    /// Asynchronous copies.
    pub copies: AsyncCopies,
    /// The instructions of the kernel that were executed at least once.
    pub reached: Reached,
}

/// The instruction class of a memory request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traffic {
    Load,
    Store,
    /// `ldmatrix`, `stmatrix`
    Matrix,
    Atomic,
    /// `cp.async`
    Copy,
}

impl From<crate::isa::memory::Kind> for Traffic {
    fn from(kind: crate::isa::memory::Kind) -> Self {
        use crate::isa::memory::Kind;
        match kind {
            Kind::Load => Self::Load,
            Kind::Store => Self::Store,
        }
    }
}

/// The instruction class of a matrix multiply-accumulate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Product {
    Mma,
    Wgmma,
    Tcgen05,
}

/// The kind of an asynchronous copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyKind {
    CpAsync,
    Bulk,
    Tensor,
    TensorMemory,
}

/// The addresses of the lanes of one warp instruction.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    pub(crate) global: Reach,
    pub(crate) local: Reach,
    pub(crate) shared: Reach,
}

impl Requests {
    pub(crate) fn clear(&mut self) {
        self.global.clear();
        self.local.clear();
        self.shared.clear();
    }
}

impl Counters {
    /// Returns the number of warp instructions issued.
    pub fn total_warp_instructions(&self) -> u64 {
        self.warp_instructions.iter().sum()
    }

    /// Returns the number of thread instructions executed.
    pub fn total_thread_instructions(&self) -> u64 {
        self.thread_instructions.iter().sum()
    }

    /// Returns the number of warp instructions of one family.
    pub fn warp_instructions_of(&self, family: Family) -> u64 {
        self.warp_instructions[family as usize]
    }

    /// Counts an instruction issued for the `active` lanes.
    #[inline]
    pub(crate) fn issue(&mut self, family: Family, active: u32) {
        self.warp_instructions[family as usize] += 1;
        self.thread_instructions[family as usize] += u64::from(active.count_ones());
    }

    /// Counts a matrix multiply-accumulate with `m * n * k` multiply-adds.
    pub(crate) fn product(&mut self, product: Product, multiply_adds: u64) {
        *match product {
            Product::Mma => &mut self.matmuls.mma,
            Product::Wgmma => &mut self.matmuls.wgmma,
            Product::Tcgen05 => &mut self.matmuls.tcgen05,
        } += 1;
        self.matmuls.multiply_adds += multiply_adds;
    }

    /// Counts an asynchronous copy of `bytes` bytes that a lane starts.
    pub(crate) fn copy(&mut self, kind: CopyKind, bytes: u64) {
        let copies = self.copies_of(kind);
        copies.operations += 1;
        copies.bytes += bytes;
    }

    fn copies_of(&mut self, kind: CopyKind) -> &mut Copies {
        match kind {
            CopyKind::CpAsync => &mut self.copies.cp_async,
            CopyKind::Bulk => &mut self.copies.bulk,
            CopyKind::Tensor => &mut self.copies.tensor,
            CopyKind::TensorMemory => &mut self.copies.tensor_memory,
        }
    }

    /// Counts `bytes` bytes of global memory that an asynchronous copy reads.
    pub(crate) fn copy_reads(&mut self, kind: CopyKind, bytes: u64) {
        self.copies_of(kind).read_bytes += bytes;
    }

    /// Counts a warp instruction that accesses `bytes` bytes at each lane's address.
    pub(crate) fn reach(&mut self, traffic: Traffic, requests: &mut Requests, bytes: u64) {
        let global = match traffic {
            Traffic::Load | Traffic::Matrix => &mut self.global.loads,
            Traffic::Store => &mut self.global.stores,
            Traffic::Atomic => &mut self.global.atomics,
            Traffic::Copy => &mut self.global.copies,
        };
        global.add_linear(&mut requests.global, bytes);
        let local = match traffic {
            Traffic::Store => &mut self.local.stores,
            Traffic::Load | Traffic::Matrix | Traffic::Atomic | Traffic::Copy => {
                &mut self.local.loads
            }
        };
        local.add_interleaved(&mut requests.local, bytes);
        let (shared, words) = match traffic {
            Traffic::Load => (&mut self.shared.loads, Words::Broadcast),
            Traffic::Store => (&mut self.shared.stores, Words::Broadcast),
            Traffic::Matrix => (&mut self.shared.matrix, Words::Broadcast),
            Traffic::Atomic => (&mut self.shared.atomics, Words::Exclusive),
            Traffic::Copy => (&mut self.shared.copies, Words::Broadcast),
        };
        shared.add(&requests.shared, bytes, words);
        if traffic == Traffic::Atomic {
            self.atomics.global += requests.global.len();
            self.atomics.shared += requests.shared.len();
        }
    }
}
