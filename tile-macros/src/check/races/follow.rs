//! Follows a kernel and notes where it stores.

use super::apart::{Place, Span, Trips, at_most};
use super::is_atomic;
use super::number::{Atom, Number};
use crate::hir::signature::HostScalar;
use crate::hir::walk::{Jump, Outcome, Part};
use crate::hir::{
    Adapter, Block, Elem, ExprId, ExprKind, Kernel, LocalId, MathOp, Memory, Parallel, PartitionTy,
    Range, Stmt, Ty, ViewLayout,
};
use crate::parse::ast::{BinaryOp, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

/// How a tensor is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Store,
    Atomic,
}

/// A store.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) expr: ExprId,
    /// The number of the parameter.
    pub(super) param: usize,
    pub(super) access: Access,
    pub(super) place: Place,
}

/// What a kernel does.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) stores: Vec<Stored>,
    pub(super) trips: Trips,
}

/// Follows a kernel.
pub(super) fn follow(kernel: &Kernel, vouched: &BTreeSet<ExprId>) -> Followed {
    let mut state = Follow {
        kernel,
        vouched,
        values: vec![None; kernel.locals.len()],
        fixed: BTreeMap::new(),
        points: Vec::new(),
        trips: Trips::default(),
        atoms: 0,
        mode: Mode::Note,
        stores: Vec::new(),
    };
    for &param in &kernel.params {
        let atom = Atom::Param(param);
        state.values[param.index()] = Some(Value::Number(Number::atom(atom)));
    }
    state.block(&kernel.body);
    Followed {
        stores: state.stores,
        trips: state.trips,
    }
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    /// A number; of a tile, one that stands for all of it.
    Number(Number),
    /// A condition: what it says of the position of the block where it holds, and
    /// where it does not.
    Truth(Facts, Facts, Number),
    Tuple(Vec<Value>),
}

/// Axes along which the position of the block is this number.
type Facts = BTreeMap<usize, Number>;

/// Whether stores are noted: a loop is followed twice, first to see what it does
/// to variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Note,
    Try,
}

struct Follow<'k> {
    kernel: &'k Kernel,
    vouched: &'k BTreeSet<ExprId>,
    values: Vec<Option<Value>>,
    fixed: Facts,
    /// The loops around whose iterations run at the same time.
    points: Vec<usize>,
    trips: Trips,
    /// How many atoms were made.
    atoms: usize,
    mode: Mode,
    stores: Vec<Stored>,
}

fn unit() -> Value {
    Value::Tuple(Vec::new())
}

