//! Tests errors that text cannot express, in modules that are built by hand in the arena.

use super::add_body_of_two;
use std::sync::Arc;
use tile_core::build::Builder;
use tile_core::diag::{Code, render};
use tile_core::ir::{
    Attr, DenseElements, HintValue, OpId, OptimizationHints, RegionId, TypedScalar, ValueDef,
    ValueId,
};
use tile_core::ops::{ControlFlowOp, CoreOp, FloatOp, IntegerOp, MemoryOp, ViewOp};
use tile_core::types::{FunctionType, PartitionViewType, TensorViewType, TypeKind};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Loc, Module, Scalar, Type, text};

const LOC: Loc = Loc::UNKNOWN;

/// Returns the errors of an entry `k(%n: tile<i32>)` with the body that `build` makes.
fn errors(build: impl FnOnce(&mut Builder<'_>, OpId, ValueId)) -> Vec<(Code, String)> {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let (entry, args) = builder.entry("k", &[Type::scalar(Scalar::I32)], LOC);
    build(&mut builder, entry, args[0]);
    if !builder.is_terminated() {
        builder.terminate(ControlFlowOp::Return, &[], LOC);
    }
    verify_errors(module)
}

fn verify_errors(module: Module) -> Vec<(Code, String)> {
    // Even an invalid module can be printed.
    assert!(!text::print(&module).is_empty());
    let mut diagnostics = Diagnostics::new();
    let result = verify(module, &mut diagnostics);
    let diagnostics_found = diagnostics.take();
    assert_eq!(result.is_ok(), diagnostics_found.is_empty());
    // No operation here has a location.
    assert!(
        diagnostics_found
            .iter()
            .all(|one| one.labels.iter().all(|label| !label.loc.is_unknown()))
    );
    diagnostics_found
        .into_iter()
        .map(|one| (one.code, one.message))
        .collect()
}

#[track_caller]
fn only(reported: &[(Code, String)], code: Code, message: &str) {
    assert_eq!(reported, [(code, message.to_owned())]);
}

fn add(builder: &mut Builder<'_>, n: ValueId) -> OpId {
    let ty = builder.ty(n);
    builder
        .op(IntegerOp::AddI, LOC)
        .args(&[n, n])
        .result(ty)
        .finish()
}

#[test]
fn a_module_made_with_the_builder_verifies() {
    let reported = errors(|builder, _, n| {
        add(builder, n);
    });
    assert_eq!(reported, []);
}

#[test]
fn operand_groups_must_add_up() {
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        builder.module().op_mut(op).operands.pop();
    });
    let message = "expected operands in 2 groups, found 1 operands in groups of [1, 1]";
    only(&reported, Code::VerifyOperands, message);
}

#[test]
fn a_required_operand_is_there_once() {
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        builder.module().op_mut(op).segments = [0, 2].into_iter().collect();
    });
    assert_eq!(reported.len(), 2);
    assert_eq!(reported[0].1, "expected one value for `lhs`, found 0");
}

#[test]
fn values_of_another_module_are_refused() {
    let mut other = Module::new("o");
    let mut builder = Builder::new(&mut other);
    let types = [Type::scalar(Scalar::I32); 9];
    let (_, args) = builder.entry("k", &types, LOC);
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        builder.module().op_mut(op).operands[1] = args[8];
    });
    let message = "expected values of this module, found one of another";
    only(&reported, Code::VerifyOperands, message);
}

/// Returns the values, regions and operations of a large module.
fn many() -> (Vec<ValueId>, Vec<RegionId>, Vec<OpId>) {
    let mut module = Module::new("many");
    let mut builder = Builder::new(&mut module);
    let (_, args) = builder.entry("k", &[Type::scalar(Scalar::I32); 99], LOC);
    let ops = (0..99).map(|_| add(&mut builder, args[0])).collect();
    let regions = (0..99).map(|_| {
        let op = builder.op(ControlFlowOp::Loop, LOC).finish();
        builder.module().add_region(op)
    });
    let regions = regions.collect();
    (args, regions, ops)
}

