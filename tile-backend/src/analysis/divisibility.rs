//! Axis analysis: finds divisors of the elements of tiles, and which elements are neighbours or equal.
//!
//! Input: a verified entry. Output: for every tile of integers or pointers the facts of
//! [`axis`](super::axis). They come from constants, `iota` and `assume`, and flow through arithmetic, shapes,
//! loops and branches until an optimistic fixed point is reached.

use super::axis::{Along, AxisInfo};
pub use super::transfer::variable_align_bytes;
use super::transfer::{self, unit};
use smallvec::smallvec;
use tile_core::Module;
use tile_core::ir::{BlockId, OpId, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, Opcode};

/// The facts of every value of a module.
#[derive(Clone, Debug)]
pub struct Divisibility {
    /// `None` for values that no path has reached yet.
    facts: Vec<Option<AxisInfo>>,
}

impl Divisibility {
    /// Analyses the body of one entry.
    pub fn analyze(module: &Module, entry: OpId) -> Self {
        let mut analysis = Self {
            facts: vec![None; module.num_values()],
        };
        let Some(body) = module.region_block(entry, 0) else {
            return analysis;
        };
        for &param in &module.block(body).args {
            analysis.facts[param.index()] = Some(smallvec![Along::NOTHING]);
        }
        while analysis.block(module, body) {}
        analysis
    }

    /// Returns the largest power of two known to divide `value`, a tile of rank 0: the number, or the address
    /// in bytes.
    pub fn divisor(&self, value: ValueId) -> u64 {
        1 << self.along(value, 0).divisor
    }

    /// Returns the facts along `axis` of a tile.
    pub fn along(&self, value: ValueId, axis: usize) -> Along {
        let facts = self.facts[value.index()].as_ref();
        let along = facts.and_then(|facts| facts.get(axis)).copied();
        along.unwrap_or(Along::NOTHING)
    }

    /// Visits a block once. Returns `true` if any facts have become weaker.
    fn block(&mut self, module: &Module, block: BlockId) -> bool {
        let mut changed = false;
        for &op in &module.block(block).ops {
            changed |= self.op(module, op);
        }
        changed
    }

    /// Weakens the facts of `value` so that they also cover `facts`.
    fn lower(&mut self, module: &Module, value: ValueId, facts: &AxisInfo) -> bool {
        let unit = unit(module, value);
        let slot = &mut self.facts[value.index()];
        let met = match slot {
            None => facts.clone(),
            Some(old) => {
                let pairs = old.iter().zip(facts);
                pairs.map(|(old, new)| old.meet(*new, unit)).collect()
            }
        };
        let changed = slot.as_ref() != Some(&met);
        *slot = Some(met);
        changed
    }

    /// Lets the facts of `from` flow to `to`.
    fn flow(&mut self, module: &Module, from: ValueId, to: ValueId) -> bool {
        match self.facts[from.index()].clone() {
            Some(facts) => self.lower(module, to, &facts),
            None => false,
        }
    }

    fn op(&mut self, module: &Module, id: OpId) -> bool {
        let op = module.op(id);
        let mut changed = false;
        if let Opcode::ControlFlow(control) = op.opcode {
            changed |= self.control_flow(module, id, control);
        }
        for region in 0..op.regions.len() {
            let is_combiner = matches!(op.opcode, Opcode::Core(CoreOp::Reduce | CoreOp::Scan));
            if let Some(block) = module.region_block(id, region).filter(|_| !is_combiner) {
                changed |= self.block(module, block);
            }
        }
        if op.regions.is_empty() || matches!(op.opcode, Opcode::Core(_)) {
            for &result in &op.results {
                if let Some(facts) = transfer::facts(module, &self.facts, op, result) {
                    changed |= self.lower(module, result, &facts);
                }
            }
        }
        changed
    }

    fn control_flow(&mut self, module: &Module, id: OpId, control: ControlFlowOp) -> bool {
        let op = module.op(id);
        let mut changed = false;
        match control {
            ControlFlowOp::For | ControlFlowOp::Loop => {
                let Some(body) = module.region_block(id, 0) else {
                    return false;
                };
                let mut args = module.block(body).args.as_slice();
                if control == ControlFlowOp::For {
                    let bounds = ["lowerBound", "step"].map(|slot| op.operand(slot));
                    if let [Some(lower), Some(step)] =
                        bounds.map(|bound| self.facts[bound.index()].clone())
                    {
                        let facts = smallvec![Along::mixed(lower[0], step[0])];
                        changed |= self.lower(module, args[0], &facts);
                    }
                    args = &args[1..];
                }
                for (number, &init) in op.operands_of("initValues").iter().enumerate() {
                    changed |= self.flow(module, init, args[number]);
                    if control == ControlFlowOp::For {
                        changed |= self.flow(module, init, op.results[number]);
                    }
                }
            }
            ControlFlowOp::Continue | ControlFlowOp::Break | ControlFlowOp::Yield => {
                let Some(target) = target(module, id, control) else {
                    return false;
                };
                let to = module.op(target);
                for (number, &value) in op.operands.iter().enumerate() {
                    let is_for = to.opcode == ControlFlowOp::For.into();
                    if control == ControlFlowOp::Continue
                        && let Some(body) = module.region_block(target, 0)
                    {
                        let arg = module.block(body).args[number + usize::from(is_for)];
                        changed |= self.flow(module, value, arg);
                    }
                    if control != ControlFlowOp::Continue || is_for {
                        changed |= self.flow(module, value, to.results[number]);
                    }
                }
            }
            ControlFlowOp::Assert | ControlFlowOp::If | ControlFlowOp::Return => {}
        }
        changed
    }
}