impl Follow<'_> {
    fn fresh(&mut self, uniform: bool) -> Number {
        self.atoms += 1;
        Number::atom(if uniform {
            Atom::Uniform(self.atoms)
        } else {
            Atom::Varying(self.atoms)
        })
    }

    fn trip(&mut self, most: Option<Number>) -> Number {
        self.trips.most.push(most);
        Number::atom(Atom::Trip(self.trips.most.len() - 1))
    }

    /// A value of which nothing is known but whether it is the same in every block.
    fn unknown(&mut self, ty: &Ty, uniform: bool) -> Value {
        match ty {
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.unknown(part, uniform));
                Value::Tuple(parts.collect())
            }
            _ => Value::Number(self.fresh(uniform)),
        }
    }

    fn number(&mut self, id: ExprId) -> Number {
        match self.expr(id) {
            Value::Number(number) | Value::Truth(_, _, number) => number,
            Value::Tuple(_) => self.fresh(false),
        }
    }

    fn block(&mut self, block: &Block) -> Value {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Bind(local, value) => {
                    let value = self.expr(*value);
                    self.values[local.index()] = Some(value);
                }
                Stmt::Declare(local) => {
                    let ty = self.kernel.local(*local).ty.clone();
                    let value = self.unknown(&ty, false);
                    self.values[local.index()] = Some(value);
                }
                Stmt::Expr(value) => {
                    self.expr(*value);
                }
            }
        }
        block.tail.map_or_else(unit, |tail| self.expr(tail))
    }

    fn scalar(&self, id: ExprId) -> Option<HostScalar> {
        match self.kernel.expr(id).ty {
            Ty::Scalar(Elem::Known(scalar)) => Some(scalar),
            _ => None,
        }
    }

    fn expr(&mut self, id: ExprId) -> Value {
        let kernel = self.kernel;
        let expr = kernel.expr(id);
        let atom = |atom: Atom| Value::Number(Number::atom(atom));
        match &expr.kind {
            ExprKind::Int(value) => Value::Number(Number::constant(*value)),
            ExprKind::Local(local) => match &self.values[local.index()] {
                Some(value) => value.clone(),
                None => self.unknown(&expr.ty, false),
            },
            ExprKind::BlockId(axis) => atom(Atom::Block(*axis)),
            ExprKind::NumBlocks(axis) => atom(Atom::Grid(*axis)),
            ExprKind::Dim(tensor, axis) => match kernel.expr(*tensor).ty.tensor() {
                Some(tensor) => atom(Atom::Extent(tensor.param, *axis)),
                None => self.other(id),
            },
            ExprKind::NumTiles(view, axis) => match &kernel.expr(*view).ty {
                Ty::Partition(view) => {
                    let step = step(view, *axis);
                    atom(Atom::Tiles(view.tensor.param, view.order[*axis], step))
                }
                _ => self.other(id),
            },
            ExprKind::Cast(value) => {
                let number = self.expr(*value);
                // Where it has enough bits, an index keeps its value.
                let keeps = self
                    .scalar(id)
                    .is_some_and(|to| to.is_integer() && to.bits() >= 32)
                    && self.scalar(*value).is_some_and(HostScalar::is_integer);
                match number {
                    Value::Number(number) if keeps => Value::Number(number),
                    Value::Number(number) | Value::Truth(_, _, number) => {
                        Value::Number(self.fresh(number.is_uniform()))
                    }
                    Value::Tuple(_) => self.unknown(&expr.ty, false),
                }
            }
            ExprKind::Unary(op, value) => {
                let value = self.expr(*value);
                match (op, value) {
                    (UnaryOp::Not, Value::Truth(yes, no, number)) => Value::Truth(no, yes, number),
                    (UnaryOp::Neg, Value::Number(number)) if self.scalar(id).is_some() => {
                        Value::Number(number.scaled(-1))
                    }
                    (_, Value::Number(number)) => Value::Number(self.fresh(number.is_uniform())),
                    (_, other) => other,
                }
            }
            ExprKind::Binary(op, lhs, rhs) => self.binary(id, *op, *lhs, *rhs),
            ExprKind::ShortCircuit(op, lhs, rhs) => {
                let left = self.expr(*lhs);
                let before = self.values.clone();
                let right = self.expr(*rhs);
                let outcome = Outcome::of(&kernel.exprs, *rhs);
                self.forget(&outcome.assigned, &before);
                self.connect(*op, left, right)
            }
            ExprKind::Math(op, args) if self.scalar(id).is_some_and(HostScalar::is_integer) => {
                let numbers: Vec<Number> = args.iter().map(|&arg| self.number(arg)).collect();
                match (op, numbers.as_slice()) {
                    (MathOp::Min, [a, b]) => {
                        atom(Atom::Min(Box::new(a.clone()), Box::new(b.clone())))
                    }
                    (MathOp::Max, [a, b]) => {
                        atom(Atom::Max(Box::new(a.clone()), Box::new(b.clone())))
                    }
                    _ => Value::Number(self.fresh(numbers.iter().all(Number::is_uniform))),
                }
            }
            ExprKind::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|&part| self.expr(part)).collect())
            }
            ExprKind::Field(value, at) => match self.expr(*value) {
                Value::Tuple(parts) if *at < parts.len() => parts[*at].clone(),
                _ => self.unknown(&expr.ty, false),
            },
            ExprKind::Store(view, index, value) => {
                self.expr(*view);
                let numbers: Vec<Number> = index.iter().map(|&entry| self.number(entry)).collect();
                self.expr(*value);
                if !self.vouched.contains(&id)
                    && let Ty::Partition(view) = &kernel.expr(*view).ty
                {
                    self.store(id, view, &numbers);
                }
                unit()
            }
            ExprKind::Load(view, index) => {
                self.expr(*view);
                let uniform = index
                    .iter()
                    .map(|&entry| self.number(entry))
                    .fold(true, |all, number| all & number.is_uniform());
                let shared = kernel.expr(*view).ty.tensor().is_some_and(|it| !it.mutable);
                self.unknown(&expr.ty, uniform && shared)
            }
            ExprKind::Memory(memory) => self.memory(id, memory),
            ExprKind::Parallel(parallel) => self.parallel(id, parallel),
            ExprKind::Block(block) => self.block(block),
            ExprKind::If(cond, then, other) => self.conditional(id, *cond, then, other.as_ref()),
            ExprKind::For {
                target,
                local,
                range,
                body,
            } => {
                let value = self.range(range);
                self.values[local.index()] = Some(Value::Number(value));
                self.repeated(Jump::Continue(*target), body);
                unit()
            }
            ExprKind::Loop(target, body) => {
                self.repeated(Jump::Continue(*target), body);
                self.unknown(&expr.ty, false)
            }
            ExprKind::Breakable(_, block) => {
                let before = self.values.clone();
                self.block(block);
                let outcome = Outcome::of_block(&kernel.exprs, block);
                self.forget(&outcome.assigned, &before);
                self.unknown(&expr.ty, false)
            }
            ExprKind::Assign(local, value) => {
                let value = self.expr(*value);
                self.values[local.index()] = Some(value);
                unit()
            }
            _ => self.other(id),
        }
    }

    /// Iterations that run at the same time are told apart like blocks.
    fn parallel(&mut self, id: ExprId, parallel: &Parallel) -> Value {
        if let Some(init) = parallel.init {
            self.expr(init);
        }
        let before = self.points.len();
        for (local, &[low, high]) in parallel.locals.iter().zip(&parallel.ranges) {
            let (low, high) = (self.number(low), self.number(high));
            let len = ends(&high).iter().find_map(|end| at_most(&end.minus(&low)));
            self.points.push(self.trips.most.len());
            let trip = self.trip(len);
            self.values[local.index()] = Some(Value::Number(low.plus(&trip)));
        }
        self.expr(parallel.body);
        self.points.truncate(before);
        self.unknown(&self.kernel.expr(id).ty, false)
    }

    /// Anything else: the same in every block if all of its parts are.
    fn other(&mut self, id: ExprId) -> Value {
        let kernel = self.kernel;
        let expr = kernel.expr(id);
        let mut uniform = true;
        for part in expr.kind.parts() {
            match part {
                Part::Expr(part) => {
                    let value = self.expr(part);
                    uniform &= is_uniform(&value);
                }
                Part::Block(block) => {
                    let before = self.values.clone();
                    self.block(block);
                    let outcome = Outcome::of_block(&kernel.exprs, block);
                    self.forget(&outcome.assigned, &before);
                    uniform = false;
                }
            }
        }
        self.unknown(&expr.ty, uniform)
    }

    /// What code that may not run, or not to its end, leaves of variables.
    fn forget(&mut self, assigned: &BTreeSet<LocalId>, before: &[Option<Value>]) {
        for local in assigned {
            let at = local.index();
            if before[at].is_some() && self.values[at] != before[at] {
                let ty = self.kernel.local(*local).ty.clone();
                let value = self.unknown(&ty, false);
                self.values[at] = Some(value);
            }
        }
    }

    fn memory(&mut self, id: ExprId, memory: &Memory) -> Value {
        let expr = self.kernel.expr(id);
        let operands = memory.operands();
        let mut uniform = true;
        let mut numbers = Vec::new();
        for &operand in &operands {
            let value = self.expr(operand);
            uniform &= is_uniform(&value);
            numbers.push(value);
        }
        let base = operands
            .first()
            .and_then(|&base| self.kernel.expr(base).ty.tensor());
        if is_atomic(memory)
            && let Some(tensor) = base
            && self.mode == Mode::Note
        {
            let spans = vec![
                Span {
                    start: None,
                    len: 1
                };
                tensor.rank
            ];
            self.stores.push(Stored {
                expr: id,
                param: tensor.param,
                access: Access::Atomic,
                place: Place {
                    spans,
                    fixed: self.fixed.clone(),
                    points: self.points.clone(),
                },
            });
        }
        let constant = match memory {
            Memory::Gather { .. } => base.is_some_and(|tensor| !tensor.mutable),
            Memory::Stride(..) | Memory::Address(_) => true,
            Memory::Offset(..) | Memory::Repeat(_) => true,
            Memory::Scatter { .. }
            | Memory::Atomic { .. }
            | Memory::AtomicTile { .. }
            | Memory::Read { .. }
            | Memory::Write { .. }
            | Memory::AtomicPointer { .. }
            | Memory::Fence { .. } => false,
        };
        self.unknown(&expr.ty, uniform && constant)
    }

    fn store(&mut self, id: ExprId, view: &PartitionTy, index: &[Number]) {
        if self.mode == Mode::Try {
            return;
        }
        let mut spans = vec![
            Span {
                start: None,
                len: 1
            };
            view.tensor.rank
        ];
        for (axis, number) in index.iter().enumerate() {
            spans[view.order[axis]] = Span {
                start: Some(number.scaled(step(view, axis).into())),
                len: view.tile[axis],
            };
        }
        self.stores.push(Stored {
            expr: id,
            param: view.tensor.param,
            access: Access::Store,
            place: Place {
                spans,
                fixed: self.fixed.clone(),
                points: self.points.clone(),
            },
        });
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Value {
        let (left, right) = (self.expr(lhs), self.expr(rhs));
        let uniform = is_uniform(&left) && is_uniform(&right);
        if matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr)
            && self.scalar(id) == Some(HostScalar::Bool)
        {
            return self.connect(op, left, right);
        }
        let integers = self.scalar(lhs).is_some_and(HostScalar::is_integer);
        let (Value::Number(a), Value::Number(b)) = (&left, &right) else {
            return self.unknown(&Ty::scalar(HostScalar::Bool), uniform);
        };
        if !integers {
            return Value::Number(self.fresh(uniform));
        }
        let boxed = |number: &Number| Box::new(number.clone());
        let number = match op {
            BinaryOp::Add => Some(a.plus(b)),
            BinaryOp::Sub => Some(a.minus(b)),
            BinaryOp::Mul => Some(a.times(b)),
            BinaryOp::Shl => power(b).map(|by| a.scaled(by)),
            BinaryOp::Div => quotient(a, b, Atom::Div(boxed(a), boxed(b))),
            BinaryOp::Rem => quotient(a, b, Atom::Rem(boxed(a), boxed(b))),
            BinaryOp::Shr => power(b).and_then(|by| {
                let by = Number::constant(by);
                quotient(a, &by, Atom::Div(boxed(a), boxed(&by)))
            }),
            BinaryOp::BitAnd => b.value().and_then(|mask| {
                let by = Number::constant(mask + 1);
                let whole = mask > 0 && (mask & (mask + 1)) == 0;
                let atom = Atom::Rem(boxed(a), boxed(&by));
                whole.then(|| quotient(a, &by, atom)).flatten()
            }),
            BinaryOp::Eq | BinaryOp::Ne => {
                let number = self.fresh(uniform);
                let fact: Facts = position(&a.minus(b)).into_iter().collect();
                let none = Facts::new();
                return if op == BinaryOp::Eq {
                    Value::Truth(fact, none, number)
                } else {
                    Value::Truth(none, fact, number)
                };
            }
            BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::And
            | BinaryOp::Or => None,
        };
        match number {
            Some(number) => Value::Number(number),
            None => Value::Number(self.fresh(uniform)),
        }
    }

    /// Two conditions together.
    fn connect(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
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

    fn conditional(
        &mut self,
        id: ExprId,
        cond: ExprId,
        then: &Block,
        other: Option<&Block>,
    ) -> Value {
        let kernel = self.kernel;
        let condition = self.expr(cond);
        let uniform = is_uniform(&condition);
        let (yes, no) = match condition {
            Value::Truth(yes, no, _) => (yes, no),
            Value::Number(_) | Value::Tuple(_) => (Facts::new(), Facts::new()),
        };
        let fixed = self.fixed.clone();
        let before = self.values.clone();
        self.fixed.extend(yes);
        let first = self.block(then);
        let after_first = std::mem::replace(&mut self.values, before.clone());
        self.fixed.clone_from(&fixed);
        self.fixed.extend(no);
        let second = other.map_or_else(unit, |other| self.block(other));
        self.fixed = fixed;
        let first_leaves = kernel.diverges(then);
        let second_leaves = other.is_some_and(|other| kernel.diverges(other));
        if first_leaves {
            return second;
        }
        if second_leaves {
            self.values = after_first;
            return first;
        }
        let mut assigned = Outcome::of_block(&kernel.exprs, then).assigned;
        if let Some(other) = other {
            assigned.extend(Outcome::of_block(&kernel.exprs, other).assigned);
        }
        for local in assigned {
            let at = local.index();
            let (Some(one), Some(two)) = (&after_first[at], &self.values[at]) else {
                continue;
            };
            if one == two {
                continue;
            }
            let same = uniform && is_uniform(one) && is_uniform(two);
            let ty = kernel.local(local).ty.clone();
            let value = self.unknown(&ty, same);
            self.values[at] = Some(value);
        }
        if first == second {
            return first;
        }
        let same = uniform && is_uniform(&first) && is_uniform(&second);
        self.unknown(&kernel.expr(id).ty, same)
    }

    /// The loop variable: where the range begins, and a step for each iteration.
    fn range(&mut self, range: &Range) -> Number {
        let low = self.number(range.low);
        let high = self.number(range.high);
        let mut step = Number::constant(1);
        let mut from_high = false;
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev if step.value() == Some(1) => from_high = !from_high,
                // The same numbers in another order.
                Adapter::Rev => {}
                Adapter::StepBy(by) => {
                    let by = self.number(*by);
                    step = step.times(&by);
                }
            }
        }
        let last = Number::constant(i128::from(range.inclusive));
        let mut most: Option<Number> = None;
        for end in ends(&high) {
            let len = end.plus(&last).minus(&low);
            if most.is_none() {
                most = at_most(&len);
            }
        }
        let most = match step.value() {
            Some(1) => most,
            Some(by) if by > 1 => most
                .and_then(|most| most.value())
                .map(|most| Number::constant((most + by - 1).div_euclid(by))),
            _ => None,
        };
        let first = if from_high && step.value() != Some(1) {
            high.plus(&last).minus(&Number::constant(1))
        } else {
            low
        };
        let sign = if from_high && step.value() != Some(1) {
            -1
        } else {
            1
        };
        let trip = self.trip(most);
        first.plus(&step.times(&trip).scaled(sign))
    }

    /// The body of a loop, whose variables take a step in each iteration or are
    /// not known.
    fn repeated(&mut self, next: Jump, body: &Block) {
        let kernel = self.kernel;
        let outcome = Outcome::of_block(&kernel.exprs, body);
        let carried: Vec<LocalId> = outcome
            .assigned
            .iter()
            .copied()
            .filter(|local| self.values[local.index()].is_some())
            .collect();
        if carried.is_empty() {
            self.block(body);
            return;
        }
        let start = self.values.clone();
        let made = self.atoms;
        let mut heads = Vec::new();
        for local in &carried {
            let ty = kernel.local(*local).ty.clone();
            let value = self.unknown(&ty, false);
            heads.push(value.clone());
            self.values[local.index()] = Some(value);
        }
        let (mode, trips) = (self.mode, self.trips.most.len());
        self.mode = Mode::Try;
        self.block(body);
        self.mode = mode;
        let straight = !outcome.jumps.contains(&next);
        let steps: Vec<Option<Number>> = carried
            .iter()
            .zip(&heads)
            .map(|(local, head)| {
                let (Some(Value::Number(end)), Value::Number(head)) =
                    (&self.values[local.index()], head)
                else {
                    return None;
                };
                let step = end.minus(head);
                let outside = step.holds(&|atom| match atom {
                    Atom::Trip(number) => *number < trips,
                    Atom::Uniform(number) | Atom::Varying(number) => *number <= made,
                    Atom::Block(_)
                    | Atom::Grid(_)
                    | Atom::Param(_)
                    | Atom::Extent(..)
                    | Atom::Tiles(..) => true,
                    Atom::Div(..) | Atom::Rem(..) | Atom::Min(..) | Atom::Max(..) => false,
                });
                (straight && outside).then_some(step)
            })
            .collect();
        self.values = start;
        self.take_steps(&carried, &steps);
        let head = self.values.clone();
        self.block(body);
        self.values = head;
        // Behind the loop, after some number of iterations.
        self.take_steps(&carried, &steps);
    }

    fn take_steps(&mut self, carried: &[LocalId], steps: &[Option<Number>]) {
        for (local, step) in carried.iter().zip(steps) {
            let at = local.index();
            let value = if let (Some(Value::Number(start)), Some(step)) = (&self.values[at], step) {
                let start = start.clone();
                let trip = self.trip(None);
                Value::Number(start.plus(&step.times(&trip)))
            } else {
                let ty = self.kernel.local(*local).ty.clone();
                self.unknown(&ty, false)
            };
            self.values[at] = Some(value);
        }
    }
}

