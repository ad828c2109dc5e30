//! Builds the cases, and compares what comes of them with what is expected.

use std::process::{ExitCode, Output};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};

use crate::place::Place;
use crate::{files, llvm, page, place, tools};

/// A fault, and what is expected of a build with it.
pub(crate) struct Case {
    /// The fault in words; the first column of the table.
    pub(crate) fault: &'static str,
    pub(crate) need: Need,
    /// Makes the fault, builds, and returns the output.
    pub(crate) build: fn(&mut Place) -> Output,
    pub(crate) expected: Expected,
}

/// A part that a case cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Nothing,
    /// An LLVM 22 that a package has installed.
    InstalledLlvm,
    Ptxas,
}

impl Need {
    fn is_met(self) -> bool {
        match self {
            Self::Nothing => true,
            Self::InstalledLlvm => place::installed_llvm().is_some(),
            Self::Ptxas => place::ptxas().is_some(),
        }
    }
}

/// The result of a build with a fault.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    /// The build fails with a message that contains this.
    Error(&'static str),
    /// The build warns once, with this, and the kernels run on the CPU device.
    Warning(&'static str),
    /// The build says nothing and makes code for GPUs; this tells how.
    Code(&'static str),
}

/// The time that a build may take; the faults that wait do so for ten seconds.
const LIMIT: Duration = Duration::from_secs(120);

#[expect(clippy::print_stdout, reason = "the reason why cases are ignored")]
pub(crate) fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let groups = [
        ("LLVM", llvm::CASES),
        ("`ptxas` and `fatbinary`", tools::CASES),
        ("Folders and files", files::CASES),
    ];
    for need in [Need::InstalledLlvm, Need::Ptxas] {
        if !need.is_met() {
            println!("ignored: cases that need {need:?}");
        }
    }
    let mut trials = Vec::new();
    for (group, cases) in groups {
        for case in cases {
            let name = format!("{group}: {}", case.fault).replace('`', "");
            let run = move || check(group, case).map_err(Failed::from);
            trials.push(Trial::test(name, run).with_ignored_flag(!case.need.is_met()));
        }
    }
    let faults: Vec<(&str, Vec<&str>)> = groups
        .into_iter()
        .map(|(group, cases)| (group, cases.iter().map(|case| case.fault).collect()))
        .collect();
    let is_listed = faults.clone();
    trials.push(Trial::test("the page lists these faults", move || {
        page::lists(&is_listed).map_err(Failed::from)
    }));
    let conclusion = libtest_mimic::run(&arguments, trials);
    page::write(&faults);
    conclusion.exit_code()
}

/// Builds a case, and compares what comes of it with what is expected, and with the page.
fn check(group: &str, case: &Case) -> Result<(), String> {
    let mut place = Place::new();
    let start = Instant::now();
    let output = (case.build)(&mut place);
    let said = place.neutral(&place::text(&output));
    let ensure = |holds: bool, what: &str| {
        if holds {
            Ok(())
        } else {
            Err(format!("{what}:\n{said}"))
        }
    };
    ensure(start.elapsed() < LIMIT, "it takes too long")?;
    for sign in ["panicked at", "internal compiler error", "internal error"] {
        ensure(!said.contains(sign), "it is a bug")?;
    }
    let row = match case.expected {
        Expected::Error(fragment) => {
            ensure(!output.status.success(), "it is no error")?;
            let message = page::Message::of_error(&said);
            let message = message.ok_or_else(|| format!("there is no message:\n{said}"))?;
            ensure(message.says.contains(fragment), fragment)?;
            ensure(!message.cure.is_empty(), "there is no cure")?;
            message
        }
        Expected::Warning(fragment) => {
            ensure(output.status.success(), "it is an error")?;
            let messages = page::Message::of_warnings(&said);
            ensure(messages.len() == 1, "there is not one warning")?;
            ensure(messages[0].says.contains(fragment), fragment)?;
            ensure(!place.run(), "there is code for GPUs")?;
            messages[0].clone()
        }
        Expected::Code(instead) => {
            ensure(output.status.success(), "it is an error")?;
            let is_silent = !said.contains("warning") && !said.contains("error");
            ensure(is_silent, "it is not silent")?;
            ensure(place.run(), "there is no code for GPUs")?;
            page::Message::nothing_but(instead)
        }
    };
    page::compare(group, case.fault, &row)
}
