//! Verifies control flow: loops, branches, the operations that end their blocks, assertions and `print`.

use super::super::{BlockId, Kernel, Op, OpId, OpKind, Piece, Trait, Ty, Uniformity, ValueId};
use super::Verifier;
use tile_core::Scalar;

impl Verifier<'_> {
    /// Checks an operation of control flow, or one whose effect no later operation sees.
    pub(super) fn control(&mut self, id: OpId) {
        let kernel = self.kernel;
        let op = kernel.op(id);
        match &op.kind {
            OpKind::For { .. } => self.for_loop(op),
            OpKind::Loop => {
                self.demand(
                    tys(kernel, &op.args) == tys(kernel, &kernel.block(op.blocks[0]).args),
                    "carried values of `loop` differ in type",
                );
                self.ends(op.blocks[0]);
            }
            OpKind::If => self.branch(op),
            OpKind::Yield => self.yields(op),
            OpKind::Continue | OpKind::Break => self.jump(id),
            OpKind::Return => {
                // Bodies that combine elements run once per element, where a `return` has no meaning.
                let is_plain = |&around: &OpId| kernel.op(around).kind.has(Trait::ControlFlow);
                self.demand(
                    self.around.iter().all(is_plain),
                    "`return` where elements are combined",
                );
            }
            OpKind::Assert(_) => self.demand(
                kernel.ty(op.args[0]).scalar() == Some(Scalar::I1),
                "what is asserted is not a truth value",
            ),
            OpKind::Print(pieces) => self.print(op, pieces),
            OpKind::LoadElement { buffer, offset: _ } => {
                let element = kernel.buffer(*buffer).element;
                self.demand(
                    tys(kernel, &op.results) == [Ty::Uniform(element)]
                        && tys(kernel, &op.args) == [Ty::Uniform(Scalar::I32)],
                    "`load_element` differs from its buffer",
                );
            }
            other => unreachable!("{other:?} is checked elsewhere"),
        }
    }

    /// Checks the bounds and the carried values of a counting loop.
    fn for_loop(&mut self, op: &Op) {
        let kernel = self.kernel;
        let bounds = tys(kernel, &op.args[..3]);
        let body = tys(kernel, &kernel.block(op.blocks[0]).args);
        let is_integer = matches!(bounds[0], Ty::Uniform(scalar) if scalar.is_integer());
        self.demand(
            is_integer && bounds.iter().all(|&ty| ty == body[0]),
            "bounds of `for` are not uniform integers of one type",
        );
        let carried = tys(kernel, &op.args[3..]);
        self.demand(
            carried == body[1..] && carried == tys(kernel, &op.results),
            "carried values of `for` differ in type",
        );
        self.ends(op.blocks[0]);
    }

    /// Checks the condition and the blocks of an `if`. Without a second block, no operation yields the
    /// results if the condition is false.
    fn branch(&mut self, op: &Op) {
        self.demand(
            tys(self.kernel, &op.args) == [Ty::Uniform(Scalar::I1)],
            "the condition of `if` is not a uniform truth value",
        );
        self.demand(
            op.blocks.len() >= 2 || op.results.is_empty(),
            "an `if` with results lacks a block",
        );
        for &block in &op.blocks {
            self.ends(block);
        }
    }

    /// Checks that a `yield` gives the results of the `if` around it.
    fn yields(&mut self, op: &Op) {
        let kernel = self.kernel;
        let parent = self.around.last().map(|&around| kernel.op(around));
        match parent.map(|around| (&around.kind, &around.results)) {
            None | Some((OpKind::For { .. } | OpKind::Loop, _)) => {
                self.error("`yield` ends no branch");
            }
            Some((OpKind::If, expected)) => self.demand(
                tys(kernel, &op.args) == tys(kernel, expected),
                "a branch does not yield the results of its `if`",
            ),
            Some(_) => {}
        }
    }

    /// Checks that one thread has what it prints: a uniform value, not a tile, per piece that is no text.
    fn print(&mut self, op: &Op, pieces: &[Piece]) {
        let takes = |piece: &&Piece| !matches!(piece, Piece::Text(_));
        let is_uniform = |ty: &Ty| ty.layout().is_none();
        self.demand(
            pieces.iter().filter(takes).count() == op.args.len()
                && tys(self.kernel, &op.args).iter().all(is_uniform),
            "`print` does not have a uniform operand per value",
        );
    }

    /// Checks that only branches lie between a jump and the innermost loop.
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
                self.error("a jump leads to no loop");
                return;
            }
        };
        if tys(kernel, &op.args) != tys(kernel, expected) {
            self.error("a jump does not give what its loop takes");
        }
    }

    /// Checks that a block of a loop or branch ends with a jump, a `yield` or a `return`, and contains none
    /// before.
    fn ends(&mut self, block: BlockId) {
        let kernel = self.kernel;
        let mut kinds = kernel
            .block(block)
            .ops
            .iter()
            .map(|&op| &kernel.op(op).kind);
        if kinds
            .next_back()
            .is_none_or(|last| !last.has(Trait::Terminator))
        {
            self.error("a block of a loop or branch has no end");
        }
        if kinds.any(|kind| kind.has(Trait::Terminator)) {
            self.error("a block has operations after its terminator");
        }
    }

    /// Checks that conditions and trip counts are the same in every thread.
    pub(super) fn decisions(&mut self) {
        let uniformity = Uniformity::analyze(self.kernel);
        for value in uniformity.undecided(self.kernel) {
            self.error(&format!(
                "%{} decides where control goes, and threads may disagree on it",
                value.index()
            ));
        }
    }
}

