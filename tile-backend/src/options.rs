//! Options of kernels: those of the author for the schedule, and the abilities of the program that launches.
//!
//! [`ScheduleOption::ALL`] is the table of the options for the schedule. The attribute `#[tile_kernel(..)]`,
//! the command line of `tilec` and the table of options in `docs/language.md` are read from it.

use bitflags::bitflags;

/// Options for the schedule of a kernel; `None` leaves the choice to the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScheduleOptions {
    /// Warps of a block, a power of two up to 32.
    pub num_warps: Option<u32>,
    /// Stages of a circular buffer: 1 disables software pipelining.
    pub stages: Option<u32>,
    /// Blocks that must fit a multiprocessor.
    pub occupancy: Option<u32>,
    /// Blocks of a cluster: 1 disables TMA multicast and cluster split.
    pub cluster: Option<u32>,
    /// Maximum number of registers of a thread.
    pub max_registers: Option<u32>,
    /// Set to 1, the kernel may start before the previous one in the stream has ended.
    pub programmatic_launch: Option<u32>,
    /// The disabled optimizations.
    pub disabled: DisabledPasses,
}

/// An option for the schedule: a number, or a switch.
#[derive(Clone, Copy, Debug)]
pub struct ScheduleOption {
    /// The name in the attribute.
    pub name: &'static str,
    /// The name on a command line.
    pub flag: &'static str,
    /// The value.
    pub value: OptionValue,
    /// The effect and the allowed values.
    pub doc: &'static str,
    /// The value if the option is absent.
    pub default: &'static str,
    /// Returns the field of the option.
    pub field: fn(&mut ScheduleOptions) -> &mut Option<u32>,
}

/// The value of an option for the schedule.
#[derive(Clone, Copy, Debug)]
pub enum OptionValue {
    /// None is written: the option alone sets its field to 1.
    Switch,
    /// A number.
    Number {
        /// A value, for examples.
        example: u32,
        /// The allowed values.
        allowed: &'static [u32],
        /// The thing that the value counts, in the plural.
        counts: &'static str,
        /// The name of the value on a command line.
        value_name: &'static str,
        /// The allowed values, as the rest of a sentence that begins with "`num_warps` is".
        is: &'static str,
    },
}

impl ScheduleOption {
    /// Every option, in the order of the documentation.
    pub const ALL: &[Self] = &[
        Self {
            name: "num_warps",
            flag: "num-warps",
            value: OptionValue::Number {
                example: 4,
                allowed: &[1, 2, 4, 8, 16, 32],
                counts: "warps",
                value_name: "WARPS",
                is: "a power of two from 1 to 32",
            },
            doc: "warps of 32 threads per block: a power of two from 1 to 32",
            default: "the compiler chooses",
            field: |options| &mut options.num_warps,
        },
        Self {
            name: "stages",
            flag: "stages",
            value: OptionValue::Number {
                example: 3,
                allowed: &[1, 2, 3, 4, 5, 6, 7, 8],
                counts: "stages",
                value_name: "STAGES",
                is: "a number from 1, which disables software pipelining, to 8",
            },
            doc: "stages of the software pipeline, from 1 (no pipelining) to 8: shared-memory buffers for \
                  the tiles that a loop loads; all but one of them are prefetched",
            default: "the compiler chooses, up to 4; up to 6 with warp specialization",
            field: |options| &mut options.stages,
        },
        Self {
            name: "occupancy",
            flag: "occupancy",
            value: OptionValue::Number {
                example: 2,
                allowed: &UP_TO_32,
                counts: "resident blocks",
                value_name: "BLOCKS",
                is: "the number of blocks that must fit on a multiprocessor, from 1 to 32",
            },
            doc: "blocks that must fit on a multiprocessor at the same time, from 1 to 32: threads get \
                  fewer registers and pipelines less shared memory",
            default: "1",
            field: |options| &mut options.occupancy,
        },
        Self {
            name: "cluster",
            flag: "cluster",
            value: OptionValue::Number {
                example: 2,
                allowed: &[1, 2],
                counts: "blocks per cluster",
                value_name: "BLOCKS",
                is: "1, which disables TMA multicast, or 2",
            },
            doc: "blocks per cluster (`sm_90a`), 1 or 2. In a kernel with matrix multiplication, two blocks \
                  that are neighbours along the first axis of the grid load the tiles that both read once, \
                  with TMA multicast; a grid with an odd first extent runs without clusters. In a kernel \
                  without matrix multiplication, each tile is split over the blocks of a cluster",
            default: "the compiler chooses; rows too long for one block are split over up to 8",
            field: |options| &mut options.cluster,
        },
        Self {
            name: "max_registers",
            flag: "max-registers",
            value: OptionValue::Number {
                example: 128,
                allowed: &REGISTERS,
                counts: "registers per thread",
                value_name: "REGISTERS",
                is: "the maximum number of registers of a thread, a multiple of 8 from 32 to 248",
            },
            doc: "registers of a thread at most, a multiple of 8 from 32 to 248: more threads fit on a \
                  multiprocessor, but what does not fit in registers is spilled to memory",
            default: "255, or fewer where `occupancy` or the number of threads requires it",
            field: |options| &mut options.max_registers,
        },
        Self {
            name: "programmatic_launch",
            flag: "programmatic-launch",
            value: OptionValue::Switch,
            doc: "the kernel may start before the previous one in the stream has ended (`sm_90` and newer), and \
                  waits for that one before it accesses global memory",
            default: "it starts when the previous one has ended",
            field: |options| &mut options.programmatic_launch,
        },
    ];

