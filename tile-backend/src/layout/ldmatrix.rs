//! Plans to load a tile from shared memory with `ldmatrix`.
//!
//! `ldmatrix` reads 8x8 matrices of 16-bit units (PTX ISA, "ldmatrix"): each row is 16 contiguous bytes, its
//! address comes from one lane, and each lane receives 4 bytes of each matrix.
//!
//! ```text
//!   address of row j of matrix i        from lane 8i + j
//!   lane l receives of matrix i         row l/4, units 2(l%4) and 2(l%4)+1
//!   lane l receives, with .trans        column l/4, rows 2(l%4) and 2(l%4)+1
//! ```
//!
//! In terms of the offsets of `memory^-1` after `registers`, with `w` elements per 32-bit word, a plain load
//! needs registers covering offsets `0 .. w`, lane bits 0 and 1 at offsets `w` and `2w`, and everything else
//! at multiples of 16 bytes. A transposed load of 16-bit elements needs lane bits 2 to 4 at offsets 1, 2 and
//! 4, and everything else at multiples of 16 bytes; register bit 0 is then the pair within a word, as in the
//! mma operand layouts. A transposed load of bytes needs lane bits 2 to 4 at offsets 2, 4 and 8 and a
//! register bit at offset 1, as in [`interleaved`](super::interleaved) layouts: a byte permutation rearranges
//! two results of four bytes into two words.

use std::collections::BTreeMap;

use super::access::{RegisterCopy, vector_plan};
use super::address::{AddressParts, offset_columns};
use super::f2::{self, Span};
use super::linear::LinearLayout;
use super::place::{InBits, InDim, Register};
use super::shape::Axis;

const ROW_BITS: u32 = 128;

/// The number of matrices that one instruction loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatrixCount {
    /// `.x1`: lanes 0 to 7 give addresses.
    X1,
    /// `.x2`: lanes 0 to 15 give addresses.
    X2,
    /// `.x4`: all lanes give addresses.
    X4,
}

impl MatrixCount {
    /// Returns the number of matrices.
    pub fn matrices(self) -> usize {
        1 << self.log2()
    }

    fn log2(self) -> usize {
        match self {
            Self::X1 => 0,
            Self::X2 => 1,
            Self::X4 => 2,
        }
    }
}

/// One `ldmatrix`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LdmatrixInstruction {
    /// The constant part of every lane's offset, in elements, which is combined with the runtime part by XOR,
    /// as in [`AddressParts`].
    pub offset: u64,
    /// For each matrix, the registers in its 32-bit result, lowest bits first.
    pub destinations: Vec<Vec<Register>>,
}

/// The instructions that load a tile's registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LdmatrixPlan {
    /// `true` if the instructions have `.trans`.
    pub transposed: bool,
    /// Matrices per instruction.
    pub count: MatrixCount,
    /// The offset, in elements, of the row whose address a lane gives: the runtime part
    /// from lane, warp and block, and one constant per instruction.
    pub row_offset: AddressParts,
    /// The instructions; `row_offset.constants[i]` is `instructions[i].offset`.
    pub instructions: Vec<LdmatrixInstruction>,
    /// Registers that no instruction fills.
    pub copies: Vec<RegisterCopy>,
}

/// Returns the plan to load the tile from `memory` into `registers`, or `None` if `ldmatrix` does not deliver
/// this layout; a plain load is then needed. Prefers the most matrices per instruction.
pub fn ldmatrix_plan(
    registers: &LinearLayout,
    memory: &LinearLayout,
    element_bits: u32,
) -> Option<LdmatrixPlan> {
    if !matches!(element_bits, 8 | 16 | 32) || registers.bases(InDim::Lane).len() != 5 {
        return None;
    }
    let tile = Tile::new(registers, memory, element_bits)?;
    tile.plain().or_else(|| tile.transposed())
}

