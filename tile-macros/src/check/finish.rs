//! What can be said only when all types are known: literals that do not fit,
//! operators that an element type does not have, arithmetic on constants that
//! overflows.

use super::types::{Kind, Var, convert_help};
use super::{Checker, Operator};
use crate::hir::signature::HostScalar;
use crate::hir::{Const, Elem, ExprId, ExprKind, Float, MathOp, ReduceOp, Ty};
use crate::parse::ast::{BinaryOp, UnaryOp};
use tile_core::diag::{Code, Diagnostic};

/// What `mma` multiplies: left and right elements, accumulator.
const MMA_TABLE: [(&[HostScalar], &[HostScalar]); 6] = [
    (&[HostScalar::F16], &[HostScalar::F16, HostScalar::F32]),
    (&[HostScalar::Bf16], &[HostScalar::F32]),
    (&[HostScalar::Tf32], &[HostScalar::F32]),
    (&[HostScalar::F32], &[HostScalar::F32]),
    (&[HostScalar::F64], &[HostScalar::F64]),
    (&[HostScalar::I8, HostScalar::U8], &[HostScalar::I32]),
];

impl Checker<'_> {
    /// Fills what is left open, resolves every type, and reports what the
    /// known types forbid.
    pub(super) fn finish(&mut self) {
        self.fill_open_types();
        for at in 0..self.exprs.len() {
            self.exprs[at].ty = self.resolve(&self.exprs[at].ty);
        }
        for at in 0..self.locals.len() {
            self.locals[at].ty = self.resolve(&self.locals[at].ty);
        }
        self.finish_matches();
        for operator in std::mem::take(&mut self.operators) {
            self.calls.look_at(operator.expr);
            self.operator(&operator);
        }
        for at in 0..self.exprs.len() {
            self.calls.look_at(ExprId::new(at));
            self.literal(ExprId::new(at));
            self.constant_arithmetic(ExprId::new(at));
        }
    }

    fn fill_open_types(&mut self) {
        for var in &mut self.vars {
            match var {
                Var::Free(Kind::Integer) => *var = Var::Is(Elem::Known(HostScalar::I32)),
                Var::Free(Kind::Float) => *var = Var::Is(Elem::Known(HostScalar::F64)),
                Var::Free(Kind::Any) | Var::Is(_) => {}
            }
        }
        for at in 0..self.exprs.len() {
            let ty = self.resolve(&self.exprs[at].ty);
            if let Some((Elem::Var(var), _)) = ty.number() {
                let loc = self.exprs[at].loc;
                // Another fault may have kept the use from giving the type.
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

    fn element_of(&self, id: ExprId) -> Option<HostScalar> {
        match self.exprs[id.index()].ty.number() {
            Some((Elem::Known(scalar), _)) => Some(scalar),
            _ => None,
        }
    }

    /// Reports a number that its type cannot hold; gives `zeros` its zero.
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
            return;
        }
        if scalar == HostScalar::Bool {
            self.exprs[id.index()].kind = ExprKind::Bool(value != 0);
            return;
        }
        if scalar.holds(value) || (value < 0 && !scalar.is_signed()) {
            // A negated unsigned literal was reported as an operator.
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
        let help = match fitting {
            Some(wider) => format!(
                "write a number in that range, or compute in `{}`",
                wider.name()
            ),
            None => "write a number in that range".to_owned(),
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

    /// A finite literal that would become infinite.
    fn float_literal(&mut self, id: ExprId, value: f64) {
        let Some(scalar) = self.element_of(id) else {
            return;
        };
        // Halfway between the greatest finite value and the next power of two
        // rounds up to infinity.
        let limit = match scalar {
            HostScalar::F16 => 65520.0,
            HostScalar::F32 => (2.0 - 2.0_f64.powi(-24)) * 2.0_f64.powi(127),
            HostScalar::Bf16 => (2.0 - 2.0_f64.powi(-8)) * 2.0_f64.powi(127),
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
            .help(format!("write a smaller number, or `{name}::INFINITY`")),
        );
    }

    /// Constant arithmetic that leaves its type, which rustc refuses too.
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

    fn operator(&mut self, operator: &Operator) {
        let id = operator.expr;
        let text = &operator.text;
        let Some(result) = self.element_of(id) else {
            return;
        };
        let is_tile = matches!(self.exprs[id.index()].ty, Ty::Tile(..));
        let fault = match &self.exprs[id.index()].kind {
            ExprKind::Int(value) => negative_literal(*value, result),
            ExprKind::Unary(op, _) => unary(*op, result, text),
            ExprKind::Binary(op, lhs, rhs) => {
                let (Some(lhs), Some(rhs)) = (self.element_of(*lhs), self.element_of(*rhs)) else {
                    return;
                };
                binary(*op, lhs, rhs, text, is_tile)
            }
            ExprKind::Cast(value) => {
                let Some(from) = self.element_of(*value) else {
                    return;
                };
                cast(from, result, text, is_tile)
            }
            ExprKind::Math(op, _) => math(*op, result, text, is_tile),
            ExprKind::Reduce(op, value, _) => {
                let is_tile = matches!(self.exprs[value.index()].ty, Ty::Tile(..));
                reduce(*op, result, text, is_tile)
            }
            ExprKind::Mma(lhs, rhs, _) => {
                let (Some(lhs), Some(rhs)) = (self.element_of(*lhs), self.element_of(*rhs)) else {
                    return;
                };
                mma(lhs, rhs, result)
            }
            _ => None,
        };
        if let Some(Fault {
            message,
            note,
            help,
        }) = fault
        {
            let loc = self.loc(id);
            let mut diagnostic = Diagnostic::error(Code::TypeMismatch, loc, message).help(help);
            if let Some(note) = note {
                diagnostic = diagnostic.note(note);
            }
            self.error(diagnostic);
        }
    }
}

struct Fault {
    message: String,
    note: Option<String>,
    help: String,
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the arms that call it give an option"
)]
fn fault(message: impl Into<String>, help: impl Into<String>) -> Option<Fault> {
    Some(Fault {
        message: message.into(),
        note: None,
        help: help.into(),
    })
}

fn conversion(text: &str, to: HostScalar, from: HostScalar, is_tile: bool) -> String {
    convert_help(text, None, to, from == HostScalar::Bool, !is_tile)
}

fn negative_literal(value: i128, scalar: HostScalar) -> Option<Fault> {
    if value >= 0 || scalar.is_signed() || !scalar.is_integer() {
        return None;
    }
    let name = scalar.name();
    fault(
        format!("`{value}` cannot be a `{name}`, which has no negative values"),
        format!("write `{name}::MAX` for all ones, or use a signed type such as `i32`"),
    )
}

fn unary(op: UnaryOp, scalar: HostScalar, text: &str) -> Option<Fault> {
    let name = scalar.name();
    match op {
        UnaryOp::Neg if scalar == HostScalar::Bool => fault(
            "`bool` cannot be negated with `-`",
            format!("write `!{text}`"),
        ),
        UnaryOp::Neg if scalar.is_integer() && !scalar.is_signed() => fault(
            format!("`{name}` cannot be negated with `-`: it has no negative values"),
            format!("write `0 - {text}`, which wraps, or use a signed type"),
        ),
        UnaryOp::Neg if scalar == HostScalar::Tf32 => tf32("-"),
        UnaryOp::Not if scalar.is_float() => fault(
            format!("`!` is for `bool` and integers, found `{name}`"),
            format!("write `-{text}`, or a comparison"),
        ),
        UnaryOp::Neg | UnaryOp::Not => None,
    }
}

fn tf32(what: &str) -> Option<Fault> {
    fault(
        format!("`{what}` does not work on `tf32`, which only `mma` takes"),
        "compute in `f32` and convert with `.cast::<tf32>()` in the call of `mma`",
    )
}

fn binary(
    op: BinaryOp,
    lhs: HostScalar,
    rhs: HostScalar,
    text: &str,
    is_tile: bool,
) -> Option<Fault> {
    use BinaryOp as B;
    let symbol = op.symbol();
    if lhs == HostScalar::Tf32 {
        return tf32(symbol);
    }
    match op {
        B::Add | B::Sub | B::Mul | B::Div | B::Rem if lhs == HostScalar::Bool => fault(
            format!("`{symbol}` is for numbers, found `bool`"),
            format!(
                "use `&`, `|` or `^`, or convert first: {}",
                conversion(text, HostScalar::I32, lhs, is_tile)
            ),
        ),
        B::BitAnd | B::BitOr | B::BitXor if lhs.is_float() => fault(
            format!(
                "`{symbol}` is for `bool` and integers, found `{}`",
                lhs.name()
            ),
            "compare first, or convert to an integer",
        ),
        B::Shl | B::Shr if !lhs.is_integer() || !rhs.is_integer() => {
            let bad = if lhs.is_integer() { rhs } else { lhs };
            fault(
                format!("`{symbol}` is for integers, found `{}`", bad.name()),
                "convert to an integer, or multiply by a power of two",
            )
        }
        _ => None,
    }
}

fn cast(from: HostScalar, to: HostScalar, text: &str, is_tile: bool) -> Option<Fault> {
    if from == to {
        return None;
    }
    if to == HostScalar::Bool {
        let zero = if from.is_float() { "0.0" } else { "0" };
        return fault(
            format!("`{}` cannot be converted to `bool`", from.name()),
            format!("compare it: write `{text} != {zero}`"),
        );
    }
    if from == HostScalar::Bool && to.is_float() && !is_tile {
        return fault(
            format!("`bool` cannot be converted to `{}` with `as`", to.name()),
            format!("write `if {text} {{ 1.0 }} else {{ 0.0 }}`"),
        );
    }
    None
}

fn math(op: MathOp, scalar: HostScalar, text: &str, is_tile: bool) -> Option<Fault> {
    let name = op.name();
    if scalar == HostScalar::Tf32 {
        return tf32(name);
    }
    if scalar.is_float() {
        return None;
    }
    if scalar == HostScalar::Bool {
        return fault(
            format!("`{name}` is for numbers, found `bool`"),
            conversion(text, HostScalar::F32, scalar, is_tile),
        );
    }
    if op == MathOp::Abs && !scalar.is_signed() {
        return fault(
            format!("`abs` is for signed numbers, found `{}`", scalar.name()),
            format!("write `{text}`: it is never negative"),
        );
    }
    if op.takes_integers() {
        return None;
    }
    fault(
        format!("`{name}` is for floats, found `{}`", scalar.name()),
        conversion(text, HostScalar::F32, scalar, is_tile),
    )
}

fn reduce(op: ReduceOp, scalar: HostScalar, text: &str, is_tile: bool) -> Option<Fault> {
    match scalar {
        HostScalar::Tf32 => tf32(op.name()),
        HostScalar::Bool => fault(
            format!("`{}` is for numbers, found `bool`", op.name()),
            format!(
                "convert first: {}",
                conversion(text, HostScalar::I32, scalar, is_tile)
            ),
        ),
        _ => None,
    }
}

fn mma(lhs: HostScalar, rhs: HostScalar, acc: HostScalar) -> Option<Fault> {
    let (l, r, a) = (lhs.name(), rhs.name(), acc.name());
    let row = MMA_TABLE
        .iter()
        .find(|(inputs, _)| inputs.contains(&lhs) && inputs.contains(&rhs));
    let note = "pairs are `f16` onto `f16` or `f32`, `bf16`, `tf32` or `f32` onto `f32`, `f64` onto `f64`, `i8` or `u8` onto `i32`";
    let (message, help) = match row {
        Some((_, accs)) if accs.contains(&acc) => return None,
        Some((_, accs)) => {
            let best = accs.last().map_or("f32", |best| best.name());
            (
                format!("`mma` of `{l}` and `{r}` cannot accumulate in `{a}`"),
                format!("accumulate in `{best}`: start from `zeros::<{best}>([..])`"),
            )
        }
        None if lhs == rhs => (
            format!("`mma` cannot multiply tiles of `{l}`"),
            "convert the operands to one of these, as in `.cast::<f16>()`".to_owned(),
        ),
        None => (
            format!("`mma` cannot multiply a tile of `{l}` by a tile of `{r}`"),
            format!("convert one operand, as in `.cast::<{l}>()`"),
        ),
    };
    Some(Fault {
        message,
        note: Some(note.to_owned()),
        help,
    })
}
