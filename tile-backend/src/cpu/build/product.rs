//! Matrix products: operands go to buffers in the type and order that the kernel of the product reads.

use tile_core::ir::{Attr, Signedness};
use tile_core::ir::{OpId, ValueId};
use tile_core::ops::{IntegerOp, Opcode};
use tile_core::types::Scalar;

use super::super::ir::{BufferId, Fun, Inst, Place, Product, Stmt};
use super::{Bound, Builder, Reply, refused};

impl Builder<'_> {
    pub(super) fn product(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let (lhs, rhs, acc) = (op.operand("lhs"), op.operand("rhs"), op.operand("acc"));
        let signed = |name: &str| op.attr(name) != Some(&Attr::Signedness(Signedness::Unsigned));
        let (scalar, signs) = match (op.opcode, self.scalar_of(lhs), self.scalar_of(rhs)) {
            (Opcode::Integer(IntegerOp::MmaI), Scalar::I8, _) => (
                Scalar::I32,
                [signed("signedness_lhs"), signed("signedness_rhs")],
            ),
            (_, Scalar::F64, _) => (Scalar::F64, [true; 2]),
            (
                _,
                Scalar::F16 | Scalar::BF16 | Scalar::F32,
                Scalar::F16 | Scalar::BF16 | Scalar::F32,
            ) => (Scalar::F32, [true; 2]),
            (_, other, _) => {
                return Err(refused(
                    op,
                    &format!("a product of `{other}` has no native code yet"),
                ));
            }
        };
        let (left, right) = (self.shape(lhs), self.shape(rhs));
        let rank = left.len();
        let (m, k, n) = (left[rank - 2], left[rank - 1], right[rank - 1]);
        let batch = left[..rank - 2].iter().product();
        let panel = n.min(self.panel_bytes / scalar.bytes() as u64);
        let a = self.operand(lhs, scalar, signs[0], None)?;
        let order = (n > panel).then(|| panel_weights(self.bits(rhs), k, n, panel));
        let b = self.operand(rhs, scalar, signs[1], order)?;
        let sums = self.accumulator(acc, scalar)?;
        self.flush();
        self.stmts.push(Stmt::Product(Product {
            batch,
            m,
            n,
            k,
            a,
            b,
            panel,
            acc: sums,
            scalar,
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

    /// Returns a buffer with an operand, converted, whose elements have these weights; row-major if `None`.
    fn operand(
        &mut self,
        value: ValueId,
        scalar: Scalar,
        is_signed: bool,
        weights: Option<Vec<i64>>,
    ) -> Reply<BufferId> {
        let from = self.scalar_of(value);
        if weights.is_none()
            && from == scalar
            && let Some(&Bound::Buffer(buffer)) = self.bound.get(&value)
        {
            return Ok(buffer);
        }
        let buffer = self.new_buffer(scalar, self.count(value));
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
            let weights = weights.unwrap_or_else(|| map.weights());
            builder.push_store_at(buffer, Place::buffer(buffer, scalar, weights), reg);
            Ok(())
        })?;
        Ok(buffer)
    }

    /// Returns a buffer with the accumulator, which the product may change.
    fn accumulator(&mut self, acc: ValueId, scalar: Scalar) -> Reply<BufferId> {
        let from = self.scalar_of(acc);
        if from == scalar
            && let Some(&Bound::Buffer(buffer)) = self.bound.get(&acc)
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
    fn may_change(&self, value: ValueId, buffer: BufferId) -> bool {
        let is_last = self.remaining.get(&value).is_none_or(|&uses| uses == 0);
        // A buffer of an outer loop has the same elements again in the next iteration.
        let is_own = self.depths[buffer.0 as usize] == self.scopes.len();
        let is_needed = || {
            let mut others = self.deferred.iter();
            others.any(|&other| {
                let is_used = self.remaining.get(&other).is_some_and(|&uses| uses > 0);
                let shares = matches!(self.bound.get(&other), Some(Bound::Deferred(_)))
                    && self
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

/// Returns the weights of the elements of the right operand: panels of columns, each row-major.
fn panel_weights(bits: u32, k: u64, n: u64, panel: u64) -> Vec<i64> {
    let (columns, rows) = (n.trailing_zeros(), k.trailing_zeros());
    let within = panel.trailing_zeros();
    let weight = |bit: u32| {
        if bit < within {
            1 << bit
        } else if bit < columns {
            1 << (bit + rows)
        } else if bit < columns + rows {
            1 << (bit - columns + within)
        } else {
            1 << bit
        }
    };
    (0..bits).map(weight).collect()
}
