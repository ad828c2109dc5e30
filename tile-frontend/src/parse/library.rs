//! Parses the items that a kernel may name besides those of the language: functions, constants and
//! types with `#[tile_fn]`, and the items of its own module.
//!
//! The token units become a [`Library`] of parsed items in which each unit is a scope. A scope maps
//! whole paths, as the author wrote them, to definitions.

use super::ast::{Block, Expr, Name, Pat, Type};
use super::{Cx, expr, function, ty};
use crate::collect::bundle::{Health, Link, Unit};
use crate::hir::signature::HostScalar;
use std::collections::BTreeMap;
use syn::ext::IdentExt;

/// All items, and the scopes that they are in.
#[derive(Debug, Default)]
pub(crate) struct Library {
    /// One scope per unit; the scope of the kernel is the first.
    pub(crate) scopes: Vec<Scope>,
    /// Functions and methods.
    pub(crate) functions: Vec<Function>,
    /// Constants.
    pub(crate) constants: Vec<Constant>,
    /// `type` items.
    pub(crate) aliases: Vec<Alias>,
    /// Structs.
    pub(crate) structs: Vec<Struct>,
}

/// The index of a scope in a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScopeId(pub(crate) usize);

/// The names of a unit.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Definitions by path.
    pub(crate) names: BTreeMap<String, Def>,
}

/// The meaning of a name: an index into a list of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Def {
    /// A function.
    Function(usize),
    /// A constant.
    Constant(usize),
    /// A `type` item.
    Alias(usize),
    /// A struct.
    Struct(usize),
    /// An item with errors, which are reported at its definition.
    Invalid,
}

/// A generic parameter.
#[derive(Clone, Debug)]
pub(crate) enum Generic {
    /// `T: Element`
    Type(Name),
    /// `const N: usize`
    Const(Name, HostScalar),
}

impl Generic {
    /// Returns the name of the parameter.
    pub(crate) fn name(&self) -> &Name {
        match self {
            Generic::Type(name) | Generic::Const(name, _) => name,
        }
    }
}

/// A function that is inlined where it is called.
#[derive(Debug)]
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: Name,
    /// The scope of its body.
    pub(crate) scope: ScopeId,
    /// The generics of the enclosing `impl`, followed by its own.
    pub(crate) generics: Vec<Generic>,
    /// The number of generics that belong to the `impl`.
    pub(crate) outer_generics: usize,
    /// The meaning of `Self`.
    pub(crate) owner: Option<Type>,
    /// The kind of the first parameter.
    pub(crate) receiver: Receiver,
    /// Parameters with their types.
    pub(crate) params: Vec<(Pat, Type)>,
    /// The return type; `()` if none is written.
    pub(crate) output: Type,
    /// `Const` if constants may call it.
    pub(crate) constness: Constness,
    /// `Unsafe` if callers have to uphold a contract.
    pub(crate) safety: Safety,
    /// The statements.
    pub(crate) body: Block,
}

/// The way a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Receiver {
    /// The function is called by its path.
    None,
    /// The function is called as a method: the first parameter is `self`.
    Value,
}

/// The callability of a function from constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constness {
    /// `fn`
    Runtime,
    /// `const fn`
    Const,
}

/// The safety of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// `fn`
    Safe,
    /// `unsafe fn`
    Unsafe,
}

/// `const NAME: ty = value;`
#[derive(Debug)]
pub(crate) struct Constant {
    /// Its name.
    pub(crate) name: Name,
    /// The scope of its value.
    pub(crate) scope: ScopeId,
    /// The generics of the enclosing `impl`.
    pub(crate) generics: Vec<Generic>,
    /// The meaning of `Self`.
    pub(crate) owner: Option<Type>,
    /// Its type.
    pub(crate) ty: Type,
    /// Its value.
    pub(crate) value: Expr,
}

/// `type Name = ty;`
#[derive(Debug)]
pub(crate) struct Alias {
    /// Its name.
    pub(crate) name: Name,
    /// The scope of its type.
    pub(crate) scope: ScopeId,
    /// Its generics.
    pub(crate) generics: Vec<Generic>,
    /// The aliased type.
    pub(crate) ty: Type,
}

/// `struct Name { field: ty }`
#[derive(Debug)]
pub(crate) struct Struct {
    /// Its name.
    pub(crate) name: Name,
    /// The scope of its fields.
    pub(crate) scope: ScopeId,
    /// Its generics.
    pub(crate) generics: Vec<Generic>,
    /// Fields with their types.
    pub(crate) fields: Vec<(Name, Type)>,
    /// Methods, associated functions and constants.
    pub(crate) associated: BTreeMap<String, Def>,
}

/// Returns the name of an element of a constant array, which no source can contain.
pub(crate) fn element_name(array: &str, index: usize) -> String {
    format!("{array}[{index}]")
}

/// Parses the items of all units. The first unit is that of the kernel; on return, `cx` is in the
/// scope of this unit.
pub(crate) fn library(cx: &mut Cx<'_>, units: &[Unit]) -> Library {
    let mut library = Library::default();
    let files: Vec<Vec<syn::Item>> = units
        .iter()
        .map(|unit| match unit.health {
            Health::Sound => syn::parse2::<syn::File>(unit.items.clone())
                .map_or_else(|_| Vec::new(), |file| file.items),
            Health::HasErrors => Vec::new(),
        })
        .collect();
    for (file_index, file) in files.iter().enumerate() {
        library.scopes.push(Scope::default());
        enter(cx, units, &files, file_index);
        items(cx, file, ScopeId(file_index), &mut library);
    }
    enter(cx, units, &files, 0);
    for (file_index, unit) in units.iter().enumerate() {
        for link in &unit.links {
            let arrays = arrays_of(units, &files, link);
            for at_element in 0..arrays.unwrap_or(0) {
                let target = units.iter().position(|unit| unit.id == link.target.unit);
                let name = element_name(&link.target.name, at_element);
                let def = target.and_then(|target| library.scopes[target].names.get(&name));
                if let Some(&def) = def {
                    let path = element_name(&link.path, at_element);
                    library.scopes[file_index].names.insert(path, def);
                }
            }
            let def = units
                .iter()
                .position(|unit| unit.id == link.target.unit)
                .and_then(|unit| library.scopes[unit].names.get(&link.target.name))
                .copied()
                .unwrap_or(Def::Invalid);
            library.scopes[file_index]
                .names
                .insert(link.path.clone(), def);
        }
    }
    library
}

