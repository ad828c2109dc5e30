//! Tests loops and branches.

use crate::common::LOC;
use crate::{Tensor, one_per_block, run_per_block};
use std::sync::atomic::AtomicBool;
use tile_core::interp::RunOptions;
use tile_core::ir::{ComparisonPredicate, Signedness};
use tile_core::ops::{ControlFlowOp, IntegerOp};
use tile_core::types::{Scalar, Type};

#[test]
fn a_loop_carries_values_that_change_places() {
    // Fibonacci: (a, b) = (b, a + b), i times; the carried values are swapped.
    let program = one_per_block(|b, i| {
        let (zero, one) = (b.const_i32(0, LOC), b.const_i32(1, LOC));
        let int = Type::scalar(Scalar::I32);
        let op = b
            .op(ControlFlowOp::For, LOC)
            .args(&[zero, i, one])
            .operands("initValues", &[zero, one])
            .results(&[int, int])
            .finish();
        let body = b.add_region_block(op);
        b.module().add_block_arg(body, int, LOC);
        let x = b.module().add_block_arg(body, int, LOC);
        let y = b.module().add_block_arg(body, int, LOC);
        let outer = b.set_block(body);
        let sum = b.wrapping(IntegerOp::AddI, &[x, y], LOC);
        b.terminate(ControlFlowOp::Continue, &[y, sum], LOC);
        b.set_block(outer);
        b.module().op(op).result()
    });
    let got = run_per_block(&program, 12).expect("it runs");
    assert_eq!(got, [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]);
}

#[test]
fn branches_continue_loops_and_yield_values() {
    // The sum of the odd numbers below i, plus 1000 if i is above 5.
    let program = one_per_block(|b, i| {
        let (zero, one) = (b.const_i32(0, LOC), b.const_i32(1, LOC));
        let int = Type::scalar(Scalar::I32);
        let op = b
            .op(ControlFlowOp::For, LOC)
            .args(&[zero, i, one])
            .operand("initValues", zero)
            .result(int)
            .finish();
        let body = b.add_region_block(op);
        let k = b.module().add_block_arg(body, int, LOC);
        let sum = b.module().add_block_arg(body, int, LOC);
        let outer = b.set_block(body);
        let low = b.like_first(tile_core::ops::BitwiseOp::AndI, &[k, one], LOC);
        let even = b.cmpi(
            ComparisonPredicate::Equal,
            low,
            zero,
            Signedness::Signed,
            LOC,
        );
        let branch = b.op(ControlFlowOp::If, LOC).args(&[even]).finish();
        let then = b.add_region_block(branch);
        let inner = b.set_block(then);
        b.terminate(ControlFlowOp::Continue, &[sum], LOC);
        b.set_block(inner);
        let next = b.wrapping(IntegerOp::AddI, &[sum, k], LOC);
        b.terminate(ControlFlowOp::Continue, &[next], LOC);
        b.set_block(outer);
        let total = b.module().op(op).result();
        let five = b.const_i32(5, LOC);
        let large = b.cmpi(
            ComparisonPredicate::GreaterThan,
            i,
            five,
            Signedness::Signed,
            LOC,
        );
        let choice = b
            .op(ControlFlowOp::If, LOC)
            .args(&[large])
            .result(int)
            .finish();
        let then = b.add_region_block(choice);
        let outer = b.set_block(then);
        let thousand = b.const_i32(1000, LOC);
        let more = b.wrapping(IntegerOp::AddI, &[total, thousand], LOC);
        b.terminate(ControlFlowOp::Yield, &[more], LOC);
        let otherwise = b.add_region_block(choice);
        b.set_block(otherwise);
        b.terminate(ControlFlowOp::Yield, &[total], LOC);
        b.set_block(outer);
        b.module().op(choice).result()
    });
    let want: Vec<i32> = (0..12)
        .map(|i| (0..i).filter(|k| k % 2 == 1).sum::<i32>() + if i > 5 { 1000 } else { 0 })
        .collect();
    assert_eq!(run_per_block(&program, 12).expect("it runs"), want);
}

#[test]
fn a_cancelled_launch_stops() {
    let program = one_per_block(|b, i| {
        let (zero, one) = (b.const_i32(0, LOC), b.const_i32(1, LOC));
        let many = b.const_i32(i32::MAX, LOC);
        let op = b
            .op(ControlFlowOp::For, LOC)
            .args(&[zero, many, one])
            .finish();
        let body = b.add_region_block(op);
        b.module()
            .add_block_arg(body, Type::scalar(Scalar::I32), LOC);
        let outer = b.set_block(body);
        b.terminate(ControlFlowOp::Continue, &[], LOC);
        b.set_block(outer);
        i
    });
    let mut out = Tensor::new(&[1], vec![0_i32]);
    let args = out.args();
    let cancel = AtomicBool::new(false);
    let message = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let options = RunOptions {
            cancel: Some(&cancel),
            ..RunOptions::default()
        };
        // SAFETY: the buffer lives until the end of the call.
        unsafe { program.run_with("k", [1, 1, 1], &args, options) }
            .expect_err("it was cancelled")
            .message
    });
    assert_eq!(message, "cancelled");
}
