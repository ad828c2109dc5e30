//! Operations of the GPU IR.

use super::{
    Access, Arrivals, AsyncCopy, BlockId, BufferId, BulkCopy, Caching, ExpectTx, ExtractSlice,
    InsertSlice, MemoryKind, Mma, MmaLoop, MmaScaled, PingPong, PipelineBarriers, Reach, ScanStep,
    TmaLoad, TmaStore, TmaStoreWait, TransposeShared, ValueId, Wgmma,
};
use crate::analysis::provenance::Roots;
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
    /// What it does.
    pub kind: OpKind,
    /// Operands.
    pub args: SmallVec<[ValueId; 4]>,
    /// Results.
    pub results: SmallVec<[ValueId; 2]>,
    /// Nested blocks.
    pub blocks: SmallVec<[BlockId; 2]>,
    /// Where it comes from.
    pub loc: Loc,
}

/// An element-wise operation of the tile IR, without its operands: opcode and
/// attributes.
#[derive(Clone, Debug)]
pub struct ElementOp(tile_core::ir::Op);

impl ElementOp {
    /// A conversion of floats, exact or rounded to the nearest.
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

    /// The opcode and attributes of `op`.
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

/// What an operation does. Operands and results are listed as `(args) -> results`.
#[derive(Clone, Debug)]
pub enum OpKind {
    /// `() -> uniform or distributed`: every element has this bit pattern.
    Constant(u64),
    /// `() -> distributed`: element `i` of the tile (row-major) has `bits_at(i)`.
    ConstantEach(Arc<DenseElements>),
    /// `() -> uniform i32`: the position of the block in the grid.
    BlockId(u8),
    /// `() -> uniform i32`: the extent of the grid.
    GridSize(u8),
    /// `() -> i32, i32, i32`: of a persistent block the number of the position that it takes first, how many
    /// there are, and how far apart those of a block are.
    WorkTileRange,
    /// `(number) -> i32, i32, i32`: where in the grid this position is.
    WorkTileCoordinates,
    /// `(uniform) -> distributed`: the same number everywhere.
    Splat,
    /// `(distributed of one element) -> uniform`: that element.
    ToUniform,
    /// `() -> distributed integer`: each element's coordinate on the axis.
    Coordinate(Axis),
    /// `(operands of one layout, or all uniform) -> the same`: element by element.
    Compute(ElementOp),
    /// `(sums, factors of the same layout) -> sums`: their product, which a warp leaves out if all its
    /// factors are 1.
    LazyRescale(ElementOp),
    /// `(distributed) -> distributed`: register `r` of the result is register
    /// `sources[r]` of the operand; nothing moves between threads.
    PermuteRegisters(Vec<Register>),
    /// `(base, then per tile axis: tile index, extent, stride) -> distributed`.
    LoadGlobal(GlobalTile),
    /// `(value, base, then per tile axis: tile index, extent, stride) -> ()`.
    StoreGlobal(GlobalTile),
    /// `(tile, base, then per tile axis: tile index, extent, stride) -> the same`: what does not exist in global
    /// memory becomes the padding.
    Pad(GlobalTile),
    /// What works with addresses.
    Memory(MemoryKind),
    /// `(distributed) -> ()`: writes the tile into a buffer.
    StoreShared(BufferId),
    /// As `StoreShared`, with `stmatrix`; [`crate::layout::stmatrix_plan`] exists for the pair.
    StoreMatrix(BufferId),
    /// `() -> distributed`: reads a tile from a buffer; of a ring, `(stage) -> distributed`.
    LoadShared(BufferId),
    /// As `LoadShared`, with `ldmatrix`; [`crate::layout::ldmatrix_plan`] exists for the pair.
    LoadMatrix(BufferId),
    /// `(stages…) -> ()`: copies a matrix to another buffer, with runs along the other axis. There is a slot
    /// for each of its buffers that is a ring, in order.
    TransposeShared(TransposeShared),
    /// `(whether, stage, what [`Copied`](super::Copied) says) -> ()`: begins to copy a tile of
    /// global memory into a slot of a ring buffer if `whether` holds. Elements that do not exist
    /// become zero.
    CopyAsync(Box<AsyncCopy>),
    /// `() -> ()`: the copies that this thread has begun since the last such operation are a group.
    CommitGroup,
    /// `() -> ()`: waits until at most this many of the thread's groups are under way, the newest.
    WaitGroup(u32),
    /// `() -> ()`: one thread initializes the barriers of a buffer, each for these arrivals. What threads
    /// did to shared memory before is ordered before copies of tensors to it.
    InitMbarriers(BufferId, Arrivals),
    /// `() -> ()`: one thread ends the barriers of a buffer; they may be initialized again.
    InvalidateMbarriers(BufferId),
    /// `(whether, stage, what copies in front of it give…) -> ()`: if `whether` holds, one thread arrives at the
    /// barrier of the slot, whose phase is over once so many bytes have come, and those of these copies.
    ArriveExpectTx(ExpectTx),
    /// `(whether, stage, tile index per tile axis) -> ()`: if `whether` holds, one thread begins to copy a
    /// tile of a tensor into a slot of a ring. Elements that do not exist become zero; their bytes count
    /// too.
    TmaLoad(Box<TmaLoad>),
    /// `(whether, stage, base, then per tile axis: tile index, extent, stride) -> uniform i32`: if `whether` holds,
    /// one warp begins to copy the rows of a tile into a slot of a ring, and writes the padding in place of
    /// elements that do not exist. The result is how many bytes come by copies, if `whether` holds.
    BulkCopy(Box<BulkCopy>),
    /// `(stage, parity) -> ()`: waits until the phase with this parity of the slot's barrier is over; what
    /// was copied is there for the thread then.
    ConsumerWait(BufferId),
    /// `() -> ()`: what this thread wrote to shared memory is seen by stores of tensors that begin behind
    /// the next barrier.
    FenceProxyAsync,
    /// `(base, then per tile axis: tile index, extent, stride) -> ()`: one thread begins to copy a tile, or a
    /// piece of it, from a buffer to a tensor. Elements that do not exist are left out.
    TmaStore(Box<TmaStore>),
    /// `() -> ()`: the thread that begins stores of tensors waits for those from a buffer.
    WaitTmaStores(TmaStoreWait),
    /// `() -> ()`: all threads wait for each other. From here on the producer's warps run the block, whose
    /// copies are begun by one thread, and end with it; the others go on.
    WarpSpecialize,
    /// `(stage, parity) -> ()`: waits until the phase with this parity of the slot's barrier of `free` is
    /// over: every warp has read what the slot had.
    ProducerAcquire(PipelineBarriers),
    /// `(stage, parity) -> ()`: the producer, for which this slot in a round of this parity would be next, fills
    /// no more. Where other blocks of the cluster free slots it waits until all are free, so that the block is
    /// there for them.
    ProducerTail(PipelineBarriers),
    /// `(stage) -> ()`: every warp says that it has read the slot; nothing if it is the number of slots.
    ConsumerRelease(PipelineBarriers),
    /// `() -> ()`: all threads, behind [`Self::WarpSpecialize`] all that go on there, wait for each other; shared
    /// and global memory accesses before are visible to accesses after.
    Barrier,
    /// `() -> ()`: as [`Self::Barrier`], of all blocks of the cluster; in front of [`Self::WarpSpecialize`].
    ClusterBarrier,
    /// `(a, b, accumulator) -> accumulator`: `mma.sync`.
    Mma(Mma),
    /// `(a, b, accumulator, factors of a, factors of b) -> accumulator`: `mma.sync` with
    /// `.block_scale`.
    MmaScaled(MmaScaled),
    /// `(accumulator, stages…) -> accumulator`: a matrix product of two buffers, step by step along
    /// K. There is a slot for each of its buffers that is a ring, in order.
    MmaLoop(MmaLoop),
    /// `(accumulator, left operand if in registers, stages…) -> accumulator`: a product of all
    /// warpgroups, which they read from buffers. There is a slot for each buffer that is a ring, in
    /// order.
    Wgmma(Wgmma),
    /// `(accumulator, left operand if in registers) -> accumulator`: waits for a product that was left open,
    /// until at most so many later ones are under way. Its operands stay in their registers until then.
    WaitWgmma(u32),
    /// `(accumulator, factors, left operand if in registers) -> accumulator`: [`Self::WaitWgmma`] until none
    /// is under way, and [`Self::LazyRescale`].
    WaitWgmmaAndRescale(ElementOp),
    /// `() -> ()`: two warpgroups begin products in turns.
    PingPong(PingPong),
    /// `(operands of one layout…) -> partial results…`: steps 1 and 2 of
    /// [`crate::layout::reduce`], registers and lanes. The block takes per operand
    /// an element and an accumulator (uniform types) and yields the combinations.
    ReduceWarp(Box<ReducePlan>),
    /// `(partial results…) -> ()`: writes those of each warp into buffers.
    StorePartials(Partials),
    /// `() -> results…`: reads the partial results of all warps and combines them
    /// with the block, in order of their slots.
    CombinePartials(Partials),
    /// `(distributed) -> distributed`: another layout, within each warp, by shuffles.
    ConvertLayoutShuffle,
    /// `(distributed) -> distributed`: another layout, within each warp, through a buffer. Each
    /// warp waits for its own lanes, before and after it writes. If the tile is larger than the
    /// buffer, part after part goes through it: [`crate::layout::ExchangeRounds`].
    ConvertLayoutShared(BufferId),
    /// `(operands of one layout…) -> prefixes…, totals…`: the combinations, in the order of
    /// the axis, of each element and those before it in its warp; and, if the axis is
    /// spread over warps, those of each warp's whole part. The block is as for
    /// [`OpKind::ReduceWarp`].
    ScanWarp(Box<ScanStep>),
    /// `(prefixes…) -> prefixes…`: combines the partial results of the warps before, which
    /// buffers hold, with each.
    ScanAcross(Partials, Box<ScanStep>),
    /// `(tile, slice, indices…) -> distributed`: the tile with one slice replaced.
    InsertSlice(Box<InsertSlice>),
    /// `(distributed, indices…) -> distributed`: one slice, by registers.
    ExtractSlice(Box<ExtractSlice>),
    /// `(indices…) -> distributed`: one slice of a tile that lies in a buffer, in row-major
    /// order; of a ring, `(indices…, stage) -> distributed`.
    LoadSlice(BufferId),
    /// `(distributed) -> distributed`: the same bits, cut into other elements.
    Repack,
    /// `(lower, upper, step, initial values…) -> final values…`: the block takes the
    /// induction variable and the carried values, and `continue` gives the next ones.
    For {
        /// Whether bounds are compared as unsigned numbers.
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
    /// `(results…) -> ()`: leaves the innermost loop, which is no `for`.
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
    /// `(uniform i32) -> uniform`: the element of a buffer so many behind the operand.
    LoadElement {
        /// What is read.
        buffer: BufferId,
        /// Elements beyond the operand.
        offset: u32,
    },
    /// `() -> ()`: waits for, or lets start, the kernels of the stream beside this one.
    Dependents(Dependents),
    /// `() -> ()`: accesses of this thread before to memory by one name, and after by another,
    /// are ordered.
    AliasFence,
}

/// A part of what is printed. Those that say so take an operand, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// As it is.
    Text(Box<[u8]>),
    /// An operand: an integer, an f64 or a pointer.
    Value(Printed),
    /// An operand, the row-major position of an element: a comma unless it is the first, and
    /// an opening bracket per axis that starts there. The `n` innermost axes together have
    /// `sizes[n - 1]` elements.
    Opening(Vec<u64>),
    /// An operand, `after` less than the position after an element: a closing bracket per axis
    /// that ends there.
    Closing {
        /// As of [`Self::Opening`].
        sizes: Vec<u64>,
        /// What is added to the operand.
        after: u32,
    },
}

/// How an operand is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The conversion up to the length: `%-8.3`.
    pub flags: Box<str>,
    /// How many bits of an integer count, if not all.
    pub bits: Option<u32>,
    /// The letter of the conversion.
    pub letter: u8,
    /// What that is for.
    pub prints: Prints,
}

