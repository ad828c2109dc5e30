//! Parses functions, constants and structs that are not kernels.

use super::ast::{Name, Pat, Type};
use super::item::{check_bounds, const_type, refuse_helper_qualifiers, where_clause};
use super::library::{
    Constant, Constness, Def, Function, Generic, Library, Receiver, Safety, ScopeId, Struct,
};
use super::reject::Refusal;
use super::{Cx, expr, pat, stmt, ty};
use syn::ext::IdentExt;
use tile_core::diag::{Code, Diagnostic};

/// Parses the generics of an item; lifetimes are ignored.
pub(super) fn generics(cx: &mut Cx<'_>, generics: &syn::Generics) -> Vec<Generic> {
    let mut parsed = Vec::new();
    let mut idents = Vec::new();
    for param in &generics.params {
        match param {
            syn::GenericParam::Type(param) => {
                check_bounds(cx, &param.ident, &param.bounds);
                idents.push(param.ident.clone());
                parsed.push(Generic::Type(cx.name(&param.ident)));
            }
            syn::GenericParam::Const(param) => {
                let ty = const_type(cx, &param.ty);
                parsed.push(Generic::Const(cx.name(&param.ident), ty));
            }
            syn::GenericParam::Lifetime(_) => {}
        }
    }
    if let Some(clause) = &generics.where_clause {
        where_clause(cx, clause, &idents);
    }
    parsed
}

fn output(cx: &mut Cx<'_>, output: &syn::ReturnType) -> Type {
    match output {
        syn::ReturnType::Default => {
            let loc = cx.token(proc_macro2::Span::call_site());
            Type::Tuple(Vec::new(), loc)
        }
        syn::ReturnType::Type(_, ty) => ty::ty(cx, ty),
    }
}

fn params<'i>(
    cx: &mut Cx<'_>,
    inputs: impl Iterator<Item = &'i syn::FnArg>,
) -> (Receiver, Vec<(Pat, Type)>) {
    let mut receiver = Receiver::None;
    let mut parsed = Vec::new();
    for input in inputs {
        match input {
            syn::FnArg::Typed(typed) => {
                cx.no_attributes(&typed.attrs);
                let (pat, _) = pat::pattern(cx, &typed.pat);
                let ty = ty::ty(cx, &typed.ty);
                parsed.push((pat, ty));
            }
            syn::FnArg::Receiver(this) => {
                let loc = cx.token(this.self_token.span);
                // Values are copied, so `&self` is equivalent to `self`.
                if !matches!(
                    &this.kind,
                    syn::ReceiverKind::Value | syn::ReceiverKind::Reference(_, _, None)
                ) {
                    cx.refuse(
                        Refusal::new(
                            "`&mut self`, or `self` with a type,",
                            "write `self`, and return the changed value",
                        ),
                        loc,
                    );
                }
                receiver = Receiver::Value;
                let name = Name {
                    text: "self".to_owned(),
                    loc,
                };
                let mutable = this.mutability.is_some();
                let this = Name {
                    text: "Self".to_owned(),
                    loc,
                };
                parsed.push((Pat::Name { name, mutable }, Type::Name(this)));
            }
        }
    }
    (receiver, parsed)
}

fn signature(
    cx: &mut Cx<'_>,
    signature: &syn::Signature,
    block: &syn::Block,
    scope: ScopeId,
    outer: &[Generic],
    owner: Option<Type>,
) -> Function {
    refuse_helper_qualifiers(cx, signature);
    let mut all_generics = outer.to_vec();
    all_generics.extend(generics(cx, &signature.generics));
    let (receiver, params) = params(cx, signature.inputs.iter());
    Function {
        name: cx.name(&signature.ident),
        scope,
        generics: all_generics,
        outer_generics: outer.len(),
        owner,
        receiver,
        params,
        output: output(cx, &signature.output),
        constness: if signature.constness.is_some() {
            Constness::Const
        } else {
            Constness::Runtime
        },
        safety: match signature.safety {
            syn::Safety::Unsafe(_) => Safety::Unsafe,
            _ => Safety::Safe,
        },
        body: stmt::block(cx, block),
    }
}

/// Parses a free function.
pub(super) fn function(cx: &mut Cx<'_>, item: &syn::ItemFn, scope: ScopeId) -> Function {
    signature(cx, &item.sig, &item.block, scope, &[], None)
}

/// Parses a constant.
pub(super) fn constant(cx: &mut Cx<'_>, item: &syn::ItemConst, scope: ScopeId) -> Constant {
    Constant {
        name: cx.name(&item.ident),
        scope,
        generics: Vec::new(),
        owner: None,
        ty: ty::ty(cx, &item.ty),
        value: expr::expr(cx, &item.expr),
    }
}

