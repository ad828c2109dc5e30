//! Performs operations when their turn comes: copies, fills, launches, calls on the host.

mod launch;

use std::ffi::c_void;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::ptr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use tile_sim::cost::Throughputs;
use tile_sim::{Accesses, Span};

use crate::abi::{CUcontext, CUhostFn, CUstream, CUstreamCallback};
use crate::clock::{self, Over, Picoseconds};
use crate::config;
use crate::contents::Reader;
use crate::memory::{Allocation, Kind};
use crate::module::Code;
use crate::queue::Op;
use crate::race::{self, HOST, Point, Race};
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
    Graph(Arc<[Step]>),
}

impl Work {
    /// Returns what it does to memory as a whole.
    pub(crate) fn verb(&self) -> Option<&'static str> {
        match self {
            Self::Free(_) => Some(race::FREES),
            Self::Allocate(_) => Some(race::ALLOCATES),
            Self::Nothing
            | Self::Copy(_)
            | Self::Fill(_)
            | Self::Launch(_)
            | Self::Call(_)
            | Self::Graph(_) => None,
        }
    }
}

/// An operation of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) point: Arc<Point>,
    pub(crate) work: Work,
    /// The steps before it, by their places.
    pub(crate) after: Vec<usize>,
    /// The steps of a lane run one after the other, those of several lanes at the same time.
    pub(crate) lane: usize,
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
    pub(crate) request: tile_sim::Launch,
    /// The words of the arguments, which may be addresses.
    pub(crate) words: Arc<[u64]>,
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

/// The effect of an operation on the simulated clock.
#[derive(Default)]
struct Done {
    touched: Touched,
    /// The time that it took on its device.
    time: Picoseconds,
}

/// Runs an operation, unless its context is broken, and looks for races with others. Returns the time that it took on
/// its device.
pub(crate) fn run(work: Work, op: &Op) -> Picoseconds {
    match work {
        Work::Graph(steps) => run_graph(&steps, op.context),
        work => run_one(work, &op.point, op.context),
    }
}

/// Runs the operations of a graph, each when those before it have ended. Returns the time of the longest path.
fn run_graph(steps: &[Step], context: CUcontext) -> Picoseconds {
    let lanes = steps.iter().map(|step| step.lane).max();
    let ended: Mutex<Vec<Option<Picoseconds>>> = Mutex::new(vec![None; steps.len()]);
    let wakes = Condvar::new();
    let lock = || ended.lock().unwrap_or_else(PoisonError::into_inner);
    let run_lane = |lane: usize| {
        let own = steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.lane == lane);
        for (place, step) in own {
            let mut known = lock();
            let begin = loop {
                let before = step.after.iter().map(|&before| known[before]);
                if let Some(times) = before.collect::<Option<Vec<_>>>() {
                    break times.into_iter().max().unwrap_or(0);
                }
                known = wakes.wait(known).unwrap_or_else(PoisonError::into_inner);
            };
            drop(known);
            let time = run_one(step.work.clone(), &step.point, context);
            lock()[place] = Some(begin.saturating_add(time));
            wakes.notify_all();
        }
    };
    match lanes {
        None => {}
        Some(0) => run_lane(0),
        Some(last) => std::thread::scope(|scope| {
            for lane in 0..=last {
                scope.spawn(move || run_lane(lane));
            }
        }),
    }
    let ends = lock().iter().copied().flatten().max();
    ends.unwrap_or(0)
}

fn run_one(work: Work, point: &Arc<Point>, context: CUcontext) -> Picoseconds {
    if let Work::Nothing = work {
        return 0;
    }
    let reader = match work {
        Work::Launch(_) => Reader::Launch,
        _ => Reader::Other,
    };
    let is_broken = state::lock().working(context).is_err();
    // Calls of the program happen whatever became of the context: it may wait for them.
    if is_broken && !matches!(work, Work::Call(Call::Callback(..))) {
        return 0;
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
        Ok(Done { touched, time }) => {
            state.note_contents(point, reader, &touched);
            state.compare(point, touched);
            time
        }
        Err(Failure { result, message }) => {
            state.fault(context, result, message);
            0
        }
    }
}

