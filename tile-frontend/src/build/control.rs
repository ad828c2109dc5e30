//! Builds blocks and branches with the values they carry: variables that are assigned inside and
//! live outside, and tokens of tensors that are accessed inside.

use super::memory::Access;
use super::{Build, Val, tile_type};
use crate::hir::signature::HostScalar;
use crate::hir::walk::{self, Jump, Outcome};
use crate::hir::{Block, ExprId, ExprKind, LocalId, Stmt, Ty};
use crate::parse::ast::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};
use tile_core::Loc;
use tile_core::ir::ValueId;
use tile_core::ops::{BitwiseOp, ControlFlowOp, LoopOp, Opcode};
use tile_core::types::{Scalar, Type};

/// The assignments and accesses of a piece of code, and the jumps that may leave it.
#[derive(Default)]
pub(super) struct Effects {
    assigned: BTreeSet<LocalId>,
    pub(super) accessed: BTreeMap<usize, Access>,
    pub(super) jumps: BTreeSet<Jump>,
}

/// The values that a branch or loop carries besides its own value.
pub(super) struct Carried {
    locals: Vec<LocalId>,
    tokens: Vec<(usize, Access)>,
}

pub(super) fn flatten(val: &Val, values: &mut Vec<ValueId>) {
    match val {
        Val::Tile(value) => values.push(*value),
        Val::Tuple(parts) => parts.iter().for_each(|part| flatten(part, values)),
        Val::View => {
            unreachable!("checking keeps tensors and partitions out of variables that change")
        }
    }
}

pub(super) fn flat_types(ty: &Ty, types: &mut Vec<Type>) {
    match ty {
        Ty::Tuple(parts) => parts.iter().for_each(|part| flat_types(part, types)),
        other => types.push(tile_type(other)),
    }
}

pub(super) fn rebuild(ty: &Ty, values: &mut impl Iterator<Item = ValueId>) -> Val {
    match ty {
        Ty::Tuple(parts) => Val::Tuple(parts.iter().map(|part| rebuild(part, values)).collect()),
        _ => Val::Tile(values.next().expect("one value per type")),
    }
}

