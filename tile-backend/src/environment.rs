//! The environment variables of the compiler. No other code of the compiler, the macro and `tilec` reads any.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::{Loc, Reported};

use crate::cache::Cache;
use crate::cpu::Level;
use crate::dump::{Dump, Stage};
use crate::error::BackendError;
use crate::isolate;
use crate::level::DebugInfo;
#[cfg(feature = "loaded-llvm")]
use crate::llvm::library::search::{LlvmSearch, Rustc, installed_folders};
use crate::shipped::{FOLDER, Use};
use crate::target::{Arch, UnknownArch};
use crate::tool::Tool;
use crate::tools::ToolSearch;

/// All variables that are read.
const VARIABLES: [&str; 26] = [
    "CARGO_CRATE_NAME",
    "CARGO_MANIFEST_DIR",
    "CARGO_PKG_VERSION",
    "HOME",
    "LOCALAPPDATA",
    "PATH",
    "RUSTC",
    "RUST_ANALYZER_INTERNALS_DO_NOT_USE",
    "TILE_ARCH",
    "TILE_ARTIFACTS",
    "TILE_ASSERT_ASSUMPTIONS",
    "TILE_CACHE",
    "TILE_CACHE_SIZE",
    "TILE_DUMP",
    "TILE_FATBINARY",
    "TILE_KERNEL_CACHE",
    "TILE_LEVELS",
    "TILE_LINEINFO",
    "TILE_LLVM",
    "TILE_PTXAS",
    "TILE_REMARKS",
    "TILE_SLOW",
    "TILE_TIME",
    "TILE_TIMEOUT",
    "TILE_TUNING",
    "XDG_CACHE_HOME",
];

/// CPU time that compiling for one architecture may take without a remark, unless `TILE_SLOW` sets another
/// limit.
pub const SLOW: Duration = Duration::from_secs(1);

const DEFAULT_CACHE_BYTES: u64 = 1 << 30;

/// The environment variables and the arguments of this process.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    variables: BTreeMap<&'static str, OsString>,
    arguments: Vec<String>,
}

/// A variable with a value that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The name.
    pub variable: &'static str,
    /// The value.
    pub value: String,
    /// The error.
    pub message: String,
    /// The meaning of the variable.
    pub note: &'static str,
    /// An instruction.
    pub help: Option<String>,
}

impl Malformed {
    /// Reports the error. It has no location in a kernel.
    pub fn report(self, diagnostics: &mut Diagnostics) -> Reported {
        let diagnostic = Diagnostic::error(Code::AttributeOption, Loc::UNKNOWN, self.message);
        let diagnostic = diagnostic.note(self.note);
        diagnostics.error(match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        })
    }
}

impl Environment {
    /// Reads the environment of this process.
    pub fn read() -> Self {
        let value = |name| Some((name, std::env::var_os(name)?));
        let arguments = std::env::args_os();
        Self {
            variables: VARIABLES.into_iter().filter_map(value).collect(),
            arguments: arguments
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect(),
        }
    }

