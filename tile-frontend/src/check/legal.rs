//! Checks the element types of operations, once they are known.
//!
//! In: an operation with known types. Out: nothing, or an error with its help.

use super::types::convert_help;
use super::{Checker, Operator};
use crate::hir::math::Takes;
use crate::hir::signature::HostScalar;
use crate::hir::{Const, ExprKind, MathOp, ReduceOp, RoundedOp, TileOp, Ty};
use crate::parse::ast::{BinaryOp, UnaryOp};
use tile_core::diag::{Code, Diagnostic};
use tile_core::ir::RoundingMode;

use HostScalar as H;

/// Element types of `mma`: of the operands, and of the accumulator.
const MMA_TABLE: [(&[H], &[H]); 8] = [
    (&[H::F16], &[H::F16, H::F32]),
    (&[H::Bf16], &[H::F32]),
    (&[H::Tf32], &[H::F32]),
    (&[H::F32], &[H::F32]),
    (&[H::F64], &[H::F64]),
    (&[H::F8e4m3], &[H::F16, H::F32]),
    (&[H::F8e5m2], &[H::F16, H::F32]),
    (&[H::I8, H::U8], &[H::I32]),
];

/// Returns the element type in which `dot` accumulates products.
pub(super) fn accumulator(input: HostScalar) -> Option<HostScalar> {
    let row = MMA_TABLE.iter().find(|(inputs, _)| inputs.contains(&input));
    row.and_then(|(_, accs)| accs.last().copied())
}

struct IllegalType {
    message: String,
    note: Option<String>,
    help: String,
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the arms that call it give an option"
)]
fn error(message: impl Into<String>, help: impl Into<String>) -> Option<IllegalType> {
    Some(IllegalType {
        message: message.into(),
        note: None,
        help: help.into(),
    })
}

