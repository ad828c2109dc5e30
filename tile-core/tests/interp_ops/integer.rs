//! Tests integer and bitwise operations, including every fault.

use crate::common::LOC;
use crate::input::{COUNT, INTS, eval, patterns, tile};
use crate::model::{holds, low, signed};
use crate::oracle::Oracle;
use tile_core::ir::{Attr, ComparisonPredicate, IntegerOverflow, RoundingMode, Signedness};
use tile_core::ops::{BitwiseOp, IntegerOp, Opcode};
use tile_core::types::{Scalar, Type};

fn int_binary(
    op: impl Into<Opcode> + Copy,
    attrs: &[(&str, Attr)],
    model: impl Fn(Scalar, u64, u64) -> u64,
) {
    for scalar in INTS {
        let (a, b) = (patterns(scalar, COUNT, 3), patterns(scalar, COUNT, 8));
        let got = eval(
            &[tile(scalar, a.clone()), tile(scalar, b.clone())],
            |build, args| {
                let mut op = build.op(op, LOC).args(args);
                for (name, value) in attrs {
                    op = op.attr(name, value.clone());
                }
                op.result(Type::tile(scalar, &[COUNT as i64]))
                    .finish_value()
            },
        )
        .expect("it runs");
        for index in 0..COUNT {
            let want = model(scalar, a[index], b[index]);
            let name = op.into().def().mnemonic;
            assert_eq!(
                got.bits[index], want,
                "{name} {scalar} {:#x} {:#x}",
                a[index], b[index]
            );
        }
    }
}

#[test]
pub(crate) fn integer_arithmetic_wraps() {
    let wide = |s, a: u64, b: u64, f: fn(i128, i128) -> i128| low(s, f(signed(s, a), signed(s, b)));
    int_binary(IntegerOp::AddI, &[], |s, a, b| wide(s, a, b, |a, b| a + b));
    int_binary(IntegerOp::SubI, &[], |s, a, b| wide(s, a, b, |a, b| a - b));
    int_binary(IntegerOp::MulI, &[], |s, a, b| {
        wide(s, a, b, i128::wrapping_mul)
    });
    int_binary(IntegerOp::MulhiI, &[], |s, a, b| {
        ((u128::from(a) * u128::from(b)) >> s.bits()) as u64
    });
    int_binary(BitwiseOp::AndI, &[], |_, a, b| a & b);
    int_binary(BitwiseOp::OrI, &[], |_, a, b| a | b);
    int_binary(BitwiseOp::XorI, &[], |_, a, b| a ^ b);
}

#[test]
fn integer_arithmetic_agrees_with_numpy() {
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    let ops: [Opcode; 6] = [
        IntegerOp::AddI.into(),
        IntegerOp::SubI.into(),
        IntegerOp::MulI.into(),
        BitwiseOp::AndI.into(),
        BitwiseOp::OrI.into(),
        BitwiseOp::XorI.into(),
    ];
    for scalar in [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64] {
        for op in ops {
            let [a, b] = [13, 17].map(|seed| patterns(scalar, COUNT, seed));
            let name = op.def().mnemonic;
            let [want] = oracle.ask(&format!("numpy {name} {scalar}"), &[&a, &b]);
            let got = eval(&[tile(scalar, a), tile(scalar, b)], |build, args| {
                build.like_first(op, args, LOC)
            });
            assert_eq!(got.expect("it runs").bits, want, "{name} {scalar}");
        }
    }
}

#[test]
pub(crate) fn integer_order_depends_on_signedness() {
    for sign in [Signedness::Signed, Signedness::Unsigned] {
        let attrs = [("signedness", Attr::Signedness(sign))];
        let value = move |s, a| {
            if sign == Signedness::Signed {
                signed(s, a)
            } else {
                i128::from(a)
            }
        };
        int_binary(IntegerOp::MaxI, &attrs, |s, a, b| {
            low(s, value(s, a).max(value(s, b)))
        });
        int_binary(IntegerOp::MinI, &attrs, |s, a, b| {
            low(s, value(s, a).min(value(s, b)))
        });
        for predicate in ComparisonPredicate::ALL {
            for scalar in INTS {
                let (a, b) = (patterns(scalar, COUNT, 5), patterns(scalar, COUNT, 7));
                let got = eval(
                    &[tile(scalar, a.clone()), tile(scalar, b.clone())],
                    |build, args| build.cmpi(*predicate, args[0], args[1], sign, LOC),
                )
                .expect("it runs");
                for index in 0..COUNT {
                    let order = value(scalar, a[index]).cmp(&value(scalar, b[index]));
                    assert_eq!(got.bits[index], u64::from(holds(*predicate, order)));
                }
            }
        }
    }
}

