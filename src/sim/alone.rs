//! The PTX of one block of a grid.
//!
//! The simulator numbers the blocks of a launch from 0. For a launch of one block, the special registers
//! that hold its index and the size of the grid are replaced by their values in a launch of the whole grid.

use tile_sim::Module;

use crate::image::KernelImage;
use crate::{Device, Error, Result};

/// Parses PTX in which the block `block` of the grid `grid` is written in place of the registers.
pub(super) fn module(
    image: &'static KernelImage,
    text: &str,
    block: [u32; 3],
    grid: [u32; 3],
) -> Result<Module> {
    let refused = |reason| Error::NotAlone {
        kernel: image.name,
        device: Device::sim(),
        reason,
    };
    let text = written(text, block, grid)
        .ok_or_else(|| refused("its inline PTX reads all indices of a block at once"))?;
    Module::parse(&text).map_err(|_| refused("its PTX takes no numbers in place of `%ctaid`"))
}

/// Replaces the registers; `None` if one is read as a vector.
fn written(text: &str, block: [u32; 3], grid: [u32; 3]) -> Option<String> {
    let mut text = text.to_owned();
    for (register, numbers) in [("%ctaid", block), ("%nctaid", grid)] {
        for (axis, number) in ["x", "y", "z"].into_iter().zip(numbers) {
            text = text.replace(&format!("{register}.{axis}"), &number.to_string());
        }
        if text.contains(register) {
            return None;
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn the_registers_of_the_block_and_the_grid_become_numbers() {
        let text = "mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %ctaid.z, %nctaid.y, %tid.x;\n";
        assert_eq!(
            written(text, [1, 2, 3], [4, 5, 6]).as_deref(),
            Some("mov.u32 %r1, 1;\nmad.lo.u32 %r2, 3, 5, %tid.x;\n")
        );
        let vector = "mov.v4.u32 {%r1, %r2, %r3, %r4}, %ctaid;";
        assert_eq!(written(vector, [0; 3], [1; 3]), None);
        let cluster = "mov.u32 %r1, %cluster_ctaid.x;";
        assert_eq!(written(cluster, [7; 3], [9; 3]).as_deref(), Some(cluster));
    }
}
