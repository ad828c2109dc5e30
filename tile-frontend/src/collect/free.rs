//! Finds the free paths of an item, which refer to other items.
//!
//! Given an item as syn parses it, returns the distinct paths that the item calls, reads or names,
//! in source order. Paths of the item itself and of the language are left out.
//!
//! The case of a name tells its kind: constants and types with `#[tile_fn]` begin with an
//! upper-case letter; functions and modules do not.

use crate::check::{is_language_function, is_language_method, is_language_type};
use crate::hir::signature::HostScalar;
use crate::parse::ptx;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

/// The use of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// `path(..)`
    Call,
    /// Any other use.
    Name,
}

/// A path to another item.
#[derive(Clone, Debug)]
pub(crate) struct FreePath {
    /// Its segments, joined by `::`.
    pub(crate) text: String,
    /// The path as written, without generic arguments.
    pub(crate) tokens: TokenStream,
    /// The use of the path.
    pub(crate) usage: Use,
    /// The name that is used: the last segment.
    pub(crate) ident: Ident,
}

/// Types of std that authors often write. None of them can be an item of a kernel, and the checker
/// has a help for them.
const OF_STD: [&str; 13] = [
    "Vec", "Option", "Result", "String", "Box", "Rc", "Arc", "Some", "None", "Ok", "Err", "Self",
    "TypeId",
];

/// Macros of std, which an import of a name must not resolve to.
const MACROS_OF_STD: [&str; 26] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "concat",
    "dbg",
    "debug_assert",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "include",
    "line",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Crates whose paths are never items of a kernel.
const ROOTS: [&str; 5] = ["tile_kernel", "std", "core", "alloc", "half"];

/// Returns `true` if a name is a macro of std.
pub(crate) fn is_macro_of_std(name: &str) -> bool {
    MACROS_OF_STD.contains(&name)
}

/// Returns `true` if a name begins with an upper-case letter, like that of a constant or a type.
pub(crate) fn is_upper(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(char::is_uppercase)
}

/// Returns the segments of a path as one string.
pub(crate) fn path_text(tokens: TokenStream) -> String {
    let mut text = String::new();
    for token in tokens {
        if let proc_macro2::TokenTree::Ident(ident) = token {
            if !text.is_empty() {
                text.push_str("::");
            }
            text.push_str(&ident.unraw().to_string());
        }
    }
    text.strip_prefix("self::")
        .map(str::to_owned)
        .unwrap_or(text)
}

/// Returns the free paths of a function.
pub(crate) fn function_paths(function: &syn::ItemFn) -> Vec<FreePath> {
    let mut finder = Finder::default();
    finder.generics(&function.sig.generics);
    finder.visit_signature(&function.sig);
    finder.visit_block(&function.block);
    finder.finish()
}

/// Returns the free paths of a method.
pub(crate) fn method_paths(generics: &syn::Generics, method: &syn::ImplItemFn) -> Vec<FreePath> {
    let mut finder = Finder::default();
    finder.generics(generics);
    finder.generics(&method.sig.generics);
    finder.visit_signature(&method.sig);
    finder.visit_block(&method.block);
    finder.finish()
}

/// Returns the free paths of a type.
pub(crate) fn type_paths(generics: &syn::Generics, ty: &syn::Type) -> Vec<FreePath> {
    let mut finder = Finder::default();
    finder.generics(generics);
    finder.visit_type(ty);
    finder.finish()
}

/// Returns the free paths of an expression.
pub(crate) fn expr_paths(generics: &syn::Generics, expr: &syn::Expr) -> Vec<FreePath> {
    let mut finder = Finder::default();
    finder.generics(generics);
    finder.visit_expr(expr);
    finder.finish()
}

/// Returns the distinct paths.
pub(crate) fn unique(paths: impl IntoIterator<Item = FreePath>) -> Vec<FreePath> {
    let mut seen = BTreeSet::new();
    paths
        .into_iter()
        .filter(|path| seen.insert(path.text.clone()))
        .collect()
}

