//! Looks up names in the file around an item.
//!
//! A proc macro cannot ask rustc for the meaning of a name. It can only call a macro of that name,
//! and if there is none, rustc's message mentions a macro that the author never wrote. If the file
//! is unambiguous, the error is therefore reported here in the author's terms. Uncertain cases are
//! left to rustc.

use super::free::FreePath;
use super::members::{cycle_message, find_cycles};
use proc_macro2::{Ident, TokenTree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::ext::IdentExt;
use syn::visit::Visit;

/// Returns the paths that may be resolved. The others are left to the checker, which reports
/// unknown names.
pub(crate) fn resolvable(paths: Vec<FreePath>, item: &Ident) -> Vec<FreePath> {
    if paths.is_empty() {
        return paths;
    }
    let Some(around) = Around::find_item(item) else {
        return paths;
    };
    around.resolvable(paths)
}

/// Applies [`resolvable`] to the free paths of a module under one of our attributes.
pub(crate) fn resolvable_of_module(paths: Vec<FreePath>, module: &Ident) -> Vec<FreePath> {
    if paths.is_empty() {
        return paths;
    }
    let Some(around) = Around::find_module(module) else {
        return paths;
    };
    around.resolvable(paths)
}

/// Reports a function of the file that calls itself through other functions of its module.
pub(crate) fn refuse_cycle(item: &Ident, paths: &[FreePath]) -> syn::Result<()> {
    if paths.is_empty() {
        return Ok(());
    }
    let Some(around) = Around::find_item(item) else {
        return Ok(());
    };
    let own_name = item.unraw().to_string();
    let mut calls = around.calls();
    calls.insert(own_name.clone(), paths.to_vec());
    for (_, cycle) in find_cycles(&calls) {
        // Spans of the parsed file are not spans of the crate, so the error is reported at a call
        // in this item.
        let Some(index) = cycle.iter().position(|name| *name == own_name) else {
            continue;
        };
        let mut names: Vec<String> = cycle[index..cycle.len() - 1].to_vec();
        names.extend_from_slice(&cycle[..index]);
        names.push(own_name);
        let next = &names[1];
        if let Some(call) = paths.iter().find(|path| path.text == *next) {
            return Err(syn::Error::new(call.ident.span(), cycle_message(&names)));
        }
        break;
    }
    Ok(())
}

/// Returns `true` if an item is a function of an `impl`.
pub(crate) fn is_in_an_impl(item: &Ident) -> bool {
    // An item at the left margin is not nested.
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

/// Searches for a kernel in an `impl`.
struct Search {
    name: String,
    found: bool,
}

impl<'ast> Visit<'ast> for Search {
    fn visit_impl_item_fn(&mut self, method: &'ast syn::ImplItemFn) {
        self.found |= method.sig.ident == self.name && has(&method.attrs, "tile_kernel");
    }
}

/// The surroundings of an item in its file.
struct Around {
    /// The items of the file.
    file: Vec<syn::Item>,
    /// The names of the modules around the item, from the outermost to the innermost.
    module: Vec<String>,
    /// The items of the enclosing blocks, the innermost first.
    blocks: Vec<Vec<syn::Item>>,
    /// `true` if the file is the root of its crate.
    is_root: bool,
}

impl Around {
    /// Finds an item. Returns `None` unless it is the only item of its name in the file and in a
    /// module with one of our attributes.
    fn find_item(item: &Ident) -> Option<Self> {
        let path: PathBuf = local_file(item)?;
        let text = std::fs::read_to_string(&path).ok()?;
        let name = item.unraw().to_string();
        // Another item of that name in a macro or in the body of a function could be meant.
        Self::found(&path, &text, &name, &["fn", "const", "type"])
    }

    /// Finds a module. Returns `None` unless it is the only module of its name in the file and has
    /// one of our attributes.
    fn find_module(module: &Ident) -> Option<Self> {
        let path: PathBuf = local_file(module)?;
        let text = std::fs::read_to_string(&path).ok()?;
        Self::found(&path, &text, &module.unraw().to_string(), &["mod"])
    }

    fn found(path: &Path, text: &str, name: &str, keywords: &[&str]) -> Option<Self> {
        let declarations = keywords
            .iter()
            .map(|keyword| count(text, &format!("{keyword} {name}")))
            .sum::<usize>();
        if declarations != 1 {
            return None;
        }
        let file = syn::parse_file(text).ok()?;
        let mut search = Places {
            name,
            module: Vec::new(),
            blocks: Vec::new(),
            found: Vec::new(),
        };
        search.items(&file.items);
        let [(module, blocks)] = search.found.as_mut_slice() else {
            return None;
        };
        let (module, blocks) = (std::mem::take(module), std::mem::take(blocks));
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let has_main = file
            .items
            .iter()
            .any(|item| matches!(item, syn::Item::Fn(item) if item.sig.ident == "main"));
        Some(Self {
            file: file.items,
            module,
            blocks,
            is_root: has_main || stem == Some("lib"),
        })
    }

    fn resolvable(&self, paths: Vec<FreePath>) -> Vec<FreePath> {
        let paths = paths.into_iter();
        paths.filter(|path| self.can_declare(path)).collect()
    }

    /// Returns the items of a module of the file.
    fn module(&self, path: &[String]) -> Option<&[syn::Item]> {
        let mut items: &[syn::Item] = &self.file;
        for name in path {
            items = items.iter().find_map(|item| match item {
                syn::Item::Mod(module) if module.ident == name => {
                    let (_, items) = module.content.as_ref()?;
                    Some(items.as_slice())
                }
                _ => None,
            })?;
        }
        Some(items)
    }

    /// Returns `true` if a path may resolve, as far as the file shows.
    fn can_declare(&self, path: &FreePath) -> bool {
        let is_absolute = |tree: TokenTree| matches!(tree, TokenTree::Punct(_));
        if path
            .tokens
            .clone()
            .into_iter()
            .next()
            .is_some_and(is_absolute)
        {
            return true;
        }
        let segments: Vec<&str> = path.text.split("::").collect();
        if let [name] = segments.as_slice() {
            for items in &self.blocks {
                match named(items, name) {
                    Named::Plain => return false,
                    Named::Usable | Named::Import(_) => return true,
                    Named::Nothing => {}
                }
                if items.iter().any(makes_names) || !globs(items).is_empty() {
                    return true;
                }
            }
        }
        self.leads(&self.module, &segments, DEPTH)
    }

    /// Returns `true` if a path from a module of the file may lead to an item that kernels can
    /// name.
    fn leads(&self, module: &[String], segments: &[&str], depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return true;
        };
        let Some((module, segments)) = self.from(module, segments) else {
            return true;
        };
        let (Some(items), [name]) = (self.module(&module), segments) else {
            return true;
        };
        match named(items, name) {
            Named::Plain => return false,
            Named::Usable => return true,
            Named::Import(path) => {
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                return self.leads(&module, &path, depth);
            }
            Named::Nothing => {}
        }
        items.iter().any(makes_names)
            || globs(items).iter().any(|glob| {
                let mut path: Vec<&str> = glob.iter().map(String::as_str).collect();
                path.push(name);
                self.leads(&module, &path, depth)
            })
    }

    /// Returns the module of the file in which the last segment of a path is looked up, or `None`
    /// if the path leads out of the file.
    fn from<'s, 'p>(
        &self,
        module: &[String],
        segments: &'s [&'p str],
    ) -> Option<(Vec<String>, &'s [&'p str])> {
        let mut module = module.to_vec();
        let mut rest = segments;
        match rest.first().copied() {
            Some("crate") if self.is_root => {
                module.clear();
                rest = &rest[1..];
            }
            Some("crate") => return None,
            Some("self") => rest = &rest[1..],
            _ => {}
        }
        while rest.first() == Some(&"super") {
            module.pop()?;
            rest = &rest[1..];
        }
        while let [first, _, ..] = rest {
            module.push((*first).to_owned());
            let is_ours = |item: &syn::Item| match item {
                syn::Item::Mod(item) => item.ident == *first && !is_plain(&item.attrs),
                _ => false,
            };
            // The attribute of a module may change its items, so the search ends there.
            let outer = self.module(&module[..module.len() - 1])?;
            if outer.iter().any(is_ours) {
                return None;
            }
            self.module(&module)?;
            rest = &rest[1..];
        }
        Some((module, rest))
    }

    /// Returns the calls in the functions with `#[tile_fn]` in the module.
    fn calls(&self) -> BTreeMap<String, Vec<FreePath>> {
        let own_items = self.module(&self.module).unwrap_or_default();
        let items = self.blocks.first().map_or(own_items, Vec::as_slice);
        items
            .iter()
            .filter_map(|item| match item {
                syn::Item::Fn(function)
                    if has(&function.attrs, "tile_fn") && !has(&function.attrs, "cfg") =>
                {
                    let name = function.sig.ident.unraw().to_string();
                    Some((name, super::free::function_paths(function)))
                }
                _ => None,
            })
            .collect()
    }
}

