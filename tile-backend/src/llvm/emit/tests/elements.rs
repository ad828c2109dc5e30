//! Tests element-wise operations: every operation of the table, with every attribute, on every type.

#![expect(clippy::float_cmp, reason = "exact results are expected")]

use std::collections::BTreeMap;
use std::time::Duration;

use tile_core::Scalar;
use tile_core::ir::{
    Attr, ComparisonOrdering, ComparisonPredicate, IntegerOverflow, RoundingMode, Signedness,
};
use tile_core::ops::{
    AttrKind, BitwiseOp, ConversionOp, CoreOp, FloatOp, IntegerOp, OpDef, Opcode, Rule,
};

use super::kernels::{Build, element};
use super::{ARCHS, ptx};
use crate::cubin::Cubin;
use crate::error::BackendError;
use crate::gpu::{Access, ElementOp, Kernel, Ty, ValueId};
use crate::isolate;
use crate::level::{Level, OptLevel};
use crate::llvm::Context;
use crate::target::Arch;
use crate::tools::Tool;

const INTEGERS: [Scalar; 5] = [
    Scalar::I1,
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
];
const FLOATS: [Scalar; 4] = [Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64];
const CONVERTIBLE: [Scalar; 5] = [
    Scalar::F16,
    Scalar::BF16,
    Scalar::F32,
    Scalar::TF32,
    Scalar::F64,
];

#[derive(Clone)]
struct Case {
    op: ElementOp,
    from: Vec<Scalar>,
    to: Scalar,
}

impl Case {
    fn name(&self) -> String {
        let attrs: Vec<String> = self.op.attrs.iter().map(|a| format!("{a:?}")).collect();
        let name = self.op.def().mnemonic;
        format!("{name} {attrs:?} {:?} -> {}", self.from, self.to)
    }
}

fn choices(opcode: Opcode, kind: AttrKind) -> Vec<Option<Attr>> {
    if let (Opcode::Integer(IntegerOp::DivI), AttrKind::Rounding(_)) = (opcode, kind) {
        let modes = [
            RoundingMode::Zero,
            RoundingMode::NegativeInf,
            RoundingMode::PositiveInf,
        ];
        return all(&modes, Attr::Rounding);
    }
    if opcode == ConversionOp::FToF.into() && matches!(kind, AttrKind::Rounding(_)) {
        // The other rounding modes are only legal for conversions to scales.
        return all(&[RoundingMode::NearestEven], Attr::Rounding);
    }
    match kind {
        AttrKind::Unit => vec![None, Some(Attr::Unit)],
        AttrKind::Overflow => all(IntegerOverflow::ALL, Attr::Overflow),
        AttrKind::Signedness => all(Signedness::ALL, Attr::Signedness),
        AttrKind::Predicate => all(ComparisonPredicate::ALL, Attr::Predicate),
        AttrKind::Ordering => all(ComparisonOrdering::ALL, Attr::Ordering),
        AttrKind::Rounding(legal) => {
            let legal = |mode: &&RoundingMode| legal >> mode.number() & 1 == 1;
            let modes = RoundingMode::ALL.iter().filter(legal);
            modes.map(|&mode| Some(Attr::Rounding(mode))).collect()
        }
        other => unreachable!("no element-wise operation has {other:?}"),
    }
}

fn all<T: Copy>(values: &[T], attr: fn(T) -> Attr) -> Vec<Option<Attr>> {
    values.iter().map(|&value| Some(attr(value))).collect()
}

