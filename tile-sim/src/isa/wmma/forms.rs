//! The syntax of `wmma`, and the forms that exist.

use super::{Fragment, Major, Multiply, Role, Transfer, Wmma};
use crate::isa::Op;
use crate::isa::mma::element::{ELEMENTS, Element, Overflow, Packing, SUMS, Sum};
use crate::isa::mma::{ROUNDINGS, shape};
use crate::isa::soft::Rounding;
use crate::isa::types::Type;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::syntax::Space;

const MAJORS: [(&str, Major); 2] = [("row", Major::Row), ("col", Major::Column)];
const SPACES: [(&str, Space); 3] = [
    ("global", Space::Global),
    ("shared", Space::Shared),
    ("shared::cta", Space::Shared),
];

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let op = if d.takes("load") {
        let role = d.needs(&[("a", Role::A), ("b", Role::B), ("c", Role::Sums)])?;
        Wmma::Load(transfer(d, role, true)?)
    } else if d.takes("store") {
        d.needs(&[("d", ())])?;
        Wmma::Store(transfer(d, Role::Sums, false)?)
    } else {
        d.needs(&[("mma", ())])?;
        Wmma::Multiply(multiply(d)?)
    };
    Ok(Op::Wmma(Box::new(op)))
}

fn missing<T>(d: &Decoder<'_>) -> Decoded<T> {
    d.error("the PTX ISA does not define this form")
}

/// Returns `true` if the shape exists for multiplicands of that type.
fn has(shape: [usize; 3], element: Element) -> bool {
    let wide = matches!(shape, [16, 16, 16] | [8, 32, 16] | [32, 8, 16]);
    match element {
        Element::F16 | Element::Bf16 | Element::S8 | Element::U8 => wide,
        Element::Tf32 => shape == [16, 16, 8],
        Element::F64 => shape == [8, 8, 4],
        Element::S4 | Element::U4 => shape == [8, 8, 32],
        Element::B1 => shape == [8, 8, 128],
        Element::E4m3 | Element::E5m2 | Element::E3m2 | Element::E2m3 | Element::E2m1 => false,
    }
}

/// Returns `true` if the shape exists for accumulators of that type.
fn has_sums(shape: [usize; 3], sum: Sum) -> bool {
    match sum {
        Sum::F16 => has(shape, Element::F16),
        Sum::F32 => has(shape, Element::F16) || has(shape, Element::Tf32),
        Sum::S32 => [Element::S8, Element::S4, Element::B1]
            .into_iter()
            .any(|element| has(shape, element)),
        Sum::F64 => has(shape, Element::F64),
    }
}

/// Returns the number of registers of a multiplicand: eight for `.f16` in every shape, else as many
/// as needed.
fn registers(role: Role, [m, n, k]: [usize; 3], element: Element) -> usize {
    let elements = if role == Role::A { m * k } else { k * n } / 32;
    match element {
        Element::F16 => 8,
        Element::F64 => elements,
        _ => elements * element.bits() / 32,
    }
}

fn sum_registers([m, n, _]: [usize; 3], sum: Sum) -> usize {
    m * n / 32 / sum.per_register()
}

fn word(bits: usize) -> Type {
    if bits == 64 { Type::F64 } else { Type::B32 }
}

/// Checks the PTX version and the target (PTX ISA, "Target ISA Notes").
fn require(d: &Decoder<'_>, shape: [usize; 3], element: Element) -> Decoded<()> {
    let (version, min) = match element {
        Element::F16 if shape == [16, 16, 16] => ((6, 0), 70),
        Element::F16 => ((6, 1), 70),
        Element::S8 | Element::U8 => ((6, 3), 72),
        Element::S4 | Element::U4 | Element::B1 => ((6, 3), 75),
        _ => ((7, 0), 80),
    };
    d.requires(version, min)
}

