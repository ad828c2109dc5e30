//! Random mutation of modules, text and bytecode.
//!
//! [`mutate`] keeps the arena well formed (an operation is in at most one block and not inside
//! itself, slots are parallel to the row) but violates rules of the dialect. The result is usually
//! invalid in one place and valid everywhere else. Such modules are hard cases for a verifier.

mod attrs;
mod bytes;
mod fresh;
mod locs;
mod nest;
mod retype;
mod text;
mod types;

pub use bytes::mutate_bytes;
pub use text::mutate_text;

use super::random::Random;
use crate::ir::{BlockId, Loc, Module, Op, OpId, ValueId};
use crate::ops::{Arity, ControlFlowOp, Opcode};
use smallvec::SmallVec;
use thin_vec::ThinVec;

/// Changes one to three things of `module`; deterministic for a seed.
pub fn mutate(module: &mut Module, seed: u64) {
    let mut mutator = Mutator {
        random: Random::new(seed),
        module,
    };
    mutator.mutate();
}

/// Like [`mutate`], but takes its choices from the bytes of `data`, for coverage-guided fuzzers.
pub fn mutate_from_bytes(module: &mut Module, data: &[u8]) {
    let mut mutator = Mutator {
        random: Random::from_bytes(data),
        module,
    };
    mutator.mutate();
}

struct Mutator<'m, 'd> {
    module: &'m mut Module,
    random: Random<'d>,
}

impl Mutator<'_, '_> {
    fn mutate(&mut self) {
        let edits = match self.random.below(4) {
            0 => 2 + self.random.below(2),
            _ => 1,
        };
        let mut done = 0;
        // Some edits find nothing to change.
        for _ in 0..64 {
            done += usize::from(self.edit());
            if done == edits {
                break;
            }
        }
    }

    /// Makes one edit; returns `false` if it is not applicable.
    fn edit(&mut self) -> bool {
        let ops = self.module.walk(self.module.body());
        if ops.is_empty() {
            return false;
        }
        let op = self.pick_op(&ops);
        let edit = self.random.below(52);
        // A misplaced terminator always breaks the same rule, so these edits are made less often.
        if matches!(edit, 9..=12 | 35..=37)
            && self.module.op(op).def().is_terminator()
            && !self.random.one_in(8)
        {
            return false;
        }
        match edit {
            0..=3 => self.change_type(&ops),
            4..=8 => self.change_attr(op),
            9 => self.drop_op(op),
            10 => self.duplicate_op(op),
            11..=12 => self.move_op(op, &ops),
            13..=16 => self.rewire(op),
            17 => self.change_operand_count(op),
            18 => self.change_opcode(op),
            19 => self.change_results(op),
            20..=21 => self.change_regions(op),
            22 => self.change_terminator(op),
            23 => self.change_loc(op, &ops),
            24..=32 | 41..=51 => self.retype(op),
            33..=34 => self.change_operands(op),
            35..=37 => self.copy_before(op, &ops),
            38..=39 => self.insert_nest(op),
            _ => self.change_signature(op),
        }
    }

