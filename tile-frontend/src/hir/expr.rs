//! Typed expressions, statements and variables.

use super::math::MathOp;
use super::memory::Memory;
use super::tile_op::{ReduceOp, TileOp};
use super::ty::Ty;
use crate::parse::ast::{BinaryOp, UnaryOp};
use tile_core::Loc;

/// The handle of an expression of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ExprId(u32);

/// The handle of a variable of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LocalId(u32);

/// The handle of a loop, block or function that a jump can leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TargetId(u32);

macro_rules! index {
    ($Id:ident) => {
        impl $Id {
            /// Returns the handle of entry `index` of its arena.
            pub(crate) fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a kernel is smaller than 2^32 nodes"))
            }

            /// Returns the index in its arena.
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
    /// The name as written; empty for a variable that the compiler introduced.
    pub(crate) name: String,
    /// Its type.
    pub(crate) ty: Ty,
    /// `true` if it may be assigned.
    pub(crate) mutable: bool,
    /// The location of the declaration.
    pub(crate) loc: Loc,
    /// The number of loops and branches that enclose the declaration.
    pub(crate) depth: usize,
    /// Its value, if it is known at compile time.
    pub(crate) constant: Option<Const>,
    /// `true` if it is declared without a value.
    pub(crate) deferred: bool,
}

/// A value known at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Const {
    /// An integer of any type.
    Int(i128),
    /// A boolean.
    Bool(bool),
}

/// A typed expression.
#[derive(Debug)]
pub(crate) struct Expr {
    /// The kind of the expression.
    pub(crate) kind: ExprKind,
    /// Its type.
    pub(crate) ty: Ty,
    /// The location of the expression.
    pub(crate) loc: Loc,
}

/// A float, rounded to `f64` and to `f32` separately: an `f32` that was first rounded to `f64`
/// could differ from the value that rustc reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Float {
    /// The `f64` nearest to the literal.
    pub(crate) double: f64,
    /// The `f32` nearest to the literal.
    pub(crate) single: f32,
}

impl Float {
    /// Parses a decimal number.
    pub(crate) fn parse(digits: &str) -> Option<Float> {
        Some(Float {
            double: digits.parse().ok()?,
            single: digits.parse().ok()?,
        })
    }

    /// Creates a float from any `f64`.
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
    /// All statements before the value.
    pub(crate) stmts: Vec<Stmt>,
    /// The value.
    pub(crate) tail: Option<ExprId>,
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stmt {
    /// Declares a variable with a value.
    Bind(LocalId, ExprId),
    /// Declares a variable without a value.
    Declare(LocalId),
    /// An expression that is evaluated for its effect.
    Expr(ExprId),
}

/// The range of a `for` loop.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    /// The first value.
    pub(crate) low: ExprId,
    /// The end.
    pub(crate) high: ExprId,
    /// `true` if the end belongs to the range.
    pub(crate) inclusive: bool,
    /// The methods after the range, in order.
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

/// The kind of an expression.
#[derive(Debug)]
pub(crate) enum ExprKind {
    /// An integer.
    Int(i128),
    /// A float.
    Float(Float),
    /// A boolean.
    Bool(bool),
    /// A variable.
    Local(LocalId),
    /// A prefix operator, elementwise.
    Unary(UnaryOp, ExprId),
    /// An infix operator other than `&&` and `||`, elementwise.
    Binary(BinaryOp, ExprId, ExprId),
    /// `&&` (`true`) or `||`, which evaluates its right side only if needed.
    ShortCircuit(BinaryOp, ExprId, ExprId),
    /// A conversion to the element type of the result.
    Cast(ExprId),
    /// A broadcast of a scalar or of axes of size 1 to the shape of the result.
    Stretch(ExprId),
    /// A reshape with the same number of elements.
    Reshape(ExprId),
    /// A transposition: result axis `i` is source axis `permutation[i]`.
    Permute(ExprId, Vec<usize>),
    /// A mathematical function, elementwise.
    Math(MathOp, Vec<ExprId>),
    /// A reduction along an axis.
    Reduce(ReduceOp, ExprId, usize),
    /// The numbers 0, 1, 2, ..
    Iota,
    /// An elementwise choice: mask, value if true, value if false.
    Select(ExprId, ExprId, ExprId),
    /// `acc + lhs · rhs`.
    Mma(ExprId, ExprId, ExprId),
    /// The index of this block along an axis of the grid.
    BlockId(usize),
    /// The extent of the grid along an axis.
    NumBlocks(usize),
    /// The extent of a tensor along an axis.
    Dim(ExprId, usize),
    /// The number of tiles of a partition along an axis.
    NumTiles(ExprId, usize),
    /// A view of a tensor as tiles, as the result type specifies.
    Partition(ExprId),
    /// Loads a tile of a partition.
    Load(ExprId, Vec<ExprId>),
    /// Stores a tile to a partition: view, index, tile.
    Store(ExprId, Vec<ExprId>, ExprId),
    /// A body that runs for each point of the ranges, in any order.
    Parallel(Box<Parallel>),
    /// Another access to memory, or a pointer computation.
    Memory(Memory),
    /// A tuple.
    Tuple(Vec<ExprId>),
    /// An element of a tuple.
    Field(ExprId, usize),
    /// A block.
    Block(Block),
    /// `if`; without `else` its value is `()`.
    If(ExprId, Block, Option<Block>),
    /// `for local in range`.
    For {
        /// The target of `break` and `continue`.
        target: TargetId,
        /// The loop variable.
        local: LocalId,
        /// The range of the loop.
        range: Range,
        /// The body.
        body: Block,
    },
    /// A body that repeats until an [`ExprKind::Exit`].
    Loop(TargetId, Block),
    /// A block that an [`ExprKind::Exit`] may leave early with a value.
    Breakable(TargetId, Block),
    /// Leaves a loop or block, or the kernel, with an optional value.
    Exit(TargetId, Option<ExprId>),
    /// Continues with the next iteration of a loop.
    Continue(TargetId),
    /// `local = value`.
    Assign(LocalId, ExprId),
    /// Another operation on tiles and numbers.
    Op(TileOp),
    /// An expression that was reported as wrong.
    Error,
}

/// A parallel loop.
#[derive(Debug)]
pub(crate) struct Parallel {
    /// The loop variables.
    pub(crate) locals: Vec<LocalId>,
    /// The first value and the exclusive end of each range.
    pub(crate) ranges: Vec<[ExprId; 2]>,
    /// The work and the value of an iteration.
    pub(crate) body: ExprId,
    /// The initial value of the reduction; a tuple if several values are reduced.
    pub(crate) init: Option<ExprId>,
    /// One combination for each element of the value; empty for a loop without a result.
    pub(crate) combine: Vec<Combination>,
}

/// The combination of two values into one.
#[derive(Debug)]
pub(crate) struct Combination {
    /// The left operand.
    pub(crate) left: LocalId,
    /// The right operand.
    pub(crate) right: LocalId,
    /// The combination of both.
    pub(crate) value: ExprId,
}
