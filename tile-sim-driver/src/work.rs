//! Performs operations when their turn comes: copies, fills, launches, calls on the host.

use std::ffi::c_void;
use std::io::Write as _;
use std::panic::AssertUnwindSafe;
use std::ptr;
use std::sync::Arc;

use tile_sim::{Accesses, Fault, FaultKind, Region, Span};

use crate::abi::{CUcontext, CUhostFn, CUstream, CUstreamCallback};
use crate::config;
use crate::memory::{Allocation, Kind};
use crate::module::Code;
use crate::queue::Op;
use crate::race::Point;
use crate::result::CUresult;
use crate::state::{self, State};

/// The action of an operation.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// A point that others wait for.
    Nothing,
    Allocate(Arc<Allocation>),
    Free(Arc<Allocation>),
    Copy(Copy),
    Fill(Fill),
    Launch(Launch),
    Call(Call),
    /// The operations of a graph, in an order that its edges allow.
    Graph(Vec<Step>),
}

/// An operation of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) point: Arc<Point>,
    pub(crate) work: Work,
}

/// One side of a copy.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Memory(Arc<Allocation>, usize),
    /// Memory of the program at an address, which stays valid until the copy has ended.
    Host(usize),
    /// Bytes that were copied when the operation was submitted.
    Staged(Arc<[u8]>),
}

/// The size of a copy in bytes, rows and slices, and the distances of rows and slices on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
    pub(crate) to_pitch: usize,
    pub(crate) to_slice: usize,
    pub(crate) from_pitch: usize,
    pub(crate) from_slice: usize,
}

impl Shape {
    pub(crate) fn linear(bytes: usize) -> Self {
        Self {
            width: bytes,
            height: 1,
            depth: 1,
            to_pitch: bytes,
            to_slice: bytes,
            from_pitch: bytes,
            from_slice: bytes,
        }
    }

    /// Returns the offsets of each row: on the side that is written, and on the other.
    fn rows(self) -> impl Iterator<Item = (usize, usize)> {
        let rows = (0..self.depth).flat_map(move |z| (0..self.height).map(move |y| (y, z)));
        rows.map(move |(y, z)| {
            (
                y * self.to_pitch + z * self.to_slice,
                y * self.from_pitch + z * self.from_slice,
            )
        })
    }

    pub(crate) fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0 || self.depth == 0
    }
}

/// A copy.
#[derive(Clone, Debug)]
pub(crate) struct Copy {
    pub(crate) to: End,
    pub(crate) from: End,
    pub(crate) shape: Shape,
}

/// A fill with elements of 1, 2 or 4 bytes.
#[derive(Clone, Debug)]
pub(crate) struct Fill {
    pub(crate) to: Arc<Allocation>,
    pub(crate) offset: usize,
    pub(crate) value: u32,
    pub(crate) element: usize,
    /// The number of elements of a row.
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pitch: usize,
}

/// A launch of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) code: Arc<Code>,
    pub(crate) launch: tile_sim::Launch,
}

/// A call of a function of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    Host(CUhostFn, usize),
    Callback(CUstreamCallback, CUstream, usize),
}

/// Why an operation failed.
struct Failure {
    result: CUresult,
    message: String,
}

/// The accesses of an operation, by allocation.
type Touched = Vec<(u64, Vec<Span>)>;

/// Runs an operation, unless its context is broken, and looks for races with others.
pub(crate) fn run(work: Work, op: &Op) {
    match work {
        Work::Graph(steps) => {
            for step in steps {
                run_one(step.work, &step.point, op.context);
            }
        }
        work => run_one(work, &op.point, op.context),
    }
}

fn run_one(work: Work, point: &Arc<Point>, context: CUcontext) {
    if let Work::Nothing = work {
        return;
    }
    let is_broken = state::lock().working(context).is_err();
    // Calls of the program happen whatever became of the context: it may wait for them.
    if is_broken && !matches!(work, Work::Call(Call::Callback(..))) {
        return;
    }
    let ran = std::panic::catch_unwind(AssertUnwindSafe(|| perform(work, point, context)));
    let ran = ran.unwrap_or_else(|_| {
        Err(Failure {
            result: CUresult::CUDA_ERROR_UNKNOWN,
            message: format!("{}: the simulator panicked", point.name),
        })
    });
    let mut state = state::lock();
    match ran {
        Ok(touched) => state.compare(point, context, touched),
        Err(Failure { result, message }) => state.fault(context, result, message),
    }
}

