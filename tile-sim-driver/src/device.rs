//! The models of devices that can be simulated, with their attributes.

use tile_sim::cost::Throughputs;

use crate::config;

/// A model of a GPU.
#[derive(Debug)]
pub(crate) struct Model {
    /// The name in `TILE_SIM_DEVICES`.
    pub(crate) key: &'static str,
    /// The name that the driver returns. It says what it is.
    pub(crate) name: &'static str,
    pub(crate) capability: (i32, i32),
    pub(crate) multiprocessors: i32,
    /// The size of the memory in bytes.
    pub(crate) memory: u64,
    /// The shared memory of a multiprocessor in bytes.
    pub(crate) shared_of_multiprocessor: i32,
    /// The shared memory of a block in bytes, with the opt-in.
    pub(crate) shared_of_block: i32,
    pub(crate) threads_of_multiprocessor: i32,
    pub(crate) blocks_of_multiprocessor: i32,
    /// The size of the L2 cache in bytes.
    l2: i32,
    /// The clock rates in kHz.
    clock: i32,
    memory_clock: i32,
    /// The width of the memory bus in bits.
    bus: i32,
    /// The multiprocessors that a cluster can share.
    pub(crate) multiprocessors_of_cluster: i32,
    has_ecc: bool,
    /// The throughput of `f32` in units of that of `f64`.
    single_to_double: i32,
    /// The multiply-adds of f16 by the tensor cores of a multiprocessor in a cycle, with sums in f32.
    multiply_adds: u32,
}

/// The shared memory of a block without the opt-in in bytes.
pub(crate) const PLAIN_SHARED: i32 = 48 << 10;
/// The shared memory that the system takes of each block in bytes.
pub(crate) const RESERVED_SHARED: i32 = 1 << 10;
/// The registers of a multiprocessor.
pub(crate) const REGISTERS: i32 = 65536;

/// The models (CUDA C++ Programming Guide, "Compute Capabilities"; data sheets of the products).
const MODELS: [Model; 5] = [
    Model {
        key: "a100",
        name: "tile-sim NVIDIA A100-SXM4-80GB",
        capability: (8, 0),
        multiprocessors: 108,
        memory: 85_094_563_840,
        shared_of_multiprocessor: 164 << 10,
        shared_of_block: 163 << 10,
        threads_of_multiprocessor: 2048,
        blocks_of_multiprocessor: 32,
        l2: 40 << 20,
        clock: 1_410_000,
        memory_clock: 1_593_000,
        bus: 5120,
        multiprocessors_of_cluster: 0,
        has_ecc: true,
        single_to_double: 2,
        multiply_adds: 1024,
    },
    Model {
        key: "h100",
        name: "tile-sim NVIDIA H100 80GB HBM3",
        capability: (9, 0),
        multiprocessors: 132,
        memory: 85_520_809_984,
        shared_of_multiprocessor: 228 << 10,
        shared_of_block: 227 << 10,
        threads_of_multiprocessor: 2048,
        blocks_of_multiprocessor: 32,
        l2: 50 << 20,
        clock: 1_980_000,
        memory_clock: 2_619_000,
        bus: 5120,
        multiprocessors_of_cluster: 16,
        has_ecc: true,
        single_to_double: 2,
        multiply_adds: 2048,
    },
    Model {
        key: "h200",
        name: "tile-sim NVIDIA H200",
        capability: (9, 0),
        multiprocessors: 132,
        memory: 150_754_820_096,
        shared_of_multiprocessor: 228 << 10,
        shared_of_block: 227 << 10,
        threads_of_multiprocessor: 2048,
        blocks_of_multiprocessor: 32,
        l2: 60 << 20,
        clock: 1_980_000,
        memory_clock: 3_201_000,
        bus: 6144,
        multiprocessors_of_cluster: 16,
        has_ecc: true,
        single_to_double: 2,
        multiply_adds: 2048,
    },
    Model {
        key: "b200",
        name: "tile-sim NVIDIA B200",
        capability: (10, 0),
        multiprocessors: 148,
        memory: 192_265_846_784,
        shared_of_multiprocessor: 228 << 10,
        shared_of_block: 227 << 10,
        threads_of_multiprocessor: 2048,
        blocks_of_multiprocessor: 32,
        l2: 126 << 20,
        clock: 1_965_000,
        memory_clock: 3_996_000,
        bus: 8192,
        multiprocessors_of_cluster: 16,
        has_ecc: true,
        single_to_double: 2,
        multiply_adds: 4096,
    },
    Model {
        key: "rtx5090",
        name: "tile-sim NVIDIA GeForce RTX 5090",
        capability: (12, 0),
        multiprocessors: 170,
        memory: 34_190_917_632,
        shared_of_multiprocessor: 100 << 10,
        shared_of_block: 99 << 10,
        threads_of_multiprocessor: 1536,
        blocks_of_multiprocessor: 24,
        l2: 96 << 20,
        clock: 2_407_000,
        memory_clock: 14_001_000,
        bus: 512,
        multiprocessors_of_cluster: 8,
        has_ecc: false,
        single_to_double: 64,
        multiply_adds: 256,
    },
];

