//! Tests that transforms preserve the behaviour of modules.

mod generated;
mod loops;
mod tokens;

use tile_core::pass::Pipeline;
use tile_core::verify::verify;
use tile_core::{Diagnostics, Module, text};

/// Parses a module.
fn parsed(source: &str) -> Module {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "k", &mut diagnostics);
    let errors = diagnostics.take();
    module.unwrap_or_else(|_| panic!("{errors:?}\n{source}"))
}

/// Returns a module after `passes`, and the number of rewrites.
fn run(module: Module, passes: &str) -> (Module, usize) {
    let passes: Pipeline = passes.parse().expect("known passes");
    let source = text::print(&module);
    let mut diagnostics = Diagnostics::new();
    let mut rewrites = 0;
    let module = verify(module, &mut diagnostics).and_then(|module| {
        passes.run(module, &mut diagnostics, |_, _, trace| {
            rewrites += trace.rewrites().len();
        })
    });
    let errors = diagnostics.take();
    let module = module.unwrap_or_else(|_| panic!("{errors:?}\n{source}"));
    (module.into_inner(), rewrites)
}

/// Returns the seeds of random tests; `TILE_SEEDS` sets their number.
fn seeds(count: u64) -> std::ops::Range<u64> {
    let stated = std::env::var("TILE_SEEDS").ok();
    0..stated.map_or(count, |seeds| seeds.parse().expect("a number of seeds"))
}
