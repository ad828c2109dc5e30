//! The CUDA driver, loaded at run time. `sys` declares its functions.
//!
//! This module wraps raw handles in contexts, memory, streams and loaded kernels that free
//! themselves. It translates results to [`Error`]s that contain the driver's names.
//!
//! - The library is loaded before the first call into it. Without the library, every entry point
//!   returns [`Error::NoDriver`].
//! - Contexts are the devices' primary contexts, and are never released.
//! - A context is pushed before functions of the driver are called, and popped afterwards, which
//!   restores the thread's own context. Launches on a thread without a context make that of the device
//!   current, and leave it so: later launches are then one call.

mod event;
mod graph;
mod host;
mod lost;
mod memory;
mod module;
mod nvml;
mod occupancy;
mod peer;
mod stream;
mod sys;
mod tensor_map;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString, c_char, c_int};
use std::hash::{Hash, Hasher};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{
    Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};

pub(crate) use event::{RawEvent, Timing};
pub(crate) use graph::{Capture, CapturedGraph, RawGraph};
pub(crate) use host::{allocate_pinned, free_pinned};
pub(crate) use memory::{Access, DeviceMemory};
pub(crate) use module::{Call, Code, ModuleCache, call, is_startable};
pub(crate) use nvml::NvmlDevice;
pub(crate) use stream::{Mark, RawStream, Tracked, Uses, priorities, submit};
pub(crate) use sys::simulated;
pub(crate) use tensor_map::tensor_maps;

use crate::{Device, Error, Result, device};

/// CUDA 12.0, the minimum version. Stream-ordered memory needs 11.2; the cubins of `ptxas` 12 load
/// on every 12.x driver.
const MIN_VERSION: c_int = 12_000;

/// The primary context of one GPU.
pub(crate) struct Context {
    ordinal: usize,
    handle: sys::CUdevice,
    name: String,
    /// The major and minor compute capability.
    capability: (c_int, c_int),
    multiprocessors: u32,
    driver_version: String,
    raw: sys::CUcontext,
    /// `true` if memory can be allocated in stream order.
    pools: bool,
    default_stream: OnceLock<Arc<RawStream>>,
    /// The number of streams on which work of this context may run.
    streams: AtomicUsize,
    /// Held exclusively while a graph is captured, when nothing may wait for the whole device.
    captures: RwLock<()>,
    /// The ordinals of the devices to whose memory this one has access.
    peers: Mutex<BTreeSet<usize>>,
    spare_events: event::Spare,
    history: lost::History,
}

// SAFETY: a CUcontext may be used from any thread; the driver locks it.
unsafe impl Send for Context {}
// SAFETY: as above; the other fields are `Sync` themselves.
unsafe impl Sync for Context {}

impl PartialEq for Context {
    fn eq(&self, other: &Context) -> bool {
        ptr::eq(self, other)
    }
}

impl Eq for Context {}

impl Hash for Context {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ordinal.hash(state);
    }
}

/// Returns the context of the GPU with this ordinal. The first call creates the context.
pub(crate) fn context(ordinal: usize) -> Result<&'static Context> {
    static CONTEXTS: Mutex<BTreeMap<usize, &'static Context>> = Mutex::new(BTreeMap::new());

    let mut contexts = CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(&context) = contexts.get(&ordinal) {
        return Ok(context);
    }
    let context: &'static Context = Box::leak(Box::new(Context::open(ordinal)?));
    contexts.insert(ordinal, context);
    lost::register(context);
    Ok(context)
}

/// Initializes the driver. Fails if it is missing or too old. What failed is tried again by the next call: the driver's
/// services may start later than the program.
fn initialize() -> Result<()> {
    static INITIALIZED: OnceLock<()> = OnceLock::new();

    if INITIALIZED.get().is_some() {
        return Ok(());
    }
    // SAFETY: loading the driver's library runs its initializers, which have no requirement on the program.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::NoDriver);
    }
    let mut driver_version = 0;
    // SAFETY: the library is present; `cuDriverGetVersion` may be called before `cuInit`, and writes one int.
    check("cuDriverGetVersion", unsafe {
        sys::cuDriverGetVersion(&raw mut driver_version)
    })?;
    if driver_version < MIN_VERSION {
        return Err(Error::DriverTooOld {
            found: driver_version,
            needed: MIN_VERSION,
        });
    }
    // SAFETY: the library is present.
    match unsafe { sys::cuInit(0) } {
        sys::CUresult::CUDA_ERROR_NO_DEVICE => {}
        result => check("cuInit", result)?,
    }
    INITIALIZED.get_or_init(|| ());
    Ok(())
}

