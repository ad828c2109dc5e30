//! Checks parallel loops: iterations in any order, and their reduction.

use super::{Checker, Frame};
use crate::hir::walk::{each_expr, each_in_block};
use crate::hir::{
    Block, Combination, Expr, ExprId, ExprKind, Kernel, LocalId, Parallel, Stmt, Touch, Ty,
};
use crate::parse::ast::{self, Pat};
use std::collections::BTreeSet;
use tile_core::diag::{Code, Diagnostic};
use tile_core::{Diagnostics, Loc};

impl Checker<'_> {
    /// Checks a parallel loop, with or without a result.
    pub(super) fn parallel(&mut self, written: &ast::Parallel, loc: Loc) -> ExprId {
        let init = written
            .reduction
            .as_ref()
            .map(|reduction| self.expr(&reduction.init));
        let Some((ranges, ty)) = self.parallel_ranges(&written.ranges) else {
            return self.poison(loc);
        };
        let Some(patterns) = written.pat.split_by_range(ranges.len()) else {
            let message = match ranges.len() {
                1 => "one range gives one integer at a time, not a tuple".to_owned(),
                count => format!("{count} ranges give a tuple of {count} integers"),
            };
            let names: Vec<&str> = ["i", "j", "k"]
                .into_iter()
                .cycle()
                .take(ranges.len())
                .collect();
            let help = match names.as_slice() {
                [one] => format!("write a single name, such as `{one}`"),
                names => format!("write a pattern such as `({})`", names.join(", ")),
            };
            self.error(
                Diagnostic::error(Code::TypeMismatch, written.pat.loc(), message).help(help),
            );
            return self.poison(loc);
        };
        let first_own = self.locals.len();
        let mark = self.scopes.enter();
        self.frames.push(Frame::Loop);
        let locals: Vec<LocalId> = patterns
            .into_iter()
            .map(|pat| self.loop_variable(pat, &ty))
            .collect();
        let (body, value_ty) = self.parallel_body(written, loc);
        self.frames.pop();
        self.scopes.leave(mark);
        self.outer_assignments(body, first_own);
        let (combine, result) = match (&written.reduction, init) {
            (Some(reduction), Some(init)) => {
                match self.parallel_combination(reduction, init, &value_ty) {
                    Some(parts) => (parts, self.ty(init)),
                    None => return self.poison(loc),
                }
            }
            _ => (Vec::new(), Ty::unit()),
        };
        let kind = ExprKind::Parallel(Box::new(Parallel {
            locals,
            ranges,
            body,
            init,
            combine,
        }));
        self.push(kind, result, loc)
    }

    fn loop_variable(&mut self, pat: &Pat, ty: &Ty) -> LocalId {
        match pat {
            Pat::Name { name, mutable } => self.declare(name, ty.clone(), *mutable),
            other => {
                if !matches!(other, Pat::Wild(_)) {
                    self.error(
                        Diagnostic::error(
                            Code::TypeMismatch,
                            other.loc(),
                            "a range gives one integer at a time",
                        )
                        .help("write a single name for each range"),
                    );
                }
                self.new_local("_", ty.clone(), false, other.loc())
            }
        }
    }

    /// Checks the ends of all ranges, which have one integer type.
    fn parallel_ranges(&mut self, ranges: &[[ast::Expr; 2]]) -> Option<(Vec<[ExprId; 2]>, Ty)> {
        let mut parsed = Vec::new();
        let mut ty: Option<Ty> = None;
        let mut fine = true;
        for ends in ranges {
            let ids = [self.expr(&ends[0]), self.expr(&ends[1])];
            for (id, written) in ids.into_iter().zip(ends) {
                if !self.number_index((id, written), "an end of a range") {
                    fine = false;
                    continue;
                }
                match ty.clone() {
                    None => ty = Some(self.ty(id)),
                    Some(expected) => {
                        fine &= self.expect(&expected, (id, written), || {
                            "the ranges of a parallel loop count in one type".to_owned()
                        });
                    }
                }
            }
            parsed.push(ids);
        }
        fine.then_some((parsed, ty?))
    }

    /// Checks the body as a block that `continue` or `return` may end early.
    fn parallel_body(&mut self, written: &ast::Parallel, loc: Loc) -> (ExprId, Ty) {
        if written.reduction.is_some() {
            // As in Rust, `return` in a closure returns the value of the closure.
            let name = ast::Name {
                text: String::new(),
                loc,
            };
            let target = self.enter_function(&name, None);
            let value = self.expr(&written.body);
            let end = self.ty(value);
            let block = Block {
                stmts: Vec::new(),
                tail: Some(value),
            };
            let wrapped = ast::Block {
                stmts: Vec::new(),
                tail: None,
                loc: written.body.loc,
            };
            let id = self.end_block(target, block, &end, &wrapped, written.body.loc);
            return (id, self.ty(id));
        }
        let target = self.enter_parallel(loc);
        let value = self.expr(&written.body);
        let ty = self.ty(value);
        self.leave_target();
        if !self.unify(&Ty::unit(), &ty) {
            let shown = self.show(&ty);
            let body_loc = match &written.body.kind {
                ast::ExprKind::Block(block) => {
                    block.tail.as_ref().map_or(block.loc, |tail| tail.loc)
                }
                _ => written.body.loc,
            };
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    body_loc,
                    format!("the body of a loop has no value, found `{shown}`"),
                )
                .help("end the line with `;`, or write `parallel(..).map(|i| ..).reduce(0.0, |a, b| a + b)` for a result"),
            );
        }
        let block = Block {
            stmts: vec![Stmt::Expr(value)],
            tail: None,
        };
        let id = self.push(
            ExprKind::Breakable(target, block),
            Ty::unit(),
            written.body.loc,
        );
        (id, Ty::unit())
    }

    /// Reports assignments to variables declared outside of the loop.
    fn outer_assignments(&mut self, body: ExprId, first_own: usize) {
        let mut assignments: Vec<(LocalId, Loc)> = Vec::new();
        each_expr(&self.exprs, body, &mut |_, expr: &Expr| {
            if let ExprKind::Assign(local, _) = expr.kind
                && local.index() < first_own
            {
                assignments.push((local, expr.loc));
            }
        });
        for (local, assign_loc) in assignments {
            let (name, declared) = {
                let local = &self.locals[local.index()];
                (local.name.clone(), local.loc)
            };
            self.error(
                Diagnostic::error(
                    Code::Immutable,
                    assign_loc,
                    format!("an iteration of a parallel loop cannot assign `{name}`"),
                )
                .label(declared, format!("`{name}` is declared outside of the loop"))
                .note("iterations run in any order, also at the same time")
                .help(format!(
                    "combine what the iterations give: write `let {name} = parallel(..).map(|i| ..).reduce(init, |a, b| ..);`"
                )),
            );
        }
    }

    /// Checks how two values are combined, component by component; `None` after an error.
    fn parallel_combination(
        &mut self,
        reduction: &ast::Reduction,
        init: ExprId,
        value: &Ty,
    ) -> Option<Vec<Combination>> {
        let expected = self.ty(init);
        if expected.is_error() || value.is_error() {
            return None;
        }
        if !self.unify(&expected, value) {
            let (from, to) = (self.show(&expected), self.show(value));
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    reduction.init.loc,
                    format!("the first value is `{from}`, and the iterations give `{to}`"),
                )
                .help(format!(
                    "write a first value of type `{to}`, which changes nothing when it is combined"
                )),
            );
            return None;
        }
        let expected = self.resolve(&expected);
        let parts: Vec<Ty> = match &expected {
            Ty::Tuple(parts) => parts.clone(),
            one => vec![one.clone()],
        };
        if let Some(bad) = parts.iter().find(|part| part.number().is_none()) {
            let shown = self.show(bad);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    reduction.init.loc,
                    format!("iterations combine numbers and tiles, found `{shown}`"),
                )
                .help("write a number, a tile, or a tuple of them"),
            );
            return None;
        }
        let mark = self.scopes.enter();
        let first_own = self.locals.len();
        let tuple = matches!(expected, Ty::Tuple(_));
        let left = self.combined_names(&reduction.left, &parts, tuple);
        let right = self.combined_names(&reduction.right, &parts, tuple);
        let combined = self.expr(&reduction.value);
        self.scopes.leave(mark);
        let (left, right) = (left?, right?);
        let fits = self.expect(&expected, (combined, &reduction.value), || {
            "two values are combined into one of their type".to_owned()
        });
        if !fits {
            return None;
        }
        let values = self.combined_parts(combined, tuple, parts.len());
        let mut components = Vec::new();
        for (index, value) in values.iter().enumerate() {
            let Some(value) = *value else {
                self.error(
                    Diagnostic::error(
                        Code::UnsupportedSyntax,
                        reduction.value.loc,
                        "a tuple is combined part by part",
                    )
                    .help(
                        "write the tuple in the closure, as in `|(a, b), (c, d)| (a + c, b + d)`",
                    ),
                );
                return None;
            };
            let params = [left[index], right[index]];
            if !self.stays_inside((value, &reduction.value), params, first_own) {
                return None;
            }
            components.push(Combination {
                left: left[index],
                right: right[index],
                value,
            });
        }
        Some(components)
    }

    /// Returns the values of the components, looking through blocks without statements.
    fn combined_parts(&self, id: ExprId, tuple: bool, parts: usize) -> Vec<Option<ExprId>> {
        if !tuple {
            return vec![Some(id)];
        }
        match &self.exprs[id.index()].kind {
            ExprKind::Tuple(values) => values.iter().copied().map(Some).collect(),
            ExprKind::Block(Block {
                stmts,
                tail: Some(tail),
            }) if stmts.is_empty() => self.combined_parts(*tail, tuple, parts),
            _ => vec![None; parts],
        }
    }

    fn combined_names(&mut self, pat: &Pat, parts: &[Ty], tuple: bool) -> Option<Vec<LocalId>> {
        let patterns: Vec<&Pat> = match pat {
            Pat::Tuple(patterns, _) if tuple && patterns.len() == parts.len() => {
                patterns.iter().collect()
            }
            other if !tuple => vec![other],
            other => {
                let names: Vec<&str> = vec!["_"; parts.len()];
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        other.loc(),
                        format!("a tuple of {} values is taken apart here", parts.len()),
                    )
                    .help(format!("write a pattern such as `({})`", names.join(", "))),
                );
                return None;
            }
        };
        let mut locals = Vec::new();
        for (pat, ty) in patterns.into_iter().zip(parts) {
            locals.push(match pat {
                Pat::Name { name, mutable } => self.declare(name, ty.clone(), *mutable),
                Pat::Wild(wild_loc) => self.new_local("_", ty.clone(), false, *wild_loc),
                other => {
                    self.error(
                        Diagnostic::error(
                            Code::UnsupportedSyntax,
                            other.loc(),
                            "a combined value has a name",
                        )
                        .help("write a name"),
                    );
                    return None;
                }
            });
        }
        Some(locals)
    }

    /// Checks that a component of a combination depends only on its own two values and on
    /// constants, and has no effects; `false` after an error.
    fn stays_inside(
        &mut self,
        (value, written): (ExprId, &ast::Expr),
        params: [LocalId; 2],
        first_own: usize,
    ) -> bool {
        let mut bound: BTreeSet<LocalId> = params.into_iter().collect();
        let mut error: Option<(Loc, Option<LocalId>)> = None;
        let exprs = &self.exprs;
        each_expr(exprs, value, &mut |_, expr| {
            if let ExprKind::Block(block) = &expr.kind {
                for stmt in &block.stmts {
                    if let Stmt::Bind(local, _) | Stmt::Declare(local) = stmt {
                        bound.insert(*local);
                    }
                }
            }
        });
        let locals = &self.locals;
        each_expr(exprs, value, &mut |_, expr| match &expr.kind {
            ExprKind::Local(local)
                if !bound.contains(local) && locals[local.index()].constant.is_none() =>
            {
                error = error.or(Some((expr.loc, Some(*local))));
            }
            ExprKind::Load(..) | ExprKind::Store(..) | ExprKind::Memory(_) => {
                error = error.or(Some((expr.loc, None)));
            }
            ExprKind::Parallel(_) => error = error.or(Some((expr.loc, None))),
            _ => {}
        });
        let Some((use_loc, local)) = error else {
            return true;
        };
        let message = match local {
            Some(local) if local.index() >= first_own => {
                let name = &self.locals[local.index()].name;
                format!(
                    "`{name}` belongs to another part of the tuple, and parts are combined one by one"
                )
            }
            Some(local) => {
                let name = &self.locals[local.index()].name;
                format!("the closure of `reduce` cannot use the variable `{name}`")
            }
            None => "the closure of `reduce` cannot access memory".to_owned(),
        };
        let use_loc = if use_loc.is_unknown() {
            written.loc
        } else {
            use_loc
        };
        self.error(
            Diagnostic::error(Code::UnsupportedSyntax, use_loc, message)
                .note("values are combined in any order and by any block")
                .help("use the two values and constants only, and do the rest in `map` or after the loop"),
        );
        false
    }
}

