//! `__private`: the only names that the expansion of `#[tile_kernel]` uses.
//!
//! Everything here may change in any release, as the macro and this crate always have the same
//! version. The images are constants, so an instance is a `static` that costs nothing until it is
//! launched.

use std::any::{Any, TypeId};
use std::sync::OnceLock;

pub mod shadow;

pub use crate::small_float::{f8e4m3, f8e5m2, f8e8m0};
pub use half::{bf16, f16};
use tile_core::interp::Program;
pub use tile_core::reach::{Claim, Step};

pub use crate::Error;
use crate::driver::ModuleCache;
pub use crate::element::{Element, ScalarArg};
pub use crate::launch::Kernel;
use crate::launch::TensorArg;
pub use crate::launch::{Arg, Launch};
pub use crate::pointer::{DevicePtr, DevicePtrMut};
pub use crate::tensor::Tensor;
use crate::{Grid, Result};
pub use tile_macros::tile_next;

/// A type that exists only in kernels. No host type implements this trait, so host code cannot call
/// a function under `#[tile_fn]`.
#[diagnostic::on_unimplemented(
    message = "a function under `#[tile_fn]` cannot be called on the host",
    label = "this is host code",
    note = "the function becomes part of each kernel that calls it",
    note = "call it in a `#[tile_kernel]`, or write an ordinary function for the host"
)]
pub trait InKernel {}

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
    program: OnceLock<std::result::Result<Program, String>>,
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
    /// The tensor maps that follow the parameters, for each architecture that has them.
    pub maps: &'static [(&'static str, &'static [MapImage])],
    /// The blocks per multiprocessor for each architecture on which the variant is persistent; the
    /// extents of the grid follow the tensor maps.
    pub persistent_blocks_per_sm: &'static [(&'static str, u32)],
    /// The number of blocks that share a work tile, for each architecture with a cluster split.
    pub blocks_per_tile: &'static [(&'static str, u32)],
    pub(crate) module: ModuleCache,
    #[cfg(feature = "sim")]
    pub(crate) simulated: crate::sim::Cache,
}

/// The assumptions of a variant about its tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantKind {
    /// 16-byte aligned, innermost stride 1, 32-bit extents.
    Fast,
    /// No assumptions.
    General,
}

/// The launch configuration of the code for one architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

impl ArchImage {
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
    /// Returns an instance that has not been launched.
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
            plan: None,
            facts: &[],
            claims: &[],
            units: &[],
            strides_read: &[],
            grid_tiles: &[],
            program: OnceLock::new(),
        }
    }

    /// Adds the axes of the grid along which a launch has one block.
    #[must_use]
    pub const fn with_single_axes(mut self, axes: [bool; 3]) -> KernelImage {
        self.single_axes = axes;
        self
    }

    /// Adds the maximum number of blocks along each axis for which the stores are disjoint.
    #[must_use]
    pub const fn with_max_blocks(mut self, blocks: [u32; 3]) -> KernelImage {
        self.max_blocks = blocks;
        self
    }

    /// Adds the line of inline PTX that has no body for the CPU device.
    #[must_use]
    pub const fn with_ptx_alone(mut self, line: u32) -> KernelImage {
        self.ptx_alone = Some(line);
        self
    }

    /// Adds the plan of a parallel loop that becomes the grid.
    #[must_use]
    pub const fn with_plan(mut self, plan: PlanImage) -> KernelImage {
        self.plan = Some(plan);
        self
    }

    /// Adds the claims that a launch checks to ensure that blocks store to disjoint places.
    #[must_use]
    pub const fn with_claims(mut self, claims: &'static [ClaimImage]) -> KernelImage {
        self.claims = claims;
        self
    }

    /// Adds the facts that a launch checks.
    #[must_use]
    pub const fn with_facts(mut self, facts: &'static [FactImage]) -> KernelImage {
        self.facts = facts;
        self
    }

    /// Adds the unit-stride axes in `fast` that are not the last one.
    #[must_use]
    pub const fn with_units(mut self, units: &'static [(usize, usize)]) -> KernelImage {
        self.units = units;
        self
    }

    /// Adds the parameters whose strides the kernel reads, including those of axes with one
    /// element.
    #[must_use]
    pub const fn with_strides_read(mut self, params: &'static [usize]) -> KernelImage {
        self.strides_read = params;
        self
    }

    /// Adds the assumptions of `fast` about the number of blocks.
    #[must_use]
    pub const fn with_grid_tiles(mut self, tiles: &'static [GridTiles]) -> KernelImage {
        self.grid_tiles = tiles;
        self
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

    /// Returns the decoded bytecode.
    pub(crate) fn program(&self) -> Result<&Program> {
        if let Some(line) = self.ptx_alone {
            return Err(Error::NotOnCpu {
                kernel: self.name,
                file: self.file,
                line,
            });
        }
        self.program
            .get_or_init(|| Program::decode(self.bytecode).map_err(|error| error.to_string()))
            .as_ref()
            .map_err(|reason| Error::Artifact {
                kernel: self.name,
                reason: reason.clone(),
            })
    }
}

