//! The CUDA driver API, on a GPU that [`tile_sim`] simulates.
//!
//! The crate is a shared library with the functions of `cuda.h`. Installed as `libcuda.so.1` where the dynamic
//! linker looks first (`LD_LIBRARY_PATH`), it runs any program that loads the driver by name. Nothing but PTX runs:
//! an image without PTX is refused.
//!
//! - Streams run on threads of their own, so calls are asynchronous, and errors arrive at a later call.
//! - Every kernel runs with all checks of the simulator. A fault breaks its context: every later call returns the
//!   same error.
//! - Operations that touch the same bytes without an order (an event or a wait is missing) are such a fault too.
//! - The details of a fault are written to the standard error.
//!
//! [`config::VARIABLES`] lists the environment variables, [`groups`] what there is of the API. The handbook has
//! [a page](https://github.com/tile-kernel/tile-kernel/blob/main/docs/sim-driver.md) about its use.

pub mod abi;
pub mod api;
mod capture;
mod clock;
pub mod config;
mod contents;
mod device;
mod fatbin;
mod graph;
mod inject;
mod library;
mod memory;
mod module;
mod pool;
mod queue;
mod race;
pub mod result;
mod state;
mod watch;
mod work;

use std::cell::RefCell;
use std::panic::AssertUnwindSafe;

pub use api::{Function, functions, groups};
use result::CUresult;

/// Writes a line to the standard error.
#[expect(clippy::print_stderr, reason = "what a result cannot tell")]
pub(crate) fn report(message: &str) {
    eprintln!("tile-sim-driver: {message}");
}

thread_local! {
    /// Why the call of this thread returns a result.
    static REASON: RefCell<Option<(CUresult, String)>> = const { RefCell::new(None) };
}

/// Returns a result, and says why. The text is written if the call returns that result.
pub(crate) fn because(result: CUresult, reason: String) -> CUresult {
    REASON.set(Some((result, reason)));
    result
}

/// Runs a function of the API. No panic leaves it.
pub(crate) fn enter(name: &'static str, body: impl FnOnce() -> Result<(), CUresult>) -> CUresult {
    if let Some(result) = inject::failure(name) {
        return result;
    }
    REASON.set(None);
    match std::panic::catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => CUresult::CUDA_SUCCESS,
        Ok(Err(result)) => {
            if let Some((_, reason)) = REASON.take().filter(|(of, _)| *of == result) {
                let name = api::base(name);
                state::lock().refused(format!("`{name}`: {reason}"));
            }
            result
        }
        Err(_) => {
            report(&format!(
                "`{name}` panicked, which is an error of the simulator"
            ));
            CUresult::CUDA_ERROR_UNKNOWN
        }
    }
}
