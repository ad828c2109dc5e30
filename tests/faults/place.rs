//! A crate in a folder of its own, built by rustc on a machine where something is wrong.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

/// Two kernels, which the program runs on the CPU device.
const SOURCE: &str = r#"
use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]), arch("sm_80"))]
fn double(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], x.load([i], [64]) * 2.0);
}

#[tile_kernel(grid = y.tiles([64]), arch("sm_80"))]
fn halve(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], x.load([i], [64]) * 0.5);
}

fn main() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let x = Tensor::from_slice(&device, &[1.0, 2.0], [2])?;
    let mut y = Tensor::zeros(&device, [2])?;
    double(&x, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [2.0, 4.0]);
    halve(&x, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [0.5, 1.0]);
    Ok(())
}
"#;

/// A kernel with inline PTX, which `ptxas` reads before anything is compiled.
const INLINE: &str = r#"
use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]), arch("sm_80"))]
fn negate(y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    let x = y.load([i], [64]);
    let z = unsafe { ptx!("neg.f32 {z}, {x};", z = out(f32), x = in(x), options(pure)) };
    y.store([i], z);
}

fn main() {}
"#;

/// Folders in which packages install LLVM.
const INSTALLED: [&str; 9] = [
    "/usr/lib/llvm-22/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib/llvm22/lib",
    "/usr/lib64/llvm22/lib",
    "/usr/lib64",
    "/usr/lib",
    "/usr/local/lib",
    "/usr/local/lib64",
];

/// The name of the crate, which warnings contain.
const NAME: &str = "demo";

/// A crate, and what is wrong where it is built.
pub(crate) struct Place {
    folder: tempfile::TempDir,
    variables: Vec<(&'static str, OsString)>,
    rules: String,
}

impl Place {
    /// Writes a crate with two kernels. Nothing is wrong, but that there is no `ptxas` and no cache.
    pub(crate) fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().expect("a folder"),
            variables: Vec::new(),
            rules: String::new(),
        };
        place.write("main.rs", SOURCE);
        place
    }

    /// Replaces the kernels by one with inline PTX.
    pub(crate) fn with_inline_ptx(&mut self) {
        self.write("main.rs", INLINE);
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and returns its path.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        let folder = path.parent().expect("it is in our folder");
        fs::create_dir_all(folder).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }

    /// Writes a program of commands for a shell, and returns its path.
    pub(crate) fn script(&self, name: &str, commands: &str) -> PathBuf {
        let path = self.write(name, format!("#!/bin/sh\n{commands}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("our file");
        path
    }

    /// Compiles a library from C, and returns its path.
    pub(crate) fn library(&self, name: &str, source: &str) -> PathBuf {
        let text = self.write("library.c", source);
        let path = self.path(name);
        cc(&[], &text, &path);
        path
    }

    /// Compiles a library that needs another one of this folder.
    pub(crate) fn library_with(&self, name: &str, source: &str, needed: &str) -> PathBuf {
        let text = self.write("library.c", source);
        let path = self.path(name);
        let folder = format!("-L{}", self.folder.path().display());
        cc(&[&folder, &format!("-l:{needed}")], &text, &path);
        path
    }

    pub(crate) fn set(&mut self, variable: &'static str, value: impl Into<OsString>) {
        self.unset(variable);
        self.variables.push((variable, value.into()));
    }

    pub(crate) fn unset(&mut self, variable: &str) {
        self.variables.retain(|(name, _)| *name != variable);
    }

    /// Adds a rule of `shim.c` for a path.
    pub(crate) fn rule(&mut self, kind: &str, path: &Path) {
        let _ = writeln!(self.rules, "{kind}\t{}", path.display());
    }

    /// Makes rustc one that has mapped these libraries, and hides those of packages.
    pub(crate) fn without_llvm(&mut self, mapped: &[&str]) {
        for folder in INSTALLED {
            self.rule("unlisted", Path::new(folder));
        }
        self.with_mapped(mapped);
    }

    /// Makes rustc one that has mapped these libraries.
    pub(crate) fn with_mapped(&mut self, mapped: &[&str]) {
        let line = |path: &&str| format!("7f00-7f01 r-xp 00000000 fe:00 42  {path}\n");
        let driver = "/toolchain/lib/librustc_driver-6108105cd7e839cf.so";
        let maps: String = std::iter::once(&driver).chain(mapped).map(line).collect();
        let file = self.write("maps", maps);
        let _ = writeln!(self.rules, "replaced\t/proc/self/maps\t{}", file.display());
    }

    /// Keeps artifacts in a folder of this crate, since there can be none in the target folder. Returns the folder.
    pub(crate) fn with_cache(&mut self) -> PathBuf {
        let target = target();
        let profile = target.parent().expect("a profile is in the target folder");
        self.rule("absent", &profile.join("tile-kernel"));
        self.set("TILE_CACHE", "");
        self.path("cache")
    }

    fn command(&self, program: &str) -> Command {
        let target = target();
        let mut rustc = Command::new("rustc");
        rustc
            .args(["--edition=2024", "-Cdebuginfo=0", "main.rs", "-o", program])
            .arg(format!("--crate-name={NAME}"))
            .arg(format!(
                "--extern=tile_kernel={}",
                facade(&target).display()
            ))
            .arg(format!("-Ldependency={}", target.join("deps").display()))
            .current_dir(self.folder.path())
            .env("CARGO_MANIFEST_DIR", self.folder.path())
            .env("CARGO_CRATE_NAME", NAME)
            .env("LC_ALL", "C")
            // A worker that is killed leaves its temporary files.
            .env("TMPDIR", self.folder.path())
            .env("TILE_CACHE", "off")
            .env("TILE_KERNEL_CACHE", self.path("cache"));
        for (name, _) in env::vars_os() {
            let is_ours = |name: &str| name.starts_with("TILE_") && name != "TILE_CACHE";
            if name.to_str().is_some_and(is_ours) && name != "TILE_KERNEL_CACHE" {
                rustc.env_remove(name);
            }
        }
        if !self.rules.is_empty() {
            // The linker reads the folders that are hidden.
            let linker = self.script("linker", "unset LD_PRELOAD\nexec cc \"$@\"");
            rustc
                .arg(format!("-Clinker={}", linker.display()))
                .env("LD_PRELOAD", shim())
                .env("FAULTS", &self.rules);
        }
        rustc.envs(self.variables.iter().map(|(name, value)| (name, value)));
        rustc
    }

    /// Builds the crate with rustc, as cargo does.
    pub(crate) fn build(&self) -> Output {
        let output = self.command(NAME).output();
        output.expect("rustc starts")
    }

    /// Starts a build whose program has this name.
    pub(crate) fn start(&self, program: &str) -> Child {
        let mut rustc = self.command(program);
        rustc.stdout(Stdio::piped()).stderr(Stdio::piped());
        rustc.spawn().expect("rustc starts")
    }

    /// Builds the crate, which must succeed.
    pub(crate) fn built(&self) {
        let output = self.build();
        assert!(output.status.success(), "{}", text(&output));
    }

    /// Runs the program, and returns `true` if it holds code for GPUs.
    pub(crate) fn run(&self) -> bool {
        let program = self.path(NAME);
        let status = Command::new(&program).status().expect("it starts");
        assert!(status.success(), "the kernels compute something else");
        let bytes = fs::read(program).expect("the program");
        let code = b".target sm_80";
        bytes.windows(code.len()).any(|window| window == code)
    }

    /// Lists all files below a folder, in order.
    pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.expect("a readable folder").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push(path);
                }
            }
        }
        files.sort();
        files
    }

    /// Replaces what differs between machines and runs.
    pub(crate) fn neutral(&self, text: &str) -> String {
        let folder = self.folder.path().display().to_string();
        let mut text = text.replace(&folder, "<folder>");
        if let Some((before, rest)) = text.split_once("/.tmp") {
            let name = rest.find(|letter: char| !letter.is_ascii_alphanumeric());
            text = format!("{before}/.tmp..{}", &rest[name.unwrap_or(rest.len())..]);
        }
        if let Some((before, rest)) = text.split_once(".artifact`")
            && let Some((name, _)) = before.rsplit_once('-')
        {
            text = format!("{name}-<hash>.artifact`{rest}");
        }
        text
    }
}

