//! Verifies inline PTX: the registers that it may name, and the elements that they hold.

use super::Context;
use crate::diag::Code;
use crate::ir::{Attr, Op};
use crate::types::{Element, Scalar, Type};

/// The maximum number of elements that one execution of the text takes.
pub const MAX_PACKED: usize = 16;

/// A part of the text of `ptx.inline`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PtxPiece<'t> {
    /// Literal text.
    Text(&'t str),
    /// The register with this number.
    Register(usize),
}

/// Splits the text of `ptx.inline` into its parts; `None` if a brace neither belongs to a register
/// nor is doubled.
pub fn ptx_pieces(text: &str) -> Option<Vec<PtxPiece<'_>>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(brace_start) = rest.find(['{', '}']) {
        let (before, after) = rest.split_at(brace_start);
        if !before.is_empty() {
            pieces.push(PtxPiece::Text(before));
        }
        let (brace, behind) = after.split_at(1);
        if behind.starts_with(brace) {
            pieces.push(PtxPiece::Text(brace));
            rest = &behind[1..];
        } else {
            let (number, behind) = behind.split_once('}').filter(|_| brace == "{")?;
            let is_plain = number.bytes().all(|byte| byte.is_ascii_digit());
            pieces.push(PtxPiece::Register(
                number.parse().ok().filter(|_| is_plain)?,
            ));
            rest = behind;
        }
    }
    if !rest.is_empty() {
        pieces.push(PtxPiece::Text(rest));
    }
    Some(pieces)
}

/// The registers of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PtxRegisters {
    /// The number of registers.
    pub count: usize,
    /// The number of elements in each register, the first of which is in the low bits.
    pub elements: usize,
    /// The number of bits of each register.
    pub bits: u32,
}

/// Returns the registers of `pack` elements, where `pack` is a power of two; `None` if PTX has no
/// registers for this type that the text can name. Elements smaller than 32 bits share 32-bit
/// registers, or one 16-bit register if it holds all of them.
pub fn ptx_registers(scalar: Scalar, pack: usize) -> Option<PtxRegisters> {
    let bits = match scalar {
        Scalar::I8 | Scalar::F8E4M3FN | Scalar::F8E5M2 | Scalar::F8E8M0FNU => 8,
        Scalar::I16 | Scalar::F16 | Scalar::BF16 => 16,
        Scalar::I32 | Scalar::F32 => 32,
        Scalar::I64 | Scalar::F64 => 64,
        Scalar::I1 | Scalar::I4 | Scalar::F4E2M1FN | Scalar::TF32 => return None,
    };
    let elements = match bits {
        8 => pack.min(4),
        16 => pack.min(2),
        _ => 1,
    };
    let registers = PtxRegisters {
        count: pack / elements,
        elements,
        bits: bits << elements.ilog2(),
    };
    (registers.bits >= 16).then_some(registers)
}

/// Returns the number of elements that one execution of the text of `op` takes.
pub fn ptx_pack(op: &Op) -> usize {
    match op.attr("pack") {
        Some(&Attr::Int(pack)) => usize::try_from(pack).unwrap_or(0),
        _ => 1,
    }
}

/// Checks `ptx.inline` or `ptx.inline_pure`.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op) {
    let Some(Attr::Str(text)) = op.attr("text") else {
        return;
    };
    let pack = ptx_pack(op);
    if !pack.is_power_of_two() || pack > MAX_PACKED {
        cx.error(
            Code::VerifyAttributes,
            op,
            "a text cannot take so many elements at a time".to_owned(),
            "`pack` is 1, 2, 4, 8 or 16",
        );
        return;
    }
    let Some(pieces) = ptx_pieces(text) else {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("a brace in {text:?} belongs to no register"),
            "registers are written `{0}`, `{1}` and so on, braces `{{` and `}}`",
        );
        return;
    };
    let tiles: Vec<Type> = cx
        .tys(&op.results)
        .into_iter()
        .chain(cx.tys(&op.operands))
        .collect();
    let mut registers = 0;
    for ty in &tiles {
        let held = match ty.as_tile().map(|tile| tile.element) {
            Some(Element::Scalar(scalar)) => ptx_registers(scalar, pack),
            Some(Element::Ptr(_)) | None => None,
        };
        let Some(held) = held else {
            cx.error(
                Code::VerifyType,
                op,
                format!("PTX has no register that holds an element of `{ty}`"),
                "registers hold i16, i32, i64, f16, bf16, f32 and f64, and two or more elements of 8 bits",
            );
            return;
        };
        registers += held.count;
    }
    let beyond = pieces.iter().find_map(|piece| match piece {
        PtxPiece::Register(number) if *number >= registers => Some(*number),
        PtxPiece::Register(_) | PtxPiece::Text(_) => None,
    });
    if let Some(number) = beyond {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("`{{{number}}}` names none of {registers} registers"),
            "registers of results are numbered from 0, those of operands after them",
        );
    }
    let shape = |ty: &Type| ty.as_tile().map(|tile| tile.shape.clone());
    if tiles
        .windows(2)
        .any(|pair| shape(&pair[0]) != shape(&pair[1]))
    {
        cx.error(
            Code::VerifyOperands,
            op,
            "operands and results differ in shape".to_owned(),
            "the text is run for each position of tiles of one shape",
        );
    }
    let elements: i64 = tiles
        .first()
        .and_then(shape)
        .map_or(1, |shape| shape.iter().product());
    if usize::try_from(elements).is_ok_and(|elements| elements < pack) {
        cx.error(
            Code::VerifyOperands,
            op,
            format!("a text that takes {pack} elements at a time, and tiles of {elements}"),
            "tiles have at least as many elements as one run of the text takes",
        );
    }
}
