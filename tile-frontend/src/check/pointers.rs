//! Checks raw pointers, tiles of pointers, and `unsafe`.
//!
//! As in Rust, an address may be taken anywhere; offsets, loads and stores need `unsafe`.

use super::Checker;
use super::language::{self, POINTERS};
use super::math::MethodCall;
use super::names::nearest;
use super::types::Operand;
use crate::hir::signature::HostScalar;
use crate::hir::ty::shape_text;
use crate::hir::{Elem, ExprId, ExprKind, Memory, PointerTy, TensorTy, Ty};
use crate::parse::ast::{self, Name};
use std::collections::BTreeSet;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// The unsafe code that the author vouches for.
#[derive(Debug, Default)]
pub(super) struct Safety {
    /// The number of enclosing `unsafe` blocks.
    depth: usize,
    /// The safety of the function; the body of an `unsafe fn` may do what an `unsafe` block may.
    pub(super) function: Function,
    /// Stores of tiles in an `unsafe` block, which the race check skips.
    pub(super) vouched: BTreeSet<ExprId>,
}

/// The safety of the function that the body belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Function {
    #[default]
    Safe,
    Unsafe,
}

impl Safety {
    pub(super) fn allows_unsafe(&self) -> bool {
        self.in_block() || self.function == Function::Unsafe
    }

    pub(super) fn in_block(&self) -> bool {
        self.depth > 0
    }
}

/// The state of [`Safety`] that is saved during a call.
#[derive(Clone, Copy)]
pub(super) struct Vouched {
    depth: usize,
    function: Function,
}

