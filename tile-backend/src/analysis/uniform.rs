//! On which values the threads of a block may disagree.
//!
//! In: a kernel of the GPU IR. Out: the values of which two threads may hold different copies.
//!
//! A value that several threads hold is one value of the tile IR, so they must hold the same. They
//! do as long as each computes it alike: from parameters, constants, what shared memory has, and
//! memory that nobody else writes meanwhile. Where each thread reads for itself what another
//! block may write at that time, they may not: one may read the value before and one that after.
//! [`crate::passes::agree`] makes such values one. Then none that decides control flow, an address
//! or an assertion is among the values found here, which the verifier checks.

use crate::gpu::{BlockId, Kernel, Op, OpId, OpKind, Ty, ValueId};
use crate::layout::InDim;

/// The values that threads may disagree on.
#[derive(Clone, Debug)]
pub struct Uniformity {
    differs: Vec<bool>,
}

impl Uniformity {
    /// Analyses a kernel.
    pub fn of(kernel: &Kernel) -> Self {
        Self::with_sources(kernel, reads_what_may_change)
    }

    /// Analyses a kernel in which these operations read what may change meanwhile.
    pub(crate) fn with_sources(kernel: &Kernel, is_source: impl Fn(&Kernel, &Op) -> bool) -> Self {
        let mut analysis = Analysis {
            kernel,
            is_source,
            differs: vec![false; kernel.num_values()],
            around: Vec::new(),
            has_changed: true,
        };
        while std::mem::take(&mut analysis.has_changed) {
            analysis.block(kernel.body());
        }
        Self {
            differs: analysis.differs,
        }
    }

    /// Whether two threads may hold different copies of `value`.
    pub fn may_differ(&self, value: ValueId) -> bool {
        self.differs[value.index()]
    }

    /// Values that threads may disagree on, and that decide where control goes, which memory
    /// is accessed or whether an assertion holds.
    pub fn undecided(&self, kernel: &Kernel) -> Vec<ValueId> {
        fn visit(kernel: &Kernel, block: BlockId, found: &mut Vec<ValueId>) {
            for &id in &kernel.block(block).ops {
                let op = kernel.op(id);
                found.extend(decisions(&op.kind, &op.args));
                for &block in &op.blocks {
                    visit(kernel, block, found);
                }
            }
        }
        let mut found = Vec::new();
        visit(kernel, kernel.body(), &mut found);
        found.retain(|&value| self.may_differ(value));
        found
    }
}

/// The operands that every thread must have the same.
fn decisions<'a>(kind: &OpKind, args: &'a [ValueId]) -> &'a [ValueId] {
    match kind {
        OpKind::If | OpKind::Assert(_) => args,
        OpKind::For { .. } => &args[..3],
        OpKind::LoadGlobal(_) => args,
        OpKind::StoreGlobal(_) => &args[1..],
        _ => &[],
    }
}

/// Whether every thread reads for itself what another block may write at the same time.
pub fn reads_what_may_change(_kernel: &Kernel, _op: &Op) -> bool {
    false
}

/// Whether more than one thread holds an element of `value`.
pub fn is_held_by_several(kernel: &Kernel, value: ValueId) -> bool {
    match kernel.ty(value) {
        Ty::Uniform(_) | Ty::Pointer(_) => true,
        Ty::Distributed { layout, .. } => {
            let layout = kernel.layout(layout);
            layout.free_mask(InDim::Lane) != 0 || layout.free_mask(InDim::Warp) != 0
        }
    }
}

struct Analysis<'k, S> {
    kernel: &'k Kernel,
    is_source: S,
    differs: Vec<bool>,
    around: Vec<OpId>,
    has_changed: bool,
}

impl<S: Fn(&Kernel, &Op) -> bool> Analysis<'_, S> {
    fn set(&mut self, value: ValueId) {
        self.has_changed |= !self.differs[value.index()];
        self.differs[value.index()] = true;
    }

    fn any(&self, values: &[ValueId]) -> bool {
        values.iter().any(|&value| self.differs[value.index()])
    }

    /// Each of `to` may be the one of `from` at its place.
    fn pass(&mut self, from: &[ValueId], to: &[ValueId]) {
        for (&from, &to) in from.iter().zip(to) {
            if self.differs[from.index()] {
                self.set(to);
            }
        }
    }

    fn block(&mut self, block: BlockId) {
        let kernel = self.kernel;
        for &id in &kernel.block(block).ops {
            self.op(id);
            self.around.push(id);
            for &block in &kernel.op(id).blocks {
                self.block(block);
            }
            self.around.pop();
        }
    }

    fn op(&mut self, id: OpId) {
        let kernel = self.kernel;
        let op = kernel.op(id);
        match &op.kind {
            OpKind::For { .. } => {
                let args = &kernel.block(op.blocks[0]).args;
                if self.any(&op.args[..3]) {
                    self.set(args[0]);
                }
                self.pass(&op.args[3..], &args[1..]);
                self.pass(&args[1..], &op.results);
            }
            OpKind::Loop => self.pass(&op.args, &kernel.block(op.blocks[0]).args),
            OpKind::Continue | OpKind::Break => {
                let mut outward = self.around.iter().rev().map(|&around| kernel.op(around));
                let target = outward.find(|around| !matches!(around.kind, OpKind::If));
                let Some(target) = target else { return };
                let carried = &kernel.block(target.blocks[0]).args;
                match (&op.kind, &target.kind) {
                    (OpKind::Break, _) => self.pass(&op.args, &target.results),
                    (_, OpKind::For { .. }) => self.pass(&op.args, &carried[1..]),
                    _ => self.pass(&op.args, carried),
                }
            }
            OpKind::Yield => {
                let Some(&parent) = self.around.last() else {
                    return;
                };
                let parent = kernel.op(parent);
                if matches!(parent.kind, OpKind::If) {
                    self.pass(&op.args, &parent.results);
                } else if self.any(&op.args) {
                    // Elements are combined.
                    for &result in &parent.results {
                        self.set(result);
                    }
                }
            }
            OpKind::If => {}
            // Every thread reads what one has written.
            OpKind::LoadShared(_) | OpKind::LoadMatrix(_) | OpKind::CombinePartials(_) => {}
            _ => {
                if self.any(&op.args) {
                    let inside = op
                        .blocks
                        .iter()
                        .flat_map(|&block| &kernel.block(block).args);
                    for &value in op.results.iter().chain(inside) {
                        self.set(value);
                    }
                } else if (self.is_source)(kernel, op) {
                    for &value in &op.results {
                        if is_held_by_several(kernel, value) {
                            self.set(value);
                        }
                    }
                }
            }
        }
    }
}
