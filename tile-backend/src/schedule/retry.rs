//! Lists alternatives to try if ptxas spilled.
//!
//! In: the warps of a kernel that spills. Out: other numbers of warps, the most promising first. More warps
//! leave each thread fewer elements; fewer warps leave each thread more registers, where the registers of the
//! multiprocessor are the limit.

use super::occupancy::LANES;
use crate::target::Arch;

/// Maximum number of warps of a block that is worth a try.
const MAX_WARPS: u32 = 16;

/// Returns the numbers of warps to try instead of `num_warps`.
pub(crate) fn alternatives(arch: Arch, num_warps: u32) -> Vec<u32> {
    let share = arch.registers_per_multiprocessor() / (LANES * num_warps);
    let is_short = share < arch.registers_per_thread();
    let more = (num_warps < MAX_WARPS).then_some(num_warps * 2);
    let fewer = (is_short && num_warps > 1).then_some(num_warps / 2);
    more.into_iter().chain(fewer).collect()
}

#[cfg(test)]
mod tests {
    use super::alternatives;
    use crate::target::Arch;

    #[test]
    fn fewer_warps_are_tried_where_they_have_more_registers() {
        assert_eq!(alternatives(Arch::SM_80, 4), [8]);
        assert_eq!(alternatives(Arch::SM_80, 8), [16]);
        assert_eq!(alternatives(Arch::SM_80, 16), [8]);
        assert_eq!(alternatives(Arch::SM_80, 32), [16]);
    }
}
