//! Tests conversions between widths, between formats, and between integers and floats.

use crate::common::LOC;
use crate::input::{COUNT, FLOATS, INTS, eval, mask, patterns, tile};
use crate::model::{low, narrow, same, signed, value};
use std::cmp::Ordering;
use tile_core::ir::Signedness;
use tile_core::ops::ConversionOp;
use tile_core::types::Scalar;

#[test]
pub(crate) fn integer_widths_convert() {
    for from in INTS {
        for to in INTS {
            let a = patterns(from, COUNT, 19);
            for sign in [Signedness::Signed, Signedness::Unsigned] {
                let (op, sign) = match to.bits().cmp(&from.bits()) {
                    Ordering::Greater => (ConversionOp::ExtI, Some(sign)),
                    Ordering::Less => (ConversionOp::TruncI, None),
                    Ordering::Equal => continue,
                };
                let got = eval(&[tile(from, a.clone())], |b, args| {
                    b.convert(op, args[0], to, sign, LOC)
                });
                let want: Vec<u64> = a
                    .iter()
                    .map(|&a| match sign {
                        Some(Signedness::Signed) => low(to, signed(from, a)),
                        _ => a & mask(to),
                    })
                    .collect();
                assert_eq!(got.expect("it runs").bits, want, "{from} to {to}");
            }
        }
    }
}

#[test]
pub(crate) fn float_formats_convert_rounding_once() {
    for from in FLOATS {
        for to in FLOATS {
            if from == to {
                continue;
            }
            let a = patterns(from, 4096, 71);
            let got = eval(&[tile(from, a.clone())], |b, args| {
                b.convert(ConversionOp::FToF, args[0], to, None, LOC)
            });
            for (&a, &got) in a.iter().zip(&got.expect("it runs").bits) {
                let want = narrow(to, value(from, a));
                assert!(
                    same(to, got, want),
                    "{from} to {to} {:e}: {got:#x} {want:#x}",
                    value(from, a)
                );
            }
        }
    }
    // tf32 keeps ten bits of the mantissa; ties go to even.
    let a: Vec<u64> = [0x3f80_0000, 0x3f80_1000, 0x3f80_3000, 0x3f80_1001].to_vec();
    let got = eval(&[tile(Scalar::F32, a)], |b, args| {
        let narrow = b.convert(ConversionOp::FToF, args[0], Scalar::TF32, None, LOC);
        b.convert(ConversionOp::FToF, narrow, Scalar::F32, None, LOC)
    });
    assert_eq!(
        got.expect("it runs").bits,
        [0x3f80_0000, 0x3f80_0000, 0x3f80_4000, 0x3f80_2000]
    );
}

#[test]
pub(crate) fn floats_and_integers_convert() {
    for float in FLOATS {
        for int in [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64] {
            for sign in [Signedness::Signed, Signedness::Unsigned] {
                let is_signed = sign == Signedness::Signed;
                let a = patterns(float, COUNT, 73);
                let got = eval(&[tile(float, a.clone())], |b, args| {
                    b.convert(ConversionOp::FToI, args[0], int, Some(sign), LOC)
                });
                let (least, greatest) = if is_signed {
                    (
                        -(1_i128 << (int.bits() - 1)),
                        (1_i128 << (int.bits() - 1)) - 1,
                    )
                } else {
                    (0, (1_i128 << int.bits()) - 1)
                };
                for (&a, &got) in a.iter().zip(&got.expect("it runs").bits) {
                    let want = (value(float, a) as i128).clamp(least, greatest);
                    assert_eq!(got, low(int, want), "{:e} to {int}", value(float, a));
                }
                let a = patterns(int, COUNT, 79);
                let got = eval(&[tile(int, a.clone())], |b, args| {
                    b.convert(ConversionOp::IToF, args[0], float, Some(sign), LOC)
                });
                for (&a, &got) in a.iter().zip(&got.expect("it runs").bits) {
                    let number = if is_signed {
                        signed(int, a)
                    } else {
                        i128::from(a)
                    };
                    let want = match float {
                        Scalar::F32 => u64::from((number as f32).to_bits()),
                        Scalar::F64 => (number as f64).to_bits(),
                        // The numbers are exact in f64 up to 2^53, and far from ties beyond.
                        float => narrow(float, number as f64),
                    };
                    assert_eq!(got, want, "{number} to {float}");
                }
            }
        }
    }
}