/// Returns the number of GPUs that the driver shows. The driver must be initialized.
fn count() -> Result<usize> {
    let mut count = 0;
    // SAFETY: writes one int.
    match unsafe { sys::cuDeviceGetCount(&raw mut count) } {
        // Without a GPU, `cuInit` fails with one of these errors, and later calls do not work
        // either.
        sys::CUresult::CUDA_ERROR_NO_DEVICE | sys::CUresult::CUDA_ERROR_NOT_INITIALIZED => Ok(0),
        result => {
            check("cuDeviceGetCount", result)?;
            Ok(usize::try_from(count).unwrap_or(0))
        }
    }
}

impl Context {
    fn open(ordinal: usize) -> Result<Context> {
        initialize()?;
        let count = count()?;
        let index = match c_int::try_from(ordinal) {
            Ok(index) if ordinal < count => index,
            _ => return Err(Error::NoSuchDevice { ordinal, count }),
        };
        let mut handle = 0;
        // SAFETY: writes one device handle; the index is below the count.
        check("cuDeviceGet", unsafe {
            sys::cuDeviceGet(&raw mut handle, index)
        })?;
        let attribute = |attribute| {
            let mut value = 0;
            // SAFETY: writes one int; `handle` is a device.
            check("cuDeviceGetAttribute", unsafe {
                sys::cuDeviceGetAttribute(&raw mut value, attribute, handle)
            })?;
            Ok::<c_int, Error>(value)
        };
        let capability = (
            attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        let pools =
            attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)? != 0;
        let multiprocessors =
            attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let name = device_name(handle)?;
        let driver_version = driver_version()?;
        let mut raw = ptr::null_mut();
        // SAFETY: writes one context handle. It is released only if this function fails, so it stays valid for the
        // `'static` of the leaked `Context`.
        check("cuDevicePrimaryCtxRetain", unsafe {
            sys::cuDevicePrimaryCtxRetain(&raw mut raw, handle)
        })?;
        let context = Context {
            ordinal,
            handle,
            name,
            capability,
            multiprocessors: u32::try_from(multiprocessors).unwrap_or(1),
            driver_version,
            raw,
            pools,
            default_stream: OnceLock::new(),
            streams: AtomicUsize::new(0),
            captures: RwLock::new(()),
            peers: Mutex::default(),
            spare_events: event::Spare::default(),
            history: lost::History::default(),
        };
        if pools && let Err(error) = context.keep_freed_memory() {
            // SAFETY: the context was retained above, and nothing else has its handle. A failure leaves it retained,
            // as if the device had been opened.
            let _ = unsafe { sys::cuDevicePrimaryCtxRelease_v2(handle) };
            return Err(error);
        }
        Ok(context)
    }

    /// Lets the device's pool keep freed memory. Otherwise every synchronization would return the
    /// memory to the system, and the next allocation would take as long as the first.
    fn keep_freed_memory(&self) -> Result<()> {
        let _current = self.enter()?;
        let pool = self.pool()?;
        let mut threshold = u64::MAX;
        // SAFETY: the attribute is one u64, which the driver reads.
        check("cuMemPoolSetAttribute", unsafe {
            sys::cuMemPoolSetAttribute(
                pool,
                sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                (&raw mut threshold).cast(),
            )
        })
    }

    /// Returns the pool's unused memory to the system, after all work has finished.
    pub(crate) fn release_freed_memory(&self) -> Result<()> {
        self.synchronize()?;
        if !self.pools {
            return Ok(());
        }
        let _current = self.enter()?;
        let pool = self.pool()?;
        // SAFETY: `pool` is the device's pool; memory in use stays.
        check("cuMemPoolTrimTo", unsafe { sys::cuMemPoolTrimTo(pool, 0) })
    }

