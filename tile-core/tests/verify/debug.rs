//! Tests scopes of locations. Text and bytecode cannot express malformed ones, but the arena can.

use tile_core::build::Builder;
use tile_core::diag::Code;
use tile_core::ir::{Attr, DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, FilePosition, OpId};
use tile_core::ops::{ControlFlowOp, CoreOp, TestingOp};
use tile_core::types::{FunctionType, TypeKind};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Loc, Module, Scalar, Type};

const LOC: Loc = Loc::UNKNOWN;

fn file() -> DebugAttr {
    DebugAttr::new(DebugAttrKind::File {
        name: "k.py".into(),
        directory: "/".into(),
    })
}

fn unit() -> DebugAttr {
    DebugAttr::new(DebugAttrKind::CompileUnit { file: file() })
}

fn subprogram(linkage_name: &str) -> DebugAttr {
    DebugAttr::new(DebugAttrKind::Subprogram {
        file: file(),
        line: 1,
        name: "f".into(),
        linkage_name: linkage_name.into(),
        compile_unit: unit(),
        scope_line: None,
    })
}

fn lexical_block(scope: DebugAttr) -> DebugAttr {
    DebugAttr::new(DebugAttrKind::LexicalBlock {
        scope,
        file: file(),
        line: 2,
        column: None,
    })
}

fn position() -> FilePosition {
    FilePosition {
        file: "k.py".into(),
        line: 3,
        column: 4,
    }
}

fn plain() -> DebugLoc {
    DebugLoc::new(DebugLocKind::File(position()))
}

fn scoped(scope: DebugAttr) -> DebugLoc {
    let position = position();
    DebugLoc::new(DebugLocKind::Scoped { position, scope })
}

fn call(callee: DebugLoc, caller: DebugLoc) -> DebugLoc {
    DebugLoc::new(DebugLocKind::CallSite { callee, caller })
}

fn named(child: DebugLoc) -> DebugLoc {
    let name = "n".into();
    DebugLoc::new(DebugLocKind::Name { name, child })
}

fn fused(locations: &[DebugLoc]) -> DebugLoc {
    DebugLoc::new(DebugLocKind::Fused {
        metadata: None,
        locations: locations.to_vec(),
    })
}

fn at(loc: DebugLoc) -> Loc {
    LOC.with_debug(Some(loc))
}

fn verified(module: Module) -> Vec<String> {
    let mut diagnostics = Diagnostics::new();
    let result = verify(module, &mut diagnostics);
    let actual = diagnostics.take();
    assert_eq!(result.is_ok(), actual.is_empty());
    assert!(
        actual.iter().all(|one| one.code == Code::VerifyAttributes),
        "{actual:?}"
    );
    actual.into_iter().map(|one| one.message).collect()
}

/// Returns the errors of an entry `k` with the location `function`, which contains a constant with
/// the location `inner` in an `if`.
fn errors(function: Option<DebugLoc>, inner: Option<DebugLoc>) -> Vec<String> {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    builder.entry("k", &[], LOC.with_debug(function));
    body(&mut builder, LOC.with_debug(inner));
    verified(module)
}

fn body(builder: &mut Builder<'_>, loc: Loc) -> OpId {
    let condition = builder.splat(Scalar::I1, 1, &[], LOC);
    let branch = builder
        .op(ControlFlowOp::If, LOC)
        .args(&[condition])
        .finish();
    let block = builder.add_region_block(branch);
    builder.module().add_region(branch);
    let outer = builder.set_block(block);
    let constant = builder.splat(Scalar::I32, 1, &[], loc);
    builder.terminate(ControlFlowOp::Yield, &[], LOC);
    builder.set_block(outer);
    builder.terminate(ControlFlowOp::Return, &[], LOC);
    builder.module().defining_op(constant).expect("a constant")
}

#[track_caller]
fn only(actual: &[String], message: &str) {
    assert_eq!(actual, [message]);
}

