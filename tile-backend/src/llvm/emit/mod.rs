//! Emits the GPU IR as an LLVM module.
//!
//! In: a [`Kernel`] whose shared memory is allocated and whose barriers are placed. Out: a module that
//! [`super::compile`] turns into PTX.
//!
//! A uniform value becomes one LLVM value, and a distributed value one LLVM value per register; both are
//! `Registers`. The layout determines which element a register holds. It matters only where memory is
//! accessed, coordinates are computed, or lanes exchange values.
//!
//! | file | holds |
//! |---|---|
//! | `code` | typed helpers over the LLVM builder |
//! | `address` | lane and warp numbers, and addresses computed from them |
//! | `control`, `carried` | loops and branches, forms of loop-carried values |
//! | `copy` | asynchronous copies to shared memory (`cp.async`) |
//! | `tma_load`, `tma_store` | TMA loads and stores, mbarriers |
//! | `bulk` | bulk copies of rows to shared memory |
//! | `cluster`, `cluster_split` | TMA multicast, cluster split |
//! | `warp_specialize`, `ping_pong` | producer and consumer warps, ping-pong scheduling |
//! | `global`, `cut` | tiles of global memory: whole, at an edge with whole vectors, ragged |
//! | `masked`, `caching` | accesses under a predicate, with an ordering, or with cache hints |
//! | `pointer` | addresses, and access by them |
//! | `atomic` | atomic updates |
//! | `persistent`, `raster_order` | the work tile of a block |
//! | `variable` | variables of the module |
//! | `arena` | memory of the block that is not shared memory |
//! | `shared`, `transpose_shared` | tiles of shared memory, `ldmatrix`, constant tables, transposition |
//! | `wgmma`, `mma`, `mma_scaled`, `mma_loop` | matmuls: on tensor cores, element by element |
//! | `lazy_rescale` | lazy rescaling of accumulators |
//! | `redux` | reductions over a warp by one instruction |
//! | `reduce`, `scan` | reductions and prefixes over registers, lanes and warps |
//! | `shuffle`, `convert_layout` | movement between lanes: of one number, to another layout |
//! | `slice` | slices of tiles, packing and unpacking of elements |
//! | `small` | floats of eight bits and fewer as wider ones |
//! | `debug` | source locations |
//! | `assert` | assertions |
//! | `print` | printing |
//! | `inline_ptx` | inline PTX |
//! | `order` | dependent launches, aliased memory |
//! | `element` | element-wise operations, by group |
//!
//! Invariants:
//! - an operation that the architecture or this emitter lacks gives [`BackendError::Unsupported`], with its
//!   name, type and location
//! - float arithmetic has no fast-math flags: an operation that is rounded once in the IR is rounded once

mod address;
mod arena;
mod assert;
mod atomic;
mod bulk;
mod caching;
mod carried;
mod cluster;
mod cluster_split;
mod code;
mod control;
mod convert_layout;
mod copy;
mod cut;
mod debug;
mod element;
mod global;
mod inline_ptx;
mod lazy_rescale;
mod masked;
mod mma;
mod mma_loop;
mod mma_scaled;
mod order;
mod persistent;
mod ping_pong;
mod pointer;
mod print;
mod raster_order;
mod reduce;
mod redux;
mod scan;
mod shared;
mod shuffle;
mod slice;
mod small;
#[cfg(test)]
mod tests;
mod tma_load;
mod tma_store;
mod transpose_shared;
mod variable;
mod warp_specialize;
mod wgmma;

pub use self::order::min_ptx;

use inkwell::module::Module;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use rustc_hash::FxHashMap;
use tile_core::{Loc, Scalar};

use self::address::Thread;
use self::code::Code;
use self::control::Flow;
use self::debug::Sources;
use self::tma_load::Scope;
use super::Context;
use super::intrinsics::Intrinsic;
use super::kernel::{self, Aliasing, KernelFrame, KernelParam};
use crate::error::BackendError;
use crate::gpu::{Access, BufferId, Dependents, Kernel, Op, OpKind, ParamKind, Side, Ty, ValueId};
use crate::layout::{AddressParts, Axis, InDim};
use crate::level::DebugInfo;
use crate::schedule::warpgroup_registers;
use crate::target::Arch;

type Result<T> = std::result::Result<T, BackendError>;

/// The part of a value that a thread holds: one LLVM value per register, or a single one for a uniform value.
type Registers<'ctx> = Vec<BasicValueEnum<'ctx>>;

