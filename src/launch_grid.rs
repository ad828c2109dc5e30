//! Computes the blocks that a launch starts.
//!
//! The input is a grid of work tiles, a variant, and its occupancy on the device. The launch grid
//! depends on the variant:
//!
//! - plain: one block per work tile.
//! - persistent: as many blocks as run concurrently, along the first axis. The extents of the grid
//!   are passed after the tensor maps.
//! - cluster split: the blocks of a cluster share a work tile, so the extent of the first axis is
//!   multiplied by the number of blocks per cluster.
//!
//! On a device that cannot start clusters of this size, code with multicast runs without clusters.
//! A variant with a cluster split is replaced by another variant ([`can_launch`]).

use crate::image::ArchImage;

/// The maximum number of blocks along the first axis of a grid (CUDA programming guide, "Technical
/// Specifications").
const MAX_GRID_X: u32 = i32::MAX.unsigned_abs();

/// The number of blocks and clusters of a variant that a device runs concurrently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Occupancy {
    pub(crate) multiprocessors: u32,
    /// Blocks per multiprocessor.
    pub(crate) blocks: u32,
    /// Clusters of [`largest_cluster`] blocks on the whole device; 0 if it cannot start them.
    pub(crate) clusters: u32,
}

impl Occupancy {
    /// Returns an occupancy without limits on blocks and clusters, for this number of
    /// multiprocessors.
    pub(crate) const fn unlimited(multiprocessors: u32) -> Occupancy {
        Occupancy {
            multiprocessors,
            blocks: u32::MAX,
            clusters: u32::MAX,
        }
    }
}

/// The grid that is passed to the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaunchGrid {
    pub(crate) grid: [u32; 3],
    /// Blocks per cluster, along the first axis.
    pub(crate) cluster: u32,
    /// The extents that are passed after the tensor maps.
    pub(crate) extents: Option<[u32; 3]>,
}

fn work_tiles(grid: [u32; 3]) -> Option<u32> {
    let [x, y, z] = grid;
    x.checked_mul(y)?.checked_mul(z)
}

/// Returns the largest cluster that a launch of the code for an architecture starts; 1 without
/// clusters.
pub(crate) fn largest_cluster(arch: &ArchImage) -> u32 {
    arch.cluster.max(arch.blocks_per_tile).max(1)
}

/// Returns `true` if the code for an architecture can be launched on a grid: the launch grid is
/// within the limits, the work tiles of a persistent kernel can be counted in 32 bits, and the
/// device starts the clusters that the code requires.
pub(crate) fn can_launch(arch: &ArchImage, grid: [u32; 3], occupancy: Occupancy) -> bool {
    let blocks = grid[0].checked_mul(arch.blocks_per_tile);
    let fits_grid = blocks.is_some_and(|blocks| blocks <= MAX_GRID_X.max(grid[0]));
    let fits_counter = arch.persistent_blocks_per_sm.is_none() || work_tiles(grid).is_some();
    fits_grid && fits_counter && (arch.blocks_per_tile == 1 || occupancy.clusters > 0)
}

/// Computes the launch grid for a grid of work tiles for which [`can_launch`] is true.
pub(crate) fn launch_grid(arch: &ArchImage, grid: [u32; 3], occupancy: Occupancy) -> LaunchGrid {
    let blocks_per_tile = arch.blocks_per_tile;
    if blocks_per_tile > 1 {
        let [x, y, z] = grid;
        return LaunchGrid {
            grid: [x * blocks_per_tile, y, z],
            cluster: blocks_per_tile,
            extents: None,
        };
    }
    let Occupancy {
        multiprocessors,
        blocks: max_blocks,
        clusters,
    } = occupancy;
    let cluster = match clusters {
        0 => 1,
        _ => arch.cluster_for(grid),
    };
    let persistent_grid = arch.persistent_blocks_per_sm.zip(work_tiles(grid));
    let Some((persistent_blocks_per_sm, work_tiles)) = persistent_grid else {
        return LaunchGrid {
            grid,
            cluster,
            extents: None,
        };
    };
    let blocks = multiprocessors.saturating_mul(persistent_blocks_per_sm.min(max_blocks));
    // Clusters cannot use every multiprocessor of a GPC. Blocks beyond the clusters that fit would
    // run in a second wave.
    let blocks = match cluster {
        1 => blocks,
        _ => blocks.min(clusters.saturating_mul(cluster)),
    };
    // Only whole clusters are launched.
    let blocks = (blocks - blocks % cluster).max(cluster);
    LaunchGrid {
        grid: [work_tiles.min(blocks), 1, 1],
        cluster,
        extents: Some(grid),
    }
}

#[cfg(test)]
mod tests {
    use super::{LaunchGrid, Occupancy, can_launch, largest_cluster, launch_grid};
    use crate::image::ArchImage;

    const H200: Occupancy = Occupancy::unlimited(132);

    /// Code without a cluster split.
    const PLAIN: ArchImage = ArchImage::PLAIN;

    /// Persistent code, with clusters of this many blocks.
    fn persistent(cluster: u32) -> ArchImage {
        ArchImage {
            cluster,
            persistent_blocks_per_sm: Some(2),
            ..PLAIN
        }
    }

