//! Tests jumps, assertions and printing in hand-built kernels.

use std::sync::Arc;

use tile_core::Scalar;
use tile_core::interp::Prints;
use tile_core::ir::{Attr, ComparisonPredicate, Signedness};
use tile_core::ops::IntegerOp;

use super::kernels::{Build, element};
use super::{ARCHS, count, ptx, resources};
use crate::gpu::{
    Access, BlockId, Dependents, Kernel, OpKind, Piece, Printed, Ty, ValueId, from_text, to_text,
};
use crate::layout::{Axis, InDim, LinearLayout, OutShape};
use crate::target::Arch;

const I32: Ty = Ty::Uniform(Scalar::I32);

impl Build {
    fn inside(&mut self, block: BlockId, fill: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.block, block);
        fill(self);
        self.block = outer;
    }

    /// Builds `if condition { fill }`, without results.
    fn only_if(&mut self, condition: ValueId, fill: impl FnOnce(&mut Self)) {
        let block = self.kernel.add_block();
        self.inside(block, fill);
        self.op(OpKind::If, &[condition], &[], &[block]);
    }

    fn compare(&mut self, predicate: ComparisonPredicate, lhs: ValueId, rhs: ValueId) -> ValueId {
        let attrs = [
            ("comparison_predicate", Attr::Predicate(predicate)),
            ("signedness", Attr::Signedness(Signedness::Signed)),
        ];
        let op = element(IntegerOp::CmpI, &attrs);
        self.compute(op, &[lhs, rhs], Ty::Uniform(Scalar::I1))
    }

    fn add(&mut self, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.compute(element(IntegerOp::AddI, &[]), &[lhs, rhs], I32)
    }
}

/// Builds a kernel that stores the sum of the odd numbers below `end`, or nothing if one of them is `never`.
/// An iteration of its loop can end in three ways: by a `continue` in a branch, by a `continue` at its end,
/// and by a `break`.
fn odd_numbers(end: u64, never: u64) -> Kernel {
    let mut build = Build::new("odd_numbers", 1);
    let out = build.pointer(Scalar::I32, Access::Write);
    let [zero, one, end, never] = [0, 1, end, never].map(|n| build.constant(Scalar::I32, n));
    let body = build.kernel.add_block();
    let induction = build.kernel.add_block_arg(body, I32, super::kernels::LOC);
    let sum = build.kernel.add_block_arg(body, I32, super::kernels::LOC);
    build.inside(body, |build| {
        let is_over = build.compare(ComparisonPredicate::GreaterThanOrEqual, induction, end);
        build.only_if(is_over, |build| build.run(OpKind::Break, &[sum]));
        let next = build.add(induction, one);
        let and = element(tile_core::ops::BitwiseOp::AndI, &[]);
        let bit = build.compute(and, &[induction, one], I32);
        let is_even = build.compare(ComparisonPredicate::Equal, bit, zero);
        build.only_if(is_even, |build| {
            build.run(OpKind::Continue, &[next, sum]);
        });
        let is_never = build.compare(ComparisonPredicate::Equal, induction, never);
        build.only_if(is_never, |build| build.run(OpKind::Return, &[]));
        let sum = build.add(sum, induction);
        build.run(OpKind::Continue, &[next, sum]);
    });
    let total = build.op(OpKind::Loop, &[zero, zero], &[I32], &[body])[0];
    build.store_number(0, out, total);
    build.finish()
}

