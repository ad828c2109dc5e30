//! Tests transcendental functions against correctly rounded results.
//!
//! With `TILE_EXHAUSTIVE`, every 16-bit pattern and twenty thousand patterns of each other type are
//! tested, and the largest errors must be those of `docs/numerics.md`. Otherwise only some of these
//! are tested, and no error may be larger than on the page.

use crate::common::LOC;
use crate::every_pattern::is_exhaustive;
use crate::input::{FLOATS, eval, mask, tile};
use crate::model::{signed, value};
use crate::oracle::Oracle;
use crate::page::{self, Figures};
use std::f64::consts::{FRAC_PI_2, PI};
use tile_core::ops::FloatOp;
use tile_core::testing::Random;
use tile_core::types::Scalar;

/// An operation, and the intervals on which it is sampled.
pub(crate) struct Function {
    pub(crate) op: FloatOp,
    /// The intervals of uniform samples, per operand.
    intervals: &'static [[(f64, f64); 2]],
}

const fn unary(op: FloatOp, intervals: &'static [[(f64, f64); 2]]) -> Function {
    Function { op, intervals }
}

const ANGLES: &[[(f64, f64); 2]] = &[
    [(-7.0, 7.0), (0.0, 1.0)],
    [(-1e5, 1e5), (0.0, 1.0)],
    [(-0.8, 0.8), (0.0, 1.0)],
];
const EXPONENTS: &[[(f64, f64); 2]] = &[
    [(-750.0, 715.0), (0.0, 1.0)],
    [(-104.0, 90.0), (0.0, 1.0)],
    [(-1.0, 1.0), (0.0, 1.0)],
    [(-20.0, 12.0), (0.0, 1.0)],
];
const BINARY_EXPONENTS: &[[(f64, f64); 2]] = &[
    [(-1080.0, 1025.0), (0.0, 1.0)],
    [(-150.0, 129.0), (0.0, 1.0)],
    [(-1.0, 1.0), (0.0, 1.0)],
];
const POSITIVE: &[[(f64, f64); 2]] = &[
    [(0.0, 4.0), (0.0, 1.0)],
    [(0.99, 1.01), (0.0, 1.0)],
    [(0.0, 1e6), (0.0, 1.0)],
];

pub(crate) const FUNCTIONS: [Function; 15] = [
    unary(FloatOp::Cos, ANGLES),
    unary(FloatOp::CosH, EXPONENTS),
    unary(FloatOp::Exp, EXPONENTS),
    unary(FloatOp::Exp2, BINARY_EXPONENTS),
    unary(FloatOp::Log, POSITIVE),
    unary(FloatOp::Log2, POSITIVE),
    unary(FloatOp::RSqrt, POSITIVE),
    unary(FloatOp::Sin, ANGLES),
    unary(FloatOp::SinH, EXPONENTS),
    unary(FloatOp::Sqrt, POSITIVE),
    unary(FloatOp::Tan, ANGLES),
    unary(
        FloatOp::TanH,
        &[[(-22.0, 22.0), (0.0, 1.0)], [(-1.0, 1.0), (0.0, 1.0)]],
    ),
    unary(
        FloatOp::Atan2,
        &[[(-3.0, 3.0), (-3.0, 3.0)], [(0.0, 1.0), (-1e3, 1e3)]],
    ),
    unary(
        FloatOp::Pow,
        &[
            [(0.0, 4.0), (-40.0, 40.0)],
            [(0.0, 1e6), (-50.0, 50.0)],
            [(0.999, 1.001), (-1e5, 1e5)],
        ],
    ),
    unary(
        FloatOp::FPowI,
        &[[(-4.0, 4.0), (-40.0, 40.0)], [(0.999, 1.001), (-1e5, 1e5)]],
    ),
];

