//! Conditions and branches: comparisons, what a comparison says about block ids, and the values after a branch.

use super::super::known::Launch;
use super::super::number::{Atom, Number};
use super::{Facts, Follow, Value, is_uniform, unit};
use crate::hir::walk::Outcome;
use crate::hir::{Block, Elem, ExprId, Ty};
use crate::parse::ast::BinaryOp;

impl Follow<'_> {
    /// Returns the condition that a comparison of two numbers yields.
    fn comparison(&mut self, text: &'static str, a: &Number, b: &Number) -> Number {
        if !(a.is_uniform() && b.is_uniform()) {
            return self.fresh(false);
        }
        let key = (text, a.clone(), b.clone());
        if let Some(condition) = self.conditions.get(&key) {
            return condition.clone().needing_as(a).needing_as(b);
        }
        let number = self.fresh(true);
        self.known.conditions.insert(self.atoms, key.clone());
        self.conditions.insert(key, number.clone());
        number.needing_as(a).needing_as(b)
    }

    /// Returns a truth value that was decided by the value of `by`, and records `by` because of its
    /// needs.
    pub(super) fn decided(&mut self, by: &Number, truth_value: bool) -> Value {
        if by.value().is_none() || by.needs().next().is_some() {
            self.decided.push(by.clone());
        }
        truth(truth_value)
    }

    pub(super) fn equality(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Value {
        let difference = a.minus(b);
        let bounds = self.known.bounds(&difference, Launch::Anything);
        let equal = match bounds {
            Some((0, 0)) => Some(true),
            Some((low, high)) if low > 0 || high < 0 => Some(false),
            _ => None,
        };
        if let Some(equal) = equal {
            return self.decided(&difference, equal == (op == BinaryOp::Eq));
        }
        let number = self.comparison("==", a, b);
        let fact: Facts = position(&difference).into_iter().collect();
        let none = Facts::new();
        if op == BinaryOp::Eq {
            Value::Truth(fact, none, number)
        } else {
            Value::Truth(none, fact, Number::constant(1).minus(&number))
        }
    }

    /// Compares a difference with 0: `difference > 0` if `strict`, otherwise `difference >= 0`.
    pub(super) fn order(
        &mut self,
        difference: &Number,
        strict: bool,
        text: &'static str,
        (a, b): (&Number, &Number),
    ) -> Value {
        let difference = difference.minus(&Number::constant(i128::from(strict)));
        let bounds = self.known.bounds(&difference, Launch::Anything);
        let mut facts = (Facts::new(), Facts::new());
        if let Some((low, high)) = bounds {
            if low >= 0 || high < 0 {
                return self.decided(&difference, low >= 0);
            }
            // If the comparison holds, or fails, at only one end of the range, it fixes the block
            // id: `block_id(0) <= 0`, or the negation of `block_id(0) > 0`.
            if high == 0 {
                facts.0.extend(position(&difference));
            }
            if low == -1 {
                facts
                    .1
                    .extend(position(&difference.plus(&Number::constant(1))));
            }
        }
        let number = self.comparison(text, a, b);
        Value::Truth(facts.0, facts.1, number)
    }

    /// Executes `&&` or `||`, whose right side may be skipped.
    pub(super) fn short_circuit(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Value {
        let left = self.expr(lhs);
        let decided = i128::from(op != BinaryOp::And);
        if condition(&left) == Some(decided) {
            return left;
        }
        let before = self.values.clone();
        let right = self.expr(rhs);
        let outcome = Outcome::from_expr(&self.kernel.exprs, rhs);
        self.forget(&outcome.assigned, &before);
        self.connect(op, left, right)
    }

    /// Combines two conditions.
    pub(super) fn connect(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        // `true && ..` and `false || ..` have the value of the other side.
        let neutral = i128::from(matches!(op, BinaryOp::And | BinaryOp::BitAnd));
        match (condition(&left), condition(&right)) {
            (Some(constant), _) => return if constant == neutral { right } else { left },
            (_, Some(constant)) => return if constant == neutral { left } else { right },
            (None, None) => {}
        }
        let uniform = is_uniform(&left) && is_uniform(&right);
        let number = self.fresh(uniform);
        let facts = |value: Value| match value {
            Value::Truth(yes, no, _) => (yes, no),
            Value::Number(_) | Value::Tuple(_) => (Facts::new(), Facts::new()),
        };
        let ((mut yes, mut no), (right_yes, right_no)) = (facts(left), facts(right));
        if matches!(op, BinaryOp::And | BinaryOp::BitAnd) {
            yes.extend(right_yes);
            no.clear();
        } else {
            no.extend(right_no);
            yes.clear();
        }
        Value::Truth(yes, no, number)
    }

    pub(super) fn conditional(
        &mut self,
        id: ExprId,
        cond: ExprId,
        then: &Block,
        other: Option<&Block>,
    ) -> Value {
        let kernel = self.kernel;
        let value = self.expr(cond);
        match condition(&value) {
            Some(0) => return other.map_or_else(unit, |other| self.block(other)),
            Some(_) => return self.block(then),
            None => {}
        }
        let uniform = is_uniform(&value);
        let (yes, no, number) = match value {
            Value::Truth(yes, no, number) => (yes, no, number),
            Value::Number(number) => (Facts::new(), Facts::new(), number),
            Value::Tuple(_) => (Facts::new(), Facts::new(), self.fresh(false)),
        };
        let chosen = uniform.then(|| choice(&number));
        let (fixed, under) = (self.fixed.clone(), self.under.clone());
        let before = self.values.clone();
        self.fixed.extend(yes);
        self.under.extend(chosen.clone());
        let first = self.block(then);
        let after_first = std::mem::replace(&mut self.values, before.clone());
        (self.fixed, self.under) = (fixed.clone(), under.clone());
        self.fixed.extend(no.clone());
        self.under
            .extend(chosen.clone().map(|(cond, holds)| (cond, !holds)));
        let (fixed_behind, under_behind) = (self.fixed.clone(), self.under.clone());
        let second = other.map_or_else(unit, |other| self.inside(other));
        let first_leaves = kernel.diverges(then);
        let second_leaves = other.is_some_and(|other| kernel.diverges(other));
        if first_leaves {
            (self.fixed, self.under) = (fixed_behind, under_behind);
            return second;
        }
        (self.fixed, self.under) = (fixed, under);
        if second_leaves {
            self.values = after_first;
            return first;
        }
        let mut assigned = Outcome::from_block(&kernel.exprs, then).assigned;
        if let Some(other) = other {
            assigned.extend(Outcome::from_block(&kernel.exprs, other).assigned);
        }
        for local in assigned {
            let index = local.index();
            let (Some(one), Some(two)) = (&after_first[index], &self.values[index]) else {
                continue;
            };
            if one == two {
                continue;
            }
            let (one, two) = (one.clone(), two.clone());
            let ty = kernel.local(local).ty.clone();
            let value = self.either(chosen.as_ref(), one, two, &ty);
            self.values[index] = Some(value);
        }
        if first == second {
            return first;
        }
        self.either(chosen.as_ref(), first, second, &kernel.expr(id).ty)
    }

    /// Returns the value of a choice between two values, which is an [`Atom::Choice`] if the
    /// condition is the same in every block.
    fn either(
        &mut self,
        chosen: Option<&(Number, bool)>,
        one: Value,
        two: Value,
        ty: &Ty,
    ) -> Value {
        let integer = matches!(ty, Ty::Scalar(Elem::Known(scalar)) if scalar.is_integer());
        match (chosen, one, two) {
            (_, one, two) if one == two => one,
            (Some((cond, holds)), Value::Number(one), Value::Number(two)) if integer => {
                let (yes, no) = if *holds { (one, two) } else { (two, one) };
                Value::Number(Number::atom(Atom::Choice(
                    Box::new(cond.clone()),
                    Box::new(yes),
                    Box::new(no),
                )))
            }
            (chosen, Value::Tuple(one), Value::Tuple(two)) if one.len() == two.len() => {
                let types = match ty {
                    Ty::Tuple(types) => types.clone(),
                    _ => vec![Ty::Error; one.len()],
                };
                let parts = one.into_iter().zip(two).zip(&types);
                Value::Tuple(
                    parts
                        .map(|((one, two), ty)| self.either(chosen, one, two, ty))
                        .collect(),
                )
            }
            (chosen, one, two) => {
                let same = chosen.is_some() && is_uniform(&one) && is_uniform(&two);
                self.unknown(ty, same)
            }
        }
    }
}

pub(super) fn truth(value: bool) -> Value {
    let number = Number::constant(i128::from(value));
    Value::Truth(Facts::new(), Facts::new(), number)
}

/// Returns the value of a condition, if it is constant.
pub(super) fn condition(value: &Value) -> Option<i128> {
    match value {
        Value::Truth(_, _, number) => number.value(),
        Value::Number(_) | Value::Tuple(_) => None,
    }
}

/// Removes `!` from a condition. Also returns the value that the result has where the original
/// condition holds.
fn choice(number: &Number) -> (Number, bool) {
    let negated = Number::constant(1).minus(number);
    if negated.as_atom().is_some() {
        (negated, false)
    } else {
        (number.clone(), true)
    }
}

/// Returns `axis` and `value` of `block_id(axis) == value`, given the difference of both sides.
pub(super) fn position(difference: &Number) -> Option<(usize, Number)> {
    let mut index = None;
    let mut rest = Number::default();
    for (monomial, factor) in difference.terms() {
        match &monomial[..] {
            [Atom::Block(axis)] if index.is_none() && factor.abs() == 1 => {
                index = Some((*axis, factor));
            }
            _ => rest = rest.with(monomial, factor),
        }
    }
    let (axis, factor) = index?;
    let rest = rest.needing_as(difference);
    rest.is_uniform().then(|| (axis, rest.scaled(-factor)))
}
