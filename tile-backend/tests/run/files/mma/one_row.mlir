// test: run
// arg: f16[64] small
// arg: f16[8192] small
// arg: f32[128] small
// arg: f32[128] zeros
// A vector times a matrix: the other way round.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [1, 64], strides = [64, 1] : tensor_view<1x64xf16, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(1x64), tensor_view<1x64xf16, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(1x64), tensor_view<1x64xf16, strides=[64, 1]>>, tile<i32> -> tile<1x64xf16>, token
    %5 = make_tensor_view %p1, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128, 1]>>, tile<i32> -> tile<64x128xf16>, token
    %9 = make_tensor_view %p2, shape = [1, 128], strides = [128, 1] : tensor_view<1x128xf32, strides=[128, 1]>
    %10 = make_partition_view %9 : partition_view<tile=(1x128), tensor_view<1x128xf32, strides=[128, 1]>>
    %11, %12 = load_view_tko weak %10[%0, %0] : partition_view<tile=(1x128), tensor_view<1x128xf32, strides=[128, 1]>>, tile<i32> -> tile<1x128xf32>, token
    %13 = mmaf %3, %7, %11 : tile<1x64xf16>, tile<64x128xf16>, tile<1x128xf32>
    %14 = make_tensor_view %p3, shape = [1, 128], strides = [128, 1] : tensor_view<1x128xf32, strides=[128, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(1x128), tensor_view<1x128xf32, strides=[128, 1]>>
    %16 = store_view_tko weak %13, %15[%0, %0] : tile<1x128xf32>, partition_view<tile=(1x128), tensor_view<1x128xf32, strides=[128, 1]>>, tile<i32> -> token
    return
  }
}
