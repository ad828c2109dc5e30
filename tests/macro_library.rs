//! The library of the macro loads in a process without LLVM, as in a server for macros of an editor.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Opens the library that the first argument names, with all its symbols.
const LOADER: &str = r"
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char **arguments) {
  if (dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL)) return 0;
  puts(dlerror());
  return 1;
}
";

/// Returns the library of the macro that was built last.
fn library() -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    let folder = program.parent().expect("a folder of dependencies");
    let entries = std::fs::read_dir(folder).expect("a folder");
    let libraries = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let name = entry.file_name().into_string().ok()?;
        let is_macro = name.starts_with("libtile_macros-")
            && Path::new(&name).extension().is_some_and(|end| end == "so");
        let written = entry.metadata().ok()?.modified().ok()?;
        is_macro.then(|| (written, entry.path()))
    });
    let (_, path) = libraries.max().expect("the macro is a dependency");
    path
}

#[test]
fn the_macro_loads_in_a_process_without_llvm() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, loader) = (folder.join("loader.c"), folder.join("loader"));
    std::fs::write(&source, LOADER).expect("the folder for tests can be written to");
    let status = Command::new("cc")
        .args([&source, Path::new("-o"), &loader, Path::new("-ldl")])
        .status();
    assert!(status.expect("Rust needs a C linker").success());
    let output = Command::new(loader)
        .arg(library())
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .expect("the loader runs");
    let message = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{message}");
}
