//! Mutates one kind of GPU IR operation throughout generated modules, as a wrong compiler would. The
//! comparison with the interpreter must notice.
//!
//! Not every error is visible: the minimum of equal numbers is their maximum, an exact sum is the same in
//! every rounding mode, and a minimum may hide the result of a function. Therefore the same error is also
//! made in the module. If the interpreter's result does not change, the error need not be noticed. Nearly all
//! other errors must be noticed; their number measures the sensitivity of `generated`. Functions and signs
//! made a visible difference in half of the modules with such an operation, rounding in a quarter, and
//! everything else in most.

use std::io::{self, Write as _};

use libtest_mimic::Trial;
use tile_backend::internals::gpu::{BlockId, ElementOp, Kernel, MemoryKind, OpId, OpKind};
use tile_backend::session::Artifact;
use tile_backend::target::Arch;
use tile_core::canonicalize::canonicalize;
use tile_core::ir::{Attr, ComparisonPredicate, Module, Op, RoundingMode, Signedness};
use tile_core::ops::{BitwiseOp, CoreOp, FloatOp, IntegerOp, Opcode};
use tile_core::testing::{Random, Runnable};

use super::compare::Expected;
use super::generated::{expected, module};
use super::machine::{compile, verified};
use super::mutation::{emitted, lowered};
use super::support::local_trial;

/// Maximum number of modules.
const MODULES: u64 = 100;

/// The first seed, which follows the seeds of `generated`.
const FIRST: u64 = 40;

/// Number of effective mutants after which a kind is no longer tested.
const ENOUGH: usize = 15;

/// Minimum number of effective mutants of every kind.
const FEWEST: usize = 4;

/// The properties of a kind of errors.
struct Kind {
    name: &'static str,
    scope: Scope,
    /// Minimum percentage of effective mutants that are noticed.
    noticed: usize,
}

/// The operations to which an error is applied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// All operations, which are those of the module. The error counts only if the interpreter's result
    /// changes.
    Seen,
    /// All operations, including those that lowering creates.
    Everywhere,
    /// A single operation. In all operations, the error would leave few loops that terminate.
    Once,
}

/// A few of the errors that change the interpreter's result may be missed: a reduction that becomes a single
/// instruction has no operation in its body to mutate.
const KINDS: [Kind; 7] = [
    Kind::new("another operation", Scope::Everywhere, 95),
    Kind::new("another function", Scope::Seen, 85),
    Kind::new("another rounding", Scope::Seen, 85),
    Kind::new("another sign", Scope::Seen, 85),
    // Comparisons often choose between equal values, or control a branch without visible effect.
    Kind::new("the opposite predicate", Scope::Once, 55),
    Kind::new("arms exchanged", Scope::Seen, 85),
    Kind::new("no store", Scope::Everywhere, 95),
];

impl Kind {
    const fn new(name: &'static str, scope: Scope, noticed: usize) -> Self {
        Self {
            name,
            scope,
            noticed,
        }
    }
}

pub(crate) fn trials() -> Vec<Trial> {
    let first = FIRST;
    vec![local_trial("generated/mutants", move || {
        run(first..first + MODULES)
    })]
}

/// An error: its kind, its operation, and the replacement.
struct Mistake {
    kind: &'static str,
    place: (BlockId, usize),
    wrong: Wrong,
}

/// The replacement of an operation.
enum Wrong {
    Kind(OpKind),
    LastTwoExchanged,
    Nothing,
}

/// Returns another opcode of the same form for an element-wise operation.
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

/// Returns the mutations of an element-wise operation.
fn wrong_elements(op: &Op) -> Vec<(&'static str, Op)> {
    let mut actual = Vec::new();
    if let Some((kind, opcode)) = other_operation(op) {
        let mut other = op.clone();
        // Both operations have the same operands; their attributes are matched by name.
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
            // Unsigned quotients are always rounded toward zero.
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

/// Collects every possible error in a block and in nested blocks.
fn mistakes(kernel: &Kernel, block: BlockId, collected: &mut Vec<Mistake>) {
    for (index, &id) in kernel.block(block).ops.iter().enumerate() {
        let place = (block, index);
        let op = kernel.op(id);
        let mut note = |kind, wrong| collected.push(Mistake { kind, place, wrong });
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
            mistakes(kernel, inside, collected);
        }
    }
}

/// Applies these errors, sorted by block, to a kernel.
fn with_mistakes(kernel: &Kernel, mistakes: Vec<Mistake>) -> Kernel {
    let mut mutant = kernel.clone();
    // Errors are applied from the end of a block, so that a removal does not shift the remaining indices.
    for mistake in mistakes.into_iter().rev() {
        let (block, index) = mistake.place;
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

/// Applies all errors of a kind to the module; `None` if the result is not a valid module.
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

/// The number of mutants of a kind.
#[derive(Clone, Copy, Default)]
struct Count {
    /// Number of modules with the operation.
    all: usize,
    /// Number of modules whose result an error changes.
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
            let (mut selected, others) = actual
                .into_iter()
                .partition(|mistake| mistake.kind == kind.name);
            actual = others;
            if selected.is_empty() || count.changed == ENOUGH {
                continue;
            }
            match kind.scope {
                Scope::Seen => {
                    let Some(wrong) = wrong_module(canonical.module(), kind.name) else {
                        continue;
                    };
                    count.all += 1;
                    let wrong = Runnable {
                        module: wrong,
                        ..runnable.clone()
                    };
                    if expected.is_same(&Expected::new(&wrong, 0.0)) {
                        continue;
                    }
                }
                Scope::Everywhere => count.all += 1,
                Scope::Once => {
                    count.all += 1;
                    Random::new(seed).shuffle(&mut selected);
                    selected.truncate(1);
                }
            }
            count.changed += 1;
            let mutant = with_mistakes(&kernel, selected);
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
