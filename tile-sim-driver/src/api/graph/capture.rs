//! Captures of streams.

use std::collections::BTreeSet;
use std::ffi::c_uint;

use super::{INVALID, check_edges};
use crate::abi::{CUgraph, CUgraphEdgeData, CUgraphNode, CUstream, In, Out};
use crate::result::CUresult;
use crate::state::{self, Reply};

/// The state of the capture of a stream.
pub(super) struct Info {
    pub(super) status: Out<c_uint>,
    pub(super) id: Out<u64>,
    pub(super) graph: Out<CUgraph>,
    pub(super) nodes: Out<*const CUgraphNode>,
    pub(super) edges: Out<*const CUgraphEdgeData>,
    pub(super) count: Out<usize>,
}

thread_local! {
    /// The nodes that the last query of a capture returned: the API lends them.
    static LENT: std::cell::RefCell<Vec<CUgraphNode>> = const { std::cell::RefCell::new(Vec::new()) };
}

pub(super) fn capture_info(stream: CUstream, info: &Info) -> Reply {
    let mut state = state::initialized()?;
    let stream = state.stream(stream)?;
    let Some(captured) = state.streams.get(stream)?.capture.clone() else {
        return info.status.set(0);
    };
    let capture = state.captures.get(&captured.id);
    let capture = capture.ok_or(CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)?;
    info.status.set(if capture.is_invalid { 2 } else { 1 })?;
    info.id.put(captured.id);
    info.graph.put(capture.graph);
    let after: Vec<_> = captured.after.into_iter().collect();
    info.count.put(after.len());
    LENT.with_borrow_mut(|lent| {
        *lent = after;
        info.nodes.put(lent.as_ptr());
    });
    info.edges.put(std::ptr::null());
    Ok(())
}

pub(super) fn update_capture(
    stream: CUstream,
    nodes: In<CUgraphNode>,
    count: usize,
    flags: c_uint,
) -> Reply {
    let mut state = state::initialized()?;
    let stream = state.stream(stream)?;
    let nodes: BTreeSet<_> = nodes.list(count)?.into_iter().collect();
    let captured = state.streams.get(stream)?.capture.clone();
    let captured = captured.ok_or(CUresult::CUDA_ERROR_ILLEGAL_STATE)?;
    let capture = state
        .captures
        .get(&captured.id)
        .ok_or(CUresult::CUDA_ERROR_ILLEGAL_STATE)?;
    let graph = state.graphs.get(capture.graph)?;
    if flags > 1 || !nodes.iter().all(|node| graph.nodes.contains_key(node)) {
        return Err(INVALID);
    }
    if let Some(captured) = &mut state.streams.get_mut(stream)?.capture {
        // CU_STREAM_ADD_CAPTURE_DEPENDENCIES or CU_STREAM_SET_CAPTURE_DEPENDENCIES
        if flags == 1 {
            captured.after.clear();
        }
        captured.after.extend(nodes);
    }
    Ok(())
}

api! {
    fn cuStreamBeginCapture_v2[10_010] @ptsz(stream: CUstream, mode: c_uint) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        state.begin_capture(stream, mode, None)
    }

    fn cuStreamBeginCaptureToGraph @ptsz(stream: CUstream, graph: CUgraph, after: In<CUgraphNode>, data: In<CUgraphEdgeData>, count: usize, mode: c_uint) {
        let mut state = state::initialized()?;
        check_edges(data, count)?;
        let stream = state.stream(stream)?;
        let after = after.list(count)?;
        state.graphs.get(graph)?;
        state.begin_capture(stream, mode, Some((graph, after)))
    }

    fn cuStreamEndCapture @ptsz(stream: CUstream, graph: Out<CUgraph>) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        match state.end_capture(stream) {
            Ok(captured) => {
                graph.put(captured);
                Ok(())
            }
            Err(error) => {
                graph.put(CUgraph::NULL);
                Err(error)
            }
        }
    }

    fn cuStreamIsCapturing @ptsz(stream: CUstream, status: Out<c_uint>) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        state.legacy_may_run(stream)?;
        let Some(captured) = state.streams.get(stream)?.capture.clone() else {
            return status.set(0);
        };
        let is_active = state.captures.get(&captured.id).is_some_and(|capture| !capture.is_invalid);
        status.set(if is_active { 1 } else { 2 })
    }

    fn cuStreamGetCaptureInfo_v3[12_030] @ptsz(
        stream: CUstream,
        status: Out<c_uint>,
        id: Out<u64>,
        graph: Out<CUgraph>,
        nodes: Out<*const CUgraphNode>,
        edges: Out<*const CUgraphEdgeData>,
        count: Out<usize>,
    ) {
        capture_info(stream, &Info { status, id, graph, nodes, edges, count })
    }

    fn cuStreamUpdateCaptureDependencies_v2[12_030] @ptsz(stream: CUstream, nodes: Out<CUgraphNode>, data: In<CUgraphEdgeData>, count: usize, flags: c_uint) {
        check_edges(data, count)?;
        update_capture(stream, nodes.as_in(), count, flags)
    }

    fn cuThreadExchangeStreamCaptureMode(mode: Out<c_uint>) {
        let new = mode.get()?;
        if new > crate::capture::RELAXED {
            return Err(INVALID);
        }
        mode.set(state::exchange_capture_mode(new))
    }
}
