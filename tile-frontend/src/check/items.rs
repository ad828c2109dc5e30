//! Looks up the author's functions, constants and types.

use super::Checker;
use super::language::{self, FUNCTIONS};
use super::names::Scopes;
use crate::hir::signature::HostScalar;
use crate::hir::{Const, Elem, ExprId, ExprKind, StructTy, Ty, Value};
use crate::parse::ast::{self, GenericArg, Name};
use crate::parse::library::{Alias, Constant, Def, Generic, Library};
use tile_core::diag::{Code, Diagnostic};
use tile_core::{Diagnostics, Loc};

/// Returns `true` for the name of a function of the kernel language.
pub(crate) fn is_language_function(name: &str) -> bool {
    language::find(FUNCTIONS, name).is_some() || name == crate::parse::PARALLEL
}

/// Returns `true` for the name of a method of the kernel language that can be taken for a function.
pub(crate) fn is_language_method(name: &str) -> bool {
    language::tile_names().any(|method| method == name)
}

/// Returns `true` for the name of a type of the kernel language that is not a number.
pub(crate) fn is_language_type(name: &str) -> bool {
    language::TYPES.contains(&name)
}

/// Evaluates a constant expression of the attribute, given the values of parameters.
pub(crate) fn evaluate(
    library: &Library,
    known: &[(&Name, HostScalar, i128)],
    value: &ast::Expr,
    ty: HostScalar,
    diagnostics: &mut Diagnostics,
) -> Option<i128> {
    let mut const_diagnostics = Diagnostics::new();
    let mut checker = Checker::new(library, &mut const_diagnostics);
    for (name, ty, value) in known {
        checker.scopes.add_const(&name.text, *ty, *value);
    }
    let id = checker.expr(value);
    let fits = checker.expect(&Ty::scalar(ty), (id, value), || {
        "the value has the type of the parameter".to_owned()
    });
    checker.finish();
    let constant = checker.constant(id);
    let silent = checker.ty(id).is_error() || !fits;
    drop(checker);
    let errors = const_diagnostics.take();
    let faulty = silent || !errors.is_empty();
    for error in errors {
        diagnostics.report(error);
    }
    match constant {
        _ if faulty => None,
        Some(Const::Int(value)) => Some(value),
        Some(Const::Bool(value)) => Some(i128::from(value)),
        None => {
            let text = ast::text(value);
            diagnostics.error(
                Diagnostic::error(
                    Code::NotConstant,
                    value.loc,
                    format!("an instance must be known at compile time, and `{text}` is not"),
                )
                .help("write a number, or constants under `#[tile_fn]` and arithmetic on them"),
            );
            None
        }
    }
}

fn joined(names: &[Name]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    let text = names.join("::");
    text.strip_prefix("self::")
        .map(str::to_owned)
        .unwrap_or(text)
}

/// The struct that an item belongs to, with its generics as far as they are known.
#[derive(Clone)]
pub(super) struct Owner {
    /// The index of the struct.
    pub(super) index: usize,
    /// The value of each of its generics.
    pub(super) arguments: Vec<Option<Value>>,
}

impl Owner {
    /// Returns a struct with all generics known.
    pub(super) fn from_struct(structure: &StructTy) -> Self {
        Self {
            index: structure.index,
            arguments: structure.arguments.iter().copied().map(Some).collect(),
        }
    }
}

