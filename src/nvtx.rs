//! Ranges for profilers, by NVIDIA's Tools Extension (NVTX). A range has a name and encloses what a thread does.
//!
//! With the feature `nvtx`, this crate opens a range around each launch, copy, fill and launch of a graph: that of a
//! launch has the name of the kernel, the others are `upload`, `download`, `fill`, `copy` and `graph`. They are in the
//! domain `tile-kernel`. Nsight Systems (`nsys`) shows them above the work that they started on the GPU. [`range`]
//! opens one around what a program does besides.
//!
//! ```
//! use tile_kernel::{Device, Tensor, nvtx};
//!
//! let step = nvtx::range("load the weights");
//! let weights = Tensor::full(&Device::best(), [1000], 0.5)?;
//! drop(step);
//! # Ok::<(), tile_kernel::Error>(())
//! ```
//!
//! Nothing is needed to build or to run a program: a profiler names its library in the environment variable
//! `NVTX_INJECTION64_PATH`, which is read by the first range. Without it, a range costs a few instructions.

use std::env;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::fmt;
use std::marker::PhantomData;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A range of this thread, from its creation to its end. Ranges of a thread are nested: the last one that began ends
/// first.
#[must_use = "a range ends where it is dropped"]
pub struct Range {
    tool: Option<&'static Tool>,
    /// A range ends on its thread.
    thread: PhantomData<*const ()>,
}

/// Opens a range on this thread. A profiler does not see what follows a zero byte in the name.
pub fn range(name: &str) -> Range {
    let tool = tool();
    if let Some(tool) = tool {
        tool.push(name);
    }
    Range {
        tool,
        thread: PhantomData,
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        if let Some(tool) = self.tool {
            tool.pop();
        }
    }
}

impl fmt::Debug for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Range").finish_non_exhaustive()
    }
}

/// The domain of the ranges.
const DOMAIN: &CStr = c"tile-kernel";
/// The version of NVTX whose structures these are.
const VERSION: u16 = 3;
/// `NVTX_MESSAGE_TYPE_ASCII`
const TEXT: i32 = 1;

/// `nvtxEventAttributes_v2`
#[repr(C)]
struct Attributes {
    version: u16,
    size: u16,
    category: u32,
    color_type: i32,
    color: u32,
    payload_type: i32,
    reserved: i32,
    payload: u64,
    message_type: i32,
    message: *const c_char,
}

impl Attributes {
    #[expect(clippy::cast_possible_truncation, reason = "48 bytes")]
    const SIZE: u16 = size_of::<Attributes>() as u16;
}

type Domain = *mut c_void;
type CreateDomain = unsafe extern "C" fn(*const c_char) -> Domain;
type Push = unsafe extern "C" fn(Domain, *const Attributes) -> c_int;
type Pop = unsafe extern "C" fn(Domain) -> c_int;

/// The functions of a profiler.
struct Tool {
    domain: Domain,
    push: Push,
    pop: Pop,
}

// SAFETY: the functions may be called from any thread, with any domain.
unsafe impl Send for Tool {}
// SAFETY: as above.
unsafe impl Sync for Tool {}

impl Tool {
    fn push(&self, name: &str) {
        let name = name.split('\0').next().unwrap_or_default();
        let Ok(name) = CString::new(name) else {
            return;
        };
        let attributes = Attributes {
            version: VERSION,
            size: Attributes::SIZE,
            category: 0,
            color_type: 0,
            color: 0,
            payload_type: 0,
            reserved: 0,
            payload: 0,
            message_type: TEXT,
            message: name.as_ptr(),
        };
        // SAFETY: a profiler that takes ranges has this function; it reads the attributes during the call.
        unsafe { (self.push)(self.domain, &raw const attributes) };
    }

    fn pop(&self) {
        // SAFETY: as above.
        unsafe { (self.pop)(self.domain) };
    }
}

/// Returns the profiler, if there is one. The first call looks for it.
fn tool() -> Option<&'static Tool> {
    static TOOL: OnceLock<Option<Tool>> = OnceLock::new();
    TOOL.get_or_init(attach).as_ref()
}

/// The library of the profiler, and its function that this program calls once.
const LIBRARY: &str = if cfg!(target_pointer_width = "64") {
    "NVTX_INJECTION64_PATH"
} else {
    "NVTX_INJECTION32_PATH"
};
const INITIALIZE: &CStr = c"InitializeInjectionNvtx2";

type GetExportTable = extern "C" fn(u32) -> *const c_void;
type Initialize = unsafe extern "C" fn(GetExportTable) -> c_int;

