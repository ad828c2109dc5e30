//! Tests of the host side on every device: the CPU, the simulated GPU, and GPUs, or the simulated driver in their place.
//!
//! A case takes a device, and is run on each. A case of `several` takes all GPUs, of which the simulated driver has eight.

#[expect(dead_code, reason = "no number of the host is added")]
#[path = "../../examples/support/all_reduce.rs"]
mod all_reduce;
mod captured;
mod cases;
mod programmatic;
mod several;
#[expect(dead_code, reason = "this program wants eight devices")]
#[path = "../sim_driver/mod.rs"]
mod sim_driver;

use std::env;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use tile_kernel::{Device, Result};

fn gpus() -> Vec<Device> {
    (0..8)
        .map_while(|ordinal| Device::cuda(ordinal).ok())
        .collect()
}

/// Runs this program with the simulated driver, unless there is a GPU.
fn run_again() -> Option<ExitCode> {
    if env::var_os("TILE_SIM_DRIVER").is_some() || !gpus().is_empty() {
        return None;
    }
    let mut again = sim_driver::command(env::current_exe().ok()?)?;
    again.env("TILE_SIM_DEVICES", "h100*8");
    let status = again.args(env::args_os().skip(1)).status().ok()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Some(ExitCode::from(code.unwrap_or(1)))
}

fn trial(name: String, case: impl FnOnce() -> Result<()> + Send + 'static) -> Trial {
    Trial::test(name, move || case().map_err(Failed::from))
}

pub(crate) fn main() -> ExitCode {
    // This was set before any other thread starts, and decides for `Device::cuda`.
    if let Some(code) = run_again() {
        return code;
    }
    let gpus = gpus();
    let mut trials = Vec::new();
    let first_gpu = gpus.first().map(|&gpu| ("cuda", gpu));
    let devices = [("cpu", Device::cpu()), ("sim", Device::sim())];
    for (device_name, device) in devices.into_iter().chain(first_gpu) {
        let all = [cases::ALL, programmatic::ALL, captured::ALL];
        for &(name, case) in all.into_iter().flatten() {
            trials.push(trial(format!("{device_name}/{name}"), move || case(device)));
        }
    }
    for &(name, case) in several::ALL {
        let gpus = gpus.clone();
        let missing = gpus.len() < 2;
        let trial = trial(format!("several/{name}"), move || case(&gpus));
        trials.push(trial.with_ignored_flag(missing));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