#[test]
fn what_comes_just_behind_the_last_of_the_module_is_refused() {
    let (values, regions, ops) = many();
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        let past = values[builder.module().num_values()];
        assert_eq!(past.index(), builder.module().num_values());
        builder.module().op_mut(op).operands[1] = past;
    });
    let message = "expected values of this module, found one of another";
    only(&reported, Code::VerifyOperands, message);
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        let past = values[builder.module().num_values()];
        builder.module().op_mut(op).results[0] = past;
    });
    let message = "expected results of its own, found those of another operation";
    only(&reported, Code::VerifyResults, message);
    let reported = errors(|builder, _, _| {
        let op = builder.op(ControlFlowOp::Loop, LOC).finish();
        // The regions of the other module; one of the entry comes first.
        let past = regions[builder.module().num_regions() - 1];
        assert_eq!(past.index(), builder.module().num_regions());
        builder.module().op_mut(op).regions.push(past);
    });
    assert_eq!(
        reported[0].1,
        "expected regions of this module, found one of another"
    );
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        let value = builder.module().op(op).result();
        add(builder, value);
        builder.terminate(ControlFlowOp::Return, &[], LOC);
        // The operations of the other module; its entry comes first.
        let past = ops[builder.module().num_ops() - 1];
        assert_eq!(past.index(), builder.module().num_ops());
        builder.module().value_mut(value).def = ValueDef::Result(past, 0);
    });
    let messages: Vec<&str> = reported
        .iter()
        .map(|(_, message)| message.as_str())
        .collect();
    let expected = [
        "expected results of its own, found those of another operation",
        "an operand is defined by an operation that is in no block",
    ];
    assert_eq!(messages, expected);
}

/// Makes a reduction to the first element, with an identity whose bits are `bits`. Returns the
/// terminator of its body.
fn reduction(builder: &mut Builder<'_>, scalar: Scalar, bits: u64) -> OpId {
    let tile = builder.splat(scalar, 0, &[4], LOC);
    let ty = Type::scalar(scalar);
    let op = builder
        .op(CoreOp::Reduce, LOC)
        .args(&[tile])
        .attr("dim", Attr::Int(0))
        .attr(
            "identities",
            Attr::Scalars([TypedScalar { scalar, bits }].into()),
        )
        .result(ty)
        .finish();
    let block = add_body_of_two(builder, op, ty);
    *builder.module().block(block).ops.last().expect("its end")
}

#[test]
fn a_body_may_not_yield_a_value_of_another_module() {
    let (values, _, _) = many();
    let reported = errors(|builder, _, _| {
        let end = reduction(builder, Scalar::I32, 0);
        let past = values[builder.module().num_values()];
        builder.module().op_mut(end).operands[0] = past;
    });
    let messages: Vec<&str> = reported
        .iter()
        .map(|(_, message)| message.as_str())
        .collect();
    let expected = [
        "expected to yield (tile<i32>), found ({error})",
        "expected values of this module, found one of another",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn attributes_must_be_there_and_of_their_kind() {
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        builder.module().op_mut(op).set_attr("overflow", None);
    });
    only(
        &reported,
        Code::VerifyAttributes,
        "attribute `overflow` is missing",
    );
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        builder
            .module()
            .op_mut(op)
            .set_attr("overflow", Some(Attr::Unit));
    });
    let message = "attribute `overflow` holds a value of another kind";
    only(&reported, Code::VerifyAttributes, message);
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        builder.module().op_mut(op).attrs.clear();
    });
    only(
        &reported,
        Code::VerifyAttributes,
        "expected 1 attribute slots, found 0",
    );
}

#[test]
fn result_counts_and_owners_are_checked() {
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        builder.module().add_result(op, Type::token());
    });
    only(
        &reported,
        Code::VerifyResults,
        "expected 1 results, found 2",
    );
    let reported = errors(|builder, _, n| {
        let (first, second) = (add(builder, n), add(builder, n));
        let stolen = builder.module().op(first).results.clone();
        builder.module().op_mut(second).results = stolen;
    });
    let message = "expected results of its own, found those of another operation";
    only(&reported, Code::VerifyResults, message);
}

