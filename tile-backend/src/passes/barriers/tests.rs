//! Hides effects from the placement of barriers, one at a time: the verifier must notice each.
//!
//! Input: the kernels of `tests/run/files`, whose barriers are removed and placed again. The model of one
//! access of one kind of operation is left out meanwhile, as if its row lacked the effect. Where that loses or
//! moves a barrier, the verifier, which has its own model, refuses the kernel.

use super::barriers;
use crate::gpu::{Kernel, OpKind, to_text, verify};
use crate::passes::places::HIDDEN;
use crate::target::Arch;
use crate::testing::{Phase, corpus, lowered};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Hidden effects that cost barriers which nothing needs, by operation, number of the effect, and file.
///
/// The placement counts a copy as an access until the next barrier. In these loops another barrier follows in
/// the same iteration, after the wait for the copy and after the reads of the stage. So all threads have
/// passed it before the next copy into the stage, and before anything after the loop reuses the bytes. This was
/// established by reading the kernels.
const HARMLESS: [(&str, usize, &str); 7] = [
    ("copy_async", 0, "bytes_i8_along_depth.mlir"),
    ("copy_async", 0, "bytes_i8_transposed_both.mlir"),
    ("copy_async", 0, "pointers_transposed.mlir"),
    ("copy_async", 0, "steps_transposed_both.mlir"),
    ("tma_load", 0, "slices.mlir"),
    ("tma_load", 0, "steps_transposed_both.mlir"),
    ("tma_load", 0, "two_products.mlir"),
];

#[test]
fn every_hidden_effect_is_noticed() {
    let mut outcomes: BTreeMap<(&'static str, usize), Outcome> = BTreeMap::new();
    for path in corpus() {
        for arch in [Arch::SM_80, Arch::SM_90A] {
            for kernel in lowered(&path, arch, Phase::Complete) {
                probe(&kernel, &path, &mut outcomes);
            }
        }
    }
    let missed: Vec<(&str, usize, &str)> = outcomes
        .iter()
        .flat_map(|(&(mnemonic, number), outcome)| {
            let files = outcome.missed.iter();
            files.map(move |file| (mnemonic, number, file.as_str()))
        })
        .collect();
    assert_eq!(missed, HARMLESS);
    let unnoticed: Vec<_> = outcomes
        .iter()
        .filter(|(_, outcome)| outcome.noticed == 0)
        .collect();
    assert!(
        unnoticed.is_empty() && outcomes.len() >= 20,
        "{outcomes:#?}"
    );
}

/// The results of hiding an access in all kernels.
#[derive(Debug, Default)]
struct Outcome {
    /// Number of kernels that the verifier refuses.
    noticed: usize,
    /// Kernels that it accepts although barriers differ.
    missed: BTreeSet<String>,
}

fn probe(kernel: &Kernel, path: &Path, outcomes: &mut BTreeMap<(&'static str, usize), Outcome>) {
    let bare = without_barriers(kernel);
    let complete = placed(&bare, None);
    if !verify(&complete).is_empty() {
        // A fence of the author's needs a barrier that no access asks for.
        return;
    }
    let expected = to_text(&complete);
    for effect in effects(kernel) {
        let mutant = placed(&bare, Some(effect));
        if to_text(&mutant) == expected {
            continue;
        }
        let outcome = outcomes.entry(effect).or_default();
        if verify(&mutant).is_empty() {
            let file = path.file_name().expect("the path of a file");
            outcome.missed.insert(file.to_string_lossy().into_owned());
        } else {
            outcome.noticed += 1;
        }
    }
}

fn placed(bare: &Kernel, hidden: Option<(&'static str, usize)>) -> Kernel {
    let mut kernel = bare.clone();
    HIDDEN.set(hidden);
    barriers(&mut kernel);
    HIDDEN.set(None);
    kernel
}

/// Returns the effects of the operations of a kernel, by mnemonic and number.
fn effects(kernel: &Kernel) -> BTreeSet<(&'static str, usize)> {
    let kinds = kernel.op_ids().map(|id| &kernel.op(id).kind);
    kinds
        .flat_map(|kind| {
            let effects = 0..kind.effects().len();
            effects.map(|number| (kind.mnemonic(), number))
        })
        .collect()
}

fn without_barriers(kernel: &Kernel) -> Kernel {
    let mut bare = kernel.clone();
    let blocks: BTreeSet<_> = kernel
        .op_ids()
        .flat_map(|id| kernel.op(id).blocks.to_vec())
        .chain([kernel.body()])
        .collect();
    for block in blocks {
        let mut ops = kernel.block(block).ops.clone();
        ops.retain(|&id| !matches!(kernel.op(id).kind, OpKind::Barrier | OpKind::ClusterBarrier));
        bare.block_mut(block).ops = ops;
    }
    bare
}
