//! Resolves names, and suggests similar ones for unknown names.

use super::Checker;
use super::foreign_names;
use super::language::{self, FUNCTIONS, MATHEMATICAL, PADDINGS, Value};
use crate::collect::free::is_upper;
use crate::hir::signature::HostScalar;
use crate::hir::{Elem, ExprId, ExprKind, Float, LocalId, Ty};
use crate::parse::ast::{self, Name};
use crate::parse::library::Def;
use std::collections::BTreeMap;
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};
use tile_core::types::PaddingValue;

/// The meaning of a name.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    Local(LocalId),
    Const(HostScalar, i128),
}

/// Every name in scope.
#[derive(Default)]
pub(super) struct Scopes {
    types: BTreeMap<String, Elem>,
    /// The type `Self`.
    this: Option<Ty>,
    consts: BTreeMap<String, (HostScalar, i128)>,
    locals: Vec<(String, LocalId)>,
}

impl Scopes {
    pub(super) fn add_type(&mut self, name: &str, elem: Elem) {
        self.types.insert(name.to_owned(), elem);
    }

    pub(super) fn set_this(&mut self, ty: Ty) {
        self.this = Some(ty);
    }

    pub(super) fn this(&self) -> Option<&Ty> {
        self.this.as_ref()
    }

    pub(super) fn add_const(&mut self, name: &str, ty: HostScalar, value: i128) {
        self.consts.insert(name.to_owned(), (ty, value));
    }

    pub(super) fn add_local(&mut self, name: &str, id: LocalId) {
        self.locals.push((name.to_owned(), id));
    }

    /// Returns a mark to return to with [`Scopes::leave`].
    pub(super) fn enter(&self) -> usize {
        self.locals.len()
    }

    pub(super) fn leave(&mut self, mark: usize) {
        self.locals.truncate(mark);
    }

    pub(super) fn value(&self, name: &str) -> Option<Meaning> {
        let local = self
            .locals
            .iter()
            .rev()
            .find(|(local_name, _)| local_name == name);
        if let Some(&(_, id)) = local {
            return Some(Meaning::Local(id));
        }
        let &(ty, value) = self.consts.get(name)?;
        Some(Meaning::Const(ty, value))
    }

    pub(super) fn ty(&self, name: &str) -> Option<Elem> {
        self.types
            .get(name)
            .copied()
            .or_else(|| HostScalar::parse(name).map(Elem::Known))
    }

    fn value_names(&self) -> Vec<&str> {
        let locals = self.locals.iter().rev().map(|(name, _)| name.as_str());
        locals
            .chain(self.consts.keys().map(String::as_str))
            .collect()
    }

    fn type_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.types.keys() {
            names.push(name);
        }
        for scalar in HostScalar::ALL {
            names.push(scalar.name());
        }
        names
    }
}

