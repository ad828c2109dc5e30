//! Views, pointers, and the order of loads and stores.

use rustc_hash::FxHashSet;
use tile_core::interp;
use tile_core::ir::{AssumePredicate, Attr, Op};
use tile_core::ir::{OpId, ValueId};
use tile_core::ops::{AtomicOp, MemoryOp, Opcode, ViewOp};
use tile_core::types::{Element, PaddingValue, Scalar};

use super::super::ir::{Axis, Base, Fun, Inst, Param, Place, Stmt, Stride, Val, Why};
use super::atomics::{is_plain, is_shared};
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
    /// The truth value that all elements are in the memory of the parameter. If it is false, each access is checked.
    is_in_memory: Option<Val>,
    /// The number of loops around the operation that makes it.
    depth: usize,
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
    pub(super) view: ValueId,
    pub(super) index: Vec<ValueId>,
    pub(super) param: u32,
    /// The address of the first element.
    pub(super) address: Val,
    /// Stride, and the number of elements inside the tensor, per axis of the tile.
    pub(super) axes: Vec<(Stride, Val)>,
    pub(super) scalar: Scalar,
    /// The bits of elements outside of the tensor.
    pub(super) padding: u64,
    /// The operation, for messages.
    pub(super) op: OpId,
    /// The axis whose index is a tile.
    pub(super) sparse: Option<usize>,
}

/// The largest memory of a block in bytes.
const MAX_LOCAL: u64 = 1 << 20;

