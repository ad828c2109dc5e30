//! Measures the cost of folding, for operations that fold and for operations that do not.

use divan::Bencher;
use tile_core::fold::{constant, fold};
use tile_core::ir::OpId;
use tile_core::{Diagnostics, Module, text};

fn main() {
    divan::main();
}

/// Returns a kernel with the parameter `%p` and the operations of `body`, and the last of these
/// operations.
fn kernel(body: &str) -> (Module, OpId) {
    let source = format!("entry @k(%p: tile<i32>) {{\n{body}\nreturn\n}}\n");
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(&source, "k", &mut diagnostics).expect("it parses");
    let entry = module.entry("k").expect("just written");
    let block = module.region_block(entry, 0).expect("a body");
    let ops = &module.block(block).ops;
    let last = ops[ops.len() - 2];
    (module, last)
}

fn run(bencher: Bencher<'_, '_>, body: &str, folds: bool) {
    let (module, id) = kernel(body);
    let folded = || fold(&module, id, &|value| constant(&module, value));
    assert_eq!(folded().is_some(), folds);
    bencher.bench_local(folded);
}

#[divan::bench]
fn addi_of_scalars(bencher: Bencher<'_, '_>) {
    let body = "%a = constant <i32: 3> : tile<i32>\n%r = addi %a, %a : tile<i32>";
    run(bencher, body, true);
}

#[divan::bench]
fn addf_of_splats(bencher: Bencher<'_, '_>) {
    let body = "%a = constant <f32: 3.0> : tile<128x128xf32>\n%r = addf %a, %a : tile<128x128xf32>";
    run(bencher, body, true);
}

#[divan::bench]
fn cmpi_of_an_iota(bencher: Bencher<'_, '_>) {
    let body = "%i = iota : tile<256xi32>\n%n = constant <i32: 256> : tile<256xi32>\n\
                %r = cmpi less_than %i, %n, unsigned : tile<256xi32> -> tile<256xi1>";
    run(bencher, body, true);
}

#[divan::bench]
fn sum_of_a_large_splat(bencher: Bencher<'_, '_>) {
    let body = "%a = constant <i32: 3> : tile<16777216xi32>\n\
                %r = reduce %a dim=0 identities=[0 : i32] : tile<16777216xi32> -> tile<i32> \
                (%x: tile<i32>, %acc: tile<i32>) {\n%s = addi %x, %acc : tile<i32>\nyield %s : tile<i32>\n}";
    run(bencher, body, true);
}

#[divan::bench]
fn addi_of_a_parameter(bencher: Bencher<'_, '_>) {
    let body = "%a = constant <i32: 3> : tile<i32>\n%r = addi %p, %a : tile<i32>";
    run(bencher, body, false);
}

#[divan::bench]
fn an_operation_that_is_never_folded(bencher: Bencher<'_, '_>) {
    let body = "%a = constant <f32: 3.0> : tile<f32>\n%r = exp %a : tile<f32>";
    run(bencher, body, false);
}
