//! Finds and runs the CUDA tools: `ptxas` and `fatbinary`.
//!
//! The following places are searched for a tool, in this order; the first program found is used:
//! 1. the file that its environment variable names (`TILE_PTXAS`, `TILE_FATBINARY`); if the
//!    variable is set, nothing else is tried, so that a typing mistake is an error;
//! 2. `tools/current/` under the cache root, where `cargo xtask setup` puts them;
//! 3. the directories of `PATH`.

use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::error::BackendError;
use crate::process::Process;
pub use crate::tool::Tool;

/// The places where a tool is searched, see the module's documentation.
pub(crate) struct ToolSearch {
    /// The file that the variable of the tool names.
    pub(crate) variable: Option<PathBuf>,
    pub(crate) cache_root: Option<PathBuf>,
    /// The folders of `PATH`.
    pub(crate) path: Vec<PathBuf>,
}

impl ToolSearch {
    /// Finds a tool, in the order that the module's documentation states.
    pub(crate) fn find(self, tool: Tool) -> Result<PathBuf, BackendError> {
        if let Some(file) = self.variable {
            return if file.is_file() {
                Ok(file)
            } else {
                Err(BackendError::ToolMissing {
                    tool,
                    looked_in: vec![file],
                    is_named: true,
                })
            };
        }
        let mut looked_in = Vec::new();
        if let Some(root) = self.cache_root {
            looked_in.push(root.join("tools").join("current").join(tool.installed()));
        }
        for folder in self.path {
            looked_in.push(folder.join(tool.file_name()));
        }
        match looked_in.iter().find(|file| is_program(file)) {
            Some(file) => Ok(file.clone()),
            None => Err(BackendError::ToolMissing {
                tool,
                looked_in,
                is_named: false,
            }),
        }
    }
}

/// Returns `true` for a file that may be executed. A shell passes over others too.
#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    file.is_file() && nix::unistd::access(file, nix::unistd::AccessFlags::X_OK).is_ok()
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// Returns a fingerprint of one version of a tool, for cache keys: the canonical path of its file, its size
/// and its modification time. The tool is not run, so a build with every artifact in the cache does not start
/// ptxas.
pub fn fingerprint(file: &Path) -> String {
    let place = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let Ok(metadata) = std::fs::metadata(&place) else {
        return format!("{} is unreadable", place.display());
    };
    let written = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
        .map_or(0, |since| since.as_nanos());
    format!("{} {} {written}", place.display(), metadata.len())
}

/// The output of a successful tool.
pub(crate) struct ToolOutput {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `command`, whose program is `tool`, until it exits. Returns [`BackendError::ToolFailed`] if its status is
/// not success.
pub(crate) fn run(tool: Tool, command: &mut Command) -> Result<ToolOutput, BackendError> {
    let program = PathBuf::from(command.get_program());
    let stderr = tempfile::tempfile().map_err(|source| BackendError::Temporary {
        what: "make a file for the output of a tool",
        source,
    })?;
    let said = said(command, stderr).map_err(|source| BackendError::ToolNotStarted {
        tool,
        program: program.clone(),
        source,
    });
    let (status, ToolOutput { stdout, stderr }) = said?;
    if status.success() {
        return Ok(ToolOutput { stdout, stderr });
    }
    let message = format!("{}\n{}", stderr.trim(), stdout.trim());
    Err(BackendError::ToolFailed {
        tool,
        program,
        status,
        message: shortened(message.trim()),
    })
}

/// The bytes of a tool's output that an error quotes.
const QUOTED_BYTES: usize = 4096;

/// Returns the first lines of a long text, and how much more there is.
fn shortened(text: &str) -> String {
    if text.len() <= QUOTED_BYTES {
        return text.to_owned();
    }
    let fits = |&end: &usize| text.is_char_boundary(end);
    let end = (0..=QUOTED_BYTES).rev().find(fits).unwrap_or(0);
    let end = text[..end].rfind('\n').unwrap_or(end);
    format!("{}\n({} more bytes)", &text[..end], text.len() - end)
}

/// Returns the status of a process, and its output.
///
/// Standard error goes to the file `stderr`, so that one thread reads all: a process blocks when a pipe is full, and a second
/// thread may not be started here. The worker is forked from a process with threads ([`crate::isolate`]); if one of
/// them was starting a thread at that time, the locks of the C library for this stay locked in the worker.
fn said(command: &mut Command, mut stderr: File) -> io::Result<(ExitStatus, ToolOutput)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(stderr.try_clone()?)
        .spawn()?;
    let stdout = child.stdout.take();
    let mut process = Process::new(child);
    let stdout = match stdout {
        Some(pipe) => whole(pipe)?,
        None => String::new(),
    };
    let status = process.wait()?;
    stderr.rewind()?;
    let stderr = whole(stderr)?;
    Ok((status, ToolOutput { stdout, stderr }))
}

