// level: avx2
// What is loaded is in a buffer, since the store may change where it was loaded from. The chain is one nest with the store.
cuda_tile.module @m {
  entry @chain(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %i = iota : tile<64xi32>
    %x1 = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %x2 = broadcast %x1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %x3 = offset %x2, %i : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %y1 = reshape %y : tile<ptr<f32>> -> tile<1xptr<f32>>
    %y2 = broadcast %y1 : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %y3 = offset %y2, %i : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %v, %t = load_ptr_tko weak %x3 : tile<64xptr<f32>> -> tile<64xf32>, token
    %w = mulf %v, %v : tile<64xf32>
    %e = exp %w : tile<64xf32>
    %s = addf %e, %v : tile<64xf32>
    %u = store_ptr_tko weak %y3, %s : tile<64xptr<f32>>, tile<64xf32> -> token
    return
  }
}
// ---
// kernel @chain
//   buffer %b0: 64 x f32 at 0
//   %v0 = word 0: i64
//   %v1 = word 2: i64
//   nest 2^6
//     %0 = %v0: i64
//     %1 = position [0:1 1:2 2:4 3:8 4:16 5:32]: i32
//     %2 = offset(%0, %1): i64
//     %3 = gather %2 in parameter 0, mask none, padding none: f32
//     store %3 to %b0 at [0:1 1:2 2:4 3:8 4:16 5:32] * 1
//   nest 2^6
//     %0 = %v1: i64
//     %1 = position [0:1 1:2 2:4 3:8 4:16 5:32]: i32
//     %2 = offset(%0, %1): i64
//     %3 = load %b0 at [0:1 1:2 2:4 3:8 4:16 5:32] * 1, padding 0x0: f32
//     %4 = mulf(%3, %3): f32
//     %5 = exp(%4): f32
//     %6 = addf(%5, %3): f32
//     scatter %6 to %2 in parameter 1, mask none
//   return
