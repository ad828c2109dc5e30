//! Blocks, branches, loops, and what they carry: the variables that are
//! assigned inside and live outside, and the tokens of the tensors that are
//! accessed inside.

use super::memory::Access;
use super::{Build, Val, tile_type};
use crate::hir::signature::HostScalar;
use crate::hir::{Block, ExprId, ExprKind, LocalId, Stmt, Ty};
use crate::parse::ast::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};
use tile_core::Loc;
use tile_core::ir::ValueId;
use tile_core::ops::{ConversionOp, LoopOp};
use tile_core::types::{Scalar, Type};

/// What a piece of code assigns and accesses.
#[derive(Default)]
struct Effects {
    assigned: BTreeSet<LocalId>,
    accessed: BTreeMap<usize, Access>,
}

/// What a branch or loop hands on besides its value.
struct Carried {
    locals: Vec<LocalId>,
    tokens: Vec<(usize, Access)>,
}

fn flatten(val: &Val, values: &mut Vec<ValueId>) {
    match val {
        Val::Tile(value) => values.push(*value),
        Val::Tuple(parts) => parts.iter().for_each(|part| flatten(part, values)),
        Val::View => {
            unreachable!("checking keeps tensors and partitions out of variables that change")
        }
    }
}

fn flat_types(ty: &Ty, types: &mut Vec<Type>) {
    match ty {
        Ty::Tuple(parts) => parts.iter().for_each(|part| flat_types(part, types)),
        other => types.push(tile_type(other)),
    }
}