/// Returns the operation with every legal choice of attributes.
fn variants(def: &OpDef, opcode: Opcode, to: Scalar) -> Vec<ElementOp> {
    let mut chosen: Vec<Vec<(&str, Attr)>> = vec![Vec::new()];
    for attr in def.attrs {
        let mut next = Vec::new();
        for so_far in &chosen {
            for choice in choices(opcode, attr.kind) {
                let is_legal = def.rules.iter().all(|rule| match rule {
                    Rule::FlagNeedsF32(flag, _) if *flag == attr.name => {
                        choice.is_none() || to == Scalar::F32
                    }
                    Rule::RoundingNeedsF32(modes, _) if attr.name == "rounding_mode" => {
                        !matches!(&choice, Some(Attr::Rounding(mode))
                            if modes >> mode.number() & 1 == 1)
                            || to == Scalar::F32
                    }
                    _ => true,
                });
                if !is_legal {
                    continue;
                }
                let mut with = so_far.clone();
                with.extend(choice.map(|choice| (attr.name, choice)));
                next.push(with);
            }
        }
        chosen = next;
    }
    chosen.iter().map(|attrs| element(opcode, attrs)).collect()
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |opcode: Opcode, from: Vec<Scalar>, to: Scalar| {
        for op in variants(opcode.def(), opcode, to) {
            let from = from.clone();
            cases.push(Case { op, from, to });
        }
    };
    let operands = |opcode: Opcode| opcode.def().operands.len();
    // Matmuls are not element-wise operations.
    let element_wise = |op: &&IntegerOp| **op != IntegerOp::MmaI;
    for &op in IntegerOp::ALL.iter().filter(element_wise) {
        let opcode = Opcode::from(op);
        for scalar in INTEGERS {
            let to = if op == IntegerOp::CmpI {
                Scalar::I1
            } else {
                scalar
            };
            add(opcode, vec![scalar; operands(opcode)], to);
        }
    }
    for &op in BitwiseOp::ALL {
        for scalar in INTEGERS {
            add(op.into(), vec![scalar; 2], scalar);
        }
    }
    let element_wise = |op: &&FloatOp| !matches!(op, FloatOp::MmaF | FloatOp::MmaFScaled);
    for &op in FloatOp::ALL.iter().filter(element_wise) {
        let opcode = Opcode::from(op);
        for scalar in FLOATS {
            if op == FloatOp::FPowI {
                add(opcode, vec![scalar, Scalar::I32], scalar);
                continue;
            }
            let to = if op == FloatOp::CmpF {
                Scalar::I1
            } else {
                scalar
            };
            add(opcode, vec![scalar; operands(opcode)], to);
        }
    }
    let numbers: Vec<Scalar> = INTEGERS.into_iter().chain(CONVERTIBLE).collect();
    for &to in &numbers {
        add(CoreOp::Select.into(), vec![Scalar::I1, to, to], to);
        for &from in &numbers {
            let wider = to.bits() > from.bits();
            let op = match (from.is_integer(), to.is_integer()) {
                (true, true) if wider => ConversionOp::ExtI,
                (true, true) if from != to => ConversionOp::TruncI,
                (true, true) => ConversionOp::BitCast,
                (true, false) => ConversionOp::IToF,
                (false, true) => ConversionOp::FToI,
                (false, false) if from != to => ConversionOp::FToF,
                (false, false) => ConversionOp::BitCast,
            };
            add(op.into(), vec![from], to);
            if from.bits() == to.bits() && from != to {
                add(ConversionOp::BitCast.into(), vec![from], to);
            }
        }
    }
    cases
}

/// Builds a kernel that computes every case on its parameters, and stores the results.
fn kernel(cases: &[Case]) -> Kernel {
    let mut build = Build::new("elements", 1);
    let mut params: BTreeMap<(Scalar, usize), ValueId> = BTreeMap::new();
    let mut outputs: BTreeMap<Scalar, (usize, ValueId)> = BTreeMap::new();
    for case in cases {
        for (index, &scalar) in case.from.iter().enumerate() {
            params
                .entry((scalar, index))
                .or_insert_with(|| build.param(scalar));
        }
        let position = build.kernel.params.len();
        outputs
            .entry(case.to)
            .or_insert_with(|| (position, build.pointer(case.to, Access::Write)));
    }
    for (number, case) in (0..).zip(cases) {
        let args: Vec<ValueId> = case
            .from
            .iter()
            .enumerate()
            .map(|(index, &scalar)| params[&(scalar, index)])
            .collect();
        store(
            &mut build,
            &case.op,
            &args,
            case.to,
            outputs[&case.to],
            number,
        );
    }
    build.finish()
}

fn store(
    build: &mut Build,
    op: &ElementOp,
    args: &[ValueId],
    to: Scalar,
    (param, base): (usize, ValueId),
    number: u64,
) {
    let result = build.compute(op.clone(), args, Ty::Uniform(to));
    build.store_number_at(param, base, result, number);
}