    /// Returns the text of a variable; an unset one is empty.
    fn text(&self, name: &'static str) -> Cow<'_, str> {
        assert!(VARIABLES.contains(&name), "`{name}` is not read");
        let value = self.variables.get(name);
        value.map_or(Cow::Borrowed(""), |value| value.to_string_lossy())
    }

    /// Returns the path that a variable names; an empty value is ignored.
    fn path(&self, name: &'static str) -> Option<PathBuf> {
        let value = self.variables.get(name)?;
        (!value.is_empty()).then(|| PathBuf::from(value))
    }

    /// Returns the architectures that `TILE_ARCH` lists, or the default ones.
    pub fn archs(&self) -> Result<Vec<Arch>, Malformed> {
        if !self.variables.contains_key("TILE_ARCH") {
            return Ok(Arch::DEFAULT.to_vec());
        }
        let value = self.text("TILE_ARCH");
        Arch::parse_list(&value).map_err(|error| Malformed {
            variable: "TILE_ARCH",
            value: value.into_owned(),
            message: error.to_string(),
            note: "the environment variable `TILE_ARCH` lists what to compile for",
            help: Some(UnknownArch::help()),
        })
    }

    /// Returns the CPU time after which a compilation is slow: `TILE_SLOW` in seconds, or [`SLOW`].
    pub fn slow(&self) -> Result<Duration, Malformed> {
        let value = self.text("TILE_SLOW");
        if value.is_empty() {
            return Ok(SLOW);
        }
        seconds(&value).ok_or_else(|| Malformed {
            variable: "TILE_SLOW",
            message: format!("`TILE_SLOW` is `{value}`"),
            value: value.into_owned(),
            note: "the environment variable `TILE_SLOW` says how long compiling may take without a remark",
            help: Some("set it to a number of seconds, or unset it".to_owned()),
        })
    }

    /// Returns the levels for which kernels become native code, those with more instructions last: what
    /// `TILE_LEVELS` lists, or all of this architecture. An unoptimized build has only the level of the machine that
    /// it is made on, since it is rebuilt often and seldom runs elsewhere.
    pub fn levels(&self) -> Result<Vec<Level>, Malformed> {
        let is_of_this_architecture =
            |level: &Level| level.architecture() == std::env::consts::ARCH;
        let value = self.text("TILE_LEVELS");
        if value.is_empty() || value == "all" {
            let is_all = value == "all" || self.is_optimized();
            let all = Level::ALL.into_iter().filter(is_of_this_architecture);
            let own = Level::of_this_machine();
            return Ok(all.filter(|&level| is_all || Some(level) == own).collect());
        }
        let levels: Option<Vec<Level>> = value
            .split(',')
            .map(|name| Level::from_name(name.trim()))
            .collect();
        let levels = levels.map(|mut levels| {
            levels.retain(is_of_this_architecture);
            levels.sort_unstable();
            levels.dedup();
            levels
        });
        levels.filter(|levels| !levels.is_empty()).ok_or_else(|| {
            let names: Vec<&str> = Level::ALL
                .into_iter()
                .filter(is_of_this_architecture)
                .map(Level::name)
                .collect();
            Malformed {
                variable: "TILE_LEVELS",
                message: format!("`TILE_LEVELS` is `{value}`"),
                value: value.clone().into_owned(),
                note: "the environment variable `TILE_LEVELS` lists the instruction sets of native code for the CPU device",
                help: Some(format!("set it to some of {}, separated by commas, or to `all`", names.join(", "))),
            }
        })
    }

    /// Returns `true` if rustc optimizes the crate, or if this is no process of rustc.
    fn is_optimized(&self) -> bool {
        let mut is_rustc = false;
        let mut level = "0";
        let mut arguments = self.arguments.iter().map(String::as_str).peekable();
        while let Some(argument) = arguments.next() {
            is_rustc |= argument == "--crate-name";
            let option = match argument {
                "-O" => "opt-level=3",
                "-C" | "--codegen" => arguments.peek().copied().unwrap_or_default(),
                _ => argument.strip_prefix("-C").unwrap_or_default(),
            };
            level = option.strip_prefix("opt-level=").unwrap_or(level);
        }
        !is_rustc || level != "0"
    }

    /// Returns `true` if `TILE_ASSERT_ASSUMPTIONS=1` asks for code that checks its assumptions.
    pub fn asserts_assumptions(&self) -> Result<bool, Malformed> {
        self.flag(
            "TILE_ASSERT_ASSUMPTIONS",
            "with the environment variable `TILE_ASSERT_ASSUMPTIONS` code checks what kernels assume, in place of relying on it",
        )
    }

    /// Returns the debug information that `TILE_LINEINFO=1` asks for.
    pub fn debug_info(&self) -> Result<DebugInfo, Malformed> {
        let has_lines = self.flag(
            "TILE_LINEINFO",
            "with the environment variable `TILE_LINEINFO` code says which line of the source it comes from",
        )?;
        Ok(if has_lines {
            DebugInfo::Lines
        } else {
            DebugInfo::None
        })
    }

    /// Returns the use of the artifacts that a crate ships: what `TILE_ARTIFACTS` says.
    pub(crate) fn artifacts(&self) -> Result<Use, Malformed> {
        let value = self.text("TILE_ARTIFACTS");
        match &*value {
            "" => Ok(Use::Read),
            "write" => Ok(Use::Write),
            "check" => Ok(Use::Check),
            "off" => Ok(Use::Ignore),
            _ => Err(Malformed {
                variable: "TILE_ARTIFACTS",
                message: format!("`TILE_ARTIFACTS` is `{value}`"),
                value: value.into_owned(),
                note: "the environment variable `TILE_ARTIFACTS` says what becomes of the folder `tile-artifacts` of a crate",
                help: Some("set it to `write`, `check` or `off`, or unset it".to_owned()),
            }),
        }
    }

    /// Returns the folder with the artifacts of the crate that is compiled.
    pub fn artifact_folder(&self) -> Option<PathBuf> {
        Some(self.path("CARGO_MANIFEST_DIR")?.join(FOLDER))
    }

    /// Returns the file with records of the tuner: what `TILE_TUNING` names.
    pub fn tuning(&self) -> Option<PathBuf> {
        self.path("TILE_TUNING")
    }

    fn flag(&self, variable: &'static str, note: &'static str) -> Result<bool, Malformed> {
        let value = self.text(variable);
        match &*value {
            "" | "0" => Ok(false),
            "1" => Ok(true),
            _ => Err(Malformed {
                variable,
                message: format!("`{variable}` is `{value}`"),
                value: value.into_owned(),
                note,
                help: Some("set it to 1 or 0, or unset it".to_owned()),
            }),
        }
    }

    /// Returns the sink for the output of the stage that `TILE_DUMP` names.
    pub fn dump(&self) -> Result<Option<Arc<Dump>>, Malformed> {
        let value = self.text("TILE_DUMP");
        if value.is_empty() {
            return Ok(None);
        }
        let refused = |message: String| Malformed {
            variable: "TILE_DUMP",
            value: value.clone().into_owned(),
            message,
            note: "the environment variable `TILE_DUMP` names a stage whose output is printed",
            help: Some("set it to `ir`, `gpu`, `llvm` or `ptx`, or unset it".to_owned()),
        };
        let stage = Stage::parse(&value);
        let stage = stage.ok_or_else(|| refused(format!("unknown stage `{value}`")))?;
        let dump = Dump::new(stage).map_err(|error| refused(error.to_string()))?;
        Ok(Some(Arc::new(dump)))
    }

    /// Returns the remarks that `TILE_REMARKS` asks for, as text.
    pub fn remarks(&self) -> Cow<'_, str> {
        self.text("TILE_REMARKS")
    }

