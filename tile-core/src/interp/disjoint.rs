//! Finds parameters whose memory is partitioned among the blocks of a grid.
//!
//! The input is an entry. The output is the indexing of the accesses of each parameter, if it is
//! the same for all of them: through one view of the parameter, partitioned into tiles of one
//! shape, at indices that include the block's coordinates. Different blocks then access different
//! tiles, and their stores need no atomic operations. [`Layout::is_disjoint`] decides this for the
//! grid, extents and strides of a launch.

use super::Arg;
use super::stored::{Base, base};
use crate::ir::{BlockId, Module, Op, OpId, ValueDef, ValueId};
use crate::ops::{AtomicOp, CoreOp, MemoryOp, MiscOp, Opcode, ViewOp};
use crate::types::Element;
use crate::types::Scalar;

/// An extent or a stride: a constant, or the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Static(u64),
    /// The low bits of a parameter.
    Param {
        index: usize,
        bits: u32,
    },
}

/// The indexing of the accesses of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The extents, per axis of the tensor.
    shape: Vec<Number>,
    strides: Vec<Number>,
    tile: Vec<i32>,
    dim_map: Vec<i32>,
    /// Per axis of the tile, the axis of the grid whose coordinate is the index.
    block_axes: Vec<Option<usize>>,
}

/// The accesses of a parameter found so far.
#[derive(Clone, Debug)]
enum Accesses {
    None,
    Alike(Layout),
    Others,
}

impl Accesses {
    fn add(&mut self, layout: Option<Layout>) {
        *self = match (std::mem::replace(self, Accesses::Others), layout) {
            (Accesses::None, Some(layout)) => Accesses::Alike(layout),
            (Accesses::Alike(first), Some(layout)) if first == layout => Accesses::Alike(first),
            _ => Accesses::Others,
        };
    }
}

/// Returns the layout of every parameter of the entry `id`; `None` where accesses differ.
pub(super) fn layouts(module: &Module, id: OpId, count: usize) -> Vec<Option<Layout>> {
    let mut accesses = vec![Accesses::None; count];
    let Some(body) = module.region_block(id, 0) else {
        return vec![None; count];
    };
    let is_pointer = |&value: &ValueId| {
        let tile = module.ty(value).as_tile();
        tile.is_some_and(|tile| matches!(tile.element, Element::Ptr(_)))
    };
    for op in module.walk(body) {
        let op = module.op(op);
        if op.opcode == Opcode::Misc(MiscOp::PrintTko) && op.operands.iter().any(is_pointer) {
            // The operation prints the contents of memory.
            accesses.fill(Accesses::Others);
        }
        let Some(target) = target(op) else {
            continue;
        };
        match base(module, body, target) {
            Base::Param(param) => accesses[param].add(layout(module, body, op)),
            Base::Global(_) | Base::Local => {}
            // The base may be any parameter.
            Base::Unknown => accesses.fill(Accesses::Others),
        }
    }
    let layout = |accesses| match accesses {
        Accesses::Alike(layout) => Some(layout),
        Accesses::None | Accesses::Others => None,
    };
    accesses.into_iter().map(layout).collect()
}

/// Returns the pointer or view through which an operation accesses memory, if it does.
fn target(op: &Op) -> Option<ValueId> {
    match op.opcode {
        Opcode::View(ViewOp::LoadViewTko | ViewOp::StoreViewTko)
        | Opcode::Atomic(AtomicOp::AtomicRedViewTko) => Some(op.operand("view")),
        Opcode::Memory(MemoryOp::LoadPtrTko) => Some(op.operand("source")),
        Opcode::Memory(MemoryOp::StorePtrTko) => Some(op.operand("destination")),
        Opcode::Atomic(AtomicOp::AtomicCasTko | AtomicOp::AtomicRmwTko) => {
            Some(op.operand("pointers"))
        }
        _ => None,
    }
}

