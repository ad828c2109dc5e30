//! Tests tile operations against plain Rust: a kernel of one block in the interpreter, as built and
//! after compilation.

#![expect(
    clippy::float_cmp,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "results are compared bit for bit, and the numbers are small"
)]

use super::{Variant, entry_name};
use crate::testing::front;
use tile_core::Diagnostics;
use tile_core::canonicalize::canonicalize;
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::interp::{Arg, Program, decode_float, encode_float};
use tile_core::types::Scalar;
use tile_core::verify::verify;

/// Returns the program of a kernel as built, and after compilation.
fn programs(source: &str) -> [Program; 2] {
    let expansion = front("arch(\"cpu\")", source)
        .unwrap_or_else(|faults| panic!("{source}\n{}", faults.concat()));
    let (_, module) = &expansion.artifacts[0][Variant::General as usize];
    let mut diagnostics = Diagnostics::new();
    let flat = verify(module.clone(), &mut diagnostics)
        .and_then(|verified| flatten(verified, &FlattenOptions::default(), &mut diagnostics));
    let flat = flat.unwrap_or_else(|_| panic!("{source}\n{:?}", diagnostics.take()));
    [
        Program::new(&flat.module),
        Program::new(canonicalize(flat.module).module()),
    ]
}

/// Runs `body` with the tensors `x`, `y` and `out` of rank 1 and returns the bytes of `out`.
pub(super) fn run(
    types: [&str; 3],
    x: &[u8],
    y: &[u8],
    bytes: [usize; 3],
    out_len: usize,
    body: &str,
) -> Result<Vec<u8>, String> {
    let [x_ty, y_ty, out_ty] = types;
    let source = format!(
        "fn k(x: &Tensor<{x_ty}, 1>, y: &Tensor<{y_ty}, 1>, out: &mut Tensor<{out_ty}, 1>, n: i32) {{ {body} }}"
    );
    let mut results = Vec::new();
    for program in programs(&source) {
        let (mut x, mut y) = (x.to_vec(), y.to_vec());
        let mut out = vec![0_u8; out_len * bytes[2]];
        let mut args = Vec::new();
        for (buffer, size) in [(&mut x, bytes[0]), (&mut y, bytes[1]), (&mut out, bytes[2])] {
            args.push(Arg::Pointer {
                ptr: buffer.as_mut_ptr(),
                bytes: buffer.len(),
            });
            args.push(Arg::Scalar {
                bits: (buffer.len() / size) as u64,
            });
            args.push(Arg::Scalar { bits: 1 });
        }
        args.push(Arg::Scalar { bits: 8 });
        // SAFETY: the buffers outlive the call, and only the single block writes `out`.
        let outcome = unsafe { program.run(&entry_name("k", Variant::General), [1; 3], &args) };
        if let Err(fault) = outcome {
            return Err(fault.to_string());
        }
        results.push(out);
    }
    assert_eq!(
        results[0], results[1],
        "canonicalization keeps the result of {body}"
    );
    Ok(results.swap_remove(0))
}

