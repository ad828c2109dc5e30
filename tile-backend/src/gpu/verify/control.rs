//! What may stand where: loops, branches and what ends their blocks, assertions, printing.

use super::super::{BlockId, Kernel, OpId, OpKind, Piece, Ty, ValueId};
use super::Verifier;
use crate::analysis::uniform::Uniformity;
use tile_core::Scalar;

impl Verifier<'_> {
    /// An operation that decides where control goes, or has an effect that no later one sees.
    pub(super) fn control(&mut self, id: OpId) {
        let kernel = self.kernel;
        let op = kernel.op(id);
        let results = tys(kernel, &op.results);
        match &op.kind {
            OpKind::For { .. } => {
                let bounds = tys(kernel, &op.args[..3]);
                let body = tys(kernel, &kernel.block(op.blocks[0]).args);
                let are_integers = matches!(bounds[0], Ty::Uniform(scalar) if scalar.is_integer());
                if !are_integers || bounds.iter().any(|&ty| ty != body[0]) {
                    self.fault("bounds of `for` are not uniform integers of one type");
                }
                let carried = tys(kernel, &op.args[3..]);
                if carried != body[1..] || carried != results {
                    self.fault("carried values of `for` differ in type");
                }
                self.ends(op.blocks[0]);
            }
            OpKind::Loop => {
                if tys(kernel, &op.args) != tys(kernel, &kernel.block(op.blocks[0]).args) {
                    self.fault("carried values of `loop` differ in type");
                }
                self.ends(op.blocks[0]);
            }
            OpKind::If => {
                if tys(kernel, &op.args) != [Ty::Uniform(Scalar::I1)] {
                    self.fault("the condition of `if` is not a uniform truth value");
                }
                if op.blocks.len() < 2 && !results.is_empty() {
                    self.fault("an `if` with results lacks a block");
                }
                for &block in &op.blocks {
                    self.ends(block);
                }
            }
            OpKind::Yield => {
                let parent = self.around.last().map(|&around| kernel.op(around));
                match parent.map(|around| (&around.kind, &around.results)) {
                    None | Some((OpKind::For { .. } | OpKind::Loop, _)) => {
                        self.fault("`yield` ends no branch");
                    }
                    Some((OpKind::If, expected))
                        if tys(kernel, &op.args) != tys(kernel, expected) =>
                    {
                        self.fault("a branch does not yield the results of its `if`");
                    }
                    Some(_) => {}
                }
            }
            OpKind::Continue | OpKind::Break => self.jump(id),
            OpKind::Return => {
                let is_plain = |&around: &OpId| is_control(&kernel.op(around).kind);
                if !self.around.iter().all(is_plain) {
                    self.fault("`return` where elements are combined");
                }
            }
            OpKind::Assert(_) => {
                if kernel.ty(op.args[0]).scalar() != Some(Scalar::I1) {
                    self.fault("what is asserted is not a truth value");
                }
            }
            OpKind::Print(pieces) => {
                let takes = |piece: &&Piece| !matches!(piece, Piece::Text(_));
                let is_uniform = |ty: &Ty| ty.layout().is_none();
                if pieces.iter().filter(takes).count() != op.args.len()
                    || !tys(kernel, &op.args).iter().all(is_uniform)
                {
                    self.fault("`print` does not have a uniform operand per value");
                }
            }
            OpKind::LoadElement { buffer, offset: _ } => {
                let element = kernel.buffer(*buffer).element;
                if results != [Ty::Uniform(element)]
                    || tys(kernel, &op.args) != [Ty::Uniform(Scalar::I32)]
                {
                    self.fault("`load_element` differs from its buffer");
                }
            }
            other => unreachable!("{other:?} is checked elsewhere"),
        }
    }

    /// A jump to the innermost loop, through branches alone.
    fn jump(&mut self, id: OpId) {
        let kernel = self.kernel;
        let op = kernel.op(id);
        let is_break = matches!(op.kind, OpKind::Break);
        let mut outward = self.around.iter().rev().map(|&around| kernel.op(around));
        let target = outward.find(|around| !matches!(around.kind, OpKind::If));
        let expected = match target.map(|target| (&target.kind, target)) {
            Some((OpKind::For { .. }, target)) if !is_break => &target.args[3..],
            Some((OpKind::Loop, target)) if is_break => &target.results[..],
            Some((OpKind::Loop, target)) => &target.args[..],
            _ => {
                self.fault("a jump leads to no loop");
                return;
            }
        };
        if tys(kernel, &op.args) != tys(kernel, expected) {
            self.fault("a jump does not give what its loop takes");
        }
    }

    /// A block of a loop or branch must end where control goes elsewhere.
    fn ends(&mut self, block: BlockId) {
        let kernel = self.kernel;
        let mut kinds = kernel
            .block(block)
            .ops
            .iter()
            .map(|&op| &kernel.op(op).kind);
        if kinds.next_back().is_none_or(|last| !is_end(last)) {
            self.fault("a block of a loop or branch has no end");
        }
        if kinds.any(is_end) {
            self.fault("a block goes on after its end");
        }
    }

    /// What decides where control goes is the same in every thread.
    pub(super) fn decisions(&mut self) {
        let uniformity = Uniformity::of(self.kernel);
        for value in uniformity.undecided(self.kernel) {
            self.fault(&format!(
                "%{} decides where control goes, and threads may disagree on it",
                value.index()
            ));
        }
    }
}

/// Whether nothing comes after it in its block.
fn is_end(kind: &OpKind) -> bool {
    matches!(
        kind,
        OpKind::Yield | OpKind::Continue | OpKind::Break | OpKind::Return
    )
}

fn is_control(kind: &OpKind) -> bool {
    matches!(kind, OpKind::For { .. } | OpKind::Loop | OpKind::If)
}

fn tys(kernel: &Kernel, values: &[ValueId]) -> Vec<Ty> {
    values.iter().map(|&value| kernel.ty(value)).collect()
}
