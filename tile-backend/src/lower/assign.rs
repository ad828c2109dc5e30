//! Assigns a layout to each tile value.
//!
//! Input: a verified entry. Output: a layout for each tile value of rank 1 or more. Anchors come first:
//! matmuls get fragments, and accesses get layouts of whole cache lines. Accesses in inner loops precede
//! those in outer loops, so that a loop carries the layout that its body uses, and a conversion happens once,
//! before or after the loop. From the anchors, layouts spread to results and operands, through shape
//! operations, reductions, loops and branches; the first layout that reaches a value stays. All other values
//! get the layout of a plain access. Where the layouts of a definition and a use still differ, the lowering
//! converts.

use super::access::{AccessLayouts, AccessShape};
use super::mma_strategy::{MatmulChains, MmaStrategy, is_matmul};
use super::repack::{narrower, wider};
use super::slice::cat_result;
use crate::analysis::divisibility::Divisibility;
use crate::analysis::exits;
use crate::layout::{Axis, LinearLayout, OutShape, reduce_plan, slice_registers, within_slices};
use crate::target::Arch;
use tile_core::Module;
use tile_core::ir::{Op, OpId, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, FloatOp, IntegerOp, MemoryOp, MiscOp, Opcode, ViewOp};
use tile_core::types::TypeKind;

/// The preferred layout of every tile value.
#[derive(Debug)]
pub(crate) struct Assignment {
    layouts: Vec<Option<LinearLayout>>,
}

/// The inputs of the assignment.
pub(crate) struct Inputs<'a> {
    /// The module.
    pub module: &'a Module,
    /// All operations of the entry, in order.
    pub ops: &'a [OpId],
    /// The facts about divisibility.
    pub divisibility: &'a Divisibility,
    /// The layouts of loads and stores.
    pub access: &'a AccessLayouts,
    /// The matmuls that are in chains.
    pub chains: &'a MatmulChains,
    /// The number of warps over which tiles are distributed.
    pub num_warps: u32,
    /// The target.
    pub arch: Arch,
}

impl Assignment {
    /// Assigns a layout to every tile value of rank 1 or more.
    pub(crate) fn solve(inputs: &Inputs<'_>) -> Self {
        let module = inputs.module;
        let mut assign = Assign {
            inputs,
            layouts: vec![None; module.num_values()],
            reserved: vec![false; module.num_values()],
        };
        for &op in inputs.ops {
            if is_load(module.op(op).opcode) {
                assign.reserved[module.op(op).result().index()] = true;
            }
        }
        assign.matmuls();
        assign.spread();
        let depths: Vec<usize> = inputs.ops.iter().map(|&op| depth(module, op)).collect();
        for deep in (0..=depths.iter().copied().max().unwrap_or(0)).rev() {
            let here = inputs.ops.iter().zip(&depths);
            let here = here.filter(|(_, depth)| **depth == deep);
            let ops: Vec<OpId> = here.map(|(op, _)| *op).collect();
            assign.accesses(&ops, is_load);
            assign.spread();
            assign.accesses(&ops, |opcode| !is_load(opcode));
            assign.spread();
        }
        assign.rest();
        Self {
            layouts: assign.layouts,
        }
    }

    /// Returns the layout of a tile value of rank 1 or more.
    pub(crate) fn layout(&self, value: ValueId) -> &LinearLayout {
        self.layouts[value.index()]
            .as_ref()
            .expect("every tile value of rank 1 or more gets a layout")
    }
}

/// Returns the shape of a tile value of rank 1 or more; `None` for any other value.
pub(crate) fn tile_shape(module: &Module, value: ValueId) -> Option<&'static [i64]> {
    match module.ty(value).kind() {
        TypeKind::Tile(tile) if !tile.shape.is_empty() => Some(&tile.shape),
        _ => None,
    }
}

pub(crate) fn out_shape(shape: &[i64]) -> OutShape {
    let sizes: Vec<u64> = shape.iter().map(|dim| dim.unsigned_abs()).collect();
    OutShape::new(&sizes).expect("verified tiles have power-of-two axes")
}