fn f32_bytes(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

fn f32s(bytes: &[u8]) -> Vec<f32> {
    bytes
        .chunks_exact(4)
        .map(|chunk| f32::from_le_bytes(chunk.try_into().expect("four bytes")))
        .collect()
}

fn i32s(bytes: &[u8]) -> Vec<i32> {
    bytes
        .chunks_exact(4)
        .map(|chunk| i32::from_le_bytes(chunk.try_into().expect("four bytes")))
        .collect()
}

/// Runs a body from `f32` to `f32`.
fn floats(x: &[f32], y: &[f32], len: usize, body: &str) -> Vec<f32> {
    let out = run(
        ["f32", "f32", "f32"],
        &f32_bytes(x),
        &f32_bytes(y),
        [4; 3],
        len,
        body,
    );
    f32s(&out.unwrap_or_else(|fault| panic!("{body}\n{fault}")))
}

/// Runs a body from `f32` to `i32`.
fn places(x: &[f32], len: usize, body: &str) -> Vec<i32> {
    let out = run(
        ["f32", "f32", "i32"],
        &f32_bytes(x),
        &[0; 4],
        [4; 3],
        len,
        body,
    );
    i32s(&out.unwrap_or_else(|fault| panic!("{body}\n{fault}")))
}

/// Runs a body from `i32` to `i32`.
fn integers(x: &[i32], len: usize, body: &str) -> Vec<i32> {
    let bytes: Vec<u8> = x.iter().flat_map(|value| value.to_le_bytes()).collect();
    let out = run(["i32", "i32", "i32"], &bytes, &[0; 4], [4; 3], len, body);
    i32s(&out.unwrap_or_else(|fault| panic!("{body}\n{fault}")))
}

fn fault(body: &str) -> String {
    match run(["f32", "f32", "f32"], &[0; 32], &[0; 32], [4; 3], 8, body) {
        Ok(out) => panic!("{body} gave {out:?}"),
        Err(fault) => fault,
    }
}

/// Returns irregular numbers with repetitions.
fn samples(len: usize) -> Vec<f32> {
    (0..len)
        .map(|index| ((index * 37 + 11) % 23) as f32 - 9.0)
        .collect()
}

#[test]
fn slices_are_counted_in_their_own_shape() {
    let x = samples(32);
    let got = floats(
        &x,
        &[0.0],
        8,
        "let t = x.load([0], [32]).reshape([8, 4]); let s = t.extract([n - 5, 1], [2, 2]); let r = t.extract([3, 0], [2, 2]);
         out.store([0], cat(s, r, 0).reshape([8]));",
    );
    let element = |row: usize, column: usize| x[row * 4 + column];
    let slice = |row: usize, column: usize| {
        [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| element(row * 2 + i, column * 2 + j))
    };
    assert_eq!(got, [slice(3, 1), slice(3, 0)].concat());
}

#[test]
fn a_slice_that_is_not_there_is_a_fault() {
    for index in ["n", "n as i64 + 4_294_967_288", "-1 - n"] {
        let body = format!(
            "let t = x.load([0], [8]); out.store([0], t.extract([{index}], [4]).broadcast([4])); "
        );
        assert!(fault(&body).contains("slice"), "{}", fault(&body));
    }
}

#[test]
fn cat_puts_the_second_behind_the_first() {
    let (x, y) = (samples(8), samples(12));
    let got = floats(
        &x,
        &y,
        16,
        "let a = x.load([0], [8]).reshape([4, 2]); let b = y.load([0], [8]).reshape([4, 2]); out.store([0], cat(a, b, 1).reshape([16]));",
    );
    let expected: Vec<f32> = (0..4)
        .flat_map(|row| [x[row * 2], x[row * 2 + 1], y[row * 2], y[row * 2 + 1]])
        .collect();
    assert_eq!(got, expected);
}

#[test]
fn item_is_the_one_element() {
    let x = samples(8);
    let got = floats(
        &x,
        &[0.0],
        8,
        "let t = x.load([0], [8]); let s = t.extract([3], [1]).item(); let u = s.max(0.5); out.store([0], full([8], u + s));",
    );
    assert_eq!(got, [x[3].max(0.5) + x[3]; 8]);
}

#[test]
fn the_first_of_several_extrema_counts_and_nan_never_but_alone() {
    let x = [
        1.0,
        5.0,
        5.0,
        f32::NAN, //
        f32::NAN,
        f32::NAN,
        -2.0,
        -2.0, //
        f32::NAN,
        f32::NAN,
        f32::NAN,
        f32::NAN, //
        f32::NEG_INFINITY,
        f32::NEG_INFINITY,
        f32::NEG_INFINITY,
        f32::NEG_INFINITY,
    ];
    let body = |method: &str, axis: usize| {
        format!("let t = x.load([0], [16]).reshape([4, 4]); out.store([0], t.{method}({axis}));")
    };
    assert_eq!(places(&x, 4, &body("argmax", 1)), [1, 2, 0, 0]);
    assert_eq!(places(&x, 4, &body("argmin", 1)), [0, 2, 0, 0]);
    assert_eq!(places(&x, 4, &body("argmax", 0)), [0, 0, 0, 1]);
    assert_eq!(places(&x, 4, &body("argmin", 0)), [3, 3, 3, 3]);
    let whole = "out.store([0], full([1], x.load([0], [16]).argmax(0)));";
    assert_eq!(places(&x, 1, whole), [1]);
}

#[test]
fn argmax_of_integers_follows_the_sign() {
    let x = [3, -1, 7, 7, i32::MIN, i32::MIN, 0, -5];
    let got = integers(
        &x,
        4,
        "let t = x.load([0], [8]); let u = t.bitcast::<u32>(); let m = cat(full([1], t.argmax(0)), full([1], t.argmin(0)), 0);
         out.store([0], cat(m, cat(full([1], u.argmax(0)), full([1], u.argmin(0)), 0), 0));",
    );
    assert_eq!(got, [2, 4, 1, 6]);
}

#[test]
fn any_and_all() {
    let x = [
        0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0,
    ];
    let got = places(
        &x,
        8,
        "let t = x.load([0], [16]).reshape([4, 4]) != 0.0; out.store([0], cat(t.any(1), t.all(1), 0).cast::<i32>());",
    );
    assert_eq!(got, [0, 1, 1, 1, 0, 0, 1, 0]);
}

#[test]
fn elements_are_combined_as_another_type() {
    let x: Vec<i32> = (0..16).map(|index| index * 17).collect();
    let run_all = |body: &str| {
        integers(
            &x,
            16,
            &format!("let t = x.load([0], [16]).cast::<u8>(); out.store([0], {body});"),
        )
    };
    // The sum is 17 * 120; as a `u8` it is taken modulo 256.
    assert_eq!(run_all("full([16], t.sum_as::<i32>(0))"), [2040; 16]);
    assert_eq!(run_all("full([16], t.sum(0).cast::<i32>())"), [248; 16]);
    let product = "full([16], (t.cast::<i32>() / 17 / 2 + 1).cast::<i8>().prod_as::<i32>(0))";
    let expected: i32 = (0..16)
        .map(|index: i32| index / 2 + 1)
        .fold(1, i32::wrapping_mul);
    assert_eq!(run_all(product), [expected; 16]);
    let prefixes: Vec<i32> = (0..16).map(|index| 17 * index * (index + 1) / 2).collect();
    assert_eq!(run_all("t.cumsum_as::<i32>(0)"), prefixes);
    let suffixes: Vec<i32> = (0..16).map(|index| x[index..].iter().sum()).collect();
    assert_eq!(run_all("t.cumsum_rev_as::<i32>(0)"), suffixes);
}

#[test]
fn narrow_floats_are_added_in_f32() {
    // In bf16, 256 + 1 is 256; in f16, 2048 + 1 is 2048.
    for (ty, count) in [("bf16", 512), ("f16", 4096)] {
        let x = vec![1.0; count];
        let y = vec![0.0; 4];
        let load = format!("x.load([0], [{count}]).cast::<{ty}>()");
        #[expect(clippy::cast_precision_loss, reason = "small")]
        let sum = count as f32;
        for combined in [
            format!("{load}.sum(0)"),
            format!("{load}.reduce(0, 0.0, |a, b| a + b)"),
            format!("{load}.cumsum(0).extract([{}], [1]).item()", count - 1),
        ] {
            let body = format!("let s = {combined}; out.store([0], full([4], s.cast::<f32>()));");
            assert_eq!(floats(&x, &y, 4, &body), [sum; 4], "{combined}");
        }
    }
}

#[test]
fn scans_combine_every_prefix() {
    let x: Vec<i32> = (0..16).map(|index| (index * 7) % 5 + 1).collect();
    let rows = |row: usize| x[row * 4..][..4].to_vec();
    let prefix = |values: Vec<i32>, f: fn(i32, i32) -> i32| {
        let mut prefixes: Vec<i32> = Vec::new();
        for value in values {
            let next = prefixes.last().map_or(value, |&last| f(last, value));
            prefixes.push(next);
        }
        prefixes
    };
    let suffix = |mut values: Vec<i32>, f: fn(i32, i32) -> i32| {
        values.reverse();
        let mut prefixes = prefix(values, f);
        prefixes.reverse();
        prefixes
    };
    #[expect(
        clippy::type_complexity,
        reason = "the closures are written below, each beside its kernel"
    )]
    let cases: [(&str, Box<dyn Fn(Vec<i32>) -> Vec<i32>>); 6] = [
        ("cumsum(1)", Box::new(move |row| prefix(row, |a, b| a + b))),
        ("cumprod(1)", Box::new(move |row| prefix(row, |a, b| a * b))),
        (
            "cumsum_rev(1)",
            Box::new(move |row| suffix(row, |a, b| a + b)),
        ),
        (
            "cumprod_rev(1)",
            Box::new(move |row| suffix(row, |a, b| a * b)),
        ),
        // The operation is associative but not commutative: the first parameter is the accumulated
        // value.
        (
            "scan(1, 1, |a, b| if b == 1 { a } else { b })",
            Box::new(move |row| prefix(row, |a, b| if b == 1 { a } else { b })),
        ),
        (
            "scan_rev(1, 0, |a, b| a.max(b))",
            Box::new(move |row| suffix(row, i32::max)),
        ),
    ];
    for (method, expected) in cases {
        let body = format!(
            "let t = x.load([0], [16]).reshape([4, 4]); out.store([0], t.{method}.reshape([16]));"
        );
        let expected: Vec<i32> = (0..4).flat_map(|row| expected(rows(row))).collect();
        assert_eq!(integers(&x, 16, &body), expected, "{method}");
    }
}

