//! Emits the copy of a kernel that rust-analyzer checks.
//!
//! The function as its author wrote it is copied into a `const _`, with the generics of one
//! instance. The copy is in the scope of `::tile_kernel::__private::shadow`, in which every type,
//! function and method of the language has a signature and a line of documentation.
//!
//! ```text
//! const _: () = {
//!     use ::tile_kernel::__private::shadow::{*, assert};
//!     type T = f32;                     the generics, with the values of the instance
//!     const N: usize = 64;
//!     fn scale(x: &Tensor<T, 1>, ..) { the body as written }
//! };
//! ```
//!
//! Invariants:
//!
//! - every token of the parameters and the body that remains keeps its span, by which rust-analyzer
//!   finds the token under the cursor;
//! - code to which rustc cannot assign a type is rewritten around the author's operands: a
//!   comparison, which may return a tile of `bool`, is a call; an annotation such as `Tile<f32, {
//!   [64, 32] }>` has only the rank; `zeros::<f32>` leaves its shape to inference; the ordering and
//!   the scope after the operands of an atomic operation are moved into the last operand; an index,
//!   whose entries may have several types, is a tuple; the extents of a shape, which may have
//!   several types too, are cast to `usize`; a raw pointer is a `Pointer`;
//! - the copy is made of any code that parses, right or wrong, and is not part of any program.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, GenericArgument, PathArguments, Token, parse_quote, parse_quote_spanned};

use super::hygiene::{const_value, private, scalar};
use crate::hir::AtomicOp;
use crate::hir::signature::{HostScalar, Instance};
use crate::parse::ptx;

/// Functions with an explicit element type and an inferred shape.
const SHAPED: [&str; 2] = ["zeros", "full"];

/// Methods whose first argument is an index. Its entries may have several types.
const INDEXED: [&str; 9] = [
    "load",
    "load_padded",
    "load_at",
    "load_at_padded",
    "store",
    "at",
    "gather",
    "gather_padded",
    "scatter",
];

/// Returns the copy of a kernel. Without an instance, its generics remain.
pub(crate) fn shadow(mut function: syn::ItemFn, instance: Option<&Instance>) -> TokenStream {
    let private = private();
    Respell.visit_item_fn_mut(&mut function);
    let cfgs: Vec<syn::Attribute> = function
        .attrs
        .extract_if(.., |attr| attr.path().is_ident("cfg"))
        .collect();
    function.attrs.clear();
    function.vis = syn::Visibility::Inherited;
    // Nothing calls the copy, and the functions that replace operators are not `const`.
    function.sig.constness = None;
    // The name with its original span is in the stub.
    function.sig.ident.set_span(Span::mixed_site());
    let generics = instance.map(|instance| bind(&mut function.sig.generics, instance));
    let silence = silence();
    quote! {
        #(#cfgs)*
        #silence
        const _: () = {
            use #private::shadow::{*, assert};
            #generics
            #function
        };
    }
}

/// Returns attributes that silence all lints in the copy. `warnings` covers all lints that are not
/// set to errors.
fn silence() -> TokenStream {
    quote! {
        #[allow(
            warnings, unused, nonstandard_style, missing_docs, unreachable_pub, unreachable_code,
            clippy::all, clippy::pedantic, clippy::restriction
        )]
    }
}

/// Returns the instance whose types are closest to Rust's own: a literal cannot be an `f16`.
pub(crate) fn plainest(instances: &[Instance]) -> Option<&Instance> {
    let foreign = |instance: &Instance| {
        let plain =
            |ty: &&HostScalar| !matches!(ty, HostScalar::F32 | HostScalar::F64) && !ty.is_integer();
        instance.types.iter().filter(plain).count()
    };
    instances.iter().min_by_key(|instance| foreign(instance))
}

