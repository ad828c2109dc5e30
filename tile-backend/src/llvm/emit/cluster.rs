//! Emits TMA multicast in clusters of two blocks.
//!
//! In: TMA loads, consumer releases and barriers with cluster reach. Out: code that works for a cluster of
//! two blocks and for a cluster of one. It reads the actual cluster size from the hardware.

use inkwell::IntPredicate;
use inkwell::types::BasicType;
use inkwell::values::IntValue;

use super::Emitter;
use super::code::AsmEffect;
use super::tma_load::{BegunCopy, BoxPart, Scope};
use crate::gpu::{BARRIER_BYTES, Op, PipelineBarriers, Reach, ValueId, all_pipeline_barriers};
use crate::llvm::intrinsics::Intrinsic;

/// The mask of the ranks of both blocks of a cluster.
const BOTH: u16 = 0b11;

impl<'ctx> Emitter<'_, 'ctx> {
    /// Returns the number of blocks of the cluster: one or two.
    pub(super) fn cluster_size(&self) -> IntValue<'ctx> {
        self.code.nvvm(Intrinsic::ClusterSize, &[])[0].into_int_value()
    }

    /// Emits a barrier across all threads of the cluster, with release and acquire semantics.
    pub(super) fn cluster_barrier(&self) {
        self.code.nvvm(Intrinsic::ClusterArrive, &[]);
        self.code.nvvm(Intrinsic::ClusterWait, &[]);
    }

    /// Returns the scope of the ordering between the reads of a stage and the wait for its release.
    ///
    /// An MMA has read its operands before its warp continues, so these reads need no further ordering. If
    /// threads read or write the stage themselves, the scope is the cluster. For that scope, ptxas emits a
    /// fence of all memory before each arrival (`MEMBAR.ALL.GPU`), and invalidates L1 after each wait
    /// (`CCTL.IVALL`).
    fn scope(&self, pipeline_barriers: PipelineBarriers) -> Scope {
        if pipeline_barriers.reach == Reach::Block || self.is_read_by_warps(pipeline_barriers) {
            Scope::Block
        } else {
            Scope::Cluster
        }
    }

    pub(super) fn producer_acquire(&self, op: &Op, pipeline_barriers: PipelineBarriers) {
        let [stage, parity] = [0, 1].map(|index| self.int(op.args[index]));
        self.wait_phase(
            pipeline_barriers.empty,
            stage,
            parity,
            self.scope(pipeline_barriers),
        );
    }

    /// Waits until all stages are released, if other blocks of the cluster release them.
    pub(super) fn producer_tail(&self, op: &Op, pipeline_barriers: PipelineBarriers) {
        if pipeline_barriers.reach == Reach::Block {
            return;
        }
        let code = &self.code;
        let [next, parity] = [0, 1].map(|index| self.int(op.args[index]));
        let before = code.sub(code.i32(1), parity);
        let stages = self.kernel.buffer(pipeline_barriers.full).bytes / BARRIER_BYTES;
        for stage in (0..stages).map(|stage| code.i32(stage)) {
            // Stages before `next` were last filled in the same round as `next`, the other stages in the
            // previous round.
            let is_of_round = code.compare(IntPredicate::ULT, stage, next);
            let parity = code.select(is_of_round, parity, before).into_int_value();
            self.wait_phase(
                pipeline_barriers.empty,
                stage,
                parity,
                self.scope(pipeline_barriers),
            );
        }
    }

    /// Computes, for each circular buffer with cluster reach, the address of the mbarriers at which a lane
    /// arrives.
    pub(super) fn prepare_arrivals(&mut self) {
        for pipeline_barriers in all_pipeline_barriers(self.kernel) {
            if pipeline_barriers.reach == Reach::Cluster {
                let first = self.first_arrival(pipeline_barriers);
                self.arrivals.insert(pipeline_barriers.empty, first);
            }
        }
    }

    /// Returns the address of the first mbarrier of a circular buffer, in the block at which the lane
    /// arrives.
    pub(super) fn first_arrival(&self, pipeline_barriers: PipelineBarriers) -> IntValue<'ctx> {
        let code = &self.code;
        let (lane, size) = (self.thread.lane, self.cluster_size());
        // The cluster size is a power of two, so the mask yields a valid rank even for lanes that do not
        // arrive.
        let block = code.and(lane, code.sub(size, code.i32(1)));
        let number = code.cx.i32_type().as_basic_type_enum();
        let first = self.buffer_start(pipeline_barriers.empty);
        let text = "mapa.shared::cluster.u32 $0, $1, $2;";
        let args = [first.into(), block.into()];
        let there = code.asm(text, "=r,r,r", &[number], &args, AsmEffect::None)[0];
        there.into_int_value()
    }

    /// Arrives at each block of the cluster; one lane of each warp arrives per block. No arrival reaches a
    /// block that has exited, since each block waits for the last releases. None reaches a block too early,
    /// since nothing is released before the loop.
    pub(super) fn consumer_release_cluster(
        &self,
        pipeline_barriers: PipelineBarriers,
        stage: ValueId,
    ) {
        let barrier = self.arrival_of(pipeline_barriers, stage);
        let code = &self.code;
        let is_one = code.compare(IntPredicate::ULT, self.thread.lane, self.cluster_size());
        let order = match self.scope(pipeline_barriers) {
            Scope::Block => "",
            Scope::Cluster => ".release.cluster",
        };
        let text = format!("@$0 mbarrier.arrive{order}.shared::cluster.b64 _, [$1];");
        let args = [is_one.into(), barrier.into()];
        code.asm(&text, "b,r", &[], &args, AsmEffect::Memory);
    }

    /// Multicasts this block's half of the boxes to both blocks. In a cluster of one, loads all boxes into
    /// this block.
    pub(super) fn multicast_load(&mut self, copy: &BegunCopy<'ctx>, parts: &[BoxPart<'ctx>]) {
        let one = self.code.i32(1);
        let is_alone = self
            .code
            .compare(IntPredicate::EQ, self.cluster_size(), one);
        let has_two = self.code.not(is_alone);
        let (first, second) = parts.split_at(parts.len() / 2);
        self.only_if(Some(has_two), |emitter| {
            let code = &emitter.code;
            let rank = code.nvvm(Intrinsic::ClusterRank, &[])[0].into_int_value();
            let is_first = code.compare(IntPredicate::EQ, rank, code.i32(0));
            let pick = |first, second| code.select(is_first, first, second).into_int_value();
            for (first, second) in first.iter().zip(second) {
                let corners = first.corner.iter().zip(&second.corner);
                let part = BoxPart {
                    start: pick(first.start, second.start),
                    corner: corners
                        .map(|(&first, &second)| pick(first, second))
                        .collect(),
                };
                emitter.copy_box(copy, &part, Some(BOTH));
            }
        });
        self.only_if(Some(is_alone), |emitter| {
            for part in parts {
                emitter.copy_box(copy, part, None);
            }
        });
    }
}
