//! A folder outside of the repository, in which packages are used as if they came from the registry.
//!
//! - Nothing of the repository is in it but the packages, and what is made from a template.
//! - `.cargo/config.toml` patches the registry with the unpacked packages, so that manifests are those of users.
//! - No LLVM can be linked, and there is none for documentation.

use std::env;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use super::archive;
use super::published::Package;
use super::template;
use crate::{process, workspace};

/// A path at which nothing is.
const NOWHERE: &str = "/nowhere";

/// The name of the crate that is made from the template.
const GENERATED: [(&str, &str); 2] = [("project-name", "my-kernels"), ("crate_name", "my_kernels")];

/// The folder, which is removed at the end.
pub(super) struct Outside {
    folder: TempDir,
    is_offline: bool,
}

/// The permission for cargo to use the network.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Network {
    Used,
    Off,
}

impl Outside {
    pub(super) fn new(network: Network) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("tile-kernel-").tempdir()?;
        let is_inside = folder.path().starts_with(workspace::root());
        ensure!(
            !is_inside,
            "the folder for temporary files is in the repository: set `TMPDIR` to another one"
        );
        let is_offline = network == Network::Off;
        Ok(Self { folder, is_offline })
    }

    /// Returns the folder in which everything is built.
    pub(super) fn target(&self) -> PathBuf {
        self.folder.path().join("target")
    }

    /// Returns the folder of the unpacked packages.
    pub(super) fn packages(&self) -> PathBuf {
        self.folder.path().join("packages")
    }

    fn package(&self, package: &Package) -> PathBuf {
        self.packages().join(package.stem())
    }

    /// Makes cargo take the unpacked packages in place of those in the registry.
    pub(super) fn patch(&self, packages: &[Package]) -> Result<()> {
        let mut config = format!(
            "[build]\ntarget-dir = '{}'\n\n[patch.crates-io]\n",
            self.target().display()
        );
        // Nothing depends on a program.
        for package in packages.iter().filter(|it| it.is_library()) {
            let path = self.package(package);
            let path = path.display();
            writeln!(config, "{} = {{ path = '{path}' }}", package.name)?;
        }
        let file = self.folder.path().join(".cargo/config.toml");
        fs::create_dir_all(file.parent().expect("it is in a folder"))?;
        fs::write(file, config)?;
        Ok(())
    }

    /// Has cargo do without the network and without an LLVM to link.
    pub(super) fn restrict(&self, cargo: &mut Command) {
        cargo.env("LLVM_SYS_221_PREFIX", NOWHERE);
        cargo.env("CARGO_TERM_COLOR", "never");
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0");
        if self.is_offline {
            cargo.env("CARGO_NET_OFFLINE", "true");
        }
    }

    fn cargo(
        &self,
        folder: &Path,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Command {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.arg("--quiet").args(arguments).current_dir(folder);
        cargo.env_remove("CARGO_TARGET_DIR").env_remove("TILE_ARCH");
        self.restrict(&mut cargo);
        cargo
    }

    /// Builds and runs the program of the README in a new crate, and documents that crate.
    pub(super) fn run_readme(&self, facade: &Package) -> Result<()> {
        let readme = fs::read_to_string(self.package(facade).join("README.md"))?;
        let program = first_program(&readme).context("the README has no program")?;
        let folder = self.folder.path().join("first-kernel");
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("src/main.rs"), program)?;
        let version = &facade.version;
        let manifest = format!(
            "[package]\nname = \"first-kernel\"\nedition = \"2024\"\n\n[dependencies]\n{} = \"{version}\"\n",
            facade.name
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        step("README: cargo run", || {
            process::run(self.cargo(&folder, ["run"]).env("TILE_DEVICE", "cpu"))?;
            let program = fs::read(self.target().join("debug/first-kernel"))?;
            let ptx = b".target sm_80";
            let has_ptx = program.windows(ptx.len()).any(|it| it == ptx);
            ensure!(
                has_ptx,
                "the program of the README holds no GPU code: `cargo run -p tilec -- doctor` says why"
            );
            Ok(())
        })?;
        step("README: cargo doc, without LLVM", || {
            self.document(&folder, &[])
        })
    }

    /// Makes a crate from the template, and does what its CI does.
    pub(super) fn test_template(&self, facade: &Package) -> Result<()> {
        let folder = self.folder.path().join("my-kernels");
        let dependency = format!("version = \"{}\"", facade.version);
        let mut values = GENERATED.to_vec();
        values.push(("tile_kernel", &dependency));
        values.push(("architectures", "sm_80,sm_90a"));
        let root = workspace::root();
        template::render(&root.join("templates/kernel-crate"), &folder, &values)?;
        let commands: [&[&str]; 4] = [
            &["fmt", "--check"],
            &["clippy", "--all-targets", "--", "-D", "warnings"],
            &["test"],
            &["run"],
        ];
        for arguments in commands {
            step(&format!("template: cargo {}", arguments.join(" ")), || {
                process::run(self.cargo(&folder, arguments).env("TILE_DEVICE", "cpu"))
            })?;
        }
        step("template: TILE_DEVICE=sim cargo test", || {
            process::run(self.cargo(&folder, ["test"]).env("TILE_DEVICE", "sim"))
        })
    }

    /// Documents each library in its package, with the arguments of docs.rs, and checks the examples.
    pub(super) fn document_packages(&self, packages: &[Package]) -> Result<()> {
        for package in packages.iter().filter(|it| it.is_library()) {
            let folder = self.package(package);
            let before = archive::files(&folder)?;
            step(
                &format!("{}: cargo doc, without LLVM", package.name),
                || self.document(&folder, &package.docs_arguments()),
            )?;
            // On docs.rs the sources cannot be written.
            let mut after = archive::files(&folder)?;
            let lock = Path::new("Cargo.lock");
            after.retain(|path, _| path != lock);
            ensure!(
                before
                    .into_iter()
                    .filter(|(path, _)| path != lock)
                    .eq(after),
                "documenting `{}` changed its sources",
                package.name
            );
            if folder.join("examples").is_dir() {
                step(&format!("{}: cargo check --examples", package.name), || {
                    process::run(&mut self.cargo(&folder, ["check", "--examples"]))
                })?;
            }
        }
        Ok(())
    }

    fn document(&self, folder: &Path, arguments: &[String]) -> Result<()> {
        let mut cargo = self.cargo(folder, ["doc", "--no-deps"]);
        cargo.args(arguments).env("RUSTDOCFLAGS", "-D warnings");
        process::run(cargo.env("TILE_LLVM", NOWHERE))
    }
}

/// Runs a step, and prints what it was and how long it took.
fn step(name: &str, run: impl FnOnce() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    let result = run().with_context(|| name.to_owned());
    if result.is_ok() {
        println!(
            "package: {name}: ok, {:.1} s",
            start.elapsed().as_secs_f64()
        );
    }
    result
}

/// Returns the first Rust program of a page.
pub(crate) fn first_program(page: &str) -> Result<&str> {
    let Some((_, rest)) = page.split_once("```rust\n") else {
        bail!("no code in Rust");
    };
    let (program, _) = rest.split_once("```").context("code without an end")?;
    Ok(program)
}
