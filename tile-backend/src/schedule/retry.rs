//! Decides what to try if a compiled kernel shows that a choice was bad.
//!
//! - TMA stores take more shared memory than any other way to store tiles. If a kernel with them exceeds shared
//!   memory, kernels are lowered without them.
//! - More warps leave each thread fewer elements; fewer warps leave each thread more registers, where the
//!   registers of the multiprocessor are the limit. If ptxas spills registers, other numbers of warps are
//!   compiled, and the one that spills least is kept. Nothing is tried if the author or a hint sets the number
//!   of warps, or without optimization. A kernel that does not spill takes no additional time.
//!
//! In: kernels, and the bytes that they take or spill. Out: [`Feedback`], with which they are lowered again.

use super::occupancy::LANES;
use crate::gpu::Kernel;
use crate::level::{Level, OptLevel};
use crate::options::HostMaps;
use crate::target::Arch;
use std::fmt;

/// Maximum number of warps of a block that is worth a try.
const MAX_WARPS: u32 = 16;

/// What earlier attempts at compiling kernels have shown.
#[derive(Clone, Copy)]
pub struct Feedback<'a> {
    /// Returns the number of warps of an entry that an earlier attempt has chosen, given its name. It is used
    /// where neither the author nor a hint sets the number.
    pub warps: &'a dyn Fn(&str) -> Option<u32>,
    /// `false` if a kernel with TMA stores has exceeded shared memory.
    pub do_tma_stores_fit: bool,
}

impl Default for Feedback<'_> {
    fn default() -> Self {
        Self {
            warps: &|_| None,
            do_tma_stores_fit: true,
        }
    }
}

/// Returns `true` if kernels with TMA stores exceed shared memory, so that they are lowered without them.
pub(crate) fn needs_other_stores(kernels: &[Kernel], arch: Arch, maps: HostMaps) -> bool {
    let limit = arch.shared_bytes_per_block();
    maps == HostMaps::Encoded && kernels.iter().any(|kernel| kernel.shared.bytes > limit)
}

/// A number of warps that ptxas has compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The target.
    pub arch: Arch,
    /// The entry.
    pub kernel: String,
    /// Warps of a block.
    pub warps: u32,
    /// Bytes that each thread spills.
    pub spilled_bytes: u32,
    /// The judgement.
    pub verdict: Verdict,
}

/// The judgement of an [`Attempt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It spills nothing.
    Fits,
    /// It spills, and other numbers of warps are tried.
    Spills,
    /// It spills, and no other number is tried, for this reason.
    Kept(&'static str),
    /// It spills less than the attempts before it.
    Better,
    /// It spills no less than the attempts before it.
    NoBetter,
    /// It cannot be compiled.
    Failed,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            arch,
            kernel,
            warps,
            spilled_bytes,
            verdict,
        } = self;
        write!(f, "{arch}: `{kernel}` with {warps} warps: ")?;
        match verdict {
            Verdict::Fits => f.write_str("chosen: ptxas spills no registers"),
            Verdict::Spills => write!(
                f,
                "each thread spills {spilled_bytes} bytes: other numbers of warps are tried"
            ),
            Verdict::Kept(reason) => write!(
                f,
                "chosen: each thread spills {spilled_bytes} bytes, but {reason}"
            ),
            Verdict::Better => write!(
                f,
                "chosen: each thread spills {spilled_bytes} bytes, and all warps together fewer than before"
            ),
            Verdict::NoBetter => write!(
                f,
                "refused: each thread spills {spilled_bytes} bytes, and all warps together no fewer than before"
            ),
            Verdict::Failed => f.write_str("refused: it cannot be compiled"),
        }
    }
}

/// Judges a kernel that was compiled with the number of warps that [`super::warps`] has chosen.
pub(crate) fn judge(kernel: &Kernel, spilled_bytes: u32, level: Level) -> Verdict {
    if spilled_bytes == 0 {
        Verdict::Fits
    } else if level.opt < OptLevel::O2 {
        Verdict::Kept("the optimization level is low")
    } else if kernel.requests.options.num_warps.is_some() {
        Verdict::Kept("an option or a hint asks for this number of warps")
    } else if kernel.launch.blocks_per_tile > 1 {
        Verdict::Kept("several blocks split a work tile")
    } else {
        Verdict::Spills
    }
}

