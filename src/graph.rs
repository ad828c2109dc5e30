//! Graphs: work that is recorded once, and then started many times with one call.
//!
//! [`Graph::capture`] records what a closure starts on this thread. The record holds every tensor and buffer that
//! the work uses, and is the same for every device: the CPU device runs it step by step, and for a GPU it becomes
//! a graph of the driver (`driver/graph.rs`). No stream is in a special state meanwhile, so other threads and
//! devices do what they want.

use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::driver::{self, Access, Call, Capture, Mark, RawGraph, RawStream, Tracked};
use crate::event::Event;
use crate::host_buffer::{HostBlock, KeptAway};
use crate::launch::Prepared;
use crate::storage::Storage;
use crate::stream::{Queue, StreamRef};
use crate::{Device, Error, Result, device};

/// Work that was captured: launches, copies, and events.
///
/// The work of a stream is in order, and work on the same memory is, as always. Other work of different streams may
/// run at the same time.
///
/// ```
/// use tile_kernel::{Graph, prelude::*};
///
/// #[tile_kernel(grid = x.tiles([64]), arch("cpu"))]
/// fn double(x: &mut Tensor<f32, 1>) {
///     let i = block_id(0);
///     x.store([i], x.load([i], [64]) * 2.0);
/// }
///
/// # fn main() -> tile_kernel::Result<()> {
/// let device = Device::cpu();
/// let stream = Stream::new(&device)?;
/// let mut x = Tensor::full(&device, [100], 1.0)?;
/// let graph = Graph::capture(&stream, || {
///     double(&mut x).launch()?; // recorded, not run
///     double(&mut x).launch()
/// })?;
/// let graph = graph.instantiate()?;
/// for _ in 0..3 {
///     graph.launch(&stream)?;
/// }
/// assert_eq!(x.to_vec()?, [64.0; 100]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Graph {
    device: Device,
    steps: Arc<[Step]>,
}

/// A step of a graph.
struct Step {
    work: Work,
    /// The number of the stream, within the graph.
    stream: usize,
}

/// Work of a stream.
pub(crate) enum Work {
    Launch(Prepared),
    /// Fills `bytes` bytes with copies of `value`, which has at most 4 bytes on a GPU.
    Fill {
        to: Arc<Storage>,
        offset: usize,
        bytes: usize,
        value: Vec<u8>,
    },
    Upload {
        to: Arc<Storage>,
        offset: usize,
        from: Arc<HostBlock>,
        start: usize,
        bytes: usize,
    },
    Download {
        from: Arc<Storage>,
        offset: usize,
        to: Arc<HostBlock>,
        start: usize,
        bytes: usize,
    },
    /// A copy between different memory of GPUs.
    Copy {
        to: Arc<Storage>,
        offset: usize,
        from: Arc<Storage>,
        start: usize,
        bytes: usize,
    },
    Record(Event),
    /// Waits for an event that was recorded outside of the capture.
    Wait(Event),
    /// Waits for the work so far of another stream of the graph.
    Join(usize),
}

/// Memory that work uses.
#[derive(Clone, Copy)]
enum Place<'a> {
    Storage(&'a Storage),
    Block(&'a HostBlock),
}

impl<'a> Place<'a> {
    fn address(self) -> u64 {
        match self {
            Place::Storage(storage) => storage.address(),
            Place::Block(block) => block.address(),
        }
    }

    /// Returns a key that orders places by address. Two borrows of memory may have the same address.
    fn key(self) -> (u64, usize) {
        let identity = match self {
            Place::Storage(storage) => std::ptr::from_ref(storage).addr(),
            Place::Block(block) => std::ptr::from_ref(block).addr(),
        };
        (self.address(), identity)
    }

    /// Describes a use by the work of a stream of a GPU.
    fn tracked(self, access: Access) -> Option<Tracked<'a>> {
        match self {
            Place::Storage(Storage::Device(memory)) => Some(memory.tracked(access)),
            Place::Storage(Storage::Host(_)) => None,
            Place::Block(block) => Some(block.tracked(access)),
        }
    }
}

