//! Tests rules of operations that text cannot break, and the rendering of errors.

use super::add_body_of_two;
use std::sync::Arc;
use tile_core::build::Builder;
use tile_core::diag::{Code, Severity, render};
use tile_core::ir::{
    AssumePredicate, AtomicRmwMode, Attr, DenseElements, MemoryOrdering, MemoryScope,
    OptimizationHints, RoundingMode, TypedScalar, ValueId,
};
use tile_core::ops::{
    AtomicOp, ControlFlowOp, ConversionOp, CoreOp, FloatOp, MemoryOp, MiscOp, Opcode, ViewOp,
};
use tile_core::types::{FunctionType, PartitionViewType, TensorViewType, TypeKind};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Loc, Module, Scalar, Type, text};

const LOC: Loc = Loc::UNKNOWN;

fn verified(module: Module) -> Vec<(Code, String)> {
    let mut diagnostics = Diagnostics::new();
    let result = verify(module, &mut diagnostics);
    let actual = diagnostics.take();
    assert_eq!(result.is_ok(), actual.is_empty());
    actual
        .into_iter()
        .map(|one| (one.code, one.message))
        .collect()
}

/// Returns the errors of an entry with the parameters and the body that `build` makes.
fn errors(
    params: &[Type],
    build: impl FnOnce(&mut Builder<'_>, &[ValueId]),
) -> Vec<(Code, String)> {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let (_, args) = builder.entry("k", params, LOC);
    build(&mut builder, &args);
    if !builder.is_terminated() {
        builder.terminate(ControlFlowOp::Return, &[], LOC);
    }
    verified(module)
}

#[track_caller]
fn only(actual: &[(Code, String)], code: Code, message: &str) {
    assert_eq!(actual, [(code, message.to_owned())]);
}

fn matrix() -> TensorViewType {
    TensorViewType {
        element: Scalar::F32,
        shape: vec![Some(8), Some(8)],
        strides: vec![Some(8), Some(1)],
    }
}

fn tensor(view: TensorViewType) -> Type {
    Type::new(TypeKind::TensorView(view))
}

#[test]
fn a_shape_has_a_result_per_axis() {
    let rank0 = TensorViewType {
        element: Scalar::F32,
        shape: Vec::new(),
        strides: Vec::new(),
    };
    let cases = [
        (ViewOp::GetTensorShape, tensor(matrix()), 2),
        (ViewOp::GetTensorShape, tensor(rank0), 0),
        (
            ViewOp::GetIndexSpaceShape,
            PartitionViewType::new(&[4, 4], matrix(), None).intern(),
            2,
        ),
    ];
    for (opcode, view, rank) in cases {
        for count in 0..4 {
            let actual = errors(&[view], |builder, args| {
                let results = vec![Type::scalar(Scalar::I32); count];
                builder
                    .op(opcode, LOC)
                    .args(args)
                    .results(&results)
                    .finish();
            });
            if count == rank {
                assert_eq!(actual, []);
            } else {
                let message = format!("expected {rank} results, found {count}");
                only(&actual, Code::VerifyResults, &message);
            }
        }
    }
}

#[test]
fn inbounds_promises_something() {
    let view = PartitionViewType::new(&[4, 4], matrix(), None).intern();
    let load = |inbounds: &[bool]| {
        errors(&[view, Type::scalar(Scalar::I32)], |builder, args| {
            builder
                .op(ViewOp::LoadViewTko, LOC)
                .operand("view", args[0])
                .operands("index", &[args[1], args[1]])
                .attr(
                    "memory_ordering_semantics",
                    Attr::MemoryOrdering(MemoryOrdering::Weak),
                )
                .attr("inbounds", Attr::BoolArray(inbounds.into()))
                .result(Type::tile(Scalar::F32, &[4, 4]))
                .result(Type::token())
                .finish();
        })
    };
    assert_eq!(load(&[false, true]), []);
    let message = "`inbounds` has no entry that is true";
    only(&load(&[false, false]), Code::VerifyAttributes, message);
    let message = "expected `inbounds` to have 2 entries, found 0";
    only(&load(&[]), Code::VerifyAttributes, message);
}

fn dense(scalar: Scalar, bits: u64) -> DenseElements {
    DenseElements::Splat { scalar, bits }
}

#[test]
fn the_bits_of_a_number_fit_its_type() {
    let constant = |scalar: Scalar, bits: u64| {
        errors(&[], |builder, _| {
            builder
                .op(CoreOp::Constant, LOC)
                .attr("value", Attr::Dense(Arc::new(dense(scalar, bits))))
                .result(Type::tile(scalar, &[2]))
                .finish();
        })
    };
    for scalar in Scalar::ALL {
        if scalar == Scalar::I4 {
            continue;
        }
        let greatest = u64::MAX >> (64 - scalar.bits());
        assert_eq!(constant(scalar, greatest), []);
        if let Some(wide) = greatest.checked_add(1) {
            let message = format!("a value does not fit `{scalar}`");
            only(&constant(scalar, wide), Code::VerifyAttributes, &message);
        }
    }
}

/// Returns the errors of a module with one global.
fn global(ty: Type, value: DenseElements, alignment: i64) -> Vec<(Code, String)> {
    let mut module = Module::new("m");
    Builder::new(&mut module)
        .op(CoreOp::Global, LOC)
        .attr("sym_name", Attr::Str("g".into()))
        .attr("value_type", Attr::Type(ty))
        .attr("value", Attr::Dense(Arc::new(value)))
        .attr("alignment", Attr::Int(alignment))
        .finish();
    verified(module)
}

#[test]
fn a_global_holds_numbers_of_its_type() {
    let row = Type::tile(Scalar::I8, &[2]);
    let each = |bits: &[u64]| DenseElements::Each {
        scalar: Scalar::I8,
        bits: bits.to_vec(),
    };
    assert_eq!(global(row, dense(Scalar::I8, 255), 0), []);
    assert_eq!(global(row, each(&[1, 2]), 64), []);
    let attributes = Code::VerifyAttributes;
    only(
        &global(row, each(&[1, 2, 3]), 0),
        attributes,
        "expected 2 elements, found 3",
    );
    only(
        &global(row, each(&[1, 256]), 0),
        attributes,
        "a value does not fit `i8`",
    );
    only(
        &global(row, dense(Scalar::I16, 1), 0),
        attributes,
        "expected a value of `i8`, found one of `i16`",
    );
    only(
        &global(row, dense(Scalar::I8, 1), -1),
        attributes,
        "expected `alignment` not to be negative, found -1",
    );
    let pointers = Type::tile(tile_core::types::Element::Ptr(Scalar::I8), &[2]);
    for ty in [
        Type::token(),
        Type::tile(Scalar::I4, &[2]),
        pointers,
        tensor(matrix()),
        Type::new(TypeKind::Scalar(Scalar::I8)),
    ] {
        let message = format!("expected a tile of numbers other than i4, found `{ty}`");
        only(
            &global(ty, dense(Scalar::I8, 1), 0),
            Code::VerifyType,
            &message,
        );
    }
}

#[test]
fn a_pointer_to_a_faulty_global_is_no_second_fault() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    builder
        .op(CoreOp::Global, LOC)
        .attr("sym_name", Attr::Str("g".into()))
        .attr("value_type", Attr::Type(Type::token()))
        .attr("value", Attr::Dense(Arc::new(dense(Scalar::I8, 1))))
        .finish();
    builder.entry("k", &[], LOC);
    builder
        .op(CoreOp::GetGlobal, LOC)
        .attr("name", Attr::Symbol("g".into()))
        .result(Type::pointer(Scalar::I8))
        .finish();
    builder.terminate(ControlFlowOp::Return, &[], LOC);
    assert_eq!(verified(module).len(), 1);
}

