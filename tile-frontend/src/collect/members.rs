//! Classifies the items of a module, or the single item of a `#[tile_fn]`, by their treatment.
//!
//! Kernels are compiled. Functions, constants, `type` items and structs with their `impl` blocks
//! can be named by kernels. Everything else belongs to the host and remains as written.

use super::free::{self, FreePath};
use super::task::Kind;
use crate::check::{is_language_function, is_language_method, is_language_type};
use crate::emit::tile_fn;
use crate::hir::signature::HostScalar;
use crate::parse::library::name_of;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use tile_backend::session::Environment;

/// The attribute of an item whose errors are already reported. It is passed along with the item and
/// never reaches rustc.
pub(crate) const FAULTY: &str = "__tile_faulty";

/// Items by class.
pub(crate) struct Members {
    kernels: Vec<syn::ItemFn>,
    usable: Vec<syn::Item>,
    host: Vec<syn::Item>,
    /// Items with the attribute [`FAULTY`].
    faulty: Vec<syn::Item>,
}

/// An item that a macro of the same name exports.
pub(crate) struct Exported<'m> {
    /// Its name.
    pub(crate) ident: &'m Ident,
    /// Its visibility.
    pub(crate) vis: &'m syn::Visibility,
    /// Its attributes.
    pub(crate) attrs: &'m [syn::Attribute],
}

fn is_ours(attr: &syn::Attribute, name: &str) -> bool {
    attr.path()
        .segments
        .last()
        .is_some_and(|last| last.ident == name)
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        _ => &[],
    }
}

