//! Constants, shapes, reductions, entries: what no rule can say.

use super::{Context, listed};
use crate::diag::Code;
use crate::ir::{Attr, BlockId, DenseElements, Op, OpId, TypedScalar};
use crate::ops::{ControlFlowOp, CoreOp, Effects};
use crate::types::{Element, Scalar, TileType, Type};

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, id: OpId, op: &Op, opcode: CoreOp) {
    match opcode {
        CoreOp::Broadcast => broadcast(cx, op),
        CoreOp::Constant => constant(cx, op),
        // `entry` checks entries.
        CoreOp::Entry => {}
        CoreOp::Cat
        | CoreOp::Extract
        | CoreOp::GetGlobal
        | CoreOp::Global
        | CoreOp::Insert
        | CoreOp::Module
        | CoreOp::Offset
        | CoreOp::Pack
        | CoreOp::Scan
        | CoreOp::Unpack => {}
        CoreOp::GetNumTileBlocks | CoreOp::GetTileBlockId => {}
        CoreOp::Iota => iota(cx, op),
        CoreOp::Permute => permute(cx, op),
        CoreOp::Reduce => reduce(cx, id, op),
        CoreOp::Reshape => reshape(cx, op),
        CoreOp::Select => select(cx, op),
    }
}

/// The tiles of the operand `source` and the result.
fn source_and_result(cx: &Context<'_>, op: &Op) -> Option<(&'static TileType, &'static TileType)> {
    let source = cx.ty(op.operand("source")).as_tile()?;
    Some((source, cx.ty(op.result()).as_tile()?))
}

fn broadcast(cx: &mut Context<'_>, op: &Op) {
    let Some((source, result)) = source_and_result(cx, op) else {
        return;
    };
    let fits = |(&from, &to): (&i64, &i64)| from == to || from == 1;
    if !source.shape.iter().zip(&result.shape).all(fits) {
        cx.operand_fault(
            op,
            op.operand("source"),
            format!(
                "cannot broadcast shape {} to {}",
                listed(&source.shape),
                listed(&result.shape)
            ),
            "an axis of the source has the extent of the result, or extent one",
        );
    }
}

fn constant(cx: &mut Context<'_>, op: &Op) {
    let (Some(Attr::Dense(dense)), Some(tile)) = (op.attr("value"), cx.ty(op.result()).as_tile())
    else {
        return;
    };
    let scalar = dense.scalar();
    if tile.element != Element::Scalar(scalar) {
        cx.fault(
            Code::VerifyAttributes,
            op,
            format!(
                "expected a value of `{}`, found one of `{scalar}`",
                tile.element
            ),
            "the value of a constant has the element type of the result",
        );
        return;
    }
    let (count, bits) = match &**dense {
        DenseElements::Splat { bits, .. } => (None, std::slice::from_ref(bits)),
        DenseElements::Each { bits, .. } => (Some(bits.len()), bits.as_slice()),
    };
    let elements = usize::try_from(tile.num_elements()).ok();
    if let Some(count) = count
        && Some(count) != elements
    {
        cx.fault(
            Code::VerifyAttributes,
            op,
            format!("expected {} elements, found {count}", tile.num_elements()),
            "a constant gives one value, or one per element of the result",
        );
    }
    if bits.iter().any(|&bits| !fits(scalar, bits)) {
        cx.fault(
            Code::VerifyAttributes,
            op,
            format!("a value does not fit `{scalar}`"),
            format!("`{scalar}` has {} bits", scalar.bits()),
        );
    }
}

fn fits(scalar: Scalar, bits: u64) -> bool {
    scalar.bits() == 64 || bits >> scalar.bits() == 0
}

fn iota(cx: &mut Context<'_>, op: &Op) {
    let Some((scalar, shape)) = cx.ty(op.result()).as_number_tile() else {
        return;
    };
    let &[extent] = shape else {
        cx.fault(
            Code::VerifyResults,
            op,
            format!("expected rank 1, found rank {}", shape.len()),
            "`iota` counts along one axis",
        );
        return;
    };
    if scalar.bits() < 64 && extent > 1 << scalar.bits() {
        cx.fault(
            Code::VerifyResults,
            op,
            format!("`{scalar}` cannot count to {extent}"),
            "the extent of `iota` is at most two to the width of its elements",
        );
    }
}

fn permute(cx: &mut Context<'_>, op: &Op) {
    let Some((source, result)) = source_and_result(cx, op) else {
        return;
    };
    let Some(Attr::I32Array(permutation)) = op.attr("permutation") else {
        return;
    };
    let rank = source.shape.len();
    if rank < 2 {
        cx.operand_fault(
            op,
            op.operand("source"),
            format!("expected rank 2 or more, found rank {rank}"),
            "`permute` needs axes to exchange",
        );
        return;
    }
    let mut seen = vec![false; rank];
    let axes: Option<Vec<usize>> = permutation
        .iter()
        .map(|&axis| {
            let axis = usize::try_from(axis).ok()?;
            let fresh = !std::mem::replace(seen.get_mut(axis)?, true);
            fresh.then_some(axis)
        })
        .collect();
    let Some(axes) = axes.filter(|axes| axes.len() == rank) else {
        cx.fault(
            Code::VerifyAttributes,
            op,
            format!("{permutation:?} is no permutation of {rank} axes"),
            "the permutation names every axis of the source once",
        );
        return;
    };
    let expected: Vec<i64> = axes.iter().map(|&axis| source.shape[axis]).collect();
    if expected != result.shape {
        cx.fault(
            Code::VerifyResults,
            op,
            format!(
                "expected a result of shape {}, found {}",
                listed(&expected),
                listed(&result.shape)
            ),
            "axis `i` of the result is axis `permutation[i]` of the source",
        );
    }
}

