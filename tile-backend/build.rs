//! Sets `tile_llvm_jumps` where `src/llvm/library/functions.rs` has code for the target, and `TILE_COMPILER_ID`: a hash of the sources that decide what a kernel compiles to.
//!
//! The hash is part of every key of the artifact cache, so a changed compiler never uses artifacts of its
//! predecessor. It does not cover the front end: changes there show in the bytecode, which is part of the key
//! as well.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    // `DefaultHasher::new` has fixed keys, so the same sources give the same hash.
    let mut hasher = DefaultHasher::new();
    env::var("CARGO_PKG_VERSION")
        .expect("cargo sets it")
        .hash(&mut hasher);
    // The second folder holds the sources of the IR and exists only in the repository. A published crate
    // needs `tile-core` in exactly the version hashed above.
    for folder in [root.join("src"), root.join("../tile-core/src")] {
        if folder.is_dir() {
            println!("cargo::rerun-if-changed={}", folder.display());
            hash_folder(&folder, &folder, &mut hasher)?;
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(tile_llvm_jumps)");
    let target = |part| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && ["x86_64", "aarch64"].contains(&target("ARCH").as_str()) {
        println!("cargo::rustc-cfg=tile_llvm_jumps");
    }
    println!("cargo::rustc-env=TILE_COMPILER_ID={:016x}", hasher.finish());
    Ok(())
}

fn hash_folder(root: &Path, folder: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    let mut paths = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            hash_folder(root, &path, hasher)?;
        } else {
            path.strip_prefix(root)
                .expect("it lies in the folder")
                .hash(hasher);
            fs::read(&path)?.hash(hasher);
        }
    }
    Ok(())
}
