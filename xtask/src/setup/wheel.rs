//! The `PyPI` packages with NVIDIA's tools, and their installation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::python::Python;
use super::stamp::Stamp;

/// The purpose of a tool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Compiles kernels.
    Build,
    /// Compares or disassembles in tests.
    Tests,
}

/// One pinned package, and the files that are extracted from it.
pub(super) struct Wheel {
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    pub(super) used: Use,
    /// Rounded size of the download, which is printed before it starts.
    pub(super) megabytes: u32,
    /// The checksums of the wheels for `x86_64` and `aarch64`; pip takes the one that fits.
    sha256: [&'static str; 2],
    /// Names in the wheel, and paths in the folder of the tools.
    members: &'static [(&'static str, &'static str)],
}

/// All packages. A change here also changes [`crate::tools::RELEASE`].
///
/// The assembler is that of CUDA 12.9: its cubins for architectures up to `sm_90a` load on drivers
/// of CUDA 12 (ELF ABI 7), while those of 13.x (ABI 8) need r580. It supports `sm_80` to `sm_121a`
/// and PTX up to 8.8. `fatbinary` has no package in the 12.x series, and that of 13.x accepts the
/// cubins of both.
pub(super) const PINNED: &[Wheel] = &[
    Wheel {
        package: "nvidia-cuda-nvcc-cu12",
        version: "12.9.86",
        used: Use::Build,
        megabytes: 41,
        sha256: [
            "5d6a0d32fdc7ea39917c20065614ae93add6f577d840233237ff08e9a38f58f0",
            "44e1eca4d08926193a558d2434b1bf83d57b4d5743e0c431c0c83d51da1df62b",
        ],
        members: &[("nvidia/cuda_nvcc/bin/ptxas", "bin/ptxas")],
    },
    Wheel {
        package: "nvidia-cuda-nvcc",
        version: "13.5.37",
        used: Use::Build,
        megabytes: 47,
        sha256: [
            "f5c4f7ead5d964fb4af42bbf1e6d3ec3c1e6e9d83b53749f691d387e7fcaa3a7",
            "588eda18eb5076ae859fe272844b526459228af22df0b117f54eec3aa82bc9c8",
        ],
        members: &[
            ("nvidia/cu13/bin/fatbinary", "bin/fatbinary"),
            // `tileiras` calls the assembler of its own toolkit.
            ("nvidia/cu13/bin/ptxas", "tileir/bin/ptxas"),
        ],
    },
    Wheel {
        package: "nvidia-nvvm",
        version: "13.5.37",
        used: Use::Tests,
        megabytes: 75,
        sha256: [
            "c41bfa362e407405163f103c2229f0765f8cc2ed7d148b754dc77f228bf7e070",
            "b659bd3115b7ac7ec8931e67d0e2c0dd09cd35b08a6a7372df6f8f22c67da80a",
        ],
        members: &[("nvidia/cu13/lib/libnvvm.so.4", "tileir/lib/libnvvm.so.4")],
    },
    Wheel {
        package: "nvidia-cuda-cuobjdump",
        version: "13.4.92",
        used: Use::Tests,
        megabytes: 1,
        sha256: [
            "fb72ca80d0cdd8f5e8e232ce17d3c5aa2a37c3153bb8ef4e010010ed4fdef6c5",
            "ed9ffbe59069e7ff94631ab4e279e5af7ee88ddafdf4c23f4a94d187f1470f03",
        ],
        members: &[("nvidia/cu13/bin/cuobjdump", "bin/cuobjdump")],
    },
    Wheel {
        package: "nvidia-cuda-nvdisasm",
        version: "13.5.37",
        used: Use::Tests,
        megabytes: 5,
        sha256: [
            "d3fdbdd49fa53e2e4aacd3db8259d052bd2b049ececdcb69e92e083c6728e7ca",
            "a3a8248074edb9fba63b74c38a5416b712a91ab09e70b8ab37186c3d293fc605",
        ],
        members: &[("nvidia/cu13/bin/nvdisasm", "bin/nvdisasm")],
    },
    Wheel {
        package: "nvidia-cuda-tileiras",
        version: "13.4.92",
        used: Use::Tests,
        megabytes: 41,
        sha256: [
            "c7ff33b56466f27258fdb6404d654686a391854dc922ff2d2aedac56dde35624",
            "8bfd73880ffebb195d6ada5ca39056279819142ce0cbeafc33ac206484cf6381",
        ],
        members: &[
            ("nvidia/cu13/bin/tileiras", "tileir/bin/tileiras"),
            ("nvidia/cu13/bin/tileirdisasm", "tileir/bin/tileirdisasm"),
        ],
    },
];

impl Wheel {
    /// Returns the names of its tools, for messages.
    pub(super) fn tools(&self) -> String {
        let name = |path: &'static str| path.rsplit('/').next().unwrap_or(path);
        let names: Vec<_> = self.paths().map(name).collect();
        names.join(", ")
    }

