//! The largest power of two that surely divides a scalar.
//!
//! In: a verified entry. Out: for every rank-0 integer and pointer, the base-2
//! logarithm of a divisor (of the number, or of the address in bytes). Facts come
//! from constants and `assume div_by`; they flow through integer arithmetic, and
//! through loops and branches to a fixed point from the optimistic side.

use tile_core::Module;
use tile_core::ir::{AssumePredicate, BlockId, OpId, ValueId};
use tile_core::ops::{ControlFlowOp, ConversionOp, CoreOp, IntegerOp, MiscOp, Opcode};

/// Divisible by everything: zero, or not yet known.
const ZERO: u32 = 63;

/// What is known of every value of a module.
#[derive(Clone, Debug)]
pub struct Divisibility {
    log2: Vec<u32>,
}

impl Divisibility {
    /// Analyses the body of one entry.
    pub fn of(module: &Module, entry: OpId) -> Self {
        let mut analysis = Self {
            log2: vec![ZERO; module.num_values()],
        };
        let Some(body) = module.region_block(entry, 0) else {
            return analysis;
        };
        for &param in &module.block(body).args {
            analysis.log2[param.index()] = 0;
        }
        while analysis.block(module, body) {}
        analysis
    }

    /// The largest power of two known to divide `value`.
    pub fn divisor(&self, value: ValueId) -> u64 {
        1 << self.log2[value.index()]
    }

    /// Goes over a block once; says whether anything became worse.
    fn block(&mut self, module: &Module, block: BlockId) -> bool {
        let mut changed = false;
        for &op in &module.block(block).ops {
            changed |= self.op(module, op);
        }
        changed
    }

    fn lower(&mut self, value: ValueId, log2: u32) -> bool {
        let slot = &mut self.log2[value.index()];
        let changed = log2 < *slot;
        *slot = log2.min(*slot);
        changed
    }

    fn op(&mut self, module: &Module, id: OpId) -> bool {
        let op = module.op(id);
        let of = |analysis: &Self, index: usize| analysis.log2[op.operands[index].index()];
        let log2 = match op.opcode {
            Opcode::Core(CoreOp::Constant) => op
                .dense_value()
                .splat_bits()
                .map_or(0, |bits| bits.trailing_zeros().min(ZERO)),
            Opcode::Integer(
                IntegerOp::AddI | IntegerOp::SubI | IntegerOp::MaxI | IntegerOp::MinI,
            ) => of(self, 0).min(of(self, 1)),
            Opcode::Integer(IntegerOp::MulI) => (of(self, 0) + of(self, 1)).min(ZERO),
            Opcode::Integer(IntegerOp::NegI)
            | Opcode::Conversion(ConversionOp::ExtI | ConversionOp::TruncI)
            | Opcode::Core(CoreOp::Reshape | CoreOp::Broadcast) => of(self, 0),
            Opcode::Integer(IntegerOp::RemI) => of(self, 0).min(of(self, 1)),
            Opcode::Core(CoreOp::Select) => of(self, 1).min(of(self, 2)),
            Opcode::Misc(MiscOp::Assume) => {
                let known = match *op.assume_predicate() {
                    AssumePredicate::DivBy {
                        divisor,
                        every: None,
                        ..
                    } => divisor.trailing_zeros(),
                    _ => 0,
                };
                of(self, 0).max(known)
            }
            Opcode::ControlFlow(ControlFlowOp::For) => return self.for_op(module, id),
            Opcode::ControlFlow(ControlFlowOp::If) => return self.if_op(module, id),
            _ => 0,
        };
        let mut changed = false;
        for &result in &op.results {
            changed |= self.lower(result, log2);
        }
        changed
    }

    fn for_op(&mut self, module: &Module, id: OpId) -> bool {
        let op = module.op(id);
        let body = module
            .region_block(id, 0)
            .expect("a verified `for` has a body");
        let args = &module.block(body).args;
        let bound = |slot| self.log2[op.operand(slot).index()];
        let mut changed = self.lower(args[0], bound("lowerBound").min(bound("step")));
        let inits = op.operands_of("initValues");
        for ((&arg, &init), &result) in args[1..].iter().zip(inits).zip(&op.results) {
            changed |= self.lower(arg, self.log2[init.index()]);
            changed |= self.lower(result, self.log2[arg.index()]);
        }
        changed |= self.block(module, body);
        if let Some(&last) = module.block(body).ops.last() {
            for (&next, &arg) in module.op(last).operands.iter().zip(&args[1..]) {
                changed |= self.lower(arg, self.log2[next.index()]);
            }
        }
        changed
    }

    fn if_op(&mut self, module: &Module, id: OpId) -> bool {
        let op = module.op(id);
        let mut changed = false;
        for region in 0..op.regions.len() {
            let Some(block) = module.region_block(id, region) else {
                continue;
            };
            changed |= self.block(module, block);
            let Some(&last) = module.block(block).ops.last() else {
                continue;
            };
            let last = module.op(last);
            if last.opcode == Opcode::ControlFlow(ControlFlowOp::Yield) {
                for (&value, &result) in last.operands.iter().zip(&op.results) {
                    changed |= self.lower(result, self.log2[value.index()]);
                }
            }
        }
        changed
    }
}
