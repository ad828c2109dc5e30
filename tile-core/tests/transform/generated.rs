//! Tests that transforms do not change the behaviour of generated modules.

use crate::{run, seeds};
use tile_core::ir::DiscardableAttr;
use tile_core::ops::ControlFlowOp;
use tile_core::testing::{Runnable, RunnableOptions, check_same, execute, runnable};
use tile_core::text;

fn modules() -> impl Iterator<Item = (u64, Runnable)> {
    seeds(100).map(|seed| {
        let ops = 20 + usize::try_from(seed % 5).expect("small") * 20;
        (
            seed,
            runnable(
                seed,
                &RunnableOptions {
                    ops,
                    depth: 4,
                    ..RunnableOptions::default()
                },
            ),
        )
    })
}

/// The expected effect of a second run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    ChangesNothing,
    MayChange,
}

/// Runs `passes` on every module, and returns the number of rewrites.
fn check(passes: &str, again: Again, prepare: impl Fn(u64, &mut Runnable)) -> usize {
    let mut total = 0;
    for (seed, mut before) in modules() {
        prepare(seed, &mut before);
        let (module, rewrites) = run(before.module.clone(), passes);
        total += rewrites;
        let after = before.with_module(module);
        if let Err(difference) = check_same(&execute(&before), &execute(&after)) {
            let (before, after) = (text::print(&before.module), text::print(&after.module));
            panic!("seed {seed}, {passes}: {difference}\n{before}\n{after}");
        }
        if again == Again::ChangesNothing {
            let once = text::print(&after.module);
            let (twice, _) = run(after.module, passes);
            let twice = text::print(&twice);
            assert_eq!(
                once, twice,
                "seed {seed}, {passes}: a second run changes more"
            );
        }
    }
    total
}

fn check_as_made(passes: &str) {
    assert!(
        check(passes, Again::ChangesNothing, |_, _| {}) > 0,
        "`{passes}` never rewrites"
    );
}

/// Requests unrolling of every `for`.
fn annotate(seed: u64, runnable: &mut Runnable) {
    let module = &mut runnable.module;
    let factors = [0, 2, 3, 4, 8]
        .into_iter()
        .cycle()
        .skip(usize::from(seed.is_multiple_of(2)));
    for (id, factor) in module.walk(module.body()).into_iter().zip(factors) {
        let op = module.op_mut(id);
        if op.opcode == ControlFlowOp::For.into() {
            op.discardable.push(DiscardableAttr {
                name: "cuda_tile.unroll".into(),
                value: Some(format!("{factor} : i32").into()),
            });
        }
    }
}

#[test]
fn licm_keeps_what_modules_do() {
    check_as_made("licm");
}

#[test]
fn refine_tokens_keeps_what_modules_do() {
    check_as_made("refine-tokens");
}

#[test]
fn cse_keeps_what_modules_do() {
    check_as_made("cse");
}

#[test]
fn dce_keeps_what_modules_do() {
    check_as_made("dce");
}

#[test]
fn unroll_keeps_what_modules_do() {
    assert!(check("unroll", Again::ChangesNothing, annotate) > 0);
}

#[test]
fn loop_split_keeps_what_modules_do() {
    assert!(check("loop-split", Again::MayChange, |_, _| {}) > 0);
}

#[test]
fn all_together_keep_what_modules_do() {
    let passes = "cse,licm,loop-split,unroll,cse,refine-tokens,dce";
    assert!(check(passes, Again::MayChange, annotate) > 0);
}
