//! Tests accesses through pointers.

use crate::{parsed, run_on};
use tile_core::interp::{Arg, RunOptions};

#[test]
fn masks_padding_and_shapes_of_pointers() {
    // y[j][i] = i + j is even ? x[i][j] : 9, with pointers that are permuted, then selected.
    let program = parsed(
        "entry @k(%x: tile<ptr<i16>>, %y: tile<ptr<i16>>) {
    %iota = iota : tile<16xi8>
    %square = reshape %iota : tile<16xi8> -> tile<4x4xi8>
    %x1 = reshape %x : tile<ptr<i16>> -> tile<1x1xptr<i16>>
    %xs = broadcast %x1 : tile<1x1xptr<i16>> -> tile<4x4xptr<i16>>
    %from = offset %xs, %square : tile<4x4xptr<i16>>, tile<4x4xi8> -> tile<4x4xptr<i16>>
    %turned = permute %from [1, 0] : tile<4x4xptr<i16>> -> tile<4x4xptr<i16>>
    %y1 = reshape %y : tile<ptr<i16>> -> tile<1x1xptr<i16>>
    %ys = broadcast %y1 : tile<1x1xptr<i16>> -> tile<4x4xptr<i16>>
    %to = offset %ys, %square : tile<4x4xptr<i16>>, tile<4x4xi8> -> tile<4x4xptr<i16>>
    %even = constant <i1: [[true, false, true, false], [false, true, false, true], [true, false, true, false], [false, true, false, true]]> : tile<4x4xi1>
    %odd_is_nowhere = select %even, %turned, %to : tile<4x4xi1>, tile<4x4xptr<i16>>
    %nine = constant <i16: 9> : tile<4x4xi16>
    %tile, %t = load_ptr_tko weak %odd_is_nowhere, %even, %nine : tile<4x4xptr<i16>>, tile<4x4xi1>, tile<4x4xi16> -> tile<4x4xi16>, token
    %not_last = constant <i1: [[true, true, true, true], [true, true, true, true], [true, true, true, true], [true, true, true, false]]> : tile<4x4xi1>
    %u = store_ptr_tko weak %to, %tile, %not_last token=%t : tile<4x4xptr<i16>>, tile<4x4xi16>, tile<4x4xi1> -> token
    return
}",
    );
    let mut x: Vec<i16> = (100..116).collect();
    let mut y = [-1_i16; 16];
    let args = [x.as_mut_ptr(), y.as_mut_ptr()].map(|ptr| Arg::Pointer {
        ptr: ptr.cast(),
        bytes: 32,
    });
    // SAFETY: the buffers live until the end of the call.
    unsafe { program.run("k", [1, 1, 1], &args) }.expect("it runs");
    for (index, &got) in y.iter().enumerate() {
        let (i, j) = (index / 4, index % 4);
        let want = match (i, j) {
            (3, 3) => -1,
            _ if (i + j) % 2 == 0 => x[j * 4 + i],
            _ => 9,
        };
        assert_eq!(got, want, "{i} {j}");
    }
}

#[test]
fn elements_of_every_type_are_what_views_read() {
    for (ty, bytes, input, output) in [
        ("i1", 1, 0x0000_0002_u64, 1_u64),
        ("i8", 1, 0xf3, 0xf3),
        ("f8E4M3FN", 1, 0xf3, 0xf3),
        ("i16", 2, 0xffee, 0xffee),
        ("bf16", 2, 0x7fff, 0x7fff),
        ("f32", 4, 0x7fa0_0001, 0x7fa0_0001),
        ("tf32", 4, 0x3f80_ffff, 0x3f80_e000),
        ("f64", 8, 0x7ff0_0000_0000_0001, 0x7ff0_0000_0000_0001),
    ] {
        let program = parsed(&format!(
            "entry @k(%x: tile<ptr<{ty}>>) {{
    %one = constant <i64: 1> : tile<i64>
    %y = offset %x, %one : tile<ptr<{ty}>>, tile<i64> -> tile<ptr<{ty}>>
    %v, %t = load_ptr_tko relaxed device %x : tile<ptr<{ty}>> -> tile<{ty}>, token
    %u = store_ptr_tko release device %y, %v : tile<ptr<{ty}>>, tile<{ty}> -> token
    return
}}"
        ));
        let mut buffer = [0_u8; 16];
        buffer[..bytes].copy_from_slice(&input.to_le_bytes()[..bytes]);
        run_on(&program, 1, &mut buffer[..2 * bytes], RunOptions::default()).expect("it fits");
        assert_eq!(
            &buffer[bytes..2 * bytes],
            &output.to_le_bytes()[..bytes],
            "{ty}"
        );
    }
}

