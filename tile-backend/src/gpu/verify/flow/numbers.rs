//! Evaluates the small integers that are stages and parities of circular buffers.

use super::super::super::{BlockId, Kernel, Op, OpId, OpKind, ValueId};
use super::places::stages;
use super::state::State;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use tile_core::Scalar;
use tile_core::ir::{ComparisonPredicate, Signedness};
use tile_core::ops::{BitwiseOp, CoreOp, IntegerOp, Opcode};

/// Known values, as bits of their type.
pub(super) type Known = BTreeMap<ValueId, u64>;

/// The values from which stages are computed; all others are ignored.
pub(super) struct Numbers {
    wanted: FxHashSet<ValueId>,
    /// For each operation, the values whose last use is the operation itself, or an operation inside of it.
    /// These are arguments of the block that contains the operation, and results of loops and branches in
    /// that block. In a branch, they are also values from outside that are not used later.
    last: FxHashMap<OpId, Vec<ValueId>>,
    /// For each block of an operation, those of these values that nothing inside the block uses, so that they
    /// are dead inside as well.
    gone: FxHashMap<BlockId, Vec<ValueId>>,
}

impl Numbers {
    pub(super) fn collect(kernel: &Kernel) -> Self {
        let mut numbers = Self {
            wanted: FxHashSet::default(),
            last: FxHashMap::default(),
            gone: FxHashMap::default(),
        };
        let mut worklist = Vec::new();
        all_stages(kernel, kernel.body(), &mut worklist);
        if worklist.is_empty() {
            return numbers;
        }
        let sources = Sources::collect(kernel);
        while let Some(value) = worklist.pop() {
            if numbers.wanted.insert(value) {
                worklist.extend(sources.of.get(&value).into_iter().flatten());
            }
        }
        let mut used = Used::default();
        all_used(kernel, kernel.body(), &mut used);
        numbers.uses(kernel, kernel.body(), &used, Vec::new());
        numbers
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Returns the values that nothing after an operation uses.
    pub(super) fn used_last(&self, id: OpId) -> &[ValueId] {
        self.last.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Returns the values from outside a block of a loop or branch that are used neither in it nor later.
    pub(super) fn gone_in(&self, block: BlockId) -> &[ValueId] {
        self.gone.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Records the last uses in a block. They are uses of the values that the block defines, and of `outer`,
    /// the values from outside that nothing after the block uses.
    fn uses(&mut self, kernel: &Kernel, block: BlockId, used: &Used, outer: Vec<ValueId>) {
        let wanted = |values: &[ValueId]| -> Vec<ValueId> {
            let wanted = values.iter().filter(|value| self.wanted.contains(value));
            wanted.copied().collect()
        };
        let mut local = outer;
        local.extend(wanted(&kernel.block(block).args));
        let mut last: BTreeMap<ValueId, OpId> = BTreeMap::new();
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            let is_used = |value: &&ValueId| {
                let mut inner = op.blocks.iter();
                op.args.contains(value) || inner.any(|inner| used[inner].contains(value))
            };
            // Later operations replace earlier ones, so each value is left with its last user.
            last.extend(local.iter().filter(is_used).map(|&value| (value, id)));
            if !op.blocks.is_empty() {
                let results = wanted(&op.results);
                last.extend(results.iter().map(|&value| (value, id)));
                local.extend(results);
            }
        }
        let mut of: BTreeMap<OpId, Vec<ValueId>> = BTreeMap::new();
        for (value, user) in last {
            of.entry(user).or_default().push(value);
        }
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            let values = of.remove(&id).unwrap_or_default();
            for &inner in &op.blocks {
                let (there, gone): (Vec<ValueId>, Vec<ValueId>) = values
                    .iter()
                    .filter(|value| !op.results.contains(value))
                    .partition(|value| used[&inner].contains(value));
                self.gone.insert(inner, gone);
                // The next iteration of a loop uses these values again, so none of them dies in the body.
                let is_once = matches!(op.kind, OpKind::If);
                let there = if is_once { there } else { Vec::new() };
                self.uses(kernel, inner, used, there);
            }
            self.last.insert(id, values);
        }
    }

    /// Returns the known numbers of `values`, in order.
    pub(super) fn given(&self, known: &Known, values: &[ValueId]) -> Vec<Option<u64>> {
        if self.wanted.is_empty() {
            return Vec::new();
        }
        values
            .iter()
            .map(|value| known.get(value).copied())
            .collect()
    }

    /// Assigns the numbers that the state last yielded to `values`.
    pub(super) fn take(&self, state: &mut State, values: &[ValueId]) {
        let given = std::mem::take(&mut state.yielded);
        for (value, given) in values.iter().zip(given) {
            match given.filter(|_| self.wanted.contains(value)) {
                Some(number) => state.known.insert(*value, number),
                None => state.known.remove(value),
            };
        }
    }

    /// Evaluates an operation, if its operands are known.
    pub(super) fn evaluate(&self, kernel: &Kernel, op: &Op, known: &mut Known) {
        let [result] = op.results[..] else { return };
        if !self.wanted.contains(&result) {
            return;
        }
        match evaluated(kernel, op, known) {
            Some(bits) => known.insert(result, bits),
            None => known.remove(&result),
        };
    }
}

/// The values that are used in each block and in the blocks nested in it.
type Used = FxHashMap<BlockId, BTreeSet<ValueId>>;

fn all_used(kernel: &Kernel, block: BlockId, used: &mut Used) {
    let mut used_here = BTreeSet::new();
    for &id in &kernel.block(block).ops {
        let op = kernel.op(id);
        used_here.extend(&op.args);
        for &inner in &op.blocks {
            all_used(kernel, inner, used);
            used_here.extend(&used[&inner]);
        }
    }
    used.insert(block, used_here);
}

fn all_stages(kernel: &Kernel, block: BlockId, values: &mut Vec<ValueId>) {
    for &id in &kernel.block(block).ops {
        let op = kernel.op(id);
        values.extend(stages(kernel, op));
        for &inner in &op.blocks {
            all_stages(kernel, inner, values);
        }
    }
}

/// The values from which each value is computed.
struct Sources {
    of: FxHashMap<ValueId, Vec<ValueId>>,
}

impl Sources {
    fn collect(kernel: &Kernel) -> Self {
        let mut sources = Self {
            of: FxHashMap::default(),
        };
        sources.block(kernel, kernel.body(), &mut Vec::new());
        sources
    }

