//! The stub and the hidden module beside it.
//!
//! ```text
//! mod __matmul {                        one implementation per instance
//!     trait Instance<const BM: usize> { fn image() -> &'static KernelImage; }
//!     impl Instance<128> for f16 { .. }
//! }
//! fn matmul<T: Element + __matmul::Instance<BM>, const BM: usize>(..) -> Launch<'_> { .. }
//! ```
//!
//! The bound makes an instance that is not listed a compile error, whose text
//! shows the line to add. The first type parameter is the `Self` of the trait:
//! an unknown `Self` is never guessed from the implementations, so rustc takes
//! it from the arguments and reports the type that the author passed.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use super::artifact::{Artifact, image};
use super::hygiene::{const_value, module as module_name, private, scalar, visibility_inside};
use crate::hir::signature::{ElementRef, Instance, Param, ParamKind, Signature};

/// The environment variables that decide what is compiled: the crate is built
/// again when one changes.
const ENVIRONMENT: [&str; 1] = ["TILE_ARCH"];

/// How many instances an error lists before it only counts them.
const LISTED: usize = 8;

/// The hidden module.
pub(super) fn module(signature: &Signature, artifacts: &[Artifact]) -> TokenStream {
    let private = private();
    let name = module_name(signature);
    let cfgs = signature
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("cfg"));
    let body = if is_generic(signature) {
        generic(signature, artifacts)
    } else {
        let image = image(signature, &artifacts[0]);
        quote! {
            pub(super) fn image() -> &'static #private::KernelImage {
                #image
            }
        }
    };
    let variables = ENVIRONMENT;
    quote! {
        #(#cfgs)*
        #[doc(hidden)]
        mod #name {
            #(
                const _: ::core::option::Option<&::core::primitive::str> =
                    ::core::option_env!(#variables);
            )*
            #body
        }
    }
}

fn is_generic(signature: &Signature) -> bool {
    !signature.type_params.is_empty() || !signature.const_params.is_empty()
}

/// The trait and its implementations.
fn generic(signature: &Signature, artifacts: &[Artifact]) -> TokenStream {
    let private = private();
    let vis = visibility_inside(&signature.vis);
    let diagnostic = diagnostic(signature);
    let types = signature
        .type_params
        .iter()
        .skip(1)
        .map(|param| &param.ident);
    let consts = signature.const_params.iter().map(|param| {
        let (ident, ty) = (&param.ident, scalar(param.ty));
        quote!(const #ident: #ty)
    });
    // Where there are only const parameters, something has to have the trait.
    let carrier = signature
        .type_params
        .is_empty()
        .then(|| quote!(#vis struct Kernel;));
    let impls = signature
        .instances
        .iter()
        .zip(artifacts)
        .map(|(instance, artifact)| {
            let mut types = instance.types.iter().map(|ty| scalar(*ty));
            let implementor = types.next().unwrap_or_else(|| quote!(Kernel));
            let consts = signature
                .const_params
                .iter()
                .zip(&instance.consts)
                .map(|(param, value)| const_value(param.ty, *value));
            let image = image(signature, artifact);
            quote! {
                #[diagnostic::do_not_recommend]
                impl Instance<#(#types,)* #(#consts),*> for #implementor {
                    fn image() -> &'static #private::KernelImage {
                        #image
                    }
                }
            }
        });
    quote! {
        #carrier
        #diagnostic
        #vis trait Instance<#(#types,)* #(#consts),*> {
            fn image() -> &'static #private::KernelImage;
        }
        #(#impls)*
    }
}

/// What rustc says where an instance is not listed.
fn diagnostic(signature: &Signature) -> TokenStream {
    let kernel = signature.ident.unraw().to_string();
    let (types, consts) = placeholders(signature);
    let asked = [types.clone(), consts.clone()].concat();
    let message = format!("`{kernel}` was not compiled for `{}`", asked.join(", "));
    let label = format!("`{kernel}` does not list this instance");
    let mut listed: Vec<String> = signature
        .instances
        .iter()
        .take(LISTED)
        .map(|instance| format!("`({})`", describe(signature, instance).join(", ")))
        .collect();
    match signature.instances.len().saturating_sub(LISTED) {
        0 => {}
        more => listed.push(format!("{more} more")),
    }
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
    quote! {
        #[diagnostic::on_unimplemented(
            message = #message,
            label = #label,
            note = #rule,
            note = #cure
        )]
    }
}

