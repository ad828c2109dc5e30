//! Windows: tiles that are loaded through pointers and are a box of a tensor, as `x.load_at([i, j], [m, n])` is, and single
//! elements, as `x.at([i, j])`.
//!
//! The pointer of an element is `base + (i + r) * stride + (j + c)`, and the mask has `i + r < rows` and `j + c < columns`, without
//! signs. If no number wraps, which the code checks once for the whole tile when it runs, such elements have a [`Place`], whose
//! bounds are numbers and not vectors. For a single element, it is the whole tensor that is checked, once for all elements.

use tile_core::ir::{Attr, ComparisonPredicate, OpId, Signedness, ValueDef, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, CoreOp, IntegerOp, Opcode};
use tile_core::types::Scalar;

use super::super::ir::{Axis, Base, Fun, Place, Stride, Val, Window};
use super::elements::stored;
use super::nests::Map;
use super::{Bound, Builder, Reply};

/// The fewest elements, of more than one, for which the bounds of a box are computed: those of fewer cost less than the bounds.
/// With tiles of 32, a sparse product took 12 % more time. See `emit/gather/inside.rs` for these.
const MANY: u64 = 128;

/// An axis of the tensor, as operations compute the coordinates of elements along it.
struct Coordinates {
    /// The first one; 0 if `None`.
    start: Option<ValueId>,
    /// The weight of each bit of a position of the tile.
    weights: Vec<i64>,
    extent: ValueId,
    step: Step,
}

/// The elements from a coordinate to the next one.
#[derive(Clone, Copy)]
enum Step {
    One,
    Value(ValueId),
}

/// A box of elements of a tensor.
struct TensorBox {
    base: ValueId,
    axes: Vec<Coordinates>,
    /// The number of elements whose distances from the base are numbers of 32 bits.
    reach: Option<i64>,
}

/// A number for each element: one that is the same for all, and one that the position makes.
struct Number {
    same: Option<ValueId>,
    weights: Vec<i64>,
}

