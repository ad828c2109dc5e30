//! Generated modules, compiled with one operation of the GPU IR done wrong: the comparison with the
//! interpreter has to notice.
//!
//! Not every mistake can be seen (a minimum of equal numbers is their maximum, a sum that rounds
//! nowhere is the same in every mode), so that shares are required, by kind of mistake. They are
//! the measure of what `generated` finds.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use libtest_mimic::{Failed, Trial};
use tile_backend::gpu::{BlockId, ElementOp, Kernel, MemoryKind, OpId, OpKind};
use tile_backend::target::Arch;
use tile_core::ir::{Attr, ComparisonPredicate, Op, RoundingMode, Signedness};
use tile_core::ops::{BitwiseOp, CoreOp, FloatOp, IntegerOp, Opcode};
use tile_core::testing::Random;

use super::generated::{expected, module};
use super::machine::compile;
use super::mutation::{emitted, lowered};

/// How many modules, and how many mistakes in each.
const MODULES: u64 = 30;
const MISTAKES: usize = 6;

/// Kinds of mistakes, and the share of them in percent that must be noticed.
const SHARES: [(&str, usize); 7] = [
    ("another operation", 50),
    ("another function", 50),
    ("another rounding", 10),
    ("another sign", 20),
    ("the opposite predicate", 50),
    ("arms exchanged", 50),
    ("no store", 50),
];

pub(crate) fn trials() -> Vec<Trial> {
    let first = MODULES;
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
    let mut found = Vec::new();
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
        found.push((kind, other));
    }
    let mut with = |kind: &'static str, name: &str, value: Attr| {
        let mut other = op.clone();
        other.set_attr(name, Some(value));
        found.push((kind, other));
    };
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
            Some(Attr::Signedness(signedness))
                if matches!(
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
    found
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
                    let other = OpKind::Compute(ElementOp::of(&other));
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

fn with_mistake(kernel: &Kernel, mistake: Mistake) -> Kernel {
    let mut mutant = kernel.clone();
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
    mutant
}

fn run(seeds: std::ops::Range<u64>) -> Result<(), String> {
    let arch = Arch::SM_80;
    // Made and noticed.
    let mut counts: BTreeMap<&'static str, [usize; 2]> = BTreeMap::new();
    for seed in seeds {
        let (runnable, inexact) = module(seed);
        let expected = expected(&runnable, inexact);
        let mut artifact = compile(&runnable.module, arch, None)?;
        let kernel = lowered(&runnable.module, arch, None)?;
        let mut found = Vec::new();
        mistakes(&kernel, kernel.body(), &mut found);
        Random::new(seed).shuffle(&mut found);
        // Every kind in turn, so that the frequent ones do not crowd out the others.
        found.sort_by_key(|mistake| counts.get(mistake.kind).map_or(0, |count| count[0]));
        for mistake in found.into_iter().take(MISTAKES) {
            let kind = mistake.kind;
            let mutant = with_mistake(&kernel, mistake);
            artifact.ptx = vec![(arch, emitted(&mutant, arch)?)];
            let is_noticed = expected.check(&artifact, &runnable).is_err();
            let count = counts.entry(kind).or_default();
            count[0] += 1;
            count[1] += usize::from(is_noticed);
        }
    }
    let table: Vec<String> = counts
        .iter()
        .map(|(kind, [made, noticed])| format!("{kind}: {noticed} of {made}"))
        .collect();
    if std::env::var_os("TILE_RUN_SEEDS").is_some() {
        writeln!(io::stdout(), "{}", table.join("\n")).map_err(|error| error.to_string())?;
    }
    let is_blunt = |&&(kind, share): &&(&str, usize)| {
        let [made, noticed] = counts.get(kind).copied().unwrap_or_default();
        made < 5 || 100 * noticed < share * made
    };
    let blunt: Vec<_> = SHARES.iter().filter(is_blunt).collect();
    if blunt.is_empty() {
        return Ok(());
    }
    Err(format!(
        "too few are noticed of {blunt:?}\n{}",
        table.join("\n")
    ))
}