/// Returns the indexing of a load or a store of a tile.
fn layout(module: &Module, body: BlockId, op: &Op) -> Option<Layout> {
    let Opcode::View(ViewOp::LoadViewTko | ViewOp::StoreViewTko) = op.opcode else {
        return None;
    };
    let view = op.operand("view");
    let ty = module.ty(view).as_partition_view()?;
    let partition = definition(module, view)?;
    let tensor = definition(module, stated(module, *partition.operands.first()?))?;
    // Neighbouring tiles may share a byte if an element takes half a byte.
    if ty.tensor_view.element == Scalar::F4E2M1FN
        || partition.opcode != Opcode::View(ViewOp::MakePartitionView)
        || tensor.opcode != Opcode::View(ViewOp::MakeTensorView)
        // The base must be the parameter itself, not a pointer offset from it.
        || param(module, body, tensor.operand("base")).is_none()
    {
        return None;
    }
    let numbers = |list: &[Option<i64>], dynamic: &[ValueId]| -> Option<Vec<Number>> {
        let mut dynamic = dynamic.iter();
        let number = |&entry: &Option<i64>| {
            if let Some(value) = entry {
                return Some(Number::Static(value.cast_unsigned()));
            }
            let value = *dynamic.next()?;
            let (scalar, _) = module.ty(value).as_number_tile()?;
            Some(Number::Param {
                index: param(module, body, value)?,
                bits: scalar.bits(),
            })
        };
        list.iter().map(number).collect()
    };
    let indices = op.operands_of("index").iter();
    Some(Layout {
        shape: numbers(&ty.tensor_view.shape, tensor.operands_of("dynamicShape"))?,
        strides: numbers(
            &ty.tensor_view.strides,
            tensor.operands_of("dynamicStrides"),
        )?,
        tile: ty.tile.clone(),
        dim_map: ty.dim_map.clone(),
        block_axes: indices.map(|&index| block_axis(module, index)).collect(),
    })
}

fn definition(module: &Module, value: ValueId) -> Option<&Op> {
    match module.value(value).def {
        ValueDef::Argument(..) => None,
        ValueDef::Result(op, _) => Some(module.op(op)),
    }
}

/// Strips the assumptions about a value.
fn stated(module: &Module, mut value: ValueId) -> ValueId {
    while let Some(op) = definition(module, value)
        && op.opcode == Opcode::Misc(MiscOp::Assume)
    {
        value = op.operands[0];
    }
    value
}

fn param(module: &Module, body: BlockId, value: ValueId) -> Option<usize> {
    match module.value(stated(module, value)).def {
        ValueDef::Argument(block, number) => (block == body).then_some(number as usize),
        ValueDef::Result(..) => None,
    }
}

fn block_axis(module: &Module, index: ValueId) -> Option<usize> {
    match module.value(stated(module, index)).def {
        ValueDef::Result(op, number)
            if module.op(op).opcode == Opcode::Core(CoreOp::GetTileBlockId) =>
        {
            Some(number as usize)
        }
        _ => None,
    }
}

