//! Moves operations to places where they are not allowed.

use super::Mutator;
use crate::ir::{BlockId, Loc, OpId, ValueId};
use crate::ops::{ControlFlowOp, CoreOp, Effects, Opcode};
use crate::types::{Scalar, Type};

impl Mutator<'_, '_> {
    /// Inserts a copy of an operation without regions before another one, with new operands.
    pub(super) fn copy_before(&mut self, mut op: OpId, ops: &[OpId]) -> bool {
        let inside: Vec<OpId> = ops
            .iter()
            .copied()
            .filter(|&op| self.outermost(op) != op)
            .collect();
        if inside.is_empty() {
            return false;
        }
        // Usually in the body of a reduction, which admits the fewest operations.
        let bodies: Vec<OpId> = inside
            .iter()
            .copied()
            .filter(|&op| {
                let parent = self
                    .module
                    .parent_op(op)
                    .map(|op| self.module.op(op).opcode);
                matches!(parent, Some(Opcode::Core(CoreOp::Reduce | CoreOp::Scan)))
            })
            .collect();
        let place = if bodies.is_empty() || self.random.one_in(2) {
            self.random.pick(&inside)
        } else {
            self.random.pick(&bodies)
        };
        let impure: Vec<OpId> = inside
            .iter()
            .copied()
            .filter(|&op| self.module.op(op).def().effects != Effects::Pure)
            .collect();
        if bodies.contains(&place) && !impure.is_empty() && self.random.one_in(2) {
            op = self.random.pick(&impure);
        }
        if !self.module.op(op).regions.is_empty() {
            return false;
        }
        let entry = self.outermost(place);
        let block = self.module.op(place).parent.expect("it is inside of one");
        let original = self.module.op(op).clone();
        let mut operands = original.operands.clone();
        for operand in &mut operands {
            let ty = self.module.ty(*operand);
            let Some(value) = self.fresh(entry, ty) else {
                return false;
            };
            *operand = value;
        }
        let copy = self.add(original.opcode, &[]);
        let new = self.module.op_mut(copy);
        new.operands = operands;
        new.segments = original.segments;
        new.attrs = original.attrs;
        for &result in &original.results {
            let ty = self.module.ty(result);
            self.module.add_result(copy, ty);
        }
        self.inherit_loc(place, &[copy]);
        let position = self.position(block, place);
        self.module.insert_op(block, position, copy);
        true
    }

    /// Inserts one to three nested operations with bodies before an operation, with any terminator
    /// in the innermost one.
    pub(super) fn insert_nest(&mut self, place: OpId) -> bool {
        const TERMINATORS: [ControlFlowOp; 4] = [
            ControlFlowOp::Break,
            ControlFlowOp::Continue,
            ControlFlowOp::Return,
            ControlFlowOp::Yield,
        ];
        let entry = self.outermost(place);
        let Some(mut block) = self.module.op(place).parent.filter(|_| entry != place) else {
            return false;
        };
        let mut position = self.position(block, place);
        let mut operands = Vec::new();
        for _ in 0..=self.random.below(3) {
            let Some((body, carried)) = self.open(entry, block, position) else {
                return false;
            };
            (block, position) = (body, 0);
            if !carried.is_empty() || self.random.one_in(2) {
                operands = carried;
            }
        }
        let terminator: Opcode = self.random.pick(&TERMINATORS).into();
        let ends = self.module.block(block).ops.len();
        let last = self.module.block(block).ops[ends - 1];
        self.module.detach_op(last);
        let end = self.add(terminator, &operands);
        self.inherit_loc(entry, &[end]);
        self.module.insert_op(block, ends - 1, end);
        true
    }

    /// Inserts an `if`, `for` or `loop` with its terminator. Returns its body and values for its
    /// results.
    fn open(
        &mut self,
        entry: OpId,
        block: BlockId,
        position: usize,
    ) -> Option<(BlockId, Vec<ValueId>)> {
        let opcode =
            self.random
                .pick(&[ControlFlowOp::If, ControlFlowOp::For, ControlFlowOp::Loop]);
        let int = Type::scalar(Scalar::I32);
        let carried = if self.random.one_in(3) {
            vec![self.fresh(entry, int)?]
        } else {
            Vec::new()
        };
        let opened = match opcode {
            ControlFlowOp::If => {
                let condition = self.fresh(entry, Type::scalar(Scalar::I1))?;
                self.add(opcode.into(), &[condition])
            }
            ControlFlowOp::For => {
                let bound = self.fresh(entry, int)?;
                let opened = self.add(opcode.into(), &[]);
                let new = self.module.op_mut(opened);
                new.operands.extend([bound; 3]);
                new.operands.extend(carried.iter().copied());
                let count = u32::try_from(carried.len()).expect("one or none");
                new.segments.clone_from_slice(&[1, 1, 1, count]);
                opened
            }
            _ => self.add(opcode.into(), &carried),
        };
        let mut bodies = Vec::new();
        let branches = if opcode == ControlFlowOp::If { 2 } else { 1 };
        for _ in 0..branches {
            let region = self.module.add_region(opened);
            let body = self.module.add_block(region);
            if opcode == ControlFlowOp::For {
                self.module.add_block_arg(body, int, Loc::UNKNOWN);
            }
            if opcode != ControlFlowOp::If {
                for _ in &carried {
                    self.module.add_block_arg(body, int, Loc::UNKNOWN);
                }
            }
            let end = match opcode {
                ControlFlowOp::If => ControlFlowOp::Yield,
                _ => ControlFlowOp::Continue,
            };
            let end = self.add(end.into(), &carried);
            self.module.insert_op(body, 0, end);
            self.inherit_loc(entry, &[end]);
            bodies.push(body);
        }
        for _ in &carried {
            self.module.add_result(opened, int);
        }
        self.inherit_loc(entry, &[opened]);
        self.module.insert_op(block, position, opened);
        Some((self.random.pick(&bodies), carried))
    }
}
