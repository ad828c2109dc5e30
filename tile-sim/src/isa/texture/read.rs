//! Elements at coordinates.

use super::{Kind, Place, Property, TextureOp, misuse, no_object};
use crate::check::Trouble;
use crate::isa::memory::Kind as Traffic;
use crate::isa::soft::{F16, F32, Rounding};
use crate::isa::{Pred, Slot};
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::parse::syntax::Space;
use crate::texture::sample::{Axis, Index, ONE, face};
use crate::texture::{
    AddressMode, Channel, Coordinates, Filter, Image, Object, ReadMode, Sampler, Texture,
};

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
        (Channel::Signed8, ReadMode::Normalized) => {
            share(f64::from((bits as u8).cast_signed()), 127.0)
        }
        (Channel::Signed16, ReadMode::Normalized) => {
            share(f64::from((bits as u16).cast_signed()), 32_767.0)
        }
        (Channel::Signed8, _) => plain(i32::from((bits as u8).cast_signed()).cast_unsigned()),
        (Channel::Signed16, _) => plain(i32::from((bits as u16).cast_signed()).cast_unsigned()),
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
        at: [Index; 3],
    ) -> Result<Element, Trouble> {
        let Image {
            channel, channels, ..
        } = self.texture.image;
        let [Index::At(x), Index::At(y), Index::At(z)] = at else {
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
        Axis::new(self.sampler, number, size)
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
            let mut at = [Index::At(0); 3];
            for (number, &coordinate) in coordinates.iter().enumerate() {
                at[number] = self.axis(number).point(coordinate).ok_or_else(nan)?;
            }
            return Ok(self.element(cx, lane, at)?.bits);
        }
        // Pairs along each axis; an axis that is not there has one element.
        let mut pairs = [([Index::At(0); 2], 0); 3];
        for (number, &coordinate) in coordinates.iter().enumerate() {
            pairs[number] = self.axis(number).pair(coordinate).ok_or_else(nan)?;
        }
        let mut sums = [0.0; 4];
        for corner in 0..1 << coordinates.len() {
            let mut at = [Index::At(0); 3];
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
            cx.count_requests(Traffic::Load, bytes as u64);
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
                let mut pairs = [[Index::At(0); 2]; 2];
                for (number, &coordinate) in coordinates.iter().enumerate() {
                    let pair = reader.axis(number).pair(coordinate);
                    let nan = || misuse(lane, format!("{coordinates:?} is nowhere"));
                    pairs[number] = pair.ok_or_else(nan)?.0;
                }
                let mut bits = [0; 4];
                // From the lower left, counter-clockwise: rows count downwards.
                for (bits, (x, y)) in bits.iter_mut().zip([(0, 1), (1, 1), (1, 0), (0, 0)]) {
                    let at = [pairs[0][x], pairs[1][y], Index::At(0)];
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
            let Some(Object::Sampler(sampler)) = cx.world.device.object(handle) else {
                return Err(misuse(
                    lane,
                    format!("{handle:#x} is no handle of a sampler: `Memory::sampler` makes one"),
                ));
            };
            sampler
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
            address: [AddressMode::Clamp; 3],
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
    let mut at = [Index::At(0); 3];
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
        at[number] = Index::At(index);
    }
    Ok(reader.element(cx, lane, at)?.bits)
}
