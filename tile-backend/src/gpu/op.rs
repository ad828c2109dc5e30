//! Operations of the GPU IR.

use super::Roots;
use super::{
    Access, Arrivals, AsyncCopy, BlockId, BufferId, BulkCopy, Caching, ExpectTx, ExtractSlice,
    InsertSlice, MemoryKind, Mma, MmaLoop, MmaScaled, PingPong, PipelineBarriers, Reach, ScanStep,
    TmaLoad, TmaStore, TmaStoreWait, TransposeShared, ValueId, Wgmma,
};
use crate::layout::{Axis, LinearLayout, ReducePlan, Register, VectorPlan, row_major, vector_plan};
use smallvec::SmallVec;
use std::ops::Deref;
use std::sync::Arc;
use tile_core::interp::Prints;
use tile_core::ir::{Attr, DenseElements, RoundingMode};
use tile_core::ops::{ConversionOp, Opcode};
use tile_core::{Loc, Scalar};

/// One operation.
#[derive(Clone, Debug)]
pub struct Op {
    /// The kind of the operation, with its attributes.
    pub kind: OpKind,
    /// Operands.
    pub args: SmallVec<[ValueId; 4]>,
    /// Results.
    pub results: SmallVec<[ValueId; 2]>,
    /// Nested blocks.
    pub blocks: SmallVec<[BlockId; 2]>,
    /// Source location.
    pub loc: Loc,
}

/// An element-wise operation of tile IR, without its operands: opcode and attributes.
#[derive(Clone, Debug)]
pub struct ElementOp(tile_core::ir::Op);

impl ElementOp {
    /// Returns a conversion of floats, exact or rounded to the nearest.
    pub fn float_to_float(loc: Loc) -> Self {
        let opcode = Opcode::Conversion(ConversionOp::FToF);
        let mut op = tile_core::ir::Op::new(opcode, loc);
        op.attrs.resize(op.def().attrs.len(), None);
        op.set_attr(
            "rounding_mode",
            Some(Attr::Rounding(RoundingMode::NearestEven)),
        );
        Self(op)
    }

    /// Returns the opcode and attributes of `op`.
    pub fn from_tile_op(op: &tile_core::ir::Op) -> Self {
        let mut op = op.clone();
        op.operands.clear();
        op.segments.clear();
        op.results.clear();
        op.regions.clear();
        op.parent = None;
        Self(op)
    }
}

