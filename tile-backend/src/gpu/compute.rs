//! Arithmetic on uniform numbers that passes add.

use super::ElementOp;
use tile_core::build::Builder;
use tile_core::ir::{ComparisonPredicate, Signedness, ValueId};
use tile_core::ops::{BitwiseOp, CoreOp, IntegerOp};
use tile_core::{Loc, Module, Scalar, Type};

/// An operation on numbers of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uniform {
    /// `a + b`, modulo the width.
    Add,
    /// `a - b`, modulo the width.
    Sub,
    /// `a * b`, modulo the width.
    Mul,
    /// `a >> b`, of unsigned numbers
    ShiftRight,
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a < b`
    Less {
        /// `true` for unsigned numbers.
        unsigned: bool,
    },
    /// `a <= b`
    AtMost {
        /// `true` for unsigned numbers.
        unsigned: bool,
    },
    /// `a == b`
    Equal,
    /// `condition ? a : b`
    Select,
}

impl Uniform {
    /// Returns the operation of tile IR on operands of type `scalar`.
    pub fn element_op(self, scalar: Scalar) -> ElementOp {
        let mut module = Module::new("scalar");
        let mut builder = Builder::new(&mut module);
        let loc = Loc::UNKNOWN;
        let ty = Type::scalar(scalar);
        let types = match self {
            Self::Select => vec![Type::scalar(Scalar::I1), ty, ty],
            _ => vec![ty, ty],
        };
        let (_, args) = builder.entry("scalar", &types, loc);
        let comparison = |builder: &mut Builder<'_>, predicate, args: &[ValueId], unsigned| {
            let signedness = if unsigned {
                Signedness::Unsigned
            } else {
                Signedness::Signed
            };
            builder.cmpi(predicate, args[0], args[1], signedness, loc)
        };
        let value = match self {
            Self::Add => builder.wrapping(IntegerOp::AddI, &args, loc),
            Self::Sub => builder.wrapping(IntegerOp::SubI, &args, loc),
            Self::Mul => builder.wrapping(IntegerOp::MulI, &args, loc),
            Self::ShiftRight => builder.signed(IntegerOp::ShrI, &args, Signedness::Unsigned, loc),
            Self::And => builder.like_first(BitwiseOp::AndI, &args, loc),
            Self::Or => builder.like_first(BitwiseOp::OrI, &args, loc),
            Self::Less { unsigned } => {
                comparison(&mut builder, ComparisonPredicate::LessThan, &args, unsigned)
            }
            Self::AtMost { unsigned } => comparison(
                &mut builder,
                ComparisonPredicate::LessThanOrEqual,
                &args,
                unsigned,
            ),
            Self::Equal => comparison(&mut builder, ComparisonPredicate::Equal, &args, true),
            Self::Select => builder
                .op(CoreOp::Select, loc)
                .args(&args)
                .result(ty)
                .finish_value(),
        };
        let id = module.defining_op(value).expect("an operation was built");
        ElementOp::from_tile_op(module.op(id))
    }
}
