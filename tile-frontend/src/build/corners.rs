//! Corner cases of Rust, compared by [`super::differential`]; random programs seldom contain them.

use super::differential::{Bits, Kernel, same_as_rustc};

// Integers.
same_as_rustc! {
    minus_seven_by_two: |a: i32| -> i32 { (a / 2) * 100 + a % 2 } over [(-7_i32), (7_i32), (-8_i32), (-2147483_i32)];
    constants_divide_as_values_do: |a: i32| -> i32 { (-7 / 2) * 100 + -7 % 2 + a } over [(0_i32)];
    narrow_division: |a: i8, b: i8| -> i8 { a / b + a % b } over [(-128_i8, 3_i8), (127_i8, -2_i8), (-1_i8, 127_i8)];
    wide_division: |a: i64, b: i64| -> i64 { a / b ^ a % b } over [(i64::MIN, 3_i64), (i64::MAX, -7_i64), (-1_i64, i64::MAX)];
    unsigned_wide_division: |a: u64, b: u64| -> u64 { a / b ^ a % b } over [(u64::MAX, 3_u64), (1_u64 << 63, 7_u64), (5_u64, u64::MAX)];
    usize_divides_without_sign: |a: usize, b: usize| -> usize { a / b + a % b } over [(usize::MAX, 2_usize), (3_usize, usize::MAX)];
    the_least_number_shifts_in_its_sign: |a: i32| -> i32 { a >> 31 } over [(i32::MIN), (i32::MAX), (-1_i32)];
    unsigned_numbers_shift_in_zeros: |a: u32| -> u32 { a >> 31 } over [(u32::MAX), (1_u32)];
    narrow_shifts: |a: i8, b: u8, n: u32| -> i32 { ((a >> n) as i32) * 1000 + (b >> n) as i32 + ((a << n) as i32) * 7 + ((b << n) as i32) * 11 }
        over [(-128_i8, 255_u8, 7_u32), (-1_i8, 129_u8, 1_u32), (127_i8, 1_u8, 0_u32)];
    shift_amounts_of_other_types: |a: i64, n: u8, m: i64| -> i64 { (a << n) ^ (a >> m) ^ (a >> (n as usize)) } over [(-5_i64, 63_u8, 1_i64), (i64::MAX, 0_u8, 63_i64)];
    lost_bits_of_shifts: |a: u16| -> u16 { (a << 9) >> 9 } over [(u16::MAX), (0x8181_u16)];
    complements: |a: u64, b: i16| -> u64 { !a ^ (!b as u64) } over [(0_u64, 0_i16), (u64::MAX, -1_i16), (1_u64 << 63, i16::MIN)];
    negation_of_zero_and_minus_one: |a: i16| -> i16 { -a * 2 + -(-a) } over [(0_i16), (-1_i16), (100_i16)];
    the_least_literals: |a: i64| -> i64 { -128_i8 as i64 + -32768_i16 as i64 + -2147483648_i32 as i64 + (-9223372036854775808_i64 / 2) + a } over [(0_i64), (7_i64)];
    literals_of_every_base: |a: u32| -> u32 { 0xff_u32 + 0o17 + 0b1010_1010 + 1_000_000 + a } over [(0_u32)];
    constants_of_types: |a: u64| -> u64 { a ^ u8::MAX as u64 ^ i8::MIN as u64 ^ u32::BITS as u64 ^ i64::MAX as u64 ^ usize::MAX as u64 } over [(0_u64), (1_u64)];
    absolute_values: |a: i32, b: i8| -> i32 { a.abs() * 3 + b.abs() as i32 } over [(-5_i32, -127_i8), (5_i32, 127_i8), (0_i32, 0_i8)];
    the_greater_of_unsigned_numbers: |a: u32, b: u32| -> u32 { a.max(b) - a.min(b) } over [(u32::MAX, 1_u32), (0_u32, 0x8000_0000_u32)];
    the_greater_of_signed_numbers: |a: i64, b: i64| -> i64 { a.max(b) / 3 + a.min(b) / 5 } over [(-1_i64, 1_i64), (i64::MIN, i64::MAX)];
    unsigned_comparisons: |a: u8, b: u8| -> i32 { (a < b) as i32 + (a <= b) as i32 * 2 + (a > b) as i32 * 4 + (a >= b) as i32 * 8 + (a != b) as i32 * 16 }
        over [(200_u8, 100_u8), (128_u8, 127_u8), (5_u8, 5_u8), (0_u8, 255_u8)];
    signed_comparisons: |a: i8, b: i8| -> i32 { (a < b) as i32 + (a <= b) as i32 * 2 + (a > b) as i32 * 4 + (a >= b) as i32 * 8 }
        over [(-128_i8, 127_i8), (-1_i8, 0_i8), (5_i8, 5_i8)];
    comparisons_of_pointers_size: |a: usize, b: u64| -> bool { a > 5 && b > 1 << 63 } over [(usize::MAX, u64::MAX), (5_usize, 1_u64)];
    bools_are_ordered: |p: bool, q: bool| -> i32 { (p < q) as i32 + (p >= q) as i32 * 2 + (p != q) as i32 * 4 } over [(false, true), (true, true), (true, false)];
    precedence: |a: i32, b: i32| -> i32 { a + b * 2 << 1 & 255 | 1 ^ b - a % 3 } over [(10_i32, 3_i32), (-10_i32, 77_i32)];
    casts_bind_tighter: |a: i32| -> i64 { -a as i64 * 3 + a as u8 as i64 } over [(300_i32), (-1_i32)];
    left_to_right: |a: i32| -> i32 { 100 - a - 3 - 2 + 100 / 7 / 2 } over [(10_i32), (-4_i32)];
}

