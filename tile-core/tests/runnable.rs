//! Tests the runnable modules of the generator: coverage, execution, and sensitivity to changes.

use std::collections::BTreeMap;
use tile_core::canonicalize::canonicalize;
use tile_core::interp::{Check, Reports, RunOptions, Undefined};
use tile_core::ir::{Attr, BlockId, Op, ValueId};
use tile_core::testing::{
    Argument, Executor, Outcome, Runnable, RunnableOptions, check_same, execute, execute_with,
    runnable, runnable_with,
};
use tile_core::verify::{Verified, verify};
use tile_core::{Diagnostics, Module};

fn verified(module: &Module) -> Verified {
    let mut diagnostics = Diagnostics::new();
    let verified = verify(module.clone(), &mut diagnostics);
    let faults = diagnostics.take();
    verified.unwrap_or_else(|_| panic!("{faults:?}\n{}", tile_core::text::print(module)))
}

/// Every operation that the generator makes.
const OPS: [&str; 96] = [
    "absf",
    "absi",
    "addf",
    "addi",
    "alloca",
    "andi",
    "assert",
    "assume",
    "atomic_cas_tko",
    "atomic_red_view_tko",
    "atomic_rmw_tko",
    "bitcast",
    "break",
    "broadcast",
    "cat",
    "ceil",
    "cmpf",
    "cmpi",
    "constant",
    "continue",
    "cos",
    "cosh",
    "divf",
    "divi",
    "entry",
    "exp",
    "exp2",
    "exti",
    "extract",
    "floor",
    "fma",
    "for",
    "ftof",
    "ftoi",
    "gdc_launch_dependents_tko",
    "gdc_wait_tko",
    "get_global",
    "get_index_space_shape",
    "get_num_tile_blocks",
    "get_tensor_shape",
    "get_tile_block_id",
    "global",
    "if",
    "insert",
    "iota",
    "itof",
    "join_tokens",
    "load_ptr_tko",
    "load_view_tko",
    "log",
    "log2",
    "loop",
    "make_gather_scatter_view",
    "make_partition_view",
    "make_strided_view",
    "make_tensor_view",
    "make_token",
    "maxf",
    "maxi",
    "memory_fence_alias_tko",
    "minf",
    "mini",
    "mmaf",
    "mmai",
    "mulf",
    "mulhii",
    "muli",
    "negf",
    "negi",
    "offset",
    "ori",
    "permute",
    "pow",
    "print_tko",
    "reduce",
    "remf",
    "remi",
    "reshape",
    "return",
    "rsqrt",
    "scan",
    "select",
    "shli",
    "shri",
    "sin",
    "sinh",
    "sqrt",
    "store_ptr_tko",
    "store_view_tko",
    "subf",
    "subi",
    "tan",
    "tanh",
    "trunci",
    "xori",
    "yield",
];

#[test]
fn every_module_verifies_and_runs_to_its_end() {
    let options = RunnableOptions::default();
    let mut counts = BTreeMap::<&'static str, usize>::new();
    let seeds = 5000;
    let mut idle = 0;
    for seed in 0..seeds {
        let generated = runnable(seed, &options);
        let module = verified(&generated.module).into_inner();
        for id in module.walk(module.body()) {
            *counts.entry(module.op(id).def().mnemonic).or_default() += 1;
        }
        let outcome = execute(&generated);
        assert_eq!(outcome.fault, None, "seed {seed}");
        idle += u64::from(outcome.effects.is_empty());
    }
    assert!(idle <= seeds / 100, "{idle} of {seeds} modules do nothing");
    let rare = OPS
        .iter()
        .filter(|&op| counts.get(op).is_none_or(|&count| count < 20));
    let rare: Vec<_> = rare.collect();
    assert!(
        rare.is_empty(),
        "of {seeds} modules too few have {rare:?}: {counts:?}"
    );
}

#[test]
fn a_seed_names_a_module_its_arguments_and_what_it_does() {
    let options = RunnableOptions::default();
    for seed in 0..200 {
        let [first, second] = [0; 2].map(|_| runnable(seed, &options));
        let text = tile_core::text::print(&first.module);
        assert_eq!(text, tile_core::text::print(&second.module));
        assert_eq!(first.args, second.args);
        let outcome = execute(&first);
        assert_eq!(outcome, execute(&first), "seed {seed}, twice");
        assert_eq!(outcome, execute(&second), "seed {seed}, made twice");
        check_same(&outcome, &execute(&second)).expect("they are the same");
    }
}

