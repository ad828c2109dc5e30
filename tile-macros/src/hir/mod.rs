//! The typed kernel: every name resolved, every type and shape known.
//!
//! One [`Kernel`] is one instance: type and const parameters have become
//! types and numbers. Expressions and variables live in arenas.
//!
//! Invariants, once `check` has given the kernel out: no [`ty::Elem::Var`] and
//! no [`ty::Ty::Error`] is left; operands of an elementwise operation have one
//! shape (a [`ExprKind::Stretch`] makes it so) and, but for shifts, one element
//! type; every operation is legal for its element type.

pub(crate) mod claims;
pub(crate) mod counted;
pub(crate) mod expr;
pub(crate) mod fact;
pub(crate) mod math;
pub(crate) mod memory;
pub(crate) mod signature;
pub(crate) mod structure;
pub(crate) mod tile_op;
pub(crate) mod ty;
pub(crate) mod walk;

pub(crate) use expr::{
    Adapter, Block, Combination, Const, Expr, ExprId, ExprKind, Float, Local, LocalId, Parallel,
    Range, Stmt, TargetId,
};
pub(crate) use math::MathOp;
pub(crate) use memory::{AtomicMethod, AtomicOp, Memory, Ordering, Touch, Update};
pub(crate) use tile_op::{
    Direction, Fold, Mode, Ptx, PtxOperand, PtxPiece, RandomOp, ReduceOp, RoundedOp, TileOp,
};
pub(crate) use ty::{
    Elem, PartitionTy, PointerTy, StructTy, TensorTy, Ty, Value, VarId, ViewLayout,
};

use crate::grid_tiles::GridTiles;
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
    /// What every launch checks of its arguments; they do not contradict each other.
    pub(crate) facts: Vec<fact::Fact>,
    /// Axes of the grid along which there may be one block only.
    pub(crate) single: [bool; 3],
    /// The most blocks along each axis of the grid, where that is less than there may be.
    pub(crate) max_blocks: [Option<u32>; 3],
    /// What a launch checks of its numbers besides.
    pub(crate) claims: Vec<claims::Claimed>,
    /// The tensors whose tiles the grid of the attribute counts.
    pub(crate) grid: Vec<GridTiles>,
    /// What `return` leaves.
    pub(crate) target: TargetId,
    /// The types of the values that jumps leave with, by target.
    pub(crate) targets: Vec<Ty>,
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
