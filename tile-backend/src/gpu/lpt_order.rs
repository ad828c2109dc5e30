//! LPT order (longest processing time first): blocks with more iterations start first.
//!
//! The hardware starts blocks along the first axis of the grid, then the second, then the third, each as soon
//! as another block has ended. If the trip count rises along an axis, as in causal attention, the longest
//! blocks start last, and most multiprocessors are idle at the end. If the longest blocks start first, the
//! last blocks are short, and all multiprocessors end at about the same time (Graham, 1969, "Bounds on
//! Multiprocessing Timing Anomalies").
//!
//! If all of the longest blocks started before all others, concurrent blocks would no longer share data such
//! as the keys of a head. So the indices of the other axis are divided into small groups, and each group
//! traverses the uneven axis together:
//!
//! ```text
//!   hardware order, heads across, queries down             LPT order, two heads together
//!        0  8 16 24                                             6  7 14 15
//!        1  9 17 25                                             4  5 12 13
//!        2 10 18 26                                             2  3 10 11
//!        3 11 19 27                                             0  1  8  9
//! ```

use super::MAX_GRID_EXTENT;

/// LPT order of a grid whose trip counts rise or fall along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LptOrder {
    /// The axis along which trip counts differ.
    pub axis: u8,
    /// `true` if trip counts rise along the axis, `false` if they fall.
    pub rises: bool,
}

impl LptOrder {
    /// Maximum number of indices of the other axis that traverse the uneven axis together. Four are enough
    /// for all multiprocessors to end at about the same time. In attention with 16,384 keys of 128 `bf16`,
    /// four heads fit in the L2 of a large GPU (32 of 50 MB).
    pub const TOGETHER: u32 = 4;

    /// Returns the uneven axis and the other of the first two axes. Returns `None` if the third axis is
    /// uneven, which the hardware traverses last.
    pub fn axes(self) -> Option<[usize; 2]> {
        let axis = usize::from(self.axis);
        (axis < 2).then(|| [axis, 1 - axis])
    }

    /// Returns the work tile that the hardware's block `block` takes in a grid of this size.
    pub fn place(self, block: [u32; 3], grid: [u32; 3]) -> [u32; 3] {
        let turned = |coordinate: u32, size: u32| {
            if self.rises {
                size - 1 - coordinate
            } else {
                coordinate
            }
        };
        let Some([uneven, other]) = self.axes() else {
            return [block[0], block[1], turned(block[2], grid[2])];
        };
        if grid[0] >= MAX_GRID_EXTENT {
            return block;
        }
        let number = block[1] * grid[0] + block[0];
        let area = Self::TOGETHER * grid[uneven];
        let group = number / area;
        let within = number - group * area;
        let start = group * Self::TOGETHER;
        let group_size = Self::TOGETHER.min(grid[other] - start);
        let along = within / group_size;
        let mut place = block;
        place[uneven] = turned(along, grid[uneven]);
        place[other] = start + (within - along * group_size);
        place
    }
}

#[cfg(test)]
mod tests {
    use super::LptOrder;
    use crate::gpu::MAX_GRID_EXTENT;
    use std::cmp::Reverse;
    use std::collections::{BTreeSet, BinaryHeap};

    fn blocks([x, y, z]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
        (0..x * y * z).map(move |number| [number % x, number / x % y, number / (x * y)])
    }

    fn orders() -> impl Iterator<Item = LptOrder> {
        let axes = (0..3).flat_map(|axis| [(axis, false), (axis, true)]);
        axes.map(|(axis, rises)| LptOrder { axis, rises })
    }

