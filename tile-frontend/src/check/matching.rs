//! Lowers `match`: every arm becomes a condition and a choice.
//!
//! The value is bound once. A pattern becomes a test of its parts without effects, so names can be
//! bound before the test, and a guard is joined to it with `&&`.

use super::exhaustive::{Simple, Values, left_out};
use super::names::Meaning;
use super::{Checker, Frame};
use crate::hir::signature::HostScalar;
use crate::hir::{Block, Const, Elem, ExprId, ExprKind, LocalId, Stmt, Ty};
use crate::parse::ast::{self, Arm, BinaryOp, Name, Pat, UnaryOp};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// A `match` whose patterns are compared once all types are known.
pub(super) struct Match {
    loc: Loc,
    ty: Ty,
    rows: Vec<Row>,
    /// The type of its arms.
    result: Ty,
}

struct Row {
    pattern: Simple,
    loc: Loc,
    guarded: Guarded,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Guarded {
    Yes,
    No,
}

/// A part of the value, as a path of fields of a variable.
#[derive(Clone)]
struct Place {
    local: LocalId,
    path: Vec<usize>,
    ty: Ty,
}

/// The test and the bindings of a pattern.
struct Tested {
    /// The test; `None` if the pattern matches everything.
    test: Option<ExprId>,
    simple: Simple,
    bindings: Vec<(Name, bool, Place)>,
}

/// The arms of a `match` that have been checked.
struct Arms {
    /// The value that patterns are tested against.
    place: Place,
    /// `true` if that value is constant.
    constant: bool,
    rows: Vec<Row>,
    checked: Vec<CheckedArm>,
    /// The type of the `match`, and the location of the arm that decided it.
    result: Option<(Ty, Loc)>,
    /// `true` once an arm is certain to match a constant value.
    decided: bool,
    /// `true` if an arm was left out.
    pruned: bool,
    /// The number of errors before the `match` and in the bodies of arms.
    errors: usize,
}

/// An arm that a `match` may take.
struct CheckedArm {
    /// The bindings of its names.
    stmts: Vec<Stmt>,
    /// The condition under which it is taken.
    test: Option<ExprId>,
    body: ExprId,
    loc: Loc,
}

impl Checker<'_> {
    fn read_place(&mut self, place: &Place, loc: Loc) -> ExprId {
        let mut ty = self.locals[place.local.index()].ty.clone();
        let mut id = self.push(ExprKind::Local(place.local), ty.clone(), loc);
        for &index in &place.path {
            ty = match ty {
                Ty::Tuple(parts) | Ty::Struct(_, parts) => parts[index].clone(),
                other => other,
            };
            id = self.push(ExprKind::Field(id, index), ty.clone(), loc);
        }
        id
    }

    fn both(
        &mut self,
        op: BinaryOp,
        lhs: Option<ExprId>,
        rhs: Option<ExprId>,
        loc: Loc,
    ) -> Option<ExprId> {
        let (Some(lhs), Some(rhs)) = (lhs, rhs) else {
            return match op {
                // One alternative that matches everything makes the whole pattern match everything.
                BinaryOp::BitOr => None,
                _ => lhs.or(rhs),
            };
        };
        let ty = Ty::scalar(HostScalar::Bool);
        Some(self.push(ExprKind::Binary(op, lhs, rhs), ty, loc))
    }

