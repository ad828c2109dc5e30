//! Passes over the GPU IR.

mod allocate_shared;
mod barriers;
mod block_skipping;
mod caching;
mod dead_code;
mod epilogue_subtiles;
mod lazy_rescaling;
mod load_once;
mod lpt_order;
mod mask_elision;
mod persistent;
mod pipeline;
mod places;
mod sink_store_waits;

pub use allocate_shared::allocate_shared;
pub use barriers::barriers;
pub(crate) use barriers::defined;
pub use block_skipping::skip_blocks;
pub use caching::choose_cache_hints;
pub use dead_code::eliminate_dead_code;
pub use lazy_rescaling::rescale_lazily;
pub use load_once::load_once;
pub use lpt_order::order_by_lpt;
pub use mask_elision::elide_masks;
pub(crate) use persistent::may_be_waited_for;
pub(crate) use pipeline::first_uneven_loop;
pub use pipeline::pipeline;
pub(crate) use places::{Pending, memory_accesses};
pub use sink_store_waits::sink_store_waits;

use crate::gpu::{BufferId, OpKind};

/// The kind of an access to a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Read,
    Write,
}

/// Returns `true` if an operation itself reads a buffer.
pub(crate) fn reads(kind: &OpKind, buffer: BufferId) -> bool {
    touched(kind).contains(&(buffer, Touch::Read))
}

/// Returns the buffers that an operation itself accesses.
pub(crate) fn touched(kind: &OpKind) -> Vec<(BufferId, Touch)> {
    match kind {
        OpKind::StoreShared(buffer)
        | OpKind::StoreMatrix(buffer)
        | OpKind::ConvertLayoutShared(buffer) => {
            vec![(*buffer, Touch::Write)]
        }
        OpKind::TransposeShared(matrix) => {
            vec![(matrix.from, Touch::Read), (matrix.to, Touch::Write)]
        }
        OpKind::TmaStore(store) => vec![(store.buffer, Touch::Read)],
        // The store may read the buffer until this wait ends.
        OpKind::WaitTmaStores(wait) => vec![(wait.buffer, Touch::Read)],
        OpKind::LoadShared(buffer)
        | OpKind::LoadMatrix(buffer)
        | OpKind::LoadSlice(buffer)
        | OpKind::LoadElement { buffer, offset: _ } => vec![(*buffer, Touch::Read)],
        OpKind::CopyAsync(copy) => vec![(copy.buffer, Touch::Write)],
        OpKind::TmaLoad(copy) => vec![(copy.buffer, Touch::Write)],
        // The issuing warp need not contain the thread that initialized the mbarriers, so a barrier must
        // separate the initialization from the copy.
        OpKind::BulkCopy(copy) => {
            vec![(copy.buffer, Touch::Write), (copy.barriers, Touch::Read)]
        }
        // An arrival does not count as an access: mbarriers exist to synchronize threads without a barrier.
        OpKind::InitMbarriers(barriers, _) | OpKind::InvalidateMbarriers(barriers) => {
            vec![(*barriers, Touch::Write)]
        }
        OpKind::ConsumerWait(barriers) => vec![(*barriers, Touch::Read)],
        OpKind::StorePartials(partials) => partials
            .buffers
            .iter()
            .map(|&buffer| (buffer, Touch::Write))
            .collect(),
        OpKind::CombinePartials(partials) | OpKind::ScanAcross(partials, _) => partials
            .buffers
            .iter()
            .map(|&buffer| (buffer, Touch::Read))
            .collect(),
        OpKind::MmaLoop(mma) => {
            let buffers = mma.buffers();
            buffers.map(|buffer| (buffer, Touch::Read)).collect()
        }
        OpKind::Wgmma(mma) => {
            let buffers = mma.buffers();
            buffers.map(|buffer| (buffer, Touch::Read)).collect()
        }
        OpKind::Constant(_)
        | OpKind::ConstantEach(_)
        | OpKind::BlockId(_)
        | OpKind::GridSize(_)
        | OpKind::WorkTileRange
        | OpKind::WorkTileCoordinates
        | OpKind::Splat
        | OpKind::ToUniform
        | OpKind::Coordinate(_)
        | OpKind::Compute(_)
        | OpKind::LazyRescale(_)
        | OpKind::WaitWgmmaAndRescale(_)
        | OpKind::PermuteRegisters(_)
        | OpKind::LoadGlobal(_)
        | OpKind::StoreGlobal(_)
        | OpKind::Pad(_)
        | OpKind::Memory(_)
        | OpKind::CommitGroup
        | OpKind::WaitGroup(_)
        | OpKind::ArriveExpectTx(_)
        | OpKind::FenceProxyAsync
        | OpKind::Barrier
        | OpKind::ClusterBarrier
        | OpKind::WarpSpecialize
        | OpKind::ProducerAcquire(_)
        | OpKind::ProducerTail(_)
        | OpKind::ConsumerRelease(_)
        | OpKind::Mma(_)
        | OpKind::MmaScaled(_)
        | OpKind::WaitWgmma(_)
        | OpKind::PingPong(_)
        | OpKind::ReduceWarp(_)
        | OpKind::ConvertLayoutShuffle
        | OpKind::ScanWarp(_)
        | OpKind::InsertSlice(_)
        | OpKind::ExtractSlice(_)
        | OpKind::Repack
        | OpKind::For { .. }
        | OpKind::Loop
        | OpKind::If
        | OpKind::Yield
        | OpKind::Continue
        | OpKind::Break
        | OpKind::Return
        | OpKind::Assert(_)
        | OpKind::Ptx(_)
        | OpKind::Print(_)
        | OpKind::Dependents(_)
        | OpKind::AliasFence => Vec::new(),
    }
}
