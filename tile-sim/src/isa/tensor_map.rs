//! Instructions that modify tensor maps (PTX ISA, `tensormap.replace`, `tensormap.cp_fenceproxy`).

use super::Slot;
use super::memory::{Kind, SCOPES};
use super::operands::{address_at, address_of, sized};
use super::types::Type;
use crate::check::order::Reach;
use crate::check::shared::Change;
use crate::check::stamp::Strength;
use crate::check::{FaultKind, Trouble, bounds};
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::parse::decoder::{Address, Decoded, Decoder};
use crate::parse::syntax::Space;
use crate::parse::target::Target;
use crate::tensor_map::Field;

/// A tensor-map instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TensorMapOp {
    Replace {
        field: Field,
        /// Global, shared or generic.
        space: Space,
        map: Address,
        value: Slot,
    },
    /// Copies a tensor map to global memory and releases it.
    CopyAndFence { to: Address, from: Address },
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<TensorMapOp> {
    if d.takes("cp_fenceproxy") {
        return copy_and_fence(d);
    }
    let targets = [
        Target::only(90),
        Target::family(100),
        Target::family(110),
        Target::family(120),
    ];
    d.requires_one_of((8, 3), &targets)?;
    d.needs(&[("replace", ())])?;
    d.needs(&[("tile", ())])?;
    // For fields per dimension, an operand selects the dimension.
    let field = d.needs(&[
        ("global_address", Field::Address),
        ("rank", Field::Rank),
        ("box_dim", Field::Box(0)),
        ("global_dim", Field::Dim(0)),
        ("global_stride", Field::Stride(0)),
        ("element_stride", Field::ElementStride(0)),
        ("elemtype", Field::Type),
        ("interleave_layout", Field::Interleave),
        ("swizzle_mode", Field::SwizzleMode),
        ("swizzle_atomicity", Field::SwizzleAtomicity),
        ("fill_mode", Field::Fill),
    ])?;
    if field == Field::SwizzleAtomicity {
        d.requires_one_of((8, 6), &targets[1..])?;
    }
    let space = d
        .one_of(&[("global", Space::Global), ("shared::cta", Space::Shared)])
        .unwrap_or(Space::Generic);
    d.needs(&[("b1024", ())])?;
    let ty = match field {
        Field::Address | Field::Stride(_) => Type::B64,
        _ => Type::B32,
    };
    d.ty_where(|given| given == ty)?;
    let (field, value) = match field {
        Field::Box(_) | Field::Dim(_) | Field::Stride(_) | Field::ElementStride(_) => {
            d.end(3)?;
            let max = if matches!(field, Field::Stride(_)) {
                3
            } else {
                4
            };
            let axis = match u8::try_from(d.number(1)?) {
                Ok(axis) if axis <= max => axis,
                _ => return d.error(format!("the axis must be 0 to {max}")),
            };
            let field = match field {
                Field::Box(_) => Field::Box(axis),
                Field::Dim(_) => Field::Dim(axis),
                Field::Stride(_) => Field::Stride(axis),
                _ => Field::ElementStride(axis),
            };
            (field, sized(d, 2, ty)?)
        }
        Field::Address | Field::Rank => {
            d.end(2)?;
            (field, sized(d, 1, ty)?)
        }
        Field::Type
        | Field::Interleave
        | Field::SwizzleMode
        | Field::SwizzleAtomicity
        | Field::Fill => {
            d.end(2)?;
            let number = d.number(1)?;
            let max = field.max_value().unwrap_or(u64::MAX);
            if number > max {
                return d.error(format!("the value must be 0 to {max}"));
            }
            (field, sized(d, 1, ty)?)
        }
    };
    let map = match space {
        Space::Generic => d.address(0)?,
        space => address_of(d, 0, &[space])?,
    };
    Ok(TensorMapOp::Replace {
        field,
        space,
        map,
        value,
    })
}

