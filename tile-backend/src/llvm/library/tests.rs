//! Tests of the search with files that are not, or not quite, LLVM 22.

#![cfg(feature = "loaded-llvm")]

use std::cell::RefCell;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::search::{LlvmSearch, Rustc};
use super::{Origin, Rejected, functions};
use crate::error::BackendError;

/// The function by which a library states its version.
const VERSION: &str = "\
void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {
  *major = MAJOR; *minor = 1; *patch = 7;
}
";

/// Time enough for a script on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const NVPTX: &str = "void LLVMInitializeNVPTXTarget(void) {}";

/// Compiles a shared library.
fn library(file: &Path, source: &str) {
    std::fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
    let text = file.with_extension("c");
    std::fs::write(&text, source).expect("a writable folder");
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([file, &text])
        .status()
        .expect("Rust needs a C linker");
    assert!(status.success());
}

/// Compiles a library of this version, with NVPTX, and with all functions but those that `is_absent` names.
fn llvm_without(file: &Path, major: u32, is_absent: impl Fn(&str) -> bool) {
    let names = RefCell::new(Vec::new());
    let none = functions::first_absent(|name| {
        names.borrow_mut().push(name.to_string_lossy().into_owned());
        true
    });
    assert_eq!(none, None);
    let mut source = VERSION.replace("MAJOR", &major.to_string());
    source.push_str(NVPTX);
    for name in names.into_inner() {
        let is_defined = source.contains(&format!(" {name}("));
        if !is_defined && !is_absent(&name) {
            let _ = write!(source, "\nvoid {name}(void) {{}}");
        }
    }
    library(file, &source);
}

/// Compiles a library of this version, with NVPTX.
fn llvm(file: &Path, major: u32) {
    llvm_without(file, major, |_| false);
}

fn write(file: &Path, text: &str) {
    std::fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
    std::fs::write(file, text).expect("a writable folder");
}

/// Searches the place that the variable names.
fn named(place: &Path) -> Result<PathBuf, Vec<Rejected>> {
    let search = LlvmSearch {
        variable: Some(place.to_owned()),
        rustc: Rustc::Program("false".into()),
        installed: Vec::new(),
        patience: PATIENCE,
    };
    search.find().map(|found| found.file)
}

/// Returns the only reason against a place.
fn reason(place: &Path) -> String {
    let rejected = named(place).expect_err("it cannot be used");
    let [Rejected { reason, .. }] = rejected.as_slice() else {
        panic!("{rejected:?}")
    };
    reason.clone()
}

#[test]
fn a_file_that_cannot_be_used_has_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    assert!(reason(&file("absent.so")).starts_with("cannot be read: "));

    write(&file("text.so"), "this is no library");
    assert_eq!(
        reason(&file("text.so")),
        "is no shared library, but another file"
    );
    write(&file("empty.so"), "");
    assert_eq!(reason(&file("empty.so")), "is empty");

    library(&file("zlib.so"), "void inflate(void) {}");
    assert_eq!(
        reason(&file("zlib.so")),
        "is no library of LLVM, or of a version before 16"
    );

    llvm(&file("llvm.so"), 21);
    assert_eq!(
        reason(&file("llvm.so")),
        "is LLVM 21.1.7, and LLVM 22 is needed"
    );

    library(&file("x86.so"), &VERSION.replace("MAJOR", "22"));
    assert_eq!(
        reason(&file("x86.so")),
        "is LLVM 22.1.7 without code generation for NVIDIA's GPUs (NVPTX)"
    );
}

#[test]
fn a_library_without_a_function_that_we_call_is_named_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("llvm.so");
    llvm_without(&file, 22, |name| name == "LLVMContextCreate");
    assert_eq!(
        reason(&file),
        "is LLVM 22.1.7 without the function `LLVMContextCreate` of its C interface"
    );
}

/// The loader says of the first that there is no such file, and ends the process for the second.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_library_for_another_machine_and_a_truncated_one_are_refused_before_they_are_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("llvm.so");
    llvm(&file, 22);
    let whole = std::fs::read(&file).expect("the library");
    assert_eq!(named(&file), Ok(file.clone()));
    let changed = folder.path().join("changed.so");
    let mut foreign = whole.clone();
    foreign[18] = 183;
    std::fs::write(&changed, &foreign).expect("a file");
    assert_eq!(
        reason(&changed),
        "is a library for AArch64, and this machine is x86-64"
    );
    for length in [20, 64, 1000, whole.len() / 2] {
        std::fs::write(&changed, &whole[..length]).expect("a file");
        let text = reason(&changed);
        let expected = format!("is truncated: it has {length} of at least ");
        assert!(text.starts_with(&expected), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("libLLVM.so.22.1");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRUSR).expect("a pipe");
    assert_eq!(reason(&pipe), "is neither a file nor a folder");
    assert_eq!(reason(folder.path()), "is neither a file nor a folder");

    let search = LlvmSearch {
        variable: None,
        rustc: Rustc::Program(script(folder.path(), "sleep 600")),
        installed: Vec::new(),
        patience: Duration::from_millis(100),
    };
    let rejected = search.find().expect_err("rustc does not answer");
    assert_eq!(
        rejected[0].reason,
        "does not name its sysroot within 0.1 s, the time that `TILE_TIMEOUT` sets"
    );
}

