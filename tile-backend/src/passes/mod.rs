//! Rewrites of the GPU IR, in the order in which they run.

mod allocate_shared;
mod barriers;
mod pipeline;

pub use allocate_shared::allocate_shared;
pub use barriers::barriers;
pub use pipeline::pipeline;

use crate::gpu::{BlockId, BufferId, Kernel, OpId, OpKind};

/// How an operation touches a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touch {
    Read,
    Write,
}

/// The buffers that an operation itself touches.
fn touched(kind: &OpKind) -> Vec<(BufferId, Touch)> {
    match kind {
        OpKind::StoreShared(buffer) => vec![(*buffer, Touch::Write)],
        OpKind::LoadShared(buffer) | OpKind::LoadMatrix(buffer) => vec![(*buffer, Touch::Read)],
        OpKind::CopyAsync(copy) => vec![(copy.buffer, Touch::Write)],
        OpKind::StorePartials(partials) => partials
            .buffers
            .iter()
            .map(|&buffer| (buffer, Touch::Write))
            .collect(),
        OpKind::CombinePartials(partials) => partials
            .buffers
            .iter()
            .map(|&buffer| (buffer, Touch::Read))
            .collect(),
        OpKind::Constant(_)
        | OpKind::ConstantEach(_)
        | OpKind::BlockId(_)
        | OpKind::GridSize(_)
        | OpKind::Splat
        | OpKind::ToUniform
        | OpKind::Coordinate(_)
        | OpKind::Compute(_)
        | OpKind::Registers(_)
        | OpKind::LoadGlobal(_)
        | OpKind::StoreGlobal(_)
        | OpKind::CommitCopies
        | OpKind::WaitCopies(_)
        | OpKind::Barrier
        | OpKind::Mma(_)
        | OpKind::ReduceWarp(_)
        | OpKind::For { .. }
        | OpKind::If
        | OpKind::Yield
        | OpKind::Return => Vec::new(),
    }
}

/// Every operation in program order, with the loops around it.
fn in_order(kernel: &Kernel) -> Vec<(OpId, Vec<OpId>)> {
    fn visit(
        kernel: &Kernel,
        block: BlockId,
        loops: &mut Vec<OpId>,
        found: &mut Vec<(OpId, Vec<OpId>)>,
    ) {
        for &id in &kernel.block(block).ops {
            found.push((id, loops.clone()));
            let op = kernel.op(id);
            let is_loop = matches!(op.kind, OpKind::For { .. });
            if is_loop {
                loops.push(id);
            }
            for &block in &op.blocks {
                visit(kernel, block, loops, found);
            }
            if is_loop {
                loops.pop();
            }
        }
    }
    let mut found = Vec::new();
    visit(kernel, kernel.body(), &mut Vec::new(), &mut found);
    found
}
