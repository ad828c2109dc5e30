//! Views: how memory is addressed by tiles.

use super::{Element, MAX_TILE_ELEMENTS, Scalar, TileType, Type, TypeKind};
use std::fmt;

/// Base address, shape and strides (in elements) of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorViewType {
    /// What is stored.
    pub element: Scalar,
    /// Extent per axis; `None` is known only at run time.
    pub shape: Vec<Option<i64>>,
    /// Elements between neighbours per axis; `None` is known only at run time.
    pub strides: Vec<Option<i64>>,
}

/// What a load yields outside the tensor.
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

    /// The keyword.
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
    /// Extent of a tile per tile axis.
    pub tile: Vec<i32>,
    /// What a load yields outside the tensor; unspecified if `None`.
    pub padding: Option<PaddingValue>,
    /// The tensor that is cut.
    pub tensor_view: TensorViewType,
    /// The tensor axis that each tile axis runs along.
    pub dim_map: Vec<i32>,
}

impl TensorViewType {
    /// The rule of the dialect that this view breaks, if any.
    pub fn fault(&self) -> Option<String> {
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

/// A tensor view addressed by tiles that start at multiples of strides, so that
/// tiles may overlap or leave gaps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StridedViewType {
    /// Extent of a tile per tile axis.
    pub tile: Vec<i32>,
    /// Elements between the starts of neighbouring tiles, per tile axis.
    pub traversal_strides: Vec<i32>,
    /// What a load yields outside the tensor; unspecified if `None`.
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
    /// Extent of a tile per axis.
    pub tile: Vec<i32>,
    /// What a load yields outside the tensor; unspecified if `None`.
    pub padding: Option<PaddingValue>,
    /// The tensor that is addressed.
    pub tensor_view: TensorViewType,
    /// The axis whose index is a tile.
    pub sparse_dim: u32,
}

/// What all views that are accessed by tiles have.
#[derive(Clone, Copy, Debug)]
pub struct TileView<'t> {
    /// Extent of a tile per tile axis.
    pub tile: &'t [i32],
    /// What a load yields outside the tensor; unspecified if `None`.
    pub padding: Option<PaddingValue>,
    /// The tensor that is addressed.
    pub tensor_view: &'t TensorViewType,
    /// The axis whose index is a tile, in a gather/scatter view.
    pub sparse_dim: Option<u32>,
}

impl TileView<'_> {
    /// The type of a loaded tile.
    pub fn tile_type(&self) -> Type {
        let shape: Vec<i64> = self.tile.iter().map(|&dim| i64::from(dim)).collect();
        Type::tile(self.tensor_view.element, &shape)
    }

    /// The first rule that tile and tensor break together, if any, in the order
    /// of the upstream checks. `middle` are the checks of one kind of view.
    fn fault(
        &self,
        dim_map: Option<&[i32]>,
        middle: impl Fn() -> Option<String>,
    ) -> Option<String> {
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
        if let Some(fault) = middle().or_else(|| dim_map_fault(dim_map?, rank)) {
            return Some(fault);
        }
        let tile = TileType {
            element: Element::Scalar(self.tensor_view.element),
            shape: self.tile.iter().map(|&dim| i64::from(dim)).collect(),
        };
        if let Some(fault) = tile.fault() {
            return Some(fault);
        }
        debug_assert!(tile.num_elements() <= MAX_TILE_ELEMENTS);
        match self.padding {
            Some(padding)
                if padding != PaddingValue::Zero && !self.tensor_view.element.is_float() =>
            {
                Some(format!(
                    "padding `{}` needs a float element type, found `{}`",
                    padding.name(),
                    self.tensor_view.element
                ))
            }
            _ => self.tensor_view.fault(),
        }
    }
}

fn dim_map_fault(dim_map: &[i32], rank: usize) -> Option<String> {
    if dim_map.len() != rank {
        return Some(format!(
            "expected `dim_map` to have {rank} entries, found {}",
            dim_map.len()
        ));
    }
    let mut seen = vec![false; rank];
    for &dim in dim_map {
        let slot = usize::try_from(dim).ok().and_then(|dim| seen.get_mut(dim));
        match slot {
            Some(seen) if !*seen => *seen = true,
            _ => {
                return Some(format!(
                    "`dim_map` must be a permutation of the tensor's {rank} axes"
                ));
            }
        }
    }
    None
}

impl<'t> From<&'t PartitionViewType> for TileView<'t> {
    fn from(view: &'t PartitionViewType) -> Self {
        Self {
            tile: &view.tile,
            padding: view.padding,
            tensor_view: &view.tensor_view,
            sparse_dim: None,
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
        }
    }
}

impl PartitionViewType {
    /// A view whose tile axes are the tensor's axes in order.
    pub fn new(tile: &[i32], tensor_view: TensorViewType, padding: Option<PaddingValue>) -> Self {
        let rank = i32::try_from(tile.len()).expect("ranks are small");
        Self {
            tile: tile.to_vec(),
            padding,
            tensor_view,
            dim_map: (0..rank).collect(),
        }
    }

    /// The type of a loaded tile.
    pub fn tile_type(&self) -> Type {
        TileView::from(self).tile_type()
    }

    /// The interned type.
    pub fn intern(self) -> Type {
        Type::new(TypeKind::PartitionView(self))
    }

    /// The rule of the dialect that this view breaks, if any, in the order of
    /// the upstream checks.
    pub fn fault(&self) -> Option<String> {
        TileView::from(self).fault(Some(&self.dim_map), || None)
    }
}

impl StridedViewType {
    /// The rule of the dialect that this view breaks, if any, in the order of
    /// the upstream checks.
    pub fn fault(&self) -> Option<String> {
        TileView::from(self).fault(Some(&self.dim_map), || {
            if self.traversal_strides.len() != self.tile.len() {
                return Some(format!(
                    "expected {} traversal strides, found {}",
                    self.tile.len(),
                    self.traversal_strides.len()
                ));
            }
            let bad = self.traversal_strides.iter().any(|&stride| stride <= 0);
            bad.then(|| "traversal strides must be positive".to_owned())
        })
    }
}

impl GatherScatterViewType {
    /// The rule of the dialect that this view breaks, if any, in the order of
    /// the upstream checks.
    pub fn fault(&self) -> Option<String> {
        let rank = self.tensor_view.shape.len();
        TileView::from(self).fault(None, || {
            let inside = usize::try_from(self.sparse_dim).is_ok_and(|dim| dim < rank);
            (!inside).then(|| {
                format!(
                    "`sparse_dim` {} is no axis of a tensor of rank {rank}",
                    self.sparse_dim
                )
            })
        })
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

/// `tile=(AxBx…)`
fn write_tile(f: &mut fmt::Formatter<'_>, tile: &[i32]) -> fmt::Result {
    f.write_str("tile=(")?;
    for (at, dim) in tile.iter().enumerate() {
        let separator = if at > 0 { "x" } else { "" };
        write!(f, "{separator}{dim}")?;
    }
    f.write_str("), ")
}

/// `padding_value = P, tensor_view<…>`
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

/// `, dim_map=[…]`, unless it is the identity.
fn write_dim_map(f: &mut fmt::Formatter<'_>, dim_map: &[i32]) -> fmt::Result {
    let identity = dim_map.iter().zip(0..).all(|(&dim, at)| dim == at);
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
