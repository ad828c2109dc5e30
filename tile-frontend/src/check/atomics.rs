//! Checks atomics on elements and tiles of tensors, atomics through pointers, and fences.

use super::Checker;
use super::calls::Callee;
use super::gather::Indices;
use super::language::{Enum, ORDERINGS, SCOPES};
use super::math::MethodCall;
use crate::hir::signature::HostScalar;
use crate::hir::ty::{Padding, PaddingValue, shape_text};
use crate::hir::{
    AtomicMethod, AtomicOp, Elem, ExprId, ExprKind, Memory, Ordering, PartitionTy, PointerTy,
    TensorTy, Ty, Update,
};
use crate::parse::ast::{self, Name};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};
use tile_core::ir::MemoryScope;

/// The ordering and scope that follow the operands of an atomic.
struct Order {
    ordering: Ordering,
    scope: MemoryScope,
}

impl AtomicMethod {
    /// Returns the number of arguments before the ordering, not counting the index.
    fn operand_count(self) -> usize {
        self.operands + usize::from(self.masked)
    }
}

impl Checker<'_> {
    /// Checks `y.atomic_add([i], tile)`.
    pub(super) fn atomic(
        &mut self,
        tensor: &TensorTy,
        call: &MethodCall<'_>,
        method: AtomicMethod,
    ) -> Option<ExprId> {
        let MethodCall {
            receiver,
            args,
            loc,
            ..
        } = *call;
        let callee = &call.callee();
        let op = method.op;
        let (own_arguments, order) =
            self.split_arguments(callee, 1 + method.operand_count(), args, loc)?;
        let usage = (callee.name.text.as_str(), Indices::NumbersOrTiles);
        let index = self.element_index(&own_arguments[0], tensor.rank, receiver, usage);
        let (written, mask) = own_arguments[1..].split_at(method.operands);
        let ids: Vec<ExprId> = written.iter().map(|arg| self.expr(arg)).collect();
        let mask = mask.first().map(|arg| (self.expr(arg), arg));
        let order = self.order(order, callee, op)?;
        if op != AtomicOp::Load {
            self.writable(tensor, callee.name)?;
        }
        self.atomic_element(op, tensor.element, callee)?;
        let (index, shape) = index?;
        let values: Option<Vec<ExprId>> = ids
            .iter()
            .zip(written)
            .map(|(&id, written)| self.element_operand((id, written), tensor, &shape, op.name()))
            .collect();
        let mask = match mask {
            None => None,
            Some(mask) => Some(self.mask_over(mask, &shape, ["index", "indices"])?),
        };
        let kind = Memory::Atomic {
            tensor: receiver.0,
            index,
            update: update(op, values?, mask, &order),
        };
        let ty = given(op, tensor.element, &shape);
        Some(self.push(ExprKind::Memory(kind), ty, loc))
    }

    /// Reports an atomic that tensors have and partitions do not have.
    pub(super) fn only_on_tensors(
        &mut self,
        view: &PartitionTy,
        name: &Name,
        method: AtomicMethod,
    ) -> Option<ExprId> {
        let why = match method.op {
            AtomicOp::Xchg | AtomicOp::Cas => "an atomic on a whole tile gives no old values back",
            AtomicOp::Load | AtomicOp::Store => {
                "a whole tile is loaded and stored without an ordering"
            }
            AtomicOp::Add
            | AtomicOp::Max
            | AtomicOp::Min
            | AtomicOp::And
            | AtomicOp::Or
            | AtomicOp::Xor => "an atomic on a whole tile takes no mask",
        };
        let tensor = &self.locals[view.tensor.param].name;
        let text = &name.text;
        let help = format!(
            "call it on the tensor, with element indices: `{tensor}.{text}([indices], ..)`"
        );
        self.error(
            Diagnostic::error(
                Code::UnknownName,
                name.loc,
                format!("`{}` has no method `{text}`", view.name()),
            )
            .note(why)
            .help(help),
        );
        None
    }

    /// Checks `p.atomic_add([i], tile)` on a partition or strided view.
    pub(super) fn atomic_tile(
        &mut self,
        view: &PartitionTy,
        call: &MethodCall<'_>,
        method: AtomicMethod,
    ) -> Option<ExprId> {
        let MethodCall {
            receiver,
            args,
            loc,
            ..
        } = *call;
        let callee = &call.callee();
        let op = method.op;
        let (own_arguments, order) =
            self.split_arguments(callee, 1 + method.operands, args, loc)?;
        let index = self.index(&own_arguments[0], view.tile.len(), receiver);
        let value = self.expr(&own_arguments[1]);
        let order = self.order(order, callee, op)?;
        self.writable(&view.tensor, callee.name)?;
        self.atomic_element(op, view.tensor.element, callee)?;
        let expected = Ty::Tile(Elem::Known(view.tensor.element), view.tile.clone());
        let fits = self.expect(&expected, (value, &own_arguments[1]), || {
            format!("the view holds tiles of shape {}", shape_text(&view.tile))
        });
        if order.ordering != Ordering::Relaxed || order.scope == MemoryScope::System {
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
            update: update(op, vec![value], None, &order),
        };
        Some(self.push(ExprKind::Memory(kind), Ty::unit(), loc))
    }

    /// Checks `p.atomic_add(tile)` on pointers.
    pub(super) fn atomic_pointer(
        &mut self,
        pointer: &PointerTy,
        call: &MethodCall<'_>,
        method: AtomicMethod,
    ) -> Option<ExprId> {
        let MethodCall {
            receiver,
            args,
            loc,
            ..
        } = *call;
        let callee = &call.callee();
        let op = method.op;
        if op == AtomicOp::Load {
            self.raw_read(call);
        } else {
            self.raw_write(pointer, call)?;
        }
        let (own_arguments, order) =
            self.split_arguments(callee, method.operand_count(), args, loc)?;
        let (own_arguments, mask) = own_arguments.split_at(method.operands);
        let ids: Vec<ExprId> = own_arguments.iter().map(|arg| self.expr(arg)).collect();
        let mask = mask.first().map(|arg| (self.expr(arg), arg));
        let order = self.order(order, callee, op)?;
        self.atomic_element(op, pointer.element, callee)?;
        let mut values = Vec::new();
        for (&id, written) in ids.iter().zip(own_arguments) {
            values.push(self.pointer_operand((id, written), pointer, op.name())?);
        }
        let mask = match mask {
            None => None,
            Some(mask) => Some(self.mask_over(mask, &pointer.shape, ["pointer", "pointers"])?),
        };
        let kind = Memory::AtomicPointer {
            pointer: receiver.0,
            update: update(op, values, mask, &order),
        };
        let ty = given(op, pointer.element, &pointer.shape);
        Some(self.push(ExprKind::Memory(kind), ty, loc))
    }

    /// Checks `fence(Ordering::AcqRel, Scope::Device)`.
    pub(super) fn fence(
        &mut self,
        callee: &Callee<'_>,
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        if !(1..=2).contains(&args.len()) {
            let result = args.len();
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    loc,
                    format!(
                        "`fence` takes an ordering, and a scope if needed, found {result} arguments"
                    ),
                )
                .help(format!("write `{}`", callee.usage())),
            );
            return None;
        }
        let name = &callee.name.text;
        let ordering = self.variant(&args[0], &ORDERINGS, "a memory ordering", name)?;
        let scope = self.scope(args.get(1), name)?;
        if ordering == Ordering::Relaxed {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    args[0].loc,
                    "there is no relaxed fence, as in Rust",
                )
                .note("a relaxed fence would order nothing")
                .help("write `Ordering::AcqRel`, or remove the fence"),
            );
            return None;
        }
        let kind = Memory::Fence { scope };
        Some(self.push(ExprKind::Memory(kind), Ty::unit(), loc))
    }

    /// Splits arguments into the operands and what follows them.
    fn split_arguments<'e>(
        &mut self,
        callee: &Callee<'_>,
        operand_count: usize,
        args: &'e [ast::Expr],
        loc: Loc,
    ) -> Option<(&'e [ast::Expr], &'e [ast::Expr])> {
        if (operand_count..=operand_count + 2).contains(&args.len()) {
            return Some(args.split_at(operand_count));
        }
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                loc,
                format!(
                    "`{}` takes {operand_count} arguments, and then an ordering and a scope if needed, found {}",
                    callee.name.text,
                    args.len()
                ),
            )
            .help(format!("write `{}`", callee.usage())),
        );
        None
    }

    /// Parses `Ordering::AcqRel, Scope::Device`; without arguments, relaxed ordering at device
    /// scope.
    fn order(&mut self, args: &[ast::Expr], callee: &Callee<'_>, op: AtomicOp) -> Option<Order> {
        let name = &callee.name.text;
        let ordering = match args.first() {
            None => Ordering::Relaxed,
            Some(arg) => self.variant(arg, &ORDERINGS, "a memory ordering", name)?,
        };
        let scope = self.scope(args.get(1), name)?;
        let refused = match (op, ordering) {
            (AtomicOp::Load, Ordering::Release | Ordering::AcqRel) => {
                Some(("a load releases nothing, as in Rust", "Acquire"))
            }
            (AtomicOp::Store, Ordering::Acquire | Ordering::AcqRel) => {
                Some(("a store acquires nothing, as in Rust", "Release"))
            }
            _ => None,
        };
        if let (Some((why, instead)), Some(arg)) = (refused, args.first()) {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    arg.loc,
                    format!("`{name}` cannot be `{}`", ast::text(arg)),
                )
                .note(why)
                .help(format!("write `Ordering::{instead}`")),
            );
            return None;
        }
        Some(Order { ordering, scope })
    }

    /// Parses `Scope::System`; without an argument, the device.
    fn scope(&mut self, arg: Option<&ast::Expr>, name: &str) -> Option<MemoryScope> {
        match arg {
            None => Some(MemoryScope::Device),
            Some(arg) => self.variant(arg, &SCOPES, "a scope", name),
        }
    }

    /// Parses a variant of an enum; `None` after an error.
    fn variant<V: Copy + PartialEq>(
        &mut self,
        arg: &ast::Expr,
        of: &Enum<V>,
        what: &str,
        callee: &str,
    ) -> Option<V> {
        let path: &[ast::Name] = match &arg.kind {
            ast::ExprKind::Path(path) => path,
            ast::ExprKind::Error => return None,
            _ => &[],
        };
        let value = of.value(path);
        if value.is_none() {
            let message = format!("`{callee}` takes {what} here, found `{}`", ast::text(arg));
            let diagnostic = Diagnostic::error(Code::BadArguments, arg.loc, message);
            self.error(diagnostic.help(of.instead_of(path, "")));
        }
        value
    }

    /// Checks that an atomic supports an element type; `None` after an error.
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
            AtomicOp::Xchg | AtomicOp::Cas | AtomicOp::Load | AtomicOp::Store => (
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

/// Returns the type of the result of an atomic.
fn given(op: AtomicOp, element: HostScalar, shape: &[i64]) -> Ty {
    if op == AtomicOp::Store {
        Ty::unit()
    } else {
        Ty::from_shape(Elem::Known(element), shape)
    }
}

fn update(op: AtomicOp, args: Vec<ExprId>, mask: Option<ExprId>, order: &Order) -> Update {
    Update {
        op,
        args,
        mask,
        ordering: order.ordering,
        scope: order.scope,
    }
}
