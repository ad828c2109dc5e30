//! Checks that every kind of remark is reported where it should be, and nowhere else.
//!
//! Each file in `files/` is a test. A file starts with `// test: remarks` and may have further lines of the
//! same form:
//!
//! - `// kinds: R0101 R0102`: the kinds under test.
//! - `// arch: sm_80`: the target; `sm_80` by default. `cpu` is the CPU device.
//! - `// stages: 3`: the requested stages.
//! - `// slow: 0`: seconds that compiling may take without a remark; by default, more than any compilation
//!   takes.
//! - `// host: maps persistent cluster-split`: the capabilities of the launch.
//!
//! Prose follows, then a module with two entries. `@gives` has `// remark R0101: text` on each line for which
//! a remark is expected whose message contains the text; a line may have several of these in sequence.
//! `@twin` differs from `@gives` as little as possible and has no remarks.
//!
//! The test `page` compares `docs/remarks.md` with the page that is generated from the kinds and the remarks
//! of their files; `TILE_BLESS=1` rewrites the page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use tile_backend::cpu;
use tile_backend::internals::remarks::kind::page as head_of_page;
use tile_backend::session::{
    ClusterSplit, CompileOptions, HostMaps, KernelOptions, Persistence, Remark, RemarkKind,
    Session, Times,
};
use tile_backend::target::Arch;
use tile_core::canonicalize::canonicalize;
use tile_core::verify::verify;
use tile_core::{Diagnostics, text};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = files()
        .into_iter()
        .map(|path| {
            let name = name(&path);
            Trial::test(name, move || check(&path).map_err(Failed::from))
        })
        .collect();
    trials.push(Trial::test("every_kind_has_a_file", || {
        every_kind_has_a_file().map_err(Failed::from)
    }));
    trials.push(Trial::test("page", || page().map_err(Failed::from)));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/remarks/files")
}

