//! Reports errors that depend on final types: literals that do not fit, operators that an element
//! type does not have, overflow in arithmetic on constants.

use super::Checker;
use super::types::{Kind, Var};
use crate::hir::signature::HostScalar;
use crate::hir::walk::each_expr;
use crate::hir::{Adapter, Const, Elem, ExprId, ExprKind, Float};
use crate::parse::ast::BinaryOp;
use std::collections::BTreeSet;
use tile_core::diag::{Code, Diagnostic};

impl Checker<'_> {
    /// Gives open types their defaults, resolves every type, and reports errors that depend on the
    /// final types.
    pub(super) fn finish(&mut self) {
        self.fill_open_types();
        for index in 0..self.exprs.len() {
            self.exprs[index].ty = self.resolve(&self.exprs[index].ty);
        }
        for index in 0..self.locals.len() {
            self.locals[index].ty = self.resolve(&self.locals[index].ty);
        }
        self.finish_matches();
        for operator in std::mem::take(&mut self.operators) {
            self.calls.look_at(operator.expr);
            self.operator(&operator);
        }
        let skipped = self.never_computed();
        for index in 0..self.exprs.len() {
            self.calls.look_at(ExprId::new(index));
            self.literal(ExprId::new(index));
            if !skipped.contains(&ExprId::new(index)) {
                self.constant_arithmetic(ExprId::new(index));
            }
            self.combiner(ExprId::new(index));
            self.reversed_steps(ExprId::new(index));
        }
        self.finish_prints();
        self.finish_texts();
    }

    /// Returns the expressions after `false &&` or `true ||`, where rustc too accepts any
    /// arithmetic.
    fn never_computed(&self) -> BTreeSet<ExprId> {
        let mut skipped = BTreeSet::new();
        for expr in &self.exprs {
            let ExprKind::ShortCircuit(op, lhs, rhs) = expr.kind else {
                continue;
            };
            if self.constant(lhs) == Some(Const::Bool(op == BinaryOp::Or)) {
                each_expr(&self.exprs, rhs, &mut |id, _| {
                    skipped.insert(id);
                });
            }
        }
        skipped
    }

    /// Checks `(0..n).step_by(3).rev()`, which requires a range whose length is a `usize`.
    fn reversed_steps(&mut self, id: ExprId) {
        let expr = &self.exprs[id.index()];
        let ExprKind::For { range, .. } = &expr.kind else {
            return;
        };
        let steps = range
            .adapters
            .iter()
            .position(|adapter| matches!(adapter, Adapter::StepBy(_)));
        let reversed = steps.is_some_and(|index| {
            let behind = &range.adapters[index..];
            behind.iter().any(|adapter| matches!(adapter, Adapter::Rev))
        });
        let Some(scalar) = self.element_of(range.low).filter(|_| reversed) else {
            return;
        };
        let (low, inclusive) = (range.low, range.inclusive);
        let knows_its_length = match scalar {
            HostScalar::I8 | HostScalar::I16 | HostScalar::U8 | HostScalar::U16 => true,
            HostScalar::I32 | HostScalar::U32 | HostScalar::Usize => !inclusive,
            _ => false,
        };
        if knows_its_length {
            return;
        }
        let loc = self.loc(low);
        let name = scalar.name();
        let range = if inclusive { "..=" } else { ".." };
        self.error(
            Diagnostic::error(
                Code::TypeMismatch,
                loc,
                format!("`.rev()` after `.step_by(..)` needs a range that knows its length, which one of `a{range}b` in `{name}` does not"),
            )
            .note("as in Rust: the length of the range has to fit into a `usize` (`ExactSizeIterator`)")
            .help(if inclusive {
                format!("write `a..b + 1`, in `i32`, `u32` or `usize`, and convert with `as {name}` in the loop")
            } else {
                format!("count in `i32`, `u32` or `usize`, and convert with `as {name}` in the loop")
            }),
        );
    }

    fn fill_open_types(&mut self) {
        for var in &mut self.vars {
            match var {
                Var::Free(Kind::Integer) => *var = Var::Is(Elem::Known(HostScalar::I32)),
                Var::Free(Kind::Float) => *var = Var::Is(Elem::Known(HostScalar::F64)),
                Var::Free(Kind::Any) | Var::Is(_) => {}
            }
        }
        for index in 0..self.exprs.len() {
            let ty = self.resolve(&self.exprs[index].ty);
            if let Some((Elem::Var(var), _)) = ty.number() {
                let loc = self.exprs[index].loc;
                // Another error may be the reason why no use determines the type.
                if self.diagnostics.checkpoint().is_ok() {
                    self.error(
                        Diagnostic::error(
                            Code::TypeMismatch,
                            loc,
                            "the element type of this tile is not known",
                        )
                        .help("write it: `zeros::<f32>(..)`"),
                    );
                }
                self.vars[var.0 as usize] = Var::Is(Elem::Known(HostScalar::F32));
            }
        }
    }

    pub(super) fn element_of(&self, id: ExprId) -> Option<HostScalar> {
        match self.exprs[id.index()].ty.number() {
            Some((Elem::Known(scalar), _)) => Some(scalar),
            _ => None,
        }
    }

    /// Reports a number that its type cannot represent; `zeros` gets a zero of its element type.
    fn literal(&mut self, id: ExprId) {
        let ExprKind::Int(value) = self.exprs[id.index()].kind else {
            if let ExprKind::Float(value) = self.exprs[id.index()].kind {
                self.float_literal(id, value.double);
            }
            return;
        };
        let Some(scalar) = self.element_of(id) else {
            return;
        };
        if scalar.is_float() {
            #[expect(
                clippy::cast_precision_loss,
                reason = "only the zero of `zeros` is an integer here"
            )]
            let value = value as f64;
            self.exprs[id.index()].kind = ExprKind::Float(Float::new(value));
            if scalar == HostScalar::F8e8m0 {
                self.power_of_two(id, value);
            }
            return;
        }
        if scalar == HostScalar::Bool {
            self.exprs[id.index()].kind = ExprKind::Bool(value != 0);
            return;
        }
        if scalar.holds(value) || (value < 0 && !scalar.is_signed()) {
            // A negated unsigned literal has been reported as an operator.
            return;
        }
        let (least, greatest) = scalar.range().unwrap_or((0, 0));
        let name = scalar.name();
        let fitting = [
            HostScalar::I8,
            HostScalar::U8,
            HostScalar::I16,
            HostScalar::U16,
            HostScalar::I32,
            HostScalar::U32,
            HostScalar::I64,
            HostScalar::U64,
        ]
        .into_iter()
        .find(|wider| wider.is_signed() == scalar.is_signed() && wider.holds(value))
        .or_else(|| HostScalar::U64.holds(value).then_some(HostScalar::U64));
        let nearest = value.clamp(least, greatest);
        let help = match fitting {
            Some(wider) => format!(
                "write a number in that range, such as `{nearest}`, or compute in `{}`",
                wider.name()
            ),
            None => format!("write a number in that range, such as `{nearest}`"),
        };
        let loc = self.loc(id);
        self.error(
            Diagnostic::error(
                Code::OutOfRange,
                loc,
                format!("`{value}` does not fit into `{name}`"),
            )
            .note(format!("`{name}` holds {least} to {greatest}"))
            .help(help),
        );
    }

    /// Reports a finite literal that would become infinite.
    fn float_literal(&mut self, id: ExprId, value: f64) {
        let Some(scalar) = self.element_of(id) else {
            return;
        };
        // A value halfway between the greatest finite value and the next power of two rounds up to
        // infinity.
        let limit = match scalar {
            HostScalar::F16 => 65520.0,
            HostScalar::F32 => (2.0 - 2.0_f64.powi(-24)) * 2.0_f64.powi(127),
            HostScalar::Bf16 => (2.0 - 2.0_f64.powi(-8)) * 2.0_f64.powi(127),
            // The midpoint 464 is a tie that rounds down to 448, so the limit is above the
            // midpoint.
            HostScalar::F8e4m3 => 465.0,
            HostScalar::F8e5m2 => 61440.0,
            HostScalar::F4e2m1 => 7.0,
            HostScalar::F8e8m0 => {
                self.power_of_two(id, value);
                return;
            }
            _ => return,
        };
        if !value.is_finite() || value.abs() < limit {
            return;
        }
        let loc = self.loc(id);
        let name = scalar.name();
        self.error(
            Diagnostic::error(
                Code::OutOfRange,
                loc,
                format!("`{value:e}` does not fit into `{name}`"),
            )
            .help(
                if matches!(scalar, HostScalar::F8e4m3 | HostScalar::F4e2m1) {
                    format!("write a number up to `{name}::MAX`")
                } else {
                    format!("write a smaller number, or `{name}::INFINITY`")
                },
            ),
        );
    }

    /// Checks a literal of a type that represents only powers of two.
    fn power_of_two(&mut self, id: ExprId, value: f64) {
        let least = 2.0_f64.powi(-127);
        let fits =
            value.to_bits() & ((1 << 52) - 1) == 0 && value >= least && value < 2.0_f64.powi(128);
        if fits || value.is_nan() {
            return;
        }
        let loc = self.loc(id);
        self.error(
            Diagnostic::error(
                Code::OutOfRange,
                loc,
                format!("`{value:?}` does not fit into `f8e8m0`"),
            )
            .note("`f8e8m0` holds the powers of two from 2^-127 to 2^127, and NaN")
            .help("write a power of two, such as `1.0` or `0.5`"),
        );
    }

    /// Reports constant arithmetic whose value is outside the range of its type, which rustc
    /// refuses too.
    fn constant_arithmetic(&mut self, id: ExprId) {
        let ExprKind::Binary(op, _, rhs) = self.exprs[id.index()].kind else {
            return;
        };
        let loc = self.loc(id);
        let zero = matches!(self.constant(rhs), Some(Const::Int(0)));
        if matches!(op, BinaryOp::Div | BinaryOp::Rem)
            && zero
            && self.element_of(id).is_some_and(HostScalar::is_integer)
        {
            self.error(
                Diagnostic::error(Code::OutOfRange, loc, "an integer is divided by zero")
                    .help("write a divisor other than zero"),
            );
            return;
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr)
            && let Some(Const::Int(amount)) = self.constant(rhs)
            && let Some(scalar) = self.element_of(id)
            && !(0..i128::from(scalar.bits())).contains(&amount)
        {
            let bits = scalar.bits();
            self.error(
                Diagnostic::error(
                    Code::OutOfRange,
                    loc,
                    format!("`{}` cannot be shifted by {amount}", scalar.name()),
                )
                .help(format!("shift by 0 to {} bits", bits - 1)),
            );
            return;
        }
        if op != BinaryOp::Shl
            && let Some(value) = self.overflowing(id)
            && let Some(scalar) = self.element_of(id)
        {
            let name = scalar.name();
            let (least, greatest) = scalar.range().unwrap_or((0, 0));
            self.error(
                Diagnostic::error(
                    Code::OutOfRange,
                    loc,
                    format!("this is {value}, which does not fit into `{name}`"),
                )
                .note(format!("`{name}` holds {least} to {greatest}"))
                .help("convert the operands to a wider type with `as`"),
            );
        }
    }
}
