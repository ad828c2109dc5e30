//! The interface to LLVM: modules for NVPTX, their optimization, and PTX; native code. No other module uses `inkwell`.
//!
//! In: an LLVM module that the emitter filled. Out: [`Ptx`].
//!
//! | file | holds |
//! |---|---|
//! | [`emit()`] | the GPU IR as a module |
//! | [`host`] | native code for CPUs, from LLVM IR as text |
//! | [`intrinsics`] | every `llvm.nvvm.*` function that may be called, with its type |
//! | [`kernel`] | the frame of a kernel: parameters, launch bounds, dynamic shared memory |
//! | [`library`] | which LLVM is used, and the way of our calls to it |
//! | `lanes` | defines undefined lanes of vectors |
//! | [`math`] | links the mathematical functions that a module calls |
//! | [`passes`] | verify, optimize, emit |
//!
//! Invariants:
//! - a module of a [`Context`] has the triple and the data layout of the target machine that
//!   compiles it, with 32-bit pointers to shared, constant and local memory;
//! - an error that LLVM reports is returned as [`BackendError::Llvm`]. An error that LLVM considers fatal
//!   ends the process, with a message on standard error: run compilations under [`crate::isolate::run`].

pub mod emit;
pub mod host;
pub mod intrinsics;
pub mod kernel;
mod lanes;
pub mod library;
pub mod math;
pub mod passes;

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::rc::Rc;
use std::sync::Once;

use inkwell::OptimizationLevel;
use inkwell::context::Context as InkwellContext;
use inkwell::llvm_sys;
use inkwell::module::Module;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};

use self::library::Library;
use crate::environment::Environment;
use crate::error::BackendError;
use crate::level::OptLevel;
use crate::target::{Arch, PtxVersion};

pub use emit::emit;
pub use passes::{Compilation, Denormals, compile};

#[cfg(doc)]
use crate::ptx::Ptx;

const TRIPLE: &str = "nvptx64-nvidia-cuda";

/// The address spaces of NVPTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum AddressSpace {
    /// Any memory; the hardware resolves the space.
    Generic = 0,
    /// Device memory.
    Global = 1,
    /// The block's shared memory.
    Shared = 3,
    /// Constant memory.
    Constant = 4,
    /// The thread's local memory.
    Local = 5,
    /// The shared memory of any block of the cluster.
    SharedCluster = 7,
}

impl From<AddressSpace> for inkwell::AddressSpace {
    fn from(space: AddressSpace) -> Self {
        Self::from(space as u16)
    }
}

/// An LLVM context whose diagnostics are collected instead of printed.
pub struct Context {
    // Declared before `messages` so that it is dropped first: it holds a pointer to them.
    inner: InkwellContext,
    messages: Box<Messages>,
    /// The most recently created target machine.
    machine: RefCell<Option<(Machine, Rc<TargetMachine>)>>,
    /// The machines of native code.
    host_machines: host::Machines,
}

/// The key of a target machine.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Machine {
    arch: Arch,
    version: PtxVersion,
    level: OptLevel,
}

#[derive(Default)]
struct Messages {
    errors: RefCell<Vec<String>>,
}

impl Context {
    /// Finds an LLVM in the environment of this process, and creates a context of it.
    ///
    /// # Panics
    ///
    /// If there is no LLVM. A [`Session`](crate::session::Session) reports this as an error instead.
    pub fn new() -> Self {
        let library = Library::load(&Environment::read());
        Self::of(library.unwrap_or_else(|error| panic!("{error}")))
    }

    /// Creates a context. The first call initializes LLVM for the whole process.
    pub fn of(library: &Library) -> Self {
        initialize();
        let inner = InkwellContext::create();
        let messages = Box::<Messages>::default();
        let receiver: *const Messages = &raw const *messages;
        // SAFETY: the context is alive, and the box with the messages outlives it because of the order of the
        // fields.
        unsafe {
            llvm_sys::core::LLVMContextSetDiagnosticHandler(
                inner.raw(),
                Some(collect),
                receiver.cast_mut().cast(),
            );
        }
        Self {
            inner,
            messages,
            machine: RefCell::default(),
            host_machines: host::Machines::new(library.hosts()),
        }
    }

    /// Returns the `inkwell` context, for building types and values.
    pub fn inkwell(&self) -> &InkwellContext {
        &self.inner
    }

