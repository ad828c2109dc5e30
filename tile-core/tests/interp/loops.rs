//! Tests `loop` and its exits.

use crate::{parsed, run_on};
use std::sync::atomic::{AtomicBool, Ordering};
use tile_core::interp::RunOptions;

/// Stores one i32 per block at `%p`.
const STORE: &str = "
    %at = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %done = store_ptr_tko weak %at, %out : tile<ptr<i32>>, tile<i32> -> token";

#[test]
fn results_come_from_break_and_have_types_of_their_own() {
    // The first k with 3^k above 100 i, carried as i64 and returned as i32.
    let program = parsed(&format!(
        "entry @k(%p: tile<ptr<i32>>) {{
    %i, %j, %l = get_tile_block_id : tile<i32>
    %wide = exti %i signed : tile<i32> -> tile<i64>
    %hundred = constant <i64: 100> : tile<i64>
    %three = constant <i64: 3> : tile<i64>
    %one = constant <i64: 1> : tile<i64>
    %zero = constant <i64: 0> : tile<i64>
    %limit = muli %wide, %hundred : tile<i64>
    %out = loop iter_values(%k = %zero, %power = %one) : tile<i64>, tile<i64> -> tile<i32> {{
      %above = cmpi greater_than %power, %limit, signed : tile<i64> -> tile<i1>
      if %above {{
        %narrow = trunci %k : tile<i64> -> tile<i32>
        break %narrow : tile<i32>
      }}
      %next = addi %k, %one : tile<i64>
      %odd = andi %k, %one : tile<i64>
      %is_odd = cmpi equal %odd, %one, signed : tile<i64> -> tile<i1>
      %more = muli %power, %three : tile<i64>
      if %is_odd {{
        continue %next, %more : tile<i64>, tile<i64>
      }}
      continue %next, %more : tile<i64>, tile<i64>
    }}
    {STORE}
    return
}}"
    ));
    let mut out = [-1_i32; 40];
    // Run twice, to test reused frames.
    for _ in 0..2 {
        run_on(&program, 40, &mut out, RunOptions::default()).expect("it ends");
    }
    for (i, &got) in (0..).zip(&out) {
        let want = (0..20)
            .find(|&k| 3_i64.pow(k) > 100 * i)
            .expect("there is one");
        assert_eq!(u32::try_from(got), Ok(want), "{i}");
    }
}

#[test]
fn break_leaves_the_inner_loop_and_return_the_kernel() {
    // Sums 0, 1, …, i - 1 in the inner loop, i times; block 3 returns early.
    let program = parsed(&format!(
        "entry @k(%p: tile<ptr<i32>>) {{
    %i, %j, %l = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %is_three = cmpi equal %i, %three, signed : tile<i32> -> tile<i1>
    if %is_three {{
      return
    }}
    %out, %turns = loop iter_values(%n = %zero, %total = %zero) : tile<i32>, tile<i32> -> tile<i32>, tile<i32> {{
      %end = cmpi greater_than_or_equal %n, %i, signed : tile<i32> -> tile<i1>
      if %end {{
        break %total, %n : tile<i32>, tile<i32>
      }}
      %sum = loop iter_values(%k = %zero, %acc = %total) : tile<i32>, tile<i32> -> tile<i32> {{
        %stop = cmpi equal %k, %i, signed : tile<i32> -> tile<i1>
        if %stop {{
          break %acc : tile<i32>
        }} else {{
          %k1 = addi %k, %one : tile<i32>
          %acc1 = addi %acc, %k : tile<i32>
          continue %k1, %acc1 : tile<i32>, tile<i32>
        }}
        continue %k, %acc : tile<i32>, tile<i32>
      }}
      %n1 = addi %n, %one : tile<i32>
      continue %n1, %sum : tile<i32>, tile<i32>
    }}
    {STORE}
    return
}}"
    ));
    let mut out = [-1_i32; 8];
    run_on(&program, 8, &mut out, RunOptions::default()).expect("it ends");
    assert_eq!(out, [0, 0, 2, -1, 24, 50, 90, 147]);
}

#[test]
fn a_loop_without_end_reaches_the_limit_of_its_block() {
    let program = parsed(
        "entry @k(%p: tile<ptr<i32>>) {
    %i, %j, %l = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %n in (%zero to %i, step %one) : tile<i32> {
      continue
    }
    %three = constant <i32: 3> : tile<i32>
    %is_three = cmpi equal %i, %three, signed : tile<i32> -> tile<i1>
    if %is_three {
      loop {
        continue
      }
    }
    return
}",
    );
    let limited = |limit| RunOptions {
        step_limit: Some(limit),
        ..RunOptions::default()
    };
    let mut out = [0_i32; 1];
    // The limit applies to each block separately.
    run_on(&program, 3, &mut out, limited(2)).expect("at most 2 iterations each");
    let fault = run_on(&program, 3, &mut out, limited(1)).expect_err("block 2 has 2");
    assert!(fault.contains("block (2, 0, 0), for (operation"), "{fault}");
    assert!(
        fault.contains("step limit of 1 reached at k:5:5"),
        "{fault}"
    );
    let fault = run_on(&program, 4, &mut out, limited(1000)).expect_err("it does not end");
    assert!(
        fault.contains("block (3, 0, 0), loop (operation"),
        "{fault}"
    );
    assert!(
        fault.contains("step limit of 1000 reached at k:"),
        "{fault}"
    );
    let cancel = AtomicBool::new(false);
    let fault = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            cancel.store(true, Ordering::Relaxed);
        });
        let options = RunOptions {
            cancel: Some(&cancel),
            ..RunOptions::default()
        };
        run_on(&program, 4, &mut out, options).expect_err("it was cancelled")
    });
    assert!(fault.contains("cancelled"), "{fault}");
}

#[test]
fn an_assertion_that_fails_names_its_message_and_the_element() {
    let program = parsed(
        "entry @k(%p: tile<ptr<i32>>) {
    %i, %j, %l = get_tile_block_id : tile<i32>
    %iota = iota : tile<8xi32>
    %square = reshape %iota : tile<8xi32> -> tile<2x4xi32>
    %one = reshape %i : tile<i32> -> tile<1x1xi32>
    %all = broadcast %one : tile<1x1xi32> -> tile<2x4xi32>
    %differ = cmpi not_equal %square, %all, signed : tile<2x4xi32> -> tile<2x4xi1>
    assert %differ, \"not the block\" : tile<2x4xi1>
    return
}",
    );
    let mut out = [0_i32; 1];
    let fault = run_on(&program, 20, &mut out, RunOptions::default()).expect_err("0 is there");
    assert!(
        fault.contains(
            "block (0, 0, 0), assert (operation 6): assertion `not the block` failed at [0, 0]"
        ),
        "{fault}"
    );
    let program = parsed(
        "entry @k(%p: tile<ptr<i32>>) {
    %c = constant <i1: [[true, true], [true, false]]> : tile<2x2xi1>
    assert %c, \"all\" : tile<2x2xi1>
    return
}",
    );
    let fault = run_on(&program, 1, &mut out, RunOptions::default()).expect_err("one is false");
    assert!(
        fault.contains("assertion `all` failed at [1, 1]"),
        "{fault}"
    );
}
