//! The syntax of `tcgen05.mma`, and the forms that exist.

use super::{A, Mask, Multiply};
use crate::isa::operands::{address_of, sized};
use crate::isa::tcgen05::group;
use crate::isa::types::Type;
use crate::machine::tensor_memory::Group;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::syntax::Operand;
use crate::parse::target::Target;

/// The `.kind` qualifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tf32,
    F16,
    F8f6f4,
    I8,
    Mxf8f6f4,
    Mxf4,
    Mxf4nvf4,
}

const KINDS: [(&str, Kind); 7] = [
    ("kind::tf32", Kind::Tf32),
    ("kind::f16", Kind::F16),
    ("kind::f8f6f4", Kind::F8f6f4),
    ("kind::i8", Kind::I8),
    ("kind::mxf8f6f4", Kind::Mxf8f6f4),
    ("kind::mxf4", Kind::Mxf4),
    ("kind::mxf4nvf4", Kind::Mxf4nvf4),
];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tf32 => "tf32",
            Self::F16 => "f16",
            Self::F8f6f4 => "f8f6f4",
            Self::I8 => "i8",
            Self::Mxf8f6f4 => "mxf8f6f4",
            Self::Mxf4 => "mxf4",
            Self::Mxf4nvf4 => "mxf4nvf4",
        }
    }

    /// Returns `true` if the kind has block scaling.
    pub(crate) fn is_scaled(self) -> bool {
        matches!(self, Self::Mxf8f6f4 | Self::Mxf4 | Self::Mxf4nvf4)
    }

    /// Returns `true` if elements have 4 bits without padding.
    pub(crate) fn is_four(self) -> bool {
        matches!(self, Self::Mxf4 | Self::Mxf4nvf4)
    }
}

/// The number of elements per scale factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scales {
    Sixteen,
    ThirtyTwo,
}

impl Scales {
    /// Returns the number of factors per row. A sparse A has the same number for twice the K (PTX
    /// ISA, table "Valid combinations of `scale_vectorsize` and shapes").
    pub(crate) fn chunks(self, kind: Kind, long: bool) -> usize {
        match (self, kind.is_four(), long) {
            (Self::ThirtyTwo, false, _) => 1,
            (Self::ThirtyTwo, true, false) => 2,
            (Self::ThirtyTwo, true, true) => 3,
            (Self::Sixteen, _, false) => 4,
            (Self::Sixteen, _, true) => 6,
        }
    }
}

/// The modifiers that determine the meaning of the instruction descriptor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) kind: Kind,
    pub(crate) group: Group,
    pub(crate) sparse: bool,
    /// `.ws` (weight stationary).
    pub(crate) stationary: bool,
    pub(crate) scales: Option<Scales>,
    /// Is `true` if the target has K = 96 and absolute addresses in descriptors.
    pub(crate) longer: bool,
}

/// `.scale_vectorsize`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VectorSize {
    Times(usize),
    Block(Scales),
}

const VECTOR_SIZES: [(&str, VectorSize); 5] = [
    ("scale_vec::1X", VectorSize::Times(1)),
    ("scale_vec::2X", VectorSize::Times(2)),
    ("scale_vec::4X", VectorSize::Times(4)),
    ("block16", VectorSize::Block(Scales::Sixteen)),
    ("block32", VectorSize::Block(Scales::ThirtyTwo)),
];

impl VectorSize {
    fn scales_for(self, kind: Kind) -> Option<Scales> {
        Some(match (kind, self) {
            (Kind::Mxf8f6f4, Self::Times(1) | Self::Block(Scales::ThirtyTwo)) => Scales::ThirtyTwo,
            (Kind::Mxf4 | Kind::Mxf4nvf4, Self::Times(2) | Self::Block(Scales::ThirtyTwo)) => {
                Scales::ThirtyTwo
            }
            (Kind::Mxf4nvf4, Self::Times(4) | Self::Block(Scales::Sixteen)) => Scales::Sixteen,
            _ => return None,
        })
    }
}

/// The use of the collector buffer, which has no effect on results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Collector {
    /// `::fill`, `::use`.
    Keeps,
    /// `::lastuse`, `::discard`.
    Frees,
}

const COLLECTORS_A: [(&str, Collector); 4] = [
    ("collector::a::fill", Collector::Keeps),
    ("collector::a::use", Collector::Keeps),
    ("collector::a::lastuse", Collector::Frees),
    ("collector::a::discard", Collector::Frees),
];

