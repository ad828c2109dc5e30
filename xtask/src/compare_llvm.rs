//! Compiles all kernels of the repository with two libraries of LLVM, and compares the PTX.
//!
//! - The kernels of the examples are compiled inside rustc, as in a build; `TILE_DUMP=ptx` prints their PTX. There a
//!   library other than rustc's is loaded beside it.
//! - Files of Tile IR, the corpus among them, are compiled by `tilec build --emit=ptx`.
//!
//! A difference is printed as the start of a diff, and makes the command fail. Kernels that the compiler refuses are
//! counted; a kernel that it refuses with one library alone is a difference.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use similar::TextDiff;

use crate::bench::corpus::{self, Profile};
use crate::bench::slow;
use crate::workspace;

/// Options of `cargo xtask compare-llvm`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// A library to compare, twice: a file or a folder, as for `TILE_LLVM`, or `rustc` for that of rustc
    #[arg(long, num_args = 1, default_values = ["rustc", "/usr/lib/llvm-22"])]
    llvm: Vec<Llvm>,
    /// The architectures, separated by commas
    #[arg(long, default_value = "sm_80,sm_90a", value_delimiter = ',')]
    gpu_name: Vec<String>,
    /// Only files whose path contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// The lines of a diff that are printed
    #[arg(long, default_value_t = 40)]
    lines: usize,
}

/// A library of LLVM.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Llvm {
    /// The one that is found if `TILE_LLVM` is not set.
    Rustc,
    /// The one that `TILE_LLVM` names.
    At(PathBuf),
}

impl FromStr for Llvm {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "rustc" => Self::Rustc,
            path => Self::At(path.into()),
        })
    }
}

impl fmt::Display for Llvm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rustc => f.write_str("rustc"),
            Self::At(path) => write!(f, "{}", path.display()),
        }
    }
}

impl Llvm {
    /// Makes a command use this library.
    fn select(&self, command: &mut Command) {
        match self {
            Self::Rustc => command.env_remove("TILE_LLVM"),
            Self::At(path) => command.env("TILE_LLVM", path),
        };
    }

    /// Returns what `tilec doctor` says of the library; an error if it cannot be used.
    fn describe(&self, tilec: &Path) -> Result<String> {
        let mut command = Command::new(tilec);
        self.select(command.arg("doctor"));
        let text = String::from_utf8(command.output()?.stdout)?;
        let line = text.lines().next().unwrap_or_default();
        if line.contains(" missing ") {
            bail!("{line}");
        }
        Ok(line.to_owned())
    }
}

/// The modules of PTX that a program or a file becomes; `None` if the compiler refuses it.
type Modules = Option<Vec<String>>;

/// The result of comparing modules.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    equal: usize,
    different: usize,
    refused: usize,
}

