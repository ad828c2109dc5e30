//! Which tiles come as copies that a barrier counts: of tensors, by hardware that knows the tensor, begun by one
//! thread, or of rows ([`bulk`](super::bulk)), begun by one warp.
//!
//! A tile can if the host knows its tensor, and its buffer is filled by boxes. A buffer that is not, since
//! its rows are longer than boxes permute, gets panels in place of rows if all that reads it can.

use super::CopyMethod;
use super::bulk::rows;
use super::candidates::{Candidate, Plan};
use crate::gpu::{
    Access, AsyncCopy, BARRIER_BYTES, BlockId, Buffer, BufferId, BulkCopy, Copied, GlobalTile,
    Kernel, MAX_EXPECTED_BYTES, OpKind, Reach, TensorMap, TmaLoad, ValueId,
};
use crate::layout::{Axis, Boxes, LinearLayout, atom_layout, ldmatrix_plan};
use tile_core::Scalar;

/// Slots of a ring whose phases the verifier follows.
const MAX_STAGES: u32 = 16;

/// What strides, and the first element, of a tensor are multiples of.
const ALIGN_BYTES: u64 = 16;

/// How a buffer is filled.
#[derive(Clone, Debug)]
pub(super) enum Fill {
    /// By all threads.
    CpAsync(AsyncCopy),
    /// By one.
    Tma(TmaLoad),
    /// By one warp.
    Bulk(BulkCopy),
}

/// How the buffers of a plan are filled.
#[derive(Clone, Debug)]
pub(super) struct Fills {
    /// Of each candidate.
    pub(super) of: Vec<Vec<Fill>>,
    /// A barrier per slot, and the bytes that copies of tensors bring into a slot, if barriers count any.
    pub(super) barriers: Option<(BufferId, u32)>,
}

/// A copy that a barrier counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountedCopy {
    Tma,
    Bulk,
}

impl Fills {
    /// By `copy_method`, for rings of `stages`.
    pub(super) fn choose(
        kernel: &mut Kernel,
        body: BlockId,
        plan: &Plan,
        stages: u32,
        copy_method: CopyMethod,
    ) -> Self {
        match copy_method {
            CopyMethod::CpAsync => Self::with_cp_async(plan),
            CopyMethod::Bulk => Self::counted(kernel, body, plan, stages, &[CountedCopy::Bulk]),
            CopyMethod::Tma => Self::counted(
                kernel,
                body,
                plan,
                stages,
                &[CountedCopy::Tma, CountedCopy::Bulk],
            ),
        }
    }

    /// By all threads.
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

    /// By one thread as far as that is possible, for rings of `stages`.
    pub(super) fn with_tma(kernel: &mut Kernel, body: BlockId, plan: &Plan, stages: u32) -> Self {
        Self::counted(kernel, body, plan, stages, &[CountedCopy::Tma])
    }

    /// By the first of these ways that is possible, else by all threads.
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
        if total == 0 {
            kernel.buffers.truncate(barriers.index());
        }
        Self {
            of,
            barriers: (total > 0).then_some((barriers, of_tensors)),
        }
    }

    /// Whether any buffer is filled by all threads.
    pub(super) fn has_threads(&self) -> bool {
        let mut all_fills = self.of.iter().flatten();
        all_fills.any(|fill| matches!(fill, Fill::CpAsync(_)))
    }

    /// Each with what it is of.
    pub(super) fn with_candidates<'f>(
        &'f self,
        plan: &'f Plan,
    ) -> impl Iterator<Item = (&'f Candidate, &'f Fill)> {
        let pairs = plan.candidates.iter().zip(&self.of);
        pairs.flat_map(|(candidate, fills)| fills.iter().map(move |fill| (candidate, fill)))
    }

    /// The plan, of which these bring the padding that they can.
    pub(super) fn padded(&self, mut plan: Plan) -> Plan {
        for (candidate, fills) in plan.candidates.iter_mut().zip(&self.of) {
            candidate.is_padded = fills.iter().all(|fill| matches!(fill, Fill::Bulk(_)));
        }
        plan
    }
}

/// A buffer for a barrier per slot.
pub(super) fn add_barriers(kernel: &mut Kernel, stages: u32) -> BufferId {
    kernel.add_buffer(Buffer {
        element: Scalar::I64,
        bytes: stages * BARRIER_BYTES,
        stages: 1,
        align_bytes: BARRIER_BYTES,
        layout: None,
        offset_bytes: None,
    })
}

/// A copy of a tensor in place of `copy`, in so many boxes at most, and its bytes.
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
    // Another padding is put there once it was read.
    let padding = tile.padding;
    let tile = &GlobalTile {
        padding,
        ..loaded.clone()
    };
    let element_bytes = tile.element.bytes() as u64;
    let is_aligned = tile.vector_elements * element_bytes >= ALIGN_BYTES;
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
    let buffer = &mut kernel.buffers[copy.buffer.index()];
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

/// The most boxes that a tile comes in: as many as each thread would copy vectors. Only tensor cores would wait
/// for what threads do besides; a loop without them is made of nothing else:
///
/// ```text
///   a row of 1024 bf16    16 boxes of a line, 355 instructions an iteration    a vector, 33
///   64 rows of 64         1 box                                                4 vectors
/// ```
fn max_boxes(kernel: &Kernel, plan: &Plan, copy: &AsyncCopy) -> usize {
    if plan.has_mma {
        return usize::MAX;
    }
    copy.from.vectors(kernel.layout(copy.layout)).groups.len()
}

/// Whether all that reads a buffer, or another with the same elements, also reads it in `layout`.
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
            ref kind => {
                let touched = crate::passes::touched(kind);
                !touched.iter().any(|&(other, _)| is_match(other))
            }
        };
        let inner = op.blocks.iter();
        can && { inner }.all(|&block| can_read(kernel, block, candidate, buffer, layout))
    })
}

/// The operands of a load that say which tile it is.
pub(super) fn indices(tile: &GlobalTile, place: &[ValueId]) -> Vec<ValueId> {
    let axes = (0..tile.axes.len()).map(Axis);
    axes.map(|axis| place[1 + 3 * axis.0]).collect()
}
