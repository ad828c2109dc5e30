//! The positions of elements in tensor memory, as CUTLASS defines them (`tmem_frg`, `tmem_e_frg`,
//! `tmem_sf_frg`): extents and strides of rows and columns.

use super::Case;

/// A position in tensor memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) lane: usize,
    /// The bit, counted from the first column.
    pub(super) bit: usize,
}

/// Returns the sum of the digits of `index`, the lowest first, each multiplied by its stride: a
/// mode of a `CuTe` layout.
fn mode(mut index: usize, shape: &[(usize, Place)]) -> Place {
    let mut place = Place::default();
    for &(extent, stride) in shape {
        let digit = index % extent;
        index /= extent;
        place.lane += digit * stride.lane;
        place.bit += digit * stride.bit;
    }
    place
}

const fn lanes(lane: usize) -> Place {
    Place { lane, bit: 0 }
}

const fn bits(bit: usize) -> Place {
    Place { lane: 0, bit }
}

fn sum(one: Place, two: Place) -> Place {
    Place {
        lane: one.lane + two.lane,
        bit: one.bit + two.bit,
    }
}

impl Case {
    /// Returns the letter of the layout in "Data Path Layout Organization".
    pub(super) fn layout(&self) -> char {
        match (self.m, self.group, self.sparse, self.ws) {
            (256, 2, _, false) => 'A',
            (128, 2, false, false) => 'B',
            (128, 2, true, false) => 'C',
            (128, 1, _, _) => 'D',
            (64, 1, _, true) => 'E',
            (64, 1, _, false) => 'F',
            (32, 1, _, true) => 'G',
            _ => panic!("no layout"),
        }
    }

    /// Returns the lanes with copies of a row of A, relative to the lane of the row.
    pub(super) fn copies(&self) -> &'static [usize] {
        match self.layout() {
            'B' | 'E' => &[0, 64],
            'G' => &[0, 32, 64, 96],
            _ => &[0],
        }
    }

    /// Returns the lane of a row of a block.
    pub(super) fn lane(&self, row: usize) -> usize {
        let halves = [(16, lanes(1)), (4, lanes(32))];
        let place = match self.layout() {
            'C' | 'F' => mode(row, &halves),
            _ => lanes(row),
        };
        place.lane + self.first
    }

    /// Returns the lane and the column of an element of D of a block.
    pub(super) fn d_place(&self, row: usize, column: usize) -> (usize, usize) {
        let n = self.n;
        let across = match self.layout() {
            'B' | 'E' => mode(column, &[(n / 2, bits(1)), (2, lanes(64))]),
            'G' => mode(column, &[(n / 4, bits(1)), (4, lanes(32))]),
            _ => bits(column),
        };
        (self.lane(row) + across.lane, across.bit)
    }

    /// Returns the position of the code of a row's chunk.
    pub(super) fn metadata_place(&self, row: usize, k: usize) -> Place {
        let place = match self.kind {
            "f16" => sum(
                mode(row, &[(8, lanes(1)), (2, bits(16)), (8, lanes(16))]),
                mode(k, &[(16, bits(1)), (2, lanes(8))]),
            ),
            "tf32" => sum(
                mode(row, &[(8, lanes(1)), (2, bits(16)), (8, lanes(16))]),
                mode(k, &[(8, bits(2)), (2, lanes(8))]),
            ),
            _ if self.four() => sum(lanes(row), bits(k / 2)),
            _ => sum(lanes(row), bits(k)),
        };
        // If 64 rows use halves of quarters, groups of sixteen rows are as far apart as those of D.
        let spread = match self.layout() {
            'C' | 'F' => place.lane / 16 * 16,
            _ => 0,
        };
        Place {
            lane: place.lane + spread + self.first,
            bit: place.bit + 32 * self.selector,
        }
    }

    /// Returns the lane (in a quarter) and the bit of a scale factor. `extent` is the extent of a
    /// data path.
    pub(super) fn scale_place(row: usize, byte: usize, extent: usize) -> Place {
        let second = if extent > 128 { 8 * 32 } else { 4 * 32 };
        sum(
            mode(row, &[(32, lanes(1)), (8, bits(32))]),
            mode(byte, &[(4, bits(8)), (2, bits(second))]),
        )
    }
}
