//! Tests of invalid modules, unusable files and wrong arguments.

use crate::support::{MODULE, Tilec, faults, text_of};

#[test]
fn a_damaged_file_is_an_error_with_the_offset() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let bytes = tilec.stdout(&["as", "a.mlir", "-o", "-"], b"");
    // A process for each length would take too long.
    for length in (1..bytes.len()).step_by(7) {
        let stderr = tilec.fails(&["check", "-"], &bytes[..length]);
        let line = faults(&stderr)[0];
        let (place, message) = line.split_once(": error: ").expect("an error");
        let (_, offset) = message.rsplit_once(" at byte ").expect("an offset");
        assert_eq!(place, format!("<stdin>:0:{offset}"), "{stderr}");
    }
}

#[test]
fn what_is_no_text_is_an_error_at_its_first_byte() {
    let stderr = Tilec::new().fails(&["check", "-"], b"entry @f() {\n  \xc3\xa9\xff");
    let first = stderr.lines().next();
    let expected = "<stdin>:2:4: error: expected UTF-8 text or bytecode";
    assert_eq!(first, Some(expected), "{stderr}");
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let stderr = tilec.fails(&["check", "absent.mlir"], b"");
    assert!(
        stderr.starts_with("absent.mlir:0:0: error: cannot read it: "),
        "{stderr}"
    );
    let stderr = tilec.fails(&["as", "a.mlir", "-o", "absent/a.tilebc"], b"");
    assert!(
        stderr.starts_with("absent/a.tilebc:0:0: error: cannot write it: "),
        "{stderr}"
    );
}

#[test]
fn wrong_arguments_fail_and_help_succeeds() {
    let tilec = Tilec::new();
    for arguments in [
        &[][..],
        &["check"],
        &["frobnicate", "a.mlir"],
        &["as", "a.mlir"],
        &["build", "a.mlir"],
        &["build", "a.mlir", "--arch="],
    ] {
        tilec.fails(arguments, b"");
    }
    let stderr = tilec.fails(&["build", "-", "--arch=sm_80,sm_1"], b"");
    assert!(
        stderr.contains("unknown GPU architecture `sm_1`"),
        "{stderr}"
    );
    assert!(stderr.contains("`sm_90a`"), "{stderr}");
    assert!(tilec.prints(&["--help"], b"").contains("check"));
}

#[test]
fn folders_are_no_files() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    std::fs::create_dir(tilec.path("folder")).expect("a writable folder");
    for command in ["check", "dis", "opt"] {
        let stderr = tilec.fails(&[command, "folder"], b"");
        let expected = "folder:0:0: error: cannot read it: ";
        assert!(stderr.starts_with(expected), "{stderr}");
    }
    let stderr = tilec.fails(&["as", "a.mlir", "-o", "folder"], b"");
    let expected = "folder:0:0: error: cannot write it: ";
    assert!(stderr.starts_with(expected), "{stderr}");
}

#[test]
fn an_empty_file_holds_no_module_or_an_empty_one() {
    let tilec = Tilec::new();
    assert_eq!(tilec.prints(&["check", "-"], b""), "");
    for arguments in [&["dis", "-"][..], &["opt", "-"], &["as", "-", "-o", "-"]] {
        let output = tilec.run_on(arguments, b"");
        let stderr = text_of(&output.stderr);
        match output.status.code() {
            Some(0) => assert_eq!(stderr, "", "{arguments:?}"),
            code => {
                assert_eq!(code, Some(1), "{arguments:?}: {stderr}");
                assert!(stderr.starts_with("<stdin>:1:1: error: "), "{stderr}");
            }
        }
    }
}

