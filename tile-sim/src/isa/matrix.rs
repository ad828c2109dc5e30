//! Moves of 8x8 matrices of 16-bit elements (PTX ISA, `ldmatrix`, `stmatrix`, `movmatrix`).
//!
//! Lane `l` holds the elements `2 * (l % 4)` and the next of row `l / 4`; transposed, of column
//! `l / 4`. Lane `8 * m + r` has the address of row `r` of matrix `m`.

use super::memory::resolve;
use super::types::Type;
use super::{Op, Slot};
use crate::check::Trouble;
use crate::counters::Traffic;
use crate::machine::Cx;
use crate::parse::decoder::{Address, Decoded, Decoder, Slots};
use crate::parse::syntax::Space;

/// A move of matrices.
#[derive(Clone, Debug)]
pub(crate) enum Matrix {
    Load {
        registers: Slots,
        address: Address,
        space: Space,
        transpose: bool,
    },
    Store {
        registers: Slots,
        address: Address,
        space: Space,
        transpose: bool,
    },
    /// Transposes one between registers.
    Move { dest: Slot, src: Slot },
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let opcode = d.opcode();
    d.needs(&[("sync", ())])?;
    d.needs(&[("aligned", ())])?;
    d.needs(&[("m8n8", ())])?;
    if opcode == "movmatrix" {
        d.needs(&[("trans", ())])?;
        d.ty_where(|ty| ty == Type::B16)?;
        d.end(2)?;
        return Ok(Op::Matrix(Matrix::Move {
            dest: d.dest_for(0, Type::B32)?,
            src: d.source(1, Type::B32)?,
        }));
    }
    let count = d.needs(&[("x1", 1), ("x2", 2), ("x4", 4)])?;
    let transpose = d.takes("trans");
    let shared = d.one_of(&[("shared", Space::Shared), ("shared::cta", Space::Shared)]);
    let space = shared.unwrap_or(Space::Generic);
    d.ty_where(|ty| ty == Type::B16)?;
    d.end(2)?;
    Ok(Op::Matrix(if opcode == "ldmatrix" {
        Matrix::Load {
            registers: d.dests(0, count)?,
            address: d.address(1)?,
            space,
            transpose,
        }
    } else {
        Matrix::Store {
            address: d.address(0)?,
            registers: d.sources(1, count, Type::B32)?,
            space,
            transpose,
        }
    }))
}

type Elements = [[u16; 8]; 8];

/// The two elements of a lane.
fn places(lane: usize, transpose: bool) -> [(usize, usize); 2] {
    let (row, column) = (lane / 4, 2 * (lane % 4));
    if transpose {
        [(column, row), (column + 1, row)]
    } else {
        [(row, column), (row, column + 1)]
    }
}

fn fragment(matrix: &Elements, lane: usize, transpose: bool) -> u64 {
    let [low, high] = places(lane, transpose).map(|(row, column)| u64::from(matrix[row][column]));
    low | high << 16
}

fn place(matrix: &mut Elements, lane: usize, transpose: bool, word: u64) {
    let [(row, column), (next_row, next_column)] = places(lane, transpose);
    // The halves of a word.
    matrix[row][column] = word as u16;
    matrix[next_row][next_column] = (word >> 16) as u16;
}

impl Matrix {
    /// Runs for a whole warp.
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        match self {
            Self::Move { dest, src } => {
                let mut matrix = Elements::default();
                for lane in 0..32 {
                    place(&mut matrix, lane, false, cx.registers.get(lane, *src));
                }
                for lane in 0..32 {
                    cx.registers.set(lane, *dest, fragment(&matrix, lane, true));
                }
                cx.registers.define(u32::MAX, *dest);
            }
            Self::Load {
                registers,
                address,
                space,
                transpose,
            } => {
                let bases = cx.registers.row(address.base);
                cx.requests.clear();
                for (index, &dest) in registers.iter().enumerate() {
                    let mut matrix = Elements::default();
                    for (row, elements) in matrix.iter_mut().enumerate() {
                        let lane = 8 * index + row;
                        let at = bases[lane].wrapping_add_signed(address.offset);
                        let (space, at) = resolve(*space, at);
                        let mut bytes = [0; 16];
                        cx.load(lane, space, at, &mut bytes)?;
                        for (element, pair) in elements.iter_mut().zip(bytes.chunks_exact(2)) {
                            *element = u16::from_le_bytes([pair[0], pair[1]]);
                        }
                    }
                    for lane in 0..32 {
                        cx.registers
                            .set(lane, dest, fragment(&matrix, lane, *transpose));
                    }
                }
                cx.count_requests(Traffic::Matrix, 16);
                // Defined after all addresses were read: a destination may be the address.
                super::memory::define(cx, u32::MAX, registers);
            }
            Self::Store {
                registers,
                address,
                space,
                transpose,
            } => {
                let bases = cx.registers.row(address.base);
                cx.requests.clear();
                for (index, &src) in registers.iter().enumerate() {
                    let mut matrix = Elements::default();
                    for lane in 0..32 {
                        place(&mut matrix, lane, *transpose, cx.registers.get(lane, src));
                    }
                    for (row, elements) in matrix.iter().enumerate() {
                        let lane = 8 * index + row;
                        let at = bases[lane].wrapping_add_signed(address.offset);
                        let (space, at) = resolve(*space, at);
                        let mut bytes = [0; 16];
                        for (pair, element) in bytes.chunks_exact_mut(2).zip(elements) {
                            pair.copy_from_slice(&element.to_le_bytes());
                        }
                        cx.store(lane, space, at, &bytes)?;
                    }
                }
                cx.count_requests(Traffic::Matrix, 16);
            }
        }
        Ok(())
    }
}