#[test]
fn closures_combine_several_tiles() {
    // One reduction computes a sum and a sum of squares; the scan composes affine maps.
    let (x, y) = (samples(8), samples(16));
    let got = floats(
        &x,
        &y,
        2,
        "let a = x.load([0], [8]); let (s, q) = reduce((a, a * a), 0, (0.0, 0.0), |(s, q), (t, u)| (s + t, q + u));
         out.store([0], cat(full([1], s), full([1], q), 0));",
    );
    let sum: f32 = x.iter().sum();
    let squares: f32 = x.iter().map(|value| value * value).sum();
    assert_eq!(got, [sum, squares]);
    let got = floats(
        &x,
        &y,
        16,
        "let m = x.load([0], [8]); let c = y.load([0], [8]);
         let (p, q) = scan((m, c), 0, (1.0, 0.0), |(m, c), (n, d)| (m * n, n * c + d)); out.store([0], cat(p, q, 0));",
    );
    let (mut m, mut c) = (1.0_f32, 0.0_f32);
    let (mut slopes, mut offsets) = (Vec::new(), Vec::new());
    for index in 0..8 {
        (m, c) = (m * x[index], x[index] * c + y[index]);
        slopes.push(m);
        offsets.push(c);
    }
    assert_eq!(got, [slopes, offsets].concat());
}

