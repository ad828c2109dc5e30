// test: run
// arg: f16[256] small
// arg: f16[256] zeros
// Whole numbers have exact sums.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [64, 4], strides = [4, 1] : tensor_view<64x4xf16, strides=[4, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(64x4), tensor_view<64x4xf16, strides=[4, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(64x4), tensor_view<64x4xf16, strides=[4, 1]>>, tile<i32> -> tile<64x4xf16>, token
    %5 = scan %3 dim=0 reverse=true identities=[0.0 : f16] : tile<64x4xf16> -> tile<64x4xf16> (%e0: tile<f16>, %a0: tile<f16>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<f16>
      yield %b0 : tile<f16>
    }
    %6 = make_tensor_view %p1, shape = [64, 4], strides = [4, 1] : tensor_view<64x4xf16, strides=[4, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(64x4), tensor_view<64x4xf16, strides=[4, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<64x4xf16>, partition_view<tile=(64x4), tensor_view<64x4xf16, strides=[4, 1]>>, tile<i32> -> token
    return
  }
}
