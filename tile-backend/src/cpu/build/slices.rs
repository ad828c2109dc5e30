//! Slices of tiles: `cat`, `extract`, `insert`.

use tile_core::ir::{Op, OpId, ValueId};
use tile_core::types::Scalar;

use super::super::ir::{Axis, Base, BufferId, Fun, Inst, Place, Reg, Stride, Val};
use super::nests::Map;
use super::{Bound, Builder, Reply};

/// A slice of a tile in a buffer.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub(super) buffer: BufferId,
    /// The position of the first element.
    from: Val,
    whole: Vec<u64>,
    part: Vec<u64>,
}

impl Slice {
    /// Returns the place of the elements of the slice.
    pub(super) fn place(&self, scalar: Scalar, map: &Map) -> Place {
        let mut weights = vec![0; map.nest_bits()];
        let mut step = 1;
        for (axis, extent) in map.axes(&self.part).into_iter().zip(&self.whole).rev() {
            for (sum, weight) in weights.iter_mut().zip(axis) {
                *sum += weight * step;
            }
            step *= i64::try_from(*extent).expect("few elements");
        }
        Place {
            base: Base::Buffer(self.buffer, Some(self.from)),
            axes: vec![Axis {
                weights,
                stride: Stride::Constant(1),
                from: None,
                inside: None,
            }],
            scalar,
        }
    }
}

impl Builder<'_> {
    /// Returns the slice that the indices of an operation select. An index that is out of range is a fault.
    fn slice(
        &mut self,
        op: &Op,
        buffer: BufferId,
        whole: Vec<u64>,
        part: Vec<u64>,
    ) -> Reply<Slice> {
        let mut from = self.number(0);
        let mut step = 1;
        let indices = op.operands_of("indices").to_vec();
        for ((&index, &extent), &length) in indices.iter().zip(&whole).zip(&part).rev() {
            let index = self.wide_scalar(index, false)?;
            let slices = self.number((extent / length).cast_signed());
            let is_inside = self.truth(Fun::Less, &[index, slices]);
            self.fault_unless(is_inside);
            let distance = self.number((length * step).cast_signed());
            let offset = self.wide(Fun::Mul, &[index, distance]);
            from = self.wide(Fun::Add, &[from, offset]);
            step *= extent;
        }
        Ok(Slice {
            buffer,
            from,
            whole,
            part,
        })
    }

    pub(super) fn extract(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let (source, result) = (op.operand("source"), op.result());
        let (whole, part) = (self.shape(source), self.shape(result));
        let buffer = self.buffer_of(source)?;
        let slice = self.slice(op, buffer, whole, part)?;
        self.bound.insert(result, Bound::Slice(slice));
        self.deferred.push(result);
        Ok(())
    }

    pub(super) fn insert(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let (source, destination) = (op.operand("source"), op.operand("destination"));
        let (whole, part) = (self.shape(destination), self.shape(source));
        let scalar = self.scalar_of(destination);
        let buffer = self.new_buffer(scalar, self.count(destination));
        self.store_into(destination, buffer)?;
        let slice = self.slice(op, buffer, whole, part)?;
        self.flush();
        self.sink(self.bits(source), &[], false, &[source], |builder, map| {
            let reg = builder.element(source, map)?;
            builder.push_store_at(buffer, slice.place(scalar, map), reg);
            Ok(())
        })?;
        self.flush();
        self.bound.insert(op.result(), Bound::Buffer(buffer));
        Ok(())
    }

    /// Returns the buffer of a tile, also of one element, after putting the tile into it.
    fn buffer_of(&mut self, value: ValueId) -> Reply<BufferId> {
        if let Some(&Bound::Buffer(buffer)) = self.bound.get(&value) {
            return Ok(buffer);
        }
        let scalar = self.scalar_of(value);
        let buffer = self.new_buffer(scalar, self.count(value));
        self.store_into(value, buffer)?;
        if !self.is_scalar(value) {
            self.bound.insert(value, Bound::Buffer(buffer));
        }
        Ok(buffer)
    }

    /// Returns an element of a concatenation of two halves.
    pub(super) fn half(&mut self, id: OpId, map: &Map) -> Reply<Reg> {
        let op = self.module.op(id);
        let scalar = self.scalar_of(op.result());
        let mut halves = Vec::new();
        for (source, map) in self.sources(id, map) {
            halves.push(self.element(source, &map)?);
        }
        let dim = usize::try_from(op.dim()).expect("axes are not negative");
        let weights = map.top_bit(&self.shape(op.result()), dim);
        let is_second = self.push(Inst::Position(Scalar::I1, weights));
        Ok(self.push(Inst::Call(
            Fun::Select,
            vec![is_second, halves[1], halves[0]],
            scalar,
        )))
    }
}