/// Reads a pipe or file to its end.
fn whole(mut source: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(file: &Path) {
        std::fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        std::fs::write(file, "").expect("a file");
        #[cfg(unix)]
        std::fs::set_permissions(file, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .expect("our file");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_on_the_path_that_may_not_be_executed_is_passed_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (folder.path().join("a"), folder.path().join("b"));
        for bin in [&first, &second] {
            touch(&bin.join("ptxas"));
        }
        let find = || find(Tool::Ptxas, None, None, &[&first, &second]).expect("found");
        assert_eq!(find(), first.join("ptxas"));
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        std::fs::set_permissions(first.join("ptxas"), mode).expect("our file");
        assert_eq!(find(), second.join("ptxas"));
    }

    #[test]
    fn a_long_output_is_quoted_from_its_start() {
        assert_eq!(shortened("short"), "short");
        let text = "a line of a tool\n".repeat(1000);
        let quoted = shortened(&text);
        let (lines, rest) = quoted.rsplit_once('\n').expect("several lines");
        assert!(
            text.starts_with(lines) && lines.ends_with("tool"),
            "{quoted}"
        );
        assert_eq!(rest, format!("({} more bytes)", text.len() - lines.len()));
        // A character is not cut.
        let text = "\u{e9}".repeat(QUOTED_BYTES);
        assert!(shortened(&text).starts_with("\u{e9}\u{e9}"));
    }

    /// Prints more than a pipe holds, on both outputs.
    #[cfg(unix)]
    const LONG: &str = "i=0; while [ $i -lt 3000 ]; do echo out of $i lines; echo err of $i lines >&2; i=$((i+1)); done; exit 3";

    #[cfg(unix)]
    #[test]
    fn a_process_that_fills_both_outputs_is_read_to_the_end() {
        use std::fmt::Write as _;

        let stderr = tempfile::tempfile().expect("a file");
        let (status, output) =
            said(Command::new("sh").args(["-c", LONG]), stderr).expect("a shell");
        assert_eq!(status.code(), Some(3));
        let lines = |word: &str| {
            (0..3000).fold(String::new(), |mut text, line| {
                let _ = writeln!(text, "{word} of {line} lines");
                text
            })
        };
        assert_eq!(output.stdout, lines("out"));
        assert_eq!(output.stderr, lines("err"));
    }

    /// A lock of the C library that a thread held at the fork stays locked in the worker.
    #[cfg(unix)]
    #[test]
    fn a_worker_runs_tools_while_other_threads_start_threads() {
        use std::sync::atomic::{AtomicBool, Ordering};
        use std::time::Duration;

        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    while !is_done.load(Ordering::Relaxed) {
                        std::thread::spawn(|| {}).join().expect("it does nothing");
                    }
                });
            }
            let runs: Vec<_> = (0..300)
                .map(|_| {
                    crate::isolate::run(Duration::from_secs(10), |_| {
                        let output = run(Tool::Ptxas, Command::new("echo").arg("here"));
                        output
                            .map_or_else(|error| error.to_string(), |it| it.stdout)
                            .into_bytes()
                    })
                })
                .take_while(Result::is_ok)
                .collect();
            is_done.store(true, Ordering::Relaxed);
            assert_eq!(runs.len(), 300, "a worker stood still");
            for run in runs {
                assert_eq!(run.expect("it is"), b"here\n");
            }
        });
    }

    fn find(
        tool: Tool,
        variable: Option<&Path>,
        cache_root: Option<&Path>,
        path: &[&Path],
    ) -> Result<PathBuf, BackendError> {
        let search = ToolSearch {
            variable: variable.map(Path::to_owned),
            cache_root: cache_root.map(Path::to_owned),
            path: path.iter().map(|&folder| folder.to_owned()).collect(),
        };
        search.find(tool)
    }

    #[test]
    fn the_variable_wins_and_is_never_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        let installed = folder.path().join("tools/current/bin/ptxas");
        touch(&installed);
        let my_ptxas = folder.path().join("my-ptxas");
        touch(&my_ptxas);
        let find = |variable| find(Tool::Ptxas, variable, Some(folder.path()), &[]);
        assert_eq!(find(Some(&my_ptxas)).expect("found"), my_ptxas);
        assert_eq!(find(None).expect("found"), installed);
        find(Some(&folder.path().join("absent"))).expect_err("a wrong variable is an error");
    }

    #[test]
    fn the_installed_tool_comes_before_the_one_on_the_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let bin = folder.path().join("cuda/bin");
        touch(&bin.join("ptxas"));
        let root = folder.path().join("root");
        let find = |tool| find(tool, None, Some(&root), &[&bin]);
        assert_eq!(find(Tool::Ptxas).expect("found"), bin.join("ptxas"));
        let installed = root.join("tools/current/bin/ptxas");
        touch(&installed);
        assert_eq!(find(Tool::Ptxas).expect("found"), installed);
    }

    #[test]
    fn a_rewritten_file_has_another_fingerprint() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("ptxas");
        std::fs::write(&file, "one").expect("a writable folder");
        let before = fingerprint(&file);
        assert_eq!(before, fingerprint(&file));
        std::fs::write(&file, "another").expect("a writable folder");
        assert_ne!(before, fingerprint(&file));
    }

    #[test]
    fn a_missing_tool_says_where_it_was_looked_for_and_how_to_get_it() {
        let (root, bin) = (Path::new("/nowhere"), Path::new("/no-bin"));
        let error = find(Tool::Fatbinary, None, Some(root), &[bin]).expect_err("missing");
        assert_eq!(error.to_string(), "`fatbinary` is missing");
        assert_eq!(
            error.help().as_deref(),
            Some("run `cargo xtask setup`, or set `TILE_FATBINARY`")
        );
        let BackendError::ToolMissing { looked_in, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(looked_in.len(), 2);
    }
}
