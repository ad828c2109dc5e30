//! Reports variables that are read before they are assigned, unreachable code, unused values, and
//! endless loops.
//!
//! In: a kernel without other errors, and the expressions that diverge only because of a constant
//! of this instance. Code is followed in execution order; a loop is repeated until the state at its
//! head reaches a fixed point.

use crate::hir::signature::HostScalar;
use crate::hir::walk::{Jump, Outcome, Part, each_expr};
use crate::hir::{Adapter, Block, Elem, ExprId, ExprKind, Kernel, LocalId, Stmt, TargetId, Ty};
use crate::parse::ast::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};
use tile_core::diag::{Code, Diagnostic};
use tile_core::{Diagnostics, Loc};

/// Reports control-flow errors of a kernel.
pub(super) fn check(kernel: &Kernel, pruned: &BTreeSet<ExprId>, diagnostics: &mut Diagnostics) {
    let mut reach = Reach {
        kernel,
        pruned,
        diagnostics,
    };
    reach.block(&kernel.body);
    if kernel.locals.iter().any(|local| local.deferred) {
        let mut values = Values {
            kernel,
            at_jumps: BTreeMap::new(),
            reported: BTreeSet::new(),
            diagnostics,
        };
        values.block(&kernel.body, Known::start());
    }
}

/// Finds unreachable code, unused values, and endless loops.
struct Reach<'k, 'd> {
    kernel: &'k Kernel,
    pruned: &'k BTreeSet<ExprId>,
    diagnostics: &'d mut Diagnostics,
}

impl Reach<'_, '_> {
    fn never(&self, id: ExprId) -> bool {
        self.kernel.expr(id).ty == Ty::Never
    }

    fn unreachable(&mut self, loc: Loc, after: ExprId) {
        self.diagnostics.error(
            Diagnostic::error(Code::Unreachable, loc, "this is never reached")
                .label(self.kernel.expr(after).loc, "the code always leaves here")
                .help("remove it, or make what is in front depend on a condition"),
        );
    }

