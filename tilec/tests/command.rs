//! The command as its users meet it: arguments and files in; streams, files and the
//! status out.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use tile_backend::tools::Tool;
use tile_core::{Diagnostics, bytecode, text};

/// As `tilec` prints it, with a sum that canonicalization removes.
const MODULE: &str = "\
cuda_tile.module @kernels {
  entry @add(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %unused = addi %n, %n : tile<i32>
    %tensor = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %view = make_partition_view %tensor : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>
    %t, %loaded = load_view_tko weak %view[%x] : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %sum = addf %t, %t : tile<256xf32>
    %stored = store_view_tko weak %sum, %view[%x] token = %loaded : tile<256xf32>, partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
";

/// Parses; two of its operations break a rule.
const UNSOUND: &str = "\
cuda_tile.module @kernels {
  entry @f(%a: tile<i32>) {
    %0 = iota : tile<3xi32>
    %1 = iota : tile<2x2xi32>
    return
  }
}
";

/// `tilec` in a folder of its own.
struct Tilec {
    folder: TempDir,
}

impl Tilec {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), content).expect("a writable folder");
        self
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("the file was written")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_on(arguments, b"")
    }

    fn run_on(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut stdin = child.stdin.take().expect("it is piped");
        // A command that reads no standard input has closed it.
        let _written = stdin.write_all(input);
        drop(stdin);
        child.wait_with_output().expect("the command ends")
    }

    /// Standard output of a success, which says nothing else.
    fn stdout(&self, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        let output = self.run_on(arguments, input);
        assert_eq!(text_of(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        output.stdout
    }

    fn prints(&self, arguments: &[&str], input: &[u8]) -> String {
        text_of(&self.stdout(arguments, input))
    }

    /// Standard error of a failure, which writes nothing else.
    fn fails(&self, arguments: &[&str], input: &[u8]) -> String {
        let output = self.run_on(arguments, input);
        assert_eq!(text_of(&output.stdout), "", "{arguments:?}");
        let stderr = text_of(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        stderr
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the command writes UTF-8")
}

/// The lines of standard error that name a place and an error.
fn faults(stderr: &str) -> Vec<&str> {
    let located = |line: &&str| line.contains(": error: ");
    stderr.lines().filter(located).collect()
}

/// Bytecode of a module that need not verify.
fn unverified(source: &str) -> Vec<u8> {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "input", &mut diagnostics).expect("it parses");
    bytecode::write(&module, bytecode::Version::V13_4).expect("it can be written")
}

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
    // The reader refuses the other type of `UNSOUND` itself.
    let source = UNSOUND.replace("tile<3xi32>", "tile<4x4xi32>");
    let tilec = Tilec::new().with("a.tilebc", unverified(&source));
    let stderr = tilec.fails(&["check", "a.tilebc"], b"");
    assert_eq!(faults(&stderr).len(), 2, "{stderr}");
    assert!(stderr.starts_with("a.tilebc:3:10: error: "), "{stderr}");
    assert!(stderr.contains("= iota : tile<4x4xi32>"), "{stderr}");
    assert!(stderr.contains("`a.tilebc` is bytecode"), "{stderr}");
}

#[test]
fn a_damaged_file_is_an_error_with_the_offset() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let bytes = tilec.stdout(&["as", "a.mlir", "-o", "-"], b"");
    // A process for each length would take long.
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
fn assembling_and_printing_gives_the_printed_text() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    // Bytecode has no names of values.
    tilec.stdout(&["as", "a.mlir", "-o", "a.tilebc"], b"");
    let printed = tilec.prints(&["dis", "a.tilebc"], b"");
    assert!(printed.contains("store_view_tko weak"), "{printed}");
    for version in ["13.1", "13.2", "13.3", "13.4"] {
        let option = format!("--bytecode-version={version}");
        let bytes = tilec.stdout(&["as", "-", "-o", "-", &option], printed.as_bytes());
        assert_eq!(bytes[9].to_string(), version[3..], "{version}");
        assert_eq!(tilec.prints(&["dis", "-"], &bytes), printed, "{version}");
        let again = tilec.stdout(&["as", "-", "-o", "-", &option], &bytes);
        assert_eq!(again, bytes, "{version}");
    }
    // By default the newest that is specified.
    let default = tilec.read("a.tilebc");
    assert_eq!(default[8..10], [13, 3]);
    assert_eq!(
        tilec.stdout(&["as", "-", "-o", "-"], printed.as_bytes()),
        default
    );
}

