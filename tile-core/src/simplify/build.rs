//! Queries and builders that the rules share.

use super::Simplifier;
use crate::ir::{
    Attr, BlockId, ComparisonPredicate, DenseElements, IntegerOverflow, Op, OpId, RoundingMode,
    Signedness, ValueId,
};
use crate::ops::{BitwiseOp, ConversionOp, CoreOp, IntegerOp, Opcode};
use crate::rewrite::Rewriter;
use crate::types::{Scalar, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Returns a mask of the low `width` bits.
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// Reads the low `width` bits as a signed number.
pub(super) fn signed(width: u32, bits: u64) -> i64 {
    (bits << (64 - width)).cast_signed() >> (64 - width)
}

/// Returns the low `width` bits of a number.
pub(super) fn wrapped(width: u32, value: i128) -> u64 {
    let low = value & i128::from(u64::MAX);
    u64::try_from(low).expect("masked") & mask(width)
}

/// Returns the exponent if `bits` is a power of two.
pub(super) fn exponent(bits: u64) -> Option<u32> {
    bits.is_power_of_two().then(|| bits.trailing_zeros())
}

/// Returns whether `overflow` promises no signed overflow, and whether it promises no unsigned
/// overflow.
pub(super) fn promises(overflow: IntegerOverflow) -> (bool, bool) {
    match overflow {
        IntegerOverflow::None => (false, false),
        IntegerOverflow::NoSignedWrap => (true, false),
        IntegerOverflow::NoUnsignedWrap => (false, true),
        IntegerOverflow::NoWrap => (true, true),
    }
}

/// Returns the attribute that promises no signed overflow if `signed`, and no unsigned overflow if
/// `unsigned`.
pub(super) fn overflow(signed: bool, unsigned: bool) -> IntegerOverflow {
    match (signed, unsigned) {
        (false, false) => IntegerOverflow::None,
        (true, false) => IntegerOverflow::NoSignedWrap,
        (false, true) => IntegerOverflow::NoUnsignedWrap,
        (true, true) => IntegerOverflow::NoWrap,
    }
}

/// Returns the rounding of a division.
pub(super) fn rounding(op: &Op) -> RoundingMode {
    match op.attr("rounding") {
        Some(&Attr::Rounding(rounding)) => rounding,
        _ => RoundingMode::Zero,
    }
}

/// Constants at the start of a function, which all of its operations can use.
#[derive(Debug, Default)]
pub(super) struct Constants(FxHashMap<(BlockId, Type, u64), OpId>);

impl Constants {
    /// Removes all constants.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Registers the constant `id` if every operation that is visited later can use it.
    pub(super) fn enter(&mut self, rewriter: &Rewriter, id: OpId) {
        let block = rewriter.block_of(id);
        let result = rewriter.op(id).result();
        let Some((_, bits)) = rewriter.splat_integer(result) else {
            return;
        };
        if rewriter.home(block) == block {
            self.0
                .entry((block, rewriter.ty(result), bits))
                .or_insert(id);
        }
    }
}

/// Queries.
impl Simplifier<'_> {
    /// Returns the two operands of `id`.
    pub(super) fn args(&self, id: OpId) -> (ValueId, ValueId) {
        let op = self.rewriter.op(id);
        (op.operands[0], op.operands[1])
    }

    /// Returns the two operands of the operation that defines `value`, if its opcode is `opcode`.
    pub(super) fn pair(
        &self,
        value: ValueId,
        opcode: impl Into<Opcode>,
    ) -> Option<(ValueId, ValueId)> {
        Some(self.args(self.rewriter.defined_by(value, opcode)?))
    }

    /// Returns the first operand of the operation that defines `value`, if its opcode is `opcode`.
    pub(super) fn source(&self, value: ValueId, opcode: impl Into<Opcode>) -> Option<ValueId> {
        let id = self.rewriter.defined_by(value, opcode)?;
        Some(self.rewriter.op(id).operands[0])
    }

    /// Returns `x` and `c` if `value` is `x OPCODE c`.
    pub(super) fn with_constant(
        &self,
        value: ValueId,
        opcode: impl Into<Opcode>,
    ) -> Option<(ValueId, u64)> {
        let (lhs, rhs) = self.pair(value, opcode)?;
        Some((lhs, self.number(rhs)?))
    }

    /// Returns the bits of an integer constant whose elements are all equal.
    pub(super) fn number(&self, value: ValueId) -> Option<u64> {
        Some(self.rewriter.splat_integer(value)?.1)
    }

    /// Returns the operation that defines `value`.
    pub(super) fn definition(&self, value: ValueId) -> Option<&Op> {
        Some(self.rewriter.op(self.rewriter.defining_op(value)?))
    }

    /// Returns the type of the result of `id`.
    pub(super) fn result_ty(&self, id: OpId) -> Type {
        self.rewriter.ty(self.rewriter.op(id).result())
    }

    /// Returns the element type of a tile of integers.
    pub(super) fn scalar(&self, value: ValueId) -> Scalar {
        let tile = self.rewriter.ty(value).as_number_tile();
        tile.expect("verified code has numbers here").0
    }

    /// Returns the width of an integer.
    pub(super) fn width(&self, value: ValueId) -> u32 {
        self.scalar(value).bits()
    }

    /// Returns `true` if `value` has one use.
    pub(super) fn has_one_use(&self, value: ValueId) -> bool {
        self.rewriter.num_uses(value) == 1
    }

    /// Returns `x` if `value` is `~x`.
    pub(super) fn complemented(&self, value: ValueId) -> Option<ValueId> {
        let (source, bits) = self.with_constant(value, BitwiseOp::XorI)?;
        (bits == mask(self.width(source))).then_some(source)
    }

    /// Returns `true` if one value is the complement of the other.
    pub(super) fn is_complement(&self, lhs: ValueId, rhs: ValueId) -> bool {
        self.complemented(lhs) == Some(rhs) || self.complemented(rhs) == Some(lhs)
    }

    /// Returns `true` if every element, read as signed, is at least 0.
    pub(super) fn is_nonnegative(&mut self, value: ValueId) -> bool {
        self.facts.compute(self.rewriter, value).signed.0 >= 0
    }

    /// Returns whether `id` promises no signed overflow, and whether it promises no unsigned
    /// overflow.
    pub(super) fn promised(&self, id: OpId) -> (bool, bool) {
        promises(self.rewriter.op(id).overflow())
    }

    /// Like [`Self::promised`], for the operation that defines `value`.
    pub(super) fn promised_of(&self, value: ValueId) -> (bool, bool) {
        let op = self.definition(value);
        op.map_or((false, false), |op| promises(op.overflow()))
    }
}

