//! Parses the kernel item: attributes, generics and parameters.

use super::ast::{self, Name};
use super::reject::Refusal;
use super::ty as types_of;
use super::{Cx, stmt};
use crate::hir::signature::{ElementRef, HostScalar, ParamKind};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{FnArg, GenericArgument, GenericParam, PathArguments};
use tile_core::Loc;
use tile_core::diag::{Code, Diagnostic};

/// Maximum number of axes of a tensor.
const MAX_RANK: usize = 8;

/// The parsed kernel, and the parts of the item that are kept as written.
pub(crate) struct Item {
    /// The kernel in the accepted subset.
    pub(crate) kernel: ast::Kernel,
    /// The attributes as written, without `tile_kernel`.
    pub(crate) attrs: Vec<syn::Attribute>,
    /// Visibility as written.
    pub(crate) vis: syn::Visibility,
    /// The name, with its span.
    pub(crate) ident: Ident,
    /// Names of the type parameters, with their spans.
    pub(crate) type_idents: Vec<Ident>,
    /// Names of the const parameters, with their spans.
    pub(crate) const_idents: Vec<Ident>,
    /// Names of the value parameters, with their spans.
    pub(crate) param_idents: Vec<Ident>,
    /// The values of generics for which the attribute gives none.
    pub(crate) defaults: Defaults,
}

/// Defaults of generics. rustc accepts them on types only, so the stub has none.
#[derive(Default)]
pub(crate) struct Defaults {
    /// By name of the type parameter.
    pub(crate) types: Vec<(Ident, syn::Path)>,
    /// By name of the const parameter.
    pub(crate) consts: Vec<(Ident, syn::Expr)>,
}

/// Parses the annotated item.
///
/// # Errors
///
/// Returns an error only if the tokens are not a function.
pub(crate) fn kernel(cx: &mut Cx<'_>, tokens: TokenStream) -> syn::Result<Item> {
    let item: syn::Item = syn::parse2(tokens)?;
    let syn::Item::Fn(function) = item else {
        let message = "[T0101] `#[tile_kernel]` applies to a function or a module\n= help: move the attribute to a `fn` or a `mod`";
        return Err(syn::Error::new(item.span(), message));
    };
    let signature = &function.sig;
    let errors = cx.diagnostics.error_count();
    refuse_qualifiers(cx, signature, &function.block);

    let Generics {
        defaults,
        lifetimes,
        type_idents,
        const_params,
        const_idents,
    } = generics(cx, signature);
    let (params, param_idents, refused_params) =
        parameters(cx, signature, &lifetimes, &type_idents);
    let body = stmt::block(cx, &function.block);
    let kernel = ast::Kernel {
        name: cx.name(&signature.ident),
        type_params: type_idents.iter().map(|ident| cx.name(ident)).collect(),
        const_params,
        params,
        refused_params,
        grid: crate::check::GridAxes::default(),
        counted: Vec::new(),
        is_unsafe: is_unsafe(signature),
        has_return_type: returns_a_value(signature),
        understood: cx.diagnostics.error_count() == errors,
        body,
    };
    Ok(Item {
        kernel,
        attrs: function.attrs,
        vis: function.vis,
        ident: signature.ident.clone(),
        type_idents,
        const_idents,
        param_idents,
        defaults,
    })
}

/// The generics of a kernel.
#[derive(Default)]
struct Generics {
    defaults: Defaults,
    lifetimes: Vec<String>,
    type_idents: Vec<Ident>,
    const_params: Vec<(Name, HostScalar)>,
    const_idents: Vec<Ident>,
}

/// Parses the generics of a kernel.
fn generics(cx: &mut Cx<'_>, signature: &syn::Signature) -> Generics {
    let mut generics = Generics::default();
    for param in &signature.generics.params {
        match param {
            GenericParam::Type(param) => {
                check_bounds(cx, &param.ident, &param.bounds);
                if let Some((_, default)) = &param.default {
                    match types_of::bare(default) {
                        syn::Type::Path(path) if path.qself.is_none() => {
                            let default = (param.ident.clone(), path.path.clone());
                            generics.defaults.types.push(default);
                        }
                        other => {
                            let loc = cx.node(other);
                            cx.refuse(
                                Refusal::new("this default", "write a number type, such as `f32`"),
                                loc,
                            );
                        }
                    }
                }
                generics.type_idents.push(param.ident.clone());
            }
            GenericParam::Const(param) => {
                if let Some((_, default)) = &param.default {
                    let default = super::expr::sole_expression(default).unwrap_or(default);
                    let default = (param.ident.clone(), default.clone());
                    generics.defaults.consts.push(default);
                }
                let const_param = (cx.name(&param.ident), const_type(cx, &param.ty));
                generics.const_params.push(const_param);
                generics.const_idents.push(param.ident.clone());
            }
            GenericParam::Lifetime(param) => {
                // All references of a launch have the same lifetime.
                generics.lifetimes.push(param.lifetime.ident.to_string());
            }
        }
    }
    if let Some(clause) = &signature.generics.where_clause {
        where_clause(cx, clause, &generics.type_idents);
    }
    generics
}

