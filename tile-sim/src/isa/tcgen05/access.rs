//! `tcgen05.ld`, `tcgen05.st` and `tcgen05.wait`.
//!
//! Registers that a load writes may be used immediately: "an intra-thread ordering through true
//! register dependency will be respected regardless of the presence or absence of other forms of
//! synchronization" (PTX ISA, "Register dependencies, same thread"). Without `tcgen05.wait::ld`,
//! only later accesses to the tensor memory that the load reads are unordered.

use super::{address_of_cell, aligned, cell_address, misuse, uniform};
use crate::check::Trouble;
use crate::check::stamp::SEVERAL;
use crate::check::tensor::Kind;
use crate::isa::Slot;
use crate::isa::float::extreme;
use crate::isa::soft::F32;
use crate::isa::types::Type;
use crate::machine::Cx;
use crate::machine::registers::{Registers, Row};
use crate::machine::tensor_memory::{Cells, QUARTER};
use crate::parse::decoder::{Address, Decoded, Decoder, Slots};
use crate::parse::syntax::Operand;

/// The direction of a move between registers and tensor memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Load,
    Store,
}

/// `tcgen05.wait`: the accesses of the warp to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// `::ld`.
    Loads,
    /// `::st`.
    Stores,
}

/// The lanes of tensor memory, and the bits of each, that one repetition moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `.16x64b`.
    Lanes16Bits64,
    /// `.16x128b`.
    Lanes16Bits128,
    /// `.16x256b`.
    Lanes16Bits256,
    /// `.32x32b`.
    Lanes32Bits32,
    /// `.16x32bx2`: 32 bits at the address, and 32 bits `offset` columns after it.
    Lanes16Twice { offset: i32 },
}

impl Shape {
    /// Returns the number of registers per thread and repetition.
    fn registers(self) -> usize {
        match self {
            Self::Lanes16Bits64 | Self::Lanes32Bits32 | Self::Lanes16Twice { .. } => 1,
            Self::Lanes16Bits128 => 2,
            Self::Lanes16Bits256 => 4,
        }
    }

    fn lanes(self) -> u32 {
        match self {
            Self::Lanes32Bits32 => 32,
            Self::Lanes16Bits64
            | Self::Lanes16Bits128
            | Self::Lanes16Bits256
            | Self::Lanes16Twice { .. } => 16,
        }
    }

    /// Returns the lane and the column, relative to the address, of a thread's register (PTX ISA,
    /// "Matrix fragments").
    fn cell(self, thread: u32, register: u32) -> (u32, u32) {
        let (quad, within) = (thread / 4, thread % 4);
        match self {
            Self::Lanes32Bits32 => (thread, register),
            Self::Lanes16Twice { .. } => (thread % 16, register),
            Self::Lanes16Bits64 => (within % 2 * 8 + quad, within / 2 + register * 2),
            Self::Lanes16Bits128 => (quad + register % 2 * 8, within + register / 2 * 4),
            Self::Lanes16Bits256 => (
                quad + register / 2 % 2 * 8,
                within * 2 + register % 2 + register / 4 * 8,
            ),
        }
    }

    /// Returns the first column of a thread for an address with `column`.
    fn column(self, thread: u32, column: u32) -> u32 {
        match self {
            Self::Lanes16Twice { offset } if thread >= 16 => column.wrapping_add_signed(offset),
            _ => column,
        }
    }
}

/// A `tcgen05.ld` or `tcgen05.st`.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    direction: Direction,
    shape: Shape,
    /// `.pack::16b`, `.unpack::16b`: a register holds the lower halves of two columns.
    halves: bool,
    address: Address,
    registers: Slots,
    reduction: Option<Reduction>,
}

