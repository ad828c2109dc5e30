//! Graphs.

use std::sync::Arc;

use crate::abi::{CUevent, CUstream};
use crate::queue::{Op, Start};
use crate::result::CUresult;
use crate::state::{Reply, State};
use crate::work::Work;

/// A graph.
#[derive(Debug)]
pub(crate) struct Graph;

/// An executable graph.
#[derive(Debug)]
pub(crate) struct Exec;

/// The capture of a stream.
#[derive(Debug)]
pub(crate) struct Capture;

impl State {
    /// Returns an error if a capture forbids a call, on a stream or in general.
    pub(crate) fn capture_forbids(&mut self, _stream: Option<CUstream>) -> Reply {
        Ok(())
    }

    pub(crate) fn not_captured(&mut self, _stream: CUstream) -> Reply {
        Ok(())
    }

    pub(crate) fn is_capturing(&self, _stream: CUstream) -> bool {
        false
    }

    pub(crate) fn capture_wait(&mut self, _stream: CUstream, _event: CUevent) -> Reply<bool> {
        Ok(false)
    }

    pub(crate) fn capture_record(
        &mut self,
        _stream: CUstream,
        _event: CUevent,
        _flags: u32,
    ) -> Reply<bool> {
        Ok(false)
    }

    pub(crate) fn captured_event(&mut self, _event: CUevent) -> CUresult {
        CUresult::CUDA_ERROR_CAPTURED_EVENT
    }

    pub(crate) fn drop_capture(&mut self, _stream: CUstream) {}

    /// Submits an operation, or adds it to the graph that its stream is captured into.
    pub(crate) fn enqueue(
        &mut self,
        stream: CUstream,
        name: &str,
        work: Work,
        start: Start,
    ) -> Reply<Option<Arc<Op>>> {
        self.submit(stream, name, work, &[], start).map(Some)
    }

    /// Marks memory that an operation will free. Returns `false` if another one will.
    pub(crate) fn will_free(&mut self, stream: CUstream, address: u64) -> bool {
        let _ = stream;
        let allocation = self.memory.begins(address);
        allocation.is_some_and(|allocation| allocation.will_free())
    }
}
