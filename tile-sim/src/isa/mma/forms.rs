//! The syntax of `mma`, and the forms that exist.

use super::element::{ELEMENTS, Element, Overflow, Packing, SUMS, Scale, Sum};
use super::quads::Major;
use super::scale::{Factors, Scaling};
use super::sparse::Storage;
use super::{Mma, Sparse};
use crate::isa::Op;
use crate::isa::soft::Rounding;
use crate::isa::types::Type;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::target::Target;

/// The `.kind` qualifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    F8f6f4,
    Mxf8f6f4,
    Mxf4,
    Mxf4nvf4,
}

const KINDS: [(&str, Kind); 4] = [
    ("kind::f8f6f4", Kind::F8f6f4),
    ("kind::mxf8f6f4", Kind::Mxf8f6f4),
    ("kind::mxf4", Kind::Mxf4),
    ("kind::mxf4nvf4", Kind::Mxf4nvf4),
];

const MAJORS: [(&str, Major); 2] = [("row", Major::Row), ("col", Major::Column)];

pub(crate) const ROUNDINGS: [(&str, Rounding); 4] = [
    ("rn", Rounding::NearestEven),
    ("rz", Rounding::Zero),
    ("rm", Rounding::Down),
    ("rp", Rounding::Up),
];

/// Decodes a shape such as `m16n8k16` as M, N and K.
pub(crate) fn shape(d: &mut Decoder<'_>) -> Option<[usize; 3]> {
    let word = d.peek()?;
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    // Leading zeros and signs are not allowed.
    let number = |digits: &str| {
        let number: usize = digits.parse().ok()?;
        (number.to_string() == digits).then_some(number)
    };
    let shape = [number(m)?, number(n)?, number(k)?];
    d.takes(word);
    Some(shape)
}

/// The modifiers of the instruction.
#[expect(clippy::struct_excessive_bools, reason = "one for each modifier")]
struct Form {
    sparse: bool,
    ordered: bool,
    m: usize,
    k: usize,
    majors: (Major, Major),
    saturates: bool,
    rounding: Option<Rounding>,
    kind: Option<Kind>,
    block_scale: bool,
    /// `.scale_vec`.
    scale_vec: Option<usize>,
    d: Sum,
    a: Element,
    b: Element,
    c: Sum,
    /// `.xor` or `.and`.
    bit: Option<bool>,
    scale: Option<Scale>,
}

impl Form {
    fn read(d: &mut Decoder<'_>) -> Decoded<Self> {
        let ordered = d.one_of(&[("sp", false), ("sp::ordered_metadata", true)]);
        d.needs(&[("sync", ())])?;
        d.needs(&[("aligned", ())])?;
        // The shape is accepted either before or after the layouts.
        let mut dims = shape(d);
        let majors = (d.needs(&MAJORS)?, d.needs(&MAJORS)?);
        if dims.is_none() {
            dims = shape(d);
        }
        let Some([m, 8, k]) = dims else {
            return d.error("expected a shape, such as `.m16n8k16`");
        };
        let saturates = d.takes("satfinite");
        let rounding = d.one_of(&ROUNDINGS);
        let kind = d.one_of(&KINDS);
        let block_scale = d.takes("block_scale");
        let scale_vec = d.one_of(&[
            ("scale_vec::1X", 1),
            ("scale_vec::2X", 2),
            ("scale_vec::4X", 4),
        ]);
        let to = d.needs(&SUMS)?;
        let (a, b) = (d.needs(&ELEMENTS)?, d.needs(&ELEMENTS)?);
        let c = d.needs(&SUMS)?;
        let bit = d.one_of(&[("xor", true), ("and", false)]);
        if bit.is_some() {
            d.needs(&[("popc", ())])?;
        }
        let scale = d.one_of(&[("ue8m0", Scale::Ue8m0), ("ue4m3", Scale::Ue4m3)]);
        Ok(Self {
            sparse: ordered.is_some(),
            ordered: ordered == Some(true),
            m,
            k,
            majors,
            saturates,
            rounding,
            kind,
            block_scale,
            scale_vec,
            d: to,
            a,
            b,
            c,
            bit,
            scale,
        })
    }

