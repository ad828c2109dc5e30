//! Comparison operators, and their evaluation on the lanes of a warp.

use super::super::Slot;
use super::super::float::native::{Brain, Half, Ieee, flushed};
use super::super::soft::F16;
use super::super::types::{Class, Type, mask, signed};
use crate::machine::registers::{Registers, Row};
use crate::parse::decoder::{Decoded, Decoder};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// Neither operand is NaN (`.num`).
    Number,
}

/// A relation or its negation: `.ltu` is the negation of `.ge`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    order: Order,
    contrary: bool,
    numbers: Numbers,
}

/// The operand types of a comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    Any,
    /// All types but `.b16`, `.b32` and `.b64`.
    Ordered,
    Unsigned,
    Float,
}

const fn relation(order: Order, contrary: bool, numbers: Numbers) -> Relation {
    Relation {
        order,
        contrary,
        numbers,
    }
}

/// PTX ISA, "Comparisons".
const RELATIONS: [(&str, Relation); 18] = [
    ("eq", relation(Order::Equal, false, Numbers::Any)),
    ("ne", relation(Order::NotEqual, false, Numbers::Any)),
    ("lt", relation(Order::Less, false, Numbers::Ordered)),
    ("le", relation(Order::LessOrEqual, false, Numbers::Ordered)),
    ("gt", relation(Order::Greater, false, Numbers::Ordered)),
    (
        "ge",
        relation(Order::GreaterOrEqual, false, Numbers::Ordered),
    ),
    ("lo", relation(Order::Less, false, Numbers::Unsigned)),
    ("ls", relation(Order::LessOrEqual, false, Numbers::Unsigned)),
    ("hi", relation(Order::Greater, false, Numbers::Unsigned)),
    (
        "hs",
        relation(Order::GreaterOrEqual, false, Numbers::Unsigned),
    ),
    ("equ", relation(Order::NotEqual, true, Numbers::Float)),
    ("neu", relation(Order::Equal, true, Numbers::Float)),
    ("ltu", relation(Order::GreaterOrEqual, true, Numbers::Float)),
    ("leu", relation(Order::Greater, true, Numbers::Float)),
    ("gtu", relation(Order::LessOrEqual, true, Numbers::Float)),
    ("geu", relation(Order::Less, true, Numbers::Float)),
    ("num", relation(Order::Number, false, Numbers::Float)),
    ("nan", relation(Order::Number, true, Numbers::Float)),
];

/// A comparison operator whose type is not decoded yet.
#[derive(Clone, Copy)]
pub(super) struct Operator(Relation);

/// A comparison of two values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    relation: Relation,
    pub(super) ty: Type,
    flush: bool,
}

pub(super) fn operator(d: &mut Decoder<'_>) -> Decoded<Operator> {
    Ok(Operator(d.needs(&RELATIONS)?))
}

/// Decodes the operand type.
pub(super) fn test(d: &mut Decoder<'_>, operator: Operator, flush: bool) -> Decoded<Test> {
    let Operator(relation) = operator;
    let ty = d.ty_where(|ty| {
        let halves = ty.is_float() && ty.bits == 16;
        let single = ty.packed == 1 && matches!(ty.bits, 16 | 32 | 64);
        halves || single && (ty.is_integer() || ty.is_float() || ty.class == Class::Bits)
    })?;
    let fits = match relation.numbers {
        Numbers::Any => true,
        Numbers::Ordered => ty.class != Class::Bits,
        Numbers::Unsigned => ty.class == Class::Unsigned,
        Numbers::Float => ty.is_float(),
    };
    if !fits {
        return d.error("the comparison does not exist for the type");
    }
    if flush && !(ty == Type::F32 || ty.class == Class::Float && ty.bits == 16) {
        return d.error("`.ftz` is for `.f32`, `.f16` and `.f16x2`");
    }
    if ty.class == Class::Brain {
        d.requires((7, 8), 90)?;
    }
    Ok(Test {
        relation,
        ty,
        flush,
    })
}

/// The operands of a comparison.
#[derive(Clone, Copy)]
struct Operands<'a> {
    rows: (&'a Row, &'a Row),
    /// Their values, if both are uniform.
    uniform: Option<(u64, u64)>,
}

/// Returns the mask of lanes for which the predicate holds.
#[inline]
fn lanes<T: Copy>(
    operands: Operands<'_>,
    read: impl Fn(u64) -> T,
    holds: impl Fn(T, T) -> bool,
) -> u32 {
    if let Some((a, b)) = operands.uniform {
        return if holds(read(a), read(b)) { u32::MAX } else { 0 };
    }
    let (a, b) = operands.rows;
    (0..32).fold(0, |set, lane| {
        set | u32::from(holds(read(a[lane]), read(b[lane]))) << lane
    })
}

#[expect(
    clippy::eq_op,
    clippy::double_comparisons,
    reason = "a number equals itself and is less or greater than others, NaN is not"
)]
#[inline]
fn ordered<T: Copy + PartialOrd>(
    order: Order,
    operands: Operands<'_>,
    read: impl Fn(u64) -> T,
) -> u32 {
    match order {
        Order::Equal => lanes(operands, read, |x, y| x == y),
        Order::NotEqual => lanes(operands, read, |x, y| x < y || x > y),
        Order::Less => lanes(operands, read, |x, y| x < y),
        Order::LessOrEqual => lanes(operands, read, |x, y| x <= y),
        Order::Greater => lanes(operands, read, |x, y| x > y),
        Order::GreaterOrEqual => lanes(operands, read, |x, y| x >= y),
        Order::Number => lanes(operands, read, |x, y| x == x && y == y),
    }
}

impl Test {
    /// Returns the mask of lanes for which the comparison holds, for the element at bit `shift` of
    /// packed operands.
    pub(super) fn lanes(self, r: &Registers, [a, b]: [Slot; 2], shift: u32) -> u32 {
        let Self {
            relation: Relation {
                order, contrary, ..
            },
            ty,
            flush,
        } = self;
        let operands = Operands {
            rows: (r.row_ref(a), r.row_ref(b)),
            uniform: r.uniform(a).zip(r.uniform(b)),
        };
        let m = mask(u16::from(ty.bits));
        let half = |bits: u64| (bits >> shift) as u32 & 0xffff;
        let set = match (ty.class, ty.bits) {
            (Class::Signed, bits) => ordered(order, operands, |x| signed(x, bits)),
            (Class::Float, 32) if flush => {
                ordered(order, operands, |x| f32::from_bits(flushed(x & m) as u32))
            }
            (Class::Float, 32) => ordered(order, operands, |x| f32::from_bits(x as u32)),
            (Class::Float, 64) => ordered(order, operands, f64::from_bits),
            (Class::Float, _) if flush => ordered(order, operands, |x| {
                Ieee::widen(F16.flush(u64::from(half(x))) as u32)
            }),
            (Class::Float, _) => ordered(order, operands, |x| Ieee::widen(half(x))),
            (Class::Brain, _) => ordered(order, operands, |x| Brain::widen(half(x))),
            _ => ordered(order, operands, |x| x & m),
        };
        if contrary { !set } else { set }
    }
}
