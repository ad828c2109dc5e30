//! The video instructions (PTX ISA, "Video Instructions"): scalar ones on bytes, half-words and
//! words, and SIMD ones on two half-words or four bytes.

use super::super::Slot;
use super::super::types::{Type, mask, signed};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::syntax::Operand;

/// A video instruction.
#[derive(Clone, Debug)]
pub(crate) enum Video {
    Scalar(Scalar),
    MulAdd(MulAdd),
    Simd(Simd),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Add,
    Sub,
    AbsDiff,
    Average,
    Min,
    Max,
    ShiftLeft,
    ShiftRight,
    Set(Relation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// What becomes of the result and the third operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Second {
    Add,
    Min,
    Max,
}

/// Which bits of a register; sign-extended or not.
#[derive(Clone, Copy, Debug)]
struct Part {
    slot: Slot,
    at: Place,
    signed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    shift: u8,
    bits: u8,
}

#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    kind: Kind,
    signed: bool,
    saturate: bool,
    /// `.wrap`: the distance is taken modulo 32.
    wrap: bool,
    second: Option<Second>,
    dest: Slot,
    /// Of the destination; the rest comes from the third operand.
    merge: Option<Place>,
    a: Part,
    b: Part,
    c: Slot,
}

#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each modifier")]
pub(crate) struct MulAdd {
    saturate: bool,
    plus_one: bool,
    scale: u8,
    negate_product: bool,
    negate_c: bool,
    dest: Slot,
    a: Part,
    b: Part,
    c: Slot,
}

#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one for each modifier")]
pub(crate) struct Simd {
    kind: Kind,
    elements: u8,
    signed: bool,
    signed_a: bool,
    signed_b: bool,
    saturate: bool,
    /// `.add`: the elements are added up.
    accumulate: bool,
    dest: Slot,
    mask: u8,
    /// For each element, which of both operands together.
    pick_a: [u8; 4],
    pick_b: [u8; 4],
    args: [Slot; 3],
}

const SIGNS: [(&str, bool); 2] = [("s32", true), ("u32", false)];

const RELATIONS: [(&str, Relation); 6] = [
    ("eq", Relation::Equal),
    ("ne", Relation::NotEqual),
    ("lt", Relation::Less),
    ("le", Relation::LessOrEqual),
    ("gt", Relation::Greater),
    ("ge", Relation::GreaterOrEqual),
];

const SECONDS: [(&str, Second); 3] = [
    ("add", Second::Add),
    ("min", Second::Min),
    ("max", Second::Max),
];

pub(super) fn decode(d: &mut Decoder<'_>) -> Decoded<Video> {
    let opcode = d.opcode();
    let (name, elements) = match opcode.as_bytes().last() {
        Some(b'2') => (&opcode[..opcode.len() - 1], 2),
        Some(b'4') => (&opcode[..opcode.len() - 1], 4),
        _ => (opcode, 1),
    };
    let kind = match name {
        "vadd" => Kind::Add,
        "vsub" => Kind::Sub,
        "vabsdiff" => Kind::AbsDiff,
        "vmin" => Kind::Min,
        "vmax" => Kind::Max,
        "vavrg" => Kind::Average,
        "vshl" => Kind::ShiftLeft,
        "vshr" => Kind::ShiftRight,
        "vset" => Kind::Set(Relation::Equal),
        _ => return mul_add(d).map(Video::MulAdd),
    };
    if elements > 1 {
        simd(d, kind, elements).map(Video::Simd)
    } else {
        scalar(d, kind).map(Video::Scalar)
    }
}

/// `r`, or `r.b1` where a selector may stand.
fn part<'a>(d: &Decoder<'a>, name: &'a str) -> Decoded<(&'a str, Option<Place>)> {
    let Some((register, selector)) = name.split_once('.') else {
        return Ok((name, None));
    };
    let (shift, bits) = match selector {
        "b0" => (0, 8),
        "b1" => (8, 8),
        "b2" => (16, 8),
        "b3" => (24, 8),
        "h0" => (0, 16),
        "h1" => (16, 16),
        _ => {
            return d.error(format!(
                "`.{selector}` is no byte or half-word of a register"
            ));
        }
    };
    Ok((register, Some(Place { shift, bits })))
}

