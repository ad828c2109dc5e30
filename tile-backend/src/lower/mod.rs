//! Lowers tile IR to GPU IR, which is stage 8 of the compiler.
//!
//! Input: canonical tile IR and a target. Output: one [`gpu::Kernel`] per entry, with layouts, layout
//! conversions, and shared-memory buffers. The buffers have no addresses yet, and there are no barriers yet.
//!
//! - Tiles of rank 0 become uniform values; other tiles become distributed values.
//! - Pointers become addresses. Views become part of the accesses that use them, and tokens become the order
//!   of accesses, from which barriers follow.
//! - An operand whose layout differs from the one that its operation needs is converted where it is defined,
//!   outside of loops that do not change it.
//! - Operations that the target lacks are reported as errors, by name.

mod access;
mod assign;
mod atomic;
mod combiner;
mod control_flow;
mod convert;
mod effects;
mod element;
mod entry;
mod hints;
mod in_warps;
mod index_range;
mod mma;
mod mma_strategy;
mod pointer;
mod reduce;
mod rematerialize;
mod repack;
mod scan;
mod shape;
mod slice;
mod supported;
mod tma_store;
mod variables;
mod view;
mod view_elements;
mod width;

#[cfg(test)]
mod tests;

use crate::analysis::divisibility::Divisibility;
use crate::analysis::provenance::Provenance;
use crate::analysis::tokens::TokenOrder;
use crate::gpu::{self, Kernel, LayoutId, OpKind, ParamKind, Root, Roots, Ty};
use crate::layout::LinearLayout;
use crate::options::KernelOptions;
use crate::remarks::Remarks;
use crate::schedule::LoweringSchedule;
use crate::schedule::retry::Feedback;
use crate::schedule::tma_stores::{Considered, StoreRules};
use crate::target::Arch;
pub(crate) use access::{
    AccessLayouts, AccessShape, Extent, Missing, Narrowing, ViewFacts, roots_of,
};
use assign::Assignment;
pub(crate) use assign::{is_elementwise, tile_shape};
pub(crate) use combiner::is_commutative;
use index_range::GridBounds;
pub(crate) use mma_strategy::{MatmulChains, is_matmul, operand_replication, without_tensor_cores};
use rustc_hash::FxHashMap;
use tile_core::diag::{Code, Diagnostic, Diagnostics};
use tile_core::ir::{BlockId, Op, OpId, ValueId};
use tile_core::ops::{ConversionOp, CoreOp, MiscOp, Opcode};
use tile_core::types::{Element, TypeKind};
use tile_core::{Loc, Module, Reported, Scalar};

/// Lowers every entry of a canonical module for `arch`. Errors, such as an operation that the target lacks,
/// are reported. Each kernel comes with the schedule that it was lowered with.
pub fn lower(
    module: &Module,
    arch: Arch,
    kernel_options: KernelOptions,
    feedback: Feedback<'_>,
    remarks: &mut Remarks,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<(Kernel, LoweringSchedule)>, Reported> {
    let mut kernels = Vec::new();
    for entry in module.entries() {
        kernels.extend(entry::lower(
            module,
            entry,
            arch,
            kernel_options,
            feedback,
            remarks,
            diagnostics,
        ));
    }
    diagnostics.checkpoint()?;
    Ok(kernels)
}

/// Returns the type in which an element is held; a pointer is held as its address.
fn number(element: Element) -> Scalar {
    match element {
        Element::Ptr(_) => Scalar::I64,
        Element::Scalar(scalar) => scalar,
    }
}

/// How control enters the code of a scope from the enclosing scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeKind {
    /// The body of the kernel.
    Straight,
    /// A loop: code that does not depend on the loop may be hoisted.
    Loop,
    /// A branch: code must stay inside, since it may not be executed.
    Branch,
}

/// A block under construction.
struct Scope {
    block: gpu::BlockId,
    kind: ScopeKind,
    /// Values that were already converted to a layout in this scope.
    converted: FxHashMap<(gpu::ValueId, LayoutId, convert::Purpose), gpu::ValueId>,
    /// Buffers that already hold a value, by the value and its layout in shared memory.
    stored: FxHashMap<(gpu::ValueId, LayoutId), gpu::BufferId>,
}