    fn block(&mut self, block: &Block) {
        let mut left: Option<ExprId> = None;
        let endless =
            |reach: &Self, id: ExprId| matches!(reach.kernel.expr(id).kind, ExprKind::Loop(..));
        let values = block.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Bind(_, value) => Some((*value, Use::Bound)),
            Stmt::Expr(value) => Some((*value, Use::Dropped)),
            Stmt::Declare(_) => None,
        });
        let tail = block.tail.map(|tail| (tail, Use::Bound));
        for (value, used) in values.chain(tail) {
            if let Some(after) = left {
                // Code after an endless loop is not reported as a second error.
                if !self.pruned.contains(&after) && !endless(self, after) {
                    self.unreachable(self.kernel.expr(value).loc, after);
                }
                return;
            }
            self.expr(value);
            if used == Use::Dropped {
                self.dropped(value);
            }
            if self.never(value) {
                left = Some(value);
            }
        }
    }

    /// Reports a value that a statement drops, unless it was computed for an effect.
    fn dropped(&mut self, id: ExprId) {
        let expr = self.kernel.expr(id);
        if expr.ty == Ty::unit() || expr.ty == Ty::Never {
            return;
        }
        let mut effect = false;
        each_expr(&self.kernel.exprs, id, &mut |_, part| {
            effect |= part.kind.has_effect();
        });
        if !effect {
            self.diagnostics.error(
                Diagnostic::error(Code::Unreachable, expr.loc, "this value is not used")
                    .note("computing it does nothing else")
                    .help("remove the statement, assign the value, or write `let _ = ..;`"),
            );
        }
    }

    fn expr(&mut self, id: ExprId) {
        let expr = self.kernel.expr(id);
        match &expr.kind {
            ExprKind::If(cond, then, other) => {
                self.operand(*cond, expr.loc);
                self.block(then);
                if let Some(other) = other {
                    self.block(other);
                }
            }
            ExprKind::ShortCircuit(_, lhs, rhs) => {
                self.operand(*lhs, expr.loc);
                self.expr(*rhs);
            }
            ExprKind::Loop(target, body) => {
                self.block(body);
                self.ends(*target, body, expr.loc);
            }
            // This operand was refused because it diverges.
            ExprKind::Error => {
                self.diagnostics.error(
                    Diagnostic::error(Code::Unreachable, expr.loc, "this is never computed")
                        .note("a part of it always leaves first")
                        .help("make the part a statement of its own, in front"),
                );
            }
            kind => {
                for part in kind.parts() {
                    match part {
                        Part::Expr(part) => self.operand(part, expr.loc),
                        Part::Block(block) => self.block(block),
                    }
                }
            }
        }
    }

    fn operand(&mut self, id: ExprId, whole: Loc) {
        self.expr(id);
        if self.never(id) && !self.pruned.contains(&id) {
            self.unreachable(whole, id);
        }
    }

    /// Returns the variable that a condition compares like a counter, and the assignment operator
    /// that would count towards the end.
    fn counted(&self, cond: ExprId) -> Option<(LocalId, &'static str)> {
        let ExprKind::Binary(op, lhs, _) = self.kernel.expr(cond).kind else {
            return None;
        };
        let step = match op {
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ne => "+=",
            BinaryOp::Gt | BinaryOp::Ge => "-=",
            _ => return None,
        };
        let value = self.kernel.expr(lhs);
        let is_integer = matches!(value.ty, Ty::Scalar(Elem::Known(scalar)) if scalar.is_integer());
        match value.kind {
            ExprKind::Local(local) if is_integer && !self.kernel.local(local).name.is_empty() => {
                Some((local, step))
            }
            _ => None,
        }
    }

    /// Reports a loop that nothing leaves, or whose exit condition cannot change.
    fn ends(&mut self, target: TargetId, body: &Block, loc: Loc) {
        let outcome = Outcome::from_block(&self.kernel.exprs, body);
        let exits = outcome
            .jumps
            .iter()
            .filter(|jump| **jump != Jump::Continue(target));
        if exits.clone().next().is_none() {
            self.diagnostics.error(
                Diagnostic::error(Code::EndlessLoop, loc, "this loop never ends")
                    .note("nothing in it is a `break` of it or a `return`")
                    .help("add a `break` under a condition that becomes true"),
            );
            return;
        }
        // In `while cond`, the condition comes first, and the loop ends only if the condition is
        // false.
        let [Stmt::Expr(first)] = body.stmts.as_slice() else {
            return;
        };
        let ExprKind::If(cond, then, Some(_)) = &self.kernel.expr(*first).kind else {
            return;
        };
        let inside = Outcome::from_block(&self.kernel.exprs, then);
        let mut cond_outcome = Outcome::from_expr(&self.kernel.exprs, *cond);
        cond_outcome.assigned.extend(inside.assigned);
        cond_outcome.jumps.extend(inside.jumps);
        if cond_outcome
            .jumps
            .iter()
            .any(|jump| *jump != Jump::Continue(target))
        {
            return;
        }
        let mut changes = false;
        let mut read = BTreeSet::new();
        each_expr(&self.kernel.exprs, *cond, &mut |_, part| match &part.kind {
            ExprKind::Local(local) => {
                read.insert(*local);
            }
            // Another block may change the memory that the condition reads.
            ExprKind::Load(..) => changes = true,
            ExprKind::Memory(memory) if memory.update().is_some() => changes = true,
            kind => changes |= kind.has_effect(),
        });
        if changes
            || read
                .iter()
                .any(|local| cond_outcome.assigned.contains(local))
        {
            return;
        }
        let counted = self.counted(*cond);
        let condition = self.kernel.expr(*cond).loc;
        self.diagnostics.error(
            Diagnostic::error(
                Code::EndlessLoop,
                condition,
                "this condition never changes, so the loop runs not at all or for ever",
            )
            .note("nothing in the loop assigns what the condition reads")
            .help(match counted {
                Some((local, end)) => {
                    let name = &self.kernel.local(local).name;
                    let mutable = if self.kernel.local(local).mutable {
                        String::new()
                    } else {
                        format!("write `let mut {name}` for `let {name}`, and ")
                    };
                    format!(
                        "{mutable}add `{name} {end} 1;` at the end of the loop, or write an `if`"
                    )
                }
                None => {
                    "assign a variable of the condition in the loop, or write an `if`".to_owned()
                }
            }),
        );
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Bound,
    Dropped,
}

