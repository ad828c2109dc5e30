//! What a launch did, in numbers that depend on nothing but the program and its inputs.

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
    /// Bits and shifts.
    Logic,
    /// Floating-point arithmetic.
    Float,
    /// `cvt`
    Conversion,
    /// Comparison and selection.
    Comparison,
    /// Moves and addresses.
    Move,
    /// Loads, stores, atomics, copies.
    Memory,
    /// Branches.
    Control,
    /// Shuffles and votes.
    Warp,
    /// Barriers.
    Barrier,
    /// Matrix products and the moves of their operands.
    Matrix,
}

/// How many families there are.
const FAMILIES: usize = 11;

impl Family {
    /// All of them.
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

    /// Its name in tables and in JSON.
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

/// Requests to global memory, by what asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalTraffic {
    /// `ld`
    pub loads: SectorTraffic,
    /// `st`
    pub stores: SectorTraffic,
    /// `atom`, `red`
    pub atomics: SectorTraffic,
    /// What `cp.async` reads. Bulk and tensor copies are in [`Counters::copies`].
    pub copies: SectorTraffic,
}

/// Requests to local memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalTraffic {
    /// `ld`
    pub loads: SectorTraffic,
    /// `st`
    pub stores: SectorTraffic,
}

/// Requests to shared memory, by what asked.
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
    /// What `cp.async` writes. Bulk and tensor copies are in [`Counters::copies`].
    pub copies: BankTraffic,
}

/// Atomic operations, once per lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Atomics {
    /// On global memory.
    pub global: u64,
    /// On shared memory.
    pub shared: u64,
}

/// Arrivals that wait, once per warp instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Barriers {
    /// `bar`, `barrier.cta`: `sync`, `red` and `arrive`.
    pub block: u64,
    /// `bar.warp.sync`
    pub warp: u64,
    /// `barrier.cluster.wait`
    pub cluster: u64,
    /// `mbarrier.test_wait` and `mbarrier.try_wait`, each time that they run.
    pub mbarrier: u64,
}

/// Matrix products.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Products {
    /// `mma`, once per warp.
    pub mma: u64,
    /// `wgmma.mma_async`, once per warp group.
    pub wgmma: u64,
    /// `tcgen05.mma`, once per thread that issues one.
    pub tcgen05: u64,
    /// `m * n * k` of all of them, of sparse ones with the zeros.
    pub multiply_adds: u64,
}

/// Asynchronous copies of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// How many were started, once per lane.
    pub operations: u64,
    /// How many bytes were written, with what is filled in.
    pub bytes: u64,
    /// How many bytes bulk and tensor copies to shared memory read from global memory: once, however many
    /// blocks of the cluster they go to.
    pub read_bytes: u64,
}

/// Asynchronous copies, by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AsyncCopies {
    /// `cp.async`
    pub cp_async: Copies,
    /// `cp.async.bulk`, `cp.reduce.async.bulk`, `st.async`, `red.async`
    pub bulk: Copies,
    /// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`; multicast once per block.
    pub tensor: Copies,
    /// `tcgen05.cp`: bytes of shared memory.
    pub tensor_memory: Copies,
}

/// Counts over a whole launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Instructions issued, once per warp, by family in the order of [`Family::ALL`].
    pub warp_instructions: [u64; FAMILIES],
    /// Instructions executed, once per active lane, by family likewise.
    pub thread_instructions: [u64; FAMILIES],
    /// Branches at which lanes of a warp parted.
    pub divergent_branches: u64,
    /// Global memory.
    pub global: GlobalTraffic,
    /// Local memory.
    pub local: LocalTraffic,
    /// Shared memory.
    pub shared: SharedTraffic,
    /// Atomic operations.
    pub atomics: Atomics,
    /// Barriers.
    pub barriers: Barriers,
    /// Matrix products.
    pub products: Products,
    /// Asynchronous copies.
    pub copies: AsyncCopies,
    /// Which instructions of the kernel ran.
    pub reached: Reached,
}

/// What asks for memory.
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

/// What multiplies matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Product {
    Mma,
    Wgmma,
    Tcgen05,
}

/// A kind of asynchronous copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CopyKind {
    CpAsync,
    Bulk,
    Tensor,
    TensorMemory,
}

/// Addresses of the lanes that one warp instruction reaches memory with.
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
    /// Instructions issued.
    pub fn total_warp_instructions(&self) -> u64 {
        self.warp_instructions.iter().sum()
    }

    /// Instructions executed, summed over lanes.
    pub fn total_thread_instructions(&self) -> u64 {
        self.thread_instructions.iter().sum()
    }

    /// Warp instructions of one family.
    pub fn of(&self, family: Family) -> u64 {
        self.warp_instructions[family as usize]
    }

    /// A warp runs an instruction with these lanes.
    #[inline]
    pub(crate) fn issue(&mut self, family: Family, active: u32) {
        self.warp_instructions[family as usize] += 1;
        self.thread_instructions[family as usize] += u64::from(active.count_ones());
    }

    /// A product of matrices with `m * n * k` multiply-adds.
    pub(crate) fn product(&mut self, product: Product, multiply_adds: u64) {
        *match product {
            Product::Mma => &mut self.products.mma,
            Product::Wgmma => &mut self.products.wgmma,
            Product::Tcgen05 => &mut self.products.tcgen05,
        } += 1;
        self.products.multiply_adds += multiply_adds;
    }

    /// A lane starts an asynchronous copy of so many bytes.
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

    /// A lane has so many bytes of global memory read for an asynchronous copy.
    pub(crate) fn copy_reads(&mut self, kind: CopyKind, bytes: u64) {
        self.copies_of(kind).read_bytes += bytes;
    }

    /// A warp instruction reaches memory: each lane `bytes` at its address.
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
