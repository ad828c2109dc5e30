//! Tensor maps that a kernel changes (PTX ISA, `tensormap.replace`, `tensormap.cp_fenceproxy`).

use super::Slot;
use super::fence::{SCOPES, Scope};
use super::operands::{address_of, sized};
use super::types::Type;
use crate::parse::decoder::{Address, Decoded, Decoder};
use crate::parse::syntax::Space;
use crate::parse::target::Target;
use crate::tensor_map::Field;

/// An instruction on tensor maps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TensorMapOp {
    Replace {
        field: Field,
        /// Global or shared memory, or generic.
        space: Space,
        map: Address,
        value: Slot,
    },
    /// Copies a map to global memory and releases it.
    CopyAndFence {
        to: Address,
        from: Address,
        scope: Scope,
    },
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
    // Those of an axis are told which below.
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
    d.ty_where(|found| found == ty)?;
    let (field, value) = match field {
        Field::Box(_) | Field::Dim(_) | Field::Stride(_) | Field::ElementStride(_) => {
            d.end(3)?;
            let most = if matches!(field, Field::Stride(_)) {
                3
            } else {
                4
            };
            let axis = match u8::try_from(d.number(1)?) {
                Ok(axis) if axis <= most => axis,
                _ => return d.error(format!("the axis must be 0 to {most}")),
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
            let most = field.most().unwrap_or(u64::MAX);
            if number > most {
                return d.error(format!("the value must be 0 to {most}"));
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
    let scope = d.needs(&SCOPES)?;
    d.needs(&[("sync", ())])?;
    d.needs(&[("aligned", ())])?;
    d.end(3)?;
    if d.number(2)? != 128 {
        return d.error("a tensor map has 128 bytes");
    }
    Ok(TensorMapOp::CopyAndFence {
        to: address_of(d, 0, &[Space::Global])?,
        from: address_of(d, 1, &[Space::Shared])?,
        scope,
    })
}
