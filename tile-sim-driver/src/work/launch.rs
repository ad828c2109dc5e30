//! Runs kernels, and says what their faults are.

use std::io::Write as _;
use std::sync::Arc;

use tile_sim::{Fault, FaultKind, Region, Span};

use super::{Done, Failure, Launch, Touched, race_with_free, throughputs};
use crate::abi::CUcontext;
use crate::config;
use crate::memory::Allocation;
use crate::race::Point;
use crate::result::CUresult;
use crate::state;

impl Launch {
    pub(super) fn perform(self, point: &Point, context: CUcontext) -> Result<Done, Failure> {
        let Self {
            code,
            request,
            words: _,
        } = self;
        let visible = state::lock().visible(context);
        let regions: Vec<Arc<Region>> = visible
            .iter()
            .map(|allocation| Arc::clone(&allocation.region))
            .collect();
        let outcome = code
            .module
            .launch_on(&request, &regions, &code.variables, config::options());
        if !outcome.printed.is_empty() {
            let mut stdout = std::io::stdout().lock();
            // A closed stream is no error of the kernel.
            let _written = stdout.write_all(outcome.printed.as_bytes());
            let _flushed = stdout.flush();
        }
        let counters = outcome.result.map_err(|fault| failure(&fault, point))?;
        let [x, y, z] = request.blocks().map(u64::from);
        let bytes = outcome.spans.iter().map(|span| span.end - span.start);
        let bytes = (!outcome.spans.is_empty()).then(|| bytes.sum());
        let time = throughputs(context).picoseconds(&counters, x * y * z, bytes);
        Ok(Done {
            touched: by_allocation(outcome.spans, &visible),
            time,
        })
    }
}

/// Splits spans, which are in ascending order, by allocation.
fn by_allocation(spans: Vec<Span>, allocations: &[Arc<Allocation>]) -> Touched {
    let mut touched: Touched = Vec::new();
    let mut at = 0;
    for span in spans {
        while at + 1 < allocations.len() && allocations[at + 1].base() <= span.start {
            at += 1;
        }
        let base = allocations[at].base();
        match touched.last_mut() {
            Some((last, spans)) if *last == base => spans.push(span),
            _ => touched.push((base, vec![span])),
        }
    }
    touched
}

fn failure(fault: &Fault, point: &Point) -> Failure {
    let result = match &fault.kind {
        FaultKind::OutOfBounds { .. } | FaultKind::ReadOnly { .. } => {
            CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
        }
        FaultKind::Misaligned { .. } => CUresult::CUDA_ERROR_MISALIGNED_ADDRESS,
        FaultKind::Assertion { .. } => CUresult::CUDA_ERROR_ASSERT,
        FaultKind::InstructionLimit(_) | FaultKind::Deadlock { .. } | FaultKind::Stuck(_) => {
            CUresult::CUDA_ERROR_LAUNCH_TIMEOUT
        }
        FaultKind::BranchIndex { .. } => CUresult::CUDA_ERROR_INVALID_PC,
        _ => CUresult::CUDA_ERROR_LAUNCH_FAILED,
    };
    let mut message = format!("{}: {fault}", point.name);
    if let FaultKind::OutOfBounds { address, .. } = fault.kind {
        let state = state::lock();
        if let Some(race) = race_with_free(&state, point, address) {
            return race;
        }
        if let Some(what) = state.inaccessible(address, point.context) {
            message.push_str(": it is ");
            message.push_str(&what);
        }
    }
    Failure { result, message }
}
