//! Decides which rewrites of masks run: those that change the kernel, unless the author has disabled them.
//!
//! Each of them saves work and costs one comparison, so there is nothing to weigh; guards in the passes say
//! where a rewrite does not pay. The rewrites come first, since they change the loops whose schedule is searched:
//! a loop without a branch around its body can be pipelined.

use super::Refusal;
use crate::gpu::Kernel;
use crate::options::DisabledPasses;
use crate::passes::{block_skipping, lazy_rescaling, mask_elision};

/// The rewrites of masks of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaskSchedule {
    /// `true` if loops run only the iterations whose mask is not all zero.
    pub skips_blocks: bool,
    /// `true` if masks are computed only where they are not all ones.
    pub elides_masks: bool,
    /// `true` if factors of accumulators are applied only where they are not all 1.
    pub rescales_lazily: bool,
}

/// A rewrite of masks.
pub(super) struct MaskRewrite {
    /// The name of the optimization.
    pub(super) name: &'static str,
    pub(super) flag: DisabledPasses,
    /// The pass, which refuses a kernel that it would not change.
    pub(super) apply: fn(&mut Kernel) -> Result<(), Refusal>,
    pub(super) field: fn(&mut MaskSchedule) -> &mut bool,
    /// The effect, as the rest of a sentence about the kernel.
    pub(super) effect: &'static str,
}

/// The rewrites, in the order in which they run.
pub(super) const REWRITES: [MaskRewrite; 3] = [
    MaskRewrite {
        name: "block-skipping",
        flag: DisabledPasses::BLOCK_SKIPPING,
        apply: block_skipping::skip_blocks,
        field: |masks| &mut masks.skips_blocks,
        effect: "a loop runs only the iterations whose mask is not all zero",
    },
    MaskRewrite {
        name: "mask-elision",
        flag: DisabledPasses::MASK_ELISION,
        apply: mask_elision::elide_masks,
        field: |masks| &mut masks.elides_masks,
        effect: "one comparison decides whether a mask is computed",
    },
    MaskRewrite {
        name: "lazy-rescaling",
        flag: DisabledPasses::LAZY_RESCALING,
        apply: lazy_rescaling::rescale_lazily,
        field: |masks| &mut masks.rescales_lazily,
        effect: "a warp skips factors that are all 1",
    },
];
