//! Generated modules, compiled with one kind of operation of the GPU IR done wrong wherever it is, as a
//! compiler would: the comparison with the interpreter has to notice.
//!
//! Not every mistake can be seen (a minimum of equal numbers is their maximum, a sum that is exact is the
//! same in every mode, what a function gives may be cut off by a minimum). So the same mistake is made
//! in the module, and where the interpreter then does what it did, none is expected to be noticed. Of
//! the others nearly all have to be; how many there are is the measure of what `generated` finds. Of the modules
//! with such an operation that was half for functions and signs, a quarter for rounding and most for
//! everything else.

use std::io::{self, Write as _};

use libtest_mimic::{Failed, Trial};
use tile_backend::gpu::{BlockId, ElementOp, Kernel, MemoryKind, OpId, OpKind};
use tile_backend::stages::Artifact;
use tile_backend::target::Arch;
use tile_core::canonicalize::canonicalize;
use tile_core::ir::{Attr, ComparisonPredicate, Module, Op, RoundingMode, Signedness};
use tile_core::ops::{BitwiseOp, CoreOp, FloatOp, IntegerOp, Opcode};
use tile_core::testing::{Random, Runnable};

use super::compare::Expected;
use super::generated::{expected, module};
use super::machine::{compile, verified};
use super::mutation::{emitted, lowered};

/// How many modules, at most.
const MODULES: u64 = 100;

/// Where they start: behind those that `generated` takes.
const FIRST: u64 = 40;

/// As many mutants of a kind that change what their modules do are enough.
const ENOUGH: usize = 15;

/// Of every kind, this many mistakes change what their modules do.
const FEWEST: usize = 4;

/// What is known of a kind of mistakes.
struct Kind {
    name: &'static str,
    made: Made,
    /// The least share, in percent, of mutants of which it is noticed.
    noticed: usize,
}

/// Where a mistake is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    /// Everywhere, if the interpreter sees it: the operations are those of the module.
    Seen,
    /// Everywhere. Operations that are made in lowering are among them.
    Everywhere,
    /// Once: made everywhere it would leave few loops that end.
    Once,
}

/// Of what the interpreter sees a few may be missed: a reduction that is one instruction has no operation of
/// its own to do wrong.
const KINDS: [Kind; 7] = [
    Kind::new("another operation", Made::Everywhere, 95),
    Kind::new("another function", Made::Seen, 85),
    Kind::new("another rounding", Made::Seen, 85),
    Kind::new("another sign", Made::Seen, 85),
    // Comparisons often choose between equals, or for a branch that does nothing that is seen.
    Kind::new("the opposite predicate", Made::Once, 55),
    Kind::new("arms exchanged", Made::Seen, 85),
    Kind::new("no store", Made::Everywhere, 95),
];

impl Kind {
    const fn new(name: &'static str, made: Made, noticed: usize) -> Self {
        Self {
            name,
            made,
            noticed,
        }
    }
}

pub(crate) fn trials() -> Vec<Trial> {
    let first = FIRST;
    vec![Trial::test("generated/mutants", move || {
        run(first..first + MODULES).map_err(Failed::from)
    })]
}

/// A mistake: its kind, and the kernel with it.
struct Mistake {
    kind: &'static str,
    at: (BlockId, usize),
    wrong: Wrong,
}

/// What is done instead of an operation.
enum Wrong {
    Kind(OpKind),
    LastTwoExchanged,
    Nothing,
}

/// An element-wise operation with another opcode of the same form.
fn other_operation(op: &Op) -> Option<(&'static str, Opcode)> {
    let float = |opcode: FloatOp| Some(("another operation", Opcode::Float(opcode)));
    let integer = |opcode: IntegerOp| Some(("another operation", Opcode::Integer(opcode)));
    let bits = |opcode: BitwiseOp| Some(("another operation", Opcode::Bitwise(opcode)));
    let function = |opcode: FloatOp| Some(("another function", Opcode::Float(opcode)));
    match op.opcode {
        Opcode::Float(FloatOp::AddF) => float(FloatOp::SubF),
        Opcode::Float(FloatOp::SubF | FloatOp::MulF) => float(FloatOp::AddF),
        Opcode::Float(FloatOp::MaxF) => float(FloatOp::MinF),
        Opcode::Float(FloatOp::MinF) => float(FloatOp::MaxF),
        Opcode::Float(FloatOp::Ceil) => float(FloatOp::Floor),
        Opcode::Float(FloatOp::Floor) => float(FloatOp::Ceil),
        Opcode::Float(FloatOp::NegF) => float(FloatOp::AbsF),
        Opcode::Float(FloatOp::Sin) => function(FloatOp::Cos),
        Opcode::Float(FloatOp::Cos) => function(FloatOp::Sin),
        Opcode::Float(FloatOp::SinH) => function(FloatOp::CosH),
        Opcode::Float(FloatOp::Log) => function(FloatOp::Log2),
        Opcode::Float(FloatOp::Atan2) => function(FloatOp::Pow),
        Opcode::Integer(IntegerOp::AddI) => integer(IntegerOp::SubI),
        Opcode::Integer(IntegerOp::SubI | IntegerOp::MulI) => integer(IntegerOp::AddI),
        Opcode::Integer(IntegerOp::MaxI) => integer(IntegerOp::MinI),
        Opcode::Integer(IntegerOp::MinI) => integer(IntegerOp::MaxI),
        Opcode::Bitwise(BitwiseOp::AndI) => bits(BitwiseOp::OrI),
        Opcode::Bitwise(BitwiseOp::OrI) => bits(BitwiseOp::AndI),
        Opcode::Bitwise(BitwiseOp::XorI) => bits(BitwiseOp::OrI),
        _ => None,
    }
}

