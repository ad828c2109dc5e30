//! Measures reading and writing text: a module of two megabytes that repeats
//! the file tests of operations and kernels.

#![allow(
    missing_docs,
    reason = "the macros of the harness make items without docs"
)]

use divan::Bencher;
use divan::counter::BytesCount;
use std::fs;
use std::path::Path;
use tile_core::{Diagnostics, Module, text};

/// The minimum length of the module, in bytes.
const BYTES: usize = 2_000_000;

fn main() {
    divan::main();
}

fn parse(source: &str) -> Option<Module> {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "input", &mut diagnostics);
    diagnostics.take();
    module.ok()
}

/// Returns the kernels of the file tests, repeated until there are [`BYTES`] bytes.
fn source() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/parse");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder of tests exists")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    let kernels: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let text = fs::read_to_string(file).expect("a readable file");
            let input = text.split("// output:\n").next()?;
            let printed = text::print(&parse(input)?);
            let (_, body) = printed.trim_end().split_once('\n')?;
            Some(body.strip_suffix('}')?.to_owned())
        })
        .collect();
    let mut source = "cuda_tile.module @kernels {\n".to_owned();
    for kernel in kernels.iter().cycle() {
        source.push_str(kernel);
        if source.len() > BYTES {
            break;
        }
    }
    source.push_str("}\n");
    source
}

#[divan::bench]
fn read(bencher: Bencher<'_, '_>) {
    let source = source();
    bencher
        .counter(BytesCount::of_str(&source))
        .bench(|| parse(divan::black_box(&source)).expect("the module is legal"));
}

#[divan::bench]
fn write(bencher: Bencher<'_, '_>) {
    let source = source();
    let module = parse(&source).expect("the module is legal");
    bencher
        .counter(BytesCount::of_str(&source))
        .bench(|| text::print(divan::black_box(&module)));
}
