//! Declares the frame of a kernel: its parameters, its launch bounds, and its shared memory.
//!
//! In: a [`KernelFrame`]. Out: a function without a body, with the calling convention `ptx_kernel`, and with
//! the attributes from which NVPTX prints `.reqntid`, `.minnctapersm` and `.maxnreg`.
//!
//! ptxas needs both the number of threads of a block and the number of blocks of a multiprocessor: without
//! the latter it may ignore `setmaxnreg` (warning C7508).

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicMetadataTypeEnum, BasicType};
use inkwell::values::{FunctionValue, GlobalValue};

use super::AddressSpace;

/// `CallingConv::PTX_Kernel` of LLVM.
const PTX_KERNEL: u32 = 71;

/// The size of a tensor map in bytes.
const TENSOR_MAP_BYTES: u32 = 128;

/// The alignment of a tensor map in bytes.
const TENSOR_MAP_ALIGN_BYTES: u64 = 64;

/// The accesses of the body through a pointer parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// The body only reads the memory, and nothing else writes to it during the launch: `ld.global.nc`.
    Read,
    /// The body may read and write the memory.
    Write,
}

/// The aliasing of a pointer parameter with other parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aliasing {
    /// No other parameter points to the same memory.
    Unique,
    /// Other parameters may point to the same memory.
    Shared,
}

/// One parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelParam {
    /// A pointer to global memory.
    Global {
        /// The alignment in bytes, a power of two. LLVM splits vector accesses that are not known to be
        /// aligned.
        align_bytes: u32,
        /// The accesses of the body.
        access: Access,
        /// The aliasing with other parameters.
        aliasing: Aliasing,
    },
    /// An integer of this many bits: 1, 8, 16, 32 or 64.
    Integer(u32),
    /// `half`.
    F16,
    /// `bfloat`.
    Bf16,
    /// `float`.
    F32,
    /// `double`.
    F64,
    /// A tensor map of 128 bytes, in parameter memory.
    TensorMap,
}

/// The properties of a kernel except its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelFrame {
    /// The name of the kernel in PTX.
    pub name: String,
    /// The parameters in order.
    pub params: Vec<KernelParam>,
    /// The exact number of threads per block.
    pub threads: u32,
    /// Minimum number of resident blocks per multiprocessor, which bounds the registers per thread.
    pub blocks_per_multiprocessor: u32,
    /// Maximum number of registers per thread, if it must be lower than the bound from the number of blocks.
    pub max_registers: Option<u32>,
    /// The number of blocks per cluster along x; `None` without clusters.
    pub cluster: Option<u32>,
}

impl KernelFrame {
    /// Creates a kernel of `threads` threads per block, with at least one block per multiprocessor.
    pub fn new(name: impl Into<String>, threads: u32) -> Self {
        Self {
            name: name.into(),
            params: Vec::new(),
            threads,
            blocks_per_multiprocessor: 1,
            max_registers: None,
            cluster: None,
        }
    }

    /// Adds the kernel to `module`, without a body.
    pub fn declare<'ctx>(&self, module: &Module<'ctx>) -> FunctionValue<'ctx> {
        let Self {
            name,
            params,
            threads,
            blocks_per_multiprocessor,
            max_registers,
            cluster,
        } = self;
        let cx = module.get_context();
        let types: Vec<_> = params.iter().map(|param| param.type_in(module)).collect();
        let ty = cx.void_type().fn_type(&types, false);
        let function = module.add_function(name, ty, Some(Linkage::External));
        function.set_call_conventions(PTX_KERNEL);
        let set = |key: &str, value: String| {
            let attribute = cx.create_string_attribute(key, &value);
            function.add_attribute(AttributeLoc::Function, attribute);
        };
        set("nvvm.reqntid", threads.to_string());
        set("nvvm.minctasm", blocks_per_multiprocessor.to_string());
        if let Some(registers) = max_registers {
            set("nvvm.maxnreg", registers.to_string());
        }
        if let Some(blocks) = cluster {
            set("nvvm.cluster_dim", blocks.to_string());
        }
        function.add_attribute(AttributeLoc::Function, flag(module, "nounwind"));
        for (index, param) in (0..).zip(params) {
            for attribute in param.attributes(module) {
                function.add_attribute(AttributeLoc::Param(index), attribute);
            }
        }
        function
    }
}

impl KernelParam {
    fn type_in<'ctx>(self, module: &Module<'ctx>) -> BasicMetadataTypeEnum<'ctx> {
        let cx = module.get_context();
        match self {
            Self::Global { .. } => cx.ptr_type(AddressSpace::Global.into()).into(),
            Self::Integer(bits) => {
                let bits = std::num::NonZeroU32::new(bits).expect("an integer has bits");
                cx.custom_width_int_type(bits)
                    .expect("a width that LLVM has")
                    .into()
            }
            Self::F16 => cx.f16_type().into(),
            Self::Bf16 => cx.bf16_type().into(),
            Self::F32 => cx.f32_type().into(),
            Self::F64 => cx.f64_type().into(),
            Self::TensorMap => cx.ptr_type(AddressSpace::Generic.into()).into(),
        }
    }

    fn attributes(self, module: &Module<'_>) -> Vec<Attribute> {
        let (align_bytes, access, aliasing) = match self {
            Self::Global {
                align_bytes,
                access,
                aliasing,
            } => (align_bytes, access, aliasing),
            Self::TensorMap => {
                // Without the last attribute, LLVM would copy the map to local memory, where no instruction
                // accepts it.
                let cx = module.get_context();
                let map = cx.i8_type().array_type(TENSOR_MAP_BYTES);
                let by_value = Attribute::get_named_enum_kind_id("byval");
                return vec![
                    cx.create_type_attribute(by_value, map.into()),
                    with_value(module, "align", TENSOR_MAP_ALIGN_BYTES),
                    cx.create_string_attribute("nvvm.grid_constant", ""),
                ];
            }
            _ => return Vec::new(),
        };
        let mut attributes = vec![with_value(module, "align", u64::from(align_bytes))];
        match access {
            Access::Read => attributes.push(flag(module, "readonly")),
            Access::Write => {}
        }
        match aliasing {
            Aliasing::Unique => attributes.push(flag(module, "noalias")),
            Aliasing::Shared => {}
        }
        attributes
    }
}

fn flag(module: &Module<'_>, name: &str) -> Attribute {
    with_value(module, name, 0)
}

fn with_value(module: &Module<'_>, name: &str, value: u64) -> Attribute {
    let kind = Attribute::get_named_enum_kind_id(name);
    assert!(kind != 0, "`{name}` is an attribute of LLVM 22");
    module.get_context().create_enum_attribute(kind, value)
}

/// Returns the module's dynamic shared memory: `.extern .shared`, of the size that the launch requests.
///
/// It is aligned to 1,024 bytes, as 128-byte swizzles require. Every call returns the same global.
pub fn dynamic_shared<'ctx>(module: &Module<'ctx>) -> GlobalValue<'ctx> {
    const NAME: &str = "tile_shared";
    if let Some(global) = module.get_global(NAME) {
        return global;
    }
    let ty = module
        .get_context()
        .i8_type()
        .array_type(0)
        .as_basic_type_enum();
    let global = module.add_global(ty, Some(AddressSpace::Shared.into()), NAME);
    global.set_linkage(Linkage::External);
    global.set_alignment(1024);
    global
}
