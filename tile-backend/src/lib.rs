//! From verified `cuda_tile` IR to PTX and cubins.
//!
//! | module | holds |
//! |---|---|
//! | [`layout`] | which thread holds which element of a tile: one linear layout, and algebra on it |
//! | [`stages`] | stages 8 to 11 in order; [`timing`] of each |
//! | [`analysis`] | facts about tile IR that lowering relies on |
//! | [`lower`] | tile IR to GPU IR |
//! | [`gpu`] | the GPU IR: uniform and distributed values, shared memory, barriers |
//! | [`passes`] | rewrites of the GPU IR: shared memory, barriers |
//! | [`target`] | what each GPU architecture offers |
//! | [`llvm`] | LLVM: intrinsics, optimization, PTX; the only user of `inkwell` |
//! | [`ptx`] | PTX text, and what ptxas says about it |
//! | [`cubin`], [`fatbin`] | machine code for one architecture; the bundle that is embedded |
//! | [`resources`] | warps, stages and registers: estimated, chosen, tried again where they spill |
//! | [`remarks`] | what the author should know of the code, if they ask |
//! | [`isolate`] | the forked worker in which all of this runs |
//! | [`cache`] | finished artifacts, so that unchanged kernels cost nothing |
//! | [`tools`], [`error`] | the CUDA tools; failures of the host |

pub mod analysis;
pub mod cache;
pub mod cubin;
pub mod error;
pub mod fatbin;
pub mod gpu;
pub mod isolate;
pub mod layout;
pub mod level;
pub mod llvm;
pub mod lower;
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
