//! Surfaces (PTX ISA, `suld`, `sust`, `sured`), by handles in registers or variables: bytes at
//! coordinates (`.b`), of which that along x counts bytes, or elements (`.p`) of channels of 32
//! bits, whose numbers are stored as they are.

use super::memory::Kind as Traffic;
use super::reduction::{Operation, Reduction};
use super::texture::{GEOMETRIES, Place, layer, misuse, no_object, place};
use super::types::{Class, Type};
use super::{Op, Slot};
use crate::check::Trouble;
use crate::check::bounds;
use crate::check::stamp::{How, Scope};
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::parse::decoder::{Decoded, Decoder, Slots};
use crate::parse::syntax::Space;
use crate::texture::{Channel, Image, Object};

/// What becomes of coordinates outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outside {
    Trap,
    /// The nearest place inside.
    Clamp,
    /// Loads give zeros, stores do nothing.
    Zero,
}

/// What an access is of, and what its coordinate along x counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Bytes,
    Elements,
}

#[derive(Clone, Debug)]
enum Kind {
    Load { dests: Slots },
    Store { values: Slots },
    Reduce { value: Slot, reduction: Reduction },
}

/// An access to a surface.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceOp {
    kind: Kind,
    place: Place,
    outside: Outside,
    unit: Unit,
    /// Of a register.
    size: usize,
}

const OUTSIDE: [(&str, Outside); 3] = [
    ("trap", Outside::Trap),
    ("clamp", Outside::Clamp),
    ("zero", Outside::Zero),
];

const OPERATIONS: [(&str, Operation); 5] = [
    ("add", Operation::Add),
    ("min", Operation::Min),
    ("max", Operation::Max),
    ("and", Operation::And),
    ("or", Operation::Or),
];

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let loads = d.opcode() == "suld";
    let units = [("b", Unit::Bytes), ("p", Unit::Elements)];
    let unit = d.needs(if loads { &units[..1] } else { &units })?;
    if d.opcode() == "sured" {
        return decode_reduce(d, unit);
    }
    let geometry = d.needs(&GEOMETRIES[..5])?;
    let operators = if loads {
        ["ca", "cg", "cs", "cv"]
    } else {
        ["wb", "cg", "cs", "wt"]
    };
    d.one_of(&operators.map(|operator| (operator, ())));
    let count = d.one_of(&[("v2", 2), ("v4", 4)]);
    let ty = d.ty_where(|ty| match unit {
        Unit::Bytes => ty.class == Class::Bits && ty.bits <= 64,
        Unit::Elements => ty == Type::B32,
    })?;
    let outside = d.needs(&OUTSIDE)?;
    if usize::from(ty.bits) * count.unwrap_or(1) > 128 {
        return d.error("at most 16 bytes are moved at once");
    }
    d.end(2)?;
    let (values, at) = if loads { (0, 1) } else { (1, 0) };
    if count.is_some() != d.is_vector(values) {
        return d.error("registers in braces are with `.v2` and `.v4`, and only there");
    }
    let place = place(d, at, geometry, false)?;
    let count = count.unwrap_or(1);
    let kind = if loads {
        Kind::Load {
            dests: d.dests_for(0, count, ty)?,
        }
    } else {
        Kind::Store {
            values: d.sources(1, count, ty)?,
        }
    };
    Ok(Op::Surface(SurfaceOp {
        kind,
        place,
        outside,
        unit,
        size: usize::from(ty.bits / 8),
    }))
}

fn decode_reduce(d: &mut Decoder<'_>, unit: Unit) -> Decoded<Op> {
    let operation = d.needs(&OPERATIONS)?;
    let geometry = d.needs(&GEOMETRIES[..3])?;
    if unit == Unit::Elements && d.peek() == Some("b64") {
        return d.error("images have no elements of 64 bits");
    }
    let ty = d.ty_where(|ty| match operation {
        // The image says whether there is a sign.
        _ if unit == Unit::Elements => ty == Type::B32,
        Operation::And | Operation::Or => ty == Type::B32,
        Operation::Add => ty.is_integer() && (ty.bits == 32 || ty.bits == 64 && !ty.is_signed()),
        _ => ty.is_integer() && ty.packed == 1 && ty.bits >= 32,
    })?;
    if ty.bits == 64 && operation != Operation::Add {
        d.requires((8, 1), 50)?;
    }
    let outside = d.needs(&OUTSIDE)?;
    d.end(2)?;
    let place = place(d, 0, geometry, false)?;
    Ok(Op::Surface(SurfaceOp {
        kind: Kind::Reduce {
            value: d.source(1, ty)?,
            reduction: Reduction { operation, ty },
        },
        place,
        outside,
        unit,
        size: usize::from(ty.bits / 8),
    }))
}

impl SurfaceOp {
    /// Whether it shows in which order blocks ran.
    pub(crate) fn is_seen_by_other_blocks(&self) -> bool {
        matches!(self.kind, Kind::Reduce { .. })
    }

    /// At most four.
    fn registers(&self) -> u32 {
        let count = match &self.kind {
            Kind::Load { dests } => dests.len(),
            Kind::Store { values } => values.len(),
            Kind::Reduce { .. } => 1,
        };
        count as u32
    }

    /// Bytes of a lane.
    fn total(&self, image: &Image) -> usize {
        match self.unit {
            Unit::Bytes => self.size * self.registers() as usize,
            Unit::Elements => image.element_bytes(),
        }
    }

