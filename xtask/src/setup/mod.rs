//! Installs the tools that the build and the tests need.
//!
//! It needs a machine with Rust, a C linker, and Python with pip. It installs the NVIDIA tools where
//! [`crate::tools`] says, and the Python packages that tests compare with. LLVM 22 comes with rustc;
//! where it does not, apt installs it.
//!
//! - It prints one line for each installation, and is idempotent.
//! - Nothing outside the project's cache is touched, except by apt.
//! - A tool is complete or absent, even if the machine stops half-way.

mod apt;
pub(crate) mod docs;
mod llvm;
mod optional;
mod packages;
mod python;
mod stamp;
mod wheel;

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use anyhow::{Context, Result, bail};

pub(crate) use self::optional::{NVCC, NVRTC, Optional, PYTORCH};
use self::python::Python;
use self::wheel::Use;
use crate::tools;

/// The set of tools to install.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The tools that compile kernels.
    Build,
    /// These, and the tools that the tests compare with.
    Everything,
}

/// Options of `cargo xtask setup`.
#[derive(Default, clap::Args)]
pub(crate) struct Options {
    /// Compare the checksums of the tools, not only their versions and sizes
    #[arg(long)]
    verify: bool,
    /// Install LLVM with its static libraries too, for the feature `static-llvm`
    #[arg(long)]
    static_llvm: bool,
}

pub(crate) fn run(scope: Scope, options: &Options) -> Result<()> {
    llvm::ensure_shared()?;
    if options.static_llvm {
        llvm::ensure_static()?;
    }
    let overridden = |name: &&str| env::var_os(name).is_some_and(|path| !path.is_empty());
    if tools::OVERRIDES.iter().all(overridden) {
        println!(
            "setup: {} are set, no tool is downloaded",
            tools::OVERRIDES.join(", ")
        );
        return Ok(());
    }
    Tools::open()?.ensure(scope, options)
}

/// Installs a package that few tests need, if it is missing. Returns the folder for `PYTHONPATH`.
pub(crate) fn optional(package: Optional) -> Result<PathBuf> {
    let tools = Tools::open()?;
    let folder = package.folder(&tools.cache);
    let wanted = package.stamp(&tools.python)?;
    if Optional::is_installed(&folder, &wanted) {
        println!("setup: {} present", package.pin);
        return Ok(folder);
    }
    println!(
        "setup: {}: downloading ({} MB)",
        package.pin, package.megabytes
    );
    let partial = Partial::create(&tools.cache, package.name)?;
    package.install(&tools.python, &partial.0, &folder, &wanted)?;
    println!("setup: {} installed", package.pin);
    Ok(folder)
}

/// Lets a command find the Python packages of the tests, and those in these folders.
pub(crate) fn find_python_packages(command: &mut Command, folders: &[&Path]) -> Result<()> {
    let installed = tools::current_link(&tools::cache_dir()?).join(packages::FOLDER);
    let inherited = env::var_os("PYTHONPATH").unwrap_or_default();
    let paths = [installed]
        .into_iter()
        .chain(folders.iter().map(|folder| folder.to_path_buf()))
        .chain(env::split_paths(&inherited));
    let paths = env::join_paths(paths).context("join the paths of Python's packages")?;
    command.env("PYTHONPATH", paths);
    Ok(())
}

/// The folder of the tools, during installation.
struct Tools {
    cache: PathBuf,
    python: Python,
}

impl Tools {
    fn open() -> Result<Self> {
        if env::consts::OS != "linux" {
            bail!(
                "NVIDIA publishes its assembler for Linux only: set {} to tools of your own",
                tools::OVERRIDES.join(", ")
            );
        }
        let cache = tools::cache_dir()?;
        let release = tools::release_dir(&cache);
        fs::create_dir_all(release.join("bin"))
            .with_context(|| format!("could not create `{}`", release.display()))?;
        Partial::remove_abandoned(&cache)?;
        let python = Python::default();
        Ok(Self { cache, python })
    }

    fn ensure(&self, scope: Scope, options: &Options) -> Result<()> {
        for wheel in wheel::PINNED
            .iter()
            .filter(|wheel| wheel.used == Use::Build)
        {
            self.ensure_wheel(wheel, options)?;
        }
        self.point_current_here()?;
        if scope == Scope::Build {
            return Ok(());
        }
        for wheel in wheel::PINNED
            .iter()
            .filter(|wheel| wheel.used == Use::Tests)
        {
            self.ensure_wheel(wheel, options)?;
        }
        self.ensure_packages()
    }

    /// Installs the Python packages; if they are missing, their tests are skipped with a message.
    fn ensure_packages(&self) -> Result<()> {
        let release = tools::release_dir(&self.cache);
        let names = packages::names();
        if packages::is_installed(&self.python, &release)? {
            println!("setup: {names} present");
            return Ok(());
        }
        println!("setup: {names}: downloading (24 MB)");
        let partial = Partial::create(&self.cache, "packages")?;
        // Some versions of Python have no wheels, which must not prevent the installation of the
        // tools.
        match packages::install(&self.python, &partial.0, &release) {
            Ok(()) => println!("setup: {names} installed"),
            Err(error) => println!("setup: {names} not installed, which tests will say: {error:#}"),
        }
        Ok(())
    }

