//! A crate with the folder `tile-artifacts` is built without LLVM and ptxas, with the machine code in the binary.

mod library;

use std::path::PathBuf;
use std::process::{Command, Output};

const SOURCE: &str = r#"
use tile_kernel::prelude::*;

#[tile_kernel(grid = y.tiles([64]), arch("sm_80", "sm_90a"))]
fn double(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    y.store([i], x.load([i], [64]) * FACTOR);
}

fn main() -> tile_kernel::Result<()> {
    let device = Device::cpu();
    let x = Tensor::from_slice(&device, &[1.0, 2.0], [2])?;
    let mut y = Tensor::zeros(&device, [2])?;
    double(&x, &mut y).launch()?;
    assert_eq!(y.to_vec()?, [FACTOR, 2.0 * FACTOR]);
    Ok(())
}
"#;

/// A crate in a folder of its own.
struct Crate {
    folder: tempfile::TempDir,
}

impl Crate {
    fn new(factor: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let this = Self { folder };
        this.write(factor);
        this
    }

    fn write(&self, factor: &str) {
        let source = SOURCE.replace("FACTOR", factor);
        std::fs::write(self.folder.path().join("main.rs"), source).expect("a file");
    }

    /// Builds the crate with rustc, as cargo does.
    fn build(&self, variables: &[(&str, &str)]) -> Output {
        Command::new("rustc")
            .args(["--edition=2024", "--crate-name=ships", "main.rs"])
            .args(library::arguments())
            .current_dir(self.folder.path())
            .env("CARGO_MANIFEST_DIR", self.folder.path())
            .env("CARGO_CRATE_NAME", "ships")
            .env("TILE_CACHE", "off")
            .envs(variables.iter().copied())
            .output()
            .expect("rustc starts")
    }

    fn artifacts(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join("tile-artifacts")) else {
            return Vec::new();
        };
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
        files.sort();
        files
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Variables with which neither LLVM nor ptxas can be used.
const WITHOUT_TOOLS: [(&str, &str); 2] = [("TILE_LLVM", "/nowhere"), ("TILE_PTXAS", "/nowhere")];

#[test]
fn a_crate_with_artifacts_needs_no_compiler_of_gpu_code() {
    let its = Crate::new("2.0");
    let output = its.build(&[("TILE_ARTIFACTS", "check")]);
    let message = text(&output);
    assert!(!output.status.success());
    assert!(
        message.contains("is missing") && message.contains("TILE_ARTIFACTS=write"),
        "{message}"
    );

    let output = its.build(&[("TILE_ARTIFACTS", "write")]);
    assert!(output.status.success(), "{}", text(&output));
    // The variants `fast` and `general`, and native code of the latter.
    let files = its.artifacts();
    assert_eq!(files.len(), 3, "{files:?}");
    let written: Vec<Vec<u8>> = files
        .iter()
        .map(|file| std::fs::read(file).expect("a file"))
        .collect();
    let output = its.build(&[("TILE_ARTIFACTS", "check")]);
    assert!(output.status.success(), "{}", text(&output));

    let output = its.build(&WITHOUT_TOOLS);
    assert!(output.status.success(), "{}", text(&output));
    let program = std::fs::read(its.folder.path().join("ships")).expect("the program");
    let holds = |bytes: &[u8]| program.windows(bytes.len()).any(|window| window == bytes);
    for target in [".target sm_80", "sm_90a"] {
        assert!(holds(target.as_bytes()), "{target}");
    }
    // The magic number of a fatbin.
    assert!(holds(&0xba55_ed50_u32.to_le_bytes()));
    let status = Command::new(its.folder.path().join("ships")).status();
    assert!(status.expect("the program starts").success());

    // Another kernel has no artifact, so it is compiled.
    its.write("3.0");
    let output = its.build(&WITHOUT_TOOLS);
    assert!(!output.status.success());
    assert!(text(&output).contains("TILE_LLVM"), "{}", text(&output));
    let output = its.build(&[]);
    assert!(output.status.success(), "{}", text(&output));

    // A damaged file is as good as none, and an error only for `check`.
    its.write("2.0");
    std::fs::write(&files[0], &written[0][..100]).expect("a file");
    assert!(its.build(&[]).status.success());
    let output = its.build(&[("TILE_ARTIFACTS", "check")]);
    assert!(text(&output).contains("is damaged"), "{}", text(&output));
    let output = its.build(&[("TILE_ARTIFACTS", "sometimes")]);
    assert!(
        text(&output).contains("`write`, `check` or `off`"),
        "{}",
        text(&output)
    );
    let output = its.build(&[("TILE_ARTIFACTS", "write")]);
    assert!(output.status.success(), "{}", text(&output));
    let again: Vec<Vec<u8>> = files
        .iter()
        .map(|file| std::fs::read(file).expect("a file"))
        .collect();
    assert_eq!(again, written, "the same compiler writes the same bytes");
}
