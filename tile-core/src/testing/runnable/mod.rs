//! Generates random modules that run, to compare their effects before and after a rewrite.
//!
//! The input is a seed and options, the output a module with one entry, a grid, and arguments.
//! Invariants:
//!
//! - the same seed and options give the same result;
//! - the module verifies, and the interpreter can execute it;
//! - it terminates without undefined behaviour of the dialect: divisors are not zero, assumptions
//!   hold, accesses are in bounds, and conflicting ones are ordered by tokens;
//! - computed values reach memory, so that a wrong value is visible;
//! - for [`Executor::Device`], the dialect determines every bit in memory, except for the bits of
//!   NaNs and for the elements that [`Inexact`] names.
//!
//! Generation is type-directed, as in `generate`: operands come from a pool of the values in scope,
//! and missing ones are made. Constants are those that trigger folds and identities.

mod arithmetic;
mod bits;
mod constants;
mod control_flow;
mod execute;
mod functions;
mod loops;
mod matmul;
mod memory;
mod own_memory;
mod pointers;
mod promises;
mod reinterpreted;
mod shapes;
mod small_types;
mod tokens;
mod views;

pub use execute::{Outcome, check_same, execute, execute_with};
pub use functions::{Function, Inexact};

use super::pool::Pool;
use super::random::Random;
use crate::build::Builder;
use crate::ir::{Loc, Module, OpId, ValueId};
use crate::ops::{ControlFlowOp, CoreOp, Effects, Opcode};
use crate::types::{Scalar, Type};
use control_flow::Frame;
use memory::{Buffer, Sizes};
use rustc_hash::FxHashSet;
use tokens::Chain;

/// Options of [`runnable`].
#[derive(Clone, Debug)]
pub struct RunnableOptions {
    /// The approximate number of operations of a module, besides its prologue and epilogue.
    pub ops: usize,
    /// The maximum nesting depth of operations with regions.
    pub depth: usize,
    /// The executor of the module.
    pub executor: Executor,
}

/// The executor of a module, which determines the properties that its effects may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executor {
    /// The interpreter: effects may depend on everything that the interpreter does.
    Interpreter,
    /// The interpreter in any order: effects may depend neither on the grouping of reductions nor
    /// on how often a reduction combines the identity.
    AnyOrder,
    /// Devices too: effects may depend only on what the dialect promises, which excludes the order
    /// of sums, the errors of functions and the bits of NaNs. Modules for devices have every
    /// operation that a kernel can have, and more types and shapes.
    Device,
}

impl Default for RunnableOptions {
    fn default() -> Self {
        Self {
            ops: 40,
            depth: 3,
            executor: Executor::Interpreter,
        }
    }
}

/// A module with its grid and arguments.
#[derive(Clone, Debug)]
pub struct Runnable {
    /// A module with one entry.
    pub module: Module,
    /// The number of blocks along each axis.
    pub grid: [u32; 3],
    /// The arguments of the entry.
    pub args: Vec<Argument>,
}

/// An argument of the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A buffer with these bytes.
    Buffer(Vec<u8>),
    /// A number, as its bit pattern.
    Number(u64),
}

impl Runnable {
    /// Returns the same run with `module`, a rewritten version of this module.
    #[must_use]
    pub fn with_module(&self, module: Module) -> Self {
        Self {
            module,
            grid: self.grid,
            args: self.args.clone(),
        }
    }
}

/// Generates the module and arguments of `seed`.
pub fn runnable(seed: u64, options: &RunnableOptions) -> Runnable {
    runnable_with(seed, options).0
}

/// Like [`runnable`], but also returns which elements of the buffers are results of functions. For
/// the interpreter there are none.
pub fn runnable_with(seed: u64, options: &RunnableOptions) -> (Runnable, Vec<Inexact>) {
    let mut random = Random::new(seed);
    let grid = [1 + random.below(2), 1 + random.below(2), 1];
    let grid = grid.map(|extent| u32::try_from(extent).expect("small"));
    let mut module = Module::new("kernels");
    let mut maker = Maker::new(Builder::new(&mut module), random, options);
    let args = maker.entry(grid);
    let inexact = std::mem::take(&mut maker.inexact);
    (Runnable { module, grid, args }, inexact)
}

const LOC: Loc = Loc::UNKNOWN;

/// Shapes for devices, some with fewer elements than a warp has lanes, some with more than a block
/// has threads, and of every rank.
const LARGE_OR_DEEP: [&[i64]; 10] = [
    &[32],
    &[128],
    &[512],
    &[16, 16],
    &[4, 64],
    &[32, 8],
    &[4, 2, 16],
    &[2, 4, 2, 8],
    &[2, 1, 4, 2, 2],
    &[1, 2, 2, 1, 2, 4, 1, 2],
];

/// The nesting depth of made values beyond which only constants are used.
const MAX_BUILD_DEPTH: usize = 3;

