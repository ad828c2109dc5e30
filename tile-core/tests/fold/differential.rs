//! Compares folding with execution for every operation without regions and every type, on values
//! that are likely to expose differences. For an operation that is not folded, this file must list
//! a reason.

use crate::common::LOC;
use crate::model::{patterns, value};
use std::collections::BTreeMap;
use std::sync::Arc;
use tile_core::build::Builder;
use tile_core::fold::fold;
use tile_core::interp::{Program, Tile};
use tile_core::ir::{
    Attr, ComparisonOrdering, ComparisonPredicate, DenseElements, IntegerOverflow, Module, OpId,
    RoundingMode, Signedness, ValueId,
};
use tile_core::ops::{
    Arity, AttrDef, AttrKind, Constraint, ControlFlowOp, Effects, Opcode, Presence, RegionCount,
};
use tile_core::types::{Scalar, Type};
use tile_core::{Diagnostics, verify};

/// Operations that are never folded, since devices compute different bits.
const NEVER: &[&str] = &[
    "atan2", "cos", "cosh", "exp", "exp2", "fpowi", "log", "log2", "pow", "remf", "rsqrt", "sin",
    "sinh", "tan", "tanh",
];
/// Element-wise operations on tiles of one shape.
const FOLDED: &[&str] = &[
    "absf", "absi", "addf", "addi", "andi", "bitcast", "ceil", "cmpf", "cmpi", "divf", "divi",
    "exti", "floor", "fma", "ftof", "ftoi", "itof", "maxf", "maxi", "minf", "mini", "mulf",
    "mulhii", "muli", "negf", "negi", "ori", "remi", "select", "shli", "shri", "sqrt", "subf",
    "subi", "trunci", "xori",
];

/// A kernel of one operation.
struct Kernel {
    module: Module,
    id: OpId,
    params: Vec<ValueId>,
    scalars: Vec<Scalar>,
    result: Scalar,
}

/// Returns all values of the attributes of a row, if they can be enumerated.
fn attributes(slots: &[AttrDef]) -> Option<Vec<Vec<Option<Attr>>>> {
    let mut combinations = vec![Vec::new()];
    for slot in slots {
        let values: Vec<Option<Attr>> = match slot.kind {
            AttrKind::Unit if slot.presence == Presence::Optional => vec![None, Some(Attr::Unit)],
            AttrKind::Signedness => Signedness::ALL
                .iter()
                .map(|&x| Some(Attr::Signedness(x)))
                .collect(),
            AttrKind::Overflow => IntegerOverflow::ALL
                .iter()
                .map(|&x| Some(Attr::Overflow(x)))
                .collect(),
            AttrKind::Predicate => ComparisonPredicate::ALL
                .iter()
                .map(|&x| Some(Attr::Predicate(x)))
                .collect(),
            AttrKind::Ordering => ComparisonOrdering::ALL
                .iter()
                .map(|&x| Some(Attr::Ordering(x)))
                .collect(),
            AttrKind::Rounding(legal) => RoundingMode::ALL
                .iter()
                .filter(|mode| legal >> mode.number() & 1 == 1)
                .map(|&x| Some(Attr::Rounding(x)))
                .collect(),
            _ => return None,
        };
        combinations = combinations
            .iter()
            .flat_map(|chosen| {
                values
                    .iter()
                    .map(|value| [chosen.as_slice(), std::slice::from_ref(value)].concat())
            })
            .collect();
    }
    Some(combinations)
}

