//! The multiply-accumulate of one warp of a warpgroup, which computes 16 rows of D.
//!
//! The fragment layouts (PTX ISA, "Register Fragments"), with `w` the warp, `g = lane / 4` and `t =
//! lane % 4`, are
//!
//! ```text
//! A  register r: row 16w + g + 8 * (r % 2), columns from e * t + 4e * (r / 2), e in 32 bits
//! D  element  i: row 16w + g + 8 * (i / 2 % 2), column 8 * (i / 4) + 2t + i % 2
//! ```
//!
//! [`crate::isa::mma::product`] defines the rounding of sums; D is rounded once per instruction.
#![expect(clippy::inline_always, reason = "see `vectors::Work`")]

use std::ops::Range;

use super::descriptor::{Major, Malformed, Operand, UNIT, joined};
use crate::check::{FaultKind, Trouble};
use crate::isa::mma::element::{Overflow, Packing, Sum};
use crate::isa::mma::product::{Lhs, accumulate};
use crate::isa::mma::sparse::Storage;
use crate::isa::vectors::{Work, on_vectors};
use crate::machine::registers::Row;

/// The number of rows per warp.
const ROWS: usize = 16;
/// The number of rows per warpgroup.
const M: usize = 64;

/// The types and the shape of a product, without its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product {
    pub(crate) n: usize,
    /// The K of B; half of it is stored for a sparse A.
    pub(crate) k: usize,
    pub(crate) a: Packing,
    pub(crate) b: Packing,
    pub(crate) d: Sum,
    pub(crate) overflow: Overflow,
    /// Is `true` if exactly one of `imm-scale-a` and `imm-scale-b` is -1.
    pub(crate) negated: bool,
    pub(crate) a_major: Major,
    pub(crate) b_major: Major,
    pub(crate) sparse: Option<Storage>,
}

/// The operand A.
#[derive(Clone, Debug)]
pub(crate) enum Multiplicand {
    /// Four registers of the warp.
    Registers(Vec<Row>),
    /// A matrix descriptor.
    Shared(u64),
}

/// The operands of one warp, read at the issue.
#[derive(Clone, Debug)]
pub(crate) struct Operands {
    pub(crate) a: Multiplicand,
    /// A matrix descriptor.
    pub(crate) b: u64,
    /// The metadata and the selector of a sparse A.
    pub(crate) metadata: Option<(Row, usize)>,
    /// `scale-d`: `true` if the product is added to D, `false` if it replaces D.
    pub(crate) accumulate: bool,
}

/// A function that reads 16 bytes of shared memory.
pub(crate) type Read<'a> = &'a mut dyn FnMut(u64, &mut [u8; 16]) -> Result<(), Trouble>;

impl From<Malformed> for Trouble {
    fn from(malformed: Malformed) -> Self {
        Self::of_warp(FaultKind::MatrixMisuse(malformed.to_string()))
    }
}

impl Product {
    /// Returns `m * n * k` of the warpgroup.
    pub(crate) fn multiply_adds(&self) -> u64 {
        (M * self.n * self.k) as u64
    }

    /// Returns the number of registers of D per lane.
    pub(crate) fn registers(&self) -> usize {
        self.n / 2 / self.d.per_register()
    }

    /// Returns the number of stored elements of A along K.
    fn stored(&self) -> usize {
        if self.sparse.is_some() {
            self.k / 2
        } else {
            self.k
        }
    }

    fn shared_a(&self, bits: u64) -> Result<Operand, Malformed> {
        Operand::new(bits, self.a_major, self.a, M, self.stored())
    }

    fn shared_b(&self, bits: u64) -> Result<Operand, Malformed> {
        Operand::new(bits, self.b_major, self.b, self.n, self.k)
    }

    /// Returns the bytes of shared memory that warp `warp` (0 to 3) reads of A.
    pub(crate) fn reads_of_a(
        &self,
        warp: usize,
        operands: &Operands,
    ) -> Result<Vec<Range<u64>>, Malformed> {
        match operands.a {
            Multiplicand::Registers(_) => Ok(Vec::new()),
            Multiplicand::Shared(bits) => {
                let rows = ROWS * warp..ROWS * (warp + 1);
                Self::units_of(&self.shared_a(bits)?, rows)
            }
        }
    }

