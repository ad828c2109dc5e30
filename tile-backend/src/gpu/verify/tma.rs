//! Verifies TMA loads and stores: their tensor maps, buffers and mbarriers. The flow verifier of
//! [`mod@super::verify`] checks the order of events.

use super::super::{
    BARRIER_BYTES, BufferId, ExpectTx, GlobalTile, Kernel, MAX_EXPECTED_BYTES, MapNumber, Op,
    OpKind, ParamKind, TensorMap, TmaLoad, TmaStore, Ty, ValueId,
};
use super::Verifier;
use crate::layout::Boxes;
use tile_core::Scalar;

impl Verifier<'_> {
    /// Checks that a buffer holds mbarriers.
    pub(super) fn mbarriers(&mut self, barriers: BufferId) {
        self.demand(
            is_mbarrier_buffer(self.kernel, barriers),
            "these are no barriers of copies",
        );
    }

    /// Checks an arrival that tells an mbarrier how many bytes the copies of its phase bring.
    pub(super) fn arrive_expect_tx(&mut self, op: &Op, ExpectTx { barriers, bytes }: ExpectTx) {
        self.mbarriers(barriers);
        let kernel = self.kernel;
        let copies = op.args.get(2..).unwrap_or_default();
        // The bytes of bulk copies are known only at run time, so the limit is checked for their maximum.
        let of_copies = |value: &ValueId| {
            let copy = kernel.defining(*value).map(|id| &kernel.op(id).kind);
            match copy {
                Some(OpKind::BulkCopy(copy)) if copy.barriers == barriers => {
                    Some(copy.max_bytes(kernel))
                }
                _ => None,
            }
        };
        let expected_bytes: Option<u64> = copies.iter().map(of_copies).sum();
        self.demand(
            op.args.len() >= 2
                && op.results.is_empty()
                && self.are(&op.args[..2], &[Scalar::I1, Scalar::I32])
                && expected_bytes.is_some(),
            "`arrive_expect_tx` takes a condition, a stage and byte counts",
        );
        // The byte count of an mbarrier has 20 bits and a sign (PTX ISA, "Contents of the mbarrier object").
        // A phase without bytes would complete at the arrival.
        let most = u64::from(bytes) + expected_bytes.unwrap_or(0);
        self.demand(
            (1..=u64::from(MAX_EXPECTED_BYTES)).contains(&most),
            "a barrier cannot count so many bytes",
        );
    }

    /// Checks a wait for the copies into a stage.
    pub(super) fn consumer_wait(&mut self, op: &Op, barriers: BufferId) {
        self.mbarriers(barriers);
        self.demand(
            self.are(&op.args, &[Scalar::I32; 2]),
            "`consumer_wait` takes a stage and a parity",
        );
    }

    /// Checks a copy from global memory into a stage of a circular buffer.
    pub(super) fn tma_load(&mut self, op: &Op, copy: &TmaLoad) {
        let kernel = self.kernel;
        let stages = kernel.buffer(copy.buffer).stages;
        self.demand(stages > 1, "`tma_load` needs a circular buffer");
        self.demand(
            is_mbarrier_buffer(kernel, copy.barriers)
                && kernel.buffer(copy.barriers).bytes == stages * BARRIER_BYTES,
            "`tma_load` needs a barrier per stage",
        );
        let indices = op.args.get(2..).unwrap_or_default();
        let is_index_list = indices.len() == copy.tile.axes.len()
            && indices.iter().all(
                |&index| matches!(kernel.ty(index), Ty::Uniform(scalar) if scalar.is_integer()),
            );
        let first = op.args.get(..2).unwrap_or_default();
        self.demand(
            self.are(first, &[Scalar::I1, Scalar::I32]) && is_index_list,
            "`tma_load` takes a condition, a stage and tile indices",
        );
        // Out-of-bounds fill is zero (PTX ISA, "cp.async.bulk.tensor"); any other padding is applied by `pad`
        // after the read.
        self.demand(
            copy.tile.padding.unwrap_or(0) == 0,
            "`tma_load` fills with zeros",
        );
        // The hardware addresses the tile only by boxes, so map, buffer and copy must decompose it in the
        // same way.
        let sizes = copy.tile.axes.iter().map(|axis| axis.size);
        let buffer = kernel.buffer(copy.buffer).layout;
        let shape = buffer.map(|id| kernel.layout(id).shape().sizes());
        self.demand(
            shape.is_some_and(|shape| sizes.eq(shape))
                && self.fits(copy.map, &copy.tile, copy.buffer, copy.boxes(kernel)),
            "the boxes of `tma_load` are not those of its map and buffer",
        );
    }

    /// Checks a copy of a buffer into global memory.
    pub(super) fn tma_store(&mut self, op: &Op, store: &TmaStore) {
        let kernel = self.kernel;
        let boxes = store.boxes(kernel);
        self.demand(
            kernel.buffer(store.buffer).stages == 1,
            "`tma_store` takes no circular buffer",
        );
        self.demand(
            store.is_subtile(kernel),
            "the buffer of `tma_store` does not hold a subtile of its tile",
        );
        self.demand(
            self.fits(store.map, &store.tile, store.buffer, boxes.clone()),
            "the boxes of `tma_store` are not those of its map and buffer",
        );
        // A store carries its address operands, so its map can be checked against them; a load has only
        // indices.
        let map =
            boxes.and_then(|boxes| TensorMap::from_tile(kernel, &store.tile, &op.args, &boxes));
        self.demand(
            op.args.len() == 1 + 3 * store.tile.axes.len()
                && map.is_some()
                && map.as_ref() == kernel.maps.get(store.map),
            "the map of `tma_store` is of another tensor",
        );
    }

    /// Returns `true` if the operands are uniform values of these types.
    fn are(&self, args: &[ValueId], expected: &[Scalar]) -> bool {
        let types = args.iter().map(|&arg| self.kernel.ty(arg));
        types.eq(expected.iter().map(|&scalar| Ty::Uniform(scalar)))
    }

    /// Returns `true` if the boxes of the map fill exactly the buffer, which holds a tile or a subtile.
    fn fits(&self, map: usize, tile: &GlobalTile, buffer: BufferId, boxes: Option<Boxes>) -> bool {
        let (Some(map), Some(boxes)) = (self.kernel.maps.get(map), boxes) else {
            return false;
        };
        let buffer = self.kernel.buffer(buffer);
        let lengths = map.axes.iter().map(|axis| u64::from(axis.length));
        let element_bytes = tile.element.bytes() as u64;
        map.swizzle == boxes.swizzle
            && u64::from(map.element_bytes) == element_bytes
            && lengths.eq(boxes.axes.iter().map(|&(_, length)| length))
            && u64::from(buffer.bytes) == boxes.total_bytes() * u64::from(buffer.stages)
            && u64::from(buffer.align_bytes).is_multiple_of(map.swizzle.align_bytes())
    }
}