/// Returns the errors of a `reduce` or `scan` of an i32 tile, whose body yields its element.
fn reduction(opcode: CoreOp, identities: &[u64], results: &[Type]) -> Vec<(Code, String)> {
    errors(&[], |builder, _| {
        let tile = builder.splat(Scalar::I32, 0, &[4], LOC);
        let identities = identities.iter().map(|&bits| TypedScalar {
            scalar: Scalar::I32,
            bits,
        });
        let mut op = builder
            .op(opcode, LOC)
            .args(&[tile])
            .attr("dim", Attr::Int(0))
            .attr("identities", Attr::Scalars(identities.collect()))
            .results(results);
        if opcode == CoreOp::Scan {
            op = op.attr("reverse", Attr::Bool(false));
        }
        let op = op.finish();
        add_body_of_two(builder, op, Type::scalar(Scalar::I32));
    })
}

#[test]
fn a_reduction_has_a_result_per_operand() {
    for (opcode, ty) in [
        (CoreOp::Reduce, Type::scalar(Scalar::I32)),
        (CoreOp::Scan, Type::tile(Scalar::I32, &[4])),
    ] {
        assert_eq!(reduction(opcode, &[u64::from(u32::MAX)], &[ty]), []);
        let message = format!("expected results ({ty}), found ({ty}, {ty})");
        only(
            &reduction(opcode, &[0], &[ty, ty]),
            Code::VerifyResults,
            &message,
        );
        let message = format!("expected results ({ty}), found ()");
        only(&reduction(opcode, &[0], &[]), Code::VerifyResults, &message);
        let message = "an identity does not fit `i32`";
        only(
            &reduction(opcode, &[1 << 32], &[ty]),
            Code::VerifyAttributes,
            message,
        );
    }
}

