//! The arena.

mod compact;

pub(crate) use compact::Reached;

use super::{BlockId, DiscardableAttr, Loc, Op, OpId, RegionId, ValueId};
use crate::ops::{CoreOp, Opcode};
use crate::types::Type;
use arcstr::ArcStr;
use smallvec::SmallVec;
use thin_vec::ThinVec;

/// A compilation unit: entries and global variables in a body block.
#[derive(Clone, Debug)]
pub struct Module {
    /// The symbol name.
    pub name: String,
    /// Who made it.
    pub producer: Option<String>,
    /// Attributes without meaning, sorted by name.
    pub discardable: ThinVec<DiscardableAttr>,
    /// Where it comes from.
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
    /// Arguments.
    pub args: Vec<ValueId>,
    /// Operations in order.
    pub ops: Vec<OpId>,
    /// The region it is in; `None` for the body of the module.
    pub parent: Option<RegionId>,
}

/// A list of blocks owned by an operation.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// Blocks in order; the dialect allows at most one.
    pub blocks: SmallVec<[BlockId; 1]>,
    /// The operation that owns it; `None` while detached.
    pub parent: Option<OpId>,
}

/// What defines a value.
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
    /// Its type.
    pub ty: Type,
    /// What defines it.
    pub def: ValueDef,
    /// A name for printing, without `%`.
    pub name: Option<ArcStr>,
    /// Where it comes from.
    pub loc: Loc,
}

impl Module {
    /// An empty module.
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

    /// The block that holds the entries and globals.
    pub fn body(&self) -> BlockId {
        self.body
    }

    /// The operation `id`.
    pub fn op(&self, id: OpId) -> &Op {
        &self.ops[id.index()]
    }

    /// The operation `id`, to change attributes or operands.
    pub fn op_mut(&mut self, id: OpId) -> &mut Op {
        &mut self.ops[id.index()]
    }

