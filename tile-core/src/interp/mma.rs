//! Matrix products.
//!
//! Floats up to 32 bits are multiplied and summed in f32 (every product of two
//! numbers of at most 11 significant bits is exact), f64 in f64, starting from
//! zero; the accumulator is added to the sum, which is then rounded to its type.
//! The order of the sum depends on the shape and the machine, not on threads.

use super::compile::Compiler;
use super::exact;
use super::machine::{Exec, Flow, Machine, Slot};
use super::number::{BF16, F16, F32, F64, Float};
use crate::ir::{Attr, Op, Signedness};
use crate::types::Scalar;
use std::cell::RefCell;

/// Extents of a product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) batch: usize,
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
}

pub(super) fn shape(cx: &Compiler<'_>, op: &Op) -> Shape {
    let lhs = cx.shape(op.operands[0]);
    let rhs = cx.shape(op.operands[1]);
    let rank = lhs.len();
    Shape {
        batch: lhs[..rank - 2].iter().product(),
        m: lhs[rank - 2],
        n: rhs[rank - 1],
        k: lhs[rank - 1],
    }
}

/// Compiles `mmaf`.
pub(super) fn mmaf(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let shape = shape(cx, op);
    let (from, to) = (cx.scalar(op.operands[0]), cx.scalar(op.operands[2]));
    let [lhs, rhs, acc] = cx.args(op);
    let out = cx.result(op);
    if from == Scalar::F64 {
        return Box::new(move |machine| {
            machine.write(out, |machine, result: &mut Vec<u64>| {
                let floats = |slot: Slot| -> Vec<f64> {
                    machine
                        .tile(slot)
                        .iter()
                        .map(|&bits| f64::from_bits(bits))
                        .collect()
                };
                let mut sum = floats(acc);
                product64(shape, &floats(lhs), &floats(rhs), &mut sum);
                result.extend(sum.into_iter().map(F64::narrow));
            });
            Ok(Flow::Next)
        });
    }
    Box::new(move |machine| {
        PANELS.with_borrow_mut(|[a, b, sum]| {
            widen(machine, lhs, from, a);
            widen(machine, rhs, from, b);
            widen(machine, acc, to, sum);
            product32(shape, a, b, sum);
            match to {
                Scalar::F16 => machine.write(out, |_, result: &mut Vec<u16>| {
                    result.extend(sum.iter().map(|&x| F16::narrow(x)));
                }),
                _ => machine.write(out, |_, result: &mut Vec<u32>| {
                    result.extend(sum.iter().map(|&x| F32::narrow(x)));
                }),
            }
        });
        Ok(Flow::Next)
    })
}

thread_local! {
    /// The operands as f32, kept for their allocations.
    static PANELS: RefCell<[Vec<f32>; 3]> = const { RefCell::new([const { Vec::new() }; 3]) };
}

/// A tile as f32, exactly.
fn widen(machine: &Machine<'_>, slot: Slot, scalar: Scalar, out: &mut Vec<f32>) {
    out.clear();
    match scalar {
        Scalar::F16 => out.extend(machine.tile(slot).iter().map(|&x| F16::widen(x))),
        Scalar::BF16 => out.extend(machine.tile(slot).iter().map(|&x| BF16::widen(x))),
        Scalar::F32 | Scalar::TF32 => {
            out.extend(machine.tile(slot).iter().map(|&x| f32::from_bits(x)));
        }
        other => {
            let table: Vec<f32> = (0..=0xff).map(|bits| eight_bits(other, bits)).collect();
            out.extend(
                machine
                    .tile::<u8>(slot)
                    .iter()
                    .map(|&x| table[usize::from(x)]),
            );
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "exact")]
fn eight_bits(scalar: Scalar, bits: u64) -> f32 {
    exact::decode(scalar, bits) as f32
}

fn check<T>(shape: Shape, a: &[T], b: &[T], c: &[T]) {
    let Shape { batch, m, n, k } = shape;
    assert_eq!(
        a.len(),
        batch * m * k,
        "verified code multiplies matching tiles"
    );
    assert_eq!(
        b.len(),
        batch * k * n,
        "verified code multiplies matching tiles"
    );
    assert_eq!(
        c.len(),
        batch * m * n,
        "verified code multiplies matching tiles"
    );
}

fn strides(extent: usize) -> isize {
    extent.cast_signed()
}

fn product32(shape: Shape, a: &[f32], b: &[f32], c: &mut [f32]) {
    check(shape, a, b, c);
    let Shape { batch, m, n, k } = shape;
    for at in 0..batch {
        let (a, b) = (&a[at * m * k..][..m * k], &b[at * k * n..][..k * n]);
        let c = &mut c[at * m * n..][..m * n];
        // SAFETY: the slices hold m x k, k x n and m x n elements, row-major.
        unsafe {
            matrixmultiply::sgemm(
                m,
                k,
                n,
                1.0,
                a.as_ptr(),
                strides(k),
                1,
                b.as_ptr(),
                strides(n),
                1,
                1.0,
                c.as_mut_ptr(),
                strides(n),
                1,
            );
        }
    }
}

fn product64(shape: Shape, a: &[f64], b: &[f64], c: &mut [f64]) {
    check(shape, a, b, c);
    let Shape { batch, m, n, k } = shape;
    for at in 0..batch {
        let (a, b) = (&a[at * m * k..][..m * k], &b[at * k * n..][..k * n]);
        let c = &mut c[at * m * n..][..m * n];
        // SAFETY: the slices hold m x k, k x n and m x n elements, row-major.
        unsafe {
            matrixmultiply::dgemm(
                m,
                k,
                n,
                1.0,
                a.as_ptr(),
                strides(k),
                1,
                b.as_ptr(),
                strides(n),
                1,
                1.0,
                c.as_mut_ptr(),
                strides(n),
                1,
            );
        }
    }
}

/// Compiles `mmai`: products of i8 summed in i32, wrapping.
pub(super) fn mmai(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let shape = shape(cx, op);
    let signed = |name| op.attr(name) == Some(&Attr::Signedness(Signedness::Signed));
    let (lhs_signed, rhs_signed) = (signed("signedness_lhs"), signed("signedness_rhs"));
    let [lhs, rhs, acc] = cx.args(op);
    let out = cx.result(op);
    Box::new(move |machine| {
        machine.write(out, |machine, result: &mut Vec<u32>| {
            let a = integers(machine.tile(lhs), lhs_signed);
            let b = integers(machine.tile(rhs), rhs_signed);
            result.extend_from_slice(machine.tile(acc));
            let Shape { batch, m, n, k } = shape;
            for row in 0..batch * m {
                let c = &mut result[row * n..][..n];
                for (at, &x) in a[row * k..][..k].iter().enumerate() {
                    let b = &b[(row / m * k + at) * n..][..n];
                    for (c, &y) in c.iter_mut().zip(b) {
                        *c = c.wrapping_add(x.wrapping_mul(y).cast_unsigned());
                    }
                }
            }
        });
        Ok(Flow::Next)
    })
}

fn integers(lanes: &[u8], signed: bool) -> Vec<i32> {
    let number = |&lane: &u8| {
        if signed {
            i32::from(lane.cast_signed())
        } else {
            i32::from(lane)
        }
    };
    lanes.iter().map(number).collect()
}
