//! Tests elementwise functions of tiles against Rust: integers bit for bit, floats within the
//! errors that `docs/numerics.md` states.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::float_cmp,
    reason = "results are compared bit for bit, and the numbers are chosen for their ends"
)]

use super::tile_tests::run;
use half::{bf16, f16};
use tile_core::testing::Random;

/// A number type of Rust, with its memory representation and random values.
trait Number: Copy + PartialEq + std::fmt::Debug {
    const NAME: &'static str;
    /// Returns `T::MAX` and other limits, powers, squares, and their neighbours.
    fn corners() -> Vec<Self>;
    fn from_wide_bits(bits: u64) -> Self;
    fn write(self, bytes: &mut Vec<u8>);
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! integers {
    ($($ty:ident)+) => { $(
        impl Number for $ty {
            const NAME: &'static str = stringify!($ty);

            fn corners() -> Vec<Self> {
                let mut corners = vec![0, 1, 2, 3, <$ty>::MAX, <$ty>::MAX - 1, <$ty>::MIN, <$ty>::MIN + 1];
                let mut around = |value: u64| {
                    for near in [value.wrapping_sub(1), value, value.wrapping_add(1)] {
                        corners.extend([near as $ty, (near as $ty).wrapping_neg()]);
                    }
                };
                for power in 0..<$ty>::BITS {
                    around(1 << power);
                    let root = 1_u64 << (power / 2);
                    around((root + 1).wrapping_mul(root + 1));
                    around((root * 2 - 1).wrapping_mul(root * 2 - 1));
                }
                for power in 0..20 {
                    around(10_u64.pow(power));
                }
                corners
            }

            fn from_wide_bits(bits: u64) -> Self {
                bits as $ty
            }

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Self {
                <$ty>::from_le_bytes(bytes.try_into().expect("the size of the buffer"))
            }
        }
    )+ };
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! floats {
    ($($ty:ident $bits:ident [$($value:expr),+];)+) => { $(
        impl Number for $ty {
            const NAME: &'static str = stringify!($ty);

            fn corners() -> Vec<Self> {
                let mut corners = vec![$($value),+];
                for value in [
                    0.0_f64, 0.25, 0.49999997, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 8.0, 10.0, 27.0, 64.0, 100.0,
                    127.5, 128.5, 254.5, 255.5, 447.0, 448.0, 449.0, 463.0, 465.0, 479.0, 481.0, 1000.0, 57344.0, 61439.0, 61441.0,
                    65504.0, 1e5, 1e6, 1e9, 3e10, 1e19, 1e-3, 1e-5, 1e-7, 1e-10, 1e-30, 1e-40, 8388607.5, 8388609.0,
                    4503599627370495.5, 1.0000001, 0.9999999,
                ] {
                    let value = <$ty as Float>::round_from_f64(value);
                    corners.extend([value, -value]);
                }
                corners
            }

            fn from_wide_bits(bits: u64) -> Self {
                <$ty>::from_bits(bits as $bits)
            }

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Self {
                <$ty>::from_le_bytes(bytes.try_into().expect("the size of the buffer"))
            }
        }
    )+ };
}
floats! {
    f16 u16 [f16::NAN, f16::INFINITY, f16::NEG_INFINITY, f16::MAX, f16::MIN_POSITIVE];
    bf16 u16 [bf16::NAN, bf16::INFINITY, bf16::NEG_INFINITY, bf16::MAX, bf16::MIN_POSITIVE];
    f32 u32 [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1)];
    f64 u64 [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1)];
}

/// A float type, and a measure of the error of its values.
trait Float: Number {
    fn round_from_f64(value: f64) -> Self;
    fn wide(self) -> f64;
    /// The number of bits of the mantissa, and the exponent of the smallest normal number.
    const SHAPE: (i32, i32);

