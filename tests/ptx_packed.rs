//! Tests of `ptx!` with packed elements, registers that are read and written, and constants. The CPU device
//! runs the closure, and the simulated GPU runs the PTX for `sm_80` and `sm_90a`.
#![expect(clippy::float_cmp, reason = "the instructions under test are exact")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the numbers are small"
)]

use tile_kernel::Result;
use tile_kernel::prelude::*;

const ROWS: usize = 19;
const COLUMNS: usize = 75;

/// Declares the same kernels for an architecture.
macro_rules! kernels {
    ($module:ident, $arch:literal) => {
        mod $module {
            use tile_kernel::prelude::*;

            /// Computes on pairs of f16 and of bf16, with an accumulator that is read and written.
            #[tile_kernel(grid = y.tiles([R, C]), instances((R = 1, C = 2), (R = 4, C = 1), (R = 16, C = 8), (R = 8, C = 128)), arch($arch))]
            pub(crate) fn pairs<const R: usize, const C: usize>(
                a: &Tensor<f16, 2>,
                b: &Tensor<bf16, 2>,
                y: &mut Tensor<f16, 2>,
                z: &mut Tensor<bf16, 2>,
            ) {
                let (i, j) = (block_id(0), block_id(1));
                let (s, t) = (a.load([i, j], [R, C]), b.load([i, j], [R, C]));
                let doubled = unsafe {
                    ptx!(
                        "add.f16x2 {d}, {s}, {s};",
                        d = out(f16), s = in(s),
                        options(pure, pack = 2),
                        cpu = |s| s + s,
                    )
                };
                let square = unsafe {
                    ptx!(
                        "fma.rn.bf16x2 {acc}, {t}, {t}, {acc};",
                        acc = inout(t), t = in(t),
                        options(pure, pack = 2),
                        cpu = |acc, t| t * t + acc,
                    )
                };
                y.store([i, j], doubled);
                z.store([i, j], square);
            }

            /// Converts the four bytes of a register one by one: to 32- and 64-bit registers, and to two
            /// registers of pairs.
            #[tile_kernel(grid = f.tiles([R, C]), instances((R = 1, C = 4), (R = 4, C = 1), (R = 16, C = 16), (R = 1, C = 1024)), arch($arch))]
            pub(crate) fn bytes<const R: usize, const C: usize>(
                u: &Tensor<u8, 2>,
                s: &Tensor<i8, 2>,
                f: &mut Tensor<f32, 2>,
                l: &mut Tensor<i64, 2>,
                h: &mut Tensor<f16, 2>,
                c: &mut Tensor<u8, 2>,
            ) {
                let (i, j) = (block_id(0), block_id(1));
                let (u, s) = (u.load([i, j], [R, C]), s.load([i, j], [R, C]));
                let (float, long) = unsafe {
                    ptx!(
                        "{{ .reg .b32 b;",
                        "bfe.u32 b, {u}, 0, 8; cvt.rn.f32.u32 {f[0]}, b;",
                        "bfe.u32 b, {u}, 8, 8; cvt.rn.f32.u32 {f[1]}, b;",
                        "bfe.u32 b, {u}, 16, 8; cvt.rn.f32.u32 {f[2]}, b;",
                        "bfe.u32 b, {u}, 24, 8; cvt.rn.f32.u32 {f[3]}, b;",
                        "bfe.s32 b, {s}, 0, 8; cvt.s64.s32 {l[0]}, b;",
                        "bfe.s32 b, {s}, 8, 8; cvt.s64.s32 {l[1]}, b;",
                        "bfe.s32 b, {s}, 16, 8; cvt.s64.s32 {l[2]}, b;",
                        "bfe.s32 b, {s}, 24, 8; cvt.s64.s32 {l[3]}, b; }}",
                        f = out(f32), l = out(i64), u = in(u), s = in(s),
                        options(pack = 4),
                        cpu = |u, s| (u.cast::<f32>(), s.cast::<i64>()),
                    )
                };
                // 0x6400 is 1024 in f16, with an ulp of 1, so a byte in the low bits is added to 1024.
                let half = unsafe {
                    ptx!(
                        "{{ .reg .b32 k; mov.b32 k, 0x64646464;",
                        "prmt.b32 {h[0]}, {u}, k, 0x4140; prmt.b32 {h[1]}, {u}, k, 0x4342;",
                        "mov.b32 k, 0x64006400;",
                        "sub.f16x2 {h[0]}, {h[0]}, k; sub.f16x2 {h[1]}, {h[1]}, k; }}",
                        h = out(f16), u = in(u),
                        options(pure, pack = 4),
                        cpu = |u| u.cast::<f16>(),
                    )
                };
                let complement = unsafe {
                    ptx!("xor.b32 {x}, {x}, {m};", x = inout(u), m = const -1, options(pure, pack = 4), cpu = |x| !x)
                };
                f.store([i, j], float);
                l.store([i, j], long);
                h.store([i, j], half);
                c.store([i, j], complement);
            }

            /// Masks sixteen bytes in four registers. Other threads load the neighbours, along columns.
            #[tile_kernel(grid = y.tiles([16, 32]), arch($arch))]
            pub(crate) fn turned(x: &Tensor<u8, 2>, y: &mut Tensor<u8, 2>) {
                let (i, j) = (block_id(0), block_id(1));
                let t = x.load([j, i], [32, 16]).permute([1, 0]);
                let low = unsafe {
                    ptx!(
                        "and.b32 {d[0]}, {t[0]}, {m}; and.b32 {d[1]}, {t[1]}, {m};",
                        "and.b32 {d[2]}, {t[2]}, {m}; and.b32 {d[3]}, {t[3]}, {m};",
                        d = out(u8), t = in(t), m = const 0x0f0f_0f0f_u32,
                        options(pure, pack = 16),
                        cpu = |t| t & 15,
                    )
                };
                y.store([i, j], low);
            }

            /// Selects halves of two registers for two outputs; sets bits of a pair in a 16-bit register.
            #[tile_kernel(grid = low.tiles([8, 32]), arch($arch))]
            pub(crate) fn halves(
                x: &Tensor<u32, 2>,
                u: &Tensor<u8, 2>,
                low: &mut Tensor<u16, 2>,
                high: &mut Tensor<u16, 2>,
                v: &mut Tensor<u8, 2>,
            ) {
                let (i, j) = (block_id(0), block_id(1));
                let (a, b) = unsafe {
                    ptx!(
                        "prmt.b32 {low}, {x[0]}, {x[1]}, 0x5410;",
                        "prmt.b32 {high}, {x[0]}, {x[1]}, 0x7632;",
                        low = out(u16), high = out(u16), x = in(x.load([i, j], [8, 32])),
                        options(pack = 2),
                        cpu = |x| (x.cast::<u16>(), (x >> 16).cast::<u16>()),
                    )
                };
                let both = unsafe {
                    ptx!(
                        "or.b16 {}, {}, {};",
                        out(u8), in(u.load([i, j], [8, 32])), const 0x0101,
                        options(pack = 2),
                        cpu = |u| u | 1,
                    )
                };
                low.store([i, j], a);
                high.store([i, j], b);
                v.store([i, j], both);
            }

            /// Changes the type of registers from input to output, beside other inputs and constants.
            #[tile_kernel(grid = y.tiles([64]), instances((K = 0), (K = 3)), arch($arch))]
            pub(crate) fn registers<const K: u32>(
                x: &Tensor<i32, 1>,
                y: &mut Tensor<f32, 1>,
                z: &mut Tensor<i32, 1>,
                w: &mut Tensor<i64, 1>,
            ) {
                let i = block_id(0);
                let t = x.load([i], [64]);
                let (float, odd) = unsafe {
                    ptx!(
                        "add.s32 {o}, {o}, 1;",
                        "add.s32 {o}, {o}, {t};",
                        "shl.b32 {x}, {x}, {k};",
                        "cvt.rn.f32.s32 {x}, {x};",
                        x = inout(t => f32), o = inout(t), t = in(t), k = const K,
                        options(pure),
                        cpu = |x, o, t| ((x << K as i32).cast::<f32>(), o + 1 + t),
                    )
                };
                let (bits, sum) = unsafe {
                    ptx!(
                        "{{ .reg .pred p; setp.lt.f32 p, {f}, 0f00000000; @p xor.b32 {f}, {f}, 0x80000000;",
                        "add.s64 {n}, {n}, {k}; }}",
                        f = inout(float => i32), n = inout(t.cast::<i64>()), k = const -(1_i64 << 40) - K as i64,
                        cpu = |f, n| (select(f < 0.0, -f, f).bitcast::<i32>(), n - (1_i64 << 40) - K as i64),
                    )
                };
                y.store([i], float);
                z.store([i], odd + bits);
                w.store([i], sum);
            }
        }
    };
}