    /// Returns `true` if `TILE_TIME=1` asks for the times of the stages.
    pub fn shows_times(&self) -> bool {
        !matches!(&*self.text("TILE_TIME"), "" | "0")
    }

    /// Returns `true` if a variable asks for output of the stages that make machine code.
    pub fn asks_for_output(&self) -> bool {
        let asked = ["TILE_REMARKS", "TILE_DUMP", "TILE_TIME"];
        asked.into_iter().any(|name| !self.text(name).is_empty())
    }

    /// Returns the time limit of a worker, and of a program that is asked for its version: `TILE_TIMEOUT` in seconds,
    /// or the default.
    pub fn timeout(&self) -> Duration {
        let limit = seconds(&self.text("TILE_TIMEOUT")).filter(|limit| !limit.is_zero());
        limit.unwrap_or(isolate::DEFAULT_LIMIT)
    }

    /// Returns the folder of all files that outlive a build: `TILE_KERNEL_CACHE`, or `tile-kernel` in the
    /// user's cache folder.
    pub fn cache_root(&self) -> Option<PathBuf> {
        let within = |name, folder: &str| self.path(name).map(|path| path.join(folder));
        self.path("TILE_KERNEL_CACHE")
            .or_else(|| within("XDG_CACHE_HOME", "tile-kernel"))
            .or_else(|| within("HOME", ".cache/tile-kernel"))
            .or_else(|| within("LOCALAPPDATA", "tile-kernel"))
    }

