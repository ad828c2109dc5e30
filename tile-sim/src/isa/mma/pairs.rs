//! The fast path for dense `.f16` and `.bf16` products of 16 rows, which most kernels use. It
//! computes the results of [`super::Mma::execute`] without heap allocation.

use super::element::Element;
use super::{COLUMNS, Mma, sum_place};
use crate::isa::float::native::{Brain, Half, Ieee};
use crate::machine::registers::{Registers, Row};

/// The number of rows of A.
const ROWS: usize = 16;
/// The maximum number of columns of A.
const DEPTH: usize = 16;

/// Unpacks both elements of each lane.
fn wide<H: Half>(row: &Row) -> [[f64; 2]; 32] {
    row.map(|word| {
        let word = word as u32;
        [word & 0xffff, word >> 16].map(|bits| f64::from(H::widen(bits)))
    })
}

impl Mma {
    pub(super) fn is_of_pairs(&self) -> bool {
        matches!(self.a.element, Element::F16 | Element::Bf16)
            && self.b.element == self.a.element
            && self.rows == ROWS
            && matches!(self.k, 8 | DEPTH)
            && self.sparse.is_none()
            && self.scaling.is_none()
            && !self.xor
    }

    fn pairs(&self, row: &Row) -> [[f64; 2]; 32] {
        if self.a.element == Element::F16 {
            wide::<Ieee>(row)
        } else {
            wide::<Brain>(row)
        }
    }

    /// Executes the instruction for a whole warp.
    pub(super) fn execute_pairs(&self, r: &mut Registers) {
        let mut lhs = [[0.0; DEPTH]; ROWS];
        for (register, &slot) in self.a_slots.iter().enumerate() {
            for (lane, pair) in self.pairs(r.row_ref(slot)).iter().enumerate() {
                let (g, t) = (lane / 4, lane % 4);
                let first_column = 2 * t + 8 * (register / 2);
                lhs[g + 8 * (register % 2)][first_column..first_column + 2].copy_from_slice(pair);
            }
        }
        let mut rhs = [[0.0; COLUMNS]; DEPTH];
        for (register, &slot) in self.b_slots.iter().enumerate() {
            for (lane, &[low, high]) in self.pairs(r.row_ref(slot)).iter().enumerate() {
                let (g, t) = (lane / 4, lane % 4);
                let first_column = 2 * t + 8 * register;
                rhs[first_column][g] = low;
                rhs[first_column + 1][g] = high;
            }
        }
        let mut sums = [[0.0; COLUMNS]; ROWS];
        let per = self.c.per_register();
        for (register, &slot) in self.c_slots.iter().enumerate() {
            for (lane, &word) in r.row_ref(slot).iter().enumerate() {
                for within in 0..per {
                    let (row, column) = sum_place(lane, per * register + within);
                    sums[row][column] = self.c.unpack(word, within);
                }
            }
        }
        for (values, sums) in lhs.iter().zip(&mut sums) {
            let mut kept = *sums;
            for (&value, others) in values.iter().zip(&rhs).take(self.k) {
                for (sum, &other) in kept.iter_mut().zip(others) {
                    *sum += value * other;
                }
            }
            *sums = kept;
        }
        let per = self.d.per_register();
        for (register, &dest) in self.dests.iter().enumerate() {
            let out = r.row_mut(u32::MAX, dest);
            for (lane, word) in out.iter_mut().enumerate() {
                *word = (0..per).fold(0, |word, within| {
                    let (row, column) = sum_place(lane, per * register + within);
                    word | self.d.pack(sums[row][column], self.overflow) << (16 * within)
                });
            }
        }
    }
}