/// Compiles a library.
fn cc(options: &[&str], source: &Path, library: &Path) {
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(library)
        .arg(source)
        .args(options)
        .status()
        .expect("Rust needs a C linker");
    assert!(status.success());
}

/// Compiles `shim.c` once, and returns the library.
fn shim() -> &'static Path {
    static SHIM: OnceLock<PathBuf> = OnceLock::new();
    SHIM.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let own = folder.join(format!("faults-{}.so", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.c");
        cc(&["-O1", "-Wall", "-Werror", "-ldl"], &source, &own);
        // Runs at the same time share the file.
        let library = folder.join("faults.so");
        fs::rename(own, &library).expect("a file");
        library
    })
}

/// Returns the folder in which the tests of the workspace were built.
fn target() -> PathBuf {
    let test = env::current_exe().expect("this program");
    let deps = test.parent().expect("it is in `deps`");
    deps.parent().expect("`deps` is in a folder").to_owned()
}

/// Returns the newest library of the facade that cargo built there.
fn facade(target: &Path) -> PathBuf {
    let entries = fs::read_dir(target.join("deps")).expect("the folder");
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

/// Returns the LLVM 22 that a package has installed.
pub(crate) fn installed_llvm() -> Option<PathBuf> {
    let files = INSTALLED.map(|folder| Path::new(folder).join("libLLVM.so.22.1"));
    files.into_iter().find(|file| file.is_file())
}

/// Returns the `ptxas` of this machine.
pub(crate) fn ptxas() -> Option<PathBuf> {
    let named = |name, rest: &str| env::var_os(name).map(|value| Path::new(&value).join(rest));
    let current = "tools/current/bin/ptxas";
    let cache = named("TILE_KERNEL_CACHE", current)
        .or_else(|| named("XDG_CACHE_HOME", &format!("tile-kernel/{current}")))
        .or_else(|| named("HOME", &format!(".cache/tile-kernel/{current}")));
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|folder| folder.join("ptxas"));
    let own = env::var_os("TILE_PTXAS").map(PathBuf::from);
    let mut places = own.into_iter().chain(cache).chain(on_path);
    places.find(|file| file.is_file())
}

pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
