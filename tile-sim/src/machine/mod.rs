//! The machine that executes kernels: clusters, blocks and warps.

pub(crate) mod block;
pub(crate) mod bulk;
mod checked;
pub(crate) mod cluster;
pub(crate) mod cluster_barrier;
mod copies;
pub(crate) mod cx;
pub(crate) mod flights;
pub(crate) mod flow;
pub(crate) mod grid;
pub(crate) mod in_flight_mmas;
mod launch;
mod launch_control;
pub(crate) mod memory;
pub(crate) mod region;
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

/// The selection of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// All checks.
    All,
    /// The inexpensive checks: bounds, alignment, divergence, deadlocks and `mbarrier` rules.
    /// Races, uninitialized reads and unfinished asynchronous operations are not detected.
    Cheap,
}

/// The options of the machine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of the scheduling order of warps and blocks, and of the completion times of
    /// asynchronous operations.
    ///
    /// With 0, warps run round-robin and blocks in order. If blocks cannot observe each other's
    /// order, several host threads run them.
    pub seed: u64,
    /// The maximum number of host threads that run blocks; 0 for the number of cores.
    pub threads: usize,
    /// The checks to perform.
    pub checks: Checks,
    /// The maximum number of warp instructions of a launch; beyond it the launch fails with
    /// [`FaultKind::InstructionLimit`](crate::FaultKind::InstructionLimit).
    pub max_instructions: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            threads: 0,
            checks: Checks::All,
            max_instructions: 1 << 36,
        }
    }
}
