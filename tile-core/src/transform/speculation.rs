//! Decides which operations may be speculated, that is, run where the original program may not run
//! them.
//!
//! The interpreter defines each operation. Operands that it rejects are undefined behaviour, which
//! speculation must not introduce: a shift by the width, a division by zero, or a sum that wraps
//! against its promise. Every operation is listed, with the operands for which it is defined.

use crate::ir::{DenseElements, IntegerOverflow, Op, OpId, Signedness, ValueId};
use crate::ops::{
    BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, IntegerOp, MemoryOp, Opcode, ViewOp,
};
use crate::rewrite::Rewriter;
use crate::types::Type;

/// The condition under which an operation may be speculated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speculation {
    /// No condition: the operation is defined for all values that its operands can have.
    Free,
    /// The operation must drop its promise not to overflow.
    WithoutPromise,
    /// The operation must not be speculated.
    Never,
}

use Speculation::{Free, Never, WithoutPromise};

/// Returns the condition under which `id` may run wherever its operands are available.
pub(super) fn speculation(rewriter: &Rewriter, id: OpId) -> Speculation {
    let op = rewriter.op(id);
    match op.opcode {
        Opcode::Core(kind) => core(rewriter, id, kind),
        Opcode::Integer(kind) => integer(rewriter, op, kind),
        Opcode::Conversion(kind) => conversion(op, kind),
        Opcode::View(kind) => view(rewriter, op, kind),
        Opcode::Bitwise(BitwiseOp::AndI | BitwiseOp::OrI | BitwiseOp::XorI) => Free,
        // Every floating-point operation has a result, an infinity or NaN at worst.
        Opcode::Float(_) => Free,
        Opcode::Memory(MemoryOp::MakeToken | MemoryOp::JoinTokens) => Free,
        // A `yield` only terminates a body that runs as a whole.
        Opcode::ControlFlow(ControlFlowOp::Yield) => Free,
        Opcode::Memory(_)
        | Opcode::ControlFlow(_)
        | Opcode::Atomic(_)
        | Opcode::Misc(_)
        | Opcode::LoopDialect(_)
        | Opcode::Testing(_)
        | Opcode::Unregistered(_) => Never,
    }
}

fn core(rewriter: &Rewriter, id: OpId, kind: CoreOp) -> Speculation {
    match kind {
        // The verifier checks shapes; a pointer is checked only by an access.
        CoreOp::Broadcast
        | CoreOp::Cat
        | CoreOp::Constant
        | CoreOp::GetGlobal
        | CoreOp::GetNumTileBlocks
        | CoreOp::GetTileBlockId
        | CoreOp::Iota
        | CoreOp::Offset
        | CoreOp::Pack
        | CoreOp::Permute
        | CoreOp::Reshape
        | CoreOp::Select
        | CoreOp::Unpack => Free,
        // Indices may be out of range.
        CoreOp::Extract | CoreOp::Insert => Never,
        // These are defined if the body is; promises in the body are kept.
        CoreOp::Reduce | CoreOp::Scan => {
            let is_free = rewriter.blocks(id).all(|block| {
                let mut inner = rewriter.ops(block);
                inner.all(|inner| speculation(rewriter, inner) == Free)
            });
            if is_free { Free } else { Never }
        }
        CoreOp::Entry | CoreOp::Global | CoreOp::Module => Never,
    }
}

fn integer(rewriter: &Rewriter, op: &Op, kind: IntegerOp) -> Speculation {
    match kind {
        IntegerOp::AbsI
        | IntegerOp::CmpI
        | IntegerOp::MaxI
        | IntegerOp::MinI
        | IntegerOp::MmaI
        | IntegerOp::MulhiI => Free,
        IntegerOp::AddI | IntegerOp::MulI | IntegerOp::NegI | IntegerOp::SubI => promise(op),
        IntegerOp::ShlI if is_shift_in_range(rewriter, op) => promise(op),
        IntegerOp::ShrI if is_shift_in_range(rewriter, op) => Free,
        IntegerOp::DivI if is_divisor_fit(rewriter, op, Quotient::Needed) => Free,
        IntegerOp::RemI if is_divisor_fit(rewriter, op, Quotient::Dropped) => Free,
        IntegerOp::DivI | IntegerOp::RemI | IntegerOp::ShlI | IntegerOp::ShrI => Never,
    }
}