/// The state of lowering one entry.
struct Lowering<'a> {
    module: &'a Module,
    arch: Arch,
    /// Decides which tiles TMA stores.
    store_rules: &'a StoreRules<'a>,
    /// The stores that have been decided.
    stores: Vec<Considered>,
    /// Upper bounds of the numbers of work tiles along the grid axes.
    grid: GridBounds,
    kernel: Kernel,
    provenance: &'a Provenance,
    /// The order that tokens give to memory operations.
    tokens: TokenOrder,
    divisibility: &'a Divisibility,
    access: &'a AccessLayouts,
    chains: &'a MatmulChains,
    assignment: &'a Assignment,
    /// The body of the entry.
    body: BlockId,
    /// The objects to which the entry may store.
    written: Roots,
    /// `true` if the kernel waits for an earlier one, which may still write memory that this kernel reads.
    waits: bool,
    /// For each value of the module, the number of its uses as an operand.
    uses: Vec<u32>,
    /// For each value of the module, its lowered form; views and tokens have none.
    values: Vec<Option<gpu::ValueId>>,
    /// The requested prefetch distances of loads, in iterations.
    latencies: FxHashMap<OpId, u32>,
    /// For each value of the kernel, the index of the scope that defines it.
    depth: Vec<usize>,
    scopes: Vec<Scope>,
    /// The uniform integer constants that were already created.
    constants: FxHashMap<(Scalar, u64), gpu::ValueId>,
    diagnostics: &'a mut Diagnostics,
}

type Lowered = Result<(), Reported>;

