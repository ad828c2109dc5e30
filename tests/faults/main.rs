//! Faults of the tool chain: each gives a clear message or is worked around, and none is a panic or an endless wait.
//!
//! A case is a crate that rustc builds on a machine with one fault. The table in `docs/installation.md` has a row for each
//! case, and the message in it is the one that really came; `TILE_BLESS=1` writes the rows anew. Faults that root does
//! not notice, such as missing permissions and full disks, come from `shim.c`.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod files;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod harness;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod llvm;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod page;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod place;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod tools;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    return harness::main();
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    return ExitCode::SUCCESS;
}
