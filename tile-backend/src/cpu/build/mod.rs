//! Tile IR to loop IR.
//!
//! In: a canonical entry. Out: a [`Kernel`], or [`NotNative`] with the first operation that has no native form.
//!
//! - A tile of one element is a scalar. Scalar control flow becomes plain statements.
//! - Any other tile is *deferred*: nothing is computed until an operation needs its elements in order (a store, a
//!   reduction, a product, a value that a loop carries). The operation's nest then computes what it needs, element by
//!   element (`elements.rs`). A tile goes to a buffer if it is needed again and is dear to compute, if a loop would
//!   compute it in each iteration, or if a store may change the memory that it is loaded from (`liveness.rs`).
//! - Consecutive nests over the same iterations become one, in which common tiles are computed once.

mod addresses;
mod atomics;
mod control_flow;
mod demanded;
mod elements;
mod liveness;
mod memory;
mod nests;
mod product;
mod reduce;
mod slices;
mod sums;
mod windows;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tile_core::Module;
use tile_core::ir::{Attr, Op};
use tile_core::ir::{BlockId, OpId, ValueId};
use tile_core::ops::{CoreOp, FloatOp, IntegerOp, MiscOp, Opcode};
use tile_core::types::{Element, Scalar};

pub(in crate::cpu) use self::elements::{flushes, stored};
use self::memory::{Access, View};
use self::nests::Open;
use self::product::Packing;
pub(super) use self::product::{has_dot_products, has_tiled_products};
use self::slices::Slice;
use super::ir::{Buffer, BufferId, Expr, Fun, Kernel, Param, Stmt, Stored, Val, Var, Why};
use super::{Level, NotNative};

pub(super) type Reply<T = ()> = Result<T, NotNative>;

/// What a value of the tile IR is.
#[derive(Clone, Debug)]
enum Bound {
    Scalar(Val),
    /// A deferred tile: the operation computes it.
    Deferred(OpId),
    /// A deferred load: the number of the access.
    Load(usize),
    /// A tile in memory, in row-major order.
    Buffer(BufferId),
    /// A part of a tile in memory.
    Slice(Slice),
    View(View),
    Token,
}

/// A loop that is being built.
#[derive(Clone, Debug)]
struct Scope {
    /// Where `continue` puts the carried values, and where `break` puts the results.
    next: Vec<Home>,
    results: Vec<Home>,
}

/// Where a value lives that control flow carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    Scalar(Var),
    Tile(BufferId),
    Token,
}

struct Builder<'m> {
    module: &'m Module,
    params: Vec<Param>,
    tables: Vec<Vec<u8>>,
    vals: Vec<Scalar>,
    vars: Vec<Scalar>,
    buffers: Vec<Buffer>,
    /// The number of loops around the place where each buffer gets its elements.
    depths: Vec<usize>,
    stored: Vec<Stored>,
    level: Level,
    /// The scratch memory in use.
    next_offset: u64,
    /// The statements of the current region.
    stmts: Vec<Stmt>,
    bound: FxHashMap<ValueId, Bound>,
    /// The parameter that a pointer points into.
    origins: FxHashMap<ValueId, u32>,
    accesses: Vec<Access>,
    /// Operands of products in buffers, in the form that products read.
    packed: FxHashMap<Packing, BufferId>,
    /// The uses of each value by operations that are still to come.
    remaining: FxHashMap<ValueId, u32>,
    /// The cost of each deferred tile, in instructions per element.
    costs: FxHashMap<ValueId, u32>,
    /// Deferred tiles of the current regions, in order.
    deferred: Vec<ValueId>,
    open: Option<Open>,
    scopes: Vec<Scope>,
    yields: Vec<Vec<Home>>,
    /// Scalar constants and words of the parameters, which are computed at the start.
    words: BTreeMap<u32, Val>,
    constants: FxHashMap<(Scalar, u64), Val>,
    /// The statements at the start of the block.
    first: Vec<Stmt>,
}

