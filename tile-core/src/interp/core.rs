//! Constants, shapes, grid coordinates and selection.

use super::chain::Chunk;
use super::compile::{Compiler, extents};
use super::globals;
use super::machine::{Exec, Flow, Machine, Slot, ternary};
use super::mma::is_transposed_operand;
use super::pack::repack;
use super::reduce::{reduce, scan};
use super::slices;
use super::tile::{Data, Lane, Storage, to_stored, with_lane};
use crate::ir::{DenseElements, Op, OpId, ValueId};
use crate::ops::CoreOp;
use smallvec::SmallVec;

/// Compiles a core operation.
pub(super) fn compile(kind: CoreOp, cx: &mut Compiler<'_>, id: OpId, op: &Op) -> Option<Exec> {
    match kind {
        CoreOp::Broadcast => {
            let (from, to) = (cx.shape(op.operands[0]), cx.shape(op.result()));
            let mut strides = row_major(&from);
            for (stride, (&from, &to)) in strides.iter_mut().zip(from.iter().zip(&to)) {
                if from == 1 && to != 1 {
                    *stride = 0;
                }
            }
            Some(rearrange(cx, op, to, strides))
        }
        CoreOp::Constant => {
            let slot = cx.result(op);
            let (_, shape) = cx.numbers(op.result());
            let count: usize = extents(shape).iter().product();
            let data = stored(&op.dense_value(), count * cx.lanes);
            cx.constant(slot, data);
            None
        }
        CoreOp::Entry | CoreOp::Global | CoreOp::Module => {
            panic!("verified code does not nest module-level operations")
        }
        CoreOp::Cat => Some(slices::cat(cx, op)),
        CoreOp::Extract => Some(slices::extract(cx, op)),
        CoreOp::Insert => Some(slices::insert(cx, op)),
        CoreOp::GetGlobal => {
            globals::get_global(cx, op);
            None
        }
        CoreOp::Pack | CoreOp::Unpack => Some(repack(cx, op)),
        CoreOp::GetNumTileBlocks => Some(triple(cx, op, |machine| machine.grid)),
        CoreOp::GetTileBlockId => Some(triple(cx, op, |machine| machine.block)),
        CoreOp::Iota => {
            let slot = cx.result(op);
            let (scalar, shape) = cx.numbers(op.result());
            let count = extents(shape)[0] as u64;
            let mask = u64::MAX >> (64 - scalar.bits());
            let storage = Storage::for_scalar(scalar);
            let mut data = Data::splat(storage, 0, 0);
            with_lane!(storage, L => {
                L::lanes_mut(&mut data).extend((0..count).map(|i| L::from_bits(i & mask)));
            });
            cx.constant(slot, data);
            None
        }
        CoreOp::Offset => Some(super::memory::offset(cx, op)),
        CoreOp::Permute if is_transposed_operand(cx, op) => {
            cx.transposed.insert(op.result(), op.operands[0]);
            None
        }
        CoreOp::Permute => {
            let from = row_major(&cx.shape(op.operands[0]));
            let axes = op.permutation().into_iter();
            let strides = axes
                .map(|axis| from[usize::try_from(axis).expect("axes are not negative")])
                .collect();
            let to = cx.shape(op.result());
            Some(rearrange(cx, op, to, strides))
        }
        CoreOp::Reduce => Some(reduce(cx, id, op)),
        CoreOp::Scan => Some(scan(cx, id, op)),
        CoreOp::Reshape => {
            cx.alias(op.result(), op.operands[0]);
            None
        }
        CoreOp::Select => {
            let args = cx.args(op);
            let storage = storage(cx, op.result());
            let out = cx.result(op);
            Some(
                with_lane!(storage, L => ternary(args, out, |cond: u8, a: L, b: L| {
                    if cond == 0 { b } else { a }
                })),
            )
        }
    }
}

