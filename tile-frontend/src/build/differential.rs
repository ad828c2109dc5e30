//! Differential tests against rustc: the same source, compiled by rustc and as a kernel, must
//! return the same bits.

use super::{Variant, entry_name};
use crate::testing::front;
use tile_core::Diagnostics;
use tile_core::canonicalize::canonicalize;
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::interp::{Arg, Program};
use tile_core::verify::verify;

pub(super) trait Bits: Copy {
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($ty:ty: $bits:expr),+ $(,)?) => {
        $(impl Bits for $ty {
            fn bits(self) -> u64 {
                let bits: fn(Self) -> u64 = $bits;
                bits(self)
            }
        })+
    };
}
bits! {
    bool: u64::from,
    u8: u64::from,
    u16: u64::from,
    u32: u64::from,
    u64: |value| value,
    usize: |value| value as u64,
    i8: |value| u64::from(value.cast_unsigned()),
    i16: |value| u64::from(value.cast_unsigned()),
    i32: |value| u64::from(value.cast_unsigned()),
    i64: i64::cast_unsigned,
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

pub(super) struct Kernel {
    /// The program as built and the program after compilation.
    programs: [Program; 2],
    entry: String,
}

impl Kernel {
    pub(super) fn new(params: &str, result: &str, body: &str) -> Self {
        let source = format!(
            "fn k({params} out: &mut Tensor<{result}, 1>) {{
                let value: {result} = {body};
                out.store([0], full([1], value));
            }}"
        );
        let expansion =
            front("", &source).unwrap_or_else(|faults| panic!("{source}\n{}", faults.concat()));
        let (variant, module) = &expansion.artifacts[0][Variant::General as usize];
        let mut diagnostics = Diagnostics::new();
        let flat = verify(module.clone(), &mut diagnostics)
            .and_then(|verified| flatten(verified, &FlattenOptions::default(), &mut diagnostics));
        let flat = flat.unwrap_or_else(|_| panic!("{source}\n{:?}", diagnostics.take()));
        let built = Program::new(&flat.module);
        let compiled = Program::new(canonicalize(flat.module).module());
        Self {
            programs: [built, compiled],
            entry: entry_name("k", *variant),
        }
    }

    pub(super) fn run(&self, inputs: &[u64]) -> u64 {
        let [built, compiled] = self
            .programs
            .each_ref()
            .map(|program| self.run_one(program, inputs));
        assert_eq!(built, compiled, "canonicalization keeps the result");
        built
    }

    fn run_one(&self, program: &Program, inputs: &[u64]) -> u64 {
        let mut out = [0_u8; 8];
        let mut args: Vec<Arg> = inputs.iter().map(|&bits| Arg::Scalar { bits }).collect();
        args.push(Arg::Pointer {
            ptr: out.as_mut_ptr(),
            bytes: out.len(),
        });
        // One axis with extent 1 and stride 1.
        args.extend([Arg::Scalar { bits: 1 }; 2]);
        // SAFETY: `out` outlives the call, and only the single block writes it.
        unsafe { program.run(&self.entry, [1; 3], &args) }
            .unwrap_or_else(|fault| panic!("{fault}"));
        u64::from_le_bytes(out)
    }
}

/// Declares tests: `name: |inputs| -> result { body } over [(values), ..];`. [`super::corners`] has
/// more tests.
macro_rules! same_as_rustc {
    ($($name:ident: |$($p:ident: $t:ident),+| -> $r:ident $body:block over [$(($($v:expr),+)),+ $(,)?];)+) => {
        $(
            #[test]
            #[allow(
                unused_mut, unused_variables, overlapping_range_endpoints, unused_assignments, arithmetic_overflow, clippy::all,
                clippy::pedantic, clippy::undocumented_unsafe_blocks, reason = "the bodies are chosen for their corner cases"
            )]
            fn $name() {
                let params = concat!($(stringify!($p), ": ", stringify!($t), ","),+);
                let kernel = Kernel::new(params, stringify!($r), stringify!($body));
                let rust = |$($p: $t),+| -> $r { $body };
                $({
                    let got = kernel.run(&[$(same_as_rustc!(@bits $v)),+]);
                    let inputs = stringify!($($v),+);
                    assert_eq!(got, Bits::bits(rust($($v),+)), "on ({inputs})");
                })+
            }
        )+
    };
    (@bits $v:expr) => { Bits::bits($v) };
}
pub(super) use same_as_rustc;

