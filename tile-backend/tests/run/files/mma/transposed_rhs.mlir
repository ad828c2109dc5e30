// test: run
// conflicts: 0
// arg: f16[2048] small
// arg: f16[2048] small
// arg: f32[4096] small
// arg: f32[4096] zeros
// The right operand by columns.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>, %p3: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f16>>
    %2 = make_tensor_view %1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xf16>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f16>>
    %7 = make_tensor_view %6, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xf16>, token
    %11 = permute %9 [1, 0] : tile<64x32xf16> -> tile<32x64xf16>
    %12 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %13 = make_tensor_view %12, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %14 = make_partition_view %13 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %15, %16 = load_view_tko weak %14[%0, %0] : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> tile<64x64xf32>, token
    %17 = mmaf %4, %11, %15 : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
    %18 = assume div_by<16>, %p3 : tile<ptr<f32>>
    %19 = make_tensor_view %18, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %20 = make_partition_view %19 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %21 = store_view_tko weak %17, %20[%0, %0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