/// Returns the LLVM module of `kernel`, for `arch`.
pub fn emit<'ctx>(cx: &'ctx Context, kernel: &Kernel, arch: Arch) -> Result<Module<'ctx>> {
    let module = cx.module(&kernel.name, arch)?;
    emit_into(cx, module, kernel, arch, DebugInfo::None)
}

/// Does the same as [`emit`], but adds the kernel to a module that may contain other kernels, with the debug
/// information that `debug` asks for.
pub fn emit_into<'ctx>(
    cx: &'ctx Context,
    module: Module<'ctx>,
    kernel: &Kernel,
    arch: Arch,
    debug: DebugInfo,
) -> Result<Module<'ctx>> {
    emit_for(cx, module, kernel, arch, debug, |code| {
        code.nvvm(Intrinsic::ThreadIdX, &[])[0].into_int_value()
    })
}

/// Does the same as [`emit_into`], with the thread number that `thread` computes.
fn emit_for<'ctx>(
    cx: &'ctx Context,
    module: Module<'ctx>,
    kernel: &Kernel,
    arch: Arch,
    debug: DebugInfo,
    thread: impl FnOnce(&Code<'ctx>) -> IntValue<'ctx>,
) -> Result<Module<'ctx>> {
    let waits = waits_for_kernels(kernel);
    let mut frame = KernelFrame::new(kernel.name.clone(), kernel.threads());
    frame.blocks_per_multiprocessor = kernel.launch.blocks_per_multiprocessor;
    // `setmaxnreg` moves registers relative to the initial number, so that must be fixed for ptxas.
    let moved = warpgroup_registers(kernel, arch);
    let requested = kernel.requests.options.max_registers;
    frame.max_registers = moved.map(|registers| registers.start).or(requested);
    frame.cluster = (kernel.launch.blocks_per_tile > 1).then_some(kernel.launch.blocks_per_tile);
    frame.params = kernel
        .params
        .iter()
        .map(|param| kernel_param(param.kind, waits))
        .chain(kernel.maps.iter().map(|_| KernelParam::TensorMap))
        .chain(persistent::params(kernel))
        .collect();
    let function = frame.declare(&module);
    let code = Code {
        cx: cx.inkwell(),
        builder: cx.inkwell().create_builder(),
        module,
    };
    code.builder
        .position_at_end(code.cx.append_basic_block(function, "entry"));
    let thread = thread(&code);
    let warp = code.lshr(thread, code.i32(5));
    let thread = Thread {
        lane: code.and(thread, code.i32(31)),
        warp: cluster_split::warp_of_cluster(&code, kernel, warp),
        warp_bits: kernel.launch.num_warps.ilog2(),
    };
    let sources = Sources::new(&code.module, function, &kernel.name, kernel.loc, debug);
    let mut emitter = Emitter {
        kernel,
        arch,
        waits,
        code,
        sources,
        thread,
        values: vec![None; kernel.num_values()],
        loops: Vec::new(),
        place: None,
        print_args: None,
        has_producer_warps: false,
        descriptors: FxHashMap::default(),
        arrivals: FxHashMap::default(),
        freed: FxHashMap::default(),
    };
    emitter.refuse_clusters()?;
    emitter.declare_variables();
    for (param, value) in kernel.params.iter().zip(function.get_param_iter()) {
        let value = match param.kind {
            ParamKind::Pointer { .. } => value,
            ParamKind::Scalar(scalar) => emitter.code.to_register(value, scalar),
        };
        emitter.define(param.value, vec![value]);
    }
    emitter.place = emitter.work_tile_of_block_id();
    emitter.take_slots();
    match emitter.block(kernel.body())? {
        control::End::Yield(_) => emitter.finish(),
        control::End::Elsewhere => {}
    }
    if let Some(sources) = &emitter.sources {
        sources.finish();
    }
    Ok(emitter.code.module)
}

/// Returns `true` if a kernel waits for others.
fn waits_for_kernels(kernel: &Kernel) -> bool {
    let mut kinds = kernel.op_ids().map(|id| &kernel.op(id).kind);
    kinds.any(|kind| matches!(kind, OpKind::Dependents(Dependents::Wait)))
}