    /// Checks `match value { .. }`.
    pub(super) fn choice(&mut self, value: &ast::Expr, arms: &[Arm], loc: Loc) -> ExprId {
        let id = self.expr(value);
        let ty = self.ty(id);
        if let Some((shown, help)) = self.unmatchable(&ty, value) {
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    value.loc,
                    format!("`match` takes numbers, `bool`s and tuples of them, found `{shown}`"),
                )
                .help(help),
            );
            return self.poison(loc);
        }
        let whole = self.new_local("", ty.clone(), false, value.loc);
        self.locals[whole.index()].constant = self.constant(id);
        let place = Place {
            local: whole,
            path: Vec::new(),
            ty: ty.clone(),
        };
        let mut arms_checked = Arms {
            place,
            constant: self.constant(id).is_some(),
            rows: Vec::new(),
            checked: Vec::new(),
            result: None,
            decided: false,
            pruned: false,
            errors: self.diagnostics.error_count(),
        };
        self.frames.push(Frame::Branch);
        for arm in arms {
            self.arm(arm, &mut arms_checked);
        }
        self.frames.pop();
        let Arms {
            rows,
            checked,
            result,
            pruned,
            errors,
            ..
        } = arms_checked;
        let (result, _) = result.unwrap_or((Ty::Never, loc));
        // The coverage of a pattern with an error is unknown.
        if self.diagnostics.error_count() == errors {
            let result = result.clone();
            self.matches.push(Match {
                loc,
                ty,
                rows,
                result,
            });
        }
        if !result.is_value() {
            let shown = self.show(&result);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    loc,
                    format!("a `match` cannot choose between values of type `{shown}`"),
                )
                .note("tensors and partitions are fixed for the whole kernel")
                .help("load inside the arms and let the `match` give the tile"),
            );
            return self.poison(loc);
        }
        let Some(chosen) = self.chain(checked, &result) else {
            // A `match` without arms is reported with the values that it does not cover.
            return self.poison(loc);
        };
        let block = Block {
            stmts: vec![Stmt::Bind(whole, id)],
            tail: Some(chosen),
        };
        let choice = self.push(ExprKind::Block(block), result, loc);
        if pruned && self.ty(choice) == Ty::Never {
            self.pruned.insert(choice);
        }
        choice
    }

    /// Checks an arm.
    fn arm(&mut self, arm: &Arm, arms: &mut Arms) {
        let mark = self.scopes.enter();
        let Tested {
            mut test,
            simple,
            bindings,
        } = self.pattern(&arm.pat, &arms.place);
        let stmts = self.bind_names(bindings);
        arms.rows.push(Row {
            pattern: simple,
            loc: arm.pat.loc(),
            guarded: if arm.guard.is_some() {
                Guarded::Yes
            } else {
                Guarded::No
            },
        });
        let test_value = test.map(|test| self.constant(test));
        if arms.decided || arms.constant && test_value == Some(Some(Const::Bool(false))) {
            // As in an `if` on a constant, an arm that is not taken is not even checked.
            arms.pruned = true;
            self.scopes.leave(mark);
            return;
        }
        arms.decided = arms.constant
            && arm.guard.is_none()
            && test_value.is_none_or(|test_value| test_value.is_some());
        if let Some(guard) = &arm.guard {
            let guard_id = self.condition(guard, None);
            let bool_ty = Ty::scalar(HostScalar::Bool);
            test = Some(match test {
                None => guard_id,
                Some(test) => {
                    let both = ExprKind::ShortCircuit(BinaryOp::And, test, guard_id);
                    self.push(both, bool_ty, guard.loc)
                }
            });
        }
        let before = self.diagnostics.error_count();
        let body = self.expr(&arm.body);
        arms.errors += self.diagnostics.error_count() - before;
        self.scopes.leave(mark);
        self.join_type(&arm.body, body, &mut arms.result);
        arms.checked.push(CheckedArm {
            stmts,
            test,
            body,
            loc: arm.body.loc,
        });
    }

    /// Declares the names that a pattern binds.
    fn bind_names(&mut self, bindings: Vec<(Name, bool, Place)>) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for (name, mutable, place) in bindings {
            let read = self.read_place(&place, name.loc);
            let constant = self.constant(read).filter(|_| !mutable);
            let local = self.declare(&name, place.ty.clone(), mutable);
            self.locals[local.index()].constant = constant;
            stmts.push(Stmt::Bind(local, read));
        }
        stmts
    }

    /// Updates the type of a `match` by that of an arm. The location is that of the arm that decided it.
    fn join_type(&mut self, arm: &ast::Expr, body: ExprId, result: &mut Option<(Ty, Loc)>) {
        let body_ty = self.ty(body);
        let body_loc = match &arm.kind {
            ast::ExprKind::Block(block) => block.tail.as_ref().map_or(block.loc, |it| it.loc),
            _ => arm.loc,
        };
        match result {
            None | Some((Ty::Never, _)) => *result = Some((body_ty, body_loc)),
            Some((result_ty, first)) => {
                let (result_ty, first) = (result_ty.clone(), *first);
                if !self.unify(&result_ty, &body_ty) {
                    self.differing_arms((&result_ty, first), (&body_ty, body_loc), arm);
                } else if result_ty.is_error() {
                    *result = Some((body_ty, first));
                }
            }
        }
    }

    /// Returns the value of the first arm whose test holds; `None` without arms. The last arm needs no test,
    /// since a `match` that leaves values uncovered is reported.
    fn chain(&mut self, arms: Vec<CheckedArm>, result: &Ty) -> Option<ExprId> {
        let mut chosen: Option<ExprId> = None;
        for arm in arms.into_iter().rev() {
            let value = match (arm.test, chosen) {
                (Some(test), Some(next)) => {
                    let [then, other] = [arm.body, next].map(|value| Block {
                        stmts: Vec::new(),
                        tail: Some(value),
                    });
                    let kind = ExprKind::If(test, then, Some(other));
                    self.push(kind, result.clone(), arm.loc)
                }
                (_, _) => arm.body,
            };
            chosen = Some(if arm.stmts.is_empty() {
                value
            } else {
                let block = Block {
                    stmts: arm.stmts,
                    tail: Some(value),
                };
                self.push(ExprKind::Block(block), result.clone(), arm.loc)
            });
        }
        chosen
    }

    fn unmatchable(&self, ty: &Ty, value: &ast::Expr) -> Option<(String, String)> {
        let text = ast::text(value);
        match ty {
            Ty::Scalar(_) | Ty::Error | Ty::Never => None,
            Ty::Tuple(parts) | Ty::Struct(_, parts) => {
                parts.iter().find_map(|part| self.unmatchable(part, value))
            }
            Ty::Tile(..) => {
                let help = format!("choose elementwise: write `select({text} == 0, a, b)`");
                Some((self.show(ty), help))
            }
            Ty::Tensor(_) | Ty::Partition(_) | Ty::Pointer(_) => {
                Some((self.show(ty), self.load_help(ty, value)))
            }
        }
    }

    fn differing_arms(&mut self, expected: (&Ty, Loc), actual: (&Ty, Loc), written: &ast::Expr) {
        let (from_ty, to_ty) = (self.resolve(expected.0), self.resolve(actual.0));
        let value = match &written.kind {
            ast::ExprKind::Block(block) => block.tail.as_deref(),
            _ => Some(written),
        };
        let (code, help) = self.mismatch(&from_ty, &to_ty, value);
        let (from, to) = (self.show(&from_ty), self.show(&to_ty));
        self.error(
            Diagnostic::error(
                code,
                actual.1,
                format!("the arms of a `match` have different types, `{from}` and `{to}`"),
            )
            .label(expected.1, format!("this arm gives `{from}`"))
            .label(actual.1, format!("this arm gives `{to}`"))
            .help(help.unwrap_or_else(|| "give all arms one type and shape".to_owned())),
        );
    }

    /// Checks a constant in a pattern. Returns the expression, and its value if it is an integer or
    /// `bool`; `None` after an error.
    fn pattern_value(&mut self, written: &ast::Expr, ty: &Ty) -> Option<(ExprId, Option<i128>)> {
        let id = self.expr(written);
        let fits = self.expect(ty, (id, written), || {
            "a pattern has the type of the value that is matched".to_owned()
        });
        if !fits || self.ty(id).is_error() {
            return None;
        }
        match self.constant(id) {
            Some(Const::Int(value)) => Some((id, Some(value))),
            Some(Const::Bool(value)) => Some((id, Some(i128::from(value)))),
            None if matches!(
                self.exprs[id.index()].kind,
                ExprKind::Float(_) | ExprKind::Unary(UnaryOp::Neg, _)
            ) =>
            {
                Some((id, None))
            }
            None => {
                let text = ast::text(written);
                self.error(
                    Diagnostic::error(
                        Code::NotConstant,
                        written.loc,
                        format!("a pattern is known at compile time, and `{text}` is not"),
                    )
                    .help(format!(
                        "bind a name and compare it in a guard: `x if x == {text}`"
                    )),
                );
                None
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, place: &Place, value: ExprId, loc: Loc) -> ExprId {
        let read = self.read_place(place, loc);
        let ty = Ty::scalar(HostScalar::Bool);
        self.push(ExprKind::Binary(op, read, value), ty, loc)
    }

    fn pattern(&mut self, pat: &Pat, place: &Place) -> Tested {
        let anything = |bindings| Tested {
            test: None,
            simple: Simple::Any,
            bindings,
        };
        match pat {
            Pat::Wild(_) => anything(Vec::new()),
            Pat::Rest(loc) => {
                self.error(
                    Diagnostic::error(
                        Code::UnsupportedSyntax,
                        *loc,
                        "`..` matches elements of a tuple, and there is no tuple around it",
                    )
                    .help("write `_`"),
                );
                anything(Vec::new())
            }
            Pat::Name { name, mutable } => {
                let constant = match self.scopes.value(&name.text) {
                    Some(Meaning::Const(..)) => true,
                    Some(Meaning::Local(_)) | None => self.is_constant_item(&name.text),
                };
                if constant && !mutable {
                    let value = ast::Expr {
                        kind: ast::ExprKind::Path(vec![name.clone()]),
                        loc: name.loc,
                    };
                    return self.pattern(&Pat::Value(Box::new(value)), place);
                }
                anything(vec![(name.clone(), *mutable, place.clone())])
            }
            Pat::At { name, mutable, pat } => {
                let mut tested = self.pattern(pat, place);
                let binding = (name.clone(), *mutable, place.clone());
                tested.bindings.insert(0, binding);
                tested
            }
            Pat::Value(written) => {
                let Some((id, value)) = self.pattern_value(written, &place.ty) else {
                    return anything(Vec::new());
                };
                let (test, simple) = match value {
                    Some(value) => (
                        self.compare(BinaryOp::Eq, place, id, written.loc),
                        Simple::Range(value, value),
                    ),
                    None => (
                        self.compare(BinaryOp::Eq, place, id, written.loc),
                        Simple::Some,
                    ),
                };
                Tested {
                    test: Some(test),
                    simple,
                    bindings: Vec::new(),
                }
            }
            Pat::Range {
                low,
                high,
                inclusive,
                loc,
            } => self.range_pattern(low.as_deref(), high.as_deref(), *inclusive, *loc, place),
            Pat::Tuple(parts, loc) => self.tuple_pattern(parts, *loc, place),
            Pat::Or(cases, loc) => self.alternatives(cases, *loc, place),
        }
    }

    fn range_pattern(
        &mut self,
        low: Option<&ast::Expr>,
        high: Option<&ast::Expr>,
        inclusive: bool,
        loc: Loc,
        place: &Place,
    ) -> Tested {
        let mut test = None;
        let mut simple = Simple::Some;
        let mut ends = [None, None];
        for (end, (written, op)) in ends.iter_mut().zip([
            (low, BinaryOp::Ge),
            (
                high,
                if inclusive {
                    BinaryOp::Le
                } else {
                    BinaryOp::Lt
                },
            ),
        ]) {
            let Some(written) = written else {
                continue;
            };
            let Some((id, value)) = self.pattern_value(written, &place.ty) else {
                return Tested {
                    test: None,
                    simple: Simple::Any,
                    bindings: Vec::new(),
                };
            };
            *end = value;
            let compared = self.compare(op, place, id, written.loc);
            test = self.both(BinaryOp::BitAnd, test, Some(compared), loc);
        }
        let is_evaluated =
            |written: Option<&ast::Expr>, end: Option<i128>| written.is_none() || end.is_some();
        if is_evaluated(low, ends[0])
            && is_evaluated(high, ends[1])
            && (ends[0].is_some() || ends[1].is_some())
        {
            let least = ends[0].unwrap_or(i128::MIN);
            let end = ends[1].map_or(i128::MAX, |end| if inclusive { end } else { end - 1 });
            if least > end {
                self.error(
                    Diagnostic::error(Code::OutOfRange, loc, "this range takes no value")
                        .help("write the smaller end first"),
                );
            }
            simple = Simple::Range(least, end);
        }
        Tested {
            test,
            simple,
            bindings: Vec::new(),
        }
    }

    fn tuple_pattern(&mut self, parts: &[Pat], loc: Loc, place: &Place) -> Tested {
        let ty = self.resolve(&place.ty);
        let expanded = super::bindings::expand_rest(parts, &ty);
        let parts: &[Pat] = expanded.as_deref().unwrap_or(parts);
        let types = match &ty {
            Ty::Tuple(types) | Ty::Struct(_, types) if types.len() == parts.len() => types.clone(),
            Ty::Error | Ty::Never => vec![Ty::Error; parts.len()],
            _ => {
                let shown = self.show(&ty);
                let help = match &ty {
                    Ty::Tuple(types) => super::suggest::as_many_parts(parts, types.len()),
                    _ => "write a number, a range or a name".to_owned(),
                };
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        loc,
                        format!(
                            "a pattern of {} parts cannot take `{shown}` apart",
                            parts.len()
                        ),
                    )
                    .help(help),
                );
                vec![Ty::Error; parts.len()]
            }
        };
        let mut tuple_test = Tested {
            test: None,
            simple: Simple::Any,
            bindings: Vec::new(),
        };
        let mut simple = Vec::new();
        for (index, (part, ty)) in parts.iter().zip(types).enumerate() {
            let mut path = place.path.clone();
            path.push(index);
            let inner = Place {
                local: place.local,
                path,
                ty: ty.clone(),
            };
            let tested = if ty == Ty::Error {
                self.names_of_error(part)
            } else {
                self.pattern(part, &inner)
            };
            tuple_test.test = self.both(BinaryOp::BitAnd, tuple_test.test, tested.test, loc);
            simple.push(tested.simple);
            tuple_test.bindings.extend(tested.bindings);
        }
        tuple_test.simple = Simple::Parts(simple);
        tuple_test
    }

    /// Declares the names of a pattern whose value has been reported as an error.
    fn names_of_error(&mut self, pat: &Pat) -> Tested {
        match pat {
            Pat::Name { name, mutable } | Pat::At { name, mutable, .. } => {
                self.declare(name, Ty::Error, *mutable);
            }
            Pat::Tuple(parts, _) | Pat::Or(parts, _) => {
                for part in parts {
                    self.names_of_error(part);
                }
            }
            Pat::Wild(_) | Pat::Rest(_) | Pat::Value(_) | Pat::Range { .. } => {}
        }
        Tested {
            test: None,
            simple: Simple::Any,
            bindings: Vec::new(),
        }
    }

    fn alternatives(&mut self, cases: &[Pat], loc: Loc, place: &Place) -> Tested {
        let mut simple = Vec::new();
        let mut test: Option<Option<ExprId>> = None;
        let mut bindings: Option<Vec<(Name, bool, Place)>> = None;
        for case in cases {
            let tested = self.pattern(case, place);
            simple.push(tested.simple);
            test = Some(match test {
                None => tested.test,
                Some(before) => self.both(BinaryOp::BitOr, before, tested.test, loc),
            });
            let Some(first_bindings) = &bindings else {
                bindings = Some(tested.bindings);
                continue;
            };
            let same = first_bindings.len() == tested.bindings.len()
                && first_bindings.iter().all(|(name, _, place)| {
                    let other = |(n, _, p): &&(Name, bool, Place)| {
                        n.text == name.text && p.path == place.path
                    };
                    tested.bindings.iter().any(|it| other(&it))
                });
            if !same {
                self.error(
                    Diagnostic::error(
                        Code::UnsupportedSyntax,
                        case.loc(),
                        "the alternatives of a pattern bind different parts of the value",
                    )
                    .note("a name binds one part of the value, whichever alternative it is")
                    .help("write an arm for each alternative"),
                );
            }
        }
        Tested {
            test: test.flatten(),
            simple: Simple::Or(simple),
            bindings: bindings.unwrap_or_default(),
        }
    }

    /// Reports values that the patterns of a `match` do not cover, and unreachable arms.
    pub(super) fn finish_matches(&mut self) {
        for it in std::mem::take(&mut self.matches) {
            let ty = self.resolve(&it.ty);
            let Some(values) = values_of(&ty) else {
                continue;
            };
            let mut before: Vec<Simple> = Vec::new();
            for row in &it.rows {
                if left_out(&before, &row.pattern, &values).is_none() {
                    self.error(
                        Diagnostic::error(Code::Unreachable, row.loc, "this arm is never taken")
                            .note("the arms before it take every value that it takes")
                            .help("remove the arm, or put it in front"),
                    );
                }
                if row.guarded == Guarded::No {
                    before.push(row.pattern.clone());
                }
            }
            if let Some(value) = left_out(&before, &Simple::Any, &values) {
                let nothing = if self.resolve(&it.result) == Ty::unit() {
                    "{}"
                } else {
                    ".."
                };
                let (message, help) = if value == "_" {
                    (
                        "this `match` does not take every value".to_owned(),
                        format!("add `_ => {nothing}` for everything else"),
                    )
                } else {
                    (
                        format!("this `match` does not take `{value}`"),
                        format!(
                            "add `{value} => {nothing}`, or add `_ => {nothing}` for everything else"
                        ),
                    )
                };
                let mut diagnostic = Diagnostic::error(Code::NonExhaustive, it.loc, message);
                if it.rows.iter().any(|row| row.guarded == Guarded::Yes) {
                    diagnostic = diagnostic.note("an arm with a guard may be passed over");
                }
                self.error(diagnostic.help(help));
            }
        }
    }
}

fn values_of(ty: &Ty) -> Option<Values> {
    match ty {
        // As in Rust, where `usize` may have more bits, `usize::MAX` does not end the range.
        Ty::Scalar(Elem::Known(HostScalar::Usize)) => {
            let (least, greatest) = HostScalar::Usize.range()?;
            Some(Values::Range(HostScalar::Usize, least, greatest + 1))
        }
        Ty::Scalar(Elem::Known(scalar)) => Some(match scalar.range() {
            Some((least, greatest)) => Values::Range(*scalar, least, greatest),
            None => Values::Unlisted,
        }),
        Ty::Tuple(parts) | Ty::Struct(_, parts) => {
            let parts: Option<Vec<Values>> = parts.iter().map(values_of).collect();
            parts.map(Values::Parts)
        }
        Ty::Scalar(Elem::Var(_))
        | Ty::Tile(..)
        | Ty::Tensor(_)
        | Ty::Partition(_)
        | Ty::Pointer(_)
        | Ty::Never
        | Ty::Error => None,
    }
}
