//! Block skipping: restricts loops to the iterations in which a condition on the induction variable holds.
//!
//! Input: a loop whose whole body is an `if` that compares a multiple of the induction variable with a number
//! from outside, as in causal attention. Output: a loop over the iterations in which the comparison holds,
//! without a branch around its body, so that its loads can be prefetched and nothing is loaded for the other
//! iterations.
//!
//! ```text
//!   for j in 0..n {                          for from in 0..n step S {
//!     if j * c <= b {                          count = from * c <= b ? (b - from * c) / c + 1 : 0
//!       body                                   for j in from..from + min(count, S, n - from) {
//!     }                                          body
//!   }                                          }
//!                                            }
//! ```
//!
//! The product `j * c` may wrap. `c` is a power of two, so in a group of `S = 2^(width - 1) / c` iterations
//! that starts at a multiple of `S`, the products increase without wrapping. In each group, the iterations in
//! which the condition holds therefore come first. The outer loop has one iteration unless `n` is larger than
//! `S`. If `c` is 1, nothing wraps, and there is no outer loop.

use crate::gpu::{Block, BlockId, Kernel, OpId, OpKind, Ty, ValueId, compute};
use crate::schedule::Refusal;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tile_core::ir::{ComparisonPredicate, Signedness};
use tile_core::ops::{CoreOp, IntegerOp, Opcode};
use tile_core::{Loc, Scalar};

/// Applies block skipping to every loop of the kernel that matches.
pub(crate) fn skip_blocks(kernel: &mut Kernel) -> Result<(), Refusal> {
    let mut refused = Err(Refusal::Because(
        "no loop consists of a branch on its induction variable",
    ));
    for (block, id) in loops(kernel) {
        if let Some(skip) = Skip::match_branch(kernel, id) {
            skip.apply(kernel, block, id);
            refused = Ok(());
        }
    }
    refused
}

/// Returns every `for`, with the block that contains it.
fn loops(kernel: &Kernel) -> Vec<(BlockId, OpId)> {
    let mut loop_ids = Vec::new();
    let mut blocks = vec![kernel.body()];
    while let Some(block) = blocks.pop() {
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            match op.kind {
                OpKind::For { .. } => loop_ids.push((block, id)),
                OpKind::Loop | OpKind::If => {}
                _ => continue,
            }
            blocks.extend(&op.blocks);
        }
    }
    loop_ids
}

/// A loop whose iterations can be skipped.
#[derive(Clone, Copy, Debug)]
struct Skip {
    /// The `if` that is the body of the loop.
    branch: OpId,
    /// The type of the induction variable.
    scalar: Scalar,
    /// The binary logarithm of the factor of the induction variable.
    shift: u32,
    /// The number with which the multiple is compared: the body runs if the multiple is less than the bound,
    /// or, unless `is_strict`, equal to it.
    bound: ValueId,
    is_strict: bool,
}

impl Skip {
    /// Matches the loop `id` against the pattern.
    fn match_branch(kernel: &Kernel, id: OpId) -> Option<Self> {
        let body = LoopBody::new(kernel, id)?;
        if !body.has_replaceable_branch() || !body.skips_without_change() {
            return None;
        }
        let scalar = body.counter()?;
        let Condition {
            shift,
            bound,
            is_strict,
        } = body.condition(scalar)?;
        Some(Self {
            branch: body.branch,
            scalar,
            shift,
            bound,
            is_strict,
        })
    }