    /// Returns `|self - exact|` in units of the last place of `exact`; 0 if both are NaN.
    fn error(self, exact: f64) -> f64 {
        let wide = self.wide();
        let rounded = Self::round_from_f64(exact).wide();
        if wide.is_nan() && exact.is_nan() || wide == rounded {
            return if exact.is_finite() && rounded.is_finite() && exact != 0.0 {
                (wide - exact).abs() / Self::unit(exact)
            } else {
                0.0
            };
        }
        (wide - exact).abs() / Self::unit(exact)
    }

    fn unit(exact: f64) -> f64 {
        let (mantissa, least) = Self::SHAPE;
        let exponent = exact.abs().log2().floor() as i32;
        f64::from(exponent.max(least) - mantissa).exp2()
    }
}

macro_rules! shapes {
    ($($ty:ident $mantissa:literal $least:literal: $round_from_f64:expr, $wide:expr;)+) => { $(
        impl Float for $ty {
            const SHAPE: (i32, i32) = ($mantissa, $least);

            fn round_from_f64(value: f64) -> Self {
                let round_from_f64: fn(f64) -> Self = $round_from_f64;
                round_from_f64(value)
            }

            fn wide(self) -> f64 {
                let wide: fn(Self) -> f64 = $wide;
                wide(self)
            }
        }
    )+ };
}
shapes! {
    f16 10 -14: f16::from_f64, f16::to_f64;
    bf16 7 -126: bf16::from_f64, bf16::to_f64;
    f32 23 -126: |value| value as f32, f64::from;
    f64 52 -1022: |value| value, |value| value;
}

const COUNT: usize = 4096;

/// Returns corner cases, followed by random numbers.
fn inputs<T: Number>(seed: u64) -> Vec<T> {
    let mut random = Random::new(seed);
    let mut values = T::corners();
    while values.len() < COUNT {
        let bits = random.bits();
        // Add numbers with few significant bits.
        values.push(T::from_wide_bits(
            bits >> (random.bits() % 2 * (random.bits() % 64)),
        ));
    }
    values.truncate(COUNT);
    values
}

/// Returns pairs of corner cases and random numbers, in which each corner case meets many others.
fn pairs<T: Number>() -> (Vec<T>, Vec<T>) {
    let corners = T::corners();
    let mut random = Random::new(7);
    let mut pick = |index: usize| {
        let bits = random.bits();
        if index.is_multiple_of(3) {
            T::from_wide_bits(bits >> (bits % 61))
        } else {
            corners[bits as usize % corners.len()]
        }
    };
    (0..COUNT)
        .map(|index| (pick(index), pick(index + 1)))
        .unzip()
}

/// Runs a kernel that evaluates the expression on tiles of `x` and `y`.
fn kernel<T: Number, U: Number, R: Number>(expression: &str, x: &[T], y: &[U]) -> Vec<R> {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for value in x {
        value.write(&mut left);
    }
    for value in y {
        value.write(&mut right);
    }
    let uses_y = expression.contains('y');
    let second = if uses_y {
        format!("let y = y.load([0], [{COUNT}]);")
    } else {
        String::new()
    };
    let body = format!("let x = x.load([0], [{COUNT}]); {second} out.store([0], {expression});");
    let sizes = [left.len() / COUNT, right.len() / COUNT, size_of::<R>()];
    let types = [T::NAME, U::NAME, R::NAME];
    let out = run(types, &left, &right, sizes, COUNT, &body).expect("nothing is undefined");
    out.chunks(size_of::<R>()).map(R::read).collect()
}

fn unary<T: Number, R: Number>(expression: &str, rust: impl Fn(T) -> R) {
    let x = inputs::<T>(1);
    let actual: Vec<R> = kernel(expression, &x, &x);
    for (x, actual) in x.into_iter().zip(actual) {
        let expected = rust(x);
        assert_eq!(actual, expected, "{} {expression} of {x:?}", T::NAME);
    }
}

fn binary<T: Number, R: Number>(expression: &str, rust: impl Fn(T, T) -> R) {
    let (x, y) = pairs::<T>();
    let actual: Vec<R> = kernel(expression, &x, &y);
    for ((x, y), actual) in x.into_iter().zip(y).zip(actual) {
        let expected = rust(x, y);
        assert_eq!(
            actual,
            expected,
            "{} {expression} of {x:?} and {y:?}",
            T::NAME
        );
    }
}