#[test]
fn closures_choose_assign_and_use_constants() {
    let x: Vec<i32> = (0..32).map(|index| (index * 29 + 3) % 17 - 8).collect();
    let got = integers(
        &x,
        1,
        "let limit = 5; let t = x.load([0], [32]);
         let best = t.reduce(0, i32::MIN, |a, b| { let mut r = a; if b > a && b <= limit { r = b; } else if a > limit || a < -100 && b < -100 { r = a.min(b); } r });
         out.store([0], full([1], best));",
    );
    let combine = |a: i32, b: i32| {
        let mut r = a;
        if b > a && b <= 5 {
            r = b;
        } else if a > 5 || a < -100 && b < -100 {
            r = a.min(b);
        }
        r
    };
    assert_eq!(got, [x.iter().fold(i32::MIN, |a, &b| combine(a, b))]);
}

#[test]
fn short_circuits_in_closures_keep_what_is_not_assigned() {
    let x: Vec<i32> = (1..=8).collect();
    let got = integers(
        &x,
        1,
        "let t = x.load([0], [8]); let s = t.reduce(0, 0, |a, b| { let mut r = a + b; let _ = b > 4 && { r += 0; a > b }; r }); out.store([0], full([1], s));",
    );
    assert_eq!(got, [36]);
}

