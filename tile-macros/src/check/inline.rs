//! Inlines calls of functions. Each call checks the body anew, with the types of its arguments.
//!
//! Arguments are evaluated once, in order, before the body. An error in a body is reported at its
//! own token, with the calls that led there.

use super::Checker;
use super::expectation::Place;
use super::items::Owner;
use super::types::{Kind, Operand};
use crate::hir::signature::HostScalar;
use crate::hir::{Block, Const, Elem, ExprId, ExprKind, Touch, Ty, Value};
use crate::parse::ast::{self, GenericArg, Name, Pat};
use crate::parse::library::{Constness, Def, Function, Generic, Receiver, Safety};
use std::collections::BTreeSet;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// An item that is being checked at a use.
#[derive(Clone)]
struct Open {
    name: String,
    /// The location of its declaration, which identifies the item.
    declared: Loc,
    /// The location of the use.
    used: Loc,
    /// The index of its first expression.
    first: usize,
}

/// Expressions that come from an item, and the calls that led there.
struct Inlined {
    first: usize,
    end: usize,
    way: Vec<Open>,
}

/// The items that are being inlined, and the items that have been inlined.
#[derive(Default)]
pub(super) struct Calls {
    open: Vec<Open>,
    inlined: Vec<Inlined>,
    /// The index of the expression that `finish` examines.
    current: Option<usize>,
    /// Calls of `const fn`.
    constant: BTreeSet<usize>,
    /// Errors in bodies; each is reported for one call only.
    reported: BTreeSet<(&'static str, u32, String)>,
}

impl Calls {
    /// Enters an item.
    pub(super) fn open(&mut self, name: &Name, used: Loc, first: usize) {
        self.open.push(Open {
            name: name.text.clone(),
            declared: name.loc,
            used,
            first,
        });
    }

    /// Leaves the innermost item.
    pub(super) fn close(&mut self, end: usize) {
        let way = self.open.clone();
        if let Some(open) = self.open.pop() {
            let first = open.first;
            self.inlined.push(Inlined { first, end, way });
        }
    }

    /// Returns `true` if the item with this declaration is being checked.
    pub(super) fn is_open(&self, declared: Loc) -> bool {
        self.open.iter().any(|open| open.declared == declared)
    }

    /// Returns `true` if an expression is a call of a `const fn`.
    pub(super) fn is_constant(&self, id: ExprId) -> bool {
        self.constant.contains(&id.index())
    }

    /// Sets the expression that `finish` examines.
    pub(super) fn look_at(&mut self, id: ExprId) {
        self.current = Some(id.index());
    }

    /// Returns the names from an open item to the innermost one.
    fn way_from(&self, declared: Loc) -> Vec<String> {
        self.open
            .iter()
            .skip_while(|open| open.declared != declared)
            .map(|open| open.name.clone())
            .collect()
    }

    /// Adds the calls that led to a diagnostic; `None` if it has been reported for another call.
    pub(super) fn explain(&mut self, diagnostic: Diagnostic) -> Option<Diagnostic> {
        let way: &[Open] = if !self.open.is_empty() {
            &self.open
        } else if let Some(call) = self.current {
            // Calls are closed from the inside out, so the first one that contains the expression
            // is the innermost.
            let around = |inlined: &&Inlined| inlined.first <= call && call < inlined.end;
            self.inlined
                .iter()
                .find(around)
                .map_or(&[], |inlined| &inlined.way)
        } else {
            &[]
        };
        if way.is_empty() {
            return Some(diagnostic);
        }
        let key = (
            diagnostic.code.as_str(),
            diagnostic.primary.loc.tag(),
            diagnostic.message.clone(),
        );
        if !self.reported.insert(key) {
            return None;
        }
        let mut diagnostic = diagnostic;
        for open in way.iter().rev() {
            diagnostic = diagnostic.label(open.used, format!("`{}` is used here", open.name));
        }
        Some(diagnostic)
    }
}

/// A function call and its arguments.
pub(super) struct Call<'e> {
    /// The last segment of the path as written.
    pub(super) name: &'e Name,
    /// The struct that the function belongs to, as far as the call states it.
    pub(super) this: Option<Owner>,
    /// The expected type of the value.
    pub(super) wanted: Option<Ty>,
    /// The generic arguments after `::`.
    pub(super) generics: &'e [GenericArg],
    /// The receiver of a method.
    pub(super) receiver: Option<Operand<'e>>,
    /// The arguments between the parentheses.
    pub(super) args: &'e [ast::Expr],
    /// The location of the whole call.
    pub(super) loc: Loc,
}