/// Builders, which insert before `insertion_point`.
impl Simplifier<'_> {
    /// Returns a constant of type `ty` whose elements are all `bits`.
    pub(super) fn splat(&mut self, insertion_point: OpId, ty: Type, bits: u64) -> ValueId {
        let home = self.rewriter.home(self.rewriter.block_of(insertion_point));
        if let Some(&existing) = self.constants.0.get(&(home, ty, bits))
            && self.rewriter.is_attached(existing)
        {
            return self.rewriter.op(existing).result();
        }
        let loc = self.rewriter.op(insertion_point).loc;
        let (scalar, _) = ty.as_number_tile().expect("a constant is a number");
        let dense = Arc::new(DenseElements::Splat { scalar, bits });
        let splat = self.rewriter.build_at_start(home, |builder| {
            builder
                .op(CoreOp::Constant, loc)
                .attr("value", Attr::Dense(dense))
                .result(ty)
                .finish()
        });
        self.constants.0.insert((home, ty, bits), splat);
        self.rewriter.op(splat).result()
    }

    /// Returns a constant of the type of `value`.
    pub(super) fn like(&mut self, insertion_point: OpId, value: ValueId, bits: u64) -> ValueId {
        let ty = self.rewriter.ty(value);
        self.splat(insertion_point, ty, bits)
    }

    /// Makes an operation with attributes and a result of the given type.
    pub(super) fn make(
        &mut self,
        insertion_point: OpId,
        opcode: impl Into<Opcode>,
        args: &[ValueId],
        attrs: &[(&str, Attr)],
        ty: Type,
    ) -> ValueId {
        let loc = self.rewriter.op(insertion_point).loc;
        let new_op = self.rewriter.build_before(insertion_point, |builder| {
            let mut op = builder.op(opcode, loc).args(args);
            for (name, value) in attrs {
                op = op.attr(name, value.clone());
            }
            op.result(ty).finish()
        });
        self.new_ops.push(new_op);
        self.rewriter.op(new_op).result()
    }

    /// Makes an operation without attributes, or with their defaults, whose result has the type of
    /// its first operand.
    pub(super) fn apply(
        &mut self,
        insertion_point: OpId,
        opcode: impl Into<Opcode>,
        args: &[ValueId],
    ) -> ValueId {
        let ty = self.rewriter.ty(args[0]);
        self.make(insertion_point, opcode, args, &[], ty)
    }

    /// Makes `lhs OPCODE c`.
    pub(super) fn apply_constant(
        &mut self,
        insertion_point: OpId,
        opcode: impl Into<Opcode>,
        lhs: ValueId,
        bits: u64,
    ) -> ValueId {
        let rhs = self.like(insertion_point, lhs, bits);
        self.apply(insertion_point, opcode, &[lhs, rhs])
    }

    /// Makes `lhs OPCODE c` with a promise about overflow.
    pub(super) fn promise(
        &mut self,
        insertion_point: OpId,
        opcode: IntegerOp,
        lhs: ValueId,
        bits: u64,
        promised: (bool, bool),
    ) -> ValueId {
        let rhs = self.like(insertion_point, lhs, bits);
        let promise = Attr::Overflow(overflow(promised.0, promised.1));
        let ty = self.rewriter.ty(lhs);
        self.make(
            insertion_point,
            opcode,
            &[lhs, rhs],
            &[("overflow", promise)],
            ty,
        )
    }

    /// Makes `lhs OPCODE rhs`, signed or unsigned.
    pub(super) fn apply_signed(
        &mut self,
        insertion_point: OpId,
        opcode: IntegerOp,
        args: [ValueId; 2],
        signedness: Signedness,
    ) -> ValueId {
        let ty = self.rewriter.ty(args[0]);
        let attrs = [("signedness", Attr::Signedness(signedness))];
        self.make(insertion_point, opcode, &args, &attrs, ty)
    }

    /// Makes `~x`.
    pub(super) fn complement(&mut self, insertion_point: OpId, value: ValueId) -> ValueId {
        let ones = mask(self.width(value));
        self.apply_constant(insertion_point, BitwiseOp::XorI, value, ones)
    }

    /// Makes `lhs PREDICATE rhs`.
    pub(super) fn compare(
        &mut self,
        insertion_point: OpId,
        predicate: ComparisonPredicate,
        args: [ValueId; 2],
        signedness: Signedness,
    ) -> ValueId {
        let ty = self.result_ty(insertion_point);
        let attrs = [
            ("comparison_predicate", Attr::Predicate(predicate)),
            ("signedness", Attr::Signedness(signedness)),
        ];
        self.make(insertion_point, IntegerOp::CmpI, &args, &attrs, ty)
    }

    /// Makes an extension of `value` to `ty`.
    pub(super) fn extend(
        &mut self,
        insertion_point: OpId,
        value: ValueId,
        signedness: Signedness,
        ty: Type,
    ) -> ValueId {
        let attrs = [("signedness", Attr::Signedness(signedness))];
        self.make(insertion_point, ConversionOp::ExtI, &[value], &attrs, ty)
    }
}
