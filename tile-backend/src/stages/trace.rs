//! Observes stage 8, for `tilec build --print-after`, `--time-passes` and `--explain-schedule`.

use super::lowered::{Request, lower_observed};
use super::spilled::Choices;
use crate::gpu;
use crate::options::KernelOptions;
use crate::passes::Pass;
use crate::remarks::Remarks;
use crate::schedule::Explanation;
use crate::target::Arch;
use std::fmt::Write as _;
use std::time::Duration;
use tile_core::{Diagnostics, Module, Reported};

/// The observations to make.
#[derive(Clone, Debug, Default)]
pub struct TraceOptions {
    /// The names of passes ([`crate::passes::PIPELINE`]) after which kernels are printed.
    pub print_after: Vec<String>,
    /// `true` to print the time of each pass.
    pub time_passes: bool,
    /// `true` to print the candidates for the schedule of each kernel.
    pub explain_schedule: bool,
}

impl TraceOptions {
    /// Returns `true` if nothing is to be observed.
    pub fn is_empty(&self) -> bool {
        self.print_after.is_empty() && !self.time_passes && !self.explain_schedule
    }
}

/// Runs stage 8 for an architecture and returns the observations as text.
pub(crate) fn trace(
    module: &Module,
    arch: Arch,
    kernel_options: KernelOptions,
    options: &TraceOptions,
    diagnostics: &mut Diagnostics,
) -> Result<String, Reported> {
    let mut remarks = Remarks::default();
    remarks.explanation = Explanation::new(options.explain_schedule);
    let choices = Choices::default();
    let request = Request {
        arch,
        kernel_options,
        choices: &choices,
    };
    let mut text = String::new();
    let mut times: Vec<(&str, Duration)> = Vec::new();
    let mut after = |pass: &'static Pass, kernel: &gpu::Kernel, time: Duration| {
        if options.print_after.iter().any(|name| name == pass.name) {
            let kernel = gpu::to_text(kernel);
            let _ = write!(text, "// {arch}, after {}\n{kernel}", pass.name);
        }
        match times.iter_mut().find(|(name, _)| *name == pass.name) {
            Some((_, total)) => *total += time,
            None => times.push((pass.name, time)),
        }
    };
    lower_observed(module, request, &mut remarks, &mut after, diagnostics)?;
    if options.explain_schedule {
        let _ = write!(text, "{arch}: {}", remarks.explanation);
    }
    if options.time_passes {
        let _ = writeln!(text, "{arch}: time of passes");
        for (name, time) in times {
            let _ = writeln!(text, "  {:>9.3} ms  {name}", time.as_secs_f64() * 1e3);
        }
    }
    Ok(text)
}
