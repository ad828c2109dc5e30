//! `tcgen05.mma`: matrix multiply-accumulate on shared and tensor memory.
//!
//! The operands name the matrices; their types and shape are in an instruction descriptor, a
//! register that is decoded when the instruction is issued ([`Multiply::issue`]). [`Work::perform`]
//! computes the result.

mod forms;
mod instruction;
mod layout;
mod metadata;
mod work;
mod zero_columns;

use super::{address_of_cell, descriptor, misuse_at};
use crate::check::Trouble;
use crate::counters;
use crate::isa::Slot;
use crate::isa::wgmma::descriptor::{Major, Operand, joined};
use crate::machine::Cx;
use crate::machine::cx::SharedSpot;
use crate::machine::tensor_memory::Cells;
use crate::machine::tensor_pipe::{self as pipe, Footprint, Issue};
use crate::parse::decoder::{Address, Condition, Slots};
use crate::parse::syntax::Space;
use forms::{Form, Kind};
use instruction::{Factor, Instruction};
use layout::Layout;
use zero_columns::ZeroColumns;

pub(crate) use forms::decode;
pub(crate) use work::Work;

/// A `tcgen05.mma`.
#[derive(Clone, Debug)]
pub(crate) struct Multiply {
    form: Form,
    /// The address of D.
    to: Address,
    a: A,
    b: Slot,
    metadata: Option<Address>,
    instruction: Slot,
    /// The addresses of the scale factors of A and B.
    scales: Option<[Address; 2]>,
    mask: Option<Mask>,
    /// `enable-input-d`.
    accumulate: Condition,
    /// `.ashift`.
    shifts: bool,
    /// `scale-input-d`.
    scale_d: u32,
    zero_columns: Option<Slot>,
}

/// The source of A.
#[derive(Clone, Copy, Debug)]
enum A {
    Tensor(Address),
    Shared(Slot),
}

/// `disable-output-lane`.
#[derive(Clone, Debug)]
struct Mask(Slots);

/// Decodes the descriptor of a matrix in the shared memory of one or two blocks.
fn shared_matrix(
    lane: usize,
    name: &str,
    bits: u64,
    form: Form,
    factor: Factor,
    (extent, depth): (usize, usize),
) -> Result<Operand, Trouble> {
    let malformed = |why: String| misuse_at(lane, format!("{name}: {why}"));
    let parsed = descriptor::parse(bits, factor.major, form.longer)
        .map_err(|error| malformed(error.to_string()))?;
    // PTX ISA, "Valid Combinations of Type-Size, Major-ness and Swizzling".
    if factor.major == Major::Mn && (parsed.atom == 32) != (form.kind == Kind::Tf32) {
        let why = if form.kind == Kind::Tf32 {
            "a transposed matrix of 32-bit elements requires the 128-byte swizzle with 32-byte atoms (mode 1)"
        } else {
            "a transposed matrix cannot use the 128-byte swizzle with 32-byte atoms (mode 1), which requires 32-bit elements"
        };
        return Err(malformed(why.into()));
    }
    Operand::from_descriptor(parsed, factor.major, factor.packing, extent, depth)
        .map_err(|error| malformed(error.to_string()))
}

/// Returns the bytes of a block's shared memory that hold these rows, without padding.
fn shared_bytes(
    cx: &Cx<'_, '_>,
    lane: usize,
    block: usize,
    operand: &Operand,
    rows: std::ops::Range<usize>,
) -> Result<Vec<(SharedSpot, usize)>, Trouble> {
    let mut units = Vec::new();
    operand.units(rows, |address, _, _| {
        units.push(address);
        Ok::<(), Trouble>(())
    })?;
    let bytes = work::format(operand.packing()).bytes();
    let spots = joined(&units, bytes).into_iter().map(|range| {
        // The range is within the shared memory of a block.
        let bytes = (range.end - range.start) as usize;
        let spot = cx.shared_spot(lane, Space::Shared, range.start, bytes)?;
        Ok((SharedSpot { block, ..spot }, bytes))
    });
    spots.collect()
}

impl Multiply {
    /// Returns the blocks of the pair, the even one first, or only the executing block.
    fn blocks(&self, cx: &Cx<'_, '_>) -> Vec<usize> {
        let mut blocks = cx.tensor_blocks(self.form.group);
        blocks.sort_unstable();
        blocks
    }

