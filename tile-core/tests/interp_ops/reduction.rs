//! Tests matmuls, reductions and scans.

use crate::common::{self, LOC};
use crate::input::{FLOATS, INTS, eval, patterns};
use crate::model::{low, narrow, signed, value};
use tile_core::interp::Tile;
use tile_core::ir::{Attr, Signedness, TypedScalar};
use tile_core::ops::{BitwiseOp, ControlFlowOp, CoreOp, FloatOp, IntegerOp, Opcode};
use tile_core::testing::Random;
use tile_core::types::{Scalar, Type};

#[test]
pub(crate) fn an_integer_matmul_wraps_in_i32() {
    for (lhs, rhs) in [
        (Signedness::Signed, Signedness::Unsigned),
        (Signedness::Unsigned, Signedness::Signed),
    ] {
        let (a, b) = (
            patterns(Scalar::I8, 4 * 64, 83),
            patterns(Scalar::I8, 64 * 8, 89),
        );
        let c = patterns(Scalar::I32, 4 * 8, 97);
        let inputs = [
            Tile::new(Scalar::I8, &[4, 64], a.clone()),
            Tile::new(Scalar::I8, &[64, 8], b.clone()),
            Tile::new(Scalar::I32, &[4, 8], c.clone()),
        ];
        let got = eval(&inputs, |build, args| {
            build
                .op(IntegerOp::MmaI, LOC)
                .args(args)
                .attr("signedness_lhs", Attr::Signedness(lhs))
                .attr("signedness_rhs", Attr::Signedness(rhs))
                .result(Type::tile(Scalar::I32, &[4, 8]))
                .finish_value()
        })
        .expect("it runs");
        let number = |sign, bits| {
            if sign == Signedness::Signed {
                signed(Scalar::I8, bits)
            } else {
                i128::from(bits)
            }
        };
        for i in 0..4 {
            for j in 0..8 {
                let sum: i128 = (0..64)
                    .map(|k| number(lhs, a[i * 64 + k]) * number(rhs, b[k * 8 + j]))
                    .sum();
                assert_eq!(
                    got.bits[i * 8 + j],
                    low(Scalar::I32, sum + i128::from(c[i * 8 + j]))
                );
            }
        }
    }
}

#[test]
pub(crate) fn a_batched_f16_matmul_is_rounded_at_the_end() {
    let small = |seed, count| -> Vec<u64> {
        let mut random = Random::new(seed);
        (0..count)
            .map(|_| {
                u64::from(half::f16::from_f64((random.bits() % 17) as f64 / 8.0 - 1.0).to_bits())
            })
            .collect()
    };
    let (a, b, c) = (
        small(3, 2 * 4 * 16),
        small(5, 2 * 16 * 8),
        small(7, 2 * 4 * 8),
    );
    let inputs = [
        Tile::new(Scalar::F16, &[2, 4, 16], a.clone()),
        Tile::new(Scalar::F16, &[2, 16, 8], b.clone()),
        Tile::new(Scalar::F16, &[2, 4, 8], c.clone()),
    ];
    let got = eval(&inputs, |build, args| {
        build
            .op(FloatOp::MmaF, LOC)
            .args(args)
            .result(Type::tile(Scalar::F16, &[2, 4, 8]))
            .finish_value()
    })
    .expect("it runs");
    let value_of = |bits| value(Scalar::F16, bits);
    for batch in 0..2 {
        for i in 0..4 {
            for j in 0..8 {
                // The sum is exact, since every number is a small multiple of 1/64.
                let sum: f64 = (0..16)
                    .map(|k| {
                        value_of(a[batch * 64 + i * 16 + k]) * value_of(b[batch * 128 + k * 8 + j])
                    })
                    .sum();
                let index = batch * 32 + i * 8 + j;
                assert_eq!(
                    got.bits[index],
                    narrow(Scalar::F16, sum + value_of(c[index]))
                );
            }
        }
    }
}

