//! Parameters, buffers, and the buffers that an access may use.
//!
//! - An *input* is read by every block, in any order.
//! - A *state* is read and written, ordered by the tokens of its chain. Every block has a part of
//!   its own.
//! - An *output* is only written; an *inexact* one receives results of functions. Every store has
//!   elements of its own, so that stores need no order. A store in a loop stores a value from
//!   before the loop.
//! - *Factors* are only read: operands of matmuls, so small that no sum rounds.
//! - A *counter* is updated by atomics of all blocks whose order does not matter.
//!
//! Some inputs and states are variables of the module instead of arguments.

use super::constants::mixed;
use super::tokens::Chain;
use super::{Argument, Executor, LOC, Maker};
use crate::interp::encode_float;
use crate::ir::{AssumePredicate, ValueId};
use crate::ops::{CoreOp, IntegerOp};
use crate::types::{Scalar, Type};
use rustc_hash::FxHashSet;

/// The numbers of elements of the buffers, which are powers of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) input: u64,
    /// The size of a block's part of a state.
    pub(super) state: u64,
    /// The size of a block's part of an output.
    pub(super) output: u64,
}

impl Sizes {
    pub(super) fn for_executor(executor: Executor) -> Self {
        match executor {
            Executor::Interpreter | Executor::AnyOrder => Self {
                input: 64,
                state: 32,
                output: 256,
            },
            Executor::Device => Self {
                input: 512,
                state: 128,
                output: 2048,
            },
        }
    }
}

pub(super) const COUNTERS: u64 = 4;
/// The element types of factors.
const FACTORS: [Scalar; 9] = [
    Scalar::F16,
    Scalar::F16,
    Scalar::BF16,
    Scalar::F8E4M3FN,
    Scalar::F8E5M2,
    Scalar::TF32,
    Scalar::F32,
    Scalar::F64,
    Scalar::I8,
];
pub(super) const MANY_FACTORS: u64 = 4096;
/// The initial bytes of an output, so that a store of zeros is visible.
const UNTOUCHED: u8 = 0xa5;

/// A buffer, or a block's part of it.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) scalar: Scalar,
    /// A pointer to the first element.
    pub(super) base: ValueId,
    pub(super) role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Input,
    /// A state, with the number of its chain.
    State(usize),
    /// An output, with the number of elements that are already stored to.
    Output(u64),
    /// Like `Output`, for results of functions.
    Inexact(u64),
    /// Small numbers, which are operands of matmuls, read by every block.
    Factors,
    Counter,
}