#[derive(Default)]
struct Finder {
    /// Names of generics and variables.
    bound: BTreeSet<String>,
    paths: Vec<FreePath>,
    /// `true` if a name in a pattern may be a constant.
    refutable: bool,
}

impl Finder {
    fn generics(&mut self, generics: &syn::Generics) {
        for param in &generics.params {
            let ident = match param {
                syn::GenericParam::Type(param) => &param.ident,
                syn::GenericParam::Const(param) => &param.ident,
                syn::GenericParam::Lifetime(_) => continue,
            };
            self.bound.insert(ident.unraw().to_string());
        }
    }

    fn finish(self) -> Vec<FreePath> {
        let Finder { bound, paths, .. } = self;
        // A variable hides its name everywhere in the item. If it is bound only after a use of that
        // name, the use cannot be a constant either, since rustc would refuse a binding with the
        // name of a constant.
        unique(
            paths
                .into_iter()
                .filter(|path| !(path.usage == Use::Name && bound.contains(&path.text))),
        )
    }

    /// Returns `true` if the first segment belongs to the language or to this item.
    fn is_own(&self, first: &str) -> bool {
        ROOTS.contains(&first)
            || OF_STD.contains(&first)
            || is_language_type(first)
            || HostScalar::parse(first).is_some()
            || self.bound.contains(first)
    }

    fn push(&mut self, path: &syn::Path, segments: usize, usage: Use) {
        let mut tokens = TokenStream::new();
        path.leading_colon.to_tokens(&mut tokens);
        for (index, segment) in path.segments.iter().take(segments).enumerate() {
            if index > 0 {
                <syn::Token![::]>::default().to_tokens(&mut tokens);
            }
            segment.ident.to_tokens(&mut tokens);
        }
        let Some(last) = path.segments.iter().nth(segments.saturating_sub(1)) else {
            return;
        };
        let ident = last.ident.clone();
        let text = path_text(tokens.clone());
        self.paths.push(FreePath {
            text,
            tokens,
            usage,
            ident,
        });
    }

    fn names(path: &syn::Path) -> Vec<String> {
        path.segments
            .iter()
            .map(|segment| segment.ident.unraw().to_string())
            .collect()
    }

    /// Records the path of a call, `path(..)`.
    fn call(&mut self, path: &syn::Path) {
        let names = Self::names(path);
        match names.as_slice() {
            [] => {}
            [name] => {
                let is_excluded = is_upper(name)
                    || is_language_function(name)
                    || is_language_method(name)
                    || is_macro_of_std(name);
                if !is_excluded {
                    self.push(path, 1, Use::Call);
                }
            }
            [first, ..] if self.is_own(first) => {}
            [.., ty, _] if is_upper(ty) => self.push(path, names.len() - 1, Use::Name),
            [.., last] if !is_upper(last) => self.push(path, names.len(), Use::Call),
            _ => {}
        }
    }

    /// Records the path of a constant, possibly of a type.
    fn value(&mut self, path: &syn::Path) {
        let names = Self::names(path);
        match names.as_slice() {
            [name] if is_upper(name) && !self.is_own(name) => self.push(path, 1, Use::Name),
            [first, ..] if self.is_own(first) => {}
            [.., ty, _] if is_upper(ty) => self.push(path, names.len() - 1, Use::Name),
            [.., last] if is_upper(last) => self.push(path, names.len(), Use::Name),
            _ => {}
        }
    }