impl Builder<'_> {
    /// Returns the window that a load through pointers may be.
    pub(super) fn window(&mut self, id: OpId, param: u32) -> Reply<Option<Window>> {
        let op = self.module.op(id);
        let is_element = self.is_scalar(op.results[0]);
        if !is_element && self.count(op.results[0]) < MANY {
            return Ok(None);
        }
        let padding = match op.optional_operand("paddingValue") {
            None => Some(0),
            Some(padding) => self.same_bits(padding),
        };
        let (Some(mask), Some(padding)) = (op.optional_operand("mask"), padding) else {
            return Ok(None);
        };
        let Some(found) = self.box_of(op.operand("source"), mask) else {
            return Ok(None);
        };
        let scalar = self.scalar_of(op.results[0]);
        let (place, holds) = if is_element {
            self.place_of_element(&found, mask, param, scalar)?
        } else {
            self.place_of_box(&found, param, scalar)?
        };
        Ok(Some(Window {
            holds,
            place,
            padding,
        }))
    }

    /// Returns the box that pointers and their mask choose, if the operations that compute them are those of one.
    fn box_of(&self, pointers: ValueId, mask: ValueId) -> Option<TensorBox> {
        let (opcode, args) = self.op_of(pointers)?;
        if opcode != Opcode::Core(CoreOp::Offset) {
            return None;
        }
        let (base, mut distance) = (self.same(args[0])?, args[1]);
        // Elsewhere the distance does not matter.
        if let Some((Opcode::Core(CoreOp::Select), args)) = self.op_of(distance)
            && args[0] == mask
        {
            distance = args[1];
        }
        // Shorter numbers of positions may wrap.
        let bits = self.scalar_of(distance).bits();
        if bits < 32 {
            return None;
        }
        let conditions = self.terms(Opcode::Bitwise(BitwiseOp::AndI), mask, |_| false);
        let bounds = conditions.into_iter().map(|it| self.below(it));
        let bounds = bounds.collect::<Option<Vec<_>>>()?;
        let mut terms = self.terms(Opcode::Integer(IntegerOp::AddI), distance, |value| {
            bounds.iter().any(|&(coordinate, _)| coordinate == value)
        });
        let map = Map::identity(self.bits(pointers));
        let mut axes = Vec::new();
        for (coordinate, extent) in bounds {
            let mut steps = terms.iter().map(|&term| self.step_of(coordinate, term));
            let place = steps.position(|step| step.is_some())?;
            let step = self.step_of(coordinate, terms.swap_remove(place))?;
            let Number { same, weights } = self.number_of(coordinate, &map)?;
            axes.push(Coordinates {
                start: same,
                weights,
                extent,
                step,
            });
        }
        terms.is_empty().then_some(TensorBox {
            base,
            axes,
            reach: (bits == 32).then_some(1 << 31),
        })
    }

    /// Returns the place of a single element, and 1 if the whole tensor is in memory, else 0: that does not change from one
    /// access to the next.
    fn place_of_element(
        &mut self,
        found: &TensorBox,
        mask: ValueId,
        param: u32,
        scalar: Scalar,
    ) -> Reply<(Place, Val)> {
        let base = self.scalar(found.base)?;
        let mut fits = self.memory_of_box(found, base, param, scalar);
        let (size, one) = (fits[1], self.number(1));
        let mut first = self.number(0);
        for axis in &found.axes {
            let step = match axis.step {
                Step::One => one,
                Step::Value(stride) => self.wide_scalar(stride, true)?,
            };
            // One that is negative with a sign is far beyond the numbers with one.
            let extent = self.wide_scalar(axis.extent, true)?;
            let last = self.wide(Fun::Sub, &[extent, one]);
            fits.extend([last, step]);
            if let Some(coordinate) = axis.start {
                let coordinate = self.wide_scalar(coordinate, true)?;
                let distance = self.wide(Fun::Mul, &[coordinate, step]);
                first = self.wide(Fun::Add, &[first, distance]);
            }
        }
        let holds = self.truth(Fun::Fits, &fits);
        let first = self.wide(Fun::Mul, &[first, size]);
        let address = self.wide(Fun::Add, &[base, first]);
        let inside = self.wide_scalar(mask, false)?;
        let place = Place {
            base: Base::Memory(address, param),
            axes: vec![Axis {
                weights: Vec::new(),
                stride: Stride::Constant(1),
                from: None,
                inside: Some(inside),
            }],
            scalar,
        };
        Ok((place, self.wide(Fun::ZeroExtend, &[holds])))
    }

    /// Returns the first arguments of [`Fun::Fits`] for a box.
    fn memory_of_box(
        &mut self,
        found: &TensorBox,
        base: Val,
        param: u32,
        scalar: Scalar,
    ) -> Vec<Val> {
        let mut memory = self.memory_from(base, param, scalar);
        if let Some(reach) = found.reach {
            let bytes = i64::try_from(scalar.bytes()).expect("few bytes");
            let reach = self.number(reach * bytes);
            let reach = self.wide(Fun::Add, &[memory[0], reach]);
            memory[2] = self.wide(Fun::Min, &[memory[2], reach]);
        }
        memory
    }

    /// Returns the place of a box, and 1 if its elements are those that the operations name and are in memory, else 0.
    fn place_of_box(
        &mut self,
        found: &TensorBox,
        param: u32,
        scalar: Scalar,
    ) -> Reply<(Place, Val)> {
        let base = self.scalar(found.base)?;
        let (zero, one) = (self.number(0), self.number(1));
        let mut fits = self.memory_of_box(found, base, param, scalar);
        let size = fits[1];
        let (mut first, mut places) = (zero, Vec::new());
        let (mut is_any, mut is_plain) = (None, None);
        for axis in &found.axes {
            let tile = self.number(axis.weights.iter().sum::<i64>() + 1);
            let start = match axis.start {
                Some(start) => self.wide_scalar(start, true)?,
                None => zero,
            };
            // One that is negative with a sign is far beyond the numbers with one.
            let extent = self.wide_scalar(axis.extent, true)?;
            let is_negative = self.truth(Fun::Less, &[extent, zero]);
            let has_sign = self.truth(Fun::Not, &[is_negative]);
            is_plain = Some(self.both(is_plain, has_sign));
            let from = axis.start.map(|_| {
                let from = self.wide(Fun::Sub, &[zero, start]);
                self.between(from, zero, tile)
            });
            let inside = self.wide(Fun::Sub, &[extent, start]);
            let inside = self.between(inside, zero, tile);
            let is_inside = self.truth(Fun::Less, &[from.unwrap_or(zero), inside]);
            is_any = Some(self.both(is_any, is_inside));
            let (stride, step) = match axis.step {
                Step::One => (Stride::Constant(1), one),
                Step::Value(stride) => {
                    let stride = self.wide_scalar(stride, true)?;
                    if axis.weights.first() == Some(&1) {
                        let is_one = self.truth(Fun::Equal, &[stride, one]);
                        is_plain = Some(self.both(is_plain, is_one));
                        (Stride::Constant(1), one)
                    } else {
                        (Stride::Value(stride), stride)
                    }
                }
            };
            let distance = self.wide(Fun::Mul, &[start, step]);
            first = self.wide(Fun::Add, &[first, distance]);
            let last = self.wide(Fun::Add, &[start, inside]);
            let last = self.wide(Fun::Sub, &[last, one]);
            fits.extend([last, step]);
            places.push(Axis {
                weights: axis.weights.clone(),
                stride,
                from,
                inside: Some(inside),
            });
        }
        let fits = self.truth(Fun::Fits, &fits);
        let misses = self.truth(Fun::Not, &[fits]);
        let misses = self.both(is_any, misses);
        let fits = self.truth(Fun::Not, &[misses]);
        let holds = self.both(is_plain, fits);
        let first = self.wide(Fun::Mul, &[first, size]);
        let address = self.wide(Fun::Add, &[base, first]);
        let place = Place {
            base: Base::Memory(address, param),
            axes: places,
            scalar,
        };
        Ok((place, self.wide(Fun::ZeroExtend, &[holds])))
    }

    fn both(&mut self, one: Option<Val>, two: Val) -> Val {
        one.map_or(two, |one| self.truth(Fun::And, &[one, two]))
    }

    /// Returns a number, or the bound that it is beyond.
    fn between(&mut self, number: Val, least: Val, greatest: Val) -> Val {
        let number = self.wide(Fun::Min, &[number, greatest]);
        self.wide(Fun::Max, &[number, least])
    }

    /// Returns the operation that computes a scalar, or a tile that is not in a buffer, and its operands.
    fn op_of(&self, value: ValueId) -> Option<(Opcode, &[ValueId])> {
        let id = self.id_of(value)?;
        let op = self.module.op(id);
        Some((op.opcode, &op.operands))
    }

    fn id_of(&self, value: ValueId) -> Option<OpId> {
        match self.bound.get(&value)? {
            &Bound::Deferred(id) => Some(id),
            Bound::Scalar(_) => match self.module.value(value).def {
                ValueDef::Result(id, _) => Some(id),
                ValueDef::Argument(..) => None,
            },
            _ => None,
        }
    }

    /// Returns the terms of a sum or of a conjunction, which are not looked into if `is_whole`.
    fn terms(
        &self,
        sum: Opcode,
        value: ValueId,
        is_whole: impl Fn(ValueId) -> bool,
    ) -> Vec<ValueId> {
        let mut rest = vec![value];
        let mut terms = Vec::new();
        while let Some(value) = rest.pop() {
            match self.op_of(value) {
                Some((opcode, args)) if opcode == sum && !is_whole(value) => rest.extend(args),
                _ => terms.push(value),
            }
        }
        terms
    }

    /// Returns the coordinate and the extent of a comparison without signs.
    fn below(&self, condition: ValueId) -> Option<(ValueId, ValueId)> {
        let op = self.module.op(self.id_of(condition)?);
        let is_below = op.opcode == Opcode::Integer(IntegerOp::CmpI)
            && op.predicate() == ComparisonPredicate::LessThan
            && op.attr("signedness") == Some(&Attr::Signedness(Signedness::Unsigned));
        if !is_below {
            return None;
        }
        Some((op.operands[0], self.same(op.operands[1])?))
    }

    /// Returns the step of a coordinate in a term; `None` if it is not in the term.
    fn step_of(&self, coordinate: ValueId, term: ValueId) -> Option<Step> {
        if term == coordinate {
            return Some(Step::One);
        }
        let (opcode, args) = self.op_of(term)?;
        let &[one, two] = args else {
            return None;
        };
        let factor = match opcode {
            Opcode::Integer(IntegerOp::MulI) if one == coordinate => two,
            Opcode::Integer(IntegerOp::MulI) if two == coordinate => one,
            _ => return None,
        };
        self.same(factor).map(Step::Value)
    }

    /// Returns the bits of a constant whose elements are all the same.
    fn same_bits(&self, value: ValueId) -> Option<u64> {
        let op = self.module.op(self.id_of(value)?);
        if op.opcode != Opcode::Core(CoreOp::Constant) {
            return None;
        }
        let dense = op.dense_value();
        dense.splat_bits().is_some().then(|| stored(&dense, 0))
    }

    /// Returns the number that all elements of a tile are.
    fn same(&self, value: ValueId) -> Option<ValueId> {
        if self.is_scalar(value) {
            return Some(value);
        }
        match self.op_of(value)? {
            (Opcode::Core(CoreOp::Broadcast | CoreOp::Reshape | CoreOp::Permute), args) => {
                self.same(args[0])
            }
            _ => None,
        }
    }

    /// Returns the parts of the elements of a tile, if each is a number that all have and what its position makes.
    fn number_of(&self, value: ValueId, map: &Map) -> Option<Number> {
        let weights = vec![0; map.nest_bits()];
        if let Some(same) = self.same(value) {
            let same = Some(same);
            return Some(Number { same, weights });
        }
        let &Bound::Deferred(id) = self.bound.get(&value)? else {
            return None;
        };
        let mut sum = Number {
            same: None,
            weights,
        };
        let add = |sum: &mut Number, part: Number| {
            if sum.same.is_some() && part.same.is_some() {
                return None;
            }
            sum.same = sum.same.or(part.same);
            for (sum, weight) in sum.weights.iter_mut().zip(part.weights) {
                *sum += weight;
            }
            Some(())
        };
        match self.module.op(id).opcode {
            Opcode::Core(CoreOp::Iota) => {
                sum.weights = map.weights();
                Some(sum)
            }
            // A sum may wrap before it is extended.
            Opcode::Conversion(ConversionOp::ExtI) => {
                let (source, map) = self.sources(id, map).remove(0);
                let number = self.number_of(source, &map)?;
                number.same.is_none().then_some(number)
            }
            Opcode::Core(CoreOp::Broadcast | CoreOp::Reshape | CoreOp::Permute)
            | Opcode::Integer(IntegerOp::AddI) => {
                for (source, map) in self.sources(id, map) {
                    add(&mut sum, self.number_of(source, &map)?)?;
                }
                Some(sum)
            }
            _ => None,
        }
    }
}