macro_rules! every {
    ($($ty:ident)+: $body:item) => { $({
        #[allow(dead_code, reason = "each body names the type once")]
        type T = $ty;
        $body
        check();
    })+ };
}

#[test]
fn bits_of_integers() {
    every! { i8 i16 i32 i64 u8 u16 u32 u64: fn check() {
        unary("x.swap_bytes()", T::swap_bytes);
        unary("x.reverse_bits()", T::reverse_bits);
        unary("x.leading_ones()", T::leading_ones);
        unary("x.trailing_ones()", T::trailing_ones);
        unary("x.leading_zeros()", T::leading_zeros);
        unary("x.trailing_zeros()", T::trailing_zeros);
    } }
}

#[test]
fn roots_and_logarithms_of_integers() {
    every! { u8 u16 u32 u64: fn check() {
        unary("x.isqrt()", T::isqrt);
        unary("x.ilog2()", |x: T| x.checked_ilog2().unwrap_or(u32::MAX));
        unary("x.ilog10()", |x: T| x.checked_ilog10().unwrap_or(u32::MAX));
        unary("x.next_power_of_two()", |x: T| x.checked_next_power_of_two().unwrap_or(0));
    } }
    every! { i8 i16 i32 i64: fn check() {
        unary("x.isqrt()", |x: T| x.checked_isqrt().unwrap_or(0));
        unary("x.ilog2()", |x: T| x.checked_ilog2().unwrap_or(u32::MAX));
        unary("x.ilog10()", |x: T| x.checked_ilog10().unwrap_or(u32::MAX));
    } }
}

#[test]
fn saturating_arithmetic() {
    every! { i8 i16 i32 i64 u8 u16 u32 u64: fn check() {
        binary("x.saturating_add(y)", T::saturating_add);
        binary("x.saturating_sub(y)", T::saturating_sub);
        binary("x.saturating_mul(y)", T::saturating_mul);
        binary("x.saturating_div(select(y == 0, 1, y))", |x: T, y: T| x.saturating_div(if y == 0 { 1 } else { y }));
    } }
    every! { i8 i16 i32 i64: fn check() {
        unary("x.saturating_neg()", T::saturating_neg);
        unary("x.saturating_abs()", T::saturating_abs);
    } }
}

#[test]
fn quotients_rounded_up() {
    every! { u8 u16 u32 u64: fn check() {
        binary("x.div_ceil(y.max(1))", |x: T, y: T| x.div_ceil(y.max(1)));
        binary("x.next_multiple_of(y.max(1))", |x: T, y: T| {
            u128::from(x).next_multiple_of(u128::from(y.max(1))) as T
        });
    } }
    every! { i8 i16 i32 i64: fn check() {
        // `div_ceil` of signed integers is not stable in Rust.
        binary("x.div_ceil(y.clamp(1, 100))", |x: T, y: T| {
            let (x, y) = (i128::from(x), i128::from(y.clamp(1, 100)));
            T::try_from(x.div_euclid(y) + i128::from(x.rem_euclid(y) != 0)).expect("it is less")
        });
    } }
    let x = [-7_i32, 7, 7, -7, 6, i32::MIN, i32::MAX, 0].repeat(COUNT / 8);
    let y = [2_i32, 2, -2, -2, 3, 2, i32::MAX, 5].repeat(COUNT / 8);
    let actual: Vec<i32> = kernel("x.div_ceil(y)", &x, &y);
    assert_eq!(actual[..8], [-3, 4, -3, 4, 2, i32::MIN / 2, 1, 0]);
}

