//! Compiles programs that must fail, and compares rustc's messages, and programs that must
//! succeed.
//!
//! Runs `fail/<code>_<what>.rs` with its `.stderr`, and `pass/*.rs`. A message is right if its
//! span is on the faulty token, a note states the rule, and a help says what to write. `cargo
//! xtask bless` rewrites the `.stderr` files; read the diff. `TILE_UI=T0203 cargo test -p
//! ui-tests` runs the programs with this in their names.
//!
//! Each release of rustc renders messages a little differently, so the failing programs are for
//! the one release that `build.rs` names.
//!
//! rustc is called for each program, without cargo, on as many cores as there are: a failing
//! program takes only as long as its macro, since no code is generated or linked.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The files that rustc needs to compile a program against the library.
struct Library {
    /// The `.rlib`.
    rlib: PathBuf,
    /// The folder of its dependencies.
    deps: PathBuf,
    /// The folder for rustc's output.
    out: PathBuf,
}

impl Library {
    /// Asks cargo for the location of the library.
    fn find() -> Self {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        // Built like the tests of the whole workspace, so that nothing is compiled a second time.
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

    /// Runs rustc on a program: with `link`, up to an executable.
    fn compile(&self, program: &Path, emit: Emit) -> (Output, PathBuf) {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let name = stem(program);
        let mut command = Command::new(rustc);
        command
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            // One architecture suffices for a program that runs on the CPU device.
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
        let path = match emit {
            Emit::Nothing => {
                // With metadata alone no kernel would be compiled to machine code.
                command.args(["--emit", "link", "-A", "warnings"]);
                self.out.join(&name)
            }
            Emit::Program => {
                // A warning of rustc is an error of the expansion.
                command.args(["--emit", "link", "-D", "warnings"]);
                self.out.join(&name)
            }
        };
        let output = command.arg("-o").arg(&path).output().expect("rustc starts");
        (output, path)
    }
}

#[derive(Clone, Copy)]
enum Emit {
    Nothing,
    Program,
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .expect("a program has a name")
        .to_string_lossy()
        .into_owned()
}

/// Returns the programs of a folder, relative to this crate, in order.
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

/// Removes machine-dependent parts of rustc's output.
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

/// Checks a program that must not compile.
fn refused(library: &Library, program: &Path) -> Result<(), String> {
    let (output, path) = library.compile(program, Emit::Nothing);
    let _ = fs::remove_file(path);
    if output.status.success() {
        return Err("it compiles".to_owned());
    }
    let found = normalized(&output.stderr);
    let code = stem(program);
    let code = code.split('_').next().unwrap_or_default();
    if !found.contains(&format!("[{code}]")) {
        return Err(format!("its code is not `{code}`:\n{found}"));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(program.with_extension("stderr"));
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if found == expected {
        return Ok(());
    }
    if env::var_os("TILE_BLESS").is_some() {
        return fs::write(&path, found).map_err(|error| error.to_string());
    }
    Err(format!(
        "rustc says\n{found}\nand {} holds\n{expected}",
        path.display()
    ))
}

/// Checks a program that must compile and run.
fn accepted(library: &Library, program: &Path) -> Result<(), String> {
    let (output, path) = library.compile(program, Emit::Program);
    if !output.status.success() {
        return Err(format!(
            "it does not compile:\n{}",
            normalized(&output.stderr)
        ));
    }
    let output = Command::new(&path)
        .output()
        .map_err(|error| error.to_string())?;
    let _ = fs::remove_file(path);
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "it fails:\n{}",
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// Checks each program, and panics with all failures.
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
fn wrong_kernels_are_refused() {
    check(&programs("fail"), refused);
}

#[test]
fn right_kernels_compile_without_a_warning_and_run() {
    check(&programs("pass"), accepted);
}

/// The source of the catalogue of codes, since this crate depends on the library alone.
const CODES: &str = include_str!("../tile-core/src/diag/code.rs");

/// Codes that no kernel in Rust can cause, with the reasons.
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

#[test]
fn every_code_has_a_page_and_every_code_of_rust_a_program() {
    let programs = programs("fail");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors");
    let mut missing = String::new();
    let mut count = 0;
    for code in CODES.lines().filter_map(|line| line.split_once(" = \"T")) {
        let code = format!("T{}", &code.1[..4]);
        count += 1;
        if !folder.join(format!("{code}.md")).exists() {
            let _ = writeln!(missing, "{code} has no page in docs/errors");
        }
        let has_program = programs
            .iter()
            .any(|program| stem(program).starts_with(&code));
        let excused = NOT_FROM_RUST
            .iter()
            .any(|(excused_code, _)| *excused_code == code);
        if env::var_os("TILE_UI").is_none() && has_program == excused {
            let _ = writeln!(
                missing,
                "{code}: fail/{code}_<what>.rs, or a line in `NOT_FROM_RUST`"
            );
        }
    }
    assert!(count > 20, "the catalogue is read");
    assert!(missing.is_empty(), "{missing}");
}