/// Counts the occurrences of words in a text, except as parts of longer words.
fn count(text: &str, words: &str) -> usize {
    let is_part = |letter: Option<char>| letter.is_some_and(|it| it.is_alphanumeric() || it == '_');
    text.match_indices(words)
        .filter(|(offset, _)| {
            let before = text[..*offset].chars().next_back();
            let after = text[offset + words.len()..].chars().next();
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

/// Maximum depth to which imports of imports are followed.
const DEPTH: usize = 16;

/// The meaning of a name in a scope.
enum Named {
    /// An item that kernels cannot name, as far as its text shows.
    Plain,
    /// An item that kernels may be able to name.
    Usable,
    /// An import from this path.
    Import(Vec<String>),
    /// No item.
    Nothing,
}

/// Looks up a name among items, ignoring glob imports and macros.
fn named(items: &[syn::Item], name: &str) -> Named {
    let mut named = Named::Nothing;
    for item in items {
        if let syn::Item::Use(item) = item {
            let mut paths = Vec::new();
            import_of(&item.tree, name, &mut Vec::new(), &mut paths);
            if let Some(path) = paths.pop() {
                if !is_plain(&item.attrs) {
                    return Named::Usable;
                }
                named = Named::Import(path);
            }
        }
        let (attrs, ident) = match item {
            syn::Item::Fn(item) => (&item.attrs, &item.sig.ident),
            syn::Item::Const(item) => (&item.attrs, &item.ident),
            syn::Item::Static(item) => (&item.attrs, &item.ident),
            syn::Item::Type(item) => (&item.attrs, &item.ident),
            syn::Item::Macro(item) if item.ident.as_ref().is_some_and(|ident| ident == name) => {
                return Named::Usable;
            }
            _ => continue,
        };
        if *ident == name {
            if !is_plain(attrs) {
                return Named::Usable;
            }
            named = Named::Plain;
        }
    }
    named
}

/// Returns `true` if an item may declare names other than its own.
fn makes_names(item: &syn::Item) -> bool {
    let only_itself = |attrs: &[syn::Attribute]| {
        attrs.iter().all(|attr| {
            let attr = std::slice::from_ref(attr);
            is_plain(attr) || has(attr, "cfg") || has(attr, "tile_fn") || has(attr, "tile_kernel")
        })
    };
    match item {
        syn::Item::Use(_) => false,
        syn::Item::Fn(item) => !only_itself(&item.attrs),
        syn::Item::Const(item) => !only_itself(&item.attrs),
        syn::Item::Type(item) => !only_itself(&item.attrs),
        syn::Item::Mod(item) => !only_itself(&item.attrs),
        syn::Item::Struct(item) => !is_plain(&item.attrs) && !only_std_derives(&item.attrs),
        syn::Item::Enum(item) => !is_plain(&item.attrs) && !only_std_derives(&item.attrs),
        syn::Item::Static(item) => !is_plain(&item.attrs),
        syn::Item::Trait(item) => !is_plain(&item.attrs),
        syn::Item::Impl(item) => !is_plain(&item.attrs),
        syn::Item::ExternCrate(item) => !is_plain(&item.attrs),
        // `macro_rules!` declares the name of the macro.
        syn::Item::Macro(item) => item.ident.is_none() || !is_plain(&item.attrs),
        _ => true,
    }
}

/// Returns the path from which a tree imports a name.
fn import_of(
    tree: &syn::UseTree,
    name: &str,
    path: &mut Vec<String>,
    paths: &mut Vec<Vec<String>>,
) {
    let mut leaf = |ident: &Ident| {
        let mut path = path.clone();
        path.push(ident.unraw().to_string());
        paths.push(path);
    };
    match tree {
        syn::UseTree::Path(tree) => {
            path.push(tree.ident.unraw().to_string());
            import_of(&tree.tree, name, path, paths);
            path.pop();
        }
        syn::UseTree::Name(tree) if tree.ident == name => leaf(&tree.ident),
        syn::UseTree::Rename(tree) if tree.rename == name => leaf(&tree.ident),
        syn::UseTree::Name(_) | syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => {}
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                import_of(tree, name, path, paths);
            }
        }
    }
}

/// Returns the modules that items import with a glob, except those without items for kernels.
fn globs(items: &[syn::Item]) -> Vec<Vec<String>> {
    let mut globs = Vec::new();
    for item in items {
        if let syn::Item::Use(item) = item {
            globs_of(&item.tree, &mut Vec::new(), &mut globs);
        }
    }
    globs.retain(|glob| {
        let of_std = ["std", "core", "alloc"].map(|root| Some(root.to_owned()));
        // Our prelude has no functions and no constants.
        !of_std.contains(&glob.first().cloned()) && *glob != ["tile_kernel", "prelude"]
    });
    globs
}

/// Collects the modules that a tree imports with a glob.
fn globs_of(tree: &syn::UseTree, path: &mut Vec<String>, globs: &mut Vec<Vec<String>>) {
    match tree {
        syn::UseTree::Path(tree) => {
            path.push(tree.ident.unraw().to_string());
            globs_of(&tree.tree, path, globs);
            path.pop();
        }
        syn::UseTree::Glob(_) => globs.push(path.clone()),
        syn::UseTree::Name(_) | syn::UseTree::Rename(_) => {}
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                globs_of(tree, path, globs);
            }
        }
    }
}