/// Returns `true` if a buffer holds mbarriers.
pub(in crate::gpu) fn is_mbarrier_buffer(kernel: &Kernel, id: BufferId) -> bool {
    let buffer = kernel.buffer(id);
    buffer.stages == 1
        && buffer.bytes > 0
        && buffer.bytes.is_multiple_of(BARRIER_BYTES)
        && buffer.align_bytes.is_multiple_of(BARRIER_BYTES)
        && buffer.layout.is_none()
}

/// Returns the errors of tensor maps, which consist of constants and of parameters that the host passes.
pub(super) fn map_errors(kernel: &Kernel) -> Vec<String> {
    let kind = |position: usize| kernel.params.get(position).map(|param| param.kind);
    let is_number = |number: MapNumber| match number {
        MapNumber::Constant(_) => true,
        MapNumber::Param(position) => {
            matches!(kind(position), Some(ParamKind::Scalar(scalar)) if scalar.is_integer())
        }
    };
    let mut errors = Vec::new();
    for (number, map) in kernel.maps.iter().enumerate() {
        let base = matches!(kind(map.base), Some(ParamKind::Pointer { .. }));
        let mut axes = map.axes.iter();
        let is_numeric = axes.all(|axis| is_number(axis.extent) && is_number(axis.stride));
        let inner = map.axes.first().map(|axis| axis.stride);
        if !base || !is_numeric || inner != Some(MapNumber::Constant(1)) {
            errors.push(format!("!{number} is made of what the host does not know"));
        }
    }
    errors
}
