//! Every operation on generated tiles, against models written differently.

#![allow(
    clippy::many_single_char_names,
    clippy::float_cmp,
    clippy::cast_precision_loss,
    clippy::cloned_ref_to_slice_refs,
    clippy::type_complexity,
    clippy::needless_range_loop,
    clippy::precedence,
    clippy::semicolon_if_nothing_returned,
    reason = "models are plain loops that compare bit for bit"
)]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "models take low bits"
)]
#![allow(clippy::cast_sign_loss, reason = "models take low bits")]

mod common;

use common::LOC;
use tile_core::Module;
use tile_core::build::Builder;
use tile_core::interp::{Program, Tile};
use tile_core::ir::{
    AssumePredicate, Attr, ComparisonOrdering, ComparisonPredicate, IntegerOverflow, RoundingMode,
    Signedness, ValueId,
};
use tile_core::ops::{BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, FloatOp, IntegerOp, Opcode};
use tile_core::types::{Scalar, Type};

const INTS: [Scalar; 6] = [
    Scalar::I1,
    Scalar::I4,
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
];
const FLOATS: [Scalar; 4] = [Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

fn mask(scalar: Scalar) -> u64 {
    u64::MAX >> (64 - scalar.bits())
}

/// Extremes first, then anything; the length is a power of two.
fn patterns(scalar: Scalar, count: usize, seed: u64) -> Vec<u64> {
    let mut random = Random(seed | 1);
    let bits = scalar.bits();
    let top = 1_u64 << (bits - 1);
    let mut hard = vec![0, 1, mask(scalar), top, top - 1, top.wrapping_add(1)];
    if let Some((exponent, mantissa)) = match scalar {
        Scalar::F16 => Some((5_u32, 10_u32)),
        Scalar::BF16 => Some((8, 7)),
        Scalar::F32 => Some((8, 23)),
        Scalar::F64 => Some((11, 52)),
        _ => None,
    } {
        let all = ((1_u64 << exponent) - 1) << mantissa;
        let one = ((1_u64 << (exponent - 1)) - 1) << mantissa;
        for magnitude in [
            all,
            all | 1 << (mantissa - 1),
            all - 1,
            1 << mantissa,
            (1 << mantissa) - 1,
            one,
            one + 1,
            one | 1 << (mantissa - 1),
            one + (2 << mantissa),
            2,
        ] {
            hard.extend([magnitude, magnitude | top]);
        }
    }
    let mut all = Vec::with_capacity(count);
    for index in 0..count {
        let bits = match index % 3 {
            0 => hard[(random.next() % hard.len() as u64) as usize],
            // Neighbouring magnitudes, so that sums cancel and quotients are near one.
            1 => (all.last().copied().unwrap_or(3) ^ (random.next() & 7)) & mask(scalar),
            _ => random.next() & mask(scalar),
        };
        all.push(bits & mask(scalar));
    }
    all
}

/// Runs `build` on inputs of one shape.
fn eval(
    inputs: &[Tile],
    build: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
) -> Result<Tile, String> {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    let types: Vec<Type> = inputs
        .iter()
        .map(|tile| Type::tile(tile.scalar, &tile.shape))
        .collect();
    let (_, args) = b.entry("k", &types, LOC);
    let result = build(&mut b, &args);
    b.terminate(ControlFlowOp::Return, &[result], LOC);
    Program::new(&module)
        .eval("k", inputs)
        .map(|mut tiles| tiles.remove(0))
        .map_err(|fault| fault.to_string())
}

fn tile(scalar: Scalar, bits: Vec<u64>) -> Tile {
    Tile::new(scalar, &[i64::try_from(bits.len()).expect("small")], bits)
}

fn signed(scalar: Scalar, bits: u64) -> i128 {
    let shift = 64 - scalar.bits();
    i128::from((bits << shift).cast_signed() >> shift)
}

/// The low bits of a number.
fn low(scalar: Scalar, value: i128) -> u64 {
    (value as u64) & mask(scalar)
}

const COUNT: usize = 512;

fn int_binary(
    op: impl Into<Opcode> + Copy,
    attr: Option<(&str, Attr)>,
    model: impl Fn(Scalar, u64, u64) -> u64,
) {
    for scalar in INTS {
        let (a, b) = (patterns(scalar, COUNT, 3), patterns(scalar, COUNT, 8));
        let got = eval(
            &[tile(scalar, a.clone()), tile(scalar, b.clone())],
            |build, args| {
                let mut op = build.op(op, LOC).args(args);
                if let Some((name, value)) = &attr {
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
fn integer_arithmetic_wraps() {
    let wide = |s, a: u64, b: u64, f: fn(i128, i128) -> i128| low(s, f(signed(s, a), signed(s, b)));
    int_binary(IntegerOp::AddI, None, |s, a, b| wide(s, a, b, |a, b| a + b));
    int_binary(IntegerOp::SubI, None, |s, a, b| wide(s, a, b, |a, b| a - b));
    int_binary(IntegerOp::MulI, None, |s, a, b| {
        wide(s, a, b, i128::wrapping_mul)
    });
    int_binary(IntegerOp::MulhiI, None, |s, a, b| {
        ((u128::from(a) * u128::from(b)) >> s.bits()) as u64
    });
    int_binary(BitwiseOp::AndI, None, |_, a, b| a & b);
    int_binary(BitwiseOp::OrI, None, |_, a, b| a | b);
    int_binary(BitwiseOp::XorI, None, |_, a, b| a ^ b);
}

#[test]
fn integer_order_depends_on_signedness() {
    for sign in [Signedness::Signed, Signedness::Unsigned] {
        let attr = || Some(("signedness", Attr::Signedness(sign)));
        let value = move |s, a| {
            if sign == Signedness::Signed {
                signed(s, a)
            } else {
                i128::from(a)
            }
        };
        int_binary(IntegerOp::MaxI, attr(), |s, a, b| {
            low(s, value(s, a).max(value(s, b)))
        });
        int_binary(IntegerOp::MinI, attr(), |s, a, b| {
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

fn holds(predicate: ComparisonPredicate, order: std::cmp::Ordering) -> bool {
    match predicate {
        ComparisonPredicate::Equal => order.is_eq(),
        ComparisonPredicate::NotEqual => order.is_ne(),
        ComparisonPredicate::LessThan => order.is_lt(),
        ComparisonPredicate::LessThanOrEqual => order.is_le(),
        ComparisonPredicate::GreaterThan => order.is_gt(),
        ComparisonPredicate::GreaterThanOrEqual => order.is_ge(),
    }
}

/// One pair at a time, since a fault ends the launch: `None` is a fault.
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
fn division_rounds_as_told_and_faults_where_it_is_undefined() {
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
fn a_broken_promise_about_overflow_is_a_fault() {
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
fn negation_and_absolute_value_of_the_least_number_wrap() {
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

#[test]
fn integer_widths_convert() {
    for from in INTS {
        for to in INTS {
            let a = patterns(from, COUNT, 19);
            for sign in [Signedness::Signed, Signedness::Unsigned] {
                let (op, sign) = match to.bits().cmp(&from.bits()) {
                    std::cmp::Ordering::Greater => (ConversionOp::ExtI, Some(sign)),
                    std::cmp::Ordering::Less => (ConversionOp::TruncI, None),
                    std::cmp::Ordering::Equal => continue,
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

/// The value of a float's bits.
fn value(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::F16 => half::f16::from_bits(bits as u16).to_f64(),
        Scalar::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// All finite values and infinities of a format, to search the nearest in.
fn step(scalar: Scalar, bits: u64, up: bool) -> u64 {
    let top = 1_u64 << (scalar.bits() - 1);
    let (sign, magnitude) = (bits & top, bits & (top - 1));
    match (sign == 0, up) {
        (true, true) | (false, false) => sign | (magnitude + 1),
        _ if magnitude == 0 => (sign ^ top) | 1,
        _ => sign | (magnitude - 1),
    }
}

/// Whether `got` is a correct rounding of a result whose error can be told by
/// `compare(candidate)`: the order of the candidate's value to the exact result.
fn rounds_correctly(
    scalar: Scalar,
    got: u64,
    mode: RoundingMode,
    compare: impl Fn(f64) -> std::cmp::Ordering,
) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let at = value(scalar, got);
    match (compare(at), mode) {
        (Equal, _) => true,
        (Less, RoundingMode::NegativeInf) => {
            compare(value(scalar, step(scalar, got, true))) == Greater
        }
        (Greater, RoundingMode::PositiveInf) => {
            compare(value(scalar, step(scalar, got, false))) == Less
        }
        (order, RoundingMode::Zero) if at != 0.0 => {
            // Toward zero: the magnitude is below, the next one above.
            let outward = step(scalar, got, at > 0.0);
            let inside = if at > 0.0 { Less } else { Greater };
            order == inside && compare(value(scalar, outward)) == inside.reverse()
        }
        (_, RoundingMode::Zero) => true,
        _ => false,
    }
}

fn float_binary(
    op: FloatOp,
    scalar: Scalar,
    attrs: &[(&str, Attr)],
    seed: u64,
) -> (Vec<u64>, Vec<u64>, Vec<u64>) {
    let (a, b) = (
        patterns(scalar, 4096, seed),
        patterns(scalar, 4096, seed + 6),
    );
    let got = eval(
        &[tile(scalar, a.clone()), tile(scalar, b.clone())],
        |build, args| {
            let mut op = build.op(op, LOC).args(args);
            for (name, value) in attrs {
                op = op.attr(name, value.clone());
            }
            op.result(Type::tile(scalar, &[4096])).finish_value()
        },
    )
    .expect("it runs");
    (a, b, got.bits)
}

fn same(scalar: Scalar, got: u64, want: u64) -> bool {
    got == want || value(scalar, got).is_nan() && value(scalar, want).is_nan()
}

/// One rounding of an f64 that is exact, or that is itself a correctly rounded
/// result with more than twice the precision.
fn narrow(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        // By search among neighbours of a truncated value: no rounding code shared.
        Scalar::F16 | Scalar::BF16 => {
            let sign = u64::from(value.is_sign_negative()) << 15;
            if value.is_nan() {
                return 0x7fff;
            }
            let (mut low, mut high) = (
                0_u64,
                if scalar == Scalar::F16 {
                    0x7c00
                } else {
                    0x7f80
                },
            );
            let top = high;
            let magnitude = value.abs();
            let at = |bits: u64| self::value(scalar, bits);
            while high - low > 1 {
                let middle = u64::midpoint(low, high);
                if at(middle) <= magnitude {
                    low = middle
                } else {
                    high = middle
                }
            }
            // The unit beyond the greatest number is as if the exponent went on.
            let above = if high == top {
                2.0 * at(top - 1) - at(top - 2)
            } else {
                at(high)
            };
            let (down, up) = (magnitude - at(low), above - magnitude);
            let pick = if down < up || down == up && low & 1 == 0 {
                low
            } else {
                high
            };
            sign | pick
        }
        Scalar::F32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

#[test]
fn arithmetic_is_rounded_once_to_nearest_even() {
    type Wide = fn(f64, f64) -> f64;
    let table: [(FloatOp, Wide); 4] = [
        (FloatOp::MulF, |a, b| a * b),
        (FloatOp::DivF, |a, b| a / b),
        (FloatOp::AddF, |a, b| a + b),
        (FloatOp::SubF, |a, b| a - b),
    ];
    for scalar in FLOATS {
        for (op, wide) in table {
            let (a, b, got) = float_binary(op, scalar, &[], 23);
            for index in 0..got.len() {
                let (x, y) = (value(scalar, a[index]), value(scalar, b[index]));
                let want = match scalar {
                    // Its sums are not exact in f64, so ask the processor.
                    Scalar::F32 => {
                        let (x, y) = (x as f32, y as f32);
                        let result = match op {
                            FloatOp::AddF => x + y,
                            FloatOp::SubF => x - y,
                            FloatOp::MulF => x * y,
                            _ => x / y,
                        };
                        u64::from(result.to_bits())
                    }
                    scalar => narrow(scalar, wide(x, y)),
                };
                // A sum of bf16 that is inexact in f64 may lie on a tie there.
                let tie = scalar == Scalar::BF16 && wide(x, y) - x != y;
                assert!(
                    same(scalar, got[index], want) || tie && got[index].abs_diff(want) <= 1,
                    "{op:?} {scalar} {x:e} {y:e}: {:#x} and {want:#x}",
                    got[index]
                );
            }
        }
    }
}

#[test]
fn directed_rounding_gives_the_neighbour_on_its_side() {
    for scalar in [Scalar::F16, Scalar::BF16, Scalar::F32] {
        for mode in [
            RoundingMode::Zero,
            RoundingMode::NegativeInf,
            RoundingMode::PositiveInf,
        ] {
            // Products are exact in f64.
            let attrs = [("rounding_mode", Attr::Rounding(mode))];
            let (a, b, got) = float_binary(FloatOp::MulF, scalar, &attrs, 29);
            let mut inexact = 0;
            for index in 0..got.len() {
                let exact = value(scalar, a[index]) * value(scalar, b[index]);
                if exact.is_nan() {
                    assert!(value(scalar, got[index]).is_nan());
                    continue;
                }
                inexact += usize::from(value(scalar, got[index]) != exact);
                let order = |candidate: f64| candidate.partial_cmp(&exact).expect("no NaN");
                assert!(
                    rounds_correctly(scalar, got[index], mode, order),
                    "{scalar} {mode:?} {exact:e}: {:#x}",
                    got[index]
                );
            }
            assert!(inexact > 500, "{inexact}");
        }
    }
}

#[test]
fn a_sum_that_cancels_is_minus_zero_only_when_rounding_down() {
    for (mode, want) in [
        (RoundingMode::NearestEven, 0),
        (RoundingMode::Zero, 0),
        (RoundingMode::PositiveInf, 0),
        (RoundingMode::NegativeInf, 0x8000_0000),
    ] {
        let one = u64::from(1.5_f32.to_bits());
        let inputs = [tile(Scalar::F32, vec![one]), tile(Scalar::F32, vec![one])];
        let got = eval(&inputs, |b, args| {
            b.op(FloatOp::SubF, LOC)
                .args(args)
                .attr("rounding_mode", Attr::Rounding(mode))
                .result(Type::tile(Scalar::F32, &[1]))
                .finish_value()
        });
        assert_eq!(got.expect("it runs").bits, [want], "{mode:?}");
    }
}

#[test]
fn flush_to_zero_drops_subnormal_operands_and_results() {
    let tiny = u64::from(f32::MIN_POSITIVE.to_bits());
    let half = u64::from(0.5_f32.to_bits());
    let big = u64::from(2.0_f32.powi(100).to_bits());
    let a = tile(Scalar::F32, vec![tiny, tiny | 1 << 31, 1, 1 | 1 << 31]);
    let b = tile(Scalar::F32, vec![half, half, big, big]);
    for (ftz, want) in [
        (true, vec![0, 1 << 31, 0, 1 << 31]),
        (false, vec![tiny / 2, tiny / 2 | 1 << 31]),
    ] {
        let got = eval(&[a.clone(), b.clone()], |build, args| {
            build
                .op(FloatOp::MulF, LOC)
                .args(args)
                .flag("flush_to_zero", ftz)
                .result(Type::tile(Scalar::F32, &[4]))
                .finish_value()
        })
        .expect("it runs");
        assert_eq!(got.bits[..want.len()], want);
    }
}

#[test]
fn fma_is_rounded_once() {
    for scalar in FLOATS {
        let [a, b, c] = [31, 37, 41].map(|seed| patterns(scalar, 1024, seed));
        let inputs = [&a, &b, &c].map(|bits| tile(scalar, bits.clone()));
        let got = eval(&inputs, |build, args| {
            build.like_first(FloatOp::Fma, args, LOC)
        });
        let got = got.expect("it runs").bits;
        for index in 0..1024 {
            let [x, y, z] = [a[index], b[index], c[index]].map(|bits| value(scalar, bits));
            let want = match scalar {
                Scalar::F32 => u64::from((x as f32).mul_add(y as f32, z as f32).to_bits()),
                Scalar::F64 => x.mul_add(y, z).to_bits(),
                // Product exact, sum rounded in f64: wrong only on a tie.
                scalar => narrow(scalar, x * y + z),
            };
            let close =
                scalar.bits() == 16 && x * y + z - x * y != z && got[index].abs_diff(want) <= 1;
            assert!(
                same(scalar, got[index], want) || close,
                "{scalar} {x:e} * {y:e} + {z:e}"
            );
        }
    }
}

#[test]
fn a_nan_loses_or_wins_and_zeros_are_ordered() {
    for scalar in FLOATS {
        for propagate in [false, true] {
            for (op, sign) in [(FloatOp::MaxF, 1.0), (FloatOp::MinF, -1.0)] {
                let attrs = propagate.then_some(("propagate_nan", Attr::Unit));
                let attrs: Vec<_> = attrs.into_iter().collect();
                let (a, b, got) = float_binary(op, scalar, &attrs, 43);
                for index in 0..got.len() {
                    let (x, y) = (value(scalar, a[index]), value(scalar, b[index]));
                    let got_value = value(scalar, got[index]);
                    let want = match (x.is_nan(), y.is_nan()) {
                        (true, true) => f64::NAN,
                        (true, false) if !propagate => y,
                        (false, true) if !propagate => x,
                        (true, _) | (_, true) => f64::NAN,
                        // `total_cmp` puts -0 below +0.
                        _ if (x * sign).total_cmp(&(y * sign)).is_ge() => x,
                        _ => y,
                    };
                    let agrees = got_value.to_bits() == want.to_bits()
                        || got_value.is_nan() && want.is_nan();
                    assert!(agrees, "{op:?} {scalar} {x:e} {y:e}: {got_value:e}");
                }
            }
        }
    }
}

#[test]
fn a_comparison_with_nan_is_what_its_ordering_says() {
    for scalar in FLOATS {
        for ordering in ComparisonOrdering::ALL {
            for predicate in ComparisonPredicate::ALL {
                let (a, b) = (patterns(scalar, COUNT, 47), patterns(scalar, COUNT, 53));
                let inputs = [tile(scalar, a.clone()), tile(scalar, b.clone())];
                let got = eval(&inputs, |build, args| {
                    build.cmpf(*predicate, *ordering, args[0], args[1], LOC)
                })
                .expect("it runs");
                for index in 0..COUNT {
                    let order = value(scalar, a[index]).partial_cmp(&value(scalar, b[index]));
                    let want = order.map_or(*ordering == ComparisonOrdering::Unordered, |order| {
                        holds(*predicate, order)
                    });
                    assert_eq!(got.bits[index], u64::from(want));
                }
            }
        }
    }
}

#[test]
fn functions_are_within_a_unit_in_the_last_place() {
    type Function = fn(f64) -> f64;
    let table: [(FloatOp, Function); 14] = [
        (FloatOp::Exp, f64::exp),
        (FloatOp::Exp2, f64::exp2),
        (FloatOp::Log, f64::ln),
        (FloatOp::Log2, f64::log2),
        (FloatOp::Sin, f64::sin),
        (FloatOp::Cos, f64::cos),
        (FloatOp::Tan, f64::tan),
        (FloatOp::SinH, f64::sinh),
        (FloatOp::CosH, f64::cosh),
        (FloatOp::TanH, f64::tanh),
        (FloatOp::Sqrt, f64::sqrt),
        (FloatOp::RSqrt, |x| 1.0 / x.sqrt()),
        (FloatOp::Ceil, f64::ceil),
        (FloatOp::Floor, f64::floor),
    ];
    for scalar in FLOATS {
        let a = patterns(scalar, COUNT, 59);
        for (op, function) in table {
            let got = eval(&[tile(scalar, a.clone())], |b, args| {
                b.like_first(op, args, LOC)
            });
            for (&a, &got) in a.iter().zip(&got.expect("it runs").bits) {
                let want = narrow(scalar, function(value(scalar, a)));
                assert!(
                    same(scalar, got, want),
                    "{op:?} {scalar} {:e}",
                    value(scalar, a)
                );
            }
        }
        for (op, flip) in [(FloatOp::NegF, true), (FloatOp::AbsF, false)] {
            let got = eval(&[tile(scalar, a.clone())], |b, args| {
                b.like_first(op, args, LOC)
            });
            let sign = 1 << (scalar.bits() - 1);
            for (&a, &got) in a.iter().zip(&got.expect("it runs").bits) {
                assert_eq!(got, if flip { a ^ sign } else { a & !sign });
            }
        }
        let (a, b, got) = float_binary(FloatOp::RemF, scalar, &[], 61);
        for index in 0..got.len() {
            let (x, y) = (value(scalar, a[index]), value(scalar, b[index]));
            assert!(
                same(scalar, got[index], narrow(scalar, x % y)),
                "{x:e} % {y:e}"
            );
        }
        let (a, b, got) = float_binary(FloatOp::Pow, scalar, &[], 67);
        for index in 0..got.len() {
            let (x, y) = (value(scalar, a[index]), value(scalar, b[index]));
            assert!(
                same(scalar, got[index], narrow(scalar, x.powf(y))),
                "{x:e} ^ {y:e}"
            );
        }
    }
}

#[test]
fn float_formats_convert_rounding_once() {
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
fn floats_and_integers_convert() {
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
                        // Exact in f64 up to 2^53, and far from ties beyond.
                        float => narrow(float, number as f64),
                    };
                    assert_eq!(got, want, "{number} to {float}");
                }
            }
        }
    }
}

#[test]
fn data_moves_as_the_shapes_say() {
    let data: Vec<u64> = (0..24_u64).map(|i| i * 7 % 256).collect();
    let input = Tile::new(Scalar::I8, &[2, 4, 2], data[..16].to_vec());
    let got = eval(&[input.clone()], |b, args| {
        b.permute(args[0], &[2, 0, 1], LOC)
    })
    .expect("it runs");
    assert_eq!(got.shape, [2, 2, 4]);
    for (index, &bits) in got.bits.iter().enumerate() {
        let (i, j, k) = (index / 8, index / 4 % 2, index % 4);
        assert_eq!(bits, data[j * 8 + k * 2 + i]);
    }
    let input = Tile::new(Scalar::F32, &[4, 1, 2], data[..8].to_vec());
    let got = eval(&[input], |b, args| b.broadcast(args[0], &[4, 8, 2], LOC)).expect("it runs");
    for (index, &bits) in got.bits.iter().enumerate() {
        assert_eq!(bits, data[index / 16 * 2 + index % 2]);
    }
    let input = Tile::new(Scalar::I64, &[4, 2], data[..8].to_vec());
    let got = eval(&[input], |b, args| b.reshape(args[0], &[2, 1, 4], LOC)).expect("it runs");
    assert_eq!((got.shape, got.bits), (vec![2, 1, 4], data[..8].to_vec()));
    let got = eval(&[], |b, _| {
        b.op(CoreOp::Iota, LOC)
            .result(Type::tile(Scalar::I8, &[256]))
            .finish_value()
    });
    assert_eq!(got.expect("it runs").bits, (0..256).collect::<Vec<u64>>());
    let got = eval(&[tile(Scalar::F16, vec![0x3c00, 0xffff])], |b, args| {
        b.convert(ConversionOp::BitCast, args[0], Scalar::I16, None, LOC)
    });
    assert_eq!(got.expect("it runs").bits, [0x3c00, 0xffff]);
    let inputs = [
        tile(Scalar::I1, vec![1, 0]),
        tile(Scalar::I32, vec![5, 6]),
        tile(Scalar::I32, vec![7, 8]),
    ];
    let got = eval(&inputs, |b, args| {
        b.op(CoreOp::Select, LOC)
            .args(args)
            .result(Type::tile(Scalar::I32, &[2]))
            .finish_value()
    });
    assert_eq!(got.expect("it runs").bits, [5, 8]);
}

#[test]
fn an_integer_product_wraps_in_i32() {
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
fn a_batched_f16_product_is_rounded_at_the_end() {
    let small = |seed, count| -> Vec<u64> {
        let mut random = Random(seed);
        (0..count)
            .map(|_| {
                u64::from(half::f16::from_f64((random.next() % 17) as f64 / 8.0 - 1.0).to_bits())
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
    let at = |bits| value(Scalar::F16, bits);
    for batch in 0..2 {
        for i in 0..4 {
            for j in 0..8 {
                // Exact: every number is a small multiple of 1/64.
                let sum: f64 = (0..16)
                    .map(|k| at(a[batch * 64 + i * 16 + k]) * at(b[batch * 128 + k * 8 + j]))
                    .sum();
                let index = batch * 32 + i * 8 + j;
                assert_eq!(got.bits[index], narrow(Scalar::F16, sum + at(c[index])));
            }
        }
    }
}

#[test]
fn an_assumption_that_does_not_hold_is_a_fault() {
    let iota = tile(Scalar::I32, (16..32).collect());
    let run = |predicate: AssumePredicate| {
        eval(&[iota.clone()], |b, args| b.assume(args[0], predicate, LOC))
    };
    let div_by = |divisor, every, along| AssumePredicate::DivBy {
        divisor,
        every,
        along,
    };
    run(div_by(16, Some(16), Some(0))).expect("it holds");
    run(div_by(4, Some(4), Some(0))).expect("it holds");
    let fault = run(div_by(2, None, None)).expect_err("17 is odd");
    assert!(
        fault.contains("assume (operation 0): assumed divisible by 2, found 17"),
        "{fault}"
    );
    let bounded = |lower, upper| AssumePredicate::Bounded { lower, upper };
    run(bounded(Some(16), Some(31))).expect("it holds");
    let fault = run(bounded(None, Some(30))).expect_err("31 is above");
    assert!(
        fault.contains("assumed between ? and 30, found 31"),
        "{fault}"
    );
    run(AssumePredicate::SameElements(vec![1])).expect("it holds");
    let fault = run(AssumePredicate::SameElements(vec![2])).expect_err("16 and 17 differ");
    assert!(fault.contains("found 16 and 17"), "{fault}");
}

#[test]
fn a_reduction_by_one_operation_goes_along_the_axis_from_its_start() {
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
        // Not on the fast path: the general one must agree.
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
        // Small floats, so that f64 sums of f32 round once.
        let data: Vec<u64> = if scalar.is_float() {
            let mut random = Random(101);
            (0..64)
                .map(|_| narrow(scalar, (random.next() % 1000) as f64 / 256.0 - 2.0))
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
            for at in 0..count {
                let want = (0..extent).fold(identity, |acc, k| {
                    let index = if dim == 0 { k * 16 + at } else { at * 16 + k };
                    combine(scalar, data[index], acc)
                });
                assert_eq!(
                    got.bits[at],
                    want,
                    "{} {scalar} along {dim}",
                    op.def().mnemonic
                );
            }
        }
    }
}
