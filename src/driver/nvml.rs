//! The clocks of a GPU, by NVML: a library that comes with NVIDIA's driver, and is loaded at its first use.
//!
//! `tile-sim-driver` has these functions too. Where it is the driver, nothing else is asked.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use libloading::Library;

use super::{Context, sys};

/// A device of the library.
type Handle = *mut c_void;

/// `NVML_CLOCK_SM` and `NVML_CLOCK_MEM`.
const CLOCK_SM: c_int = 1;
const CLOCK_MEM: c_int = 2;
/// `NVML_TEMPERATURE_GPU`.
const TEMPERATURE_GPU: c_int = 0;

type Clock = unsafe extern "C" fn(Handle, c_int, *mut c_uint) -> c_uint;
type Reasons = unsafe extern "C" fn(Handle, *mut u64) -> c_uint;
type ByBus = unsafe extern "C" fn(*const c_char, *mut Handle) -> c_uint;

/// The functions of the library.
#[derive(Debug)]
struct Nvml {
    by_bus: ByBus,
    clock: Clock,
    reasons: Reasons,
    temperature: Clock,
}

/// A GPU of the library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NvmlDevice {
    nvml: &'static Nvml,
    handle: Handle,
}

/// The place of the functions.
enum Place {
    /// The library of the simulated driver.
    Driver,
    Own(&'static Library),
}

impl Place {
    /// Returns a function.
    ///
    /// # Safety
    /// `Function` must be the type of the function with this name, which ends with a NUL.
    unsafe fn function<Function: Copy>(&self, name: &str) -> Result<Function, String> {
        let found = match self {
            // SAFETY: the caller's promise.
            Place::Driver => unsafe { sys::function::<Function>(name) },
            // SAFETY: as above; the library is never unloaded.
            Place::Own(library) => unsafe { library.get::<Function>(name.as_bytes()) }
                .ok()
                .map(|symbol| *symbol),
        };
        let name = name.trim_end_matches('\0');
        found.ok_or_else(|| format!("NVML has no function `{name}`"))
    }
}

impl Nvml {
    /// Returns the library, which the first call loads. Says why it cannot be used.
    fn get() -> Result<&'static Nvml, String> {
        static NVML: OnceLock<Result<Nvml, String>> = OnceLock::new();
        NVML.get_or_init(Nvml::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Nvml, String> {
        static LIBRARY: OnceLock<Library> = OnceLock::new();

        let place = if sys::is_simulated() {
            Place::Driver
        } else {
            // SAFETY: the initializers of NVML have no requirement on the program.
            let library = unsafe { Library::new("libnvidia-ml.so.1") };
            let library = library.map_err(|_| "`libnvidia-ml.so.1` is not installed".to_owned())?;
            Place::Own(LIBRARY.get_or_init(|| library))
        };
        // SAFETY: `nvml.h` declares the functions with these types.
        let (init, nvml) = unsafe {
            let init: unsafe extern "C" fn() -> c_uint = place.function("nvmlInit_v2\0")?;
            let nvml = Nvml {
                by_bus: place.function("nvmlDeviceGetHandleByPciBusId_v2\0")?,
                clock: place.function("nvmlDeviceGetClockInfo\0")?,
                reasons: place.function("nvmlDeviceGetCurrentClocksThrottleReasons\0")?,
                temperature: place.function("nvmlDeviceGetTemperature\0")?,
            };
            (init, nvml)
        };
        // SAFETY: the function may be called at any time. Nothing shuts the library down.
        match unsafe { init() } {
            0 => Ok(nvml),
            error => Err(format!("`nvmlInit` returned {error}")),
        }
    }
}

impl NvmlDevice {
    /// Returns the GPU of a context. Says why NVML does not know it.
    pub(crate) fn of(context: &'static Context) -> Result<NvmlDevice, String> {
        let nvml = Nvml::get()?;
        let bus = context.bus().map_err(|error| error.to_string())?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the text ends with a NUL; writes one handle.
        match unsafe { (nvml.by_bus)(bus.as_ptr(), &raw mut handle) } {
            0 => Ok(NvmlDevice { nvml, handle }),
            error => Err(format!("NVML does not know the GPU (error {error})")),
        }
    }

    /// Returns a number that one of the functions writes.
    fn number(self, function: Clock, kind: c_int) -> Option<u32> {
        let mut number = 0;
        // SAFETY: the handle is one of the library; writes one number.
        (unsafe { function(self.handle, kind, &raw mut number) } == 0).then_some(number)
    }

    /// Returns the clock rate of the multiprocessors in MHz.
    pub(crate) fn clock_mhz(self) -> Option<u32> {
        self.number(self.nvml.clock, CLOCK_SM)
    }

    /// Returns the clock rate of the memory in MHz.
    pub(crate) fn memory_mhz(self) -> Option<u32> {
        self.number(self.nvml.clock, CLOCK_MEM)
    }

    /// Returns the temperature in degrees Celsius.
    pub(crate) fn celsius(self) -> Option<u32> {
        self.number(self.nvml.temperature, TEMPERATURE_GPU)
    }

    /// Returns why the clocks are reduced, as bits (`nvmlClocksEventReasons` of `nvml.h`).
    pub(crate) fn throttle_reasons(self) -> Option<u64> {
        let mut reasons = 0;
        // SAFETY: the handle is one of the library; writes one number.
        let result = unsafe { (self.nvml.reasons)(self.handle, &raw mut reasons) };
        (result == 0).then_some(reasons)
    }
}
