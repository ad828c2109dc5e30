//! Moves, packing and unpacking, and address conversions.

use smallvec::SmallVec;

use super::types::{Class, Type, mask};
use super::{Op, Pred, Slot};
use crate::machine::memory::{LOCAL_WINDOW, RANK_SHIFT, SHARED_WINDOW, WINDOW_BYTES};
use crate::machine::registers::{Registers, Row, lanes};
use crate::parse::decoder::{Condition, Decoded, Decoder, Slots};
use crate::parse::names::Content;
use crate::parse::syntax::{Operand, Space};

/// The start of the kernel's parameters in the generic address space.
pub(crate) const PARAM_WINDOW: u64 = 0x7d00_0000_0000;

const U64: Type = Type::new(Class::Unsigned, 64);

/// A move instruction.
#[derive(Clone, Debug)]
pub(crate) enum Move {
    Copy {
        bits: u8,
        dest: Slot,
        src: Slot,
    },
    Pred {
        dest: Pred,
        src: Condition,
    },
    /// Sets a predicate if a value is not zero.
    Truth {
        dest: Pred,
        src: Slot,
    },
    /// Packs elements of `bits` bits, the first one in the lowest bits.
    Pack {
        bits: u8,
        dest: Slot,
        srcs: Slots,
    },
    Unpack {
        bits: u8,
        dests: SmallVec<[Option<Slot>; 4]>,
        src: Slot,
    },
    /// Moves 128 bits between two or four registers.
    Wide {
        dests: SmallVec<[Option<Slot>; 4]>,
        srcs: Slots,
    },
    /// Adds an offset to an address (`cvta`).
    Rebase {
        dest: Slot,
        src: Slot,
        by: u64,
    },
    IsSpace {
        space: Space,
        dest: Pred,
        src: Slot,
        /// The register with the start of the block's shared memory.
        block_base: Slot,
    },
}

const SPACES: [(&str, Space); 8] = [
    ("global", Space::Global),
    ("const", Space::Const),
    ("shared::cta", Space::Shared),
    ("shared", Space::Shared),
    ("shared::cluster", Space::Cluster),
    ("local", Space::Local),
    ("param::entry", Space::Param),
    ("param", Space::Param),
];

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let op = match d.opcode() {
        "mov" => return decode_mov(d),
        "cvta" => {
            let to = d.takes("to");
            let space = d.needs(&SPACES)?;
            if d.has("shared::cluster") {
                d.requires((7, 8), 90)?;
            }
            if d.peek() == Some("u32") {
                return d.error("addresses have 64 bits: write `.u64`");
            }
            let ty = d.ty_where(|ty| ty == U64)?;
            d.end(2)?;
            if let Operand::Name(name) | Operand::Offset(name, _) = d.operand(1)?
                && d.names.value(name).is_none()
                && let Some(place) = d.names.variable(name)?
                && !place.of_call
            {
                d.fits_space(Some(place.space), space)?;
            }
            let window = match space {
                Space::Shared | Space::Cluster => SHARED_WINDOW,
                Space::Local => LOCAL_WINDOW,
                Space::Param => PARAM_WINDOW,
                Space::Generic | Space::Global | Space::Const => 0,
            };
            Move::Rebase {
                dest: d.dest_for(0, ty)?,
                src: d.source(1, ty)?,
                by: if to { window.wrapping_neg() } else { window },
            }
        }
        _ => {
            let space = d.needs(&SPACES)?;
            if d.has("shared::cluster") {
                d.requires((7, 8), 90)?;
            }
            d.end(2)?;
            Move::IsSpace {
                space,
                dest: d.pred_dest(0)?,
                src: {
                    let ty = match d.operand(1)? {
                        Operand::Name(name) => d.names.value(name).map(|(_, ty)| ty.total_bits()),
                        _ => None,
                    };
                    // A 32-bit generic address is a 64-bit one with zero upper bits.
                    let ty = if ty == Some(32) { Type::U32 } else { Type::B64 };
                    d.source(1, ty)?
                },
                block_base: d.names.slot_with(Content::Shared(0), "a constant", 64),
            }
        }
    };
    Ok(Op::Move(op))
}

