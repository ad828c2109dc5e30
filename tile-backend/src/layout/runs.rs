//! Runs of a tile: elements that are contiguous both in global memory and in a buffer.
//!
//! ```text
//!   a buffer of 4 rows of 512 f16        run 0 | run 1 | run 2 | run 3      1024 bytes each
//! ```
//!
//! Input: the layout of a buffer. Output: [`Runs`], each of which one bulk copy fills, or `None`: a swizzled
//! buffer, or one whose rows are interleaved with other elements, has none.

use super::linear::LinearLayout;
use super::place::InDim;
use super::shape::Axis;
use super::shared::row_major;
use smallvec::SmallVec;

/// The runs of a buffer, consecutive in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runs {
    /// Elements of a run.
    pub length: u64,
    /// The number of runs.
    pub count: u64,
    /// The axes that distinguish runs, with their sizes: along the first axis, consecutive runs differ.
    pub axes: SmallVec<[(Axis, u64); 4]>,
}

impl Runs {
    /// Returns the runs along `contiguous` that make up `memory`; `None` if it does not consist of such runs.
    pub fn from_layout(memory: &LinearLayout, contiguous: Axis) -> Option<Self> {
        let shape = memory.shape();
        let others = shape.axes().rev().filter(|axis| *axis != contiguous);
        let mut others: SmallVec<[Axis; 4]> = others.collect();
        // Sort the axes into the order of the buffer.
        let offsets = memory.bases(InDim::Offset);
        let place = |axis: &Axis| {
            // An axis of size 1 has no second element to look for.
            let next = (shape.size(*axis) > 1).then(|| shape.on_axis(*axis, 1));
            let index = offsets.iter().position(|&basis| Some(basis) == next);
            index.unwrap_or(usize::MAX)
        };
        others.sort_by_key(place);
        let mut order: SmallVec<[Axis; 4]> = SmallVec::from_slice(&[contiguous]);
        order.extend(others.iter().copied());
        let length = shape.size(contiguous);
        (*memory == row_major(shape, &order)).then(|| Self {
            length,
            count: shape.num_elements() / length,
            axes: others
                .into_iter()
                .map(|axis| (axis, shape.size(axis)))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::OutShape;
    use super::super::shared::{Swizzle, swizzled};
    use super::*;

    fn shape(sizes: &[u64]) -> OutShape {
        OutShape::new(sizes).expect("powers of two")
    }

    #[test]
    fn rows_are_runs_in_the_order_of_the_buffer() {
        let shape = shape(&[2, 4, 64]);
        for order in [[2, 1, 0], [2, 0, 1]] {
            let memory = row_major(&shape, &order.map(Axis));
            let runs = Runs::from_layout(&memory, Axis(2)).expect("rows are whole");
            let axes = [order[1], order[2]].map(|axis| (Axis(axis), shape.size(Axis(axis))));
            assert_eq!((runs.length, runs.count), (64, 8));
            assert_eq!(runs.axes[..], axes);
        }
        let flat = row_major(&self::shape(&[1, 4, 1, 64]), &[3, 2, 1, 0].map(Axis));
        let flat = Runs::from_layout(&flat, Axis(3)).expect("axes of one element are in no way");
        assert_eq!(
            (flat.length, flat.count, flat.axes[0]),
            (64, 4, (Axis(1), 4))
        );
        let row = Runs::from_layout(&row_major(&self::shape(&[256]), &[Axis(0)]), Axis(0));
        let row = row.expect("a row is a run");
        assert_eq!((row.length, row.count, row.axes.len()), (256, 1, 0));
    }

    #[test]
    fn what_is_permuted_or_apart_has_no_runs() {
        let shape = shape(&[8, 64]);
        let columns_first = row_major(&shape, &[Axis(0), Axis(1)]);
        assert_eq!(Runs::from_layout(&columns_first, Axis(1)), None);
        let swizzle = Swizzle {
            vec: 8,
            per_phase: 1,
            max_phase: 8,
        };
        let permuted = swizzled(&shape, &[Axis(1), Axis(0)], swizzle);
        assert_eq!(Runs::from_layout(&permuted, Axis(1)), None);
    }
}