same_as_rustc! {
    division_truncates: |a: i32, b: i32| -> i32 { a / b * 1000 + a % b }
        over [(-7_i32, 2_i32), (7_i32, -2_i32), (-7_i32, -2_i32), (6_i32, 4_i32)];
    unsigned_division: |a: u32, b: u32| -> u32 { a / b ^ a % b }
        over [(u32::MAX, 2_u32), (3_000_000_000_u32, 7_u32)];
    shifts_follow_the_sign: |a: i32, b: u32| -> i64 { (a >> 31) as i64 + ((b >> 31) as i64) * 2 + ((a << 4) as i64) }
        over [(i32::MIN, u32::MAX), (-1_i32, 1_u32), (5_i32, 0_u32)];
    wide_and_narrow_casts: |a: i64, b: u16| -> i64 { (a as u8 as i8 as i64) + (a as i16 as u64 as i64 >> 3) + (b as i16 as i64) }
        over [(300_i64, 65535_u16), (-129_i64, 32768_u16), (i64::MAX, 1_u16)];
    floats_saturate: |x: f32| -> i64 { (x as u8 as i64) * 7 + (x as i8 as i64) * 11 + (x as i32 as i64) * 13 + (x as u32 as i64) + (x as i16 as i64) }
        over [(f32::NAN), (f32::INFINITY), (f32::NEG_INFINITY), (255.9_f32), (-0.9_f32), (-128.9_f32), (2147483648.0_f32), (4294967296.0_f32), (1e10_f32)];
    doubles_saturate: |x: f64| -> u64 { (x as u64) ^ (x as i64 as u64) ^ (x as u32 as u64) }
        over [(f64::NAN), (1e300_f64), (-1e300_f64), (18446744073709551615.0_f64), (9223372036854775807.0_f64), (-1.5_f64), (4294967295.5_f64)];
    integers_to_floats: |a: u64, b: i32| -> f32 { a as f32 - b as f32 }
        over [(u64::MAX, i32::MIN), (16777217_u64, 16777219_i32)];
    nan_compares_as_unordered: |x: f32, y: f32| -> i32 { let mut n = 0; if x == y { n += 1; } if x != y { n += 2; } if x < y { n += 4; } if x >= y { n += 8; } if !(x > y) { n += 16; } n }
        over [(f32::NAN, 1.0_f32), (1.0_f32, 1.0_f32), (1.0_f32, 2.0_f32), (-0.0_f32, 0.0_f32)];
    short_circuit_guards_a_division: |n: i32| -> bool { n != 0 && 10 / n > 2 || n == 0 }
        over [(0_i32), (3_i32), (4_i32)];
    short_circuit_keeps_side_effects: |n: i32| -> i32 { let mut trace = 1; let p = n > 0 || { trace = trace * 10 + 2; n < -5 }; let q = p && { trace = trace * 10 + 3; true }; if q { trace } else { -trace } }
        over [(1_i32), (-1_i32), (-9_i32)];
    loops_carry: |n: i32| -> i64 { let mut a = 0_i64; let mut b = 1; for _ in 0..n { let c = a + b; a = b; b = c; } a }
        over [(0_i32), (-3_i32), (1_i32), (50_i32)];
    closed_ranges_reach_the_end: |n: u8| -> u32 { let mut s = 0; for i in 250..=n { s += i as u32; } s }
        over [(249_u8), (250_u8), (255_u8)];
    ranges_past_two_to_the_31: |a: u32| -> u64 { let mut s = 0_u64; for i in a..a + 3 { s = s * 31 + i as u64; } s }
        over [(0x7fff_fffe_u32), (0xffff_fff0_u32)];
    nested_branches: |a: i32, b: i32| -> i32 { let mut s = 0; for i in 0..a { if i % 3 == 0 { s += b; } else if i % 3 == 1 { s -= i; } else { let t = if b > i { s } else { -s }; s = t ^ i; } } s }
        over [(10_i32, 4_i32), (7_i32, -2_i32), (0_i32, 1_i32)];
    shadowing_and_blocks: |a: i32| -> i32 { let b = { let a = a * 2; a + 1 }; let a = b - a; let (a, b) = (b, a); let mut t = (a, b); { let a = 100; } a * 10 + b }
        over [(3_i32), (-8_i32)];
    tuples_are_swapped: |a: i32, b: i32| -> i32 { let (mut x, mut y) = (a, b); (x, y) = (y, x); (x, _) = (x - y, 7); x * 1000 + y }
        over [(1_i32, 2_i32), (-5_i32, 9_i32)];
    compound_assignments: |a: u32, b: u32| -> u32 { let mut x = a; x ^= b; x |= 16; x &= 0xffff; x <<= 3; x >>= 1; x %= 1000; x *= 3; x /= 2; x -= 1; x += b & 1; x }
        over [(12345_u32, 678_u32), (255_u32, 1_u32)];
    the_right_side_of_a_compound_assignment_comes_first: |a: i32| -> i32 { let mut x = a; x += { x = 5; 1 }; x }
        over [(1_i32), (70_i32)];
    complement_and_negation: |a: i8, b: u8| -> i32 { (!a) as i32 * 1000 + (!b) as i32 + (-a) as i32 }
        over [(5_i8, 5_u8), (-127_i8, 255_u8)];
    min_max_ignore_nan: |x: f32, y: f32| -> f32 { x.max(y) + x.min(y) * 3.0 }
        over [(f32::NAN, 1.5_f32), (2.0_f32, f32::NAN), (2.0_f32, 1.0_f32)];
    float_remainder_has_the_sign_of_the_left: |x: f64, y: f64| -> f64 { x % y }
        over [(-7.5_f64, 2.0_f64), (7.5_f64, -2.0_f64), (1e20_f64, 3.0_f64)];
    literals_round_once: |x: f32| -> f32 { x * 0.1 + 16777217.0 + 1.000_000_059_604_645 }
        over [(1.0_f32), (3.0_f32)];
    bools_compute: |p: bool, q: bool| -> i32 { ((p & q) as i32) + ((p | q) as i32) * 2 + ((p ^ q) as i32) * 4 + ((!p) as i32) * 8 + ((p < q) as i32) * 16 + ((p == q) as i32) * 32 }
        over [(true, false), (false, true), (true, true), (false, false)];

    while_loops: |n: i32| -> i32 { let mut n = n; let mut steps = 0; while n > 1 { if n % 2 == 0 { n /= 2; } else { n = 3 * n + 1; } steps += 1; } steps }
        over [(27_i32), (1_i32), (-4_i32), (0_i32)];
    loops_give_values: |n: i32| -> i32 { let mut i = 0; let result = loop { i += 1; if i * i > n { break i * 10; } if i > 1000 { break -1; } }; result + i }
        over [(10_i32), (-1_i32), (100_000_000_i32)];
    labelled_breaks: |n: i32| -> i32 { let mut count = 0; 'outer: for i in 0..n { for j in 0..n { if j > i { continue 'outer; } if i * j > 20 { break 'outer; } count += j + 1; } count += 100; } count }
        over [(3_i32), (10_i32), (0_i32)];
    breaks_with_values_out_of_inner_loops: |n: i32| -> i32 { let mut t = 0; let r = 'a: loop { t += 1; let mut i = 0; while i < n { i += 1; if i == 5 { break 'a i * 100 + t; } if t > 7 { break 'a -t; } } if t == 3 { break n; } }; r * 2 + t }
        over [(3_i32), (10_i32), (-1_i32)];
    early_ends_of_blocks: |n: i32| -> i32 { let mut t = 0; let v = 'b: { if n < 0 { break 'b 1; } t += 1; for i in 0..n { if i == 3 { break 'b i + 10; } t += 2; } t += 4; n * 2 }; v * 1000 + t }
        over [(-3_i32), (2_i32), (9_i32)];
    nested_blocks_and_loops: |n: i32, m: i32| -> i32 { let mut t = 1; let v = 'b: { let w = 'c: { if n > 5 { break 'b 7; } if m > 5 { if n > 2 { break 'c 9; } t *= 2; } t *= 3; n + m }; t *= 5; w + 1 }; v * 1000 + t }
        over [(6_i32, 0_i32), (3_i32, 6_i32), (1_i32, 6_i32), (1_i32, 1_i32)];
    continues_skip: |n: i32| -> i32 { let mut s = 0; for i in 0..n { if i % 3 == 0 { continue; } s = s * 2 + i; if i % 5 == 0 { s -= 1; if s % 2 == 0 { continue; } s += 7; } s ^= i; } s }
        over [(20_i32), (1_i32), (0_i32)];
    reversed_ranges: |n: i32| -> i32 { let mut s = 0; for i in (0..n).rev() { s = s * 3 + i; } for i in (-2..=n).rev() { s = s * 5 + i; } s }
        over [(4_i32), (0_i32), (-5_i32)];
    steps: |n: u8| -> u32 { let mut s = 0_u32; for i in (0..n).step_by(3) { s = s % 1000 * 7 + i as u32; } for i in (0..n).step_by(3).rev() { s = s % 1000 * 7 + i as u32; } for i in (0..n).rev().step_by(4) { s = s % 1000 * 7 + i as u32; } for i in (0..=n).step_by(300) { s = s % 1000 * 7 + i as u32; } for i in (1..=n).rev().step_by(2).step_by(2) { s = s % 1000 * 7 + i as u32; } s }
        over [(10_u8), (0_u8), (255_u8), (1_u8)];
    steps_known_at_run_time: |n: i64, k: usize| -> i64 { let mut s = 0; for i in (-n..n).step_by(k) { s = s * 7 + i; if s > 1_000_000_000 { break; } } for i in (-(n as i32)..n as i32).step_by(k).rev() { s = s * 7 + i as i64; } s }
        over [(10_i64, 3_usize), (5_i64, 100_usize), (-5_i64, 1_usize)];
    ends_of_types: |n: u64| -> u64 { let mut s = 0_u64; for i in n..=u64::MAX { s = s % 1000 * 31 + i % 1000; } for i in (n..=u64::MAX).rev() { s = s % 1000 * 31 + i % 1000; if i % 4 == 0 { break; } } for i in 0..=u64::MAX { if i == 3 { break; } s += i; } s }
        over [(u64::MAX - 3), (u64::MAX)];
    bytes_count_all_the_way: |n: i8| -> i32 { let mut s = 0_i32; for i in i8::MIN..=n { s += i as i32; if s < -1000 { break; } } for i in i8::MIN..=i8::MAX { s = s % 1000 * 3 + i as i32; } for i in (n..i8::MAX).rev() { s ^= i as i32; if i == 100 { continue; } s += 1; } s }
        over [(-120_i8), (127_i8), (-128_i8)];
    returns_inside_of_ifs: |a: i32, b: i32| -> i32 { 'f: { if a > b { if a > 10 { break 'f 1; } } else if b > 100 { break 'f 2; } let mut s = 0; for i in a..b { for j in 0..i { if i * j > 50 { break 'f s; } s += 1; } } s + 1000 } }
        over [(11_i32, 0_i32), (5_i32, 0_i32), (0_i32, 101_i32), (1_i32, 30_i32), (0_i32, 5_i32)];
    matches_choose: |n: i32, p: bool| -> i32 { let a = match n { 0 => 1, 1 | 2 => 10, 3..=9 => 100, -5..0 => 1000, i32::MAX => 5, _ if p => 7, x => x / 2 }; let b = match (n, p) { (0, true) => 3, (x @ 1..=5, _) => x * 2, (_, false) => 4, (x, true) => { if x > 100 { 1 } else { 2 } } }; a * 10 + b }
        over [(0_i32, true), (2_i32, false), (9_i32, true), (-3_i32, false), (50_i32, true), (50_i32, false), (i32::MAX, true)];
    guards_run_in_order: |n: i32| -> i32 { let mut t = 0; let v = match n { x if { t = t * 10 + 1; x > 5 } => 1, x if { t = t * 10 + 2; x > 2 } => 2, 1 => 3, _ => 4 }; v * 1000 + t }
        over [(9_i32), (3_i32), (1_i32), (0_i32)];
    matches_leave: |n: i32| -> i32 { let mut s = 0; for i in 0..n { let v = match i % 4 { 0 => continue, 1 => 5, 2 => { if i > 20 { break; } 7 } _ => i }; s = s * 3 + v; } s }
        over [(30_i32), (4_i32)];
    values_come_later: |n: i32| -> i32 { let x; let mut y; if n > 3 { x = n * 2; y = 1; } else { x = -n; y = 2; } y += x; let z: i64; loop { if y > 100 { z = 5; break; } y += 10; } z as i32 + x * y }
        over [(5_i32), (2_i32)];
    short_circuits_leave: |n: i32| -> i32 { let mut s = 0; for i in 0..10 { let ok = i < n || break; s += i; let _ = ok && { if i == 4 { continue; } true }; s *= 2; } s }
        over [(3_i32), (10_i32)];
    rest_patterns: |a: i32, b: i32| -> i32 { let t = (a, b, a + b, 7); let (x, .., w) = t; let (.., y, _) = t; match t { (1, .., 7) => x + w, (_, 2, ..) => y, _ => x * y * w } }
        over [(1_i32, 5_i32), (3_i32, 2_i32), (3_i32, 4_i32)];
    loops_in_conditions: |n: i32| -> i32 { let mut i = 0; let mut s = 0; while { i += 1; let mut k = 0; while k * k < i { k += 1; } s += k; s < n } { if i > 50 { break; } s += 1; } s * 100 + i }
        over [(10_i32), (0_i32), (1000_i32)];
    euclidean_division: |a: i32, b: i32| -> i32 { a.rem_euclid(b) * 1000 + a.div_euclid(b) }
        over [(7_i32, 4_i32), (-7_i32, 4_i32), (7_i32, -4_i32), (-7_i32, -4_i32), (-8_i32, 4_i32), (0_i32, -3_i32)];
    euclidean_division_of_unsigned: |a: u8, b: u8| -> u8 { a.rem_euclid(b) ^ a.div_euclid(b) ^ a.div_ceil(b) }
        over [(255_u8, 7_u8), (6_u8, 255_u8), (9_u8, 3_u8)];
    euclidean_division_of_floats: |a: f64, b: f64| -> f64 { a.rem_euclid(b) * 1000.0 + a.div_euclid(b) }
        over [(7.5_f64, 2.0_f64), (-7.5_f64, 2.0_f64), (7.5_f64, -2.0_f64), (-7.5_f64, -2.0_f64), (-0.0_f64, 3.0_f64), (1e18_f64, 7.0_f64)];
    clamps: |x: f32, n: i64| -> f32 { x.clamp(-1.5, 2.0) + n.clamp(-3, 5) as f32 }
        over [(f32::NAN, 0_i64), (-9.0_f32, i64::MIN), (9.0_f32, i64::MAX), (0.5_f32, 4_i64), (-0.0_f32, -3_i64)];
    signs: |x: f32, n: i8| -> f32 { x.signum() + 10.0 * n.signum() as f32 }
        over [(-0.0_f32, -128_i8), (0.0_f32, 127_i8), (f32::NEG_INFINITY, 0_i8), (3.5_f32, -1_i8), (f32::NAN, 1_i8)];
    copies_of_signs: |x: f64, y: f64| -> f64 { x.copysign(y) }
        over [(3.0_f64, -0.0_f64), (-3.0_f64, 1.0_f64), (f64::NAN, -1.0_f64), (f64::INFINITY, -2.0_f64)];
    roundings: |x: f32| -> f32 { x.round() * 10000.0 + x.trunc() * 100.0 + x.fract() }
        over [(2.5_f32), (-2.5_f32), (0.49999997_f32), (-0.3_f32), (8388609.0_f32), (1e30_f32), (-1.5_f32), (1.75_f32)];
    signs_of_rounded_zeros: |x: f32| -> f32 { 1.0 / x.round() + 1.0 / x.trunc() }
        over [(-0.3_f32), (0.3_f32), (-0.0_f32)];
    kinds_of_floats: |x: f64| -> i32 { x.is_nan() as i32 + 2 * x.is_infinite() as i32 + 4 * x.is_finite() as i32 }
        over [(f64::NAN), (f64::INFINITY), (f64::NEG_INFINITY), (1e300_f64), (0.0_f64)];
    reciprocals_and_fused_products: |x: f32, y: f32| -> f32 { x.recip() + x.mul_add(y, -1.0) }
        over [(3.0_f32, 0.333_f32), (0.1_f32, 10.0_f32)];
    powers_of_integers: |a: i32, b: u64| -> u64 { (a.pow(3) as u64) ^ b.pow(5) ^ b.pow(0) }
        over [(-7_i32, 13_u64), (100_i32, 1000_u64), (0_i32, 0_u64)];
    powers_by_squaring: |x: f64| -> f64 { x.powi(7) + x.powi(-3) * 3.0 + x.powi(0) + x.powi(1) }
        over [(1.1_f64), (-2.5_f64), (0.3_f64)];
    distances: |a: i8, b: i8, c: u16, d: u16| -> u32 { a.abs_diff(b) as u32 * 65536 + c.abs_diff(d) as u32 }
        over [(-128_i8, 127_i8, 0_u16, 65535_u16), (127_i8, -128_i8, 9_u16, 4_u16), (3_i8, 3_i8, 1_u16, 1_u16)];
    magnitudes: |a: i8, b: i32| -> u32 { a.unsigned_abs() as u32 ^ (b.wrapping_abs() as u32) ^ b.unsigned_abs() }
        over [(-128_i8, i32::MIN), (127_i8, -5_i32)];
    wrapping_arithmetic: |a: i32, b: i32| -> i32 { a.wrapping_add(b) ^ a.wrapping_sub(b) ^ a.wrapping_mul(b) ^ a.wrapping_neg() }
        over [(i32::MAX, 1_i32), (i32::MIN, -1_i32), (i32::MIN, i32::MIN), (123456789_i32, -987654321_i32)];
    wrapping_shifts: |a: i32, b: u64, n: u32| -> u64 { (a.wrapping_shl(n) as u64) ^ (a.wrapping_shr(n) as u64) ^ b.wrapping_shl(n) ^ b.wrapping_shr(n) }
        over [(-5_i32, u64::MAX, 33_u32), (7_i32, 12345_u64, 3_u32), (7_i32, 12345_u64, 200_u32)];
    saturating_arithmetic: |a: i8, b: i8, c: u8, d: u8| -> i32 { a.saturating_add(b) as i32 + 1000 * a.saturating_sub(b) as i32 + (c.saturating_add(d) as i32) * 7 + (c.saturating_sub(d) as i32) * 13 }
        over [(127_i8, 1_i8, 255_u8, 1_u8), (-128_i8, -1_i8, 0_u8, 1_u8), (-128_i8, 127_i8, 200_u8, 100_u8), (127_i8, -128_i8, 3_u8, 3_u8), (0_i8, -128_i8, 1_u8, 0_u8), (5_i8, 0_i8, 0_u8, 0_u8)];
    rotations: |a: u32, b: i8, n: u32| -> u32 { a.rotate_left(n) ^ a.rotate_right(n * 3) ^ (b.rotate_left(n) as u32) ^ (b.rotate_right(n) as u32) }
        over [(0x8000_0001_u32, -100_i8, 1_u32), (0xdead_beef_u32, 77_i8, 0_u32), (1_u32, 1_i8, 37_u32), (5_u32, -1_i8, 8_u32)];
    bits_are_counted: |a: i8, b: u16, c: u32, d: u64| -> u32 { a.count_ones() + 10 * b.count_ones() + 1000 * c.count_ones() + 100000 * d.count_ones() + a.count_zeros() }
        over [(-1_i8, 0_u16, 0xffff_ffff_u32, u64::MAX), (0x55_i8, 0x1234_u16, 0x8000_0001_u32, 0x0123_4567_89ab_cdef_u64), (0_i8, 65535_u16, 0_u32, 0_u64)];
    zeros_are_counted: |a: i8, b: u16, c: u32, d: i64| -> u32 { a.leading_zeros() + 10 * b.leading_zeros() + 1000 * c.leading_zeros() + 100000 * d.leading_zeros() + 7 * a.trailing_zeros() + 17 * b.trailing_zeros() + 3 * c.trailing_zeros() + 5 * d.trailing_zeros() }
        over [(0_i8, 0_u16, 0_u32, 0_i64), (-128_i8, 1_u16, 0x10_0000_u32, i64::MIN), (1_i8, 0x8000_u16, u32::MAX, 1_i64), (96_i8, 96_u16, 96_u32, 96_i64)];
    powers_of_two: |a: u8, b: u64| -> i32 { a.is_power_of_two() as i32 + 2 * b.is_power_of_two() as i32 }
        over [(0_u8, 0_u64), (1_u8, 1_u64), (128_u8, 1_u64 << 63), (129_u8, 3_u64)];
    promised_arithmetic: |a: i32, b: u32| -> u32 { unsafe { a.unchecked_add(3).unchecked_mul(2).unchecked_sub(1) as u32 ^ b.unchecked_add(1) } }
        over [(5_i32, 7_u32), (-100_i32, 0_u32)];
    assertions_that_hold: |a: i32, b: i32| -> i32 { assert!(a > 0, "a is positive"); assert_eq!(a + 1, b); assert_ne!(a, b); a * b }
        over [(5_i32, 6_i32), (1_i32, 2_i32)];
    atan2_takes_y_first: |y: f64, x: f64| -> bool { let angle = y.atan2(x); (angle - 2.356194490192345).abs() < 1e-12 }
        over [(1.0_f64, -1.0_f64), (-1.0_f64, 1.0_f64)];
    parts_are_assigned: |a: i32, b: i32| -> i32 { let mut t = (a, (b, a > b)); t.0 = b; (t.1).0 += 5; t.1.1 = !t.1.1; t.0 = { t.1.0 *= 2; t.1.0 - 1 }; for i in 0..3 { t.0 += i; if i == 1 { t.1 = (t.0, true); } } (t.0, _) = (t.0 * 2, 1); t.0 * 1000 + t.1.0 * 10 + t.1.1 as i32 }
        over [(1_i32, 2_i32), (7_i32, -3_i32)];
}
