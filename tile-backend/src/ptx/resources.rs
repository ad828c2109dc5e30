//! Parses the report of ptxas on a kernel: registers, spills, stack, shared memory, and its remarks.
//!
//! In: the text of `ptxas -v`. Out: a [`Report`].

use std::collections::BTreeMap;

use nanoserde::{DeJson, SerJson};

/// The resource usage of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, SerJson, DeJson)]
pub struct Resources {
    /// 32-bit registers per thread.
    pub registers: u32,
    /// Bytes that each thread writes to local memory because registers ran out.
    pub spill_stores_bytes: u32,
    /// Bytes that each thread reads back.
    pub spill_loads_bytes: u32,
    /// Local memory per thread, spills included.
    pub stack_bytes: u32,
    /// Static shared memory per block. The launch adds dynamic shared memory.
    pub shared_bytes: u32,
    /// Constant memory, kernel parameters included. 0 if ptxas does not report this figure, as ptxas 12.9
    /// does not for `sm_90` and up.
    pub const_bytes: u32,
    /// Hardware barriers.
    pub barriers: u32,
}

impl Resources {
    /// Returns the bytes that each thread stores and loads because registers ran out.
    pub fn spilled_bytes(&self) -> u32 {
        self.spill_stores_bytes + self.spill_loads_bytes
    }
}

/// The subject of a remark of ptxas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, SerJson, DeJson)]
pub enum RemarkKind {
    /// Registers ran out.
    Spill,
    /// MMA instructions that should overlap are serialized (C7510 and related).
    Serialized,
    /// `setmaxnreg` has no effect (C7508).
    RegistersIgnored,
    /// Any other warning or numbered advice.
    Other,
}

/// A remark of ptxas on performance or on its input.
#[derive(Clone, Debug, PartialEq, Eq, SerJson, DeJson)]
pub struct Remark {
    /// The subject of the remark.
    pub kind: RemarkKind,
    /// The message of ptxas, on one line.
    pub message: String,
}

/// Everything `ptxas -v` reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, SerJson, DeJson)]
pub struct Report {
    /// The resource usage of each kernel, by its name.
    pub resources: BTreeMap<String, Resources>,
    /// The remarks in the order in which ptxas gave them, each once.
    pub remarks: Vec<Remark>,
}

impl Report {
    /// Parses the output of `ptxas -v`.
    pub fn parse(text: &str) -> Self {
        let mut report = Self::default();
        // The kernel of the figures that follow.
        let mut current: Option<&str> = None;
        for line in text.lines() {
            if let Some(name) = compiled_entry(line) {
                report
                    .resources
                    .insert(name.to_owned(), Resources::default());
                current = Some(name);
            } else if line.contains("Function properties for") {
                // ptxas also prints this line for called functions, whose figures are not the kernel's.
                if line.rsplit(' ').next() != current {
                    current = None;
                }
            } else if let Some(used) = current.and_then(|name| report.resources.get_mut(name)) {
                read_figures(line, used);
            }
            report.read_remark(line);
        }
        for (entry, used) in &report.resources {
            if used.spilled_bytes() > 0 {
                report.remarks.push(Remark {
                    kind: RemarkKind::Spill,
                    message: format!(
                        "`{entry}` spills registers: {} bytes stored, {} bytes loaded per thread",
                        used.spill_stores_bytes, used.spill_loads_bytes
                    ),
                });
            }
        }
        report
    }

    fn read_remark(&mut self, line: &str) {
        let Some((head, message)) = line.split_once(':') else {
            return;
        };
        let warns = head.contains("warning");
        if !head.starts_with("ptxas") || !(warns || message.contains("(C7")) {
            return;
        }
        let kind = if message.contains("C7508") {
            RemarkKind::RegistersIgnored
        } else if message.contains("serialized") {
            RemarkKind::Serialized
        } else if message.to_ascii_lowercase().contains("spill") {
            RemarkKind::Spill
        } else {
            RemarkKind::Other
        };
        let remark = Remark {
            kind,
            message: message.trim().to_owned(),
        };
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }
}

/// Parses `ptxas info    : Compiling entry function 'k' for 'sm_80'`.
fn compiled_entry(line: &str) -> Option<&str> {
    line.split_once("Compiling entry function '")?
        .1
        .split_once('\'')
        .map(|(name, _)| name)
}

/// Parses `64 bytes stack frame, 0 bytes spill stores, ...` and `Used 10 registers, used 2 barriers, 48 bytes
/// smem, 364 bytes cmem[0]`.
fn read_figures(line: &str, used: &mut Resources) {
    let figures = line.split_once("info    : ").map_or(line, |(_, rest)| rest);
    for figure in figures.split(',') {
        let figure = figure.trim();
        let figure = figure
            .strip_prefix("Used ")
            .or(figure.strip_prefix("used "))
            .unwrap_or(figure);
        let Some((count, quantity)) = figure.split_once(' ') else {
            continue;
        };
        let Ok(count) = count.parse::<u32>() else {
            continue;
        };
        match quantity {
            "registers" => used.registers = count,
            "barriers" => used.barriers = count,
            "bytes stack frame" => used.stack_bytes = used.stack_bytes.max(count),
            // This figure includes the frames of called functions.
            "bytes cumulative stack size" => used.stack_bytes = used.stack_bytes.max(count),
            "bytes spill stores" => used.spill_stores_bytes = count,
            "bytes spill loads" => used.spill_loads_bytes = count,
            "bytes smem" => used.shared_bytes = count,
            bank if bank.starts_with("bytes cmem[") => used.const_bytes += count,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The output of ptxas 12.9 (names shortened), with a warning and a numbered remark added.
    const REPORT: &str = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k2' for 'sm_80'
ptxas info    : Function properties for k2
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 4 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Compile time = 6.886 ms
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    64 bytes stack frame, 24 bytes spill stores, 28 bytes spill loads
ptxas info    : Used 10 registers, used 2 barriers, 96 bytes cumulative stack size, 48 bytes smem, \
364 bytes cmem[0], 8 bytes cmem[2]
ptxas info    : Compile time = 0.889 ms
ptxas info    : Function properties for helper
    512 bytes stack frame, 7 bytes spill stores, 7 bytes spill loads
ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored to maintain minimum register requirements.
ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to x in function 'k'
ptxas warning : Value of threads per SM for entry k is out of range. .minnctapersm will be ignored
";

    #[test]
    fn figures_belong_to_their_kernel() {
        let report = Report::parse(REPORT);
        assert_eq!(
            report.resources,
            BTreeMap::from([
                (
                    "k".to_owned(),
                    Resources {
                        registers: 10,
                        spill_stores_bytes: 24,
                        spill_loads_bytes: 28,
                        stack_bytes: 96,
                        shared_bytes: 48,
                        const_bytes: 372,
                        barriers: 2,
                    }
                ),
                (
                    "k2".to_owned(),
                    Resources {
                        registers: 4,
                        const_bytes: 360,
                        ..Resources::default()
                    }
                ),
            ])
        );
    }

    #[test]
    fn warnings_numbered_advice_and_spills_are_remarks() {
        let kinds: Vec<RemarkKind> = Report::parse(REPORT)
            .remarks
            .iter()
            .map(|r| r.kind)
            .collect();
        assert_eq!(
            kinds,
            [
                RemarkKind::RegistersIgnored,
                RemarkKind::Serialized,
                RemarkKind::Other,
                RemarkKind::Spill
            ]
        );
    }
}
