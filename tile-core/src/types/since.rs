//! The versions of the dialect that introduced the types.

use super::{Element, FunctionType, Scalar, TileType, Type, TypeKind};
use crate::ops::Version;

impl Scalar {
    /// Returns the version that introduced the type.
    pub fn since(self) -> Version {
        match self {
            Scalar::I1 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => Version::V13_1,
            Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::TF32 | Scalar::F64 => Version::V13_1,
            Scalar::F8E4M3FN | Scalar::F8E5M2 => Version::V13_1,
            Scalar::F8E8M0FNU => Version::V13_2,
            Scalar::I4 | Scalar::F4E2M1FN => Version::V13_3,
        }
    }
}

impl Type {
    /// Returns the first version that has the type and every type it is made of.
    pub fn since(self) -> Version {
        match self.kind() {
            TypeKind::Scalar(scalar) | TypeKind::Ptr(scalar) => scalar.since(),
            TypeKind::Tile(TileType { element, shape: _ }) => match element {
                Element::Scalar(scalar) | Element::Ptr(scalar) => scalar.since(),
            },
            TypeKind::TensorView(view) => view.element.since(),
            TypeKind::PartitionView(view) => view.tensor_view.element.since(),
            TypeKind::StridedView(view) => Version::V13_3.max(view.tensor_view.element.since()),
            TypeKind::GatherScatterView(view) => {
                Version::V13_3.max(view.tensor_view.element.since())
            }
            TypeKind::Function(FunctionType { inputs, results }) => {
                let parts = inputs.iter().chain(results);
                let parts = parts.filter(|ty| !matches!(ty.kind(), TypeKind::Function(_)));
                parts
                    .map(|ty| ty.since())
                    .fold(Version::V13_1, Version::max)
            }
            TypeKind::Token | TypeKind::Foreign(_) | TypeKind::Error => Version::V13_1,
        }
    }
}
