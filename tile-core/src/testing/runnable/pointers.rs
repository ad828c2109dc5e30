//! Access through tiles of pointers.

use super::memory::{Buffer, COUNTERS, Role};
use super::{LOC, Maker};
use crate::ir::{
    AtomicRmwMode, Attr, ComparisonOrdering, ComparisonPredicate, MemoryOrdering, MemoryScope,
    Signedness, ValueId,
};
use crate::ops::{AtomicOp, CoreOp, FloatOp, MemoryOp};
use crate::testing::generate::has_mode;
use crate::types::{Scalar, Type};

/// Orderings of loads, of stores and of atomics.
const LOADS: [MemoryOrdering; 4] = [
    MemoryOrdering::Weak,
    MemoryOrdering::Weak,
    MemoryOrdering::Relaxed,
    MemoryOrdering::Acquire,
];
const STORES: [MemoryOrdering; 4] = [
    MemoryOrdering::Weak,
    MemoryOrdering::Weak,
    MemoryOrdering::Relaxed,
    MemoryOrdering::Release,
];
/// Orderings of an unordered store of the same value by several iterations.
const REPEATED: [MemoryOrdering; 2] = [MemoryOrdering::Relaxed, MemoryOrdering::Release];
const ATOMICS: [MemoryOrdering; 4] = [
    MemoryOrdering::Relaxed,
    MemoryOrdering::Acquire,
    MemoryOrdering::Release,
    MemoryOrdering::AcqRel,
];

/// The kind of access, which determines the orderings.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    Load,
    Store,
    /// A store to an output in a loop.
    Repeated,
    Atomic,
    /// An atomic on a counter of all blocks.
    Counter,
}

impl Access {
    /// Returns the kind of a store with the token operand `token`.
    pub(super) fn store(token: Option<ValueId>, outermost_loop: Option<usize>) -> Self {
        match (token, outermost_loop) {
            (None, Some(_)) => Access::Repeated,
            _ => Access::Store,
        }
    }
}

