//! `assert-assumptions`: turns assumptions into assertions.
//!
//! Rewrites `assume P, x` to `x`, preceded by an `assert` that `P` holds. A violated assumption is
//! undefined behaviour, which the interpreter reports and a GPU does not; with this pass all
//! devices report the violation, and no later pass relies on the assumption.

use crate::build::Builder;
use crate::ir::{AssumePredicate, Attr, ComparisonPredicate, Loc, Signedness, ValueId};
use crate::ops::{
    BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, IntegerOp, MiscOp, Opcode, ViewOp,
};
use crate::pass::Trace;
use crate::rewrite::Rewriter;
use crate::types::{Element, Scalar, Type};

/// Turns every assumption into an assertion.
pub(crate) fn assert_assumptions(rewriter: &mut Rewriter, trace: &mut Trace) {
    for id in rewriter.walk(rewriter.module().body()) {
        let op = rewriter.op(id);
        if op.opcode != Opcode::Misc(MiscOp::Assume) {
            continue;
        }
        let (value, loc) = (op.operands[0], op.loc);
        let predicate = op.assume_predicate().clone();
        // An assumption about a view concerns the address of its first element.
        let number = match rewriter.defined_by(value, ViewOp::MakeTensorView) {
            Some(view) => rewriter.op(view).operand("base"),
            None => value,
        };
        if rewriter.ty(number).as_tile().is_some() {
            rewriter.build_before(id, |builder| {
                let number = signed_64(builder, number, loc);
                let checked = check(builder, number, &predicate, step(builder, value), loc);
                if let Some((holds, message)) = checked {
                    builder
                        .op(ControlFlowOp::Assert, loc)
                        .args(&[holds])
                        .attr("message", Attr::Str(message.as_str().into()))
                        .finish();
                }
            });
        }
        rewriter.replace(id, &[value]);
        trace.note("assert_assumption", loc);
    }
}

/// Returns the required difference between neighbouring elements of a group.
fn step(builder: &Builder<'_>, value: ValueId) -> u64 {
    match builder.ty(value).as_tile().map(|tile| tile.element) {
        Some(Element::Ptr(pointee)) => pointee.bytes() as u64,
        Some(Element::Scalar(Scalar::I1)) => 0,
        _ => 1,
    }
}

/// Converts `value` to 64 bits: sign-extends integers, and converts pointers to addresses.
fn signed_64(builder: &mut Builder<'_>, value: ValueId, loc: Loc) -> ValueId {
    let tile = builder.ty(value);
    let tile = tile.as_tile().expect("the caller looked for a tile");
    let shape = tile.shape.clone();
    match tile.element {
        Element::Ptr(_) => builder
            .op(ConversionOp::PtrToInt, loc)
            .args(&[value])
            .result(Type::tile(Scalar::I64, &shape))
            .finish_value(),
        Element::Scalar(scalar) if scalar.bits() < 64 => {
            let signed = Some(Signedness::Signed);
            builder.convert(ConversionOp::ExtI, value, Scalar::I64, signed, loc)
        }
        Element::Scalar(_) => value,
    }
}