/// Returns `true` if the operation is element-wise, with operands and results of the same shape.
pub(crate) fn is_elementwise(opcode: Opcode) -> bool {
    match opcode {
        Opcode::Float(op) => !matches!(op, FloatOp::MmaF | FloatOp::MmaFScaled),
        Opcode::Integer(op) => op != IntegerOp::MmaI,
        Opcode::Bitwise(_) | Opcode::Conversion(_) => true,
        Opcode::Misc(op) => matches!(op, MiscOp::Assume | MiscOp::Ptx | MiscOp::PtxPure),
        Opcode::Core(op) => matches!(op, CoreOp::Select | CoreOp::Offset),
        Opcode::ControlFlow(_)
        | Opcode::Memory(_)
        | Opcode::Atomic(_)
        | Opcode::View(_)
        | Opcode::LoopDialect(_)
        | Opcode::Testing(_)
        | Opcode::Unregistered(_) => false,
    }
}

/// Returns the layout that the source of a broadcast needs, so that each thread already holds the elements
/// for its registers of `result`. The layout can have registers with copies.
pub(crate) fn broadcast_source(result: &LinearLayout, source: &[i64]) -> LinearLayout {
    let mut layout = result.clone();
    for (axis, &dim) in source.iter().enumerate() {
        if dim == 1 {
            layout = layout.collapse_axis(Axis(axis));
        }
    }
    layout
}

/// Returns the number of loops that enclose an operation.
fn depth(module: &Module, op: OpId) -> usize {
    let around = std::iter::successors(module.parent_op(op), |&op| module.parent_op(op));
    let is_loop = |id: &OpId| {
        matches!(
            module.op(*id).opcode,
            Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop)
        )
    };
    around.filter(is_loop).count()
}

/// Returns `true` if the operation loads a tile.
fn is_load(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::View(ViewOp::LoadViewTko) | Opcode::Memory(MemoryOp::LoadPtrTko)
    )
}

struct Assign<'a> {
    inputs: &'a Inputs<'a>,
    layouts: Vec<Option<LinearLayout>>,
    /// Values to which only an anchor may assign a layout.
    reserved: Vec<bool>,
}