/// Returns the models that `TILE_SIM_DEVICES` names, one for each device.
pub(crate) fn models() -> Result<Vec<&'static Model>, String> {
    parse(config::devices().as_deref().unwrap_or("h100"))
}

fn parse(list: &str) -> Result<Vec<&'static Model>, String> {
    if list == "none" {
        return Ok(Vec::new());
    }
    let mut models = Vec::new();
    for item in list.split(',') {
        let (key, count) = item.split_once('*').unwrap_or((item, "1"));
        let model = MODELS.iter().find(|model| model.key == key.trim());
        let count: Option<usize> = count.trim().parse().ok();
        let (Some(model), Some(count @ 1..=16)) = (model, count) else {
            let known: Vec<_> = MODELS.iter().map(|model| model.key).collect();
            return Err(format!(
                "`TILE_SIM_DEVICES` is `{list}`: `{item}` is no device. Name some of `{}`, separated by commas, \
                 each with `*` and a number up to 16 for several, or `none`",
                known.join("`, `")
            ));
        };
        models.extend(std::iter::repeat_n(model, count));
    }
    Ok(models)
}

impl Model {
    /// Returns the throughputs by which the time of work is estimated.
    pub(crate) fn throughputs(&self) -> Throughputs {
        let positive = |number: i32| u32::try_from(number).unwrap_or(1);
        // Two transfers per cycle of the memory clock.
        let memory_bytes =
            u64::from(positive(self.memory_clock)) * 1000 * 2 * u64::from(positive(self.bus)) / 8;
        Throughputs {
            multiprocessors: positive(self.multiprocessors),
            clock_khz: positive(self.clock),
            memory_bytes,
            multiply_adds: self.multiply_adds,
        }
    }

    /// Returns the clock rates of the multiprocessors and of the memory in MHz.
    pub(crate) fn clocks_mhz(&self) -> (u32, u32) {
        let mhz = |khz: i32| u32::try_from(khz / 1000).unwrap_or(0);
        (mhz(self.clock), mhz(self.memory_clock))
    }