/// Parses the parameters of a kernel. Returns them with their identifiers, and the names of parameters whose
/// type was refused.
fn parameters(
    cx: &mut Cx<'_>,
    signature: &syn::Signature,
    lifetimes: &[String],
    type_idents: &[Ident],
) -> (Vec<ast::Param>, Vec<Ident>, Vec<Name>) {
    let mut params: Vec<ast::Param> = Vec::new();
    let mut param_idents = Vec::new();
    let mut refused_params = Vec::new();
    for input in &signature.inputs {
        check_lifetime(cx, input, lifetimes, signature);
        if let Some((param, ident)) = parameter(cx, input, type_idents) {
            if matches!(param.kind, ParamKind::Pointer { .. }) && !is_unsafe(signature) {
                pointer_of_a_safe_kernel(cx, &param.name);
            }
            params.push(param);
            param_idents.push(ident);
        } else if let FnArg::Typed(typed) = input
            && let syn::Pat::Ident(refused) = &*typed.pat
        {
            refused_params.push(cx.name(&refused.ident));
        }
    }
    for (index, param) in params.iter().enumerate() {
        if params[..index]
            .iter()
            .any(|other| other.name.text == param.name.text)
        {
            let message = format!("two parameters are named `{}`", param.name.text);
            cx.diagnostics.error(
                Diagnostic::error(Code::UnsupportedSyntax, param.name.loc, message)
                    .help("give one of them another name"),
            );
        }
    }
    (params, param_idents, refused_params)
}

/// Reports a pointer parameter of a safe kernel: a launch passes an address that nothing checks.
fn pointer_of_a_safe_kernel(cx: &mut Cx<'_>, name: &Name) {
    cx.diagnostics.error(
        Diagnostic::error(
            Code::NeedsUnsafe,
            name.loc,
            format!(
                "`{}` is a raw pointer, and the kernel is safe to launch",
                name.text
            ),
        )
        .note("who launches the kernel has to make sure that the pointer is right")
        .help("write `unsafe fn` for `fn`, or take a `&Tensor` or `&mut Tensor`"),
    );
}

fn is_unsafe(signature: &syn::Signature) -> bool {
    matches!(signature.safety, syn::Safety::Unsafe(_))
}

fn returns_a_value(signature: &syn::Signature) -> bool {
    match &signature.output {
        syn::ReturnType::Default => false,
        syn::ReturnType::Type(_, ty) => {
            !matches!(&**ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty())
        }
    }
}

/// Refuses qualifiers that a function to be inlined cannot have.
pub(super) fn refuse_helper_qualifiers(cx: &mut Cx<'_>, signature: &syn::Signature) {
    let mut refuse = |tokens: TokenStream, construct: &str, help: &str| {
        let loc = cx.node(&tokens);
        cx.refuse(Refusal::new(construct, help), loc);
    };
    if let Some(token) = &signature.asyncness {
        refuse(token.to_token_stream(), "`async fn`", "remove `async`");
    }
    if let Some(abi) = &signature.abi {
        refuse(
            abi.to_token_stream(),
            "an `extern` ABI",
            "remove it: the function is inlined",
        );
    }
    if let Some(variadic) = &signature.variadic {
        refuse(variadic.to_token_stream(), "`...`", "list the parameters");
    }
}

/// Returns the help for a kernel with a return type: how to store the result. `tail` is the
/// returned value as written.
fn stored_result(signature: &syn::Signature, ty: &syn::Type, tail: Option<&str>) -> String {
    let scalar = match types_of::bare(ty) {
        syn::Type::Path(path) => path
            .path
            .get_ident()
            .map(ToString::to_string)
            .filter(|name| HostScalar::parse(name).is_some()),
        _ => None,
    };
    match (scalar, tail) {
        (Some(scalar), Some(tail)) if signature.generics.params.is_empty() => format!(
            "store it in a tensor: write `fn {}(.., out: &mut Tensor<{scalar}, 1>)`, and `out.store([0], full([1], {tail}));` for `{tail}`",
            signature.ident
        ),
        _ => "remove it, add a parameter `out: &mut Tensor<f32, 1>` and `store` the result there"
            .to_owned(),
    }
}

