//! Raster order: the order in which the blocks of a grid take work tiles.

use super::{GroupedRaster, LptOrder};

/// Grids of this width or more keep the hardware's order, since the number of a work tile could exceed 32
/// bits.
pub const MAX_GRID_EXTENT: u32 = 1 << 16;

/// The mapping of blocks, in the order in which the hardware starts them, to work tiles. Every work tile is
/// taken once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RasterOrder {
    /// Only the hardware's order: a block may wait for another that the hardware starts before it.
    #[default]
    Fixed,
    /// The hardware's order, although the kernel would compute the same in any other order.
    Any,
    /// Groups in which concurrent blocks read the fewest bytes.
    Grouped(GroupedRaster),
    /// The longest work tiles first.
    Lpt(LptOrder),
}

impl RasterOrder {
    /// Returns `true` if a block takes the work tile that the hardware gives it.
    pub fn is_hardware_order(self) -> bool {
        matches!(self, Self::Fixed | Self::Any)
    }

    /// Returns the work tile that the hardware's block `block` takes in a grid of this size.
    pub fn place(self, block: [u32; 3], grid: [u32; 3]) -> [u32; 3] {
        match self {
            Self::Fixed | Self::Any => block,
            Self::Grouped(strips) => {
                let [x, y] = strips.place([block[0], block[1]], [grid[0], grid[1]]);
                [x, y, block[2]]
            }
            Self::Lpt(order) => order.place(block, grid),
        }
    }
}
