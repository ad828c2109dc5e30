//! Views, which address memory by tiles.

use super::{Scalar, Type, TypeKind, tile_error};
use smallvec::SmallVec;
use std::fmt;

/// The base address, the shape and the strides (in elements) of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorViewType {
    /// The element type.
    pub element: Scalar,
    /// The extent of each axis; `None` if it is known only at run time.
    pub shape: Vec<Option<i64>>,
    /// The number of elements between neighbours along each axis; `None` if it is known only at run
    /// time.
    pub strides: Vec<Option<i64>>,
}

/// The value that a load returns outside the tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PaddingValue {
    /// `0`.
    Zero,
    /// `-0.0`.
    NegZero,
    /// A quiet NaN.
    Nan,
    /// Positive infinity.
    PosInf,
    /// Negative infinity.
    NegInf,
}

impl PaddingValue {
    /// Every padding value, at the index of its bytecode number.
    pub const ALL: [PaddingValue; 5] = [
        PaddingValue::Zero,
        PaddingValue::NegZero,
        PaddingValue::Nan,
        PaddingValue::PosInf,
        PaddingValue::NegInf,
    ];

    /// Returns the keyword.
    pub fn name(self) -> &'static str {
        match self {
            PaddingValue::Zero => "zero",
            PaddingValue::NegZero => "neg_zero",
            PaddingValue::Nan => "nan",
            PaddingValue::PosInf => "pos_inf",
            PaddingValue::NegInf => "neg_inf",
        }
    }
}

/// A tensor view cut into tiles of one shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartitionViewType {
    /// The extent of a tile along each tile axis.
    pub tile: Vec<i32>,
    /// The value of elements outside the tensor; unspecified if `None`.
    pub padding: Option<PaddingValue>,
    /// The tensor that is cut.
    pub tensor_view: TensorViewType,
    /// The tensor axis that each tile axis runs along.
    pub dim_map: Vec<i32>,
}

impl TensorViewType {
    /// Returns the rule of the dialect that this view breaks, if any.
    pub fn invalid_reason(&self) -> Option<String> {
        if self.element == Scalar::I4 {
            return Some("a tensor cannot hold `i4`".to_owned());
        }
        if self.shape.len() != self.strides.len() {
            return Some(format!(
                "expected strides and shape to have the same rank, got {} and {}",
                self.strides.len(),
                self.shape.len()
            ));
        }
        let bad = |list: &[Option<i64>]| list.iter().flatten().any(|&entry| entry <= 0);
        if bad(&self.shape) {
            return Some("static dimensions must be positive".to_owned());
        }
        if bad(&self.strides) {
            return Some("static strides must be positive".to_owned());
        }
        None
    }
}

/// A tensor view addressed by tiles that start at multiples of strides, so tiles may overlap or
/// leave gaps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StridedViewType {
    /// The extent of a tile along each tile axis.
    pub tile: Vec<i32>,
    /// The number of elements between the starts of neighbouring tiles, per tile axis.
    pub traversal_strides: Vec<i32>,
    /// The value of elements outside the tensor; unspecified if `None`.
    pub padding: Option<PaddingValue>,
    /// The tensor that is addressed.
    pub tensor_view: TensorViewType,
    /// The tensor axis that each tile axis runs along.
    pub dim_map: Vec<i32>,
}

/// A tensor view addressed by tiles whose indices along one axis are given one
/// by one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GatherScatterViewType {
    /// The extent of a tile along each axis.
    pub tile: Vec<i32>,
    /// The value of elements outside the tensor; unspecified if `None`.
    pub padding: Option<PaddingValue>,
    /// The tensor that is addressed.
    pub tensor_view: TensorViewType,
    /// The axis whose index is a tile.
    pub sparse_dim: u32,
}

/// The common part of all views that are accessed by tiles.
#[derive(Clone, Copy, Debug)]
pub struct TileView<'t> {
    /// The extent of a tile along each tile axis.
    pub tile: &'t [i32],
    /// The value of elements outside the tensor; unspecified if `None`.
    pub padding: Option<PaddingValue>,
    /// The tensor that is addressed.
    pub tensor_view: &'t TensorViewType,
    /// The axis whose index is a tile, in a gather/scatter view.
    pub sparse_dim: Option<u32>,
    /// The tensor axis that each tile axis runs along; the identity if `None`.
    pub dim_map: Option<&'t [i32]>,
    /// The number of elements between the starts of neighbouring tiles, in a strided view.
    pub traversal_strides: Option<&'t [i32]>,
}

impl<'t> TileView<'t> {
    /// Returns the type of a loaded tile.
    pub fn tile_type(&self) -> Type {
        let shape: Vec<i64> = self.tile_shape().collect();
        Type::tile(self.tensor_view.element, &shape)
    }

