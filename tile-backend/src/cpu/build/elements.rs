//! Elements of deferred tiles, as instructions of a nest.

use tile_core::Module;
use tile_core::ir::{DenseElements, IntegerOverflow, Op, RoundingMode};
use tile_core::ir::{OpId, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, CoreOp, FloatOp, IntegerOp, Opcode};
use tile_core::types::{Scalar, TileType};

use super::super::ir::{Fun, Inst, Place, Reg, Why};
use super::nests::Map;
use super::{Bound, Builder, Reply, refused};

/// Refuses an operation whose element has no native code.
pub(super) fn check(module: &Module, op: &Op) -> Reply {
    let scalar = |value: ValueId| match module.ty(value).as_tile().map(|tile| tile.element) {
        Some(tile_core::types::Element::Scalar(scalar)) => scalar,
        _ => Scalar::I64,
    };
    let values = op.operands.iter().chain(&op.results);
    for &value in values {
        let scalar = scalar(value);
        let is_narrow = matches!(scalar, Scalar::I4 | Scalar::F8E8M0FNU | Scalar::F4E2M1FN);
        if is_narrow {
            return Err(refused(
                op,
                &format!("elements of `{scalar}` have no native code yet"),
            ));
        }
    }
    let is_nearest = |mode: RoundingMode| {
        matches!(
            mode,
            RoundingMode::NearestEven | RoundingMode::Approx | RoundingMode::Full
        )
    };
    match op.opcode {
        Opcode::Float(
            FloatOp::AddF
            | FloatOp::SubF
            | FloatOp::MulF
            | FloatOp::DivF
            | FloatOp::Sqrt
            | FloatOp::Fma,
        ) if !is_nearest(op.rounding_mode()) => Err(refused(
            op,
            "only rounding to nearest even has native code yet",
        )),
        Opcode::Conversion(ConversionOp::FToF)
            if op.attr("rounding_mode")
                != Some(&tile_core::ir::Attr::Rounding(RoundingMode::NearestEven)) =>
        {
            Err(refused(
                op,
                "only rounding to nearest even has native code yet",
            ))
        }
        Opcode::Conversion(ConversionOp::IntToPtr) => Err(refused(
            op,
            "its memory is not known to be that of one parameter",
        )),
        Opcode::Integer(IntegerOp::ShlI) if op.overflow() != IntegerOverflow::None => Err(refused(
            op,
            "a promise about overflow has no native code yet",
        )),
        _ => Ok(()),
    }
}

/// Returns `true` if the operation repeats the elements of its operand.
pub(super) fn expands(module: &Module, op: &Op) -> bool {
    let count = |value: ValueId| module.ty(value).as_tile().map_or(0, TileType::num_elements);
    op.opcode == Opcode::Core(CoreOp::Broadcast) && count(op.operands[0]) < count(op.result())
}

/// Returns `true` if an operation replaces subnormal numbers by zeros.
pub(in crate::cpu) fn flushes(op: &Op) -> bool {
    let mut attrs = op.def().attrs.iter();
    attrs.any(|attr| attr.name == "flush_to_zero") && op.has_flag("flush_to_zero")
}

/// Returns the bits of an element of a constant, as they are in a register.
pub(in crate::cpu) fn stored(dense: &DenseElements, index: usize) -> u64 {
    let bits = dense.bits_at(index);
    if dense.scalar() == Scalar::TF32 {
        // The upper 19 bits of an f32.
        bits << 13
    } else {
        bits
    }
}

/// Returns the cost of an operation in instructions per element.
fn own_cost(op: &Op) -> u32 {
    match op.opcode {
        Opcode::Float(kind) => match kind {
            FloatOp::AbsF
            | FloatOp::AddF
            | FloatOp::CmpF
            | FloatOp::Ceil
            | FloatOp::Floor
            | FloatOp::Fma
            | FloatOp::MulF
            | FloatOp::NegF
            | FloatOp::SubF => 1,
            FloatOp::MaxF | FloatOp::MinF => 3,
            FloatOp::DivF | FloatOp::Sqrt => 5,
            _ => 15,
        },
        Opcode::Integer(IntegerOp::DivI | IntegerOp::RemI) => 20,
        Opcode::Core(
            CoreOp::Constant | CoreOp::Iota | CoreOp::Broadcast | CoreOp::Reshape | CoreOp::Permute,
        ) => 0,
        Opcode::Conversion(
            ConversionOp::BitCast | ConversionOp::PtrToPtr | ConversionOp::PtrToInt,
        ) => 0,
        Opcode::Bitwise(BitwiseOp::AndI | BitwiseOp::OrI | BitwiseOp::XorI) => 1,
        _ => 1,
    }
}