/// The variables that have a value at a point of the code.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    /// The point is unreachable.
    Nowhere,
    /// The variables that certainly have a value, and the variables that may have one.
    Here {
        certain: BTreeSet<LocalId>,
        possible: BTreeSet<LocalId>,
    },
}

impl Known {
    fn start() -> Known {
        Known::Here {
            certain: BTreeSet::new(),
            possible: BTreeSet::new(),
        }
    }

    /// Returns the state where two paths join.
    fn meet(self, other: Known) -> Known {
        match (self, other) {
            (Known::Nowhere, known) | (known, Known::Nowhere) => known,
            (
                Known::Here { certain, possible },
                Known::Here {
                    certain: other_certain,
                    possible: other_possible,
                },
            ) => Known::Here {
                certain: certain.intersection(&other_certain).copied().collect(),
                possible: possible.union(&other_possible).copied().collect(),
            },
        }
    }
}

/// Finds variables that are read without a value, or assigned twice.
struct Values<'k, 'd> {
    kernel: &'k Kernel,
    /// The state at the targets of jumps.
    at_jumps: BTreeMap<Jump, Known>,
    reported: BTreeSet<ExprId>,
    diagnostics: &'d mut Diagnostics,
}

impl Values<'_, '_> {
    fn block(&mut self, block: &Block, known: Known) -> Known {
        let mut known = known;
        for stmt in &block.stmts {
            known = match stmt {
                Stmt::Bind(_, value) | Stmt::Expr(value) => self.expr(*value, known),
                Stmt::Declare(local) => match known {
                    Known::Nowhere => Known::Nowhere,
                    // A variable declared in a loop is a new variable in each iteration.
                    Known::Here {
                        mut certain,
                        mut possible,
                    } => {
                        certain.remove(local);
                        possible.remove(local);
                        Known::Here { certain, possible }
                    }
                },
            };
        }
        match block.tail {
            Some(tail) => self.expr(tail, known),
            None => known,
        }
    }

    fn jump(&mut self, jump: Jump, known: Known) -> Known {
        let before = self.at_jumps.remove(&jump).unwrap_or(Known::Nowhere);
        self.at_jumps.insert(jump, before.meet(known));
        Known::Nowhere
    }

    fn arrive(&mut self, jump: Jump, known: Known) -> Known {
        match self.at_jumps.remove(&jump) {
            Some(there) => known.meet(there),
            None => known,
        }
    }

    /// Follows the body of a loop until the state at its head no longer changes; returns that
    /// state.
    fn repeat(&mut self, target: TargetId, body: &Block, known: &Known) -> Known {
        let mut head = known.clone();
        loop {
            let end = self.block(body, head.clone());
            let end = self.arrive(Jump::Continue(target), end);
            let next = known.clone().meet(end);
            if next == head {
                return head;
            }
            head = next;
        }
    }

