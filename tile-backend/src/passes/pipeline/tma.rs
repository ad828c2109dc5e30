//! Chooses the copies whose bytes mbarriers count: TMA loads, issued by one thread, and bulk copies of rows
//! ([`bulk`](super::bulk)), issued by one warp.
//!
//! A tile can be loaded by TMA if the host knows its tensor and boxes fill its buffer. A buffer whose rows
//! are longer than a swizzle atom is laid out in swizzle atoms instead of rows, if all of its readers accept
//! that layout.

use super::bulk::rows;
use super::candidates::{Candidate, Plan};
use crate::gpu::{
    Access, AsyncCopy, BARRIER_BYTES, BlockId, Buffer, BufferId, BulkCopy, Copied, GlobalTile,
    Kernel, MAX_EXPECTED_BYTES, OpKind, Reach, TensorMap, TmaLoad, ValueId,
};
use crate::layout::{Axis, Boxes, LinearLayout, atom_layout, ldmatrix_plan};
use crate::schedule::CopyMethods;
use tile_core::Scalar;

/// Maximum number of stages whose phases the verifier follows.
const MAX_STAGES: u32 = 16;

/// Alignment of the strides and of the first element of a tensor.
const ALIGN_BYTES: u64 = 16;

/// A copy that fills a buffer.
#[derive(Clone, Debug)]
pub(super) enum Fill {
    /// All threads copy, by `cp.async`.
    CpAsync(AsyncCopy),
    /// One thread issues a TMA load.
    Tma(TmaLoad),
    /// One warp issues bulk copies.
    Bulk(BulkCopy),
}

/// The copies that fill the buffers of a plan.
#[derive(Clone, Debug)]
pub(super) struct Fills {
    /// The copies of each candidate.
    pub(super) of: Vec<Vec<Fill>>,
    /// The mbarriers, one per stage, and the bytes of TMA loads per stage; `None` if no bytes are counted.
    pub(super) barriers: Option<(BufferId, u32)>,
}

/// A copy whose bytes mbarriers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountedCopy {
    Tma,
    Bulk,
}

impl Fills {
    /// Chooses copies of these kinds where possible, for circular buffers of `stages`.
    pub(super) fn choose(
        kernel: &mut Kernel,
        body: BlockId,
        plan: &Plan,
        stages: u32,
        copies: CopyMethods,
    ) -> Self {
        let ways = [
            copies.tma.then_some(CountedCopy::Tma),
            copies.bulk.then_some(CountedCopy::Bulk),
        ];
        let ways: Vec<CountedCopy> = ways.into_iter().flatten().collect();
        if ways.is_empty() {
            return Self::with_cp_async(plan);
        }
        Self::counted(kernel, body, plan, stages, &ways)
    }

    /// Returns copies by all threads for all buffers.
    fn with_cp_async(plan: &Plan) -> Self {
        let candidates = plan.candidates.iter();
        let of = candidates.map(|candidate| {
            let copies = candidate.copies.iter();
            copies.cloned().map(Fill::CpAsync).collect()
        });
        Self {
            of: of.collect(),
            barriers: None,
        }
    }

    /// Chooses for each copy the first of `ways` that is possible, otherwise a copy by all threads.
    fn counted(
        kernel: &mut Kernel,
        body: BlockId,
        plan: &Plan,
        stages: u32,
        ways: &[CountedCopy],
    ) -> Self {
        if stages > MAX_STAGES {
            return Self::with_cp_async(plan);
        }
        let barriers = add_barriers(kernel, stages);
        let (mut total, mut of_tensors) = (0, 0);
        let mut of = Vec::new();
        for candidate in &plan.candidates {
            let mut fills = Vec::new();
            for copy in &candidate.copies {
                let fill = ways.iter().find_map(|way| match way {
                    CountedCopy::Tma => {
                        let most = max_boxes(kernel, plan, copy);
                        let fill = tensor(kernel, body, candidate, copy, (barriers, most));
                        fill.map(|(fill, bytes)| (Fill::Tma(fill), bytes))
                    }
                    CountedCopy::Bulk => {
                        let fill = rows(kernel, body, (plan, candidate), copy, barriers);
                        fill.map(|(fill, bytes)| (Fill::Bulk(fill), bytes))
                    }
                });
                // The bytes that a phase can count are limited, so copies beyond the limit are left to
                // threads.
                fills.push(match fill {
                    Some((fill, bytes)) if total + bytes <= u64::from(MAX_EXPECTED_BYTES) => {
                        total += bytes;
                        if let Fill::Tma(_) = fill {
                            of_tensors += bytes;
                        }
                        fill
                    }
                    _ => Fill::CpAsync(copy.clone()),
                });
            }
            of.push(fills);
        }
        let of_tensors = u32::try_from(of_tensors).expect("a barrier counts it");
        // The buffer of the mbarriers is removed again if no bytes are counted. It was added last, so no
        // other buffer changes its index.
        if total == 0 {
            kernel.shared.buffers.truncate(barriers.index());
        }
        Self {
            of,
            barriers: (total > 0).then_some((barriers, of_tensors)),
        }
    }

    /// Returns `true` if all threads fill some buffer.
    pub(super) fn has_threads(&self) -> bool {
        let mut all_fills = self.of.iter().flatten();
        all_fills.any(|fill| matches!(fill, Fill::CpAsync(_)))
    }

