//! Nests: which iterations compute which elements, and which operations share a nest.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use tile_core::ir::ValueId;
use tile_core::types::Scalar;

use super::super::ir::{BufferId, Inst, Nest, Place, Reg, Stmt, Stored, Why};
use super::{Bound, Builder, Reply};

/// For each bit of a position in a tile, from the lowest, the bit of the iteration that it is; `None` for a zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Map {
    /// The number of bits of the iteration.
    nest: u32,
    bits: Vec<Option<u32>>,
}

impl Map {
    pub(super) fn identity(bits: u32) -> Self {
        Self {
            nest: bits,
            bits: (0..bits).map(Some).collect(),
        }
    }

    /// Returns `true` if each iteration is another position, and none is left out.
    fn is_bijective(&self) -> bool {
        let taken: BTreeSet<u32> = self.bits.iter().flatten().copied().collect();
        self.bits.len() == self.nest as usize && taken.len() == self.nest as usize
    }

    /// Returns the weight of each bit of the iteration in a row-major position.
    pub(super) fn weights(&self) -> Vec<i64> {
        let mut weights = vec![0; self.nest as usize];
        for (position, bit) in self.bits.iter().enumerate() {
            if let Some(bit) = bit {
                weights[*bit as usize] += 1 << position;
            }
        }
        weights
    }

    /// Returns the weights in the coordinate along each axis of a tile.
    pub(super) fn axes(&self, shape: &[u64]) -> Vec<Vec<i64>> {
        let axes = self.split(shape).into_iter();
        axes.map(|bits| {
            let axis = Self {
                nest: self.nest,
                bits,
            };
            axis.weights()
        })
        .collect()
    }

    /// Returns the number of bits of the iteration.
    pub(super) fn nest_bits(&self) -> usize {
        self.nest as usize
    }

    /// Returns the map of a tile with one axis, which runs along an axis of the tile with this map.
    pub(super) fn along(&self, shape: &[u64], axis: usize) -> Self {
        Self {
            nest: self.nest,
            bits: self.split(shape).swap_remove(axis),
        }
    }

    /// Returns the weight of the highest bit of the coordinate along an axis.
    pub(super) fn top_bit(&self, shape: &[u64], axis: usize) -> Vec<i64> {
        let bit = self.split(shape)[axis].last().copied().flatten();
        (0..self.nest)
            .map(|other| i64::from(bit == Some(other)))
            .collect()
    }

    /// Returns the map of one half of a tile along an axis.
    fn half(&self, shape: &[u64], axis: usize) -> Self {
        let mut axes = self.split(shape);
        axes[axis].pop();
        Self::join(self.nest, &axes)
    }

    /// Returns the map of the operands of a concatenation.
    pub(super) fn halves(&self, shape: &[u64], axis: usize) -> [Self; 2] {
        [self.half(shape, axis), self.half(shape, axis)]
    }

    /// Returns the bits of the coordinate along each axis.
    fn split(&self, shape: &[u64]) -> Vec<Vec<Option<u32>>> {
        let mut axes = vec![Vec::new(); shape.len()];
        let mut start = 0;
        for (axis, extent) in shape.iter().enumerate().rev() {
            let end = start + extent.trailing_zeros() as usize;
            axes[axis] = self.bits[start..end].to_vec();
            start = end;
        }
        axes
    }

    fn join(nest: u32, axes: &[Vec<Option<u32>>]) -> Self {
        Self {
            nest,
            bits: axes.iter().rev().flatten().copied().collect(),
        }
    }

    /// Returns the map of the source of a broadcast from `from` to `to`.
    pub(super) fn broadcast(&self, from: &[u64], to: &[u64]) -> Self {
        let mut axes = self.split(to);
        for (axis, (from, to)) in axes.iter_mut().zip(from.iter().zip(to)) {
            if from != to {
                axis.clear();
            }
        }
        Self::join(self.nest, &axes)
    }

    /// Returns the map of the source of a permutation, whose result has the axis `permutation[i]` of the source as
    /// axis `i`.
    pub(super) fn permute(&self, permutation: &[i32], to: &[u64]) -> Self {
        let result = self.split(to);
        let mut axes = vec![Vec::new(); to.len()];
        for (bits, axis) in result.into_iter().zip(permutation) {
            axes[usize::try_from(*axis).expect("axes are not negative")] = bits;
        }
        Self::join(self.nest, &axes)
    }
}

/// A nest to which operations may still be added.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) nest: Nest,
    computed: FxHashMap<(ValueId, Map), Reg>,
    /// The buffers that it writes.
    stored: FxHashSet<BufferId>,
    /// The accesses that it loads, and the parameters that it stores to.
    loaded: Vec<usize>,
    changed: Vec<u32>,
    /// Tiles that it also puts into buffers, where later nests find them.
    kept: Vec<(ValueId, BufferId)>,
    /// `true` if nothing else should be computed beside it, since it runs in another order.
    is_alone: bool,
}

