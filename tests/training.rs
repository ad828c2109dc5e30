//! Trains the model of the example `digits` on one to eight devices: GPUs, or those of the simulated driver, and members
//! of a group on the CPU device.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "counts and labels are small"
)]

use std::process::ExitCode;
use std::sync::Mutex;
use std::{env, time::Instant};

use fastrand::Rng;
use libtest_mimic::{Arguments, Failed, Trial};
use tile_kernel::{Device, Result};

#[path = "../examples/support/all_reduce.rs"]
mod all_reduce;
#[expect(dead_code, reason = "the test prints no images")]
#[path = "../examples/digits/data.rs"]
mod data;
#[path = "../examples/digits/kernels.rs"]
mod kernels;
#[expect(dead_code, reason = "the test asks only for the losses")]
#[path = "../examples/digits/model.rs"]
mod model;
#[expect(dead_code, reason = "this program wants eight devices")]
mod sim_driver;
#[path = "../examples/digits/training.rs"]
mod training;

use all_reduce::Steps;
use data::Images;
use training::Schedule;

/// The difference of the losses, relative to those of one device: the sums of a share have other roundings, and what is
/// multiplied is rounded to `bf16`, which now and then rounds another way. Measured: 2e-7.
const BOUND: f32 = 1e-5;

/// Trains on these devices. Returns the losses of the epochs, and the parameters of each device.
fn train(devices: &[Device], images: &Images, steps: Steps) -> Result<(Vec<f32>, Vec<Vec<f32>>)> {
    let schedule = Schedule {
        epochs: 2,
        batch: 20,
        steps,
    };
    let losses = Mutex::new(Vec::new());
    let rng = Rng::with_seed(1);
    let models = training::train(devices, images, &schedule, &rng, |_, loss| {
        losses.lock().expect("no thread panics").push(loss);
    })?;
    let parameters = models.iter().map(model::Model::parameters);
    let parameters = parameters.collect::<Result<_>>()?;
    Ok((losses.into_inner().expect("no thread panics"), parameters))
}

/// Trains on some of the devices, and compares.
#[expect(clippy::print_stdout, reason = "the figures")]
fn all_copies_are_equal_and_learn_as_one_device(devices: &[Device]) -> Result<()> {
    let (all, _) = data::load(&mut Rng::with_seed(1));
    // The last batch has fewer images than there are devices.
    let images = all.pick(&(0..24).collect::<Vec<_>>());
    let (alone, _) = train(&devices[..1], &images, Steps::One)?;
    assert!(alone[1] < alone[0], "{alone:?}");
    for count in [2, 4, 8] {
        let Some(devices) = devices.get(..count) else {
            break;
        };
        for steps in [Steps::One, Steps::Two] {
            let start = Instant::now();
            let (losses, parameters) = train(devices, &images, steps)?;
            let bits = |parameters: &[f32]| -> Vec<u32> {
                parameters.iter().map(|number| number.to_bits()).collect()
            };
            for other in &parameters[1..] {
                assert!(bits(other) == bits(&parameters[0]), "the copies differ");
            }
            let pairs = losses.iter().zip(&alone);
            let differences = pairs.map(|(loss, alone)| (loss - alone).abs() / alone);
            let difference = differences.fold(0.0, f32::max);
            println!(
                "{count} devices, {steps:?}: {difference:.1e}, {:?}",
                start.elapsed()
            );
            assert!(difference < BOUND, "{losses:?} {alone:?}");
        }
    }
    Ok(())
}

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

fn main() -> ExitCode {
    // This was set before any other thread starts, and decides for `Device::cuda`.
    if let Some(code) = run_again() {
        return code;
    }
    let gpus = gpus();
    let trial = |name: &str, devices: Vec<Device>| {
        let missing = devices.len() < 2;
        let case =
            move || all_copies_are_equal_and_learn_as_one_device(&devices).map_err(Failed::from);
        let name = format!("{name}/all_copies_are_equal_and_learn_as_one_device");
        Trial::test(name, case).with_ignored_flag(missing)
    };
    let trials = vec![trial("cpu", vec![Device::cpu(); 8]), trial("several", gpus)];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