/// The ways to do an element-wise operation wrong.
fn wrong_elements(op: &Op) -> Vec<(&'static str, Op)> {
    let mut actual = Vec::new();
    if let Some((kind, opcode)) = other_operation(op) {
        let mut other = op.clone();
        // Forms agree but for attributes, which the other takes by their names.
        let attrs = op.def().attrs.iter().zip(&op.attrs);
        let attrs: Vec<_> = attrs
            .map(|(slot, value)| (slot.name, value.clone()))
            .collect();
        other.opcode = opcode;
        other.attrs.clear();
        other.attrs.resize(opcode.def().attrs.len(), None);
        let has = |name: &str| opcode.def().attrs.iter().any(|slot| slot.name == name);
        for (name, value) in attrs.into_iter().filter(|(name, _)| has(name)) {
            other.set_attr(name, value);
        }
        actual.push((kind, other));
    }
    let mut with = |kind: &'static str, name: &str, value: Attr| {
        let mut other = op.clone();
        other.set_attr(name, Some(value));
        actual.push((kind, other));
    };
    let is_rounded = op
        .attrs
        .iter()
        .flatten()
        .any(|attr| matches!(attr, Attr::Rounding(mode) if *mode != RoundingMode::Zero));
    for (slot, value) in op.def().attrs.iter().zip(&op.attrs) {
        match value {
            Some(Attr::Rounding(RoundingMode::NearestEven))
                if matches!(
                    op.opcode,
                    Opcode::Float(
                        FloatOp::AddF
                            | FloatOp::SubF
                            | FloatOp::MulF
                            | FloatOp::DivF
                            | FloatOp::Fma
                            | FloatOp::Sqrt
                    )
                ) =>
            {
                let mode = Attr::Rounding(RoundingMode::PositiveInf);
                with("another rounding", slot.name, mode);
            }
            // Quotients of numbers without a sign are rounded toward zero alone.
            Some(Attr::Signedness(signedness))
                if !is_rounded
                    && matches!(
                        op.opcode,
                        Opcode::Integer(
                            IntegerOp::MaxI
                                | IntegerOp::MinI
                                | IntegerOp::DivI
                                | IntegerOp::RemI
                                | IntegerOp::ShrI
                        )
                    ) =>
            {
                let other = match signedness {
                    Signedness::Signed => Signedness::Unsigned,
                    Signedness::Unsigned => Signedness::Signed,
                };
                with("another sign", slot.name, Attr::Signedness(other));
            }
            Some(Attr::Predicate(predicate)) => {
                let other = opposite(*predicate);
                with("the opposite predicate", slot.name, Attr::Predicate(other));
            }
            _ => {}
        }
    }
    actual
}

fn opposite(predicate: ComparisonPredicate) -> ComparisonPredicate {
    match predicate {
        ComparisonPredicate::Equal => ComparisonPredicate::NotEqual,
        ComparisonPredicate::NotEqual => ComparisonPredicate::Equal,
        ComparisonPredicate::LessThan => ComparisonPredicate::GreaterThanOrEqual,
        ComparisonPredicate::GreaterThanOrEqual => ComparisonPredicate::LessThan,
        ComparisonPredicate::GreaterThan => ComparisonPredicate::LessThanOrEqual,
        ComparisonPredicate::LessThanOrEqual => ComparisonPredicate::GreaterThan,
    }
}

/// Every mistake that can be made in a block and in those inside.
fn mistakes(kernel: &Kernel, block: BlockId, found: &mut Vec<Mistake>) {
    for (index, &id) in kernel.block(block).ops.iter().enumerate() {
        let at = (block, index);
        let op = kernel.op(id);
        let mut note = |kind, wrong| found.push(Mistake { kind, at, wrong });
        match &op.kind {
            OpKind::Compute(element) => {
                if element.opcode == Opcode::Core(CoreOp::Select) {
                    note("arms exchanged", Wrong::LastTwoExchanged);
                }
                for (kind, other) in wrong_elements(element) {
                    let other = OpKind::Compute(ElementOp::from_tile_op(&other));
                    note(kind, Wrong::Kind(other));
                }
            }
            OpKind::StoreGlobal(_) | OpKind::Memory(MemoryKind::Store(_)) => {
                note("no store", Wrong::Nothing);
            }
            _ => {}
        }
        for &inside in &op.blocks {
            mistakes(kernel, inside, found);
        }
    }
}

