//! Tests launches that continue after undefined behaviour, and that results do not depend on the
//! number of threads.

use crate::{parsed, run_on};
use tile_core::interp::{Reports, RunOptions, Undefined};

#[test]
fn the_number_of_threads_shows_neither_in_sums_nor_in_reports() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
  %i, %j, %l = get_tile_block_id : tile<i32>
  %2 = constant <i32: 2> : tile<i32>
  %7 = constant <i32: 7> : tile<i32>
  %1 = offset %x, %2 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %a, %t = atomic_rmw_tko relaxed device %x, add, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  %b, %u = atomic_rmw_tko relaxed device %1, umax, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  %rest = remi %i, %7 signed : tile<i32>
  %q = divi %2, %rest signed : tile<i32>
  return
}",
    );
    let run = |threads| {
        let reports = Reports::new();
        let options = RunOptions {
            threads: Some(threads),
            undefined: Undefined::Report(&reports),
            ..RunOptions::default()
        };
        let mut memory = [0_i32; 4];
        run_on(&program, 500, &mut memory, options).expect("execution continues");
        (memory, reports.take())
    };
    let (memory, reports) = run(1);
    assert_eq!(memory, [499 * 500 / 2, 0, 499, 0]);
    // Every seventh block divides by zero.
    assert_eq!(reports.len(), 72);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), (memory, reports.clone()));
    }
}

#[test]
fn a_sum_of_floats_by_atomics_does_not_depend_on_threads() {
    let program = parsed(
        "entry @k(%x: tile<ptr<f32>>) {
  %i, %j, %l = get_tile_block_id : tile<i32>
  %f = itof %i signed : tile<i32> -> tile<f32>
  %one = constant <f32: 1.0> : tile<f32>
  %g = addf %f, %one : tile<f32>
  %h = divf %one, %g : tile<f32>
  %a, %t = atomic_rmw_tko relaxed device %x, addf, %h : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  return
}",
    );
    let mut sum = 0.0_f32;
    for number in 1_u16..=2000 {
        sum += 1.0 / f32::from(number);
    }
    for threads in [1, 2, 3, 8] {
        let options = RunOptions {
            threads: Some(threads),
            ..RunOptions::default()
        };
        let mut memory = [0.0_f32];
        run_on(&program, 2000, &mut memory, options).expect("it runs");
        assert_eq!(memory[0].to_bits(), sum.to_bits(), "{threads} threads");
    }
}

#[test]
fn a_launch_that_goes_on_goes_on_with_defined_values() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
  %i = iota : tile<4xi32>
  %a = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %b = broadcast %a : tile<1xptr<i32>> -> tile<4xptr<i32>>
  %p = offset %b, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %max = constant <i32: [2147483647, 1, 2, 3]> : tile<4xi32>
  %one = constant <i32: [1, 0, 1, 32]> : tile<4xi32>
  %far = constant <i32: [0, 1, 2, 1000]> : tile<4xi32>
  %sum = addi %max, %one overflow<no_signed_wrap> : tile<4xi32>
  %t0 = store_ptr_tko weak %p, %sum : tile<4xptr<i32>>, tile<4xi32> -> token
  %four = constant <i32: 4> : tile<i32>
  %f = constant <i32: 4> : tile<4xi32>
  %quotient = divi %max, %one signed : tile<4xi32>
  %p1 = offset %p, %f : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %t1 = store_ptr_tko weak %p1, %quotient : tile<4xptr<i32>>, tile<4xi32> -> token
  %shifted = shli %max, %one : tile<4xi32>
  %p2 = offset %p1, %f : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %t2 = store_ptr_tko weak %p2, %shifted : tile<4xptr<i32>>, tile<4xi32> -> token
  %slice = extract %max[%four] : tile<4xi32> -> tile<2xi32>
  %both = cat %slice, %slice dim = 0 : tile<2xi32>, tile<2xi32> -> tile<4xi32>
  %p3 = offset %p2, %f : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %t3 = store_ptr_tko weak %p3, %both : tile<4xptr<i32>>, tile<4xi32> -> token
  %outside = offset %b, %far : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %v, %t4 = load_ptr_tko weak %outside token=%t0 : tile<4xptr<i32>> -> tile<4xi32>, token
  %p4 = offset %p3, %f : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
  %t5 = store_ptr_tko weak %p4, %v : tile<4xptr<i32>>, tile<4xi32> -> token
  %t6 = store_ptr_tko weak %outside, %f token=%t4 : tile<4xptr<i32>>, tile<4xi32> -> token
  %n = assume bounded<0, 3>, %f : tile<4xi32>
  return
}",
    );
    let reports = Reports::new();
    let options = RunOptions {
        undefined: Undefined::Report(&reports),
        ..RunOptions::default()
    };
    let mut memory = [0_i32; 20];
    run_on(&program, 1, &mut memory, options).expect("execution continues");
    let expected = [
        [4, 4, 4, 35],
        [i32::MAX, 0, 2, 0],
        [-2, 1, 4, 0],
        [2, 3, 2, 3],
        [i32::MIN, 1, 3, 0],
    ];
    assert_eq!(memory, expected.as_flattened());
    let reported = reports.take();
    let reported: Vec<(&str, Option<&[usize]>)> = reported
        .iter()
        .map(|fault| (fault.op.as_str(), fault.element.as_deref()))
        .collect();
    assert_eq!(
        reported,
        [
            ("addi (operation 7)", Some(&[0][..])),
            ("divi (operation 11)", Some(&[1][..])),
            ("shli (operation 14)", Some(&[3][..])),
            ("extract (operation 17)", None),
            ("load_ptr_tko (operation 22)", Some(&[3][..])),
            ("store_ptr_tko (operation 25)", Some(&[3][..])),
            ("assume (operation 26)", Some(&[0][..])),
        ]
    );
}
