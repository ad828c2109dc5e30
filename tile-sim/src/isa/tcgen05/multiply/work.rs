//! The execution of an issued `tcgen05.mma`.
//!
//! [`crate::isa::mma::product`] defines the rounding of sums; D is rounded once per instruction. A
//! 16-bit element of D occupies the lower half of its cell; the upper half becomes 0.

use super::forms::Kind;
use super::instruction::{Instruction, Scaling};
use super::layout::Layout;
use super::metadata;
use super::zero_columns::ZeroColumns;
use crate::check::Trouble;
use crate::isa::matrix::Format;
use crate::isa::mma::element::{Element, Packing};
use crate::isa::mma::product::{Lhs, accumulate};
use crate::isa::tcgen05::misuse_at;
use crate::isa::wgmma::descriptor::{Major, Operand};
use crate::machine::block::BlockState;
use crate::machine::tensor_memory::{Cells, QUARTER, TensorMemory};

/// The number of rows that are computed together, so that the sums stay in a cache of the host.
const ROWS: usize = 16;

/// The source of A.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// Tensor memory from this column, in the lanes of A's rows.
    Tensor(u32),
    Shared(Operand),
}

/// The location of the scale factors (PTX ISA, "Scale Factor A ID", "Scale Factor B ID").
///
/// A cell holds four factors of a row of A or a column of B, one byte each. Row `32i + j` is in
/// lane `j`, column `i`, and is replicated in each quarter of 32 lanes; for B, a quarter holds the
/// columns that its lanes compute. Factors beyond the fourth byte (K = 96) are in a second block of
/// cells, four columns further, or eight with more than 128 columns of B. (The ISA has figures for
/// this, but no formula.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    scaling: Scaling,
    columns: [u32; 2],
    /// The rows of A and the columns of B in the part of a lane.
    extents: [u32; 2],
}

impl Scales {
    pub(crate) fn new(scaling: Scaling, columns: [u32; 2], layout: Layout, n: usize) -> Self {
        Self {
            scaling,
            columns,
            // The extents are at most 256.
            extents: [layout.rows as u32, (n / layout.parts) as u32],
        }
    }

    fn block(&self, which: usize) -> u32 {
        if self.extents[which] > 128 { 8 } else { 4 }
    }

    /// Returns all cells of a block with factors.
    pub(crate) fn cells(&self, block: usize) -> Vec<Cells> {
        let mut cells = Vec::new();
        for which in 0..2 {
            let (whole, rest) = (self.extents[which] / QUARTER, self.extents[which] % QUARTER);
            let words = (self.scaling.ids[which] + self.scaling.chunks).div_ceil(4);
            // There are at most two words.
            for word in 0..words as u32 {
                let column = self.columns[which] + word * self.block(which);
                if whole > 0 {
                    cells.push(Cells {
                        block,
                        lane: 0,
                        lanes: 4 * QUARTER,
                        column,
                        columns: whole,
                    });
                }
                if rest > 0 {
                    cells.extend((0..4).map(|quarter| Cells {
                        block,
                        lane: quarter * QUARTER,
                        lanes: rest,
                        column: column + whole,
                        columns: 1,
                    }));
                }
            }
        }
        cells
    }

    /// Returns the factors of A (0) or of B (1) for a quarter, by row and chunk.
    fn factors(
        &self,
        which: usize,
        tensor: &TensorMemory,
        quarter: usize,
        rows: std::ops::Range<usize>,
    ) -> Vec<f64> {
        let Scaling { ty, chunks, ids } = self.scaling;
        let first = self.columns[which] as usize;
        let block = self.block(which) as usize;
        let mut factors = Vec::with_capacity(rows.len() * chunks);
        for row in rows {
            let cells = tensor.row(32 * quarter + row % 32);
            for chunk in 0..chunks {
                let byte = ids[which] + chunk;
                let word = cells[first + row / 32 + byte / 4 * block];
                factors.push(ty.number((word >> (8 * (byte % 4))) as u8));
            }
        }
        factors
    }
}

