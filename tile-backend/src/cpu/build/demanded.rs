//! The rows and columns of a product that are demanded: those that are inside of the tensor that it is stored to.
//!
//! In: a product whose sums are only added to, changed element by element, carried by loops, and stored to one tile of a view.
//! Out: how many rows and columns, from the first ones on, the tile has inside of the tensor. No one sees the others, so a
//! tile at the edge of a tensor takes the time of what is inside.

use rustc_hash::{FxHashMap, FxHashSet};
use tile_core::Module;
use tile_core::ir::{BlockId, OpId, ValueId};
use tile_core::ops::{
    BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, FloatOp, IntegerOp, Opcode, ViewOp,
};

use super::super::ir::{Fun, Inst, Nest, Val};
use super::{Bound, Builder, Reply};

/// The tile of a view that the sums of a product are stored to.
struct Target {
    store: OpId,
    /// The loops that carry the sums.
    loops: Vec<OpId>,
}

impl Builder<'_> {
    /// Returns the numbers of rows and of columns of a product that are demanded, if they are known before it begins and may be
    /// fewer than all.
    pub(super) fn demanded(&mut self, product: OpId) -> Reply<Option<[Val; 2]>> {
        let module = self.module;
        let Some(Target { store, loops }) = target(module, product) else {
            return Ok(None);
        };
        let op = module.op(store);
        let view = op.operand("view");
        let Some(ty) = module.ty(view).as_tile_view() else {
            return Ok(None);
        };
        let Some(tensor) = tensor_of(module, view) else {
            return Ok(None);
        };
        let index = op.operands_of("index");
        if ty.sparse_dim.is_some() || index.len() != 2 {
            return Ok(None);
        }
        let dynamic = module.op(tensor).operands_of("dynamicShape");
        let is_known = |value: &ValueId| {
            matches!(self.bound.get(value), Some(Bound::Scalar(_)))
                && !loops
                    .iter()
                    .any(|&each| module.is_defined_within(*value, each))
        };
        if !index.iter().chain(dynamic).all(is_known) {
            return Ok(None);
        }
        let tensor_ty = module.ty(module.op(tensor).result()).as_tensor_view();
        let extents = &tensor_ty.expect("a tensor view").shape;
        let mut counts = Vec::new();
        for (axis, &index) in index.iter().enumerate() {
            let dim = ty.tensor_axis(axis);
            let extent = if let Some(extent) = extents[dim] {
                self.number(extent)
            } else {
                let before = extents[..dim].iter().filter(|extent| extent.is_none());
                self.wide_scalar(dynamic[before.count()], false)?
            };
            let start = self.start(index, ty.step(axis))?;
            let rest = self.wide(Fun::Sub, &[extent, start]);
            let (tile, zero) = (self.number(i64::from(ty.tile[axis])), self.number(0));
            let inside = self.wide(Fun::Min, &[rest, tile]);
            counts.push(self.wide(Fun::Max, &[inside, zero]));
        }
        Ok(Some([counts[0], counts[1]]))
    }
}

/// Returns where the sums of a product are stored, if nothing else sees them.
fn target(module: &Module, product: OpId) -> Option<Target> {
    let users = users(module, entry_block(module, product)?);
    let mut rest = vec![module.op(product).result()];
    let mut seen: FxHashSet<ValueId> = rest.iter().copied().collect();
    let (mut stores, mut loops) = (Vec::new(), Vec::new());
    while let Some(value) = rest.pop() {
        for &(user, number) in users.get(&value).into_iter().flatten() {
            let op = module.op(user);
            let mut reached = Vec::new();
            match op.opcode {
                Opcode::View(ViewOp::StoreViewTko) if op.operand("tile") == value => {
                    stores.push(user);
                }
                Opcode::Float(FloatOp::MmaF) | Opcode::Integer(IntegerOp::MmaI)
                    if op.operand("lhs") != value && op.operand("rhs") != value =>
                {
                    reached.push(op.result());
                }
                Opcode::ControlFlow(ControlFlowOp::Continue) => {
                    let parent = loop_around(module, user)?;
                    reached.extend(carried(module, parent, number)?);
                    loops.push(parent);
                }
                Opcode::ControlFlow(ControlFlowOp::For) => {
                    let first = op.operands.len() - op.operands_of("initValues").len();
                    reached.extend(carried(module, user, number.checked_sub(first)?)?);
                    loops.push(user);
                }
                opcode if is_total(opcode) => reached.push(op.result()),
                _ => return None,
            }
            rest.extend(reached.into_iter().filter(|&value| seen.insert(value)));
        }
    }
    match stores[..] {
        [store] => Some(Target { store, loops }),
        _ => None,
    }
}

