//! Matrix products: operands go to buffers in the type and order that the kernel of the product reads.

use tile_core::ir::{Attr, Signedness};
use tile_core::ir::{Module, OpId, ValueId};
use tile_core::ops::{CoreOp, FloatOp, IntegerOp, Opcode};
use tile_core::types::{Element, Scalar};

use super::super::Level;
use super::super::ir::{
    Base, BufferId, Fun, Groups, Inst, Nest, Place, Product, Signs, Stmt, Unit, terms,
};
use super::super::plan::Plan;
use super::{Bound, Builder, Reply, demanded, liveness, refused};

/// The rows of the left operand that are computed together if there are more: with 256 terms of `f32` they take a part of a
/// second-level cache.
const GROUP_ROWS: u64 = 64;

/// The rows from which on the left operand is read where it is, if it can be.
const FEW_ROWS: u64 = 8;

/// The form in which a product reads an operand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Packing {
    value: ValueId,
    /// The type of its elements there.
    scalar: Scalar,
    is_signed: bool,
    /// `true` if the sign bit of each byte is flipped.
    flips_sign: bool,
    /// The weights of the bits of a position; row-major if `None`.
    weights: Option<Vec<i64>>,
}

impl Builder<'_> {
    pub(super) fn product(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let acc = op.operand("acc");
        let ([left, right], signs, unit) = self.packings(id)?;
        let operand = left.scalar;
        let scalar = type_of_sums(operand);
        let (lhs, rhs) = (self.shape(left.value), self.shape(right.value));
        let rank = lhs.len();
        let (m, k, n) = (lhs[rank - 2], lhs[rank - 1], rhs[rank - 1]);
        let batch = lhs[..rank - 2].iter().product();
        let panel = self.panel(m, n, scalar);
        let mut demanded = if batch == 1 { self.demanded(id)? } else { None };
        let (lhs, groups) = match self.loaded_operand(&left, unit) {
            Some((buffer, groups)) => (buffer, Some(groups)),
            None => self.left_operand(&left)?,
        };
        let is_hidden = |groups: &Groups| !demanded::has_no_fault(self.module, &groups.nest);
        if let Some([rows, _]) = &mut demanded
            && groups.as_ref().is_some_and(is_hidden)
        {
            *rows = self.number(i64::try_from(m).expect("few rows"));
        }
        let rhs = self.operand(&right)?;
        let sums = self.accumulator(acc, scalar, [lhs, rhs])?;
        self.flush();
        self.stmts.push(Stmt::Product(Product {
            batch,
            m,
            n,
            k,
            a: lhs,
            groups,
            b: rhs,
            panel,
            acc: sums,
            scalar,
            operand,
            signs,
            unit,
            demanded,
            is_first: None,
            target: None,
        }));
        let result = op.result();
        let to = self.scalar_of(result);
        if to == scalar {
            self.bound.insert(result, Bound::Buffer(sums));
            return Ok(());
        }
        // Sums are rounded once, at the end.
        let rounded = self.new_buffer(to, self.count(result));
        let bound = self.bound.insert(acc, Bound::Buffer(sums));
        self.sink(self.bits(result), &[], false, &[acc], |builder, map| {
            let sum = builder.push(Inst::Load(Place::buffer(sums, scalar, map.weights()), 0));
            let reg = builder.push(Inst::Call(Fun::Narrow, vec![sum], to));
            builder.push_store(rounded, to, map, reg);
            Ok(())
        })?;
        self.flush();
        self.bound.extend(bound.map(|bound| (acc, bound)));
        self.bound.insert(result, Bound::Buffer(rounded));
        Ok(())
    }

    /// Returns the forms of both operands, the signs that the product takes bytes to have, and its registers.
    fn packings(&self, id: OpId) -> Reply<([Packing; 2], Signs, Unit)> {
        let op = self.module.op(id);
        let (lhs, rhs) = (op.operand("lhs"), op.operand("rhs"));
        let signed = |name: &str| op.attr(name) != Some(&Attr::Signedness(Signedness::Unsigned));
        let shape = self.shape(rhs);
        let (k, n) = (shape[shape.len() - 2], shape[shape.len() - 1]);
        let unit = if self.level.has_tile_registers() && fits_tile_registers(self.module, id) {
            Unit::Tiles
        } else {
            Unit::Vectors
        };
        // Fewer columns have no vector.
        let has_dot_products = self.level.has_dot_products() && n >= 4;
        let are_signed = match op.opcode {
            Opcode::Integer(_) => [signed("signedness_lhs"), signed("signedness_rhs")],
            _ => [true; 2],
        };
        let mut signs = Signs::Right;
        let scalar = match (op.opcode, self.scalar_of(lhs), self.scalar_of(rhs)) {
            (Opcode::Integer(IntegerOp::MmaI), Scalar::I8, _)
                if has_dot_products
                    && k >= 4
                    && (unit == Unit::Tiles || are_signed != [false; 2]) =>
            {
                signs = match are_signed {
                    [true, true] if unit == Unit::Tiles => Signs::Both,
                    [true, true] => Signs::LeftShifted,
                    [true, false] => Signs::Left,
                    [false, true] => Signs::Right,
                    [false, false] => Signs::Neither,
                };
                Scalar::I8
            }
            (Opcode::Integer(IntegerOp::MmaI), Scalar::I8, _) => {
                if self.level.has_pairs() && k > 1 {
                    Scalar::I16
                } else {
                    Scalar::I32
                }
            }
            (_, Scalar::F64, _) => Scalar::F64,
            (_, Scalar::BF16, Scalar::BF16) if has_dot_products && k >= 2 => Scalar::BF16,
            (_, left, right) if is_single(left) && is_single(right) => Scalar::F32,
            (_, other, _) => {
                return Err(refused(
                    op,
                    &format!("a product of `{other}` has no native code yet"),
                ));
            }
        };
        let left = self.shape(lhs);
        let sums = type_of_sums(scalar);
        let panel = self.panel(left[left.len() - 2], n, sums);
        let bits = self.bits(rhs);
        let terms = terms(scalar, sums);
        let weights = (terms > 1 || n > panel).then(|| panel_weights(bits, k, n, panel, terms));
        let packing = |value, is_signed, flips_sign, weights| Packing {
            value,
            scalar,
            is_signed,
            flips_sign,
            weights,
        };
        let flips_left = scalar == Scalar::I8 && signs == Signs::LeftShifted;
        let packings = [
            packing(lhs, are_signed[0], flips_left, None),
            packing(rhs, are_signed[1], false, weights),
        ];
        Ok((packings, signs, unit))
    }

    /// Returns the number of columns of a panel of the right operand: two vectors, or four if so few rows would leave
    /// registers unused.
    fn panel(&self, m: u64, n: u64, scalar: Scalar) -> u64 {
        let vectors = if self.level.has_masks() && m < 8 {
            4
        } else {
            2
        };
        n.min(vectors * u64::from(self.level.vector_bytes()) / scalar.bytes() as u64)
    }

    /// Packs the operands of products within a loop that the loop does not change.
    pub(super) fn pack_operands(&mut self, id: OpId) -> Reply {
        let captured = liveness::captured(self.module, id);
        for inner in liveness::inner(self.module, id) {
            let opcode = self.module.op(inner).opcode;
            if !matches!(
                opcode,
                Opcode::Float(FloatOp::MmaF) | Opcode::Integer(IntegerOp::MmaI)
            ) {
                continue;
            }
            for packing in self.packings(inner)?.0 {
                if captured.contains(&packing.value) {
                    let buffer = self.operand(&packing)?;
                    self.packed.insert(packing, buffer);
                }
            }
        }
        Ok(())
    }

    /// Returns a buffer for groups of rows of the left operand, if a nest loads it from memory, where it may be read, and does
    /// nothing else.
    fn loaded_operand(&mut self, packing: &Packing, unit: Unit) -> Option<(BufferId, Groups)> {
        let loaded = self.row_major_value(packing.value)?;
        let &Bound::Buffer(whole) = self.bound.get(&loaded)? else {
            return None;
        };
        let shape = self.shape(packing.value);
        let (m, k) = (shape[shape.len() - 2], shape[shape.len() - 1]);
        let is_needed = |value: &ValueId| self.remaining.get(value).is_some_and(|&uses| uses > 0);
        let is_copied = packing.flips_sign
            || self.packed.contains_key(packing)
            || self.scalar_of(packing.value) != packing.scalar
            || is_needed(&packing.value)
            || !self.may_change(loaded, whole);
        // A fault within a group would leave the tile registers in use.
        if is_copied || m < FEW_ROWS || unit == Unit::Tiles {
            return None;
        }
        let is_plain = |inst: &Inst| match inst {
            Inst::Scalar(_)
            | Inst::Constant(..)
            | Inst::Table(..)
            | Inst::Position(..)
            | Inst::Call(..)
            | Inst::Gather { .. } => true,
            Inst::Load(place, _) => matches!(place.base, Base::Memory(..)),
            Inst::Store(place, _) => place.base == Base::Buffer(whole, None),
            _ => false,
        };
        let bits = (FEW_ROWS * k).trailing_zeros();
        let nest = self.take_nest(whole, |nest, vals, level| {
            nest.axis.is_empty()
                && nest.insts.iter().all(is_plain)
                && Plan::of(nest, vals, level).only_loops_from(bits)
                && Groups::in_nest(nest, FEW_ROWS, k).is_some()
        })?;
        let mut groups = Groups {
            rows: FEW_ROWS,
            nest,
        };
        if whole.0 as usize + 1 == self.buffers.len() {
            self.next_offset = self.buffers[whole.0 as usize].offset;
            self.buffers.pop();
            self.depths.pop();
        }
        let buffer = self.new_buffer(packing.scalar, FEW_ROWS * k);
        for inst in &mut groups.nest.insts {
            if let Inst::Store(place, _) = inst {
                place.base = Base::Buffer(buffer, None);
            }
        }
        groups.share_memory(bits);
        Some((buffer, groups))
    }

    /// Takes out the last nest of a kind, if nothing after it changes memory or reads a buffer, which the nest writes.
    fn take_nest(
        &mut self,
        written: BufferId,
        is_kind: impl Fn(&Nest, &[Scalar], Level) -> bool,
    ) -> Option<Nest> {
        if let Some(open) = &self.open {
            if is_kind(&open.nest, &self.vals, self.level) {
                return self.open.take().map(|open| open.nest);
            }
            if !is_apart(&open.nest, written) {
                return None;
            }
        }
        for (index, stmt) in self.stmts.iter().enumerate().rev() {
            match stmt {
                Stmt::Nest(nest) if is_kind(nest, &self.vals, self.level) => {
                    let Stmt::Nest(nest) = self.stmts.remove(index) else {
                        unreachable!("it is a nest");
                    };
                    return Some(nest);
                }
                Stmt::Nest(nest) if is_apart(nest, written) => {}
                Stmt::Let(..) | Stmt::FaultIf(..) => {}
                _ => return None,
            }
        }
        None
    }

    /// Returns a buffer with the left operand, or for groups of its rows if it is best read in memory, or computed as they are
    /// needed.
    fn left_operand(&mut self, packing: &Packing) -> Reply<(BufferId, Option<Groups>)> {
        let shape = self.shape(packing.value);
        let (m, k) = (shape[shape.len() - 2], shape[shape.len() - 1]);
        let is_there =
            self.packed.contains_key(packing) || self.row_major_buffer(packing.value).is_some();
        if m < FEW_ROWS || is_there {
            return Ok((self.operand(packing)?, None));
        }
        let rows = m.min(GROUP_ROWS);
        self.flush();
        let (next_offset, count) = (self.next_offset, self.buffers.len());
        let buffer = self.operand(packing)?;
        let Some(mut open) = self.open.take() else {
            return Ok((buffer, None));
        };
        let bits = (rows * k).trailing_zeros();
        let is_plain = |inst: &Inst| match inst {
            Inst::Scalar(_)
            | Inst::Constant(..)
            | Inst::Table(..)
            | Inst::Position(..)
            | Inst::Call(..) => true,
            Inst::Load(place, _) => matches!(place.base, Base::Memory(..)),
            Inst::Store(place, _) => place.base == Base::Buffer(buffer, None),
            _ => false,
        };
        let fits = open.nest.insts.iter().all(is_plain)
            && self.buffers.len() == count + 1
            && Plan::of(&open.nest, &self.vals, self.level).only_loops_from(bits);
        let nest = std::mem::take(&mut open.nest);
        let mut groups = Groups { rows, nest };
        if !fits || (rows == m && groups.in_memory(k).is_none()) {
            open.nest = groups.nest;
            self.open = Some(open);
            self.flush();
            return Ok((buffer, None));
        }
        groups.share_memory(bits);
        self.next_offset = next_offset;
        self.buffers.pop();
        self.depths.pop();
        let buffer = self.new_buffer(packing.scalar, rows * k);
        Ok((buffer, Some(groups)))
    }

    /// Returns the buffer with the elements of a tile, which may have another shape there.
    fn row_major_buffer(&self, value: ValueId) -> Option<BufferId> {
        match self.bound.get(&self.row_major_value(value)?)? {
            Bound::Buffer(buffer) => Some(*buffer),
            _ => None,
        }
    }

    /// Returns the tile in a buffer that a tile is, which may have another shape.
    fn row_major_value(&self, mut value: ValueId) -> Option<ValueId> {
        loop {
            match self.bound.get(&value)? {
                Bound::Buffer(_) => return Some(value),
                &Bound::Deferred(id) => {
                    let op = self.module.op(id);
                    if op.opcode != Opcode::Core(CoreOp::Reshape) {
                        return None;
                    }
                    value = op.operands[0];
                }
                _ => return None,
            }
        }
    }

    /// Returns a buffer with an operand.
    fn operand(&mut self, packing: &Packing) -> Reply<BufferId> {
        let &Packing {
            value,
            scalar,
            is_signed,
            flips_sign,
            ref weights,
        } = packing;
        if let Some(&buffer) = self.packed.get(packing) {
            return Ok(buffer);
        }
        let from = self.scalar_of(value);
        if weights.is_none()
            && from == scalar
            && !flips_sign
            && let Some(buffer) = self.row_major_buffer(value)
        {
            return Ok(buffer);
        }
        let buffer = self.new_buffer(scalar, self.count(value));
        // Lanes follow the order of the terms, which no other tile has.
        let is_interleaved = weights.is_some() && terms(scalar, type_of_sums(scalar)) > 1;
        if is_interleaved {
            self.flush();
        }
        self.sink(self.bits(value), &[], false, &[value], |builder, map| {
            let mut reg = builder.element(value, map)?;
            if from != scalar {
                let fun = match (from.is_float(), is_signed) {
                    (true, _) => Fun::Widen,
                    (false, true) => Fun::SignExtend,
                    (false, false) => Fun::ZeroExtend,
                };
                reg = builder.push(Inst::Call(fun, vec![reg], scalar));
            }
            if flips_sign {
                reg = builder.push(Inst::Call(Fun::FlipSign, vec![reg], scalar));
            }
            let weights = weights.clone().unwrap_or_else(|| map.weights());
            builder.push_store_at(buffer, Place::buffer(buffer, scalar, weights), reg);
            Ok(())
        })?;
        if is_interleaved {
            self.flush();
        }
        Ok(buffer)
    }

    /// Returns a buffer with the accumulator, which the product may change: it is none of the operands.
    fn accumulator(
        &mut self,
        acc: ValueId,
        scalar: Scalar,
        operands: [BufferId; 2],
    ) -> Reply<BufferId> {
        let from = self.scalar_of(acc);
        if from == scalar
            && let Some(&Bound::Buffer(buffer)) = self.bound.get(&acc)
            && !operands.contains(&buffer)
            && self.may_change(acc, buffer)
        {
            return Ok(buffer);
        }
        let buffer = self.new_buffer(scalar, self.count(acc));
        if from == scalar {
            self.store_into(acc, buffer)?;
            return Ok(buffer);
        }
        self.sink(self.bits(acc), &[], false, &[acc], |builder, map| {
            let reg = builder.element(acc, map)?;
            let reg = builder.push(Inst::Call(Fun::Widen, vec![reg], scalar));
            builder.push_store(buffer, scalar, map, reg);
            Ok(())
        })?;
        Ok(buffer)
    }

    /// Returns `true` if nothing needs the elements of a buffer any more.
    pub(super) fn may_change(&self, value: ValueId, buffer: BufferId) -> bool {
        let is_last = self.remaining.get(&value).is_none_or(|&uses| uses == 0);
        // A buffer of an outer loop has the same elements again in the next iteration.
        let is_own = self.depths[buffer.0 as usize] == self.scopes.len();
        let is_needed = || {
            let mut others = self.deferred.iter();
            others.any(|&other| {
                let is_used = self.remaining.get(&other).is_some_and(|&uses| uses > 0);
                let shares = matches!(
                    self.bound.get(&other),
                    Some(Bound::Deferred(_) | Bound::Slice(_))
                ) && self
                    .buffers_read(other)
                    .iter()
                    .any(|&(read, _)| read == buffer);
                is_used && shares
            })
        };
        let is_shared = || {
            let mut bound = self.bound.iter();
            bound.any(|(&other, bound)| {
                let uses = self.remaining.get(&other).copied().unwrap_or(0);
                other != value
                    && uses > 0
                    && matches!(bound, Bound::Buffer(there) if *there == buffer)
            })
        };
        is_last && is_own && !is_needed() && !is_shared()
    }
}

