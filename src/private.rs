//! `__private`: the only names that the expansion of `#[tile_kernel]` uses.
//!
//! Everything here may change with any release; the macro and this crate are
//! used in one version. The images are made of constants, so an instance is a
//! `static` that costs nothing until it is launched.

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

/// What only kernels have: no type of the host has it, so no host code can call a
/// function under `#[tile_fn]`.
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
    /// The file it is written in.
    pub file: &'static str,
    /// The line there.
    pub line: u32,
    /// The names of its parameters, in order.
    pub params: &'static [&'static str],
    /// What was compiled, in order of preference; the last one makes no assumption.
    pub variants: &'static [VariantImage],
    /// The general variant as Tile IR bytecode, and its entry.
    pub bytecode: &'static [u8],
    /// Axes of the grid along which a launch has one block.
    pub single_axes: [bool; 3],
    /// The most blocks along each axis that its stores tell apart.
    pub max_blocks: [u32; 3],
    /// The line of text in PTX that has no body for the CPU device, in place of bytecode.
    pub ptx_alone: Option<u32>,
    /// What a kernel needs whose parallel loop becomes the grid.
    pub plan: Option<PlanImage>,
    /// What a launch checks of the arguments.
    pub facts: &'static [FactImage],
    /// What a launch checks of its numbers, so that blocks store to different places.
    pub claims: &'static [ClaimImage],
    /// Parameters and their axes with the stride 1 in `fast`, where it is not the last one.
    pub units: &'static [(usize, usize)],
    /// Parameters whose strides the kernel reads or states something of.
    pub strides_read: &'static [usize],
    /// What `fast` relies on, of the blocks of a launch.
    pub grid_tiles: &'static [GridTiles],
    program: OnceLock<std::result::Result<Program, String>>,
}

/// There are no more blocks along an axis of the grid than tiles along an axis of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridTiles {
    /// Which axis of the grid.
    pub axis: usize,
    /// Which parameter is the tensor.
    pub param: usize,
    /// Which axis of the tensor.
    pub dim: usize,
    /// Elements of a tile, at least 1.
    pub step: u64,
}

/// What blocks rely on to store to different places of a tensor.
#[derive(Debug)]
pub struct ClaimImage {
    /// The parameter that is stored to.
    pub param: usize,
    /// The line of the store.
    pub line: u32,
    /// What has to hold.
    pub claim: Claim,
    /// Of the result of this.
    pub program: &'static [Step],
}

/// A condition that the kernel states of its arguments.
#[derive(Debug)]
pub struct FactImage {
    /// As written.
    pub text: &'static str,
    /// A truth value.
    pub condition: Term,
}

/// A number that a launch computes from its arguments; truth values are 0 and 1.
#[derive(Debug)]
pub enum Term {
    /// A constant.
    Int(i128),
    /// A number that is an argument.
    Scalar {
        /// The parameter.
        param: usize,
        /// Bits of its type.
        bits: u32,
        /// Whether the type has a sign.
        signed: bool,
    },
    /// The extent of an axis of a tensor: parameter and axis.
    Dim(usize, usize),
    /// The elements from one index of an axis to the next: parameter and axis.
    Stride(usize, usize),
    /// A pointer, or the first element of a tensor, in bytes.
    Address(usize),
    /// `-x`
    Neg(&'static Term),
    /// `!x` of a truth value.
    Not(&'static Term),
    /// The low bits of a number as another type.
    Cast {
        /// Bits of the type.
        bits: u32,
        /// Whether the type has a sign.
        signed: bool,
        /// The number.
        value: &'static Term,
    },
    /// An operator of Rust; `&&` and `||` look at the right side only if needed.
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

/// How a kernel is launched whose parallel loop becomes the grid.
#[derive(Debug)]
pub struct PlanImage {
    /// The ranges that are run through along each axis of the grid.
    pub axes: [&'static [TripsImage]; 3],
    /// Buffers that are passed behind the arguments, full of zeros.
    pub buffers: &'static [BufferImage],
}

/// A range of integers.
#[derive(Debug)]
pub struct TripsImage {
    /// Bits of an integer.
    pub bits: u32,
    /// Whether integers have a sign.
    pub signed: bool,
    /// The first number.
    pub lower: BoundImage,
    /// What all numbers are below.
    pub upper: BoundImage,
    /// From a number to the next.
    pub step: BoundImage,
}

/// An end or the step of a range.
#[derive(Clone, Copy, Debug)]
pub enum BoundImage {
    /// These bits.
    Constant(u64),
    /// The parameter of the entry with this number.
    Parameter(usize),
    /// Known in the kernel only.
    Computed,
}

/// Bytes that the blocks of a launch share.
#[derive(Debug)]
pub struct BufferImage {
    /// However many blocks there are.
    pub fixed: u64,
    /// For each block of the grid.
    pub per_block: u64,
}

/// One compiled variant of an instance.
#[derive(Debug)]
pub struct VariantImage {
    /// What it assumes of its tensors.
    pub kind: VariantKind,
    /// The entry's symbol.
    pub entry: &'static str,
    /// A fatbin: a cubin per architecture, and PTX; empty where the macro did not compile.
    pub fatbin: &'static [u8],
    /// The architectures in it.
    pub archs: &'static [ArchImage],
    /// Per architecture that takes some, the tensor maps behind the parameters.
    pub maps: &'static [(&'static str, &'static [MapImage])],
    /// Per architecture on which blocks take one position of the grid after the other, how many of them a
    /// multiprocessor runs at once; the extents of the grid stand behind the maps.
    pub persistent_blocks_per_sm: &'static [(&'static str, u32)],
    /// Per architecture on which the blocks of a cluster share the tiles of one position of the grid, how many.
    pub blocks_per_tile: &'static [(&'static str, u32)],
    pub(crate) module: ModuleCache,
    #[cfg(feature = "sim")]
    pub(crate) simulated: crate::sim::Cache,
}