/// A product that was issued.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    /// The lane of the issuing thread.
    pub(crate) lane: usize,
    pub(crate) kind: Kind,
    pub(crate) sparse: bool,
    pub(crate) instruction: Instruction,
    pub(crate) layout: Layout,
    /// One block, or the even and the odd block of a pair.
    pub(crate) blocks: Vec<usize>,
    /// The first column of D.
    pub(crate) to: u32,
    pub(crate) a: Source,
    pub(crate) b: Operand,
    /// The first column of the metadata.
    pub(crate) metadata: Option<u32>,
    pub(crate) scales: Option<Scales>,
    /// Is `true` if the product is added to D, `false` if it replaces D.
    pub(crate) accumulate: bool,
    /// The factor by which D is multiplied first.
    pub(crate) scale_d: f64,
    /// The lanes of D that are not written, for the first and the second block.
    pub(crate) disabled: [u128; 2],
    /// `.ashift`: each row of A is read from the next row of tensor memory; the last row is read
    /// from its own.
    pub(crate) shifts: bool,
    pub(crate) zero_columns: Option<ZeroColumns>,
}

/// Returns the element format of 16 bytes of shared memory. `.kind::mxf4` is dense; other 4-bit and
/// 6-bit elements have padding after sixteen (PTX ISA, "Packing format used for matrix A and B ...
/// in Shared Memory").
pub(super) fn format(packing: Packing) -> Format {
    match (packing.element, packing.bits) {
        (Element::E2m3 | Element::E3m2, _) => Format::Six,
        (Element::E2m1, 8) => Format::Four,
        _ => Format::Bytes,
    }
}

/// Unpacks the elements of 16 bytes of shared memory.
fn unpack(packing: Packing, bytes: &[u8], out: &mut [f64]) {
    let mut bits = [0; 16];
    bits.copy_from_slice(bytes);
    let bits = u128::from_le_bytes(format(packing).expanded(bits));
    let (lower, upper) = out.split_at_mut(out.len() / 2);
    packing.unpack(bits as u64, lower);
    packing.unpack((bits >> 64) as u64, upper);
}

impl Work {
    /// Returns the number of columns of D per lane.
    fn columns(&self) -> usize {
        self.instruction.n / self.layout.parts
    }

    /// Computes the product on the blocks of the cluster.
    pub(crate) fn perform(&self, blocks: &mut [BlockState]) -> Result<(), Trouble> {
        let rhs = self.rhs(blocks);
        for (rank, &block) in self.blocks.iter().enumerate() {
            let block = &mut blocks[block];
            let shared = match &self.a {
                Source::Shared(operand) => Some(self.shared_lhs(operand, &block.shared)),
                Source::Tensor(_) => None,
            };
            for (part, rhs) in rhs.iter().enumerate() {
                let values = match (&shared, &self.a) {
                    (Some(values), _) => values.clone(),
                    (None, &Source::Tensor(column)) => {
                        self.tensor_lhs(column as usize, part, &block.tensor)
                    }
                    (None, Source::Shared(_)) => unreachable!("a shared A was read"),
                };
                let positions = self.positions(part, &block.tensor)?;
                let lhs = Lhs {
                    width: self.instruction.stored(self.sparse),
                    values,
                    positions,
                };
                self.compute(part, &lhs, rhs, &mut block.tensor, self.disabled[rank]);
            }
        }
        Ok(())
    }