struct Maker<'m> {
    builder: Builder<'m>,
    random: Random<'static>,
    options: RunnableOptions,
    /// The element types of the module.
    scalars: Vec<Scalar>,
    /// The shapes of most of its tiles.
    shapes: Vec<Vec<i64>>,
    pool: Pool,
    /// The operations around the insertion point, outermost first.
    frames: Vec<Frame>,
    /// The positions in the pool at which the values of the enclosing regions start.
    marks: Vec<usize>,
    /// The position in the pool at which the values of the outermost loop start.
    outermost_loop: Option<usize>,
    buffers: Vec<Buffer>,
    sizes: Sizes,
    /// The number of blocks of the grid.
    blocks: u64,
    /// Values loaded from read-only memory.
    given_bits: FxHashSet<ValueId>,
    inexact: Vec<Inexact>,
    /// The number of variables of the module.
    variables: usize,
    /// The accesses so far to each buffer that is read and written.
    chains: Vec<Chain>,
    /// The chains that may be extended at the insertion point.
    open: Vec<usize>,
    /// The number of operations that are still to be made.
    fuel: usize,
    /// The nesting depth of values that are made for other values.
    depth: usize,
}

impl<'m> Maker<'m> {
    fn new(builder: Builder<'m>, mut random: Random<'static>, options: &RunnableOptions) -> Self {
        let mut others = [
            Scalar::I8,
            Scalar::I16,
            Scalar::I64,
            Scalar::F16,
            Scalar::BF16,
            Scalar::F32,
            Scalar::F64,
        ];
        random.shuffle(&mut others);
        let mut scalars = vec![Scalar::I1, Scalar::I32];
        let chosen = match options.executor {
            Executor::Interpreter | Executor::AnyOrder => 2,
            Executor::Device => 3,
        };
        scalars.extend(&others[..chosen]);
        let mut shapes: Vec<&[i64]> = vec![
            &[1],
            &[2],
            &[4],
            &[8],
            &[16],
            &[64],
            &[2, 4],
            &[4, 4],
            &[1, 4],
            &[4, 1],
            &[1, 1],
            &[2, 2, 2],
            &[1, 2, 4],
            &[8, 2],
        ];
        if options.executor == Executor::Device {
            shapes.extend(LARGE_OR_DEEP);
        }
        random.shuffle(&mut shapes);
        Self {
            builder,
            random,
            options: options.clone(),
            scalars,
            shapes: vec![Vec::new(), shapes[0].to_vec(), shapes[1].to_vec()],
            pool: Pool::default(),
            frames: Vec::new(),
            marks: Vec::new(),
            outermost_loop: None,
            buffers: Vec::new(),
            sizes: Sizes::for_executor(options.executor),
            blocks: 1,
            given_bits: FxHashSet::default(),
            inexact: Vec::new(),
            variables: 0,
            chains: Vec::new(),
            open: Vec::new(),
            fuel: options.ops,
            depth: 0,
        }
    }

    fn entry(&mut self, grid: [u32; 3]) -> Vec<Argument> {
        let args = self.parameters(grid);
        self.frames.push(Frame::Entry);
        self.marks.push(self.pool.enter());
        while self.fuel > 0 {
            self.step();
        }
        let leaves = self.leaves();
        self.store_leaves(&leaves, 16);
        self.builder.terminate(ControlFlowOp::Return, &[], LOC);
        args
    }

    /// Makes a random construct.
    fn step(&mut self) {
        // An operation that cannot be made here must not be tried forever.
        self.fuel = self.fuel.saturating_sub(1);
        if self.options.executor == Executor::Device && self.random.one_in(4) {
            return self.device_step();
        }
        match self.random.below(30) {
            0..=5 => self.integer(),
            6..=9 => self.float(),
            10 | 11 => self.logic(),
            12 => self.choice(),
            13 | 14 => self.conversion(),
            15 | 16 => self.shape(),
            17 => self.combination(),
            18 => self.promise(),
            19 | 20 => self.load(),
            21 | 22 => self.store(),
            23 | 24 if self.frames.len() <= self.options.depth => self.branch(),
            25 | 26 if self.frames.len() <= self.options.depth => self.repeat(),
            27 => self.through_own_memory(),
            28 => match self.random.below(4) {
                0 => self.wait(),
                _ => self.print(),
            },
            _ => self.again(),
        }
    }

    /// Makes a random construct that only modules for devices have.
    fn device_step(&mut self) {
        match self.random.below(12) {
            0..=3 => self.any_function(),
            4 | 5 => self.packing(),
            6 | 7 => self.small_type(),
            8 | 9 => self.reinterpreted(),
            _ => self.any_matmul(),
        }
    }

