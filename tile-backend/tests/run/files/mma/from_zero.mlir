// test: run
// arg: f16[2048] small
// arg: f16[2048] small
// arg: f32[4096] zeros
// Nothing to add to.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x32), tensor_view<64x32xf16, strides=[32, 1]>>, tile<i32> -> tile<64x32xf16>, token
    %5 = make_tensor_view %p1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf16, strides=[64, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(32x64), tensor_view<32x64xf16, strides=[64, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xf16, strides=[64, 1]>>, tile<i32> -> tile<32x64xf16>, token
    %9 = constant <f32: 0.0> : tile<64x64xf32>
    %10 = mmaf %3, %7, %9 : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
    %11 = make_tensor_view %p2, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64, 1]>
    %12 = make_partition_view %11 : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>
    %13 = store_view_tko weak %10, %12[%0, %0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