/// Returns the plan to store the tile from `registers` to `memory` with `stmatrix`, which moves the same
/// matrices in the other direction. Of replicated registers, only one is stored. Returns `None` if `stmatrix`
/// cannot store this layout, or if lanes are replicated.
pub fn stmatrix_plan(
    registers: &LinearLayout,
    memory: &LinearLayout,
    element_bits: u32,
) -> Option<LdmatrixPlan> {
    let plan = ldmatrix_plan(registers, memory, element_bits)?;
    // For transposed bytes, two words would have to be merged first.
    let is_word = !plan.transposed || element_bits == 16;
    (is_word && registers.free_mask(InDim::Lane) == 0).then_some(plan)
}

/// Returns the layout in which a transposing load of bytes reads memory: each lane holds a row of 16 bytes
/// along `axis`. Returns `None` if such a load cannot deliver `registers` from any memory layout.
pub fn matrix_rows(registers: &LinearLayout, axis: Axis) -> Option<LinearLayout> {
    let shape = registers.shape();
    let along = |number: u64| shape.on_axis(axis, number);
    let register_bases = registers.bases(InDim::Register);
    let lanes = registers.bases(InDim::Lane);
    let is_delivered = shape.size(axis) >= 16
        && lanes.len() == 5
        && lanes[2..] == [along(2), along(4), along(8)]
        && register_bases
            .iter()
            .skip(2)
            .any(|&basis| basis == along(1));
    if !is_delivered {
        return None;
    }
    let mut rows = vec![register_bases[1], lanes[0], lanes[1]];
    let others = register_bases.iter().enumerate();
    rows.extend(
        others.filter_map(|(bit, &basis)| (bit != 1 && basis != along(1)).then_some(basis)),
    );
    rows.truncate(5);
    rows.resize(5, 0);
    let row = [1, 2, 4, 8].map(along).to_vec();
    let bases = [
        (InDim::Register, row),
        (InDim::Lane, rows),
        (InDim::Warp, registers.bases(InDim::Warp).to_vec()),
    ];
    Some(LinearLayout::new(shape.clone(), bases))
}

/// The offsets of the bits of a register layout in memory.
struct Tile<'a> {
    registers: &'a LinearLayout,
    memory: &'a LinearLayout,
    element_bits: u32,
    /// Offsets of the register bits.
    steps: Vec<u64>,
    lanes: Vec<u64>,
    /// Offsets of the warp and block bits.
    outer: Vec<u64>,
}

/// Matrices, with the offsets of the rows of matrix 0.
struct Matrices {
    /// For each matrix, its offset and registers, by increasing offset.
    each: BTreeMap<u64, Vec<Register>>,
    /// Offsets of the three bits of a row number.
    rows: [u64; 3],
    copies: Vec<RegisterCopy>,
}

impl<'a> Tile<'a> {
    fn new(
        registers: &'a LinearLayout,
        memory: &'a LinearLayout,
        element_bits: u32,
    ) -> Option<Self> {
        let columns = offset_columns(registers, memory)?;
        let (register_columns, rest) = columns.split_at(registers.bases(InDim::Register).len());
        let (lanes, outer) = rest.split_at(5);
        Some(Self {
            registers,
            memory,
            element_bits,
            steps: register_columns.to_vec(),
            lanes: lanes.to_vec(),
            outer: outer.to_vec(),
        })
    }

    /// Returns `true` if an offset is a multiple of 16 bytes.
    fn is_row_start(&self, offset: u64) -> bool {
        offset.is_multiple_of(u64::from(ROW_BITS / self.element_bits))
    }

    fn plain(&self) -> Option<LdmatrixPlan> {
        let word = u64::from(32 / self.element_bits);
        let &[first, second, row0, row1, row2] = self.lanes.as_slice() else {
            return None;
        };
        if first != word || second != 2 * word {
            return None;
        }
        let vectors = vector_plan(self.registers, self.memory, word)?;
        if vectors.width_elements != word {
            return None;
        }
        let each = vectors
            .groups
            .into_iter()
            .map(|group| (group.offset, group.registers))
            .collect();
        self.plan(
            false,
            Matrices {
                each,
                rows: [row0, row1, row2],
                copies: vectors.copies,
            },
        )
    }