#[test]
fn region_counts_and_owners_are_checked() {
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        builder.module().add_region(op);
    });
    assert_eq!(reported[0].1, "expected 0 regions, found 1");
    let reported = errors(|builder, entry, n| {
        let op = add(builder, n);
        let region = builder.module().op(entry).regions[0];
        builder.module().op_mut(op).regions.push(region);
    });
    assert_eq!(
        reported[1].1,
        "a region of `addi` belongs somewhere else too"
    );
    let reported = errors(|builder, entry, _| {
        let region = builder.module().op(entry).regions[0];
        builder.module().op_mut(entry).regions.push(region);
    });
    assert_eq!(reported.len(), 2, "{reported:?}");
}

#[test]
fn a_region_has_one_block() {
    let reported = errors(|builder, entry, _| {
        let region = builder.module().op(entry).regions[0];
        builder.module().add_block(region);
    });
    assert_eq!(reported[0].1, "expected one block in region 0, found 2");
    let reported = errors(|builder, _, _| {
        let c = builder.splat(Scalar::I1, 1, &[], LOC);
        let op = builder.op(ControlFlowOp::If, LOC).args(&[c]).finish();
        builder.module().add_region(op);
        builder.module().add_region(op);
    });
    only(
        &reported,
        Code::VerifyStructure,
        "expected one block in region 0, found 0",
    );
}

#[test]
fn branches_have_no_arguments() {
    let reported = errors(|builder, _, _| {
        let c = builder.splat(Scalar::I1, 1, &[], LOC);
        let op = builder.op(ControlFlowOp::If, LOC).args(&[c]).finish();
        let block = builder.add_region_block(op);
        builder.module().add_region(op);
        builder.module().add_block_arg(block, Type::token(), LOC);
        let outer = builder.set_block(block);
        builder.terminate(ControlFlowOp::Yield, &[], LOC);
        builder.set_block(outer);
    });
    only(&reported, Code::VerifyStructure, "a branch has arguments");
}

#[test]
fn an_operation_is_in_one_place() {
    let reported = errors(|builder, _, n| {
        let op = add(builder, n);
        let block = builder.block();
        builder.module().op_mut(op).parent = None;
        builder.module().insert_op(block, 1, op);
    });
    only(&reported, Code::VerifyStructure, "`addi` is in two places");
}

#[test]
fn an_operation_inside_itself_ends_the_walk() {
    let reported = errors(|builder, _, _| {
        let c = builder.splat(Scalar::I1, 1, &[], LOC);
        let op = builder.op(ControlFlowOp::If, LOC).args(&[c]).finish();
        let block = builder.add_region_block(op);
        builder.module().add_region(op);
        builder.module().op_mut(op).parent = None;
        builder.module().insert_op(block, 0, op);
    });
    assert!(!reported.is_empty());
}

#[test]
fn nesting_is_bounded() {
    let reported = errors(|builder, _, _| {
        let c = builder.splat(Scalar::I1, 1, &[], LOC);
        for _ in 0..100_000 {
            let op = builder.op(ControlFlowOp::If, LOC).args(&[c]).finish();
            let block = builder.add_region_block(op);
            builder.module().add_region(op);
            builder.set_block(block);
        }
    });
    assert!(
        reported
            .iter()
            .any(|(_, message)| message == "`if` nests too deep")
    );
}