/// Runs an operation on one pair per launch, since a fault ends the launch; `None` stands for a
/// fault.
fn int_partial(
    op: IntegerOp,
    attrs: &[(&str, Attr)],
    model: impl Fn(Scalar, u64, u64) -> Option<u64>,
) {
    let mut faults = 0;
    for scalar in INTS {
        let (a, b) = (patterns(scalar, 200, 11), patterns(scalar, 200, 13));
        for (&a, &b) in a.iter().zip(&b) {
            let b = if matches!(op, IntegerOp::ShlI | IntegerOp::ShrI) && b & 1 == 0 {
                b % u64::from(scalar.bits())
            } else {
                b
            };
            let got = eval(
                &[tile(scalar, vec![a]), tile(scalar, vec![b])],
                |build, args| {
                    let mut op = build.op(op, LOC).args(args);
                    for (name, value) in attrs {
                        op = op.attr(name, value.clone());
                    }
                    op.result(Type::tile(scalar, &[1])).finish_value()
                },
            );
            let want = model(scalar, a, b);
            faults += usize::from(want.is_none());
            match (got, want) {
                (Ok(got), Some(want)) => {
                    assert_eq!(got.bits[0], want, "{op:?} {scalar} {a:#x} {b:#x}")
                }
                (Err(fault), None) => {
                    assert!(fault.contains("undefined"), "{fault}");
                    assert!(fault.contains(op.def().mnemonic), "{fault}");
                }
                (got, want) => panic!("{op:?} {attrs:?} {scalar} {a:#x} {b:#x}: {got:?}, {want:?}"),
            }
        }
    }
    assert!(faults > 0, "{op:?} never faults");
}

fn floor_div(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

#[test]
pub(crate) fn division_rounds_as_told_and_faults_where_it_is_undefined() {
    for sign in [Signedness::Signed, Signedness::Unsigned] {
        let is_signed = sign == Signedness::Signed;
        let value = move |s, a| {
            if is_signed {
                signed(s, a)
            } else {
                i128::from(a)
            }
        };
        let divide = |f: fn(i128, i128) -> i128| {
            move |s: Scalar, a, b| {
                let (a, b) = (value(s, a), value(s, b));
                let least = -(1_i128 << (s.bits() - 1));
                if b == 0 || is_signed && a == least && b == -1 {
                    return None;
                }
                Some(low(s, f(a, b)))
            }
        };
        let attrs = |rounding| {
            [
                ("signedness", Attr::Signedness(sign)),
                ("rounding", Attr::Rounding(rounding)),
            ]
        };
        int_partial(
            IntegerOp::DivI,
            &attrs(RoundingMode::Zero),
            divide(|a, b| a / b),
        );
        int_partial(
            IntegerOp::DivI,
            &attrs(RoundingMode::PositiveInf),
            divide(|a, b| -floor_div(-a, b)),
        );
        if is_signed {
            int_partial(
                IntegerOp::DivI,
                &attrs(RoundingMode::NegativeInf),
                divide(floor_div),
            );
        }
        int_partial(
            IntegerOp::RemI,
            &attrs(RoundingMode::Zero)[..1],
            |s, a, b| {
                let (a, b) = (value(s, a), value(s, b));
                (b != 0).then(|| low(s, a % b))
            },
        );
        int_partial(
            IntegerOp::ShrI,
            &attrs(RoundingMode::Zero)[..1],
            |s, a, b| (b < u64::from(s.bits())).then(|| low(s, value(s, a) >> b)),
        );
    }
    int_partial(IntegerOp::ShlI, &[], |s, a, b| {
        (b < u64::from(s.bits())).then(|| low(s, i128::from(a) << b))
    });
}

#[test]
pub(crate) fn a_broken_promise_about_overflow_is_a_fault() {
    type Exact = fn(i128, i128) -> i128;
    let table: [(IntegerOp, Exact); 3] = [
        (IntegerOp::AddI, |a, b| a + b),
        (IntegerOp::SubI, |a, b| a - b),
        (IntegerOp::MulI, |a, b| a.saturating_mul(b)),
    ];
    for (op, exact) in table {
        for overflow in IntegerOverflow::ALL {
            let (nsw, nuw) = match overflow {
                IntegerOverflow::None => continue,
                IntegerOverflow::NoSignedWrap => (true, false),
                IntegerOverflow::NoUnsignedWrap => (false, true),
                IntegerOverflow::NoWrap => (true, true),
            };
            int_partial(op, &[("overflow", Attr::Overflow(*overflow))], |s, a, b| {
                let wide = exact(signed(s, a), signed(s, b));
                let unsigned = exact(i128::from(a), i128::from(b));
                let half = 1_i128 << (s.bits() - 1);
                let fits = (!nsw || (-half..half).contains(&wide))
                    && (!nuw || (0..half * 2).contains(&unsigned));
                fits.then(|| low(s, wide))
            });
        }
    }
}

#[test]
pub(crate) fn negation_and_absolute_value_of_the_least_number_wrap() {
    for scalar in INTS {
        let a = patterns(scalar, COUNT, 17);
        for (op, model) in [
            (IntegerOp::AbsI, i128::abs as fn(i128) -> i128),
            (IntegerOp::NegI, |a| -a),
        ] {
            let got = eval(&[tile(scalar, a.clone())], |b, args| {
                b.like_first(op, args, LOC)
            });
            let want: Vec<u64> = a
                .iter()
                .map(|&a| low(scalar, model(signed(scalar, a))))
                .collect();
            assert_eq!(got.expect("it runs").bits, want, "{op:?} {scalar}");
        }
    }
}
