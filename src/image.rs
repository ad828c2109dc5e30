//! What the expansion of `#[tile_kernel]` embeds: the code and the facts of a kernel, as constants.
//!
//! The launch parameters are those of the manifest that the compiler makes. The types have no state, and
//! import nothing of the run time.

use std::sync::atomic::AtomicBool;

use tile_core::reach::{Claim, Step};

/// Code and facts of one instance of a kernel.
#[derive(Debug)]
pub struct KernelImage {
    /// The function's name.
    pub name: &'static str,
    /// The file that contains the function.
    pub file: &'static str,
    /// The line in that file.
    pub line: u32,
    /// The names of the function's parameters, in order.
    pub params: &'static [&'static str],
    /// The compiled variants, in order of preference; the last one makes no assumption.
    pub variants: &'static [VariantImage],
    /// The general variant as Tile IR bytecode, with its entry.
    pub bytecode: &'static [u8],
    /// The axes of the grid along which a launch must have one block.
    pub single_axes: [bool; 3],
    /// The maximum number of blocks along each axis for which the stores are disjoint.
    pub max_blocks: [u32; 3],
    /// The line of inline PTX that has no body for the CPU device, if this is why there is no
    /// bytecode.
    pub ptx_alone: Option<u32>,
    /// The native code of the general variant; a later one has more instructions.
    pub native: &'static [NativeImage],
    /// The reason why there is no native code, as a sentence, and its line, or 0.
    pub not_native: Option<(&'static str, u32)>,
    /// `true` if the kernel has no code for the CPU device, as its attribute says.
    pub no_cpu: bool,
    /// The plan of a kernel whose parallel loop becomes the grid.
    pub plan: Option<PlanImage>,
    /// The facts about arguments that a launch checks.
    pub facts: &'static [FactImage],
    /// The claims that a launch checks to ensure that blocks store to disjoint places.
    pub claims: &'static [ClaimImage],
    /// Parameters and their unit-stride axes in `fast`, where that is not the last axis.
    pub units: &'static [(usize, usize)],
    /// Parameters whose strides the kernel reads or states facts about.
    pub strides_read: &'static [usize],
    /// The assumptions of `fast` about the number of blocks of a launch.
    pub grid_tiles: &'static [GridTiles],
    /// `true` if the kernel has the option `programmatic_launch`.
    pub programmatic: bool,
}

/// The assumption that an axis of the grid has at most as many blocks as an axis of a tensor has
/// tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridTiles {
    /// The axis of the grid.
    pub axis: usize,
    /// The index of the tensor parameter.
    pub param: usize,
    /// The axis of the tensor.
    pub dim: usize,
    /// The number of elements of a tile along that axis, at least 1.
    pub step: u64,
}

/// A condition for stores of different blocks to a tensor to be disjoint.
#[derive(Debug)]
pub struct ClaimImage {
    /// The destination parameter of the store.
    pub param: usize,
    /// The line of the store.
    pub line: u32,
    /// The condition.
    pub claim: Claim,
    /// Computes the value that the condition is about.
    pub program: &'static [Step],
}

/// A condition that the kernel states about its arguments.
#[derive(Debug)]
pub struct FactImage {
    /// The condition as written.
    pub text: &'static str,
    /// The condition as a boolean term.
    pub condition: Term,
}

