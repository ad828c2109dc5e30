//! Compares the machine code of this compiler and of `tileiras` for the same bytecode by counts,
//! not times, so that the results are the same on every machine.
//!
//! Compiles the corpus of bytecode of an independent producer (`tile-core/tests/corpus`),
//! disassembles with `nvdisasm`, prints a table, and writes it to `docs/bench/sass.md`.
//!
//! The counted loop of a kernel ([`super::control_flow`]) is the longest innermost loop; if any
//! loops contain tensor core instructions, only these loops are considered. A nested loop that an
//! iteration can bypass retries a wait, and is not counted. With tensor cores, instructions are
//! compared per multiplication; otherwise the instructions of one warp are multiplied by the warps
//! of a block, which share the work.
//!
//! The warnings of `ptxas` on the PTX are collected too: if it serializes `wgmma` instructions, the
//! command fails after everything is written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::control_flow::{self, Loop, Next};
use super::corpus::{self, Profile, VERSION};
use crate::setup::{self, Scope};
use crate::{tools, workspace};

/// Options of `cargo xtask bench sass`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The architectures; both compilers must support them, and `tileiras` gets them without a
    /// suffix letter
    #[arg(long, value_delimiter = ',', default_value = "sm_80,sm_90a")]
    gpu_name: Vec<String>,
    /// Only kernels whose name contains this; nothing is written
    #[arg(long, default_value = "")]
    filter: String,
    /// Only print the figures
    #[arg(long)]
    dry_run: bool,
}

/// The minimum length of a counted loop: the branch to itself after the end of a kernel is shorter.
const SHORTEST_LOOP: usize = 3;

/// Counts of the machine code of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Code {
    pub(super) instructions: usize,
    /// Instructions of the counted loop.
    pub(super) in_loop: usize,
    /// Tensor core instructions of the counted loop.
    mmas_in_loop: usize,
    tensor_core: usize,
    /// Multiplications of the tensor core instructions of the counted loop.
    pub(super) multiplications_in_loop: usize,
    /// The shape of the largest tensor core instruction: M, N and K.
    pub(super) largest: Option<[usize; 3]>,
    /// TMA loads to shared memory.
    tensor_loads: usize,
    /// TMA stores to global memory.
    tensor_stores: usize,
    /// Loads and stores of spilled registers.
    spills: usize,
    /// Loads from and stores to global memory of 16 bytes, including copies to shared memory.
    wide: usize,
    /// The same for accesses of 8 bytes.
    half: usize,
    /// The same for accesses of fewer bytes.
    narrow: usize,
    registers: usize,
    warps: usize,
}

/// An architecture, with or without tensor maps from the host.
struct Section<'o> {
    gpu_name: &'o str,
    has_maps: bool,
    rows: Vec<Row>,
}

/// A kernel, and the code of both compilers for it.
struct Row {
    name: String,
    ours: Code,
    theirs: Code,
    /// The warnings of `ptxas` on our PTX.
    warnings: Vec<String>,
}

/// The first architecture with TMA.
const WITH_TENSOR_MAPS: u32 = 90;

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(Scope::Everything, &setup::Options::default())?;
    let tools = tools::current_link(&tools::cache_dir()?);
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let tilec = corpus::tilec(Profile::Dev)?;
    let mut sections = Vec::new();
    for gpu_name in &options.gpu_name {
        let files = corpus::files()?;
        let files: Vec<_> = files
            .into_iter()
            .filter(|(name, _)| name.contains(&options.filter))
            .collect();
        let theirs = files.iter().map(|(_, path)| {
            let cubin = folder.path().join("theirs");
            succeed(&mut corpus::tileiras(&tools, path, gpu_name, &cubin))?;
            code(&tools, &cubin)
        });
        let theirs: Vec<Code> = theirs.collect::<Result<_>>()?;
        let number: String = gpu_name.chars().filter(char::is_ascii_digit).collect();
        let can = number
            .parse()
            .is_ok_and(|number: u32| number >= WITH_TENSOR_MAPS);
        let with_and_without_maps: &[bool] = if can { &[true, false] } else { &[false] };
        for &has_maps in with_and_without_maps {
            let rows = files.iter().zip(&theirs).map(|((name, path), theirs)| {
                let (ours, warnings) =
                    ours(&tilec, &tools, folder.path(), path, gpu_name, has_maps)?;
                let (name, theirs) = (name.clone(), theirs.clone());
                Ok(Row {
                    name,
                    ours,
                    theirs,
                    warnings,
                })
            });
            let rows = rows.collect::<Result<_>>()?;
            sections.push(Section {
                gpu_name,
                has_maps,
                rows,
            });
        }
    }
    let report = report(&sections);
    print!("{report}");
    if !options.dry_run && options.filter.is_empty() {
        let path = workspace::root().join("docs/bench/sass.md");
        fs::write(&path, report).with_context(|| format!("could not write {}", path.display()))?;
    }
    let rows = || sections.iter().flat_map(|section| &section.rows);
    match rows().map(|row| row.warnings.len()).sum::<usize>() {
        0 => Ok(()),
        count => bail!(
            "ptxas warns {count} times, see the tables: MMAs are serialized, or registers are not given back"
        ),
    }
}

