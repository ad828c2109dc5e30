//! Builds parallel loops: `loop.parallel`, and a `loop.reduce` for each result and for the tokens
//! of each chain of accesses.
//!
//! Every iteration waits for the accesses before the loop, and the accesses after the loop wait for
//! all iterations.

use super::control::flatten;
use super::memory::Access;
use super::{Build, Val};
use crate::hir::{Block, Combination, ExprId, ExprKind, Parallel, Ty};
use crate::parse::ast::BinaryOp;
use tile_core::Loc;
use tile_core::ir::ValueId;
use tile_core::ops::{ConversionOp, FloatOp, LoopOp, MemoryOp};
use tile_core::types::{Scalar, Type};

/// A sum or product of narrow floats, which is accumulated in f32.
struct Sum {
    opcode: FloatOp,
    narrow: Scalar,
}

impl<'k> Build<'k, '_> {
    pub(super) fn parallel(&mut self, parallel: &'k Parallel, ty: &Ty, loc: Loc) -> Val {
        let mut init = Vec::new();
        if let Some(value) = parallel.init {
            let value = self.expr(value);
            flatten(&value, &mut init);
        }
        let init_count = init.len();
        // Sums of narrow floats are accumulated in f32 over all iterations.
        let sums: Vec<Option<Sum>> = parallel
            .combine
            .iter()
            .zip(&init)
            .map(|(combination, &value)| self.narrow_sum(combination, value))
            .collect();
        for (value, sum) in init.iter_mut().zip(&sums) {
            if sum.is_some() {
                *value = self.float_cast(*value, Scalar::F32, loc);
            }
        }
        let scalar = self.element(parallel.ranges[0][0]);
        let mut lows = Vec::new();
        let mut highs = Vec::new();
        for &[low, high] in &parallel.ranges {
            lows.push(self.tile(low));
            highs.push(self.tile(high));
        }
        let one = self.integer(scalar, 1, loc);
        let steps = vec![one; lows.len()];
        let chains = self.accessed(parallel.body);
        for &(chain, _) in &chains {
            init.push(self.carried_token(chain, loc));
        }
        let types: Vec<Type> = init.iter().map(|&value| self.b.ty(value)).collect();
        let op = self
            .b
            .op(LoopOp::Parallel, loc)
            .operands("lowerBounds", &lows)
            .operands("upperBounds", &highs)
            .operands("steps", &steps)
            .operands("initVals", &init)
            .flag("unsignedCmp", !scalar.is_signed())
            .results(&types)
            .finish();
        let outer = self.b.block();
        let locals = self.locals.clone();
        let tokens = self.save_tokens();
        let block = self.b.add_region_block(op);
        for &local in &parallel.locals {
            let local_loc = self.kernel.local(local).loc;
            let index = Type::scalar(scalar.scalar());
            let value = self.b.module().add_block_arg(block, index, local_loc);
            self.locals[local.index()] = Some(Val::Tile(value));
        }
        self.b.set_block(block);
        for (&(chain, access), &token) in chains.iter().zip(&init[init_count..]) {
            self.resume(chain, access, token);
        }
        let value = self.expr(parallel.body);
        let mut values = Vec::new();
        if !parallel.combine.is_empty() {
            flatten(&value, &mut values);
        }
        for ((&value, combination), sum) in values.iter().zip(&parallel.combine).zip(&sums) {
            match sum {
                Some(sum) => self.reduce_sum(value, sum, loc),
                None => self.reduce_values(value, combination, loc),
            }
        }
        for &(chain, _) in &chains {
            let token = self.carried_token(chain, loc);
            self.reduce_tokens(token, loc);
        }
        self.b.op(LoopOp::Yield, loc).finish();
        self.b.set_block(outer);
        self.locals = locals;
        self.tokens = tokens;
        let mut results: Vec<ValueId> = self.b.module().op(op).results.to_vec();
        for (&(chain, access), &token) in chains.iter().zip(&results[init_count..]) {
            self.resume(chain, access, token);
        }
        for (result, sum) in results.iter_mut().zip(&sums) {
            if let Some(sum) = sum {
                *result = self.float_cast(*result, sum.narrow, loc);
            }
        }
        match ty {
            Ty::Tuple(_) => Val::Tuple(
                results[..init_count]
                    .iter()
                    .copied()
                    .map(Val::Tile)
                    .collect(),
            ),
            _ => Val::Tile(results[0]),
        }
    }

    /// Returns the chains that an expression accesses, and the kinds of access.
    fn accessed(&self, body: ExprId) -> Vec<(usize, Access)> {
        self.expr_effects(body).accessed.into_iter().collect()
    }

    /// Builds the region of a reduction of a value and returns its two arguments.
    fn reduction(&mut self, value: ValueId, loc: Loc) -> [ValueId; 2] {
        let ty = self.b.ty(value);
        let op = self
            .b
            .op(LoopOp::Reduce, loc)
            .operand("operand", value)
            .finish();
        let block = self.b.add_region_block(op);
        let module = self.b.module();
        let args = [
            module.add_block_arg(block, ty, loc),
            module.add_block_arg(block, ty, loc),
        ];
        self.b.set_block(block);
        args
    }

    fn reduce_values(&mut self, value: ValueId, combination: &'k Combination, loc: Loc) {
        let outer = self.b.block();
        let [left, right] = self.reduction(value, loc);
        self.locals[combination.left.index()] = Some(Val::Tile(left));
        self.locals[combination.right.index()] = Some(Val::Tile(right));
        let combined = self.tile(combination.value);
        let end = self.b.op(LoopOp::ReduceReturn, loc);
        end.operand("result", combined).finish();
        self.b.set_block(outer);
    }

    /// Returns the operation if a combination only adds or only multiplies its two sides, in f16 or
    /// bf16; `None` otherwise.
    fn narrow_sum(&self, combination: &Combination, value: ValueId) -> Option<Sum> {
        let (narrow, _) = self.b.ty(value).as_number_tile()?;
        if !matches!(narrow, Scalar::F16 | Scalar::BF16) {
            return None;
        }
        let mut id = combination.value;
        while let ExprKind::Block(Block { stmts, tail }) = &self.kernel.expr(id).kind
            && stmts.is_empty()
        {
            id = (*tail)?;
        }
        let (opcode, lhs, rhs) = match self.kernel.expr(id).kind {
            ExprKind::Binary(BinaryOp::Add, lhs, rhs) => (FloatOp::AddF, lhs, rhs),
            ExprKind::Binary(BinaryOp::Mul, lhs, rhs) => (FloatOp::MulF, lhs, rhs),
            _ => return None,
        };
        let local = |id: ExprId| match self.kernel.expr(id).kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        };
        let (lhs, rhs) = (local(lhs)?, local(rhs)?);
        let Combination { left, right, .. } = *combination;
        let both = (lhs, rhs) == (left, right) || (rhs, lhs) == (left, right);
        both.then_some(Sum { opcode, narrow })
    }

    fn float_cast(&mut self, value: ValueId, to: Scalar, loc: Loc) -> ValueId {
        self.b.convert(ConversionOp::FToF, value, to, None, loc)
    }

    fn reduce_sum(&mut self, value: ValueId, sum: &Sum, loc: Loc) {
        let value = self.float_cast(value, Scalar::F32, loc);
        let outer = self.b.block();
        let both = self.reduction(value, loc);
        let combined = self.b.like_first(sum.opcode, &both, loc);
        let end = self.b.op(LoopOp::ReduceReturn, loc);
        end.operand("result", combined).finish();
        self.b.set_block(outer);
    }

    fn reduce_tokens(&mut self, token: ValueId, loc: Loc) {
        let outer = self.b.block();
        let both = self.reduction(token, loc);
        let joined = self
            .b
            .op(MemoryOp::JoinTokens, loc)
            .operands("tokens", &both)
            .result(Type::token())
            .finish_value();
        let end = self.b.op(LoopOp::ReduceReturn, loc);
        end.operand("result", joined).finish();
        self.b.set_block(outer);
    }
}
