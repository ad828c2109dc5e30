//! Emits the launch plan of a kernel whose loop becomes the grid, as tokens.

use super::hygiene::private;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use tile_core::flatten::{Bound, Buffer, Elements, EntryPlan, Trips};
use tile_core::ir::Signedness;

/// Returns the field with the plan of an image, or `None` for a kernel with an explicit grid.
pub(super) fn field(plan: &EntryPlan) -> Option<TokenStream> {
    let grid = plan.grid.as_ref()?;
    let private = private();
    let axes = grid.axes.iter().map(|axis| {
        let trips = axis.iter().map(trips);
        quote!(&[#(#trips),*])
    });
    let buffers = plan.buffers.iter().map(buffer);
    Some(quote! {
        plan: ::core::option::Option::Some(#private::PlanImage {
            axes: [#(#axes),*],
            buffers: &[#(#buffers),*],
        })
    })
}

fn trips(trips: &Trips) -> TokenStream {
    let private = private();
    let bits = Literal::u32_unsuffixed(trips.scalar.bits());
    let signed = trips.signedness == Signedness::Signed;
    let [lower, upper, step] = [trips.lower, trips.upper, trips.step].map(bound);
    quote! {
        #private::TripsImage { bits: #bits, signed: #signed, lower: #lower, upper: #upper, step: #step }
    }
}

fn bound(bound: Bound) -> TokenStream {
    let private = private();
    match bound {
        Bound::Constant(bits) => {
            let bits = Literal::u64_unsuffixed(bits);
            quote!(#private::BoundImage::Constant(#bits))
        }
        Bound::Parameter(number) => {
            let number = Literal::usize_unsuffixed(number);
            quote!(#private::BoundImage::Parameter(#number))
        }
        Bound::Computed => quote!(#private::BoundImage::Computed),
    }
}

fn buffer(buffer: &Buffer) -> TokenStream {
    let private = private();
    let bytes = |elements: u64| {
        let element = u64::from(buffer.element.bits().div_ceil(8));
        Literal::u64_unsuffixed(elements.saturating_mul(element))
    };
    let (fixed, per_block) = match buffer.elements {
        Elements::Fixed(count) => (bytes(count), bytes(0)),
        Elements::PerBlock(count) => (bytes(0), bytes(count)),
    };
    quote!(#private::BufferImage { fixed: #fixed, per_block: #per_block })
}