#[test]
fn canonicalization_keeps_what_modules_do() {
    let options = RunnableOptions::default();
    for seed in 0..500 {
        let generated = runnable(seed, &options);
        let canonical = canonicalize(verified(&generated.module)).into_inner();
        let after = execute(&generated.with_module(canonical));
        if let Err(difference) = check_same(&execute(&generated), &after) {
            panic!("seed {seed}: {difference}");
        }
    }
}

/// Counts the modules that `break_it` changes, and how many of them then have other results.
fn share_that_shows(break_it: impl Fn(&mut Module) -> bool) -> (usize, usize) {
    let options = RunnableOptions::default();
    let (mut changed, mut shown) = (0, 0);
    for seed in 0..700 {
        let generated = runnable(seed, &options);
        let mut module = generated.module.clone();
        if break_it(&mut module) {
            changed += 1;
            let broken = execute(&generated.with_module(module));
            shown += usize::from(check_same(&execute(&generated), &broken).is_err());
        }
    }
    (changed, shown)
}

fn ops_of(module: &Module, mnemonic: &str) -> Vec<tile_core::ir::OpId> {
    let ops = module.walk(module.body());
    let is_it = |&id: &tile_core::ir::OpId| module.op(id).def().mnemonic == mnemonic;
    ops.into_iter().filter(is_it).collect()
}

#[test]
fn a_wrong_rewrite_shows() {
    let swap = |mnemonic: &'static str| {
        move |module: &mut Module| {
            let ops = ops_of(module, mnemonic);
            for &id in &ops {
                let op = module.op_mut(id);
                let last = op.operands.len() - 1;
                op.operands.swap(last - 1, last);
            }
            !ops.is_empty()
        }
    };
    let invert = |module: &mut Module| {
        let ops = ops_of(module, "if");
        for &id in &ops {
            module.op_mut(id).regions.swap(0, 1);
        }
        // An `if` without `else` is invalid after the exchange, so its module is not counted.
        let whole = |&id: &tile_core::ir::OpId| {
            let regions = module.op(id).regions.len();
            (0..regions).all(|region| module.region_block(id, region).is_some())
        };
        !ops.is_empty() && ops.iter().all(whole)
    };
    let signs = |module: &mut Module| {
        let ops = ops_of(module, "negf");
        for &id in &ops {
            let source = module.op(id).operands[0];
            let result = module.op(id).result();
            for other in module.walk(module.body()) {
                for operand in &mut module.op_mut(other).operands {
                    if *operand == result {
                        *operand = source;
                    }
                }
            }
        }
        !ops.is_empty()
    };
    for (what, (changed, shown)) in [
        ("subi", share_that_shows(swap("subi"))),
        ("select", share_that_shows(swap("select"))),
        ("subf", share_that_shows(swap("subf"))),
        ("if", share_that_shows(invert)),
        ("negf", share_that_shows(signs)),
    ] {
        assert!(changed >= 40, "{what}: only {changed} modules have it");
        assert!(
            5 * shown >= changed,
            "{what}: {shown} of {changed} modules show it"
        );
    }
}

fn outcome(source: &str, bytes: usize) -> Outcome {
    let mut diagnostics = Diagnostics::new();
    let module = tile_core::text::parse(source, "k", &mut diagnostics);
    let faults = diagnostics.take();
    execute(&Runnable {
        module: module.unwrap_or_else(|_| panic!("{faults:?}")),
        grid: [1, 1, 1],
        args: vec![Argument::Buffer(vec![0; bytes])],
    })
}

