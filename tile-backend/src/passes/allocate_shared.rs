//! Allocates shared memory: gives buffers with disjoint live ranges the same bytes.
//!
//! Input: a kernel whose buffers have sizes. Output: the same kernel, with an offset for each buffer. Two
//! buffers share bytes only if neither is written while the contents of the other may still be read. A
//! backward liveness analysis determines this over all paths, through loops, `continue`, `break` and
//! `return`. A write ends the live range of its buffer, since it overwrites all of it. A small buffer never
//! shares its bytes, since the barrier that this would need costs more than the bytes. Neither does a buffer
//! whose address may escape.

use crate::gpu::{BlockId, BufferId, Kernel, OpId, OpKind, Touch};
use std::collections::BTreeSet;
use std::ops::Range;

/// Buffers of at most this many bytes never share them with another buffer.
const SMALL_BYTES: u32 = 1024;

/// Assigns an offset to every buffer, and sets the kernel's size of shared memory.
pub fn allocate_shared(kernel: &mut Kernel) {
    let conflicts = Liveness::conflicts(kernel);
    let mut order: Vec<BufferId> = kernel.buffer_ids().collect();
    // First fit, from the largest buffer to the smallest, packs tightly. The sort is stable, so equal sizes
    // stay in index order and the result is deterministic.
    order.sort_by_key(|id| std::cmp::Reverse(kernel.buffer(*id).bytes));
    let mut placed: Vec<(BufferId, Range<u32>)> = Vec::new();
    let mut total = 0;
    for id in order {
        let buffer = kernel.buffer(id);
        let (bytes, align) = (buffer.bytes, buffer.align_bytes);
        let is_small =
            |id: BufferId| kernel.buffer(id).bytes <= SMALL_BYTES || kernel.buffer(id).is_dedicated;
        let mut taken: Vec<Range<u32>> = placed
            .iter()
            .filter(|(other, _)| {
                is_small(id) || is_small(*other) || conflicts.contains(&ordered(id, *other))
            })
            .map(|(_, range)| range.clone())
            .collect();
        taken.sort_by_key(|range| range.start);
        let mut start = 0_u32;
        for range in taken {
            if range.start >= start.saturating_add(bytes) {
                break;
            }
            start = start.max(range.end.next_multiple_of(align));
        }
        let end = start.saturating_add(bytes);
        kernel.shared.buffers[id.index()].offset_bytes = Some(start);
        placed.push((id, start..end));
        total = total.max(end);
    }
    kernel.shared.bytes = total;
}

fn ordered(a: BufferId, b: BufferId) -> (BufferId, BufferId) {
    (a.min(b), a.max(b))
}

/// The buffers whose contents may be read later.
type Live = BTreeSet<BufferId>;

/// The live buffers at the targets of jumps out of the loop body that is being analyzed.
struct Around {
    /// The buffers that are live at the start of the next iteration.
    next: Live,
    /// The buffers that are live after the loop.
    exit: Live,
}

struct Liveness<'k> {
    kernel: &'k Kernel,
    loops: Vec<Around>,
    conflicts: BTreeSet<(BufferId, BufferId)>,
}

impl<'k> Liveness<'k> {
    /// Returns the pairs of buffers of which one is written while the other is live.
    fn conflicts(kernel: &'k Kernel) -> BTreeSet<(BufferId, BufferId)> {
        let mut liveness = Self {
            kernel,
            loops: Vec::new(),
            conflicts: BTreeSet::new(),
        };
        liveness.body();
        liveness.conflicts
    }

    fn body(&mut self) {
        let kernel = self.kernel;
        let mut live = Live::new();
        for (index, &op) in kernel.block(kernel.body()).ops.iter().enumerate().rev() {
            self.op(op, &mut live);
            let before = &kernel.block(kernel.body()).ops[..index];
            // A write overwrites only one stage of a circular buffer, so it does not end its live range. The
            // buffer is live from its first use to its last.
            live.retain(|&buffer| {
                kernel.buffer(buffer).stages == 1
                    || before.iter().any(|&op| is_touched(kernel, op, buffer))
            });
        }
    }

    /// Returns the buffers that are live before `block`, given that `after` are live at its `yield`.
    fn block(&mut self, block: BlockId, after: &Live) -> Live {
        let mut live = after.clone();
        for &op in self.kernel.block(block).ops.iter().rev() {
            self.op(op, &mut live);
        }
        live
    }

