//! Everything that the driver knows: handles, contexts, streams, memory. One lock guards it.
//!
//! A handle is a number that is never used twice and says what kind of object it stands for, so that one of a destroyed
//! object, or of another kind, is found without a list of them.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::abi::{
    CUcontext, CUevent, CUfunction, CUgraph, CUgraphExec, CUgraphNode, CUkernel, CUlibrary,
    CUmemoryPool, CUmodule, CUstream,
};
use crate::because;
use crate::capture::Capture;
use crate::clock::Picoseconds;
use crate::contents::Contents;
use crate::device::{self, Model};
use crate::graph::{Exec, Graph};
use crate::library::{Library, LibraryKernel};
use crate::memory::Memory;
use crate::module::{Function, Module};
use crate::pool::Pool;
use crate::queue::{Op, Orphan, Stream};
use crate::race::{Agent, Clock, HOST, HOST_FREES, Races};
use crate::result::CUresult;
use crate::watch::{self, Watches};

pub(crate) type Reply<T = ()> = Result<T, CUresult>;

/// A number that stands for an object.
pub(crate) trait Handle: Copy + Ord {
    /// The result of a call with a handle that stands for nothing.
    const INVALID: CUresult;
    /// What it stands for.
    const KIND: &str;

    /// The number of that kind, below [`KINDS`].
    const CODE: usize;

    fn new(number: usize) -> Self;

    fn number(self) -> usize;
}

macro_rules! handles {
    ($($code:literal $name:ident: $invalid:ident, $kind:literal;)+) => {$(
        impl Handle for $name {
            const INVALID: CUresult = CUresult::$invalid;
            const KIND: &str = $kind;
            const CODE: usize = $code;

            fn new(number: usize) -> Self {
                Self(number)
            }

            fn number(self) -> usize {
                self.0
            }
        }
    )+};
}

handles! {
    0 CUcontext: CUDA_ERROR_INVALID_CONTEXT, "context";
    1 CUmodule: CUDA_ERROR_INVALID_HANDLE, "module";
    2 CUfunction: CUDA_ERROR_INVALID_HANDLE, "function";
    3 CUstream: CUDA_ERROR_INVALID_HANDLE, "stream";
    4 CUevent: CUDA_ERROR_INVALID_HANDLE, "event";
    5 CUmemoryPool: CUDA_ERROR_INVALID_VALUE, "memory pool";
    6 CUgraph: CUDA_ERROR_INVALID_VALUE, "graph";
    7 CUgraphNode: CUDA_ERROR_INVALID_VALUE, "node of a graph";
    8 CUlibrary: CUDA_ERROR_INVALID_HANDLE, "library";
    9 CUkernel: CUDA_ERROR_INVALID_HANDLE, "kernel";
    10 CUgraphExec: CUDA_ERROR_INVALID_VALUE, "executable graph";
}

/// The number of kinds that handles have room for.
const KINDS: usize = 16;

/// The distance of handles, which look like addresses.
const STEP: usize = 16;

/// The first handle, above the numbers of default streams.
const FIRST_HANDLE: usize = 0x1000;

/// The number of handles of each kind that there were.
static HANDLES: [AtomicU64; KINDS] = [const { AtomicU64::new(0) }; KINDS];

/// Returns the kind of a number that was a handle once.
fn kind_of(number: usize) -> Option<usize> {
    let offset = number.checked_sub(FIRST_HANDLE)?;
    let (index, code) = (offset / STEP / KINDS, offset / STEP % KINDS);
    let is_given =
        offset.is_multiple_of(STEP) && (index as u64) < HANDLES[code].load(Ordering::Relaxed);
    is_given.then_some(code)
}

/// Returns a handle that no object has had.
pub(crate) fn next_handle<H: Handle>() -> H {
    let index = HANDLES[H::CODE].fetch_add(1, Ordering::Relaxed);
    let index = usize::try_from(index).expect("fewer objects than addresses");
    H::new(FIRST_HANDLE + (index * KINDS + H::CODE) * STEP)
}

/// The objects of one kind.
#[derive(Debug)]
pub(crate) struct Table<H, T> {
    objects: BTreeMap<H, T>,
}