/// Returns the candidate that the author most probably meant by `name`.
pub(crate) fn nearest<'n>(
    name: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let limit = ((name.chars().count() + 1) / 3).max(1);
    let fold = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            let distance = strsim::damerau_levenshtein(&fold, &candidate.to_lowercase());
            (distance, candidate)
        })
        .filter(|&(distance, candidate)| distance <= limit && distance < candidate.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

impl Checker<'_> {
    /// Resolves a variable, a const parameter or an associated constant.
    pub(super) fn path(&mut self, names: &[Name], loc: Loc) -> ExprId {
        match names {
            [name] => match self.scopes.value(&name.text) {
                Some(Meaning::Local(id)) => {
                    if self.unset.contains(&id) {
                        return self.read_before_write(name, id);
                    }
                    let ty = self.locals[id.index()].ty.clone();
                    self.push(ExprKind::Local(id), ty, loc)
                }
                Some(Meaning::Const(HostScalar::Bool, value)) => self.push(
                    ExprKind::Bool(value != 0),
                    Ty::scalar(HostScalar::Bool),
                    loc,
                ),
                Some(Meaning::Const(ty, value)) => {
                    self.push(ExprKind::Int(value), Ty::scalar(ty), loc)
                }
                None => match self.item_value(names, None, loc) {
                    Some(value) => value,
                    None => self.unknown_value(name),
                },
            },
            [ty, name] if self.scopes.ty(&ty.text).is_some() => match self.element(ty) {
                Some(scalar) => self.associated(scalar, ty, name, loc),
                None => self.poison(loc),
            },
            [.., ty, module, name]
                if module.text == "consts" && matches!(ty.text.as_str(), "f32" | "f64") =>
            {
                self.mathematical(ty, name, loc)
            }
            [ty, _] if ty.text == PADDINGS.name => {
                let number = PADDINGS.value(names).map(|padding| match padding {
                    PaddingValue::Zero => "0.0",
                    PaddingValue::NegZero => "-0.0",
                    PaddingValue::PosInf => "f32::INFINITY",
                    PaddingValue::NegInf => "f32::NEG_INFINITY",
                    PaddingValue::Nan => "f32::NAN",
                });
                self.error(
                    Diagnostic::error(Code::BadArguments, loc, "a padding value is not a number")
                        .help(match number {
                            Some(number) => format!(
                                "pass it to `load_padded` or `with_padding`, or write the number, `{number}`"
                            ),
                            None => "pass it to `load_padded` or `with_padding`".to_owned(),
                        }),
                );
                self.poison(loc)
            }
            names => {
                if let Some(value) = self.item_value(names, None, loc) {
                    return value;
                }
                let text: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
                let message = format!("a kernel does not know `{}`", text.join("::"));
                let mut diagnostic = Diagnostic::error(Code::UnknownName, loc, message);
                let last = text.last().copied().unwrap_or_default();
                diagnostic = if is_upper(last) {
                    self.outer_constant(diagnostic, last)
                } else {
                    diagnostic
                        .note(SEES)
                        .help("pass the value as a parameter of the kernel")
                };
                self.error(diagnostic);
                self.poison(loc)
            }
        }
    }

    /// Reports a read of a variable whose type no earlier assignment has determined.
    fn read_before_write(&mut self, name: &Name, id: LocalId) -> ExprId {
        let declared = self.locals[id.index()].loc;
        let text = &name.text;
        self.error(
            Diagnostic::error(
                Code::Uninitialized,
                name.loc,
                format!("`{text}` is read before it has a value"),
            )
            .label(declared, format!("`{text}` is declared here without one"))
            .help(format!("assign `{text}` first")),
        );
        self.poison(name.loc)
    }

    /// Adds notes and help for an unknown name that is written like a constant.
    fn outer_constant(&self, diagnostic: Diagnostic, name: &str) -> Diagnostic {
        let attribute = format!("write `#[tile_fn]` above `const {name}`");
        if self.kernel.is_empty() {
            return diagnostic
                .note(ALONE)
                .help(format!("{attribute}, or write the number here"));
        }
        diagnostic
            .note("a kernel sees its parameters, its variables, and the functions and constants under `#[tile_fn]`")
            .help(format!("{attribute}, or pass the value as a parameter of the kernel"))
    }

    fn unknown_value(&mut self, name: &Name) -> ExprId {
        let text = &name.text;
        let mut diagnostic = Diagnostic::error(
            Code::UnknownName,
            name.loc,
            format!("there is no variable `{text}` here"),
        );
        let is_function = language::find(FUNCTIONS, text).is_some();
        let constants = self.item_names(|def| matches!(def, Def::Constant(_)));
        let candidates = self.scopes.value_names().into_iter().chain(constants);
        diagnostic = match (foreign_names::value(text), nearest(text, candidates)) {
            _ if is_function => diagnostic.help(format!("call the function: write `{text}(..)`")),
            (Some(help), _) => diagnostic.help(help),
            (None, Some(known)) => diagnostic.help(format!("write `{known}`")),
            (None, None) if is_upper(text) => self.outer_constant(diagnostic, text),
            (None, None) if self.kernel.is_empty() => {
                diagnostic.note(ALONE).help("write the number")
            }
            (None, None) => match self.locals.iter().rfind(|local| local.name == *text) {
                Some(ended) => diagnostic
                    .label(
                        ended.loc,
                        format!("`{text}` is declared here, and ends with its block"),
                    )
                    .help(format!(
                        "declare it before that block, with its value for when the block does not run: write `let mut {text} = ..;`, and inside assign `{text} = ..;`"
                    )),
                None => diagnostic.note(SEES).help(format!(
                    "declare it with `let {text} = ..;`, or pass it as a parameter of the kernel"
                )),
            },
        };
        self.error(diagnostic);
        self.poison(name.loc)
    }

    /// Resolves `f32::INFINITY`, `i32::MAX`, `T::ZERO`.
    fn associated(&mut self, scalar: HostScalar, ty: &Name, name: &Name, loc: Loc) -> ExprId {
        let value = match language::associated(scalar, &name.text) {
            Some(Value::Int(value)) => Some((ExprKind::Int(value), scalar)),
            Some(Value::Float(value)) => Some((ExprKind::Float(Float::new(value)), scalar)),
            Some(Value::Count(count)) => Some((ExprKind::Int(count.into()), HostScalar::U32)),
            None => None,
        };
        if let Some((kind, scalar)) = value {
            return self.push(kind, Ty::scalar(scalar), loc);
        }
        let names = language::associated_names(scalar);
        let help = match (
            name.text.as_str(),
            nearest(&name.text, names.iter().copied()),
        ) {
            _ if names.is_empty() => "write `false` or `true`".to_owned(),
            // Infinities are mostly meant as the initial values of minima and maxima.
            ("INFINITY", _) if names.contains(&"MAX") => format!("write `{}::MAX`", ty.text),
            ("NEG_INFINITY", _) if names.contains(&"MIN") => format!("write `{}::MIN`", ty.text),
            (_, Some(known)) => format!("write `{}::{known}`", ty.text),
            (_, None) => format!(
                "write the number; the constants known here are `{}`",
                names.join("`, `")
            ),
        };
        self.error(
            Diagnostic::error(
                Code::UnknownName,
                name.loc,
                format!("`{}` has no constant `{}` here", ty.text, name.text),
            )
            .help(help),
        );
        self.poison(loc)
    }

    /// Resolves `std::f32::consts::PI`.
    fn mathematical(&mut self, ty: &Name, name: &Name, loc: Loc) -> ExprId {
        let scalar = HostScalar::parse(&ty.text).expect("the caller found a float");
        let known = MATHEMATICAL.iter().find(|(known, _)| *known == name.text);
        if let Some(&(_, value)) = known {
            let value = ExprKind::Float(Float::new(value));
            return self.push(value, Ty::scalar(scalar), loc);
        }
        let candidates = MATHEMATICAL.iter().map(|(name, _)| *name);
        let help = if let Some(known) = nearest(&name.text, candidates.clone()) {
            format!("write `{known}`")
        } else {
            let names: Vec<String> = candidates.map(|name| format!("`{name}`")).collect();
            format!("write one of {}", names.join(", "))
        };
        self.error(
            Diagnostic::error(
                Code::UnknownName,
                name.loc,
                format!("`std::{}::consts` has no constant `{}`", ty.text, name.text),
            )
            .help(help),
        );
        self.poison(loc)
    }

    /// Returns the element type that a name denotes.
    pub(super) fn element(&mut self, name: &Name) -> Option<HostScalar> {
        let elem = self.open_element(name)?;
        match self.resolve_elem(elem) {
            Elem::Known(scalar) => Some(scalar),
            Elem::Var(_) => {
                self.open_type(name);
                None
            }
        }
    }

    /// Returns the element type that a name denotes, like [`Checker::element`]. The type may still
    /// be open if the name is a type parameter of a function that is bound to a literal.
    pub(super) fn open_element(&mut self, name: &Name) -> Option<Elem> {
        if let Some(elem) = self.scopes.ty(&name.text) {
            return Some(elem);
        }
        if let Some(ty) = self.item_type(name, &[]) {
            return match ty {
                Ty::Scalar(elem) => Some(elem),
                Ty::Error => None,
                other => {
                    self.not_an_element(name, &other);
                    None
                }
            };
        }
        let mut diagnostic = Diagnostic::error(
            Code::UnknownName,
            name.loc,
            format!("a kernel does not know the type `{}`", name.text),
        );
        let help = match name.text.as_str() {
            "isize" => "write `i64`".to_owned(),
            "i128" | "u128" => "use a type of at most 64 bits, such as `i64`".to_owned(),
            "char" => "write `u32`".to_owned(),
            other => match nearest(other, self.scopes.type_names()) {
                Some(known) => format!("write `{known}`"),
                None => "use a number type, such as `f32` or `i32`, or a type parameter".to_owned(),
            },
        };
        diagnostic = diagnostic.help(help);
        self.error(diagnostic);
        None
    }

    /// Returns the type of an annotation; an error type after an error.
    pub(super) fn annotation(&mut self, ty: &ast::Type) -> Ty {
        match ty {
            ast::Type::Name(name) => match self.item_type(name, &[]) {
                Some(ty) => ty,
                None => self.open_element(name).map_or(Ty::Error, Ty::Scalar),
            },
            ast::Type::Generic(name, arguments, _) => match self.item_type(name, arguments) {
                Some(ty) => ty,
                None => self.open_element(name).map_or(Ty::Error, |_| Ty::Error),
            },
            ast::Type::Tensor { loc, .. } | ast::Type::Partition(_, _, loc) => {
                self.error(
                    Diagnostic::error(
                        Code::UnsupportedSyntax,
                        *loc,
                        "a tensor or partition cannot be annotated here",
                    )
                    .note("such types are for the parameters of functions")
                    .help("leave the annotation out"),
                );
                Ty::Error
            }
            ast::Type::Tile(name, dims, loc) => {
                let Some(element) = self.open_element(name) else {
                    return Ty::Error;
                };
                match self.shape(dims, *loc) {
                    Some(shape) => Ty::from_shape(element, &shape),
                    None => Ty::Error,
                }
            }
            ast::Type::Tuple(parts, _) => {
                Ty::Tuple(parts.iter().map(|part| self.annotation(part)).collect())
            }
            ast::Type::Infer | ast::Type::Error => Ty::Error,
        }
    }

    /// Parses `Padding::NegInf`.
    pub(super) fn padding(&mut self, expr: &ast::Expr) -> Option<tile_core::types::PaddingValue> {
        let names: &[Name] = if let ast::ExprKind::Path(names) = &expr.kind {
            names
        } else {
            &[]
        };
        if let Some(padding) = PADDINGS.value(names) {
            return Some(padding);
        }
        if matches!(expr.kind, ast::ExprKind::Error) {
            return None;
        }
        let help = PADDINGS.instead_of(names, "");
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                expr.loc,
                format!("expected a padding value, found `{}`", ast::text(expr)),
            )
            .help(help),
        );
        None
    }
}

/// Note on the names in scope of a kernel.
const SEES: &str =
    "a kernel sees its parameters, its variables and the functions of the kernel language";

/// Note on the names in scope of a constant and of the list of instances.
const ALONE: &str = "constants and instances see the constants and functions under `#[tile_fn]`";