    /// Elements are of numbers that are stored as they are.
    fn check_format(&self, lane: usize, image: &Image) -> Result<(), Trouble> {
        if self.unit == Unit::Bytes {
            return Ok(());
        }
        if image.channel.bytes() != 4 {
            return Err(misuse(
                lane,
                "accesses of elements are for channels of 32 bits here: how numbers become others is not prescribed",
            ));
        }
        let reduces = matches!(self.kind, Kind::Reduce { .. });
        if reduces && (image.channels != 1 || image.channel.is_float()) {
            return Err(misuse(lane, "reductions of elements are for one integer"));
        }
        Ok(())
    }

    /// The surface of a lane, if it is as the instruction says.
    fn image(&self, cx: &Cx<'_, '_>, lane: usize) -> Result<Image, Trouble> {
        let handle = cx.registers.get(lane, self.place.handle);
        let Some(Object::Surface(image)) = cx.world.device.object(handle) else {
            return Err(no_object(lane, handle, true));
        };
        let geometry = self.place.geometry;
        if image.shape.name() != geometry.name {
            let (found, named) = (image.shape.name(), geometry.name);
            return Err(misuse(
                lane,
                format!("the surface is `.{found}` and not `.{named}`"),
            ));
        }
        self.check_format(lane, &image)?;
        Ok(image)
    }

    /// Where a lane accesses memory; `None` outside, where that does nothing.
    fn address(&self, cx: &Cx<'_, '_>, lane: usize, image: &Image) -> Result<Option<u64>, Trouble> {
        let layer = layer(cx, lane, &self.place, image.shape.layers())?;
        // At most 16.
        let total = i64::from(self.total(image) as u32);
        let element = i64::from(image.element_bytes() as u32);
        let mut at = [0i64; 3];
        for (number, &slot) in self.place.coordinates.iter().enumerate() {
            // A register of 32 bits.
            let mut index = i64::from((cx.registers.get(lane, slot) as u32).cast_signed());
            if number == 0 && self.unit == Unit::Elements {
                index *= element;
            }
            let extent = i64::from(image.shape.extents()[number]);
            // The last place that has all the bytes.
            let last = if number == 0 {
                extent * element - total
            } else {
                extent - 1
            };
            at[number] = match self.outside {
                _ if (0..=last).contains(&index) => index,
                Outside::Clamp if last >= 0 => index.clamp(0, last),
                Outside::Zero => return Ok(None),
                Outside::Clamp | Outside::Trap => {
                    let what = if number == 0 { "bytes" } else { "elements" };
                    let size = if number == 0 {
                        extent * element
                    } else {
                        extent
                    };
                    return Err(misuse(
                        lane,
                        format!(
                            "{index} is outside of an axis of {size} {what}, for {total} bytes"
                        ),
                    ));
                }
            };
        }
        let [x, y, z] = at;
        bounds::aligned("surface", x.cast_unsigned(), self.total(image))
            .map_err(|kind| Trouble::at(lane, kind))?;
        // Inside of the image.
        let row = image.element(layer, [0, y as u32, z as u32]);
        Ok(Some(row + x.cast_unsigned()))
    }

    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        cx.requests.clear();
        let mut most = 0;
        for lane in lanes(active) {
            let image = self.image(cx, lane)?;
            let address = self.address(cx, lane, &image)?;
            let total = self.total(&image);
            most = most.max(total);
            // Channels that have no register get anything.
            let mut bytes = [if self.unit == Unit::Elements { 0xa5 } else { 0 }; 16];
            match &self.kind {
                Kind::Load { dests } => {
                    if let Some(address) = address {
                        cx.load(lane, Space::Global, address, &mut bytes[..total])?;
                    }
                    for (bytes, &dest) in bytes.chunks_exact(self.size).zip(dests) {
                        let mut word = [0; 8];
                        word[..self.size].copy_from_slice(bytes);
                        cx.registers.set(lane, dest, u64::from_le_bytes(word));
                    }
                }
                Kind::Store { values } => {
                    for (into, &value) in bytes.chunks_exact_mut(self.size).zip(values) {
                        let word = cx.registers.get(lane, value).to_le_bytes();
                        into.copy_from_slice(&word[..self.size]);
                    }
                    if let Some(address) = address {
                        cx.store(lane, Space::Global, address, &bytes[..total])?;
                    }
                }
                &Kind::Reduce {
                    value,
                    mut reduction,
                } => {
                    if self.unit == Unit::Elements {
                        reduction.ty = match image.channel {
                            Channel::Signed32 => Type::S32,
                            _ => Type::U32,
                        };
                    }
                    let with = cx.registers.get(lane, value) & reduction.ty.mask();
                    let how = How::Strong(Scope::Device);
                    if let Some(address) = address {
                        cx.atomic(how, lane, Space::Global, address, total, |old| {
                            // At most 64 bits.
                            u128::from(reduction.element(old as u64, with))
                        })?;
                    }
                }
            }
        }
        match &self.kind {
            Kind::Load { dests } => {
                for &dest in dests {
                    cx.registers.define(active, dest);
                }
                cx.count_requests(Traffic::Load, most as u64);
            }
            Kind::Store { .. } => cx.count_requests(Traffic::Store, most as u64),
            Kind::Reduce { .. } => {
                cx.count_requests(crate::counters::Traffic::Atomic, most as u64);
            }
        }
        Ok(())
    }
}
