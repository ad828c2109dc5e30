//! What this compiler and `tileiras` make of the same bytecode, side by side: counts, not times, so that
//! they are the same on every machine.
//!
//! In: the corpus of bytecode of an independent producer (`tile-core/tests/corpus`). Out: a table of
//! machine code, read by `nvdisasm`, also in `docs/bench/sass.md`.
//!
//! A loop is what lies between a label and a branch back to it, if control comes from the one to the
//! other: what stands behind the end and goes back from there is none. The innermost one with the most
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
    /// The architectures, which both know; `tileiras` takes them without a letter
    #[arg(long, value_delimiter = ',', default_value = "sm_80,sm_90a")]
    gpu_name: Vec<String>,
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
    /// Of the longest of the innermost loops, with instructions of tensor cores if any has some.
    in_loop: usize,
    /// Those of tensor cores in it.
    products_in_loop: usize,
    tensor_core: usize,
    /// The largest of tensor cores by its shape: M, N and K.
    largest: Option<[usize; 3]>,
    /// Loads and stores of registers that had no room.
    spills: usize,
    /// Loads from and stores to global memory of 16 bytes, copies to shared memory among them.
    wide: usize,
    /// Those of 8 bytes.
    half: usize,
    /// Those of fewer.
    narrow: usize,
    registers: usize,
    warps: usize,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(Scope::Everything, &setup::Options::default())?;
    let tools = tools::current_link(&tools::cache_dir()?);
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let mut sections = Vec::new();
    for gpu_name in &options.gpu_name {
        sections.push((gpu_name.as_str(), rows(gpu_name, &tools, folder.path())?));
    }
    let report = report(&sections);
    print!("{report}");
    if !options.dry_run {
        let path = workspace::root().join("docs/bench/sass.md");
        fs::write(&path, report).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}

/// What both make of each file for one architecture.
fn rows(gpu_name: &str, tools: &Path, folder: &Path) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (name, path) in corpus::files()? {
        let (ours, theirs) = (folder.join("ours"), folder.join("theirs"));
        let mut build = workspace::cargo();
        build.args(["run", "--quiet", "-p", "tilec", "--", "build"]);
        build.arg(&path).arg("--gpu-name").arg(gpu_name);
        build.arg("-o").arg(&ours);
        succeed(&mut build)?;
        let plain = gpu_name.trim_end_matches(|last: char| last.is_ascii_alphabetic());
        succeed(&mut corpus::tileiras(tools, &path, plain, &theirs))?;
        let [ours, theirs] = [ours, theirs].map(|cubin| code(tools, &cubin));
        rows.push((name, ours?, theirs?));
    }
    Ok(rows)
}

/// A kernel, and what it is compiled to by us and by them.
type Row = (String, Code, Code);

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
        let mut products: Vec<usize> = Vec::new();
        let mut flow: Vec<Next<'_>> = Vec::new();
        for line in text.lines() {
            if let Some(label) = line.trim().strip_suffix(':') {
                labels.insert(label, code.instructions);
            }
            let Some((instruction, is_guarded)) = instruction(line) else {
                continue;
            };
            let name = instruction.split([' ', ';']).next().unwrap_or_default();
            let mut parts = name.split('.');
            let opcode = parts.next().unwrap_or_default();
            let has = |width: &str| parts.clone().any(|part| part == width);
            let (is_wide, is_half) = (has("128"), has("64"));
            let mut next = Next {
                falls_through: is_guarded || !matches!(opcode, "BRA" | "EXIT" | "RET"),
                target: None,
            };
            match opcode {
                "HMMA" | "IMMA" | "DMMA" | "QMMA" | "HGMMA" | "IGMMA" | "QGMMA" => {
                    code.tensor_core += 1;
                    products.push(code.instructions);
                    code.largest = code.largest.max(parts.clone().find_map(shape));
                }
                "LDL" | "STL" => code.spills += 1,
                "LDG" | "STG" | "LDGSTS" if is_wide => code.wide += 1,
                "LDG" | "STG" | "LDGSTS" if is_half => code.half += 1,
                "LDG" | "STG" | "LDGSTS" => code.narrow += 1,
                "BRA" => {
                    let target = instruction
                        .split_once("`(")
                        .and_then(|(_, rest)| rest.split_once(')'));
                    next.target = target.map(|(label, _)| label);
                }
                _ => {}
            }
            flow.push(next);
            code.instructions += 1;
        }
        for (at, next) in flow.iter().enumerate() {
            if let Some(&start) = next.target.and_then(|label| labels.get(label))
                && start <= at
                && reaches(&flow, &labels, start, at)
            {
                loops.push((start, at));
            }
        }
        let innermost = loops.iter().filter(|(start, end)| {
            !loops
                .iter()
                .any(|other| other != &(*start, *end) && other.0 >= *start && other.1 <= *end)
        });
        let lengths = innermost.map(|(start, end)| {
            let inside = products.iter().filter(|at| (start..=end).contains(at));
            (inside.count(), end + 1 - start)
        });
        let lengths = lengths.filter(|&(_, length)| length > SHORTEST_LOOP);
        let longest = lengths.max_by_key(|&(products, length)| (products > 0, length));
        (code.products_in_loop, code.in_loop) = longest.unwrap_or_default();
        code
    }

    /// What one instruction of tensor cores in the loop takes.
    fn per_product(&self) -> String {
        if self.products_in_loop == 0 {
            return "-".to_owned();
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of instructions")]
        let each = self.in_loop as f64 / self.products_in_loop as f64;
        let [m, n, k] = self.largest.unwrap_or_default();
        format!("{each:.1} per {m}x{n}x{k}")
    }
}

