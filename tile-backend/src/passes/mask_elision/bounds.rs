//! Bounds of integer tiles that are affine in their coordinates, and conditions on whole masks.
//!
//! Integers wrap, so every sum and multiple of coordinates is `base + k` modulo the width, where `base` is
//! uniform and `k` depends on the coordinates, within a known interval. The bounds of two such tiles decide a
//! comparison only if each `base` is so far from the ends of the type that nothing wraps. The condition
//! includes this requirement; where it fails, the mask is computed.

use super::number::{Number, Truth, cut, read};
use crate::gpu::{ElementOp, Kernel, OpId, OpKind, Ty, ValueId, compute};
use tile_core::Scalar;
use tile_core::ir::{ComparisonPredicate, Signedness};
use tile_core::ops::{BitwiseOp, ConversionOp, IntegerOp, Opcode};

/// Maximum length of a chain of operations that the analysis follows.
const MAX_DEPTH: usize = 24;

/// An integer tile: each element is `base + k`, modulo the width, with `least <= k <= most`.
#[derive(Clone, Debug)]
struct Affine {
    scalar: Scalar,
    base: Number,
    least: i128,
    most: i128,
    /// Conditions that must all hold for the bounds to be valid.
    if_all: Vec<Truth>,
}

/// The operations that define the values of a kernel.
pub(super) struct Bounds<'k> {
    kernel: &'k Kernel,
    /// The defining operation of each value.
    made_by: Vec<Option<OpId>>,
}

impl<'k> Bounds<'k> {
    pub(super) fn analyze(kernel: &'k Kernel) -> Self {
        let mut made_by = vec![None; kernel.num_values()];
        for id in kernel.op_ids() {
            for &result in &kernel.op(id).results {
                made_by[result.index()] = Some(id);
            }
        }
        Self { kernel, made_by }
    }

    /// Returns a condition under which every element of a tile of truth values is `wanted`, or `None` if no
    /// such condition is known.
    pub(super) fn all_are(&self, tile: ValueId, wanted: bool) -> Option<Truth> {
        self.truth(tile, wanted, 0)
    }