fn copy_and_fence(d: &mut Decoder<'_>) -> Decoded<TensorMapOp> {
    d.requires((8, 3), 90)?;
    for word in ["global", "shared::cta", "tensormap::generic", "release"] {
        d.needs(&[(word, ())])?;
    }
    d.needs(&SCOPES)?;
    d.needs(&[("sync", ())])?;
    d.needs(&[("aligned", ())])?;
    d.end(3)?;
    if d.number(2)? != 128 {
        return d.error("a tensor map has 128 bytes");
    }
    Ok(TensorMapOp::CopyAndFence {
        to: address_of(d, 0, &[Space::Global])?,
        from: address_of(d, 1, &[Space::Shared])?,
    })
}

/// Reads the bytes of a tensor map, which are aligned to 64.
pub(crate) fn read(
    cx: &mut Cx<'_, '_>,
    lane: usize,
    space: Space,
    address: u64,
) -> Result<[u8; 128], Trouble> {
    let to_trouble = |kind| Trouble::at(lane, kind);
    let (space, address) = cx.resolve(space, address);
    let mut bytes = [0; 128];
    match space {
        Space::Param => {
            // Parameters are aligned as declared.
            let params = &cx.setting.params;
            let range =
                bounds::range("parameter", address, 128, params.len()).map_err(to_trouble)?;
            bytes.copy_from_slice(&params[range]);
        }
        Space::Shared | Space::Cluster => {
            bounds::aligned("shared", address, 64).map_err(to_trouble)?;
            let spot = cx.shared_spot(lane, space, address, 128)?;
            cx.check_shared_read(lane, Strength::Plain, spot, 128)?;
            bytes.copy_from_slice(&cx.cluster.blocks[spot.block].shared[spot.range(128)]);
        }
        Space::Local => {
            let message = "a tensor map in local memory cannot be used: pass it as a parameter, `__grid_constant__`";
            return Err(to_trouble(FaultKind::Copy(message.into())));
        }
        Space::Global | Space::Const | Space::Generic => {
            bounds::aligned("global", address, 64).map_err(to_trouble)?;
            let spot = cx.global_spot(lane, space, address, 128)?;
            cx.check_global(lane, Strength::Plain, Kind::Load, Change::None, spot, 128)?;
            cx.world.device.read(spot, &mut bytes);
        }
    }
    Ok(bytes)
}

fn write(
    cx: &mut Cx<'_, '_>,
    lane: usize,
    space: Space,
    address: u64,
    bytes: &[u8; 128],
) -> Result<(), Trouble> {
    // The alignment of 64 suffices for stores of 16 bytes.
    for (number, part) in bytes.chunks_exact(16).enumerate() {
        cx.store(lane, space, address + 16 * number as u64, part)?;
    }
    Ok(())
}

impl TensorMapOp {
    /// Returns `true` if all lanes of the warp must execute it together.
    pub(crate) fn is_convergent(&self) -> bool {
        matches!(self, Self::CopyAndFence { .. })
    }

    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        match *self {
            Self::Replace {
                field,
                space,
                map,
                value,
            } => {
                for lane in lanes(active) {
                    let address = address_at(cx, lane, map);
                    let mut bytes = read(cx, lane, space, address)?;
                    let value = cx.registers.get(lane, value) & field.mask();
                    if let Err(error) = field.replace(&mut bytes, value) {
                        let message = format!("tensor map at {address:#x}: {error}");
                        return Err(Trouble::at(lane, FaultKind::Copy(message)));
                    }
                    let (space, address) = cx.resolve(space, address);
                    write(cx, lane, space, address, &bytes)?;
                }
                Ok(())
            }
            // The lanes of the warp execute it together.
            Self::CopyAndFence { to, from } => {
                let lane = active.trailing_zeros() as usize;
                let from = address_at(cx, lane, from);
                let to = address_at(cx, lane, to);
                let bytes = read(cx, lane, Space::Shared, from)?;
                write(cx, lane, Space::Global, to, &bytes)?;
                let agent = cx.agent;
                cx.cluster.order.fence(agent, u32::MAX, Reach::Device);
                Ok(())
            }
        }
    }
}
