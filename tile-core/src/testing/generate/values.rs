//! Values of a requested type.

use super::Generator;
use crate::ir::{Attr, Signedness, ValueId};
use crate::ops::{ConversionOp, CoreOp, FloatOp, MemoryOp, Version};
use crate::types::{Element, Scalar, TensorViewType, Type, TypeKind};

/// The nesting depth of built values beyond which only constants are used.
const MAX_BUILD_DEPTH: usize = 3;

impl Generator<'_, '_, '_> {
    /// Returns a value of type `ty`: usually an existing one.
    ///
    /// # Panics
    /// If `ty` is not the type of a value, or is a view where no view exists and none can be made.
    pub(super) fn value(&mut self, ty: Type) -> ValueId {
        if !self.random.one_in(5)
            && let Some(value) = self.pool.pick(ty, &mut self.random)
        {
            return value;
        }
        self.build(ty)
    }

    /// Returns one value per type.
    pub(super) fn values(&mut self, types: &[Type]) -> Vec<ValueId> {
        types.iter().map(|&ty| self.value(ty)).collect()
    }

    /// Returns a token, one time in three.
    pub(super) fn maybe_token(&mut self) -> Vec<ValueId> {
        match self.random.below(3) {
            0 => vec![self.value(Type::token())],
            _ => Vec::new(),
        }
    }

    /// Makes an operation with the operands `args`, one result, and neither attributes nor regions.
    pub(super) fn plain(
        &mut self,
        opcode: impl Into<crate::ops::Opcode>,
        args: &[ValueId],
        result: Type,
    ) -> ValueId {
        let loc = self.loc();
        let op = self.builder.op(opcode, loc).args(args).result(result);
        let op = op.finish();
        self.define(op)
    }

    fn build(&mut self, ty: Type) -> ValueId {
        self.depth += 1;
        let value = match ty.kind() {
            TypeKind::Tile(tile) => match tile.element {
                Element::Scalar(scalar) => self.numbers(scalar, &tile.shape),
                Element::Ptr(pointee) => self.pointers(pointee, &tile.shape),
            },
            TypeKind::Token => self.plain(MemoryOp::MakeToken, &[], ty),
            TypeKind::TensorView(view) => self.make_tensor_view(view),
            TypeKind::PartitionView(_)
            | TypeKind::StridedView(_)
            | TypeKind::GatherScatterView(_) => self.make_tile_view(ty),
            TypeKind::Scalar(_)
            | TypeKind::Ptr(_)
            | TypeKind::Function(_)
            | TypeKind::Foreign(_)
            | TypeKind::Error => unreachable!("no value has the type `{ty}`"),
        };
        self.depth -= 1;
        value
    }

    fn numbers(&mut self, scalar: Scalar, shape: &[i64]) -> ValueId {
        let ty = Type::tile(scalar, shape);
        if self.depth <= MAX_BUILD_DEPTH {
            match self.random.below(8) {
                0 => return self.reshape_to(ty),
                1 if shape.iter().any(|&dim| dim > 1) => return self.broadcast_to(ty),
                2 => {
                    if let Some(value) = self.convert_to(scalar, shape) {
                        return value;
                    }
                }
                3 if is_iota(scalar, shape) => return self.plain(CoreOp::Iota, &[], ty),
                _ => {}
            }
        }
        if scalar == Scalar::I4 {
            // Constants of i4 do not exist.
            let source = self.value(Type::tile(Scalar::I8, shape));
            return self.plain(ConversionOp::TruncI, &[source], ty);
        }
        self.constant(scalar, shape)
    }

    pub(super) fn constant(&mut self, scalar: Scalar, shape: &[i64]) -> ValueId {
        let value = self.dense(scalar, shape);
        let loc = self.loc();
        let op = self
            .builder
            .op(CoreOp::Constant, loc)
            .attr("value", value)
            .result(Type::tile(scalar, shape))
            .finish();
        self.define(op)
    }

    /// Makes a tile of pointers by broadcasting an existing pointer and adding offsets.
    fn pointers(&mut self, pointee: Scalar, shape: &[i64]) -> ValueId {
        let ty = Type::tile(Element::Ptr(pointee), shape);
        if self.depth > MAX_BUILD_DEPTH {
            let addresses = self.constant(Scalar::I64, shape);
            return self.plain(ConversionOp::IntToPtr, &[addresses], ty);
        }
        if shape.is_empty() {
            return self.pointer(pointee);
        }
        let spread = if shape.iter().any(|&dim| dim > 1) {
            self.broadcast_to(ty)
        } else {
            self.reshape_to(ty)
        };
        if self.random.one_in(3) {
            return spread;
        }
        let offsets = self.scalar(|scalar| scalar.is_integer() && scalar.bits() > 4);
        let offsets = self.value(Type::tile(offsets, shape));
        self.plain(CoreOp::Offset, &[spread, offsets], ty)
    }

    /// Makes a new rank-0 pointer.
    fn pointer(&mut self, pointee: Scalar) -> ValueId {
        let ty = Type::pointer(pointee);
        if let Some(value) = self.get_global(Some(pointee))
            && !self.random.one_in(3)
        {
            return value;
        }
        let other = |ty: Type| matches!(ty.as_tile(), Some(tile) if tile.shape.is_empty() && matches!(tile.element, Element::Ptr(_)));
        if let Some((_, value)) = self.pool.find(&mut self.random, other)
            && !self.random.one_in(3)
        {
            return self.plain(ConversionOp::PtrToPtr, &[value], ty);
        }
        if self.has(Version::V13_3) && !self.is_pure() && self.random.one_in(3) {
            return self.alloca(pointee);
        }
        let address = self.value(Type::scalar(Scalar::I64));
        self.plain(ConversionOp::IntToPtr, &[address], ty)
    }

    /// Makes a `reshape` of a tile with as many elements.
    pub(super) fn reshape_to(&mut self, ty: Type) -> ValueId {
        let tile = ty.as_tile().expect("a tile is asked for");
        let mut left = tile.num_elements();
        let needs_rank = left > 1 || tile.element == Element::Scalar(Scalar::F4E2M1FN);
        let rank = self.random.below(4) + usize::from(needs_rank);
        let mut shape = vec![1; rank];
        for dim in &mut shape {
            *dim = 1 << self.random.below(left.ilog2() as usize + 1);
            left /= *dim;
        }
        if let Some(last) = shape.last_mut() {
            *last *= left;
        }
        self.random.shuffle(&mut shape);
        let source = self.value(Type::tile(tile.element, &shape));
        self.plain(CoreOp::Reshape, &[source], ty)
    }

    /// Makes a `broadcast` of a tile with some axes of extent one.
    pub(super) fn broadcast_to(&mut self, ty: Type) -> ValueId {
        let tile = ty.as_tile().expect("a tile is asked for");
        let mut shape = tile.shape.clone();
        for dim in &mut shape {
            if !self.random.one_in(3) {
                *dim = 1;
            }
        }
        let all_ones = shape.iter().all(|&dim| dim == 1);
        if all_ones && tile.element == Element::Scalar(Scalar::F4E2M1FN) {
            shape.clone_from(&tile.shape);
        }
        let source_ty = Type::tile(tile.element, &shape);
        let source = if all_ones
            && !self.random.one_in(3)
            && source_ty.as_tile().expect("a tile").num_elements() == 1
        {
            let scalar = self.value(Type::tile(tile.element, &[]));
            self.plain(CoreOp::Reshape, &[scalar], source_ty)
        } else {
            self.value(source_ty)
        };
        self.plain(CoreOp::Broadcast, &[source], ty)
    }

    /// Makes a conversion from another element type, if there is a simple one.
    fn convert_to(&mut self, scalar: Scalar, shape: &[i64]) -> Option<ValueId> {
        let ty = Type::tile(scalar, shape);
        let loc = self.loc();
        if scalar == Scalar::I1 {
            let operand = self.value(Type::tile(Scalar::F32, shape));
            let attrs = self.attrs(FloatOp::CmpF.into(), None);
            let mut op = self.builder.op(FloatOp::CmpF, loc);
            op = op.args(&[operand, operand]).result(ty);
            for (name, value) in attrs {
                op = op.attr(name, value);
            }
            let op = op.finish();
            return Some(self.define(op));
        }
        if scalar.is_base_float() || (scalar.is_integer() && scalar.bits() > 4) {
            let (opcode, from) = match scalar.is_integer() {
                true if self.random.one_in(2) => {
                    let narrower =
                        |other: Scalar| other.is_integer() && other.bits() < scalar.bits();
                    (ConversionOp::ExtI, self.scalar(narrower))
                }
                true => (ConversionOp::FToI, self.scalar(Scalar::is_base_float)),
                false => {
                    let int = |other: Scalar| other.is_integer() && other != Scalar::I4;
                    (ConversionOp::IToF, self.scalar(int))
                }
            };
            let source = self.value(Type::tile(from, shape));
            let signedness = Attr::Signedness(self.random.pick(Signedness::ALL));
            let op = self
                .builder
                .op(opcode, loc)
                .args(&[source])
                .attr("signedness", signedness)
                .result(ty)
                .finish();
            return Some(self.define(op));
        }
        None
    }

    /// Makes a `make_tensor_view`.
    pub(super) fn make_tensor_view(&mut self, view: &TensorViewType) -> ValueId {
        let base = self.value(Type::pointer(view.element));
        let int = self.scalar(|scalar| scalar.is_integer() && scalar.bits() >= 8);
        let dynamic = |list: &[Option<i64>]| list.iter().filter(|entry| entry.is_none()).count();
        let count = [dynamic(&view.shape), dynamic(&view.strides)];
        let [shape, strides] = count.map(|count| self.values(&vec![Type::scalar(int); count]));
        let loc = self.loc();
        let op = self
            .builder
            .op(crate::ops::ViewOp::MakeTensorView, loc)
            .operand("base", base)
            .operands("dynamicShape", &shape)
            .operands("dynamicStrides", &strides)
            .result(Type::new(TypeKind::TensorView(view.clone())))
            .finish();
        self.define(op)
    }

    /// Makes the operation that creates a view of type `ty` from a tensor view.
    pub(super) fn make_tile_view(&mut self, ty: Type) -> ValueId {
        use crate::ops::ViewOp;
        let view = ty.as_tile_view().expect("such a view is asked for");
        let opcode = match ty.kind() {
            TypeKind::StridedView(_) => ViewOp::MakeStridedView,
            TypeKind::GatherScatterView(_) => ViewOp::MakeGatherScatterView,
            _ => ViewOp::MakePartitionView,
        };
        let tensor_view = Type::new(TypeKind::TensorView(view.tensor_view.clone()));
        let tensor_view = self.value(tensor_view);
        self.plain(opcode, &[tensor_view], ty)
    }
}

/// Returns `true` if `iota` can make such a tile.
pub(super) fn is_iota(scalar: Scalar, shape: &[i64]) -> bool {
    let fits = |extent: i64| scalar.bits() >= 32 || extent <= 1 << scalar.bits();
    scalar.is_integer() && scalar != Scalar::I4 && shape.len() == 1 && fits(shape[0])
}
