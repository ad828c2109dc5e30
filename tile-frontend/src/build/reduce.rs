//! Builds reductions and scans.
//!
//! The body of `reduce` and `scan` may contain only pure operations, so a branch in a closure
//! evaluates both sides and selects.

use super::scalar::{float_bits, integer_bits, signedness};
use super::{Build, Val, tile_type};
use crate::hir::signature::HostScalar;
use crate::hir::tile_op::FoldForm;
use crate::hir::{Block, Direction, ExprId, ExprKind, Float, Fold, LocalId, ReduceOp};
use crate::parse::ast::BinaryOp;
use tile_core::Loc;
use tile_core::ir::{
    Attr, ComparisonOrdering, ComparisonPredicate as P, Signedness, TypedScalar, ValueId,
};
use tile_core::ops::{BitwiseOp, ControlFlowOp, CoreOp, FloatOp, IntegerOp};
use tile_core::types::Type;

/// A `reduce` or `scan` without its body.
struct Combination<'a> {
    sources: &'a [ValueId],
    scan: Option<Direction>,
    axis: usize,
    identities: Vec<TypedScalar>,
    results: Vec<Type>,
    loc: Loc,
}

/// Returns the identity of a reduction.
fn identity(op: ReduceOp, scalar: HostScalar) -> TypedScalar {
    let element = scalar.scalar();
    let bits = if scalar.is_float() {
        let value = match op {
            // `-0.0 + 0.0` is `0.0`, so only -0.0 leaves every number unchanged.
            ReduceOp::Sum => -0.0,
            ReduceOp::Prod => 1.0,
            ReduceOp::Max => f64::NEG_INFINITY,
            ReduceOp::Min => f64::INFINITY,
            ReduceOp::Any | ReduceOp::All => unreachable!("these are of `bool`"),
        };
        float_bits(element, Float::new(value))
    } else {
        let (least, greatest) = scalar.range().expect("an integer has a range");
        let value = match op {
            ReduceOp::Sum | ReduceOp::Any => 0,
            ReduceOp::Prod | ReduceOp::All => 1,
            ReduceOp::Max => least,
            ReduceOp::Min => greatest,
        };
        integer_bits(element, value)
    };
    TypedScalar {
        scalar: element,
        bits,
    }
}