    /// Returns the lanes of D that are not written, for the first and the second block.
    fn disabled(&self, cx: &Cx<'_, '_>, lane: usize) -> [u128; 2] {
        let mut masks = [0; 2];
        if let Some(Mask(slots)) = &self.mask {
            for (index, &slot) in slots.iter().enumerate() {
                let bits = u128::from(cx.registers.get(lane, slot) as u32);
                masks[index / 4] |= bits << (32 * (index % 4));
            }
        }
        masks
    }

    /// Resolves an address to its layout and column.
    fn place(
        cx: &Cx<'_, '_>,
        lane: usize,
        name: &str,
        address: Address,
        layout: Layout,
    ) -> Result<(Layout, u32), Trouble> {
        let (first, column) = address_of_cell(cx, lane, address)?;
        if let Some(layout) = layout.from(first) {
            return Ok((layout, column));
        }
        let beginnings = layout.beginnings();
        let message = format!("{name} begins at lane {first} and must begin at {beginnings}");
        Err(misuse_at(lane, message))
    }

    /// Issues the operation for a thread.
    pub(crate) fn issue(&self, cx: &mut Cx<'_, '_>, lane: usize) -> Result<(), Trouble> {
        let form = self.form;
        // The register has 32 bits.
        let bits = cx.registers.get(lane, self.instruction) as u32;
        let instruction =
            Instruction::parse(bits, form).map_err(|error| misuse_at(lane, error.to_string()))?;
        let Instruction { m, n, k, b, .. } = instruction;
        if self.shifts && m < 128 {
            return Err(misuse_at(lane, "`.ashift` needs an M of 128 or 256"));
        }
        // Ensures that the peer block exists before its shared memory is accessed.
        cx.tensor_group(form.group)?;
        let blocks = self.blocks(cx);
        let layout = Layout::new(m, form.group, form.sparse, form.stationary);
        let (layout, to) = Self::place(cx, lane, "D", self.to, layout)?;
        let accumulate = cx.registers.condition(self.accumulate) >> lane & 1 == 1;
        let zero_columns = self.zero_columns(cx, lane, &instruction, layout)?;
        let a = self.source_of_a(cx, lane, &instruction, layout)?;
        let shift = zero_columns.as_ref().map_or(0, |zero| zero.shift);
        let rows_of_b = n / blocks.len() + shift;
        let b_bits = cx.registers.get(lane, self.b);
        let work = Work {
            lane,
            kind: form.kind,
            sparse: form.sparse,
            layout,
            to,
            a,
            b: shared_matrix(lane, "B", b_bits, form, b, (rows_of_b, k))?,
            metadata: self.column_of_metadata(cx, lane, layout)?,
            scales: self.scale_factors(cx, lane, &instruction, layout)?,
            accumulate,
            scale_d: 0.5f64.powi(self.scale_d.cast_signed()),
            disabled: self.disabled(cx, lane),
            shifts: self.shifts,
            zero_columns,
            blocks,
            instruction,
        };
        let footprint = self.footprint(cx, &work, rows_of_b)?;
        let multiply_adds = (m * n * k) as u64;
        cx.counters
            .product(counters::Product::Tcgen05, multiply_adds);
        cx.issue_tensor(
            lane,
            Issue {
                group: form.group,
                footprint,
                work: pipe::Work::Multiply(Box::new(work)),
            },
        )
    }

    fn zero_columns(
        &self,
        cx: &Cx<'_, '_>,
        lane: usize,
        instruction: &Instruction,
        layout: Layout,
    ) -> Result<Option<ZeroColumns>, Trouble> {
        let Some(slot) = self.zero_columns else {
            return Ok(None);
        };
        let bits = cx.registers.get(lane, slot);
        let parsed = ZeroColumns::parse(bits, instruction, layout.parts);
        parsed
            .map(Some)
            .map_err(|error| misuse_at(lane, error.to_string()))
    }

