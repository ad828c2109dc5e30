//! The model of a launch: what its blocks do, by the extents of its arguments, on its device.

use tile_core::reach::{Inputs, Reach, Step, reach};
use tile_core::tuning::model::{Blocks, Cpu, Gpu, UNKNOWN_TRIPS, Work};

use super::table::PartImage;
use crate::Device;
use crate::args::Value;
use crate::claims::Known;
use crate::cpu;
use crate::device::Kind;
use crate::image::{ArchImage, NativeImage, NativeLevel, VariantKind};
use crate::instance::Instance;
#[cfg(feature = "sim")]
use crate::sim;

/// The threads that keep the four schedulers of a multiprocessor busy.
const WHOLE_MULTIPROCESSOR: f64 = 128.0;

/// Returns the expected time in seconds of a launch, by what its blocks do.
pub(super) fn seconds(
    blocks: Blocks,
    instance: &'static Instance,
    level: Option<NativeLevel>,
    device: Device,
) -> f64 {
    match device.0 {
        Kind::Cpu => cpu_of(instance, level).seconds(blocks),
        #[cfg(feature = "sim")]
        Kind::Sim => simulated(sim::MULTIPROCESSORS, blocks),
        Kind::Cuda(context) if context.has_simulated_clock() => {
            simulated(context.multiprocessors(), blocks)
        }
        Kind::Cuda(context) => {
            let arch = arch(instance, Some(context.capability()));
            gpu(arch, context.multiprocessors()).seconds(blocks)
        }
    }
}

/// Returns the time that a simulated GPU is expected to have for a launch. Its clock counts the work of a multiprocessor, and neither
/// latencies nor how many blocks are resident (`tile_sim::cost`), so this takes all blocks of a multiprocessor as one.
fn simulated(multiprocessors: u32, blocks: Blocks) -> f64 {
    let of_one = Gpu {
        threads: WHOLE_MULTIPROCESSOR,
        shared_bytes: 0.0,
        spilled: 0.0,
        multiprocessors: 1.0,
    };
    let share = blocks.count / blocks.count.clamp(1.0, multiprocessors.into());
    let busy = |share: f64, work: Work| {
        let mut all = Work::default();
        let counted = Work {
            operations: 0.0,
            ..work
        };
        all.add(share, counted);
        of_one.seconds(Blocks::alike(1.0, all))
    };
    busy(share, blocks.mean).max(busy(share.min(1.0), blocks.most))
}

/// Returns `true` if the instance has code for a device: the tuner may have left it out of those that are compiled.
pub(super) fn is_compiled(instance: &'static Instance, device: Device) -> bool {
    match device.0 {
        Kind::Cpu => cpu::native_images(instance).next().is_some(),
        #[cfg(feature = "sim")]
        Kind::Sim => arch(instance, None).is_some(),
        Kind::Cuda(context) => arch(instance, Some(context.capability())).is_some(),
    }
}

/// The blocks along an axis for which it is computed how often their parts run.
const SAMPLES: u32 = 8;

/// Returns what the blocks of a launch do.
pub(super) fn blocks(parts: &[PartImage], grid: [u32; 3], values: &[Value]) -> Blocks {
    let launch = Known { grid, values };
    let count = grid.iter().map(|&blocks| f64::from(blocks)).product();
    let mut blocks = Blocks::alike(count, Work::default());
    for part in parts {
        let (mut mean, mut most) = (1.0, 1.0);
        for program in part.trips {
            let trips = trips(program, &launch);
            mean *= trips.mean;
            most *= trips.most;
        }
        blocks.mean.add(mean, part.work);
        blocks.most.add(most, part.work);
    }
    blocks
}

/// The number of times that a part runs in a block.
struct Trips {
    mean: f64,
    most: f64,
}

/// Some blocks of a launch: those at one place of each part of the grid.
struct Sample<'k> {
    launch: &'k Known<'k>,
    number: u32,
}

impl Inputs for Sample<'_> {
    fn blocks(&self, axis: usize) -> u32 {
        self.launch.blocks(axis)
    }

    fn block(&self, axis: usize) -> (i128, i128) {
        let blocks = i128::from(self.launch.blocks(axis));
        let index = (2 * i128::from(self.number) + 1) * blocks / (2 * i128::from(SAMPLES));
        (index, index)
    }

    fn scalar(&self, param: usize) -> Option<u64> {
        self.launch.scalar(param)
    }

    fn extent(&self, param: usize, axis: usize) -> Option<u64> {
        self.launch.extent(param, axis)
    }
}