#[test]
fn text_keeps_the_names_of_values() {
    let tilec = Tilec::new();
    assert_eq!(tilec.prints(&["dis", "-"], MODULE.as_bytes()), MODULE);
}

#[test]
fn what_a_version_lacks_is_refused_at_the_operation() {
    let source =
        "entry @f(%a: tile<f32>) {\n  %0 = tanh %a rounding<approx> : tile<f32>\n  return\n}\n";
    let tilec = Tilec::new().with("a.mlir", source);
    let as_13_1 = ["as", "a.mlir", "-o", "out", "--bytecode-version=13.1"];
    let stderr = tilec.fails(&as_13_1, b"");
    assert!(stderr.starts_with("a.mlir:2:8: error: "), "{stderr}");
    assert!(stderr.contains("`rounding_mode` of `tanh`"), "{stderr}");
    assert!(stderr.contains("use `--bytecode-version=13.2`"), "{stderr}");
    assert!(!tilec.path("out").exists());
    tilec.stdout(
        &["as", "a.mlir", "-o", "out", "--bytecode-version=13.2"],
        b"",
    );
    let unknown = tilec.fails(&["as", "a.mlir", "-o", "out", "--bytecode-version=14"], b"");
    assert!(
        unknown.contains("`13.1`, `13.2`, `13.3`, `13.4`"),
        "{unknown}"
    );
}

#[test]
fn no_pass_leaves_the_module_as_it_is() {
    let tilec = Tilec::new();
    for arguments in [&["opt", "-"][..], &["opt", "-", "--passes="]] {
        assert_eq!(tilec.prints(arguments, MODULE.as_bytes()), MODULE);
    }
}

