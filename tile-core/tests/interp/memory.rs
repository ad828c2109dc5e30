//! Tests memory that does not come from the host: variables of the module, and `alloca`.

use crate::{parsed, run_on};
use tile_core::interp::{Arg, RunOptions};

#[test]
fn a_variable_starts_as_the_module_says_and_keeps_what_is_stored() {
    let program = parsed(
        "global @g <i32: [10, 20, 30, 40]> : tile<4xi32>
entry @k(%x: tile<ptr<i32>>) {
  %i, %j, %l = get_tile_block_id : tile<i32>
  %g = get_global @g : tile<ptr<i32>>
  %p = offset %g, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
  %q = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %u = store_ptr_tko weak %q, %v : tile<ptr<i32>>, tile<i32> -> token
  %one = constant <i32: 1> : tile<i32>
  %w = addi %v, %one : tile<i32>
  %s = store_ptr_tko weak %p, %w token=%t : tile<ptr<i32>>, tile<i32> -> token
}",
    );
    for launch in 0..3 {
        let mut data = [0_i32; 4];
        run_on(&program, 4, &mut data, RunOptions::default()).expect("it runs");
        assert_eq!(data, [10, 20, 30, 40].map(|x| x + launch));
    }
}

#[test]
fn all_entries_and_blocks_see_one_variable() {
    let program = parsed(
        "global private @count alignment = 64 <i64: [5]> : tile<1xi64>
entry @add(%x: tile<ptr<i64>>) {
  %g = get_global @count : tile<ptr<i64>>
  %one = constant <i64: 1> : tile<i64>
  %v, %t = atomic_rmw_tko relaxed device %g, add, %one : tile<ptr<i64>>, tile<i64> -> tile<i64>, token
}
entry @k(%x: tile<ptr<i64>>) {
  %g = get_global @count : tile<ptr<i64>>
  %aligned = assume div_by<64>, %g : tile<ptr<i64>>
  %v, %t = load_ptr_tko weak %aligned : tile<ptr<i64>> -> tile<i64>, token
  %u = store_ptr_tko weak %x, %v : tile<ptr<i64>>, tile<i64> -> token
}",
    );
    let mut data = [0_i64];
    let arg = [Arg::Pointer {
        ptr: data.as_mut_ptr().cast(),
        bytes: 8,
    }];
    // Concurrent launches are serialized.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let arg = [Arg::Pointer {
                    ptr: std::ptr::dangling_mut(),
                    bytes: 0,
                }];
                // SAFETY: the buffer has no bytes.
                unsafe { program.run("add", [100, 1, 1], &arg) }.expect("it runs");
            });
        }
    });
    // SAFETY: the buffer lives until the end of the call.
    unsafe { program.run("k", [1; 3], &arg) }.expect("it runs");
    assert_eq!(data, [405]);
}

