//! The largest power of two that surely divides a scalar.
//!
//! In: a verified entry. Out: for every rank-0 integer and pointer, the base-2
//! logarithm of a divisor (of the number, or of the address in bytes). Facts come
//! from constants and `assume div_by`; they flow through integer arithmetic, and
//! through loops and branches to a fixed point from the optimistic side.

use super::exits::{self, carried};
use tile_core::Module;
use tile_core::ir::{AssumePredicate, BlockId, OpId, ValueId};
use tile_core::ops::{BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, IntegerOp, MiscOp, Opcode};

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
            Opcode::Integer(IntegerOp::RemI)
            | Opcode::Bitwise(BitwiseOp::OrI | BitwiseOp::XorI) => of(self, 0).min(of(self, 1)),
            // Low bits that either has not are not in both.
            Opcode::Bitwise(BitwiseOp::AndI) => of(self, 0).max(of(self, 1)),
            Opcode::Integer(IntegerOp::ShlI) => {
                let by = distance(module, op.operands[1]).unwrap_or(0);
                (of(self, 0) + by).min(ZERO)
            }
            Opcode::Integer(IntegerOp::ShrI) => {
                match (of(self, 0), distance(module, op.operands[1])) {
                    (ZERO, _) => ZERO,
                    (log2, Some(by)) => log2.saturating_sub(by),
                    (_, None) => 0,
                }
            }
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
            Opcode::ControlFlow(ControlFlowOp::Loop) => return self.loop_op(module, id),
            Opcode::ControlFlow(ControlFlowOp::If) => return self.if_op(module, id),
            Opcode::ControlFlow(ControlFlowOp::Continue) => {
                let target = exits::innermost_loop(module, id);
                let carried = carried(module, target);
                return self.pass(&op.operands, carried);
            }
            Opcode::ControlFlow(ControlFlowOp::Break) => {
                let target = exits::innermost_loop(module, id);
                return self.pass(&op.operands, &module.op(target).results);
            }
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
        changed |= self.pass(op.operands_of("initValues"), &args[1..]);
        changed |= self.pass(&args[1..], &op.results);
        changed | self.block(module, body)
    }

    fn loop_op(&mut self, module: &Module, id: OpId) -> bool {
        let body = module
            .region_block(id, 0)
            .expect("a verified `loop` has a body");
        let inits = module.op(id).operands_of("initValues");
        self.pass(inits, carried(module, id)) | self.block(module, body)
    }

    /// Each of `to` may be the one of `from` at its place.
    fn pass(&mut self, from: &[ValueId], to: &[ValueId]) -> bool {
        let mut changed = false;
        for (&from, &to) in from.iter().zip(to) {
            changed |= self.lower(to, self.log2[from.index()]);
        }
        changed
    }

    fn if_op(&mut self, module: &Module, id: OpId) -> bool {
        let op = module.op(id);
        let mut changed = false;
        for region in 0..op.regions.len() {
            if let Some(block) = module.region_block(id, region) {
                changed |= self.block(module, block);
            }
        }
        for last in exits::yields(module, id) {
            changed |= self.pass(&module.op(last).operands, &op.results);
        }
        changed
    }
}

/// By how many bits `value`, a constant, shifts.
fn distance(module: &Module, value: ValueId) -> Option<u32> {
    let op = module.op(module.defining_op(value)?);
    if op.opcode != Opcode::Core(CoreOp::Constant) {
        return None;
    }
    let bits = op.dense_value().splat_bits()?;
    u32::try_from(bits).ok().filter(|&bits| bits < 64)
}

#[cfg(test)]
mod tests {
    use super::Divisibility;
    use tile_core::{Diagnostics, text};

    const MODULE: &str = "\
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %c3 = constant <i32: 3> : tile<i32>
    %mask = constant <i32: -8> : tile<i32>
    %x = assume div_by<16>, %n : tile<i32>
    %and = andi %n, %mask : tile<i32>
    %both = andi %x, %mask : tile<i32>
    %or = ori %x, %mask : tile<i32>
    %left = shli %x, %c3 : tile<i32>
    %right = shri %x, %c3 unsigned : tile<i32>
    %gone = shri %and, %c3 signed : tile<i32>
    %unknown = shri %x, %n unsigned : tile<i32>
    return
  }
}
";

    #[test]
    fn bits_and_shifts_keep_what_divides() {
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(MODULE, "m.mlir", &mut diagnostics).expect("it parses");
        let entry = module.entries().next().expect("it has an entry");
        let facts = Divisibility::of(&module, entry);
        let body = module.region_block(entry, 0).expect("it has a body");
        let divisors: Vec<(String, u64)> = module
            .block(body)
            .ops
            .iter()
            .flat_map(|&op| &module.op(op).results)
            .skip(3)
            .map(|&value| {
                let name = module.value(value).name.clone().expect("it is named");
                (name.to_string(), facts.divisor(value))
            })
            .collect();
        let expected = [
            ("and", 8),
            ("both", 16),
            ("or", 8),
            ("left", 128),
            ("right", 2),
            ("gone", 1),
            ("unknown", 1),
        ];
        let expected = expected.map(|(name, divisor)| (name.to_owned(), divisor));
        assert_eq!(divisors, expected);
    }
}