/// What a variant assumes of its tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantKind {
    /// 16-byte aligned, innermost stride 1, 32-bit extents.
    Fast,
    /// Nothing.
    General,
}

/// How the code for one architecture is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchImage {
    /// Such as `sm_90a`.
    pub name: &'static str,
    /// Ten times the major plus the minor compute capability: 90 for `sm_90a`.
    pub capability: u32,
    /// Threads per block.
    pub threads: u32,
    /// Dynamic shared memory per block.
    pub shared_bytes: u32,
    /// Blocks of a cluster along the first axis of the grid, where that is a multiple of them; else 1.
    pub cluster: u32,
}

impl ArchImage {
    /// The blocks of a grid that are started together.
    pub(crate) fn cluster_for(&self, grid: [u32; 3]) -> u32 {
        let cluster = self.cluster.max(1);
        if grid[0].is_multiple_of(cluster) {
            cluster
        } else {
            1
        }
    }
}

/// What a tensor map is made of. Parameters are those of the entry.
#[derive(Clone, Copy, Debug)]
pub struct MapImage {
    /// The parameter that points to the first element.
    pub base: usize,
    /// The bytes of an element.
    pub element_bytes: u32,
    /// The driver's number.
    pub swizzle: u32,
    /// Extent, stride and the length of a box, in elements; the axis of stride 1 first.
    pub axes: &'static [(MapNumber, MapNumber, u32)],
}

/// A number of a [`MapImage`].
#[derive(Clone, Copy, Debug)]
pub enum MapNumber {
    /// A parameter of the entry.
    Param(usize),
    /// A constant.
    Constant(u64),
}

/// Bytes at an address that the CUDA driver takes.
#[derive(Debug)]
#[repr(C, align(8))]
pub struct Aligned<T: ?Sized>(pub T);

impl KernelImage {
    /// An instance that has not been launched.
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

    /// With axes of the grid along which a launch has one block.
    #[must_use]
    pub const fn with_single_axes(mut self, axes: [bool; 3]) -> KernelImage {
        self.single_axes = axes;
        self
    }

    /// With the most blocks along each axis that its stores tell apart.
    #[must_use]
    pub const fn with_max_blocks(mut self, blocks: [u32; 3]) -> KernelImage {
        self.max_blocks = blocks;
        self
    }

    /// With the line of text in PTX that has no body for the CPU device.
    #[must_use]
    pub const fn with_ptx_alone(mut self, line: u32) -> KernelImage {
        self.ptx_alone = Some(line);
        self
    }

    /// With what a parallel loop needs that becomes the grid.
    #[must_use]
    pub const fn with_plan(mut self, plan: PlanImage) -> KernelImage {
        self.plan = Some(plan);
        self
    }

    /// With what a launch checks of its numbers, so that blocks store to different places.
    #[must_use]
    pub const fn with_claims(mut self, claims: &'static [ClaimImage]) -> KernelImage {
        self.claims = claims;
        self
    }

    /// With what a launch checks.
    #[must_use]
    pub const fn with_facts(mut self, facts: &'static [FactImage]) -> KernelImage {
        self.facts = facts;
        self
    }

    /// With axes that have the stride 1 in `fast`, and are not the last one.
    #[must_use]
    pub const fn with_units(mut self, units: &'static [(usize, usize)]) -> KernelImage {
        self.units = units;
        self
    }

    /// With parameters whose strides are what the kernel is told, also of axes with one element.
    #[must_use]
    pub const fn with_strides_read(mut self, params: &'static [usize]) -> KernelImage {
        self.strides_read = params;
        self
    }

