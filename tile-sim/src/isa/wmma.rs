//! `wmma.load`, `wmma.store`, `wmma.mma` (PTX ISA, "Matrix multiply-accumulate operation using wmma
//! instructions").
//!
//! The ISA leaves the layout of fragments unspecified. Here the elements of a matrix are numbered,
//! by rows for A, C and D and by columns for B. A lane with `s` slots holds the elements from `s *
//! lane`; if there are more slots than elements, the upper lanes repeat the lower ones:
//!
//! ```text
//! slot i of lane l   element (s * l + i) % (rows * columns)
//! ```

mod forms;

pub(crate) use forms::decode;

use super::mma::element::{Element, Overflow, Packing, Sum};
use super::mma::product::{Lhs, accumulate, accumulate_fused};
use super::soft::Rounding;
use crate::check::{FaultKind, Trouble};
use crate::counters::{Product, Traffic};
use crate::isa::Slot;
use crate::machine::Cx;
use crate::machine::registers::{Registers, Row};
use crate::parse::decoder::{Address, Slots};
use crate::parse::syntax::Space;

/// A `wmma` instruction.
#[derive(Clone, Debug)]
pub(crate) enum Wmma {
    Load(Transfer),
    Store(Transfer),
    Multiply(Multiply),
}

/// The matrix that a fragment belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    A,
    B,
    /// C or D.
    Sums,
}

/// The contiguous dimension of a matrix in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Major {
    Row,
    Column,
}

/// The layout of a fragment.
#[derive(Clone, Copy, Debug)]
struct Fragment {
    role: Role,
    rows: usize,
    columns: usize,
    /// The number of bits per element.
    bits: usize,
    /// The number of registers per lane.
    registers: usize,
}

/// A load or store of a fragment.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    fragment: Fragment,
    major: Major,
    registers: Slots,
    address: Address,
    space: Space,
    /// The number of elements from one row (or column) to the next.
    stride: Option<Slot>,
}

/// A `wmma.mma`.
#[derive(Clone, Debug)]
pub(crate) struct Multiply {
    shape: [usize; 3],
    a: Packing,
    b: Packing,
    c: Sum,
    d: Sum,
    overflow: Overflow,
    rounding: Rounding,
    /// `.xor.popc`.
    xor: bool,
    dests: Slots,
    a_slots: Slots,
    b_slots: Slots,
    c_slots: Slots,
}

impl Fragment {
    fn per_register(&self) -> usize {
        if self.bits == 64 { 1 } else { 32 / self.bits }
    }

    /// Returns the row and the column of a slot.
    fn place(&self, lane: usize, slot: usize) -> (usize, usize) {
        let slots = self.registers * self.per_register();
        let number = (slots * lane + slot) % (self.rows * self.columns);
        if self.role == Role::B {
            (number % self.rows, number / self.rows)
        } else {
            (number / self.columns, number % self.columns)
        }
    }

    /// Calls `f` with the lane, the register, the position in the register and the row-major matrix
    /// position of each element.
    fn each(&self, mut f: impl FnMut(usize, usize, usize, usize)) {
        let per = self.per_register();
        for lane in 0..32 {
            for slot in 0..self.registers * per {
                let (row, column) = self.place(lane, slot);
                f(lane, slot / per, slot % per, self.columns * row + column);
            }
        }
    }
}

impl Transfer {
    /// Returns the start address and the stride in bits, which must be uniform over the warp.
    fn place(&self, cx: &Cx<'_, '_>) -> Result<(Space, u64, u64), Trouble> {
        let r = &cx.registers;
        let misuse = |lane, message: String| Trouble::at(lane, FaultKind::MatrixMisuse(message));
        let bases = r.row_ref(self.address.base);
        if let Some(lane) = bases.iter().position(|&base| base != bases[0]) {
            let message = "the lanes of the warp have different addresses".into();
            return Err(misuse(lane, message));
        }
        let min = match self.major {
            Major::Row => self.fragment.columns,
            Major::Column => self.fragment.rows,
        };
        let stride = match self.stride {
            None => min as u64,
            Some(slot) => {
                let strides = r.row_ref(slot);
                if let Some(lane) = strides.iter().position(|&stride| stride != strides[0]) {
                    let message = "the lanes of the warp have different strides".into();
                    return Err(misuse(lane, message));
                }
                strides[0] & 0xffff_ffff
            }
        };
        let start = self.address.at(bases[0]);
        let (space, start) = cx.resolve(self.space, start);
        if !matches!(space, Space::Global | Space::Shared | Space::Generic) {
            let message = format!("the address {start:#x} is in neither global nor shared memory");
            return Err(misuse(0, message));
        }
        // Rows are aligned to the fragment (PTX ISA, "wmma.load"); `nvcuda::wmma` requires 16
        // bytes.
        let align = (self.fragment.registers * self.fragment.bits.max(32) / 8).min(16) as u64;
        let bits = stride * self.fragment.bits as u64;
        if !start.is_multiple_of(align) {
            let kind = FaultKind::Misaligned {
                space: if space == Space::Shared {
                    "shared"
                } else {
                    "global"
                },
                address: start,
                bytes: align,
            };
            return Err(Trouble::at(0, kind));
        }
        if !bits.is_multiple_of(8 * align) {
            let message = format!(
                "a stride of {stride} elements; rows must begin at multiples of {align} bytes"
            );
            return Err(misuse(0, message));
        }
        Ok((space, start, bits))
    }

    /// Returns the bit offset of an element from the start address.
    fn bit(&self, stride: u64, row: usize, column: usize) -> u64 {
        let (line, along) = match self.major {
            Major::Row => (row, column),
            Major::Column => (column, row),
        };
        line as u64 * stride + (along * self.fragment.bits) as u64
    }

