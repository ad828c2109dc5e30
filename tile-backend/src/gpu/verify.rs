//! The verifier of the GPU IR.

mod cluster;
mod control;
mod flow;
mod memory;
mod pipeline_barriers;
mod tiles;
mod tma;

pub(crate) use pipeline_barriers::all_pipeline_barriers;
pub(in crate::gpu) use tma::is_mbarrier_buffer;

use super::{
    Access, BlockId, BufferId, Caching, Kernel, LayoutId, Op, OpId, OpKind, Side, Ty, ValueId,
    Wgmma,
};
use crate::layout::warpgroup::WARPS;
use crate::layout::{Axis, InDim, OutShape, Warpgroups, is_packed, ldmatrix_plan, stmatrix_plan};
use std::collections::BTreeSet;
use tile_core::Scalar;
use tile_core::ops::{FloatOp, Opcode};
use tile_core::verify::ptx_pack;

/// Checks every invariant of [`super`]. The invariants of memory are checked only after memory has been
/// allocated, since barriers are not placed until then. Returns errors as text that names the operation and
/// its source location. An error is a bug of this compiler, not of the kernel's author.
pub fn verify(kernel: &Kernel) -> Vec<String> {
    let mut verifier = Verifier {
        kernel,
        errors: Vec::new(),
        around: Vec::new(),
    };
    if !kernel.launch.num_warps.is_power_of_two() {
        verifier.error("the number of warps is no power of two");
    }
    let defined: BTreeSet<ValueId> = kernel.params.iter().map(|param| param.value).collect();
    for (id, layout) in kernel.layouts() {
        let threads = layout.bases(InDim::Offset).is_empty();
        if threads && layout.unique_registers().0.num_registers() != layout.num_registers() {
            verifier.error(&format!("layout #{} has copied registers", id.index()));
        }
    }
    verifier.block(kernel.body(), &defined);
    verifier.decisions();
    verifier.kept();
    let of_maps = tma::map_errors(kernel);
    for text in { of_maps }
        .into_iter()
        .chain(pipeline_barriers::errors(kernel))
        .chain(super::persistent::errors(kernel))
        .chain(cluster::errors(kernel))
        .chain(super::cluster_split::errors(kernel))
    {
        verifier.error(&text);
    }
    if verifier.errors.is_empty() {
        for (id, text) in flow::errors(kernel) {
            verifier.error(&format!("{}: {text}", described(kernel, id)));
        }
    }
    verifier.errors
}

struct Verifier<'k> {
    kernel: &'k Kernel,
    errors: Vec<String>,
    /// The operations around the current one.
    around: Vec<OpId>,
}