impl State {
    /// Looks for races of an operation with earlier ones.
    pub(crate) fn compare(&mut self, point: &Arc<Point>, context: CUcontext, touched: Touched) {
        if !config::finds_races() || touched.is_empty() {
            return;
        }
        if let Some(race) = self.races.record(point, touched) {
            self.fault(context, CUresult::CUDA_ERROR_LAUNCH_FAILED, race);
        }
    }

    /// Frees an allocation, after it has looked for operations that nothing orders before.
    pub(crate) fn free_at(
        &mut self,
        point: &Arc<Point>,
        context: CUcontext,
        allocation: &Allocation,
    ) {
        let whole = span(allocation, 0, allocation.bytes, Accesses::WRITE);
        self.compare(point, context, vec![(allocation.base(), vec![whole])]);
        self.races.forget(allocation.base());
        self.memory.free(allocation, &point.name);
    }

    /// Returns what kernels in a context can access, in ascending order of addresses.
    fn visible(&self, context: CUcontext) -> Vec<Arc<Allocation>> {
        let Ok(own) = self.contexts.get(context) else {
            return Vec::new();
        };
        let is_visible = |allocation: &&Arc<Allocation>| match allocation.kind {
            Kind::Device | Kind::Variable => {
                allocation.context == context || own.peers.contains(&allocation.context)
            }
            Kind::Pool(pool) => {
                let pool = self.pools.get(pool);
                allocation.device == own.device
                    || pool.is_ok_and(|pool| pool.access.contains_key(&own.device))
            }
            Kind::Pinned(_) | Kind::Registered(_) | Kind::Managed => true,
        };
        self.memory.all().filter(is_visible).cloned().collect()
    }
}

fn span(allocation: &Allocation, offset: usize, bytes: usize, accesses: Accesses) -> Span {
    let start = allocation.base() + offset as u64;
    Span {
        start,
        end: start + bytes as u64,
        accesses,
    }
}

fn perform(work: Work, point: &Arc<Point>, context: CUcontext) -> Result<Touched, Failure> {
    match work {
        Work::Nothing | Work::Graph(_) => Ok(Vec::new()),
        Work::Allocate(allocation) => {
            let whole = span(&allocation, 0, allocation.bytes, Accesses::WRITE);
            Ok(vec![(allocation.base(), vec![whole])])
        }
        Work::Free(allocation) => {
            state::lock().free_at(point, context, &allocation);
            Ok(Vec::new())
        }
        Work::Copy(copy) => copy.perform(point),
        Work::Fill(fill) => fill.perform(point),
        Work::Launch(launch) => launch.perform(point, context),
        Work::Call(call) => {
            // The program may learn from the call that everything before it has ended.
            let mut state = state::lock();
            state.host.join(&point.clock);
            drop(state);
            call.perform();
            Ok(Vec::new())
        }
    }
}

/// Returns an error if an allocation was freed.
fn in_use(allocation: &Allocation, point: &Point) -> Result<(), Failure> {
    if !allocation.is_freed() {
        return Ok(());
    }
    let state = state::lock();
    let what = state.memory.around(allocation.base());
    Err(Failure {
        result: CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
        message: format!(
            "{}: it uses memory after it was freed: {}",
            point.name,
            what.unwrap_or_else(|| "its allocation is gone".to_owned())
        ),
    })
}

impl End {
    fn in_use(&self, point: &Point) -> Result<(), Failure> {
        match self {
            Self::Memory(allocation, _) => in_use(allocation, point),
            Self::Host(_) | Self::Staged(_) => Ok(()),
        }
    }

    fn read(&self, at: usize, into: &mut [u8]) {
        match self {
            Self::Memory(allocation, offset) => allocation.region.read(offset + at, into),
            Self::Staged(bytes) => into.copy_from_slice(&bytes[at..at + into.len()]),
            Self::Host(address) => {
                let from = ptr::with_exposed_provenance::<u8>(address + at);
                // SAFETY: the caller of the API promised that the range may be read until the copy has ended.
                unsafe { ptr::copy_nonoverlapping(from, into.as_mut_ptr(), into.len()) };
            }
        }
    }

    fn write(&self, at: usize, from: &[u8]) {
        match self {
            Self::Memory(allocation, offset) => allocation.region.write(offset + at, from),
            Self::Staged(_) => unreachable!("a copy has staged bytes as its source only"),
            Self::Host(address) => {
                let to = ptr::with_exposed_provenance_mut::<u8>(address + at);
                // SAFETY: the caller of the API promised that the range may be written until the copy has ended.
                unsafe { ptr::copy_nonoverlapping(from.as_ptr(), to, from.len()) };
            }
        }
    }