#[test]
fn loops_go_on_and_end_where_their_jumps_say() {
    const UNTOUCHED: u32 = 77;
    let stored = |end, never| {
        let ptx = ptx(&odd_numbers(end, never), ARCHS[0]);
        let module = tile_sim::Module::parse(ptx.text()).expect("it is PTX");
        let mut memory = tile_sim::Memory::new();
        let out = memory.alloc_with(&UNTOUCHED.to_le_bytes(), 16);
        let launch = tile_sim::Launch::new("odd_numbers")
            .threads(32)
            .args(vec![tile_sim::Arg::bytes(&out.to_le_bytes())]);
        let done = module.launch(&launch, &mut memory, &tile_sim::Options::default());
        done.unwrap_or_else(|fault| panic!("{fault}\n{}", ptx.text()));
        let bytes = memory.bytes(out).expect("it was allocated");
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    };
    assert_eq!(stored(0, 99), 0);
    assert_eq!(stored(6, 99), 1 + 3 + 5);
    assert_eq!(stored(6, 7), 1 + 3 + 5);
    assert_eq!(stored(6, 4), 1 + 3 + 5);
    assert_eq!(stored(6, 3), UNTOUCHED);
}

#[test]
fn a_loop_without_a_break_has_nothing_after_it() {
    let mut build = Build::new("endless", 1);
    let out = build.pointer(Scalar::I32, Access::Write);
    let one = build.constant(Scalar::I32, 1);
    let body = build.kernel.add_block();
    build.inside(body, |build| {
        build.run(OpKind::Barrier, &[]);
        build.run(OpKind::Continue, &[]);
    });
    build.op(OpKind::Loop, &[], &[], &[body]);
    build.store_number(0, out, one);
    let ptx = ptx(&build.finish(), ARCHS[0]);
    assert_eq!(count(&ptx, "st.global.b32"), 0, "{}", ptx.text());
    assert_eq!(count(&ptx, "bar.sync"), 1);
}

/// Builds an assertion on a tile of truth values that is distributed over `lanes` bits of the lane number and
/// `warps` bits of the warp number.
fn assertion(lanes: usize, warps: usize) -> Kernel {
    let mut build = Build::new("assertion", 4);
    let limit = build.param(Scalar::I32);
    let size = 1 << (lanes + warps);
    let bits: Vec<u64> = (0..lanes + warps).map(|bit| 1 << bit).collect();
    let pad = |part: &[u64], count: usize| {
        let mut part = part.to_vec();
        part.resize(count, 0);
        part
    };
    let layout = LinearLayout::new(
        OutShape::new(&[size]).expect("a power of two"),
        [
            (InDim::Lane, pad(&bits[..lanes], 5)),
            (InDim::Warp, pad(&bits[lanes..], 2)),
        ],
    );
    let numbers = build.distributed(Scalar::I32, &layout);
    let truths = build.distributed(Scalar::I1, &layout);
    let coordinate = build.one(OpKind::Coordinate(Axis(0)), &[], numbers);
    let limit = build.one(OpKind::Splat, &[limit], numbers);
    let attrs = [
        (
            "comparison_predicate",
            Attr::Predicate(ComparisonPredicate::LessThan),
        ),
        ("signedness", Attr::Signedness(Signedness::Signed)),
    ];
    let holds = build.compute(
        element(IntegerOp::CmpI, &attrs),
        &[coordinate, limit],
        truths,
    );
    build.run(OpKind::Assert(Arc::from("below")), &[holds]);
    build.finish()
}

#[test]
fn only_threads_that_hold_parts_of_a_tile_are_asked_whether_an_assertion_holds() {
    for arch in ARCHS {
        for (lanes, warps, votes, barriers) in [(0, 0, 0, 0), (5, 0, 6, 0), (5, 2, 0, 8)] {
            let ptx = ptx(&assertion(lanes, warps), arch);
            let actual = [
                count(&ptx, "vote.sync.any.pred"),
                count(&ptx, "barrier.cta.red.or.pred") + count(&ptx, "bar.red.or.pred"),
                count(&ptx, "call.uni"),
            ];
            assert_eq!(actual, [votes, barriers, 1], "{}", ptx.text());
            assert!(resources(&ptx).is_none_or(|used| used.stack_bytes == 0));
        }
    }
}

