//! `mma.sync`, `mma.sp.sync` (PTX ISA, "Matrix multiply-accumulate operation using mma instruction"
//! and "... with sparse matrix A").
//!
//! Each element of a fragment in lane `l` has a row and a column. With `g = l / 4`, `t = l % 4` and
//! `e` elements per register:
//!
//! ```text
//! A  register r: row g + 8 * (r % 2), columns from e * t + 4e * (r / 2)     (16 rows)
//!                row g,               columns from e * t + 4e * r           (8 rows)
//! B  register r: column g,            rows    from e * t + 4e * r
//! C  element  i: row g + 8 * (i / 2), column  2 * t + i % 2
//! ```
//!
//! A sparse A has the layout of a dense matrix of its stored elements. `.m8n8k4` of `.f16` has
//! other layouts ([`quads`]). [`product`] defines the rounding of sums.

pub(crate) mod element;
mod forms;
mod pairs;
pub(crate) mod product;
mod quads;
mod scale;
pub(crate) mod sparse;

pub(crate) use forms::{ROUNDINGS, decode, shape};

use crate::check::{FaultKind, Trouble};
use crate::isa::Slot;
use crate::isa::soft::Rounding;
use crate::machine::registers::Registers;
use crate::parse::decoder::Slots;
use element::{Element, Overflow, Packing, Sum};
use product::{Lhs, accumulate, accumulate_fused};
use quads::Major;
use scale::Scaling;
use sparse::Storage;

/// A matrix multiply-accumulate: `D = A * B + C`.
#[derive(Clone, Debug)]
pub(crate) struct Mma {
    rows: usize,
    /// The inner dimension K.
    k: usize,
    a: Packing,
    b: Packing,
    c: Sum,
    d: Sum,
    overflow: Overflow,
    /// The rounding mode of `.f64`.
    rounding: Rounding,
    majors: (Major, Major),
    /// `.xor.popc`: counts bits that differ instead of bits that both operands have set.
    xor: bool,
    sparse: Option<Sparse>,
    scaling: Option<Scaling>,
    dests: Slots,
    a_slots: Slots,
    b_slots: Slots,
    c_slots: Slots,
}

/// The sparsity of A.
#[derive(Clone, Copy, Debug)]
struct Sparse {
    storage: Storage,
    metadata: Slot,
    selector: usize,
    /// `::ordered_metadata`: the indices ascend.
    ordered: bool,
}

/// The number of columns of B.
const COLUMNS: usize = 8;

fn sum_place(lane: usize, index: usize) -> (usize, usize) {
    (lane / 4 + 8 * (index / 2), 2 * (lane % 4) + index % 2)
}

/// Transforms the operands of `.xor` on single bits, so that dot products count differing bits:
/// `a ^ b = 1/2 + (a - 1/2) * (1 - 2b)`.
pub(crate) fn differ(lhs: &mut Lhs, rhs: &mut [f64], sums: &mut [f64], k: usize) {
    for a in &mut lhs.values {
        *a -= 0.5;
    }
    for b in rhs {
        *b = 1.0 - 2.0 * *b;
    }
    for sum in sums {
        *sum += k as f64 / 2.0;
    }
}

impl Sparse {
    fn positions(&self, r: &Registers) -> Result<Vec<u16>, Trouble> {
        let misuse = |lane, message| Trouble::at(lane, FaultKind::MatrixMisuse(message));
        if self.selector >= self.storage.selectors() {
            let message = format!(
                "the sparsity selector is {}; it must be below {}",
                self.selector,
                self.storage.selectors()
            );
            return Err(misuse(0, message));
        }
        self.storage
            .positions(r.row_ref(self.metadata), self.selector, self.ordered)
            .map_err(|invalid| misuse(invalid.lane, invalid.message()))
    }
}

impl Mma {
    /// Returns the number of multiply-adds, `m * n * k`, summed over all four products for
    /// `.m8n8k4`.
    pub(crate) fn multiply_adds(&self) -> u64 {
        let products = if self.is_quads() { 4 } else { 1 };
        (products * self.rows * COLUMNS * self.k) as u64
    }