/// The shape in the name of an instruction of tensor cores: `64x256x16`, or `16816`.
fn shape(part: &str) -> Option<[usize; 3]> {
    match part {
        "16816" => return Some([16, 8, 16]),
        "16832" => return Some([16, 8, 32]),
        "1688" => return Some([16, 8, 8]),
        "884" => return Some([8, 8, 4]),
        _ => {}
    }
    let mut sizes = part.split('x').map(|size| size.parse().ok());
    let shape = [sizes.next()??, sizes.next()??, sizes.next()??];
    Some(shape)
}

/// Where control goes from an instruction.
struct Next<'t> {
    /// To the one behind it.
    falls_through: bool,
    /// To a label.
    target: Option<&'t str>,
}

/// Whether control may come from one instruction to another.
fn reaches(flow: &[Next<'_>], labels: &BTreeMap<&str, usize>, from: usize, to: usize) -> bool {
    let mut seen = vec![false; flow.len()];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        let Some(next) = flow.get(at) else {
            continue;
        };
        if at == to {
            return true;
        }
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        open.extend(next.falls_through.then_some(at + 1));
        open.extend(next.target.and_then(|label| labels.get(label)));
    }
    false
}

/// The instruction of a line, without its address and its predicate, and whether it has one.
fn instruction(line: &str) -> Option<(&str, bool)> {
    let rest = line.trim_start().strip_prefix("/*")?;
    let (address, rest) = rest.split_once("*/")?;
    let is_address = !address.is_empty() && address.chars().all(|digit| digit.is_ascii_hexdigit());
    let rest = rest.trim_start();
    let is_guarded = rest.starts_with('@');
    let rest = match rest.strip_prefix('@') {
        Some(guarded) => guarded
            .split_once(' ')
            .map_or("", |(_, rest)| rest.trim_start()),
        None => rest,
    };
    let is_one = is_address && rest.starts_with(|first: char| first.is_ascii_uppercase());
    is_one.then_some((rest, is_guarded))
}

fn report(sections: &[(&str, Vec<Row>)]) -> String {
    let mut text = format!(
        "# Machine code, beside `tileiras`\n\n\
         The same bytecode ({VERSION}, of cuTile Python), compiled by `tilec build` and by NVIDIA's `tileiras`, which is asked for the architecture \
         without its letter. Counts of `nvdisasm`: \
         ours / theirs. What a loop has is multiplied by the warps of a block, which share its work; beside it are the instructions of one warp \
         for each of tensor cores. Accesses of ours \
         to global memory are there twice: for tiles that exist as a whole, and, each with a predicate, for those at an edge. \
         Our loop in `softmax_4096` divides what is out of the usual range, and hardly ever runs. Written by\n\n\
         ```console\ncargo xtask bench sass\n```\n",
    );
    for (gpu_name, rows) in sections {
        let _ = write!(
            text,
            "\n## `{gpu_name}`\n\n\
             | kernel | warps | registers | spill instructions | instructions | of the innermost loop, all warps | ratio | of tensor cores, in the loop | accesses of 16 bytes | of 8 | of fewer |\n\
             |---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        section(rows, &mut text);
    }
    text
}

fn section(rows: &[Row], text: &mut String) {
    for (name, ours, theirs) in rows {
        let all = |code: &Code| code.in_loop * code.warps.max(1);
        #[expect(clippy::cast_precision_loss, reason = "counts of instructions")]
        let ratio = match all(theirs) {
            0 => "-".to_owned(),
            theirs => format!("{:.2}", all(ours) as f64 / theirs as f64),
        };
        let _ = writeln!(
            text,
            "| `{name}` | {} / {} | {} / {} | {} / {} | {} / {} | {} / {} | {ratio} | {} / {} | {} / {} | {} / {} | {} / {} |",
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
            ours.per_product(),
            theirs.per_product(),
            ours.wide,
            theirs.wide,
            ours.half,
            theirs.half,
            ours.narrow,
            theirs.narrow,
        );
    }
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
        /*0050*/                   STG.E.64 [R2.64], R4 ;
        /*0060*/               @P1 BRA `(.L_x_1) ;
        /*0070*/                   EXIT ;
.L_x_2:
        /*0080*/                   BRA `(.L_x_2);
";
        let expected = Code {
            instructions: 9,
            in_loop: 6,
            products_in_loop: 1,
            tensor_core: 1,
            largest: Some([16, 8, 16]),
            spills: 1,
            wide: 1,
            half: 1,
            narrow: 1,
            registers: 0,
            warps: 0,
        };
        assert_eq!(Code::of(text), expected);
    }

    #[test]
    fn what_stands_behind_the_end_is_in_no_loop() {
        let text = "\
        /*0000*/              @!P0 BRA `(.L_x_2) ;
.L_x_1:
        /*0010*/                   MOV R1, R2 ;
        /*0020*/                   MOV R1, R2 ;
        /*0030*/                   EXIT ;
.L_x_2:
        /*0040*/                   MOV R1, R2 ;
        /*0050*/                   BRA `(.L_x_1) ;
";
        assert_eq!(Code::of(text).in_loop, 0);
        let skipped = text.replace("EXIT", "@P1 EXIT");
        assert_eq!(Code::of(&skipped).in_loop, 5);
    }

    #[test]
    fn what_is_no_instruction_is_none() {
        let guarded = instruction("\t/*0010*/ @P0 IADD3 R1 ;");
        assert_eq!(guarded, Some(("IADD3 R1 ;", true)));
        assert_eq!(instruction("        /* 0x000fe200078e00ff */"), None);
        assert_eq!(instruction(".L_x_1:"), None);
        assert_eq!(number_behind("Value:\t0x80 0x1", "0x"), Some(128));
        assert_eq!(number_behind("REG:149 STACK:0", "REG:"), Some(149));
        assert_eq!(number_behind("nothing", "REG:"), None);
    }
}
