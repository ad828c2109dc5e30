//! Tests errors of attributes that text cannot express.

use super::structure::{add, entry, errors, verified};
use std::sync::Arc;
use tile_core::build::Builder;
use tile_core::diag::Severity;
use tile_core::ir::{
    AtomicRmwMode, Attr, DiscardableAttr, HintValue, MemoryOrdering, MemoryScope,
    OptimizationHints, TypedScalar,
};
use tile_core::ops::{AtomicOp, ControlFlowOp, MemoryOp};
use tile_core::types::{PartitionViewType, TensorViewType};
use tile_core::verify::{HintCheck, VerifyOptions, verify_with};
use tile_core::{Diagnostics, Loc, Module, Scalar, Type};

const LOC: Loc = Loc::UNKNOWN;

fn attribute(name: &str, value: Option<&str>) -> DiscardableAttr {
    DiscardableAttr {
        name: name.into(),
        value: value.map(Into::into),
    }
}

#[test]
fn discardable_attributes_are_sorted_and_not_those_of_the_row() {
    let with = |attrs: &[DiscardableAttr]| {
        errors(|builder, _, n| {
            let value = add(builder, n);
            let op = builder.module().defining_op(value).expect("an operation");
            builder.module().op_mut(op).discardable = attrs.into();
        })
    };
    let (a, b) = (attribute("a", None), attribute("b", Some("1 : i32")));
    assert_eq!(with(&[a.clone(), b.clone()]), [""; 0]);
    let message = "the attributes that have no slot are not sorted and unique";
    assert_eq!(with(&[b, a.clone()]), [message]);
    assert_eq!(with(&[a.clone(), a]), [message]);
    let mut module = Module::new("m");
    module.discardable = [attribute("a", None), attribute("a", None)].into();
    assert_eq!(verified(module), [message]);
    let message = "attribute `overflow` is not in its slot";
    assert_eq!(with(&[attribute("overflow", None)]), [message]);
}

/// Returns the messages for an entry with the hints `per_arch`, which are checked as `hints` says.
fn hinted(per_arch: Vec<(&str, Vec<(&str, HintValue)>)>, hints: HintCheck) -> Vec<String> {
    let owned = |(key, value): (&str, HintValue)| (key.to_owned(), value);
    let per_arch = per_arch.into_iter().map(|(arch, entries)| {
        let entries = entries.into_iter().map(owned).collect();
        (arch.to_owned(), entries)
    });
    let value = Attr::Hints(Arc::new(OptimizationHints {
        per_arch: per_arch.collect(),
    }));
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    entry(&mut builder, "k", |builder, entry, _| {
        let op = builder.module().op_mut(entry);
        op.set_attr("optimization_hints", Some(value));
    });
    let mut diagnostics = Diagnostics::new();
    let result = verify_with(module, VerifyOptions { hints }, &mut diagnostics);
    let actual = diagnostics.take();
    let has_error = actual.iter().any(|one| one.severity == Severity::Error);
    assert_eq!(result.is_err(), has_error);
    actual.into_iter().map(|one| one.message).collect()
}

#[test]
fn keys_of_hints_are_sorted_all_the_way_down() {
    let int = || HintValue::Int(1);
    let dict = |keys: &[&str]| {
        let entries = keys
            .iter()
            .map(|key| ((*key).to_owned(), HintValue::Int(1)));
        HintValue::Dict(entries.collect())
    };
    let message = "the keys of `optimization_hints` are not sorted, unique and not empty";
    let wrong = [
        vec![("b", vec![]), ("a", vec![])],
        vec![("a", vec![]), ("a", vec![])],
        vec![("", vec![])],
        vec![("a", vec![("b", int()), ("a", int())])],
        vec![("a", vec![]), ("b", vec![("", int())])],
        vec![("a", vec![("a", dict(&["b", "a"]))])],
        vec![(
            "a",
            vec![("a", HintValue::Array(vec![int(), dict(&["a", "a"])]))],
        )],
        vec![(
            "a",
            vec![("a", HintValue::Dict(vec![("a".to_owned(), dict(&[""]))]))],
        )],
    ];
    for hints in wrong {
        assert_eq!(hinted(hints, HintCheck::Silent), [message]);
    }
    let right = vec![
        (
            "a",
            vec![
                ("a", dict(&["a", "b"])),
                ("b", HintValue::Array(vec![dict(&["c"]), int()])),
            ],
        ),
        ("b", vec![("a", HintValue::Str("s".into()))]),
    ];
    assert_eq!(hinted(right, HintCheck::Silent), [""; 0]);
}

