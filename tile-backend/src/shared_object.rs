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

    impl SharedObject {
        /// Opens the library at `path`, or the one that the loader finds under this name. The error is the
        /// loader's message.
        ///
        /// The symbols of the library stay invisible to others. It uses its own symbols, even if a library that
        /// was loaded before has symbols of the same name: two versions of LLVM in one process do not mix.
        pub(crate) fn open(path: &Path) -> Result<Self, String> {
            let name = CString::new(path.as_os_str().as_bytes())
                .map_err(|_| "its path has a zero byte".to_owned())?;
            #[cfg(all(target_os = "linux", target_env = "gnu"))]
            let own_first = libc::RTLD_DEEPBIND;
            #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
            let own_first = 0;
            let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | own_first;
            // SAFETY: the name is a string. Opening a library runs its initializers; the caller chose a library
            // of LLVM or of the driver, whose initializers only set up their own state.
            let handle = unsafe { libc::dlopen(name.as_ptr(), flags) };
            NonNull::new(handle).map(Self).ok_or_else(|| {
                // SAFETY: the loader returns a string or null, and the string is alive until its next call on
                // this thread.
                let message = unsafe { libc::dlerror() };
                if message.is_null() {
                    return "it cannot be loaded".to_owned();
                }
                // SAFETY: as above.
                let message = unsafe { CStr::from_ptr(message) };
                message.to_string_lossy().into_owned()
            })
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

        pub(crate) fn address(self, _name: &CStr) -> Option<*mut c_void> {
            match self.0 {}
        }
    }
}
