//! The machine that runs kernels: clusters of blocks, of warps that take turns.

pub(crate) mod block;
pub(crate) mod bulk;
mod checked;
pub(crate) mod cluster;
pub(crate) mod cluster_barrier;
mod copies;
pub(crate) mod cx;
pub(crate) mod flights;
pub(crate) mod flow;
mod grid;
mod launch;
mod launch_control;
pub(crate) mod memory;
pub(crate) mod products;
pub(crate) mod registers;
mod scheduler;
pub(crate) mod stack;
pub(crate) mod sync;
mod tensor;
pub(crate) mod tensor_memory;
pub(crate) mod tensor_pipe;
pub(crate) mod together;
mod waiting;
pub(crate) mod warp;

pub(crate) use cx::{Cx, space_name};
pub use launch::{Arg, Launch};

/// Whether a check is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// All of them.
    All,
    /// Only those that cost little: bounds, alignment, divergence, deadlock, `mbarrier`s.
    Cheap,
}

/// How to run it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Draws the order of warps and blocks, and when asynchronous operations end. 0: warps in turn,
    /// one block after the other, and blocks on several threads of the host if the kernel gives
    /// them no way to see each other's order.
    pub seed: u64,
    /// Threads of the host that may run blocks at once. 0: as many as there are cores.
    pub threads: usize,
    /// What to look for.
    pub checks: Checks,
    /// Warp instructions after which a launch counts as endless.
    pub most_instructions: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            threads: 0,
            checks: Checks::All,
            most_instructions: 1 << 36,
        }
    }
}
