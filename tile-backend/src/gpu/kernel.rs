//! A kernel of the GPU IR: arenas of values, operations, blocks, layouts and buffers.

use super::{Arena, Clusters, Op, OpKind, Order, RasterOrder, TensorMap, Variable};
use crate::layout::{LinearLayout, OutShape};
use crate::options::ScheduleOptions;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use tile_core::{Loc, Scalar};

macro_rules! index {
    ($($(#[$meta:meta])* $Name:ident)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $Name(u32);

        impl $Name {
            pub(super) fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("an arena holds fewer than 2^32 entries"))
            }

            /// Returns the index in the kernel's arena, for side tables.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

index! {
    /// A value of a kernel.
    ValueId
    /// An operation of a kernel.
    OpId
    /// A block of a kernel.
    BlockId
    /// A layout of a kernel.
    LayoutId
    /// A shared-memory buffer of a kernel.
    BufferId
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// One number, the same in every thread.
    Uniform(Scalar),
    /// One pointer to global memory, the same in every thread.
    Pointer(Scalar),
    /// A tile spread over the block.
    Distributed {
        /// The element type of the tile.
        element: Scalar,
        /// Maps registers of threads to elements.
        layout: LayoutId,
    },
}

impl Ty {
    /// Returns the element type or the type of the number; `None` for a pointer.
    pub fn scalar(self) -> Option<Scalar> {
        match self {
            Ty::Uniform(scalar)
            | Ty::Distributed {
                element: scalar, ..
            } => Some(scalar),
            Ty::Pointer(_) => None,
        }
    }

    /// Returns the layout of a distributed value.
    pub fn layout(self) -> Option<LayoutId> {
        match self {
            Ty::Distributed { layout, .. } => Some(layout),
            Ty::Uniform(_) | Ty::Pointer(_) => None,
        }
    }
}

/// An SSA value.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Its type.
    pub ty: Ty,
    /// Source location.
    pub loc: Loc,
}

/// The accesses that a kernel makes through a pointer parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Only loads: the memory does not change while the kernel runs.
    Read,
    /// Loads and stores.
    Write,
}

/// The kind of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// The base of a tensor in global memory, or another pointer.
    Pointer {
        /// The element type in memory.
        pointee: Scalar,
        /// The accesses through it.
        access: Access,
        /// The alignment that the host guarantees.
        align_bytes: u32,
        /// `true` if no other pointer reaches the memory, or if neither pointer writes to it.
        is_unique: bool,
    },
    /// A number; `i1` is passed as a byte.
    Scalar(Scalar),
}

impl ParamKind {
    /// Returns the type of the parameter's value.
    pub(super) fn ty(self) -> Ty {
        match self {
            Self::Pointer { pointee, .. } => Ty::Pointer(pointee),
            Self::Scalar(scalar) => Ty::Uniform(scalar),
        }
    }
}

/// A parameter, in the order of the launch.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Pointer or scalar.
    pub kind: ParamKind,
    /// Its value in the kernel.
    pub value: ValueId,
}

/// A sequence of operations with arguments.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Arguments.
    pub args: Vec<ValueId>,
    /// Operations in order.
    pub ops: Vec<OpId>,
}

/// The blocks and threads of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchShape {
    /// Number of warps over which tiles are spread, a power of two: the warps of one block, or of all
    /// [`Self::blocks_per_tile`] blocks.
    pub num_warps: u32,
    /// Number of blocks of a cluster that share one work tile, a power of two; see `gpu/cluster_split.rs`.
    pub blocks_per_tile: u32,
    /// Number of producer warps, which are numbered after the consumer warps and run
    /// [`OpKind::WarpSpecialize`]; 0 without such an operation.
    pub producer_warps: u32,
    /// Number of blocks that a multiprocessor must be able to hold at the same time (occupancy), which limits
    /// registers and shared memory.
    pub blocks_per_multiprocessor: u32,
    /// The order in which blocks take the work tiles that [`OpKind::BlockId`] names.
    pub raster_order: RasterOrder,
    /// `true` for a persistent kernel: the host starts fewer blocks than there are work tiles, and passes the
    /// size of the grid after the tensor maps.
    pub is_persistent: bool,
    /// The clusters in which a launch starts blocks.
    pub clusters: Clusters,
    /// `true` if the kernel may start before the previous kernel in the stream has ended (programmatic dependent
    /// launch): it waits for that kernel before it accesses global memory, and before it ends.
    pub is_programmatic: bool,
}

