//! The model of a launch: what its blocks do, by the extents of its arguments, on its device.

use tile_core::reach::{Inputs, Reach, Step, reach};
use tile_core::tuning::model::{Cpu, Gpu, Work};

use super::table::{Candidate, PartImage};
use crate::Device;
use crate::args::Value;
use crate::claims::Known;
use crate::cpu;
use crate::device::Kind;
use crate::image::{ArchImage, VariantKind};
use crate::instance::Instance;
#[cfg(feature = "sim")]
use crate::sim;

/// The runs of a part of which a launch does not know how often it runs.
const UNKNOWN_TRIPS: f64 = 16.0;

/// The threads that keep the four schedulers of a multiprocessor busy.
const WHOLE_MULTIPROCESSOR: f64 = 128.0;

/// Returns the expected time in seconds of a launch.
pub(super) fn seconds(
    candidate: &Candidate,
    instance: &'static Instance,
    grid: [u32; 3],
    values: &[Value],
    device: Device,
) -> f64 {
    let work = total(candidate.parts, grid, values);
    let blocks: f64 = grid.iter().map(|&blocks| f64::from(blocks)).product();
    match device.0 {
        Kind::Cpu => cpu_of(instance).seconds(work, blocks),
        #[cfg(feature = "sim")]
        Kind::Sim => simulated(sim::MULTIPROCESSORS, work, blocks),
        Kind::Cuda(context) if context.has_simulated_clock() => {
            simulated(context.multiprocessors(), work, blocks)
        }
        Kind::Cuda(context) => {
            let arch = arch(instance, Some(context.capability()));
            gpu(arch, context.multiprocessors()).seconds(work, blocks)
        }
    }
}

/// Returns the time that a simulated GPU is expected to have for a launch. Its clock counts the work of a multiprocessor, and neither
/// latencies nor how many blocks are resident (`tile_sim::cost`), so this takes all blocks of a multiprocessor as one.
fn simulated(multiprocessors: u32, work: Work, blocks: f64) -> f64 {
    let of_one = Gpu {
        threads: WHOLE_MULTIPROCESSOR,
        shared_bytes: 0.0,
        spilled: 0.0,
        multiprocessors: 1.0,
    };
    let mut all = Work::default();
    let share = blocks / blocks.clamp(1.0, multiprocessors.into());
    all.add(
        share,
        Work {
            operations: 0.0,
            ..work
        },
    );
    of_one.seconds(all, 1.0)
}

/// Returns `true` if the instance has code for a device: the tuner may have left it out of those that are compiled.
pub(super) fn is_compiled(instance: &'static Instance, device: Device) -> bool {
    match device.0 {
        Kind::Cpu => cpu::native_image(instance).is_some(),
        #[cfg(feature = "sim")]
        Kind::Sim => arch(instance, None).is_some(),
        Kind::Cuda(context) => arch(instance, Some(context.capability())).is_some(),
    }
}

/// Returns what a block does.
fn total(parts: &[PartImage], grid: [u32; 3], values: &[Value]) -> Work {
    let launch = Known { grid, values };
    let mut total = Work::default();
    for part in parts {
        let programs = part.trips.iter();
        let runs: f64 = programs.map(|program| trips(program, &launch)).product();
        total.add(runs, part.work);
    }
    total
}

/// Returns the result of a program: the middle of its range.
#[expect(
    clippy::cast_precision_loss,
    reason = "the model needs no more precision"
)]
fn trips(program: &[Step], launch: &dyn Inputs) -> f64 {
    match reach(program, launch) {
        Reach::Between(least, most) => (least as f64 + most as f64).max(0.0) / 2.0,
        Reach::Never => 0.0,
        Reach::Anything => UNKNOWN_TRIPS,
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of cores, and of bytes of scratch memory"
)]
fn cpu_of(instance: &'static Instance) -> Cpu {
    let code = cpu::native_image(instance);
    Cpu {
        lanes: code.map_or(1.0, |code| f64::from(code.level.lanes())),
        threads: cpu::threads() as f64,
        scratch_bytes: code.map_or(0.0, |code| code.scratch_bytes as f64),
    }
}

/// Returns the code that a GPU of a capability runs, or any.
fn arch(instance: &'static Instance, capability: Option<u32>) -> Option<&'static ArchImage> {
    let image = &instance.image;
    let variant = image.variant(VariantKind::Fast);
    let variant = variant.or_else(|| image.variant(VariantKind::General))?;
    let archs = variant.archs.iter();
    let fitting = archs.filter(|arch| capability.is_none_or(|device| arch.capability <= device));
    fitting.max_by_key(|arch| arch.capability)
}

fn gpu(arch: Option<&'static ArchImage>, multiprocessors: u32) -> Gpu {
    let arch = arch.unwrap_or(&ArchImage::PLAIN);
    Gpu {
        threads: arch.threads.into(),
        shared_bytes: arch.shared_bytes.into(),
        spilled: 0.0,
        multiprocessors: multiprocessors.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_run_as_often_as_their_programs_say() {
        static WORK: Work = Work {
            elements: 10.0,
            products: 1.0,
            packed: 6.0,
            loaded: 2.0,
            stored: 3.0,
            scattered: 4.0,
            operations: 5.0,
        };
        let part = |trips| PartImage { work: WORK, trips };
        let parts = [
            part(&[]),
            part(&[&[Step::Int(6)], &[Step::Blocks(1)]]),
            // Any number from 0 to 4.
            part(&[&[Step::Between(0, 4)]]),
        ];
        let runs = 1.0 + 6.0 * 7.0 + 2.0;
        let mut expected = Work::default();
        expected.add(runs, WORK);
        assert_eq!(total(&parts, [1, 7, 1], &[]), expected);
    }

    #[test]
    fn a_simulated_time_is_that_of_the_busiest_multiprocessor() {
        let work = |operations| Work {
            elements: 1e5,
            loaded: 1e5,
            operations,
            ..Work::default()
        };
        let seconds = |blocks| simulated(4, work(0.0), blocks);
        let is = |time: f64, expected: f64| (time - expected).abs() <= 1e-9 * expected;
        assert!(seconds(1.0) > 0.0);
        assert!(is(seconds(4.0), seconds(1.0)));
        assert!(is(seconds(6.0), 1.5 * seconds(1.0)));
        assert!(is(simulated(4, work(1e9), 6.0), seconds(6.0)));
        assert!(is(seconds(0.0), 0.0));
    }
}
