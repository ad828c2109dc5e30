//! Measures the time of the front end: stages 1 to 7 of the flash attention kernel of the examples.

use crate::build::Variant;
use crate::testing::front_tokens;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::time::{Duration, Instant};
use tile_core::Diagnostics;
use tile_core::bytecode;
use tile_core::canonicalize::canonicalize;
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::ops::Version;
use tile_core::verify::verify;

/// The number of measurements. The fastest one is reported, since the machine also runs other work.
const RUNS: usize = 12;

/// Returns the kernel without its attribute.
fn attention() -> TokenStream {
    let example = include_str!("../../examples/06_attention.rs");
    let file = syn::parse_file(example).expect("the example is Rust");
    let mut kernel = file
        .items
        .into_iter()
        .find_map(|item| match item {
            syn::Item::Fn(function) if function.sig.ident == "attention" => Some(function),
            _ => None,
        })
        .expect("the example has the kernel");
    kernel.attrs.clear();
    // The kernel is parsed again from text, so that tokens have locations as in the macro.
    kernel
        .into_token_stream()
        .to_string()
        .parse()
        .expect("tokens")
}

/// Runs stages 1 to 7 for both variants.
fn run(attribute: &TokenStream, kernel: &TokenStream) -> Duration {
    let start = Instant::now();
    let expansion = front_tokens(attribute.clone(), kernel)
        .unwrap_or_else(|faults| panic!("{}", faults.concat()));
    let mut bytes = 0;
    for (variant, module) in expansion.artifacts.into_iter().flatten() {
        let mut diagnostics = Diagnostics::new();
        let flat = verify(module, &mut diagnostics)
            .and_then(|verified| flatten(verified, &FlattenOptions::default(), &mut diagnostics))
            .unwrap_or_else(|_| panic!("{:?}", diagnostics.take()));
        let canonical = canonicalize(flat.module);
        if matches!(variant, Variant::General) {
            let mut module = canonical.module().clone();
            module.state_locations();
            bytes += bytecode::write(&module, Version::V13_4)
                .expect("a kernel is bytecode")
                .len();
        }
    }
    let time = start.elapsed();
    assert!(bytes > 1000, "the whole kernel is there");
    time
}

#[test]
fn an_instance_of_attention_takes_milliseconds() {
    let attribute = quote!(
        grid = [q.shape()[2].div_ceil(BM), q.shape()[1], q.shape()[0]],
        types(T = f16),
        instances((BM = 32, BN = 32, D = 32, CAUSAL = true)),
    );
    let kernel = attention();
    let fastest = (0..RUNS)
        .map(|_| run(&attribute, &kernel))
        .min()
        .expect("it ran");
    let limit = if cfg!(debug_assertions) { 25 } else { 5 };
    show(fastest);
    assert!(
        fastest <= Duration::from_millis(limit),
        "{fastest:?}, and {limit} ms are allowed"
    );
}

#[expect(
    clippy::print_stdout,
    reason = "the time is what a reader of the test wants to see"
)]
fn show(time: Duration) {
    println!("stages 1 to 7 of one instance in both variants: {time:?}");
}