impl Open {
    /// Returns `true` if the nest loads from the memory of a parameter.
    pub(super) fn loads_from(&self, builder: &Builder<'_>, param: Option<u32>) -> bool {
        let mut loaded = self
            .loaded
            .iter()
            .map(|&access| builder.accesses[access].param);
        loaded.any(|loaded| param.is_none_or(|param| loaded == param))
    }

    /// Returns `true` if it loads only the tile of `access` from the memory of a parameter.
    pub(super) fn loads_only(
        &self,
        builder: &Builder<'_>,
        param: Option<u32>,
        access: usize,
    ) -> bool {
        let loaded = self.loaded.iter();
        let mut loaded =
            loaded.filter(|&&load| param.is_none_or(|param| builder.accesses[load].param == param));
        loaded.all(|&load| builder.is_same(load, access))
    }
}

/// How dear a tile must be, in instructions per element, to be kept for later nests.
const DEAR: u32 = 6;

impl Builder<'_> {
    /// Adds the computation of `trees` to a nest of `2^bits` iterations: to the open one, if it fits. `axis` has the
    /// bits that reductions run along.
    pub(super) fn sink(
        &mut self,
        bits: u32,
        axis: &[u32],
        is_reverse: bool,
        trees: &[ValueId],
        add: impl FnOnce(&mut Self, &Map) -> Reply,
    ) -> Reply {
        let map = Map::identity(bits);
        let fits = self.open.as_ref().is_some_and(|open| {
            let same_axis = axis.is_empty()
                || open.nest.axis.is_empty()
                || open.nest.axis == axis && open.nest.is_reverse == is_reverse;
            let mut seen = FxHashSet::default();
            open.nest.bits == bits
                && same_axis
                && !open.is_alone
                && !trees
                    .iter()
                    .any(|&tree| self.conflicts(open, tree, &map, &mut seen))
        });
        if !fits {
            self.flush();
        }
        let open = self.open.get_or_insert_with(|| Open {
            nest: Nest {
                bits,
                ..Nest::default()
            },
            computed: FxHashMap::default(),
            stored: FxHashSet::default(),
            loaded: Vec::new(),
            changed: Vec::new(),
            kept: Vec::new(),
            is_alone: false,
        });
        if !axis.is_empty() {
            open.nest.axis = axis.to_vec();
            open.nest.is_reverse = is_reverse;
        }
        add(self, &map)?;
        let kept = self
            .open
            .as_mut()
            .map(|open| std::mem::take(&mut open.kept));
        for (value, buffer) in kept.into_iter().flatten() {
            self.bound.insert(value, Bound::Buffer(buffer));
        }
        Ok(())
    }

    /// Marks the open nest as one to which nothing should be added.
    pub(super) fn close_to_others(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_alone = true;
        }
    }

    /// Returns `true` if a tile cannot be computed in the open nest, since it needs what another iteration writes.
    fn conflicts(
        &self,
        open: &Open,
        value: ValueId,
        map: &Map,
        seen: &mut FxHashSet<(ValueId, Map)>,
    ) -> bool {
        let key = (value, map.clone());
        if open.computed.contains_key(&key) || !seen.insert(key) {
            return false;
        }
        match self.bound.get(&value) {
            Some(Bound::Buffer(buffer)) => open.stored.contains(buffer),
            Some(Bound::Slice(slice)) => open.stored.contains(&slice.buffer),
            Some(&Bound::Load(access)) => open.changed.contains(&self.accesses[access].param),
            Some(&Bound::Deferred(op)) => self
                .sources(op, map)
                .iter()
                .any(|(value, map)| self.conflicts(open, *value, map, seen)),
            _ => false,
        }
    }

    /// Returns the number of an element of a value in the open nest, if it was computed.
    pub(super) fn computed(&self, value: ValueId, map: &Map) -> Option<Reg> {
        let open = self.open.as_ref().expect("a nest is open");
        open.computed.get(&(value, map.clone())).copied()
    }

    pub(super) fn remember(&mut self, value: ValueId, map: &Map, reg: Reg) {
        let open = self.open.as_mut().expect("a nest is open");
        open.computed.insert((value, map.clone()), reg);
    }

    /// Keeps a tile for later nests, if that is cheaper than to compute it again.
    pub(super) fn keep(&mut self, value: ValueId, map: &Map, reg: Reg) {
        let is_needed = self.remaining.get(&value).is_some_and(|&uses| uses > 0);
        let is_dear = self.costs.get(&value).is_some_and(|&cost| cost >= DEAR);
        if !is_needed || !is_dear || !map.is_bijective() {
            return;
        }
        let scalar = self.scalar_of(value);
        let buffer = self.new_buffer(scalar, self.count(value));
        self.note_stored(value, buffer, Why::UsedAgain);
        self.push_store(buffer, scalar, map, reg);
        let open = self.open.as_mut().expect("a nest is open");
        open.kept.push((value, buffer));
    }

    /// Adds an instruction to the open nest.
    pub(super) fn push(&mut self, inst: Inst) -> Reg {
        let open = self.open.as_mut().expect("a nest is open");
        if let Inst::Scatter { param, .. } | Inst::Atomic { param, .. } = inst {
            open.changed.push(param);
        }
        open.nest.insts.push(inst);
        open.nest.insts.len() - 1
    }

    pub(super) fn note_load(&mut self, access: usize) {
        let open = self.open.as_mut().expect("a nest is open");
        open.loaded.push(access);
    }

    pub(super) fn note_change(&mut self, param: u32) {
        let open = self.open.as_mut().expect("a nest is open");
        open.changed.push(param);
    }

    pub(super) fn note_written(&mut self, buffer: BufferId) {
        let open = self.open.as_mut().expect("a nest is open");
        open.stored.insert(buffer);
    }

    /// Stores an element to a buffer.
    pub(super) fn push_store(&mut self, buffer: BufferId, scalar: Scalar, map: &Map, value: Reg) {
        self.push_store_at(buffer, Place::buffer(buffer, scalar, map.weights()), value);
    }

    pub(super) fn push_store_at(&mut self, buffer: BufferId, place: Place, value: Reg) {
        self.push(Inst::Store(place, value));
        self.note_written(buffer);
    }

    /// Notes that a tile is computed into a buffer.
    pub(super) fn note_stored(&mut self, value: ValueId, buffer: BufferId, why: Why) {
        self.stored.push(Stored { value, buffer, why });
    }

    /// Puts a deferred tile into a buffer.
    pub(super) fn materialize(&mut self, value: ValueId, why: Why) -> Reply<BufferId> {
        if let Some(&Bound::Buffer(buffer)) = self.bound.get(&value) {
            return Ok(buffer);
        }
        let scalar = self.scalar_of(value);
        let buffer = self.new_buffer(scalar, self.count(value));
        self.note_stored(value, buffer, why);
        self.store_into(value, buffer)?;
        self.bound.insert(value, Bound::Buffer(buffer));
        Ok(buffer)
    }

    /// Computes a tile into a buffer.
    pub(super) fn store_into(&mut self, value: ValueId, buffer: BufferId) -> Reply {
        let scalar = self.scalar_of(value);
        let uses = self.remaining.insert(value, 0);
        let done = self.sink(self.bits(value), &[], false, &[value], |builder, map| {
            let reg = builder.element(value, map)?;
            builder.push_store(buffer, scalar, map, reg);
            Ok(())
        });
        self.remaining.extend(uses.map(|uses| (value, uses)));
        done
    }

    /// Ends the open nest.
    pub(super) fn flush(&mut self) {
        if let Some(open) = self.open.take() {
            self.stmts.push(Stmt::Nest(open.nest));
        }
    }

    /// Returns the deferred loads that may still be computed.
    pub(super) fn live_loads(&self) -> Vec<ValueId> {
        let mut live: FxHashSet<ValueId> = FxHashSet::default();
        let mut loads = Vec::new();
        for &value in self.deferred.iter().rev() {
            let is_used = self.remaining.get(&value).is_some_and(|&uses| uses > 0);
            if !is_used && !live.contains(&value) {
                continue;
            }
            match self.bound.get(&value) {
                Some(Bound::Load(_)) => loads.push(value),
                Some(&Bound::Deferred(op)) => live.extend(&self.module.op(op).operands),
                _ => {}
            }
        }
        loads
    }

    /// Returns `true` if each element of the tiles depends only on elements at the same position.
    pub(super) fn is_plain_tree(&self, trees: &[ValueId]) -> bool {
        let mut rest: Vec<(ValueId, Map)> = Vec::new();
        for &tree in trees {
            rest.push((tree, Map::identity(self.bits(tree))));
        }
        let mut seen = FxHashSet::default();
        while let Some((value, map)) = rest.pop() {
            if !seen.insert((value, map.clone())) {
                continue;
            }
            match self.bound.get(&value) {
                Some(Bound::Load(_)) if map != Map::identity(map.nest) => return false,
                Some(&Bound::Deferred(op)) => rest.extend(self.sources(op, &map)),
                _ => {}
            }
        }
        true
    }

    /// Returns the buffers that a tile is computed from, and whether each is read at the position that is computed.
    pub(super) fn buffers_read(&self, tree: ValueId) -> Vec<(BufferId, bool)> {
        let mut rest = vec![(tree, Map::identity(self.bits(tree)))];
        let mut seen = FxHashSet::default();
        let mut read = Vec::new();
        while let Some((value, map)) = rest.pop() {
            if !seen.insert((value, map.clone())) {
                continue;
            }
            match self.bound.get(&value) {
                Some(&Bound::Buffer(buffer)) => read.push((buffer, map == Map::identity(map.nest))),
                Some(Bound::Slice(slice)) => read.push((slice.buffer, false)),
                Some(&Bound::Deferred(op)) => rest.extend(self.sources(op, &map)),
                _ => {}
            }
        }
        read
    }
}
