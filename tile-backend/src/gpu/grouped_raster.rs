//! Grouped rasterization: the order in which blocks take work tiles.
//!
//! The hardware starts blocks along the first axis of the grid, row after row, so that concurrent blocks form
//! one long row. In a matmul, each of these blocks reads different columns, and all columns are read again
//! for the next row. If columns are divided into groups, concurrent blocks form a rectangle that is about as
//! high as it is wide:
//!
//! ```text
//!   hardware order   0  1  2  3  4  5       groups of 3      0  1  2 12 13 14
//!                6  7  8  9 10 11                            3  4  5 15 16 17
//!               12 13 14 15 16 17                            6  7  8 18 19 20
//!               18 19 20 21 22 23                            9 10 11 21 22 23
//! ```
//!
//! Only the mapping of blocks to work tiles changes: in every grid, each work tile is still taken once. A
//! grid that is no wider than a group keeps its order.

use super::MAX_GRID_EXTENT;

/// An order in groups of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupedRaster {
    /// The logarithm of the maximum width of a group along the first axis, in blocks. All groups but the last
    /// have the same width, which is even and at least two. So if rows of the grid have even length, an even
    /// block and its successor take an even work tile and its successor, and pairs stay neighbours.
    pub log2_blocks: u32,
}

impl GroupedRaster {
    /// Returns the coordinates, on the first two axes, of the work tile that the hardware's block `block`
    /// takes in a grid of this size.
    pub fn place(self, block: [u32; 2], grid: [u32; 2]) -> [u32; 2] {
        let ([column, row], [columns, rows]) = (block, grid);
        if columns >= MAX_GRID_EXTENT {
            return block;
        }
        let strips = columns.div_ceil(1 << self.log2_blocks);
        // An even width keeps the two blocks of a cluster on neighbouring work tiles.
        let width = columns.div_ceil(strips).next_multiple_of(2);
        let number = row * columns + column;
        let strip = number / (width * rows);
        let within = number - strip * width * rows;
        let left = columns - strip * width;
        let strip_width = width.min(left);
        [strip * width + within % strip_width, within / strip_width]
    }

    /// Returns the groups in which `at_once` concurrent blocks read the fewest bytes ([`Self::traffic`]).
    pub fn with_min_traffic(at_once: u64, bytes: [u64; 2]) -> Self {
        // Among equal choices the widest is taken, since it leaves more grids in hardware order.
        let best = Self::candidates(at_once).min_by_key(|groups| groups.traffic(at_once, bytes));
        best.expect("there is one")
    }

    /// Returns the groups that are at most as wide as `at_once` blocks, the widest first.
    pub fn candidates(at_once: u64) -> impl Iterator<Item = Self> {
        let widths = (0..=at_once.ilog2()).rev();
        widths.map(|log2_blocks| Self { log2_blocks })
    }

    /// Returns the bytes that `at_once` concurrent blocks read in one iteration. `bytes[axis]` is the size of
    /// the operand that depends on a block's coordinate along `axis`.
    pub fn traffic(self, at_once: u64, bytes: [u64; 2]) -> u64 {
        let wide = 1 << self.log2_blocks;
        wide * bytes[0] + at_once.div_ceil(wide) * bytes[1]
    }
}

#[cfg(test)]
mod tests {
    use super::GroupedRaster;
    use crate::gpu::MAX_GRID_EXTENT;
    use std::collections::BTreeSet;

    fn places(strips: GroupedRaster, grid: [u32; 2]) -> Vec<[u32; 2]> {
        let numbers = 0..grid[0] * grid[1];
        let places = numbers.map(|number| strips.place([number % grid[0], number / grid[0]], grid));
        places.collect()
    }

    #[test]
    fn every_position_is_taken_once() {
        let sizes = (1..40).chain([63, 64, 65, 127, 200, 257]);
        for log2_blocks in [0, 1, 3, 4] {
            let strips = GroupedRaster { log2_blocks };
            for columns in sizes.clone() {
                for rows in [1, 2, 3, 5, 8, 31, 64] {
                    let grid = [columns, rows];
                    let visited = places(strips, grid);
                    assert!(
                        visited
                            .iter()
                            .all(|place| place[0] < columns && place[1] < rows)
                    );
                    let distinct: BTreeSet<_> = visited.iter().copied().collect();
                    assert_eq!(distinct.len(), visited.len(), "{grid:?} {strips:?}");
                }
            }
        }
    }

    #[test]
    fn a_narrow_grid_and_one_that_is_too_wide_keep_their_order() {
        let strips = GroupedRaster { log2_blocks: 3 };
        for grid in [[1, 9], [8, 9], [5, 1], [100, 1]] {
            for number in 0..grid[0] * grid[1] {
                let block = [number % grid[0], number / grid[0]];
                assert_eq!(strips.place(block, grid), block);
            }
        }
        let block = [MAX_GRID_EXTENT - 1, 60_000];
        assert_eq!(strips.place(block, [MAX_GRID_EXTENT, 65_535]), block);
        let last = [MAX_GRID_EXTENT - 2, 65_534];
        let [column, row] = strips.place(last, [MAX_GRID_EXTENT - 1, 65_535]);
        assert_eq!(
            [column, row],
            last,
            "the last block of all is the last of its group"
        );
    }

    /// Returns the bytes that concurrent blocks read for one iteration of their loops, summed over all waves
    /// of blocks.
    fn read(order: &[[u32; 2]], at_once: usize, bytes: [u64; 2]) -> u64 {
        let groups = order.chunks(at_once);
        let of_group = groups.map(|group| {
            let distinct = |axis: usize| {
                let places: BTreeSet<u32> = group.iter().map(|place| place[axis]).collect();
                places.len() as u64 * bytes[axis]
            };
            distinct(0) + distinct(1)
        });
        of_group.sum()
    }

    #[test]
    fn blocks_that_run_at_once_read_less_in_strips() {
        const CONCURRENT_BLOCKS: usize = 132;
        let mut ratios = Vec::new();
        // The cases are tiles of 128x128 and 128x256, in matmuls of size 2048 to 16384.
        for (bytes, tile) in [([128, 128], [128, 128]), ([128, 256], [128, 256])] {
            let strips = GroupedRaster::with_min_traffic(CONCURRENT_BLOCKS as u64, bytes);
            for size in [2048_u32, 3000, 4096, 6000, 8192, 12_000, 16_384] {
                let grid = tile.map(|length| size.div_ceil(length));
                let order = places(strips, grid);
                let plain: Vec<[u32; 2]> = (0..grid[0] * grid[1])
                    .map(|number| [number % grid[0], number / grid[0]])
                    .collect();
                let (before, after) = (
                    read(&plain, CONCURRENT_BLOCKS, bytes),
                    read(&order, CONCURRENT_BLOCKS, bytes),
                );
                #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                let ratio = after as f64 / before as f64;
                assert!(ratio <= 1.0, "{tile:?} {size}: {before} {after}");
                if size >= 8192 {
                    assert!(ratio <= 0.62, "{tile:?} {size}: {before} {after}");
                }
                ratios.push(ratio);
            }
        }
        assert_eq!(ratios.len(), 14);
    }
}