impl Deref for ElementOp {
    type Target = tile_core::ir::Op;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// The kind of an operation. Operands and results are listed as `(args) -> results`.
#[derive(Clone, Debug)]
pub enum OpKind {
    /// `() -> uniform or distributed`: every element has this bit pattern.
    Constant(u64),
    /// `() -> distributed`: element `i` of the tile (row-major) has `bits_at(i)`.
    ConstantEach(Arc<DenseElements>),
    /// `() -> uniform i32`: the coordinate of the block in the grid.
    BlockId(u8),
    /// `() -> uniform i32`: the extent of the grid.
    GridSize(u8),
    /// `() -> i32, i32, i32`: the work tiles of a persistent block, that is, the number of its first work
    /// tile, the number of all work tiles, and the step between consecutive work tiles of the block.
    WorkTileRange,
    /// `(number) -> i32, i32, i32`: the grid coordinates of a work tile.
    WorkTileCoordinates,
    /// `(uniform) -> distributed`: the same number everywhere.
    Splat,
    /// `(distributed of one element) -> uniform`: that element.
    ToUniform,
    /// `() -> distributed integer`: each element's coordinate on the axis.
    Coordinate(Axis),
    /// `(operands of one layout, or all uniform) -> the same`: element by element.
    Compute(ElementOp),
    /// `(accumulator, factors of the same layout) -> accumulator`: their element-wise product. A warp skips
    /// the multiplication if all of its factors are 1.
    LazyRescale(ElementOp),
    /// `(distributed) -> distributed`: register `r` of the result is register
    /// `sources[r]` of the operand; nothing moves between threads.
    PermuteRegisters(Vec<Register>),
    /// `(base, then per tile axis: tile index, extent, stride) -> distributed`.
    LoadGlobal(GlobalTile),
    /// `(value, base, then per tile axis: tile index, extent, stride) -> ()`.
    StoreGlobal(GlobalTile),
    /// `(tile, base, then per tile axis: tile index, extent, stride) -> the same`: replaces the elements that
    /// do not exist in global memory by the padding.
    Pad(GlobalTile),
    /// An operation on addresses.
    Memory(MemoryKind),
    /// `(distributed) -> ()`: writes the tile into a buffer.
    StoreShared(BufferId),
    /// Like `StoreShared`, but with `stmatrix`; [`crate::layout::stmatrix_plan`] must have a plan for the two
    /// layouts.
    StoreMatrix(BufferId),
    /// `() -> distributed`: reads a tile from a buffer; from a circular buffer, `(stage) -> distributed`.
    LoadShared(BufferId),
    /// Like `LoadShared`, but with `ldmatrix`; [`crate::layout::ldmatrix_plan`] must have a plan for the two
    /// layouts.
    LoadMatrix(BufferId),
    /// `(stages…) -> ()`: copies a matrix to another buffer, in which the other axis is contiguous. There is
    /// one stage operand for each circular buffer, in order.
    TransposeShared(TransposeShared),
    /// `(whether, stage, operands of [`Copied`](super::Copied)) -> ()`: issues a copy of a tile of global
    /// memory into a stage of a circular buffer if `whether` holds. Elements that do not exist become zero.
    CopyAsync(Box<AsyncCopy>),
    /// `() -> ()`: makes a group of the copies that this thread has issued since the last such operation.
    CommitGroup,
    /// `() -> ()`: waits until at most this many of the thread's groups, the newest ones, are in flight.
    WaitGroup(u32),
    /// `() -> ()`: one thread initializes the mbarriers of a buffer, each of which expects these arrivals.
    /// Earlier accesses of threads to shared memory are ordered before TMA loads to it.
    InitMbarriers(BufferId, Arrivals),
    /// `() -> ()`: one thread invalidates the mbarriers of a buffer, which may then be initialized again.
    InvalidateMbarriers(BufferId),
    /// `(whether, stage, byte counts of preceding bulk copies…) -> ()`: if `whether` holds, one thread
    /// arrives at the mbarrier of the stage, whose phase completes once the attribute's bytes and those of
    /// the bulk copies have arrived.
    ArriveExpectTx(ExpectTx),
    /// `(whether, stage, tile index per tile axis) -> ()`: if `whether` holds, one thread issues a TMA load
    /// of a tile into a stage of a circular buffer. Elements that do not exist become zero, and their bytes
    /// count too.
    TmaLoad(Box<TmaLoad>),
    /// `() -> ()`: one thread fetches the tensor maps of the kernel into the cache through which TMA reads them.
    /// Maps are parameters, so this accesses no global memory.
    PrefetchMaps,
    /// `(whether, stage, base, then per tile axis: tile index, extent, stride) -> uniform i32`: if `whether`
    /// holds, one warp issues bulk copies of the rows of a tile into a stage of a circular buffer, and writes
    /// padding for elements that do not exist. If `whether` holds, the result is the number of bytes that
    /// arrive by copies.
    BulkCopy(Box<BulkCopy>),
    /// `(stage, parity) -> ()`: waits until the phase with this parity of the stage's mbarrier has completed;
    /// the thread then sees the copied data.
    ConsumerWait(BufferId),
    /// `() -> ()`: makes this thread's writes to shared memory visible to TMA stores that begin after the
    /// next barrier.
    FenceProxyAsync,
    /// `(base, then per tile axis: tile index, extent, stride) -> ()`: one thread issues a TMA store of a
    /// tile, or of a subtile, from a buffer. Elements that do not exist are left out.
    TmaStore(Box<TmaStore>),
    /// `() -> ()`: the thread that issues TMA stores waits for those from a buffer.
    WaitTmaStores(TmaStoreWait),
    /// `() -> ()`: all threads wait for each other. The producer warps then run the block, in which one
    /// thread issues the copies, and end after it. The consumer warps continue after the operation.
    WarpSpecialize,
    /// `(stage, parity) -> ()`: waits until the phase with this parity of the stage's empty mbarrier has
    /// completed, that is, until every warp has read the previous tile of the stage.
    ProducerAcquire(PipelineBarriers),
    /// `(stage, parity) -> ()`: marks the end of production; stage and parity are the next that the producer
    /// would have used. If other blocks of the cluster release stages, the producer waits until all stages
    /// are released, so that the block outlives their arrivals.
    ProducerTail(PipelineBarriers),
    /// `(stage) -> ()`: every warp signals that it has read the stage; no effect if the operand is the number
    /// of stages.
    ConsumerRelease(PipelineBarriers),
    /// `() -> ()`: all threads of the block wait for each other; after [`Self::WarpSpecialize`], only the
    /// consumer threads. Earlier accesses to shared and global memory are visible to later ones.
    Barrier,
    /// `() -> ()`: like [`Self::Barrier`], but for all blocks of the cluster. It must precede
    /// [`Self::WarpSpecialize`].
    ClusterBarrier,
    /// `(a, b, accumulator) -> accumulator`: `mma.sync`.
    Mma(Mma),
    /// `(a, b, accumulator, factors of a, factors of b) -> accumulator`: `mma.sync` with
    /// `.block_scale`.
    MmaScaled(MmaScaled),
    /// `(accumulator, stages…) -> accumulator`: a matmul of two buffers without tensor cores, step by step
    /// along K. There is one stage operand for each circular buffer, in order.
    MmaLoop(MmaLoop),
    /// `(accumulator, left operand if in registers, stages…) -> accumulator`: an MMA of all warpgroups, whose
    /// operands are in buffers, except for a left operand in registers. There is one stage operand for each
    /// circular buffer, in order.
    Wgmma(Wgmma),
    /// `(accumulator, left operand if in registers) -> accumulator`: waits for an in-flight MMA, until at
    /// most this many later MMAs are in flight. Until then, the operands of the MMA stay in their registers.
    WaitWgmma(u32),
    /// `(accumulator, factors, left operand if in registers) -> accumulator`: [`Self::WaitWgmma`] until no
    /// MMA is in flight, then [`Self::LazyRescale`].
    WaitWgmmaAndRescale(ElementOp),
    /// `() -> ()`: a step of ping-pong scheduling, in which two warpgroups alternate in issuing their MMAs.
    PingPong(PingPong),
    /// `(operands of one layout…) -> partial results…`: steps 1 and 2 of [`crate::layout::reduce`], which
    /// combine registers and lanes. For each operand, the block takes an element and an accumulator (of
    /// uniform types) and yields their combination.
    ReduceWarp(Box<ReducePlan>),
    /// `(partial results…) -> ()`: writes the partial results of each warp into buffers.
    StorePartials(Partials),
    /// `() -> results…`: reads the partial results of all warps and combines them
    /// with the block, in order of their slots.
    CombinePartials(Partials),
    /// `(distributed) -> distributed`: converts the layout within each warp, by shuffles.
    ConvertLayoutShuffle,
    /// `(distributed) -> distributed`: converts the layout within each warp, through a buffer. Each warp
    /// synchronizes its own lanes, before and after it writes. A tile that is larger than the buffer goes
    /// through it in rounds: [`crate::layout::ExchangeRounds`].
    ConvertLayoutShared(BufferId),
    /// `(operands of one layout…) -> prefixes…, totals…`: combines each element with those before it in its
    /// warp, in the order of the axis. If the axis is spread over warps, the totals combine all elements of
    /// each warp. The block is as for [`OpKind::ReduceWarp`].
    ScanWarp(Box<ScanStep>),
    /// `(prefixes…) -> prefixes…`: combines each prefix with the partial results of the preceding warps,
    /// which are in buffers.
    ScanAcross(Partials, Box<ScanStep>),
    /// `(tile, slice, indices…) -> distributed`: the tile with one slice replaced.
    InsertSlice(Box<InsertSlice>),
    /// `(distributed, indices…) -> distributed`: one slice, selected among registers.
    ExtractSlice(Box<ExtractSlice>),
    /// `(indices…) -> distributed`: one slice of a tile in a buffer, in row-major order; of a circular
    /// buffer, `(indices…, stage) -> distributed`.
    LoadSlice(BufferId),
    /// `(distributed) -> distributed`: reinterprets the bits as elements of another width.
    Repack,
    /// `(lower, upper, step, initial values…) -> final values…`: the block takes the induction variable and
    /// the carried values, and `continue` passes the next carried values.
    For {
        /// `true` if bounds are compared as unsigned numbers.
        unsigned: bool,
    },
    /// `(initial values…) -> results…`: the block takes the carried values; `continue` passes the next ones,
    /// `break` the results.
    Loop,
    /// `(uniform i1) -> results…`: runs one of two blocks, which yield the results.
    If,
    /// `(results…) -> ()`: ends a block of `if`, or of an operation that combines elements.
    Yield,
    /// `(carried values…) -> ()`: goes to the next iteration of the innermost loop.
    Continue,
    /// `(results…) -> ()`: leaves the innermost loop, which is not a `for`.
    Break,
    /// `() -> ()`: ends the kernel for this thread block.
    Return,
    /// `(i1, uniform or distributed) -> ()`: ends the launch with this message and the index
    /// of the first element that is 0, unless all are 1.
    Assert(Arc<str>),
    /// `(operands of one layout, or uniform…) -> results…`: PTX text (`ptx.inline` or `ptx.inline_pure`),
    /// repeated for each register.
    Ptx(ElementOp),
    /// `(uniform…) -> ()`: one thread prints.
    Print(Arc<[Piece]>),
    /// `(uniform i32) -> uniform`: the element of a buffer at index `operand + offset`.
    LoadElement {
        /// The buffer that is read.
        buffer: BufferId,
        /// Elements added to the operand.
        offset: u32,
    },
    /// `() -> ()`: waits for the kernels before this one in the stream, or lets those after it start.
    Dependents(Dependents),
    /// `() -> ()`: orders this thread's earlier accesses to memory before its later accesses to the same
    /// memory through other addresses.
    AliasFence,
}

/// A part of the output of `print`. The variants that say so take an operand, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Text(Box<[u8]>),
    /// An operand: an integer, an f64 or a pointer.
    Value(Printed),
    /// An operand, the row-major index of an element: prints a comma unless the element is the first, and an
    /// opening bracket per axis that starts there. The `n` innermost axes together have `sizes[n - 1]`
    /// elements.
    Opening(Vec<u64>),
    /// An operand that is `after` less than the index following an element: prints a closing bracket per axis
    /// that ends there.
    Closing {
        /// As in [`Self::Opening`].
        sizes: Vec<u64>,
        /// Number added to the operand.
        after: u32,
    },
}