/// Writes a program with these commands of a shell, and returns its file.
#[cfg(unix)]
fn script(folder: &Path, commands: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;

    let file = folder.join("rustc");
    write(&file, &format!("#!/bin/sh\n{commands}\n"));
    let runnable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&file, runnable).expect("our file");
    file
}

#[test]
fn a_library_whose_name_states_another_version_is_not_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, version) in [
        ("libLLVM.so.21.1-rust-1.94.0-stable", "21.1"),
        ("libLLVM-15.so.1", "15"),
        ("libLLVM-14.0.6.so.1", "14.0"),
        ("libLLVM.so.23.1", "23.1"),
    ] {
        let file = folder.path().join(name);
        write(&file, "the loader would refuse this");
        let expected = format!("is LLVM {version}, and LLVM 22 is needed");
        assert_eq!(reason(&file), expected, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn the_linker_script_of_a_toolchain_and_dangling_links_are_no_libraries() {
    let folder = tempfile::tempdir().expect("a folder");
    let lib = folder.path().join("lib");
    write(
        &lib.join("libLLVM-22-rust-1.95.0-stable.so"),
        "INPUT(libLLVM.so.22.1-rust-1.95.0-stable)\n",
    );
    write(&lib.join("libLLVM-C.so"), "of another interface");
    assert_eq!(reason(folder.path()), "has no library of LLVM");
    let link = lib.join("libLLVM.so.22.1-rust-1.95.0-stable");
    std::os::unix::fs::symlink("absent", &link).expect("a link");
    assert!(reason(folder.path()).starts_with("cannot be read: "));
    std::fs::remove_file(&link).expect("a link");
    llvm(&link, 22);
    assert_eq!(named(folder.path()), Ok(link.clone()));
    assert_eq!(named(&lib), Ok(link));
}

#[cfg(unix)]
#[test]
fn the_variable_comes_before_rustc_and_rustc_before_what_is_installed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    llvm(&path("own/libLLVM.so.22.1"), 22);
    llvm(&path("sysroot/lib/libLLVM.so.22.1-rust-1.95.0-stable"), 22);
    llvm(&path("installed/libLLVM.so.22.1"), 22);
    let rustc = script(
        folder.path(),
        &format!("echo {}", path("sysroot").display()),
    );

    let search = |variable: Option<&str>, rustc: Rustc| {
        let search = LlvmSearch {
            variable: variable.map(path),
            rustc,
            installed: vec![path("installed")],
            patience: PATIENCE,
        };
        search.find().map(|found| (found.origin, found.file))
    };
    let program = Rustc::Program(rustc);
    assert_eq!(
        search(Some("own"), program.clone()),
        Ok((Origin::Variable, path("own/libLLVM.so.22.1")))
    );
    let of_sysroot = path("sysroot/lib/libLLVM.so.22.1-rust-1.95.0-stable");
    assert_eq!(
        search(None, program),
        Ok((Origin::Rustc, of_sysroot.clone()))
    );
    assert_eq!(
        search(None, Rustc::Loaded(Some(of_sysroot.clone()))),
        Ok((Origin::Rustc, of_sysroot))
    );
    let installed = Ok((Origin::Installed, path("installed/libLLVM.so.22.1")));
    for without in [
        Rustc::Loaded(None),
        Rustc::Loaded(Some(path("libLLVM.so.21.1-rust-1.94.0-stable"))),
        Rustc::Program(path("no-rustc")),
        Rustc::Program("false".into()),
    ] {
        assert_eq!(search(None, without), installed);
    }
    // A wrong value of the variable is an error, even if another place has a library.
    let rejected =
        search(Some("absent"), Rustc::Program("false".into())).expect_err("it is absent");
    assert_eq!(rejected[0].place, path("absent"));
}

#[test]
fn without_any_llvm_every_place_is_named_with_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("libLLVM.so.21.1");
    write(&old, "");
    let search = LlvmSearch {
        variable: None,
        rustc: Rustc::Loaded(None),
        installed: vec![folder.path().to_owned(), folder.path().join("absent")],
        patience: PATIENCE,
    };
    let error = BackendError::LlvmMissing {
        tried: search.find().expect_err("there is none"),
        is_named: false,
    };
    assert_eq!(
        error.to_string(),
        format!(
            "LLVM 22 is missing: `rustc` has no shared library of LLVM; `{}` is LLVM 21.1, and LLVM 22 is needed",
            old.display()
        )
    );
    let help = error.help().expect("a help");
    assert!(help.contains("Rust 1.95 to 1.98"), "{help}");
}

/// Set in the process that calls LLVM before there is one.
const UNLOADED: &str = "TILE_TEST_UNLOADED";

#[test]
fn a_function_without_a_library_ends_the_process_with_its_name() {
    if std::env::var_os(UNLOADED).is_some() {
        drop(inkwell::context::Context::create());
        return;
    }
    let this = "llvm::library::tests::a_function_without_a_library_ends_the_process_with_its_name";
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", this, "--nocapture"])
        .env(UNLOADED, "1")
        .output()
        .expect("this program starts");
    assert!(!output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr);
    let expected = "LLVM ERROR: the library of LLVM has no function `LLVMContextCreate`\n";
    assert!(stderr.contains(expected), "{stderr}");
}
