// level: avx512
// A gather with a mask, an atomic operation of the block, and one of the device.
cuda_tile.module @m {
  entry @accesses(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %n: tile<i32>) {
    %i = iota : tile<32xi32>
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %n2 = broadcast %n1 : tile<1xi32> -> tile<32xi32>
    %exists = cmpi less_than %i, %n2, signed : tile<32xi32> -> tile<32xi1>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %x2 = broadcast %x1 : tile<1xptr<i32>> -> tile<32xptr<i32>>
    %x3 = offset %x2, %i : tile<32xptr<i32>>, tile<32xi32> -> tile<32xptr<i32>>
    %none = constant <i32: -1> : tile<32xi32>
    %v, %t = load_ptr_tko weak %x3, %exists, %none : tile<32xptr<i32>>, tile<32xi1>, tile<32xi32> -> tile<32xi32>, token
    %y1 = reshape %y : tile<ptr<i32>> -> tile<1xptr<i32>>
    %y2 = broadcast %y1 : tile<1xptr<i32>> -> tile<32xptr<i32>>
    %y3 = offset %y2, %v : tile<32xptr<i32>>, tile<32xi32> -> tile<32xptr<i32>>
    %a, %a0 = atomic_rmw_tko relaxed tl_blk %y3, add, %i, %exists : tile<32xptr<i32>>, tile<32xi32>, tile<32xi1> -> tile<32xi32>, token
    %b, %b0 = atomic_rmw_tko relaxed device %y3, add, %a, %exists : tile<32xptr<i32>>, tile<32xi32>, tile<32xi1> -> tile<32xi32>, token
    return
  }
}
// ---
// kernel @accesses
//   buffer %b0: 32 x i32 at 0
//   buffer %b1: 32 x i32 at 128
//   %v0 = word 0: i64
//   %v1 = word 2: i64
//   %v2 = word 4: i32
//   nest 2^5
//     %0 = %v0: i64
//     %1 = position [0:1 1:2 2:4 3:8 4:16]: i32
//     %2 = offset(%0, %1): i64
//     %3 = %v2: i32
//     %4 = cmpi(%1, %3): i1
//     %5 = 0xffffffff: i32
//     %6 = gather %2 in parameter 0, mask %4, padding %5: i32
//     store %6 to %b0 at [0:1 1:2 2:4 3:8 4:16] * 1
//   nest 2^5
//     %0 = %v1: i64
//     %1 = load %b0 at [0:1 1:2 2:4 3:8 4:16] * 1, padding 0x0: i32
//     %2 = offset(%0, %1): i64
//     %3 = position [0:1 1:2 2:4 3:8 4:16]: i32
//     %4 = %v2: i32
//     %5 = cmpi(%3, %4): i1
//     %6 = block atomic Modify(Add) %2 in parameter 1 with %3, mask %5: i32
//     store %6 to %b1 at [0:1 1:2 2:4 3:8 4:16] * 1
//   nest 2^5
//     %0 = %v1: i64
//     %1 = load %b0 at [0:1 1:2 2:4 3:8 4:16] * 1, padding 0x0: i32
//     %2 = offset(%0, %1): i64
//     %3 = position [0:1 1:2 2:4 3:8 4:16]: i32
//     %4 = %v2: i32
//     %5 = cmpi(%3, %4): i1
//     %6 = load %b1 at [0:1 1:2 2:4 3:8 4:16] * 1, padding 0x0: i32
//     %7 = atomic Modify(Add) %2 in parameter 1 with %6, mask %5: i32
//   return
