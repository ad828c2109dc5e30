//! Assembles PTX to machine code for one architecture.
//!
//! Input: [`Ptx`]. Output: a [`Cubin`] with the resource usage of its kernels, from ptxas.
//!
//! Invariant: the same PTX, ptxas and options give the same bytes. ptxas runs in a fresh folder with fixed
//! file names, so the bytes contain no path.
//!
//! ptxas takes about 10 ms of CPU time to start, before it reads a byte of its input. An [`Assembler`] is
//! therefore started while LLVM still compiles the PTX:
//!
//! ```text
//! us      mkfifo kernel.ptx, start ptxas   LLVM ...   open kernel.ptx, rename a file over it, write, close
//! ptxas                tables ...  open kernel.ptx (waits) ................. read to the end, open again, ...
//! ```
//!
//! ptxas reads its input twice. It sees the end of the pipe only when we close it, and by then the name
//! refers to a file with the same text.

use std::io;
use std::path::Path;
use std::process::Command;

use crate::error::BackendError;
use crate::level::{DebugInfo, Level};
use crate::ptx::Ptx;
use crate::ptx::resources::{Remark, Report, Resources};
use crate::target::Arch;
use crate::tools::{self, Tool};

#[cfg(not(unix))]
pub use at_once::Assembler;
#[cfg(unix)]
pub use early::Assembler;

/// Returns the options of ptxas. Code for debuggers is not optimized.
fn flags(level: Level) -> Vec<String> {
    let mut flags = vec![format!("-O{}", level.opt.number())];
    match level.debug {
        DebugInfo::None => {}
        DebugInfo::Lines => flags.push("-lineinfo".to_owned()),
        DebugInfo::Full => flags = vec!["-g".to_owned(), "-O0".to_owned()],
    }
    flags
}

const INPUT: &str = "kernel.ptx";
const OUTPUT: &str = "kernel.cubin";

/// The start of an ELF file.
const ELF: &[u8] = b"\x7fELF";

/// Returns the command that runs ptxas in `folder`.
fn command(
    arch: Arch,
    program: &Path,
    level: Level,
    folder: &Path,
) -> Result<Command, BackendError> {
    let mut command = Command::new(absolute(program)?);
    command
        .current_dir(folder)
        .arg("-v")
        .args(flags(level))
        .arg(format!("-arch={arch}"))
        .args([INPUT, "-o", OUTPUT]);
    Ok(command)
}

/// Machine code for one architecture, with the resource usage of its kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cubin {
    arch: Arch,
    bytes: Vec<u8>,
    report: Report,
}

impl Cubin {
    /// Builds a cubin from its parts, as the artifact cache stored them.
    pub fn from_parts(arch: Arch, bytes: Vec<u8>, report: Report) -> Self {
        Self {
            arch,
            bytes,
            report,
        }
    }

    /// Assembles `ptx` for its own target, with the ptxas at `program`.
    pub fn assemble(ptx: &Ptx, program: &Path, level: Level) -> Result<Self, BackendError> {
        let folder = tempfile::tempdir().map_err(|source| BackendError::Temporary {
            what: "make a folder for `ptxas`",
            source,
        })?;
        std::fs::write(folder.path().join(INPUT), ptx.text()).map_err(|source| {
            BackendError::Temporary {
                what: "write the PTX for `ptxas`",
                source,
            }
        })?;
        let mut command = command(ptx.arch(), program, level, folder.path())?;
        let said = tools::run(Tool::Ptxas, &mut command)?;
        let said = format!("{}\n{}", said.stderr, said.stdout);
        Self::read(ptx.arch(), program, folder.path(), &said)
    }