impl State {
    /// Looks for races of an operation with earlier ones.
    pub(crate) fn compare(&mut self, point: &Arc<Point>, mut touched: Touched) {
        if !config::finds_races() || touched.is_empty() {
            return;
        }
        // Memory that was freed while the operation ran.
        let gone = |(base, _): &(u64, Vec<Span>)| self.memory.begins(*base).is_none();
        if let Some((_, spans)) = touched.iter().find(|touched| gone(touched))
            && let Some(first) = spans.first()
            && let Some(Failure { result, message }) = race_with_free(self, point, first.start)
        {
            self.fault(point.context, result, message);
            return;
        }
        touched.retain(|touched| !gone(touched));
        let Some(Race { message, other }) = self.races.record(point, touched) else {
            return;
        };
        // An access of the host is in no context. Of one that is broken, everything is said.
        let context = if point.agent == HOST {
            other
        } else {
            point.context
        };
        let is_broken = self.working(context).is_err();
        if point.agent == HOST && is_broken {
            return;
        }
        self.fault(context, CUresult::CUDA_ERROR_LAUNCH_FAILED, message);
    }

    /// Frees an allocation, after it has looked for operations that nothing orders before.
    pub(crate) fn free_at(&mut self, point: &Arc<Point>, allocation: &Allocation) {
        let whole = span(allocation, 0, allocation.bytes, Accesses::WRITE);
        self.compare(point, vec![(allocation.base(), vec![whole])]);
        self.races.forget(allocation.base());
        self.forget_contents(allocation.base(), point);
        self.open_allocation(allocation.base());
        self.memory.free_by(allocation, point);
    }

    fn is_on(&self, context: CUcontext, device: usize) -> bool {
        let context = self.contexts.get(context);
        context.is_ok_and(|context| context.device == device)
    }

