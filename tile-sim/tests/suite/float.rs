//! Tests of floating-point arithmetic, conversions and comparisons.

use half::{bf16, f16};

use crate::support::Width::{B16, B32, B64};
use crate::support::{NAN32, apply, apply_on, bits32, f32_of, operands, same, singles};

fn check(body: &str, f: impl Fn(f32, f32, f32) -> f32) {
    same(body, B32, B32, &singles(500), |x, y, z| {
        bits32(f(f32_of(x), f32_of(y), f32_of(z)))
    });
}

#[test]
fn single_arithmetic_rounds_to_nearest_even() {
    check("add.rn.f32 %out, %x, %y;", |x, y, _| x + y);
    check("add.f32 %out, %x, %y;", |x, y, _| x + y);
    check("sub.f32 %out, %x, %y;", |x, y, _| x - y);
    check("mul.rn.f32 %out, %x, %y;", |x, y, _| x * y);
    check("fma.rn.f32 %out, %x, %y, %z;", f32::mul_add);
    check("div.rn.f32 %out, %x, %y;", |x, y, _| x / y);
    check("rcp.rn.f32 %out, %x;", |x, _, _| 1.0 / x);
    check("sqrt.rn.f32 %out, %x;", |x, _, _| x.sqrt());
    check("abs.f32 %out, %x;", |x, _, _| x.abs());
    check("neg.f32 %out, %x;", |x, _, _| -x);
    // Compares bits, also of NaN.
    same(
        "copysign.f32 %out, %x, %y;",
        B32,
        B32,
        &singles(500),
        |x, y, _| x & 1 << 31 | y & !(1 << 31) & 0xffff_ffff,
    );
}

#[test]
fn pairs_of_singles_are_two_results() {
    let cases = operands(500, 64);
    let body = "fma.rn.f32x2 %out, %x, %y, %z;";
    for (&[x, y, z], actual) in cases.iter().zip(apply_on("sm_100", body, B64, B64, &cases)) {
        let one = |x, y, z| bits32(f32_of(x).mul_add(f32_of(y), f32_of(z)));
        let expected = one(x, y, z) | one(x >> 32, y >> 32, z >> 32) << 32;
        assert_eq!(actual, expected, "{x:#x}, {y:#x}, {z:#x}");
    }
}

#[test]
fn directed_roundings_bracket_and_flush_and_saturate() {
    let third = |body: &str| apply(body, B32, B32, &[[bits32(1.0), bits32(3.0), 0]])[0];
    let nearest = bits32(1.0 / 3.0);
    assert_eq!(third("div.rn.f32 %out, %x, %y;"), nearest);
    assert_eq!(third("div.rm.f32 %out, %x, %y;"), nearest - 1);
    assert_eq!(third("div.rz.f32 %out, %x, %y;"), nearest - 1);
    assert_eq!(third("div.rp.f32 %out, %x, %y;"), nearest);
    let flush = |x: f32| {
        if x.is_subnormal() {
            0f32.copysign(x)
        } else {
            x
        }
    };
    check("add.ftz.f32 %out, %x, %y;", |x, y, _| {
        flush(flush(x) + flush(y))
    });
    check("mul.ftz.f32 %out, %x, %y;", |x, y, _| {
        flush(flush(x) * flush(y))
    });
    let unit = |x: f32| {
        if x.is_nan() || x <= 0.0 {
            0.0
        } else {
            x.min(1.0)
        }
    };
    check("add.sat.f32 %out, %x, %y;", |x, y, _| unit(x + y));
    check("fma.rn.sat.f32 %out, %x, %y, %z;", |x, y, z| {
        unit(x.mul_add(y, z))
    });
}

