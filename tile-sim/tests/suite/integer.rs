//! Compares integer, logic and shift instructions with Rust's operators.

use crate::support::{Width, apply, operands, same};
use Width::{B16, B32, B64};

fn s32(x: u64) -> i32 {
    x as u32 as i32
}

fn low(x: i64) -> u64 {
    u64::from(x as u32)
}

#[test]
fn arithmetic_of_32_bits_wraps() {
    let cases = operands(500, 32);
    let check = |body: &str, f: fn(u32, u32, u32) -> u32| {
        same(body, B32, B32, &cases, |x, y, z| {
            u64::from(f(x as u32, y as u32, z as u32))
        });
    };
    check("add.s32 %out, %x, %y;", |x, y, _| x.wrapping_add(y));
    check("sub.u32 %out, %x, %y;", |x, y, _| x.wrapping_sub(y));
    check("mul.lo.s32 %out, %x, %y;", |x, y, _| x.wrapping_mul(y));
    check("mul.hi.u32 %out, %x, %y;", |x, y, _| {
        ((u64::from(x) * u64::from(y)) >> 32) as u32
    });
    check("mul.hi.s32 %out, %x, %y;", |x, y, _| {
        ((i64::from(x as i32) * i64::from(y as i32)) >> 32) as u32
    });
    check("mad.lo.s32 %out, %x, %y, %z;", |x, y, z| {
        x.wrapping_mul(y).wrapping_add(z)
    });
    check("min.s32 %out, %x, %y;", |x, y, _| {
        (x as i32).min(y as i32) as u32
    });
    check("max.u32 %out, %x, %y;", |x, y, _| x.max(y));
    check("abs.s32 %out, %x;", |x, _, _| {
        (x as i32).wrapping_abs() as u32
    });
    check("neg.s32 %out, %x;", |x, _, _| x.wrapping_neg());
    check("div.s32 %out, %x, %y;", |x, y, _| {
        if y == 0 {
            u32::MAX
        } else {
            (x as i32).wrapping_div(y as i32) as u32
        }
    });
    check("rem.s32 %out, %x, %y;", |x, y, _| {
        if y == 0 {
            u32::MAX
        } else {
            (x as i32).wrapping_rem(y as i32) as u32
        }
    });
    check("div.u32 %out, %x, %y;", |x, y, _| {
        x.checked_div(y).unwrap_or(u32::MAX)
    });
    check("rem.u32 %out, %x, %y;", |x, y, _| {
        x.checked_rem(y).unwrap_or(u32::MAX)
    });
    check("add.sat.s32 %out, %x, %y;", |x, y, _| {
        (x as i32).saturating_add(y as i32) as u32
    });
    check("sub.sat.s32 %out, %x, %y;", |x, y, _| {
        (x as i32).saturating_sub(y as i32) as u32
    });
    check("popc.b32 %out, %x;", |x, _, _| x.count_ones());
    check("clz.b32 %out, %x;", |x, _, _| x.leading_zeros());
    check("brev.b32 %out, %x;", |x, _, _| x.reverse_bits());
    check("bfind.u32 %out, %x;", |x, _, _| {
        x.checked_ilog2().unwrap_or(u32::MAX)
    });
    check("bfind.shiftamt.s32 %out, %x;", |x, _, _| {
        let x = if (x as i32) < 0 { !x } else { x };
        if x == 0 { u32::MAX } else { x.leading_zeros() }
    });
    check("sad.u32 %out, %x, %y, %z;", |x, y, z| {
        x.abs_diff(y).wrapping_add(z)
    });
    check("dp4a.u32.s32 %out, %x, %y, %z;", |x, y, z| {
        let dot: i32 = (0..4)
            .map(|i| i32::from(x.to_le_bytes()[i]) * i32::from(y.to_le_bytes()[i] as i8))
            .sum();
        z.wrapping_add(dot as u32)
    });
}

#[test]
fn logic_and_shifts_of_32_bits() {
    let cases = operands(500, 32);
    let check = |body: &str, f: fn(u32, u32, u32) -> u32| {
        same(body, B32, B32, &cases, |x, y, z| {
            u64::from(f(x as u32, y as u32, z as u32))
        });
    };
    check("and.b32 %out, %x, %y;", |x, y, _| x & y);
    check("or.b32 %out, %x, %y;", |x, y, _| x | y);
    check("xor.b32 %out, %x, %y;", |x, y, _| x ^ y);
    check("not.b32 %out, %x;", |x, _, _| !x);
    check("cnot.b32 %out, %x;", |x, _, _| u32::from(x == 0));
    check("shl.b32 %out, %x, %y;", |x, y, _| {
        x.checked_shl(y).unwrap_or(0)
    });
    check("shr.u32 %out, %x, %y;", |x, y, _| {
        x.checked_shr(y).unwrap_or(0)
    });
    check("shr.s32 %out, %x, %y;", |x, y, _| {
        ((x as i32) >> y.min(31)) as u32
    });
    check("shf.l.wrap.b32 %out, %x, %y, %z;", |x, y, z| {
        ((((u64::from(y) << 32) | u64::from(x)) << (z & 31)) >> 32) as u32
    });
    check("shf.r.clamp.b32 %out, %x, %y, %z;", |x, y, z| {
        (((u64::from(y) << 32) | u64::from(x)) >> z.min(32)) as u32
    });
    // 0xCA selects `b` where `a` is set, else `c`; 0x96 is the parity.
    check("lop3.b32 %out, %x, %y, %z, 0xCA;", |x, y, z| x & y | !x & z);
    check("lop3.b32 %out, %x, %y, %z, 0x96;", |x, y, z| x ^ y ^ z);
    check("prmt.b32 %out, %x, %y, 0x5410;", |x, y, _| {
        x & 0xffff | y << 16
    });
    check("prmt.b32 %out, %x, %y, 0x7632;", |x, y, _| {
        x >> 16 | y & 0xffff_0000
    });
    check("prmt.b32 %out, %x, %y, 0x0123;", |x, _, _| x.swap_bytes());
    check("prmt.b32 %out, %x, %y, 0xbbbb;", |x, _, _| {
        ((x as i32) >> 31) as u32
    });
    check("prmt.b32.f4e %out, %x, %y, 1;", |x, y, _| x >> 8 | y << 24);
    check("prmt.b32.b4e %out, %x, %y, 0;", |x, y, _| {
        x & 0xff | (y.swap_bytes() << 8)
    });
    check("prmt.b32.rc8 %out, %x, %y, 2;", |x, _, _| {
        (x >> 16 & 0xff) * 0x0101_0101
    });
    check("bfe.u32 %out, %x, 4, 8;", |x, _, _| x >> 4 & 0xff);
    check("bfe.s32 %out, %x, 28, 8;", |x, _, _| {
        ((x as i32) >> 28) as u32
    });
    check("bfe.u32 %out, %x, 0, 32;", |x, _, _| x);
    check("bfi.b32 %out, %x, %y, 8, 8;", |x, y, _| {
        y & !0xff00 | (x & 0xff) << 8
    });
    check("bfi.b32 %out, %x, %y, 28, 8;", |x, y, _| {
        y & 0x0fff_ffff | x << 28
    });
}

