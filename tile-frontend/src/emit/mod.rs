//! Stage 12: emits the tokens that replace the kernel in the author's crate.
//!
//! The [`Signature`] and one [`Artifact`] per instance become a hidden module with the code of
//! every instance, and the stub, a function with the kernel's name that returns a launch.
//!
//! Invariants:
//!
//! - every path in the tokens is absolute or refers to the hidden module, so no name in the
//!   author's scope can change its meaning;
//! - all names of the facade are in `::tile_kernel::__private`;
//! - the tokens depend only on the input, so the same build produces the same bytes.

mod artifact;
mod claims;
mod facts;
mod host_stub;
mod hygiene;
mod native;
mod plan;
mod shadow;
pub(crate) mod tile_fn;
mod tuned;

use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use artifact::{Artifact, VariantArtifact, VariantKind};
pub(crate) use shadow::{plainest, shadow, shadow_of_helper, unchanged};

use crate::hir::signature::Signature;

/// Returns the hidden module and the stub. `artifacts` has one entry per instance of the signature,
/// in the same order.
pub(crate) fn emit(signature: &Signature, artifacts: &[Artifact]) -> TokenStream {
    assert_eq!(
        signature.instances.len(),
        artifacts.len(),
        "every instance is compiled, or none is emitted"
    );
    let module = host_stub::module(signature, artifacts);
    let stub = host_stub::stub(signature);
    let tuned = tuned::tuned(signature, artifacts);
    quote!(#module #stub #tuned)
}

/// Returns a function with the name of a kernel whose signature has errors. It accepts any argument
/// where the kernel's own type is unknown.
pub(crate) fn stand_in(signature: &Signature, function: &syn::ItemFn) -> TokenStream {
    host_stub::stand_in(signature, function)
}

#[cfg(test)]
mod tests;