#[test]
fn powers_of_exponents_known_at_run_time() {
    every! { i8 i16 i32 i64 u8 u16 u32 u64: fn check() {
        let x = inputs::<T>(3);
        let mut n = inputs::<u32>(4);
        n.rotate_left(17);
        let actual: Vec<T> = kernel("x.pow(y)", &x, &n);
        for ((x, n), actual) in x.into_iter().zip(n).zip(actual) {
            assert_eq!(actual, x.wrapping_pow(n), "{x} to the power {n}");
        }
    } }
}

#[test]
fn casts_that_round() {
    every! { f16 bf16 f32 f64: fn check() {
        unary("x.round_ties_even().to_bits()", |x: T| {
            let whole = T::round_from_f64(x.wide().round_ties_even());
            if x.is_nan() { x.to_bits() } else { whole.to_bits() }
        });
        unary("x.cast_with::<i8>(Rounding::NearestEven)", |x: T| x.wide().round_ties_even() as i8);
        unary("x.cast_with::<u8>(Rounding::PosInf)", |x: T| x.wide().ceil() as u8);
        unary("x.cast_with::<i32>(Rounding::NegInf)", |x: T| x.wide().floor() as i32);
        unary("x.cast_with::<i64>(Rounding::Zero)", |x: T| x.wide() as i64);
    } }
}

#[test]
fn casts_that_saturate() {
    use tile_core::Scalar;
    use tile_core::interp::encode_float;
    // The nearest finite number, as defined for `cvt.satfinite` in PTX.
    let small = |scalar: Scalar, greatest: f64| {
        move |x: f64| {
            u8::try_from(encode_float(scalar, x.clamp(-greatest, greatest))).expect("eight bits")
        }
    };
    let e4m3 = small(Scalar::F8E4M3FN, 448.0);
    let e5m2 = small(Scalar::F8E5M2, 57344.0);
    unary("x.saturating_cast::<f8e4m3>().to_bits()", |x: f32| {
        e4m3(f64::from(x))
    });
    unary("x.saturating_cast::<f8e5m2>().to_bits()", |x: f32| {
        e5m2(f64::from(x))
    });
    unary("x.saturating_cast::<f8e4m3>().to_bits()", |x: f64| e4m3(x));
    unary("x.saturating_cast::<f8e4m3>().to_bits()", |x: f16| {
        e4m3(x.to_f64())
    });
    unary("x.saturating_cast::<f8e5m2>().to_bits()", |x: bf16| {
        e5m2(x.to_f64())
    });
    unary("x.saturating_cast::<f8e4m3>().to_bits()", |x: i32| {
        e4m3(f64::from(x))
    });
    unary("x.saturating_cast::<f16>().to_bits()", |x: f32| {
        let near = f16::from_f32(x.clamp(-65504.0, 65504.0));
        // `cvt` of PTX returns this NaN.
        if near.is_nan() {
            0x7FFF
        } else {
            near.to_bits()
        }
    });
    unary("x.saturating_cast::<i8>()", |x: i32| {
        x.clamp(-128, 127) as i8
    });
    unary("x.saturating_cast::<u8>()", |x: i32| x.clamp(0, 255) as u8);
    unary("x.saturating_cast::<u64>()", |x: i8| {
        u64::try_from(x).unwrap_or(0)
    });
    unary("x.saturating_cast::<i64>()", |x: u64| {
        i64::try_from(x).unwrap_or(i64::MAX)
    });
    unary("x.saturating_cast::<u32>()", |x: f32| x as u32);
}

#[test]
fn bits_and_signs_of_floats() {
    every! { f16 bf16 f32 f64: fn check() {
        unary("x.to_bits()", T::to_bits);
        unary("select(x.is_sign_negative(), 1_u8, 0)", |x: T| u8::from(x.is_sign_negative()));
        unary("select(x.is_sign_positive(), 1_u8, 0)", |x: T| u8::from(x.is_sign_positive()));
    } }
    unary("f32::from_bits(x).to_bits()", |x: u32| x);
    unary("f64::from_bits(x).to_bits()", |x: u64| x);
    unary("f16::from_bits(x).to_bits()", |x: u16| x);
    unary("f8e5m2::from_bits(x).to_bits()", |x: u8| x);
    unary("f8e4m3::from_bits(x).cast::<f32>().to_bits()", |x: u8| {
        (tile_core::interp::decode_float(tile_core::Scalar::F8E4M3FN, u64::from(x)) as f32)
            .to_bits()
    });
}

