//! Emits warp specialization: producer warps that issue copies, and consumer warps.
//!
//! In: the producer's program, and the pipeline barriers of stages. Out: a branch on the number of the warp.
//! After the branch, consumers synchronize by a named barrier, and registers are moved from the producers,
//! which need few, to the consumers (`setmaxnreg`).
//!
//! `setmaxnreg` applies to a whole warpgroup, so the producers form a warpgroup, although only one of its
//! warps works. Only one lane of that warp is active, chosen by `elect.sync`. ptxas then knows that a single
//! thread issues each copy, and does not loop over the threads.

use super::{Emitter, Result};
use crate::gpu::{BlockId, BufferId, Kernel, Op, OpKind, PipelineBarriers, Reach};
use crate::llvm::emit::code::AsmEffect;
use crate::llvm::intrinsics::Intrinsic;
use crate::schedule::warpgroup_registers;
use inkwell::IntPredicate;

/// The named barrier of the consumers; barrier 0 is that of all threads.
const OTHERS: u32 = 1;

impl Emitter<'_, '_> {
    /// Emits a barrier of all threads of the block, or, after the branch, of all consumers.
    pub(super) fn barrier(&self) {
        let code = &self.code;
        if self.has_producer_warps {
            let threads = code.i32(32 * self.kernel.launch.num_warps);
            let args = [code.i32(OTHERS).into(), threads.into()];
            code.nvvm(Intrinsic::BarrierThreads, &args);
        } else {
            code.nvvm(Intrinsic::BarrierBlock, &[code.i32(0).into()]);
        }
    }

    pub(super) fn warp_specialize(&mut self, op: &Op) -> Result<()> {
        self.barrier();
        let code = &self.code;
        let consumers = code.i32(self.kernel.launch.num_warps);
        // The shuffle tells the compiler that the value is uniform in a warp.
        let args = [
            code.i32(u32::MAX),
            self.thread.warp,
            code.i32(0),
            code.i32(31),
        ];
        let warp = code.nvvm(Intrinsic::ShuffleIndexI32, &args.map(Into::into))[0].into_int_value();
        let others = code.new_block("others");
        let producers = code.new_block("producers");
        let elect = code.new_block("elect");
        let produce = code.new_block("produce");
        let idle = code.new_block("idle");
        let is_other = code.compare(IntPredicate::ULT, warp, consumers);
        code.branch(is_other, others, producers);

        code.builder.position_at_end(producers);
        let registers = warpgroup_registers(self.kernel, self.arch);
        if let Some(registers) = registers {
            self.set_registers("dec", registers.producer);
        }
        let code = &self.code;
        let first = code.compare(IntPredicate::EQ, warp, consumers);
        code.branch(first, elect, idle);
        code.builder.position_at_end(elect);
        let is_elected = code.nvvm(Intrinsic::Elect, &[code.i32(u32::MAX).into()])[1];
        code.branch(is_elected.into_int_value(), produce, idle);
        code.builder.position_at_end(idle);
        code.finish();
        code.builder.position_at_end(produce);
        let saved_thread = self.thread;
        // The elected thread acts as the first thread of the block.
        (self.thread.warp, self.thread.lane) = (code.i32(0), code.i32(0));
        if let super::control::End::Yield(_) = self.block(op.blocks[0])? {
            self.code.finish();
        }
        self.thread = saved_thread;

        self.code.builder.position_at_end(others);
        if let Some(registers) = registers {
            self.set_registers("inc", registers.consumer);
        }
        self.has_producer_warps = true;
        self.prepare_descriptors();
        self.prepare_arrivals();
        Ok(())
    }

    /// Returns `true` if every reader of the circular buffers of `pipeline_barriers` reads as a whole warp,
    /// as MMAs do. A transposition counts too: it has read the stage and stored the result before the barrier
    /// that precedes its MMA.
    pub(super) fn is_read_by_warps(&self, pipeline_barriers: PipelineBarriers) -> bool {
        let kernel = self.kernel;
        let ops = nested_ops(kernel, kernel.body());
        let copies = ops.iter().filter_map(|kind| match kind {
            OpKind::TmaLoad(copy) if copy.barriers == pipeline_barriers.full => Some(copy.buffer),
            _ => None,
        });
        let circular_buffers: Vec<BufferId> = copies.collect();
        ops.iter().all(|kind| {
            let mut touched = kind.buffers();
            let is_match = matches!(
                kind,
                OpKind::Wgmma(_) | OpKind::TransposeShared(_) | OpKind::TmaLoad(_)
            );
            is_match || !touched.any(|(buffer, _)| circular_buffers.contains(&buffer))
        })
    }

    fn set_registers(&self, direction: &str, registers: u32) {
        let text = format!("setmaxnreg.{direction}.sync.aligned.u32 {registers};");
        self.code.asm(&text, "", &[], &[], AsmEffect::Memory);
    }

    /// Emits the arrival of one lane of each warp, after all lanes have read the stage.
    pub(super) fn consumer_release(&self, op: &Op, pipeline_barriers: PipelineBarriers) {
        let code = &self.code;
        if !self.is_read_by_warps(pipeline_barriers) {
            code.nvvm(Intrinsic::BarrierWarp, &[code.i32(u32::MAX).into()]);
        }
        if pipeline_barriers.reach == Reach::Cluster {
            self.consumer_release_cluster(pipeline_barriers, op.args[0]);
            return;
        }
        let lane = code.compare(IntPredicate::EQ, self.thread.lane, code.i32(0));
        let barrier = self.arrival_of(pipeline_barriers, op.args[0]);
        let text = "@$0 mbarrier.arrive.shared::cta.b64 _, [$1];";
        let args = [lane.into(), barrier.into()];
        code.asm(text, "b,r", &[], &args, AsmEffect::Memory);
    }
}

/// Returns the operations of a block and of its nested blocks.
fn nested_ops(kernel: &Kernel, block: BlockId) -> Vec<&OpKind> {
    let ops = kernel.block(block).ops.iter().map(|&id| kernel.op(id));
    ops.flat_map(|op| {
        let inner = op
            .blocks
            .iter()
            .flat_map(|&inner| nested_ops(kernel, inner));
        std::iter::once(&op.kind).chain(inner)
    })
    .collect()
}
