//! Tests of programs that rustc must reject, with its messages, and of programs that it must accept.
//!
//! - `fail/<code>_<case>.rs` with its `.stderr`: `trybuild` checks each program. They cover the parts that
//!   only rustc shows: its spans, its own errors, macros, modules and crates. Programs for the macro's own
//!   messages are in `tile-frontend/messages`, which need no rustc and take milliseconds each.
//!   `TRYBUILD=overwrite cargo test -p ui-tests refused` rewrites the `.stderr` files, and `cargo test -p
//!   ui-tests refused trybuild=T0203` runs those programs whose name contains `T0203`.
//! - `machine_code/<code>_<case>.rs` with its `.stderr`: errors of `ptxas`. `trybuild` runs `cargo check`,
//!   for which kernels are not compiled to machine code, so this file compiles them itself. `TILE_BLESS=1`
//!   rewrites the `.stderr`.
//! - `pass/*.rs`: programs that must compile without a warning, and run. `trybuild` would link them one at a
//!   time; this file uses every core.
//!
//! `TILE_UI=memory` runs those programs of the last two folders whose name contains `memory`.
//!
//! Releases of rustc differ in how they render messages, so the programs to reject are tested with the one
//! release that `build.rs` names.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The library, as rustc needs it to compile a program.
struct Library {
    /// The `.rlib`.
    rlib: PathBuf,
    /// The folder of the library's dependencies.
    deps: PathBuf,
    /// The folder for executables.
    out: PathBuf,
}

