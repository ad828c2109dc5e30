//! Atomics on elements and tiles of tensors, and through pointers.

use super::Checker;
use super::calls::Callee;
use super::gather::Indices;
use super::names::nearest;
use super::types::Operand;
use crate::hir::signature::HostScalar;
use crate::hir::ty::{Padding, PaddingValue, shape_text};
use crate::hir::{
    AtomicOp, Elem, ExprId, ExprKind, Memory, PartitionTy, PointerTy, TensorTy, Ty, Update,
};
use crate::parse::ast;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};
use tile_core::ir::{MemoryOrdering, MemoryScope};

/// Orderings by their names in Rust.
const ORDERINGS: [(&str, MemoryOrdering); 4] = [
    ("Relaxed", MemoryOrdering::Relaxed),
    ("Acquire", MemoryOrdering::Acquire),
    ("Release", MemoryOrdering::Release),
    ("AcqRel", MemoryOrdering::AcqRel),
];

/// Scopes by their names.
const SCOPES: [(&str, MemoryScope); 3] = [
    ("Block", MemoryScope::TileBlock),
    ("Device", MemoryScope::Device),
    ("System", MemoryScope::System),
];

/// The arguments behind the operands.
struct Order {
    ordering: MemoryOrdering,
    scope: MemoryScope,
}

