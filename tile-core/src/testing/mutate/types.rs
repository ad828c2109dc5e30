//! Mutates types.

use crate::testing::random::Random;
use crate::types::{Element, FunctionType, PaddingValue, Scalar, TensorViewType, Type, TypeKind};

/// Returns a type that is close to `ty`, or another kind of type.
pub(super) fn change(random: &mut Random<'_>, ty: Type) -> Type {
    let kind = match ty.kind().clone() {
        _ if random.one_in(12) => other_kind(random, ty),
        TypeKind::Tile(mut tile) => {
            match random.below(3) {
                0 => tile.element = element(random),
                _ => shape(random, &mut tile.shape),
            }
            TypeKind::Tile(tile)
        }
        TypeKind::TensorView(mut view) => {
            tensor_view(random, &mut view);
            TypeKind::TensorView(view)
        }
        TypeKind::PartitionView(mut view) => {
            match random.below(4) {
                0 => list(random, &mut view.tile),
                1 => view.padding = padding(random),
                2 => list(random, &mut view.dim_map),
                _ => tensor_view(random, &mut view.tensor_view),
            }
            TypeKind::PartitionView(view)
        }
        TypeKind::StridedView(mut view) => {
            match random.below(5) {
                0 => list(random, &mut view.tile),
                1 => view.padding = padding(random),
                2 => list(random, &mut view.dim_map),
                3 => list(random, &mut view.traversal_strides),
                _ => tensor_view(random, &mut view.tensor_view),
            }
            TypeKind::StridedView(view)
        }
        TypeKind::GatherScatterView(mut view) => {
            match random.below(4) {
                0 => list(random, &mut view.tile),
                1 => view.padding = padding(random),
                2 => view.sparse_dim = random.pick(&[0, 1, 2, 7, u32::MAX]),
                _ => tensor_view(random, &mut view.tensor_view),
            }
            TypeKind::GatherScatterView(view)
        }
        TypeKind::Scalar(_)
        | TypeKind::Ptr(_)
        | TypeKind::Token
        | TypeKind::Function(_)
        | TypeKind::Foreign(_)
        | TypeKind::Error => other_kind(random, ty),
    };
    Type::new(kind)
}

fn scalar(random: &mut Random<'_>) -> Scalar {
    random.pick(&Scalar::ALL)
}

pub(super) fn element(random: &mut Random<'_>) -> Element {
    let scalar = scalar(random);
    if random.one_in(3) {
        Element::Ptr(scalar)
    } else {
        Element::Scalar(scalar)
    }
}

fn other_kind(random: &mut Random<'_>, ty: Type) -> TypeKind {
    match random.below(5) {
        0 => TypeKind::Scalar(scalar(random)),
        1 => TypeKind::Ptr(scalar(random)),
        2 => TypeKind::Function(FunctionType {
            inputs: vec![ty],
            results: Vec::new(),
        }),
        3 => Type::tile(element(random), &[]).kind().clone(),
        _ => TypeKind::Token,
    }
}

fn shape(random: &mut Random<'_>, shape: &mut Vec<i64>) {
    const EXTENTS: [i64; 10] = [0, -1, 1, 2, 3, 4, 16, 1 << 24, 1 << 40, i64::MIN];
    match random.below(4) {
        0 => {
            let index = random.below(shape.len() + 1);
            let dim = random.pick(&EXTENTS[2..6]);
            shape.insert(index, dim);
        }
        1 if !shape.is_empty() => {
            let index = random.below(shape.len());
            shape.remove(index);
        }
        2 if shape.len() > 1 => {
            let (a, b) = (random.below(shape.len()), random.below(shape.len()));
            shape.swap(a, b);
        }
        _ if !shape.is_empty() => {
            let index = random.below(shape.len());
            shape[index] = random.pick(&EXTENTS);
        }
        _ => shape.push(2),
    }
}

/// Changes a shape to another one that a tile may have.
pub(super) fn valid_shape(random: &mut Random<'_>, shape: &mut Vec<i64>) {
    let extent = random.pick(&[1, 2, 4, 8, 16, 32]);
    let index = random.below(shape.len() + 1);
    match random.below(5) {
        0 => shape.insert(index, extent),
        1 if index < shape.len() => {
            shape.remove(index);
        }
        2 if shape.len() > 1 => shape.rotate_left(1),
        3 => *shape = shape.iter().map(|_| random.pick(&[1, 2, 4, 8])).collect(),
        _ if index < shape.len() => shape[index] = extent,
        _ => shape.push(extent),
    }
}

fn list(random: &mut Random<'_>, list: &mut Vec<i32>) {
    const ENTRIES: [i32; 10] = [0, -1, 1, 2, 3, 4, 16, 1 << 24, i32::MAX, i32::MIN];
    match random.below(4) {
        0 => list.push(random.pick(&ENTRIES)),
        1 => {
            list.pop();
        }
        _ if !list.is_empty() => {
            let index = random.below(list.len());
            list[index] = random.pick(&ENTRIES);
        }
        _ => list.push(1),
    }
}

fn padding(random: &mut Random<'_>) -> Option<PaddingValue> {
    match random.below(6) {
        0 => None,
        _ => Some(random.pick(&PaddingValue::ALL)),
    }
}

pub(super) fn tensor_view(random: &mut Random<'_>, view: &mut TensorViewType) {
    const EXTENTS: [Option<i64>; 6] = [None, Some(0), Some(-1), Some(1), Some(7), Some(i64::MAX)];
    let list = match random.below(3) {
        0 => {
            view.element = scalar(random);
            return;
        }
        1 => &mut view.shape,
        _ => &mut view.strides,
    };
    match random.below(4) {
        0 => list.push(random.pick(&EXTENTS)),
        1 => {
            list.pop();
        }
        _ if !list.is_empty() => {
            let index = random.below(list.len());
            list[index] = random.pick(&EXTENTS);
        }
        _ => list.push(None),
    }
}
