//! The module and its arena.

mod compact;

pub(crate) use compact::Reached;

use super::{BlockId, DiscardableAttr, Loc, Op, OpId, RegionId, ValueId};
use crate::ops::{CoreOp, Opcode};
use crate::types::Type;
use arcstr::ArcStr;
use smallvec::SmallVec;
use thin_vec::ThinVec;

/// A compilation unit: a body block of entries and global variables.
#[derive(Clone, Debug)]
pub struct Module {
    /// The symbol name.
    pub name: String,
    /// The tool that produced the module.
    pub producer: Option<String>,
    /// Discardable attributes, sorted by name.
    pub discardable: ThinVec<DiscardableAttr>,
    /// The location of the module.
    pub loc: Loc,
    ops: Vec<Op>,
    blocks: Vec<Block>,
    regions: Vec<Region>,
    values: Vec<Value>,
    body: BlockId,
}

/// A sequence of operations with arguments.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The arguments.
    pub args: Vec<ValueId>,
    /// The operations, in order.
    pub ops: Vec<OpId>,
    /// The region that contains the block; `None` for the body of the module.
    pub parent: Option<RegionId>,
}

/// A list of blocks that belongs to an operation.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// The blocks, in order; the dialect allows at most one.
    pub blocks: SmallVec<[BlockId; 1]>,
    /// The operation that the region belongs to; `None` while detached.
    pub parent: Option<OpId>,
}

/// The definition of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueDef {
    /// Result number `.1` of an operation.
    Result(OpId, u32),
    /// Argument number `.1` of a block.
    Argument(BlockId, u32),
}

/// An SSA value.
#[derive(Clone, Debug)]
pub struct Value {
    /// The type.
    pub ty: Type,
    /// The definition.
    pub def: ValueDef,
    /// The name that is printed, without `%`.
    pub name: Option<ArcStr>,
    /// The location.
    pub loc: Loc,
}

