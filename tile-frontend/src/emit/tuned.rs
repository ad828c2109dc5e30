//! Emits the function that launches whichever instance is fastest.
//!
//! ```text
//! fn matmul_tuned<T: Element>(causal: bool, ..) -> TunedLaunch<'_> {
//!     if causal == false && is::<T, f16>() {
//!         static __CANDIDATES: [Candidate; 2] = [..];     the instances of this type and this constant
//!         static __TUNING: Tuning = Tuning::new(..);
//!         return tuned(&__TUNING, grids of all candidates, [args]);
//!     }
//!     ..
//! }
//! ```

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use super::artifact::Artifact;
use super::claims::tokens_of;
use super::host_stub::{
    Lifetime, apart_from, argument_of, asked, cfgs, chosen_input, conditions, describe, input,
    listed, trait_name,
};
use super::hygiene::{const_value, local, private, scalar};
use crate::hir::signature::{Instance, KeyClass, KeyItem, Signature, Tuning};
use crate::work::Part;
use tile_core::tuning::model::Work;

/// Returns the function, or `None` for a kernel without `tune(..)`.
pub(super) fn tuned(signature: &Signature, artifacts: &[Artifact]) -> Option<TokenStream> {
    let tuning = signature.tuning.as_ref()?;
    let private = private();
    let Signature {
        vis,
        is_unsafe,
        ident: kernel,
        type_params,
        const_params,
        ..
    } = signature;
    let params = &apart_from(kernel, &signature.params);
    let lifetime = Lifetime::choose(params);
    let types = type_params.iter().map(|param| {
        let ident = &param.ident;
        quote!(#ident: #private::Element)
    });
    let generics: Vec<TokenStream> = lifetime.declaration().into_iter().chain(types).collect();
    let generics = (!generics.is_empty()).then(|| quote!(<#(#generics),*>));
    let inputs = params.iter().map(|param| input(signature, param, lifetime));
    let output = lifetime.argument();
    let safety = is_unsafe.then(|| quote!(unsafe));
    let fixed = signature.fixed_consts(tuning);
    let chosen = local("chosen");
    let (chosen_table, grids) = (local("tuning"), local("grids"));
    let chosen_input = chosen_input(signature, &fixed, &chosen);
    let groups = signature.tuned_groups(tuning);
    let tries = groups.iter().map(|members| {
        let candidates = members
            .iter()
            .map(|&index| (&signature.instances[index], &artifacts[index]));
        group(
            signature,
            tuning,
            &fixed,
            &chosen,
            &candidates.collect::<Vec<_>>(),
        )
    });
    let args = params.iter().map(argument_of);
    let name = format_ident!("{}_tuned", kernel.unraw(), span = kernel.span());
    let text = kernel.unraw().to_string();
    let asked = asked(signature, &fixed, &chosen);
    let listed = listed(signature);
    let names: Vec<String> = tuning
        .params
        .iter()
        .map(|&index| format!("`{}`", const_params[index].ident.unraw()))
        .collect();
    let doc = format!(
        "[`{text}`], with the values of {} that are expected to be the fastest: of a record of the tuner, or by its model.\n\n# Errors\nThe launch returns `Error::NotCompiled` where there is no instance.",
        names.join(", ")
    );
    let cfgs = cfgs(signature);
    Some(quote! {
        #(#cfgs)*
        #[doc = #doc]
        #[allow(
            dead_code, unreachable_pub, non_snake_case, non_upper_case_globals,
            clippy::too_many_arguments, clippy::missing_safety_doc, clippy::bool_comparison,
            clippy::items_after_statements, clippy::large_stack_arrays
        )]
        #vis #safety fn #name #generics (#chosen_input #(#inputs),*) -> #private::TunedLaunch<#output> {
            let #chosen_table: &'static #private::Tuning;
            let #grids: #private::Grids;
            #(#tries)*
            {
                return #private::not_tuned(
                    #private::not_compiled(#text, &[#(#asked),*], &[#(#listed),*])
                );
            }
            #[allow(unreachable_code)]
            #private::tuned(#chosen_table, #grids, [#(#args),*])
        }
    })
}

