//! Tests of `tilec doctor`, and of the LLVM that `tilec build` takes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tile_backend::doctor::{Need, Part, examine};
use tile_backend::session::Environment;

use crate::support::{MODULE, Tilec, text_of};

fn run(tilec: &Tilec, arguments: &[&str], variables: &[(&str, &Path)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tilec"))
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(tilec.folder.path())
        .output()
        .expect("the command starts")
}

#[test]
fn every_part_has_a_line_and_the_status_says_whether_code_can_be_generated() {
    let output = run(&Tilec::new(), &["doctor"], &[]);
    let text = text_of(&output.stdout);
    let parts = examine(&Environment::read());
    let mut lines = text.lines();
    for Part { name, state, .. } in &parts {
        let line = lines.next().expect("a line");
        assert!(line.starts_with(name), "{line:?} is not about {name}");
        match state {
            Ok(present) => assert!(line.ends_with(&present.place), "{text}"),
            Err(absent) => {
                assert!(line.contains("missing"), "{text}");
                assert!(line.ends_with(&absent.reason), "{text}");
                let cure = format!("to get it: {}", absent.cure);
                assert!(lines.next().is_some_and(|line| line.ends_with(&cure)));
            }
        }
    }
    assert_eq!(lines.next(), None);
    let needed = |part: &Part| part.need == Need::Code && part.state.is_err();
    let is_complete = !parts.iter().any(needed);
    assert_eq!(output.status.success(), is_complete, "{text}");
}

#[test]
fn missing_parts_are_named_with_the_place_and_the_cure() {
    let tilec = Tilec::new().with("llvm.so", "no library");
    let llvm = tilec.path("llvm.so");
    let variables = [
        ("TILE_LLVM", &*llvm),
        ("TILE_PTXAS", Path::new("/nowhere/ptxas")),
    ];
    let output = run(&tilec, &["doctor"], &variables);
    assert_eq!(output.status.code(), Some(1));
    let text = text_of(&output.stdout);
    let place = format!(
        "`{}` is no shared library, but another file",
        llvm.display()
    );
    for part in [
        place.as_str(),
        "set `TILE_LLVM` to the file or the folder",
        "not found: `/nowhere/ptxas`",
        "set `TILE_PTXAS` to the file of `ptxas`, or unset it",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let stderr = text_of(&output.stderr);
    assert!(
        stderr.starts_with("error: no GPU code can be generated without LLVM, ptxas"),
        "{stderr}"
    );
}

#[test]
fn a_program_that_cannot_be_run_is_missing() {
    let tilec = Tilec::new().with("ptxas", "no program");
    let ptxas = tilec.path("ptxas");
    let output = run(&tilec, &["doctor"], &[("TILE_PTXAS", &ptxas)]);
    let text = text_of(&output.stdout);
    let expected = format!("`{}` cannot be run: ", ptxas.display());
    assert!(text.contains(&expected), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

/// Writes a program of commands for a shell, and returns its path.
#[cfg(unix)]
fn script(tilec: &Tilec, name: &str, commands: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;

    let path = tilec.path(name);
    std::fs::write(&path, format!("#!/bin/sh\n{commands}\n")).expect("a writable folder");
    let runnable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, runnable).expect("our file");
    path
}

#[cfg(unix)]
#[test]
fn a_ptxas_without_a_version_is_missing_with_the_reason() {
    let tilec = Tilec::new();
    for (commands, reason) in [
        ("exit 3", "failed: exit status: 3"),
        ("kill -SEGV $$", "failed: signal: 11 (SIGSEGV)"),
        (
            "echo one of another kind",
            "is not NVIDIA's `ptxas`: it says no version",
        ),
        (
            "yes",
            "says no version within 1 s, the time that `TILE_TIMEOUT` sets",
        ),
        (
            "sleep 600",
            "says no version within 1 s, the time that `TILE_TIMEOUT` sets",
        ),
    ] {
        let ptxas = script(&tilec, "ptxas", commands);
        let variables = [("TILE_PTXAS", &*ptxas), ("TILE_TIMEOUT", Path::new("1"))];
        let output = run(&tilec, &["doctor"], &variables);
        let text = text_of(&output.stdout);
        let expected = format!("`{}` {reason}", ptxas.display());
        assert!(text.contains(&expected), "{commands}: {text}");
        let cure = "to get it: run `cargo xtask setup`, and unset `TILE_PTXAS` or set it to another `ptxas`";
        assert!(text.contains(cure), "{commands}: {text}");
        assert_eq!(output.status.code(), Some(1), "{commands}: {text}");
    }
    // A long output does not hide the version.
    let ptxas = script(
        &tilec,
        "ptxas",
        "echo 'release 12.9, V12.9.86'; head -c 1000000 /dev/zero >&2",
    );
    let output = run(&tilec, &["doctor"], &[("TILE_PTXAS", &ptxas)]);
    let text = text_of(&output.stdout);
    assert!(text.contains("12.9.86"), "{text}");
}

/// An installed LLVM is taken then, if there is one.
#[cfg(unix)]
#[test]
fn a_rustc_without_llvm_is_passed_over_or_named_with_the_reason() {
    let tilec = Tilec::new();
    let folder = tilec.path("sysroot");
    std::fs::create_dir_all(folder.join("lib")).expect("a writable folder");
    for (commands, place, reason) in [
        (
            format!("echo {}", folder.display()),
            &folder,
            "has no library of LLVM",
        ),
        (
            "echo no such toolchain >&2; exit 1".to_owned(),
            &tilec.path("rustc"),
            "does not name its sysroot: no such toolchain",
        ),
        (
            "sleep 600".to_owned(),
            &tilec.path("rustc"),
            "does not name its sysroot within 1 s, the time that `TILE_TIMEOUT` sets",
        ),
    ] {
        let rustc = script(&tilec, "rustc", &commands);
        let variables = [("RUSTC", &*rustc), ("TILE_TIMEOUT", Path::new("1"))];
        let text = text_of(&run(&tilec, &["doctor"], &variables).stdout);
        let line = text.lines().next().unwrap_or_default();
        let missing = format!("`{}` {reason}", place.display());
        assert!(
            line.ends_with("(of the system)") || line.contains(&missing),
            "{commands}: {text}"
        );
    }
}

#[test]
fn a_wrong_llvm_is_an_error_at_the_kernel_and_earlier_stages_need_none() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let absent = tilec.path("absent");
    let build = |emit: &str| {
        let arguments = ["build", "a.mlir", "--arch=sm_80", emit];
        run(&tilec, &arguments, &[("TILE_LLVM", &absent)])
    };
    assert!(build("--emit=gpu").status.success());
    let output = build("--emit=ptx");
    assert_eq!(output.status.code(), Some(1));
    let stderr = text_of(&output.stderr);
    let expected = format!(
        "a.mlir:2:3: error: LLVM 22 is missing: `{}` cannot be read: ",
        absent.display()
    );
    assert!(stderr.starts_with(&expected), "{stderr}");
}

/// Returns the file of the LLVM that `tilec` takes, as `doctor` prints it.
fn library(tilec: &Tilec, variables: &[(&str, &Path)]) -> Option<PathBuf> {
    let text = text_of(&run(tilec, &["doctor"], variables).stdout);
    let line = text.lines().next()?;
    let (_, place) = line.split_once(" /")?;
    let (file, _) = place.split_once(" (")?;
    Some(Path::new("/").join(file))
}

/// PTX depends on the release of LLVM, but not on who built it: a change of the second kind would mean that
/// options of one library reach the other.
#[test]
#[expect(clippy::print_stderr, reason = "the reason why a test is skipped")]
fn the_llvm_of_rustc_and_an_installed_one_give_the_same_ptx() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let installed = Path::new("/usr/lib/llvm-22/lib");
    let of_rustc = library(&tilec, &[]);
    let of_system = library(&tilec, &[("TILE_LLVM", installed)]);
    let (Some(_), Some(_)) = (&of_rustc, &of_system) else {
        eprintln!("skipped: there are no two LLVMs, but {of_rustc:?} and {of_system:?}");
        return;
    };
    assert_ne!(of_rustc, of_system);
    let arguments = ["build", "a.mlir", "--arch=sm_80,sm_90a", "--emit=ptx"];
    let ptx = |variables: &[(&str, &Path)]| {
        let output = run(&tilec, &arguments, variables);
        assert!(output.status.success(), "{}", text_of(&output.stderr));
        text_of(&output.stdout)
    };
    assert_eq!(ptx(&[]), ptx(&[("TILE_LLVM", installed)]));
}

/// A driver with two GPUs. `NO_GPU` makes it one that finds none.
const DRIVER: &str = "\
#include <stdio.h>
int cuInit(unsigned flags) { return NO_GPU ? 100 : flags; }
int cuDriverGetVersion(int *version) { *version = 13010; return 0; }
int cuDeviceGetCount(int *count) { *count = 2; return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = 40 + ordinal; return 0; }
int cuDeviceGetName(char *name, int room, int device) { snprintf(name, room, \"GPU %d\", device); return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? device - 31 : attribute == 76 ? 0 : -1;
  return 0;
}
";

#[cfg(target_os = "linux")]
#[test]
fn the_driver_and_each_gpu_have_a_line() {
    let tilec = Tilec::new().with("driver.c", DRIVER);
    let lines = |no_gpu: &str| {
        let status = Command::new("cc")
            .args(["-shared", "-fPIC", "-o", "libcuda.so.1", "driver.c"])
            .arg(format!("-DNO_GPU={no_gpu}"))
            .current_dir(tilec.folder.path())
            .status()
            .expect("Rust needs a C linker");
        assert!(status.success());
        let variables = [("LD_LIBRARY_PATH", tilec.folder.path())];
        let text = text_of(&run(&tilec, &["doctor"], &variables).stdout);
        let (_, launch) = text.split_once("\ndriver").expect("a line for the driver");
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        launch.lines().map(words).collect::<Vec<_>>()
    };
    assert_eq!(
        lines("0"),
        [
            "CUDA 13.1 libcuda.so.1",
            "GPU sm_90 GPU 40",
            "GPU sm_100 GPU 41"
        ]
    );
    let without = lines("1");
    assert_eq!(without[1], "GPU missing the driver shows none");
}
