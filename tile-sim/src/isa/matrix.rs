//! Matrix moves between shared memory and registers (PTX ISA, `ldmatrix`, `stmatrix`, `movmatrix`).
//!
//! A row of a matrix in memory has 16 bytes; the lanes provide the row addresses in order. With `g
//! = lane / 4` and `t = lane % 4`, a register holds these elements of the rows in memory:
//!
//! ```text
//! m8n8   .b16          row g, elements 2t and 2t + 1
//!        .b16 .trans   element g of the rows 2t and 2t + 1
//! m8n16                row g, bytes 4t to 4t + 3
//! m16n8  .trans        bytes g and, above, g + 8 of the rows 2t and 2t + 1
//! m16n16 .trans        the same of the rows 4t and 4t + 1; the second register of 4t + 2, 4t + 3
//! ```

use super::types::Type;
use super::{Op, Slot};
use crate::check::{FaultKind, Trouble};
use crate::counters::Traffic;
use crate::machine::Cx;
use crate::parse::decoder::{Address, Decoded, Decoder, Slots};
use crate::parse::syntax::Space;
use crate::parse::target::Target;

/// A matrix move.
#[derive(Clone, Debug)]
pub(crate) enum Matrix {
    Load(Transfer),
    Store(Transfer),
    /// `movmatrix`: transposes a matrix between registers.
    Move {
        dest: Slot,
        src: Slot,
    },
}

/// A move from or to shared memory.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    registers: Slots,
    address: Address,
    space: Space,
    layout: Layout,
    format: Format,
}

/// The mapping of matrix bytes to registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// `.m8n8`, `.m8n16`
    Rows,
    /// `.m8n8.trans`
    Columns,
    /// `.m16n8.trans`
    ByteColumns,
    /// `.m16n16.trans`
    TallByteColumns,
}

/// The element format of a row in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// 16 bytes.
    Bytes,
    /// 16 elements of 6 bits, then 32 bits of padding (`.b6x16_p32`).
    Six,
    /// 16 elements of 4 bits, then 64 bits of padding (`.b4x16_p64`).
    Four,
}

impl Layout {
    /// Returns the number of rows of a matrix.
    const fn rows(self) -> usize {
        match self {
            Self::Rows | Self::Columns | Self::ByteColumns => 8,
            Self::TallByteColumns => 16,
        }
    }

    /// Returns the number of registers per lane and matrix.
    const fn registers(self) -> usize {
        self.rows() / 8
    }

    /// Returns the row, and the byte in it, of byte `byte` of register `register`.
    const fn place(self, lane: usize, register: usize, byte: usize) -> (usize, usize) {
        let (g, t) = (lane / 4, lane % 4);
        match self {
            Self::Rows => (g, 4 * t + byte),
            Self::Columns => (2 * t + byte / 2, 2 * g + byte % 2),
            Self::ByteColumns => (2 * t + byte % 2, g + 8 * (byte / 2)),
            Self::TallByteColumns => (4 * t + 2 * register + byte % 2, g + 8 * (byte / 2)),
        }
    }
}

impl Format {
    /// Returns the number of bytes of a row, of 16, that hold elements; padding follows them.
    pub(crate) fn bytes(self) -> u64 {
        match self {
            Self::Bytes => 16,
            Self::Six => 12,
            Self::Four => 8,
        }
    }

    /// Expands the elements of a row to bytes.
    ///
    /// The layout is that of `mma` operands ("individual 4-bit and 6-bit ... in an 8-bit
    /// container"): four bits in the middle, six at the bottom.
    pub(crate) fn expanded(self, row: [u8; 16]) -> [u8; 16] {
        let bits = u128::from_le_bytes(row);
        match self {
            Self::Bytes => row,
            Self::Six => std::array::from_fn(|index| (bits >> (6 * index)) as u8 & 0x3f),
            Self::Four => std::array::from_fn(|index| ((bits >> (4 * index)) as u8 & 0xf) << 2),
        }
    }
}

