//! GPU kernels in Rust, compiled during `cargo build`.
//!
//! ```
//! use tile_kernel::prelude::*;
//!
//! #[tile_kernel(grid = c.tiles([1024]))]
//! pub fn vector_add(a: &Tensor<f32, 1>, b: &Tensor<f32, 1>, c: &mut Tensor<f32, 1>) {
//!     let i = block_id(0);
//!     let x = a.load([i], [1024]); // tile index, tile shape; out of range reads as zero
//!     let y = b.load([i], [1024]);
//!     c.store([i], x + y); // the ragged edge is clipped
//! }
//!
//! fn main() -> tile_kernel::Result<()> {
//!     let device = Device::best(); // a GPU if there is one, else the CPU
//!     let a = Tensor::from_slice(&device, &[1.0; 5000], [5000])?;
//!     let b = Tensor::from_slice(&device, &[2.0; 5000], [5000])?;
//!     let mut c = Tensor::zeros(&device, [5000])?;
//!     vector_add(&a, &b, &mut c).launch()?;
//!     assert_eq!(c.to_vec()?, [3.0; 5000]);
//!     Ok(())
//! }
//! ```
//!
//! The finished program needs an NVIDIA driver and nothing else. Where there is
//! none, the same kernels run on the CPU.
//!
//! # The host side
//!
//! ```
//! use tile_kernel::{Device, Tensor};
//!
//! let device = Device::best();
//! let rows = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
//! let columns = rows.t(); // a view: no copy
//! assert_eq!(columns.shape(), [3, 2]);
//! assert_eq!(columns.to_vec()?, [1, 4, 2, 5, 3, 6]);
//! # Ok::<(), tile_kernel::Error>(())
//! ```
//!
//! What may stand in a kernel is in `docs/language.md`, what an error code such as
//! `T0203` means in `docs/errors/`.
//!
//! - [`Device`]: a GPU or the CPU.
//! - [`Tensor`]: an array on a device; views share its memory.
//! - [`Launch`]: what calling a kernel gives; nothing runs before `.launch()`.
//! - [`Stream`]: a queue of launches; without one they go to the device's own.
//! - [`Error`]: what went wrong, and what to do.
//!
//! # Features
//!
//! | feature | what it adds | needs |
//! |---|---|---|
//! | `sim` | [`Device::sim`]: a GPU that is simulated, with checks and counters | nothing |
//! | `cust` | launches on streams and buffers of the crate `cust` 0.3 | a CUDA installation, or `tests/cust-stub` |
//!
//! # Environment
//!
//! Read while a crate with kernels is built:
//!
//! | variable | meaning |
//! |---|---|
//! | `TILE_ARCH` | architectures to compile for, where the attribute has no `arch(...)` |
//! | `TILE_TIME=1` | prints the time of every stage |
//! | `TILE_DUMP` | prints the output of a stage: `ir`, `gpu`, `llvm` or `ptx` |
//! | `TILE_CACHE`, `TILE_CACHE_SIZE` | `off`; the size of the cache of artifacts |
//! | `TILE_SLOW` | seconds that compiling may take without a remark |
//! | `TILE_TIMEOUT` | seconds that the compiler's worker may take |
//! | `TILE_PTXAS`, `TILE_FATBINARY`, `TILE_LIBDEVICE`, `TILE_KERNEL_CACHE` | where the tools are |
//!
//! Read by [`Device::best`]:
//!
//! | variable | meaning |
//! |---|---|
//! | `TILE_DEVICE` | the device in place of the best one: `cpu`, `sim`, `cuda` or `cuda:1` |
//!
//! Read by every launch on the CPU device (`docs/memory-model.md`):
//!
//! | variable | meaning |
//! |---|---|
//! | `TILE_CHECK=1` | finds races, accesses that nothing orders, and reads of memory that nothing has written |
//! | `TILE_SEED` | a number: runs operations in an order drawn from it, one that the kernel allows |

mod cancel;
mod checks;
mod claims;
mod cpu;
#[cfg(feature = "cust")]
pub mod cust;
mod device;
mod driver;
mod element;
mod error;
mod facts;
mod grid;
mod launch;
mod launch_grid;
mod layout;
mod plan;
mod pointer;
pub mod prelude;
#[cfg(feature = "sim")]
pub mod sim;
mod small_float;
mod storage;
mod stream;
mod tensor;
mod tensor_map;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
use __private as private;

pub use half::{bf16, f16};
pub use tile_macros::{tile_fn, tile_kernel};

pub use cancel::Cancel;
pub use device::Device;
pub use element::Element;
pub use error::{Error, Result, SimulatedFault};
pub use grid::{Grid, TileExtent};
pub use launch::{Kernel, Launch};
pub use pointer::{DevicePtr, DevicePtrMut};
pub use small_float::{f8e4m3, f8e5m2, f8e8m0};
pub use stream::{Stream, StreamRef};
pub use tensor::Tensor;

/// The examples of the documentation, as tests.
#[cfg(doctest)]
mod documentation {
    #[doc = include_str!("../docs/language.md")]
    mod language {}
    #[doc = include_str!("../docs/memory-model.md")]
    mod memory_model {}
    #[doc = include_str!("../docs/differences.md")]
    mod differences {}
    #[doc = include_str!("../docs/from-triton.md")]
    mod from_triton {}
    #[doc = include_str!("../docs/from-cutile.md")]
    mod from_cutile {}
    #[cfg(feature = "sim")]
    #[doc = include_str!("../docs/tile-sim.md")]
    mod tile_sim {}
    #[cfg(feature = "sim")]
    #[doc = include_str!("../docs/testing-kernels.md")]
    mod testing_kernels {}
    #[doc = include_str!("../README.md")]
    mod readme {}
}
