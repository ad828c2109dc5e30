//! Traversal of expressions: their parts in the order of evaluation, their effects and their jumps.

use super::{Adapter, Block, Expr, ExprId, ExprKind, Kernel, LocalId, Stmt, TargetId, TileOp};
use std::collections::BTreeSet;

/// A part of an expression.
pub(crate) enum Part<'e> {
    /// An operand.
    Expr(ExprId),
    /// A block.
    Block(&'e Block),
}

/// The continuation of code that does not fall through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Jump {
    /// After the target.
    Exit(TargetId),
    /// At the next iteration of the target.
    Continue(TargetId),
}

impl ExprKind {
    /// Returns every part, in order.
    pub(crate) fn parts(&self) -> Vec<Part<'_>> {
        let each =
            |ids: &[ExprId]| -> Vec<Part<'_>> { ids.iter().copied().map(Part::Expr).collect() };
        match self {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Iota
            | ExprKind::BlockId(_)
            | ExprKind::NumBlocks(_)
            | ExprKind::Continue(_)
            | ExprKind::Error => Vec::new(),
            ExprKind::Unary(_, a)
            | ExprKind::Cast(a)
            | ExprKind::Stretch(a)
            | ExprKind::Reshape(a)
            | ExprKind::Permute(a, _)
            | ExprKind::Reduce(_, a, _)
            | ExprKind::Dim(a, _)
            | ExprKind::NumTiles(a, _)
            | ExprKind::Partition(a)
            | ExprKind::Assign(_, a)
            | ExprKind::Field(a, _) => each(&[*a]),
            ExprKind::Binary(_, a, b) | ExprKind::ShortCircuit(_, a, b) => each(&[*a, *b]),
            ExprKind::Select(a, b, c) | ExprKind::Mma(a, b, c) => each(&[*a, *b, *c]),
            ExprKind::Math(_, args) | ExprKind::Tuple(args) => each(args),
            ExprKind::Load(view, index) => {
                let mut parts = each(&[*view]);
                parts.extend(each(index));
                parts
            }
            ExprKind::Store(view, index, tile) => {
                let mut parts = each(&[*view]);
                parts.extend(each(index));
                parts.extend(each(&[*tile]));
                parts
            }
            ExprKind::Memory(memory) => each(&memory.operands()),
            ExprKind::Parallel(parallel) => {
                let mut parts = each(parallel.init.as_slice());
                for ends in &parallel.ranges {
                    parts.extend(each(ends));
                }
                parts.extend(each(&[parallel.body]));
                parts.extend(parallel.combine.iter().map(|it| Part::Expr(it.value)));
                parts
            }
            ExprKind::Op(op) => {
                let mut parts = each(&op.children());
                if let TileOp::Fold(fold) = op {
                    parts.push(Part::Block(&fold.body));
                }
                parts
            }
            ExprKind::Block(block) | ExprKind::Loop(_, block) | ExprKind::Breakable(_, block) => {
                vec![Part::Block(block)]
            }
            ExprKind::If(cond, then, other) => {
                let mut parts = vec![Part::Expr(*cond), Part::Block(then)];
                parts.extend(other.as_ref().map(Part::Block));
                parts
            }
            ExprKind::For { range, body, .. } => {
                let mut parts = each(&[range.low, range.high]);
                for adapter in &range.adapters {
                    match adapter {
                        Adapter::Rev => {}
                        Adapter::StepBy(step) => parts.push(Part::Expr(*step)),
                    }
                }
                parts.push(Part::Block(body));
                parts
            }
            ExprKind::Exit(_, value) => value.iter().copied().map(Part::Expr).collect(),
        }
    }

    /// Returns `true` if the expression itself, apart from its parts, has an effect besides its
    /// value.
    pub(crate) fn has_effect(&self) -> bool {
        match self {
            ExprKind::Memory(memory) => memory.has_effect(),
            ExprKind::Op(op) => op.has_effect(),
            ExprKind::Store(..)
            | ExprKind::Assign(..)
            | ExprKind::Exit(..)
            | ExprKind::Continue(_)
            | ExprKind::Error => true,
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::ShortCircuit(..)
            | ExprKind::Cast(_)
            | ExprKind::Stretch(_)
            | ExprKind::Reshape(_)
            | ExprKind::Permute(..)
            | ExprKind::Math(..)
            | ExprKind::Reduce(..)
            | ExprKind::Iota
            | ExprKind::Select(..)
            | ExprKind::Mma(..)
            | ExprKind::BlockId(_)
            | ExprKind::NumBlocks(_)
            | ExprKind::Dim(..)
            | ExprKind::NumTiles(..)
            | ExprKind::Partition(_)
            | ExprKind::Load(..)
            | ExprKind::Tuple(_)
            | ExprKind::Field(..)
            | ExprKind::Block(_)
            | ExprKind::If(..)
            | ExprKind::For { .. }
            | ExprKind::Loop(..)
            | ExprKind::Parallel(_)
            | ExprKind::Breakable(..) => false,
        }
    }
}

