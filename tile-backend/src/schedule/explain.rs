//! Explains a schedule: the candidates that were considered, with their figures, and why one won.
//!
//! Two kinds of rows: a [`Decision`] is taken for itself, such as the number of warps. A [`Candidate`] is a whole
//! schedule, whose parts compete for the same shared memory.

use super::masks::MaskSchedule;
use super::{Epilogue, Figures, LoweringSchedule, Refusal, Schedule};
use crate::gpu::{Clusters, OpId, RasterOrder};
use std::fmt::{self, Write as _};
use tile_core::Loc;

/// The judgement of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The kernel fits the multiprocessor.
    Fits,
    /// The kernel needs more shared memory than a block may have.
    ExceedsSharedMemory,
    /// The schedule cannot be applied to the kernel, or does not pay.
    Refused(Refusal),
}

/// A schedule that was considered.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The schedule.
    pub schedule: Schedule,
    /// The figures of the kernel; `None` if there is no kernel with this schedule.
    pub figures: Option<Figures>,
    /// The judgement.
    pub verdict: Verdict,
}

/// A candidate for one decision.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The thing that is decided.
    what: &'static str,
    /// The candidate.
    pub(super) candidate: String,
    /// Its figures; empty if there are none.
    pub(super) figures: String,
    verdict: String,
}

impl Decision {
    /// Creates the candidate that TMA makes the store at this location, which has no figures and no verdict yet.
    pub(crate) fn store(loc: Loc) -> Self {
        let candidate = format!("TMA store in line {}", loc.line());
        Self::new("epilogue", candidate, String::new())
    }

    /// Creates a candidate for the decision `what`, which has no verdict yet.
    pub(super) fn new(what: &'static str, candidate: String, figures: String) -> Self {
        Self {
            what,
            candidate,
            figures,
            verdict: String::new(),
        }
    }

    /// Returns the candidate as the one that was chosen for a reason.
    pub(crate) fn chosen(self, reason: impl fmt::Display) -> Self {
        let verdict = format!("chosen: {reason}");
        Self { verdict, ..self }
    }

    /// Returns the candidate as one that was refused for a reason.
    pub(crate) fn refused(self, reason: impl fmt::Display) -> Self {
        let verdict = format!("refused: {reason}");
        Self { verdict, ..self }
    }
}

/// The explanation of one kernel.
#[derive(Clone, Debug, Default)]
struct OfKernel {
    name: String,
    decisions: Vec<Decision>,
    candidates: Vec<Candidate>,
    chosen: Option<Schedule>,
}

/// A sink that collects candidates if an explanation is wanted, and drops them otherwise.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    is_wanted: bool,
    kernels: Vec<OfKernel>,
}

impl Explanation {
    /// Creates a sink that keeps candidates, or drops them.
    pub fn new(is_wanted: bool) -> Self {
        Self {
            is_wanted,
            kernels: Vec::new(),
        }
    }

    /// Returns the explanation of a kernel, which is added if it is new; `None` if none is wanted.
    fn of(&mut self, name: &str) -> Option<&mut OfKernel> {
        if !self.is_wanted {
            return None;
        }
        let known = self.kernels.iter().position(|kernel| kernel.name == name);
        let index = known.unwrap_or_else(|| {
            self.kernels.push(OfKernel {
                name: name.to_owned(),
                ..OfKernel::default()
            });
            self.kernels.len() - 1
        });
        Some(&mut self.kernels[index])
    }

    /// Starts to explain a kernel anew, as it is lowered.
    pub(crate) fn begin(&mut self, name: &str) {
        if let Some(kernel) = self.of(name) {
            *kernel = OfKernel {
                name: name.to_owned(),
                ..OfKernel::default()
            };
        }
    }

    /// Adds a candidate for one decision on a kernel.
    pub(crate) fn decide(&mut self, name: &str, decision: impl FnOnce() -> Decision) {
        self.decide_all(name, || [decision()]);
    }

    /// Adds candidates for one decision on a kernel.
    pub(crate) fn decide_all<D>(&mut self, name: &str, decisions: impl FnOnce() -> D)
    where
        D: IntoIterator<Item = Decision>,
    {
        if let Some(kernel) = self.of(name) {
            kernel.decisions.extend(decisions());
        }
    }

    /// Adds a candidate for the schedule of a kernel.
    pub(crate) fn add(&mut self, name: &str, candidate: impl FnOnce() -> Candidate) {
        if let Some(kernel) = self.of(name) {
            kernel.candidates.push(candidate());
        }
    }

