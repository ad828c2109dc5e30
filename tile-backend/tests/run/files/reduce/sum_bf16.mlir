// test: run
// arg: bf16[256] small
// arg: bf16[16] zeros
// Whole numbers have exact sums.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<bf16>>, %p1: tile<ptr<bf16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xbf16, strides=[16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(16x16), tensor_view<16x16xbf16, strides=[16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(16x16), tensor_view<16x16xbf16, strides=[16, 1]>>, tile<i32> -> tile<16x16xbf16>, token
    %5 = reduce %3 dim=1 identities=[0.0 : bf16] : tile<16x16xbf16> -> tile<16xbf16> (%e0: tile<bf16>, %a0: tile<bf16>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<bf16>
      yield %b0 : tile<bf16>
    }
    %6 = make_tensor_view %p1, shape = [16], strides = [1] : tensor_view<16xbf16, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(16), tensor_view<16xbf16, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<16xbf16>, partition_view<tile=(16), tensor_view<16xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