fn kernel(
    opcode: Opcode,
    attrs: &[Option<Attr>],
    scalar: Scalar,
    result: Scalar,
    shape: &[i64],
) -> Option<Kernel> {
    let def = opcode.def();
    let scalars: Vec<Scalar> = def
        .operands
        .iter()
        .map(|slot| {
            if slot.constraint == Constraint::I1Tile {
                Scalar::I1
            } else {
                scalar
            }
        })
        .collect();
    let types: Vec<Type> = scalars
        .iter()
        .map(|&scalar| Type::tile(scalar, shape))
        .collect();
    let build = |verified: bool| {
        let mut module = Module::new("kernels");
        let mut b = Builder::new(&mut module);
        // Modules that are verified cannot have tiles as parameters.
        let params = if verified {
            b.entry("k", &[], LOC);
            types
                .iter()
                .map(|&ty| {
                    b.op(tile_core::ops::CoreOp::Constant, LOC)
                        .attr(
                            "value",
                            Attr::Dense(Arc::new(DenseElements::Splat {
                                scalar: ty.as_number_tile()?.0,
                                bits: 0,
                            })),
                        )
                        .result(ty)
                        .finish_value()
                        .into()
                })
                .collect::<Option<Vec<ValueId>>>()?
        } else {
            b.entry("k", &types, LOC).1
        };
        let mut op = b.op(opcode, LOC).args(&params);
        for (slot, value) in def.attrs.iter().zip(attrs) {
            op = op.attr(slot.name, value.clone());
        }
        let id = op.result(Type::tile(result, shape)).finish();
        let value = b.module().op(id).result();
        let values = if verified { vec![] } else { vec![value] };
        b.terminate(ControlFlowOp::Return, &values, LOC);
        Some((module, id, params))
    };
    let (module, ..) = build(true)?;
    let mut diagnostics = Diagnostics::new();
    let verified = verify::verify(module, &mut diagnostics);
    diagnostics.take();
    verified.ok()?;
    let (module, id, params) = build(false)?;
    Some(Kernel {
        module,
        id,
        params,
        scalars,
        result,
    })
}

impl Kernel {
    fn fold(&self, inputs: &[Arc<DenseElements>]) -> Option<Arc<DenseElements>> {
        let constant = |value| {
            let index = self.params.iter().position(|&param| param == value)?;
            Some(Arc::clone(&inputs[index]))
        };
        fold(&self.module, self.id, &constant)?.pop()
    }

    /// Returns the reason why an element must not be folded.
    fn reason(&self, inputs: &[u64], output: Option<u64>) -> Option<&'static str> {
        let op = self.module.op(self.id);
        let name = op.def().mnemonic;
        let has =
            |flag: &str| op.def().attrs.iter().any(|slot| slot.name == flag) && op.has_flag(flag);
        let Some(output) = output else {
            return Some("a fault");
        };
        let numbers: Vec<f64> = inputs
            .iter()
            .zip(&self.scalars)
            .map(|(&bits, &scalar)| {
                if scalar.is_float() {
                    value(scalar, bits)
                } else {
                    0.0
                }
            })
            .collect();
        let result = if self.result.is_float() {
            value(self.result, output)
        } else {
            0.0
        };
        let any_nan = numbers.iter().any(|x| x.is_nan());
        let least = 2.0_f64.powi(-126);
        if self.result == Scalar::I4 {
            return Some("no constant of i4");
        }
        if NEVER.contains(&name) {
            return Some("not rounded correctly");
        }
        match name {
            "addf" | "subf" | "mulf" | "divf" | "fma" | "sqrt" => {
                if matches!(
                    op.rounding_mode(),
                    RoundingMode::Approx | RoundingMode::Full
                ) {
                    return Some("an approximation");
                }
                if !result.is_finite() || numbers.iter().any(|x| !x.is_finite()) {
                    return Some("not finite");
                }
            }
            "absf" | "negf" | "ceil" | "floor" | "maxf" | "minf" if any_nan => {
                return Some("a NaN");
            }
            "itof" | "ftof" if any_nan || result.is_nan() => return Some("a NaN"),
            _ => {}
        }
        if matches!(name, "maxf" | "minf") {
            let [a, b] = numbers[..] else {
                unreachable!("two operands")
            };
            if a == 0.0 && b == 0.0 && a.is_sign_negative() != b.is_sign_negative() {
                return Some("zeros of different sign");
            }
        }
        if has("flush_to_zero") {
            if numbers.iter().any(|&x| x != 0.0 && x.abs() < least) {
                return Some("a subnormal operand is flushed");
            }
            let is_rounded = !matches!(name, "maxf" | "minf");
            if is_rounded && result.abs() == least {
                return Some("may have been subnormal");
            }
        }
        match name {
            "ftof" => {
                if numbers[0] != result && self.result == Scalar::F8E8M0FNU {
                    return Some("scales are not rounded");
                }
                if numbers[0].is_finite() && result.is_infinite() {
                    return Some("out of range");
                }
                self.saturates(numbers[0] == result, result)
            }
            "itof" if result.is_infinite() => Some("out of range"),
            "itof" => self.saturates(false, result),
            "ftoi" => {
                let (bits, x) = (f64::from(self.result.bits()), numbers[0].trunc());
                let fits = match op.signedness() {
                    Signedness::Signed => x >= -(bits - 1.0).exp2() && x < (bits - 1.0).exp2(),
                    Signedness::Unsigned => x >= 0.0 && x < bits.exp2(),
                };
                (!fits).then_some("out of range")
            }
            _ => None,
        }
    }

    /// Returns a reason if a result equals the greatest number of a type without infinities, and
    /// may therefore represent a greater value.
    fn saturates(&self, is_exact: bool, result: f64) -> Option<&'static str> {
        let greatest = match self.result {
            Scalar::F8E4M3FN => 448.0,
            Scalar::F4E2M1FN => 6.0,
            _ => return None,
        };
        (result.abs() == greatest && !is_exact).then_some("out of range")
    }
}