/// A kernel with all of these, which are in order of their blocks.
fn with_mistakes(kernel: &Kernel, mistakes: Vec<Mistake>) -> Kernel {
    let mut mutant = kernel.clone();
    // From the end, so that what is taken out moves nothing that is still to be done.
    for mistake in mistakes.into_iter().rev() {
        let (block, index) = mistake.at;
        let id: OpId = mutant.block(block).ops[index];
        match mistake.wrong {
            Wrong::Kind(kind) => mutant.op_mut(id).kind = kind,
            Wrong::LastTwoExchanged => {
                let args = &mut mutant.op_mut(id).args;
                let last = args.len() - 1;
                args.swap(last - 1, last);
            }
            Wrong::Nothing => {
                mutant.block_mut(block).ops.remove(index);
            }
        }
    }
    mutant
}

/// The module with all mistakes of a kind that its operations can be done with, if it is a module then.
fn wrong_module(module: &Module, kind: &str) -> Option<Module> {
    let mut wrong = module.clone();
    for id in module.walk(module.body()) {
        let op = module.op(id);
        if kind == "arms exchanged" && op.opcode == Opcode::Core(CoreOp::Select) {
            wrong.op_mut(id).operands.swap(1, 2);
        }
        let actual = wrong_elements(op).into_iter();
        for (_, other) in actual.filter(|&(actual, _)| actual == kind) {
            *wrong.op_mut(id) = other;
        }
    }
    verified(&wrong).ok().map(|_| wrong)
}

/// How many mutants there are of a kind.
#[derive(Clone, Copy, Default)]
struct Count {
    /// Modules with the operation.
    all: usize,
    /// Those that a mistake changes.
    changed: usize,
    noticed: usize,
}

fn run(seeds: std::ops::Range<u64>) -> Result<(), String> {
    let arch = Arch::SM_80;
    let mut counts = [Count::default(); KINDS.len()];
    for seed in seeds {
        let (runnable, inexact) = module(seed);
        let canonical = canonicalize(verified(&runnable.module)?);
        let expected = expected(&runnable, inexact);
        let mut compiled = None;
        let kernel = lowered(&runnable.module, arch, None)?;
        let mut actual = Vec::new();
        mistakes(&kernel, kernel.body(), &mut actual);
        for (kind, count) in KINDS.iter().zip(&mut counts) {
            let (mut own, others) = actual
                .into_iter()
                .partition(|mistake| mistake.kind == kind.name);
            actual = others;
            if own.is_empty() || count.changed == ENOUGH {
                continue;
            }
            match kind.made {
                Made::Seen => {
                    let Some(wrong) = wrong_module(canonical.module(), kind.name) else {
                        continue;
                    };
                    count.all += 1;
                    let wrong = Runnable {
                        module: wrong,
                        ..runnable.clone()
                    };
                    if expected.is_same(&Expected::of(&wrong, 0.0)) {
                        continue;
                    }
                }
                Made::Everywhere => count.all += 1,
                Made::Once => {
                    count.all += 1;
                    Random::new(seed).shuffle(&mut own);
                    own.truncate(1);
                }
            }
            count.changed += 1;
            let mutant = with_mistakes(&kernel, own);
            let mut artifact: Artifact = match compiled.take() {
                Some(artifact) => artifact,
                None => compile(&runnable.module, arch, None)?,
            };
            artifact.ptx = vec![(arch, emitted(&mutant, arch)?)];
            count.noticed += usize::from(expected.check(&artifact, &runnable).is_err());
            compiled = Some(artifact);
        }
    }
    let rows = KINDS.iter().zip(&counts);
    let table: Vec<String> = rows
        .clone()
        .map(|(kind, count)| {
            let Count {
                all,
                changed,
                noticed,
            } = count;
            format!("{}: {noticed} of {changed}, in {all} modules", kind.name)
        })
        .collect();
    if std::env::var_os("TILE_RUN_SEEDS").is_some() {
        writeln!(io::stdout(), "{}", table.join("\n")).map_err(|error| error.to_string())?;
    }
    let is_blunt = |(kind, count): &(&Kind, &Count)| {
        count.changed < FEWEST || 100 * count.noticed < kind.noticed * count.changed
    };
    let blunt: Vec<_> = rows.filter(is_blunt).map(|(kind, _)| kind.name).collect();
    if blunt.is_empty() {
        return Ok(());
    }
    Err(format!(
        "too few are noticed of {blunt:?}\n{}",
        table.join("\n")
    ))
}
