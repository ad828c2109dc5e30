// test: run
// arg: f16[1024] small
// arg: f16[32] zeros
// Rounded in an order of its own.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32, 1]>>, tile<i32> -> tile<32x32xf16>, token
    %5 = reduce %3 dim=0 identities=[0.0 : f16] : tile<32x32xf16> -> tile<32xf16> (%e0: tile<f16>, %a0: tile<f16>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<f16>
      yield %b0 : tile<f16>
    }
    %6 = make_tensor_view %p1, shape = [32], strides = [1] : tensor_view<32xf16, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(32), tensor_view<32xf16, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<32xf16>, partition_view<tile=(32), tensor_view<32xf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
