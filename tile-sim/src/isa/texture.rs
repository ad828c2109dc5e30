//! Textures (PTX ISA, `tex`, `tld4`, `txq`, `istypep`), by handles in registers.
//!
//! Images have one level, which is what every level of detail leads to. Channels that an image
//! lacks have no value. What the PTX ISA or the CUDA C++ Programming Guide leave open is a fault:
//! integer coordinates outside of an image, layers that are not there, coordinates that are NaN.

use super::operands::{exact_dest, sized};
use super::types::Type;
use super::{Op, Pred, Slot};
use crate::check::{FaultKind, Trouble};
use crate::isa::soft::{F16, F32, Rounding};
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::parse::decoder::{Decoded, Decoder, Slots};
use crate::parse::syntax::{Operand, Space};
use crate::texture::sample::{Axis, ONE, face};
use crate::texture::{Channel, Coordinates, Filter, Image, Object, ReadMode, Sampler, Texture};

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

fn handle_of(d: &mut Decoder<'_>, operand: &Operand) -> Decoded<Slot> {
    if let Operand::Name(name) = operand
        && d.names.value(name).is_none()
    {
        return d.error(format!(
            "`{name}` is not a register: textures and surfaces are taken by handles in registers of 64 bits"
        ));
    }
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

/// An element as numbers: bits of 32-bit integers or of `.f32`, or exact values.
#[derive(Clone, Copy)]
struct Element {
    bits: [u32; 4],
    values: [f64; 4],
}

const BORDER: Element = Element {
    bits: [0; 4],
    values: [0.0; 4],
};

/// A channel as a number, and its bits as one of 32.
fn number(channel: Channel, read: ReadMode, bytes: &[u8]) -> (u32, f64) {
    let mut word = [0; 4];
    word[..bytes.len()].copy_from_slice(bytes);
    let bits = u32::from_le_bytes(word);
    let share = |value: f64, greatest: f64| {
        let value = (value / greatest).max(-1.0);
        ((value as f32).to_bits(), value)
    };
    let plain = |bits: u32| (bits, 0.0);
    match (channel, read) {
        (Channel::Unsigned8, ReadMode::Normalized) => share(f64::from(bits), 255.0),
        (Channel::Unsigned16, ReadMode::Normalized) => share(f64::from(bits), 65_535.0),
        (Channel::Signed8, ReadMode::Normalized) => share(f64::from(bits as u8 as i8), 127.0),
        (Channel::Signed16, ReadMode::Normalized) => share(f64::from(bits as u16 as i16), 32_767.0),
        (Channel::Signed8, _) => plain(i32::from(bits as u8 as i8).cast_unsigned()),
        (Channel::Signed16, _) => plain(i32::from(bits as u16 as i16).cast_unsigned()),
        (Channel::Float16, _) => {
            // Below 2^32.
            let bits = F32.of(u64::from(bits), F16, Rounding::NearestEven) as u32;
            (bits, f64::from(f32::from_bits(bits)))
        }
        (Channel::Float32, _) => (bits, f64::from(f32::from_bits(bits))),
        (Channel::Unsigned8 | Channel::Unsigned16 | Channel::Unsigned32 | Channel::Signed32, _) => {
            plain(bits)
        }
    }
}

/// A texture as an instruction reads it.
struct Reader {
    texture: Texture,
    sampler: Sampler,
    layer: u32,
}

impl Reader {
    fn element(
        &self,
        cx: &mut Cx<'_, '_>,
        lane: usize,
        at: [Option<u32>; 3],
    ) -> Result<Element, Trouble> {
        let Image {
            channel, channels, ..
        } = self.texture.image;
        let [Some(x), Some(y), Some(z)] = at else {
            return Ok(BORDER);
        };
        let address = self.texture.image.element(self.layer, [x, y, z]);
        let mut buffer = [0; 16];
        let bytes = &mut buffer[..channel.bytes() * channels];
        cx.load(lane, Space::Global, address, bytes)?;
        let mut element = BORDER;
        for (index, bytes) in bytes.chunks_exact(channel.bytes()).enumerate() {
            let (bits, value) = number(channel, self.texture.read, bytes);
            element.bits[index] = bits;
            element.values[index] = value;
        }
        Ok(element)
    }

    fn axis(&self, number: usize) -> Axis {
        let size = self.texture.image.shape.extents()[number];
        Axis::new(&self.sampler, number, size)
    }

    /// The bits of each channel at coordinates.
    fn sample(
        &self,
        cx: &mut Cx<'_, '_>,
        lane: usize,
        coordinates: &[f32],
    ) -> Result<[u32; 4], Trouble> {
        let nan = || misuse(lane, format!("{coordinates:?} is nowhere"));
        if self.sampler.filter == Filter::Point {
            let mut at = [Some(0); 3];
            for (number, &coordinate) in coordinates.iter().enumerate() {
                at[number] = self.axis(number).point(coordinate).ok_or_else(nan)?;
            }
            return Ok(self.element(cx, lane, at)?.bits);
        }
        // Pairs along each axis; an axis that is not there has one element.
        let mut pairs = [([Some(0); 2], 0); 3];
        for (number, &coordinate) in coordinates.iter().enumerate() {
            pairs[number] = self.axis(number).pair(coordinate).ok_or_else(nan)?;
        }
        let mut sums = [0.0; 4];
        for corner in 0..1 << coordinates.len() {
            let mut at = [Some(0); 3];
            let mut weight = 1;
            for (number, &(elements, second)) in pairs.iter().enumerate() {
                let upper = corner >> number & 1;
                at[number] = elements[upper];
                weight *= [ONE - second, second][upper];
            }
            if weight == 0 {
                continue;
            }
            // An axis that is not there counts its first element once.
            let whole = ONE.pow(3) as f64;
            let element = self.element(cx, lane, at)?;
            for (sum, value) in sums.iter_mut().zip(element.values) {
                *sum += weight as f64 / whole * value;
            }
        }
        Ok(sums.map(|sum| (sum as f32).to_bits()))
    }
}

impl TextureOp {
    /// Whether it reads memory.
    fn reads(&self) -> bool {
        matches!(self, Self::Fetch { .. } | Self::Gather { .. })
    }

    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        cx.requests.clear();
        let mut bytes = 0;
        for lane in lanes(active) {
            bytes = self.execute_lane(cx, lane)?.max(bytes);
        }
        if self.reads() {
            cx.count_requests(super::memory::Kind::Load, bytes as u64);
        }
        Ok(())
    }

    /// One lane; the bytes of an element that it read.
    fn execute_lane(&self, cx: &mut Cx<'_, '_>, lane: usize) -> Result<usize, Trouble> {
        match self {
            Self::Fetch {
                place,
                integers,
                floats,
                dests,
                resident,
            } => {
                let reader = reader(cx, lane, place, *floats)?;
                let bits = if *integers {
                    at_integers(cx, lane, place, &reader)?
                } else {
                    at_numbers(cx, lane, place, &reader)?
                };
                let channels = reader.texture.image.channels;
                give(cx, lane, dests, &bits[..channels], *resident);
                Ok(reader.texture.image.element_bytes())
            }
            Self::Gather {
                place,
                channel,
                floats,
                dests,
                resident,
            } => {
                let reader = reader(cx, lane, place, *floats)?;
                if *channel >= reader.texture.image.channels {
                    return Err(misuse(lane, "the texture has not that channel"));
                }
                let coordinates = numbers(cx, lane, place);
                let mut pairs = [[Some(0); 2]; 2];
                for (number, &coordinate) in coordinates.iter().enumerate() {
                    let pair = reader.axis(number).pair(coordinate);
                    let nan = || misuse(lane, format!("{coordinates:?} is nowhere"));
                    pairs[number] = pair.ok_or_else(nan)?.0;
                }
                let mut bits = [0; 4];
                // From the lower left, counter-clockwise: rows count downwards.
                for (bits, (x, y)) in bits.iter_mut().zip([(0, 1), (1, 1), (1, 0), (0, 0)]) {
                    let at = [pairs[0][x], pairs[1][y], Some(0)];
                    *bits = reader.element(cx, lane, at)?.bits[*channel];
                }
                give(cx, lane, dests, &bits, *resident);
                Ok(reader.texture.image.element_bytes())
            }
            &Self::Query {
                dest,
                handle,
                of_surface,
                property,
            } => {
                let handle = cx.registers.get(lane, handle);
                let (image, sampler) = match cx.world.device.object(handle) {
                    Some(Object::Texture(texture)) if !of_surface => {
                        (texture.image, texture.sampler)
                    }
                    Some(Object::Surface(image)) if of_surface => (image, Sampler::default()),
                    _ => return Err(no_object(lane, handle, of_surface)),
                };
                let [width, height, depth] = image.shape.extents();
                let value = match property {
                    Property::Width => width,
                    Property::Height => height,
                    Property::Depth => depth,
                    Property::Layers => image.shape.layers(),
                    Property::IsNormalized => {
                        u32::from(sampler.coordinates == Coordinates::Normalized)
                    }
                    Property::Levels => 1,
                };
                cx.registers.set(lane, dest, u64::from(value));
                cx.registers.define(1 << lane, dest);
                Ok(0)
            }
            &Self::IsType { dest, handle, kind } => {
                let handle = cx.registers.get(lane, handle);
                let found = match cx.world.device.object(handle) {
                    Some(Object::Texture(_)) => Some(Kind::Texture),
                    Some(Object::Sampler(_)) => Some(Kind::Sampler),
                    Some(Object::Surface(_)) => Some(Kind::Surface),
                    None => None,
                };
                let is = u32::from(found == Some(kind)) << lane;
                cx.registers.set_pred(1 << lane, dest, is);
                Ok(0)
            }
        }
    }
}