impl Function {
    fn name(&self) -> &'static str {
        tile_core::ops::Opcode::from(self.op).def().mnemonic
    }

    fn second(&self, scalar: Scalar) -> Option<Scalar> {
        match self.op {
            FloatOp::Pow | FloatOp::Atan2 => Some(scalar),
            FloatOp::FPowI => Some(Scalar::I64),
            _ => None,
        }
    }

    /// Returns operands: first every pair of special numbers, then `count` other pairs.
    fn inputs(&self, scalar: Scalar, count: usize) -> [Vec<u64>; 2] {
        let second = self.second(scalar);
        let [mut a, mut b] = [Vec::new(), Vec::new()];
        let seconds = second.map_or(vec![0], special);
        let pairs = special(scalar).into_iter();
        let pairs = pairs.flat_map(|x| seconds.iter().map(move |&y| (x, y)));
        // Since the step is odd, every number still occurs on both sides of a pair.
        let step = if second.is_some() && !is_exhaustive() {
            17
        } else {
            1
        };
        for (x, y) in pairs.step_by(step) {
            a.push(x);
            b.push(y);
        }
        if is_exhaustive() && scalar.bits() == 16 {
            // Use every pattern, twice if there is a second operand.
            let mut random = Random::new(0x5eed);
            for x in 0..1 << 16 {
                a.push(x);
                b.push(second.map_or(0, |second| random.bits() & mask(second)));
            }
        }
        let mut random = Random::new(0x5eed + u64::from(scalar.bits()));
        for index in 0..count {
            let mut next = |scalar: Scalar, (low, high): (f64, f64)| {
                if index % 4 == 0 {
                    return random.bits() & mask(scalar);
                }
                let unit = (random.bits() >> 11) as f64 / 2.0_f64.powi(53);
                near(scalar, low + (high - low) * unit)
            };
            let interval = self.intervals[index / 4 % self.intervals.len()];
            a.push(next(scalar, interval[0]));
            b.push(second.map_or(0, |second| next(second, interval[1])));
        }
        let length = a.len().next_power_of_two();
        for column in [&mut a, &mut b] {
            let last = column[0];
            column.resize(length, last);
        }
        [a, b]
    }

    /// Returns the results of the interpreter.
    fn run(&self, scalar: Scalar, [a, b]: &[Vec<u64>; 2]) -> Vec<u64> {
        let mut inputs = vec![tile(scalar, a.clone())];
        if let Some(second) = self.second(scalar) {
            inputs.push(tile(second, b.clone()));
        }
        let got = eval(&inputs, |build, args| build.like_first(self.op, args, LOC));
        got.expect("it runs").bits
    }
}

/// Returns a number of the type close to `value`.
fn near(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        Scalar::F16 => half::f16::from_f64(value).to_bits().into(),
        Scalar::BF16 => half::bf16::from_f64(value).to_bits().into(),
        Scalar::F32 => u64::from((value as f32).to_bits()),
        Scalar::F64 => value.to_bits(),
        integer => (value as i64 as u64) & mask(integer),
    }
}

