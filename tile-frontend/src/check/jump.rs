//! Checks loops and jumps: `break`, `continue`, `return`, labels.
//!
//! Every loop, labelled block and function is a target that jumps can leave. The values of the
//! jumps out of a target and the value at its end have the same type.

use super::names::nearest;
use super::{Checker, Frame};
use crate::hir::signature::HostScalar;
use crate::hir::{Adapter, Block, Const, Elem, ExprId, ExprKind, Range, Stmt, TargetId, Ty};
use crate::parse::ast::{self, Name, Pat, UnaryOp};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// Maximum number of iterations of an unrolled loop.
const MAX_TRIPS: i128 = 1024;

/// A construct that code can leave before its end.
pub(super) struct Target {
    kind: Kind,
    /// The label without the `'`.
    label: Option<String>,
    /// The type of its value, as far as it is known.
    ty: Option<Ty>,
    /// The location that this type comes from.
    origin: Loc,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Loop,
    While,
    For,
    Parallel,
    /// One iteration of an unrolled loop, with the target of the whole loop.
    Unrolled(TargetId),
    Block,
    Function,
}

impl Kind {
    fn noun(self) -> &'static str {
        match self {
            Kind::Loop => "a `loop`",
            Kind::While => "a `while` loop",
            Kind::For | Kind::Unrolled(_) => "a `for` loop",
            Kind::Parallel => "a parallel loop",
            Kind::Block => "a labelled block",
            Kind::Function => "a function",
        }
    }

    /// Returns `true` if `break` can carry a value.
    fn has_value(self) -> bool {
        match self {
            Kind::Loop | Kind::Block | Kind::Function => true,
            Kind::While | Kind::For | Kind::Parallel | Kind::Unrolled(_) => false,
        }
    }
}

