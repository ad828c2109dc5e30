//! Conversions (PTX ISA, "cvt", "cvt.pack").

mod narrow;
mod pack;
mod scalar;

use super::Op;
use super::float::format_of;
use super::soft::{E2M1, E2M3, E3M2, E4M3, E5M2, Format, Rounding, TF32};
use super::types::{Class, Type};
use crate::machine::registers::Registers;
use crate::parse::decoder::{Decoded, Decoder};

/// A conversion.
#[derive(Clone, Debug)]
pub(crate) enum Convert {
    Scalar(scalar::Scalar),
    Narrow(Box<narrow::Narrow>),
    Pack(pack::Pack),
}

/// The modifiers before the types.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each modifier")]
struct Modifiers {
    rounding: Option<Way>,
    ftz: bool,
    sat: bool,
    relu: bool,
    satfinite: bool,
}

/// The rounding mode of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// `.rn` and similar: rounds to a floating-point number.
    Float(Rounding),
    /// `.rni` and similar: rounds to an integer.
    Integer(Rounding),
    /// `.rs`: stochastic rounding.
    Stochastic,
}

const WAYS: [(&str, Way); 10] = [
    ("rn", Way::Float(Rounding::NearestEven)),
    ("rna", Way::Float(Rounding::NearestAway)),
    ("rz", Way::Float(Rounding::Zero)),
    ("rm", Way::Float(Rounding::Down)),
    ("rp", Way::Float(Rounding::Up)),
    ("rni", Way::Integer(Rounding::NearestEven)),
    ("rzi", Way::Integer(Rounding::Zero)),
    ("rmi", Way::Integer(Rounding::Down)),
    ("rpi", Way::Integer(Rounding::Up)),
    ("rs", Way::Stochastic),
];

impl Modifiers {
    fn read(d: &mut Decoder<'_>) -> Decoded<Self> {
        let mut modifiers = Self {
            rounding: d.one_of(&WAYS),
            ..Self::default()
        };
        modifiers.ftz = d.takes("ftz");
        modifiers.sat = d.takes("sat");
        // The PTX ISA uses both orders.
        while let Some(next @ ("relu" | "satfinite")) = d.peek() {
            let flag = if next == "relu" {
                &mut modifiers.relu
            } else {
                &mut modifiers.satfinite
            };
            if *flag {
                return d.error(format!("`.{next}` is written twice"));
            }
            *flag = true;
            d.takes(next);
        }
        Ok(modifiers)
    }

    fn rounds_to_float(self) -> Option<Rounding> {
        match self.rounding {
            Some(Way::Float(rounding)) => Some(rounding),
            _ => None,
        }
    }
}

fn is_number(ty: Type) -> bool {
    !matches!(ty.class, Class::Pred | Class::Bits) && ty.bits <= 64
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    if d.takes("pack") {
        return Ok(Op::Convert(Convert::Pack(pack::decode(d)?)));
    }
    let modifiers = Modifiers::read(d)?;
    let to = d.ty_where(is_number)?;
    let from = d.ty_where(is_number)?;
    let plain = |ty: Type| ty.packed == 1 && (ty.is_integer() || ty.is_float());
    let narrows = modifiers.relu || modifiers.satfinite || !plain(to) || !plain(from);
    Ok(Op::Convert(if narrows {
        Convert::Narrow(Box::new(narrow::decode(d, modifiers, to, from)?))
    } else {
        Convert::Scalar(scalar::decode(d, modifiers, to, from)?)
    }))
}

/// Returns the format of a floating-point type other than `.ue8m0`.
fn format(ty: Type) -> Format {
    match ty.class {
        Class::Tf32 => TF32,
        Class::E4m3 => E4M3,
        Class::E5m2 => E5M2,
        Class::E2m1 => E2M1,
        Class::E2m3 => E2M3,
        Class::E3m2 => E3M2,
        _ => format_of(ty),
    }
}

impl Convert {
    pub(crate) fn execute(&self, r: &mut Registers, active: u32) {
        match self {
            Self::Scalar(op) => op.execute(r, active),
            Self::Narrow(op) => op.execute(r, active),
            Self::Pack(op) => op.execute(r, active),
        }
    }
}
