// test: run
// arg: f16[4096] random
// arg: f16[512] zeros
// A slice at a known place.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64, 1]>>, tile<i32> -> tile<64x64xf16>, token
    %5 = constant <i32: 3> : tile<i32>
    %6 = constant <i32: 1> : tile<i32>
    %7 = extract %3[%5, %6] : tile<64x64xf16> -> tile<16x32xf16>
    %8 = make_tensor_view %p1, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf16, strides=[32, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>
    %10 = store_view_tko weak %7, %9[%0, %0] : tile<16x32xf16>, partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
