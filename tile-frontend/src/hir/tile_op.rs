//! Operations on tiles and numbers other than operators and functions.

use super::expr::{Block, ExprId, LocalId};
use crate::parse::ast::BinaryOp;
use tile_core::ir::{AssumePredicate, RoundingMode};

/// An operation on tiles and numbers.
#[derive(Debug)]
pub(crate) enum TileOp {
    /// An elementwise operation with an explicit rounding mode.
    Rounded(RoundedOp, Vec<ExprId>, Mode),
    /// A conversion to the element type of the result with an explicit rounding mode.
    CastWith(ExprId, RoundingMode),
    /// A conversion to the nearest finite number of the element type of the result.
    SaturatingCast(ExprId),
    /// Sine and cosine, as a tuple.
    SinCos(ExprId),
    /// An integer operation that does not overflow, as the author promises.
    Unchecked(BinaryOp, ExprId, ExprId),
    /// A shift by less than the width, as the author promises.
    UncheckedShift(BinaryOp, ExprId, ExprId),
    /// The same bits, reinterpreted as another element type.
    BitCast(ExprId),
    /// The slice with the shape of the result, at an index that counts slices.
    Extract(ExprId, Vec<ExprId>),
    /// The elements of a tile at indices along an axis, in the shape of the indices; zero for
    /// indices out of range.
    Take(ExprId, ExprId, usize),
    /// The concatenation of two tiles along an axis.
    Cat(ExprId, ExprId, usize),
    /// A scan: the combination of every prefix of an axis.
    Scan(ReduceOp, ExprId, usize, Direction),
    /// The position of the maximum (`Max`) or minimum element along an axis.
    Arg(ReduceOp, ExprId, usize),
    /// A reduction or scan with a closure.
    Fold(Box<Fold>),
    /// `acc + lhs · rhs` with scales: lhs, its scales, rhs, its scales, acc.
    MmaScaled([ExprId; 5]),
    /// Four words of Philox 4x32-10, as a tuple.
    Philox {
        /// The key, low word first.
        key: [ExprId; 2],
        /// The counter, low word first.
        counter: [ExprId; 4],
    },
    /// One random number per offset: seed, offsets.
    Random(RandomOp, ExprId, ExprId),
    /// Prints values in the format of `printf`, which is built once the types are known.
    Print(String, Vec<ExprId>),
    /// Aborts the launch with the message if an element is false.
    Assert(ExprId, String),
    /// The value, with a predicate that the author promises.
    Assume(ExprId, AssumePredicate),
    /// Inline PTX; its value is a tuple unless it has one output.
    Ptx(Box<Ptx>),
    /// `true` in the code of the CPU device; a constant in each variant.
    OnCpu,
}

/// Inline PTX.
#[derive(Debug)]
pub(crate) struct Ptx {
    /// The text.
    pub(crate) text: Vec<PtxPiece>,
    /// The operands that the text refers to.
    pub(crate) operands: Vec<PtxOperand>,
    /// The inputs, of one shape.
    pub(crate) ins: Vec<ExprId>,
    /// The number of elements that one execution of the text processes.
    pub(crate) pack: usize,
    /// `true` if the outputs depend on the inputs alone and the text has no other effect.
    pub(crate) pure: bool,
}

/// A piece of inline PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PtxPiece {
    /// Text as written, with braces doubled.
    Text(String),
    /// A register of an operand.
    Register {
        /// The index of the operand.
        operand: usize,
        /// The index of one of its registers.
        register: usize,
    },
}

/// The kind of an operand of inline PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PtxOperand {
    /// An input, by its index among the inputs.
    In(usize),
    /// An output, by its index among the outputs.
    Out(usize),
    /// Both an input and an output: a register whose initial value is the input.
    InOut {
        /// The index of the input.
        input: usize,
        /// The index of the output.
        output: usize,
    },
    /// A number that is already part of the text.
    Const,
}

/// An operation with an explicit rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoundedOp {
    /// `add_with`
    Add,
    /// `sub_with`
    Sub,
    /// `mul_with`
    Mul,
    /// `div_with`, also of integers
    Div,
    /// `sqrt_with`
    Sqrt,
    /// `mul_add_with`
    MulAdd,
    /// `tanh_with`
    Tanh,
    /// `exp_with`
    Exp,
}

/// The rounding of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    /// The rounding mode.
    pub(crate) rounding: RoundingMode,
    /// `true` if subnormal numbers are flushed to zero.
    pub(crate) flush: bool,
}

impl RoundedOp {
    /// Returns the name for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RoundedOp::Add => "add_with",
            RoundedOp::Sub => "sub_with",
            RoundedOp::Mul => "mul_with",
            RoundedOp::Div => "div_with",
            RoundedOp::Sqrt => "sqrt_with",
            RoundedOp::MulAdd => "mul_add_with",
            RoundedOp::Tanh => "tanh_with",
            RoundedOp::Exp => "exp_with",
        }
    }

    /// Returns the supported modes, and `true` if the operation can flush subnormal numbers.
    pub(crate) fn modes(self) -> (&'static [RoundingMode], bool) {
        use RoundingMode as R;
        const IEEE: &[RoundingMode] = &[R::NearestEven, R::Zero, R::NegativeInf, R::PositiveInf];
        match self {
            RoundedOp::Add | RoundedOp::Sub | RoundedOp::Mul | RoundedOp::MulAdd => (IEEE, true),
            RoundedOp::Div => (
                &[
                    R::NearestEven,
                    R::Zero,
                    R::NegativeInf,
                    R::PositiveInf,
                    R::Approx,
                    R::Full,
                ],
                true,
            ),
            RoundedOp::Sqrt => (
                &[
                    R::NearestEven,
                    R::Zero,
                    R::NegativeInf,
                    R::PositiveInf,
                    R::Approx,
                ],
                true,
            ),
            RoundedOp::Tanh | RoundedOp::Exp => (&[R::Approx, R::Full], false),
        }
    }
}