    /// Returns B by K and column, for each part.
    fn rhs(&self, blocks: &[BlockState]) -> Vec<Vec<f64>> {
        let Instruction { n, k, b, .. } = self.instruction;
        let columns = self.columns();
        let of_block = n / self.blocks.len();
        let shift = self.zero_columns.as_ref().map_or(0, |zero| zero.shift);
        let is_zero = |column: usize| {
            let zero = self.zero_columns.as_ref();
            zero.is_some_and(|columns| columns.zero[column])
        };
        let mut rhs = vec![vec![0.0; k * columns]; self.layout.parts];
        let mut numbers = [0.0; 32];
        let per = self.b.per_unit();
        for (rank, &block) in self.blocks.iter().enumerate() {
            let shared = &blocks[block].shared;
            let mut set = |row: usize, k: usize, number: f64| {
                if (shift..shift + of_block).contains(&row) {
                    let column = rank * of_block + row - shift;
                    if !is_zero(column) {
                        rhs[column / columns][k * columns + column % columns] = number;
                    }
                }
            };
            let result = self.b.units(0..of_block + shift, |address, row, k| {
                let offset = address as usize;
                unpack(b.packing, &shared[offset..offset + 16], &mut numbers[..per]);
                for (index, &number) in numbers[..per].iter().enumerate() {
                    match b.major {
                        Major::K => set(row, k + index, number),
                        Major::Mn => set(row + index, k, number),
                    }
                }
                Ok::<(), std::convert::Infallible>(())
            });
            let Ok(()) = result;
        }
        rhs
    }

    /// Returns the rows of A that a block has in shared memory.
    fn shared_lhs(&self, operand: &Operand, shared: &[u8]) -> Vec<f64> {
        let width = self.instruction.stored(self.sparse);
        let a = self.instruction.a;
        let mut values = vec![0.0; self.layout.rows * width];
        let mut numbers = [0.0; 32];
        let per = operand.per_unit();
        let result = operand.units(0..self.layout.rows, |address, row, k| {
            let offset = address as usize;
            unpack(a.packing, &shared[offset..offset + 16], &mut numbers[..per]);
            let first = width * row + k;
            match a.major {
                Major::K => values[first..first + per].copy_from_slice(&numbers[..per]),
                Major::Mn => {
                    for (index, &number) in numbers[..per].iter().enumerate() {
                        values[first + width * index] = number;
                    }
                }
            }
            Ok::<(), std::convert::Infallible>(())
        });
        let Ok(()) = result;
        values
    }

    /// Returns the row of A that is used as row `row`.
    fn row_of_a(&self, row: usize) -> usize {
        if self.shifts {
            (row + 1).min(self.layout.rows - 1)
        } else {
            row
        }
    }

    /// Returns the rows of A that the lanes of a part have in tensor memory.
    fn tensor_lhs(&self, column: usize, part: usize, tensor: &TensorMemory) -> Vec<f64> {
        let width = self.instruction.stored(self.sparse);
        let packing = self.instruction.a.packing;
        let per = packing.per_register();
        let mut values = vec![0.0; self.layout.rows * width];
        for (row, values) in values.chunks_exact_mut(width).enumerate() {
            let lane = self.layout.lane(self.row_of_a(row), part);
            let words = &tensor.row(lane)[column..];
            for (values, &word) in values.chunks_exact_mut(per).zip(words) {
                packing.unpack(u64::from(word), values);
            }
        }
        values
    }

    fn positions(&self, part: usize, tensor: &TensorMemory) -> Result<Option<Vec<u16>>, Trouble> {
        let Some(column) = self.metadata else {
            return Ok(None);
        };
        let (first, _) = metadata::columns(self.kind, column, self.instruction.selector);
        let word = |lane: usize, column: usize| tensor.row(lane)[column];
        let result = metadata::positions(self.kind, self.layout, part, first as usize, word);
        let positions = result.map_err(|(bits, lane)| {
            let message = format!(
                "the sparsity metadata in lane {lane} have {bits:#06b} for a chunk, which is not a valid selection of elements"
            );
            misuse_at(self.lane, message)
        })?;
        if !self.shifts {
            return Ok(Some(positions));
        }
        let width = self.instruction.stored(true);
        let rows = (0..self.layout.rows).map(|row| self.row_of_a(row) * width);
        Ok(Some(
            rows.flat_map(|start| positions[start..start + width].iter().copied())
                .collect(),
        ))
    }

