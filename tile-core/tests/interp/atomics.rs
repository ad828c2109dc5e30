//! Tests atomics, including concurrent atomics of several blocks.

use crate::{parsed, run_on};
use tile_core::interp::RunOptions;

/// The mode, the element type, and the bits of the old value, the argument and the stored value.
type Case = (&'static str, &'static str, u64, u64, u64);

const CASES: [Case; 22] = [
    ("and", "i32", 0b1100, 0b1010, 0b1000),
    ("or", "i32", 0b1100, 0b1010, 0b1110),
    ("xor", "i64", 0b1100, 0b1010, 0b0110),
    ("add", "i32", 0xffff_ffff, 2, 1),
    ("add", "i64", u64::MAX, 2, 1),
    ("max", "i32", 0xffff_ffff, 3, 3),
    ("max", "i64", 5, u64::MAX, 5),
    ("min", "i32", 0xffff_ffff, 3, 0xffff_ffff),
    ("min", "i64", 5, u64::MAX, u64::MAX),
    ("umax", "i32", 0xffff_ffff, 3, 0xffff_ffff),
    ("umax", "i64", 5, u64::MAX, u64::MAX),
    ("umin", "i32", 0xffff_ffff, 3, 3),
    ("umin", "i64", 5, u64::MAX, 5),
    ("xchg", "i32", 1, 2, 2),
    ("xchg", "f32", 1, 0x7fa0_0000, 0x7fa0_0000),
    ("xchg", "f64", 1, 2, 2),
    // 1 + 2 = 3
    ("addf", "f16", 0x3c00, 0x4000, 0x4200),
    ("addf", "bf16", 0x3f80, 0x4000, 0x4040),
    ("addf", "f32", 0x3f80_0000, 0x4000_0000, 0x4040_0000),
    ("addf", "f64", 0x3ff0 << 48, 0x4000 << 48, 0x4008 << 48),
    // 1 + 2^-11 is a tie, rounded to even.
    ("addf", "f16", 0x3c00, 0x1000, 0x3c00),
    // The sum of the smallest subnormal and itself.
    ("addf", "f32", 1, 1, 2),
];

fn bytes(ty: &str) -> usize {
    match ty {
        "f16" | "bf16" => 2,
        "i32" | "f32" => 4,
        _ => 8,
    }
}

#[test]
fn every_mode_stores_its_result_and_gives_the_old_value() {
    for (mode, ty, old, arg, new) in CASES {
        let n = bytes(ty);
        // Element 0 is the updated memory, 1 the argument, 2 the old value; element 3 is not
        // touched.
        let program = parsed(&format!(
            "entry @k(%x: tile<ptr<{ty}>>) {{
    %two = constant <i32: [0, 2]> : tile<2xi32>
    %one = constant <i32: [1, 1]> : tile<2xi32>
    %x1 = reshape %x : tile<ptr<{ty}>> -> tile<1xptr<{ty}>>
    %xs = broadcast %x1 : tile<1xptr<{ty}>> -> tile<2xptr<{ty}>>
    %p = offset %xs, %two : tile<2xptr<{ty}>>, tile<2xi32> -> tile<2xptr<{ty}>>
    %q = offset %xs, %one : tile<2xptr<{ty}>>, tile<2xi32> -> tile<2xptr<{ty}>>
    %arg, %t = load_ptr_tko weak %q : tile<2xptr<{ty}>> -> tile<2x{ty}>, token
    %mask = constant <i1: [true, false]> : tile<2xi1>
    %old, %u = atomic_rmw_tko acq_rel device %p, {mode}, %arg, %mask token=%t : tile<2xptr<{ty}>>, tile<2x{ty}>, tile<2xi1> -> tile<2x{ty}>, token
    %to = offset %p, %two : tile<2xptr<{ty}>>, tile<2xi32> -> tile<2xptr<{ty}>>
    %s = offset %xs, %two : tile<2xptr<{ty}>>, tile<2xi32> -> tile<2xptr<{ty}>>
    %flip = constant <i32: [2, 1]> : tile<2xi32>
    %r = offset %xs, %flip : tile<2xptr<{ty}>>, tile<2xi32> -> tile<2xptr<{ty}>>
    %v = store_ptr_tko weak %r, %old, %mask token=%u : tile<2xptr<{ty}>>, tile<2x{ty}>, tile<2xi1> -> token
    return
}}"
        ));
        let mut memory: Vec<u64> = vec![0; 4];
        {
            // SAFETY: the bytes of numbers may be written one by one.
            let memory =
                unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<u8>(), 4 * n) };
            let mut put = |offset: usize, bits: u64| {
                memory[offset * n..][..n].copy_from_slice(&bits.to_le_bytes()[..n]);
            };
            put(0, old);
            put(1, arg);
            run_on(&program, 1, memory, RunOptions::default()).expect("it runs");
            let get = |offset: usize| {
                let mut bits = [0; 8];
                bits[..n].copy_from_slice(&memory[offset * n..][..n]);
                u64::from_le_bytes(bits)
            };
            assert_eq!(
                [get(0), get(1), get(2), get(3)],
                [new, arg, old, 0],
                "{mode} {ty}"
            );
        }
    }
}