/// Searches for functions, constants and `type` items that have a given name and one of our
/// attributes, and for modules with such an attribute.
struct Places<'n> {
    name: &'n str,
    module: Vec<String>,
    /// The blocks, the outermost first.
    blocks: Vec<Vec<syn::Item>>,
    found: Vec<(Vec<String>, Vec<Vec<syn::Item>>)>,
}

impl Places<'_> {
    fn items(&mut self, items: &[syn::Item]) {
        let here = items.iter().any(|item| {
            let (attrs, ident) = match item {
                syn::Item::Fn(item) => (&item.attrs, &item.sig.ident),
                syn::Item::Const(item) => (&item.attrs, &item.ident),
                syn::Item::Type(item) => (&item.attrs, &item.ident),
                _ => return false,
            };
            is_ours(attrs) && *ident == self.name
        });
        if here {
            let mut blocks = self.blocks.clone();
            blocks.reverse();
            self.found.push((self.module.clone(), blocks));
        }
        for item in items {
            match item {
                syn::Item::Mod(module) if self.blocks.is_empty() => {
                    if let Some((_, items)) = &module.content {
                        self.module.push(module.ident.unraw().to_string());
                        if is_ours(&module.attrs) && module.ident == self.name {
                            self.found.push((self.module.clone(), Vec::new()));
                        }
                        self.items(items);
                        self.module.pop();
                    }
                }
                other => self.visit_item(other),
            }
        }
    }
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let items: Vec<syn::Item> = block
            .stmts
            .iter()
            .filter_map(|stmt| match stmt {
                syn::Stmt::Item(item) => Some(item.clone()),
                // The macro may declare items.
                syn::Stmt::Macro(call) => Some(syn::Item::Macro(syn::ItemMacro {
                    attrs: call.attrs.clone(),
                    ident: None,
                    mac: call.mac.clone(),
                    semi_token: call.semi_token,
                })),
                _ => None,
            })
            .collect();
        if items.is_empty() {
            syn::visit::visit_block(self, block);
            return;
        }
        self.blocks.push(items.clone());
        self.items(&items);
        for stmt in &block.stmts {
            if !matches!(stmt, syn::Stmt::Item(_)) {
                self.visit_stmt(stmt);
            }
        }
        self.blocks.pop();
    }
}

