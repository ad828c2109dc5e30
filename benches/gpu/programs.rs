//! The examples and the device tests in one program, for a machine with a GPU and without Rust.
//! They share nearly all of their code.
//!
//! The program is started through links whose names select what runs, such as `01_vector_add`,
//! `gpu` or `cases`. Under any other name, it lists these names.

#![allow(
    clippy::duplicate_mod,
    reason = "each example brings what examples share"
)]

use std::path::Path;
use std::process::{ExitCode, Termination};

macro_rules! programs {
    ($($module:ident is $name:literal in $path:literal;)*) => {
        $(#[path = $path] mod $module;)*

        /// The programs by name.
        const PROGRAMS: &[(&str, fn() -> ExitCode)] = &[
            $(($name, || $module::main().report()),)*
        ];
    };
}

programs! {
    vector_add is "01_vector_add" in "../../examples/01_vector_add.rs";
    softmax is "02_softmax" in "../../examples/02_softmax.rs";
    matmul is "03_matmul" in "../../examples/03_matmul.rs";
    normalization is "04_normalization" in "../../examples/04_normalization.rs";
    layers is "05_layers" in "../../examples/05_layers.rs";
    attention is "06_attention" in "../../examples/06_attention.rs";
    search is "07_search" in "../../examples/07_search.rs";
    scans is "08_scans" in "../../examples/08_scans.rs";
    products is "09_matmul_variants" in "../../examples/09_matmul_variants.rs";
    grids is "10_grids" in "../../examples/10_grids.rs";
    tuning is "11_tuning" in "../../examples/11_tuning.rs";
    digits is "digits" in "../../examples/digits/main.rs";
    gpu is "gpu" in "../../tests/gpu/main.rs";
    reference is "reference" in "../../tests/reference.rs";
    cases is "cases" in "../../tests/cases/main.rs";
}

#[expect(clippy::print_stdout, reason = "what the program is for")]
fn main() -> ExitCode {
    let called = std::env::args_os().next().unwrap_or_default();
    let called = Path::new(&called).file_name().unwrap_or_default();
    let chosen = PROGRAMS.iter().find(|(name, _)| called == *name);
    if let Some((_, program)) = chosen {
        return program();
    }
    for (name, _) in PROGRAMS {
        println!("{name}");
    }
    ExitCode::SUCCESS
}
