//! An executor of PTX on the CPU.
//!
//! In: PTX text of versions 7.0 to 9.0, of any compiler. Out: the contents of global memory after a
//! launch, counts of what the launch did, or the first fault in it.
//!
//! - An instruction or modifier that is not known is refused by name and line; nothing is skipped.
//! - Lanes of a warp run in lock step; where they part, the groups join again at the first place
//!   that all of them come to. Warps interleave in an order drawn from [`Options::seed`].
//! - Whatever `compute-sanitizer` would find in the run is a [`Fault`]: accesses out of bounds or
//!   misaligned, use of registers and shared memory before they are written, races in shared and
//!   global memory, barriers that part of the threads never reach; and asynchronous copies and
//!   products that were not waited for or not fenced.
//! - The same text, inputs and options give the same result, bit for bit. Arithmetic is that of
//!   the PTX ISA, rounded once; functions that it calls approximate are within its bounds.
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
//! let mut memory = Memory::new();
//! let data = memory.alloc_with(&[1u32, 2, 3].map(u32::to_le_bytes).concat(), 16);
//! let launch = Launch::new("double").threads(3).args([Arg::from(data)]);
//! let counters = module.launch(&launch, &mut memory, &Options::default())?;
//! assert_eq!(memory.bytes(data)?, [2u32, 4, 6].map(u32::to_le_bytes).concat());
//! assert_eq!(counters.global.stores.requests, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod counters;
mod isa;
mod machine;
mod module;
mod parse;
pub mod report;
mod run;
mod tensor_map;
mod texture;

pub use check::{Fault, FaultKind, Thread};
pub use counters::{
    AsyncCopies, Atomics, BankTraffic, Barriers, Copies, Counters, Family, GlobalTraffic, Group,
    LocalTraffic, Products, Reached, SectorTraffic, SharedTraffic,
};
pub use machine::memory::{Memory, MemoryError};
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
pub use texture::{
    AddressMode, Channel, Coordinates, Filter, Image, ImageError, ReadMode, Sampler, Shape, Texture,
};