#[test]
fn explicit_rounding_goes_the_way_that_is_said() {
    let (x, y) = (vec![1.0_f32; 4], vec![f32::EPSILON / 4.0; 4]);
    let run = |body: &str| {
        floats(
            &x,
            &y,
            4,
            &format!("let a = x.load([0], [4]); let b = y.load([0], [4]); out.store([0], {body});"),
        )[0]
    };
    let above = 1.0 + f32::EPSILON;
    let below = 1.0 - f32::EPSILON / 2.0;
    assert_eq!(run("a.add_with(b, Rounding::NearestEven)"), 1.0);
    assert_eq!(run("a.add_with(b, Rounding::PosInf)"), above);
    assert_eq!(run("a.sub_with(b, Rounding::Zero)"), below);
    assert_eq!(
        run("(a + a).mul_with(b, Rounding::NegInf)"),
        f32::EPSILON / 2.0
    );
    assert_eq!(
        run("a.div_with(a + a + a, Rounding::PosInf)"),
        f32::from_bits((1.0_f32 / 3.0).to_bits())
    );
    assert_eq!(
        run("a.div_with(a + a + a, Rounding::Zero)"),
        f32::from_bits((1.0_f32 / 3.0).to_bits() - 1)
    );
    // The nearest number is already below the root.
    assert_eq!(run("(a + a).sqrt_with(Rounding::NegInf)"), 2.0_f32.sqrt());
    assert_eq!(run("a.mul_add_with(a, b, Rounding::PosInf)"), above);
    assert_eq!(
        run("(b * 1e-32).add_with(b * 0.0, Rounding::NearestEven.ftz())"),
        0.0
    );
    assert!((run("a.tanh_with(Rounding::Approx)") - 1.0_f32.tanh()).abs() < 1e-3);
    assert!((run("a.exp_with(Rounding::Approx)") - 1.0_f32.exp()).abs() < 1e-5);
    assert_eq!(run("(b * 1e-32).max_ftz(-a)"), 0.0);
    assert_eq!(
        run("a.maximum(a / 0.0 - a / 0.0)").to_bits() & 0x7fc0_0000,
        0x7fc0_0000
    );
    assert_eq!(run("a.maximum(b)"), 1.0);
    assert_eq!(run("a.minimum(b)"), f32::EPSILON / 4.0);
}

#[test]
fn integer_division_rounds_as_said() {
    let x = [-7, 7, -8, 9];
    let run = |body: &str| {
        integers(
            &x,
            4,
            &format!("let a = x.load([0], [4]); out.store([0], {body});"),
        )
    };
    assert_eq!(run("a.div_with(2, Rounding::NegInf)"), [-4, 3, -4, 4]);
    assert_eq!(run("a.div_with(2, Rounding::PosInf)"), [-3, 4, -4, 5]);
    assert_eq!(run("a.div_with(2, Rounding::Zero)"), [-3, 3, -4, 4]);
}

#[test]
fn the_high_half_of_a_product_follows_the_sign() {
    let x = [i32::MIN, -1, 123_456_789, -987_654_321];
    let got = integers(
        &x,
        8,
        "let a = x.load([0], [4]); let u = a.bitcast::<u32>(); out.store([0], cat(a.mul_hi(a + 5), u.mul_hi(u).bitcast::<i32>(), 0));",
    );
    let signed = x.map(|a| ((i64::from(a) * i64::from(a.wrapping_add(5))) >> 32) as i32);
    let unsigned = x.map(|a| {
        let a = u64::from(a.cast_unsigned());
        (((a * a) >> 32) as u32).cast_signed()
    });
    assert_eq!(got, [signed, unsigned].concat());
}

