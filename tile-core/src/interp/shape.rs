//! Operations that put tiles together, take them apart, and reread their bytes.

use super::compile::Compiler;
use super::core::{gather, row_major, storage};
use super::machine::{Exec, Flow, Machine, Slot, Stop};
use super::tile::{Lane, Storage, with_lane};
use crate::ir::{Attr, Op, ValueId};
use crate::types::Scalar;

/// Compiles `cat`.
pub(super) fn cat(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let Some(&Attr::Int(dim)) = op.attr("dim") else {
        panic!("verified code has an axis here");
    };
    let dim = usize::try_from(dim).expect("axes are not negative");
    let [lhs_shape, rhs_shape] = [op.operands[0], op.operands[1]].map(|value| cx.shape(value));
    let lhs_row: usize = lhs_shape[dim..].iter().product();
    let rhs_row: usize = rhs_shape[dim..].iter().product();
    let storage = storage(cx, op.result());
    let [lhs, rhs] = cx.args(op);
    let out = cx.result(op);
    with_lane!(storage, L => Box::new(move |machine: &mut Machine<'_>| {
        machine.write(out, |machine, lanes: &mut Vec<L>| {
            let lhs = machine.tile::<L>(lhs).chunks_exact(lhs_row);
            let rhs = machine.tile::<L>(rhs).chunks_exact(rhs_row);
            for (lhs, rhs) in lhs.zip(rhs) {
                lanes.extend_from_slice(lhs);
                lanes.extend_from_slice(rhs);
            }
        });
        Ok(Flow::Next)
    }))
}

/// Where one slice of a tile is, by indices that count slices.
struct Slice {
    indices: Vec<Slot>,
    /// Per axis, how many slices there are.
    counts: Vec<usize>,
    /// Per axis, how far apart the starts of two slices are.
    steps: Vec<usize>,
    shape: Vec<usize>,
    /// Of the whole tile.
    strides: Vec<usize>,
}

impl Slice {
    fn new(cx: &mut Compiler<'_>, op: &Op, slice: ValueId, whole: ValueId) -> Self {
        let (shape, whole) = (cx.shape(slice), cx.shape(whole));
        let strides = row_major(&whole);
        let indices = op.operands_of("indices").iter();
        Self {
            indices: indices.map(|&index| cx.tile(index)).collect(),
            counts: whole.iter().zip(&shape).map(|(&w, &s)| w / s).collect(),
            steps: shape.iter().zip(&strides).map(|(&s, &d)| s * d).collect(),
            shape,
            strides,
        }
    }

    /// The position of the first element in the whole.
    fn start(&self, machine: &Machine<'_>) -> Result<usize, Stop> {
        let mut start = 0;
        for (axis, &slot) in self.indices.iter().enumerate() {
            let index = machine.scalar(slot);
            let count = self.counts[axis];
            let known = usize::try_from(index).ok().filter(|&index| index < count);
            let Some(index) = known else {
                return Stop::here(format!(
                    "slice {index} of {count} along axis {axis} does not exist"
                ));
            };
            start += index * self.steps[axis];
        }
        Ok(start)
    }
}

/// Compiles `extract`.
pub(super) fn extract(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let slice = Slice::new(cx, op, op.result(), op.operands[0]);
    let storage = storage(cx, op.result());
    let source = cx.tile(op.operands[0]);
    let out = cx.result(op);
    with_lane!(storage, L => Box::new(move |machine: &mut Machine<'_>| {
        let start = slice.start(machine)?;
        machine.write(out, |machine, lanes: &mut Vec<L>| {
            gather(&machine.tile(source)[start..], lanes, &slice.shape, &slice.strides);
        });
        Ok(Flow::Next)
    }))
}

/// Compiles `insert`.
pub(super) fn insert(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let slice = Slice::new(cx, op, op.operands[0], op.operands[1]);
    let storage = storage(cx, op.result());
    let [source, destination] = cx.args(op);
    let out = cx.result(op);
    // Positions relative to the start of the slice, in its row-major order.
    let count = slice.shape.iter().product();
    let mut at = Vec::with_capacity(count);
    for mut rest in 0..count {
        let mut position = 0;
        for (&extent, &stride) in slice.shape.iter().zip(&slice.strides).rev() {
            position += rest % extent * stride;
            rest /= extent;
        }
        at.push(position);
    }
    with_lane!(storage, L => Box::new(move |machine: &mut Machine<'_>| {
        let start = slice.start(machine)?;
        machine.write(out, |machine, lanes: &mut Vec<L>| {
            lanes.extend_from_slice(machine.tile(destination));
            for (&at, &lane) in at.iter().zip(machine.tile::<L>(source)) {
                lanes[start + at] = lane;
            }
        });
        Ok(Flow::Next)
    }))
}

/// Compiles `pack` and `unpack`: the same bits, low ones first, cut otherwise.
pub(super) fn repack(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let (from, to) = (cx.scalar(op.operands[0]), cx.scalar(op.result()));
    let [source] = cx.args(op);
    let out = cx.result(op);
    let (from_width, to_width) = (width(from), width(to));
    let mask = kept(to);
    with_lane!(Storage::of_scalar(from), A => with_lane!(Storage::of_scalar(to), B => {
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

/// Bits of an element among packed ones.
fn width(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::TF32 => 32,
        other => other.bits(),
    }
}

/// Which of the bits of a packed element the type has.
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
