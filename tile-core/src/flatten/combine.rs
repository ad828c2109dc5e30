//! Results of parallel loops: the values that a loop carries for a `loop.reduce`, and the inlining
//! of its body.
//!
//! A loop without initial values starts from the neutral element of the body, if the body is an
//! operation with a known neutral element. Otherwise, the loop also carries a flag that tells
//! whether there is a value yet, because the body is arbitrary and must not run on a placeholder.

use super::rewriter::Rewriter;
use crate::ir::{AtomicRmwMode, Attr, Loc, Module, OpId, RoundingMode, Signedness, ValueId};
use crate::ops::{
    BitwiseOp, ControlFlowOp, ConversionOp, FloatOp, IntegerOp, LoopOp, MemoryOp, Opcode,
};
use crate::types::{Element, Scalar, Type};

/// A result that is being combined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulator {
    /// The `loop.reduce`.
    pub(super) reduce: OpId,
    /// The type of the result.
    pub(super) ty: Type,
    /// The index of its value among the carried values.
    pub(super) index: usize,
    /// Is `true` if the next carried value is a flag that tells whether there is a value yet.
    pub(super) is_flagged: bool,
}

/// The operation of a body that applies a single known operation to its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The bits of the neutral element.
    pub(super) neutral: u64,
    /// The equivalent atomic operation, if there is one.
    pub(super) mode: Option<AtomicRmwMode>,
}

impl Rewriter<'_> {
    /// Returns the accumulators of a `loop.parallel`; [`Rewriter::start`] assigns their indices.
    pub(super) fn accumulators(&self, id: OpId) -> Vec<Accumulator> {
        let module = self.from;
        let (_, ops, _) = self.body(id, 0);
        let reduces = ops
            .iter()
            .filter(|&&op| module.op(op).opcode == LoopOp::Reduce.into());
        let accumulator = |&reduce: &OpId| Accumulator {
            reduce,
            ty: module.ty(module.op(reduce).operand("operand")),
            index: 0,
            is_flagged: false,
        };
        reduces.map(accumulator).collect()
    }

    /// Returns the values of the accumulators before the first iteration.
    pub(super) fn start(
        &mut self,
        sums: &mut [Accumulator],
        inits: &[ValueId],
        loc: Loc,
    ) -> Vec<ValueId> {
        let mut carried = Vec::new();
        for (number, sum) in sums.iter_mut().enumerate() {
            sum.index = carried.len();
            sum.is_flagged = false;
            if let Some(&init) = inits.get(number) {
                carried.push(init);
            } else if let Some(neutral) = self.neutral(sum, loc) {
                carried.push(neutral);
            } else {
                sum.is_flagged = true;
                carried.push(self.placeholder(sum.ty, loc));
                carried.push(self.constant(Scalar::I1, 0, loc));
            }
        }
        carried
    }

    fn neutral(&mut self, sum: &Accumulator, loc: Loc) -> Option<ValueId> {
        if sum.ty.is_token() && joins(self.from, sum.reduce) {
            return Some(self.placeholder(sum.ty, loc));
        }
        let reduction = known(self.from, sum.reduce)?;
        let (scalar, shape) = sum.ty.as_number_tile()?;
        Some(self.builder().splat(scalar, reduction.neutral, shape, loc))
    }

    /// Makes an arbitrary value of type `ty`; no body runs on this value.
    fn placeholder(&mut self, ty: Type, loc: Loc) -> ValueId {
        let mut builder = self.builder();
        if let Some((scalar, shape)) = ty.as_number_tile() {
            return builder.splat(scalar, 0, shape, loc);
        }
        let Some(tile) = ty.as_tile() else {
            return builder
                .op(MemoryOp::MakeToken, loc)
                .result(Type::token())
                .finish_value();
        };
        let zero = builder.splat(Scalar::I64, 0, &tile.shape, loc);
        builder
            .op(ConversionOp::IntToPtr, loc)
            .args(&[zero])
            .result(ty)
            .finish_value()
    }

    /// Copies the body of a `loop.parallel`; returns the values for the next iteration.
    pub(super) fn iteration(
        &mut self,
        id: OpId,
        sums: &[Accumulator],
        numbers: &[ValueId],
        carried: &[ValueId],
    ) -> Vec<ValueId> {
        let module = self.from;
        let (block, ops, _) = self.body(id, 0);
        self.bind_variables(&module.block(block).args, numbers);
        let mut carried = carried.to_vec();
        let mut sums = sums.iter();
        for &op in ops {
            if module.op(op).opcode == LoopOp::Reduce.into() {
                let sum = sums.next().expect("there is one per `loop.reduce`");
                let operand = self.value(module.op(op).operand("operand"));
                self.combine(sum, &mut carried, operand);
            } else {
                self.operations(&[op]);
            }
        }
        carried
    }

    /// Combines one more value into an accumulator.
    pub(super) fn combine(&mut self, sum: &Accumulator, carried: &mut [ValueId], operand: ValueId) {
        let loc = self.from.op(sum.reduce).loc;
        let before = carried[sum.index];
        if !sum.is_flagged {
            carried[sum.index] = self.combined(sum.reduce, before, operand);
            return;
        }
        let has_value = carried[sum.index + 1];
        let mut builder = self.builder();
        let op = builder
            .op(ControlFlowOp::If, loc)
            .operand("condition", has_value)
            .result(sum.ty)
            .finish();
        let then = builder.add_region_block(op);
        let otherwise = builder.add_region_block(op);
        self.inside(then, |this| {
            let result = this.combined(sum.reduce, before, operand);
            this.builder()
                .terminate(ControlFlowOp::Yield, &[result], loc);
        });
        self.inside(otherwise, |this| {
            this.builder()
                .terminate(ControlFlowOp::Yield, &[operand], loc);
        });
        carried[sum.index] = self.to.op(op).result();
        carried[sum.index + 1] = self.constant(Scalar::I1, 1, loc);
    }

    /// Inlines the body of a `loop.reduce`.
    fn combined(&mut self, reduce: OpId, lhs: ValueId, rhs: ValueId) -> ValueId {
        let (block, ops, last) = self.body(reduce, 0);
        for (&old, new) in self.from.block(block).args.iter().zip([lhs, rhs]) {
            self.bind(old, new);
        }
        self.operations(ops);
        self.value(last.operands[0])
    }

    /// Joins several tokens into one.
    pub(super) fn joined(&mut self, tokens: &[ValueId], loc: Loc) -> ValueId {
        let mut builder = self.builder();
        match tokens {
            [] => builder
                .op(MemoryOp::MakeToken, loc)
                .result(Type::token())
                .finish_value(),
            &[token] => token,
            tokens => builder
                .op(MemoryOp::JoinTokens, loc)
                .operands("tokens", tokens)
                .result(Type::token())
                .finish_value(),
        }
    }
}

