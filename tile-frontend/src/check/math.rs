//! Checks elementwise methods of numbers and tiles: functions, operations with explicit rounding or
//! without overflow, conversions.

use super::calls::{Callee, FunctionCall};
use super::language::{self, ROUNDINGS, TILES};
use super::legal::unchecked_name;
use super::types::{Kind, Operand};
use super::{Checker, Operator};
use crate::hir::math::{Gives, Row};
use crate::hir::signature::HostScalar;
use crate::hir::{Elem, ExprId, ExprKind, MathOp, Mode, RoundedOp, TileOp, Ty};
use crate::parse::ast::{self, BinaryOp, GenericArg, Name};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// A method call.
#[derive(Clone, Copy)]
pub(super) struct MethodCall<'e> {
    pub(super) receiver: Operand<'e>,
    pub(super) name: &'e Name,
    /// The usual form.
    pub(super) usage: &'static str,
    pub(super) generics: &'e [GenericArg],
    pub(super) args: &'e [ast::Expr],
    pub(super) loc: Loc,
}

impl<'e> MethodCall<'e> {
    /// Returns the method, for messages.
    pub(super) fn callee(&self) -> Callee<'e> {
        Callee {
            name: self.name,
            usage: self.usage,
            receiver: Some(self.receiver.1),
        }
    }
}