fn rebuild(ty: &Ty, values: &mut impl Iterator<Item = ValueId>) -> Val {
    match ty {
        Ty::Tuple(parts) => Val::Tuple(parts.iter().map(|part| rebuild(part, values)).collect()),
        _ => Val::Tile(values.next().expect("as many values as types")),
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
            }
        }
        block
            .tail
            .map_or_else(|| Val::Tuple(Vec::new()), |tail| self.expr(tail))
    }

    fn block_effects(&self, block: &Block, effects: &mut Effects) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Bind(_, value) | Stmt::Expr(value) => self.effects(*value, effects),
            }
        }
        if let Some(tail) = block.tail {
            self.effects(tail, effects);
        }
    }

    fn access(&self, view: ExprId, access: Access, effects: &mut Effects) {
        let Ty::Partition(partition) = self.ty(view) else {
            unreachable!("checking made sure of a partition");
        };
        if partition.tensor.mutable {
            let entry = effects
                .accessed
                .entry(partition.tensor.param)
                .or_insert(access);
            *entry = (*entry).max(access);
        }
    }

    fn effects(&self, id: ExprId, effects: &mut Effects) {
        let mut each = |ids: &[ExprId]| ids.iter().for_each(|&id| self.effects(id, effects));
        match &self.kernel.expr(id).kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Iota
            | ExprKind::BlockId(_)
            | ExprKind::NumBlocks(_)
            | ExprKind::Error => {}
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a)
            | ExprKind::Stretch(a)
            | ExprKind::Reshape(a)
            | ExprKind::Permute(a, _)
            | ExprKind::Reduce(_, a, _)
            | ExprKind::Dim(a, _)
            | ExprKind::NumTiles(a, _)
            | ExprKind::Partition(a)
            | ExprKind::Field(a, _) => each(&[*a]),
            ExprKind::Binary(_, a, b) | ExprKind::ShortCircuit(_, a, b) => each(&[*a, *b]),
            ExprKind::Select(a, b, c) | ExprKind::Mma(a, b, c) => each(&[*a, *b, *c]),
            ExprKind::Math(_, args) | ExprKind::Tuple(args) => each(args),
            ExprKind::Op(op) => each(&op.children()),
            ExprKind::Load(view, index) => {
                each(&[*view]);
                each(index);
                self.access(*view, Access::Load, effects);
            }
            ExprKind::Store(view, index, tile) => {
                each(&[*view, *tile]);
                each(index);
                self.access(*view, Access::Store, effects);
            }
            ExprKind::Block(block) => self.block_effects(block, effects),
            ExprKind::If(cond, then, other) => {
                each(&[*cond]);
                self.block_effects(then, effects);
                if let Some(other) = other {
                    self.block_effects(other, effects);
                }
            }
            ExprKind::For {
                low, high, body, ..
            } => {
                each(&[*low, *high]);
                self.block_effects(body, effects);
            }
            ExprKind::Assign(local, value) => {
                each(&[*value]);
                effects.assigned.insert(*local);
            }
        }
    }

    /// Of what is assigned, only what already lives is carried.
    fn carried(&self, effects: Effects) -> Carried {
        let Effects { assigned, accessed } = effects;
        Carried {
            locals: assigned
                .into_iter()
                .filter(|local| self.locals[local.index()].is_some())
                .collect(),
            tokens: accessed.into_iter().collect(),
        }
    }

    fn carried_values(&mut self, carried: &Carried, loc: Loc) -> Vec<ValueId> {
        let mut values = Vec::new();
        for &local in &carried.locals {
            flatten(&self.read(local), &mut values);
        }
        for &(param, _) in &carried.tokens {
            values.push(self.carried_token(param, loc));
        }
        values
    }

    fn set_carried(&mut self, carried: &Carried, values: &[ValueId]) {
        let mut values = values.iter().copied();
        for &local in &carried.locals {
            let val = rebuild(&self.kernel.local(local).ty, &mut values);
            self.locals[local.index()] = Some(val);
        }
        for &(param, access) in &carried.tokens {
            let token = values.next().expect("as many values as were carried");
            self.resume(param, access, token);
        }
    }

    /// `if` with a value of the type `ty`. Each branch is code that runs with
    /// the insertion point in its block.
    fn branch(
        &mut self,
        cond: ValueId,
        effects: Effects,
        ty: &Ty,
        loc: Loc,
        branches: [&mut dyn FnMut(&mut Self) -> Val; 2],
    ) -> Val {
        let carried = self.carried(effects);
        let mut types = Vec::new();
        flat_types(ty, &mut types);
        let own = types.len();
        types.extend(self.carried_types(&carried));
        let op = self
            .b
            .op(LoopOp::If, loc)
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
            let mut values = Vec::new();
            flatten(&val, &mut values);
            values.extend(self.carried_values(&carried, loc));
            self.yields(&values, loc);
        }
        self.b.set_block(outer);
        self.locals = locals;
        self.tokens = tokens;
        let results: Vec<ValueId> = self.b.module().op(op).results.to_vec();
        self.set_carried(&carried, &results[own..]);
        rebuild(ty, &mut results[..own].iter().copied())
    }

    /// Ends a branch, or an iteration.
    fn yields(&mut self, values: &[ValueId], loc: Loc) {
        let end = self.b.op(LoopOp::Yield, loc);
        end.operands("results", values).finish();
    }

    fn carried_types(&self, carried: &Carried) -> Vec<Type> {
        let mut types = Vec::new();
        for &local in &carried.locals {
            flat_types(&self.kernel.local(local).ty, &mut types);
        }
        types.extend(carried.tokens.iter().map(|_| Type::token()));
        types
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
        let mut effects = Effects::default();
        self.block_effects(then, &mut effects);
        if let Some(other) = other {
            self.block_effects(other, &mut effects);
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

    /// `lhs && rhs` is `if lhs { rhs } else { false }`.
    pub(super) fn short_circuit(
        &mut self,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        loc: Loc,
    ) -> ValueId {
        let lhs = self.tile(lhs);
        let mut effects = Effects::default();
        self.effects(rhs, &mut effects);
        let ty = Ty::scalar(HostScalar::Bool);
        let mut right = |build: &mut Self| build.expr(rhs);
        let decided = u64::from(op == BinaryOp::Or);
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

    pub(super) fn for_loop(
        &mut self,
        local: LocalId,
        low: ExprId,
        high: ExprId,
        inclusive: bool,
        body: &'k Block,
        loc: Loc,
    ) {
        let scalar = self.element(low);
        let mut low = self.tile(low);
        let mut high = self.tile(high);
        let mut counter = scalar;
        if inclusive {
            // Checking left only types of at most 32 bits: one above their
            // greatest value is a number of 64 bits.
            counter = HostScalar::I64;
            low = self.cast(low, scalar, counter, loc);
            high = self.cast(high, scalar, counter, loc);
            let one = self.integer(counter, 1, loc);
            high = self
                .b
                .wrapping(tile_core::ops::IntegerOp::AddI, &[high, one], loc);
        }
        let step = self.integer(counter, 1, loc);
        let mut effects = Effects::default();
        self.block_effects(body, &mut effects);
        let carried = self.carried(effects);
        let init = self.carried_values(&carried, loc);
        let types = self.carried_types(&carried);
        let op = self
            .b
            .op(LoopOp::For, loc)
            .operand("lowerBound", low)
            .operand("upperBound", high)
            .operand("step", step)
            .operands("initArgs", &init)
            .flag("unsignedCmp", !counter.is_signed())
            .results(&types)
            .finish();
        let outer = self.b.block();
        let locals = self.locals.clone();
        let tokens = self.save_tokens();
        let block = self.b.add_region_block(op);
        let counter_loc = self.kernel.local(local).loc;
        let module = self.b.module();
        let induction = module.add_block_arg(block, Type::scalar(counter.scalar()), counter_loc);
        let args: Vec<ValueId> = types
            .iter()
            .map(|&ty| module.add_block_arg(block, ty, loc))
            .collect();
        self.b.set_block(block);
        let value = if inclusive && scalar.bits() < 64 {
            self.b.convert(
                ConversionOp::TruncI,
                induction,
                scalar.scalar(),
                None,
                counter_loc,
            )
        } else {
            induction
        };
        self.locals[local.index()] = Some(Val::Tile(value));
        self.set_carried(&carried, &args);
        self.block(body);
        let next = self.carried_values(&carried, loc);
        self.yields(&next, loc);
        self.b.set_block(outer);
        self.locals = locals;
        self.tokens = tokens;
        let results: Vec<ValueId> = self.b.module().op(op).results.to_vec();
        self.set_carried(&carried, &results);
    }
}
