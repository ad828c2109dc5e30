//! Verifies constants and operations on shapes, beyond the rules of their rows.

use super::{Context, global, listed, reduce};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, DenseElements, Op, OpId, ValueId};
use crate::ops::CoreOp;
use crate::types::{Element, Scalar, TileType};
use smallvec::SmallVec;

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, id: OpId, op: &Op, opcode: CoreOp) {
    match opcode {
        CoreOp::Broadcast => broadcast(cx, op),
        CoreOp::Cat => cat(cx, op),
        CoreOp::Constant => constant(cx, op),
        // `entry` checks entries.
        CoreOp::Entry => {}
        CoreOp::Extract => {
            let (slice, whole) = (op.result(), op.operands[0]);
            slices(cx, op, slice, whole, &op.operands[1..]);
        }
        CoreOp::GetGlobal => global::verify_use(cx, op),
        CoreOp::Global => global::verify(cx, op),
        CoreOp::Insert => {
            let (slice, whole) = (op.operands[0], op.operands[1]);
            slices(cx, op, slice, whole, &op.operands[2..]);
        }
        CoreOp::Iota => iota(cx, op),
        CoreOp::Pack => repack(cx, op, op.operands[0], op.result()),
        CoreOp::Permute => permute(cx, op),
        CoreOp::Reduce | CoreOp::Scan => reduce::verify(cx, id, op),
        CoreOp::Reshape => reshape(cx, op),
        CoreOp::Select => select(cx, op),
        CoreOp::Unpack => repack(cx, op, op.result(), op.operands[0]),
        CoreOp::GetNumTileBlocks | CoreOp::GetTileBlockId | CoreOp::Module | CoreOp::Offset => {}
    }
}

/// Returns the tile types of the operand `source` and the result.
fn source_and_result(cx: &Context<'_>, op: &Op) -> Option<(&'static TileType, &'static TileType)> {
    let source = cx.ty(op.operands[0]).as_tile()?;
    Some((source, cx.ty(op.result()).as_tile()?))
}

fn broadcast(cx: &mut Context<'_>, op: &Op) {
    let Some((source, result)) = source_and_result(cx, op) else {
        return;
    };
    let fits = |(&from, &to): (&i64, &i64)| from == to || from == 1;
    if !source.shape.iter().zip(&result.shape).all(fits) {
        cx.operand_error(
            op,
            op.operands[0],
            format!(
                "cannot broadcast shape {} to {}",
                listed(&source.shape),
                listed(&result.shape)
            ),
            "`broadcast` expects the shape of source tile to be compatible: an axis has the extent of the result, or extent one",
        );
    }
}

fn cat(cx: &mut Context<'_>, op: &Op) {
    let shape = |value: ValueId| cx.ty(value).as_tile().map(|tile| &*tile.shape);
    let (Some(lhs), Some(rhs), Some(result), Some(&Attr::Int(dim))) = (
        shape(op.operands[0]),
        shape(op.operands[1]),
        shape(op.result()),
        op.attr("dim"),
    ) else {
        return;
    };
    let rank = lhs.len();
    let Some(dim) = usize::try_from(dim).ok().filter(|&dim| dim < rank) else {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("expected `dim` to be in [0, {rank}), found {dim}"),
            "`dim` is the axis along which tiles are concatenated",
        );
        return;
    };
    for axis in (0..rank).filter(|&axis| axis != dim) {
        if lhs[axis] != rhs[axis] {
            cx.operand_error(
                op,
                op.operands[1],
                format!(
                    "expected `rhs` with extent {} along axis {axis}, found {}",
                    lhs[axis], rhs[axis]
                ),
                "the tiles of `cat` differ along `dim` only",
            );
            return;
        }
    }
    let expected = |axis: usize| {
        if axis == dim {
            lhs[axis] + rhs[axis]
        } else {
            lhs[axis]
        }
    };
    if let Some(axis) = (0..rank).find(|&axis| result[axis] != expected(axis)) {
        cx.error(
            Code::VerifyResults,
            op,
            format!(
                "expected a result with extent {} along axis {axis}, found {}",
                expected(axis),
                result[axis]
            ),
            "the extent of the result along `dim` is the sum of those of the tiles; other extents stay",
        );
    }
}

fn constant(cx: &mut Context<'_>, op: &Op) {
    if let (Some(Attr::Dense(dense)), Some(tile)) = (op.attr("value"), cx.ty(op.result()).as_tile())
    {
        verify_dense(cx, op, dense, tile);
    }
}

/// Reports elements that do not fit `tile`.
pub(super) fn verify_dense(cx: &mut Context<'_>, op: &Op, dense: &DenseElements, tile: &TileType) {
    let scalar = dense.scalar();
    if tile.element != Element::Scalar(scalar) {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!(
                "expected a value of `{}`, found one of `{scalar}`",
                tile.element
            ),
            "the value has the element type of its tile",
        );
        return;
    }
    let (count, bits) = match dense {
        DenseElements::Splat { bits, .. } => (None, std::slice::from_ref(bits)),
        DenseElements::Each { bits, .. } => (Some(bits.len()), bits.as_slice()),
    };
    let elements = usize::try_from(tile.num_elements()).ok();
    if let Some(count) = count
        && Some(count) != elements
    {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("expected {} elements, found {count}", tile.num_elements()),
            "the value is one number, or one per element of its tile",
        );
    }
    if !bits.iter().all(|&bits| fits(scalar, bits)) {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("a value does not fit `{scalar}`"),
            format!("`{scalar}` has {} bits", scalar.bits()),
        );
    }
}