/// Returns the generics as items with the values of the instance; lifetimes remain.
fn bind(generics: &mut syn::Generics, instance: &Instance) -> TokenStream {
    let (mut types, mut consts) = (instance.types.iter(), instance.consts.iter());
    let mut items = TokenStream::new();
    let mut kept = Punctuated::new();
    for param in std::mem::take(&mut generics.params) {
        match param {
            syn::GenericParam::Lifetime(_) => kept.push(param),
            syn::GenericParam::Type(param) => {
                let name = param.ident;
                let value = types.next().map(|ty| scalar(*ty));
                items.extend(value.map(|value| quote!(type #name = #value;)));
            }
            syn::GenericParam::Const(param) => {
                let (name, ty) = (param.ident, param.ty);
                let is_bool = matches!(&ty, syn::Type::Path(path) if path.path.is_ident("bool"));
                let kind = if is_bool {
                    HostScalar::Bool
                } else {
                    HostScalar::I64
                };
                let value = consts.next().map(|value| const_value(kind, *value));
                items.extend(value.map(|value| quote!(const #name: #ty = #value;)));
            }
        }
    }
    generics.params = kept;
    generics.where_clause = None;
    items
}

/// Returns the code for rust-analyzer of an item that kernels can call or name: its declaration
/// with the types of the language, and a copy of its body as for a kernel.
pub(crate) fn shadow_of_helper(item: &syn::Item) -> TokenStream {
    let (private, silence) = (private(), silence());
    let mut declared = item.clone();
    Respell.visit_item_mut(&mut declared);
    if let syn::Item::Impl(item) = declared {
        return quote! {
            #silence
            const _: () = {
                use #private::shadow::{*, assert};
                #item
            };
        };
    }
    Absolute.visit_item_mut(&mut declared);
    let copy = if let (syn::Item::Fn(declared), syn::Item::Fn(function)) = (&mut declared, item) {
        *declared.block = parse_quote!({ #private::shadow::only_in_kernels() });
        if declared.sig.constness.is_some() {
            // A constant of the crate may call the function, so its body is kept.
            declared.block.clone_from(&function.block);
        }
        let instance = Instance {
            types: vec![HostScalar::F32; function.sig.generics.type_params().count()],
            consts: function.sig.generics.const_params().map(sample).collect(),
            ..Instance::default()
        };
        Some(shadow(function.clone(), Some(&instance)))
    } else {
        None
    };
    quote! {
        #silence
        #declared
        #copy
    }
}

/// Returns a sample value of a const parameter: a dimension, or `true`.
fn sample(param: &syn::ConstParam) -> i128 {
    match &param.ty {
        syn::Type::Path(path) if path.path.is_ident("bool") => 1,
        _ => 16,
    }
}

/// Replaces the names of the language's types by absolute paths.
struct Absolute;

impl Absolute {
    fn lead(path: &mut syn::Path) {
        let Some(name) = path.get_ident().or_else(|| {
            let only = path.segments.first().filter(|_| path.segments.len() == 1);
            only.map(|segment| &segment.ident)
        }) else {
            return;
        };
        let name = name.to_string();
        let is_number = HostScalar::parse(&name).is_some();
        let is_ours = is_number || name == "Element" || crate::check::is_language_type(&name);
        if path.leading_colon.is_none() && is_ours {
            let private = private();
            let segment = path.segments.first();
            *path = parse_quote!(#private::shadow::#segment);
        }
    }
}

impl VisitMut for Absolute {
    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        visit_mut::visit_type_path_mut(self, path);
        Self::lead(&mut path.path);
    }

    fn visit_trait_bound_mut(&mut self, bound: &mut syn::TraitBound) {
        visit_mut::visit_trait_bound_mut(self, bound);
        Self::lead(&mut bound.path);
    }

    fn visit_block_mut(&mut self, _: &mut syn::Block) {}
}

/// Rewrites code that has another type, or none, in plain Rust.
struct Respell;

impl VisitMut for Respell {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Macro(call) = expr
            && call.mac.path.is_ident("ptx")
            && let Ok(text) = call.mac.parse_body::<ptx::Call>()
        {
            *expr = inline_ptx(&text);
        }
        visit_mut::visit_expr_mut(self, expr);
        let Expr::Binary(binary) = expr else {
            return;
        };
        if is_type_id(&binary.left) {
            return;
        }
        let name = match &binary.op {
            BinOp::Eq(_) => "equal",
            BinOp::Ne(_) => "not_equal",
            BinOp::Lt(_) => "less",
            BinOp::Le(_) => "less_or_equal",
            BinOp::Gt(_) => "greater",
            BinOp::Ge(_) => "greater_or_equal",
            _ => return,
        };
        // Only the name of the called function has the span of the operator.
        let span = binary.op.span();
        let name = Ident::new(name, span);
        let private = private();
        let (left, right) = (&binary.left, &binary.right);
        let operands = quote_spanned!(span=> (#left, #right));
        *expr = parse_quote!(#private::shadow::#name #operands);
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        visit_mut::visit_expr_path_mut(self, path);
        let first = path.path.segments.first();
        let last = path.path.segments.last();
        if let (Some(first), Some(last)) = (first, last)
            && first.ident == "tile_kernel"
            && crate::check::is_language_function(&last.ident.to_string())
        {
            path.path = from_language(&path.path);
        }
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        let Expr::Path(path) = &mut *call.func else {
            return;
        };
        // The argument may be a tile, which Rust's function does not accept.
        if let Some(first) = path.path.segments.first().cloned()
            && path.path.segments.len() == 2
            && path.path.segments[1].ident == "from_bits"
        {
            let private = private();
            *path = parse_quote!(#private::shadow::from_bits::<#first, _>);
            return;
        }
        let Some(last) = path.path.segments.last_mut() else {
            return;
        };
        if last.ident == "fence" && call.args.len() == 2 {
            // The scope is optional.
            let args = std::mem::take(&mut call.args);
            let (ordering, scope) = (&args[0], &args[1]);
            call.args.push(parse_quote!({ let _ = #scope; #ordering }));
            return;
        }
        let is_shaped = SHAPED.iter().any(|name| last.ident == name);
        if is_shaped && let Some(Expr::Array(shape)) = call.args.first_mut() {
            extents(shape);
        }
        if is_shaped
            && let PathArguments::AngleBracketed(generics) = &mut last.arguments
            && generics.args.len() == 1
        {
            let span = generics.gt_token.span();
            generics.args.push(parse_quote_spanned!(span=> _));
        }
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        let name = call.method.to_string();
        if name == "step_by"
            && let Some(step) = call.args.first_mut()
            && !matches!(step, Expr::Lit(_))
        {
            // Rust's `step_by` requires `usize`; kernels accept any integer.
            let span = step.span();
            *step = parse_quote_spanned!(span=> (#step) as usize);
        }
        let is_atomic = name.starts_with("atomic_");
        let method = AtomicOp::parse(&name);
        let mut operands = method.map_or(1, |method| method.operands + usize::from(method.masked));
        if (is_atomic || INDEXED.contains(&name.as_str()))
            && let Some(index) = call.args.first_mut()
            && let Expr::Array(list) = index
        {
            *index = tuple(list);
            // Atomics on pointers have no index.
            operands += 1;
        }
        for arg in &mut call.args {
            if let Expr::Array(list) = arg {
                extents(list);
            }
        }
        if !is_atomic {
            return;
        }
        // Optional arguments after the operands are moved into a block, where they have types of
        // their own.
        if call.args.len() > operands {
            let args: Vec<Expr> = std::mem::take(&mut call.args).into_iter().collect();
            let (first, more) = args.split_at(operands);
            let Some((last, first)) = first.split_last() else {
                // A load through a pointer has no operand.
                let receiver = &call.receiver;
                *call.receiver = parse_quote!(({ let _ = (#(#more),*); #receiver }));
                return;
            };
            let last: Expr = parse_quote!({ let _ = (#(#more),*); #last });
            call.args.extend(first.iter().cloned());
            call.args.push(last);
        }
    }

    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        visit_mut::visit_type_path_mut(self, path);
        let Some(last) = path.path.segments.last_mut() else {
            return;
        };
        let is_ours = crate::check::is_language_type(&last.ident.to_string());
        if is_ours && path.path.segments.len() > 1 {
            path.path = from_language(&path.path);
        }
        let Some(last) = path.path.segments.last_mut() else {
            return;
        };
        if last.ident != "Tile" && last.ident != "Partition" {
            return;
        }
        let PathArguments::AngleBracketed(generics) = &mut last.arguments else {
            return;
        };
        if let Some(shape) = generics.args.iter_mut().nth(1) {
            *shape = rank(shape);
        }
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        visit_mut::visit_type_mut(self, ty);
        if let syn::Type::Ptr(pointer) = ty {
            let (private, element) = (private(), &pointer.elem);
            *ty = parse_quote!(#private::shadow::Pointer<#element, 0>);
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(mut args) = list.parse2(call.tokens.clone()) {
            for arg in &mut args {
                self.visit_expr_mut(arg);
            }
            call.tokens = args.into_token_stream();
        }
    }
}

/// Returns the code that gives inline PTX a type: the closure for the CPU device, with its
/// parameters bound to the inputs.
fn inline_ptx(text: &ptx::Call) -> Expr {
    let private = private();
    let values: Vec<&syn::Expr> = text.inputs().collect();
    let constants = text.constants().map(|value| quote!(let _ = #value;));
    match &text.cpu {
        Some(Expr::Closure(closure)) => {
            let params = &closure.inputs;
            let body = &closure.body;
            let lets = params
                .iter()
                .zip(&values)
                .map(|(param, value)| match param {
                    syn::Pat::Type(typed) => {
                        let (pat, ty) = (&typed.pat, &typed.ty);
                        quote!(let #pat: #ty = #value;)
                    }
                    pat => quote!(let #pat = #value;),
                });
            parse_quote!({ #(#constants)* #(#lets)* #body })
        }
        _ => {
            parse_quote!({ #(#constants)* #(let _ = #values;)* #private::shadow::only_in_kernels() })
        }
    }
}

/// Matches `TypeId::of::<T>()`, which is compared as in Rust.
fn is_type_id(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else {
        return false;
    };
    let Expr::Path(path) = &*call.func else {
        return false;
    };
    let mut names = path.path.segments.iter().rev();
    names.next().is_some_and(|name| name.ident == "of")
        && names.next().is_some_and(|name| name.ident == "TypeId")
}

/// Returns the path in `shadow` for a path whose last segment is a name of the language.
fn from_language(path: &syn::Path) -> syn::Path {
    let private = private();
    let last = path.segments.last();
    parse_quote!(#private::shadow::#last)
}

/// Returns the number of extents of a shape: of `{ [64, 32] }` or of a constant.
fn rank(shape: &GenericArgument) -> GenericArgument {
    let span = shape.span();
    if let GenericArgument::Const(Expr::Block(block)) = shape
        && let [syn::Stmt::Expr(Expr::Array(extents), None)] = block.block.stmts.as_slice()
    {
        let rank = proc_macro2::Literal::usize_unsuffixed(extents.elems.len());
        return parse_quote_spanned!(span=> #rank);
    }
    if matches!(shape, GenericArgument::Type(syn::Type::Infer(_))) {
        return shape.clone();
    }
    let private = private();
    parse_quote!({ #private::shadow::rank_of(#shape) })
}

/// Casts the entries of a shape to one type, since they may have several integer types.
fn extents(shape: &mut syn::ExprArray) {
    for extent in &mut shape.elems {
        if !matches!(extent, Expr::Lit(_)) {
            let span = extent.span();
            *extent = parse_quote_spanned!(span=> (#extent) as usize);
        }
    }
}

/// Returns a list as a tuple of the same entries.
fn tuple(list: &syn::ExprArray) -> Expr {
    let span = list.bracket_token.span;
    let mut elems = list.elems.clone();
    if elems.len() == 1 && !elems.trailing_punct() {
        elems.push_punct(Token![,](span.join()));
    }
    Expr::Tuple(syn::ExprTuple {
        attrs: Vec::new(),
        paren_token: syn::token::Paren { span },
        elems,
    })
}

/// Returns an item that is not a function unchanged, so that rust-analyzer knows at least the names
/// in it.
pub(crate) fn unchanged(item: &TokenStream, error: &syn::Error) -> TokenStream {
    let error = error.to_compile_error();
    quote_spanned!(Span::mixed_site()=> #error #item)
}

#[cfg(test)]
mod tests;