/// Returns the reason why a case is refused, if it is refused. Only emits LLVM IR, and compiles nothing.
fn refusal(case: &Case, arch: Arch) -> Option<String> {
    let cx = Context::new();
    match super::super::emit(&cx, &kernel(std::slice::from_ref(case)), arch) {
        Ok(_) => None,
        Err(error @ BackendError::Unsupported { .. }) => Some(error.to_string()),
        Err(error) => panic!("{}: {error}", case.name()),
    }
}

#[test]
fn only_divisions_that_the_dialect_lacks_are_refused() {
    for arch in ARCHS {
        for case in cases() {
            let signed = case
                .op
                .attrs
                .contains(&Some(Attr::Signedness(Signedness::Signed)));
            // The dialect has no unsigned division that rounds down.
            let down = Some(Attr::Rounding(RoundingMode::NegativeInf));
            let expected = case.op.opcode == IntegerOp::DivI.into()
                && !signed
                && case.op.attrs.contains(&down);
            let refused = refusal(&case, arch);
            assert_eq!(refused.is_some(), expected, "{}: {refused:?}", case.name());
        }
    }
}

#[test]
fn a_refusal_names_operation_type_and_architecture() {
    let down = Attr::Rounding(RoundingMode::NegativeInf);
    let op = element(
        IntegerOp::DivI,
        &[
            ("signedness", Attr::Signedness(Signedness::Unsigned)),
            ("rounding", down),
        ],
    );
    let case = Case {
        op,
        from: vec![Scalar::I32; 2],
        to: Scalar::I32,
    };
    assert_eq!(
        refusal(&case, Arch::SM_80).expect("refused"),
        "`divi rounding<negative_inf>` of `i32` is not supported for `sm_80`"
    );
}

#[test]
fn every_operation_becomes_machine_code() {
    let program = Tool::Ptxas.find();
    for arch in ARCHS {
        let accepted: Vec<Case> = cases()
            .into_iter()
            .filter(|case| refusal(case, arch).is_none())
            .collect();
        assert!(accepted.len() > 500, "{}", accepted.len());
        let done = isolate::run(Duration::from_secs(300), |progress| {
            for batch in accepted.chunks(100) {
                progress.stage(&format!("{} and following", batch[0].name()));
                let mut kernel = kernel(batch);
                // Results of the same type are stored to the same place, so barriers are needed.
                crate::passes::barriers(&mut kernel);
                let ptx = ptx(&kernel, arch);
                if let Ok(program) = &program {
                    Cubin::assemble(&ptx, program, Level::from(OptLevel::O0))
                        .unwrap_or_else(|error| panic!("{error}\n{}", ptx.text()));
                }
            }
            Vec::new()
        });
        if let Err(failure) = done {
            panic!("{arch}: {failure}\n{}", failure.stderr_tail);
        }
    }
}

/// Returns the bits to which LLVM folds the operation on constants, taken from the kernel's store.
fn folded(op: &ElementOp, args: &[(Scalar, u64)], to: Scalar) -> u64 {
    let mut build = Build::new("folded", 1);
    let base = build.pointer(to, Access::Write);
    let args: Vec<ValueId> = args
        .iter()
        .map(|&(scalar, bits)| build.constant(scalar, bits))
        .collect();
    store(&mut build, op, &args, to, (0, base), 0);
    let ptx = ptx(&build.finish(), Arch::SM_80);
    let number = super::stored_number(&ptx)
        .unwrap_or_else(|| panic!("`{}` is not folded:\n{}", op.def().mnemonic, ptx.text()));
    number.cast_unsigned() & (u64::MAX >> (64 - super::super::code::memory_bits(to)))
}

