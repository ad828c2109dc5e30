// test: run
// arg: i16[4096] random
// arg: i16[1] zeros
// The smallest.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i16>>, %p1: tile<ptr<i16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i16>>
    %2 = make_tensor_view %1, shape = [4096], strides = [1] : tensor_view<4096xi16, strides=[1]>
    %3 = make_partition_view %2 : partition_view<tile=(4096), tensor_view<4096xi16, strides=[1]>>
    %4, %5 = load_view_tko weak %3[%0] : partition_view<tile=(4096), tensor_view<4096xi16, strides=[1]>>, tile<i32> -> tile<4096xi16>, token
    %6 = reduce %4 dim=0 identities=[-1 : i16] : tile<4096xi16> -> tile<i16> (%e0: tile<i16>, %a0: tile<i16>) {
      %b0 = mini %e0, %a0 unsigned : tile<i16>
      yield %b0 : tile<i16>
    }
    %7 = reshape %6 : tile<i16> -> tile<1xi16>
    %8 = assume div_by<16>, %p1 : tile<ptr<i16>>
    %9 = make_tensor_view %8, shape = [1], strides = [1] : tensor_view<1xi16, strides=[1]>
    %10 = make_partition_view %9 : partition_view<tile=(1), tensor_view<1xi16, strides=[1]>>
    %11 = store_view_tko weak %7, %10[%0] : tile<1xi16>, partition_view<tile=(1), tensor_view<1xi16, strides=[1]>>, tile<i32> -> token
    return
  }
}
