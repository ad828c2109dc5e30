//! The model of a tuner: a time for a candidate from what a block does and how many blocks there are.
//!
//! It is there to order the candidates of one kernel for one launch, before anything was measured; records correct it
//! ([`predict`](super::predict)). The rates are those of one core or multiprocessor in a clock cycle.

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

/// The part by which values in memory take longer each time that their bytes double, from the first cache on.
const SPREAD: f64 = 0.03;

/// The sizes of the first and the second cache of a core, in bytes.
const FIRST_CACHE: f64 = 32.0 * 1024.0;
const SECOND_CACHE: f64 = 512.0 * 1024.0;

/// The cycles for which threads must have work before a launch is shared, and which it takes to share it.
const SHARING: f64 = 6000.0;

impl Cpu {
    /// Returns the expected time in seconds of a number of blocks.
    pub fn seconds(&self, work: Work, blocks: f64) -> f64 {
        // Values that leave a cache are loaded from the next one.
        let spread = match self.scratch_bytes {
            bytes if bytes < FIRST_CACHE => 1.0,
            bytes if bytes < SECOND_CACHE => 1.0 + SPREAD * (bytes / FIRST_CACHE).log2(),
            _ => 1.5,
        };
        let cycles = 150.0
            + 4.0 * work.operations
            + 1.5 * work.scattered
            + spread * (work.elements + work.products) / self.lanes
            + PACKING * work.packed / self.lanes
            + work.loaded / 32.0
            + work.stored / 16.0;
        // The last blocks leave some threads without work, and a short launch has one thread.
        let shared = (blocks / self.threads).ceil() * cycles + SHARING;
        (blocks * cycles).min(shared) / CPU_HZ
    }
}

impl Gpu {
    /// Returns the blocks that a multiprocessor holds at the same time: it has 2048 threads and 227 KiB of shared memory.
    fn resident(&self) -> f64 {
        let by_threads = (2048.0 / self.threads.max(32.0)).floor();
        let by_shared = (227.0 * 1024.0 / self.shared_bytes.max(1024.0)).floor();
        by_threads.min(by_shared).clamp(1.0, 32.0)
    }

    /// Returns the expected time in seconds of a number of blocks.
    pub fn seconds(&self, work: Work, blocks: f64) -> f64 {
        let resident = self.resident();
        let busy = (work.elements / 128.0
            + work.products / 1024.0
            + (work.loaded + work.stored) / 48.0
            + work.scattered / 16.0)
            * (1.0 + self.spilled / 64.0);
        // A multiprocessor has four schedulers, and each needs a warp.
        let share = (self.threads / 128.0).clamp(0.25, 1.0);
        // One operation waits for the other, unless other blocks run meanwhile.
        let alone = 30.0 * work.operations + busy / share;
        let waves = (blocks / (self.multiprocessors * resident)).ceil();
        let beside = (blocks / self.multiprocessors).clamp(1.0, resident);
        waves * (busy * beside).max(alone) / GPU_HZ
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
        assert!(GPU.seconds(more, 1000.0) > GPU.seconds(WORK, 1000.0));
        assert!(GPU.seconds(WORK, 1601.0) > 1.5 * GPU.seconds(WORK, 1600.0));
        let spilling = Gpu {
            spilled: 64.0,
            ..GPU
        };
        assert!(spilling.seconds(WORK, 1e4) > 1.5 * GPU.seconds(WORK, 1e4));
        // Blocks that do not fit beside each other wait for themselves.
        let large = Gpu {
            shared_bytes: 2e5,
            ..GPU
        };
        let waiting = Work {
            operations: 1e4,
            ..WORK
        };
        assert!(large.seconds(waiting, 1e4) > 4.0 * GPU.seconds(waiting, 1e4));
    }

    #[test]
    fn a_cpu_is_slower_with_fewer_lanes_and_an_odd_block_at_the_end() {
        let cpu = Cpu {
            lanes: 16.0,
            threads: 2.0,
            scratch_bytes: 0.0,
        };
        let narrow = Cpu { lanes: 4.0, ..cpu };
        assert!(narrow.seconds(WORK, 8.0) > 2.0 * cpu.seconds(WORK, 8.0));
        assert!((cpu.seconds(WORK, 3.0) / cpu.seconds(WORK, 4.0) - 1.0).abs() < 1e-9);
        // A launch of some microseconds is not shared.
        let short = |blocks: f64| {
            let part = Work {
                elements: 4e3,
                ..Work::default()
            };
            cpu.seconds(part, blocks)
        };
        assert!((short(4.0) / short(2.0) - 2.0).abs() < 1e-9);
        let large = Cpu {
            scratch_bytes: 1e6,
            ..cpu
        };
        assert!(large.seconds(WORK, 8.0) > cpu.seconds(WORK, 8.0));
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
            cpu.seconds(work, 4096.0 / rows * (256.0 / columns)) / depth
        };
        assert!(product(128.0, 64.0, 64.0) < product(64.0, 64.0, 64.0));
        assert!(product(64.0, 64.0, 64.0) < product(16.0, 64.0, 64.0));
        assert!(product(64.0, 64.0, 256.0) < product(64.0, 256.0, 256.0));
    }
}
