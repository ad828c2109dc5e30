//! Matrix products.

use super::Lowering;
use super::convert::{Purpose, Staged};
use super::product::{Product, signs};
use crate::gpu::{BufferId, Mma, MmaLoop, OpKind, Side, Turn};
use crate::layout::{LinearLayout, exchange_layout};
use tile_core::ir::{OpId, ValueId};

impl Lowering<'_> {
    pub(super) fn mma(&mut self, id: OpId) {
        let op = self.module.op(id);
        let is_chained = self.chains.contains(id);
        let product = Product::of(
            self.module,
            op,
            is_chained,
            self.kernel.num_warps,
            self.arch,
        );
        let (lhs, rhs) = (op.operand("lhs"), op.operand("rhs"));
        let accumulator = self.kernel.add_layout(product.accumulator().clone());
        let (kind, args) = match product {
            Product::Fragments {
                kind,
                swapped,
                is_half,
                interleaved,
                layouts,
            } => {
                let [a, b, _] = &*layouts;
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
            Product::Scaled(mma, layouts) => {
                let [a, b, _, of_a, of_b] = &*layouts;
                let factors = ["lhs_scale", "rhs_scale"].map(|slot| op.operand(slot));
                let operands = [(lhs, a), (rhs, b), (factors[0], of_a), (factors[1], of_b)];
                let staged = operands.map(|(value, layout)| self.stage_fragment(value, layout));
                let args = staged.map(|staged| self.deliver(staged));
                (OpKind::MmaScaled(mma), args.to_vec())
            }
            Product::Elements(layout) => {
                let scales = op.operands.get(3).zip(op.operands.get(4));
                let product = MmaLoop {
                    lhs: self.factor(lhs, &layout, Side::Left, op.loc),
                    rhs: self.factor(rhs, &layout, Side::Right, op.loc),
                    scales: scales.map(|(&lhs, &rhs)| {
                        let lhs = self.factor(lhs, &layout, Side::Left, op.loc);
                        (lhs, self.factor(rhs, &layout, Side::Right, op.loc))
                    }),
                    signed: signs(op),
                };
                (OpKind::MmaLoop(product), Vec::new())
            }
        };
        let acc = self.in_layout(op.operand("acc"), accumulator);
        let ty = self.kernel.ty(acc);
        // Behind the operands, and before their factors.
        let mut args = args;
        args.insert(args.len().min(2), acc);
        let value = self.emit(kind, &args, ty, op.loc);
        self.define(op.result(), value);
    }

    /// An operand on its way to the layout of its fragments.
    fn stage_fragment(&mut self, operand: ValueId, layout: &LinearLayout) -> Staged {
        let layout = self.kernel.add_layout(layout.clone());
        let value = self.value(operand);
        self.stage(value, layout, Purpose::Fragment)
    }

    /// An operand in shared memory, in an order that suits those who write it and those who
    /// multiply, who have `accumulator`.
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
        let steps = Turn::steps(accumulator, depth);
        let turn = Turn::new(accumulator, side, depth, steps);
        let memory = exchange_layout(from, &turn.factor, bits).expect("layouts of one tile");
        self.written_to(value, memory, loc)
    }
}