    /// With tiles that the blocks of `fast` are no more than.
    #[must_use]
    pub const fn with_grid_tiles(mut self, tiles: &'static [GridTiles]) -> KernelImage {
        self.grid_tiles = tiles;
        self
    }

    /// The axis with the stride 1 in `fast`.
    pub(crate) fn unit_axis(&self, param: usize, rank: usize) -> usize {
        let stated = self.units.iter().find(|(tensor, _)| *tensor == param);
        stated.map_or(rank - 1, |(_, axis)| *axis)
    }

    /// The name of a parameter.
    pub(crate) fn param(&self, index: usize) -> &'static str {
        self.params
            .get(index)
            .expect("the stub passes as many arguments as the kernel has parameters")
    }

    /// The decoded bytecode.
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
    /// A variant that has not been loaded.
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

    /// With tensor maps that its entry takes.
    #[must_use]
    pub const fn with_maps(
        mut self,
        maps: &'static [(&'static str, &'static [MapImage])],
    ) -> VariantImage {
        self.maps = maps;
        self
    }

    /// With blocks that take one position of the grid after the other.
    #[must_use]
    pub const fn with_persistent_blocks_per_sm(
        mut self,
        persistent_blocks_per_sm: &'static [(&'static str, u32)],
    ) -> VariantImage {
        self.persistent_blocks_per_sm = persistent_blocks_per_sm;
        self
    }

    /// With clusters of blocks that share the tiles of one position of the grid.
    #[must_use]
    pub const fn with_blocks_per_tile(
        mut self,
        blocks_per_tile: &'static [(&'static str, u32)],
    ) -> VariantImage {
        self.blocks_per_tile = blocks_per_tile;
        self
    }
}

/// The grid that the `grid` option of the attribute gives.
pub fn grid(grid: impl Into<Grid>) -> Option<Grid> {
    Some(grid.into())
}

/// A launch of an instance.
pub fn launch<'a, const N: usize>(
    image: &'static KernelImage,
    grid: Option<Grid>,
    args: [Arg<'a>; N],
) -> Launch<'a> {
    Launch::new(image, grid, args.into())
}

/// A launch of a kernel that is known when the program runs only.
pub fn launch_all<'a>(
    image: &'static KernelImage,
    grid: Option<Grid>,
    args: Vec<Arg<'a>>,
) -> Launch<'a> {
    Launch::new(image, grid, args)
}

/// Whether two element types are one.
pub fn is<A: Element, B: Element>() -> bool {
    TypeId::of::<A>() == TypeId::of::<B>()
}

/// A `&Tensor` of a type that is known to be another's name.
///
/// # Panics
/// If the types differ: the stub has looked.
pub fn shared_as<A: 'static, B: 'static>(value: &A) -> &B {
    let value: &dyn Any = value;
    value.downcast_ref().expect(SAME)
}

/// A `&mut Tensor` of a type that is known to be another's name.
///
/// # Panics
/// If the types differ: the stub has looked.
pub fn exclusive_as<A: 'static, B: 'static>(value: &mut A) -> &mut B {
    let value: &mut dyn Any = value;
    value.downcast_mut().expect(SAME)
}

/// A value of a type that is known to be another's name.
///
/// # Panics
/// If the types differ: the stub has looked.
pub fn value_as<A: 'static, B: 'static>(value: A) -> B {
    let mut value = Some(value);
    let value: &mut dyn Any = &mut value;
    let value: &mut Option<B> = value.downcast_mut().expect(SAME);
    value.take().expect("it was just put there")
}

/// Why a cast of [`shared_as`] and the like holds.
const SAME: &str = "the stub compares the types before";

/// The name of an element type, without where it is defined.
pub fn type_name<T: Element>() -> String {
    let name = std::any::type_name::<T>();
    name.rsplit("::").next().unwrap_or(name).to_owned()
}

/// A const argument as text.
pub fn shown(value: impl std::fmt::Display) -> String {
    value.to_string()
}

/// There is no such instance.
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

/// A `&Tensor` argument.
pub fn shared<T: Element, const R: usize>(tensor: &Tensor<T, R>) -> Arg<'_> {
    Arg::tensor(tensor, crate::driver::Access::Shared)
}

/// A `&mut Tensor` argument.
pub fn exclusive<T: Element, const R: usize>(tensor: &mut Tensor<T, R>) -> Arg<'_> {
    Arg::tensor(tensor, crate::driver::Access::Exclusive)
}

/// A `*const T` or `*mut T` argument.
pub fn pointer<'a>(pointer: impl Into<PointerArg>) -> Arg<'a> {
    Arg::pointer(pointer.into().0)
}

/// A raw pointer without its type.
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

/// An argument by value.
pub fn scalar<'a>(value: impl ScalarArg) -> Arg<'a> {
    Arg::scalar(value.bits())
}