/// Returns `true` if a nest changes no memory but buffers, and does not use one of them.
fn is_apart(nest: &Nest, buffer: BufferId) -> bool {
    let is_other = |place: &Place| !matches!(place.base, Base::Buffer(used, _) if used == buffer);
    nest.insts.iter().all(|inst| match inst {
        Inst::Load(place, _) => is_other(place),
        Inst::Store(place, _) => matches!(place.base, Base::Buffer(..)) && is_other(place),
        Inst::Reduce(reduce) | Inst::Scan(reduce) => reduce.places.iter().all(is_other),
        Inst::Scatter { .. } | Inst::Atomic { .. } => false,
        Inst::Gather { is_shared, .. } => !is_shared,
        _ => true,
    })
}

/// Returns the weights of the elements of the right operand: panels of columns, each row-major, with the elements of `terms`
/// rows beside each other.
fn panel_weights(bits: u32, k: u64, n: u64, panel: u64, terms: u64) -> Vec<i64> {
    let (columns, rows) = (n.trailing_zeros(), k.trailing_zeros());
    let (within, interleaved) = (panel.trailing_zeros(), terms.trailing_zeros());
    let weight = |bit: u32| {
        if bit < within {
            1 << (bit + interleaved)
        } else if bit < columns {
            1 << (bit + rows)
        } else if bit < columns + interleaved {
            1 << (bit - columns)
        } else if bit < columns + rows {
            1 << (bit - columns + within)
        } else {
            1 << bit
        }
    };
    (0..bits).map(weight).collect()
}

