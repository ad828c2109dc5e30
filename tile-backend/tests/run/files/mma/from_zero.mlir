// test: run
// arg: f16[2048] small
// arg: f16[2048] small
// arg: f32[4096] zeros
// Nothing to add to.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f16>>
    %2 = make_tensor_view %1, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xf16>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f16>>
    %7 = make_tensor_view %6, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf16, strides=[64, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(32x64), tensor_view<32x64xf16, strides=[64, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xf16, strides=[64, 1]>>, tile<i32> -> tile<32x64xf16>, token
    %11 = constant <f32: 0.0> : tile<64x64xf32>
    %12 = mmaf %4, %9, %11 : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
    %13 = assume div_by<16>, %p2 : tile<ptr<f32>>
    %14 = make_tensor_view %13, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %15 = make_partition_view %14 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %16 = store_view_tko weak %12, %15[%0, %0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
