//! Reinterprets the bits of a tile as other elements: `pack` and `unpack`.

use super::compile::Compiler;
use super::machine::{Exec, Flow, Machine};
use super::tile::{Lane, Storage, with_lane};
use crate::ir::Op;
use crate::types::Scalar;

/// Compiles `pack` and `unpack`, which regroup the same bits, low ones first, into elements of
/// another width.
pub(super) fn repack(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let (from, to) = (cx.scalar(op.operands[0]), cx.scalar(op.result()));
    let [source] = cx.args(op);
    let out = cx.result(op);
    let (from_width, to_width) = (width(from), width(to));
    let mask = kept(to);
    with_lane!(Storage::for_scalar(from), A => with_lane!(Storage::for_scalar(to), B => {
        Box::new(move |machine: &mut Machine<'_>| {
            machine.write(out, |machine, lanes: &mut Vec<B>| {
                let (mut bits, mut held) = (0_u128, 0);
                for lane in machine.tile::<A>(source) {
                    bits |= u128::from(lane.to_bits()) << held;
                    held += from_width;
                    while held >= to_width {
                        lanes.push(B::from_bits(low(bits) & mask));
                        bits >>= to_width;
                        held -= to_width;
                    }
                }
            });
            Ok(Flow::Next)
        })
    }))
}

/// Returns the width in bits of a packed element.
fn width(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::TF32 => 32,
        other => other.bits(),
    }
}

/// Returns the mask of the bits of a packed element that the type uses.
fn kept(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::TF32 => 0xffff_e000,
        other => u64::MAX >> (64 - other.bits()),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "takes the low bits")]
fn low(bits: u128) -> u64 {
    bits as u64
}