fn is_uniform(value: &Value) -> bool {
    match value {
        Value::Number(number) | Value::Truth(_, _, number) => number.is_uniform(),
        Value::Tuple(parts) => parts.iter().all(is_uniform),
    }
}

/// Elements from a tile to the next.
fn step(view: &PartitionTy, axis: usize) -> i64 {
    match &view.layout {
        ViewLayout::Partition => view.tile[axis],
        ViewLayout::Strided(steps) => steps[axis],
        ViewLayout::Gather(_) => 1,
    }
}

/// The power of two that a shift multiplies by.
fn power(amount: &Number) -> Option<i128> {
    let amount = amount.value().filter(|amount| (0..63).contains(amount))?;
    Some(1 << amount)
}

/// A quotient or remainder of a number that is not negative.
fn quotient(number: &Number, by: &Number, atom: Atom) -> Option<Number> {
    if let (Some(a), Some(b)) = (number.value(), by.value())
        && b != 0
    {
        return Some(Number::constant(match atom {
            Atom::Div(..) => a / b,
            _ => a % b,
        }));
    }
    let natural = |atom: &Atom| {
        matches!(
            atom,
            Atom::Block(_)
                | Atom::Grid(_)
                | Atom::Extent(..)
                | Atom::Tiles(..)
                | Atom::Trip(_)
                | Atom::Div(..)
                | Atom::Rem(..)
        )
    };
    let fits = number
        .terms()
        .all(|(monomial, factor)| factor >= 0 && monomial.iter().all(natural));
    (fits || number.is_uniform()).then(|| Number::atom(atom))
}

/// `block_id(axis) == value`, from the difference of both sides.
fn position(difference: &Number) -> Option<(usize, Number)> {
    let mut found = None;
    let mut rest = Number::default();
    for (monomial, factor) in difference.terms() {
        match &monomial[..] {
            [Atom::Block(axis)] if found.is_none() && factor.abs() == 1 => {
                found = Some((*axis, factor));
            }
            _ => rest = rest.with(monomial, factor),
        }
    }
    let (axis, factor) = found?;
    rest.is_uniform().then(|| (axis, rest.scaled(-factor)))
}

/// Numbers that a number does not exceed.
fn ends(number: &Number) -> Vec<Number> {
    let mut found = vec![number.clone()];
    let mut terms = number.terms();
    if let (Some((monomial, 1)), None) = (terms.next(), terms.next())
        && let [Atom::Min(a, b)] = &monomial[..]
    {
        found.extend(ends(a));
        found.extend(ends(b));
    }
    found
}