/// A kernel may start before the one before it in the stream has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dependents {
    /// Waits until the kernels that this one depends on have ended.
    Wait,
    /// Lets the kernels that depend on this one start.
    Launch,
}

/// Where a tile lies in global memory.
///
/// Element `(c0, c1, …)` of the tile is at
/// `base + sum over axes of (index * step + c) * stride`, in elements; it exists if
/// every `index * step + c < extent`. Indices, extents and strides are unsigned
/// integers of one width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalTile {
    /// What is stored.
    pub element: Scalar,
    /// Per tile axis.
    pub axes: Vec<GlobalAxis>,
    /// The axis along which elements are neighbours in memory (stride 1), if any is
    /// known to be.
    pub contiguous: Option<Axis>,
    /// Elements that one instruction may access along the contiguous axis: every
    /// multiple of it from the start of the tile is that much aligned in memory.
    pub vector_elements: u64,
    /// The bits of elements that do not exist; `None` if any value will do.
    pub padding: Option<u64>,
    /// Where the base may point.
    pub roots: Roots,
    /// What is done to that memory.
    pub access: Access,
    /// Whether all offsets within the tensor fit 32 bits, so that addresses may be
    /// computed with 32-bit integers.
    pub fits_32_bits: bool,
    /// Of a load: whether warps that only hold copies are given any values, since nothing uses
    /// theirs.
    pub by_owners: bool,
    /// Of a load: what caches do with it.
    pub caching: Caching,
}

