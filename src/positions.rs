//! Which blocks a launch starts.
//!
//! In: a grid, whose positions are each taken once, and a variant. Out: the grid that is started. It is the
//! same, unless blocks of the variant take one position after the other: then it is as many as run at once, in
//! a row, and the extents of the grid are passed behind the maps; or unless the blocks of a cluster share a
//! position: then there are so many times as many along the first axis.

use crate::private::{ArchImage, VariantImage};

/// The most blocks along the first axis of a grid (CUDA programming guide, "Technical Specifications").
const MOST_BLOCKS: u32 = i32::MAX.unsigned_abs();

/// What is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Started {
    pub(crate) grid: [u32; 3],
    /// Blocks of a cluster, along the first axis.
    pub(crate) cluster: u32,
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

/// Blocks that share one position.
fn parts(variant: &VariantImage, arch: &str) -> u32 {
    let mut all = variant.parts.iter();
    all.find(|(name, _)| *name == arch)
        .map_or(1, |(_, parts)| *parts)
}

/// Whether there can be as many blocks as the code for an architecture takes for the positions of a grid, which
/// it can count.
pub(crate) fn are_counted(variant: &VariantImage, arch: &str, grid: [u32; 3]) -> bool {
    let blocks = grid[0].checked_mul(parts(variant, arch));
    let are_few = blocks.is_some_and(|blocks| blocks <= MOST_BLOCKS.max(grid[0]));
    are_few && (resident(variant, arch).is_none() || positions(grid).is_some())
}

/// What is started on so many multiprocessors, for a grid of which [`are_counted`] is true.
pub(crate) fn started(
    variant: &VariantImage,
    arch: &ArchImage,
    grid: [u32; 3],
    multiprocessors: u32,
) -> Started {
    let parts = parts(variant, arch.name);
    if parts > 1 {
        let [x, y, z] = grid;
        return Started {
            grid: [x * parts, y, z],
            cluster: parts,
            extents: None,
        };
    }
    let cluster = arch.cluster_in(grid);
    let at_once = resident(variant, arch.name).zip(positions(grid));
    let Some((resident, positions)) = at_once else {
        return Started {
            grid,
            cluster,
            extents: None,
        };
    };
    let blocks = multiprocessors.saturating_mul(resident);
    // Of pairs there are whole ones.
    let blocks = (blocks - blocks % cluster).max(cluster);
    Started {
        grid: [positions.min(blocks), 1, 1],
        cluster,
        extents: Some(grid),
    }
}

#[cfg(test)]
mod tests {
    use super::{Started, are_counted, started};
    use crate::private::{ArchImage, VariantImage, VariantKind};

    fn variant() -> VariantImage {
        let variant = VariantImage::new(VariantKind::Fast, "k", &[], &[]);
        variant.with_resident_blocks(&[("sm_90a", 2)])
    }

    fn shared() -> VariantImage {
        let variant = VariantImage::new(VariantKind::Fast, "k", &[], &[]);
        variant.with_parts(&[("sm_90a", 4)])
    }

    fn arch(name: &'static str, cluster: u32) -> ArchImage {
        ArchImage {
            name,
            capability: 90,
            threads: 128,
            shared_bytes: 0,
            cluster,
        }
    }

    #[test]
    fn as_many_blocks_as_run_at_once_are_started() {
        let of =
            |grid, multiprocessors| started(&variant(), &arch("sm_90a", 1), grid, multiprocessors);
        let so = |blocks, extents| Started {
            grid: [blocks, 1, 1],
            cluster: 1,
            extents: Some(extents),
        };
        assert_eq!(of([64, 32, 2], 132), so(264, [64, 32, 2]));
        assert_eq!(of([64, 4, 1], 132), so(256, [64, 4, 1]));
        assert_eq!(of([1, 1, 1], 132), so(1, [1, 1, 1]));
        assert_eq!(of([3, 3, 3], 0), so(1, [3, 3, 3]));
    }

    #[test]
    fn pairs_are_whole() {
        let of = |grid, multiprocessors| {
            let started = started(&variant(), &arch("sm_90a", 2), grid, multiprocessors);
            (started.grid[0], started.cluster)
        };
        assert_eq!(of([64, 33, 1], 132), (264, 2));
        assert_eq!(of([2, 7, 1], 132), (14, 2));
        assert_eq!(of([64, 32, 1], 0), (2, 2));
        assert_eq!(of([3, 33, 1], 132), (99, 1));
    }

    #[test]
    fn other_architectures_have_a_block_for_each_position() {
        for variant in [variant(), shared()] {
            let found = started(&variant, &arch("sm_80", 1), [64, 32, 2], 132);
            let plain = Started {
                grid: [64, 32, 2],
                cluster: 1,
                extents: None,
            };
            assert_eq!(found, plain);
        }
    }

    #[test]
    fn positions_that_blocks_share_have_as_many_blocks() {
        let found = started(&shared(), &arch("sm_90a", 4), [7, 3, 2], 132);
        let expected = Started {
            grid: [28, 3, 2],
            cluster: 4,
            extents: None,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn more_positions_than_32_bits_count_are_left_to_the_other_variant() {
        assert!(are_counted(&variant(), "sm_90a", [65_536, 65_535, 1]));
        assert!(!are_counted(&variant(), "sm_90a", [65_536, 65_535, 2]));
        assert!(are_counted(&variant(), "sm_80", [65_536, 65_535, 2]));
    }

    #[test]
    fn more_blocks_than_a_grid_has_are_left_to_the_other_variant() {
        assert!(are_counted(&shared(), "sm_90a", [(1 << 29) - 1, 1, 1]));
        assert!(!are_counted(&shared(), "sm_90a", [1 << 29, 1, 1]));
        assert!(!are_counted(&shared(), "sm_90a", [1 << 30, 1, 1]));
        assert!(are_counted(&shared(), "sm_80", [1 << 30, 1, 1]));
    }
}
