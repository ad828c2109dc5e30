//! Emits the claims that a launch checks (see `tile_core::reach`) as tokens.

use super::hygiene::private;
use crate::hir::claims::Claimed;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use tile_core::reach::{Claim, Step};

/// Returns the field with the claims of an image, or `None` if there are no claims.
pub(super) fn field(claims: &[Claimed]) -> Option<TokenStream> {
    if claims.is_empty() {
        return None;
    }
    let private = private();
    let claims = claims.iter().map(|claimed| {
        let Claimed {
            param,
            line,
            claim,
            program,
        } = claimed;
        let (param, line) = (index(*param), Literal::u32_unsuffixed(*line));
        let claim = match *claim {
            Claim::Fits { bits, signed } => {
                let bits = Literal::u32_unsuffixed(bits);
                quote!(Fits { bits: #bits, signed: #signed })
            }
            Claim::Positive => quote!(Positive),
            Claim::NotZero => quote!(NotZero),
        };
        let steps = program.iter().map(|&step| {
            let step = tokens_of(step);
            quote!(#private::Step::#step)
        });
        quote! {
            #private::ClaimImage {
                param: #param,
                line: #line,
                claim: #private::Claim::#claim,
                program: &[#(#steps),*],
            }
        }
    });
    Some(quote!(claims: &[#(#claims),*]))
}

fn index(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

fn number(value: i128) -> TokenStream {
    let magnitude = Literal::u128_unsuffixed(value.unsigned_abs());
    let sign = (value < 0).then(|| quote!(-));
    quote!(#sign #magnitude)
}

/// Returns the variant of a step, without the name of its type.
pub(super) fn tokens_of(step: Step) -> TokenStream {
    match step {
        Step::Int(value) => {
            let value = number(value);
            quote!(Int(#value))
        }
        Step::Between(low, high) => {
            let (low, high) = (number(low), number(high));
            quote!(Between(#low, #high))
        }
        Step::Block(axis) => {
            let axis = index(axis);
            quote!(Block(#axis))
        }
        Step::Blocks(axis) => {
            let axis = index(axis);
            quote!(Blocks(#axis))
        }
        Step::Scalar {
            param,
            bits,
            signed,
        } => {
            let (param, bits) = (index(param), Literal::u32_unsuffixed(bits));
            quote!(Scalar { param: #param, bits: #bits, signed: #signed })
        }
        Step::Dim { param, axis } => {
            let (param, axis) = (index(param), index(axis));
            quote!(Dim { param: #param, axis: #axis })
        }
        Step::Tiles { param, axis, step } => {
            let (param, axis) = (index(param), index(axis));
            let step = Literal::i64_unsuffixed(step);
            quote!(Tiles { param: #param, axis: #axis, step: #step })
        }
        Step::Trips => quote!(Trips),
        Step::Add => quote!(Add),
        Step::Mul => quote!(Mul),
        Step::Div => quote!(Div),
        Step::Rem => quote!(Rem),
        Step::Min => quote!(Min),
        Step::Max => quote!(Max),
        Step::Word { bits, signed } => {
            let bits = Literal::u32_unsuffixed(bits);
            quote!(Word { bits: #bits, signed: #signed })
        }
        Step::And => quote!(And),
        Step::Or => quote!(Or),
        Step::Xor => quote!(Xor),
        Step::Shr => quote!(Shr),
        Step::Choice => quote!(Choice),
        Step::Equal => quote!(Equal),
        Step::Less => quote!(Less),
        Step::AtMost => quote!(AtMost),
        Step::Given(holds) => quote!(Given(#holds)),
        Step::Drop => quote!(Drop),
    }
}
