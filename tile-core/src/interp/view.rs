//! View operations.

use super::access::Access;
use super::buffers::Pointer;
use super::check::AccessKind;
use super::compile::{Compiler, Place};
use super::machine::{Exec, Flow, Machine, Slot, Stop};
use super::memory::ordered;
use super::misc::assumed_of_stride;
use super::tile::{Storage, with_lane};
use super::window::{Axis, Reach, View};
use crate::ir::{Attr, Op, ValueId};
use crate::ops::ViewOp;
use crate::types::Scalar;
use smallvec::SmallVec;

/// Compiles a view operation.
pub(super) fn compile(kind: ViewOp, cx: &mut Compiler<'_>, op: &Op) -> Option<Exec> {
    match kind {
        ViewOp::GetIndexSpaceShape => {
            let src = op.operand("src");
            let view = cx.view(src);
            let ty = cx.module.ty(src).as_tile_view();
            let ty = ty.expect("verified code has a view of tiles here");
            Some(extents_of(cx, op, move |machine| {
                let shape = &machine.frame.views[view.0].shape;
                (0..ty.tile.len())
                    .map(|axis| shape[ty.tensor_axis(axis)].div_ceil(ty.step(axis)))
                    .collect()
            }))
        }
        ViewOp::GetTensorShape => {
            let view = cx.view(op.operand("src"));
            Some(extents_of(cx, op, move |machine| {
                machine.frame.views[view.0].shape.clone()
            }))
        }
        ViewOp::MakeGatherScatterView | ViewOp::MakePartitionView | ViewOp::MakeStridedView => {
            cx.alias(op.result(), op.operand("tensor_view"));
            None
        }
        ViewOp::MakeTensorView => Some(make_tensor_view(cx, op)),
        ViewOp::LoadViewTko => {
            let access = access(cx, op, inbounds(op));
            let out = cx.define_tile(op.results[0]);
            cx.define(op.results[1]);
            let run = access.clone();
            let exec: Exec = with_lane!(Storage::for_scalar(access.scalar), L => Box::new(
                move |machine: &mut Machine<'_>| run.load::<L>(machine, out).map(|()| Flow::Next)
            ));
            let exec = access.watch(cx, op, AccessKind::Load, exec);
            Some(ordered(op, exec))
        }
        ViewOp::StoreViewTko => {
            let access = access(cx, op, inbounds(op));
            let tile = cx.tile(op.operand("tile"));
            cx.define(op.results[0]);
            let run = access.clone();
            let exec: Exec = with_lane!(Storage::for_scalar(access.scalar), L => Box::new(
                move |machine: &mut Machine<'_>| run.store::<L>(machine, tile).map(|()| Flow::Next)
            ));
            let exec = access.watch(cx, op, AccessKind::Store, exec);
            Some(ordered(op, exec))
        }
    }
}

/// Returns, per index, whether the operation promises that the whole tile is inside the tensor.
fn inbounds(op: &Op) -> &[bool] {
    match op.attr("inbounds") {
        Some(Attr::BoolArray(inbounds)) => inbounds,
        _ => &[],
    }
}

/// Returns the access of `op` to its operand `view`, with the promises of [`inbounds`].
pub(super) fn access(cx: &mut Compiler<'_>, op: &Op, inbounds: &[bool]) -> Access {
    let view = op.operand("view");
    let ty = cx.module.ty(view).as_tile_view();
    let ty = ty.expect("verified code has a view of tiles here");
    let index = op.operands_of("index").iter().enumerate();
    let axes = index.map(|(axis, &value)| Axis {
        index: cx.tile(value),
        extent: ty.tile[axis].unsigned_abs() as usize,
        dim: ty.tensor_axis(axis),
        step: ty.step(axis),
        reach: match inbounds.get(axis) {
            Some(true) => Reach::Inside,
            _ => Reach::Clipped,
        },
    });
    Access {
        axes: axes.collect(),
        view: cx.view(view),
        sparse: ty.sparse_dim.map(|axis| axis as usize),
        scalar: ty.tensor_view.element,
        padding: ty.padding,
        ordering: op.memory_ordering(),
    }
}

/// Compiles an operation that stores the numbers returned by `f` in its results.
fn extents_of(
    cx: &mut Compiler<'_>,
    op: &Op,
    f: impl Fn(&Machine<'_>) -> SmallVec<[u64; 4]> + Send + Sync + 'static,
) -> Exec {
    let results: Vec<(Slot, Scalar)> = op
        .results
        .iter()
        .map(|&value| (cx.define_tile(value), cx.scalar(value)))
        .collect();
    Box::new(move |machine| {
        let values = f(machine);
        for (&(slot, scalar), value) in results.iter().zip(values) {
            let fitting = value & u64::MAX >> (64 - scalar.bits());
            if value != fitting {
                let message = format!("extent {value} does not fit `{scalar}`");
                machine.undefined(Stop::Here(message))?;
            }
            with_lane!(Storage::for_scalar(scalar), L => {
                machine.put_scalar(slot, <L as super::tile::Lane>::from_bits(fitting));
            });
        }
        Ok(Flow::Next)
    })
}

/// A number of a view: a constant of its type, or a tile.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Static(u64),
    Dynamic(Slot),
}

fn make_tensor_view(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let ty = cx.module.ty(op.result()).as_tensor_view();
    let ty = ty.expect("verified code makes a tensor view");
    let base = cx.tile(op.operand("base"));
    let mut entries = |list: &[Option<i64>], dynamic: &[ValueId]| -> Vec<Entry> {
        let mut dynamic = dynamic.iter();
        let entry = |&entry: &Option<i64>| {
            if let Some(value) = entry {
                return Entry::Static(value.cast_unsigned());
            }
            let value = dynamic.next().expect("one operand per dynamic entry");
            Entry::Dynamic(cx.tile(*value))
        };
        list.iter().map(entry).collect()
    };
    let shape = entries(&ty.shape, op.operands_of("dynamicShape"));
    let strides = entries(&ty.strides, op.operands_of("dynamicStrides"));
    let mut dynamic = op.operands_of("dynamicStrides").iter();
    let mut checks: Vec<(usize, Exec)> = Vec::new();
    for (axis, stride) in ty.strides.iter().enumerate() {
        if stride.is_none() {
            let value = dynamic.next().expect("one operand per dynamic entry");
            let assumed = assumed_of_stride(cx, *value).into_iter();
            checks.extend(assumed.map(|check| (axis, check)));
        }
    }
    let Place::View(out) = cx.define(op.result()) else {
        panic!("verified code makes a tensor view");
    };
    Box::new(move |machine| {
        let read = |list: &[Entry]| -> SmallVec<[u64; 4]> {
            let number = |entry: &Entry| match *entry {
                Entry::Static(value) => value,
                Entry::Dynamic(slot) => machine.scalar(slot),
            };
            list.iter().map(number).collect()
        };
        let view = View {
            base: machine.tile::<Pointer>(base)[0],
            shape: read(&shape),
            strides: read(&strides),
        };
        machine.frame.views[out.0] = view;
        for (axis, check) in &checks {
            if machine.frame.views[out.0].shape[*axis] > 1 {
                check(machine)?;
            }
        }
        Ok(Flow::Next)
    })
}
