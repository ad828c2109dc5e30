//! Operations of tiles and numbers beyond operators and functions.

use super::expr::{Block, ExprId, LocalId};
use crate::parse::ast::BinaryOp;
use tile_core::ir::{AssumePredicate, RoundingMode};

/// An operation of tiles and numbers.
#[derive(Debug)]
pub(crate) enum TileOp {
    /// An operation that says how it rounds, elementwise.
    Rounded(RoundedOp, Vec<ExprId>, Mode),
    /// A conversion to the element type of the result that says how it rounds.
    CastWith(ExprId, RoundingMode),
    /// A conversion to the nearest finite number of the element type of the result.
    SaturatingCast(ExprId),
    /// Sine and cosine, as a tuple.
    SinCos(ExprId),
    /// An integer operation that promises not to overflow.
    Unchecked(BinaryOp, ExprId, ExprId),
    /// A shift by less than the width, as the author promises.
    UncheckedShift(BinaryOp, ExprId, ExprId),
    /// The same bits as another element type.
    BitCast(ExprId),
    /// The slice of the shape of the result, at an index that counts slices.
    Extract(ExprId, Vec<ExprId>),
    /// The elements of a tile at indices along an axis, of the shape of the indices; zero
    /// where there is none.
    Take(ExprId, ExprId, usize),
    /// One tile after another along an axis.
    Cat(ExprId, ExprId, usize),
    /// Every prefix of an axis combined.
    Scan(ReduceOp, ExprId, usize, Direction),
    /// Where along an axis the greatest (`Max`) or least element is.
    Arg(ReduceOp, ExprId, usize),
    /// A reduction or scan by a closure.
    Fold(Box<Fold>),
    /// `acc + lhs · rhs`, with scales: lhs, its scales, rhs, its scales, acc.
    MmaScaled([ExprId; 5]),
    /// Four words of Philox 4x32-10, as a tuple.
    Philox {
        /// The key, low word first.
        key: [ExprId; 2],
        /// The counter, low word first.
        counter: [ExprId; 4],
    },
    /// A random number per offset: seed, offsets.
    Random(RandomOp, ExprId, ExprId),
    /// Prints values in the format of `printf`, which is made once the types
    /// are known.
    Print(String, Vec<ExprId>),
    /// Ends the launch with the message where an element is false.
    Assert(ExprId, String),
    /// The value, with what the author promises of it.
    Assume(ExprId, AssumePredicate),
    /// Text in PTX; a tuple unless it has one output.
    Ptx(Box<Ptx>),
    /// Whether the code is that of the CPU device, a constant of what is built.
    OnCpu,
}

/// Text in PTX.
#[derive(Debug)]
pub(crate) struct Ptx {
    /// The text.
    pub(crate) text: Vec<PtxPiece>,
    /// What the text names.
    pub(crate) operands: Vec<PtxOperand>,
    /// The inputs, of one shape.
    pub(crate) ins: Vec<ExprId>,
    /// How many elements one run of the text takes.
    pub(crate) pack: usize,
    /// Whether outputs depend on inputs alone, and nothing else is done.
    pub(crate) pure: bool,
}

/// A part of a text in PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PtxPiece {
    /// As it is, with braces doubled.
    Text(String),
    /// A register of an operand.
    Register {
        /// Which operand.
        operand: usize,
        /// Which of its registers.
        register: usize,
    },
}

/// What an operand of a text in PTX is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PtxOperand {
    /// An input, by its number among these.
    In(usize),
    /// An output, by its number among these.
    Out(usize),
    /// Both: a register that begins with the input.
    InOut {
        /// The number of the input.
        input: usize,
        /// The number of the output.
        output: usize,
    },
    /// A number that the text already has.
    Const,
}

/// What says how it rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RoundedOp {
    /// `add_with`
    Add,
    /// `sub_with`
    Sub,
    /// `mul_with`
    Mul,
    /// `div_with`, of integers too
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

/// How an operation rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    /// Which way.
    pub(crate) rounding: RoundingMode,
    /// Whether subnormal numbers become zeros.
    pub(crate) flush: bool,
}

