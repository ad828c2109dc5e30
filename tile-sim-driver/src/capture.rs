//! Captures: streams whose operations become nodes of a graph.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::abi::{CUevent, CUgraph, CUgraphNode, CUstream};
use crate::because;
use crate::graph::{Graph, Kind};
use crate::queue::{self, Op, Start};
use crate::result::CUresult;
use crate::state::{self, Reply, State};
use crate::work::Work;

/// `CUstreamCaptureMode`: which calls a capture forbids.
pub(crate) const GLOBAL: u32 = 0;
pub(crate) const THREAD_LOCAL: u32 = 1;
pub(crate) const RELAXED: u32 = 2;

/// A capture in progress.
#[derive(Debug)]
pub(crate) struct Capture {
    pub(crate) graph: CUgraph,
    /// The stream that began it.
    pub(crate) origin: CUstream,
    mode: u32,
    thread: u64,
    pub(crate) is_invalid: bool,
    /// Is `true` if the graph was there before.
    is_of_program: bool,
}

/// The part of a stream in a capture.
#[derive(Clone, Debug)]
pub(crate) struct Captured {
    pub(crate) id: u64,
    /// The nodes that the next operation runs after.
    pub(crate) after: BTreeSet<CUgraphNode>,
}

impl State {
    fn invalidate(&mut self, id: u64) {
        if let Some(capture) = self.captures.get_mut(&id) {
            capture.is_invalid = true;
        }
    }

    fn captured(&self, stream: CUstream) -> Option<&Captured> {
        self.streams.get(stream).ok()?.capture.as_ref()
    }

    pub(crate) fn is_capturing(&self, stream: CUstream) -> bool {
        self.captured(stream).is_some()
    }

    /// Returns the capture of a stream that can take more.
    fn taking(&self, stream: CUstream) -> Reply<Option<&Captured>> {
        let Some(captured) = self.captured(stream) else {
            return Ok(None);
        };
        match self.captures.get(&captured.id) {
            Some(capture) if !capture.is_invalid => Ok(Some(captured)),
            _ => Err(because(
                CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                "an earlier call made the capture invalid".to_owned(),
            )),
        }
    }