/// A function that is not correctly rounded: its name in the kernel, Rust's function in f64, and
/// the error bounds in f16, bf16, f32 and f64.
struct Approximate {
    text: &'static str,
    exact: fn(f64) -> f64,
    bounds: [f64; 4],
}

/// The rows of `docs/numerics.md`.
const FUNCTIONS: [Approximate; 12] = [
    approximate("log10", f64::log10, [0.51, 0.51, 2.0, 2.5]),
    approximate("exp_m1", f64::exp_m1, [0.51, 0.51, 3.0, 3.5]),
    approximate("ln_1p", f64::ln_1p, [0.51, 0.51, 2.5, 3.5]),
    approximate("cbrt", f64::cbrt, [0.51, 0.51, 0.6, 1.5]),
    approximate("asin", f64::asin, [0.51, 0.51, 2.5, 3.5]),
    approximate("acos", f64::acos, [0.51, 0.51, 2.5, 3.5]),
    approximate("atan", f64::atan, [0.51, 0.51, 0.6, 2.0]),
    approximate("asinh", f64::asinh, [0.51, 0.51, 3.5, 5.0]),
    approximate("acosh", acosh, [0.51, 0.51, 3.5, 5.0]),
    approximate("atanh", atanh, [0.51, 0.51, 3.5, 5.0]),
    approximate("to_degrees", f64::to_degrees, [0.51, 0.51, 1.5, 0.01]),
    approximate("to_radians", f64::to_radians, [0.51, 0.51, 1.5, 0.01]),
];

const fn approximate(text: &'static str, exact: fn(f64) -> f64, bounds: [f64; 4]) -> Approximate {
    Approximate {
        text,
        exact,
        bounds,
    }
}

/// Computes `acosh` in f64; Rust's function is inaccurate close to 1.
fn acosh(x: f64) -> f64 {
    let less = x - 1.0;
    if less < 0.0 {
        return f64::NAN;
    }
    (less + less.sqrt() * (x + 1.0).sqrt()).ln_1p()
}

/// Computes `atanh` in f64; Rust's function is inaccurate close to -1.
fn atanh(x: f64) -> f64 {
    let magnitude = x.abs();
    (0.5 * (2.0 * magnitude / (1.0 - magnitude)).ln_1p()).copysign(x)
}

/// Returns the largest error of a function, and the argument that causes it.
fn largest<T: Float>(function: &Approximate, x: &[T]) -> (f64, T) {
    let text = format!("x.{}()", function.text);
    let actual: Vec<T> = kernel(&text, x, x);
    let mut worst = (0.0, x[0]);
    for (&x, actual) in x.iter().zip(actual) {
        let error = actual.error((function.exact)(x.wide()));
        // A comparison with NaN counts as an unbounded error.
        if !(error <= worst.0) {
            worst = (error, x);
        }
    }
    worst
}

fn bounded<T: Float>(index: usize) -> Vec<String> {
    let mut faults = Vec::new();
    for function in &FUNCTIONS {
        let (error, x) = largest(function, &inputs::<T>(11));
        let bound = function.bounds[index];
        let text = format!(
            "{} of {} in {} is off by {error} ulp, and the bound is {bound}\n",
            function.text,
            x.wide(),
            T::NAME
        );
        if !(error <= bound) {
            faults.push(text);
        }
    }
    faults
}

#[test]
fn functions_of_floats_are_as_exact_as_documented() {
    let faults = [
        bounded::<f16>(0),
        bounded::<bf16>(1),
        bounded::<f32>(2),
        bounded::<f64>(3),
    ];
    assert!(faults.concat().is_empty(), "{}", faults.concat().concat());
}