    /// Returns `true` if the PTX ISA defines the form.
    fn exists(&self) -> bool {
        let row_col = self.majors == (Major::Row, Major::Column);
        let modifiers = (!self.saturates || self.d == Sum::S32 && self.a != Element::B1)
            && (self.rounding.is_none() || self.a == Element::F64)
            && self.bit.is_some() == (self.a == Element::B1)
            && self.scale.is_some() == self.block_scale
            && (self.scale_vec.is_none() || self.block_scale);
        if !modifiers {
            return false;
        }
        if let Some(kind) = self.kind {
            return row_col && self.m == 16 && self.kind_exists(kind);
        }
        if self.block_scale {
            return false;
        }
        if self.m == 8 && self.k == 4 && self.a == Element::F16 {
            return !self.sparse
                && self.b == Element::F16
                && matches!(
                    (self.d, self.c),
                    (Sum::F16 | Sum::F32, Sum::F16) | (Sum::F32, Sum::F32)
                );
        }
        // A sparse A has as many registers as a dense A with half the K.
        let k = if self.sparse { self.k / 2 } else { self.k };
        row_col && self.d == self.c && self.dense_exists(k)
    }

    fn dense_exists(&self, k: usize) -> bool {
        let Self { m, a, b, .. } = *self;
        let half_sums = matches!(self.d, Sum::F16 | Sum::F32);
        match a {
            Element::F16 => a == b && half_sums && m == 16 && matches!(k, 8 | 16),
            Element::Bf16 => a == b && self.d == Sum::F32 && m == 16 && matches!(k, 8 | 16),
            Element::Tf32 => a == b && self.d == Sum::F32 && m == 16 && matches!(k, 4 | 8),
            Element::F64 => {
                let k = if m == 8 {
                    k == 4
                } else {
                    matches!(k, 4 | 8 | 16)
                };
                a == b && self.d == Sum::F64 && !self.sparse && matches!(m, 8 | 16) && k
            }
            Element::E4m3 | Element::E5m2 => {
                let sums = if self.sparse {
                    k == 32 && (self.d == Sum::F32 || self.d == Sum::F16 && self.ordered)
                } else {
                    matches!(k, 16 | 32) && half_sums
                };
                b.is_fp8() && m == 16 && sums
            }
            Element::S8 | Element::U8 => b.is_byte() && self.integer_exists(k, 16),
            Element::S4 | Element::U4 => b.is_nibble() && self.integer_exists(k, 32),
            Element::B1 => a == b && !self.sparse && self.integer_exists(k, 128),
            Element::E3m2 | Element::E2m3 | Element::E2m1 => false,
        }
    }

    fn integer_exists(&self, k: usize, min: usize) -> bool {
        let shape = match self.m {
            8 => k == min && !self.sparse,
            16 => k == min || k == 2 * min,
            _ => false,
        };
        self.d == Sum::S32 && shape
    }

    fn kind_exists(&self, kind: Kind) -> bool {
        let Self { a, b, k, .. } = *self;
        if self.sparse && !self.ordered || self.d != self.c {
            return false;
        }
        let depth = if self.sparse { k / 2 } else { k };
        let fours = a == Element::E2m1 && b == a && depth == 64;
        let narrow = a.is_narrow_float() && b.is_narrow_float();
        let single = self.d == Sum::F32;
        match (kind, self.block_scale, self.scale_vec) {
            (Kind::F8f6f4, false, None) => {
                let small = depth == 16 && !self.sparse && a.is_fp8() && b.is_fp8();
                narrow && (depth == 32 || small) && matches!(self.d, Sum::F16 | Sum::F32)
            }
            (Kind::Mxf8f6f4, true, None | Some(1)) => {
                narrow && single && depth == 32 && self.scale == Some(Scale::Ue8m0)
            }
            (Kind::Mxf4, true, None | Some(2)) => {
                fours && single && self.scale == Some(Scale::Ue8m0)
            }
            (Kind::Mxf4nvf4, true, Some(2)) => fours && single && self.scale == Some(Scale::Ue8m0),
            (Kind::Mxf4nvf4, true, Some(4)) => fours && single,
            _ => false,
        }
    }

    /// Checks the PTX version and the target (PTX ISA, "Target ISA Notes").
    fn require(&self, d: &Decoder<'_>) -> Decoded<()> {
        let fp8 = self.a.is_fp8();
        let half_sums = self.d == Sum::F16;
        match (self.kind, self.sparse) {
            (Some(Kind::Mxf4 | Kind::Mxf4nvf4), _) => {
                let with_bytes = self.scale_vec == Some(4) && self.scale == Some(Scale::Ue8m0);
                let version = if with_bytes { (9, 1) } else { (8, 7) };
                d.requires_one_of(version, &[Target::only(120), Target::only(121)])
            }
            (Some(_), _) => d.requires_one_of((8, 7), &[Target::family(120)]),
            (None, true) if fp8 && half_sums => d.requires((8, 7), 120),
            (None, true) => {
                let version = match (self.ordered, fp8) {
                    (true, _) => (8, 5),
                    (false, true) => (8, 4),
                    (false, false) => (7, 1),
                };
                d.requires(version, if fp8 { 89 } else { 80 })
            }
            (None, false) if fp8 => {
                let version = if half_sums || self.k == 16 {
                    (8, 7)
                } else {
                    (8, 4)
                };
                d.requires(version, 89)
            }
            (None, false) => match (self.a, self.m, self.k) {
                (Element::F16, 8, _) => d.requires((6, 4), 70),
                (Element::F16, _, 8) => d.requires((6, 5), 75),
                (Element::F64, 16, _) => d.requires((7, 8), 90),
                (Element::S8 | Element::U8 | Element::S4 | Element::U4, 8, _) => {
                    d.requires((6, 5), 75)
                }
                (Element::B1, 8, _) if self.bit == Some(true) => d.requires((7, 0), 75),
                (Element::B1, ..) if self.bit == Some(false) => d.requires((7, 1), 80),
                _ => d.requires((7, 0), 80),
            },
        }
    }

