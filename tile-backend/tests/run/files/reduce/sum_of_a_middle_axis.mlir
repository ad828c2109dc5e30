// test: run
// arg: i32[4096] random
// arg: i32[128] zeros
// Rank 3.
cuda_tile.module @kernels {
  entry @f(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = make_tensor_view %p0, shape = [8, 32, 16], strides = [512, 16, 1] : tensor_view<8x32x16xi32, strides=[512, 16, 1]>
    %2 = make_partition_view %1 : partition_view<tile=(8x32x16), tensor_view<8x32x16xi32, strides=[512, 16, 1]>>
    %3, %4 = load_view_tko weak %2[%0, %0, %0] : partition_view<tile=(8x32x16), tensor_view<8x32x16xi32, strides=[512, 16, 1]>>, tile<i32> -> tile<8x32x16xi32>, token
    %5 = reduce %3 dim=1 identities=[0 : i32] : tile<8x32x16xi32> -> tile<8x16xi32> (%e0: tile<i32>, %a0: tile<i32>) {
      %b0 = addi %e0, %a0 : tile<i32>
      yield %b0 : tile<i32>
    }
    %6 = make_tensor_view %p1, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xi32, strides=[16, 1]>
    %7 = make_partition_view %6 : partition_view<tile=(8x16), tensor_view<8x16xi32, strides=[16, 1]>>
    %8 = store_view_tko weak %5, %7[%0, %0] : tile<8x16xi32>, partition_view<tile=(8x16), tensor_view<8x16xi32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
