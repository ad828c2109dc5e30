//! Converts values to the layouts that operations need.

use super::rematerialize::Leaves;
use super::{Lowering, ScopeKind};
use crate::gpu::{Buffer, BufferId, LayoutId, MemoryKind, OpKind, Ty, ValueId};
use crate::layout::{
    Axis, Conversion, LinearLayout, Register, access_passes, classify, exchange_layout,
    generated_exchange, ldmatrix_plan, matrix_rows, stays_in_warps, swizzled_for,
};
use tile_core::Loc;

/// The purpose of a conversion. Conversions of a value to the same layout can differ by purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// Any use.
    Layout,
    /// An operand of an MMA, loaded by `ldmatrix` where possible.
    Fragment,
}

/// A value whose conversion to another layout has begun.
#[derive(Debug)]
pub(super) enum Staged {
    /// The conversion is complete.
    Ready(ValueId),
    /// The value is in shared memory; the operation `kind` will read it.
    Written {
        scope: usize,
        kind: Box<OpKind>,
        ty: Ty,
        key: (ValueId, LayoutId, Purpose),
        loc: Loc,
    },
}

impl Lowering<'_> {
    /// Returns the tile `operand` in `layout`, rematerialized where that costs less than a conversion.
    pub(super) fn in_layout(
        &mut self,
        operand: tile_core::ir::ValueId,
        layout: LayoutId,
    ) -> ValueId {
        let value = self.value(operand);
        let Ty::Distributed {
            layout: source_layout,
            ..
        } = self.kernel.ty(value)
        else {
            return value;
        };
        if source_layout == layout {
            return value;
        }
        if let Some(rematerialized) = self.rematerialized(operand, layout, Leaves::Moved) {
            return rematerialized;
        }
        self.converted(value, layout, Purpose::Layout)
    }

    /// Returns `value` in `layout`; converts it where it was defined, outside of loops.
    pub(super) fn converted(
        &mut self,
        value: ValueId,
        layout: LayoutId,
        purpose: Purpose,
    ) -> ValueId {
        let staged = self.stage(value, layout, purpose);
        self.deliver(staged)
    }

    /// Begins [`Self::converted`]: writes a value that must go through shared memory. If several values are
    /// staged before the first is delivered, they share their barriers.
    pub(super) fn stage(&mut self, value: ValueId, layout: LayoutId, purpose: Purpose) -> Staged {
        if self.kernel.ty(value).layout() == Some(layout) {
            return Staged::Ready(value);
        }
        let key = (value, layout, purpose);
        let scope = self.scope_for(value);
        let mut around = self.scopes[scope..].iter().rev();
        if let Some(&cached) = around.find_map(|scope| scope.converted.get(&key)) {
            return Staged::Ready(cached);
        }
        let staged = self.convert(scope, value, layout, purpose);
        if let Staged::Ready(value) = staged {
            self.scopes[scope].converted.insert(key, value);
        }
        staged
    }

    /// Completes [`Self::converted`]: reads a value that went through shared memory.
    pub(super) fn deliver(&mut self, staged: Staged) -> ValueId {
        match staged {
            Staged::Ready(value) => value,
            Staged::Written {
                scope,
                kind,
                ty,
                key,
                loc,
            } => {
                let value = self.emit_at(scope, *kind, &[], ty, loc);
                self.scopes[scope].converted.insert(key, value);
                value
            }
        }
    }

    /// Returns the outermost scope to which a computation on `value` may be moved: out of loops, but not out
    /// of branches.
    pub(super) fn scope_for(&self, value: ValueId) -> usize {
        let depth = self.depth.get(value.index()).copied().unwrap_or(0);
        let mut scope = self.scopes.len() - 1;
        while scope > depth && self.scopes[scope].kind == ScopeKind::Loop {
            scope -= 1;
        }
        scope
    }

    fn convert(&mut self, scope: usize, value: ValueId, to: LayoutId, purpose: Purpose) -> Staged {
        let key = (value, to, purpose);
        let Ty::Distributed {
            element,
            layout: from,
        } = self.kernel.ty(value)
        else {
            unreachable!("only distributed values are converted")
        };
        let loc = self.kernel.value(value).loc;
        let ty = Ty::Distributed {
            element,
            layout: to,
        };
        let bits = u32::try_from(element.bytes() * 8).expect("an element has few bits");
        let plan = classify(self.kernel.layout(from), self.kernel.layout(to), bits)
            .expect("layouts of one tile hold all of its elements");
        match plan {
            Conversion::Identity => {
                let registers: Vec<Register> = self.kernel.layout(to).registers().collect();
                let kind = OpKind::PermuteRegisters(registers);
                Staged::Ready(self.emit_at(scope, kind, &[value], ty, loc))
            }
            Conversion::RegisterPermutation(registers) => {
                let kind = OpKind::PermuteRegisters(registers);
                Staged::Ready(self.emit_at(scope, kind, &[value], ty, loc))
            }
            Conversion::WarpShuffle(_) => {
                Staged::Ready(self.emit_at(scope, OpKind::ConvertLayoutShuffle, &[value], ty, loc))
            }
            // A loaded tile for an MMA goes to a buffer that the pipeliner can fill ahead of time, even if an
            // exchange within warps would suffice.
            Conversion::WarpShared(_)
                if (purpose == Purpose::Layout || !self.is_loaded(self.with_unit_axes(value)))
                    && stays_in_warps(self.kernel.layout(from), self.kernel.layout(to)) =>
            {
                Staged::Ready(self.exchanged_in_warps(scope, value, element, to, loc))
            }
            Conversion::WarpShared(_)
            | Conversion::BlockShared(_)
            | Conversion::ClusterShared(_) => {
                let (from, to) = (
                    self.kernel.layout(from).clone(),
                    self.kernel.layout(to).clone(),
                );
                // Use `ldmatrix` unless a plain exchange takes fewer passes.
                let fragment = (purpose == Purpose::Fragment)
                    .then(|| fragment_memory(&from, &to, bits))
                    .flatten();
                let exchange = exchange_layout(&from, &to, bits).expect("layouts of one tile");
                let passes = |side| access_passes(side, &exchange, bits);
                let plain = passes(&from)
                    .zip(passes(&to))
                    .map(|(write, read)| write + read);
                let fragment = fragment.filter(|(cost, _)| Some(*cost) <= plain);
                let by_matrix = fragment.is_some();
                let memory = fragment.map_or(exchange, |(_, memory)| memory);
                // Store a loaded tile in the layout of its load, so that the pipeliner can replace the load
                // and the store by a copy.
                let stored = self.with_unit_axes(value);
                let shape = self.kernel.layout_of(stored).shape().clone();
                let buffer = self.buffer(element, memory.reshape(shape));
                self.emit_store(scope, buffer, stored, loc);
                let kind = if by_matrix {
                    OpKind::LoadMatrix(buffer)
                } else {
                    OpKind::LoadShared(buffer)
                };
                Staged::Written {
                    scope,
                    kind: Box::new(kind),
                    ty,
                    key,
                    loc,
                }
            }
        }
    }

    /// Returns the loaded tile that equals a value except for axes of one element; if there is none, returns
    /// the value itself.
    fn with_unit_axes(&self, value: ValueId) -> ValueId {
        let source = self.kernel.defining(value).and_then(|id| {
            let op = self.kernel.op(id);
            let &[source] = &op.args[..] else {
                return None;
            };
            matches!(op.kind, OpKind::PermuteRegisters(_)).then_some(source)
        });
        let is_same = |source: &ValueId| {
            let (from, to) = (self.kernel.layout_of(*source), self.kernel.layout_of(value));
            self.is_loaded(*source)
                && from.shape().without_unit_axes() == to.shape().without_unit_axes()
                && from.reshape(to.shape().clone()) == *to
        };
        source.filter(is_same).unwrap_or(value)
    }

    /// Returns `true` if a value comes directly from global memory, so that the pipeliner may copy it to
    /// shared memory.
    fn is_loaded(&self, value: ValueId) -> bool {
        let op = self
            .kernel
            .defining(value)
            .map(|op| &self.kernel.op(op).kind);
        matches!(
            op,
            Some(OpKind::LoadGlobal(_) | OpKind::Memory(MemoryKind::Load(_)))
        )
    }

    /// Returns `true` if [`Self::converted`] needs no shared memory for this conversion.
    pub(super) fn stays_in_warps(from: &LinearLayout, to: &LinearLayout, bits: u32) -> bool {
        matches!(
            classify(from, to, bits),
            Some(
                Conversion::Identity
                    | Conversion::RegisterPermutation(_)
                    | Conversion::WarpShuffle(_)
            )
        )
    }

    /// Adds a buffer with layout `memory`, and stores `value` to it.
    pub(super) fn written_to(
        &mut self,
        value: ValueId,
        memory: LinearLayout,
        loc: Loc,
    ) -> BufferId {
        let element = self.kernel.ty(value).scalar().expect("a tile of numbers");
        let buffer = self.buffer(element, memory);
        self.emit_store(self.scopes.len() - 1, buffer, value, loc);
        buffer
    }

    pub(super) fn emit_store(&mut self, scope: usize, buffer: BufferId, value: ValueId, loc: Loc) {
        let block = self.scopes[scope].block;
        self.kernel
            .push(block, OpKind::StoreShared(buffer), &[value], &[], &[], loc);
    }

    pub(super) fn buffer(&mut self, element: tile_core::Scalar, memory: LinearLayout) -> BufferId {
        let elements = memory.shape().num_elements();
        let bytes = elements * element.bytes() as u64;
        let layout = Some(self.kernel.add_layout(memory));
        self.kernel
            .add_buffer(Buffer::new(element, bytes, 128, layout))
    }
}