    /// Returns the tensor axis that the tile axis `axis` runs along.
    pub fn tensor_axis(&self, axis: usize) -> usize {
        self.dim_map.map_or(axis, |dim_map| {
            usize::try_from(dim_map[axis]).expect("axes are not negative")
        })
    }

    /// Returns the number of elements between consecutive indices along the tile axis `axis`: the
    /// extent of a tile, the traversal stride of a strided view, or 1 in a gather/scatter view,
    /// whose indices count elements.
    pub fn step(&self, axis: usize) -> u64 {
        if self.sparse_dim.is_some() {
            return 1;
        }
        let steps = self.traversal_strides.unwrap_or(self.tile);
        u64::from(steps[axis].unsigned_abs())
    }

    /// Returns the extents of a tile.
    pub fn tile_shape(&self) -> impl Iterator<Item = i64> + Clone + use<'t> {
        self.tile.iter().map(|&dim| i64::from(dim))
    }

    /// Returns the first rule that the tensor or the tile breaks, if any, in the order of the
    /// upstream checks. `before` and `after` are the checks of one kind of view that precede and
    /// follow those of the extents; they take the rank.
    fn invalid_reason(
        &self,
        before: impl FnOnce(usize) -> Option<String>,
        after: impl FnOnce(usize) -> Option<String>,
    ) -> Option<String> {
        if let Some(error) = self.tensor_view.invalid_reason() {
            return Some(error);
        }
        let rank = self.tensor_view.shape.len();
        if self.tile.is_empty() {
            return Some("tile must have at least one dimension".to_owned());
        }
        if self.tile.len() != rank {
            return Some(format!(
                "expected a tile of the tensor's rank {rank}, found rank {}",
                self.tile.len()
            ));
        }
        before(rank)
            .or_else(|| extents_error(self.tile))
            .or_else(|| after(rank))
            .or_else(|| tile_error(self.tensor_view.element.into(), self.tile_shape()))
            .or_else(|| self.padding_error())
    }

    /// Like [`TileView::invalid_reason`], for a view with a map of axes.
    fn dim_map_error(&self, dim_map: &[i32]) -> Option<String> {
        self.invalid_reason(
            |rank| dim_map_length_error(dim_map, rank),
            |rank| dim_map_entry_error(dim_map, rank),
        )
    }

    fn padding_error(&self) -> Option<String> {
        let element = self.tensor_view.element;
        let padding = self.padding.filter(|&one| one != PaddingValue::Zero)?;
        (!element.is_float()).then(|| {
            format!(
                "padding `{}` needs a float element type, found `{element}`",
                padding.name()
            )
        })
    }
}

/// Returns the rule that a single extent of a tile breaks, if any.
fn extents_error(tile: &[i32]) -> Option<String> {
    if tile.iter().any(|&dim| dim <= 0) {
        return Some(format!(
            "all dimensions must be positive constants, got {}",
            super::join(tile)
        ));
    }
    let legal = |dim: &i32| dim.unsigned_abs().is_power_of_two();
    (!tile.iter().all(legal)).then(|| {
        format!(
            "all dimensions must be powers of two, got {}",
            super::join(tile)
        )
    })
}

fn dim_map_length_error(dim_map: &[i32], rank: usize) -> Option<String> {
    (dim_map.len() != rank).then(|| {
        format!(
            "expected `dim_map` to have {rank} entries, found {}",
            dim_map.len()
        )
    })
}

fn dim_map_entry_error(dim_map: &[i32], rank: usize) -> Option<String> {
    let mut seen: SmallVec<[bool; 8]> = SmallVec::from_elem(false, rank);
    let fresh = |&dim: &i32| {
        let slot = usize::try_from(dim).ok().and_then(|dim| seen.get_mut(dim));
        slot.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    (!dim_map.iter().all(fresh))
        .then(|| format!("`dim_map` must be a permutation of the tensor's {rank} axes"))
}

impl<'t> From<&'t PartitionViewType> for TileView<'t> {
    fn from(view: &'t PartitionViewType) -> Self {
        Self {
            tile: &view.tile,
            padding: view.padding,
            tensor_view: &view.tensor_view,
            sparse_dim: None,
            dim_map: Some(&view.dim_map),
            traversal_strides: None,
        }
    }
}

impl<'t> From<&'t StridedViewType> for TileView<'t> {
    fn from(view: &'t StridedViewType) -> Self {
        Self {
            tile: &view.tile,
            padding: view.padding,
            tensor_view: &view.tensor_view,
            sparse_dim: None,
            dim_map: Some(&view.dim_map),
            traversal_strides: Some(&view.traversal_strides),
        }
    }
}

impl<'t> From<&'t GatherScatterViewType> for TileView<'t> {
    fn from(view: &'t GatherScatterViewType) -> Self {
        Self {
            tile: &view.tile,
            padding: view.padding,
            tensor_view: &view.tensor_view,
            sparse_dim: Some(view.sparse_dim),
            dim_map: None,
            traversal_strides: None,
        }
    }
}