// Conversions.
same_as_rustc! {
    three_hundred_as_a_byte: |a: i32| -> u8 { a as u8 } over [(300_i32), (-1_i32), (256_i32)];
    signs_extend: |a: i8| -> u64 { a as u64 } over [(-1_i8), (-128_i8), (127_i8)];
    zeros_extend: |a: u8| -> i64 { a as i64 } over [(255_u8), (128_u8)];
    through_a_narrow_type: |a: u64| -> i64 { a as i16 as u32 as i64 } over [(0xffff_8000_u64), (0x7fff_u64), (u64::MAX)];
    usize_keeps_64_bits: |a: i64| -> usize { a as usize >> 1 } over [(-1_i64), (i64::MIN)];
    bools_as_numbers: |p: bool| -> u64 { p as u64 * 1000 + p as i8 as u64 + p as usize as u64 } over [(true), (false)];
    nan_is_zero: |x: f32| -> i32 { x as i32 + f32::NAN as i32 } over [(f32::NAN), (-f32::NAN)];
    floats_stop_at_the_ends: |x: f64| -> i64 { x as i64 } over [(1e300_f64), (-1e300_f64), (f64::INFINITY), (9.3e18_f64), (-9.3e18_f64)];
    floats_lose_their_fraction: |x: f32| -> i32 { x as i32 } over [(1.99_f32), (-1.99_f32), (-0.5_f32), (0.99999994_f32)];
    negative_floats_are_zero_unsigned: |x: f32| -> u32 { x as u32 } over [(-1.0_f32), (-0.99_f32), (4294967040.0_f32), (5e9_f32)];
    floats_to_bytes: |x: f64| -> u8 { x as u8 } over [(255.0_f64), (255.99_f64), (256.0_f64), (-1.0_f64), (1e10_f64)];
    floats_to_signed_bytes: |x: f64| -> i8 { x as i8 } over [(127.9_f64), (-128.9_f64), (-129.0_f64), (128.0_f64)];
    floats_to_u16: |x: f32| -> u16 { x as u16 } over [(65535.9_f32), (65536.0_f32), (-3.0_f32)];
    wide_integers_round_to_even: |a: i64| -> f32 { a as f32 } over [(16777217_i64), (16777219_i64), (i64::MAX), (i64::MIN), (-16777217_i64)];
    wide_integers_round_to_even_in_doubles: |a: u64| -> f64 { a as f64 } over [(9007199254740993_u64), (u64::MAX), (9007199254740995_u64)];
    unsigned_to_float: |a: u32| -> f32 { a as f32 } over [(u32::MAX), (16777217_u32), (0_u32)];
    doubles_round_to_singles: |x: f64| -> f32 { x as f32 } over [(0.1_f64), (1e300_f64), (1e-300_f64), (f64::NAN), (-1e-50_f64), (16777217.0_f64), (3.4028235677973366e38_f64)];
    singles_widen: |x: f32| -> f64 { x as f64 } over [(0.1_f32), (f32::MIN_POSITIVE), (1e-45_f32), (f32::INFINITY)];
    a_literal_takes_the_type_of_the_cast: |a: u64| -> u64 { 4_000_000_000 as u32 as u64 + a } over [(1_u64)];
}