impl LaunchShape {
    /// Returns the shape of a launch with one block of `num_warps` warps per work tile.
    fn of_warps(num_warps: u32) -> Self {
        Self {
            num_warps,
            blocks_per_tile: 1,
            producer_warps: 0,
            blocks_per_multiprocessor: 1,
            raster_order: RasterOrder::default(),
            is_persistent: false,
            clusters: Clusters::default(),
            is_programmatic: false,
        }
    }
}

/// The requests of the author for the schedule of a kernel, completed by the hints of the module.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// The options of the kernel.
    pub options: ScheduleOptions,
    /// The prefetch distances of loads in loops, in iterations (hint `latency`).
    pub prefetch_distances: FxHashMap<OpId, u32>,
}

/// The shared memory of a block.
#[derive(Clone, Debug, Default)]
pub struct SharedMemory {
    /// The buffers.
    pub buffers: Vec<Buffer>,
    /// Size in bytes; set by the pass `allocate_shared`.
    pub bytes: u32,
}

/// A buffer in shared memory.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The element type; `i1` takes a byte.
    pub element: Scalar,
    /// Size of all stages together.
    pub bytes: u32,
    /// Number of stages: more than one in a circular buffer, which loops fill ahead of use.
    pub stages: u32,
    /// Alignment of the first byte, a power of two.
    pub align_bytes: u32,
    /// Maps offsets (in elements) to elements of the tile; `None` for the partial results of a reduction,
    /// which are stored as `[slot][element]`.
    pub layout: Option<LayoutId>,
    /// `true` if the buffer shares its bytes with no other buffer.
    pub is_dedicated: bool,
    /// Offset in shared memory; set by the pass `allocate_shared`.
    pub offset_bytes: Option<u32>,
}

impl Buffer {
    /// Creates a buffer of one stage, without an offset yet. A size of more than 32 bits becomes the largest
    /// size, which exceeds every limit.
    pub fn new(element: Scalar, bytes: u64, align_bytes: u32, layout: Option<LayoutId>) -> Self {
        Self {
            element,
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
            stages: 1,
            align_bytes,
            layout,
            is_dedicated: false,
            offset_bytes: None,
        }
    }

    /// Gives the buffer bytes of its own.
    #[must_use]
    pub fn dedicated(self) -> Self {
        Self {
            is_dedicated: true,
            ..self
        }
    }
}

/// One kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The symbol.
    pub name: String,
    /// Source location.
    pub loc: Loc,
    /// Parameters.
    pub params: Vec<Param>,
    /// Tensor maps, which the host passes after the parameters.
    pub maps: Vec<TensorMap>,
    /// The blocks and threads of a launch.
    pub launch: LaunchShape,
    /// The requests of the author, and the hints of the module.
    pub requests: Requests,
    /// The shared memory of a block.
    pub shared: SharedMemory,
    /// The variables of the module, the same for every kernel.
    pub variables: Vec<Variable>,
    /// The private memory of blocks outside of shared memory.
    pub arenas: Vec<Arena>,
    /// The order of memory accesses.
    pub order: Order,
    layouts: Vec<LinearLayout>,
    values: Vec<Value>,
    ops: Vec<Op>,
    blocks: Vec<Block>,
}