/// Loads the library of the profiler, which writes its functions to [`SLOTS`]. As NVIDIA's header, it is silent about a
/// library that cannot be loaded or that refuses.
fn attach() -> Option<Tool> {
    let path = env::var_os(LIBRARY)?;
    // SAFETY: whoever starts the program chose the library to run in it.
    let library = unsafe { libloading::Library::new(path) }.ok()?;
    // SAFETY: the function has this type in each library for NVTX 2 and 3.
    let initialize = unsafe { library.get::<Initialize>(INITIALIZE) }.ok()?;
    // SAFETY: the profiler calls `export_table`, whose tables live as long as the program.
    if unsafe { initialize(export_table) } == 0 {
        return None;
    }
    // Its functions are called until the program ends.
    std::mem::forget(library);
    let function = |id: usize| {
        let function = SLOTS[CORE2][id].load(Ordering::Acquire);
        (!function.is_null()).then_some(function)
    };
    let (create, push, pop) = (
        function(DOMAIN_CREATE)?,
        function(DOMAIN_RANGE_PUSH)?,
        function(DOMAIN_RANGE_POP)?,
    );
    // SAFETY: what the profiler wrote to these slots are functions of these types.
    let (create, push, pop) = unsafe {
        (
            std::mem::transmute::<*mut c_void, CreateDomain>(create),
            std::mem::transmute::<*mut c_void, Push>(push),
            std::mem::transmute::<*mut c_void, Pop>(pop),
        )
    };
    Some(Tool {
        // SAFETY: the name ends with a zero byte, and is read during the call.
        domain: unsafe { create(DOMAIN.as_ptr()) },
        push,
        pop,
    })
}

/// `NVTX_ETID_CALLBACKS`
const CALLBACKS_TABLE: u32 = 1;
/// `NVTX_ETID_VERSIONINFO`
const VERSION_TABLE: u32 = 3;

/// `NvtxExportTableCallbacks`
#[repr(C)]
struct Callbacks {
    struct_size: usize,
    module_functions: extern "C" fn(c_int, *mut *const Slot, *mut c_uint) -> c_int,
}

/// `NvtxExportTableVersionInfo`
#[repr(C)]
struct VersionInfo {
    struct_size: usize,
    version: u32,
    reserved: u32,
    set_tool_version: extern "C" fn(u32),
}

extern "C" fn export_table(id: u32) -> *const c_void {
    static CALLBACKS: Callbacks = Callbacks {
        struct_size: size_of::<Callbacks>(),
        module_functions,
    };
    static VERSION_INFO: VersionInfo = VersionInfo {
        struct_size: size_of::<VersionInfo>(),
        version: VERSION as u32,
        reserved: 0,
        set_tool_version,
    };
    match id {
        CALLBACKS_TABLE => (&raw const CALLBACKS).cast(),
        VERSION_TABLE => (&raw const VERSION_INFO).cast(),
        _ => ptr::null(),
    }
}

extern "C" fn set_tool_version(_version: u32) {}

/// A place for a function of the profiler.
type Slot = *const AtomicPtr<c_void>;

/// The numbers of functions of the modules, by `NvtxCallbackModule`. Only those of [`CORE2`] are used; a profiler may ask
/// for all.
const FUNCTIONS: [u8; 7] = [0, 16, 9, 15, 7, 16, 7];
const MOST_FUNCTIONS: usize = 16;
/// `NVTX_CB_MODULE_CORE2`, and ids of its functions.
const CORE2: usize = 5;
const DOMAIN_RANGE_PUSH: usize = 4;
const DOMAIN_RANGE_POP: usize = 5;
const DOMAIN_CREATE: usize = 12;

static SLOTS: [[AtomicPtr<c_void>; MOST_FUNCTIONS]; FUNCTIONS.len()] =
    [const { [const { AtomicPtr::new(ptr::null_mut()) }; MOST_FUNCTIONS] }; FUNCTIONS.len()];

/// The addresses of the slots of each module. The id 0 is no function, and a null ends the table.
struct Tables([[Slot; MOST_FUNCTIONS + 1]; FUNCTIONS.len()]);

// SAFETY: the slots are atomic, and live as long as the program.
unsafe impl Sync for Tables {}

static TABLES: Tables = {
    let mut tables = [[ptr::null(); MOST_FUNCTIONS + 1]; FUNCTIONS.len()];
    let mut module = 0;
    while module < FUNCTIONS.len() {
        let mut id = 1;
        while id < FUNCTIONS[module] as usize {
            tables[module][id] = &raw const SLOTS[module][id];
            id += 1;
        }
        module += 1;
    }
    Tables(tables)
};

/// Writes the table of a module and the number of its entries. Returns 0 if there is no such module.
extern "C" fn module_functions(module: c_int, table: *mut *const Slot, size: *mut c_uint) -> c_int {
    let functions = usize::try_from(module).ok();
    let Some((slots, &count)) = functions
        .filter(|&module| module > 0)
        .and_then(|module| TABLES.0.get(module).zip(FUNCTIONS.get(module)))
    else {
        return 0;
    };
    if !table.is_null() {
        // SAFETY: the profiler passes the address of a pointer, or null.
        unsafe { table.write(slots.as_ptr()) };
    }
    if !size.is_null() {
        // SAFETY: the profiler passes the address of a number, or null.
        unsafe { size.write(c_uint::from(count)) };
    }
    1
}