#[test]
fn divisions_round_as_told() {
    let divide = |signedness, mode, lhs: i32, rhs: i32| {
        let op = element(
            IntegerOp::DivI,
            &[
                ("signedness", Attr::Signedness(signedness)),
                ("rounding", Attr::Rounding(mode)),
            ],
        );
        let bits = |x: i32| (Scalar::I32, u64::from(x.cast_unsigned()));
        let bits = folded(&op, &[bits(lhs), bits(rhs)], Scalar::I32);
        u32::try_from(bits).expect("32 bits").cast_signed()
    };
    for lhs in [7, -7, 6, -6, 1, -1, 0] {
        for rhs in [2, -2, 3] {
            let exact = f64::from(lhs) / f64::from(rhs);
            for (mode, expected) in [
                (RoundingMode::Zero, exact.trunc()),
                (RoundingMode::NegativeInf, exact.floor()),
                (RoundingMode::PositiveInf, exact.ceil()),
            ] {
                let got = divide(Signedness::Signed, mode, lhs, rhs);
                assert_eq!(f64::from(got), expected, "{lhs} / {rhs} {}", mode.name());
            }
        }
    }
    let up = RoundingMode::PositiveInf;
    assert_eq!(divide(Signedness::Unsigned, up, 7, 2), 4);
    assert_eq!(divide(Signedness::Unsigned, up, -1, 2), i32::MIN);
}

#[test]
fn remainders_never_poison() {
    let remainder = |signedness, lhs: i32, rhs: i32| {
        let op = element(
            IntegerOp::RemI,
            &[("signedness", Attr::Signedness(signedness))],
        );
        let bits = |x: i32| (Scalar::I32, u64::from(x.cast_unsigned()));
        let bits = folded(&op, &[bits(lhs), bits(rhs)], Scalar::I32);
        u32::try_from(bits).expect("32 bits").cast_signed()
    };
    for (lhs, rhs) in [
        (7, 3),
        (-7, 3),
        (7, -3),
        (-7, -3),
        (5, 1),
        (5, -1),
        (i32::MIN, 2),
    ] {
        assert_eq!(
            remainder(Signedness::Signed, lhs, rhs),
            lhs % rhs,
            "{lhs} % {rhs}"
        );
    }
    assert_eq!(remainder(Signedness::Signed, i32::MIN, -1), 0);
    assert_eq!(remainder(Signedness::Unsigned, -1, 10), 5);
    assert_eq!(remainder(Signedness::Unsigned, 9, -1), 9);
}

#[test]
fn other_integer_operations_give_the_numbers_of_the_table() {
    let i32_bits = |x: i32| (Scalar::I32, u64::from(x.cast_unsigned()));
    let signed = [("signedness", Attr::Signedness(Signedness::Signed))];
    let unsigned = [("signedness", Attr::Signedness(Signedness::Unsigned))];
    let fold_i32 = |op: IntegerOp, attrs: &[(&str, Attr)], args: &[i32]| {
        let args: Vec<_> = args.iter().map(|&x| i32_bits(x)).collect();
        let bits = folded(&element(op, attrs), &args, Scalar::I32);
        u32::try_from(bits).expect("32 bits").cast_signed()
    };
    assert_eq!(fold_i32(IntegerOp::AbsI, &[], &[-5]), 5);
    assert_eq!(fold_i32(IntegerOp::AbsI, &[], &[i32::MIN]), i32::MIN);
    assert_eq!(fold_i32(IntegerOp::NegI, &[], &[5]), -5);
    assert_eq!(fold_i32(IntegerOp::AddI, &[], &[i32::MAX, 1]), i32::MIN);
    assert_eq!(fold_i32(IntegerOp::SubI, &[], &[3, 5]), -2);
    assert_eq!(fold_i32(IntegerOp::MulI, &[], &[1 << 20, 1 << 12]), 0);
    assert_eq!(fold_i32(IntegerOp::MulhiI, &[], &[1 << 20, 1 << 13]), 2);
    assert_eq!(fold_i32(IntegerOp::MulhiI, &[], &[-1, -1]), -2);
    assert_eq!(fold_i32(IntegerOp::MaxI, &signed, &[-1, 1]), 1);
    assert_eq!(fold_i32(IntegerOp::MaxI, &unsigned, &[-1, 1]), -1);
    assert_eq!(fold_i32(IntegerOp::MinI, &signed, &[-1, 1]), -1);
    assert_eq!(fold_i32(IntegerOp::MinI, &unsigned, &[-1, 1]), 1);
    assert_eq!(fold_i32(IntegerOp::ShlI, &[], &[3, 4]), 48);
    assert_eq!(fold_i32(IntegerOp::ShrI, &signed, &[-16, 2]), -4);
    assert_eq!(fold_i32(IntegerOp::ShrI, &unsigned, &[-16, 28]), 15);
}