/// Results: channels that are not there have no value.
fn give(cx: &mut Cx<'_, '_>, lane: usize, dests: &[Slot], bits: &[u32], resident: Option<Pred>) {
    for (index, &dest) in dests.iter().enumerate() {
        match bits.get(index) {
            Some(&bits) => {
                cx.registers.set(lane, dest, u64::from(bits));
                cx.registers.define(1 << lane, dest);
            }
            None => cx.registers.forget(1 << lane, dest),
        }
    }
    if let Some(resident) = resident {
        // All of an image is in memory.
        cx.registers.set_pred(1 << lane, resident, 1 << lane);
    }
}

pub(crate) fn no_object(lane: usize, handle: u64, of_surface: bool) -> Trouble {
    let (what, make) = if of_surface {
        ("surface", "`Memory::surface` or `Argument::surface`")
    } else {
        ("texture", "`Memory::texture` or `Argument::texture`")
    };
    misuse(
        lane,
        format!("{handle:#x} is no handle of a {what}: {make} make one"),
    )
}

/// The layer that a lane names, which must be there.
pub(crate) fn layer(
    cx: &Cx<'_, '_>,
    lane: usize,
    place: &Place,
    layers: u32,
) -> Result<u32, Trouble> {
    let Some(layer) = place.layer else {
        return Ok(0);
    };
    // A register of 32 bits.
    let layer = cx.registers.get(lane, layer) as u32;
    if layer < layers {
        return Ok(layer);
    }
    Err(misuse(
        lane,
        format!("there is no layer {layer} of {layers}"),
    ))
}