fn files() -> Vec<PathBuf> {
    let entries = fs::read_dir(root()).expect("the folder of tests exists");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut files: Vec<PathBuf> = paths.collect();
    files.sort();
    files
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A parsed file.
struct File {
    name: String,
    source: String,
    kinds: Vec<RemarkKind>,
    /// `None` for the CPU device.
    arch: Option<Arch>,
    kernel_options: KernelOptions,
    slow: Duration,
    /// Expected remarks of `@gives`: line number, kind, and a part of the message.
    expected: Vec<(u32, RemarkKind, String)>,
    /// The first line of `@twin`.
    twin: u32,
}

fn read(path: &Path) -> Result<File, String> {
    let source = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut file = File {
        name: name(path),
        source: source.clone(),
        kinds: Vec::new(),
        arch: Some(Arch::SM_80),
        kernel_options: KernelOptions::default(),
        slow: Duration::MAX,
        expected: Vec::new(),
        twin: 0,
    };
    if !source.starts_with("// test: remarks\n") {
        return Err("it does not start with `// test: remarks`".to_owned());
    }
    for (line, number) in source.lines().zip(1..) {
        if let Some(list) = line.strip_prefix("// kinds: ") {
            for code in list.split(' ') {
                let kind = RemarkKind::parse(code).ok_or_else(|| format!("no kind `{code}`"))?;
                file.kinds.push(kind);
            }
        } else if let Some(arch) = line.strip_prefix("// arch: ") {
            file.arch = match arch {
                "cpu" => None,
                _ => Some(arch.parse().map_err(|error| format!("{error}"))?),
            };
        } else if let Some(stages) = line.strip_prefix("// stages: ") {
            file.kernel_options.schedule.stages = stages.parse().ok();
        } else if let Some(seconds) = line.strip_prefix("// slow: ") {
            let seconds = seconds.parse().map_err(|error| format!("{error}"))?;
            file.slow = Duration::from_secs(seconds);
        } else if let Some(list) = line.strip_prefix("// host: ") {
            for word in list.split(' ') {
                match word {
                    "maps" => file.kernel_options.maps = HostMaps::Encoded,
                    "persistent" => file.kernel_options.persistence = Persistence::Auto,
                    "cluster-split" => file.kernel_options.cluster_split = ClusterSplit::Auto,
                    _ => return Err(format!("no host does `{word}`")),
                }
            }
        } else if line.contains("@twin(") {
            file.twin = number;
        }
        for remark in line.split("// remark ").skip(1) {
            let (code, message) = remark
                .split_once(": ")
                .ok_or_else(|| format!("line {number}: a code and a message"))?;
            let kind = RemarkKind::parse(code).ok_or_else(|| format!("no kind `{code}`"))?;
            file.expected
                .push((number, kind, message.trim_end().to_owned()));
        }
    }
    // Every kernel has a remark on its choices, which `@twin` may therefore expect.
    let is_late = |(line, kind, _): &(u32, RemarkKind, String)| {
        *line >= file.twin && *kind != RemarkKind::Chosen
    };
    if file.twin == 0 || file.expected.iter().any(is_late) {
        return Err("it needs `@gives` with remarks, then `@twin` without".to_owned());
    }
    if let Some(kind) = (file.kinds.iter()).find(|&kind| file.of_kind(*kind).next().is_none()) {
        return Err(format!("nothing gives `{kind}`"));
    }
    Ok(file)
}

impl File {
    fn of_kind(&self, kind: RemarkKind) -> impl Iterator<Item = &(u32, RemarkKind, String)> {
        self.expected
            .iter()
            .filter(move |(_, expected_kind, _)| *expected_kind == kind)
    }

    /// Returns the compiler's remarks of the kinds under test.
    fn remarks(&self) -> Result<Vec<Remark>, String> {
        let mut diagnostics = Diagnostics::new();
        let options = CompileOptions {
            kernel_options: self.kernel_options,
            remarks: true,
            slow: self.slow,
            ..CompileOptions::new(Vec::from_iter(self.arch))
        };
        let session = Session::without_cache();
        let remarks = text::parse(&self.source, &self.name, &mut diagnostics)
            .and_then(|module| verify(module, &mut diagnostics))
            .and_then(|module| {
                let canonical = canonicalize(module);
                if self.arch.is_none() {
                    let module = canonical.module();
                    let entries = module.entries();
                    return Ok(entries
                        .flat_map(|entry| cpu::remarks(module, entry))
                        .collect());
                }
                let mut times = Times::new();
                let compiled = session.compile(&canonical, &options, &mut times, &mut diagnostics);
                compiled.map(|artifact| artifact.remarks)
            });
        let said = diagnostics.take();
        let mut remarks: Vec<Remark> = remarks.map_err(|_| format!("{said:#?}"))?;
        remarks.retain(|remark| self.kinds.contains(&remark.kind));
        Ok(remarks)
    }
}

fn check(path: &Path) -> Result<(), String> {
    let file = read(path)?;
    let mut actual = file.remarks()?;
    let mut faults = String::new();
    for (line, kind, message) in &file.expected {
        let index = actual.iter().position(|remark| {
            remark.loc.line() == *line && remark.kind == *kind && remark.message.contains(message)
        });
        match index {
            Some(index) => {
                let remark = actual.remove(index);
                if remark.loc.column() == 0 || remark.archs != Vec::from_iter(file.arch) {
                    let _ = writeln!(faults, "without a place or architecture: {remark:?}");
                }
            }
            None => {
                let _ = writeln!(faults, "missing: line {line}: {kind}: {message}");
            }
        }
    }
    for remark in actual {
        let _ = writeln!(faults, "not expected: {}", remark.to_text(&file.name));
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

/// The kinds that builds give and no module: those about several instances of a kernel.
const OF_BUILDS: [RemarkKind; 1] = [RemarkKind::LeftOut];

/// Groups the files by kind.
fn by_kind() -> Result<BTreeMap<RemarkKind, Vec<File>>, String> {
    let mut actual: BTreeMap<RemarkKind, Vec<File>> = BTreeMap::new();
    actual.extend(OF_BUILDS.map(|kind| (kind, Vec::new())));
    for path in files() {
        for kind in read(&path)?.kinds {
            actual.entry(kind).or_default().push(read(&path)?);
        }
    }
    Ok(actual)
}

fn every_kind_has_a_file() -> Result<(), String> {
    let files = by_kind()?;
    let missing: Vec<&str> = RemarkKind::ALL
        .iter()
        .filter(|kind| !files.contains_key(kind))
        .map(|kind| kind.code())
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("no file gives {}", missing.join(", ")))
    }
}

/// Replaces numbers of seconds, which differ from run to run, by dots.
fn without_seconds(text: &str) -> String {
    let is_number = |part: &str| part.contains('.') && part.parse::<f64>().is_ok();
    let mut parts: Vec<&str> = text.split(' ').collect();
    for index in 1..parts.len() {
        if matches!(parts[index], "s" | "s,") && is_number(parts[index - 1]) {
            parts[index - 1] = "..";
        }
    }
    parts.join(" ")
}

fn page() -> Result<(), String> {
    let mut page = head_of_page();
    for (kind, files) in by_kind()? {
        let _ = write!(
            page,
            "\n## {kind}\n\n**{}.** {}\n\nWhat to do: {}.\n",
            kind.title(),
            kind.about()
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
            kind.cure(),
        );
        for file in files {
            let remarks = file.remarks()?;
            let remark = remarks.iter().find(|remark| remark.kind == kind);
            let remark = remark.ok_or_else(|| format!("{}: nothing gives {kind}", file.name))?;
            let text = without_seconds(&remark.to_text(&file.name));
            let _ = write!(page, "\n```text\n{text}```\n");
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/remarks.md");
    if std::env::var_os("TILE_BLESS").is_some() {
        return fs::write(&path, page).map_err(|error| error.to_string());
    }
    if fs::read_to_string(&path).unwrap_or_default() == page {
        Ok(())
    } else {
        Err("`docs/remarks.md` is stale: run this test with `TILE_BLESS=1`".to_owned())
    }
}
