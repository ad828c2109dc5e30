//! Epilogue subtiling: stores the tiles of persistent kernels in subtiles, which leaves shared memory for
//! more stages.
//!
//! Input: a persistent kernel ([`super::persistent`]) with buffers of whole tiles for TMA stores. Output: the
//! same with buffers of subtiles. A thread holds a part of every subtile, so nothing moves between threads.
//! TMA boxes keep the shape that they have for the whole tile, or have shorter rows, of at least a cache
//! line:
//!
//! ```text
//!   wait_tma_stores $a             wait_tma_stores $a left=1       earlier stores from $a have been read
//!   store_matrix $a %t             store_matrix $a %t₀
//!   fence_proxy_async       =>     fence_proxy_async
//!   tma_store !m $a                tma_store !m $a
//!                                  wait_tma_stores $b left=1
//!                                  store_matrix $b %t₁
//!                                  fence_proxy_async
//!                                  tma_store !m $b at=[0, 64]
//!                                  wait_tma_stores $a left=1 …
//! ```
//!
//! Threads wait for each other around each subtile, and from the third subtile on also for the hardware.
//! Subtiling therefore pays only where circular buffers gain stages from it ([`crate::schedule`] decides).

use crate::gpu::{
    BlockId, Buffer, BufferId, Kernel, OpId, OpKind, TensorMap, TmaStore, TmaStoreWait,
    TmaStoreWaitKind, Ty, each,
};
use crate::layout::{
    Axis, Boxes, LinearLayout, SliceRegisters, atom_layout, bank_conflict_ways, slice_registers,
    stmatrix_plan, vector_plan,
};
use crate::schedule::{Epilogue, Refusal, Schedule};

/// Minimum number of bytes of a row of a subtile, if rows are cut: a cache line.
const MIN_ROW_BYTES: u64 = 128;

/// A way to split a tile into subtiles.
#[derive(Clone, Copy, Debug)]
struct Subtiling {
    /// Number of subtiles.
    subtiles: u32,
    /// Number of buffers, which alternate.
    buffers: u32,
}

/// The subtilings that need a quarter of the bytes, then those that need half. Where the bytes are equal, two
/// buffers come first: one is written while the other is read.
const SUBTILINGS: [Subtiling; 4] = [
    subtiling(8, 2),
    subtiling(4, 1),
    subtiling(4, 2),
    subtiling(2, 1),
];

/// Index of the first subtiling that needs half of the bytes.
const HALVES: usize = 2;

const fn subtiling(subtiles: u32, buffers: u32) -> Subtiling {
    Subtiling { subtiles, buffers }
}

/// Splits every tile that is stored by TMA as the schedule says, where tiles can be split.
pub(crate) fn subtile_epilogue(kernel: &mut Kernel, schedule: &Schedule) -> Result<(), Refusal> {
    let subtilings = match schedule.epilogue {
        Epilogue::Whole => return Ok(()),
        Epilogue::Halves => &SUBTILINGS[HALVES..],
        Epilogue::Quarters => &SUBTILINGS[..],
    };
    let refusal = Refusal::Because("no tile can be split");
    let mut ops = kernel.block(kernel.body()).ops.iter();
    let through = ops.find(|&&id| matches!(kernel.op(id).kind, OpKind::For { .. }));
    let block = kernel.op(*through.ok_or(refusal)?).blocks[0];
    let whole = kernel.clone();
    let mut is_cut = false;
    for &id in &whole.block(block).ops {
        let staged = Staged::match_store(&whole, block, id);
        let subtiles = staged.and_then(|staged| {
            let mut subtilings = subtilings.iter();
            Some((
                staged,
                subtilings.find_map(|&subtiling| staged.subtiles(&whole, subtiling))?,
            ))
        });
        if let Some((staged, subtiles)) = subtiles {
            staged.split_store(kernel, block, &subtiles);
            is_cut = true;
        }
    }
    if is_cut { Ok(()) } else { Err(refusal) }
}

/// A tile that is stored by TMA: the write to its buffer, and the store after it.
#[derive(Clone, Copy)]
struct Staged<'k> {
    write: OpId,
    id: OpId,
    store: &'k TmaStore,
}

/// The subtiles of a tile.
struct Subtiles {
    axis: Axis,
    registers: SliceRegisters,
    memory: LinearLayout,
    map: TensorMap,
    align_bytes: u32,
    buffers: u32,
}

