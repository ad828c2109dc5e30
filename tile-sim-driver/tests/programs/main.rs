//! Host programs with one mistake each, of kinds that real programs have, and the same programs without it.
//!
//! The simulated driver has to name each mistake: the result, and a text with the two operations, the memory, or the
//! call. It has to say nothing of a mended program. Each runs in a process of its own.
//! `TILE_BLESS=1` writes the table of `docs/sim-driver.md`.

#![expect(
    clippy::undocumented_unsafe_blocks,
    reason = "every call of the driver is one; the programs pass valid pointers, or wrong ones that it must refuse"
)]
#![expect(
    clippy::wildcard_imports,
    clippy::unused_self,
    reason = "programs name many functions of the driver; what they call takes a context, which is current"
)]
#![expect(
    clippy::print_stdout,
    reason = "the result of a program in a process of its own"
)]

mod captures;
mod contexts;
mod copies;
mod graphs;
mod handles;
mod host;
mod launches;
mod memory;
mod order;
#[path = "../shared/mod.rs"]
mod shared;
mod support;

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use libtest_mimic::{Arguments, Failed, Trial};

use support::{Done, Gpu, R, Version, call};

/// A program with a mistake.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    /// The mistake in words.
    pub(crate) mistake: &'static str,
    /// The result of the first call that fails.
    pub(crate) result: R,
    /// What the text has to name.
    pub(crate) names: &'static [&'static str],
    pub(crate) run: fn(&Gpu, Version) -> Done,
}

/// Lists programs: the function, its result, the mistake, and what the text has to name.
macro_rules! programs {
    ($($name:ident: $result:ident, $mistake:literal, $names:expr;)+) => {
        pub(crate) const PROGRAMS: &[crate::Program] = &[$(crate::Program {
            name: stringify!($name),
            mistake: $mistake,
            result: crate::support::R::$result,
            names: &$names,
            run: $name,
        }),+];
    };
}

pub(crate) use programs;

/// The programs by what they are about.
fn groups() -> [(&'static str, &'static [Program]); 9] {
    [
        ("Order between streams", order::PROGRAMS),
        ("Memory of the host", host::PROGRAMS),
        ("The life of memory", memory::PROGRAMS),
        ("Copies and fills", copies::PROGRAMS),
        ("Launches", launches::PROGRAMS),
        ("Contexts and devices", contexts::PROGRAMS),
        ("Handles, events, functions of the host", handles::PROGRAMS),
        ("Captures", captures::PROGRAMS),
        ("Graphs", graphs::PROGRAMS),
    ]
}

/// The variable with the program to run, in the process of a program.
const PROGRAM: &str = "TILE_SIM_DRIVER_PROGRAM";

