//! Bringing a value into the layout that an operation wants.

use super::element::constant_kind;
use super::{Lowering, ScopeKind};
use crate::gpu::{Buffer, BufferId, LayoutId, OpKind, Ty, ValueId};
use crate::layout::{
    Axis, Conversion, LinearLayout, Register, bank_conflict_ways, classify, exchange_layout,
    ldmatrix_plan, swizzled_for, vector_plan,
};
use tile_core::Loc;
use tile_core::ops::{CoreOp, Opcode};

/// What a converted value is for; the same layout may be reached in two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// Any use.
    Layout,
    /// An operand of a matrix product: by `ldmatrix` where it fits.
    Fragment,
}

/// A value on its way to another layout.
#[derive(Debug)]
pub(super) enum Staged {
    /// It is there.
    Ready(ValueId),
    /// It is in shared memory, to be read by `kind`.
    Written {
        scope: usize,
        kind: Box<OpKind>,
        ty: Ty,
        key: (ValueId, LayoutId, Purpose),
        loc: Loc,
    },
}

impl Lowering<'_> {
    /// The tile `operand` in `layout`. A constant is made anew instead of moved.
    pub(super) fn in_layout(
        &mut self,
        operand: tile_core::ir::ValueId,
        layout: LayoutId,
    ) -> ValueId {
        let value = self.value(operand);
        let Ty::Distributed {
            element,
            layout: own,
        } = self.kernel.ty(value)
        else {
            return value;
        };
        if own == layout {
            return value;
        }
        if let Some(op) = self.module.defining_op(operand) {
            let op = self.module.op(op);
            let ty = Ty::Distributed { element, layout };
            match op.opcode {
                Opcode::Core(CoreOp::Constant) => {
                    return self.emit(constant_kind(op), &[], ty, op.loc);
                }
                Opcode::Core(CoreOp::Iota) => {
                    return self.emit(OpKind::Coordinate(Axis(0)), &[], ty, op.loc);
                }
                _ => {}
            }
        }
        self.converted(value, layout, Purpose::Layout)
    }

    /// `value` in `layout`, converted where it was made.
    pub(super) fn converted(
        &mut self,
        value: ValueId,
        layout: LayoutId,
        purpose: Purpose,
    ) -> ValueId {
        let staged = self.stage(value, layout, purpose);
        self.deliver(staged)
    }

    /// The first half of [`Self::converted`]: a value that has to go through shared
    /// memory is written there. Staging several values before delivering the first lets
    /// them share their barriers.
    pub(super) fn stage(&mut self, value: ValueId, layout: LayoutId, purpose: Purpose) -> Staged {
        if self.kernel.ty(value).layout() == Some(layout) {
            return Staged::Ready(value);
        }
        let key = (value, layout, purpose);
        let scope = self.scope_for(value);
        let mut around = self.scopes[scope..].iter().rev();
        if let Some(&found) = around.find_map(|scope| scope.converted.get(&key)) {
            return Staged::Ready(found);
        }
        let staged = self.convert(scope, value, layout, purpose);
        if let Staged::Ready(value) = staged {
            self.scopes[scope].converted.insert(key, value);
        }
        staged
    }

    /// The second half of [`Self::converted`].
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

    /// The outermost scope that a computation on `value` may be moved to: out of loops,
    /// not out of branches.
    fn scope_for(&self, value: ValueId) -> usize {
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
        let plan = classify(self.kernel.layout(from), self.kernel.layout(to))
            .expect("layouts of one tile hold all of its elements");
        match plan {
            Conversion::Identity => {
                let registers: Vec<Register> = self.kernel.layout(to).registers().collect();
                let kind = OpKind::Registers(registers);
                Staged::Ready(self.emit_at(scope, kind, &[value], ty, loc))
            }
            Conversion::RegisterPermutation(registers) => {
                let kind = OpKind::Registers(registers);
                Staged::Ready(self.emit_at(scope, kind, &[value], ty, loc))
            }
            Conversion::WarpShuffle(_)
            | Conversion::WarpShared(_)
            | Conversion::BlockShared(_)
            | Conversion::ClusterShared(_) => {
                let bits = element.bytes() * 8;
                let bits = u32::try_from(bits).expect("an element has few bits");
                let (from, to) = (
                    self.kernel.layout(from).clone(),
                    self.kernel.layout(to).clone(),
                );
                let fragment = (purpose == Purpose::Fragment)
                    .then(|| fragment_memory(&from, &to, bits))
                    .flatten();
                let by_matrix = fragment.is_some();
                let memory = fragment.unwrap_or_else(|| {
                    exchange_layout(&from, &to, bits).expect("layouts of one tile")
                });
                let buffer = self.buffer(element, memory);
                self.emit_store(scope, buffer, value, loc);
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

    pub(super) fn emit_store(&mut self, scope: usize, buffer: BufferId, value: ValueId, loc: Loc) {
        let block = self.scopes[scope].block;
        self.kernel
            .push(block, OpKind::StoreShared(buffer), &[value], &[], &[], loc);
    }

    pub(super) fn buffer(&mut self, element: tile_core::Scalar, memory: LinearLayout) -> BufferId {
        let elements = memory.shape().num_elements();
        let bytes = elements * element.bytes() as u64;
        let layout = Some(self.kernel.add_layout(memory));
        self.kernel.add_buffer(Buffer {
            element,
            bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
            slots: 1,
            align_bytes: 128,
            layout,
            offset_bytes: None,
        })
    }
}

/// The shared-memory layout from which `ldmatrix` delivers `to`: swizzled, along the
/// axis for which the stores of `from` need the fewest passes. `None` if there is none.
fn fragment_memory(from: &LinearLayout, to: &LinearLayout, bits: u32) -> Option<LinearLayout> {
    let orders = [[Axis(1), Axis(0)], [Axis(0), Axis(1)]];
    let candidates = orders
        .iter()
        .map(|order| swizzled_for(from.shape(), order, bits));
    candidates
        .filter(|memory| ldmatrix_plan(to, memory, bits).is_some())
        .filter_map(|memory| {
            let plan = vector_plan(from, &memory, u64::from(128 / bits))?;
            let ways = bank_conflict_ways(from, &memory, plan.width_elements, bits)?;
            Some((plan.groups.len() * ways as usize, memory))
        })
        .min_by_key(|(passes, _)| *passes)
        .map(|(_, memory)| memory)
}