// Floats.
same_as_rustc! {
    zeros_have_signs: |x: f32| -> f32 { 1.0 / (x * 0.0) } over [(1.0_f32), (-1.0_f32)];
    negation_flips_the_sign_of_zero: |x: f64| -> f64 { 1.0 / -x } over [(0.0_f64), (-0.0_f64)];
    zero_minus_zero: |x: f32| -> f32 { 1.0 / (x - x) } over [(1.0_f32), (0.0_f32), (-0.0_f32)];
    a_sum_with_minus_zero: |x: f32| -> f32 { 1.0 / (x + -0.0) } over [(0.0_f32), (-0.0_f32)];
    division_by_zero_is_infinite: |x: f64, y: f64| -> f64 { x / y } over [(1.0_f64, 0.0_f64), (-1.0_f64, 0.0_f64), (1.0_f64, -0.0_f64)];
    infinities_meet: |x: f32| -> bool { (x - x) != (x - x) } over [(f32::INFINITY), (1.0_f32), (f32::NAN)];
    nan_is_not_itself: |x: f64| -> bool { x == x } over [(f64::NAN), (1.0_f64)];
    not_less_is_not_greater_or_equal: |x: f32, y: f32| -> i32 { (!(x < y)) as i32 + (x >= y) as i32 * 2 } over [(f32::NAN, 1.0_f32), (2.0_f32, 1.0_f32)];
    subnormals_count: |x: f32| -> f32 { x * 0.5 + f32::MIN_POSITIVE * 0.25 } over [(f32::MIN_POSITIVE), (1e-45_f32)];
    products_are_rounded_before_sums: |x: f32, y: f32| -> f32 { x * x - y } over [(1.000_122_1_f32, 1.000_244_1_f32), (16777215.0_f32, 2.8147492e14_f32)];
    mul_add_rounds_once: |x: f64, y: f64| -> f64 { x.mul_add(x, -y) } over [(1.0000001_f64, 1.0000002_f64), (0.1_f64, 0.01_f64)];
    roots: |x: f64| -> f64 { x.sqrt() } over [(2.0_f64), (0.0_f64), (-0.0_f64), (f64::INFINITY), (1e-310_f64)];
    floors_and_ceilings: |x: f32| -> f32 { x.floor() * 1000.0 + x.ceil() } over [(-1.5_f32), (1.5_f32), (-0.3_f32), (8388609.0_f32)];
    floor_of_small_negative_numbers: |x: f64| -> f64 { 1.0 / x.ceil() } over [(-0.3_f64), (0.3_f64)];
    absolute_floats: |x: f32| -> f32 { 1.0 / x.abs() } over [(-0.0_f32), (f32::NEG_INFINITY), (-3.0_f32)];
    remainders_of_floats: |x: f32, y: f32| -> f32 { x % y } over [(5.5_f32, -2.0_f32), (-5.5_f32, 2.0_f32), (1.0_f32, f32::INFINITY), (1e30_f32, 7.0_f32)];
    constants_of_floats: |x: f64| -> f64 { x * f64::EPSILON + f64::MIN_POSITIVE + f32::MAX as f64 } over [(1.0_f64), (0.0_f64)];
    shortest_and_longest_literals: |x: f64| -> f64 { x + 1. + 1e3 + 2.5E-3 + 0.000_1 + 123_456.789e-2 + 1f64 } over [(0.0_f64), (-1e17_f64)];
    a_literal_is_read_in_its_own_type: |x: f32| -> f32 { x + 0.1 + 0.2 + 16777216.000000001 } over [(0.0_f32), (1e-9_f32)];
    sums_are_not_reordered: |x: f32| -> f32 { x + 1e8 - 1e8 + 1.0 } over [(1.0_f32), (3.3_f32)];
}