/// The format of a printed operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The conversion up to the length: `%-8.3`.
    pub flags: Box<str>,
    /// Number of bits of an integer that are printed, if not all.
    pub bits: Option<u32>,
    /// The letter of the conversion.
    pub letter: u8,
    /// The kind of value that the conversion prints.
    pub prints: Prints,
}

/// Programmatic dependent launch: a kernel may start before its predecessor in the stream has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dependents {
    /// Waits until the kernels that this one depends on have ended.
    Wait,
    /// Lets the kernels that depend on this one start.
    Launch,
}

/// The place of a tile in global memory.
///
/// Element `(c0, c1, …)` of the tile is at
/// `base + sum over axes of (index * step + c) * stride`, in elements; it exists if
/// every `index * step + c < extent`. Indices, extents and strides are unsigned
/// integers of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalTile {
    /// The element type in memory.
    pub element: Scalar,
    /// The axes of the tile.
    pub axes: Vec<GlobalAxis>,
    /// The axis along which elements are neighbours in memory (stride 1), if any is known to be.
    pub contiguous: Option<Axis>,
    /// Number of elements that one instruction may access along the contiguous axis: every multiple of it
    /// from the start of the tile is aligned to that many elements in memory.
    pub vector_elements: u64,
    /// The bits of elements that do not exist; `None` if any value will do.
    pub padding: Option<u64>,
    /// The objects that the base may point to.
    pub roots: Roots,
    /// The accesses of the kernel to that memory.
    pub access: Access,
    /// `true` if all offsets within the tensor fit 32 bits, so that addresses may be computed with 32-bit
    /// integers.
    pub fits_32_bits: bool,
    /// For a load: `true` if warps that hold only copies may get any values, since nothing uses their values.
    pub by_owners: bool,
    /// For a load: the cache hint.
    pub caching: Caching,
}

