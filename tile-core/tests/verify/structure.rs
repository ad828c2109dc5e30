//! Tests structural errors that text cannot express, and the treatment of operations of other
//! dialects.

use tile_core::build::Builder;
use tile_core::diag::Code;
use tile_core::ir::{Attr, BlockId, OpId, ValueDef, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, IntegerOp, TestingOp, UnregisteredOp};
use tile_core::types::{FunctionType, TypeKind};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Loc, Module, Scalar, Type, text};

const LOC: Loc = Loc::UNKNOWN;

/// Returns the messages for an entry `k(%n: tile<i32>)` with the body that `build` makes.
pub(super) fn errors(build: impl FnOnce(&mut Builder<'_>, OpId, ValueId)) -> Vec<String> {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    entry(&mut builder, "k", build);
    verified(module)
}

pub(super) fn entry(
    builder: &mut Builder<'_>,
    name: &str,
    build: impl FnOnce(&mut Builder<'_>, OpId, ValueId),
) {
    let (entry, args) = builder.entry(name, &[Type::scalar(Scalar::I32)], LOC);
    build(builder, entry, args[0]);
    if !builder.is_terminated() {
        builder.terminate(ControlFlowOp::Return, &[], LOC);
    }
}

pub(super) fn verified(module: Module) -> Vec<String> {
    let mut diagnostics = Diagnostics::new();
    let result = verify(module, &mut diagnostics);
    let actual = diagnostics.take();
    assert_eq!(result.is_ok(), actual.is_empty());
    actual.into_iter().map(|one| one.message).collect()
}

pub(super) fn add(builder: &mut Builder<'_>, n: ValueId) -> ValueId {
    builder.like_first(IntegerOp::AddI, &[n, n], LOC)
}

/// Makes an operation of another dialect with `count` results. `regions` has the number of blocks
/// of each region.
fn foreign(
    builder: &mut Builder<'_>,
    operands: &[ValueId],
    count: usize,
    regions: &[usize],
) -> (Vec<ValueId>, Vec<BlockId>) {
    let ty = Type::scalar(Scalar::I32);
    let op = builder
        .op(UnregisteredOp::Op, LOC)
        .operands("operands", operands)
        .attr("name", Attr::Str("other.op".into()))
        .results(&vec![ty; count])
        .finish();
    let module = builder.module();
    let mut blocks = Vec::new();
    for &count in regions {
        let region = module.add_region(op);
        blocks.extend((0..count).map(|_| module.add_block(region)));
    }
    (module.op(op).results.to_vec(), blocks)
}

fn inside<T>(
    builder: &mut Builder<'_>,
    block: BlockId,
    build: impl FnOnce(&mut Builder<'_>) -> T,
) -> T {
    let outer = builder.set_block(block);
    let built = build(builder);
    builder.set_block(outer);
    built
}

fn function(builder: &mut Builder<'_>, name: &str) -> BlockId {
    let signature = TypeKind::Function(FunctionType {
        inputs: Vec::new(),
        results: Vec::new(),
    });
    let op = builder
        .op(TestingOp::Func, LOC)
        .attr("sym_name", Attr::Str(name.into()))
        .attr("function_type", Attr::Type(Type::new(signature)))
        .finish();
    builder.add_region_block(op)
}

// Operations of other dialects.

#[test]
fn operations_of_other_dialects_may_be_anywhere_and_have_any_regions() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let (values, blocks) = foreign(&mut builder, &[], 2, &[0, 1, 3]);
    foreign(&mut builder, &values, 0, &[]);
    for block in blocks {
        inside(&mut builder, block, |builder| {
            foreign(builder, &values, 1, &[])
        });
    }
    entry(&mut builder, "k", |builder, _, n| {
        let (_, blocks) = foreign(builder, &[n, n], 1, &[2]);
        for block in blocks {
            let arg = builder.module().add_block_arg(block, Type::token(), LOC);
            inside(builder, block, |builder| {
                add(builder, n);
                foreign(builder, &[arg], 1, &[]);
            });
        }
    });
    assert_eq!(verified(module), [""; 0]);
}

#[test]
fn they_do_not_end_a_block() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let block = function(&mut builder, "f");
    inside(&mut builder, block, |builder| foreign(builder, &[], 0, &[]));
    let expected = ["a block of `testing$func` does not end in a terminator"];
    assert_eq!(verified(module), expected);
}

#[test]
fn a_terminator_in_one_of_them_leads_nowhere() {
    let actual = errors(|builder, _, n| {
        let op = builder
            .op(ControlFlowOp::For, LOC)
            .args(&[n, n, n])
            .finish();
        let body = builder.add_region_block(op);
        let ty = builder.ty(n);
        builder.module().add_block_arg(body, ty, LOC);
        inside(builder, body, |builder| {
            let (_, blocks) = foreign(builder, &[], 0, &[1]);
            inside(builder, blocks[0], |builder| {
                let condition = builder.splat(Scalar::I1, 1, &[], LOC);
                let branch = builder
                    .op(ControlFlowOp::If, LOC)
                    .args(&[condition])
                    .finish();
                let block = builder.add_region_block(branch);
                builder.module().add_region(branch);
                inside(builder, block, |builder| {
                    builder.terminate(ControlFlowOp::Continue, &[], LOC);
                });
                builder.terminate(ControlFlowOp::Continue, &[], LOC);
            });
            builder.terminate(ControlFlowOp::Continue, &[], LOC);
        });
    });
    let expected = [
        "`continue` inside `other.op`",
        "`continue` is inside `other.op`",
    ];
    assert_eq!(actual, expected);
}

#[test]
fn in_their_regions_and_in_the_module_order_does_not_matter() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    // Use values in the body of the module, directly and from a region.
    let (_, blocks) = foreign(&mut builder, &[], 1, &[1]);
    let (late, _) = foreign(&mut builder, &[], 1, &[]);
    inside(&mut builder, blocks[0], |builder| {
        foreign(builder, &late, 0, &[])
    });
    let first = builder.module().symbols().next().expect("the first");
    let op = builder.module().op_mut(first);
    op.operands.push(late[0]);
    op.segments[0] = 1;
    entry(&mut builder, "k", |builder, _, n| {
        let (_, blocks) = foreign(builder, &[], 0, &[2]);
        let value = inside(builder, blocks[1], |builder| add(builder, n));
        // Use values from another block, and before their definition.
        inside(builder, blocks[0], |builder| {
            let early = add(builder, value);
            let op = builder.module().defining_op(early).expect("an operation");
            let late = add(builder, n);
            builder.module().op_mut(op).operands[1] = late;
        });
    });
    assert_eq!(verified(module), [""; 0]);
}

