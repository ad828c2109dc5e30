//! Rewrites that a kernel is to go without: for the ladder of benchmarks, and for whoever looks for the one
//! that breaks or slows a kernel.

use bitflags::bitflags;

bitflags! {
    /// Rewrites that are left out. None of them changes what a kernel computes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Without: u16 {
        /// Stores of tiles by copies of tensors.
        const TENSOR_STORES = 1 << 0;
        /// Strips of the grid, by which neighbours in time share operands.
        const STRIPS = 1 << 1;
        /// Products that are under way while their loop goes on.
        const OPEN_PRODUCTS = 1 << 2;
        /// Warps of their own that copy tiles.
        const PRODUCERS = 1 << 3;
        /// Two products of a loop of which one overlaps what is computed from the other.
        const ROTATION = 1 << 4;
        /// Two warpgroups that multiply and compute in turns.
        const TURNS = 1 << 5;
        /// Iterations that are skipped as a whole.
        const SKIPS = 1 << 6;
        /// Masks that are left out where they are all one.
        const MASKS = 1 << 7;
        /// Factors that are left out where they are all one.
        const RESCALING = 1 << 8;
        /// Tiles that are stored in pieces, for rings with more slots.
        const PIECES = 1 << 9;
        /// Tiles that a warp has copied row by row.
        const BULK_COPIES = 1 << 10;
        /// Blocks with more work before others.
        const LONGEST_FIRST = 1 << 11;
    }
}

impl Without {
    /// Each with its name on a command line.
    pub const NAMES: [(&'static str, Self); 12] = [
        ("tensor-stores", Self::TENSOR_STORES),
        ("strips", Self::STRIPS),
        ("open-products", Self::OPEN_PRODUCTS),
        ("producers", Self::PRODUCERS),
        ("rotation", Self::ROTATION),
        ("turns", Self::TURNS),
        ("skips", Self::SKIPS),
        ("masks", Self::MASKS),
        ("rescaling", Self::RESCALING),
        ("pieces", Self::PIECES),
        ("bulk-copies", Self::BULK_COPIES),
        ("longest-first", Self::LONGEST_FIRST),
    ];

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::NAMES.iter();
        all.find(|(other, _)| *other == name)
            .map(|(_, without)| *without)
    }
}
