//! Tests hand-built kernels by their PTX.

mod control;
mod elements;
mod kernels;
mod programs;
mod raster_order;
mod threads;

use std::collections::BTreeMap;

use crate::cubin::Cubin;
use crate::error::BackendError;
use crate::gpu::{Kernel, verify};
use crate::level::Level;
use crate::llvm::{Compilation, Context, compile};
use crate::ptx::Ptx;
use crate::ptx::resources::Resources;
use crate::target::Arch;
use crate::tools::Tool;

const ARCHS: [Arch; 2] = [Arch::SM_80, Arch::SM_90A];

/// Returns the PTX of a kernel. Panics if the kernel does not verify.
fn try_ptx(kernel: &Kernel, arch: Arch) -> Result<Ptx, BackendError> {
    let faults = verify(kernel);
    assert!(faults.is_empty(), "{faults:?}");
    let cx = Context::new();
    let module = super::emit(&cx, kernel, arch)?;
    compile(&cx, &module, &Compilation::new(arch))
}

fn ptx(kernel: &Kernel, arch: Arch) -> Ptx {
    try_ptx(kernel, arch).unwrap_or_else(|error| panic!("{}: {error}", kernel.name))
}

/// Returns the resource usage that ptxas reports for the kernel; `None` without ptxas.
fn resources(ptx: &Ptx) -> Option<Resources> {
    let program = match Tool::Ptxas.find() {
        Ok(program) => program,
        Err(error) => {
            crate::testing::skip(&error);
            return None;
        }
    };
    let cubin = Cubin::assemble(ptx, &program, Level::default())
        .unwrap_or_else(|error| panic!("{error}\n{}", ptx.text()));
    cubin.report().resources.values().next().cloned()
}

/// Counts the occurrences of each instruction, without its predicate.
fn counts(ptx: &Ptx) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in ptx.text().lines() {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let name = if first.starts_with('@') {
            words.next().unwrap_or_default()
        } else {
            first
        };
        *counts.entry(name.trim_end_matches(';')).or_insert(0) += 1;
    }
    counts
}

fn count(ptx: &Ptx, name: &str) -> usize {
    counts(ptx).get(name).copied().unwrap_or(0)
}

/// Returns the bits of the constant that a kernel stores, if its store has a constant operand: everything
/// else has then been folded.
fn stored_number(ptx: &Ptx) -> Option<i64> {
    let lines = || ptx.text().lines().map(str::trim);
    let stored = lines().find_map(|line| line.strip_prefix("st.global."))?;
    let operand = stored.split_once("], ")?.1.trim_end_matches(';');
    let literal = if operand.starts_with('%') {
        let target = format!("{operand},");
        let mov = lines().find(|line| line.starts_with("mov.b") && line.contains(&target))?;
        mov.rsplit(' ').next()?.trim_end_matches(';')
    } else {
        operand
    };
    let hex = ["0f", "0d", "0x"]
        .iter()
        .find_map(|prefix| literal.strip_prefix(prefix));
    match hex {
        Some(hex) => Some(u64::from_str_radix(hex, 16).ok()?.cast_signed()),
        None => literal.parse().ok(),
    }
}

fn has_local_memory(ptx: &Ptx) -> bool {
    ptx.text().contains(".local")
}