/// A number that a launch computes from its arguments; booleans are 0 and 1.
#[derive(Debug)]
pub enum Term {
    /// A constant.
    Int(i128),
    /// A scalar argument.
    Scalar {
        /// The parameter.
        param: usize,
        /// The width of its type in bits.
        bits: u32,
        /// `true` for a signed type.
        signed: bool,
    },
    /// The extent of a tensor along an axis: parameter and axis.
    Dim(usize, usize),
    /// The stride in elements of a tensor along an axis: parameter and axis.
    Stride(usize, usize),
    /// The address in bytes of a pointer, or of the first element of a tensor.
    Address(usize),
    /// `-x`
    Neg(&'static Term),
    /// `!x`, for a boolean.
    Not(&'static Term),
    /// The low bits of a number, read as another type.
    Cast {
        /// The width of the type in bits.
        bits: u32,
        /// `true` for a signed type.
        signed: bool,
        /// The operand.
        value: &'static Term,
    },
    /// A Rust operator; `&&` and `||` evaluate the right side only if needed.
    Binary(Operator, &'static Term, &'static Term),
}

/// An infix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the names are those of Rust's traits and operators"
)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

/// The plan of a kernel whose parallel loop becomes the grid.
#[derive(Debug)]
pub struct PlanImage {
    /// The ranges of the loops along each axis of the grid.
    pub axes: [&'static [TripsImage]; 3],
    /// Zeroed buffers that are passed after the arguments.
    pub buffers: &'static [BufferImage],
}

/// A range of integers.
#[derive(Debug)]
pub struct TripsImage {
    /// The width of the integers in bits.
    pub bits: u32,
    /// `true` for signed integers.
    pub signed: bool,
    /// The inclusive start.
    pub lower: BoundImage,
    /// The exclusive end.
    pub upper: BoundImage,
    /// The distance between consecutive integers.
    pub step: BoundImage,
}

/// A bound or the step of a range.
#[derive(Clone, Copy, Debug)]
pub enum BoundImage {
    /// A constant, as bits.
    Constant(u64),
    /// The entry parameter with this index.
    Parameter(usize),
    /// A value that the kernel computes.
    Computed,
}

/// The size of a buffer that the blocks of a launch share, in bytes.
#[derive(Debug)]
pub struct BufferImage {
    /// Bytes that do not depend on the number of blocks.
    pub fixed: u64,
    /// Bytes per block of the grid.
    pub per_block: u64,
}

/// Native code for the CPU device.
#[derive(Debug)]
pub struct NativeImage {
    /// The instructions that it uses.
    pub level: NativeLevel,
    /// The function.
    pub run: NativeFunction,
    /// The bytes of memory for the values of a block.
    pub scratch_bytes: usize,
    /// `true` if the blocks must run one after another, in order of the grid.
    pub in_order: bool,
}

/// A set of instructions, as `Level` of the compiler. Of two levels of an architecture, the greater one has more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NativeLevel {
    /// The instructions that every x86-64 processor has.
    Baseline,
    /// `x86-64-v3`.
    Avx2,
    /// `x86-64-v4`.
    Avx512,
    /// `x86-64-v4` with AVX512-VNNI and AVX512-BF16.
    Avx512Bf16,
    /// The same with AMX, for tiles of bytes and of bf16.
    Amx,
    /// What every AArch64 processor has.
    Neon,
}

/// Runs the blocks from the second last to before the last argument, numbers in order of the grid, with 64-byte aligned memory.
/// Returns the block that stopped, because it failed or the launch was cancelled, or `u64::MAX`.
#[cfg(target_arch = "x86_64")]
pub type NativeFunction = unsafe extern "sysv64" fn(&NativeLaunch, *mut u8, u64, u64) -> u64;

/// Runs the blocks from the second last to before the last argument, numbers in order of the grid, with 64-byte aligned memory.
/// Returns the block that stopped, because it failed or the launch was cancelled, or `u64::MAX`.
#[cfg(not(target_arch = "x86_64"))]
pub type NativeFunction = unsafe extern "C" fn(&NativeLaunch, *mut u8, u64, u64) -> u64;

/// What native code reads of a launch.
#[derive(Debug)]
#[repr(C)]
pub struct NativeLaunch {
    /// The number of blocks along each axis.
    pub grid: [u32; 3],
    /// 0.
    pub reserved: u32,
    /// For each parameter of the entry two words, address and length in bytes, or one, the bits of a number.
    pub args: *const u64,
    /// Ends the launch when it becomes true; never null.
    pub cancel: *const AtomicBool,
}

// SAFETY: native code only reads it, on any thread.
unsafe impl Sync for NativeLaunch {}

/// One compiled variant of an instance.
#[derive(Debug)]
pub struct VariantImage {
    /// The assumptions about its tensors.
    pub kind: VariantKind,
    /// The entry's symbol.
    pub entry: &'static str,
    /// A fatbin: a cubin per architecture, and PTX; empty if the macro did not compile.
    pub fatbin: &'static [u8],
    /// The architectures in the fatbin.
    pub archs: &'static [ArchImage],
}

/// The assumptions of a variant about its tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantKind {
    /// 16-byte aligned, innermost stride 1, 32-bit extents.
    Fast,
    /// No assumptions.
    General,
}

impl VariantKind {
    /// The number of kinds.
    pub(crate) const COUNT: usize = 2;
}

