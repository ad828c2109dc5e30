//! Executes a kernel symbolically and records its stores.

use super::bound::{self, Loop};
use super::disjoint::{Place, Span, upper_bound};
use super::is_atomic;
use super::known::{Known, Launch, Length, Word};
use super::needs::{Guard, program};
use super::number::{Atom, BitOp, Number, words};
use crate::hir::signature::HostScalar;
use crate::hir::walk::{Jump, Outcome, Part, each_expr};
use crate::hir::{
    Adapter, Block, Elem, ExprId, ExprKind, Kernel, LocalId, MathOp, Memory, Parallel, PartitionTy,
    Range, Stmt, Ty, ViewLayout,
};
use crate::parse::ast::{BinaryOp, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};
use tile_core::reach::Claim;

/// The kind of a write to a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Store,
    Atomic,
}

/// A store.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) expr: ExprId,
    /// The index of the parameter.
    pub(super) param: usize,
    pub(super) access: Access,
    pub(super) place: Place,
}

/// The result of symbolic execution.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) stores: Vec<Stored>,
    pub(super) known: Known,
    /// The numbers whose values decided branches. The decisions hold only if the needs of these
    /// numbers are met.
    pub(super) decided: Vec<Number>,
}

/// Executes a kernel symbolically.
pub(super) fn trace_accesses(
    kernel: &Kernel,
    vouched: &BTreeSet<ExprId>,
    known: Known,
) -> Followed {
    let mut state = Follow {
        kernel,
        vouched,
        values: vec![None; kernel.locals.len()],
        fixed: BTreeMap::new(),
        under: BTreeMap::new(),
        points: Vec::new(),
        around: Vec::new(),
        decided: Vec::new(),
        known,
        atoms: 0,
        conditions: BTreeMap::new(),
        mode: Mode::Note,
        stores: Vec::new(),
    };
    for (number, &param) in kernel.params.iter().enumerate() {
        if let Ty::Scalar(Elem::Known(scalar)) = kernel.local(param).ty {
            if scalar.is_integer() || scalar == HostScalar::Bool {
                state.known.scalars.insert(param, (number, scalar));
            }
            let bounds = match scalar {
                HostScalar::Bool => Some((0, 1)),
                _ if scalar.is_integer() => Some(words(scalar.bits(), scalar.is_signed())),
                _ => None,
            };
            state
                .known
                .params
                .extend(bounds.map(|bounds| (param, bounds)));
        }
        let atom = Atom::Param(param);
        state.values[param.index()] = Some(Value::Number(Number::atom(atom)));
    }
    state.block(&kernel.body);
    Followed {
        stores: state.stores,
        known: state.known,
        decided: state.decided,
    }
}

/// The symbolic value of an expression.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    /// A number. For a tile, the number represents all elements.
    Number(Number),
    /// A condition: the facts about block ids if it holds, the facts if it does not hold, and its
    /// value.
    Truth(Facts, Facts, Number),
    Tuple(Vec<Value>),
}

/// The value of the block id along each axis where it is known.
type Facts = BTreeMap<usize, Number>;

