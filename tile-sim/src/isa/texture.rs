//! Textures (PTX ISA, `tex`, `tld4`, `txq`, `istypep`), by handles in registers or
//! variables.
//!
//! Images have one level, which is what every level of detail leads to. Channels that an image
//! lacks have no value. What the PTX ISA or the CUDA C++ Programming Guide leave open is a fault:
//! integer coordinates outside of an image, layers that are not there, coordinates that are NaN.

mod read;

pub(crate) use read::layer;

use super::operands::{exact_dest, sized};
use super::types::Type;
use super::{Op, Pred, Slot};
use crate::check::{FaultKind, Trouble};
use crate::parse::decoder::{Decoded, Decoder, Slots};
use crate::parse::syntax::Operand;

/// The coordinates of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) name: &'static str,
    /// An index of a layer stands before them.
    pub(crate) layered: bool,
    pub(crate) axes: usize,
    /// With what is ignored at the end.
    pub(crate) operands: usize,
    cube: bool,
}

const fn geometry(name: &'static str, layered: bool, axes: usize, operands: usize) -> Geometry {
    Geometry {
        name,
        layered,
        axes,
        operands,
        cube: false,
    }
}

const fn cube(name: &'static str, layered: bool) -> Geometry {
    Geometry {
        cube: true,
        ..geometry(name, layered, 3, 4)
    }
}

pub(crate) const GEOMETRIES: [(&str, Geometry); 7] = [
    ("1d", geometry("1d", false, 1, 1)),
    ("2d", geometry("2d", false, 2, 2)),
    ("3d", geometry("3d", false, 3, 4)),
    ("a1d", geometry("a1d", true, 1, 2)),
    ("a2d", geometry("a2d", true, 2, 4)),
    ("cube", cube("cube", false)),
    ("acube", cube("acube", true)),
];

/// Where an instruction reads or writes.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) handle: Slot,
    sampler: Option<Slot>,
    pub(crate) geometry: Geometry,
    pub(crate) layer: Option<Slot>,
    pub(crate) coordinates: Slots,
}

/// Reading, or asking.
#[derive(Clone, Debug)]
pub(crate) enum TextureOp {
    Fetch {
        place: Place,
        /// Coordinates are integers.
        integers: bool,
        /// Results are floating-point numbers.
        floats: bool,
        dests: Slots,
        resident: Option<Pred>,
    },
    /// One channel of four elements.
    Gather {
        place: Place,
        channel: usize,
        floats: bool,
        dests: Slots,
        resident: Option<Pred>,
    },
    Query {
        dest: Slot,
        handle: Slot,
        of_surface: bool,
        property: Property,
    },
    IsType {
        dest: Pred,
        handle: Slot,
        kind: Kind,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
    Width,
    Height,
    Depth,
    Layers,
    IsNormalized,
    Levels,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Texture,
    Sampler,
    Surface,
}

/// `[a, c]` or `[a, b, c]`.
pub(crate) fn place(
    d: &mut Decoder<'_>,
    index: usize,
    geometry: Geometry,
    samples: bool,
) -> Decoded<Place> {
    let Operand::Indexed(base, behind) = d.operand(index)? else {
        return d.error(format!(
            "operand {} must be `[handle, coordinates]`",
            index + 1
        ));
    };
    let Operand::Address(handle, 0) = &**base else {
        return d.error("a handle has no offset");
    };
    let (sampler, coordinates) = match behind.as_slice() {
        [coordinates] => (None, coordinates),
        [sampler, coordinates] if samples => (Some(sampler), coordinates),
        _ => return d.error(format!("operand {} has too many parts", index + 1)),
    };
    let elements = match coordinates {
        Operand::Vector(elements) => elements.as_slice(),
        single => std::slice::from_ref(single),
    };
    if elements.len() != geometry.operands {
        return d.error(format!(
            "`.{}` has {} coordinates",
            geometry.name, geometry.operands
        ));
    }
    let handle = handle_of(d, handle)?;
    let sampler = match sampler {
        Some(sampler) => Some(handle_of(d, sampler)?),
        None => None,
    };
    let mut slots = Slots::new();
    for element in elements {
        slots.push(super::operands::sized_of(d, element, Type::B32)?);
    }
    let layer = geometry.layered.then(|| slots.remove(0));
    // What is ignored need not have a value.
    for padding in slots.drain(geometry.axes..) {
        let reads = &mut d.uses.reads;
        if let Some(at) = reads.iter().rposition(|&read| read == padding) {
            reads.remove(at);
        }
    }
    Ok(Place {
        handle,
        sampler,
        geometry,
        layer,
        coordinates: slots,
    })
}

/// A handle in a register, or the address of a variable that stands for one.
fn handle_of(d: &mut Decoder<'_>, operand: &Operand) -> Decoded<Slot> {
    super::operands::sized_of(d, operand, Type::B64)
}

/// The four registers of a result, and the predicate beside them.
fn results(d: &mut Decoder<'_>) -> Decoded<(Slots, Option<Pred>)> {
    let (elements, resident) = match d.operand(0)? {
        Operand::Vector(elements) => (elements, None),
        Operand::VectorPair(elements, name) => {
            d.requires((7, 1), 60)?;
            (elements, Some(d.pred_named(name)?))
        }
        _ => return d.error("the result is a vector"),
    };
    if elements.len() != 4 {
        return d.error("the result has four registers");
    }
    let mut dests = Slots::new();
    for element in elements {
        let dest = d.dest_of(element)?;
        if *element != Operand::Name("_".into()) && d.names.width(dest) != 32 {
            return d.error("the registers of the result must have 32 bits");
        }
        dests.push(dest);
    }
    Ok((dests, resident))
}

/// `.u32`, `.s32` or `.f32`; whether it is the last.
fn result_type(d: &mut Decoder<'_>) -> Decoded<bool> {
    if d.takes("f16") || d.has("f16x2") {
        return d.error("results of half precision are not supported");
    }
    d.needs(&[("u32", false), ("s32", false), ("f32", true)])
}

/// `tex`
pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let detail = d.one_of(&[("base", 0), ("level", 1), ("grad", 2)]);
    let geometry = d.needs(&GEOMETRIES)?;
    if geometry.cube {
        d.requires((3, 0), 20)?;
    }
    if d.peek() == Some("v2") {
        return d.error("results of half precision are not supported");
    }
    d.needs(&[("v4", ())])?;
    let floats = result_type(d)?;
    let integers = d.needs(&[("s32", true), ("f32", false)])?;
    if integers && geometry.cube {
        return d.error("directions are of `.f32`");
    }
    if integers && detail == Some(2) {
        return d.error("gradients are of `.f32`");
    }
    let detail = detail.unwrap_or(0);
    if d.operands() > 2 + detail {
        return d.error("offsets and comparisons of depths are not supported");
    }
    d.end(2 + detail)?;
    for index in 2..2 + detail {
        if detail == 1 {
            sized(d, index, Type::B32)?;
        } else {
            if !d.is_vector(index) {
                return d.error("a gradient is a vector");
            }
            let count = if geometry.axes == 3 { 4 } else { geometry.axes };
            d.sources(index, count, Type::B32)?;
        }
    }
    let place = place(d, 1, geometry, true)?;
    let (dests, resident) = results(d)?;
    Ok(Op::Texture(TextureOp::Fetch {
        place,
        integers,
        floats,
        dests,
        resident,
    }))
}

