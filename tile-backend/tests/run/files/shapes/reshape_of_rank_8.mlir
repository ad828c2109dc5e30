// test: run
// arg: f32[256] random
// arg: f32[256] zeros
// All axes split and joined.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %5 = reshape %3 : tile<256xf32> -> tile<2x2x2x2x2x2x2x2xf32>
    %6 = permute %5 [7, 0, 6, 1, 5, 2, 4, 3] : tile<2x2x2x2x2x2x2x2xf32> -> tile<2x2x2x2x2x2x2x2xf32>
    %7 = reshape %6 : tile<2x2x2x2x2x2x2x2xf32> -> tile<4x64xf32>
    %8 = make_tensor_view %p1, shape = [4, 64], strides = [64, 1] : tensor_view<4x64xf32, strides=[64, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(4x64), tensor_view<4x64xf32, strides=[64, 1]>>
    %10 = store_view_tko weak %7, %9[%0, %0] : tile<4x64xf32>, partition_view<tile=(4x64), tensor_view<4x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