#[test]
pub(crate) fn a_reduction_by_one_operation_combines_halves_or_goes_along_the_axis() {
    type Combine = fn(Scalar, u64, u64) -> u64;
    let signed_attr = Some(("signedness", Attr::Signedness(Signedness::Signed)));
    let unsigned_attr = Some(("signedness", Attr::Signedness(Signedness::Unsigned)));
    let ints: [(Opcode, Option<(&str, Attr)>, u64, Combine); 9] = [
        (IntegerOp::AddI.into(), None, 0, |s, a, b| {
            low(s, i128::from(a) + i128::from(b))
        }),
        (IntegerOp::MulI.into(), None, 1, |s, a, b| {
            low(s, i128::from(a).wrapping_mul(i128::from(b)))
        }),
        (IntegerOp::MaxI.into(), signed_attr.clone(), 1, |s, a, b| {
            if signed(s, a) > signed(s, b) { a } else { b }
        }),
        (IntegerOp::MinI.into(), signed_attr, 1, |s, a, b| {
            if signed(s, a) < signed(s, b) { a } else { b }
        }),
        (
            IntegerOp::MaxI.into(),
            unsigned_attr.clone(),
            0,
            |_, a, b| a.max(b),
        ),
        (IntegerOp::MinI.into(), unsigned_attr, 1, |_, a, b| a.min(b)),
        (BitwiseOp::AndI.into(), None, 1, |_, a, b| a & b),
        (BitwiseOp::OrI.into(), None, 0, |_, a, b| a | b),
        (BitwiseOp::XorI.into(), None, 0, |_, a, b| a ^ b),
    ];
    let floats: [(Opcode, Option<(&str, Attr)>, u64, Combine); 5] = [
        (FloatOp::AddF.into(), None, 0, |s, a, b| {
            narrow(s, value(s, a) + value(s, b))
        }),
        (FloatOp::MulF.into(), None, 0, |s, a, b| {
            narrow(s, value(s, a) * value(s, b))
        }),
        (FloatOp::MaxF.into(), None, 0, |s, a, b| {
            if value(s, a) > value(s, b) { a } else { b }
        }),
        (FloatOp::MinF.into(), None, 0, |s, a, b| {
            if value(s, a) < value(s, b) { a } else { b }
        }),
        // `subf` takes the general path, which must agree with the fast one.
        (FloatOp::SubF.into(), None, 0, |s, a, b| {
            narrow(s, value(s, a) - value(s, b))
        }),
    ];
    let cases = ints
        .into_iter()
        .flat_map(|case| INTS.map(|scalar| (scalar, case.clone())))
        .chain(
            floats
                .into_iter()
                .flat_map(|case| FLOATS.map(|scalar| (scalar, case.clone()))),
        );
    for (scalar, (op, attr, identity, combine)) in cases {
        // The floats are small, so that sums of f32 in f64 are rounded once.
        let data: Vec<u64> = if scalar.is_float() {
            let mut random = Random::new(101);
            (0..64)
                .map(|_| narrow(scalar, (random.bits() % 1000) as f64 / 256.0 - 2.0))
                .collect()
        } else {
            patterns(scalar, 64, 103)
        };
        for dim in 0..2 {
            let input = Tile::new(scalar, &[4, 16], data.clone());
            let got = eval(&[input], |b, args| {
                common::reduce(b, args[0], dim, identity, |b, x, acc| {
                    let ty = b.ty(x);
                    let mut op = b.op(op, LOC).args(&[x, acc]);
                    if let Some((name, value)) = &attr {
                        op = op.attr(name, value.clone());
                    }
                    op.result(ty).finish_value()
                })
            })
            .expect("it runs");
            let (count, extent) = if dim == 0 { (16, 4) } else { (4, 16) };
            for position in 0..count {
                let elements = (0..extent).map(|k| {
                    let index = if dim == 0 {
                        k * 16 + position
                    } else {
                        position * 16 + k
                    };
                    data[index]
                });
                let is_sum = op == FloatOp::AddF.into() || op == FloatOp::MulF.into();
                let fold = |scalar, elements: Vec<u64>| {
                    if dim == 1 && op != FloatOp::SubF.into() {
                        in_halves(elements, |x, acc| combine(scalar, x, acc))
                    } else {
                        let along = elements.into_iter();
                        let folded = along.reduce(|acc, x| combine(scalar, x, acc));
                        folded.expect("an element")
                    }
                };
                let want = if is_sum && is_half(scalar) {
                    // Sums are computed in f32, and rounded once.
                    let wide = elements.map(|x| narrow(Scalar::F32, value(scalar, x)));
                    narrow(
                        scalar,
                        value(Scalar::F32, fold(Scalar::F32, wide.collect())),
                    )
                } else {
                    fold(scalar, elements.collect())
                };
                assert_eq!(
                    got.bits[position],
                    want,
                    "{} {scalar} along {dim}",
                    op.def().mnemonic
                );
            }
        }
    }
}

