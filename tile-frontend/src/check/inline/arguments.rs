//! The arguments of a call: their number and types, and what the borrow checker of Rust would refuse.

use super::super::Checker;
use super::super::types::Operand;
use super::Call;
use super::generics::infer_call;
use crate::hir::signature::HostScalar;
use crate::hir::{Const, ExprKind, Touch, Ty, Value};
use crate::parse::ast::{self, Pat};
use crate::parse::library::{Function, Receiver};
use tile_core::diag::{Code, Diagnostic};

impl Checker<'_> {
    /// Returns the declared type of the next argument, if the argument may depend on it and it
    /// follows from the preceding arguments.
    pub(super) fn parameter_type(
        &mut self,
        function: &Function,
        call: &Call<'_>,
        before: &[Operand<'_>],
        argument: &ast::Expr,
    ) -> Option<Ty> {
        let (_, declared) = function.params.get(before.len())?;
        if !super::super::expectation::matters(argument) {
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

    /// Checks that an argument has the declared type of its parameter.
    pub(super) fn argument(
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

    pub(super) fn rank(&mut self, rank: &ast::Expr) -> Option<usize> {
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
    pub(super) fn borrows(&mut self, function: &Function, values: &[Operand<'_>]) -> bool {
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
    pub(super) fn check_stores(&mut self, first: usize, shared: &[(usize, String)]) {
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

    pub(super) fn wrong_count(&mut self, function: &Function, call: &Call<'_>) {
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
                    super::super::suggest::sample(scalar).to_owned()
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
}