/// Returns the parallel loop that becomes the grid: the first one directly in the body.
pub(super) fn outermost(kernel: &Kernel) -> Option<ExprId> {
    fn first(kernel: &Kernel, block: &Block) -> Option<ExprId> {
        let values = block.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Bind(_, value) | Stmt::Expr(value) => Some(*value),
            Stmt::Declare(_) => None,
        });
        values.chain(block.tail).find_map(|id| inside(kernel, id))
    }
    fn inside(kernel: &Kernel, id: ExprId) -> Option<ExprId> {
        match &kernel.expr(id).kind {
            ExprKind::Parallel(_) => Some(id),
            ExprKind::Block(block) => first(kernel, block),
            ExprKind::If(..)
            | ExprKind::For { .. }
            | ExprKind::Loop(..)
            | ExprKind::Breakable(..)
            | ExprKind::ShortCircuit(..) => None,
            kind => kind.parts().into_iter().find_map(|part| match part {
                crate::hir::walk::Part::Expr(part) => inside(kernel, part),
                crate::hir::walk::Part::Block(_) => None,
            }),
        }
    }
    first(kernel, &kernel.body)
}

/// The position of code relative to the loop that becomes the grid.
#[derive(Clone, Copy)]
enum Side {
    Before,
    From,
}

/// Returns whether an operation loads from memory, and whether it stores.
fn accesses(kind: &ExprKind) -> (bool, bool) {
    match kind {
        ExprKind::Load(..) => (true, false),
        ExprKind::Store(..) => (false, true),
        ExprKind::Memory(memory) => match memory.touches() {
            Touch::Load(_) | Touch::LoadPointer => (true, false),
            Touch::Store(_) | Touch::StorePointer => (false, true),
            Touch::Nothing => (false, false),
        },
        _ => (false, false),
    }
}

