// test: run
// arg: f16[512] random
// arg: f16[512] random
// arg: f16[1024] zeros
// Two tiles side by side along axis 0.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<f16>>
    %2 = make_tensor_view %1, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf16, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>, tile<i32> -> tile<16x32xf16>, token
    %6 = assume div_by<16>, %p1 : tile<ptr<f16>>
    %7 = make_tensor_view %6, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf16, strides=[32, 1]>
    %8 = make_partition_view %7 : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>
    %9, %10 = load_view_tko weak %8[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xf16, strides=[32, 1]>>, tile<i32> -> tile<16x32xf16>, token
    %11 = cat %4, %9 dim = 0 : tile<16x32xf16>, tile<16x32xf16> -> tile<32x32xf16>
    %12 = assume div_by<16>, %p2 : tile<ptr<f16>>
    %13 = make_tensor_view %12, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32, 1]>
    %14 = make_partition_view %13 : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>
    %15 = store_view_tko weak %11, %14[%0, %0] : tile<32x32xf16>, partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