    /// Reads the files that the ptxas at `program` has written to `folder`.
    fn read(arch: Arch, program: &Path, folder: &Path, said: &str) -> Result<Self, BackendError> {
        let fault = |what: String| BackendError::ToolOutput {
            tool: Tool::Ptxas,
            program: program.to_owned(),
            what,
        };
        let bytes = std::fs::read(folder.join(OUTPUT)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => fault("no cubin".to_owned()),
            _ => fault(format!("a cubin that cannot be read: {error}")),
        })?;
        if !bytes.starts_with(ELF) {
            return Err(fault("a file that is no cubin".to_owned()));
        }
        Ok(Self {
            arch,
            bytes,
            report: Report::parse(said),
        })
    }

    /// Returns the architecture of the code.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// Returns the ELF file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the whole report of ptxas.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Returns the resource usage of the kernel named `entry`.
    pub fn resources(&self, entry: &str) -> Option<&Resources> {
        self.report.resources.get(entry)
    }

    /// Returns the remarks of ptxas.
    pub fn remarks(&self) -> &[Remark] {
        &self.report.remarks
    }
}

#[cfg(unix)]
mod early {
    use std::fs::{self, File, OpenOptions};
    use std::io::{self, Write as _};
    use std::os::unix::fs::OpenOptionsExt as _;
    use std::path::{Path, PathBuf};
    use std::process::Stdio;
    use std::time::Duration;

    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    use nix::sys::stat::Mode;
    use tempfile::TempDir;

    use super::{Cubin, INPUT, command};
    use crate::error::BackendError;
    use crate::level::Level;
    use crate::process::Process;
    use crate::ptx::Ptx;
    use crate::target::Arch;
    use crate::tools::Tool;

    const SAID: &str = "said";
    const AGAIN: &str = "again.ptx";
    /// Polling interval while ptxas is not ready to read.
    const LOOK: Duration = Duration::from_micros(200);

    /// A started ptxas that waits for its PTX. Dropping it kills the process.
    pub struct Assembler {
        arch: Arch,
        program: PathBuf,
        level: Level,
        process: Process,
        folder: TempDir,
    }

    impl Assembler {
        /// Starts the ptxas at `program`, for PTX of `arch`.
        pub fn start(arch: Arch, program: &Path, level: Level) -> Result<Self, BackendError> {
            let failed = |source| BackendError::Temporary {
                what: "make the files of `ptxas`",
                source,
            };
            let folder = tempfile::tempdir().map_err(failed)?;
            nix::unistd::mkfifo(&folder.path().join(INPUT), Mode::S_IRUSR | Mode::S_IWUSR)
                .map_err(|errno| failed(errno.into()))?;
            // A file rather than a pipe, since nobody reads the output while PTX is written.
            let said = File::create(folder.path().join(SAID)).map_err(failed)?;
            let child = command(arch, program, level, folder.path())?
                .stdin(Stdio::null())
                .stdout(said.try_clone().map_err(failed)?)
                .stderr(said)
                .spawn()
                .map_err(|source| BackendError::ToolNotStarted {
                    tool: Tool::Ptxas,
                    program: program.to_owned(),
                    source,
                })?;
            Ok(Self {
                arch,
                program: program.to_owned(),
                level,
                process: Process::new(child),
                folder,
            })
        }

        /// Passes `ptx` to the started ptxas. If ptxas refuses it, or it is for another architecture, a new
        /// ptxas assembles it from a file.
        pub fn assemble(mut self, ptx: &Ptx) -> Result<Cubin, BackendError> {
            let failed = |source| BackendError::Temporary {
                what: "write the PTX for `ptxas`",
                source,
            };
            self.feed(ptx.text()).map_err(failed)?;
            let status = self.process.wait().map_err(failed)?;
            if !status.success() || ptx.arch() != self.arch {
                // Given a file, ptxas reports the same errors for wrong PTX, and accepts correct PTX even if
                // it cannot read pipes.
                return Cubin::assemble(ptx, &self.program, self.level);
            }
            let said = fs::read(self.folder.path().join(SAID)).map_err(failed)?;
            let said = String::from_utf8_lossy(&said);
            Cubin::read(self.arch, &self.program, self.folder.path(), &said)
        }