#[test]
fn variables_of_every_element_type_are_in_memory_as_loads_expect_them() {
    let cases = [
        ("i1", "[true, false]"),
        ("i8", "[-1, 7]"),
        ("i16", "[-300, 7]"),
        ("i64", "[-1, 123456789012]"),
        ("f16", "[1.5, -2.0]"),
        ("bf16", "[1.5, -2.0]"),
        ("f32", "[1.5, -2.0]"),
        ("f64", "[1.5, -2.0]"),
        ("tf32", "[1.5, -2.0]"),
        ("f8E4M3FN", "[1.5, -2.0]"),
        ("f8E5M2", "[1.5, -2.0]"),
        ("f8E8M0FNU", "[0.5, 2.0]"),
        ("f4E2M1FN", "[1.5, -2.0]"),
    ];
    for (element, values) in cases {
        // Printing shows that the loaded elements are the constant.
        let tensor = format!("tensor_view<2x{element}, strides=[1]>");
        let view = format!("partition_view<tile=(2), {tensor}>");
        let conversion = if element.starts_with('i') {
            "%d"
        } else {
            "%.1f"
        };
        let program = parsed(&format!(
            "global constant @g <{element}: {values}> : tile<2x{element}>
entry @k(%x: tile<ptr<i32>>) {{
  %zero = constant <i32: 0> : tile<i32>
  %g = get_global @g : tile<ptr<{element}>>
  %t = make_tensor_view %g, shape = [2], strides = [1] : {tensor}
  %v = make_partition_view %t : {view}
  %a, %u = load_view_tko weak %v[%zero] : {view}, tile<i32> -> tile<2x{element}>, token
  %c = constant <{element}: {values}> : tile<2x{element}>
  %p = print_tko \"{conversion} {conversion}\", %a, %c : tile<2x{element}>, tile<2x{element}> -> token
}}"
        ));
        let text = std::sync::Mutex::new(Vec::<u8>::new());
        let options = RunOptions {
            output: Some(tile_core::interp::Output::new(&text)),
            ..RunOptions::default()
        };
        run_on(&program, 1, &mut [0_i32], options).expect("it runs");
        let text = String::from_utf8(text.into_inner().expect("no panic")).expect("text");
        let (loaded, constant) = text.split_once("] [").expect("two lists");
        assert_eq!(
            loaded.trim_start_matches('['),
            constant.trim_end_matches(']')
        );
        let first = values.split(',').next().expect("a value").trim_matches('[');
        let first = if first == "true" { "1" } else { first };
        assert_eq!(
            loaded.trim_start_matches('[').split(',').next(),
            Some(first)
        );
    }
}

#[test]
fn a_store_to_a_constant_variable_is_a_fault() {
    let stores = [
        "%t = store_ptr_tko weak %g, %one : tile<ptr<i32>>, tile<i32> -> token",
        "%v, %t = atomic_rmw_tko relaxed device %g, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token",
        "%zero = constant <i32: 0> : tile<i32>
  %tile = reshape %one : tile<i32> -> tile<1xi32>
  %tv = make_tensor_view %g, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
  %pv = make_partition_view %tv : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
  %t = store_view_tko weak %tile, %pv[%zero] : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token",
    ];
    for store in stores {
        let program = parsed(&format!(
            "global constant @g <i32: [3]> : tile<1xi32>
entry @k(%x: tile<ptr<i32>>) {{
  %g = get_global @g : tile<ptr<i32>>
  %one = constant <i32: 1> : tile<i32>
  {store}
}}"
        ));
        let fault = run_on(&program, 1, &mut [0_i32], RunOptions::default()).expect_err("constant");
        assert!(fault.contains("store to a constant `global`"), "{fault}");
    }
}

#[test]
fn an_access_beyond_a_variable_is_a_fault() {
    let program = parsed(
        "global @g <i32: [3, 4]> : tile<2xi32>
entry @k(%x: tile<ptr<i32>>) {
  %g = get_global @g : tile<ptr<i32>>
  %two = constant <i32: 2> : tile<i32>
  %p = offset %g, %two : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
}",
    );
    let fault = run_on(&program, 1, &mut [0_i32], RunOptions::default()).expect_err("beyond");
    assert!(
        fault.contains("access to bytes 8..12 of a buffer of 8 bytes"),
        "{fault}"
    );
}

/// Stores the block's index to memory of its own, spends time, and loads it again.
const OWN: &str = "entry @k(%x: tile<ptr<i32>>) {
  %i, %j, %l = get_tile_block_id : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %many = constant <i32: 100> : tile<i32>
  %m = alloca num_elem = 1, alignment = 128 : tile<ptr<i32>>
  %p = assume div_by<128>, %m : tile<ptr<i32>>
  %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
  for %n in (%zero to %many, step %one) : tile<i32> {
    %a = alloca num_elem = 64, alignment = 4 global : tile<ptr<i32>>
    %b = offset %a, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s = store_ptr_tko weak %b, %n : tile<ptr<i32>>, tile<i32> -> token
    %v, %u = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
    %w, %r = load_ptr_tko weak %b token=%s : tile<ptr<i32>> -> tile<i32>, token
    %d = subi %w, %n : tile<i32>
    %sum = addi %v, %d : tile<i32>
    %o = store_ptr_tko weak %p, %sum token=%u : tile<ptr<i32>>, tile<i32> -> token
  }
  %v, %u = load_ptr_tko weak %p token=%t : tile<ptr<i32>> -> tile<i32>, token
  %q = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %s = store_ptr_tko weak %q, %v token=%u : tile<ptr<i32>>, tile<i32> -> token
}";