    /// Creates an empty module for `arch`.
    pub fn module(&self, name: &str, arch: Arch) -> Result<Module<'_>, BackendError> {
        let machine = self.machine(Machine {
            arch,
            version: arch.min_ptx(),
            level: OptLevel::O3,
        })?;
        let module = self.inner.create_module(name);
        module.set_triple(&TargetTriple::create(TRIPLE));
        module.set_data_layout(&machine.get_target_data().get_data_layout());
        Ok(module)
    }

    /// Returns a target machine. Creating one takes as long as half of the stages of a small kernel. Several
    /// stages need one, mostly with the same key, so the last one is reused.
    fn machine(&self, machine: Machine) -> Result<Rc<TargetMachine>, BackendError> {
        let mut last = self.machine.borrow_mut();
        if let Some((cached_key, created)) = &*last
            && *cached_key == machine
        {
            return Ok(Rc::clone(created));
        }
        let created = Rc::new(target_machine(machine)?);
        *last = Some((machine, Rc::clone(&created)));
        Ok(created)
    }

    /// Returns an error with the messages that LLVM has reported since the last call, if they include an
    /// error.
    fn check(&self, what: &'static str) -> Result<(), BackendError> {
        let errors = self.messages.errors.take();
        if errors.is_empty() {
            return Ok(());
        }
        Err(BackendError::Llvm {
            what,
            message: errors.join("\n"),
        })
    }
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

extern "C" fn collect(info: llvm_sys::prelude::LLVMDiagnosticInfoRef, receiver: *mut c_void) {
    // SAFETY: LLVM passes the pointer that `Context::new` registered, which is valid as long as the context
    // is alive. The diagnostic is alive during the call, and we must free its description.
    unsafe {
        let messages = &*receiver.cast::<Messages>();
        let severity = llvm_sys::core::LLVMGetDiagInfoSeverity(info);
        if severity == llvm_sys::LLVMDiagnosticSeverity::LLVMDSError {
            let description = llvm_sys::core::LLVMGetDiagInfoDescription(info);
            let text = CStr::from_ptr(description).to_string_lossy().into_owned();
            llvm_sys::core::LLVMDisposeMessage(description);
            messages.errors.borrow_mut().push(text);
        }
    }
}

extern "C" fn fatal(reason: *const c_char) {
    // SAFETY: LLVM passes a string that is alive during the call.
    let reason = unsafe { CStr::from_ptr(reason) };
    end_process(&reason.to_string_lossy());
}

/// Prints a message and ends the process. In a worker, the message becomes a part of the error.
fn end_process(message: &str) -> ! {
    use std::io::Write as _;
    // A failed write to standard error is ignored, since the process ends here in any case.
    let _written = writeln!(std::io::stderr(), "LLVM ERROR: {message}");
    // LLVM would call `exit`, which would run the exit handlers of the host process.
    std::process::abort();
}

/// Initializes LLVM, once per process.
fn initialize() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        Target::initialize_nvptx(&InitializationConfig::default());
        // `--nvptx-short-ptr` makes shared, constant and local pointers 32 bits wide. It exists only as a
        // command line option, which LLVM reads when a target machine is created.
        let arguments = [c"tile-backend".as_ptr(), c"--nvptx-short-ptr".as_ptr()];
        // SAFETY: the arguments are two valid strings, and no other thread uses our LLVM before this `Once`
        // is done. The handler is a plain function.
        unsafe {
            llvm_sys::support::LLVMParseCommandLineOptions(2, arguments.as_ptr(), std::ptr::null());
            // rustc has installed its own handler in its LLVM, and there can be only one.
            inkwell::support::error_handling::reset_fatal_error_handler();
            inkwell::support::error_handling::install_fatal_error_handler(fatal);
        }
    });
}

fn target_machine(machine: Machine) -> Result<TargetMachine, BackendError> {
    let Machine {
        arch,
        version,
        level,
    } = machine;
    let what = "make a target machine";
    initialize();
    let triple = TargetTriple::create(TRIPLE);
    let target = Target::from_triple(&triple).map_err(|error| BackendError::Llvm {
        what,
        message: error.to_string(),
    })?;
    let level = match level {
        OptLevel::O0 => OptimizationLevel::None,
        OptLevel::O1 => OptimizationLevel::Less,
        // NVPTX's `Aggressive` differs from this level in two runs of GVN instead of early CSE. After our
        // pipeline, GVN finds nothing in the corpus, and takes 7 ms for a softmax.
        OptLevel::O2 | OptLevel::O3 => OptimizationLevel::Default,
    };
    target
        .create_target_machine(
            &triple,
            &arch.to_string(),
            &version.llvm_feature(),
            level,
            RelocMode::Default,
            CodeModel::Default,
        )
        .ok_or_else(|| BackendError::Llvm {
            what,
            message: format!("for `{arch}`"),
        })
}