/// Returns `if` with the candidates of one group, followed by `else`.
fn group(
    signature: &Signature,
    tuning: &Tuning,
    fixed: &[usize],
    chosen: &proc_macro2::Ident,
    candidates: &[(&Instance, &Artifact)],
) -> TokenStream {
    let private = private();
    let (chosen_table, grids) = (local("tuning"), local("grids"));
    let Signature {
        ident: kernel,
        type_params,
        const_params,
        ..
    } = signature;
    let (first, _) = candidates[0];
    let conditions = conditions(signature, first, fixed, chosen);
    let condition = if conditions.is_empty() {
        quote!(true)
    } else {
        quote!(#(#conditions)&&*)
    };
    // Types come first in a description.
    let described = describe(signature, first);
    let is_fixed = |position: &usize| match position.checked_sub(type_params.len()) {
        None => true,
        Some(index) => fixed.contains(&index),
    };
    let fixed_text = (0..described.len())
        .filter(is_fixed)
        .map(|position| described[position].as_str())
        .collect::<Vec<_>>()
        .join(", ");
    let mut hasher = blake3::Hasher::new();
    for (_, artifact) in candidates {
        hasher.update(artifact.code.as_bytes());
    }
    let hash = hasher.finalize().to_hex()[..16].to_owned();
    let count = Literal::usize_unsuffixed(candidates.len());
    let list = candidates.iter().map(|(instance, artifact)| {
        let described = describe(signature, instance);
        let name = (0..described.len())
            .filter(|position| !is_fixed(position))
            .map(|position| described[position].as_str())
            .collect::<Vec<_>>()
            .join(", ");
        let function = instance_function(signature, instance);
        let parts = artifact.work.iter().map(part);
        quote!(#private::Candidate { name: #name, instance: #function, parts: &[#(#parts),*] })
    });
    let grid_of_each = candidates.iter().map(|(instance, _)| {
        let Some(grid) = &signature.grid else {
            return quote!(::core::option::Option::None);
        };
        let consts = const_params
            .iter()
            .zip(&instance.consts)
            .map(|(param, value)| {
                let (ident, ty) = (&param.ident, scalar(param.ty));
                let value = const_value(param.ty, *value);
                quote!(const #ident: #ty = #value;)
            });
        quote!({ #(#consts)* #private::grid(#grid) })
    });
    let key = tuning.key.iter().map(|item| key_item(signature, item));
    let name = kernel.unraw().to_string();
    quote! {
        if #condition {
            static __CANDIDATES: [#private::Candidate; #count] = [#(#list),*];
            static __TUNING: #private::Tuning = #private::Tuning::new(
                ::core::concat!(::core::module_path!(), "::", #name),
                #hash,
                #fixed_text,
                &__CANDIDATES,
                &[#(#key),*],
            );
            #chosen_table = &__TUNING;
            #grids = #private::grids(&[#(#grid_of_each),*]);
        } else
    }
}

/// Returns the function that returns an instance.
fn instance_function(signature: &Signature, instance: &Instance) -> TokenStream {
    let private = private();
    let name = trait_name(signature);
    let mut types = instance.types.iter().map(|ty| scalar(*ty));
    let implementor = types.next().unwrap_or_else(|| quote!(#private::Kernel));
    let consts = signature
        .const_params
        .iter()
        .zip(&instance.consts)
        .map(|(param, value)| const_value(param.ty, *value));
    quote!(<#implementor as #name<#(#types,)* #(#consts),*>>::__instance)
}

fn key_item(signature: &Signature, item: &KeyItem) -> TokenStream {
    let private = private();
    let param = signature.params[item.param].ident.unraw();
    let name = match item.axis {
        Some(axis) => format!("{param}.dim({axis})"),
        None => param.to_string(),
    };
    let index = Literal::usize_unsuffixed(item.param);
    let axis = item.axis.map(Literal::usize_unsuffixed);
    let axis = axis.map_or_else(
        || quote!(::core::option::Option::None),
        |axis| quote!(::core::option::Option::Some(#axis)),
    );
    let class = match item.class {
        KeyClass::BucketAndDivisor => quote!(BucketAndDivisor),
        KeyClass::Bucket => quote!(Bucket),
        KeyClass::Divisor => quote!(Divisor),
        KeyClass::Exact => quote!(Exact),
    };
    quote! {
        #private::KeyImage { name: #name, param: #index, axis: #axis, class: #private::KeyClass::#class }
    }
}

fn part(part: &Part) -> TokenStream {
    let private = private();
    let Work {
        elements,
        products,
        packed,
        loaded,
        stored,
        scattered,
        operations,
    } = part.work;
    let numbers = [
        elements, products, packed, loaded, stored, scattered, operations,
    ];
    let [
        elements,
        products,
        packed,
        loaded,
        stored,
        scattered,
        operations,
    ] = numbers.map(Literal::f64_unsuffixed);
    let trips = part.trips.iter().map(|program| {
        let steps = program.iter().map(|&step| {
            let step = tokens_of(step);
            quote!(#private::Step::#step)
        });
        quote!(&[#(#steps),*])
    });
    quote! {
        #private::PartImage {
            work: #private::Work {
                elements: #elements,
                products: #products,
                packed: #packed,
                loaded: #loaded,
                stored: #stored,
                scattered: #scattered,
                operations: #operations,
            },
            trips: &[#(#trips),*],
        }
    }
}
