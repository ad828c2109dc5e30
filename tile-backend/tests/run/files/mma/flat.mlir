// test: run
// conflicts: 0
// arg: bf16[256] small
// arg: bf16[4096] small
// arg: f32[1024] small
// arg: f32[1024] zeros
// Eight rows.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<bf16>>, %p1: tile<ptr<bf16>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<bf16>>
    %2 = make_tensor_view %1, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xbf16, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(8x32), tensor_view<8x32xbf16, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(8x32), tensor_view<8x32xbf16, strides=[32, 1]>>, tile<i32> -> tile<8x32xbf16>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<bf16>>
    %7 = make_tensor_view %6, shape = [32, 128], strides = [128, 1] : tensor_view<32x128xbf16, strides=[128, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(32x128), tensor_view<32x128xbf16, strides=[128, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(32x128), tensor_view<32x128xbf16, strides=[128, 1]>>, tile<i32> -> tile<32x128xbf16>, token
    %11 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %12 = make_tensor_view %11, shape = [8, 128], strides = [128, 1] : tensor_view<8x128xf32, strides=[128, 1]>
    %13 = make_partition_view %12 : partition_view<tile=(8x128), tensor_view<8x128xf32, strides=[128, 1]>>
    %14, %15 = load_view_tko weak %13[%0, %0] : partition_view<tile=(8x128), tensor_view<8x128xf32, strides=[128, 1]>>, tile<i32> -> tile<8x128xf32>, token
    %16 = mmaf %4, %9, %14 : tile<8x32xbf16>, tile<32x128xbf16>, tile<8x128xf32>
    %17 = assume div_by<16>, %p3 : tile<ptr<f32>>
    %18 = make_tensor_view %17, shape = [8, 128], strides = [128, 1] : tensor_view<8x128xf32, strides=[128, 1]>
    %19 = make_partition_view %18 : partition_view<tile=(8x128), tensor_view<8x128xf32, strides=[128, 1]>>
    %20 = store_view_tko weak %16, %19[%0, %0] : tile<8x128xf32>, partition_view<tile=(8x128), tensor_view<8x128xf32, strides=[128, 1]>>, tile<i32> -> token
    return
  }
}
