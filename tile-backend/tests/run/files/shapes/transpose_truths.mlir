// test: run
// conflicts: 0
// arg: i1[512] random
// arg: i1[512] zeros
// Bits.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>, %p1: tile<ptr<i1>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xi1, strides=[16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(32x16), tensor_view<32x16xi1, strides=[16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0] : partition_view<tile=(32x16), tensor_view<32x16xi1, strides=[16, 1]>>, tile<i32> -> tile<32x16xi1>, token
    %5 = permute %3 [1, 0] : tile<32x16xi1> -> tile<16x32xi1>
    %6 = make_tensor_view %p1, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi1, strides=[32, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(16x32), tensor_view<16x32xi1, strides=[32, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<16x32xi1>, partition_view<tile=(16x32), tensor_view<16x32xi1, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
