//! Checks the author's structs: values, fields, methods.
//!
//! A struct is a tuple of its fields whose type has a name. Only checking uses the name: the
//! finished HIR has only tuples.

use super::inline::Call;
use super::items::Owner;
use super::types::Operand;
use super::{Checker, nearest};
use crate::hir::{Block, ExprId, ExprKind, Stmt, StructTy, Ty, Value};
use crate::parse::ast::{self, GenericArg, Name};
use crate::parse::library::{Constant, Def, Receiver, Struct};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

impl Checker<'_> {
    pub(super) fn show_struct(&self, structure: &StructTy) -> String {
        let arguments: Vec<String> = structure
            .arguments
            .iter()
            .map(|value| match value {
                Value::Type(elem) => self.show_elem(*elem),
                Value::Const(_, value) => value.to_string(),
            })
            .collect();
        if arguments.is_empty() {
            structure.name.clone()
        } else {
            format!("{}<{}>", structure.name, arguments.join(", "))
        }
    }

    /// Unifies the generics of two types; `false` if that is impossible.
    pub(super) fn unify_arguments(&mut self, lhs: &[Value], rhs: &[Value]) -> bool {
        lhs.iter().zip(rhs).all(|(lhs, rhs)| match (lhs, rhs) {
            (Value::Type(lhs), Value::Type(rhs)) => self.unify_elem(*lhs, *rhs),
            (Value::Const(_, lhs), Value::Const(_, rhs)) => lhs == rhs,
            _ => false,
        })
    }

    /// Returns the type `Name<..>`.
    pub(super) fn struct_type(
        &mut self,
        index: usize,
        name: &Name,
        arguments: &[GenericArg],
    ) -> Ty {
        let structure = &self.library.structs[index];
        if self.calls.is_open(structure.name.loc) {
            self.error(
                Diagnostic::error(
                    Code::UnsupportedSyntax,
                    name.loc,
                    format!("the struct `{}` contains itself", structure.name.text),
                )
                .help("remove the field: a value has a size that is known"),
            );
            return Ty::Error;
        }
        match self.generic_arguments(name, &structure.generics, arguments) {
            Some(values) => self.struct_with(index, name.loc, values),
            None => Ty::Error,
        }
    }

    pub(super) fn struct_with(&mut self, index: usize, used: Loc, arguments: Vec<Value>) -> Ty {
        let structure = &self.library.structs[index];
        let saved = self.enter_item(structure.scope);
        self.bind_generics(&structure.generics, &arguments);
        self.calls.open(&structure.name, used, self.exprs.len());
        let fields = structure.fields.iter();
        let fields = fields.map(|(_, ty)| self.annotation(ty)).collect();
        self.calls.close(self.exprs.len());
        self.leave_item(saved);
        let structure = StructTy {
            index,
            name: structure.name.text.clone(),
            arguments,
        };
        Ty::Struct(structure, fields)
    }

    /// Binds the generics of the `impl` that contains a constant, as far as the type `this`
    /// determines them.
    pub(super) fn bind_owner(&mut self, constant: &Constant, this: Ty) {
        if let (Some(declared), Ty::Struct(..)) = (&constant.owner, &this) {
            let mut bound = vec![None; constant.generics.len()];
            super::inline::infer(declared, &this, &constant.generics, &mut bound);
            let bindings = constant.generics.iter().zip(bound);
            let (generics, values): (Vec<_>, Vec<_>) = bindings
                .filter_map(|(generic, value)| Some((generic.clone(), value?)))
                .unzip();
            self.bind_generics(&generics, &values);
        }
        self.scopes.set_this(this);
    }

    /// Checks `Name { field: value, ..base }`.
    pub(super) fn struct_value(
        &mut self,
        name: &Name,
        written: &[(Name, ast::Expr)],
        base: Option<&ast::Expr>,
        wanted: Option<Ty>,
        loc: Loc,
    ) -> ExprId {
        let wanted = wanted.filter(|wanted| self.is_struct(name, wanted));
        let outset = self.type_before_values(name, written, wanted.as_ref());
        let mut values: Vec<(&Name, Operand<'_>)> = Vec::new();
        for (field, value) in written {
            let declared = outset.as_ref().and_then(|ty| self.field_type(ty, field));
            let id = match declared {
                Some(ty) => self.expr_as(value, &ty),
                None => self.expr(value),
            };
            values.push((field, (id, value)));
        }
        let base = base.map(|base| match &wanted {
            Some(ty) => (self.expr_as(base, ty), base),
            None => (self.expr(base), base),
        });
        let Some(ty) = self.literal_type(name, &values, base, wanted.as_ref()) else {
            return self.poison(loc);
        };
        let Ty::Struct(structure, fields) = &ty else {
            return self.poison(loc);
        };
        let library = self.library;
        let declared = &library.structs[structure.index];
        let are_fields = self.has_fields(declared, &values);
        let mut stmts = Vec::new();
        let (mut parts, have_types) = self.written_parts(declared, fields, &values, &mut stmts);
        let mut fine = are_fields && have_types;
        if let Some((id, base)) = base {
            fine &= self.expect(&ty, (id, base), || {
                "the rest of the fields comes from a value of the same type".to_owned()
            });
            if fine {
                let whole = self.new_local("", ty.clone(), false, base.loc);
                stmts.push(Stmt::Bind(whole, id));
                for (i, part) in parts.iter_mut().enumerate() {
                    if part.is_none() {
                        *part = Some(self.part(whole, i, fields[i].clone(), base.loc));
                    }
                }
            }
        } else {
            // Fields with errors are not reported as missing.
            fine = fine && self.has_every_field(declared, &parts, name);
        }
        let parts: Option<Vec<ExprId>> = parts.into_iter().collect();
        let Some(parts) = parts.filter(|_| fine) else {
            return self.poison(loc);
        };
        let tuple = self.push(ExprKind::Tuple(parts), ty.clone(), loc);
        if stmts.is_empty() {
            return tuple;
        }
        let block = Block {
            stmts,
            tail: Some(tuple),
        };
        self.push(ExprKind::Block(block), ty, loc)
    }

    /// Returns the type of a struct literal as far as it is known before the values are checked, so that they
    /// may depend on it.
    fn type_before_values(
        &mut self,
        name: &Name,
        written: &[(Name, ast::Expr)],
        wanted: Option<&Ty>,
    ) -> Option<Ty> {
        let mut values = written.iter().map(|(_, value)| value);
        match (wanted, self.item(&name.text)) {
            (None, _) if name.text == "Self" => self.scopes.this().cloned(),
            (None, Some(Def::Struct(index)))
                if self.library.structs[index].generics.is_empty()
                    && values.any(super::expectation::matters) =>
            {
                Some(self.struct_type(index, name, &[]))
            }
            (wanted, _) => wanted.cloned(),
        }
    }

    /// Returns the values that are written for the fields of a struct, in the order of the fields, and `true` if
    /// they have the types of the fields. Values are evaluated in the order in which they are written, which may
    /// be another one: `stmts` gets the statements for that.
    fn written_parts(
        &mut self,
        declared: &Struct,
        fields: &[Ty],
        values: &[(&Name, Operand<'_>)],
        stmts: &mut Vec<Stmt>,
    ) -> (Vec<Option<ExprId>>, bool) {
        let mut fine = true;
        let mut parts = vec![None; declared.fields.len()];
        for (field, (id, value)) in values {
            let mut places = declared.fields.iter();
            let Some(i) = places.position(|(name, _)| name.text == field.text) else {
                continue;
            };
            let text = &field.text;
            fine &= self.expect(&fields[i], (*id, value), || {
                format!("the field `{text}` has this type")
            });
            parts[i] = Some(self.kept(*id, stmts));
        }
        (parts, fine)
    }

    /// Checks that the struct declares each field that is written, and that none is written twice.
    fn has_fields(&mut self, declared: &Struct, values: &[(&Name, Operand<'_>)]) -> bool {
        let mut fine = true;
        for (i, (field, _)) in values.iter().enumerate() {
            let is_declared = declared
                .fields
                .iter()
                .any(|(name, _)| name.text == field.text);
            let again = values[..i]
                .iter()
                .any(|(other, _)| other.text == field.text);
            if !is_declared || again {
                fine = false;
                self.wrong_field(declared, field, again);
            }
        }
        fine
    }

    /// Checks that every field has a value.
    fn has_every_field(
        &mut self,
        declared: &Struct,
        parts: &[Option<ExprId>],
        name: &Name,
    ) -> bool {
        let missing: Vec<&str> = declared
            .fields
            .iter()
            .zip(parts)
            .filter(|(_, part)| part.is_none())
            .map(|((name, _), _)| name.text.as_str())
            .collect();
        if missing.is_empty() {
            return true;
        }
        self.error(
            Diagnostic::error(
                Code::BadArguments,
                name.loc,
                format!(
                    "`{}` has no value for the field `{}`",
                    name.text,
                    missing.join("`, `")
                ),
            )
            .help(format!("add `{}: ..`", missing.join(": .., "))),
        );
        false
    }

    /// Returns `true` if a type is the struct of this name.
    fn is_struct(&self, name: &Name, ty: &Ty) -> bool {
        match (ty, self.item(&name.text)) {
            (Ty::Struct(structure, _), Some(Def::Struct(index))) => structure.index == index,
            _ => false,
        }
    }

    /// Returns the type of a field.
    fn field_type(&self, ty: &Ty, field: &Name) -> Option<Ty> {
        let Ty::Struct(structure, types) = ty else {
            return None;
        };
        let mut fields = self.library.structs[structure.index].fields.iter();
        let i = fields.position(|(name, _)| name.text == field.text)?;
        types.get(i).cloned()
    }

    /// Binds a value to a temporary variable, and returns a read of that variable.
    fn kept(&mut self, id: ExprId, stmts: &mut Vec<Stmt>) -> ExprId {
        let (ty, loc) = (self.ty(id), self.loc(id));
        let constant = self.constant(id);
        let local = self.new_local("", ty.clone(), false, loc);
        self.locals[local.index()].constant = constant;
        self.initial.insert(local, id);
        stmts.push(Stmt::Bind(local, id));
        self.push(ExprKind::Local(local), ty, loc)
    }

    /// Returns the type of a struct literal, whose generics follow from the fields.
    fn literal_type(
        &mut self,
        name: &Name,
        values: &[(&Name, Operand<'_>)],
        base: Option<Operand<'_>>,
        wanted: Option<&Ty>,
    ) -> Option<Ty> {
        if name.text == "Self" {
            return self.scopes.this().cloned();
        }
        let index = match self.item(&name.text) {
            Some(Def::Struct(index)) => index,
            Some(Def::Alias(_)) => return self.item_type(name, &[]),
            Some(Def::Invalid) => return None,
            Some(Def::Function(_) | Def::Constant(_)) | None => {
                self.error(
                    Diagnostic::error(
                        Code::UnknownName,
                        name.loc,
                        format!("a kernel does not know the struct `{}`", name.text),
                    )
                    .note("a kernel sees the structs of its `#[tile_kernel] mod`, and those of a `#[tile_fn] mod`")
                    .help("put the struct and the kernel into one `#[tile_kernel] mod`"),
                );
                return None;
            }
        };
        let library = self.library;
        let structure = &library.structs[index];
        if structure.generics.is_empty() {
            return Some(self.struct_type(index, name, &[]));
        }
        if let Some((id, _)) = base {
            return Some(self.ty(id));
        }
        let mut bound = vec![None; structure.generics.len()];
        for (field, (id, _)) in values {
            let mut fields = structure.fields.iter();
            if let Some((_, ty)) = fields.find(|(name, _)| name.text == field.text) {
                let value = self.ty(*id);
                super::inline::infer(ty, &value, &structure.generics, &mut bound);
            }
        }
        if let Some(Ty::Struct(wanted, _)) = wanted {
            for (value, wanted) in bound.iter_mut().zip(&wanted.arguments) {
                value.get_or_insert(*wanted);
            }
        }
        let arguments: Option<Vec<Value>> = bound.into_iter().collect();
        if let Some(arguments) = arguments {
            return Some(self.struct_with(index, name.loc, arguments));
        }
        if !values.iter().any(|(_, (id, _))| self.ty(*id).is_error()) {
            self.error(
                Diagnostic::error(
                    Code::BadArguments,
                    name.loc,
                    format!(
                        "the fields do not say what the generics of `{}` are",
                        name.text
                    ),
                )
                .help(format!(
                    "say it where the value goes, as in `let value: {}<..> = ..`",
                    name.text
                )),
            );
        }
        None
    }

    fn wrong_field(&mut self, structure: &Struct, field: &Name, again: bool) {
        let name = &structure.name.text;
        let candidates = structure.fields.iter().map(|(name, _)| name.text.as_str());
        let (message, help) = if again {
            (
                format!("the field `{}` has two values", field.text),
                "remove one of them".to_owned(),
            )
        } else {
            let help = if let Some(known) = nearest(&field.text, candidates.clone()) {
                format!("write `{known}`")
            } else {
                let names: Vec<&str> = candidates.collect();
                format!("the fields are `{}`", names.join("`, `"))
            };
            (format!("`{name}` has no field `{}`", field.text), help)
        };
        self.error(Diagnostic::error(Code::UnknownName, field.loc, message).help(help));
    }

    /// Checks `value.name`.
    pub(super) fn member(&mut self, value: &ast::Expr, name: &Name, loc: Loc) -> ExprId {
        let id = self.expr(value);
        match self.ty(id) {
            Ty::Struct(structure, fields) => {
                let library = self.library;
                let declared = &library.structs[structure.index];
                let mut places = declared.fields.iter();
                match places.position(|(field, _)| field.text == name.text) {
                    Some(i) => self.push(ExprKind::Field(id, i), fields[i].clone(), loc),
                    None if declared.associated.contains_key(&name.text) => {
                        self.error(
                            Diagnostic::error(
                                Code::UnknownName,
                                name.loc,
                                format!("`{}` is a method", name.text),
                            )
                            .help(format!(
                                "call it: write `{}.{}(..)`",
                                ast::operand_text(value),
                                name.text
                            )),
                        );
                        self.poison(loc)
                    }
                    None => {
                        self.wrong_field(declared, name, false);
                        self.poison(loc)
                    }
                }
            }
            Ty::Error | Ty::Never => self.poison(loc),
            other => {
                let shown = self.show(&other);
                let help = match &other {
                    Ty::Tuple(_) => "write a part by its number, as in `.0`".to_owned(),
                    Ty::Tensor(_) if name.text == "shape" || name.text == "len" => {
                        format!("write `{}.dim(0)`", ast::operand_text(value))
                    }
                    _ => format!("write `{}` itself", ast::text(value)),
                };
                self.error(
                    Diagnostic::error(
                        Code::UnknownName,
                        name.loc,
                        format!("`{shown}` has no field `{}`", name.text),
                    )
                    .help(help),
                );
                self.poison(loc)
            }
        }
    }

    /// Checks `receiver.name(..)` on a struct.
    pub(super) fn struct_method(
        &mut self,
        structure: &StructTy,
        receiver: Operand<'_>,
        name: &Name,
        generics: &[GenericArg],
        args: &[ast::Expr],
        loc: Loc,
    ) -> ExprId {
        let library = self.library;
        let declared = &library.structs[structure.index];
        match declared.associated.get(&name.text) {
            Some(Def::Function(index)) if library.functions[*index].receiver == Receiver::Value => {
                let call = Call {
                    name,
                    this: Some(Owner::from_struct(structure)),
                    wanted: None,
                    generics,
                    receiver: Some(receiver),
                    args,
                    loc,
                };
                self.inline(&library.functions[*index], &call)
            }
            Some(_) => {
                self.error(
                    Diagnostic::error(
                        Code::UnknownName,
                        name.loc,
                        format!("`{}` takes no `self`", name.text),
                    )
                    .help(format!("write `{}::{}(..)`", declared.name.text, name.text)),
                );
                self.poison(loc)
            }
            None => {
                for arg in args {
                    self.expr(arg);
                }
                let candidates = declared.associated.keys().map(String::as_str);
                let help = match nearest(&name.text, candidates) {
                    Some(known) => format!("write `.{known}(..)`"),
                    None => format!("write it in an `impl {}`", declared.name.text),
                };
                self.error(
                    Diagnostic::error(
                        Code::UnknownName,
                        name.loc,
                        format!("`{}` has no method `{}`", declared.name.text, name.text),
                    )
                    .help(help),
                );
                self.poison(loc)
            }
        }
    }

    /// Replaces struct types by tuples, the only form that HIR has.
    pub(super) fn forget_structs(&mut self) {
        for expr in &mut self.exprs {
            expr.ty = plain(&expr.ty);
        }
        for local in &mut self.locals {
            local.ty = plain(&local.ty);
        }
    }
}

/// Returns a type without struct names.
pub(super) fn plain(ty: &Ty) -> Ty {
    match ty {
        Ty::Tuple(parts) | Ty::Struct(_, parts) => Ty::Tuple(parts.iter().map(plain).collect()),
        Ty::Scalar(_)
        | Ty::Tile(..)
        | Ty::Tensor(_)
        | Ty::Partition(_)
        | Ty::Pointer(_)
        | Ty::Never
        | Ty::Error => ty.clone(),
    }
}