/// Tests deeply nested text, whose errors must overflow neither a stack nor a screen.
#[test]
fn nothing_nests_too_deep_for_an_error() {
    const DEPTH: usize = 50_000;
    let deep = |before: &str, open: &str, close: &str, after: &str| {
        let (open, close) = (open.repeat(DEPTH), close.repeat(DEPTH));
        format!("{before}{open}{close}{after}")
    };
    let cases = [
        deep("entry @f(%c: tile<i1>) {\n", "if %c {", "}", "return }"),
        deep("entry @f() {\n", "loop {", "", ""),
        deep("", "module @a {", "", ""),
        deep("entry @f(%c: tile<", "ptr<", ">", ">) { return }"),
        deep("entry @f(%c: ", "partition_view<tile=(1), ", ">", ") {}"),
        deep("entry @f(%c: !a.b", "<", ">", ") { return }"),
        deep(
            "entry @f() { %0 = constant <i32: ",
            "[",
            "]",
            "> : tile<i32> }",
        ),
        deep("entry @f() { return {a = ", "[", "]", "} }"),
        deep("entry @f() { return {a = ", "{a = ", "}", "} }"),
        deep(
            "entry @f() optimization_hints=<sm_90 = ",
            "{a = ",
            "}",
            "> {}",
        ),
        deep("entry @f() { return loc(", "callsite(", ")", ") }"),
        deep("entry @f() { return loc(", "fused[", "]", ") }"),
        deep("entry @f() { return loc(", "\"a\"(", ")", ") }"),
        deep("", "\"a.b\"() ({", "}) : () -> ()", ""),
        deep("\"cuda_tile.entry\"() <{function_type = ", "(", ")", "}>"),
        deep("#a = ", "#cuda_tile.di_lexical_block<scope = ", ">", ""),
    ];
    let tilec = Tilec::new();
    for source in cases {
        let options = ["--allow-unregistered-dialect", "--allow-testing"];
        let stderr = tilec.fails(&["check", "-", options[0], options[1]], source.as_bytes());
        assert!(stderr.starts_with("<stdin>:"), "{stderr}");
        // The rendering is trimmed, even if the source is one long line.
        assert!(stderr.len() < 100_000, "{}", &source[..60]);
    }
}

#[test]
fn signs_that_steer_a_terminal_are_shown_by_their_number() {
    let stderr = Tilec::new().fails(&["check", "-"], b"entry @f() {\n  \x1b[31m\x07\0\n}\n");
    let written = |letter: char| !letter.is_control() || letter == '\n';
    assert!(stderr.chars().all(written), "{stderr:?}");
    assert!(stderr.starts_with("<stdin>:2:3: error: "), "{stderr}");
    assert!(stderr.contains("\\u{1b}"), "{stderr}");
}

/// Tests a closed pipe and a full disk: both are errors like any other.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let script = |script: &str| {
        std::process::Command::new("bash")
            .args(["-c", script])
            .arg(env!("CARGO_BIN_EXE_tilec"))
            .current_dir(tilec.folder.path())
            .output()
            .expect("`bash` is there")
    };
    // `:` has exited long before anything is written.
    let pipe = "{ sleep 0.2; \"$0\" dis a.mlir; echo $? >&2; } | :";
    let output = script(pipe);
    let stderr = text_of(&output.stderr);
    let expected = "<stdout>:0:0: error: cannot write it: ";
    assert!(stderr.starts_with(expected), "{stderr}");
    assert!(stderr.ends_with("\n1\n"), "{stderr}");
    let output = script("\"$0\" as a.mlir -o /dev/full");
    let stderr = text_of(&output.stderr);
    assert!(
        stderr.starts_with("/dev/full:0:0: error: cannot write it: "),
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_large_file_is_read() {
    let source = format!(
        "entry @f() {{\n{}  return\n}}\n",
        "  iota : tile<4xi32>\n".repeat(20_000)
    );
    let tilec = Tilec::new();
    assert_eq!(tilec.prints(&["check", "-"], source.as_bytes()), "");
    let bytes = tilec.stdout(&["as", "-", "-o", "-"], source.as_bytes());
    let printed = tilec.prints(&["dis", "-"], &bytes);
    assert_eq!(printed.matches("iota").count(), 20_000);
}
