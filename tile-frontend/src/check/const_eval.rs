//! Evaluates calls of `const fn` with constants, and blocks in the values of constants.
//!
//! In: an expression whose parts are checked. Out: its value, computed exactly, as rustc does at
//! compile time. A value that does not fit its type is an error. Operations on floats, tiles and
//! memory have no value here.

use super::Checker;
use super::types::Kind;
use crate::hir::signature::HostScalar;
use crate::hir::{
    Adapter, Block, Const, Elem, ExprId, ExprKind, LocalId, MathOp, Range, Stmt, TargetId, Ty,
};
use crate::parse::ast::BinaryOp;
use std::collections::BTreeMap;

/// Maximum number of expressions that one constant may take.
const STEPS: u32 = 1 << 20;

/// A value at compile time.
#[derive(Clone, Debug)]
enum Val {
    Const(Const),
    Tuple(Vec<Val>),
}

/// The reason why an expression has no value.
enum Stop {
    /// A jump that leaves a target with a value.
    Exit(TargetId, Val),
    /// A jump to the next iteration.
    Continue(TargetId),
    /// Not a constant.
    Unknown,
    /// An error that rustc reports.
    EvalError(EvalError),
}

/// An error that rustc reports while it evaluates a constant.
pub(super) struct EvalError {
    /// The expression with the error.
    pub(super) expr: ExprId,
    /// The message.
    pub(super) message: String,
}

type Outcome = Result<Val, Stop>;

impl Checker<'_> {
    /// Evaluates an expression; `Ok(None)` if it is not a constant.
    pub(super) fn compute(&self, id: ExprId) -> Result<Option<Const>, EvalError> {
        let mut machine = Machine {
            checker: self,
            values: BTreeMap::new(),
            steps: 0,
        };
        match machine.expr(id) {
            Ok(Val::Const(value)) => Ok(Some(value)),
            Ok(Val::Tuple(_)) | Err(Stop::Unknown | Stop::Exit(..) | Stop::Continue(_)) => Ok(None),
            Err(Stop::EvalError(error)) => Err(error),
        }
    }
}

struct Machine<'c, 'a> {
    checker: &'c Checker<'a>,
    values: BTreeMap<LocalId, Val>,
    steps: u32,
}

fn unit() -> Val {
    Val::Tuple(Vec::new())
}

fn integer(value: &Val) -> Result<i128, Stop> {
    match value {
        Val::Const(Const::Int(value)) => Ok(*value),
        Val::Const(Const::Bool(_)) | Val::Tuple(_) => Err(Stop::Unknown),
    }
}

impl Machine<'_, '_> {
    /// Returns the type of a number; a literal without a type is an `i32`.
    fn scalar(&self, id: ExprId) -> Option<HostScalar> {
        match self.checker.ty(id) {
            Ty::Scalar(Elem::Known(scalar)) => Some(scalar),
            Ty::Scalar(elem) if self.checker.kind_of(elem) == Kind::Integer => {
                Some(HostScalar::I32)
            }
            _ => None,
        }
    }

    fn error(expr: ExprId, message: impl Into<String>) -> Stop {
        Stop::EvalError(EvalError {
            expr,
            message: message.into(),
        })
    }

    /// Returns the value, or an error if it does not fit the type of the expression.
    fn fitting(&self, id: ExprId, value: Const) -> Outcome {
        if let (Const::Int(number), Some(scalar)) = (value, self.scalar(id))
            && !scalar.holds(number)
        {
            return Err(Self::error(
                id,
                format!(
                    "this is {number}, which does not fit into `{}`",
                    scalar.name()
                ),
            ));
        }
        Ok(Val::Const(value))
    }

    fn constant(&mut self, id: ExprId) -> Result<Const, Stop> {
        match self.expr(id)? {
            Val::Const(value) => Ok(value),
            Val::Tuple(_) => Err(Stop::Unknown),
        }
    }

    fn truth(&mut self, id: ExprId) -> Result<bool, Stop> {
        match self.constant(id)? {
            Const::Bool(value) => Ok(value),
            Const::Int(_) => Err(Stop::Unknown),
        }
    }