/// Builds the loop IR of an entry.
pub(super) fn build(module: &Module, entry: OpId, level: Level) -> Reply<Kernel> {
    let op = module.op(entry);
    let block = module
        .region_block(entry, 0)
        .ok_or_else(|| refused(op, "it has no body"))?;
    let mut builder = Builder {
        module,
        params: Vec::new(),
        tables: Vec::new(),
        vals: Vec::new(),
        vars: Vec::new(),
        buffers: Vec::new(),
        depths: Vec::new(),
        stored: Vec::new(),
        level,
        next_offset: 0,
        stmts: Vec::new(),
        bound: FxHashMap::default(),
        origins: FxHashMap::default(),
        accesses: Vec::new(),
        packed: FxHashMap::default(),
        remaining: liveness::uses(module, block),
        costs: FxHashMap::default(),
        deferred: Vec::new(),
        open: None,
        scopes: Vec::new(),
        yields: Vec::new(),
        words: BTreeMap::new(),
        constants: FxHashMap::default(),
        first: Vec::new(),
    };
    builder.parameters(block);
    builder.block(block)?;
    builder.flush();
    let mut body = std::mem::take(&mut builder.first);
    body.append(&mut builder.stmts);
    let mut kernel = Kernel {
        name: op.sym_name().to_string(),
        params: builder.params,
        tables: builder.tables,
        vals: builder.vals,
        vars: builder.vars,
        buffers: builder.buffers,
        stored: builder.stored,
        body,
    };
    sums::shorten(&mut kernel);
    Ok(kernel)
}

/// Returns the reason why an operation has no native code.
fn refused(op: &Op, reason: &str) -> NotNative {
    NotNative {
        reason: format!("`{}`: {reason}", op.def().mnemonic),
        loc: op.loc,
    }
}