fn source(d: &mut Decoder<'_>, operand: &Operand, signed: bool) -> Decoded<Part> {
    let whole = Place { shift: 0, bits: 32 };
    if let Operand::Name(name) = operand {
        let (register, at) = part(d, name)?;
        let register = register.to_owned();
        let at = at.unwrap_or(whole);
        let slot = d.source_of(&Operand::Name(register), Type::B32)?;
        return Ok(Part { slot, at, signed });
    }
    let slot = d.source_of(operand, Type::B32)?;
    Ok(Part {
        slot,
        at: whole,
        signed,
    })
}

fn dest(d: &mut Decoder<'_>) -> Decoded<(Slot, Option<String>)> {
    let Operand::Name(name) = d.operand(0)? else {
        return Ok((d.dest_for(0, Type::B32)?, None));
    };
    let (register, selector) = match name.split_once('.') {
        Some((register, selector)) => (register, Some(selector.to_owned())),
        None => (name.as_str(), None),
    };
    let slot = d.dest_of(&Operand::Name(register.to_owned()))?;
    if d.names.width(slot) != 32 {
        return d.error("the destination must have 32 bits");
    }
    Ok((slot, selector))
}

fn scalar(d: &mut Decoder<'_>, kind: Kind) -> Decoded<Scalar> {
    let (mut kind, shifts) = match kind {
        Kind::ShiftLeft | Kind::ShiftRight => (kind, true),
        other => (other, false),
    };
    let is_set = matches!(kind, Kind::Set(_));
    let signed = !is_set && d.needs(&SIGNS)?;
    let signed_a = d.needs(&SIGNS)?;
    let signed_b = if shifts {
        d.needs(&SIGNS[1..])?
    } else {
        d.needs(&SIGNS)?
    };
    let mut saturate = false;
    let mut wrap = false;
    if is_set {
        kind = Kind::Set(d.needs(&RELATIONS)?);
    } else {
        saturate = d.takes("sat");
        if shifts {
            wrap = d.needs(&[("clamp", false), ("wrap", true)])?;
        }
    }
    let second = d.one_of(&SECONDS);
    let (dest, selector) = dest(d)?;
    let merge = match &selector {
        Some(selector) => part(d, &format!(".{selector}"))?.1,
        None => None,
    };
    if second.is_some() && merge.is_some() {
        return d.error(
            "the destination has a selector or the instruction a second operation, not both",
        );
    }
    let third = second.is_some() || merge.is_some();
    d.end(if third { 4 } else { 3 })?;
    let a = source(d, d.operand(1)?, signed_a)?;
    let b = source(d, d.operand(2)?, signed_b)?;
    let c = if third {
        d.source(3, Type::B32)?
    } else {
        a.slot
    };
    Ok(Scalar {
        kind,
        signed,
        saturate,
        wrap,
        second,
        dest,
        merge,
        a,
        b,
        c,
    })
}

fn mul_add(d: &mut Decoder<'_>) -> Decoded<MulAdd> {
    // The type of the result is that of its sign, which follows from the operands.
    d.needs(&SIGNS)?;
    let (signed_a, signed_b) = (d.needs(&SIGNS)?, d.needs(&SIGNS)?);
    let plus_one = d.takes("po");
    let saturate = d.takes("sat");
    let scale = d.one_of(&[("shr7", 7), ("shr15", 15)]).unwrap_or(0);
    d.end(4)?;
    let negated = |index| -> Decoded<(&Operand, bool)> {
        Ok(match d.operand(index)? {
            Operand::Minus(operand) => (operand, true),
            operand => (operand, false),
        })
    };
    let ((a, minus_a), (b, minus_b), (c, negate_c)) = (negated(1)?, negated(2)?, negated(3)?);
    let negate_product = minus_a != minus_b;
    if negate_product && negate_c {
        return d.error("either the product or the third operand is negated, not both");
    }
    if plus_one && (minus_a || minus_b || negate_c) {
        return d.error("no operand is negated with `.po`");
    }
    Ok(MulAdd {
        saturate,
        plus_one,
        scale,
        negate_product,
        negate_c,
        dest: d.dest_for(0, Type::B32)?,
        a: source(d, a, signed_a)?,
        b: source(d, b, signed_b)?,
        c: d.source_of(c, Type::B32)?,
    })
}

