//! Changes the types of one operation consistently, to violate rules beyond the equality of types.

use super::{Mutator, types};
use crate::ir::{OpId, ValueId};
use crate::ops::Arity;
use crate::types::{Element, Scalar, TensorViewType, Type, TypeKind};
use crate::verify::admits;

/// A position of a type in an operation.
#[derive(Clone, Copy)]
enum Place {
    /// Operand number `.1` of the operation or of a terminator in its regions.
    Operand(OpId, usize),
    /// A result, or an argument of a region.
    Defined(ValueId),
}

impl Mutator<'_, '_> {
    /// Changes a shape, an element type or a type everywhere in an operation. The operands, and the
    /// uses of the results, are replaced by new values.
    pub(super) fn retype(&mut self, op: OpId) -> bool {
        let entry = self.outermost(op);
        if entry == op {
            return false;
        }
        let places = self.places(op);
        if places.is_empty() {
            return false;
        }
        let chosen = self.random.pick(&places);
        let from = self.type_at(chosen);
        let kind = self.random.below(12);
        let mut change = self.change_of(from, kind);
        // Usually take a change that the slots admit, since other rules are checked only after the
        // slots.
        if !self.random.one_in(4) {
            for _ in 0..16 {
                if self.is_admitted(op, &places, &change) {
                    break;
                }
                change = self.change_of(from, kind);
            }
        }
        let alone = self.random.one_in(6);
        let mut changed = false;
        for place in places {
            let old = self.type_at(place);
            let is_chosen = match (place, chosen) {
                (Place::Operand(op, operand), Place::Operand(other, other_at)) => {
                    (op, operand) == (other, other_at)
                }
                (Place::Defined(value), Place::Defined(other)) => value == other,
                _ => false,
            };
            if alone && !is_chosen {
                continue;
            }
            let new = change.apply(old);
            if new == old {
                continue;
            }
            changed = true;
            match place {
                Place::Operand(op, operand) => {
                    let Some(value) = self.fresh(entry, new) else {
                        return false;
                    };
                    self.module.op_mut(op).operands[operand] = value;
                }
                Place::Defined(value) => {
                    let Some(other) = self.fresh(entry, old) else {
                        return false;
                    };
                    self.replace_uses(value, other);
                    self.module.value_mut(value).ty = new;
                }
            }
        }
        changed
    }

    /// Adds an operand of a type that the operation has or that a mask or a token would have; or
    /// removes one.
    pub(super) fn change_operands(&mut self, op: OpId) -> bool {
        let entry = self.outermost(op);
        let slots = self.module.op(op).def().operands;
        let fits = |slot: &usize| slots[*slot].arity != Arity::One;
        let open: Vec<usize> = (0..slots.len()).filter(fits).collect();
        if open.is_empty() || entry == op {
            return false;
        }
        let slot = self.random.pick(&open);
        let count = self.module.op(op).segments[slot];
        let start: u32 = self.module.op(op).segments[..slot].iter().sum();
        let index = (start + count) as usize;
        if count > 0 && self.random.one_in(2) {
            let op = self.module.op_mut(op);
            op.operands.remove(index - 1);
            op.segments[slot] -= 1;
            return true;
        }
        let mut candidates = vec![Type::token(), Type::scalar(Scalar::I32)];
        let old = self.module.op(op);
        for &value in old.operands.iter().chain(&old.results) {
            let ty = self.module.ty(value);
            candidates.push(ty);
            if let Some(tile) = ty.as_tile() {
                candidates.push(Type::tile(Scalar::I1, &tile.shape));
                if let Element::Ptr(pointee) = tile.element {
                    candidates.push(Type::tile(pointee, &tile.shape));
                }
            }
        }
        let ty = self.random.pick(&candidates);
        let Some(value) = self.fresh(entry, ty) else {
            return false;
        };
        let op = self.module.op_mut(op);
        op.operands.insert(index, value);
        op.segments[slot] += 1;
        true
    }

    fn places(&self, id: OpId) -> Vec<Place> {
        let op = self.module.op(id);
        let mut places: Vec<Place> = (0..op.operands.len())
            .map(|index| Place::Operand(id, index))
            .collect();
        places.extend(op.results.iter().copied().map(Place::Defined));
        for &region in &op.regions {
            for &block in &self.module.region(region).blocks {
                let block = self.module.block(block);
                places.extend(block.args.iter().copied().map(Place::Defined));
                if let Some(&last) = block.ops.last() {
                    let count = self.module.op(last).operands.len();
                    places.extend((0..count).map(|index| Place::Operand(last, index)));
                }
            }
        }
        places
    }

