//! Floating-point arithmetic (PTX ISA, "Floating-Point Instructions", "Half Precision
//! Floating-Point Instructions", "Mixed Precision Floating-Point Instructions").

pub(crate) mod approximate;
mod extremum;
pub(crate) mod native;
mod run;

use super::soft::{BF16, F16, F32, F64, Format, Rounding};
use super::types::{Class, Type};
use super::{Op, Slot};
use crate::parse::decoder::{Decoded, Decoder};
use extremum::Extremum;
pub(crate) use extremum::extreme;

/// A floating-point instruction.
#[derive(Clone, Debug)]
pub(crate) struct Float {
    kind: Kind,
    /// The format of the result, and of operands without one of their own.
    format: Format,
    packed: bool,
    rounding: Rounding,
    /// `.ftz`: subnormal operands and results become zeros.
    flush: bool,
    clamp: Clamp,
    /// `.oob`: the result is zero if an operand is the out-of-bounds NaN.
    zero_out_of_bounds: bool,
    dest: Slot,
    args: [Slot; 3],
}

/// The treatment of the rounded result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clamp {
    None,
    /// `.sat`: clamps to [0, 1].
    Unit,
    /// `.relu`: clamps negative numbers to zero.
    Positive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Add,
    Sub,
    Mul,
    Fma,
    /// An f32 addition, subtraction or fused multiply-add with operands of this format.
    MixedAdd(Format),
    MixedSub(Format),
    MixedFma(Format),
    Div,
    /// `div.approx`: multiplies by the reciprocal.
    DivApproximate,
    Reciprocal,
    /// `rcp.approx.ftz.f64`: computes only the upper half of the result.
    ReciprocalUpper,
    Sqrt,
    Rsqrt,
    /// `rsqrt.approx.ftz.f64`: computes only the upper half of the result.
    RsqrtUpper,
    Sin,
    Cos,
    Lg2,
    Ex2,
    Tanh,
    Abs,
    Neg,
    Extremum(Extremum),
    /// `min` and `max` of three operands.
    Extremum3(Extremum),
    Copysign,
}

const ROUNDINGS: [(&str, Rounding); 4] = [
    ("rn", Rounding::NearestEven),
    ("rz", Rounding::Zero),
    ("rm", Rounding::Down),
    ("rp", Rounding::Up),
];

/// The modifiers between the opcode and the type.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each modifier")]
struct Modifiers {
    rounding: Option<Rounding>,
    approx: bool,
    full: bool,
    ftz: bool,
    sat: bool,
    relu: bool,
    oob: bool,
    nan: bool,
    xor_sign: bool,
    abs: bool,
}

