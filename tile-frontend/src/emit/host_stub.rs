//! Emits the stub and its supporting items.
//!
//! ```text
//! trait MatmulInstance<const BM: usize>: Element { fn __instance() -> &'static Instance; }
//! const _: () = { impl MatmulInstance<128> for f16 { .. } };         one per instance
//! fn matmul<T: Element + MatmulInstance<BM>, const BM: usize>(..) -> Launch<'_> { .. }
//! fn matmul_dispatch<T: Element>(bm: usize, ..) -> Result<Launch<'_>> { .. }
//! ```
//!
//! A kernel without generics has its instance in a hidden module instead. Generic host functions use
//! the trait as a bound; the dispatch function selects the instance at run time.
//!
//! The bound makes an unlisted instance a compile error, whose text shows the line to add. The
//! first type parameter is the `Self` of the trait. Since rustc never infers an unknown `Self` from
//! the implementations, it takes `Self` from the arguments and reports the type that the author
//! passed.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;

use super::artifact::{self, Artifact};
use super::hygiene::{const_value, local, module as module_name, private, scalar};
use crate::hir::signature::{ElementRef, HostScalar, Instance, Param, ParamKind, Signature};

/// The environment variables that affect the compiled code: the crate is rebuilt when one changes.
const ENVIRONMENT: [&str; 2] = ["TILE_ARCH", "TILE_ARTIFACTS"];

/// Maximum number of instances that an error lists; the error states the number of the others.
const LISTED: usize = 8;

/// Returns the hidden module.
pub(super) fn module(signature: &Signature, artifacts: &[Artifact]) -> TokenStream {
    let private = private();
    let name = module_name(signature);
    let cfgs = signature
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("cfg"));
    if is_generic(signature) {
        return generic(signature, artifacts);
    }
    let instance = artifact::instance(signature, &artifacts[0]);
    let environment = environment();
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        mod #name {
            #environment
            pub(super) fn instance() -> &'static #private::Instance {
                #instance
            }
        }
    }
}

/// Returns the code that makes cargo rebuild the crate when a variable changes.
fn environment() -> TokenStream {
    let variables = ENVIRONMENT;
    quote! {
        #(
            const _: ::core::option::Option<&::core::primitive::str> =
                ::core::option_env!(#variables);
        )*
    }
}

/// Returns the name of the trait: `ScaleInstance` for the kernel `scale`.
pub(super) fn trait_name(signature: &Signature) -> Ident {
    let name = crate::collect::members::camel(&signature.ident.unraw().to_string());
    format_ident!("{name}Instance", span = signature.ident.span())
}

/// Returns the name of the dispatch function, such as `scale_dispatch`.
fn dispatch_name(signature: &Signature) -> Ident {
    let ident = signature.ident.unraw();
    format_ident!("{ident}_dispatch", span = signature.ident.span())
}

pub(super) fn cfgs(signature: &Signature) -> impl Iterator<Item = &syn::Attribute> {
    let attrs = signature.attrs.iter();
    attrs.filter(|attr| attr.path().is_ident("cfg"))
}

fn is_generic(signature: &Signature) -> bool {
    !signature.type_params.is_empty() || !signature.const_params.is_empty()
}