#[test]
fn what_their_regions_define_is_not_visible_outside() {
    let actual = errors(|builder, _, n| {
        let (_, blocks) = foreign(builder, &[], 0, &[1, 1]);
        let value = inside(builder, blocks[0], |builder| add(builder, n));
        inside(builder, blocks[1], |builder| add(builder, value));
        add(builder, value);
    });
    let message = "an operand is defined in a region that does not enclose this operation";
    assert_eq!(actual, [message, message]);
}

#[test]
fn functions_and_entries_see_nothing_of_the_module() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let (values, _) = foreign(&mut builder, &[], 1, &[]);
    let block = function(&mut builder, "f");
    inside(&mut builder, block, |builder| {
        let (_, blocks) = foreign(builder, &values, 0, &[1]);
        inside(builder, blocks[0], |builder| {
            foreign(builder, &values, 0, &[])
        });
        builder.terminate(ControlFlowOp::Return, &[], LOC);
    });
    entry(&mut builder, "k", |builder, _, _| {
        foreign(builder, &values, 0, &[]);
    });
    // After an isolated operation, the outer scope must be visible again.
    builder.set_block(block);
    let body = builder.module().body();
    builder.set_block(body);
    foreign(&mut builder, &values, 0, &[]);
    let function = "an operand is defined outside of the function";
    let entry = "an operand is defined outside of the entry";
    assert_eq!(verified(module), [function, function, entry]);
}

// Placement.

#[test]
fn modules_do_not_nest() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let inner = builder
        .op(CoreOp::Module, LOC)
        .attr("sym_name", Attr::Str("k".into()))
        .finish();
    let block = builder.add_region_block(inner);
    inside(&mut builder, block, lost);
    entry(&mut builder, "k", |builder, _, _| {
        builder
            .op(CoreOp::Module, LOC)
            .attr("sym_name", Attr::Str("l".into()))
            .finish();
    });
    let message = "`module` is nested inside `module`";
    let expected = [
        message,
        "two symbols are named `k`",
        message,
        "expected 1 regions, found 0",
    ];
    assert_eq!(verified(module), expected);
}

