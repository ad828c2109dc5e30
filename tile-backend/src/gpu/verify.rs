//! The verifier of the GPU IR.

mod access;
mod cluster;
mod control;
mod elements;
mod flow;
mod memory;
mod mma;
mod pipeline_barriers;
mod tiles;
mod tma;

pub(crate) use pipeline_barriers::all_pipeline_barriers;
pub(in crate::gpu) use tma::is_mbarrier_buffer;

use super::{BlockId, BufferId, Kernel, OpId, OpKind, ValueId};
use crate::layout::warpgroup::WARPS;
use crate::layout::{InDim, LinearLayout};
use std::collections::BTreeSet;

/// Checks every invariant of the GPU IR. The invariants of memory are checked only after memory has been
/// allocated, since barriers are not placed until then. Returns errors as text that names the operation and
/// its source location. An error is a bug of this compiler, not of the kernel's author.
pub fn verify(kernel: &Kernel) -> Vec<String> {
    let mut verifier = Verifier {
        kernel,
        errors: Vec::new(),
        around: Vec::new(),
    };
    if !kernel.launch.num_warps.is_power_of_two() {
        verifier.error("the number of warps is no power of two");
    }
    let defined: BTreeSet<ValueId> = kernel.params.iter().map(|param| param.value).collect();
    for (id, layout) in kernel.layouts() {
        let threads = layout.bases(InDim::Offset).is_empty();
        if threads && layout.unique_registers().0.num_registers() != layout.num_registers() {
            verifier.error(&format!("layout #{} has copied registers", id.index()));
        }
    }
    verifier.block(kernel.body(), &defined);
    verifier.decisions();
    verifier.kept();
    let of_maps = tma::map_errors(kernel);
    for text in { of_maps }
        .into_iter()
        .chain(pipeline_barriers::errors(kernel))
        .chain(super::persistent::errors(kernel))
        .chain(cluster::errors(kernel))
        .chain(super::cluster_split::errors(kernel))
    {
        verifier.error(&text);
    }
    if verifier.errors.is_empty() {
        for (id, text) in flow::errors(kernel) {
            verifier.error(&format!("{}: {text}", described(kernel, id)));
        }
    }
    verifier.errors
}

struct Verifier<'k> {
    kernel: &'k Kernel,
    errors: Vec<String>,
    /// The operations around the current one.
    around: Vec<OpId>,
}

impl<'k> Verifier<'k> {
    fn error(&mut self, text: &str) {
        self.errors.push(format!("{}: {text}", self.kernel.name));
    }

    /// Adds an error unless the rule `holds`.
    fn demand(&mut self, holds: bool, text: &str) {
        if !holds {
            self.error(text);
        }
    }

    /// Checks that dedicated buffers share their bytes with no other. The analysis does not see which
    /// operations access a buffer through an address, and the number of an arena slot is needed until the
    /// kernel ends.
    fn kept(&mut self) {
        let kernel = self.kernel;
        let numbers = kernel.arenas.iter().map(|arena| arena.number);
        let dedicated = kernel
            .buffer_ids()
            .filter(|&id| kernel.buffer(id).is_dedicated);
        let kept: BTreeSet<_> = dedicated.chain(numbers).collect();
        let bytes = |id: BufferId| {
            let buffer = kernel.buffer(id);
            let start = buffer.offset_bytes?;
            Some((start, start + buffer.bytes))
        };
        for &kept_buffer in &kept {
            for other in kernel.buffer_ids().filter(|&other| other != kept_buffer) {
                if let (Some(a), Some(b)) = (bytes(kept_buffer), bytes(other))
                    && a.0 < b.1
                    && b.0 < a.1
                {
                    let (kept_buffer, other) = (kept_buffer.index(), other.index());
                    self.error(&format!(
                        "${kept_buffer} is kept, and shares bytes with ${other}"
                    ));
                }
            }
        }
    }

    fn block(&mut self, block: BlockId, outer: &BTreeSet<ValueId>) {
        let mut defined = outer.clone();
        defined.extend(&self.kernel.block(block).args);
        for &id in &self.kernel.block(block).ops {
            let op = self.kernel.op(id);
            for arg in &op.args {
                if !defined.contains(arg) {
                    self.error(&format!("%{} is used before its definition", arg.index()));
                }
            }
            self.op(id);
            self.around.push(id);
            for &block in &op.blocks {
                self.block(block, &defined);
            }
            self.around.pop();
            defined.extend(&op.results);
        }
    }

