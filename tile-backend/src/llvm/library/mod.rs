//! The LLVM that this process uses: which one, and where it comes from.
//!
//! In: the environment. Out: a [`Library`], whose functions `inkwell` calls from then on.
//!
//! With the feature `loaded-llvm`, which is on by default, nothing of LLVM is linked. `search` finds a shared
//! library, and `functions` directs the calls to it. With `static-llvm` alone, LLVM is part of the program, and
//! nothing is searched.
//!
//! Invariants:
//! - a process uses one LLVM, the first that [`Library::load`] found;
//! - no library is unloaded;
//! - no failure ends the process: whatever is wrong with a file is a reason in [`BackendError::LlvmMissing`].

#[cfg(feature = "loaded-llvm")]
mod functions;
#[cfg(feature = "loaded-llvm")]
mod header;
#[cfg(feature = "loaded-llvm")]
pub(crate) mod search;
#[cfg(test)]
mod tests;
pub(crate) mod version;

pub use version::{Origin, Rejected, Version};

#[cfg(feature = "loaded-llvm")]
use std::ffi::CString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::environment::Environment;
use crate::error::BackendError;
use crate::tools;

/// The LLVM that this process uses. A value proves that its functions can be called.
#[derive(Debug)]
pub struct Library {
    origin: Origin,
    version: Version,
    file: Option<PathBuf>,
    /// The options that rustc's command line sets for the LLVM of its process.
    options: String,
    /// The targets of the host side for which it generates code, by LLVM's names.
    hosts: Vec<&'static str>,
}

impl Library {
    /// Returns the LLVM of this process. The first call searches one in `environment` and loads it; later calls
    /// return what the first one found.
    ///
    /// In rustc's process this loads nothing, since rustc's LLVM is there already. Call it before a worker is
    /// forked, since another thread may hold the loader's lock at the time of the fork.
    pub fn load(environment: &Environment) -> Result<&'static Self, BackendError> {
        static LIBRARY: OnceLock<Result<Library, Vec<Rejected>>> = OnceLock::new();
        let library = LIBRARY.get_or_init(|| bound(environment));
        library.as_ref().map_err(|tried| BackendError::LlvmMissing {
            tried: tried.clone(),
            is_named: environment.names_llvm(),
        })
    }

    /// Returns where it was found.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns its version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns its file, or `None` if it was linked into this program.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Describes where it is: its file, and why this one.
    pub fn place(&self) -> String {
        match &self.file {
            Some(file) => format!("{} ({})", file.display(), self.origin.text()),
            None => self.origin.text().to_owned(),
        }
    }

    /// Returns the targets of the host side for which it generates code, by LLVM's names: `X86` and `AArch64`, unless
    /// it was built without one of them.
    pub fn hosts(&self) -> &[&'static str] {
        &self.hosts
    }

    /// Returns a text that differs between libraries that may generate different code, for cache keys.
    pub(crate) fn identity(&self) -> String {
        let file = self.file.as_deref().map(tools::fingerprint);
        format!("{} {file:?} {}", self.version, self.options)
    }
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LLVM {}: {}", self.version, self.place())
    }
}

/// Finds a library, and makes our calls lead to it.
#[cfg(feature = "loaded-llvm")]
fn bound(environment: &Environment) -> Result<Library, Vec<Rejected>> {
    functions::check_target()?;
    let found = environment.llvm_search().find()?;
    // SAFETY: the library is LLVM 22, which `find` checks, and it is never unloaded.
    unsafe {
        functions::bind(|name| found.object.address(name));
    }
    let object = found.object;
    let is_there = |host: &&str| {
        let name = CString::new(format!("LLVMInitialize{host}AsmPrinter"));
        name.is_ok_and(|name| object.address(&name).is_some())
    };
    Ok(Library {
        origin: found.origin,
        version: found.version,
        file: Some(found.file),
        options: environment.llvm_options(),
        hosts: functions::HOSTS.into_iter().filter(is_there).collect(),
    })
}

/// Describes the library that this program was linked with.
#[cfg(not(feature = "loaded-llvm"))]
fn bound(_environment: &Environment) -> Result<Library, Vec<Rejected>> {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    Ok(Library {
        origin: Origin::Linked,
        version: Version {
            major,
            minor,
            patch,
        },
        file: None,
        options: String::new(),
        hosts: vec!["X86", "AArch64"],
    })
}
