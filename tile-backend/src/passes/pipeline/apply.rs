//! Rewrites a loop so that copies fill circular buffers some iterations ahead.

use super::candidates::{Candidate, Plan, Read, step};
use super::tma::{Fill, Fills, indices};
use super::transpose_shared::multibuffer_transposes;
use crate::gpu::{
    Arrivals, AsyncCopy, BlockId, Buffer, BufferId, ExpectTx, Kernel, OpId, OpKind, Ty, ValueId,
    compute,
};
use crate::schedule::CopyMethods;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tile_core::{Loc, Scalar};

/// A place in a block where operations are added.
pub(super) struct Cursor<'k> {
    pub(super) kernel: &'k mut Kernel,
    pub(super) block: BlockId,
    pub(super) index: usize,
    pub(super) loc: Loc,
}

impl Cursor<'_> {
    pub(super) fn push(&mut self, kind: OpKind, args: &[ValueId], results: &[Ty]) -> OpId {
        let id = self.kernel.add_op(kind, args, results, &[], self.loc);
        let ops = &mut self.kernel.block_mut(self.block).ops;
        ops.insert(self.index, id);
        self.index += 1;
        id
    }

    pub(super) fn value(&mut self, kind: OpKind, args: &[ValueId], ty: Ty) -> ValueId {
        let id = self.push(kind, args, &[ty]);
        self.kernel.op(id).results[0]
    }

    pub(super) fn constant(&mut self, scalar: Scalar, bits: u64) -> ValueId {
        self.value(OpKind::Constant(bits), &[], Ty::Uniform(scalar))
    }

    /// Adds an operation on numbers of one type.
    pub(super) fn compute(
        &mut self,
        op: compute::Uniform,
        args: &[ValueId],
        result: Scalar,
    ) -> ValueId {
        let scalar = self
            .kernel
            .ty(args[args.len() - 1])
            .scalar()
            .expect("a number");
        let kind = OpKind::Compute(op.element_op(scalar));
        self.value(kind, args, Ty::Uniform(result))
    }

    /// Adds the test whether `stage` is the last of a circular buffer, and the stage after it.
    pub(super) fn following(&mut self, stage: ValueId, stages: u32) -> (ValueId, ValueId) {
        let (zero, one) = (self.constant(Scalar::I32, 0), self.constant(Scalar::I32, 1));
        let last = self.constant(Scalar::I32, u64::from(stages - 1));
        let is_last = self.compute(compute::Uniform::Equal, &[stage, last], Scalar::I1);
        let next = self.compute(compute::Uniform::Add, &[stage, one], Scalar::I32);
        let following = [is_last, zero, next];
        let following = self.compute(compute::Uniform::Select, &following, Scalar::I32);
        (is_last, following)
    }

    /// Adds the parity of the round to which the next stage belongs, where the current round has `parity`,
    /// and `is_last` is true if the current stage is its last.
    pub(super) fn following_parity(&mut self, is_last: ValueId, parity: ValueId) -> ValueId {
        let other = self.other_parity(parity);
        let following = [is_last, other, parity];
        self.compute(compute::Uniform::Select, &following, Scalar::I32)
    }

    /// Adds the parity of the previous and of the next round, which is the opposite of `parity`.
    pub(super) fn other_parity(&mut self, parity: ValueId) -> ValueId {
        let one = self.constant(Scalar::I32, 1);
        self.compute(compute::Uniform::Sub, &[one, parity], Scalar::I32)
    }

    /// Adds the copies for an iteration. `names` maps its induction variable and the carried values that the
    /// plan needs; afterwards it also maps the values computed from these.
    pub(super) fn copies(
        &mut self,
        (plan, fills): (&Plan, &Fills),
        names: &mut Names,
        whether: ValueId,
        stage: ValueId,
        is_prefetch: bool,
    ) {
        for &id in &plan.slice.ops {
            let op = self.kernel.op(id).clone();
            let args = names.all(&op.args);
            let value = self.value(op.kind, &args, self.kernel.ty(op.results[0]));
            names.0.insert(op.results[0], value);
        }
        let mut expected = vec![whether, stage];
        for (candidate, fill) in fills.with_candidates(plan) {
            if let Fill::Bulk(copy) = fill {
                let mut copy = copy.clone();
                copy.is_prefetch = is_prefetch;
                let mut args = vec![whether, stage];
                args.extend(names.all(&candidate.place));
                let kind = OpKind::BulkCopy(Box::new(copy));
                let bulk_copy = self.copy(candidate, kind, &args, &[Ty::Uniform(Scalar::I32)]);
                expected.push(self.kernel.op(bulk_copy).results[0]);
            }
        }
        if let Some((barriers, bytes)) = fills.barriers {
            let expectation = ExpectTx { barriers, bytes };
            self.push(OpKind::ArriveExpectTx(expectation), &expected, &[]);
        }
        // Bulk copies precede the arrival, which takes their byte counts; TMA loads follow the arrival, which
        // announces their bytes, since these are known.
        for (candidate, fill) in fills.with_candidates(plan) {
            let mut args = vec![whether, stage];
            let kind = match fill.clone() {
                Fill::CpAsync(mut copy) => {
                    copy.is_prefetch = is_prefetch;
                    args.extend(names.all(&candidate.place));
                    OpKind::CopyAsync(Box::new(copy))
                }
                Fill::Tma(mut copy) => {
                    copy.is_prefetch = is_prefetch;
                    args.extend(names.all(&indices(&copy.tile, &candidate.place)));
                    OpKind::TmaLoad(Box::new(copy))
                }
                Fill::Bulk(_) => continue,
            };
            self.copy(candidate, kind, &args, &[]);
        }
        if fills.has_threads() {
            self.push(OpKind::CommitGroup, &[], &[]);
        }
    }
}

