//! Uniformity analysis: finds the values on which the threads of a block may disagree.
//!
//! Input: a kernel of GPU IR. Output: the values whose copies may differ between two threads.
//!
//! A value that several threads hold is one value of tile IR, so all copies must be the same. The copies are
//! the same if each thread computes its copy from parameters, constants, shared memory, and memory that no
//! other block writes meanwhile. They may differ if each thread separately reads memory that another block
//! may write at the same time, or if only one thread has the result of an atomic. [`crate::lower`] passes
//! such values through shared memory to all threads that hold them. Afterwards, no value that decides control
//! flow, an address or an assertion may differ, which the verifier checks. So all threads of a block take the
//! same path and reach every barrier.

use super::{BlockId, Kernel, OpId, OpKind, Trait, Ty, ValueId};
use crate::layout::InDim;

/// The values on which threads may disagree.
#[derive(Clone, Debug)]
pub struct Uniformity {
    differs: Vec<bool>,
}

impl Uniformity {
    /// Analyses a kernel.
    pub fn analyze(kernel: &Kernel) -> Self {
        let mut analysis = Analysis {
            kernel,
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

    /// Returns `true` if two threads may hold different copies of `value`.
    pub fn may_differ(&self, value: ValueId) -> bool {
        self.differs[value.index()]
    }

    /// Returns the values that decide control flow, the memory that is accessed, or an assertion, although
    /// threads may disagree on them.
    pub fn undecided(&self, kernel: &Kernel) -> Vec<ValueId> {
        fn visit(kernel: &Kernel, block: BlockId, undecided: &mut Vec<ValueId>) {
            for &id in &kernel.block(block).ops {
                let op = kernel.op(id);
                undecided.extend(op.kind.row().decisive_operands(&op.args));
                for &block in &op.blocks {
                    visit(kernel, block, undecided);
                }
            }
        }
        let mut undecided = Vec::new();
        visit(kernel, kernel.body(), &mut undecided);
        undecided.retain(|&value| self.may_differ(value));
        undecided
    }
}

/// Returns `true` if more than one thread holds an element of `value`.
fn is_replicated(kernel: &Kernel, value: ValueId) -> bool {
    match kernel.ty(value) {
        Ty::Uniform(_) | Ty::Pointer(_) => true,
        Ty::Distributed { layout, .. } => {
            let layout = kernel.layout(layout);
            layout.free_mask(InDim::Lane) != 0 || layout.free_mask(InDim::Warp) != 0
        }
    }
}

struct Analysis<'k> {
    kernel: &'k Kernel,
    differs: Vec<bool>,
    around: Vec<OpId>,
    has_changed: bool,
}

impl Analysis<'_> {
    fn set(&mut self, value: ValueId) {
        self.has_changed |= !self.differs[value.index()];
        self.differs[value.index()] = true;
    }

    fn any(&self, values: &[ValueId]) -> bool {
        values.iter().any(|&value| self.differs[value.index()])
    }