impl Library {
    /// Builds the library, and finds its path in cargo's output.
    fn find() -> Self {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        // This is how the tests of the whole workspace are built, so that nothing is compiled a second time.
        command.args(["build", "--workspace", "--examples"]);
        command.arg("--message-format=json");
        let executable = env::current_exe().expect("a test knows its own path");
        let deps = executable
            .parent()
            .expect("a test is in a folder")
            .to_owned();
        if deps
            .parent()
            .is_some_and(|profile| profile.ends_with("release"))
        {
            command.arg("--release");
        }
        let output = command.output().expect("cargo starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let rlib = text
            .lines()
            .filter(|line| {
                line.contains("\"compiler-artifact\"") && line.contains("\"name\":\"tile_kernel\"")
            })
            .flat_map(|line| line.split('"'))
            .find(|word| Path::new(word).extension().is_some_and(|it| it == "rlib"));
        let Some(rlib) = rlib else {
            panic!(
                "cargo does not say where the library is\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        };
        let rlib = PathBuf::from(rlib);
        let out = deps.with_file_name("ui-tests");
        fs::create_dir_all(&out).expect("the target folder can be written");
        Self { rlib, deps, out }
    }

    /// Runs rustc on a program, including code generation. Returns its output and the path of the executable.
    fn compile(&self, program: &Path, warnings: &str) -> (Output, PathBuf) {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let name = stem(program);
        let mut command = Command::new(rustc);
        command
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            // One architecture is enough for a program that runs on the CPU device.
            .env("TILE_ARCH", "sm_80")
            .env("CARGO_PKG_NAME", "ui")
            .env_remove("RUSTFLAGS")
            .args([
                "--edition",
                "2024",
                "--crate-type",
                "bin",
                "--crate-name",
                &name,
            ])
            .args([
                "-C",
                "debuginfo=0",
                "--color",
                "never",
                "--diagnostic-width",
                "140",
            ])
            .arg("-L")
            .arg(format!("dependency={}", self.deps.display()))
            .arg("--extern")
            .arg(format!("tile_kernel={}", self.rlib.display()))
            .arg(program);
        let executable = self.out.join(&name);
        command.args(["--emit", "link", warnings, "warnings", "-o"]);
        let output = command.arg(&executable).output().expect("rustc starts");
        (output, executable)
    }
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .expect("a program has a name")
        .to_string_lossy()
        .into_owned()
}

/// Lists the programs of a folder, relative to this crate, in order.
fn programs(folder: &str) -> Vec<PathBuf> {
    let wanted = env::var("TILE_UI").unwrap_or_default();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut list: Vec<PathBuf> = fs::read_dir(path)
        .expect("the folder exists")
        .map(|entry| Path::new(folder).join(entry.expect("a readable folder").file_name()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .filter(|path| stem(path).contains(&wanted))
        .collect();
    list.sort();
    list
}

/// Removes the parts of rustc's output that differ between machines.
fn normalized(stderr: &[u8]) -> String {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("this crate is in the workspace");
    let text = String::from_utf8_lossy(stderr)
        .replace(&format!("{}/", workspace.display()), "$WORKSPACE/");
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let closing = [
            "error: aborting due to",
            "For more information about",
            "Some errors have detailed",
        ]
        .iter()
        .any(|start| line.starts_with(start));
        if !closing {
            lines.push(line.trim_end());
        }
    }
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

/// Checks that a program fails with the expected messages. The error describes the difference.
fn refused(library: &Library, program: &Path) -> Result<(), String> {
    let (output, executable) = library.compile(program, "-A");
    let _ = fs::remove_file(executable);
    if output.status.success() {
        return Err("it compiles".to_owned());
    }
    let actual = normalized(&output.stderr);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(program.with_extension("stderr"));
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if actual == expected {
        return Ok(());
    }
    if env::var_os("TILE_BLESS").is_some() {
        return fs::write(&path, actual).map_err(|error| error.to_string());
    }
    let path = path.display();
    Err(format!(
        "rustc says\n{actual}\nnot, as in {path},\n{expected}"
    ))
}

/// Checks that a program compiles without a warning, and runs. The error describes the failure.
fn accepted(library: &Library, program: &Path) -> Result<(), String> {
    // A warning would be about the expansion, which the author cannot change, so warnings are errors.
    let (output, executable) = library.compile(program, "-D");
    if !output.status.success() {
        return Err(format!(
            "it does not compile:\n{}",
            normalized(&output.stderr)
        ));
    }
    let output = Command::new(&executable)
        .output()
        .map_err(|error| error.to_string())?;
    let _ = fs::remove_file(executable);
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "it fails:\n{}",
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// Checks each program, and panics with the errors of all of them.
fn check(programs: &[PathBuf], one: impl Fn(&Library, &Path) -> Result<(), String> + Sync) {
    let library = Library::find();
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(text) = one(&library, program) {
                        wrong
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push((program, text));
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    wrong.sort();
    let mut text = String::new();
    for (program, why) in &wrong {
        let _ = writeln!(text, "---- {}: {why}", program.display());
    }
    assert!(
        wrong.is_empty(),
        "{} of {} programs are wrong\n{text}",
        wrong.len(),
        programs.len()
    );
}

#[test]
#[cfg_attr(not(expected_rustc), ignore = "the messages are those of rustc 1.95")]
fn refused_kernels() {
    trybuild::TestCases::new().compile_fail("fail/*.rs");
}

#[test]
#[cfg_attr(not(expected_rustc), ignore = "the messages are those of rustc 1.95")]
fn kernels_refused_by_ptxas() {
    check(&programs("machine_code"), refused);
}

#[test]
fn accepted_kernels_compile_without_a_warning_and_run() {
    check(&programs("pass"), accepted);
}

/// The source of the catalogue of codes. This crate depends on the library alone, so it parses the source.
const CODES: &str = include_str!("../tile-core/src/diag/code.rs");

/// Codes that no kernel in Rust can cause, each with the reason.
const NOT_FROM_RUST: [(&str, &str); 12] = [
    ("T0103", "IR text: `tilec`"),
    ("T0301", "IR: what the macro builds verifies"),
    ("T0302", "IR: what the macro builds verifies"),
    ("T0303", "IR: what the macro builds verifies"),
    ("T0304", "IR: what the macro builds verifies"),
    ("T0305", "IR: what the macro builds verifies"),
    ("T0306", "IR: what the macro builds verifies"),
    ("T0308", "bytecode: `tilec`"),
    ("T0501", "the tools of this machine"),
    ("T0502", "the compiler's worker"),
    ("T0503", "a fault of the compiler"),
    ("T0601", "a kernel that runs"),
];

/// Returns the code that a program or page is named after.
fn code_of(path: &Path) -> String {
    let stem = stem(path);
    stem.split('_').next().unwrap_or_default().to_owned()
}

#[test]
fn every_code_has_a_page_and_every_code_of_rust_a_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut with_program = BTreeSet::new();
    for folder in ["fail", "machine_code", "../tile-frontend/messages"] {
        let entries = fs::read_dir(root.join(folder)).expect("the folder exists");
        with_program
            .extend(entries.map(|entry| code_of(&entry.expect("a readable folder").path())));
    }
    let mut wrong = String::new();
    let mut count = 0;
    for code in CODES.lines().filter_map(|line| line.split_once(" = \"T")) {
        let code = format!("T{}", &code.1[..4]);
        count += 1;
        if !root
            .join("../docs/errors")
            .join(format!("{code}.md"))
            .exists()
        {
            let _ = writeln!(wrong, "{code} has no page in docs/errors");
        }
        let is_exempt = NOT_FROM_RUST.iter().any(|(exempt, _)| *exempt == code);
        if with_program.contains(&code) == is_exempt {
            let _ = writeln!(
                wrong,
                "{code}: a section in tile-frontend/messages/{code}.md, a program \
                 ui-tests/fail/{code}_<case>.rs, or a line in `NOT_FROM_RUST`"
            );
        }
    }
    assert!(count > 20, "the catalogue is read");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_refused_program_has_the_code_of_its_name() {
    for folder in ["fail", "machine_code"] {
        let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        for entry in entries.expect("the folder exists") {
            let path = entry.expect("a readable folder").path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                let path = path.with_extension("stderr");
                let expected = fs::read_to_string(&path)
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let code = format!("[{}]", code_of(&path));
                assert!(expected.contains(&code), "{}: no {code}", path.display());
            }
        }
    }
}