impl RoundedOp {
    /// The methods, with their number of operands.
    pub(crate) const TABLE: [(&'static str, RoundedOp, usize); 8] = [
        ("add_with", RoundedOp::Add, 2),
        ("sub_with", RoundedOp::Sub, 2),
        ("mul_with", RoundedOp::Mul, 2),
        ("div_with", RoundedOp::Div, 2),
        ("sqrt_with", RoundedOp::Sqrt, 1),
        ("mul_add_with", RoundedOp::MulAdd, 3),
        ("tanh_with", RoundedOp::Tanh, 1),
        ("exp_with", RoundedOp::Exp, 1),
    ];

    /// The name for messages.
    pub(crate) fn name(self) -> &'static str {
        Self::TABLE
            .iter()
            .find(|(_, op, _)| *op == self)
            .map_or("", |(name, _, _)| name)
    }

    /// The modes it has, and whether it can flush.
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

/// The modes by their names in `Rounding`.
pub(crate) const ROUNDINGS: [(&str, RoundingMode); 6] = [
    ("NearestEven", RoundingMode::NearestEven),
    ("Zero", RoundingMode::Zero),
    ("NegInf", RoundingMode::NegativeInf),
    ("PosInf", RoundingMode::PositiveInf),
    ("Approx", RoundingMode::Approx),
    ("Full", RoundingMode::Full),
];

/// A distribution of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RandomOp {
    /// `u32`, all equally likely.
    Bits,
    /// `f32` from 0 to below 1.
    Uniform,
    /// `f32` of mean 0 and variance 1.
    Normal,
}

/// Which way a scan goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From the first element.
    Forward,
    /// From the last element.
    Reverse,
}

/// A reduction or scan by a closure.
#[derive(Debug)]
pub(crate) struct Fold {
    /// `None` for a reduction.
    pub(crate) scan: Option<Direction>,
    /// What is combined: tiles of one shape.
    pub(crate) operands: Vec<ExprId>,
    /// Along which axis.
    pub(crate) axis: usize,
    /// A constant per operand that the closure leaves the other value unchanged with.
    pub(crate) init: Vec<ExprId>,
    /// The combination so far, a number per operand.
    pub(crate) before: Vec<LocalId>,
    /// The next element, a number per operand.
    pub(crate) next: Vec<LocalId>,
    /// The combination with it: a number, or a tuple of one per operand.
    pub(crate) body: Block,
    /// Whether operands, results and arguments are tuples.
    pub(crate) form: FoldForm,
}

/// How the operands of a [`Fold`] are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoldForm {
    /// One tile.
    Single,
    /// A tuple of tiles.
    Tuple,
}

/// Combinations along an axis.
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
    /// The reductions.
    pub(crate) const TABLE: [(&'static str, ReduceOp); 6] = [
        ("sum", ReduceOp::Sum),
        ("prod", ReduceOp::Prod),
        ("reduce_max", ReduceOp::Max),
        ("reduce_min", ReduceOp::Min),
        ("any", ReduceOp::Any),
        ("all", ReduceOp::All),
    ];

    /// The scans.
    pub(crate) const SCANS: [(&'static str, ReduceOp, Direction); 4] = [
        ("cumsum", ReduceOp::Sum, Direction::Forward),
        ("cumprod", ReduceOp::Prod, Direction::Forward),
        ("cumsum_rev", ReduceOp::Sum, Direction::Reverse),
        ("cumprod_rev", ReduceOp::Prod, Direction::Reverse),
    ];

    /// The name for messages.
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

    /// The name of the scan for messages.
    pub(crate) fn scan_name(self, direction: Direction) -> &'static str {
        Self::SCANS
            .iter()
            .find(|(_, op, way)| *op == self && *way == direction)
            .map_or("", |(name, _, _)| name)
    }
}

impl TileOp {
    /// Whether running it does something besides giving a value.
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

    /// The expressions it is made of, in the order in which they are
    /// evaluated. The closure of a fold sees nothing of outside and is not
    /// among them.
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