    #[test]
    fn every_position_is_taken_once() {
        for order in orders() {
            for x in (1..14).chain([63, 64, 200]) {
                for (y, z) in [(1, 1), (2, 3), (3, 1), (4, 2), (5, 1), (8, 3), (33, 1)] {
                    let grid = [x, y, z];
                    let places: BTreeSet<_> =
                        blocks(grid).map(|block| order.place(block, grid)).collect();
                    assert_eq!(places.len(), (x * y * z) as usize, "{order:?} {grid:?}");
                    let inside = |place: &[u32; 3]| (0..3).all(|axis| place[axis] < grid[axis]);
                    assert!(places.iter().all(inside), "{order:?} {grid:?}");
                }
            }
        }
    }

    #[test]
    fn the_longest_of_a_group_come_first() {
        for order in orders() {
            let grid = [9, 7, 5];
            let uneven = usize::from(order.axis);
            let places: Vec<_> = blocks(grid).map(|block| order.place(block, grid)).collect();
            let group = |place: &[u32; 3]| match order.axes() {
                Some([_, other]) => [place[2], place[other] / 4],
                None => [0, 0],
            };
            let length = |place: &[u32; 3]| {
                let along = place[uneven];
                if order.rises { along } else { 10 - along }
            };
            for pair in places.windows(2) {
                if group(&pair[0]) == group(&pair[1]) {
                    assert!(length(&pair[0]) >= length(&pair[1]), "{order:?} {pair:?}");
                } else {
                    assert!(group(&pair[0]) < group(&pair[1]), "{order:?} {pair:?}");
                }
            }
        }
    }

    #[test]
    fn a_grid_that_is_too_wide_keeps_its_order() {
        for order in orders().filter(|order| order.axis < 2) {
            let block = [MAX_GRID_EXTENT - 1, 60_000, 3];
            assert_eq!(order.place(block, [MAX_GRID_EXTENT, 65_535, 4]), block);
            let grid = [MAX_GRID_EXTENT - 1, 65_535, 1];
            let last = order.place([MAX_GRID_EXTENT - 2, 65_534, 0], grid);
            let [uneven, other] = order.axes().expect("one of two");
            let end = if order.rises { 0 } else { grid[uneven] - 1 };
            assert_eq!((last[uneven], last[other]), (end, grid[other] - 1));
        }
    }

    /// Returns the time at which the last block ends, if `at_once` blocks run at a time and each further
    /// block starts when another ends.
    fn end(lengths: impl Iterator<Item = u32>, at_once: usize) -> u32 {
        let mut free: BinaryHeap<Reverse<u32>> = (0..at_once).map(|_| Reverse(0)).collect();
        for length in lengths {
            let Reverse(start) = free.pop().expect("there are multiprocessors");
            free.push(Reverse(start + length));
        }
        free.into_iter()
            .map(|Reverse(end)| end)
            .max()
            .unwrap_or_default()
    }

    #[test]
    fn multiprocessors_end_together() {
        const CONCURRENT_BLOCKS: u32 = 132;
        let order = LptOrder {
            axis: 0,
            rises: true,
        };
        // The tiles have 128 of 4096, 8192 or 16384 queries, and the heads are those of all sequences, as in
        // the benchmarks of attention. An iteration takes 2 units of time, and the code around the loop 3.
        let length = |place: [u32; 3]| 2 * (place[0] + 1) + 3;
        for (tiles, heads, before) in [
            (32, 64, 1.07),
            (64, 32, 1.07),
            (128, 16, 1.07),
            (32, 16, 1.3),
        ] {
            let grid = [tiles, heads, 1];
            let total: u32 = blocks(grid).map(length).sum();
            let ratio = |end: u32| f64::from(end * CONCURRENT_BLOCKS) / f64::from(total);
            let hardware = ratio(end(blocks(grid).map(length), CONCURRENT_BLOCKS as usize));
            let places = blocks(grid).map(|block| order.place(block, grid));
            let sorted = ratio(end(places.map(length), CONCURRENT_BLOCKS as usize));
            assert!(hardware >= before, "{grid:?}: {hardware}");
            assert!(sorted <= 1.005, "{grid:?}: {sorted}");
        }
    }
}