impl Count {
    /// Compares the modules of one name. Returns the differences.
    fn add<'a>(&mut self, of: [&'a Modules; 2]) -> Vec<[&'a str; 2]> {
        let [Some(one), Some(other)] = of else {
            if of.iter().all(|modules| modules.is_none()) {
                self.refused += 1;
                return Vec::new();
            }
            self.different += 1;
            let text = |modules: &'a Modules| match modules {
                Some(modules) => modules.first().map_or("", String::as_str),
                None => "refused\n",
            };
            return vec![of.map(text)];
        };
        let count = one.len().max(other.len());
        let text = |modules: &'a [String], index| modules.get(index).map_or("", String::as_str);
        let pairs = (0..count).map(|index| [text(one, index), text(other, index)]);
        let differences: Vec<[&str; 2]> = pairs.filter(|[one, other]| one != other).collect();
        self.different += differences.len();
        self.equal += count - differences.len();
        differences
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let [one, other] = options.llvm.as_slice() else {
        bail!("two libraries can be compared: give `--llvm` twice");
    };
    let llvms = [one, other];
    let tilec = corpus::tilec(Profile::Dev)?;
    for llvm in llvms {
        println!("compare-llvm: {}", llvm.describe(&tilec)?);
    }
    let mut count = Count::default();
    let mut compare = |name: &str, of: [Modules; 2]| {
        for [one, other] in count.add([&of[0], &of[1]]) {
            println!(
                "compare-llvm: {name} differs:\n{}",
                excerpt(one, other, llvms, options.lines)
            );
        }
    };
    let root = workspace::root();
    let is_wanted = |path: &Path| shown(path, &root).contains(&options.filter);
    let programs: Vec<PathBuf> = programs(&root.join("examples"))?
        .into_iter()
        .filter(|path| is_wanted(path))
        .collect();
    if !programs.is_empty() {
        let libraries = libraries()?;
        for program in &programs {
            let name = shown(program, &root);
            let ptx = |llvm| of_program(program, &libraries, llvm, &options.gpu_name);
            compare(&name, [ptx(one)?, ptx(other)?]);
        }
    }
    let mut files = Vec::new();
    for folder in slow::FOLDERS {
        slow::kernels(&root.join(folder), &mut files)?;
    }
    files.retain(|path| is_wanted(path));
    for file in &files {
        for gpu_name in &options.gpu_name {
            let name = format!("{} for {gpu_name}", shown(file, &root));
            let ptx = |llvm| of_file(file, &tilec, llvm, gpu_name);
            compare(&name, [ptx(one)?, ptx(other)?]);
        }
    }
    let Count {
        equal,
        different,
        refused,
    } = count;
    println!(
        "compare-llvm: {} modules of PTX from {} programs and {} files: {equal} equal, {different} different; refused by \
         the compiler: {refused}",
        equal + different,
        programs.len(),
        files.len()
    );
    if equal + different == 0 {
        bail!("no kernel was compared");
    }
    if different > 0 {
        bail!("the libraries generate different PTX");
    }
    Ok(())
}

/// Returns a path relative to the checkout.
fn shown(path: &Path, root: &Path) -> String {
    path.strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string()
}

/// Returns the first lines of a diff.
fn excerpt(one: &str, other: &str, [old, new]: [&Llvm; 2], lines: usize) -> String {
    let diff = TextDiff::from_lines(one, other);
    let mut unified = diff.unified_diff();
    let text = unified
        .context_radius(3)
        .header(&old.to_string(), &new.to_string())
        .to_string();
    let total = text.lines().count();
    let mut shown: String = text.split_inclusive('\n').take(lines).collect();
    if total > lines {
        let _ = writeln!(shown, "({} more lines)", total - lines);
    }
    shown
}

/// Lists the programs in a folder: its files, and the `main.rs` of its folders.
fn programs(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut programs = Vec::new();
    for entry in fs::read_dir(folder).context("could not read the examples")? {
        let path = entry?.path();
        let program = if path.is_dir() {
            path.join("main.rs")
        } else {
            path
        };
        if program.extension() == Some(OsStr::new("rs")) && program.is_file() {
            programs.push(program);
        }
    }
    programs.sort();
    Ok(programs)
}

/// Builds the libraries that the examples use. Returns their files by name.
fn libraries() -> Result<BTreeMap<String, PathBuf>> {
    let mut cargo = workspace::cargo();
    // Like the tests of the whole workspace, so that nothing is compiled twice.
    cargo.args(["build", "--workspace", "--examples"]);
    cargo.arg("--message-format=json-render-diagnostics");
    let output = cargo.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the examples do not build");
    }
    let mut libraries = BTreeMap::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        let Some(name) = message["target"]["name"].as_str() else {
            continue;
        };
        let files = message["filenames"].as_array().into_iter().flatten();
        let rlib = files
            .filter_map(|file| file.as_str())
            .find(|file| Path::new(file).extension() == Some(OsStr::new("rlib")));
        if let Some(rlib) = rlib {
            libraries.insert(name.replace('-', "_"), PathBuf::from(rlib));
        }
    }
    Ok(libraries)
}

/// The names of the libraries that examples use.
const USED: [&str; 3] = ["tile_kernel", "fastrand", "indicatif"];

