//! Conversions.
//!
//! `ftoi` converts NaN to 0, and an out-of-range value to the nearest representable integer, with
//! or without `saturating`. Without it, the dialect leaves the use of such a result undefined.

use super::buffers::Pointer;
use super::compile::Compiler;
use super::exact;
use super::machine::{Exec, Flow, partial, unary};
use super::number::{Float, Int, Wide, with_float, with_int};
use super::tile::{Lane, Storage, with_lane};
use crate::ir::{Attr, IntegerOverflow, Op, RoundingMode, Signedness};
use crate::ops::ConversionOp;
use crate::types::Scalar;

/// Compiles a conversion; `None` if it changes no bits.
pub(super) fn compile(kind: ConversionOp, cx: &mut Compiler<'_>, op: &Op) -> Option<Exec> {
    match kind {
        // Types of the same width have the same storage, and the pointee type does not affect a
        // pointer.
        ConversionOp::BitCast | ConversionOp::PtrToPtr => {
            cx.alias(op.result(), op.operands[0]);
            None
        }
        ConversionOp::IntToPtr => {
            let [a] = cx.args(op);
            Some(unary(a, cx.result(op), Pointer::from_address))
        }
        ConversionOp::PtrToInt => Some(addresses(cx, op)),
        ConversionOp::ExtI
        | ConversionOp::TruncI
        | ConversionOp::FToF
        | ConversionOp::FToI
        | ConversionOp::IToF => Some(numbers(kind, cx, op)),
    }
}

/// Converts pointers to addresses.
fn addresses(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let [a] = cx.args(op);
    let out = cx.result(op);
    Box::new(move |machine| {
        machine.write(out, |machine, result: &mut Vec<u64>| {
            let pointers = machine.tile::<Pointer>(a).iter();
            result.extend(pointers.map(|&pointer| machine.buffers.address(pointer)));
        });
        Ok(Flow::Next)
    })
}

fn numbers(kind: ConversionOp, cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let (from, to) = (cx.scalar(op.operands[0]), cx.scalar(op.result()));
    match kind {
        ConversionOp::BitCast
        | ConversionOp::IntToPtr
        | ConversionOp::PtrToInt
        | ConversionOp::PtrToPtr => unreachable!("handled by the caller"),
        ConversionOp::ExtI => with_int!(from, A => with_int!(to, B => {
            let [a] = cx.args(op);
            let out = cx.result(op);
            match op.signedness() {
                Signedness::Signed => unary(a, out, |a: <A as Int>::L| B::wrap(A::signed(a).cast_unsigned())),
                Signedness::Unsigned => unary(a, out, |a: <A as Int>::L| B::wrap(a.to_bits())),
            }
        }, else integers()), else integers()),
        ConversionOp::TruncI => with_int!(from, A => with_int!(to, B => {
            trunci::<A, B>(cx, op)
        }, else integers()), else integers()),
        ConversionOp::FToF => ftof(cx, op, from, to),
        ConversionOp::FToI => with_int!(to, B => with_float!(from, A => {
            type L = <A as Float>::L;
            let [a] = cx.args(op);
            let out = cx.result(op);
            match op.signedness() {
                Signedness::Signed => unary(a, out, |a: L| to_signed::<B>(A::widen(a).to_f64())),
                Signedness::Unsigned => unary(a, out, |a: L| to_unsigned::<B>(A::widen(a).to_f64())),
            }
        }, else with_lane!(Storage::for_scalar(from), L => {
            let [a] = cx.args(op);
            let out = cx.result(op);
            let signed = op.signedness() == Signedness::Signed;
            unary(a, out, move |a: L| {
                let value = exact::decode(from, a.to_bits());
                if signed { to_signed::<B>(value) } else { to_unsigned::<B>(value) }
            })
        })), else integers()),
        ConversionOp::IToF => with_int!(from, A => with_float!(to, B => {
            type L = <A as Int>::L;
            let [a] = cx.args(op);
            let out = cx.result(op);
            match op.signedness() {
                Signedness::Signed => unary(a, out, |a: L| {
                    let value = A::signed(a);
                    from_integer::<B>(value < 0, value.unsigned_abs())
                }),
                Signedness::Unsigned => unary(a, out, |a: L| from_integer::<B>(false, a.to_bits())),
            }
        }, else with_lane!(Storage::for_scalar(to), R => {
            type L = <A as Int>::L;
            let [a] = cx.args(op);
            let out = cx.result(op);
            let signed = op.signedness() == Signedness::Signed;
            unary(a, out, move |a: L| {
                let value = if signed { i128::from(A::signed(a)) } else { i128::from(a.to_bits()) };
                R::from_bits(exact::encode_integer(to, value))
            })
        })), else integers()),
    }
}