    /// Returns `true` if the files exist, by version and size.
    pub(super) fn is_present(&self, release: &Path) -> bool {
        self.stamp(release)
            .is_some_and(|stamp| stamp.holds(release, self.package, self.version, self.paths()))
    }

    /// Returns `true` if the existing files have the recorded checksums.
    pub(super) fn is_intact(&self, python: &Python, release: &Path) -> Result<bool> {
        let checksums = python.checksums(release, self.paths())?;
        Ok(self
            .stamp(release)
            .is_some_and(|stamp| stamp.files == checksums))
    }

    /// Downloads and unpacks the files into `partial`, then renames them into `release`.
    pub(super) fn install(&self, python: &Python, partial: &Path, release: &Path) -> Result<()> {
        let wheel = python.download(&self.requirement(), partial)?;
        let unpacked = partial.join("unpacked");
        let files = python.unpack(&wheel, &unpacked, self.members)?;
        let stamp = Stamp {
            package: self.package.into(),
            version: self.version.into(),
            files,
        };
        for path in self.paths() {
            check_that_it_runs(&unpacked.join(path))?;
        }
        let new_stamp = partial.join("stamp");
        fs::write(&new_stamp, stamp.to_string())?;
        // The stamp is removed first and written last: while files change there is none.
        let stamp_path = self.stamp_path(release);
        let _ = fs::remove_file(&stamp_path);
        for path in self.paths() {
            rename(&unpacked.join(path), &release.join(path))?;
        }
        rename(&new_stamp, &stamp_path)
    }

    fn paths(&self) -> impl Iterator<Item = &'static str> {
        self.members.iter().map(|&(_, path)| path)
    }

    fn stamp_path(&self, release: &Path) -> PathBuf {
        release.join("stamps").join(self.package)
    }

    fn stamp(&self, release: &Path) -> Option<Stamp> {
        Stamp::parse(&fs::read_to_string(self.stamp_path(release)).ok()?)
    }

    /// Returns the line of a requirements file that pins this package.
    fn requirement(&self) -> String {
        let Self {
            package, version, ..
        } = self;
        let hashes = self.sha256.map(|hash| format!(" --hash=sha256:{hash}"));
        format!("{package}=={version}{}\n", hashes.concat())
    }
}

/// Runs a program once, so that an incompatible libc is reported here, and not by a failing kernel.
fn check_that_it_runs(file: &Path) -> Result<()> {
    if !file.parent().is_some_and(|folder| folder.ends_with("bin")) {
        return Ok(());
    }
    let mut tool = Command::new(file);
    tool.arg("--version").stdout(Stdio::null());
    let status = tool
        .status()
        .with_context(|| format!("`{}` does not run on this machine", file.display()))?;
    if !status.success() {
        bail!("`{} --version` failed: {status}", file.display());
    }
    Ok(())
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    let parent = to.parent().expect("a file in the release folder");
    fs::create_dir_all(parent)?;
    fs::rename(from, to).with_context(|| format!("could not write `{}`", to.display()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tools::RELEASE;

    #[test]
    fn the_release_names_the_assembler_and_the_toolkit() {
        let version = |package| {
            let wheel = PINNED.iter().find(|wheel| wheel.package == package);
            wheel.expect("a pinned package").version
        };
        let assembler = version("nvidia-cuda-nvcc-cu12");
        let toolkit = version("nvidia-cuda-nvcc");
        assert_eq!(RELEASE, format!("ptxas-{assembler}-cuda-{toolkit}"));
    }

    #[test]
    fn no_two_packages_install_the_same_file() {
        let paths: Vec<_> = PINNED.iter().flat_map(Wheel::paths).collect();
        let distinct: BTreeSet<_> = paths.iter().collect();
        assert_eq!(paths.len(), distinct.len());
    }

    #[test]
    fn requirements_pin_version_and_hashes() {
        for wheel in PINNED {
            let requirement = wheel.requirement();
            assert!(requirement.starts_with(&format!("{}=={} ", wheel.package, wheel.version)));
            assert_eq!(requirement.matches("--hash=sha256:").count(), 2);
        }
    }

    #[test]
    fn a_wheel_is_unpacked_and_a_changed_file_is_noticed() {
        let python = Python::default();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let release = folder.path();
        let member = [("RECORD", "bin/tool")];
        // An archive with one stored member, and nothing else that a wheel has.
        let archive = release.join("a.whl");
        let write =
            "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').writestr('RECORD', 'text')";
        let mut zip = Command::new("python3");
        zip.args(["-c", write]).arg(&archive);
        crate::process::run(&mut zip).expect("an archive");
        let files = python.unpack(&archive, release, &member).expect("unpacks");
        assert_eq!(
            (files[0].bytes, files[0].sha256.as_str()),
            (
                4,
                "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"
            )
        );
        let again = || python.checksums(release, ["bin/tool"].into_iter());
        assert_eq!(again().expect("reads"), files);
        fs::write(release.join("bin/tool"), "test").expect("writes");
        assert_ne!(again().expect("reads"), files);
    }
}
