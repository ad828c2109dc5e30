//! Tests the simplifier against the interpreter: results are equal bit for bit wherever the
//! original has no undefined behaviour.

mod expression;

use super::known::Facts;
use super::{KNOWN_VALUE, rules_of, simplify};
use crate::diag::Diagnostics;
use crate::interp::{Program, Tile};
use crate::ir::{Module, OpId};
use crate::ops::{CoreOp, Opcode, TestingOp};
use crate::pass::Trace;
use crate::rewrite::Rewriter;
use crate::testing::Random;
use crate::text::{self, ParseOptions};
use crate::types::TypeKind;
use crate::verify::verify;
use expression::{Expression, Values};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Instant;

type Counts = BTreeMap<&'static str, usize>;

/// Returns the simplified module, and checks that the simplifier does not change it again.
fn simplified(module: Module, fired: &mut Counts) -> Module {
    let run = |module: Module| {
        let mut trace = Trace::new();
        let mut rewriter = Rewriter::new(module);
        simplify(&mut rewriter, &mut trace);
        (rewriter.finish(), trace)
    };
    let (module, trace) = run(module);
    for (name, count) in trace.statistics() {
        *fired.entry(name).or_insert(0) += count;
    }
    let mut diagnostics = Diagnostics::new();
    let verified = verify(module, &mut diagnostics);
    let errors = diagnostics.take();
    let module = verified
        .unwrap_or_else(|_| panic!("{errors:?}"))
        .into_inner();
    let printed = text::print(&module);
    let (again, trace) = run(module);
    assert_eq!(printed, text::print(&again), "a second run changes nothing");
    assert!(trace.total() == 0, "{:?} in {printed}", trace.statistics());
    again
}

/// Turns the test functions of a module into entries, which the interpreter can run.
fn runnable(mut module: Module) -> Module {
    let functions: Vec<OpId> = module
        .symbols()
        .filter(|&op| module.op(op).opcode == TestingOp::Func.into())
        .collect();
    for op in functions {
        module.op_mut(op).opcode = CoreOp::Entry.into();
    }
    module
}

/// Returns the first difference between two runs, unless the first one faults.
fn difference(
    before: &Program,
    after: &Program,
    name: &str,
    inputs: &[Tile],
) -> Result<bool, String> {
    let Ok(expected) = before.eval(name, inputs) else {
        return Ok(false);
    };
    match after.eval(name, inputs) {
        Ok(actual) if actual == expected => Ok(true),
        actual => Err(format!(
            "`{name}` of {inputs:?}: expected {expected:?}, found {actual:?}"
        )),
    }
}

/// Runs each function of a file test on many inputs, before and after the simplifier.
fn run_file(path: &Path, fired: &mut Counts) -> usize {
    let content = fs::read_to_string(path).expect("a test file");
    let input = content.split("// output:\n").next().expect("there is one");
    let options = ParseOptions {
        allow_testing: true,
        ..ParseOptions::default()
    };
    let mut diagnostics = Diagnostics::new();
    let modules = text::parse_file(input, "input", options, &mut diagnostics);
    let errors = diagnostics.take();
    let module = modules.unwrap_or_else(|_| panic!("{errors:?}")).remove(0);
    let before = runnable(module.clone());
    let after = runnable(simplified(module, fired));
    let (original, rewritten) = (Program::new(&before), Program::new(&after));
    let mut compared = 0;
    for entry in before.entries() {
        let op = before.op(entry);
        let TypeKind::Function(signature) = op.function_type().kind() else {
            panic!("a function has a function type");
        };
        let Some(inputs) = signature
            .inputs
            .iter()
            .map(|ty| ty.as_number_tile())
            .collect::<Option<Vec<_>>>()
        else {
            // The function takes pointers.
            continue;
        };
        let mut values = Values::new(7);
        for _ in 0..200 {
            let inputs: Vec<Tile> = inputs
                .iter()
                .map(|&(scalar, shape)| values.tile(scalar, shape))
                .collect();
            let ran = difference(&original, &rewritten, &op.sym_name(), &inputs);
            compared += usize::from(ran.unwrap_or_else(|error| panic!("{error}")));
        }
    }
    compared
}

#[test]
fn every_rule_fires_and_keeps_every_bit() {
    let mut fired = Counts::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/simplify");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the folder of tests")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "mlir")
        })
        .collect();
    paths.sort();
    let compared: usize = paths.iter().map(|path| run_file(path, &mut fired)).sum();
    assert!(compared > 20_000, "{compared} results were compared");
    let names = Opcode::all().flat_map(|opcode| rules_of(opcode).iter().copied().flatten());
    let mut missing: Vec<&str> = names
        .map(|rule| rule.name)
        .chain([KNOWN_VALUE])
        .filter(|name| !fired.contains_key(name))
        .collect();
    missing.sort_unstable();
    missing.dedup();
    assert_eq!(missing, [""; 0], "rules that never fired; {fired:?}");
}