fn integers() -> ! {
    panic!("verified code has integers here")
}

fn trunci<A: Int, B: Int>(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let [a] = cx.args(op);
    let out = cx.result(op);
    let overflow = op.overflow();
    if overflow == IntegerOverflow::None {
        return unary(a, out, |a: A::L| B::wrap(a.to_bits()));
    }
    // The overflow is checked in the width of the source; the number is narrowed afterwards.
    let checked = partial::<A::L>(
        [a, a],
        out,
        cx.shape(op.result()),
        move |a, _| {
            let kept = B::wrap(a.to_bits());
            let signed = B::signed(kept) == A::signed(a);
            let unsigned = kept.to_bits() == a.to_bits();
            let fits = match overflow {
                IntegerOverflow::None => true,
                IntegerOverflow::NoSignedWrap => signed,
                IntegerOverflow::NoUnsignedWrap => unsigned,
                IntegerOverflow::NoWrap => signed && unsigned,
            };
            fits.then_some(a)
        },
        |a, _| a,
        |a, _| format!("{} does not fit {} bits as promised", A::signed(a), B::BITS),
    );
    let narrow = unary(a, out, |a: A::L| B::wrap(a.to_bits()));
    Box::new(move |machine| {
        checked(machine)?;
        narrow(machine)
    })
}

fn ftof(cx: &mut Compiler<'_>, op: &Op, from: Scalar, to: Scalar) -> Exec {
    let [a] = cx.args(op);
    let out = cx.result(op);
    let Some(&Attr::Rounding(mode)) = op.attr("rounding_mode") else {
        panic!("verified code has a rounding mode here");
    };
    let slow = || {
        with_lane!(Storage::for_scalar(from), A => with_lane!(Storage::for_scalar(to), B => {
            unary(a, out, move |a: A| {
                B::from_bits(exact::encode(to, exact::decode(from, a.to_bits()), mode))
            })
        }))
    };
    if mode != RoundingMode::NearestEven {
        return slow();
    }
    with_float!(from, A => with_float!(to, B => {
        unary(a, out, |a: <A as Float>::L| A::widen(a).round_into::<B>())
    }, else slow()), else slow())
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn to_signed<B: Int>(value: f64) -> B::L {
    let greatest = i64::MAX >> (64 - B::BITS);
    let value = (value as i64).clamp(-greatest - 1, greatest);
    B::wrap(value.cast_unsigned())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates"
)]
fn to_unsigned<B: Int>(value: f64) -> B::L {
    B::wrap((value as u64).min(u64::MAX >> (64 - B::BITS)))
}

/// Converts an integer with a single rounding, to nearest even.
#[expect(clippy::cast_precision_loss, reason = "exact below 2^24")]
fn from_integer<B: Float>(sign: bool, magnitude: u64) -> B::L {
    if magnitude < 1 << 24 {
        let value = magnitude as f32;
        return B::from_f32(if sign { -value } else { value });
    }
    B::L::from_bits(exact::from_integer(B::FORMAT, sign, magnitude))
}