fn refuse_qualifiers(cx: &mut Cx<'_>, signature: &syn::Signature, block: &syn::Block) {
    let tail = match block.stmts.last() {
        Some(syn::Stmt::Expr(value, None)) if returns_a_value(signature) => cx.quoted(value),
        _ => None,
    };
    let mut refuse = |tokens: &dyn Fn() -> TokenStream, construct: &str, help: &str| {
        let loc = cx.node(&tokens());
        cx.refuse(Refusal::new(construct, help), loc);
    };
    if let Some(token) = &signature.constness {
        refuse(&|| token.to_token_stream(), "`const fn`", "remove `const`");
    }
    if let Some(token) = &signature.asyncness {
        refuse(
            &|| token.to_token_stream(),
            "`async fn`",
            "remove `async`: a launch is asynchronous anyway",
        );
    }
    if let Some(abi) = &signature.abi {
        refuse(
            &|| abi.to_token_stream(),
            "an `extern` ABI",
            "remove it: the host launches a kernel through its stub",
        );
    }
    if let Some(variadic) = &signature.variadic {
        refuse(
            &|| variadic.to_token_stream(),
            "`...`",
            "list the parameters",
        );
    }
    if let syn::ReturnType::Type(_, ty) = &signature.output
        && returns_a_value(signature)
    {
        refuse(
            &|| ty.to_token_stream(),
            "a return type",
            &stored_result(signature, ty, tail.as_deref()),
        );
    }
}

pub(super) fn check_bounds(
    cx: &mut Cx<'_>,
    ident: &Ident,
    bounds: &syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>,
) {
    for bound in bounds {
        let is_element = matches!(bound, syn::TypeParamBound::Trait(bound)
            if bound.path.segments.last().is_some_and(|last| last.ident == "Element"));
        if !is_element {
            let loc = cx.node(bound);
            cx.refuse(
                Refusal::new(
                    "a bound other than `Element`",
                    format!("write `{ident}: Element`: what a type can do is checked for each listed type"),
                ),
                loc,
            );
        }
    }
}

pub(super) fn where_clause(cx: &mut Cx<'_>, clause: &syn::WhereClause, type_idents: &[Ident]) {
    for predicate in &clause.predicates {
        if let syn::WherePredicate::Type(predicate) = predicate
            && let syn::Type::Path(path) = &predicate.bounded_ty
            && let Some(ident) = path.path.get_ident()
            && type_idents.contains(ident)
        {
            check_bounds(cx, ident, &predicate.bounds);
            continue;
        }
        if matches!(predicate, syn::WherePredicate::Lifetime(_)) {
            continue;
        }
        let loc = cx.node(predicate);
        cx.refuse(
            Refusal::new(
                "this `where` clause",
                "remove it: only `T: Element` is a bound here",
            ),
            loc,
        );
    }
}

pub(super) fn const_type(cx: &mut Cx<'_>, ty: &syn::Type) -> HostScalar {
    if let syn::Type::Path(path) = types_of::bare(ty)
        && let Some(ident) = path.path.get_ident()
        && let Some(scalar) = HostScalar::parse(&ident.to_string())
        && (scalar.is_integer() || scalar == HostScalar::Bool)
    {
        return scalar;
    }
    let loc = cx.node(ty);
    cx.refuse(
        Refusal::new(
            format!("a const parameter of type `{}`", ty.to_token_stream()),
            "use `usize`, another integer type or `bool`",
        ),
        loc,
    );
    HostScalar::Usize
}

/// Checks that a lifetime is declared by the function: the launch borrows its arguments.
fn check_lifetime(cx: &mut Cx<'_>, input: &FnArg, declared: &[String], signature: &syn::Signature) {
    let FnArg::Typed(typed) = input else {
        return;
    };
    let syn::Type::Reference(reference) = types_of::bare(&typed.ty) else {
        return;
    };
    let Some(lifetime) = &reference.lifetime else {
        return;
    };
    let name = lifetime.ident.to_string();
    if name == "_" || declared.contains(&name) {
        return;
    }
    let loc = cx.node(lifetime);
    let (message, help) = if name == "static" {
        (
            "a kernel does not ask for `'static` tensors".to_owned(),
            "remove the lifetime: a launch borrows its tensors until it is started".to_owned(),
        )
    } else {
        let generics = declared.iter().chain(std::iter::once(&name));
        let mut generics: Vec<String> = generics.map(|name| format!("'{name}")).collect();
        let others = signature.generics.params.iter();
        let others = others.filter(|param| !matches!(param, GenericParam::Lifetime(_)));
        generics.extend(others.map(|param| super::reject::type_text(param).replace(" :", ":")));
        (
            format!("there is no lifetime `'{name}` here"),
            format!(
                "declare it: write `fn {}<{}>(..)`, or remove `'{name}`",
                signature.ident,
                generics.join(", ")
            ),
        )
    };
    cx.diagnostics
        .error(Diagnostic::error(Code::UnknownName, loc, message).help(help));
}