    fn ensure_wheel(&self, wheel: &wheel::Wheel, options: &Options) -> Result<()> {
        let release = tools::release_dir(&self.cache);
        if wheel.is_present(&release) && (!options.verify || self.is_intact(wheel, &release)?) {
            println!("setup: {} {} present", wheel.tools(), wheel.version);
            return Ok(());
        }
        println!(
            "setup: {} {}: downloading {} ({} MB)",
            wheel.tools(),
            wheel.version,
            wheel.package,
            wheel.megabytes
        );
        let partial = Partial::create(&self.cache, wheel.package)?;
        wheel
            .install(&self.python, &partial.0, &release)
            .with_context(|| format!("could not install `{}`", wheel.package))?;
        println!("setup: {} {} installed", wheel.tools(), wheel.version);
        Ok(())
    }

    fn is_intact(&self, wheel: &wheel::Wheel, release: &Path) -> Result<bool> {
        let intact = wheel.is_intact(&self.python, release)?;
        if !intact {
            println!("setup: {} does not match its checksum", wheel.tools());
        }
        Ok(intact)
    }

    /// Switches `tools/current` to this set of tools in one step.
    fn point_current_here(&self) -> Result<()> {
        let link = tools::current_link(&self.cache);
        if fs::read_link(&link).is_ok_and(|target| target == Path::new(tools::RELEASE)) {
            return Ok(());
        }
        let fresh = link.with_file_name(format!(".current-{}", process::id()));
        let switch = || -> std::io::Result<()> {
            let _ = fs::remove_file(&fresh);
            symlink(tools::RELEASE, &fresh)?;
            fs::rename(&fresh, &link)
        };
        switch().with_context(|| {
            format!(
                "could not make `{}` a link to `{}`",
                link.display(),
                tools::RELEASE
            )
        })?;
        println!("setup: {} is {}", link.display(), tools::RELEASE);
        Ok(())
    }
}

/// A temporary folder beside the tools, which is removed when the value is dropped. It is on the
/// same file system, so that its files can be renamed into place.
struct Partial(PathBuf);

impl Partial {
    const PREFIX: &str = ".partial-";

    fn create(cache: &Path, package: &str) -> Result<Self> {
        let name = format!("{}{package}-{}", Self::PREFIX, process::id());
        let path = cache.join("tools").join(name);
        fs::create_dir_all(&path)
            .with_context(|| format!("could not create `{}`", path.display()))?;
        Ok(Self(path))
    }

    /// Removes the folders of killed processes: the process number is the last part of the name,
    /// and no such process exists now.
    fn remove_abandoned(cache: &Path) -> Result<()> {
        for entry in fs::read_dir(cache.join("tools"))? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let owner = name
                .strip_prefix(Self::PREFIX)
                .and_then(|rest| rest.rsplit('-').next());
            if owner.is_some_and(|id| !Path::new("/proc").join(id).exists()) {
                drop(Self(entry.path()));
            }
        }
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // A folder that cannot be removed does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools_in(cache: &Path) -> Tools {
        fs::create_dir_all(tools::release_dir(cache)).expect("creates");
        Tools {
            cache: cache.into(),
            python: Python::default(),
        }
    }

    #[test]
    fn python_finds_the_packages_of_the_tests_before_others() {
        let mut command = Command::new("python3");
        find_python_packages(&mut command, &[Path::new("/pytorch")]).expect("joins");
        let variable = command
            .get_envs()
            .find_map(|(name, value)| value.filter(|_| name == "PYTHONPATH"));
        let folders: Vec<PathBuf> = env::split_paths(variable.expect("it is set")).collect();
        let installed = tools::current_link(&tools::cache_dir().expect("a cache"));
        assert_eq!(folders[..2], [installed.join("python"), "/pytorch".into()]);
    }

    #[test]
    fn current_is_switched_from_an_older_set_of_tools() {
        let cache = tempfile::tempdir().expect("a temporary folder");
        let tools = tools_in(cache.path());
        let link = tools::current_link(cache.path());
        symlink("older", &link).expect("links");
        for _ in 0..2 {
            tools.point_current_here().expect("switches");
            assert_eq!(
                fs::read_link(&link).expect("a link"),
                Path::new(tools::RELEASE)
            );
        }
    }

    #[test]
    fn a_partial_folder_is_removed() {
        let cache = tempfile::tempdir().expect("a temporary folder");
        let partial = Partial::create(cache.path(), "some-package").expect("creates");
        let path = partial.0.clone();
        fs::write(path.join("file"), "text").expect("writes");
        drop(partial);
        assert!(!path.exists());
    }

    #[test]
    fn only_the_folders_of_dead_processes_are_removed() {
        let cache = tempfile::tempdir().expect("a temporary folder");
        let mine = Partial::create(cache.path(), "some-package").expect("creates");
        // The process number is above the largest one that Linux assigns.
        let abandoned = cache.path().join("tools/.partial-some-package-4194305");
        fs::create_dir(&abandoned).expect("creates");
        let other = cache.path().join("tools/ptxas-4194305");
        fs::create_dir(&other).expect("creates");
        Partial::remove_abandoned(cache.path()).expect("reads");
        assert!(mine.0.exists());
        assert!(other.exists());
        assert!(!abandoned.exists());
    }
}