fn reshape(cx: &mut Context<'_>, op: &Op) {
    let Some((source, result)) = source_and_result(cx, op) else {
        return;
    };
    if source.num_elements() != result.num_elements() {
        cx.operand_fault(
            op,
            op.operand("source"),
            format!(
                "expected {} elements, found {}",
                source.num_elements(),
                result.num_elements()
            ),
            "`reshape` keeps the number of elements",
        );
    }
}

fn select(cx: &mut Context<'_>, op: &Op) {
    let ty = cx.ty(op.result());
    if ty
        .as_number_tile()
        .is_some_and(|(scalar, _)| scalar == Scalar::F4E2M1FN)
    {
        cx.fault(
            Code::VerifyResults,
            op,
            format!("cannot select from `{ty}`"),
            "`select` does not work on `f4E2M1FN`",
        );
    }
}

fn reduce(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let operands = cx.tys(op.operands_of("operands"));
    let Some(first) = operands.first().and_then(|ty| ty.as_tile()) else {
        cx.fault(
            Code::VerifyOperands,
            op,
            "expected at least one operand, found none",
            "`reduce` combines the elements of its operands",
        );
        return;
    };
    let (Some(&Attr::Int(dim)), Some(Attr::Scalars(identities))) =
        (op.attr("dim"), op.attr("identities"))
    else {
        return;
    };
    let axis = usize::try_from(dim)
        .ok()
        .filter(|&axis| axis < first.shape.len());
    let Some(axis) = axis else {
        cx.fault(
            Code::VerifyAttributes,
            op,
            format!("expected an axis below {}, found {dim}", first.shape.len()),
            "`dim` is an axis of the operands",
        );
        return;
    };
    let mut shape = first.shape.clone();
    shape.remove(axis);
    let elements: Vec<Element> = operands
        .iter()
        .filter_map(|ty| ty.as_tile())
        .map(|tile| tile.element)
        .collect();
    let tiles = |shape: &[i64]| -> Vec<Type> {
        let elements = elements.iter();
        elements
            .map(|&element| Type::tile(element, shape))
            .collect()
    };
    let results = cx.tys(&op.results);
    if results != tiles(&shape) {
        cx.fault(
            Code::VerifyResults,
            op,
            format!(
                "expected results {}, found {}",
                listed(&tiles(&shape)),
                listed(&results)
            ),
            "a result of `reduce` is its operand without the axis `dim`",
        );
    }
    reduce_identities(cx, op, &elements, identities);
    if let Some(body) = cx.module.region_block(id, 0) {
        reduce_body(cx, op, body, &tiles(&[]));
    }
}

fn reduce_identities(
    cx: &mut Context<'_>,
    op: &Op,
    elements: &[Element],
    identities: &[TypedScalar],
) {
    let found: Vec<Element> = identities.iter().map(|one| one.scalar.into()).collect();
    if found != elements {
        cx.fault(
            Code::VerifyAttributes,
            op,
            format!(
                "expected identities of {}, found {}",
                listed(elements),
                listed(&found)
            ),
            "`reduce` has an identity per operand, of its element type",
        );
        return;
    }
    if let Some(wide) = identities.iter().find(|one| !fits(one.scalar, one.bits)) {
        cx.fault(
            Code::VerifyAttributes,
            op,
            format!("an identity does not fit `{}`", wide.scalar),
            format!("`{}` has {} bits", wide.scalar, wide.scalar.bits()),
        );
    }
}

fn reduce_body(cx: &mut Context<'_>, op: &Op, body: BlockId, scalars: &[Type]) {
    let module = cx.module;
    let expected: Vec<Type> = scalars.iter().flat_map(|&ty| [ty, ty]).collect();
    cx.body_arguments(
        op,
        body,
        &expected,
        "the body takes an element and an accumulator per operand",
    );
    for &inner in &module.block(body).ops {
        let inner = module.op(inner);
        let mnemonic = inner.def().mnemonic;
        if inner.def().effects != Effects::Pure && !inner.def().is_terminator() {
            cx.fault(
                Code::VerifyStructure,
                inner,
                format!("`{mnemonic}` in the body of `reduce`"),
                "the body of `reduce` holds pure operations only",
            );
        }
        if inner.opcode == ControlFlowOp::Yield.into() {
            let yielded = cx.tys(&inner.operands);
            if yielded != scalars {
                cx.fault(
                    Code::VerifyOperands,
                    inner,
                    format!(
                        "expected to yield {}, found {}",
                        listed(scalars),
                        listed(&yielded)
                    ),
                    "the body yields the new accumulators",
                );
            }
        }
    }
}