impl Builder<'_> {
    fn parameters(&mut self, block: BlockId) {
        let mut word = 0;
        for (&arg, number) in self.module.block(block).args.iter().zip(0..) {
            let tile = self.module.ty(arg).as_tile();
            let param = match tile.map(|tile| tile.element) {
                Some(Element::Ptr(_)) => Param::Pointer,
                Some(Element::Scalar(scalar)) => Param::Number(scalar),
                None => unreachable!("verified entries have pointers and numbers"),
            };
            let val = match param {
                Param::Pointer => {
                    self.origins.insert(arg, number);
                    self.word(word)
                }
                Param::Number(scalar) => self.number_word(word, scalar),
                Param::Table(_) | Param::Local(..) => unreachable!("not of an entry"),
            };
            self.bound.insert(arg, Bound::Scalar(val));
            self.params.push(param);
            word += param.words();
        }
    }

    /// Returns the address or the length of a parameter, as `i64`.
    fn word(&mut self, word: u32) -> Val {
        if let Some(&val) = self.words.get(&word) {
            return val;
        }
        let val = self.new_val(Scalar::I64);
        self.first.push(Stmt::Let(val, Expr::Word(word)));
        self.words.insert(word, val);
        val
    }

    fn number_word(&mut self, word: u32, scalar: Scalar) -> Val {
        let val = self.new_val(scalar);
        self.first.push(Stmt::Let(val, Expr::Word(word)));
        val
    }

    /// Returns the number of the first word of a parameter.
    fn first_word(&self, param: u32) -> u32 {
        let before = self.params.iter().take(param as usize);
        before.map(|param| param.words()).sum()
    }

    /// Adds memory that pointers point into, and binds a pointer to its start.
    fn add_memory(&mut self, pointer: ValueId, param: Param) {
        let number = u32::try_from(self.params.len()).expect("few parameters");
        self.params.push(param);
        let address = self.word(self.first_word(number));
        self.origins.insert(pointer, number);
        self.bound.insert(pointer, Bound::Scalar(address));
    }

    fn new_val(&mut self, scalar: Scalar) -> Val {
        self.vals.push(scalar);
        Val(u32::try_from(self.vals.len() - 1).expect("few values"))
    }

    fn new_var(&mut self, scalar: Scalar) -> Var {
        self.vars.push(scalar);
        Var(u32::try_from(self.vars.len() - 1).expect("few variables"))
    }

    fn new_buffer(&mut self, scalar: Scalar, count: u64) -> BufferId {
        // A vector of the widest level begins at its alignment.
        let offset = self.next_offset.next_multiple_of(64);
        self.next_offset = offset + count * scalar.bytes() as u64;
        self.buffers.push(Buffer {
            scalar,
            count,
            offset,
        });
        self.depths.push(self.scopes.len());
        BufferId(u32::try_from(self.buffers.len() - 1).expect("few buffers"))
    }

    fn constant(&mut self, scalar: Scalar, bits: u64) -> Val {
        if let Some(&val) = self.constants.get(&(scalar, bits)) {
            return val;
        }
        let val = self.new_val(scalar);
        self.first.push(Stmt::Let(val, Expr::Constant(bits)));
        self.constants.insert((scalar, bits), val);
        val
    }

    fn number(&mut self, number: i64) -> Val {
        self.constant(Scalar::I64, number.cast_unsigned())
    }

    fn let_(&mut self, scalar: Scalar, expr: Expr) -> Val {
        let val = self.new_val(scalar);
        self.stmts.push(Stmt::Let(val, expr));
        val
    }

    fn call(&mut self, scalar: Scalar, fun: Fun, args: &[Val]) -> Val {
        self.let_(scalar, Expr::Call(fun, args.to_vec()))
    }

    /// Computes an `i64`.
    fn wide(&mut self, fun: Fun, args: &[Val]) -> Val {
        self.call(Scalar::I64, fun, args)
    }

    /// Computes a truth value.
    fn truth(&mut self, fun: Fun, args: &[Val]) -> Val {
        self.call(Scalar::I1, fun, args)
    }

    fn fault_if(&mut self, condition: Val) {
        self.stmts.push(Stmt::FaultIf(condition, None));
    }

    fn fault_unless(&mut self, condition: Val) {
        let not = self.truth(Fun::Not, &[condition]);
        self.fault_if(not);
    }

    /// Returns the type of the elements of a tile, where a pointer is an address.
    fn scalar_of(&self, value: ValueId) -> Scalar {
        let tile = self.module.ty(value).as_tile();
        match tile.expect("a tile").element {
            Element::Scalar(scalar) => scalar,
            Element::Ptr(_) => Scalar::I64,
        }
    }

    fn shape(&self, value: ValueId) -> Vec<u64> {
        let tile = self.module.ty(value).as_tile().expect("a tile");
        tile.shape
            .iter()
            .map(|extent| extent.unsigned_abs())
            .collect()
    }

    fn count(&self, value: ValueId) -> u64 {
        self.shape(value).iter().product()
    }

    /// Returns the number of bits of a position in a tile.
    fn bits(&self, value: ValueId) -> u32 {
        self.count(value).trailing_zeros()
    }

    fn is_scalar(&self, value: ValueId) -> bool {
        self.module.ty(value).as_tile().is_some() && self.count(value) == 1
    }

    /// Returns the value of a tile of one element.
    fn scalar(&mut self, value: ValueId) -> Reply<Val> {
        match self.bound.get(&value) {
            Some(&Bound::Scalar(val)) => Ok(val),
            Some(&Bound::Buffer(buffer)) => {
                self.flush();
                let val = self.let_(self.scalar_of(value), Expr::Element(buffer));
                Ok(val)
            }
            Some(Bound::Deferred(_) | Bound::Load(_) | Bound::Slice(_)) => {
                let buffer = self.materialize(value, Why::UsedAgain)?;
                self.flush();
                let val = self.let_(self.scalar_of(value), Expr::Element(buffer));
                self.bound.insert(value, Bound::Scalar(val));
                Ok(val)
            }
            other => unreachable!("a tile, found {other:?}"),
        }
    }

    /// Returns a scalar as `i64`, with its sign or with zeros.
    fn wide_scalar(&mut self, value: ValueId, is_signed: bool) -> Reply<Val> {
        let val = self.scalar(value)?;
        Ok(self.widened(val, is_signed))
    }

    fn widened(&mut self, val: Val, is_signed: bool) -> Val {
        if self.vals[val.0 as usize] == Scalar::I64 {
            return val;
        }
        let fun = if is_signed {
            Fun::SignExtend
        } else {
            Fun::ZeroExtend
        };
        self.wide(fun, &[val])
    }

    /// Builds the operations of a block.
    fn block(&mut self, block: BlockId) -> Reply {
        for &id in &self.module.block(block).ops {
            self.op(id)?;
        }
        Ok(())
    }

    fn op(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        liveness::consume(self.module, id, &mut self.remaining);
        match op.opcode {
            Opcode::ControlFlow(kind) => self.control_flow(kind, id),
            Opcode::Memory(kind) => self.memory(kind, id),
            Opcode::View(kind) => self.view(kind, id),
            Opcode::Misc(MiscOp::Assume) => self.assume(id),
            Opcode::Core(CoreOp::Reduce) => self.reduce(id),
            Opcode::Core(CoreOp::Scan) => self.scan(id),
            Opcode::Core(CoreOp::GetTileBlockId) => {
                self.triple(op, Expr::BlockId);
                Ok(())
            }
            Opcode::Core(CoreOp::GetNumTileBlocks) => {
                self.triple(op, Expr::GridDim);
                Ok(())
            }
            Opcode::Core(CoreOp::GetGlobal) => self.get_global(id),
            Opcode::Core(CoreOp::Extract) => self.extract(id),
            Opcode::Core(CoreOp::Insert) => self.insert(id),
            Opcode::Atomic(kind) => self.atomic(kind, id),
            Opcode::Float(FloatOp::MmaF) | Opcode::Integer(IntegerOp::MmaI) => self.product(id),
            Opcode::Core(CoreOp::Entry | CoreOp::Global | CoreOp::Module) => {
                unreachable!("verified code does not nest operations of modules")
            }
            Opcode::Core(CoreOp::Pack | CoreOp::Unpack)
            | Opcode::Float(FloatOp::MmaFScaled)
            | Opcode::Misc(MiscOp::PrintTko | MiscOp::Ptx | MiscOp::PtxPure)
            | Opcode::LoopDialect(_)
            | Opcode::Testing(_)
            | Opcode::Unregistered(_) => Err(refused(op, "there is no native code for it yet")),
            Opcode::Core(_)
            | Opcode::Float(_)
            | Opcode::Integer(_)
            | Opcode::Bitwise(_)
            | Opcode::Conversion(_) => self.element_wise(id),
        }
    }

    /// Binds the three results of an operation.
    fn triple(&mut self, op: &Op, expr: fn(u8) -> Expr) {
        for (&result, axis) in op.results.iter().zip(0..) {
            let val = self.let_(Scalar::I32, expr(axis));
            self.bound.insert(result, Bound::Scalar(val));
        }
    }

    /// Defers an element-wise operation, or computes it if it has one element.
    fn element_wise(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        elements::check(self.module, op)?;
        let result = op.result();
        if let Some(&origin) = op
            .operands
            .first()
            .and_then(|first| self.origins.get(first))
        {
            self.origins.insert(result, origin);
        }
        if !self.is_scalar(result) {
            if elements::expands(self.module, op) {
                self.prepare_source(op.operands[0])?;
            }
            self.costs.insert(result, self.cost(op));
            self.bound.insert(result, Bound::Deferred(id));
            self.deferred.push(result);
            return Ok(());
        }
        let val = match op.opcode {
            Opcode::Core(CoreOp::Constant) => {
                let bits = elements::stored(&op.dense_value(), 0);
                self.constant(self.scalar_of(result), bits)
            }
            Opcode::Core(CoreOp::Iota) => self.constant(self.scalar_of(result), 0),
            Opcode::Core(CoreOp::Broadcast | CoreOp::Reshape | CoreOp::Permute) => {
                self.scalar(op.operands[0])?
            }
            _ => {
                let args = op.operands.iter().map(|&operand| self.scalar(operand));
                let args = args.collect::<Reply<Vec<_>>>()?;
                self.call(self.scalar_of(result), Fun::Op(id), &args)
            }
        };
        self.bound.insert(result, Bound::Scalar(val));
        Ok(())
    }

    /// Passes a value through, and checks what is assumed of a scalar.
    fn assume(&mut self, id: OpId) -> Reply {
        let op = self.module.op(id);
        let (value, result) = (op.operands[0], op.result());
        if let Some(&origin) = self.origins.get(&value) {
            self.origins.insert(result, origin);
        }
        if let Some(bound) = self.bound.get(&value).cloned() {
            let is_tile = self.module.ty(value).as_tile().is_some();
            if is_tile && !self.is_scalar(value) {
                self.check_tile_assumption(id)?;
                self.bound.insert(result, self.bound[&value].clone());
                self.costs
                    .extend(self.costs.get(&value).copied().map(|cost| (result, cost)));
                self.deferred.push(result);
                return Ok(());
            }
            if is_tile && !liveness::is_stride(self.module, result) {
                let val = self.scalar(value)?;
                self.check_assumption(op, val);
                self.bound.insert(result, Bound::Scalar(val));
            } else {
                self.bound.insert(result, bound);
            }
        }
        Ok(())
    }
}

/// Returns the flag for each index of an access whether the operation promises that the tile is inside.
fn inbounds(op: &Op) -> &[bool] {
    match op.attr("inbounds") {
        Some(Attr::BoolArray(inbounds)) => inbounds,
        _ => &[],
    }
}