// Control.
same_as_rustc! {
    empty_ranges: |n: i32| -> i32 { let mut s = n; for _ in 5..5 { s += 1; } for _ in 7..5 { s += 10; } for _ in n..n { s += 100; } for _ in 5..=4 { s += 1000; } s } over [(3_i32)];
    ranges_of_one: |n: i32| -> i32 { let mut s = 0; for i in n..=n { s += i + 1; } for i in n..n + 1 { s ^= i / 10; } s } over [(3_i32), (i32::MIN), (-1_i32)];
    step_by_three_from_behind: |n: i32| -> i32 { let mut s = 0; for i in (0..n).step_by(3).rev() { s = s * 10 + i; } s } over [(10_i32), (9_i32), (1_i32), (0_i32), (-3_i32)];
    step_by_three_of_a_reversed_range: |n: i32| -> i32 { let mut s = 0; for i in (0..n).rev().step_by(3) { s = s * 10 + i; } s } over [(10_i32), (9_i32), (1_i32), (0_i32)];
    steps_wider_than_the_range: |n: u8| -> u32 { let mut s = 1; for i in (0..n).step_by(1000) { s = s * 10 + i as u32; } s } over [(10_u8), (255_u8), (0_u8)];
    steps_to_the_end_of_a_type: |n: u8| -> u32 { let mut s = 0; for i in (n..=255).step_by(2) { s = s * 3 + i as u32; } s } over [(250_u8), (255_u8), (249_u8)];
    signed_ranges_across_zero: |n: i8| -> i32 { let mut s = 0; for i in -n..n { s = s * 3 + i as i32; } s } over [(3_i8), (0_i8), (-3_i8)];
    closed_ranges_at_both_ends: |n: i64| -> i64 { let mut s = 0; for i in i64::MIN..=i64::MIN + n { s ^= i; } for i in i64::MAX - n..=i64::MAX { s ^= i / 3; } s } over [(0_i64), (3_i64)];
    variables_past_two_to_the_31: |n: i64| -> i64 { let mut s = 0; for i in (n..n + 5).step_by(2) { s = s * 3 + i; } s } over [(2147483645_i64), (-2147483650_i64), (1_i64 << 40)];
    usize_ranges: |n: usize| -> usize { let mut s = 0; for i in n..n + 3 { s = s * 3 + i; } for i in (0..n % 10).rev() { s += i; } s } over [(1_usize << 40), (7_usize)];
    the_ends_are_read_once: |n: i32| -> i32 { let mut n = n; let mut s = 0; for i in 0..n { n += 1; s += i; } s * 1000 + n } over [(5_i32), (0_i32)];
    the_ends_run_in_order: |n: i32| -> i32 { let mut t = 1; for i in ({ t = t * 10 + 2; 0 })..({ t = t * 10 + 3; n }) { t += i; } t } over [(3_i32), (0_i32)];
    a_loop_variable_may_be_assigned: |n: i32| -> i32 { let mut s = 0; for mut i in 0..n { i *= 10; s += i; } s } over [(4_i32)];
    a_loop_variable_hides_another: |n: i32| -> i32 { let i = 100; let mut s = 0; for i in 0..n { let i = i * 2; s += i; } s + i } over [(4_i32), (0_i32)];
    a_guard_for_the_division: |n: i32| -> bool { n != 0 && 10 / n > 2 } over [(0_i32), (3_i32), (4_i32), (-1_i32)];
    an_or_that_stops: |n: i32| -> bool { n == 0 || 10 % n == 1 } over [(0_i32), (3_i32), (4_i32)];
    short_circuits_nest: |a: bool, b: bool, c: bool| -> i32 { let mut t = 0; let r = (a || { t += 1; b }) && ({ t += 10; c } || { t += 100; !b }); if r { t } else { -t } }
        over [(true, true, true), (false, false, true), (false, true, false), (true, false, false), (true, true, false)];
    bitwise_operators_run_both_sides: |a: bool| -> i32 { let mut t = 0; let r = a & { t += 1; false } | { t += 10; true } ^ { t += 100; a }; t * 2 + r as i32 } over [(true), (false)];
    operands_run_from_left_to_right: |n: i32| -> i32 { let mut t = n; let r = { t = t * 2; t } - { t = t + 3; t } * { t = t * 5; t }; r + t } over [(1_i32), (-7_i32)];
    a_variable_is_read_where_it_stands: |n: i32| -> i32 { let mut x = n; let r = x + { x = x * 2; x } + x; r * 3 + x } over [(1_i32), (-7_i32)];
    arguments_run_in_order: |n: i32| -> i32 { let mut t = 0; let r = { t = t * 10 + 1; n }.max({ t = t * 10 + 2; 5 }).min({ t = t * 10 + 3; 8 }); r * 1000 + t } over [(1_i32), (6_i32), (9_i32)];
    parts_of_tuples_run_in_order: |n: i32| -> i32 { let mut t = n; let (a, (b, c)) = ({ t += 1; t }, ({ t *= 2; t }, t)); a * 10000 + b * 100 + c } over [(1_i32), (5_i32)];
    conditions_have_effects: |n: i32| -> i32 { let mut t = 0; if { t += 1; n > 3 } { t += 10; } else if { t += 100; n > 1 } { t += 1000; } else { t += 10000; } t } over [(5_i32), (2_i32), (0_i32)];
    an_unused_block_still_runs: |n: i32| -> i32 { let mut t = n; { t += 1; }; let _ = { t *= 2; 5 }; _ = { t *= 3; 6 }; t } over [(1_i32)];
    a_block_has_its_own_names: |n: i32| -> i32 { let x = n; let y = { let x = x * 2; let x = x + 1; x }; x * 100 + y } over [(3_i32)];
    swaps_of_three: |a: i32, b: i32, c: i32| -> i32 { let (mut a, mut b, mut c) = (a, b, c); (a, b, c) = (c, a, b); (a, (b, _)) = (b, (a, c)); a * 10000 + b * 100 + c } over [(1_i32, 2_i32, 3_i32)];
    one_variable_twice_in_an_assignment: |a: i32| -> i32 { let mut x = 0; (x, x) = (a, a + 1); x } over [(5_i32)];
    while_with_an_effect_in_its_condition: |n: i32| -> i32 { let mut k = n; let mut t = 0; while { t += 1; k > 0 } { k /= 2; } t } over [(10_i32), (0_i32), (-3_i32)];
    a_loop_that_ends_at_once: |n: i32| -> i32 { let r = loop { break n * 2; }; let q = 'a: { if n > 3 { break 'a 1; } 2 }; r * 10 + q } over [(1_i32), (5_i32)];
    break_out_of_three_loops: |n: i32| -> i32 { let mut c = 0; 'a: for i in 0..n { 'b: loop { let mut k = 0; while k < 9 { k += 1; c += 1; if k == i { break 'b; } if c > 30 { break 'a; } if k == 7 { continue 'a; } } } } c } over [(3_i32), (9_i32), (0_i32)];
    continue_runs_the_step: |n: u32| -> u32 { let mut s = 0; for i in (0..n).step_by(2) { if i % 3 == 0 { continue; } s = s * 7 + i; } s } over [(20_u32), (1_u32)];
    continue_in_while_checks_again: |n: i32| -> i32 { let mut k = 0; let mut s = 0; while k < n { k += 1; if k % 2 == 0 { continue; } s += k; } s } over [(9_i32), (0_i32)];
    labels_of_one_name: |n: i32| -> i32 { let mut s = 0; 'a: for i in 0..n { if i == 2 { break 'a; } s += 1; } 'a: for i in 0..n { if i == 3 { break 'a; } s += 10; } s } over [(5_i32)];
    fibonacci_wraps: |n: u32| -> u8 { let (mut a, mut b) = (0_u32, 1_u32); for _ in 0..n { (a, b) = (b, (a + b) % 1000); } a as u8 } over [(47_u32), (300_u32)];
    the_greatest_common_divisor: |a: u64, b: u64| -> u64 { let (mut a, mut b) = (a, b); while b != 0 { (a, b) = (b, a % b); } a } over [(462_u64, 1071_u64), (0_u64, 5_u64), (u64::MAX, 3_u64)];
    powers_by_squaring: |x: i64, n: u32| -> i64 { let (mut r, mut x, mut n) = (1, x, n); while n > 0 { if n & 1 == 1 { r *= x; } n >>= 1; if n > 0 { x *= x; } } r } over [(3_i64, 39_u32), (-2_i64, 63_u32), (7_i64, 0_u32)];
}