#[test]
fn minimum_and_maximum_order_zeros_and_treat_nan_as_asked() {
    let min = |x: f32, y: f32| match (x.is_nan(), y.is_nan()) {
        (true, _) => y,
        (_, true) => x,
        _ if x == y && x == 0.0 => f32::from_bits(x.to_bits() | y.to_bits()),
        _ if x < y => x,
        _ => y,
    };
    check("min.f32 %out, %x, %y;", |x, y, _| min(x, y));
    check("max.f32 %out, %x, %y;", |x, y, _| -min(-x, -y));
    check("min.NaN.f32 %out, %x, %y;", |x, y, _| {
        if x.is_nan() || y.is_nan() {
            f32::NAN
        } else {
            min(x, y)
        }
    });
    let sign = |x: f32, y: f32, value: f32| {
        if value.is_nan() {
            return value;
        }
        if x.is_sign_negative() == y.is_sign_negative() {
            value
        } else {
            -value
        }
    };
    check("min.xorsign.abs.f32 %out, %x, %y;", |x, y, _| {
        sign(x, y, min(x.abs(), y.abs()))
    });
}

#[test]
fn approximate_functions_are_near() {
    for (body, f) in [
        ("ex2.approx.f32 %out, %x;", f64::exp2 as fn(f64) -> f64),
        ("ex2.approx.ftz.f32 %out, %x;", f64::exp2),
        ("lg2.approx.f32 %out, %x;", f64::log2),
        ("rcp.approx.ftz.f32 %out, %x;", f64::recip),
        ("rsqrt.approx.f32 %out, %x;", |x| 1.0 / x.sqrt()),
        ("sqrt.approx.f32 %out, %x;", f64::sqrt),
        ("sin.approx.f32 %out, %x;", f64::sin),
        ("cos.approx.f32 %out, %x;", f64::cos),
        ("tanh.approx.f32 %out, %x;", f64::tanh),
    ] {
        let inputs: Vec<[u64; 3]> = (1..200)
            .map(|i| [bits32(i as f32 * 0.0625), 0, 0])
            .collect();
        for (input, out) in inputs.iter().zip(apply(body, B32, B32, &inputs)) {
            let exact = f(f64::from(f32_of(input[0])));
            let error = (f64::from(f32_of(out)) - exact).abs();
            assert!(error <= exact.abs() * 1e-7 + 1e-30, "{body} {input:?}");
        }
    }
    let one = |body: &str, x: f32| apply(body, B32, B32, &[[u64::from(x.to_bits()), 0, 0]])[0];
    assert_eq!(one("ex2.approx.f32 %out, %x;", f32::NEG_INFINITY), 0);
    assert_eq!(
        one("lg2.approx.f32 %out, %x;", 0.0),
        bits32(f32::NEG_INFINITY)
    );
    assert_eq!(one("lg2.approx.f32 %out, %x;", -1.0), NAN32);
    assert_eq!(
        one("rsqrt.approx.f32 %out, %x;", 0.0),
        bits32(f32::INFINITY)
    );
    assert_eq!(one("sin.approx.f32 %out, %x;", f32::INFINITY), NAN32);
    assert_eq!(one("div.full.f32 %out, %x, 0f40000000;", 3.0), bits32(1.5));
}

fn doubles() -> Vec<[u64; 3]> {
    let mut cases = operands(500, 64);
    for x in [
        0.0,
        -0.0,
        1.0,
        -2.5,
        f64::INFINITY,
        f64::NAN,
        5e-324,
        f64::MAX,
        0.1,
    ] {
        for y in [0.0f64, -1.0, 3.0, f64::NEG_INFINITY, f64::MIN_POSITIVE] {
            cases.push([f64::to_bits(x), y.to_bits(), 0.7f64.to_bits()]);
        }
    }
    cases
}

#[test]
fn double_arithmetic() {
    let check = |body: &str, f: fn(f64, f64, f64) -> f64| {
        same(body, B64, B64, &doubles(), |x, y, z| {
            let result = f(f64::from_bits(x), f64::from_bits(y), f64::from_bits(z));
            if result.is_nan() {
                0x7ff8_0000_0000_0000
            } else {
                result.to_bits()
            }
        });
    };
    check("add.rn.f64 %out, %x, %y;", |x, y, _| x + y);
    check("mul.f64 %out, %x, %y;", |x, y, _| x * y);
    check("fma.rn.f64 %out, %x, %y, %z;", f64::mul_add);
    check("div.rn.f64 %out, %x, %y;", |x, y, _| x / y);
    check("sqrt.rn.f64 %out, %x;", |x, _, _| x.sqrt());
}