impl Modifiers {
    fn read(d: &mut Decoder<'_>) -> Decoded<Self> {
        let extremum = matches!(d.opcode(), "min" | "max");
        let mut modifiers = Self {
            rounding: if extremum { None } else { d.one_of(&ROUNDINGS) },
            ..Self::default()
        };
        if modifiers.rounding.is_none() && !extremum {
            modifiers.approx = d.takes("approx");
            modifiers.full = !modifiers.approx && d.takes("full");
        }
        modifiers.ftz = d.takes("ftz");
        if extremum {
            modifiers.nan = d.takes("NaN");
            modifiers.xor_sign = d.takes("xorsign");
            modifiers.abs = d.takes("abs");
            if modifiers.xor_sign && !modifiers.abs {
                return d.error("`.xorsign` must precede `.abs`");
            }
        } else {
            modifiers.sat = d.takes("sat");
            modifiers.oob = !modifiers.sat && d.takes("oob");
            modifiers.relu = !modifiers.sat && d.takes("relu");
        }
        Ok(modifiers)
    }
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let modifiers = Modifiers::read(d)?;
    let ty = d.ty_where(Type::is_float)?;
    let mixed = match d.peek().and_then(Type::parse) {
        Some(from @ (Type::F16 | Type::BF16)) if ty == Type::F32 => {
            d.ty()?;
            Some(from)
        }
        _ => None,
    };
    let kind = kind(d, modifiers, ty, mixed)?;
    allowed(d, modifiers, ty, mixed)?;
    let operands = match kind {
        Kind::Fma | Kind::MixedFma(_) | Kind::Extremum3(_) => 3,
        Kind::Add
        | Kind::Sub
        | Kind::Mul
        | Kind::MixedAdd(_)
        | Kind::MixedSub(_)
        | Kind::Div
        | Kind::DivApproximate
        | Kind::Copysign
        | Kind::Extremum(_) => 2,
        _ => 1,
    };
    d.end(operands + 1)?;
    let dest = d.dest_for(0, ty)?;
    let factors = if operands == 3 { 2 } else { 1 };
    let operand_format = |index: usize| match mixed {
        Some(from) if index < factors => from,
        _ => ty,
    };
    let first = d.source(1, operand_format(0))?;
    let mut args = [first; 3];
    for (index, arg) in args.iter_mut().enumerate().take(operands).skip(1) {
        *arg = d.source(index + 1, operand_format(index))?;
    }
    let clamp = match modifiers {
        Modifiers { sat: true, .. } => Clamp::Unit,
        Modifiers { relu: true, .. } => Clamp::Positive,
        _ => Clamp::None,
    };
    Ok(Op::Float(Float {
        kind,
        format: format_of(ty),
        packed: ty.packed == 2,
        rounding: modifiers.rounding.unwrap_or(Rounding::NearestEven),
        flush: modifiers.ftz,
        clamp,
        zero_out_of_bounds: modifiers.oob,
        dest,
        args,
    }))
}

fn kind(d: &Decoder<'_>, modifiers: Modifiers, ty: Type, mixed: Option<Type>) -> Decoded<Kind> {
    let upper = ty == Type::F64 && modifiers.ftz;
    Ok(match (d.opcode(), mixed.map(format_of)) {
        ("add", None) => Kind::Add,
        ("add", Some(format)) => Kind::MixedAdd(format),
        ("sub", None) => Kind::Sub,
        ("sub", Some(format)) => Kind::MixedSub(format),
        ("fma", Some(format)) => Kind::MixedFma(format),
        (_, Some(_)) => return d.unexpected(),
        ("mul", _) => Kind::Mul,
        ("fma" | "mad", _) => Kind::Fma,
        ("div", _) if modifiers.approx => Kind::DivApproximate,
        ("div", _) => Kind::Div,
        ("rcp", _) if upper => Kind::ReciprocalUpper,
        ("rcp", _) => Kind::Reciprocal,
        ("sqrt", _) => Kind::Sqrt,
        ("rsqrt", _) if upper => Kind::RsqrtUpper,
        ("rsqrt", _) => Kind::Rsqrt,
        ("sin", _) => Kind::Sin,
        ("cos", _) => Kind::Cos,
        ("lg2", _) => Kind::Lg2,
        ("ex2", _) => Kind::Ex2,
        ("tanh", _) => Kind::Tanh,
        ("abs", _) => Kind::Abs,
        ("neg", _) => Kind::Neg,
        ("copysign", _) => Kind::Copysign,
        (opcode, _) => {
            let extremum = Extremum {
                max: opcode == "max",
                propagate: modifiers.nan,
                xor_sign: modifiers.xor_sign,
                abs: modifiers.abs,
            };
            if d.operands() == 4 {
                Kind::Extremum3(extremum)
            } else {
                Kind::Extremum(extremum)
            }
        }
    })
}

