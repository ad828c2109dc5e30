//! Random types.

use super::Generator;
use crate::ops::Version;
use crate::testing::since;
use crate::types::{
    Element, GatherScatterViewType, PaddingValue, PartitionViewType, Scalar, StridedViewType,
    TensorViewType, Type, TypeKind,
};

/// The kinds of views that are accessed by tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewKind {
    Partition,
    Strided,
    GatherScatter,
}

impl Generator<'_, '_, '_> {
    /// Returns one of the element types of the version that `accept` admits.
    pub(super) fn scalar(&mut self, accept: impl Fn(Scalar) -> bool) -> Scalar {
        let admitted: Vec<Scalar> = Scalar::ALL
            .into_iter()
            .filter(|&scalar| self.has(since(scalar)) && accept(scalar))
            .collect();
        self.random.pick(&admitted)
    }

    /// Returns `true` if any element type of the version is admitted.
    pub(super) fn has_scalar(&self, accept: impl Fn(Scalar) -> bool) -> bool {
        Scalar::ALL
            .into_iter()
            .any(|scalar| self.has(since(scalar)) && accept(scalar))
    }

    pub(super) fn rank(&mut self) -> usize {
        match self.random.below(24) {
            0..=6 => 0,
            7..=13 => 1,
            14..=18 => 2,
            19..=20 => 3,
            21..=22 => 4,
            _ => 8,
        }
    }

    /// Returns a shape of `rank` that a tile of `element` may have.
    pub(super) fn shape(&mut self, element: Element, rank: usize) -> Vec<i64> {
        let mut left = self.options.max_elements.max(2).ilog2() as usize;
        let mut shape = vec![1; rank];
        let mut axes: Vec<usize> = (0..rank).collect();
        self.random.shuffle(&mut axes);
        for axis in axes {
            let log = self.random.below(left.min(5) + 1);
            shape[axis] = 1 << log;
            left -= log;
        }
        // Such a tile needs an even number of elements.
        if element == Element::Scalar(Scalar::F4E2M1FN) && shape.iter().all(|&dim| dim == 1) {
            shape[0] = 2;
        }
        shape
    }

    /// Returns a tile type whose element `accept` admits, usually a type that a value has.
    pub(super) fn tile_type(&mut self, accept: impl Fn(Element) -> bool) -> Type {
        self.tile_type_of(accept, |_| true)
    }

    /// Like [`Generator::tile_type`], with a rank that `ranks` admits.
    pub(super) fn tile_type_of(
        &mut self,
        accept: impl Fn(Element) -> bool,
        ranks: impl Fn(usize) -> bool,
    ) -> Type {
        let fits = |ty: Type| {
            ty.as_tile()
                .is_some_and(|tile| accept(tile.element) && ranks(tile.shape.len()))
        };
        if !self.random.one_in(3)
            && let Some((ty, _)) = self.pool.find(&mut self.random, fits)
        {
            return ty;
        }
        let element = self.element(&accept);
        loop {
            let rank = self.rank();
            let has_rank0 = element != Element::Scalar(Scalar::F4E2M1FN);
            if ranks(rank) && (rank > 0 || has_rank0) {
                let shape = self.shape(element, rank);
                return Type::tile(element, &shape);
            }
        }
    }

    /// Returns an element type of a tile that `accept` admits.
    fn element(&mut self, accept: impl Fn(Element) -> bool) -> Element {
        let number = |scalar: Scalar| accept(Element::Scalar(scalar));
        let pointee = |scalar: Scalar| scalar != Scalar::I4 && accept(Element::Ptr(scalar));
        let numbers = self.has_scalar(number);
        if numbers && (!self.has_scalar(pointee) || !self.random.one_in(6)) {
            return Element::Scalar(self.scalar(number));
        }
        Element::Ptr(self.scalar(pointee))
    }

    /// Returns the type of a value that control flow may carry.
    pub(super) fn carried_type(&mut self) -> Type {
        match self.random.below(8) {
            0 => Type::token(),
            _ => self.tile_type(|_| true),
        }
    }

    /// Returns up to `most` types of values that control flow may carry.
    pub(super) fn carried(&mut self, most: usize) -> Vec<Type> {
        let count = self.random.below(most + 1);
        (0..count).map(|_| self.carried_type()).collect()
    }

    /// Returns any type of a value except a tile.
    pub(super) fn any_type(&mut self) -> Type {
        match self.random.below(4) {
            0 => Type::token(),
            1 => {
                let rank = self.random.below(4);
                Type::new(TypeKind::TensorView(self.tensor_view_type(rank, |_| true)))
            }
            _ => {
                let kind = self.view_kind();
                self.tile_view_type(kind, |_| true)
            }
        }
    }

    pub(super) fn view_kind(&mut self) -> ViewKind {
        if !self.has(Version::V13_3) {
            return ViewKind::Partition;
        }
        self.random.pick(&[
            ViewKind::Partition,
            ViewKind::Partition,
            ViewKind::Strided,
            ViewKind::GatherScatter,
        ])
    }

    pub(super) fn tensor_view_type(
        &mut self,
        rank: usize,
        accept: impl Fn(Scalar) -> bool,
    ) -> TensorViewType {
        let element = self.scalar(|scalar| scalar != Scalar::I4 && accept(scalar));
        let mut shape = Vec::new();
        let mut strides = Vec::new();
        let mut stride = 1;
        for axis in (0..rank).rev() {
            let extent = self.random.pick(&[1, 2, 7, 16, 64, 100, 1 << 20]);
            // A view of 4-bit elements has an even axis of stride one.
            let extent = if axis + 1 == rank { extent * 2 } else { extent };
            shape.push((!self.random.one_in(3)).then_some(extent));
            let is_static = axis + 1 == rank || !self.random.one_in(3);
            strides.push(is_static.then_some(stride));
            stride *= self.random.pick(&[1, 2, 16, 1024]);
        }
        shape.reverse();
        strides.reverse();
        TensorViewType {
            element,
            shape,
            strides,
        }
    }

    /// Returns a view type that is accessed by tiles of elements that `accept` admits.
    pub(super) fn tile_view_type(
        &mut self,
        kind: ViewKind,
        accept: impl Fn(Scalar) -> bool,
    ) -> Type {
        let rank = self.random.pick(&[1, 1, 2, 2, 2, 3, 4]);
        let tensor_view = self.tensor_view_type(rank, accept);
        self.tile_view_of(kind, tensor_view)
    }

    /// Returns the type of a view of `tensor_view`, whose rank is not 0, that is accessed by tiles.
    pub(super) fn tile_view_of(&mut self, kind: ViewKind, tensor_view: TensorViewType) -> Type {
        let rank = tensor_view.shape.len();
        let shape = self.shape(tensor_view.element.into(), rank);
        let tile: Vec<i32> = shape
            .iter()
            .map(|&dim| i32::try_from(dim).expect("tiles are small"))
            .collect();
        let padding = self.padding(tensor_view.element);
        let mut dim_map: Vec<i32> = (0..).take(rank).collect();
        if self.random.one_in(3) {
            self.random.shuffle(&mut dim_map);
        }
        Type::new(match kind {
            ViewKind::Partition => TypeKind::PartitionView(PartitionViewType {
                tile,
                padding,
                tensor_view,
                dim_map,
            }),
            ViewKind::Strided => TypeKind::StridedView(StridedViewType {
                traversal_strides: tile
                    .iter()
                    .map(|&dim| match self.random.below(3) {
                        0 => dim,
                        1 => dim + 3,
                        _ => dim.max(2) / 2,
                    })
                    .collect(),
                tile,
                padding,
                tensor_view,
                dim_map,
            }),
            ViewKind::GatherScatter => TypeKind::GatherScatterView(GatherScatterViewType {
                tile,
                padding,
                tensor_view,
                sparse_dim: u32::try_from(self.random.below(rank)).expect("ranks are small"),
            }),
        })
    }

    fn padding(&mut self, element: Scalar) -> Option<PaddingValue> {
        match self.random.below(3) {
            0 => None,
            1 => Some(PaddingValue::Zero),
            _ if element.is_float() => Some(self.random.pick(&PaddingValue::ALL)),
            _ => Some(PaddingValue::Zero),
        }
    }
}