impl Kernel {
    /// Creates a kernel without parameters and with an empty body.
    pub fn new(name: impl Into<String>, num_warps: u32, loc: Loc) -> Self {
        Self {
            name: name.into(),
            loc,
            params: Vec::new(),
            maps: Vec::new(),
            launch: LaunchShape::of_warps(num_warps),
            requests: Requests::default(),
            shared: SharedMemory::default(),
            variables: Vec::new(),
            arenas: Vec::new(),
            order: Order::default(),
            layouts: Vec::new(),
            values: Vec::new(),
            ops: Vec::new(),
            blocks: vec![Block::default()],
        }
    }

    /// Returns the number of threads of a block.
    pub fn threads(&self) -> u32 {
        32 * (self.warps_of_block() + self.launch.producer_warps)
    }

    /// Returns the number of warps of a block over which tiles are spread.
    pub fn warps_of_block(&self) -> u32 {
        self.launch.num_warps / self.launch.blocks_per_tile
    }

    /// Returns the outermost block.
    pub fn body(&self) -> BlockId {
        BlockId::new(0)
    }

    /// Returns the block `id`.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// Returns the block `id`, to reorder or insert operations.
    pub fn block_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.index()]
    }

    /// Returns the operation `id`.
    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.index()]
    }

    /// Returns the operation `id`, to change it.
    pub fn op_mut(&mut self, id: OpId) -> &mut Op {
        &mut self.ops[id.index()]
    }

    /// Adds to the loop `id` a carried value that starts as `initial`, and returns the block argument. The
    /// caller adds the operands of `continue`.
    pub fn carry(&mut self, id: OpId, initial: ValueId) -> ValueId {
        let Value { ty, loc } = *self.value(initial);
        let body = self.op(id).blocks[0];
        self.op_mut(id).args.push(initial);
        self.add_result(id, ty, loc);
        self.add_block_arg(body, ty, loc)
    }

    /// Returns every operation, whether it is in a block or not, in the order of creation.
    pub fn op_ids(&self) -> impl Iterator<Item = OpId> + use<> {
        (0..self.ops.len()).map(OpId::new)
    }

    /// Returns the value `id`.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// Returns the type of the value `id`.
    pub fn ty(&self, id: ValueId) -> Ty {
        self.value(id).ty
    }

    /// Returns the operation that defines `value`, if an operation in a block does.
    pub fn defining(&self, value: ValueId) -> Option<OpId> {
        let blocks = self.blocks.iter();
        blocks
            .flat_map(|block| &block.ops)
            .copied()
            .find(|&id| self.op(id).results.contains(&value))
    }

    /// Returns the values that an operation's blocks define.
    pub(crate) fn defined_inside(&self, op: OpId) -> FxHashSet<ValueId> {
        let mut values = FxHashSet::default();
        let mut worklist: Vec<BlockId> = self.op(op).blocks.to_vec();
        while let Some(block) = worklist.pop() {
            values.extend(&self.block(block).args);
            for &op in &self.block(block).ops {
                values.extend(&self.op(op).results);
                worklist.extend(&self.op(op).blocks);
            }
        }
        values
    }

    /// Returns the number of values, for side tables.
    pub fn num_values(&self) -> usize {
        self.values.len()
    }

    /// Returns the layout `id`.
    pub fn layout(&self, id: LayoutId) -> &LinearLayout {
        &self.layouts[id.index()]
    }

    /// Returns the layout of a distributed value.
    ///
    /// # Panics
    /// If the value is uniform.
    pub fn layout_of(&self, value: ValueId) -> &LinearLayout {
        let id = self.ty(value).layout();
        self.layout(id.expect("the value is distributed"))
    }

    /// Returns every layout with its id.
    pub fn layouts(&self) -> impl Iterator<Item = (LayoutId, &LinearLayout)> {
        let ids = (0..self.layouts.len()).map(LayoutId::new);
        ids.zip(&self.layouts)
    }

    /// Returns the layout of a buffer for tiles of `shape`, which may have other unit axes than the buffer's
    /// own shape. Returns `None` if the shapes differ otherwise.
    pub fn memory(&self, id: BufferId, shape: &OutShape) -> Option<LinearLayout> {
        let layout = self.layout(self.buffer(id).layout?);
        if layout.shape() == shape {
            return Some(layout.clone());
        }
        let is_alike = layout.shape().without_unit_axes() == shape.without_unit_axes();
        is_alike.then(|| layout.reshape(shape.clone()))
    }

    /// Returns the buffer `id`.
    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.shared.buffers[id.index()]
    }

    /// Returns the buffer `id`, to change it.
    pub fn buffer_mut(&mut self, id: BufferId) -> &mut Buffer {
        &mut self.shared.buffers[id.index()]
    }

    /// Returns the id of every buffer.
    pub fn buffer_ids(&self) -> impl Iterator<Item = BufferId> + use<> {
        (0..self.shared.buffers.len()).map(BufferId::new)
    }

    /// Returns the id of `layout`, which is added if it is new.
    pub fn add_layout(&mut self, layout: LinearLayout) -> LayoutId {
        let index = self.layouts.iter().position(|other| *other == layout);
        LayoutId::new(index.unwrap_or_else(|| {
            self.layouts.push(layout);
            self.layouts.len() - 1
        }))
    }

    /// Adds a buffer.
    pub fn add_buffer(&mut self, buffer: Buffer) -> BufferId {
        self.shared.buffers.push(buffer);
        BufferId::new(self.shared.buffers.len() - 1)
    }

    /// Returns the index of `map`, which is added if it is new.
    pub fn add_map(&mut self, map: TensorMap) -> usize {
        let index = self.maps.iter().position(|other| *other == map);
        index.unwrap_or_else(|| {
            self.maps.push(map);
            self.maps.len() - 1
        })
    }

    /// Adds an empty block.
    pub fn add_block(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        BlockId::new(self.blocks.len() - 1)
    }

    /// Adds an argument to a block.
    pub fn add_block_arg(&mut self, block: BlockId, ty: Ty, loc: Loc) -> ValueId {
        let value = self.add_value(ty, loc);
        self.blocks[block.index()].args.push(value);
        value
    }

    /// Adds a parameter.
    pub fn add_param(&mut self, kind: ParamKind, loc: Loc) -> ValueId {
        let value = self.add_value(kind.ty(), loc);
        self.params.push(Param { kind, value });
        value
    }

    /// Appends an operation to `block` and creates its results.
    pub fn push(
        &mut self,
        block: BlockId,
        kind: OpKind,
        args: &[ValueId],
        results: &[Ty],
        blocks: &[BlockId],
        loc: Loc,
    ) -> OpId {
        let id = self.add_op(kind, args, results, blocks, loc);
        self.blocks[block.index()].ops.push(id);
        id
    }

    /// Creates an operation that is in no block yet.
    pub fn add_op(
        &mut self,
        kind: OpKind,
        args: &[ValueId],
        results: &[Ty],
        blocks: &[BlockId],
        loc: Loc,
    ) -> OpId {
        let results: SmallVec<[ValueId; 2]> =
            results.iter().map(|&ty| self.add_value(ty, loc)).collect();
        self.ops.push(Op {
            kind,
            args: SmallVec::from_slice(args),
            results,
            blocks: SmallVec::from_slice(blocks),
            loc,
        });
        OpId::new(self.ops.len() - 1)
    }

    /// Adds a result to an operation.
    pub fn add_result(&mut self, id: OpId, ty: Ty, loc: Loc) -> ValueId {
        let value = self.add_value(ty, loc);
        self.op_mut(id).results.push(value);
        value
    }

    /// Creates the value with this number. Numbers below it that are not in use get values that nothing uses.
    pub(super) fn define_value(&mut self, number: usize, ty: Ty) -> ValueId {
        let (loc, unused) = (Loc::UNKNOWN, Ty::Uniform(Scalar::I1));
        while self.values.len() <= number {
            self.add_value(unused, loc);
        }
        self.values[number] = Value { ty, loc };
        ValueId::new(number)
    }

    fn add_value(&mut self, ty: Ty, loc: Loc) -> ValueId {
        self.values.push(Value { ty, loc });
        ValueId::new(self.values.len() - 1)
    }
}
