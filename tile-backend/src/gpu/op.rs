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
    /// `() -> i32, i32, i32`: the work tiles of a persistent block: the number of its first one, the number
    /// of all work tiles, and the step between those of a block.
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
    /// As `StoreShared`, with `stmatrix`; [`crate::layout::stmatrix_plan`] exists for the pair.
    StoreMatrix(BufferId),
    /// `() -> distributed`: reads a tile from a buffer; from a circular buffer, `(stage) -> distributed`.
    LoadShared(BufferId),
    /// As `LoadShared`, with `ldmatrix`; [`crate::layout::ldmatrix_plan`] exists for the pair.
    LoadMatrix(BufferId),
    /// `(stages…) -> ()`: copies a matrix to another buffer, in which the other axis is contiguous. There is
    /// one stage operand for each circular buffer, in order.
    TransposeShared(TransposeShared),
    /// `(whether, stage, operands of [`Copied`](super::Copied)) -> ()`: issues a copy of a tile of global
    /// memory into a stage of a circular buffer if `whether` holds. Elements that do not exist become zero.
    CopyAsync(Box<AsyncCopy>),
    /// `() -> ()`: makes a group of the copies that this thread has issued since the last such operation.
    CommitGroup,
    /// `() -> ()`: waits until at most this many of the thread's groups are in flight, the newest ones.
    WaitGroup(u32),
    /// `() -> ()`: one thread initializes the mbarriers of a buffer, each for these arrivals. Earlier
    /// accesses of threads to shared memory are ordered before TMA loads to it.
    InitMbarriers(BufferId, Arrivals),
    /// `() -> ()`: one thread invalidates the mbarriers of a buffer, which may then be initialized again.
    InvalidateMbarriers(BufferId),
    /// `(whether, stage, byte counts of preceding bulk copies…) -> ()`: if `whether` holds, one thread
    /// arrives at the mbarrier of the stage, whose phase completes once the attribute's bytes and those of
    /// the bulk copies have arrived.
    ArriveExpectTx(ExpectTx),
    /// `(whether, stage, tile index per tile axis) -> ()`: if `whether` holds, one thread issues a TMA load
    /// of a tile into a stage of a circular buffer. Elements that do not exist become zero; their bytes count
    /// too.
    TmaLoad(Box<TmaLoad>),
    /// `(whether, stage, base, then per tile axis: tile index, extent, stride) -> uniform i32`: if `whether`
    /// holds, one warp issues bulk copies of the rows of a tile into a stage of a circular buffer, and writes
    /// the padding in place of elements that do not exist. The result is the number of bytes that arrive by
    /// copies, if `whether` holds.
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
    /// `() -> ()`: all threads wait for each other. The producer warps then run the block, whose copies one
    /// thread issues, and end with it; the consumer warps continue after the operation.
    WarpSpecialize,
    /// `(stage, parity) -> ()`: waits until the phase with this parity of the stage's empty mbarrier has
    /// completed: every warp has read the previous tile of the stage.
    ProducerAcquire(PipelineBarriers),
    /// `(stage, parity) -> ()`: marks the end of production; stage and parity are the next that the producer
    /// would have used. Where other blocks of the cluster release stages, it waits until all are released, so
    /// that the block outlives their arrivals.
    ProducerTail(PipelineBarriers),
    /// `(stage) -> ()`: every warp signals that it has read the stage; no effect if the operand is the number
    /// of stages.
    ConsumerRelease(PipelineBarriers),
    /// `() -> ()`: all threads wait for each other, after [`Self::WarpSpecialize`] all consumer threads.
    /// Earlier accesses to shared and global memory are visible to later ones.
    Barrier,
    /// `() -> ()`: as [`Self::Barrier`], for all blocks of the cluster; precedes [`Self::WarpSpecialize`].
    ClusterBarrier,
    /// `(a, b, accumulator) -> accumulator`: `mma.sync`.
    Mma(Mma),
    /// `(a, b, accumulator, factors of a, factors of b) -> accumulator`: `mma.sync` with
    /// `.block_scale`.
    MmaScaled(MmaScaled),
    /// `(accumulator, stages…) -> accumulator`: a matmul of two buffers without tensor cores, step by step
    /// along K. There is one stage operand for each circular buffer, in order.
    MmaLoop(MmaLoop),
    /// `(accumulator, left operand if in registers, stages…) -> accumulator`: an MMA of all warpgroups, which
    /// read its operands from buffers. There is one stage operand for each circular buffer, in order.
    Wgmma(Wgmma),
    /// `(accumulator, left operand if in registers) -> accumulator`: waits for an in-flight MMA, until at
    /// most so many later ones are in flight. Its operands stay in their registers until then.
    WaitWgmma(u32),
    /// `(accumulator, factors, left operand if in registers) -> accumulator`: [`Self::WaitWgmma`] until none
    /// is in flight, and [`Self::LazyRescale`].
    WaitWgmmaAndRescale(ElementOp),
    /// `() -> ()`: two warpgroups issue their MMAs in turn.
    PingPong(PingPong),
    /// `(operands of one layout…) -> partial results…`: steps 1 and 2 of
    /// [`crate::layout::reduce`], registers and lanes. The block takes per operand
    /// an element and an accumulator (uniform types) and yields the combinations.
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
    /// `(operands of one layout…) -> prefixes…, totals…`: combines, in the order of the axis, each element
    /// with those before it in its warp; and, if the axis is spread over warps, all elements of each warp.
    /// The block is as for [`OpKind::ReduceWarp`].
    ScanWarp(Box<ScanStep>),
    /// `(prefixes…) -> prefixes…`: combines the partial results of the warps before, which
    /// buffers hold, with each.
    ScanAcross(Partials, Box<ScanStep>),
    /// `(tile, slice, indices…) -> distributed`: the tile with one slice replaced.
    InsertSlice(Box<InsertSlice>),
    /// `(distributed, indices…) -> distributed`: one slice, by registers.
    ExtractSlice(Box<ExtractSlice>),
    /// `(indices…) -> distributed`: one slice of a tile in a buffer, in row-major order; of a circular
    /// buffer, `(indices…, stage) -> distributed`.
    LoadSlice(BufferId),
    /// `(distributed) -> distributed`: reinterprets the bits as elements of another width.
    Repack,
    /// `(lower, upper, step, initial values…) -> final values…`: the block takes the
    /// induction variable and the carried values, and `continue` gives the next ones.
    For {
        /// `true` if bounds are compared as unsigned numbers.
        unsigned: bool,
    },
    /// `(initial values…) -> results…`: the block takes the carried values; `continue` gives
    /// the next ones, `break` the results.
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
    /// `(operands of one layout, or uniform…) -> results…`: text in PTX, `ptx.inline` or
    /// `ptx.inline_pure`, for each register.
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
    /// `() -> ()`: orders this thread's earlier accesses to memory by one name before its later accesses by
    /// another.
    AliasFence,
}