/// Returns the shared-memory layout from which `ldmatrix` delivers `to` with the fewest passes, after the
/// number of passes of its stores and loads. The layout is swizzled; its contiguous axis is the one that is
/// better for the stores of `from`. `None` if `ldmatrix` cannot deliver `to`.
fn fragment_memory(
    from: &LinearLayout,
    to: &LinearLayout,
    bits: u32,
) -> Option<(u64, LinearLayout)> {
    let rank = from.shape().rank();
    let (row, column) = (Axis(rank - 2), Axis(rank - 1));
    let orders = [[column, row], [row, column]].map(|matrix| {
        let mut order = matrix.to_vec();
        order.extend((0..rank - 2).rev().map(Axis));
        order
    });
    let swizzled = orders
        .iter()
        .map(|order| swizzled_for(from.shape(), order, bits));
    let bytes = [row, column]
        .into_iter()
        .filter(|_| bits == 8)
        .filter_map(|axis| generated_exchange(from, &matrix_rows(to, axis)?, bits));
    bytes
        .chain(swizzled)
        .filter(|memory| ldmatrix_plan(to, memory, bits).is_some())
        .filter_map(|memory| {
            // A matrix of 8 rows takes one pass, and delivers one word to each thread.
            let words = (to.num_registers() as u64 * u64::from(bits)).div_ceil(32);
            Some((access_passes(from, &memory, bits)? + words, memory))
        })
        .min_by_key(|(passes, _)| *passes)
}