impl Checker<'_> {
    /// `y.atomic_add([i], tile)`
    pub(super) fn atomic(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        callee: &Callee<'_>,
        (op, operands): (AtomicOp, usize),
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let (own, order) = self.split_arguments(callee, 1 + operands, args, loc)?;
        let what = (op.name(), Indices::Tiles);
        let index = self.element_index(&own[0], tensor.rank, receiver, what);
        let written = &own[1..];
        let ids: Vec<ExprId> = written.iter().map(|arg| self.expr(arg)).collect();
        let order = self.order(order, op)?;
        self.writable(tensor, callee.name)?;
        self.atomic_element(op, tensor.element, callee)?;
        let (index, shape) = index?;
        let values: Option<Vec<ExprId>> = ids
            .iter()
            .zip(written)
            .map(|(&id, written)| self.element_operand((id, written), tensor, &shape, op.name()))
            .collect();
        let kind = Memory::Atomic {
            tensor: receiver.0,
            index,
            update: update(op, values?, &order),
        };
        let ty = Ty::Tile(Elem::Known(tensor.element), shape);
        Some(self.push(ExprKind::Memory(kind), ty, loc))
    }

    /// `p.atomic_add([i], tile)` on a partition or strided view.
    pub(super) fn atomic_tile(
        &mut self,
        receiver: Operand<'_>,
        view: &PartitionTy,
        callee: &Callee<'_>,
        (op, operands): (AtomicOp, usize),
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        if matches!(op, AtomicOp::Xchg | AtomicOp::Cas) {
            let tensor = &self.locals[view.tensor.param].name;
            let help = format!(
                "call it on the tensor, with element indices: `{tensor}.{}([indices], ..)`",
                op.name()
            );
            self.error(
                Diagnostic::error(
                    Code::UnknownName,
                    callee.name.loc,
                    format!("`{}` has no method `{}`", view.name(), op.name()),
                )
                .note("an atomic on a whole tile gives no old values back")
                .help(help),
            );
            return None;
        }
        let (own, order) = self.split_arguments(callee, 1 + operands, args, loc)?;
        let index = self.index(&own[0], view.tile.len(), receiver);
        let value = self.expr(&own[1]);
        let order = self.order(order, op)?;
        self.writable(&view.tensor, callee.name)?;
        self.atomic_element(op, view.tensor.element, callee)?;
        let expected = Ty::Tile(Elem::Known(view.tensor.element), view.tile.clone());
        let fits = self.expect(&expected, (value, &own[1]), || {
            format!("the view holds tiles of shape {}", shape_text(&view.tile))
        });
        if order.ordering != MemoryOrdering::Relaxed || order.scope == MemoryScope::System {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    loc,
                    "an atomic on a whole tile is relaxed, for a block or a device",
                )
                .help("leave the ordering out, or use element indices on the tensor itself"),
            );
            return None;
        }
        if view.padding != Padding::Named(PaddingValue::Zero) {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    loc,
                    "an atomic works on a view without `with_padding`",
                )
                .note("nothing is read beyond the edge, and what would be written there is dropped")
                .help("remove the `with_padding`"),
            );
            return None;
        }
        if !fits {
            return None;
        }
        let kind = Memory::AtomicTile {
            view: receiver.0,
            index: index?,
            update: update(op, vec![value], &order),
        };
        Some(self.push(ExprKind::Memory(kind), Ty::unit(), loc))
    }

    /// `p.atomic_add(tile)` on pointers.
    pub(super) fn atomic_pointer(
        &mut self,
        receiver: Operand<'_>,
        pointer: &PointerTy,
        callee: &Callee<'_>,
        (op, operands): (AtomicOp, usize),
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let (own, order) = self.split_arguments(callee, operands, args, loc)?;
        let ids: Vec<ExprId> = own.iter().map(|arg| self.expr(arg)).collect();
        let order = self.order(order, op)?;
        self.atomic_element(op, pointer.element, callee)?;
        let mut values = Vec::new();
        for (&id, written) in ids.iter().zip(own) {
            values.push(self.pointer_operand((id, written), pointer, op.name())?);
        }
        let kind = Memory::AtomicPointer {
            pointer: receiver.0,
            update: update(op, values, &order),
        };
        let ty = Ty::of_shape(Elem::Known(pointer.element), &pointer.shape);
        Some(self.push(ExprKind::Memory(kind), ty, loc))
    }

    /// The operands, and what stands behind them.
    fn split_arguments<'e>(
        &mut self,
        callee: &Callee<'_>,
        own: usize,
        args: &'e [ast::Expr],
        loc: Loc,
    ) -> Option<(&'e [ast::Expr], &'e [ast::Expr])> {
        if (own..=own + 2).contains(&args.len()) {
            return Some(args.split_at(own));
        }
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                loc,
                format!(
                    "`{}` takes {own} arguments, and then an ordering and a scope if needed, found {}",
                    callee.name.text,
                    args.len()
                ),
            )
            .help(format!("write `{}`", callee.usage())),
        );
        None
    }

    /// `Ordering::AcqRel, Scope::Device`; relaxed for the device without them.
    fn order(&mut self, args: &[ast::Expr], op: AtomicOp) -> Option<Order> {
        let ordering = match args.first() {
            None => MemoryOrdering::Relaxed,
            Some(arg) => self.option_named(arg, "Ordering", "a memory ordering", &ORDERINGS, op)?,
        };
        let scope = match args.get(1) {
            None => MemoryScope::Device,
            Some(arg) => self.option_named(arg, "Scope", "a scope", &SCOPES, op)?,
        };
        Some(Order { ordering, scope })
    }

    /// One of a few names behind `ty::`; `None` after a report.
    fn option_named<T: Copy>(
        &mut self,
        arg: &ast::Expr,
        ty: &str,
        what: &str,
        table: &[(&str, T)],
        op: AtomicOp,
    ) -> Option<T> {
        let names: &[ast::Name] = match &arg.kind {
            ast::ExprKind::Path(names) => names,
            ast::ExprKind::Error => return None,
            _ => &[],
        };
        if let [.., qualifier, name] = names
            && qualifier.text == ty
            && let Some((_, found)) = table.iter().find(|(known, _)| *known == name.text)
        {
            return Some(*found);
        }
        let last = names.last().map_or("", |name| name.text.as_str());
        let known = table.iter().map(|(known, _)| *known);
        let all: Vec<String> = known
            .clone()
            .map(|name| format!("`{ty}::{name}`"))
            .collect();
        let (note, help) = match nearest(last, known) {
            _ if last == "SeqCst" => (
                Some("there is no single order of all atomics on a GPU"),
                "write `Ordering::AcqRel`".to_owned(),
            ),
            Some(known) => (None, format!("write `{ty}::{known}`")),
            None => (None, format!("write one of {}", all.join(", "))),
        };
        let message = format!(
            "`{}` takes {what} here, found `{}`",
            op.name(),
            ast::text(arg)
        );
        let mut diagnostic = Diagnostic::error(Code::BadArguments, arg.loc, message).help(help);
        if let Some(note) = note {
            diagnostic = diagnostic.note(note);
        }
        self.error(diagnostic);
        None
    }

    /// Whether an element type has an atomic; `None` after a report.
    fn atomic_element(
        &mut self,
        op: AtomicOp,
        element: HostScalar,
        callee: &Callee<'_>,
    ) -> Option<()> {
        let integer = element.is_integer() && element.bits() >= 32;
        let (allowed, fits) = match op {
            AtomicOp::Add => (
                "`i32`, `u32`, `i64`, `u64`, `f16`, `bf16`, `f32` and `f64`",
                integer
                    || matches!(
                        element,
                        HostScalar::F16 | HostScalar::Bf16 | HostScalar::F32 | HostScalar::F64
                    ),
            ),
            AtomicOp::Max | AtomicOp::Min | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => {
                ("`i32`, `u32`, `i64` and `u64`", integer)
            }
            AtomicOp::Xchg | AtomicOp::Cas => (
                "`i32`, `u32`, `i64`, `u64`, `f32` and `f64`",
                integer || matches!(element, HostScalar::F32 | HostScalar::F64),
            ),
        };
        if fits {
            return Some(());
        }
        let extremum = matches!(op, AtomicOp::Max | AtomicOp::Min);
        let help = match element {
            HostScalar::Bool => "use a tensor of `u32` with 0 and 1",
            _ if extremum && element.is_float() => {
                "reduce in the block first, and combine the results of the blocks in a second launch, or with `atomic_cas`"
            }
            _ if element.is_float()
                && matches!(op, AtomicOp::And | AtomicOp::Or | AtomicOp::Xor) =>
            {
                "use a tensor of `u32` for bits"
            }
            _ if element.is_float() => "use a tensor of `f32`",
            _ if element.is_signed() => "use a tensor of `i32`",
            _ => "use a tensor of `u32`",
        };
        self.error(
            Diagnostic::error(
                Code::TypeMismatch,
                callee.name.loc,
                format!("`{}` does not work on `{}`", op.name(), element.name()),
            )
            .note(format!("it works on {allowed}"))
            .help(help),
        );
        None
    }
}

fn update(op: AtomicOp, args: Vec<ExprId>, order: &Order) -> Update {
    Update {
        op,
        args,
        ordering: order.ordering,
        scope: order.scope,
    }
}