    fn pass(&mut self, from: &[ValueId], to: &[ValueId]) {
        for (&from, &to) in from.iter().zip(to) {
            self.of.entry(to).or_default().push(from);
        }
    }

    fn block(&mut self, kernel: &Kernel, block: BlockId, around: &mut Vec<OpId>) {
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            let target = |of_loop: bool| {
                let mut outward = around.iter().rev().map(|&id| kernel.op(id));
                outward.find(|op| !of_loop || !matches!(op.kind, OpKind::If))
            };
            match op.kind {
                OpKind::For { .. } => {
                    let args = &kernel.block(op.blocks[0]).args[1..];
                    self.pass(&op.args[3..], args);
                    self.pass(args, &op.results);
                }
                OpKind::Loop => self.pass(&op.args, &kernel.block(op.blocks[0]).args),
                OpKind::Continue => {
                    let Some(target) = target(true) else { continue };
                    let is_for = matches!(target.kind, OpKind::For { .. });
                    let args = &kernel.block(target.blocks[0]).args;
                    self.pass(&op.args, &args[usize::from(is_for)..]);
                }
                OpKind::Break => {
                    let Some(target) = target(true) else { continue };
                    self.pass(&op.args, &target.results);
                }
                OpKind::Yield => {
                    let Some(target) = target(false) else {
                        continue;
                    };
                    self.pass(&op.args, &target.results);
                }
                OpKind::Compute(_) => {
                    for &result in &op.results {
                        self.of.entry(result).or_default().extend(&op.args);
                    }
                }
                _ => {}
            }
            around.push(id);
            for &inner in &op.blocks {
                self.block(kernel, inner, around);
            }
            around.pop();
        }
    }
}

fn evaluated(kernel: &Kernel, op: &Op, known: &Known) -> Option<u64> {
    let element = match &op.kind {
        OpKind::Constant(bits) => return Some(*bits),
        OpKind::Compute(element) => element,
        _ => return None,
    };
    let arg_number = |index: usize| known.get(op.args.get(index)?).copied();
    if element.opcode == CoreOp::Select.into() {
        return arg_number(if arg_number(0)? & 1 == 1 { 1 } else { 2 });
    }
    let bits = kernel
        .ty(op.args[0])
        .scalar()
        .filter(|ty| ty.is_integer() || *ty == Scalar::I1)?
        .bits();
    let mask = u64::MAX >> (64 - bits);
    let signed = |value: u64| value.wrapping_shl(64 - bits).cast_signed() >> (64 - bits);
    let (lhs, rhs) = (arg_number(0)? & mask, arg_number(1)? & mask);
    let value = match element.opcode {
        Opcode::Integer(IntegerOp::AddI) => lhs.wrapping_add(rhs),
        Opcode::Integer(IntegerOp::SubI) => lhs.wrapping_sub(rhs),
        Opcode::Integer(IntegerOp::MulI) => lhs.wrapping_mul(rhs),
        // Signed and unsigned remainders agree if neither operand is negative.
        Opcode::Integer(IntegerOp::RemI) if signed(lhs) >= 0 && signed(rhs) > 0 => lhs % rhs,
        Opcode::Bitwise(BitwiseOp::AndI) => lhs & rhs,
        Opcode::Bitwise(BitwiseOp::OrI) => lhs | rhs,
        Opcode::Bitwise(BitwiseOp::XorI) => lhs ^ rhs,
        Opcode::Integer(IntegerOp::CmpI) => {
            let order = match element.signedness() {
                Signedness::Unsigned => lhs.cmp(&rhs),
                Signedness::Signed => signed(lhs).cmp(&signed(rhs)),
            };
            u64::from(match element.predicate() {
                ComparisonPredicate::Equal => order.is_eq(),
                ComparisonPredicate::NotEqual => order.is_ne(),
                ComparisonPredicate::LessThan => order.is_lt(),
                ComparisonPredicate::LessThanOrEqual => order.is_le(),
                ComparisonPredicate::GreaterThan => order.is_gt(),
                ComparisonPredicate::GreaterThanOrEqual => order.is_ge(),
            })
        }
        _ => return None,
    };
    Some(value & mask)
}
