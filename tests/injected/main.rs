//! Lets every call of the driver that a scenario makes fail, one at a time and with each result that is likely, on the
//! simulated driver.
//!
//! Asked of each failure:
//! - an error whose text names the call and says what to do, or success where [`expect::harmless`] says why;
//! - no panic, and no wait without end;
//! - nothing that stays allocated, and a device that works, after the scenario has dropped its values;
//! - after an error that breaks the context, errors that say so.
//!
//! Each call returns one of the results, and each third breaks its context; with `TILE_EXHAUSTIVE=1` each call returns
//! every result, and breaks its context.
//!
//! Each scenario runs in a process of its own, and each of its failures on a thread of its own.

mod cases;
mod driver;
mod expect;
mod scenarios;
#[expect(dead_code, reason = "each scenario starts the driver itself")]
#[path = "../sim_driver/mod.rs"]
mod sim_driver;

use std::collections::BTreeSet;
use std::env;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use scenarios::Scenario;

/// The environment variable that tells this program what to do with the driver: a [`Task`] and the name of a scenario.
const TASK: &str = "INJECTED_TASK";

/// How often there are 16 devices: every failure that breaks a context needs two of its own.
const SIXTEENS: usize = 125;

/// What a process does with a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Lets every call fail.
    Fail,
    /// Lists the functions of the driver that are called.
    List,
    /// Runs once.
    Once,
}

impl Task {
    const ALL: [Task; 3] = [Task::Fail, Task::List, Task::Once];
}

/// Runs this program with the simulated driver, and returns what it printed.
fn run(task: Task, name: &str, hidden: Option<&str>) -> Result<String, Failed> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = sim_driver::command(program).ok_or("there is no simulated driver")?;
    command.env("TILE_SIM_DEVICES", vec!["h100*16"; SIXTEENS].join(","));
    command.env("TILE_SIM_HIDE", hidden.unwrap_or_default());
    // One order of blocks, without threads for them.
    command.env("TILE_SEED", "1");
    command.env(TASK, format!("{task:?} {name}"));
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{text}{errors}{}", output.status).into())
}

/// Runs a scenario without each of the functions that it calls, as on an older driver.
fn run_without(name: &str) -> Result<(), Failed> {
    let functions: BTreeSet<String> = run(Task::List, name, None)?
        .lines()
        .map(str::to_owned)
        .collect();
    assert!(functions.len() > 5, "{functions:?}");
    for function in functions {
        if let Some(_reason) = expect::needed_by_the_driver(&function) {
            continue;
        }
        let said = run(Task::Once, name, Some(&function))?;
        if !expect::is_right_without(&function, said.trim_end()) {
            return Err(format!("without `{function}`: {said}").into());
        }
    }
    Ok(())
}

/// Does what the parent asks for.
#[expect(clippy::print_stdout, reason = "the parent reads it")]
fn do_task(task: &str) -> ExitCode {
    let (task, name) = task.split_once(' ').expect("the parent names a scenario");
    let task = Task::ALL
        .into_iter()
        .find(|known| format!("{known:?}") == task)
        .expect("the parent names a task");
    let scenario = scenarios::ALL
        .iter()
        .find(|scenario| scenario.name == name)
        .expect("the parent names a scenario");
    cases::watch();
    match task {
        Task::Fail => {
            let report = cases::fail_each_call(scenario);
            for problem in &report.problems {
                println!("{problem}");
            }
            println!(
                "{name}: {} calls, {} failures, {} of them harmless, {} not reached, {} wrong",
                report.calls,
                report.failures,
                report.harmless,
                report.not_reached,
                report.problems.len()
            );
            ExitCode::from(u8::from(!report.problems.is_empty()))
        }
        Task::List => {
            for function in cases::functions(scenario) {
                println!("{function}");
            }
            ExitCode::SUCCESS
        }
        Task::Once => {
            let said = match cases::run_once(scenario) {
                Ok(()) => "ok".to_owned(),
                Err(error) => error.to_string(),
            };
            println!("{said}");
            ExitCode::SUCCESS
        }
    }
}

pub(crate) fn main() -> ExitCode {
    if let Ok(task) = env::var(TASK) {
        return do_task(&task);
    }
    let is_missing = sim_driver::library().is_none();
    assert!(
        !is_missing || env::var_os("TILE_REQUIRE_TOOLS").is_none(),
        "the simulated driver is not beside this program"
    );
    let mut trials = Vec::new();
    for Scenario { name, .. } in scenarios::ALL {
        let fail = move || run(Task::Fail, name, None).map(drop);
        trials.push(Trial::test(format!("failures/{name}"), fail));
        let without = move || run_without(name);
        trials.push(Trial::test(format!("old_driver/{name}"), without));
    }
    let trials = trials
        .into_iter()
        .map(|trial| trial.with_ignored_flag(is_missing));
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
