// test: run
// arg: i16[4096] random
// arg: i16[1] zeros
// The smallest.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i16>>, %p1: tile<ptr<i16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [4096], strides = [1] : tensor_view<4096xi16, strides=[1]>
    %2 = make_partition_view %1 : partition_view<tile=(4096), tensor_view<4096xi16, strides=[1]>>
    %3, %4 = load_view_tko weak %2[%0] : partition_view<tile=(4096), tensor_view<4096xi16, strides=[1]>>, tile<i32> -> tile<4096xi16>, token
    %5 = reduce %3 dim=0 identities=[-1 : i16] : tile<4096xi16> -> tile<i16> (%e0: tile<i16>, %a0: tile<i16>) {
      %b0 = mini %e0, %a0 unsigned : tile<i16>
      yield %b0 : tile<i16>
    }
    %6 = reshape %5 : tile<i16> -> tile<1xi16>
    %7 = make_tensor_view %p1, shape = [1], strides = [1] : tensor_view<1xi16, strides=[1]>
    %8 = make_partition_view %7 : partition_view<tile=(1), tensor_view<1xi16, strides=[1]>>
    %9 = store_view_tko weak %6, %8[%0] : tile<1xi16>, partition_view<tile=(1), tensor_view<1xi16, strides=[1]>>, tile<i32> -> token
    return
  }
}