    fn expr(&mut self, id: ExprId) -> Outcome {
        self.steps += 1;
        if self.steps > STEPS {
            return Err(Self::error(id, "this takes too long to compute"));
        }
        let expr = &self.checker.exprs[id.index()];
        match &expr.kind {
            ExprKind::Int(value) => self.fitting(id, Const::Int(*value)),
            ExprKind::Bool(value) => Ok(Val::Const(Const::Bool(*value))),
            ExprKind::Local(local) => match self.values.get(local) {
                Some(value) => Ok(value.clone()),
                None => self.checker.locals[local.index()]
                    .constant
                    .map(Val::Const)
                    .ok_or(Stop::Unknown),
            },
            ExprKind::Unary(op, value) => {
                let value = self.constant(*value)?;
                let scalar = self.scalar(id);
                let result = super::consts::unary(*op, value, scalar).ok_or(Stop::Unknown)?;
                self.fitting(id, result)
            }
            ExprKind::Binary(op, lhs, rhs) => self.binary(id, *op, *lhs, *rhs),
            ExprKind::ShortCircuit(op, lhs, rhs) => {
                let left = self.truth(*lhs)?;
                let done = if *op == BinaryOp::And { !left } else { left };
                let value = if done { left } else { self.truth(*rhs)? };
                Ok(Val::Const(Const::Bool(value)))
            }
            ExprKind::Cast(value) => {
                let value = self.constant(*value)?;
                let target = self.scalar(id).ok_or(Stop::Unknown)?;
                let value = super::consts::cast(value, target).ok_or(Stop::Unknown)?;
                Ok(Val::Const(value))
            }
            ExprKind::Math(op @ (MathOp::Max | MathOp::Min), args) => {
                let [lhs, rhs] = args.as_slice() else {
                    return Err(Stop::Unknown);
                };
                let lhs = integer(&self.expr(*lhs)?)?;
                let rhs = integer(&self.expr(*rhs)?)?;
                let value = if *op == MathOp::Max {
                    lhs.max(rhs)
                } else {
                    lhs.min(rhs)
                };
                Ok(Val::Const(Const::Int(value)))
            }
            ExprKind::Tuple(parts) => {
                let parts: Result<Vec<Val>, Stop> =
                    parts.iter().map(|part| self.expr(*part)).collect();
                parts.map(Val::Tuple)
            }
            ExprKind::Field(value, index) => match self.expr(*value)? {
                Val::Tuple(parts) => parts.get(*index).cloned().ok_or(Stop::Unknown),
                Val::Const(_) => Err(Stop::Unknown),
            },
            ExprKind::Block(block) => self.block(block),
            ExprKind::Breakable(target, block) => match self.block(block) {
                Err(Stop::Exit(exit, value)) if exit == *target => Ok(value),
                other => other,
            },
            ExprKind::If(cond, then, other) => {
                if self.truth(*cond)? {
                    self.block(then)
                } else {
                    match other {
                        Some(other) => self.block(other),
                        None => Ok(unit()),
                    }
                }
            }
            ExprKind::Loop(target, body) => loop {
                self.steps += 1;
                if self.steps > STEPS {
                    return Err(Self::error(id, "this takes too long to compute"));
                }
                match self.block(body) {
                    Err(Stop::Exit(exit, value)) if exit == *target => return Ok(value),
                    Err(Stop::Continue(next)) if next == *target => {}
                    Err(other) => return Err(other),
                    Ok(_) => {}
                }
            },
            ExprKind::For {
                target,
                local,
                range,
                body,
            } => self.for_loop(*target, *local, range, body),
            ExprKind::Exit(target, value) => {
                let value = match value {
                    Some(value) => self.expr(*value)?,
                    None => unit(),
                };
                Err(Stop::Exit(*target, value))
            }
            ExprKind::Continue(target) => Err(Stop::Continue(*target)),
            ExprKind::Assign(local, value) => {
                let value = self.expr(*value)?;
                self.values.insert(*local, value);
                Ok(unit())
            }
            // All other operations exist only at run time.
            _ => Err(Stop::Unknown),
        }
    }

    fn binary(&mut self, id: ExprId, op: BinaryOp, lhs: ExprId, rhs: ExprId) -> Outcome {
        let scalar = self.scalar(id);
        let left = self.constant(lhs)?;
        let right = self.constant(rhs)?;
        match (op, right) {
            (BinaryOp::Div | BinaryOp::Rem, Const::Int(0)) => {
                return Err(Self::error(id, "an integer is divided by zero"));
            }
            (BinaryOp::Shl | BinaryOp::Shr, Const::Int(amount)) => {
                let bits = self.scalar(lhs).map_or(64, HostScalar::bits);
                if !(0..i128::from(bits)).contains(&amount) {
                    return Err(Self::error(
                        id,
                        format!("a number of {bits} bits is shifted by {amount}"),
                    ));
                }
            }
            _ => {}
        }
        let result = super::consts::binary(op, left, right, scalar).ok_or(Stop::Unknown)?;
        self.fitting(id, result)
    }

    fn block(&mut self, block: &Block) -> Outcome {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Bind(local, value) => {
                    let value = self.expr(*value)?;
                    self.values.insert(*local, value);
                }
                Stmt::Declare(_) => {}
                Stmt::Expr(value) => {
                    self.expr(*value)?;
                }
            }
        }
        match block.tail {
            Some(tail) => self.expr(tail),
            None => Ok(unit()),
        }
    }

    fn for_loop(
        &mut self,
        target: TargetId,
        local: LocalId,
        range: &Range,
        body: &Block,
    ) -> Outcome {
        let low = integer(&self.expr(range.low)?)?;
        let high = integer(&self.expr(range.high)?)?;
        let high = if range.inclusive { high + 1 } else { high };
        // The first value, the step, and the number of iterations.
        let (mut first, mut step, mut count) = (low, 1_i128, (high - low).max(0));
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev => {
                    first += step * (count - 1).max(0);
                    step = -step;
                }
                Adapter::StepBy(by) => {
                    let by = integer(&self.expr(*by)?)?;
                    if by <= 0 {
                        return Err(Stop::Unknown);
                    }
                    count = (count + by - 1) / by;
                    step *= by;
                }
            }
        }
        for trip in 0..count {
            let value = Val::Const(Const::Int(first + step * trip));
            self.values.insert(local, value);
            match self.block(body) {
                Err(Stop::Exit(exit, value)) if exit == target => return Ok(value),
                Err(Stop::Continue(next)) if next == target => {}
                Err(other) => return Err(other),
                Ok(_) => {}
            }
            self.steps += 1;
            if self.steps > STEPS {
                return Err(Self::error(range.high, "this takes too long to compute"));
            }
        }
        Ok(unit())
    }
}
