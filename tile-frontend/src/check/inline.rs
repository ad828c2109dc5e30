//! Inlines calls of functions. Each call checks the body anew, with the types of its arguments.
//!
//! Arguments are evaluated once, in order, before the body. An error in a body is reported at its
//! own token, with the calls that led there.

mod arguments;
mod calls;
mod generics;

pub(super) use self::calls::Calls;
pub(super) use self::generics::infer;

use super::Checker;
use super::expectation::Place;
use super::items::Owner;
use super::types::Operand;
use crate::hir::{Block, ExprId, ExprKind, TargetId, Ty};
use crate::parse::ast::{self, GenericArg, Name, Pat};
use crate::parse::library::{Constness, Def, Function, Safety};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

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

/// The body of a function in a call, after the bindings of the parameters.
struct Body {
    block: Block,
    ty: Ty,
    /// The type that the function declares.
    output: Ty,
    /// The target of `return`.
    target: TargetId,
}

impl Checker<'_> {
    /// Returns `true` while the body of a function that a kernel calls is checked.
    pub(super) fn is_inlining(&self) -> bool {
        self.calls.is_any_open()
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
        let Some(shared) = self.passed(function, &values) else {
            // Errors in the body that result from wrong arguments would not help.
            self.leave_item(saved);
            return self.poison(call.loc);
        };
        let first = self.exprs.len();
        let Body {
            block,
            ty,
            output,
            target,
        } = self.body_of(function, call, &values);
        self.check_stores(first, &shared);
        self.calls.close(self.exprs.len());
        self.leave_item(saved);
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
            Constness::Const => self.calls.note_constant(id),
            Constness::Runtime => {}
        }
        id
    }

    /// Checks the arguments. Returns the tensors that the function takes as `&Tensor`, each with the
    /// declaration of a parameter to which it may store; `None` after an error.
    fn passed(
        &mut self,
        function: &Function,
        values: &[Operand<'_>],
    ) -> Option<Vec<(usize, String)>> {
        let mut fits = true;
        let mut shared = Vec::new();
        for ((pat, ty), value) in function.params.iter().zip(values) {
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
        (fits && self.borrows(function, values)).then_some(shared)
    }

    /// Enters a function, and checks its body.
    fn body_of(&mut self, function: &Function, call: &Call<'_>, values: &[Operand<'_>]) -> Body {
        let name = &function.name;
        self.calls.open(name, call.name.loc, self.exprs.len());
        let safety = match function.safety {
            Safety::Safe => super::pointers::Function::Safe,
            Safety::Unsafe => super::pointers::Function::Unsafe,
        };
        let vouched = self.enter_body(safety, call.name);
        let mut stmts = Vec::new();
        for ((pat, _), (id, _)) in function.params.iter().zip(values) {
            self.bind(pat, *id, &mut stmts);
        }
        let output = self.annotation(&function.output);
        let target = self.enter_function(name, Some(output.clone()));
        let (body, ty) = self.block_as(&function.body, &output);
        self.leave_target();
        self.leave_body(vouched);
        self.result(function, &output, &body, &ty);
        stmts.extend(body.stmts);
        let tail = body.tail;
        Body {
            block: Block { stmts, tail },
            ty,
            output,
            target,
        }
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

    /// Reports a function that calls itself.
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
