//! `tilec build`.

use std::process::Command;

use tile_backend::tools::Tool;

use crate::support::{MODULE, Tilec, text_of};

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