/// Returns `true` if computing fewer rows of a left operand hides no fault.
pub(super) fn has_no_fault(module: &Module, nest: &Nest) -> bool {
    nest.insts.iter().all(|inst| match inst {
        Inst::Call(Fun::Op(id), ..) => is_total(module.op(*id).opcode),
        Inst::Gather { .. } | Inst::Scatter { .. } | Inst::Atomic { .. } | Inst::Assert(_) => false,
        _ => true,
    })
}

/// Returns `true` for operations whose elements are computed from those at the same place, without a fault.
fn is_total(opcode: Opcode) -> bool {
    match opcode {
        Opcode::Float(kind) => kind != FloatOp::MmaF && kind != FloatOp::MmaFScaled,
        Opcode::Integer(kind) => matches!(
            kind,
            IntegerOp::AbsI
                | IntegerOp::AddI
                | IntegerOp::SubI
                | IntegerOp::NegI
                | IntegerOp::MulI
                | IntegerOp::MaxI
                | IntegerOp::MinI
                | IntegerOp::CmpI
        ),
        Opcode::Bitwise(kind) => {
            matches!(kind, BitwiseOp::AndI | BitwiseOp::OrI | BitwiseOp::XorI)
        }
        Opcode::Conversion(kind) => matches!(
            kind,
            ConversionOp::FToF
                | ConversionOp::FToI
                | ConversionOp::IToF
                | ConversionOp::ExtI
                | ConversionOp::TruncI
        ),
        Opcode::Core(CoreOp::Select) => true,
        _ => false,
    }
}

/// Returns the uses of each value in a block and in the regions within: the operation, and the number of the operand.
fn users(module: &Module, block: BlockId) -> FxHashMap<ValueId, Vec<(OpId, usize)>> {
    let mut users: FxHashMap<ValueId, Vec<(OpId, usize)>> = FxHashMap::default();
    for id in module.walk(block) {
        for (number, &operand) in module.op(id).operands.iter().enumerate() {
            users.entry(operand).or_default().push((id, number));
        }
    }
    users
}

/// Returns the body of the entry that an operation is in.
fn entry_block(module: &Module, mut op: OpId) -> Option<BlockId> {
    loop {
        let block = module.op(op).parent?;
        op = module.parent_op_of_block(block)?;
        if module.op(op).opcode == Opcode::Core(CoreOp::Entry) {
            return Some(block);
        }
    }
}

/// Returns the loop that a `continue` goes on with, if it counts.
fn loop_around(module: &Module, op: OpId) -> Option<OpId> {
    let parent = module.parent_op(op)?;
    (module.op(parent).opcode == Opcode::ControlFlow(ControlFlowOp::For)).then_some(parent)
}

/// Returns the values that a loop makes of the one that it carries with this number: in its body, and after it.
fn carried(module: &Module, id: OpId, number: usize) -> Option<[ValueId; 2]> {
    let block = module.region_block(id, 0)?;
    // The first argument is the counter.
    let inside = *module.block(block).args.get(number + 1)?;
    Some([inside, *module.op(id).results.get(number)?])
}

/// Returns the operation that makes the tensor view of a view of tiles.
fn tensor_of(module: &Module, view: ValueId) -> Option<OpId> {
    let defined = |value: ValueId, kind: ViewOp| {
        let op = module.defining_op(value)?;
        (module.op(op).opcode == Opcode::View(kind)).then_some(op)
    };
    let tiles = defined(view, ViewOp::MakePartitionView)?;
    defined(
        module.op(tiles).operand("tensor_view"),
        ViewOp::MakeTensorView,
    )
}