    /// Returns `true` if the slots of the operation admit the result of a change.
    fn is_admitted(&self, id: OpId, places: &[Place], change: &Change) -> bool {
        let op = self.module.op(id);
        let def = op.def();
        let mut changed = false;
        let admitted = places.iter().all(|&place| {
            let slot = match place {
                Place::Operand(operand_op, index) if operand_op == id => {
                    let mut ends = op.segments.iter().scan(0, |end, &len| {
                        *end += len as usize;
                        Some(*end)
                    });
                    ends.position(|end| index < end)
                        .and_then(|slot| def.operands.get(slot))
                }
                Place::Defined(value) => {
                    let number = op.results.iter().position(|&result| result == value);
                    number.and_then(|number| def.results.get(number).or(def.results.last()))
                }
                Place::Operand(..) => None,
            };
            let old = self.type_at(place);
            let new = change.apply(old);
            changed |= new != old;
            new.invalid_reason().is_none() && slot.is_none_or(|slot| admits(slot.constraint, new))
        });
        changed && admitted
    }

    fn type_at(&self, place: Place) -> Type {
        match place {
            Place::Operand(op, index) => self.module.ty(self.module.op(op).operands[index]),
            Place::Defined(value) => self.module.ty(value),
        }
    }

    /// Returns a change that applies to `from` and to similar types. `kind`, which is below 12,
    /// selects it.
    fn change_of(&mut self, from: Type, kind: usize) -> Change {
        if let Some(tensor_view) = tensor_view(from)
            && kind < 4
        {
            let mut new = tensor_view.clone();
            types::tensor_view(&mut self.random, &mut new);
            return Change::TensorView(tensor_view, new);
        }
        let view = from.as_tile_view().map(|view| view.tile_type());
        let Some(tile) = view.unwrap_or(from).as_tile() else {
            return Change::Type(from, types::change(&mut self.random, from));
        };
        match kind {
            4 => Change::Type(from, types::change(&mut self.random, from)),
            1..=2 | 5..=6 => {
                let mut shape = tile.shape.clone();
                types::valid_shape(&mut self.random, &mut shape);
                Change::Shape(tile.shape.clone(), shape)
            }
            3 | 7..=8 if !tile.shape.is_empty() => {
                let extent = self.random.pick(&tile.shape);
                Change::Extent(extent, self.random.pick(&[1, 2, 4, 8, 16, 32]))
            }
            _ => Change::Element(tile.element, types::element(&mut self.random)),
        }
    }
}

/// Returns the tensor view of a view.
fn tensor_view(ty: Type) -> Option<TensorViewType> {
    let of_tiles = ty.as_tile_view().map(|view| view.tensor_view);
    of_tiles.or(ty.as_tensor_view()).cloned()
}

/// A change of types.
enum Change {
    Type(Type, Type),
    Shape(Vec<i64>, Vec<i64>),
    Extent(i64, i64),
    Element(Element, Element),
    TensorView(TensorViewType, TensorViewType),
}

impl Change {
    fn apply(&self, ty: Type) -> Type {
        match self {
            &Change::Type(old, new) => return if ty == old { new } else { ty },
            Change::Shape(..)
            | Change::Extent(..)
            | Change::Element(..)
            | Change::TensorView(..) => {}
        }
        Type::new(match ty.kind().clone() {
            TypeKind::Tile(mut tile) => {
                tile.element = self.element(tile.element);
                self.shape(&mut tile.shape);
                TypeKind::Tile(tile)
            }
            TypeKind::TensorView(mut view) => {
                self.tensor_view(&mut view);
                TypeKind::TensorView(view)
            }
            TypeKind::PartitionView(mut view) => {
                self.tiles(&mut view.tile);
                self.tensor_view(&mut view.tensor_view);
                TypeKind::PartitionView(view)
            }
            TypeKind::StridedView(mut view) => {
                self.tiles(&mut view.tile);
                self.tensor_view(&mut view.tensor_view);
                TypeKind::StridedView(view)
            }
            TypeKind::GatherScatterView(mut view) => {
                self.tiles(&mut view.tile);
                self.tensor_view(&mut view.tensor_view);
                TypeKind::GatherScatterView(view)
            }
            other => other,
        })
    }

    fn element(&self, element: Element) -> Element {
        match (self, element) {
            (&Change::Element(old, new), _) if element == old => new,
            // The pointee type changes with the numbers.
            (&Change::Element(Element::Scalar(old), Element::Scalar(new)), Element::Ptr(to))
                if to == old =>
            {
                Element::Ptr(new)
            }
            _ => element,
        }
    }

    fn shape(&self, shape: &mut Vec<i64>) {
        match self {
            Change::Shape(old, new) if shape == old => shape.clone_from(new),
            Change::Extent(old, new) => {
                for extent in shape.iter_mut().filter(|extent| *extent == old) {
                    *extent = *new;
                }
            }
            _ => {}
        }
    }

    /// Applies the change to the shape of the tiles of a view.
    fn tiles(&self, tile: &mut Vec<i32>) {
        let mut shape = tile.iter().copied().map(i64::from).collect();
        self.shape(&mut shape);
        if let Ok(new) = shape.into_iter().map(i32::try_from).collect() {
            *tile = new;
        }
    }

    fn tensor_view(&self, view: &mut TensorViewType) {
        match self {
            Change::TensorView(old, new) if view == old => view.clone_from(new),
            _ => {
                if let Element::Scalar(scalar) = self.element(view.element.into()) {
                    view.element = scalar;
                }
            }
        }
    }
}
