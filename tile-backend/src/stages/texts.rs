//! Checks the inline PTX of kernels with ptxas.
//!
//! In: a module and its targets. Out: the PTX version that the texts need on each architecture, or the errors
//! of ptxas, located at the texts. Each text is assembled in a kernel of its own, with registers of its
//! operands' types, so that an error can be attributed to the text that causes it. A worker runs ptxas, since it may hang.

use super::worker_error::{WorkerError, host_failure, internal};
use crate::cache::Blobs;
use crate::cubin::Cubin;
use crate::error::BackendError;
use crate::isolate;
use crate::level::Level;
use crate::ptx::Ptx;
use crate::target::{Arch, PtxVersion};
use crate::timing::{Times, add_process, nanoseconds};
use nanoserde::{DeJson, SerJson};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::ir::{Attr, Op};
use tile_core::ops::{MiscOp, Opcode};
use tile_core::types::Element;
use tile_core::verify::{PtxPiece, ptx_pack, ptx_pieces, ptx_registers};
use tile_core::{Loc, Module, Reported, Scalar};

/// The PTX version that the texts need on each architecture; empty without inline PTX.
pub(super) type Versions = BTreeMap<Arch, PtxVersion>;

/// A text of inline PTX, and the type of each of its registers.
struct Text {
    pieces: String,
    registers: Vec<&'static str>,
    loc: Loc,
}

/// The answer of the worker that assembles texts.
#[derive(Debug, SerJson, DeJson)]
enum Answer {
    /// The major and minor version for each architecture, in order.
    Versions(Vec<(u8, u8)>),
    /// The output of ptxas, which refuses the texts for the architecture of this index.
    Refused(usize, String, WorkerError),
    /// The texts could not be assembled.
    Failed(WorkerError),
}

/// Assembles every text of `module` for each architecture, in a worker, whose time limit is `timeout`.
pub(super) fn check(
    module: &Module,
    archs: &[Arch],
    ptxas: &Path,
    timeout: Duration,
    diagnostics: &mut Diagnostics,
) -> Result<Versions, Reported> {
    let texts = texts(module);
    let Some(first) = texts.first() else {
        return Ok(Versions::new());
    };
    let heard = isolate::run(timeout, |progress| {
        progress.stage("ptxas");
        let mut times = Times::new();
        let answer = times.measure("ptxas", || assembled(&texts, archs, ptxas));
        let mut blobs = Blobs::new();
        blobs.insert_json("answer", &answer);
        blobs.insert_json("cpu", &nanoseconds(times.cpu()));
        blobs.to_bytes()
    })
    .map_err(|failure| host_failure(&failure.into(), first.loc, diagnostics))?;
    let blobs = Blobs::from_bytes(&heard).unwrap_or_default();
    let nanoseconds = blobs.get_json("cpu").unwrap_or_default();
    add_process(Duration::from_nanos(nanoseconds));
    match blobs.get_json("answer") {
        Some(Answer::Versions(versions)) => {
            let versions = versions.into_iter();
            let versions = versions.map(|(major, minor)| PtxVersion::new(major, minor));
            Ok(archs.iter().copied().zip(versions).collect())
        }
        Some(Answer::Refused(arch, said, error)) => {
            let arch = archs[arch];
            let (_, lines) = source(&texts, arch, PtxVersion::NEWEST);
            Err(report(error, &said, &texts, &lines, arch, diagnostics))
        }
        Some(Answer::Failed(error)) => Err(error.report(first.loc, diagnostics)),
        None => Err(internal(
            "the worker's answer is damaged",
            first.loc,
            diagnostics,
        )),
    }
}

/// Finds the least version for each architecture.
fn assembled(texts: &[Text], archs: &[Arch], ptxas: &Path) -> Answer {
    let mut least = Vec::new();
    for (index, &arch) in archs.iter().enumerate() {
        let (source, _) = source(texts, arch, PtxVersion::NEWEST);
        if let Err(error) = assemble(source, ptxas) {
            return match &error {
                BackendError::ToolFailed { message, .. } => {
                    Answer::Refused(index, message.clone(), WorkerError::from(&error))
                }
                _ => Answer::Failed(error.into()),
            };
        }
        let mut versions = PtxVersion::all().filter(|&version| version >= arch.min_ptx());
        let takes = |&version: &PtxVersion| {
            let (source, _) = self::source(texts, arch, version);
            assemble(source, ptxas).is_ok()
        };
        let PtxVersion { major, minor } = versions.find(takes).unwrap_or(PtxVersion::NEWEST);
        least.push((major, minor));
    }
    Answer::Versions(least)
}

/// Returns the newest version for each architecture if `module` has texts.
pub(super) fn unchecked(module: &Module, archs: &[Arch]) -> Versions {
    if !has_any(module) {
        return Versions::new();
    }
    let newest = archs.iter().map(|&arch| (arch, PtxVersion::NEWEST));
    newest.collect()
}

