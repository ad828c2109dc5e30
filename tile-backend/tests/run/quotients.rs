//! Tests quotients whose divisor several elements of a thread share. The compiler computes them with the
//! reciprocal of the divisor if all numbers are in range, otherwise in f64.
//!
//! Each combination of type, form and architecture is a test; every block has a divisor of its own. The
//! numerators of a block are of one kind, so that in some threads all elements are just in range, and in
//! others one is not. The kinds are random patterns, quotients next to the midpoint of two floats, the bounds
//! of the range, the border of subnormal results, exact ties among subnormal results, and overflow.

use libtest_mimic::Trial;
use tile_backend::target::Arch;
use tile_core::interp::{decode_float, encode_float};
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::ARCHS;
use super::compare::Expected;
use super::machine::{compile, verified};
use super::support;
use super::trial;

/// Numerators of a block.
const TILE: usize = 1024;
/// Number of blocks, each with its own divisor.
const BLOCKS: usize = 320;
/// Number of rows of a tile, each with its own divisor, in the form with several divisors.
const ROWS: usize = 2;

const SIGN: u32 = 0x8000_0000;
const MIN_NORMAL: u32 = 0x0080_0000;
const INFINITY: u32 = 0x7f80_0000;

pub(crate) fn trials() -> Vec<Trial> {
    let forms = [
        (Scalar::F32, "rounding<nearest_even>", 1),
        (Scalar::F32, "rounding<nearest_even> flush_to_zero", 1),
        (Scalar::F32, "rounding<nearest_even>", ROWS),
        (Scalar::F16, "rounding<nearest_even>", 1),
        (Scalar::BF16, "rounding<nearest_even>", 1),
    ];
    let mut trials = Vec::new();
    for (scalar, form, rows) in forms {
        for arch in ARCHS {
            let flush = form.strip_prefix("rounding<nearest_even>").unwrap_or(form);
            let name = format!(
                "quotients/{rows}x{scalar}{}::{arch}",
                flush.replace(' ', "/")
            );
            trials.push(trial(name, move || check(scalar, form, rows, arch)));
        }
    }
    trials
}

fn check(scalar: Scalar, form: &str, rows: usize, arch: Arch) -> Result<(), String> {
    let (mut numerators, mut divisors) = (Vec::new(), Vec::new());
    let mut random = Random::new(11);
    for block in 0..BLOCKS {
        let count = TILE / rows;
        for row in 0..rows {
            let (divisor, numbers) = match scalar {
                Scalar::F32 => singles(block + row, count, &mut random),
                _ => halves(scalar, block + row, count, &mut random),
            };
            divisors.push(divisor);
            numerators.extend(numbers);
        }
    }
    let runnable = kernel(scalar, form, rows, &numerators, &divisors)?;
    let artifact = compile(&runnable.module, arch, None)?;
    let (_, ptx) = &artifact.ptx[0];
    if ptx.contains("div.rn") || !ptx.contains("rcp.approx.ftz.f64") {
        return Err(format!("the quotients are divisions:\n{ptx}"));
    }
    let checked = Expected::new(&runnable, 0.0).check(&artifact, &runnable);
    checked.map(drop)
}

