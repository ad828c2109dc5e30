//! Assumptions and assertions that hold.

use super::{LOC, Maker};
use crate::ir::{AssumePredicate, Attr, ComparisonPredicate, Signedness, ValueId};
use crate::ops::{BitwiseOp, ControlFlowOp, IntegerOp};
use crate::types::{Scalar, Type};

impl Maker<'_> {
    /// Makes an assumption, or a check that succeeds.
    pub(super) fn promise(&mut self) {
        if self.random.one_in(3) {
            return self.assertion();
        }
        let ty = self.tile_type(|scalar| scalar.is_integer() && scalar != Scalar::I1);
        let (_, shape) = ty.as_number_tile().expect("numbers");
        match self.random.below(4) {
            0 => {
                let power = self.random.below(4);
                let value = self.value(ty);
                let scale = self.splat_like(value, 1 << power);
                let value = self.builder.wrapping(IntegerOp::MulI, &[value, scale], LOC);
                let divisor = 1 << self.random.below(power + 1);
                self.assume(
                    value,
                    AssumePredicate::DivBy {
                        divisor,
                        every: None,
                        along: None,
                    },
                );
            }
            1 => {
                let bits = self.random.pick(&[1, 7, 15, 63]);
                let value = self.value(ty);
                let value = self.bits_of(value, bits);
                let upper = i64::try_from(bits).expect("small");
                let bounds = self.random.below(3);
                self.assume(
                    value,
                    AssumePredicate::Bounded {
                        lower: (bounds != 0).then_some(0),
                        upper: (bounds != 1).then_some(upper + i64::from(bounds == 0)),
                    },
                );
            }
            2 if !shape.is_empty() => {
                let value = self.value(Type::scalar(ty.as_number_tile().expect("numbers").0));
                let value = self.spread(value, shape);
                self.assume(value, AssumePredicate::SameElements(shape.to_vec()));
            }
            _ => {
                // Make the same assumption twice.
                let value = self.value(ty);
                let predicate = AssumePredicate::DivBy {
                    divisor: 1,
                    every: None,
                    along: None,
                };
                let value = self.assume(value, predicate.clone());
                self.assume(value, predicate);
            }
        }
    }

    fn assume(&mut self, value: ValueId, predicate: AssumePredicate) -> ValueId {
        let value = self.builder.assume(value, predicate, LOC);
        let ty = self.builder.ty(value);
        self.pool.add(ty, value);
        value
    }

    fn assertion(&mut self) {
        let ty = self.tile_type(|scalar| scalar.is_integer() && scalar != Scalar::I1);
        let (_, shape) = ty.as_number_tile().expect("numbers");
        let value = self.value(ty);
        let condition = match self.random.below(3) {
            0 => self.splat(Scalar::I1, 1, shape),
            1 => {
                let other = self.value(Type::tile(Scalar::I1, shape));
                let ones = self.splat_like(other, 1);
                self.plain(
                    BitwiseOp::OrI,
                    &[other, ones],
                    Type::tile(Scalar::I1, shape),
                )
            }
            _ => {
                let small = self.bits_of(value, 7);
                let eight = self.splat_like(value, 8);
                let less = ComparisonPredicate::LessThan;
                let condition = self
                    .builder
                    .cmpi(less, small, eight, Signedness::Signed, LOC);
                let ty = self.builder.ty(condition);
                self.pool.add(ty, condition);
                condition
            }
        };
        let message = self.random.pick(&["holds", "is small", "never"]);
        self.builder
            .op(ControlFlowOp::Assert, LOC)
            .args(&[condition])
            .attr("message", Attr::Str(message.into()))
            .finish();
    }
}
