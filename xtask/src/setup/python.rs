//! Python as the client of `PyPI`: pip downloads, and `wheel.py` unpacks.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::stamp::FileStamp;
use crate::process;

/// Extracts members of a wheel, or computes checksums of files, and prints one [`FileStamp`] per
/// line.
const SCRIPT: &str = include_str!("wheel.py");

/// A Python with pip, which is searched for when it is first needed.
#[derive(Default)]
pub(super) struct Python(OnceCell<&'static str>);

impl Python {
    fn program(&self) -> Result<&'static str> {
        if let Some(program) = self.0.get() {
            return Ok(program);
        }
        let works = |program: &&str| {
            let mut python = Command::new(program);
            python.args(["-m", "pip", "--version"]);
            python.stdout(Stdio::null()).stderr(Stdio::null());
            python.status().is_ok_and(|status| status.success())
        };
        let program = ["python3", "python"]
            .into_iter()
            .find(works)
            .context("Python with pip was not found: install `python3` and `python3-pip`")?;
        Ok(self.0.get_or_init(|| program))
    }

    /// Returns the interpreter command, without arguments.
    pub(super) fn command(&self) -> Result<Command> {
        Ok(Command::new(self.program()?))
    }

    /// Downloads the one wheel that `requirement` pins, hashes included, into the
    /// empty folder `into`.
    pub(super) fn download(&self, requirement: &str, into: &Path) -> Result<PathBuf> {
        let file = into.join("requirements.txt");
        std::fs::write(&file, requirement)?;
        let mut pip = Command::new(self.program()?);
        pip.args(["-m", "pip", "download", "--quiet", "--no-input"])
            .args(["--disable-pip-version-check", "--no-deps"])
            .args(["--only-binary", ":all:", "--require-hashes"])
            .arg("--requirement")
            .arg(&file)
            .arg("--dest")
            .arg(into);
        process::run(&mut pip).context(
            "pip could not download from PyPI: check the network and pip's own configuration, \
             or set `TILE_PTXAS` and `TILE_FATBINARY` to tools of your own",
        )?;
        let wheels = std::fs::read_dir(into)?
            .map(|entry| Ok(entry?.path()))
            .filter(is_wheel)
            .collect::<Result<Vec<_>>>()?;
        match <[PathBuf; 1]>::try_from(wheels) {
            Ok([wheel]) => Ok(wheel),
            Err(wheels) => bail!("pip downloaded {} wheels, not one", wheels.len()),
        }
    }

    /// Installs the wheels that `requirements` pins, hashes included, into the folder `into`;
    /// `scratch` is a folder for temporary files.
    pub(super) fn install(&self, requirements: &str, scratch: &Path, into: &Path) -> Result<()> {
        let file = scratch.join("requirements.txt");
        std::fs::write(&file, requirements)?;
        let mut pip = self.pip_install(into)?;
        pip.args(["--no-deps", "--require-hashes", "--requirement"]);
        run_pip(pip.arg(&file))
    }

    /// Installs a package with what it depends on, from wheels, into a folder for `PYTHONPATH`.
    pub(super) fn install_with_dependencies(&self, pin: &str, into: &Path) -> Result<()> {
        run_pip(self.pip_install(into)?.arg(pin))
    }

    fn pip_install(&self, into: &Path) -> Result<Command> {
        let mut pip = Command::new(self.program()?);
        pip.args(["-m", "pip", "install", "--quiet", "--no-input"])
            .args(["--disable-pip-version-check", "--only-binary", ":all:"])
            .arg("--target")
            .arg(into);
        Ok(pip)
    }

    /// Returns the version and the platform, which determine the wheels that fit.
    pub(super) fn version(&self) -> Result<String> {
        let mut python = Command::new(self.program()?);
        python.args([
            "-c",
            "import sysconfig; print(sysconfig.get_config_var('SOABI'))",
        ]);
        let output = python.stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            bail!("Python did not say its version: {}", output.status);
        }
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// Extracts `members` of `wheel`, pairs of a name in the wheel and a path below `into`.
    pub(super) fn unpack(
        &self,
        wheel: &Path,
        into: &Path,
        members: &[(&str, &str)],
    ) -> Result<Vec<FileStamp>> {
        let mut python = self.script("unpack")?;
        python.arg(wheel).arg(into);
        python.args(members.iter().flat_map(|&(name, path)| [name, path]));
        stamps(&mut python)
    }

    /// Computes the stamps of the files at `paths` below `folder`.
    pub(super) fn checksums<'a>(
        &self,
        folder: &Path,
        paths: impl Iterator<Item = &'a str>,
    ) -> Result<Vec<FileStamp>> {
        let mut python = self.script("checksums")?;
        python.arg(folder).args(paths);
        stamps(&mut python)
    }

    fn script(&self, verb: &str) -> Result<Command> {
        let mut python = Command::new(self.program()?);
        python.args(["-I", "-c", SCRIPT, verb]);
        Ok(python)
    }
}

fn is_wheel(path: &Result<PathBuf>) -> bool {
    path.as_ref()
        .is_ok_and(|path| path.extension().is_some_and(|extension| extension == "whl"))
}

fn stamps(python: &mut Command) -> Result<Vec<FileStamp>> {
    let output = python.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("Python could not read the wheel: {}", output.status);
    }
    let text = String::from_utf8(output.stdout)?;
    let parse = |line: &str| FileStamp::parse(line).context("unexpected output of `wheel.py`");
    text.lines().map(parse).collect()
}
fn run_pip(pip: &mut Command) -> Result<()> {
    process::run(pip)
        .context("pip could not install from PyPI: check the network, and pip's configuration")
}
