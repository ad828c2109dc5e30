//! Folds and executes an operation written as text.

use std::sync::Arc;
use tile_core::fold::{constant, fold};
use tile_core::interp::{Program, Tile};
use tile_core::ir::{DenseElements, Module, OpId, ValueDef};
use tile_core::types::Scalar;
use tile_core::{Diagnostics, text, verify};

/// Parses a kernel with the parameter `%p` and the operations `body`; returns the module and the
/// last of these operations.
fn kernel(body: &str) -> (Module, OpId) {
    let source = format!("entry @k(%p: tile<i32>) {{\n{body}\nreturn\n}}\n");
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(&source, "k", &mut diagnostics)
        .and_then(|module| verify::verify(module, &mut diagnostics));
    let faults = diagnostics.take();
    let module = module.unwrap_or_else(|_| panic!("{body}\n{faults:?}"));
    let module = module.into_inner();
    let entry = module.entry("k").expect("just written");
    let ops = &module
        .block(module.region_block(entry, 0).expect("a body"))
        .ops;
    let last = ops[ops.len() - 2];
    (module, last)
}

/// Folds the last operation, if possible; `p` is the value of the parameter, if known.
fn folded_given(p: Option<i32>, body: &str) -> Option<DenseElements> {
    let (module, id) = kernel(body);
    let constant_value = |value| match (p, module.value(value).def) {
        (Some(p), ValueDef::Argument(..)) => Some(Arc::new(DenseElements::Splat {
            scalar: Scalar::I32,
            bits: u64::from(p.cast_unsigned()),
        })),
        _ => constant(&module, value),
    };
    let results = fold(&module, id, &constant_value)?;
    assert_eq!(results.len(), module.op(id).results.len());
    Some((*results[0]).clone())
}

/// Folds the last operation, if possible.
pub(crate) fn folded(body: &str) -> Option<DenseElements> {
    folded_given(None, body)
}

/// Executes the last operation and returns its result.
fn executed(p: i32, body: &str) -> Result<Tile, String> {
    let (mut module, id) = kernel(body);
    let result = module.op(id).result();
    let block = module.op(id).parent.expect("in the kernel");
    let end = *module.block(block).ops.last().expect("a return");
    let end = module.op_mut(end);
    end.operands.push(result);
    end.segments[0] = 1;
    let p = Tile::new(Scalar::I32, &[], vec![u64::from(p.cast_unsigned())]);
    let tiles = Program::new(&module).eval("k", &[p]);
    tiles
        .map(|mut tiles| tiles.remove(0))
        .map_err(|fault| fault.to_string())
}

/// Asserts that the last operation folds to `expected`, which has one number for a splat, and that
/// execution gives the same result.
#[track_caller]
pub(crate) fn folds(body: &str, expected: &[u64]) {
    assert_folds(None, body, expected);
}

/// Like [`folds`], where the value `p` of the parameter is known.
#[track_caller]
pub(crate) fn folds_given(p: i32, body: &str, expected: &[u64]) {
    assert_folds(Some(p), body, expected);
}

#[track_caller]
fn assert_folds(p: Option<i32>, body: &str, expected: &[u64]) {
    let elements = folded_given(p, body).unwrap_or_else(|| panic!("does not fold:\n{body}"));
    let actual = match &elements {
        DenseElements::Splat { bits, .. } => vec![*bits],
        DenseElements::Each { bits, .. } => bits.clone(),
    };
    assert_eq!(actual, expected, "{body}");
    let executed = executed(p.unwrap_or(7), body).expect("what folds runs");
    assert_eq!(elements.scalar(), executed.scalar, "{body}");
    let bits: Vec<u64> = (0..executed.bits.len())
        .map(|index| elements.bits_at(index))
        .collect();
    assert_eq!(bits, executed.bits, "{body}");
}

/// Asserts that the last operation is not folded.
#[track_caller]
pub(crate) fn stays(body: &str) {
    let actual = folded(body);
    assert!(actual.is_none(), "folds to {actual:?}:\n{body}");
}

/// Asserts that the last operation is not folded, and faults when executed.
#[track_caller]
pub(crate) fn stays_and_faults(body: &str) {
    stays(body);
    executed(7, body).expect_err("it is a fault");
}

/// Like [`stays_and_faults`], where the value `p` of the parameter is known.
#[track_caller]
pub(crate) fn faults_given(p: i32, body: &str) {
    let actual = folded_given(Some(p), body);
    assert!(actual.is_none(), "folds to {actual:?}:\n{body}");
    executed(p, body).expect_err("it is a fault");
}