impl Checker<'_> {
    pub(super) fn operator(&mut self, operator: &Operator) {
        let id = operator.expr;
        let text = &operator.text;
        // For a tuple, check the elements of the operand.
        let typed = match &self.exprs[id.index()].kind {
            ExprKind::Op(TileOp::SinCos(value)) => *value,
            _ => id,
        };
        let Some(result) = self.element_of(typed) else {
            return;
        };
        let is_tile = matches!(self.exprs[typed.index()].ty, Ty::Tile(..));
        let error = match &self.exprs[id.index()].kind {
            ExprKind::Int(value) => negative_literal(*value, result),
            ExprKind::Unary(op, _) => unary(*op, result, text),
            ExprKind::Binary(op, lhs, rhs) => {
                let amount = rhs;
                let (Some(lhs), Some(rhs)) = (self.element_of(*lhs), self.element_of(*rhs)) else {
                    return;
                };
                let amount = match self.constant(*amount) {
                    Some(Const::Int(amount)) if (0..=62).contains(&amount) && lhs.is_float() => {
                        Some(1_u64 << amount)
                    }
                    _ => None,
                };
                let error = binary(*op, lhs, rhs, text, is_tile);
                match (op, amount, error) {
                    (BinaryOp::Shl, Some(power), Some(IllegalType { message, note, .. })) => {
                        Some(IllegalType {
                            message,
                            note,
                            help: format!("write `{text} * {power}.0`, or convert to an integer"),
                        })
                    }
                    (BinaryOp::Shr, Some(power), Some(IllegalType { message, note, .. })) => {
                        Some(IllegalType {
                            message,
                            note,
                            help: format!("write `{text} / {power}.0`, or convert to an integer"),
                        })
                    }
                    (_, _, error) => error,
                }
            }
            ExprKind::Cast(value) => {
                let Some(from) = self.element_of(*value) else {
                    return;
                };
                cast(from, result, text, is_tile)
            }
            ExprKind::Math(op, args) => {
                let Some(from) = self.element_of(args[0]) else {
                    return;
                };
                math(*op, from, text, is_tile)
            }
            ExprKind::Reduce(op, value, _) => {
                let is_tile = matches!(self.exprs[value.index()].ty, Ty::Tile(..));
                reduce(*op, op.name(), result, text, is_tile)
            }
            ExprKind::Mma(lhs, rhs, _) => {
                let (Some(lhs), Some(rhs)) = (self.element_of(*lhs), self.element_of(*rhs)) else {
                    return;
                };
                mma(lhs, rhs, result)
            }
            ExprKind::Select(..) if result == H::F4e2m1 => error(
                "`select` does not work on `f4e2m1`",
                "choose among tiles of `f8e4m3` or `f32`, and convert the result",
            ),
            ExprKind::Op(op) => self.tile_op(op, result, text, is_tile),
            _ => None,
        };
        if let Some(IllegalType {
            message,
            note,
            help,
        }) = error
        {
            let loc = self.loc(id);
            let mut diagnostic = Diagnostic::error(Code::TypeMismatch, loc, message).help(help);
            if let Some(note) = note {
                diagnostic = diagnostic.note(note);
            }
            self.error(diagnostic);
        }
    }

    fn tile_op(
        &self,
        op: &TileOp,
        result: HostScalar,
        text: &str,
        is_tile: bool,
    ) -> Option<IllegalType> {
        match op {
            TileOp::Rounded(op, _, mode) => {
                rounded(*op, mode.rounding, mode.flush, result, text, is_tile)
            }
            TileOp::CastWith(value, rounding) => {
                let from = self.element_of(*value)?;
                cast_with(from, result, *rounding, text, is_tile)
            }
            TileOp::SaturatingCast(value) => {
                let from = self.element_of(*value)?;
                cast(from, result, text, is_tile)
            }
            TileOp::SinCos(value) => math(MathOp::Sin, self.element_of(*value)?, text, is_tile)
                .map(|error| IllegalType {
                    message: error.message.replacen("`sin`", "`sin_cos`", 1),
                    help: error.help.replace(".sin()", ".sin_cos()"),
                    note: error.note,
                }),
            TileOp::Unchecked(op, _, _) | TileOp::UncheckedShift(op, _, _) => {
                let name = unchecked_name(*op);
                (!result.is_integer()).then(|| IllegalType {
                    message: format!("`{name}` is for integers, found `{}`", result.name()),
                    note: None,
                    help: format!("write `{}`", op.symbol()),
                })
            }
            TileOp::BitCast(value) => bitcast(self.element_of(*value)?, result),
            TileOp::Scan(op, _, _, direction) => {
                reduce(*op, op.scan_name(*direction), result, text, is_tile)
            }
            TileOp::Arg(op, value, _) => {
                let name = match op {
                    ReduceOp::Min => "argmin",
                    _ => "argmax",
                };
                reduce(ReduceOp::Max, name, self.element_of(*value)?, text, true)
            }
            TileOp::MmaScaled(args) => {
                let [lhs, lhs_scale, rhs, rhs_scale] =
                    [args[0], args[1], args[2], args[3]].map(|arg| self.element_of(arg));
                mma_scaled([lhs?, lhs_scale?, rhs?, rhs_scale?], result)
            }
            TileOp::Take(..) if result.is_kernel_only() => error(
                format!("`gather` does not work on `{}`", result.name()),
                "gather first, and convert the result",
            ),
            TileOp::Extract(..)
            | TileOp::Take(..)
            | TileOp::Cat(..)
            | TileOp::Fold(_)
            | TileOp::Philox { .. }
            | TileOp::Random(..)
            | TileOp::Print(..)
            | TileOp::Assert(..)
            | TileOp::Assume(..)
            | TileOp::Ptx(_)
            | TileOp::OnCpu => None,
        }
    }
}

pub(super) fn unchecked_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Sub => "unchecked_sub",
        BinaryOp::Mul => "unchecked_mul",
        BinaryOp::Shl => "unchecked_shl",
        BinaryOp::Shr => "unchecked_shr",
        _ => "unchecked_add",
    }
}

fn conversion(text: &str, to: HostScalar, from: HostScalar, is_tile: bool) -> String {
    convert_help(text, None, to, from == H::Bool, !is_tile)
}

fn negative_literal(value: i128, scalar: HostScalar) -> Option<IllegalType> {
    if value >= 0 || scalar.is_signed() || !scalar.is_integer() {
        return None;
    }
    let name = scalar.name();
    error(
        format!("`{value}` cannot be a `{name}`, which has no negative values"),
        format!("write `{name}::MAX` for all ones, or use a signed type such as `i32`"),
    )
}

