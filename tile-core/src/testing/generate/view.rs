//! Views: creation, queries and access.

use super::Generator;
use super::memory::has_mode;
use super::types::ViewKind;
use crate::ir::{AtomicRmwMode, Attr, ValueId};
use crate::ops::{AtomicOp, Version, ViewOp};
use crate::types::{Scalar, Type, TypeKind};

impl Generator<'_, '_, '_> {
    pub(super) fn view(&mut self, opcode: ViewOp) {
        match opcode {
            ViewOp::GetIndexSpaceShape => {
                let kind = self.view_kind();
                let (ty, view) = self.tile_view(kind, |_| true);
                let rank = ty.as_tile_view().expect("a view").tile.len();
                self.query(opcode, view, rank);
            }
            ViewOp::GetTensorShape => {
                let (ty, view) = self.tensor_view();
                let rank = ty.as_tensor_view().expect("a view").shape.len();
                // The upstream printer reads past the results of a rank-0 view.
                if rank > 0 {
                    self.query(opcode, view, rank);
                }
            }
            ViewOp::LoadViewTko => self.load_view(),
            ViewOp::MakeGatherScatterView => self.view_of_tensor(ViewKind::GatherScatter),
            ViewOp::MakePartitionView => self.view_of_tensor(ViewKind::Partition),
            ViewOp::MakeStridedView => self.view_of_tensor(ViewKind::Strided),
            ViewOp::MakeTensorView => {
                let rank = self.random.below(5);
                let view = self.tensor_view_type(rank, |_| true);
                self.make_tensor_view(&view);
            }
            ViewOp::StoreViewTko => self.store_view(),
        }
    }

    /// Returns a tensor view: usually an existing one.
    fn tensor_view(&mut self) -> (Type, ValueId) {
        let is_view = |ty: Type| ty.as_tensor_view().is_some();
        if !self.random.one_in(3)
            && let Some(value) = self.pool.find(&mut self.random, is_view)
        {
            return value;
        }
        let rank = 1 + self.random.below(3);
        let view = self.tensor_view_type(rank, |_| true);
        let ty = Type::new(TypeKind::TensorView(view));
        (ty, self.value(ty))
    }

    /// Returns a view that is accessed by tiles of elements that `accept` admits.
    fn tile_view(&mut self, kind: ViewKind, accept: impl Fn(Scalar) -> bool) -> (Type, ValueId) {
        let fits = |ty: Type| {
            let view = ty.as_tile_view();
            is_kind(ty, kind) && view.is_some_and(|view| accept(view.tensor_view.element))
        };
        if !self.random.one_in(3)
            && let Some(value) = self.pool.find(&mut self.random, fits)
        {
            return value;
        }
        let ty = self.tile_view_type(kind, accept);
        (ty, self.value(ty))
    }

    fn view_of_tensor(&mut self, kind: ViewKind) {
        let is_view = |ty: Type| {
            ty.as_tensor_view()
                .is_some_and(|view| !view.shape.is_empty())
        };
        let candidate = self.pool.find(&mut self.random, is_view);
        match candidate {
            Some((ty, value)) => {
                let view = ty.as_tensor_view().expect("a view").clone();
                let ty = self.tile_view_of(kind, view);
                let opcode = match kind {
                    ViewKind::Partition => ViewOp::MakePartitionView,
                    ViewKind::Strided => ViewOp::MakeStridedView,
                    ViewKind::GatherScatter => ViewOp::MakeGatherScatterView,
                };
                self.plain(opcode, &[value], ty);
            }
            // A body without effects cannot make a tensor view.
            None if self.is_pure() => {}
            None => {
                let ty = self.tile_view_type(kind, |_| true);
                self.value(ty);
            }
        }
    }

    /// Makes a query with one number per axis.
    fn query(&mut self, opcode: ViewOp, view: ValueId, rank: usize) {
        let int = self.scalar(|scalar| scalar.is_integer() && scalar != Scalar::I4);
        let loc = self.loc();
        let op = self.builder.op(opcode, loc).args(&[view]);
        let op = op.results(&vec![Type::scalar(int); rank]).finish();
        self.define(op);
    }

    /// Returns an index into a view.
    fn indices(&mut self, view: Type) -> Vec<ValueId> {
        let int = |scalar: Scalar| scalar.is_integer() && scalar != Scalar::I4;
        let index = Type::scalar(self.scalar(int));
        let sparse = self.scalar(int);
        let view = view.as_tile_view().expect("a view");
        let types: Vec<Type> = (0..view.tile.len())
            .map(|axis| match view.sparse_dim {
                Some(sparse_dim) if axis == sparse_dim as usize => {
                    Type::tile(sparse, &[view.tile[axis].into()])
                }
                _ => index,
            })
            .collect();
        self.values(&types)
    }

    fn inbounds(&mut self, indices: &[ValueId]) -> Option<Attr> {
        if !self.has(Version::V13_4) || self.random.one_in(2) {
            return None;
        }
        let flags: Vec<bool> = indices.iter().map(|_| self.random.one_in(2)).collect();
        // If all flags are `false`, the attribute is absent.
        flags
            .contains(&true)
            .then_some(Attr::BoolArray(flags.into()))
    }

    fn load_view(&mut self) {
        let kind = self.view_kind();
        let (ty, view) = self.tile_view(kind, |_| true);
        let indices = self.indices(ty);
        let token = self.maybe_token();
        let (ordering, scope) = self.ordering(0b0_0111, 0b111);
        let hints = self.access_hints(true);
        let inbounds = self.inbounds(&indices);
        let tile = ty.as_tile_view().expect("a view").tile_type();
        let loc = self.loc();
        let op = self
            .builder
            .op(ViewOp::LoadViewTko, loc)
            .operand("view", view)
            .operands("index", &indices)
            .operands("token", &token)
            .attr("memory_ordering_semantics", ordering)
            .attr("memory_scope", scope)
            .attr("optimization_hints", hints)
            .attr("inbounds", inbounds)
            .results(&[tile, Type::token()])
            .finish();
        self.define(op);
    }

    fn store_view(&mut self) {
        let kind = self.view_kind();
        let (ty, view) = self.tile_view(kind, |_| true);
        let tile = self.value(ty.as_tile_view().expect("a view").tile_type());
        let indices = self.indices(ty);
        let token = self.maybe_token();
        let (ordering, scope) = self.ordering(0b0_1011, 0b111);
        let hints = self.access_hints(true);
        let inbounds = self.inbounds(&indices);
        let loc = self.loc();
        let op = self
            .builder
            .op(ViewOp::StoreViewTko, loc)
            .args(&[tile, view])
            .operands("index", &indices)
            .operands("token", &token)
            .attr("memory_ordering_semantics", ordering)
            .attr("memory_scope", scope)
            .attr("optimization_hints", hints)
            .attr("inbounds", inbounds)
            .result(Type::token())
            .finish();
        self.define(op);
    }

    pub(super) fn atomic_red_view(&mut self) {
        let modes: Vec<AtomicRmwMode> = AtomicRmwMode::ALL
            .iter()
            .copied()
            .filter(|&mode| mode != AtomicRmwMode::Xchg)
            .collect();
        let mode = self.random.pick(&modes);
        let kind = self.random.pick(&[ViewKind::Partition, ViewKind::Strided]);
        let (ty, view) = self.tile_view(kind, |scalar| has_mode(mode, scalar));
        let tile_view = ty.as_tile_view().expect("a view");
        if tile_view.padding.is_some() {
            return;
        }
        let indices = self.indices(ty);
        let value = self.value(tile_view.tile_type());
        let token = self.maybe_token();
        let (ordering, scope) = self.ordering(0b0_0010, 0b011);
        let loc = self.loc();
        let op = self
            .builder
            .op(AtomicOp::AtomicRedViewTko, loc)
            .operand("view", view)
            .operands("index", &indices)
            .operand("value", value)
            .operands("token", &token)
            .attr("memory_ordering_semantics", ordering)
            .attr("memory_scope", scope)
            .attr("mode", Attr::RmwMode(mode))
            .result(Type::token())
            .finish();
        self.define(op);
    }
}

fn is_kind(ty: Type, kind: ViewKind) -> bool {
    match kind {
        ViewKind::Partition => ty.as_partition_view().is_some(),
        ViewKind::Strided => matches!(ty.kind(), TypeKind::StridedView(_)),
        ViewKind::GatherScatter => matches!(ty.kind(), TypeKind::GatherScatterView(_)),
    }
}
