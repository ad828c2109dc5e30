//! Uniform numbers and truth values, as expressions that a pass may add to the kernel.

use crate::gpu::{BlockId, ElementOp, Kernel, OpKind, Ty, ValueId, compute};
use tile_core::{Loc, Scalar};

/// A uniform number.
#[derive(Clone, Debug)]
pub(super) enum Number {
    /// A value of the kernel.
    Value(ValueId),
    /// A bit pattern of a type.
    Constant(u64, Scalar),
    /// The result of an operation on other numbers, of a type.
    Op(Box<ElementOp>, Vec<Number>, Scalar),
}

/// A uniform truth value.
#[derive(Clone, Debug)]
pub(super) enum Truth {
    /// A comparison of two numbers of a type.
    Ordered(compute::Uniform, Scalar, [Number; 2]),
    /// `true` if a number of type `i1` equals this bit.
    Is(Number, bool),
    All(Vec<Truth>),
    Any(Vec<Truth>),
}

/// Returns a number truncated to the width of the type.
pub(super) fn cut(number: i128, scalar: Scalar) -> u64 {
    let mask = u128::MAX >> (128 - scalar.bits());
    #[expect(clippy::cast_possible_truncation, reason = "cut to its width")]
    let cut = (number.cast_unsigned() & mask) as u64;
    cut
}

/// Returns the number that a bit pattern encodes.
pub(super) fn read(bits: u64, scalar: Scalar, unsigned: bool) -> i128 {
    let is_negative = !unsigned && bits >> (scalar.bits() - 1) & 1 == 1;
    i128::from(bits) - (i128::from(is_negative) << scalar.bits())
}

impl Number {
    /// Creates an operation on numbers of type `scalar`, modulo its width.
    pub(super) fn compute(op: compute::Uniform, args: [Self; 2], scalar: Scalar) -> Self {
        Self::Op(Box::new(op.element_op(scalar)), args.into(), scalar)
    }

    /// Returns the sum of this number, of type `scalar`, and a constant, modulo the width.
    pub(super) fn plus(self, constant: i128, scalar: Scalar) -> Self {
        match (self, cut(constant, scalar)) {
            (number, 0) => number,
            (Self::Constant(bits, _), constant) => {
                let sum = i128::from(bits) + i128::from(constant);
                Self::Constant(cut(sum, scalar), scalar)
            }
            (number, constant) => {
                let constant = Self::Constant(constant, scalar);
                Self::compute(compute::Uniform::Add, [number, constant], scalar)
            }
        }
    }

    fn operations(&self) -> usize {
        match self {
            Self::Value(_) | Self::Constant(..) => 0,
            Self::Op(_, args, _) => 1 + args.iter().map(Self::operations).sum::<usize>(),
        }
    }

    fn values(&self, values: &mut Vec<ValueId>) {
        match self {
            Self::Value(value) => values.push(*value),
            Self::Constant(..) => {}
            Self::Op(_, args, _) => args.iter().for_each(|arg| arg.values(values)),
        }
    }
}

impl Truth {
    /// Returns the number of operations that compute the truth value.
    pub(super) fn operations(&self) -> usize {
        match self {
            Self::Ordered(_, _, [lhs, rhs]) => 1 + lhs.operations() + rhs.operations(),
            Self::Is(number, _) => 1 + number.operations(),
            Self::All(parts) | Self::Any(parts) => {
                parts.iter().map(|part| 1 + part.operations()).sum()
            }
        }
    }

    /// Collects the values of the kernel that the truth value depends on.
    pub(super) fn values(&self, values: &mut Vec<ValueId>) {
        match self {
            Self::Ordered(_, _, [lhs, rhs]) => {
                lhs.values(values);
                rhs.values(values);
            }
            Self::Is(number, _) => number.values(values),
            Self::All(parts) | Self::Any(parts) => {
                for part in parts {
                    part.values(values);
                }
            }
        }
    }
}

/// The place at which operations are inserted.
pub(super) struct Place<'k> {
    pub(super) kernel: &'k mut Kernel,
    pub(super) block: BlockId,
    pub(super) index: usize,
    pub(super) loc: Loc,
}

impl Place<'_> {
    /// Inserts an operation.
    pub(super) fn push(
        &mut self,
        kind: OpKind,
        args: &[ValueId],
        ty: Ty,
        blocks: &[BlockId],
    ) -> ValueId {
        let id = self.kernel.add_op(kind, args, &[ty], blocks, self.loc);
        self.kernel.block_mut(self.block).ops.insert(self.index, id);
        self.index += 1;
        self.kernel.op(id).results[0]
    }

    fn compute(&mut self, op: ElementOp, args: &[ValueId], scalar: Scalar) -> ValueId {
        self.push(OpKind::Compute(op), args, Ty::Uniform(scalar), &[])
    }

    fn number(&mut self, number: &Number) -> ValueId {
        match number {
            Number::Value(value) => *value,
            Number::Constant(bits, scalar) => {
                self.push(OpKind::Constant(*bits), &[], Ty::Uniform(*scalar), &[])
            }
            Number::Op(op, args, scalar) => {
                let args: Vec<ValueId> = args.iter().map(|arg| self.number(arg)).collect();
                self.compute(ElementOp::clone(op), &args, *scalar)
            }
        }
    }

    /// Inserts the operations that compute a truth value.
    pub(super) fn truth(&mut self, truth: &Truth) -> ValueId {
        match truth {
            Truth::Ordered(op, scalar, numbers) => {
                let args = numbers.each_ref().map(|number| self.number(number));
                self.compute(op.element_op(*scalar), &args, Scalar::I1)
            }
            Truth::Is(number, bit) => {
                let value = self.number(number);
                if *bit {
                    return value;
                }
                let zero = self.push(OpKind::Constant(0), &[], Ty::Uniform(Scalar::I1), &[]);
                let equal = compute::Uniform::Equal.element_op(Scalar::I1);
                self.compute(equal, &[value, zero], Scalar::I1)
            }
            Truth::All(parts) => self.chain(parts, compute::Uniform::And, 1),
            Truth::Any(parts) => self.chain(parts, compute::Uniform::Or, 0),
        }
    }

    fn chain(&mut self, parts: &[Truth], op: compute::Uniform, none: u64) -> ValueId {
        let values: Vec<ValueId> = parts.iter().map(|part| self.truth(part)).collect();
        let joined = values.into_iter().reduce(|one, other| {
            self.compute(op.element_op(Scalar::I1), &[one, other], Scalar::I1)
        });
        joined
            .unwrap_or_else(|| self.push(OpKind::Constant(none), &[], Ty::Uniform(Scalar::I1), &[]))
    }
}