impl<H, T> Default for Table<H, T> {
    fn default() -> Self {
        Self {
            objects: BTreeMap::new(),
        }
    }
}

/// Returns the result of a call with a handle that stands for nothing, and says why.
fn invalid<H: Handle>(handle: H) -> CUresult {
    let (number, kind) = (handle.number(), H::KIND);
    let reason = match (number, kind_of(number)) {
        (0, _) => format!("the {kind} is null"),
        (_, Some(code)) if code == H::CODE => format!("the {kind} {number:#x} was destroyed"),
        (_, Some(_)) => format!("{number:#x} is no {kind}, but a handle of something else"),
        (_, None) => format!("{number:#x} is no {kind}"),
    };
    because(H::INVALID, reason)
}

impl<H: Handle, T> Table<H, T> {
    pub(crate) fn add(&mut self, object: T) -> H {
        let handle = next_handle();
        self.objects.insert(handle, object);
        handle
    }

    pub(crate) fn get(&self, handle: H) -> Reply<&T> {
        self.objects.get(&handle).ok_or_else(|| invalid(handle))
    }

    pub(crate) fn get_mut(&mut self, handle: H) -> Reply<&mut T> {
        let object = self.objects.get_mut(&handle);
        object.ok_or_else(|| invalid(handle))
    }

    pub(crate) fn remove(&mut self, handle: H) -> Reply<T> {
        let removed = self.objects.remove(&handle);
        removed.ok_or_else(|| invalid(handle))
    }

    /// Puts an object back under its handle.
    pub(crate) fn put(&mut self, handle: H, object: T) {
        self.objects.insert(handle, object);
    }

    pub(crate) fn for_each(&mut self, f: impl FnMut(&mut T)) {
        self.objects.values_mut().for_each(f);
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&H, &mut T) -> bool) {
        self.objects.retain(|handle, object| keep(handle, object));
    }

    pub(crate) fn has(&self, handle: H) -> bool {
        self.objects.contains_key(&handle)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (H, &T)> {
        self.objects
            .iter()
            .map(|(&handle, object)| (handle, object))
    }

    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }
}

/// A context.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) device: usize,
    pub(crate) is_primary: bool,
    /// Is `false` for a primary context that nothing retains.
    pub(crate) is_active: bool,
    pub(crate) flags: u32,
    pub(crate) version: u32,
    /// The error of an operation, which every later call returns.
    pub(crate) error: Option<CUresult>,
    /// The contexts whose memory this one may access.
    pub(crate) peers: BTreeSet<CUcontext>,
    pub(crate) limits: BTreeMap<u32, usize>,
    pub(crate) cache: u32,
    pub(crate) legacy: CUstream,
    /// The default streams of threads, by their numbers.
    pub(crate) of_threads: BTreeMap<u64, CUstream>,
}

/// An event.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) context: CUcontext,
    pub(crate) flags: u32,
    /// The last operation that recorded it.
    pub(crate) recorded: Option<Arc<Op>>,
    /// The capture that recorded it last, and the nodes before that point.
    pub(crate) captured: Option<(u64, BTreeSet<CUgraphNode>)>,
}

/// A device.
#[derive(Debug)]
pub(crate) struct Device {
    pub(crate) model: &'static Model,
    pub(crate) primary: Option<CUcontext>,
    /// The number of times that the primary context is retained.
    pub(crate) retained: u32,
    pub(crate) flags: u32,
    pub(crate) default_pool: Option<CUmemoryPool>,
    pub(crate) pool: Option<CUmemoryPool>,
    /// Why its clocks are reduced, as `nvmlDeviceGetCurrentClocksThrottleReasons` says it.
    pub(crate) throttled: u64,
}

