// test: run
// arg: f16[64] small
// arg: f16[8192] small
// arg: f32[128] small
// arg: f32[128] zeros
// A vector times a matrix: the other way round.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f16>>
    %2 = make_tensor_view %1, shape = [1, 64], strides = [64, 1] : tensor_view<1x64xf16, strides=[64, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(1x64), tensor_view<1x64xf16, strides=[64, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(1x64), tensor_view<1x64xf16, strides=[64, 1]>>, tile<i32> -> tile<1x64xf16>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f16>>
    %7 = make_tensor_view %6, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(64x128), tensor_view<64x128xf16, strides=[128, 1]>>, tile<i32> -> tile<64x128xf16>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %12 = make_tensor_view %11, shape = [1, 128], strides = [128, 1] : tensor_view<1x128xf32, strides=[128, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(1x128), tensor_view<1x128xf32, strides=[128, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0] : partition_view<tile=(1x128), tensor_view<1x128xf32, strides=[128, 1]>>, tile<i32> -> tile<1x128xf32>, token
    %16 = mmaf %4, %9, %14 : tile<1x64xf16>, tile<64x128xf16>, tile<1x128xf32>
    %17 = assume div_by<16>, %p3 : tile<ptr<f32>>
    %18 = make_tensor_view %17, shape = [1, 128], strides = [128, 1] : tensor_view<1x128xf32, strides=[128, 1]>
    %19 = make_partition_view %18 : partition_view<tile=(1x128), tensor_view<1x128xf32, strides=[128, 1]>>
    %20 = store_view_tko weak %16, %19[%0, %0] : tile<1x128xf32>, partition_view<tile=(1x128), tensor_view<1x128xf32, strides=[128, 1]>>, tile<i32> -> token
    return
  }
}