    fn packing(&self, element: Element) -> Packing {
        match self.kind {
            Some(Kind::Mxf4 | Kind::Mxf4nvf4) => Packing::dense(element),
            Some(Kind::F8f6f4 | Kind::Mxf8f6f4) | None => Packing::new(element),
        }
    }
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let form = Form::read(d)?;
    if !form.exists() {
        return d.error("the PTX ISA does not define this form");
    }
    form.require(d)?;
    let (a, b) = (form.packing(form.a), form.packing(form.b));
    let quads = form.m == 8 && form.a == Element::F16;
    let stored = if form.sparse { form.k / 2 } else { form.k };
    // Each lane holds a 32nd of each matrix. With `.m8n8k4` it holds an eighth of the matrices of
    // its own product, which eight lanes share.
    let (a_count, b_count, sum_elements) = if quads {
        (2, 2, 8)
    } else {
        (
            form.m * stored / 32 / a.per_register(),
            8 * form.k / 32 / b.per_register(),
            form.m * 8 / 32,
        )
    };
    let word = |wide: bool| if wide { Type::F64 } else { Type::B32 };
    d.end(4 + if form.sparse { 2 } else { 0 } + if form.scale.is_some() { 4 } else { 0 })?;
    for operand in 0..4 {
        if !d.is_vector(operand) {
            return d.error(format!("operand {} must be in braces", operand + 1));
        }
    }
    let c_slots = d.sources(
        3,
        sum_elements / form.c.per_register(),
        word(form.c == Sum::F64),
    )?;
    let sparse = if form.sparse {
        Some(sparse(d, &form, a)?)
    } else {
        None
    };
    let scaling = match form.scale {
        Some(scale) => Some(scaling(d, &form, scale)?),
        None => None,
    };
    Ok(Op::Mma(Box::new(Mma {
        rows: form.m,
        k: form.k,
        a,
        b,
        c: form.c,
        d: form.d,
        overflow: if form.saturates {
            Overflow::Saturate
        } else {
            Overflow::Wrap
        },
        rounding: form.rounding.unwrap_or(Rounding::NearestEven),
        majors: form.majors,
        xor: form.bit == Some(true),
        sparse,
        scaling,
        dests: d.dests(0, sum_elements / form.d.per_register())?,
        a_slots: d.sources(1, a_count, word(a.bits == 64))?,
        b_slots: d.sources(2, b_count, word(b.bits == 64))?,
        c_slots,
    })))
}

fn sparse(d: &mut Decoder<'_>, form: &Form, a: Packing) -> Decoded<Sparse> {
    let selector = d.number(5)?;
    let storage = Storage::new(form.a, a.bits, form.k);
    // Shapes that use the metadata of all four threads accept only selector 0. Assemblers check
    // this too.
    if selector > 3 || storage.selectors() == 1 && selector > 0 {
        return d.error(format!(
            "the sparsity selector must be below {}",
            storage.selectors()
        ));
    }
    Ok(Sparse {
        storage,
        metadata: d.source(4, Type::B32)?,
        // The selector is at most 3.
        selector: selector as usize,
        ordered: form.ordered,
    })
}

fn scaling(d: &mut Decoder<'_>, form: &Form, scale: Scale) -> Decoded<Scaling> {
    let chunks = match (form.scale_vec, form.kind) {
        (Some(chunks), _) => chunks,
        (_, Some(Kind::Mxf8f6f4)) => 1,
        _ => 2,
    };
    let first = if form.sparse { 6 } else { 4 };
    let mut factors = |operand| {
        let selectors = d.sources(operand + 1, 2, Type::B16)?;
        Ok(Factors {
            // The operand is accepted with and without braces.
            data: d.sources(operand, 1, Type::B32)?[0],
            byte: selectors[0],
            thread: selectors[1],
        })
    };
    Ok(Scaling {
        scale,
        chunks,
        a: factors(first)?,
        b: factors(first + 2)?,
    })
}
