//! Emits names and types whose meaning does not depend on the author's scope.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use crate::hir::signature::{HostScalar, Signature};

/// Returns the path of the facade's hidden module.
pub(super) fn private() -> TokenStream {
    quote!(::tile_kernel::__private)
}

/// Returns the name of the hidden module that accompanies the stub.
pub(super) fn module(signature: &Signature) -> Ident {
    format_ident!("__{}", signature.ident.unraw(), span = Span::mixed_site())
}

/// Returns a local variable that is invisible to the author's expressions.
pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Returns a number type as a path whose meaning does not depend on the author's scope, which may
/// redefine `f32`.
pub(super) fn scalar(scalar: HostScalar) -> TokenStream {
    let name = local(scalar.name());
    match scalar {
        HostScalar::F16
        | HostScalar::Bf16
        | HostScalar::F8e4m3
        | HostScalar::F8e5m2
        | HostScalar::F8e8m0 => {
            let private = private();
            quote!(#private::#name)
        }
        HostScalar::Tf32 | HostScalar::F4e2m1 => {
            unreachable!("a type that exists only inside kernels is refused in their signatures")
        }
        HostScalar::Bool
        | HostScalar::I8
        | HostScalar::I16
        | HostScalar::I32
        | HostScalar::I64
        | HostScalar::U8
        | HostScalar::U16
        | HostScalar::U32
        | HostScalar::U64
        | HostScalar::Usize
        | HostScalar::F32
        | HostScalar::F64 => quote!(::core::primitive::#name),
    }
}

/// Returns the value of a const argument.
pub(super) fn const_value(ty: HostScalar, value: i128) -> TokenStream {
    if ty == HostScalar::Bool {
        let value = value != 0;
        return quote!(#value);
    }
    let digits = Literal::u128_unsuffixed(value.unsigned_abs());
    if value < 0 {
        quote!({ -#digits })
    } else {
        quote!(#digits)
    }
}
