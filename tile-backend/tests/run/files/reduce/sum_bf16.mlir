// test: run
// arg: bf16[256] small
// arg: bf16[16] zeros
// Whole numbers have exact sums.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<bf16>>, %p1: tile<ptr<bf16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<bf16>>
    %2 = make_tensor_view %1, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xbf16, strides=[16, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x16), tensor_view<16x16xbf16, strides=[16, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(16x16), tensor_view<16x16xbf16, strides=[16, 1]>>, tile<i32> -> tile<16x16xbf16>, token
    %6 = reduce %4 dim=1 identities=[0.0 : bf16] : tile<16x16xbf16> -> tile<16xbf16> (%e0: tile<bf16>, %a0: tile<bf16>) {
      %b0 = addf %e0, %a0 rounding<nearest_even> : tile<bf16>
      yield %b0 : tile<bf16>
    }
    %7 = assume div_by<16>, %p1 : tile<ptr<bf16>>
    %8 = make_tensor_view %7, shape = [16], strides = [1] : tensor_view<16xbf16, strides=[1]>
    %9 = make_partition_view %8 : partition_view<tile=(16), tensor_view<16xbf16, strides=[1]>>
    %10 = store_view_tko weak %6, %9[%0] : tile<16xbf16>, partition_view<tile=(16), tensor_view<16xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
