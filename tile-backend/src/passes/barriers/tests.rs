//! Hides effects from the placement of barriers, one at a time: the verifier must notice each.
//!
//! Input: the kernels of `tests/run/files`, whose barriers are removed and placed again, without the redundant
//! ones. The model of one access of one kind of operation is left out meanwhile, as if its row lacked the effect.
//! Where that loses or moves a barrier, the verifier, which has its own model, refuses the kernel.

use super::barriers;
use crate::gpu::{Kernel, OpKind, to_text, verify};
use crate::passes::places::HIDDEN;
use crate::passes::redundant_barriers::remove_redundant_barriers;
use crate::target::Arch;
use crate::testing::{Phase, corpus, lowered};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Effects that cause no barrier of the corpus that no other effect causes, by operation and number. Hiding them
/// changes nothing, so this test says nothing of them.
const WITHOUT_BARRIER: [(&str, usize); 13] = [
    // These order other blocks or kernels; no access of this block.
    ("alias_fence", 0),
    ("launch_dependents", 0),
    ("load", 1),
    ("wait_for_dependencies", 0),
    // The effect before it is on a buffer that is written and read at the same places.
    ("combine_partials", 1),
    ("mma_loop", 2),
    ("mma_loop", 3),
    ("scan_across", 1),
    ("store_partials", 1),
    // A read of the same bytes, a wait for them or a write to them is next to it.
    ("consumer_wait", 0),
    ("init_mbarriers", 0),
    ("tma_store", 1),
    ("wait_tma_stores", 0),
];

/// The placements that are harmless: proved in the file, and run in the simulator by the test `gpu_mutations`.
const HARMLESS: &str = include_str!("../../../tests/gpu_mutations/harmless.txt");

#[test]
fn every_hidden_effect_is_noticed() {
    let mut outcomes: BTreeMap<(&'static str, usize), Outcome> = BTreeMap::new();
    for path in corpus() {
        for arch in [Arch::SM_80, Arch::SM_90A] {
            for kernel in lowered(&path, arch, Phase::Complete) {
                probe(&kernel, &path, arch, &mut outcomes);
            }
        }
    }
    let missed = outcomes.values().flat_map(|outcome| &outcome.missed);
    let listed = |line: &&String| HARMLESS.lines().any(|other| other.ends_with(line.as_str()));
    let missed: Vec<&String> = missed.filter(|line| !listed(line)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    let without: BTreeSet<_> = { outcomes.iter() }
        .filter(|(_, outcome)| outcome.noticed + outcome.missed.len() == 0)
        .map(|(effect, _)| *effect)
        .collect();
    assert_eq!(without, WITHOUT_BARRIER.into());
    let unnoticed: Vec<_> = { outcomes.iter() }
        .filter(|(effect, outcome)| outcome.noticed == 0 && !without.contains(effect))
        .collect();
    assert!(
        unnoticed.is_empty() && outcomes.len() >= without.len() + 20,
        "{outcomes:#?}"
    );
}

/// The results of hiding an access in all kernels.
#[derive(Debug, Default)]
struct Outcome {
    /// Number of kernels that the verifier refuses.
    noticed: usize,
    /// The kernels that it accepts although barriers differ, with the places of the barriers.
    missed: BTreeSet<String>,
}

fn probe(
    kernel: &Kernel,
    path: &Path,
    arch: Arch,
    outcomes: &mut BTreeMap<(&'static str, usize), Outcome>,
) {
    let bare = without_barriers(kernel);
    let complete = placed(&bare, None);
    if !verify(&complete).is_empty() {
        // A fence of the author's needs a barrier that no access asks for.
        return;
    }
    let expected = to_text(&complete);
    for effect in effects(kernel) {
        let outcome = outcomes.entry(effect).or_default();
        let mutant = placed(&bare, Some(effect));
        let actual = to_text(&mutant);
        if actual == expected {
            continue;
        }
        if verify(&mutant).is_empty() {
            let folder = path.parent().and_then(Path::file_name);
            let folder = Path::new(folder.expect("a file in a folder"));
            let file = folder.join(path.file_name().expect("the path of a file"));
            outcome.missed.insert(format!(
                "{} {arch} barriers {}",
                file.display(),
                places(&actual)
            ));
        } else {
            outcome.noticed += 1;
        }
    }
}

/// Returns the number of other lines before each barrier.
fn places(text: &str) -> String {
    let lines = text.lines().enumerate();
    let barriers = lines.filter(|(_, line)| line.trim() == "barrier");
    let places = barriers
        .enumerate()
        .map(|(number, (line, _))| (line - number).to_string());
    places.collect::<Vec<_>>().join(" ")
}

fn placed(bare: &Kernel, hidden: Option<(&'static str, usize)>) -> Kernel {
    let mut kernel = bare.clone();
    HIDDEN.set(hidden);
    barriers(&mut kernel);
    remove_redundant_barriers(&mut kernel);
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
