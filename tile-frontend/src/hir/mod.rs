//! The typed kernel: every name is resolved, and every type and shape is known.
//!
//! One [`Kernel`] is one instance: type and const parameters have become types and numbers.
//! Expressions and variables are in arenas.
//!
//! Invariants of a kernel that `check` returns: no [`ty::Elem::Var`] and no [`ty::Ty::Error`]
//! remains; the operands of an elementwise operation have one shape (by [`ExprKind::Stretch`] where
//! needed) and, except for shifts, one element type; every operation is legal for its element type.

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
    /// The location of the name.
    pub(crate) loc: Loc,
    /// The variables of the value parameters, in order.
    pub(crate) params: Vec<LocalId>,
    /// Every variable.
    pub(crate) locals: Vec<Local>,
    /// Every expression.
    pub(crate) exprs: Vec<Expr>,
    /// The statements.
    pub(crate) body: Block,
    /// The conditions on arguments that every launch checks; they do not contradict each other.
    pub(crate) facts: Vec<fact::Fact>,
    /// The axes of the grid along which only one block is allowed.
    pub(crate) single: [bool; 3],
    /// The maximum number of blocks along each axis of the grid, if it is below the hardware limit.
    pub(crate) max_blocks: [Option<u32>; 3],
    /// Further claims about numbers in the kernel that a launch checks.
    pub(crate) claims: Vec<claims::Claimed>,
    /// The tensors whose tiles the grid of the attribute counts.
    pub(crate) grid: Vec<GridTiles>,
    /// The target of `return`.
    pub(crate) target: TargetId,
    /// The types of the values that jumps carry, by target.
    pub(crate) targets: Vec<Ty>,
}

impl Kernel {
    /// Returns an expression.
    pub(crate) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// Returns a variable.
    pub(crate) fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }
}
