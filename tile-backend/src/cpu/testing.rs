//! Runs compiled code in tests: LLVM IR becomes a shared library, whose functions are called.

use std::ffi::CString;
use std::path::Path;
use std::process::Command;

use super::Level;
use crate::error::BackendError;
use crate::llvm::{Context, host};
use crate::shared_object::SharedObject;
use crate::timing::Times;

/// A library of compiled functions, which stays loaded until the process ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaded(SharedObject);

impl Loaded {
    /// Compiles the LLVM IR `text` and loads it. The machine must have the instructions of `level`.
    pub(crate) fn new(text: &str, level: Level) -> Result<Self, BackendError> {
        let cx = Context::new();
        let object = host::object(&cx, text, level, &mut Times::new())?;
        Ok(Self::of_file("code.o", &object))
    }

    /// Assembles `assembly` and loads it. The machine must have the instructions that it uses.
    pub(crate) fn of_assembly(assembly: &str) -> Self {
        Self::of_file("code.s", assembly.as_bytes())
    }

    /// Links a file that the C compiler accepts, and loads it.
    fn of_file(name: &str, bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let input = folder.path().join(name);
        std::fs::write(&input, bytes).expect("a writable folder");
        let output = folder.path().join("code.so");
        link(&input, &output);
        // The file may be removed while it is loaded.
        Self(SharedObject::open(&output).expect("a library that can be loaded"))
    }

    /// Returns a function of type `F`, which must be a type of function pointers.
    ///
    /// # Safety
    ///
    /// The function must have the type `F`.
    pub(crate) unsafe fn function<F: Copy>(self, name: &str) -> F {
        let symbol = CString::new(name).expect("a name without a zero");
        let address = self.0.address(&symbol);
        let address = address.unwrap_or_else(|| panic!("no function `{name}`"));
        assert_eq!(size_of::<F>(), size_of_val(&address));
        // SAFETY: the sizes are equal, and the caller knows the type.
        unsafe { std::mem::transmute_copy(&address) }
    }
}

fn link(input: &Path, output: &Path) {
    let run = Command::new("cc")
        .args([
            "-shared",
            "-nostdlib",
            "-Wl,-z,noexecstack",
            "-Wl,--no-undefined",
            "-o",
        ])
        .args([output, input])
        .output()
        .expect("a C compiler, which Rust needs as a linker too");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}