impl Lowering<'_> {
    fn params(&mut self, body: BlockId, ops: &[OpId]) {
        let provenance = self.provenance;
        let aliasing = provenance.aliasing();
        let waits = self.waits;
        let args = self.module.block(body).args.clone();
        for (index, arg) in args.into_iter().enumerate() {
            let loc = self.module.value(arg).loc;
            let kind = match self.module.ty(arg).as_tile().map(|tile| tile.element) {
                Some(Element::Ptr(pointee)) => ParamKind::Pointer {
                    pointee,
                    access: if waits
                        || aliasing.may_alias(&self.written, &Roots::from([Root::Param(index)]))
                    {
                        gpu::Access::Write
                    } else {
                        gpu::Access::Read
                    },
                    align_bytes: self.alignment(arg, pointee, ops),
                    is_unique: !provenance.is_raw(index),
                },
                Some(Element::Scalar(scalar)) => ParamKind::Scalar(scalar),
                None => unreachable!("verified entries take rank-0 tiles"),
            };
            let mut value = self.kernel.add_param(kind, loc);
            if matches!(kind, ParamKind::Pointer { .. }) && provenance.is_raw(index) {
                value = self.param_address(value, loc);
            }
            self.define(arg, value);
        }
    }

    /// Returns the alignment in bytes of a pointer parameter: that of an `assume`, but at least the size of
    /// an element.
    fn alignment(&self, arg: ValueId, pointee: Scalar, ops: &[OpId]) -> u32 {
        let assumed = ops
            .iter()
            .map(|&op| self.module.op(op))
            .filter(|op| op.opcode == Opcode::Misc(MiscOp::Assume) && op.operands[0] == arg)
            .map(|op| self.divisibility.divisor(op.result()))
            .max()
            .unwrap_or(1);
        let bytes = u32::try_from(pointee.bytes()).expect("an element has few bytes");
        bytes.max(u32::try_from(assumed.min(256)).expect("bounded above"))
    }

    fn block(&mut self, block: BlockId) -> Lowered {
        let ops = self.module.block(block).ops.clone();
        // Stop at the first error, since later operations may need the missing result.
        ops.into_iter().try_for_each(|op| self.op(op))
    }

    fn op(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        match op.opcode {
            Opcode::Core(core) => match core {
                CoreOp::Broadcast => self.broadcast(op),
                CoreOp::Constant => self.constant(op),
                CoreOp::GetNumTileBlocks => self.grid_position(op, OpKind::GridSize),
                CoreOp::GetTileBlockId => self.grid_position(op, OpKind::BlockId),
                CoreOp::GetGlobal => self.get_global(id),
                CoreOp::Iota => self.iota(op),
                CoreOp::Offset => self.offset(op),
                CoreOp::Permute => self.permute(op),
                CoreOp::Reduce => self.reduce(id)?,
                CoreOp::Reshape => self.reshape(op),
                CoreOp::Select => self.elementwise(op),
                CoreOp::Entry | CoreOp::Global | CoreOp::Module => {
                    unreachable!("verified: an entry is not nested")
                }
                CoreOp::Cat => self.cat(op),
                CoreOp::Extract => self.extract(op),
                CoreOp::Insert => self.insert(op),
                CoreOp::Pack | CoreOp::Unpack => self.repack(op),
                CoreOp::Scan => self.scan(id)?,
            },
            opcode if is_matmul(opcode) => self.mma(id),
            Opcode::Conversion(
                ConversionOp::IntToPtr | ConversionOp::PtrToInt | ConversionOp::PtrToPtr,
            ) => self.pointer_conversion(op),
            Opcode::Float(_) | Opcode::Integer(_) | Opcode::Bitwise(_) | Opcode::Conversion(_) => {
                self.elementwise(op);
            }
            Opcode::ControlFlow(control) => self.control_flow(id, control)?,
            Opcode::Memory(memory) => self.memory(id, memory)?,
            Opcode::View(view) => self.view(id, view),
            Opcode::Atomic(atomic) => self.atomic(id, atomic),
            Opcode::LoopDialect(_) | Opcode::Testing(_) | Opcode::Unregistered(_) => {
                unreachable!("refused before")
            }
            Opcode::Misc(misc) => match misc {
                MiscOp::PrintTko => self.print(op)?,
                MiscOp::Ptx | MiscOp::PtxPure => self.inline_ptx(op),
                MiscOp::Assume => {
                    if let Some(value) = self.values[op.operands[0].index()] {
                        self.define(op.result(), value);
                    }
                }
            },
        }
        Ok(())
    }

    fn grid_position(&mut self, op: &Op, kind: fn(u8) -> OpKind) {
        for (axis, &result) in (0..).zip(&op.results) {
            let value = self.emit(kind(axis), &[], Ty::Uniform(Scalar::I32), op.loc);
            self.define(result, value);
        }
    }

    /// Returns the lowered form of a tile.
    fn value(&self, value: ValueId) -> gpu::ValueId {
        self.values[value.index()].expect("operands are lowered before their users")
    }

    fn define(&mut self, value: ValueId, lowered: gpu::ValueId) {
        self.values[value.index()] = Some(lowered);
    }

    /// Returns the type to which a tile of the module is lowered, with its preferred layout.
    fn preferred_ty(&mut self, value: ValueId) -> Ty {
        let tile = match self.module.ty(value).kind() {
            TypeKind::Tile(tile) => tile,
            other => unreachable!("only tiles have a lowered type, found {other:?}"),
        };
        match tile.element {
            element if tile.shape.is_empty() => Ty::Uniform(number(element)),
            element => {
                let element = number(element);
                let layout = self.assignment.layout(value).clone();
                let layout = self.kernel.add_layout(layout);
                Ty::Distributed { element, layout }
            }
        }
    }

    /// Returns the type of `value` in another layout.
    fn ty_like(&mut self, value: gpu::ValueId, layout: LinearLayout) -> Ty {
        let layout = self.kernel.add_layout(layout);
        match self.kernel.ty(value) {
            Ty::Distributed { element, .. } => Ty::Distributed { element, layout },
            uniform => uniform,
        }
    }

    fn distributed(&mut self, element: Scalar, layout: LinearLayout) -> Ty {
        let layout = self.kernel.add_layout(layout);
        Ty::Distributed { element, layout }
    }

    /// Returns `true` if a value is a tile: neither a view nor a token.
    fn is_tile(&self, value: ValueId) -> bool {
        self.module.ty(value).as_tile().is_some()
    }

    fn current(&self) -> gpu::BlockId {
        self.scopes
            .last()
            .expect("the body's scope is never left")
            .block
    }

    /// Appends an operation with one result to the current block.
    fn emit(&mut self, kind: OpKind, args: &[gpu::ValueId], ty: Ty, loc: Loc) -> gpu::ValueId {
        self.emit_at(self.scopes.len() - 1, kind, args, ty, loc)
    }

    /// Appends an operation with one result to the block of scope number `scope`.
    fn emit_at(
        &mut self,
        scope: usize,
        kind: OpKind,
        args: &[gpu::ValueId],
        ty: Ty,
        loc: Loc,
    ) -> gpu::ValueId {
        let block = self.scopes[scope].block;
        let op = self.kernel.push(block, kind, args, &[ty], &[], loc);
        let value = self.kernel.op(op).results[0];
        self.set_depth(value, scope);
        value
    }

    /// Appends an operation to the current block; its results belong to its scope.
    fn emit_op(
        &mut self,
        kind: OpKind,
        args: &[gpu::ValueId],
        results: &[Ty],
        blocks: &[gpu::BlockId],
        loc: Loc,
    ) -> gpu::OpId {
        let id = self
            .kernel
            .push(self.current(), kind, args, results, blocks, loc);
        let depth = self.scopes.len() - 1;
        for value in self.kernel.op(id).results.clone() {
            self.set_depth(value, depth);
        }
        id
    }

    fn set_depth(&mut self, value: gpu::ValueId, depth: usize) {
        if self.depth.len() <= value.index() {
            self.depth.resize(value.index() + 1, 0);
        }
        self.depth[value.index()] = depth;
    }

    /// Reports an operation that the target lacks.
    fn unsupported(&mut self, op: &Op, message: String, help: &str) -> Reported {
        self.diagnostics.error(
            Diagnostic::error(Code::UnsupportedByTarget, op.loc, message)
                .note(format!("the target is `{}`", self.arch))
                .help(help),
        )
    }
}