        fn feed(&mut self, text: &str) -> io::Result<()> {
            let (pipe, file) = (
                self.folder.path().join(INPUT),
                self.folder.path().join(AGAIN),
            );
            fs::write(&file, text)?;
            let Some(mut writer) = self.open(&pipe)? else {
                return Ok(());
            };
            fs::rename(&file, &pipe)?;
            match writer.write_all(text.as_bytes()) {
                // ptxas has ended early; its status tells why.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => written,
            }
        }

        /// Opens our end of the pipe once ptxas has opened its own; `None` if ptxas ends first.
        fn open(&mut self, pipe: &Path) -> io::Result<Option<File>> {
            loop {
                let opened = OpenOptions::new()
                    .write(true)
                    .custom_flags(OFlag::O_NONBLOCK.bits())
                    .open(pipe);
                match opened {
                    Ok(writer) => {
                        fcntl(&writer, FcntlArg::F_SETFL(OFlag::empty()))?;
                        return Ok(Some(writer));
                    }
                    Err(error) if error.raw_os_error() == Some(nix::libc::ENXIO) => {
                        if self.process.try_wait()?.is_some() {
                            return Ok(None);
                        }
                        std::thread::sleep(LOOK);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }
}

#[cfg(not(unix))]
mod at_once {
    use std::path::{Path, PathBuf};

    use super::Cubin;
    use crate::error::BackendError;
    use crate::level::Level;
    use crate::ptx::Ptx;
    use crate::target::Arch;

    /// A ptxas that is yet to be started.
    pub struct Assembler {
        program: PathBuf,
        level: Level,
    }

    impl Assembler {
        /// Records which ptxas to start for PTX of `arch`.
        pub fn start(_arch: Arch, program: &Path, level: Level) -> Result<Self, BackendError> {
            Ok(Self {
                program: program.to_owned(),
                level,
            })
        }

        /// Assembles `ptx`.
        pub fn assemble(self, ptx: &Ptx) -> Result<Cubin, BackendError> {
            Cubin::assemble(ptx, &self.program, self.level)
        }
    }
}

/// Returns the absolute path of `program`, which will be started in another folder.
pub(crate) fn absolute(program: &Path) -> Result<std::path::PathBuf, BackendError> {
    std::path::absolute(program)
        .map_err(|error| BackendError::io(format!("find `{}`", program.display()), error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::resources::RemarkKind;
    use crate::testing::{ptx, skip};

    fn assemble(ptx: &Ptx) -> Option<Result<Cubin, BackendError>> {
        match Tool::Ptxas.find() {
            Ok(program) => Some(Cubin::assemble(ptx, &program, Level::default())),
            Err(error) => {
                skip(&error);
                None
            }
        }
    }

    #[test]
    fn every_architecture_is_assembled_with_its_figures() {
        for &arch in Arch::ALL {
            let Some(cubin) = assemble(&ptx(arch, "bar.sync 0;")) else {
                return;
            };
            let cubin = cubin.expect("a cubin");
            assert!(cubin.bytes().starts_with(b"\x7fELF"));
            assert_eq!(cubin.arch(), arch);
            let used = cubin.resources("k").expect("the kernel");
            assert_eq!(
                (used.barriers, used.shared_bytes, used.spill_stores_bytes),
                (1, 64, 0),
                "{arch}"
            );
            assert!(used.registers > 0, "{used:?}");
            // ptxas 12.9 does not report constant memory from sm_90 on.
            assert!(
                used.const_bytes > 0 || arch >= Arch::SM_90,
                "{arch}: {used:?}"
            );
            assert_eq!(cubin.remarks(), []);
        }
    }

    #[test]
    fn assembling_twice_gives_the_same_bytes() {
        let ptx = ptx(Arch::SM_80, "");
        let (Some(first), Some(second)) = (assemble(&ptx), assemble(&ptx)) else {
            return;
        };
        assert_eq!(first.expect("a cubin"), second.expect("a cubin"));
    }

    #[test]
    fn an_assembler_that_waits_gives_the_same_bytes() {
        let program = match Tool::Ptxas.find() {
            Ok(program) => program,
            Err(error) => return skip(&error),
        };
        let level = Level::default();
        // The filler exceeds the capacity of a pipe.
        let filler = "// as much text as no pipe takes at once\n".repeat(4000);
        for body in [String::new(), filler] {
            let ptx = ptx(Arch::SM_80, &body);
            let expected = Cubin::assemble(&ptx, &program, level).expect("a cubin");
            let early = Assembler::start(Arch::SM_80, &program, level).expect("it starts");
            // ptxas may or may not have opened the pipe by now.
            std::thread::sleep(std::time::Duration::from_millis(body.len() as u64 / 2000));
            assert_eq!(early.assemble(&ptx).expect("a cubin"), expected);
        }
    }

    #[test]
    fn an_assembler_that_waits_refuses_in_ptxas_own_words() {
        let program = match Tool::Ptxas.find() {
            Ok(program) => program,
            Err(error) => return skip(&error),
        };
        let wrong = format!("frobnicate;\n{}", "frobnicate;\n".repeat(20_000));
        let ptx = ptx(Arch::SM_80, &wrong);
        let early = Assembler::start(Arch::SM_80, &program, Level::default()).expect("it starts");
        let text = early.assemble(&ptx).expect_err("refused").to_string();
        assert!(
            text.starts_with("`ptxas` failed (") && text.contains("frobnicate"),
            "{text}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn an_assembler_that_is_not_needed_is_ended() {
        // The script ignores the options of ptxas and sleeps for longer than any test.
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("slow");
        std::fs::write(&program, "#!/bin/sh\nexec sleep 600\n").expect("a file");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&program, mode).expect("ours");
        let start = std::time::Instant::now();
        drop(Assembler::start(Arch::SM_80, &program, Level::default()).expect("it starts"));
        assert!(start.elapsed().as_secs() < 300);
    }

    #[cfg(unix)]
    #[test]
    fn an_assembler_that_ends_at_once_is_asked_again_with_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("picky");
        // The script fails on a pipe, but writes a cubin if given a file.
        let script =
            "#!/bin/sh\nif [ -p kernel.ptx ]; then exit 3; fi\nprintf '\\177ELF' > kernel.cubin\n";
        std::fs::write(&program, script).expect("a file");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&program, mode).expect("ours");
        let early = Assembler::start(Arch::SM_80, &program, Level::default()).expect("it starts");
        let cubin = early.assemble(&ptx(Arch::SM_80, "")).expect("a cubin");
        assert_eq!(cubin.bytes(), ELF);
    }

    #[test]
    fn a_refusal_has_ptxas_own_words() {
        let Some(result) = assemble(&ptx(Arch::SM_80, "frobnicate;")) else {
            return;
        };
        let text = result.expect_err("refused").to_string();
        assert!(text.starts_with("`ptxas` failed ("), "{text}");
        assert!(
            text.contains("kernel.ptx, line ") && text.contains("frobnicate"),
            "{text}"
        );
    }

    #[test]
    fn spills_are_figures_and_a_remark() {
        use std::fmt::Write as _;
        // There are 64 simultaneously live values in 24 registers.
        let mut body = String::from(".reg .b32 %v<64>;\n");
        for i in 0..64 {
            writeln!(body, "ld.volatile.shared.b32 %v{i}, [s+{}];", i % 16 * 4).expect("a string");
        }
        body.push_str("bar.sync 0;\n");
        for i in (0..64).rev() {
            writeln!(body, "st.volatile.shared.b32 [s+{}], %v{i};", i % 16 * 4).expect("a string");
        }
        let text = ptx(Arch::SM_80, &body)
            .text()
            .replace(".reqntid 128", ".maxnreg 24");
        let Some(cubin) = assemble(&Ptx::new(text).expect("PTX")) else {
            return;
        };
        let cubin = cubin.expect("a cubin");
        let used = cubin.resources("k").expect("the kernel");
        assert!(used.registers <= 24, "{used:?}");
        assert!(
            used.spill_stores_bytes >= 100 && used.spill_loads_bytes >= 100,
            "{used:?}"
        );
        assert!(
            cubin
                .remarks()
                .iter()
                .any(|remark| remark.kind == RemarkKind::Spill)
        );
    }
}