#[test]
fn definitions_in_other_regions_and_entries_and_of_detached_operations_are_invisible() {
    let reported = errors(|builder, _, n| {
        let c = builder.splat(Scalar::I1, 1, &[], LOC);
        let op = builder.op(ControlFlowOp::If, LOC).args(&[c]).finish();
        let block = builder.add_region_block(op);
        builder.module().add_region(op);
        let outer = builder.set_block(block);
        let inner = add(builder, n);
        builder.terminate(ControlFlowOp::Yield, &[], LOC);
        builder.set_block(outer);
        let value = builder.module().op(inner).result();
        add(builder, value);
    });
    let message = "an operand is defined in a region that does not enclose this operation";
    only(&reported, Code::VerifyDominance, message);
    let reported = errors(|builder, _, n| {
        let gone = add(builder, n);
        let value = builder.module().op(gone).result();
        add(builder, value);
        builder.module().detach_op(gone);
    });
    let message = "an operand is defined by an operation that is in no block";
    only(&reported, Code::VerifyDominance, message);
    let reported = errors(|builder, _, n| {
        let block = builder.block();
        let (_, args) = builder.entry("l", &[Type::scalar(Scalar::I32)], LOC);
        builder.terminate(ControlFlowOp::Return, &[], LOC);
        builder.set_block(block);
        add(builder, args[0]);
        add(builder, n);
    });
    let message = "an operand is defined in a region that does not enclose this operation";
    only(&reported, Code::VerifyDominance, message);
}

#[test]
fn what_stands_in_the_module_is_not_visible_in_entries() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let outside = builder.const_i32(1, LOC);
    builder.entry("k", &[], LOC);
    add(&mut builder, outside);
    builder.terminate(ControlFlowOp::Return, &[], LOC);
    let reported = verify_errors(module);
    assert_eq!(reported.len(), 2);
    assert_eq!(reported[1].1, "an operand is defined outside of the entry");
}

#[test]
fn names_of_modules_and_entries_are_not_empty() {
    let message = "the name of the module is empty";
    only(
        &verify_errors(Module::new("")),
        Code::VerifyStructure,
        message,
    );
    assert_eq!(verify_errors(Module::new("a b")), []);
    let name_entry = |name: &str| {
        errors(|builder, entry, _| {
            let name = Some(Attr::Str(name.into()));
            builder.module().op_mut(entry).set_attr("sym_name", name);
        })
    };
    let message = "the name of `entry` is empty";
    only(&name_entry(""), Code::VerifyAttributes, message);
    assert_eq!(name_entry("a b"), []);
}

#[test]
fn the_signature_of_an_entry_fits_its_block() {
    let int = Type::scalar(Scalar::I32);
    let set = |ty: Type| {
        errors(|builder, entry, _| {
            let ty = Some(Attr::Type(ty));
            builder.module().op_mut(entry).set_attr("function_type", ty);
        })
    };
    let function = |inputs: &[Type], results: &[Type]| {
        Type::new(TypeKind::Function(FunctionType {
            inputs: inputs.to_vec(),
            results: results.to_vec(),
        }))
    };
    let message = "expected a function type, found `tile<i32>`";
    only(&set(int), Code::VerifyAttributes, message);
    let message = "expected no results, found (tile<i32>)";
    only(
        &set(function(&[int], &[int])),
        Code::VerifyAttributes,
        message,
    );
    let message = "expected parameters (), found (tile<i32>)";
    only(&set(function(&[], &[])), Code::VerifyStructure, message);
}

fn constant(scalar: Scalar, value: DenseElements, ty: Type) -> Vec<(Code, String)> {
    assert_eq!(value.scalar(), scalar);
    errors(|builder, _, _| {
        let value = Attr::Dense(Arc::new(value));
        builder
            .op(CoreOp::Constant, LOC)
            .attr("value", value)
            .result(ty)
            .finish();
    })
}

#[test]
fn the_value_of_a_constant_fits_its_type() {
    let each = |bits: &[u64]| DenseElements::Each {
        scalar: Scalar::I8,
        bits: bits.to_vec(),
    };
    let pair = Type::tile(Scalar::I8, &[2]);
    assert_eq!(constant(Scalar::I8, each(&[1, 255]), pair), []);
    let message = "expected 2 elements, found 1";
    only(
        &constant(Scalar::I8, each(&[1]), pair),
        Code::VerifyAttributes,
        message,
    );
    let message = "a value does not fit `i8`";
    only(
        &constant(Scalar::I8, each(&[1, 256]), pair),
        Code::VerifyAttributes,
        message,
    );
    let message = "expected a value of `i16`, found one of `i8`";
    let wide = Type::tile(Scalar::I16, &[2]);
    only(
        &constant(Scalar::I8, each(&[1, 2]), wide),
        Code::VerifyAttributes,
        message,
    );
}