#[test]
pub(crate) fn a_scan_gives_what_was_combined_so_far_in_both_directions() {
    // acc = 2 * acc + x + c, which is not commutative, where c comes from outside the body.
    for dim in 0..3_usize {
        for reverse in [false, true] {
            let data: Vec<u64> = (1..=64).collect();
            let input = Tile::new(Scalar::I64, &[4, 2, 8], data.clone());
            let outside = Tile::new(Scalar::I64, &[], vec![5]);
            let got = eval(&[input, outside], |b, args| {
                let identity = TypedScalar {
                    scalar: Scalar::I64,
                    bits: 7,
                };
                let op = b
                    .op(CoreOp::Scan, LOC)
                    .operands("operands", &args[..1])
                    .attr("dim", Attr::Int(i64::try_from(dim).expect("small")))
                    .attr("reverse", Attr::Bool(reverse))
                    .attr("identities", Attr::Scalars(vec![identity].into()))
                    .result(Type::tile(Scalar::I64, &[4, 2, 8]))
                    .finish();
                let body = b.add_region_block(op);
                let element = Type::scalar(Scalar::I64);
                let [x, acc] = [0; 2].map(|_| b.module().add_block_arg(body, element, LOC));
                let outer = b.set_block(body);
                let mut sum = b.wrapping(IntegerOp::AddI, &[acc, acc], LOC);
                for other in [x, args[1]] {
                    sum = b.wrapping(IntegerOp::AddI, &[sum, other], LOC);
                }
                b.terminate(ControlFlowOp::Yield, &[sum], LOC);
                b.set_block(outer);
                b.module().op(op).result()
            })
            .expect("it runs");
            let extent = [4, 2, 8][dim];
            let stride = [16, 8, 1][dim];
            let mut want = vec![0; 64];
            for first in (0..64).filter(|index| index / stride % extent == 0) {
                let mut acc = None;
                for step in 0..extent {
                    let position = if reverse { extent - 1 - step } else { step };
                    let index = first + position * stride;
                    // The identity is not combined with the elements; with this body, the result
                    // would differ.
                    let next = acc.map_or(data[index], |acc| 2 * acc + data[index] + 5);
                    want[index] = next;
                    acc = Some(next);
                }
            }
            assert_eq!(got.bits, want, "along {dim}, reverse: {reverse}");
        }
    }
}

/// Combines the second half of the elements into the first, repeatedly, until one is left.
fn in_halves<T: Copy>(mut elements: Vec<T>, combine: impl Fn(T, T) -> T) -> T {
    while elements.len() > 1 {
        let upper = elements.split_off(elements.len() / 2);
        for (acc, x) in elements.iter_mut().zip(upper) {
            *acc = combine(x, *acc);
        }
    }
    elements[0]
}

fn is_half(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::F16 | Scalar::BF16)
}

/// The magnitudes of the numbers differ so much that every order has a different sum, in f32 and
/// f64.
#[test]
fn sums_of_floats_are_rounded_half_by_half_along_the_last_axis() {
    let mut random = Random::new(0xadd);
    let numbers: Vec<f64> = (0..4 * 16)
        .map(|_| {
            let size = 2.0_f64.powi((random.bits() % 24) as i32 - 12);
            ((random.bits() >> 11) as f64 / 2.0_f64.powi(52) - 1.0) * size
        })
        .collect();
    for scalar in FLOATS {
        let data: Vec<u64> = numbers.iter().map(|&x| narrow(scalar, x)).collect();
        // The sum of two f32 is not always exact in f64, so the processor computes it.
        let add = |x: u64, acc: u64| match scalar {
            Scalar::F32 => {
                let sum = f32::from_bits(x as u32) + f32::from_bits(acc as u32);
                u64::from(sum.to_bits())
            }
            _ => narrow(scalar, value(scalar, x) + value(scalar, acc)),
        };
        let input = Tile::new(scalar, &[4, 16], data.clone());
        let got = eval(&[input], |b, args| {
            common::reduce(b, args[0], 1, 0, |b, x, acc| {
                b.like_first(FloatOp::AddF, &[x, acc], LOC)
            })
        })
        .expect("it runs");
        let sum = |row: usize, from: fn(&[u64]) -> Vec<u64>| {
            let elements = from(&data[16 * row..][..16]);
            if is_half(scalar) {
                let wide = elements.iter().map(|&x| value(scalar, x) as f32);
                let sum = in_halves(wide.collect(), |x, acc| acc + x);
                return narrow(scalar, f64::from(sum));
            }
            in_halves(elements, add)
        };
        let mut orders_differ = false;
        for row in 0..4 {
            assert_eq!(got.bits[row], sum(row, <[u64]>::to_vec), "{scalar}");
            let swapped = sum(row, |elements| {
                let mut elements = elements.to_vec();
                elements.swap(0, 1);
                elements
            });
            orders_differ |= got.bits[row] != swapped;
        }
        assert!(orders_differ || is_half(scalar), "{scalar}");
    }
}