/// Names each place once, with the strongest access.
fn merged<'a>(uses: impl Iterator<Item = (Place<'a>, Access)>) -> Vec<(Place<'a>, Access)> {
    let mut uses: Vec<_> = uses.collect();
    // The strongest access of a place comes first.
    uses.sort_by_key(|(place, access)| (place.key(), std::cmp::Reverse(*access)));
    uses.dedup_by_key(|(place, _)| place.key());
    uses
}

/// Keeps guards of the blocks away while work is submitted. Refuses borrowed memory after its borrow.
fn keep_guards_away<'a>(uses: &[(Place<'a>, Access)]) -> Result<Vec<KeptAway<'a>>> {
    for (place, access) in uses {
        if let Place::Storage(storage) = place {
            storage.check_access(*access)?;
        }
    }
    // The uses are in order of address, so that no two submissions deadlock.
    let blocks = uses.iter().filter_map(|&(place, access)| match place {
        Place::Block(block) => Some((block, access)),
        Place::Storage(_) => None,
    });
    blocks
        .map(|(block, access)| block.keep_guards_away(access))
        .collect()
}

fn tracked<'a>(uses: &[(Place<'a>, Access)]) -> Vec<Tracked<'a>> {
    uses.iter()
        .filter_map(|&(place, access)| place.tracked(access))
        .collect()
}

impl Work {
    /// Returns the name of the work for a profiler.
    #[cfg(feature = "nvtx")]
    fn name(&self) -> &'static str {
        match self {
            Work::Launch(launch) => launch.name(),
            Work::Fill { .. } => "fill",
            Work::Upload { .. } => "upload",
            Work::Download { .. } => "download",
            Work::Copy { .. } => "copy",
            Work::Record(_) => "record",
            Work::Wait(_) | Work::Join(_) => "wait",
        }
    }

    fn uses(&self) -> Vec<(Place<'_>, Access)> {
        match self {
            Work::Launch(launch) => launch
                .accesses()
                .into_iter()
                .map(|(storage, access)| (Place::Storage(storage), access))
                .collect(),
            Work::Fill { to, .. } => vec![(Place::Storage(to), Access::Exclusive)],
            Work::Upload { to, from, .. } => vec![
                (Place::Storage(to), Access::Exclusive),
                (Place::Block(from), Access::Shared),
            ],
            Work::Download { from, to, .. } => vec![
                (Place::Storage(from), Access::Shared),
                (Place::Block(to), Access::Exclusive),
            ],
            Work::Copy { to, from, .. } => vec![
                (Place::Storage(to), Access::Exclusive),
                (Place::Storage(from), Access::Shared),
            ],
            Work::Record(_) | Work::Wait(_) | Work::Join(_) => Vec::new(),
        }
    }

    /// Does the work on this thread, on a device whose memory is that of the host. Guards of its blocks are kept
    /// away.
    fn run_here(&self) -> Result<()> {
        match self {
            Work::Launch(launch) => launch.run_here()?,
            Work::Fill {
                to,
                offset,
                bytes,
                value,
            } => {
                if let Storage::Host(memory) = &**to {
                    memory.fill(*offset, *bytes, value)?;
                }
            }
            Work::Upload {
                to,
                offset,
                from,
                start,
                bytes,
            } => {
                from.synchronize(Access::Shared)?;
                if let Storage::Host(memory) = &**to {
                    let from = from.at(*start, *bytes);
                    let _lock = memory.lock(Access::Exclusive)?;
                    // SAFETY: `at` checked both ranges; the lock excludes other uses of the tensor, and nothing writes
                    // the block: its work has finished, and guards are kept away.
                    unsafe {
                        std::ptr::copy_nonoverlapping(from, memory.at(*offset, *bytes), *bytes);
                    }
                }
            }
            Work::Download {
                from,
                offset,
                to,
                start,
                bytes,
            } => {
                to.synchronize(Access::Exclusive)?;
                if let Storage::Host(memory) = &**from {
                    let to = to.at(*start, *bytes);
                    let _lock = memory.lock(Access::Shared)?;
                    // SAFETY: as above; nothing uses the block.
                    unsafe {
                        std::ptr::copy_nonoverlapping(memory.at(*offset, *bytes), to, *bytes);
                    }
                }
            }
            Work::Record(event) => event.reached(),
            Work::Copy { .. } => unreachable!("memory of the host is copied by the host"),
            Work::Wait(_) | Work::Join(_) => {}
        }
        Ok(())
    }

    /// Returns the call of a launch, and `None` for other work.
    fn call(&self, device: Device) -> Result<Option<Call>> {
        match (self, device.0) {
            (Work::Launch(launch), device::Kind::Cuda(context)) => launch.call(context).map(Some),
            _ => Ok(None),
        }
    }

    /// Submits work on memory to a stream of a GPU, whose context is current.
    fn submit(&self, call: Option<&Call>, stream: &RawStream) -> Result<()> {
        match self {
            Work::Launch(_) => call.map_or(Ok(()), |call| call.submit(stream)),
            Work::Fill {
                to,
                offset,
                bytes,
                value,
            } => match &**to {
                Storage::Device(memory) => memory.submit_set(*offset, *bytes, value, stream),
                Storage::Host(_) => Ok(()),
            },
            Work::Upload {
                to,
                offset,
                from,
                start,
                bytes,
            } => match &**to {
                Storage::Device(memory) => {
                    let from = from.at(*start, *bytes);
                    // SAFETY: the block lives until its work has finished, and nothing writes it: guards were kept
                    // away, and wait for this use.
                    unsafe { memory.submit_write(*offset, from, *bytes, stream) }
                }
                Storage::Host(_) => Ok(()),
            },
            Work::Download {
                from,
                offset,
                to,
                start,
                bytes,
            } => match &**from {
                Storage::Device(memory) => {
                    let to = to.at(*start, *bytes);
                    // SAFETY: as above; nothing uses the block.
                    unsafe { memory.submit_read(*offset, to, *bytes, stream) }
                }
                Storage::Host(_) => Ok(()),
            },
            Work::Copy {
                to,
                offset,
                from,
                start,
                bytes,
            } => match (&**to, &**from) {
                (Storage::Device(to), Storage::Device(from)) => {
                    to.submit_copy(*offset, (from, *start), *bytes, stream)
                }
                _ => Ok(()),
            },
            Work::Record(_) | Work::Wait(_) | Work::Join(_) => Ok(()),
        }
    }
}