    /// Executes the instruction for a whole warp.
    pub(crate) fn execute(&self, r: &mut Registers) -> Result<(), Trouble> {
        if self.is_quads() {
            quads::execute(self, r);
            return Ok(());
        }
        if self.is_of_pairs() {
            self.execute_pairs(r);
            return Ok(());
        }
        let mut lhs = self.lhs(r)?;
        let mut rhs = self.rhs(r);
        if let Some(scaling) = &self.scaling {
            self.scale(scaling, r, &mut lhs, &mut rhs)?;
        }
        let mut sums = self.sums(r);
        if self.xor {
            differ(&mut lhs, &mut rhs, &mut sums, self.k);
        }
        if self.a.element == Element::F64 {
            accumulate_fused(&mut sums, &lhs, &rhs, COLUMNS, self.rounding);
        } else {
            accumulate(&mut sums, &lhs, &rhs, COLUMNS);
        }
        for (register, &dest) in self.dests.iter().enumerate() {
            let per = self.d.per_register();
            let mut out = [0; 32];
            for (lane, word) in out.iter_mut().enumerate() {
                for within in 0..per {
                    let (row, column) = sum_place(lane, per * register + within);
                    let sum = sums[COLUMNS * row + column];
                    *word |= self.d.pack(sum, self.overflow) << (16 * within);
                }
            }
            r.write(u32::MAX, dest, &out);
        }
        Ok(())
    }

    /// Returns `true` for `.m8n8k4` of `.f16`.
    fn is_quads(&self) -> bool {
        self.k == 4 && self.a.element == Element::F16
    }

    fn lhs(&self, r: &Registers) -> Result<Lhs, Trouble> {
        let width = if self.sparse.is_some() {
            self.k / 2
        } else {
            self.k
        };
        let mut lhs = Lhs::dense(self.rows, width);
        let e = self.a.per_register();
        for (register, &slot) in self.a_slots.iter().enumerate() {
            for (lane, &word) in r.row_ref(slot).iter().enumerate() {
                let (g, t) = (lane / 4, lane % 4);
                let (row, step) = if self.rows == 8 {
                    (g, register)
                } else {
                    (g + 8 * (register % 2), register / 2)
                };
                let position = width * row + e * t + 4 * e * step;
                self.a.unpack(word, &mut lhs.values[position..position + e]);
            }
        }
        if let Some(sparse) = &self.sparse {
            lhs.positions = Some(sparse.positions(r)?);
        }
        Ok(lhs)
    }

    fn rhs(&self, r: &Registers) -> Vec<f64> {
        let mut rhs = vec![0.0; self.k * COLUMNS];
        let e = self.b.per_register();
        let mut numbers = [0.0; 32];
        for (register, &slot) in self.b_slots.iter().enumerate() {
            for (lane, &word) in r.row_ref(slot).iter().enumerate() {
                let (g, t) = (lane / 4, lane % 4);
                self.b.unpack(word, &mut numbers[..e]);
                for (within, &number) in numbers[..e].iter().enumerate() {
                    rhs[COLUMNS * (e * t + 4 * e * register + within) + g] = number;
                }
            }
        }
        rhs
    }

    fn sums(&self, r: &Registers) -> Vec<f64> {
        let mut sums = vec![0.0; self.rows * COLUMNS];
        let per = self.c.per_register();
        for (register, &slot) in self.c_slots.iter().enumerate() {
            for (lane, &word) in r.row_ref(slot).iter().enumerate() {
                for within in 0..per {
                    let (row, column) = sum_place(lane, per * register + within);
                    sums[COLUMNS * row + column] = self.c.unpack(word, within);
                }
            }
        }
        sums
    }

    fn scale(
        &self,
        scaling: &Scaling,
        r: &Registers,
        lhs: &mut Lhs,
        rhs: &mut [f64],
    ) -> Result<(), Trouble> {
        let (of_a, of_b) = scaling.factors(r)?;
        let chunk = self.k / scaling.chunks;
        for (index, value) in lhs.values.iter_mut().enumerate() {
            let k = match &lhs.positions {
                Some(positions) => usize::from(positions[index]),
                None => index % lhs.width,
            };
            *value *= of_a[index / lhs.width * scaling.chunks + k / chunk];
        }
        for (index, value) in rhs.iter_mut().enumerate() {
            let (k, column) = (index / COLUMNS, index % COLUMNS);
            *value *= of_b[column * scaling.chunks + k / chunk];
        }
        Ok(())
    }
}
