//! Values that a compiler left undefined on purpose.

use crate::isa::moves::Move;
use crate::isa::{Op, Slot};
use crate::module::Line;
use crate::parse::names::Content;

/// Packs may have elements that no instruction of the kernel writes, beside one that some does.
///
/// LLVM widens a half to a pair with a register that it never defines (`IMPLICIT_DEF`), where the
/// pair's other half decides nothing.
pub(super) fn permit(lines: &mut [Line], contents: &[Content]) {
    let mut written: Vec<bool> = contents
        .iter()
        .map(|&content| content != Content::Undefined)
        .collect();
    for slot in lines.iter().flat_map(|line| &line.uses.writes) {
        written[slot.index()] = true;
    }
    let is_written = |slot: &Slot| written[slot.index()];
    for line in lines {
        let reads = &mut line.uses.reads;
        if matches!(line.op, Op::Move(Move::Pack { .. })) && reads.iter().any(is_written) {
            reads.retain(|slot| is_written(slot));
        }
    }
}
