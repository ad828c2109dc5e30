//! Rewrites of the GPU IR, in the order in which they run.

mod allocate_shared;
mod barriers;
mod caching;
mod dead;
mod late_waits;
mod load_once;
mod longest_first;
mod masks;
mod persistent;
mod pieces;
mod pipeline;
mod places;
mod rescale;
mod skips;

pub use allocate_shared::allocate_shared;
pub use barriers::barriers;
pub(crate) use barriers::defined;
pub use caching::caching;
pub use dead::dead;
pub use late_waits::late_waits;
pub use load_once::load_once;
pub use longest_first::longest_first;
pub use masks::masks;
pub(crate) use persistent::is_waited_for;
pub use pipeline::pipeline;
pub(crate) use pipeline::uneven;
pub(crate) use places::{Pending, memory_accesses};
pub use rescale::rescale;
pub use skips::skips;

use crate::gpu::{BufferId, OpKind};

/// How an operation touches a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    Read,
    Write,
}

/// Whether an operation itself reads a buffer.
pub(crate) fn reads(kind: &OpKind, buffer: BufferId) -> bool {
    touched(kind).contains(&(buffer, Touch::Read))
}

/// The buffers that an operation itself touches.
pub(crate) fn touched(kind: &OpKind) -> Vec<(BufferId, Touch)> {
    match kind {
        OpKind::StoreShared(buffer)
        | OpKind::StoreMatrix(buffer)
        | OpKind::ExchangeByMemory(buffer) => {
            vec![(*buffer, Touch::Write)]
        }
        OpKind::Transpose(matrix) => {
            vec![(matrix.from, Touch::Read), (matrix.to, Touch::Write)]
        }
        OpKind::StoreTensor(store) => vec![(store.buffer, Touch::Read)],
        // Until then it is read.
        OpKind::WaitStores(wait) => vec![(wait.buffer, Touch::Read)],
        OpKind::LoadShared(buffer)
        | OpKind::LoadMatrix(buffer)
        | OpKind::LoadSlice(buffer)
        | OpKind::LoadElement { buffer, offset: _ } => vec![(*buffer, Touch::Read)],
        OpKind::CopyAsync(copy) => vec![(copy.buffer, Touch::Write)],
        OpKind::CopyTensor(copy) => vec![(copy.buffer, Touch::Write)],
        // Not by the thread that initializes barriers.
        OpKind::CopyBulk(copy) => {
            vec![(copy.buffer, Touch::Write), (copy.barriers, Touch::Read)]
        }
        // An arrival is no access: barriers are there for threads that do not wait for each other.
        OpKind::InitBarriers(barriers, _) | OpKind::DropBarriers(barriers) => {
            vec![(*barriers, Touch::Write)]
        }
        OpKind::WaitTensors(barriers) => vec![(*barriers, Touch::Read)],
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
        OpKind::MmaLoop(product) => {
            let buffers = product.buffers();
            buffers.map(|buffer| (buffer, Touch::Read)).collect()
        }
        OpKind::Wgmma(product) => {
            let buffers = product.buffers();
            buffers.map(|buffer| (buffer, Touch::Read)).collect()
        }
        OpKind::Constant(_)
        | OpKind::ConstantEach(_)
        | OpKind::BlockId(_)
        | OpKind::GridSize(_)
        | OpKind::Positions
        | OpKind::Position
        | OpKind::Splat
        | OpKind::ToUniform
        | OpKind::Coordinate(_)
        | OpKind::Compute(_)
        | OpKind::Rescale(_)
        | OpKind::WaitRescaled(_)
        | OpKind::Registers(_)
        | OpKind::LoadGlobal(_)
        | OpKind::StoreGlobal(_)
        | OpKind::Pad(_)
        | OpKind::Memory(_)
        | OpKind::CommitCopies
        | OpKind::WaitCopies(_)
        | OpKind::ExpectTensors(_)
        | OpKind::FenceAsync
        | OpKind::Barrier
        | OpKind::ClusterBarrier
        | OpKind::Produce
        | OpKind::WaitFree(_)
        | OpKind::EndRing(_)
        | OpKind::Free(_)
        | OpKind::Mma(_)
        | OpKind::MmaScaled(_)
        | OpKind::WaitProducts(_)
        | OpKind::Alternate(_)
        | OpKind::ReduceWarp(_)
        | OpKind::ExchangeInWarps
        | OpKind::ScanWarp(_)
        | OpKind::Merge(_)
        | OpKind::Pick(_)
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
