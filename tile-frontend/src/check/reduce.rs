//! Checks reductions and scans, by name and by closure.
//!
//! A closure is checked in place: its parameters are new variables, and once all types are known
//! [`Checker::combiner`] checks its expressions. It computes with numbers, uses no outer variable,
//! and has no effect, so that its calls can happen in any order.

use super::calls::FunctionCall;
use super::math::MethodCall;
use super::types::Operand;
use super::{Checker, Operator};
use crate::hir::signature::HostScalar;
use crate::hir::tile_op::FoldForm;
use crate::hir::{
    Block, Direction, Elem, ExprId, ExprKind, Fold, LocalId, ReduceOp, RoundedOp, Stmt, TileOp, Ty,
};
use crate::parse::ast::{self, BinaryOp};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// A call of `reduce` or `scan` with a closure.
struct FoldCall<'e> {
    form: FoldForm,
    scan: Option<Direction>,
    operands: Vec<Operand<'e>>,
    axis: &'e ast::Expr,
    init: &'e ast::Expr,
    closure: &'e ast::Expr,
    loc: Loc,
}

impl Checker<'_> {
    /// Checks a reduction by name.
    pub(super) fn reduction(&mut self, op: ReduceOp, call: &MethodCall<'_>) -> Option<ExprId> {
        let make_reduction = |value, axis| ExprKind::Reduce(op, value, axis);
        self.along_axis(call, call.receiver, make_reduction)
    }

    /// Checks a scan by name.
    pub(super) fn prefix_scan(
        &mut self,
        op: ReduceOp,
        direction: Direction,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        let make_scan = |value, axis| ExprKind::Op(TileOp::Scan(op, value, axis, direction));
        self.along_axis(call, call.receiver, make_scan)
    }

    /// Checks `x.sum_as::<i32>(0)` and similar methods.
    pub(super) fn reduction_as(&mut self, op: ReduceOp, call: &MethodCall<'_>) -> Option<ExprId> {
        let receiver = self.converted(call)?;
        let make_reduction = |value, axis| ExprKind::Reduce(op, value, axis);
        self.along_axis(call, receiver, make_reduction)
    }

    /// Checks `x.cumsum_as::<i32>(0)` and similar methods.
    pub(super) fn prefix_scan_as(
        &mut self,
        op: ReduceOp,
        direction: Direction,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        let receiver = self.converted(call)?;
        let make_scan = |value, axis| ExprKind::Op(TileOp::Scan(op, value, axis, direction));
        self.along_axis(call, receiver, make_scan)
    }

    /// Converts the elements of the receiver to the type argument before they are combined, so that
    /// the reduction can use a wider type than the tile.
    fn converted<'e>(&mut self, call: &MethodCall<'e>) -> Option<Operand<'e>> {
        let target = self.target(&call.callee(), call)?;
        let ty = self.ty(call.receiver.0);
        let (_, shape) = ty.number()?;
        let kind = ExprKind::Cast(call.receiver.0);
        let converted = self.typed(kind, Elem::Known(target), shape, call);
        Some((converted, call.receiver.1))
    }

    /// Checks `x.reduce(axis, init, |a, b| ..)` and the scans.
    pub(super) fn fold_method(
        &mut self,
        scan: Option<Direction>,
        call: &MethodCall<'_>,
    ) -> Option<ExprId> {
        let [axis, init, closure] = self.method_arguments::<3>(call)?;
        self.fold(&FoldCall {
            form: FoldForm::Single,
            scan,
            operands: vec![call.receiver],
            axis,
            init,
            closure,
            loc: call.loc,
        })
    }

    /// Checks a method that combines the elements of `receiver` along an axis.
    pub(super) fn along_axis(
        &mut self,
        call: &MethodCall<'_>,
        receiver: Operand<'_>,
        make_op: impl FnOnce(ExprId, usize) -> ExprKind,
    ) -> Option<ExprId> {
        let [axis] = self.method_arguments::<1>(call)?;
        let ty = self.ty(receiver.0);
        let (elem, shape) = ty.number()?;
        let axis = self.axis(axis, shape.len(), "the tile")?;
        let kind = make_op(receiver.0, axis);
        let mut left = shape.to_vec();
        left.remove(axis);
        let ty = match &kind {
            ExprKind::Op(TileOp::Scan(..)) => ty.clone(),
            ExprKind::Op(TileOp::Arg(..)) => Ty::from_shape(Elem::Known(HostScalar::I32), &left),
            _ => Ty::from_shape(elem, &left),
        };
        let expr = self.push(kind, ty, call.loc);
        let text = ast::operand_text(receiver.1);
        self.operators.push(Operator { expr, text });
        Some(expr)
    }

    /// Checks `reduce((x, y), axis, (i, j), |(a, b), (c, d)| (.., ..))` and the scans.
    pub(super) fn fold_function(
        &mut self,
        scan: Option<Direction>,
        call: &FunctionCall<'_>,
    ) -> Option<ExprId> {
        let loc = call.loc;
        let [tiles, axis, init, closure] = self.function_arguments::<4>(call)?;
        let (form, written) = match &tiles.kind {
            ast::ExprKind::Tuple(items) => (FoldForm::Tuple, items.as_slice()),
            _ => (FoldForm::Single, std::slice::from_ref(tiles)),
        };
        if written.is_empty() {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    tiles.loc,
                    format!("`{}` combines at least one tile", call.name.text),
                )
                .help(format!("write `{}`", call.usage)),
            );
            return None;
        }
        let operands = written.iter().map(|tile| (self.expr(tile), tile)).collect();
        self.fold(&FoldCall {
            form,
            scan,
            operands,
            axis,
            init,
            closure,
            loc,
        })
    }

    fn fold(&mut self, call: &FoldCall<'_>) -> Option<ExprId> {
        let mut elems = Vec::new();
        let mut shape: Option<Vec<i64>> = None;
        for &(id, written) in &call.operands {
            let (elem, tile_shape) = match self.ty(id) {
                Ty::Tile(elem, tile_shape) => (elem, tile_shape),
                ty if ty.is_error() => return None,
                ty => {
                    let message = format!("a reduction combines tiles, found `{}`", self.show(&ty));
                    self.error(
                        Diagnostic::error(Code::TypeMismatch, written.loc, message)
                            .help(self.load_help(&ty, written)),
                    );
                    return None;
                }
            };
            elems.push(elem);
            if let Some(first) = &shape
                && *first != tile_shape
            {
                let message = "tiles that are combined together have one shape";
                let diagnostic = self.label_operands(
                    Diagnostic::error(Code::ShapeMismatch, written.loc, message),
                    &call.operands,
                );
                self.error(
                    diagnostic.help(
                        "write `.unsqueeze(..)` and `.broadcast([..])` until the shapes agree",
                    ),
                );
                return None;
            }
            shape = Some(tile_shape);
        }
        let shape = shape?;
        let axis = self.axis(call.axis, shape.len(), "the tile");
        let init = self.identities(call, &elems);
        let closure = self.closure(call, &elems);
        let (axis, init, (before, next, body)) = (axis?, init?, closure?);
        let mut left = shape;
        if call.scan.is_none() {
            left.remove(axis);
        }
        let mut types: Vec<Ty> = elems
            .iter()
            .map(|&elem| Ty::from_shape(elem, &left))
            .collect();
        let ty = match call.form {
            FoldForm::Single => types.remove(0),
            FoldForm::Tuple => Ty::Tuple(types),
        };
        let fold = Fold {
            scan: call.scan,
            operands: call.operands.iter().map(|&(id, _)| id).collect(),
            axis,
            init,
            before,
            next,
            body,
            form: call.form,
        };
        Some(self.push(ExprKind::Op(TileOp::Fold(Box::new(fold))), ty, call.loc))
    }

    /// Checks the initial values, one per operand.
    fn identities(&mut self, call: &FoldCall<'_>, elems: &[Elem]) -> Option<Vec<ExprId>> {
        let written: &[ast::Expr] = match (call.form, &call.init.kind) {
            (FoldForm::Tuple, ast::ExprKind::Tuple(items)) if items.len() == elems.len() => items,
            (FoldForm::Tuple, _) => {
                let wanted = elems.len();
                self.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        call.init.loc,
                        format!(
                            "the initial value is a tuple of {wanted}, found `{}`",
                            ast::text(call.init)
                        ),
                    )
                    .note("there is one per tile")
                    .help(format!("write a tuple of {wanted} constants")),
                );
                return None;
            }
            (FoldForm::Single, _) => std::slice::from_ref(call.init),
        };
        let mut ids = Vec::new();
        for (item, &elem) in written.iter().zip(elems) {
            let id = self.expr(item);
            if self.ty(id).is_error() {
                return None;
            }
            let fits = self.expect(&Ty::Scalar(elem), (id, item), || {
                "the initial value has the element type of the tile".to_owned()
            });
            if !fits {
                return None;
            }
            ids.push(id);
        }
        Some(ids)
    }

    fn closure(
        &mut self,
        call: &FoldCall<'_>,
        elems: &[Elem],
    ) -> Option<(Vec<LocalId>, Vec<LocalId>, Block)> {
        let closure = self.combining_closure(call)?;
        let mark = self.scopes.enter();
        let mut stmts = Vec::new();
        let mut sides = Vec::new();
        for (pat, annotation) in &closure.params {
            let (locals, value) = self.closure_param(call, elems);
            if let Some(annotation) = annotation {
                let expected = self.annotation(annotation);
                self.expect(&expected, (value, call.closure), || {
                    "the parameters of the closure are elements of the tiles".to_owned()
                });
            }
            self.bind(pat, value, &mut stmts);
            sides.push(locals);
        }
        let plain = |(pat, _): &(ast::Pat, Option<ast::Type>)| matches!(pat, ast::Pat::Name { .. });
        let takes_pairs = matches!(call.form, FoldForm::Tuple);
        if takes_pairs && closure.params.iter().all(plain) && !gives_tuple(&closure.body) {
            self.scopes.leave(mark);
            self.tuples_are_combined(call.closure.loc, elems.len());
            return None;
        }
        self.closures.push(self.open_targets.len());
        let result = self.expr(&closure.body);
        self.closures.pop();
        self.scopes.leave(mark);
        let expected = match call.form {
            FoldForm::Single => Ty::Scalar(elems[0]),
            FoldForm::Tuple => Ty::Tuple(elems.iter().map(|&elem| Ty::Scalar(elem)).collect()),
        };
        let fits = self.expect(&expected, (result, &closure.body), || {
            "the closure gives what it takes: the new combination".to_owned()
        });
        let next = sides.pop()?;
        let before = sides.pop()?;
        let body = Block {
            stmts,
            tail: Some(result),
        };
        fits.then_some((before, next, body))
    }

    /// Returns the closure of a call, which takes two parameters; `None` after an error.
    fn combining_closure<'e>(&mut self, call: &FoldCall<'e>) -> Option<&'e ast::Closure> {
        let usage = match call.form {
            FoldForm::Single => "|a, b| a + b",
            FoldForm::Tuple => "|(a, b), (c, d)| (a + c, b + d)",
        };
        let ast::ExprKind::Closure(closure) = &call.closure.kind else {
            if !matches!(call.closure.kind, ast::ExprKind::Error) {
                self.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        call.closure.loc,
                        format!("expected a closure, found `{}`", ast::text(call.closure)),
                    )
                    .help(format!("write a closure, as in `{usage}`")),
                );
            }
            return None;
        };
        if closure.params.len() != 2 {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    call.closure.loc,
                    format!(
                        "a closure that combines takes 2 parameters, found {}",
                        closure.params.len()
                    ),
                )
                .note("the first is what was combined so far, the second the next element")
                .help(format!("write `{usage}`")),
            );
            return None;
        }
        Some(closure)
    }

    /// Makes the variables for a parameter of a closure, one per tile. Returns them, and the value of the
    /// parameter.
    fn closure_param(&mut self, call: &FoldCall<'_>, elems: &[Elem]) -> (Vec<LocalId>, ExprId) {
        let loc = call.closure.loc;
        let locals: Vec<LocalId> = elems
            .iter()
            .map(|&elem| self.new_local("", Ty::Scalar(elem), false, loc))
            .collect();
        let parts: Vec<ExprId> = locals
            .iter()
            .zip(elems)
            .map(|(&local, &elem)| self.push(ExprKind::Local(local), Ty::Scalar(elem), loc))
            .collect();
        let value = match call.form {
            FoldForm::Single => parts[0],
            FoldForm::Tuple => {
                let ty = Ty::Tuple(elems.iter().map(|&elem| Ty::Scalar(elem)).collect());
                self.push(ExprKind::Tuple(parts), ty, loc)
            }
        };
        (locals, value)
    }

    /// Reports a closure that takes numbers where `count` tiles are combined.
    fn tuples_are_combined(&mut self, loc: Loc, count: usize) {
        let name = |first: char, index: usize| {
            char::from(first as u8 + u8::try_from(index).unwrap_or(0)).to_string()
        };
        let names = |first: char| {
            let names: Vec<String> = (0..count).map(|index| name(first, index)).collect();
            names.join(", ")
        };
        let second = char::from(b'a' + u8::try_from(count).unwrap_or(1));
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                loc,
                format!(
                    "{count} tiles are combined, and the parameters of the closure are tuples of {count} numbers"
                ),
            )
            .note("the closure takes two such tuples, and gives one")
            .help(format!(
                "take them apart, and give a tuple: write `|({}), ({})| (..)`",
                names('a'),
                names(second)
            )),
        );
    }

    /// Checks the closure of a fold, once all types are known.
    pub(super) fn combiner(&mut self, id: ExprId) {
        let ExprKind::Op(TileOp::Fold(fold)) = &self.exprs[id.index()].kind else {
            return;
        };
        // Variables of the closure were created after the outer variables, so they have larger
        // handles.
        let first = fold.before[0];
        let init = fold.init.clone();
        let mut work = Vec::new();
        block_children(&fold.body, &mut work);
        for one in init {
            self.identity(one);
        }
        while let Some(inner) = work.pop() {
            if !self.combines(inner, first) {
                continue;
            }
            match &self.exprs[inner.index()].kind {
                ExprKind::Unary(_, a)
                | ExprKind::Cast(a)
                | ExprKind::Field(a, _)
                | ExprKind::Assign(_, a) => work.push(*a),
                ExprKind::Binary(_, a, b) | ExprKind::ShortCircuit(_, a, b) => {
                    work.extend([*a, *b]);
                }
                ExprKind::Select(a, b, c) => work.extend([*a, *b, *c]),
                ExprKind::Math(_, args) | ExprKind::Tuple(args) => work.extend(args),
                ExprKind::Op(op) => work.extend(op.children()),
                ExprKind::Block(block) => block_children(block, &mut work),
                ExprKind::If(cond, then, other) => {
                    work.push(*cond);
                    block_children(then, &mut work);
                    if let Some(other) = other {
                        block_children(other, &mut work);
                    }
                }
                _ => {}
            }
        }
    }

    /// Checks that an expression is allowed in a closure; `false` after an error.
    fn combines(&mut self, id: ExprId, first: LocalId) -> bool {
        let expr = &self.exprs[id.index()];
        let loc = expr.loc;
        if let ExprKind::Local(local) | ExprKind::Assign(local, _) = expr.kind
            && local.index() < first.index()
        {
            self.captured(id, local);
            return false;
        }
        let integers = self.element_of(id).is_some_and(HostScalar::is_integer);
        let error = match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Unary(..)
            | ExprKind::ShortCircuit(..)
            | ExprKind::Cast(_)
            | ExprKind::Select(..)
            | ExprKind::Tuple(_)
            | ExprKind::Field(..)
            | ExprKind::Block(_)
            | ExprKind::If(..)
            | ExprKind::Assign(..)
            | ExprKind::Op(
                TileOp::CastWith(..)
                | TileOp::SaturatingCast(_)
                | TileOp::SinCos(_)
                | TileOp::BitCast(_)
                | TileOp::Unchecked(..)
                | TileOp::UncheckedShift(..)
                | TileOp::Philox { .. }
                | TileOp::Random(..),
            ) => None,
            ExprKind::Error => return false,
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..)
            | ExprKind::Op(TileOp::Rounded(RoundedOp::Div, ..))
                if integers =>
            {
                Some(DIVISION)
            }
            ExprKind::Math(op, _) if op.divides() && integers => Some(DIVISION),
            ExprKind::Binary(..) | ExprKind::Math(..) | ExprKind::Op(TileOp::Rounded(..)) => None,
            _ => Some((
                "this",
                "the closure of a reduction computes with numbers and has no effect: it runs in any order, and not once for each element",
                "move it out of the closure",
            )),
        };
        let is_tile = matches!(expr.ty, Ty::Tile(..));
        let error = error.or_else(|| {
            is_tile.then_some((
                "a tile",
                "the closure of a reduction combines single numbers",
                "compute with the parameters of the closure, which are numbers",
            ))
        });
        let Some((what, rule, cure)) = error else {
            return true;
        };
        self.error(
            Diagnostic::error(
                Code::UnsupportedSyntax,
                loc,
                format!("{what} cannot be used in the closure of a reduction"),
            )
            .note(rule)
            .help(cure),
        );
        false
    }

    /// Replaces an outer constant by its value, and reports any other outer variable.
    fn captured(&mut self, id: ExprId, local: LocalId) {
        use crate::hir::Const;
        let is_read = matches!(self.exprs[id.index()].kind, ExprKind::Local(_));
        match self.locals[local.index()].constant.filter(|_| is_read) {
            Some(Const::Int(value)) => self.exprs[id.index()].kind = ExprKind::Int(value),
            Some(Const::Bool(value)) => self.exprs[id.index()].kind = ExprKind::Bool(value),
            None => {
                if let Some(value) = self.float_constant(id).filter(|_| is_read) {
                    self.exprs[id.index()].kind = ExprKind::Float(value);
                    return;
                }
                let (loc, local) = (self.loc(id), &self.locals[local.index()]);
                let (name, declared) = (local.name.clone(), local.loc);
                self.error(
                    Diagnostic::error(
                        Code::NotConstant,
                        loc,
                        format!("the closure of a reduction cannot use the variable `{name}`"),
                    )
                    .label(declared, format!("`{name}` is a variable of the kernel"))
                    .note("the closure sees its parameters, literals and constants")
                    .help(format!(
                        "apply `{name}` to the tile before or after the reduction, or make it a const parameter"
                    )),
                );
            }
        }
    }

    /// Checks that an initial value is constant.
    fn identity(&mut self, id: ExprId) {
        use crate::hir::Const;
        let literal = match (self.constant(id), self.float_constant(id)) {
            (Some(Const::Int(value)), _) => Some(ExprKind::Int(value)),
            (Some(Const::Bool(value)), _) => Some(ExprKind::Bool(value)),
            (None, Some(value)) => Some(ExprKind::Float(value)),
            (None, None) => None,
        };
        if let Some(literal) = literal {
            self.exprs[id.index()].kind = literal;
            return;
        }
        let loc = self.loc(id);
        if matches!(self.exprs[id.index()].kind, ExprKind::Error) {
            return;
        }
        self.error(
            Diagnostic::error(
                Code::NotConstant,
                loc,
                "the initial value of a reduction must be known at compile time",
            )
            .note("it is the value that changes nothing, such as `0.0` for a sum and `f32::NEG_INFINITY` for a maximum")
            .help("write it as a literal or constant, and combine other values with the result"),
        );
    }
}

/// Returns `true` if the syntax of an expression allows a tuple, that is, if the expression is not
/// arithmetic.
fn gives_tuple(body: &ast::Expr) -> bool {
    match &body.kind {
        ast::ExprKind::Binary(..)
        | ast::ExprKind::Unary(..)
        | ast::ExprKind::Method { .. }
        | ast::ExprKind::Int(..)
        | ast::ExprKind::Float(..)
        | ast::ExprKind::Cast(..) => false,
        ast::ExprKind::Block(block) => block.tail.as_deref().is_some_and(gives_tuple),
        _ => true,
    }
}

const DIVISION: (&str, &str, &str) = (
    "an integer division",
    "the closure runs also where its result is not needed, and a division by zero is undefined",
    "divide the tile before or after the reduction",
);

fn block_children(block: &Block, into: &mut Vec<ExprId>) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Bind(_, value) | Stmt::Expr(value) => into.push(*value),
            Stmt::Declare(_) => {}
        }
    }
    into.extend(block.tail);
}