    fn op(&mut self, id: OpId, live: &mut Live) {
        let kernel = self.kernel;
        let op = kernel.op(id);
        match op.kind {
            OpKind::For { .. } | OpKind::Loop => {
                let may_skip = matches!(op.kind, OpKind::For { .. });
                let exit = live.clone();
                // Iterate to a fixed point: the buffers that are live at the start of an iteration are live
                // at the end of the previous one. A `for` may have no iteration, so buffers live after it are
                // live before it too.
                let mut next = if may_skip { exit.clone() } else { Live::new() };
                loop {
                    self.loops.push(Around {
                        next: next.clone(),
                        exit: exit.clone(),
                    });
                    let before = self.block(op.blocks[0], &next);
                    self.loops.pop();
                    let num_known = next.len();
                    next.extend(before);
                    if next.len() == num_known {
                        break;
                    }
                }
                *live = next;
            }
            OpKind::If => {
                let after = std::mem::take(live);
                for &block in &op.blocks {
                    live.extend(self.block(block, &after));
                }
                if op.blocks.len() < 2 {
                    live.extend(after);
                }
            }
            OpKind::Continue | OpKind::Break => {
                let around = self.loops.last().expect("verified: a jump is in a loop");
                *live = match op.kind {
                    OpKind::Continue => around.next.clone(),
                    _ => around.exit.clone(),
                };
            }
            OpKind::Return => live.clear(),
            _ => self.access(id, live),
        }
    }

    fn access(&mut self, id: OpId, live: &mut Live) {
        let op = self.kernel.op(id);
        let mut touched: Vec<_> = op.kind.buffers().collect();
        if matches!(op.kind, OpKind::WarpSpecialize) {
            // From here on, the producer may fill its stages at any time.
            for &block in &op.blocks {
                filled(self.kernel, block, &mut touched);
            }
        }
        let written =
            |(buffer, touch): &(BufferId, Touch)| (*touch == Touch::Write).then_some(*buffer);
        // All buffers that one operation accesses are live simultaneously, so those that it writes conflict
        // with all others.
        live.extend(touched.iter().map(|(buffer, _)| buffer));
        for buffer in touched.iter().filter_map(written) {
            let others = live.iter().filter(|&&other| other != buffer);
            let pairs = others.map(|&other| ordered(buffer, other));
            self.conflicts.extend(pairs);
        }
        // A write of a stage leaves the other stages live.
        for buffer in touched.iter().filter_map(written) {
            if self.kernel.buffer(buffer).stages == 1 {
                live.remove(&buffer);
            }
        }
        for &(buffer, touch) in &touched {
            if touch == Touch::Read {
                live.insert(buffer);
            }
        }
    }
}

/// Collects the circular buffers that a block and its nested blocks fill.
fn filled(kernel: &Kernel, block: BlockId, touched_buffers: &mut Vec<(BufferId, Touch)>) {
    for &id in &kernel.block(block).ops {
        let op = kernel.op(id);
        if let OpKind::TmaLoad(copy) = &op.kind {
            touched_buffers.push((copy.buffer, Touch::Write));
        }
        for &inner in &op.blocks {
            filled(kernel, inner, touched_buffers);
        }
    }
}

/// Returns `true` if an operation, or an operation nested in it, accesses a buffer.
fn is_touched(kernel: &Kernel, id: OpId, buffer: BufferId) -> bool {
    let op = kernel.op(id);
    let mut inside = op.blocks.iter().flat_map(|&block| &kernel.block(block).ops);
    op.kind.accesses(buffer) || inside.any(|&op| is_touched(kernel, op, buffer))
}

#[cfg(test)]
mod tests {
    use super::allocate_shared;
    use crate::gpu::{BlockId, Buffer, BufferId, Kernel, OpKind, Ty};
    use crate::layout::{Axis, InDim, LinearLayout, OutShape};
    use tile_core::{Loc, Scalar};

    /// A kernel with buffers of 4 KiB that one thread stores to and loads from.
    struct Build {
        kernel: Kernel,
        block: BlockId,
        ty: Ty,
        layout: crate::gpu::LayoutId,
    }

    impl Build {
        fn new() -> Self {
            let mut kernel = Kernel::new("test", 1, Loc::UNKNOWN);
            let shape = OutShape::new(&[1024]).expect("a shape");
            let registers = LinearLayout::identity(InDim::Register, shape.clone(), &[Axis(0)]);
            let memory = LinearLayout::identity(InDim::Offset, shape, &[Axis(0)]);
            let (registers, layout) = (kernel.add_layout(registers), kernel.add_layout(memory));
            let ty = Ty::Distributed {
                element: Scalar::I32,
                layout: registers,
            };
            let block = kernel.body();
            Self {
                kernel,
                block,
                ty,
                layout,
            }
        }

        fn buffer(&mut self) -> BufferId {
            self.kernel
                .add_buffer(Buffer::new(Scalar::I32, 4096, 16, Some(self.layout)))
        }

        /// Adds a copy whose data a later iteration reads.
        fn copy(&mut self, circular_buffer: BufferId) {
            self.kernel.shared.buffers[circular_buffer.index()].stages = 2;
            self.write(circular_buffer);
        }

        fn write(&mut self, buffer: BufferId) {
            let kind = OpKind::Constant(0);
            let op = self
                .kernel
                .push(self.block, kind, &[], &[self.ty], &[], Loc::UNKNOWN);
            let value = self.kernel.op(op).results[0];
            self.op(OpKind::StoreShared(buffer), &[value], &[]);
        }

