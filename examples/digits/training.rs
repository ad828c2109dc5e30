//! Training on any number of devices. Each has a thread, a copy of the model, and a share of every batch; the gradients of
//! the shares are added, so all copies stay the same.

use std::ops::Range;
use std::thread::{self, ScopedJoinHandle};

use fastrand::Rng;
use tile_kernel::{Device, Error, Result};

use super::all_reduce::{Group, Member, Steps};
use super::data::Images;
use super::model::{Batch, Model};

/// How long and in which batches to train.
pub(crate) struct Schedule {
    /// Passes over the images.
    pub(crate) epochs: u64,
    /// Images per training step.
    pub(crate) batch: usize,
    /// How the gradients are added.
    pub(crate) steps: Steps,
}

/// Trains a model on all devices, each in a thread, and returns the copies. `progress` gets the number of each epoch and
/// its mean loss.
pub(crate) fn train(
    devices: &[Device],
    images: &Images,
    schedule: &Schedule,
    rng: &Rng,
    progress: impl Fn(u64, f32) + Sync,
) -> Result<Vec<Model>> {
    // With the same random numbers, all begin with the same parameters.
    let rngs = devices.iter().map(|_| rng.clone());
    let starts = devices.iter().zip(rngs).map(|(&device, mut rng)| {
        let model = Model::new(device, &mut rng)?;
        Ok((model, rng))
    });
    let starts: Vec<(Model, Rng)> = starts.collect::<Result<_>>()?;
    let gradients = starts.iter().map(|(model, _)| model.gradients());
    let (mut inputs, mut sums) = (Vec::new(), Vec::new());
    for views in gradients {
        let [input, sum] = views?;
        inputs.push(input);
        sums.push(sum);
    }
    let group = Group::new(inputs, sums, schedule.steps)?;
    let progress = &progress;
    let trained: Vec<Result<Model>> = thread::scope(|scope| {
        let threads: Vec<_> = starts
            .into_iter()
            .zip(devices)
            .enumerate()
            .map(|(number, ((mut model, rng), &device))| {
                let share = Share {
                    member: group.member(number),
                    number,
                    of: devices.len(),
                    device,
                };
                scope.spawn(move || {
                    let report = |epoch, loss| {
                        if number == 0 {
                            progress(epoch, loss);
                        }
                    };
                    share.train(&mut model, images, schedule, rng, report)?;
                    Ok(model)
                })
            })
            .collect();
        let joined = threads.into_iter().map(ScopedJoinHandle::join);
        joined
            .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    // If one fails, the others are cancelled; the reason is the error of that one.
    let is_reason =
        |result: &Result<Model>| !matches!(result, Ok(_) | Err(Error::Cancelled { .. }));
    match trained.iter().position(is_reason) {
        Some(failed) => trained
            .into_iter()
            .skip(failed)
            .take(1)
            .collect::<Result<_>>(),
        None => trained.into_iter().collect(),
    }
}

/// The part of the training that one device does.
struct Share<'a> {
    member: Member<'a>,
    number: usize,
    of: usize,
    device: Device,
}

impl Share<'_> {
    fn train(
        self,
        model: &mut Model,
        images: &Images,
        schedule: &Schedule,
        mut rng: Rng,
        report: impl Fn(u64, f32),
    ) -> Result<()> {
        for epoch in 0..schedule.epochs {
            // The learning rate decreases to zero.
            let rate = 0.1 * (1.0 - epoch as f32 / schedule.epochs as f32);
            let shuffled: Vec<usize> = shuffled(images.len(), &mut rng);
            let batches: Vec<&[usize]> = shuffled.chunks(schedule.batch).collect();
            let shares = batches.iter().map(|batch| &batch[self.range(batch.len())]);
            let mine: Vec<usize> = shares.flatten().copied().collect();
            let mine = Batch::new(self.device, &images.pick(&mine))?;
            let mut losses = Vec::new();
            let mut start = 0;
            for batch in &batches {
                let end = start + self.range(batch.len()).len();
                losses.push(model.backward(&mine.narrow(start..end)?, batch.len())?);
                self.member.all_reduce()?;
                model.descend(rate)?;
                start = end;
            }
            // The losses are read only after the epoch, so that no training step waits for the host.
            let mut loss = 0.0;
            for sum in losses {
                loss += sum.to_vec()?[0] / images.len() as f32;
            }
            report(epoch, self.member.sum(loss)?);
        }
        Ok(())
    }

    /// Returns the range of this share within a batch of so many images.
    fn range(&self, images: usize) -> Range<usize> {
        images * self.number / self.of..images * (self.number + 1) / self.of
    }
}

fn shuffled(images: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..images).collect();
    rng.shuffle(&mut order);
    order
}