/// Returns `true` if a kernel spills and could be compiled with another number of warps.
pub(crate) fn is_improvable(kernel: &Kernel, spilled_bytes: u32, level: Level) -> bool {
    judge(kernel, spilled_bytes, level) == Verdict::Spills
}

/// The search for the numbers of warps with which the kernels of an architecture spill least.
pub(crate) struct WarpRetry {
    /// For each kernel, its number of warps and the other numbers to try; none if it spills nothing.
    kernels: Vec<(u32, Vec<u32>)>,
    /// Number of attempts so far.
    attempts: usize,
    /// Bytes that the best attempt so far spills.
    least: u64,
}

impl WarpRetry {
    /// Starts from a first attempt that spills `bytes` in all. The kernels come with the bytes that each of
    /// their threads spills.
    pub(crate) fn new<'k>(
        arch: Arch,
        kernels: impl Iterator<Item = (&'k Kernel, u32)>,
        bytes: u64,
        level: Level,
    ) -> Self {
        let kernels = kernels.map(|(kernel, spilled_bytes)| {
            let warps = kernel.warps_of_block();
            let others = if is_improvable(kernel, spilled_bytes, level) {
                alternatives(arch, warps)
            } else {
                Vec::new()
            };
            (warps, others)
        });
        Self {
            kernels: kernels.collect(),
            attempts: 0,
            least: bytes,
        }
    }

    /// Returns the number of warps of each kernel in the next attempt; `None` if nothing is left to try or to
    /// gain.
    pub(crate) fn next(&mut self) -> Option<Vec<u32>> {
        let attempt = self.attempts;
        self.attempts += 1;
        let is_new = { self.kernels.iter() }.any(|(_, others)| others.len() > attempt);
        let warps =
            |(first, others): &(u32, Vec<u32>)| others.get(attempt).copied().unwrap_or(*first);
        (is_new && self.least > 0).then(|| self.kernels.iter().map(warps).collect())
    }

    /// Judges an attempt that spills `bytes` in all.
    pub(crate) fn judge(&mut self, bytes: u64) -> Verdict {
        if bytes < self.least {
            self.least = bytes;
            Verdict::Better
        } else {
            Verdict::NoBetter
        }
    }
}

/// Returns the numbers of warps to try instead of `num_warps`, the most promising first.
fn alternatives(arch: Arch, num_warps: u32) -> Vec<u32> {
    let share = arch.registers_per_multiprocessor() / (LANES * num_warps);
    let is_short = share < arch.registers_per_thread();
    let more = (num_warps < MAX_WARPS).then_some(num_warps * 2);
    let fewer = (is_short && num_warps > 1).then_some(num_warps / 2);
    more.into_iter().chain(fewer).collect()
}

#[cfg(test)]
mod tests {
    use super::{Verdict, WarpRetry, alternatives};
    use crate::gpu::Kernel;
    use crate::level::{Level, OptLevel};
    use crate::target::Arch;
    use tile_core::Loc;

    #[test]
    fn fewer_warps_are_tried_where_they_have_more_registers() {
        assert_eq!(alternatives(Arch::SM_80, 4), [8]);
        assert_eq!(alternatives(Arch::SM_80, 8), [16]);
        assert_eq!(alternatives(Arch::SM_80, 16), [8]);
        assert_eq!(alternatives(Arch::SM_80, 32), [16]);
    }

    #[test]
    fn only_kernels_that_spill_are_retried_until_nothing_is_left_to_gain() {
        let mut kernel = Kernel::new("k", 16, Loc::UNKNOWN);
        kernel.launch.blocks_per_tile = 1;
        let level = Level {
            opt: OptLevel::O3,
            ..Level::default()
        };
        let retry = |spilled: [u32; 2], level| {
            let kernels = spilled.into_iter().map(|bytes| (&kernel, bytes));
            WarpRetry::new(Arch::SM_80, kernels, u64::from(spilled[0]), level)
        };
        let mut spills = retry([12, 0], level);
        assert_eq!(spills.next(), Some(vec![8, 16]));
        assert_eq!(spills.judge(12), Verdict::NoBetter);
        assert_eq!(spills.judge(4), Verdict::Better);
        assert_eq!(spills.next(), None, "there is one alternative");
        assert_eq!(retry([0, 0], level).next(), None);
        let fast = Level {
            opt: OptLevel::O1,
            ..level
        };
        assert_eq!(retry([12, 12], fast).next(), None);
    }
}