fn decode_mov(d: &mut Decoder<'_>) -> Decoded<Op> {
    if let Some(op) = super::clock::decode(d)? {
        return Ok(op);
    }
    let ty = d.ty()?;
    d.end(2)?;
    if ty == Type::PRED {
        if matches!(d.operand(1)?, Operand::Name(name) if name == "%is_explicit_cluster") {
            return Ok(Op::Move(Move::Truth {
                dest: d.pred_dest(0)?,
                src: d.source(1, Type::U32)?,
            }));
        }
        return Ok(Op::Move(Move::Pred {
            dest: d.pred_dest(0)?,
            src: d.condition(1)?,
        }));
    }
    if let Operand::Name(name) | Operand::Offset(name, _) = d.operand(1)?
        && ty.is_float()
        && d.names.value(name).is_none()
    {
        return d.error(format!("`{name}` is not a floating-point number"));
    }
    if ty == Type::B128 {
        return Ok(Op::Move(decode_wide(d)?));
    }
    let movable = matches!(ty.bits, 16 | 32 | 64)
        && ty.packed == 1
        && (ty.is_integer() || ty.class == Class::Bits || ty == Type::F32 || ty == Type::F64);
    if !movable {
        return d.error("not a register type: write `.b16`, `.b32` or `.b64`");
    }
    let element = |d: &Decoder<'_>, count: usize| match count {
        _ if ty.class != Class::Bits => {
            d.error("vectors are moved as bits: write `.b16`, `.b32` or `.b64`")
        }
        2 => Ok(ty.bits / 2),
        4 if ty.bits >= 32 => Ok(ty.bits / 4),
        _ => d.error("a vector of registers must have 2 or 4 elements"),
    };
    if d.is_vector(1) {
        let count = d.elements(1)?.len();
        let bits = element(d, count)?;
        let part_type = Type::new(Class::Bits, bits);
        return Ok(Op::Move(Move::Pack {
            bits,
            dest: d.dest_for(0, ty)?,
            srcs: d.sources(1, count, part_type)?,
        }));
    }
    if d.is_vector(0) {
        let elements = d.elements(0)?;
        let bits = element(d, elements.len())?;
        let mut dests = SmallVec::new();
        for element in elements {
            let sink = *element == Operand::Name("_".into());
            dests.push(if sink {
                None
            } else {
                Some(d.dest_of(element)?)
            });
        }
        let src = d.source(1, ty)?;
        return Ok(Op::Move(Move::Unpack { bits, dests, src }));
    }
    Ok(Op::Move(Move::Copy {
        bits: ty.bits,
        dest: d.dest_for(0, ty)?,
        src: d.source(1, ty)?,
    }))
}

/// Decodes `mov.b128`. A 128-bit register is two rows of 64 bits.
fn decode_wide(d: &mut Decoder<'_>) -> Decoded<Move> {
    d.requires((8, 3), 70)?;
    let part = |d: &Decoder<'_>, index| match d.elements(index)?.len() {
        2 => Ok((2, Type::B64)),
        4 => Ok((4, Type::B32)),
        _ => d.error("128 bits are one register, two of 64 bits or four of 32"),
    };
    let (count, ty) = part(d, 1)?;
    let srcs = d.sources(1, count, ty)?;
    let (_, ty) = part(d, 0)?;
    let mut dests = SmallVec::new();
    for element in d.elements(0)? {
        if *element == Operand::Name("_".into()) {
            dests.push(None);
            continue;
        }
        let slot = d.dest_of(element)?;
        if u16::from(d.names.width(slot)) != ty.total_bits() {
            return d.error(format!(
                "{} does not have the width of its element",
                element.describe()
            ));
        }
        dests.push(Some(slot));
    }
    Ok(Move::Wide { dests, srcs })
}