    /// Returns the value of `CUdevice_attribute` `attribute` for the device with this number; `None` for a number
    /// that is no attribute.
    pub(crate) fn attribute(&self, attribute: u32, ordinal: i32) -> Option<i32> {
        let &Self {
            key: _,
            name: _,
            capability: (major, minor),
            multiprocessors,
            memory: _,
            shared_of_multiprocessor,
            shared_of_block,
            threads_of_multiprocessor,
            blocks_of_multiprocessor,
            l2,
            clock,
            memory_clock,
            bus,
            multiprocessors_of_cluster,
            has_ecc,
            single_to_double,
            multiply_adds: _,
        } = self;
        Some(match attribute {
            // MAX_THREADS_PER_BLOCK, MAX_BLOCK_DIM_X, _Y, _Z
            1..=3 => 1024,
            4 => 64,
            // MAX_GRID_DIM_X, _Y, _Z
            5 => i32::MAX,
            6 | 7 => 0xffff,
            // MAX_SHARED_MEMORY_PER_BLOCK, TOTAL_CONSTANT_MEMORY, WARP_SIZE, MAX_PITCH
            8 => PLAIN_SHARED,
            9 => 1 << 16,
            10 => 32,
            11 => i32::MAX,
            // MAX_REGISTERS_PER_BLOCK, CLOCK_RATE, TEXTURE_ALIGNMENT, GPU_OVERLAP
            12 => REGISTERS,
            13 => clock,
            14 => 512,
            15 => 1,
            16 => multiprocessors,
            // KERNEL_EXEC_TIMEOUT, INTEGRATED, CAN_MAP_HOST_MEMORY, COMPUTE_MODE
            17 | 18 => 0,
            19 => 1,
            20 => 0,
            // Sizes of textures, which no function of this driver makes.
            21 => 131_072,
            22 => 131_072,
            23 => 65_536,
            24..=26 => 16_384,
            27 | 28 => 32_768,
            29 => 2048,
            // SURFACE_ALIGNMENT, CONCURRENT_KERNELS, ECC_ENABLED, PCI_BUS_ID, PCI_DEVICE_ID, TCC_DRIVER
            30 => 512,
            31 => 1,
            32 => i32::from(has_ecc),
            33 => ordinal + 1,
            34 | 35 => 0,
            // MEMORY_CLOCK_RATE, GLOBAL_MEMORY_BUS_WIDTH, L2_CACHE_SIZE, MAX_THREADS_PER_MULTIPROCESSOR
            36 => memory_clock,
            37 => bus,
            38 => l2,
            39 => threads_of_multiprocessor,
            // ASYNC_ENGINE_COUNT, UNIFIED_ADDRESSING
            40 => 3,
            41 => 1,
            42 => 32_768,
            43 => 2048,
            44 => 1,
            45 | 46 => 32_768,
            47 | 48 => 8192,
            49 => 32_768,
            // PCI_DOMAIN_ID, TEXTURE_PITCH_ALIGNMENT
            50 => 0,
            51 => 32,
            52 | 53 => 32_768,
            54 => 2046,
            55 => 32_768,
            56 => 131_072,
            57 => 65_536,
            58..=60 => 16_384,
            61 => 32_768,
            62 => 2048,
            63 | 64 => 32_768,
            65 => 2048,
            66 | 67 => 32_768,
            68 => 2046,
            69 => 1 << 28,
            70 => 131_072,
            71 => 65_000,
            72 => 2_097_120,
            73 | 74 => 32_768,
            // COMPUTE_CAPABILITY_MAJOR, _MINOR
            75 => major,
            76 => minor,
            77 => 32_768,
            // STREAM_PRIORITIES_SUPPORTED, GLOBAL_L1_CACHE_SUPPORTED, LOCAL_L1_CACHE_SUPPORTED
            78..=80 => 1,
            81 => shared_of_multiprocessor,
            82 => REGISTERS,
            // MANAGED_MEMORY
            83 => 1,
            // MULTI_GPU_BOARD, _GROUP_ID, HOST_NATIVE_ATOMIC_SUPPORTED
            84..=86 => 0,
            87 => single_to_double,
            // PAGEABLE_MEMORY_ACCESS
            88 => 0,
            // CONCURRENT_MANAGED_ACCESS, COMPUTE_PREEMPTION_SUPPORTED, CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM
            89..=91 => 1,
            // Stream memory operations
            92..=94 => 0,
            // COOPERATIVE_LAUNCH
            95 => 1,
            // COOPERATIVE_MULTI_DEVICE_LAUNCH
            96 => 0,
            97 => shared_of_block,
            // CAN_FLUSH_REMOTE_WRITES
            98 => 0,
            // HOST_REGISTER_SUPPORTED
            99 => 1,
            // Host page tables, direct access, virtual memory management, handles, compression
            100..=105 => 0,
            106 => blocks_of_multiprocessor,
            107 => 0,
            // MAX_PERSISTING_L2_CACHE_SIZE, MAX_ACCESS_POLICY_WINDOW_SIZE
            108 => l2 / 8 * 5,
            109 => 128 << 20,
            110 => 0,
            111 => RESERVED_SHARED,
            // SPARSE_CUDA_ARRAY_SUPPORTED, READ_ONLY_HOST_REGISTER_SUPPORTED, TIMELINE_SEMAPHORE_INTEROP_SUPPORTED
            112 => 0,
            113 => 1,
            114 => 0,
            // MEMORY_POOLS_SUPPORTED
            115 => 1,
            // RDMA, MEMPOOL_SUPPORTED_HANDLE_TYPES
            116..=119 => 0,
            // CLUSTER_LAUNCH
            120 => i32::from(multiprocessors_of_cluster > 0),
            // Deferred mapping, memory operations, DMA-BUF, IPC events
            121..=125 => 0,
            // MEM_SYNC_DOMAIN_COUNT
            126 => 1,
            // TENSOR_MAP_ACCESS_SUPPORTED
            127 => i32::from(major >= 9),
            128..=130 => 0,
            // NUMA_ID
            131 => -1,
            // MULTICAST_SUPPORTED, MPS_ENABLED
            132 | 133 => 0,
            // HOST_NUMA_ID
            134 => 0,
            135..=148 => 0,
            _ => return None,
        })
    }