kernels!(sm_80, "sm_80");
kernels!(sm_90a, "sm_90a");

/// Converts two 8-bit floats in a 16-bit register, for which older architectures have no instruction.
#[tile_kernel(grid = y.tiles([4, 16]), arch("sm_90a"))]
fn small_floats(x: &Tensor<f8e4m3, 2>, y: &mut Tensor<f16, 2>) {
    let (i, j) = (block_id(0), block_id(1));
    let wide = unsafe {
        ptx!(
            "cvt.rn.f16x2.e4m3x2 {y}, {x};",
            y = out(f16), x = in(x.load([i, j], [4, 16])),
            options(pure, pack = 2),
            cpu = |x| x.cast::<f16>(),
        )
    };
    y.store([i, j], wide);
}

/// Uses the result of the PTX in a layout other than its own.
#[tile_kernel(grid = (1, 1, 1))]
fn table(y: &mut Tensor<u32, 2>) {
    let n = iota::<u32>(64);
    let ones = unsafe {
        ptx!("popc.b32 {d}, {a};", d = out(u32), a = in(n), options(pure), cpu = |a| a.count_ones())
    };
    y.store([0, 0], ones.reshape([64, 1]) * 100 + ones.reshape([1, 64]));
}

/// Returns a tensor of this shape that is contiguous, or a view into a larger one.
fn tensor<T: Element>(
    device: &Device,
    whole: bool,
    from: impl Fn(usize) -> T,
) -> Result<Tensor<T, 2>> {
    let columns = if whole { COLUMNS } else { COLUMNS + 2 };
    let values: Vec<T> = (0..ROWS * columns).map(from).collect();
    let tensor = Tensor::from_slice(device, &values, [ROWS, columns])?;
    if whole {
        Ok(tensor)
    } else {
        tensor.narrow(1, 1..=COLUMNS)
    }
}

