//! Builds IR from the typed kernel, once per variant.
//!
//! A [`hir::Kernel`] and a [`Variant`] become a module with one entry, `<kernel>__<variant>`. Its
//! parameters follow the contract of the host stub: for each tensor a pointer, its extents and its
//! strides; for each number a scalar.
//!
//! Invariants: every operation has the location of the author's token. A variable is an SSA value,
//! carried through `if` and `for` where it is assigned. Accesses through one `&mut Tensor` are
//! ordered by tokens that are carried the same way, and accesses through `&Tensor` have no tokens.
//! Releases and acquires are ordered with all accesses.
//!
//! - `control`: blocks, branches, and the values they carry
//! - `jump`: loops, and jumps out of them
//! - `facts`: facts about the entry parameters
//! - `memory`: entry parameters, tiles of tensors, tokens
//! - `order`: ordering across all of memory: releases, acquires, fences
//! - `views`: partitions, strided views, gather views
//! - `elements`: elements by index, atomics
//! - `pointers`: raw pointers
//! - `parallel`: parallel loops
//! - `scalar`: constants, operators, conversions (also of tiles)
//! - `math`: elementwise functions; `tile_op`: operations without a module of their own
//! - `tile`: shapes; `reduce`: reductions and scans; `random`: random numbers

mod control;
#[cfg(test)]
mod corners;
mod derived;
#[cfg(test)]
mod differential;
mod elements;
#[cfg(test)]
mod fact_tests;
mod facts;
#[cfg(test)]
mod function_tests;
#[cfg(test)]
mod functions;
mod integers;
mod jump;
mod math;
mod memory;
#[cfg(test)]
pub(crate) mod memory_tests;
mod order;
mod parallel;
#[cfg(test)]
mod partition_tests;
mod pointers;
mod ptx;
mod random;
mod reduce;
mod scalar;
#[cfg(test)]
mod tests;
mod tile;
mod tile_op;
#[cfg(test)]
mod tile_tests;
mod views;

use crate::hir::signature::HostScalar;
use crate::hir::walk::Jump;
use crate::hir::{self, Elem, ExprId, ExprKind, LocalId, TileOp, Ty};
pub(crate) use facts::{grid_bounds, noalias_params, unit_axis};
use memory::{Tensor, Tokens};
pub(crate) use scalar::{float_bits, integer_bits};
use std::collections::{BTreeMap, BTreeSet};
use tile_core::Loc;
use tile_core::build::Builder;
use tile_core::ir::{Module, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, MiscOp, Opcode};
use tile_core::types::{Element, Scalar, Type};

/// The promises of the host about the tensors of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Variant {
    /// 16-byte aligned bases and rows, unit innermost stride, extents below 2^31.
    Fast,
    /// No promises.
    General,
}

impl Variant {
    /// Every variant, the preferred one first.
    pub(crate) const ALL: [Variant; 2] = [Variant::Fast, Variant::General];

    /// Returns the suffix of the variant in the name of the entry.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Variant::Fast => "fast",
            Variant::General => "general",
        }
    }

    /// Returns the integer type of extents and strides.
    pub(crate) fn index(self) -> Scalar {
        match self {
            Variant::Fast => Scalar::I32,
            Variant::General => Scalar::I64,
        }
    }
}

/// Returns the name of the entry of a kernel in a variant.
pub(crate) fn entry_name(kernel: &str, variant: Variant) -> String {
    format!("{kernel}__{}", variant.name())
}

/// The kind of device that runs a module. Kernels with inline PTX have separate code for the CPU
/// device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Device {
    Cpu,
    Gpu,
}

/// Builds one variant of a kernel for GPUs. Without inline PTX, the CPU device runs the same
/// module.
pub(crate) fn build(kernel: &hir::Kernel, variant: Variant) -> Module {
    build_on(kernel, variant, Device::Gpu)
}

/// Builds a kernel for the CPU device, with the `cpu` closures instead of inline PTX.
pub(crate) fn build_for_cpu(kernel: &hir::Kernel) -> Module {
    build_on(kernel, Variant::General, Device::Cpu)
}

/// Returns the location of the first inline PTX of a module.
pub(crate) fn ptx_of(module: &Module) -> Option<Loc> {
    let is_ptx = |opcode| matches!(opcode, Opcode::Misc(MiscOp::Ptx | MiscOp::PtxPure));
    module.entries().find_map(|entry| {
        let body = module.region_block(entry, 0)?;
        let mut ops = module.walk(body).into_iter().map(|id| module.op(id));
        ops.find(|op| is_ptx(op.opcode)).map(|op| op.loc)
    })
}

