//! Kernels of [`tile_kernel`] as operations of [candle](candle_core), on the CPU and, with the feature `cuda`, on
//! GPUs.
//!
//! An [`Operation`] says which elements and shape the result has, and launches kernels. [`Op`] makes it an
//! operation of candle, for tensors on every device, with any strides, without copies:
//!
//! ```
//! use candle_core::{Device, Result, Tensor};
//! use tile_kernel::tile_kernel;
//! use tile_kernel_candle::{Call, Op, Operation};
//!
//! #[tile_kernel(grid = y.tiles([16, 64]), arch("cpu"))]
//! fn relu_squared(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
//!     let (i, j) = (block_id(0), block_id(1));
//!     let x = x.load([i, j], [16, 64]).max(0.0);
//!     y.store([i, j], x * x);
//! }
//!
//! struct ReluSquared;
//!
//! impl Operation<1> for ReluSquared {
//!     const NAME: &'static str = "relu-squared";
//!
//!     fn forward(&self, call: &Call<'_, '_>) -> Result<()> {
//!         let x = call.input::<f32, 2>(0)?;
//!         let mut y = call.output::<f32, 2>()?;
//!         call.launch(relu_squared(&x, &mut y))
//!     }
//! }
//!
//! # fn main() -> Result<()> {
//! let x = Tensor::new(&[[1f32, -2.0, 3.0], [4.0, 5.0, -6.0]], &Device::Cpu)?;
//! let y = x.t()?.apply_op1(Op(ReluSquared))?; // the kernel reads the transposed view
//! assert_eq!(y.to_vec2::<f32>()?, [[1.0, 16.0], [0.0, 25.0], [9.0, 0.0]]);
//! # Ok(())
//! # }
//! ```
//!
//! An [`InplaceOperation`] changes a tensor instead. [`rms_norm`] and [`rope`] are such operations, with gradients.

mod call;
mod element;
mod operation;
mod rms_norm;
mod rope;

pub use call::{Call, Rows, rows};
pub use element::CandleElement;
pub use operation::{InplaceOperation, Op, Operation};
pub use rms_norm::{RmsNorm, rms_norm};
pub use rope::{Pairs, Rope, rope, rope_in_place};
