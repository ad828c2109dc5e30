//! Checks for reads of uninitialized registers.

use super::{FaultKind, Trouble};
use crate::machine::registers::Registers;
use crate::module::{Kernel, Line};

/// Checks that every register that `line` reads was written in the `active` lanes.
#[inline]
pub(crate) fn defined(
    registers: &Registers,
    kernel: &Kernel,
    line: &Line,
    active: u32,
) -> Result<(), Trouble> {
    for &slot in &line.uses.reads {
        let missing = active & !registers.defined(slot);
        if missing != 0 {
            return Err(uninitialized(missing, &kernel.slot_names[slot.index()]));
        }
    }
    for &pred in &line.uses.pred_reads {
        let missing = active & !registers.pred_defined(pred);
        if missing != 0 {
            return Err(uninitialized(missing, &kernel.pred_names[pred.index()]));
        }
    }
    Ok(())
}

#[cold]
pub(crate) fn uninitialized(missing: u32, name: &str) -> Trouble {
    let kind = FaultKind::UninitializedRegister {
        register: name.to_owned(),
    };
    Trouble::at(missing.trailing_zeros() as usize, kind)
}