/// `tld4`
pub(crate) fn decode_gather(d: &mut Decoder<'_>) -> Decoded<Op> {
    let channel = d.needs(&[("r", 0), ("g", 1), ("b", 2), ("a", 3)])?;
    let planes = [GEOMETRIES[1], GEOMETRIES[4]];
    if matches!(d.peek(), Some("cube" | "acube")) {
        return d.error("four elements of a cube are not supported");
    }
    let geometry = d.needs(&planes)?;
    d.needs(&[("v4", ())])?;
    let floats = result_type(d)?;
    d.needs(&[("f32", ())])?;
    if d.operands() > 2 {
        return d.error("offsets and comparisons of depths are not supported");
    }
    d.end(2)?;
    let place = place(d, 1, geometry, true)?;
    let (dests, resident) = results(d)?;
    Ok(Op::Texture(TextureOp::Gather {
        place,
        channel,
        floats,
        dests,
        resident,
    }))
}

/// `txq`, `suq`
pub(crate) fn decode_query(d: &mut Decoder<'_>) -> Decoded<Op> {
    let of_surface = d.opcode() == "suq";
    let sizes = [
        ("width", Property::Width),
        ("height", Property::Height),
        ("depth", Property::Depth),
    ];
    let level = !of_surface && d.takes("level");
    let property = if let Some(property) = d.one_of(&sizes) {
        property
    } else if level {
        return d.unexpected();
    } else if let Some(property) = d.one_of(&[("array_size", Property::Layers)]) {
        property
    } else if of_surface {
        return d.error("of surfaces, only the sizes can be asked for");
    } else if let Some(property) = d.one_of(&[
        ("normalized_coords", Property::IsNormalized),
        ("num_mipmap_levels", Property::Levels),
    ]) {
        property
    } else {
        return d.error("of textures, only the sizes, the levels and whether coordinates are normalized can be asked for");
    };
    d.needs(&[("b32", ())])?;
    d.end(if level { 3 } else { 2 })?;
    if level {
        sized(d, 2, Type::B32)?;
    }
    let Operand::Address(handle, 0) = d.operand(1)? else {
        return d.error("operand 2 must be `[handle]`");
    };
    Ok(Op::Texture(TextureOp::Query {
        handle: handle_of(d, handle)?,
        dest: exact_dest(d, 0, Type::B32)?,
        of_surface,
        property,
    }))
}

/// `istypep`
pub(crate) fn decode_type(d: &mut Decoder<'_>) -> Decoded<Op> {
    let kind = d.needs(&[
        ("texref", Kind::Texture),
        ("samplerref", Kind::Sampler),
        ("surfref", Kind::Surface),
    ])?;
    d.end(2)?;
    let Operand::Name(_) = d.operand(1)? else {
        return d.error("operand 2 must be a register");
    };
    Ok(Op::Texture(TextureOp::IsType {
        handle: sized(d, 1, Type::B64)?,
        dest: d.pred_dest(0)?,
        kind,
    }))
}

pub(crate) fn misuse(lane: usize, message: impl Into<String>) -> Trouble {
    Trouble::at(lane, FaultKind::Texture(message.into()))
}

pub(crate) fn no_object(lane: usize, handle: u64, of_surface: bool) -> Trouble {
    let (what, make) = if of_surface {
        ("surface", "`Memory::surface` or `Argument::surface`")
    } else {
        ("texture", "`Memory::texture` or `Argument::texture`")
    };
    misuse(
        lane,
        format!(
            "{handle:#x} is no handle of a {what}, nor a variable of one: {make} make one, `Launch::bind` gives it to a variable"
        ),
    )
}
