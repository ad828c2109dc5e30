//! Two-phase grid reduction: the last block to finish combines the results of all blocks and runs
//! the operations after the outermost loop.
//!
//! ```text
//! every block:  partials[block] = results of its iterations
//!               old = arrivals++                          acquire and release
//! the last one: arrivals = 0                              ready for the next launch
//!               results = init, partials of all busy blocks in order, combined
//!               everything after the loop
//! ```
//!
//! Tokens order the stores of a block before its arrival, and the work of the last block after its
//! own arrival. Results that are tokens are not stored: all their accesses precede the last
//! arrival, whose token replaces them.

use super::arithmetic::Arithmetic;
use super::combine::Accumulator;
use super::entry::Parts;
use super::grid::Space;
use super::plan::{Buffer, Elements, EntryPlan};
use super::range::Range;
use super::rewriter::Rewriter;
use crate::ir::{
    AtomicRmwMode, Attr, BlockId, ComparisonPredicate, Loc, MemoryOrdering, MemoryScope,
    Signedness, ValueId,
};
use crate::ops::{AtomicOp, ControlFlowOp, CoreOp, Effects, IntegerOp, MemoryOp};
use crate::types::{Scalar, Type};

/// A result that each block stores.
struct Partial {
    /// The index of the result among those of the loop.
    number: usize,
    base: ValueId,
}

impl<'m> Rewriter<'m> {
    /// Emits the code after the iterations of a block.
    pub(super) fn combine_in_last_block(
        &mut self,
        parts: Parts<'m>,
        entry: BlockId,
        space: &Space,
        sums: &[Accumulator],
        end: &[ValueId],
        plan: &mut EntryPlan,
    ) {
        let module = self.from;
        let parallel = module.op(parts.parallel);
        let loc = parallel.loc;
        let counter = self.buffer(
            entry,
            "arrivals",
            loc,
            plan,
            Buffer {
                element: Scalar::I64,
                elements: Elements::Fixed(1),
                zeroed: true,
            },
        );
        let here = space.ids.map(|id| self.resized(id, Scalar::I64, loc));
        let block = self.block_number(space, here, loc);
        let mut tokens = self.tokens_before(parts);
        let mut partials = Vec::new();
        for (number, sum) in sums.iter().enumerate() {
            let Some((element, shape)) = sum.ty.as_number_tile() else {
                tokens.push(end[sum.index]);
                let inits = parallel.operands_of("initVals").get(number);
                tokens.extend(inits.map(|&init| self.value(init)));
                continue;
            };
            let count = shape.iter().product::<i64>().unsigned_abs();
            let base = self.buffer(
                entry,
                "partials",
                loc,
                plan,
                Buffer {
                    element,
                    elements: Elements::PerBlock(count),
                    zeroed: false,
                },
            );
            let pointers = self.pointers(base, block, shape, loc);
            tokens.push(self.store(pointers, end[sum.index], None, loc));
            partials.push(Partial { number, base });
        }
        let token = self.joined(&tokens, loc);
        let (is_last, arrived) = self.arrive(counter, space, token, loc);
        let branch = self
            .builder()
            .op(ControlFlowOp::If, loc)
            .operand("condition", is_last)
            .finish();
        let then = self.builder().add_region_block(branch);
        self.to.add_region(branch);
        self.inside(then, |this| {
            let zero = this.constant(Scalar::I64, 0, loc);
            this.store(counter, zero, Some(arrived), loc);
            for (&result, sum) in parallel.results.iter().zip(sums) {
                if sum.ty.is_token() {
                    this.bind(result, arrived);
                }
            }
            this.combine_partials(parts, space, sums, &partials, arrived);
            this.operations(parts.behind);
            this.builder().terminate(ControlFlowOp::Yield, &[], loc);
        });
    }

    /// Appends a pointer parameter to the entry.
    fn buffer(
        &mut self,
        entry: BlockId,
        name: &str,
        loc: Loc,
        plan: &mut EntryPlan,
        buffer: Buffer,
    ) -> ValueId {
        let ty = Type::pointer(buffer.element);
        plan.buffers.push(buffer);
        let param = self.to.add_block_arg(entry, ty, loc);
        self.name(param, name);
        param
    }

    /// Returns the tokens of loads before the loop, which must complete before the last block
    /// stores anything.
    fn tokens_before(&self, parts: Parts<'_>) -> Vec<ValueId> {
        let module = self.from;
        let ops = parts.before.iter().map(|&id| module.op(id));
        let loads = ops.filter(|op| op.def().effects == Effects::Read);
        let results = loads.flat_map(|op| op.results.iter().copied());
        let tokens = results.filter(|&result| module.ty(result).is_token());
        tokens.map(|token| self.value(token)).collect()
    }

    /// Returns the linear index of a block in the grid, `x` fastest, as `i64`.
    fn block_number(&mut self, space: &Space, [x, y, z]: [ValueId; 3], loc: Loc) -> ValueId {
        let [width, height, _] = space.nums.map(|num| self.resized(num, Scalar::I64, loc));
        let above = self.compute(Arithmetic::Mul, z, height, loc);
        let row = self.compute(Arithmetic::Add, above, y, loc);
        let before = self.compute(Arithmetic::Mul, row, width, loc);
        self.compute(Arithmetic::Add, before, x, loc)
    }

