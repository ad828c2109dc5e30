//! Which operations may run although the program may not have run them.
//!
//! The interpreter is the meaning of an operation: what it refuses for some operands (a shift
//! by the width, a division by zero, a sum that wraps against its promise) is undefined, and
//! making a program run it where it did not is a fault that was not there. Every operation is
//! listed, with the operands that make it defined.

use crate::ir::{DenseElements, IntegerOverflow, Op, OpId, Signedness, ValueId};
use crate::ops::{
    BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, IntegerOp, MemoryOp, Opcode, ViewOp,
};
use crate::rewrite::Rewriter;
use crate::types::Type;

/// What it takes to run an operation where the program may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speculation {
    /// Nothing: it is defined for the operands that it has.
    Free,
    /// Its promise not to overflow goes; without, it is defined.
    WithoutPromise,
    /// It stays, unless it certainly runs.
    Never,
}

use Speculation::{Free, Never, WithoutPromise};

/// What it takes to run `id` anywhere its operands are known.
pub(super) fn speculation(rewriter: &Rewriter, id: OpId) -> Speculation {
    let op = rewriter.op(id);
    match op.opcode {
        Opcode::Core(kind) => core(rewriter, id, kind),
        Opcode::Integer(kind) => integer(rewriter, op, kind),
        Opcode::Conversion(kind) => conversion(op, kind),
        Opcode::View(kind) => view(rewriter, op, kind),
        Opcode::Bitwise(BitwiseOp::AndI | BitwiseOp::OrI | BitwiseOp::XorI) => Free,
        // Every operation on floating-point numbers has a result, an infinity or NaN at worst.
        Opcode::Float(_) => Free,
        Opcode::Memory(MemoryOp::MakeToken | MemoryOp::JoinTokens) => Free,
        // The end of a body that is run as a whole.
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
        // Shapes are checked by the verifier; a pointer is only checked when it is used.
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
        // As defined as the body; a promise inside of it stays where it is.
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
        // Extents are checked when the view is used.
        ViewOp::MakeGatherScatterView
        | ViewOp::MakePartitionView
        | ViewOp::MakeStridedView
        | ViewOp::MakeTensorView => Free,
        // Undefined if an extent does not fit the result.
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

/// Whether a number of the type of `result` can be any extent of the view that is asked for
/// its extents; numbers of tiles are not greater.
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

/// The width of the numbers of a tile.
fn bits(ty: Type) -> Option<u32> {
    let (scalar, _) = ty.as_number_tile()?;
    Some(scalar.bits())
}

/// Whether `is_fit` holds for every element of a constant.
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

/// Whether a division makes a quotient, which may not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotient {
    Needed,
    Dropped,
}

/// Whether a division by the right operand is defined, whatever the left one is: no element
/// is 0, nor -1 where the quotient of the least number would not fit.
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
