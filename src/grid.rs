//! The grid of a launch: the number of blocks along each of the three axes.

use crate::{Device, Error, Result};

/// The maximum number of blocks along any axis: block indices are 24-bit numbers in Tile IR.
const MAX_BLOCKS_PER_AXIS: u64 = (1 << 24) - 1;
/// The maximum number of blocks along all axes together.
const MAX_BLOCKS: u64 = u32::MAX as u64;
/// The maximum number of blocks along the second and third axis of a CUDA grid.
const MAX_GRID_YZ: u64 = 65_535;

/// The blocks of a launch along up to three axes; omitted axes are 1.
///
/// A grid is made from an array or a tuple, or by [`Tensor::tiles`](crate::Tensor::tiles). An
/// invalid grid is reported by `.launch()`, not before. A launch with 0 blocks along an axis runs
/// none.
///
/// ```
/// use tile_kernel::Grid;
/// assert_eq!(Grid::from([4, 2]), Grid::from([4, 2, 1]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Grid(State);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Blocks([u64; 3]),
    ZeroTile { axis: usize },
    TooManyAxes(usize),
}

/// An extent of a tile: a positive integer of any type.
pub trait TileExtent: Copy {
    /// Converts to `usize`; values that do not fit become 0, and every launch refuses an extent of
    /// 0.
    fn extent(self) -> usize;
}

macro_rules! extents {
    ($($ty:ty)+) => { $(
        impl TileExtent for $ty {
            fn extent(self) -> usize {
                usize::try_from(self).unwrap_or(0)
            }
        }
    )+ };
}
extents!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl Grid {
    /// Returns the grid that covers `shape` with tiles of `tile`, rounded up per axis. Where the tile is known, a division is a
    /// shift: a tuned launch computes the grids of all candidates.
    #[inline]
    pub(crate) fn covering(shape: &[usize], tile: &[usize]) -> Grid {
        if shape.len() > 3 {
            return Grid(State::TooManyAxes(shape.len()));
        }
        let mut blocks = [1; 3];
        for (axis, (&extent, &tile)) in shape.iter().zip(tile).enumerate() {
            if tile == 0 {
                return Grid(State::ZeroTile { axis });
            }
            blocks[axis] = extent.div_ceil(tile) as u64;
        }
        Grid(State::Blocks(blocks))
    }

    /// Returns the maximum number of blocks along an axis.
    pub(crate) fn max_blocks(axis: usize, device: Device) -> u64 {
        if axis > 0 && device != Device::cpu() {
            MAX_GRID_YZ
        } else {
            MAX_BLOCKS_PER_AXIS
        }
    }

    /// Returns the number of blocks along each axis, or an error if `device` cannot launch them.
    pub(crate) fn check(self, kernel: &'static str, device: Device) -> Result<[u32; 3]> {
        let blocks = match self.0 {
            State::Blocks(blocks) => blocks,
            State::ZeroTile { axis } => return Err(Error::ZeroTile { kernel, axis }),
            State::TooManyAxes(axes) => return Err(Error::GridRank { kernel, axes }),
        };
        let mut checked = [0; 3];
        for (axis, &blocks) in blocks.iter().enumerate() {
            let limit = Self::max_blocks(axis, device);
            checked[axis] = match u32::try_from(blocks) {
                Ok(fits) if blocks <= limit => fits,
                _ => {
                    return Err(Error::GridTooLarge {
                        kernel,
                        axis,
                        blocks,
                        limit,
                    });
                }
            };
        }
        if checked.contains(&0) {
            return Ok(checked);
        }
        // The total must fit 32 bits, since blocks are numbered with 32 bits.
        let mut total = 1;
        for (axis, &blocks) in checked.iter().enumerate() {
            if u64::from(blocks) > MAX_BLOCKS / total {
                return Err(Error::GridTooLarge {
                    kernel,
                    axis,
                    blocks: blocks.into(),
                    limit: MAX_BLOCKS / total,
                });
            }
            total *= u64::from(blocks);
        }
        Ok(checked)
    }
}

impl From<usize> for Grid {
    fn from(x: usize) -> Grid {
        Grid::from([x, 1, 1])
    }
}

impl From<[usize; 1]> for Grid {
    fn from([x]: [usize; 1]) -> Grid {
        Grid::from([x, 1, 1])
    }
}

impl From<[usize; 2]> for Grid {
    fn from([x, y]: [usize; 2]) -> Grid {
        Grid::from([x, y, 1])
    }
}

impl From<[usize; 3]> for Grid {
    fn from(blocks: [usize; 3]) -> Grid {
        Grid(State::Blocks(blocks.map(|blocks| blocks as u64)))
    }
}

impl From<(usize, usize)> for Grid {
    fn from((x, y): (usize, usize)) -> Grid {
        Grid::from([x, y, 1])
    }
}

impl From<(usize, usize, usize)> for Grid {
    fn from((x, y, z): (usize, usize, usize)) -> Grid {
        Grid::from([x, y, z])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(grid: Grid) -> Result<[u32; 3]> {
        grid.check("k", Device::cpu())
    }

    #[test]
    fn tiles_round_up_on_every_axis() {
        assert_eq!(
            blocks(Grid::covering(&[1000, 64, 1], &[128, 64, 4])),
            Ok([8, 1, 1])
        );
        assert_eq!(blocks(Grid::covering(&[129], &[128])), Ok([2, 1, 1]));
    }

    #[test]
    fn a_zero_in_the_tile_is_found_at_launch() {
        assert_eq!(
            blocks(Grid::covering(&[8, 8], &[8, 0])),
            Err(Error::ZeroTile {
                kernel: "k",
                axis: 1
            })
        );
    }

    #[test]
    fn all_blocks_together_are_fewer_than_32_bits_count() {
        assert_eq!(
            blocks(Grid::from([65_535, 65_537])),
            Ok([65_535, 65_537, 1])
        );
        assert_eq!(
            blocks(Grid::from([65_536, 32_768, 2])),
            Err(Error::GridTooLarge {
                kernel: "k",
                axis: 2,
                blocks: 2,
                limit: 1
            })
        );
    }

    #[test]
    fn four_axes_of_tiles_are_no_grid() {
        assert_eq!(
            blocks(Grid::covering(&[8; 4], &[8; 4])),
            Err(Error::GridRank {
                kernel: "k",
                axes: 4
            })
        );
    }

    #[test]
    fn an_empty_axis_leaves_no_blocks() {
        assert_eq!(blocks(Grid::from([3, 0])), Ok([3, 0, 1]));
        let tiles = Grid::covering(&[0, 1 << 40], &[16, 1 << 20]);
        assert_eq!(blocks(tiles), Ok([0, 1 << 20, 1]));
    }

    #[test]
    fn the_largest_axis_is_launched_and_one_more_is_refused() {
        let limit = 16_777_215;
        assert_eq!(blocks(Grid::from(limit)), Ok([16_777_215, 1, 1]));
        assert_eq!(
            blocks(Grid::from([1, limit + 1])),
            Err(Error::GridTooLarge {
                kernel: "k",
                axis: 1,
                blocks: 16_777_216,
                limit: 16_777_215
            })
        );
    }
}