/// `T = {Self}` and `BM = {BM}`, for rustc to fill in.
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

/// `T = f16` and `BM = 128` of a listed instance.
fn describe(signature: &Signature, instance: &Instance) -> Vec<String> {
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

/// The function of the kernel's name.
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
        most: _,
    } = signature;
    let private = private();
    let lifetime = Lifetime::of(params);
    let declared = lifetime.declaration();
    let listed = instance_trait(signature);
    let types = type_params.iter().enumerate().map(|(index, param)| {
        let ident = &param.ident;
        // The first one has the trait of the instances.
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
    let args = params.iter().map(|param| {
        let ident = &param.ident;
        match param.kind {
            ParamKind::Tensor { mutable: false, .. } => quote!(#private::shared(#ident)),
            ParamKind::Tensor { mutable: true, .. } => quote!(#private::exclusive(#ident)),
            ParamKind::Scalar(_) => quote!(#private::scalar(#ident)),
            ParamKind::Pointer { .. } => quote!(#private::pointer(#ident)),
        }
    });
    let safety = is_unsafe.then(|| quote!(unsafe));
    // Evaluated before the arguments borrow anything, with no local in its scope.
    let grid = grid.as_ref().map_or_else(
        || quote!(::core::option::Option::None),
        |grid| quote!(#private::grid(#grid)),
    );
    quote! {
        #(#attrs)*
        #vis #safety fn #ident #generics (#(#inputs),*) -> #private::Launch<#output> #bound {
            #private::launch(#instance::image(), #grid, [#(#args),*])
        }
    }
}

/// The function of the kernel's name where the signature is not known whole.
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
        let known = params.iter().find(|param| match written {
            syn::FnArg::Typed(typed) => {
                matches!(&*typed.pat, syn::Pat::Ident(pat) if pat.ident == param.ident)
            }
            syn::FnArg::Receiver(_) => false,
        });
        match known {
            Some(param) => input(signature, param, Lifetime::Elided),
            None => quote!(_: impl ::core::marker::Sized),
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

/// Which lifetime the launch has, so that no lint finds one to leave out.
#[derive(Clone, Copy)]
enum Lifetime {
    /// There is nothing to borrow.
    Static,
    /// There is one reference.
    Elided,
    /// All references live as long as the launch.
    Named,
}

impl Lifetime {
    fn of(params: &[Param]) -> Lifetime {
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

    fn declaration(self) -> Option<TokenStream> {
        match self {
            Lifetime::Static | Lifetime::Elided => None,
            Lifetime::Named => Some(quote!('launch)),
        }
    }

    fn argument(self) -> TokenStream {
        match self {
            Lifetime::Static => quote!('static),
            Lifetime::Elided => quote!('_),
            Lifetime::Named => quote!('launch),
        }
    }
}

fn input(signature: &Signature, param: &Param, lifetime: Lifetime) -> TokenStream {
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

/// `__matmul::Instance<BM>`, with the type that has it in front; nothing for a
/// kernel without generics.
fn instance_trait(signature: &Signature) -> Option<(TokenStream, TokenStream)> {
    if !is_generic(signature) {
        return None;
    }
    let module = module_name(signature);
    let mut types = signature.type_params.iter().map(|param| &param.ident);
    let implementor = types
        .next()
        .map_or_else(|| quote!(#module::Kernel), ToTokens::to_token_stream);
    let consts: Vec<&Ident> = signature
        .const_params
        .iter()
        .map(|param| &param.ident)
        .collect();
    Some((
        implementor,
        quote!(#module::Instance<#(#types,)* #(#consts),*>),
    ))
}

/// The bound of a kernel whose instances no type parameter carries.
fn bound(signature: &Signature) -> Option<TokenStream> {
    if !signature.type_params.is_empty() {
        return None;
    }
    let (carrier, instance) = instance_trait(signature)?;
    Some(quote!(where #carrier: #instance))
}

/// The path on which `::image()` gives the image.
fn instance(signature: &Signature) -> TokenStream {
    match instance_trait(signature) {
        Some((implementor, instance)) => quote!(<#implementor as #instance>),
        None => module_name(signature).to_token_stream(),
    }
}
