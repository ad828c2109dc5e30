//! An estimate of the time that a launch takes on a GPU, from its counters.
//!
//! The estimate is for comparisons: of two versions of a kernel, and of the numbers that a tuner tries. It is a
//! function of the counters, so the same launch always has the same, and more work of any kind always has a larger
//! one.
//!
//! A launch keeps five parts of the GPU busy. Each has a throughput, and therefore a time:
//!
//! | part | work | throughput |
//! |---|---|---|
//! | schedulers | warp instructions | 4 per cycle and multiprocessor |
//! | shared memory | wavefronts, and bytes of bulk and tensor copies | 1 wavefront, or 128 bytes, per cycle and multiprocessor |
//! | L2 cache | sectors of global and local memory, and bytes of bulk and tensor copies | 64 bytes per cycle and multiprocessor |
//! | tensor cores | multiply-adds | [`Throughputs::multiply_adds`] |
//! | memory | the bytes that the launch accesses, each once | [`Throughputs::memory_bytes`] |
//!
//! The parts work at the same time, though never perfectly: the estimate is [`LAUNCH`], the longest of the times, and
//! an eighth of the sum of the others. The first four are those of as many multiprocessors as the launch has blocks,
//! at most all of them. Latencies and occupancy are not part of it, nor is the order in which caches keep lines.
//!
//! Throughputs are those of the CUDA C++ Programming Guide ("Arithmetic Instructions", "Shared Memory") and of the
//! data sheets. What the L2 cache delivers is 64 bytes per cycle and multiprocessor by Nsight Compute
//! (`lts__t_sectors` to one SM).

use std::time::Duration;

use crate::counters::Counters;

/// The time in which a GPU starts a launch that follows another one.
pub const LAUNCH: Duration = Duration::from_micros(1);

/// What the estimate takes of the times that the longest one hides: one part in this many.
const HIDDEN: u128 = 8;

/// The warp instructions that a multiprocessor issues per cycle.
const INSTRUCTIONS: u128 = 4;
/// The bytes that shared memory moves per cycle, those of one wavefront.
const SHARED_BYTES: u128 = 128;
/// The bytes that the L2 cache delivers to a multiprocessor per cycle.
const L2_BYTES: u128 = 64;
/// The size in bytes of a sector.
const SECTOR: u128 = 32;

/// The throughputs of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throughputs {
    /// The number of multiprocessors.
    pub multiprocessors: u32,
    /// The clock rate of the multiprocessors in kHz.
    pub clock_khz: u32,
    /// The bytes that memory moves in a second.
    pub memory_bytes: u64,
    /// The multiply-adds of f16 by the tensor cores of a multiprocessor in a cycle.
    pub multiply_adds: u32,
}

impl Throughputs {
    /// The throughputs of an NVIDIA H100 SXM.
    pub const H100: Self = Self {
        multiprocessors: 132,
        clock_khz: 1_980_000,
        memory_bytes: 3_352_320_000_000,
        multiply_adds: 2048,
    };

    /// Returns the throughputs of a part of the GPU with this many multiprocessors, and its share of the memory.
    #[must_use]
    pub fn share(self, multiprocessors: u32) -> Self {
        let bytes = u128::from(self.memory_bytes) * u128::from(multiprocessors);
        Self {
            multiprocessors,
            memory_bytes: saturated(bytes / u128::from(self.multiprocessors.max(1))),
            ..self
        }
    }

    /// Estimates the time of a launch of `blocks` blocks in picoseconds. `bytes` is the most bytes of global memory that
    /// it accesses, each counted once; `None` counts each as often as it is accessed.
    pub fn picoseconds(&self, counters: &Counters, blocks: u64, bytes: Option<u64>) -> u64 {
        let work = Work::of(counters);
        let busy = u128::from(blocks.clamp(1, u64::from(self.multiprocessors.max(1))));
        // Picoseconds of `amount` at `rate` per cycle and multiprocessor.
        let cycles = |amount: u128, rate: u128| {
            amount * 1_000_000_000 / (rate.max(1) * busy * u128::from(self.clock_khz.max(1)))
        };
        let bytes = bytes.map_or(work.moved, |bytes| work.moved.min(bytes.into()));
        let times = [
            cycles(work.instructions, INSTRUCTIONS),
            cycles(work.shared, SHARED_BYTES),
            cycles(work.moved, L2_BYTES),
            cycles(work.multiply_adds, u128::from(self.multiply_adds)),
            bytes * 1_000_000_000_000 / u128::from(self.memory_bytes.max(1)),
        ];
        let longest = times.into_iter().max().unwrap_or(0);
        let others = times.into_iter().sum::<u128>() - longest;
        saturated(LAUNCH.as_nanos() * 1000 + longest + others / HIDDEN)
    }
}

/// The work of a launch for each part of the GPU.
struct Work {
    instructions: u128,
    /// Bytes of shared memory, with whole wavefronts.
    shared: u128,
    /// Bytes between the L2 cache and the multiprocessors.
    moved: u128,
    multiply_adds: u128,
}