/// Runs a check on both devices, with contiguous tensors and with views in which different threads load
/// neighbouring elements.
fn everywhere(check: impl Fn(&Device, bool) -> Result<()>) -> Result<()> {
    for device in [Device::cpu(), Device::sim()] {
        for whole in [true, false] {
            check(&device, whole)?;
        }
    }
    Ok(())
}

fn mixed(index: usize) -> u32 {
    (index as u32).wrapping_mul(2_654_435_761).rotate_left(9)
}

macro_rules! tests {
    ($module:ident) => {
        mod $module {
            use super::super::$module::*;
            use super::*;

            #[test]
            fn pairs_of_halves_are_computed_at_once() -> Result<()> {
                for shape in [[1, 2], [4, 1], [16, 8], [8, 128]] {
                    everywhere(|device, whole| {
                        let a = tensor(device, whole, |index| {
                            f16::from_f32((index % 251) as f32 / 8.0 - 9.0)
                        })?;
                        let b = tensor(device, whole, |index| {
                            bf16::from_f32((index % 15) as f32 - 7.0)
                        })?;
                        let mut y = Tensor::zeros(device, [ROWS, COLUMNS])?;
                        let mut z = Tensor::zeros(device, [ROWS, COLUMNS])?;
                        match shape {
                            [1, 2] => pairs::<1, 2>(&a, &b, &mut y, &mut z).launch()?,
                            [4, 1] => pairs::<4, 1>(&a, &b, &mut y, &mut z).launch()?,
                            [16, 8] => pairs::<16, 8>(&a, &b, &mut y, &mut z).launch()?,
                            _ => pairs::<8, 128>(&a, &b, &mut y, &mut z).launch()?,
                        }
                        let (a, b) = (a.to_vec()?, b.to_vec()?);
                        let (y, z) = (y.to_vec()?, z.to_vec()?);
                        for index in 0..a.len() {
                            let (a, b) = (a[index].to_f32(), b[index].to_f32());
                            assert_eq!(
                                (y[index].to_f32(), z[index].to_f32()),
                                (2.0 * a, b * (b + 1.0)),
                                "{index}"
                            );
                        }
                        Ok(())
                    })?;
                }
                Ok(())
            }

            #[test]
            fn bytes_lie_four_in_a_register_the_first_lowest() -> Result<()> {
                for shape in [[1, 4], [4, 1], [16, 16], [1, 1024]] {
                    everywhere(|device, whole| {
                        let u = tensor(device, whole, |index| mixed(index) as u8)?;
                        let s = tensor(device, whole, |index| mixed(index + 7) as i8)?;
                        let mut f = Tensor::zeros(device, [ROWS, COLUMNS])?;
                        let mut l = Tensor::zeros(device, [ROWS, COLUMNS])?;
                        let mut h = Tensor::zeros(device, [ROWS, COLUMNS])?;
                        let mut c = Tensor::zeros(device, [ROWS, COLUMNS])?;
                        match shape {
                            [1, 4] => {
                                bytes::<1, 4>(&u, &s, &mut f, &mut l, &mut h, &mut c).launch()?
                            }
                            [4, 1] => {
                                bytes::<4, 1>(&u, &s, &mut f, &mut l, &mut h, &mut c).launch()?
                            }
                            [16, 16] => {
                                bytes::<16, 16>(&u, &s, &mut f, &mut l, &mut h, &mut c).launch()?
                            }
                            _ => {
                                bytes::<1, 1024>(&u, &s, &mut f, &mut l, &mut h, &mut c).launch()?
                            }
                        }
                        let (u, s) = (u.to_vec()?, s.to_vec()?);
                        let (f, l, h, c) = (f.to_vec()?, l.to_vec()?, h.to_vec()?, c.to_vec()?);
                        for index in 0..u.len() {
                            assert_eq!(f[index], f32::from(u[index]), "{index}");
                            assert_eq!(l[index], i64::from(s[index]), "{index}");
                            assert_eq!(h[index].to_f32(), f32::from(u[index]), "{index}");
                            assert_eq!(c[index], !u[index], "{index}");
                        }
                        Ok(())
                    })?;
                }
                Ok(())
            }

            #[test]
            fn neighbours_that_other_threads_hold_are_brought_together() -> Result<()> {
                everywhere(|device, whole| {
                    let x = tensor(device, whole, |index| mixed(index) as u8)?;
                    let mut y = Tensor::zeros(device, [COLUMNS, ROWS])?;
                    turned(&x, &mut y).launch()?;
                    let (x, y) = (x.to_vec()?, y.to_vec()?);
                    for index in 0..x.len() {
                        assert_eq!(
                            y[index % COLUMNS * ROWS + index / COLUMNS],
                            x[index] & 15,
                            "{index}"
                        );
                    }
                    Ok(())
                })
            }

            #[test]
            fn one_text_has_several_packed_outputs() -> Result<()> {
                everywhere(|device, whole| {
                    let x = tensor(device, whole, mixed)?;
                    let u = tensor(device, whole, |index| mixed(index) as u8)?;
                    let mut low = Tensor::zeros(device, [ROWS, COLUMNS])?;
                    let mut high = Tensor::zeros(device, [ROWS, COLUMNS])?;
                    let mut v = Tensor::zeros(device, [ROWS, COLUMNS])?;
                    halves(&x, &u, &mut low, &mut high, &mut v).launch()?;
                    let (x, u) = (x.to_vec()?, u.to_vec()?);
                    let (low, high, v) = (low.to_vec()?, high.to_vec()?, v.to_vec()?);
                    for index in 0..x.len() {
                        assert_eq!(
                            (low[index], high[index]),
                            (x[index] as u16, (x[index] >> 16) as u16),
                            "{index}"
                        );
                        assert_eq!(v[index], u[index] | 1, "{index}");
                    }
                    Ok(())
                })
            }

            #[test]
            fn registers_are_read_and_written() -> Result<()> {
                for shift in [0, 3] {
                    everywhere(|device, _| {
                        let numbers: Vec<i32> =
                            (0..333).map(|index| mixed(index) as i32 >> 8).collect();
                        let x = Tensor::from_slice(device, &numbers, [333])?;
                        let mut y = Tensor::zeros(device, [333])?;
                        let mut z = Tensor::zeros(device, [333])?;
                        let mut w = Tensor::zeros(device, [333])?;
                        match shift {
                            0 => registers::<0>(&x, &mut y, &mut z, &mut w).launch()?,
                            _ => registers::<3>(&x, &mut y, &mut z, &mut w).launch()?,
                        }
                        let (y, z, w) = (y.to_vec()?, z.to_vec()?, w.to_vec()?);
                        for (index, &number) in numbers.iter().enumerate() {
                            let float = (number << shift) as f32;
                            let odd = 2 * number + 1;
                            assert_eq!(y[index], float, "{index}");
                            assert_eq!(
                                z[index],
                                odd.wrapping_add(float.abs().to_bits() as i32),
                                "{index}"
                            );
                            assert_eq!(w[index], i64::from(number) - (1 << 40) - shift, "{index}");
                        }
                        Ok(())
                    })?;
                }
                Ok(())
            }
        }
    };
}

mod launched {
    use super::*;

    tests!(sm_80);
    tests!(sm_90a);
}

#[test]
fn two_small_floats_lie_in_a_register_of_16_bits() -> Result<()> {
    everywhere(|device, whole| {
        let x = tensor(device, whole, |index| {
            f8e4m3::from_bits((mixed(index) as u8) & 0xf7)
        })?;
        let mut y = Tensor::zeros(device, [ROWS, COLUMNS])?;
        small_floats(&x, &mut y).launch()?;
        let (x, y) = (x.to_vec()?, y.to_vec()?);
        for index in 0..x.len() {
            assert_eq!(y[index].to_f32(), x[index].to_f32(), "{index}");
        }
        Ok(())
    })
}

#[test]
fn what_a_text_makes_is_what_other_layouts_get() -> Result<()> {
    everywhere(|device, _| {
        let mut y = Tensor::zeros(device, [64, 64])?;
        table(&mut y).launch()?;
        let y: Vec<u32> = y.to_vec()?;
        for index in 0..64 * 64_u32 {
            let expected = (index / 64).count_ones() * 100 + (index % 64).count_ones();
            assert_eq!(y[index as usize], expected, "{index}");
        }
        Ok(())
    })
}
