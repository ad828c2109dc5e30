//! In which order the blocks of a grid take its positions.

use super::{GroupedRaster, LptOrder};

/// Grids that are as wide or wider keep their order: positions would have more than 32 bits.
pub const MAX_GRID_EXTENT: u32 = 1 << 16;

/// Which position the block takes that the hardware starts first, second and so on. Every one is taken once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RasterOrder {
    /// That of the hardware, since a block may wait for one that the hardware starts before.
    #[default]
    Fixed,
    /// That of the hardware; any other would be as good for what the kernel does.
    Any,
    /// As few bytes as can be for those that run at once.
    Grouped(GroupedRaster),
    /// Those with most work before others.
    Lpt(LptOrder),
}

impl RasterOrder {
    /// Whether a block takes the position that the hardware gives it.
    pub fn is_hardware_order(self) -> bool {
        matches!(self, Self::Fixed | Self::Any)
    }

    /// The position that the block which the hardware calls `block` takes in a grid of this size.
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
