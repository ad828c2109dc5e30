//! `mma.m8n8k4` of `.f16`, which computes four independent products (PTX ISA, "Matrix Fragments for
//! mma.m8n8k4 with .f16 floating point type").
//!
//! Product `q` belongs to the lanes `4q .. 4q + 4` and `16 + 4q .. 16 + 4q + 4`. With `t = lane %
//! 4`, and `h = 4` in the upper 16 lanes and `0` in the lower, element `i` of a lane is
//!
//! ```text
//! A  .row: row t + h,   column i      .col: row i + h, column t
//! B  .row: row t, column i + h        .col: row i,     column t + h
//! C  .f16: row t + h,   column i
//!    .f32: row (t & 1) + (i & 2) + h, column (i & 4) + (t & 2) + (i & 1)
//! ```

use super::Mma;
use super::element::{Overflow, Sum};
use super::product::{Lhs, accumulate};
use crate::machine::registers::Registers;

/// The layout of a multiplicand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Major {
    Row,
    Column,
}

fn sum_place(sum: Sum, lane: usize, index: usize) -> (usize, usize) {
    let (t, upper) = (lane % 4, lane / 16 * 4);
    if sum == Sum::F16 {
        (t + upper, index)
    } else {
        (
            (t & 1) + (index & 2) + upper,
            (index & 4) + (t & 2) + (index & 1),
        )
    }
}

pub(crate) fn execute(mma: &Mma, r: &mut Registers) {
    let mut results = vec![[0u64; 32]; mma.dests.len()];
    for quad in 0..4 {
        let lanes = (4 * quad..4 * quad + 4).chain(16 + 4 * quad..20 + 4 * quad);
        let mut lhs = Lhs::dense(8, 4);
        let mut rhs = [0.0; 4 * 8];
        let mut sums = [0.0; 8 * 8];
        for lane in lanes.clone() {
            let (t, upper) = (lane % 4, lane / 16 * 4);
            for index in 0..4 {
                let mut pair = [0.0; 2];
                mma.a.unpack(r.get(lane, mma.a_slots[index / 2]), &mut pair);
                let (row, column) = match mma.majors.0 {
                    Major::Row => (t + upper, index),
                    Major::Column => (index + upper, t),
                };
                lhs.values[4 * row + column] = pair[index % 2];
                mma.b.unpack(r.get(lane, mma.b_slots[index / 2]), &mut pair);
                let (row, column) = match mma.majors.1 {
                    Major::Row => (t, index + upper),
                    Major::Column => (index, t + upper),
                };
                rhs[8 * row + column] = pair[index % 2];
            }
            for index in 0..8 {
                let per = mma.c.per_register();
                let (row, column) = sum_place(mma.c, lane, index);
                let word = r.get(lane, mma.c_slots[index / per]);
                sums[8 * row + column] = mma.c.unpack(word, index % per);
            }
        }
        accumulate(&mut sums, &lhs, &rhs, 8);
        for lane in lanes {
            for index in 0..8 {
                let per = mma.d.per_register();
                let (row, column) = sum_place(mma.d, lane, index);
                let bits = mma.d.pack(sums[8 * row + column], Overflow::Wrap);
                results[index / per][lane] |= bits << (16 * (index % per));
            }
        }
    }
    for (&dest, row) in mma.dests.iter().zip(&results) {
        r.write(u32::MAX, dest, row);
    }
}
