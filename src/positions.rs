//! Which blocks a launch starts.
//!
//! In: a grid, whose positions are each taken once, and a variant. Out: the grid that is started. It is the
//! same, unless blocks of the variant take one position after the other: then it is as many as run at once, in
//! a row, and the extents of the grid are passed behind the maps.

use crate::private::VariantImage;

/// What is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    pub(crate) grid: [u32; 3],
    /// What is passed behind the maps.
    pub(crate) extents: Option<[u32; 3]>,
}

/// Blocks that a multiprocessor runs at once, if they take positions in turn.
fn resident(variant: &VariantImage, arch: &str) -> Option<u32> {
    let mut all = variant.resident_blocks.iter();
    all.find(|(name, _)| *name == arch)
        .map(|(_, blocks)| *blocks)
}

fn positions(grid: [u32; 3]) -> Option<u32> {
    let [x, y, z] = grid;
    x.checked_mul(y)?.checked_mul(z)
}

/// Whether the code for an architecture can count the positions of a grid.
pub(crate) fn are_counted(variant: &VariantImage, arch: &str, grid: [u32; 3]) -> bool {
    resident(variant, arch).is_none() || positions(grid).is_some()
}

/// What is started on so many multiprocessors, where so many blocks are a cluster.
pub(crate) fn started(
    variant: &VariantImage,
    arch: &str,
    grid: [u32; 3],
    cluster: u32,
    multiprocessors: u32,
) -> Started {
    let at_once = resident(variant, arch).zip(positions(grid));
    let Some((resident, positions)) = at_once else {
        return Started {
            grid,
            extents: None,
        };
    };
    let blocks = multiprocessors.saturating_mul(resident);
    // Of pairs there are whole ones.
    let blocks = (blocks - blocks % cluster).max(cluster);
    Started {
        grid: [positions.min(blocks), 1, 1],
        extents: Some(grid),
    }
}

#[cfg(test)]
mod tests {
    use super::{Started, are_counted, started};
    use crate::private::{VariantImage, VariantKind};

    fn variant() -> VariantImage {
        let variant = VariantImage::new(VariantKind::Fast, "k", &[], &[]);
        variant.with_resident_blocks(&[("sm_90a", 2)])
    }

    #[test]
    fn as_many_blocks_as_run_at_once_are_started() {
        let of = |grid, multiprocessors| started(&variant(), "sm_90a", grid, 1, multiprocessors);
        let so = |blocks, extents| Started {
            grid: [blocks, 1, 1],
            extents: Some(extents),
        };
        assert_eq!(of([64, 32, 2], 132), so(264, [64, 32, 2]));
        assert_eq!(of([64, 4, 1], 132), so(256, [64, 4, 1]));
        assert_eq!(of([1, 1, 1], 132), so(1, [1, 1, 1]));
        assert_eq!(of([3, 3, 3], 0), so(1, [3, 3, 3]));
    }

    #[test]
    fn pairs_are_whole() {
        let of =
            |grid, multiprocessors| started(&variant(), "sm_90a", grid, 2, multiprocessors).grid[0];
        assert_eq!(of([64, 33, 1], 132), 264);
        assert_eq!(of([2, 7, 1], 132), 14);
        assert_eq!(of([64, 32, 1], 0), 2);
    }

    #[test]
    fn other_architectures_have_a_block_for_each_position() {
        let found = started(&variant(), "sm_80", [64, 32, 2], 1, 132);
        let plain = Started {
            grid: [64, 32, 2],
            extents: None,
        };
        assert_eq!(found, plain);
    }

    #[test]
    fn more_positions_than_32_bits_count_are_left_to_the_other_variant() {
        assert!(are_counted(&variant(), "sm_90a", [65_536, 65_535, 1]));
        assert!(!are_counted(&variant(), "sm_90a", [65_536, 65_535, 2]));
        assert!(are_counted(&variant(), "sm_80", [65_536, 65_535, 2]));
    }
}