fn tys(kernel: &Kernel, values: &[ValueId]) -> Vec<Ty> {
    values.iter().map(|&value| kernel.ty(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::{BlockId, Kernel, OpKind, Ty, ValueId};
    use super::super::verify;
    use tile_core::{Loc, Scalar};

    const I1: Ty = Ty::Uniform(Scalar::I1);
    const I32: Ty = Ty::Uniform(Scalar::I32);

    struct Build {
        kernel: Kernel,
        block: BlockId,
    }

    impl Build {
        fn number(&mut self, ty: Ty) -> ValueId {
            self.op(OpKind::Constant(1), &[], &[ty], &[])[0]
        }

        fn op(
            &mut self,
            kind: OpKind,
            args: &[ValueId],
            results: &[Ty],
            blocks: &[BlockId],
        ) -> Vec<ValueId> {
            let loc = Loc::UNKNOWN;
            let op = self
                .kernel
                .push(self.block, kind, args, results, blocks, loc);
            self.kernel.op(op).results.to_vec()
        }

        /// Adds an operation with a block, which has arguments of these types and is filled by `fill`.
        fn nested(
            &mut self,
            kind: OpKind,
            args: &[ValueId],
            inside: &[Ty],
            results: &[Ty],
            fill: impl FnOnce(&mut Self),
        ) {
            let block = self.kernel.add_block();
            for &ty in inside {
                self.kernel.add_block_arg(block, ty, Loc::UNKNOWN);
            }
            let outer = std::mem::replace(&mut self.block, block);
            fill(self);
            self.block = outer;
            self.op(kind, args, results, &[block]);
        }
    }

    /// Returns the errors of a kernel that `fill` fills.
    fn errors(fill: impl FnOnce(&mut Build)) -> Vec<String> {
        let kernel = Kernel::new("k", 1, Loc::UNKNOWN);
        let block = kernel.body();
        let mut build = Build { kernel, block };
        fill(&mut build);
        verify(&build.kernel)
    }

    fn one(error: &str) -> Vec<String> {
        vec![format!("k: {error}")]
    }

    const FOR: OpKind = OpKind::For { unsigned: false };

    #[test]
    fn jumps_lead_through_branches_to_the_innermost_loop() {
        let actual = errors(|build| {
            let (condition, n) = (build.number(I1), build.number(I32));
            build.nested(FOR, &[n, n, n], &[I32], &[], |build| {
                build.nested(OpKind::Loop, &[n], &[I32], &[I1], |build| {
                    build.nested(OpKind::If, &[condition], &[], &[], |build| {
                        build.op(OpKind::Break, &[condition], &[], &[]);
                    });
                    build.nested(OpKind::If, &[condition], &[], &[], |build| {
                        build.op(OpKind::Return, &[], &[], &[]);
                    });
                    build.op(OpKind::Continue, &[n], &[], &[]);
                });
                build.op(OpKind::Continue, &[], &[], &[]);
            });
        });
        assert_eq!(actual, Vec::<String>::new());
    }

    #[test]
    fn a_for_cannot_be_left() {
        let actual = errors(|build| {
            let n = build.number(I32);
            build.nested(FOR, &[n, n, n], &[I32], &[], |build| {
                build.op(OpKind::Break, &[], &[], &[]);
            });
        });
        assert_eq!(actual, one("a jump leads to no loop"));
    }

    #[test]
    fn a_jump_outside_of_loops_leads_nowhere() {
        let actual = errors(|build| {
            let condition = build.number(I1);
            build.nested(OpKind::If, &[condition], &[], &[], |build| {
                build.op(OpKind::Continue, &[], &[], &[]);
            });
        });
        assert_eq!(actual, one("a jump leads to no loop"));
    }

    #[test]
    fn jumps_give_what_their_loop_takes() {
        for (kind, given) in [(OpKind::Break, I32), (OpKind::Continue, I1)] {
            let actual = errors(|build| {
                let (n, given) = (build.number(I32), build.number(given));
                build.nested(OpKind::Loop, &[n], &[I32], &[I1], |build| {
                    build.op(kind, &[given], &[], &[]);
                });
            });
            assert_eq!(actual, one("a jump does not give what its loop takes"));
        }
    }

    #[test]
    fn blocks_end_once() {
        let actual = errors(|build| {
            build.nested(OpKind::Loop, &[], &[], &[], |build| {
                build.number(I32);
            });
        });
        assert_eq!(actual, one("a block of a loop or branch has no end"));
        let actual = errors(|build| {
            build.nested(OpKind::Loop, &[], &[], &[], |build| {
                build.op(OpKind::Continue, &[], &[], &[]);
                build.op(OpKind::Break, &[], &[], &[]);
            });
        });
        assert_eq!(actual, one("a block has operations after its terminator"));
    }

    #[test]
    fn loops_carry_values_of_one_type_and_count_in_one() {
        let actual = errors(|build| {
            let (n, b) = (build.number(I32), build.number(I1));
            build.nested(OpKind::Loop, &[b], &[I32], &[], |build| {
                build.op(OpKind::Break, &[], &[], &[]);
            });
            build.nested(FOR, &[n, b, n], &[I32], &[], |build| {
                build.op(OpKind::Continue, &[], &[], &[]);
            });
        });
        let expected = [
            "k: carried values of `loop` differ in type",
            "k: bounds of `for` are not uniform integers of one type",
        ];
        assert_eq!(actual, expected);
    }

    #[test]
    fn yields_end_branches_with_their_results() {
        let actual = errors(|build| {
            let (condition, n) = (build.number(I1), build.number(I32));
            build.nested(OpKind::If, &[condition], &[], &[], |build| {
                build.op(OpKind::Yield, &[n], &[], &[]);
            });
            build.nested(OpKind::Loop, &[], &[], &[], |build| {
                build.op(OpKind::Yield, &[], &[], &[]);
            });
            build.nested(OpKind::If, &[n], &[], &[I32], |build| {
                build.op(OpKind::Yield, &[n], &[], &[]);
            });
        });
        let expected = [
            "k: a branch does not yield the results of its `if`",
            "k: `yield` ends no branch",
            "k: the condition of `if` is not a uniform truth value",
            "k: an `if` with results lacks a block",
        ];
        assert_eq!(actual, expected);
    }
}