fn kernel(
    scalar: Scalar,
    form: &str,
    rows: usize,
    numerators: &[u32],
    divisors: &[u32],
) -> Result<Runnable, String> {
    let columns = TILE / rows;
    let total_rows = BLOCKS * rows;
    let matrix = format!("tensor_view<{total_rows}x{columns}x{scalar}, strides=[{columns},1]>");
    let column = format!("tensor_view<{total_rows}x1x{scalar}, strides=[1,1]>");
    let view = format!("partition_view<tile=({rows}x{columns}), {matrix}>");
    let few = format!("partition_view<tile=({rows}x1), {column}>");
    let tile = format!("tile<{rows}x{columns}x{scalar}>");
    let divisor = format!("tile<{rows}x1x{scalar}>");
    let source = format!(
        "cuda_tile.module @kernels {{
  entry @quotients(%x: tile<ptr<{scalar}>>, %s: tile<ptr<{scalar}>>, %q: tile<ptr<{scalar}>>) {{
    %b, %0, %1 = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %tx = make_tensor_view %x, shape = [{total_rows}, {columns}], strides = [{columns}, 1] : {matrix}
    %vx = make_partition_view %tx : {view}
    %ts = make_tensor_view %s, shape = [{total_rows}, 1], strides = [1, 1] : {column}
    %vs = make_partition_view %ts : {few}
    %tq = make_tensor_view %q, shape = [{total_rows}, {columns}], strides = [{columns}, 1] : {matrix}
    %vq = make_partition_view %tq : {view}
    %lx, %2 = load_view_tko weak %vx[%b, %zero] : {view}, tile<i32> -> {tile}, token
    %ls, %3 = load_view_tko weak %vs[%b, %zero] : {few}, tile<i32> -> {divisor}, token
    %bs = broadcast %ls : {divisor} -> {tile}
    %lq = divf %lx, %bs {form} : {tile}
    %4 = store_view_tko weak %lq, %vq[%b, %zero] : {tile}, {view}, tile<i32> -> token
    return
  }}
}}
"
    );
    let module = support::module(&source, "quotients")?;
    verified(&module)?;
    let bytes = |elements: &[u32]| {
        let bytes = elements.iter().map(|bits| bits.to_le_bytes());
        let bytes = bytes.flat_map(|bytes| bytes.into_iter().take(scalar.bytes()));
        Argument::Buffer(bytes.collect())
    };
    let results = vec![0xa5a5_a5a5; numerators.len()];
    Ok(Runnable {
        module,
        grid: [u32::try_from(BLOCKS).expect("few"), 1, 1],
        args: vec![bytes(numerators), bytes(divisors), bytes(&results)],
    })
}

/// Draws a word of random bits.
fn word(random: &mut Random<'_>) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "some of the bits")]
    let word = random.bits() as u32;
    word
}

/// Draws a number from `low` to `high`.
fn within(random: &mut Random<'_>, low: i32, high: i32) -> i32 {
    let count = usize::try_from(high - low + 1).expect("not empty");
    low + i32::try_from(random.below(count)).expect("few")
}

/// Returns the bits of the positive f32 with the given exponent and 24-bit significand, clamped to the range
/// of the type.
fn single(exponent: i32, significand: u32) -> u32 {
    let exponent = exponent.clamp(-126, 127);
    let biased = u32::try_from(exponent + 127).expect("an exponent of f32");
    biased << 23 | significand & (MIN_NORMAL - 1)
}

/// Draws a divisor and its numerators.
fn singles(number: usize, count: usize, random: &mut Random<'_>) -> (u32, Vec<u32>) {
    const DIVISORS: [u32; 24] = [
        0,
        SIGN,
        1,
        MIN_NORMAL - 1,
        MIN_NORMAL,
        MIN_NORMAL + 1,
        SIGN | MIN_NORMAL,
        0x7e7f_ffff, // just below 2^126
        0x7e80_0000,
        0xfe80_0001,
        0x7f00_0000,
        INFINITY - 1,
        INFINITY,
        SIGN | INFINITY,
        0x7fc0_0000,
        0x3f80_0000, // 1
        0xbf80_0000,
        0x3fff_ffff, // just below 2
        0xbfff_ffff,
        0x00ff_ffff,
        0x4040_0000, // 3
        0x4396_0000, // 300
        0x3dcc_cccd, // 0.1
        0x0000_1001,
    ];
    let significand = MIN_NORMAL | word(random) >> 9;
    let divisor = match number % 4 {
        0 => random.pick(&DIVISORS),
        1 => single(within(random, -30, 30), significand),
        2 => single(within(random, -126, 127), significand) | word(random) & SIGN,
        // The divisor has few significant bits, which gives exact quotients and, among subnormal quotients,
        // exact ties.
        _ => single(within(random, -40, 120), significand & 0x00f8_0000),
    };
    let kind = number / 4 % 10;
    // The distance from a bound is the same for the whole block.
    let distance = within(random, -2, 3);
    // At most one numerator is far out of range.
    let outlier = random.one_in(3).then(|| {
        let far = [
            1,
            0x0000_ffff,
            INFINITY - 1,
            INFINITY,
            0x7fc0_0001,
            MIN_NORMAL,
        ];
        (random.below(count), random.pick(&far))
    });
    let has_zeros = random.one_in(2);
    let place = within(random, -2, 2);
    let number = |index: usize, random: &mut Random<'_>| {
        if let Some((position, far)) = outlier
            && position == index
        {
            return far | word(random) & SIGN;
        }
        if has_zeros && random.one_in(6) {
            return word(random) & SIGN;
        }
        numerator(kind, divisor, distance, place, random)
    };
    let numbers = (0..count).map(|index| number(index, random));
    (divisor, numbers.collect())
}

