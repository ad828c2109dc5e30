//! Checks the comments of `filetests/fold`: operations that fold according to the comments are
//! folded, and the others are not.

use rustc_hash::FxHashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tile_core::fold::{constant, fold};
use tile_core::ir::{DenseElements, ValueId};
use tile_core::ops::MiscOp;
use tile_core::{Diagnostics, text};

#[test]
fn comments_of_file_tests_say_what_fires() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/fold");
    let (mut fired, mut kept) = (0, 0);
    for entry in fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("a readable folder").path();
        let name = path.display().to_string();
        let source = fs::read_to_string(&path).expect("a readable file");
        // The expected output follows the input.
        let source = source.split("// output:\n").next().expect("a first part");
        let claims = source.lines().filter_map(|line| {
            let comment = line.strip_prefix("    // ")?;
            let fires = comment.starts_with("Fires");
            assert!(
                fires || comment.starts_with("Does not fire"),
                "{name}: {comment}"
            );
            Some((comment, fires))
        });
        for ((comment, claimed), fires) in claims.zip(printed(source, &name)) {
            assert_eq!(fires, claimed, "{name}: {comment}");
            *(if fires { &mut fired } else { &mut kept }) += 1;
        }
    }
    assert!(fired >= 30 && kept >= 25, "{fired} fire, {kept} do not");
}

/// Returns for each `print_tko` whether its argument folds.
fn printed(source: &str, name: &str) -> Vec<bool> {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, name, &mut diagnostics).expect("it parses");
    let mut known: FxHashMap<ValueId, Arc<DenseElements>> = FxHashMap::default();
    let mut printed = Vec::new();
    for id in module.walk(module.body()) {
        let op = module.op(id);
        if op.opcode == MiscOp::PrintTko.into() {
            printed.push(known.contains_key(&op.operands[0]));
        }
        let results = fold(&module, id, &|value| {
            known
                .get(&value)
                .cloned()
                .or_else(|| constant(&module, value))
        });
        if let Some(results) = results {
            known.extend(op.results.iter().copied().zip(results));
        }
    }
    printed
}