#[test]
fn one_call_prints_up_to_32_arguments() {
    for (numbers, calls) in [(0, 1), (32, 1), (33, 2)] {
        let mut build = Build::new("print", 1);
        let number = build.param(Scalar::I32);
        let value = Piece::Value(Printed {
            flags: "%5".into(),
            bits: None,
            letter: b'd',
            prints: Prints::Signed,
        });
        let mut pieces = vec![Piece::Text(b"100%:".as_slice().into())];
        pieces.resize(1 + numbers, value);
        build.run(OpKind::Print(pieces.into()), &vec![number; numbers]);
        let ptx = ptx(&build.finish(), ARCHS[0]);
        assert_eq!(count(&ptx, "call.uni"), calls, "{}", ptx.text());
        // The format `100%%:%5lld`, as character codes.
        let text = "{49, 48, 48, 37, 37, 58";
        assert!(ptx.text().contains(text), "{}", ptx.text());
    }
}

#[test]
fn tensor_maps_are_prefetched_where_the_operation_is() {
    let text = |ops| {
        format!(
            "kernel @k warps=1 occupancy=1 blocks_per_tile=1 raster=any {{\n  \
               %0 = param ptr f32 read align=16 unique\n  \
               %1 = param scalar i32\n  \
               !0 = map 0 4 0 %1 1 32\n  \
               !1 = map 0 4 0 %1 1 64\n  \
               {ops}  return\n\
             }}\n"
        )
    };
    let kernel = from_text(&text("wait_for_dependencies\n  prefetch_maps\n")).expect("a kernel");
    assert!(to_text(&kernel).contains("prefetch_maps"));
    let ptx = ptx(&kernel, Arch::SM_90A);
    let wait = "griddepcontrol.wait";
    let (before, after) = ptx.text().split_once(wait).expect("a wait");
    let prefetches = |text: &str| text.matches("prefetch.tensormap").count();
    assert_eq!((prefetches(before), prefetches(after)), (0, 2), "{after}");
}

/// Other kernels write the memory until the wait, so nothing may be read before, although this kernel only reads.
#[test]
fn no_load_moves_before_the_wait_for_kernels() {
    let load = "load_global f32 [32 step=32 edge=32 begins=inside] to=[param 0] read contiguous=0 vector=4";
    let store = "store_global f32 [32 step=32 edge=32 begins=inside] to=[param 1] write contiguous=0 vector=4";
    let text = |first: &str| {
        format!(
            "kernel @k warps=1 occupancy=1 blocks_per_tile=1 raster=any {{\n  \
               #0 = lane [(1), (2), (4), (8), (16)] -> [32]\n  \
               %0 = param ptr f32 read align=16 unique\n  \
               %1 = param ptr f32 write align=16 unique\n  \
               %2 = constant 0x0 : i32\n  \
               %3 = constant 0x20 : i32\n  \
               %4 = constant 0x1 : i32\n  \
               {first}\n  \
               %5 = {load} %0, %2, %3, %4 : 32xf32 #0\n  \
               {store} %5, %1, %2, %3, %4\n  \
               return\n\
             }}\n"
        )
    };
    let ptx = |first| ptx(&from_text(&text(first)).expect("a kernel"), Arch::SM_90A);
    let waits = ptx("wait_for_dependencies");
    let (before, after) = waits
        .text()
        .split_once("griddepcontrol.wait")
        .expect("a wait");
    assert!(!before.contains("ld.global"), "{before}");
    assert!(after.contains("ld.global.b32"), "{after}");
    assert_eq!(count(&ptx("alias_fence"), "ld.global.nc.b32"), 1);
}

#[test]
fn kernels_wait_for_one_another_from_sm_90_on() {
    for (arch, waits) in ARCHS.into_iter().zip([0, 1]) {
        let mut build = Build::new("dependent", 1);
        build.run(OpKind::Dependents(Dependents::Wait), &[]);
        build.run(OpKind::Dependents(Dependents::Launch), &[]);
        let ptx = ptx(&build.finish(), arch);
        assert_eq!(count(&ptx, "griddepcontrol.wait"), waits);
        assert_eq!(count(&ptx, "griddepcontrol.launch_dependents"), waits);
        assert!(resources(&ptx).is_none_or(|used| used.stack_bytes == 0));
    }
}