    /// Returns the bytes of the pool that are in use, and those that it holds; `None` without a pool.
    pub(crate) fn memory_usage(&self) -> Result<Option<(u64, u64)>> {
        if !self.pools {
            return Ok(None);
        }
        let _current = self.enter()?;
        let pool = self.pool()?;
        let attribute = |attribute| {
            let mut value = 0u64;
            // SAFETY: both attributes are one u64, which the driver writes.
            check("cuMemPoolGetAttribute", unsafe {
                sys::cuMemPoolGetAttribute(pool, attribute, (&raw mut value).cast())
            })?;
            Ok::<u64, Error>(value)
        };
        let used = attribute(sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?;
        let held = attribute(sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
        Ok(Some((used, held)))
    }

    /// Returns the device's pool.
    fn pool(&self) -> Result<sys::CUmemoryPool> {
        let mut pool = ptr::null_mut();
        // SAFETY: writes one pool handle; `handle` is a device with pools.
        check("cuDeviceGetDefaultMemPool", unsafe {
            sys::cuDeviceGetDefaultMemPool(&raw mut pool, self.handle)
        })?;
        Ok(pool)
    }

    pub(crate) fn ordinal(&self) -> usize {
        self.ordinal
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the size of the L2 cache in bytes.
    pub(crate) fn l2_bytes(&self) -> Result<usize> {
        let mut bytes = 0;
        // SAFETY: writes one int; `handle` is a device.
        check("cuDeviceGetAttribute", unsafe {
            let attribute = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE;
            sys::cuDeviceGetAttribute(&raw mut bytes, attribute, self.handle)
        })?;
        Ok(usize::try_from(bytes).unwrap_or(0))
    }

    /// Returns the place of the device on the PCI bus, by which NVML knows it, such as `0000:01:00.0`.
    fn bus(&self) -> Result<CString> {
        let mut text: [c_char; 32] = [0; 32];
        // SAFETY: the driver writes at most 32 bytes, with a NUL at the end.
        check("cuDeviceGetPCIBusId", unsafe {
            sys::cuDeviceGetPCIBusId(text.as_mut_ptr(), 32, self.handle)
        })?;
        // SAFETY: the driver ended the text with a NUL; the buffer was zeroed.
        Ok(unsafe { CStr::from_ptr(text.as_ptr()) }.to_owned())
    }

    /// Returns `true` if the times of events are simulated, as `tile-sim-driver` does it if it is not told otherwise.
    pub(crate) fn has_simulated_clock(&self) -> bool {
        self.is_simulated()
            && std::env::var_os("TILE_SIM_CLOCK").is_none_or(|clock| clock != "host")
    }

    /// Returns `true` for a device of `tile-sim-driver`.
    #[expect(
        clippy::unused_self,
        reason = "a context is the proof that a driver is loaded"
    )]
    pub(crate) fn is_simulated(&self) -> bool {
        sys::is_simulated()
    }

    /// Returns the architecture, such as `sm_90`.
    /// Returns ten times the major plus the minor compute capability.
    pub(crate) fn capability(&self) -> u32 {
        let (major, minor) = self.capability;
        u32::try_from(10 * major + minor).unwrap_or(0)
    }

    pub(crate) fn multiprocessors(&self) -> u32 {
        self.multiprocessors
    }

    /// Returns the version of CUDA that the driver supports: `12.8`.
    pub(crate) fn driver_version(&self) -> &str {
        &self.driver_version
    }

    pub(crate) fn arch(&self) -> String {
        let (major, minor) = self.capability;
        format!("sm_{major}{minor}")
    }

    fn device(&'static self) -> Device {
        Device(device::Kind::Cuda(self))
    }

    /// Makes the context current until the guard is dropped.
    fn enter(&self) -> Result<Current> {
        // SAFETY: `raw` is a context that is never released.
        let result = unsafe { sys::cuCtxPushCurrent_v2(self.raw) };
        if result != sys::CUresult::CUDA_SUCCESS {
            return Err(failure("cuCtxPushCurrent", result, self.raw));
        }
        Ok(Current(()))
    }

    /// Returns `true` if the context is current on this thread, as far as this crate knows: another library may have
    /// changed that. Makes it current if the thread has no context.
    fn is_probably_current(&self) -> bool {
        if CURRENT.get() == self.raw {
            return true;
        }
        let mut current = ptr::null_mut();
        // SAFETY: writes one context handle.
        let found = unsafe { sys::cuCtxGetCurrent(&raw mut current) };
        if found != sys::CUresult::CUDA_SUCCESS {
            return false;
        }
        // SAFETY: `raw` is a context that is never released.
        let is_current = current == self.raw
            || current.is_null()
                && unsafe { sys::cuCtxSetCurrent(self.raw) } == sys::CUresult::CUDA_SUCCESS;
        if is_current {
            CURRENT.set(self.raw);
        }
        is_current
    }

    pub(crate) fn synchronize(&self) -> Result<()> {
        let _no_capture = self.no_capture();
        let _current = self.enter()?;
        // SAFETY: a context is current.
        check("cuCtxSynchronize", unsafe { sys::cuCtxSynchronize() })
    }

    /// Returns the stream for launches and copies that do not name one.
    pub(crate) fn default_stream(&'static self) -> Result<&'static Arc<RawStream>> {
        if let Some(stream) = self.default_stream.get() {
            return Ok(stream);
        }
        let stream = Arc::new(RawStream::new(self)?);
        Ok(self.default_stream.get_or_init(|| stream))
    }

    /// Returns `true` if work may run on more than one stream.
    fn has_several_streams(&self) -> bool {
        self.streams.load(Ordering::Relaxed) > 1
    }

    fn count_stream(&self) {
        self.streams.fetch_add(1, Ordering::Relaxed);
    }

    fn discount_stream(&self) {
        self.streams.fetch_sub(1, Ordering::Relaxed);
    }

    fn lock_peers(&self) -> MutexGuard<'_, BTreeSet<usize>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no graph is captured, and prevents captures while the guard lives.
    fn no_capture(&self) -> RwLockReadGuard<'_, ()> {
        self.captures.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn capturing(&self) -> RwLockWriteGuard<'_, ()> {
        self.captures
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the version of CUDA that the driver supports: `12.8`.
fn driver_version() -> Result<String> {
    let mut version = 0;
    // SAFETY: writes one int.
    check("cuDriverGetVersion", unsafe {
        sys::cuDriverGetVersion(&raw mut version)
    })?;
    Ok(format!("{}.{}", version / 1000, version % 1000 / 10))
}

fn device_name(handle: sys::CUdevice) -> Result<String> {
    let mut name: [c_char; 256] = [0; 256];
    // SAFETY: the driver writes at most 256 bytes, with a NUL at the end.
    check("cuDeviceGetName", unsafe {
        sys::cuDeviceGetName(name.as_mut_ptr(), 256, handle)
    })?;
    // SAFETY: the driver ended the name with a NUL; the buffer was zeroed.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) };
    Ok(name.to_string_lossy().into_owned())
}

thread_local! {
    /// The context that was current on this thread when it was last asked for, or null.
    static CURRENT: Cell<sys::CUcontext> = const { Cell::new(ptr::null_mut()) };
}

/// Returns `true` for an error of a call that had no effect because another context is current.
fn is_of_context(error: &Error) -> bool {
    let Error::Driver { name, .. } = error else {
        return false;
    };
    matches!(
        name.as_str(),
        "CUDA_ERROR_INVALID_CONTEXT" | "CUDA_ERROR_INVALID_HANDLE"
    )
}

/// A guard that keeps a context current on this thread until the guard is dropped.
struct Current(());

impl Drop for Current {
    fn drop(&mut self) {
        let mut popped = ptr::null_mut();
        // SAFETY: pops the context that `enter` pushed.
        let mut pop = || unsafe { sys::cuCtxPopCurrent_v2(&raw mut popped) };
        if pop() != sys::CUresult::CUDA_SUCCESS {
            // Callers up the stack count on their context. If this fails too, the driver is being torn down, and
            // nothing needs to be restored.
            let _ = pop();
        }
    }
}

/// Converts a failure to an error with the driver's name and description of the failure.
fn check(call: &'static str, result: sys::CUresult) -> Result<()> {
    if result == sys::CUresult::CUDA_SUCCESS {
        return Ok(());
    }
    let mut current = ptr::null_mut();
    // SAFETY: writes one context handle; it stays null if the call fails.
    let _ = unsafe { sys::cuCtxGetCurrent(&raw mut current) };
    Err(failure(call, result, current))
}

/// Returns the error for a call that failed in a context.
fn failure(call: &'static str, result: sys::CUresult, context: sys::CUcontext) -> Error {
    let name = text(sys::cuGetErrorName, result).unwrap_or_else(|| format!("{result:?}"));
    let description = text(sys::cuGetErrorString, result)
        .unwrap_or_else(|| "the driver has no description".to_owned());
    let lost = lost::error(call, result, context, &name, &description);
    lost.unwrap_or(Error::Driver {
        call,
        name,
        description,
    })
}

/// Returns what `describe`, a function of the driver, says about a result.
fn text(
    describe: unsafe fn(sys::CUresult, *mut *const c_char) -> sys::CUresult,
    result: sys::CUresult,
) -> Option<String> {
    let mut text = ptr::null();
    // SAFETY: writes the address of a constant, or null for an unknown result.
    let found = unsafe { describe(result, &raw mut text) };
    if found != sys::CUresult::CUDA_SUCCESS || text.is_null() {
        return None;
    }
    // SAFETY: the driver's texts end with a NUL and are never freed.
    Some(
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned(),
    )
}