/// The whole state.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) is_initialized: bool,
    pub(crate) devices: Vec<Device>,
    pub(crate) contexts: Table<CUcontext, Context>,
    pub(crate) streams: Table<CUstream, Stream>,
    /// The last operations of streams that were destroyed, until the host knows of their end.
    pub(crate) orphans: Vec<Orphan>,
    pub(crate) events: Table<CUevent, Event>,
    pub(crate) modules: Table<CUmodule, Module>,
    pub(crate) functions: Table<CUfunction, Function>,
    pub(crate) libraries: Table<CUlibrary, Library>,
    pub(crate) kernels: Table<CUkernel, LibraryKernel>,
    pub(crate) pools: Table<CUmemoryPool, Pool>,
    pub(crate) graphs: Table<CUgraph, Graph>,
    pub(crate) execs: Table<CUgraphExec, Exec>,
    pub(crate) captures: BTreeMap<u64, Capture>,
    pub(crate) memory: Memory,
    pub(crate) races: Races,
    pub(crate) watches: Watches,
    pub(crate) contents: Contents,
    /// The addresses of memory that launches of graphs allocated and nothing freed.
    pub(crate) graph_memory: BTreeSet<u64>,
    /// The number of accesses of the host that were seen, and of its frees.
    pub(crate) host_accesses: u64,
    pub(crate) host_frees: u64,
    /// The clock of everything that happened before what the host submits from now on.
    pub(crate) host: Clock,
    /// The number of agents in `host` above which those that are gone are looked for.
    pub(crate) most_agents: usize,
    /// The number of records of events since [`Self::settle_events`] looked at all events.
    pub(crate) records: usize,
    /// The number of operations that have not ended.
    pub(crate) pending: usize,
    pub(crate) next_agent: u64,
    pub(crate) next_capture: u64,
    /// The last fault or race, or why the last call was refused, in words.
    pub(crate) last_fault: String,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// The state, locked.