/// Checks the published test vectors of Random123 (`kat_vectors`, philox4x32 with 10 rounds).
#[test]
fn philox_gives_the_published_vectors() {
    let vectors: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
        (
            [0; 4],
            [0; 2],
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8],
        ),
        (
            [u32::MAX; 4],
            [u32::MAX; 2],
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd],
        ),
        (
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
        ),
    ];
    for (counter, key, expected) in vectors {
        let [c0, c1, c2, c3] = counter;
        let [k0, k1] = key;
        for key in [
            format!("({k0}_u32, {k1}_u32)"),
            format!("(full([4], {k0}_u32), full([4], {k1}_u32))"),
        ] {
            let got = integers(
                &[0; 4],
                16,
                &format!(
                    "let (a, b, c, d) = philox({key}, (full([4], {c0}_u32), {c1}, {c2}, {c3}));
                     out.store([0], cat(cat(a, b, 0), cat(c, d, 0), 0).bitcast::<i32>());"
                ),
            );
            let words: Vec<u32> = got
                .iter()
                .step_by(4)
                .map(|word| word.cast_unsigned())
                .collect();
            assert_eq!(words, expected);
        }
    }
}

/// Computes Philox in plain Rust for a seed and an offset.
fn philox(seed: u64, offset: u64) -> [u32; 4] {
    let (mut k0, mut k1) = (seed as u32, (seed >> 32) as u32);
    let mut c = [offset as u32, (offset >> 32) as u32, 0, 0];
    for _ in 0..10 {
        let p0 = u64::from(c[0]) * 0xd251_1f53;
        let p1 = u64::from(c[2]) * 0xcd9e_8d57;
        c = [
            (p1 >> 32) as u32 ^ c[1] ^ k0,
            p1 as u32,
            (p0 >> 32) as u32 ^ c[3] ^ k1,
            p0 as u32,
        ];
        k0 = k0.wrapping_add(0x9e37_79b9);
        k1 = k1.wrapping_add(0xbb67_ae85);
    }
    c
}

#[test]
fn random_numbers_are_made_of_philox() {
    let seed = 0x0123_4567_89ab_cdef_u64;
    let offsets = |index: u64| index + 4_294_967_290;
    let body = |call: &str| {
        format!(
            "let o = iota::<u64>(256) + 4_294_967_290; out.store([0], {call}({seed}_u64, o){});",
            if call == "rand_u32" {
                ".bitcast::<i32>()"
            } else {
                ""
            }
        )
    };
    let bits = integers(&[0; 4], 256, &body("rand_u32"));
    for (index, &got) in bits.iter().enumerate() {
        assert_eq!(got.cast_unsigned(), philox(seed, offsets(index as u64))[0]);
    }
    let uniform = floats(&[0.0], &[0.0], 256, &body("rand_uniform"));
    for (index, &got) in uniform.iter().enumerate() {
        let expected = (philox(seed, offsets(index as u64))[0] >> 8) as f32 / 16_777_216.0;
        assert_eq!(got, expected);
        assert!((0.0..1.0).contains(&got));
    }
    let normal = floats(&[0.0], &[0.0], 256, &body("rand_normal"));
    for (index, &got) in normal.iter().enumerate() {
        let words = philox(seed, offsets(index as u64));
        let u = f64::from((words[0] >> 8) + 1) / 16_777_216.0;
        let v = f64::from(words[1] >> 8) / 16_777_216.0;
        let expected = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        assert!((f64::from(got) - expected).abs() < 1e-5, "{got} {expected}");
    }
    let mean: f32 = normal.iter().sum::<f32>() / 256.0;
    let variance: f32 = normal.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / 255.0;
    assert!(
        mean.abs() < 0.2 && (variance - 1.0).abs() < 0.3,
        "{mean} {variance}"
    );
}

#[test]
fn random_numbers_of_narrow_offsets_are_those_of_wide_ones() {
    let narrow = integers(
        &[0; 4],
        64,
        "out.store([0], rand_u32(7, iota::<i32>(64)).bitcast::<i32>());",
    );
    let wide = integers(
        &[0; 4],
        64,
        "out.store([0], rand_u32(7_u64, iota::<u64>(64)).bitcast::<i32>());",
    );
    assert_eq!(narrow, wide);
}