impl Builder<'_> {
    /// Returns the cost of a deferred operation with what it is computed from.
    pub(super) fn cost(&self, op: &Op) -> u32 {
        let operands = op
            .operands
            .iter()
            .map(|operand| match self.bound.get(operand) {
                Some(Bound::Deferred(_)) => self.costs.get(operand).copied().unwrap_or(0),
                Some(Bound::Load(_)) => 2,
                Some(Bound::Buffer(_)) => 1,
                _ => 0,
            });
        operands.fold(own_cost(op), u32::saturating_add)
    }

    /// Puts a tile into a buffer whose elements will be repeated, if it is computed.
    pub(super) fn prepare_source(&mut self, source: ValueId) -> Reply {
        let is_computed = matches!(self.bound.get(&source), Some(Bound::Deferred(_)))
            && !self.is_scalar(source)
            && self.costs.get(&source).is_some_and(|&cost| cost > 2);
        if is_computed {
            self.materialize(source, Why::Repeated)?;
        }
        Ok(())
    }

    /// Returns the operands of a deferred operation, and their maps.
    pub(super) fn sources(&self, id: OpId, map: &Map) -> Vec<(ValueId, Map)> {
        let op = self.module.op(id);
        let source = |map| vec![(op.operands[0], map)];
        match op.opcode {
            Opcode::Core(CoreOp::Broadcast) => {
                let (from, to) = (self.shape(op.operands[0]), self.shape(op.result()));
                source(map.broadcast(&from, &to))
            }
            Opcode::Core(CoreOp::Permute) => {
                source(map.permute(&op.permutation(), &self.shape(op.result())))
            }
            Opcode::Core(CoreOp::Cat) => {
                let dim = usize::try_from(op.dim()).expect("axes are not negative");
                let halves = map.halves(&self.shape(op.result()), dim);
                op.operands.iter().copied().zip(halves).collect()
            }
            _ => op
                .operands
                .iter()
                .map(|&operand| (operand, map.clone()))
                .collect(),
        }
    }

    /// Returns an element of a tile at the iteration's position.
    pub(super) fn element(&mut self, value: ValueId, map: &Map) -> Reply<Reg> {
        if let Some(reg) = self.computed(value, map) {
            return Ok(reg);
        }
        let scalar = self.scalar_of(value);
        let reg = match self.bound.get(&value).cloned() {
            Some(Bound::Scalar(val)) => self.push(Inst::Scalar(val)),
            Some(Bound::Buffer(buffer)) => {
                self.push(Inst::Load(Place::buffer(buffer, scalar, map.weights()), 0))
            }
            Some(Bound::Load(access)) => {
                let padding = self.accesses[access].padding;
                self.note_load(access);
                let place = self.place(access, map);
                self.push(Inst::Load(place, padding))
            }
            Some(Bound::Slice(slice)) => self.push(Inst::Load(slice.place(scalar, map), 0)),
            Some(Bound::Deferred(id)) => {
                let reg = self.deferred_element(id, map)?;
                self.keep(value, map, reg);
                reg
            }
            other => unreachable!("a tile, found {other:?}"),
        };
        self.remember(value, map, reg);
        Ok(reg)
    }

    fn deferred_element(&mut self, id: OpId, map: &Map) -> Reply<Reg> {
        let op = self.module.op(id);
        let scalar = self.scalar_of(op.result());
        match op.opcode {
            Opcode::Core(CoreOp::Constant) => {
                let dense = op.dense_value();
                Ok(if dense.splat_bits().is_some() {
                    self.push(Inst::Constant(scalar, stored(&dense, 0)))
                } else {
                    let count = usize::try_from(self.count(op.result())).expect("few elements");
                    let bits = (0..count).map(|index| stored(&dense, index)).collect();
                    self.push(Inst::Table(scalar, bits, map.weights()))
                })
            }
            Opcode::Core(CoreOp::Cat) => self.half(id, map),
            Opcode::Core(CoreOp::Iota) => Ok(self.push(Inst::Position(scalar, map.weights()))),
            Opcode::Core(CoreOp::Broadcast | CoreOp::Reshape | CoreOp::Permute) => {
                let (source, map) = self.sources(id, map).remove(0);
                self.element(source, &map)
            }
            _ => {
                let mut args = Vec::new();
                for (source, map) in self.sources(id, map) {
                    args.push(self.element(source, &map)?);
                }
                Ok(self.push(Inst::Call(Fun::Op(id), args, scalar)))
            }
        }
    }
}