impl Verifier<'_> {
    fn error(&mut self, text: &str) {
        self.errors.push(format!("{}: {text}", self.kernel.name));
    }

    /// Checks that dedicated buffers share their bytes with no other. The analysis does not see which
    /// operations access a buffer through an address, and the number of an arena slot is needed until the
    /// kernel ends.
    fn kept(&mut self) {
        let kernel = self.kernel;
        let numbers = kernel.arenas.iter().map(|arena| arena.number);
        let dedicated = kernel
            .buffer_ids()
            .filter(|&id| kernel.buffer(id).is_dedicated);
        let kept: BTreeSet<_> = dedicated.chain(numbers).collect();
        let bytes = |id: BufferId| {
            let buffer = kernel.buffer(id);
            let start = buffer.offset_bytes?;
            Some((start, start + buffer.bytes))
        };
        for &kept_buffer in &kept {
            for other in kernel.buffer_ids().filter(|&other| other != kept_buffer) {
                if let (Some(a), Some(b)) = (bytes(kept_buffer), bytes(other))
                    && a.0 < b.1
                    && b.0 < a.1
                {
                    let (kept_buffer, other) = (kept_buffer.index(), other.index());
                    self.error(&format!(
                        "${kept_buffer} is kept, and shares bytes with ${other}"
                    ));
                }
            }
        }
    }

    fn block(&mut self, block: BlockId, outer: &BTreeSet<ValueId>) {
        let mut defined = outer.clone();
        defined.extend(&self.kernel.block(block).args);
        for &id in &self.kernel.block(block).ops {
            let op = self.kernel.op(id);
            for arg in &op.args {
                if !defined.contains(arg) {
                    self.error(&format!("%{} is used before its definition", arg.index()));
                }
            }
            self.op(id);
            self.around.push(id);
            for &block in &op.blocks {
                self.block(block, &defined);
            }
            self.around.pop();
            defined.extend(&op.results);
        }
    }

    fn op(&mut self, id: super::OpId) {
        let kernel = self.kernel;
        let op = kernel.op(id);
        let ty = |index: usize| kernel.ty(op.args[index]);
        let result = |index: usize| kernel.ty(op.results[index]);
        let row = op.kind.row();
        if !row.operands.contains(op.args.len())
            || !row.results.contains(op.results.len())
            || !row.blocks.contains(op.blocks.len())
        {
            let text = format!(
                "wrong number of operands, results or blocks of {:?}",
                op.kind
            );
            self.error(&text);
            return;
        }
        match &op.kind {
            OpKind::Compute(_) | OpKind::Ptx(_) => {
                let layouts: BTreeSet<_> = op
                    // PTX text gets one register per operand, which may hold packed elements. So all operands
                    // need one layout, in which each thread holds whole packs.
                    .args
                    .iter()
                    .chain(&op.results)
                    .map(|&value| kernel.ty(value).layout())
                    .collect();
                if layouts.len() > 1 {
                    self.error(&format!("layouts of `{:?}` differ", op.kind));
                }
                if let OpKind::Ptx(text) = &op.kind {
                    let pack = ptx_pack(text).ilog2();
                    let fits = |layout: &Option<LayoutId>| match layout {
                        Some(layout) => is_packed(kernel.layout(*layout), pack),
                        None => pack == 0,
                    };
                    if !layouts.iter().all(fits) {
                        self.error("no thread holds the elements that a text in PTX takes");
                    }
                }
            }
            OpKind::LazyRescale(element) | OpKind::WaitWgmmaAndRescale(element) => {
                // A warp may skip only multiplications, since a multiplication by 1 changes nothing.
                let is_multiplication = element.opcode == Opcode::Float(FloatOp::MulF)
                    && ty(0).scalar() == Some(Scalar::F32);
                if !is_multiplication
                    || ty(0).layout().is_none()
                    || ty(0) != ty(1)
                    || ty(0) != result(0)
                {
                    self.error("`lazy_rescale` is not an elementwise multiplication of two tiles of one layout");
                }
            }
            OpKind::PermuteRegisters(sources) => {
                let (Some(from), Some(to)) = (ty(0).layout(), result(0).layout()) else {
                    self.error("`permute_registers` needs distributed values");
                    return;
                };
                let to = kernel.layout(to).num_registers();
                let from = kernel.layout(from).num_registers();
                if sources.len() != to || sources.iter().any(|source| source.index() >= from) {
                    self.error("`permute_registers` names a register that does not exist");
                }
            }
            OpKind::LoadGlobal(tile) | OpKind::StoreGlobal(tile) | OpKind::Pad(tile) => {
                let is_store = !matches!(op.kind, OpKind::LoadGlobal(_));
                // Hinted loads use `ld.global.nc`, which is undefined for memory that the kernel writes (PTX
                // ISA, "ld.global.nc").
                if tile.caching != Caching::Normal && tile.access != Access::Read {
                    self.error("caches are told of memory that the kernel writes");
                }
                let value = if is_store { op.args[0] } else { op.results[0] };
                let Ty::Distributed { element, layout } = kernel.ty(value) else {
                    self.error("a global access needs a distributed value");
                    return;
                };
                let sizes = kernel.layout(layout).shape().sizes();
                let same = tile.axes.iter().map(|axis| axis.size).eq(sizes);
                if element != tile.element || !same {
                    self.error("a global access differs from its tile");
                }
                if matches!(op.kind, OpKind::Pad(_)) && kernel.ty(value) != result(0) {
                    self.error("`pad` makes another tile of one");
                }
            }
            OpKind::StoreShared(buffer)
            | OpKind::StoreMatrix(buffer)
            | OpKind::LoadShared(buffer)
            | OpKind::LoadMatrix(buffer) => {
                let is_store = matches!(op.kind, OpKind::StoreShared(_) | OpKind::StoreMatrix(_));
                let value = if is_store {
                    op.args.first()
                } else {
                    op.results.first()
                };
                // Threads write a circular buffer only by copies and transposes, whose waits the flow
                // verifier counts per stage.
                let stages = usize::from(kernel.buffer(*buffer).stages > 1);
                if is_store && stages == 1 || !is_store && op.args.len() != stages {
                    self.error("a circular buffer is filled by copies, and its reads name a stage");
                }
                let layout = value.and_then(|&value| kernel.ty(value).layout());
                let (Some(registers), Some(_)) = (layout, kernel.buffer(*buffer).layout) else {
                    self.error(
                        "a shared access needs a distributed value and a buffer with a layout",
                    );
                    return;
                };
                let registers = kernel.layout(registers);
                let Some(memory) = kernel.memory(*buffer, registers.shape()) else {
                    self.error("a shared access has the wrong shape");
                    return;
                };
                // `ldmatrix` and `stmatrix` prescribe which lane holds which element.
                let bits = u32::try_from(kernel.buffer(*buffer).element.bytes() * 8)
                    .expect("an element has few bits");
                if matches!(op.kind, OpKind::LoadMatrix(_))
                    && ldmatrix_plan(registers, &memory, bits).is_none()
                {
                    self.error("`load_matrix` cannot deliver this layout");
                }
                if matches!(op.kind, OpKind::StoreMatrix(_))
                    && stmatrix_plan(registers, &memory, bits).is_none()
                {
                    self.error("`store_matrix` cannot take this layout");
                }
            }
            OpKind::CopyAsync(copy) => {
                let memory = kernel
                    .buffer(copy.buffer)
                    .layout
                    .map(|id| kernel.layout(id));
                // The vectors must be those that `cp.async` can move: 4, 8 or 16 bytes that are neighbours in
                // both memories.
                let layout = kernel.layout(copy.layout);
                let fits = memory.and_then(|memory| copy.from.for_copy(layout, memory));
                if fits.as_ref() != Some(&copy.from) {
                    self.error("`copy_async` cannot move these vectors");
                } else if kernel.buffer(copy.buffer).stages < 2 {
                    self.error("`copy_async` needs a circular buffer");
                }
            }
            OpKind::InitMbarriers(..)
            | OpKind::InvalidateMbarriers(_)
            | OpKind::ArriveExpectTx(_)
            | OpKind::TmaLoad(_)
            | OpKind::ConsumerWait(_)
            | OpKind::TmaStore(_) => self.errors.extend(
                tma::errors(kernel, op)
                    .into_iter()
                    .map(|text| format!("{}: {text}", kernel.name)),
            ),
            OpKind::BulkCopy(copy) => self.errors.extend(
                super::bulk_copy::errors(kernel, op, copy)
                    .into_iter()
                    .map(|text| format!("{}: {text}", kernel.name)),
            ),
            OpKind::Mma(mma) => {
                if ty(2) != result(0) {
                    self.error("the accumulator and result of `mma` differ");
                }
                let layouts = op.args.iter().map(|&arg| ty_layout(kernel, arg));
                let tiling = layouts
                    .collect::<Option<Vec<_>>>()
                    .and_then(|layouts| mma.tiling(layouts[0], layouts[1], layouts[2]));
                if tiling.is_none() {
                    self.error("the operands of `mma` are no fragments of its instruction");
                }
            }
            OpKind::MmaScaled(mma) => {
                if ty(2) != result(0) {
                    self.error("the accumulator and result of `mma_scaled` differ");
                }
                let layouts = op.args.iter().map(|&arg| ty_layout(kernel, arg));
                let steps = layouts
                    .collect::<Option<Vec<_>>>()
                    .and_then(|layouts| mma.steps(layouts.try_into().ok()?));
                if steps.is_none() {
                    self.error("the operands of `mma_scaled` are no fragments of its instruction");
                }
            }
            OpKind::MmaLoop(mma) => {
                if ty(0) != result(0) {
                    self.error("the accumulator and result of `mma_loop` differ");
                }
                let is_multistage = |buffer: &BufferId| kernel.buffer(*buffer).stages > 1;
                if op.args.len() != 1 + mma.buffers().filter(is_multistage).count() {
                    self.error("`mma_loop` names a stage of each circular buffer");
                }
            }
            OpKind::Wgmma(mma) => self.wgmma(op, mma),
            OpKind::TransposeShared(matrix) => {
                if let Some(error) = matrix.error(kernel, op) {
                    self.error(error);
                }
            }
            OpKind::PingPong(_) => {
                if kernel.launch.num_warps != 2 * WARPS {
                    self.error("`ping_pong` is for two warpgroups");
                }
            }
            OpKind::WaitWgmma(_) => {
                if ty(0) != result(0) {
                    self.error("the accumulator and result of `wait_wgmma` differ");
                }
            }
            OpKind::For { .. }
            | OpKind::Loop
            | OpKind::If
            | OpKind::Yield
            | OpKind::Continue
            | OpKind::Break
            | OpKind::Return
            | OpKind::Assert(_)
            | OpKind::Print(_)
            | OpKind::LoadElement { .. } => self.control(id),
            OpKind::ReduceWarp(plan) => {
                let same = op
                    .args
                    .iter()
                    .all(|&arg| kernel.ty(arg).layout() == ty(0).layout());
                if !same {
                    self.error("operands of `reduce_warp` differ in layout");
                }
                let results = op.results.iter().all(|&value| {
                    kernel.ty(value).layout().map(|id| kernel.layout(id)) == Some(&plan.result)
                });
                if !results {
                    self.error("results of `reduce_warp` differ from the plan");
                }
            }
            OpKind::ConvertLayoutShuffle
            | OpKind::ConvertLayoutShared(_)
            | OpKind::ScanWarp(_)
            | OpKind::ScanAcross(..)
            | OpKind::InsertSlice(_)
            | OpKind::ExtractSlice(_)
            | OpKind::LoadSlice(_)
            | OpKind::Repack => self.errors.extend(
                tiles::errors(kernel, op)
                    .into_iter()
                    .map(|text| format!("{}: {text}", kernel.name)),
            ),
            OpKind::Constant(_)
            | OpKind::ConstantEach(_)
            | OpKind::BlockId(_)
            | OpKind::GridSize(_)
            | OpKind::WorkTileRange
            | OpKind::WorkTileCoordinates
            | OpKind::Splat
            | OpKind::ToUniform
            | OpKind::Coordinate(_)
            | OpKind::CommitGroup
            | OpKind::WaitGroup(_)
            | OpKind::FenceProxyAsync
            | OpKind::WaitTmaStores(..)
            | OpKind::Barrier
            | OpKind::ClusterBarrier
            | OpKind::WarpSpecialize
            | OpKind::ProducerAcquire(_)
            | OpKind::ProducerTail(_)
            | OpKind::ConsumerRelease(_)
            | OpKind::StorePartials(_)
            | OpKind::CombinePartials(_)
            | OpKind::Dependents(_)
            | OpKind::AliasFence => {}
            OpKind::Memory(memory) => self.memory(op, memory),
        }
    }
}