fn is_ours(attrs: &[syn::Attribute]) -> bool {
    has(attrs, "tile_kernel") || has(attrs, "tile_fn")
}

/// Attributes of rustc that do not affect names.
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
            .any(|name| meta.path.is_ident(name));
            Ok(())
        });
        parsed.is_ok() && all_of_std
    })
}

#[cfg(test)]
mod tests {
    use super::Around;
    use crate::collect::free::{FreePath, Use, path_text};
    use std::path::Path;

    /// Returns `true` if a name may resolve in the kernel `k` of a file.
    fn can_declare(text: &str, path: &str) -> bool {
        let tokens: proc_macro2::TokenStream = path.parse().expect("a path is tokens");
        let path = FreePath {
            text: path_text(tokens.clone()),
            tokens,
            usage: Use::Name,
            ident: quote::format_ident!("N"),
        };
        let file = Path::new("src/kernels.rs");
        let around = Around::found(file, text, "k", &["fn", "mod"]);
        around.expect("the file has one `k`").can_declare(&path)
    }

    const KERNEL: &str = "#[tile_kernel] fn k() {}";

    #[test]
    fn a_plain_constant_beside_the_kernel_is_none_of_kernels() {
        for beside in [
            "",
            "macro_rules! m { () => {} }",
            "make_items!();",
            "mod b {} use b::*;",
            "use other::*;",
            "use std::collections::*;",
            "#[tile_kernel] mod others {}",
        ] {
            let plain = format!("const N: usize = 4; {beside} {KERNEL}");
            assert!(!can_declare(&plain, "N"), "{plain}");
            let ours = format!("#[tile_fn] const N: usize = 4; {beside} {KERNEL}");
            assert!(can_declare(&ours, "N"), "{ours}");
        }
        assert!(!can_declare(&format!("fn f() {{}} {KERNEL}"), "f"));
        assert!(!can_declare(&format!("static N: i32 = 1; {KERNEL}"), "N"));
        assert!(can_declare(
            &format!("#[other] const N: i32 = 1; {KERNEL}"),
            "N"
        ));
        assert!(can_declare(
            &format!("const N: i32 = 1; {KERNEL}"),
            "::N::M"
        ));
    }