/// Counts of folded operations, and of others by reason.
#[derive(Default)]
struct Counts {
    folded: BTreeMap<&'static str, usize>,
    kept: BTreeMap<(&'static str, &'static str), usize>,
}

impl Counts {
    fn check(
        &mut self,
        kernel: &Kernel,
        inputs: &[Arc<DenseElements>],
        executed: Option<Vec<u64>>,
        reason: Option<&'static str>,
    ) {
        let name = kernel.module.op(kernel.id).def().mnemonic;
        match (kernel.fold(inputs), reason) {
            (Some(actual), None) => {
                let executed = executed.expect("there was no reason");
                let actual: Vec<u64> = (0..executed.len())
                    .map(|index| actual.bits_at(index))
                    .collect();
                assert_eq!(
                    actual,
                    executed,
                    "{name} {:?} of {inputs:?}",
                    kernel.module.op(kernel.id).attrs
                );
                *self.folded.entry(name).or_default() += 1;
            }
            (None, Some(reason)) => *self.kept.entry((name, reason)).or_default() += 1,
            (actual, reason) => panic!(
                "{name} {:?} of {inputs:?}: executed {executed:x?}, folded {actual:?}, reason to keep it {reason:?}",
                kernel.module.op(kernel.id).attrs
            ),
        }
    }
}

/// Returns tuples of values: all pairs, but only some triples.
fn tuples(scalars: &[Scalar], accepted: fn(f64) -> bool) -> Vec<Vec<u64>> {
    let accepted = |scalar: Scalar, bits| !scalar.is_float() || accepted(value(scalar, bits));
    let values: Vec<Vec<u64>> = scalars
        .iter()
        .map(|&scalar| {
            let mut patterns = patterns(scalar);
            patterns.retain(|&bits| accepted(scalar, bits));
            patterns
        })
        .collect();
    let total: usize = values.iter().map(Vec::len).product();
    let step = if total > 1500 { 37 } else { 1 };
    (0..total)
        .step_by(step)
        .map(|mut rest| {
            let pick = |values: &Vec<u64>| {
                let choice = rest % values.len();
                rest /= values.len();
                values[choice]
            };
            values.iter().map(pick).collect()
        })
        .collect()
}