/// Returns the trait and its implementations.
fn generic(signature: &Signature, artifacts: &[Artifact]) -> TokenStream {
    let private = private();
    let vis = &signature.vis;
    let diagnostic = diagnostic(signature);
    let name = trait_name(signature);
    let types = signature
        .type_params
        .iter()
        .skip(1)
        .map(|param| &param.ident);
    let consts = signature.const_params.iter().map(|param| {
        let (ident, ty) = (&param.ident, scalar(param.ty));
        quote!(const #ident: #ty)
    });
    // With only const parameters, a carrier type implements the trait.
    let carrier = signature.type_params.is_empty();
    let element = (!carrier).then(|| quote!(: #private::Element));
    let impls = signature
        .instances
        .iter()
        .zip(artifacts)
        .map(|(instance, artifact)| {
            let mut types = instance.types.iter().map(|ty| scalar(*ty));
            let implementor = types.next().unwrap_or_else(|| quote!(#private::Kernel));
            let consts = signature
                .const_params
                .iter()
                .zip(&instance.consts)
                .map(|(param, value)| const_value(param.ty, *value));
            let instance = artifact::instance(signature, artifact);
            quote! {
                #[diagnostic::do_not_recommend]
                impl #name<#(#types,)* #(#consts),*> for #implementor {
                    fn __instance() -> &'static #private::Instance {
                        #instance
                    }
                }
            }
        });
    let kernel = signature.ident.unraw().to_string();
    let doc = format!(
        "The types and constants for which [`{kernel}`] is compiled: the bound of generic functions that launch it."
    );
    let (trait_cfgs, impl_cfgs) = (cfgs(signature), cfgs(signature));
    let environment = environment();
    quote! {
        #(#trait_cfgs)*
        #[doc = #doc]
        #diagnostic
        #[allow(dead_code, non_camel_case_types, unreachable_pub)]
        #vis trait #name<#(#types,)* #(#consts),*> #element {
            #[doc(hidden)]
            fn __instance() -> &'static #private::Instance;
        }
        #(#impl_cfgs)*
        const _: () = {
            #environment
            #(#impls)*
        };
    }
}

/// Returns the function that selects the instance at run time, or `None` for a kernel without
/// generics.
fn dispatch(signature: &Signature) -> Option<TokenStream> {
    if !is_generic(signature) {
        return None;
    }
    let private = private();
    let Signature {
        vis,
        is_unsafe,
        ident: kernel,
        type_params,
        const_params,
        ..
    } = signature;
    let name = dispatch_name(signature);
    let params = &apart_from(kernel, &signature.params);
    let lifetime = Lifetime::choose(params);
    let declared = lifetime.declaration();
    let types = type_params.iter().map(|param| {
        let ident = &param.ident;
        quote!(#ident: #private::Element)
    });
    let generics: Vec<TokenStream> = declared.into_iter().chain(types).collect();
    let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
    let inputs = params.iter().map(|param| input(signature, param, lifetime));
    let output = lifetime.argument();
    let safety = is_unsafe.then(|| quote!(unsafe));
    let chosen = local("chosen");
    let consts: Vec<usize> = (0..const_params.len()).collect();
    let chosen_input = chosen_input(signature, &consts, &chosen);
    let tries = signature.instances.iter();
    let tries = tries.map(|instance| attempt(signature, params, instance, &chosen));
    let asked = asked(signature, &consts, &chosen);
    let text = kernel.unraw().to_string();
    let listed = listed(signature);
    let names: Vec<String> = const_params
        .iter()
        .map(|param| format!("`{}`", param.ident.unraw()))
        .collect();
    let by = match names.as_slice() {
        [] => "the types of the arguments".to_owned(),
        names => format!("{} and the types of the arguments", names.join(", ")),
    };
    let doc = format!(
        "[`{text}`], with the instance that {by} name when the program runs.\n\n# Errors\n`Error::NotCompiled` where there is none."
    );
    let cfgs = cfgs(signature);
    Some(quote! {
        #(#cfgs)*
        #[doc = #doc]
        #[allow(
            dead_code, unreachable_pub, non_snake_case,
            clippy::too_many_arguments, clippy::missing_safety_doc, clippy::bool_comparison
        )]
        #[inline]
        #vis #safety fn #name #generics (#chosen_input #(#inputs),*)
            -> ::core::result::Result<#private::Launch<#output>, #private::Error>
        {
            #(#tries)*
            ::core::result::Result::Err(#private::not_compiled(#text, &[#(#asked),*], &[#(#listed),*]))
        }
    })
}

/// Returns the parameters, of which one with the kernel's name does not hide the kernel.
pub(super) fn apart_from(kernel: &Ident, params: &[Param]) -> Vec<Param> {
    let mut params = params.to_vec();
    for param in &mut params {
        if param.ident == *kernel {
            param.ident.set_span(Span::mixed_site());
        }
    }
    params
}

/// Returns the conditions under which the types, and the values of these const parameters, are those of an instance.
pub(super) fn conditions(
    signature: &Signature,
    instance: &Instance,
    consts: &[usize],
    chosen: &Ident,
) -> Vec<TokenStream> {
    let private = private();
    let values: Vec<TokenStream> = consts
        .iter()
        .map(|&index| number(signature.const_params[index].ty, instance.consts[index]))
        .collect();
    let is_chosen = match values.as_slice() {
        [] => None,
        [value] => Some(quote!(#chosen == #value)),
        values => Some(quote!(#chosen == (#(#values),*))),
    };
    let types = signature.type_params.iter().zip(&instance.types);
    let is_type = types.map(|(param, ty)| {
        let (ident, ty) = (&param.ident, scalar(*ty));
        quote!(#private::is::<#ident, #ty>())
    });
    is_chosen.into_iter().chain(is_type).collect()
}

/// Returns the parameter for the values of const parameters: a number, or a tuple of several.
pub(super) fn chosen_input(
    signature: &Signature,
    consts: &[usize],
    chosen: &Ident,
) -> Option<TokenStream> {
    let types = consts
        .iter()
        .map(|&index| scalar(signature.const_params[index].ty));
    match consts.len() {
        0 => None,
        1 => Some(quote!(#chosen: #(#types)*,)),
        _ => Some(quote!(#chosen: (#(#types),*),)),
    }
}

/// Returns the statement that calls an instance if its types and consts are the requested ones.
fn attempt(
    signature: &Signature,
    params: &[Param],
    instance: &Instance,
    chosen: &Ident,
) -> TokenStream {
    let Signature {
        is_unsafe,
        ident: kernel,
        const_params,
        ..
    } = signature;
    let types: Vec<TokenStream> = instance.types.iter().map(|ty| scalar(*ty)).collect();
    let consts: Vec<TokenStream> = const_params
        .iter()
        .zip(&instance.consts)
        .map(|(param, value)| const_value(param.ty, *value))
        .collect();
    let all: Vec<usize> = (0..const_params.len()).collect();
    let conditions = conditions(signature, instance, &all, chosen);
    let args = params.iter().map(|param| argument(param, instance));
    let mut call = quote!(#kernel::<#(#types,)* #(#consts),*>(#(#args),*));
    if *is_unsafe {
        // SAFETY of the expansion: the caller of the `unsafe fn` upholds the contract.
        call = quote!(unsafe { #call });
    }
    quote! {
        if #(#conditions)&&* {
            return ::core::result::Result::Ok(#call);
        }
    }
}

/// Returns the name and the requested value of each generic, for the error if there is no instance.
/// `consts` are the indices of the const parameters whose values are in `chosen`.
pub(super) fn asked(signature: &Signature, consts: &[usize], chosen: &Ident) -> Vec<TokenStream> {
    let private = private();
    let asked_types = signature.type_params.iter().map(|param| {
        let (ident, name) = (&param.ident, param.ident.unraw().to_string());
        quote!((#name, #private::type_name::<#ident>()))
    });
    let asked_consts = consts.iter().enumerate().map(|(index, &param)| {
        let name = signature.const_params[param].ident.unraw().to_string();
        let index = proc_macro2::Literal::usize_unsuffixed(index);
        let value = if consts.len() == 1 {
            quote!(#chosen)
        } else {
            quote!(#chosen.#index)
        };
        quote!((#name, #private::shown(#value)))
    });
    asked_types.chain(asked_consts).collect()
}

/// Returns a const argument as an expression.
pub(super) fn number(ty: HostScalar, value: i128) -> TokenStream {
    match const_value(ty, value).into_iter().next() {
        // A negative generic argument is in braces.
        Some(TokenTree::Group(group)) => group.stream(),
        _ => const_value(ty, value),
    }
}

/// Converts an argument of the dispatch function to an argument of the instance.
fn argument(param: &Param, instance: &Instance) -> TokenStream {
    let private = private();
    let ident = &param.ident;
    let concrete = |element: ElementRef| match element {
        ElementRef::Concrete(_) => None,
        ElementRef::Param(_) => Some(scalar(element.bind(instance))),
    };
    match param.kind {
        ParamKind::Tensor {
            element,
            rank,
            mutable,
        } => match concrete(element) {
            None => ident.to_token_stream(),
            Some(ty) => {
                let rank = proc_macro2::Literal::usize_unsuffixed(rank);
                let cast = local(if mutable { "exclusive_as" } else { "shared_as" });
                quote!(#private::#cast::<_, #private::Tensor<#ty, #rank>>(#ident))
            }
        },
        ParamKind::Scalar(element) => match concrete(element) {
            None => ident.to_token_stream(),
            Some(ty) => quote!(#private::value_as::<_, #ty>(#ident)),
        },
        ParamKind::Pointer { element, mutable } => match concrete(element) {
            None => ident.to_token_stream(),
            Some(ty) => {
                let pointer = local(if mutable { "DevicePtrMut" } else { "DevicePtr" });
                quote!(#private::value_as::<_, #private::#pointer<#ty>>(#ident))
            }
        },
    }
}

/// Lists the instances, as in `(T = f16, BM = 128)`, up to a limit, followed by the number of the
/// others.
pub(super) fn listed(signature: &Signature) -> Vec<String> {
    let instances = signature.instances.iter().take(LISTED);
    let mut listed: Vec<String> = instances
        .map(|instance| format!("({})", describe(signature, instance).join(", ")))
        .collect();
    match signature.instances.len().saturating_sub(LISTED) {
        0 => {}
        more => listed.push(format!("{more} more")),
    }
    listed
}

/// Returns the message of rustc for an unlisted instance.
fn diagnostic(signature: &Signature) -> TokenStream {
    let kernel = signature.ident.unraw().to_string();
    let (types, consts) = placeholders(signature);
    let asked = [types.clone(), consts.clone()].concat();
    let message = format!("`{kernel}` was not compiled for `{}`", asked.join(", "));
    let label = format!("`{kernel}` does not list this instance");
    let listed: Vec<String> = listed(signature)
        .into_iter()
        .map(|text| {
            if text.starts_with('(') {
                format!("`{text}`")
            } else {
                text
            }
        })
        .collect();
    let rule = format!(
        "kernels are compiled while the crate is built, so `#[tile_kernel]` has to list every instance; listed: {}",
        listed.join(", ")
    );
    let instances = format!("`({})` to `instances(...)`", consts.join(", "));
    let candidates: Vec<String> = signature
        .type_params
        .iter()
        .enumerate()
        .map(|(index, param)| {
            format!(
                "`{}` to `{}` in `types(...)`",
                type_placeholder(signature, index),
                param.ident
            )
        })
        .collect();
    let cure = match (consts.is_empty(), candidates.is_empty()) {
        (false, true) => format!("add {instances} of `#[tile_kernel]` on `{kernel}`"),
        (true, _) => format!(
            "add {} of `#[tile_kernel]` on `{kernel}`{}",
            candidates.join(" and "),
            if candidates.len() > 1 {
                ", whichever is missing"
            } else {
                ""
            }
        ),
        (false, false) => format!(
            "add {instances} and {} of `#[tile_kernel]` on `{kernel}`, whichever is missing",
            candidates.join(" and ")
        ),
    };
    let implementor = if signature.type_params.is_empty() {
        "Kernel".to_owned()
    } else {
        type_placeholder(signature, 0)
    };
    let more_types =
        (1..signature.type_params.len()).map(|index| type_placeholder(signature, index));
    let values = signature
        .const_params
        .iter()
        .map(|param| format!("{{{}}}", param.ident));
    let arguments: Vec<String> = more_types.chain(values).collect();
    let arguments = if arguments.is_empty() {
        String::new()
    } else {
        format!("<{}>", arguments.join(", "))
    };
    let bound = format!(
        "in a function that is generic over it, write the bound `{implementor}: {}{arguments}`, or call `{}`",
        trait_name(signature),
        dispatch_name(signature)
    );
    quote! {
        #[diagnostic::on_unimplemented(
            message = #message,
            label = #label,
            note = #rule,
            note = #cure,
            note = #bound
        )]
    }
}

/// Returns `T = {Self}` and `BM = {BM}`, which rustc fills in.
fn placeholders(signature: &Signature) -> (Vec<String>, Vec<String>) {
    let types = signature
        .type_params
        .iter()
        .enumerate()
        .map(|(index, param)| format!("{} = {}", param.ident, type_placeholder(signature, index)))
        .collect();
    let consts = signature
        .const_params
        .iter()
        .map(|param| format!("{0} = {{{0}}}", param.ident))
        .collect();
    (types, consts)
}

fn type_placeholder(signature: &Signature, index: usize) -> String {
    match index {
        0 => "{Self}".to_owned(),
        _ => format!("{{{}}}", signature.type_params[index].ident),
    }
}

/// Returns `T = f16` and `BM = 128` of a listed instance.
pub(super) fn describe(signature: &Signature, instance: &Instance) -> Vec<String> {
    let types = signature
        .type_params
        .iter()
        .zip(&instance.types)
        .map(|(param, ty)| format!("{} = {}", param.ident, ty.name()));
    let consts = signature
        .const_params
        .iter()
        .zip(&instance.consts)
        .map(|(param, value)| {
            let value = const_value(param.ty, *value).to_string();
            let value = value.trim_matches(['{', '}', ' ']).replace(' ', "");
            format!("{} = {value}", param.ident)
        });
    types.chain(consts).collect()
}

/// Returns the function with the kernel's name.
pub(super) fn stub(signature: &Signature) -> TokenStream {
    let Signature {
        attrs,
        vis,
        is_unsafe,
        ident,
        type_params,
        const_params,
        params,
        grid,
        instances: _,
        single: _,
        max_blocks: _,
        tuning: _,
    } = signature;
    let private = private();
    let lifetime = Lifetime::choose(params);
    let declared = lifetime.declaration();
    let listed = instance_trait(signature);
    let types = type_params.iter().enumerate().map(|(index, param)| {
        let ident = &param.ident;
        // The first type parameter has the trait of the instances.
        let listed = listed.as_ref().filter(|_| index == 0);
        let listed = listed.map(|(_, instance)| quote!(+ #instance));
        quote!(#ident: #private::Element #listed)
    });
    let consts = const_params.iter().map(|param| {
        let (ident, ty) = (&param.ident, scalar(param.ty));
        quote!(const #ident: #ty)
    });
    let generics: Vec<TokenStream> = declared.into_iter().chain(types).chain(consts).collect();
    let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
    let inputs = params.iter().map(|param| input(signature, param, lifetime));
    let output = lifetime.argument();
    let bound = bound(signature);
    let instance = instance(signature);
    let args = params.iter().map(argument_of);
    let safety = is_unsafe.then(|| quote!(unsafe));
    // The grid is evaluated before the arguments borrow anything and while no local variables are
    // in scope.
    let grid = grid.as_ref().map_or_else(
        || quote!(::core::option::Option::None),
        |grid| quote!(#private::grid(#grid)),
    );
    let function = if is_generic(signature) {
        quote!(__instance)
    } else {
        quote!(instance)
    };
    let dispatch = dispatch(signature);
    quote! {
        #(#attrs)*
        #vis #safety fn #ident #generics (#(#inputs),*) -> #private::Launch<#output> #bound {
            #private::launch(#instance::#function(), #grid, [#(#args),*])
        }
        #dispatch
    }
}

/// Makes an argument of a launch from an argument of the stub.
pub(super) fn argument_of(param: &Param) -> TokenStream {
    let private = private();
    let ident = &param.ident;
    match param.kind {
        ParamKind::Tensor { mutable: false, .. } => quote!(#private::shared(#ident)),
        ParamKind::Tensor { mutable: true, .. } => quote!(#private::exclusive(#ident)),
        ParamKind::Scalar(_) => quote!(#private::scalar(#ident)),
        ParamKind::Pointer { .. } => quote!(#private::pointer(#ident)),
    }
}

/// Returns the function with the kernel's name for a signature that is only partly known.
pub(super) fn stand_in(signature: &Signature, function: &syn::ItemFn) -> TokenStream {
    let Signature {
        attrs,
        vis,
        is_unsafe,
        ident,
        type_params,
        const_params,
        params,
        ..
    } = signature;
    let private = private();
    let types = type_params.iter().map(|param| {
        let ident = &param.ident;
        quote!(#ident: #private::Element)
    });
    let consts = const_params.iter().map(|param| {
        let (ident, ty) = (&param.ident, scalar(param.ty));
        quote!(const #ident: #ty)
    });
    let generics: Vec<TokenStream> = types.chain(consts).collect();
    let inputs = function.sig.inputs.iter().map(|written| {
        let parsed = params.iter().find(|param| match written {
            syn::FnArg::Typed(typed) => {
                matches!(&*typed.pat, syn::Pat::Ident(pat) if pat.ident == param.ident)
            }
            syn::FnArg::Receiver(_) => false,
        });
        if let Some(param) = parsed {
            input(signature, param, Lifetime::Elided)
        } else {
            quote!(_: impl ::core::marker::Sized)
        }
    });
    let safety = is_unsafe.then(|| quote!(unsafe));
    quote! {
        #(#attrs)*
        #[allow(unused_variables)]
        #vis #safety fn #ident <#(#generics),*> (#(#inputs),*) -> #private::Launch<'static> {
            ::core::unreachable!()
        }
    }
}

/// The lifetime of the launch, chosen so that no lint reports a needless lifetime.
#[derive(Clone, Copy)]
pub(super) enum Lifetime {
    /// Nothing is borrowed.
    Static,
    /// A single reference is borrowed.
    Elided,
    /// All references have the lifetime of the launch.
    Named,
}

impl Lifetime {
    pub(super) fn choose(params: &[Param]) -> Lifetime {
        let references = params
            .iter()
            .filter(|param| matches!(param.kind, ParamKind::Tensor { .. }))
            .count();
        match references {
            0 => Lifetime::Static,
            1 => Lifetime::Elided,
            _ => Lifetime::Named,
        }
    }

    pub(super) fn declaration(self) -> Option<TokenStream> {
        match self {
            Lifetime::Static | Lifetime::Elided => None,
            Lifetime::Named => Some(quote!('launch)),
        }
    }

    pub(super) fn argument(self) -> TokenStream {
        match self {
            Lifetime::Static => quote!('static),
            Lifetime::Elided => quote!('_),
            Lifetime::Named => quote!('launch),
        }
    }
}

pub(super) fn input(signature: &Signature, param: &Param, lifetime: Lifetime) -> TokenStream {
    let private = private();
    let ident = &param.ident;
    match param.kind {
        ParamKind::Scalar(element) => {
            let ty = element_type(signature, element);
            quote!(#ident: #ty)
        }
        ParamKind::Pointer { element, mutable } => {
            let ty = element_type(signature, element);
            if mutable {
                quote!(#ident: #private::DevicePtrMut<#ty>)
            } else {
                quote!(#ident: #private::DevicePtr<#ty>)
            }
        }
        ParamKind::Tensor {
            element,
            rank,
            mutable,
        } => {
            let ty = element_type(signature, element);
            let rank = proc_macro2::Literal::usize_unsuffixed(rank);
            let lifetime = lifetime.declaration();
            let mutable = mutable.then(|| quote!(mut));
            quote!(#ident: &#lifetime #mutable #private::Tensor<#ty, #rank>)
        }
    }
}

fn element_type(signature: &Signature, element: ElementRef) -> TokenStream {
    match element {
        ElementRef::Concrete(concrete) => scalar(concrete),
        ElementRef::Param(index) => signature.type_params[index].ident.to_token_stream(),
    }
}

/// Returns `MatmulInstance<BM>`, preceded by the type that implements it, or `None` for a kernel
/// without generics.
fn instance_trait(signature: &Signature) -> Option<(TokenStream, TokenStream)> {
    if !is_generic(signature) {
        return None;
    }
    let (private, name) = (private(), trait_name(signature));
    let mut types = signature.type_params.iter().map(|param| &param.ident);
    let implementor = types
        .next()
        .map_or_else(|| quote!(#private::Kernel), ToTokens::to_token_stream);
    let consts: Vec<&Ident> = signature
        .const_params
        .iter()
        .map(|param| &param.ident)
        .collect();
    Some((implementor, quote!(#name<#(#types,)* #(#consts),*>)))
}

/// Returns the bound of a kernel without type parameters.
fn bound(signature: &Signature) -> Option<TokenStream> {
    if !signature.type_params.is_empty() {
        return None;
    }
    let (carrier, instance) = instance_trait(signature)?;
    Some(quote!(where #carrier: #instance))
}

/// Returns the path on which `::instance()` or `::__instance()` returns the instance.
fn instance(signature: &Signature) -> TokenStream {
    match instance_trait(signature) {
        Some((implementor, instance)) => quote!(<#implementor as #instance>),
        None => module_name(signature).to_token_stream(),
    }
}