    #[test]
    fn what_the_file_does_not_show_may_be_anything() {
        for (beside, may) in [
            ("", false),
            ("use tile_kernel::prelude::*; use std::cmp::*;", false),
            ("macro_rules! m { () => {} }", false),
            ("macro_rules! N { () => {} }", true),
            ("make_items!();", true),
            ("use other::*;", true),
            ("use other::N;", true),
            ("use other::M as N;", true),
            ("use other::N as M;", false),
            ("mod b {} use b::*;", false),
            ("mod b; use b::*;", true),
            ("mod b { pub const N: u8 = 1; } use b::*;", false),
            ("mod b { #[tile_fn] pub const N: u8 = 1; } use b::*;", true),
            ("mod b { #[tile_fn] pub const N: u8 = 1; } use b::N;", true),
            (
                "mod b { pub use super::c::*; } mod c { pub use other::*; } use b::*;",
                true,
            ),
            ("mod b { pub use super::b::*; } use b::*;", true),
            ("#[tile_kernel] mod others {}", false),
            ("#[tile_fn] mod b { pub const N: u8 = 1; } use b::*;", true),
        ] {
            let text = format!("{beside} {KERNEL}");
            assert_eq!(can_declare(&text, "N"), may, "{text}");
        }
    }

    #[test]
    fn imports_and_paths_are_followed() {
        for (text, path, may) in [
            (
                "const N: u8 = 1; mod m { use super::N; #[tile_kernel] fn k() {} }",
                "N",
                false,
            ),
            (
                "#[tile_fn] const N: u8 = 1; mod m { use super::N; #[tile_kernel] fn k() {} }",
                "N",
                true,
            ),
            (
                "const N: u8 = 1; mod m { use super::*; #[tile_kernel] fn k() {} }",
                "N",
                false,
            ),
            (
                "const N: u8 = 1; mod m { #[tile_kernel] fn k() {} }",
                "super::N",
                false,
            ),
            (
                "mod c { pub const N: u8 = 1; } #[tile_kernel] fn k() {}",
                "c::N",
                false,
            ),
            (
                "mod c { pub const N: u8 = 1; } #[tile_kernel] fn k() {}",
                "self::c::N",
                false,
            ),
            ("mod c; #[tile_kernel] fn k() {}", "c::N", true),
            ("#[tile_kernel] fn k() {}", "super::N", true),
            ("#[tile_kernel] fn k() {}", "other::N", true),
            (
                "const N: u8 = 1; #[tile_kernel] fn k() {}",
                "crate::N",
                true,
            ),
            (
                "const N: u8 = 1; fn main() {} #[tile_kernel] fn k() {}",
                "crate::N",
                false,
            ),
            // A module with the attribute, and its imports.
            (
                "const N: u8 = 1; #[tile_kernel] mod k { use super::N; }",
                "N",
                false,
            ),
            (
                "#[tile_fn] const N: u8 = 1; #[tile_kernel] mod k { use super::N; }",
                "N",
                true,
            ),
            (
                "const N: u8 = 1; #[tile_kernel] mod k { }",
                "super::N",
                false,
            ),
        ] {
            assert_eq!(can_declare(text, path), may, "{text}: {path}");
        }
    }

    #[test]
    fn kernels_in_functions_see_the_blocks_around() {
        for (text, may) in [
            (
                "fn main() { const N: u8 = 1; #[tile_kernel] fn k() {} }",
                false,
            ),
            (
                "fn main() { #[tile_fn] const N: u8 = 1; #[tile_kernel] fn k() {} }",
                true,
            ),
            (
                "const N: u8 = 1; fn main() { #[tile_kernel] fn k() {} }",
                false,
            ),
            (
                "#[tile_fn] const N: u8 = 1; fn main() { #[tile_kernel] fn k() {} }",
                true,
            ),
            (
                "#[tile_fn] const N: u8 = 1; fn main() { const N: u8 = 2; { #[tile_kernel] fn k() {} } }",
                false,
            ),
            (
                "const N: u8 = 1; fn main() { use other::*; #[tile_kernel] fn k() {} }",
                true,
            ),
            (
                "const N: u8 = 1; fn main() { make_items!(); #[tile_kernel] fn k() {} }",
                true,
            ),
        ] {
            assert_eq!(can_declare(text, "N"), may, "{text}");
        }
    }
}
