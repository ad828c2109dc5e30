//! Optimizations to disable: for the ablation benchmarks, and to bisect a kernel that is wrong or slow.

use bitflags::bitflags;

bitflags! {
    /// Disabled optimizations. None of them changes what a kernel computes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct DisabledPasses: u16 {
        /// TMA stores of tiles.
        const TMA_STORES = 1 << 0;
        /// Grouped rasterization.
        const GROUPED_RASTER = 1 << 1;
        /// MMAs that stay in flight across iterations.
        const ASYNC_MMA = 1 << 2;
        /// Warp specialization.
        const WARP_SPECIALIZATION = 1 << 3;
        /// Loop rotation: of two MMAs in a loop, one overlaps the computation on the result of the other.
        const LOOP_ROTATION = 1 << 4;
        /// Ping-pong scheduling of two warpgroups.
        const PING_PONG = 1 << 5;
        /// Block skipping: iterations of fully masked blocks are skipped.
        const BLOCK_SKIPPING = 1 << 6;
        /// Mask elision: masks are omitted where they are all ones.
        const MASK_ELISION = 1 << 7;
        /// Lazy rescaling: the multiplication by factors is skipped where all factors are 1.
        const LAZY_RESCALING = 1 << 8;
        /// Epilogue subtiling: tiles are stored in subtiles, which leaves room for more stages.
        const EPILOGUE_SUBTILING = 1 << 9;
        /// Bulk copies of tiles, row by row, by one warp.
        const BULK_COPIES = 1 << 10;
        /// LPT order of work tiles.
        const LPT_ORDER = 1 << 11;
    }
}

impl DisabledPasses {
    /// All flags with their names on a command line.
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

    /// Returns the flag with the given name.
    pub fn from_option_name(name: &str) -> Option<Self> {
        let mut names = Self::NAMES.iter();
        names
            .find(|(other, _)| *other == name)
            .map(|(_, passes)| *passes)
    }
}