/// Returns the state space that contains a generic address.
pub(crate) fn space_of(address: u64) -> Space {
    if address.wrapping_sub(SHARED_WINDOW) < WINDOW_BYTES {
        Space::Shared
    } else if address.wrapping_sub(LOCAL_WINDOW) < WINDOW_BYTES {
        Space::Local
    } else if address.wrapping_sub(PARAM_WINDOW) < WINDOW_BYTES {
        Space::Param
    } else {
        Space::Global
    }
}

impl Move {
    pub(crate) fn execute(&self, r: &mut Registers, active: u32) {
        match *self {
            Self::Copy { bits, dest, src } => {
                let m = mask(u16::from(bits));
                r.map1(active, dest, src, |x| x & m);
            }
            Self::Pred { dest, src } => {
                let value = r.condition(src);
                r.set_pred(active, dest, value);
            }
            Self::Truth { dest, src } => {
                let row = r.row(src);
                let holds = lanes(active)
                    .filter(|&lane| row[lane] != 0)
                    .fold(0, |holds, lane| holds | 1 << lane);
                r.set_pred(active, dest, holds);
            }
            Self::Pack {
                bits,
                dest,
                ref srcs,
            } => {
                let m = mask(u16::from(bits));
                let mut out = [0; 32];
                for (index, &src) in srcs.iter().enumerate() {
                    let row = r.row_ref(src);
                    for (value, &part) in out.iter_mut().zip(row) {
                        *value |= (part & m) << (usize::from(bits) * index);
                    }
                }
                r.write(active, dest, &out);
            }
            Self::Unpack {
                bits,
                ref dests,
                src,
            } => {
                let m = mask(u16::from(bits));
                let row = r.row(src);
                for (index, dest) in dests.iter().enumerate() {
                    if let &Some(dest) = dest {
                        let out = row.map(|value| value >> (usize::from(bits) * index) & m);
                        r.write(active, dest, &out);
                    }
                }
            }
            Self::Wide {
                ref dests,
                ref srcs,
            } => {
                // 128 bits are two halves of 64, each of which is one register or two of 32 bits.
                let from = srcs.len() / 2;
                let halves: [Row; 2] = std::array::from_fn(|half| {
                    let mut out = [0; 32];
                    for (index, &src) in srcs[half * from..][..from].iter().enumerate() {
                        let row = r.row_ref(src);
                        for (value, &part) in out.iter_mut().zip(row) {
                            *value |= part << (32 * index);
                        }
                    }
                    out
                });
                let to = dests.len() / 2;
                let m = mask(if to == 1 { 64 } else { 32 });
                for (index, dest) in dests.iter().enumerate() {
                    if let &Some(dest) = dest {
                        let out = halves[index / to].map(|value| value >> (32 * (index % to)) & m);
                        r.write(active, dest, &out);
                    }
                }
            }
            Self::Rebase { dest, src, by } => {
                r.map1(active, dest, src, |x| x.wrapping_add(by));
            }
            Self::IsSpace {
                space,
                dest,
                src,
                block_base,
            } => {
                let (row, block_base) = (r.row(src), r.row(block_base));
                let mut result = 0;
                for lane in lanes(active) {
                    result |= u32::from(is_in(row[lane], space, block_base[lane])) << lane;
                }
                r.set_pred(active, dest, result);
            }
        }
    }
}

/// Returns `true` if the address is in the state space. `block_base` is the start of the block's shared
/// memory.
fn is_in(address: u64, space: Space, block_base: u64) -> bool {
    match space {
        // The shared window of the cluster contains that of the block.
        Space::Cluster => space_of(address) == Space::Shared,
        Space::Shared => {
            let rank = address.wrapping_sub(SHARED_WINDOW) >> RANK_SHIFT;
            rank == 0 || rank == block_base >> RANK_SHIFT
        }
        space => space_of(address) == space,
    }
}
