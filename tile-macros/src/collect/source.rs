//! What the file around an item says about a name.
//!
//! A proc macro cannot ask rustc what a name means; asking for it is calling a macro,
//! and if there is none, rustc's message speaks of a macro that the author never wrote.
//! So where the file leaves no doubt, the fault is told here in the author's words. It
//! is only an aid: whatever is not certain is left to rustc.

use super::free::FreePath;
use super::members::{cycle_message, find_cycles};
use proc_macro2::Ident;
use std::collections::BTreeMap;
use std::path::PathBuf;
use syn::ext::IdentExt;
use syn::visit::Visit;

/// The paths that may be resolved; the others are left to the checker, which reports
/// what the language does not know.
pub(crate) fn resolvable(paths: Vec<FreePath>, item: &Ident) -> Vec<FreePath> {
    if paths.is_empty() {
        return paths;
    }
    let Some(around) = Around::of(item) else {
        return paths;
    };
    paths
        .into_iter()
        .filter(|path| around.may_have(path))
        .collect()
}

/// Reports a function of the file that calls itself over others of its module.
pub(crate) fn refuse_cycle(item: &Ident, paths: &[FreePath]) -> syn::Result<()> {
    if paths.is_empty() {
        return Ok(());
    }
    let Some(around) = Around::of(item) else {
        return Ok(());
    };
    let own = item.unraw().to_string();
    let mut calls = around.calls();
    calls.insert(own.clone(), paths.to_vec());
    for (_, cycle) in find_cycles(&calls) {
        // The spans of the file are no spans of the crate: report at a call of this item.
        let Some(at) = cycle.iter().position(|name| *name == own) else {
            continue;
        };
        let mut names: Vec<String> = cycle[at..cycle.len() - 1].to_vec();
        names.extend_from_slice(&cycle[..at]);
        names.push(own);
        let next = &names[1];
        if let Some(call) = paths.iter().find(|path| path.text == *next) {
            return Err(syn::Error::new(call.ident.span(), cycle_message(&names)));
        }
        break;
    }
    Ok(())
}

/// Whether an item is a function of an `impl`.
pub(crate) fn is_in_an_impl(item: &Ident) -> bool {
    // What stands at the margin is in nothing.
    if item.span().start().column < 4 {
        return false;
    }
    is_in_an_impl_of_its_file(item).unwrap_or(false)
}

fn is_in_an_impl_of_its_file(item: &Ident) -> Option<bool> {
    let text = std::fs::read_to_string(local_file(item)?).ok()?;
    let name = item.unraw().to_string();
    if !text.contains("impl") || count(&text, &format!("fn {name}")) != 1 {
        return Some(false);
    }
    let mut search = Search { name, found: false };
    search.visit_file(&syn::parse_file(&text).ok()?);
    Some(search.found)
}

/// Looks for a kernel in an `impl`.
struct Search {
    name: String,
    found: bool,
}

impl<'ast> Visit<'ast> for Search {
    fn visit_impl_item_fn(&mut self, method: &'ast syn::ImplItemFn) {
        self.found |= method.sig.ident == self.name && has(&method.attrs, "tile_kernel");
    }
}

/// The module of a file in which an item stands.
struct Around {
    items: Vec<syn::Item>,
}

impl Around {
    /// `None` unless the item is the only one of its name in the file, and stands
    /// in a module under one of our attributes.
    fn of(item: &Ident) -> Option<Self> {
        let path: PathBuf = local_file(item)?;
        let text = std::fs::read_to_string(path).ok()?;
        let name = item.unraw().to_string();
        // One in a macro or in the body of a function may be the one that is meant.
        let declarations = ["fn", "const", "type"]
            .iter()
            .map(|keyword| count(&text, &format!("{keyword} {name}")))
            .sum::<usize>();
        if declarations != 1 {
            return None;
        }
        let file = syn::parse_file(&text).ok()?;
        let mut found = Vec::new();
        modules_with(&name, file.items, &mut found);
        if found.len() == 1 {
            return found.pop().map(|items| Self { items });
        }
        None
    }

    /// Whether a path may lead somewhere, for all that the module shows.
    fn may_have(&self, path: &FreePath) -> bool {
        if path.text.contains("::") {
            return true;
        }
        self.items.iter().any(|item| may_name(item, &path.text))
    }

    /// What the functions under `#[tile_fn]` of the module call.
    fn calls(&self) -> BTreeMap<String, Vec<FreePath>> {
        self.items
            .iter()
            .filter_map(|item| match item {
                syn::Item::Fn(function)
                    if has(&function.attrs, "tile_fn") && !has(&function.attrs, "cfg") =>
                {
                    let name = function.sig.ident.unraw().to_string();
                    Some((name, super::free::of_function(function)))
                }
                _ => None,
            })
            .collect()
    }
}

/// How often a text has some words, not as a part of longer ones.
fn count(text: &str, words: &str) -> usize {
    let is_part = |letter: Option<char>| letter.is_some_and(|it| it.is_alphanumeric() || it == '_');
    text.match_indices(words)
        .filter(|(at, _)| {
            let before = text[..*at].chars().next_back();
            let after = text[at + words.len()..].chars().next();
            !is_part(before) && !is_part(after)
        })
        .count()
}

