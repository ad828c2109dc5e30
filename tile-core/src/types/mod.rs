//! Interned types and their limits.
//!
//! A [`Type`] is a pointer to an interned [`TypeKind`]: copies and comparisons are as cheap as
//! those of a pointer. Interned types are never freed, since a process uses only a small number of
//! distinct types.

mod element;
mod since;
mod view;

pub use element::{Element, Scalar};
pub use view::{
    GatherScatterViewType, PaddingValue, PartitionViewType, StridedViewType, TensorViewType,
    TileView,
};

use arcstr::ArcStr;
use rustc_hash::FxHashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{OnceLock, RwLock};

/// The maximum number of elements of a tile.
pub const MAX_TILE_ELEMENTS: i64 = 1 << 24;

/// An interned type.
#[derive(Clone, Copy)]
pub struct Type(&'static TypeKind);

/// The kinds of [`Type`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// A bare number type, such as the type of an attribute.
    Scalar(Scalar),
    /// A bare pointer to global memory.
    Ptr(Scalar),
    /// A tile, with an element type and a static shape of powers of two (rank 0 is a scalar).
    Tile(TileType),
    /// A base pointer with a shape, and with strides in elements.
    TensorView(TensorViewType),
    /// A tensor view cut into tiles.
    PartitionView(PartitionViewType),
    /// A tensor view addressed by tiles that start at multiples of strides.
    StridedView(StridedViewType),
    /// A tensor view addressed by tiles whose indices along one axis are given one by one.
    GatherScatterView(GatherScatterViewType),
    /// An ordering edge between memory operations.
    Token,
    /// The signature of an entry.
    Function(FunctionType),
    /// A type of another dialect, as written.
    Foreign(ArcStr),
    /// The type of a value after an error that has already been reported. It agrees with every
    /// type.
    Error,
}

/// The element type and the shape of a tile.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TileType {
    /// The element type.
    pub element: Element,
    /// The extent of each axis; empty for rank 0.
    pub shape: Vec<i64>,
}

impl TileType {
    /// Returns the number of elements.
    pub fn num_elements(&self) -> i64 {
        self.shape.iter().product()
    }

    /// Returns the rule of the dialect that this tile breaks, if any: the first in the order of the
    /// upstream checks.
    pub fn invalid_reason(&self) -> Option<String> {
        tile_error(self.element, self.shape.iter().copied())
    }
}

/// Returns the first rule that a tile of `element` and the extents `shape` breaks.
fn tile_error(element: Element, shape: impl Iterator<Item = i64> + Clone) -> Option<String> {
    if element == Element::Ptr(Scalar::I4) {
        return Some(POINTEE_RULE.to_owned());
    }
    if element == Element::Scalar(Scalar::F4E2M1FN) && !shape.clone().any(|dim| dim % 2 == 0) {
        return Some("a tile of `f4E2M1FN` must have an even number of elements".to_owned());
    }
    let extents = shape.clone();
    let listed = || join(&extents.clone().collect::<Vec<i64>>());
    let mut elements = 1_i64;
    for dim in shape {
        if dim <= 0 {
            return Some(format!(
                "all dimensions must be positive constants, got {}",
                listed()
            ));
        }
        if !dim.unsigned_abs().is_power_of_two() {
            return Some(format!(
                "all dimensions must be powers of two, got {}",
                listed()
            ));
        }
        if elements > MAX_TILE_ELEMENTS / dim {
            return Some(format!(
                "tile would exceed the maximum of {MAX_TILE_ELEMENTS} elements"
            ));
        }
        elements *= dim;
    }
    None
}

/// The rule that forbids pointers to `i4`.
const POINTEE_RULE: &str = "a pointer cannot point to `i4`";

/// Parameter and result types of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// The types of the parameters.
    pub inputs: Vec<Type>,
    /// The types of the results; an entry has none.
    pub results: Vec<Type>,
}

fn interner() -> &'static RwLock<FxHashSet<&'static TypeKind>> {
    static INTERNER: OnceLock<RwLock<FxHashSet<&'static TypeKind>>> = OnceLock::new();
    INTERNER.get_or_init(RwLock::default)
}

impl Type {
    /// Interns `kind`.
    pub fn new(kind: TypeKind) -> Self {
        const POISON: &str = "interning never panics while it holds the lock";
        if let Some(interned) = interner().read().expect(POISON).get(&kind) {
            return Self(interned);
        }
        let mut set = interner().write().expect(POISON);
        if let Some(interned) = set.get(&kind) {
            return Self(interned);
        }
        let leaked: &'static TypeKind = Box::leak(Box::new(kind));
        set.insert(leaked);
        Self(leaked)
    }

    /// Returns the type of a tile of `element` with this shape.
    pub fn tile(element: impl Into<Element>, shape: &[i64]) -> Self {
        Self::new(TypeKind::Tile(TileType {
            element: element.into(),
            shape: shape.to_vec(),
        }))
    }