impl Maker<'_> {
    /// Makes the entry, its buffers and its arguments.
    pub(super) fn parameters(&mut self, grid: [u32; 3]) -> Vec<Argument> {
        let states: Vec<Scalar> = self.scalars[1..3].to_vec();
        let mut roles: Vec<(Scalar, Role)> = Vec::new();
        for &scalar in &self.scalars {
            roles.push((scalar, Role::Input));
            roles.push((scalar, Role::Output(0)));
        }
        let chained = states.iter().enumerate();
        roles.extend(chained.map(|(chain, &scalar)| (scalar, Role::State(chain))));
        roles.push((Scalar::I32, Role::Counter));
        if self.for_devices() {
            let floats = self.scalars.iter().filter(|scalar| scalar.is_base_float());
            roles.extend(floats.map(|&scalar| (scalar, Role::Inexact(0))));
            roles.push((self.random.pick(&FACTORS), Role::Factors));
        }
        self.chains = vec![Chain::default(); states.len()];
        self.open = (0..states.len()).collect();
        let numbers = self.scalars.clone();
        let pointers = roles.iter().map(|&(scalar, _)| Type::pointer(scalar));
        let types: Vec<Type> = pointers
            .chain(numbers.iter().map(|&scalar| Type::scalar(scalar)))
            .collect();
        let (_, params) = self.builder.entry("kernel", &types, LOC);
        let block = self.block_number();
        let blocks: u64 = grid.iter().map(|&extent| u64::from(extent)).product();
        self.blocks = blocks;
        let sizes = self.sizes;
        let mut args = Vec::new();
        for (&(scalar, role), &param) in roles.iter().zip(&params) {
            let elements = match role {
                Role::Input => sizes.input,
                Role::State(_) => sizes.state * blocks,
                Role::Output(_) | Role::Inexact(_) => sizes.output * blocks,
                Role::Counter => COUNTERS,
                Role::Factors => MANY_FACTORS,
            };
            let bytes = usize::try_from(elements).expect("small") * scalar.bytes();
            args.push(match role {
                Role::Output(_) | Role::Inexact(_) => Argument::Buffer(vec![UNTOUCHED; bytes]),
                Role::Input | Role::State(_) | Role::Counter => self.buffer(scalar, elements),
                Role::Factors => self.factors(scalar),
            });
            let param = match role {
                // A variable of the module replaces the argument.
                Role::Input | Role::State(_) if self.random.one_in(4) => {
                    self.variable(scalar, elements, role)
                }
                _ => self.aligned(param, scalar, role),
            };
            let base = match role {
                Role::Input | Role::Counter | Role::Factors => param,
                Role::State(_) => self.part(param, block, sizes.state),
                Role::Output(_) | Role::Inexact(_) => self.part(param, block, sizes.output),
            };
            self.buffers.push(Buffer { scalar, base, role });
        }
        for (&scalar, &param) in numbers.iter().zip(&params[roles.len()..]) {
            args.push(Argument::Number(mixed(scalar, &mut self.random)));
            self.pool.add(Type::scalar(scalar), param);
        }
        self.load_tiles();
        args
    }

    /// Loads a tile of every type, so that there are values about which nothing is known.
    fn load_tiles(&mut self) {
        let shapes = self.shapes.clone();
        for index in 0..self.buffers.len() {
            let Buffer { scalar, base, role } = self.buffers[index];
            if role != Role::Input {
                continue;
            }
            for shape in &shapes {
                let count = shape.iter().product::<i64>().unsigned_abs();
                let starts = usize::try_from(self.sizes.input - count + 1).expect("small");
                let first = self.random.below(starts) as u64;
                let first = self.builder.splat(Scalar::I32, first, &[], LOC);
                let base = self.builder.like_first(CoreOp::Offset, &[base, first], LOC);
                let value = self.load_run(base, scalar, shape);
                self.given_bits.insert(value);
            }
        }
        self.fuel = self.options.ops;
    }

    fn buffer(&mut self, scalar: Scalar, elements: u64) -> Argument {
        let mut bytes = Vec::new();
        for _ in 0..elements {
            let element = mixed(scalar, &mut self.random).to_le_bytes();
            bytes.extend_from_slice(&element[..scalar.bytes()]);
        }
        Argument::Buffer(bytes)
    }

    /// Makes a buffer of integers from -3 to 4.
    fn factors(&mut self, scalar: Scalar) -> Argument {
        let mut bytes = Vec::new();
        for _ in 0..MANY_FACTORS {
            let number = self.random.below(8);
            let bits = match scalar {
                Scalar::I8 => self.random.bits(),
                _ => encode_float(
                    scalar,
                    f64::from(u8::try_from(number).expect("small")) - 3.0,
                ),
            };
            // In memory a tf32 is stored as an f32, which has 13 more mantissa bits.
            let shift = if scalar == Scalar::TF32 { 13 } else { 0 };
            bytes.extend_from_slice(&(bits << shift).to_le_bytes()[..scalar.bytes()]);
        }
        Argument::Buffer(bytes)
    }

    /// Sometimes adds an assumption about a pointer: buffers start at multiples of 8.
    fn aligned(&mut self, param: ValueId, scalar: Scalar, role: Role) -> ValueId {
        if role != Role::Input || !self.random.one_in(4) {
            return param;
        }
        let least = scalar.bytes().ilog2() as usize;
        let divisor = 1 << (least + self.random.below(4 - least));
        let predicate = AssumePredicate::DivBy {
            divisor,
            every: None,
            along: None,
        };
        self.builder.assume(param, predicate, LOC)
    }

    /// Computes the linear index of the block in the grid.
    fn block_number(&mut self) -> ValueId {
        let int = Type::scalar(Scalar::I32);
        let mut triple = |opcode| {
            let op = self.builder.op(opcode, LOC).results(&[int; 3]).finish();
            self.define(op);
            self.builder.module().op(op).results.clone()
        };
        let block_id = triple(CoreOp::GetTileBlockId);
        let grid = triple(CoreOp::GetNumTileBlocks);
        let row = self
            .builder
            .wrapping(IntegerOp::MulI, &[block_id[1], grid[0]], LOC);
        self.builder
            .wrapping(IntegerOp::AddI, &[row, block_id[0]], LOC)
    }

    /// Returns a block's part of a buffer.
    fn part(&mut self, pointer: ValueId, block: ValueId, elements: u64) -> ValueId {
        let elements = self.builder.splat(Scalar::I32, elements, &[], LOC);
        let offset = self
            .builder
            .wrapping(IntegerOp::MulI, &[block, elements], LOC);
        self.builder
            .like_first(CoreOp::Offset, &[pointer, offset], LOC)
    }

    /// Makes a load from an input or a state.
    pub(super) fn load(&mut self) {
        let ty = self.tile_type(|_| true);
        let (scalar, shape) = ty.as_number_tile().expect("numbers");
        let buffer = match self.open_chain() {
            Some(chain) if self.random.one_in(3) => {
                let buffers = self.buffers.iter();
                let state = buffers
                    .clone()
                    .find(|buffer| buffer.role == Role::State(chain));
                state.expect("every chain has a state").clone()
            }
            _ => {
                let is_input =
                    |buffer: &&Buffer| buffer.role == Role::Input && buffer.scalar == scalar;
                let input = self.buffers.iter().find(is_input);
                input.expect("every type has an input").clone()
            }
        };
        if shape.is_empty() || self.random.one_in(2) {
            self.load_pointers(&buffer, shape);
        } else {
            self.load_view(&buffer, shape);
        }
    }

    /// Makes a store or an atomic.
    pub(super) fn store(&mut self) {
        let chain = self.open_chain();
        let ways = if self.for_devices() { 8 } else { 6 };
        match (self.random.below(ways), chain) {
            (0, _) => self.count(),
            (1 | 2, Some(chain)) => self.change_state(chain),
            (3 | 6 | 7, Some(chain)) => self.atomic(chain),
            _ => self.output(),
        }
    }

    /// Stores a value to elements of its own.
    pub(super) fn output(&mut self) {
        let ty = self.tile_type(|_| true);
        let (scalar, shape) = ty.as_number_tile().expect("numbers");
        let value = match self.outermost_loop {
            // A value from before the loop, so that every iteration stores the same.
            Some(mark) => self.pool.pick_before(mark, ty, &mut self.random),
            None => Some(self.value(ty)),
        };
        let value = value.unwrap_or_else(|| self.constant(scalar, shape));
        self.store_output(value);
    }

    /// Stores a value to elements of the output that nothing else is stored to. Does nothing if too
    /// few such elements are left.
    fn store_output(&mut self, value: ValueId) {
        let (scalar, _) = self.builder.ty(value).as_number_tile().expect("numbers");
        self.store_alone(value, |buffer| {
            matches!(buffer.role, Role::Output(_)) && buffer.scalar == scalar
        });
    }

    /// Stores a value to elements of a buffer that nothing else is stored to. Returns the number of
    /// the buffer and of the first of these elements in a block's part, if enough were left.
    pub(super) fn store_alone(
        &mut self,
        value: ValueId,
        is_match: impl Fn(&Buffer) -> bool,
    ) -> Option<(usize, u64)> {
        let (_, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let count = shape.iter().product::<i64>().unsigned_abs();
        let number = self.buffers.iter().position(is_match);
        let number = number.expect("every type has an output");
        let buffer = &mut self.buffers[number];
        let base = buffer.base;
        let (Role::Output(used) | Role::Inexact(used)) = &mut buffer.role else {
            unreachable!("the others are not written alone");
        };
        if *used + count > self.sizes.output {
            return None;
        }
        let start = *used;
        *used += count;
        let first = self.builder.splat(Scalar::I32, start, &[], LOC);
        let base = self.builder.like_first(CoreOp::Offset, &[base, first], LOC);
        if shape.is_empty() || self.random.one_in(2) {
            self.store_pointers(base, value, None);
        } else {
            self.store_view(base, count, value, None);
        }
        Some((number, start))
    }

    /// Makes a store to a state, ordered after the earlier accesses to the state.
    fn change_state(&mut self, chain: usize) {
        let role = Role::State(chain);
        let state = self.buffers.iter().find(|buffer| buffer.role == role);
        let scalar = state.expect("every chain has a state").scalar;
        let shape = self.tile_shape();
        let value = self.value(Type::tile(scalar, &shape));
        self.store_state(chain, value);
    }

    /// Stores a value of the state's element type to the state. Does nothing if the value is too
    /// large.
    fn store_state(&mut self, chain: usize, value: ValueId) {
        let role = Role::State(chain);
        let state = self.buffers.iter().find(|buffer| buffer.role == role);
        let base = state.expect("every chain has a state").base;
        let (_, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let count = shape.iter().product::<i64>().unsigned_abs();
        if count > self.sizes.state {
            return;
        }
        let token = self.before_store(chain);
        let first = self
            .random
            .below(usize::try_from(self.sizes.state - count + 1).expect("small"));
        let first = self.builder.splat(Scalar::I32, first as u64, &[], LOC);
        let base = self.builder.like_first(CoreOp::Offset, &[base, first], LOC);
        let token = if shape.is_empty() || self.random.one_in(2) {
            self.store_pointers(base, value, token)
        } else {
            self.store_view(base, count, value, token)
        };
        self.after_store(chain, token);
    }

    /// Returns the non-constant values of the innermost region that no operation in the region
    /// uses.
    pub(super) fn leaves(&mut self) -> Vec<(Type, ValueId)> {
        let block = self.builder.block();
        let module = self.builder.module();
        let mut used = FxHashSet::default();
        for op in module.walk(block) {
            used.extend(module.op(op).operands.iter().copied());
        }
        let mark = self.marks.last().copied().unwrap_or_default();
        let is_leaf = |&&(ty, value): &&(Type, ValueId)| {
            let is_constant = module
                .defining_op(value)
                .is_some_and(|op| module.op(op).opcode == CoreOp::Constant.into());
            ty.as_number_tile().is_some() && !is_constant && !used.contains(&value)
        };
        self.pool
            .since(mark)
            .iter()
            .filter(is_leaf)
            .copied()
            .collect()
    }

    /// Stores most of `leaves`, the newest first and at most `most`, so that computed values are
    /// observed. A few remain unused.
    pub(super) fn store_leaves(&mut self, leaves: &[(Type, ValueId)], most: usize) {
        let mut left = most;
        for &(ty, value) in leaves.iter().rev() {
            let (scalar, _) = ty.as_number_tile().expect("leaves are numbers");
            if left == 0 || self.random.one_in(5) || !self.scalars.contains(&scalar) {
                continue;
            }
            left -= 1;
            if self.outermost_loop.is_none() {
                self.store_output(value);
                continue;
            }
            // Values of iterations differ, so a state records the order of the iterations.
            let open = self.open.clone();
            let chain = open.into_iter().find(|&chain| {
                let role = Role::State(chain);
                let mut buffers = self.buffers.iter();
                buffers.any(|buffer| buffer.role == role && buffer.scalar == scalar)
            });
            if let Some(chain) = chain {
                self.store_state(chain, value);
            }
        }
    }
}