/// The digits of `.b3210`, the lowest element first.
fn picks(d: &Decoder<'_>, selector: &str, elements: u8) -> Decoded<[u8; 4]> {
    let letter = if elements == 2 { 'h' } else { 'b' };
    let mut picks = [0; 4];
    let digits = selector.strip_prefix(letter).unwrap_or("");
    let right = digits.len() == usize::from(elements)
        && digits
            .bytes()
            .all(|digit| digit >= b'0' && digit < b'0' + 2 * elements);
    if !right {
        return d.error(format!("`.{selector}` does not select {elements} elements"));
    }
    for (pick, digit) in picks.iter_mut().zip(digits.bytes().rev()) {
        *pick = digit - b'0';
    }
    Ok(picks)
}

fn simd_source(d: &mut Decoder<'_>, index: usize, elements: u8) -> Decoded<(Slot, [u8; 4])> {
    let all = if index == 1 {
        [0, 1, 2, 3]
    } else if elements == 2 {
        [2, 3, 0, 0]
    } else {
        [4, 5, 6, 7]
    };
    if let Operand::Name(name) = d.operand(index)?
        && let Some((register, selector)) = name.split_once('.')
    {
        let picks = picks(d, selector, elements)?;
        let slot = d.source_of(&Operand::Name(register.to_owned()), Type::B32)?;
        return Ok((slot, picks));
    }
    Ok((d.source(index, Type::B32)?, all))
}

/// The elements of the destination that `.b310` names: from the top down.
fn written(d: &Decoder<'_>, selector: Option<&str>, elements: u8) -> Decoded<u8> {
    let Some(selector) = selector else {
        return Ok((1 << elements) - 1);
    };
    let letter = if elements == 2 { 'h' } else { 'b' };
    let digits = selector.strip_prefix(letter).unwrap_or("");
    let falling = digits.as_bytes().windows(2).all(|pair| pair[0] > pair[1]);
    let known = digits
        .bytes()
        .all(|digit| digit >= b'0' && digit < b'0' + elements);
    if digits.is_empty() || !falling || !known {
        return d.error(format!("`.{selector}` is no mask of {elements} elements"));
    }
    Ok(digits
        .bytes()
        .fold(0, |mask, digit| mask | 1 << (digit - b'0')))
}

fn simd(d: &mut Decoder<'_>, kind: Kind, elements: u8) -> Decoded<Simd> {
    let is_set = matches!(kind, Kind::Set(_));
    let signed = !is_set && d.needs(&SIGNS)?;
    let (signed_a, signed_b) = (d.needs(&SIGNS)?, d.needs(&SIGNS)?);
    let (kind, saturate) = if is_set {
        (Kind::Set(d.needs(&RELATIONS)?), false)
    } else {
        (kind, d.takes("sat"))
    };
    let accumulate = !saturate && d.takes("add");
    d.end(4)?;
    let (dest, selector) = dest(d)?;
    let mask = written(d, selector.as_deref(), elements)?;
    let (a, pick_a) = simd_source(d, 1, elements)?;
    let (b, pick_b) = simd_source(d, 2, elements)?;
    let c = d.source(3, Type::B32)?;
    Ok(Simd {
        kind,
        elements,
        signed,
        signed_a,
        signed_b,
        saturate,
        accumulate,
        dest,
        mask,
        pick_a,
        pick_b,
        args: [a, b, c],
    })
}

fn extend(bits: u64, width: u8, is_signed: bool) -> i128 {
    if is_signed {
        i128::from(signed(bits, width))
    } else {
        i128::from(bits & mask(u16::from(width)))
    }
}

fn clamp(value: i128, width: u8, is_signed: bool) -> i128 {
    if is_signed {
        let half = 1 << (width - 1);
        value.clamp(-half, half - 1)
    } else {
        value.clamp(0, (1 << width) - 1)
    }
}

impl Part {
    fn value(self, bits: u64) -> i128 {
        extend(bits >> self.at.shift, self.at.bits, self.signed)
    }
}