const COUNTS: [(&str, usize); 3] = [("x1", 1), ("x2", 2), ("x4", 4)];

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let opcode = d.opcode();
    d.needs(&[("sync", ())])?;
    d.needs(&[("aligned", ())])?;
    if opcode == "movmatrix" {
        d.needs(&[("m8n8", ())])?;
        d.needs(&[("trans", ())])?;
        d.ty_where(|ty| ty == Type::B16)?;
        d.end(2)?;
        d.requires((7, 8), 75)?;
        return Ok(Op::Matrix(Matrix::Move {
            dest: d.dest_for(0, Type::B32)?,
            src: d.source(1, Type::B32)?,
        }));
    }
    let shapes: &[(&str, &str)] = if opcode == "ldmatrix" {
        &[("m8n8", "m8n8"), ("m16n16", "m16n16"), ("m8n16", "m8n16")]
    } else {
        &[("m8n8", "m8n8"), ("m16n8", "m16n8")]
    };
    // The count is accepted either before or after the shape.
    let before = d.one_of(&COUNTS);
    let shape = d.needs(shapes)?;
    let count = match before {
        Some(count) => count,
        None => d.needs(&COUNTS)?,
    };
    let transpose = d.takes("trans");
    let shared = d.one_of(&[("shared", Space::Shared), ("shared::cta", Space::Shared)]);
    let format = match shape {
        "m8n8" => {
            d.ty_where(|ty| ty == Type::B16)?;
            Format::Bytes
        }
        _ if shape != "m8n16" && d.takes("b8") => Format::Bytes,
        "m16n8" => return d.unexpected(),
        _ => {
            d.needs(&[("b8x16", ())])?;
            d.needs(&[("b6x16_p32", Format::Six), ("b4x16_p64", Format::Four)])?
        }
    };
    let layout = match (shape, transpose) {
        ("m8n8" | "m8n16", false) => Layout::Rows,
        ("m8n8", true) => Layout::Columns,
        ("m16n8", true) => Layout::ByteColumns,
        ("m16n16", true) if count <= 2 => Layout::TallByteColumns,
        _ => return d.error("the PTX ISA does not define this form"),
    };
    d.end(2)?;
    let load = opcode == "ldmatrix";
    if shape == "m8n8" {
        let (version, min) = if load { ((6, 5), 75) } else { ((7, 8), 90) };
        d.requires(version, min)?;
    } else {
        let families = [100, 110, 120].map(Target::family);
        d.requires_one_of((8, 6), &families)?;
    }
    let (vector, address) = if load { (0, 1) } else { (1, 0) };
    if !d.is_vector(vector) {
        return d.error("the registers must be in braces");
    }
    let registers = count * layout.registers();
    let transfer = Transfer {
        registers: if load {
            d.dests(vector, registers)?
        } else {
            d.sources(vector, registers, Type::B32)?
        },
        address: d.address(address)?,
        space: shared.unwrap_or(Space::Generic),
        layout,
        format,
    };
    Ok(Op::Matrix(if load {
        Matrix::Load(transfer)
    } else {
        Matrix::Store(transfer)
    }))
}

/// The rows of one matrix.
type Rows = [[u8; 16]; 16];

impl Transfer {
    /// Returns the address of a row of matrix `index`.
    fn row_address(
        &self,
        cx: &Cx<'_, '_>,
        bases: &[u64; 32],
        lane: usize,
    ) -> Result<(Space, u64), Trouble> {
        let address = self.address.at(bases[lane]);
        let (space, address) = cx.resolve(self.space, address);
        if space == Space::Shared {
            return Ok((space, address));
        }
        let message = format!("the address {address:#x} is not in shared memory");
        Err(Trouble::at(lane, FaultKind::MatrixMisuse(message)))
    }