    /// Checks one operation, but not the operations in its blocks.
    fn op(&mut self, id: OpId) {
        let kernel = self.kernel;
        let op = kernel.op(id);
        let row = op.kind.row();
        if !row.operands.contains(op.args.len())
            || !row.results.contains(op.results.len())
            || !row.blocks.contains(op.blocks.len())
        {
            let text = format!(
                "wrong number of operands, results or blocks of {:?}",
                op.kind
            );
            self.error(&text);
            return;
        }
        match &op.kind {
            OpKind::Compute(_) => self.elementwise(op),
            OpKind::Ptx(text) => self.inline_ptx(op, text),
            OpKind::LazyRescale(element) | OpKind::WaitWgmmaAndRescale(element) => {
                self.lazy_rescale(op, element);
            }
            OpKind::PermuteRegisters(sources) => self.permute_registers(op, sources),
            OpKind::LoadGlobal(tile) | OpKind::StoreGlobal(tile) | OpKind::Pad(tile) => {
                self.global_access(op, tile);
            }
            OpKind::StoreShared(buffer)
            | OpKind::StoreMatrix(buffer)
            | OpKind::LoadShared(buffer)
            | OpKind::LoadMatrix(buffer) => self.shared_access(op, *buffer),
            OpKind::CopyAsync(copy) => self.copy_async(copy),
            OpKind::InitMbarriers(barriers, _) | OpKind::InvalidateMbarriers(barriers) => {
                self.mbarriers(*barriers);
            }
            OpKind::ArriveExpectTx(expected) => self.arrive_expect_tx(op, *expected),
            OpKind::ConsumerWait(barriers) => self.consumer_wait(op, *barriers),
            OpKind::TmaLoad(copy) => self.tma_load(op, copy),
            OpKind::TmaStore(store) => self.tma_store(op, store),
            OpKind::BulkCopy(copy) => {
                for text in super::bulk_copy::errors(kernel, op, copy) {
                    self.error(&text);
                }
            }
            OpKind::Mma(mma) => self.mma(op, *mma),
            OpKind::MmaScaled(mma) => self.mma_scaled(op, mma),
            OpKind::MmaLoop(mma) => self.mma_loop(op, mma),
            OpKind::Wgmma(mma) => self.wgmma(op, mma),
            OpKind::WaitWgmma(_) => self.accumulates(op, 0, "wait_wgmma"),
            OpKind::PingPong(_) => self.demand(
                kernel.launch.num_warps == 2 * WARPS,
                "`ping_pong` is for two warpgroups",
            ),
            OpKind::TransposeShared(matrix) => {
                if let Some(error) = matrix.error(kernel, op) {
                    self.error(error);
                }
            }
            OpKind::For { .. }
            | OpKind::Loop
            | OpKind::If
            | OpKind::Yield
            | OpKind::Continue
            | OpKind::Break
            | OpKind::Return
            | OpKind::Assert(_)
            | OpKind::Print(_)
            | OpKind::LoadElement { .. } => self.control(id),
            OpKind::ReduceWarp(plan) => self.reduce_warp(op, plan),
            OpKind::ConvertLayoutShuffle => self.convert_layout_shuffle(op),
            OpKind::ConvertLayoutShared(buffer) => self.convert_layout_shared(op, *buffer),
            OpKind::ScanWarp(step) => self.scan_warp(op, step),
            OpKind::ScanAcross(partials, step) => self.scan_across(op, partials, step),
            OpKind::InsertSlice(merge) => self.insert_slice(op, merge),
            OpKind::ExtractSlice(pick) => self.extract_slice(op, pick),
            OpKind::LoadSlice(buffer) => self.load_slice(op, *buffer),
            OpKind::Repack => self.repack(op),
            OpKind::Memory(memory) => self.memory(op, memory),
            OpKind::Constant(_)
            | OpKind::ConstantEach(_)
            | OpKind::BlockId(_)
            | OpKind::GridSize(_)
            | OpKind::WorkTileRange
            | OpKind::WorkTileCoordinates
            | OpKind::Splat
            | OpKind::ToUniform
            | OpKind::Coordinate(_)
            | OpKind::CommitGroup
            | OpKind::WaitGroup(_)
            | OpKind::PrefetchMaps
            | OpKind::FenceProxyAsync
            | OpKind::WaitTmaStores(..)
            | OpKind::Barrier
            | OpKind::ClusterBarrier
            | OpKind::WarpSpecialize
            | OpKind::ProducerAcquire(_)
            | OpKind::ProducerTail(_)
            | OpKind::ConsumerRelease(_)
            | OpKind::StorePartials(_)
            | OpKind::CombinePartials(_)
            | OpKind::Dependents(_)
            | OpKind::AliasFence => {}
        }
    }

    /// Returns the layout of a distributed value.
    fn layout(&self, value: ValueId) -> Option<&'k LinearLayout> {
        self.kernel
            .ty(value)
            .layout()
            .map(|id| self.kernel.layout(id))
    }

    /// Returns the number of registers that a thread needs for a value.
    fn num_registers(&self, value: ValueId) -> usize {
        self.layout(value).map_or(1, LinearLayout::num_registers)
    }
}

/// Returns the text by which errors name an operation.
fn described(kernel: &Kernel, id: OpId) -> String {
    let op = kernel.op(id);
    format!("`{}` at {}", op.kind.to_text(), op.loc)
}
