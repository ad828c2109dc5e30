//! Reductions and scans.

use tile_core::ir::Attr;
use tile_core::ir::{BlockId, OpId};
use tile_core::ops::{BitwiseOp, ControlFlowOp, CoreOp, FloatOp, IntegerOp, Opcode};
use tile_core::types::Scalar;

use super::super::ir::{Inst, Order, Place, Reduce};
use super::{Bound, Builder, Reply, elements, refused};

/// The fewest elements of a row that is combined in segments.
const SEGMENTED: u64 = 32;

impl Builder<'_> {
    pub(super) fn reduce(&mut self, id: OpId) -> Reply {
        self.fold(id, false)
    }

    pub(super) fn scan(&mut self, id: OpId) -> Reply {
        self.fold(id, true)
    }

    fn fold(&mut self, id: OpId, is_scan: bool) -> Reply {
        let op = self.module.op(id);
        let body = self
            .module
            .region_block(id, 0)
            .expect("a reduction has a body");
        self.check_body(body)?;
        let operands = op.operands_of("operands").to_vec();
        let shape = self.shape(operands[0]);
        let dim = usize::try_from(op.dim()).expect("axes are not negative");
        let (extent, inner): (u64, u64) = (shape[dim], shape[dim + 1..].iter().product());
        if extent == 1 {
            for (&result, &operand) in op.results.iter().zip(&operands) {
                let bound = self.bound[&operand].clone();
                self.costs
                    .extend(self.costs.get(&operand).copied().map(|cost| (result, cost)));
                self.deferred.push(result);
                self.bound.insert(result, bound);
            }
            return Ok(());
        }
        let first = inner.trailing_zeros();
        let axis: Vec<u32> = (first..first + extent.trailing_zeros()).collect();
        let is_reverse = is_scan && op.attr("reverse") == Some(&Attr::Bool(true));
        let (neutral, is_exact) = self.laws(body);
        let order = match (neutral, is_scan) {
            (_, true) => Order::Sequential,
            (None, _) if inner == 1 && extent >= SEGMENTED => Order::Segments,
            (None, _) => Order::Sequential,
            (Some(_), _) if is_exact => Order::Any,
            // The interpreter has partial results only where nothing is flushed.
            (Some(_), _) if inner == 1 && !self.flushes(body) => Order::Partial,
            (Some(_), _) => Order::Sequential,
        };
        // Its lanes are not neighbours.
        let is_alone = matches!(order, Order::Sequential | Order::Segments) && inner == 1;
        if is_alone {
            self.flush();
        }
        let bits = self.bits(operands[0]);
        let scalars: Vec<Scalar> = operands
            .iter()
            .map(|&operand| self.scalar_of(operand))
            .collect();
        let mut buffers = Vec::new();
        for (&result, &scalar) in op.results.iter().zip(&scalars) {
            buffers.push(self.new_buffer(scalar, self.count(result)));
        }
        self.sink(bits, &axis, is_reverse, &operands, |builder, map| {
            let mut values = Vec::new();
            for &operand in &operands {
                values.push(builder.element(operand, map)?);
            }
            let weights = |bit: u32| {
                if is_scan {
                    1 << bit
                } else if axis.contains(&bit) {
                    0
                } else if bit < first {
                    1 << bit
                } else {
                    1 << (bit - u32::try_from(axis.len()).expect("few bits"))
                }
            };
            let weights: Vec<i64> = (0..bits).map(weights).collect();
            let places = buffers.iter().zip(&scalars);
            let places =
                places.map(|(&buffer, &scalar)| Place::buffer(buffer, scalar, weights.clone()));
            let reduce = Reduce {
                op: id,
                values,
                scalars: scalars.clone(),
                body,
                neutral,
                order,
                places: places.collect(),
            };
            builder.push(if is_scan {
                Inst::Scan(reduce)
            } else {
                Inst::Reduce(reduce)
            });
            for &buffer in &buffers {
                builder.note_written(buffer);
            }
            Ok(())
        })?;
        if is_alone {
            self.close_to_others();
        }
        for (&result, buffer) in op.results.iter().zip(buffers) {
            self.bound.insert(result, Bound::Buffer(buffer));
        }
        Ok(())
    }

    /// Refuses a body with an operation that is not element-wise.
    fn check_body(&self, body: BlockId) -> Reply {
        for &id in &self.module.block(body).ops {
            let op = self.module.op(id);
            let is_element_wise = match op.opcode {
                Opcode::Core(kind) => matches!(kind, CoreOp::Constant | CoreOp::Select),
                Opcode::Integer(kind) => kind != IntegerOp::MmaI,
                Opcode::Float(kind) => !matches!(kind, FloatOp::MmaF | FloatOp::MmaFScaled),
                Opcode::Bitwise(_) | Opcode::Conversion(_) => true,
                Opcode::ControlFlow(kind) => kind == ControlFlowOp::Yield,
                _ => false,
            };
            if !is_element_wise {
                return Err(refused(
                    op,
                    "it has no native code in the body of a reduction yet",
                ));
            }
            elements::check(self.module, op)?;
        }
        Ok(())
    }

    /// Returns `true` if an operation of a body replaces subnormal numbers by zeros.
    fn flushes(&self, body: BlockId) -> bool {
        let mut ops = self.module.block(body).ops.iter();
        ops.any(|&id| elements::flushes(self.module.op(id)))
    }

    /// Returns the neutral element of a body of one well-known operation, and whether every order of combinations gives
    /// the same bits.
    fn laws(&self, body: BlockId) -> (Option<u64>, bool) {
        let block = self.module.block(body);
        let ([x, acc], [only, end]) = (block.args.as_slice(), block.ops.as_slice()) else {
            return (None, false);
        };
        let (only, end) = (self.module.op(*only), self.module.op(*end));
        let combines =
            only.operands.as_slice() == [*x, *acc] || only.operands.as_slice() == [*acc, *x];
        if !combines || end.operands.as_slice() != only.results.as_slice() {
            return (None, false);
        }
        let scalar = self.scalar_of(*x);
        let ones = u64::MAX >> (64 - scalar.bits());
        let sign = 1 << (scalar.bits() - 1);
        let float = |value: f64| tile_core::interp::encode_float(scalar, value);
        let is_signed = || only.signedness() == tile_core::ir::Signedness::Signed;
        let wraps = || only.overflow() == tile_core::ir::IntegerOverflow::None;
        match only.opcode {
            // A sum of -0 and any number is that number, of +0 too.
            Opcode::Float(FloatOp::AddF) => (Some(float(-0.0)), false),
            Opcode::Float(FloatOp::MulF) => (Some(float(1.0)), false),
            Opcode::Float(FloatOp::MaxF) if only.has_flag("propagate_nan") => {
                (Some(float(f64::NEG_INFINITY)), true)
            }
            Opcode::Float(FloatOp::MinF) if only.has_flag("propagate_nan") => {
                (Some(float(f64::INFINITY)), true)
            }
            // A NaN loses against every number.
            Opcode::Float(FloatOp::MaxF | FloatOp::MinF) => (Some(float(f64::NAN)), true),
            Opcode::Integer(IntegerOp::AddI) if wraps() => (Some(0), true),
            Opcode::Integer(IntegerOp::MulI) if wraps() => (Some(1), true),
            Opcode::Integer(IntegerOp::MaxI) => (Some(if is_signed() { sign } else { 0 }), true),
            Opcode::Integer(IntegerOp::MinI) => {
                (Some(if is_signed() { ones ^ sign } else { ones }), true)
            }
            Opcode::Bitwise(BitwiseOp::AndI) => (Some(ones), true),
            Opcode::Bitwise(BitwiseOp::OrI | BitwiseOp::XorI) => (Some(0), true),
            _ => (None, false),
        }
    }
}