/// Bytes that one instruction accesses at most.
const MAX_ACCESS_BYTES: u64 = 16;

impl GlobalTile {
    /// The vectors of the tile in `layout`: along the contiguous axis, within the axis, as long as
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

    /// Whether each vector of so many elements exists or does not: none is cut by the edge.
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
    /// Elements between the starts of neighbouring tiles.
    pub step: u64,
    /// A power of two that divides the elements from the start of the tile to the end of the
    /// tensor.
    pub edge_divisor: u64,
    /// Where the tile begins.
    pub begins: Begins,
}

/// What is known of where a tile begins. One behind the end of the tensor does not exist: it is
/// padding, and storing it does nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Begins {
    /// Nothing: the number of its first element need not fit the integers that addresses are
    /// computed with.
    #[default]
    Anywhere,
    /// The number of its first element fits these integers.
    Representable,
    /// In front of the end of the tensor.
    Inside,
}

impl GlobalAxis {
    /// Whether the whole tile exists wherever its index may be: what begins in front of the end
    /// of the tensor, and is a multiple of the size away from it.
    pub fn is_whole(&self) -> bool {
        self.begins == Begins::Inside && self.edge_divisor.is_multiple_of(self.size)
    }

    /// Whether a tile either exists whole or begins behind the end. Its tiles lie side by side, and their
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
    /// The plan whose `warps` says who writes what.
    pub plan: Box<ReducePlan>,
    /// One buffer per operand: `[slot][element of the result]`.
    pub buffers: Vec<BufferId>,
    /// Whose warps exchange: those of the block, each for itself, or all of a cluster that shares a tile.
    pub reach: Reach,
}

impl OpKind {
    /// How many products may be under way behind it, if it waits for one that was left open.
    pub fn max_in_flight_mmas(&self) -> Option<u32> {
        match self {
            Self::WaitWgmma(left) => Some(*left),
            Self::WaitWgmmaAndRescale(_) => Some(0),
            _ => None,
        }
    }
}
