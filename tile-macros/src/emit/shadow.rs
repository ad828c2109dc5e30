//! The copy of a kernel that rust-analyzer checks.
//!
//! In: the function as its author wrote it, and one instance of it. Out: the same function inside
//! `const _`, in the scope of `::tile_kernel::__private::shadow`, where every type, function and
//! method of the language has a signature and a line of documentation.
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
//! - every token of the parameters and the body that stays has the span that it had: that is how
//!   rust-analyzer finds what stands under the cursor;
//! - what rustc cannot give a type is written in another way, around the author's operands: a
//!   comparison, which may give a tile of `bool`, is a call; an annotation such as
//!   `Tile<f32, { [64, 32] }>` names the rank alone; `zeros::<f32>` leaves its shape to inference;
//!   the ordering and the scope behind the operands of an atomic operation stand inside the last;
//!   an index, whose entries may be of several types, is a tuple; the extents of a shape, which may be
//!   of several types too, are cast to `usize`; a raw pointer is a `Pointer`;
//! - the copy is made of whatever parses, right or wrong, and is part of no program.

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

/// Functions with an element type that is written and a shape that is not.
const SHAPED: [&str; 2] = ["zeros", "full"];

/// Methods that take an index first. Its entries may be of several types.
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

/// The copy of a kernel. Without an instance, its generics stay.
pub(crate) fn shadow(mut function: syn::ItemFn, instance: Option<&Instance>) -> TokenStream {
    let private = private();
    Respell.visit_item_fn_mut(&mut function);
    let cfgs: Vec<syn::Attribute> = function
        .attrs
        .extract_if(.., |attr| attr.path().is_ident("cfg"))
        .collect();
    function.attrs.clear();
    function.vis = syn::Visibility::Inherited;
    // Nothing calls the copy, and the functions that stand for operators are not `const`.
    function.sig.constness = None;
    // The stub has the name, and the name's span.
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

/// No lint speaks of a copy. `warnings` are those that nobody has made errors of.
fn silence() -> TokenStream {
    quote! {
        #[allow(
            warnings, unused, nonstandard_style, missing_docs, unreachable_pub, unreachable_code,
            clippy::all, clippy::pedantic, clippy::restriction
        )]
    }
}

/// The instance whose numbers are most like Rust's own: a literal is no `f16` there.
pub(crate) fn plainest(instances: &[Instance]) -> Option<&Instance> {
    let foreign = |instance: &Instance| {
        let plain =
            |ty: &&HostScalar| !matches!(ty, HostScalar::F32 | HostScalar::F64) && !ty.is_integer();
        instance.types.iter().filter(plain).count()
    };
    instances.iter().min_by_key(|instance| foreign(instance))
}

/// The generics as items, with the values of the instance; the lifetimes stay.
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

/// What kernels can call or name, as rust-analyzer sees it: declared where it stands, with the types
/// of the language; and a copy of the body, as of a kernel.
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
            // A constant of the crate may call it.
            declared.block.clone_from(&function.block);
        }
        let instance = Instance {
            types: vec![HostScalar::F32; function.sig.generics.type_params().count()],
            consts: function.sig.generics.const_params().map(sample).collect(),
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

/// A value of a const parameter: a dimension, or `true`.
fn sample(param: &syn::ConstParam) -> i128 {
    match &param.ty {
        syn::Type::Path(path) if path.path.is_ident("bool") => 1,
        _ => 16,
    }
}

/// Leads the names of the language's types to where they are.
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

/// Rewrites what has another type, or none, in plain Rust.
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
        // Under the operator stands the function, and nothing else.
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
        // Of a tile too, which the function of Rust does not take.
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
            // The scope may be left out.
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
            // Rust has a `usize` there, kernels any integer.
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
            // A pointer has none.
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
        // What may follow the operands goes where it has a type of its own.
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

/// Text in PTX has the type of what stands for it on the CPU device: the closure, with its
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

/// `TypeId::of::<T>()`, which is compared as in Rust.
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

/// A path whose last part is a name of the language, as it is written, however it leads there.
fn from_language(path: &syn::Path) -> syn::Path {
    let private = private();
    let last = path.segments.last();
    parse_quote!(#private::shadow::#last)
}

/// The number of extents of a shape: of `{ [64, 32] }` or of a constant.
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

/// The entries of a shape in one type: each may be of another type of integers.
fn extents(shape: &mut syn::ExprArray) {
    for extent in &mut shape.elems {
        if !matches!(extent, Expr::Lit(_)) {
            let span = extent.span();
            *extent = parse_quote_spanned!(span=> (#extent) as usize);
        }
    }
}

/// A list as a tuple of the same entries.
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

/// The item as it stands, where it is no function: rust-analyzer then knows its names at least.
pub(crate) fn unchanged(item: &TokenStream, error: &syn::Error) -> TokenStream {
    let error = error.to_compile_error();
    quote_spanned!(Span::mixed_site()=> #error #item)
}

#[cfg(test)]
mod tests;