    fn apply(self, kernel: &mut Kernel, block: BlockId, id: OpId) {
        self.inline(kernel, id);
        let op = kernel.op(id).clone();
        let index = kernel.block(block).ops.iter().position(|&op| op == id);
        let index = index.expect("the loop is in its block");
        if self.shift == 0 {
            let ops = kernel.block_mut(block).ops.split_off(index);
            let end = self.end(kernel, block, op.args[0], op.args[1], op.loc);
            kernel.op_mut(id).args[1] = end;
            kernel.block_mut(block).ops.extend(ops);
            return;
        }
        let around = kernel.add_block();
        let tys: Vec<Ty> = op.args.iter().map(|&arg| kernel.ty(arg)).collect();
        let first = kernel.add_block_arg(around, tys[0], op.loc);
        let carried = tys[3..]
            .iter()
            .map(|&ty| kernel.add_block_arg(around, ty, op.loc));
        let carried: Vec<ValueId> = carried.collect();
        let end = self.end(kernel, around, first, op.args[1], op.loc);
        let mut args: SmallVec<[ValueId; 4]> = SmallVec::from_slice(&[first, end, op.args[2]]);
        args.extend(carried);
        kernel.op_mut(id).args = args;
        // The results of the outer loop replace those of the original loop.
        let most = OpKind::Constant(1 << (self.scalar.bits() - 1 - self.shift));
        let step = kernel.add_op(most, &[], &tys[..1], &[], op.loc);
        let mut args: Vec<ValueId> = op.args.to_vec();
        args[2] = kernel.op(step).results[0];
        let outer = kernel.add_op(op.kind.clone(), &args, &tys[3..], &[around], op.loc);
        let results = std::mem::replace(&mut kernel.op_mut(outer).results, op.results.clone());
        kernel.op_mut(id).results.clone_from(&results);
        kernel.block_mut(around).ops.push(id);
        kernel.push(around, OpKind::Continue, &results, &[], &[], op.loc);
        kernel
            .block_mut(block)
            .ops
            .splice(index..=index, [step, outer]);
    }

    /// Replaces the `if` by the operations of its first arm.
    fn inline(self, kernel: &mut Kernel, id: OpId) {
        let body = kernel.op(id).blocks[0];
        let branch = kernel.op(self.branch).clone();
        let mut inside = kernel.block(branch.blocks[0]).ops.clone();
        let end = inside.pop().expect("the branch ends with what it yields");
        let yielded = kernel.op(end).args.clone();
        let ops = &mut kernel.block_mut(body).ops;
        let index = ops.iter().position(|&op| op == self.branch);
        let index = index.expect("the branch is in the body");
        ops.splice(index..=index, inside);
        let mut names: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        names.extend(branch.results.into_iter().zip(yielded));
        for id in kernel.block(body).ops.clone() {
            if let Some([if_true, _]) = selected(kernel, self.branch, id) {
                names.insert(kernel.op(id).results[0], if_true);
            }
        }
        let users: Vec<OpId> = kernel.op_ids().collect();
        for user in users {
            for arg in &mut kernel.op_mut(user).args {
                while let Some(&other) = names.get(arg) {
                    *arg = other;
                }
            }
        }
    }

    /// Adds to `block` the computation of the end of the range of iterations, starting at `first`, that are
    /// executed.
    fn end(
        self,
        kernel: &mut Kernel,
        block: BlockId,
        first: ValueId,
        upper: ValueId,
        loc: Loc,
    ) -> ValueId {
        use compute::Uniform::{Add, AtMost, Less, Mul, Select, Sub};
        let scalar = self.scalar;
        let mut add = |kind: OpKind, args: &[ValueId], of: Scalar| {
            let id = kernel.push(block, kind, args, &[Ty::Uniform(of)], &[], loc);
            kernel.op(id).results[0]
        };
        let op = |op: compute::Uniform| OpKind::Compute(op.element_op(scalar));
        let number = |bits: u64| OpKind::Constant(bits);
        let factor = add(number(1 << self.shift), &[], scalar);
        let (zero, one) = (add(number(0), &[], scalar), add(number(1), &[], scalar));
        let multiple = add(op(Mul), &[first, factor], scalar);
        let holds = if self.is_strict {
            Less { unsigned: false }
        } else {
            AtMost { unsigned: false }
        };
        let holds = add(op(holds), &[multiple, self.bound], Scalar::I1);
        // Where the condition holds, the distance to the bound is not negative, and as an unsigned number it
        // cannot wrap.
        let distance = add(op(Sub), &[self.bound, multiple], scalar);
        let last = if self.is_strict {
            add(op(Sub), &[distance, one], scalar)
        } else {
            distance
        };
        let shift = add(number(u64::from(self.shift)), &[], scalar);
        let last = add(op(compute::Uniform::ShiftRight), &[last, shift], scalar);
        // Take the minimum of the offsets of last iterations instead of the counts, since a count could wrap.
        let most = add(
            number((1 << (scalar.bits() - 1 - self.shift)) - 1),
            &[],
            scalar,
        );
        let left = add(op(Sub), &[upper, first], scalar);
        let left = add(op(Sub), &[left, one], scalar);
        let unsigned = Less { unsigned: true };
        let mut least = last;
        for other in [most, left] {
            let is_less = add(op(unsigned), &[other, least], Scalar::I1);
            least = add(op(Select), &[is_less, other, least], scalar);
        }
        let enters = add(op(Less { unsigned: false }), &[first, upper], Scalar::I1);
        let both = compute::Uniform::And.element_op(Scalar::I1);
        let any = add(OpKind::Compute(both), &[holds, enters], Scalar::I1);
        let count = add(op(Add), &[least, one], scalar);
        let count = add(op(Select), &[any, count, zero], scalar);
        add(op(Add), &[first, count], scalar)
    }
}

