//! The places of shared memory: the stages of its buffers.

use super::super::super::{
    BufferId, Completion, Kernel, Op, OpKind, PipelineBarriers, Reach, Touch, ValueId,
};
use std::ops::Range;

/// The places of buffers in shared memory. A place is a stage of a buffer.
pub(super) struct Layout {
    /// The bytes of each place.
    places: Vec<Range<u32>>,
    /// The places of each buffer, as a range of indices.
    of: Vec<Range<usize>>,
    /// For each place, the places of other buffers that share bytes with it.
    pub(super) overlaps: Vec<Vec<usize>>,
    /// The pipeline barriers of the kernel.
    all_pipeline_barriers: Vec<PipelineBarriers>,
    /// For each mbarrier buffer, the circular buffers that it counts copies into.
    circular_buffers: Vec<(BufferId, BufferId)>,
}

impl Layout {
    /// Computes the places; `None` if a buffer is not allocated yet.
    pub(super) fn compute(kernel: &Kernel) -> Option<Self> {
        let (mut places, mut of): (Vec<Range<u32>>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        for buffer in &kernel.shared.buffers {
            let start = buffer.offset_bytes?;
            let bytes = buffer.bytes / buffer.stages;
            let first = places.len();
            places.extend((0..buffer.stages).map(|stage| {
                let start = start + stage * bytes;
                start..start + bytes
            }));
            of.push(first..places.len());
        }
        let meet = |a: usize, b: usize| {
            !of.iter()
                .any(|range| range.contains(&a) && range.contains(&b))
                && overlap(&places[a], &places[b])
        };
        let range = 0..places.len();
        let overlaps = range
            .clone()
            .map(|a| range.clone().filter(|&b| meet(a, b)).collect());
        let overlaps = overlaps.collect();
        Some(Self {
            places,
            of,
            overlaps,
            all_pipeline_barriers: super::super::all_pipeline_barriers(kernel),
            circular_buffers: circular_buffers(kernel),
        })
    }

    /// Returns the place of a stage of a buffer, or all places of the buffer if the stage is unknown.
    pub(super) fn places(&self, buffer: BufferId, stage: Option<u64>) -> Range<usize> {
        let range = self.of[buffer.index()].clone();
        let one = stage.and_then(|stage| usize::try_from(stage).ok());
        match one.map(|stage| range.start + stage) {
            Some(place) if place < range.end => place..place + 1,
            _ => range,
        }
    }

    /// Returns the mbarriers of the circular buffer that a place belongs to.
    pub(super) fn multistage_buffers_of(&self, place: usize) -> impl Iterator<Item = BufferId> {
        let circular_buffers = self.circular_buffers.iter();
        circular_buffers
            .filter(move |(_, circular_buffer)| self.of[circular_buffer.index()].contains(&place))
            .map(|(barriers, _)| *barriers)
    }

    /// Returns the circular buffers that mbarriers count copies into.
    pub(super) fn circular_buffers_of(&self, barriers: BufferId) -> impl Iterator<Item = BufferId> {
        let circular_buffers = self.circular_buffers.iter();
        circular_buffers
            .filter(move |(other, _)| *other == barriers)
            .map(|(_, circular_buffer)| *circular_buffer)
    }

    /// Returns the pipeline barriers whose full mbarriers these are.
    pub(super) fn pipeline_barriers(&self, barriers: BufferId) -> Option<PipelineBarriers> {
        let mut pairs = self.all_pipeline_barriers.iter();
        pairs
            .find(|pipeline_barriers| pipeline_barriers.full == barriers)
            .copied()
    }

    /// Returns the scope of the arrivals at mbarriers.
    pub(super) fn reach(&self, barriers: BufferId) -> Reach {
        let mut pairs = self.all_pipeline_barriers.iter();
        pairs
            .find(|pipeline_barriers| {
                [pipeline_barriers.full, pipeline_barriers.empty].contains(&barriers)
            })
            .map_or(Reach::Block, |pipeline_barriers| pipeline_barriers.reach)
    }

    /// Returns the number of places.
    pub(super) fn num_places(&self) -> usize {
        self.places.len()
    }

    /// Returns the bytes of consecutive places of one buffer.
    pub(super) fn bytes(&self, places: &Range<usize>) -> Range<u32> {
        self.places[places.start].start..self.places[places.end - 1].end
    }
}

/// Returns, for each copy that mbarriers count, the mbarriers and the circular buffer.
fn circular_buffers(kernel: &Kernel) -> Vec<(BufferId, BufferId)> {
    let copies = kernel.op_ids().flat_map(|id| {
        let kind = &kernel.op(id).kind;
        let writes = kind.buffers().filter(|&(_, touch)| touch == Touch::Write);
        let counted = writes.map(|(buffer, _)| match kind.row().completion {
            Completion::Mbarriers(barriers) => Some((barriers, buffer)),
            Completion::Synchronous
            | Completion::CopyGroup
            | Completion::WgmmaGroup
            | Completion::StoreGroup => None,
        });
        counted.flatten()
    });
    let mut circular_buffers: Vec<(BufferId, BufferId)> = copies.collect();
    circular_buffers.sort_unstable();
    circular_buffers.dedup();
    circular_buffers
}

/// Returns `true` if two ranges of bytes share a byte.
pub(super) fn overlap(a: &Range<u32>, b: &Range<u32>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Returns the stages of circular buffers that an operation touches.
pub(super) fn stages<'k>(
    kernel: &'k Kernel,
    op: &'k Op,
) -> impl Iterator<Item = ValueId> + use<'k> {
    let buffers = op.kind.buffers().map(|(buffer, _)| buffer);
    let of_pipelines = buffers.filter_map(move |buffer| stage(kernel, op, buffer));
    // These are the index of an mbarrier, and the parity of its phase.
    let of_barriers = match &op.kind {
        OpKind::ArriveExpectTx(_) | OpKind::TmaLoad(_) | OpKind::BulkCopy(_) => op.args.get(1..2),
        OpKind::ConsumerWait(_) | OpKind::ProducerAcquire(_) | OpKind::ProducerTail(_) => {
            op.args.get(..2)
        }
        OpKind::ConsumerRelease(_) => op.args.get(..1),
        _ => None,
    };
    of_pipelines.chain(of_barriers.unwrap_or_default().iter().copied())
}

/// Returns the stage of `buffer` that an operation touches, if the buffer is circular.
pub(super) fn stage(kernel: &Kernel, op: &Op, buffer: BufferId) -> Option<ValueId> {
    let is_multistage = |buffer: &BufferId| kernel.buffer(*buffer).stages > 1;
    if !is_multistage(&buffer) {
        return None;
    }
    match &op.kind {
        OpKind::CopyAsync(_) | OpKind::TmaLoad(_) | OpKind::BulkCopy(_) => op.args.get(1).copied(),
        OpKind::LoadShared(_) | OpKind::LoadMatrix(_) => op.args.first().copied(),
        OpKind::LoadSlice(_) => op.args.last().copied(),
        OpKind::MmaLoop(mma) => {
            let before = mma.buffers().filter(is_multistage);
            let index = before.take_while(|&other| other != buffer).count();
            op.args.get(1 + index).copied()
        }
        OpKind::Wgmma(mma) => {
            let before = mma.buffers().filter(is_multistage);
            let index = before.take_while(|&other| other != buffer).count();
            op.args.get(mma.values() + index).copied()
        }
        OpKind::TransposeShared(matrix) => {
            let [from, to] = matrix.stages(kernel, op);
            if buffer == matrix.from { from } else { to }
        }
        _ => None,
    }
}