    /// Marks each value of `to` as differing if its counterpart in `from` may differ.
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
                    // The body combines elements, so every result depends on all that it yields.
                    for &result in &parent.results {
                        self.set(result);
                    }
                }
            }
            OpKind::If => {}
            // Every thread reads what one thread has written, so all copies are the same.
            kind if kind.has(Trait::Broadcast) => {}
            _ => {
                if self.any(&op.args) {
                    let inside = op
                        .blocks
                        .iter()
                        .flat_map(|&block| &kernel.block(block).args);
                    for &value in op.results.iter().chain(inside) {
                        self.set(value);
                    }
                } else if op.kind.has(Trait::PerThread) {
                    for &value in &op.results {
                        if is_replicated(kernel, value) {
                            self.set(value);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Uniformity;
    use crate::gpu::Roots;
    use crate::gpu::{
        AddressedTile, Buffer, Kernel, MemoryKind, OpKind, Space, Ty, ValueId, verify,
    };
    use crate::layout::{InDim, LinearLayout, OutShape};
    use tile_core::ir::{MemoryOrdering, MemoryScope};
    use tile_core::{Loc, Scalar};

    const LOC: Loc = Loc::UNKNOWN;
    const I1: Ty = Ty::Uniform(Scalar::I1);

    fn one(kernel: &mut Kernel, kind: OpKind, args: &[ValueId], ty: Ty) -> ValueId {
        let op = kernel.push(kernel.body(), kind, args, &[ty], &[], LOC);
        kernel.op(op).results[0]
    }

    /// Builds `loop (c = *flag) { if c { break } continue 1 }`, where `flag` is loaded with an ordering,
    /// either by every thread separately or by one thread for all.
    fn waiting(ordering: MemoryOrdering, for_all: bool) -> Kernel {
        let mut kernel = Kernel::new("waiting", 4, LOC);
        let address = one(
            &mut kernel,
            OpKind::Constant(64),
            &[],
            Ty::Uniform(Scalar::I64),
        );
        let tile = AddressedTile {
            element: Scalar::I1,
            ordering,
            scope: MemoryScope::Device,
            roots: Roots::new(),
            space: Space::Global,
            vector: None,
            is_masked: false,
            is_padded: false,
            is_constant: false,
            is_packed: false,
            by_owners: false,
        };
        let load = OpKind::Memory(MemoryKind::Load(Box::new(tile)));
        let mut flag = one(&mut kernel, load, &[address], I1);
        if for_all {
            let shape = OutShape::new(&[]).expect("a rank-0 shape");
            let lanes = LinearLayout::replicated(InDim::Lane, 5, 0);
            let layout = lanes.product(&LinearLayout::replicated(InDim::Warp, 2, 0));
            let memory = LinearLayout::identity(InDim::Offset, shape, &[]);
            let (layout, memory) = (kernel.add_layout(layout), kernel.add_layout(memory));
            let tile = Ty::Distributed {
                element: Scalar::I1,
                layout,
            };
            let buffer = kernel.add_buffer(Buffer::new(Scalar::I1, 1, 1, Some(memory)));
            let per_thread = one(&mut kernel, OpKind::Splat, &[flag], tile);
            let store = OpKind::StoreShared(buffer);
            kernel.push(kernel.body(), store, &[per_thread], &[], &[], LOC);
            let per_block = one(&mut kernel, OpKind::LoadShared(buffer), &[], tile);
            flag = one(&mut kernel, OpKind::ToUniform, &[per_block], I1);
        }
        let (around, inside) = (kernel.add_block(), kernel.add_block());
        let carried = kernel.add_block_arg(around, I1, LOC);
        kernel.push(inside, OpKind::Break, &[], &[], &[], LOC);
        kernel.push(around, OpKind::If, &[carried], &[], &[inside], LOC);
        let next = kernel.push(around, OpKind::Constant(1), &[], &[I1], &[], LOC);
        let next = kernel.op(next).results[0];
        kernel.push(around, OpKind::Continue, &[next], &[], &[], LOC);
        kernel.push(kernel.body(), OpKind::Loop, &[flag], &[], &[around], LOC);
        kernel
    }

    #[test]
    fn threads_that_read_for_themselves_may_not_decide_where_control_goes() {
        for (ordering, for_all, num_errors) in [
            (MemoryOrdering::Relaxed, false, 1),
            (MemoryOrdering::Acquire, false, 1),
            (MemoryOrdering::Acquire, true, 0),
            (MemoryOrdering::Weak, false, 0),
        ] {
            let kernel = waiting(ordering, for_all);
            let undecided = Uniformity::analyze(&kernel).undecided(&kernel);
            assert_eq!(undecided.len(), num_errors);
            let errors = verify(&kernel);
            assert_eq!(errors.len(), num_errors, "{errors:?}");
            let says = |error: &String| error.contains("decides where control goes");
            assert!(errors.iter().all(says), "{errors:?}");
        }
    }
}
