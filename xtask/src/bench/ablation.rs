//! Counts the machine instructions of a kernel at each step of an ablation; it measures no times.
//!
//! Prints a table for each of [`crate::ablation`], and writes it to `docs/bench/ablation.md`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::corpus::{self, Profile};
use super::sass::{Code, code, succeed};
use crate::ablation::{ABLATIONS, Step};
use crate::setup::{self, Scope};
use crate::{tools, workspace};

/// Options of `cargo xtask bench ablation`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only print the figures
    #[arg(long)]
    dry_run: bool,
}

/// Multiply-adds of one `wgmma` of 64x256x16.
const UNIT: usize = 64 * 256 * 16;

/// Warp schedulers of a multiprocessor.
const SCHEDULERS: f64 = 4.0;

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(Scope::Everything, &setup::Options::default())?;
    let tools = tools::current_link(&tools::cache_dir()?);
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let tilec = corpus::tilec(Profile::Dev)?;
    let mut text = "# Ablation: what each technique does to machine code\n\n\
        Each row adds one technique to the kernel of the row above; \
        the others are disabled by options of `tilec build` (`--disable`, `--cluster`, `--stages`, `--tensor-maps`). Counts of `nvdisasm`: instructions that one warp executes in the innermost loop with MMAs, and those that each of the \
        four schedulers of a multiprocessor issues there per `wgmma` of 64x256x16 or its equal in multiply-adds, which keeps the tensor cores of an H200 busy for 128 cycles. \
        Code that a branch skips most of the time is counted: masks away from the diagonal, and the rescaling of accumulators where no maximum changes. Counts do not show the effect of TMA multicast, rasterization, and stores that overlap the next tile: \
        [the bundle](../gpu-bundle.md) times the same steps on a GPU (`./run.py ablation`). Written by\n\n\
        ```console\ncargo xtask bench ablation\n```\n"
        .to_owned();
    for ablation in &ABLATIONS {
        let _ = write!(
            text,
            "\n## {}\n\n| step | tiles | warps | registers | spilled bytes | shared memory, KB | instructions | of the loop | issued for each 64x256x16 |\n\
             |---|---|---|---|---|---|---|---|---|\n",
            ablation.name
        );
        for step in ablation.steps {
            let row = row(&tilec, &tools, folder.path(), step)
                .with_context(|| format!("{}: {}", ablation.name, step.what))?;
            let _ = writeln!(text, "{row}");
        }
    }
    print!("{text}");
    if !options.dry_run {
        let path = workspace::root().join("docs/bench/ablation.md");
        fs::write(&path, text).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}

fn row(tilec: &Path, tools: &Path, folder: &Path, step: &Step) -> Result<String> {
    let (cubin, launches) = (folder.join("step.cubin"), folder.join("step.json"));
    let mut build = step.build(tilec)?;
    build.arg("--launches").arg(&launches).arg("-o").arg(&cubin);
    succeed(&mut build)?;
    let told: Value = serde_json::from_slice(&fs::read(&launches)?)?;
    let number = |pointer: &str| {
        let number = told["launches"][0].pointer(pointer);
        let number = number.and_then(Value::as_u64);
        number.with_context(|| format!("the launch does not say `{pointer}`"))
    };
    let spilled =
        number("/resources/spill_stores_bytes")? + number("/resources/spill_loads_bytes")?;
    let code = code(tools, &cubin)?;
    let tiles = step.file.rsplit('_').next().unwrap_or_default();
    Ok(format!(
        "| {} | {tiles} | {} | {} | {} | {} | {} | {} | {} |",
        step.what,
        number("/threads")? / 32,
        number("/resources/registers")?,
        spilled,
        number("/shared_bytes")?.div_ceil(1024),
        code.instructions,
        code.in_loop,
        per_unit(&code),
    ))
}

/// Returns the instructions that a scheduler issues in the loop for [`UNIT`] multiply-adds. The
/// four warps of a warpgroup, one on each scheduler, share a `wgmma`; other MMAs belong to one
/// warp.
fn per_unit(code: &Code) -> String {
    if code.multiplications_in_loop == 0 {
        return "-".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of instructions")]
    let per_warp = (code.in_loop * UNIT) as f64 / code.multiplications_in_loop as f64;
    let is_wgmma = code.largest.is_some_and(|[m, ..]| m == 64);
    let each = if is_wgmma {
        per_warp
    } else {
        per_warp / SCHEDULERS
    };
    format!("{each:.1}")
}