    /// The block `id`.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The region `id`.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.index()]
    }

    /// The blocks of the region `id`; none if it is one of another module.
    pub(crate) fn blocks_of(&self, id: RegionId) -> &[BlockId] {
        let region = self.regions.get(id.index());
        region.map_or(&[], |region| &region.blocks)
    }

    /// The value `id`.
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// The value `id`; `None` if it is one of another module.
    pub(crate) fn get_value(&self, id: ValueId) -> Option<&Value> {
        self.values.get(id.index())
    }

    /// The value `id`, to name it or correct its type.
    pub fn value_mut(&mut self, id: ValueId) -> &mut Value {
        &mut self.values[id.index()]
    }

    /// The type of the value `id`.
    pub fn ty(&self, id: ValueId) -> Type {
        self.value(id).ty
    }

    /// The number of values ever made, for side tables.
    pub fn num_values(&self) -> usize {
        self.values.len()
    }

    /// The number of operations ever made, for side tables.
    pub fn num_ops(&self) -> usize {
        self.ops.len()
    }

    /// The number of blocks ever made, for side tables.
    pub fn num_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The operation that defines a value, unless it is a block argument.
    pub fn defining_op(&self, id: ValueId) -> Option<OpId> {
        match self.value(id).def {
            ValueDef::Result(op, _) => Some(op),
            ValueDef::Argument(..) => None,
        }
    }

    /// The number of regions ever made, for side tables.
    pub fn num_regions(&self) -> usize {
        self.regions.len()
    }

    /// Adds a detached operation. Its results must be made with
    /// [`Module::add_result`], its regions with [`Module::add_region`].
    pub fn add_op(&mut self, op: Op) -> OpId {
        let id = OpId::new(self.ops.len());
        debug_assert!(op.results.is_empty() && op.regions.is_empty() && op.parent.is_none());
        self.ops.push(op);
        id
    }

    /// Gives an operation one more result.
    #[inline]
    pub fn add_result(&mut self, op: OpId, ty: Type) -> ValueId {
        let number = u32::try_from(self.op(op).results.len()).expect("few results");
        let loc = self.op(op).loc;
        let id = self.add_value(ty, ValueDef::Result(op, number), loc);
        self.op_mut(op).results.push(id);
        id
    }

    /// Gives an operation one more region, without blocks.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        let id = RegionId::new(self.regions.len());
        self.regions.push(Region {
            blocks: SmallVec::new(),
            parent: Some(op),
        });
        self.op_mut(op).regions.push(id);
        id
    }

    /// Gives a region one more block, without arguments.
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

    /// Adds a block of no region, for operations on their way.
    pub(crate) fn add_detached_block(&mut self) -> BlockId {
        let id = BlockId::new(self.blocks.len());
        self.blocks.push(Block::default());
        id
    }

    /// Moves the blocks of a region to another, which has none.
    pub(crate) fn move_block(&mut self, from: RegionId, to: RegionId) {
        debug_assert!(self.region(to).blocks.is_empty());
        let blocks = std::mem::take(&mut self.regions[from.index()].blocks);
        for &block in &blocks {
            self.blocks[block.index()].parent = Some(to);
        }
        self.regions[to.index()].blocks = blocks;
    }

    /// Takes the blocks of a region away.
    pub(crate) fn remove_block(&mut self, region: RegionId) {
        self.regions[region.index()].blocks.clear();
    }

    /// Takes the operations of a block out of it; each still says that it is in it.
    pub(crate) fn take_ops(&mut self, block: BlockId) -> Vec<OpId> {
        std::mem::take(&mut self.blocks[block.index()].ops)
    }

    /// Puts operations that say so already into a block.
    pub(crate) fn put_ops(&mut self, block: BlockId, ops: Vec<OpId>) {
        self.blocks[block.index()].ops = ops;
    }

    /// Gives a block one more argument.
    pub fn add_block_arg(&mut self, block: BlockId, ty: Type, loc: Loc) -> ValueId {
        let number = u32::try_from(self.block(block).args.len()).expect("few arguments");
        let id = self.add_value(ty, ValueDef::Argument(block, number), loc);
        self.blocks[block.index()].args.push(id);
        id
    }

    /// Puts a detached operation into a block at `position`.
    pub fn insert_op(&mut self, block: BlockId, position: usize, op: OpId) {
        debug_assert!(self.op(op).parent.is_none());
        self.blocks[block.index()].ops.insert(position, op);
        self.op_mut(op).parent = Some(block);
    }

    /// Makes room for `count` more operations with a result each, if there is so
    /// much memory; growing step by step would move them again and again.
    pub(crate) fn reserve(&mut self, count: usize) {
        // Without that room they grow step by step.
        let _ = self.ops.try_reserve(count);
        let _ = self.values.try_reserve(count);
    }

    /// [`Module::reserve`] for what is not expected to grow further.
    pub(crate) fn reserve_exact(&mut self, count: usize) {
        self.ops.reserve_exact(count);
        self.values.reserve_exact(count);
    }

    /// Makes room for `count` more operations in a block.
    pub(crate) fn reserve_in_block(&mut self, block: BlockId, count: usize) {
        self.blocks[block.index()].ops.reserve(count);
    }

    /// Makes room for `count` more arguments of a block.
    pub(crate) fn reserve_args(&mut self, block: BlockId, count: usize) {
        self.blocks[block.index()].args.reserve_exact(count);
    }

    /// Gives an operation results of these types, at its location.
    #[inline]
    pub(crate) fn add_results(&mut self, op: OpId, types: &[Type], loc: &Loc) {
        for (number, &ty) in (0..).zip(types) {
            let id = self.add_value(ty, ValueDef::Result(op, number), *loc);
            self.op_mut(op).results.push(id);
        }
    }

    /// Appends an operation to a block, to be filled in.
    #[inline]
    pub(crate) fn append_blank(&mut self, block: BlockId, opcode: Opcode, loc: Loc) -> OpId {
        let id = OpId::new(self.ops.len());
        self.blocks[block.index()].ops.push(id);
        // Unlike `push`, this makes the operation where it stays.
        self.ops.resize_with(id.index() + 1, || Op {
            parent: Some(block),
            ..Op::new(opcode, loc)
        });
        id
    }

    /// Takes an operation out of its block; it keeps its results and regions.
    pub fn detach_op(&mut self, op: OpId) {
        if let Some(block) = self.op(op).parent {
            self.blocks[block.index()].ops.retain(|&other| other != op);
            self.op_mut(op).parent = None;
        }
    }

    /// The operation whose region holds `block`; `None` for the module's body.
    pub fn parent_op_of_block(&self, block: BlockId) -> Option<OpId> {
        self.block(block)
            .parent
            .and_then(|region| self.region(region).parent)
    }

    /// The operation that encloses `op`.
    pub fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.op(op)
            .parent
            .and_then(|block| self.parent_op_of_block(block))
    }

    /// The single block of region number `region` of `op`, if it has one.
    pub fn region_block(&self, op: OpId, region: usize) -> Option<BlockId> {
        let region = *self.op(op).regions.get(region)?;
        self.region(region).blocks.first().copied()
    }

    /// The entries, in order.
    pub fn entries(&self) -> impl Iterator<Item = OpId> {
        self.symbols()
            .filter(|&op| self.op(op).opcode == CoreOp::Entry.into())
    }

    /// The global variables, in order.
    pub fn globals(&self) -> impl Iterator<Item = OpId> {
        self.symbols()
            .filter(|&op| self.op(op).opcode == CoreOp::Global.into())
    }

    /// Everything in the body, in order.
    pub fn symbols(&self) -> impl Iterator<Item = OpId> {
        self.block(self.body).ops.iter().copied()
    }

    /// The entry with the given symbol name.
    pub fn entry(&self, name: &str) -> Option<OpId> {
        self.entries().find(|&op| &*self.op(op).sym_name() == name)
    }

    /// Every operation nested in `block`, in order, an operation before those
    /// of its regions.
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