fn conversion(op: &Op, kind: ConversionOp) -> Speculation {
    match kind {
        ConversionOp::BitCast
        | ConversionOp::ExtI
        | ConversionOp::FToF
        | ConversionOp::FToI
        | ConversionOp::IToF
        | ConversionOp::IntToPtr
        | ConversionOp::PtrToInt
        | ConversionOp::PtrToPtr => Free,
        ConversionOp::TruncI => promise(op),
    }
}

fn view(rewriter: &Rewriter, op: &Op, kind: ViewOp) -> Speculation {
    match kind {
        // Extents are checked when the view is accessed.
        ViewOp::MakeGatherScatterView
        | ViewOp::MakePartitionView
        | ViewOp::MakeStridedView
        | ViewOp::MakeTensorView => Free,
        // These are undefined if an extent does not fit the result.
        ViewOp::GetIndexSpaceShape | ViewOp::GetTensorShape => {
            let fits = |&result: &ValueId| fits_any_extent(rewriter, op, result);
            if op.results.iter().all(fits) {
                Free
            } else {
                Never
            }
        }
        ViewOp::LoadViewTko | ViewOp::StoreViewTko => Never,
    }
}

/// Returns `true` if the type of `result` can represent any extent of the queried view; the number
/// of tiles along an axis is not greater than the extent.
fn fits_any_extent(rewriter: &Rewriter, op: &Op, result: ValueId) -> bool {
    let Some(bits @ ..64) = bits(rewriter.ty(result)) else {
        return true;
    };
    let source = rewriter.ty(op.operands[0]);
    let tile_view = source.as_tile_view().map(|view| view.tensor_view);
    source.as_tensor_view().or(tile_view).is_some_and(|view| {
        let mut extents = view.shape.iter();
        extents.all(|extent| extent.is_some_and(|extent| extent.cast_unsigned() >> bits == 0))
    })
}

fn promise(op: &Op) -> Speculation {
    match op.overflow() {
        IntegerOverflow::None => Free,
        IntegerOverflow::NoSignedWrap
        | IntegerOverflow::NoUnsignedWrap
        | IntegerOverflow::NoWrap => WithoutPromise,
    }
}

/// Returns the bit width of the elements of a tile.
fn bits(ty: Type) -> Option<u32> {
    let (scalar, _) = ty.as_number_tile()?;
    Some(scalar.bits())
}

/// Returns `true` if `is_fit` holds for every element of a constant.
fn all_elements(rewriter: &Rewriter, value: ValueId, is_fit: impl Fn(u64) -> bool) -> bool {
    match rewriter.constant(value).map(|dense| &**dense) {
        Some(&DenseElements::Splat { scalar: _, bits }) => is_fit(bits),
        Some(DenseElements::Each { scalar: _, bits }) => bits.iter().all(|&bits| is_fit(bits)),
        None => false,
    }
}

fn is_shift_in_range(rewriter: &Rewriter, op: &Op) -> bool {
    let width = bits(rewriter.ty(op.operands[1]));
    all_elements(rewriter, op.operands[1], |by| {
        width.is_some_and(|width| by < u64::from(width))
    })
}

/// The use of the quotient of a division, which may not be representable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotient {
    Needed,
    Dropped,
}

/// Returns `true` if a division by the right operand is defined for any left operand: no element is
/// 0, nor -1 where the quotient of the least number is not representable.
fn is_divisor_fit(rewriter: &Rewriter, op: &Op, quotient: Quotient) -> bool {
    let Some(width) = bits(rewriter.ty(op.operands[1])) else {
        return false;
    };
    let minus_one = u64::MAX >> (64 - width);
    let may_not_fit = quotient == Quotient::Needed && op.signedness() == Signedness::Signed;
    all_elements(rewriter, op.operands[1], |by| {
        by != 0 && !(may_not_fit && by == minus_one)
    })
}