    /// Returns `true` if the module is for devices.
    fn for_devices(&self) -> bool {
        self.options.executor == Executor::Device
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            if self.fuel > 0 {
                self.step();
            }
        }
    }

    /// Adds the results of an operation to the pool.
    fn define(&mut self, op: OpId) -> ValueId {
        self.fuel = self.fuel.saturating_sub(1);
        let results = self.builder.module().op(op).results.clone();
        for &result in &results {
            let ty = self.builder.ty(result);
            self.pool.add(ty, result);
        }
        results[0]
    }

    /// Makes an operation with the operands `args`, one result, and neither attributes nor regions.
    fn plain(&mut self, opcode: impl Into<Opcode>, args: &[ValueId], result: Type) -> ValueId {
        let op = self.builder.op(opcode, LOC).args(args).result(result);
        let op = op.finish();
        self.define(op)
    }

    /// Repeats an operation that defined a value in scope.
    fn again(&mut self) {
        let ty = self.tile_type(|_| true);
        let Some(value) = self.pool.pick(ty, &mut self.random) else {
            return;
        };
        let module = self.builder.module();
        let Some(id) = module.defining_op(value) else {
            return;
        };
        let mut op = module.op(id).clone();
        if op.def().effects != Effects::Pure || !op.regions.is_empty() {
            return;
        }
        let results = std::mem::take(&mut op.results);
        op.parent = None;
        let types: Vec<Type> = results.iter().map(|&result| module.ty(result)).collect();
        let block = self.builder.block();
        let module = self.builder.module();
        let id = module.add_op(op);
        for ty in types {
            module.add_result(id, ty);
        }
        let end = module.block(block).ops.len();
        module.insert_op(block, end, id);
        self.define(id);
    }

    fn scalar(&mut self, accept: impl Fn(Scalar) -> bool) -> Option<Scalar> {
        let accepted: Vec<Scalar> = self
            .scalars
            .iter()
            .copied()
            .filter(|&s| accept(s))
            .collect();
        (!accepted.is_empty()).then(|| self.random.pick(&accepted))
    }

    /// Returns one of the integer types for counts.
    fn count_type(&mut self) -> Scalar {
        self.scalar(|scalar| scalar.is_integer() && scalar != Scalar::I1)
            .expect("every module has i32")
    }

    /// Returns one of the integer types that can number all elements of a shape.
    fn count_type_for(&mut self, shape: &[i64]) -> Scalar {
        self.scalar(|scalar| scalar.is_integer() && scalar != Scalar::I1 && counts(scalar, shape))
            .expect("every module has i32")
    }

    fn tile_shape(&mut self) -> Vec<i64> {
        let index = self.random.below(self.shapes.len());
        self.shapes[index].clone()
    }

    /// Returns a tile type whose element type the module has and `accept` admits.
    ///
    /// # Panics
    /// If `accept` admits no element type of the module.
    fn tile_type(&mut self, accept: impl Fn(Scalar) -> bool) -> Type {
        let scalar = self.scalar(accept).expect("there is such a type");
        let shape = self.tile_shape();
        Type::tile(scalar, &shape)
    }

    /// Returns a value of type `ty`: usually an existing one.
    fn value(&mut self, ty: Type) -> ValueId {
        if !self.random.one_in(5)
            && let Some(value) = self.pool.pick_recent(ty, &mut self.random)
        {
            return value;
        }
        self.depth += 1;
        let value = self.fresh(ty);
        self.depth -= 1;
        value
    }

    fn fresh(&mut self, ty: Type) -> ValueId {
        let (scalar, shape) = ty.as_number_tile().expect("a tile of numbers");
        if self.depth <= MAX_BUILD_DEPTH && !shape.is_empty() {
            match self.random.below(6) {
                0 => {
                    let value = self.value(Type::scalar(scalar));
                    return self.spread(value, shape);
                }
                1 => {
                    let count: i64 = shape.iter().product();
                    let source = self.value(Type::tile(scalar, &[count]));
                    return self.plain(CoreOp::Reshape, &[source], ty);
                }
                2 if scalar.is_integer() && scalar != Scalar::I1 && counts(scalar, shape) => {
                    return self.numbered(scalar, shape);
                }
                _ => {}
            }
        }
        self.constant(scalar, shape)
    }

    fn values(&mut self, types: &[Type]) -> Vec<ValueId> {
        types.iter().map(|&ty| self.value(ty)).collect()
    }

    /// Broadcasts a rank-0 value to a shape.
    fn spread(&mut self, value: ValueId, shape: &[i64]) -> ValueId {
        if shape.is_empty() {
            return value;
        }
        let element = self.builder.ty(value).as_tile().expect("a tile").element;
        let ones = self.plain(
            CoreOp::Reshape,
            &[value],
            Type::tile(element, &vec![1; shape.len()]),
        );
        if shape.iter().all(|&extent| extent == 1) {
            return ones;
        }
        self.plain(CoreOp::Broadcast, &[ones], Type::tile(element, shape))
    }

    /// Makes a tile of shape `shape` with the elements 0, 1, 2, …
    fn numbered(&mut self, scalar: Scalar, shape: &[i64]) -> ValueId {
        let count: i64 = shape.iter().product();
        let iota = self.plain(CoreOp::Iota, &[], Type::tile(scalar, &[count]));
        if shape.len() == 1 {
            return iota;
        }
        self.plain(CoreOp::Reshape, &[iota], Type::tile(scalar, shape))
    }
}

/// Returns `true` if a non-negative `iota` of a type can count the elements of a shape.
fn counts(scalar: Scalar, shape: &[i64]) -> bool {
    let count: i64 = shape.iter().product();
    scalar.bits() >= 32 || count <= 1 << (scalar.bits() - 1)
}