fn parameter(cx: &mut Cx<'_>, input: &FnArg, types: &[Ident]) -> Option<(ast::Param, Ident)> {
    let FnArg::Typed(typed) = input else {
        let loc = cx.node(input);
        cx.refuse(
            Refusal::new(
                "`self`",
                "make the kernel a free function, with the fields as parameters",
            ),
            loc,
        );
        return None;
    };
    cx.no_attributes(&typed.attrs);
    let ident = match &*typed.pat {
        syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => ident,
        other => {
            let loc = cx.node(other);
            let help = apart(other, &typed.ty).unwrap_or_else(|| {
                "give the parameter a name and take it apart with `let`".to_owned()
            });
            cx.refuse(Refusal::new("a pattern as a parameter", help), loc);
            return None;
        }
    };
    let kind = param_kind(cx, &ident.ident, &typed.ty, types)?;
    let name: Name = cx.name(&ident.ident);
    let param = ast::Param {
        name,
        rebindable: ident.mutability.is_some(),
        kind,
    };
    Some((param, ident.ident.clone()))
}

/// Returns the elements of a tuple parameter as separate parameters, since a launch passes no
/// tuples.
fn apart(pat: &syn::Pat, ty: &syn::Type) -> Option<String> {
    let (syn::Pat::Tuple(pat), syn::Type::Tuple(ty)) = (pat, types_of::bare(ty)) else {
        return None;
    };
    if pat.elems.len() != ty.elems.len() {
        return None;
    }
    let params = pat.elems.iter().zip(&ty.elems);
    let params: Option<Vec<String>> = params
        .map(|(pat, ty)| {
            let name = super::pat::text(pat)?;
            Some(format!("{name}: {}", super::reject::type_text(ty)))
        })
        .collect();
    Some(format!(
        "write a parameter for each: `{}`",
        params?.join(", ")
    ))
}

fn element(types: &[Ident], path: &syn::Path) -> Option<ElementRef> {
    let last = path.segments.last()?;
    if !last.arguments.is_none() {
        return None;
    }
    if path.segments.len() == 1
        && let Some(index) = types.iter().position(|ident| *ident == last.ident)
    {
        return Some(ElementRef::Param(index));
    }
    if !types_of::is_number_path(path) {
        return None;
    }
    match HostScalar::parse(&last.ident.to_string())? {
        scalar if scalar.is_kernel_only() => None,
        scalar => Some(ElementRef::Concrete(scalar)),
    }
}