#[test]
fn locations_without_scopes_are_free() {
    assert_eq!(errors(None, None), [""; 0]);
    assert_eq!(errors(Some(plain()), Some(plain())), [""; 0]);
    assert_eq!(errors(None, Some(call(plain(), plain()))), [""; 0]);
    let unknown = DebugLoc::new(DebugLocKind::Unknown);
    assert_eq!(
        errors(Some(unknown), Some(fused(&[unknown, plain()]))),
        [""; 0]
    );
}

#[test]
fn a_scope_in_the_subprogram_of_the_function_is_right() {
    let program = subprogram("k");
    let deep = lexical_block(lexical_block(program));
    for inner in [plain(), scoped(program), scoped(deep)] {
        assert_eq!(errors(Some(scoped(program)), Some(inner)), [""; 0]);
    }
}

#[test]
fn the_scope_of_a_function_is_its_subprogram_itself() {
    let block = lexical_block(subprogram("k"));
    only(
        &errors(Some(scoped(block)), Some(scoped(block))),
        "expected the scope of `k` to be a subprogram, found a lexical block",
    );
}

#[test]
fn the_linkage_name_is_the_symbol() {
    only(
        &errors(Some(scoped(subprogram("l"))), None),
        "expected the linkage name `k`, found `l`",
    );
}

#[test]
fn a_scope_needs_one_of_the_function_which_is_said_once() {
    let message = "the location of `constant` has a scope, that of `k` has none";
    let inner = scoped(subprogram("k"));
    only(&errors(None, Some(inner)), message);
    only(&errors(Some(plain()), Some(inner)), message);

    let mut module = Module::new("m");
    for name in ["k", "l"] {
        let mut builder = Builder::new(&mut module);
        builder.entry(name, &[], LOC);
        builder.splat(Scalar::I32, 1, &[], at(inner));
        body(&mut builder, at(inner));
    }
    let other = "the location of `constant` has a scope, that of `l` has none";
    assert_eq!(verified(module), [message, other]);
}

#[test]
fn a_scope_is_in_the_subprogram_of_the_function() {
    let function = Some(scoped(subprogram("k")));
    let message = "expected a scope in the subprogram of `k`, found `f`";
    only(&errors(function, Some(scoped(subprogram("l")))), message);
    let inner = lexical_block(subprogram("l"));
    only(&errors(function, Some(scoped(inner))), message);
    // Each operation is in error on its own.
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    builder.entry("k", &[], LOC.with_debug(function));
    builder.splat(Scalar::I32, 1, &[], at(scoped(inner)));
    body(&mut builder, at(scoped(inner)));
    assert_eq!(verified(module), [message, message]);
}

#[test]
fn the_scope_of_a_location_is_that_of_its_outermost_part() {
    let (right, wrong) = (scoped(subprogram("k")), scoped(subprogram("l")));
    let function = Some(right);
    let message = "expected a scope in the subprogram of `k`, found `f`";
    assert_eq!(errors(function, Some(call(wrong, right))), [""; 0]);
    only(&errors(function, Some(call(right, wrong))), message);
    assert_eq!(errors(function, Some(call(wrong, plain()))), [""; 0]);
    only(&errors(function, Some(named(wrong))), message);
    assert_eq!(
        errors(function, Some(fused(&[plain(), right, wrong]))),
        [""; 0]
    );
    only(
        &errors(function, Some(fused(&[plain(), wrong, right]))),
        message,
    );
    only(
        &errors(function, Some(fused(&[fused(&[plain()]), named(wrong)]))),
        message,
    );
    // This also holds for a function.
    assert_eq!(errors(Some(named(right)), Some(right)), [""; 0]);
    assert_eq!(errors(Some(fused(&[plain(), right])), Some(right)), [""; 0]);
}

#[test]
fn a_function_is_at_no_call_site() {
    let right = scoped(subprogram("k"));
    let message = "the location of `k` is a call site";
    only(&errors(Some(call(plain(), plain())), None), message);
    only(&errors(Some(call(right, right)), Some(right)), message);
}

