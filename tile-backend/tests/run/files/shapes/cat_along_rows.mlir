// test: run
// arg: f16[512] random
// arg: f16[512] random
// arg: f16[1024] zeros
// Two tiles side by side along axis 0.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf16, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>, tile<i32> -> tile<16x32xf16>, token
    %5 = make_tensor_view %p1, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf16, strides=[32, 1]>
    %6 = make_partition_view %5 : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>
    %7, %8 = load_view_tko weak %6[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>, tile<i32> -> tile<16x32xf16>, token
    %9 = cat %3, %7 dim = 0 : tile<16x32xf16>, tile<16x32xf16> -> tile<32x32xf16>
    %10 = make_tensor_view %p2, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32, 1]>
    %11 = make_partition_view %10 : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>
    %12 = store_view_tko weak %9, %11[%0, %0] : tile<32x32xf16>, partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
