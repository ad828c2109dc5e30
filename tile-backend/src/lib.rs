//! The GPU compiler: verified Tile IR to PTX, cubins, and fatbins.
//!
//! In: a canonical module of [`tile_core`]. Out: a [`stages::Artifact`], with a fatbin for several
//! architectures and the parameters of launches. Between the two is the GPU IR ([`gpu`]). In it, every tile
//! has a layout over threads, shared memory is explicit, and software pipelining, warp specialization, TMA,
//! and barriers are operations.
//!
//! ```
//! use tile_backend::target::Arch;
//! use tile_backend::{gpu, stages};
//! use tile_core::{Diagnostics, canonicalize, text, verify};
//!
//! let source = "
//! cuda_tile.module @m {
//!   entry @double(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
//!     %i, %j, %k = get_tile_block_id : tile<i32>
//!     %vx = make_tensor_view %x, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
//!     %px = make_partition_view %vx : partition_view<tile=(256), tensor_view<1024xf32, strides=[1]>>
//!     %vy = make_tensor_view %y, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
//!     %py = make_partition_view %vy : partition_view<tile=(256), tensor_view<1024xf32, strides=[1]>>
//!     %t, %t1 = load_view_tko weak %px[%i] : partition_view<tile=(256), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
//!     %sum = addf %t, %t : tile<256xf32>
//!     %t2 = store_view_tko weak %sum, %py[%i] : tile<256xf32>, partition_view<tile=(256), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
//!     return
//!   }
//! }";
//! let mut diagnostics = Diagnostics::new();
//! let module = text::parse(source, "double.mlir", &mut diagnostics).expect("it parses");
//! let verified = verify::verify(module, &mut diagnostics).expect("it is valid");
//! let canonical = canonicalize::canonicalize(verified);
//!
//! // The GPU IR of one architecture, after all passes; `None` leaves the number of warps to the compiler.
//! let kernels = stages::lower_for(canonical.module(), Arch::SM_80, None, &mut diagnostics).expect("it compiles");
//! assert_eq!(kernels[0].name, "double");
//! assert!(gpu::to_text(&kernels[0]).contains("store_global"));
//! ```
//!
//! [`stages::compile`] continues from there to machine code, in a forked worker process, with LLVM and `ptxas`.
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`stages`] | the stages in order: the entry point; [`timing`] measures each |
//! | [`analysis`] | facts about Tile IR that lowering relies on: divisibility, provenance, axes |
//! | [`layout`] | linear layouts, which map threads and registers to tile elements, and algebra on them |
//! | [`lower`] | Tile IR to GPU IR |
//! | [`gpu`] | the GPU IR, its text form, and its verifier |
//! | [`passes`] | passes over the GPU IR, from software pipelining to barriers |
//! | [`target`] | GPU architectures: their features and limits |
//! | [`resources`] | warps, pipeline stages, and registers: estimated, chosen, retried after spills |
//! | [`llvm`] | LLVM IR, its optimization, and PTX; the only user of `inkwell` |
//! | [`ptx`], [`cubin`], [`fatbin`] | PTX text and the report of `ptxas`; machine code; the embedded bundle |
//! | [`remarks`] | messages on applied and missed optimizations |
//! | [`cache`], [`isolate`] | finished artifacts on disk; the worker process, whose crash is a diagnostic |
//! | [`level`], [`tools`], [`error`] | optimization levels; search for the CUDA tools; failures of the host |
//!
//! # Guarantees
//!
//! - A module that [`tile_core::verify`] accepts compiles or gives a diagnostic; the compiler does not panic.
//! - The GPU IR is verified after all passes, in release builds too, including the order of every asynchronous
//!   access.
//! - The same input and tools give the same bytes.

pub mod analysis;
pub mod cache;
pub mod cubin;
mod disabled_passes;
pub mod error;
pub mod fatbin;
pub mod gpu;
pub mod isolate;
pub mod layout;
pub mod level;
pub mod llvm;
pub mod lower;
pub mod manifest;
pub mod passes;
mod process;
pub mod ptx;
pub mod remarks;
pub mod resources;
pub mod stages;
pub mod target;
pub mod timing;
pub mod tools;

/// Identifies this compiler: a hash of its sources and its version.
pub const COMPILER_ID: &str = env!("TILE_COMPILER_ID");

#[cfg(test)]
mod testing;
