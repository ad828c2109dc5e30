//! `unroll`: repeats the body of a `for` where an attribute asks for it.
//!
//! `cuda_tile.unroll = n` on a `for` asks for `n` bodies per iteration; `0` or `"full"` asks for
//! full unrolling, and `1` for no change. With `trips` iterations and `whole = trips - trips % n`,
//!
//! ```text
//! for i in [lower, upper) step s { B(i) }
//! =
//! for i in [lower, p) step n * s { B(i); B(i + s); … }; for i in [p, upper) step s { B(i) }
//! ```
//!
//! where `p = lower + whole * s`, or `upper` if `whole = trips`. Loop-carried values pass from each
//! body to the next. All bounds are computed as unsigned distances from `lower`, which do not wrap.
//! Where `n * s` is not representable, all iterations are left to the second loop, which then has
//! at most `2 * n` iterations.
//!
//! With constant bounds, loops that do not run are not made. Inner loops are unrolled first. An
//! unrolled loop loses the attribute; a loop that is not unrolled keeps it, and the trace records
//! the reason as `unroll_refused_*`. One reason is an iteration that ends early, by a `continue` in
//! an `if`.

mod bounds;
mod plan;

use crate::ir::{BlockId, OpId, ValueId};
use crate::ops::{ControlFlowOp, IntegerOp, Opcode};
use crate::pass::Trace;
use crate::rewrite::{Mapping, Rewriter};
use bounds::{Groups, groups};
use plan::{Plan, mask, plan};
use smallvec::SmallVec;

/// The attribute that asks for unrolling.
const ATTRIBUTE: &str = "cuda_tile.unroll";

/// Unrolls every loop with the attribute, inner loops first.
pub(crate) fn unroll(rewriter: &mut Rewriter, trace: &mut Trace) {
    let mut loops = rewriter.walk(rewriter.module().body());
    loops.retain(|&id| attribute(rewriter, id).is_some_and(|value| value != "1"));
    // `walk` lists an operation before its nested ones, so in reverse order, inner loops precede
    // outer ones.
    for id in loops.into_iter().rev() {
        let loc = rewriter.op(id).loc;
        match plan(rewriter, id) {
            Ok(plan) => {
                trace.note("unroll", loc);
                match plan.trips {
                    Some(trips) if trips <= plan.factor => flatten(rewriter, id, trips),
                    _ => split(rewriter, id, plan),
                }
            }
            Err(why) => trace.note(why, loc),
        }
    }
}

/// Returns the value of the attribute, which is empty if the attribute has no value.
fn attribute(rewriter: &Rewriter, id: OpId) -> Option<&str> {
    let op = rewriter.op(id);
    if op.opcode != Opcode::ControlFlow(ControlFlowOp::For) {
        return None;
    }
    let attr = op.discardable.iter().find(|attr| attr.name == ATTRIBUTE)?;
    let value = attr.value.as_deref().unwrap_or_default();
    Some(value.split(':').next().unwrap_or_default().trim())
}

/// Replaces a loop with constant bounds by its bodies.
fn flatten(rewriter: &mut Rewriter, id: OpId, trips: u64) {
    let op = rewriter.op(id);
    let (loc, bounds) = (op.loc, [op.operands[0], op.operands[2]]);
    let mut carried: Values = op.operands_of("initValues").iter().copied().collect();
    let number = bounds.map(|bound| rewriter.splat_integer(bound));
    let [Some((scalar, lower)), Some((_, step))] = number else {
        unreachable!("the trips are known from the bounds");
    };
    for trip in 0..trips {
        let counter_value = lower.wrapping_add(trip.wrapping_mul(step)) & mask(scalar);
        let counter =
            rewriter.build_before(id, |builder| builder.splat(scalar, counter_value, &[], loc));
        carried = copy_body(rewriter, id, Place::Before(id), counter, &carried);
    }
    rewriter.replace(id, &carried);
}

/// Makes a loop of several bodies per iteration before a loop, which becomes the remainder.
fn split(rewriter: &mut Rewriter, id: OpId, plan: Plan) {
    let op = rewriter.op(id);
    let (loc, is_unsigned) = (op.loc, op.has_flag("unsignedCmp"));
    let lower = op.operands[0];
    let inits: Values = op.operands_of("initValues").iter().copied().collect();
    let types: SmallVec<[_; 4]> = op
        .results
        .iter()
        .map(|&result| rewriter.ty(result))
        .collect();
    let mut discardable = op.discardable.clone();
    discardable.retain(|attr| attr.name != ATTRIBUTE);
    let Groups {
        end,
        step,
        offsets,
        is_all,
    } = groups(rewriter, id, plan);
    let new_loop = rewriter.build_before(id, |builder| {
        builder
            .op(ControlFlowOp::For, loc)
            .args(&[lower, end, step])
            .operands("initValues", &inits)
            .flag("unsignedCmp", is_unsigned)
            .results(&types)
            .finish()
    });
    rewriter
        .op_mut(new_loop)
        .discardable
        .clone_from(&discardable);
    let from = rewriter.region_block(id, 0).expect("a loop has a body");
    let block = rewriter.copy_signature(from, new_loop, &mut Mapping::default());
    let first = rewriter.block(block).args[0];
    let mut carried: Values = rewriter.block(block).args[1..].iter().copied().collect();
    carried = copy_body(rewriter, id, Place::End(block), first, &carried);
    for by in offsets {
        let counter = rewriter.build_at_end(block, |builder| {
            builder.wrapping(IntegerOp::AddI, &[first, by], loc)
        });
        carried = copy_body(rewriter, id, Place::End(block), counter, &carried);
    }
    rewriter.build_at_end(block, |builder| {
        builder.terminate(ControlFlowOp::Continue, &carried, loc);
    });
    let results: Values = rewriter.op(new_loop).results.iter().copied().collect();
    if is_all {
        rewriter.replace(id, &results);
        return;
    }
    rewriter.op_mut(id).discardable = discardable;
    rewriter.set_operand(id, 0, end);
    let first_init = rewriter.op(id).operands.len() - inits.len();
    for (index, &result) in results.iter().enumerate() {
        rewriter.set_operand(id, first_init + index, result);
    }
}

type Values = SmallVec<[ValueId; 4]>;

/// The destination of a copy.
#[derive(Clone, Copy, Debug)]
enum Place {
    Before(OpId),
    End(BlockId),
}

/// Copies the body of `id` for one iteration; returns the loop-carried values after it.
fn copy_body(
    rewriter: &mut Rewriter,
    id: OpId,
    place: Place,
    counter: ValueId,
    carried: &[ValueId],
) -> Values {
    let body = rewriter.region_block(id, 0).expect("a loop has a body");
    let mut mapping = Mapping::default();
    let args = rewriter.block(body).args.iter();
    for (&argument, &value) in args.zip(std::iter::once(&counter).chain(carried)) {
        mapping.insert(argument, value);
    }
    let mut next = rewriter.first(body);
    while let Some(inner) = next {
        next = rewriter.next(inner);
        if next.is_none() {
            let operands = rewriter.op(inner).operands.iter();
            return operands.map(|&value| mapping.get(value)).collect();
        }
        match place {
            Place::Before(insertion_point) => {
                rewriter.clone_before(inner, insertion_point, &mut mapping)
            }
            Place::End(block) => rewriter.clone_to_end(inner, block, &mut mapping),
        };
    }
    unreachable!("a body ends in `continue`")
}