impl Kind {
    fn compute(self, x: i128, y: i128, wrap: bool) -> i128 {
        let distance = if wrap { y & 31 } else { y.min(32) };
        match self {
            Self::Add => x + y,
            Self::Sub => x - y,
            Self::AbsDiff => (x - y).abs(),
            Self::Min => x.min(y),
            Self::Max => x.max(y),
            // PTX ISA, "vavrg2": halves go away from zero where the sum is positive, and up
            // nowhere else.
            Self::Average if x + y >= 0 => (x + y + 1) >> 1,
            Self::Average => (x + y) >> 1,
            Self::ShiftLeft => x << distance,
            Self::ShiftRight => x >> distance,
            Self::Set(relation) => i128::from(match relation {
                Relation::Equal => x == y,
                Relation::NotEqual => x != y,
                Relation::Less => x < y,
                Relation::LessOrEqual => x <= y,
                Relation::Greater => x > y,
                Relation::GreaterOrEqual => x >= y,
            }),
        }
    }
}

/// The lower 32 bits.
fn low(value: i128) -> u64 {
    value as u64 & 0xffff_ffff
}

impl Video {
    pub(super) fn execute(&self, r: &mut Registers, active: u32) {
        match self {
            Self::Scalar(op) => {
                let [a, b, c] = [op.a.slot, op.b.slot, op.c];
                r.map3(active, op.dest, a, b, c, |x, y, z| op.element(x, y, z));
            }
            Self::MulAdd(op) => {
                let [a, b, c] = [op.a.slot, op.b.slot, op.c];
                r.map3(active, op.dest, a, b, c, |x, y, z| op.element(x, y, z));
            }
            Self::Simd(op) => {
                let [a, b, c] = op.args;
                r.map3(active, op.dest, a, b, c, |x, y, z| op.element(x, y, z));
            }
        }
    }
}

impl Scalar {
    fn element(&self, x: u64, y: u64, z: u64) -> u64 {
        let (x, y) = (self.a.value(x), self.b.value(y));
        let mut result = self.kind.compute(x, y, self.wrap);
        if self.saturate {
            let width = self.merge.map_or(32, |place| place.bits);
            result = clamp(result, width, self.signed);
        }
        let c = extend(z, 32, self.signed);
        match self.second {
            Some(Second::Add) => result += c,
            Some(Second::Min) => result = result.min(c),
            Some(Second::Max) => result = result.max(c),
            None => {}
        }
        match self.merge {
            Some(Place { shift, bits }) => {
                let field = mask(u16::from(bits)) << shift;
                (low(result) << shift & field) | (z & 0xffff_ffff & !field)
            }
            None => low(result),
        }
    }
}

impl MulAdd {
    fn element(&self, x: u64, y: u64, z: u64) -> u64 {
        let is_signed = self.a.signed || self.b.signed || self.negate_product || self.negate_c;
        let mut product = self.a.value(x) * self.b.value(y);
        let mut c = z;
        let mut one = self.plus_one;
        if self.negate_product {
            product = !product;
            one = true;
        } else if self.negate_c {
            c = !c;
            one = true;
        }
        let sum = product + extend(c, 32, is_signed) + i128::from(one);
        let result = sum >> self.scale;
        low(if self.saturate {
            clamp(result, 32, is_signed)
        } else {
            result
        })
    }
}

impl Simd {
    fn element(&self, x: u64, y: u64, z: u64) -> u64 {
        let width = 32 / self.elements;
        let both = x & 0xffff_ffff | y << 32;
        let pick = |index: u8, is_signed| extend(both >> (width * index), width, is_signed);
        let field = mask(u16::from(width));
        let mut result = if self.accumulate { z } else { 0 };
        for index in 0..self.elements {
            let at = width * index;
            let written = self.mask >> index & 1 == 1;
            if !written {
                if !self.accumulate {
                    result |= z & field << at;
                }
                continue;
            }
            let a = pick(self.pick_a[usize::from(index)], self.signed_a);
            let b = pick(self.pick_b[usize::from(index)], self.signed_b);
            let mut value = self.kind.compute(a, b, false);
            if self.saturate {
                value = clamp(value, width, self.signed);
            }
            result = if self.accumulate {
                result.wrapping_add(low(value))
            } else {
                result | (low(value) & field) << at
            };
        }
        result & 0xffff_ffff
    }
}