#[derive(Debug)]
pub(crate) struct Locked(MutexGuard<'static, Option<State>>);

impl std::ops::Deref for Locked {
    type Target = State;

    fn deref(&self) -> &State {
        self.0.as_ref().expect("`lock` made it")
    }
}

impl std::ops::DerefMut for Locked {
    fn deref_mut(&mut self) -> &mut State {
        self.0.as_mut().expect("`lock` made it")
    }
}

impl Locked {
    /// Unlocks the state until a signal.
    pub(crate) fn wait(self, signal: &Condvar) -> Self {
        Self(signal.wait(self.0).unwrap_or_else(PoisonError::into_inner))
    }

    /// Waits until an operation has ended. Everything that the host submits afterwards is behind it.
    pub(crate) fn wait_for(mut self, op: &Op) -> Self {
        while !op.is_done() {
            self = self.wait(op.end());
        }
        self.know(op);
        self
    }
}

pub(crate) fn lock() -> Locked {
    let mut guard = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    guard.get_or_insert_default();
    let mut state = Locked(guard);
    if watch::has_noted() {
        state.take_noted();
    }
    state
}

/// Returns the state of an initialized driver.
pub(crate) fn initialized() -> Reply<Locked> {
    let state = lock();
    if state.is_initialized {
        return Ok(state);
    }
    Err(CUresult::CUDA_ERROR_NOT_INITIALIZED)
}

thread_local! {
    static CURRENT: RefCell<Vec<CUcontext>> = const { RefCell::new(Vec::new()) };
    /// Is `true` in a function whose default stream is that of the thread.
    static PER_THREAD: Cell<bool> = const { Cell::new(false) };
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
    static THREAD: u64 = {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        NEXT.fetch_add(1, Ordering::Relaxed)
    };
    /// The latest time on the clock of the devices that this thread knows of. What other threads wait for would make
    /// times depend on the host.
    static KNOWN: Cell<Picoseconds> = const { Cell::new(0) };
    /// The restriction of this thread's calls by its captures: `CUstreamCaptureMode`.
    static CAPTURE_MODE: Cell<u32> = const { Cell::new(0) };
}

/// Gives access to the contexts of this thread, the current one last.
pub(crate) fn with_contexts<T>(f: impl FnOnce(&mut Vec<CUcontext>) -> T) -> T {
    CURRENT.with_borrow_mut(f)
}

/// Returns the number of this thread.
pub(crate) fn thread() -> u64 {
    THREAD.with(|number| *number)
}

/// Returns the latest time on the clock of the devices that this thread knows of.
pub(crate) fn known_time() -> Picoseconds {
    KNOWN.get()
}

/// Exchanges the capture mode of this thread.
pub(crate) fn exchange_capture_mode(mode: u32) -> u32 {
    CAPTURE_MODE.replace(mode)
}

pub(crate) fn capture_mode() -> u32 {
    CAPTURE_MODE.get()
}

/// Runs a call whose default stream is that of the thread.
pub(crate) fn per_thread(call: impl FnOnce() -> CUresult) -> CUresult {
    let outer = PER_THREAD.replace(true);
    let result = call();
    PER_THREAD.set(outer);
    result
}

/// Returns `true` in a call whose default stream is that of the thread.
pub(crate) fn is_per_thread() -> bool {
    PER_THREAD.get()
}

/// Runs a function of the program on the thread of a stream.
pub(crate) fn in_callback(f: impl FnOnce()) {
    IN_CALLBACK.set(true);
    f();
    IN_CALLBACK.set(false);
}

/// Returns an error on a thread that runs a function for a stream, which may not call the driver.
pub(crate) fn not_in_callback() -> Reply {
    if IN_CALLBACK.get() {
        return Err(because(
            CUresult::CUDA_ERROR_NOT_PERMITTED,
            "a function that a stream calls on the host may not call the driver".to_owned(),
        ));
    }
    Ok(())
}

/// Returns the handle of the current context; null if there is none.
pub(crate) fn current_handle() -> CUcontext {
    with_contexts(|contexts| contexts.last().copied().unwrap_or(CUcontext::NULL))
}

impl State {
    /// Makes the devices that `TILE_SIM_DEVICES` names.
    pub(crate) fn initialize(&mut self) -> Reply {
        if self.is_initialized {
            return Ok(());
        }
        let models = device::models().map_err(|message| {
            crate::report(&message);
            CUresult::CUDA_ERROR_INVALID_DEVICE
        })?;
        let devices = models.into_iter().map(|model| Device {
            model,
            primary: None,
            retained: 0,
            flags: 0,
            default_pool: None,
            pool: None,
            throttled: 0,
        });
        self.devices = devices.collect();
        self.is_initialized = true;
        if self.devices.is_empty() {
            return Err(CUresult::CUDA_ERROR_NO_DEVICE);
        }
        Ok(())
    }

    /// Returns a device by its number.
    pub(crate) fn device(&self, number: i32) -> Reply<usize> {
        let index = usize::try_from(number).ok();
        let index = index.filter(|&index| index < self.devices.len());
        index.ok_or(CUresult::CUDA_ERROR_INVALID_DEVICE)
    }

    /// Returns a context that works, or the error that broke it.
    pub(crate) fn working(&self, handle: CUcontext) -> Reply<&Context> {
        let context = self.contexts.get(handle)?;
        if !context.is_active {
            let reason = "the primary context was released by all who retained it".to_owned();
            return Err(because(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED, reason));
        }
        match context.error {
            Some(error) => Err(error),
            None => Ok(context),
        }
    }

    /// Returns the current context, if it works.
    pub(crate) fn current(&self) -> Reply<CUcontext> {
        let handle = current_handle();
        if handle == CUcontext::NULL {
            let reason = "no context is current on this thread".to_owned();
            return Err(because(CUresult::CUDA_ERROR_INVALID_CONTEXT, reason));
        }
        match self.working(handle) {
            Ok(_) => Ok(handle),
            Err(CUresult::CUDA_ERROR_INVALID_CONTEXT) => {
                let reason = format!("the current context {:#x} was destroyed", handle.0);
                Err(because(CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED, reason))
            }
            Err(error) => Err(error),
        }
    }

    /// Records that the host waited for an operation.
    pub(crate) fn know(&mut self, op: &Op) {
        if let Some(ended) = op.ended() {
            KNOWN.set(KNOWN.get().max(ended.at));
        }
        if !self.host.knows(&op.point) {
            let mut clock = op.point.clock.clone();
            clock.note(op.point.agent, op.point.tick);
            self.learn(&clock);
        }
        let Self { orphans, host, .. } = self;
        orphans.retain(|orphan| !host.knows(&orphan.op.point));
        self.end_doubts(op.context);
        if self.pending == 0 {
            let Self {
                races,
                memory,
                host,
                ..
            } = self;
            races.prune(host);
            memory.settle(host);
            self.settle_events();
            if self.host.len() > self.most_agents {
                self.forget_agents();
            }
        }
    }

    /// Says why a call was refused.
    pub(crate) fn refused(&mut self, message: String) {
        crate::report(&message);
        self.last_fault = message;
    }

    /// Forgets the streams and graphs that are gone, which the clocks of all later operations would name. No operation
    /// is pending.
    fn forget_agents(&mut self) {
        let streams = self.streams.iter().map(|(_, stream)| stream.agent());
        let graphs = self.execs.iter().flat_map(|(_, exec)| exec.agents());
        let orphans = self.orphans.iter().map(|orphan| orphan.op.point.agent);
        let agents: BTreeSet<Agent> = [HOST, HOST_FREES]
            .into_iter()
            .chain(streams)
            .chain(graphs)
            .chain(orphans)
            .chain(self.races.agents())
            .collect();
        self.host.keep(&agents);
        self.most_agents = 2 * agents.len() + 64;
    }

    /// Breaks a context: every later call returns `error`.
    pub(crate) fn fault(&mut self, context: CUcontext, error: CUresult, message: String) {
        crate::report(&message);
        if let Ok(context) = self.contexts.get_mut(context) {
            context.error.get_or_insert(error);
        }
        self.open_context(context);
        self.last_fault = message;
    }

    /// Breaks the current context, or all contexts if this thread has none.
    pub(crate) fn break_current(&mut self, call: &str, error: CUresult) {
        let current = current_handle();
        let all = self.contexts.iter().map(|(handle, _)| handle);
        let all: Vec<_> = all
            .filter(|&handle| current == CUcontext::NULL || handle == current)
            .collect();
        for context in all {
            self.fault(
                context,
                error,
                format!("`{call}` was made to break its context"),
            );
        }
    }

    /// Makes a context, with its default stream.
    pub(crate) fn add_context(&mut self, device: usize, is_primary: bool, flags: u32) -> CUcontext {
        let handle = self.contexts.add(Context {
            device,
            is_primary,
            is_active: true,
            flags,
            version: 3020,
            error: None,
            peers: BTreeSet::new(),
            limits: BTreeMap::new(),
            cache: 0,
            legacy: CUstream::NULL,
            of_threads: BTreeMap::new(),
        });
        let legacy = self.add_stream(handle, crate::queue::Kind::Legacy, 0, 0);
        if let Ok(context) = self.contexts.get_mut(handle) {
            context.legacy = legacy;
        }
        handle
    }

    /// Returns the primary context of a device, which it makes if there was none.
    pub(crate) fn primary(&mut self, device: usize) -> CUcontext {
        if let Some(handle) = self.devices[device].primary {
            return handle;
        }
        let flags = self.devices[device].flags;
        let handle = self.add_context(device, true, flags);
        if let Ok(context) = self.contexts.get_mut(handle) {
            context.is_active = false;
        }
        self.devices[device].primary = Some(handle);
        handle
    }

    /// Destroys what belongs to a context: its streams, events, modules, memory. Its work has ended.
    pub(crate) fn clear_context(&mut self, handle: CUcontext) {
        self.streams.retain(|_, stream| {
            let stays = stream.context != handle;
            if !stays {
                stream.queue.close();
            }
            stays
        });
        self.orphans.retain(|orphan| orphan.op.context != handle);
        self.events.retain(|_, event| event.context != handle);
        self.modules.retain(|_, module| module.context != handle);
        self.functions
            .retain(|_, function| function.context != handle);
        let allocations = self.memory.all();
        let own = allocations.filter(|allocation| allocation.context == handle);
        let own: Vec<_> = own.cloned().collect();
        for allocation in own {
            self.open_allocation(allocation.base());
            self.drop_contents(allocation.base());
            self.memory.free(&allocation, "the end of its context");
            self.races.forget(allocation.base());
        }
    }
}
