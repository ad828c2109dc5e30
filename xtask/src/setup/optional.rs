//! Installs packages from PyPI that few tests need, and that [`super::run`] therefore does not install.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::python::Python;

/// A package in a folder of its own, with what pip finds that it depends on.
#[derive(Clone, Copy)]
pub(crate) struct Optional {
    /// The name of the folder.
    pub(super) name: &'static str,
    pub(super) pin: &'static str,
    /// The size of the download.
    pub(super) megabytes: u32,
}

pub(crate) const PYTORCH: Optional = Optional {
    name: "pytorch",
    pin: "torch==2.15.0",
    megabytes: 3000,
};

/// The compiler of CUDA C that tests of `cudarc` use.
pub(crate) const NVRTC: Optional = Optional {
    name: "nvrtc",
    pin: "nvidia-cuda-nvrtc==13.4.92",
    megabytes: 90,
};

/// The compiler of CUDA C++ that candle compiles its kernels with, and its headers.
pub(crate) const NVCC: Optional = Optional {
    name: "nvcc",
    pin: "nvidia-cuda-nvcc==13.5.37",
    megabytes: 130,
};

impl Optional {
    /// The file that is written last.
    const STAMP: &str = "stamp.txt";

    /// Returns the folder for `PYTHONPATH`.
    pub(super) fn folder(self, cache: &Path) -> PathBuf {
        cache.join("tools").join(self.name)
    }

    /// Returns the text of the stamp for this Python.
    pub(super) fn stamp(self, python: &Python) -> Result<String> {
        Ok(format!("# {}\n{}\n", python.version()?, self.pin))
    }

    /// Returns `true` if the folder has this version for this Python.
    pub(super) fn is_installed(folder: &Path, stamp: &str) -> bool {
        fs::read_to_string(folder.join(Self::STAMP)).is_ok_and(|stamped| stamped == stamp)
    }

    /// Downloads and unpacks the package into `partial`, then renames the folder.
    pub(super) fn install(
        self,
        python: &Python,
        partial: &Path,
        folder: &Path,
        stamp: &str,
    ) -> Result<()> {
        let fresh = partial.join(self.name);
        python.install_with_dependencies(self.pin, &fresh)?;
        fs::write(fresh.join(Self::STAMP), stamp)?;
        if folder.exists() {
            fs::rename(folder, partial.join("older"))?;
        }
        fs::rename(&fresh, folder)
            .with_context(|| format!("could not write `{}`", folder.display()))
    }
}