/// Marks an item whose errors are reported.
pub(crate) fn mark(item: &mut syn::Item) {
    let attrs = match item {
        syn::Item::Fn(item) => &mut item.attrs,
        syn::Item::Const(item) => &mut item.attrs,
        syn::Item::Type(item) => &mut item.attrs,
        syn::Item::Struct(item) => &mut item.attrs,
        _ => return,
    };
    let marker = Ident::new(FAULTY, Span::call_site());
    attrs.push(syn::parse_quote!(#[#marker]));
}

fn without_ours(mut item: syn::Item) -> syn::Item {
    let attrs = match &mut item {
        syn::Item::Fn(item) => &mut item.attrs,
        syn::Item::Const(item) => &mut item.attrs,
        syn::Item::Type(item) => &mut item.attrs,
        syn::Item::Struct(item) => &mut item.attrs,
        _ => return item,
    };
    attrs.retain(|attr| !is_ours(attr, "tile_fn") && !is_ours(attr, FAULTY));
    item
}

/// Returns the options and the function of a kernel, or `None` for other functions.
fn taken_apart(kernel: &syn::ItemFn) -> Option<(TokenStream, TokenStream)> {
    let mut kernel = kernel.clone();
    let mut attrs = kernel.attrs.iter();
    let index = attrs.position(|attr| is_ours(attr, "tile_kernel"))?;
    let options = match kernel.attrs.remove(index).meta {
        syn::Meta::List(list) => list.tokens,
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => TokenStream::new(),
    };
    Some((options, kernel.into_token_stream()))
}

impl Members {
    /// Classifies items.
    pub(crate) fn new(items: Vec<syn::Item>) -> Self {
        let mut members = Self {
            kernels: Vec::new(),
            usable: Vec::new(),
            host: Vec::new(),
            faulty: Vec::new(),
        };
        for item in items {
            if attributes(&item).iter().any(|attr| is_ours(attr, FAULTY)) {
                members.faulty.push(without_ours(item));
                continue;
            }
            match item {
                syn::Item::Fn(item) if item.attrs.iter().any(|a| is_ours(a, "tile_kernel")) => {
                    members.kernels.push(item);
                }
                item @ (syn::Item::Fn(_)
                | syn::Item::Const(_)
                | syn::Item::Type(_)
                | syn::Item::Struct(_)
                | syn::Item::Impl(_)) => {
                    let anonymous = name_of(&item).is_some_and(|ident| ident == "_");
                    if anonymous {
                        members.host.push(item);
                    } else {
                        members.usable.push(without_ours(item));
                    }
                }
                other => members.host.push(other),
            }
        }
        members
    }

    /// Returns the attribute and the function of each kernel.
    pub(crate) fn kernels(&self) -> Vec<(TokenStream, TokenStream)> {
        self.kernels.iter().filter_map(taken_apart).collect()
    }

    /// Returns the attribute and the function of each kernel whose errors are already reported.
    pub(crate) fn kernels_with_errors(&self) -> Vec<(TokenStream, TokenStream)> {
        let functions = self.faulty.iter().filter_map(|item| match item {
            syn::Item::Fn(function) => Some(function),
            _ => None,
        });
        functions.filter_map(taken_apart).collect()
    }

    /// Returns the names of items for kernels whose errors are already reported.
    pub(crate) fn names_with_errors(&self) -> Vec<String> {
        let names = self.faulty.iter().filter_map(name_of);
        names.map(|ident| ident.unraw().to_string()).collect()
    }

    /// Returns the items with errors that the macros of a `#[tile_fn]` module export. Names that a
    /// kernel could not use are left out, since they are never queried.
    pub(crate) fn members_with_errors(&self) -> Members {
        let right = |item: &&syn::Item| {
            name_of(item)
                .is_some_and(|ident| name_error(item, &ident.unraw().to_string()).is_none())
        };
        Members::new(self.faulty.iter().filter(right).cloned().collect())
    }

    /// Returns the items that kernels can name, as the items of a unit.
    pub(crate) fn unit_tokens(&self) -> TokenStream {
        self.usable.iter().map(ToTokens::to_token_stream).collect()
    }

    /// Returns the host's items. An import that only kernels use looks unused to rustc.
    pub(crate) fn host_tokens(&self) -> TokenStream {
        let item = |item: &syn::Item| match item {
            syn::Item::Use(item) => quote!(#[allow(unused_imports)] #item),
            other => other.to_token_stream(),
        };
        self.host.iter().map(item).collect()
    }

    /// Returns the host's view of the items that kernels can name.
    pub(crate) fn stubs(&self) -> TokenStream {
        let stub = if Environment::read().is_rust_analyzer() {
            crate::emit::shadow_of_helper
        } else {
            tile_fn::stub
        };
        self.usable.iter().map(stub).collect()
    }

    /// Returns the stubs without constants that have an error, which rustc would report again.
    pub(crate) fn stubs_without(&self, errors: Option<&syn::Error>) -> TokenStream {
        let errors: Vec<_> = errors
            .into_iter()
            .flat_map(|errors| errors.clone().into_iter())
            .map(|error| error.span().start())
            .collect();
        let was_reported = |item: &&syn::Item| {
            let span = syn::spanned::Spanned::span(*item);
            matches!(item, syn::Item::Const(_))
                && errors
                    .iter()
                    .any(|error_start| span.start() <= *error_start && *error_start <= span.end())
        };
        let sound = self.usable.iter().filter(|item| !was_reported(item));
        Self {
            kernels: Vec::new(),
            usable: sound.cloned().collect(),
            host: Vec::new(),
            faulty: Vec::new(),
        }
        .stubs()
    }

    /// Returns a name for the unit.
    pub(crate) fn first_name(&self) -> String {
        self.usable
            .iter()
            .find_map(name_of)
            .map_or_else(String::new, |ident| ident.unraw().to_string())
    }

    /// Returns every item that a macro exports.
    pub(crate) fn exported(&self) -> Vec<Exported<'_>> {
        self.usable
            .iter()
            .filter_map(|item| {
                let (vis, ident) = match item {
                    syn::Item::Fn(item) => (&item.vis, &item.sig.ident),
                    syn::Item::Const(item) => (&item.vis, &item.ident),
                    syn::Item::Type(item) => (&item.vis, &item.ident),
                    syn::Item::Struct(item) => (&item.vis, &item.ident),
                    _ => return None,
                };
                Some(Exported {
                    ident,
                    vis,
                    attrs: attributes(item),
                })
            })
            .collect()
    }

    fn own_names(&self) -> BTreeSet<String> {
        let names = self.usable.iter().chain(&self.faulty).filter_map(name_of);
        names.map(|ident| ident.unraw().to_string()).collect()
    }

    /// Returns the names of items whose errors [`Members::check`] reports; the remaining items can
    /// be processed without those items.
    pub(crate) fn refused_names(&self) -> BTreeSet<String> {
        let named = self.usable.iter().filter_map(|item| {
            let name = name_of(item)?.unraw().to_string();
            name_error(item, &name).is_some().then_some(name)
        });
        let cycles = self.cycles().into_iter().flat_map(|(_, cycle)| cycle);
        named.chain(cycles).collect()
    }

    /// Returns the free paths of the module.
    pub(crate) fn paths(&self) -> Vec<FreePath> {
        let own_names = self.own_names();
        let mut paths = Vec::new();
        for kernel in &self.kernels {
            paths.extend(free::function_paths(kernel));
            for attr in kernel.attrs.iter().filter(|a| is_ours(a, "tile_kernel")) {
                if let syn::Meta::List(list) = &attr.meta {
                    paths.extend(option_paths(&list.tokens, &kernel.sig.generics));
                }
            }
        }
        for item in &self.usable {
            paths.extend(paths_of(item));
        }
        let paths = paths
            .into_iter()
            .filter(|path| !own_names.contains(&path.text));
        free::unique(paths)
    }

    /// Checks names and attributes.
    pub(crate) fn check(&self, kind: Kind) -> syn::Result<()> {
        let mut compile_errors: Option<syn::Error> = None;
        let mut report = |span: Span, message: String| {
            let error = syn::Error::new(span, message);
            match &mut compile_errors {
                Some(compile_errors) => compile_errors.combine(error),
                None => compile_errors = Some(error),
            }
        };
        if kind == Kind::Helper {
            for kernel in &self.kernels {
                report(
                    kernel.sig.ident.span(),
                    "[T0101] a `#[tile_fn]` module cannot contain a kernel\n= help: write `#[tile_kernel] mod` around kernels and their functions".to_owned(),
                );
            }
        }
        for item in &self.usable {
            for attr in attributes(item) {
                if attr.path().is_ident("cfg") && self.usable.len() + self.kernels.len() > 1 {
                    report(
                        syn::spanned::Spanned::span(attr),
                        "[T0101] `#[cfg]` is not allowed on an item that the kernels of a module share\n= note: the module is read before rustc decides what exists\n= help: put the item outside, under `#[tile_fn]` and the `#[cfg]`".to_owned(),
                    );
                }
            }
            if let Some(ident) = name_of(item)
                && let Some(compile_error) = name_error(item, &ident.unraw().to_string())
            {
                report(ident.span(), compile_error);
            }
        }
        for (ident, cycle) in self.cycles() {
            report(ident.span(), cycle_message(&cycle));
        }
        match compile_errors {
            Some(compile_errors) => Err(compile_errors),
            None => Ok(()),
        }
    }

    /// Returns one call per cycle of recursive functions, with the names along the cycle.
    fn cycles(&self) -> Vec<(Ident, Vec<String>)> {
        let mut calls: BTreeMap<String, Vec<FreePath>> = BTreeMap::new();
        for item in &self.usable {
            if let syn::Item::Fn(function) = item {
                let name = function.sig.ident.unraw().to_string();
                calls.insert(name, free::function_paths(function));
            }
        }
        find_cycles(&calls)
    }
}

/// Returns one call per cycle, with the names along it, where the last equals the first.
pub(crate) fn find_cycles(calls: &BTreeMap<String, Vec<FreePath>>) -> Vec<(Ident, Vec<String>)> {
    fn visit(
        name: &str,
        calls: &BTreeMap<String, Vec<FreePath>>,
        way: &mut Vec<String>,
        done: &mut BTreeSet<String>,
        cycles: &mut Vec<(Ident, Vec<String>)>,
    ) {
        if done.contains(name) {
            return;
        }
        way.push(name.to_owned());
        for call in calls.get(name).into_iter().flatten() {
            if call.usage != free::Use::Call {
                continue;
            }
            if let Some(index) = way.iter().position(|name| *name == call.text) {
                let mut cycle = way[index..].to_vec();
                cycle.push(call.text.clone());
                cycles.push((call.ident.clone(), cycle));
            } else if calls.contains_key(&call.text) {
                visit(&call.text, calls, way, done, cycles);
            }
        }
        way.pop();
        done.insert(name.to_owned());
    }
    let mut cycles = Vec::new();
    let mut done = BTreeSet::new();
    for name in calls.keys() {
        visit(name, calls, &mut Vec::new(), &mut done, &mut cycles);
    }
    cycles
}

/// Returns the error message for a recursion.
pub(crate) fn cycle_message(cycle: &[String]) -> String {
    let name = cycle.first().map_or("", String::as_str);
    let (message, note) = if cycle.len() == 2 {
        (format!("`{name}` calls itself"), String::new())
    } else {
        let names: Vec<String> = cycle.iter().map(|name| format!("`{name}`")).collect();
        (
            format!("`{name}` calls itself, over other functions"),
            format!("\n= note: the calls are {}", names.join(", which calls ")),
        )
    };
    format!(
        "[T0101] {message}{note}\n= note: functions are inlined where they are called, so there is no recursion\n= help: write a loop"
    )
}

/// Returns the error message for an unsuitable name.
fn name_error(item: &syn::Item, name: &str) -> Option<String> {
    let refused = |why: &str, help: &str| {
        Some(format!(
            "[T0101] a kernel could not name this `{name}`\n= note: {why}\n= help: {help}"
        ))
    };
    let is_function = matches!(item, syn::Item::Fn(_));
    let another = format!("give the function another name, such as `own_{name}`");
    if is_function && is_language_function(name) {
        return refused("it is a function of the kernel language", &another);
    }
    if is_function && is_language_method(name) {
        return refused(
            &format!(
                "`{name}` is a method of the kernel language, and `{name}(x)` would be taken for it"
            ),
            &another,
        );
    }
    if is_function && free::is_macro_of_std(name) {
        return refused(
            &format!(
                "kernels reach the function over a macro of its name, which would hide `{name}!` of std"
            ),
            &another,
        );
    }
    if is_function && free::is_upper(name) {
        return refused(
            "functions begin with a lower-case letter: that tells them from types",
            &format!("write `{}`", snake(name)),
        );
    }
    if !is_function && !free::is_upper(name) {
        let (what, new) = match item {
            syn::Item::Const(_) => ("constants", name.to_uppercase()),
            _ => ("types", camel(name)),
        };
        return refused(
            &format!("{what} begin with an upper-case letter: that tells them from variables"),
            &format!("write `{new}`"),
        );
    }
    if !is_function && (is_language_type(name) || HostScalar::parse(name).is_some()) {
        return refused(
            "it is a type of the kernel language",
            "give it another name",
        );
    }
    None
}

fn snake(name: &str) -> String {
    let mut text = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && index > 0 {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

/// Converts a name to camel case: `vector_add` becomes `VectorAdd`.
pub(crate) fn camel(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_uppercase().chain(letters).collect()
            })
        })
        .collect()
}

