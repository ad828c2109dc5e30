//! The expression simplifier: pure element-wise expressions to cheaper ones.
//!
//! In: a module that is being rewritten. Out: the same module, in which no rule of
//! this folder fires. It runs after the greedy driver, goes from what is computed
//! first to what uses it, and so meets every expression with operands that are simple
//! already. Invariants:
//!
//! - an expression is looked at once per round; what a rule makes is looked at too, to a
//!   depth of [`MAX_DEPTH`], the rest in the next round;
//! - what is known about a value ([`known`]) is worked out once per round, to a bounded
//!   depth, so that the cost is linear;
//! - operations with regions, with effects and `assume` are never changed or dropped;
//!   operands of those in a region are, each where it stands;
//! - a rule computes the same bits wherever the original does not have undefined
//!   behaviour, and has none where the original has none: what it makes stands where
//!   the original stood, never shifts by the width or more, and promises about overflow
//!   only what is proven.
//!
//! There is no poison here: an operation whose operands are defined either gives a
//! value or is undefined behaviour at once. So `select c, x, false` may become `andi c,
//! x`, which computes `x` in the same cases.
//!
//! # Why it ends
//!
//! Give each operation a weight: constants 1, conversions and bitwise operations 2,
//! `negi` and `absi` 3, additions, comparisons, `maxi` and `mini` 4, subtractions and
//! `muli` 5, other shifts, `select` and `mulhii` 8, divisions 30. The weight of an
//! expression is that of all operations in it, written out as a tree. Every rule lowers
//! it, or leaves it and lowers the next of these that differs: constants that stand left
//! of something else; signed operations; comparisons, where `<=` and `>=` count 2, `<`
//! and `>` 1 and the others nothing. No rule changes what an earlier one looks at back.

mod arithmetic;
mod bits;
mod boolean;
mod build;
mod compare;
mod conversion;
mod division;
mod float;
mod interval;
mod known;
mod select;
mod shape;
#[cfg(test)]
mod tests;

use crate::ir::{BlockId, OpId, ValueId};
use crate::ops::{BitwiseOp, ConversionOp, CoreOp, Effects, FloatOp, IntegerOp, Opcode};
use crate::pass::Trace;
use crate::rewrite::Rewriter;
use crate::types::{Scalar, Type};
use build::Constants;
use known::Facts;
use smallvec::SmallVec;

/// How deep what a rule has made is simplified at once.
const MAX_DEPTH: usize = 8;

/// How often the module is gone through at most.
const MAX_ROUNDS: usize = 10;

/// A rewrite of one operation: a name, and a function that gives the value to use
/// instead of its result. The function makes nothing unless it gives a value.
#[derive(Clone, Copy)]
struct Rule {
    name: &'static str,
    rewrite: fn(&mut Simplifier<'_>, OpId) -> Option<ValueId>,
}

/// `rules![a, b]`: rules that are named as their functions.
macro_rules! rules {
    ($($name:ident),+ $(,)?) => {
        &[$(crate::simplify::Rule { name: stringify!($name), rewrite: $name }),+]
    };
}
use rules;

/// Simplifies the expressions of a module, and notes the rules that fired.
pub(crate) fn simplify(rewriter: &mut Rewriter, trace: &mut Trace) {
    let mut memory = Memory::default();
    for block in rewriter.functions() {
        memory.simplify(rewriter, block, trace);
    }
}

/// What the simplifier keeps from one function to the next, for its allocations.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    facts: Facts,
    constants: Constants,
}

impl Memory {
    /// Simplifies the expressions of a function, and notes the rules that fired.
    pub(crate) fn simplify(&mut self, rewriter: &mut Rewriter, block: BlockId, trace: &mut Trace) {
        for _ in 0..MAX_ROUNDS {
            let before = trace.total();
            self.facts.clear();
            self.constants.clear();
            let ops = rewriter.walk(block);
            let mut round = Simplifier {
                rewriter,
                trace,
                facts: &mut self.facts,
                constants: &mut self.constants,
                new_ops: SmallVec::new(),
            };
            for op in ops {
                round.visit(op, 0);
            }
            if trace.total() == before {
                return;
            }
        }
    }
}

