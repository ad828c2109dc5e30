//! Masks that have all lanes, as code that runs finds from their first and their last lane.
//!
//! The mask of neighbours is `first + iota < extent`. Such numbers ascend unless they wrap, and they do not wrap between the first
//! lane and the last one if the last is the greater of these. Then the last one is below the extent if all are.

use tile_core::ir::{ComparisonPredicate, Signedness};
use tile_core::ops::{BitwiseOp, ConversionOp, IntegerOp, Opcode};
use tile_core::types::Scalar;

use super::super::super::ir::{Fun, Inst, Reg};
use super::super::nest::Iteration;
use super::super::{Emitter, scalar_type};
use super::{Even, Lanes};

impl Even<'_> {
    /// Returns the condition under which a mask has all lanes; `None` if that is not seen from single lanes.
    pub(super) fn whole(
        &mut self,
        emitter: &mut Emitter<'_>,
        mask: Reg,
        regs: &[String],
        iteration: &Iteration,
    ) -> Option<String> {
        if self.stays(mask, iteration) {
            return Some(self.element(emitter, mask, 0, regs, iteration));
        }
        let Inst::Call(fun, args, Scalar::I1) = &self.nest.insts[mask] else {
            return None;
        };
        let opcode = match fun {
            Fun::And => Opcode::Bitwise(BitwiseOp::AndI),
            Fun::Op(id) => self.module.op(*id).opcode,
            _ => return None,
        };
        match (opcode, args.as_slice()) {
            (Opcode::Bitwise(BitwiseOp::AndI), &[one, two]) => {
                let one = self.whole(emitter, one, regs, iteration)?;
                let two = self.whole(emitter, two, regs, iteration)?;
                Some(emitter.value(&format!("and i1 {one}, {two}")))
            }
            (Opcode::Integer(IntegerOp::CmpI), &[one, two]) => {
                self.all_compare(emitter, *fun, [one, two], regs, iteration)
            }
            _ => None,
        }
    }

    /// Returns the condition under which a comparison is true in all lanes.
    fn all_compare(
        &mut self,
        emitter: &mut Emitter<'_>,
        fun: Fun,
        [one, two]: [Reg; 2],
        regs: &[String],
        iteration: &Iteration,
    ) -> Option<String> {
        let Fun::Op(id) = fun else {
            return None;
        };
        let op = self.module.op(id);
        let last = emitter.lanes - 1;
        let ascending = match (self.is_same(one), self.is_same(two)) {
            (false, true) => one,
            (true, false) => two,
            _ => return None,
        };
        let scalar = self.nest.scalar(ascending, self.vals)?;
        let step = u64::try_from(self.step(ascending, iteration)?).ok()?;
        let distance = step.checked_mul(last.into())?;
        if distance == 0 || distance >= 1 << (scalar.bits() - 1) {
            return None;
        }
        // The lane that decides.
        let lane = match op.predicate() {
            ComparisonPredicate::LessThan | ComparisonPredicate::LessThanOrEqual => {
                if ascending == one { last } else { 0 }
            }
            ComparisonPredicate::GreaterThan | ComparisonPredicate::GreaterThanOrEqual => {
                if ascending == one {
                    0
                } else {
                    last
                }
            }
            ComparisonPredicate::Equal | ComparisonPredicate::NotEqual => return None,
        };
        let ends = [0, last].map(|lane| self.element(emitter, ascending, lane, regs, iteration));
        let sign = match op.signedness() {
            Signedness::Signed => 's',
            Signedness::Unsigned => 'u',
        };
        let ty = scalar_type(scalar);
        let ascends = emitter.value(&format!("icmp {sign}lt {ty} {}, {}", ends[0], ends[1]));
        let args = [one, two].map(|arg| self.element(emitter, arg, lane, regs, iteration));
        let lanes = emitter.lanes;
        let holds = emitter.call(fun, &args, &[scalar, scalar], Scalar::I1, 1);
        emitter.lanes = lanes;
        Some(emitter.value(&format!("and i1 {ascends}, {holds}")))
    }

    /// Returns the difference of a lane and the one before it, modulo the numbers of the type, if it is constant.
    pub(super) fn step(&self, reg: Reg, iteration: &Iteration) -> Option<i64> {
        if self.guards[reg].is_some() {
            return None;
        }
        if self.is_same(reg) {
            return Some(0);
        }
        match &self.nest.insts[reg] {
            Inst::Position(_, weights) => iteration.lane_offsets(weights).get(1).copied(),
            Inst::Call(fun, args, _) => {
                let opcode = match fun {
                    Fun::Add => Opcode::Integer(IntegerOp::AddI),
                    Fun::Op(id) => self.module.op(*id).opcode,
                    _ => return None,
                };
                match opcode {
                    Opcode::Integer(IntegerOp::AddI) => {
                        let one = self.step(args[0], iteration)?;
                        one.checked_add(self.step(args[1], iteration)?)
                    }
                    Opcode::Conversion(ConversionOp::ExtI) => self.step(args[0], iteration),
                    _ => None,
                }
            }
            _ => None,
        }
        .filter(|_| self.lanes[reg] == Lanes::Even)
    }
}