impl<'k> Build<'k, '_> {
    pub(super) fn block(&mut self, block: &'k Block) -> Val {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Bind(local, value) => {
                    let value = self.expr(*value);
                    self.locals[local.index()] = Some(value);
                }
                Stmt::Expr(value) => {
                    self.expr(*value);
                }
                Stmt::Declare(local) => {
                    // Checking made sure that this value is never read, but branches and loops that
                    // assign the variable carry it.
                    let variable = self.kernel.local(*local);
                    let value = self.placeholder(&variable.ty, variable.loc);
                    self.locals[local.index()] = Some(value);
                }
            }
            if self.left {
                return Val::Tuple(Vec::new());
            }
        }
        block
            .tail
            .map_or_else(|| Val::Tuple(Vec::new()), |tail| self.expr(tail))
    }

    pub(super) fn block_effects(&self, block: &Block) -> Effects {
        let mut effects = Effects::default();
        let outcome = Outcome::from_block(&self.kernel.exprs, block);
        walk::each_in_block(&self.kernel.exprs, block, &mut |_, expr| {
            self.access(&expr.kind, &mut effects);
        });
        effects.assigned = outcome.assigned;
        effects.jumps = outcome.jumps;
        effects
    }

    pub(super) fn expr_effects(&self, id: ExprId) -> Effects {
        let mut effects = Effects::default();
        let outcome = Outcome::from_expr(&self.kernel.exprs, id);
        walk::each_expr(&self.kernel.exprs, id, &mut |_, expr| {
            self.access(&expr.kind, &mut effects);
        });
        effects.assigned = outcome.assigned;
        effects.jumps = outcome.jumps;
        effects
    }

    fn access(&self, kind: &ExprKind, effects: &mut Effects) {
        if let Some((chain, access)) = self.touched(kind) {
            let entry = effects.accessed.entry(chain).or_insert(access);
            *entry = (*entry).max(access);
        }
        if let ExprKind::Memory(memory) = kind
            && memory.acquires()
        {
            let chains = self.tokens.keys();
            effects
                .accessed
                .extend(chains.map(|&chain| (chain, Access::Store)));
        }
    }

    /// Returns the values that code with these effects carries. An assigned variable is carried
    /// only if it is live.
    pub(super) fn carried(&self, effects: Effects) -> Carried {
        let Effects {
            assigned,
            accessed,
            jumps: _,
        } = effects;
        Carried {
            locals: assigned
                .into_iter()
                .filter(|local| self.locals[local.index()].is_some())
                .collect(),
            tokens: accessed.into_iter().collect(),
        }
    }

    pub(super) fn carried_values(&mut self, carried: &Carried, loc: Loc) -> Vec<ValueId> {
        let mut values = Vec::new();
        for &local in &carried.locals {
            flatten(&self.read(local), &mut values);
        }
        for &(param, _) in &carried.tokens {
            values.push(self.carried_token(param, loc));
        }
        values
    }

    pub(super) fn set_carried(&mut self, carried: &Carried, values: &[ValueId]) {
        let mut values = values.iter().copied();
        for &local in &carried.locals {
            let val = rebuild(&self.kernel.local(local).ty, &mut values);
            self.locals[local.index()] = Some(val);
        }
        for &(param, access) in &carried.tokens {
            let token = values.next().expect("one value per carried variable");
            self.resume(param, access, token);
        }
    }

    /// Builds an `if` with a value of type `ty`. Each branch is a closure that runs with the
    /// insertion point in its block.
    fn branch(
        &mut self,
        cond: ValueId,
        effects: Effects,
        ty: &Ty,
        loc: Loc,
        branches: [&mut dyn FnMut(&mut Self) -> Val; 2],
    ) -> Val {
        let structured = effects.jumps.is_empty();
        let carried = self.carried(effects);
        let mut types = Vec::new();
        flat_types(ty, &mut types);
        let own_values = types.len();
        types.extend(self.carried_types(&carried));
        // No jump leaves the branches, so an `if` of the dialect `loop` is sufficient.
        let opcode: Opcode = if structured {
            LoopOp::If.into()
        } else {
            ControlFlowOp::If.into()
        };
        let op = self
            .b
            .op(opcode, loc)
            .operand("condition", cond)
            .results(&types)
            .finish();
        let outer = self.b.block();
        let locals = self.locals.clone();
        let tokens = self.save_tokens();
        for branch in branches {
            let block = self.b.add_region_block(op);
            self.b.set_block(block);
            self.locals.clone_from(&locals);
            self.tokens.clone_from(&tokens);
            let val = branch(self);
            if std::mem::take(&mut self.left) {
                continue;
            }
            let mut values = Vec::new();
            flatten(&val, &mut values);
            values.extend(self.carried_values(&carried, loc));
            if structured {
                self.yields(&values, loc);
            } else {
                self.b.terminate(ControlFlowOp::Yield, &values, loc);
            }
        }
        self.b.set_block(outer);
        self.locals = locals;
        self.tokens = tokens;
        let results: Vec<ValueId> = self.b.module().op(op).results.to_vec();
        self.set_carried(&carried, &results[own_values..]);
        rebuild(ty, &mut results[..own_values].iter().copied())
    }

    /// Builds an `if` around code that always jumps out. The code after the `if` continues with the
    /// variables and tokens from before it.
    pub(super) fn leave_if(&mut self, cond: ValueId, loc: Loc, code: &mut dyn FnMut(&mut Self)) {
        let op = self
            .b
            .op(ControlFlowOp::If, loc)
            .operand("condition", cond)
            .finish();
        let outer = self.b.block();
        let locals = self.locals.clone();
        let tokens = self.save_tokens();
        let block = self.b.add_region_block(op);
        self.b.set_block(block);
        code(self);
        assert!(
            std::mem::take(&mut self.left),
            "the type says that the code leaves"
        );
        // The region of `else` is empty.
        self.b.module().add_region(op);
        self.b.set_block(outer);
        self.locals = locals;
        self.tokens = tokens;
    }

    /// Ends a branch or an iteration.
    pub(super) fn yields(&mut self, values: &[ValueId], loc: Loc) {
        let end = self.b.op(LoopOp::Yield, loc);
        end.operands("results", values).finish();
    }

    pub(super) fn carried_types(&self, carried: &Carried) -> Vec<Type> {
        let mut types = Vec::new();
        for &local in &carried.locals {
            flat_types(&self.kernel.local(local).ty, &mut types);
        }
        types.extend(carried.tokens.iter().map(|_| Type::token()));
        types
    }

    pub(super) fn not(&mut self, value: ValueId, loc: Loc) -> ValueId {
        let yes = self.b.splat(Scalar::I1, 1, &[], loc);
        self.b.like_first(BitwiseOp::XorI, &[value, yes], loc)
    }

    pub(super) fn conditional(
        &mut self,
        cond: ExprId,
        then: &'k Block,
        other: Option<&'k Block>,
        ty: &Ty,
        loc: Loc,
    ) -> Val {
        let cond = self.tile(cond);
        if self.kernel.diverges(then) {
            self.leave_if(cond, loc, &mut |build| {
                build.block(then);
            });
            return other.map_or_else(|| Val::Tuple(Vec::new()), |other| self.block(other));
        }
        if let Some(other) = other
            && self.kernel.diverges(other)
        {
            let cond = self.not(cond, loc);
            self.leave_if(cond, loc, &mut |build| {
                build.block(other);
            });
            return self.block(then);
        }
        let mut effects = self.block_effects(then);
        if let Some(other) = other {
            let more = self.block_effects(other);
            effects.assigned.extend(more.assigned);
            effects.jumps.extend(more.jumps);
            for (param, access) in more.accessed {
                let entry = effects.accessed.entry(param).or_insert(access);
                *entry = (*entry).max(access);
            }
        }
        self.branch(
            cond,
            effects,
            ty,
            loc,
            [&mut |build| build.block(then), &mut |build| {
                other.map_or_else(|| Val::Tuple(Vec::new()), |other| build.block(other))
            }],
        )
    }

    /// Builds `lhs && rhs` as `if lhs { rhs } else { false }`, and `||` likewise.
    pub(super) fn short_circuit(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        loc: Loc,
    ) -> ValueId {
        let lhs = self.tile(lhs);
        let decided = u64::from(op == BinaryOp::Or);
        if *self.ty(rhs) == Ty::Never {
            let is_then_branch = match op {
                BinaryOp::Or => self.not(lhs, loc),
                _ => lhs,
            };
            self.leave_if(is_then_branch, loc, &mut |build| {
                build.expr(rhs);
            });
            return self.b.splat(Scalar::I1, decided, &[], loc);
        }
        let effects = self.expr_effects(rhs);
        let ty = Ty::scalar(HostScalar::Bool);
        let mut right = |build: &mut Self| build.expr(rhs);
        let mut left = |build: &mut Self| Val::Tile(build.b.splat(Scalar::I1, decided, &[], loc));
        let val = match op {
            BinaryOp::Or => self.branch(lhs, effects, &ty, loc, [&mut left, &mut right]),
            _ => self.branch(lhs, effects, &ty, loc, [&mut right, &mut left]),
        };
        match val {
            Val::Tile(value) => value,
            other => unreachable!("a `bool` is one value, found {other:?}"),
        }
    }
}