fn half_bits(x: f16) -> u64 {
    if x.is_nan() {
        0x7fff
    } else {
        u64::from(x.to_bits())
    }
}

fn brain_bits(x: bf16) -> u64 {
    if x.is_nan() {
        0x7fff
    } else {
        u64::from(x.to_bits())
    }
}

#[test]
fn halves_are_rounded_once() {
    let cases = operands(2000, 16);
    // Sums and products of halves are exact in f64, and so is a fused multiply-add, except for
    // rounding.
    let check = |body: &str, f: fn(f64, f64, f64) -> f64| {
        same(body, B16, B16, &cases, |x, y, z| {
            let [x, y, z] = [x, y, z].map(|bits| f16::from_bits(bits as u16).to_f64());
            half_bits(f16::from_f64(f(x, y, z)))
        });
    };
    check("add.rn.f16 %out, %x, %y;", |x, y, _| x + y);
    check("sub.f16 %out, %x, %y;", |x, y, _| x - y);
    check("mul.rn.f16 %out, %x, %y;", |x, y, _| x * y);
    check("fma.rn.f16 %out, %x, %y, %z;", |x, y, z| x * y + z);
    check("fma.rn.relu.f16 %out, %x, %y, %z;", |x, y, z| {
        let sum = x * y + z;
        if sum < 0.0 || sum == 0.0 { 0.0 } else { sum }
    });
    let brains = operands(2000, 16);
    same("add.rn.bf16 %out, %x, %y;", B16, B16, &brains, |x, y, _| {
        let [x, y] = [x, y].map(|bits| bf16::from_bits(bits as u16).to_f32());
        brain_bits(bf16::from_f32(x + y))
    });
    same(
        "mul.rn.bf16x2 %out, %x, %y;",
        B32,
        B32,
        &operands(500, 32),
        |x, y, _| {
            let half = |x: u64, y: u64| {
                let [x, y] = [x, y].map(|bits| bf16::from_bits(bits as u16).to_f32());
                brain_bits(bf16::from_f32(x * y))
            };
            half(x, y) | half(x >> 16, y >> 16) << 16
        },
    );
    same(
        "max.f16x2 %out, %x, %y;",
        B32,
        B32,
        &[[0x3c00_c000, 0x4000_bc00, 0]],
        |_, _, _| 0x4000_bc00,
    );
}

#[test]
fn floats_become_integers_saturated() {
    let cases = singles(500);
    let check =
        |body: &str, f: fn(f32) -> u64| same(body, B32, B32, &cases, |x, _, _| f(f32_of(x)));
    // Rust's `as` saturates and converts NaN to zero, as `cvt` does.
    check("cvt.rzi.s32.f32 %out, %x;", |x| u64::from(x as i32 as u32));
    check("cvt.rzi.u32.f32 %out, %x;", |x| u64::from(x as u32));
    check("cvt.rni.s32.f32 %out, %x;", |x| {
        u64::from(x.round_ties_even() as i32 as u32)
    });
    check("cvt.rmi.s32.f32 %out, %x;", |x| {
        u64::from(x.floor() as i32 as u32)
    });
    check("cvt.rpi.s32.f32 %out, %x;", |x| {
        u64::from(x.ceil() as i32 as u32)
    });
    check("cvt.rzi.s8.f32 %out, %x;", |x| {
        u64::from(i32::from(x as i8) as u32)
    });
    check("cvt.rni.f32.f32 %out, %x;", |x| bits32(x.round_ties_even()));
    check("cvt.sat.f32.f32 %out, %x;", |x| {
        bits32(if x > 0.0 { x.min(1.0) } else { 0.0 })
    });
    same("cvt.rzi.s64.f32 %out, %x;", B32, B64, &cases, |x, _, _| {
        let x = f32_of(x);
        if x.is_nan() { 1 << 63 } else { x as i64 as u64 }
    });
    same(
        "cvt.rzi.u64.f64 %out, %x;",
        B64,
        B64,
        &doubles(),
        |x, _, _| {
            let x = f64::from_bits(x);
            if x.is_nan() { 1 << 63 } else { x as u64 }
        },
    );
}

