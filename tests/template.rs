//! The crate that `cargo generate` makes of `templates/kernel-crate` compiles, runs, and passes its tests.
//!
//! rustc compiles it with the library that the tests of the workspace are linked to; `cargo xtask package` has cargo build it from
//! the packages.

mod library;
#[path = "../xtask/src/package/template.rs"]
mod template;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ARCHITECTURES: &str = "sm_80,sm_90a";

/// Placeholders that `cargo generate` fills in by itself.
const BUILT_IN: [&str; 2] = ["project-name", "crate_name"];

fn template() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/kernel-crate")
}

/// A crate made of the template.
fn generated() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let dependency = format!("path = {:?}", env!("CARGO_MANIFEST_DIR"));
    let values = [
        ("project-name", "my-kernels"),
        ("crate_name", "my_kernels"),
        ("tile_kernel", &dependency),
        ("architectures", ARCHITECTURES),
    ];
    template::render(&template(), folder.path(), &values).expect("every placeholder has a value");
    folder
}

/// Runs a command in the crate, and returns what it printed.
fn run(command: &mut Command, folder: &Path) -> String {
    let output = command.current_dir(folder).output().expect("it starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command:?}:\n{stdout}\n{stderr}");
    stdout.into_owned()
}

/// rustc or rustdoc, as cargo calls them for a crate of this name.
fn compiler(program: &str, folder: &Path, name: &str) -> Command {
    let mut compiler = Command::new(program);
    compiler
        .arg("--edition=2024")
        .arg(format!("--crate-name={name}"))
        .args(library::arguments())
        .env("CARGO_MANIFEST_DIR", folder)
        .env("CARGO_CRATE_NAME", name)
        .env("TILE_ARCH", ARCHITECTURES)
        .env("TILE_DEVICE", "cpu");
    compiler
}

#[test]
fn the_generated_crate_passes_its_tests_and_runs() {
    let folder = generated();
    let folder = folder.path();
    let ours = "--extern=my_kernels=libmy_kernels.rlib";
    let mut lib = compiler("rustc", folder, "my_kernels");
    run(lib.args(["--crate-type=lib", "src/lib.rs"]), folder);

    let mut test = compiler("rustc", folder, "axpy");
    run(test.args(["--test", ours, "tests/axpy.rs"]), folder);
    let mut test = Command::new(folder.join("axpy"));
    let printed = run(test.env("TILE_DEVICE", "cpu"), folder);
    assert!(
        printed.contains("2 passed; 0 failed; 0 ignored"),
        "{printed}"
    );

    let mut program = compiler("rustc", folder, "program");
    run(program.args([ours, "src/main.rs"]), folder);
    let mut program = Command::new(folder.join("program"));
    let printed = run(program.env("TILE_DEVICE", "cpu"), folder);
    assert_eq!(printed, "on cpu, the sum is 5000000\n");

    let mut documentation = compiler("rustdoc", folder, "my_kernels");
    let printed = run(documentation.args(["--test", ours, "src/lib.rs"]), folder);
    assert!(printed.contains("1 passed; 0 failed"), "{printed}");
}

#[test]
fn cargo_reads_the_generated_manifest() {
    let folder = generated();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version=1"]);
    let printed = run(&mut cargo, folder.path());
    let metadata: serde_json::Value = serde_json::from_str(&printed).expect("cargo writes JSON");
    let package = &metadata["packages"][0];
    assert_eq!(package["name"], "my-kernels");
    let dependencies = package["dependencies"].as_array().expect("a list");
    let paths: Vec<&str> = dependencies
        .iter()
        .map(|it| it["path"].as_str().expect("a dependency by path"))
        .collect();
    // One is that of the tests.
    assert_eq!(paths, [env!("CARGO_MANIFEST_DIR"); 2]);
}

/// Adds the names of the placeholders in the files of a folder.
fn placeholders(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            placeholders(&path, names);
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let after = text.split("{{").skip(1);
        names.extend(after.map(|rest| rest.split("}}").next().expect("a name").trim().to_owned()));
    }
}

#[test]
fn cargo_generate_asks_for_each_placeholder() {
    let mut used = BTreeSet::new();
    placeholders(&template(), &mut used);
    let description = fs::read_to_string(template().join(template::DESCRIPTION)).expect("a file");
    let asked = description
        .lines()
        .filter_map(|line| line.strip_prefix("[placeholders.")?.strip_suffix(']'));
    let known: BTreeSet<String> = asked.chain(BUILT_IN).map(str::to_owned).collect();
    assert_eq!(used, known);
}

#[test]
fn the_architectures_of_the_template_are_in_the_environment_of_cargo() {
    let folder = generated();
    let config = fs::read_to_string(folder.path().join(".cargo/config.toml")).expect("a file");
    assert!(
        config.contains(&format!("TILE_ARCH = \"{ARCHITECTURES}\"\n")),
        "{config}"
    );
}