/// Calls `visit` with an expression and all expressions in it, in pre-order.
pub(crate) fn each_expr(exprs: &[Expr], id: ExprId, visit: &mut impl FnMut(ExprId, &Expr)) {
    let expr = &exprs[id.index()];
    visit(id, expr);
    for part in expr.kind.parts() {
        match part {
            Part::Expr(part) => each_expr(exprs, part, visit),
            Part::Block(block) => each_in_block(exprs, block, visit),
        }
    }
}

/// Applies [`each_expr`] to every expression in a block.
pub(crate) fn each_in_block(exprs: &[Expr], block: &Block, visit: &mut impl FnMut(ExprId, &Expr)) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Bind(_, value) | Stmt::Expr(value) => each_expr(exprs, *value, visit),
            Stmt::Declare(_) => {}
        }
    }
    if let Some(tail) = block.tail {
        each_expr(exprs, tail, visit);
    }
}

/// The jumps that leave a piece of code, and the variables that the code assigns.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Its continuations other than falling through.
    pub(crate) jumps: BTreeSet<Jump>,
    /// The variables that it may assign.
    pub(crate) assigned: BTreeSet<LocalId>,
}

impl Outcome {
    /// Computes the outcome of an expression.
    pub(crate) fn from_expr(exprs: &[Expr], id: ExprId) -> Outcome {
        let mut outcome = Outcome::default();
        let mut targets = BTreeSet::new();
        each_expr(exprs, id, &mut |_, expr| {
            outcome.add(&expr.kind, &mut targets);
        });
        outcome.without(&targets)
    }

    /// Computes the outcome of a block.
    pub(crate) fn from_block(exprs: &[Expr], block: &Block) -> Outcome {
        let mut outcome = Outcome::default();
        let mut targets = BTreeSet::new();
        each_in_block(exprs, block, &mut |_, expr| {
            outcome.add(&expr.kind, &mut targets);
        });
        outcome.without(&targets)
    }

    fn add(&mut self, kind: &ExprKind, targets: &mut BTreeSet<TargetId>) {
        match kind {
            ExprKind::Exit(target, _) => {
                self.jumps.insert(Jump::Exit(*target));
            }
            ExprKind::Continue(target) => {
                self.jumps.insert(Jump::Continue(*target));
            }
            ExprKind::Assign(local, _) => {
                self.assigned.insert(*local);
            }
            ExprKind::Loop(target, _)
            | ExprKind::Breakable(target, _)
            | ExprKind::For { target, .. } => {
                targets.insert(*target);
            }
            _ => {}
        }
    }

    fn without(mut self, targets: &BTreeSet<TargetId>) -> Outcome {
        self.jumps.retain(|jump| match jump {
            Jump::Exit(target) | Jump::Continue(target) => !targets.contains(target),
        });
        self
    }
}

impl Kernel {
    /// Returns `true` if the code after a block is unreachable.
    pub(crate) fn diverges(&self, block: &Block) -> bool {
        let never = |id: &ExprId| self.expr(*id).ty == super::Ty::Never;
        block.tail.iter().any(never)
            || block.stmts.iter().any(|stmt| match stmt {
                Stmt::Bind(_, value) | Stmt::Expr(value) => never(value),
                Stmt::Declare(_) => false,
            })
    }
}