impl Module {
    /// Makes an empty module.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            producer: None,
            discardable: ThinVec::new(),
            loc: Loc::UNKNOWN,
            ops: Vec::new(),
            blocks: vec![Block::default()],
            regions: Vec::new(),
            values: Vec::new(),
            body: BlockId::new(0),
        }
    }

    /// Returns the block that holds the entries and globals.
    pub fn body(&self) -> BlockId {
        self.body
    }

    /// Returns the operation `id`.
    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.index()]
    }

    /// Returns the operation `id` to change its attributes or operands.
    pub fn op_mut(&mut self, id: OpId) -> &mut Op {
        &mut self.ops[id.index()]
    }

    /// Returns the block `id`.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// Returns the region `id`.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.index()]
    }

    /// Returns the blocks of the region `id`; none if it is a region of another module.
    pub(crate) fn blocks_of(&self, id: RegionId) -> &[BlockId] {
        let region = self.regions.get(id.index());
        region.map_or(&[], |region| &region.blocks)
    }

    /// Returns the value `id`.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// Returns the value `id`; `None` if it is a value of another module.
    pub(crate) fn get_value(&self, id: ValueId) -> Option<&Value> {
        self.values.get(id.index())
    }

    /// Returns the value `id` to name it or correct its type.
    pub fn value_mut(&mut self, id: ValueId) -> &mut Value {
        &mut self.values[id.index()]
    }

    /// Returns the type of the value `id`.
    pub fn ty(&self, id: ValueId) -> Type {
        self.value(id).ty
    }

    /// Returns the number of values ever made, for side tables.
    pub fn num_values(&self) -> usize {
        self.values.len()
    }

    /// Returns the number of operations ever made, for side tables.
    pub fn num_ops(&self) -> usize {
        self.ops.len()
    }

    /// Returns the number of blocks ever made, for side tables.
    pub fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the operation that defines a value, unless it is a block argument.
    pub fn defining_op(&self, id: ValueId) -> Option<OpId> {
        match self.value(id).def {
            ValueDef::Result(op, _) => Some(op),
            ValueDef::Argument(..) => None,
        }
    }

    /// Returns the number of regions ever made, for side tables.
    pub fn num_regions(&self) -> usize {
        self.regions.len()
    }

    /// Adds a detached operation. Its results must be added with [`Module::add_result`], its
    /// regions with [`Module::add_region`].
    pub fn add_op(&mut self, op: Op) -> OpId {
        let id = OpId::new(self.ops.len());
        debug_assert!(op.results.is_empty() && op.regions.is_empty() && op.parent.is_none());
        self.ops.push(op);
        id
    }

    /// Adds a result to an operation.
    #[inline]
    pub fn add_result(&mut self, op: OpId, ty: Type) -> ValueId {
        let number = u32::try_from(self.op(op).results.len()).expect("few results");
        let loc = self.op(op).loc;
        let id = self.add_value(ty, ValueDef::Result(op, number), loc);
        self.op_mut(op).results.push(id);
        id
    }

    /// Adds a region without blocks to an operation.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        let id = RegionId::new(self.regions.len());
        self.regions.push(Region {
            blocks: SmallVec::new(),
            parent: Some(op),
        });
        self.op_mut(op).regions.push(id);
        id
    }

    /// Adds a block without arguments to a region.
    pub fn add_block(&mut self, region: RegionId) -> BlockId {
        let id = BlockId::new(self.blocks.len());
        self.blocks.push(Block {
            args: Vec::new(),
            ops: Vec::new(),
            parent: Some(region),
        });
        self.regions[region.index()].blocks.push(id);
        id
    }

    /// Adds a block outside any region, for operations that are not placed yet.
    pub(crate) fn add_detached_block(&mut self) -> BlockId {
        let id = BlockId::new(self.blocks.len());
        self.blocks.push(Block::default());
        id
    }

    /// Moves the blocks of a region to another region, which has none.
    pub(crate) fn move_block(&mut self, from: RegionId, to: RegionId) {
        debug_assert!(self.region(to).blocks.is_empty());
        let blocks = std::mem::take(&mut self.regions[from.index()].blocks);
        for &block in &blocks {
            self.blocks[block.index()].parent = Some(to);
        }
        self.regions[to.index()].blocks = blocks;
    }

    /// Removes the blocks of a region.
    pub(crate) fn remove_block(&mut self, region: RegionId) {
        self.regions[region.index()].blocks.clear();
    }

    /// Takes the operations out of a block; their parent is still that block.
    pub(crate) fn take_ops(&mut self, block: BlockId) -> Vec<OpId> {
        std::mem::take(&mut self.blocks[block.index()].ops)
    }

    /// Puts operations whose parent is already `block` into it.
    pub(crate) fn put_ops(&mut self, block: BlockId, ops: Vec<OpId>) {
        self.blocks[block.index()].ops = ops;
    }

    /// Adds an argument to a block.
    pub fn add_block_arg(&mut self, block: BlockId, ty: Type, loc: Loc) -> ValueId {
        let number = u32::try_from(self.block(block).args.len()).expect("few arguments");
        let id = self.add_value(ty, ValueDef::Argument(block, number), loc);
        self.blocks[block.index()].args.push(id);
        id
    }

    /// Inserts a detached operation into a block at `position`.
    pub fn insert_op(&mut self, block: BlockId, position: usize, op: OpId) {
        debug_assert!(self.op(op).parent.is_none());
        self.blocks[block.index()].ops.insert(position, op);
        self.op_mut(op).parent = Some(block);
    }

    /// Reserves room for `count` more operations with one result each, if there is enough memory;
    /// gradual growth would move them repeatedly.
    pub(crate) fn reserve(&mut self, count: usize) {
        // On failure the vectors grow step by step.
        let _ = self.ops.try_reserve(count);
        let _ = self.values.try_reserve(count);
    }

    /// Reserves room like [`Module::reserve`], for modules that are not expected to grow further.
    pub(crate) fn reserve_exact(&mut self, count: usize) {
        self.ops.reserve_exact(count);
        self.values.reserve_exact(count);
    }

    /// Reserves room for `count` more operations in a block.
    pub(crate) fn reserve_in_block(&mut self, block: BlockId, count: usize) {
        self.blocks[block.index()].ops.reserve(count);
    }

    /// Reserves room for `count` more arguments of a block.
    pub(crate) fn reserve_args(&mut self, block: BlockId, count: usize) {
        self.blocks[block.index()].args.reserve_exact(count);
    }

    /// Adds results of these types to an operation, at its location.
    #[inline]
    pub(crate) fn add_results(&mut self, op: OpId, types: &[Type], loc: &Loc) {
        for (number, &ty) in (0..).zip(types) {
            let id = self.add_value(ty, ValueDef::Result(op, number), *loc);
            self.op_mut(op).results.push(id);
        }
    }

    /// Appends an operation to a block; the caller fills it in.
    #[inline]
    pub(crate) fn append_blank(&mut self, block: BlockId, opcode: Opcode, loc: Loc) -> OpId {
        let id = OpId::new(self.ops.len());
        self.blocks[block.index()].ops.push(id);
        // Unlike `push`, this constructs the operation in place.
        self.ops.resize_with(id.index() + 1, || Op {
            parent: Some(block),
            ..Op::new(opcode, loc)
        });
        id
    }

    /// Removes an operation from its block; the operation keeps its results and regions.
    pub fn detach_op(&mut self, op: OpId) {
        if let Some(block) = self.op(op).parent {
            self.blocks[block.index()].ops.retain(|&other| other != op);
            self.op_mut(op).parent = None;
        }
    }

    /// Returns the operation whose region holds `block`; `None` for the module's body.
    pub fn parent_op_of_block(&self, block: BlockId) -> Option<OpId> {
        self.block(block)
            .parent
            .and_then(|region| self.region(region).parent)
    }

    /// Returns the operation that encloses `op`.
    pub fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.op(op)
            .parent
            .and_then(|block| self.parent_op_of_block(block))
    }

    /// Returns `true` if a value is a result or an argument of a block in the regions of `op`.
    pub fn is_defined_within(&self, value: ValueId, op: OpId) -> bool {
        let block = match self.value(value).def {
            ValueDef::Argument(block, _) => Some(block),
            ValueDef::Result(definition, _) => self.op(definition).parent,
        };
        let parent = block.and_then(|block| self.parent_op_of_block(block));
        let mut ancestors = std::iter::successors(parent, |&ancestor| self.parent_op(ancestor));
        ancestors.any(|ancestor| ancestor == op)
    }

    /// Returns the single block of region number `region` of `op`, if it has one.
    pub fn region_block(&self, op: OpId, region: usize) -> Option<BlockId> {
        let region = *self.op(op).regions.get(region)?;
        self.region(region).blocks.first().copied()
    }

    /// Returns the entries, in order.
    pub fn entries(&self) -> impl Iterator<Item = OpId> {
        self.symbols()
            .filter(|&op| self.op(op).opcode == CoreOp::Entry.into())
    }

    /// Returns the global variables, in order.
    pub fn globals(&self) -> impl Iterator<Item = OpId> {
        self.symbols()
            .filter(|&op| self.op(op).opcode == CoreOp::Global.into())
    }

    /// Returns all operations of the body, in order.
    pub fn symbols(&self) -> impl Iterator<Item = OpId> {
        self.block(self.body).ops.iter().copied()
    }

    /// Returns the entry with the given symbol name.
    pub fn entry(&self, name: &str) -> Option<OpId> {
        self.entries().find(|&op| &*self.op(op).sym_name() == name)
    }

    /// Returns every operation nested in `block`, in order; an operation precedes those in its
    /// regions.
    pub fn walk(&self, block: BlockId) -> Vec<OpId> {
        let mut ops = Vec::new();
        self.walk_into(block, &mut ops);
        ops
    }

    /// Calls `change` on every location.
    pub(crate) fn for_each_loc(&mut self, mut change: impl FnMut(&mut Loc)) {
        change(&mut self.loc);
        self.ops.iter_mut().for_each(|op| change(&mut op.loc));
        self.values
            .iter_mut()
            .for_each(|value| change(&mut value.loc));
    }

    fn walk_into(&self, block: BlockId, list: &mut Vec<OpId>) {
        for &op in &self.block(block).ops {
            list.push(op);
            for &region in &self.op(op).regions {
                for &block in &self.region(region).blocks {
                    self.walk_into(block, list);
                }
            }
        }
    }

    #[inline]
    fn add_value(&mut self, ty: Type, def: ValueDef, loc: Loc) -> ValueId {
        let id = ValueId::new(self.values.len());
        self.values.push(Value {
            ty,
            def,
            name: None,
            loc,
        });
        id
    }
}
