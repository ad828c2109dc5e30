//! Axis analysis: finds divisors of the elements of tiles, and which elements are neighbours or equal.
//!
//! Input: a verified entry. Output: for every tile of integers or pointers the facts of
//! [`axis`](super::axis). They come from constants, `iota` and `assume`, and flow through arithmetic, shapes,
//! loops and branches until an optimistic fixed point is reached.

use super::axis::{ANY, Along, AxisInfo};
use super::whole_tiles::{assume, reshaped};
use smallvec::smallvec;
use tile_core::Module;
use tile_core::ir::{BlockId, ComparisonPredicate, Op, OpId, Signedness, ValueId};
use tile_core::ops::{
    BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, IntegerOp, MemoryOp, MiscOp, Opcode,
};
use tile_core::types::Element;

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
                if let Some(facts) = self.result(module, op, result) {
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

    /// Returns the facts of a result of `op` from those of its operands; `None` if these are not known yet,
    /// or the result is not a tile of integers or pointers.
    fn result(&self, module: &Module, op: &Op, result: ValueId) -> Option<AxisInfo> {
        let shape = shape(module, result)?;
        let nothing: AxisInfo = shape.iter().map(|_| Along::NOTHING).collect();
        let operand = |index: usize| {
            let value = op.operands[index];
            Some((value, self.facts[value.index()].as_ref()?))
        };
        // These closures apply a rule axis by axis, to one operand or to two.
        let one = |f: &dyn Fn(Along) -> Along| {
            let (_, facts) = operand(0)?;
            Some(facts.iter().map(|&along| f(along)).collect())
        };
        let two = |first: usize, f: &dyn Fn(Along, Along) -> Along| {
            let ((_, lhs), (_, rhs)) = (operand(first)?, operand(first + 1)?);
            Some(lhs.iter().zip(rhs).map(|(&l, &r)| f(l, r)).collect())
        };
        let is_unsigned = || op.signedness() == Signedness::Unsigned;
        match op.opcode {
            Opcode::Core(CoreOp::Constant) => Some(constant(op, &shape)),
            Opcode::Core(CoreOp::Iota) => Some(smallvec![Along {
                contiguity: shape[0],
                divisor: ANY,
                constancy: 0,
            }]),
            Opcode::Integer(IntegerOp::AddI) => two(0, &|l, r| Along::sum(l, r, 0, false)),
            Opcode::Integer(IntegerOp::SubI) => two(0, &|l, r| Along::sum(l, r, 0, true)),
            Opcode::Integer(IntegerOp::MulI) => match constants(module, op) {
                [Some(1), _] => Some(operand(1)?.1.clone()),
                [_, Some(1)] => Some(operand(0)?.1.clone()),
                _ => two(0, &Along::product),
            },
            Opcode::Integer(IntegerOp::MaxI | IntegerOp::MinI)
            | Opcode::Bitwise(BitwiseOp::OrI | BitwiseOp::XorI) => two(0, &Along::mixed),
            Opcode::Integer(IntegerOp::RemI) => match power_of_two(module, op.operands[1]) {
                Some(bits) if is_unsigned() => one(&|along| along.remainder(bits)),
                _ => two(0, &Along::mixed),
            },
            Opcode::Integer(IntegerOp::DivI) => match power_of_two(module, op.operands[1]) {
                Some(bits) if is_unsigned() => one(&|along| along.quotient(bits)),
                _ => two(0, &constancy_alone),
            },
            Opcode::Bitwise(BitwiseOp::AndI) => match constants(module, op) {
                [_, Some(mask)] if mask.checked_add(1).is_some_and(u64::is_power_of_two) => {
                    one(&|along| along.remainder(mask.trailing_ones()))
                }
                // The conjunction has no low bits that either operand lacks.
                _ => two(0, &|l, r| Along {
                    divisor: l.divisor_at(0, 0).max(r.divisor_at(0, 0)),
                    ..constancy_alone(l, r)
                }),
            },
            Opcode::Integer(IntegerOp::ShlI) => match distance(module, op.operands[1]) {
                Some(0) => one(&|along| along),
                Some(by) => one(&|along| Along {
                    contiguity: 0,
                    divisor: (along.divisor_at(0, 0) + by).min(ANY),
                    constancy: along.constancy,
                }),
                None => two(0, &|l, r| Along {
                    divisor: l.divisor_at(0, 0),
                    ..constancy_alone(l, r)
                }),
            },
            Opcode::Integer(IntegerOp::ShrI) => match distance(module, op.operands[1]) {
                Some(by) => one(&|along| along.quotient(by)),
                None => two(0, &constancy_alone),
            },
            Opcode::Integer(IntegerOp::NegI) => one(&|along| Along {
                contiguity: 0,
                divisor: along.divisor_at(0, 0),
                constancy: along.constancy,
            }),
            Opcode::Integer(IntegerOp::CmpI) => two(0, &|l, r| match op.predicate() {
                ComparisonPredicate::LessThan | ComparisonPredicate::GreaterThanOrEqual => {
                    Along::is_below(l, r)
                }
                ComparisonPredicate::GreaterThan | ComparisonPredicate::LessThanOrEqual => {
                    Along::is_below(r, l)
                }
                _ => constancy_alone(l, r),
            }),
            Opcode::Conversion(ConversionOp::ExtI) => one(&Along::without_carry),
            Opcode::Conversion(ConversionOp::TruncI) => one(&|along| along),
            Opcode::Conversion(
                ConversionOp::IntToPtr | ConversionOp::PtrToInt | ConversionOp::PtrToPtr,
            ) => {
                let (from, to) = (unit(module, op.operands[0]), unit(module, result));
                one(&|along| Along {
                    contiguity: if from == to { along.contiguity } else { 0 },
                    divisor: along.divisor_at(if from == to { along.contiguity } else { 0 }, from),
                    constancy: along.constancy,
                })
            }
            Opcode::Core(CoreOp::Offset) => {
                let unit = unit(module, result);
                let ((_, pointers), (index, offsets)) = (operand(0)?, operand(1)?);
                let is_wide = width(module, index) == 64;
                let pairs = pointers.iter().zip(offsets);
                // An offset narrower than an address may wrap: only groups without a carry stay contiguous in
                // the address.
                let sum = pairs.map(|(&pointer, &offset)| {
                    let offset = if is_wide {
                        offset
                    } else {
                        offset.without_carry()
                    };
                    let bytes = Along {
                        divisor: (offset.divisor + unit).min(ANY),
                        ..offset
                    };
                    Along::sum(pointer, bytes, unit, false)
                });
                Some(sum.collect())
            }
            Opcode::Core(CoreOp::Select) => {
                let (_, condition) = operand(0)?;
                let ((_, lhs), (_, rhs)) = (operand(1)?, operand(2)?);
                let unit = unit(module, result);
                let axes = condition.iter().zip(lhs.iter().zip(rhs));
                let either = axes
                    .map(|(chosen, (&lhs, &rhs))| Along::either(lhs, rhs, chosen.constancy, unit));
                Some(either.collect())
            }
            Opcode::Core(CoreOp::Broadcast) => {
                let (source, facts) = operand(0)?;
                let from = self::shape(module, source)?;
                let axes = facts.iter().zip(from.iter().zip(&shape));
                let spread = axes.map(|(&along, (&from, &to))| {
                    if from == to {
                        return along;
                    }
                    Along {
                        contiguity: 0,
                        divisor: along.divisor,
                        constancy: to,
                    }
                });
                Some(spread.collect())
            }
            Opcode::Core(CoreOp::Permute) => {
                let (_, facts) = operand(0)?;
                let axes = op.permutation();
                let moved = axes
                    .iter()
                    .map(|&axis| facts[usize::try_from(axis).unwrap_or(0)]);
                Some(moved.collect())
            }
            Opcode::Core(CoreOp::Reshape) => {
                let (source, facts) = operand(0)?;
                let from = self::shape(module, source)?;
                Some(reshaped(facts, &from, &shape, unit(module, result)))
            }
            Opcode::Core(CoreOp::GetGlobal) => Some(smallvec![Along {
                divisor: variable_alignment(module, op),
                ..Along::NOTHING
            }]),
            Opcode::Memory(MemoryOp::Alloca) => Some(smallvec![Along {
                divisor: match op.attr("alignment") {
                    Some(&tile_core::ir::Attr::Int(bytes)) => bytes.trailing_zeros().min(ANY),
                    _ => 0,
                },
                ..Along::NOTHING
            }]),
            Opcode::Misc(MiscOp::Assume) => {
                let (_, facts) = operand(0)?;
                let mut facts = facts.clone();
                assume(&mut facts, &op.assume_predicate(), unit(module, result));
                Some(facts)
            }
            _ => Some(nothing),
        }
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

/// Returns the logarithms of the extents of a tile of integers or pointers; `[0]` for rank 0.
fn shape(module: &Module, value: ValueId) -> Option<AxisShape> {
    let tile = module.ty(value).as_tile()?;
    if let Element::Scalar(scalar) = tile.element
        && !scalar.is_integer()
    {
        return None;
    }
    Some(if tile.shape.is_empty() {
        smallvec![0]
    } else {
        tile.shape.iter().map(|dim| dim.trailing_zeros()).collect()
    })
}

type AxisShape = smallvec::SmallVec<[u32; 4]>;

/// Returns the logarithm of the unit, the difference of neighbouring elements.
fn unit(module: &Module, value: ValueId) -> u32 {
    match module.ty(value).as_tile().map(|tile| tile.element) {
        Some(Element::Ptr(pointee)) => pointee.bytes().next_power_of_two().trailing_zeros(),
        _ => 0,
    }
}

fn width(module: &Module, value: ValueId) -> u32 {
    let tile = module.ty(value).as_number_tile();
    tile.map_or(64, |(scalar, _)| scalar.bits())
}

fn constancy_alone(lhs: Along, rhs: Along) -> Along {
    Along {
        constancy: lhs.constancy.min(rhs.constancy),
        ..Along::NOTHING
    }
}

fn constant(op: &Op, shape: &[u32]) -> AxisInfo {
    let data = op.dense_value();
    let splat = data.splat_bits();
    let divisor = match splat {
        Some(bits) => bits.trailing_zeros().min(ANY),
        None => 0,
    };
    let along = |&log2: &u32| Along {
        contiguity: 0,
        divisor,
        constancy: if splat.is_some() { log2 } else { 0 },
    };
    shape.iter().map(along).collect()
}

/// Returns the value of each of the two operands, or `None` if it is not a constant.
fn constants(module: &Module, op: &Op) -> [Option<u64>; 2] {
    [0, 1].map(|index| splat(module, op.operands[index]))
}

/// Returns the bits of each element of `value`, a constant whose elements are all equal, possibly reshaped or
/// broadcast.
fn splat(module: &Module, value: ValueId) -> Option<u64> {
    let op = module.op(module.defining_op(value)?);
    match op.opcode {
        Opcode::Core(CoreOp::Constant) => op.dense_value().splat_bits(),
        Opcode::Core(CoreOp::Broadcast | CoreOp::Reshape) => splat(module, op.operands[0]),
        _ => None,
    }
}

fn power_of_two(module: &Module, value: ValueId) -> Option<u32> {
    let bits = splat(module, value)?;
    bits.is_power_of_two().then(|| bits.trailing_zeros())
}

/// Returns the distance of a shift by `value`, if it is a constant less than 64.
fn distance(module: &Module, value: ValueId) -> Option<u32> {
    let bits = splat(module, value)?;
    u32::try_from(bits).ok().filter(|&bits| bits < 64)
}

/// Returns the alignment of the variable that `op` names, as a logarithm.
fn variable_alignment(module: &Module, op: &Op) -> u32 {
    let Some(tile_core::ir::Attr::Symbol(name)) = op.attr("name") else {
        return 0;
    };
    let global = module
        .globals()
        .map(|id| module.op(id))
        .find(|global| global.sym_name() == *name);
    global.map_or(0, |global| variable_align_bytes(global).trailing_zeros())
}

/// Returns the alignment in bytes of a variable of the module, which is at least the width of the widest
/// access.
pub fn variable_align_bytes(global: &Op) -> u32 {
    const MAX_ACCESS_BYTES: u32 = 16;
    let asked = match global.attr("alignment") {
        Some(&tile_core::ir::Attr::Int(bytes)) => u32::try_from(bytes).unwrap_or(u32::MAX),
        _ => 0,
    };
    asked
        .max(MAX_ACCESS_BYTES)
        .checked_next_power_of_two()
        .unwrap_or(1 << 31)
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
        // Contiguity, divisor and constancy, as logarithms.
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
