// test: run
// arg: i16[2048] random
// arg: i16[32] zeros
// Along the contiguous axis.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i16>>, %p1: tile<ptr<i16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi16, strides=[64, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x64), tensor_view<32x64xi16, strides=[64, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x64), tensor_view<32x64xi16, strides=[64, 1]>>, tile<i32> -> tile<32x64xi16>, token
    %5 = reduce %3 dim=1 identities=[0 : i16] : tile<32x64xi16> -> tile<32xi16> (%e0: tile<i16>, %a0: tile<i16>) {
      %b0 = addi %e0, %a0 : tile<i16>
      yield %b0 : tile<i16>
    }
    %6 = make_tensor_view %p1, shape = [32], strides = [1] : tensor_view<32xi16, strides=[1]>
    %7 = make_partition_view %6 : partition_view<tile=(32), tensor_view<32xi16, strides=[1]>>
    %8 = store_view_tko weak %5, %7[%0] : tile<32xi16>, partition_view<tile=(32), tensor_view<32xi16, strides=[1]>>, tile<i32> -> token
    return
  }
}