        fn read(&mut self, buffer: BufferId) {
            let kind = OpKind::LoadShared(buffer);
            self.kernel
                .push(self.block, kind, &[], &[self.ty], &[], Loc::UNKNOWN);
        }

        fn op(&mut self, kind: OpKind, args: &[crate::gpu::ValueId], blocks: &[BlockId]) {
            self.kernel
                .push(self.block, kind, args, &[], blocks, Loc::UNKNOWN);
        }

        /// Adds an operation with a nested block, whose contents `inside` builds.
        fn nested(&mut self, kind: OpKind, inside: impl FnOnce(&mut Self)) {
            let block = self.kernel.add_block();
            let outer = std::mem::replace(&mut self.block, block);
            inside(self);
            self.block = outer;
            let mut args = Vec::new();
            if matches!(kind, OpKind::If) {
                let kind = OpKind::Constant(1);
                let ty = Ty::Uniform(Scalar::I1);
                let op = self
                    .kernel
                    .push(self.block, kind, &[], &[ty], &[], Loc::UNKNOWN);
                args.extend(&self.kernel.op(op).results);
            }
            self.op(kind, &args, &[block]);
        }

        fn share(mut self, a: BufferId, b: BufferId) -> bool {
            allocate_shared(&mut self.kernel);
            let offset_of = |id| self.kernel.buffer(id).offset_bytes;
            offset_of(a) == offset_of(b)
        }
    }

    #[test]
    fn buffers_that_are_used_one_after_the_other_share_their_bytes() {
        let mut build = Build::new();
        let (a, b) = (build.buffer(), build.buffer());
        for buffer in [a, b] {
            build.write(buffer);
            build.read(buffer);
        }
        assert!(build.share(a, b));
    }

    #[test]
    fn a_buffer_that_is_read_after_another_is_written_does_not_share() {
        let mut build = Build::new();
        let (a, b) = (build.buffer(), build.buffer());
        build.write(a);
        build.write(b);
        build.read(a);
        build.read(b);
        assert!(!build.share(a, b));
    }

    #[test]
    fn what_an_iteration_leaves_for_the_next_lives_through_the_loop() {
        let mut build = Build::new();
        let (a, b) = (build.buffer(), build.buffer());
        build.write(a);
        build.nested(OpKind::Loop, |build| {
            build.read(a);
            build.write(b);
            build.read(b);
            build.op(OpKind::Continue, &[], &[]);
        });
        assert!(!build.share(a, b));
        // Without the back edge, the second buffer may share the bytes of the first.
        let mut build = Build::new();
        let (a, b) = (build.buffer(), build.buffer());
        build.write(a);
        build.nested(OpKind::Loop, |build| {
            build.read(a);
            build.write(b);
            build.read(b);
            build.op(OpKind::Break, &[], &[]);
        });
        assert!(build.share(a, b));
    }

    #[test]
    fn what_is_read_behind_a_loop_lives_up_to_the_break() {
        let kernel = |leaves_early: bool| {
            let mut build = Build::new();
            let (a, b) = (build.buffer(), build.buffer());
            build.nested(OpKind::Loop, |build| {
                build.write(a);
                if leaves_early {
                    build.nested(OpKind::If, |build| build.op(OpKind::Break, &[], &[]));
                }
                build.write(b);
                build.read(b);
                build.nested(OpKind::If, |build| {
                    build.op(OpKind::Return, &[], &[]);
                });
                build.op(OpKind::Continue, &[], &[]);
            });
            build.read(a);
            build.share(a, b)
        };
        // On every path from the write of the second buffer to the read, the first buffer is written again.
        assert!(kernel(true));
        assert!(kernel(false));
    }

    #[test]
    fn a_continue_passes_by_what_comes_after_it() {
        let kernel = |jump: OpKind| {
            let mut build = Build::new();
            let (a, b) = (build.buffer(), build.buffer());
            build.nested(OpKind::Loop, |build| {
                build.write(a);
                build.nested(OpKind::If, |build| {
                    build.write(b);
                    build.read(b);
                    build.op(jump, &[], &[]);
                });
                build.read(a);
                build.op(OpKind::Break, &[], &[]);
            });
            build.share(a, b)
        };
        assert!(kernel(OpKind::Continue));
        assert!(kernel(OpKind::Return));
        assert!(!kernel(OpKind::Yield));
    }

    #[test]
    fn slots_of_a_ring_live_through_the_loop_and_no_further() {
        let kernel = |is_before: bool, is_inside: bool| {
            let mut build = Build::new();
            let (circular_buffer, other) = (build.buffer(), build.buffer());
            if is_before {
                build.write(other);
                build.read(other);
            }
            build.copy(circular_buffer);
            build.nested(OpKind::Loop, |build| {
                build.read(circular_buffer);
                if is_inside {
                    build.write(other);
                    build.read(other);
                }
                build.copy(circular_buffer);
                build.op(OpKind::Continue, &[], &[]);
            });
            build.share(circular_buffer, other)
        };
        assert!(kernel(true, false));
        assert!(!kernel(false, true));
    }
}
