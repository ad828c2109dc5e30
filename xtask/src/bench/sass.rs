//! What this compiler and `tileiras` make of the same bytecode, side by side: counts, not times, so that
//! they are the same on every machine.
//!
//! In: the corpus of bytecode of an independent producer (`tile-core/tests/corpus`). Out: a table of
//! machine code, read by `nvdisasm`, also in `docs/bench/sass.md`.
//!
//! A loop is what lies between a label and a branch back to it; the innermost one with the most
//! instructions counts. Threads of a block share its work, so that instructions of one warp are
//! multiplied by the warps of a block.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::corpus::{self, VERSION};
use crate::setup::{self, Scope};
use crate::{tools, workspace};

/// Options of `cargo xtask bench sass`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The architecture, one that both know
    #[arg(long, default_value = "sm_80")]
    gpu_name: String,
    /// Only print the figures
    #[arg(long)]
    dry_run: bool,
}

/// The shortest text that counts as a loop of the kernel: a branch to itself behind its end does not.
const SHORTEST_LOOP: usize = 3;

/// The machine code of one kernel.
#[derive(Debug, Default, PartialEq, Eq)]
struct Code {
    instructions: usize,
    /// Of the longest of the innermost loops.
    in_loop: usize,
    tensor_core: usize,
    /// Loads and stores of registers that had no room.
    spills: usize,
    /// Loads from and stores to global memory of 16 bytes, copies to shared memory among them.
    wide: usize,
    /// Those of fewer.
    narrow: usize,
    registers: usize,
    warps: usize,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(Scope::Everything, &setup::Options::default())?;
    let tools = tools::current_link(&tools::cache_dir()?);
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let mut rows = Vec::new();
    for (name, path) in corpus::files()? {
        let (ours, theirs) = (folder.path().join("ours"), folder.path().join("theirs"));
        let mut build = workspace::cargo();
        build.args(["run", "--quiet", "-p", "tilec", "--", "build"]);
        build.arg(&path).arg("--gpu-name").arg(&options.gpu_name);
        build.arg("-o").arg(&ours);
        succeed(&mut build)?;
        succeed(&mut corpus::tileiras(
            &tools,
            &path,
            &options.gpu_name,
            &theirs,
        ))?;
        let [ours, theirs] = [ours, theirs].map(|cubin| code(&tools, &cubin));
        rows.push((name, ours?, theirs?));
    }
    let report = report(&rows, options);
    print!("{report}");
    if !options.dry_run {
        let path = workspace::root().join("docs/bench/sass.md");
        fs::write(&path, report).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}

fn succeed(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("could not start {}", command.get_program().display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{} failed: {said}", crate::process::line(command));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn code(tools: &Path, cubin: &Path) -> Result<Code> {
    let text = succeed(
        Command::new(tools.join("bin/nvdisasm"))
            .arg("-c")
            .arg(cubin),
    )?;
    let mut code = Code::of(&text);
    let dump = Command::new(tools.join("bin/cuobjdump"))
        .args(["-res-usage", "-elf"])
        .arg(cubin)
        .output();
    let dump = dump.context("could not start cuobjdump")?;
    let told = [dump.stdout, dump.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    code.registers = number_behind(&told, "REG:").unwrap_or(0);
    let threads = told
        .split_once("EIATTR_REQNTID")
        .and_then(|(_, rest)| rest.split_once("Value:"))
        .and_then(|(_, rest)| number_behind(rest, "0x"));
    // It is written in hexadecimal digits.
    code.warps = threads.unwrap_or(0) / 32;
    Ok(code)
}

/// The number that begins behind a text, hexadecimal behind `0x`.
fn number_behind(text: &str, before: &str) -> Option<usize> {
    let (_, rest) = text.split_once(before)?;
    let radix = if before == "0x" { 16 } else { 10 };
    let digits: String = rest
        .chars()
        .take_while(|digit| digit.is_digit(radix))
        .collect();
    usize::from_str_radix(&digits, radix).ok()
}

impl Code {
    /// Counts what `nvdisasm -c` printed.
    fn of(text: &str) -> Self {
        let mut code = Self::default();
        let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
        let mut loops: Vec<(usize, usize)> = Vec::new();
        for line in text.lines() {
            if let Some(label) = line.trim().strip_suffix(':') {
                labels.insert(label, code.instructions);
            }
            let Some(instruction) = instruction(line) else {
                continue;
            };
            let name = instruction.split([' ', ';']).next().unwrap_or_default();
            let mut parts = name.split('.');
            let opcode = parts.next().unwrap_or_default();
            let is_wide = parts.clone().any(|part| part == "128");
            match opcode {
                "HMMA" | "IMMA" | "DMMA" | "QMMA" | "HGMMA" | "IGMMA" | "QGMMA" => {
                    code.tensor_core += 1;
                }
                "LDL" | "STL" => code.spills += 1,
                "LDG" | "STG" | "LDGSTS" if is_wide => code.wide += 1,
                "LDG" | "STG" | "LDGSTS" => code.narrow += 1,
                "BRA" => {
                    let target = instruction
                        .split_once("`(")
                        .and_then(|(_, rest)| rest.split_once(')'));
                    if let Some(&start) = target.and_then(|(label, _)| labels.get(label)) {
                        loops.push((start, code.instructions));
                    }
                }
                _ => {}
            }
            code.instructions += 1;
        }
        let innermost = loops.iter().filter(|(start, end)| {
            !loops
                .iter()
                .any(|other| other != &(*start, *end) && other.0 >= *start && other.1 <= *end)
        });
        let lengths = innermost.map(|(start, end)| end + 1 - start);
        code.in_loop = lengths
            .filter(|&length| length > SHORTEST_LOOP)
            .max()
            .unwrap_or(0);
        code
    }
}

/// The instruction of a line, without its address and its predicate.
fn instruction(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("/*")?;
    let (address, rest) = rest.split_once("*/")?;
    let is_address = !address.is_empty() && address.chars().all(|digit| digit.is_ascii_hexdigit());
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix('@') {
        Some(guarded) => guarded
            .split_once(' ')
            .map_or("", |(_, rest)| rest.trim_start()),
        None => rest,
    };
    (is_address && rest.starts_with(|first: char| first.is_ascii_uppercase())).then_some(rest)
}

fn report(rows: &[(String, Code, Code)], options: &Options) -> String {
    let mut text = format!(
        "# Machine code, beside `tileiras`\n\n\
         The same bytecode ({VERSION}, of cuTile Python), compiled for `{}` by `tilec build` and by NVIDIA's `tileiras`. Counts of `nvdisasm`: \
         ours / theirs. What a loop has is multiplied by the warps of a block, which share its work. \
         That of `softmax_4096` divides what is out of the usual range, and hardly ever runs. Written by\n\n\
         ```console\ncargo xtask bench sass\n```\n\n\
         | kernel | warps | registers | spill instructions | instructions | of the innermost loop, all warps | ratio | 16-byte accesses | narrower |\n\
         |---|---|---|---|---|---|---|---|---|\n",
        options.gpu_name
    );
    for (name, ours, theirs) in rows {
        let all = |code: &Code| code.in_loop * code.warps.max(1);
        #[expect(clippy::cast_precision_loss, reason = "counts of instructions")]
        let ratio = match all(theirs) {
            0 => "-".to_owned(),
            theirs => format!("{:.2}", all(ours) as f64 / theirs as f64),
        };
        let _ = writeln!(
            text,
            "| `{name}` | {} / {} | {} / {} | {} / {} | {} / {} | {} / {} | {ratio} | {} / {} | {} / {} |",
            ours.warps,
            theirs.warps,
            ours.registers,
            theirs.registers,
            ours.spills,
            theirs.spills,
            ours.instructions,
            theirs.instructions,
            all(ours),
            all(theirs),
            ours.wide,
            theirs.wide,
            ours.narrow,
            theirs.narrow,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Code, instruction, number_behind};

    #[test]
    fn instructions_loops_and_spills_are_counted() {
        let text = "\
\t.text.k:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/              @!P0 LDG.E.128 R4, [R2.64] ;
        /*0020*/                   STL [R1], R4 ;
        /*0030*/                   HMMA.16816.F32 R8, R4, R6, R8 ;
        /*0040*/                   LDG.E R4, [R2.64] ;
        /*0050*/               @P1 BRA `(.L_x_1) ;
        /*0060*/                   EXIT ;
.L_x_2:
        /*0070*/                   BRA `(.L_x_2);
";
        let expected = Code {
            instructions: 8,
            in_loop: 5,
            tensor_core: 1,
            spills: 1,
            wide: 1,
            narrow: 1,
            registers: 0,
            warps: 0,
        };
        assert_eq!(Code::of(text), expected);
    }

    #[test]
    fn what_is_no_instruction_is_none() {
        assert_eq!(instruction("\t/*0010*/ @P0 IADD3 R1 ;"), Some("IADD3 R1 ;"));
        assert_eq!(instruction("        /* 0x000fe200078e00ff */"), None);
        assert_eq!(instruction(".L_x_1:"), None);
        assert_eq!(number_behind("Value:\t0x80 0x1", "0x"), Some(128));
        assert_eq!(number_behind("REG:149 STACK:0", "REG:"), Some(149));
        assert_eq!(number_behind("nothing", "REG:"), None);
    }
}
