//! Where our verifier and `tileirdisasm` 13.4 disagree, and why.

use crate::verdict::Fault;

/// Who refuses.
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
    /// The operations at which it is reported; any if empty.
    ops: &'static [&'static str],
    /// A part of the message of the one that refuses.
    message: &'static str,
    /// A part of the rule that we state; empty where they refuse.
    rule: &'static str,
    /// What the specification says.
    pub(crate) specification: &'static str,
    /// Why we differ.
    pub(crate) reason: &'static str,
    /// The difference as text.
    pub(crate) example: &'static str,
}

impl Difference {
    /// Whether a fault that only one of the two reports is this one.
    pub(crate) fn explains(&self, refuses: Refuses, fault: &Fault) -> bool {
        self.refuses == refuses
            && (self.ops.is_empty() || self.ops.contains(&&*fault.op))
            && fault.message.contains(self.message)
            && fault.rule.contains(self.rule)
    }
}

pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference {
        name: "`return` in a `loop`",
        refuses: Refuses::Ours,
        ops: &["return"],
        message: "inside `loop`",
        rule: "",
        specification: "13.3: `return` stands directly in `entry` or `if`, with nothing but `if` \
            up to the entry; \"early returns from inside loops are not supported\".",
        reason: "Version 13.4 of the tools takes it in a `loop`, though not in a `for`. We follow \
            the specification: our lowering has no exit from inside a loop.",
        example: "loop {\n  return\n}",
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
        example: "%r = reduce %t dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>\n\
            (%a: tile<i32>, %b: tile<i32>) {\n  %q = divi %a, %b signed : tile<i32>\n  \
            yield %q : tile<i32>\n}",
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
        example: "%r = reduce %t dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>\n\
            (%a: tile<i32>, %b: tile<i32>) {\n  yield %t : tile<8xi32>\n}",
    },
    Difference {
        name: "Rounding of `ftof`",
        refuses: Refuses::Ours,
        ops: &["ftof"],
        message: "in a conversion to",
        rule: "needs `rounding<nearest_even>`",
        specification: "13.3: `zero` and `positive_inf` to f8E8M0FNU, `nearest_even` to every \
            other type.",
        reason: "Version 13.4 of the tools takes the other modes for some pairs of types.",
        example: "%b = ftof %a rounding<zero> : tile<8xf64> -> tile<8xf32>",
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
        example: "global @g alignment = -1 <i32: 0> : tile<8xi32>",
    },
];