#[test]
fn a_scan_has_an_operand() {
    let result = errors(&[], |builder, _| {
        let op = builder
            .op(CoreOp::Scan, LOC)
            .attr("dim", Attr::Int(0))
            .attr("reverse", Attr::Bool(false))
            .attr("identities", Attr::Scalars([].into()))
            .finish();
        let block = builder.add_region_block(op);
        let outer = builder.set_block(block);
        builder.terminate(ControlFlowOp::Yield, &[], LOC);
        builder.set_block(outer);
    });
    let message = "expected at least one operand, found none";
    only(&result, Code::VerifyOperands, message);
}

fn assume(ty: Type, divisor: u64, every: Option<i64>, along: Option<i64>) -> Vec<(Code, String)> {
    errors(&[ty], |builder, args| {
        let predicate = AssumePredicate::DivBy {
            divisor,
            every,
            along,
        };
        builder
            .op(MiscOp::Assume, LOC)
            .args(args)
            .attr("predicate", Attr::Assume(Box::new(predicate)))
            .result(ty)
            .finish();
    })
}

#[test]
fn a_divisor_is_at_most_two_to_the_62_and_is_checked_in_order() {
    let int = Type::scalar(Scalar::I32);
    let attributes = Code::VerifyAttributes;
    assert_eq!(assume(int, 1 << 62, None, None), []);
    let too_large = "cannot assume divisibility by 9223372036854775808";
    only(&assume(int, 1 << 63, None, None), attributes, too_large);
    let half = "one of `every` and `along` is missing";
    only(&assume(int, 1 << 63, Some(1), None), attributes, half);
    only(&assume(int, 1 << 63, None, Some(0)), attributes, half);
    let odd = "cannot assume divisibility by 3";
    only(&assume(int, 3, Some(1), None), attributes, odd);
    for ty in [Type::scalar(Scalar::F32), Type::token(), tensor(matrix())] {
        only(
            &assume(ty, 1 << 63, Some(1), Some(0)),
            attributes,
            too_large,
        );
    }
}

#[test]
fn a_value_is_no_function_and_no_bare_i4() {
    let function = FunctionType {
        inputs: vec![Type::token()],
        results: Vec::new(),
    };
    let function = Type::new(TypeKind::Function(function));
    let bare = |scalar| Type::new(TypeKind::Scalar(scalar));
    only(
        &errors(&[function], |_, _| {}),
        Code::VerifyType,
        "a value cannot be a function",
    );
    only(
        &errors(&[bare(Scalar::I4)], |_, _| {}),
        Code::VerifyType,
        "`i4` is allowed in tiles only",
    );
    assert_eq!(errors(&[bare(Scalar::I8)], |_, _| {}), []);
    let foreign = Type::new(TypeKind::Foreign("!other.type".into()));
    assert_eq!(errors(&[foreign], |_, _| {}), []);
}

