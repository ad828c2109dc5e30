//! Access through views of every kind, in bounds of the buffer, with tiles that extend beyond the
//! tensor.

use super::memory::{Buffer, Role};
use super::pointers::Access;
use super::{LOC, Maker};
use crate::ir::{AtomicRmwMode, Attr, MemoryScope, ValueId};
use crate::ops::{AtomicOp, ViewOp};
use crate::types::{
    GatherScatterViewType, PaddingValue, PartitionViewType, Scalar, StridedViewType,
    TensorViewType, Type, TypeKind,
};

/// The purpose of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Loads, which need padding for out-of-bounds elements.
    Load,
    /// Stores, which skip out-of-bounds elements.
    Store,
    /// Atomics, which do not support gather/scatter views.
    Reduce,
}

/// The partition of a tensor by a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Partition,
    Strided,
    /// A gather/scatter view, with the axis whose elements are selected by index.
    Gather(usize),
}

/// A view and the number of its tiles along each axis.
struct Tiles {
    view: ValueId,
    space: Vec<i64>,
    /// The axis that a tile of indices selects from, and the number of elements of that tile.
    sparse: Option<(usize, i64)>,
    of: Use,
    pads_with_nan: bool,
}

impl Maker<'_> {
    /// Makes a view of tiles of `shape` over at most `elements` elements that start at `base`.
    fn tiles(
        &mut self,
        base: ValueId,
        scalar: Scalar,
        shape: &[i64],
        elements: u64,
        of: Use,
    ) -> Tiles {
        let rank = shape.len();
        let (extents, strides) = self.extents_and_strides(shape, elements);
        let cut = match self.random.below(4) {
            0 => Cut::Strided,
            1 if of != Use::Reduce => Cut::Gather(self.random.below(rank)),
            _ => Cut::Partition,
        };
        let mut axes: Vec<i32> = (0..).take(rank).collect();
        if !matches!(cut, Cut::Gather(_)) && self.random.one_in(4) {
            self.random.shuffle(&mut axes);
        }
        // Tile axis `i` is tensor axis `axes[i]`.
        let mut tensor = (vec![0; rank], vec![0; rank]);
        for (axis, &to) in axes.iter().enumerate() {
            let to = usize::try_from(to).expect("axes are not negative");
            tensor.0[to] = extents[axis];
            tensor.1[to] = strides[axis];
        }
        let steps = self.steps_of_tiles(cut, &extents, shape);
        let space = { extents.iter().zip(&steps) }.map(|(&extent, &step)| {
            extent
                .unsigned_abs()
                .div_ceil(step.unsigned_abs())
                .cast_signed()
        });
        let space: Vec<i64> = space.collect();
        let is_cut = cut != Cut::Partition
            || extents
                .iter()
                .zip(shape)
                .any(|(extent, tile)| extent % tile != 0);
        let padding =
            (of == Use::Load && (is_cut || self.random.one_in(3))).then(|| self.padding(scalar));
        let (tensor, tensor_view, int) = self.tensor_view(base, scalar, tensor);
        let (opcode, ty) = view_type(cut, shape, &steps, axes, padding, tensor_view);
        let view = self
            .builder
            .op(opcode, LOC)
            .args(&[tensor])
            .result(Type::new(ty))
            .finish_value();
        self.query_shape(tensor, view, (int, rank));
        let sparse = match cut {
            Cut::Gather(axis) => Some((axis, shape[axis])),
            Cut::Partition | Cut::Strided => None,
        };
        Tiles {
            view,
            space,
            sparse,
            of,
            pads_with_nan: padding == Some(PaddingValue::Nan),
        }
    }

    /// Draws the extents and strides of the axes of a tensor with at most `elements` elements.
    fn extents_and_strides(&mut self, shape: &[i64], elements: u64) -> (Vec<i64>, Vec<i64>) {
        let mut left = i64::try_from(elements).expect("small");
        let mut extents = Vec::new();
        for &tile in shape {
            // The axis has up to two tiles, the last of which may be partial.
            let most = left.min(2 * tile);
            let most = usize::try_from(most).expect("small");
            let extent = i64::try_from(1 + self.random.below(most)).expect("small");
            let extent = if self.random.one_in(3) {
                tile.min(left)
            } else {
                extent
            };
            extents.push(extent);
            left /= extent;
        }
        let rank = shape.len();
        let mut strides = vec![1; rank];
        for axis in (1..rank).rev() {
            strides[axis - 1] = strides[axis] * extents[axis];
        }
        if left >= 2 && self.random.one_in(4) {
            // Take every second element.
            for stride in &mut strides {
                *stride *= 2;
            }
        }
        (extents, strides)
    }

    /// Draws the number of elements between the starts of consecutive tiles, for each axis.
    fn steps_of_tiles(&mut self, cut: Cut, extents: &[i64], shape: &[i64]) -> Vec<i64> {
        let axes = extents.iter().zip(shape);
        let steps = axes.map(|(&extent, &tile)| match cut {
            Cut::Partition => tile,
            // Here too, the axis has up to two tiles.
            Cut::Strided => {
                let more = i64::try_from(self.random.below(3)).expect("small");
                (extent + 1) / 2 + more
            }
            Cut::Gather(_) => 1,
        });
        steps.collect()
    }

    /// Makes a tensor view with these extents and strides, some of which are operands. Returns its value, its
    /// type, and the type of these operands.
    fn tensor_view(
        &mut self,
        base: ValueId,
        scalar: Scalar,
        (extents, strides): (Vec<i64>, Vec<i64>),
    ) -> (ValueId, TensorViewType, Scalar) {
        let [shape, strides] = [extents, strides].map(|numbers| {
            let entry = |&number: &i64| (!self.random.one_in(3)).then_some(number);
            (numbers.iter().map(entry).collect::<Vec<_>>(), numbers)
        });
        let int = self.random.pick(&[Scalar::I32, Scalar::I64]);
        let mut dynamic = |(entries, numbers): &(Vec<Option<i64>>, Vec<i64>)| -> Vec<ValueId> {
            let unknown = entries
                .iter()
                .zip(numbers)
                .filter(|(entry, _)| entry.is_none());
            unknown
                .map(|(_, &number)| self.splat(int, number.cast_unsigned(), &[]))
                .collect()
        };
        let (dynamic_shape, dynamic_strides) = (dynamic(&shape), dynamic(&strides));
        let tensor_view = TensorViewType {
            element: scalar,
            shape: shape.0,
            strides: strides.0,
        };
        let tensor = self
            .builder
            .op(ViewOp::MakeTensorView, LOC)
            .operand("base", base)
            .operands("dynamicShape", &dynamic_shape)
            .operands("dynamicStrides", &dynamic_strides)
            .result(Type::new(TypeKind::TensorView(tensor_view.clone())))
            .finish_value();
        (tensor, tensor_view, int)
    }

    /// Queries, in one of six cases, the extents of a tensor view or the number of tiles of a view.
    fn query_shape(&mut self, tensor: ValueId, view: ValueId, (int, rank): (Scalar, usize)) {
        if !self.random.one_in(6) {
            return;
        }
        let (opcode, of) = self.random.pick(&[
            (ViewOp::GetTensorShape, tensor),
            (ViewOp::GetIndexSpaceShape, view),
        ]);
        let results = vec![Type::scalar(int); rank];
        let op = self
            .builder
            .op(opcode, LOC)
            .args(&[of])
            .results(&results)
            .finish();
        self.define(op);
    }

    fn padding(&mut self, scalar: Scalar) -> PaddingValue {
        if scalar.is_integer() {
            PaddingValue::Zero
        } else {
            self.random.pick(&PaddingValue::ALL)
        }
    }

    /// Returns the index of a tile. A repeated store has the same index each time, since tiles may
    /// overlap.
    fn index(&mut self, tiles: &Tiles, access: Access) -> Vec<ValueId> {
        let int = self.count_type();
        let space = tiles.space.iter().enumerate();
        space
            .map(|(axis, &extent)| {
                if let Some((_, count)) = tiles.sparse.filter(|&(sparse, _)| sparse == axis) {
                    return self.picks(count, tiles.of);
                }
                if self.random.one_in(2) {
                    // If there are two tiles, the lowest bit is a valid index.
                    let value = match access {
                        Access::Repeated => self.settled(Type::scalar(int)),
                        _ => self.value(Type::scalar(int)),
                    };
                    return self.bits_of(value, extent.unsigned_abs().min(2) - 1);
                }
                let index = self.random.below(usize::try_from(extent).expect("small"));
                self.splat(int, index as u64, &[])
            })
            .collect()
    }

    /// Returns the elements of a tile along the sparse axis of its view, some of them out of
    /// bounds.
    fn picks(&mut self, count: i64, of: Use) -> ValueId {
        let int = self.count_type_for(&[count]);
        if of == Use::Load {
            let picks = self.value(Type::tile(int, &[count]));
            return if self.random.one_in(4) {
                picks
            } else {
                self.bits_of(picks, 3)
            };
        }
        // Every element has its own index: the order of two stores to one location is undefined.
        self.numbered(int, &[count])
    }

    /// Loads a tile of a buffer.
    pub(super) fn load_view(&mut self, buffer: &Buffer, shape: &[i64]) {
        let elements = match buffer.role {
            Role::State(_) => self.sizes.state,
            _ => self.sizes.input,
        };
        let tiles = self.tiles(buffer.base, buffer.scalar, shape, elements, Use::Load);
        let index = self.index(&tiles, Access::Load);
        let token = match buffer.role {
            Role::State(chain) => self.before_load(chain),
            _ => self.some_token(),
        };
        let ordering = self.ordering(Access::Load);
        let mut op = self
            .builder
            .op(ViewOp::LoadViewTko, LOC)
            .operand("view", tiles.view)
            .operands("index", &index)
            .operands("token", token.as_slice());
        for (name, value) in ordering {
            op = op.attr(name, value);
        }
        let data = Type::tile(buffer.scalar, shape);
        let op = op.results(&[data, Type::token()]).finish();
        self.define(op);
        let results = self.builder.module().op(op).results.clone();
        match buffer.role {
            Role::State(chain) => self.after_load(chain, results[1]),
            _ if !tiles.pads_with_nan => {
                self.given_bits.insert(results[0]);
            }
            _ => {}
        }
    }

    /// Stores a tile, or its in-bounds part, to a view of at most `elements` elements.
    pub(super) fn store_view(
        &mut self,
        base: ValueId,
        elements: u64,
        value: ValueId,
        token: Option<ValueId>,
    ) -> ValueId {
        let (scalar, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let tiles = self.tiles(base, scalar, shape, elements, Use::Store);
        let access = Access::store(token, self.outermost_loop);
        let index = self.index(&tiles, access);
        let token = token.or_else(|| self.some_token());
        let ordering = self.ordering(access);
        let mut op = self
            .builder
            .op(ViewOp::StoreViewTko, LOC)
            .operand("tile", value)
            .operand("view", tiles.view)
            .operands("index", &index)
            .operands("token", token.as_slice());
        for (name, value) in ordering {
            op = op.attr(name, value);
        }
        let op = op.result(Type::token()).finish();
        self.define(op)
    }

    /// Combines a tile into a state.
    pub(super) fn reduce_into_view(
        &mut self,
        base: ValueId,
        mode: AtomicRmwMode,
        value: ValueId,
        token: Option<ValueId>,
    ) -> ValueId {
        let (scalar, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let tiles = self.tiles(base, scalar, shape, self.sizes.state, Use::Reduce);
        let index = self.index(&tiles, Access::Atomic);
        let scope = self
            .random
            .pick(&[MemoryScope::TileBlock, MemoryScope::Device]);
        let relaxed = crate::ir::MemoryOrdering::Relaxed;
        let op = self
            .builder
            .op(AtomicOp::AtomicRedViewTko, LOC)
            .operand("view", tiles.view)
            .operands("index", &index)
            .operand("value", value)
            .operands("token", token.as_slice())
            .attr("memory_ordering_semantics", Attr::MemoryOrdering(relaxed))
            .attr("memory_scope", Attr::MemoryScope(scope))
            .attr("mode", Attr::RmwMode(mode))
            .result(Type::token())
            .finish();
        self.define(op)
    }
}

/// Returns the operation that makes a view, and its type.
fn view_type(
    cut: Cut,
    shape: &[i64],
    steps: &[i64],
    dim_map: Vec<i32>,
    padding: Option<PaddingValue>,
    tensor_view: TensorViewType,
) -> (ViewOp, TypeKind) {
    let small = |extents: &[i64]| -> Vec<i32> {
        let extents = extents.iter();
        extents
            .map(|&extent| i32::try_from(extent).expect("small"))
            .collect()
    };
    let tile = small(shape);
    match cut {
        Cut::Partition => {
            let view = PartitionViewType {
                tile,
                padding,
                tensor_view,
                dim_map,
            };
            (ViewOp::MakePartitionView, TypeKind::PartitionView(view))
        }
        Cut::Strided => {
            let view = StridedViewType {
                tile,
                traversal_strides: small(steps),
                padding,
                tensor_view,
                dim_map,
            };
            (ViewOp::MakeStridedView, TypeKind::StridedView(view))
        }
        Cut::Gather(axis) => {
            let view = GatherScatterViewType {
                tile,
                padding,
                tensor_view,
                sparse_dim: u32::try_from(axis).expect("small"),
            };
            let kind = TypeKind::GatherScatterView(view);
            (ViewOp::MakeGatherScatterView, kind)
        }
    }
}