/// Compiles a file with our compiler, and returns its counts and the warnings of `ptxas`.
fn ours(
    tilec: &Path,
    tools: &Path,
    folder: &Path,
    file: &Path,
    gpu_name: &str,
    has_maps: bool,
) -> Result<(Code, Vec<String>)> {
    let (ptx, cubin) = (folder.join("ours.ptx"), folder.join("ours.cubin"));
    let mut build = Command::new(tilec);
    build.arg("build").arg(file).arg("--gpu-name").arg(gpu_name);
    build.arg(format!(
        "--tensor-maps={}",
        if has_maps { "host" } else { "none" }
    ));
    build.args(["--emit=ptx", "-o"]).arg(&ptx);
    succeed(&mut build)?;
    let mut assemble = Command::new(tools.join("bin/ptxas"));
    assemble.arg("-v").arg(format!("--gpu-name={gpu_name}"));
    assemble.arg(&ptx).arg("-o").arg(&cubin);
    let output = assemble.output().context("could not start ptxas")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{} failed: {said}", crate::process::line(&assemble));
    }
    Ok((code(tools, &cubin)?, warnings(&said)))
}

/// Returns the warnings and the numbered advice (`C7510`) in the output of `ptxas -v`.
fn warnings(said: &str) -> Vec<String> {
    let is_one = |line: &&str| line.contains("warning") || line.contains("(C7");
    let lines = said.lines().filter(is_one);
    lines.map(|line| line.trim().to_owned()).collect()
}