impl Checker<'_> {
    /// Returns `true` while the body of a function that a kernel calls is checked.
    pub(super) fn is_inlining(&self) -> bool {
        !self.calls.open.is_empty()
    }

    /// Checks a call of one of the author's functions; `None` if no function has that name.
    pub(super) fn item_call(
        &mut self,
        path: &[Name],
        place: Place<'_>,
        generics: &[GenericArg],
        args: &[ast::Expr],
        loc: Loc,
    ) -> Option<ExprId> {
        let name = path.last()?;
        if path.len() == 1 && self.scopes.value(&name.text).is_some() {
            return None;
        }
        let (def, this) = self.item_of_path(path, place.owner)?;
        match def {
            Def::Function(index) => {
                let library = self.library;
                let call = Call {
                    name,
                    this,
                    wanted: place.wanted,
                    generics,
                    receiver: None,
                    args,
                    loc,
                };
                Some(self.inline(&library.functions[index], &call))
            }
            Def::Invalid => {
                for arg in args {
                    self.expr(arg);
                }
                Some(self.poison(loc))
            }
            Def::Constant(_) | Def::Alias(_) | Def::Struct(_) => {
                self.error(
                    Diagnostic::error(
                        Code::UnknownName,
                        name.loc,
                        format!("`{}` is no function", name.text),
                    )
                    .help("write it without the parentheses"),
                );
                Some(self.poison(loc))
            }
        }
    }

    /// Replaces a call with the body of the function.
    pub(super) fn inline(&mut self, function: &Function, call: &Call<'_>) -> ExprId {
        let name = &function.name;
        if self.calls.is_open(name.loc) {
            self.recursion(function, call);
            return self.poison(call.loc);
        }
        // The caller evaluates the arguments, once and in order.
        let mut values: Vec<Operand<'_>> = call.receiver.into_iter().collect();
        for arg in call.args {
            let id = match self.parameter_type(function, call, &values, arg) {
                Some(ty) => self.expr_as(arg, &ty),
                None => self.expr(arg),
            };
            values.push((id, arg));
        }
        if values.len() != function.params.len() {
            self.wrong_count(function, call);
            return self.poison(call.loc);
        }
        let Some(bindings) = self.bindings(function, call, &values) else {
            return self.poison(call.loc);
        };
        let saved = self.enter_item(function.scope);
        self.bind_generics(&function.generics, &bindings);
        if let Some(owner) = &function.owner {
            let this = self.annotation(owner);
            self.scopes.set_this(this);
        }
        let mut stmts = Vec::new();
        let mut fits = true;
        let mut shared = Vec::new();
        for ((pat, ty), value) in function.params.iter().zip(&values) {
            fits &= self.argument(function, pat, ty, *value);
            if let (ast::Type::Tensor { mutable: false, .. }, Ty::Tensor(tensor)) =
                (ty, self.ty(value.0))
            {
                let name = match pat {
                    Pat::Name { name, .. } => name.text.as_str(),
                    _ => "_",
                };
                let declared = format!(
                    "{name}: &mut Tensor<{}, {}>",
                    tensor.element.name(),
                    tensor.rank
                );
                shared.push((tensor.param, declared));
            }
        }
        fits = fits && self.borrows(function, &values);
        if !fits {
            // Errors in the body that result from wrong arguments would not help.
            self.leave_item(saved);
            return self.poison(call.loc);
        }
        self.calls.open(name, call.name.loc, self.exprs.len());
        let first = self.exprs.len();
        let safety = match function.safety {
            Safety::Safe => super::pointers::Function::Safe,
            Safety::Unsafe => super::pointers::Function::Unsafe,
        };
        let vouched = self.enter_body(safety, call.name);
        for ((pat, _), (id, _)) in function.params.iter().zip(&values) {
            self.bind(pat, *id, &mut stmts);
        }
        let output = self.annotation(&function.output);
        let target = self.enter_function(name, Some(output.clone()));
        let (body, ty) = self.block_as(&function.body, &output);
        self.leave_target();
        self.leave_body(vouched);
        self.result(function, &output, &body, &ty);
        self.check_stores(first, &shared);
        self.calls.close(self.exprs.len());
        self.leave_item(saved);
        stmts.extend(body.stmts);
        let block = Block {
            stmts,
            tail: body.tail,
        };
        let returns = self.exprs[first..]
            .iter()
            .any(|expr| matches!(expr.kind, ExprKind::Exit(exit, _) if exit == target));
        let kind = if returns {
            ExprKind::Breakable(target, block)
        } else {
            ExprKind::Block(block)
        };
        let diverges = ty == Ty::Never && !returns;
        let ty = if diverges { Ty::Never } else { output };
        let id = self.push(kind, ty, call.loc);
        match function.constness {
            Constness::Const => {
                self.calls.constant.insert(id.index());
            }
            Constness::Runtime => {}
        }
        id
    }

    /// Checks the value of a body against the declared type.
    fn result(&mut self, function: &Function, output: &Ty, body: &Block, ty: &Ty) {
        let name = &function.name.text;
        match (body.tail, function.body.tail.as_deref()) {
            (Some(id), Some(tail)) => {
                self.expect(output, (id, tail), || {
                    format!("`{name}` declares this type")
                });
            }
            _ if self.unify(output, ty) => {}
            _ => {
                let shown = self.show(output);
                self.error(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        function.name.loc,
                        format!("`{name}` gives no value, but declares `{shown}`"),
                    )
                    .help("end the body with the value, without `;`"),
                );
            }
        }
    }

    /// Returns the values of the generics of a function in a call; `None` after an error.
    fn bindings(
        &mut self,
        function: &Function,
        call: &Call<'_>,
        values: &[Operand<'_>],
    ) -> Option<Vec<Value>> {
        let own_generics = &function.generics[function.outer_generics..];
        let mut bound: Vec<Option<Value>> = vec![None; function.generics.len()];
        if call.generics.len() > own_generics.len() {
            let plural = if own_generics.len() == 1 {
                "parameter"
            } else {
                "parameters"
            };
            let mut diagnostic = Diagnostic::error(
                Code::BadArguments,
                call.name.loc,
                format!(
                    "`{}` has {} generic {plural}, found {}",
                    function.name.text,
                    own_generics.len(),
                    call.generics.len()
                ),
            );
            diagnostic = match &call.this {
                Some(owner) if call.generics.len() == owner.arguments.len() => {
                    let structure = &self.library.structs[owner.index].name.text;
                    let written = ast::generics_text(call.generics);
                    diagnostic
                        .note(format!("these are the generics of `{structure}`"))
                        .help(format!(
                            "write `{structure}::<{written}>::{}(..)`",
                            call.name.text
                        ))
                }
                _ => diagnostic.help("remove what is too much"),
            };
            self.error(diagnostic);
            return None;
        }
        for (i, (generic, argument)) in own_generics.iter().zip(call.generics).enumerate() {
            bound[function.outer_generics + i] = self.generic_argument(generic, argument).ok()?;
        }
        let types: Vec<Ty> = values.iter().map(|(id, _)| self.ty(*id)).collect();
        infer_call(function, call, &types, &mut bound);
        if let Some(wanted) = &call.wanted {
            let output = with_self(&function.output, function.owner.as_ref());
            infer(&output, wanted, &function.generics, &mut bound);
        }
        let poisoned = types.iter().any(Ty::is_error);
        let mut bindings = Vec::new();
        for (generic, value) in function.generics.iter().zip(bound) {
            match (value, generic) {
                (Some(value), _) => bindings.push(value),
                (None, Generic::Type(_)) => bindings.push(Value::Type(self.fresh(Kind::Any))),
                (None, Generic::Const(..)) if poisoned => return None,
                (None, Generic::Const(param, _)) => {
                    self.unknown_generic(function, call, param, values);
                    return None;
                }
            }
        }
        Some(bindings)
    }

    /// Reports a generic that does not follow from the call.
    fn unknown_generic(
        &mut self,
        function: &Function,
        call: &Call<'_>,
        param: &Name,
        values: &[Operand<'_>],
    ) {
        if self.argument_of_another_rank(function, values) {
            return;
        }
        let outer = &function.generics[..function.outer_generics];
        let own_generics = &function.generics[function.outer_generics..];
        let is_outer = outer
            .iter()
            .any(|generic| generic.name().text == param.text);
        let written = match &call.this {
            Some(owner) if is_outer => {
                let structure = &self.library.structs[owner.index];
                let names: Vec<String> = structure
                    .generics
                    .iter()
                    .zip(&owner.arguments)
                    .map(|(generic, argument)| match (argument, generic) {
                        (Some(Value::Type(elem)), _) => self.show_elem(*elem),
                        (Some(Value::Const(_, value)), _) => value.to_string(),
                        (None, Generic::Type(_)) => "f32".to_owned(),
                        (None, Generic::Const(_, HostScalar::Bool)) => "true".to_owned(),
                        (None, Generic::Const(..)) => "64".to_owned(),
                    })
                    .collect();
                format!(
                    "{}::<{}>::{}(..)",
                    structure.name.text,
                    names.join(", "),
                    call.name.text
                )
            }
            _ => {
                let names: Vec<&str> = own_generics
                    .iter()
                    .map(|generic| match generic {
                        Generic::Const(name, HostScalar::Bool) if name.text == param.text => "true",
                        Generic::Const(name, _) if name.text == param.text => "64",
                        Generic::Const(..) | Generic::Type(_) => "_",
                    })
                    .collect();
                format!("{}::<{}>(..)", call.name.text, names.join(", "))
            }
        };
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                call.name.loc,
                format!(
                    "the arguments do not say what `{}` of `{}` is",
                    param.text, function.name.text
                ),
            )
            .help(format!("write it: `{written}`")),
        );
    }

    /// Reports an argument tile whose rank differs from the rank of the parameter that would
    /// determine generics; `false` if no argument is such a tile.
    fn argument_of_another_rank(&mut self, function: &Function, values: &[Operand<'_>]) -> bool {
        for ((pat, declared), &(id, written)) in function.params.iter().zip(values) {
            let (ast::Type::Tile(_, dims, _), ty) = (declared, self.ty(id)) else {
                continue;
            };
            let (elem, rank) = match &ty {
                Ty::Tile(elem, shape) => (*elem, shape.len()),
                Ty::Scalar(elem) => (*elem, 0),
                _ => continue,
            };
            if rank == dims.len() {
                continue;
            }
            let dims: Vec<String> = dims.iter().map(ast::text).collect();
            let expected = format!("Tile<{}, [{}]>", self.show_elem(elem), dims.join(", "));
            let shown = self.show(&ty);
            let param = match pat {
                Pat::Name { name, .. } => format!("`{}` of `{}`", name.text, function.name.text),
                _ => format!("a parameter of `{}`", function.name.text),
            };
            let plural = if dims.len() == 1 { "axis" } else { "axes" };
            self.error(
                Diagnostic::error(
                    Code::RankMismatch,
                    written.loc,
                    format!("expected `{expected}`, found `{shown}`"),
                )
                .note(format!("{param} has this type"))
                .help(format!(
                    "pass a tile of {} {plural}, or write the function for tiles of {rank}",
                    dims.len()
                )),
            );
            return true;
        }
        false
    }

    /// Returns the declared type of the next argument, if the argument may depend on it and it
    /// follows from the preceding arguments.
    fn parameter_type(
        &mut self,
        function: &Function,
        call: &Call<'_>,
        before: &[Operand<'_>],
        argument: &ast::Expr,
    ) -> Option<Ty> {
        let (_, declared) = function.params.get(before.len())?;
        if !super::expectation::matters(argument) {
            return None;
        }
        let mut bound = vec![None; function.generics.len()];
        let types: Vec<Ty> = before.iter().map(|(id, _)| self.ty(*id)).collect();
        infer_call(function, call, &types, &mut bound);
        let values: Vec<Value> = bound.into_iter().collect::<Option<_>>()?;
        let saved = self.enter_item(function.scope);
        self.bind_generics(&function.generics, &values);
        if let Some(owner) = &function.owner {
            let this = self.annotation(owner);
            self.scopes.set_this(this);
        }
        let ty = match declared {
            ast::Type::Tensor { .. } | ast::Type::Partition(..) => None,
            declared => Some(self.annotation(declared)),
        };
        self.leave_item(saved);
        ty
    }

    /// Binds generics to their values in the scope of an item.
    pub(super) fn bind_generics(&mut self, generics: &[Generic], values: &[Value]) {
        for (generic, value) in generics.iter().zip(values) {
            match (generic, value) {
                (Generic::Type(name), Value::Type(elem)) => {
                    self.scopes.add_type(&name.text, *elem);
                }
                (Generic::Const(name, ty), Value::Const(_, value)) => {
                    self.scopes.add_const(&name.text, *ty, *value);
                }
                (Generic::Type(_), Value::Const(..)) | (Generic::Const(..), Value::Type(_)) => {
                    unreachable!("values are made for their generics")
                }
            }
        }
    }

    /// Evaluates a generic argument; `None` for `_`, `Err` after an error.
    pub(super) fn generic_argument(
        &mut self,
        generic: &Generic,
        argument: &GenericArg,
    ) -> Result<Option<Value>, ()> {
        match (generic, argument) {
            (_, GenericArg::Type(ast::Type::Infer)) => Ok(None),
            (_, GenericArg::Type(ast::Type::Error)) => Err(()),
            (Generic::Type(_), GenericArg::Type(ast::Type::Name(name))) => {
                let elem = self.open_element(name).ok_or(())?;
                Ok(Some(Value::Type(elem)))
            }
            (Generic::Const(_, ty), GenericArg::Const(value)) => {
                self.constant_argument(generic.name(), *ty, value)
            }
            (Generic::Const(param, ty), GenericArg::Type(ast::Type::Name(name)))
                if self.scopes.ty(&name.text).is_some() =>
            {
                self.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        name.loc,
                        format!("`{}` is a constant, found a type", param.text),
                    )
                    .help(format!(
                        "write a `{}`, such as `{}`",
                        ty.name(),
                        if *ty == HostScalar::Bool {
                            "true"
                        } else {
                            "64"
                        }
                    )),
                );
                Err(())
            }
            (Generic::Const(_, ty), GenericArg::Type(ast::Type::Name(name))) => {
                let value = ast::Expr {
                    kind: ast::ExprKind::Path(vec![name.clone()]),
                    loc: name.loc,
                };
                self.constant_argument(generic.name(), *ty, &value)
            }
            (Generic::Type(name), GenericArg::Const(value)) => {
                self.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        value.loc,
                        format!("`{}` is a type, found a constant", name.text),
                    )
                    .help("write an element type, such as `f32`"),
                );
                Err(())
            }
            (_, GenericArg::Type(_)) => {
                let name = generic.name();
                self.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        name.loc,
                        format!("`{}` cannot be this type", name.text),
                    )
                    .help("write an element type, such as `f32`, or a constant"),
                );
                Err(())
            }
        }
    }

    fn constant_argument(
        &mut self,
        name: &Name,
        ty: HostScalar,
        value: &ast::Expr,
    ) -> Result<Option<Value>, ()> {
        let id = self.expr(value);
        if self.ty(id).is_error() {
            return Err(());
        }
        let text = &name.text;
        if !self.expect(&Ty::scalar(ty), (id, value), || {
            format!("`{text}` has this type")
        }) {
            return Err(());
        }
        match self.constant(id) {
            Some(Const::Int(value)) => Ok(Some(Value::Const(ty, value))),
            Some(Const::Bool(value)) => Ok(Some(Value::Const(ty, i128::from(value)))),
            None => {
                self.error(
                    Diagnostic::error(
                        Code::NotConstant,
                        value.loc,
                        format!(
                            "`{text}` must be known at compile time, and `{}` is not",
                            ast::text(value)
                        ),
                    )
                    .help(format!(
                        "write a literal such as `{}`, a const parameter or arithmetic on these",
                        if ty == HostScalar::Bool { "true" } else { "64" }
                    )),
                );
                Err(())
            }
        }
    }

    /// Checks that an argument has the declared type of its parameter.
    fn argument(
        &mut self,
        function: &Function,
        pat: &Pat,
        declared: &ast::Type,
        value: Operand<'_>,
    ) -> bool {
        let ty = self.ty(value.0);
        if ty.is_error() {
            return false;
        }
        let param = match pat {
            Pat::Name { name, .. } => format!("`{}` of `{}`", name.text, function.name.text),
            _ => format!("a parameter of `{}`", function.name.text),
        };
        let wrong = match (declared, &ty) {
            (
                ast::Type::Tensor {
                    element,
                    rank,
                    mutable,
                    ..
                },
                Ty::Tensor(tensor),
            ) => {
                let element = self.element(element);
                let rank = self.rank(rank);
                (element != Some(tensor.element))
                    || rank.is_none_or(|rank| rank != tensor.rank)
                    || (*mutable && !tensor.mutable)
            }
            (ast::Type::Partition(element, dims, loc), Ty::Partition(partition)) => {
                let element = self.element(element);
                let shape = self.shape(dims, *loc);
                element != Some(partition.tensor.element) || shape.as_ref() != Some(&partition.tile)
            }
            (ast::Type::Tensor { .. } | ast::Type::Partition(..), _) => true,
            _ => {
                let expected = self.annotation(declared);
                return self.expect(&expected, value, || format!("{param} has this type"));
            }
        };
        if wrong {
            let shown = self.show(&ty);
            let expected = self.declared_text(declared);
            self.error(
                Diagnostic::error(
                    Code::TypeMismatch,
                    value.1.loc,
                    format!("expected `{expected}`, found `{shown}`"),
                )
                .note(format!("{param} has this type"))
                .help("pass a tensor or partition of that type"),
            );
        }
        !wrong
    }

    fn rank(&mut self, rank: &ast::Expr) -> Option<usize> {
        let id = self.expr(rank);
        match self.constant(id) {
            Some(Const::Int(rank)) => usize::try_from(rank).ok(),
            Some(Const::Bool(_)) | None => None,
        }
    }

    fn declared_text(&mut self, declared: &ast::Type) -> String {
        match declared {
            ast::Type::Tensor {
                element,
                rank,
                mutable,
                ..
            } => {
                let element = self
                    .open_element(element)
                    .map_or_else(|| "_".to_owned(), |elem| self.show_elem(elem));
                let rank = self
                    .rank(rank)
                    .map_or_else(|| "_".to_owned(), |rank| rank.to_string());
                let mutable = if *mutable { "mut " } else { "" };
                format!("&{mutable}Tensor<{element}, {rank}>")
            }
            ast::Type::Partition(element, dims, loc) => {
                let element = self
                    .open_element(element)
                    .map_or_else(|| "_".to_owned(), |elem| self.show_elem(elem));
                let shape = self.shape(dims, *loc).unwrap_or_default();
                format!(
                    "Partition<{element}, {}>",
                    crate::hir::ty::shape_text(&shape)
                )
            }
            other => {
                let ty = self.annotation(other);
                self.show(&ty)
            }
        }
    }

    /// Checks, as rustc does, that no tensor is passed twice if one of the two is `&mut`.
    fn borrows(&mut self, function: &Function, values: &[Operand<'_>]) -> bool {
        let mut seen: Vec<(usize, bool)> = Vec::new();
        let mut fine = true;
        for ((_, declared), (id, written)) in function.params.iter().zip(values) {
            let (param, exclusive) = match (declared, self.ty(*id)) {
                (ast::Type::Tensor { mutable, .. }, Ty::Tensor(tensor)) => (tensor.param, *mutable),
                (_, Ty::Partition(partition)) => (partition.tensor.param, partition.tensor.mutable),
                _ => continue,
            };
            if seen
                .iter()
                .any(|(other, mutable)| *other == param && (*mutable || exclusive))
            {
                fine = false;
                let text = ast::text(written);
                self.error(
                    Diagnostic::error(
                        Code::BadArguments,
                        written.loc,
                        format!("`{text}` is passed twice, once to be stored to"),
                    )
                    .note("a `&mut Tensor` is the only way to its elements, as in Rust")
                    .help("pass it once"),
                );
            }
            seen.push((param, exclusive));
        }
        fine
    }

    /// Reports stores to a tensor that a function takes as `&Tensor`. In the kernel the tensor may
    /// be `&mut`, and its accesses remain ordered.
    fn check_stores(&mut self, first: usize, shared: &[(usize, String)]) {
        for index in first..self.exprs.len() {
            let view = match &self.exprs[index].kind {
                ExprKind::Store(view, ..) => *view,
                ExprKind::Memory(memory) => match memory.touches() {
                    Touch::Store(view) => view,
                    Touch::Load(_) | Touch::LoadPointer | Touch::StorePointer | Touch::Nothing => {
                        continue;
                    }
                },
                _ => continue,
            };
            let param = match self.ty(view) {
                Ty::Partition(partition) => partition.tensor.param,
                Ty::Tensor(tensor) => tensor.param,
                _ => continue,
            };
            if let Some((_, declared)) = shared.iter().find(|(shared, _)| *shared == param) {
                let loc = self.exprs[index].loc;
                let help = format!("declare the parameter as `{declared}`");
                self.error(
                    Diagnostic::error(
                        Code::Immutable,
                        loc,
                        "this stores to a tensor that the function takes as `&Tensor`",
                    )
                    .help(help),
                );
            }
        }
    }

    fn wrong_count(&mut self, function: &Function, call: &Call<'_>) {
        let skip = usize::from(call.receiver.is_some());
        let expected = function.params.len() - skip.min(function.params.len());
        let plural = if expected == 1 {
            "argument"
        } else {
            "arguments"
        };
        // Keep the given arguments, and add a number of the right type for each that is missing.
        let given = call.args.iter().map(ast::full_text).take(expected);
        let missing = function.params.iter().skip(skip + call.args.len());
        let names: Vec<String> = given
            .chain(missing.map(|(pat, ty)| match (pat, ty) {
                (_, ast::Type::Name(name)) if let Some(scalar) = HostScalar::parse(&name.text) => {
                    super::suggest::sample(scalar).to_owned()
                }
                (Pat::Name { name, .. }, _) => name.text.clone(),
                _ => "..".to_owned(),
            }))
            .collect();
        let written = match (call.receiver, function.receiver) {
            (Some((_, receiver)), Receiver::Value) => {
                format!("{}.{}", ast::operand_text(receiver), call.name.text)
            }
            _ => call.name.text.clone(),
        };
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                call.name.loc,
                format!(
                    "`{}` takes {expected} {plural}, found {}",
                    function.name.text,
                    call.args.len()
                ),
            )
            .help(format!("write `{written}({})`", names.join(", "))),
        );
    }

    fn recursion(&mut self, function: &Function, call: &Call<'_>) {
        let mut names = self.calls.way_from(function.name.loc);
        names.push(function.name.text.clone());
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let message = if names.len() == 2 {
            format!("`{}` calls itself", function.name.text)
        } else {
            format!(
                "`{}` calls itself, over other functions",
                function.name.text
            )
        };
        let mut diagnostic = Diagnostic::error(Code::UnsupportedSyntax, call.name.loc, message);
        if names.len() > 2 {
            diagnostic = diagnostic.note(format!("the calls are {}", names.join(", which calls ")));
        }
        self.error(
            diagnostic
                .note("functions are inlined where they are called, so there is no recursion")
                .help("write a loop"),
        );
    }
}