/// Starts a copy on a stream, or records it.
pub(crate) fn start(queue: &Queue, work: Work) -> Result<()> {
    if is_captured(queue.device())? {
        return push(Some(queue), work);
    }
    #[cfg(feature = "nvtx")]
    let _range = crate::nvtx::range(work.name());
    let uses = merged(work.uses().into_iter());
    let _kept_away = keep_guards_away(&uses)?;
    match queue {
        Queue::Host(_) => work.run_here(),
        Queue::Cuda(stream) => driver::submit(tracked(&uses), stream, Mark::Now, || {
            work.submit(None, stream)
        }),
    }
}

/// The capture of this thread.
struct Recorder {
    device: Device,
    /// The streams by number; the captured one is the first.
    streams: Vec<Queue>,
    /// The events that the graph records, with the number of the stream.
    events: Vec<(Event, usize)>,
    steps: Vec<Step>,
}

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// Returns `true` if work of this device is recorded rather than run, on this thread.
///
/// # Errors
/// [`Capturing`](Error::Capturing) if a graph of another device is being captured.
pub(crate) fn is_captured(device: Device) -> Result<bool> {
    RECORDER.with_borrow(|recorder| match recorder {
        None => Ok(false),
        Some(recorder) if recorder.device == device => Ok(true),
        Some(_) => Err(Error::Capturing {
            what: "work on another device",
        }),
    })
}