/// Maximum number of bytes that one instruction accesses.
const MAX_ACCESS_BYTES: u64 = 16;

impl GlobalTile {
    /// Returns the widest vectors of the tile in `layout` that lie within the contiguous axis and for which
    /// memory is aligned.
    pub fn vectors(&self, layout: &LinearLayout) -> VectorPlan {
        let shape = layout.shape();
        let mut order = shape.row_major_order();
        let mut elements = 1;
        if let Some(axis) = self.contiguous {
            order.retain(|other| *other != axis);
            order.insert(0, axis);
            let widest = MAX_ACCESS_BYTES / self.element.bytes() as u64;
            elements = self.vector_elements.min(shape.size(axis)).min(widest);
        }
        vector_plan(layout, &row_major(shape, &order), elements)
            .expect("a row-major tile holds every element")
    }

    /// Returns `true` if the end of the tensor cuts no vector of `width_elements` elements: each vector
    /// exists as a whole or not at all.
    pub fn has_whole_vectors(&self, width_elements: u64) -> bool {
        let Some(axis) = self.contiguous else {
            return width_elements == 1;
        };
        self.axes[axis.0]
            .edge_divisor
            .is_multiple_of(width_elements)
    }
}

/// One axis of a [`GlobalTile`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalAxis {
    /// Elements of the tile along the axis.
    pub size: u64,
    /// Elements between the starts of consecutive tiles.
    pub step: u64,
    /// A power of two that divides the number of elements from the start of the tile to the end of the
    /// tensor.
    pub edge_divisor: u64,
    /// Knowledge about the start of the tile relative to the end of the tensor.
    pub begins: Begins,
}

