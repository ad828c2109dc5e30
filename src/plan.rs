//! Computes the grid of a kernel whose parallel loop becomes the grid, with one iteration per
//! block. Allocates the buffers in which blocks combine their results.

use tile_core::Scalar;
use tile_core::flatten::{Bound, GridPlan, Trips};
use tile_core::ir::Signedness;

use crate::args::{TensorArg, Value};
use crate::driver::Access;
use crate::facts;
use crate::image::{BoundImage, KernelImage, PlanImage, TripsImage, VariantKind};
use crate::layout::Layout;
use crate::storage::Storage;
use crate::{Device, Grid, Result};

/// The number of blocks if the kernel computes the trip count. Blocks without iterations exit
/// immediately on a GPU.
const BLOCKS: usize = 1024;
/// The same number for the CPU device, where a block without iterations costs a microsecond, and
/// only a small number of blocks run concurrently.
const BLOCKS_ON_CPU: usize = 64;

impl PlanImage {
    /// Returns a grid with one block per iteration, up to the limits of the device. If the kernel
    /// computes the trip count, the number of blocks is fixed.
    pub(crate) fn grid(&self, image: &KernelImage, values: &[Value], device: Device) -> Grid {
        let plan = GridPlan {
            axes: self.axes.map(|axis| axis.iter().map(trips).collect()),
        };
        let parameters = facts::parameters(image, values, VariantKind::Fast);
        let preferred = plan.preferred(|number| parameters.get(number).copied().unwrap_or(0));
        match preferred {
            Some(blocks) => {
                let within = |axis: usize| {
                    let most = Grid::max_blocks(axis, device);
                    usize::try_from(u64::from(blocks[axis]).min(most)).unwrap_or(usize::MAX)
                };
                Grid::from([within(0), within(1), within(2)])
            }
            None if device == Device::cpu() => Grid::from(BLOCKS_ON_CPU),
            None => Grid::from(BLOCKS),
        }
    }

    /// Allocates the buffers of a launch, which are passed after the other arguments.
    pub(crate) fn buffers(&self, grid: [u32; 3], device: Device) -> Result<Vec<Value>> {
        let blocks = grid
            .iter()
            .map(|&blocks| u64::from(blocks))
            .product::<u64>();
        self.buffers
            .iter()
            .map(|buffer| {
                let bytes = buffer.fixed + buffer.per_block.saturating_mul(blocks);
                let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
                let layout = Layout::contiguous([bytes], 1)?;
                let storage = Storage::zeroed(device, bytes)?;
                let target = TensorArg::new(storage, Access::Exclusive, Scalar::I8, &layout);
                Ok(Value::Pointer(target))
            })
            .collect()
    }
}

fn trips(image: &TripsImage) -> Trips {
    Trips {
        scalar: match image.bits {
            8 => Scalar::I8,
            16 => Scalar::I16,
            32 => Scalar::I32,
            _ => Scalar::I64,
        },
        signedness: if image.signed {
            Signedness::Signed
        } else {
            Signedness::Unsigned
        },
        lower: bound(image.lower),
        upper: bound(image.upper),
        step: bound(image.step),
    }
}

fn bound(image: BoundImage) -> Bound {
    match image {
        BoundImage::Constant(bits) => Bound::Constant(bits),
        BoundImage::Parameter(number) => Bound::Parameter(number),
        BoundImage::Computed => Bound::Computed,
    }
}
