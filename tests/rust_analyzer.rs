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

    // A kernel of the wrong types is found by rustc, as it is by rust-analyzer.
    let wrong = out.join("wrong.rs");
    let text = "use tile_kernel::prelude::*;\n\
        #[tile_kernel(grid = c.tiles([64]))]\n\
        fn k(c: &mut Tensor<f32, 1>) { let t: i32 = c.load([0], [64]); }\n\
        fn main() {}\n";
    std::fs::write(&wrong, text).expect("the folder for tests can be written to");
    let output = check(&wrong, &libraries, &out);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains("E0308") && text.contains("found `Tile<f32, 1>`"),
        "{text}"
    );
}