    /// Returns the pieces of a lane's register `register`: the address of each, and its lowest bit
    /// in the register. Elements that are adjacent in memory form one piece.
    fn pieces(&self, stride: u64, lane: usize, register: usize) -> (u64, Vec<(u64, u32)>) {
        let per = self.fragment.per_register();
        let places: Vec<u64> = (0..per)
            .map(|within| {
                let (row, column) = self.fragment.place(lane, per * register + within);
                self.bit(stride, row, column)
            })
            .collect();
        let bits = self.fragment.bits as u64;
        let joined = places.windows(2).all(|pair| pair[1] == pair[0] + bits);
        if joined {
            return (bits.max(32) / 8, vec![(places[0] / 8, 0)]);
        }
        let pieces = places.iter().enumerate().map(|(within, place)| {
            // The bit position is at most 32.
            (place / 8, (within as u64 * bits) as u32)
        });
        (bits / 8, pieces.collect())
    }

    fn load(&self, cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        let (space, address, stride) = self.place(cx)?;
        let mut results: Vec<Row> = Vec::with_capacity(self.registers.len());
        for register in 0..self.registers.len() {
            cx.requests.clear();
            let mut row = [0; 32];
            let mut size = 0;
            for (lane, word) in row.iter_mut().enumerate() {
                let (bytes, pieces) = self.pieces(stride, lane, register);
                size = bytes;
                for (offset, bit) in pieces {
                    let mut buffer = [0; 8];
                    // The piece has at most eight bytes.
                    cx.load(lane, space, address + offset, &mut buffer[..bytes as usize])?;
                    *word |= u64::from_le_bytes(buffer) << bit;
                }
            }
            cx.count_requests(Traffic::Load, size);
            results.push(row);
        }
        for (&dest, row) in self.registers.iter().zip(&results) {
            cx.registers.write(u32::MAX, dest, row);
        }
        Ok(())
    }

    fn store(&self, cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        let (space, address, stride) = self.place(cx)?;
        for (register, &src) in self.registers.iter().enumerate() {
            cx.requests.clear();
            let row = cx.registers.row(src);
            let mut size = 0;
            for (lane, word) in row.iter().enumerate() {
                let (bytes, pieces) = self.pieces(stride, lane, register);
                size = bytes;
                for (offset, bit) in pieces {
                    let buffer = (word >> bit).to_le_bytes();
                    // The piece has at most eight bytes.
                    cx.store(lane, space, address + offset, &buffer[..bytes as usize])?;
                }
            }
            cx.count_requests(Traffic::Store, size);
        }
        Ok(())
    }
}

impl Multiply {
    fn fragment(&self, role: Role) -> Fragment {
        let [m, n, k] = self.shape;
        let (rows, columns, bits, registers) = match role {
            Role::A => (m, k, self.a.bits, self.a_slots.len()),
            Role::B => (k, n, self.b.bits, self.b_slots.len()),
            Role::Sums => (m, n, 0, 0),
        };
        Fragment {
            role,
            rows,
            columns,
            bits,
            registers,
        }
    }

    fn sums(&self, sum: Sum, registers: usize) -> Fragment {
        let bits = match sum {
            Sum::F16 => 16,
            Sum::F32 | Sum::S32 => 32,
            Sum::F64 => 64,
        };
        Fragment {
            bits,
            registers,
            ..self.fragment(Role::Sums)
        }
    }

    /// Returns the numbers of a multiplicand in row-major order.
    fn numbers(&self, r: &Registers, role: Role, packing: Packing, slots: &Slots) -> Vec<f64> {
        let fragment = self.fragment(role);
        let mut matrix = vec![0.0; fragment.rows * fragment.columns];
        let mut numbers = [0.0; 32];
        let per = fragment.per_register();
        fragment.each(|lane, register, within, element| {
            if within == 0 {
                packing.unpack(r.get(lane, slots[register]), &mut numbers[..per]);
            }
            matrix[element] = numbers[within];
        });
        matrix
    }

    fn execute(&self, r: &mut Registers) {
        let [m, n, k] = self.shape;
        let mut lhs = Lhs::dense(m, k);
        lhs.values = self.numbers(r, Role::A, self.a, &self.a_slots);
        let mut rhs = self.numbers(r, Role::B, self.b, &self.b_slots);
        let mut sums = vec![0.0; m * n];
        self.sums(self.c, self.c_slots.len())
            .each(|lane, register, within, element| {
                sums[element] = self.c.unpack(r.get(lane, self.c_slots[register]), within);
            });
        if self.xor {
            super::mma::differ(&mut lhs, &mut rhs, &mut sums, k);
        }
        if self.a.element == Element::F64 {
            accumulate_fused(&mut sums, &lhs, &rhs, n, self.rounding);
        } else {
            accumulate(&mut sums, &lhs, &rhs, n);
        }
        let mut results: Vec<Row> = vec![[0; 32]; self.dests.len()];
        self.sums(self.d, self.dests.len())
            .each(|lane, register, within, element| {
                let bits = self.d.pack(sums[element], self.overflow);
                results[register][lane] |= bits << (16 * within);
            });
        for (&dest, row) in self.dests.iter().zip(&results) {
            r.write(u32::MAX, dest, row);
        }
    }
}

impl Wmma {
    /// Executes the instruction for a whole warp.
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        match self {
            Self::Load(transfer) => transfer.load(cx),
            Self::Store(transfer) => transfer.store(cx),
            Self::Multiply(multiply) => {
                let [m, n, k] = multiply.shape;
                cx.counters.product(Product::Mma, (m * n * k) as u64);
                multiply.execute(cx.registers);
                Ok(())
            }
        }
    }
}
