//! Elementwise operations, generated from their rows.

use super::Generator;
use crate::ir::{Attr, IntegerOverflow, RoundingMode, Signedness};
use crate::ops::{Constraint, FloatOp, IntegerOp, Opcode, Rule, SlotDef};
use crate::types::{Element, Scalar, Type};

impl Generator<'_, '_, '_> {
    /// Makes an operation whose operands and results have one shape. Slots that a rule ties share
    /// one type; each of the others has any type that it admits.
    pub(super) fn elementwise(&mut self, opcode: Opcode) {
        let def = opcode.def();
        // Some attributes exist for f32 only.
        let has_f32_only = def
            .rules
            .iter()
            .any(|rule| matches!(rule, Rule::FlagNeedsF32(..) | Rule::RoundingNeedsF32(..)));
        let prefers_f32 = has_f32_only && self.random.one_in(2);
        let slots: Vec<&SlotDef> = def.operands.iter().chain(def.results).collect();
        let mut types: Vec<Type> = Vec::new();
        for (index, slot) in slots.iter().enumerate() {
            let tied = slots[..index]
                .iter()
                .position(|other| tie(def.rules, other, slot));
            let ty = match (tied, types.first()) {
                (Some(earlier), _) => types[earlier],
                (None, None) => self.tile_type(|element| {
                    admits(slot.constraint, element)
                        && (!prefers_f32 || element == Scalar::F32.into())
                }),
                (None, Some(first)) => {
                    // The exponent of a power has at most 32 bits.
                    let is_exponent = opcode == FloatOp::FPowI.into();
                    let number = |scalar: Scalar| {
                        admits(slot.constraint, Element::Scalar(scalar))
                            && !(is_exponent && scalar == Scalar::I64)
                    };
                    let scalar = self.scalar(number);
                    Type::tile(scalar, &first.as_tile().expect("a tile").shape)
                }
            };
            types.push(ty);
        }
        let (operands, results) = types.split_at(def.operands.len());
        let operands = self.values(operands);
        let element = results[0].as_number_tile().map(|(scalar, _)| scalar);
        let mut attrs = self.attrs(opcode, element);
        correct(opcode, &mut attrs);
        let loc = self.loc();
        let mut op = self
            .builder
            .op(opcode, loc)
            .args(&operands)
            .results(results);
        for (name, value) in attrs {
            op = op.attr(name, value);
        }
        let op = op.finish();
        self.define(op);
    }

    pub(super) fn float(&mut self, opcode: FloatOp) {
        match opcode {
            FloatOp::MmaF => self.mmaf(),
            FloatOp::MmaFScaled => self.mmaf_scaled(),
            FloatOp::AbsF
            | FloatOp::AddF
            | FloatOp::Atan2
            | FloatOp::Ceil
            | FloatOp::CmpF
            | FloatOp::Cos
            | FloatOp::CosH
            | FloatOp::DivF
            | FloatOp::Exp
            | FloatOp::Exp2
            | FloatOp::Floor
            | FloatOp::Fma
            | FloatOp::FPowI
            | FloatOp::Log
            | FloatOp::Log2
            | FloatOp::MaxF
            | FloatOp::MinF
            | FloatOp::MulF
            | FloatOp::NegF
            | FloatOp::Pow
            | FloatOp::RemF
            | FloatOp::RSqrt
            | FloatOp::Sin
            | FloatOp::SinH
            | FloatOp::Sqrt
            | FloatOp::SubF
            | FloatOp::Tan
            | FloatOp::TanH => self.elementwise(opcode.into()),
        }
    }

    pub(super) fn integer(&mut self, opcode: IntegerOp) {
        match opcode {
            IntegerOp::MmaI => self.mmai(),
            IntegerOp::AbsI
            | IntegerOp::AddI
            | IntegerOp::CmpI
            | IntegerOp::DivI
            | IntegerOp::MaxI
            | IntegerOp::MinI
            | IntegerOp::MulhiI
            | IntegerOp::MulI
            | IntegerOp::NegI
            | IntegerOp::RemI
            | IntegerOp::ShlI
            | IntegerOp::ShrI
            | IntegerOp::SubI => self.elementwise(opcode.into()),
        }
    }

    /// Returns the extents of a matmul: M, N, K, batch.
    fn extents(&mut self) -> [i64; 4] {
        let most = self.options.max_elements.max(16).ilog2() as usize / 2;
        let mut extent = || 1_i64 << self.random.below(most.min(6) + 1);
        let (m, n, k) = (extent(), extent(), extent());
        [m, n, k, 1 << self.random.below(2)]
    }

    /// Returns the shapes of the two operands and of the accumulator.
    fn product(&mut self, [m, n, k, batch]: [i64; 4]) -> [Vec<i64>; 3] {
        let shapes = [vec![m, k], vec![k, n], vec![m, n]];
        if self.random.one_in(3) {
            return shapes.map(|shape| [vec![batch], shape].concat());
        }
        shapes
    }

    fn mmaf(&mut self) {
        const TYPES: [(Scalar, Scalar); 10] = [
            (Scalar::F8E4M3FN, Scalar::F16),
            (Scalar::F8E4M3FN, Scalar::F32),
            (Scalar::F8E5M2, Scalar::F16),
            (Scalar::F8E5M2, Scalar::F32),
            (Scalar::F16, Scalar::F16),
            (Scalar::F16, Scalar::F32),
            (Scalar::BF16, Scalar::F32),
            (Scalar::TF32, Scalar::F32),
            (Scalar::F32, Scalar::F32),
            (Scalar::F64, Scalar::F64),
        ];
        let (factor, sum) = self.random.pick(&TYPES);
        self.matmul(FloatOp::MmaF.into(), factor, sum);
    }

    fn mmai(&mut self) {
        self.matmul(IntegerOp::MmaI.into(), Scalar::I8, Scalar::I32);
    }

    fn matmul(&mut self, opcode: Opcode, factor: Scalar, sum: Scalar) {
        let extents = self.extents();
        let [lhs, rhs, acc] = self.product(extents);
        let result = Type::tile(sum, &acc);
        let types = [Type::tile(factor, &lhs), Type::tile(factor, &rhs), result];
        let operands = self.values(&types);
        let attrs = self.attrs(opcode, Some(sum));
        let loc = self.loc();
        let mut op = self.builder.op(opcode, loc).args(&operands).result(result);
        for (name, value) in attrs {
            op = op.attr(name, value);
        }
        let op = op.finish();
        self.define(op);
    }

    fn mmaf_scaled(&mut self) {
        const TYPES: [(Scalar, Scalar, i64); 5] = [
            (Scalar::F8E4M3FN, Scalar::F8E8M0FNU, 32),
            (Scalar::F8E5M2, Scalar::F8E8M0FNU, 32),
            (Scalar::F4E2M1FN, Scalar::F8E4M3FN, 16),
            (Scalar::F4E2M1FN, Scalar::F8E8M0FNU, 16),
            (Scalar::F4E2M1FN, Scalar::F8E8M0FNU, 32),
        ];
        let (factor, scale, block) = self.random.pick(&TYPES);
        let blocks = 1 << self.random.below(3);
        let [m, n, _, batch] = self.extents();
        let [lhs, rhs, acc] = self.product([m, n, block * blocks, batch]);
        let (mut lhs_scale, mut rhs_scale) = (lhs.clone(), rhs.clone());
        let row = lhs.len() - 2;
        lhs_scale[row + 1] = blocks;
        rhs_scale[row] = blocks;
        let result = Type::tile(Scalar::F32, &acc);
        let operands = self.values(&[
            Type::tile(factor, &lhs),
            Type::tile(factor, &rhs),
            result,
            Type::tile(scale, &lhs_scale),
            Type::tile(scale, &rhs_scale),
        ]);
        self.plain(FloatOp::MmaFScaled, &operands, result);
    }
}

