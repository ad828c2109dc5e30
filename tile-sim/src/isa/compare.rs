//! Comparison and selection (PTX ISA, "Comparison and Selection Instructions", `testp`).

use std::cmp::Ordering;

use super::float::format_of;
use super::soft::{F16, F32, Format, Rounding};
use super::types::{Class, Type, mask, signed};
use super::{Op, Pred, Slot};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Condition, Decoded, Decoder};

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
    /// `set`: `yes` where the test holds, else 0.
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
    /// `slct`: the first where the third is not negative.
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

/// A comparison of two values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    relation: Relation,
    ty: Type,
    flush: bool,
}

/// Which orderings satisfy it, and whether unordered values do.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a set of four orderings")]
struct Relation {
    less: bool,
    equal: bool,
    greater: bool,
    unordered: bool,
}

#[expect(clippy::fn_params_excessive_bools, reason = "the rows of a table")]
const fn relation(less: bool, equal: bool, greater: bool, unordered: bool) -> Relation {
    Relation {
        less,
        equal,
        greater,
        unordered,
    }
}

#[rustfmt::skip]
const RELATIONS: [(&str, Relation); 18] = [
    ("eq", relation(false, true, false, false)),
    ("ne", relation(true, false, true, false)),
    ("lt", relation(true, false, false, false)),
    ("le", relation(true, true, false, false)),
    ("gt", relation(false, false, true, false)),
    ("ge", relation(false, true, true, false)),
    ("lo", relation(true, false, false, false)),
    ("ls", relation(true, true, false, false)),
    ("hi", relation(false, false, true, false)),
    ("hs", relation(false, true, true, false)),
    ("equ", relation(false, true, false, true)),
    ("neu", relation(true, false, true, true)),
    ("ltu", relation(true, false, false, true)),
    ("leu", relation(true, true, false, true)),
    ("gtu", relation(false, false, true, true)),
    ("geu", relation(false, true, true, true)),
    ("num", relation(true, true, true, false)),
    ("nan", relation(false, false, false, true)),
];

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

fn comparable(ty: Type) -> bool {
    ty.bits >= 16
        && matches!(
            ty.class,
            Class::Bits | Class::Unsigned | Class::Signed | Class::Float | Class::Brain
        )
        && (ty.packed == 1 || ty.is_float() && ty.bits == 16)
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let op = match d.opcode() {
        "setp" => {
            let (test, combine) = test(d)?;
            d.end(if combine.is_some() { 4 } else { 3 })?;
            let (dest, second) = d.pred_pair(0)?;
            if test.ty.packed == 2 && second.is_none() {
                return d.error("a pair needs two predicates");
            }
            Compare::Set {
                test,
                combine: combined(d, combine)?,
                dest,
                second,
                args: [d.source(1, test.ty)?, d.source(2, test.ty)?],
            }
        }
        "set" => {
            let relation = d.needs(&RELATIONS)?;
            let combine = d.one_of(&COMBINES);
            let flush = d.takes("ftz");
            let to = d.ty_where(|ty| ty.packed == 1 && ty.bits >= 16)?;
            let ty = d.ty_where(|ty| comparable(ty) && ty.packed == 1)?;
            d.end(if combine.is_some() { 4 } else { 3 })?;
            let yes = if to.is_float() {
                format_of(to).of_integer(1, Rounding::NearestEven)
            } else {
                to.mask()
            };
            Compare::Value {
                test: Test {
                    relation,
                    ty,
                    flush,
                },
                combine: combined(d, combine)?,
                dest: d.dest_for(0, to)?,
                yes,
                args: [d.source(1, ty)?, d.source(2, ty)?],
            }
        }
        "selp" => {
            let ty = d.ty_where(|ty| ty.bits >= 16 && ty.packed == 1)?;
            d.end(4)?;
            Compare::Select {
                bits: ty.bits * ty.packed,
                dest: d.dest_for(0, ty)?,
                args: [d.source(1, ty)?, d.source(2, ty)?],
                condition: d.condition(3)?,
            }
        }
        "slct" => {
            let flush = d.takes("ftz");
            let ty = d.ty_where(|ty| ty.bits >= 16 && ty.packed == 1)?;
            let by = d.ty_where(|ty| ty == Type::S32 || ty == Type::F32)?;
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

fn test(d: &mut Decoder<'_>) -> Decoded<(Test, Option<Combine>)> {
    let relation = d.needs(&RELATIONS)?;
    let combine = d.one_of(&COMBINES);
    let flush = d.takes("ftz");
    let ty = d.ty_where(comparable)?;
    let test = Test {
        relation,
        ty,
        flush,
    };
    Ok((test, combine))
}

fn combined(
    d: &mut Decoder<'_>,
    combine: Option<Combine>,
) -> Decoded<Option<(Combine, Condition)>> {
    combine
        .map(|combine| Ok((combine, d.condition(3)?)))
        .transpose()
}

impl Test {
    fn holds(self, x: u64, y: u64) -> bool {
        let Self {
            relation,
            ty,
            flush,
        } = self;
        let m = mask(u16::from(ty.bits));
        let (x, y) = (x & m, y & m);
        let order = if ty.is_float() {
            let format = format_of(ty);
            let (x, y) = if flush {
                (format.flush(x), format.flush(y))
            } else {
                (x, y)
            };
            format.compare(x, y)
        } else if ty.is_signed() {
            Some(signed(x, ty.bits).cmp(&signed(y, ty.bits)))
        } else {
            Some(x.cmp(&y))
        };
        match order {
            Some(Ordering::Less) => relation.less,
            Some(Ordering::Equal) => relation.equal,
            Some(Ordering::Greater) => relation.greater,
            None => relation.unordered,
        }
    }

    fn lanes(self, r: &Registers, active: u32, [a, b]: [Slot; 2], shift: u32) -> u32 {
        let (a, b) = (r.row_ref(a), r.row_ref(b));
        let mut result = 0;
        for lane in crate::machine::registers::lanes(active) {
            result |= u32::from(self.holds(a[lane] >> shift, b[lane] >> shift)) << lane;
        }
        result
    }
}

fn combine(r: &Registers, how: Option<(Combine, Condition)>, test: u32) -> u32 {
    match how {
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
                combine: how,
                dest,
                second,
                args,
            } => {
                let low = test.lanes(r, active, args, 0);
                // The second of a pair is of the upper halves, else of the opposite.
                let other = if test.ty.packed == 2 {
                    test.lanes(r, active, args, 16)
                } else {
                    !low
                };
                let (low, other) = (combine(r, how, low), combine(r, how, other));
                r.set_pred(active, dest, low);
                if let Some(second) = second {
                    r.set_pred(active, second, other);
                }
            }
            Self::Value {
                test,
                combine: how,
                dest,
                yes,
                args,
            } => {
                let result = combine(r, how, test.lanes(r, active, args, 0));
                r.each(
                    active,
                    dest,
                    |lane| if result >> lane & 1 == 1 { yes } else { 0 },
                );
            }
            Self::Select {
                bits,
                dest,
                args: [a, b],
                condition,
            } => {
                let m = mask(u16::from(bits));
                let chosen = r.condition(condition);
                let (a, b) = (r.row(a), r.row(b));
                r.each(active, dest, |lane| {
                    (if chosen >> lane & 1 == 1 {
                        a[lane]
                    } else {
                        b[lane]
                    }) & m
                });
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