fn assemble(source: String, ptxas: &Path) -> Result<Cubin, BackendError> {
    Cubin::assemble(&Ptx::new(source)?, ptxas, Level::default())
}

/// Returns `true` if a module has inline PTX.
pub(super) fn has_any(module: &Module) -> bool {
    !texts(module).is_empty()
}

/// Returns the distinct texts of a module.
fn texts(module: &Module) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    for entry in module.entries() {
        let body = module.region_block(entry, 0);
        for id in body.map(|body| module.walk(body)).unwrap_or_default() {
            let op = module.op(id);
            if !matches!(op.opcode, Opcode::Misc(MiscOp::Ptx | MiscOp::PtxPure)) {
                continue;
            }
            let text = text(module, op);
            let is_known =
                |other: &Text| other.pieces == text.pieces && other.registers == text.registers;
            if !texts.iter().any(is_known) {
                texts.push(text);
            }
        }
    }
    texts
}

fn text(module: &Module, op: &Op) -> Text {
    let Some(Attr::Str(text)) = op.attr("text") else {
        unreachable!("verified: there is a text");
    };
    let mut plain = String::new();
    for piece in ptx_pieces(text).expect("verified: braces are of registers") {
        match piece {
            PtxPiece::Text(text) => plain.push_str(text),
            PtxPiece::Register(number) => {
                let _ = write!(plain, "%operand{number}");
            }
        }
    }
    let values = op.results.iter().chain(&op.operands);
    let registers = values.flat_map(|&value| {
        let tile = module.ty(value).as_tile().map(|tile| tile.element);
        let scalar = match tile.expect("verified: operands are tiles") {
            Element::Scalar(scalar) => scalar,
            Element::Ptr(_) => unreachable!("verified: no operand is a pointer"),
        };
        let held = ptx_registers(scalar, ptx_pack(op)).expect("verified: PTX has registers for it");
        std::iter::repeat_n(register(scalar, held.bits), held.count)
    });
    Text {
        registers: registers.collect(),
        pieces: plain,
        loc: op.loc,
    }
}

/// Returns the type of a register of `bits` bits that holds elements of type `scalar`.
fn register(scalar: Scalar, bits: u32) -> &'static str {
    match (scalar, bits) {
        (Scalar::F32, _) => ".f32",
        (Scalar::F64, _) => ".f64",
        (_, 16) => ".b16",
        (_, 64) => ".b64",
        (_, _) => ".b32",
    }
}

/// Returns PTX with a kernel for each text, and the range of lines of each kernel.
fn source(texts: &[Text], arch: Arch, version: PtxVersion) -> (String, Vec<Range<usize>>) {
    let mut source = format!(".version {version}\n.target {arch}\n.address_size 64\n");
    let mut lines = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let _ = write!(source, ".entry text{number}()\n{{\n");
        for (operand, ty) in text.registers.iter().enumerate() {
            let _ = writeln!(source, ".reg {ty} %operand{operand};");
        }
        source.push_str("{\n");
        let first = source.lines().count() + 1;
        let _ = write!(source, "{}\n}}\nret;\n}}\n", text.pieces);
        lines.push(first..first + text.pieces.lines().count().max(1));
    }
    (source, lines)
}

/// Reports the errors that ptxas has `said`, each at its text, or `error` if there are none about texts.
fn report(
    error: WorkerError,
    said: &str,
    texts: &[Text],
    lines: &[Range<usize>],
    arch: Arch,
    diagnostics: &mut Diagnostics,
) -> Reported {
    let complaints = said.lines().filter_map(|line| {
        // A line is `ptxas kernel.ptx, line 7; error : Unknown modifier '.u33'`, or has `fatal :` instead of
        // `error :`.
        let (place, rest) = line.split_once("; ")?;
        let number: usize = place.rsplit_once("line ")?.1.parse().ok()?;
        let (kind, complaint) = rest.split_once(':')?;
        ["error", "fatal"]
            .contains(&kind.trim())
            .then_some((number, complaint.trim()))
    });
    let mut reported = None;
    for (number, complaint) in complaints {
        // ptxas reports a missing brace after the end of the text.
        let index = lines.iter().rposition(|lines| lines.start <= number);
        let text = &texts[index.unwrap_or(0)];
        let within = number.saturating_sub(lines[index.unwrap_or(0)].start);
        let mut diagnostic = Diagnostic::error(
            Code::UnsupportedByTarget,
            text.loc,
            format!(
                "`ptxas` refuses the text: {}",
                complaint.replace("%operand", "operand ")
            ),
        )
        .note(format!("the target is `{arch}`"));
        if text.pieces.lines().count() > 1 && within < text.pieces.lines().count() {
            diagnostic = diagnostic.note(format!("it is line {} of the text", within + 1));
        }
        reported = Some(diagnostics.error(diagnostic.help(format!(
            "write what the PTX ISA has for `{arch}`; what newer GPUs have needs them in the attribute, as in \
             `arch(\"sm_90\")`"
        ))));
    }
    reported.unwrap_or_else(|| error.report(texts[0].loc, diagnostics))
}