impl Checker<'_> {
    /// Resolves a path in the scope of the code that is being checked.
    pub(super) fn item(&self, path: &str) -> Option<Def> {
        let scope = self.library.scopes.get(self.scope.0)?;
        scope.names.get(path).copied()
    }

    /// Returns the names of the author's functions, or of the constants.
    pub(super) fn item_names(&self, wanted: fn(Def) -> bool) -> Vec<&str> {
        let scope = self.library.scopes.get(self.scope.0);
        let names = scope.into_iter().flat_map(|scope| &scope.names);
        names
            .filter(|(name, def)| wanted(**def) && !name.contains('['))
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// Returns `true` if a name in a pattern is a constant rather than a new variable.
    pub(super) fn is_constant_item(&self, name: &str) -> bool {
        match self.item(name) {
            Some(Def::Constant(_)) => true,
            Some(Def::Function(_) | Def::Alias(_) | Def::Struct(_) | Def::Invalid) | None => false,
        }
    }

    /// Resolves a path to an item; for an item that belongs to a type, also returns that type, as
    /// far as the path states it. `written` is the type before the last name, if it has generic
    /// arguments.
    pub(super) fn item_of_path(
        &mut self,
        names: &[Name],
        written: Option<&ast::Type>,
    ) -> Option<(Def, Option<Owner>)> {
        if written.is_none()
            && let Some(def) = self.item(&joined(names))
        {
            return Some((def, None));
        }
        let [owner @ .., name] = names else {
            return None;
        };
        let first = owner.first()?;
        let path = Name {
            text: joined(owner),
            loc: first.loc,
        };
        let arguments = match written {
            Some(ast::Type::Generic(_, arguments, _)) => arguments.as_slice(),
            _ => &[],
        };
        let owner = if path.text == "Self" {
            match self.scopes.this()? {
                Ty::Struct(structure, _) => Owner::from_struct(structure),
                _ => return None,
            }
        } else {
            match self.item(&path.text)? {
                Def::Struct(index) => {
                    let generics = &self.library.structs[index].generics;
                    let arguments_bound = match (arguments, generics.len()) {
                        ([], count) => Some(vec![None; count]),
                        _ => self.all_written(&path, generics, arguments),
                    };
                    match arguments_bound {
                        Some(arguments) => Owner { index, arguments },
                        None => return Some((Def::Invalid, None)),
                    }
                }
                Def::Alias(_) => match self.item_type(&path, arguments)? {
                    Ty::Struct(structure, _) => Owner::from_struct(&structure),
                    Ty::Error => return Some((Def::Invalid, None)),
                    _ => return None,
                },
                Def::Invalid => return Some((Def::Invalid, None)),
                Def::Function(_) | Def::Constant(_) => return None,
            }
        };
        let structure = self.library.structs.get(owner.index)?;
        if let Some(def) = structure.associated.get(&name.text) {
            return Some((*def, Some(owner)));
        }
        let candidates = structure.associated.keys().map(String::as_str);
        let help = match super::nearest(&name.text, candidates) {
            Some(known) => format!("write `{}::{known}`", path.text),
            None => format!("write it in an `impl {}`", structure.name.text),
        };
        self.error(
            Diagnostic::error(
                Code::UnknownName,
                name.loc,
                format!("`{}` has no `{}`", path.text, name.text),
            )
            .help(help),
        );
        Some((Def::Invalid, None))
    }

    /// Checks `State::<8>::WIDTH`.
    pub(super) fn associated_value(
        &mut self,
        owner: &ast::Type,
        names: &[Name],
        loc: Loc,
    ) -> ExprId {
        if let Some(id) = self.item_value(names, Some(owner), loc) {
            return id;
        }
        let text = joined(names);
        self.error(
            Diagnostic::error(
                Code::UnknownName,
                loc,
                format!("a kernel does not know `{text}`"),
            )
            .note("a kernel sees the constants of the structs of its `#[tile_kernel] mod`, and those of a `#[tile_fn] mod`")
            .help("put the struct and the kernel into one `#[tile_kernel] mod`"),
        );
        self.poison(loc)
    }

    /// Evaluates one of the author's constants; `None` if there is no such item.
    pub(super) fn item_value(
        &mut self,
        names: &[Name],
        written: Option<&ast::Type>,
        loc: Loc,
    ) -> Option<ExprId> {
        let (def, owner) = self.item_of_path(names, written)?;
        match def {
            Def::Constant(index) => {
                let library = self.library;
                let this = match owner {
                    None => None,
                    Some(owner) => match self.whole(&owner, names, loc) {
                        Some(this) => Some(this),
                        None => return Some(self.poison(loc)),
                    },
                };
                Some(self.constant_item(&library.constants[index], this, loc))
            }
            Def::Invalid => Some(self.poison(loc)),
            Def::Function(_) => {
                let text = joined(names);
                self.error(
                    Diagnostic::error(
                        Code::UnknownName,
                        loc,
                        format!("the function `{text}` is no value"),
                    )
                    .help(format!("call it: write `{text}(..)`")),
                );
                Some(self.poison(loc))
            }
            Def::Alias(_) | Def::Struct(_) => {
                let text = joined(names);
                self.error(
                    Diagnostic::error(
                        Code::UnknownName,
                        loc,
                        format!("the type `{text}` is no value"),
                    )
                    .help("write a value of the type"),
                );
                Some(self.poison(loc))
            }
        }
    }

    /// Returns the type that a constant belongs to; `None` after an error.
    fn whole(&mut self, owner: &Owner, names: &[Name], loc: Loc) -> Option<Ty> {
        let arguments: Option<Vec<Value>> = owner.arguments.iter().copied().collect();
        if let Some(arguments) = arguments {
            return Some(self.struct_with(owner.index, loc, arguments));
        }
        let structure = &self.library.structs[owner.index];
        let text = joined(names);
        let last = names.last().map_or("", |name| name.text.as_str());
        let generics: Vec<&str> = structure
            .generics
            .iter()
            .map(|generic| match generic {
                Generic::Type(_) => "f32",
                Generic::Const(_, HostScalar::Bool) => "true",
                Generic::Const(..) => "64",
            })
            .collect();
        let help = format!(
            "write them: `{}::<{}>::{last}`",
            structure.name.text,
            generics.join(", ")
        );
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                loc,
                format!(
                    "`{text}` does not say what the generics of `{}` are",
                    structure.name.text
                ),
            )
            .help(help),
        );
        None
    }

    /// Evaluates a constant, which is checked at each use.
    fn constant_item(&mut self, constant: &Constant, this: Option<Ty>, loc: Loc) -> ExprId {
        let name = &constant.name.text;
        if self.calls.is_open(constant.name.loc) {
            self.error(
                Diagnostic::error(
                    Code::UnsupportedSyntax,
                    loc,
                    format!("the constant `{name}` is defined in terms of itself"),
                )
                .help("write its value without it"),
            );
            return self.poison(loc);
        }
        let saved = self.enter_item(constant.scope);
        if let Some(this) = this {
            self.bind_owner(constant, this);
        }
        self.calls.open(&constant.name, loc, self.exprs.len());
        let ty = self.annotation(&constant.ty);
        let id = self.expr(&constant.value);
        let fits = self.expect(&ty, (id, &constant.value), || {
            format!("the constant `{name}` has this type")
        });
        let value = match self.compute(id) {
            Ok(value) => value,
            Err(error) => {
                let error_loc = self.loc(error.expr);
                self.error(
                    Diagnostic::error(Code::OutOfRange, error_loc, error.message)
                        .note(format!("the constant `{name}` needs this value"))
                        .help("compute in a wider type, or with other numbers"),
                );
                // Otherwise `finish` would report the arithmetic again.
                self.exprs[error.expr.index()].kind = ExprKind::Error;
                self.calls.close(self.exprs.len());
                self.leave_item(saved);
                return self.poison(loc);
            }
        };
        let value_kind = match (&ty, value) {
            _ if !fits || self.ty(id).is_error() => None,
            (_, Some(Const::Int(value))) => Some(ExprKind::Int(value)),
            (_, Some(Const::Bool(value))) => Some(ExprKind::Bool(value)),
            (Ty::Scalar(Elem::Known(scalar)), None) if !scalar.is_float() => {
                self.error(
                    Diagnostic::error(
                        Code::NotConstant,
                        constant.value.loc,
                        format!("the value of `{name}` is not known at compile time"),
                    )
                    .note("known are literals, constants, arithmetic on them and calls of a `const fn`")
                    .help("write a value that does not depend on the launch"),
                );
                None
            }
            (_, None) => {
                self.calls.close(self.exprs.len());
                self.leave_item(saved);
                return id;
            }
        };
        self.calls.close(self.exprs.len());
        self.leave_item(saved);
        match value_kind {
            Some(kind) => self.push(kind, ty, loc),
            None => self.poison(loc),
        }
    }

    /// Returns the type that a name denotes; `None` if there is no such item.
    pub(super) fn item_type(&mut self, name: &Name, arguments: &[GenericArg]) -> Option<Ty> {
        if name.text == "Self" && self.scopes.this().is_some() {
            return self.scopes.this().cloned();
        }
        if self.scopes.ty(&name.text).is_some() {
            return None;
        }
        let library = self.library;
        match self.item(&name.text)? {
            Def::Alias(index) => Some(self.alias(&library.aliases[index], name, arguments)),
            Def::Struct(index) => Some(self.struct_type(index, name, arguments)),
            Def::Invalid => Some(Ty::Error),
            Def::Function(_) | Def::Constant(_) => None,
        }
    }

    fn alias(&mut self, alias: &Alias, name: &Name, arguments: &[GenericArg]) -> Ty {
        if self.calls.is_open(alias.name.loc) {
            self.error(
                Diagnostic::error(
                    Code::UnsupportedSyntax,
                    name.loc,
                    format!("the type `{}` is defined in terms of itself", name.text),
                )
                .help("write the type without it"),
            );
            return Ty::Error;
        }
        let Some(values) = self.generic_arguments(name, &alias.generics, arguments) else {
            return Ty::Error;
        };
        let saved = self.enter_item(alias.scope);
        self.bind_generics(&alias.generics, &values);
        self.calls.open(&alias.name, name.loc, self.exprs.len());
        let ty = self.annotation(&alias.ty);
        self.calls.close(self.exprs.len());
        self.leave_item(saved);
        ty
    }

    /// Returns the generic arguments of a type in the path of an expression, where Rust requires
    /// all of them or none; `None` after an error.
    fn all_written(
        &mut self,
        name: &Name,
        generics: &[Generic],
        arguments: &[GenericArg],
    ) -> Option<Vec<Option<Value>>> {
        if arguments.len() < generics.len() {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    name.loc,
                    format!(
                        "`{}` takes {} generic arguments, found {}",
                        name.text,
                        generics.len(),
                        arguments.len()
                    ),
                )
                .help("write all of them, or none if the use says what they are"),
            );
            return None;
        }
        self.written_arguments(name, generics, arguments)
    }

    /// Evaluates the generic arguments of a type, with `None` for each argument that is left open;
    /// `None` after an error.
    fn written_arguments(
        &mut self,
        name: &Name,
        generics: &[Generic],
        arguments: &[GenericArg],
    ) -> Option<Vec<Option<Value>>> {
        if arguments.len() > generics.len() {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    name.loc,
                    format!(
                        "`{}` takes {} generic arguments, found {}",
                        name.text,
                        generics.len(),
                        arguments.len()
                    ),
                )
                .help("remove what is too much"),
            );
            return None;
        }
        let mut values = Vec::new();
        for (index, generic) in generics.iter().enumerate() {
            values.push(match arguments.get(index) {
                Some(argument) => self.generic_argument(generic, argument).ok()?,
                None => None,
            });
        }
        Some(values)
    }

    /// Returns the values of all generics of a type, in order; `None` after an error.
    pub(super) fn generic_arguments(
        &mut self,
        name: &Name,
        generics: &[Generic],
        arguments: &[GenericArg],
    ) -> Option<Vec<Value>> {
        let written = self.written_arguments(name, generics, arguments)?;
        let mut values = Vec::new();
        for (value, generic) in written.into_iter().zip(generics) {
            match (value, generic) {
                (Some(value), _) => values.push(value),
                // The use may still determine the generic, as in a struct literal.
                (None, Generic::Type(_)) => {
                    values.push(Value::Type(self.fresh(super::types::Kind::Any)));
                }
                (None, Generic::Const(param, _)) => {
                    self.error(
                        Diagnostic::error(
                            Code::BadArguments,
                            name.loc,
                            format!("`{}` needs a value for `{}`", name.text, param.text),
                        )
                        .help(format!(
                            "write `{}<..>` with all generic arguments",
                            name.text
                        )),
                    );
                    return None;
                }
            }
        }
        Some(values)
    }

    /// Replaces the names of the caller with those of an item.
    pub(super) fn enter_item(
        &mut self,
        scope: crate::parse::library::ScopeId,
    ) -> (Scopes, crate::parse::library::ScopeId) {
        let scopes = std::mem::take(&mut self.scopes);
        let scope = std::mem::replace(&mut self.scope, scope);
        (scopes, scope)
    }

    /// Returns to the names of the caller.
    pub(super) fn leave_item(&mut self, saved: (Scopes, crate::parse::library::ScopeId)) {
        (self.scopes, self.scope) = saved;
    }

    /// Reports a type that is not an element type.
    pub(super) fn not_an_element(&mut self, name: &Name, ty: &Ty) {
        let shown = self.show(ty);
        self.error(
            Diagnostic::error(
                Code::TypeMismatch,
                name.loc,
                format!("`{}` is `{shown}`, which is no element type", name.text),
            )
            .help("write a number type, such as `f32`"),
        );
    }

    /// Reports a type parameter that a literal has not given a type yet.
    pub(super) fn open_type(&mut self, name: &Name) {
        self.error(
            Diagnostic::error(
                Code::TypeMismatch,
                name.loc,
                format!("the type `{}` is not known here", name.text),
            )
            .note("the arguments of the call are literals, whose type follows from a later use")
            .help("give the literal a suffix in the call, as in `1.0_f32`"),
        );
    }
}