/// A distribution of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RandomOp {
    /// `u32`, uniformly distributed.
    Bits,
    /// `f32`, uniformly distributed from 0 to below 1.
    Uniform,
    /// `f32`, normally distributed with mean 0 and variance 1.
    Normal,
}

/// The direction of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From the first element.
    Forward,
    /// From the last element.
    Reverse,
}

/// A reduction or scan with a closure.
#[derive(Debug)]
pub(crate) struct Fold {
    /// The direction of a scan; `None` for a reduction.
    pub(crate) scan: Option<Direction>,
    /// The operands: tiles of one shape.
    pub(crate) operands: Vec<ExprId>,
    /// The axis.
    pub(crate) axis: usize,
    /// The neutral element of the closure: one constant per operand.
    pub(crate) init: Vec<ExprId>,
    /// The accumulated values: one number per operand.
    pub(crate) before: Vec<LocalId>,
    /// The next element: one number per operand.
    pub(crate) next: Vec<LocalId>,
    /// The combination of both: a number, or a tuple with one number per operand.
    pub(crate) body: Block,
    /// `Tuple` if operands, results and arguments are tuples.
    pub(crate) form: FoldForm,
}

/// The form in which the operands of a [`Fold`] are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoldForm {
    /// One tile.
    Single,
    /// A tuple of tiles.
    Tuple,
}

/// The combination of a predefined reduction or scan along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReduceOp {
    /// `sum`
    Sum,
    /// `prod`
    Prod,
    /// `reduce_max`
    Max,
    /// `reduce_min`
    Min,
    /// `any`
    Any,
    /// `all`
    All,
}

impl ReduceOp {
    /// Returns the name for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ReduceOp::Sum => "sum",
            ReduceOp::Prod => "prod",
            ReduceOp::Max => "reduce_max",
            ReduceOp::Min => "reduce_min",
            ReduceOp::Any => "any",
            ReduceOp::All => "all",
        }
    }

    /// Returns the name of the scan for messages.
    pub(crate) fn scan_name(self, direction: Direction) -> &'static str {
        match (self, direction) {
            (ReduceOp::Sum, Direction::Forward) => "cumsum",
            (ReduceOp::Sum, Direction::Reverse) => "cumsum_rev",
            (ReduceOp::Prod, Direction::Forward) => "cumprod",
            (ReduceOp::Prod, Direction::Reverse) => "cumprod_rev",
            (ReduceOp::Max | ReduceOp::Min | ReduceOp::Any | ReduceOp::All, _) => {
                unreachable!("only sums and products have scans by name")
            }
        }
    }
}

impl TileOp {
    /// Returns `true` if the operation has an effect besides its value.
    pub(crate) fn has_effect(&self) -> bool {
        match self {
            TileOp::Print(..) | TileOp::Assert(..) => true,
            TileOp::Ptx(text) => !text.pure,
            TileOp::Rounded(..)
            | TileOp::CastWith(..)
            | TileOp::SaturatingCast(_)
            | TileOp::SinCos(_)
            | TileOp::Unchecked(..)
            | TileOp::UncheckedShift(..)
            | TileOp::BitCast(_)
            | TileOp::Extract(..)
            | TileOp::Take(..)
            | TileOp::Cat(..)
            | TileOp::Scan(..)
            | TileOp::Arg(..)
            | TileOp::Fold(_)
            | TileOp::MmaScaled(_)
            | TileOp::Philox { .. }
            | TileOp::Random(..)
            | TileOp::Assume(..)
            | TileOp::OnCpu => false,
        }
    }

    /// Returns the operands, in the order of evaluation. The closure of a fold has no access to
    /// outer variables and is not included.
    pub(crate) fn children(&self) -> Vec<ExprId> {
        match self {
            TileOp::Rounded(_, args, _) | TileOp::Print(_, args) => args.clone(),
            TileOp::CastWith(a, _)
            | TileOp::SaturatingCast(a)
            | TileOp::SinCos(a)
            | TileOp::BitCast(a)
            | TileOp::Scan(_, a, _, _)
            | TileOp::Arg(_, a, _)
            | TileOp::Assert(a, _)
            | TileOp::Assume(a, _) => vec![*a],
            TileOp::Unchecked(_, a, b)
            | TileOp::UncheckedShift(_, a, b)
            | TileOp::Take(a, b, _)
            | TileOp::Cat(a, b, _)
            | TileOp::Random(_, a, b) => vec![*a, *b],
            TileOp::Extract(a, index) => [*a].into_iter().chain(index.iter().copied()).collect(),
            TileOp::Fold(fold) => fold.operands.clone(),
            TileOp::Ptx(text) => text.ins.clone(),
            TileOp::OnCpu => Vec::new(),
            TileOp::MmaScaled(args) => args.to_vec(),
            TileOp::Philox { key, counter } => key.iter().chain(counter).copied().collect(),
        }
    }
}