#[test]
fn globals_have_no_scope() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let ty = Type::tile(Scalar::I32, &[1]);
    let value = tile_core::ir::DenseElements::from_bits(Scalar::I32, vec![1]);
    for (name, loc) in [("g", plain()), ("h", scoped(subprogram("h")))] {
        builder
            .op(CoreOp::Global, at(loc))
            .attr("sym_name", Attr::Str(name.into()))
            .attr("value_type", Attr::Type(ty))
            .attr("value", Attr::Dense(value.clone().into()))
            .finish();
    }
    only(&verified(module), "the location of `global` has a scope");
}

#[test]
fn functions_of_tests_are_functions() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let signature = TypeKind::Function(FunctionType {
        inputs: Vec::new(),
        results: Vec::new(),
    });
    let function = builder
        .op(TestingOp::Func, at(scoped(subprogram("l"))))
        .attr("sym_name", Attr::Str("k".into()))
        .attr("function_type", Attr::Type(Type::new(signature)))
        .finish();
    let block = builder.add_region_block(function);
    builder.set_block(block);
    body(&mut builder, at(scoped(subprogram("k"))));
    let expected = [
        "expected the linkage name `k`, found `l`",
        "expected a scope in the subprogram of `k`, found `f`",
    ];
    assert_eq!(verified(module), expected);
}

#[test]
fn attributes_are_of_the_kinds_that_they_should_be() {
    let (file, unit, program) = (file(), unit(), subprogram("k"));
    let in_file = |file| {
        DebugAttr::new(DebugAttrKind::LexicalBlock {
            scope: program,
            file,
            line: 1,
            column: Some(1),
        })
    };
    let with = |file, compile_unit| {
        DebugAttr::new(DebugAttrKind::Subprogram {
            file,
            line: 1,
            name: "f".into(),
            linkage_name: "k".into(),
            compile_unit,
            scope_line: Some(2),
        })
    };
    let odd_unit = DebugAttr::new(DebugAttrKind::CompileUnit { file: program });
    let scope = "expected a subprogram or lexical block, found a";
    for (attr, message) in [
        (file, format!("{scope} file")),
        (unit, format!("{scope} compile unit")),
        (lexical_block(lexical_block(file)), format!("{scope} file")),
        (
            in_file(unit),
            "expected a file, found a compile unit".to_owned(),
        ),
        (
            lexical_block(in_file(program)),
            "expected a file, found a subprogram".to_owned(),
        ),
        (
            with(unit, unit),
            "expected a file, found a compile unit".to_owned(),
        ),
        (
            with(file, file),
            "expected a compile unit, found a file".to_owned(),
        ),
        (
            with(file, in_file(file)),
            "expected a compile unit, found a lexical block".to_owned(),
        ),
        (
            with(file, odd_unit),
            "expected a file, found a subprogram".to_owned(),
        ),
    ] {
        let loc = scoped(attr);
        only(&errors(Some(loc), None), &message);
        only(&errors(Some(scoped(program)), Some(loc)), &message);
        // A scope is checked in any position of a location.
        for loc in [
            call(loc, plain()),
            named(loc),
            fused(&[scoped(program), loc]),
        ] {
            only(&errors(Some(scoped(program)), Some(loc)), &message);
        }
    }
}

#[test]
fn shared_and_deep_locations_are_checked_once() {
    // Without sharing, these would be 2^64 and 2^17 locations.
    let mut shared = plain();
    for _ in 0..64 {
        shared = fused(&[shared, shared]);
    }
    let mut deep = plain();
    for _ in 0..100_000 {
        deep = call(plain(), named(deep));
    }
    let mut blocks = subprogram("k");
    for _ in 0..100_000 {
        blocks = lexical_block(blocks);
    }
    let function = Some(scoped(subprogram("k")));
    for loc in [shared, deep, scoped(blocks)] {
        assert_eq!(errors(function, Some(loc)), [""; 0]);
    }
}
