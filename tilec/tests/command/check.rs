//! Tests of `tilec check`.

use std::fs;
use std::path::Path;

use crate::support::{MODULE, Tilec, UNSOUND, faults, text_of, unverified};

#[test]
fn a_valid_module_is_checked_in_silence() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    assert_eq!(tilec.prints(&["check", "a.mlir"], b""), "");
    tilec.stdout(&["as", "a.mlir", "-o", "a.tilebc"], b"");
    assert_eq!(tilec.prints(&["check", "a.tilebc"], b""), "");
}

#[test]
fn each_fault_is_a_line_and_the_rendered_source() {
    let tilec = Tilec::new().with("a.mlir", UNSOUND);
    let stderr = tilec.fails(&["check", "a.mlir"], b"");
    let places: Vec<_> = faults(&stderr)
        .iter()
        .map(|line| line.split(": error: ").next().expect("a place"))
        .collect();
    assert_eq!(places, ["a.mlir:3:5", "a.mlir:4:10"], "{stderr}");
    let [first, second] = faults(&stderr)[..] else {
        panic!("{stderr}")
    };
    let mut rest = stderr.as_str();
    for line in [first, second] {
        let message = line.split(": error: ").nth(1).expect("a message");
        rest = rest
            .strip_prefix(&format!("{line}\nerror[T03"))
            .expect(line);
        assert!(rest[2..].starts_with(&format!("]: {message}\n")), "{rest}");
        let (rendered, after) = rest.split_once("\n\n").expect("a blank line");
        assert!(
            rendered.contains(" = iota") && rendered.contains('^'),
            "{rendered}"
        );
        rest = after;
    }
    assert_eq!(rest, "");
}

#[test]
fn a_file_full_of_faults_has_a_line_for_each_and_is_drawn_in_part() {
    let source = format!(
        "entry @f() {{\n{}return }}\n",
        "  iota : tile<2x2xi32>\n".repeat(3000)
    );
    let stderr = Tilec::new().fails(&["check", "-"], source.as_bytes());
    assert_eq!(faults(&stderr).len(), 3000);
    assert_eq!(stderr.matches("\nerror[T0").count(), 100);
}

#[test]
fn every_command_reports_the_faults_of_its_input() {
    let tilec = Tilec::new().with("a.mlir", UNSOUND);
    let expected = tilec.fails(&["check", "a.mlir"], b"");
    for arguments in [
        &["as", "a.mlir", "-o", "out"][..],
        &["dis", "a.mlir"],
        &["opt", "a.mlir", "--passes=canonicalize"],
        &["build", "a.mlir", "--arch=sm_80", "-o", "out"],
    ] {
        assert_eq!(tilec.fails(arguments, b""), expected, "{arguments:?}");
    }
    assert!(!tilec.path("out").exists());
}

#[test]
fn a_fault_of_bytecode_stands_in_its_text_form() {
    // The reader of bytecode itself would refuse the other type in `UNSOUND`.
    let source = UNSOUND.replace("tile<3xi32>", "tile<4x4xi32>");
    let tilec = Tilec::new().with("a.tilebc", unverified(&source));
    let stderr = tilec.fails(&["check", "a.tilebc"], b"");
    assert_eq!(faults(&stderr).len(), 2, "{stderr}");
    assert!(stderr.starts_with("a.tilebc:3:10: error: "), "{stderr}");
    assert!(stderr.contains("= iota : tile<4x4xi32>"), "{stderr}");
    assert!(stderr.contains("`a.tilebc` is bytecode"), "{stderr}");
}

#[test]
fn every_module_of_the_file_tests_is_read_without_a_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tile-core/tests/filetests/verify");
    let tilec = Tilec::new();
    for entry in fs::read_dir(folder).expect("the file tests") {
        let path = entry.expect("a readable folder").path();
        let source = fs::read_to_string(&path).expect("a readable file");
        let path = path.display().to_string();
        // The first line has the kind of test, followed by options.
        let header = source.lines().next().unwrap_or_default();
        let mut arguments = vec!["check", &path];
        arguments.extend(["--allow-testing", "--allow-unregistered-dialect"]);
        for option in header.split_whitespace().skip(3) {
            if !arguments.contains(&option) {
                arguments.push(option);
            }
        }
        let output = tilec.run(&arguments);
        let expected = source.matches("// error[").count();
        let stderr = text_of(&output.stderr);
        assert_eq!(faults(&stderr).len(), expected, "{path}: {stderr}");
        assert_eq!(output.status.code(), Some(i32::from(expected > 0)));
    }
}

/// A module with a hint for an unknown architecture.
const HINTS: &str = "\
entry @f() optimization_hints=<sm_42 = {occupancy = 2}> {
  return
}
";