impl Cursor<'_> {
    /// Adds a copy that replaces a load and takes over the load's place in the order of tokens.
    fn copy(
        &mut self,
        candidate: &Candidate,
        kind: OpKind,
        args: &[ValueId],
        results: &[Ty],
    ) -> OpId {
        let copy_id = self.push(kind, args, results);
        let numbers = &mut self.kernel.order.numbers;
        if let Some(&number) = numbers.get(&candidate.load) {
            numbers.insert(copy_id, number);
        }
        copy_id
    }
}

/// Maps values of the body to those of another iteration; other values map to themselves.
pub(super) struct Names(pub(super) FxHashMap<ValueId, ValueId>);

impl Names {
    pub(super) fn renamed(&self, value: ValueId) -> ValueId {
        self.0.get(&value).copied().unwrap_or(value)
    }

    pub(super) fn all(&self, values: &[ValueId]) -> Vec<ValueId> {
        values.iter().map(|&value| self.renamed(value)).collect()
    }
}

/// The depth of a pipeline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    /// Number of stages of a circular buffer.
    pub(super) stages: u32,
    /// Number of iterations after its own in which a stage is still read.
    pub(super) lag: u32,
}

/// Pipelines the loop `id` of `block`.
pub(super) fn apply(
    kernel: &mut Kernel,
    block: BlockId,
    id: OpId,
    plan: &Plan,
    depth: Depth,
    copies: CopyMethods,
) {
    // The head of the loop has a barrier, so transposes need one buffer less.
    multibuffer_transposes(kernel, block, id, 1 + depth.lag);
    let plan = with_buffers(kernel, plan);
    let body = kernel.op(id).blocks[0];
    let fills = Fills::choose(kernel, body, &plan, depth.stages, copies);
    let plan = fills.padded(plan);
    let pipelined = PipelinedLoop::new(kernel, block, id, &plan, &fills, depth);
    let (states, zero) = pipelined.prologue(kernel);
    let states = pipelined.carry(kernel, &states, zero);
    let barrier = pipelined.head(kernel, &states);
    read_stages(kernel, body, &plan, states.stage, depth.stages);
    // Threads that read only what they copied themselves need not wait for other threads.
    let mut buffers = plan.buffers().into_iter();
    if buffers.all(|buffer| kernel.is_thread_private(buffer)) {
        kernel.block_mut(body).ops.retain(|&op| op != barrier);
    }
}

/// A loop that is being pipelined, as it was before.
struct PipelinedLoop<'p> {
    id: OpId,
    /// The block that contains the loop.
    around: BlockId,
    body: BlockId,
    jump: OpId,
    loc: Loc,
    plan: &'p Plan,
    fills: &'p Fills,
    depth: Depth,
    /// Number of iterations by which copies run ahead.
    prefetched: u32,
    unsigned: bool,
    lower: ValueId,
    upper: ValueId,
    step: u64,
    /// The type of the induction variable.
    counter: Scalar,
    induction: ValueId,
    /// The initial values, of the carried values that the plan needs.
    first: Vec<ValueId>,
    /// The arguments of the body, of the same carried values.
    in_body: Vec<ValueId>,
    /// The values for the next iteration, of the same carried values.
    next: Vec<ValueId>,
}

