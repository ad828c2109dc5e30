//! Types of the kernel language, printed in Rust's spelling.

use super::signature::HostScalar;
use std::fmt;
pub(crate) use tile_core::types::PaddingValue;

/// A type variable of inference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct VarId(pub(crate) u32);

/// The element type of a scalar or tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elem {
    /// A known type.
    Known(HostScalar),
    /// A type that inference has not yet found. It occurs only while checking.
    Var(VarId),
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ty {
    /// A number.
    Scalar(Elem),
    /// A tile of numbers.
    Tile(Elem, Vec<i64>),
    /// A tensor parameter.
    Tensor(TensorTy),
    /// A tensor as a grid of tiles, or another view by tiles.
    Partition(PartitionTy),
    /// A raw pointer, or a tile of them.
    Pointer(PointerTy),
    /// A tuple; `()` is the empty one.
    Tuple(Vec<Ty>),
    /// A struct, with the types of its fields in order. It occurs only while checking, which turns
    /// structs into tuples.
    Struct(StructTy, Vec<Ty>),
    /// The type of diverging code such as `return`; it unifies with every type.
    Never,
    /// The type of code that was reported as wrong; it unifies with every type.
    Error,
}

/// The value of a generic parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// An element type.
    Type(Elem),
    /// A constant; a `bool` is 0 or 1.
    Const(HostScalar, i128),
}

/// The identity of a struct type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StructTy {
    /// Its index in the library.
    pub(crate) index: usize,
    /// Its name.
    pub(crate) name: String,
    /// The values of its generics.
    pub(crate) arguments: Vec<Value>,
}

/// A tensor parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TensorTy {
    /// The index of the value parameter.
    pub(crate) param: usize,
    /// The type of the elements.
    pub(crate) element: HostScalar,
    /// The number of axes.
    pub(crate) rank: usize,
    /// `true` for `&mut`.
    pub(crate) mutable: bool,
}

/// The value of a load outside the tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Padding {
    /// A value that views of the dialect can pad with.
    Named(PaddingValue),
    /// The bits of another value.
    Bits(u64),
}

impl From<PaddingValue> for Padding {
    fn from(value: PaddingValue) -> Self {
        Padding::Named(value)
    }
}

impl Padding {
    /// Returns the padding of the view; a load replaces it with another number where needed.
    pub(crate) fn to_padding_value(self) -> PaddingValue {
        match self {
            Padding::Named(value) => value,
            Padding::Bits(_) => PaddingValue::Zero,
        }
    }
}

/// A tensor viewed as tiles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PartitionTy {
    /// The tensor.
    pub(crate) tensor: TensorTy,
    /// The shape of a tile.
    pub(crate) tile: Vec<i64>,
    /// The value of a load outside the tensor.
    pub(crate) padding: Padding,
    /// The axis of the tensor for each axis of a tile.
    pub(crate) order: Vec<usize>,
    /// The arrangement of the tiles.
    pub(crate) layout: ViewLayout,
}

/// The arrangement of the tiles of a view.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ViewLayout {
    /// Adjacent tiles; an index counts tiles.
    Partition,
    /// Tiles at the given distances in elements along each axis of a tile; an index counts tiles.
    Strided(Vec<i64>),
    /// Tiles whose positions along this axis are given by a tile of indices; every index counts
    /// elements.
    Gather(usize),
}

/// A raw pointer, or a tile of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PointerTy {
    /// The type of the elements.
    pub(crate) element: HostScalar,
    /// The shape; empty for a single pointer.
    pub(crate) shape: Vec<i64>,
    /// `true` for `*mut`.
    pub(crate) mutable: bool,
}

impl PartitionTy {
    /// Creates a partition of a tensor into adjacent tiles.
    pub(crate) fn new(tensor: TensorTy, tile: Vec<i64>, padding: impl Into<Padding>) -> Self {
        Self {
            tensor,
            order: (0..tile.len()).collect(),
            tile,
            padding: padding.into(),
            layout: ViewLayout::Partition,
        }
    }

