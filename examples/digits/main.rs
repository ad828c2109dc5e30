//! Trains a classifier of handwritten digits; every numeric step is a tile
//! kernel.
//!
//! `cargo run --release --example digits`, and `-- --cpu` to run without a GPU, `-- --devices=8` to run on as many.
//!
//! Read `kernels.rs` first, then `model.rs`, which launches them, and `training.rs`, which does that on every device.

#![expect(clippy::print_stdout, reason = "an example says what it found")]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "counts and labels are small"
)]

#[path = "../support/all_reduce.rs"]
mod all_reduce;
mod data;
mod kernels;
mod model;
mod report;
mod training;

use std::sync::Mutex;

use fastrand::Rng;
use indicatif::{ProgressBar, ProgressStyle};
use tile_kernel::{Device, Result};

use all_reduce::{MOST, Steps};
use model::Batch;
use training::Schedule;

/// Number of passes over the training images.
const EPOCHS: u64 = 60;
/// Images per training step.
const BATCH: usize = 64;
/// The seed of all random numbers.
const SEED: u64 = 1;

/// Returns the devices that the arguments ask for.
fn devices() -> Result<Vec<Device>> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |argument: &String| argument.strip_prefix("--devices=")?.parse().ok();
    let count: usize = arguments.iter().find_map(number).unwrap_or(1);
    assert!((1..=MOST).contains(&count), "`--devices` from 1 to {MOST}");
    if arguments.iter().any(|argument| argument == "--cpu") {
        // The CPU device has one memory, and members of a group may share a device.
        return Ok(vec![Device::cpu(); count]);
    }
    match count {
        1 => Ok(vec![Device::best()]),
        _ => (0..count).map(Device::cuda).collect(),
    }
}

pub(crate) fn main() -> Result<()> {
    let devices = devices()?;
    let device = devices[0];
    let mut rng = Rng::with_seed(SEED);
    let (training, held_out) = data::load(&mut rng);
    let others = match devices.len() {
        1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    println!(
        "training on {} digits on {device}{others}, {} held out",
        training.len(),
        held_out.len()
    );

    let progress = ProgressBar::new(EPOCHS).with_style(
        ProgressStyle::with_template("{bar:40} epoch {pos}/{len}, loss {msg}, {elapsed}")
            .expect("the template is right"),
    );
    let schedule = Schedule {
        epochs: EPOCHS,
        batch: BATCH,
        steps: if devices.len() < 4 {
            Steps::One
        } else {
            Steps::Two
        },
    };
    let last_loss = Mutex::new(0.0);
    let models = training::train(&devices, &training, &schedule, &rng, |_, loss| {
        *last_loss.lock().expect("no thread panics") = loss;
        progress.set_message(format!("{loss:.4}"));
        progress.inc(1);
    })?;
    progress.finish_and_clear();

    let parameters = models[0].parameters()?;
    for copy in &models[1..] {
        assert!(copy.parameters()? == parameters, "the copies differ");
    }

    let loss = last_loss.into_inner().expect("no thread panics");
    let read = models[0].predict(&Batch::new(device, &held_out)?)?;
    let accuracy = report::accuracy(&held_out, &read);
    println!("loss {loss:.4} after {EPOCHS} epochs\n");
    println!("{}\n", report::confusion(&held_out, &read));
    println!("{}\n", report::misread(&held_out, &read, 4));
    println!("demo: ok device={} accuracy={accuracy:.4}", device.name());
    Ok(())
}