/// Multiplies tiles with every pair of operand and accumulator types.
#[test]
fn every_pair_of_mma_types() {
    let a: Vec<f32> = (0..256)
        .map(|index| ((index * 5) % 7) as f32 - 3.0)
        .collect();
    let b: Vec<f32> = (0..256)
        .map(|index| ((index * 3) % 5) as f32 - 2.0)
        .collect();
    let mut expected = vec![0.0; 256];
    for (row, line) in expected.chunks_exact_mut(16).enumerate() {
        for (column, sum) in line.iter_mut().enumerate() {
            *sum = (0..16).map(|k| a[row * 16 + k] * b[k * 16 + column]).sum();
        }
    }
    for (element, acc) in [
        ("f16", "f16"),
        ("f16", "f32"),
        ("bf16", "f32"),
        ("tf32", "f32"),
        ("f32", "f32"),
        ("f64", "f64"),
        ("f8e4m3", "f16"),
        ("f8e4m3", "f32"),
        ("f8e5m2", "f16"),
        ("f8e5m2", "f32"),
        ("i8", "i32"),
    ] {
        let body = format!(
            "let a = x.load([0], [256]).reshape([16, 16]).cast::<{element}>(); let b = y.load([0], [256]).reshape([16, 16]).cast::<{element}>();
             out.store([0], mma(a, b, zeros::<{acc}>([16, 16])).cast::<f32>().reshape([256]));"
        );
        assert_eq!(floats(&a, &b, 256, &body), expected, "{element} onto {acc}");
        let body = format!(
            "let a = x.load([0], [256]).reshape([1, 16, 16]).cast::<{element}>(); let b = y.load([0], [256]).reshape([1, 16, 16]).cast::<{element}>();
             out.store([0], dot(a, b).cast::<f32>().reshape([256]));"
        );
        assert_eq!(floats(&a, &b, 256, &body), expected, "a batch of {element}");
    }
}

#[test]
fn batches_are_multiplied_one_by_one() {
    let a: Vec<f32> = samples(2 * 4 * 8);
    let b: Vec<f32> = samples(2 * 8 * 2);
    let got = floats(
        &a,
        &b,
        16,
        "let a = x.load([0], [64]).reshape([2, 4, 8]); let b = y.load([0], [32]).reshape([2, 8, 2]); out.store([0], mma(a, b, full([2, 4, 2], 1.0)).reshape([16]));",
    );
    for (index, &got) in got.iter().enumerate() {
        let (batch, row, column) = (index / 8, index / 2 % 4, index % 2);
        let sum: f32 = (0..8)
            .map(|k| a[batch * 32 + row * 8 + k] * b[batch * 16 + k * 2 + column])
            .sum();
        assert_eq!(got, sum + 1.0);
    }
}

#[test]
fn scaled_matmuls() {
    let a: Vec<f32> = (0..512)
        .map(|index| ((index * 5) % 7) as f32 - 3.0)
        .collect();
    let b: Vec<f32> = (0..512)
        .map(|index| ((index * 3) % 5) as f32 - 2.0)
        .collect();
    for element in ["f8e4m3", "f8e5m2", "f4e2m1"] {
        let got = floats(
            &a,
            &b,
            256,
            &format!(
                "let a = x.load([0], [512]).reshape([16, 32]).cast::<{element}>(); let b = y.load([0], [512]).reshape([32, 16]).cast::<{element}>();
                 let s = full([16, 1], 4.0).cast_with::<f8e8m0>(Rounding::PosInf); let t = full([1, 16], 0.5_f8e8m0);
                 out.store([0], mma_scaled(a, s, b, t, full([16, 16], 1.0)).reshape([256]));"
            ),
        );
        for (index, &got) in got.iter().enumerate() {
            let sum: f32 = (0..32)
                .map(|k| a[index / 16 * 32 + k] * b[k * 16 + index % 16])
                .sum();
            assert_eq!(got, 2.0 * sum + 1.0, "{element}");
        }
    }
}