// `match`.
same_as_rustc! {
    the_first_arm_wins: |n: i32| -> i32 { match n { 0..=10 => 1, 5..=20 => 2, 10..30 => 3, _ => 4 } } over [(7_i32), (10_i32), (11_i32), (25_i32), (30_i32), (-1_i32)];
    ends_of_types_in_patterns: |n: i8| -> i32 { match n { i8::MIN => 1, -127..=-1 => 2, 0 => 3, 1..i8::MAX => 4, i8::MAX => 5 } } over [(-128_i8), (-127_i8), (-1_i8), (0_i8), (126_i8), (127_i8)];
    unsigned_patterns: |n: u8| -> i32 { match n { 0..128 => 1, 128..=254 => 2, 255 => 3 } } over [(127_u8), (128_u8), (255_u8)];
    wide_patterns: |n: u64| -> i32 { match n { 0x8000_0000_0000_0000.. => 1, 4294967296..=4294967300 => 2, _ => 3 } } over [(u64::MAX), (1_u64 << 63), (4294967298_u64), (0_u64)];
    negative_patterns: |n: i64| -> i64 { match n { -1 | -3 => 1, ..=-4 => 2, x @ (-2 | 0) => x * 10, x => x } } over [(-1_i64), (-2_i64), (-3_i64), (-9_i64), (0_i64), (4_i64)];
    a_guard_that_fails_goes_on: |n: i32, p: bool| -> i32 { match n { 1 if p => 1, 1 | 2 if !p => 2, 1..=5 => 3, _ if p => 4, _ => 5 } } over [(1_i32, true), (1_i32, false), (2_i32, true), (9_i32, true), (9_i32, false)];
    tuples_of_bools: |p: bool, q: bool| -> i32 { match (p, q) { (true, true) => 1, (true, false) => 2, (false, r) => if r { 3 } else { 4 } } } over [(true, true), (true, false), (false, true), (false, false)];
    nested_tuples: |a: i32, b: u8, p: bool| -> i32 { match ((a, b), p) { ((0, 1..=5), true) => 1, ((x, y @ 6..), _) if x > 0 => x + y as i32, ((_, _), false) => 2, ((x, _), true) => x * 7 } }
        over [(0_i32, 3_u8, true), (4_i32, 200_u8, false), (0_i32, 200_u8, false), (-3_i32, 0_u8, true)];
    the_value_is_taken_once: |n: i32| -> i32 { let mut t = 0; let v = match { t += 1; n } { 0 => 5, x if x > { t += 10; 3 } => x, _ => { t += 100; 7 } }; v * 1000 + t } over [(0_i32), (9_i32), (2_i32)];
    a_match_on_a_match: |n: i32| -> i32 { match match n % 3 { 0 => true, -1 | 1 => false, _ => n > 5 } { true => n, false => -n } } over [(3_i32), (4_i32), (5_i32), (8_i32), (-4_i32)];
}

