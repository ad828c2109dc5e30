//! Warps that do nothing but begin copies.
//!
//! In: the program of the producer, and the slots that are handed to and fro. Out: a branch by the number
//! of the warpgroup; behind it named barriers for those that go on, and registers moved from producers,
//! which need few, to them (`setmaxnreg`).
//!
//! `setmaxnreg` is for whole warpgroups, so that producers are one, though one warp of it has work. Of that
//! warp one lane has it, which `elect.sync` chooses: ptxas then knows that addresses and coordinates are
//! of one thread, and does not go through the threads in a loop for each copy.

use super::{Emitter, Result};
use crate::gpu::{BlockId, BufferId, Kernel, Op, OpKind, PipelineBarriers, Reach};
use crate::llvm::emit::code::AsmEffect;
use crate::llvm::intrinsics::Intrinsic;
use crate::resources::warpgroup_registers;
use inkwell::IntPredicate;

/// The barrier of the threads that go on; 0 is that of all.
const OTHERS: u32 = 1;

impl Emitter<'_, '_> {
    /// All threads wait for each other, or all that are left.
    pub(super) fn barrier(&self) {
        let code = &self.code;
        if self.has_producer_warps {
            let threads = code.i32(32 * self.kernel.num_warps);
            let args = [code.i32(OTHERS).into(), threads.into()];
            code.nvvm(Intrinsic::BarrierThreads, &args);
        } else {
            code.nvvm(Intrinsic::BarrierBlock, &[code.i32(0).into()]);
        }
    }

    pub(super) fn warp_specialize(&mut self, op: &Op) -> Result<()> {
        self.barrier();
        let code = &self.code;
        let consumers = code.i32(self.kernel.num_warps);
        // Of which the compiler knows that a warp has one.
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
        // It is the first thread of what it does.
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

    /// Whether all that reads the rings of a pair of barriers is done for whole warps, as products are. Behind a
    /// transposition, which has stored what it read, there is a barrier before its product.
    pub(super) fn is_read_by_warps(&self, pipeline_barriers: PipelineBarriers) -> bool {
        let kernel = self.kernel;
        let ops = all(kernel, kernel.body());
        let copies = ops.iter().filter_map(|kind| match kind {
            OpKind::TmaLoad(copy) if copy.barriers == pipeline_barriers.full => Some(copy.buffer),
            _ => None,
        });
        let circular_buffers: Vec<BufferId> = copies.collect();
        ops.iter().all(|kind| {
            let mut touched = crate::passes::touched(kind).into_iter();
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

    /// One lane of each warp arrives, once all have read.
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

/// What stands in a block and those inside.
fn all(kernel: &Kernel, block: BlockId) -> Vec<&OpKind> {
    let ops = kernel.block(block).ops.iter().map(|&id| kernel.op(id));
    ops.flat_map(|op| {
        let inner = op.blocks.iter().flat_map(|&inner| all(kernel, inner));
        std::iter::once(&op.kind).chain(inner)
    })
    .collect()
}
