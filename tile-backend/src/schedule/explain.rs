//! Explains a schedule: the candidates that were considered, with their figures, and why one won.

use super::{Epilogue, Figures, Refusal, Schedule};
use crate::gpu::Clusters;
use std::fmt::{self, Write as _};

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

/// A number of warps that was considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpCandidate {
    /// Warps of a block.
    pub warps: u32,
    /// Estimated registers of a thread.
    pub registers: u64,
    /// Registers that a thread may have.
    pub budget: u64,
}

/// The explanation of one kernel.
#[derive(Clone, Debug, Default)]
struct OfKernel {
    name: String,
    warps: Vec<WarpCandidate>,
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

    /// Adds a number of warps of a kernel.
    pub(crate) fn add_warps(&mut self, name: &str, candidate: WarpCandidate) {
        if let Some(kernel) = self.of(name) {
            kernel.warps.push(candidate);
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
        for (index, it) in self.warps.iter().enumerate() {
            let (sign, verdict) = if it.registers <= it.budget {
                ("<=", "taken: the first that fits")
            } else if index + 1 < self.warps.len() {
                (">", "more warps leave each thread fewer elements")
            } else {
                (
                    ">",
                    "no number of warps fits; the one that exceeds least is taken",
                )
            };
            writeln!(
                f,
                "  {:>2} warps: {} registers {sign} {}: {verdict}",
                it.warps, it.registers, it.budget
            )?;
        }
        let mut rows = Vec::new();
        for candidate in &self.candidates {
            let is_chosen = self.chosen.as_ref() == Some(&candidate.schedule);
            rows.push(candidate.row(is_chosen));
        }
        let width = rows.iter().map(|(what, ..)| what.len()).max().unwrap_or(0);
        let middle = rows.iter().map(|(_, how, _)| how.len()).max().unwrap_or(0);
        for (what, how, verdict) in rows {
            writeln!(f, "  {what:width$}  {how:middle$}  {verdict}")?;
        }
        match &self.chosen {
            Some(chosen) => writeln!(f, "  chosen: {chosen}"),
            None => Ok(()),
        }
    }
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

impl fmt::Display for Schedule {
    /// Formats the decisions that differ from the plain kernel.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
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