// Counting loops.
same_as_rustc! {
    a_counter_stays_behind_its_loop: |a: i32, n: i32| -> i32 { let mut k = a; let mut s = 0; while k < n { s += k * 3; k += 1; } s * 1000 + k }
        over [(0_i32, 5_i32), (5_i32, 5_i32), (7_i32, 5_i32), (-3_i32, 2_i32)];
    a_counter_ends_at_the_greatest_number: |a: u8| -> u8 { let mut k = a; let mut n = 0_u8; while k < 255 { n += 1; k += 1; } k - n } over [(250_u8), (255_u8), (254_u8)];
    a_signed_counter_ends_at_the_greatest_number: |a: i32| -> i32 { let mut k = a; let mut n = 0; while i32::MAX > k { n += 1; k = 1 + k; } n } over [(i32::MAX - 4), (i32::MAX)];
    an_unsigned_counter_passes_the_sign: |a: u32, n: u32| -> u32 { let mut k = a; let mut s = 0_u32; while k < n { s ^= k; k += 1; } s } over [(0x7fff_fffe_u32, 0x8000_0003_u32), (0x8000_0000_u32, 1_u32)];
    an_end_that_moves: |n: i32| -> i32 { let mut n = n; let mut k = 0; let mut s = 0; while k < n { n -= 1; s += 1; k += 1; } s * 100 + n } over [(9_i32), (0_i32), (1_i32)];
    a_counter_that_is_set_inside: |n: i32| -> i32 { let mut k = 0; let mut s = 0; while k < n { if k == 3 { k = 6; } s += k; k += 1; } s } over [(9_i32), (4_i32), (3_i32)];
    a_counter_that_is_left: |n: i32| -> i32 { let mut k = 0; let mut s = 0; while k < n { if s > 10 { break; } s += k; k += 1; } s * 100 + k } over [(9_i32), (2_i32)];
    a_counter_that_may_not_be_counted: |n: i32| -> i32 { let mut k = 0; let mut j = 0; while k < n { j += 1; if j % 2 == 1 { continue; } k += 1; } j } over [(9_i32), (0_i32)];
    a_loop_with_its_end_in_front: |n: i32| -> i32 { let mut k = 0; let mut s = 0; loop { if k >= n { break; } s += k; k += 1; } s * 100 + k } over [(9_i32), (0_i32), (-5_i32)];
    counters_in_one_another: |n: i32| -> i32 { let mut s = 0; let mut i = 0; while i < n { let mut k = i; while k < n { s += i * k; k += 1; } i += 1; } s + i } over [(5_i32), (0_i32)];
    a_counter_that_is_read_behind_its_step: |n: i32| -> i32 { let mut k = 0; let mut s = 0; let mut last = 0; while k < n { s += last; last = k; k += 1; } s * 10 + last } over [(6_i32), (1_i32)];
    a_step_of_two: |n: i32| -> i32 { let mut k = 0; let mut s = 0; while k < n { s += k; k += 2; } s * 100 + k } over [(9_i32), (8_i32), (0_i32)];
    a_counter_to_the_end_and_no_further: |a: i32, n: i32| -> i32 { let mut k = a; let mut s = 0; while n >= k { s += k; k += 3; } s * 100 + k } over [(0_i32, 9_i32), (0_i32, 8_i32), (1_i32, 0_i32), (-7_i32, -7_i32)];
    a_step_by_a_constant: |n: u32| -> u32 { let by = 2 * 8; let mut k = 3_u32; let mut s = 0_u32; while k < n { s ^= k; k += by + 1; } s * 1000 + k } over [(100_u32), (3_u32), (4_u32)];
    a_step_of_nothing: |n: i32| -> i32 { let mut k = 0; let mut s = 0; while k < n { s += 1; if s > 5 { break; } k += 0; } s } over [(3_i32), (0_i32)];
    a_range_to_the_end_and_one_more: |n: u8| -> u8 { let mut k = 250_u8; let mut s = 0_u8; while k <= n { s += 1; k += 1; } s } over [(254_u8), (3_u8)];
}