    /// Returns `true` if the option may have this value.
    pub fn allows(&self, value: u32) -> bool {
        match self.value {
            OptionValue::Switch => value == 1,
            OptionValue::Number { allowed, .. } => allowed.contains(&value),
        }
    }

    /// Returns the option as the attribute writes it.
    pub fn usage(&self) -> String {
        match self.value {
            OptionValue::Switch => self.name.to_owned(),
            OptionValue::Number { example, .. } => format!("{} = {example}", self.name),
        }
    }
}

const UP_TO_32: [u32; 32] = arithmetic_series(1, 1);

const REGISTERS: [u32; 28] = arithmetic_series(32, 8);

/// Returns `first`, `first + step`, and so on.
const fn arithmetic_series<const COUNT: usize>(first: u32, step: u32) -> [u32; COUNT] {
    let mut values = [first; COUNT];
    let mut index = 1;
    while index < COUNT {
        values[index] = values[index - 1] + step;
        index += 1;
    }
    values
}

impl ScheduleOptions {
    /// Takes each option from `self`, or from `other` where `self` does not set it.
    pub(crate) fn or(self, other: Self) -> Self {
        let mut merged = self;
        let mut other = other;
        for option in ScheduleOption::ALL {
            let field = (option.field)(&mut merged);
            *field = field.or(*(option.field)(&mut other));
        }
        merged
    }
}

bitflags! {
    /// Disabled optimizations. None of them changes what a kernel computes. [`crate::passes::PIPELINE`] has
    /// their names.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct DisabledPasses: u16 {
        /// TMA stores of tiles.
        const TMA_STORES = 1 << 0;
        /// Grouped rasterization.
        const GROUPED_RASTER = 1 << 1;
        /// MMAs that stay in flight across iterations.
        const ASYNC_MMA = 1 << 2;
        /// Warp specialization.
        const WARP_SPECIALIZATION = 1 << 3;
        /// Loop rotation: of two MMAs in a loop, one overlaps the computation on the result of the other.
        const LOOP_ROTATION = 1 << 4;
        /// Ping-pong scheduling of two warpgroups.
        const PING_PONG = 1 << 5;
        /// Block skipping: iterations of fully masked blocks are skipped.
        const BLOCK_SKIPPING = 1 << 6;
        /// Mask elision: masks are omitted where they are all ones.
        const MASK_ELISION = 1 << 7;
        /// Lazy rescaling: the multiplication by factors is skipped where all factors are 1.
        const LAZY_RESCALING = 1 << 8;
        /// Epilogue subtiling: tiles are stored in subtiles, which leaves room for more stages.
        const EPILOGUE_SUBTILING = 1 << 9;
        /// Bulk copies of tiles, row by row, by one warp.
        const BULK_COPIES = 1 << 10;
        /// LPT order of work tiles.
        const LPT_ORDER = 1 << 11;
    }
}

/// Options of a kernel: its schedule, and the abilities of the program that launches it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelOptions {
    /// The schedule.
    pub schedule: ScheduleOptions,
    /// The tensor maps that the launch passes.
    pub maps: HostMaps,
    /// The blocks that the launch starts for a persistent kernel.
    pub persistence: Persistence,
    /// The blocks that the launch starts for one work tile.
    pub cluster_split: ClusterSplit,
    /// A bound on each axis of the grid that the launch guarantees.
    pub grid: [Option<GridTiles>; 3],
    /// The noalias parameters.
    pub noalias: NoAliasParams,
}

