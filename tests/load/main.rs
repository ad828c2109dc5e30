//! Many launches by many threads, on streams and devices that a seed chooses, against a model that computes them one
//! after the other.
//!
//! A place has a tensor and the elements that the model predicts for it. A thread locks the places of an operation,
//! to write one and to read the other, submits it, and computes it with the model, so the model is right exactly if the operations on each tensor run in the
//! order in which they were submitted. The elements are integers, compared bit for bit.
//!
//! Operations: launches on any stream, also of another device; copies between tensors of any two devices; copies to host
//! buffers and from them; fills; graphs; events and waits for them; futures; tensors that are dropped and allocated again.
//! After each round, what the program has allocated is as before.

#[expect(dead_code, reason = "this program counts objects only")]
#[path = "../injected/driver.rs"]
mod driver;
mod model;
#[expect(dead_code, reason = "this program wants four devices")]
#[path = "../sim_driver/mod.rs"]
mod sim_driver;

use std::env;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use model::Load;
use tile_kernel::Device;

/// The environment variables that tell this program to put load on a device, how many launches, and on which device.
const LAUNCHES: &str = "LOAD_LAUNCHES";
const DEVICE: &str = "LOAD_DEVICE";

const FEW: usize = 4_000;
const MANY: usize = 100_000;

fn load(devices: Vec<Device>, launches: usize, live: fn() -> Vec<usize>) -> Load {
    let seed = env::var("TILE_SEED")
        .ok()
        .and_then(|text| text.parse().ok());
    Load {
        devices,
        streams: 16,
        threads: 64,
        rounds: 5,
        launches,
        live,
        seed: seed.unwrap_or(1),
    }
}

#[expect(clippy::print_stdout, reason = "the figures")]
fn report(name: &str, load: &Load) -> Result<(), Failed> {
    let report = load.run().map_err(Failed::from)?;
    println!("{name}, seed {}: {report}", load.seed);
    Ok(())
}

/// Runs this program with the simulated driver.
fn with_driver(launches: usize) -> Result<(), Failed> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = sim_driver::command(program).ok_or("there is no simulated driver")?;
    command.env("TILE_SIM_DEVICES", "h100*4");
    command.env("TILE_SIM_CHECKS", "cheap");
    command.env(DEVICE, "driver");
    in_child(command, launches)
}

/// Runs this program with the CPU device.
fn with_cpu(launches: usize) -> Result<(), Failed> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.env(DEVICE, "cpu");
    in_child(command, launches)
}

/// Runs a program of its own, which counts what it allocates.
#[expect(clippy::print_stdout, reason = "the figures")]
fn in_child(mut command: Command, launches: usize) -> Result<(), Failed> {
    let (variable, value) = model::NO_CACHE;
    command.env(LAUNCHES, launches.to_string());
    command.env(variable, value);
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        print!("{text}");
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{text}{errors}{}", output.status).into())
}

/// Does what the parent asks for.
fn child(launches: usize) -> ExitCode {
    let on = env::var(DEVICE).expect("the parent names a device");
    let load = if on == "cpu" {
        load(vec![Device::cpu()], launches, Vec::new)
    } else {
        let devices = (0..4).map(Device::cuda).collect::<Result<Vec<_>, _>>();
        let devices = devices.expect("the driver has four devices");
        for one in &devices {
            for other in &devices {
                one.enable_peer_access(other).expect("devices are peers");
            }
        }
        load(devices, launches, || driver::counts().into())
    };
    report(&on, &load).expect("the model is right");
    ExitCode::SUCCESS
}

pub(crate) fn main() -> ExitCode {
    if let Ok(launches) = env::var(LAUNCHES) {
        return child(launches.parse().expect("the parent writes a number"));
    }
    let is_missing = sim_driver::library().is_none();
    assert!(
        !is_missing || env::var_os("TILE_REQUIRE_TOOLS").is_none(),
        "the simulated driver is not beside this program"
    );
    let on_cpu = |launches| move || with_cpu(launches);
    let on_driver = |launches| move || with_driver(launches);
    let trials = vec![
        Trial::test("few_launches/cpu", on_cpu(FEW)),
        Trial::test("few_launches/driver", on_driver(FEW)).with_ignored_flag(is_missing),
        // A minute: `cargo test --test load -- --ignored`.
        Trial::test("many_launches/cpu", on_cpu(MANY)).with_ignored_flag(true),
        Trial::test("many_launches/driver", on_driver(MANY)).with_ignored_flag(true),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