/// The mode of execution, with or without recording stores. A loop body is executed twice; the
/// first execution finds its effect on variables.
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
    /// The enclosing conditions with the same value in every block.
    under: BTreeMap<Number, bool>,
    /// The enclosing parallel loops.
    points: Vec<usize>,
    /// The enclosing loops with a trip atom.
    around: Vec<usize>,
    decided: Vec<Number>,
    known: Known,
    /// The number of atoms created so far.
    atoms: usize,
    /// The atoms of comparisons whose operands are the same in every block.
    conditions: BTreeMap<(&'static str, Number, Number), Number>,
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
        // A loop of one iteration needs no atom.
        if let Some(most) = most.as_ref().filter(|most| most.value() == Some(1)) {
            return Number::default().needing_as(most);
        }
        self.known.trips.push(most);
        self.known.lengths.push(None);
        Number::atom(Atom::Trip(self.known.trips.len() - 1))
    }

    /// Returns an unknown value, which is the same in every block if `uniform` is true.
    fn unknown(&mut self, ty: &Ty, uniform: bool) -> Value {
        match ty {
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.unknown(part, uniform));
                Value::Tuple(parts.collect())
            }
            Ty::Scalar(Elem::Known(scalar)) if scalar.is_integer() => {
                let number = self.fresh(uniform);
                let word = words(scalar.bits(), scalar.is_signed());
                self.known.words.insert(self.atoms, word);
                Value::Number(number)
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

    /// Executes a block that may be left early. Conditions and facts at its end are dropped, since
    /// they may not hold after it.
    fn inside(&mut self, block: &Block) -> Value {
        let (fixed, under) = (self.fixed.clone(), self.under.clone());
        let value = self.block(block);
        (self.fixed, self.under) = (fixed, under);
        value
    }

    /// Returns the integer type of a number or of the elements of a tile.
    fn word(&self, id: ExprId) -> Option<HostScalar> {
        let element = match &self.kernel.expr(id).ty {
            Ty::Scalar(Elem::Known(scalar)) | Ty::Tile(Elem::Known(scalar), _) => *scalar,
            _ => return None,
        };
        element.is_integer().then_some(element)
    }

    /// Returns the word that an expression yields if its result on unbounded integers is `number`.
    fn wrapped(&mut self, id: ExprId, number: Number) -> Number {
        match self.word(id) {
            Some(word) => self.wrapped_to(word, number),
            None => number,
        }
    }

    fn wrapped_to(&mut self, word: HostScalar, number: Number) -> Number {
        let to = Word {
            bits: word.bits(),
            signed: word.is_signed(),
        };
        let guards = self.guards();
        self.known.wrapped(number, to, &guards)
    }

    /// Returns the guards under which this point is reached: conditions that hold and loops that
    /// run.
    fn guards(&self) -> Vec<Guard> {
        let under = self.under.iter();
        let under = under.map(|(condition, holds)| Guard::Holds(condition.clone(), *holds));
        under
            .chain(self.around.iter().map(|&trip| Guard::Runs(trip)))
            .collect()
    }

    /// Adds a claim about `of` to the needs of a number, if a launch can check it.
    fn claimed(&mut self, number: Number, of: &Number, claim: Claim) -> Number {
        if program(of, 64, &self.known).is_none() {
            return number;
        }
        let guards = self.guards();
        let need = self.known.need(of, claim, &guards);
        if claim == Claim::Positive {
            self.known.positive.insert(of.clone());
        }
        number.needing(need)
    }

    /// Claims that the divisor of a quotient or remainder is not 0, unless that is known.
    fn divided(&mut self, number: Number, by: &Number) -> Number {
        let is_nonzero = self
            .known
            .bounds(by, Launch::Anything)
            .is_some_and(|(low, high)| low > 0 || high < 0);
        let mut terms = by.terms();
        if is_nonzero || terms.all(|(atoms, factor)| factor > 0 && is_positive(atoms)) {
            return number;
        }
        // The range of a remainder depends on more than the greatest divisor if the divisor varies.
        let claim = if by.is_uniform() {
            Claim::NotZero
        } else {
            Claim::Positive
        };
        self.claimed(number, by, claim)
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
            ExprKind::Bool(value) => truth(*value),
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
                let to = self.scalar(id).filter(|to| to.is_integer());
                let from = self.scalar(*value).filter(|from| from.is_integer());
                match (number, to, from) {
                    (Value::Number(number), Some(to), Some(_)) => {
                        Value::Number(self.wrapped_to(to, number))
                    }
                    (Value::Number(number) | Value::Truth(_, _, number), _, _) => {
                        Value::Number(self.fresh(number.is_uniform()))
                    }
                    (Value::Tuple(_), _, _) => self.unknown(&expr.ty, false),
                }
            }
            ExprKind::Unary(op, value) => {
                let value = self.expr(*value);
                match (op, value) {
                    (UnaryOp::Not, Value::Truth(yes, no, number)) => {
                        Value::Truth(no, yes, Number::constant(1).minus(&number))
                    }
                    (UnaryOp::Not, Value::Number(number))
                        if self.scalar(id) == Some(HostScalar::Bool) =>
                    {
                        Value::Number(Number::constant(1).minus(&number))
                    }
                    (UnaryOp::Neg, Value::Number(number)) if self.word(id).is_some() => {
                        Value::Number(self.wrapped(id, number.scaled(-1)))
                    }
                    (UnaryOp::Not, Value::Number(number)) if self.word(id).is_some() => {
                        let number = number.scaled(-1).minus(&Number::constant(1));
                        Value::Number(self.wrapped(id, number))
                    }
                    (_, Value::Number(number)) => Value::Number(self.fresh(number.is_uniform())),
                    (_, other) => other,
                }
            }
            ExprKind::Binary(op, lhs, rhs) => self.binary(id, *op, *lhs, *rhs),
            ExprKind::ShortCircuit(op, lhs, rhs) => {
                let left = self.expr(*lhs);
                let decided = i128::from(*op != BinaryOp::And);
                if condition(&left) == Some(decided) {
                    return left;
                }
                let before = self.values.clone();
                let right = self.expr(*rhs);
                let outcome = Outcome::from_expr(&kernel.exprs, *rhs);
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
            // All elements of a stretched scalar have its value.
            ExprKind::Stretch(value) if self.scalar(*value).is_some() => self.expr(*value),
            ExprKind::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|&part| self.expr(part)).collect())
            }
            ExprKind::Field(value, i) => match self.expr(*value) {
                Value::Tuple(parts) if *i < parts.len() => parts[*i].clone(),
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
                    .fold(true, |is_uniform, number| is_uniform & number.is_uniform());
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
                let (value, trip) = self.range(range);
                self.values[local.index()] = Some(Value::Number(value));
                let around = self.around.len();
                self.around.extend(trip);
                self.repeated(Jump::Continue(*target), body, &Loop::For(trip));
                self.around.truncate(around);
                unit()
            }
            ExprKind::Loop(target, body) => {
                let bounds = bound::find(kernel, *target, body);
                self.repeated(Jump::Continue(*target), body, &Loop::While(bounds));
                self.unknown(&expr.ty, false)
            }
            ExprKind::Breakable(_, block) => {
                let before = self.values.clone();
                self.inside(block);
                let outcome = Outcome::from_block(&kernel.exprs, block);
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

    /// Executes a parallel loop, whose iterations are distinguished like blocks.
    fn parallel(&mut self, id: ExprId, parallel: &Parallel) -> Value {
        if let Some(init) = parallel.init {
            self.expr(init);
        }
        let before = self.points.len();
        let (fixed, under) = (self.fixed.clone(), self.under.clone());
        for (local, &[low, high]) in parallel.locals.iter().zip(&parallel.ranges) {
            let (low, high) = (self.number(low), self.number(high));
            let len = ends(&high)
                .iter()
                .find_map(|end| upper_bound(&end.minus(&low)));
            self.points.push(self.known.trips.len());
            self.known.trips.push(len);
            self.known.lengths.push(Some(Length {
                distance: high.minus(&low),
                stride: Number::constant(1),
                behind: false,
            }));
            let trip = Number::atom(Atom::Trip(self.known.trips.len() - 1));
            self.values[local.index()] = Some(Value::Number(low.plus(&trip)));
        }
        self.expr(parallel.body);
        (self.fixed, self.under) = (fixed, under);
        self.points.truncate(before);
        self.unknown(&self.kernel.expr(id).ty, false)
    }

    /// Executes any other expression. The value is the same in every block if this is true of all
    /// parts.
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
                    self.inside(block);
                    let outcome = Outcome::from_block(&kernel.exprs, block);
                    self.forget(&outcome.assigned, &before);
                    uniform = false;
                }
            }
        }
        self.unknown(&expr.ty, uniform)
    }

    /// Forgets the values of variables that are assigned by code that may be skipped or left early.
    fn forget(&mut self, assigned: &BTreeSet<LocalId>, before: &[Option<Value>]) {
        for local in assigned {
            let index = local.index();
            if before[index].is_some() && self.values[index] != before[index] {
                let ty = self.kernel.local(*local).ty.clone();
                let value = self.unknown(&ty, false);
                self.values[index] = Some(value);
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
            let spans = match memory {
                Memory::AtomicTile { view, index, .. } => match &self.kernel.expr(*view).ty {
                    Ty::Partition(view) => {
                        let numbers: Vec<Number> =
                            index.iter().map(|&entry| self.pure(entry)).collect();
                        spans(view, &numbers)
                    }
                    _ => vec![Span::anywhere(); tensor.rank],
                },
                Memory::Atomic { index, .. } => {
                    index.iter().map(|&entry| self.elements(entry)).collect()
                }
                _ => vec![Span::anywhere(); tensor.rank],
            };
            self.stores.push(Stored {
                expr: id,
                param: tensor.param,
                access: Access::Atomic,
                place: self.place(spans),
            });
        }
        let constant = match memory {
            Memory::Gather { .. } | Memory::Window { .. } => {
                base.is_some_and(|tensor| !tensor.mutable)
            }
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
        self.stores.push(Stored {
            expr: id,
            param: view.tensor.param,
            access: Access::Store,
            place: self.place(spans(view, index)),
        });
    }

    fn place(&self, spans: Vec<Span>) -> Place {
        Place {
            spans,
            fixed: self.fixed.clone(),
            under: self.under.clone(),
            points: self.points.clone(),
            around: self.around.clone(),
        }
    }

    /// Evaluates an expression a second time, unless it has side effects.
    fn pure(&mut self, id: ExprId) -> Number {
        let mut effect = false;
        each_expr(&self.kernel.exprs, id, &mut |_, part| {
            effect |= part.kind.has_effect() || matches!(part.kind, ExprKind::Assign(..));
        });
        if effect {
            return self.fresh(false);
        }
        self.number(id)
    }

    /// Returns the elements along an axis that a tile of indices selects.
    fn elements(&mut self, id: ExprId) -> Span {
        let expr = self.kernel.expr(id);
        let one = match &expr.ty {
            Ty::Tile(_, shape) => shape.iter().all(|&extent| extent == 1),
            _ => false,
        };
        match &expr.kind {
            ExprKind::Iota => Span {
                start: Some(Number::default()),
                step: 1,
                len: match &expr.ty {
                    Ty::Tile(_, shape) => shape.iter().product(),
                    _ => return Span::anywhere(),
                },
            },
            ExprKind::Stretch(value) if self.scalar(*value).is_some() => Span {
                start: Some(self.pure(*value)),
                ..Span::anywhere()
            },
            ExprKind::Binary(BinaryOp::Add, lhs, rhs) => {
                let (left, right) = (self.elements(*lhs), self.elements(*rhs));
                match (left.start, right.start) {
                    (Some(one), Some(other)) => Span {
                        start: Some(self.wrapped(id, one.plus(&other))),
                        step: 1,
                        len: left.len + right.len - 1,
                    },
                    _ => Span::anywhere(),
                }
            }
            _ if one => Span {
                start: Some(self.pure(id)),
                ..Span::anywhere()
            },
            _ => Span::anywhere(),
        }
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Value {
        let (left, right) = (self.expr(lhs), self.expr(rhs));
        let uniform = is_uniform(&left) && is_uniform(&right);
        if matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr)
            && self.scalar(id) == Some(HostScalar::Bool)
        {
            return self.connect(op, left, right);
        }
        let integers = self.word(lhs).is_some();
        let (Value::Number(a), Value::Number(b)) = (&left, &right) else {
            return self.unknown(&Ty::scalar(HostScalar::Bool), uniform);
        };
        if !integers {
            return Value::Number(self.fresh(uniform));
        }
        if op.is_comparison() && self.scalar(lhs).is_none() {
            return Value::Number(self.fresh(uniform));
        }
        let boxed = |number: &Number| Box::new(number.clone());
        let natural = self.known.is_natural(a);
        let bits = |op: BitOp| {
            let number = match (a.value(), b.value()) {
                (Some(a), Some(b)) => Number::constant(op.apply(a, b)),
                _ => Number::atom(Atom::Bits(op, boxed(a), boxed(b))),
            };
            Some(number)
        };
        let number = match op {
            BinaryOp::Add => Some(self.wrapped(id, a.plus(b))),
            BinaryOp::Sub => Some(self.wrapped(id, a.minus(b))),
            BinaryOp::Mul => Some(self.wrapped(id, a.times(b))),
            BinaryOp::Shl => {
                let by = self.power(id, b);
                by.map(|by| self.wrapped(id, a.scaled(by)))
            }
            BinaryOp::Div => {
                let number = quotient(a, b, Atom::Div(boxed(a), boxed(b)));
                number.map(|number| self.divided(number, b))
            }
            BinaryOp::Rem if self.is_below(a, b) => Some(a.clone()),
            BinaryOp::Rem => {
                let number = quotient(a, b, Atom::Rem(boxed(a), boxed(b)));
                number.map(|number| self.divided(number, b))
            }
            BinaryOp::Shr => match self.power(id, b) {
                Some(by) if natural => {
                    let by = Number::constant(by);
                    quotient(a, &by, Atom::Div(boxed(a), boxed(&by)))
                }
                Some(_) => bits(BitOp::Shr),
                None => None,
            },
            BinaryOp::BitAnd => match b.value() {
                Some(mask) if natural && mask > 0 && (mask & (mask + 1)) == 0 => {
                    let by = Number::constant(mask + 1);
                    if self.is_below(a, &by) {
                        Some(a.clone())
                    } else {
                        quotient(a, &by, Atom::Rem(boxed(a), boxed(&by)))
                    }
                }
                _ => bits(BitOp::And),
            },
            // If no bit is set in both, `|` and `^` are additions.
            BinaryOp::BitOr | BinaryOp::BitXor if self.is_disjoint(a, b) => {
                Some(self.wrapped(id, a.plus(b)))
            }
            BinaryOp::BitOr => bits(BitOp::Or),
            BinaryOp::BitXor if a.value().is_some() => {
                Some(Number::atom(Atom::Bits(BitOp::Xor, boxed(b), boxed(a))))
            }
            BinaryOp::BitXor => bits(BitOp::Xor),
            BinaryOp::Eq | BinaryOp::Ne => return self.equality(op, a, b),
            BinaryOp::Lt => return self.order(&b.minus(a), true, "<", (a, b)),
            BinaryOp::Le => return self.order(&b.minus(a), false, "<=", (a, b)),
            BinaryOp::Gt => return self.order(&a.minus(b), true, "<", (b, a)),
            BinaryOp::Ge => return self.order(&a.minus(b), false, "<=", (b, a)),
            BinaryOp::And | BinaryOp::Or => None,
        };
        match number {
            Some(number) => Value::Number(number),
            None => Value::Number(self.fresh(uniform)),
        }
    }

    /// Returns the power of two by which a shift of a word multiplies.
    fn power(&self, id: ExprId, amount: &Number) -> Option<i128> {
        let bits = i128::from(self.word(id)?.bits());
        let amount = amount.value().filter(|amount| (0..bits).contains(amount))?;
        Some(1 << amount)
    }

    /// Returns `true` if a number is not negative and less than a constant.
    fn is_below(&self, number: &Number, end: &Number) -> bool {
        let bounds = self.known.bounds(number, Launch::Anything);
        match (bounds, end.value()) {
            (Some((low, high)), Some(end)) => low >= 0 && high < end,
            _ => false,
        }
    }

    /// Returns `true` if one number is a multiple of a power of two and the other is nonnegative
    /// and less than that power.
    fn is_disjoint(&self, a: &Number, b: &Number) -> bool {
        let below = |low: &Number, high: &Number| {
            self.known
                .bounds(low, Launch::Anything)
                .is_some_and(|(least, most)| {
                    least >= 0
                        && most < 1 << 100
                        && high.has_factor(
                            (most.cast_unsigned() + 1).next_power_of_two().cast_signed(),
                        )
                })
        };
        below(a, b) || below(b, a)
    }

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
    fn decided(&mut self, by: &Number, truth_value: bool) -> Value {
        if by.value().is_none() || by.needs().next().is_some() {
            self.decided.push(by.clone());
        }
        truth(truth_value)
    }

    fn equality(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Value {
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
    fn order(
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

    /// Combines two conditions.
    fn connect(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
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

    fn conditional(
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

    /// Returns the loop variable (the start of the range plus one step per iteration) and the
    /// number of its trip atom.
    fn range(&mut self, range: &Range) -> (Number, Option<usize>) {
        let low = self.number(range.low);
        let high = self.number(range.high);
        let mut step = Number::constant(1);
        let mut from_high = false;
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev if step.value() == Some(1) => from_high = !from_high,
                // The loop has the same numbers in another order.
                Adapter::Rev => {}
                Adapter::StepBy(by) => {
                    let by = self.number(*by);
                    step = step.times(&by);
                }
            }
        }
        let last = Number::constant(i128::from(range.inclusive));
        let distance = high.plus(&last).minus(&low);
        let mut most: Option<Number> = None;
        for end in ends(&high) {
            let mut len = end.plus(&last).minus(&low);
            // Both ends may be words that wrap around, so their distance is taken modulo `2^bits`.
            if let Some(word) = self.word(range.low) {
                let distance = len.low(word.bits());
                if distance.value().is_some_and(|distance| distance > 0) {
                    len = distance;
                }
            }
            if most.is_none() {
                most = upper_bound(&len);
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
        let before = self.known.trips.len();
        let trip = self.trip(most);
        let counts = self.known.trips.len() > before;
        if counts {
            self.known.lengths[before] = Some(Length {
                distance,
                stride: step.clone(),
                behind: false,
            });
        }
        let value = first.plus(&step.times(&trip).scaled(sign));
        (value, counts.then_some(before))
    }

    /// Executes the body of a loop, whose variables advance by a fixed step in each iteration or
    /// are unknown.
    fn repeated(&mut self, next: Jump, body: &Block, around: &Loop) {
        let kernel = self.kernel;
        let outcome = Outcome::from_block(&kernel.exprs, body);
        let carried: Vec<LocalId> = outcome
            .assigned
            .iter()
            .copied()
            .filter(|local| self.values[local.index()].is_some())
            .collect();
        if carried.is_empty() {
            self.inside(body);
            return;
        }
        let start = self.values.clone();
        let created = self.atoms;
        let mut heads = Vec::new();
        for local in &carried {
            let ty = kernel.local(*local).ty.clone();
            let value = self.unknown(&ty, false);
            heads.push(value.clone());
            self.values[local.index()] = Some(value);
        }
        let (mode, trips) = (self.mode, self.known.trips.len());
        self.mode = Mode::Try;
        self.inside(body);
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
                // A word that wraps around advances by the same step and then wraps.
                let end = match (end.as_wrap(), &kernel.local(*local).ty) {
                    (Some((bits, inner)), Ty::Scalar(Elem::Known(scalar)))
                        if bits == scalar.bits() =>
                    {
                        inner
                    }
                    _ => end,
                };
                let step = end.minus(head);
                let outside = step.holds(&|atom| match atom {
                    Atom::Trip(number) => *number < trips,
                    Atom::Uniform(number) | Atom::Varying(number) => *number <= created,
                    Atom::Block(_)
                    | Atom::Grid(_)
                    | Atom::Param(_)
                    | Atom::Extent(..)
                    | Atom::Tiles(..) => true,
                    Atom::Div(..)
                    | Atom::Rem(..)
                    | Atom::Min(..)
                    | Atom::Max(..)
                    | Atom::Wrap(..)
                    | Atom::Bits(..)
                    | Atom::Choice(..) => false,
                });
                (straight && outside).then_some(step)
            })
            .collect();
        self.values = start;
        let length = self.length(around, &carried, &steps);
        self.take_steps(&carried, &steps, length.as_ref());
        let head = self.values.clone();
        self.inside(body);
        self.values = head;
        // This is the state after the loop, following an unknown number of iterations.
        self.take_steps(&carried, &steps, length.as_ref());
    }

    /// Returns the number of iterations of a loop from its start, as far as a launch can compute
    /// it, and the position of the counter among the carried variables.
    fn length(
        &mut self,
        around: &Loop,
        carried: &[LocalId],
        steps: &[Option<Number>],
    ) -> Option<(Length, Option<usize>)> {
        let bounds = match around {
            Loop::For(trip) => {
                let length = self.known.lengths[(*trip)?].clone();
                return length.map(|length| {
                    let behind = true;
                    (Length { behind, ..length }, None)
                });
            }
            Loop::While(bounds) => bounds,
        };
        bounds.iter().find_map(|bound| {
            let index = carried.iter().position(|local| *local == bound.counter)?;
            let step = steps[index].clone()?;
            let Some(Value::Number(start)) = self.values[bound.counter.index()].clone() else {
                return None;
            };
            // A variable that the loop assigns may have another value in each iteration.
            let mut reads = false;
            each_expr(&self.kernel.exprs, bound.end, &mut |_, part| {
                reads |= matches!(part.kind, ExprKind::Local(local) if carried.contains(&local));
            });
            if reads {
                return None;
            }
            let end = self.pure(bound.end);
            let last = Number::constant(i128::from(bound.inclusive));
            let (distance, stride) = if bound.descends {
                (start.minus(&end), step.scaled(-1))
            } else {
                (end.minus(&start), step)
            };
            let distance = distance.plus(&last);
            program(&distance, 32, &self.known)?;
            let behind = true;
            let length = Length {
                distance,
                stride,
                behind,
            };
            Some((length, Some(index)))
        })
    }

    /// Gives carried variables the value that they have after an unknown number of steps.
    ///
    /// The length of a `while` loop is right only if its counter does not wrap around, since the
    /// loop would otherwise continue. The values of all carried variables rely on that.
    fn take_steps(
        &mut self,
        carried: &[LocalId],
        steps: &[Option<Number>],
        length: Option<&(Length, Option<usize>)>,
    ) {
        let counter = length.and_then(|(_, counter)| *counter);
        let mut length = length.map(|(length, _)| length);
        let mut counted = Number::default();
        let others = (0..carried.len()).filter(|&position| Some(position) != counter);
        for position in counter.into_iter().chain(others) {
            let index = carried[position].index();
            let ty = self.kernel.local(carried[position]).ty.clone();
            let value = match (&self.values[index], &steps[position]) {
                (Some(Value::Number(start)), Some(step)) => {
                    let start = start.clone();
                    let trip = self.trip(None);
                    let number = start.plus(&step.times(&trip));
                    let before = self.known.lengths.len() - 1;
                    self.known.lengths[before] = length.cloned();
                    let mut value = match &ty {
                        Ty::Scalar(Elem::Known(scalar)) if scalar.is_integer() => {
                            self.wrapped_to(*scalar, number.clone())
                        }
                        _ => number.clone(),
                    };
                    if Some(position) == counter {
                        if value != number {
                            // The word differs from the number, so the counter may wrap around.
                            self.known.lengths[before] = None;
                            length = None;
                        }
                        counted = value.clone();
                    }
                    value = value.needing_as(&counted).anchored();
                    Value::Number(value)
                }
                _ => self.unknown(&ty, false),
            };
            self.values[index] = Some(value);
        }
    }
}

/// Returns `true` if every factor of a product is at least 1.
fn is_positive(atoms: &[Atom]) -> bool {
    atoms.iter().all(Atom::is_positive)
}

fn is_uniform(value: &Value) -> bool {
    match value {
        Value::Number(number) | Value::Truth(_, _, number) => number.is_uniform(),
        Value::Tuple(parts) => parts.iter().all(is_uniform),
    }
}

/// Returns the number of elements between the starts of consecutive tiles.
fn step(view: &PartitionTy, axis: usize) -> i64 {
    match &view.layout {
        ViewLayout::Partition => view.tile[axis],
        ViewLayout::Strided(steps) => steps[axis],
        ViewLayout::Gather(_) => 1,
    }
}

fn spans(view: &PartitionTy, index: &[Number]) -> Vec<Span> {
    let mut spans = vec![Span::anywhere(); view.tensor.rank];
    for (axis, number) in index.iter().enumerate() {
        spans[view.order[axis]] = Span {
            start: Some(number.clone()),
            step: step(view, axis),
            len: view.tile[axis],
        };
    }
    spans
}

fn truth(value: bool) -> Value {
    let number = Number::constant(i128::from(value));
    Value::Truth(Facts::new(), Facts::new(), number)
}

/// Returns the value of a condition, if it is constant.
fn condition(value: &Value) -> Option<i128> {
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

/// Returns a quotient or remainder, rounded towards zero.
fn quotient(number: &Number, by: &Number, atom: Atom) -> Option<Number> {
    match (number.value(), by.value()) {
        (_, Some(0)) => None,
        (Some(a), Some(b)) => Some(Number::constant(match atom {
            Atom::Div(..) => a / b,
            _ => a % b,
        })),
        _ => Some(Number::atom(atom)),
    }
}

/// Returns `axis` and `value` of `block_id(axis) == value`, given the difference of both sides.
fn position(difference: &Number) -> Option<(usize, Number)> {
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

/// Returns upper bounds of a number.
fn ends(number: &Number) -> Vec<Number> {
    let mut bounds = vec![number.clone()];
    let mut terms = number.terms();
    if let (Some((monomial, 1)), None) = (terms.next(), terms.next())
        && let [Atom::Min(a, b)] = &monomial[..]
    {
        bounds.extend(ends(a));
        bounds.extend(ends(b));
    }
    bounds
}