#[test]
fn wider_and_narrower_integers() {
    let words = operands(500, 32);
    same("mul.wide.s32 %out, %x, %y;", B32, B64, &words, |x, y, _| {
        (i64::from(s32(x)) * i64::from(s32(y))) as u64
    });
    same("mul.wide.u32 %out, %x, %y;", B32, B64, &words, |x, y, _| {
        x * y
    });
    let longs = operands(500, 64);
    same("add.s64 %out, %x, %y;", B64, B64, &longs, |x, y, _| {
        x.wrapping_add(y)
    });
    same("mul.hi.s64 %out, %x, %y;", B64, B64, &longs, |x, y, _| {
        ((i128::from(x as i64) * i128::from(y as i64)) >> 64) as u64
    });
    same(
        "mad.lo.u64 %out, %x, %y, %z;",
        B64,
        B64,
        &longs,
        |x, y, z| x.wrapping_mul(y).wrapping_add(z),
    );
    same("div.s64 %out, %x, %y;", B64, B64, &longs, |x, y, _| {
        if y == 0 {
            u64::MAX
        } else {
            (x as i64).wrapping_div(y as i64) as u64
        }
    });
    same("rem.u64 %out, %x, %y;", B64, B64, &longs, |x, y, _| {
        x.checked_rem(y).unwrap_or(u64::MAX)
    });
    same("max.s64 %out, %x, %y;", B64, B64, &longs, |x, y, _| {
        (x as i64).max(y as i64) as u64
    });
    same(
        "clz.b64 %r9, %x; cvt.u64.u32 %out, %r9;",
        B64,
        B64,
        &longs,
        |x, _, _| u64::from(x.leading_zeros()),
    );
    let halves = operands(500, 16);
    same("add.s16 %out, %x, %y;", B16, B16, &halves, |x, y, _| {
        (x + y) & 0xffff
    });
    same("mul.lo.u16 %out, %x, %y;", B16, B16, &halves, |x, y, _| {
        (x * y) & 0xffff
    });
    same(
        "mul.wide.s16 %out, %x, %y;",
        B16,
        B32,
        &halves,
        |x, y, _| low(i64::from(x as i16) * i64::from(y as i16)),
    );
    same("shr.s16 %out, %x, 3;", B16, B16, &halves, |x, _, _| {
        u64::from(((x as i16) >> 3) as u16)
    });
    same("min.s16x2 %out, %x, %y;", B32, B32, &words, |x, y, _| {
        let half = |x: u64, y: u64| u64::from((x as i16).min(y as i16) as u16);
        half(x, y) | half(x >> 16, y >> 16) << 16
    });
}

#[test]
fn carries_make_128_bits_of_64() {
    let cases = operands(500, 64);
    same(
        "add.cc.u64 %d9, %x, %y; addc.u64 %out, %z, 0;",
        B64,
        B64,
        &cases,
        |x, y, z| z.wrapping_add(u64::from(x.checked_add(y).is_none())),
    );
    same(
        "sub.cc.u64 %d9, %x, %y; subc.u64 %out, %z, 0;",
        B64,
        B64,
        &cases,
        |x, y, z| z.wrapping_sub(u64::from(x < y)),
    );
}

#[test]
fn immediates_are_cut_to_the_type() {
    assert_eq!(apply("add.s32 %out, %x, -1;", B32, B32, &[[5, 0, 0]]), [4]);
    assert_eq!(
        apply("and.b32 %out, %x, 0xF0U;", B32, B32, &[[0xff, 0, 0]]),
        [0xf0]
    );
    assert_eq!(
        apply("mov.b32 %out, 0f3F800000;", B32, B32, &[[0, 0, 0]]),
        [0x3f80_0000]
    );
    assert_eq!(
        apply("mov.b64 %out, 0d3FF0000000000000;", B64, B64, &[[0, 0, 0]]),
        [1f64.to_bits()]
    );
    assert_eq!(
        apply("add.rn.f32 %out, %x, 1.5;", B32, B32, &[[0, 0, 0]]),
        [u64::from(1.5f32.to_bits())]
    );
}