#[test]
fn hints_that_no_compiler_follows_are_checked_when_asked() {
    let tilec = Tilec::new();
    let silent: [&[&str]; 2] = [&["check", "-"], &["check", "-", "-Werr-hints"]];
    for arguments in silent {
        assert_eq!(tilec.prints(arguments, HINTS.as_bytes()), "");
    }
    let warned = tilec.run_on(&["check", "-", "-Wunsupported-hints"], HINTS.as_bytes());
    assert_eq!(warned.status.code(), Some(0));
    let stderr = text_of(&warned.stderr);
    assert!(stderr.starts_with("<stdin>:1:1: warning: "), "{stderr}");
    assert!(stderr.contains("\nwarning[T03"), "{stderr}");
    assert!(stderr.contains("1 | entry @f()"), "{stderr}");
    for both in [
        ["check", "-", "-Wunsupported-hints", "-Werr-hints"],
        ["check", "-", "-W=err-hints", "-W=unsupported-hints"],
    ] {
        let stderr = tilec.fails(&both, HINTS.as_bytes());
        assert!(stderr.contains(": warning: "), "{stderr}");
        assert_eq!(faults(&stderr).len(), 1, "{stderr}");
    }
    let stderr = tilec.fails(&["check", "-", "-Wall"], HINTS.as_bytes());
    assert!(stderr.contains("unsupported-hints, err-hints"), "{stderr}");
}

#[test]
fn a_warning_does_not_keep_what_is_printed() {
    let tilec = Tilec::new();
    let printed = tilec.prints(&["opt", "-"], HINTS.as_bytes());
    let warned = tilec.run_on(&["opt", "-", "-Wunsupported-hints"], HINTS.as_bytes());
    assert_eq!(text_of(&warned.stdout), printed);
    assert!(text_of(&warned.stderr).contains(": warning: "));
    assert_eq!(warned.status.code(), Some(0));
}

#[test]
fn a_warning_on_bytecode_stands_in_its_text_form() {
    let tilec = Tilec::new().with("a.mlir", HINTS);
    tilec.stdout(&["as", "a.mlir", "-o", "a.tilebc"], b"");
    let warned = tilec.run(&["check", "a.tilebc", "-Wunsupported-hints"]);
    let stderr = text_of(&warned.stderr);
    assert!(stderr.starts_with("a.tilebc:2:3: warning: "), "{stderr}");
    assert!(stderr.contains("`a.tilebc` is bytecode"), "{stderr}");
    assert_eq!(warned.status.code(), Some(0));
}

#[test]
fn pieces_of_a_file_are_checked_one_by_one() {
    let tilec = Tilec::new();
    let three = format!("{UNSOUND}// -----\n{MODULE}// -----\n{UNSOUND}");
    let stderr = tilec.fails(&["check", "-", "--split-input-file"], three.as_bytes());
    assert_eq!(faults(&stderr).len(), 4, "{stderr}");
    let last = UNSOUND.lines().count() + 1 + MODULE.lines().count() + 1;
    let place = format!("<stdin>:{}:5: error: ", last + 3);
    assert!(stderr.contains(&place), "{stderr}");
    let good = format!("{MODULE}// -----\n{MODULE}");
    let split = ["check", "-", "--split-input-file"];
    assert_eq!(tilec.prints(&split, good.as_bytes()), "");
}

/// A `testing$func` and an operation of another dialect.
const MORE: &str = "\
cuda_tile.module @kernels {
  testing$func @g(%x: tile<4xi32>) -> tile<4xi32> {
    \"other.op\"() {n = 1 : i32} : () -> ()
    return %x : tile<4xi32>
  }
}
";

#[test]
fn what_is_not_public_needs_an_option() {
    let tilec = Tilec::new();
    let (testing, other) = ("--allow-testing", "--allow-unregistered-dialect");
    for command in ["check", "opt"] {
        let printed = if command == "opt" { MORE } else { "" };
        let both = tilec.prints(&[command, "-", testing, other], MORE.as_bytes());
        assert_eq!(both, printed);
        let stderr = tilec.fails(&[command, "-", other], MORE.as_bytes());
        assert!(stderr.starts_with("<stdin>:2:3: error: "), "{stderr}");
        assert!(stderr.contains("`--allow-testing`"), "{stderr}");
        let stderr = tilec.fails(&[command, "-", testing], MORE.as_bytes());
        assert!(stderr.starts_with("<stdin>:3:5: error: "), "{stderr}");
        assert!(
            stderr.contains("`--allow-unregistered-dialect`"),
            "{stderr}"
        );
    }
}

#[test]
fn every_module_of_a_file_is_checked() {
    let tilec = Tilec::new();
    let two = format!("{MODULE}{MODULE}");
    assert_eq!(tilec.prints(&["check", "-"], two.as_bytes()), "");
    let both = format!("{UNSOUND}{MODULE}{UNSOUND}");
    let stderr = tilec.fails(&["check", "-"], both.as_bytes());
    assert_eq!(faults(&stderr).len(), 4, "{stderr}");
    let last = UNSOUND.lines().count() + MODULE.lines().count();
    let place = format!("<stdin>:{}:5: error: ", last + 3);
    assert!(stderr.contains(&place), "{stderr}");
}

#[test]
fn faults_of_bytecode_are_shown_in_the_form_that_is_asked_for() {
    let source = UNSOUND.replace("tile<3xi32>", "tile<4x4xi32>");
    let located = source.replace("return", "return loc(\"k.py\":7:1)");
    let tilec = Tilec::new().with("a.tilebc", unverified(&located));
    let plain = tilec.fails(&["check", "a.tilebc"], b"");
    let generic = tilec.fails(&["check", "a.tilebc", "--print-generic"], b"");
    assert!(generic.contains("\"cuda_tile.iota\"() :"), "{generic}");
    let messages = |stderr: &str| -> Vec<String> {
        let message = |line: &&str| line.split(": error: ").nth(1).map(str::to_owned);
        faults(stderr).iter().filter_map(message).collect()
    };
    assert_eq!(messages(&generic), messages(&plain));
}
