// test: run
// warps: 1
// arg: i1[512] random
// arg: i1[512] zeros
// Bits as bytes.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i1>>, %p1: tile<ptr<i1>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = assume div_by<16>, %p0 : tile<ptr<i1>>
    %2 = make_tensor_view %1, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xi1, strides=[32, 1]>
    %3 = make_partition_view %2 : partition_view<tile=(16x32), tensor_view<16x32xi1, strides=[32, 1]>>
    %4, %5 = load_view_tko weak %3[%0, %0] : partition_view<tile=(16x32), tensor_view<16x32xi1, strides=[32, 1]>>, tile<i32> -> tile<16x32xi1>, token
    %6 = permute %4 [1, 0] : tile<16x32xi1> -> tile<32x16xi1>
    %7 = assume div_by<16>, %p1 : tile<ptr<i1>>
    %8 = make_tensor_view %7, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xi1, strides=[16, 1]>
    %9 = make_partition_view %8 : partition_view<tile=(32x16), tensor_view<32x16xi1, strides=[16, 1]>>
    %10 = store_view_tko weak %6, %9[%0, %0] : tile<32x16xi1>, partition_view<tile=(32x16), tensor_view<32x16xi1, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