/// What the pipelined loop carries besides the values of the original loop.
struct CarriedState {
    /// The stage that the iteration reads.
    stage: ValueId,
    /// The mbarriers of the copies, if any, and the parity of the current phase.
    parity: Option<(BufferId, ValueId)>,
    /// The carried values that the plan needs, for the iteration whose copies come next.
    ahead: Vec<ValueId>,
}

impl<'p> PipelinedLoop<'p> {
    fn new(
        kernel: &Kernel,
        around: BlockId,
        id: OpId,
        plan: &'p Plan,
        fills: &'p Fills,
        depth: Depth,
    ) -> Self {
        let op = kernel.op(id);
        let OpKind::For { unsigned } = op.kind else {
            unreachable!("only loops are pipelined")
        };
        let (lower, upper, body) = (op.args[0], op.args[1], op.blocks[0]);
        let block = kernel.block(body);
        let jump = *block.ops.last().expect("a body ends with a jump");
        let carried = |values: &[ValueId]| -> Vec<ValueId> {
            plan.slice
                .carried
                .iter()
                .map(|&index| values[index])
                .collect()
        };
        Self {
            id,
            around,
            body,
            jump,
            loc: op.loc,
            plan,
            fills,
            depth,
            prefetched: depth.stages - 1 - depth.lag,
            unsigned,
            lower,
            upper,
            step: step(kernel, id).expect("a loop with candidates has one"),
            counter: kernel.ty(lower).scalar().expect("a number"),
            induction: block.args[0],
            first: carried(&op.args[3..]),
            in_body: carried(&block.args[1..]),
            next: carried(&kernel.op(jump).args),
        }
    }

    /// Returns the names of the values in the iteration that starts with these values.
    fn names(&self, induction: ValueId, carried: &[ValueId]) -> Names {
        let carried = self.in_body.iter().copied().zip(carried.iter().copied());
        let all = std::iter::once((self.induction, induction)).chain(carried);
        Names(all.collect())
    }

    /// Adds before the loop the copies for the first iterations that take place. Returns the carried values
    /// of the iteration after them, and the constant 0.
    fn prologue(&self, kernel: &mut Kernel) -> (Vec<ValueId>, ValueId) {
        let (lower, upper, counter) = (self.lower, self.upper, self.counter);
        let mut ops = kernel.block(self.around).ops.iter();
        let index = ops.position(|&op| op == self.id);
        let mut before = Cursor {
            kernel,
            block: self.around,
            index: index.expect("the loop is in its block"),
            loc: self.loc,
        };
        if let Some((barriers, _)) = self.fills.barriers {
            before.push(OpKind::InitMbarriers(barriers, Arrivals::One), &[], &[]);
        }
        let enters = compute::Uniform::Less {
            unsigned: self.unsigned,
        };
        let enters = before.compute(enters, &[lower, upper], Scalar::I1);
        let left = before.compute(compute::Uniform::Sub, &[upper, lower], counter);
        let mut carried = self.first.clone();
        for number in 0..self.prefetched {
            let stage = before.constant(Scalar::I32, u64::from(number));
            let (first, whether) = if number == 0 {
                (lower, enters)
            } else {
                let distance = before.constant(counter, self.step * u64::from(number));
                // The remaining distance is not negative where the loop is entered, so an unsigned comparison
                // is right for bounds of either sign.
                let reaches = compute::Uniform::Less { unsigned: true };
                let reaches = before.compute(reaches, &[distance, left], Scalar::I1);
                let whether = before.compute(compute::Uniform::And, &[enters, reaches], Scalar::I1);
                let first = before.compute(compute::Uniform::Add, &[lower, distance], counter);
                (first, whether)
            };
            let mut names = self.names(first, &carried);
            before.copies((self.plan, self.fills), &mut names, whether, stage, false);
            carried = names.all(&self.next);
        }
        let zero = before.constant(Scalar::I32, 0);
        if let Some((barriers, _)) = self.fills.barriers
            && self.around != before.kernel.body()
        {
            // An inner loop initializes its mbarriers again in every iteration of the outer loop.
            before.index += 1;
            before.push(OpKind::InvalidateMbarriers(barriers), &[], &[]);
        }
        (carried, zero)
    }

    /// Lets the loop carry a stage, the parity of mbarriers, and the values `ahead`.
    fn carry(&self, kernel: &mut Kernel, ahead: &[ValueId], zero: ValueId) -> CarriedState {
        let stage = kernel.carry(self.id, zero);
        let barriers = self.fills.barriers;
        let parity = barriers.map(|(barriers, _)| (barriers, kernel.carry(self.id, zero)));
        let ahead = ahead.iter().map(|&value| kernel.carry(self.id, value));
        CarriedState {
            stage,
            parity,
            ahead: ahead.collect(),
        }
    }