/// Checks that a counter that wraps continues to count, as in a release build. The oracle is
/// written with `wrapping_add`, since tests are built with overflow checks.
#[test]
fn counters_that_wrap_count_on() {
    let kernel = Kernel::new(
        "a: u8, n: u8, ",
        "u8",
        "{ let mut k = a; let mut s = 0_u8; while k < n { s += 1; k += 100; } s ^ k }",
    );
    for (a, n) in [(0_u8, 250_u8), (0, 156), (7, 99), (200, 3), (100, 201)] {
        let (mut k, mut s) = (a, 0_u8);
        while k < n {
            s = s.wrapping_add(1);
            k = k.wrapping_add(100);
        }
        assert_eq!(kernel.run(&[a.bits(), n.bits()]), (s ^ k).bits(), "{a} {n}");
    }
    let kernel = Kernel::new(
        "a: i8, n: i8, ",
        "i32",
        "{ let mut k = a; let mut s = 0; loop { if k > n { break; } s += k as i32; k = 50 + k } s * 1000 + k as i32 }",
    );
    for (a, n) in [(0_i8, 124_i8), (-128, 100), (5, 4), (-3, -3), (120, 125)] {
        let (mut k, mut s) = (a, 0_i32);
        while k <= n {
            s += i32::from(k);
            k = k.wrapping_add(50);
        }
        let expected = s.wrapping_mul(1000).wrapping_add(i32::from(k));
        assert_eq!(
            kernel.run(&[a.bits(), n.bits()]),
            expected.bits(),
            "{a} {n}"
        );
    }
}

