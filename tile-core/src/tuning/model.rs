//! The model of a tuner: a time for a candidate from what a block does and how many blocks there are.
//!
//! It is there to order the candidates of one kernel for one launch, before anything was measured; records correct it
//! ([`predict`](super::predict)). The rates are those of one core or multiprocessor in a clock cycle.

/// The iterations of a loop of which nothing is known, and the distance from its first bound to the other in the mean.
pub const UNKNOWN_TRIPS: i128 = 32;

/// The work of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Operations on elements.
    pub elements: f64,
    /// Multiplications of matrix products.
    pub products: f64,
    /// Elements of right operands of matrix products, which a CPU puts into panels.
    pub packed: f64,
    /// Bytes that are loaded, in tiles of neighbours.
    pub loaded: f64,
    /// Bytes that are stored, in tiles of neighbours.
    pub stored: f64,
    /// Elements that are accessed one by one: gathers, scatters, atomics.
    pub scattered: f64,
    /// Operations, of any number of elements.
    pub operations: f64,
}

impl Work {
    /// Adds the work of a part that runs `runs` times.
    pub fn add(&mut self, runs: f64, part: Work) {
        self.elements += runs * part.elements;
        self.products += runs * part.products;
        self.packed += runs * part.packed;
        self.loaded += runs * part.loaded;
        self.stored += runs * part.stored;
        self.scattered += runs * part.scattered;
        self.operations += runs * part.operations;
    }
}

/// The blocks of a launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocks {
    /// The number of blocks.
    pub count: f64,
    /// The work of one of them, in the mean.
    pub mean: Work,
    /// The work of the one that has most to do.
    pub most: Work,
}

impl Blocks {
    /// Returns blocks of which each has the same work.
    pub fn alike(count: f64, work: Work) -> Blocks {
        Blocks {
            count,
            mean: work,
            most: work,
        }
    }
}

/// Code for a CPU, and the cores that run it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cpu {
    /// The number of `f32` in a vector.
    pub lanes: f64,
    /// The threads that run blocks.
    pub threads: f64,
    /// The bytes of the values of a block in memory.
    pub scratch_bytes: f64,
}

/// Code for a GPU, and the GPU that runs it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gpu {
    /// The threads of a block.
    pub threads: f64,
    /// The bytes of shared memory of a block.
    pub shared_bytes: f64,
    /// The registers of a thread that do not fit, and are in memory.
    pub spilled: f64,
    /// The multiprocessors of the device.
    pub multiprocessors: f64,
}

/// Cycles of a second.
const CPU_HZ: f64 = 3.5e9;
const GPU_HZ: f64 = 1.7e9;

/// The cycles that a vector of a right operand takes to be put into a panel, besides those to load it. This and
/// [`SPREAD`] are those with which the model chooses best among the products of `docs/bench/tuning.md`, on two cores of Zen 3:
/// what it chooses is 1.3 % slower than the fastest candidate in the mean, in place of 5.4 %.
const PACKING: f64 = 2.0;

/// The bytes that a core loads and stores in a cycle, from and to the second cache or the third. With these, and a cycle for an
/// operation, the model alone chooses candidates that are 3.4 % slower than the fastest in the mean over the six kernels
/// of that page. With twice as many bytes and four cycles it was 26 %.
const LOADED: f64 = 16.0;
const STORED: f64 = 8.0;

/// The part by which values in memory take longer each time that their bytes double, from the first cache on.
const SPREAD: f64 = 0.03;

/// The sizes of the first and the second cache of a core, in bytes.
const FIRST_CACHE: f64 = 32.0 * 1024.0;
const SECOND_CACHE: f64 = 512.0 * 1024.0;

/// The cycles for which threads must have work before a launch is shared, and which it takes to share it.
const SHARING: f64 = 12_000.0;

impl Cpu {
    /// Returns the expected time in seconds of some blocks.
    pub fn seconds(&self, blocks: Blocks) -> f64 {
        let cycles = self.cycles(blocks.mean);
        // The last blocks leave some threads without work, which wait for the longest one. A short launch has one thread.
        let rounds = (blocks.count / self.threads).ceil();
        let shared = (rounds * cycles).max(self.cycles(blocks.most)) + SHARING;
        (blocks.count * cycles).min(shared) / CPU_HZ
    }

    /// Returns the expected cycles of a block.
    fn cycles(&self, work: Work) -> f64 {
        // Values that leave a cache are loaded from the next one.
        let spread = match self.scratch_bytes {
            bytes if bytes < FIRST_CACHE => 1.0,
            bytes if bytes < SECOND_CACHE => 1.0 + SPREAD * (bytes / FIRST_CACHE).log2(),
            _ => 1.5,
        };
        150.0
            + work.operations
            + 1.5 * work.scattered
            + spread * (work.elements + work.products) / self.lanes
            + PACKING * work.packed / self.lanes
            + work.loaded / LOADED
            + work.stored / STORED
    }
}

impl Gpu {
    /// Returns the blocks that a multiprocessor holds at the same time: it has 2048 threads and 227 KiB of shared memory.
    fn resident(&self) -> f64 {
        let by_threads = (2048.0 / self.threads.max(32.0)).floor();
        let by_shared = (227.0 * 1024.0 / self.shared_bytes.max(1024.0)).floor();
        by_threads.min(by_shared).clamp(1.0, 32.0)
    }

