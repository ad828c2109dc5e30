//! Views, pointers, and the order of loads and stores.

use tile_core::interp;
use tile_core::ir::{AssumePredicate, MemoryOrdering, Op};
use tile_core::ir::{OpId, ValueId};
use tile_core::ops::{AtomicOp, MemoryOp, Opcode, ViewOp};
use tile_core::types::{PaddingValue, Scalar};

use super::super::ir::{Axis, Base, Fun, Inst, Place, Stride, Val};
use super::nests::Map;
use super::{Bound, Builder, Reply, inbounds, liveness, refused};

/// A tensor view. Views of tiles have their own types, and share it.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The address of the first element.
    base: Val,
    /// The parameter that the tensor is in.
    param: u32,
    /// The extents, as `i64`.
    shape: Vec<Val>,
    strides: Vec<Stride>,
}

impl View {
    pub(super) fn param(&self) -> u32 {
        self.param
    }
}

/// The access of an operation to the tile of a view.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// What is accessed: the view, and the values of the indices.
    view: ValueId,
    index: Vec<ValueId>,
    pub(super) param: u32,
    /// The address of the first element.
    address: Val,
    /// Stride, and the number of elements inside the tensor, per axis of the tile.
    axes: Vec<(Stride, Val)>,
    scalar: Scalar,
    /// The bits of elements outside of the tensor.
    pub(super) padding: u64,
    /// The operation, for messages.
    op: OpId,
}

/// The largest position of an element that is computed with; no tensor has so many.
const FAR: i64 = 1 << 62;