impl VariantImage {
    /// Returns a variant that has not been loaded.
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
            maps: &[],
            persistent_blocks_per_sm: &[],
            blocks_per_tile: &[],
            module: ModuleCache::new(),
            #[cfg(feature = "sim")]
            simulated: crate::sim::Cache::new(),
        }
    }

    /// Adds the tensor maps that its entry takes.
    #[must_use]
    pub const fn with_maps(
        mut self,
        maps: &'static [(&'static str, &'static [MapImage])],
    ) -> VariantImage {
        self.maps = maps;
        self
    }

    /// Adds the architectures on which the variant is persistent, with the blocks per
    /// multiprocessor.
    #[must_use]
    pub const fn with_persistent_blocks_per_sm(
        mut self,
        persistent_blocks_per_sm: &'static [(&'static str, u32)],
    ) -> VariantImage {
        self.persistent_blocks_per_sm = persistent_blocks_per_sm;
        self
    }

    /// Adds the architectures with a cluster split, with the number of blocks that share a work
    /// tile.
    #[must_use]
    pub const fn with_blocks_per_tile(
        mut self,
        blocks_per_tile: &'static [(&'static str, u32)],
    ) -> VariantImage {
        self.blocks_per_tile = blocks_per_tile;
        self
    }
}

/// Returns the grid of the attribute's `grid` option.
pub fn grid(grid: impl Into<Grid>) -> Option<Grid> {
    Some(grid.into())
}

/// Returns a launch of an instance.
pub fn launch<'a, const N: usize>(
    image: &'static KernelImage,
    grid: Option<Grid>,
    args: [Arg<'a>; N],
) -> Launch<'a> {
    Launch::new(image, grid, args.into())
}

/// Returns a launch of a kernel whose number of arguments is not known at compile time.
pub fn launch_all<'a>(
    image: &'static KernelImage,
    grid: Option<Grid>,
    args: Vec<Arg<'a>>,
) -> Launch<'a> {
    Launch::new(image, grid, args)
}

/// Returns `true` if two element types are the same.
pub fn is<A: Element, B: Element>() -> bool {
    TypeId::of::<A>() == TypeId::of::<B>()
}

/// Casts a `&Tensor` to a type that is known to be the same.
///
/// # Panics
/// Panics if the types differ. The stub compares them before the call.
pub fn shared_as<A: 'static, B: 'static>(value: &A) -> &B {
    let value: &dyn Any = value;
    value.downcast_ref().expect(SAME)
}

/// Casts a `&mut Tensor` to a type that is known to be the same.
///
/// # Panics
/// Panics if the types differ. The stub compares them before the call.
pub fn exclusive_as<A: 'static, B: 'static>(value: &mut A) -> &mut B {
    let value: &mut dyn Any = value;
    value.downcast_mut().expect(SAME)
}

/// Casts a value to a type that is known to be the same.
///
/// # Panics
/// Panics if the types differ. The stub compares them before the call.
pub fn value_as<A: 'static, B: 'static>(value: A) -> B {
    let mut value = Some(value);
    let value: &mut dyn Any = &mut value;
    let value: &mut Option<B> = value.downcast_mut().expect(SAME);
    value.take().expect("it was just put there")
}

/// The panic message of [`shared_as`], [`exclusive_as`] and [`value_as`].
const SAME: &str = "the stub compares the types before";

/// Returns the name of an element type, without its path.
pub fn type_name<T: Element>() -> String {
    let name = std::any::type_name::<T>();
    name.rsplit("::").next().unwrap_or(name).to_owned()
}

/// Formats a const argument.
pub fn shown(value: impl std::fmt::Display) -> String {
    value.to_string()
}

/// Returns the error for an instance that was not compiled.
pub fn not_compiled(
    kernel: &'static str,
    asked: &[(&'static str, String)],
    listed: &[&'static str],
) -> Error {
    let asked = asked
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    let asked: Vec<String> = asked.collect();
    Error::NotCompiled {
        kernel,
        instance: asked.join(", "),
        listed: listed.to_vec(),
    }
}

/// Makes an argument of a `&Tensor`.
pub fn shared<T: Element, const R: usize>(tensor: &Tensor<T, R>) -> Arg<'_> {
    Arg::tensor(tensor, crate::driver::Access::Shared)
}

/// Makes an argument of a `&mut Tensor`.
pub fn exclusive<T: Element, const R: usize>(tensor: &mut Tensor<T, R>) -> Arg<'_> {
    Arg::tensor(tensor, crate::driver::Access::Exclusive)
}

/// Makes an argument for a parameter `*const T` or `*mut T`.
pub fn pointer<'a>(pointer: impl Into<PointerArg>) -> Arg<'a> {
    Arg::pointer(pointer.into().0)
}

/// A raw pointer without its static type.
pub struct PointerArg(TensorArg);

impl<T: Element> From<DevicePtr<T>> for PointerArg {
    fn from(pointer: DevicePtr<T>) -> Self {
        PointerArg(pointer.target)
    }
}

impl<T: Element> From<DevicePtrMut<T>> for PointerArg {
    fn from(pointer: DevicePtrMut<T>) -> Self {
        PointerArg(pointer.target)
    }
}

/// Makes an argument that is passed by value.
pub fn scalar<'a>(value: impl ScalarArg) -> Arg<'a> {
    Arg::scalar(value.bits())
}