/// Describes a parameter. In a kernel that waits for others (`waits`), memory changes during the launch, and
/// it is not only the kernel itself that writes it: otherwise LLVM would move loads before the wait.
fn kernel_param(kind: ParamKind, waits: bool) -> KernelParam {
    match kind {
        ParamKind::Pointer {
            pointee: _,
            access,
            align_bytes,
            is_unique,
        } => KernelParam::Global {
            align_bytes,
            access: match access {
                Access::Read if !waits => kernel::Access::Read,
                Access::Read | Access::Write => kernel::Access::Write,
            },
            aliasing: if is_unique && !waits {
                Aliasing::Unique
            } else {
                Aliasing::Shared
            },
        },
        ParamKind::Scalar(scalar) => match scalar {
            Scalar::I1
            | Scalar::I4
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::F8E4M3FN
            | Scalar::F8E5M2
            | Scalar::F8E8M0FNU
            | Scalar::F4E2M1FN => KernelParam::Integer(code::memory_bits(scalar)),
            Scalar::F16 => KernelParam::F16,
            Scalar::BF16 => KernelParam::Bf16,
            Scalar::F32 | Scalar::TF32 => KernelParam::F32,
            Scalar::F64 => KernelParam::F64,
        },
    }
}

/// A kernel that is being emitted.
struct Emitter<'k, 'ctx> {
    kernel: &'k Kernel,
    arch: Arch,
    /// `true` if the kernel waits for others, which write memory until then.
    waits: bool,
    code: Code<'ctx>,
    sources: Option<Sources>,
    thread: Thread<'ctx>,
    values: Vec<Option<Registers<'ctx>>>,
    /// The enclosing loops of the current operation, innermost last.
    loops: Vec<control::Loop<'ctx>>,
    /// The work tile of the block, if it differs from the hardware's block index.
    place: Option<[IntValue<'ctx>; 3]>,
    /// The local memory for the arguments of `vprintf`, once a call has needed it.
    print_args: Option<PointerValue<'ctx>>,
    /// `true` once warps are specialized: producer warps do not take part in later barriers.
    has_producer_warps: bool,
    /// Descriptors of the warpgroup's parts of buffers, by the buffer, the side of the MMA that reads it, and
    /// the extent of the part.
    descriptors: FxHashMap<(BufferId, Side, u64), IntValue<'ctx>>,
    /// For each circular buffer with cluster reach, the address of the mbarriers at which a lane arrives to
    /// release stages.
    arrivals: FxHashMap<BufferId, IntValue<'ctx>>,
    /// For each stage that a loop carries as an mbarrier (see `carried`), the address at which a lane
    /// arrives.
    freed: FxHashMap<ValueId, IntValue<'ctx>>,
}

impl<'ctx> Emitter<'_, 'ctx> {
    /// Returns the accesses of all kernels to memory to which this kernel has the accesses `access`.
    fn access(&self, access: Access) -> Access {
        if self.waits { Access::Write } else { access }
    }

    fn define(&mut self, value: ValueId, registers: Registers<'ctx>) {
        debug_assert_eq!(
            registers.len(),
            self.num_registers(self.kernel.ty(value)),
            "one LLVM value per register"
        );
        self.values[value.index()] = Some(registers);
    }