    fn touch(
        &self,
        touched: &mut Touched,
        offsets: impl Iterator<Item = usize>,
        width: usize,
        accesses: Accesses,
    ) {
        let Self::Memory(allocation, offset) = self else {
            return;
        };
        let mut spans: Vec<Span> = Vec::new();
        for at in offsets {
            let next = span(allocation, offset + at, width, accesses);
            match spans.last_mut() {
                Some(last) if last.end == next.start => last.end = next.end,
                _ => spans.push(next),
            }
        }
        let base = allocation.base();
        match touched.iter_mut().find(|(known, _)| *known == base) {
            Some((_, known)) => {
                known.extend(spans);
                known.sort_by_key(|span| span.start);
            }
            None => touched.push((base, spans)),
        }
    }
}

/// The bytes that a copy moves at once.
const CHUNK: usize = 1 << 20;

impl Copy {
    fn perform(self, point: &Point) -> Result<Touched, Failure> {
        let Self { to, from, shape } = self;
        to.in_use(point)?;
        from.in_use(point)?;
        if shape.is_empty() {
            return Ok(Vec::new());
        }
        let mut buffer = vec![0; shape.width.min(CHUNK)];
        for (to_row, from_row) in shape.rows() {
            let mut at = 0;
            while at < shape.width {
                let buffer = &mut buffer[..CHUNK.min(shape.width - at)];
                from.read(from_row + at, buffer);
                to.write(to_row + at, buffer);
                at += buffer.len();
            }
        }
        let mut touched = Vec::new();
        from.touch(
            &mut touched,
            shape.rows().map(|(_, from)| from),
            shape.width,
            Accesses::READ,
        );
        to.touch(
            &mut touched,
            shape.rows().map(|(to, _)| to),
            shape.width,
            Accesses::WRITE,
        );
        Ok(touched)
    }
}

impl Fill {
    fn perform(self, point: &Point) -> Result<Touched, Failure> {
        in_use(&self.to, point)?;
        let bytes = self.width * self.element;
        let pattern = &self.value.to_le_bytes()[..self.element];
        let row: Vec<u8> = pattern
            .iter()
            .copied()
            .cycle()
            .take(bytes.min(CHUNK))
            .collect();
        let mut spans = Vec::new();
        for y in 0..self.height {
            let start = self.offset + y * self.pitch;
            let mut at = 0;
            while at < bytes {
                let part = &row[..row.len().min(bytes - at)];
                self.to.region.write(start + at, part);
                at += part.len();
            }
            spans.push(span(&self.to, start, bytes, Accesses::WRITE));
        }
        Ok(vec![(self.to.base(), spans)])
    }
}

impl Call {
    fn perform(self) {
        state::in_callback(|| match self {
            Self::Host(function, data) => {
                if let Some(function) = function {
                    let data = ptr::with_exposed_provenance_mut::<c_void>(data);
                    // SAFETY: the program gave the function, to be called with this pointer.
                    unsafe { function(data) };
                }
            }
            Self::Callback(function, stream, data) => {
                if let Some(function) = function {
                    let data = ptr::with_exposed_provenance_mut::<c_void>(data);
                    // SAFETY: as above.
                    unsafe { function(stream, CUresult::CUDA_SUCCESS, data) };
                }
            }
        });
    }
}

impl Launch {
    fn perform(self, point: &Point, context: CUcontext) -> Result<Touched, Failure> {
        let Self { code, launch } = self;
        let visible = state::lock().visible(context);
        let regions: Vec<Arc<Region>> = visible
            .iter()
            .map(|allocation| Arc::clone(&allocation.region))
            .collect();
        let outcome = code
            .module
            .launch_on(&launch, &regions, &code.variables, config::options());
        if !outcome.printed.is_empty() {
            let mut stdout = std::io::stdout().lock();
            // A closed stream is no error of the kernel.
            let _written = stdout.write_all(outcome.printed.as_bytes());
            let _flushed = stdout.flush();
        }
        if let Err(fault) = outcome.result {
            return Err(failure(&fault, point));
        }
        Ok(by_allocation(outcome.spans, &visible))
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
    if let FaultKind::OutOfBounds { address, .. } = fault.kind
        && let Some(freed) = state::lock().memory.around(address)
    {
        message.push_str(": it is ");
        message.push_str(&freed);
    }
    Failure { result, message }
}