/// Returns the storage type of the elements of a tile.
pub(super) fn storage(cx: &Compiler<'_>, value: ValueId) -> Storage {
    let tile = cx.module.ty(value).as_tile();
    Storage::for_element(tile.expect("verified code has a tile here").element)
}

/// Converts `count` elements of a constant to their stored form.
pub(super) fn stored(dense: &DenseElements, count: usize) -> Data {
    let scalar = dense.scalar();
    let storage = Storage::for_scalar(scalar);
    match dense {
        DenseElements::Splat { scalar: _, bits } => {
            Data::splat(storage, to_stored(scalar, *bits), count)
        }
        DenseElements::Each { scalar: _, bits } => {
            let mut data = Data::splat(storage, 0, 0);
            with_lane!(storage, L => {
                let stored = bits.iter().map(|&bits| L::from_bits(to_stored(scalar, bits)));
                L::lanes_mut(&mut data).extend(stored.cycle().take(count));
            });
            data
        }
    }
}

fn triple(
    cx: &mut Compiler<'_>,
    op: &Op,
    f: impl Fn(&Machine<'_>) -> [u32; 3] + Send + Sync + 'static,
) -> Exec {
    let slots: Vec<Slot> = op
        .results
        .iter()
        .map(|&value| cx.define_tile(value))
        .collect();
    Box::new(move |machine| {
        for (&slot, value) in slots.iter().zip(f(machine)) {
            machine.put_scalar(slot, value);
        }
        Ok(Flow::Next)
    })
}

/// Returns the row-major stride of each axis.
pub(super) fn row_major(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}

/// Makes element `i, j, …` of the result from the source's element at `i * strides[0] + …`.
fn rearrange(cx: &mut Compiler<'_>, op: &Op, shape: Vec<usize>, strides: Vec<usize>) -> Exec {
    let source = cx.tile(op.operands[0]);
    let storage = storage(cx, op.result());
    let out = cx.result(op);
    let count = shape.iter().product();
    with_lane!(storage, L => Box::new(move |machine: &mut Machine<'_>| {
        machine.write(out, |machine, lanes: &mut Vec<L>| {
            let (start, count) = machine.chunk.map_or((0, count), Chunk::range);
            gather(machine.tile(source), lanes, &shape, &strides, start, count);
        });
        Ok(Flow::Next)
    }))
}

/// Appends `count` elements in row-major order, starting with number `start`. Element `i, j, …` is
/// the one at `i * strides[0] + j * strides[1] + …` of `source`.
fn gather<L: Lane>(
    source: &[L],
    out: &mut Vec<L>,
    shape: &[usize],
    strides: &[usize],
    start: usize,
    count: usize,
) {
    let (Some((&extent, outer)), Some((&stride, outer_strides))) =
        (shape.split_last(), strides.split_last())
    else {
        out.extend_from_slice(source);
        return;
    };
    out.reserve(count);
    let mut indices: SmallVec<[usize; 8]> = SmallVec::from_elem(0, outer.len());
    // The first row, and the offset in it of the first element.
    let (mut row, mut from, mut left) = (0, start % extent, count);
    let mut rest = start / extent;
    for axis in (0..outer.len()).rev() {
        indices[axis] = rest % outer[axis];
        rest /= outer[axis];
        row += indices[axis] * outer_strides[axis];
    }
    while left > 0 {
        let len = left.min(extent - from);
        let first = row + from * stride;
        match stride {
            0 => out.resize(out.len() + len, source[first]),
            1 => out.extend_from_slice(&source[first..first + len]),
            _ => out.extend((0..len).map(|index| source[first + index * stride])),
        }
        left -= len;
        from = 0;
        for axis in (0..outer.len()).rev() {
            indices[axis] += 1;
            row += outer_strides[axis];
            if indices[axis] < outer[axis] {
                break;
            }
            row -= outer[axis] * outer_strides[axis];
            indices[axis] = 0;
        }
    }
}
