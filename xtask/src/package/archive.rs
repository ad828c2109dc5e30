//! Files `.crate`: what they hold, and how large they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::published::Package;
use crate::process;

/// The size of the largest package that the registry takes, in bytes.
pub(crate) const LIMIT: u64 = 10 << 20;

/// The size of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) files: usize,
    /// The size of the file `.crate`, in bytes.
    pub(crate) compressed: u64,
    /// The sum of the sizes of its files, in bytes.
    pub(crate) unpacked: u64,
}

/// Unpacks the packages that cargo left in `target/package` into `into`, each in the folder of its [`Package::stem`].
pub(crate) fn unpack(packages: &[Package], target: &Path, into: &Path) -> Result<Vec<Size>> {
    fs::create_dir_all(into)?;
    let mut sizes = Vec::new();
    for package in packages {
        let archive = file(package, target);
        let compressed = fs::metadata(&archive)
            .with_context(|| format!("cargo made no `{}`", archive.display()))?
            .len();
        process::run(
            Command::new("tar")
                .arg("-xzf")
                .arg(&archive)
                .arg("-C")
                .arg(into),
        )?;
        let files = files(&into.join(package.stem()))?;
        sizes.push(Size {
            files: files.len(),
            compressed,
            unpacked: files.values().sum(),
        });
    }
    Ok(sizes)
}

/// Returns where cargo leaves a package.
fn file(package: &Package, target: &Path) -> PathBuf {
    let name = format!("{}.crate", package.stem());
    target.join("package").join(name)
}

/// Returns the files of a folder, relative to it, with their sizes in bytes.
pub(crate) fn files(root: &Path) -> Result<BTreeMap<PathBuf, u64>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let size = fs::metadata(&path)?.len();
            let path = path.strip_prefix(root).expect("it is in the folder");
            files.insert(path.to_path_buf(), size);
        }
    }
    Ok(files)
}

/// Returns a number of bytes as KiB, rounded up.
pub(crate) fn kib(bytes: u64) -> u64 {
    bytes.div_ceil(1024)
}