fn scalars_differ(kernel: &Kernel, counts: &mut Counts) {
    let program = Program::new(&kernel.module);
    for tuple in tuples(&kernel.scalars, |_| true) {
        let tiles: Vec<Tile> = tuple
            .iter()
            .zip(&kernel.scalars)
            .map(|(&bits, &scalar)| Tile::new(scalar, &[], vec![bits]))
            .collect();
        let executed = program
            .eval("k", &tiles)
            .ok()
            .map(|mut tiles| tiles.remove(0).bits);
        let reason = kernel.reason(&tuple, executed.as_ref().map(|bits| bits[0]));
        let inputs: Vec<Arc<DenseElements>> = tuple
            .iter()
            .zip(&kernel.scalars)
            .map(|(&bits, &scalar)| Arc::new(DenseElements::Splat { scalar, bits }))
            .collect();
        counts.check(kernel, &inputs, executed, reason);
    }
}

/// Tests tiles of two by four neighbouring tuples; every operand but the first is also tested as a
/// splat.
fn tiles_differ(kernel: &Kernel, counts: &mut Counts) {
    let program = Program::new(&kernel.module);
    // Eight arbitrary numbers often include one that is not finite.
    let cases = tuples(&kernel.scalars, |_| true);
    let tame = tuples(&kernel.scalars, |x| {
        x == 0.0 || (0.01..100.0).contains(&x.abs())
    });
    let tiles = cases.chunks_exact(8).chain(tame.chunks_exact(8));
    for (number, tuples) in tiles.enumerate() {
        let columns: Vec<Vec<u64>> = (0..kernel.scalars.len())
            .map(|index| {
                let repeated = number % 2 == 1 && index > 0;
                tuples
                    .iter()
                    .map(|tuple| {
                        if repeated {
                            tuples[0][index]
                        } else {
                            tuple[index]
                        }
                    })
                    .collect()
            })
            .collect();
        let tiles: Vec<Tile> = columns
            .iter()
            .zip(&kernel.scalars)
            .map(|(bits, &scalar)| Tile::new(scalar, &[2, 4], bits.clone()))
            .collect();
        let executed = program
            .eval("k", &tiles)
            .ok()
            .map(|mut tiles| tiles.remove(0).bits);
        let reason = (0..8).find_map(|i| {
            let inputs: Vec<u64> = columns.iter().map(|bits| bits[i]).collect();
            kernel.reason(&inputs, executed.as_ref().map(|bits| bits[i]))
        });
        // The minimum or maximum of zeros of different sign is not folded.
        let zeros = |negative| {
            columns.iter().zip(&kernel.scalars).any(|(bits, &scalar)| {
                scalar.is_float()
                    && bits.iter().any(|&bits| {
                        value(scalar, bits) == 0.0
                            && value(scalar, bits).is_sign_negative() == negative
                    })
            })
        };
        let name = kernel.module.op(kernel.id).def().mnemonic;
        let mixed = matches!(name, "maxf" | "minf") && zeros(true) && zeros(false);
        let reason = reason.or(mixed.then_some("zeros of different sign"));
        let inputs: Vec<Arc<DenseElements>> = columns
            .into_iter()
            .zip(&kernel.scalars)
            .map(|(bits, &scalar)| Arc::new(DenseElements::from_bits(scalar, bits)))
            .collect();
        counts.check(kernel, &inputs, executed, reason);
    }
}

fn every_kernel(shape: &[i64], test: fn(&Kernel, &mut Counts)) -> Counts {
    let mut counts = Counts::default();
    for opcode in Opcode::all() {
        let def = opcode.def();
        let is_pure = matches!(def.effects, Effects::Pure | Effects::NoMemoryEffect);
        let is_plain = def.regions == RegionCount::Exactly(0)
            && def.results.len() == 1
            && !def.operands.is_empty()
            && def.operands.iter().all(|slot| slot.arity == Arity::One);
        let is_listed = FOLDED.contains(&def.mnemonic) || NEVER.contains(&def.mnemonic);
        let Some(attributes) = attributes(def.attrs).filter(|_| is_pure && is_plain && is_listed)
        else {
            continue;
        };
        for scalar in Scalar::ALL {
            for result in Scalar::ALL {
                let kernels = attributes
                    .iter()
                    .filter_map(|attrs| kernel(opcode, attrs, scalar, result, shape));
                kernels
                    .filter(runs)
                    .for_each(|kernel| test(&kernel, &mut counts));
            }
        }
    }
    counts
}