impl Layout {
    /// Returns `true` if no two blocks of the grid access the same element.
    pub(super) fn is_disjoint(&self, grid: [u32; 3], args: &[Arg]) -> bool {
        let is_indexed = |axis| grid[axis] <= 1 || self.block_axes.contains(&Some(axis));
        if !(0..grid.len()).all(is_indexed) {
            return false;
        }
        let read = |number: &Number| match *number {
            Number::Static(value) => Some(value),
            Number::Param { index, bits } => match args.get(index) {
                Some(Arg::Scalar { bits: value }) => Some(value & (u64::MAX >> (64 - bits))),
                _ => None,
            },
        };
        let mut axes = Vec::with_capacity(self.shape.len());
        for (extent, stride) in self.shape.iter().zip(&self.strides) {
            let (Some(extent), Some(stride)) = (read(extent), read(stride)) else {
                return false;
            };
            if extent > 1 {
                axes.push((u128::from(stride), u128::from(extent)));
            }
        }
        // Elements have distinct offsets if the stride of each axis exceeds the total reach of the
        // axes with smaller strides.
        axes.sort_unstable();
        let mut reach = 0_u128;
        axes.into_iter().all(|(stride, extent)| {
            let is_beyond = stride > reach;
            reach = reach.saturating_add(stride.saturating_mul(extent - 1));
            is_beyond
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Layout, layouts};
    use crate::diag::Diagnostics;
    use crate::interp::Arg;
    use crate::text;

    /// Returns the layout of the first parameter of an entry that stores its tile at `index` and
    /// then runs `more`.
    fn layout(index: &str, more: &str) -> Option<Layout> {
        layout_of("f32", index, more)
    }

    /// Returns the same as [`layout`], for elements of type `ty`.
    fn layout_of(ty: &str, index: &str, more: &str) -> Option<Layout> {
        let tensor = format!("tensor_view<?x?x{ty}, strides=[?,1]>");
        let view = format!("partition_view<tile=(4x8), {tensor}>");
        let source = format!(
            "entry @k(%p: tile<ptr<{ty}>>, %h: tile<i32>, %w: tile<i32>, %s: tile<i32>, %i: tile<i32>) {{\n\
             %x, %y, %z = get_tile_block_id : tile<i32>\n\
             %t = make_tensor_view %p, shape = [%h, %w], strides = [%s, 1] : tile<i32> -> {tensor}\n\
             %v = make_partition_view %t : {view}\n\
             %c = constant <{ty}: 1.0> : tile<4x8x{ty}>\n\
             %stored = store_view_tko weak %c, %v[{index}] : tile<4x8x{ty}>, {view}, tile<i32> -> token\n\
             {more}return\n}}\n"
        );
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "k", &mut diagnostics);
        let faults = diagnostics.take();
        let module = module.unwrap_or_else(|_| panic!("{faults:?}"));
        let entry = module.entry("k").expect("just written");
        layouts(&module, entry, 5).swap_remove(0)
    }

    fn args([height, width, stride]: [u64; 3]) -> [Arg; 5] {
        let pointer = Arg::Pointer {
            ptr: std::ptr::null_mut(),
            bytes: 0,
        };
        let [h, w, s, i] = [height, width, stride, 0].map(|bits| Arg::Scalar { bits });
        [pointer, h, w, s, i]
    }

    #[test]
    fn tiles_at_the_position_of_the_block_are_apart() {
        let whole = layout("%x, %y", "").expect("it has one");
        let args = args([64, 64, 64]);
        assert!(whole.is_disjoint([16, 8, 1], &args));
        assert!(!whole.is_disjoint([16, 8, 2], &args), "z is no index");
        let narrow = layout("%x, %i", "").expect("it has one");
        assert!(narrow.is_disjoint([16, 1, 1], &args));
        assert!(!narrow.is_disjoint([16, 2, 1], &args), "y is no index");
    }

    #[test]
    fn elements_of_half_a_byte_have_no_layout() {
        assert!(layout_of("f4E2M1FN", "%x, %y", "").is_none());
    }

    #[test]
    fn rows_that_overlap_are_not_apart() {
        let layout = layout("%x, %y", "").expect("it has one");
        for stride in [0, 1, 63] {
            assert!(!layout.is_disjoint([2, 2, 1], &args([64, 64, stride])));
        }
        // One row needs no stride; only the low bits of a number count.
        assert!(layout.is_disjoint([1, 2, 1], &args([1, 64, 0])));
        assert!(!layout.is_disjoint([2, 2, 1], &args([64, 64, 1 << 32])));
    }

    #[test]
    fn accesses_that_differ_have_no_layout() {
        let view = "partition_view<tile=(4x8), tensor_view<?x?xf32, strides=[?,1]>>";
        let load = |index: &str| {
            format!(
                "%l, %lt = load_view_tko weak %v[{index}] : {view}, tile<i32> -> tile<4x8xf32>, token\n"
            )
        };
        assert!(layout("%x, %y", &load("%x, %y")).is_some());
        assert!(layout("%x, %y", &load("%y, %x")).is_none());
        assert!(layout("%x, %y", &load("%x, %i")).is_none());
        let pointer = "%l, %lt = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token\n";
        assert!(layout("%x, %y", pointer).is_none());
        let unknown = "%a = int_to_ptr %n : tile<i64> -> tile<ptr<f32>>\n\
                       %l, %lt = load_ptr_tko weak %a : tile<ptr<f32>> -> tile<f32>, token\n";
        let number = "%n = constant <i64: 64> : tile<i64>\n".to_owned();
        assert!(layout("%x, %y", &(number + unknown)).is_none());
    }
}