#[test]
fn no_atomic_of_a_block_is_lost() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
    %i, %j, %l = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %float = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<f32>>
    %third = offset %float, %one : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %f = constant <f32: 1.0> : tile<f32>
    %number, %t = atomic_rmw_tko relaxed device %x, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %sum, %u = atomic_rmw_tko relaxed device %third, addf, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %two = constant <i32: 2> : tile<i32>
    %place = addi %number, %two : tile<i32>
    %at = offset %x, %place : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v = store_ptr_tko weak %at, %i : tile<ptr<i32>>, tile<i32> -> token
    return
}",
    );
    let mut memory = vec![0_u32; 2002];
    run_on(&program, 2000, &mut memory, RunOptions::default()).expect("it runs");
    assert_eq!(memory[0], 2000);
    assert_eq!(memory[1], 2000.0_f32.to_bits());
    // Every block must have got a different number.
    let mut blocks = memory.split_off(2);
    blocks.sort_unstable();
    assert!(blocks.iter().copied().eq(0..2000));
}

#[test]
fn a_lock_of_compare_and_swap_guards_what_is_weak() {
    // Two words are changed under a lock, which exposes a lost update or a torn pair.
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %a = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %b = offset %x, %two : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %held = loop : token {
      %old, %t = atomic_cas_tko acquire device %x, %zero, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %free = cmpi equal %old, %zero, signed : tile<i32> -> tile<i1>
      if %free {
        break %t : token
      }
      continue
    }
    %m, %t1 = load_ptr_tko weak %a token=%held : tile<ptr<i32>> -> tile<i32>, token
    %n, %t2 = load_ptr_tko weak %b token=%t1 : tile<ptr<i32>> -> tile<i32>, token
    %same = cmpi equal %m, %n, signed : tile<i32> -> tile<i1>
    assert %same, \"torn\" : tile<i1>
    %m1 = addi %m, %one : tile<i32>
    %t3 = store_ptr_tko weak %a, %m1 token=%t2 : tile<ptr<i32>>, tile<i32> -> token
    %t4 = store_ptr_tko weak %b, %m1 token=%t3 : tile<ptr<i32>>, tile<i32> -> token
    %t5 = store_ptr_tko release device %x, %zero token=%t4 : tile<ptr<i32>>, tile<i32> -> token
    return
}",
    );
    let mut memory = [0_i32; 3];
    let options = RunOptions {
        threads: Some(3),
        ..RunOptions::default()
    };
    run_on(&program, 500, &mut memory, options).expect("it ends");
    assert_eq!(memory, [0, 500, 500]);
}

#[test]
fn compare_and_swap_compares_bits_and_gives_cmp_where_masked_off() {
    let program = parsed(
        "entry @k(%x: tile<ptr<f32>>) {
    %iota = iota : tile<4xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xs = broadcast %x1 : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %p = offset %xs, %iota : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %cmp = constant <f32: [0x7FC00000, 0.0, 2.0, 3.0]> : tile<4xf32>
    %val = constant <f32: [10.0, 11.0, 12.0, 13.0]> : tile<4xf32>
    %mask = constant <i1: [true, true, true, false]> : tile<4xi1>
    %old, %t = atomic_cas_tko relaxed sys %p, %cmp, %val, %mask : tile<4xptr<f32>>, tile<4xf32>, tile<4xi1> -> tile<4xf32>, token
    %four = constant <i32: 4> : tile<4xi32>
    %q = offset %p, %four : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %u = store_ptr_tko weak %q, %old token=%t : tile<4xptr<f32>>, tile<4xf32> -> token
    return
}",
    );
    let quiet = f32::from_bits(0x7fc0_0000);
    let mut memory = [quiet, -0.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0];
    run_on(&program, 1, &mut memory, RunOptions::default()).expect("it runs");
    let bits = memory.map(f32::to_bits);
    let want = [10.0, -0.0, 12.0, 3.0, quiet, -0.0, 2.0, 3.0].map(f32::to_bits);
    assert_eq!(bits, want);
}

#[test]
fn a_reduction_into_a_view_leaves_what_is_beyond_the_tensor_alone() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %view = make_tensor_view %x, shape = [6], strides = [1] : tensor_view<6xi32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>
    %iota = iota : tile<4xi32>
    %t = atomic_red_view_tko relaxed device %tiles[%zero], add, %iota : tile<4xi32>, partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>, tile<i32> -> token
    %u = atomic_red_view_tko relaxed device %tiles[%one], umax, %iota : tile<4xi32>, partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>, tile<i32> -> token
    return
}",
    );
    let mut memory = [0_i32, 0, 0, 0, 3, 0, 0, 0];
    run_on(&program, 1000, &mut memory, RunOptions::default()).expect("it runs");
    assert_eq!(memory, [0, 1000, 2000, 3000, 3, 1, 0, 0]);
}

#[test]
fn an_atomic_at_an_odd_address_is_a_fault() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i8>>) {
    %one = constant <i32: 1> : tile<i32>
    %y = offset %x, %one : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
    %p = ptr_to_ptr %y : tile<ptr<i8>> -> tile<ptr<i32>>
    %old, %t = atomic_rmw_tko relaxed device %p, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
}",
    );
    let mut memory = [0_u32; 2];
    let fault = run_on(&program, 1, &mut memory, RunOptions::default()).expect_err("it is odd");
    assert!(
        fault.contains(
            "atomic_rmw_tko (operation 3): atomic access to an address that is no multiple of 4"
        ),
        "{fault}"
    );
}