    /// Returns the bytes of shared memory that each of the four warps reads of B.
    pub(crate) fn reads_of_b(&self, bits: u64) -> Result<Vec<Range<u64>>, Malformed> {
        Self::units_of(&self.shared_b(bits)?, 0..self.n)
    }

    fn units_of(operand: &Operand, rows: Range<usize>) -> Result<Vec<Range<u64>>, Malformed> {
        let mut ranges = Vec::new();
        operand.units(rows, |address, _, _| {
            ranges.push(address);
            Ok(())
        })?;
        Ok(joined(&ranges, UNIT))
    }

    /// Loads the rows of D of a warp from its registers into a row-major matrix.
    pub(crate) fn load<'r>(&self, register: impl Fn(usize) -> &'r Row, matrix: &mut Vec<f64>) {
        matrix.resize(ROWS * self.n, 0.0);
        if self.d == Sum::F32 {
            on_vectors(FromSingles {
                matrix,
                columns: self.n,
                register,
            });
            return;
        }
        self.each_sum(|index, within, lane, element| {
            matrix[element] = self.d.unpack(register(index)[lane], within);
        });
    }

    /// Initializes the rows of D to zero, if the product replaces D.
    pub(crate) fn clear(&self, matrix: &mut Vec<f64>) {
        matrix.clear();
        matrix.resize(ROWS * self.n, 0.0);
    }

    /// Rounds the rows of D and calls `set` with each register.
    pub(crate) fn store(&self, matrix: &[f64], mut set: impl FnMut(usize, &Row)) {
        if self.d == Sum::F32 {
            on_vectors(ToSingles {
                matrix,
                columns: self.n,
                set,
            });
            return;
        }
        let mut rows = vec![[0; 32]; self.registers()];
        self.each_sum(|index, within, lane, element| {
            rows[index][lane] |= self.d.pack(matrix[element], self.overflow) << (16 * within);
        });
        for (index, row) in rows.iter().enumerate() {
            set(index, row);
        }
    }

    /// Adds the product to the rows of D of warp `warp` (0 to 3). `rhs` is B.
    pub(crate) fn compute(
        &self,
        warp: usize,
        operands: &Operands,
        rhs: &[f64],
        matrix: &mut [f64],
        read: Read<'_>,
    ) -> Result<(), Trouble> {
        let lhs = self.lhs(warp, operands, read)?;
        accumulate(matrix, &lhs, rhs, self.n);
        Ok(())
    }

    /// Calls `f` with the register, half, lane and matrix position of each element of D.
    fn each_sum(&self, mut f: impl FnMut(usize, usize, usize, usize)) {
        let per = self.d.per_register();
        for register in 0..self.registers() {
            for lane in 0..32 {
                for within in 0..per {
                    let i = per * register + within;
                    let row = lane / 4 + 8 * (i / 2 % 2);
                    let column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
                    f(register, within, lane, self.n * row + column);
                }
            }
        }
    }

    fn lhs(&self, warp: usize, operands: &Operands, read: Read<'_>) -> Result<Lhs, Trouble> {
        let width = self.stored();
        let mut lhs = Lhs::dense(ROWS, width);
        match &operands.a {
            Multiplicand::Registers(rows) => {
                let e = self.a.per_register();
                for (register, row) in rows.iter().enumerate() {
                    for (lane, &word) in row.iter().enumerate() {
                        let row = lane / 4 + 8 * (register % 2);
                        let position = width * row + e * (lane % 4) + 4 * e * (register / 2);
                        self.a.unpack(word, &mut lhs.values[position..position + e]);
                    }
                }
            }
            &Multiplicand::Shared(bits) => {
                let operand = self.shared_a(bits)?;
                let first = ROWS * warp;
                let mut numbers = [0.0; 128];
                let per = operand.per_unit();
                operand.units(first..first + ROWS, |address, row, k| {
                    unpack(self.a, address, read, &mut numbers[..per])?;
                    let position = width * (row - first) + k;
                    match operand.major() {
                        Major::K => {
                            lhs.values[position..position + per].copy_from_slice(&numbers[..per]);
                        }
                        Major::Mn => {
                            for (index, &number) in numbers[..per].iter().enumerate() {
                                lhs.values[position + width * index] = number;
                            }
                        }
                    }
                    Ok::<(), Trouble>(())
                })?;
            }
        }
        if self.negated {
            lhs.values.iter_mut().for_each(|value| *value = -*value);
        }
        if let (Some(storage), Some((metadata, selector))) = (self.sparse, &operands.metadata) {
            let positions = storage.positions(metadata, *selector, false);
            lhs.positions = Some(positions.map_err(|invalid| {
                Trouble::at(invalid.lane, FaultKind::MatrixMisuse(invalid.message()))
            })?);
        }
        Ok(lhs)
    }

    /// Returns B by K and column, which is the same for the four warps.
    pub(crate) fn rhs(&self, bits: u64, read: Read<'_>) -> Result<Vec<f64>, Trouble> {
        let operand = self.shared_b(bits)?;
        let mut rhs = vec![0.0; self.k * self.n];
        let mut numbers = [0.0; 128];
        let per = operand.per_unit();
        operand.units(0..self.n, |address, column, k| {
            unpack(self.b, address, read, &mut numbers[..per])?;
            let position = self.n * k + column;
            match operand.major() {
                Major::Mn => rhs[position..position + per].copy_from_slice(&numbers[..per]),
                Major::K => {
                    let column = rhs[position..].iter_mut().step_by(self.n);
                    for (place, &number) in column.zip(&numbers[..per]) {
                        *place = number;
                    }
                }
            }
            Ok::<(), Trouble>(())
        })?;
        Ok(rhs)
    }
}