impl Checker<'_> {
    fn wrong_argument_count(&mut self, call: &MethodCall<'_>, wanted: usize) {
        let text = &call.name.text;
        let plural = if wanted == 1 { "argument" } else { "arguments" };
        let message = format!(
            "`{text}` takes {wanted} {plural}, found {}",
            call.args.len()
        );
        let reduction = format!("reduce_{text}");
        let is_reduction = language::find(TILES, &reduction).is_some();
        let receiver = ast::operand_text(call.receiver.1);
        let help = if is_reduction && call.args.is_empty() {
            format!(
                "write `{receiver}.{reduction}(0)` for the {text} along axis 0, or `{receiver}.{text}(y)` for the {text} of two tiles"
            )
        } else {
            let (_, method) = call.usage.split_once('.').unwrap_or(("", call.usage));
            format!("write `{receiver}.{method}`")
        };
        self.error(Diagnostic::error(Code::BadArguments, call.loc, message).help(help));
    }

    /// Stretches operands to one shape; `None` after an error. The operands have one element type,
    /// except that the last one has type `last` if it is given.
    fn operands(
        &mut self,
        call: &MethodCall<'_>,
        args: &[ast::Expr],
        last: Option<HostScalar>,
    ) -> Option<(Vec<ExprId>, Elem, Vec<i64>)> {
        let callee = call.callee();
        let mut operands = vec![call.receiver];
        for arg in args {
            let id = self.expr(arg);
            operands.push((id, arg));
        }
        let mut fine = true;
        for &(id, written) in &operands {
            let ty = self.ty(id);
            if ty.is_error() {
                fine = false;
            } else if ty.number().is_none() {
                self.not_a_number(&callee, &ty, written);
                fine = false;
            }
        }
        if !fine {
            return None;
        }
        let (elem, _) = self
            .ty(call.receiver.0)
            .number()
            .map(|(elem, shape)| (elem, shape.len()))?;
        let count = operands.len();
        for (index, &operand) in operands.iter().enumerate().skip(1) {
            let ty = self.ty(operand.0);
            let (other, shape) = ty.number()?;
            match last.filter(|_| index + 1 == count) {
                Some(last) => {
                    let expected = Ty::from_shape(Elem::Known(last), shape);
                    let name = &call.name.text;
                    if !self.expect(&expected, operand, || {
                        format!("the last argument of `{name}` is `{}`", last.name())
                    }) {
                        return None;
                    }
                }
                None if self.unify_elem(elem, other) => {}
                None => {
                    if !self.meant_a_reduction(call, operand) {
                        self.differing(&callee, call.receiver, operand, call.loc);
                    }
                    return None;
                }
            }
        }
        let (ids, shape) = self.stretch_all(&operands, call.name.loc, &call.name.text)?;
        Some((ids, elem, shape))
    }

    /// Reports `t.max(0)` of a tile of floats, which most probably means the maximum along axis 0;
    /// `true` after an error.
    fn meant_a_reduction(&mut self, call: &MethodCall<'_>, operand: Operand<'_>) -> bool {
        let name = &call.name.text;
        let (ast::ExprKind::Int(axis, None), Ty::Tile(elem, shape)) =
            (&operand.1.kind, self.ty(call.receiver.0))
        else {
            return false;
        };
        let reduces = ["max", "min"].contains(&name.as_str());
        let is_axis = usize::try_from(*axis).is_ok_and(|axis| axis < shape.len());
        if !reduces || !is_axis || self.kind_of(elem) == super::types::Kind::Integer {
            return false;
        }
        let text = ast::operand_text(call.receiver.1);
        let message = format!(
            "`{name}` needs one element type, found `{}` and `{}`",
            self.show_expr(call.receiver.0),
            self.show_expr(operand.0)
        );
        let diagnostic = self.label_operands(
            Diagnostic::error(Code::TypeMismatch, call.loc, message),
            &[call.receiver, operand],
        );
        self.error(diagnostic.help(format!(
            "write `{text}.reduce_{name}({axis})` for the {name} along axis {axis}, or `{text}.{name}({axis}.0)` for the {name} of each element and {axis}"
        )));
        true
    }

    pub(super) fn typed(
        &mut self,
        kind: ExprKind,
        elem: Elem,
        shape: &[i64],
        call: &MethodCall<'_>,
    ) -> ExprId {
        let expr = self.push(kind, Ty::from_shape(elem, shape), call.loc);
        let text = ast::operand_text(call.receiver.1);
        self.operators.push(Operator { expr, text });
        expr
    }

    pub(super) fn math(&mut self, row: &'static Row, call: &MethodCall<'_>) -> Option<ExprId> {
        if call.args.len() + 1 != row.count {
            self.wrong_argument_count(call, row.count - 1);
            return None;
        }
        let (ids, elem, shape) = self.operands(call, call.args, row.last)?;
        let result = match row.gives {
            Gives::Same => elem,
            Gives::Bool => Elem::Known(HostScalar::Bool),
            Gives::U32 => {
                self.settle(elem);
                Elem::Known(HostScalar::U32)
            }
            Gives::Unsigned => match self.settle(elem) {
                Elem::Known(scalar) => Elem::Known(scalar.unsigned()),
                open @ Elem::Var(_) => open,
            },
            Gives::Bits => match self.settle(elem) {
                // A wrong element type is reported once all types are known.
                Elem::Known(scalar) => {
                    Elem::Known(scalar.bits_type().unwrap_or_else(|| scalar.unsigned()))
                }
                open @ Elem::Var(_) => open,
            },
        };
        Some(self.typed(ExprKind::Math(row.op, ids), result, &shape, call))
    }

    /// Gives a literal its default type, where the type is needed now.
    fn settle(&mut self, elem: Elem) -> Elem {
        if matches!(self.resolve_elem(elem), Elem::Var(_)) {
            match self.kind_of(elem) {
                Kind::Integer => self.unify_elem(elem, Elem::Known(HostScalar::I32)),
                Kind::Float => self.unify_elem(elem, Elem::Known(HostScalar::F64)),
                Kind::Any => false,
            };
        }
        self.resolve_elem(elem)
    }

    /// Checks `log`, which takes a base in Rust.
    pub(super) fn log(&mut self, call: &MethodCall<'_>) -> Option<ExprId> {
        let row = MathOp::Log.row();
        if call.args.is_empty() {
            return self.math(row, call);
        }
        let text = ast::operand_text(call.receiver.1);
        self.error(
            Diagnostic::error(Code::BadArguments, call.loc, "`log` takes no base here").help(
                format!(
                    "write `{text}.log2()`, or divide `{text}.ln()` by the logarithm of the base"
                ),
            ),
        );
        None
    }

    /// Parses `Rounding::Zero` or `Rounding::Zero.ftz()`; `None` after an error.
    fn rounding(&mut self, written: &ast::Expr) -> Option<Mode> {
        let (path, flush) = match &written.kind {
            ast::ExprKind::Method {
                receiver,
                name,
                args,
                generics,
            } if name.text == "ftz" && args.is_empty() && generics.is_empty() => {
                (&**receiver, true)
            }
            ast::ExprKind::Error => return None,
            _ => (written, false),
        };
        let names: &[Name] = match &path.kind {
            ast::ExprKind::Path(names) => names,
            _ => &[],
        };
        if let Some(rounding) = ROUNDINGS.value(names) {
            return Some(Mode { rounding, flush });
        }
        let help = ROUNDINGS.instead_of(names, ", or one of these with `.ftz()`");
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                written.loc,
                format!("expected a rounding mode, found `{}`", ast::text(written)),
            )
            .help(help),
        );
        None
    }

    pub(super) fn rounded(
        &mut self,
        op: RoundedOp,
        count: usize,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        let Some((mode, args)) = call
            .args
            .split_last()
            .filter(|(_, rest)| rest.len() + 1 == count)
        else {
            self.wrong_argument_count(call, count);
            return None;
        };
        let mode = self.rounding(mode);
        let (ids, elem, shape) = self.operands(call, args, None)?;
        let kind = ExprKind::Op(TileOp::Rounded(op, ids, mode?));
        Some(self.typed(kind, elem, &shape, call))
    }

    pub(super) fn unchecked(&mut self, op: BinaryOp, call: &MethodCall<'_>) -> Option<ExprId> {
        let shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if call.args.len() != 1 {
            self.wrong_argument_count(call, 1);
            return None;
        }
        let last = shift.then_some(HostScalar::U32);
        let (ids, elem, shape) = self.operands(call, call.args, last)?;
        let what = if shift {
            "a shift by the width or more is undefined behaviour"
        } else {
            "an overflow is undefined behaviour"
        };
        let name = unchecked_name(op);
        self.needs_unsafe(call.name, &format!("`{name}`"), what);
        let op = if shift {
            TileOp::UncheckedShift(op, ids[0], ids[1])
        } else {
            TileOp::Unchecked(op, ids[0], ids[1])
        };
        Some(self.typed(ExprKind::Op(op), elem, &shape, call))
    }

    /// Returns the type of `.cast::<T>()` and similar methods; `None` after an error.
    pub(super) fn target(
        &mut self,
        callee: &Callee<'_>,
        call: &MethodCall<'_>,
    ) -> Option<HostScalar> {
        if let Some(target) = self.type_argument(callee, call.generics).ok()? {
            return Some(target);
        }
        let name = &call.name.text;
        let (_, method) = callee.usage.split_once('.').unwrap_or(("", callee.usage));
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                call.name.loc,
                format!("`{name}` needs the new element type"),
            )
            .help(format!("write `.{method}`")),
        );
        None
    }

    pub(super) fn cast_method(&mut self, call: &MethodCall<'_>, ty: &Ty) -> Option<ExprId> {
        let callee = call.callee();
        let target = self.target(&callee, call)?;
        let [] = self.arguments::<0>(&callee, call.args, call.loc)?;
        let (_, shape) = ty.number()?;
        let kind = ExprKind::Cast(call.receiver.0);
        Some(self.typed(kind, Elem::Known(target), shape, call))
    }

    pub(super) fn cast_with(&mut self, call: &MethodCall<'_>, ty: &Ty) -> Option<ExprId> {
        let callee = call.callee();
        let target = self.target(&callee, call)?;
        let [mode] = self.arguments::<1>(&callee, call.args, call.loc)?;
        let Mode { rounding, flush } = self.rounding(mode)?;
        if flush {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    mode.loc,
                    "a conversion keeps subnormal numbers",
                )
                .help("leave `.ftz()` out"),
            );
            return None;
        }
        let (_, shape) = ty.number()?;
        let kind = ExprKind::Op(TileOp::CastWith(call.receiver.0, rounding));
        Some(self.typed(kind, Elem::Known(target), shape, call))
    }

    pub(super) fn saturating_cast(&mut self, call: &MethodCall<'_>, ty: &Ty) -> Option<ExprId> {
        let callee = call.callee();
        let target = self.target(&callee, call)?;
        let [] = self.arguments::<0>(&callee, call.args, call.loc)?;
        let (_, shape) = ty.number()?;
        let kind = ExprKind::Op(TileOp::SaturatingCast(call.receiver.0));
        Some(self.typed(kind, Elem::Known(target), shape, call))
    }

    /// Checks `x.sin_cos()`, a tuple.
    pub(super) fn sin_cos(&mut self, call: &MethodCall<'_>) -> Option<ExprId> {
        let [] = self.method_arguments::<0>(call)?;
        let (ids, elem, shape) = self.operands(call, &[], None)?;
        let part = Ty::from_shape(elem, &shape);
        let ty = Ty::Tuple(vec![part.clone(), part]);
        let expr = self.push(ExprKind::Op(TileOp::SinCos(ids[0])), ty, call.loc);
        let text = ast::operand_text(call.receiver.1);
        self.operators.push(Operator { expr, text });
        Some(expr)
    }

    /// Checks `f32::from_bits(n)`, of a number or a tile; `None` after an error.
    pub(super) fn float_of_bits(
        &mut self,
        float: &Name,
        call: &FunctionCall<'_>,
    ) -> Option<ExprId> {
        let callee = &call.callee();
        let scalar = self.element(float)?;
        let Some(bits) = scalar.bits_type() else {
            self.error(
                Diagnostic::error(
                    Code::UnknownName,
                    callee.name.loc,
                    format!("`{}` has no function `from_bits`", scalar.name()),
                )
                .note("`from_bits` makes a float of 8, 16, 32 or 64 bits from an unsigned integer of the same width")
                .help("write `.bitcast::<..>()`, or `as` for the number itself"),
            );
            return None;
        };
        let [written] = self.arguments::<1>(callee, call.args, call.loc)?;
        let id = self.expr(written);
        let ty = self.ty(id);
        if ty.is_error() {
            return None;
        }
        let Some((_, shape)) = ty.number() else {
            self.not_a_number(callee, &ty, written);
            return None;
        };
        let expected = Ty::from_shape(Elem::Known(bits), shape);
        if !self.expect(&expected, (id, written), || {
            format!("the bits of `{}` are a `{}`", scalar.name(), bits.name())
        }) {
            return None;
        }
        let result = Ty::from_shape(Elem::Known(scalar), shape);
        Some(self.push(ExprKind::Op(TileOp::BitCast(id)), result, call.loc))
    }

    pub(super) fn bitcast(&mut self, call: &MethodCall<'_>, ty: &Ty) -> Option<ExprId> {
        let callee = call.callee();
        let target = self.target(&callee, call)?;
        let [] = self.arguments::<0>(&callee, call.args, call.loc)?;
        let (_, shape) = ty.number()?;
        let kind = ExprKind::Op(TileOp::BitCast(call.receiver.0));
        Some(self.typed(kind, Elem::Known(target), shape, call))
    }
}
