//! Compiles a file of C to a shared library, which a program finds in place of one of the system.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Compiles `source`, a path from the root of the package, to a library of this name. Returns the folder of the library,
/// which has the name of the folder of the source.
pub(crate) fn compile(source: &str, library: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let name = source.parent().and_then(Path::file_name);
    let name = name.expect("the source is in a folder");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("cargo made the folder around it");
    let compiled = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
        .arg(folder.join(library))
        .arg(&source)
        .status()
        .expect("rustc needs a C linker too");
    assert!(compiled.success(), "{} compiles", source.display());
    folder
}