    /// Computes a part of D of a block.
    fn compute(
        &self,
        part: usize,
        lhs: &Lhs,
        rhs: &[f64],
        tensor: &mut TensorMemory,
        disabled: u128,
    ) {
        let Instruction { d, overflow, .. } = self.instruction;
        let columns = self.columns();
        let to = self.to as usize..self.to as usize + columns;
        let mut sums = vec![0.0; ROWS * columns];
        let mut scaled = Scaled::default();
        for first in (0..self.layout.rows).step_by(ROWS) {
            let rows = first..first + ROWS;
            let width = lhs.width;
            let range = width * rows.start..width * rows.end;
            let mut some = Lhs {
                width,
                values: lhs.values[range.clone()].to_vec(),
                positions: lhs
                    .positions
                    .as_ref()
                    .map(|positions| positions[range].to_vec()),
            };
            if self.instruction.negated {
                some.values.iter_mut().for_each(|value| *value = -*value);
            }
            let rhs = match &self.scales {
                None => rhs,
                Some(scales) => {
                    let quarter = self.layout.lane(first, part) / 32;
                    self.scale_lhs(scales, &mut some, tensor, quarter, rows.clone());
                    let factors = scales.factors(1, tensor, quarter, 0..columns);
                    scaled.rhs(rhs, factors, columns, self.instruction.k)
                }
            };
            for (row, sums) in rows.clone().zip(sums.chunks_exact_mut(columns)) {
                if !self.accumulate {
                    sums.fill(0.0);
                    continue;
                }
                let words = &tensor.row(self.layout.lane(row, part))[to.clone()];
                for (sum, &word) in sums.iter_mut().zip(words) {
                    *sum = d.unpack(u64::from(word), 0) * self.scale_d;
                }
            }
            accumulate(&mut sums, &some, rhs, columns);
            for (row, sums) in rows.zip(sums.chunks_exact(columns)) {
                let lane = self.layout.lane(row, part);
                if disabled >> lane & 1 == 1 {
                    continue;
                }
                let words = &mut tensor.row_mut(lane)[to.clone()];
                for (word, &sum) in words.iter_mut().zip(sums) {
                    // The packed sum has at most 32 bits.
                    *word = d.pack(sum, overflow) as u32;
                }
            }
        }
    }

    fn scale_lhs(
        &self,
        scales: &Scales,
        lhs: &mut Lhs,
        tensor: &TensorMemory,
        quarter: usize,
        rows: std::ops::Range<usize>,
    ) {
        let chunks = scales.scaling.chunks;
        let factors = scales.factors(0, tensor, quarter, rows);
        let depth = self.instruction.k / chunks;
        for (index, value) in lhs.values.iter_mut().enumerate() {
            let k = match &lhs.positions {
                Some(positions) => usize::from(positions[index]),
                None => index % lhs.width,
            };
            *value *= factors[index / lhs.width * chunks + k / depth];
        }
    }
}

/// B multiplied by its scale factors, cached because the quarters mostly have equal factors.
#[derive(Default)]
struct Scaled {
    factors: Vec<f64>,
    values: Vec<f64>,
}

impl Scaled {
    /// Returns B multiplied by `factors`, which are given per column and chunk.
    fn rhs(&mut self, rhs: &[f64], factors: Vec<f64>, columns: usize, k: usize) -> &[f64] {
        let same = |(x, y): (&f64, &f64)| x.to_bits() == y.to_bits();
        let is_cached =
            factors.len() == self.factors.len() && factors.iter().zip(&self.factors).all(same);
        if !is_cached {
            let chunks = factors.len() / columns;
            let depth = k / chunks;
            let scaled = rhs.iter().enumerate().map(|(index, value)| {
                let (k, column) = (index / columns, index % columns);
                value * factors[column * chunks + k / depth]
            });
            self.values = scaled.collect();
            self.factors = factors;
        }
        &self.values
    }
}