fn build_on(kernel: &hir::Kernel, variant: Variant, device: Device) -> Module {
    let mut module = Module::new(kernel.name.as_str());
    let mut params = Vec::new();
    for &param in &kernel.params {
        memory::parameter_types(&kernel.local(param).ty, variant, &mut params);
    }
    let mut builder = Builder::new(&mut module);
    let (_, args) = builder.entry(&entry_name(&kernel.name, variant), &params, kernel.loc);
    let mut build = Build {
        kernel,
        variant,
        device,
        b: builder,
        tensors: BTreeMap::new(),
        escaped: BTreeSet::new(),
        views: Vec::new(),
        locals: vec![None; kernel.locals.len()],
        tokens: BTreeMap::new(),
        fence: None,
        block_ids: None,
        num_blocks: None,
        pure: false,
        scopes: Vec::new(),
        left: false,
    };
    build.prologue(&args);
    build.block(&kernel.body);
    if !build.left {
        build.b.terminate(ControlFlowOp::Return, &[], kernel.loc);
    }
    module
}

/// The IR values of an expression.
#[derive(Clone, Debug)]
enum Val {
    /// A number or tile.
    Tile(ValueId),
    /// A tuple.
    Tuple(Vec<Val>),
    /// A tensor or partition, which its type identifies.
    View,
}

struct Build<'k, 'm> {
    kernel: &'k hir::Kernel,
    variant: Variant,
    device: Device,
    b: Builder<'m>,
    /// Tensors, by index of the value parameter.
    tensors: BTreeMap<usize, Tensor>,
    /// Tensors whose address is taken, by index of the value parameter.
    escaped: BTreeSet<usize>,
    views: Vec<views::View>,
    locals: Vec<Option<Val>>,
    /// The tokens of each chain. A chain belongs to a `&mut` tensor or to all pointers.
    tokens: BTreeMap<usize, Tokens>,
    /// The variable that all fences update, if there are any.
    fence: Option<ValueId>,
    block_ids: Option<[ValueId; 3]>,
    num_blocks: Option<[ValueId; 3]>,
    /// `true` where only pure operations are allowed: in the body of a reduction.
    pure: bool,
    /// The enclosing `loop`s, the innermost last.
    scopes: Vec<jump::Scope>,
    /// `true` if the current block has ended with a jump.
    left: bool,
}

fn known(elem: Elem) -> HostScalar {
    match elem {
        Elem::Known(scalar) => scalar,
        Elem::Var(_) => unreachable!("checking leaves no type open"),
    }
}

/// Returns the IR type of a number, a tile or a pointer.
fn tile_type(ty: &Ty) -> Type {
    if let Ty::Pointer(pointer) = ty {
        let element = Element::Ptr(pointer.element.scalar());
        return Type::tile(element, &pointer.shape);
    }
    let (elem, shape) = ty.number().expect("checking made sure of a number");
    Type::tile(known(elem).scalar(), shape)
}