impl Assign<'_> {
    fn set(&mut self, value: ValueId, layout: &LinearLayout) -> bool {
        let free = self.layouts[value.index()].is_none() && !self.reserved[value.index()];
        if !free || tile_shape(self.inputs.module, value).is_none() {
            return false;
        }
        self.layouts[value.index()] = Some(layout.unique_registers().0);
        true
    }

    fn get(&self, value: ValueId) -> Option<LinearLayout> {
        self.layouts[value.index()].clone()
    }

    fn matmuls(&mut self) {
        let module = self.inputs.module;
        for &id in self.inputs.ops {
            let op = module.op(id);
            if is_matmul(op.opcode) {
                let is_chained = self.inputs.chains.contains(id);
                let Inputs {
                    num_warps, arch, ..
                } = *self.inputs;
                let matmul = MmaStrategy::choose(module, op, is_chained, num_warps, arch);
                self.set(op.result(), matmul.accumulator());
            }
        }
    }

    fn accesses(&mut self, ops: &[OpId], of_kind: impl Fn(Opcode) -> bool) {
        let Inputs {
            module,
            divisibility,
            access,
            ..
        } = self.inputs;
        for &id in ops {
            let op = module.op(id);
            if !of_kind(op.opcode) {
                continue;
            }
            let Some(shape) = AccessShape::from_op(module, divisibility, op) else {
                continue;
            };
            let layout = access.layout(&shape);
            for &tile in &super::pointer::accessed(op) {
                if is_load(op.opcode) {
                    self.reserved[tile.index()] = false;
                }
                self.set(tile, &layout);
            }
        }
    }

    fn rest(&mut self) {
        let module = self.inputs.module;
        for &id in self.inputs.ops {
            let mut values: Vec<ValueId> = module.op(id).results.to_vec();
            for region in 0..module.op(id).regions.len() {
                if let Some(block) = module.region_block(id, region) {
                    values.extend(&module.block(block).args);
                }
            }
            for value in values {
                let Some(tile) = module.ty(value).as_tile() else {
                    continue;
                };
                if tile.shape.is_empty() || self.layouts[value.index()].is_some() {
                    continue;
                }
                let bytes = match tile.element {
                    tile_core::types::Element::Scalar(scalar) => scalar.bytes(),
                    tile_core::types::Element::Ptr(_) => 8,
                };
                let layout = self.inputs.access.default(&tile.shape, bytes);
                self.set(value, &layout);
                self.spread();
            }
        }
    }

    /// Spreads layouts until a fixed point is reached.
    fn spread(&mut self) {
        loop {
            let mut changed = false;
            for &op in self.inputs.ops {
                changed |= self.through(op);
            }
            if !changed {
                return;
            }
        }
    }

    /// Gives all `values` the layout of the first that has one. Returns `true` if anything changed.
    fn unify(&mut self, values: &[ValueId]) -> bool {
        let Some(layout) = values.iter().find_map(|&value| self.get(value)) else {
            return false;
        };
        let mut changed = false;
        for &value in values {
            changed |= self.set(value, &layout);
        }
        changed
    }

    fn through(&mut self, id: OpId) -> bool {
        let module = self.inputs.module;
        let op = module.op(id);
        // Each arm relates the layouts with which its operation moves no data. No arm replaces a layout that
        // is already assigned.
        match op.opcode {
            opcode if is_elementwise(opcode) => {
                let values: Vec<ValueId> = op.results.iter().chain(&op.operands).copied().collect();
                self.unify(&values)
            }
            opcode if is_matmul(opcode) => self.unify(&[op.result(), op.operand("acc")]),
            Opcode::Memory(_) | Opcode::Atomic(_) => {
                let values = super::pointer::of_one_layout(module, op);
                self.unify(&values)
            }
            Opcode::Core(CoreOp::Reshape) => self.relabel(
                op.operand("source"),
                op.result(),
                |layout, shape| layout.reshape(out_shape(shape)),
                |layout, shape| layout.reshape(out_shape(shape)),
            ),
            Opcode::Core(CoreOp::Permute) => {
                let forward: Vec<Axis> = op
                    .permutation()
                    .iter()
                    .map(|&axis| Axis(usize::try_from(axis).expect("verified permutation")))
                    .collect();
                let mut backward = vec![Axis(0); forward.len()];
                for (index, axis) in forward.iter().enumerate() {
                    backward[axis.0] = Axis(index);
                }
                self.relabel(
                    op.operand("source"),
                    op.result(),
                    |layout, _| layout.permute_axes(&forward),
                    |layout, _| layout.permute_axes(&backward),
                )
            }
            Opcode::Core(CoreOp::Broadcast) => {
                let source = op.operand("source");
                match (self.get(op.result()), tile_shape(module, source)) {
                    (Some(layout), Some(shape)) => {
                        self.set(source, &broadcast_source(&layout, shape))
                    }
                    _ => false,
                }
            }
            Opcode::Core(CoreOp::Reduce) => {
                let mut changed = self.unify(op.operands_of("operands"));
                let axis = Axis(usize::try_from(op.dim()).expect("verified axis"));
                let plan = self
                    .get(op.operands[0])
                    .and_then(|layout| reduce_plan(&layout, axis));
                if let Some(plan) = plan {
                    for &result in &op.results {
                        changed |= self.set(result, &plan.result);
                    }
                }
                changed
            }
            Opcode::Core(CoreOp::Cat | CoreOp::Extract | CoreOp::Insert) => self.slices(op),
            Opcode::Core(CoreOp::Pack | CoreOp::Unpack) => self.repacked(op),
            Opcode::Core(CoreOp::Scan) => {
                let values: Vec<ValueId> = op.operands.iter().chain(&op.results).copied().collect();
                self.unify(&values)
            }
            Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop) => self.through_loop(id),
            Opcode::ControlFlow(ControlFlowOp::If) => {
                let yields = exits::yields(module, id);
                let yields = yields.iter().map(|&last| &*module.op(last).operands);
                self.unify_columns(std::iter::once(&*op.results).chain(yields))
            }
            _ => false,
        }
    }

    /// Spreads layouts through operations on slices.
    fn slices(&mut self, op: &Op) -> bool {
        let module = self.inputs.module;
        let shape = |value| tile_shape(module, value).map(out_shape);
        if op.opcode == CoreOp::Extract.into() {
            let source = self.get(op.operand("source"));
            let slices = source
                .zip(shape(op.result()))
                .and_then(|(layout, slice)| slice_registers(&layout, &slice));
            return slices.is_some_and(|slices| self.set(op.result(), &slices.layout));
        }
        let (parts, whole) = if op.opcode == CoreOp::Cat.into() {
            let (lhs, rhs) = (op.operand("lhs"), op.operand("rhs"));
            let axis = Axis(usize::try_from(op.dim()).expect("verified axis"));
            let mut changed = self.unify(&[lhs, rhs]);
            if self.get(op.result()).is_none()
                && let Some(layout) = self.get(lhs)
            {
                changed |= self.set(op.result(), &cat_result(&layout, axis));
            }
            if changed {
                return true;
            }
            (vec![lhs, rhs], op.result())
        } else {
            if self.unify(&[op.operand("destination"), op.result()]) {
                return true;
            }
            (vec![op.operand("source")], op.result())
        };
        let (Some(layout), Some(slice)) = (self.get(whole), shape(parts[0])) else {
            return false;
        };
        let layout = within_slices(&layout, &slice);
        let mut changed = false;
        for part in parts {
            changed |= self.set(part, &layout);
        }
        changed
    }

    /// Spreads layouts through `pack` and `unpack`.
    fn repacked(&mut self, op: &Op) -> bool {
        let module = self.inputs.module;
        let (source, result) = (op.operand("source"), op.result());
        let bits = |value| {
            let shape = tile_shape(module, value).map(out_shape);
            shape.map_or(0, |shape| shape.total_bits())
        };
        let (narrow, wide) = if bits(source) > bits(result) {
            (source, result)
        } else {
            (result, source)
        };
        let log2 = bits(narrow) - bits(wide);
        match (self.get(narrow), self.get(wide)) {
            (None, Some(layout)) => self.set(narrow, &narrower(&layout, log2)),
            (Some(layout), None) => {
                let layout = wider(&layout, log2);
                layout.is_some_and(|layout| self.set(wide, &layout))
            }
            _ => false,
        }
    }

    fn through_loop(&mut self, id: OpId) -> bool {
        let module = self.inputs.module;
        let op = module.op(id);
        let body = module
            .region_block(id, 0)
            .expect("a verified loop has a body");
        let args = &module.block(body).args;
        let operands = |jump: &OpId| -> &[ValueId] { &module.op(*jump).operands };
        let next = exits::jumps(module, id, ControlFlowOp::Continue);
        let next = next.iter().map(operands);
        let inits = std::iter::once(op.operands_of("initValues"));
        if op.opcode == ControlFlowOp::For.into() {
            let carried = [&args[1..], &op.results];
            return self.unify_columns(carried.into_iter().chain(next).chain(inits));
        }
        let carried = std::iter::once(&args[..]);
        let breaks = exits::jumps(module, id, ControlFlowOp::Break);
        let results = std::iter::once(&*op.results).chain(breaks.iter().map(operands));
        self.unify_columns(carried.chain(next).chain(inits)) | self.unify_columns(results)
    }

    /// Gives the values at the same index of all lists the same layout.
    fn unify_columns<'v>(&mut self, lists: impl Iterator<Item = &'v [ValueId]>) -> bool {
        let lists: Vec<&[ValueId]> = lists.collect();
        let mut changed = false;
        for index in 0..lists[0].len() {
            let column: Vec<ValueId> = lists.iter().map(|list| list[index]).collect();
            changed |= self.unify(&column);
        }
        changed
    }

    fn relabel(
        &mut self,
        source: ValueId,
        result: ValueId,
        forward: impl Fn(&LinearLayout, &[i64]) -> LinearLayout,
        backward: impl Fn(&LinearLayout, &[i64]) -> LinearLayout,
    ) -> bool {
        let module = self.inputs.module;
        let (Some(from), Some(to)) = (tile_shape(module, source), tile_shape(module, result))
        else {
            return false;
        };
        match (self.get(source), self.get(result)) {
            (Some(layout), None) => self.set(result, &forward(&layout, to)),
            (None, Some(layout)) => self.set(source, &backward(&layout, from)),
            _ => false,
        }
    }
}
