//! Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions").

mod carry;
mod run;

use super::types::{Class, Type};
use super::{Op, Slot};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder};

/// An integer instruction.
#[derive(Clone, Debug)]
pub(crate) enum Integer {
    Plain(Plain),
    Carry(carry::Carry),
}

/// An instruction without a carry.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    kind: Kind,
    bits: u8,
    signed: bool,
    packed: bool,
    dest: Slot,
    /// The operands; unused ones repeat the first.
    args: [Slot; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Add,
    Sub,
    AddSaturated,
    SubSaturated,
    MulLow,
    MulHigh,
    MulWide,
    MadLow,
    MadHigh,
    MadHighSaturated,
    MadWide,
    Mul24 {
        high: bool,
    },
    Mad24 {
        high: bool,
    },
    Mad24HighSaturated,
    Div,
    Rem,
    Abs,
    Neg,
    Min,
    Max,
    /// `.relu`: clamps negative results to zero.
    MinPositive,
    MaxPositive,
    Sad,
    Popc,
    Clz,
    Brev,
    Bfind,
    BfindShift,
    Fns,
    Bfe,
    Bfi,
    Bmsk {
        clamp: bool,
    },
    Szext {
        clamp: bool,
    },
    Dp4a(Signs),
    Dp2a {
        signs: Signs,
        high: bool,
    },
}

/// The signedness of the elements of each factor of a dot product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Signs {
    lhs: bool,
    rhs: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Low,
    High,
    Wide,
}

pub(super) const PARTS: [(&str, Part); 3] =
    [("lo", Part::Low), ("hi", Part::High), ("wide", Part::Wide)];

fn single(ty: Type) -> bool {
    ty.is_integer() && ty.packed == 1 && ty.bits >= 16
}

fn word(ty: Type) -> bool {
    single(ty) && ty.bits == 32
}

pub(super) fn words(ty: Type) -> bool {
    single(ty) && ty.bits >= 32
}

fn bit_words(ty: Type) -> bool {
    ty.class == Class::Bits && matches!(ty.bits, 32 | 64)
}

/// Decodes an integer type of one element or two packed elements.
fn of_pairs(d: &mut Decoder<'_>) -> Decoded<Type> {
    let ty = d.ty_where(|ty| ty.is_integer() && ty.bits >= 16)?;
    if ty.packed == 2 {
        d.requires((8, 0), 90)?;
    }
    Ok(ty)
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    if let Some(carry) = carry::decode(d)? {
        return Ok(Op::Integer(Integer::Carry(carry)));
    }
    let (kind, ty, operands) = kind(d)?;
    d.end(operands + 1)?;
    let wide = matches!(kind, Kind::MulWide | Kind::MadWide);
    if wide && ty.bits == 64 {
        return d.error("no type is twice as wide as 64 bits: write `.lo` and `.hi`");
    }
    let result = match kind {
        Kind::MulWide | Kind::MadWide => Type::new(ty.class, ty.bits * 2),
        Kind::Popc | Kind::Clz | Kind::Bfind | Kind::BfindShift => Type::B32,
        _ => ty,
    };
    let dest = d.dest_for(0, result)?;
    let mut args = [dest; 4];
    for (index, arg) in args.iter_mut().enumerate().take(operands) {
        let operand_type = match (kind, index) {
            (Kind::MadWide, 2) => result,
            (Kind::Bfe, 1 | 2) | (Kind::Bfi, 2 | 3) => Type::B32,
            _ => ty,
        };
        *arg = d.source(index + 1, operand_type)?;
    }
    for index in operands..4 {
        args[index] = args[0];
    }
    Ok(Op::Integer(Integer::Plain(Plain {
        kind,
        bits: ty.bits,
        signed: ty.is_signed(),
        packed: ty.packed == 2,
        dest,
        args,
    })))
}