/// The fewest rows of a product in tile registers.
const TILED_ROWS: u64 = 8;

/// The fewest columns of a product in tile registers, those of one.
const TILED_COLUMNS: u64 = 16;

/// The fewest bytes of a row of the left operand for tile registers, those of a row of one.
const TILED_BYTES: u64 = 64;

/// Returns `true` if an entry has a product for which a level has instructions for dot products.
pub(in super::super) fn has_dot_products(module: &Module, entry: OpId) -> bool {
    let mut inner = liveness::inner(module, entry).into_iter();
    inner.any(|id| narrow_operand(module, id).is_some())
}

/// Returns `true` if an entry has a product for tile registers.
pub(in super::super) fn has_tiled_products(module: &Module, entry: OpId) -> bool {
    let mut inner = liveness::inner(module, entry).into_iter();
    inner.any(|id| fits_tile_registers(module, id))
}

/// Returns the type of the elements of a product's operands if they are bytes or bf16.
fn narrow_operand(module: &Module, id: OpId) -> Option<Scalar> {
    let op = module.op(id);
    let scalar = match op.opcode {
        Opcode::Integer(IntegerOp::MmaI) => Scalar::I8,
        Opcode::Float(FloatOp::MmaF) => Scalar::BF16,
        _ => return None,
    };
    let is_of_it = |name: &str| {
        let ty = module.ty(op.operand(name)).as_tile();
        ty.is_some_and(|ty| ty.element == Element::Scalar(scalar))
    };
    (is_of_it("lhs") && is_of_it("rhs")).then_some(scalar)
}