impl<'k> Staged<'k> {
    /// Matches a store that directly follows the write to its buffer and the fence, if every wait for the
    /// store waits only until the buffer has been read.
    fn match_store(kernel: &'k Kernel, block: BlockId, id: OpId) -> Option<Self> {
        let OpKind::TmaStore(store) = &kernel.op(id).kind else {
            return None;
        };
        let ops = &kernel.block(block).ops;
        let index = ops.iter().position(|&op| op == id)?;
        let &[write, fence, _] = ops.get(index.checked_sub(2)?..=index)? else {
            return None;
        };
        let is_written = matches!(
            kernel.op(write).kind,
            OpKind::StoreShared(buffer) | OpKind::StoreMatrix(buffer) if buffer == store.buffer
        );
        // Nothing else may use the map or the buffer, since both change.
        let mut is_alone = is_written && matches!(kernel.op(fence).kind, OpKind::FenceProxyAsync);
        let around = [kernel.body(), block];
        each(
            kernel,
            kernel.body(),
            &mut Vec::new(),
            &mut |other, _| match &kernel.op(other).kind {
                OpKind::TmaStore(of) => is_alone &= other == id || of.map != store.map,
                OpKind::TmaLoad(copy) => is_alone &= copy.map != store.map,
                OpKind::WaitTmaStores(wait) if wait.buffer == store.buffer => {
                    let mut blocks = around.iter();
                    is_alone &= wait.end == TmaStoreWaitKind::Read
                        && blocks.any(|&block| kernel.block(block).ops.contains(&other));
                }
                _ => {}
            },
        );
        is_alone.then_some(Self { write, id, store })
    }

    /// Returns the subtiles of the tile, split along the last axis that allows it.
    fn subtiles(self, kernel: &Kernel, subtiling: Subtiling) -> Option<Subtiles> {
        let buffer = kernel.buffer(self.store.buffer);
        let shape = kernel.layout(buffer.layout?).shape();
        let mut axes = shape.axes().rev();
        axes.find_map(|axis| self.along(kernel, axis, subtiling))
    }

    fn along(self, kernel: &Kernel, axis: Axis, subtiling: Subtiling) -> Option<Subtiles> {
        let Self { write, id, store } = self;
        let contiguous = store.tile.contiguous?;
        let source_layout = kernel.layout_of(kernel.op(write).args[0]);
        let buffer = kernel.buffer(store.buffer);
        let shape = kernel.layout(buffer.layout?).shape();
        let log2 = shape
            .log2_size(axis)
            .checked_sub(subtiling.subtiles.ilog2())?;
        let subtile = shape.clone().with_log2_size(axis, log2);
        let element_bytes = store.tile.element.bytes() as u64;
        // Rows shorter than a cache line would be stored as partial lines.
        if source_layout.shape() != shape
            || axis == contiguous && subtile.size(axis) * element_bytes < MIN_ROW_BYTES
        {
            return None;
        }
        let registers = slice_registers(source_layout, &subtile)?;
        let memory = atom_layout(&subtile, contiguous, element_bytes);
        let boxes = Boxes::from_layout(&memory, contiguous, element_bytes)?;
        let map = TensorMap::from_tile(kernel, &store.tile, &kernel.op(id).args, &boxes)?;
        let bits = u32::try_from(8 * element_bytes).expect("an element has few bits");
        let layout = &registers.layout;
        // The new buffer is as good as the old one only if `stmatrix` still fits or stores stay free of bank
        // conflicts.
        let is_written = if matches!(kernel.op(write).kind, OpKind::StoreMatrix(_)) {
            stmatrix_plan(layout, &memory, bits).is_some()
        } else {
            let width = vector_plan(layout, &memory, u64::from(128 / bits))?.width_elements;
            bank_conflict_ways(layout, &memory, width, bits)? == 1
        };
        let align_bytes = u32::try_from(boxes.swizzle.align_bytes()).expect("small");
        is_written.then_some(Subtiles {
            axis,
            registers,
            memory,
            map,
            align_bytes: align_bytes.max(buffer.align_bytes),
            buffers: subtiling.buffers,
        })
    }