    /// Returns each copy with its candidate.
    pub(super) fn with_candidates<'f>(
        &'f self,
        plan: &'f Plan,
    ) -> impl Iterator<Item = (&'f Candidate, &'f Fill)> {
        let pairs = plan.candidates.iter().zip(&self.of);
        pairs.flat_map(|(candidate, fills)| fills.iter().map(move |fill| (candidate, fill)))
    }

    /// Returns the plan, with candidates marked as padded if their copies can write any padding.
    pub(super) fn padded(&self, mut plan: Plan) -> Plan {
        for (candidate, fills) in plan.candidates.iter_mut().zip(&self.of) {
            candidate.is_padded = fills.iter().all(|fill| matches!(fill, Fill::Bulk(_)));
        }
        plan
    }
}

/// Adds a buffer with one mbarrier per stage.
pub(super) fn add_barriers(kernel: &mut Kernel, stages: u32) -> BufferId {
    kernel.add_buffer(Buffer::new(
        Scalar::I64,
        u64::from(stages * BARRIER_BYTES),
        BARRIER_BYTES,
        None,
    ))
}

/// Returns a TMA load that replaces `copy`, in at most `most` boxes, and the bytes that it copies.
fn tensor(
    kernel: &mut Kernel,
    body: BlockId,
    candidate: &Candidate,
    copy: &AsyncCopy,
    (barriers, max_boxes): (BufferId, usize),
) -> Option<(TmaLoad, u64)> {
    let Copied::Tile(tile) = &copy.from else {
        return None;
    };
    let OpKind::LoadGlobal(loaded) = &kernel.op(candidate.load).kind else {
        unreachable!("{tile:?} is loaded by its position");
    };
    // TMA pads with zeros; other padding is applied when the buffer is read.
    let padding = tile.padding;
    let tile = &GlobalTile {
        padding,
        ..loaded.clone()
    };
    let element_bytes = tile.element.bytes() as u64;
    let is_aligned = tile.vector_elements * element_bytes >= ALIGN_BYTES;
    // The base and the strides must be multiples of 16 bytes (CUDA driver API, `cuTensorMapEncodeTiled`), and
    // TMA reads through a proxy that does not see the writes of threads without a fence.
    if !is_aligned || tile.access != Access::Read {
        return None;
    }
    let contiguous = tile.contiguous?;
    let memory = kernel.layout(kernel.buffer(copy.buffer).layout?);
    let (layout, boxes) = if let Some(boxes) = Boxes::from_layout(memory, contiguous, element_bytes)
    {
        (None, boxes)
    } else {
        let atoms = atom_layout(memory.shape(), contiguous, element_bytes);
        let boxes = Boxes::from_layout(&atoms, contiguous, element_bytes)?;
        if !can_read(kernel, body, candidate, copy.buffer, &atoms) {
            return None;
        }
        (Some(atoms), boxes)
    };
    if boxes.starts.len() > max_boxes {
        return None;
    }
    let map = TensorMap::from_tile(kernel, tile, &candidate.place, &boxes)?;
    let map = kernel.add_map(map);
    let layout = layout.map(|layout| kernel.add_layout(layout));
    let buffer = &mut kernel.shared.buffers[copy.buffer.index()];
    buffer.layout = layout.or(buffer.layout);
    let align = u32::try_from(boxes.swizzle.align_bytes()).expect("small");
    buffer.align_bytes = buffer.align_bytes.max(align);
    let tma_load = TmaLoad {
        map,
        tile: tile.clone(),
        buffer: copy.buffer,
        barriers,
        is_prefetch: false,
        reach: Reach::Block,
    };
    Some((tma_load, boxes.total_bytes()))
}

/// Returns the maximum number of boxes of a tile: the number of vectors that each thread would copy instead.
/// Only MMAs can hide the instructions that issue boxes; a loop without MMAs spends most of its instructions
/// on them:
///
/// ```text
///   a row of 1024 bf16    16 boxes of a line, 355 instructions per iteration    one vector, 33
///   64 rows of 64         1 box                                                 4 vectors
/// ```
fn max_boxes(kernel: &Kernel, plan: &Plan, copy: &AsyncCopy) -> usize {
    if plan.has_mma {
        return usize::MAX;
    }
    copy.from.vectors(kernel.layout(copy.layout)).groups.len()
}

/// Returns `true` if all readers of a buffer, or of another buffer with the same contents, also accept
/// `layout`.
pub(super) fn can_read(
    kernel: &Kernel,
    body: BlockId,
    candidate: &Candidate,
    buffer: BufferId,
    layout: &LinearLayout,
) -> bool {
    let is_match = |other: BufferId| {
        let mut same = candidate.same.iter();
        other == buffer || same.any(|&(instead, of)| instead == other && of == buffer)
    };
    kernel.block(body).ops.iter().all(|&id| {
        let op = kernel.op(id);
        let can = match op.kind {
            OpKind::LoadMatrix(other) if is_match(other) => {
                let bits = u32::try_from(kernel.buffer(other).element.bytes() * 8);
                let registers = kernel.layout_of(op.results[0]);
                bits.is_ok_and(|bits| ldmatrix_plan(registers, layout, bits).is_some())
            }
            OpKind::StoreShared(_) | OpKind::LoadShared(_) | OpKind::MmaLoop(_) => true,
            ref kind => !kind.buffers().any(|(other, _)| is_match(other)),
        };
        let inner = op.blocks.iter();
        can && { inner }.all(|&block| can_read(kernel, block, candidate, buffer, layout))
    })
}

/// Returns the operands of a load that are its tile indices.
pub(super) fn indices(tile: &GlobalTile, place: &[ValueId]) -> Vec<ValueId> {
    let axes = (0..tile.axes.len()).map(Axis);
    axes.map(|axis| place[1 + 3 * axis.0]).collect()
}