fn unary(op: UnaryOp, scalar: HostScalar, text: &str) -> Option<IllegalType> {
    let name = scalar.name();
    match op {
        UnaryOp::Neg if scalar == H::Bool => error(
            "`bool` cannot be negated with `-`",
            format!("write `!{text}`"),
        ),
        UnaryOp::Neg if scalar.is_integer() && !scalar.is_signed() => error(
            format!("`{name}` cannot be negated with `-`: it has no negative values"),
            format!("write `{text}.wrapping_neg()`, or use a signed type"),
        ),
        UnaryOp::Neg => storage_only("-", scalar),
        UnaryOp::Not if scalar.is_float() => error(
            format!("`!` is for `bool` and integers, found `{name}`"),
            format!("write `-{text}`, or a comparison"),
        ),
        UnaryOp::Not => None,
    }
}

/// Returns the error for arithmetic in a float format that only supports storage, conversion and
/// MMA.
fn storage_only(what: &str, scalar: HostScalar) -> Option<IllegalType> {
    if !scalar.is_float() || scalar.has_float_arithmetic() {
        return None;
    }
    if scalar == H::Tf32 {
        return error(
            format!("`{what}` does not work on `tf32`, which only `mma` takes"),
            "compute in `f32` and convert with `.cast::<tf32>()` in the call of `mma`",
        );
    }
    let name = scalar.name();
    let back = if scalar == H::F8e8m0 {
        "`.cast_with::<f8e8m0>(Rounding::PosInf)`".to_owned()
    } else {
        format!("`.cast::<{name}>()`")
    };
    Some(IllegalType {
        message: format!("`{what}` does not work on `{name}`"),
        note: Some(format!(
            "`{name}` is for storage, conversions and matrix multiplication"
        )),
        help: format!("convert first with `.cast::<f32>()`, and back with {back}"),
    })
}

fn binary(
    op: BinaryOp,
    lhs: HostScalar,
    rhs: HostScalar,
    text: &str,
    is_tile: bool,
) -> Option<IllegalType> {
    use BinaryOp as B;
    let symbol = op.symbol();
    if let Some(error) = storage_only(symbol, lhs) {
        return Some(error);
    }
    match op {
        B::Add | B::Sub | B::Mul | B::Div | B::Rem if lhs == H::Bool => error(
            format!("`{symbol}` is for numbers, found `bool`"),
            format!(
                "use `&`, `|` or `^`, or convert first: {}",
                conversion(text, H::I32, lhs, is_tile)
            ),
        ),
        B::BitAnd | B::BitOr | B::BitXor if lhs.is_float() => error(
            format!(
                "`{symbol}` is for `bool` and integers, found `{}`",
                lhs.name()
            ),
            "compare first, or convert to an integer",
        ),
        B::Shl | B::Shr if !lhs.is_integer() || !rhs.is_integer() => {
            let bad = if lhs.is_integer() { rhs } else { lhs };
            error(
                format!("`{symbol}` is for integers, found `{}`", bad.name()),
                "convert to an integer, or multiply by a power of two",
            )
        }
        _ => None,
    }
}

fn cast(from: HostScalar, to: HostScalar, text: &str, is_tile: bool) -> Option<IllegalType> {
    if from == to {
        return None;
    }
    if to == H::Bool {
        let zero = if from.is_float() { "0.0" } else { "0" };
        return error(
            format!("`{}` cannot be converted to `bool`", from.name()),
            format!("compare it: write `{text} != {zero}`"),
        );
    }
    if to == H::F8e8m0 {
        return Some(IllegalType {
            message: format!(
                "a conversion of `{}` to `f8e8m0` has to say how it rounds",
                from.name()
            ),
            note: Some("`f8e8m0` holds powers of two only".to_owned()),
            help: format!(
                "write `{text}.cast_with::<f8e8m0>(Rounding::PosInf)`, or `Rounding::Zero`"
            ),
        });
    }
    if from == H::Bool && to.is_float() && !is_tile {
        return error(
            format!("`bool` cannot be converted to `{}` with `as`", to.name()),
            format!("write `if {text} {{ 1.0 }} else {{ 0.0 }}`"),
        );
    }
    None
}