    /// Returns the type of a rank-0 tile.
    pub fn scalar(element: impl Into<Element>) -> Self {
        Self::tile(element, &[])
    }

    /// Returns the type of a rank-0 tile of a pointer to `pointee`.
    pub fn pointer(pointee: Scalar) -> Self {
        Self::tile(Element::Ptr(pointee), &[])
    }

    /// Returns the token type.
    pub fn token() -> Self {
        Self::new(TypeKind::Token)
    }

    /// Returns the error type.
    pub fn error() -> Self {
        Self::new(TypeKind::Error)
    }

    /// Returns the kind.
    pub fn kind(self) -> &'static TypeKind {
        self.0
    }

    /// Returns the tile type, if this is one.
    pub fn as_tile(self) -> Option<&'static TileType> {
        match self.0 {
            TypeKind::Tile(tile) => Some(tile),
            _ => None,
        }
    }

    /// Returns the tensor view type, if this is one.
    pub fn as_tensor_view(self) -> Option<&'static TensorViewType> {
        match self.0 {
            TypeKind::TensorView(view) => Some(view),
            _ => None,
        }
    }

    /// Returns the partition view type, if this is one.
    pub fn as_partition_view(self) -> Option<&'static PartitionViewType> {
        match self.0 {
            TypeKind::PartitionView(view) => Some(view),
            _ => None,
        }
    }

    /// Returns the common part of all views that are accessed by tiles, if this is such a view.
    pub fn as_tile_view(self) -> Option<TileView<'static>> {
        match self.0 {
            TypeKind::PartitionView(view) => Some(view.into()),
            TypeKind::StridedView(view) => Some(view.into()),
            TypeKind::GatherScatterView(view) => Some(view.into()),
            _ => None,
        }
    }

    /// Returns `true` for a tensor view or a view that is accessed by tiles.
    pub fn is_view(self) -> bool {
        self.as_tensor_view().is_some() || self.as_tile_view().is_some()
    }

    /// Returns the element type and the shape, if this is a tile of numbers.
    pub fn as_number_tile(self) -> Option<(Scalar, &'static [i64])> {
        let tile = self.as_tile()?;
        match tile.element {
            Element::Scalar(scalar) => Some((scalar, &tile.shape)),
            Element::Ptr(_) => None,
        }
    }

    /// Returns the rule of the dialect that the type breaks, if any. The rule applies wherever the
    /// type occurs.
    pub fn invalid_reason(self) -> Option<String> {
        match self.0 {
            TypeKind::Ptr(Scalar::I4) => Some(POINTEE_RULE.to_owned()),
            TypeKind::Tile(tile) => tile.invalid_reason(),
            TypeKind::TensorView(view) => view.invalid_reason(),
            TypeKind::PartitionView(view) => view.invalid_reason(),
            TypeKind::StridedView(view) => view.invalid_reason(),
            TypeKind::GatherScatterView(view) => view.invalid_reason(),
            TypeKind::Function(FunctionType { inputs, results }) => inputs
                .iter()
                .chain(results)
                .find_map(|ty| ty.invalid_reason()),
            TypeKind::Error => Some("a type that could not be found out".to_owned()),
            TypeKind::Scalar(_) | TypeKind::Ptr(_) | TypeKind::Token | TypeKind::Foreign(_) => None,
        }
    }

    /// Returns `true` for the token type.
    pub fn is_token(self) -> bool {
        matches!(self.0, TypeKind::Token)
    }

    /// Returns `true` for the error type.
    pub fn is_error(self) -> bool {
        matches!(self.0, TypeKind::Error)
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Type {}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Prints the form used inside a `cuda_tile.module`, without the prefix `!cuda_tile.`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            TypeKind::Scalar(scalar) => write!(f, "{scalar}"),
            TypeKind::Ptr(pointee) => write!(f, "ptr<{pointee}>"),
            TypeKind::Tile(TileType { element, shape }) => {
                f.write_str("tile<")?;
                for dim in shape {
                    write!(f, "{dim}x")?;
                }
                write!(f, "{element}>")
            }
            TypeKind::TensorView(view) => write!(f, "{view}"),
            TypeKind::PartitionView(view) => write!(f, "{view}"),
            TypeKind::StridedView(view) => write!(f, "{view}"),
            TypeKind::GatherScatterView(view) => write!(f, "{view}"),
            TypeKind::Token => f.write_str("token"),
            TypeKind::Function(FunctionType { inputs, results }) => {
                write!(f, "({}) -> (", join(inputs))?;
                write!(f, "{})", join(results))
            }
            TypeKind::Foreign(text) => f.write_str(text),
            TypeKind::Error => f.write_str("{error}"),
        }
    }
}

pub(crate) fn join<T: fmt::Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}