/// Refuses what cannot be part of a graph.
pub(crate) fn refuse_in_capture(what: &'static str) -> Result<()> {
    RECORDER.with_borrow(|recorder| match recorder {
        None => Ok(()),
        Some(_) => Err(Error::Capturing { what }),
    })
}

/// Records work on a stream, by default on the captured one. This thread must be capturing.
pub(crate) fn push(queue: Option<&Queue>, work: Work) -> Result<()> {
    RECORDER.with_borrow_mut(|recorder| {
        let recorder = recorder.as_mut().expect("the caller asked `is_captured`");
        let stream = queue.map_or(0, |queue| recorder.number(queue));
        let work = match work {
            Work::Wait(event) => {
                let mut latest = recorder.events.iter().rev();
                if let Some((_, other)) = latest.find(|(known, _)| known.is(&event)) {
                    Work::Join(*other)
                } else {
                    event.check_recorded()?;
                    Work::Wait(event)
                }
            }
            Work::Record(event) => {
                recorder.events.push((event.clone(), stream));
                Work::Record(event)
            }
            work => work,
        };
        recorder.steps.push(Step { work, stream });
        Ok(())
    })
}

impl Recorder {
    /// Returns the number of a stream within the graph.
    fn number(&mut self, queue: &Queue) -> usize {
        let known = self.streams.iter().position(|known| known.is(queue));
        known.unwrap_or_else(|| {
            self.streams.push(queue.clone());
            self.streams.len() - 1
        })
    }
}

/// Ends the capture of this thread.
struct EndCapture;

impl Drop for EndCapture {
    fn drop(&mut self) {
        RECORDER.set(None);
    }
}