/// Checks of warpgroup MMAs.
impl Verifier<'_> {
    fn wgmma(&mut self, op: &Op, mma: &Wgmma) {
        let kernel = self.kernel;
        let is_multistage = |buffer: &BufferId| kernel.buffer(*buffer).stages > 1;
        let stages = mma.buffers().filter(is_multistage).count();
        if op.args.len() != mma.values() + stages {
            self.error("`wgmma` takes its operands in registers, and names a stage of each circular buffer");
            return;
        }
        if kernel.ty(op.args[0]) != kernel.ty(op.results[0]) {
            self.error("the accumulator and result of `wgmma` differ");
        }
        let accumulator = ty_layout(kernel, op.args[0]);
        let Some((accumulator, groups)) =
            accumulator.and_then(|layout| Some((layout, Warpgroups::from_accumulator(layout)?)))
        else {
            self.error("the accumulator of `wgmma` is not as warpgroups have it");
            return;
        };
        let shape = accumulator.shape();
        let (rows, columns) = (shape.size(Axis(0)), shape.size(Axis(1)));
        let depth = match mma.rhs.sizes(kernel, Side::Right) {
            Some((across, depth)) if across == columns => depth,
            _ => {
                self.error("the right operand of `wgmma` has the wrong shape");
                return;
            }
        };
        // A left operand in registers must be the fragment that the instruction reads (PTX ISA, "wgmma":
        // register fragments).
        let fits = if let Some(lhs) = mma.lhs {
            lhs.sizes(kernel, Side::Left) == Some((rows, depth))
        } else {
            let operand_layout = ty_layout(kernel, op.args[1]);
            operand_layout.is_some_and(|operand_layout| {
                let whole = OutShape::new(&[rows, depth]);
                let bits = mma.kind.element_bits();
                let wanted = whole.and_then(|whole| groups.left(&whole, bits));
                wanted.map(|layout| layout.unique_registers().0).as_ref() == Some(operand_layout)
            })
        };
        if !fits {
            self.error("the left operand of `wgmma` has the wrong shape or layout");
        }
        let matrices = mma.lhs.map(|lhs| (lhs, Side::Left));
        for (matrix, side) in matrices.into_iter().chain([(mma.rhs, Side::Right)]) {
            let buffer = kernel.buffer(matrix.buffer);
            let Some(steps) = matrix.steps(kernel, side) else {
                self.error("an operand of `wgmma` does not consist of swizzle atoms");
                continue;
            };
            // `wgmma` has transpose bits only for 16-bit types (PTX ISA, "wgmma.mma_async"); other types read
            // K-major operands.
            if steps.is_transposed() && mma.kind.element_bits() != 16 {
                self.error("`wgmma` transposes elements of 16 bits alone");
            }
            if !u64::from(buffer.align_bytes).is_multiple_of(steps.align_bytes()) {
                self.error("an operand of `wgmma` is not aligned");
            }
        }
        // In two-level accumulation, threads add the sums, so they must wait for the MMA.
        if mma.in_flight > 0 && mma.has_two_level_accumulation {
            self.error("an in-flight MMA cannot use two-level accumulation");
        }
        // An in-flight MMA still reads its register operand: nothing may reuse those registers before the
        // wait.
        if mma.in_flight > 0 && mma.lhs.is_none() && !self.keeps_operand(op) {
            self.error("the wait for an in-flight MMA does not keep its register operand alive");
        }
        if mma.in_flight > 0 && !self.is_only_waited_for(op.results[0]) {
            self.error("the accumulator of an in-flight MMA is used before the wait");
        }
    }
}