pub(crate) fn main() -> ExitCode {
    if let Ok(which) = env::var(PROGRAM) {
        return run(&which);
    }
    let library = link();
    let mut trials = Vec::new();
    for (_, programs) in groups() {
        for &program in programs {
            for version in [Version::Broken, Version::Mended] {
                let library = library.clone();
                let name = format!("{}/{version:?}", program.name);
                trials.push(Trial::test(name, move || match version {
                    Version::Broken => is_named(&program, &library),
                    Version::Mended => is_clean(&program, &library),
                }));
            }
        }
    }
    let folder = library.clone();
    trials.push(Trial::test("without_checks_nothing_is_said", move || {
        is_silent(&folder)
    }));
    trials.push(Trial::test("the_table_of_the_page_is_fresh", move || {
        is_fresh(&library)
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Links the library, which cargo built beside this program, under the name of the driver. Returns the folder.
fn link() -> PathBuf {
    let program = env::current_exe().expect("this test has a path");
    let library = program.with_file_name("libtile_sim_driver.so");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    fs::create_dir_all(&folder).expect("cargo made the folder around it");
    for name in ["libcuda.so.1", "libcuda.so"] {
        let link = folder.join(name);
        // Removes that of an earlier run.
        let _removed = fs::remove_file(&link);
        symlink(&library, &link).expect("a link");
    }
    folder
}

/// Runs one program in this process, and prints its result.
fn run(which: &str) -> ExitCode {
    let (name, version) = which.split_once('/').expect("a name and a version");
    let version = match version {
        "Mended" => Version::Mended,
        _ => Version::Broken,
    };
    let all = groups().map(|(_, programs)| programs).concat();
    let program = all.iter().find(|program| program.name == name);
    let program = program.expect("a program has the name");
    let outcome = Gpu::new(0).and_then(|gpu| {
        (program.run)(&gpu, version)?;
        call(unsafe { cudarc::driver::sys::cuCtxSynchronize() })?;
        match version {
            Version::Mended => gpu.end(),
            Version::Broken => Ok(()),
        }
    });
    let result = outcome.err().unwrap_or(R::CUDA_SUCCESS);
    println!("{result:?}");
    ExitCode::SUCCESS
}

/// Runs a program in a process of its own. Returns its result, and what the driver said.
fn start(
    program: &Program,
    version: Version,
    library: &Path,
) -> Result<(String, Vec<String>), Failed> {
    start_with(program, version, library, &[])
}

/// Runs a program with environment variables.
fn start_with(
    program: &Program,
    version: Version,
    library: &Path,
    variables: &[(&str, &str)],
) -> Result<(String, Vec<String>), Failed> {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(env::current_exe()?)
        .envs(variables.iter().copied())
        .env(PROGRAM, format!("{}/{version:?}", program.name))
        .env("LD_LIBRARY_PATH", library)
        .env("TILE_SIM_DEVICES", "h100*2")
        .output()?;
    let (stdout, stderr) = (String::from_utf8(stdout)?, String::from_utf8(stderr)?);
    if !status.success() {
        return Err(format!("{status}\n{stdout}{stderr}").into());
    }
    let said = stderr
        .lines()
        .filter_map(|line| line.strip_prefix("tile-sim-driver: "));
    Ok((stdout.trim().to_owned(), said.map(str::to_owned).collect()))
}

fn is_named(program: &Program, library: &Path) -> Result<(), Failed> {
    let (result, said) = start(program, Version::Broken, library)?;
    let expected = format!("{:?}", program.result);
    let first = said.first().map_or("", String::as_str);
    let missing: Vec<_> = program
        .names
        .iter()
        .filter(|name| !first.contains(**name))
        .collect();
    if result == expected && missing.is_empty() && !program.names.is_empty() {
        return Ok(());
    }
    Err(format!(
        "expected {expected}, found {result}\nnot named: {missing:?}\n{}",
        said.join("\n")
    )
    .into())
}

fn is_clean(program: &Program, library: &Path) -> Result<(), Failed> {
    let (result, said) = start(program, Version::Mended, library)?;
    if result == "CUDA_SUCCESS" && said.is_empty() {
        return Ok(());
    }
    Err(format!("{result}\n{}", said.join("\n")).into())
}

/// Checks that the environment variables turn off what they say.
fn is_silent(library: &Path) -> Result<(), Failed> {
    let all = groups().map(|(_, programs)| programs).concat();
    let switches = [
        ("no_event_between_streams", ("TILE_SIM_RACES", "0")),
        ("pinned_memory_read_too_early", ("TILE_SIM_RACES", "0")),
        ("pinned_memory_read_too_early", ("TILE_SIM_CHECKS", "cheap")),
        ("partly_written", ("TILE_SIM_UNINITIALIZED", "0")),
        ("partly_written", ("TILE_SIM_RACES", "0")),
    ];
    for (name, switch) in switches {
        let program = all.iter().find(|program| program.name == name);
        let program = program.ok_or("a program has the name")?;
        let (result, said) = start_with(program, Version::Broken, library, &[switch])?;
        if result != "CUDA_SUCCESS" || !said.is_empty() {
            let said = said.join("\n");
            return Err(format!("{name} with {switch:?}: {result}\n{said}").into());
        }
    }
    Ok(())
}

/// Replaces numbers that differ from run to run.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part
            .find(|c: char| !c.is_ascii_hexdigit())
            .unwrap_or(part.len());
        plain.push_str("0x..");
        plain.push_str(&part[end..]);
    }
    plain
}

fn table(library: &Path) -> Result<String, Failed> {
    let all: usize = groups().iter().map(|(_, programs)| programs.len()).sum();
    let mut text = format!("{all} programs. `0x..` is a handle or an address.\n");
    for (about, programs) in groups() {
        write!(
            text,
            "\n### {about}\n\n| program | mistake | result | what is said |\n|---|---|---|---|\n"
        )?;
        for program in programs {
            let (result, said) = start(program, Version::Broken, library)?;
            let said = said
                .first()
                .map(|said| without_addresses(said))
                .unwrap_or_default();
            let (name, mistake) = (program.name, program.mistake);
            writeln!(
                text,
                "| `{name}` | {mistake} | `{result}` | {} |",
                said.replace('|', "\\|")
            )?;
        }
    }
    Ok(text)
}

fn is_fresh(library: &Path) -> Result<(), Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/broken-programs.md");
    let page = fs::read_to_string(&path)?;
    let marker = "<!-- programs -->\n";
    let (before, _) = page.split_once(marker).ok_or("the page has the marker")?;
    let fresh = format!("{before}{marker}\n{}", table(library)?);
    if env::var_os("TILE_BLESS").is_some() {
        fs::write(&path, fresh)?;
        return Ok(());
    }
    if page == fresh {
        return Ok(());
    }
    Err("`TILE_BLESS=1 cargo test -p tile-sim-driver --test programs` writes `docs/broken-programs.md`".into())
}
