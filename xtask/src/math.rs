//! Generates `tile-backend/src/llvm/math.ll`, the functions of `tile-backend/device-math` as LLVM IR.
//!
//! rustc compiles them for this machine, with fused multiply-adds. What is specific to the machine is then removed, and the
//! declarations that stand for instructions of a GPU become intrinsics.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::{process, workspace};

/// The declarations in `device-math/src/device.rs` and the intrinsics that replace them.
const INSTRUCTIONS: [(&str, &str); 4] = [
    ("tile_exp2_approx_f32", "llvm.nvvm.ex2.approx.ftz.f"),
    ("tile_reciprocal_approx_f32", "llvm.nvvm.rcp.approx.ftz.f"),
    ("tile_reciprocal_approx_f64", "llvm.nvvm.rcp.approx.ftz.d"),
    ("tile_rsqrt_approx_f64", "llvm.nvvm.rsqrt.approx.ftz.d"),
];

const HEADER: &str = "\
; The mathematical functions of kernels. `cargo xtask math` generates this file from `tile-backend/device-math`.
;
; `tile-backend/src/llvm/math.rs` takes a function out of this file by its name, so each calls only intrinsics.
";

pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    let folder = tempfile::tempdir()?;
    let raw = folder.path().join("math.ll");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc
        .args(["--edition", "2024", "--crate-type", "lib"])
        .args(["--crate-name", "device_math", "--cfg", "device"])
        .args(["--emit", "llvm-ir", "--target", "x86_64-unknown-linux-gnu"])
        .args(["-C", "opt-level=3", "-C", "codegen-units=1"])
        .args(["-C", "panic=abort", "-C", "target-feature=+fma"])
        // The functions are of one element; LLVM vectorizes nothing for a GPU either.
        .args(["-C", "no-vectorize-loops", "-C", "no-vectorize-slp"])
        .arg("-o")
        .arg(&raw)
        .arg(root.join("tile-backend/device-math/src/lib.rs"));
    process::run(&mut rustc)?;
    let text = fs::read_to_string(&raw).context("could not read the output of rustc")?;
    let path = root.join("tile-backend/src/llvm/math.ll");
    fs::write(&path, neutral(&text)?)?;
    println!("math: wrote `{}`", path.display());
    Ok(())
}

/// Removes what is specific to the machine, and everything that is not in a function that other modules call.
fn neutral(text: &str) -> Result<String> {
    let mut globals = String::new();
    let mut declarations = String::new();
    let mut definitions = String::new();
    let mut is_inside = false;
    for line in text.lines() {
        // No function unwinds.
        if line.starts_with("declare ") && !line.contains("@rust_eh_personality") {
            let _ = writeln!(declarations, "{}", declaration(line)?);
        } else if line.starts_with('@') {
            let _ = writeln!(globals, "{line}");
        } else if line.starts_with("define ") {
            is_inside = true;
            let (head, _) = line
                .rsplit_once(") ")
                .with_context(|| format!("not a definition: `{line}`"))?;
            let head = head.replace("define dso_local ", "define ");
            if !head.contains("@tile_") {
                bail!("rustc did not inline `{head}`");
            }
            let _ = writeln!(definitions, "\n{head}) #0 {{");
        } else if is_inside {
            let _ = writeln!(definitions, "{}", without_annotations(line));
            is_inside = line != "}";
        }
    }
    let mut text = format!(
        "{HEADER}\n{globals}\n{declarations}\nattributes #0 = {{ alwaysinline nounwind }}\n{definitions}"
    );
    for (name, intrinsic) in INSTRUCTIONS {
        text = text.replace(&format!("@{name}("), &format!("@{intrinsic}("));
    }
    Ok(shorten_globals(&text))
}

/// Returns a declaration without attributes. LLVM knows those of its intrinsics.
fn declaration(line: &str) -> Result<String> {
    let known = line.contains("@llvm.") || INSTRUCTIONS.iter().any(|(name, _)| line.contains(name));
    if !known {
        bail!("the functions call something: `{line}`");
    }
    let (head, _) = line
        .rsplit_once(')')
        .with_context(|| format!("not a declaration: `{line}`"))?;
    Ok(format!("{})", head.replace("dso_local ", "")))
}

/// Removes metadata and groups of attributes, which are defined at the end of the output of rustc.
fn without_annotations(line: &str) -> String {
    let mut line = line.split(", !").next().unwrap_or(line).to_owned();
    if let Some((before, group)) = line.rsplit_once(" #")
        && group.bytes().all(|byte| byte.is_ascii_digit())
    {
        line.truncate(before.len());
    }
    // The comment with the predecessors of a block.
    let code = line.split(" ; preds").next().unwrap_or(&line);
    code.trim_end().to_owned()
}

/// Replaces the mangled names of the tables.
fn shorten_globals(text: &str) -> String {
    let mut short = text.to_owned();
    for line in text.lines().filter(|line| line.starts_with("@_ZN")) {
        let name = line.split(' ').next().unwrap_or(line);
        let module = if name.contains("6double") {
            "f64"
        } else {
            "f32"
        };
        short = short.replace(name, &format!("@two_by_pi_{module}"));
    }
    short
}
