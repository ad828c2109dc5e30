//! Assumptions and printing.

use super::Generator;
use crate::ir::{AssumePredicate, Attr};
use crate::ops::{MiscOp, Version};
use crate::types::{Element, Scalar, Type, TypeKind};

impl Generator<'_, '_, '_> {
    pub(super) fn misc(&mut self, opcode: MiscOp) {
        match opcode {
            MiscOp::Assume => self.assume(),
            MiscOp::PrintTko => self.print(),
            MiscOp::Ptx | MiscOp::PtxPure => unreachable!("these have no bytecode"),
        }
    }

    fn assume(&mut self) {
        let is_view = |ty: Type| ty.as_tensor_view().is_some();
        if self.random.one_in(4)
            && let Some((ty, value)) = self.pool.find(&mut self.random, is_view)
        {
            debug_assert!(matches!(ty.kind(), TypeKind::TensorView(_)));
            let divisor = self.divisor();
            let predicate = AssumePredicate::DivBy {
                divisor,
                every: None,
                along: None,
            };
            let loc = self.loc();
            let value = self.builder.assume(value, predicate, loc);
            self.pool.add(ty, value);
            return;
        }
        let ty = self.tile_type(|element| match element {
            Element::Scalar(scalar) => scalar.is_integer(),
            Element::Ptr(_) => true,
        });
        let tile = ty.as_tile().expect("a tile");
        let value = self.value(ty);
        let predicate = match (self.random.below(3), tile.element) {
            (0, Element::Scalar(scalar)) => self.bounded(scalar),
            (1, _) => {
                let sizes = tile.shape.iter().map(|&dim| self.up_to(dim)).collect();
                AssumePredicate::SameElements(sizes)
            }
            _ => self.div_by(&tile.shape),
        };
        let loc = self.loc();
        let value = self.builder.assume(value, predicate, loc);
        self.pool.add(ty, value);
    }

    /// Returns a number from 0 to `most`.
    fn up_to(&mut self, most: i64) -> i64 {
        let below = self.random.bits() % (most.cast_unsigned() + 1);
        below.cast_signed()
    }

    fn divisor(&mut self) -> u64 {
        match self.random.below(8) {
            0 => 1 << self.random.below(63),
            _ => 1 << self.random.below(8),
        }
    }

    fn div_by(&mut self, shape: &[i64]) -> AssumePredicate {
        let divisor = self.divisor();
        let groups = (!shape.is_empty() && self.random.one_in(2)).then(|| {
            let along = self.random.below(shape.len());
            let every = self.up_to(shape[along]);
            (every, i64::try_from(along).expect("ranks are small"))
        });
        AssumePredicate::DivBy {
            divisor,
            every: groups.map(|(every, _)| every),
            along: groups.map(|(_, along)| along),
        }
    }

    /// Returns bounds in the signed range of `scalar`.
    fn bounded(&mut self, scalar: Scalar) -> AssumePredicate {
        let unused = 64 - scalar.bits();
        let mut bound = || (self.bits(scalar) << unused).cast_signed() >> unused;
        let (a, b) = (bound(), bound());
        let (lower, upper) = (a.min(b), a.max(b));
        let (lower, upper) = match self.random.below(4) {
            0 => (Some(lower), None),
            1 => (None, Some(upper)),
            2 => (None, None),
            _ => (Some(lower), Some(upper)),
        };
        AssumePredicate::Bounded { lower, upper }
    }

    fn print(&mut self) {
        let count = self.random.below(4);
        let mut format = String::new();
        let mut args = Vec::new();
        for _ in 0..count {
            format.push_str(&self.text());
            if self.random.one_in(4) {
                format.push_str("%%");
            }
            let ty = self.tile_type(|_| true);
            let conversions: &[&str] = match ty.as_number_tile() {
                Some((scalar, _)) if scalar.is_float() => &["%f", "%8.3f", "%e", "%G", "%a"],
                Some((scalar, _)) if scalar.bits() == 64 => &["%lld", "%llu", "%llx"],
                Some(_) => &["%d", "%i", "%u", "%x", "%X", "%o", "%-5d", "%c"],
                None => &["%p"],
            };
            format.push_str(self.random.pick(conversions));
            args.push(self.value(ty));
        }
        format.push_str(&self.text());
        let newer = self.has(Version::V13_2);
        let token = if newer {
            self.maybe_token()
        } else {
            Vec::new()
        };
        let loc = self.loc();
        let op = self
            .builder
            .op(MiscOp::PrintTko, loc)
            .operands("args", &args)
            .operands("token", &token)
            .attr("str", Attr::Str(format.into()))
            .result(Type::token())
            .finish();
        // Before 13.2 nothing may use the token.
        if newer {
            self.define(op);
        } else {
            self.discardable(op);
        }
    }
}