    /// Adds the head of the body, which waits for the stage of the iteration and issues the copies of a later
    /// one. Returns its barrier.
    fn head(&self, kernel: &mut Kernel, carried: &CarriedState) -> OpId {
        let mut head = Cursor {
            kernel,
            block: self.body,
            index: 0,
            loc: self.loc,
        };
        // Every iteration commits one group, empty or not, so the number of groups to leave in flight is
        // constant.
        if self.fills.has_threads() {
            head.push(OpKind::WaitGroup(self.prefetched - 1), &[], &[]);
        }
        // The barrier serves two purposes: after it, the copies of all threads into this stage have arrived,
        // and all threads have read the stage that is overwritten next.
        let barrier = head.push(OpKind::Barrier, &[], &[]);
        let (upper, counter, stage) = (self.upper, self.counter, carried.stage);
        let left = head.compute(compute::Uniform::Sub, &[upper, self.induction], counter);
        let distance = head.constant(counter, self.step * u64::from(self.prefetched));
        let reaches = compute::Uniform::Less { unsigned: true };
        let whether = head.compute(reaches, &[distance, left], Scalar::I1);
        let later = head.compute(compute::Uniform::Add, &[self.induction, distance], counter);
        let unread = self.unread_stage(&mut head, stage);
        let (is_last, following) = head.following(stage, self.depth.stages);
        let mut names = self.names(later, &carried.ahead);
        head.copies((self.plan, self.fills), &mut names, whether, unread, true);
        let following_parity = carried.parity.map(|(barriers, parity)| {
            head.push(OpKind::ConsumerWait(barriers), &[stage, parity], &[]);
            head.following_parity(is_last, parity)
        });
        let jump = &mut kernel.op_mut(self.jump).args;
        jump.push(following);
        jump.extend(following_parity);
        jump.extend(names.all(&self.next));
        barrier
    }

    /// Adds the stage that no iteration reads any more where `stage` is read: its last reader was `lag`
    /// iterations ago.
    fn unread_stage(&self, head: &mut Cursor<'_>, stage: ValueId) -> ValueId {
        let back = head.constant(Scalar::I32, u64::from(1 + self.depth.lag));
        let round = head.constant(Scalar::I32, u64::from(self.prefetched));
        let is_first = compute::Uniform::Less { unsigned: true };
        let is_first = head.compute(is_first, &[stage, back], Scalar::I1);
        let before = head.compute(compute::Uniform::Sub, &[stage, back], Scalar::I32);
        let around = head.compute(compute::Uniform::Add, &[stage, round], Scalar::I32);
        let stages = [is_first, around, before];
        head.compute(compute::Uniform::Select, &stages, Scalar::I32)
    }
}

/// Makes the buffers of a plan circular, lets the body read them at `stage`, and removes the loads.
pub(super) fn read_stages(
    kernel: &mut Kernel,
    body: BlockId,
    plan: &Plan,
    stage: ValueId,
    stages: u32,
) {
    let mut dead: FxHashSet<OpId> = FxHashSet::default();
    for candidate in &plan.candidates {
        dead.extend(&candidate.stores);
        match candidate.read {
            Some(Read::Buffer(buffer)) => read(kernel, body, candidate, buffer),
            Some(Read::New(_)) => unreachable!("its buffer was made"),
            None => drop(dead.insert(candidate.load)),
        }
    }
    kernel.block_mut(body).ops.retain(|op| !dead.contains(op));
    let same = plan.candidates.iter().flat_map(|candidate| &candidate.same);
    let same: FxHashMap<BufferId, BufferId> = same.copied().collect();
    let circular_buffers = plan.buffers();
    let reads = Reads {
        circular_buffers: &circular_buffers,
        same: &same,
        stage,
    };
    reads.name_stages(kernel, body);
    for &circular_buffer in &circular_buffers {
        let buffer = &mut kernel.shared.buffers[circular_buffer.index()];
        buffer.bytes *= stages;
        buffer.stages = stages;
    }
}