#[test]
fn hints_are_sorted_and_unique() {
    let reported = errors(|builder, entry, _| {
        let key = ("occupancy".to_owned(), HintValue::Int(1));
        let per_arch = vec![
            ("sm_90".to_owned(), vec![key.clone()]),
            ("sm_80".to_owned(), vec![key]),
        ];
        let hints = Attr::Hints(Arc::new(OptimizationHints { per_arch }));
        builder
            .module()
            .op_mut(entry)
            .set_attr("optimization_hints", Some(hints));
    });
    let message = "the keys of `optimization_hints` are not sorted, unique and not empty";
    only(&reported, Code::VerifyAttributes, message);
}

#[test]
fn loops_and_reductions_have_the_arguments_of_their_bodies() {
    let reported = errors(|builder, _, n| {
        let op = builder
            .op(ControlFlowOp::For, LOC)
            .args(&[n, n, n])
            .finish();
        let block = builder.add_region_block(op);
        let outer = builder.set_block(block);
        builder.terminate(ControlFlowOp::Continue, &[], LOC);
        builder.set_block(outer);
    });
    let message = "expected body arguments (tile<i32>), found ()";
    only(&reported, Code::VerifyStructure, message);
    let reported = errors(|builder, _, _| {
        let op = builder
            .op(CoreOp::Reduce, LOC)
            .attr("dim", Attr::Int(0))
            .attr("identities", Attr::Scalars([].into()))
            .finish();
        let block = builder.add_region_block(op);
        let outer = builder.set_block(block);
        builder.terminate(ControlFlowOp::Yield, &[], LOC);
        builder.set_block(outer);
    });
    only(
        &reported,
        Code::VerifyOperands,
        "expected at least one operand, found none",
    );
}

#[test]
fn numbers_of_attributes_are_in_range() {
    let reported = errors(|builder, _, _| {
        let tile = builder.splat(Scalar::I32, 0, &[4], LOC);
        let op = builder
            .op(CoreOp::Reduce, LOC)
            .args(&[tile])
            .attr("dim", Attr::Int(-1))
            .attr("identities", Attr::Scalars([].into()))
            .result(Type::scalar(Scalar::I32))
            .finish();
        let block = builder.add_region_block(op);
        let outer = builder.set_block(block);
        builder.terminate(ControlFlowOp::Yield, &[tile], LOC);
        builder.set_block(outer);
    });
    let message = "expected `dim` to be a 32-bit number, found -1";
    only(&reported, Code::VerifyAttributes, message);
}

#[test]
fn an_identity_fits_its_type() {
    let reported = errors(|builder, _, _| {
        reduction(builder, Scalar::I8, 256);
    });
    only(
        &reported,
        Code::VerifyAttributes,
        "an identity does not fit `i8`",
    );
}

