//! Compiles every tile operation through stages 8 to 11.

use crate::backend::session;
use crate::build::Variant;
use crate::testing::front;
use tile_backend::session::{CompileOptions, Times};
use tile_backend::target::Arch;
use tile_core::Diagnostics;
use tile_core::canonicalize::canonicalize;
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::verify::verify;

/// Expressions over `x: f32`, `i: i32`, `u: u32` and `b: bool`, all `[64]`; their values are stored
/// to `out`.
const CASES: &[&str] = &[
    // The expressions are grouped so that the compiler starts a few times instead of a hundred
    // times.
    "x.recip() + x.trunc() + x.fract() + x.round() + x.copysign(x + 1.0) + x.signum() + x.clamp(-1.0, 2.0)",
    "x.rem_euclid(3.0) + x.div_euclid(3.0) + x.powi(3) + x.powi(-5) + x.maximum(2.0) + x.minimum(3.0)",
    "(x.is_nan() | x.is_finite() ^ x.is_infinite()).cast::<f32>()",
    "(i.signum() + i.rem_euclid(3) + i.div_euclid(5) + i.clamp(0, 9) + i.pow(3) + i.wrapping_abs()).cast::<f32>()",
    "(i.wrapping_add(1).wrapping_sub(i).wrapping_mul(i).wrapping_neg() + i.wrapping_shl(u) + i.wrapping_shr(3)).cast::<f32>()",
    "(i.saturating_add(7) + i.saturating_sub(9) + i.mul_hi(i) + i.rotate_left(u) + i.rotate_right(2)).cast::<f32>()",
    "(i.abs_diff(7) + i.unsigned_abs() + u.div_ceil(3) + u.mul_hi(u) + u.saturating_add(u)).cast::<f32>()",
    "(u.count_ones() + u.count_zeros() + i.leading_zeros() + i.trailing_zeros()).cast::<f32>()",
    "u.is_power_of_two().cast::<f32>()",
    "x.add_with(x, Rounding::Zero).sub_with(x, Rounding::PosInf).mul_with(x, Rounding::NegInf).mul_add_with(x, x, Rounding::Zero)",
    "x.div_with(x, Rounding::Full).sqrt_with(Rounding::Approx).exp_with(Rounding::Approx).tanh_with(Rounding::Approx)",
    "x.add_with(x, Rounding::Zero.ftz()) + x.exp2_ftz() + x.rsqrt_ftz() + x.max_ftz(1.0) + x.min_ftz(2.0)",
    "i.div_with(3, Rounding::NegInf).cast::<f32>()",
    "u.div_with(3, Rounding::PosInf).cast::<f32>()",
    "unsafe { i.unchecked_add(1).unchecked_sub(2).unchecked_mul(3).unchecked_shl(1).unchecked_shr(1) }.cast::<f32>()",
    "x.bitcast::<u32>().bitcast::<f32>()",
    "x.powi(i)",
    "x.atan2(x)",
    "x.extract([0], [64])",
    "cat(x, x, 0).reshape([64, 2]).sum(1)",
    "full([64], x.extract([3], [1]).item())",
    "x.cumsum(0)",
    "i.cumprod_rev(0).cast::<f32>()",
    "full([64], b.any(0)).cast::<f32>()",
    "full([64], b.all(0)).cast::<f32>()",
    "full([64], x.argmax(0)).cast::<f32>()",
    "full([64], u.argmin(0)).cast::<f32>()",
    "full([64], x.reduce(0, 0.0, |a, b| if a > b { a } else { b }))",
    "full([64], reduce((x, i), 0, (0.0, 0), |(a, b), (c, d)| (a + c, b.max(d))).0)",
    "x.scan(0, 0.0, |a, b| a + b)",
    "scan_rev((x, i), 0, (0.0, 0), |(a, b), (c, d)| (a + c, b.max(d))).0",
    "mma(x.reshape([8, 8]), x.reshape([8, 8]), zeros::<f32>([8, 8])).reshape([64])",
    "dot(x.reshape([4, 4, 4]).cast::<f16>(), x.reshape([4, 4, 4]).cast::<f16>()).reshape([64])",
    "dot(x.reshape([1, 64]).broadcast([16, 64]).cast::<f8e4m3>(), x.reshape([64, 1]).broadcast([64, 16]).cast::<f8e4m3>()).sum(0).reshape([1, 16]).broadcast([4, 16]).reshape([64])",
    "mma_scaled(full([16, 32], 1.0_f8e4m3), full([16, 1], 1.0_f8e8m0), full([32, 16], 1.0_f8e4m3), full([1, 16], 1.0_f8e8m0), zeros([16, 16])).reshape([256]).extract([0], [64])",
    "x.cast::<f8e4m3>().cast::<f32>()",
    "x.cast::<f8e5m2>().cast::<f32>()",
    "x.cast_with::<f8e8m0>(Rounding::PosInf).cast::<f32>()",
    "x.cast::<f4e2m1>().cast::<f32>()",
    "philox((1, 2), (u, 3, 4, 5)).0.cast::<f32>()",
    "rand_uniform(7, i) + rand_normal(7, i) + rand_u32(7, i).cast::<f32>()",
    "{ tile_print!(\"{}\", i); x }",
    "{ assert!(i < 64, \"small\"); x }",
    "{ let m = i; unsafe { assume!(m >= 0 && m < 64); } m.cast::<f32>() }",
];

#[test]
fn all_of_it_becomes_code() {
    let mut refused = Vec::new();
    for case in CASES {
        let source = format!(
            "fn k(t: &Tensor<f32, 1>, out: &mut Tensor<f32, 1>) {{
                let x = t.load([0], [64]); let i = iota::<i32>(64); let u = iota::<u32>(64); let b = x > 0.5;
                let (_, _, _) = (i, u, b);
                out.store([block_id(0)], {case});
            }}"
        );
        let expansion =
            front("", &source).unwrap_or_else(|faults| panic!("{case}\n{}", faults.concat()));
        let (_, module) = &expansion.artifacts[0][Variant::Fast as usize];
        let mut diagnostics = Diagnostics::new();
        let flat = verify(module.clone(), &mut diagnostics)
            .and_then(|verified| flatten(verified, &FlattenOptions::default(), &mut diagnostics));
        let flat = flat.unwrap_or_else(|_| panic!("{case}\n{:?}", diagnostics.take()));
        let options = CompileOptions::new([Arch::SM_80]);
        let canonical = canonicalize(flat.module);
        let outcome = session().compile(&canonical, &options, &mut Times::new(), &mut diagnostics);
        if outcome.is_err() {
            let faults: Vec<String> = diagnostics
                .take()
                .into_iter()
                .map(|fault| fault.message)
                .collect();
            refused.push(format!("{case}: {}", faults.join("; ")));
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
}