/// Checks that the form exists for the target.
fn allowed(d: &Decoder<'_>, modifiers: Modifiers, ty: Type, mixed: Option<Type>) -> Decoded<()> {
    let Modifiers {
        rounding,
        approx,
        full,
        ftz,
        sat,
        relu,
        oob,
        nan,
        xor_sign,
        abs,
    } = modifiers;
    let opcode = d.opcode();
    let arithmetic = matches!(opcode, "add" | "sub" | "mul");
    let fused = opcode == "fma";
    let (half, brain) = (
        ty.class == Class::Float && ty.bits == 16,
        ty.class == Class::Brain,
    );
    let (single, pair) = (ty == Type::F32, ty.packed == 2 && ty.bits == 32);
    let double = ty == Type::F64;
    let nearest = rounding.is_none_or(|rounding| rounding == Rounding::NearestEven);
    // The tests follow the syntax of each instruction in the PTX ISA; the last step checks the
    // versions and targets of "PTX ISA Notes" and "Target ISA Notes".
    let exists = match opcode {
        "add" | "sub" | "mul" | "fma" => true,
        "mad" | "div" | "sqrt" | "rcp" | "rsqrt" | "copysign" => single || double,
        "sin" | "cos" | "lg2" => single,
        "ex2" | "tanh" => single || half || brain,
        _ => !pair,
    };
    if !exists {
        return d.error("the instruction does not exist for the type");
    }
    let rounds = arithmetic || matches!(opcode, "fma" | "mad" | "div" | "rcp" | "sqrt");
    if rounding.is_some() && (!rounds || !nearest && (half || brain)) {
        return d.error("the rounding does not exist for the type");
    }
    let approximates = match opcode {
        "div" | "rcp" | "sqrt" => single || opcode == "rcp" && double && ftz,
        "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => true,
        _ => false,
    };
    if approx && !approximates || full && !(opcode == "div" && single) {
        return d.error("`.approx` or `.full` does not exist for the type: write a rounding");
    }
    if rounding.is_none() && !arithmetic && (rounds || approximates) && !approx && !full {
        return d.error(if approximates {
            "a rounding or `.approx` is missing"
        } else {
            "a rounding is missing"
        });
    }
    let flushes = match opcode {
        "add" | "sub" | "mul" | "fma" => (half || single || pair) && !oob && mixed.is_none(),
        "mad" | "div" | "sqrt" | "sin" | "cos" | "lg2" => single,
        "rcp" => single || double && approx,
        "rsqrt" => single || double,
        "ex2" => single || brain,
        "abs" | "neg" | "min" | "max" => half || single,
        _ => false,
    };
    if ftz && !flushes {
        return d.error("`.ftz` does not exist for the type");
    }
    if !ftz && opcode == "ex2" && brain {
        return d.error("`.ftz` is missing");
    }
    let saturates = (arithmetic || fused || opcode == "mad") && (half || single);
    if sat && !saturates || (relu || oob) && !(fused && (half || brain)) {
        return d.error("`.sat`, `.relu` or `.oob` does not exist for the type");
    }
    let three = matches!(opcode, "min" | "max") && d.operands() == 4;
    if double && (nan || abs) || abs && !xor_sign && !three || three && (xor_sign || !single) {
        return d.error("the modifiers do not exist for the type and the number of operands");
    }
    let min: ((u8, u8), u16) = if pair || mixed.is_some() {
        ((8, 6), 100)
    } else if three {
        ((8, 8), 100)
    } else if oob {
        ((8, 1), 90)
    } else if brain && (arithmetic || matches!(opcode, "ex2" | "tanh")) {
        ((7, 8), 90)
    } else if xor_sign {
        ((7, 2), 86)
    } else if brain || relu || nan || half && matches!(opcode, "min" | "max") {
        ((7, 0), 80)
    } else if opcode == "tanh" || opcode == "ex2" && half {
        ((7, 0), 75)
    } else {
        return Ok(());
    };
    d.requires(min.0, min.1)
}

/// Returns the format of a floating-point type.
pub(crate) fn format_of(ty: Type) -> Format {
    match (ty.class, ty.bits) {
        (Class::Brain, _) => BF16,
        (Class::Float, 16) => F16,
        (Class::Float, 64) => F64,
        _ => F32,
    }
}