#[test]
fn what_a_function_returns_has_a_type_of_the_dialect() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let (entry, _) = builder.entry("k", &[], LOC);
    builder.terminate(ControlFlowOp::Return, &[], LOC);
    let signature = FunctionType {
        inputs: Vec::new(),
        results: vec![Type::token(), Type::tile(Scalar::I32, &[3])],
    };
    let signature = Type::new(TypeKind::Function(signature));
    module
        .op_mut(entry)
        .set_attr("function_type", Some(Attr::Type(signature)));
    let actual = verified(module);
    assert!(
        actual.contains(&(
            Code::VerifyType,
            "all dimensions must be powers of two, got 3".to_owned()
        )),
        "{actual:?}"
    );
}

#[test]
fn only_values_of_the_dialect_leave_a_block() {
    for (ty, legal) in [
        (Type::new(TypeKind::Foreign("!other.type".into())), false),
        (Type::new(TypeKind::Scalar(Scalar::F32)), true),
        (Type::new(TypeKind::Ptr(Scalar::F32)), true),
        (Type::token(), true),
    ] {
        let actual = errors(&[ty, Type::scalar(Scalar::I1)], |builder, args| {
            let branch = builder
                .op(ControlFlowOp::If, LOC)
                .operand("condition", args[1])
                .result(ty)
                .finish();
            for _ in 0..2 {
                let block = builder.add_region_block(branch);
                let outer = builder.set_block(block);
                builder.terminate(ControlFlowOp::Yield, &args[..1], LOC);
                builder.set_block(outer);
            }
        });
        if legal {
            assert_eq!(actual, []);
        } else {
            let message =
                "expected `operands` to be a number, tile, view or token, found `!other.type`";
            let error = (Code::VerifyOperands, message.to_owned());
            assert_eq!(actual, [error.clone(), error]);
        }
    }
}

#[test]
fn an_index_of_many_values_is_no_constant() {
    // Two values in a rank-0 constant are an error of the constant, not of the index.
    let result = errors(&[], |builder, _| {
        let value = DenseElements::Each {
            scalar: Scalar::I32,
            bits: vec![9, 8],
        };
        let index = builder
            .op(CoreOp::Constant, LOC)
            .attr("value", Attr::Dense(Arc::new(value)))
            .result(Type::scalar(Scalar::I32))
            .finish_value();
        let tile = builder.splat(Scalar::I32, 0, &[4], LOC);
        builder
            .op(CoreOp::Extract, LOC)
            .args(&[tile, index])
            .result(Type::tile(Scalar::I32, &[2]))
            .finish();
    });
    let message = "expected 1 elements, found 2";
    only(&result, Code::VerifyAttributes, message);
}

#[test]
fn an_alignment_is_not_negative() {
    for alignment in [i64::MIN, -8] {
        let result = errors(&[], |builder, _| {
            builder
                .op(MemoryOp::Alloca, LOC)
                .attr("num_elem", Attr::Int(1))
                .attr("alignment", Attr::Int(alignment))
                .result(Type::pointer(Scalar::I8))
                .finish();
        });
        let message = format!("expected `alignment` not to be negative, found {alignment}");
        only(&result, Code::VerifyAttributes, &message);
    }
}

#[test]
fn casts_of_pointers_keep_the_shape() {
    let pointers = Type::tile(tile_core::types::Element::Ptr(Scalar::I8), &[2]);
    let result = errors(&[], |builder, _| {
        let addresses = builder.splat(Scalar::I64, 0, &[4], LOC);
        builder
            .op(ConversionOp::IntToPtr, LOC)
            .args(&[addresses])
            .result(pointers)
            .finish();
    });
    let message = "expected `result` of shape `(4)`, found `(2)`";
    only(&result, Code::VerifyResults, message);
}