#[test]
fn integers_become_floats_and_other_integers() {
    let cases = operands(500, 32);
    same("cvt.rn.f32.s32 %out, %x;", B32, B32, &cases, |x, _, _| {
        bits32(x as i32 as f32)
    });
    same("cvt.rn.f32.u32 %out, %x;", B32, B32, &cases, |x, _, _| {
        bits32(x as u32 as f32)
    });
    same("cvt.rn.f64.u32 %out, %x;", B32, B64, &cases, |x, _, _| {
        (x as u32 as f64).to_bits()
    });
    same("cvt.s64.s32 %out, %x;", B32, B64, &cases, |x, _, _| {
        x as i32 as i64 as u64
    });
    same("cvt.u64.u32 %out, %x;", B32, B64, &cases, |x, _, _| x);
    same("cvt.s32.s8 %out, %x;", B32, B32, &cases, |x, _, _| {
        u64::from(x as i8 as i32 as u32)
    });
    same("cvt.u32.u8 %out, %x;", B32, B32, &cases, |x, _, _| x & 0xff);
    same("cvt.sat.u8.s32 %out, %x;", B32, B32, &cases, |x, _, _| {
        (x as i32).clamp(0, 255) as u64
    });
    let longs = operands(500, 64);
    same("cvt.rn.f32.s64 %out, %x;", B64, B32, &longs, |x, _, _| {
        bits32(x as i64 as f32)
    });
    same("cvt.u32.u64 %out, %x;", B64, B32, &longs, |x, _, _| {
        x & 0xffff_ffff
    });
    same("cvt.sat.s32.s64 %out, %x;", B64, B32, &longs, |x, _, _| {
        u64::from((x as i64).clamp(i32::MIN.into(), i32::MAX.into()) as u32)
    });
}

#[test]
fn floats_change_format() {
    let cases = singles(1000);
    let half = |x: u64| half_bits(f16::from_f32(f32_of(x)));
    let brain = |x: u64| brain_bits(bf16::from_f32(f32_of(x)));
    same("cvt.rn.f16.f32 %out, %x;", B32, B16, &cases, |x, _, _| {
        half(x)
    });
    same("cvt.rn.bf16.f32 %out, %x;", B32, B16, &cases, |x, _, _| {
        brain(x)
    });
    same(
        "cvt.rn.f16x2.f32 %out, %x, %y;",
        B32,
        B32,
        &cases,
        |x, y, _| half(x) << 16 | half(y),
    );
    same(
        "cvt.rn.bf16x2.f32 %out, %x, %y;",
        B32,
        B32,
        &cases,
        |x, y, _| brain(x) << 16 | brain(y),
    );
    same(
        "cvt.rn.relu.bf16x2.f32 %out, %x, %y;",
        B32,
        B32,
        &cases,
        |x, y, _| {
            let relu = |x: u64| {
                if f32_of(x) < 0.0 {
                    0
                } else {
                    brain(x) & 0x7fff
                }
            };
            relu(x) << 16 | relu(y)
        },
    );
    same("cvt.rna.tf32.f32 %out, %x;", B32, B32, &cases, |x, _, _| {
        let x = f32_of(x);
        if x.is_nan() {
            return 0x7fff_e000;
        }
        u64::from(x.to_bits().wrapping_add(0x1000 * u32::from(x.is_finite())) & !0x1fff)
    });
    same("cvt.f64.f32 %out, %x;", B32, B64, &cases, |x, _, _| {
        let x = f64::from(f32_of(x));
        if x.is_nan() {
            0x7ff8_0000_0000_0000
        } else {
            x.to_bits()
        }
    });
    let halves: Vec<[u64; 3]> = (0..=0xffff).map(|bits| [bits, 0, 0]).collect();
    same("cvt.f32.f16 %out, %x;", B16, B32, &halves, |x, _, _| {
        bits32(f16::from_bits(x as u16).to_f32())
    });
    same("cvt.f32.bf16 %out, %x;", B16, B32, &halves, |x, _, _| {
        bits32(bf16::from_bits(x as u16).to_f32())
    });
    same(
        "cvt.rn.f32.f64 %out, %x;",
        B64,
        B32,
        &doubles(),
        |x, _, _| bits32(f64::from_bits(x) as f32),
    );
    let to8 = |body: &str, x: f32, y: f32| apply(body, B32, B16, &[[bits32(x), bits32(y), 0]])[0];
    assert_eq!(
        to8("cvt.rn.satfinite.e4m3x2.f32 %out, %x, %y;", 1000.0, -1.0),
        0x7eb8
    );
    assert_eq!(
        to8(
            "cvt.rn.satfinite.e5m2x2.f32 %out, %x, %y;",
            f32::INFINITY,
            1.0
        ),
        0x7b3c
    );
    let back = apply("cvt.rn.f16x2.e4m3x2 %out, %x;", B16, B32, &[[0x7eb8, 0, 0]]);
    assert_eq!(
        back,
        [u64::from(f16::from_f32(448.0).to_bits()) << 16 | 0xbc00]
    );
}