impl Checker<'_> {
    fn enter_target(&mut self, kind: Kind, label: Option<&Name>, origin: Loc) -> TargetId {
        let id = TargetId::new(self.targets.len());
        self.targets.push(Target {
            kind,
            label: label.map(|label| label.text.clone()),
            ty: (!kind.has_value()).then(Ty::unit),
            origin,
        });
        self.open_targets.push(id);
        id
    }

    /// Enters a function whose body is checked next; `ty` is its declared return type.
    pub(super) fn enter_function(&mut self, name: &Name, ty: Option<Ty>) -> TargetId {
        let id = self.enter_target(Kind::Function, None, name.loc);
        self.targets[id.index()].ty = ty;
        id
    }

    /// Enters a parallel loop whose body is checked next.
    pub(super) fn enter_parallel(&mut self, loc: Loc) -> TargetId {
        self.enter_target(Kind::Parallel, None, loc)
    }

    /// Reports a jump out of a parallel loop.
    fn out_of_parallel(&mut self, what: &str, target: TargetId, loc: Loc) -> ExprId {
        let around = self.targets[target.index()].origin;
        self.error(
            Diagnostic::error(
                Code::BadJump,
                loc,
                format!("`{what}` cannot leave a parallel loop"),
            )
            .label(around, "iterations of this loop run in any order")
            .help("write `continue` to end the iteration, or a plain `for` loop"),
        );
        self.poison(loc)
    }

    /// Leaves the innermost target; returns the type of the values of its jumps, if there are any.
    pub(super) fn leave_target(&mut self) -> Option<Ty> {
        let id = self.open_targets.pop()?;
        self.targets[id.index()].ty.clone()
    }

    /// Returns the type of the value of every target.
    pub(super) fn target_types(&self) -> Vec<Ty> {
        let types = self.targets.iter();
        types
            .map(|target| {
                target
                    .ty
                    .as_ref()
                    .map_or_else(Ty::unit, |ty| super::structs::plain(&self.resolve(ty)))
            })
            .collect()
    }

    /// Returns the target of a jump; `None` after an error.
    fn jump_target(&mut self, what: &str, label: Option<&Name>, loc: Loc) -> Option<TargetId> {
        let is_function = |id: &TargetId| self.targets[id.index()].kind == Kind::Function;
        let visible: Vec<TargetId> = {
            let inside = self.open_targets.iter().rev();
            let mut visible = Vec::new();
            for &id in inside.take_while(|id| !is_function(id)) {
                visible.push(id);
                if self.targets[id.index()].kind == Kind::Parallel {
                    break;
                }
            }
            visible
        };
        let Some(label) = label else {
            let target = |id: &&TargetId| self.targets[id.index()].kind != Kind::Block;
            if let Some(&id) = visible.iter().find(target) {
                return self.through_no_block(what, &visible, id, loc).then_some(id);
            }
            let in_block = !visible.is_empty();
            let help = if in_block && what == "break" {
                "name the block: write `break 'label`".to_owned()
            } else {
                "write `return` to end the function, or put the code into a loop".to_owned()
            };
            self.error(
                Diagnostic::error(Code::BadJump, loc, format!("`{what}` is outside of a loop"))
                    .help(help),
            );
            return None;
        };
        let named = |id: &&TargetId| self.targets[id.index()].label.as_ref() == Some(&label.text);
        if let Some(&id) = visible.iter().find(named) {
            if what == "continue" && self.targets[id.index()].kind == Kind::Block {
                self.error(
                    Diagnostic::error(
                        Code::BadJump,
                        loc,
                        format!("`continue` names `'{}`, which is a block", label.text),
                    )
                    .note("only loops have a next iteration")
                    .help(format!("write `break '{}` to leave the block", label.text)),
                );
                return None;
            }
            return Some(id);
        }
        let labels = visible.iter();
        let labels = labels.filter_map(|id| self.targets[id.index()].label.as_deref());
        let help = match nearest(&label.text, labels) {
            Some(known) => format!("write `'{known}`"),
            None => format!(
                "put `'{0}:` before the loop that is meant, or remove `'{0}` to mean the innermost one",
                label.text
            ),
        };
        self.error(
            Diagnostic::error(
                Code::BadJump,
                label.loc,
                format!("there is no loop `'{}` around this", label.text),
            )
            .help(help),
        );
        None
    }

    /// Checks that a jump without a label does not leave a labelled block, as in Rust; `false`
    /// after an error.
    fn through_no_block(
        &mut self,
        what: &str,
        visible: &[TargetId],
        target: TargetId,
        loc: Loc,
    ) -> bool {
        let mut left = visible.iter().take_while(|&&id| id != target);
        let Some(block) = left.find(|id| self.targets[id.index()].kind == Kind::Block) else {
            return true;
        };
        let is_own_target = self.targets[block.index()]
            .label
            .clone()
            .unwrap_or_default();
        let around = self.targets[block.index()].origin;
        let help = match (&self.targets[target.index()].label, what) {
            (Some(label), _) => format!("write `{what} '{label}`"),
            (None, "break") => format!(
                "give the loop a label and name it, as in `break 'next`; `break '{is_own_target}` leaves the block"
            ),
            (None, _) => "give the loop a label and name it, as in `continue 'next`".to_owned(),
        };
        self.error(
            Diagnostic::error(
                Code::BadJump,
                loc,
                format!("`{what}` in a labelled block has to name what it leaves"),
            )
            .label(around, format!("the block `'{is_own_target}` is around it"))
            .help(help),
        );
        false
    }

    /// Builds a jump out of a target, with a value or with `()`.
    fn exit(&mut self, target: TargetId, value: Option<(ExprId, &ast::Expr)>, loc: Loc) -> ExprId {
        let value_ty = value.map_or_else(Ty::unit, |(id, _)| self.ty(id));
        let value_loc = value.map_or(loc, |(_, written)| written.loc);
        let target_ty = self.targets[target.index()].ty.clone();
        let kind = self.targets[target.index()].kind;
        match target_ty {
            None => {
                self.targets[target.index()].ty = Some(value_ty);
                self.targets[target.index()].origin = value_loc;
            }
            Some(Ty::Never) => self.targets[target.index()].ty = Some(value_ty),
            Some(target_ty) => {
                if !self.unify(&target_ty, &value_ty) {
                    self.differing_exits(
                        target,
                        &target_ty,
                        &value_ty,
                        value.map(|(_, it)| it),
                        value_loc,
                    );
                } else if kind.has_value() && target_ty.is_error() {
                    self.targets[target.index()].ty = Some(value_ty);
                }
            }
        }
        let value = value.map(|(id, _)| id);
        self.push(ExprKind::Exit(target, value), Ty::Never, loc)
    }

    fn differing_exits(
        &mut self,
        target: TargetId,
        expected: &Ty,
        actual: &Ty,
        written: Option<&ast::Expr>,
        value_loc: Loc,
    ) {
        let (expected, actual) = (self.resolve(expected), self.resolve(actual));
        let (code, help) = self.mismatch(&expected, &actual, written);
        let (from, to) = (self.show(&expected), self.show(&actual));
        let Target { kind, origin, .. } = &self.targets[target.index()];
        let origin = *origin;
        let diagnostic = if *kind == Kind::Function {
            let message = if expected == Ty::unit() {
                format!("a kernel returns nothing, found `{to}`")
            } else {
                format!("the function returns `{from}`, found `{to}`")
            };
            let help = help.unwrap_or_else(|| {
                if expected == Ty::unit() {
                    "store the value in a `&mut Tensor` parameter, and write `return;`".to_owned()
                } else {
                    format!("give back a value of type `{from}`")
                }
            });
            Diagnostic::error(code, value_loc, message).help(help)
        } else {
            let noun = kind.noun();
            Diagnostic::error(
                code,
                value_loc,
                format!("{noun} gives one type, found `{from}` and `{to}`"),
            )
            .label(origin, format!("it gives `{from}` here"))
            .label(value_loc, format!("it gives `{to}` here"))
            .help(
                help.unwrap_or_else(|| {
                    format!("give every `break` of it a value of type `{from}`")
                }),
            )
        };
        self.error(diagnostic);
    }

    /// Checks `break 'label value`.
    pub(super) fn leave(
        &mut self,
        label: Option<&Name>,
        value: Option<&ast::Expr>,
        loc: Loc,
    ) -> ExprId {
        let id = value.map(|value| (self.expr(value), value));
        let Some(target) = self.jump_target("break", label, loc) else {
            return self.poison(loc);
        };
        let kind = self.targets[target.index()].kind;
        if kind == Kind::Parallel {
            return self.out_of_parallel("break", target, loc);
        }
        if let Some((_, written)) = id
            && !kind.has_value()
        {
            self.error(
                Diagnostic::error(
                    Code::BadJump,
                    written.loc,
                    format!("`break` cannot give {} a value", kind.noun()),
                )
                .note("a loop that ends without `break` would have no value")
                .help(format!(
                    "assign `{}` to a variable that is declared before it, and write `break`, or write a `loop`",
                    ast::full_text(written)
                )),
            );
            return self.poison(loc);
        }
        let target = match kind {
            Kind::Unrolled(whole) => whole,
            _ => target,
        };
        self.exit(target, id, loc)
    }

    /// Checks `continue 'label`.
    pub(super) fn next(&mut self, label: Option<&Name>, loc: Loc) -> ExprId {
        match self.jump_target("continue", label, loc) {
            // An iteration is a block: `continue` jumps to its end.
            Some(target)
                if matches!(
                    self.targets[target.index()].kind,
                    Kind::Parallel | Kind::Unrolled(_)
                ) =>
            {
                self.push(ExprKind::Exit(target, None), Ty::Never, loc)
            }
            Some(target) => self.push(ExprKind::Continue(target), Ty::Never, loc),
            None => self.poison(loc),
        }
    }

    /// Checks `return value`.
    pub(super) fn give_back(&mut self, value: Option<&ast::Expr>, loc: Loc) -> ExprId {
        let ends = |id: &&TargetId| {
            matches!(
                self.targets[id.index()].kind,
                Kind::Function | Kind::Parallel
            )
        };
        let around = self.open_targets.iter().rposition(|id| ends(&id));
        let around = around.expect("code is in a function");
        if self
            .closures
            .last()
            .is_some_and(|&closure| around < closure)
        {
            self.error(
                Diagnostic::error(
                    Code::BadJump,
                    loc,
                    "`return` cannot end the closure of a reduction",
                )
                .note("both ways through the closure are computed, and one is chosen: nothing leaves it early")
                .help("end the closure with its value, as in `if a > b { a } else { b }`"),
            );
            return self.poison(loc);
        }
        let target = self.open_targets[around];
        let id = value.map(|value| {
            let id = match self.targets[target.index()].ty.clone() {
                Some(ty) => self.expr_as(value, &ty),
                None => self.expr(value),
            };
            (id, value)
        });
        if self.targets[target.index()].kind == Kind::Parallel {
            return self.out_of_parallel("return", target, loc);
        }
        self.exit(target, id, loc)
    }

    /// Checks `'label: { .. }`.
    pub(super) fn labelled(&mut self, label: &Name, body: &ast::Block, loc: Loc) -> ExprId {
        let target = self.enter_target(Kind::Block, Some(label), loc);
        let (block, end) = self.block(body);
        self.end_block(target, block, &end, body, loc)
    }

    /// Ends a block that jumps leave, with the type of their values.
    pub(super) fn end_block(
        &mut self,
        target: TargetId,
        block: Block,
        end: &Ty,
        body: &ast::Block,
        loc: Loc,
    ) -> ExprId {
        let left = self.leave_target();
        let ty = match left {
            None => end.clone(),
            Some(left) if *end == Ty::Never => left,
            Some(left) => {
                if !self.unify(&left, end) {
                    let tail_loc = body.tail.as_ref().map_or(body.loc, |tail| tail.loc);
                    self.differing_exits(target, &left, end, body.tail.as_deref(), tail_loc);
                }
                if left.is_error() { end.clone() } else { left }
            }
        };
        self.push(ExprKind::Breakable(target, block), ty, loc)
    }

    /// Checks the body of a loop, which has no value.
    fn loop_body(&mut self, body: &ast::Block) -> Block {
        let (block, ty) = self.block(body);
        if !self.unify(&Ty::unit(), &ty) {
            let shown = self.show(&ty);
            let tail_loc = body.tail.as_ref().map_or(body.loc, |tail| tail.loc);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    tail_loc,
                    format!("the body of a loop has no value, found `{shown}`"),
                )
                .help("end the line with `;`"),
            );
        }
        block
    }

    /// Checks `'label: loop { .. }`.
    pub(super) fn endless_loop(
        &mut self,
        label: Option<&Name>,
        body: &ast::Block,
        loc: Loc,
    ) -> ExprId {
        let target = self.enter_target(Kind::Loop, label, loc);
        self.frames.push(Frame::Loop);
        let block = self.loop_body(body);
        self.frames.pop();
        let ty = self.leave_target().unwrap_or(Ty::Never);
        self.push(ExprKind::Loop(target, block), ty, loc)
    }

    /// Checks `'label: while cond { .. }`.
    pub(super) fn while_loop(
        &mut self,
        label: Option<&Name>,
        cond: &ast::Expr,
        body: &ast::Block,
        loc: Loc,
    ) -> ExprId {
        let target = self.enter_target(Kind::While, label, loc);
        self.frames.push(Frame::Loop);
        // A `break` in the condition leaves this loop too.
        let condition = self.condition(cond, None);
        let block = self.loop_body(body);
        self.frames.pop();
        self.leave_target();
        let stay = self.push(ExprKind::Block(block), Ty::unit(), body.loc);
        let endless = self.constant(condition) == Some(Const::Bool(true));
        let repeated = if endless {
            stay
        } else {
            let exit = self.push(ExprKind::Exit(target, None), Ty::Never, cond.loc);
            let then = Block {
                stmts: vec![Stmt::Expr(stay)],
                tail: None,
            };
            let other = Block {
                stmts: Vec::new(),
                tail: Some(exit),
            };
            let choice = ExprKind::If(condition, then, Some(other));
            self.push(choice, Ty::unit(), loc)
        };
        let kind = Block {
            stmts: vec![Stmt::Expr(repeated)],
            tail: None,
        };
        self.push(ExprKind::Loop(target, kind), Ty::unit(), loc)
    }

    /// Checks that an end of a range is an integer; `false` after an error.
    fn counts(&mut self, end: &ast::Expr, ty: &Ty) -> bool {
        let integer = match ty {
            Ty::Scalar(elem) => self.kind_of(*elem) == super::types::Kind::Integer,
            Ty::Error | Ty::Never => true,
            _ => false,
        };
        if integer {
            return true;
        }
        let shown = self.show(ty);
        let help = match (ty, &end.kind) {
            (Ty::Scalar(_), ast::ExprKind::Float(number, _)) => {
                format!("write `{}`", number.double.trunc())
            }
            (Ty::Scalar(_), _) => format!("write `{} as i32`", ast::operand_text(end)),
            (Ty::Tile(_, shape), _) if shape.iter().product::<i64>() == 1 => {
                format!("write `{}.item()`", ast::operand_text(end))
            }
            (Ty::Tile(_, shape), _) => {
                let zeros = vec!["0"; shape.len()].join(", ");
                let ones = vec!["1"; shape.len()].join(", ");
                format!(
                    "write `{}.extract([{zeros}], [{ones}]).item()` for one element",
                    ast::operand_text(end)
                )
            }
            _ => "write an integer, as in `0..n`".to_owned(),
        };
        self.error(
            Diagnostic::error(
                Code::TypeMismatch,
                end.loc,
                format!("a range counts integers, found `{shown}`"),
            )
            .help(help),
        );
        false
    }

    /// Checks both ends of a range, and returns them with their type.
    pub(super) fn range_ends(&mut self, low: &ast::Expr, high: &ast::Expr) -> (ExprId, ExprId, Ty) {
        let low_id = self.expr(low);
        let high_id = self.expr(high);
        let (low_ty, high_ty) = (self.ty(low_id), self.ty(high_id));
        let mut integers = true;
        for (end, end_ty) in [(low, &low_ty), (high, &high_ty)] {
            integers &= self.counts(end, end_ty);
        }
        if !integers {
            return (low_id, high_id, Ty::Error);
        }
        if self.unify(&low_ty, &high_ty) {
            let ty = if low_ty.is_error() { high_ty } else { low_ty };
            return (low_id, high_id, ty);
        }
        let (_, mut help) = self.mismatch(&high_ty, &low_ty, Some(low));
        if let (Ty::Scalar(low_elem), Ty::Scalar(high_elem)) = (&low_ty, &high_ty) {
            let ends = [(low, *low_elem), (high, *high_elem)];
            help = self
                .constant_to_convert(ends)
                .map(|(_, help)| help)
                .or(help);
        }
        let message = format!(
            "the ends of a range have one type, found `{}` and `{}`",
            self.show(&low_ty),
            self.show(&high_ty)
        );
        let help = help.unwrap_or_else(|| "convert one of them with `as`".to_owned());
        let label = |text: &ast::Expr, ty: &str| format!("`{}` is `{ty}`", ast::text(text));
        let diagnostic = Diagnostic::error(Code::TypeMismatch, high.loc, message)
            .help(help)
            .label(low.loc, label(low, &self.show(&low_ty)))
            .label(high.loc, label(high, &self.show(&high_ty)));
        self.error(diagnostic);
        (low_id, high_id, Ty::Error)
    }

    /// Checks the step of `.step_by(k)`: a `usize` above zero, or another integer, which is
    /// converted.
    fn step(&mut self, written: &ast::Expr) -> ExprId {
        let id = self.expr(written);
        let usize_ty = Ty::Scalar(Elem::Known(HostScalar::Usize));
        if matches!(written.kind, ast::ExprKind::Unary(UnaryOp::Neg, _)) {
            self.error(
                Diagnostic::error(Code::OutOfRange, written.loc, "a step is not negative")
                    .help("count downwards with `.rev()`, as in `(0..n).rev().step_by(4)`"),
            );
            return self.poison(written.loc);
        }
        let step_ty = self.ty(id);
        let is_integer = |scalar: HostScalar| scalar.is_integer() && scalar != HostScalar::Usize;
        if matches!(step_ty, Ty::Scalar(Elem::Known(scalar)) if is_integer(scalar)) {
            return self.converted_step(id, written, usize_ty);
        }
        self.expect(&usize_ty, (id, written), || {
            "a step is a `usize`".to_owned()
        });
        if self.constant(id) == Some(Const::Int(0)) {
            self.error(
                Diagnostic::error(Code::OutOfRange, written.loc, "a step is not zero")
                    .help("write a step of at least 1"),
            );
            return self.poison(written.loc);
        }
        id
    }

    /// Converts a step of another integer type, as in `k as usize`.
    fn converted_step(&mut self, id: ExprId, written: &ast::Expr, usize_ty: Ty) -> ExprId {
        let error = match self.constant(id) {
            Some(Const::Int(0)) => Some(("a step is not zero", "write a step of at least 1")),
            Some(Const::Int(value)) if value < 0 => Some((
                "a step is not negative",
                "count downwards with `.rev()`, as in `(0..n).rev().step_by(4)`",
            )),
            Some(_) | None => None,
        };
        if let Some((message, help)) = error {
            self.error(Diagnostic::error(Code::OutOfRange, written.loc, message).help(help));
            return self.poison(written.loc);
        }
        self.push(ExprKind::Cast(id), usize_ty, written.loc)
    }

    /// Checks a range with its methods, and returns it with the type of its numbers.
    pub(super) fn range(&mut self, range: &ast::Range) -> (Range, Ty) {
        let (low, high, ty) = self.range_ends(&range.low, &range.high);
        let adapters = range.adapters.iter().filter_map(|adapter| match adapter {
            ast::Adapter::Rev => Some(Adapter::Rev),
            ast::Adapter::StepBy(step) => Some(Adapter::StepBy(self.step(step))),
            ast::Adapter::Unroll => None,
        });
        let range = Range {
            low,
            high,
            inclusive: range.inclusive,
            adapters: adapters.collect(),
        };
        (range, ty)
    }

    /// Returns the numbers of an unrolled loop; `None` after an error.
    fn trips(&mut self, range: &Range, written: &ast::Range, ty: &Ty) -> Option<Vec<i128>> {
        if ty.is_error() {
            return None;
        }
        let mut ends = [0, 0];
        for (end, (id, text)) in ends
            .iter_mut()
            .zip([(range.low, &written.low), (range.high, &written.high)])
        {
            let Some(Const::Int(value)) = self.constant(id) else {
                self.not_a_count(text);
                return None;
            };
            *end = value;
        }
        let [low, high] = ends;
        let high = if range.inclusive { high + 1 } else { high };
        if high - low > MAX_TRIPS {
            self.error(
                Diagnostic::error(
                    Code::TooLarge,
                    written.high.loc,
                    format!("an unrolled loop has {MAX_TRIPS} iterations at most"),
                )
                .note("its body is compiled once for each")
                .help("leave `.unroll()` out"),
            );
            return None;
        }
        let mut trips: Vec<i128> = (low..high).collect();
        let steps = written.adapters.iter().filter_map(|adapter| match adapter {
            ast::Adapter::StepBy(step) => Some(step),
            ast::Adapter::Rev | ast::Adapter::Unroll => None,
        });
        let mut steps = steps;
        for adapter in &range.adapters {
            match adapter {
                Adapter::Rev => trips.reverse(),
                Adapter::StepBy(step) => {
                    let text = steps.next()?;
                    let Some(Const::Int(step)) = self.constant(*step) else {
                        self.not_a_count(text);
                        return None;
                    };
                    let step = usize::try_from(step).unwrap_or(usize::MAX).max(1);
                    trips = trips.into_iter().step_by(step).collect();
                }
            }
        }
        Some(trips)
    }

    fn not_a_count(&mut self, written: &ast::Expr) {
        if matches!(written.kind, ast::ExprKind::Error) {
            return;
        }
        self.error(
            Diagnostic::error(
                Code::NotConstant,
                written.loc,
                format!(
                    "the range of an unrolled loop must be known at compile time, and `{}` is not",
                    ast::text(written)
                ),
            )
            .note("known are literals, const parameters, arithmetic on them and a `let` of these")
            .help("use a const parameter, or leave `.unroll()` out"),
        );
    }

    /// Checks `for pat in (0..4).unroll() { .. }`: the body once for each number, which is a
    /// constant in it.
    fn unrolled(
        &mut self,
        label: Option<&Name>,
        (pat, ty): (&Pat, &Ty),
        trips: &[i128],
        body: &ast::Block,
        loc: Loc,
    ) -> ExprId {
        let whole = self.enter_target(Kind::Block, None, loc);
        self.targets[whole.index()].ty = Some(Ty::unit());
        let before = self.diagnostics.error_count();
        let mut stmts = Vec::new();
        for &trip in trips {
            let target = self.enter_target(Kind::Unrolled(whole), label, loc);
            let mark = self.scopes.enter();
            let number = self.push(ExprKind::Int(trip), ty.clone(), loc);
            let mut block = Vec::new();
            match pat {
                Pat::Name { name, mutable } => {
                    let local = self.declare(name, ty.clone(), *mutable);
                    self.locals[local.index()].constant = (!mutable).then_some(Const::Int(trip));
                    block.push(Stmt::Bind(local, number));
                }
                Pat::Wild(_) => {}
                other => self.bind(other, number, &mut block),
            }
            let inner = self.loop_body(body);
            let inner = self.push(ExprKind::Block(inner), Ty::unit(), body.loc);
            block.push(Stmt::Expr(inner));
            self.scopes.leave(mark);
            self.leave_target();
            let block = Block {
                stmts: block,
                tail: None,
            };
            let iteration = self.push(ExprKind::Breakable(target, block), Ty::unit(), loc);
            stmts.push(Stmt::Expr(iteration));
            // An error in one iteration would be repeated in most of the others.
            if self.diagnostics.error_count() > before {
                break;
            }
        }
        self.leave_target();
        let block = Block { stmts, tail: None };
        self.push(ExprKind::Breakable(whole, block), Ty::unit(), loc)
    }

    /// Checks `'label: for pat in range { .. }`.
    pub(super) fn for_loop(
        &mut self,
        label: Option<&Name>,
        pat: &Pat,
        range: &ast::Range,
        body: &ast::Block,
        loc: Loc,
    ) -> ExprId {
        let unroll = |adapter: &ast::Adapter| matches!(adapter, ast::Adapter::Unroll);
        let unrolled = range.adapters.iter().any(unroll);
        let written = range;
        let (range, ty) = self.range(range);
        if unrolled {
            return match self.trips(&range, written, &ty) {
                Some(trips) => self.unrolled(label, (pat, &ty), &trips, body, loc),
                None => self.poison(loc),
            };
        }
        let target = self.enter_target(Kind::For, label, loc);
        self.frames.push(Frame::Loop);
        let mark = self.scopes.enter();
        let local = match pat {
            Pat::Name { name, mutable } => self.declare(name, ty, *mutable),
            Pat::Wild(wild_loc) => self.new_local("_", ty, false, *wild_loc),
            Pat::Tuple(_, wild_loc) => {
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        *wild_loc,
                        "a range gives one integer at a time, not a tuple",
                    )
                    .help("write a single name"),
                );
                self.new_local("", Ty::Error, false, *wild_loc)
            }
            other => {
                self.refutable(other.loc());
                self.new_local("", Ty::Error, false, other.loc())
            }
        };
        let body = self.loop_body(body);
        self.scopes.leave(mark);
        self.frames.pop();
        self.leave_target();
        let kind = ExprKind::For {
            target,
            local,
            range,
            body,
        };
        self.push(kind, Ty::unit(), loc)
    }
}
