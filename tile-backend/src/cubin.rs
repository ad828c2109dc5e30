//! Machine code for one architecture.
//!
//! In: [`Ptx`]. Out: a [`Cubin`] with what its kernels use, from ptxas.
//!
//! Invariant: the same PTX, ptxas and options give the same bytes. ptxas runs in a fresh folder on
//! fixed names, so no path gets into them.

use std::path::Path;
use std::process::Command;

use crate::error::BackendError;
use crate::level::{DebugInfo, Level};
use crate::ptx::Ptx;
use crate::ptx::resources::{Remark, Report, Resources};
use crate::target::Arch;
use crate::tools::{self, Tool};

/// What ptxas is told. It does not optimize what a debugger shall see.
fn flags(level: Level) -> Vec<String> {
    let mut flags = vec![format!("-O{}", level.opt.number())];
    match level.debug {
        DebugInfo::None => {}
        DebugInfo::Lines => flags.push("-lineinfo".to_owned()),
        DebugInfo::Full => flags = vec!["-g".to_owned(), "-O0".to_owned()],
    }
    flags
}

/// Machine code for one architecture, and what its kernels use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cubin {
    arch: Arch,
    bytes: Vec<u8>,
    report: Report,
}

impl Cubin {
    /// A cubin from its parts, as the artifact cache stored them.
    pub fn from_parts(arch: Arch, bytes: Vec<u8>, report: Report) -> Self {
        Self {
            arch,
            bytes,
            report,
        }
    }

    /// Assembles `ptx` for its own target, with the ptxas at `program`.
    pub fn assemble(ptx: &Ptx, program: &Path, level: Level) -> Result<Self, BackendError> {
        let folder = tempfile::tempdir()
            .map_err(|error| BackendError::io("make a temporary folder", error))?;
        let (input, output) = (
            folder.path().join("kernel.ptx"),
            folder.path().join("kernel.cubin"),
        );
        std::fs::write(&input, ptx.text())
            .map_err(|error| BackendError::io("write the PTX for `ptxas`", error))?;
        let mut command = Command::new(absolute(program)?);
        command
            .current_dir(folder.path())
            .arg("-v")
            .args(flags(level))
            .arg(format!("-arch={}", ptx.arch()))
            .args(["kernel.ptx", "-o", "kernel.cubin"]);
        let said = tools::run(Tool::Ptxas, &mut command)?;
        let bytes = std::fs::read(output)
            .map_err(|error| BackendError::io("read the cubin that `ptxas` wrote", error))?;
        let report = Report::parse(&format!("{}\n{}", said.stderr, said.stdout));
        Ok(Self {
            arch: ptx.arch(),
            bytes,
            report,
        })
    }

    /// The architecture it is for.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// The ELF file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Everything ptxas reported.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What the kernel named `entry` uses.
    pub fn resources(&self, entry: &str) -> Option<&Resources> {
        self.report
            .resources
            .iter()
            .find(|used| used.entry == entry)
    }

    /// What ptxas remarked.
    pub fn remarks(&self) -> &[Remark] {
        &self.report.remarks
    }
}

/// The path of a program that is started in another folder.
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
        // 64 values that are all alive at once, in 24 registers.
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
