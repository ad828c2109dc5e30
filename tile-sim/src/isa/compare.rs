//! Comparison and selection (PTX ISA, "Comparison and Selection Instructions", `testp`).

mod relation;

use std::cmp::Ordering;

use super::float::format_of;
use super::soft::{F16, F32, Format};
use super::types::{Class, Type, mask, signed};
use super::{Op, Pred, Slot};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Condition, Decoded, Decoder};
use relation::Test;

/// A comparison or a selection.
#[derive(Clone, Debug)]
pub(crate) enum Compare {
    Set {
        test: Test,
        combine: Option<(Combine, Condition)>,
        dest: Pred,
        second: Option<Pred>,
        args: [Slot; 2],
    },
    /// `set`: `yes` where the comparison holds, else 0.
    Value {
        test: Test,
        combine: Option<(Combine, Condition)>,
        dest: Slot,
        yes: u64,
        args: [Slot; 2],
    },
    Select {
        bits: u8,
        dest: Slot,
        args: [Slot; 2],
        condition: Condition,
    },
    /// `slct`: the first operand where the third is not negative, else the second.
    BySign {
        bits: u8,
        float: bool,
        flush: bool,
        dest: Slot,
        args: [Slot; 3],
    },
    Property {
        property: Property,
        format: Format,
        dest: Pred,
        arg: Slot,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combine {
    And,
    Or,
    Xor,
}

const COMBINES: [(&str, Combine); 3] = [
    ("and", Combine::And),
    ("or", Combine::Or),
    ("xor", Combine::Xor),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let op = match d.opcode() {
        "setp" => set_predicate(d)?,
        "set" => set(d)?,
        "selp" => {
            let ty = d.ty_where(selectable)?;
            d.end(4)?;
            Compare::Select {
                bits: ty.bits,
                dest: d.dest_for(0, ty)?,
                args: [d.source(1, ty)?, d.source(2, ty)?],
                condition: d.condition(3)?,
            }
        }
        "slct" => {
            let flush = d.takes("ftz");
            let ty = d.ty_where(selectable)?;
            let by = d.ty_where(|by| by == Type::F32 || by == Type::S32 && !flush)?;
            d.end(4)?;
            Compare::BySign {
                bits: ty.bits,
                float: by == Type::F32,
                flush,
                dest: d.dest_for(0, ty)?,
                args: [d.source(1, ty)?, d.source(2, ty)?, d.source(3, by)?],
            }
        }
        _ => {
            let property = d.needs(&[
                ("finite", Property::Finite),
                ("infinite", Property::Infinite),
                ("number", Property::Number),
                ("notanumber", Property::NotANumber),
                ("normal", Property::Normal),
                ("subnormal", Property::Subnormal),
            ])?;
            let ty = d.ty_where(|ty| ty == Type::F32 || ty == Type::F64)?;
            d.end(2)?;
            Compare::Property {
                property,
                format: format_of(ty),
                dest: d.pred_dest(0)?,
                arg: d.source(1, ty)?,
            }
        }
    };
    Ok(Op::Compare(op))
}

/// Returns `true` for the operand types of `selp` and `slct`.
fn selectable(ty: Type) -> bool {
    let wide = ty.packed == 1 && matches!(ty.bits, 16 | 32 | 64);
    wide && (ty.is_integer() || ty.class == Class::Bits || matches!(ty, Type::F32 | Type::F64))
}

/// Decodes the comparison operator, the Boolean operator and the type.
fn test(d: &mut Decoder<'_>) -> Decoded<(Test, Option<Combine>)> {
    let operator = relation::operator(d)?;
    let combine = d.one_of(&COMBINES);
    let flush = d.takes("ftz");
    Ok((relation::test(d, operator, flush)?, combine))
}

fn set_predicate(d: &mut Decoder<'_>) -> Decoded<Compare> {
    let (test, combine) = test(d)?;
    d.end(if combine.is_some() { 4 } else { 3 })?;
    let (dest, second) = d.pred_pair(0)?;
    if second.is_some() && test.ty.is_float() && test.ty.bits == 16 && test.ty.packed == 1 {
        return d.error("a comparison of single halves sets one predicate");
    }
    Ok(Compare::Set {
        test,
        combine: combined(d, combine)?,
        dest,
        second,
        args: [d.source(1, test.ty)?, d.source(2, test.ty)?],
    })
}

fn set(d: &mut Decoder<'_>) -> Decoded<Compare> {
    let operator = relation::operator(d)?;
    let combine = d.one_of(&COMBINES);
    let flush = d.takes("ftz");
    let to = d.ty()?;
    let test = relation::test(d, operator, flush)?;
    let ty = test.ty;
    let word = to.packed == 1 && to.is_integer() && to.bits == 32;
    let short = to.packed == 1 && to.is_integer() && to.bits == 16;
    let half = ty.is_float() && ty.bits == 16;
    // PTX ISA, "set", "Half Precision Comparison Instructions: set".
    let exists = match to {
        _ if ty.packed == 2 => to == ty || word,
        _ if half && (word || short) => true,
        Type::F16 => ty != Type::BF16,
        Type::BF16 => !flush,
        _ => (word || to == Type::F32) && !half,
    };
    if !exists {
        return d.error("there is no result of this type for a comparison of this type");
    }
    if to.class == Class::Brain {
        d.requires((7, 8), 90)?;
    }
    d.end(if combine.is_some() { 4 } else { 3 })?;
    let yes = if to.is_float() {
        format_of(to).one()
    } else if ty.packed == 2 {
        0xffff
    } else {
        to.mask()
    };
    Ok(Compare::Value {
        test,
        combine: combined(d, combine)?,
        dest: d.dest_for(0, to)?,
        yes,
        args: [d.source(1, ty)?, d.source(2, ty)?],
    })
}

fn combined(
    d: &mut Decoder<'_>,
    combine: Option<Combine>,
) -> Decoded<Option<(Combine, Condition)>> {
    combine
        .map(|combine| Ok((combine, d.condition(3)?)))
        .transpose()
}

fn combine(r: &Registers, combination: Option<(Combine, Condition)>, test: u32) -> u32 {
    match combination {
        None => test,
        Some((Combine::And, condition)) => test & r.condition(condition),
        Some((Combine::Or, condition)) => test | r.condition(condition),
        Some((Combine::Xor, condition)) => test ^ r.condition(condition),
    }
}

impl Compare {
    pub(crate) fn execute(&self, r: &mut Registers, active: u32) {
        match *self {
            Self::Set {
                test,
                combine: combination,
                dest,
                second,
                args,
            } => {
                let low = test.lanes(r, args, 0);
                // The second predicate is that of the upper half of a packed pair; otherwise it is
                // the negation.
                let other = if test.ty.packed == 2 {
                    test.lanes(r, args, 16)
                } else {
                    !low
                };
                let (low, other) = (combine(r, combination, low), combine(r, combination, other));
                r.set_pred(active, dest, low);
                if let Some(second) = second {
                    r.set_pred(active, second, other);
                }
            }
            Self::Value {
                test,
                combine: combination,
                dest,
                yes,
                args,
            } => {
                let low = combine(r, combination, test.lanes(r, args, 0));
                let high = if test.ty.packed == 2 {
                    combine(r, combination, test.lanes(r, args, 16))
                } else {
                    0
                };
                r.each(active, dest, |lane| {
                    let value = |set: u32| if set >> lane & 1 == 1 { yes } else { 0 };
                    value(low) | value(high) << 16
                });
            }
            Self::Select {
                bits,
                dest,
                args: [a, b],
                condition,
            } => {
                let m = mask(u16::from(bits));
                let chosen = r.condition(condition);
                let (a, b) = (r.row_ref(a), r.row_ref(b));
                let mut out = [0; 32];
                for lane in 0..32 {
                    let select = 0u64.wrapping_sub(u64::from(chosen >> lane & 1));
                    out[lane] = (b[lane] ^ select & (a[lane] ^ b[lane])) & m;
                }
                r.write(active, dest, &out);
            }
            Self::BySign {
                bits,
                float,
                flush,
                dest,
                args: [a, b, c],
            } => {
                let m = mask(u16::from(bits));
                r.map3(active, dest, a, b, c, |x, y, by| {
                    let by = if float && flush { F32.flush(by) } else { by };
                    let first = if float {
                        F32.compare(by, 0).is_some_and(Ordering::is_ge)
                    } else {
                        signed(by, 32) >= 0
                    };
                    (if first { x } else { y }) & m
                });
            }
            Self::Property {
                property,
                format,
                dest,
                arg,
            } => {
                let row = r.row(arg);
                let mut result = 0;
                for lane in crate::machine::registers::lanes(active) {
                    result |= u32::from(has(property, format, row[lane])) << lane;
                }
                r.set_pred(active, dest, result);
            }
        }
    }
}

fn has(property: Property, format: Format, bits: u64) -> bool {
    debug_assert!(format != F16, "`testp` is for wider formats");
    let bits = bits & (format.sign_bit() | (format.sign_bit() - 1));
    let magnitude = bits & !format.sign_bit();
    let nan = format.is_nan(bits);
    let infinite = !nan && magnitude > format.greatest();
    let flushed = format.flush(magnitude) == 0;
    match property {
        Property::Finite => !nan && !infinite,
        Property::Infinite => infinite,
        Property::Number => !nan,
        Property::NotANumber => nan,
        Property::Normal => !nan && !infinite && !flushed,
        Property::Subnormal => magnitude != 0 && flushed,
    }
}
