//! Steps over the operations by which a producer and its consumers hand over the stages of a circular buffer.

use super::super::super::super::{
    BARRIER_BYTES, ExpectTx, Kernel, Op, OpKind, PipelineBarriers, TmaLoad,
};
use super::super::super::described;
use super::super::places::{Layout, overlap};
use super::State;

impl State {
    /// Steps over an operation of pipeline barriers. Returns its errors, or `None` if the operation is
    /// another one.
    pub(super) fn hand_over(
        &mut self,
        kernel: &Kernel,
        layout: &Layout,
        op: &Op,
    ) -> Option<Vec<String>> {
        Some(match &op.kind {
            OpKind::ProducerAcquire(barriers) => self.producer_acquire(kernel, op, *barriers),
            OpKind::ProducerTail(barriers) => self.producer_tail(kernel, op, *barriers),
            OpKind::ConsumerRelease(barriers) => {
                self.consumer_release(kernel, layout, op, *barriers)
            }
            OpKind::ArriveExpectTx(expected) => {
                let barriers = layout.pipeline_barriers(expected.barriers)?;
                self.producer_expect(op, barriers, *expected)
            }
            OpKind::TmaLoad(copy) => {
                let barriers = layout.pipeline_barriers(copy.barriers)?;
                self.producer_copy(kernel, op, barriers, copy)
            }
            OpKind::ConsumerWait(barriers) => {
                let barriers = layout.pipeline_barriers(*barriers)?;
                self.consumer_wait(kernel, layout, op, barriers)
            }
            _ => return None,
        })
    }

    /// The producer waits for a free stage. The wait names the parity of the previous round, in which
    /// consumers release the stage.
    fn producer_acquire(
        &mut self,
        kernel: &Kernel,
        op: &Op,
        barriers: PipelineBarriers,
    ) -> Vec<String> {
        let (stage, parity) = (self.operand(op, 0), self.operand(op, 1));
        let mut errors = self.phases.demand(barriers.empty);
        let count = num_stages(kernel, barriers);
        errors.extend(self.stage_cursors.take(barriers, count, stage, parity));
        errors
    }

    /// The producer waits until all stages are free.
    fn producer_tail(
        &mut self,
        kernel: &Kernel,
        op: &Op,
        barriers: PipelineBarriers,
    ) -> Vec<String> {
        let (stage, parity) = (self.operand(op, 0), self.operand(op, 1));
        let count = num_stages(kernel, barriers);
        let error = self.stage_cursors.end(barriers, count, stage, parity);
        error.into_iter().collect()
    }

    /// The producer tells the mbarrier of a stage how many bytes its copies bring.
    fn producer_expect(
        &mut self,
        op: &Op,
        barriers: PipelineBarriers,
        expected: ExpectTx,
    ) -> Vec<String> {
        let stage = self.operand(op, 1);
        let mut errors = self.phases.demand(expected.barriers);
        errors.extend(self.stage_cursors.expect(barriers, expected.bytes, stage));
        errors
    }

    /// The producer issues a copy into a stage.
    fn producer_copy(
        &mut self,
        kernel: &Kernel,
        op: &Op,
        barriers: PipelineBarriers,
        copy: &TmaLoad,
    ) -> Vec<String> {
        let stage = self.operand(op, 1);
        let bytes = copy.boxes(kernel).map_or(0, |boxes| boxes.total_bytes());
        let error = self.stage_cursors.copy(barriers, bytes, stage);
        error.into_iter().collect()
    }

    /// Consumers wait for the copies into a stage. Its bytes are valid from here until the release.
    fn consumer_wait(
        &mut self,
        kernel: &Kernel,
        layout: &Layout,
        op: &Op,
        barriers: PipelineBarriers,
    ) -> Vec<String> {
        let (stage, parity) = (self.operand(op, 0), self.operand(op, 1));
        let mut errors = self.phases.demand(barriers.full);
        let count = num_stages(kernel, barriers);
        errors.extend(self.stage_cursors.wait(barriers, count, stage, parity));
        for circular_buffer in layout.circular_buffers_of(barriers.full) {
            let places = layout.places(circular_buffer, stage);
            self.filled[places].fill(stage.is_some());
        }
        errors
    }

    /// Consumers release a stage, which the producer may overwrite from here on.
    fn consumer_release(
        &mut self,
        kernel: &Kernel,
        layout: &Layout,
        op: &Op,
        barriers: PipelineBarriers,
    ) -> Vec<String> {
        let stage = self.operand(op, 0);
        // An arrival at the extra barrier after the last stage releases nothing.
        if stage == Some(num_stages(kernel, barriers)) {
            return Vec::new();
        }
        let mut errors = self.phases.demand(barriers.empty);
        errors.extend(self.stage_cursors.free(barriers, stage));
        for circular_buffer in layout.circular_buffers_of(barriers.full) {
            let places = layout.places(circular_buffer, stage);
            let bytes = layout.bytes(&places);
            // An in-flight MMA still reads the stage: if it were released now, the producer could overwrite
            // it.
            let in_flight = self.in_flight.iter();
            let reads = in_flight.filter(|in_flight| overlap(&in_flight.read.bytes, &bytes));
            errors.extend(reads.map(|in_flight| {
                format!(
                    "{} may still read the stage: a wait for it is missing",
                    described(kernel, in_flight.read.op)
                )
            }));
            self.filled[places].fill(false);
        }
        errors
    }
}

/// Returns the number of stages that pipeline barriers hand over.
fn num_stages(kernel: &Kernel, barriers: PipelineBarriers) -> u64 {
    u64::from(kernel.buffer(barriers.full).bytes / BARRIER_BYTES)
}