/// Returns `true` if `bits` is a bit pattern of `scalar`.
pub(super) fn fits(scalar: Scalar, bits: u64) -> bool {
    // No type is wider than the 64 bits of a pattern.
    bits.checked_shr(scalar.bits()).unwrap_or(0) == 0
}

fn iota(cx: &mut Context<'_>, op: &Op) {
    let Some((scalar, shape)) = cx.ty(op.result()).as_number_tile() else {
        return;
    };
    let &[extent] = shape else {
        cx.error(
            Code::VerifyResults,
            op,
            format!("expected rank 1, found rank {}", shape.len()),
            "`iota` counts along one axis",
        );
        return;
    };
    if scalar.bits() < 64 && extent > 1 << scalar.bits() {
        cx.error(
            Code::VerifyResults,
            op,
            format!("`{scalar}` cannot count to {extent}"),
            "the extent of `iota` is at most two to the width of its elements",
        );
    }
}

/// Checks that slices tile the whole, and that constant indices are within the number of slices.
fn slices(cx: &mut Context<'_>, op: &Op, slice: ValueId, whole: ValueId, indices: &[ValueId]) {
    let (Some(slice), Some(whole)) = (cx.ty(slice).as_tile(), cx.ty(whole).as_tile()) else {
        return;
    };
    if indices.len() != whole.shape.len() {
        cx.error(
            Code::VerifyOperands,
            op,
            format!(
                "expected {} indices, found {}",
                whole.shape.len(),
                indices.len()
            ),
            "there is an index per axis",
        );
        return;
    }
    for (axis, (&part, &whole_extent)) in slice.shape.iter().zip(&whole.shape).enumerate() {
        if whole_extent % part != 0 {
            cx.error(
                Code::VerifyOperands,
                op,
                format!(
                    "expected slices whose extent divides {whole_extent} along axis {axis}, found {part}"
                ),
                "the extents of the whole must be evenly divisible by those of the slice",
            );
            return;
        }
        let index = constant_index(cx, indices[axis]);
        let count = whole_extent / part;
        if let Some(index) = index.filter(|index| !(0..count).contains(index)) {
            let message = format!("index {index} along axis {axis} is out of range");
            let diagnostic = Diagnostic::warning(Code::VerifyOperands, op.loc, message)
                .note(format!("there are {count} slices, counted from 0"));
            cx.report(diagnostic);
        }
    }
}

/// Returns the value of a rank-0 i32 constant.
fn constant_index(cx: &Context<'_>, value: ValueId) -> Option<i64> {
    let op = cx.module.op(cx.module.defining_op(value)?);
    if op.opcode != CoreOp::Constant.into() {
        return None;
    }
    match op.attrs.first() {
        Some(Some(Attr::Dense(dense))) => {
            let bits = u32::try_from(dense.splat_bits()?).ok()?;
            Some(i64::from(bits.cast_signed()))
        }
        _ => None,
    }
}

/// Reports numbers and bytes that do not have the same size in memory.
fn repack(cx: &mut Context<'_>, op: &Op, numbers: ValueId, bytes: ValueId) {
    let (Some((scalar, shape)), Some((_, byte_shape))) = (
        cx.ty(numbers).as_number_tile(),
        cx.ty(bytes).as_number_tile(),
    ) else {
        return;
    };
    let mnemonic = op.def().mnemonic;
    let (&[count], &[actual]) = (shape, byte_shape) else {
        cx.error(
            Code::VerifyOperands,
            op,
            format!(
                "expected tiles of rank 1, found ranks {} and {}",
                shape.len(),
                byte_shape.len()
            ),
            format!("`{mnemonic}` works on rank-1 tiles"),
        );
        return;
    };
    let width = i64::from(packed_bits(scalar));
    if width == 8 {
        cx.error(
            Code::VerifyOperands,
            op,
            format!("expected different element type widths, found `{scalar}` and `i8`"),
            format!("`{mnemonic}` is about numbers that are not bytes; `bitcast` is about those"),
        );
        return;
    }
    let bits = count * width;
    if bits % 8 != 0 {
        cx.error(
            Code::VerifyOperands,
            op,
            format!("expected whole bytes, found {bits} bits"),
            "the numbers must be byte-aligned",
        );
    } else if bits / 8 != actual {
        cx.error(
            Code::VerifyOperands,
            op,
            format!("expected {} bytes, found {actual}", bits / 8),
            "source and result have the same size in bytes",
        );
    }
}

/// Returns the number of bits of an element in memory.
fn packed_bits(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::TF32 => 32,
        other => other.bits(),
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
        cx.operand_error(
            op,
            op.operands[0],
            format!("expected rank 2 or more, found rank {rank}"),
            "`permute` needs axes to exchange",
        );
        return;
    }
    let mut seen: SmallVec<[bool; 8]> = SmallVec::from_elem(false, rank);
    let fresh = |&axis: &i32| {
        let axis = usize::try_from(axis).ok();
        let slot = axis.and_then(|axis| seen.get_mut(axis));
        slot.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    if permutation.len() != rank || !permutation.iter().all(fresh) {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("{} is no permutation of {rank} axes", listed(permutation)),
            "the permutation names every axis of the source once",
        );
        return;
    }
    let axes = permutation
        .iter()
        .filter_map(|&axis| usize::try_from(axis).ok());
    let expected = axes.map(|axis| source.shape[axis]);
    if !expected.clone().eq(result.shape.iter().copied()) {
        cx.error(
            Code::VerifyResults,
            op,
            format!(
                "expected a result of shape {}, found {}",
                listed(&expected.collect::<Vec<i64>>()),
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
        cx.operand_error(
            op,
            op.operands[0],
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
        cx.error(
            Code::VerifyResults,
            op,
            format!("cannot select from `{ty}`"),
            "`select` does not work on `f4E2M1FN`",
        );
    }
}