/// Calls `f` with the first register of each pair that holds adjacent single-precision numbers, and
/// with a position in a matrix with `columns` columns.
///
/// The numbers of four lanes alternate between the two registers and form eight columns of a row.
/// Those of lanes 0 to 3 begin at the position, and those of the next four lanes begin one row
/// below.
#[inline(always)]
fn each_pair(columns: usize, mut f: impl FnMut(usize, usize)) {
    for pair in 0..columns / 4 {
        f(2 * pair, columns * (8 * (pair % 2)) + 8 * (pair / 2));
    }
}

/// The conversion of single-precision registers to a matrix.
struct FromSingles<'a, F> {
    matrix: &'a mut [f64],
    columns: usize,
    register: F,
}

impl<'r, F: Fn(usize) -> &'r Row> Work for FromSingles<'_, F> {
    #[inline(always)]
    fn run(self) {
        each_pair(self.columns, |first, start| {
            let (even, odd) = ((self.register)(first), (self.register)(first + 1));
            for quad in 0..8 {
                let numbers = self.matrix[start + self.columns * quad..][..8]
                    .as_chunks_mut::<2>()
                    .0;
                for (number, lane) in numbers.iter_mut().zip(4 * quad..) {
                    *number = [even, odd].map(|row| Sum::F32.unpack(row[lane], 0));
                }
            }
        });
    }
}

/// The conversion of a matrix to single-precision registers, rounded to nearest even.
struct ToSingles<'a, F> {
    matrix: &'a [f64],
    columns: usize,
    set: F,
}

impl<F: FnMut(usize, &Row)> Work for ToSingles<'_, F> {
    #[inline(always)]
    fn run(mut self) {
        each_pair(self.columns, |first, start| {
            let mut rows = [[0; 32]; 2];
            for quad in 0..8 {
                let numbers = self.matrix[start + self.columns * quad..][..8]
                    .as_chunks::<2>()
                    .0;
                for (number, lane) in numbers.iter().zip(4 * quad..) {
                    for (row, &number) in rows.iter_mut().zip(number) {
                        row[lane] = Sum::F32.pack(number, Overflow::Wrap);
                    }
                }
            }
            for (row, register) in rows.iter().zip(first..) {
                (self.set)(register, row);
            }
        });
    }
}

/// Unpacks the numbers of a unit.
fn unpack(packing: Packing, address: u64, read: Read<'_>, out: &mut [f64]) -> Result<(), Trouble> {
    let mut bytes = [0; 16];
    read(address, &mut bytes)?;
    let bits = u128::from_le_bytes(bytes);
    let (lower, upper) = out.split_at_mut(out.len() / 2);
    // The halves of the unit.
    packing.unpack(bits as u64, lower);
    packing.unpack((bits >> 64) as u64, upper);
    Ok(())
}