    fn truth(&self, tile: ValueId, wanted: bool, depth: usize) -> Option<Truth> {
        let op = self.kernel.op(self.made_by[tile.index()]?);
        if depth > MAX_DEPTH {
            return None;
        }
        let part = |index: usize| self.truth(op.args[index], wanted, depth + 1);
        let is_bit = |bits: u64| (bits & 1 == 1) == wanted;
        match &op.kind {
            OpKind::Constant(bits) => is_bit(*bits).then(|| Truth::All(Vec::new())),
            OpKind::Splat => Some(Truth::Is(Number::Value(op.args[0]), wanted)),
            OpKind::PermuteRegisters(_) => part(0),
            OpKind::Compute(element) => match element.opcode {
                Opcode::Integer(IntegerOp::CmpI) => {
                    self.comparison(element, &op.args, wanted, depth)
                }
                Opcode::Bitwise(opcode @ (BitwiseOp::AndI | BitwiseOp::OrI)) => {
                    if (opcode == BitwiseOp::AndI) == wanted {
                        return Some(Truth::All(vec![part(0)?, part(1)?]));
                    }
                    let mut parts: Vec<Truth> = [part(0), part(1)].into_iter().flatten().collect();
                    match parts.len() {
                        0 | 1 => parts.pop(),
                        _ => Some(Truth::Any(parts)),
                    }
                }
                Opcode::Bitwise(BitwiseOp::XorI) => {
                    let bit = self.constant(op.args[1])? & 1 == 1;
                    self.truth(op.args[0], wanted != bit, depth + 1)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn comparison(
        &self,
        element: &ElementOp,
        args: &[ValueId],
        wanted: bool,
        depth: usize,
    ) -> Option<Truth> {
        let unsigned = element.signedness() == Signedness::Unsigned;
        let [lhs, rhs] = [
            self.affine(args[0], depth + 1)?,
            self.affine(args[1], depth + 1)?,
        ];
        // The comparison is rewritten as `lower < upper` or `lower <= upper`. It holds in every element if it
        // holds for the largest element of `lower` and the smallest element of `upper`.
        let (is_swapped, is_strict) = match element.predicate() {
            ComparisonPredicate::LessThan => (!wanted, wanted),
            ComparisonPredicate::LessThanOrEqual => (!wanted, !wanted),
            ComparisonPredicate::GreaterThan => (wanted, wanted),
            ComparisonPredicate::GreaterThanOrEqual => (wanted, !wanted),
            ComparisonPredicate::Equal | ComparisonPredicate::NotEqual => return None,
        };
        let [lower, upper] = if is_swapped { [rhs, lhs] } else { [lhs, rhs] };
        let scalar = lower.scalar;
        let mut conditions = lower.whole(unsigned)?;
        conditions.extend(upper.whole(unsigned)?);
        let greatest = lower.base.plus(lower.most, scalar);
        let least = upper.base.plus(upper.least, scalar);
        let ordered = if is_strict {
            compute::Uniform::Less { unsigned }
        } else {
            compute::Uniform::AtMost { unsigned }
        };
        conditions.push(Truth::Ordered(ordered, scalar, [greatest, least]));
        Some(Truth::All(conditions))
    }

    /// Returns `true` if all elements are certainly equal.
    pub(super) fn is_splat(&self, tile: ValueId) -> bool {
        let Some(id) = self.made_by[tile.index()] else {
            return false;
        };
        let op = self.kernel.op(id);
        match op.kind {
            OpKind::Constant(_) | OpKind::Splat => true,
            OpKind::PermuteRegisters(_) => self.is_splat(op.args[0]),
            _ => false,
        }
    }

    fn constant(&self, value: ValueId) -> Option<u64> {
        let op = self.kernel.op(self.made_by[value.index()]?);
        match op.kind {
            OpKind::Constant(bits) => Some(bits),
            OpKind::Splat | OpKind::PermuteRegisters(_) => self.constant(op.args[0]),
            _ => None,
        }
    }

    fn affine(&self, value: ValueId, depth: usize) -> Option<Affine> {
        let ty = self.kernel.ty(value);
        let scalar = ty.scalar().filter(|scalar| scalar.is_integer())?;
        let plain = |base, least, most| Affine {
            scalar,
            base,
            least,
            most,
            if_all: Vec::new(),
        };
        if let Some(bits) = self.constant(value) {
            return Some(plain(Number::Constant(bits, scalar), 0, 0));
        }
        if let Ty::Uniform(_) = ty {
            return Some(plain(Number::Value(value), 0, 0));
        }
        let op = self.kernel.op(self.made_by[value.index()]?);
        if depth > MAX_DEPTH {
            return None;
        }
        let arg = |index: usize| self.affine(op.args[index], depth + 1);
        match &op.kind {
            OpKind::Splat | OpKind::PermuteRegisters(_) => arg(0),
            OpKind::Coordinate(axis) => {
                let size = self.kernel.layout_of(value).shape().size(*axis);
                Some(plain(Number::Constant(0, scalar), 0, i128::from(size) - 1))
            }
            OpKind::Compute(element) => {
                let args: Option<Vec<Affine>> = (0..op.args.len()).map(arg).collect();
                computed(element, args?, scalar)
            }
            _ => None,
        }
    }
}

/// Returns the result of an operation on affine tiles, of type `scalar`.
fn computed(element: &ElementOp, args: Vec<Affine>, scalar: Scalar) -> Option<Affine> {
    let mut if_all: Vec<Truth> = args.iter().flat_map(|arg| arg.if_all.clone()).collect();
    if args.iter().all(|arg| arg.least == 0 && arg.most == 0) {
        // All elements of each operand are equal, so the operation applies to the bases alone.
        let bases = args.into_iter().map(|arg| arg.base).collect();
        let base = Number::Op(Box::new(element.clone()), bases, scalar);
        return Some(Affine {
            scalar,
            base,
            least: 0,
            most: 0,
            if_all,
        });
    }
    let sum = |op, least, most, if_all| {
        let bases = [args[0].base.clone(), args[1].base.clone()];
        let base = Number::compute(op, bases, scalar);
        Some(Affine {
            scalar,
            base,
            least,
            most,
            if_all,
        })
    };
    match element.opcode {
        Opcode::Integer(IntegerOp::AddI) => sum(
            compute::Uniform::Add,
            args[0].least.checked_add(args[1].least)?,
            args[0].most.checked_add(args[1].most)?,
            if_all,
        ),
        Opcode::Integer(IntegerOp::SubI) => sum(
            compute::Uniform::Sub,
            args[0].least.checked_sub(args[1].most)?,
            args[0].most.checked_sub(args[1].least)?,
            if_all,
        ),
        Opcode::Integer(IntegerOp::MulI) => {
            let factor = |arg: &Affine| match arg.base {
                Number::Constant(bits, _) if arg.least == 0 && arg.most == 0 => {
                    Some(read(bits, scalar, false))
                }
                _ => None,
            };
            let (factor, other) = factor(&args[1])
                .map(|factor| (factor, &args[0]))
                .or_else(|| Some((factor(&args[0])?, &args[1])))?;
            let ends = [
                other.least.checked_mul(factor)?,
                other.most.checked_mul(factor)?,
            ];
            sum(
                compute::Uniform::Mul,
                ends[0].min(ends[1]),
                ends[0].max(ends[1]),
                if_all,
            )
        }
        // An extension commutes with `base + k` only if nothing wraps in the narrow type; a truncation always
        // does.
        Opcode::Conversion(opcode @ (ConversionOp::ExtI | ConversionOp::TruncI)) => {
            let arg = &args[0];
            if opcode == ConversionOp::ExtI {
                let unsigned = element.signedness() == Signedness::Unsigned;
                if_all.extend(arg.whole(unsigned)?);
            }
            let base = Number::Op(Box::new(element.clone()), vec![arg.base.clone()], scalar);
            let (least, most) = (arg.least, arg.most);
            Some(Affine {
                scalar,
                base,
                least,
                most,
                if_all,
            })
        }
        _ => None,
    }
}

impl Affine {
    /// Returns the conditions under which no element wraps, as a signed or unsigned number; `None` if some
    /// element always wraps.
    fn whole(&self, unsigned: bool) -> Option<Vec<Truth>> {
        let Self {
            scalar,
            base,
            least,
            most,
            if_all,
        } = self;
        let bits = scalar.bits();
        let (first, last) = if unsigned {
            (0, (1_i128 << bits) - 1)
        } else {
            (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
        };
        let (lowest, highest) = (first.checked_sub(*least)?, last.checked_sub(*most)?);
        if lowest > last || highest < first || lowest > highest {
            return None;
        }
        let mut conditions = if_all.clone();
        if let Number::Constant(bits, _) = base {
            let base = read(*bits, *scalar, unsigned);
            return (lowest..=highest).contains(&base).then_some(conditions);
        }
        let ordered = compute::Uniform::AtMost { unsigned };
        let end = |end| Number::Constant(cut(end, *scalar), *scalar);
        if lowest > first {
            let numbers = [end(lowest), base.clone()];
            conditions.push(Truth::Ordered(ordered, *scalar, numbers));
        }
        if highest < last {
            let numbers = [base.clone(), end(highest)];
            conditions.push(Truth::Ordered(ordered, *scalar, numbers));
        }
        Some(conditions)
    }
}