impl Builder<'_> {
    pub(super) fn view(&mut self, kind: ViewOp, id: OpId) -> Reply {
        let op = self.module.op(id);
        match kind {
            ViewOp::MakeTensorView => self.make_tensor_view(op),
            ViewOp::MakeGatherScatterView | ViewOp::MakePartitionView | ViewOp::MakeStridedView => {
                let view = self.bound[&op.operand("tensor_view")].clone();
                self.bound.insert(op.result(), view);
                Ok(())
            }
            ViewOp::GetTensorShape => {
                let shape = self.view_of(op.operand("src")).shape;
                self.extents(op, &shape)
            }
            ViewOp::GetIndexSpaceShape => {
                let src = op.operand("src");
                let view = self.view_of(src);
                let ty = self.module.ty(src).as_tile_view().expect("a view of tiles");
                let mut tiles = Vec::new();
                for axis in 0..ty.tile.len() {
                    let extent = view.shape[ty.tensor_axis(axis)];
                    tiles.push(self.div_ceil(extent, ty.step(axis)));
                }
                self.extents(op, &tiles)
            }
            ViewOp::LoadViewTko => {
                let access = self.access(id)?;
                let result = op.results[0];
                self.bound.insert(op.results[1], Bound::Token);
                self.bound.insert(result, Bound::Load(access));
                self.deferred.push(result);
                Ok(())
            }
            ViewOp::StoreViewTko => {
                let access = self.access(id)?;
                let tile = op.operand("tile");
                let param = self.accesses[access].param;
                self.before_store(Some(param), &[tile], Some(access))?;
                self.bound.insert(op.result(), Bound::Token);
                let bits = self.bits(tile);
                self.sink(bits, &[], false, &[tile], |builder, map| {
                    let value = builder.element(tile, map)?;
                    let place = builder.place(access, map);
                    builder.push(Inst::Store(place, value));
                    builder.note_change(param);
                    Ok(())
                })
            }
        }
    }

    fn view_of(&self, value: ValueId) -> View {
        match self.bound.get(&value) {
            Some(Bound::View(view)) => view.clone(),
            other => unreachable!("a view, found {other:?}"),
        }
    }

    /// Binds results to extents, which must fit their types.
    fn extents(&mut self, op: &Op, extents: &[Val]) -> Reply {
        for (&result, &extent) in op.results.iter().zip(extents) {
            let scalar = self.scalar_of(result);
            let val = if scalar == Scalar::I64 {
                extent
            } else {
                let limit = self.number(1 << scalar.bits());
                let fits = self.truth(Fun::Less, &[extent, limit]);
                self.fault_unless(fits);
                self.call(scalar, Fun::Truncate(scalar), &[extent])
            };
            self.bound.insert(result, Bound::Scalar(val));
        }
        Ok(())
    }

    /// Returns `ceil(extent / step)` for a step that is a power of two or not.
    fn div_ceil(&mut self, extent: Val, step: u64) -> Val {
        if step == 1 {
            return extent;
        }
        let step = i64::try_from(step).expect("few elements");
        let (less, step) = (self.number(step - 1), self.number(step));
        let sum = self.wide(Fun::Add, &[extent, less]);
        self.wide(Fun::Quotient, &[sum, step])
    }

    fn make_tensor_view(&mut self, op: &Op) -> Reply {
        let base = op.operand("base");
        let ty = self
            .module
            .ty(op.result())
            .as_tensor_view()
            .expect("a tensor view");
        let Some(&param) = self.origins.get(&base) else {
            return Err(refused(
                op,
                "its memory is not known to be that of one parameter",
            ));
        };
        let base = self.scalar(base)?;
        let mut dynamic = op.operands_of("dynamicShape").iter();
        let mut shape = Vec::new();
        for extent in &ty.shape {
            shape.push(match extent {
                Some(extent) => self.number(*extent),
                None => {
                    let value = *dynamic.next().expect("one operand per dynamic extent");
                    self.wide_scalar(value, false)?
                }
            });
        }
        let mut dynamic = op.operands_of("dynamicStrides").iter();
        let mut strides = Vec::new();
        for stride in &ty.strides {
            strides.push(match stride {
                Some(stride) => Stride::Constant(*stride),
                None => {
                    let value = *dynamic.next().expect("one operand per dynamic stride");
                    Stride::Value(self.wide_scalar(value, false)?)
                }
            });
        }
        let view = View {
            base,
            param,
            shape,
            strides,
        };
        self.bound.insert(op.result(), Bound::View(view));
        Ok(())
    }

    /// Computes where the tile of an access is, and which part of it is inside the tensor. What is outside of the
    /// parameter's memory is a fault.
    fn access(&mut self, id: OpId) -> Reply<usize> {
        let op = self.module.op(id);
        if op.memory_ordering() != MemoryOrdering::Weak {
            return Err(refused(op, "only weak accesses have native code yet"));
        }
        let value = op.operand("view");
        let view = self.view_of(value);
        let ty = self
            .module
            .ty(value)
            .as_tile_view()
            .expect("a view of tiles");
        if ty.sparse_dim.is_some() {
            return Err(refused(
                op,
                "gathers through a view have no native code yet",
            ));
        }
        let scalar = ty.tensor_view.element;
        if scalar.bits() == 4 || scalar == Scalar::TF32 {
            return Err(refused(op, "elements of this type have no native code yet"));
        }
        let zero = self.number(0);
        let bytes = i64::try_from(scalar.bytes()).expect("few bytes");
        let size = self.number(bytes);
        let address = self.word(self.first_word(view.param));
        let offset = self.wide(Fun::Sub, &[view.base, address]);
        let length = self.word(self.first_word(view.param) + 1);
        let mut fits = vec![offset, size, length];
        let (mut first, mut axes, mut is_any) = (zero, Vec::new(), None);
        let index = op.operands_of("index").to_vec();
        for (axis, &value) in index.iter().enumerate() {
            let tile = i64::from(ty.tile[axis]);
            let dim = ty.tensor_axis(axis);
            let start = self.start(value, ty.step(axis))?;
            let rest = self.wide(Fun::Sub, &[view.shape[dim], start]);
            let (tile, one) = (self.number(tile), self.number(1));
            let inside = self.wide(Fun::Min, &[rest, tile]);
            let inside = self.wide(Fun::Max, &[inside, zero]);
            if inbounds(op).get(axis) == Some(&true) {
                let is_whole = self.truth(Fun::Equal, &[inside, tile]);
                self.fault_unless(is_whole);
            }
            let is_inside = self.truth(Fun::Less, &[zero, inside]);
            is_any = Some(match is_any {
                None => is_inside,
                Some(other) => self.truth(Fun::And, &[other, is_inside]),
            });
            let stride = self.stride(view.strides[dim]);
            let step = self.wide(Fun::Mul, &[start, stride]);
            first = self.wide(Fun::Add, &[first, step]);
            let last = self.wide(Fun::Add, &[start, inside]);
            let last = self.wide(Fun::Sub, &[last, one]);
            fits.extend([last, stride]);
            axes.push((view.strides[dim], inside));
        }
        let is_any = is_any.expect("a tile of a view has an axis");
        let fits = self.truth(Fun::Fits, &fits);
        let misses = self.truth(Fun::Not, &[fits]);
        let fault = self.truth(Fun::And, &[is_any, misses]);
        self.fault_if(fault);
        let first = self.wide(Fun::Mul, &[first, size]);
        let address = self.wide(Fun::Add, &[view.base, first]);
        self.accesses.push(Access {
            view: value,
            index,
            param: view.param,
            address,
            axes,
            scalar,
            padding: padding_bits(scalar, ty.padding.unwrap_or(PaddingValue::Zero)),
            op: id,
        });
        Ok(self.accesses.len() - 1)
    }

    fn stride(&mut self, stride: Stride) -> Val {
        match stride {
            Stride::Constant(stride) => self.number(stride),
            Stride::Value(val) => val,
        }
    }

    /// Returns `index * step`, or a position that is far beyond the end. Indices have no sign.
    fn start(&mut self, index: ValueId, step: u64) -> Reply<Val> {
        let scalar = self.scalar_of(index);
        let val = self.wide_scalar(index, false)?;
        let step = i64::try_from(step).expect("few elements");
        let val = if scalar == Scalar::I64 {
            let (zero, far) = (self.number(0), self.number(FAR / step));
            let is_negative = self.truth(Fun::Less, &[val, zero]);
            let val = self.wide(Fun::Min, &[val, far]);
            self.wide(Fun::Select, &[is_negative, far, val])
        } else {
            val
        };
        if step == 1 {
            return Ok(val);
        }
        let step = self.number(step);
        Ok(self.wide(Fun::Mul, &[val, step]))
    }

    /// Returns the place of the elements of an access.
    pub(super) fn place(&self, access: usize, map: &Map) -> Place {
        let Access {
            address,
            axes,
            scalar,
            op,
            param,
            ..
        } = &self.accesses[access];
        let ty = self
            .module
            .ty(self.module.op(*op).operand("view"))
            .as_tile_view();
        let tile: Vec<u64> = ty
            .expect("a view of tiles")
            .tile_shape()
            .map(i64::unsigned_abs)
            .collect();
        let axes = axes.iter().zip(map.axes(&tile));
        Place {
            base: Base::Memory(*address, *param),
            axes: axes
                .map(|(&(stride, inside), weights)| Axis {
                    weights,
                    stride,
                    inside: Some(inside),
                })
                .collect(),
            scalar: *scalar,
        }
    }

    /// Returns `true` if two accesses are of the same elements.
    pub(super) fn is_same(&self, one: usize, two: usize) -> bool {
        let (one, two) = (&self.accesses[one], &self.accesses[two]);
        one.view == two.view && one.index == two.index
    }

    pub(super) fn memory(&mut self, kind: MemoryOp, id: OpId) -> Reply {
        let op = self.module.op(id);
        match kind {
            MemoryOp::JoinTokens
            | MemoryOp::MakeToken
            | MemoryOp::GdcLaunchDependentsTko
            | MemoryOp::GdcWaitTko
            | MemoryOp::MemoryFenceAliasTko => {
                self.bound.insert(op.result(), Bound::Token);
                Ok(())
            }
            MemoryOp::LoadPtrTko => self.load_pointers(op),
            MemoryOp::StorePtrTko => self.store_pointers(op),
            MemoryOp::Alloca => Err(refused(op, "there is no native code for it yet")),
        }
    }

    fn origin(&self, op: &Op, pointers: ValueId) -> Reply<u32> {
        if op.memory_ordering() != MemoryOrdering::Weak {
            return Err(refused(op, "only weak accesses have native code yet"));
        }
        let origin = self.origins.get(&pointers).copied();
        origin.ok_or_else(|| refused(op, "its memory is not known to be that of one parameter"))
    }

    /// Loads through pointers at once, to a buffer: an address may be out of bounds, which is a fault here.
    fn load_pointers(&mut self, op: &Op) -> Reply {
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
        let (bits, count) = (self.bits(result), self.count(result));
        let buffer = self.new_buffer(scalar, count);
        let trees: Vec<ValueId> = [Some(source), mask, padding]
            .into_iter()
            .flatten()
            .collect();
        self.sink(bits, &[], false, &trees, |builder, map| {
            let address = builder.element(source, map)?;
            let mask = mask.map(|mask| builder.element(mask, map)).transpose()?;
            let padding = padding
                .map(|padding| builder.element(padding, map))
                .transpose()?;
            let loaded = builder.push(Inst::Gather {
                address,
                mask,
                padding,
                scalar,
                param,
            });
            builder.remember(result, map, loaded);
            builder.push_store(buffer, scalar, map, loaded);
            Ok(())
        })?;
        self.bound.insert(result, Bound::Buffer(buffer));
        Ok(())
    }

    fn store_pointers(&mut self, op: &Op) -> Reply {
        let (destination, value) = (op.operand("destination"), op.operand("value"));
        let param = self.origin(op, destination)?;
        let mask = op.optional_operand("mask");
        let trees: Vec<ValueId> = [Some(destination), Some(value), mask]
            .into_iter()
            .flatten()
            .collect();
        if self.scalar_of(value).bits() == 4 {
            return Err(refused(op, "elements of this type have no native code yet"));
        }
        self.before_store(Some(param), &trees, None)?;
        self.bound.insert(op.result(), Bound::Token);
        let bits = self.bits(value);
        // Elements may have one address; the last one stays, so nothing else may be in the nest.
        self.flush();
        self.sink(bits, &[], false, &trees, |builder, map| {
            let address = builder.element(destination, map)?;
            let mask = mask.map(|mask| builder.element(mask, map)).transpose()?;
            let value = builder.element(value, map)?;
            builder.push(Inst::Scatter {
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

    /// Computes the deferred loads that a store may change, unless the store itself is the only one to use them, at the
    /// elements that it writes. `param` is the memory that is stored to, `None` for any.
    pub(super) fn before_store(
        &mut self,
        param: Option<u32>,
        stored: &[ValueId],
        access: Option<usize>,
    ) -> Reply {
        let is_hit = |builder: &Self, value: ValueId| match builder.bound.get(&value) {
            Some(&Bound::Load(load)) => {
                param.is_none_or(|param| builder.accesses[load].param == param)
            }
            _ => false,
        };
        if let Some(open) = &self.open
            && open.loads_from(self, param)
            && access.is_none_or(|access| !open.loads_only(self, param, access))
        {
            self.flush();
        }
        for value in self.live_loads() {
            if is_hit(self, value) {
                self.materialize(value)?;
                self.flush();
            }
        }
        // What the store itself uses, at other elements than it writes.
        let mut trees = stored.to_vec();
        while let Some(value) = trees.pop() {
            match self.bound.get(&value) {
                Some(&Bound::Load(load)) if is_hit(self, value) => {
                    let is_element_wise = self.is_plain_tree(stored)
                        && access.is_some_and(|access| self.is_same(access, load));
                    if !is_element_wise {
                        self.materialize(value)?;
                        self.flush();
                    }
                }
                Some(&Bound::Deferred(op)) => trees.extend(&self.module.op(op).operands),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the memory that the regions of an operation may change: `None` if nothing, else the parameters, or `None`
    /// within for any.
    pub(super) fn stored_within(&self, id: OpId) -> Vec<Option<u32>> {
        let mut stored = Vec::new();
        for id in liveness::inner(self.module, id) {
            let op = self.module.op(id);
            match op.opcode {
                Opcode::View(ViewOp::StoreViewTko) => {
                    stored.push(self.param_of_view(op.operand("view")));
                }
                Opcode::Memory(MemoryOp::StorePtrTko)
                | Opcode::Atomic(
                    AtomicOp::AtomicCasTko | AtomicOp::AtomicRmwTko | AtomicOp::AtomicRedViewTko,
                ) => stored.push(None),
                _ => {}
            }
        }
        stored
    }

    /// Ends the launch if what is assumed of a scalar does not hold.
    pub(super) fn check_assumption(&mut self, op: &Op, val: Val) {
        match *op.assume_predicate() {
            AssumePredicate::DivBy { divisor, .. } if divisor > 1 => {
                let val = self.widened(val, true);
                let rest = self.number((divisor - 1).cast_signed());
                let rest = self.wide(Fun::BitAnd, &[val, rest]);
                let zero = self.number(0);
                let holds = self.truth(Fun::Equal, &[rest, zero]);
                self.fault_unless(holds);
            }
            AssumePredicate::DivBy { .. } | AssumePredicate::SameElements(_) => {}
            AssumePredicate::Bounded { lower, upper } => {
                let val = self.widened(val, true);
                if let Some(lower) = lower {
                    let lower = self.number(lower);
                    let fault = self.truth(Fun::Less, &[val, lower]);
                    self.fault_if(fault);
                }
                if let Some(upper) = upper {
                    let upper = self.number(upper);
                    let fault = self.truth(Fun::Less, &[upper, val]);
                    self.fault_if(fault);
                }
            }
        }
    }
}

/// Returns the stored bits of a padding value.
fn padding_bits(scalar: Scalar, padding: PaddingValue) -> u64 {
    let value = match padding {
        PaddingValue::Zero => return 0,
        PaddingValue::NegZero => -0.0,
        PaddingValue::Nan => f64::NAN,
        PaddingValue::PosInf => f64::INFINITY,
        PaddingValue::NegInf => f64::NEG_INFINITY,
    };
    interp::encode_float(scalar, value)
}