/// Returns zeros, infinities, NaNs, the least and greatest numbers, powers of two, small whole
/// numbers and their neighbours, and angles next to multiples of a half turn, each with both signs.
fn special(scalar: Scalar) -> Vec<u64> {
    if !scalar.is_float() {
        return [
            0,
            1,
            2,
            3,
            10,
            63,
            1 << 30,
            1 << 53,
            (1 << 53) + 1,
            3 << 54,
            i64::MAX,
        ]
        .into_iter()
        .flat_map(|n: i64| [n.cast_unsigned(), n.wrapping_neg().cast_unsigned()])
        .chain([1 << 63])
        .collect();
    }
    let (exponent_bits, mantissa_bits) = match scalar {
        Scalar::F16 => (5, 10),
        Scalar::BF16 => (8, 7),
        Scalar::F32 => (8, 23),
        _ => (11, 52),
    };
    let infinity = ((1_u64 << exponent_bits) - 1) << mantissa_bits;
    let min_normal = 1 << mantissa_bits;
    let mut inputs = vec![
        0,
        1,
        2,
        min_normal - 1,
        min_normal,
        min_normal + 1,
        infinity - 1,
        infinity,
        infinity + 1,
        infinity | 1 << (mantissa_bits - 1),
    ];
    let numbers = [
        0.5,
        1.0,
        1.5,
        2.0,
        3.0,
        4.0,
        10.0,
        22.0,
        88.7,
        709.7,
        710.4,
        1e4,
        1e22,
        FRAC_PI_2,
        PI,
        // The closest numbers of f32 and of f64 to a multiple of a quarter turn.
        16_367_173.0 * 2.0_f64.powi(72),
        6_381_956_970_095_103.0 * 2.0_f64.powi(797),
    ];
    for number in numbers {
        let bits = near(scalar, number);
        if bits < infinity {
            inputs.extend([bits - 1, bits, bits + 1]);
        }
    }
    let sign = 1 << (exponent_bits + mantissa_bits);
    inputs
        .iter()
        .flat_map(|&bits| [bits, bits | sign])
        .collect()
}

/// Returns the distance between two numbers in units in the last place.
fn distance(scalar: Scalar, a: u64, b: u64) -> u64 {
    let sign = 1 << (scalar.bits() - 1);
    let place = |bits: u64| {
        let magnitude = (bits & (sign - 1)).cast_signed();
        if bits & sign == 0 {
            magnitude
        } else {
            -magnitude
        }
    };
    place(a).abs_diff(place(b))
}

/// Returns the largest error of a function in units in the last place.
fn largest_error(oracle: &mut Oracle, function: &Function, scalar: Scalar, count: usize) -> f64 {
    let inputs = function.inputs(scalar, count);
    let got = function.run(scalar, &inputs);
    let name = function.name();
    let [a, b] = &inputs;
    let request = format!("function {name} {scalar}");
    let [best, errors] = match function.second(scalar) {
        Some(_) => oracle.ask(&request, &[a, b, &got]),
        None => oracle.ask(&request, &[a, &got]),
    };
    let mut largest = 0.0_f64;
    for index in 0..got.len() {
        let error = f64::from_bits(errors[index]);
        largest = largest.max(error);
        let (got, best) = (got[index], best[index]);
        let [got_value, best_at] = [got, best].map(|bits| value(scalar, bits));
        let agrees = if best_at.is_nan() || got_value.is_nan() {
            best_at.is_nan() && got_value.is_nan()
        } else if error == 0.0 {
            // Such results must match bit for bit.
            got == best
        } else {
            distance(scalar, got, best) <= 1
        };
        let second = match function.second(scalar) {
            Some(Scalar::I64) => signed(Scalar::I64, b[index]).to_string(),
            Some(_) => format!("{:e}", value(scalar, b[index])),
            None => String::new(),
        };
        assert!(
            agrees,
            "{name} {scalar} {:e} {second}: got {got_value:e}, {best_at:e} is nearest, {error} ulp",
            value(scalar, a[index]),
        );
    }
    largest
}

/// Returns the number of operands that are not special. A larger number of operands extends the
/// same sequence.
fn count(scalar: Scalar) -> usize {
    match scalar {
        _ if !is_exhaustive() => 100,
        _ => 20_000,
    }
}

#[test]
fn functions_are_within_a_unit_in_the_last_place_of_the_nearest_number() {
    let Some(mut oracle) = Oracle::start() else {
        return;
    };
    let mut figures = Figures::new();
    for function in &FUNCTIONS {
        let errors =
            FLOATS.map(|scalar| largest_error(&mut oracle, function, scalar, count(scalar)));
        figures.push((function.name(), errors));
    }
    page::compare(&figures);
}