/// The line with which LLVM begins every module of PTX.
const GENERATED: &str = "// Generated by LLVM NVPTX Back-End";

/// Compiles the kernels of a program inside rustc, which checks the rest of it only.
fn of_program(
    program: &Path,
    libraries: &BTreeMap<String, PathBuf>,
    llvm: &Llvm,
    archs: &[String],
) -> Result<Modules> {
    let out = tempfile::tempdir().context("could not make a temporary folder")?;
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc
        .current_dir(workspace::root())
        .args(["--edition=2024", "--crate-type=bin", "--emit=metadata"])
        .args(["--cap-lints=allow", "--out-dir"])
        .args([out.path(), program])
        .env("CARGO_MANIFEST_DIR", workspace::root())
        .env("TILE_ARCH", archs.join(","))
        .env("TILE_CACHE", "off")
        .env("TILE_DUMP", "ptx")
        // Remarks on compile time contain it.
        .env("TILE_SLOW", "1000000")
        .env_remove("TILE_TIME")
        .env_remove("TILE_REMARKS");
    for name in USED {
        let rlib = libraries
            .get(name)
            .with_context(|| format!("cargo does not say where `{name}` is"))?;
        rustc.arg(format!("--extern={name}={}", rlib.display()));
        let folder = rlib.parent().unwrap_or(Path::new(""));
        for folder in [folder.join("deps"), folder.to_owned()] {
            rustc.arg(format!("-Ldependency={}", folder.display()));
        }
    }
    llvm.select(&mut rustc);
    let output = rustc.stdin(Stdio::null()).output()?;
    let text = String::from_utf8(output.stderr)?;
    if !output.status.success() {
        bail!("{} does not compile:\n{text}", program.display());
    }
    Ok(Some(modules(&text)))
}

/// Splits what `TILE_DUMP=ptx` prints into modules.
fn modules(text: &str) -> Vec<String> {
    let parts = text.split(GENERATED).skip(1);
    parts.map(|part| format!("{GENERATED}{part}")).collect()
}

/// Compiles a file of Tile IR.
fn of_file(file: &Path, tilec: &Path, llvm: &Llvm, gpu_name: &str) -> Result<Modules> {
    let mut command = Command::new(tilec);
    command
        .arg("build")
        .arg(file)
        .arg("--gpu-name")
        .arg(gpu_name);
    llvm.select(command.args(["--emit=ptx", "-o", "-"]));
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        return Ok(None);
    }
    Ok(Some(vec![String::from_utf8(output.stdout)?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(modules: &[&str]) -> Vec<String> {
        modules.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn modules_are_compared_in_order_and_a_missing_one_is_a_difference() {
        let mut count = Count::default();
        let (one, other) = (Some(named(&["a", "b", "c"])), Some(named(&["a", "x"])));
        assert_eq!(count.add([&one, &other]), [["b", "x"], ["c", ""]]);
        assert_eq!(count.add([&one, &None]), [["a", "refused\n"]]);
        assert!(count.add([&None, &None]).is_empty());
        let expected = Count {
            equal: 1,
            different: 3,
            refused: 1,
        };
        assert_eq!(count, expected);
    }

    #[test]
    fn a_dump_is_split_where_llvm_begins_a_module() {
        let module = |number| format!("{GENERATED}\n//\n.version {number}\n");
        let text = format!("warning: x\n{}{}", module(1), module(2));
        assert_eq!(modules(&text), [module(1), module(2)]);
        assert!(modules("warning: x\n").is_empty());
    }

    #[test]
    fn an_excerpt_says_how_much_it_leaves_out() {
        let lines = |changed: bool| -> String {
            let line = |n| format!("{}{n}\n", if changed { "new " } else { "old " });
            (0..10).map(line).collect()
        };
        let at = Llvm::At("/opt".into());
        let text = excerpt(&lines(false), &lines(true), [&Llvm::Rustc, &at], 4);
        assert!(text.starts_with("--- rustc\n+++ /opt\n"), "{text}");
        assert!(text.ends_with("-old 0\n(19 more lines)\n"), "{text}");
    }
}