/// Makes `cx` resolve names of types and arrays in the scope of a unit.
fn enter(cx: &mut Cx<'_>, units: &[Unit], files: &[Vec<syn::Item>], unit_index: usize) {
    cx.items.clear();
    cx.arrays.clear();
    cx.structs.clear();
    let Some(unit) = units.get(unit_index) else {
        return;
    };
    for item in &files[unit_index] {
        if let Some(ident) = name_of(item) {
            cx.items.insert(ident.unraw().to_string());
        }
        if let Some((name, length)) = array(item) {
            cx.arrays.insert(name, length);
        }
        if let Some((name, fields)) = fields(item) {
            cx.structs.insert(name, fields);
        }
    }
    for link in &unit.links {
        cx.items.insert(link.path.clone());
        if let Some(length) = arrays_of(units, files, link) {
            cx.arrays.insert(link.path.clone(), length);
        }
        let target = units.iter().position(|unit| unit.id == link.target.unit);
        let items = target.map_or(&[][..], |target| &files[target]);
        let mut structs = items.iter().filter_map(fields);
        if let Some((_, fields)) = structs.find(|(name, _)| *name == link.target.name) {
            cx.structs.insert(link.path.clone(), fields);
        }
    }
}

/// Returns the name and the fields of a struct.
fn fields(item: &syn::Item) -> Option<(String, Vec<String>)> {
    let syn::Item::Struct(item) = item else {
        return None;
    };
    let fields = item.fields.iter().filter_map(|field| {
        let ident = field.ident.as_ref()?;
        Some(ident.unraw().to_string())
    });
    Some((item.ident.unraw().to_string(), fields.collect()))
}

/// Returns the length of the constant array that a link refers to.
fn arrays_of(units: &[Unit], files: &[Vec<syn::Item>], link: &Link) -> Option<usize> {
    let unit = units.iter().position(|unit| unit.id == link.target.unit)?;
    files[unit].iter().find_map(|item| {
        let (name, length) = array(item)?;
        (name == link.target.name).then_some(length)
    })
}

/// Returns the name of an item that a kernel can use.
pub(crate) fn name_of(item: &syn::Item) -> Option<&proc_macro2::Ident> {
    match item {
        syn::Item::Fn(item) => Some(&item.sig.ident),
        syn::Item::Const(item) => Some(&item.ident),
        syn::Item::Type(item) => Some(&item.ident),
        syn::Item::Struct(item) => Some(&item.ident),
        _ => None,
    }
}

/// Returns the name and the length of a constant array.
fn array(item: &syn::Item) -> Option<(String, usize)> {
    let syn::Item::Const(item) = item else {
        return None;
    };
    let length = match expr::sole_expression(&item.expr)? {
        syn::Expr::Array(array) => array.elems.len(),
        syn::Expr::Repeat(repeat) => match expr::sole_expression(&repeat.len)? {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(length),
                ..
            }) => length.base10_parse::<usize>().ok().filter(|&n| n <= 64)?,
            _ => return None,
        },
        _ => return None,
    };
    Some((item.ident.unraw().to_string(), length))
}

/// Adds items to a scope. Items of other kinds are not part of a unit: `collect::members` leaves
/// them to the host.
fn items(cx: &mut Cx<'_>, items: &[syn::Item], scope: ScopeId, library: &mut Library) {
    for item in items {
        let (name, def) = match item {
            syn::Item::Fn(item) => {
                let function = function::function(cx, item, scope);
                library.functions.push(function);
                (&item.sig.ident, Def::Function(library.functions.len() - 1))
            }
            syn::Item::Const(constant) if array(item).is_some() => {
                for (index, element) in function::elements(cx, constant, scope)
                    .into_iter()
                    .enumerate()
                {
                    let name = element_name(&element.name.text, index);
                    library.constants.push(element);
                    let def = Def::Constant(library.constants.len() - 1);
                    library.scopes[scope.0].names.insert(name, def);
                }
                continue;
            }
            syn::Item::Const(item) => {
                let constant = function::constant(cx, item, scope);
                library.constants.push(constant);
                (&item.ident, Def::Constant(library.constants.len() - 1))
            }
            syn::Item::Type(item) => {
                let generics = function::generics(cx, &item.generics);
                let ty = ty::ty(cx, &item.ty);
                let name = cx.name(&item.ident);
                library.aliases.push(Alias {
                    name,
                    scope,
                    generics,
                    ty,
                });
                (&item.ident, Def::Alias(library.aliases.len() - 1))
            }
            syn::Item::Struct(item) => {
                let structure = function::structure(cx, item, scope);
                library.structs.push(structure);
                (&item.ident, Def::Struct(library.structs.len() - 1))
            }
            _ => continue,
        };
        let name = name.unraw().to_string();
        library.scopes[scope.0].names.insert(name, def);
    }
    for item in items {
        if let syn::Item::Impl(item) = item {
            function::implementation(cx, item, scope, library);
        }
    }
}