fn param_kind(
    cx: &mut Cx<'_>,
    ident: &Ident,
    ty: &syn::Type,
    types: &[Ident],
) -> Option<ParamKind> {
    match types_of::bare(ty) {
        syn::Type::Reference(reference) => {
            if let syn::Type::Path(path) = types_of::bare(&reference.elem)
                && let Some(last) = path.path.segments.last()
                && last.ident == "Tensor"
            {
                let mutable = reference.mutability.is_some();
                return tensor(cx, ty, last, types, mutable);
            }
            if let syn::Type::Path(path) = types_of::bare(&reference.elem)
                && element(types, &path.path).is_some()
            {
                let loc = cx.node(ty);
                let element = path.path.to_token_stream();
                let help = if reference.mutability.is_some() {
                    format!("write `{ident}: &mut Tensor<{element}, 1>` and `store` into it")
                } else {
                    format!("write `{ident}: {element}`: numbers are passed by value")
                };
                cx.refuse(Refusal::new("a reference to a number", help), loc);
                return None;
            }
        }
        syn::Type::Path(path) if path.qself.is_none() => {
            if let Some(element) = element(types, &path.path) {
                return Some(ParamKind::Scalar(element));
            }
            if let Some(last) = path.path.segments.last()
                && last.ident == "Tensor"
            {
                let loc = cx.node(ty);
                let written = super::reject::type_text(last);
                let help = format!(
                    "write `{ident}: &{written}`, or `&mut` for a tensor that is stored to"
                );
                cx.refuse(Refusal::new("a tensor by value", help), loc);
                return None;
            }
            if let Some(last) = path.path.segments.last() {
                let loc = cx.node(ty);
                if last.ident == "Vec"
                    && let PathArguments::AngleBracketed(args) = &last.arguments
                    && let Some(element) = args.args.first()
                {
                    let element = super::reject::type_text(element);
                    let help = format!(
                        "write `{ident}: &Tensor<{element}, 1>`, or `&mut` for a tensor that is stored to"
                    );
                    cx.refuse(Refusal::new("a parameter of the type `Vec`", help), loc);
                    return None;
                }
                let mut refusal = super::reject::type_name(&last.ident.to_string());
                refusal.what = format!("a parameter of {}", refusal.what);
                cx.refuse(refusal, loc);
                return None;
            }
        }
        syn::Type::Ptr(pointer) => {
            let mutable = matches!(pointer.mutability, syn::PointerMutability::Mut(_));
            if let syn::Type::Path(path) = types_of::bare(&pointer.elem)
                && path.qself.is_none()
                && let Some(element) = element(types, &path.path)
            {
                return Some(ParamKind::Pointer { element, mutable });
            }
            let loc = cx.node(&*pointer.elem);
            let name = pointer.elem.to_token_stream().to_string();
            cx.refuse(super::reject::type_name(&name), loc);
            return None;
        }
        _ => {}
    }
    let loc = cx.node(ty);
    cx.refuse(
        Refusal::new(
            "this parameter type",
            format!("write `{ident}: &Tensor<f32, 1>`, `&mut Tensor<f32, 1>` or a number type"),
        ),
        loc,
    );
    None
}

fn tensor(
    cx: &mut Cx<'_>,
    ty: &syn::Type,
    segment: &syn::PathSegment,
    types: &[Ident],
    mutable: bool,
) -> Option<ParamKind> {
    let written = match &segment.arguments {
        PathArguments::AngleBracketed(args) => args.args.first(),
        _ => None,
    };
    let written = written.map_or_else(|| "f32".to_owned(), super::reject::type_text);
    let borrow = if mutable { "&mut" } else { "&" };
    let space = if mutable { " " } else { "" };
    let help = format!(
        "write the element type and the number of axes, as in `{borrow}{space}Tensor<{written}, 1>` for one axis"
    );
    let PathArguments::AngleBracketed(args) = &segment.arguments else {
        let loc = cx.node(ty);
        cx.refuse(
            Refusal::new("a tensor without element type and rank", help),
            loc,
        );
        return None;
    };
    let args: Vec<&GenericArgument> = args.args.iter().collect();
    let [GenericArgument::Type(element_ty), rank] = args.as_slice() else {
        let loc = cx.node(ty);
        cx.refuse(
            Refusal::new("a tensor without element type and rank", help),
            loc,
        );
        return None;
    };
    let parsed = match types_of::bare(element_ty) {
        syn::Type::Path(path) if path.qself.is_none() => element(types, &path.path),
        _ => None,
    };
    let Some(element) = parsed else {
        let loc = cx.node(element_ty);
        let name = element_ty.to_token_stream().to_string();
        cx.refuse(super::reject::type_name(&name), loc);
        return None;
    };
    let rank = rank_of(cx, rank)?;
    Some(ParamKind::Tensor {
        element,
        rank,
        mutable,
    })
}

fn rank_of(cx: &mut Cx<'_>, rank: &GenericArgument) -> Option<usize> {
    let loc: Loc = cx.node(rank);
    if let GenericArgument::Const(value) = rank
        && let Some(syn::Expr::Lit(lit)) = super::expr::sole_expression(value)
        && let syn::Lit::Int(value) = &lit.lit
        && let Ok(rank) = value.base10_parse::<usize>()
    {
        if (1..=MAX_RANK).contains(&rank) {
            return Some(rank);
        }
        cx.diagnostics.error(
            Diagnostic::error(
                Code::RankMismatch,
                loc,
                format!("a tensor cannot have {rank} axes"),
            )
            .note(format!("a tensor has from 1 to {MAX_RANK} axes"))
            .help(format!(
                "write a rank in that range, such as `{}`; a single number is a tensor of rank 1 with one element",
                rank.clamp(1, MAX_RANK)
            )),
        );
        return None;
    }
    cx.refuse(
        Refusal::new(
            "a rank that is not a literal",
            "write the number of axes, such as `1`: it is part of the signature",
        ),
        loc,
    );
    None
}
