// test: run
// arg: f16[256] small
// arg: f16[1024] small
// arg: f32[512] small
// arg: f32[512] zeros
// A batch of flat products.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [2, 8, 16], strides = [128, 16, 1] : tensor_view<2x8x16xf16, strides=[128, 16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(2x8x16), tensor_view<2x8x16xf16, strides=[128, 16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0, %0] : partition_view<tile=(2x8x16), tensor_view<2x8x16xf16, strides=[128, 16, 1]>>, tile<i32> -> tile<2x8x16xf16>, token
    %5 = make_tensor_view %p1, shape = [2, 16, 32], strides = [512, 32, 1] : tensor_view<2x16x32xf16, strides=[512, 32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(2x16x32), tensor_view<2x16x32xf16, strides=[512, 32, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0, %0] : partition_view<tile=(2x16x32), tensor_view<2x16x32xf16, strides=[512, 32, 1]>>, tile<i32> -> tile<2x16x32xf16>, token
    %9 = make_tensor_view %p2, shape = [2, 8, 32], strides = [256, 32, 1] : tensor_view<2x8x32xf32, strides=[256, 32, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(2x8x32), tensor_view<2x8x32xf32, strides=[256, 32, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0, %0] : partition_view<tile=(2x8x32), tensor_view<2x8x32xf32, strides=[256, 32, 1]>>, tile<i32> -> tile<2x8x32xf32>, token
    %13 = mmaf %3, %7, %11 : tile<2x8x16xf16>, tile<2x16x32xf16>, tile<2x8x32xf32>
    %14 = make_tensor_view %p3, shape = [2, 8, 32], strides = [256, 32, 1] : tensor_view<2x8x32xf32, strides=[256, 32, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(2x8x32), tensor_view<2x8x32xf32, strides=[256, 32, 1]>>
    %16 = store_view_tko weak %13, %15[%0, %0, %0] : tile<2x8x32xf32>, partition_view<tile=(2x8x32), tensor_view<2x8x32xf32, strides=[256, 32, 1]>>, tile<i32> -> token
    return
  }
}