impl<'k> Build<'k, '_> {
    /// Builds everything that dominates the body: views, and the block indices.
    fn prologue(&mut self, args: &[ValueId]) {
        let loc = self.kernel.loc;
        self.bind_parameters(args);
        let uses =
            |wanted: fn(&ExprKind) -> bool| self.kernel.exprs.iter().any(|expr| wanted(&expr.kind));
        let uses_ids = uses(|kind| matches!(kind, ExprKind::BlockId(_)));
        let uses_extent = uses(|kind| matches!(kind, ExprKind::NumBlocks(_)));
        if uses_ids {
            self.block_ids = Some(self.grid_query(CoreOp::GetTileBlockId, loc));
        }
        if uses_extent {
            self.num_blocks = Some(self.grid_query(CoreOp::GetNumTileBlocks, loc));
        }
        self.make_views();
        if uses(|kind| matches!(kind, ExprKind::Memory(memory) if memory.fences())) {
            self.fence = Some(self.fence_variable(loc));
        }
    }

    fn grid_query(&mut self, opcode: CoreOp, loc: Loc) -> [ValueId; 3] {
        let i32 = Type::scalar(Scalar::I32);
        let values = self.b.op(opcode, loc).results(&[i32; 3]).finish_values();
        [values[0], values[1], values[2]]
    }

    /// Returns `true` if a condition tests whether the code runs on the CPU device.
    fn is_for_device(&self, cond: ExprId) -> bool {
        matches!(self.kernel.expr(cond).kind, ExprKind::Op(TileOp::OnCpu))
    }

    fn ty(&self, id: ExprId) -> &'k Ty {
        &self.kernel.expr(id).ty
    }

    fn element(&self, id: ExprId) -> HostScalar {
        let (elem, _) = self
            .ty(id)
            .number()
            .expect("checking made sure of a number");
        known(elem)
    }

    fn shape(&self, id: ExprId) -> &'k [i64] {
        let (_, shape) = self
            .ty(id)
            .number()
            .expect("checking made sure of a number");
        shape
    }

    /// Builds an expression that is a number or a tile.
    fn tile(&mut self, id: ExprId) -> ValueId {
        match self.expr(id) {
            Val::Tile(value) => value,
            other => unreachable!("checking made sure of a number, found {other:?}"),
        }
    }

    fn read(&self, local: LocalId) -> Val {
        self.locals[local.index()]
            .clone()
            .expect("checking made sure that a variable is bound before it is read")
    }

    fn expr(&mut self, id: ExprId) -> Val {
        let expr = self.kernel.expr(id);
        let loc = expr.loc;
        Val::Tile(match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) => self.literal(id, &[], loc),
            ExprKind::Local(local) => return self.read(*local),
            ExprKind::Unary(op, value) => self.unary(*op, *value, loc),
            ExprKind::Binary(op, lhs, rhs) => self.binary(*op, *lhs, *rhs, loc),
            ExprKind::ShortCircuit(op, lhs, rhs) if self.pure => self.both(*op, *lhs, *rhs, loc),
            ExprKind::ShortCircuit(op, lhs, rhs) => self.short_circuit(*op, *lhs, *rhs, loc),
            ExprKind::Cast(value) => {
                if matches!(self.ty(*value), Ty::Pointer(_)) {
                    return Val::Tile(self.address_number(*value, id, loc));
                }
                let (from, to) = (self.element(*value), self.element(id));
                let value = self.tile(*value);
                self.cast(value, from, to, loc)
            }
            ExprKind::Stretch(value) => self.stretch(*value, self.shape(id), loc),
            ExprKind::Reshape(value) => {
                let value = self.tile(*value);
                self.b.reshape(value, self.shape(id), loc)
            }
            ExprKind::Permute(value, permutation) => self.permute(*value, permutation, loc),
            ExprKind::Math(op, args) => self.math(*op, args, loc),
            ExprKind::Reduce(op, value, axis) => self.reduce(*op, None, (*value, *axis), id, loc),
            ExprKind::Iota => {
                let ty = tile_type(&expr.ty);
                self.b.op(CoreOp::Iota, loc).result(ty).finish_value()
            }
            ExprKind::Select(mask, yes, no) => {
                let args = [self.tile(*mask), self.tile(*yes), self.tile(*no)];
                let ty = tile_type(&expr.ty);
                self.b
                    .op(CoreOp::Select, loc)
                    .args(&args)
                    .result(ty)
                    .finish_value()
            }
            ExprKind::Mma(lhs, rhs, acc) => self.mma(*lhs, *rhs, *acc, loc),
            ExprKind::BlockId(axis) => self.block_ids.expect("the prologue looked for uses")[*axis],
            ExprKind::NumBlocks(axis) => {
                self.num_blocks.expect("the prologue looked for uses")[*axis]
            }
            ExprKind::Dim(tensor, axis) => self.dim(*tensor, *axis, loc),
            ExprKind::NumTiles(view, axis) => self.num_tiles(*view, *axis, loc),
            ExprKind::Partition(inner) => return self.expr(*inner),
            ExprKind::Load(view, index) => self.load(*view, index, id, loc),
            ExprKind::Store(view, index, tile) => {
                self.store(*view, index, *tile, loc);
                return Val::Tuple(Vec::new());
            }
            ExprKind::Parallel(parallel) => return self.parallel(parallel, &expr.ty, loc),
            ExprKind::Memory(memory) => return self.memory(memory, id, loc),
            ExprKind::Tuple(parts) => {
                return Val::Tuple(parts.iter().map(|&part| self.expr(part)).collect());
            }
            ExprKind::Field(value, i) => match self.expr(*value) {
                Val::Tuple(parts) => return parts[*i].clone(),
                other => unreachable!("checking made sure of a tuple, found {other:?}"),
            },
            ExprKind::Block(block) => return self.block(block),
            ExprKind::If(cond, on_cpu, Some(on_gpu)) if self.is_for_device(*cond) => {
                return self.block(match self.device {
                    Device::Cpu => on_cpu,
                    Device::Gpu => on_gpu,
                });
            }
            ExprKind::If(cond, then, other) if self.pure => {
                return self.choose(*cond, then, other.as_ref(), loc);
            }
            ExprKind::If(cond, then, other) => {
                return self.conditional(*cond, then, other.as_ref(), &expr.ty, loc);
            }
            ExprKind::For {
                target,
                local,
                range,
                body,
            } => {
                self.for_loop(*target, *local, range, body, loc);
                return Val::Tuple(Vec::new());
            }
            ExprKind::Loop(target, body) => {
                return self.endless_loop(*target, body, &expr.ty, loc);
            }
            ExprKind::Breakable(target, body) => {
                return self.breakable(*target, body, &expr.ty, loc);
            }
            ExprKind::Exit(target, value) => {
                self.leave(Jump::Exit(*target), *value, loc);
                return Val::Tuple(Vec::new());
            }
            ExprKind::Continue(target) => {
                self.leave(Jump::Continue(*target), None, loc);
                return Val::Tuple(Vec::new());
            }
            ExprKind::Assign(local, value) => {
                let value = self.expr(*value);
                if !self.left {
                    self.locals[local.index()] = Some(value);
                }
                return Val::Tuple(Vec::new());
            }
            ExprKind::Op(op) => return self.tile_op(op, id, loc),
            ExprKind::Error => unreachable!("checking gives out no kernel with faults"),
        })
    }
}