/// Compares the f64 functions at six arguments with the results of mpmath at 300 bits.
#[expect(
    clippy::unreadable_literal,
    clippy::approx_constant,
    reason = "they are printed with all of their digits"
)]
const EXACT: [(&str, [(f64, f64); 6]); 10] = [
    (
        "log10",
        [
            (0.75, -0.12493873660829995),
            (1e-300, -300.0),
            (5e-324, -323.3062153431158),
            (2.0, 0.3010299956639812),
            (1.0000001, 4.3429446044209946e-08),
            (12345.678, 4.091514945509202),
        ],
    ),
    (
        "exp_m1",
        [
            (1e-10, 1.00000000005e-10),
            (-0.3, -0.2591817793182821),
            (0.7, 1.0137527074704764),
            (300.5, 3.202519714603633e+130),
            (-30.0, -0.9999999999999064),
            (1e-300, 1e-300),
        ],
    ),
    (
        "ln_1p",
        [
            (1e-10, 9.999999999500001e-11),
            (-0.3, -0.35667494393873234),
            (3.9928104877471924, 1.6079989752097554),
            (1e+200, 460.51701859880916),
            (-0.999999, -13.815510557935518),
            (1e-300, 1e-300),
        ],
    ),
    (
        "cbrt",
        [
            (0.1, 0.4641588833612779),
            (5e-324, 1.7031839360032603e-108),
            (1e+300, 1e+100),
            (-12345.678, -23.112041846625313),
            (2.0, 1.2599210498948732),
            (1.7e-308, 2.5712815906582353e-103),
        ],
    ),
    (
        "asin",
        [
            (0.1, 0.1001674211615598),
            (0.999999999, 1.5707516054359754),
            (-0.5, -0.5235987755982989),
            (1e-12, 1e-12),
            (0.7071, 0.7853885733974476),
            (1.0, 1.5707963267948966),
        ],
    ),
    (
        "acos",
        [
            (0.1, 1.4706289056333368),
            (0.999999999, 4.4721358921319356e-05),
            (-0.5, 2.0943951023931957),
            (1e-12, 1.5707963267938967),
            (-0.999, 3.09686756642106),
            (-1.0, 3.141592653589793),
        ],
    ),
    (
        "atan",
        [
            (0.1, 0.09966865249116204),
            (10000000000.0, 1.5707963266948965),
            (-0.5, -0.4636476090008061),
            (1e-12, 1e-12),
            (2.0, 1.1071487177940904),
            (-1e+300, -1.5707963267948966),
        ],
    ),
    (
        "asinh",
        [
            (0.1, 0.09983407889920756),
            (10000000000.0, 23.7189981105004),
            (-0.5, -0.48121182505960347),
            (1e-12, 1e-12),
            (2.0, 1.4436354751788103),
            (-1e+300, -691.4686750787737),
        ],
    ),
    (
        "acosh",
        [
            (1.0000001, 0.0004472135919037347),
            (10000000000.0, 23.7189981105004),
            (1.5, 0.9624236501192069),
            (1.000000000001, 1.4142764231805424e-06),
            (2.0, 1.3169578969248168),
            (1e+300, 691.4686750787737),
        ],
    ),
    (
        "atanh",
        [
            (0.1, 0.10033534773107558),
            (0.999999999, 10.708206522644144),
            (-0.5, -0.5493061443340549),
            (1e-12, 1e-12),
            (0.9, 1.4722194895832204),
            (-0.3872753083705902, -0.40859058698448264),
        ],
    ),
];

#[test]
fn functions_of_f64_are_those_of_mpmath() {
    for (name, points) in EXACT {
        let bound = FUNCTIONS.iter().find(|function| function.text == name);
        let bound = bound.expect("it has a bound").bounds[3];
        let mut x: Vec<f64> = points.iter().map(|&(x, _)| x).collect();
        x.resize(COUNT, 1.0);
        let actual: Vec<f64> = kernel(&format!("x.{name}()"), &x, &x);
        for ((x, exact), actual) in points.into_iter().zip(actual) {
            let error = actual.error(exact);
            assert!(
                error <= bound,
                "{name} of {x} is {actual}, off by {error} ulp"
            );
        }
    }
}