fn cast_with(
    from: HostScalar,
    to: HostScalar,
    rounding: RoundingMode,
    text: &str,
    is_tile: bool,
) -> Option<IllegalType> {
    let mode = rounding_name(rounding);
    let allowed: &[RoundingMode] = match (from.is_float(), to.is_float()) {
        (_, true) if to == H::F8e8m0 => &[RoundingMode::Zero, RoundingMode::PositiveInf],
        (true, false) if to.is_integer() => &[
            RoundingMode::NearestEven,
            RoundingMode::Zero,
            RoundingMode::NegativeInf,
            RoundingMode::PositiveInf,
        ],
        (_, true) => &[RoundingMode::NearestEven],
        (_, false) => {
            return cast(from, to, text, is_tile).or_else(|| {
                error(
                    format!(
                        "a conversion of `{}` to `{}` does not round",
                        from.name(),
                        to.name()
                    ),
                    format!("write `.cast::<{}>()`", to.name()),
                )
            });
        }
    };
    if to == H::F8e8m0 && !from.is_float() {
        return error(
            format!("`{}` cannot be converted to `f8e8m0` at once", from.name()),
            "convert to `f32` first: write `.cast::<f32>()` before it",
        );
    }
    if allowed.contains(&rounding) {
        return None;
    }
    error(
        format!(
            "a conversion of `{}` to `{}` cannot round by `Rounding::{mode}`",
            from.name(),
            to.name()
        ),
        format!("write {}", roundings(allowed)),
    )
}

/// Returns the name of the mode as a variant of `Rounding`.
pub(super) fn rounding_name(mode: RoundingMode) -> &'static str {
    super::language::ROUNDINGS.name_of(mode)
}