/// The rules of an operation, in the order in which they are tried.
fn rules_of(opcode: Opcode) -> &'static [&'static [Rule]] {
    match opcode {
        Opcode::Integer(IntegerOp::AddI) => &[arithmetic::ADD],
        Opcode::Integer(IntegerOp::SubI) => &[arithmetic::SUB],
        Opcode::Integer(IntegerOp::MulI) => &[arithmetic::MUL],
        Opcode::Integer(IntegerOp::NegI) => &[arithmetic::NEG],
        Opcode::Integer(IntegerOp::AbsI) => &[arithmetic::ABS],
        Opcode::Integer(IntegerOp::MaxI | IntegerOp::MinI) => &[arithmetic::EXTREME],
        Opcode::Integer(IntegerOp::MulhiI) => &[arithmetic::MUL_HIGH],
        Opcode::Integer(IntegerOp::ShlI) => &[bits::SHL],
        Opcode::Integer(IntegerOp::ShrI) => &[bits::SHR],
        Opcode::Integer(IntegerOp::CmpI) => &[compare::RULES],
        Opcode::Integer(IntegerOp::DivI) => &[division::DIV],
        Opcode::Integer(IntegerOp::RemI) => &[division::REM],
        Opcode::Bitwise(BitwiseOp::AndI) => &[bits::AND, boolean::AND, interval::AND],
        Opcode::Bitwise(BitwiseOp::OrI) => &[bits::OR, boolean::OR, interval::OR],
        Opcode::Bitwise(BitwiseOp::XorI) => &[bits::XOR, boolean::XOR],
        Opcode::Conversion(ConversionOp::ExtI) => &[conversion::EXT],
        Opcode::Conversion(ConversionOp::TruncI) => &[conversion::TRUNC],
        Opcode::Conversion(ConversionOp::BitCast) => &[conversion::BITCAST],
        Opcode::Core(CoreOp::Select) => &[select::RULES],
        Opcode::Core(CoreOp::Reshape) => &[shape::RESHAPE],
        Opcode::Core(CoreOp::Broadcast) => &[shape::BROADCAST],
        Opcode::Core(CoreOp::Permute) => &[shape::PERMUTE],
        Opcode::Core(CoreOp::Extract) => &[shape::EXTRACT],
        Opcode::Float(FloatOp::NegF) => &[float::NEG],
        Opcode::Float(FloatOp::AbsF) => &[float::ABS],
        Opcode::Float(FloatOp::DivF) => &[float::DIV],
        Opcode::Float(FloatOp::CmpF) => &[float::COMPARE],
        _ => &[],
    }
}

/// Whether there are constants of a type, and operations on its integers: not of `i4`, which
/// is only converted, chosen and moved.
fn has_arithmetic(ty: Type) -> bool {
    ty.as_number_tile()
        .is_some_and(|(scalar, _)| scalar.is_integer() && scalar != Scalar::I4)
}

/// One round over a module.
struct Simplifier<'r> {
    rewriter: &'r mut Rewriter,
    trace: &'r mut Trace,
    facts: &'r mut Facts,
    constants: &'r mut Constants,
    /// What the rule that is running has made.
    new_ops: SmallVec<[OpId; 4]>,
}

impl Simplifier<'_> {
    /// Tries the rules of an operation, and those of what they make.
    fn visit(&mut self, id: OpId, depth: usize) {
        if !self.rewriter.is_attached(id) {
            return;
        }
        let opcode = self.rewriter.op(id).opcode;
        if opcode == Opcode::Core(CoreOp::Constant) {
            self.constants.enter(self.rewriter, id);
            return;
        }
        let lists = rules_of(opcode);
        if lists.is_empty() {
            return;
        }
        let known_rewrite = self.known_value(id).map(|value| (KNOWN_VALUE, value));
        let known_rewrite = known_rewrite.or_else(|| {
            let mut rules = lists.iter().copied().flatten();
            rules.find_map(|rule| Some((rule.name, (rule.rewrite)(self, id)?)))
        });
        let Some((name, value)) = known_rewrite else {
            debug_assert!(self.new_ops.is_empty(), "what does not fire makes nothing");
            return;
        };
        let op = self.rewriter.op(id);
        self.trace.note(name, op.loc);
        let operands = op.operands.clone();
        let new_ops = std::mem::take(&mut self.new_ops);
        self.rewriter.replace(id, &[value]);
        for operand in operands {
            self.drop_unused(operand);
        }
        if depth < MAX_DEPTH {
            for op in new_ops {
                self.visit(op, depth + 1);
            }
        }
    }

    /// `x = c`, if every bit of `x` is known.
    fn known_value(&mut self, id: OpId) -> Option<ValueId> {
        let result = self.rewriter.op(id).result();
        let ty = self.rewriter.ty(result);
        if !has_arithmetic(ty) {
            return None;
        }
        let bits = self.facts.compute(self.rewriter, result).value()?;
        Some(self.splat(id, ty, bits))
    }

    /// Erases what computes `value` if nothing uses it, so that uses can be counted.
    fn drop_unused(&mut self, value: ValueId) {
        let mut values: SmallVec<[ValueId; 4]> = SmallVec::from_slice(&[value]);
        while let Some(value) = values.pop() {
            let Some(id) = self.rewriter.defining_op(value) else {
                continue;
            };
            let op = self.rewriter.op(id);
            let has_effects = !matches!(op.def().effects, Effects::Pure | Effects::NoMemoryEffect);
            if has_effects || !self.rewriter.is_attached(id) || !self.rewriter.is_unused(id) {
                continue;
            }
            values.extend_from_slice(&op.operands);
            self.rewriter.erase(id);
        }
    }
}

/// The rule that looks at every integer.
const KNOWN_VALUE: &str = "known_value";