#[test]
fn every_pattern_of_f16_is_as_exact_as_documented() {
    for first in (0..1 << 16).step_by(COUNT) {
        let x: Vec<f16> = (first..first + COUNT as u32)
            .map(|bits| f16::from_bits(bits as u16))
            .collect();
        for function in &FUNCTIONS {
            let (error, index) = largest(function, &x);
            assert!(
                error <= function.bounds[0],
                "{} of {index}: {error} ulp",
                function.text
            );
        }
    }
}

#[test]
fn powers_of_ten_have_whole_logarithms() {
    let x: Vec<f64> = (0..COUNT)
        .map(|index| 10.0_f64.powi(index as i32 % 23))
        .collect();
    let actual: Vec<f64> = kernel("x.log10()", &x, &x);
    assert!(
        actual
            .iter()
            .enumerate()
            .all(|(index, &log)| log == (index % 23) as f64),
        "{:?}",
        &actual[..23]
    );
    let x: Vec<f32> = (0..COUNT)
        .map(|index| 10.0_f32.powi(index as i32 % 11))
        .collect();
    let actual: Vec<f32> = kernel("x.log10()", &x, &x);
    assert!(
        actual
            .iter()
            .enumerate()
            .all(|(index, &log)| log == (index % 11) as f32),
        "{:?}",
        &actual[..11]
    );
}

#[test]
fn functions_keep_the_signs_of_zeros() {
    for name in [
        "exp_m1",
        "ln_1p",
        "cbrt",
        "asin",
        "atan",
        "asinh",
        "atanh",
        "round_ties_even",
    ] {
        let x = [0.0_f32, -0.0].repeat(COUNT / 2);
        let actual: Vec<u32> = kernel(&format!("x.{name}().to_bits()"), &x, &x);
        assert_eq!(actual[..2], [0, 1 << 31], "{name}");
    }
}

#[test]
fn the_long_sides_of_triangles() {
    every! { f16 bf16 f32 f64: fn check() {
        let (mut x, mut y) = pairs::<T>();
        (x[0], y[0]) = (T::NAN, T::INFINITY);
        (x[1], y[1]) = (T::MAX, T::round_from_f64(T::MAX.wide() / 3.0));
        (x[2], y[2]) = (T::round_from_f64(T::MIN_POSITIVE.wide() / 4.0), T::round_from_f64(T::MIN_POSITIVE.wide() / 3.0));
        let actual: Vec<T> = kernel("x.hypot(y)", &x, &y);
        for ((x, y), actual) in x.into_iter().zip(y).zip(actual) {
            let error = actual.error(x.wide().hypot(y.wide()));
            let bound = match T::NAME {
                "f64" => 2.5,
                "f32" => 2.0,
                _ => 0.51,
            };
            assert!(error <= bound, "{x} and {y}: {actual}, off by {error}");
        }
    } }
}

#[test]
fn sine_and_cosine_at_once() {
    let x = inputs::<f32>(5);
    let actual: Vec<f32> = kernel("{ let (sin, cos) = x.sin_cos(); sin - cos * 2.0 }", &x, &x);
    let separate: Vec<f32> = kernel("x.sin() - x.cos() * 2.0", &x, &x);
    for (actual, separate) in actual.iter().zip(separate) {
        assert!(actual.to_bits() == separate.to_bits() || separate.is_nan());
    }
}

#[test]
fn constants_of_mathematics() {
    let x = vec![1.0_f32; COUNT];
    let actual: Vec<f32> = kernel("x * std::f32::consts::PI + core::f32::consts::LN_2", &x, &x);
    assert_eq!(actual[0], std::f32::consts::PI + std::f32::consts::LN_2);
    let x = vec![1.0_f64; COUNT];
    let actual: Vec<f64> = kernel("x * std::f64::consts::TAU", &x, &x);
    assert_eq!(actual[0], std::f64::consts::TAU);
}