/// The texture of a lane, if it is as the instruction says.
fn reader(cx: &Cx<'_, '_>, lane: usize, place: &Place, floats: bool) -> Result<Reader, Trouble> {
    let handle = cx.registers.get(lane, place.handle);
    let Some(Object::Texture(texture)) = cx.world.device.object(handle) else {
        return Err(no_object(lane, handle, false));
    };
    let sampler = match place.sampler {
        None => texture.sampler,
        Some(sampler) => {
            let handle = cx.registers.get(lane, sampler);
            match cx.world.device.object(handle) {
                Some(Object::Sampler(sampler)) => sampler,
                _ => {
                    let message = format!(
                        "{handle:#x} is no handle of a sampler: `Memory::sampler` makes one"
                    );
                    return Err(misuse(lane, message));
                }
            }
        }
    };
    let shape = texture.image.shape;
    if shape.name() != place.geometry.name {
        let (found, named) = (shape.name(), place.geometry.name);
        return Err(misuse(
            lane,
            format!("the texture is `.{found}` and not `.{named}`"),
        ));
    }
    let gives_floats = texture.image.channel.is_float() || texture.read == ReadMode::Normalized;
    if gives_floats != floats {
        let found = if gives_floats {
            "floating-point numbers"
        } else {
            "integers"
        };
        return Err(misuse(lane, format!("reading the texture gives {found}")));
    }
    if sampler.filter == Filter::Linear && !gives_floats {
        return Err(misuse(
            lane,
            "a linear filter is for floating-point numbers",
        ));
    }
    let layers = if place.geometry.cube {
        shape.layers() / 6
    } else {
        shape.layers()
    };
    Ok(Reader {
        texture,
        sampler,
        layer: layer(cx, lane, place, layers)?,
    })
}