#[test]
fn the_first_difference_is_named() {
    let storing = |number: &str, message: &str| {
        format!(
            "entry @k(%p: tile<ptr<f32>>) {{
    %x = constant <f32: {number}> : tile<f32>
    %c = constant <i1: true> : tile<i1>
    %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
    assert %c, \"{message}\" : tile<i1>
    return
}}"
        )
    };
    let base = outcome(&storing("0x7FC00000", "a"), 4);
    check_same(&base, &outcome(&storing("0x7FC00000", "a"), 4)).expect("the same");
    let payload = check_same(&base, &outcome(&storing("0x7FC00001", "a"), 4));
    let payload = payload.expect_err("another NaN");
    assert!(payload.starts_with("effect 0: before Effect"), "{payload}");
    assert!(
        payload.contains("2143289344") && payload.contains("2143289345"),
        "{payload}"
    );
    let message = check_same(&base, &outcome(&storing("0x7FC00000", "b"), 4));
    let message = message.expect_err("another assertion");
    assert!(message.starts_with("effect 1: before"), "{message}");
    let fault = check_same(&base, &outcome(&storing("0x7FC00000", "a"), 3));
    let fault = fault.expect_err("out of bounds");
    assert!(
        fault.starts_with("before: no fault; after: kernel `k`") && fault.contains("bytes 0..4"),
        "{fault}"
    );
    let shorter = Outcome {
        effects: base.effects[..1].to_vec(),
        ..base.clone()
    };
    let shorter = check_same(&base, &shorter).expect_err("one effect less");
    assert!(
        shorter.starts_with("2 effects before, 1 after"),
        "{shorter}"
    );
    let mut other = base.clone();
    other.buffers[0][2] = 1;
    assert_eq!(
        check_same(&base, &other),
        Err("byte 2 of buffer 0: before 0xc0, after Some(1)".to_owned())
    );
}