/// Checks steps that are arguments of the launch. A step may be negative: the loop then counts down
/// until its counter wraps.
#[test]
fn steps_that_a_launch_knows_have_a_sign() {
    let kernel = Kernel::new(
        "a: i64, n: i64, d: i64, ",
        "i64",
        "{ let mut k = a; let mut s = 0_i64; while k < n { s = s * 3 + k; k += d; } s ^ k }",
    );
    let ends = [
        (i64::MIN + 2, i64::MAX - 4, -7_i64),
        (-5, 20, 6),
        (7, 7, -1),
        (i64::MIN, i64::MAX - 1, i64::MAX),
        (i64::MIN, 0, i64::MIN),
        (i64::MAX - 10, i64::MAX, 5),
    ];
    for (a, n, d) in ends {
        let (mut k, mut s) = (a, 0_i64);
        while k < n {
            s = s.wrapping_mul(3).wrapping_add(k);
            k = k.wrapping_add(d);
        }
        let actual = kernel.run(&[a.bits(), n.bits(), d.bits()]);
        assert_eq!(actual, (s ^ k).bits(), "{a} {n} {d}");
    }
    let kernel = Kernel::new(
        "a: i32, n: i32, d: i32, ",
        "i32",
        "{ let mut k = a; let mut s = 0; while k <= n { s = s * 3 + k; k += d; } s ^ k }",
    );
    let ends = [
        (i32::MIN + 1, 5, -3),
        (i32::MIN, i32::MAX - 2, i32::MAX),
        (3, 2, -1),
        (0, 100, 33),
    ];
    for (a, n, d) in ends {
        let (mut k, mut s) = (a, 0_i32);
        while k <= n {
            s = s.wrapping_mul(3).wrapping_add(k);
            k = k.wrapping_add(d);
        }
        let actual = kernel.run(&[a.bits(), n.bits(), d.bits()]);
        assert_eq!(actual, (s ^ k).bits(), "{a} {n} {d}");
    }
}