/// Returns `true` if a rule ties the types of two slots.
fn tie(rules: &[Rule], a: &SlotDef, b: &SlotDef) -> bool {
    rules.iter().any(|rule| {
        matches!(rule, Rule::SameType(slots) if slots.contains(&a.name) && slots.contains(&b.name))
    })
}

/// Removes combinations of attributes that no rule of a row excludes.
fn correct(opcode: Opcode, attrs: &mut Vec<(&'static str, Attr)>) {
    let has = |attrs: &[(&str, Attr)], value: Attr| attrs.iter().any(|(_, attr)| *attr == value);
    match opcode {
        // Rounding down is not defined for unsigned numbers.
        Opcode::Integer(IntegerOp::DivI)
            if has(attrs, Attr::Signedness(Signedness::Unsigned))
                && has(attrs, Attr::Rounding(RoundingMode::NegativeInf)) =>
        {
            attrs.retain(|&(name, _)| name != "rounding");
        }
        Opcode::Integer(IntegerOp::NegI)
            if has(attrs, Attr::Overflow(IntegerOverflow::NoUnsignedWrap)) =>
        {
            attrs.retain(|&(name, _)| name != "overflow");
        }
        _ => {}
    }
}

/// Returns `true` if a slot of an elementwise operation admits tiles of `element`.
fn admits(constraint: Constraint, element: Element) -> bool {
    let Element::Scalar(scalar) = element else {
        return false;
    };
    match constraint {
        Constraint::IntTile => scalar.is_integer() && scalar != Scalar::I4,
        Constraint::BaseFloatTile => scalar.is_base_float(),
        Constraint::I1Tile => scalar == Scalar::I1,
        other => unreachable!("no element-wise operation has a slot of {other:?}"),
    }
}
