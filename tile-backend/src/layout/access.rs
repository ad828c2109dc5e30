//! Vector widths and bank conflicts of the accesses of a warp to memory.
//!
//! Input: the layout of a tile in registers and its layout in memory. Both properties follow from the
//! composition `memory^-1` after `registers`, which gives the offset of each register and lane bit.

use std::collections::BTreeMap;

use super::address::offset_columns;
use super::f2::{self, Span};
use super::linear::LinearLayout;
use super::place::{InDim, Register};
use super::shared::BANK_LINE_BYTES;

/// Registers accessed by one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorGroup {
    /// The registers in the order of memory.
    pub registers: Vec<Register>,
    /// The offset of the first register, in elements, in lane 0 of warp 0: a multiple of the width. In
    /// another thread, the offset is this number XOR the runtime part of
    /// [`AddressParts::offset`](super::AddressParts::offset).
    pub offset: u64,
}

/// A register that holds the same element as another register of its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterCopy {
    /// The register that is in no group.
    pub register: Register,
    /// The register, in a group, with the same element.
    pub original: Register,
}

/// A plan to load or store a thread's registers with vector instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorPlan {
    /// Elements per instruction: a power of two.
    pub width_elements: u64,
    /// The groups by increasing offset. One instruction accesses each group, and together the groups hold
    /// every element of the thread once.
    pub groups: Vec<VectorGroup>,
    /// The other registers: filled by a copy after a load, ignored by a store.
    pub copies: Vec<RegisterCopy>,
}

/// Returns the widest plan with at most `max_elements` per instruction (a bound from the access width, and
/// from contiguity and alignment of the memory). Registers may be permuted freely. Returns `None` if `memory`
/// does not hold the tile.
///
/// Width `2^k` is possible when the thread's registers cover offsets `0 .. 2^k` and no lane, warp or block
/// bit touches the low `k` bits of an offset.
pub fn vector_plan(
    registers: &LinearLayout,
    memory: &LinearLayout,
    max_elements: u64,
) -> Option<VectorPlan> {
    let columns = offset_columns(registers, memory)?;
    let (register_columns, others) = columns.split_at(registers.bases(InDim::Register).len());
    let span = Span::from_vectors(register_columns.iter().copied());
    let touched = others.iter().fold(0, |mask, offset| mask | offset);
    let limit = max_elements.max(1).ilog2().min(touched.trailing_zeros());
    let log2_width = (0..limit)
        .take_while(|&bit| span.contains(1 << bit))
        .count();
    let width = 1u64 << log2_width;

    let mut by_offset: BTreeMap<u64, Register> = BTreeMap::new();
    let mut copies = Vec::new();
    for register in registers.registers() {
        let offset = f2::apply(register_columns, u64::from(register.0));
        match by_offset.get(&offset) {
            None => drop(by_offset.insert(offset, register)),
            Some(&original) => copies.push(RegisterCopy { register, original }),
        }
    }
    let mut groups: Vec<VectorGroup> = Vec::new();
    for (offset, register) in by_offset {
        if offset % width == 0 {
            groups.push(VectorGroup {
                registers: Vec::new(),
                offset,
            });
        }
        let group = groups.last_mut();
        let group = group.expect("the registers' offsets are whole aligned vectors");
        debug_assert!(offset - group.offset == group.registers.len() as u64);
        group.registers.push(register);
    }
    Some(VectorPlan {
        width_elements: width,
        groups,
        copies,
    })
}

/// Returns the number of passes of shared memory for one access of a warp, relative to the minimum: 1 means
/// no bank conflict. `None` if `memory` does not hold the tile.
///
/// The access moves `width_elements` contiguous elements per lane, as planned by [`vector_plan`]. Shared
/// memory has 32 banks of 4 bytes; an access of 8 bytes per lane serves half a warp at a time, and an access
/// of 16 bytes a quarter of a warp. Lanes that read the same word do not conflict.
pub fn bank_conflict_ways(
    registers: &LinearLayout,
    memory: &LinearLayout,
    width_elements: u64,
    element_bits: u32,
) -> Option<u32> {
    let columns = offset_columns(registers, memory)?;
    let access_bytes = width_elements * u64::from(element_bits) / 8;
    let unit_bytes = access_bytes.max(4);
    let phase_lanes = lanes_per_phase(unit_bytes);
    let first = registers.in_bits().shift(InDim::Lane) as usize;
    let count = registers
        .bases(InDim::Lane)
        .len()
        .min(phase_lanes.ilog2() as usize);
    let units: Vec<u64> = columns[first..first + count]
        .iter()
        .map(|offset| offset * u64::from(element_bits) / 8 / unit_bytes)
        .collect();
    let bank_mask = u64::from(BANK_LINE_BYTES) / unit_bytes - 1;
    let banks: Vec<u64> = units.iter().map(|unit| unit & bank_mask).collect();
    Some(1 << (f2::rank(&units) - f2::rank(&banks)))
}

/// Returns the number of lanes that shared memory serves together when each accesses `unit_bytes` (4 to 16).
fn lanes_per_phase(unit_bytes: u64) -> u64 {
    debug_assert!(
        (4..=16).contains(&unit_bytes),
        "a lane accesses at most 16 bytes"
    );
    u64::from(BANK_LINE_BYTES) / unit_bytes
}