fn roundings(modes: &[RoundingMode]) -> String {
    let names: Vec<String> = modes
        .iter()
        .map(|&mode| format!("`Rounding::{}`", rounding_name(mode)))
        .collect();
    match names.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

fn rounded(
    op: RoundedOp,
    rounding: RoundingMode,
    flush: bool,
    scalar: HostScalar,
    text: &str,
    is_tile: bool,
) -> Option<IllegalType> {
    let name = op.name();
    if let Some(error) = storage_only(name, scalar) {
        return Some(error);
    }
    if op == RoundedOp::Div && scalar.is_integer() {
        let allowed: &[RoundingMode] = if scalar.is_signed() {
            &[
                RoundingMode::Zero,
                RoundingMode::NegativeInf,
                RoundingMode::PositiveInf,
            ]
        } else {
            &[RoundingMode::Zero, RoundingMode::PositiveInf]
        };
        if flush || !allowed.contains(&rounding) {
            return error(
                format!("`div_with` of `{}` does not round this way", scalar.name()),
                format!("write {}", roundings(allowed)),
            );
        }
        return None;
    }
    if !scalar.is_float() {
        return error(
            format!("`{name}` is for floats, found `{}`", scalar.name()),
            conversion(text, H::F32, scalar, is_tile),
        );
    }
    let (modes, flushes) = op.modes();
    if !modes.contains(&rounding) {
        return error(
            format!(
                "`{name}` cannot round by `Rounding::{}`",
                rounding_name(rounding)
            ),
            format!("write {}", roundings(modes)),
        );
    }
    let only_single = matches!(rounding, RoundingMode::Approx | RoundingMode::Full)
        && op != RoundedOp::Tanh
        && op != RoundedOp::Exp
        || rounding == RoundingMode::Approx;
    if only_single && scalar != H::F32 {
        return error(
            format!(
                "`Rounding::{}` is for `f32`, found `{}`",
                rounding_name(rounding),
                scalar.name()
            ),
            "compute in `f32`, or leave the rounding out",
        );
    }
    if flush && !flushes {
        return error(
            format!("`{name}` keeps subnormal numbers"),
            "leave `.ftz()` out",
        );
    }
    if flush && scalar != H::F32 {
        return error(
            format!("`.ftz()` is for `f32`, found `{}`", scalar.name()),
            "leave `.ftz()` out, or compute in `f32`",
        );
    }
    None
}

fn bitcast(from: HostScalar, to: HostScalar) -> Option<IllegalType> {
    if from.bits() == to.bits() {
        return None;
    }
    let bits = |scalar: HostScalar| match scalar.bits() {
        1 => "1 bit".to_owned(),
        bits => format!("{bits} bits"),
    };
    Some(IllegalType {
        message: format!(
            "`bitcast` keeps the number of bits, and `{}` has {} where `{}` has {}",
            from.name(),
            bits(from),
            to.name(),
            bits(to)
        ),
        note: None,
        help: format!("write `.cast::<{}>()` to convert the number", to.name()),
    })
}

fn math(op: MathOp, scalar: HostScalar, text: &str, is_tile: bool) -> Option<IllegalType> {
    let row = op.row();
    let name = row.name;
    if op == MathOp::ToBits && scalar.bits_type().is_some() {
        return None;
    }
    if let Some(error) = storage_only(name, scalar) {
        return Some(error);
    }
    let signed = scalar.is_signed();
    let takes = match row.takes {
        Takes::Floats => scalar.is_float(),
        Takes::Signed => signed,
        Takes::Integers => scalar.is_integer(),
        Takes::Unsigned => scalar.is_integer() && !signed,
        Takes::SignedAndFloats => signed || scalar.is_float(),
        Takes::Numbers => scalar.is_integer() || scalar.is_float(),
    };
    if takes {
        if op.flushes() && scalar != H::F32 {
            return error(
                format!("`{name}` is for `f32`, found `{}`", scalar.name()),
                format!(
                    "write `{}`, or compute in `f32`",
                    name.trim_end_matches("_ftz")
                ),
            );
        }
        return None;
    }
    if scalar == H::Bool {
        let target = match row.takes {
            Takes::Floats | Takes::SignedAndFloats | Takes::Numbers => H::F32,
            Takes::Signed | Takes::Integers => H::I32,
            Takes::Unsigned => H::U32,
        };
        return error(
            format!("`{name}` is for numbers, found `bool`"),
            conversion(text, target, scalar, is_tile),
        );
    }
    let result = scalar.name();
    match row.takes {
        Takes::SignedAndFloats | Takes::Signed if scalar.is_integer() => error(
            format!("`{name}` is for signed numbers, found `{result}`"),
            match op {
                MathOp::Signum => format!("write `{text}.min(1)`: it is never negative"),
                MathOp::SaturatingNeg => format!(
                    "write `{text} - {text}`, which is the nearest number to `-{text}`, or use a signed type"
                ),
                _ => format!("write `{text}`: it is never negative"),
            },
        ),
        Takes::Floats => error(
            format!("`{name}` is for floats, found `{result}`"),
            match op {
                MathOp::Powi => format!("write `{text}.pow(..)`"),
                MathOp::Log2 => format!(
                    "write `{text}.ilog2()` for the whole logarithm, or convert: {}",
                    conversion(text, H::F32, scalar, is_tile)
                ),
                MathOp::Log10 => format!(
                    "write `{text}.ilog10()` for the whole logarithm, or convert: {}",
                    conversion(text, H::F32, scalar, is_tile)
                ),
                MathOp::IsSignNegative => format!("write `{text} < 0`"),
                MathOp::IsSignPositive => format!("write `{text} >= 0`"),
                MathOp::ToBits => format!("write `{text}`: an integer is its bits"),
                MathOp::Maximum => format!("write `{text}.max(y)`"),
                MathOp::Minimum => format!("write `{text}.min(y)`"),
                _ if row.count == 1 && is_tile => format!("write `{text}.cast::<f32>().{name}()`"),
                _ if row.count == 1 => format!("write `({text} as f32).{name}()`"),
                _ => conversion(text, H::F32, scalar, is_tile),
            },
        ),
        Takes::Unsigned if scalar.is_integer() => error(
            format!("`{name}` is for unsigned integers, found `{result}`"),
            match op {
                MathOp::NextPowerOfTwo if is_tile => {
                    let name = scalar.unsigned().name();
                    format!("write `{text}.cast::<{name}>().next_power_of_two()`")
                }
                MathOp::NextPowerOfTwo => {
                    let name = scalar.unsigned().name();
                    format!("write `({text} as {name}).next_power_of_two()`")
                }
                _ => conversion(text, scalar.unsigned(), scalar, is_tile),
            },
        ),
        Takes::Signed | Takes::Integers | Takes::Unsigned => error(
            format!("`{name}` is for integers, found `{result}`"),
            match op {
                MathOp::WrappingAdd | MathOp::SaturatingAdd => format!("write `{text} + ..`"),
                MathOp::WrappingSub | MathOp::SaturatingSub => format!("write `{text} - ..`"),
                MathOp::WrappingMul | MathOp::SaturatingMul => format!("write `{text} * ..`"),
                MathOp::SaturatingDiv => format!("write `{text} / ..`"),
                MathOp::DivCeil => format!("write `({text} / ..).ceil()`"),
                MathOp::Isqrt => format!("write `{text}.sqrt().floor()`"),
                MathOp::Ilog2 => format!("write `{text}.log2().floor()`"),
                MathOp::Ilog10 => format!("write `{text}.log10().floor()`"),
                MathOp::Pow => format!("write `{text}.powi(..)`"),
                MathOp::AbsDiff => format!("write `({text} - ..).abs()`"),
                _ => "convert to an integer first, by `as` or `.bitcast::<..>()`".to_owned(),
            },
        ),
        Takes::SignedAndFloats | Takes::Numbers => None,
    }
}

fn reduce(
    op: ReduceOp,
    name: &str,
    scalar: HostScalar,
    text: &str,
    is_tile: bool,
) -> Option<IllegalType> {
    if let Some(error) = storage_only(name, scalar) {
        return Some(error);
    }
    match op {
        ReduceOp::Any | ReduceOp::All if scalar != H::Bool => {
            let zero = if scalar.is_float() { "0.0" } else { "0" };
            error(
                format!("`{name}` is for tiles of `bool`, found `{}`", scalar.name()),
                format!("compare first: write `({text} != {zero}).{name}(..)`"),
            )
        }
        ReduceOp::Any | ReduceOp::All => None,
        _ if scalar == H::Bool => error(
            format!("`{name}` is for numbers, found `bool`"),
            match op {
                ReduceOp::Max => format!("write `{text}.any(..)`"),
                ReduceOp::Min => format!("write `{text}.all(..)`"),
                _ => format!(
                    "convert first: {}",
                    conversion(text, H::I32, scalar, is_tile)
                ),
            },
        ),
        _ => None,
    }
}

fn mma(lhs: HostScalar, rhs: HostScalar, acc: HostScalar) -> Option<IllegalType> {
    let (l, r, a) = (lhs.name(), rhs.name(), acc.name());
    let row = MMA_TABLE
        .iter()
        .find(|(inputs, _)| inputs.contains(&lhs) && inputs.contains(&rhs));
    let note = "pairs are `f16` or 8-bit floats onto `f16` or `f32`, `bf16`, `tf32` or `f32` onto `f32`, `f64` onto `f64`, `i8` or `u8` onto `i32`";
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
    Some(IllegalType {
        message,
        note: Some(note.to_owned()),
        help,
    })
}

fn mma_scaled(
    [lhs, lhs_scale, rhs, rhs_scale]: [HostScalar; 4],
    acc: HostScalar,
) -> Option<IllegalType> {
    let note = "`f8e4m3` and `f8e5m2` are scaled by `f8e8m0`, `f4e2m1` by `f8e8m0` or `f8e4m3`; the sum is of `f32`";
    let scales: &[HostScalar] = match lhs {
        H::F8e4m3 | H::F8e5m2 => &[H::F8e8m0],
        H::F4e2m1 => &[H::F8e8m0, H::F8e4m3],
        _ => &[],
    };
    let (message, help) = if lhs != rhs || scales.is_empty() {
        (
            format!(
                "`mma_scaled` cannot multiply a tile of `{}` by a tile of `{}`",
                lhs.name(),
                rhs.name()
            ),
            "convert both operands to one of these, as in `.cast::<f8e4m3>()`",
        )
    } else if lhs_scale != rhs_scale || !scales.contains(&lhs_scale) {
        (
            format!(
                "`mma_scaled` cannot scale `{}` by `{}` and `{}`",
                lhs.name(),
                lhs_scale.name(),
                rhs_scale.name()
            ),
            "give both operands scales of one of these types",
        )
    } else if acc != H::F32 {
        (
            format!("`mma_scaled` cannot accumulate in `{}`", acc.name()),
            "start from `zeros::<f32>([..])`",
        )
    } else {
        return None;
    };
    Some(IllegalType {
        message,
        note: Some(note.to_owned()),
        help: help.to_owned(),
    })
}
