//! Known differences between our verifier and `tileirdisasm` 13.4, with their reasons.

use crate::verdict::Fault;
use tile_core::Module;
use tile_core::ir::{Attr, OpId};
use tile_core::types::{FunctionType, Scalar, Type, TypeKind};

/// The verifier that refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refuses {
    Ours,
    Theirs,
}

/// A rule that only one of the two has.
pub(crate) struct Difference {
    /// The heading on the page.
    pub(crate) name: &'static str,
    pub(crate) refuses: Refuses,
    /// The operations at which the fault is reported; empty for any operation.
    ops: &'static [&'static str],
    /// A part of the message of the verifier that refuses.
    message: &'static str,
    /// A part of the rule that our verifier states; empty where `tileirdisasm` refuses.
    rule: &'static str,
    /// The statement of the specification.
    pub(crate) specification: &'static str,
    /// The reason for the difference.
    pub(crate) reason: &'static str,
    /// A module that demonstrates the difference.
    pub(crate) example: &'static str,
    /// A change to the example that text cannot express.
    pub(crate) change: fn(&mut Module),
}

impl Difference {
    /// Returns `true` if this difference explains `fault`, which only one of the two verifiers
    /// reports.
    pub(crate) fn explains(&self, refuses: Refuses, fault: &Fault) -> bool {
        self.refuses == refuses
            && (self.ops.is_empty() || self.ops.contains(&&*fault.op))
            && fault.message.contains(self.message)
            && fault.rule.contains(self.rule)
    }
}

fn as_written(_: &mut Module) {}

/// Returns the only operation in the module of the example.
fn first(module: &Module) -> OpId {
    module.symbols().next().expect("the example is not empty")
}

pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference {
        name: "`return` in a `loop`",
        refuses: Refuses::Ours,
        ops: &["return"],
        message: "inside `loop`",
        rule: "",
        specification: "13.3: `return` is directly in `entry` or `if`, with nothing but `if` \
            up to the entry; \"early returns from inside loops are not supported\".",
        reason: "Version 13.4 of the tools takes it in a `loop`, though not in a `for`. We follow \
            the specification: our lowering has no exit from inside a loop.",
        example: "entry @k() {\n  loop {\n    return\n  }\n}",
        change: as_written,
    },
    Difference {
        name: "What the body of `reduce` or `scan` may do",
        refuses: Refuses::Ours,
        ops: &[],
        message: "",
        rule: "only pure operations are allowed inside",
        specification: "13.3: only pure operations, which leaves out `divi`, the queries of \
            shapes, `make_tensor_view` and whatever has a region.",
        reason: "Version 13.4 of the tools asks only that there is no effect on memory.",
        example: "entry @k() {\n  %t = constant <i32: 1> : tile<8xi32>\n  %r = reduce %t dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>\n  (%a: tile<i32>, %b: tile<i32>) {\n    %q = divi %a, %b signed : tile<i32>\n    yield %q : tile<i32>\n  }\n}",
        change: as_written,
    },
    Difference {
        name: "The shape of what `reduce` and `scan` yield",
        refuses: Refuses::Ours,
        ops: &["yield"],
        message: "expected to yield",
        rule: "the body yields the new accumulators",
        specification: "The body yields a value per operand, of the operand's element type; the \
            accumulators are tiles of rank 0.",
        reason: "Their verifier compares element types and lets a tile of any rank pass. What is \
            yielded becomes the accumulator of the next step, so it has rank 0 like it.",
        example: "entry @k() {\n  %t = constant <i32: 1> : tile<8xi32>\n  %r = reduce %t dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>\n  (%a: tile<i32>, %b: tile<i32>) {\n    yield %t : tile<8xi32>\n  }\n}",
        change: as_written,
    },
    Difference {
        name: "A negative alignment of `global`",
        refuses: Refuses::Ours,
        ops: &["global"],
        message: "expected `alignment` not to be negative",
        rule: "counts from zero",
        specification: "`alignment` is an i64, 0 by default; no range is given.",
        reason: "An alignment counts bytes. A negative one means nothing to any later stage, so \
            it is refused where it is written.",
        example: "global @g alignment = 16 <i32: 0> : tile<8xi32> // -1 in the place of 16",
        change: |module| {
            let global = first(module);
            module
                .op_mut(global)
                .set_attr("alignment", Some(Attr::Int(-1)));
        },
    },
    Difference {
        name: "A bare `i4`",
        refuses: Refuses::Ours,
        ops: &[],
        message: "`i4` is allowed in tiles only",
        rule: "",
        specification: "`i4` is an element of tiles, and neither a number type of its own, nor \
            what is pointed to, nor what a tensor holds.",
        reason: "They check uses of `i4` for tiles, pointers and views, and let it pass \
            as the type of a parameter or a loop's result, which nothing can use.",
        example: "entry @k(%a: i8) { // i4 in the place of i8\n}",
        change: |module| {
            let entry = first(module);
            let i4 = Type::new(TypeKind::Scalar(Scalar::I4));
            let block = module.region_block(entry, 0).expect("a body");
            let parameter = module.block(block).args[0];
            module.value_mut(parameter).ty = i4;
            let signature = Type::new(TypeKind::Function(FunctionType {
                inputs: vec![i4],
                results: Vec::new(),
            }));
            let signature = Some(Attr::Type(signature));
            module.op_mut(entry).set_attr("function_type", signature);
        },
    },
    Difference {
        name: "Results of a query of several types",
        refuses: Refuses::Ours,
        ops: &["get_index_space_shape", "get_tensor_shape"],
        message: "expected results of",
        rule: "the results have one type",
        specification: "The assembly states one type for all results; the bytecode one for each.",
        reason: "A query whose results have several types has no text: `tileirdisasm` prints \
            the type of the first for all of them.",
        example: "entry @k(%v: tensor_view<8x8xf32, strides=[8,1]>) {\n  // %y of tile<i64>\n  %x, %y = get_tensor_shape %v : tensor_view<8x8xf32, strides=[8,1]> -> tile<i32>\n}",
        change: |module| {
            let entry = first(module);
            let block = module.region_block(entry, 0).expect("a body");
            let query = module.block(block).ops[0];
            let result = module.op(query).results[1];
            module.value_mut(result).ty = Type::scalar(Scalar::I64);
        },
    },
];