/// The body of a loop: an `if` among uniform arithmetic.
struct LoopBody<'k> {
    kernel: &'k Kernel,
    id: OpId,
    body: &'k Block,
    branch: OpId,
    /// The operation of the body that defines a value.
    defining: FxHashMap<ValueId, OpId>,
}

/// The condition of the `if`; see [`Skip`].
struct Condition {
    shift: u32,
    bound: ValueId,
    is_strict: bool,
}

impl<'k> LoopBody<'k> {
    /// Returns the body of the loop `id`. Besides the `if`, it may contain only uniform arithmetic, because
    /// anything else would have to be executed in the skipped iterations too.
    fn new(kernel: &'k Kernel, id: OpId) -> Option<Self> {
        let body = kernel.block(kernel.op(id).blocks[0]);
        let (_, ops) = body.ops.split_last()?;
        let mut branch = None;
        let mut defining: FxHashMap<ValueId, OpId> = FxHashMap::default();
        for &inner in ops {
            let op = kernel.op(inner);
            match op.kind {
                OpKind::If if branch.is_none() => branch = Some(inner),
                OpKind::Constant(_) | OpKind::Compute(_)
                    if kernel.ty(op.results[0]).layout().is_none() => {}
                _ => return None,
            }
            defining.extend(op.results.iter().map(|&result| (result, inner)));
        }
        Some(Self {
            kernel,
            id,
            body,
            branch: branch?,
            defining,
        })
    }

    /// Returns `true` if the operations of the first arm can replace the `if`. An arm that ends in a jump
    /// skips the rest of the body, so it cannot.
    fn has_replaceable_branch(&self) -> bool {
        let &[inside, _] = &self.kernel.op(self.branch).blocks[..] else {
            return false;
        };
        let end = self.kernel.block(inside).ops.last();
        end.is_some_and(|&end| matches!(self.kernel.op(end).kind, OpKind::Yield))
    }

    /// Returns `true` if a skipped iteration leaves the carried values as they are. That is so if the other
    /// arm yields them unchanged, or if a `select` on the same condition returns them.
    fn skips_without_change(&self) -> bool {
        let kernel = self.kernel;
        let branch = kernel.op(self.branch);
        let [_, otherwise] = branch.blocks[..] else {
            return false;
        };
        let (&[otherwise], Some(&jump)) = (&kernel.block(otherwise).ops[..], self.body.ops.last())
        else {
            return false;
        };
        let (otherwise, jump) = (kernel.op(otherwise), kernel.op(jump));
        let unchanged = |next: &ValueId| {
            let index = branch.results.iter().position(|result| result == next);
            let of_branch = index.map(|index| otherwise.args[index]);
            let selected = || selected(kernel, self.branch, *self.defining.get(next)?);
            let of_select = || selected().map(|[_, if_false]| if_false);
            of_branch.or_else(of_select).unwrap_or(*next)
        };
        let carried = self.body.args[1..].iter().copied();
        matches!(otherwise.kind, OpKind::Yield)
            && matches!(jump.kind, OpKind::Continue)
            && jump.args.iter().map(unchanged).eq(carried)
    }