    /// Rewrites the store, which is in the loop over work tiles.
    fn split_store(self, kernel: &mut Kernel, block: BlockId, subtiles: &Subtiles) {
        let Self { write, id, store } = self;
        let buffers = buffers(kernel, store.buffer, subtiles);
        kernel.maps[store.map] = subtiles.map.clone();
        let behind = kernel.body();
        // Waits move before each subtile; those after the loop are added again below.
        for around in [block, behind] {
            let mut ops = std::mem::take(&mut kernel.block_mut(around).ops);
            ops.retain(|&op| {
                let kind = &kernel.op(op).kind;
                !matches!(kind, OpKind::WaitTmaStores(wait) if wait.buffer == store.buffer)
            });
            kernel.block_mut(around).ops = ops;
        }

        let loc = kernel.op(id).loc;
        let args = kernel.op(id).args.clone();
        let value = kernel.op(write).args[0];
        let ty = Ty::Distributed {
            element: kernel.ty(value).scalar().expect("a tile has elements"),
            layout: kernel.add_layout(subtiles.registers.layout.clone()),
        };
        let size = subtiles.memory.shape().size(subtiles.axis);
        let left = subtiles.buffers - 1;
        let by_matrices = matches!(kernel.op(write).kind, OpKind::StoreMatrix(_));
        let mut new_ops = Vec::new();
        let stores = (0..).zip(buffers.iter().cycle());
        for ((number, &buffer), sources) in stores.zip(&subtiles.registers.sources) {
            let sources = OpKind::PermuteRegisters(sources.clone());
            let taken = kernel.add_op(sources, &[value], &[ty], &[], loc);
            let taken_value = kernel.op(taken).results[0];
            let kind = if by_matrices {
                OpKind::StoreMatrix(buffer)
            } else {
                OpKind::StoreShared(buffer)
            };
            let mut corner = store.corner.clone();
            corner[subtiles.axis.0] += number * size;
            let store = OpKind::TmaStore(Box::new(TmaStore {
                buffer,
                corner,
                ..store.clone()
            }));
            let end = TmaStoreWaitKind::Read;
            let wait = OpKind::WaitTmaStores(TmaStoreWait { buffer, end, left });
            new_ops.push(taken);
            new_ops.push(kernel.add_op(wait, &[], &[], &[], loc));
            new_ops.push(kernel.add_op(kind, &[taken_value], &[], &[], loc));
            new_ops.push(kernel.add_op(OpKind::FenceProxyAsync, &[], &[], &[], loc));
            let store = kernel.add_op(store, &args, &[], &[], loc);
            // Subtiles are unordered among themselves. Relative to other operations they are ordered as the
            // tile was.
            if let Some(&number) = kernel.order.numbers.get(&id) {
                kernel.order.numbers.insert(store, number);
            }
            new_ops.push(store);
        }
        let ops = &mut kernel.block_mut(block).ops;
        let index = ops.iter().position(|&op| op == id);
        let index = index.expect("the store is in its block");
        ops.splice(index - 2..=index, new_ops);

        // The kernel must not end while a store still reads shared memory.
        for buffer in buffers {
            let wait = TmaStoreWait {
                buffer,
                end: TmaStoreWaitKind::Read,
                left: 0,
            };
            let wait = kernel.add_op(OpKind::WaitTmaStores(wait), &[], &[], &[], loc);
            let ops = &mut kernel.block_mut(behind).ops;
            ops.insert(ops.len() - 1, wait);
        }
    }
}

/// Turns the buffer of a tile into the buffer of a subtile, and adds further buffers if subtiles alternate.
fn buffers(kernel: &mut Kernel, whole: BufferId, subtiles: &Subtiles) -> Vec<BufferId> {
    let layout = Some(kernel.add_layout(subtiles.memory.clone()));
    let count = subtiles.registers.sources.len();
    let buffer_data = kernel.buffer(whole).clone();
    let subtile = Buffer {
        bytes: buffer_data.bytes / u32::try_from(count).expect("few"),
        align_bytes: subtiles.align_bytes,
        layout,
        ..buffer_data
    };
    kernel.shared.buffers[whole.index()] = subtile.clone();
    let others = (1..subtiles.buffers).map(|_| kernel.add_buffer(subtile.clone()));
    let others: Vec<BufferId> = others.collect();
    [whole].into_iter().chain(others).collect()
}