#[test]
fn an_element_out_of_bounds_is_a_fault_that_names_it() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
    %i, %j, %l = get_tile_block_id : tile<i32>
    %iota = iota : tile<4xi32>
    %i1 = reshape %i : tile<i32> -> tile<1xi32>
    %is = broadcast %i1 : tile<1xi32> -> tile<4xi32>
    %at = subi %iota, %is : tile<4xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %xs = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %to = offset %xs, %at : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %u = store_ptr_tko weak %to, %iota : tile<4xptr<i32>>, tile<4xi32> -> token
    return
}",
    );
    let mut x = [7_i32; 5];
    let fault =
        run_on(&program, 1, &mut x[..3], RunOptions::default()).expect_err("3 is past the end");
    assert!(
        fault.contains(
            "store_ptr_tko (operation 8): element [3]: access to bytes 12..16 of a buffer of 12 bytes"
        ),
        "{fault}"
    );
    assert_eq!(x, [0, 1, 2, 7, 7]);
    let fault = run_on(&program, 3, &mut x, RunOptions::default()).expect_err("-1 is before");
    assert!(
        fault.contains(
            "block (1, 0, 0), store_ptr_tko (operation 8): element [0]: access to bytes -4..0"
        ),
        "{fault}"
    );
}

#[test]
fn an_address_is_a_pointer_into_the_buffer_that_it_lies_in() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
    %i, %j, %l = get_tile_block_id : tile<i32>
    %wide = exti %i unsigned : tile<i32> -> tile<i64>
    %address = ptr_to_int %x : tile<ptr<i32>> -> tile<i64>
    %one = constant <i64: 1> : tile<i64>
    %next = addi %address, %one : tile<i64>
    %sum = addi %next, %wide : tile<i64>
    %p = int_to_ptr %sum : tile<i64> -> tile<ptr<i8>>
    %v = constant <i8: 5> : tile<i8>
    %u = store_ptr_tko weak %p, %v : tile<ptr<i8>>, tile<i8> -> token
    %q = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<i8>>
    %w = store_ptr_tko weak %q, %v : tile<ptr<i8>>, tile<i8> -> token
    return
}",
    );
    let mut x = [0_u8; 4];
    run_on(&program, 3, &mut x, RunOptions::default()).expect("four bytes");
    assert_eq!(x, [5; 4]);
    let fault = run_on(&program, 4, &mut x, RunOptions::default()).expect_err("a fifth");
    assert!(fault.contains("block (3, 0, 0), store_ptr_tko"), "{fault}");
    assert!(fault.contains("which is in no buffer"), "{fault}");
}

#[test]
fn an_offset_that_overflows_points_nowhere() {
    let program = parsed(
        "entry @k(%x: tile<ptr<i32>>) {
    %far = constant <i64: 0x4000000000000000> : tile<i64>
    %p = offset %x, %far : tile<ptr<i32>>, tile<i64> -> tile<ptr<i32>>
    %v = constant <i32: 5> : tile<i32>
    %u = store_ptr_tko weak %p, %v : tile<ptr<i32>>, tile<i32> -> token
    return
}",
    );
    let mut x = [0_i32; 4];
    let fault = run_on(&program, 1, &mut x, RunOptions::default()).expect_err("2^64 bytes on");
    assert!(
        fault.contains("access to address 0x0, which is in no buffer"),
        "{fault}"
    );
    assert_eq!(x, [0; 4]);
}