    /// Returns the type of the induction variable, if the loop counts from 0 in steps of 1, as the formula
    /// assumes.
    fn counter(&self) -> Option<Scalar> {
        let op = self.kernel.op(self.id);
        let scalar = self.kernel.ty(self.body.args[0]).scalar()?;
        let counts = matches!(op.kind, OpKind::For { unsigned: false })
            && self.constant(op.args[0]) == Some(0)
            && self.constant(op.args[2]) == Some(1);
        (counts && scalar != Scalar::I1).then_some(scalar)
    }

    /// Returns the condition of the `if`, a signed comparison of a multiple of the induction variable with a
    /// number that is the same in every iteration.
    fn condition(&self, scalar: Scalar) -> Option<Condition> {
        let kernel = self.kernel;
        let condition = kernel.op(*self.defining.get(&kernel.op(self.branch).args[0])?);
        let OpKind::Compute(comparison) = &condition.kind else {
            return None;
        };
        if comparison.opcode != Opcode::Integer(IntegerOp::CmpI)
            || comparison.signedness() != Signedness::Signed
        {
            return None;
        }
        let shift = |value: ValueId| self.shift(value, scalar);
        let [lhs, rhs] = [condition.args[0], condition.args[1]];
        let (shift, bound, is_strict) = match (shift(lhs), comparison.predicate()) {
            (Some(shift), ComparisonPredicate::LessThan) => (shift, rhs, true),
            (Some(shift), ComparisonPredicate::LessThanOrEqual) => (shift, rhs, false),
            (None, ComparisonPredicate::GreaterThan) => (shift(rhs)?, lhs, true),
            (None, ComparisonPredicate::GreaterThanOrEqual) => (shift(rhs)?, lhs, false),
            _ => return None,
        };
        let is_outside = !self.defining.contains_key(&bound) && !self.body.args.contains(&bound);
        is_outside.then_some(Condition {
            shift,
            bound,
            is_strict,
        })
    }

    /// Returns the binary logarithm of the factor by which `value` is a multiple of the induction variable.
    fn shift(&self, value: ValueId, scalar: Scalar) -> Option<u32> {
        let counter = self.body.args[0];
        if value == counter {
            return Some(0);
        }
        let op = self.kernel.op(*self.defining.get(&value)?);
        let OpKind::Compute(element) = &op.kind else {
            return None;
        };
        let constant_beside = |index: usize| {
            let is_counter = op.args[index] == counter;
            is_counter
                .then(|| self.constant(op.args[1 - index]))
                .flatten()
        };
        let shift = match element.opcode {
            Opcode::Integer(IntegerOp::MulI) => {
                let factor = constant_beside(0).or_else(|| constant_beside(1))?;
                factor.is_power_of_two().then(|| factor.trailing_zeros())?
            }
            Opcode::Integer(IntegerOp::ShlI) => u32::try_from(constant_beside(0)?).ok()?,
            _ => return None,
        };
        // The factor is positive only if its bit is below the sign bit.
        (shift + 1 < scalar.bits()).then_some(shift)
    }

    /// Returns the bits of a constant.
    fn constant(&self, value: ValueId) -> Option<u64> {
        let inside = self.defining.get(&value).copied();
        let id = inside.or_else(|| self.kernel.defining(value))?;
        match self.kernel.op(id).kind {
            OpKind::Constant(bits) => Some(bits),
            _ => None,
        }
    }
}

/// Returns the two operands of `id`, if it is a `select` on the condition of `branch`.
fn selected(kernel: &Kernel, branch: OpId, id: OpId) -> Option<[ValueId; 2]> {
    let op = kernel.op(id);
    let OpKind::Compute(element) = &op.kind else {
        return None;
    };
    let is_same =
        element.opcode == Opcode::Core(CoreOp::Select) && op.args[0] == kernel.op(branch).args[0];
    is_same.then(|| [op.args[1], op.args[2]])
}
