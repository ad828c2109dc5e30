//! Stores and atomic operations: the elements of a tensor that an access names.

use super::super::disjoint::{Place, Span};
use super::super::is_atomic;
use super::super::number::Number;
use super::{Access, Follow, Mode, Stored, Value, is_uniform};
use crate::hir::walk::each_expr;
use crate::hir::{ExprId, ExprKind, Memory, PartitionTy, Ty, ViewLayout};
use crate::parse::ast::BinaryOp;

impl Follow<'_> {
    /// Executes a store of a tile, and records it unless the author vouches for it.
    pub(super) fn store_tile(&mut self, id: ExprId, view: ExprId, index: &[ExprId], value: ExprId) {
        self.expr(view);
        let numbers: Vec<Number> = index.iter().map(|&entry| self.number(entry)).collect();
        self.expr(value);
        if !self.vouched.contains(&id)
            && let Ty::Partition(view) = &self.kernel.expr(view).ty
        {
            self.store(id, view, &numbers);
        }
    }

    /// Executes a load of a tile.
    pub(super) fn load_tile(&mut self, id: ExprId, view: ExprId, index: &[ExprId]) -> Value {
        self.expr(view);
        let uniform = index
            .iter()
            .map(|&entry| self.number(entry))
            .fold(true, |is_uniform, number| is_uniform & number.is_uniform());
        let shared = self.kernel.expr(view).ty.tensor();
        let shared = shared.is_some_and(|tensor| !tensor.mutable);
        self.unknown(&self.kernel.expr(id).ty, uniform && shared)
    }

    /// Executes an operation on memory, and records it if it is atomic.
    pub(super) fn memory(&mut self, id: ExprId, memory: &Memory) -> Value {
        let expr = self.kernel.expr(id);
        let operands = memory.operands();
        let mut uniform = true;
        let mut numbers = Vec::new();
        for &operand in &operands {
            let value = self.expr(operand);
            uniform &= is_uniform(&value);
            numbers.push(value);
        }
        let base = operands
            .first()
            .and_then(|&base| self.kernel.expr(base).ty.tensor());
        if is_atomic(memory)
            && let Some(tensor) = base
            && self.mode == Mode::Note
        {
            let spans = match memory {
                Memory::AtomicTile { view, index, .. } => match &self.kernel.expr(*view).ty {
                    Ty::Partition(view) => {
                        let numbers: Vec<Number> =
                            index.iter().map(|&entry| self.pure(entry)).collect();
                        spans(view, &numbers)
                    }
                    _ => vec![Span::anywhere(); tensor.rank],
                },
                Memory::Atomic { index, .. } => {
                    index.iter().map(|&entry| self.elements(entry)).collect()
                }
                _ => vec![Span::anywhere(); tensor.rank],
            };
            self.stores.push(Stored {
                expr: id,
                param: tensor.param,
                access: Access::Atomic,
                place: self.place(spans),
            });
        }
        let constant = match memory {
            Memory::Gather { .. } | Memory::Window { .. } => {
                base.is_some_and(|tensor| !tensor.mutable)
            }
            Memory::Stride(..) | Memory::Address(_) => true,
            Memory::Offset(..) | Memory::Repeat(_) => true,
            Memory::Scatter { .. }
            | Memory::Atomic { .. }
            | Memory::AtomicTile { .. }
            | Memory::Read { .. }
            | Memory::Write { .. }
            | Memory::AtomicPointer { .. }
            | Memory::Fence { .. } => false,
        };
        self.unknown(&expr.ty, uniform && constant)
    }

    pub(super) fn store(&mut self, id: ExprId, view: &PartitionTy, index: &[Number]) {
        if self.mode == Mode::Try {
            return;
        }
        self.stores.push(Stored {
            expr: id,
            param: view.tensor.param,
            access: Access::Store,
            place: self.place(spans(view, index)),
        });
    }

    pub(super) fn place(&self, spans: Vec<Span>) -> Place {
        Place {
            spans,
            fixed: self.fixed.clone(),
            under: self.under.clone(),
            points: self.points.clone(),
            around: self.around.clone(),
        }
    }

    /// Evaluates an expression a second time, unless it has side effects.
    pub(super) fn pure(&mut self, id: ExprId) -> Number {
        let mut effect = false;
        each_expr(&self.kernel.exprs, id, &mut |_, part| {
            effect |= part.kind.has_effect() || matches!(part.kind, ExprKind::Assign(..));
        });
        if effect {
            return self.fresh(false);
        }
        self.number(id)
    }

    /// Returns the elements along an axis that a tile of indices selects.
    pub(super) fn elements(&mut self, id: ExprId) -> Span {
        let expr = self.kernel.expr(id);
        let one = match &expr.ty {
            Ty::Tile(_, shape) => shape.iter().all(|&extent| extent == 1),
            _ => false,
        };
        match &expr.kind {
            ExprKind::Iota => Span {
                start: Some(Number::default()),
                step: 1,
                len: match &expr.ty {
                    Ty::Tile(_, shape) => shape.iter().product(),
                    _ => return Span::anywhere(),
                },
            },
            ExprKind::Stretch(value) if self.scalar(*value).is_some() => Span {
                start: Some(self.pure(*value)),
                ..Span::anywhere()
            },
            ExprKind::Binary(BinaryOp::Add, lhs, rhs) => {
                let (left, right) = (self.elements(*lhs), self.elements(*rhs));
                match (left.start, right.start) {
                    (Some(one), Some(other)) => Span {
                        start: Some(self.wrapped(id, one.plus(&other))),
                        step: 1,
                        len: left.len + right.len - 1,
                    },
                    _ => Span::anywhere(),
                }
            }
            _ if one => Span {
                start: Some(self.pure(id)),
                ..Span::anywhere()
            },
            _ => Span::anywhere(),
        }
    }
}

/// Returns the number of elements between the starts of consecutive tiles.
pub(super) fn step(view: &PartitionTy, axis: usize) -> i64 {
    match &view.layout {
        ViewLayout::Partition => view.tile[axis],
        ViewLayout::Strided(steps) => steps[axis],
        ViewLayout::Gather(_) => 1,
    }
}

fn spans(view: &PartitionTy, index: &[Number]) -> Vec<Span> {
    let mut spans = vec![Span::anywhere(); view.tensor.rank];
    for (axis, number) in index.iter().enumerate() {
        spans[view.order[axis]] = Span {
            start: Some(number.clone()),
            step: step(view, axis),
            len: view.tile[axis],
        };
    }
    spans
}