    /// Records the schedule that won.
    pub(crate) fn choose(&mut self, name: &str, schedule: &Schedule) {
        if let Some(kernel) = self.of(name) {
            kernel.chosen = Some(schedule.clone());
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for kernel in &self.kernels {
            kernel.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for OfKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "schedule of `{}`", self.name)?;
        let mut rows = Vec::new();
        for it in &self.decisions {
            let what = format!("{:<13}  {}", it.what, it.candidate);
            rows.push((what, it.figures.clone(), it.verdict.clone()));
        }
        print_rows(f, &rows)?;
        let mut rows = Vec::new();
        for candidate in &self.candidates {
            let is_chosen = self.chosen.as_ref() == Some(&candidate.schedule);
            rows.push(candidate.row(is_chosen));
        }
        print_rows(f, &rows)?;
        match &self.chosen {
            Some(chosen) => {
                let Schedule {
                    lowering, masks, ..
                } = chosen;
                writeln!(f, "  chosen: {lowering}{masks}; {chosen}")
            }
            None => Ok(()),
        }
    }
}

/// Returns a number of warps in words.
pub(super) fn warps(num_warps: u32) -> String {
    match num_warps {
        1 => "1 warp".to_owned(),
        warps => format!("{warps} warps"),
    }
}

/// Prints rows of three columns, aligned.
fn print_rows(f: &mut fmt::Formatter<'_>, rows: &[(String, String, String)]) -> fmt::Result {
    let width = rows.iter().map(|(what, ..)| what.len()).max().unwrap_or(0);
    let middle = rows.iter().map(|(_, how, _)| how.len()).max().unwrap_or(0);
    for (what, how, verdict) in rows {
        writeln!(f, "  {what:width$}  {how:middle$}  {verdict}")?;
    }
    Ok(())
}

impl Candidate {
    /// Returns the schedule, the figures and the verdict.
    fn row(&self, is_chosen: bool) -> (String, String, String) {
        let figures = self.figures.as_ref().map_or_else(String::new, |it| {
            let warps = match it.producer_warps {
                0 => it.warps.to_string(),
                producers => format!("{}+{producers}", it.warps),
            };
            let mut text = format!(
                "{warps} warps, {} of {} B shared, {} B in flight, {} per SM",
                it.shared_bytes, it.shared_limit, it.bytes_in_flight, it.blocks
            );
            if let Some(registers) = it.registers {
                let (producer, consumer) = (registers.producer, registers.consumer);
                let _ = write!(text, ", {producer}/{consumer} registers");
            }
            text
        });
        let verdict = match self.verdict {
            Verdict::Fits if is_chosen => "fits: chosen".to_owned(),
            Verdict::Fits => "fits".to_owned(),
            Verdict::ExceedsSharedMemory => "needs too much shared memory".to_owned(),
            Verdict::Refused(refusal) => format!("refused: {refusal}"),
        };
        (self.schedule.to_string(), figures, verdict)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Because(reason) => reason,
            Self::OverwritesOperands(_) => {
                "copies would overwrite the operands of an MMA in flight"
            }
        })
    }
}

impl fmt::Display for LoweringSchedule {
    /// Formats the decisions that lowering applies, but for the order of work tiles.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&warps(self.num_warps))?;
        if self.blocks_per_tile > 1 {
            write!(f, "; {} blocks per work tile", self.blocks_per_tile)?;
        }
        match self.tma_stores.len() {
            0 => Ok(()),
            1 => f.write_str("; a TMA store"),
            stores => write!(f, "; {stores} TMA stores"),
        }
    }
}

impl fmt::Display for MaskSchedule {
    /// Formats the rewrites that run, each after a semicolon.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rewrites = [
            (self.skips_blocks, "block skipping"),
            (self.elides_masks, "mask elision"),
            (self.rescales_lazily, "lazy rescaling"),
        ];
        let mut rewrites = rewrites.iter().filter(|(runs, _)| *runs);
        rewrites.try_for_each(|(_, name)| write!(f, "; {name}"))
    }
}

impl Schedule {
    /// Returns the number of stages of a pipelined loop, and what fills them, in words.
    pub(super) fn stages_of(&self, id: OpId) -> String {
        let mut loops = self.pipelined.iter();
        let stages = loops.find(|it| it.id == id).map_or(1, |it| it.stages);
        format!("{stages} stages, filled by its own warps")
    }
}

impl fmt::Display for Schedule {
    /// Formats the decisions that differ from the plain kernel, but for those that precede the search.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        match self.raster_order {
            RasterOrder::Fixed | RasterOrder::Any => {}
            RasterOrder::Grouped(groups) => {
                parts.push(format!("groups of {}", 1_u32 << groups.log2_blocks));
            }
            RasterOrder::Lpt(_) => parts.push("longest work tiles first".to_owned()),
        }
        if self.is_persistent {
            parts.push("persistent".to_owned());
        }
        if self.clusters == Clusters::Pairs {
            parts.push("multicast in pairs".to_owned());
        }
        if self.blocks_per_multiprocessor > 1 {
            parts.push(format!("{} blocks per SM", self.blocks_per_multiprocessor));
        }
        let roles = [
            ("specialized", &self.specialized),
            ("pipelined", &self.pipelined),
        ];
        for (role, loops) in roles {
            for it in loops {
                let flight = match it.in_flight_mmas {
                    0 => "",
                    _ => ", MMA in flight",
                };
                parts.push(format!("{role} with {} stages{flight}", it.stages));
            }
        }
        match self.epilogue {
            Epilogue::Whole => {}
            Epilogue::Halves => parts.push("epilogue in halves".to_owned()),
            Epilogue::Quarters => parts.push("epilogue in quarters".to_owned()),
        }
        if parts.is_empty() {
            parts.push("one work tile per block, loads where they are used".to_owned());
        }
        f.write_str(&parts.join("; "))
    }
}