fn numbers(cx: &Cx<'_, '_>, lane: usize, place: &Place) -> Vec<f32> {
    let coordinate = |&slot: &Slot| f32::from_bits(cx.registers.get(lane, slot) as u32);
    place.coordinates.iter().map(coordinate).collect()
}

fn at_numbers(
    cx: &mut Cx<'_, '_>,
    lane: usize,
    place: &Place,
    reader: &Reader,
) -> Result<[u32; 4], Trouble> {
    let coordinates = numbers(cx, lane, place);
    if !place.geometry.cube {
        return reader.sample(cx, lane, &coordinates);
    }
    if reader.sampler.filter == Filter::Linear {
        return Err(misuse(
            lane,
            "cubes are read without a filter here: what one does at edges is not specified",
        ));
    }
    let (face, along) = face([coordinates[0], coordinates[1], coordinates[2]]);
    let reader = Reader {
        layer: 6 * reader.layer + face,
        sampler: Sampler {
            coordinates: Coordinates::Normalized,
            address: [crate::texture::AddressMode::Clamp; 3],
            ..reader.sampler
        },
        ..*reader
    };
    reader.sample(cx, lane, &along)
}

fn at_integers(
    cx: &mut Cx<'_, '_>,
    lane: usize,
    place: &Place,
    reader: &Reader,
) -> Result<[u32; 4], Trouble> {
    let Sampler {
        filter,
        coordinates,
        ..
    } = reader.sampler;
    if filter == Filter::Linear || coordinates == Coordinates::Normalized {
        return Err(misuse(
            lane,
            "integer coordinates are for samplers without a filter, whose coordinates count elements",
        ));
    }
    let extents = reader.texture.image.shape.extents();
    let mut at = [Some(0); 3];
    for (number, &slot) in place.coordinates.iter().enumerate() {
        // A register of 32 bits.
        let index = (cx.registers.get(lane, slot) as u32).cast_signed();
        let inside = u32::try_from(index)
            .ok()
            .filter(|&index| index < extents[number]);
        let Some(index) = inside else {
            let size = extents[number];
            return Err(misuse(
                lane,
                format!("{index} is outside of an axis of {size} elements"),
            ));
        };
        at[number] = Some(index);
    }
    Ok(reader.element(cx, lane, at)?.bits)
}
