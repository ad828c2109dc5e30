//! Trains a classifier of handwritten digits; every numeric step is a tile
//! kernel.
//!
//! `cargo run --release --example digits`, and `-- --cpu` to run without a GPU.
//!
//! Read `kernels.rs` first, then `model.rs`, which launches them.

#![expect(clippy::print_stdout, reason = "an example says what it found")]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts and labels are small"
)]

mod data;
mod kernels;
mod model;
mod report;

use fastrand::Rng;
use indicatif::{ProgressBar, ProgressStyle};
use tile_kernel::{Device, Result};

use model::{Batch, Model};

/// Number of passes over the training images.
const EPOCHS: u64 = 60;
/// Images per training step.
const BATCH: usize = 64;
/// The seed of all random numbers.
const SEED: u64 = 1;

pub(crate) fn main() -> Result<()> {
    let device = if std::env::args().any(|argument| argument == "--cpu") {
        Device::cpu()
    } else {
        Device::best()
    };
    let mut rng = Rng::with_seed(SEED);
    let (training, held_out) = data::load(&mut rng);
    println!(
        "training on {} digits on {device}, {} held out",
        training.len(),
        held_out.len()
    );

    let mut model = Model::new(device, &mut rng)?;
    let progress = ProgressBar::new(EPOCHS).with_style(
        ProgressStyle::with_template("{bar:40} epoch {pos}/{len}, loss {msg}, {elapsed}")
            .expect("the template is right"),
    );
    let mut loss = 0.0;
    for epoch in 0..EPOCHS {
        // The learning rate decreases to zero.
        let rate = 0.1 * (1.0 - epoch as f32 / EPOCHS as f32);
        let shuffled = Batch::new(device, &training.shuffled(&mut rng))?;
        let losses: Vec<_> = shuffled
            .split(BATCH)
            .map(|batch| model.train(&batch?, rate))
            .collect::<Result<_>>()?;
        // The losses are read only after the epoch, so that no training step waits for the host.
        loss = 0.0;
        for sum in losses {
            loss += sum.to_vec()?[0] / shuffled.len() as f32;
        }
        progress.set_message(format!("{loss:.4}"));
        progress.inc(1);
    }
    progress.finish_and_clear();

    let read = model.predict(&Batch::new(device, &held_out)?)?;
    let accuracy = report::accuracy(&held_out, &read);
    println!("loss {loss:.4} after {EPOCHS} epochs\n");
    println!("{}\n", report::confusion(&held_out, &read));
    println!("{}\n", report::misread(&held_out, &read, 4));
    println!("demo: ok device={} accuracy={accuracy:.4}", device.name());
    Ok(())
}