/// Replaces `Self` in a type.
fn with_self(declared: &ast::Type, owner: Option<&ast::Type>) -> ast::Type {
    match (declared, owner) {
        (ast::Type::Name(name), Some(owner)) if name.text == "Self" => owner.clone(),
        (ast::Type::Tuple(parts, loc), Some(_)) => {
            let parts = parts.iter().map(|part| with_self(part, owner)).collect();
            ast::Type::Tuple(parts, *loc)
        }
        _ => declared.clone(),
    }
}

/// Infers generics from a call: from its path, then from its arguments.
fn infer_call(function: &Function, call: &Call<'_>, arguments: &[Ty], bound: &mut [Option<Value>]) {
    if let (Some(ast::Type::Generic(_, declared, _)), Some(this)) = (&function.owner, &call.this) {
        infer_arguments(declared, &this.arguments, &function.generics, bound);
    }
    for ((_, declared), ty) in function.params.iter().zip(arguments) {
        let declared = with_self(declared, function.owner.as_ref());
        infer(&declared, ty, &function.generics, bound);
    }
}

/// Infers the generics that are mentioned in the arguments of a generic type.
pub(super) fn infer_arguments(
    declared: &[GenericArg],
    bound: &[Option<Value>],
    generics: &[Generic],
    values: &mut [Option<Value>],
) {
    for (argument, value) in declared.iter().zip(bound) {
        let name = match argument {
            GenericArg::Type(ast::Type::Name(name)) => Some(&name.text),
            GenericArg::Const(ast::Expr {
                kind: ast::ExprKind::Path(names),
                ..
            }) => names.first().map(|name| &name.text),
            GenericArg::Type(_) | GenericArg::Const(_) => None,
        };
        if let (Some(name), Some(value)) = (name, value) {
            bind(name, *value, generics, values);
        }
    }
}

