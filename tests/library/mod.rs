//! The library of the facade, for programs that rustc compiles without cargo.

use std::path::{Path, PathBuf};

/// Returns the arguments of rustc for a crate that depends on the facade alone.
pub(crate) fn arguments() -> [String; 2] {
    let target = target();
    [
        format!("--extern=tile_kernel={}", facade(&target).display()),
        format!("-Ldependency={}", target.join("deps").display()),
    ]
}

/// The folder in which the tests of the workspace were built.
fn target() -> PathBuf {
    let test = std::env::current_exe().expect("this program");
    let deps = test.parent().expect("it is in `deps`");
    deps.parent().expect("`deps` is in a folder").to_owned()
}

/// The newest library of the facade that cargo built there.
fn facade(target: &Path) -> PathBuf {
    let entries = std::fs::read_dir(target.join("deps")).expect("the folder");
    let libraries = entries.flatten().filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libtile_kernel-") && name.ends_with(".rlib")
    });
    let newest = libraries.max_by_key(|entry| {
        let metadata = entry.metadata().expect("its time");
        metadata.modified().expect("its time")
    });
    newest.expect("the facade was built").path()
}
