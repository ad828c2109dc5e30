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
//! The compiled program needs only an NVIDIA driver. Without one, the same kernels run on the CPU.
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
//! `docs/language.md` describes the language of kernels, and `docs/errors/` explains error codes
//! such as `T0203`.
//!
//! - [`Device`]: a GPU or the CPU.
//! - [`Tensor`]: an array on a device; views share its memory.
//! - [`Launch`]: the result of calling a kernel; nothing runs before `.launch()`.
//! - [`Stream`]: a queue of work; without one, it goes to the device's default stream.
//! - [`Event`], [`Graph`], [`HostBuffer`], [`Completion`]: times and order, repeated work, asynchronous copies, futures.
//! - [`bench`](mod@bench): the time of kernels.
//! - [`foreign`]: memory and streams of other libraries, without copies.
//! - [`Error`]: the problem, and its remedy.
//!
//! # Features
//!
//! | feature | adds | requires |
//! |---|---|---|
//! | `report` | plots of measurements and a progress bar: `bench::Plot`, `bench::Progress` | nothing |
//! | `sim` | `Device::sim`: a simulated GPU, with checks and counters | nothing |
//! | `nvtx` | ranges for profilers around launches and copies, and `nvtx::range` | nothing |
//!
//! # Environment
//!
//! These variables are read while a crate with kernels is built:
//!
//! | variable | meaning |
//! |---|---|
//! | `TILE_ARCH` | architectures to compile for, if the attribute has no `arch(...)` |
//! | `TILE_TIME=1` | prints the time of every stage |
//! | `TILE_DUMP` | prints the output of a stage: `ir`, `gpu`, `llvm` or `ptx` |
//! | `TILE_CACHE=off`, `TILE_CACHE_SIZE` | disables the artifact cache; its maximum size |
//! | `TILE_SLOW` | seconds of compile time after which a remark is printed |
//! | `TILE_TIMEOUT` | time limit of the compiler's worker in seconds |
//! | `TILE_PTXAS`, `TILE_FATBINARY`, `TILE_KERNEL_CACHE` | paths of the tools |
//!
//! This variable is read by [`Device::best`]:
//!
//! | variable | meaning |
//! |---|---|
//! | `TILE_DEVICE` | the device to use instead of the best one: `cpu`, `sim`, `cuda` or `cuda:1` |
//!
//! These variables are read by launches of kernels with `tune(..)` ([`tuning`]):
//!
//! | variable | meaning |
//! |---|---|
//! | `TILE_TUNING` | a file of records, by which launches choose |
//! | `TILE_TUNE=1` | a launch without a record measures first, and adds one to the file |
//!
//! These variables are read by every launch on the CPU device (`docs/memory-model.md`):
//!
//! | variable | meaning |
//! |---|---|
//! | `TILE_CPU` | `interpreted` interprets kernels that have native code; with `native` it is an error to launch one that has none; with a level such as `avx2` no code of a higher one runs, and a kernel without such code is an error |
//! | `TILE_THREADS` | the number of threads, instead of one per core |
//! | `TILE_CHECK=1` | finds races, unordered accesses, and reads of uninitialized memory |
//! | `TILE_SEED` | the seed of a random order of operations, among those that the kernel allows |

mod allocation;
mod args;
pub mod bench;
mod cancel;
mod checks;
mod claims;
mod completion;
mod cpu;
mod device;
mod driver;
mod element;
mod error;
mod event;
mod facts;
pub mod foreign;
mod graph;
mod grid;
mod host_buffer;
mod image;
mod instance;
mod kept;
mod launch;
mod launch_grid;
mod layout;
mod memory_pool;
#[cfg(feature = "nvtx")]
pub mod nvtx;
mod overlap;
mod peer;
mod plan;
mod pointer;
pub mod prelude;
mod reshape;
#[cfg(feature = "sim")]
pub mod sim;
mod small_float;
mod storage;
mod stream;
mod tensor;
mod tensor_map;
pub mod tuning;
mod view;
mod view_mut;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use half::{bf16, f16};
pub use tile_macros::{tile_fn, tile_kernel};

pub use cancel::Cancel;
pub use completion::Completion;
pub use device::Device;
pub use element::Element;
pub use error::{Error, Overlap, Result, SimulatedFault};
pub use event::Event;
pub use graph::{Graph, GraphExec};
pub use grid::{Grid, TileExtent};
pub use host_buffer::{HostBuffer, HostRead, HostWrite};
pub use launch::{Kernel, Launch};
pub use memory_pool::MemoryUsage;
pub use pointer::{DevicePtr, DevicePtrMut};
pub use small_float::{f8e4m3, f8e5m2, f8e8m0};
pub use stream::{Stream, StreamRef};
pub use tensor::Tensor;
pub use tuning::TunedLaunch;
pub use view::{InsertAxis, RemoveAxis};
pub use view_mut::ViewMut;

/// Runs the examples of the documentation as tests.
#[cfg(doctest)]
mod documentation {
    #[doc = include_str!("../docs/language.md")]
    mod language {}
    #[doc = include_str!("../docs/host.md")]
    mod host {}
    #[cfg(all(feature = "report", feature = "sim"))]
    #[doc = include_str!("../docs/tuning.md")]
    mod tuning {}
    #[doc = include_str!("../docs/measuring.md")]
    mod measuring {}
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
