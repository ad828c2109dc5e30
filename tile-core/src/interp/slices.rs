//! Concatenation and slices of tiles: `cat`, `extract`, `insert`.

use super::compile::{Compiler, extents};
use super::core::storage;
use super::machine::{Exec, Flow, Machine, Slot, Stop};
use super::tile::with_lane;
use crate::ir::Op;

/// Compiles `cat`.
pub(super) fn cat(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let dim = usize::try_from(op.dim()).expect("axes are not negative");
    // The number of elements of each operand that are contiguous in the result.
    let runs: [usize; 2] =
        std::array::from_fn(|index| cx.shape(op.operands[index])[dim..].iter().product());
    let args: [Slot; 2] = cx.args(op);
    let storage = storage(cx, op.result());
    let out = cx.result(op);
    with_lane!(storage, L => Box::new(move |machine: &mut Machine<'_>| {
        machine.write(out, |machine, lanes: &mut Vec<L>| {
            let [lhs, rhs] = args.map(|arg| machine.tile::<L>(arg));
            for (lhs, rhs) in lhs.chunks_exact(runs[0]).zip(rhs.chunks_exact(runs[1])) {
                lanes.extend_from_slice(lhs);
                lanes.extend_from_slice(rhs);
            }
        });
        Ok(Flow::Next)
    }))
}

/// A slice of a tile, at indices that count slices.
struct Slice {
    whole: Vec<usize>,
    part: Vec<usize>,
    indices: Vec<Slot>,
}

impl Slice {
    fn new(cx: &mut Compiler<'_>, op: &Op, whole: &[i64], part: &[i64]) -> Self {
        let indices = op.operands_of("indices").to_vec();
        Self {
            whole: extents(whole),
            part: extents(part),
            indices: indices.into_iter().map(|value| cx.tile(value)).collect(),
        }
    }

    /// Calls `row` with the position, in the whole tile, and the length of every contiguous run of
    /// the slice.
    fn rows(&self, machine: &Machine<'_>, mut row: impl FnMut(usize, usize)) -> Result<(), Stop> {
        let rank = self.whole.len();
        let mut first = Vec::with_capacity(rank);
        for axis in 0..rank {
            let index = machine.scalar(self.indices[axis]);
            let slices = self.whole[axis] / self.part[axis];
            let in_range = usize::try_from(index).ok().filter(|&index| index < slices);
            if in_range.is_none() {
                machine.undefined(Stop::Here(format!(
                    "index {index} along axis {axis}, which has {slices} slices"
                )))?;
            }
            first.push(in_range.unwrap_or(slices - 1) * self.part[axis]);
        }
        let len = self.part.last().copied().unwrap_or(1);
        let count = self.part.iter().product::<usize>() / len;
        for number in 0..count {
            let (mut rest, mut position, mut scale) = (number, 0, 1);
            for axis in (0..rank).rev() {
                let mut offset = first[axis];
                if axis + 1 < rank {
                    offset += rest % self.part[axis];
                    rest /= self.part[axis];
                }
                position += offset * scale;
                scale *= self.whole[axis];
            }
            row(position, len);
        }
        Ok(())
    }
}

/// Compiles `extract`.
pub(super) fn extract(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let source = op.operand("source");
    let shape = |value| &cx.module.ty(value).as_tile().expect("a tile").shape;
    let (whole, part) = (shape(source), shape(op.result()));
    let slice = Slice::new(cx, op, whole, part);
    let source = cx.tile(source);
    let storage = storage(cx, op.result());
    let out = cx.result(op);
    with_lane!(storage, L => Box::new(move |machine: &mut Machine<'_>| {
        let mut lanes: Vec<L> = machine.take(out);
        lanes.clear();
        let from = machine.tile::<L>(source);
        slice.rows(machine, |offset, len| lanes.extend_from_slice(&from[offset..offset + len]))?;
        machine.put(out, lanes);
        Ok(Flow::Next)
    }))
}

/// Compiles `insert`.
pub(super) fn insert(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let (source, destination) = (op.operand("source"), op.operand("destination"));
    let shape = |value| &cx.module.ty(value).as_tile().expect("a tile").shape;
    let (whole, part) = (shape(destination), shape(source));
    let slice = Slice::new(cx, op, whole, part);
    let [source, destination] = [source, destination].map(|value| cx.tile(value));
    let storage = storage(cx, op.result());
    let out = cx.result(op);
    with_lane!(storage, L => Box::new(move |machine: &mut Machine<'_>| {
        machine.copy(destination, out);
        let mut lanes: Vec<L> = machine.take(out);
        let mut from = machine.tile::<L>(source).iter();
        slice.rows(machine, |offset, len| {
            for (to, &lane) in lanes[offset..offset + len].iter_mut().zip(&mut from) {
                *to = lane;
            }
        })?;
        machine.put(out, lanes);
        Ok(Flow::Next)
    }))
}