/// Returns the loop or branch that a `break`, `continue` or `yield` leads to.
pub(crate) fn target(module: &Module, id: OpId, control: ControlFlowOp) -> Option<OpId> {
    let mut ancestor = module.parent_op(id)?;
    loop {
        let is_target = match module.op(ancestor).opcode {
            Opcode::ControlFlow(ControlFlowOp::For) => control == ControlFlowOp::Continue,
            Opcode::ControlFlow(ControlFlowOp::Loop) => control != ControlFlowOp::Yield,
            Opcode::ControlFlow(ControlFlowOp::If) => control == ControlFlowOp::Yield,
            _ => return None,
        };
        if is_target {
            return Some(ancestor);
        }
        ancestor = module.parent_op(ancestor)?;
    }
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

    const TILES: &str = "\
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %aligned = assume div_by<64>, %p : tile<ptr<f32>>
    %m = assume div_by<8>, %n : tile<i32>
    %i = iota : tile<64xi32>
    %m1 = reshape %m : tile<i32> -> tile<1xi32>
    %ms = broadcast %m1 : tile<1xi32> -> tile<64xi32>
    %j = addi %i, %ms : tile<64xi32>
    %p1 = reshape %aligned : tile<ptr<f32>> -> tile<1xptr<f32>>
    %ps = broadcast %p1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %q = offset %ps, %j : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %mask = cmpi less_than %i, %ms, signed : tile<64xi32> -> tile<64xi1>
    %above = cmpi greater_than %i, %ms, signed : tile<64xi32> -> tile<64xi1>
    %c4 = constant <i32: 4> : tile<64xi32>
    %row = divi %i, %c4 unsigned : tile<64xi32>
    %column = remi %i, %c4 unsigned : tile<64xi32>
    %folded = reshape %i : tile<64xi32> -> tile<4x16xi32>
    %turned = permute %folded [1, 0] : tile<4x16xi32> -> tile<16x4xi32>
    %loaded, %t = load_ptr_tko weak %q : tile<64xptr<f32>> -> tile<64xf32>, token
    return
  }
}
";

    #[test]
    fn neighbours_and_masks_are_known_per_axis() {
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(TILES, "m.mlir", &mut diagnostics).expect("it parses");
        let entry = module.entries().next().expect("it has an entry");
        let facts = Divisibility::analyze(&module, entry);
        let body = module.region_block(entry, 0).expect("it has a body");
        let ops = module.block(body).ops.iter();
        let named = |name: &str| {
            let mut results = ops.clone().flat_map(|&op| module.op(op).results.iter());
            *results
                .find(|&&value| module.value(value).name.as_deref() == Some(name))
                .expect("it is named so")
        };
        // The facts are contiguity, divisor and constancy, as logarithms.
        let expected = [
            ("i", 0, (6, 63, 0)),
            ("ms", 0, (0, 3, 6)),
            ("j", 0, (6, 3, 0)),
            // Only groups of eight are certain not to wrap.
            ("q", 0, (3, 5, 0)),
            ("mask", 0, (0, 0, 3)),
            ("above", 0, (0, 0, 0)),
            ("row", 0, (0, 0, 2)),
            ("column", 0, (2, 63, 0)),
            // The facts must hold at every index along the other axis.
            ("folded", 0, (0, 0, 0)),
            ("folded", 1, (4, 4, 0)),
            ("turned", 0, (4, 4, 0)),
            ("loaded", 0, (0, 0, 0)),
        ];
        for (name, axis, wanted) in expected {
            let along = facts.along(named(name), axis);
            let actual = (along.contiguity, along.divisor, along.constancy);
            assert_eq!(actual, wanted, "{name} along axis {axis}");
        }
    }

    #[test]
    fn bits_and_shifts_keep_what_divides() {
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(MODULE, "m.mlir", &mut diagnostics).expect("it parses");
        let entry = module.entries().next().expect("it has an entry");
        let facts = Divisibility::analyze(&module, entry);
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