impl Graph {
    /// Records the work that a closure starts on this thread, without running it.
    ///
    /// Launches, copies of host buffers, fills, uploads of slices, and events on any stream of the device are
    /// recorded. What names no stream belongs to `stream`. The values of an upload are those of the capture; an
    /// allocation happens in the capture, and its first content is written by every launch of the graph. The graph
    /// keeps all memory that it uses.
    ///
    /// # Errors
    /// Those of the closure. Reading a tensor, waiting, and work on another device are refused with
    /// [`Capturing`](Error::Capturing).
    pub fn capture<'a>(
        stream: impl Into<StreamRef<'a>>,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<Graph> {
        let queue = stream.into().queue?;
        refuse_in_capture("another capture")?;
        let device = queue.device();
        RECORDER.set(Some(Recorder {
            device,
            streams: vec![queue],
            events: Vec::new(),
            steps: Vec::new(),
        }));
        let end = EndCapture;
        work()?;
        let recorder = RECORDER.take();
        drop(end);
        let steps = recorder.map_or_else(Vec::new, |recorder| recorder.steps);
        Ok(Graph {
            device,
            steps: steps.into(),
        })
    }

    /// Returns the device of the graph.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Returns the number of launches, copies, fills and events.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns `true` if nothing was captured.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Prepares the graph for launches.
    ///
    /// # Errors
    /// Any [`Error`] of loading the kernels, or from the driver.
    pub fn instantiate(&self) -> Result<GraphExec> {
        refuse_in_capture("instantiating a graph")?;
        let raw = match self.device.0 {
            device::Kind::Cpu => None,
            #[cfg(feature = "sim")]
            device::Kind::Sim => None,
            device::Kind::Cuda(_) => Some(Mutex::new(self.compiled()?.instantiate()?)),
        };
        Ok(GraphExec {
            graph: self.clone(),
            raw,
        })
    }

    /// Makes a graph of the driver.
    fn compiled(&self) -> Result<driver::CapturedGraph> {
        let device::Kind::Cuda(context) = self.device.0 else {
            unreachable!("only the graphs of a GPU are compiled")
        };
        // Kernels are loaded before the capture.
        let calls = self.steps.iter().map(|step| step.work.call(self.device));
        let calls: Vec<Option<Call>> = calls.collect::<Result<_>>()?;
        Capture::run(context, |capture| {
            for (Step { work, stream }, call) in self.steps.iter().zip(&calls) {
                match work {
                    Work::Record(event) => match event.raw() {
                        Some(raw) => capture.record(*stream, raw)?,
                        None => unreachable!("the event is one of this device"),
                    },
                    Work::Wait(event) => match event.raw() {
                        Some(raw) => capture.wait(*stream, raw)?,
                        None => unreachable!("the event is one of this device"),
                    },
                    Work::Join(other) => capture.join(*stream, *other)?,
                    Work::Launch(_)
                    | Work::Fill { .. }
                    | Work::Upload { .. }
                    | Work::Download { .. }
                    | Work::Copy { .. } => {
                        let uses: Vec<_> = merged(work.uses().into_iter())
                            .into_iter()
                            .map(|(place, access)| (place.address(), access))
                            .collect();
                        capture
                            .submit(*stream, &uses, |stream| work.submit(call.as_ref(), stream))?;
                    }
                }
            }
            Ok(())
        })
    }

    /// Returns the memory that the graph uses, each once.
    fn uses(&self) -> Vec<(Place<'_>, Access)> {
        merged(self.steps.iter().flat_map(|step| step.work.uses()))
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("device", &self.device)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// A graph that can be launched. It keeps the memory that its work uses.
pub struct GraphExec {
    graph: Graph,
    /// The driver's graph, for a GPU.
    raw: Option<Mutex<RawGraph>>,
}

impl GraphExec {
    /// Starts all work of the graph as work of a stream, with one call of the driver.
    ///
    /// It follows the earlier uses of its memory, and later uses follow it, as for a launch. On the CPU, it has
    /// finished when this method returns.
    ///
    /// # Errors
    /// [`OtherDevice`](Error::OtherDevice) if the stream is one of another device,
    /// [`HostBufferInUse`](Error::HostBufferInUse), an error of a kernel on the CPU device, or an error of the
    /// driver.
    pub fn launch<'a>(&self, stream: impl Into<StreamRef<'a>>) -> Result<()> {
        let queue = stream.into().queue?;
        refuse_in_capture("launching a graph")?;
        if queue.device() != self.graph.device {
            return Err(Error::OtherDevice {
                what: "the graph",
                expected: self.graph.device,
                found: queue.device(),
            });
        }
        #[cfg(feature = "nvtx")]
        let _range = crate::nvtx::range("graph");
        let uses = self.graph.uses();
        let _kept_away = keep_guards_away(&uses)?;
        match (&queue, &self.raw) {
            (Queue::Cuda(stream), Some(raw)) => {
                let raw = raw.lock().unwrap_or_else(PoisonError::into_inner);
                driver::submit(tracked(&uses), stream, Mark::IfNeeded, || {
                    raw.submit(stream)
                })?;
                for step in &*self.graph.steps {
                    if let Work::Record(event) = &step.work {
                        event.reached();
                    }
                }
                Ok(())
            }
            _ => self
                .graph
                .steps
                .iter()
                .try_for_each(|step| step.work.run_here()),
        }
    }

    /// Replaces the work by that of another graph of the device: the same work with other arguments, or any other.
    /// Launches before this call are not changed.
    ///
    /// The driver changes arguments in place. If the work is of another kind, it instantiates the graph anew.
    ///
    /// # Errors
    /// [`OtherDevice`](Error::OtherDevice), or an error of [`Graph::instantiate`].
    pub fn update(&mut self, graph: &Graph) -> Result<()> {
        refuse_in_capture("updating a graph")?;
        if graph.device != self.graph.device {
            return Err(Error::OtherDevice {
                what: "the graph",
                expected: self.graph.device,
                found: graph.device,
            });
        }
        if let Some(raw) = &mut self.raw {
            let raw = raw.get_mut().unwrap_or_else(PoisonError::into_inner);
            raw.update(&graph.compiled()?)?;
        }
        self.graph = graph.clone();
        Ok(())
    }
}

impl fmt::Debug for GraphExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GraphExec").field(&self.graph).finish()
    }
}