    fn load(&self, cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        let bases = cx.registers.row(self.address.base);
        let per = self.layout.registers();
        cx.requests.clear();
        let mut results = Vec::with_capacity(self.registers.len());
        for index in 0..self.registers.len() / per {
            let mut rows: Rows = [[0; 16]; 16];
            for (row, bytes) in rows[..self.layout.rows()].iter_mut().enumerate() {
                let lane = self.layout.rows() * index + row;
                let (space, address) = self.row_address(cx, &bases, lane)?;
                self.load_row(cx, lane, space, address, bytes)?;
                *bytes = self.format.expanded(*bytes);
            }
            if self.layout == Layout::Rows {
                results.push(std::array::from_fn(|lane| {
                    let quarters = rows[lane / 4].as_chunks::<4>().0;
                    u64::from(u32::from_le_bytes(quarters[lane % 4]))
                }));
                continue;
            }
            for register in 0..per {
                results.push(std::array::from_fn(|lane| {
                    (0..4).fold(0, |word, byte| {
                        let (row, offset) = self.layout.place(lane, register, byte);
                        word | u64::from(rows[row][offset]) << (8 * byte)
                    })
                }));
            }
        }
        cx.count_requests(Traffic::Matrix, 16);
        for (&dest, row) in self.registers.iter().zip(&results) {
            cx.registers.write(u32::MAX, dest, row);
        }
        Ok(())
    }

    /// Loads a row without its padding.
    fn load_row(
        &self,
        cx: &mut Cx<'_, '_>,
        lane: usize,
        space: Space,
        row_start: u64,
        bytes: &mut [u8; 16],
    ) -> Result<(), Trouble> {
        if self.format == Format::Bytes {
            return cx.load(lane, space, row_start, bytes);
        }
        if !row_start.is_multiple_of(16) {
            let kind = FaultKind::Misaligned {
                space: "shared",
                address: row_start,
                bytes: 16,
            };
            return Err(Trouble::at(lane, kind));
        }
        cx.load(lane, space, row_start, &mut bytes[..8])?;
        if self.format == Format::Six {
            cx.load(lane, space, row_start + 8, &mut bytes[8..12])?;
        }
        Ok(())
    }

    fn store(&self, cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        let bases = cx.registers.row(self.address.base);
        let per = self.layout.registers();
        cx.requests.clear();
        for (index, sources) in self.registers.chunks(per).enumerate() {
            let mut rows: Rows = [[0; 16]; 16];
            for (register, &src) in sources.iter().enumerate() {
                for (lane, word) in cx.registers.row_ref(src).iter().enumerate() {
                    for byte in 0..4 {
                        let (row, offset) = self.layout.place(lane, register, byte);
                        rows[row][offset] = (word >> (8 * byte)) as u8;
                    }
                }
            }
            for (row, bytes) in rows[..self.layout.rows()].iter().enumerate() {
                let lane = self.layout.rows() * index + row;
                let (space, address) = self.row_address(cx, &bases, lane)?;
                cx.store(lane, space, address, bytes)?;
            }
        }
        cx.count_requests(Traffic::Matrix, 16);
        Ok(())
    }
}

impl Matrix {
    /// Executes the move for a whole warp.
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        match self {
            Self::Load(transfer) => transfer.load(cx),
            Self::Store(transfer) => transfer.store(cx),
            Self::Move { dest, src } => {
                let row = cx.registers.row(*src);
                let moved = std::array::from_fn(|lane| {
                    (0..2).fold(0, |word, half| {
                        // Element (lane / 4, 2 * (lane % 4) + half) of the transposed matrix.
                        let (from_row, column) = (2 * (lane % 4) + half, lane / 4);
                        let element = row[4 * from_row + column / 2] >> (16 * (column % 2));
                        word | (element & 0xffff) << (16 * half)
                    })
                });
                cx.registers.write(u32::MAX, *dest, &moved);
                Ok(())
            }
        }
    }
}