    /// Returns the addresses at which a buffer holds a block's tile of shape `shape`.
    fn pointers(&mut self, base: ValueId, block: ValueId, shape: &[i64], loc: Loc) -> ValueId {
        let count = shape.iter().product::<i64>();
        let elements = self.constant(Scalar::I64, count.unsigned_abs(), loc);
        let first = self.compute(Arithmetic::Mul, block, elements, loc);
        let mut builder = self.builder();
        if shape.is_empty() {
            return builder.like_first(CoreOp::Offset, &[base, first], loc);
        }
        let bases = builder.splat_value(base, shape, loc);
        let firsts = builder.splat_value(first, shape, loc);
        let iota = builder
            .op(CoreOp::Iota, loc)
            .result(Type::tile(Scalar::I64, &[count]))
            .finish_value();
        let iota = if shape.len() == 1 {
            iota
        } else {
            builder.reshape(iota, shape, loc)
        };
        let offsets = builder.wrapping(IntegerOp::AddI, &[firsts, iota], loc);
        builder.like_first(CoreOp::Offset, &[bases, offsets], loc)
    }

    fn store(
        &mut self,
        pointers: ValueId,
        value: ValueId,
        token: Option<ValueId>,
        loc: Loc,
    ) -> ValueId {
        self.builder()
            .op(MemoryOp::StorePtrTko, loc)
            .operand("destination", pointers)
            .operand("value", value)
            .operands("token", token.as_slice())
            .attr(
                "memory_ordering_semantics",
                Attr::MemoryOrdering(MemoryOrdering::Weak),
            )
            .result(Type::token())
            .finish_value()
    }

    /// Increments the arrival counter. Returns whether this block is the last to arrive, and a
    /// token.
    fn arrive(
        &mut self,
        counter: ValueId,
        space: &Space,
        token: ValueId,
        loc: Loc,
    ) -> (ValueId, ValueId) {
        let one = self.constant(Scalar::I64, 1, loc);
        let arrival = self
            .builder()
            .op(AtomicOp::AtomicRmwTko, loc)
            .operand("pointers", counter)
            .operand("arg", one)
            .operand("token", token)
            .attr(
                "memory_ordering_semantics",
                Attr::MemoryOrdering(MemoryOrdering::AcqRel),
            )
            .attr("memory_scope", Attr::MemoryScope(MemoryScope::Device))
            .attr("mode", Attr::RmwMode(AtomicRmwMode::Add))
            .result(Type::scalar(Scalar::I64))
            .result(Type::token())
            .finish_values();
        let [x, y, z] = space.nums.map(|num| self.resized(num, Scalar::I64, loc));
        let plane = self.compute(Arithmetic::Mul, x, y, loc);
        let blocks = self.compute(Arithmetic::Mul, plane, z, loc);
        let last = self.compute(Arithmetic::Sub, blocks, one, loc);
        let signedness = Signedness::Unsigned;
        let is_last = self.compare(
            ComparisonPredicate::Equal,
            arrival[0],
            last,
            signedness,
            loc,
        );
        (is_last, arrival[1])
    }

    /// Computes the results of the loop from the results of the blocks.
    fn combine_partials(
        &mut self,
        parts: Parts<'m>,
        space: &Space,
        sums: &[Accumulator],
        partials: &[Partial],
        arrived: ValueId,
    ) {
        if partials.is_empty() {
            return;
        }
        let parallel = self.from.op(parts.parallel);
        let loc = parallel.loc;
        let mut last: Vec<Accumulator> = partials.iter().map(|one| sums[one.number]).collect();
        let inits = parallel.operands_of("initVals");
        let inits: Vec<ValueId> = match inits {
            [] => Vec::new(),
            inits => partials
                .iter()
                .map(|one| self.value(inits[one.number]))
                .collect(),
        };
        let start = self.start(&mut last, &inits, loc);
        let zero = self.constant(Scalar::I64, 0, loc);
        let one = self.constant(Scalar::I64, 1, loc);
        let mut ranges = self.busy(space, loc).map(|upper| Range {
            lower: zero,
            upper,
            step: one,
            signedness: Signedness::Unsigned,
        });
        // Visits the blocks in the order of their linear index.
        ranges.reverse();
        let end = self.nest(&ranges, &start, loc, &mut |this, position, carried| {
            let &[z, y, x] = position else {
                unreachable!("a grid has three axes")
            };
            let block = this.block_number(space, [x, y, z], loc);
            let mut carried = carried.to_vec();
            for (partial, sum) in partials.iter().zip(&last) {
                let value = this.load(partial.base, block, sum.ty, arrived, loc);
                this.combine(sum, &mut carried, value);
            }
            carried
        });
        for (partial, sum) in partials.iter().zip(&last) {
            self.bind_all(&[parallel.results[partial.number]], &[end[sum.index]]);
        }
    }

    fn load(
        &mut self,
        base: ValueId,
        block: ValueId,
        ty: Type,
        token: ValueId,
        loc: Loc,
    ) -> ValueId {
        let (_, shape) = ty.as_number_tile().expect("others are not stored");
        let pointers = self.pointers(base, block, shape, loc);
        self.builder()
            .op(MemoryOp::LoadPtrTko, loc)
            .operand("source", pointers)
            .operand("token", token)
            .attr(
                "memory_ordering_semantics",
                Attr::MemoryOrdering(MemoryOrdering::Weak),
            )
            .result(ty)
            .result(Type::token())
            .finish_value()
    }
}
