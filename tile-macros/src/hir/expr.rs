//! Typed expressions, statements and variables.

use super::math::MathOp;
use super::memory::Memory;
use super::tile_op::{ReduceOp, TileOp};
use super::ty::Ty;
use crate::parse::ast::{BinaryOp, UnaryOp};
use tile_core::Loc;

/// An expression of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ExprId(u32);

/// A variable of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LocalId(u32);

/// A loop, block or function that code can leave before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TargetId(u32);

macro_rules! index {
    ($Id:ident) => {
        impl $Id {
            /// The handle of entry `index` of its arena.
            pub(crate) fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a kernel is smaller than 2^32 nodes"))
            }

            /// The place in its arena.
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
index!(ExprId);
index!(LocalId);
index!(TargetId);

/// A variable.
#[derive(Debug)]
pub(crate) struct Local {
    /// The name as written; empty for one that the compiler made.
    pub(crate) name: String,
    /// Its type.
    pub(crate) ty: Ty,
    /// Whether it may be assigned.
    pub(crate) mutable: bool,
    /// Where it is declared.
    pub(crate) loc: Loc,
    /// How many loops and branches surround the declaration.
    pub(crate) depth: usize,
    /// Its value, where it is known at compile time.
    pub(crate) constant: Option<Const>,
    /// Whether it is declared without a value.
    pub(crate) deferred: bool,
}

/// A value known at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Const {
    /// An integer of any type.
    Int(i128),
    /// A truth value.
    Bool(bool),
}

/// A typed expression.
#[derive(Debug)]
pub(crate) struct Expr {
    /// What it is.
    pub(crate) kind: ExprKind,
    /// Its type.
    pub(crate) ty: Ty,
    /// Where.
    pub(crate) loc: Loc,
}

/// A float, rounded once to each width that Rust has: a value that went
/// through `f64` on its way to `f32` could differ from what rustc reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Float {
    /// Nearest to what is written.
    pub(crate) double: f64,
    /// Nearest to what is written.
    pub(crate) single: f32,
}

impl Float {
    /// A decimal number.
    pub(crate) fn parse(digits: &str) -> Option<Float> {
        Some(Float {
            double: digits.parse().ok()?,
            single: digits.parse().ok()?,
        })
    }

    /// Any number of `f64`.
    pub(crate) fn new(value: f64) -> Float {
        #[expect(clippy::cast_possible_truncation, reason = "this rounds, as `as` does")]
        let single = value as f32;
        Float {
            double: value,
            single,
        }
    }
}

impl std::ops::Neg for Float {
    type Output = Float;

    fn neg(self) -> Float {
        Float {
            double: -self.double,
            single: -self.single,
        }
    }
}

/// A block.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// Everything but the value.
    pub(crate) stmts: Vec<Stmt>,
    /// The value.
    pub(crate) tail: Option<ExprId>,
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stmt {
    /// A variable starts to live.
    Bind(LocalId, ExprId),
    /// A variable starts to live without a value.
    Declare(LocalId),
    /// For the effect.
    Expr(ExprId),
}

/// What a `for` loop runs over.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    /// The first value.
    pub(crate) low: ExprId,
    /// The end.
    pub(crate) high: ExprId,
    /// Whether the end belongs to the range.
    pub(crate) inclusive: bool,
    /// The methods behind the range, in order.
    pub(crate) adapters: Vec<Adapter>,
}

/// A method of a range.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Adapter {
    /// `.rev()`
    Rev,
    /// `.step_by(k)`, with a `usize`.
    StepBy(ExprId),
}

/// What an expression is.
#[derive(Debug)]
pub(crate) enum ExprKind {
    /// An integer.
    Int(i128),
    /// A float.
    Float(Float),
    /// A truth value.
    Bool(bool),
    /// A variable.
    Local(LocalId),
    /// A prefix operator, elementwise.
    Unary(UnaryOp, ExprId),
    /// An infix operator other than `&&` and `||`, elementwise.
    Binary(BinaryOp, ExprId, ExprId),
    /// `&&` (true) or `||`, which evaluates its right side only if needed.
    ShortCircuit(BinaryOp, ExprId, ExprId),
    /// To the element type of the result.
    Cast(ExprId),
    /// A scalar or size-1 axes repeated over the shape of the result.
    Stretch(ExprId),
    /// Another shape with as many elements.
    Reshape(ExprId),
    /// Result axis `i` is source axis `permutation[i]`.
    Permute(ExprId, Vec<usize>),
    /// A function of numbers, elementwise.
    Math(MathOp, Vec<ExprId>),
    /// One axis combined away.
    Reduce(ReduceOp, ExprId, usize),
    /// 0, 1, 2, ..
    Iota,
    /// Elementwise choice: mask, where true, where false.
    Select(ExprId, ExprId, ExprId),
    /// `acc + lhs · rhs`.
    Mma(ExprId, ExprId, ExprId),
    /// The place of this block in the grid.
    BlockId(usize),
    /// The extent of the grid.
    NumBlocks(usize),
    /// The extent of a tensor along an axis.
    Dim(ExprId, usize),
    /// The number of tiles of a partition along an axis.
    NumTiles(ExprId, usize),
    /// A tensor cut as the result type says.
    Partition(ExprId),
    /// A tile of a partition.
    Load(ExprId, Vec<ExprId>),
    /// A tile into a partition: view, index, tile.
    Store(ExprId, Vec<ExprId>, ExprId),
    /// A body for each point of ranges, in any order.
    Parallel(Box<Parallel>),
    /// Another access to memory, or what leads to one.
    Memory(Memory),
    /// A tuple.
    Tuple(Vec<ExprId>),
    /// A part of a tuple.
    Field(ExprId, usize),
    /// A block.
    Block(Block),
    /// `if`; without `else` its value is `()`.
    If(ExprId, Block, Option<Block>),
    /// `for local in range`.
    For {
        /// What `break` and `continue` name.
        target: TargetId,
        /// The loop variable.
        local: LocalId,
        /// What it runs over.
        range: Range,
        /// What is repeated.
        body: Block,
    },
    /// A body repeated until an [`ExprKind::Exit`].
    Loop(TargetId, Block),
    /// A block that an [`ExprKind::Exit`] may end early with a value.
    Breakable(TargetId, Block),
    /// Leaves a loop or block, or the kernel, with the value it gives.
    Exit(TargetId, Option<ExprId>),
    /// The next iteration of a loop.
    Continue(TargetId),
    /// `local = value`.
    Assign(LocalId, ExprId),
    /// An operation of tiles and numbers that is not among the above.
    Op(TileOp),
    /// Already reported.
    Error,
}

/// A parallel loop.
#[derive(Debug)]
pub(crate) struct Parallel {
    /// The loop variables.
    pub(crate) locals: Vec<LocalId>,
    /// The first number of each, and the end, which does not belong to it.
    pub(crate) ranges: Vec<[ExprId; 2]>,
    /// What an iteration does and gives.
    pub(crate) body: ExprId,
    /// What is combined with the values of the iterations; a tuple of several.
    pub(crate) init: Option<ExprId>,
    /// How, part by part; empty without a result.
    pub(crate) combine: Vec<Combination>,
}

/// How two values become one.
#[derive(Debug)]
pub(crate) struct Combination {
    /// One of them.
    pub(crate) left: LocalId,
    /// The other.
    pub(crate) right: LocalId,
    /// Both together.
    pub(crate) value: ExprId,
}