/// Returns `true` if the file test of an operation has both an accepted and a refused use of the
/// operation.
fn has_both(mnemonic: &str) -> bool {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/filetests/verify");
    let text = std::fs::read_to_string(format!("{folder}/{mnemonic}.mlir")).unwrap_or_default();
    let named = |line: &&str| {
        let mut rests = line.split(mnemonic).skip(1);
        rests.any(|rest| rest.starts_with([' ', '(']))
    };
    let (refused, accepted): (Vec<&str>, Vec<&str>) = text
        .lines()
        .filter(named)
        .partition(|line| line.contains("// error["));
    !refused.is_empty() && accepted.iter().any(|line| !line.starts_with("//"))
}

#[test]
fn every_operation_has_a_file_of_verify_tests() {
    // These are tested with the operations that contain them.
    let is_structure = |opcode: &Opcode| match opcode {
        Opcode::Core(opcode) => *opcode == CoreOp::Module,
        Opcode::ControlFlow(opcode) => *opcode != ControlFlowOp::Assert,
        Opcode::Testing(_) | Opcode::Unregistered(_) => true,
        _ => false,
    };
    let missing: Vec<&str> = Opcode::all()
        .filter(|opcode| !is_structure(opcode))
        .map(|opcode| opcode.def().mnemonic)
        .filter(|mnemonic| !has_both(mnemonic))
        .collect();
    assert_eq!(missing, [""; 0]);
}

/// Renders the verifier's diagnostics for a text that parses.
fn drawn(source: &str) -> String {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "k.mlir", &mut diagnostics).expect("the text parses");
    let result = verify(module, &mut diagnostics);
    let actual = diagnostics.take();
    let has_errors = actual.iter().any(|one| one.severity == Severity::Error);
    assert_eq!(result.is_err(), has_errors);
    render(&actual, &|_| Some(source.to_owned()))
}

#[test]
fn a_fault_names_expected_and_found_and_the_rule() {
    let cases = [
        (
            "entry @k(%n: tile<i32>) {
  %r = negf %n : tile<i32>
}
",
            "\
error[T0301]: expected `source` to be a tile of f16, bf16, f32 or f64, found `tile<i32>`
 --> k.mlir:2:8
  |
1 | entry @k(%n: tile<i32>) {
  |          -- this is `tile<i32>`
2 |   %r = negf %n : tile<i32>
  |        ^^^^
  |
  = note: `source` of `negf` must be a tile of f16, bf16, f32 or f64

error[T0303]: expected `result` to be a tile of f16, bf16, f32 or f64, found `tile<i32>`
 --> k.mlir:2:8
  |
2 |   %r = negf %n : tile<i32>
  |        ^^^^
  |
  = note: `result` of `negf` must be a tile of f16, bf16, f32 or f64",
        ),
        (
            "entry @k(%n: tile<f64>) {
  %r = rsqrt %n flush_to_zero : tile<f64>
}
",
            "\
error[T0302]: `flush_to_zero` on `tile<f64>`
 --> k.mlir:2:8
  |
2 |   %r = rsqrt %n flush_to_zero : tile<f64>
  |        ^^^^^
  |
  = note: flush_to_zero modifier only supported for f32 data type",
        ),
        (
            "entry @k(%n: tile<f64>) {
  %r = sqrt %n rounding<approx> : tile<f64>
}
",
            "\
error[T0302]: `rounding<approx>` on `tile<f64>`
 --> k.mlir:2:8
  |
2 |   %r = sqrt %n rounding<approx> : tile<f64>
  |        ^^^^
  |
  = note: approx modifier only supported for f32 data type",
        ),
        (
            "global @g <f32: 1.0> : tile<4xf32>
entry @k() {
  %p = get_global @g : tile<ptr<i32>>
}
",
            "\
error[T0303]: expected a pointer to `f32`, found `tile<ptr<i32>>`
 --> k.mlir:3:8
  |
1 | global @g <f32: 1.0> : tile<4xf32>
  | ------ this holds `f32`
2 | entry @k() {
3 |   %p = get_global @g : tile<ptr<i32>>
  |        ^^^^^^^^^^
  |
  = note: the pointer points to the elements of the global",
        ),
        (
            "entry @k() {
  %t = constant <f32: 1.0> : tile<8xf32>
  %i = constant <i32: 4> : tile<i32>
  %r = extract %t[%i] : tile<8xf32> -> tile<2xf32>
}
",
            "\
warning[T0301]: index 4 along axis 0 is out of range
 --> k.mlir:4:8
  |
4 |   %r = extract %t[%i] : tile<8xf32> -> tile<2xf32>
  |        ^^^^^^^
  |
  = note: there are 4 slices, counted from 0",
        ),
    ];
    for (source, expected) in cases {
        assert_eq!(drawn(source), expected);
    }
}