#[test]
fn views_have_as_many_operands_and_results_as_their_types_say() {
    let view = TensorViewType {
        element: Scalar::F32,
        shape: vec![None, Some(4)],
        strides: vec![Some(4), None],
    };
    let ty = Type::new(TypeKind::TensorView(view.clone()));
    let reported = errors(|builder, _, n| {
        let base = builder
            .op(CoreOp::Entry, LOC)
            .result(Type::pointer(Scalar::F32))
            .finish_value();
        let shape = [n, n];
        builder
            .op(ViewOp::MakeTensorView, LOC)
            .operand("base", base)
            .operands("dynamicShape", &shape)
            .result(ty)
            .finish();
    });
    let messages: Vec<&str> = reported
        .iter()
        .map(|(_, message)| message.as_str())
        .collect();
    assert!(
        messages.contains(&"expected 1 dynamic extents, found 2"),
        "{messages:?}"
    );
    assert!(
        messages.contains(&"expected 1 dynamic strides, found 0"),
        "{messages:?}"
    );
    let partition = PartitionViewType::new(&[4, 4], view, None).intern();
    for (opcode, ty) in [
        (ViewOp::GetTensorShape, ty),
        (ViewOp::GetIndexSpaceShape, partition),
    ] {
        let mut module = Module::new("m");
        let mut builder = Builder::new(&mut module);
        let (_, args) = builder.entry("k", &[ty], LOC);
        let types = [
            Type::scalar(Scalar::I32),
            Type::scalar(Scalar::I64),
            Type::token(),
        ];
        builder
            .op(opcode, LOC)
            .args(&args)
            .results(&types[..2])
            .finish();
        builder
            .op(opcode, LOC)
            .args(&args)
            .results(&types[..1])
            .finish();
        builder.terminate(ControlFlowOp::Return, &[], LOC);
        let reported = verify_errors(module);
        assert_eq!(reported.len(), 2, "{reported:?}");
        assert_eq!(
            reported[0].1,
            "expected results of `tile<i32>`, found `tile<i64>`"
        );
        assert_eq!(reported[1].1, "expected 2 results, found 1");
    }
}

#[test]
fn a_value_of_the_error_type_is_a_fault() {
    let reported = errors(|builder, _, _| {
        builder
            .op(MemoryOp::MakeToken, LOC)
            .result(Type::error())
            .finish();
    });
    only(
        &reported,
        Code::VerifyType,
        "a type that could not be found out",
    );
}

#[test]
fn a_huge_type_is_reported_without_computing_with_it() {
    let reported = errors(|builder, _, n| {
        let huge = Type::tile(Scalar::I32, &[1 << 62, 1 << 62]);
        let value = builder
            .op(CoreOp::Reshape, LOC)
            .args(&[n])
            .result(huge)
            .finish_value();
        builder
            .op(CoreOp::Reshape, LOC)
            .args(&[value])
            .result(huge)
            .finish();
        builder
            .op(FloatOp::AbsF, LOC)
            .args(&[value])
            .result(huge)
            .finish();
    });
    assert_eq!(reported.len(), 3);
    assert!(reported.iter().all(|(code, _)| *code == Code::VerifyType));
}

/// Renders the verification errors of a text that parses.
fn drawn(source: &str) -> String {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "k.mlir", &mut diagnostics).expect("the text parses");
    verify(module, &mut diagnostics).expect_err("the module has a fault");
    render(&diagnostics.take(), &|_| Some(source.to_owned()))
}

#[test]
fn a_fault_points_at_the_definitions_of_its_operands() {
    let source = "\
entry @k(%n: tile<i32>, %m: tile<i64>) {
  %r = addi %n, %m : tile<i32>
}
";
    let expected = "\
error[T0301]: expected `rhs` of type `tile<i32>`, found `tile<i64>`
 --> k.mlir:2:8
  |
1 | entry @k(%n: tile<i32>, %m: tile<i64>) {
  |          --             -- this is `tile<i64>`
  |          |
  |          this is `tile<i32>`
2 |   %r = addi %n, %m : tile<i32>
  |        ^^^^
  |
  = note: `addi` needs `lhs`, `rhs`, `result` of one type";
    assert_eq!(drawn(source), expected);
}

#[test]
fn a_use_before_the_definition_points_at_both() {
    let source = "\
entry @k(%n: tile<i32>) {
  %a = addi %b, %n : tile<i32>
  %b = addi %n, %n : tile<i32>
}
";
    let expected = "\
error[T0305]: `%b` is used before it is defined
 --> k.mlir:2:8
  |
2 |   %a = addi %b, %n : tile<i32>
  |        ^^^^
3 |   %b = addi %n, %n : tile<i32>
  |   -- the value is defined here
  |
  = note: a value is visible after the operation that defines it";
    assert_eq!(drawn(source), expected);
}