/// Replaces a load by a read of a buffer, and pads the result unless zeros are its padding.
fn read(kernel: &mut Kernel, body: BlockId, candidate: &Candidate, buffer: BufferId) {
    let padding = candidate.padding(kernel).cloned();
    let load = kernel.op(candidate.load).clone();
    let Some(tile) = padding else {
        let op = kernel.op_mut(candidate.load);
        op.kind = OpKind::LoadShared(buffer);
        op.args.clear();
        return;
    };
    let ops = &kernel.block(body).ops;
    let index = ops.iter().position(|&op| op == candidate.load);
    let mut before = Cursor {
        kernel,
        block: body,
        index: index.expect("a candidate is in the body"),
        loc: load.loc,
    };
    let ty = before.kernel.ty(load.results[0]);
    let zeros = before.value(OpKind::LoadShared(buffer), &[], ty);
    let op = kernel.op_mut(candidate.load);
    op.kind = OpKind::Pad(tile);
    op.args.insert(0, zeros);
}

/// Returns the plan with a new buffer for each tile that needs one.
pub(super) fn with_buffers(kernel: &mut Kernel, plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    for candidate in &mut plan.candidates {
        let Some(Read::New(new)) = candidate.read.clone() else {
            continue;
        };
        let (from, memory) = *new;
        let layout = kernel.ty(kernel.op(candidate.load).results[0]).layout();
        let element = from.element();
        let bytes = memory.shape().num_elements() * element.bytes() as u64;
        let memory = kernel.add_layout(memory);
        let buffer = kernel.add_buffer(Buffer::new(element, bytes, 128, Some(memory)));
        candidate.read = Some(Read::Buffer(buffer));
        candidate.copies.push(AsyncCopy {
            from,
            buffer,
            layout: layout.expect("a tile that is copied has a layout"),
            is_prefetch: false,
        });
    }
    plan
}

/// Rewrites the operations that read circular buffers.
struct Reads<'r> {
    circular_buffers: &'r BTreeSet<BufferId>,
    /// Buffers with the same contents as another one, which is read instead.
    same: &'r FxHashMap<BufferId, BufferId>,
    /// The stage that the iteration reads.
    stage: ValueId,
}

impl Reads<'_> {
    /// Adds the stage of the iteration to reads of circular buffers, which had a single stage until now.
    fn name_stages(&self, kernel: &mut Kernel, block: BlockId) {
        for id in kernel.block(block).ops.clone() {
            let op = kernel.op(id);
            let mut kind = op.kind.clone();
            let mut args = op.args.clone();
            match &mut kind {
                OpKind::LoadShared(buffer)
                | OpKind::LoadMatrix(buffer)
                | OpKind::LoadSlice(buffer) => {
                    *buffer = self.instead(*buffer);
                    args.extend(self.circular_buffers.contains(buffer).then_some(self.stage));
                }
                OpKind::MmaLoop(mma) => {
                    let stages = self.stages(kernel, mma.buffers(), &op.args[1..]);
                    args.truncate(1);
                    args.extend(stages);
                    mma.rename(|buffer| self.instead(buffer));
                }
                OpKind::Wgmma(mma) => {
                    let values = mma.values();
                    let old = &op.args[values..];
                    let stages = self.stages(kernel, mma.buffers(), old);
                    args.truncate(values);
                    args.extend(stages);
                    mma.rename(|buffer| self.instead(buffer));
                }
                OpKind::TransposeShared(matrix) => {
                    // The destination keeps its own stage: only the source becomes circular here.
                    let before = matrix.stages(kernel, op);
                    matrix.from = self.instead(matrix.from);
                    let is_read = self.circular_buffers.contains(&matrix.from);
                    let from = is_read.then_some(self.stage).or(before[0]);
                    args = from.into_iter().chain(before[1]).collect();
                }
                _ => {}
            }
            let op = kernel.op_mut(id);
            (op.kind, op.args) = (kind, args);
            for inner in kernel.op(id).blocks.clone() {
                self.name_stages(kernel, inner);
            }
        }
    }

    /// Returns the stages of the operands of a matmul. Operands that were already circular keep their stages,
    /// which are `old`.
    fn stages(
        &self,
        kernel: &Kernel,
        buffers: impl Iterator<Item = BufferId>,
        old: &[ValueId],
    ) -> Vec<ValueId> {
        let mut old = old.iter();
        let stages = buffers.filter_map(|buffer| {
            let is_multistage = self.circular_buffers.contains(&self.instead(buffer));
            let is_old = kernel.buffer(buffer).stages > 1;
            let before = is_old.then(|| old.next().expect("a stage of each circular buffer"));
            is_multistage.then_some(self.stage).or(before.copied())
        });
        stages.collect()
    }

    fn instead(&self, buffer: BufferId) -> BufferId {
        self.same.get(&buffer).copied().unwrap_or(buffer)
    }
}