/// Returns the operation that the body of a `loop.reduce` applies, if it is a single known one.
pub(super) fn known(module: &Module, reduce: OpId) -> Option<Known> {
    let body = module.region_block(reduce, 0)?;
    let (scalar, _) = module.ty(module.block(body).args[0]).as_number_tile()?;
    let &[op, last] = module.block(body).ops.as_slice() else {
        return None;
    };
    let (op, last) = (module.op(op), module.op(last));
    let args = module.block(body).args.as_slice();
    let is_whole = last.operands[0] == *op.results.first()?;
    let has_both_operands = match op.operands.as_slice() {
        &[a, b] => args == [a, b] || args == [b, a],
        _ => false,
    };
    if !is_whole || !has_both_operands {
        return None;
    }
    let ones = u64::MAX >> (64 - scalar.bits());
    let sign = 1 << (scalar.bits() - 1);
    let is_signed = || op.signedness() == Signedness::Signed;
    let (neutral, mode) = match op.opcode {
        Opcode::Integer(IntegerOp::AddI) => (0, Some(AtomicRmwMode::Add)),
        Opcode::Integer(IntegerOp::MulI) => (1, None),
        Opcode::Integer(IntegerOp::MaxI) if is_signed() => (sign, Some(AtomicRmwMode::Max)),
        Opcode::Integer(IntegerOp::MaxI) => (0, Some(AtomicRmwMode::UMax)),
        Opcode::Integer(IntegerOp::MinI) if is_signed() => (ones ^ sign, Some(AtomicRmwMode::Min)),
        Opcode::Integer(IntegerOp::MinI) => (ones, Some(AtomicRmwMode::UMin)),
        Opcode::Bitwise(BitwiseOp::AndI) => (ones, Some(AtomicRmwMode::And)),
        Opcode::Bitwise(BitwiseOp::OrI) => (0, Some(AtomicRmwMode::Or)),
        Opcode::Bitwise(BitwiseOp::XorI) => (0, Some(AtomicRmwMode::Xor)),
        // 0 + -0 is 0, so -0 is neutral, but only when rounding to nearest and if subnormals are
        // not flushed.
        Opcode::Float(FloatOp::AddF)
            if op.attr("rounding_mode") == Some(&Attr::Rounding(RoundingMode::NearestEven))
                && !op.has_flag("flush_to_zero") =>
        {
            (sign, Some(AtomicRmwMode::AddF))
        }
        _ => return None,
    };
    let widths: &[Scalar] = match mode {
        Some(AtomicRmwMode::AddF) => &[Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64],
        _ => &[Scalar::I32, Scalar::I64],
    };
    Some(Known {
        neutral,
        mode: mode.filter(|_| widths.contains(&scalar)),
    })
}

/// Returns `true` if the body of a `loop.reduce` joins two tokens.
fn joins(module: &Module, reduce: OpId) -> bool {
    let body = module.region_block(reduce, 0);
    let ops = body.map_or(&[][..], |body| &module.block(body).ops);
    match ops {
        &[op, last] => {
            let (op, last) = (module.op(op), module.op(last));
            op.opcode == MemoryOp::JoinTokens.into() && last.operands[0] == op.result()
        }
        _ => false,
    }
}

/// Returns `true` if a placeholder of a type can be made.
pub(super) fn has_placeholder(ty: Type) -> bool {
    ty.is_token()
        || ty.as_tile().is_some_and(|tile| match tile.element {
            Element::Scalar(scalar) => scalar != Scalar::I4,
            Element::Ptr(_) => true,
        })
}