/// The launch configuration of the code for one architecture: a launch of the compiler's manifest.
#[derive(Clone, Copy, Debug)]
pub struct ArchImage {
    /// The name, such as `sm_90a`.
    pub name: &'static str,
    /// Ten times the major plus the minor compute capability: 90 for `sm_90a`.
    pub capability: u32,
    /// Threads per block.
    pub threads: u32,
    /// Bytes of dynamic shared memory per block.
    pub shared_bytes: u32,
    /// Blocks per cluster along the first axis of the grid, if the extent of that axis is a
    /// multiple of this number; otherwise clusters have 1 block.
    pub cluster: u32,
    /// Blocks of a cluster that share a work tile; 1 without a cluster split.
    pub blocks_per_tile: u32,
    /// The tensor maps that follow the parameters.
    pub maps: &'static [MapImage],
    /// The blocks per multiprocessor of a persistent kernel; the extents of the grid follow the
    /// tensor maps.
    pub persistent_blocks_per_sm: Option<u32>,
    /// `true` if the kernel may start before the previous one in the stream has ended.
    pub programmatic: bool,
}

impl ArchImage {
    /// Code for blocks of one warp, without shared memory, clusters and tensor maps.
    pub const PLAIN: ArchImage = ArchImage {
        name: "sm_80",
        capability: 80,
        threads: 32,
        shared_bytes: 0,
        cluster: 1,
        blocks_per_tile: 1,
        maps: &[],
        persistent_blocks_per_sm: None,
        programmatic: false,
    };

    /// Returns the number of blocks per cluster for a grid.
    pub(crate) fn cluster_for(&self, grid: [u32; 3]) -> u32 {
        let cluster = self.cluster.max(1);
        if grid[0].is_multiple_of(cluster) {
            cluster
        } else {
            1
        }
    }
}

/// The description of a tensor map. Its parameters are those of the entry.
#[derive(Clone, Copy, Debug)]
pub struct MapImage {
    /// The parameter that points to the first element.
    pub base: usize,
    /// Bytes per element.
    pub element_bytes: u32,
    /// The swizzle mode, as the driver's number.
    pub swizzle: u32,
    /// The extent, stride and box length of each axis, in elements; the axis of stride 1 is the
    /// first.
    pub axes: &'static [(MapNumber, MapNumber, u32)],
}

/// A number of a [`MapImage`].
#[derive(Clone, Copy, Debug)]
pub enum MapNumber {
    /// The entry parameter with this index.
    Param(usize),
    /// A constant.
    Constant(u64),
}

/// Bytes with the alignment that the CUDA driver requires.
#[derive(Debug)]
#[repr(C, align(8))]
pub struct Aligned<T: ?Sized>(pub T);

impl KernelImage {
    /// Returns an image without facts, and without limits on the grid.
    pub const fn new(
        name: &'static str,
        (file, line): (&'static str, u32),
        params: &'static [&'static str],
        variants: &'static [VariantImage],
        bytecode: &'static [u8],
    ) -> KernelImage {
        KernelImage {
            name,
            file,
            line,
            params,
            variants,
            bytecode,
            single_axes: [false; 3],
            max_blocks: [u32::MAX; 3],
            ptx_alone: None,
            native: &[],
            not_native: None,
            no_cpu: false,
            plan: None,
            facts: &[],
            claims: &[],
            units: &[],
            strides_read: &[],
            grid_tiles: &[],
            programmatic: false,
        }
    }

    /// Returns the unit-stride axis of a tensor parameter in `fast`.
    pub(crate) fn unit_axis(&self, param: usize, rank: usize) -> usize {
        let stated = self.units.iter().find(|(tensor, _)| *tensor == param);
        stated.map_or(rank - 1, |(_, axis)| *axis)
    }

    /// Returns the name of a parameter.
    pub(crate) fn param(&self, index: usize) -> &'static str {
        self.params
            .get(index)
            .expect("the stub passes one argument per parameter of the kernel")
    }

    /// Returns the variant of a kind.
    pub(crate) fn variant(&self, kind: VariantKind) -> Option<&VariantImage> {
        self.variants.iter().find(|variant| variant.kind == kind)
    }
}

impl VariantImage {
    /// Returns a variant.
    pub const fn new(
        kind: VariantKind,
        entry: &'static str,
        fatbin: &'static [u8],
        archs: &'static [ArchImage],
    ) -> VariantImage {
        VariantImage {
            kind,
            entry,
            fatbin,
            archs,
        }
    }
}