    /// Says what an address is that a kernel cannot access.
    fn inaccessible(&self, address: u64, context: CUcontext) -> Option<String> {
        let Some(found) = self.memory.at(address) else {
            return self.memory.around(address);
        };
        let offset = address - found.base();
        let (device, bytes) = (found.device, found.bytes);
        let what = format!("byte {offset} of an allocation of {bytes} bytes");
        Some(match found.kind {
            Kind::Device | Kind::Variable if self.is_on(context, device) => format!(
                "{what} of context {:#x}, and the launch is in context {:#x} of the same device",
                found.context.0, context.0
            ),
            Kind::Device | Kind::Variable => format!(
                "{what} of context {:#x} on device {device}, and access to it was not enabled (`cuCtxEnablePeerAccess`)",
                found.context.0
            ),
            Kind::Pool(_) => format!(
                "{what} of a pool of device {device}, which gives no access (`cuMemPoolSetAccess`)"
            ),
            Kind::Pinned(_) | Kind::Registered(_) | Kind::Managed => what,
        })
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

fn perform(work: Work, point: &Arc<Point>, context: CUcontext) -> Result<Done, Failure> {
    match work {
        Work::Nothing | Work::Graph(_) => Ok(Done::default()),
        Work::Allocate(allocation) => {
            let whole = span(&allocation, 0, allocation.bytes, Accesses::WRITE);
            Ok(Done {
                touched: vec![(allocation.base(), vec![whole])],
                time: 0,
            })
        }
        Work::Free(allocation) => {
            state::lock().free_at(point, &allocation);
            Ok(Done::default())
        }
        Work::Copy(copy) => {
            let (bytes, over) = copy.moved();
            let time = clock::transfer(bytes, over, &throughputs(context));
            let touched = copy.perform(point)?;
            Ok(Done { touched, time })
        }
        Work::Fill(fill) => {
            let bytes = fill.width * fill.element * fill.height;
            let time = clock::transfer(bytes as u64, Over::Device, &throughputs(context));
            let touched = fill.perform(point)?;
            Ok(Done { touched, time })
        }
        Work::Launch(launch) => launch.perform(point, context),
        Work::Call(call) => {
            // The program may learn from the call that everything before it has ended.
            let mut state = state::lock();
            state.learn(&point.clock);
            state.begin_call(point);
            drop(state);
            call.perform();
            state::lock().end_call();
            Ok(Done::default())
        }
    }
}

/// Returns the throughputs of the device of a context.
fn throughputs(context: CUcontext) -> Throughputs {
    let state = state::lock();
    let device = state.contexts.get(context).map(|context| context.device);
    device.map_or(Throughputs::H100, |device| {
        state.devices[device].model.throughputs()
    })
}

/// Returns an error if an allocation was freed.
fn in_use(allocation: &Allocation, point: &Point) -> Result<(), Failure> {
    if !allocation.is_freed() {
        return Ok(());
    }
    let state = state::lock();
    if let Some(race) = race_with_free(&state, point, allocation.base()) {
        return Err(race);
    }
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

/// Returns the race of an operation with the free of memory that it uses, if nothing orders them.
fn race_with_free(state: &State, point: &Point, address: u64) -> Option<Failure> {
    let (base, free) = state.memory.freed_by(address)?;
    point.is_beside(free).then(|| Failure {
        result: CUresult::CUDA_ERROR_LAUNCH_FAILED,
        message: point.meets("uses", (free, race::FREES), (address, address - base)),
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

impl Shape {
    /// Returns the bytes from the first to the last byte that is written, and that is read.
    fn extents(self) -> (usize, usize) {
        let last = |pitch: usize, slice: usize| {
            pitch * (self.height - 1) + slice * (self.depth - 1) + self.width
        };
        if self.is_empty() {
            return (0, 0);
        }
        (
            last(self.to_pitch, self.to_slice),
            last(self.from_pitch, self.from_slice),
        )
    }
}

/// The bytes that a copy moves at once.
const CHUNK: usize = 1 << 20;

/// An allocation, and a range of offsets in it.
type Part = (Arc<Allocation>, Range<usize>);

impl End {
    fn over(&self) -> Over {
        let Self::Memory(allocation, _) = self else {
            return Over::Host;
        };
        match allocation.kind {
            Kind::Device | Kind::Variable | Kind::Pool(_) | Kind::Managed => Over::Device,
            Kind::Pinned(_) | Kind::Registered(_) => Over::Host,
        }
    }

    fn part(&self, bytes: usize) -> Option<Part> {
        match self {
            Self::Memory(allocation, offset) => {
                Some((Arc::clone(allocation), *offset..offset + bytes))
            }
            Self::Host(_) | Self::Staged(_) => None,
        }
    }
}

impl Copy {
    /// Returns the bytes that it moves, and over what: within devices it reads and writes each.
    fn moved(&self) -> (u64, Over) {
        let Shape {
            width,
            height,
            depth,
            ..
        } = self.shape;
        let bytes = (width * height * depth) as u64;
        match (self.from.over(), self.to.over()) {
            (Over::Device, Over::Device) => (2 * bytes, Over::Device),
            _ => (bytes, Over::Host),
        }
    }

    /// Returns the range of an allocation that it writes.
    pub(crate) fn writes(&self) -> Option<Part> {
        self.to.part(self.shape.extents().0)
    }

    /// Returns the range of an allocation that it reads.
    pub(crate) fn reads(&self) -> Option<Part> {
        self.from.part(self.shape.extents().1)
    }

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
    /// Returns the range of its allocation that it writes.
    pub(crate) fn range(&self) -> Range<usize> {
        let rows = self.pitch * self.height.saturating_sub(1);
        self.offset..self.offset + rows + self.width * self.element
    }

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