/// Knowledge about the start of a tile. A tile that starts past the end of the tensor does not exist: it is
/// padding, and storing it does nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Begins {
    /// No knowledge: the index of the tile's first element need not fit the integers in which addresses are
    /// computed.
    #[default]
    Anywhere,
    /// The index of the tile's first element fits these integers.
    Representable,
    /// The tile starts before the end of the tensor.
    Inside,
}

impl GlobalAxis {
    /// Returns `true` if the whole tile exists for every index: the tile starts before the end of the tensor,
    /// at a distance that is a multiple of its size.
    pub fn is_whole(&self) -> bool {
        self.begins == Begins::Inside && self.edge_divisor.is_multiple_of(self.size)
    }

    /// Returns `true` if every tile exists as a whole or starts past the end of the tensor: tiles are
    /// adjacent, their size is a power of two, and it divides the distance to the end.
    pub fn is_whole_or_outside(&self) -> bool {
        self.size == self.step
            && self.size.is_power_of_two()
            && self.edge_divisor.is_multiple_of(self.size)
    }
}

/// The exchange of partial results of a reduction.
#[derive(Clone, Debug)]
pub struct Partials {
    /// The plan, whose `warps` maps warps to slots of the buffers.
    pub plan: Box<ReducePlan>,
    /// One buffer per operand: `[slot][element of the result]`.
    pub buffers: Vec<BufferId>,
    /// The scope of the exchange: the warps of each block, or all warps of a cluster that shares a work tile.
    pub reach: Reach,
}

impl OpKind {
    /// Returns the number of MMAs that may be in flight after the operation, if the operation waits for an
    /// in-flight MMA.
    pub fn max_in_flight_mmas(&self) -> Option<u32> {
        match self {
            Self::WaitWgmma(left) => Some(*left),
            Self::WaitWgmmaAndRescale(_) => Some(0),
            _ => None,
        }
    }
}
