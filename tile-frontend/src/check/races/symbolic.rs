//! Executes a kernel symbolically and records its stores.

mod arithmetic;
mod condition;
mod repeat;
mod stores;

use self::condition::truth;
use self::stores::step;
use super::bound::{self, Loop};
use super::disjoint::Place;
use super::known::Known;
use super::needs::Guard;
use super::number::{Atom, Number, words};
use crate::hir::signature::HostScalar;
use crate::hir::walk::{Jump, Outcome, Part};
use crate::hir::{Block, Elem, ExprId, ExprKind, Kernel, LocalId, Stmt, Ty};
use std::collections::{BTreeMap, BTreeSet};

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

/// The atoms of the largest number that is known. In a chain such as `x ^= x << 5; x = x * x + 1;` each number may have twice as many
/// as the one before, or their square.
const MAX_SIZE: usize = 200;

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

    /// Returns the guards under which this point is reached: conditions that hold and loops that
    /// run.
    fn guards(&self) -> Vec<Guard> {
        let under = self.under.iter();
        let under = under.map(|(condition, holds)| Guard::Holds(condition.clone(), *holds));
        under
            .chain(self.around.iter().map(|&trip| Guard::Runs(trip)))
            .collect()
    }

    fn expr(&mut self, id: ExprId) -> Value {
        match self.value(id) {
            Value::Number(number) if number.size() > MAX_SIZE => {
                self.unknown(&self.kernel.expr(id).ty, number.is_uniform())
            }
            value => value,
        }
    }

    fn value(&mut self, id: ExprId) -> Value {
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
            ExprKind::Cast(value) => self.cast(id, *value),
            ExprKind::Unary(op, value) => self.unary(id, *op, *value),
            ExprKind::Binary(op, lhs, rhs) => self.binary(id, *op, *lhs, *rhs),
            ExprKind::ShortCircuit(op, lhs, rhs) => self.short_circuit(*op, *lhs, *rhs),
            ExprKind::Math(op, args) if self.scalar(id).is_some_and(HostScalar::is_integer) => {
                self.integer_math(*op, args)
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
                self.store_tile(id, *view, index, *value);
                unit()
            }
            ExprKind::Load(view, index) => self.load_tile(id, *view, index),
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
                self.for_loop(*target, *local, range, body);
                unit()
            }
            ExprKind::Loop(target, body) => {
                let bounds = bound::find(kernel, *target, body);
                self.repeated(Jump::Continue(*target), body, &Loop::While(bounds));
                self.unknown(&expr.ty, false)
            }
            ExprKind::Breakable(_, block) => {
                self.skippable(block);
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
                    self.skippable(block);
                    uniform = false;
                }
            }
        }
        self.unknown(&expr.ty, uniform)
    }

    /// Executes a block that may be skipped or left early.
    fn skippable(&mut self, block: &Block) {
        let before = self.values.clone();
        self.inside(block);
        let outcome = Outcome::from_block(&self.kernel.exprs, block);
        self.forget(&outcome.assigned, &before);
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
}

fn is_uniform(value: &Value) -> bool {
    match value {
        Value::Number(number) | Value::Truth(_, _, number) => number.is_uniform(),
        Value::Tuple(parts) => parts.iter().all(is_uniform),
    }
}