impl Work {
    fn of(counters: &Counters) -> Self {
        let Counters {
            warp_instructions,
            thread_instructions: _,
            divergent_branches: _,
            global,
            local,
            shared,
            atomics: _,
            barriers: _,
            matmuls,
            copies,
            reached: _,
        } = counters;
        let sum = |numbers: &[u64]| -> u128 { numbers.iter().map(|&n| u128::from(n)).sum() };
        let sectors = sum(&[
            global.loads.sectors,
            global.stores.sectors,
            global.atomics.sectors,
            global.copies.sectors,
            local.loads.sectors,
            local.stores.sectors,
        ]);
        let wavefronts = sum(&[
            shared.loads.wavefronts,
            shared.stores.wavefronts,
            shared.matrix.wavefronts,
            shared.atomics.wavefronts,
            shared.copies.wavefronts,
        ]);
        let bulk = [&copies.bulk, &copies.tensor];
        let bulk_bytes: u128 = bulk.iter().map(|copies| u128::from(copies.bytes)).sum();
        let bulk_reads: u128 = bulk.iter().map(|kind| u128::from(kind.read_bytes)).sum();
        Self {
            instructions: sum(warp_instructions),
            shared: wavefronts * SHARED_BYTES + bulk_bytes + u128::from(copies.tensor_memory.bytes),
            // Copies to global memory write what they do not read from there.
            moved: sectors * SECTOR + bulk_reads.max(bulk_bytes),
            multiply_adds: u128::from(matmuls.multiply_adds),
        }
    }
}

fn saturated(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::Family;

    fn estimate(change: impl FnOnce(&mut Counters), blocks: u64, bytes: u64) -> u64 {
        let mut counters = Counters::default();
        counters.warp_instructions[Family::Integer as usize] = 1_000_000;
        counters.global.loads.sectors = 1_000_000;
        counters.shared.loads.wavefronts = 100_000;
        counters.matmuls.multiply_adds = 10_000_000_000;
        change(&mut counters);
        Throughputs::H100.picoseconds(&counters, blocks, Some(bytes))
    }

    #[test]
    fn a_launch_without_work_takes_the_time_of_its_start() {
        let time = Throughputs::H100.picoseconds(&Counters::default(), 1, Some(0));
        assert_eq!(time, 1_000_000);
    }

    #[test]
    fn one_part_alone_takes_its_work_by_its_throughput() {
        let counters = Counters {
            matmuls: crate::Matmuls {
                multiply_adds: 132 * 2048 * 1_980_000,
                ..crate::Matmuls::default()
            },
            ..Counters::default()
        };
        // 1.98 million cycles at 1.98 GHz.
        let time = Throughputs::H100.picoseconds(&counters, 132, Some(0));
        assert_eq!(time, 1_000_000 + 1_000_000_000);
        // A multiprocessor alone takes 132 times as long, and more blocks than there are do not help.
        let alone = Throughputs::H100.picoseconds(&counters, 1, Some(0));
        assert_eq!(alone, 1_000_000 + 132 * 1_000_000_000);
        assert_eq!(Throughputs::H100.picoseconds(&counters, 500, Some(0)), time);
        // A millisecond of memory, and an eighth of the time of the L2 cache.
        let bytes = Throughputs::H100.memory_bytes / 1000;
        let mut counters = Counters::default();
        counters.global.loads.sectors = bytes / 32;
        let time = Throughputs::H100.picoseconds(&counters, 132, Some(u64::MAX));
        let l2 = bytes as f64 / (64.0 * 132.0 * 1.98e9) * 1e12;
        let expected = 1e6 + 1e9 + l2 / 8.0;
        assert!((time as f64 / expected - 1.0).abs() < 1e-6, "{time}");
        // Bytes that are accessed again come from the L2 cache.
        let again = Throughputs::H100.picoseconds(&counters, 132, Some(bytes / 100));
        assert!(
            (again as f64 / (1e6 + l2 + 1e7 / 8.0) - 1.0).abs() < 1e-6,
            "{again}"
        );
    }

    /// More work of a kind.
    type Change = fn(&mut Counters);

    #[test]
    fn more_work_of_any_kind_takes_longer() {
        let base = estimate(|_| (), 1000, 1 << 20);
        let more: [(&str, Change); 5] = [
            ("instructions", |c| {
                c.warp_instructions[Family::Move as usize] += 100_000;
            }),
            ("sectors", |c| c.global.stores.sectors += 100_000),
            ("local", |c| c.local.loads.sectors += 100_000),
            ("wavefronts", |c| c.shared.stores.wavefronts += 100_000),
            ("multiply-adds", |c| c.matmuls.multiply_adds += 100_000_000),
        ];
        for (what, change) in more {
            assert!(estimate(change, 1000, 1 << 20) > base, "{what}");
        }
        let copied: [(&str, Change); 2] = [
            ("bulk", |c| c.copies.bulk.bytes += 100_000),
            ("tensor", |c| c.copies.tensor.read_bytes += 100_000),
        ];
        for (what, change) in copied {
            assert!(estimate(change, 1000, 1 << 20) > base, "{what}");
        }
        assert!(estimate(|_| (), 1000, 2 << 20) > base, "bytes of memory");
        assert!(estimate(|_| (), 100, 1 << 20) > base, "fewer blocks");
    }

    #[test]
    fn a_share_has_its_part_of_the_memory() {
        let share = Throughputs::H100.share(33);
        assert_eq!(share.multiprocessors, 33);
        assert_eq!(share.memory_bytes * 4, Throughputs::H100.memory_bytes);
    }
}