    /// Opens the artifact cache under `root`: `TILE_CACHE=off` disables it, `TILE_CACHE_SIZE` bounds it (bytes,
    /// or with a suffix `K`, `M` or `G`; 1 GiB otherwise).
    pub fn cache(&self, root: Option<&Path>) -> Cache {
        match root {
            Some(root) if self.text("TILE_CACHE") != "off" => {
                let limit = bytes(&self.text("TILE_CACHE_SIZE"));
                Cache::at(root, limit.unwrap_or(DEFAULT_CACHE_BYTES))
            }
            _ => Cache::disabled(),
        }
    }

    /// Finds a CUDA tool.
    pub fn tool(&self, tool: Tool) -> Result<PathBuf, BackendError> {
        let path = self.variables.get("PATH");
        let search = ToolSearch {
            variable: self.path(tool.variable()),
            cache_root: self.cache_root(),
            path: path.map_or_else(Vec::new, |path| std::env::split_paths(path).collect()),
        };
        search.find(tool)
    }

    /// Finds a CUDA tool without which GPU code can be generated; `None` if it is not there. It is an error if a
    /// variable names a file that is not there.
    pub(crate) fn optional_tool(&self, tool: Tool) -> Result<Option<PathBuf>, BackendError> {
        match self.tool(tool) {
            Ok(path) => Ok(Some(path)),
            Err(error) if self.is_unasked(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns `true` if `error` says that a part is missing which no variable names.
    pub(crate) fn is_unasked(&self, error: &BackendError) -> bool {
        match error {
            BackendError::LlvmMissing { is_named, .. } => !is_named,
            BackendError::ToolMissing { tool, .. } => self.path(tool.variable()).is_none(),
            _ => false,
        }
    }

    /// Returns `true` if `TILE_LLVM` names an LLVM.
    pub(crate) fn names_llvm(&self) -> bool {
        self.path("TILE_LLVM").is_some()
    }

    /// Returns the places where LLVM is searched.
    #[cfg(feature = "loaded-llvm")]
    pub(crate) fn llvm_search(&self) -> LlvmSearch {
        let rustc = self.path("RUSTC");
        LlvmSearch {
            variable: self.path("TILE_LLVM"),
            rustc: Rustc::of_process(rustc.unwrap_or_else(|| "rustc".into())),
            installed: installed_folders(),
            patience: self.timeout(),
        }
    }

    /// Returns the arguments of this process, if it is rustc, that set options of its LLVM. In rustc's process
    /// they are in force for kernels too.
    #[cfg(feature = "loaded-llvm")]
    pub(crate) fn llvm_options(&self) -> String {
        let arguments = self.arguments.iter();
        let options: Vec<&str> = arguments
            .filter(|argument| argument.contains("llvm-args"))
            .map(String::as_str)
            .collect();
        options.join(" ")
    }

    /// Returns the name and the version of the crate that cargo builds.
    pub fn crate_name(&self) -> [Cow<'_, str>; 2] {
        ["CARGO_CRATE_NAME", "CARGO_PKG_VERSION"].map(|name| self.text(name))
    }

    /// Returns `true` in the process in which rust-analyzer expands macros.
    pub fn is_rust_analyzer(&self) -> bool {
        let mark = "RUST_ANALYZER_INTERNALS_DO_NOT_USE";
        self.variables.contains_key(mark)
    }

    /// Returns the command line of this process, the program first.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds = text.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let (digits, unit) = match text.char_indices().last()? {
        (end, 'k' | 'K') => (&text[..end], 1 << 10),
        (end, 'm' | 'M') => (&text[..end], 1 << 20),
        (end, 'g' | 'G') => (&text[..end], 1 << 30),
        _ => (text, 1),
    };
    digits.trim().parse::<u64>().ok()?.checked_mul(unit)
}

impl Tool {
    /// Finds the tool in the environment of this process.
    pub fn find(self) -> Result<PathBuf, BackendError> {
        Environment::read().tool(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&'static str, &str)]) -> Environment {
        let owned = |&(name, value): &(&'static str, &str)| (name, OsString::from(value));
        Environment {
            variables: variables.iter().map(owned).collect(),
            arguments: Vec::new(),
        }
    }

    #[test]
    fn unoptimized_builds_have_native_code_for_this_machine_alone() {
        let levels = |line: &str, value: &str| {
            let environment = Environment {
                arguments: line.split_whitespace().map(str::to_owned).collect(),
                ..with(&[("TILE_LEVELS", value)])
            };
            environment.levels().expect("levels")
        };
        let all: Vec<Level> = Level::ALL
            .into_iter()
            .filter(|level| level.architecture() == std::env::consts::ARCH)
            .collect();
        let own: Vec<Level> = Level::of_this_machine().into_iter().collect();
        assert_eq!(levels("rustc --crate-name a -C debuginfo=2", ""), own);
        assert_eq!(levels("rustc --crate-name a -C opt-level=0", ""), own);
        assert_eq!(levels("rustc --crate-name a -C opt-level=3", ""), all);
        assert_eq!(levels("rustc --crate-name a -Copt-level=s", ""), all);
        assert_eq!(levels("rustc --crate-name a -O", ""), all);
        assert_eq!(levels("tilec build", ""), all);
        assert_eq!(levels("rustc --crate-name a", "all"), all);
        let two = format!("{},{}", all[all.len() - 1], all[0]);
        let mut sorted = vec![all[0], all[all.len() - 1]];
        sorted.dedup();
        assert_eq!(levels("rustc --crate-name a", &two), sorted);
        let refused = with(&[("TILE_LEVELS", "sse9")]).levels();
        assert_eq!(
            refused.expect_err("no level").message,
            "`TILE_LEVELS` is `sse9`"
        );
    }

    #[test]
    fn an_unset_variable_has_its_default() {
        let none = with(&[]);
        assert_eq!(none.archs(), Ok(Arch::DEFAULT.to_vec()));
        assert_eq!(none.slow(), Ok(SLOW));
        assert_eq!(none.debug_info(), Ok(DebugInfo::None));
        assert_eq!(none.asserts_assumptions(), Ok(false));
        assert_eq!(none.timeout(), isolate::DEFAULT_LIMIT);
        assert_eq!(none.cache_root(), None);
        assert!(!none.shows_times() && !none.asks_for_output() && !none.is_rust_analyzer());
    }

    #[test]
    fn a_malformed_value_is_named_with_its_variable() {
        let refused = |name, value: &str| {
            let environment = with(&[(name, value)]);
            let errors = [
                environment.archs().err(),
                environment.slow().err(),
                environment.debug_info().err(),
                environment.asserts_assumptions().err(),
                environment.dump().err(),
            ];
            let mut errors = errors.into_iter().flatten();
            let error = errors.next().expect("it is refused");
            assert_eq!(
                (errors.next(), error.variable, &*error.value),
                (None, name, value)
            );
            error.message
        };
        assert_eq!(
            refused("TILE_ARCH", "sm_1"),
            "unknown GPU architecture `sm_1`"
        );
        assert_eq!(refused("TILE_ARCH", ""), "unknown GPU architecture ``");
        assert_eq!(refused("TILE_SLOW", "-1"), "`TILE_SLOW` is `-1`");
        assert_eq!(refused("TILE_LINEINFO", "yes"), "`TILE_LINEINFO` is `yes`");
        assert_eq!(
            refused("TILE_ASSERT_ASSUMPTIONS", "2"),
            "`TILE_ASSERT_ASSUMPTIONS` is `2`"
        );
        assert_eq!(refused("TILE_DUMP", "sass"), "unknown stage `sass`");
    }

    #[test]
    fn the_first_folder_that_is_named_is_that_of_the_files() {
        let all = [
            ("TILE_KERNEL_CACHE", "/own", "/own"),
            ("XDG_CACHE_HOME", "/xdg", "/xdg/tile-kernel"),
            ("HOME", "/home", "/home/.cache/tile-kernel"),
            ("LOCALAPPDATA", "/local", "/local/tile-kernel"),
        ];
        for first in 0..all.len() {
            let set: Vec<_> = all[first..]
                .iter()
                .map(|(name, value, _)| (*name, *value))
                .collect();
            assert_eq!(with(&set).cache_root(), Some(PathBuf::from(all[first].2)));
        }
    }

    #[cfg(feature = "loaded-llvm")]
    #[test]
    fn options_of_rustc_for_llvm_are_known() {
        let compiled_by = |arguments: &[&str]| {
            let environment = Environment {
                variables: BTreeMap::new(),
                arguments: arguments.iter().map(ToString::to_string).collect(),
            };
            environment.llvm_options()
        };
        assert_eq!(compiled_by(&["rustc", "-C", "opt-level=3"]), "");
        assert_eq!(
            compiled_by(&["rustc", "-Cllvm-args=-a", "a.rs", "-C", "llvm-args=-b"]),
            "-Cllvm-args=-a llvm-args=-b"
        );
    }

    #[test]
    fn an_empty_variable_names_no_llvm() {
        assert!(!with(&[("TILE_LLVM", "")]).names_llvm());
        assert!(with(&[("TILE_LLVM", "/opt/llvm")]).names_llvm());
    }

    #[test]
    fn times_and_limits_are_seconds() {
        let timeout = |value| with(&[("TILE_TIMEOUT", value)]).timeout();
        assert_eq!(timeout(" 2.5"), Duration::from_millis(2500));
        assert_eq!(timeout("0"), isolate::DEFAULT_LIMIT);
        assert_eq!(timeout("soon"), isolate::DEFAULT_LIMIT);
        assert_eq!(
            with(&[("TILE_SLOW", "0.5")]).slow(),
            Ok(Duration::from_millis(500))
        );
    }

    #[test]
    fn sizes_may_have_a_unit() {
        assert_eq!(bytes("512"), Some(512));
        assert_eq!(bytes(" 2M "), Some(2 << 20));
        assert_eq!(bytes("1 g"), Some(1 << 30));
        assert_eq!(bytes(""), None);
        assert_eq!(bytes("many"), None);
        assert_eq!(bytes("99999999999999G"), None);
    }

    /// The expressions that read the environment.
    const READERS: [&str; 4] = ["env::var", "env::args", "env::home_dir", "env::set_var"];

    #[test]
    fn no_other_code_reads_the_environment() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut readers = Vec::new();
        for name in ["tile-backend", "tile-frontend", "tile-macros", "tilec"] {
            let folder = root.join("..").join(name).join("src");
            visit(&folder, &mut readers);
        }
        assert_eq!(readers, ["environment.rs"]);
    }

    /// Adds the names of the files that read the environment outside of tests.
    fn visit(folder: &Path, readers: &mut Vec<String>) {
        let sources: Vec<PathBuf> = std::fs::read_dir(folder)
            .expect("a folder of sources")
            .map(|entry| entry.expect("a readable entry").path())
            .collect();
        let text = |path: &PathBuf| std::fs::read_to_string(path).unwrap_or_default();
        // A folder's modules may be declared in a file beside it.
        let beside = folder.with_extension("rs");
        let all: String = sources.iter().chain([&beside]).map(text).collect();
        for path in &sources {
            let stem = path.file_stem().expect("a name").to_string_lossy();
            // `#[cfg(test)]`, or with further conditions.
            let declared = format!("mod {stem};");
            let mut lines = all.lines().zip(all.lines().skip(1));
            if lines.any(|(cfg, item)| {
                (cfg == "#[cfg(test)]" || cfg.starts_with("#[cfg(all(test, ")) && item == declared
            }) {
                continue;
            }
            if path.is_dir() {
                visit(path, readers);
                continue;
            }
            let text = text(path);
            let code = text
                .split("#[cfg(test)]\nmod tests {")
                .next()
                .unwrap_or_default();
            if READERS.iter().any(|reader| code.contains(reader)) {
                readers.push(format!("{stem}.rs"));
            }
        }
    }
}
