//! The names that a file of kernels needs: `use tile_kernel::prelude::*;`.

pub use crate::{
    Device, Element, Grid, Kernel, Launch, Stream, Tensor, bf16, f8e4m3, f8e5m2, f8e8m0, f16,
    tile_fn, tile_kernel,
};