/// The largest stride that is computed with while compiling: its product with the bytes and the number of the elements of a tile does
/// not wrap.
const MAX_CONSTANT_STRIDE: u64 = 1 << 32;

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
                self.extents(op, &shape);
                Ok(())
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
                self.extents(op, &tiles);
                Ok(())
            }
            ViewOp::LoadViewTko => {
                let access = self.access(id)?;
                let result = op.results[0];
                self.bound.insert(op.results[1], Bound::Token);
                if self.is_one_by_one(access) {
                    return self.load_elements(id, access);
                }
                self.bound.insert(result, Bound::Load(access));
                self.deferred.push(result);
                Ok(())
            }
            ViewOp::StoreViewTko => {
                let access = self.access(id)?;
                let tile = op.operand("tile");
                let param = self.accesses[access].param;
                self.bound.insert(op.result(), Bound::Token);
                if self.is_one_by_one(access) {
                    return self.store_elements(id, access);
                }
                self.before_store(Some(param), &[tile], Some(access))?;
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
    fn extents(&mut self, op: &Op, extents: &[Val]) {
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
            shape.push(if let Some(extent) = extent {
                self.number(*extent)
            } else {
                let value = *dynamic.next().expect("one operand per dynamic extent");
                self.wide_scalar(value, false)?
            });
        }
        let mut dynamic = op.operands_of("dynamicStrides").iter();
        let mut strides = Vec::new();
        for stride in &ty.strides {
            strides.push(if let Some(stride) = stride {
                if stride.unsigned_abs() <= MAX_CONSTANT_STRIDE {
                    Stride::Constant(*stride)
                } else {
                    Stride::Value(self.number(*stride))
                }
            } else {
                let value = *dynamic.next().expect("one operand per dynamic stride");
                Stride::Value(self.wide_scalar(value, false)?)
            });
        }
        let is_in_memory = self.is_in_memory(base, param, &shape, &strides, ty.element);
        let view = View {
            base,
            param,
            shape,
            strides,
            is_in_memory,
            depth: self.scopes.len(),
        };
        self.bound.insert(op.result(), Bound::View(view));
        Ok(())
    }

    /// Returns whether the element with the greatest coordinates is in the memory of a parameter. Strides have no signs, so then
    /// all are.
    fn is_in_memory(
        &mut self,
        base: Val,
        param: u32,
        shape: &[Val],
        strides: &[Stride],
        scalar: Scalar,
    ) -> Option<Val> {
        // Tiles of others are refused.
        if shape.is_empty() || scalar.bits() < 8 && scalar != Scalar::I1 {
            return None;
        }
        let mut fits = self.memory_from(base, param, scalar);
        let one = self.number(1);
        for (&extent, &stride) in shape.iter().zip(strides) {
            let last = self.wide(Fun::Sub, &[extent, one]);
            fits.extend([last, self.stride(stride)]);
        }
        Some(self.truth(Fun::Fits, &fits))
    }

    /// Returns the first arguments of [`Fun::Fits`]: where an address is in the memory of a parameter, and how long that is.
    pub(super) fn memory_from(&mut self, base: Val, param: u32, scalar: Scalar) -> Vec<Val> {
        let size = self.number(i64::try_from(scalar.bytes()).expect("few bytes"));
        let address = self.word(self.first_word(param));
        let offset = self.wide(Fun::Sub, &[base, address]);
        let length = self.word(self.first_word(param) + 1);
        vec![offset, size, length]
    }

    /// Computes where the tile of an access is, and which part of it is inside the tensor. What is outside of the
    /// parameter's memory is a fault.
    fn access(&mut self, id: OpId) -> Reply<usize> {
        let promised = inbounds(self.module.op(id)).to_vec();
        self.access_with(id, &promised)
    }

    /// Does the same, with the promises that the tile is inside along each axis.
    pub(super) fn access_with(&mut self, id: OpId, promised: &[bool]) -> Reply<usize> {
        let op = self.module.op(id);
        let value = op.operand("view");
        let view = self.view_of(value);
        let ty = self
            .module
            .ty(value)
            .as_tile_view()
            .expect("a view of tiles");
        let sparse = ty.sparse_dim.map(|axis| axis as usize);
        let scalar = ty.tensor_view.element;
        if scalar.bits() == 4 || scalar == Scalar::TF32 {
            return Err(refused(op, "elements of this type have no native code yet"));
        }
        let zero = self.number(0);
        let mut fits = self.memory_from(view.base, view.param, scalar);
        let size = fits[1];
        let (mut first, mut axes, mut is_any) = (zero, Vec::new(), None);
        let index = op.operands_of("index").to_vec();
        for (axis, &value) in index.iter().enumerate() {
            let tile = i64::from(ty.tile[axis]);
            let dim = ty.tensor_axis(axis);
            if sparse == Some(axis) {
                // Its elements are checked one by one.
                if promised.get(axis) == Some(&true) {
                    return Err(refused(
                        op,
                        "promises about gathered elements have no native code yet",
                    ));
                }
                axes.push((view.strides[dim], view.shape[dim]));
                continue;
            }
            let start = self.start(value, ty.step(axis))?;
            let rest = self.wide(Fun::Sub, &[view.shape[dim], start]);
            let (tile, one) = (self.number(tile), self.number(1));
            let inside = self.wide(Fun::Min, &[rest, tile]);
            let inside = self.wide(Fun::Max, &[inside, zero]);
            if promised.get(axis) == Some(&true) {
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
        if sparse.is_none() {
            let is_any = is_any.expect("a tile of a view has an axis");
            let fits = self.truth(Fun::Fits, &fits);
            let misses = self.truth(Fun::Not, &[fits]);
            let fault = self.truth(Fun::And, &[is_any, misses]);
            // For a single tile it is no less work.
            let is_in_loop = self.scopes.len() > view.depth;
            let never = view.is_in_memory.filter(|_| is_in_loop);
            self.stmts.push(Stmt::FaultIf(fault, never));
        }
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
            sparse,
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
    pub(super) fn start(&mut self, index: ValueId, step: u64) -> Reply<Val> {
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

    /// Returns the extents of the tile that an operation accesses in a view.
    pub(super) fn shape_of_tile(&self, id: OpId) -> Vec<u64> {
        let view = self.module.ty(self.module.op(id).operand("view"));
        let ty = view.as_tile_view().expect("a view of tiles");
        ty.tile_shape().map(i64::unsigned_abs).collect()
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
        let tile = self.shape_of_tile(*op);
        let axes = axes.iter().zip(map.axes(&tile));
        Place {
            base: Base::Memory(*address, *param),
            axes: axes
                .map(|(&(stride, inside), weights)| Axis {
                    weights,
                    stride,
                    from: None,
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
            MemoryOp::LoadPtrTko => self.load_pointers(id),
            MemoryOp::StorePtrTko => self.store_pointers(id),
            MemoryOp::Alloca => self.alloca(op),
        }
    }

    /// Makes memory of the block, which begins with zeros.
    fn alloca(&mut self, op: &Op) -> Reply {
        let number = |name| match op.attr(name) {
            Some(&Attr::Int(number)) => number.unsigned_abs(),
            other => unreachable!("verified code has a number here, found {other:?}"),
        };
        let tile = self.module.ty(op.result()).as_tile();
        let Some(Element::Ptr(pointee)) = tile.map(|tile| tile.element) else {
            unreachable!("verified code makes a pointer");
        };
        if number("alignment") > 64 || !is_plain(pointee) {
            return Err(refused(op, "memory of this kind has no native code yet"));
        }
        let bytes = number("num_elem").saturating_mul(pointee.bytes() as u64);
        if bytes > MAX_LOCAL {
            return Err(refused(op, "so much memory has no native code yet"));
        }
        let count = bytes.max(1).next_power_of_two();
        let buffer = self.new_buffer(Scalar::I8, count);
        self.flush();
        self.sink(count.trailing_zeros(), &[], false, &[], |builder, map| {
            let zero = builder.push(Inst::Constant(Scalar::I8, 0));
            builder.push_store(buffer, Scalar::I8, map, zero);
            Ok(())
        })?;
        self.flush();
        self.add_memory(op.result(), Param::Local(buffer, bytes));
        Ok(())
    }

    /// Binds a pointer to a constant of the module.
    pub(super) fn get_global(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let Some(Attr::Symbol(name)) = op.attr("name") else {
            unreachable!("verified code has a name here");
        };
        let mut globals = self.module.globals();
        let global = globals.find(|&id| self.module.op(id).sym_name() == *name);
        let global = self
            .module
            .op(global.expect("verified code names a variable of the module"));
        let is_stored = || {
            let mut ops = self
                .module
                .entries()
                .flat_map(|entry| liveness::inner(self.module, entry));
            ops.any(|id| stores(self.module, id))
        };
        if !global.has_flag("constant") && is_stored() {
            return Err(refused(
                op,
                "a variable of the module has no native code yet",
            ));
        }
        let (Some(Attr::Type(ty)), Some(Attr::Dense(dense))) =
            (global.attr("value_type"), global.attr("value"))
        else {
            unreachable!("verified code has elements here");
        };
        let (scalar, shape) = ty.as_number_tile().expect("verified code has numbers here");
        if !is_plain(scalar) {
            return Err(refused(op, "elements of this type have no native code yet"));
        }
        let count: i64 = shape.iter().product();
        let mut bytes = Vec::new();
        for index in 0..usize::try_from(count).expect("extents are positive") {
            let bits = dense.bits_at(index).to_le_bytes();
            bytes.extend_from_slice(&bits[..scalar.bytes()]);
        }
        self.tables.push(bytes);
        let table = u32::try_from(self.tables.len() - 1).expect("few constants");
        self.add_memory(op.result(), Param::Table(table));
        Ok(())
    }

    /// Ends the launch if what is assumed of the elements of a tile does not hold.
    pub(super) fn check_tile_assumption(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let value = op.operands[0];
        let is_unsupported = match *op.assume_predicate() {
            AssumePredicate::DivBy { every, along, .. } => every.is_some() || along.is_some(),
            AssumePredicate::SameElements(_) => true,
            AssumePredicate::Bounded { .. } => false,
        };
        if is_unsupported {
            return Err(refused(
                op,
                "this assumption about tiles is not checked by native code yet",
            ));
        }
        let predicate = op.assume_predicate();
        self.sink(self.bits(value), &[], false, &[value], |builder, map| {
            let reg = builder.element(value, map)?;
            let reg = if builder.scalar_of(value) == Scalar::I64 {
                reg
            } else {
                builder.push(Inst::Call(Fun::SignExtend, vec![reg], Scalar::I64))
            };
            let truth = |fun, args| Inst::Call(fun, args, Scalar::I1);
            let mut faults = Vec::new();
            match *predicate {
                AssumePredicate::DivBy { divisor, .. } => {
                    let low = builder.push(Inst::Constant(Scalar::I64, divisor.wrapping_sub(1)));
                    let rest = builder.push(Inst::Call(Fun::BitAnd, vec![reg, low], Scalar::I64));
                    let zero = builder.push(Inst::Constant(Scalar::I64, 0));
                    faults.push(builder.push(truth(Fun::Less, vec![zero, rest])));
                }
                AssumePredicate::Bounded { lower, upper } => {
                    for (bound, is_lower) in [(lower, true), (upper, false)] {
                        let Some(bound) = bound else { continue };
                        let bound =
                            builder.push(Inst::Constant(Scalar::I64, bound.cast_unsigned()));
                        let pair = if is_lower {
                            vec![reg, bound]
                        } else {
                            vec![bound, reg]
                        };
                        faults.push(builder.push(truth(Fun::Less, pair)));
                    }
                }
                AssumePredicate::SameElements(_) => {}
            }
            for fault in faults {
                let holds = builder.push(truth(Fun::Not, vec![fault]));
                builder.push(Inst::Assert(holds));
            }
            Ok(())
        })
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
                self.materialize(value, Why::Overwritten)?;
                self.flush();
            }
        }
        // What the store itself uses, at other elements than it writes.
        let mut trees = stored.to_vec();
        let mut seen = FxHashSet::default();
        while let Some(value) = trees.pop() {
            if !seen.insert(value) {
                continue;
            }
            match self.bound.get(&value) {
                Some(&Bound::Load(load)) if is_hit(self, value) => {
                    let is_element_wise = self.is_plain_tree(stored)
                        && access.is_some_and(|access| self.is_same(access, load));
                    if !is_element_wise {
                        self.materialize(value, Why::Overwritten)?;
                        self.flush();
                    }
                }
                Some(&Bound::Deferred(op)) => trees.extend(&self.module.op(op).operands),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the memory that each store in the regions of an operation may change: a parameter, or `None` for any.
    pub(super) fn stored_within(&self, id: OpId) -> Vec<Option<u32>> {
        let mut stored = Vec::new();
        for id in liveness::inner(self.module, id) {
            let op = self.module.op(id);
            match op.opcode {
                // After a release, other blocks may change anything.
                Opcode::View(ViewOp::StoreViewTko) if is_shared(op.memory_ordering()) => {
                    stored.push(None);
                }
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

/// Returns the memory before whose change deferred loads must be computed: that of a store, or any (`None`) if other blocks
/// may act on what it stores, and then change what was loaded before.
pub(super) fn changed(op: &Op, param: u32) -> Option<u32> {
    (!is_shared(op.memory_ordering())).then_some(param)
}

/// Returns `true` if an operation may store to memory.
fn stores(module: &tile_core::Module, id: OpId) -> bool {
    matches!(
        module.op(id).opcode,
        Opcode::View(ViewOp::StoreViewTko)
            | Opcode::Memory(MemoryOp::StorePtrTko)
            | Opcode::Atomic(_)
    )
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