/// Returns `true` if a product fills tile registers so well that it is faster there than in vectors.
fn fits_tile_registers(module: &Module, id: OpId) -> bool {
    let Some(scalar) = narrow_operand(module, id) else {
        return false;
    };
    let extents = |name: &str| {
        let ty = module.ty(module.op(id).operand(name)).as_tile();
        let shape = &ty.expect("an operand is a tile").shape;
        let [.., rows, columns] = shape[..] else {
            unreachable!("operands have two axes or three");
        };
        (rows.unsigned_abs(), columns.unsigned_abs())
    };
    let ((m, k), (_, n)) = (extents("lhs"), extents("rhs"));
    m >= TILED_ROWS && n >= TILED_COLUMNS && k * scalar.bytes() as u64 >= TILED_BYTES
}

/// Returns the type of the sums of operands in the form that a product reads.
fn type_of_sums(operand: Scalar) -> Scalar {
    match operand {
        Scalar::I8 | Scalar::I16 => Scalar::I32,
        Scalar::BF16 => Scalar::F32,
        other => other,
    }
}

/// Returns `true` for the floats that are multiplied in `f32`.
fn is_single(scalar: Scalar) -> bool {
    matches!(
        scalar,
        Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::TF32 | Scalar::F8E4M3FN | Scalar::F8E5M2
    )
}