const COLLECTORS_B: [(&str, Collector); 16] = [
    ("collector::b0::fill", Collector::Keeps),
    ("collector::b0::use", Collector::Keeps),
    ("collector::b0::lastuse", Collector::Frees),
    ("collector::b0::discard", Collector::Frees),
    ("collector::b1::fill", Collector::Keeps),
    ("collector::b1::use", Collector::Keeps),
    ("collector::b1::lastuse", Collector::Frees),
    ("collector::b1::discard", Collector::Frees),
    ("collector::b2::fill", Collector::Keeps),
    ("collector::b2::use", Collector::Keeps),
    ("collector::b2::lastuse", Collector::Frees),
    ("collector::b2::discard", Collector::Frees),
    ("collector::b3::fill", Collector::Keeps),
    ("collector::b3::use", Collector::Keeps),
    ("collector::b3::lastuse", Collector::Frees),
    ("collector::b3::discard", Collector::Frees),
];

/// The modifiers of the instruction.
struct Modifiers {
    form: Form,
    shifts: bool,
}

fn modifiers(d: &mut Decoder<'_>) -> Decoded<Modifiers> {
    let stationary = d.takes("ws");
    let sparse = d.takes("sp");
    let group = group(d)?;
    if stationary && group == Group::Two {
        return d.error("`.ws` is of `.cta_group::1`");
    }
    let kind = d.needs(&KINDS)?;
    if stationary && kind.is_scaled() {
        return d.error("`.ws` has no scale factors");
    }
    let scales = if kind.is_scaled() {
        d.needs(&[("block_scale", ())])?;
        let size = d.one_of(&VECTOR_SIZES);
        match (size, kind) {
            (Some(size), _) => match size.scales_for(kind) {
                Some(scales) => Some(scales),
                None => return d.error("this block size does not exist"),
            },
            (None, Kind::Mxf4nvf4) => return d.error("`.kind::mxf4nvf4` requires a block size"),
            (None, _) => Some(Scales::ThirtyTwo),
        }
    } else {
        None
    };
    let shifts = !stationary && !kind.is_scaled() && d.takes("ashift");
    let collector = if stationary {
        d.one_of(&COLLECTORS_B)
    } else {
        d.one_of(&COLLECTORS_A)
    };
    if shifts && collector == Some(Collector::Keeps) {
        return d.error("`.ashift` requires `::lastuse` or `::discard`");
    }
    let longer = d.names.target == Target::only(103);
    let form = Form {
        kind,
        group,
        sparse,
        stationary,
        scales,
        longer,
    };
    Ok(Modifiers { form, shifts })
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Multiply> {
    let Modifiers { form, shifts } = modifiers(d)?;
    // Operands: D, A, B, metadata, instruction descriptor, two scale factors, disable mask,
    // enable-input-d, and scale-input-d or the zero-column mask (PTX ISA, "tcgen05.mma").
    let min = 5 + usize::from(form.sparse) + if form.scales.is_some() { 2 } else { 0 };
    let max = match (&form.scales, form.stationary) {
        (Some(_), _) => min,
        (None, true) => min + 1,
        (None, false) => min + 2,
    };
    d.end_between(min, max)?;
    let to = address_of(d, 0, &[])?;
    let a = match d.operand(1)? {
        Operand::Address(..) => A::Tensor(address_of(d, 1, &[])?),
        _ if shifts => return d.error("`.ashift` requires A in tensor memory"),
        _ => A::Shared(sized(d, 1, Type::B64)?),
    };
    let b = sized(d, 2, Type::B64)?;
    let mut next = 3;
    let mut take = || {
        next += 1;
        next - 1
    };
    let metadata = if form.sparse {
        Some(address_of(d, take(), &[])?)
    } else {
        None
    };
    let instruction = sized(d, take(), Type::B32)?;
    let scales = match form.scales {
        Some(_) => Some([address_of(d, take(), &[])?, address_of(d, take(), &[])?]),
        None => None,
    };
    let mut mask = None;
    if !form.stationary && scales.is_none() && d.is_vector(next) {
        let count = 4 * form.group.number() as usize;
        mask = Some(Mask(d.sources(next, count, Type::B32)?));
        next += 1;
    }
    let accumulate = d.condition(next)?;
    next += 1;
    let last = d.operands() > next;
    let mut multiply = Multiply {
        form,
        to,
        a,
        b,
        metadata,
        instruction,
        scales,
        mask,
        accumulate,
        shifts,
        scale_d: 0,
        zero_columns: None,
    };
    if last && form.stationary {
        multiply.zero_columns = Some(sized(d, next, Type::B64)?);
    } else if last {
        let scale = d.number(next)?;
        if !matches!(form.kind, Kind::F16 | Kind::Tf32) {
            return d.error("`scale-input-d` is of `.kind::f16` and `.kind::tf32` alone");
        }
        let targets = [Target::only(100), Target::family(100)];
        d.requires_one_of((8, 6), &targets)?;
        if scale > 15 {
            return d.error("`scale-input-d` is at most 15");
        }
        multiply.scale_d = scale as u32;
    }
    d.end(next + usize::from(last))?;
    Ok(multiply)
}