#[test]
fn tf32_is_rounded_to_nearest_even() {
    let op = element(ConversionOp::FToF, &[]);
    for (from, expected) in [
        (0x3F80_0000, 0x3F80_0000),
        // These inputs are just below, at, and just above the midpoint of two neighbours.
        (0x3F80_0FFF, 0x3F80_0000),
        (0x3F80_1000, 0x3F80_0000),
        (0x3F80_1001, 0x3F80_2000),
        (0x3F80_3000, 0x3F80_4000),
        (0xBF80_1001, 0xBF80_2000),
        // These inputs are a number that rounds to infinity, infinity, a NaN, and a subnormal number.
        (0x7F7F_FFFF, 0x7F80_0000),
        (0xFF80_0000, 0xFF80_0000),
        (0x7FFF_FFFF, 0x7FFF_E000),
        (0x0000_1001, 0x0000_2000),
    ] {
        let got = folded(&op, &[(Scalar::F32, from)], Scalar::TF32);
        assert_eq!(got, expected, "{from:x} gave {got:x}");
    }
}

#[test]
fn float_operations_give_the_numbers_of_the_table() {
    let f32_bits = |x: f32| (Scalar::F32, u64::from(x.to_bits()));
    let fold_f32 = |op: FloatOp, attrs: &[(&str, Attr)], args: &[f32]| {
        let args: Vec<_> = args.iter().map(|&x| f32_bits(x)).collect();
        let bits = folded(&element(op, attrs), &args, Scalar::F32);
        f32::from_bits(u32::try_from(bits).expect("32 bits"))
    };
    assert_eq!(fold_f32(FloatOp::SubF, &[], &[1.0, 3.0]), -2.0);
    assert_eq!(fold_f32(FloatOp::Fma, &[], &[2.0, 3.0, 4.0]), 10.0);
    assert_eq!(fold_f32(FloatOp::DivF, &[], &[1.0, 3.0]), 1.0 / 3.0);
    assert_eq!(fold_f32(FloatOp::Floor, &[], &[-1.5]), -2.0);
    assert_eq!(fold_f32(FloatOp::Ceil, &[], &[-1.5]), -1.0);
    let zero = fold_f32(FloatOp::MaxF, &[], &[-0.0, 0.0]);
    assert!(zero == 0.0 && zero.is_sign_positive());
    let zero = fold_f32(FloatOp::MinF, &[], &[0.0, -0.0]);
    assert!(zero == 0.0 && zero.is_sign_negative());
    assert_eq!(fold_f32(FloatOp::MaxF, &[], &[f32::NAN, 1.0]), 1.0);
    let propagate = [("propagate_nan", Attr::Unit)];
    assert!(fold_f32(FloatOp::MaxF, &propagate, &[f32::NAN, 1.0]).is_nan());
    assert!(fold_f32(FloatOp::MinF, &propagate, &[1.0, f32::NAN]).is_nan());
    assert!(fold_f32(FloatOp::NegF, &[], &[0.0]).is_sign_negative());

    let compare = |predicate, ordering, lhs: f32, rhs: f32| {
        let op = element(
            FloatOp::CmpF,
            &[
                ("comparison_predicate", Attr::Predicate(predicate)),
                ("comparison_ordering", Attr::Ordering(ordering)),
            ],
        );
        folded(&op, &[f32_bits(lhs), f32_bits(rhs)], Scalar::I1) == 1
    };
    for &predicate in ComparisonPredicate::ALL {
        for (ordering, with_nan) in [
            (ComparisonOrdering::Ordered, false),
            (ComparisonOrdering::Unordered, true),
        ] {
            assert_eq!(compare(predicate, ordering, f32::NAN, 1.0), with_nan);
            let expected = match predicate {
                ComparisonPredicate::Equal => 1.0 == 2.0,
                ComparisonPredicate::NotEqual => 1.0 != 2.0,
                ComparisonPredicate::LessThan | ComparisonPredicate::LessThanOrEqual => true,
                ComparisonPredicate::GreaterThan | ComparisonPredicate::GreaterThanOrEqual => false,
            };
            assert_eq!(compare(predicate, ordering, 1.0, 2.0), expected);
        }
    }
}
