//! Counts the bytes in flight of kernels without MMA from their machine code; it measures no times.
//!
//! The kernels (`memory_bound/*.mlir`, in bf16) loop over the tiles of a row, or have one tile per
//! row. Prints a table, and writes it to `docs/bench/memory-bound.md`.
//!
//! A load is in flight from its issue to the first instruction that reads its register; a copy to a
//! circular buffer is in flight until the wait before the loop's first iteration. The bytes in
//! flight of a multiprocessor are the maximum of one thread, times the threads of a block, times
//! the blocks that fit. Registers, threads and shared memory limit the number of blocks.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::corpus::{self, Profile};
use serde_json::Value;

use super::sass::{instruction, registers_and_warps, succeed};
use crate::setup::{self, Scope};
use crate::{tools, workspace};

/// Options of `cargo xtask bench memory-bound`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only print the figures
    #[arg(long)]
    dry_run: bool,
}

const GPU: &str = "sm_90a";

/// Name, text, and tile lengths.
const KERNELS: [(&str, &str, &[u32]); 5] = [
    (
        "copy in a loop",
        include_str!("memory_bound/copy.mlir"),
        &LOOP_TILES,
    ),
    (
        "RMS norm in a loop",
        include_str!("memory_bound/rms_norm.mlir"),
        &LOOP_TILES,
    ),
    (
        "cross entropy in a loop",
        include_str!("memory_bound/cross_entropy.mlir"),
        &LOOP_TILES,
    ),
    (
        "copy of rows",
        include_str!("memory_bound/copy_row.mlir"),
        &ROWS,
    ),
    (
        "RMS norm of rows",
        include_str!("memory_bound/rms_norm_row.mlir"),
        &ROWS,
    ),
];
const LOOP_TILES: [u32; 4] = [1024, 2048, 4096, 8192];
const ROWS: [u32; 6] = [1024, 4096, 8192, 16384, 32768, 65536];

/// The limits of a multiprocessor of `sm_90` (CUDA programming guide, "Compute Capabilities").
const WARPS: usize = 64;
const BLOCKS: usize = 32;
const REGISTERS: usize = 65536;
const SHARED_BYTES: usize = 228 << 10;
/// Shared memory per block that the system reserves.
const RESERVED_BYTES: usize = 1024;

/// The maximum number of loads in flight of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct InFlight {
    /// The number of loads and copies.
    count: usize,
    /// The sum of their sizes.
    bytes: usize,
    /// The smallest size.
    narrowest: usize,
    /// `true` for copies to a circular buffer.
    is_circular_buffer: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(Scope::Everything, &setup::Options::default())?;
    let tools = tools::current_link(&tools::cache_dir()?);
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let tilec = corpus::tilec(Profile::Dev)?;
    let mut text = "# Bytes in flight of memory-bound kernels\n\n\
        Counts of machine code for `sm_90a`: the loads that a thread issues before the first instruction that needs one of \
        them, or the asynchronous copies before the first wait; the blocks that fit on a multiprocessor; and the bytes that they have in flight \
        at most. An H200 needs 29 KB (4.8 TB/s, 800 ns, 132 multiprocessors), better 64. Elements are bf16. The second number of registers is that of `tileiras`. Written by\n\n\
        ```console\ncargo xtask bench memory-bound\n```\n\n\
        | kernel | columns of a tile | warps | registers | shared memory | destination | loads per thread | minimum bytes of a load | blocks | KB in flight |\n\
        |---|---|---|---|---|---|---|---|---|---|\n".to_owned();
    for (name, source, lengths) in KERNELS {
        for length in lengths {
            let source = source.replace("COLUMNS", &length.to_string());
            let row = row(&tilec, &tools, folder.path(), &source)?;
            let _ = writeln!(text, "| {name} | {length} | {row} |");
        }
    }
    print!("{text}");
    if !options.dry_run {
        let path = workspace::root().join("docs/bench/memory-bound.md");
        fs::write(&path, text).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}

fn row(tilec: &Path, tools: &Path, folder: &Path, source: &str) -> Result<String> {
    let file = |name: &str| folder.join(name);
    let (text, bytecode) = (file("stream.mlir"), file("stream.tilebc"));
    let (ours, theirs, launches) = (file("ours"), file("theirs"), file("launches"));
    fs::write(&text, source)?;
    succeed(
        Command::new(tilec)
            .arg("as")
            .arg(&text)
            .arg("-o")
            .arg(&bytecode),
    )?;
    let mut build = Command::new(tilec);
    build.arg("build").arg(&bytecode).arg("--gpu-name").arg(GPU);
    build.arg("--launches").arg(&launches).arg("-o").arg(&ours);
    succeed(&mut build)?;
    succeed(&mut corpus::tileiras(tools, &bytecode, GPU, &theirs))?;
    let told: Value = serde_json::from_slice(&fs::read(&launches)?)?;
    let shared = told["launches"][0]["shared_bytes"].as_u64();
    let shared = shared
        .and_then(|bytes| usize::try_from(bytes).ok())
        .context("the launch says no bytes of shared memory")?;
    let code = succeed(
        Command::new(tools.join("bin/nvdisasm"))
            .arg("-c")
            .arg(&ours),
    )?;
    let in_flight = in_flight(&code);
    let (registers, warps) = registers_and_warps(tools, &ours)?;
    let (their_registers, _) = registers_and_warps(tools, &theirs)?;
    let blocks = blocks(warps, registers, shared);
    let kilobytes = blocks * warps * 32 * in_flight.bytes / 1024;
    let InFlight {
        count,
        narrowest,
        is_circular_buffer,
        ..
    } = in_flight;
    let place = if is_circular_buffer {
        "shared memory"
    } else {
        "registers"
    };
    Ok(format!(
        "{warps} | {registers} / {their_registers} | {shared} | {place} | {count} | {narrowest} | {blocks} | {kilobytes}"
    ))
}

