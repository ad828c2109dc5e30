//! Opens shared libraries at run time.

#[cfg(not(unix))]
pub(crate) use self::none::SharedObject;
#[cfg(unix)]
pub(crate) use self::unix::SharedObject;

#[cfg(unix)]
mod unix {
    use std::ffi::{CStr, CString, c_void};
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::Path;
    use std::ptr::NonNull;

    use nix::libc;

    /// A shared library that stays loaded until the process ends.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct SharedObject(NonNull<c_void>);

    // SAFETY: the handle is an opaque number of the loader, whose functions may be called on any thread.
    unsafe impl Send for SharedObject {}
    // SAFETY: as above.
    unsafe impl Sync for SharedObject {}

    /// All symbols are looked up at once, and stay invisible to other libraries.
    const FLAGS: libc::c_int = libc::RTLD_NOW | libc::RTLD_LOCAL;

    fn opened(
        path: &Path,
        open: impl FnOnce(&CStr) -> *mut c_void,
    ) -> Result<SharedObject, String> {
        let name = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| "its path has a zero byte".to_owned())?;
        NonNull::new(open(&name)).map(SharedObject).ok_or_else(|| {
            // SAFETY: the loader returns a string or null, and the string is alive until its next call on this
            // thread.
            let message = unsafe { libc::dlerror() };
            if message.is_null() {
                return "it cannot be loaded".to_owned();
            }
            // SAFETY: as above.
            let message = unsafe { CStr::from_ptr(message) };
            message.to_string_lossy().into_owned()
        })
    }

    impl SharedObject {
        /// Opens the library at `path`, or the one that the loader finds under this name. If it is loaded
        /// already, this is the loaded one. The error is the loader's message.
        pub(crate) fn open(path: &Path) -> Result<Self, String> {
            // SAFETY: the name is a string. Opening a library runs its initializers; the caller chose a library
            // of LLVM or of the driver, whose initializers only set up their own state.
            opened(path, |name| unsafe { libc::dlopen(name.as_ptr(), FLAGS) })
        }

        /// Opens the library at `path` with libraries of its own, the C library included, so that it shares
        /// nothing with the process.
        ///
        /// rustc's process has an LLVM with the same symbols, and a `malloc` of its own. If another LLVM is merely
        /// opened there, its variables are those of rustc's LLVM. If it prefers its own symbols
        /// (`RTLD_DEEPBIND`), it frees with the `malloc` of the C library what rustc's has allocated. Both end in a
        /// crash.
        #[cfg(all(feature = "loaded-llvm", target_os = "linux", target_env = "gnu"))]
        pub(crate) fn open_apart(path: &Path) -> Result<Self, String> {
            opened(path, |name| {
                // SAFETY: as in `open`.
                unsafe { libc::dlmopen(libc::LM_ID_NEWLM, name.as_ptr(), FLAGS) }
            })
        }

        /// Refuses, since this loader cannot keep two LLVMs apart.
        #[cfg(all(
            feature = "loaded-llvm",
            not(all(target_os = "linux", target_env = "gnu"))
        ))]
        pub(crate) fn open_apart(_path: &Path) -> Result<Self, String> {
            Err("this system cannot load it beside rustc's LLVM".to_owned())
        }

        /// Returns the address of a symbol, or `None` if the library has none of this name.
        pub(crate) fn address(self, name: &CStr) -> Option<*mut c_void> {
            // SAFETY: the handle is that of a loaded library, and the name is a string.
            let address = unsafe { libc::dlsym(self.0.as_ptr(), name.as_ptr()) };
            (!address.is_null()).then_some(address)
        }
    }
}

#[cfg(not(unix))]
mod none {
    use std::ffi::{CStr, c_void};
    use std::path::Path;

    /// No shared library can be opened on this system.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct SharedObject(std::convert::Infallible);

    impl SharedObject {
        pub(crate) fn open(_path: &Path) -> Result<Self, String> {
            Err("this system has no loader that is supported".to_owned())
        }

        #[cfg(feature = "loaded-llvm")]
        pub(crate) fn open_apart(path: &Path) -> Result<Self, String> {
            Self::open(path)
        }

        pub(crate) fn address(self, _name: &CStr) -> Option<*mut c_void> {
            match self.0 {}
        }
    }
}