/// Binds a generic to a value, unless the generic is already bound.
fn bind(name: &str, value: Value, generics: &[Generic], values: &mut [Option<Value>]) {
    for (generic, bound) in generics.iter().zip(values.iter_mut()) {
        if generic.name().text != name || bound.is_some() {
            continue;
        }
        match (generic, value) {
            (Generic::Type(_), Value::Type(_)) => *bound = Some(value),
            (Generic::Const(_, ty), Value::Const(_, number)) if ty.holds(number) => {
                *bound = Some(Value::Const(*ty, number));
            }
            _ => {}
        }
    }
}

/// Infers generics from a declared type and the type of an argument.
pub(super) fn infer(
    declared: &ast::Type,
    actual: &Ty,
    generics: &[Generic],
    values: &mut [Option<Value>],
) {
    if let (ast::Type::Generic(_, declared, _), Ty::Struct(structure, _)) = (declared, actual) {
        let actual: Vec<Option<Value>> = structure.arguments.iter().copied().map(Some).collect();
        infer_arguments(declared, &actual, generics, values);
        return;
    }
    let mut bind = |name: &str, value: Value| bind(name, value, generics, values);
    let mut bind_dims = |dims: &[ast::Expr], shape: &[i64]| {
        if dims.len() != shape.len() {
            return;
        }
        for (dim, extent) in dims.iter().zip(shape) {
            if let ast::ExprKind::Path(names) = &dim.kind
                && let [name] = names.as_slice()
            {
                bind(
                    &name.text,
                    Value::Const(HostScalar::Usize, i128::from(*extent)),
                );
            }
        }
    };
    match (declared, actual) {
        (ast::Type::Name(name), Ty::Scalar(elem)) => bind(&name.text, Value::Type(*elem)),
        (ast::Type::Tile(name, dims, _), Ty::Tile(elem, shape)) => {
            bind_dims(dims, shape);
            bind(&name.text, Value::Type(*elem));
        }
        (ast::Type::Tensor { element, rank, .. }, Ty::Tensor(tensor)) => {
            let rank_value = i64::try_from(tensor.rank).unwrap_or(i64::MAX);
            bind_dims(std::slice::from_ref(rank), &[rank_value]);
            bind(&element.text, Value::Type(Elem::Known(tensor.element)));
        }
        (ast::Type::Partition(element, dims, _), Ty::Partition(partition)) => {
            bind_dims(dims, &partition.tile);
            let element_value = Value::Type(Elem::Known(partition.tensor.element));
            bind(&element.text, element_value);
        }
        (ast::Type::Tuple(parts, _), Ty::Tuple(types)) if parts.len() == types.len() => {
            for (part, ty) in parts.iter().zip(types) {
                infer(part, ty, generics, values);
            }
        }
        _ => {}
    }
}