/// Decodes the kind, the type and the number of source operands.
fn kind(d: &mut Decoder<'_>) -> Decoded<(Kind, Type, usize)> {
    let opcode = d.opcode();
    Ok(match opcode {
        "add" | "sub" => {
            let subtract = opcode == "sub";
            if d.takes("sat") {
                let kind = if subtract {
                    Kind::SubSaturated
                } else {
                    Kind::AddSaturated
                };
                (kind, d.ty_where(|ty| ty == Type::S32)?, 2)
            } else if subtract {
                (Kind::Sub, d.ty_where(single)?, 2)
            } else {
                (Kind::Add, of_pairs(d)?, 2)
            }
        }
        "mul" => {
            let kind = match d.needs(&PARTS)? {
                Part::Low => Kind::MulLow,
                Part::High => Kind::MulHigh,
                Part::Wide => Kind::MulWide,
            };
            (kind, d.ty_where(single)?, 2)
        }
        "mad" => match d.needs(&PARTS)? {
            Part::Low => (Kind::MadLow, d.ty_where(single)?, 3),
            Part::High if d.takes("sat") => {
                (Kind::MadHighSaturated, d.ty_where(|ty| ty == Type::S32)?, 3)
            }
            Part::High => (Kind::MadHigh, d.ty_where(single)?, 3),
            Part::Wide => (Kind::MadWide, d.ty_where(single)?, 3),
        },
        "mul24" => {
            let high = d.needs(&PARTS[..2])? == Part::High;
            (Kind::Mul24 { high }, d.ty_where(word)?, 2)
        }
        "mad24" => {
            let high = d.needs(&PARTS[..2])? == Part::High;
            if high && d.takes("sat") {
                let ty = d.ty_where(|ty| ty == Type::S32)?;
                (Kind::Mad24HighSaturated, ty, 3)
            } else {
                (Kind::Mad24 { high }, d.ty_where(word)?, 3)
            }
        }
        "div" => (Kind::Div, d.ty_where(single)?, 2),
        "rem" => (Kind::Rem, d.ty_where(single)?, 2),
        "abs" | "neg" => {
            let kind = if opcode == "abs" {
                Kind::Abs
            } else {
                Kind::Neg
            };
            (kind, d.ty_where(|ty| single(ty) && ty.is_signed())?, 1)
        }
        "min" | "max" => {
            let max = opcode == "max";
            if d.takes("relu") {
                let ty = d.ty_where(|ty| ty.is_signed() && ty.total_bits() == 32)?;
                d.requires((8, 0), 90)?;
                let kind = if max {
                    Kind::MaxPositive
                } else {
                    Kind::MinPositive
                };
                (kind, ty, 2)
            } else {
                (if max { Kind::Max } else { Kind::Min }, of_pairs(d)?, 2)
            }
        }
        "sad" => (Kind::Sad, d.ty_where(single)?, 3),
        "popc" => (Kind::Popc, d.ty_where(bit_words)?, 1),
        "clz" => (Kind::Clz, d.ty_where(bit_words)?, 1),
        "brev" => (Kind::Brev, d.ty_where(bit_words)?, 1),
        "bfind" => {
            let kind = if d.takes("shiftamt") {
                Kind::BfindShift
            } else {
                Kind::Bfind
            };
            (kind, d.ty_where(words)?, 1)
        }
        "fns" => (Kind::Fns, d.ty_where(|ty| ty == Type::B32)?, 3),
        "bfe" => (Kind::Bfe, d.ty_where(words)?, 3),
        "bfi" => (Kind::Bfi, d.ty_where(bit_words)?, 4),
        "bmsk" | "szext" => {
            let clamp = d.needs(&[("clamp", true), ("wrap", false)])?;
            d.requires((7, 6), 70)?;
            if opcode == "bmsk" {
                (Kind::Bmsk { clamp }, d.ty_where(|ty| ty == Type::B32)?, 2)
            } else {
                (Kind::Szext { clamp }, d.ty_where(word)?, 2)
            }
        }
        "dp4a" => (Kind::Dp4a(signs(d)?), Type::B32, 3),
        "dp2a" => {
            let high = d.needs(&PARTS[..2])? == Part::High;
            let signs = signs(d)?;
            (Kind::Dp2a { signs, high }, Type::B32, 3)
        }
        _ => return d.unexpected(),
    })
}

fn signs(d: &mut Decoder<'_>) -> Decoded<Signs> {
    let table = [("s32", true), ("u32", false)];
    Ok(Signs {
        lhs: d.needs(&table)?,
        rhs: d.needs(&table)?,
    })
}

impl Integer {
    pub(crate) fn execute(&self, r: &mut Registers, active: u32) {
        match self {
            Self::Plain(op) => op.execute(r, active),
            Self::Carry(op) => op.execute(r, active),
        }
    }
}