impl Maker<'_> {
    /// Returns an ordering, and its scope.
    pub(super) fn ordering(&mut self, access: Access) -> [(&'static str, Option<Attr>); 2] {
        let ordering = self.random.pick(match access {
            Access::Load => &LOADS[..],
            Access::Store => &STORES,
            Access::Repeated => &REPEATED,
            Access::Atomic | Access::Counter => &ATOMICS,
        });
        let scopes = match access {
            Access::Counter => &[MemoryScope::Device, MemoryScope::System][..],
            Access::Load | Access::Store | Access::Repeated | Access::Atomic => MemoryScope::ALL,
        };
        let scope = self.random.pick(scopes);
        let scope = (ordering != MemoryOrdering::Weak).then_some(Attr::MemoryScope(scope));
        [
            (
                "memory_ordering_semantics",
                Some(Attr::MemoryOrdering(ordering)),
            ),
            ("memory_scope", scope),
        ]
    }

    /// Makes pointers at offsets from `base`.
    pub(super) fn at(&mut self, base: ValueId, offsets: ValueId) -> ValueId {
        let (_, shape) = self.builder.ty(offsets).as_number_tile().expect("numbers");
        let base = self.builder.splat_value(base, shape, LOC);
        self.builder
            .like_first(CoreOp::Offset, &[base, offsets], LOC)
    }

    /// Loads elements of a buffer: a contiguous run, arbitrary elements, or arbitrary elements
    /// under a mask.
    pub(super) fn load_pointers(&mut self, buffer: &Buffer, shape: &[i64]) {
        let elements = match buffer.role {
            Role::State(_) => self.sizes.state,
            _ => self.sizes.input,
        };
        let data = Type::tile(buffer.scalar, shape);
        let int = self.count_type();
        // Offsets are signed.
        let elements = elements.min(1 << (int.bits() - 1));
        let offsets = self.value(Type::tile(int, shape));
        let (offsets, mask) = match self.random.below(4) {
            0 => {
                // The offsets are arbitrary, but those out of bounds are masked off.
                let bound = self.splat_like(offsets, elements);
                let less = ComparisonPredicate::LessThan;
                let mask = self
                    .builder
                    .cmpi(less, offsets, bound, Signedness::Unsigned, LOC);
                self.pool.add(self.builder.ty(mask), mask);
                (offsets, Some(mask))
            }
            1 => {
                let offsets = self.bits_of(offsets, elements - 1);
                (offsets, Some(self.value(Type::tile(Scalar::I1, shape))))
            }
            _ => (self.bits_of(offsets, elements - 1), None),
        };
        let pointers = self.at(buffer.base, offsets);
        let padding = mask.map(|_| self.value(data));
        let token = match buffer.role {
            Role::State(chain) => self.before_load(chain),
            _ => self.some_token(),
        };
        let ordering = self.ordering(Access::Load);
        let mut op = self
            .builder
            .op(MemoryOp::LoadPtrTko, LOC)
            .operand("source", pointers)
            .operands("mask", mask.as_slice())
            .operands("paddingValue", padding.as_slice())
            .operands("token", token.as_slice());
        for (name, value) in ordering {
            op = op.attr(name, value);
        }
        let op = op.results(&[data, Type::token()]).finish();
        self.define(op);
        let results = self.builder.module().op(op).results.clone();
        match buffer.role {
            Role::State(chain) => self.after_load(chain, results[1]),
            _ if padding.is_none_or(|padding| self.keeps_bits(padding)) => {
                self.given_bits.insert(results[0]);
            }
            _ => {}
        }
    }

    /// Loads a contiguous run of elements.
    pub(super) fn load_run(&mut self, base: ValueId, scalar: Scalar, shape: &[i64]) -> ValueId {
        let source = self.run(base, shape);
        let op = self
            .builder
            .op(MemoryOp::LoadPtrTko, LOC)
            .operand("source", source)
            .attr(
                "memory_ordering_semantics",
                Attr::MemoryOrdering(MemoryOrdering::Weak),
            )
            .results(&[Type::tile(scalar, shape), Type::token()])
            .finish();
        self.define(op)
    }

    /// Makes pointers to a contiguous run of elements.
    pub(super) fn run(&mut self, base: ValueId, shape: &[i64]) -> ValueId {
        if shape.is_empty() {
            return base;
        }
        let int = self.count_type_for(shape);
        let offsets = self.numbered(int, shape);
        self.at(base, offsets)
    }

    /// Stores a value to a contiguous run of elements, or to those of a mask.
    pub(super) fn store_pointers(
        &mut self,
        base: ValueId,
        value: ValueId,
        token: Option<ValueId>,
    ) -> ValueId {
        let (_, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let destination = self.run(base, shape);
        let mask = self
            .random
            .one_in(3)
            .then(|| self.value(Type::tile(Scalar::I1, shape)));
        let access = Access::store(token, self.outermost_loop);
        let token = token.or_else(|| self.some_token());
        let ordering = self.ordering(access);
        let mut op = self
            .builder
            .op(MemoryOp::StorePtrTko, LOC)
            .operand("destination", destination)
            .operand("value", value)
            .operands("mask", mask.as_slice())
            .operands("token", token.as_slice());
        for (name, value) in ordering {
            op = op.attr(name, value);
        }
        let op = op.result(Type::token()).finish();
        self.define(op)
    }

    /// Makes an atomic on a state, ordered after the earlier accesses to the state.
    pub(super) fn atomic(&mut self, chain: usize) {
        let role = Role::State(chain);
        let state = self.buffers.iter().find(|buffer| buffer.role == role);
        let Buffer { scalar, base, .. } = *state.expect("every chain has a state");
        let modes: Vec<AtomicRmwMode> = AtomicRmwMode::ALL
            .iter()
            .copied()
            .filter(|&mode| has_mode(mode, scalar))
            .collect();
        if modes.is_empty() {
            return;
        }
        let swaps = modes.contains(&AtomicRmwMode::Xchg) && self.random.one_in(3);
        let mode = self.random.pick(&modes);
        let shape = self.tile_shape();
        if shape.iter().product::<i64>().unsigned_abs() > self.sizes.state {
            return;
        }
        let data = Type::tile(scalar, &shape);
        let is_view = !shape.is_empty() && mode != AtomicRmwMode::Xchg && !swaps;
        if is_view && self.random.one_in(if self.for_devices() { 2 } else { 3 }) {
            let value = self.value(data);
            let value = self.summand(mode, value);
            let token = self.before_store(chain);
            let token = self.reduce_into_view(base, mode, value, token);
            self.after_store(chain, token);
            return;
        }
        let mut args = self.values(&[data, data]);
        if swaps {
            // The atomic compares this operand by its bits.
            args[0] = self.promised_bits(args[0]);
        } else {
            args[0] = self.summand(mode, args[0]);
        }
        // Every lane has an element of its own: the order of two updates of one element is
        // undefined.
        let pointers = if shape.is_empty() {
            let int = self.count_type();
            let offset = self.value(Type::scalar(int));
            let most = (self.sizes.state - 1).min((1 << (int.bits() - 1)) - 1);
            let offset = self.bits_of(offset, most);
            self.at(base, offset)
        } else {
            self.run(base, &shape)
        };
        let mask = self
            .random
            .one_in(3)
            .then(|| self.value(Type::tile(Scalar::I1, &shape)));
        let token = self.before_store(chain);
        let ordering = self.ordering(Access::Atomic);
        let opcode = if swaps {
            AtomicOp::AtomicCasTko
        } else {
            AtomicOp::AtomicRmwTko
        };
        let operands = opcode_operands(pointers, &args, swaps);
        let mut op = self
            .builder
            .op(opcode, LOC)
            .args(&operands)
            .operands("mask", mask.as_slice())
            .operands("token", token.as_slice());
        for (name, value) in ordering {
            op = op.attr(name, value);
        }
        if !swaps {
            op = op.attr("mode", Attr::RmwMode(mode));
        }
        let op = op.results(&[data, Type::token()]).finish();
        let results = self.builder.module().op(op).results.clone();
        self.fuel = self.fuel.saturating_sub(1);
        self.pool.add(Type::token(), results[1]);
        self.after_store(chain, results[1]);
        match mask {
            // The result of a masked-off element is unspecified.
            Some(mask) if !swaps => {
                self.plain(CoreOp::Select, &[mask, results[0], args[0]], data);
            }
            _ => self.pool.add(data, results[0]),
        }
    }

    /// Returns `value`, or for devices a value whose sum with any f32 is not subnormal, since an
    /// addition in global memory may flush a subnormal sum to zero. A number that cancels a summand
    /// of 1 or more has at least half its magnitude, and numbers of that magnitude are at least
    /// 2^-24 apart.
    fn summand(&mut self, mode: AtomicRmwMode, value: ValueId) -> ValueId {
        let ty = self.builder.ty(value);
        let is_f32 = ty
            .as_number_tile()
            .is_some_and(|(scalar, _)| scalar == Scalar::F32);
        if !self.for_devices() || mode != AtomicRmwMode::AddF || !is_f32 {
            return value;
        }
        let one = self.splat_like(value, u64::from(1_f32.to_bits()));
        let size = self.plain(FloatOp::AbsF, &[value], ty);
        let is_small = self.builder.cmpf(
            ComparisonPredicate::LessThan,
            ComparisonOrdering::Ordered,
            size,
            one,
            LOC,
        );
        self.plain(CoreOp::Select, &[is_small, one, value], ty)
    }

    /// Makes an atomic on a counter of all blocks. The result depends on the order of blocks and is
    /// not used; the effect on memory does not depend on it.
    pub(super) fn count(&mut self) {
        let counter = self
            .buffers
            .iter()
            .find(|buffer| buffer.role == Role::Counter);
        let base = counter.expect("there is one").base;
        // One operation per element, so that the order does not matter.
        let (place, mode) = self.random.pick(&[
            (0, AtomicRmwMode::Add),
            (1, AtomicRmwMode::Or),
            (2, AtomicRmwMode::UMax),
            (COUNTERS - 1, AtomicRmwMode::Xor),
        ]);
        let place = self.splat(Scalar::I32, place, &[]);
        let pointer = self.at(base, place);
        let value = self.value(Type::scalar(Scalar::I32));
        let token = self.some_token();
        let ordering = self.ordering(Access::Counter);
        let mut op = self
            .builder
            .op(AtomicOp::AtomicRmwTko, LOC)
            .args(&[pointer, value])
            .operands("token", token.as_slice());
        for (name, value) in ordering {
            op = op.attr(name, value);
        }
        let op = op
            .attr("mode", Attr::RmwMode(mode))
            .results(&[Type::scalar(Scalar::I32), Type::token()])
            .finish();
        let token = self.builder.module().op(op).results[1];
        self.pool.add(Type::token(), token);
    }
}

fn opcode_operands(pointers: ValueId, args: &[ValueId], swaps: bool) -> Vec<ValueId> {
    let count = 1 + usize::from(swaps);
    [&[pointers], &args[..count]].concat()
}