#[test]
fn exact_results_of_functions_are_exact() {
    let check = |op: FloatOp, operands: &[(Scalar, Vec<u64>)], want: &[u64]| {
        let tiles: Vec<_> = operands
            .iter()
            .map(|(scalar, bits)| tile(*scalar, bits.clone()))
            .collect();
        let got = eval(&tiles, |b, args| b.like_first(op, args, LOC)).expect("it runs");
        for (index, (got, want)) in got.bits.iter().zip(want).enumerate() {
            assert_eq!(got, want, "{op:?}, element {index}");
        }
    };
    let bits = |scalar, numbers: &[f64]| -> Vec<u64> {
        numbers.iter().map(|&number| near(scalar, number)).collect()
    };
    let powers: Vec<f64> = (-1074..974)
        .map(|n: i32| match u64::try_from(n + 1022) {
            Ok(normal) => f64::from_bits((normal + 1) << 52),
            Err(_) => f64::from_bits(1 << (n + 1074)),
        })
        .collect();
    let exponents: Vec<f64> = (-1074..974).map(f64::from).collect();
    let [of_powers, of_exponents] =
        [&powers, &exponents].map(|numbers| (Scalar::F64, bits(Scalar::F64, numbers)));
    check(
        FloatOp::Exp2,
        std::slice::from_ref(&of_exponents),
        &of_powers.1,
    );
    check(
        FloatOp::Log2,
        std::slice::from_ref(&of_powers),
        &of_exponents.1,
    );
    let two = (Scalar::F64, vec![2.0_f64.to_bits(); 2048]);
    check(FloatOp::Pow, &[two, of_exponents.clone()], &of_powers.1);
    for scalar in FLOATS {
        let whole: Vec<f64> = (0..32).map(|n| f64::from(n) - 12.0).collect();
        let squares: Vec<f64> = whole.iter().map(|x| x * x).collect();
        let cubes: Vec<f64> = whole.iter().map(|x| x * x * x).collect();
        let constant = |number| (scalar, vec![near(scalar, number); 32]);
        let whole = (scalar, bits(scalar, &whole));
        check(
            FloatOp::Pow,
            &[whole.clone(), constant(2.0)],
            &bits(scalar, &squares),
        );
        let three = (Scalar::I32, vec![3; 32]);
        check(FloatOp::FPowI, &[whole, three], &bits(scalar, &cubes));
        let roots: Vec<f64> = (1..33).map(|n| 1.0 / f64::from(1 << (n % 8))).collect();
        let squares: Vec<f64> = roots.iter().map(|x| 1.0 / (x * x)).collect();
        check(
            FloatOp::RSqrt,
            &[(scalar, bits(scalar, &squares))],
            &bits(scalar, &roots),
        );
    }
}

/// Only these functions flush subnormal numbers, and only in f32.
#[test]
fn functions_flush_operands_before_and_results_after() {
    use tile_core::ir::Attr;
    let flushed = |bits: u64| {
        if bits & 0x7f80_0000 == 0 {
            bits & 0x8000_0000
        } else {
            bits
        }
    };
    for function in &FUNCTIONS {
        if !matches!(function.op, FloatOp::Exp2 | FloatOp::RSqrt | FloatOp::Sqrt) {
            continue;
        }
        let [a, _] = function.inputs(Scalar::F32, 3000);
        let run = |operand: Vec<u64>, flush: bool| {
            let got = eval(&[tile(Scalar::F32, operand)], |b, args| {
                let ty = b.ty(args[0]);
                let mut op = b.op(function.op, LOC).args(args);
                if flush {
                    op = op.attr("flush_to_zero", Attr::Unit);
                }
                op.result(ty).finish_value()
            });
            got.expect("it runs").bits
        };
        let got = run(a.clone(), true);
        let kept = run(a.iter().map(|&bits| flushed(bits)).collect(), false);
        let want: Vec<u64> = kept.into_iter().map(flushed).collect();
        assert_eq!(got, want, "{}", function.name());
        assert_ne!(got, run(a, false), "{}", function.name());
    }
}