/// Returns the number of blocks that fit on a multiprocessor.
fn blocks(warps: usize, registers: usize, shared: usize) -> usize {
    let by_registers =
        REGISTERS / (registers.max(1) * 32).next_multiple_of(256) / 4 * 4 / warps.max(1);
    let by_shared = SHARED_BYTES / (shared + RESERVED_BYTES);
    by_registers
        .min(by_shared)
        .min(WARPS / warps.max(1))
        .min(BLOCKS)
}

/// Returns the maximum of the loads in flight of a thread, from the output of `nvdisasm -c`.
fn in_flight(code: &str) -> InFlight {
    let (mut most, mut now) = (InFlight::default(), InFlight::default());
    let mut registers: Vec<String> = Vec::new();
    for line in code.lines() {
        let Some((text, _)) = instruction(line) else {
            continue;
        };
        let (name, operands) = text.split_once(' ').unwrap_or((text, ""));
        let operands: Vec<&str> = operands
            .split(|c: char| !c.is_ascii_alphanumeric())
            .collect();
        let is_circular_buffer = name.starts_with("LDGSTS");
        let ends = if now.is_circular_buffer {
            name.starts_with("DEPBAR") || name.starts_with("LDS") && operands.first() != Some(&"RZ")
        } else {
            operands
                .iter()
                .any(|operand| registers.iter().any(|loaded| loaded == operand))
        };
        let is_load = name.starts_with("LDG") && name != "LDGDEPBAR";
        if ends || is_load && now.count > 0 && now.is_circular_buffer != is_circular_buffer {
            now = InFlight::default();
            registers.clear();
        }
        if !is_load {
            continue;
        }
        let parts = name.split('.');
        let bytes = { parts }.find_map(|part| match part {
            "128" => Some(16),
            "64" => Some(8),
            "U16" | "S16" => Some(2),
            "U8" | "S8" => Some(1),
            _ => None,
        });
        let bytes: usize = bytes.unwrap_or(4);
        if let Some(first) = operands.first().and_then(|name| name.strip_prefix('R'))
            && let Ok(first) = first.parse::<usize>()
            && !is_circular_buffer
        {
            registers.extend((first..first + bytes.div_ceil(4)).map(|number| format!("R{number}")));
        }
        now = InFlight {
            count: now.count + 1,
            bytes: now.bytes + bytes,
            narrowest: if now.count == 0 {
                bytes
            } else {
                bytes.min(now.narrowest)
            },
            is_circular_buffer,
        };
        if now.bytes > most.bytes {
            most = now;
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::{InFlight, blocks, in_flight};

    #[test]
    fn loads_are_under_way_until_one_is_needed() {
        let code = "
        /*0010*/                   LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;
        /*0020*/                   LDG.E.64.CONSTANT R8, desc[UR4][R2.64+0x800] ;
        /*0030*/                   FADD R1, R0, R7 ;
        /*0040*/                   LDG.E R4, desc[UR4][R2.64] ;";
        let expected = InFlight {
            count: 2,
            bytes: 24,
            narrowest: 8,
            is_circular_buffer: false,
        };
        assert_eq!(in_flight(code), expected);
    }

    #[test]
    fn copies_to_a_ring_are_under_way_until_the_wait() {
        let code = "
        /*0010*/                   LDGSTS.E.BYPASS.128 [R21], desc[UR6][R4.64], !P2 ;
        /*0020*/                   LDGDEPBAR ;
        /*0030*/              @!P1 LDGSTS.E.BYPASS.128 [R21+0x80], desc[UR6][R4.64], !P2 ;
        /*0040*/                   DEPBAR.LE SB0, 0x1 ;
        /*0050*/                   LDGSTS.E.BYPASS.128 [R21], desc[UR6][R4.64], !P2 ;
        /*0060*/              @!PT LDS RZ, [RZ] ;
        /*0070*/                   LDS.128 R4, [R42] ;
        /*0080*/                   LDGSTS.E.BYPASS.128 [R21], desc[UR6][R4.64], !P2 ;
        /*0090*/                   LDGSTS.E.BYPASS.128 [R21], desc[UR6][R4.64], !P2 ;";
        let expected = InFlight {
            count: 2,
            bytes: 32,
            narrowest: 16,
            is_circular_buffer: true,
        };
        assert_eq!(in_flight(code), expected);
    }

    #[test]
    fn blocks_fit_by_each_limit() {
        assert_eq!(blocks(4, 32, 0), 16);
        assert_eq!(blocks(4, 128, 0), 4);
        assert_eq!(blocks(4, 32, 100 << 10), 2);
        assert_eq!(blocks(1, 32, 0), 32);
    }
}