impl<'k> Build<'k, '_> {
    /// Builds a `reduce` or `scan`. `body` receives an element and the accumulator of each operand
    /// and returns the new accumulators.
    fn combine(
        &mut self,
        combination: Combination<'_>,
        body: impl FnOnce(&mut Self, &[(ValueId, ValueId)]) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let Combination {
            sources,
            scan,
            axis,
            identities,
            results,
            loc,
        } = combination;
        let dim = i64::try_from(axis).expect("ranks are small");
        let elements: Vec<Type> = identities
            .iter()
            .map(|one| Type::scalar(one.scalar))
            .collect();
        let opcode = match scan {
            None => CoreOp::Reduce,
            Some(_) => CoreOp::Scan,
        };
        let mut op = self
            .b
            .op(opcode, loc)
            .operands("operands", sources)
            .attr("dim", Attr::Int(dim))
            .attr("identities", Attr::Scalars(identities.into()));
        if let Some(direction) = scan {
            op = op.attr("reverse", Attr::Bool(direction == Direction::Reverse));
        }
        let op = op.results(&results).finish();
        let block = self.b.add_region_block(op);
        let module = self.b.module();
        let args: Vec<(ValueId, ValueId)> = elements
            .iter()
            .map(|&element| {
                let next = module.add_block_arg(block, element, loc);
                (next, module.add_block_arg(block, element, loc))
            })
            .collect();
        let outer = self.b.set_block(block);
        let combined = body(self, &args);
        self.b.terminate(ControlFlowOp::Yield, &combined, loc);
        self.b.set_block(outer);
        self.b.module().op(op).results.to_vec()
    }

    /// Builds a named reduction or scan.
    pub(super) fn reduce(
        &mut self,
        op: ReduceOp,
        scan: Option<Direction>,
        (source, axis): (ExprId, usize),
        id: ExprId,
        loc: Loc,
    ) -> ValueId {
        let scalar = self.element(source);
        let sources = [self.tile(source)];
        let combination = Combination {
            sources: &sources,
            scan,
            axis,
            identities: vec![identity(op, scalar)],
            results: vec![tile_type(self.ty(id))],
            loc,
        };
        let combined = self.combine(combination, |this, args| {
            let args = [args[0].0, args[0].1];
            let sign = signedness(scalar);
            vec![match (op, scalar.is_float()) {
                (ReduceOp::Sum, true) => this.b.like_first(FloatOp::AddF, &args, loc),
                (ReduceOp::Prod, true) => this.b.like_first(FloatOp::MulF, &args, loc),
                (ReduceOp::Max, true) => this.b.like_first(FloatOp::MaxF, &args, loc),
                (ReduceOp::Min, true) => this.b.like_first(FloatOp::MinF, &args, loc),
                (ReduceOp::Sum, false) => this.b.wrapping(IntegerOp::AddI, &args, loc),
                (ReduceOp::Prod, false) => this.b.wrapping(IntegerOp::MulI, &args, loc),
                (ReduceOp::Max, false) => this.b.signed(IntegerOp::MaxI, &args, sign, loc),
                (ReduceOp::Min, false) => this.b.signed(IntegerOp::MinI, &args, sign, loc),
                (ReduceOp::Any, _) => this.b.like_first(BitwiseOp::OrI, &args, loc),
                (ReduceOp::All, _) => this.b.like_first(BitwiseOp::AndI, &args, loc),
            }]
        });
        combined[0]
    }

    /// Returns the position of the maximum or minimum: the first one if there are several, and the
    /// position of a NaN only if all elements are NaN. The result does not depend on the order in
    /// which candidates are combined.
    pub(super) fn arg_reduce(
        &mut self,
        op: ReduceOp,
        (source, axis): (ExprId, usize),
        id: ExprId,
        loc: Loc,
    ) -> ValueId {
        let scalar = self.element(source);
        let shape = self.shape(source).to_vec();
        let value = self.tile(source);
        let places = self.count_along(axis, &shape, loc);
        let index = TypedScalar {
            scalar: HostScalar::I32.scalar(),
            bits: integer_bits(HostScalar::I32.scalar(), i128::from(i32::MAX)),
        };
        let worst = if scalar.is_float() {
            TypedScalar {
                scalar: scalar.scalar(),
                bits: float_bits(scalar.scalar(), Float::new(f64::NAN)),
            }
        } else {
            identity(op, scalar)
        };
        let place = tile_type(self.ty(id));
        let best = match self.ty(id).number() {
            Some((_, left)) => Type::tile(scalar.scalar(), left),
            None => unreachable!("checking gives `argmax` a tile or number"),
        };
        let sources = [value, places];
        let combination = Combination {
            sources: &sources,
            scan: None,
            axis,
            identities: vec![worst, index],
            results: vec![best, place],
            loc,
        };
        let combined = self.combine(combination, |this, args| {
            let [(x, best), (i, place)] = [args[0], args[1]];
            let beats = this.beats(op, scalar, [(x, i), (best, place)], loc);
            vec![
                this.select(beats, x, best, loc),
                this.select(beats, i, place, loc),
            ]
        });
        combined[1]
    }

    /// Returns `true` if the first of two candidates, each with its position, wins.
    fn beats(
        &mut self,
        op: ReduceOp,
        scalar: HostScalar,
        [(x, index), (best, place)]: [(ValueId, ValueId); 2],
        loc: Loc,
    ) -> ValueId {
        use ComparisonOrdering::{Ordered, Unordered};
        let predicate = if op == ReduceOp::Min {
            P::LessThan
        } else {
            P::GreaterThan
        };
        let earlier = self
            .b
            .cmpi(P::LessThan, index, place, Signedness::Signed, loc);
        if !scalar.is_float() {
            let sign = signedness(scalar);
            let better = self.b.cmpi(predicate, x, best, sign, loc);
            let same = self.b.cmpi(P::Equal, x, best, sign, loc);
            let first = self.b.like_first(BitwiseOp::AndI, &[same, earlier], loc);
            return self.b.like_first(BitwiseOp::OrI, &[better, first], loc);
        }
        let better = self.b.cmpf(predicate, Ordered, x, best, loc);
        let same = self.b.cmpf(P::Equal, Ordered, x, best, loc);
        let first = self.b.like_first(BitwiseOp::AndI, &[same, earlier], loc);
        let better = self.b.like_first(BitwiseOp::OrI, &[better, first], loc);
        let number = self.b.cmpf(P::Equal, Ordered, x, x, loc);
        let nan = self.b.cmpf(P::NotEqual, Unordered, best, best, loc);
        let saves = self.b.like_first(BitwiseOp::OrI, &[number, earlier], loc);
        let saves = self.b.like_first(BitwiseOp::AndI, &[nan, saves], loc);
        self.b.like_first(BitwiseOp::OrI, &[better, saves], loc)
    }

    /// Builds a reduction or scan with a closure.
    pub(super) fn fold(&mut self, fold: &'k Fold, id: ExprId, loc: Loc) -> Val {
        let sources: Vec<ValueId> = fold.operands.iter().map(|&one| self.tile(one)).collect();
        let identities = fold.init.iter().map(|&one| self.initial(one)).collect();
        let results = match self.ty(id) {
            crate::hir::Ty::Tuple(parts) => parts.iter().map(tile_type).collect(),
            ty => vec![tile_type(ty)],
        };
        let combination = Combination {
            sources: &sources,
            scan: fold.scan,
            axis: fold.axis,
            identities,
            results,
            loc,
        };
        let outer = self.locals.clone();
        let outer_pure = std::mem::replace(&mut self.pure, true);
        let combined = self.combine(combination, |this, args| {
            for (sides, side) in [(&fold.next, 0), (&fold.before, 1)] {
                for (&local, arg) in sides.iter().zip(args) {
                    let value = if side == 0 { arg.0 } else { arg.1 };
                    this.set_local(local, value);
                }
            }
            let mut values = Vec::new();
            flatten(&this.block(&fold.body), &mut values);
            values
        });
        self.pure = outer_pure;
        self.locals = outer;
        match fold.form {
            FoldForm::Single => Val::Tile(combined[0]),
            FoldForm::Tuple => Val::Tuple(combined.into_iter().map(Val::Tile).collect()),
        }
    }

    fn set_local(&mut self, local: LocalId, value: ValueId) {
        self.locals[local.index()] = Some(Val::Tile(value));
    }

    /// Returns the bits of an initial value, which checking has turned into a literal.
    fn initial(&self, id: ExprId) -> TypedScalar {
        let scalar = self.element(id).scalar();
        let bits = match self.kernel.expr(id).kind {
            ExprKind::Int(value) => integer_bits(scalar, value),
            ExprKind::Float(value) => float_bits(scalar, value),
            ExprKind::Bool(value) => u64::from(value),
            _ => unreachable!("checking made sure of a constant"),
        };
        TypedScalar { scalar, bits }
    }

    /// Builds `if` where only pure operations are allowed: evaluates both sides, and selects the
    /// value and every variable that differs between them.
    pub(super) fn choose(
        &mut self,
        cond: ExprId,
        then: &'k Block,
        other: Option<&'k Block>,
        loc: Loc,
    ) -> Val {
        let cond = self.tile(cond);
        let before = self.locals.clone();
        let yes = self.block(then);
        let after_then = std::mem::replace(&mut self.locals, before);
        let no = other.map_or_else(|| Val::Tuple(Vec::new()), |other| self.block(other));
        for (index, then_value) in after_then.into_iter().enumerate() {
            let (Some(yes), Some(no)) = (then_value, self.locals[index].clone()) else {
                continue;
            };
            let chosen = self.choose_value(cond, &yes, &no, loc);
            self.locals[index] = Some(chosen);
        }
        self.choose_value(cond, &yes, &no, loc)
    }

    fn choose_value(&mut self, cond: ValueId, yes: &Val, no: &Val, loc: Loc) -> Val {
        match (yes, no) {
            (Val::Tile(yes), Val::Tile(no)) if yes != no => {
                Val::Tile(self.select(cond, *yes, *no, loc))
            }
            (Val::Tuple(yes), Val::Tuple(no)) => Val::Tuple(
                yes.iter()
                    .zip(no)
                    .map(|(yes, no)| self.choose_value(cond, yes, no, loc))
                    .collect(),
            ),
            (same, _) => same.clone(),
        }
    }

    /// Builds `&&` and `||` if both sides are pure.
    pub(super) fn both(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, loc: Loc) -> ValueId {
        let lhs = self.tile(lhs);
        let before = self.locals.clone();
        let rhs = self.tile(rhs);
        // Assignments in the right side apply only if it is evaluated.
        let after = std::mem::replace(&mut self.locals, before);
        for (index, value) in after.into_iter().enumerate() {
            let (Some(evaluated), Some(skipped)) = (value, self.locals[index].clone()) else {
                continue;
            };
            let (yes, no) = if op == BinaryOp::And {
                (&evaluated, &skipped)
            } else {
                (&skipped, &evaluated)
            };
            let chosen = self.choose_value(lhs, yes, no, loc);
            self.locals[index] = Some(chosen);
        }
        let opcode = if op == BinaryOp::And {
            BitwiseOp::AndI
        } else {
            BitwiseOp::OrI
        };
        self.b.like_first(opcode, &[lhs, rhs], loc)
    }
}

fn flatten(val: &Val, values: &mut Vec<ValueId>) {
    match val {
        Val::Tile(value) => values.push(*value),
        Val::Tuple(parts) => parts.iter().for_each(|part| flatten(part, values)),
        Val::View => unreachable!("a closure gives numbers"),
    }
}