fn lost(builder: &mut Builder<'_>) {
    builder.terminate(ControlFlowOp::Continue, &[], LOC);
}

#[test]
fn entries_globals_and_functions_stand_in_the_module_even_if_a_foreign_operation_is_around() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let (_, blocks) = foreign(&mut builder, &[], 0, &[1]);
    inside(&mut builder, blocks[0], |builder| {
        let block = function(builder, "f");
        inside(builder, block, |builder| {
            builder.terminate(ControlFlowOp::Return, &[], LOC);
        });
    });
    // The symbol table of the module has only this function under the name.
    let block = function(&mut builder, "f");
    inside(&mut builder, block, |builder| {
        builder.terminate(ControlFlowOp::Return, &[], LOC);
    });
    assert_eq!(verified(module), ["`testing$func` is inside `other.op`"]);
}

#[test]
fn regions_nest_128_deep() {
    let nest = |count: usize| {
        errors(|builder, _, _| {
            let condition = builder.splat(Scalar::I1, 1, &[], LOC);
            let outermost = builder.block();
            for _ in 0..count {
                let branch = builder
                    .op(ControlFlowOp::If, LOC)
                    .args(&[condition])
                    .finish();
                let block = builder.add_region_block(branch);
                builder.module().add_region(branch);
                let outer = builder.set_block(block);
                if outer != outermost {
                    inside(builder, outer, |builder| {
                        builder.terminate(ControlFlowOp::Yield, &[], LOC);
                    });
                }
            }
            builder.terminate(ControlFlowOp::Yield, &[], LOC);
            builder.set_block(outermost);
        })
    };
    // The entry itself is one level.
    assert_eq!(nest(127), [""; 0]);
    assert_eq!(nest(128), ["`if` nests too deep"; 2]);
    let foreign_too = errors(|builder, _, n| {
        for _ in 0..128 {
            let (_, blocks) = foreign(builder, &[n], 0, &[1]);
            builder.set_block(blocks[0]);
        }
    });
    assert!(foreign_too.contains(&"`other.op` nests too deep".to_owned()));
}

#[test]
fn an_empty_block_of_a_loop_lacks_its_terminator() {
    let actual = errors(|builder, _, _| {
        let op = builder.op(ControlFlowOp::Loop, LOC).finish();
        builder.add_region_block(op);
    });
    assert_eq!(actual, ["a block of `loop` does not end in a terminator"]);
}

#[test]
fn the_regions_of_an_operation_that_has_none_need_no_terminator() {
    let actual = errors(|builder, _, n| {
        let value = add(builder, n);
        let op = builder.module().defining_op(value).expect("an operation");
        let block = builder.add_region_block(op);
        inside(builder, block, |builder| add(builder, n));
    });
    assert_eq!(actual, ["expected 0 regions, found 1"]);
}

#[test]
fn the_else_of_a_branch_may_be_empty_and_no_other_region() {
    let actual = errors(|builder, _, n| {
        let ty = builder.ty(n);
        let op = builder
            .op(ControlFlowOp::For, LOC)
            .args(&[n, n, n])
            .result(ty)
            .finish();
        builder.module().add_region(op);
        let op = builder.op(ControlFlowOp::Loop, LOC).finish();
        builder.add_region_block(op);
        let region = builder.module().op(op).regions[0];
        let block = builder.module().add_block(region);
        inside(builder, block, |builder| {
            builder.terminate(ControlFlowOp::Break, &[], LOC);
        });
    });
    let expected = [
        "expected one block in region 0, found 0",
        "expected results (), found (tile<i32>)",
        "expected one block in region 0, found 2",
        "a block of `loop` does not end in a terminator",
    ];
    assert_eq!(actual, expected);
}

#[test]
fn faults_stand_in_the_order_of_the_operations() {
    let actual = errors(|builder, _, n| {
        let wide = builder.splat(Scalar::I64, 1, &[], LOC);
        // A rule of the row, a type, an attribute, dominance, structure.
        builder.like_first(IntegerOp::AddI, &[n, wide], LOC);
        let odd = Type::tile(Scalar::I32, &[3]);
        builder.op(CoreOp::Iota, LOC).result(odd).finish();
        let value = add(builder, n);
        let op = builder.module().defining_op(value).expect("an operation");
        builder.module().op_mut(op).set_attr("overflow", None);
        let value = add(builder, n);
        let op = builder.module().defining_op(value).expect("an operation");
        builder.module().op_mut(op).operands[0] = value;
        builder.terminate(ControlFlowOp::Yield, &[], LOC);
    });
    let expected = [
        "expected `rhs` of type `tile<i32>`, found `tile<i64>`",
        "all dimensions must be powers of two, got 3",
        "attribute `overflow` is missing",
        "an operand is used before it is defined",
        "`yield` is inside `entry`",
    ];
    assert_eq!(actual, expected);
}