    /// Begins to capture a stream, into a new graph or behind nodes of one.
    pub(crate) fn begin_capture(
        &mut self,
        stream: CUstream,
        mode: u32,
        into: Option<(CUgraph, Vec<CUgraphNode>)>,
    ) -> Reply {
        if mode > RELAXED {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        let found = self.streams.get(stream)?;
        if found.kind == queue::Kind::Legacy {
            return Err(because(
                CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                "the legacy default stream cannot be captured".to_owned(),
            ));
        }
        if found.capture.is_some() {
            return Err(CUresult::CUDA_ERROR_ILLEGAL_STATE);
        }
        let is_of_program = into.is_some();
        let (graph, after) = match into {
            Some(into) => into,
            None => (self.graphs.add(Graph::default()), Vec::new()),
        };
        let nodes = &self.graphs.get(graph)?.nodes;
        if !after.iter().all(|node| nodes.contains_key(node)) {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        self.next_capture += 1;
        let id = self.next_capture;
        self.captures.insert(
            id,
            Capture {
                graph,
                origin: stream,
                mode,
                thread: state::thread(),
                is_invalid: false,
                is_of_program,
            },
        );
        self.streams.get_mut(stream)?.capture = Some(Captured {
            id,
            after: after.into_iter().collect(),
        });
        Ok(())
    }

    /// Ends a capture, and returns its graph.
    pub(crate) fn end_capture(&mut self, stream: CUstream) -> Reply<CUgraph> {
        let captured = self
            .captured(stream)
            .ok_or(CUresult::CUDA_ERROR_ILLEGAL_STATE)?
            .clone();
        let capture = self
            .captures
            .get(&captured.id)
            .ok_or(CUresult::CUDA_ERROR_ILLEGAL_STATE)?;
        if capture.origin != stream {
            return Err(because(
                CUresult::CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
                "the capture was begun on another stream".to_owned(),
            ));
        }
        if capture.mode != RELAXED && capture.thread != state::thread() {
            return Err(because(
 CUresult::CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "the capture was begun by another thread, and its mode is not `CU_STREAM_CAPTURE_MODE_RELAXED`".to_owned()));
        }
        let (graph, is_invalid, is_of_program) =
            (capture.graph, capture.is_invalid, capture.is_of_program);
        let joined = self.graphs.get(graph)?.leads_to(&captured.after);
        self.captures.remove(&captured.id);
        self.streams.for_each(|stream| {
            if stream
                .capture
                .as_ref()
                .is_some_and(|other| other.id == captured.id)
            {
                stream.capture = None;
            }
        });
        let error = if is_invalid {
            because(
                CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                "an earlier call made the capture invalid".to_owned(),
            )
        } else if joined {
            return Ok(graph);
        } else {
            because(
 CUresult::CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "work of another stream that the capture forked to is not joined: its stream has to wait for an event behind it".to_owned())
        };
        if !is_of_program {
            self.destroy_graph(graph)?;
        }
        Err(error)
    }

    /// Invalidates the capture of a stream that is destroyed.
    pub(crate) fn drop_capture(&mut self, stream: CUstream) {
        let Some(id) = self.captured(stream).map(|captured| captured.id) else {
            return;
        };
        self.invalidate(id);
        // Nobody can end it any more.
        if self
            .captures
            .get(&id)
            .is_some_and(|capture| capture.origin == stream)
            && let Some(capture) = self.captures.remove(&id)
        {
            self.streams.for_each(|stream| {
                if stream.capture.as_ref().is_some_and(|other| other.id == id) {
                    stream.capture = None;
                }
            });
            if !capture.is_of_program {
                // The graph is that of the capture.
                let _destroyed = self.destroy_graph(capture.graph);
            }
        }
    }

    /// Returns the capture of a blocking stream of the context of the legacy default stream `stream`.
    fn blocked_by(&self, stream: CUstream) -> Option<u64> {
        let legacy = self.streams.get(stream).ok()?;
        if legacy.kind != queue::Kind::Legacy {
            return None;
        }
        let mut streams = self.streams.iter();
        streams.find_map(|(_, other)| {
            let blocks = other.context == legacy.context && other.kind != queue::Kind::NonBlocking;
            other
                .capture
                .as_ref()
                .filter(|_| blocks)
                .map(|captured| captured.id)
        })
    }

    /// Returns an error for work on the legacy default stream while it would depend on a capture.
    pub(crate) fn legacy_may_run(&mut self, stream: CUstream) -> Reply {
        match self.blocked_by(stream) {
            Some(id) => {
                self.invalidate(id);
                Err(because(
                    CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                    "the legacy default stream would wait for a blocking stream that is captured"
                        .to_owned(),
                ))
            }
            None => Ok(()),
        }
    }

    /// Returns an error for a call that a capture forbids, and invalidates that capture: any that may not be made
    /// while one is in progress, or, with a stream, one that asks for the end of the stream's work.
    pub(crate) fn capture_forbids(&mut self, stream: Option<CUstream>) -> Reply {
        if self.captures.is_empty() {
            return Ok(());
        }
        if let Some(stream) = stream {
            if let Some(id) = self.captured(stream).map(|captured| captured.id) {
                self.invalidate(id);
                return Err(because(
 CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the stream is captured: its work has not been submitted, so nothing can wait for it, or ask for its end".to_owned()));
            }
            if let Some(id) = self.blocked_by(stream) {
                self.invalidate(id);
                return Err(because(
                    CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                    "the legacy default stream would wait for a blocking stream that is captured"
                        .to_owned(),
                ));
            }
            return Ok(());
        }
        let mode = state::capture_mode();
        let thread = state::thread();
        let forbids = |capture: &&mut Capture| {
            let own = capture.thread == thread;
            match mode {
                GLOBAL => own && capture.mode != RELAXED || capture.mode == GLOBAL,
                THREAD_LOCAL => own && capture.mode != RELAXED,
                _ => false,
            }
        };
        match self.captures.values_mut().find(forbids) {
            Some(capture) => {
                capture.is_invalid = true;
                Err(because(
 CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "a capture is in progress, and its mode forbids calls that could wait for a device, or are not in the order of streams".to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Returns an error for a call that cannot become a node.
    pub(crate) fn not_captured(&mut self, stream: CUstream) -> Reply {
        match self.captured(stream).map(|captured| captured.id) {
            Some(id) => {
                self.invalidate(id);
                Err(because(
                    CUresult::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                    "a callback cannot be captured: `cuLaunchHostFunc` can".to_owned(),
                ))
            }
            None => Ok(()),
        }
    }

    /// Returns the error of a wait by the host for an event of a capture, which it invalidates.
    pub(crate) fn captured_event(&mut self, event: CUevent) -> CUresult {
        let id = self
            .events
            .get(event)
            .ok()
            .and_then(|event| event.captured.as_ref())
            .map(|(id, _)| *id);
        if let Some(id) = id {
            self.invalidate(id);
        }
        because(
            CUresult::CUDA_ERROR_CAPTURED_EVENT,
            "the event was last recorded in a capture, which never happens outside of its graph"
                .to_owned(),
        )
    }

    /// Makes a captured stream, or one that joins a capture, wait for an event. Returns `false` if no capture is
    /// concerned.
    pub(crate) fn capture_wait(
        &mut self,
        stream: CUstream,
        event: CUevent,
        flags: u32,
    ) -> Reply<bool> {
        let own = self.taking(stream)?.map(|captured| captured.id);
        let of_event = self.events.get(event)?.captured.clone();
        // The capture of the event may have ended.
        let of_event = of_event.filter(|(id, _)| self.captures.contains_key(id));
        match (own, of_event) {
            (None, None) => Ok(false),
            (Some(_), None) if flags == 1 => {
                self.add_captured(stream, Kind::Wait(event))?;
                Ok(true)
            }
            (Some(own), None) => {
                self.invalidate(own);
                Err(because(
 CUresult::CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "the captured stream would wait for an event that was recorded outside of the capture".to_owned()))
            }
            (Some(own), Some((other, _))) if own != other => {
                self.invalidate(own);
                self.invalidate(other);
                Err(because(
                    CUresult::CUDA_ERROR_STREAM_CAPTURE_MERGE,
                    "the stream and the event are of two captures".to_owned(),
                ))
            }
            (own, Some((id, nodes))) => {
                if self
                    .captures
                    .get(&id)
                    .is_some_and(|capture| capture.is_invalid)
                {
                    return Err(because(
                        CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                        "an earlier call made the capture invalid".to_owned(),
                    ));
                }
                let found = self.streams.get_mut(stream)?;
                if found.kind == queue::Kind::Legacy {
                    self.invalidate(id);
                    return Err(because(
 CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "the legacy default stream would wait for a blocking stream that is captured".to_owned()));
                }
                match &mut found.capture {
                    Some(captured) if own.is_some() => captured.after.extend(nodes),
                    capture => *capture = Some(Captured { id, after: nodes }),
                }
                Ok(true)
            }
        }
    }

    /// Records an event in a captured stream. Returns `false` if the stream is not captured.
    pub(crate) fn capture_record(
        &mut self,
        stream: CUstream,
        event: CUevent,
        flags: u32,
    ) -> Reply<bool> {
        if let Some(id) = self.blocked_by(stream) {
            self.invalidate(id);
            return Err(because(
                CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                "the legacy default stream would wait for a blocking stream that is captured"
                    .to_owned(),
            ));
        }
        let Some(Captured { id, after }) = self.taking(stream)?.cloned() else {
            return Ok(false);
        };
        if flags == 1 {
            self.add_captured(stream, Kind::Record(event))?;
            return Ok(true);
        }
        self.events.get_mut(event)?.captured = Some((id, after));
        Ok(true)
    }

    /// Adds a node to the capture of a stream.
    pub(crate) fn add_captured(&mut self, stream: CUstream, kind: Kind) -> Reply<CUgraphNode> {
        let captured = self
            .taking(stream)?
            .ok_or(CUresult::CUDA_ERROR_ILLEGAL_STATE)?
            .clone();
        let graph = self.captures[&captured.id].graph;
        let after: Vec<_> = captured.after.into_iter().collect();
        let node = self.add_node(graph, kind, &after)?;
        if let Some(captured) = &mut self.streams.get_mut(stream)?.capture {
            captured.after = BTreeSet::from([node]);
        }
        Ok(node)
    }

    /// Submits an operation, or adds it to the graph that its stream is captured into, as `node`.
    pub(crate) fn enqueue(
        &mut self,
        stream: CUstream,
        name: &str,
        work: Work,
        start: Start,
        node: impl FnOnce() -> Kind,
    ) -> Reply<Option<Arc<Op>>> {
        if !self.captures.is_empty() {
            if self.taking(stream)?.is_some() {
                self.add_captured(stream, node())?;
                return Ok(None);
            }
            if let Some(id) = self.blocked_by(stream) {
                self.invalidate(id);
                return Err(because(
                    CUresult::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                    "the legacy default stream would wait for a blocking stream that is captured"
                        .to_owned(),
                ));
            }
        }
        self.submit(stream, name, work, &[], start).map(Some)
    }
}
