//! Functions that a real driver does not have, for tests of programs.

use std::ffi::{c_char, c_int, c_uint};

use crate::abi::{In, Out};
use crate::result::CUresult;
use crate::{inject, state};

/// Makes the `nth` call of a function from now return `result`, without any effect.
///
/// # Safety
/// `name` must be null or a text with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tileSimFailNext(
    name: In<c_char>,
    result: CUresult,
    nth: c_uint,
) -> CUresult {
    crate::enter("tileSimFailNext", || {
        inject::fail(name.text()?, result, nth);
        Ok(())
    })
}

/// Writes the number of objects of a kind that were not destroyed: `context`, `stream`, `event`, `module`, `memory`,
/// `pool`, `graph`, `exec` or `operation`. Primary contexts, default streams, default pools and variables of modules
/// do not count.
///
/// # Safety
/// The pointers must be null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tileSimLiveObjects(kind: In<c_char>, count: Out<usize>) -> CUresult {
    crate::enter("tileSimLiveObjects", || {
        let state = state::lock();
        let number = match kind.text()?.as_str() {
            "context" => state
                .contexts
                .iter()
                .filter(|(_, context)| !context.is_primary)
                .count(),
            "stream" => {
                let own = |kind| {
                    matches!(
                        kind,
                        crate::queue::Kind::Blocking | crate::queue::Kind::NonBlocking
                    )
                };
                state
                    .streams
                    .iter()
                    .filter(|(_, stream)| own(stream.kind))
                    .count()
            }
            "event" => state.events.len(),
            "module" => state.modules.len(),
            "memory" => {
                let own = |kind| kind != crate::memory::Kind::Variable;
                state
                    .memory
                    .all()
                    .filter(|allocation| own(allocation.kind))
                    .count()
            }
            "pool" => state
                .pools
                .iter()
                .filter(|(_, pool)| !pool.is_default)
                .count(),
            "graph" => state.graphs.len(),
            "exec" => state.execs.len(),
            "operation" => state.pending,
            _ => return Err(CUresult::CUDA_ERROR_INVALID_VALUE),
        };
        count.set(number)
    })
}

/// Writes the text of the last fault or race, at most `length` bytes with a NUL. It is empty if there was none.
///
/// # Safety
/// `text` must be null or have `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tileSimLastFault(text: Out<c_char>, length: c_int) -> CUresult {
    crate::enter("tileSimLastFault", || {
        let fault = state::lock().last_fault.clone();
        super::device::write_text(text, length, &fault)
    })
}