    /// Returns the largest number of clusters of `blocks` blocks that run at the same time, if a multiprocessor
    /// holds `per_multiprocessor` blocks.
    pub(crate) fn clusters(&self, blocks: i32, per_multiprocessor: i32) -> i32 {
        if blocks < 1 || self.multiprocessors_of_cluster == 0 {
            return 0;
        }
        // The multiprocessors of a cluster are in one group.
        let group = self.multiprocessors_of_cluster;
        let of_group = |multiprocessors: i32| multiprocessors * per_multiprocessor / blocks;
        let groups = self.multiprocessors / group;
        groups * of_group(group) + of_group(self.multiprocessors % group)
    }

    /// Returns the number of blocks that a multiprocessor holds.
    pub(crate) fn blocks(&self, threads: i32, registers: i32, shared: i32) -> i32 {
        let warps = (threads + 31) / 32;
        if warps == 0 {
            return 0;
        }
        let by_threads = self.threads_of_multiprocessor / 32 / warps;
        // Registers are allocated to warps in units of 256.
        let of_warp = (registers * 32 + 255) / 256 * 256;
        let by_registers = if of_warp == 0 {
            i32::MAX
        } else {
            // Each of the four parts of a multiprocessor has a quarter of the registers.
            REGISTERS / 4 / of_warp * 4 / warps
        };
        let by_shared = self.shared_of_multiprocessor / (shared + RESERVED_SHARED);
        let most = by_threads.min(by_registers).min(by_shared);
        most.min(self.blocks_of_multiprocessor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(list: &str) -> Option<Vec<&'static str>> {
        let models = parse(list).ok()?;
        Some(models.into_iter().map(|model| model.key).collect())
    }

    #[test]
    fn devices_are_listed_with_their_numbers() {
        assert_eq!(keys("h100*2, a100"), Some(vec!["h100", "h100", "a100"]));
        assert_eq!(keys("none"), Some(Vec::new()));
        for wrong in ["", "h100*0", "h100*x", "gtx", "h100,,a100", "h100*17"] {
            assert_eq!(keys(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_attribute_of_cudarc_has_a_value() {
        for model in &MODELS {
            for attribute in 1..143 {
                assert!(model.attribute(attribute, 0).is_some(), "{attribute}");
            }
            assert_eq!(model.attribute(0, 0), None);
            assert_eq!(model.attribute(1000, 0), None);
        }
    }

    #[test]
    fn the_h100_is_that_of_the_simulator() {
        let h100 = MODELS.iter().find(|model| model.key == "h100");
        let throughputs = h100.map(Model::throughputs);
        assert_eq!(throughputs, Some(Throughputs::H100));
    }

    #[test]
    fn blocks_of_a_multiprocessor_are_limited_by_each_resource() {
        let [.., h100, _, _, _] = &MODELS;
        assert_eq!(h100.key, "h100");
        assert_eq!(h100.blocks(1024, 32, 0), 2);
        assert_eq!(h100.blocks(128, 168, 0), 3);
        assert_eq!(h100.blocks(32, 16, 0), 32);
        assert_eq!(h100.blocks(128, 32, 227 << 10), 1);
        assert_eq!(h100.blocks(128, 32, 113 << 10), 2);
        assert_eq!(h100.clusters(2, 1), 66);
        assert_eq!(h100.clusters(16, 1), 8);
        assert_eq!(h100.clusters(3, 1), 41);
    }
}
