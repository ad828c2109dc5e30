//! The generics of a function in a call: from the path, from generic arguments, from the types of arguments
//! and from the expected type of the value.

use super::super::Checker;
use super::super::types::{Kind, Operand};
use super::Call;
use crate::hir::signature::HostScalar;
use crate::hir::{Const, Elem, Ty, Value};
use crate::parse::ast::{self, GenericArg, Name, Pat};
use crate::parse::library::{Function, Generic};
use tile_core::diag::{Code, Diagnostic};

impl Checker<'_> {
    /// Returns the values of the generics of a function in a call; `None` after an error.
    pub(super) fn bindings(
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

    /// Binds generics to their values in the scope of an item.
    pub(in crate::check) fn bind_generics(&mut self, generics: &[Generic], values: &[Value]) {
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
    pub(in crate::check) fn generic_argument(
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
pub(super) fn infer_call(
    function: &Function,
    call: &Call<'_>,
    arguments: &[Ty],
    bound: &mut [Option<Value>],
) {
    if let (Some(ast::Type::Generic(_, declared, _)), Some(this)) = (&function.owner, &call.this) {
        infer_arguments(declared, &this.arguments, &function.generics, bound);
    }
    for ((_, declared), ty) in function.params.iter().zip(arguments) {
        let declared = with_self(declared, function.owner.as_ref());
        infer(&declared, ty, &function.generics, bound);
    }
}

/// Infers the generics that are mentioned in the arguments of a generic type.
fn infer_arguments(
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
pub(super) fn bind(name: &str, value: Value, generics: &[Generic], values: &mut [Option<Value>]) {
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
pub(in crate::check) fn infer(
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
