//! The typed kernel: every name resolved, every type and shape known.
//!
//! One [`Kernel`] is one instance: type and const parameters have become
//! types and numbers. Expressions and variables live in arenas.
//!
//! Invariants, once `check` has given the kernel out: no [`ty::Elem::Var`] and
//! no [`ty::Ty::Error`] is left; operands of an elementwise operation have one
//! shape (a [`ExprKind::Stretch`] makes it so) and, but for shifts, one element
//! type; every operation is legal for its element type.

pub(crate) mod expr;
pub(crate) mod math;
pub(crate) mod signature;
pub(crate) mod tile_op;
pub(crate) mod ty;

pub(crate) use expr::{Block, Const, Expr, ExprId, ExprKind, Float, Local, LocalId, Stmt};
pub(crate) use math::MathOp;
pub(crate) use tile_op::{Direction, Fold, Mode, RandomOp, ReduceOp, RoundedOp, TileOp};
pub(crate) use ty::{Elem, PartitionTy, TensorTy, Ty, VarId};

use tile_core::Loc;

/// A typed, monomorphic kernel.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// Its name.
    pub(crate) name: String,
    /// Where the name stands.
    pub(crate) loc: Loc,
    /// The variables of the value parameters, in order.
    pub(crate) params: Vec<LocalId>,
    /// Every variable.
    pub(crate) locals: Vec<Local>,
    /// Every expression.
    pub(crate) exprs: Vec<Expr>,
    /// The statements.
    pub(crate) body: Block,
}

impl Kernel {
    /// An expression.
    pub(crate) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// A variable.
    pub(crate) fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }
}