const TREES: u64 = 20_000;

#[test]
fn random_expressions_keep_every_bit() {
    let mut fired = Counts::new();
    let (mut compared, mut skipped) = (0, 0);
    let mut values = Values::new(3);
    for seed in 0..TREES {
        let expression = Expression::random(&mut Random::new(seed));
        let shape: &[i64] = if seed % 4 == 0 { &[] } else { &[2, 16] };
        let module = expression.module(shape);
        let before = Program::new(&runnable(module.clone()));
        let after = Program::new(&runnable(simplified(module, &mut fired)));
        let (mut ran, mut faulted) = (0, 0);
        for _ in 0..8 {
            let inputs = expression.inputs(&mut values, shape);
            match difference(&before, &after, "f", &inputs) {
                Ok(true) => ran += 1,
                Ok(false) => faulted += 1,
                Err(error) => panic!(
                    "seed {seed}: {error}\n{}",
                    text::print(&expression.module(shape))
                ),
            }
        }
        compared += ran;
        skipped += faulted;
    }
    assert!(
        compared > 2 * skipped,
        "{compared} compared, {skipped} skipped"
    );
    assert!(fired.len() > 60, "{} rules fired: {fired:?}", fired.len());
}

#[test]
fn what_is_known_holds() {
    let mut values = Values::new(5);
    let (mut checked, mut informative) = (0, 0);
    for seed in 0..TREES / 4 {
        let expression = Expression::random(&mut Random::new(seed ^ 0xabcd));
        let module = expression.module_of_all(&[]);
        let program = Program::new(&runnable(module.clone()));
        let function = module.symbols().next().expect("one function");
        let body = module.region_block(function, 0).expect("a body");
        let last = *module.block(body).ops.last().expect("a return");
        let results = module.op(last).operands.clone();
        let rewriter = Rewriter::new(module);
        let mut facts = Facts::default();
        let known: Vec<_> = results
            .iter()
            .map(|&value| facts.compute(&rewriter, value))
            .collect();
        for _ in 0..8 {
            let inputs = expression.inputs(&mut values, &[]);
            let Ok(actual) = program.eval("f", &inputs) else {
                continue;
            };
            for (known, tile) in known.iter().zip(&actual) {
                let bits = tile.bits[0];
                let signed = super::build::signed(known.width, bits);
                let holds = bits & known.zeros == 0
                    && !bits & known.ones == 0
                    && (known.signed.0..=known.signed.1).contains(&signed)
                    && (known.unsigned.0..=known.unsigned.1).contains(&bits);
                assert!(holds, "seed {seed}: {bits:#x} is not in {known:?}");
                checked += 1;
                informative += usize::from(known.zeros | known.ones != 0);
            }
        }
    }
    assert!(informative > checked / 10, "{informative} of {checked}");
}

const FITS: &str = "strings do not fail";

/// Makes a chain of `count` operations. All of them can be rewritten if `constant`, and none
/// otherwise.
fn chain(count: usize, constant: bool) -> Module {
    let mut source = String::from(
        "cuda_tile.module @m {\n  testing$func @f(%x0: tile<i32>, %y: tile<i32>) -> tile<i32> {\n    %c = constant <i32: 3> : tile<i32>\n",
    );
    let operand = if constant { "%c" } else { "%y" };
    for index in 0..count {
        let mnemonic = ["addi", "andi", "xori", "muli"][if constant { 0 } else { index % 4 }];
        let next = index + 1;
        writeln!(
            source,
            "    %x{next} = {mnemonic} %x{index}, {operand} : tile<i32>"
        )
        .expect(FITS);
    }
    writeln!(source, "    return %x{count} : tile<i32>\n  }}\n}}").expect(FITS);
    let options = ParseOptions {
        allow_testing: true,
        ..ParseOptions::default()
    };
    let mut diagnostics = Diagnostics::new();
    let modules = text::parse_file(&source, "chain", options, &mut diagnostics);
    modules.expect("it parses").remove(0)
}

#[test]
fn a_long_chain_costs_as_much_per_operation_as_a_short_one() {
    for constant in [false, true] {
        let time = |count| {
            let mut rewriter = Rewriter::new(chain(count, constant));
            let start = Instant::now();
            simplify(&mut rewriter, &mut Trace::new());
            start.elapsed().as_secs_f64() / f64::from(u32::try_from(count).expect("small"))
        };
        let (short, long) = (time(10_000), time(100_000));
        assert!(
            long < 8.0 * short,
            "{short:e} s and {long:e} s per operation"
        );
    }
}

#[test]
fn a_chain_of_sums_becomes_one() {
    let module = chain(1000, true);
    let after = simplified(module, &mut Counts::new());
    let printed = text::print(&after);
    assert!(printed.contains("constant <i32: 3000>"), "{printed}");
    assert_eq!(printed.matches("addi").count(), 1, "{printed}");
}