/// Returns `true` if the interpreter runs the operation.
fn runs(kernel: &Kernel) -> bool {
    let op = kernel.module.op(kernel.id);
    match op.def().mnemonic {
        "atan2" | "fpowi" => false,
        "ftoi" => !op.has_flag("saturating"),
        _ => true,
    }
}

fn assert_complete(counts: &Counts) {
    let lacking: Vec<&&str> = FOLDED
        .iter()
        .filter(|name| !counts.folded.contains_key(*name))
        .collect();
    assert!(lacking.is_empty(), "never folded: {lacking:?}");
}

#[test]
fn scalars_fold_to_what_execution_gives_unless_there_is_a_reason() {
    let counts = every_kernel(&[], scalars_differ);
    assert_complete(&counts);
    // Every reason must apply at least once.
    let reasons: std::collections::BTreeSet<&str> =
        counts.kept.keys().map(|&(_, reason)| reason).collect();
    assert_eq!(
        reasons.into_iter().collect::<Vec<_>>(),
        [
            "a NaN",
            "a fault",
            "a subnormal operand is flushed",
            "an approximation",
            "may have been subnormal",
            "no constant of i4",
            "not finite",
            "not rounded correctly",
            "out of range",
            "scales are not rounded",
            "zeros of different sign",
        ]
    );
    let folded: usize = counts.folded.values().sum();
    assert!(folded > 50_000, "{folded}");
}

#[test]
fn tiles_fold_to_what_execution_gives_unless_there_is_a_reason() {
    let counts = every_kernel(&[2, 4], tiles_differ);
    assert_complete(&counts);
    let folded: usize = counts.folded.values().sum();
    assert!(folded > 5_000, "{folded}");
}

/// Operations with tests of their own, folded or not.
const OTHERS: &[&str] = &[
    // Folded: data movement, integer matmuls, and reductions.
    "broadcast",
    "cat",
    "extract",
    "insert",
    "iota",
    "mmai",
    "pack",
    "permute",
    "reduce",
    "reshape",
    "unpack",
    // A `constant` needs no folding.
    "constant",
    // The order of a sum is not specified.
    "mmaf",
    "mmaf_scaled",
    // Not folded: regions of several operations, and scans, since their order matters.
    "for",
    "if",
    "loop",
    "scan",
    "yield",
    // Regions of the dialect `loop`.
    "loop.for",
    "loop.if",
    "loop.parallel",
    "loop.reduce.return",
    "loop.yield",
    // These depend on the launch.
    "get_global",
    "get_index_space_shape",
    "get_num_tile_blocks",
    "get_tensor_shape",
    "get_tile_block_id",
    // Pointers, views and tokens are not constants.
    "int_to_ptr",
    "join_tokens",
    "make_gather_scatter_view",
    "make_partition_view",
    "make_strided_view",
    "make_tensor_view",
    "make_token",
    "offset",
    "ptr_to_int",
    "ptr_to_ptr",
    "ptx.inline_pure",
];

#[test]
fn every_operation_without_effects_is_accounted_for() {
    let mut listed = [FOLDED, NEVER, OTHERS].concat();
    listed.sort_unstable();
    let mut mnemonics: Vec<&str> = Opcode::all()
        .map(Opcode::def)
        .filter(|def| {
            matches!(
                def.effects,
                Effects::Pure | Effects::NoMemoryEffect | Effects::Regions
            )
        })
        .map(|def| def.mnemonic)
        .collect();
    mnemonics.sort_unstable();
    assert_eq!(mnemonics, listed);
}
