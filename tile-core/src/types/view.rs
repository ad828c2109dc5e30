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
        let shape: Vec<i64> = self.tile.iter().map(|&dim| i64::from(dim)).collect();
        Type::tile(self.tensor_view.element, &shape)
    }

    /// The interned type.
    pub fn intern(self) -> Type {
        Type::new(TypeKind::PartitionView(self))
    }

    /// The rule of the dialect that this view breaks, if any, in the order of
    /// the upstream checks.
    pub fn fault(&self) -> Option<String> {
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
        if self.dim_map.len() != rank {
            return Some(format!(
                "expected `dim_map` to have {rank} entries, found {}",
                self.dim_map.len()
            ));
        }
        let mut seen = vec![false; rank];
        for &dim in &self.dim_map {
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

impl fmt::Display for PartitionViewType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tile: Vec<String> = self.tile.iter().map(ToString::to_string).collect();
        write!(f, "partition_view<tile=({}), ", tile.join("x"))?;
        if let Some(padding) = self.padding {
            write!(f, "padding_value = {}, ", padding.name())?;
        }
        write!(f, "{}", self.tensor_view)?;
        let identity = self.dim_map.iter().zip(0..).all(|(&dim, at)| dim == at);
        if !identity {
            let dims: Vec<String> = self.dim_map.iter().map(ToString::to_string).collect();
            write!(f, ", dim_map=[{}]", dims.join(", "))?;
        }
        f.write_str(">")
    }
}
