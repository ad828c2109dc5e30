//! Loads and stores of elements at addresses that are computed: through pointers, of gathered tiles, and those that other blocks
//! may make at the same time.

use tile_core::ir::{OpId, ValueId};
use tile_core::types::Scalar;

use super::super::ir::{Fun, Inst, Reg, Stride, Window};
use super::atomics::{is_plain, is_shared};
use super::memory::{Access, changed};
use super::nests::Map;
use super::{Bound, Builder, Reply, refused};

impl Builder<'_> {
    /// Loads through pointers at once, to a buffer: an address may be out of bounds, which is a fault here.
    pub(super) fn load_pointers(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let source = op.operand("source");
        let param = self.origin(op, source)?;
        let (mask, padding) = (
            op.optional_operand("mask"),
            op.optional_operand("paddingValue"),
        );
        let result = op.results[0];
        self.bound.insert(op.results[1], Bound::Token);
        let scalar = self.scalar_of(result);
        if scalar.bits() == 4 || scalar == Scalar::TF32 {
            return Err(refused(op, "elements of this type have no native code yet"));
        }
        let ordering = op.memory_ordering();
        if is_shared(ordering) {
            self.flush();
        }
        let trees: Vec<ValueId> = [Some(source), mask, padding]
            .into_iter()
            .flatten()
            .collect();
        let window = if is_shared(ordering) {
            None
        } else {
            self.window(id, param)?
        };
        self.gather(id, (param, window), &trees, |builder, map| {
            let address = builder.element(source, map)?;
            let mut optional =
                |value: Option<ValueId>| value.map(|value| builder.element(value, map)).transpose();
            Ok((address, optional(mask)?, optional(padding)?))
        })
    }

    /// Puts the elements of a load into a buffer. `element` returns the address, the mask and the padding of one.
    fn gather(
        &mut self,
        id: OpId,
        (param, window): (u32, Option<Window>),
        trees: &[ValueId],
        element: impl FnOnce(&mut Self, &Map) -> Reply<(Reg, Option<Reg>, Option<Reg>)>,
    ) -> Reply {
        let op = self.module.op(id);
        let result = op.results[0];
        let scalar = self.scalar_of(result);
        let ordering = op.memory_ordering();
        let buffer = self.new_buffer(scalar, self.count(result));
        self.sink(self.bits(result), &[], false, trees, |builder, map| {
            let (address, mask, padding) = element(builder, map)?;
            let loaded = builder.push(Inst::Gather {
                op: id,
                is_shared: is_shared(ordering),
                address,
                mask,
                padding,
                scalar,
                param,
                window,
            });
            builder.remember(result, map, loaded);
            builder.push_store(buffer, scalar, map, loaded);
            Ok(())
        })?;
        if is_shared(ordering) {
            self.flush();
            self.fence_after(ordering);
        }
        self.bound.insert(result, Bound::Buffer(buffer));
        Ok(())
    }

    pub(super) fn store_pointers(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let (destination, value) = (op.operand("destination"), op.operand("value"));
        let param = self.origin(op, destination)?;
        let mask = op.optional_operand("mask");
        let trees: Vec<ValueId> = [Some(destination), Some(value), mask]
            .into_iter()
            .flatten()
            .collect();
        if !is_plain(self.scalar_of(value)) {
            return Err(refused(op, "elements of this type have no native code yet"));
        }
        self.before_store(changed(op, param), &trees, None)?;
        self.bound.insert(op.result(), Bound::Token);
        let bits = self.bits(value);
        // Elements may have one address; the last one stays, so nothing else may be in the nest.
        self.flush();
        let ordering = op.memory_ordering();
        self.fence_before(ordering);
        self.sink(bits, &[], false, &trees, |builder, map| {
            let address = builder.element(destination, map)?;
            let mask = mask.map(|mask| builder.element(mask, map)).transpose()?;
            let value = builder.element(value, map)?;
            builder.push(Inst::Scatter {
                op: id,
                is_shared: is_shared(ordering),
                address,
                mask,
                value,
                param,
            });
            Ok(())
        })?;
        self.flush();
        Ok(())
    }

    /// Returns `true` if the elements of an access are accessed one by one, at addresses that are computed.
    pub(super) fn is_one_by_one(&self, access: usize) -> bool {
        let access = &self.accesses[access];
        access.sparse.is_some() || is_shared(self.module.op(access.op).memory_ordering())
    }

    /// Returns the address of an element of an access, and whether it is inside of the tensor.
    pub(super) fn element_address(&mut self, access: usize, map: &Map) -> Reply<(Reg, Reg)> {
        let Access {
            address,
            axes,
            index,
            scalar,
            op,
            sparse,
            ..
        } = self.accesses[access].clone();
        let tile = self.shape_of_tile(op);
        let wide = |fun, args| Inst::Call(fun, args, Scalar::I64);
        let truth = |fun, args| Inst::Call(fun, args, Scalar::I1);
        let mut sum = self.push(Inst::Constant(Scalar::I64, 0));
        let mut mask = self.push(Inst::Constant(Scalar::I1, 1));
        for (axis, ((stride, inside), weights)) in axes.into_iter().zip(map.axes(&tile)).enumerate()
        {
            let coordinate = if sparse == Some(axis) {
                let value = index[axis];
                let reg = self.element(value, &map.along(&tile, axis))?;
                let reg = if self.scalar_of(value) == Scalar::I64 {
                    reg
                } else {
                    self.push(wide(Fun::ZeroExtend, vec![reg]))
                };
                let zero = self.push(Inst::Constant(Scalar::I64, 0));
                let is_negative = self.push(truth(Fun::Less, vec![reg, zero]));
                let is_there = self.push(truth(Fun::Not, vec![is_negative]));
                mask = self.push(truth(Fun::And, vec![mask, is_there]));
                reg
            } else {
                self.push(Inst::Position(Scalar::I64, weights))
            };
            let inside = self.push(Inst::Scalar(inside));
            let is_inside = self.push(truth(Fun::Less, vec![coordinate, inside]));
            mask = self.push(truth(Fun::And, vec![mask, is_inside]));
            let stride = match stride {
                Stride::Constant(stride) => Inst::Constant(Scalar::I64, stride.cast_unsigned()),
                Stride::Value(val) => Inst::Scalar(val),
            };
            let stride = self.push(stride);
            let offset = self.push(wide(Fun::Mul, vec![coordinate, stride]));
            sum = self.push(wide(Fun::Add, vec![sum, offset]));
        }
        let size = self.push(Inst::Constant(Scalar::I64, scalar.bytes() as u64));
        let offset = self.push(wide(Fun::Mul, vec![sum, size]));
        let start = self.push(Inst::Scalar(address));
        let address = self.push(wide(Fun::Add, vec![start, offset]));
        Ok((address, mask))
    }

    /// Loads the elements of an access one by one.
    pub(super) fn load_elements(&mut self, id: OpId, access: usize) -> Reply {
        let Access {
            param,
            scalar,
            padding,
            index,
            sparse,
            ..
        } = self.accesses[access].clone();
        let trees: Vec<ValueId> = sparse.map(|axis| index[axis]).into_iter().collect();
        self.flush();
        self.gather(id, (param, None), &trees, |builder, map| {
            let (address, mask) = builder.element_address(access, map)?;
            let padding = builder.push(Inst::Constant(scalar, padding));
            Ok((address, Some(mask), Some(padding)))
        })
    }

    /// Stores the elements of an access one by one.
    pub(super) fn store_elements(&mut self, id: OpId, access: usize) -> Reply {
        let op = self.module.op(id);
        let tile = op.operand("tile");
        let Access {
            param,
            index,
            sparse,
            ..
        } = self.accesses[access].clone();
        let ordering = op.memory_ordering();
        let mut trees = vec![tile];
        trees.extend(sparse.map(|axis| index[axis]));
        self.before_store(changed(op, param), &trees, None)?;
        self.flush();
        self.fence_before(ordering);
        self.sink(self.bits(tile), &[], false, &trees, |builder, map| {
            let value = builder.element(tile, map)?;
            let (address, mask) = builder.element_address(access, map)?;
            builder.push(Inst::Scatter {
                op: id,
                is_shared: is_shared(ordering),
                address,
                mask: Some(mask),
                value,
                param,
            });
            Ok(())
        })?;
        self.flush();
        Ok(())
    }
}