    /// Records the path of a type, or of a constant among generic arguments.
    fn ty(&mut self, path: &syn::Path) {
        let names = Self::names(path);
        match names.as_slice() {
            [name] if is_upper(name) && !self.is_own(name) => self.push(path, 1, Use::Name),
            [first, ..] if self.is_own(first) => {}
            [.., last] if is_upper(last) => self.push(path, names.len(), Use::Name),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func {
            // The path of `<State<8>>::new` continues after the type.
            if path.qself.is_none() {
                self.call(&path.path);
            }
            if let Some(qself) = &path.qself {
                self.visit_type(&qself.ty);
            }
            for segment in &path.path.segments {
                self.visit_path_arguments(&segment.arguments);
            }
        } else {
            self.visit_expr(&call.func);
        }
        for arg in &call.args {
            self.visit_expr(arg);
        }
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if path.qself.is_none() {
            self.value(&path.path);
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
        if path.qself.is_none() {
            self.ty(&path.path);
        }
        visit::visit_type_path(self, path);
    }

    fn visit_expr_struct(&mut self, value: &'ast syn::ExprStruct) {
        self.ty(&value.path);
        visit::visit_expr_struct(self, value);
    }

    fn visit_pat_struct(&mut self, pat: &'ast syn::PatStruct) {
        self.ty(&pat.path);
        visit::visit_pat_struct(self, pat);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        let name = pat.ident.unraw().to_string();
        let plain = pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none();
        if self.refutable && plain && is_upper(&name) {
            let path = syn::Path::from(pat.ident.clone());
            self.value(&path);
        } else {
            self.bound.insert(name);
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let before = std::mem::replace(&mut self.refutable, true);
        self.visit_pat(&arm.pat);
        self.refutable = before;
        self.visit_expr(&arm.body);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        // The arguments of the language's macros are expressions; other macros are refused as a
        // whole.
        if call.path.is_ident("ptx")
            && let Ok(text) = call.parse_body::<ptx::Call>()
        {
            let mut inner = Finder {
                bound: self.bound.clone(),
                ..Finder::default()
            };
            text.inputs()
                .chain(text.constants())
                .for_each(|value| inner.visit_expr(value));
            text.types().for_each(|ty| inner.visit_type(ty));
            if let Some(body) = &text.cpu {
                inner.visit_expr(body);
            }
            self.paths.extend(inner.paths);
            return;
        }
        let parser = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(args) = parser.parse2(call.tokens.clone()) {
            let mut inner = Finder {
                bound: self.bound.clone(),
                ..Finder::default()
            };
            for arg in &args {
                inner.visit_expr(arg);
            }
            self.paths.extend(inner.paths);
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        // Items inside a body are refused, so their paths are irrelevant.
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_generics(&mut self, generics: &'ast syn::Generics) {
        // Bounds name traits rather than types of values, so they are skipped.
        for param in &generics.params {
            if let syn::GenericParam::Const(param) = param {
                self.visit_type(&param.ty);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Use, function_paths};
    use crate::check::is_language_function;

    /// Checks that names of the language are not queried, since a query would call a macro that
    /// does not exist.
    #[test]
    fn no_function_of_the_language_is_asked_for() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/shadow");
        let mut seen = 0;
        for file in ["language.rs", "parallel.rs"] {
            let text = std::fs::read_to_string(format!("{folder}/{file}"))
                .expect("the signatures are beside this crate");
            for item in syn::parse_file(&text).expect("it is Rust").items {
                if let syn::Item::Fn(function) = item {
                    let name = function.sig.ident.to_string();
                    // `f32::from_bits` follows a type.
                    let is_known = is_language_function(&name) || name == "from_bits";
                    assert!(is_known, "{file}: {name}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 15, "{seen} signatures were found");
        assert!(is_language_function("assume"));
    }

    fn paths(body: &str) -> Vec<(String, Use)> {
        let text = format!("fn k() {{ {body} }}");
        let function = syn::parse_str(&text).expect("the test's body is Rust");
        let free_paths = function_paths(&function).into_iter();
        free_paths.map(|path| (path.text, path.usage)).collect()
    }

    #[test]
    fn paths_with_types_in_them_lead_to_the_types() {
        let struct_and_size = [("State".to_owned(), Use::Name), ("N".to_owned(), Use::Name)];
        assert_eq!(paths("State::<N>::new();"), struct_and_size);
        assert_eq!(paths("<State<N>>::new();"), struct_and_size);
        assert_eq!(paths("let x = <State<N>>::SIZE;"), struct_and_size);
        assert_eq!(
            paths("for i in parallel(0..4) { helper(i); }"),
            [("helper".to_owned(), Use::Call)]
        );
    }
}