/// Reports operations that a kernel whose loop becomes the grid cannot contain.
pub(super) fn check(kernel: &Kernel, diagnostics: &mut Diagnostics) {
    if let Some(parallel) = outermost(kernel) {
        refuse_block_ids(kernel, parallel, diagnostics);
        refuse_early_accesses(kernel, parallel, diagnostics);
    }
}

/// Reports uses of the number of the block or of the size of the grid.
fn refuse_block_ids(kernel: &Kernel, parallel: ExprId, diagnostics: &mut Diagnostics) {
    let loop_loc = kernel.expr(parallel).loc;
    each_in_block(&kernel.exprs, &kernel.body, &mut |_, expr| {
        let name = match expr.kind {
            ExprKind::BlockId(_) => "block_id",
            ExprKind::NumBlocks(_) => "num_blocks",
            _ => return,
        };
        diagnostics.error(
            Diagnostic::error(
                Code::Flatten,
                expr.loc,
                format!("`{name}` cannot be used beside a parallel loop that becomes the grid"),
            )
            .label(
                loop_loc,
                "the iterations of this loop are shared out over the blocks",
            )
            .note("such a kernel says what is done once, whatever the grid")
            .help("use the variable of the loop, or write a plain `for` loop"),
        );
    });
}

/// Reports stores before the loop, and loads before it whose data may have been stored to already: every
/// block runs that code.
fn refuse_early_accesses(kernel: &Kernel, parallel: ExprId, diagnostics: &mut Diagnostics) {
    let loop_loc = kernel.expr(parallel).loc;
    let mut side = Side::Before;
    let mut stores: Option<Loc> = None;
    let mut loads: Vec<(ExprId, Loc)> = Vec::new();
    let mut nested: BTreeSet<ExprId> = BTreeSet::new();
    let (mut behind, mut inside) = (false, false);
    each_expr(&kernel.exprs, parallel, &mut |_, expr| {
        inside |= accesses(&expr.kind).1;
    });
    each_in_block(&kernel.exprs, &kernel.body, &mut |id, expr| {
        if id == parallel {
            side = Side::From;
        }
        let (load, store) = accesses(&expr.kind);
        match side {
            Side::Before if store => stores = stores.or(Some(expr.loc)),
            Side::Before if load => loads.push((id, expr.loc)),
            Side::Before => {
                if matches!(
                    expr.kind,
                    ExprKind::If(..)
                        | ExprKind::For { .. }
                        | ExprKind::Loop(..)
                        | ExprKind::Breakable(..)
                        | ExprKind::ShortCircuit(..)
                ) {
                    each_expr(&kernel.exprs, id, &mut |part, _| {
                        nested.insert(part);
                    });
                }
            }
            Side::From => behind |= store,
        }
    });
    let early = |(id, _): &&(ExprId, Loc)| inside || (behind && nested.contains(id));
    if let Some(&(_, loc)) = loads.iter().find(early).filter(|_| stores.is_none()) {
        diagnostics.error(
            Diagnostic::error(
                Code::Flatten,
                loc,
                "this cannot be loaded before a parallel loop that becomes the grid",
            )
            .label(loop_loc, "the iterations of this loop are shared out over the blocks")
            .note("every block runs the code before the loop, and another one may have stored already")
            .help("load in the loop"),
        );
    }
    if let Some(loc) = stores {
        diagnostics.error(
            Diagnostic::error(
                Code::Flatten,
                loc,
                "nothing can be stored before a parallel loop that becomes the grid",
            )
            .label(
                loop_loc,
                "the iterations of this loop are shared out over the blocks",
            )
            .note("every block runs the code before the loop")
            .help("store in the loop or after it, or in a kernel of its own"),
        );
    }
}