    /// Code in which four blocks share a work tile.
    fn shared() -> ArchImage {
        ArchImage {
            cluster: 4,
            blocks_per_tile: 4,
            ..PLAIN
        }
    }

    #[test]
    fn as_many_blocks_as_run_at_once_are_started() {
        let launched = |grid, multiprocessors| {
            let occupancy = Occupancy::unlimited(multiprocessors);
            launch_grid(&persistent(1), grid, occupancy)
        };
        let expected = |blocks, extents| LaunchGrid {
            grid: [blocks, 1, 1],
            cluster: 1,
            extents: Some(extents),
        };
        assert_eq!(launched([64, 32, 2], 132), expected(264, [64, 32, 2]));
        assert_eq!(launched([64, 4, 1], 132), expected(256, [64, 4, 1]));
        assert_eq!(launched([1, 1, 1], 132), expected(1, [1, 1, 1]));
        assert_eq!(launched([3, 3, 3], 0), expected(1, [3, 3, 3]));
    }

    #[test]
    fn pairs_are_whole() {
        let launched = |grid, multiprocessors| {
            let occupancy = Occupancy::unlimited(multiprocessors);
            let launch_grid = launch_grid(&persistent(2), grid, occupancy);
            (launch_grid.grid[0], launch_grid.cluster)
        };
        assert_eq!(launched([64, 33, 1], 132), (264, 2));
        assert_eq!(launched([2, 7, 1], 132), (14, 2));
        assert_eq!(launched([64, 32, 1], 0), (2, 2));
        assert_eq!(launched([3, 33, 1], 132), (99, 1));
    }

    #[test]
    fn no_more_blocks_are_started_than_the_device_runs_at_once() {
        let launched = |cluster, blocks, clusters| {
            let occupancy = Occupancy {
                multiprocessors: 132,
                blocks,
                clusters,
            };
            let launch_grid = launch_grid(&persistent(cluster), [64, 64, 1], occupancy);
            (launch_grid.grid[0], launch_grid.cluster)
        };
        // Two blocks per multiprocessor were requested.
        assert_eq!(launched(1, 1, u32::MAX), (132, 1));
        assert_eq!(launched(1, 7, u32::MAX), (264, 1));
        // With an odd number of multiprocessors, one is unused.
        assert_eq!(launched(2, 2, 65), (130, 2));
        assert_eq!(launched(2, 1, 65), (130, 2));
        assert_eq!(launched(2, 1, 200), (132, 2));
        assert_eq!(launched(2, 0, 1), (2, 2));
    }

    #[test]
    fn pairs_that_the_device_does_not_start_are_blocks_by_themselves() {
        let none = Occupancy {
            multiprocessors: 7,
            blocks: 1,
            clusters: 0,
        };
        let launched = |arch: &ArchImage| {
            assert!(can_launch(arch, [64, 32, 2], none));
            let launch_grid = launch_grid(arch, [64, 32, 2], none);
            (launch_grid.grid, launch_grid.cluster)
        };
        let pairs = ArchImage {
            cluster: 2,
            ..PLAIN
        };
        assert_eq!(launched(&pairs), ([64, 32, 2], 1));
        assert_eq!(launched(&persistent(2)), ([7, 1, 1], 1));
    }

    #[test]
    fn positions_that_no_cluster_can_share_are_left_to_the_other_variant() {
        let with_clusters = |clusters| Occupancy { clusters, ..H200 };
        assert!(can_launch(&shared(), [7, 3, 2], with_clusters(1)));
        assert!(!can_launch(&shared(), [7, 3, 2], with_clusters(0)));
        assert!(can_launch(&PLAIN, [7, 3, 2], with_clusters(0)));
    }

    #[test]
    fn the_largest_cluster_is_that_of_shared_positions_or_of_neighbours() {
        let without = ArchImage {
            cluster: 0,
            ..PLAIN
        };
        assert_eq!(largest_cluster(&shared()), 4);
        assert_eq!(largest_cluster(&without), 1);
        assert_eq!(largest_cluster(&persistent(2)), 2);
    }

    #[test]
    fn plain_code_has_a_block_for_each_position() {
        let expected = LaunchGrid {
            grid: [64, 32, 2],
            cluster: 1,
            extents: None,
        };
        assert_eq!(launch_grid(&PLAIN, [64, 32, 2], H200), expected);
    }

    #[test]
    fn positions_that_blocks_share_have_as_many_blocks() {
        let actual = launch_grid(&shared(), [7, 3, 2], H200);
        let expected = LaunchGrid {
            grid: [28, 3, 2],
            cluster: 4,
            extents: None,
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn more_positions_than_32_bits_count_are_left_to_the_other_variant() {
        assert!(can_launch(&persistent(1), [65_536, 65_535, 1], H200));
        assert!(!can_launch(&persistent(1), [65_536, 65_535, 2], H200));
        assert!(can_launch(&PLAIN, [65_536, 65_535, 2], H200));
    }

    #[test]
    fn more_blocks_than_a_grid_has_are_left_to_the_other_variant() {
        assert!(can_launch(&shared(), [(1 << 29) - 1, 1, 1], H200));
        assert!(!can_launch(&shared(), [1 << 29, 1, 1], H200));
        assert!(!can_launch(&shared(), [1 << 30, 1, 1], H200));
        assert!(can_launch(&PLAIN, [1 << 30, 1, 1], H200));
    }
}