fn numerator(kind: usize, divisor: u32, distance: i32, place: i32, random: &mut Random<'_>) -> u32 {
    let value = f64::from(f32::from_bits(divisor & !SIGN));
    let exponent = i32::try_from((divisor & !SIGN) >> 23).expect("small") - 127;
    let sign = word(random) & SIGN;
    let any = word(random) >> 9;
    let near = |value: f64, by: i32| {
        let bits = u32::try_from(encode_float(Scalar::F32, value)).expect("32 bits");
        bits.saturating_add_signed(by) & !SIGN
    };
    let magnitude = match kind {
        0 => word(random) & !SIGN,
        1 => single(exponent + within(random, -20, 20), any),
        // The quotient is next to the midpoint of two floats; some numerators have the least allowed
        // magnitude.
        2 => single(exponent + within(random, -10, 10), close(divisor, random)),
        3 => single(-102 + place.max(0), close(divisor, random)),
        4 => single((exponent - 125).max(-102) + place, any),
        // The numerator is near the bounds of the range.
        5 => near((value * (-125f64).exp2()).max((-101f64).exp2()), distance)
            .saturating_add(word(random) >> 24),
        6 => near(value * 126f64.exp2(), distance).saturating_sub(word(random) >> 24),
        // The quotient is at the border of subnormal results.
        7 => near(value * (-126f64).exp2(), within(random, -3, 3)),
        // The quotient is a tie or next to one.
        8 => {
            let odd = f64::from(any >> within(random, 3, 22) | 1);
            near(
                value * odd * (-150f64).exp2(),
                within(random, -1, 1) * place.signum(),
            )
        }
        // The quotient overflows.
        _ => near(value * 128f64.exp2(), within(random, -3, 1)),
    };
    magnitude | sign
}

/// Returns a significand whose quotient by the significand of `divisor` is as close to the midpoint of two
/// floats as possible, or nearly so. If the divisor is odd, `2^24 * x` or `2^25 * x` is slightly more or less
/// than a multiple of the divisor.
fn close(divisor: u32, random: &mut Random<'_>) -> u32 {
    let modulus = u64::from(divisor & (MIN_NORMAL - 1) | MIN_NORMAL | 1);
    let half = modulus.div_ceil(2);
    let inverse = (0..24 + random.below(2)).fold(1, |power, _| power * half % modulus);
    let off = 1 + random.below(3) as u64;
    let off = if random.one_in(2) { off } else { modulus - off };
    let least = off * inverse % modulus;
    let significand = if least < u64::from(MIN_NORMAL) {
        least + modulus
    } else {
        least
    };
    u32::try_from(significand).expect("below twice the modulus")
}

/// Draws a divisor and its numerators for f16 or bf16, both from all numbers.
fn halves(scalar: Scalar, number: usize, count: usize, random: &mut Random<'_>) -> (u32, Vec<u32>) {
    let divisor = match number % 3 {
        0 => word(random) & 0xffff,
        1 => {
            let special = [
                0.0,
                -0.0,
                1.0,
                -3.0,
                f64::INFINITY,
                f64::NAN,
                1e-7,
                1e-39,
                65504.0,
            ];
            u32::try_from(encode_float(scalar, random.pick(&special))).expect("16 bits")
        }
        _ => {
            let value = f64::from(within(random, 1, 4000)) / 32.0;
            u32::try_from(encode_float(scalar, value)).expect("16 bits")
        }
    };
    let is_wide = random.one_in(2);
    let numbers = (0..count).map(|_| {
        let bits = word(random) & 0xffff;
        let value = decode_float(scalar, u64::from(bits)).abs();
        let is_moderate = value == 0.0 || value.is_finite() && value > (-90f64).exp2();
        if is_wide || is_moderate {
            bits
        } else {
            bits & 0x0fff | 0x3000
        }
    });
    (divisor, numbers.collect())
}