    fn transposed(&self) -> Option<LdmatrixPlan> {
        let &[row1, row2, first, second, third] = self.lanes.as_slice() else {
            return None;
        };
        // `row` is the register bit of the two rows of a word; for bytes, `beside` is that of two neighbours.
        let (row, beside) = match self.element_bits {
            16 if [first, second, third] == [1, 2, 4] => (0, None),
            8 if [first, second, third] == [2, 4, 8] => {
                (1, Some(self.steps.iter().position(|&offset| offset == 1)?))
            }
            _ => return None,
        };
        let &row0 = self.steps.get(row)?;
        if beside.is_some_and(|beside| beside < 2) {
            return None;
        }
        let (row, beside) = (1 << row, beside.map_or(0, |bit| 1 << bit));
        let mut each: BTreeMap<u64, Vec<Register>> = BTreeMap::new();
        let mut copies = Vec::new();
        for low in self.registers.registers() {
            if low.0 & (row | beside) != 0 {
                continue;
            }
            let units = [low.0, low.0 | row];
            let word: Vec<Register> = if beside == 0 {
                units.map(Register).to_vec()
            } else {
                let bytes = units.map(|unit| [Register(unit), Register(unit | beside)]);
                bytes.concat()
            };
            match each.get(&f2::apply(&self.steps, u64::from(low.0))) {
                None => drop(each.insert(f2::apply(&self.steps, u64::from(low.0)), word)),
                Some(originals) => {
                    let together = word.into_iter().zip(originals);
                    copies.extend(
                        together.map(|(register, &original)| RegisterCopy { register, original }),
                    );
                }
            }
        }
        self.plan(
            true,
            Matrices {
                each,
                rows: [row0, row1, row2],
                copies,
            },
        )
    }

    fn plan(&self, transposed: bool, matrices: Matrices) -> Option<LdmatrixPlan> {
        let Matrices { each, rows, copies } = matrices;
        let mut starts = each.keys().chain(&rows).chain(&self.outer);
        if !starts.all(|&offset| self.is_row_start(offset)) {
            return None;
        }
        // The matrices' offsets are a subspace. Matrices of the first registers are loaded together: an MMA
        // takes operands in consecutive registers, and the results of one instruction are consecutive
        // registers too; otherwise every operand costs moves.
        let mut by_register: Vec<(&Vec<Register>, u64)> = each
            .iter()
            .map(|(&offset, registers)| (registers, offset))
            .collect();
        by_register.sort_unstable();
        let mut basis: Vec<u64> = Vec::new();
        for (_, offset) in by_register {
            if !Span::from_vectors(basis.iter().copied()).contains(offset) {
                basis.push(offset);
            }
        }
        let count = match basis.len() {
            0 => MatrixCount::X1,
            1 => MatrixCount::X2,
            _ => MatrixCount::X4,
        };
        let (within, across) = basis.split_at(count.log2());
        let instructions: Vec<LdmatrixInstruction> = (0..1u64 << across.len())
            .map(|index| {
                let offset = f2::apply(across, index);
                let destinations = (0..count.matrices() as u64)
                    .map(|matrix| {
                        let start = offset ^ f2::apply(within, matrix);
                        each.get(&start).cloned()
                    })
                    .collect::<Option<_>>()?;
                Some(LdmatrixInstruction {
                    offset,
                    destinations,
                })
            })
            .collect::<Option<_>>()?;
        let mut lanes = rows.to_vec();
        lanes.extend(within);
        lanes.resize(5, 0);
        let mut columns = across.to_vec();
        columns.extend(lanes);
        columns.extend(&self.outer);
        let bits = self.registers.in_bits();
        let bits = InBits::distributed(
            u32::try_from(across.len()).expect("a dimension has at most 31 bits"),
            5,
            bits.bits(InDim::Warp),
            bits.bits(InDim::Block),
        );
        Some(LdmatrixPlan {
            transposed,
            count,
            row_offset: AddressParts::from_columns(bits, &columns),
            instructions,
            copies,
        })
    }
}