/// Parses the elements of a constant array, each as a constant.
pub(super) fn elements(cx: &mut Cx<'_>, item: &syn::ItemConst, scope: ScopeId) -> Vec<Constant> {
    let syn::Type::Array(array) = ty::bare(&item.ty) else {
        let loc = cx.node(&*item.ty);
        cx.refuse(
            Refusal::new(
                "a list as a constant of this type",
                "write an array type, as in `[usize; 2]`",
            ),
            loc,
        );
        return Vec::new();
    };
    let values: Vec<&syn::Expr> = match expr::sole_expression(&item.expr) {
        Some(syn::Expr::Array(list)) => list.elems.iter().collect(),
        Some(syn::Expr::Repeat(repeat)) => {
            let length = match expr::sole_expression(&repeat.len) {
                Some(syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(length),
                    ..
                })) => length.base10_parse::<usize>().unwrap_or(0),
                _ => 0,
            };
            vec![&*repeat.expr; length]
        }
        _ => Vec::new(),
    };
    if let Some(syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Int(length),
        ..
    })) = expr::sole_expression(&array.len)
        && let Ok(length) = length.base10_parse::<usize>()
        && length != values.len()
    {
        let loc = cx.node(&*item.expr);
        let message = format!("expected {length} elements, found {}", values.len());
        cx.diagnostics.error(
            Diagnostic::error(Code::TypeMismatch, loc, message)
                .help(format!("write the type as `[_; {}]`", values.len())),
        );
    }
    values
        .into_iter()
        .map(|value| Constant {
            name: cx.name(&item.ident),
            scope,
            generics: Vec::new(),
            owner: None,
            ty: ty::ty(cx, &array.elem),
            value: expr::expr(cx, value),
        })
        .collect()
}

/// Parses a struct with named fields.
pub(super) fn structure(cx: &mut Cx<'_>, item: &syn::ItemStruct, scope: ScopeId) -> Struct {
    let generics = generics(cx, &item.generics);
    let mut fields = Vec::new();
    match &item.fields {
        syn::Fields::Named(named) => {
            for field in &named.named {
                if let Some(ident) = &field.ident {
                    let name = cx.name(ident);
                    let ty = ty::ty(cx, &field.ty);
                    fields.push((name, ty));
                }
            }
        }
        syn::Fields::Unnamed(_) | syn::Fields::Unit => {
            let loc = cx.token(item.ident.span());
            cx.refuse(
                Refusal::new(
                    "a struct without named fields",
                    "name the fields, as in `struct Pair { a: f32, b: f32 }`, or use a tuple",
                ),
                loc,
            );
        }
    }
    Struct {
        name: cx.name(&item.ident),
        scope,
        generics,
        fields,
        associated: std::collections::BTreeMap::new(),
    }
}

/// Parses the functions and constants of an `impl` and adds them to its struct.
pub(super) fn implementation(
    cx: &mut Cx<'_>,
    item: &syn::ItemImpl,
    scope: ScopeId,
    library: &mut Library,
) {
    if let Some((path, _)) = &item.trait_ {
        let loc = cx.node(path);
        cx.refuse(
            Refusal::new(
                "an implementation of a trait",
                "write the methods in an `impl` of the struct itself",
            ),
            loc,
        );
        return;
    }
    let owner = ty::ty(cx, &item.self_ty);
    let structure = match &owner {
        Type::Name(name) => library.scopes[scope.0].names.get(&name.text),
        Type::Generic(name, ..) => library.scopes[scope.0].names.get(&name.text),
        _ => None,
    };
    let Some(&Def::Struct(index)) = structure else {
        let loc = cx.node(&*item.self_ty);
        cx.refuse(
            Refusal::new(
                "an `impl` of something that is no struct of this module",
                "write it beside the struct",
            ),
            loc,
        );
        return;
    };
    let own_fields = library.structs[index].fields.iter();
    let own_fields = own_fields.map(|(name, _)| name.text.clone()).collect();
    cx.structs.insert("Self".to_owned(), own_fields);
    let outer = generics(cx, &item.generics);
    for part in &item.items {
        let (ident, def) = match part {
            syn::ImplItem::Fn(method) => {
                let parsed_method = signature(
                    cx,
                    &method.sig,
                    &method.block,
                    scope,
                    &outer,
                    Some(owner.clone()),
                );
                library.functions.push(parsed_method);
                (
                    &method.sig.ident,
                    Def::Function(library.functions.len() - 1),
                )
            }
            syn::ImplItem::Const(constant) => {
                let parsed_method = Constant {
                    name: cx.name(&constant.ident),
                    scope,
                    generics: outer.clone(),
                    owner: Some(owner.clone()),
                    ty: ty::ty(cx, &constant.ty),
                    value: expr::expr(cx, &constant.expr),
                };
                library.constants.push(parsed_method);
                (&constant.ident, Def::Constant(library.constants.len() - 1))
            }
            other => {
                let loc = cx.node(other);
                cx.refuse(
                    Refusal::new("this item of an `impl`", "write functions and constants"),
                    loc,
                );
                continue;
            }
        };
        library.structs[index]
            .associated
            .insert(ident.unraw().to_string(), def);
    }
}
