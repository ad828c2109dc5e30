//! What rust-analyzer is given has types: rustc checks the copies of all kernels in the examples
//! and in the programs of `ui-tests/pass`, with the variable set that rust-analyzer sets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The variable, as rust-analyzer sets it.
const VARIABLE: &str = "RUST_ANALYZER_INTERNALS_DO_NOT_USE";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The libraries that examples link to, by name, built in the profile of the tests.
fn libraries() -> BTreeMap<String, PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--examples", "--message-format=json"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let output = cargo.current_dir(root()).output().expect("cargo starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("cargo writes JSON");
    let mut libraries = BTreeMap::new();
    // Of each message no more than the names of files is of interest.
    for name in text.split('"').filter(|name| name.ends_with(".rlib")) {
        let path = PathBuf::from(name);
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.and_then(|stem| stem.strip_prefix("lib"));
        let Some(stem) = stem else { continue };
        let name = stem.rsplit_once('-').map_or(stem, |(name, _)| name);
        libraries.insert(name.to_owned(), path);
    }
    libraries
}

/// Has rustc check one program.
fn check(program: &Path, libraries: &BTreeMap<String, PathBuf>, out: &Path) -> Output {
    let mut rustc = Command::new("rustc");
    rustc
        .env(VARIABLE, "1")
        .args(["--edition=2024", "--crate-type=bin", "--emit=metadata"])
        .arg("--out-dir")
        .arg(out)
        .arg(program);
    for (name, path) in libraries {
        if ["tile_kernel", "fastrand", "indicatif"].contains(&name.as_str()) {
            rustc.arg(format!("--extern={name}={}", path.display()));
        }
        let folder = path.parent().expect("a file is in a folder");
        rustc.arg(format!("-Ldependency={}", folder.join("deps").display()));
        rustc.arg(format!("-Ldependency={}", folder.display()));
    }
    rustc.output().expect("rustc starts")
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut programs: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .map(|path| {
            if path.is_dir() {
                path.join("main.rs")
            } else {
                path
            }
        })
        .filter(|path| path.extension().is_some_and(|end| end == "rs") && path.exists())
        .collect();
    programs.sort();
    programs
}

#[test]
fn copies_of_kernels_have_types() {
    let libraries = libraries();
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust_analyzer");
    std::fs::create_dir_all(&out).expect("the folder for tests can be written to");
    let programs = [programs("examples"), programs("ui-tests/pass")].concat();
    assert!(programs.len() >= 7, "{programs:?}");
    let mut faults = Vec::new();
    for program in programs {
        let output = check(&program, &libraries, &out);
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            faults.push(format!("{}:\n{text}", program.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));

    // Functions and structs of the author's own have types too, and a kernel of the wrong types is
    // found by rustc, as it is by rust-analyzer.
    for (name, text, is_sound) in [("helpers", HELPERS, true), ("wrong", WRONG, false)] {
        let program = out.join(name).with_extension("rs");
        std::fs::write(&program, text).expect("the folder for tests can be written to");
        let output = check(&program, &libraries, &out);
        let text = String::from_utf8_lossy(&output.stderr);
        if is_sound {
            assert!(output.status.success(), "{text}");
        } else {
            assert!(text.contains("found `Tile<f32, 1>`"), "{text}");
        }
    }
}

const HELPERS: &str = r"
use tile_kernel::prelude::*;

#[tile_fn]
fn gelu(x: Tile<f32, { [64] }>) -> Tile<f32, { [64] }> {
    let inner = 0.797_884_6 * (x + 0.044_715 * x * x * x);
    0.5 * x * (1.0 + inner.tanh())
}

#[tile_fn]
fn twice<T: Element>(x: T) -> T {
    x + x
}

#[tile_kernel]
mod kernels {
    const N: usize = 64;

    fn halves(x: Tile<f32, { [N] }>) -> (Tile<f32, { [N] }>, Tile<bool, { [N] }>) {
        (x / 2.0, x > 0.0)
    }

    #[tile_kernel(grid = y.tiles([N]))]
    pub fn activate(y: &mut Tensor<f32, 1>, factor: f32) {
        let x = y.load([block_id(0)], [N]);
        let (half, positive) = halves(super::gelu(x));
        y.store([block_id(0)], select(positive, half * super::twice(factor), 0.0));
    }
}

fn main() -> tile_kernel::Result<()> {
    let mut y = Tensor::full(&Device::cpu(), [100], 1.0)?;
    kernels::activate(&mut y, 3.0).launch()
}
";

const WRONG: &str = r"
use tile_kernel::prelude::*;

#[tile_kernel(grid = c.tiles([64]))]
fn k(c: &mut Tensor<f32, 1>) {
    let t: i32 = c.load([0], [64]);
}

fn main() {}
";