/// The noalias parameters of an entry: pointers to memory that no other parameter, variable or integer
/// reaches, such as those of tensors that the host borrows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoAliasParams(u64);

impl NoAliasParams {
    /// Adds parameter number `parameter` to the set, which ignores all but the first 64 parameters of an entry.
    #[must_use]
    pub fn with(self, parameter: usize) -> Self {
        let bit = u32::try_from(parameter)
            .ok()
            .and_then(|bit_index| 1_u64.checked_shl(bit_index));
        NoAliasParams(self.0 | bit.unwrap_or(0))
    }

    /// Returns `true` if the set contains parameter number `parameter`.
    #[must_use]
    pub fn contains(self, parameter: usize) -> bool {
        NoAliasParams::default().with(parameter).0 & self.0 != 0
    }
}

/// A bound on one axis of the grid: the number of blocks is at most the number of tiles of `step` elements in
/// `extent` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridTiles {
    /// The extent of an axis of a tensor.
    pub extent: GridExtent,
    /// Elements of a tile, at least 1.
    pub step: u64,
}

/// An extent that is known at launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridExtent {
    /// A parameter of the entry, by its number.
    Parameter(usize),
    /// A constant that the launch has checked.
    Constant(u64),
}

/// The tensor maps that the host passes in addition to the parameters of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostMaps {
    /// No tensor maps.
    #[default]
    None,
    /// The tensor maps that the kernel lists in [`crate::gpu::Kernel::maps`], encoded by the host. A host
    /// that cannot encode one of them launches another kernel.
    Encoded,
}

/// The blocks that a launch starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Persistence {
    /// One block per work tile.
    #[default]
    Off,
    /// If the kernel is persistent (`is_persistent` in its launch shape), at most the number of blocks that
    /// the device holds; the grid is then passed after the tensor maps. Otherwise one block per work tile.
    Auto,
}

/// The number of blocks that a launch starts for one work tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterSplit {
    /// One block.
    #[default]
    Off,
    /// As many blocks as the launch shape of the kernel says (`blocks_per_tile`), which are adjacent along the first axis and form a
    /// cluster.
    Auto,
}

impl From<ScheduleOptions> for KernelOptions {
    /// Sets the schedule, and nothing that a launch has to do for it.
    fn from(schedule: ScheduleOptions) -> Self {
        Self {
            schedule,
            ..Self::default()
        }
    }
}

impl From<Option<u32>> for KernelOptions {
    /// Sets the warps of a block, and no other option.
    fn from(num_warps: Option<u32>) -> Self {
        Self::from(ScheduleOptions {
            num_warps,
            ..ScheduleOptions::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{OptionValue, ScheduleOption, ScheduleOptions};
    use std::path::Path;

    #[test]
    fn each_option_has_its_field_and_a_valid_example() {
        let mut options = ScheduleOptions::default();
        for (index, option) in (1..).zip(ScheduleOption::ALL) {
            assert_eq!(*(option.field)(&mut options), None, "`{}`", option.name);
            *(option.field)(&mut options) = Some(index);
            let example = match option.value {
                OptionValue::Switch => 1,
                OptionValue::Number { example, .. } => example,
            };
            assert!(option.allows(example), "`{}`", option.usage());
            assert_eq!(option.name.replace('_', "-"), option.flag);
        }
        for (index, option) in (1..).zip(ScheduleOption::ALL) {
            assert_eq!(
                *(option.field)(&mut options),
                Some(index),
                "`{}`",
                option.name
            );
        }
    }

    #[test]
    fn an_option_takes_precedence_over_a_hint() {
        let of = |stages, occupancy| ScheduleOptions {
            stages,
            occupancy,
            ..ScheduleOptions::default()
        };
        assert_eq!(
            of(Some(2), None).or(of(Some(3), Some(4))),
            of(Some(2), Some(4))
        );
    }

    #[test]
    fn the_reference_describes_each_option() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
        let page = std::fs::read_to_string(path).expect("the reference");
        for option in ScheduleOption::ALL {
            let row = format!(
                "| `{}` | {} | {} |",
                option.usage(),
                option.doc,
                option.default
            );
            assert!(
                page.lines().any(|line| line == row),
                "docs/language.md lacks\n{row}"
            );
        }
    }
}