    /// Returns the expected time in seconds of some blocks.
    pub fn seconds(&self, blocks: Blocks) -> f64 {
        let resident = self.resident();
        let busy = self.busy(blocks.mean);
        let waves = (blocks.count / (self.multiprocessors * resident)).ceil();
        let beside = (blocks.count / self.multiprocessors).clamp(1.0, resident);
        let all = waves * (busy * beside).max(self.alone(blocks.mean));
        all.max(self.alone(blocks.most)) / GPU_HZ
    }

    /// Returns the cycles for which a block keeps a whole multiprocessor busy.
    fn busy(&self, work: Work) -> f64 {
        (work.elements / 128.0
            + work.products / 1024.0
            + (work.loaded + work.stored) / 48.0
            + work.scattered / 16.0)
            * (1.0 + self.spilled / 64.0)
    }

    /// Returns the cycles of a block without any other beside it.
    fn alone(&self, work: Work) -> f64 {
        // A multiprocessor has four schedulers, and each needs a warp.
        let share = (self.threads / 128.0).clamp(0.25, 1.0);
        // One operation waits for the other, unless other blocks run meanwhile.
        30.0 * work.operations + self.busy(work) / share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GPU: Gpu = Gpu {
        threads: 128.0,
        shared_bytes: 0.0,
        spilled: 0.0,
        multiprocessors: 100.0,
    };

    const WORK: Work = Work {
        elements: 1e5,
        products: 0.0,
        packed: 0.0,
        loaded: 1e5,
        stored: 0.0,
        scattered: 0.0,
        operations: 10.0,
    };

    #[test]
    fn more_work_and_a_last_wave_that_is_not_full_take_longer() {
        let more = Work {
            products: 1e6,
            ..WORK
        };
        assert!(
            GPU.seconds(Blocks::alike(1000.0, more)) > GPU.seconds(Blocks::alike(1000.0, WORK))
        );
        assert!(
            GPU.seconds(Blocks::alike(1601.0, WORK))
                > 1.5 * GPU.seconds(Blocks::alike(1600.0, WORK))
        );
        let spilling = Gpu {
            spilled: 64.0,
            ..GPU
        };
        assert!(
            spilling.seconds(Blocks::alike(1e4, WORK))
                > 1.5 * GPU.seconds(Blocks::alike(1e4, WORK))
        );
        // Blocks that do not fit beside each other wait for themselves.
        let large = Gpu {
            shared_bytes: 2e5,
            ..GPU
        };
        let waiting = Work {
            operations: 1e4,
            ..WORK
        };
        assert!(
            large.seconds(Blocks::alike(1e4, waiting))
                > 4.0 * GPU.seconds(Blocks::alike(1e4, waiting))
        );
    }

    #[test]
    fn a_cpu_is_slower_with_fewer_lanes_and_an_odd_block_at_the_end() {
        let cpu = Cpu {
            lanes: 16.0,
            threads: 2.0,
            scratch_bytes: 0.0,
        };
        let narrow = Cpu { lanes: 4.0, ..cpu };
        assert!(
            narrow.seconds(Blocks::alike(8.0, WORK)) > 2.0 * cpu.seconds(Blocks::alike(8.0, WORK))
        );
        assert!(
            (cpu.seconds(Blocks::alike(3.0, WORK)) / cpu.seconds(Blocks::alike(4.0, WORK)) - 1.0)
                .abs()
                < 1e-9
        );
        // A launch of some microseconds is not shared.
        let short = |blocks: f64| {
            let part = Work {
                elements: 4e3,
                ..Work::default()
            };
            cpu.seconds(Blocks::alike(blocks, part))
        };
        assert!((short(4.0) / short(2.0) - 2.0).abs() < 1e-9);
        let large = Cpu {
            scratch_bytes: 1e6,
            ..cpu
        };
        assert!(large.seconds(Blocks::alike(8.0, WORK)) > cpu.seconds(Blocks::alike(8.0, WORK)));
    }

    /// Of two blocks of 100 rows, one has 64 of them.
    #[test]
    fn the_longest_block_keeps_the_others_waiting() {
        let rows = |rows: f64| {
            let mut work = Work::default();
            work.add(rows, WORK);
            work
        };
        let blocks = |count: f64, most: f64| Blocks {
            count,
            mean: rows(100.0 / count),
            most: rows(most),
        };
        let cpu = Cpu {
            lanes: 8.0,
            threads: 2.0,
            scratch_bytes: 0.0,
        };
        let ratio = cpu.seconds(blocks(2.0, 64.0)) / cpu.seconds(blocks(100.0, 1.0));
        assert!((1.2..1.28).contains(&ratio), "{ratio}");
        let ratio = GPU.seconds(blocks(2.0, 64.0)) / GPU.seconds(blocks(2.0, 50.0));
        assert!((1.2..1.3).contains(&ratio), "{ratio}");
    }

    /// Two blocks of 128 rows put an operand into panels half as often as four of 64, and tiles of fewer bytes are nearer.
    #[test]
    fn a_product_of_more_rows_packs_less() {
        let product = |rows: f64, columns: f64, depth: f64| {
            let cpu = Cpu {
                lanes: 8.0,
                threads: 2.0,
                scratch_bytes: 4.0 * columns * (rows + depth),
            };
            let work = Work {
                products: rows * columns * depth,
                packed: columns * depth,
                ..Work::default()
            };
            cpu.seconds(Blocks::alike(4096.0 / rows * (256.0 / columns), work)) / depth
        };
        assert!(product(128.0, 64.0, 64.0) < product(64.0, 64.0, 64.0));
        assert!(product(64.0, 64.0, 64.0) < product(16.0, 64.0, 64.0));
        assert!(product(64.0, 64.0, 256.0) < product(64.0, 256.0, 256.0));
    }
}
