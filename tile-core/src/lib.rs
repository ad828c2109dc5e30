//! Tile IR in Rust: NVIDIA's dialect `cuda_tile`, versions 13.1 to 13.4, with its text form, its
//! bytecode, a verifier, rewrites, and a reference interpreter. This crate depends on neither LLVM
//! nor CUDA.
//!
//! A kernel in this IR computes with *tiles*, arrays whose shapes are powers of two, and does not
//! state which thread holds which element. An *entry* runs once for each block of a grid.
//!
//! ```
//! use tile_core::interp::{Arg, Program};
//! use tile_core::{Diagnostics, canonicalize, text, verify};
//!
//! let source = "
//! cuda_tile.module @m {
//!   entry @double(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
//!     %i, %j, %k = get_tile_block_id : tile<i32>
//!     %vx = make_tensor_view %x, shape = [100], strides = [1] : tensor_view<100xf32, strides=[1]>
//!     %px = make_partition_view %vx : partition_view<tile=(64), tensor_view<100xf32, strides=[1]>>
//!     %vy = make_tensor_view %y, shape = [100], strides = [1] : tensor_view<100xf32, strides=[1]>
//!     %py = make_partition_view %vy : partition_view<tile=(64), tensor_view<100xf32, strides=[1]>>
//!     %t, %t1 = load_view_tko weak %px[%i] : partition_view<tile=(64), tensor_view<100xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
//!     %sum = addf %t, %t : tile<64xf32>
//!     %t2 = store_view_tko weak %sum, %py[%i] : tile<64xf32>, partition_view<tile=(64), tensor_view<100xf32, strides=[1]>>, tile<i32> -> token
//!     return
//!   }
//! }";
//!
//! // Every stage reports into one sink, continues, and returns a type of its own.
//! let mut diagnostics = Diagnostics::new();
//! let module = text::parse(source, "double.mlir", &mut diagnostics).expect("it parses");
//! let verified = verify::verify(module, &mut diagnostics).expect("it is valid");
//! let canonical = canonicalize::canonicalize(verified);
//!
//! // Two blocks: the second starts at element 64 and extends beyond the end of the data.
//! let program = Program::new(canonical.module());
//! let x: Vec<f32> = (0..100).map(|i| i as f32).collect();
//! let mut y = vec![0.0_f32; 100];
//! let args = [
//!     Arg::Pointer { ptr: x.as_ptr().cast::<u8>().cast_mut(), bytes: 400 },
//!     Arg::Pointer { ptr: y.as_mut_ptr().cast(), bytes: 400 },
//! ];
//! // SAFETY: both buffers are 400 bytes long and live; the kernel only reads `x`.
//! unsafe { program.run("double", [2, 1, 1], &args) }.expect("no fault");
//! assert_eq!(y[99], 198.0);
//! ```
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`ir`], [`types`] | a [`Module`] is an arena of operations, values, blocks, and regions; types are interned |
//! | [`ops`] | the table of operations: operands, attributes, results, rules, assembly, and opcode of each |
//! | [`build`] | creates operations at an insertion point |
//! | [`text`], [`bytecode`] | parse and print, read and write |
//! | [`verify`] | checks a module; only it creates a [`verify::Verified`] |
//! | [`fold`], [`canonicalize`], [`transform`], [`pass`] | constant folding, rewrites of single operations, passes, and pipelines of them by name |
//! | [`flatten`] | lowers structured loops (dialect `loop`) to `cuda_tile` |
//! | [`interp`] | runs a module: the reference semantics, the CPU device, and checks for races |
//! | [`diag`] | diagnostics with a code, labels, notes, and help, and their rendering |
//! | [`tuning`] | records of what was measured of kernels, and predictions from them |
//!
//! Everything generic (printing, parsing, encoding, documentation, most of the verification) reads
//! the row of an operation, so to add one, write its row and follow the compiler's errors.
//!
//! # Guarantees
//!
//! - No input makes a function of this crate panic: invalid text and bytecode are reported as
//!   [`Diagnostics`] or an error.
//! - The interpreter never accesses memory outside the buffers that it was given, whatever the
//!   module does.
//! - The same input gives the same bytes, on every machine.
//!
//! # Features
//!
//! `render` adds [`diag::render`], which prints diagnostics as rustc does.
//!
//! `testing` adds generators and mutators of modules, for tests.

pub mod build;
pub mod bytecode;
pub mod canonicalize;
pub mod diag;
pub mod flatten;
pub mod fold;
pub mod interp;
pub mod ir;
pub mod ops;
pub mod pass;
pub mod processor;
pub mod reach;
mod rewrite;
mod simplify;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
pub mod transform;
pub mod tuning;
pub mod types;
pub mod verify;

pub use diag::{Diagnostic, Diagnostics, Reported};
pub use ir::{Loc, Module};
pub use types::{Scalar, Type};
