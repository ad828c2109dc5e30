// level: baseline
// A loop with a carried tile, a branch within it, and an assertion.
cuda_tile.module @m {
  entry @flow(%x: tile<ptr<i32>>, %n: tile<i32>) {
    %i = iota : tile<16xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %x2 = broadcast %x1 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %x3 = offset %x2, %i : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <i32: 0> : tile<16xi32>
    %sum = for %k in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<16xi32>) {
      %v, %t = load_ptr_tko weak %x3 : tile<16xptr<i32>> -> tile<16xi32>, token
      %bit = andi %k, %one : tile<i32>
      %is_odd = cmpi equal %bit, %one, signed : tile<i32> -> tile<i1>
      %next = if %is_odd -> (tile<16xi32>) {
        %a = addi %acc, %v : tile<16xi32>
        yield %a : tile<16xi32>
      } else {
        %b = xori %acc, %v : tile<16xi32>
        yield %b : tile<16xi32>
      }
      continue %next : tile<16xi32>
    }
    %fits = cmpi greater_than_or_equal %sum, %none, signed : tile<16xi32> -> tile<16xi1>
    assert %fits, "a sum is negative" : tile<16xi1>
    %u = store_ptr_tko weak %x3, %sum : tile<16xptr<i32>>, tile<16xi32> -> token
    return
  }
}
// ---
// kernel @flow
//   buffer %b0: 16 x i32 at 0
//   buffer %b1: 16 x i32 at 64
//   buffer %b2: 16 x i32 at 128
//   %v0 = word 0: i64
//   %v1 = word 2: i32
//   %v2 = 0x1: i32
//   %v3 = 0x0: i32
//   %v7 = 0x1: i64
//   %v4 = signextend(%v3): i64
//   %v5 = signextend(%v1): i64
//   %v6 = signextend(%v2): i64
//   %v8 = less(%v6, %v7): i1
//   fault if %v8
//   nest 2^4
//     %0 = 0x0: i32
//     store %0 to %b0 at [0:1 1:2 2:4 3:8] * 1
//   for %v9 from %v4 to %v5 step %v6
//     %v10 = truncate.i32(%v9): i32
//     %v11 = andi(%v10, %v2): i32
//     %v12 = cmpi(%v11, %v3): i1
//     nest 2^4
//       %0 = %v0: i64
//       %1 = position [0:1 1:2 2:4 3:8]: i32
//       %2 = offset(%0, %1): i64
//       %3 = gather %2 in parameter 0, mask none, padding none: i32
//       store %3 to %b1 at [0:1 1:2 2:4 3:8] * 1
//     if %v12
//       nest 2^4
//         %0 = load %b0 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: i32
//         %1 = load %b1 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: i32
//         %2 = addi(%0, %1): i32
//         store %2 to %b2 at [0:1 1:2 2:4 3:8] * 1
//     else
//       nest 2^4
//         %0 = load %b0 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: i32
//         %1 = load %b1 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: i32
//         %2 = xori(%0, %1): i32
//         store %2 to %b2 at [0:1 1:2 2:4 3:8] * 1
//     nest 2^4
//       %0 = load %b2 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: i32
//       store %0 to %b0 at [0:1 1:2 2:4 3:8] * 1
//     continue
//   nest 2^4
//     %0 = load %b0 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: i32
//     %1 = 0xffffffff: i32
//     %2 = cmpi(%0, %1): i1
//     assert %2
//   nest 2^4
//     %0 = %v0: i64
//     %1 = position [0:1 1:2 2:4 3:8]: i32
//     %2 = offset(%0, %1): i64
//     %3 = load %b0 at [0:1 1:2 2:4 3:8] * 1, padding 0x0: i32
//     scatter %3 to %2 in parameter 0, mask none
//   return