    fn source_of_a(
        &self,
        cx: &Cx<'_, '_>,
        lane: usize,
        instruction: &Instruction,
        layout: Layout,
    ) -> Result<work::Source, Trouble> {
        let a = instruction.a;
        match self.a {
            A::Tensor(_) if a.major == Major::Mn => Err(misuse_at(
                lane,
                "an A in tensor memory cannot be transposed",
            )),
            A::Tensor(address) => {
                let (lane_of_a, column) = Self::place(cx, lane, "A", address, layout)?;
                if lane_of_a != layout {
                    return Err(misuse_at(lane, "A and D must begin at the same lane"));
                }
                Ok(work::Source::Tensor(column))
            }
            A::Shared(slot) => {
                let bits = cx.registers.get(lane, slot);
                let extent = (layout.rows, instruction.stored(self.form.sparse));
                let operand = shared_matrix(lane, "A", bits, self.form, a, extent)?;
                Ok(work::Source::Shared(operand))
            }
        }
    }

    fn column_of_metadata(
        &self,
        cx: &Cx<'_, '_>,
        lane: usize,
        layout: Layout,
    ) -> Result<Option<u32>, Trouble> {
        let Some(address) = self.metadata else {
            return Ok(None);
        };
        let (of_metadata, column) = Self::place(cx, lane, "the metadata", address, layout)?;
        if of_metadata != layout {
            let message = "the metadata and D must begin at the same lane";
            return Err(misuse_at(lane, message));
        }
        Ok(Some(column))
    }

    fn scale_factors(
        &self,
        cx: &Cx<'_, '_>,
        lane: usize,
        instruction: &Instruction,
        layout: Layout,
    ) -> Result<Option<work::Scales>, Trouble> {
        let (Some(scaling), Some(addresses)) = (instruction.scaling, self.scales) else {
            return Ok(None);
        };
        let mut columns = [0; 2];
        for (column, address) in columns.iter_mut().zip(addresses) {
            // Compilers keep the scale-factor ID in the two highest bits.
            let (first, first_column) = address_of_cell(cx, lane, address)?;
            if first & 0x3fff != 0 {
                let message =
                    format!("scale factors begin at lane {first} and must begin at lane 0");
                return Err(misuse_at(lane, message));
            }
            *column = first_column;
        }
        let scales = work::Scales::new(scaling, columns, layout, instruction.n);
        Ok(Some(scales))
    }

    /// Returns the memory that the operation accesses in all of its blocks.
    fn footprint(
        &self,
        cx: &Cx<'_, '_>,
        work: &Work,
        rows_of_b: usize,
    ) -> Result<Footprint, Trouble> {
        let Work {
            lane,
            instruction,
            layout,
            ..
        } = work;
        let columns = (instruction.n / layout.parts) as u32;
        let mut footprint = Footprint::default();
        for (&block, disabled) in work.blocks.iter().zip(work.disabled) {
            let d_cells = layout.cells(block, work.to, columns);
            if work.accumulate {
                footprint.reads.extend(&d_cells);
            }
            footprint.writes.extend(enabled(&d_cells, disabled));
            match &work.a {
                work::Source::Tensor(column) => {
                    let stored = instruction.stored(self.form.sparse);
                    let words = (stored * instruction.a.packing.bits / 32) as u32;
                    footprint.reads.extend(layout.cells(block, *column, words));
                }
                work::Source::Shared(operand) => {
                    let bytes = shared_bytes(cx, *lane, block, operand, 0..layout.rows)?;
                    footprint.shared.extend(bytes);
                }
            }
            let bytes = shared_bytes(cx, *lane, block, &work.b, 0..rows_of_b)?;
            footprint.shared.extend(bytes);
            if let Some(column) = work.metadata {
                let selector = instruction.selector;
                let (column, columns) = metadata::columns(self.form.kind, column, selector);
                footprint.reads.extend(layout.cells(block, column, columns));
            }
            if let Some(scales) = &work.scales {
                footprint.reads.extend(scales.cells(block));
            }
        }
        Ok(footprint)
    }
}

/// Removes the disabled lanes from cell ranges.
fn enabled(cells: &[Cells], disabled: u128) -> Vec<Cells> {
    let mut remaining = Vec::new();
    for cells in cells {
        let mut start = None;
        for lane in cells.lane..=cells.lane + cells.lanes {
            let on = lane < cells.lane + cells.lanes && disabled >> lane & 1 == 0;
            match (on, start) {
                (true, None) => start = Some(lane),
                (false, Some(first)) => {
                    remaining.push(Cells {
                        lane: first,
                        lanes: lane - first,
                        ..*cells
                    });
                    start = None;
                }
                _ => {}
            }
        }
    }
    remaining
}