/// Makes the condition under which a predicate holds for a tile of `i64`, and the message of its
/// assertion. Returns `None` if the predicate has no effect.
fn check(
    builder: &mut Builder<'_>,
    number: ValueId,
    predicate: &AssumePredicate,
    step: u64,
    loc: Loc,
) -> Option<(ValueId, String)> {
    let shape = builder.ty(number).as_tile()?.shape.clone();
    match predicate {
        AssumePredicate::DivBy {
            divisor,
            every,
            along,
        } => {
            let first = match (every, along) {
                (Some(every), Some(along)) if *every > 1 => {
                    let axis = usize::try_from(*along).ok()?;
                    let within = place_in_group(builder, &shape, axis, *every, step, loc);
                    builder.wrapping(IntegerOp::SubI, &[number, within], loc)
                }
                _ => number,
            };
            let low_bits = builder.splat(Scalar::I64, divisor - 1, &shape, loc);
            let rest = builder.like_first(BitwiseOp::AndI, &[first, low_bits], loc);
            let zero = builder.splat(Scalar::I64, 0, &shape, loc);
            let equal = ComparisonPredicate::Equal;
            let holds = builder.cmpi(equal, rest, zero, Signedness::Unsigned, loc);
            Some((holds, format!("assumed divisible by {divisor}")))
        }
        AssumePredicate::Bounded { lower, upper } => {
            let mut within = |bound: &Option<i64>, predicate| {
                let bound =
                    builder.splat(Scalar::I64, bound.as_ref()?.cast_unsigned(), &shape, loc);
                Some(builder.cmpi(predicate, number, bound, Signedness::Signed, loc))
            };
            let least = within(lower, ComparisonPredicate::GreaterThanOrEqual);
            let most = within(upper, ComparisonPredicate::LessThanOrEqual);
            let holds = match (least, most) {
                (Some(least), Some(most)) => {
                    builder.like_first(BitwiseOp::AndI, &[least, most], loc)
                }
                (least, most) => least.or(most)?,
            };
            let shown =
                |bound: &Option<i64>| bound.map_or("?".to_owned(), |bound| bound.to_string());
            let message = format!("assumed between {} and {}", shown(lower), shown(upper));
            Some((holds, message))
        }
        AssumePredicate::SameElements(sizes) => {
            let mut first = number;
            for (axis, (&extent, &size)) in shape.iter().zip(sizes).enumerate() {
                // An extent is a power of two, and so is any block size that divides it.
                if size > 1 && extent % size == 0 {
                    first = first_of_block(builder, first, &shape, axis, size, loc);
                } else if size > 1 {
                    return None;
                }
            }
            let equal = ComparisonPredicate::Equal;
            let holds = builder.cmpi(equal, number, first, Signedness::Unsigned, loc);
            Some((holds, "assumed blocks of one value".to_owned()))
        }
    }
}

/// Makes the distance of each element from the first of its group along an axis.
fn place_in_group(
    builder: &mut Builder<'_>,
    shape: &[i64],
    axis: usize,
    every: i64,
    step: u64,
    loc: Loc,
) -> ValueId {
    let line = [shape[axis]];
    let ty = Type::tile(Scalar::I64, &line);
    let place = builder.op(CoreOp::Iota, loc).result(ty).finish_value();
    let group = builder.splat(Scalar::I64, every.unsigned_abs(), &line, loc);
    let place = builder.signed(IntegerOp::RemI, &[place, group], Signedness::Unsigned, loc);
    let step = builder.splat(Scalar::I64, step, &line, loc);
    let place = builder.wrapping(IntegerOp::MulI, &[place, step], loc);
    let mut ones = vec![1; shape.len()];
    ones[axis] = shape[axis];
    let place = builder.reshape(place, &ones, loc);
    builder.broadcast(place, shape, loc)
}

/// Replaces each element by the first of its block along an axis, by reshaping to
/// `[front, blocks, size, behind]`.
fn first_of_block(
    builder: &mut Builder<'_>,
    tile: ValueId,
    shape: &[i64],
    axis: usize,
    size: i64,
    loc: Loc,
) -> ValueId {
    let (front, behind) = (&shape[..axis], &shape[axis + 1..]);
    let mut split = [
        front.iter().product(),
        shape[axis] / size,
        size,
        behind.iter().product(),
    ];
    let whole = split;
    let blocks = builder.reshape(tile, &whole, loc);
    split[2] = 1;
    let zero = builder.splat(Scalar::I32, 0, &[], loc);
    let firsts = builder
        .op(CoreOp::Extract, loc)
        .operand("source", blocks)
        .operands("indices", &[zero; 4])
        .result(Type::tile(Scalar::I64, &split))
        .finish_value();
    let firsts = builder.broadcast(firsts, &whole, loc);
    builder.reshape(firsts, shape, loc)
}
