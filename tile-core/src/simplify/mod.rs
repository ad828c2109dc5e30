//! The expression simplifier: rewrites pure element-wise expressions to cheaper ones.
//!
//! It runs after the greedy driver, visits definitions before their uses, and therefore sees every
//! expression with operands that are already simplified. After it has run, no rule of this module
//! fires any more. Invariants:
//!
//! - an expression is visited once per round; the operations that a rule makes are visited in the
//!   same round, to a depth of [`MAX_DEPTH`], and the deeper ones in the next round;
//! - known facts ([`known`]) are computed once per value and round, to a bounded depth, so the
//!   cost is linear;
//! - operations with regions or effects, and `assume`, are never changed or dropped; operations in
//!   their regions are rewritten in place;
//! - a rule computes the same bits wherever the original has no undefined behaviour, and introduces
//!   none. New operations are inserted where the original was, never shift by the width or more,
//!   and promise no overflow only where that is proven.
//!
//! There is no poison in this IR: an operation whose operands are defined either has a value or is
//! immediate undefined behaviour. Hence `select c, x, false` may become `andi c, x`, which computes
//! `x` in the same cases.
//!
//! # Termination
//!
//! Give each operation a weight: constants 1, conversions and bitwise operations 2, `negi` and
//! `absi` 3, additions, comparisons, `maxi` and `mini` 4, subtractions and `muli` 5, other shifts,
//! `select` and `mulhii` 8, divisions 30. The weight of an expression is the sum over its
//! operations, written out as a tree. Every rule lowers the weight, or keeps it and lowers the
//! first of the following measures that differs: the number of constants to the left of another
//! operand; the number of signed operations; the sum over comparisons, where `<=` and `>=` count 2,
//! `<` and `>` 1 and the others 0. No rule increases a measure before the one that it lowers.

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

/// The maximum depth to which the operations that a rule makes are simplified immediately.
const MAX_DEPTH: usize = 8;

/// The maximum number of rounds over a function.
const MAX_ROUNDS: usize = 10;

/// A rewrite of one operation: a name, and a function that returns the value that replaces its
/// result. The function makes no operations if it returns `None`.
#[derive(Clone, Copy)]
struct Rule {
    name: &'static str,
    rewrite: fn(&mut Simplifier<'_>, OpId) -> Option<ValueId>,
}

/// Lists rules under the names of their functions: `rules![a, b]`.
macro_rules! rules {
    ($($name:ident),+ $(,)?) => {
        &[$(crate::simplify::Rule { name: stringify!($name), rewrite: $name }),+]
    };
}
use rules;

/// Simplifies the expressions of a module, and records the rules that fired.
pub(crate) fn simplify(rewriter: &mut Rewriter, trace: &mut Trace) {
    let mut memory = Memory::default();
    for block in rewriter.functions() {
        memory.simplify(rewriter, block, trace);
    }
}

/// State of the simplifier that is kept between functions to reuse its allocations.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    facts: Facts,
    constants: Constants,
}

impl Memory {
    /// Simplifies the expressions of a function, and records the rules that fired.
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

/// Returns the rules for an operation, in the order in which they are tried.
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

/// Returns `true` if a type has constants and integer arithmetic. `i4` has neither: it is only
/// converted, selected and moved.
fn has_arithmetic(ty: Type) -> bool {
    ty.as_number_tile()
        .is_some_and(|(scalar, _)| scalar.is_integer() && scalar != Scalar::I4)
}

/// One round over a function.
struct Simplifier<'r> {
    rewriter: &'r mut Rewriter,
    trace: &'r mut Trace,
    facts: &'r mut Facts,
    constants: &'r mut Constants,
    /// The operations that the current rule has made.
    new_ops: SmallVec<[OpId; 4]>,
}

impl Simplifier<'_> {
    /// Tries the rules for an operation, then those for the operations that a successful rule has
    /// made.
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

    /// Erases the definition of `value` if it is unused, and then its unused operands, so that
    /// counts of uses are right.
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

/// The name of the rule that applies to every integer.
const KNOWN_VALUE: &str = "known_value";
