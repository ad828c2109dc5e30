//! Builds views of tensors, such as partitions, strided views and gather views, once before the
//! body.

use super::Build;
use super::memory::Tensor;
use crate::hir::signature::HostScalar;
use crate::hir::ty::PaddingValue;
use crate::hir::{ExprId, ExprKind, Memory, PartitionTy, Ty, ViewLayout};
use tile_core::Loc;
use tile_core::ir::ValueId;
use tile_core::ops::ViewOp;
use tile_core::types::{
    GatherScatterViewType, PartitionViewType, Scalar, StridedViewType, Type, TypeKind,
};

/// A view that some access uses.
pub(super) struct View {
    partition_ty: PartitionTy,
    /// The padding; atomics take views without padding.
    padding: Option<PaddingValue>,
    value: ValueId,
}

fn narrow(numbers: &[i64]) -> Vec<i32> {
    numbers
        .iter()
        .map(|&number| i32::try_from(number).expect("checking limits tiles and steps"))
        .collect()
}

impl Build<'_, '_> {
    /// Builds one view per tensor, shape, layout and padding that is used.
    pub(super) fn make_views(&mut self) {
        for expr in &self.kernel.exprs {
            match &expr.kind {
                ExprKind::Load(view, _)
                | ExprKind::Store(view, _, _)
                | ExprKind::NumTiles(view, _) => {
                    let padding = self.partition(*view).padding.to_padding_value();
                    self.make_view(*view, Some(padding));
                }
                ExprKind::Memory(Memory::AtomicTile { view, .. }) => self.make_view(*view, None),
                _ => {}
            }
        }
    }

    fn partition(&self, view: ExprId) -> &PartitionTy {
        let Ty::Partition(partition) = self.ty(view) else {
            unreachable!("checking made sure of a view");
        };
        partition
    }

    fn find(&self, partition_ty: &PartitionTy, padding: Option<PaddingValue>) -> Option<ValueId> {
        let mut views = self.views.iter();
        let existing =
            views.find(|view| view.partition_ty == *partition_ty && view.padding == padding)?;
        Some(existing.value)
    }

    fn make_view(&mut self, view: ExprId, padding: Option<PaddingValue>) {
        let partition_ty = self.partition(view).clone();
        if self.find(&partition_ty, padding).is_some() {
            return;
        }
        let tensor = self.tensors[&partition_ty.tensor.param].clone();
        let (opcode, ty) = view_type(&partition_ty, padding, &tensor);
        let value = self
            .b
            .op(opcode, self.kernel.expr(view).loc)
            .args(&[tensor.view])
            .result(Type::new(ty))
            .finish_value();
        self.views.push(View {
            partition_ty,
            padding,
            value,
        });
    }

    /// Returns the view of an expression.
    pub(super) fn view(&mut self, id: ExprId) -> (PartitionTy, ValueId) {
        let padding = self.partition(id).padding.to_padding_value();
        self.padded_view(id, Some(padding))
    }

    pub(super) fn padded_view(
        &mut self,
        id: ExprId,
        padding: Option<PaddingValue>,
    ) -> (PartitionTy, ValueId) {
        // A block that yields the view may have effects.
        self.expr(id);
        let partition_ty = self.partition(id).clone();
        let value = self
            .find(&partition_ty, padding)
            .expect("the prologue made a view for every access");
        (partition_ty, value)
    }

    pub(super) fn num_tiles(&mut self, view: ExprId, axis: usize, loc: Loc) -> ValueId {
        let (partition, view) = self.view(view);
        let types = vec![Type::scalar(Scalar::I32); partition.tile.len()];
        self.b
            .op(ViewOp::GetIndexSpaceShape, loc)
            .args(&[view])
            .results(&types)
            .finish_values()[axis]
    }

    /// Builds index operands. Numbers have one type: `i32`, or `i64` if one has 64 bits. A tile of
    /// indices is read as unsigned and compared with a 64-bit extent, so it is extended to 64 bits
    /// too.
    pub(super) fn index(&mut self, view: &PartitionTy, index: &[ExprId]) -> Vec<ValueId> {
        let gathered = match view.layout {
            ViewLayout::Gather(axis) => Some(axis),
            ViewLayout::Partition | ViewLayout::Strided(_) => None,
        };
        let wide = index
            .iter()
            .enumerate()
            .any(|(axis, &id)| Some(axis) != gathered && self.element(id).bits() == 64);
        index
            .iter()
            .enumerate()
            .map(|(axis, &id)| {
                let value = self.tile(id);
                let loc = self.kernel.expr(id).loc;
                let target = if wide || Some(axis) == gathered {
                    HostScalar::I64
                } else {
                    HostScalar::I32
                };
                self.cast(value, self.element(id), target, loc)
            })
            .collect()
    }
}

fn view_type(
    partition_ty: &PartitionTy,
    padding: Option<PaddingValue>,
    tensor: &Tensor,
) -> (ViewOp, TypeKind) {
    let tile = narrow(&partition_ty.tile);
    let tensor_view = tensor.view_type.clone();
    let dim_map = partition_ty
        .order
        .iter()
        .map(|&axis| i32::try_from(axis).expect("ranks are small"))
        .collect();
    match &partition_ty.layout {
        ViewLayout::Partition => (
            ViewOp::MakePartitionView,
            TypeKind::PartitionView(PartitionViewType {
                tile,
                padding,
                tensor_view,
                dim_map,
            }),
        ),
        ViewLayout::Strided(steps) => (
            ViewOp::MakeStridedView,
            TypeKind::StridedView(StridedViewType {
                tile,
                traversal_strides: narrow(steps),
                padding,
                tensor_view,
                dim_map,
            }),
        ),
        ViewLayout::Gather(axis) => (
            ViewOp::MakeGatherScatterView,
            TypeKind::GatherScatterView(GatherScatterViewType {
                tile,
                padding,
                tensor_view,
                sparse_dim: u32::try_from(*axis).expect("ranks are small"),
            }),
        ),
    }
}