#[test]
fn what_a_group_says_of_an_operation_stands_before_what_is_inside() {
    let actual = errors(|builder, _, n| {
        let condition = builder.splat(Scalar::I1, 1, &[], LOC);
        let ty = builder.ty(n);
        let branch = builder
            .op(ControlFlowOp::If, LOC)
            .args(&[condition])
            .result(ty)
            .finish();
        let block = builder.add_region_block(branch);
        builder.module().add_region(branch);
        inside(builder, block, |builder| {
            builder.terminate(ControlFlowOp::Yield, &[], LOC);
        });
    });
    let expected = [
        "an `if` with results has no `else`",
        "expected operands (tile<i32>), found ()",
    ];
    assert_eq!(actual, expected);
}

/// Returns the lines of the errors of a text, in the order in which they are reported.
fn lines(source: &str) -> Vec<u32> {
    let mut diagnostics = Diagnostics::new();
    let module = text::parse(source, "input", &mut diagnostics).expect("the text parses");
    verify(module, &mut diagnostics).expect_err("faults");
    let result = diagnostics.take();
    result.iter().map(|one| one.primary.loc.line()).collect()
}

#[test]
fn faults_of_text_stand_in_the_order_of_their_places() {
    // `reduce` reports the second error, after the errors nested in it.
    let source = "\
entry @k(%t: tile<i32>, %v: tile<4xi32>) {
  %a = iota : tile<4xi32>
  %r = reduce %a dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%x: tile<i32>, %y: tile<i32>) {
    %z = addi %late, %x : tile<i32>
    %late = divi %x, %y signed : tile<i32>
    %w = addi %x, %gone : tile<i32>
    %gone = addi %x, %y : tile<i32>
    yield %z : tile<i32>
  }
  return
}
";
    assert_eq!(lines(source), [1, 4, 5, 6]);
}

#[test]
fn places_of_several_files_have_no_order() {
    let places = [
        (Loc::file("b", 5, 1), LOC),
        (LOC, Loc::file("b", 5, 1)),
        (Loc::file("b", 5, 1), Loc::file("a", 1, 1)),
    ];
    for (first, second) in places {
        let mut module = Module::new("m");
        let mut builder = Builder::new(&mut module);
        entry(&mut builder, "k", |builder, _, n| {
            for loc in [first, second] {
                builder
                    .op(ControlFlowOp::Assert, loc)
                    .operands("condition", &[n])
                    .attr("message", Attr::Str("".into()))
                    .finish();
            }
        });
        let mut diagnostics = Diagnostics::new();
        verify(module, &mut diagnostics).expect_err("faults");
        let actual = diagnostics.take();
        let actual: Vec<Loc> = actual.iter().map(|one| one.primary.loc).collect();
        assert_eq!(actual, [first, second]);
    }
}

#[test]
fn a_ranked_parameter_of_a_faulty_type_is_one_fault() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    builder.entry("k", &[Type::tile(Scalar::I32, &[3])], LOC);
    builder.terminate(ControlFlowOp::Return, &[], LOC);
    let expected = ["all dimensions must be powers of two, got 3"];
    assert_eq!(verified(module), expected);
}

// Values and regions with inconsistent owners.

#[test]
fn regions_of_another_module_are_refused() {
    let mut other = Module::new("o");
    let mut builder = Builder::new(&mut other);
    let (_, _) = foreign(&mut builder, &[], 0, &[1; 9]);
    let op = other.symbols().next().expect("an operation");
    let stolen = other.op(op).regions[8];
    let actual = errors(|builder, _, _| {
        let op = builder.op(ControlFlowOp::Loop, LOC).finish();
        builder.module().op_mut(op).regions.push(stolen);
    });
    let expected = [
        "expected regions of this module, found one of another",
        "a region of `loop` belongs somewhere else too",
    ];
    assert_eq!(actual, expected);
}