    fn registers(&self, value: ValueId) -> &Registers<'ctx> {
        self.values[value.index()]
            .as_ref()
            .expect("the verifier says that operands are defined before")
    }

    fn uniform(&self, value: ValueId) -> BasicValueEnum<'ctx> {
        self.registers(value)[0]
    }

    fn int(&self, value: ValueId) -> IntValue<'ctx> {
        self.uniform(value).into_int_value()
    }

    fn pointer(&self, value: ValueId) -> PointerValue<'ctx> {
        self.uniform(value).into_pointer_value()
    }

    fn num_registers(&self, ty: Ty) -> usize {
        ty.layout()
            .map_or(1, |id| self.kernel.layout(id).num_registers())
    }

    fn scalar(&self, value: ValueId) -> Scalar {
        let scalar = self.kernel.ty(value).scalar();
        scalar.expect("only a base is a pointer")
    }

    fn unsupported(&self, what: impl Into<String>, loc: Loc) -> BackendError {
        BackendError::Unsupported {
            what: what.into(),
            arch: self.arch,
            loc,
        }
    }

    /// Refuses layouts that are distributed over several blocks: they need clusters, which this emitter does
    /// not support.
    fn refuse_clusters(&self) -> Result<()> {
        for (_, layout) in self.kernel.layouts() {
            if layout.bases(InDim::Block).iter().any(|&basis| basis != 0) {
                return Err(self.unsupported("a tile spread over several blocks", self.kernel.loc));
            }
        }
        Ok(())
    }

    /// Sets `loc` as the source location of subsequent code.
    fn enter(&mut self, loc: Loc) {
        if let Some(sources) = &mut self.sources {
            sources.enter(&self.code, loc);
        }
    }

    fn op(&mut self, op: &Op) -> Result<Flow> {
        self.enter(op.loc);
        let result = |index: usize| op.results[index];
        match &op.kind {
            OpKind::Constant(bits) => {
                let value = self.code.constant(self.scalar(result(0)), *bits);
                let count = self.num_registers(self.kernel.ty(result(0)));
                self.define(result(0), vec![value; count]);
            }
            OpKind::ConstantEach(data) => self.constant_each(op, data),
            OpKind::BlockId(axis) => {
                let placed = self.place.map(|place| place[usize::from(*axis)].into());
                let value = placed.unwrap_or_else(|| self.block_id(*axis));
                self.define(result(0), vec![value]);
            }
            OpKind::GridSize(axis) => {
                let value = self.grid_size(*axis);
                self.define(result(0), vec![value]);
            }
            OpKind::WorkTileRange => self.work_tile_range(op),
            OpKind::WorkTileCoordinates => self.work_tile_coordinates(op),
            OpKind::Splat => {
                let count = self.num_registers(self.kernel.ty(result(0)));
                self.define(result(0), vec![self.uniform(op.args[0]); count]);
            }
            OpKind::ToUniform => {
                let value = self.uniform(op.args[0]);
                self.define(result(0), vec![value]);
            }
            OpKind::Coordinate(axis) => self.coordinate(result(0), *axis),
            OpKind::Compute(element) => self.compute(op, element)?,
            OpKind::Ptx(text) => self.inline_ptx(op, text),
            OpKind::LazyRescale(element) => self.lazy_rescale(op, element, false)?,
            OpKind::WaitWgmmaAndRescale(element) => self.lazy_rescale(op, element, true)?,
            OpKind::PermuteRegisters(sources) => {
                let from = self.registers(op.args[0]);
                let registers = sources.iter().map(|source| from[source.index()]).collect();
                self.define(result(0), registers);
            }
            OpKind::LoadGlobal(tile) => self.load_global(op, tile),
            OpKind::Pad(tile) => self.pad(op, tile),
            OpKind::StoreGlobal(tile) => self.store_global(op, tile),
            OpKind::Memory(memory) => self.memory(op, memory)?,
            OpKind::StoreShared(buffer) => self.store_shared(op, *buffer)?,
            OpKind::StoreMatrix(buffer) => self.store_matrix(op, *buffer)?,
            OpKind::LoadShared(buffer) => self.load_shared(op, *buffer)?,
            OpKind::LoadMatrix(buffer) => self.load_matrix(op, *buffer)?,
            &OpKind::TransposeShared(matrix) => self.transpose_shared(op, matrix)?,
            OpKind::CopyAsync(copy) => self.copy_async(op, copy)?,
            OpKind::CommitGroup => {
                self.code.nvvm(Intrinsic::CpAsyncCommit, &[]);
            }
            OpKind::WaitGroup(left) => {
                let left = self.code.i32(*left).into();
                self.code.nvvm(Intrinsic::CpAsyncWaitGroup, &[left]);
                let is_multistage = |id: &BufferId| self.kernel.buffer(*id).stages > 1;
                self.fence_for_tensor_cores(self.kernel.buffer_ids().filter(is_multistage));
            }
            OpKind::InitMbarriers(barriers, arrivals) => self.init_mbarriers(*barriers, *arrivals),
            OpKind::InvalidateMbarriers(barriers) => self.invalidate_mbarriers(*barriers),
            OpKind::ArriveExpectTx(expected) => self.arrive_expect_tx(op, *expected),
            OpKind::TmaLoad(copy) => self.tma_load(op, copy)?,
            OpKind::PrefetchMaps => self.prefetch_maps(),
            OpKind::BulkCopy(copy) => self.bulk_copy(op, copy)?,
            OpKind::ConsumerWait(barriers) => {
                let [stage, parity] = [0, 1].map(|operand| self.int(op.args[operand]));
                self.wait_phase(*barriers, stage, parity, Scope::Block);
            }
            OpKind::WarpSpecialize => self.warp_specialize(op)?,
            OpKind::ProducerAcquire(pipeline_barriers) => {
                self.producer_acquire(op, *pipeline_barriers);
            }
            OpKind::ProducerTail(pipeline_barriers) => self.producer_tail(op, *pipeline_barriers),
            OpKind::ConsumerRelease(pipeline_barriers) => {
                self.consumer_release(op, *pipeline_barriers);
            }
            OpKind::FenceProxyAsync => self.fence_proxy_async(),
            OpKind::TmaStore(store) => self.tma_store(op, store)?,
            OpKind::WaitTmaStores(wait) => self.wait_tma_stores(*wait),
            OpKind::Barrier => self.barrier(),
            OpKind::ClusterBarrier => self.cluster_barrier(),
            OpKind::Mma(mma) => self.mma(op, *mma)?,
            OpKind::MmaScaled(mma) => self.mma_scaled(op, *mma)?,
            OpKind::MmaLoop(mma) => self.mma_loop(op, mma)?,
            OpKind::Wgmma(mma) => self.wgmma(op, mma)?,
            &OpKind::PingPong(action) => self.ping_pong(action),
            &OpKind::WaitWgmma(left) => self.wait_wgmma(op, left),
            OpKind::ReduceWarp(plan) => self.reduce_warp(op, plan)?,
            OpKind::StorePartials(partials) => self.store_partials(op, partials)?,
            OpKind::CombinePartials(partials) => self.combine_partials(op, partials)?,
            OpKind::ConvertLayoutShuffle => self.convert_layout_shuffle(op)?,
            OpKind::ConvertLayoutShared(buffer) => self.convert_layout_shared(op, *buffer)?,
            OpKind::ScanWarp(step) => self.scan_warp(op, step)?,
            OpKind::ScanAcross(partials, step) => self.scan_across(op, partials, step)?,
            OpKind::InsertSlice(merge) => self.insert_slice(op, merge),
            OpKind::ExtractSlice(pick) => self.extract_slice(op, pick),
            OpKind::LoadSlice(buffer) => self.load_slice(op, *buffer)?,
            OpKind::Repack => self.repack(op),
            OpKind::For { unsigned } => return self.for_loop(op, *unsigned),
            OpKind::Loop => return self.endless_loop(op),
            OpKind::If => return self.branch(op),
            OpKind::Continue | OpKind::Break => return Ok(self.jump(op)),
            OpKind::Assert(message) => self.assert(op, message),
            OpKind::Print(pieces) => self.print(op, pieces),
            OpKind::LoadElement { buffer, offset } => self.load_element(op, *buffer, *offset),
            OpKind::Dependents(dependents) => self.dependents(*dependents),
            OpKind::AliasFence => self.alias_fence(),
            OpKind::Yield => unreachable!("a block ends at its yield"),
            OpKind::Return => {
                self.finish();
                return Ok(Flow::Ended);
            }
        }
        Ok(Flow::Next)
    }

    /// Returns the hardware's block index.
    fn block_id(&self, axis: u8) -> BasicValueEnum<'ctx> {
        let per_axis = [
            Intrinsic::BlockIdX,
            Intrinsic::BlockIdY,
            Intrinsic::BlockIdZ,
        ];
        let block = self.code.nvvm(per_axis[usize::from(axis)], &[])[0];
        self.work_tile_of_block(axis, block)
    }

    fn grid_size(&self, axis: u8) -> BasicValueEnum<'ctx> {
        self.passed_extent(axis)
            .unwrap_or_else(|| self.started_blocks(axis))
    }

    /// Returns the extent of the launched grid.
    fn started_blocks(&self, axis: u8) -> BasicValueEnum<'ctx> {
        let per_axis = [
            Intrinsic::GridSizeX,
            Intrinsic::GridSizeY,
            Intrinsic::GridSizeZ,
        ];
        let blocks = self.code.nvvm(per_axis[usize::from(axis)], &[])[0];
        self.work_tile_of_block(axis, blocks)
    }

    fn coordinate(&mut self, result: ValueId, axis: Axis) {
        let code = &self.code;
        let ty = code.register_type(self.scalar(result)).into_int_type();
        let parts = AddressParts::coordinate(self.kernel.layout_of(result), axis);
        let runtime = self.thread.runtime(code, &parts.runs);
        let registers = parts
            .constants
            .iter()
            .map(|&constant| {
                let number = code.i32(u32::try_from(constant).expect("an axis is short"));
                let value = if constant & parts.runtime_mask() == 0 {
                    code.add_nuw(runtime, number)
                } else {
                    code.xor(runtime, number)
                };
                code.unsigned(value, ty).into()
            })
            .collect();
        self.define(result, registers);
    }
}