/// Returns the free paths of an item that is not a kernel.
fn paths_of(item: &syn::Item) -> Vec<FreePath> {
    match item {
        syn::Item::Fn(item) => free::function_paths(item),
        syn::Item::Const(item) => {
            let mut paths = free::type_paths(&item.generics, &item.ty);
            paths.extend(free::expr_paths(&item.generics, &item.expr));
            paths
        }
        syn::Item::Type(item) => free::type_paths(&item.generics, &item.ty),
        syn::Item::Struct(item) => item
            .fields
            .iter()
            .flat_map(|field| free::type_paths(&item.generics, &field.ty))
            .collect(),
        syn::Item::Impl(item) => {
            let mut paths = free::type_paths(&item.generics, &item.self_ty);
            for part in &item.items {
                match part {
                    syn::ImplItem::Fn(method) => {
                        paths.extend(free::method_paths(&item.generics, method));
                    }
                    syn::ImplItem::Const(constant) => {
                        paths.extend(free::type_paths(&item.generics, &constant.ty));
                        paths.extend(free::expr_paths(&item.generics, &constant.expr));
                    }
                    _ => {}
                }
            }
            paths
        }
        _ => Vec::new(),
    }
}

/// Returns the free paths of the values in `instances(..)`.
pub(crate) fn option_paths(options: &TokenStream, generics: &syn::Generics) -> Vec<FreePath> {
    let values = crate::args::values(options);
    let defaults = generics.const_params().filter_map(|param| {
        let (_, default) = param.default.as_ref()?;
        Some(default.clone())
    });
    // The value of a type parameter is a number type, not an item.
    let is_type = |name: &Ident| generics.type_params().any(|param| param.ident == *name);
    values
        .into_iter()
        .filter(|(name, _)| !is_type(name))
        .map(|(_, value)| value)
        .chain(defaults)
        .flat_map(|value| free::expr_paths(generics, &value))
        .collect()
}