#[test]
fn every_block_has_memory_of_its_own() {
    let program = parsed(OWN);
    let mut data = [-1_i32; 50];
    run_on(&program, 50, &mut data, RunOptions::default()).expect("it runs");
    let expected: Vec<i32> = (0..50).collect();
    assert_eq!(data.to_vec(), expected);
}

#[test]
fn memory_of_a_block_is_no_effect() {
    let trace = tile_core::interp::Trace::new();
    let options = RunOptions {
        trace: Some(&trace),
        ..RunOptions::default()
    };
    run_on(&parsed(OWN), 2, &mut [0_i32; 2], options).expect("it runs");
    assert_eq!(trace.take().len(), 2);
}

#[test]
fn memory_of_a_block_that_has_ended_is_gone() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
  %zero = constant <i32: 0> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %last = for %n in (%zero to %two, step %one) : tile<i32> iter_values(%before = %x) -> (tile<ptr<i32>>) {
    %t = store_ptr_tko weak %before, %n : tile<ptr<i32>>, tile<i32> -> token
    %a = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    continue %a : tile<ptr<i32>>
  }
}",
    );
    let fault = run_on(&program, 1, &mut [7_i32], RunOptions::default()).expect_err("it is gone");
    assert!(
        fault.contains("store_ptr_tko")
            && fault.contains("access to memory of `alloca` after the end of its block"),
        "{fault}"
    );
}

#[test]
fn memory_that_there_is_not_is_a_fault() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
  %a = alloca num_elem = 9223372036854775807, alignment = 4 : tile<ptr<i32>>
}",
    );
    let fault = run_on(&program, 1, &mut [7_i32], RunOptions::default()).expect_err("too much");
    assert!(
        fault.contains("alloca (operation 0): there is no memory"),
        "{fault}"
    );
}

#[test]
fn an_address_finds_memory_of_the_block() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
  %a = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>
  %n = ptr_to_int %a : tile<ptr<i32>> -> tile<i64>
  %p = int_to_ptr %n : tile<i64> -> tile<ptr<i32>>
  %five = constant <i32: 5> : tile<i32>
  %t = store_ptr_tko weak %p, %five : tile<ptr<i32>>, tile<i32> -> token
  %v, %u = load_ptr_tko weak %a token=%t : tile<ptr<i32>> -> tile<i32>, token
  %s = store_ptr_tko weak %x, %v token=%u : tile<ptr<i32>>, tile<i32> -> token
}",
    );
    let mut data = [0_i32];
    run_on(&program, 1, &mut data, RunOptions::default()).expect("it runs");
    assert_eq!(data, [5]);
}

#[test]
fn operations_that_only_order_pass_tokens_on() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
  %five = constant <i32: 5> : tile<i32>
  %w = gdc_wait_tko -> token
  %t = store_ptr_tko weak %x, %five token=%w : tile<ptr<i32>>, tile<i32> -> token
  %f = memory_fence_alias_tko %t
  %v, %u = load_ptr_tko weak %x token=%f : tile<ptr<i32>> -> tile<i32>, token
  %six = addi %v, %v : tile<i32>
  %s = store_ptr_tko weak %x, %six token=%u : tile<ptr<i32>>, tile<i32> -> token
  %l = gdc_launch_dependents_tko token=%s -> token
}",
    );
    let mut data = [0_i32];
    run_on(&program, 1, &mut data, RunOptions::default()).expect("it runs");
    assert_eq!(data, [10]);
}
