// test: run
// has: bar.warp.sync
// warps: 2
// arg: f32[512] random
// arg: f32[512] zeros
// Both warps keep what they have: each waits for its own lanes alone.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f32>>
    %2 = make_tensor_view %1, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf32, strides=[64, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>, tile<i32> -> tile<8x64xf32>, token
    %6 = reshape %4 : tile<8x64xf32> -> tile<2x2x2x2x32xf32>
    %7 = permute %6 [3, 1, 4, 0, 2] : tile<2x2x2x2x32xf32> -> tile<2x2x32x2x2xf32>
    %8 = reshape %7 : tile<2x2x32x2x2xf32> -> tile<2x2x32x4xf32>
    %9 = assume div_by<16>, %p1 : tile<ptr<f32>>
    %10 = make_tensor_view %9, shape = [2, 2, 32, 4], strides = [256, 128, 4, 1] : tensor_view<2x2x32x4xf32, strides=[256, 128, 4, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(2x2x32x4), tensor_view<2x2x32x4xf32, strides=[256, 128, 4, 1]>>
    %12 = store_view_tko weak %8, %11[%0, %0, %0, %0] : tile<2x2x32x4xf32>, partition_view<tile=(2x2x32x4), tensor_view<2x2x32x4xf32, strides=[256, 128, 4, 1]>>, tile<i32> -> token
    return
  }
}