fn transfer(d: &mut Decoder<'_>, role: Role, load: bool) -> Decoded<Transfer> {
    d.needs(&[("sync", ())])?;
    d.needs(&[("aligned", ())])?;
    // The shape is accepted either before or after the layout.
    let before = shape(d);
    let major = d.needs(&MAJORS)?;
    let Some(shape) = before.or_else(|| shape(d)) else {
        return d.error("expected a shape, such as `.m16n16k16`");
    };
    let space = d.one_of(&SPACES).unwrap_or(Space::Generic);
    let [m, n, k] = shape;
    let fragment = if role == Role::Sums {
        let sum = d.needs(&SUMS)?;
        if !has_sums(shape, sum) {
            return missing(d);
        }
        let element = match (sum, shape) {
            (Sum::F64, _) => Element::F64,
            (_, [16, 16, 8]) => Element::Tf32,
            (Sum::F16 | Sum::F32, _) => Element::F16,
            (Sum::S32, [8, 8, _]) => Element::S4,
            (Sum::S32, _) => Element::S8,
        };
        require(d, shape, element)?;
        Fragment {
            role,
            rows: m,
            columns: n,
            bits: match sum {
                Sum::F16 => 16,
                Sum::F32 | Sum::S32 => 32,
                Sum::F64 => 64,
            },
            registers: sum_registers(shape, sum),
        }
    } else {
        let element = d.needs(&ELEMENTS)?;
        let (rows, columns, required) = if role == Role::A {
            (m, k, Major::Row)
        } else {
            (k, n, Major::Column)
        };
        if !has(shape, element) || element.bits() < 8 && major != required {
            return missing(d);
        }
        require(d, shape, element)?;
        Fragment {
            role,
            rows,
            columns,
            bits: element.bits(),
            registers: registers(role, shape, element),
        }
    };
    d.end_between(2, 3)?;
    let (vector, address) = if load { (0, 1) } else { (1, 0) };
    if !d.is_vector(vector) {
        return d.error("the registers must be in braces");
    }
    let stride = match d.operands() {
        3 => Some(d.source(2, Type::B32)?),
        _ => None,
    };
    Ok(Transfer {
        fragment,
        major,
        registers: if load {
            d.dests_for(vector, fragment.registers, word(fragment.bits))?
        } else {
            d.sources(vector, fragment.registers, word(fragment.bits))?
        },
        address: d.address(address)?,
        space,
        stride,
    })
}

fn multiply(d: &mut Decoder<'_>) -> Decoded<Multiply> {
    let bit = d.one_of(&[("xor", true), ("and", false)]);
    if bit.is_some() {
        d.needs(&[("popc", ())])?;
    }
    d.needs(&[("sync", ())])?;
    d.needs(&[("aligned", ())])?;
    let before = shape(d);
    let majors = (d.needs(&MAJORS)?, d.needs(&MAJORS)?);
    let Some(shape) = before.or_else(|| shape(d)) else {
        return d.error("expected a shape, such as `.m16n16k16`");
    };
    let rounding = d.one_of(&ROUNDINGS);
    let to = d.needs(&SUMS)?;
    // `.f16` has no type suffixes for A and B.
    let (a, b, c) = match d.one_of(&SUMS) {
        Some(c @ (Sum::F16 | Sum::F32)) if d.peek().is_none() => (Element::F16, Element::F16, c),
        Some(Sum::F64) => {
            d.needs(&[("f64", ())])?;
            d.needs(&[("f64", ())])?;
            (Element::F64, Element::F64, Sum::F64)
        }
        Some(_) => return d.unexpected(),
        None => {
            let (a, b) = (d.needs(&ELEMENTS)?, d.needs(&ELEMENTS)?);
            (a, b, d.needs(&SUMS)?)
        }
    };
    let saturates = d.takes("satfinite");
    let sums = match a {
        Element::F16 => true,
        Element::F64 => c == Sum::F64 && to == c,
        Element::Bf16 | Element::Tf32 => c == Sum::F32 && to == c,
        _ => c == Sum::S32 && to == c,
    };
    let halves = matches!(c, Sum::F16 | Sum::F32) && matches!(to, Sum::F16 | Sum::F32);
    let exists = has(shape, a)
        && a == b
        && sums
        && (a != Element::F16 || halves)
        && (rounding.is_none() || a == Element::F64)
        && bit.is_some() == (a == Element::B1)
        && (!saturates || c == Sum::S32 && a != Element::B1)
        && (a.bits() >= 8 || majors == (Major::Row, Major::Column));
    if !exists {
        return missing(d);
    }
    d.end(4)?;
    for operand in 0..4 {
        if !d.is_vector(operand) {
            return d.error(format!("operand {} must be in braces", operand + 1));
        }
    }
    if bit == Some(false) {
        d.requires((7, 1), 80)?;
    }
    require(d, shape, a)?;
    let sum_word = |sum| word(if sum == Sum::F64 { 64 } else { 32 });
    Ok(Multiply {
        shape,
        a: Packing::new(a),
        b: Packing::new(b),
        c,
        d: to,
        overflow: if saturates {
            Overflow::Saturate
        } else {
            Overflow::Wrap
        },
        rounding: rounding.unwrap_or(Rounding::NearestEven),
        xor: bit == Some(true),
        dests: d.dests_for(0, sum_registers(shape, to), sum_word(to))?,
        a_slots: d.sources(1, registers(Role::A, shape, a), word(a.bits()))?,
        b_slots: d.sources(2, registers(Role::B, shape, b), word(b.bits()))?,
        c_slots: d.sources(3, sum_registers(shape, c), sum_word(c))?,
    })
}