/// The singular and the plural of the noun for the elements of an access.
pub(super) type Plural = [&'static str; 2];

const EACH_POINTER: Plural = ["pointer", "pointers"];

impl Checker<'_> {
    /// Enters the body of a function, in which an `unsafe` block of the caller has no effect.
    pub(super) fn enter_body(&mut self, safety: Function, name: &Name) -> Vouched {
        if safety == Function::Unsafe && !self.safety.allows_unsafe() {
            self.error(
                Diagnostic::error(
                    Code::NeedsUnsafe,
                    name.loc,
                    format!("`{}` is an `unsafe fn`", name.text),
                )
                .note("who calls it has to make sure that what it asks for holds")
                .help("put the call into `unsafe { .. }`"),
            );
        }
        Vouched {
            depth: std::mem::take(&mut self.safety.depth),
            function: std::mem::replace(&mut self.safety.function, safety),
        }
    }

    /// Returns to the caller.
    pub(super) fn leave_body(&mut self, vouched: Vouched) {
        self.safety.depth = vouched.depth;
        self.safety.function = vouched.function;
    }

    /// Checks `unsafe { .. }`.
    pub(super) fn unsafe_block(&mut self, block: &ast::Block, loc: Loc) -> ExprId {
        self.safety.depth += 1;
        let (block, ty) = self.block(block);
        self.safety.depth -= 1;
        self.push(ExprKind::Block(block), ty, loc)
    }

    /// Returns the address of a tensor, of `x.as_ptr()` or `y.as_mut_ptr()`.
    pub(super) fn address(
        &mut self,
        receiver: Operand<'_>,
        tensor: &TensorTy,
        mutable: bool,
        loc: Loc,
    ) -> ExprId {
        let ty = Ty::Pointer(PointerTy {
            element: tensor.element,
            shape: Vec::new(),
            mutable,
        });
        self.push(ExprKind::Memory(Memory::Address(receiver.0)), ty, loc)
    }

    /// Checks `p.addr()`, which is safe.
    pub(super) fn pointer_addr(
        &mut self,
        pointer: &PointerTy,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        let [] = self.method_arguments::<0>(call)?;
        let ty = Ty::from_shape(Elem::Known(HostScalar::Usize), &pointer.shape);
        Some(self.push(ExprKind::Cast(call.receiver.0), ty, call.loc))
    }

    /// Reports a use of a raw pointer outside of `unsafe`.
    pub(super) fn raw_read(&mut self, call: &MethodCall<'_>) {
        self.needs_unsafe(
            call.name,
            &format!("`{}` on a raw pointer", call.name.text),
            "nothing checks where a raw pointer points, and who else uses that memory",
        );
    }

    /// Reports a write through a raw pointer outside of `unsafe`; `None` if the pointer is only for
    /// reading.
    pub(super) fn raw_write(&mut self, pointer: &PointerTy, call: &MethodCall<'_>) -> Option<()> {
        self.raw_read(call);
        if !pointer.mutable {
            self.read_only_pointer(call.receiver, pointer, call.name);
        }
        pointer.mutable.then_some(())
    }

    /// Checks `p.load()`.
    pub(super) fn load_pointer(
        &mut self,
        pointer: &PointerTy,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        self.raw_read(call);
        let [] = self.method_arguments::<0>(call)?;
        Some(self.pointer_read(pointer, call, None))
    }

    /// Checks `p.load_masked(mask, other)`.
    pub(super) fn load_pointer_masked(
        &mut self,
        pointer: &PointerTy,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        self.raw_read(call);
        let [mask, other] = self.method_arguments::<2>(call)?;
        let mask = (self.expr(mask), mask);
        let mask = self.mask_over(mask, &pointer.shape, EACH_POINTER);
        let id = self.expr(other);
        let other = self.pointer_operand((id, other), pointer, &call.name.text);
        Some(self.pointer_read(pointer, call, Some((mask?, other?))))
    }

    fn pointer_read(
        &mut self,
        pointer: &PointerTy,
        call: &MethodCall<'_>,
        masked: Option<(ExprId, ExprId)>,
    ) -> ExprId {
        let kind = Memory::Read {
            pointer: call.receiver.0,
            masked,
        };
        let ty = Ty::from_shape(Elem::Known(pointer.element), &pointer.shape);
        self.push(ExprKind::Memory(kind), ty, call.loc)
    }

    /// Checks the operands of `p.store(tile)` or `p.store_masked(tile, mask)`.
    pub(super) fn store_pointer(
        &mut self,
        pointer: &PointerTy,
        call: &MethodCall<'_>,
        value: &ast::Expr,
        mask: Option<&ast::Expr>,
    ) -> Option<ExprId> {
        let id = self.expr(value);
        let value = self.pointer_operand((id, value), pointer, &call.name.text);
        let mask = match mask {
            Some(mask) => {
                let mask = (self.expr(mask), mask);
                Some(self.mask_over(mask, &pointer.shape, EACH_POINTER)?)
            }
            None => None,
        };
        let kind = Memory::Write {
            pointer: call.receiver.0,
            value: value?,
            mask,
        };
        Some(self.push(ExprKind::Memory(kind), Ty::unit(), call.loc))
    }

    /// Checks `p.offset(tile)`: the pointer and the offsets stretch to one shape.
    pub(super) fn offset(
        &mut self,
        receiver: Operand<'_>,
        pointer: &PointerTy,
        written: &ast::Expr,
        loc: Loc,
    ) -> Option<ExprId> {
        let id = self.expr(written);
        let ty = self.ty(id);
        if ty.is_error() {
            return None;
        }
        let integer = ty.number().is_some_and(|(elem, _)| self.is_integer(elem));
        if !integer {
            let message = format!(
                "`offset` counts elements in integers, found `{}`",
                self.show(&ty)
            );
            self.error(
                Diagnostic::error(Code::TypeMismatch, written.loc, message)
                    .help("write an integer, or a tile such as `iota::<i32>(64)`"),
            );
            return None;
        }
        let (_, offset_shape) = ty.number()?;
        let shape = match (pointer.shape.as_slice(), offset_shape) {
            (&[], offset_shape) => offset_shape.to_vec(),
            (shape, &[]) => shape.to_vec(),
            (shape, offset_shape) if shape == offset_shape => offset_shape.to_vec(),
            (shape, offset_shape) => {
                let message = format!(
                    "`offset` needs a distance for each pointer, found pointers of shape {} and distances of shape {}",
                    shape_text(shape),
                    shape_text(offset_shape)
                );
                let code = if shape.len() == offset_shape.len() {
                    Code::ShapeMismatch
                } else {
                    Code::RankMismatch
                };
                self.error(
                    Diagnostic::error(code, written.loc, message).help(
                        "add up the distances first, and call `offset` on the single pointer",
                    ),
                );
                return None;
            }
        };
        let ty = Ty::Pointer(PointerTy {
            shape: shape.clone(),
            ..pointer.clone()
        });
        let base = if pointer.shape == shape {
            receiver.0
        } else {
            self.push(
                ExprKind::Memory(Memory::Repeat(receiver.0)),
                ty.clone(),
                loc,
            )
        };
        let distance = self.stretch(id, &shape);
        let kind = Memory::Offset(base, distance);
        Some(self.push(ExprKind::Memory(kind), ty, loc))
    }

    /// Stretches a mask to the shape of an access; `None` after an error.
    pub(super) fn mask_over(
        &mut self,
        (id, written): Operand<'_>,
        shape: &[i64],
        each: Plural,
    ) -> Option<ExprId> {
        let ty = self.ty(id);
        if ty.is_error() {
            return None;
        }
        let bool_elem = Elem::Known(HostScalar::Bool);
        let is_bool = ty
            .number()
            .is_some_and(|(elem, _)| self.resolve_elem(elem) == bool_elem);
        if !is_bool {
            let message = format!("a mask is made of `bool`, found `{}`", self.show(&ty));
            self.error(
                Diagnostic::error(Code::TypeMismatch, written.loc, message).help(format!(
                    "compare it, as in `{} != 0`",
                    ast::operand_text(written)
                )),
            );
            return None;
        }
        self.repeated((id, written), &ty, (shape, each), "a mask")
    }

    /// Stretches a value to the shape of the pointers; `None` after an error.
    pub(super) fn pointer_operand(
        &mut self,
        operand: Operand<'_>,
        pointer: &PointerTy,
        what: &str,
    ) -> Option<ExprId> {
        let ty = self.ty(operand.0);
        if ty.is_error() {
            return None;
        }
        let Some((elem, operand_shape)) = ty.number() else {
            let message = format!(
                "`{what}` takes numbers and tiles, found `{}`",
                self.show(&ty)
            );
            self.error(
                Diagnostic::error(Code::TypeMismatch, operand.1.loc, message)
                    .help(self.load_help(&ty, operand.1)),
            );
            return None;
        };
        if !self.unify_elem(Elem::Known(pointer.element), elem) {
            let expected = Ty::from_shape(Elem::Known(pointer.element), operand_shape);
            self.expect(&expected, operand, || {
                format!("the pointer is to `{}`", pointer.element.name())
            });
            return None;
        }
        self.repeated(operand, &ty, (&pointer.shape, EACH_POINTER), "a value")
    }

    /// Stretches a number or tile to the shape of the pointers or indices; `None` after an error.
    fn repeated(
        &mut self,
        (id, written): Operand<'_>,
        ty: &Ty,
        (shape, [each, plural]): (&[i64], Plural),
        what: &str,
    ) -> Option<ExprId> {
        let (_, operand_shape) = ty.number()?;
        let fits = operand_shape.is_empty()
            || (operand_shape.len() == shape.len()
                && operand_shape
                    .iter()
                    .zip(shape)
                    .all(|(&operand_shape, &dim)| operand_shape == dim || operand_shape == 1));
        if fits {
            return Some(self.stretch(id, shape));
        }
        let code = if operand_shape.len() == shape.len() {
            Code::ShapeMismatch
        } else {
            Code::RankMismatch
        };
        let message = format!(
            "there is {what} for each {each}, found `{}` for {plural} of shape {}",
            self.show(ty),
            shape_text(shape)
        );
        let help = if shape.is_empty() {
            "write a single number".to_owned()
        } else {
            format!("write a tile of shape {}", shape_text(shape))
        };
        self.error(Diagnostic::error(code, written.loc, message).help(help));
        None
    }

    fn read_only_pointer(&mut self, receiver: Operand<'_>, pointer: &PointerTy, name: &Name) {
        let text = ast::text(receiver.1);
        let shown = Ty::Pointer(pointer.clone()).to_string();
        let element = pointer.element.name();
        self.error(
            Diagnostic::error(
                Code::Immutable,
                name.loc,
                format!(
                    "`{}` writes through `{text}`, which is only for reading",
                    name.text
                ),
            )
            .label(receiver.1.loc, format!("`{text}` is `{shown}`"))
            .help(format!(
                "declare a parameter as `*mut {element}`, or take `as_mut_ptr()` of a `&mut Tensor`"
            )),
        );
    }

    pub(super) fn unknown_pointer_method(
        &mut self,
        receiver: Operand<'_>,
        pointer: &PointerTy,
        name: &Name,
    ) -> Option<ExprId> {
        let candidates: Vec<&str> = language::names(POINTERS).collect();
        let text = ast::operand_text(receiver.1);
        let help = match name.text.as_str() {
            "add" | "wrapping_add" | "wrapping_offset" | "byte_add" => {
                format!("write `{text}.offset(..)`, in elements")
            }
            "sub" | "wrapping_sub" => format!("write `{text}.offset(-n)`, in elements"),
            "read" | "read_volatile" | "read_unaligned" => format!("write `{text}.load()`"),
            "write" | "write_volatile" | "write_unaligned" => format!("write `{text}.store(..)`"),
            "is_null" => "check on the host: a launch passes no null pointer".to_owned(),
            other => match nearest(other, candidates.iter().copied()) {
                Some(known) => format!("write `.{known}(..)`"),
                None => format!("use one of `{}`", candidates.join("`, `")),
            },
        };
        let shown = Ty::Pointer(pointer.clone()).to_string();
        self.error(
            Diagnostic::error(
                Code::UnknownName,
                name.loc,
                format!("`{shown}` has no method `{}`", name.text),
            )
            .help(help),
        );
        None
    }
}