    /// Returns the noun for messages.
    pub(crate) fn noun(&self) -> &'static str {
        match self.layout {
            ViewLayout::Partition => "partition",
            ViewLayout::Strided(_) | ViewLayout::Gather(_) => "view",
        }
    }

    /// Returns the name of the type.
    pub(crate) fn name(&self) -> &'static str {
        match self.layout {
            ViewLayout::Partition => "Partition",
            ViewLayout::Strided(_) => "StridedView",
            ViewLayout::Gather(_) => "GatherView",
        }
    }
}

impl Ty {
    /// Returns `()`.
    pub(crate) fn unit() -> Ty {
        Ty::Tuple(Vec::new())
    }

    /// Returns the type of a number of a known type.
    pub(crate) fn scalar(scalar: HostScalar) -> Ty {
        Ty::Scalar(Elem::Known(scalar))
    }

    /// Returns the element type and the shape, which is empty for a scalar.
    pub(crate) fn number(&self) -> Option<(Elem, &[i64])> {
        match self {
            Ty::Scalar(elem) => Some((*elem, &[])),
            Ty::Tile(elem, shape) => Some((*elem, shape)),
            _ => None,
        }
    }

    /// Returns the type of a scalar or a tile.
    pub(crate) fn from_shape(elem: Elem, shape: &[i64]) -> Ty {
        if shape.is_empty() {
            Ty::Scalar(elem)
        } else {
            Ty::Tile(elem, shape.to_vec())
        }
    }

    /// Returns `true` for types without usable values: the code was reported as wrong, in whole or
    /// in part, or it diverges.
    pub(crate) fn is_error(&self) -> bool {
        match self {
            Ty::Error | Ty::Never => true,
            Ty::Tuple(parts) | Ty::Struct(_, parts) => parts.iter().any(Ty::is_error),
            _ => false,
        }
    }

    /// Returns `true` if values of the type can be carried around a loop or out of a branch:
    /// numbers, tiles and tuples of them.
    pub(crate) fn is_value(&self) -> bool {
        match self {
            Ty::Scalar(_) | Ty::Tile(..) | Ty::Pointer(_) | Ty::Never | Ty::Error => true,
            Ty::Tuple(parts) | Ty::Struct(_, parts) => parts.iter().all(Ty::is_value),
            Ty::Tensor(_) | Ty::Partition(_) => false,
        }
    }
}

/// Formats a shape, as in `[64, 128]`.
pub(crate) fn shape_text(shape: &[i64]) -> String {
    let dims: Vec<String> = shape.iter().map(ToString::to_string).collect();
    format!("[{}]", dims.join(", "))
}

impl fmt::Display for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Elem::Known(scalar) => f.write_str(scalar.name()),
            Elem::Var(_) => f.write_str("_"),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Scalar(elem) => write!(f, "{elem}"),
            Ty::Tile(elem, shape) => write!(f, "Tile<{elem}, {}>", shape_text(shape)),
            Ty::Tensor(tensor) => {
                let mutable = if tensor.mutable { "mut " } else { "" };
                write!(
                    f,
                    "&{mutable}Tensor<{}, {}>",
                    tensor.element.name(),
                    tensor.rank
                )
            }
            Ty::Partition(view) => {
                write!(
                    f,
                    "{}<{}, {}>",
                    view.name(),
                    view.tensor.element.name(),
                    shape_text(&view.tile)
                )
            }
            Ty::Pointer(pointer) => {
                let mutable = if pointer.mutable { "mut" } else { "const" };
                let element = pointer.element.name();
                if pointer.shape.is_empty() {
                    return write!(f, "*{mutable} {element}");
                }
                write!(
                    f,
                    "Tile<*{mutable} {element}, {}>",
                    shape_text(&pointer.shape)
                )
            }
            Ty::Tuple(parts) => {
                let texts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                match texts.as_slice() {
                    [one] => write!(f, "({one},)"),
                    _ => write!(f, "({})", texts.join(", ")),
                }
            }
            Ty::Struct(structure, _) => f.write_str(&structure.name),
            Ty::Never => f.write_str("!"),
            Ty::Error => f.write_str("{error}"),
        }
    }
}