/// Checks of the accumulators of in-flight MMAs.
impl Verifier<'_> {
    /// Returns `true` if a wait for the MMA keeps its left operand in its registers.
    fn keeps_operand(&self, mma: &Op) -> bool {
        let mut ops = self.kernel.op_ids().map(|id| self.kernel.op(id));
        ops.any(|op| {
            op.kind.max_in_flight_mmas().is_some()
                && op.args.first() == Some(&mma.results[0])
                && op.args.last() == Some(&mma.args[1])
        })
    }

    /// Returns `true` if `sum` is only carried by loops, accumulated into by MMAs, and waited for.
    fn is_only_waited_for(&self, sum: ValueId) -> bool {
        let mut worklist = vec![sum];
        let mut seen = BTreeSet::from([sum]);
        while let Some(value) = worklist.pop() {
            for id in self.kernel.op_ids() {
                let op = self.kernel.op(id);
                for index in (0..op.args.len()).filter(|&index| op.args[index] == value) {
                    match &op.kind {
                        kind if kind.max_in_flight_mmas().is_some() && index == 0 => {}
                        OpKind::Wgmma(_) if index == 0 => {}
                        OpKind::Continue => {
                            let carried = self.carried_by(id, index);
                            let fresh = carried.into_iter().flatten();
                            worklist.extend(fresh.filter(|&value| seen.insert(value)));
                        }
                        _ => return false,
                    }
                }
            }
        }
        true
    }

    /// Returns the values that operand `index` of a `continue` becomes: the block argument of the next
    /// iteration, and the result of the loop.
    fn carried_by(&self, jump: OpId, index: usize) -> Option<[ValueId; 2]> {
        let kernel = self.kernel;
        let around = kernel.op_ids().find(|&id| {
            let op = kernel.op(id);
            matches!(op.kind, OpKind::For { .. })
                && op
                    .blocks
                    .iter()
                    .any(|&block| kernel.block(block).ops.last() == Some(&jump))
        })?;
        let op = kernel.op(around);
        let arg = *kernel.block(op.blocks[0]).args.get(1 + index)?;
        Some([arg, *op.results.get(index)?])
    }
}

/// Returns the text by which errors name an operation.
fn described(kernel: &Kernel, id: OpId) -> String {
    let op = kernel.op(id);
    format!("`{}` at {}", op.kind.to_text(), op.loc)
}

fn ty_layout(kernel: &Kernel, value: ValueId) -> Option<&crate::layout::LinearLayout> {
    kernel.ty(value).layout().map(|id| kernel.layout(id))
}