/// A part of the output of `print`. The variants that say so take an operand, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Text(Box<[u8]>),
    /// An operand: an integer, an f64 or a pointer.
    Value(Printed),
    /// An operand, the row-major index of an element: prints a comma unless it is the first, and an opening
    /// bracket per axis that starts there. The `n` innermost axes together have `sizes[n - 1]` elements.
    Opening(Vec<u64>),
    /// An operand, `after` less than the index after an element: prints a closing bracket per axis that ends
    /// there.
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

/// Programmatic dependent launch: a kernel may start before the one before it in the stream has ended.
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
    /// Of a load: `true` if warps that hold only copies may get any values, since nothing uses theirs.
    pub by_owners: bool,
    /// Of a load: the cache hint.
    pub caching: Caching,
}

/// Maximum number of bytes that one instruction accesses.
const MAX_ACCESS_BYTES: u64 = 16;

impl GlobalTile {
    /// Returns the vectors of the tile in `layout`: along the contiguous axis, within the axis, as long as
    /// memory is aligned for.
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

    /// Returns `true` if the edge cuts no vector of so many elements: each exists as a whole or not at all.
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
    /// Knowledge about the tile's start relative to the end of the tensor.
    pub begins: Begins,
}

/// Knowledge about the start of a tile. A tile that starts past the end of the tensor does not exist: it is
/// padding, and storing it does nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Begins {
    /// Nothing: the index of its first element need not fit the integers in which addresses are computed.
    #[default]
    Anywhere,
    /// The index of its first element fits these integers.
    Representable,
    /// Before the end of the tensor.
    Inside,
}

impl GlobalAxis {
    /// Returns `true` if the whole tile exists for every index: it starts before the end of the tensor, at a
    /// distance that is a multiple of its size.
    pub fn is_whole(&self) -> bool {
        self.begins == Begins::Inside && self.edge_divisor.is_multiple_of(self.size)
    }

    /// Returns `true` if a tile exists as a whole or starts past the end. Its tiles are adjacent, and their
    /// size is a power of two.
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
    /// Returns the number of MMAs that may be in flight after it, if it waits for an in-flight MMA.
    pub fn max_in_flight_mmas(&self) -> Option<u32> {
        match self {
            Self::WaitWgmma(left) => Some(*left),
            Self::WaitWgmmaAndRescale(_) => Some(0),
            _ => None,
        }
    }
}
