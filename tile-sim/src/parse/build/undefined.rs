//! Intentionally undefined values.
//!
//! LLVM represents an undefined value by a register that no instruction writes, and passes it to
//! instructions whose result does not depend on it. Such a read is permitted
//!
//! - in a pack with a defined element: LLVM widens a half to a pair;
//! - if none of its bits affects memory, addresses, branches or other threads: inline assembly for
//!   four elements is padded with undefined values if only two exist.
//!
//! A register that some instruction writes must be written before it is read.

use smallvec::SmallVec;

use crate::isa::logic::{Kind, Logic, Permute};
use crate::isa::moves::Move;
use crate::isa::types::mask;
use crate::isa::{Op, Slot};
use crate::module::Line;
use crate::parse::names::Content;

/// Removes permitted reads from the reads that are checked.
pub(super) fn permit(lines: &mut [Line], contents: &[Content]) {
    let mut written: Vec<bool> = contents
        .iter()
        .map(|&content| content != Content::Undefined)
        .collect();
    for slot in lines.iter().flat_map(|line| &line.uses.writes) {
        written[slot.index()] = true;
    }
    let is_written = |slot: &Slot| written[slot.index()];
    for line in &mut *lines {
        let reads = &mut line.uses.reads;
        if matches!(line.op, Op::Move(Move::Pack { .. })) && reads.iter().any(is_written) {
            reads.retain(|slot| is_written(slot));
        }
    }
    if lines
        .iter()
        .all(|line| line.uses.reads.iter().all(is_written))
    {
        return;
    }
    let demanded = demands(lines, contents);
    for line in lines {
        let needed = needs(line, &demanded, contents);
        line.uses.reads.retain(|slot| {
            is_written(slot)
                || needed
                    .iter()
                    .any(|&(read, bits)| read == *slot && bits != 0)
        });
    }
}

/// Computes the demanded bits of each register.
fn demands(lines: &[Line], contents: &[Content]) -> Vec<u64> {
    let mut demanded = vec![0; contents.len()];
    loop {
        let mut grown = false;
        for line in lines.iter().rev() {
            for (slot, bits) in needs(line, &demanded, contents) {
                let known = &mut demanded[slot.index()];
                grown |= bits & !*known != 0;
                *known |= bits;
            }
        }
        if !grown {
            return demanded;
        }
    }
}

/// Returns the operand bits that an instruction needs for the demanded bits of its results.
fn needs(line: &Line, demanded: &[u64], contents: &[Content]) -> SmallVec<[(Slot, u64); 4]> {
    let demand_of = |slot: Slot| demanded[slot.index()];
    match &line.op {
        &Op::Move(Move::Copy { dest, src, .. }) => SmallVec::from_slice(&[(src, demand_of(dest))]),
        Op::Move(Move::Pack { bits, dest, srcs }) => {
            let elements = srcs.iter().enumerate();
            elements
                .map(|(index, &src)| (src, element(demand_of(*dest), index, *bits)))
                .collect()
        }
        Op::Move(Move::Unpack { bits, dests, src }) => {
            let parts = dests.iter().enumerate().filter_map(|(index, dest)| {
                Some((demand_of((*dest)?) & mask(u16::from(*bits))) << (index * usize::from(*bits)))
            });
            SmallVec::from_slice(&[(*src, parts.fold(0, |demand, bits| demand | bits))])
        }
        Op::Logic(Logic::Value {
            kind: Kind::Permute(Permute::Index),
            dest,
            args: [low, high, selector],
            ..
        }) => match contents[selector.index()] {
            Content::Constant(selector) => {
                let [from_low, from_high] = permuted(demand_of(*dest), selector);
                SmallVec::from_slice(&[(*low, from_low), (*high, from_high)])
            }
            _ => any_of(line, demanded),
        },
        Op::Integer(_) | Op::Logic(_) | Op::Float(_) | Op::Convert(_) | Op::Compare(_) => {
            any_of(line, demanded)
        }
        _ => all_of(line),
    }
}

/// Returns element `index` of a vector of `bits`-bit elements.
fn element(value: u64, index: usize, bits: u8) -> u64 {
    value >> (index * usize::from(bits)) & mask(u16::from(bits))
}

/// Returns the bits of the two `prmt` operands that the result bytes depend on.
fn permuted(result: u64, selector: u64) -> [u64; 2] {
    let mut needed = [0; 2];
    for byte in 0..4 {
        if element(result, byte, 8) != 0 {
            let from = (selector >> (4 * byte) & 7) as usize;
            needed[from / 4] |= 0xff << (8 * (from % 4));
        }
    }
    needed
}

/// Demands all operand bits if any result bit is demanded, or if a result is not a register.
fn any_of(line: &Line, demanded: &[u64]) -> SmallVec<[(Slot, u64); 4]> {
    let writes = &line.uses.writes;
    let has_flag = line.text.contains(".cc") || matches!(line.op, Op::Logic(Logic::Lookup { .. }));
    if has_flag || writes.is_empty() || writes.iter().any(|slot| demanded[slot.index()] != 0) {
        return all_of(line);
    }
    SmallVec::new()
}

fn all_of(line: &Line) -> SmallVec<[(Slot, u64); 4]> {
    line.uses.reads.iter().map(|&slot| (slot, !0)).collect()
}
