//! Matrix multiplication of 8-bit and 4-bit floats with a scale factor per group of elements.
//!
//! A term, the product of two elements and their two scale factors, has at most 16 bits and is
//! exact in f64. The terms are summed in f64, from zero, in order of `k`; the accumulator is added
//! last, in f64, and the sum is rounded to f32. A negative scale factor is undefined behaviour.

use super::compile::Compiler;
use super::exact;
use super::machine::{Exec, Flow, Machine, Slot, Stop};
use super::mma::{Shape, shape};
use super::number::{F32, Float};
use crate::ir::Op;
use crate::types::Scalar;

/// Compiles `mmaf_scaled`.
pub(super) fn mmaf_scaled(cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let shape = shape(cx, op);
    let [values, factors] = [0, 3].map(|index| values(cx.scalar(op.operands[index])));
    let shapes = [3, 4].map(|index| cx.shape(op.operands[index]));
    let blocks = *shapes[0].last().expect("of rank 2 or 3");
    let [lhs, rhs, acc, lhs_scale, rhs_scale] = cx.args(op);
    let out = cx.result(op);
    Box::new(move |machine| {
        let Shape { batch, m, n, k } = shape;
        let block = k / blocks;
        let left = scales(machine, lhs_scale, &shapes[0], &factors)?;
        let right = scales(machine, rhs_scale, &shapes[1], &factors)?;
        // The scale factors of a row of the left operand form a row; those of a column of the right
        // operand form a column.
        let a = scaled(
            machine,
            lhs,
            &values,
            |row, column| left[row * blocks + column / block],
            k,
        );
        let b = scaled(
            machine,
            rhs,
            &values,
            |row, column| {
                let (batch, row) = (row / k, row % k);
                right[(batch * blocks + row / block) * n + column]
            },
            n,
        );
        machine.write(out, |machine, result: &mut Vec<u32>| {
            let acc: &[u32] = machine.tile(acc);
            let mut sums = vec![0.0; n];
            for row in 0..batch * m {
                sums.fill(0.0);
                for (i, &x) in a[row * k..][..k].iter().enumerate() {
                    let b = &b[(row / m * k + i) * n..][..n];
                    for (sum, &y) in sums.iter_mut().zip(b) {
                        *sum += x * y;
                    }
                }
                let acc = &acc[row * n..][..n];
                result.extend(
                    acc.iter()
                        .zip(&sums)
                        .map(|(&acc, sum)| F32::from_f64(f64::from(F32::widen(acc)) + sum)),
                );
            }
        });
        Ok(Flow::Next)
    })
}

/// Returns the value of every bit pattern.
fn values(scalar: Scalar) -> Vec<f64> {
    (0..1_u64 << scalar.bits())
        .map(|bits| exact::decode(scalar, bits))
        .collect()
}

/// Returns the scale factors. A negative one is undefined behaviour, and is kept if the launch
/// continues.
fn scales(
    machine: &Machine<'_>,
    slot: Slot,
    shape: &[usize],
    values: &[f64],
) -> Result<Vec<f64>, Stop> {
    let lanes = machine.tile::<u8>(slot).iter().enumerate();
    lanes
        .map(|(index, &lane)| {
            let factor = values[usize::from(lane)];
            if factor < 0.0 {
                let stop = Stop::Here("the scale factor is negative".to_owned());
                machine.undefined(stop.in_element(shape, index))?;
            }
            Ok(factor)
        })
        .collect()
}

/// Returns the elements of a tile with rows of `width`, multiplied by their scale factors.
fn scaled(
    machine: &Machine<'_>,
    slot: Slot,
    values: &[f64],
    factor: impl Fn(usize, usize) -> f64,
    width: usize,
) -> Vec<f64> {
    let lanes = machine.tile::<u8>(slot).iter().enumerate();
    lanes
        .map(|(index, &lane)| values[usize::from(lane)] * factor(index / width, index % width))
        .collect()
}