    fn expr(&mut self, id: ExprId, known: Known) -> Known {
        let expr = self.kernel.expr(id);
        match &expr.kind {
            ExprKind::Local(local) => {
                self.read(id, *local, &known);
                known
            }
            ExprKind::Assign(local, value) => {
                let known = self.expr(*value, known);
                self.write(id, *local, known)
            }
            ExprKind::If(cond, then, other) => {
                let known = self.expr(*cond, known);
                let yes = self.block(then, known.clone());
                let no = match other {
                    Some(other) => self.block(other, known),
                    None => known,
                };
                yes.meet(no)
            }
            ExprKind::ShortCircuit(_, lhs, rhs) => {
                let known = self.expr(*lhs, known);
                let right = self.expr(*rhs, known.clone());
                known.meet(right)
            }
            ExprKind::Loop(target, body) => {
                self.repeat(*target, body, &known);
                self.arrive(Jump::Exit(*target), Known::Nowhere)
            }
            ExprKind::For {
                target,
                range,
                body,
                local: _,
            } => {
                let mut known = self.expr(range.low, known);
                known = self.expr(range.high, known);
                for adapter in &range.adapters {
                    match adapter {
                        Adapter::Rev => {}
                        Adapter::StepBy(step) => known = self.expr(*step, known),
                    }
                }
                let head = self.repeat(*target, body, &known);
                self.arrive(Jump::Exit(*target), head)
            }
            ExprKind::Breakable(target, block) => {
                let end = self.block(block, known);
                self.arrive(Jump::Exit(*target), end)
            }
            ExprKind::Exit(target, value) => {
                let known = match value {
                    Some(value) => self.expr(*value, known),
                    None => known,
                };
                self.jump(Jump::Exit(*target), known)
            }
            ExprKind::Continue(target) => self.jump(Jump::Continue(*target), known),
            kind => kind
                .parts()
                .into_iter()
                .fold(known, |known, part| match part {
                    Part::Expr(part) => self.expr(part, known),
                    Part::Block(block) => self.block(block, known),
                }),
        }
    }

    fn read(&mut self, id: ExprId, local: LocalId, known: &Known) {
        let Known::Here { certain, possible } = known else {
            return;
        };
        let variable = self.kernel.local(local);
        if !variable.deferred || certain.contains(&local) || !self.reported.insert(id) {
            return;
        }
        let name = &variable.name;
        let (message, help) = if possible.contains(&local) {
            (
                format!("`{name}` may be read before it has a value"),
                match start_of(&variable.ty) {
                    Some(start) => format!(
                        "assign `{name}` on every way that leads here, or write `let mut {name} = {start};` where it is declared"
                    ),
                    None => format!(
                        "assign `{name}` on every way that leads here, or give it a value where it is declared"
                    ),
                },
            )
        } else {
            (
                format!("`{name}` is read before it has a value"),
                format!("assign `{name}` first"),
            )
        };
        self.diagnostics.error(
            Diagnostic::error(Code::Uninitialized, self.kernel.expr(id).loc, message)
                .label(
                    variable.loc,
                    format!("`{name}` is declared here without one"),
                )
                .help(help),
        );
    }

    fn write(&mut self, id: ExprId, local: LocalId, known: Known) -> Known {
        let Known::Here {
            mut certain,
            mut possible,
        } = known
        else {
            return Known::Nowhere;
        };
        let variable = self.kernel.local(local);
        if variable.deferred
            && !variable.mutable
            && possible.contains(&local)
            && self.reported.insert(id)
        {
            let name = &variable.name;
            self.diagnostics.error(
                Diagnostic::error(
                    Code::Immutable,
                    self.kernel.expr(id).loc,
                    format!("`{name}` is assigned twice, but it is not mutable"),
                )
                .label(variable.loc, format!("`{name}` is declared here"))
                .help(format!("declare it as `let mut {name};`")),
            );
        }
        certain.insert(local);
        possible.insert(local);
        Known::Here { certain, possible }
    }
}

/// Returns an initial value for a variable that would have none.
fn start_of(ty: &Ty) -> Option<String> {
    let number = |elem: &Elem| match elem {
        Elem::Known(HostScalar::Bool) => Some("false"),
        Elem::Known(scalar) if scalar.is_float() => Some("0.0"),
        Elem::Known(_) => Some("0"),
        Elem::Var(_) => None,
    };
    match ty {
        Ty::Scalar(elem) => number(elem).map(str::to_owned),
        Ty::Tile(Elem::Known(scalar), shape) => Some(format!(
            "zeros::<{}>({})",
            scalar.name(),
            crate::hir::ty::shape_text(shape)
        )),
        _ => None,
    }
}
