//! Lowers matmuls.

use super::Lowering;
use super::convert::{Purpose, Staged};
use super::mma_strategy::{MmaStrategy, Operand, SwizzledOperand, signs};
use crate::gpu::{
    self, BufferId, Mma, MmaLoop, MmaLoopStep, OpKind, SharedMatrix, Side, TransposeShared, Wgmma,
};
use crate::layout::{LinearLayout, exchange_layout};
use tile_core::ir::{OpId, ValueId};

impl Lowering<'_> {
    pub(super) fn mma(&mut self, id: OpId) {
        let op = self.module.op(id);
        let is_chained = self.chains.contains(id);
        let matmul = MmaStrategy::choose(
            self.module,
            op,
            is_chained,
            self.kernel.launch.num_warps,
            self.arch,
        );
        let (lhs, rhs) = (op.operand("lhs"), op.operand("rhs"));
        let accumulator = self.kernel.add_layout(matmul.accumulator().clone());
        let (kind, args) = match matmul {
            MmaStrategy::Fragments {
                kind,
                swapped,
                is_half,
                interleaved,
                layouts,
            } => {
                let [a, b, _] = &*layouts;
                // Stage both operands before delivering either, so that they share barriers.
                let (a, b) = (self.stage_fragment(lhs, a), self.stage_fragment(rhs, b));
                let args = vec![self.deliver(a), self.deliver(b)];
                let mma = Mma {
                    kind,
                    swapped,
                    is_half,
                    interleaved,
                };
                (OpKind::Mma(mma), args)
            }
            MmaStrategy::Scaled(mma, layouts) => {
                let [a, b, _, of_a, of_b] = &*layouts;
                let factors = ["lhs_scale", "rhs_scale"].map(|slot| op.operand(slot));
                let operands = [(lhs, a), (rhs, b), (factors[0], of_a), (factors[1], of_b)];
                let staged = operands.map(|(value, layout)| self.stage_fragment(value, layout));
                let args = staged.map(|staged| self.deliver(staged));
                (OpKind::MmaScaled(mma), args.to_vec())
            }
            MmaStrategy::Warpgroups(matmul) => {
                let lhs = match &matmul.lhs {
                    Operand::Fragments(layout) => {
                        let staged = self.stage_fragment(lhs, layout);
                        Err(self.deliver(staged))
                    }
                    Operand::Shared(lhs) => Ok(self.shared_matrix(lhs)),
                };
                let wgmma = Wgmma {
                    kind: matmul.kind,
                    lhs: lhs.as_ref().ok().copied(),
                    rhs: self.shared_matrix(&matmul.rhs),
                    has_two_level_accumulation: matmul.has_two_level_accumulation,
                    in_flight: 0,
                };
                let acc = self.in_layout(op.operand("acc"), accumulator);
                let ty = self.kernel.ty(acc);
                let mut args = vec![acc];
                args.extend(lhs.err());
                let value = self.emit(OpKind::Wgmma(wgmma), &args, ty, op.loc);
                self.define(op.result(), value);
                return;
            }
            MmaStrategy::Elements(layout) => {
                let scales = op.operands.get(3).zip(op.operands.get(4));
                let matmul = MmaLoop {
                    lhs: self.factor(lhs, &layout, Side::Left, op.loc),
                    rhs: self.factor(rhs, &layout, Side::Right, op.loc),
                    scales: scales.map(|(&lhs, &rhs)| {
                        let lhs = self.factor(lhs, &layout, Side::Left, op.loc);
                        (lhs, self.factor(rhs, &layout, Side::Right, op.loc))
                    }),
                    signed: signs(op),
                };
                (OpKind::MmaLoop(matmul), Vec::new())
            }
        };
        let acc = self.in_layout(op.operand("acc"), accumulator);
        let ty = self.kernel.ty(acc);
        // The accumulator comes after the operands and before their scales.
        let mut args = args;
        args.insert(args.len().min(2), acc);
        let value = self.emit(kind, &args, ty, op.loc);
        self.define(op.result(), value);
    }

    /// Returns an operand in shared memory in the form that tensor cores read. The operand is stored once,
    /// where it is defined, and transposed there if necessary.
    fn shared_matrix(&mut self, matrix: &SwizzledOperand) -> SharedMatrix {
        let value = self.value(matrix.stored);
        let existing = self.stored_matrix(value, &matrix.memory);
        let buffer = existing.unwrap_or_else(|| {
            let loc = self.kernel.value(value).loc;
            let scope = self.scope_for(value);
            let to = self.matrix_buffer(value, &matrix.memory, matrix.align_bytes);
            if let Some(mn_major) = &matrix.mn_major {
                let from = self.stored_matrix(value, &mn_major.memory);
                let from = from.unwrap_or_else(|| {
                    let from = self.matrix_buffer(value, &mn_major.memory, mn_major.align_bytes);
                    self.emit_store(scope, from, value, loc);
                    from
                });
                let kind = OpKind::TransposeShared(TransposeShared { from, to });
                let block = self.scopes[scope].block;
                self.kernel.push(block, kind, &[], &[], &[], loc);
            } else {
                self.emit_store(scope, to, value, loc);
            }
            to
        });
        SharedMatrix {
            buffer,
            is_transposed: matrix.is_transposed,
        }
    }

    /// Returns the buffer that already holds a value in this layout, if there is one in a visible scope.
    fn stored_matrix(&mut self, value: gpu::ValueId, memory: &LinearLayout) -> Option<BufferId> {
        let layout = self.kernel.add_layout(memory.clone());
        let scope = self.scope_for(value);
        let mut around = self.scopes[scope..].iter().rev();
        around.find_map(|scope| scope.stored.get(&(value, layout)).copied())
    }

    /// Adds a buffer for a value that is about to be stored.
    fn matrix_buffer(
        &mut self,
        value: gpu::ValueId,
        memory: &LinearLayout,
        align_bytes: u64,
    ) -> BufferId {
        let layout = self.kernel.add_layout(memory.clone());
        let scope = self.scope_for(value);
        let element = self.kernel.ty(value).scalar().expect("a tile of numbers");
        let buffer = self.buffer(element, memory.clone());
        let align = u32::try_from(align_bytes).expect("it is small");
        let of = &mut self.kernel.shared.buffers[buffer.index()];
        of.align_bytes = of.align_bytes.max(align);
        self.scopes[scope].stored.insert((value, layout), buffer);
        buffer
    }

    /// Begins the conversion of an operand to the layout of its fragments.
    fn stage_fragment(&mut self, operand: ValueId, layout: &LinearLayout) -> Staged {
        let layout = self.kernel.add_layout(layout.clone());
        let value = self.value(operand);
        self.stage(value, layout, Purpose::Fragment)
    }

    /// Returns an operand in shared memory, in an order that suits both the threads that write it and those
    /// that read it for the elements of `accumulator`.
    fn factor(
        &mut self,
        operand: ValueId,
        accumulator: &LinearLayout,
        side: Side,
        loc: tile_core::Loc,
    ) -> BufferId {
        let value = self.value(operand);
        let from = self.kernel.layout_of(value);
        let element = self.kernel.ty(value).scalar().expect("a tile of numbers");
        let bits = u32::try_from(element.bytes() * 8).expect("an element has few bits");
        let depth = from.shape().size(side.depth(from.shape().rank()));
        let steps = MmaLoopStep::steps(accumulator, depth);
        let turn = MmaLoopStep::new(accumulator, side, depth, steps);
        let memory = exchange_layout(from, &turn.factor, bits).expect("layouts of one tile");
        self.written_to(value, memory, loc)
    }
}