/// Returns the rules in the notes of a module's errors.
fn rules(module: Module) -> Vec<String> {
    let mut diagnostics = Diagnostics::new();
    verify(module, &mut diagnostics).expect_err("the module has a fault");
    let notes = diagnostics.take().into_iter().flat_map(|one| one.notes);
    notes.collect()
}

#[test]
fn a_value_that_a_row_does_not_admit_is_followed_by_those_that_it_does() {
    let source = "entry @k(%f: tile<f32>, %i: tile<i32>,
    %v: partition_view<tile=(4), tensor_view<64xi32, strides=[1]>>) {
  %t = constant <i32: 1> : tile<4xi32>
  %r = addf %f, %f : tile<f32>
  %u = atomic_red_view_tko relaxed device %v[%i], add, %t : tile<4xi32>, partition_view<tile=(4), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
}";
    let after = |opcode: Opcode, name: &str, value: Attr| {
        let mut diagnostics = Diagnostics::new();
        let mut module = text::parse(source, "k.mlir", &mut diagnostics).expect("the text parses");
        let mut ops = module.walk(module.body()).into_iter();
        let op = ops.find(|&op| module.op(op).opcode == opcode);
        let op = op.expect("the operation");
        module.op_mut(op).set_attr(name, Some(value));
        rules(module)
    };
    let value = Attr::Rounding(RoundingMode::Full);
    let actual = after(FloatOp::AddF.into(), "rounding_mode", value);
    assert_eq!(
        actual,
        ["`addf` admits `nearest_even`, `zero`, `negative_inf`, `positive_inf`"]
    );
    let atomic = Opcode::from(AtomicOp::AtomicRedViewTko);
    let value = Attr::MemoryOrdering(MemoryOrdering::Weak);
    let actual = after(atomic, "memory_ordering_semantics", value);
    assert_eq!(actual, ["`atomic_red_view_tko` admits `relaxed`"]);
    let value = Attr::MemoryScope(MemoryScope::System);
    assert_eq!(
        after(atomic, "memory_scope", value),
        ["`atomic_red_view_tko` admits `tl_blk`, `device`"]
    );
    let value = Attr::RmwMode(AtomicRmwMode::Xchg);
    assert_eq!(
        after(atomic, "mode", value),
        [
            "`atomic_red_view_tko` admits `and`, `or`, `xor`, `add`, `addf`, `max`, `min`, `umax`, `umin`"
        ]
    );
    let value = Attr::Hints(Arc::new(OptimizationHints {
        per_arch: vec![
            ("sm_90".to_owned(), Vec::new()),
            ("sm_80".to_owned(), Vec::new()),
        ],
    }));
    let actual = after(CoreOp::Entry.into(), "optimization_hints", value);
    assert_eq!(actual, ["hints are sorted by architecture and by key"]);
}

#[test]
fn an_operation_in_the_wrong_place_is_followed_by_the_right_ones() {
    let after = |body: &str| {
        let source = format!("entry @k(%c: tile<i1>) {{ {body} }}");
        let mut diagnostics = Diagnostics::new();
        let module = text::parse(&source, "k.mlir", &mut diagnostics).expect("the text parses");
        rules(module)
    };
    assert_eq!(
        after("yield"),
        ["`yield` may be directly inside `reduce`, `scan` or `if`"]
    );
    assert_eq!(
        after("break"),
        ["`break` may be directly inside `if` or `loop`"]
    );
    let reduce = |body: &str| {
        format!(
            "%t = constant <i32: 1> : tile<4xi32>
            %r = reduce %t dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {{ {body} }}"
        )
    };
    let open = reduce("%s = addi %x, %y : tile<i32>");
    assert_eq!(after(&open), ["expected `yield` at the end"]);
}
