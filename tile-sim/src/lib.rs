//! Executes PTX on the CPU and checks it: a functional simulator of NVIDIA GPUs.
//!
//! `tile-sim` parses PTX text of versions 7.0 to 9.0 from any compiler, launches its kernels over
//! whole grids, and returns the contents of global memory together with performance counters. The
//! first error of a kernel ends the launch with a [`Fault`], which names the PTX line, the
//! instruction and the thread. The crate needs neither a GPU nor a CUDA installation.
//!
//! # Example
//!
//! Parse a module, allocate memory, launch a grid, and read memory and counters:
//!
//! ```
//! use tile_sim::{Arg, Launch, Memory, Module, Options};
//!
//! let module = Module::parse(
//!     ".version 7.0
//!      .target sm_80
//!      .address_size 64
//!      .visible .entry double(.param .u64 data) {
//!        .reg .b32 %r<3>; .reg .b64 %rd<4>;
//!        ld.param.u64 %rd1, [data];
//!        mov.u32 %r1, %tid.x;
//!        mul.wide.u32 %rd2, %r1, 4;
//!        add.s64 %rd3, %rd1, %rd2;
//!        ld.global.u32 %r2, [%rd3];
//!        add.u32 %r2, %r2, %r2;
//!        st.global.u32 [%rd3], %r2;
//!        ret;
//!      }",
//! )?;
//!
//! let mut memory = Memory::new();
//! let data = memory.alloc_with(&[1u32, 2, 3].map(u32::to_le_bytes).concat(), 16);
//!
//! // One block of three threads.
//! let launch = Launch::new("double").threads(3).args([Arg::from(data)]);
//! let counters = module.launch(&launch, &mut memory, &Options::default())?;
//!
//! assert_eq!(memory.bytes(data)?, [2u32, 4, 6].map(u32::to_le_bytes).concat());
//! assert_eq!(counters.global.stores.requests, 1);
//! assert_eq!(counters.global.stores.bytes, 12);
//!
//! // A fourth thread accesses memory beyond the allocation.
//! let launch = launch.threads(4);
//! let fault = module.launch(&launch, &mut memory, &Options::default()).unwrap_err();
//! assert_eq!((fault.line, fault.lane), (10, Some(3)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`run()`] does the same in one call, with host slices as arguments, and returns a [`Report`].
//! `examples/` has a command-line runner, a race detector and a bank-conflict profiler.
//!
//! # Checks
//!
//! The checks cover those of the `memcheck`, `initcheck`, `racecheck` and `synccheck` tools of
//! `compute-sanitizer`, and add the asynchronous instructions:
//!
//! - out-of-bounds and misaligned accesses in every state space;
//! - reads of uninitialized registers, shared memory and tensor memory;
//! - data races in shared, distributed shared, global and tensor memory, by happens-before: a race
//!   is found even if the values happen to be correct;
//! - divergence at convergent instructions, and deadlocks at barriers, mbarriers and clusters;
//! - asynchronous copies and matrix operations (`cp.async`, bulk and tensor copies, `wgmma`,
//!   `tcgen05`) whose results are used, or whose sources are overwritten, without a wait or a
//!   proxy fence;
//! - operands that the PTX ISA leaves undefined.
//!
//! [`Checks::Cheap`] restricts the checks to the inexpensive ones. [`FaultKind`] lists the errors.
//!
//! # Determinism
//!
//! The same text, arguments and [`Options::seed`] give the same result, bit for bit, on every
//! machine. Arithmetic follows the PTX ISA and is rounded once. Functions with an error bound
//! (`ex2.approx`, ..) satisfy the bound, but need not match the hardware bit for bit. The seed
//! selects the interleaving of warps and blocks and the completion times of asynchronous
//! operations. Some errors appear only under some seeds, so test with several.
//!
//! # Limits
//!
//! - Time is not simulated: there is no model of caches, latencies or occupancy. Counters describe
//!   the requests to the memory system, and [`cost`] estimates a time from them.
//! - Texture, surface and video instructions are not supported. An instruction or modifier that is
//!   not supported is a [`ParseError`], which names it and its line.
//! - Calls through registers and recursion are not supported: calls are inlined.
//! - A host core executes between 30 and 900 million thread instructions per second, depending on
//!   the kernel: enough for the problem sizes of tests.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "registers are bits, which every instruction cuts to its type; lanes and slots are small"
)]
#![expect(
    clippy::many_single_char_names,
    reason = "operands and matrices have the letters of the PTX ISA"
)]
#![expect(
    clippy::result_large_err,
    reason = "a fault ends the launch, and tells much"
)]

mod check;
pub mod cost;
mod counters;
mod isa;
mod machine;
mod module;
mod parse;
mod random;
pub mod report;
mod run;
mod tensor_map;

pub use check::{Fault, FaultKind, Thread};
pub use counters::{
    AsyncCopies, Atomics, BankTraffic, Barriers, Copies, Counters, Family, GlobalTraffic, Group,
    LocalTraffic, Matmuls, Reached, SectorTraffic, SharedTraffic,
};
pub use machine::memory::{Memory, MemoryError};
pub use machine::region::{Accesses, ModuleVariable, Outcome, Region, Span};
pub use machine::{Arg, Checks, Launch, Options};
pub use module::{Instruction, Module, SourceLocation};
pub use parse::target::{Suffix, Target, Version};
pub use parse::{MNEMONICS, ParseError};
pub use report::{Report, Resources};
pub use run::{Argument, Element, Extents, RunOptions, run};
pub use tensor_map::{
    Fill, Im2col, Im2colWide, Interleave, L2Promotion, Swizzle, TensorMap, TensorMapError,
    TensorMapOptions, TensorType,
};

/// The example of the README, compiled as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