fn local_file(item: &Ident) -> Option<PathBuf> {
    if !proc_macro::is_available() {
        return None;
    }
    item.span().unwrap().local_file()
}

fn has(attrs: &[syn::Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| {
        attr.path()
            .segments
            .last()
            .is_some_and(|last| last.ident == name)
    })
}

/// The modules that have a function, constant or `type` item of that name under one of
/// our attributes.
fn modules_with(name: &str, items: Vec<syn::Item>, found: &mut Vec<Vec<syn::Item>>) {
    let mut nested = Vec::new();
    let here = items.iter().any(|item| {
        let attrs = match item {
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Const(item) => &item.attrs,
            syn::Item::Type(item) => &item.attrs,
            _ => return false,
        };
        let ours = has(attrs, "tile_kernel") || has(attrs, "tile_fn");
        ours && crate::parse::library::name_of(item).is_some_and(|ident| *ident == name)
    });
    for item in &items {
        if let syn::Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            nested.push(items.clone());
        }
    }
    if here {
        found.push(items);
    }
    for items in nested {
        modules_with(name, items, found);
    }
}

/// Attributes of rustc that change nothing about which names there are.
const PLAIN: [&str; 14] = [
    "allow",
    "deny",
    "warn",
    "expect",
    "forbid",
    "doc",
    "inline",
    "must_use",
    "deprecated",
    "cold",
    "rustfmt",
    "no_mangle",
    "repr",
    "test",
];

fn is_plain(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().all(|attr| {
        attr.path()
            .segments
            .first()
            .is_some_and(|first| PLAIN.iter().any(|plain| first.ident == plain))
    })
}

/// Whether an item may make a name that a kernel can use. What is not certain may.
fn may_name(item: &syn::Item, name: &str) -> bool {
    match item {
        syn::Item::Use(item) => tree_may_name(&item.tree, name),
        // A plain function is no item of a kernel; under an attribute it may be one.
        syn::Item::Fn(item) => {
            !is_plain(&item.attrs) && may_make(&item.attrs, &item.sig.ident, name)
        }
        syn::Item::Const(item) => {
            !is_plain(&item.attrs) && may_make(&item.attrs, &item.ident, name)
        }
        syn::Item::Type(item) => !is_plain(&item.attrs) && may_make(&item.attrs, &item.ident, name),
        syn::Item::Mod(item) => !is_plain(&item.attrs) && !has(&item.attrs, "cfg"),
        syn::Item::Struct(item) => !is_plain(&item.attrs) && !only_std_derives(&item.attrs),
        syn::Item::Enum(item) => !is_plain(&item.attrs) && !only_std_derives(&item.attrs),
        syn::Item::Static(item) => !is_plain(&item.attrs),
        syn::Item::Trait(item) => !is_plain(&item.attrs),
        syn::Item::Impl(item) => !is_plain(&item.attrs),
        syn::Item::ExternCrate(item) => !is_plain(&item.attrs),
        // Anything can come out of a macro.
        _ => true,
    }
}

/// Whether an item under attributes that are not rustc's may make `name`.
fn may_make(attrs: &[syn::Attribute], own: &Ident, name: &str) -> bool {
    let ours = attrs.iter().all(|attr| {
        is_plain(std::slice::from_ref(attr))
            || has(std::slice::from_ref(attr), "cfg")
            || has(std::slice::from_ref(attr), "tile_fn")
            || has(std::slice::from_ref(attr), "tile_kernel")
    });
    if !ours {
        return true;
    }
    // Ours make the name of the item and nothing else.
    *own == name && has(attrs, "tile_fn")
}

fn only_std_derives(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().all(|attr| {
        if is_plain(std::slice::from_ref(attr)) {
            return true;
        }
        if !attr.path().is_ident("derive") {
            return false;
        }
        let mut all_of_std = true;
        let parsed = attr.parse_nested_meta(|meta| {
            all_of_std &= [
                "Clone",
                "Copy",
                "Debug",
                "Default",
                "PartialEq",
                "Eq",
                "PartialOrd",
                "Ord",
                "Hash",
            ]
            .iter()
            .any(|known| meta.path.is_ident(known));
            Ok(())
        });
        parsed.is_ok() && all_of_std
    })
}

fn tree_may_name(tree: &syn::UseTree, name: &str) -> bool {
    match tree {
        syn::UseTree::Path(path) => {
            // The prelude of ours has no functions.
            let prelude = path.ident == "tile_kernel" && is_prelude(&path.tree);
            !prelude && tree_may_name(&path.tree, name)
        }
        syn::UseTree::Name(found) => found.ident == name,
        syn::UseTree::Rename(found) => found.rename == name,
        syn::UseTree::Glob(_) => true,
        syn::UseTree::Group(group) => group.items.iter().any(|tree| tree_may_name(tree, name)),
    }
}

fn is_prelude(tree: &syn::UseTree) -> bool {
    match tree {
        syn::UseTree::Path(path) => {
            path.ident == "prelude" && matches!(*path.tree, syn::UseTree::Glob(_))
        }
        _ => false,
    }
}