#[test]
fn comparisons_of_floats_know_unordered() {
    for (name, f) in [
        ("lt", (|x, y| x < y) as fn(f32, f32) -> bool),
        ("eq", |x, y| x == y),
        ("ne", |x, y| x < y || x > y),
        ("neu", |x, y| x != y),
        ("geu", |x, y| !(x < y)),
        ("num", |x, y| !x.is_nan() && !y.is_nan()),
        ("nan", |x, y| x.is_nan() || y.is_nan()),
    ] {
        let body = format!("setp.{name}.f32 %p1, %x, %y; selp.b32 %out, 1, 0, %p1;");
        same(&body, B32, B32, &singles(200), |x, y, _| {
            u64::from(f(f32_of(x), f32_of(y)))
        });
    }
}

#[test]
fn comparisons_of_integers_combine_and_come_in_pairs() {
    let cases = operands(300, 32);
    let check = |body: &str, f: fn(u32, u32) -> bool| {
        same(
            &format!("{body} selp.b32 %out, 1, 0, %p1;"),
            B32,
            B32,
            &cases,
            |x, y, _| u64::from(f(x as u32, y as u32)),
        );
    };
    check("setp.lt.s32 %p1, %x, %y;", |x, y| (x as i32) < y as i32);
    check("setp.lo.u32 %p1, %x, %y;", |x, y| x < y);
    check("setp.gt.u32 %p1|%p2, %x, %y;", |x, y| x > y);
    check("setp.gt.u32 %p2|%p1, %x, %y;", |x, y| x <= y);
    check(
        "setp.eq.u32 %p2, %x, 0; setp.lt.and.u32 %p1, %x, %y, !%p2;",
        |x, y| x < y && x != 0,
    );
    check(
        "setp.eq.u32 %p2, %x, 0; setp.lt.u32 %p3, %x, %y; xor.pred %p1, %p2, %p3;",
        |x, y| (x < y) != (x == 0),
    );
    same(
        "set.lt.u32.s32 %out, %x, %y;",
        B32,
        B32,
        &cases,
        |x, y, _| {
            if (x as i32) < y as i32 {
                0xffff_ffff
            } else {
                0
            }
        },
    );
    same(
        "slct.b32.s32 %out, %x, %y, %z;",
        B32,
        B32,
        &cases,
        |x, y, z| if (z as u32 as i32) < 0 { y } else { x },
    );
}

#[test]
fn registers_are_packed_and_unpacked() {
    let cases = operands(100, 64);
    same(
        "mov.b64 {%r9, %r10}, %x; mov.b64 %out, {%r10, %r9};",
        B64,
        B64,
        &cases,
        |x, _, _| x.rotate_left(32),
    );
    same(
        "mov.b64 {%h1, %h2, %h3, %h4}, %x; mov.b64 %out, {%h4, %h3, %h2, %h1};",
        B64,
        B64,
        &cases,
        |x, _, _| x >> 48 | (x >> 16 & 0xffff_0000) | (x << 16 & 0xffff_0000_0000) | x << 48,
    );
    same(
        "mov.b32 {_, %h2}, %x; cvt.u32.u16 %out, %h2;",
        B32,
        B32,
        &operands(100, 32),
        |x, _, _| x >> 16,
    );
}