/// Returns the results of a program.
fn trips(program: &[Step], launch: &Known<'_>) -> Trips {
    let middle = |launch: &dyn Inputs| {
        let (least, most) = range(program, launch);
        f64::midpoint(least, most)
    };
    // Blocks differ, if the program asks for them. What is not known is the same for all: it has its mean in each.
    if !program.iter().any(|step| matches!(step, Step::Block(_))) {
        let mean = middle(launch);
        return Trips { mean, most: mean };
    }
    let samples = (0..SAMPLES).map(|number| middle(&Sample { launch, number }));
    Trips {
        mean: samples.sum::<f64>() / f64::from(SAMPLES),
        most: range(program, launch).1,
    }
}

/// Returns the least and the greatest result of a program.
#[expect(
    clippy::cast_precision_loss,
    reason = "the model needs no more precision"
)]
fn range(program: &[Step], launch: &dyn Inputs) -> (f64, f64) {
    match reach(program, launch) {
        Reach::Between(least, most) => (least.max(0) as f64, most.max(0) as f64),
        Reach::Never => (0.0, 0.0),
        Reach::Anything => (UNKNOWN_TRIPS as f64, UNKNOWN_TRIPS as f64),
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of cores, and of bytes of scratch memory"
)]
fn cpu_of(instance: &'static Instance, level: Option<NativeLevel>) -> Cpu {
    let is_allowed = |image: &&NativeImage| level.is_none_or(|level| image.level <= level);
    let code = cpu::native_images(instance).find(is_allowed);
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
            // As many as the index of the block.
            part(&[&[Step::Block(2)]]),
        ];
        let runs = |of_last: f64| {
            let mut work = Work::default();
            work.add(1.0 + 6.0 * 7.0 + of_last, WORK);
            work
        };
        let expected = Blocks {
            count: 14.0,
            mean: runs(2.0 + 0.5),
            most: runs(2.0 + 1.0),
        };
        assert_eq!(blocks(&parts, [1, 7, 2], &[]), expected);
    }

    /// Of 7 rows, two blocks have 3 and the last has one; and of 63 blocks, the last makes no difference.
    #[test]
    fn the_mean_is_that_of_all_blocks() {
        let trips = |rows: i128, blocks: u32| {
            let left = [Step::Int(rows), Step::Block(0), Step::Int(-3), Step::Mul];
            let mut program = vec![Step::Int(3)];
            program.extend(left);
            program.extend([Step::Add, Step::Min]);
            let launch = Known {
                grid: [blocks, 1, 1],
                values: &[],
            };
            let Trips { mean, most } = trips(&program, &launch);
            (mean, most)
        };
        assert_eq!(trips(4, 2), (2.0, 3.0));
        assert_eq!(trips(7, 3), ((5.0 * 3.0 + 3.0) / 8.0, 3.0));
        assert_eq!(trips(187, 63), (3.0, 3.0));
    }

    #[test]
    fn a_simulated_time_is_that_of_the_busiest_multiprocessor() {
        let work = |operations| Work {
            elements: 1e5,
            loaded: 1e5,
            operations,
            ..Work::default()
        };
        let seconds = |count| simulated(4, Blocks::alike(count, work(0.0)));
        let is = |time: f64, expected: f64| (time - expected).abs() <= 1e-9 * expected;
        assert!(seconds(1.0) > 0.0);
        assert!(is(seconds(4.0), seconds(1.0)));
        assert!(is(seconds(6.0), 1.5 * seconds(1.0)));
        assert!(is(
            simulated(4, Blocks::alike(6.0, work(1e9))),
            seconds(6.0)
        ));
        assert!(is(seconds(0.0), 0.0));
        // One block does as much as three others.
        let unlike = Blocks {
            most: Work {
                elements: 3e5,
                loaded: 3e5,
                ..Work::default()
            },
            ..Blocks::alike(4.0, work(0.0))
        };
        assert!(is(simulated(4, unlike), 3.0 * seconds(1.0)));
    }
}
