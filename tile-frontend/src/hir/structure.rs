//! Removes jumps that structured control flow can express.
//!
//! In a checked kernel, a jump is removed if it is the last step of a construct and leads to the
//! end of that construct:
//!
//! ```text
//! if c { return; } rest          →  if c {} else { rest }
//! for i in .. { if c { continue; } rest }  →  for i in .. { if c {} else { rest } }
//! { if c { break 'block x } y }  →  if c { x } else { y }
//! ```
//!
//! Most kernels with early exits therefore have only `if` and `for` in their IR; `build` lowers the
//! remaining jumps. No code is duplicated.

use super::walk::{Jump, Outcome, Part};
use super::{Block, Expr, ExprId, ExprKind, Kernel, Stmt, Ty};

/// Removes the jumps that structured control flow can express.
pub(crate) fn structure(kernel: &mut Kernel) {
    let mut body = std::mem::take(&mut kernel.body);
    let mut pass = Structure {
        exprs: &mut kernel.exprs,
    };
    pass.block(&mut body, &[Jump::Exit(kernel.target)], &Ty::unit());
    kernel.body = body;
}

struct Structure<'k> {
    exprs: &'k mut Vec<Expr>,
}

impl Structure<'_> {
    fn never(&self, id: ExprId) -> bool {
        self.exprs[id.index()].ty == Ty::Never
    }

    /// Returns `true` if the code after the block is unreachable.
    fn diverges(&self, block: &Block) -> bool {
        let value = |stmt: &Stmt| match stmt {
            Stmt::Bind(_, value) | Stmt::Expr(value) => self.never(*value),
            Stmt::Declare(_) => false,
        };
        block.stmts.iter().any(value) || block.tail.is_some_and(|tail| self.never(tail))
    }

    /// Returns `true` if some path through the block ends in one of the jumps.
    fn ends_in(&self, block: &Block, ends: &[Jump]) -> bool {
        let last = block.tail.or_else(|| match block.stmts.last() {
            Some(Stmt::Expr(last)) => Some(*last),
            Some(Stmt::Bind(..) | Stmt::Declare(_)) | None => None,
        });
        let Some(last) = last else {
            return false;
        };
        match &self.exprs[last.index()].kind {
            ExprKind::Exit(target, _) => ends.contains(&Jump::Exit(*target)),
            ExprKind::Continue(target) => ends.contains(&Jump::Continue(*target)),
            ExprKind::Block(inner) => self.ends_in(inner, ends),
            ExprKind::If(_, then, other) => {
                self.ends_in(then, ends) || other.as_ref().is_some_and(|it| self.ends_in(it, ends))
            }
            _ => false,
        }
    }

    /// Rewrites a block with a value of type `ty`. The jumps `ends` have the same continuation as
    /// the end of the block.
    fn block(&mut self, block: &mut Block, ends: &[Jump], ty: &Ty) {
        self.cut(block);
        self.sink(block, ends, ty);
        for stmt in &block.stmts {
            match stmt {
                Stmt::Bind(_, value) | Stmt::Expr(value) => self.expr(*value),
                Stmt::Declare(_) => {}
            }
        }
        if let Some(tail) = block.tail {
            block.tail = self.tail(tail, ends, ty);
        }
    }

    /// Drops the statements after a diverging statement. Makes a last statement without a value the
    /// tail.
    fn cut(&mut self, block: &mut Block) {
        let end = block.stmts.iter().position(|stmt| match stmt {
            Stmt::Bind(_, value) | Stmt::Expr(value) => self.never(*value),
            Stmt::Declare(_) => false,
        });
        if let Some(end) = end {
            block.stmts.truncate(end + 1);
            block.tail = None;
        }
        let Some(Stmt::Expr(last)) = block.stmts.last() else {
            return;
        };
        let last = *last;
        let ty = &self.exprs[last.index()].ty;
        if block.tail.is_none() && (*ty == Ty::Never || *ty == Ty::unit()) {
            block.tail = Some(last);
            block.stmts.pop();
        }
    }

    /// Moves the statements after an `if`, one of whose branches jumps, into the other branch.
    fn sink(&mut self, block: &mut Block, ends: &[Jump], ty: &Ty) {
        let jump = block.stmts.iter().enumerate().find_map(|(index, stmt)| {
            let Stmt::Expr(id) = stmt else {
                return None;
            };
            let ExprKind::If(_, then, other) = &self.exprs[id.index()].kind else {
                return None;
            };
            let other_diverges = other.as_ref().is_some_and(|other| self.diverges(other));
            match (self.diverges(then), other_diverges) {
                (true, false) if self.ends_in(then, ends) => Some((index, *id, Side::Then)),
                (false, true)
                    if other
                        .as_ref()
                        .is_some_and(|other| self.ends_in(other, ends)) =>
                {
                    Some((index, *id, Side::Else))
                }
                _ => None,
            }
        });
        let Some((index, id, side)) = jump else {
            return;
        };
        let mut rest = block.stmts.split_off(index + 1);
        block.stmts.pop();
        let tail = block.tail.replace(id);
        let expr = &mut self.exprs[id.index()];
        expr.ty = ty.clone();
        let ExprKind::If(_, then, other) = &mut expr.kind else {
            unreachable!("an `if` was found");
        };
        let stays = match side {
            Side::Then => other.get_or_insert_default(),
            Side::Else => then,
        };
        if let Some(value) = stays.tail.take() {
            stays.stmts.push(Stmt::Expr(value));
        }
        stays.stmts.append(&mut rest);
        stays.tail = tail;
    }

    /// Rewrites the value of a block; returns `None` for `()`.
    fn tail(&mut self, id: ExprId, ends: &[Jump], ty: &Ty) -> Option<ExprId> {
        let kind = std::mem::replace(&mut self.exprs[id.index()].kind, ExprKind::Error);
        let kind = match kind {
            ExprKind::Exit(target, value) if ends.contains(&Jump::Exit(target)) => {
                let value = value?;
                return self.tail(value, ends, ty);
            }
            ExprKind::Continue(target) if ends.contains(&Jump::Continue(target)) => return None,
            ExprKind::Block(mut block) => {
                self.block(&mut block, ends, ty);
                self.exprs[id.index()].ty = self.type_of(&block, ty);
                ExprKind::Block(block)
            }
            ExprKind::If(cond, mut then, mut other) => {
                self.expr(cond);
                self.block(&mut then, ends, ty);
                if let Some(other) = &mut other {
                    self.block(other, ends, ty);
                }
                let diverges = self.diverges(&then)
                    && other.as_ref().is_some_and(|other| self.diverges(other));
                let ty = if diverges { Ty::Never } else { ty.clone() };
                self.exprs[id.index()].ty = ty;
                ExprKind::If(cond, then, other)
            }
            ExprKind::Breakable(target, mut block) => {
                let mut targets = ends.to_vec();
                targets.push(Jump::Exit(target));
                self.block(&mut block, &targets, ty);
                self.exprs[id.index()].ty = ty.clone();
                self.breakable(target, block)
            }
            other => {
                self.exprs[id.index()].kind = other;
                self.expr(id);
                return Some(id);
            }
        };
        self.exprs[id.index()].kind = kind;
        Some(id)
    }

    fn type_of(&self, block: &Block, ty: &Ty) -> Ty {
        if self.diverges(block) {
            Ty::Never
        } else {
            ty.clone()
        }
    }

    fn breakable(&self, target: super::TargetId, block: Block) -> ExprKind {
        let outcome = Outcome::from_block(self.exprs, &block);
        if outcome.jumps.contains(&Jump::Exit(target)) {
            ExprKind::Breakable(target, block)
        } else {
            ExprKind::Block(block)
        }
    }

    /// Rewrites an expression that is not the value of a block.
    fn expr(&mut self, id: ExprId) {
        let ty = self.exprs[id.index()].ty.clone();
        let kind = std::mem::replace(&mut self.exprs[id.index()].kind, ExprKind::Error);
        let kind = match kind {
            ExprKind::Block(mut block) => {
                self.block(&mut block, &[], &ty);
                ExprKind::Block(block)
            }
            ExprKind::If(cond, mut then, mut other) => {
                self.expr(cond);
                self.block(&mut then, &[], &ty);
                if let Some(other) = &mut other {
                    self.block(other, &[], &ty);
                }
                ExprKind::If(cond, then, other)
            }
            ExprKind::Loop(target, mut body) => {
                self.block(&mut body, &[Jump::Continue(target)], &Ty::unit());
                ExprKind::Loop(target, body)
            }
            ExprKind::For {
                target,
                local,
                range,
                mut body,
            } => {
                self.expr(range.low);
                self.expr(range.high);
                self.block(&mut body, &[Jump::Continue(target)], &Ty::unit());
                ExprKind::For {
                    target,
                    local,
                    range,
                    body,
                }
            }
            ExprKind::Breakable(target, mut block) => {
                self.block(&mut block, &[Jump::Exit(target)], &ty);
                self.breakable(target, block)
            }
            other => {
                let parts: Vec<ExprId> = other
                    .parts()
                    .iter()
                    .filter_map(|part| match part {
                        Part::Expr(id) => Some(*id),
                        Part::Block(_) => None,
                    })
                    .collect();
                for part in parts {
                    self.expr(part);
                }
                other
            }
        };
        self.exprs[id.index()].kind = kind;
    }
}

#[derive(Clone, Copy)]
enum Side {
    Then,
    Else,
}
