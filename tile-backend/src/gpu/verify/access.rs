//! Verifies accesses to tiles in global memory and to buffers in shared memory.

use super::super::{Access, AsyncCopy, BufferId, Caching, GlobalTile, Op, OpKind, Ty};
use super::Verifier;
use crate::layout::{LinearLayout, ldmatrix_plan, stmatrix_plan};

impl Verifier<'_> {
    /// Checks a load from a tile in global memory, a store to it, or the padding of a loaded tile.
    pub(super) fn global_access(&mut self, op: &Op, tile: &GlobalTile) {
        let kernel = self.kernel;
        // Hinted loads use `ld.global.nc`, which is undefined for memory that the kernel writes (PTX ISA,
        // "ld.global.nc").
        self.demand(
            tile.caching == Caching::Normal || tile.access == Access::Read,
            "caches are told of memory that the kernel writes",
        );
        let value = match op.kind {
            OpKind::LoadGlobal(_) => op.results[0],
            _ => op.args[0],
        };
        let Ty::Distributed { element, layout } = kernel.ty(value) else {
            self.error("a global access needs a distributed value");
            return;
        };
        let sizes = kernel.layout(layout).shape().sizes();
        let same = tile.axes.iter().map(|axis| axis.size).eq(sizes);
        self.demand(
            element == tile.element && same,
            "a global access differs from its tile",
        );
        if matches!(op.kind, OpKind::Pad(_)) {
            self.demand(
                kernel.ty(value) == kernel.ty(op.results[0]),
                "`pad` makes another tile of one",
            );
        }
    }

    /// Checks a load of a tile from a buffer, or a store of a tile to it.
    pub(super) fn shared_access(&mut self, op: &Op, buffer: BufferId) {
        let kernel = self.kernel;
        let is_store = matches!(op.kind, OpKind::StoreShared(_) | OpKind::StoreMatrix(_));
        let value = if is_store {
            op.args.first()
        } else {
            op.results.first()
        };
        // Threads write a circular buffer only by copies and transposes, whose waits the flow verifier counts
        // per stage.
        let stages = usize::from(kernel.buffer(buffer).stages > 1);
        self.demand(
            (!is_store || stages == 0) && (is_store || op.args.len() == stages),
            "a circular buffer is filled by copies, and its reads name a stage",
        );
        let layout = value.and_then(|&value| self.layout(value));
        let (Some(registers), Some(_)) = (layout, kernel.buffer(buffer).layout) else {
            self.error("a shared access needs a distributed value and a buffer with a layout");
            return;
        };
        let Some(memory) = kernel.memory(buffer, registers.shape()) else {
            self.error("a shared access has the wrong shape");
            return;
        };
        self.matrix_instruction(op, registers, &memory, buffer);
    }

    /// Checks that `ldmatrix` or `stmatrix` moves each element between the lane that holds it and its place
    /// in memory, since these instructions prescribe which lane holds which element.
    fn matrix_instruction(
        &mut self,
        op: &Op,
        registers: &LinearLayout,
        memory: &LinearLayout,
        buffer: BufferId,
    ) {
        let bits = u32::try_from(self.kernel.buffer(buffer).element.bytes() * 8)
            .expect("an element has few bits");
        match op.kind {
            OpKind::LoadMatrix(_) => self.demand(
                ldmatrix_plan(registers, memory, bits).is_some(),
                "`load_matrix` cannot deliver this layout",
            ),
            OpKind::StoreMatrix(_) => self.demand(
                stmatrix_plan(registers, memory, bits).is_some(),
                "`store_matrix` cannot take this layout",
            ),
            _ => {}
        }
    }

    /// Checks that the vectors of a copy are those that `cp.async` can move: 4, 8 or 16 bytes that are
    /// neighbours in both memories.
    pub(super) fn copy_async(&mut self, copy: &AsyncCopy) {
        let kernel = self.kernel;
        let buffer = kernel.buffer(copy.buffer);
        let memory = buffer.layout.map(|id| kernel.layout(id));
        let layout = kernel.layout(copy.layout);
        let fits = memory.and_then(|memory| copy.from.for_copy(layout, memory));
        if fits.as_ref() != Some(&copy.from) {
            self.error("`copy_async` cannot move these vectors");
        } else if buffer.stages < 2 {
            self.error("`copy_async` needs a circular buffer");
        }
    }
}