#[test]
fn hints_of_any_integer_type_are_integers() {
    let number = |scalar, bits| HintValue::Number(TypedScalar { scalar, bits });
    let check = |value| hinted(vec![("sm_90", vec![("occupancy", value)])], HintCheck::Warn);
    assert_eq!(check(number(Scalar::I32, 32)), [""; 0]);
    assert_eq!(check(number(Scalar::I8, 1)), [""; 0]);
    let range = "integer value in the range [1, 32] is expected for sm_90.occupancy";
    assert_eq!(check(number(Scalar::I8, 0xff)), [range]);
    assert_eq!(check(number(Scalar::I32, 33)), [range]);
    let kind = "integer value expected for sm_90.occupancy";
    let list = HintValue::Array(vec![HintValue::Int(1)]);
    for value in [number(Scalar::F32, 1), HintValue::Str("1".into()), list] {
        assert_eq!(check(value), [kind]);
    }
}

#[test]
fn empty_hints_are_no_fault() {
    assert_eq!(hinted(vec![], HintCheck::Refuse), [""; 0]);
    assert_eq!(hinted(vec![("sm_90", vec![])], HintCheck::Refuse), [""; 0]);
}

/// Returns the messages for an `atomic_red_view_tko` with the given attributes.
fn reduction(ordering: MemoryOrdering, scope: MemoryScope, mode: AtomicRmwMode) -> Vec<String> {
    let tensor = TensorViewType {
        element: Scalar::I32,
        shape: vec![None],
        strides: vec![Some(1)],
    };
    let view = PartitionViewType::new(&[4], tensor, None).intern();
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let (_, args) = builder.entry("k", &[view, Type::scalar(Scalar::I32)], LOC);
    let value = builder.splat(Scalar::I32, 1, &[4], LOC);
    builder
        .op(AtomicOp::AtomicRedViewTko, LOC)
        .operands("view", &args[..1])
        .operands("index", &args[1..])
        .operand("value", value)
        .attr("memory_ordering_semantics", Attr::MemoryOrdering(ordering))
        .attr("memory_scope", Attr::MemoryScope(scope))
        .attr("mode", Attr::RmwMode(mode))
        .result(Type::token())
        .finish();
    builder.terminate(ControlFlowOp::Return, &[], LOC);
    verified(module)
}

#[test]
fn rows_say_which_orderings_scopes_and_modes_are_legal() {
    use {AtomicRmwMode as Mode, MemoryOrdering as Ordering, MemoryScope as Scope};
    assert_eq!(
        reduction(Ordering::Relaxed, Scope::Device, Mode::Add),
        [""; 0]
    );
    assert_eq!(
        reduction(Ordering::Relaxed, Scope::TileBlock, Mode::UMin),
        [""; 0]
    );
    let expected = ["`sys` is not allowed here"];
    assert_eq!(
        reduction(Ordering::Relaxed, Scope::System, Mode::Add),
        expected
    );
    let expected = ["`acquire` is not allowed here"];
    assert_eq!(
        reduction(Ordering::Acquire, Scope::Device, Mode::Add),
        expected
    );
    let expected = ["`xchg` is not allowed here"];
    assert_eq!(
        reduction(Ordering::Relaxed, Scope::Device, Mode::Xchg),
        expected
    );
}

#[test]
fn numbers_do_not_go_below_zero() {
    let actual = errors(|builder, _, _| {
        builder
            .op(MemoryOp::Alloca, LOC)
            .attr("num_elem", Attr::Int(-1))
            .attr("alignment", Attr::Int(4))
            .result(Type::pointer(Scalar::F32))
            .finish();
    });
    assert_eq!(actual, ["expected `num_elem` not to be negative, found -1"]);
}