    /// Returns an operation; half of the time each kind has the same probability, so that rare ones
    /// are also chosen.
    fn pick_op(&mut self, ops: &[OpId]) -> OpId {
        if self.random.one_in(2) {
            return self.random.pick(ops);
        }
        let mut kinds: Vec<Opcode> = Vec::new();
        for &op in ops {
            let kind = self.module.op(op).opcode;
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let kind = self.random.pick(&kinds);
        let of_kind = ops.iter().copied();
        let of_kind: Vec<OpId> = of_kind
            .filter(|&op| self.module.op(op).opcode == kind)
            .collect();
        self.random.pick(&of_kind)
    }

    fn any_value(&mut self) -> Option<ValueId> {
        let count = self.module.num_values();
        (count > 0).then(|| ValueId::new(self.random.below(count)))
    }

    fn change_type(&mut self, ops: &[OpId]) -> bool {
        // A result, or an argument of a region.
        let op = self.random.pick(ops);
        let mut values: Vec<ValueId> = self.module.op(op).results.to_vec();
        for &region in &self.module.op(op).regions {
            for &block in &self.module.region(region).blocks {
                values.extend_from_slice(&self.module.block(block).args);
            }
        }
        if values.is_empty() {
            return false;
        }
        let value = self.random.pick(&values);
        let other = self.any_value().expect("there is a value");
        let ty = self.module.ty(value);
        let new = if self.random.one_in(4) {
            self.module.ty(other)
        } else {
            types::change(&mut self.random, ty)
        };
        self.module.value_mut(value).ty = new;
        new != ty
    }

    fn change_attr(&mut self, op: OpId) -> bool {
        let count = self.module.op(op).attrs.len();
        if count == 0 {
            return false;
        }
        let slot = self.random.below(count);
        let old = self.module.op(op).attrs[slot].clone();
        let def = &self.module.op(op).def().attrs[slot];
        let new = attrs::change(&mut self.random, def, old.as_ref());
        let changed = new != old;
        self.module.op_mut(op).attrs[slot] = new;
        changed
    }

    fn drop_op(&mut self, op: OpId) -> bool {
        self.module.detach_op(op);
        true
    }

    /// Inserts a copy of the operation, without its regions, after it.
    fn duplicate_op(&mut self, op: OpId) -> bool {
        let Some(block) = self.module.op(op).parent else {
            return false;
        };
        let original = self.module.op(op).clone();
        let copy = self.module.add_op(Op {
            results: SmallVec::new(),
            regions: ThinVec::new(),
            parent: None,
            ..original.clone()
        });
        for &result in &original.results {
            let ty = self.module.ty(result);
            self.module.add_result(copy, ty);
        }
        for _ in &original.regions {
            self.module.add_region(copy);
        }
        let position = self.position(block, op);
        self.module.insert_op(block, position + 1, copy);
        true
    }

    fn position(&self, block: BlockId, op: OpId) -> usize {
        let ops = &self.module.block(block).ops;
        let position = ops.iter().position(|&other| other == op);
        position.expect("an operation is in its block")
    }

    /// Moves the operation within its block or to another one.
    fn move_op(&mut self, op: OpId, ops: &[OpId]) -> bool {
        let own_block = self.module.op(op).parent;
        let block = if self.random.one_in(2) {
            own_block
        } else {
            let other = self.random.pick(ops);
            self.module.op(other).parent
        };
        let Some(block) = block else {
            return false;
        };
        // An operation must not be inside itself.
        let around = std::iter::successors(self.module.parent_op_of_block(block), |&parent| {
            self.module.parent_op(parent)
        });
        if around.into_iter().any(|parent| parent == op) {
            return false;
        }
        self.module.detach_op(op);
        let end = self.module.block(block).ops.len();
        let position = self.random.below(end + 1);
        self.module.insert_op(block, position, op);
        true
    }

    /// Replaces an operand by another value, which has the same type half of the time.
    fn rewire(&mut self, op: OpId) -> bool {
        let count = self.module.op(op).operands.len();
        if count == 0 {
            return false;
        }
        let operand = self.random.below(count);
        let old = self.module.op(op).operands[operand];
        let same_type = self.random.one_in(2);
        for _ in 0..16 {
            let new = self.any_value().expect("there is an operand");
            let fits = !same_type || self.module.ty(new) == self.module.ty(old);
            if new != old && fits {
                self.module.op_mut(op).operands[operand] = new;
                return true;
            }
        }
        false
    }

    /// Adds or removes an operand.
    fn change_operand_count(&mut self, op: OpId) -> bool {
        let segments = self.module.op(op).segments.len();
        if segments == 0 {
            return false;
        }
        let slot = self.random.below(segments);
        let value = self.any_value();
        let adds = self.random.one_in(2);
        let op = self.module.op_mut(op);
        let start: u32 = op.segments[..slot].iter().sum();
        match (adds, value) {
            (true, Some(value)) => {
                op.operands.insert(start as usize, value);
                op.segments[slot] += 1;
            }
            _ if op.segments[slot] > 0 => {
                op.operands.remove(start as usize);
                op.segments[slot] -= 1;
            }
            _ => return false,
        }
        true
    }

    /// Changes the opcode, with the same operands and results.
    fn change_opcode(&mut self, op: OpId) -> bool {
        let old = self.module.op(op).opcode;
        // Only opcodes of the same dialect are tested here.
        let opcodes: Vec<Opcode> = Opcode::all()
            .filter(|opcode| opcode.dialect() == old.dialect())
            .collect();
        let similar: Vec<Opcode> = opcodes
            .iter()
            .copied()
            .filter(|opcode| {
                let (a, b) = (old.def(), opcode.def());
                *opcode != old && a.operands.len() == b.operands.len() && a.attrs == b.attrs
            })
            .collect();
        let new = if similar.is_empty() || self.random.one_in(4) {
            self.random.pick(&opcodes)
        } else {
            self.random.pick(&similar)
        };
        self.set_opcode(op, new);
        new != old
    }

    fn set_opcode(&mut self, op: OpId, opcode: Opcode) {
        let def = opcode.def();
        let op = self.module.op_mut(op);
        let old_attrs = std::mem::take(&mut op.attrs);
        let old_def = op.def();
        let kept = |name: &str| {
            let slot = old_def.attrs.iter().position(|attr| attr.name == name)?;
            old_attrs[slot].clone()
        };
        op.attrs = def.attrs.iter().map(|attr| kept(attr.name)).collect();
        let mut left = u32::try_from(op.operands.len()).expect("few operands");
        op.segments = def
            .operands
            .iter()
            .map(|slot| {
                let taken = match slot.arity {
                    Arity::One | Arity::Optional => left.min(1),
                    Arity::Variadic => left,
                };
                left -= taken;
                taken
            })
            .collect();
        op.operands.truncate(op.operands.len() - left as usize);
        op.opcode = opcode;
    }

    /// Adds or removes a result.
    fn change_results(&mut self, op: OpId) -> bool {
        let other = self.any_value();
        match (self.random.one_in(2), other) {
            (true, Some(other)) => {
                let ty = self.module.ty(other);
                self.module.add_result(op, ty);
                true
            }
            _ => self.module.op_mut(op).results.pop().is_some(),
        }
    }

    /// Adds a region, block or argument, or removes a region.
    fn change_regions(&mut self, op: OpId) -> bool {
        let regions = self.module.op(op).regions.clone();
        if regions.is_empty() {
            return false;
        }
        let region = self.random.pick(&regions);
        let block = self.module.region(region).blocks.first().copied();
        match self.random.below(5) {
            0 => {
                self.module.op_mut(op).regions.pop();
            }
            1 => {
                self.module.add_region(op);
            }
            2 => {
                self.module.add_block(region);
            }
            _ => {
                let (Some(block), Some(other)) = (block, self.any_value()) else {
                    return false;
                };
                let ty = self.module.ty(other);
                self.module.add_block_arg(block, ty, Loc::UNKNOWN);
            }
        }
        true
    }

    /// Changes the terminator of the operation's block.
    fn change_terminator(&mut self, op: OpId) -> bool {
        const TERMINATORS: [ControlFlowOp; 4] = [
            ControlFlowOp::Break,
            ControlFlowOp::Continue,
            ControlFlowOp::Return,
            ControlFlowOp::Yield,
        ];
        let Some(block) = self.module.op(op).parent else {
            return false;
        };
        let last = self.module.block(block).ops.last().copied();
        let last = last.expect("the operation is in the block");
        if !self.module.op(last).def().is_terminator() {
            return false;
        }
        match self.random.below(4) {
            0 => self.module.detach_op(last),
            1 => {
                // In the middle.
                let end = self.module.block(block).ops.len();
                let position = self.random.below(end);
                self.module.detach_op(last);
                self.module.insert_op(block, position, last);
            }
            _ => {
                let opcode = self.random.pick(&TERMINATORS);
                self.set_opcode(last, opcode.into());
            }
        }
        true
    }
}
