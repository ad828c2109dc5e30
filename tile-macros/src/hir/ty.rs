//! Types of the kernel language, in the author's spelling.

use super::signature::HostScalar;
use std::fmt;
pub(crate) use tile_core::types::PaddingValue;

/// A type that inference has yet to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct VarId(pub(crate) u32);

/// The element type of a scalar or tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elem {
    /// Known.
    Known(HostScalar),
    /// Not yet known; only while checking.
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
    /// A tensor cut into tiles, or addressed by tiles in another way.
    Partition(PartitionTy),
    /// A raw pointer, or a tile of them.
    Pointer(PointerTy),
    /// A tuple; `()` is the empty one.
    Tuple(Vec<Ty>),
    /// A struct, with the types of its fields in order; only while checking,
    /// which hands it out as a tuple.
    Struct(StructTy, Vec<Ty>),
    /// Of code that does not go on, such as `return`; agrees with everything.
    Never,
    /// Already reported as wrong; agrees with everything.
    Error,
}

/// What a generic parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// An element type.
    Type(Elem),
    /// A constant; `bool` as 0 or 1.
    Const(HostScalar, i128),
}

/// Which struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StructTy {
    /// Its number in the library.
    pub(crate) index: usize,
    /// Its name.
    pub(crate) name: String,
    /// What its generics stand for.
    pub(crate) arguments: Vec<Value>,
}

/// A tensor parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TensorTy {
    /// Which value parameter it is.
    pub(crate) param: usize,
    /// What is stored.
    pub(crate) element: HostScalar,
    /// The number of axes.
    pub(crate) rank: usize,
    /// Whether it is `&mut`.
    pub(crate) mutable: bool,
}

/// What a load yields outside of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Padding {
    /// What views of the dialect can pad with.
    Named(PaddingValue),
    /// The bits of another number.
    Bits(u64),
}

impl From<PaddingValue> for Padding {
    fn from(value: PaddingValue) -> Self {
        Padding::Named(value)
    }
}

impl Padding {
    /// What the view pads with; a load puts another number in its place.
    pub(crate) fn to_padding_value(self) -> PaddingValue {
        match self {
            Padding::Named(value) => value,
            Padding::Bits(_) => PaddingValue::Zero,
        }
    }
}

/// A tensor addressed by tiles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PartitionTy {
    /// The tensor.
    pub(crate) tensor: TensorTy,
    /// The shape of a tile.
    pub(crate) tile: Vec<i64>,
    /// What a load yields outside the tensor.
    pub(crate) padding: Padding,
    /// The axis of the tensor that each axis of a tile runs along.
    pub(crate) order: Vec<usize>,
    /// Where the tiles lie.
    pub(crate) layout: ViewLayout,
}

/// Where the tiles of a view lie.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ViewLayout {
    /// Side by side; an index counts tiles.
    Partition,
    /// So many elements apart along each axis of a tile; an index counts tiles.
    Strided(Vec<i64>),
    /// Along this axis, wherever a tile of indices says; every index counts
    /// elements.
    Gather(usize),
}

/// A raw pointer, or a tile of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PointerTy {
    /// What it points to.
    pub(crate) element: HostScalar,
    /// Empty for a single one.
    pub(crate) shape: Vec<i64>,
    /// Whether it is `*mut`.
    pub(crate) mutable: bool,
}

impl PartitionTy {
    /// A tensor cut into tiles side by side.
    pub(crate) fn new(tensor: TensorTy, tile: Vec<i64>, padding: impl Into<Padding>) -> Self {
        Self {
            tensor,
            order: (0..tile.len()).collect(),
            tile,
            padding: padding.into(),
            layout: ViewLayout::Partition,
        }
    }

    /// What it is, in a sentence.
    pub(crate) fn noun(&self) -> &'static str {
        match self.layout {
            ViewLayout::Partition => "partition",
            ViewLayout::Strided(_) | ViewLayout::Gather(_) => "view",
        }
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &'static str {
        match self.layout {
            ViewLayout::Partition => "Partition",
            ViewLayout::Strided(_) => "StridedView",
            ViewLayout::Gather(_) => "GatherView",
        }
    }
}

impl Ty {
    /// `()`
    pub(crate) fn unit() -> Ty {
        Ty::Tuple(Vec::new())
    }

    /// A number of a known type.
    pub(crate) fn scalar(scalar: HostScalar) -> Ty {
        Ty::Scalar(Elem::Known(scalar))
    }

    /// The element type and shape; a scalar has the empty shape.
    pub(crate) fn number(&self) -> Option<(Elem, &[i64])> {
        match self {
            Ty::Scalar(elem) => Some((*elem, &[])),
            Ty::Tile(elem, shape) => Some((*elem, shape)),
            _ => None,
        }
    }

    /// A scalar or a tile.
    pub(crate) fn from_shape(elem: Elem, shape: &[i64]) -> Ty {
        if shape.is_empty() {
            Ty::Scalar(elem)
        } else {
            Ty::Tile(elem, shape.to_vec())
        }
    }

    /// Whether no value can be computed with: it was reported as wrong, in
    /// whole or in part, or its code does not go on.
    pub(crate) fn is_error(&self) -> bool {
        match self {
            Ty::Error | Ty::Never => true,
            Ty::Tuple(parts) | Ty::Struct(_, parts) => parts.iter().any(Ty::is_error),
            _ => false,
        }
    }

    /// Whether the value can be carried around a loop or out of a branch:
    /// numbers, tiles and tuples of them.
    pub(crate) fn is_value(&self) -> bool {
        match self {
            Ty::Scalar(_) | Ty::Tile(..) | Ty::Pointer(_) | Ty::Never | Ty::Error => true,
            Ty::Tuple(parts) | Ty::Struct(_, parts) => parts.iter().all(Ty::is_value),
            Ty::Tensor(_) | Ty::Partition(_) => false,
        }
    }
}

/// `[64, 128]`
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
