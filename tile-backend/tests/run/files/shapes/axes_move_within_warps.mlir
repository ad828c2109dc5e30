// test: run
// has: bar.warp.sync
// warps: 2
// arg: f32[512] random
// arg: f32[512] zeros
// Both warps keep what they have: each waits for its own lanes alone.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 64], strides = [64, 1] : tensor_view<8x64xf32, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(8x64), tensor_view<8x64xf32, strides=[64, 1]>>, tile<i32> -> tile<8x64xf32>, token
    %5 = reshape %3 : tile<8x64xf32> -> tile<2x2x2x2x32xf32>
    %6 = permute %5 [3, 1, 4, 0, 2] : tile<2x2x2x2x32xf32> -> tile<2x2x32x2x2xf32>
    %7 = make_tensor_view %p1, shape = [2, 2, 32, 2, 2], strides = [256, 128, 4, 2, 1] : tensor_view<2x2x32x2x2xf32, strides=[256, 128, 4, 2, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(2x2x32x2x2), tensor_view<2x2x32x2x2xf32, strides=[256, 128, 4, 2, 1]>>
    %9 = store_view_tko weak %6, %8[%0, %0, %0, %0, %0] : tile<2x2x32x2x2xf32>, partition_view<tile=(2x2x32x2x2), tensor_view<2x2x32x2x2xf32, strides=[256, 128, 4, 2, 1]>>, tile<i32> -> token
    return
  }
}
