//! The GPU compiler: verified Tile IR to PTX, cubins, and fatbins.
//!
//! In: a verified module of [`tile_core`]. Out: a [`session::Artifact`], with a fatbin for several architectures
//! and the [`manifest`] of its launches. Between the two is the GPU IR. In it, every tile has a layout over
//! threads, shared memory is explicit, and software pipelining, warp specialization, TMA, and barriers are
//! operations.
//!
//! ```
//! use tile_backend::session::{CompileOptions, Session, Times};
//! use tile_backend::target::Arch;
//! use tile_core::{Diagnostics, text, verify};
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
//! let module = verify::verify(module, &mut diagnostics).expect("it is valid");
//!
//! let session = Session::without_cache();
//! let mut times = Times::new();
//! let (canonical, _) = session.canonical(module, &mut times, &mut diagnostics).expect("it is flat");
//! let options = CompileOptions::new([Arch::SM_80]);
//! let (gpu_ir, _) = session.gpu_text(&canonical, &options, &mut diagnostics).expect("it compiles");
//! assert!(gpu_ir.contains("store_global"));
//! ```
//!
//! [`session::Session::compile`] continues from there to machine code, in a forked worker process, with LLVM and
//! `ptxas`.
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`session`] | the entry point: sessions, their options and their environment, artifacts, remarks, times |
//! | [`manifest`] | what a launch must know, as versioned data |
//! | [`target`] | GPU architectures: their features and limits |
//! | [`cpu`] | the CPUs for which native code is compiled |
//! | [`doctor`] | which parts that GPU code needs are on this machine |
//!
//! The others are private:
//!
//! | module | contents |
//! |---|---|
//! | `stages` | the stages in order |
//! | `analysis` | facts about Tile IR that lowering relies on: divisibility, provenance, axes |
//! | `layout` | linear layouts, which map threads and registers to tile elements, and algebra on them |
//! | `lower` | Tile IR to GPU IR |
//! | `gpu` | the GPU IR, its text form, and its verifier |
//! | `passes` | passes over the GPU IR, from software pipelining to barriers |
//! | `options` | options of kernels: those of the author, and the abilities of the launching program |
//! | `schedule` | persistence, roles of warps, stages, registers: decided once |
//! | `llvm` | LLVM IR, its optimization, and PTX; the search of LLVM; the only user of `inkwell` |
//! | `ptx`, `cubin`, `fatbin` | PTX text and the report of `ptxas`; machine code; the embedded bundle |
//! | `remarks` | messages on applied and missed optimizations |
//! | `cache`, `isolate` | finished artifacts on disk; the worker process, whose crash is a diagnostic |
//! | `level`, `timing`, `tools`, `error` | optimization levels; times of stages; the CUDA tools; failures of the host |
//!
//! # Guarantees
//!
//! - A module that [`tile_core::verify`] accepts compiles or gives a diagnostic; the compiler does not panic.
//! - The GPU IR is verified after all passes, in release builds too, including the order of every asynchronous
//!   access.
//! - The same input and tools give the same bytes.

#![allow(clippy::question_mark, reason = "in what nanoserde derives")]

mod analysis;
mod cache;
pub mod cpu;
mod cubin;
pub mod doctor;
mod dump;
mod environment;
mod error;
mod fatbin;
mod gpu;
#[doc(hidden)]
pub mod internals;
mod isolate;
mod layout;
mod level;
mod llvm;
mod lower;
pub mod manifest;
mod options;
mod passes;
mod process;
mod ptx;
mod remarks;
mod schedule;
pub mod session;
mod shared_object;
mod shipped;
mod stages;
pub mod target;
mod timing;
mod tool;
mod tools;

/// Identifies this compiler: a hash of its sources and its version.
pub const COMPILER_ID: &str = env!("TILE_COMPILER_ID");

/// The folder of this crate's build script, `target/<profile>/build/<package>/out`: it tells in which `target`
/// folder the compiler was built.
#[doc(hidden)]
pub const OUT_DIR: &str = env!("OUT_DIR");

#[cfg(test)]
#[path = "../../tile-core/tests/common/python.rs"]
mod python;
#[cfg(test)]
mod testing;
