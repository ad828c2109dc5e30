//! Optimizations to disable: for the ablation benchmarks, and for whoever looks for the one
//! that breaks or slows a kernel.

use bitflags::bitflags;

bitflags! {
    /// Rewrites that are left out. None of them changes what a kernel computes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct DisabledPasses: u16 {
        /// Stores of tiles by copies of tensors.
        const TMA_STORES = 1 << 0;
        /// Strips of the grid, by which neighbours in time share operands.
        const GROUPED_RASTER = 1 << 1;
        /// Products that are under way while their loop goes on.
        const ASYNC_MMA = 1 << 2;
        /// Warps of their own that copy tiles.
        const WARP_SPECIALIZATION = 1 << 3;
        /// Two products of a loop of which one overlaps what is computed from the other.
        const LOOP_ROTATION = 1 << 4;
        /// Two warpgroups that multiply and compute in turns.
        const PING_PONG = 1 << 5;
        /// Iterations that are skipped as a whole.
        const BLOCK_SKIPPING = 1 << 6;
        /// Masks that are left out where they are all one.
        const MASK_ELISION = 1 << 7;
        /// Factors that are left out where they are all one.
        const LAZY_RESCALING = 1 << 8;
        /// Tiles that are stored in pieces, for rings with more slots.
        const EPILOGUE_SUBTILING = 1 << 9;
        /// Tiles that a warp has copied row by row.
        const BULK_COPIES = 1 << 10;
        /// Blocks with more work before others.
        const LPT_ORDER = 1 << 11;
    }
}

impl DisabledPasses {
    /// Each with its name on a command line.
    pub const NAMES: [(&'static str, Self); 12] = [
        ("tma-stores", Self::TMA_STORES),
        ("grouped-raster", Self::GROUPED_RASTER),
        ("async-mma", Self::ASYNC_MMA),
        ("warp-specialization", Self::WARP_SPECIALIZATION),
        ("loop-rotation", Self::LOOP_ROTATION),
        ("ping-pong", Self::PING_PONG),
        ("block-skipping", Self::BLOCK_SKIPPING),
        ("mask-elision", Self::MASK_ELISION),
        ("lazy-rescaling", Self::LAZY_RESCALING),
        ("epilogue-subtiling", Self::EPILOGUE_SUBTILING),
        ("bulk-copies", Self::BULK_COPIES),
        ("lpt-order", Self::LPT_ORDER),
    ];

    /// The one of a name.
    pub fn from_option_name(name: &str) -> Option<Self> {
        let mut names = Self::NAMES.iter();
        names
            .find(|(other, _)| *other == name)
            .map(|(_, passes)| *passes)
    }
}