pub(super) fn succeed(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("could not start {}", command.get_program().display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("{} failed: {said}", crate::process::line(command));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Counts the machine code of a cubin.
pub(super) fn code(tools: &Path, cubin: &Path) -> Result<Code> {
    let text = succeed(
        Command::new(tools.join("bin/nvdisasm"))
            .arg("-c")
            .arg(cubin),
    )?;
    let mut code = Code::parse(&text);
    (code.registers, code.warps) = registers_and_warps(tools, cubin)?;
    Ok(code)
}

/// Returns the registers per thread and the warps per block.
pub(super) fn registers_and_warps(tools: &Path, cubin: &Path) -> Result<(usize, usize)> {
    let dump = Command::new(tools.join("bin/cuobjdump"))
        .args(["-res-usage", "-elf"])
        .arg(cubin)
        .output();
    let dump = dump.context("could not start cuobjdump")?;
    let told = [dump.stdout, dump.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    let registers = number_after(&told, "REG:").unwrap_or(0);
    let threads = told
        .split_once("EIATTR_REQNTID")
        .and_then(|(_, rest)| rest.split_once("Value:"))
        .and_then(|(_, rest)| number_after(rest, "0x"));
    // The number of threads was hexadecimal.
    Ok((registers, threads.unwrap_or(0) / 32))
}

/// Parses the number after `before`; after `0x` it is hexadecimal.
fn number_after(text: &str, before: &str) -> Option<usize> {
    let (_, rest) = text.split_once(before)?;
    let radix = if before == "0x" { 16 } else { 10 };
    let digits: String = rest
        .chars()
        .take_while(|digit| digit.is_digit(radix))
        .collect();
    usize::from_str_radix(&digits, radix).ok()
}

impl Code {
    /// Counts the output of `nvdisasm -c`.
    fn parse(text: &str) -> Self {
        let mut code = Self::default();
        let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
        let mut mmas: Vec<(usize, usize)> = Vec::new();
        let mut jumps: Vec<Jump<'_>> = Vec::new();
        let mut joins: BTreeMap<&str, &str> = BTreeMap::new();
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
            let label = || {
                let label = instruction.split_once("`(")?.1.split_once(')')?;
                Some(label.0)
            };
            let mut jump = Jump {
                falls_through: is_guarded || !matches!(opcode, "BRA" | "EXIT" | "RET"),
                label: None,
            };
            match opcode {
                "HMMA" | "IMMA" | "DMMA" | "QMMA" | "HGMMA" | "IGMMA" | "QGMMA" => {
                    code.tensor_core += 1;
                    let shape = parts.clone().find_map(shape);
                    let multiplications = shape.map_or(0, |[m, n, k]| m * n * k);
                    mmas.push((code.instructions, multiplications));
                    code.largest = code.largest.max(shape);
                }
                "UTMALDG" => code.tensor_loads += 1,
                "UTMASTG" => code.tensor_stores += 1,
                "LDL" | "STL" => code.spills += 1,
                "LDG" | "STG" | "LDGSTS" if is_wide => code.wide += 1,
                "LDG" | "STG" | "LDGSTS" if is_half => code.half += 1,
                "LDG" | "STG" | "LDGSTS" => code.narrow += 1,
                "BRA" => jump.label = label(),
                // `BSSY` names the reconvergence point before the threads of a warp diverge.
                "BSSY" => {
                    if let (Some(barrier), Some(label)) = (barrier(instruction), label()) {
                        joins.insert(barrier, label);
                    }
                }
                "BSYNC" => {
                    let meeting = barrier(instruction).and_then(|barrier| joins.get(barrier));
                    if let Some(label) = meeting {
                        jump.label = Some(label);
                        jump.falls_through = is_guarded;
                    }
                }
                _ => {}
            }
            jumps.push(jump);
            code.instructions += 1;
        }
        let next = |jump: &Jump<'_>| Next {
            falls_through: jump.falls_through,
            target: jump.label.and_then(|label| labels.get(label)).copied(),
        };
        let flow: Vec<Next> = jumps.iter().map(next).collect();
        code.count_loop(&flow, &mmas);
        code
    }

    /// Finds the counted loop, and counts its instructions; `mmas` are the indices and
    /// multiplications of MMAs.
    fn count_loop(&mut self, flow: &[Next], mmas: &[(usize, usize)]) {
        let loops = control_flow::loops(flow);
        let inside = |one: &Loop| {
            let inside = mmas.iter().filter(|(index, _)| one.body.contains(index));
            inside.fold((0, 0), |(count, sum), (_, each)| (count + 1, sum + each))
        };
        let contains_mma = |one: &&Loop| inside(one).0 > 0;
        let has_mma = loops.iter().any(|one| contains_mma(&one));
        let candidates: Vec<&Loop> = loops
            .iter()
            .filter(|one| !has_mma || contains_mma(one))
            .collect();
        let innermost = candidates
            .iter()
            .filter(|one| !candidates.iter().any(|other| one.contains(other)));
        let lengths = innermost.map(|one| {
            let retries = loops
                .iter()
                .filter(|inner| one.contains(inner) && one.goes_round(flow, inner));
            let retries: BTreeSet<usize> = retries.flat_map(|inner| &inner.body).copied().collect();
            (one.body.len() - retries.len(), inside(one))
        });
        let lengths = lengths.filter(|&(length, _)| length > SHORTEST_LOOP);
        let longest = lengths.max_by_key(|&(length, _)| length);
        let (in_loop, (count, multiplications)) = longest.unwrap_or_default();
        self.in_loop = in_loop;
        self.mmas_in_loop = count;
        self.multiplications_in_loop = multiplications;
    }

    /// Returns the instructions per tensor core instruction of the loop.
    fn per_mma(&self) -> String {
        if self.mmas_in_loop == 0 {
            return "-".to_owned();
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of instructions")]
        let each = self.in_loop as f64 / self.mmas_in_loop as f64;
        let [m, n, k] = self.largest.unwrap_or_default();
        format!("{each:.1} per {m}x{n}x{k}")
    }
}

/// Parses the shape in the name of a tensor core instruction: `64x256x16`, or `16816`.
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

/// The successors of an instruction.
struct Jump<'t> {
    /// `true` if the next instruction is a successor.
    falls_through: bool,
    /// The label of a branch.
    label: Option<&'t str>,
}

/// Returns the convergence barrier register, such as `B0`.
fn barrier(instruction: &str) -> Option<&str> {
    let mut words = instruction.split([' ', ',', ';']);
    words.find(|word| {
        word.strip_prefix('B')
            .is_some_and(|number| number.parse::<u32>().is_ok())
    })
}

/// Returns the instruction of a line, without its address and predicate, and `true` if it has a
/// predicate.
pub(super) fn instruction(line: &str) -> Option<(&str, bool)> {
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

fn report(sections: &[Section<'_>]) -> String {
    let mut text = format!(
        "# Machine code, beside `tileiras`\n\n\
         The same bytecode ({VERSION}, from cuTile Python), compiled by `tilec build` and by NVIDIA's `tileiras`, which is given the architecture \
         without its letter. Counts of `nvdisasm`: ours / theirs. Loops are counted in instructions of one warp, also per tensor-core instruction of the largest shape. The ratio compares instructions per \
         multiply-add or, without tensor cores, instructions of all warps of a block, which share the work. Our accesses \
         to global memory occur twice: without predicates for tiles inside the tensor, and with predicates for tiles at an edge. \
         Our loop in `softmax_4096` is a division of operands outside the usual range, and is hardly ever executed. Kernels of `#[tile_kernel]` are launched with tensor maps where tensors have one, as is the output of \
         `tilec build --tensor-maps=host` ([launch.md](../launch.md)). Written by\n\n\
         ```console\ncargo xtask bench sass\n```\n\n\
         which fails if `ptxas` warns, for example that it serializes `wgmma`s.\n",
    );
    for Section {
        gpu_name,
        has_maps,
        rows,
    } in sections
    {
        let with = if *has_maps { ", with tensor maps" } else { "" };
        let _ = write!(
            text,
            "\n## `{gpu_name}`{with}\n\n\
             | kernel | warps | registers | spill instructions | instructions | of the innermost loop | per tensor-core instruction | ratio | TMA loads | TMA stores | accesses of 16 bytes | of 8 | of fewer |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for row in rows {
            section_row(row, &mut text);
        }
        for row in rows {
            for warning in &row.warnings {
                let _ = write!(text, "\n**`{}`: {warning}**\n", row.name);
            }
        }
    }
    text
}

/// Returns the ratio of the instructions of our loop to those of theirs, for the same work.
#[expect(clippy::cast_precision_loss, reason = "counts of instructions")]
fn ratio(ours: &Code, theirs: &Code) -> Option<f64> {
    let per_unit = |code: &Code| {
        if ours.multiplications_in_loop * theirs.multiplications_in_loop > 0 {
            code.in_loop as f64 / code.multiplications_in_loop as f64
        } else {
            (code.in_loop * code.warps.max(1)) as f64
        }
    };
    (theirs.in_loop > 0).then(|| per_unit(ours) / per_unit(theirs))
}

fn section_row(row: &Row, text: &mut String) {
    let Row {
        name,
        ours,
        theirs,
        warnings,
    } = row;
    let ratio = ratio(ours, theirs).map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
    let mark = if warnings.is_empty() {
        ""
    } else {
        " (warnings below)"
    };
    let _ = write!(text, "| `{name}`{mark} |");
    let mut cell = |figure: &dyn Fn(&Code) -> String| {
        let _ = write!(text, " {} / {} |", figure(ours), figure(theirs));
    };
    cell(&|code| code.warps.to_string());
    cell(&|code| code.registers.to_string());
    cell(&|code| code.spills.to_string());
    cell(&|code| code.instructions.to_string());
    cell(&|code| code.in_loop.to_string());
    cell(&Code::per_mma);
    let _ = write!(text, " {ratio} |");
    let mut cell = |figure: &dyn Fn(&Code) -> usize| {
        let _ = write!(text, " {} / {} |", figure(ours), figure(theirs));
    };
    cell(&|code| code.tensor_loads);
    cell(&|code| code.tensor_stores);
    cell(&|code| code.wide);
    cell(&|code| code.half);
    cell(&|code| code.narrow);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::{Code, Row, Section, instruction, number_after, ratio, report, warnings};

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
            mmas_in_loop: 1,
            multiplications_in_loop: 16 * 8 * 16,
            tensor_core: 1,
            largest: Some([16, 8, 16]),
            tensor_loads: 0,
            tensor_stores: 0,
            spills: 1,
            wide: 1,
            half: 1,
            narrow: 1,
            registers: 0,
            warps: 0,
        };
        assert_eq!(Code::parse(text), expected);
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
        assert_eq!(Code::parse(text).in_loop, 0);
        let skipped = text.replace("EXIT", "@P1 EXIT");
        let skipped = skipped.replace("@!P0 BRA `(.L_x_2)", "MOV R1, R2");
        assert_eq!(Code::parse(&skipped).in_loop, 5);
    }

    /// A loop of MMAs that waits for a barrier, and one of another warp that only waits.
    const ROLES: &str = "\
.L_x_1:
        /*0000*/                   UTMALDG.2D [UR8], [UR4] ;
        /*0010*/              @!P0 UTMASTG.2D [UR8], [UR4] ;
.L_x_2:
        /*0020*/                   SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R2], R3 ;
        /*0030*/                   MOV R1, R2 ;
        /*0040*/                   MOV R1, R2 ;
        /*0050*/                   MOV R1, R2 ;
        /*0060*/                   MOV R1, R2 ;
        /*0070*/              @!P0 BRA `(.L_x_2) ;
        /*0080*/                   HGMMA.64x256x16.F32.BF16 R24, gdesc[UR8], R24 ;
        /*0090*/                   HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24 ;
        /*00a0*/               @P1 BRA `(.L_x_1) ;
        /*00b0*/                   EXIT ;
";

    #[test]
    fn a_loop_of_products_is_the_innermost_even_if_it_waits() {
        let code = Code::parse(ROLES);
        assert_eq!((code.in_loop, code.mmas_in_loop), (11, 2));
        assert_eq!(code.multiplications_in_loop, 64 * 16 * (256 + 128));
        assert_eq!((code.tensor_loads, code.tensor_stores), (1, 1));
        assert_eq!(code.per_mma(), "5.5 per 64x256x16");
        // Without MMAs the innermost loop counts.
        assert_eq!(Code::parse(&ROLES.replace("HGMMA", "FFMA")).in_loop, 6);
    }

    #[test]
    fn loops_are_compared_by_their_multiplications() {
        let code = Code::parse(ROLES);
        let half = Code::parse(
            &ROLES
                .replace("64x256x16", "64x128x16")
                .replace("64x128x16", "64x96x16"),
        );
        let actual = ratio(&code, &half).expect("a loop");
        assert!((actual - 0.5).abs() < 1e-9, "{actual}");
        let plain = |in_loop, warps| Code {
            in_loop,
            warps,
            ..Code::default()
        };
        assert_eq!(ratio(&plain(6, 4), &plain(3, 8)), Some(1.0));
        assert_eq!(ratio(&plain(6, 4), &plain(0, 8)), None);
    }

    #[test]
    fn what_ptxas_warns_of_is_found() {
        let said = "ptxas info    : Used 4 registers, used 0 barriers\n\
             ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to x in function 'k'\n\
             ptxas warning : Value of threads per SM for entry k is out of range\n";
        let messages = warnings(said);
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(messages[0].contains("serialized"));
        let row = Row {
            name: "k".to_owned(),
            ours: Code::default(),
            theirs: Code::default(),
            warnings: messages,
        };
        let section = Section {
            gpu_name: "sm_90a",
            has_maps: true,
            rows: vec![row],
        };
        let text = report(&[section]);
        assert!(text.contains("## `sm_90a`, with tensor maps"), "{text}");
        assert!(text.contains("| `k` (warnings below) |"), "{text}");
        assert!(text.contains("**`k`: ptxas info    : (C7510)"), "{text}");
    }

    #[test]
    fn what_is_no_instruction_is_none() {
        let guarded = instruction("\t/*0010*/ @P0 IADD3 R1 ;");
        assert_eq!(guarded, Some(("IADD3 R1 ;", true)));
        assert_eq!(instruction("        /* 0x000fe200078e00ff */"), None);
        assert_eq!(instruction(".L_x_1:"), None);
        assert_eq!(number_after("Value:\t0x80 0x1", "0x"), Some(128));
        assert_eq!(number_after("REG:149 STACK:0", "REG:"), Some(149));
        assert_eq!(number_after("nothing", "REG:"), None);
    }
}