#[test]
fn small_floats_are_stored_and_converted() {
    for (name, scalar) in [
        ("f8e4m3", Scalar::F8E4M3FN),
        ("f8e5m2", Scalar::F8E5M2),
        ("f8e8m0", Scalar::F8E8M0FNU),
    ] {
        let patterns: Vec<u8> = (0..=255).collect();
        let out = run(
            [name, "f32", "f32"],
            &patterns,
            &[0; 4],
            [1, 4, 4],
            256,
            "out.store([0], x.load([0], [256]).cast::<f32>());",
        );
        let out = f32s(&out.unwrap_or_else(|fault| panic!("{fault}")));
        for (bits, &got) in out.iter().enumerate() {
            let expected = decode_float(scalar, bits as u64) as f32;
            assert!(
                got == expected || got.is_nan() && expected.is_nan(),
                "{name} {bits:#x}"
            );
        }
    }
    let values = [0.0_f32, 1.06, -17.3, 448.0, 0.001, -0.0, 3.0, 240.0];
    let out = run(
        ["f32", "f32", "f8e4m3"],
        &f32_bytes(&values),
        &[0; 4],
        [4, 4, 1],
        8,
        "out.store([0], x.load([0], [8]).cast::<f8e4m3>());",
    );
    let expected: Vec<u8> = values
        .iter()
        .map(|&value| encode_float(Scalar::F8E4M3FN, f64::from(value)) as u8)
        .collect();
    assert_eq!(out, Ok(expected));
    let literal = run(
        ["f32", "f32", "f8e5m2"],
        &[0; 32],
        &[0; 4],
        [4, 4, 1],
        8,
        "let t = full([4], 1.1_f8e5m2); let u = full([4], f8e5m2::MAX); out.store([0], cat(t, u, 0));",
    );
    let byte = |value: f64| encode_float(Scalar::F8E5M2, value) as u8;
    assert_eq!(literal, Ok([[byte(1.1); 4], [byte(57344.0); 4]].concat()));
}

#[test]
fn assertions_and_assumptions_that_fail_are_faults() {
    let message = fault("assert!(n < 4, \"n is {{small}}\"); out.store([0], full([8], 1.0));");
    assert!(message.contains("n is {small}"), "{message}");
    let message = fault("let t = x.load([0], [8]); assert!(t > 0.0); out.store([0], t);");
    assert!(message.contains("assertion failed: t > 0.0"), "{message}");
    let message = fault("assert_eq!(n, 7); out.store([0], full([8], 1.0));");
    assert!(message.contains("assertion failed: n == 7"), "{message}");
    let message = fault("unsafe { assume!(n % 16 == 0); } out.store([n / 16], full([8], 1.0));");
    assert!(message.contains("divisible by 16"), "{message}");
    let message =
        fault("unsafe { assume!(n >= 0 && n < 8); } out.store([n / 16], full([8], 1.0));");
    assert!(message.contains("between 0 and 7"), "{message}");
    let message = fault(
        "let t = iota::<i32>(8); unsafe { assume!(t.same_elements([4])); } out.store([0], t.cast::<f32>());",
    );
    assert!(message.contains("one value"), "{message}");
}

#[test]
fn assumptions_that_hold_change_nothing() {
    let got = floats(
        &[0.0],
        &[0.0],
        8,
        "let mut m = n; if n > 3 { unsafe { assume!(m % 4 == 0 && 0 <= m && m <= 8 && n == 8 / 8 * 8 || true); } }
         let t = iota::<i32>(8) / 8; out.store([0], t.cast::<f32>() + m as f32);"
            .replace(" && n == 8 / 8 * 8 || true", "")
            .as_str(),
    );
    assert_eq!(got, [8.0; 8]);
    let got = floats(
        &[0.0],
        &[0.0],
        8,
        "let t = iota::<i32>(8) / 4; unsafe { assume!(t.same_elements([4]) && t >= 0 && t < 2); } out.store([0], t.cast::<f32>());",
    );
    assert_eq!(got, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
}
