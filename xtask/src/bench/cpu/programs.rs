//! The programs that are measured: ours, the same loops in plain Rust, `PyTorch`, `NumPy`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::kernels::{Contender, Kernel, sizes};
use crate::bench::worker::Worker;
use crate::setup::{self, Scope};
use crate::workspace;

/// The inputs and the questions, which the contenders share.
const COMMON: &str = include_str!("common.py");
const PYTORCH: &str = include_str!("torch_kernels.py");
const NUMPY: &str = include_str!("numpy_kernels.py");

/// A program with kernels that answers questions.
pub(super) struct Program {
    worker: Worker,
    pub(super) version: String,
    kernels: Vec<String>,
}

impl Program {
    fn start(command: &mut Command, threads: usize) -> Result<Self> {
        let threads = threads.to_string();
        for variable in [
            "TILE_THREADS",
            "OMP_NUM_THREADS",
            "MKL_NUM_THREADS",
            "OPENBLAS_NUM_THREADS",
        ] {
            command.env(variable, &threads);
        }
        let mut worker = Worker::start(command)?;
        let version = worker.ask("version")?;
        let kernels = worker.ask("kernels")?;
        let kernels = kernels.split_whitespace().map(str::to_owned).collect();
        Ok(Self {
            worker,
            version,
            kernels,
        })
    }

    pub(super) fn has(&self, kernel: &Kernel) -> bool {
        self.kernels.iter().any(|name| name == kernel.name)
    }

    /// Asks a question. A worker that answers with an error has failed.
    pub(super) fn ask(&mut self, question: &str) -> Result<String> {
        let answer = self.worker.ask(question)?;
        match answer.strip_prefix("error: ") {
            Some(why) => bail!("`{question}`: {why}"),
            None => Ok(answer),
        }
    }

    /// Returns the seconds of each run, of at least three, or of one that takes two seconds.
    pub(super) fn time(&mut self, kernel: &str, sizes: &str, seconds: f64) -> Result<Vec<f64>> {
        let question = format!("time {kernel} {sizes} {seconds}");
        let answer = self.ask(&question)?;
        let runs: Result<Vec<f64>, _> = answer.split_whitespace().map(str::parse).collect();
        runs.with_context(|| format!("`{question}`: {answer}"))
    }

    /// Returns the elements of each output.
    pub(super) fn outputs(&mut self, kernel: &Kernel, numbers: &[u32]) -> Result<Vec<Vec<f64>>> {
        let folder = workspace::root().join("target/bench-cpu");
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{}", std::process::id()));
        let (name, sizes) = (kernel.name, sizes(numbers));
        let result = self.ask(&format!("result {name} {sizes} {}", path.display()));
        let outputs = result.and_then(|_| read(&path));
        // It is missing if the worker failed.
        let _ = fs::remove_file(&path);
        outputs
    }
}

/// Reads a file of outputs: the number of elements of each, and the elements.
fn read(path: &Path) -> Result<Vec<Vec<f64>>> {
    let bytes = fs::read(path)?;
    let (words, _) = bytes.as_chunks::<8>();
    let mut outputs = Vec::new();
    let mut rest = words;
    while let Some((len, after)) = rest.split_first() {
        let len = usize::try_from(u64::from_le_bytes(*len))?;
        let (elements, after) = after
            .split_at_checked(len)
            .context("the file of outputs ends too early")?;
        outputs.push(elements.iter().copied().map(f64::from_le_bytes).collect());
        rest = after;
    }
    Ok(outputs)
}

/// Ours and the contenders that are there.
pub(super) struct Programs {
    pub(super) ours: Program,
    pub(super) contenders: Vec<(Contender, Program)>,
}

impl Programs {
    /// Builds the benchmark and starts everything.
    pub(super) fn start(threads: usize) -> Result<Self> {
        setup::run(Scope::Everything, &setup::Options::default())?;
        let pytorch = setup::optional(setup::PYTORCH)?;
        let bench = build()?;
        let mut contenders = Vec::new();
        for contender in Contender::ALL {
            let mut command = match contender {
                Contender::PyTorch => python(&[pytorch.as_path()], PYTORCH)?,
                Contender::NumPy => python(&[], NUMPY)?,
                Contender::Rust => {
                    let mut command = Command::new(&bench);
                    command.args(["--serve", "--by-hand"]);
                    command
                }
            };
            let program = Program::start(&mut command, threads);
            let program = program.with_context(|| format!("start {}", contender.name()))?;
            contenders.push((contender, program));
        }
        // It refuses to interpret a kernel.
        let mut command = Command::new(&bench);
        command.arg("--serve").env("TILE_CPU", "native");
        Ok(Self {
            ours: Program::start(&mut command, threads)?,
            contenders,
        })
    }

    /// Returns the program with a contender's kernels.
    pub(super) fn contender(&mut self, contender: Contender) -> &mut Program {
        let found = self.contenders.iter_mut().find(|(it, _)| *it == contender);
        &mut found.expect("all were started").1
    }

    /// Lets every program free its inputs and outputs.
    pub(super) fn forget(&mut self) -> Result<()> {
        self.ours.ask("forget")?;
        for (_, program) in &mut self.contenders {
            program.ask("forget")?;
        }
        Ok(())
    }
}

/// Builds the benchmark, and returns its path.
fn build() -> Result<String> {
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--release", "--bench", "cpu"]);
    cargo.arg("--message-format=json-render-diagnostics");
    let output = cargo.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the bench does not build");
    }
    executable(&output.stdout)
}

/// Returns the path of the bench in the messages of cargo.
pub(super) fn executable(messages: &[u8]) -> Result<String> {
    let text = std::str::from_utf8(messages)?;
    let executable = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_bench = message["target"]["name"] == "cpu";
        message["executable"]
            .as_str()
            .filter(|_| is_bench)
            .map(str::to_owned)
    };
    let program = text.lines().find_map(executable);
    program.context("cargo did not say where the bench is")
}

/// Returns a Python command with the kernels of a library, which may be in one of these folders.
fn python(folders: &[&Path], kernels: &str) -> Result<Command> {
    let mut python = Command::new("python3");
    setup::find_python_packages(&mut python, folders)?;
    python.args(["-c", &format!("{COMMON}\n{kernels}")]);
    Ok(python)
}