#[test]
fn attributes_take_every_value_that_rewrites_must_mind() {
    let options = RunnableOptions::default();
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..2000 {
        let module = runnable(seed, &options).module;
        for id in module.walk(module.body()) {
            let op = module.op(id);
            for (slot, value) in op.def().attrs.iter().zip(&op.attrs) {
                let value = match value {
                    Some(Attr::Rounding(mode)) => mode.name(),
                    Some(Attr::Overflow(overflow)) => overflow.name(),
                    Some(Attr::Predicate(predicate)) => predicate.name(),
                    Some(Attr::Ordering(ordering)) => ordering.name(),
                    Some(Attr::MemoryOrdering(ordering)) => ordering.name(),
                    Some(Attr::RmwMode(mode)) => mode.name(),
                    Some(Attr::Signedness(signedness)) => signedness.name(),
                    Some(Attr::Unit) => slot.name,
                    _ => continue,
                };
                seen.insert(format!("{} {value}", op.def().mnemonic));
            }
        }
    }
    let modes = [
        "nearest_even",
        "zero",
        "negative_inf",
        "positive_inf",
        "flush_to_zero",
    ];
    let flags = ["none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"];
    let wanted = ["addf", "subf", "mulf", "divf", "fma", "sqrt"]
        .iter()
        .flat_map(|op| modes.map(|mode| format!("{op} {mode}")))
        .chain(
            ["addi", "subi", "muli", "shli", "trunci"]
                .iter()
                .flat_map(|op| flags.map(|flag| format!("{op} {flag}"))),
        )
        .chain(["maxf propagate_nan", "for unsignedCmp", "divi negative_inf"].map(String::from));
    let missing: Vec<String> = wanted.filter(|key| !seen.contains(key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Returns `true` if a value is a constant.
fn is_constant(module: &Module, value: ValueId) -> bool {
    let op = module.defining_op(value).map(|id| module.op(id));
    op.is_some_and(|op| op.def().mnemonic == "constant")
}

/// Counts the forms that rewrites look for in `block`, including nested blocks.
fn forms(module: &Module, block: BlockId, counts: &mut BTreeMap<&'static str, usize>) {
    let mut note = |form| *counts.entry(form).or_default() += 1;
    let ops: Vec<&Op> = module
        .block(block)
        .ops
        .iter()
        .map(|&id| module.op(id))
        .collect();
    let name = |op: &Op| op.def().mnemonic;
    let end = |block: BlockId| module.block(block).ops.last().map(|&id| module.op(id));
    for (index, op) in ops.iter().enumerate() {
        let twin = |other: &&&Op| {
            (other.opcode, &other.operands, &other.attrs) == (op.opcode, &op.operands, &op.attrs)
        };
        let is_pure = op.regions.is_empty() && !op.results.is_empty() && !op.operands.is_empty();
        if is_pure && ops[..index].iter().any(|other| twin(&other)) {
            note("repeated operation");
        }
        let counter = module.parent_op_of_block(block).map(|id| module.op(id));
        let is_counter = |value: ValueId| {
            counter.is_some_and(|op| name(op) == "for") && module.block(block).args[0] == value
        };
        if name(op) == "for"
            && op.operands[..2]
                .iter()
                .all(|&bound| is_constant(module, bound))
        {
            note("for with constant bounds");
        }
        if name(op) != "if" {
            continue;
        }
        let condition = module.defining_op(op.operands[0]).map(|id| module.op(id));
        if condition
            .is_some_and(|op| name(op) == "cmpi" && op.operands.iter().any(|&x| is_counter(x)))
        {
            note("if on the counter of its for");
        }
        if is_constant(module, op.operands[0]) {
            note("if on a constant");
        }
        if index > 0 && name(ops[index - 1]) == "if" {
            if ops[index - 1].operands == op.operands {
                note("if after if on the same condition");
            } else if condition.is_some_and(|op| {
                name(op) == "xori" && op.operands[0] == ops[index - 1].operands[0]
            }) {
                note("if after if on the opposite condition");
            }
        }
        let branches: Vec<BlockId> = (0..op.regions.len())
            .filter_map(|region| module.region(op.regions[region]).blocks.first().copied())
            .collect();
        let ends: Vec<&Op> = branches.iter().filter_map(|&block| end(block)).collect();
        if let [then, otherwise] = ends[..] {
            match (name(then), name(otherwise)) {
                ("yield", "yield")
                    if then
                        .operands
                        .iter()
                        .zip(&otherwise.operands)
                        .any(|(a, b)| a == b) =>
                {
                    note("both branches yield one value");
                }
                ("yield", "yield") => {}
                ("yield", _) | (_, "yield") => note("one branch exits"),
                _ => note("both branches exit"),
            }
            if module.block(branches[1]).ops.len() == 1 {
                note("empty else");
            }
        }
        if let [inner, _] = module.block(branches[0]).ops[..]
            && name(module.op(inner)) == "if"
        {
            note("nothing but an if in an if");
        }
    }
    for op in ops {
        for &region in &op.regions {
            if let Some(block) = module.region(region).blocks.first().copied() {
                forms(module, block, counts);
            }
        }
    }
}

#[test]
fn the_forms_that_rewrites_look_for_occur() {
    let options = RunnableOptions::default();
    let mut counts = BTreeMap::new();
    for seed in 0..2000 {
        let module = runnable(seed, &options).module;
        let entry = module.entries().next().expect("there is one");
        let body = module.region_block(entry, 0).expect("it has a body");
        forms(&module, body, &mut counts);
    }
    for form in [
        "both branches exit",
        "both branches yield one value",
        "empty else",
        "for with constant bounds",
        "if after if on the opposite condition",
        "if after if on the same condition",
        "if on a constant",
        "if on the counter of its for",
        "nothing but an if in an if",
        "one branch exits",
        "repeated operation",
    ] {
        let count = counts.get(form).copied().unwrap_or_default();
        assert!(count >= 20, "{form}: {count} of 2000 modules; {counts:?}");
    }
}

/// Operations that occur only in modules for devices.
const OPS_FOR_DEVICES: [&str; 8] = [
    "atan2",
    "fpowi",
    "int_to_ptr",
    "mmaf_scaled",
    "pack",
    "ptr_to_int",
    "ptr_to_ptr",
    "unpack",
];

#[test]
fn every_module_for_devices_verifies_and_runs_to_its_end_without_undefined_behaviour() {
    let options = RunnableOptions {
        executor: Executor::Device,
        ops: 80,
        ..RunnableOptions::default()
    };
    let mut counts = BTreeMap::<&'static str, usize>::new();
    let mut functions = 0;
    let seeds = 800;
    for seed in 0..seeds {
        let (generated, inexact) = runnable_with(seed, &options);
        let module = verified(&generated.module).into_inner();
        for id in module.walk(module.body()) {
            *counts.entry(module.op(id).def().mnemonic).or_default() += 1;
        }
        let reports = Reports::new();
        let checks = RunOptions {
            check: Check::On,
            undefined: Undefined::Report(&reports),
            ..RunOptions::default()
        };
        let outcome = execute_with(&generated, checks);
        let reported = reports.take();
        assert_eq!(outcome.fault, None, "seed {seed}");
        assert!(
            reported.is_empty(),
            "seed {seed}: {}\n{}",
            reported[0],
            tile_core::text::print(&generated.module)
        );
        functions += inexact.len();
    }
    let ops = OPS.iter().chain(&OPS_FOR_DEVICES);
    let rare = ops.filter(|&op| counts.get(op).is_none_or(|&count| count < 20));
    let rare: Vec<_> = rare.collect();
    assert!(
        rare.is_empty(),
        "of {seeds} modules too few have {rare:?}: {counts:?}"
    );
    assert!(functions > 1000, "{functions} places of functions");
}
