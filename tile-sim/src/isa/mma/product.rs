//! Matrix multiply-accumulate on `f64`.
//!
//! Computes `sums[m][n] += lhs[m][k] * rhs[k][n]` in ascending order of `k`. Products of elements
//! are exact in `f64` and each addition is rounded to 53 bits. This is more than the single
//! precision that the PTX ISA requires (`mma`, "Precision and rounding", which leaves order,
//! rounding and subnormal inputs unspecified). Only the final sum is rounded to its type, to
//! nearest even. Integers stay below 2^53 and are exact.
#![expect(clippy::inline_always, reason = "see `vectors::Work`")]

use crate::isa::soft::{F64, Rounding};
use crate::isa::vectors::{Work, on_vectors};

/// The left matrix, without the elements that sparsity omits.
pub(crate) struct Lhs {
    /// The number of values per row.
    pub(crate) width: usize,
    pub(crate) values: Vec<f64>,
    /// The `k` index of each value. `None` if the index is the position in the row.
    ///
    /// An omitted element is not multiplied, so that its product with infinity is not NaN.
    pub(crate) positions: Option<Vec<u16>>,
}

impl Lhs {
    pub(crate) fn dense(rows: usize, width: usize) -> Self {
        Self {
            width,
            values: vec![0.0; rows * width],
            positions: None,
        }
    }
}

fn each_product(
    sums: &mut [f64],
    lhs: &Lhs,
    rhs: &[f64],
    columns: usize,
    mut add: impl FnMut(&mut [f64], f64, &[f64]),
) {
    for (row, sums) in sums.chunks_exact_mut(columns).enumerate() {
        let values = &lhs.values[row * lhs.width..][..lhs.width];
        for (index, &value) in values.iter().enumerate() {
            let k = match &lhs.positions {
                Some(positions) => usize::from(positions[row * lhs.width + index]),
                None => index,
            };
            add(sums, value, &rhs[k * columns..][..columns]);
        }
    }
}

/// A matrix multiply-accumulate.
struct Multiply<'a> {
    sums: &'a mut [f64],
    lhs: &'a Lhs,
    rhs: &'a [f64],
    columns: usize,
}

impl Work for Multiply<'_> {
    #[inline(always)]
    fn run(self) {
        let Multiply {
            sums,
            lhs,
            rhs,
            columns,
        } = self;
        accumulate_here(sums, lhs, rhs, columns);
    }
}

/// Adds the product of `lhs` and `rhs` to `sums`. `rhs` has rows of `columns` values.
pub(crate) fn accumulate(sums: &mut [f64], lhs: &Lhs, rhs: &[f64], columns: usize) {
    on_vectors(Multiply {
        sums,
        lhs,
        rhs,
        columns,
    });
}

#[inline(always)]
fn accumulate_here(sums: &mut [f64], lhs: &Lhs, rhs: &[f64], columns: usize) {
    for (row, sums) in sums.chunks_exact_mut(columns).enumerate() {
        // Sums are computed in groups that fit the registers of the host; every shape has a
        // multiple of eight columns.
        let mut first = 0;
        while columns - first >= 16 {
            accumulate_some::<16>(&mut sums[first..], lhs, row, &rhs[first..], columns);
            first += 16;
        }
        while columns - first >= 8 {
            accumulate_some::<8>(&mut sums[first..], lhs, row, &rhs[first..], columns);
            first += 8;
        }
    }
}

/// Computes `COUNT` adjacent sums of a row.
#[inline(always)]
fn accumulate_some<const COUNT: usize>(
    sums: &mut [f64],
    lhs: &Lhs,
    row: usize,
    rhs: &[f64],
    columns: usize,
) {
    let sums = &mut sums[..COUNT];
    let mut kept: [f64; COUNT] = std::array::from_fn(|column| sums[column]);
    let values = &lhs.values[row * lhs.width..][..lhs.width];
    for (index, &value) in values.iter().enumerate() {
        let k = match &lhs.positions {
            Some(positions) => usize::from(positions[row * lhs.width + index]),
            None => index,
        };
        for (sum, &other) in kept.iter_mut().zip(&rhs[columns * k..][..COUNT]) {
            *sum += value * other;
        }
    }
    sums.copy_from_slice(&kept);
}

/// Accumulates `.f64` products with fused multiply-adds (PTX ISA, `mma`: "identical to that of
/// `.f64` precision fused multiply-add").
pub(crate) fn accumulate_fused(
    sums: &mut [f64],
    lhs: &Lhs,
    rhs: &[f64],
    columns: usize,
    rounding: Rounding,
) {
    each_product(sums, lhs, rhs, columns, |sums, value, others| {
        for (sum, &other) in sums.iter_mut().zip(others) {
            *sum = if rounding == Rounding::NearestEven {
                value.mul_add(other, *sum)
            } else {
                let bits = F64.fma(value.to_bits(), other.to_bits(), sum.to_bits(), rounding);
                f64::from_bits(bits)
            };
        }
    });
}