impl PartitionViewType {
    /// Makes a view whose tile axes are the axes of the tensor, in order.
    pub fn new(tile: &[i32], tensor_view: TensorViewType, padding: Option<PaddingValue>) -> Self {
        let rank = i32::try_from(tile.len()).expect("ranks are small");
        Self {
            tile: tile.to_vec(),
            padding,
            tensor_view,
            dim_map: (0..rank).collect(),
        }
    }

    /// Returns the type of a loaded tile.
    pub fn tile_type(&self) -> Type {
        TileView::from(self).tile_type()
    }

    /// Interns the type.
    pub fn intern(self) -> Type {
        Type::new(TypeKind::PartitionView(self))
    }

    /// Returns the rule of the dialect that this view breaks, if any: the first in the order of the
    /// upstream checks.
    pub fn invalid_reason(&self) -> Option<String> {
        TileView::from(self).dim_map_error(&self.dim_map)
    }
}

impl StridedViewType {
    /// Returns the rule of the dialect that this view breaks, if any: the first in the order of the
    /// upstream checks.
    pub fn invalid_reason(&self) -> Option<String> {
        let rank = self.tile.len();
        let strides = &self.traversal_strides;
        let view = TileView::from(self).dim_map_error(&self.dim_map);
        view.or_else(|| {
            (strides.len() != rank)
                .then(|| format!("expected {rank} traversal strides, found {}", strides.len()))
        })
        .or_else(|| {
            let bad = strides.iter().any(|&stride| stride <= 0);
            bad.then(|| "traversal strides must be positive".to_owned())
        })
    }
}

impl GatherScatterViewType {
    /// Returns the rule of the dialect that this view breaks, if any: the first in the order of the
    /// upstream checks.
    pub fn invalid_reason(&self) -> Option<String> {
        let dim = self.sparse_dim;
        let axes = |rank| {
            let inside = usize::try_from(dim).is_ok_and(|dim| dim < rank);
            (!inside).then(|| format!("`sparse_dim` {dim} is no axis of a tensor of rank {rank}"))
        };
        TileView::from(self).invalid_reason(|_| None, axes)
    }
}

fn entry(value: Option<i64>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| value.to_string())
}

impl fmt::Display for TensorViewType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensor_view<")?;
        for &dim in &self.shape {
            write!(f, "{}x", entry(dim))?;
        }
        write!(f, "{}", self.element)?;
        if !self.strides.is_empty() {
            let strides: Vec<String> = self.strides.iter().map(|&s| entry(s)).collect();
            write!(f, ", strides=[{}]", strides.join(","))?;
        }
        f.write_str(">")
    }
}

/// Writes `tile=(AxBx…)`.
fn write_tile(f: &mut fmt::Formatter<'_>, tile: &[i32]) -> fmt::Result {
    f.write_str("tile=(")?;
    for (index, dim) in tile.iter().enumerate() {
        let separator = if index > 0 { "x" } else { "" };
        write!(f, "{separator}{dim}")?;
    }
    f.write_str("), ")
}

/// Writes `padding_value = P, tensor_view<…>`.
fn write_tensor(
    f: &mut fmt::Formatter<'_>,
    padding: Option<PaddingValue>,
    tensor_view: &TensorViewType,
) -> fmt::Result {
    if let Some(padding) = padding {
        write!(f, "padding_value = {}, ", padding.name())?;
    }
    write!(f, "{tensor_view}")
}

/// Writes `, dim_map=[…]`, unless it is the identity.
fn write_dim_map(f: &mut fmt::Formatter<'_>, dim_map: &[i32]) -> fmt::Result {
    let identity = dim_map.iter().zip(0..).all(|(&dim, index)| dim == index);
    if identity {
        return Ok(());
    }
    write!(f, ", dim_map=[{}]", super::join(dim_map))
}

impl fmt::Display for PartitionViewType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("partition_view<")?;
        write_tile(f, &self.tile)?;
        write_tensor(f, self.padding, &self.tensor_view)?;
        write_dim_map(f, &self.dim_map)?;
        f.write_str(">")
    }
}

impl fmt::Display for StridedViewType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("strided_view<")?;
        write_tile(f, &self.tile)?;
        let strides: Vec<String> = self
            .traversal_strides
            .iter()
            .map(ToString::to_string)
            .collect();
        write!(f, "traversal_strides=[{}], ", strides.join(","))?;
        write_tensor(f, self.padding, &self.tensor_view)?;
        write_dim_map(f, &self.dim_map)?;
        f.write_str(">")
    }
}

impl fmt::Display for GatherScatterViewType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("gather_scatter_view<")?;
        write_tile(f, &self.tile)?;
        write_tensor(f, self.padding, &self.tensor_view)?;
        write!(f, ", sparse_dim={}>", self.sparse_dim)
    }
}