#[test]
fn passes_run_and_unknown_ones_are_refused() {
    let tilec = Tilec::new();
    let canonicalize = ["opt", "-", "--passes=canonicalize,canonicalize"];
    let smaller = tilec.prints(&canonicalize, MODULE.as_bytes());
    assert!(
        !smaller.contains("addi") && smaller.contains("addf"),
        "{smaller}"
    );
    let unknown = ["opt", "-", "--passes=canonicalize,inline"];
    let stderr = tilec.fails(&unknown, MODULE.as_bytes());
    let expected = "unknown pass `inline`, known are: `canonicalize`";
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn modules_of_a_split_file_are_taken_one_by_one() {
    let tilec = Tilec::new();
    let split = ["opt", "-", "--split-input-file"];
    let two = format!("{MODULE}// -----\n{MODULE}");
    assert_eq!(tilec.prints(&split, two.as_bytes()), two);
    tilec.fails(&["opt", "-"], two.as_bytes());

    let faulty = format!("{UNSOUND}// -----\n{MODULE}// -----\n{UNSOUND}");
    let stderr = tilec.fails(&split, faulty.as_bytes());
    let lines: Vec<_> = faults(&stderr)
        .iter()
        .map(|line| line.split(':').nth(1).expect("a line").to_owned())
        .collect();
    let before = UNSOUND.lines().count() + 1 + MODULE.lines().count() + 1;
    let expected = [3, 4, before + 3, before + 4].map(|line: usize| line.to_string());
    assert_eq!(lines, expected, "{stderr}");
    assert_eq!(
        stderr.matches("= iota : tile<3xi32>").count(),
        2,
        "{stderr}"
    );
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
fn early_products_need_no_tools() {
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let build = |emit: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_tilec"))
            .args(["build", "a.mlir", "--arch=sm_90a,sm_80", emit])
            .current_dir(tilec.folder.path())
            .env("TILE_PTXAS", "/nowhere")
            .output()
            .expect("the command starts");
        (
            output.status.code(),
            text_of(&output.stdout),
            text_of(&output.stderr),
        )
    };
    let canonical = tilec.prints(&["opt", "a.mlir", "--passes=canonicalize"], b"");
    assert_eq!(build("--emit=ir"), (Some(0), canonical, String::new()));
    let (status, gpu, stderr) = build("--emit=gpu");
    assert_eq!((status, stderr.as_str()), (Some(0), ""));
    assert_eq!(gpu.matches("kernel @add").count(), 2, "{gpu}");
    // A missing tool is an error at the kernel.
    let (status, _, stderr) = build("--emit=ptx");
    assert_eq!(status, Some(1));
    assert!(
        stderr.starts_with("a.mlir:2:3: error: `ptxas` is missing\n"),
        "{stderr}"
    );
}

#[test]
fn a_module_becomes_llvm_ir_and_ptx_and_a_fatbin() {
    if !tools_are_there() {
        return;
    }
    let tilec = Tilec::new().with("a.mlir", MODULE);
    let build = |emit: &str, archs: &str| tilec.prints(&["build", "a.mlir", archs, emit], b"");
    let llvm = build("--emit=llvm", "--arch=sm_80");
    assert!(llvm.contains("define ptx_kernel void @add("), "{llvm}");
    let ptx = build("--emit=ptx", "--arch=sm_90a,sm_80");
    let targets: Vec<&str> = ptx
        .lines()
        .filter(|line| line.starts_with(".target"))
        .collect();
    assert_eq!(targets, [".target sm_80", ".target sm_90a"]);

    assert_eq!(tilec.prints(&["build", "a.mlir", "--arch=sm_80"], b""), "");
    let fatbin = tilec.read("a.fatbin");
    assert!(fatbin.starts_with(&0xba55_ed50_u32.to_le_bytes()));
    // From bytecode and standard input, with a name that was asked for.
    let bytes = tilec.stdout(&["as", "a.mlir", "-o", "-"], b"");
    tilec.stdout(&["build", "-", "--arch=sm_80", "-o", "b.fatbin"], &bytes);
    assert!(tilec.read("b.fatbin").starts_with(&fatbin[..4]));
    let stderr = tilec.fails(&["build", "-", "--arch=sm_80"], MODULE.as_bytes());
    assert!(stderr.contains("give one with `-o`"), "{stderr}");
}

/// Whether the CUDA tools are installed. Says which is missing; with
/// `TILE_REQUIRE_TOOLS=1`, as in CI, that is a failure.
#[expect(clippy::print_stderr, reason = "the reason why a test is skipped")]
fn tools_are_there() -> bool {
    let missing = [Tool::Ptxas, Tool::Fatbinary, Tool::Libdevice]
        .into_iter()
        .find_map(|tool| tool.find().err());
    let Some(error) = missing else { return true };
    let required = std::env::var("TILE_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
    assert!(!required, "{error}");
    eprintln!("skipped: {error} (run `cargo xtask setup`)");
    false
}

#[test]
fn every_module_of_the_file_tests_is_read_without_a_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tile-core/tests/filetests/verify");
    let tilec = Tilec::new();
    for entry in fs::read_dir(folder).expect("the file tests") {
        let path = entry.expect("a readable folder").path();
        let output = tilec.run(&["check", &path.display().to_string()]);
        let source = fs::read_to_string(&path).expect("a readable file");
        let expected = source.matches("// error[").count();
        let stderr = text_of(&output.stderr);
        assert_eq!(
            faults(&stderr).len(),
            expected,
            "{}: {stderr}",
            path.display()
        );
        assert_eq!(output.status.code(), Some(i32::from(expected > 0)));
    }
}
