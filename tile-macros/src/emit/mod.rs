//! Stage 12: the tokens that replace the kernel in the author's crate.
//!
//! In: the [`Signature`] and one [`Artifact`] per instance. Out: a hidden
//! module with the code of every instance, and the stub, a function of the
//! kernel's name that gives a launch.
//!
//! Invariants:
//!
//! - every path in the tokens is absolute or leads into the hidden module, so
//!   no name in the author's scope can change their meaning;
//! - the only names of the facade are those of `::tile_kernel::__private`;
//! - the tokens depend on nothing but the input, so the same build makes the
//!   same bytes.

mod artifact;
mod claims;
mod facts;
mod host_stub;
mod hygiene;
mod plan;
mod shadow;
pub(crate) mod tile_fn;

use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use artifact::{ArchArtifact, Artifact, VariantArtifact, VariantKind};
pub(crate) use shadow::{plainest, shadow, shadow_of_helper, unchanged};

use crate::hir::signature::Signature;

/// The hidden module and the stub. `artifacts` has one entry per instance of
/// the signature, in its order.
pub(crate) fn emit(signature: &Signature, artifacts: &[Artifact]) -> TokenStream {
    assert_eq!(
        signature.instances.len(),
        artifacts.len(),
        "every instance is compiled, or none is emitted"
    );
    let module = host_stub::module(signature, artifacts);
    let stub = host_stub::stub(signature);
    quote!(#module #stub)
}

/// A function of the name of a kernel whose signature has faults: it takes whatever the host passes
/// where the kernel's own type is not known.
pub(crate) fn stand_in(signature: &Signature, function: &syn::ItemFn) -> TokenStream {
    host_stub::stand_in(signature, function)
}

#[cfg(test)]
mod tests;