/// `.red`: the minimum or maximum of the values that a thread loads.
#[derive(Clone, Copy, Debug)]
struct Reduction {
    dest: Slot,
    extreme: Extreme,
    ty: ReducedType,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extreme {
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReducedType {
    U32,
    S32,
    F32 {
        /// `.abs`: compares magnitudes.
        magnitudes: bool,
        /// `.NaN`: the result is NaN if a value is.
        nan: bool,
    },
}

const EXTREMES: [(&str, Extreme); 2] = [("min", Extreme::Min), ("max", Extreme::Max)];

/// Decodes the operation and the type after the shape, in either order.
fn decode_reduction(d: &mut Decoder<'_>) -> Decoded<(Extreme, ReducedType)> {
    let float = ReducedType::F32 {
        magnitudes: false,
        nan: false,
    };
    let types = [
        ("u32", ReducedType::U32),
        ("s32", ReducedType::S32),
        ("f32", float),
    ];
    let before = d.one_of(&types);
    let extreme = d.needs(&EXTREMES)?;
    let (mut magnitudes, mut nan) = (false, false);
    loop {
        let flag = match d.peek() {
            Some("abs") => &mut magnitudes,
            Some("NaN") => &mut nan,
            _ => break,
        };
        if std::mem::replace(flag, true) {
            return d.unexpected();
        }
        let _ = d.takes("abs") || d.takes("NaN");
    }
    let ty = match before {
        Some(ty) => ty,
        None => d.needs(&types)?,
    };
    match ty {
        ReducedType::F32 { .. } => Ok((extreme, ReducedType::F32 { magnitudes, nan })),
        ReducedType::U32 | ReducedType::S32 if magnitudes || nan => {
            d.error("`.abs` and `.NaN` are for `.f32`")
        }
        ReducedType::U32 | ReducedType::S32 => Ok((extreme, ty)),
    }
}

impl Reduction {
    /// Reduces two values, given as bits.
    fn combine(self, one: u32, two: u32) -> u32 {
        let first = match self.ty {
            ReducedType::U32 => one <= two,
            ReducedType::S32 => one.cast_signed() <= two.cast_signed(),
            ReducedType::F32 { magnitudes, nan } => {
                let sign = if magnitudes { 1 << 31 } else { 0 };
                let [one, two] = [one & !sign, two & !sign].map(u64::from);
                // The result has 32 bits.
                return extreme(F32, self.extreme == Extreme::Max, nan, one, two) as u32;
            }
        };
        if first == (self.extreme == Extreme::Min) {
            one
        } else {
            two
        }
    }
}

pub(crate) fn decode(d: &mut Decoder<'_>, direction: Direction) -> Decoded<Access> {
    let reduces = direction == Direction::Load && d.takes("red");
    aligned(d)?;
    let twice = d.peek() == Some("16x32bx2");
    let shape = d.needs(&[
        ("16x64b", Shape::Lanes16Bits64),
        ("16x128b", Shape::Lanes16Bits128),
        ("16x256b", Shape::Lanes16Bits256),
        ("32x32b", Shape::Lanes32Bits32),
        ("16x32bx2", Shape::Lanes16Twice { offset: 0 }),
    ])?;
    let repetitions = d.needs(&[
        ("x1", 1),
        ("x2", 2),
        ("x4", 4),
        ("x8", 8),
        ("x16", 16),
        ("x32", 32),
        ("x64", 64),
        ("x128", 128),
    ])?;
    let count = shape.registers() * repetitions;
    if count > 128 {
        return d.error("at most 128 registers per thread are allowed");
    }
    let mut halves = false;
    let mut reduction = None;
    if reduces {
        if !matches!(shape, Shape::Lanes32Bits32 | Shape::Lanes16Twice { .. }) {
            return d.error("`.red` is for `.32x32b` and `.16x32bx2`");
        }
        if repetitions == 1 {
            return d.error("`.red` is of at least `.x2`");
        }
        reduction = Some(decode_reduction(d)?);
    } else {
        halves = d.takes(match direction {
            Direction::Load => "pack::16b",
            Direction::Store => "unpack::16b",
        });
        d.needs(&[("b32", ())])?;
    }
    d.end(2 + usize::from(twice) + usize::from(reduces))?;
    let (address, offset, registers) = match direction {
        Direction::Load => (1 + usize::from(reduces), 2 + usize::from(reduces), 0),
        Direction::Store => (0, 1, 1 + usize::from(twice)),
    };
    let shape = if twice {
        let Operand::Int(offset) = d.operand(offset)? else {
            return d.error("the offset of the second half must be a number");
        };
        let offset = i32::try_from(*offset).unwrap_or(i32::MAX);
        Shape::Lanes16Twice { offset }
    } else {
        shape
    };
    let address = cell_address(d, address)?;
    let named = |operand: &Operand| matches!(operand, Operand::Name(name) if name != "_");
    if !d.is_vector(registers) || !d.elements(registers)?.iter().all(named) {
        let number = registers + 1;
        return d.error(format!("operand {number} must be registers in braces"));
    }
    let registers = match direction {
        Direction::Load => d.dests_for(registers, count, Type::B32)?,
        Direction::Store => d.sources(registers, count, Type::B32)?,
    };
    let reduction = match reduction {
        None => None,
        Some((extreme, ty)) => Some(Reduction {
            // Compilers also put the register in braces.
            dest: d.dests_for(1, 1, Type::B32)?[0],
            extreme,
            ty,
        }),
    };
    Ok(Access {
        direction,
        shape,
        halves,
        address,
        registers,
        reduction,
    })
}

impl Access {
    /// Returns the number of columns that one thread accesses.
    fn columns(&self) -> u32 {
        // There are at most 128 registers.
        let registers = self.registers.len() as u32;
        let wide = if self.halves { 2 } else { 1 };
        let across = 32 / self.shape.lanes();
        match self.shape {
            Shape::Lanes16Twice { .. } => registers * wide,
            _ => registers * across * wide,
        }
    }

    /// Returns the cells of the block's tensor memory that the instruction accesses.
    fn footprint(&self, block: usize, lane: u32, column: u32) -> Vec<Cells> {
        let cells = |column| Cells {
            block,
            lane,
            lanes: self.shape.lanes(),
            column,
            columns: self.columns(),
        };
        match self.shape {
            Shape::Lanes16Twice { .. } => {
                vec![cells(column), cells(self.shape.column(31, column))]
            }
            _ => vec![cells(column)],
        }
    }

    /// Returns the lane and the column that the warp accesses.
    fn place(&self, cx: &Cx<'_, '_>) -> Result<(u32, u32), Trouble> {
        uniform(cx.registers.row_ref(self.address.base), "addresses")?;
        let (lane, column) = address_of_cell(cx, 0, self.address)?;
        // The index of the warp is below 4.
        let first = cx.warp_of_group() as u32 * QUARTER;
        let lanes = self.shape.lanes();
        if !lane.is_multiple_of(lanes) {
            return Err(misuse(format!(
                "the address has lane {lane}, which must be a multiple of {lanes}"
            )));
        }
        if lane < first || lane + lanes > first + QUARTER {
            return Err(misuse(format!(
                "lanes {lane}..{} are not accessible to the warp: it can access {first}..{}",
                lane + lanes,
                first + QUARTER
            )));
        }
        Ok((lane, column))
    }

    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        let (lane, column) = self.place(cx)?;
        let cells = self.footprint(cx.block, lane, column);
        for rectangle in &cells {
            cx.check_taken(usize::MAX, rectangle)?;
        }
        let warp = usize::from(SEVERAL);
        match self.direction {
            Direction::Load => {
                cx.check_tensor(warp, Kind::Load, &cells, &[])?;
                self.load(cx, lane, column);
                if let Some(reduction) = self.reduction {
                    self.reduce(cx.registers, reduction);
                }
            }
            Direction::Store => {
                cx.check_tensor(warp, Kind::Store, &[], &cells)?;
                self.store(cx, lane, column);
            }
        }
        Ok(())
    }

    fn load(&self, cx: &mut Cx<'_, '_>, lane: u32, column: u32) {
        let tensor = &cx.cluster.blocks[cx.block].tensor;
        for (register, &slot) in (0..).zip(&self.registers) {
            let row = cx.registers.row_mut(u32::MAX, slot);
            for (thread, value) in (0..).zip(row.iter_mut()) {
                let (row, within) = self.shape.cell(thread, register);
                let (lane, column) = (lane + row, self.shape.column(thread, column));
                *value = u64::from(if self.halves {
                    let half = |half| tensor.get(lane, column + within * 2 + half) & 0xffff;
                    half(0) | half(1) << 16
                } else {
                    tensor.get(lane, column + within)
                });
            }
        }
    }

    /// Reduces the values that each thread has loaded.
    fn reduce(&self, r: &mut Registers, reduction: Reduction) {
        let reduced: Row = std::array::from_fn(|thread| {
            // The registers have 32 bits.
            let values = self.registers.iter();
            let values = values.map(|&slot| r.get(thread, slot) as u32);
            values
                .reduce(|one, two| reduction.combine(one, two))
                .map_or(0, u64::from)
        });
        r.write(u32::MAX, reduction.dest, &reduced);
    }

    fn store(&self, cx: &mut Cx<'_, '_>, lane: u32, column: u32) {
        let tensor = &mut cx.cluster.blocks[cx.block].tensor;
        for (register, &slot) in (0..).zip(&self.registers) {
            let row = cx.registers.row_ref(slot);
            for (thread, &value) in (0..).zip(row) {
                let (row, within) = self.shape.cell(thread, register);
                let (lane, column) = (lane + row, self.shape.column(thread, column));
                // The register has 32 bits.
                let bits = value as u32;
                if self.halves {
                    tensor.set(lane, column + within * 2, bits & 0xffff);
                    tensor.set(lane, column + within * 2 + 1, bits >> 16);
                } else {
                    tensor.set(lane, column + within, bits);
                }
            }
        }
    }
}

impl Wait {
    pub(crate) fn execute(self, cx: &mut Cx<'_, '_>) {
        if !cx.checks_all() {
            return;
        }
        let agent = cx.agent;
        let clock = cx.cluster.order.now(agent);
        let accesses = &mut cx.cluster.pipe.accesses;
        accesses.wait(agent, self == Self::Loads, clock);
    }
}
