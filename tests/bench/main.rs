//! Tests of `tile_kernel::bench` and of the tuner: on the CPU, the simulated GPU and the simulated driver, and on a GPU where there is one.
//!
//! The cases of `quiet` need a machine that does nothing else, and run on request: `CONTRIBUTING.md` has the command.

mod devices;
mod driver;
mod kernels;
mod quiet;
#[expect(dead_code, reason = "this program runs the driver beside a GPU too")]
#[path = "../sim_driver/mod.rs"]
mod sim_driver;
mod tuner;

use std::env;
use std::io::{self, Write as _};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use tile_kernel::{Device, Result};

fn trial<T: Into<Failed>>(
    name: String,
    case: impl FnOnce() -> Result<(), T> + Send + 'static,
) -> Trial {
    Trial::test(name, move || case().map_err(Into::into))
}

fn on_device(name: &str, device: Device) -> impl Iterator<Item = Trial> {
    let cases = devices::ALL.iter().chain(tuner::ALL);
    cases.map(move |&(case, run)| trial(format!("{name}/{case}"), move || run(device)))
}

/// Runs this program again with the simulated driver.
fn with_driver() -> Option<ExitCode> {
    let program = env::current_exe().ok()?;
    let again = sim_driver::command(program);
    assert!(
        again.is_some() || env::var_os("TILE_REQUIRE_TOOLS").is_none(),
        "the simulated driver is not beside this program"
    );
    let status = again?.args(env::args_os().skip(1)).status().ok()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Some(ExitCode::from(code.unwrap_or(1)))
}

pub(crate) fn main() -> ExitCode {
    if env::var_os(quiet::WITH_DIVAN).is_some() {
        divan::Divan::default().main();
        return ExitCode::SUCCESS;
    }
    if let Ok(name) = env::var(quiet::WITH_BENCH) {
        let json = quiet::measured(&name).expect("the CPU runs the kernel");
        io::stdout()
            .write_all(json.as_bytes())
            .expect("the caller reads it");
        return ExitCode::SUCCESS;
    }
    if let Some(records) = env::var_os(tuner::RECORDS) {
        let outcome = tuner::tune_peculiar(&records);
        let text = outcome.unwrap_or_else(|error| error.to_string());
        io::stdout()
            .write_all(text.as_bytes())
            .expect("the caller reads it");
        return ExitCode::SUCCESS;
    }
    let mut trials = Vec::new();
    // This was set before any other thread starts, and decides for `Device::cuda`.
    if env::var_os("TILE_SIM_DRIVER").is_some() {
        let gpu = Device::cuda(0).expect("the simulated driver has a GPU");
        trials.extend(on_device("driver", gpu));
        let cases = driver::ALL.iter();
        trials
            .extend(cases.map(|&(name, case)| trial(format!("driver/{name}"), move || case(gpu))));
        return libtest_mimic::run(&Arguments::from_args(), trials).exit_code();
    }
    trials.extend(on_device("cpu", Device::cpu()));
    trials.extend(on_device("sim", Device::sim()));
    if let Ok(gpu) = Device::cuda(0) {
        trials.extend(on_device("cuda", gpu));
    }
    let quiet = quiet::ALL.iter();
    trials.extend(quiet.map(|&(name, case)| {
        let trial = Trial::test(format!("quiet/{name}"), case);
        trial.with_ignored_flag(true)
    }));
    let own = libtest_mimic::run(&Arguments::from_args(), trials);
    match with_driver() {
        Some(code) if !own.has_failed() => code,
        Some(_) | None => own.exit_code(),
    }
}