#[test]
fn arguments_know_their_block() {
    for def in [0, 1, 2] {
        let actual = errors(|builder, entry, n| {
            let value = add(builder, n);
            let op = builder.module().defining_op(value).expect("an operation");
            let block = builder.module().region_block(entry, 0).expect("a block");
            let body = builder.module().body();
            builder.module().value_mut(n).def = match def {
                0 => ValueDef::Result(op, 0),
                1 => ValueDef::Argument(block, 1),
                _ => ValueDef::Argument(body, 0),
            };
        });
        let message = "an argument of a block of `entry` says that it is something else";
        assert_eq!(actual, [message]);
    }
}

#[test]
fn results_that_were_taken_away_are_defined_nowhere() {
    let actual = errors(|builder, _, n| {
        let (values, _) = foreign(builder, &[], 2, &[]);
        let op = builder
            .module()
            .defining_op(values[1])
            .expect("an operation");
        builder.module().op_mut(op).results.pop();
        foreign(builder, &[values[0], values[1], n, values[1]], 0, &[]);
    });
    let message = "an operand is not among the values of what it says defines it";
    assert_eq!(actual, [message]);
}

#[test]
fn results_of_operations_that_are_not_there_are_defined_nowhere() {
    let mut other = Module::new("o");
    let mut builder = Builder::new(&mut other);
    let mut last = None;
    for _ in 0..99 {
        last = foreign(&mut builder, &[], 1, &[]).0.pop();
    }
    let def = other.value(last.expect("a value")).def;
    let actual = errors(|builder, _, n| {
        let value = add(builder, n);
        builder.module().value_mut(value).def = def;
        add(builder, value);
    });
    let expected = [
        "expected results of its own, found those of another operation",
        "an operand is defined by an operation that is in no block",
    ];
    assert_eq!(actual, expected);
}

#[test]
fn a_jump_to_a_broken_operation_is_not_a_second_fault() {
    let mut other = Module::new("o");
    let mut builder = Builder::new(&mut other);
    let (stolen, _) = foreign(&mut builder, &[], 99, &[]);
    for opcode in [ControlFlowOp::Loop, ControlFlowOp::If] {
        let actual = errors(|builder, _, n| {
            let condition = builder.splat(Scalar::I1, 1, &[], LOC);
            let op = match opcode {
                ControlFlowOp::If => builder.op(opcode, LOC).args(&[condition]).finish(),
                _ => builder.op(opcode, LOC).finish(),
            };
            let block = builder.add_region_block(op);
            inside(builder, block, |builder| {
                let end = match opcode {
                    ControlFlowOp::If => ControlFlowOp::Yield,
                    _ => ControlFlowOp::Break,
                };
                builder.terminate(end, &[n], LOC);
            });
            if opcode == ControlFlowOp::If {
                builder.module().add_region(op);
            }
            builder.module().op_mut(op).results.push(stolen[98]);
        });
        let message = "expected results of its own, found those of another operation";
        assert_eq!(actual, [message]);
    }
}

// Messages of errors.

#[test]
fn long_lists_of_types_are_cut_short() {
    let actual = errors(|builder, _, n| {
        let op = builder.op(ControlFlowOp::Loop, LOC).finish();
        let block = builder.add_region_block(op);
        inside(builder, block, |builder| {
            builder.terminate(ControlFlowOp::Break, &[n; 1000], LOC);
        });
    });
    let [message] = actual.as_slice() else {
        panic!("{actual:?}");
    };
    assert!(message.starts_with("expected operands (), found (tile<i32>, "));
    assert!(message.ends_with(" tile<i32>, and 936 more)"), "{message}");
    let exactly = errors(|builder, _, n| {
        let op = builder.op(ControlFlowOp::Loop, LOC).finish();
        let block = builder.add_region_block(op);
        inside(builder, block, |builder| {
            builder.terminate(ControlFlowOp::Break, &[n; 64], LOC);
        });
    });
    assert!(exactly[0].ends_with(" tile<i32>)"), "{exactly:?}");
}

#[test]
fn codes_say_what_kind_of_fault_it_is() {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    entry(&mut builder, "k", |builder, _, n| {
        builder.terminate(ControlFlowOp::Yield, &[n], LOC);
    });
    builder.entry("k", &[], LOC);
    builder.terminate(ControlFlowOp::Return, &[], LOC);
    let mut diagnostics = Diagnostics::new();
    verify(module, &mut diagnostics).expect_err("faults");
    let codes: Vec<Code> = diagnostics.take().iter().map(|one| one.code).collect();
    assert_eq!(codes, [Code::VerifyStructure; 2]);
}
